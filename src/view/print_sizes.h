/* Prints the costs of functions by the size of their input: as a table, as JSON, as plots. */
#ifndef CG2WG_VIEW_PRINT_SIZES_H
#define CG2WG_VIEW_PRINT_SIZES_H

#include "cli/options.h"
#include "util/diag.h"

/*
 * Prints the functions that the options choose, in their style and order. Returns false after an
 * error, which it has reported. The caller checks `stream` for errors.
 */
bool print_sizes(FILE *stream, const struct options *options, const struct cg2wg_sizes *sizes,
                 struct diag *diag);

#endif
