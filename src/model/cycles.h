/*
 * Cycles of the call graph: its strongly connected components, sets of functions that reach each other
 * by calls.
 */
#ifndef CG2WG_MODEL_CYCLES_H
#define CG2WG_MODEL_CYCLES_H

#include "model/profile.h"

/* A possible call between two functions, in addition to the arcs. */
struct link {
    uint32_t caller, callee;
};

/*
 * The component of each function, in malloc'ed memory: numbers below *count, each for one or more
 * functions. The graph consists of the profile's arcs and `links`. NULL: no memory.
 */
uint32_t *cycles_find(const struct profile *profile, const struct link *links, size_t link_count,
                      size_t *count);

#endif
