/* Prints a profile, a preprocessed file, or a report of costs by input size. */
#ifndef CG2WG_VIEW_PRINT_H
#define CG2WG_VIEW_PRINT_H

#include "cli/bar.h"
#include "cli/options.h"
#include "util/diag.h"

/*
 * Prints the file options->inputs[0] in the style, order and length that the options ask for: a
 * preprocessed file as it is, a profile as it would be converted. Removes `bar` first. Returns
 * false if the file cannot be read or shown in the style, which options->convert or diag has
 * reported. The caller checks `stream` for errors.
 */
bool print_input(FILE *stream, const struct options *options, struct bar *bar, struct diag *diag);

#endif
