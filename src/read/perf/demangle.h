/* Names of C++ and Rust as their authors wrote them, by the program c++filt, which is called once. */
#ifndef CG2WG_READ_PERF_DEMANGLE_H
#define CG2WG_READ_PERF_DEMANGLE_H

#include "util/diag.h"
#include "util/text.h"

/*
 * Makes `names`, lines that each end with a newline, readable: as many lines, in memory of the run. They are fewer
 * if the program fails, and a line is empty if the name would be too long.
 */
struct text demangle(struct text names, struct diag *diag);

#endif
