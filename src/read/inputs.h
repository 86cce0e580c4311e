/* Finds inputs with the same costs, which would count twice in a merged file. */
#ifndef CG2WG_READ_INPUTS_H
#define CG2WG_READ_INPUTS_H

#include "util/diag.h"

/* The name of an input in messages. */
const char *input_name(const char *input);

/* Does a regular file begin like a preprocessed one? It is an error if it cannot be opened. */
bool input_is_preprocessed(const char *input, struct diag *diag);

/*
 * Reports, as problems of the inputs, each regular file that is an input twice, under any names,
 * and each preprocessed file (X.webgrind) that is an input together with the profile X.
 */
void inputs_check(const char *const *inputs, size_t count, struct diag *diag);

#endif
