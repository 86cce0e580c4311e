/*
 * The call graph's strongly connected components: sets of functions that reach each other by calls. One of
 * several functions, or of a function that calls itself, is a cycle.
 */
#ifndef CG2WG_MODEL_CYCLES_H
#define CG2WG_MODEL_CYCLES_H

#include "model/profile.h"

/* A possible call between two functions, in addition to the arcs. */
struct link {
    uint32_t caller, callee;
};

/*
 * The component of each function, in memory of the run. Cycles have the numbers below *count; other
 * components have larger ones, below the number of functions. The graph consists of the profile's arcs
 * and `links`.
 */
uint32_t *cycles_find(const struct profile *profile, const struct link *links, size_t link_count,
                      uint32_t *count);

#endif
