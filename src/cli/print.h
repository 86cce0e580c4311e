/* Shows what is in a profile or preprocessed file, or in a report of costs by input size. */
#ifndef CG2WG_CLI_PRINT_H
#define CG2WG_CLI_PRINT_H

#include "cli/bar.h"
#include "cli/options.h"
#include "util/diag.h"

/*
 * Prints the file options->inputs[0] in the style, order and length that the options ask for: a preprocessed
 * file as it is, a profile as it would be converted. `bar` is taken away first. Returns false if it cannot
 * be read or shown in the style; that was reported, by options->convert or diag. Errors of `stream` are
 * for the caller to look for.
 */
bool print_input(FILE *stream, const struct options *options, struct bar *bar, struct diag *diag);

#endif
