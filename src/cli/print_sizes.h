/* Prints the costs of functions by the size of their input: as a table, as JSON, as plots. */
#ifndef CG2WG_CLI_PRINT_SIZES_H
#define CG2WG_CLI_PRINT_SIZES_H

#include "cli/options.h"

/*
 * Prints the functions in the style, order and length that the options ask for. Returns false when
 * memory runs out. The caller checks `stream` for errors.
 */
bool print_sizes(FILE *stream, const struct options *options, const struct cg2wg_sizes *sizes);

#endif
