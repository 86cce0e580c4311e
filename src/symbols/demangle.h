/* Names of C++ and Rust as their authors wrote them, by the program c++filt, which is called once. */
#ifndef CG2WG_SYMBOLS_DEMANGLE_H
#define CG2WG_SYMBOLS_DEMANGLE_H

#include "util/diag.h"
#include "util/text.h"

/*
 * Makes `names`, lines that each end with a newline, readable: as many lines, in malloc'ed memory, at
 * *result. Returns false, having reported why, if that fails.
 */
bool demangle(struct text names, char **result, size_t *length, struct diag *diag);

#endif
