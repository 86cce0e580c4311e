/* Inputs that hold the same costs: merged, these would count twice. */
#ifndef CG2WG_FRONTENDS_INPUTS_H
#define CG2WG_FRONTENDS_INPUTS_H

#include "util/diag.h"

/* What messages call an input. */
const char *input_name(const char *input);

/*
 * Reports, as problems of the inputs, each regular file that is there twice, under whatever names, and each
 * preprocessed file (X.webgrind) that is there beside the profile that it is named for (X). Returns false if
 * options ask to be strict and there is one, an input cannot be read, or memory runs out, which was reported.
 */
bool inputs_check(const char *const *inputs, size_t count, struct diag *diag);

#endif
