/*
 * Cycles of the call graph: its strongly connected components, sets of functions that reach each other
 * by calls.
 */
#ifndef CG2WG_MODEL_CYCLES_H
#define CG2WG_MODEL_CYCLES_H

#include "model/profile.h"

/* That one function may call another, told apart from the arcs. */
struct link {
    uint32_t caller, callee;
};

/*
 * The component of each function, in malloc'ed memory: numbers below *count, each of one function or
 * more. The graph is made up of the profile's arcs and `links`. NULL: no memory.
 */
uint32_t *cycles_find(const struct profile *profile, const struct link *links, size_t link_count,
                      size_t *count);

#endif
