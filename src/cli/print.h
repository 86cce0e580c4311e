/* Shows what is in a preprocessed file, or in a report of costs by input size. */
#ifndef CG2WG_CLI_PRINT_H
#define CG2WG_CLI_PRINT_H

#include "cli/options.h"
#include "util/diag.h"

/*
 * Prints the file options->inputs[0] in the style, order and length that the options ask for.
 * Returns false if it is neither a report nor a whole preprocessed file, or cannot be shown in the
 * style; that was reported, by options->convert or diag. Errors of `stream` are for the caller to
 * look for.
 */
bool print_input(FILE *stream, const struct options *options, struct diag *diag);

#endif
