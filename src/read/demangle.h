/* Readable names of C++ and Rust functions. */
#ifndef CG2WG_READ_DEMANGLE_H
#define CG2WG_READ_DEMANGLE_H

#include "model/profile.h"
#include "util/diag.h"

/*
 * Makes the names of a complete profile's functions readable with the program c++filt, which is started only if a name
 * begins as those of C++ or Rust do, and never for Xdebug's profiles. Of functions that could not be distinguished any
 * more, as the destructors of one class, each keeps its old name in brackets after the readable one, or the hash that
 * Rust's compiler has added, which others lose.
 */
void demangle_functions(struct profile *profile, enum cg2wg_demangle how, struct diag *diag);

#endif
