/* Shows what is in a preprocessed file. */
#ifndef CG2WG_CLI_PRINT_H
#define CG2WG_CLI_PRINT_H

#include "cli/options.h"
#include "util/diag.h"

/*
 * Prints the file options->inputs[0] in the style, order and length that the options ask for.
 * Returns false, having reported it, if it is not a whole preprocessed file. Errors of `stream` are
 * for the caller to look for.
 */
bool print_preprocessed(FILE *stream, const struct options *options, struct diag *diag);

#endif
