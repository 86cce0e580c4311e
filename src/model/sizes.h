/*
 * Costs by the size of the calls' input, as an input-sensitive profiler measures them. The profile
 * contains only their sums; these details are kept beside it if they are wanted.
 */
#ifndef CG2WG_MODEL_SIZES_H
#define CG2WG_MODEL_SIZES_H

#include "model/profile.h"

/* Stands for a number that the input lacks. */
enum { SIZE_COST_UNKNOWN = -1 };

/* A front end fills it; empty, it is all zero. Strings are numbers in the profile's names. */
struct sizes {
    struct cg2wg_size_cost *costs; /* in any order; a function may have the same size several times */
    size_t count, capacity;
    size_t *first; /* set by sizes_merge: where the costs of each function begin, and the end of the last one's */
    uint32_t *mangled; /* names, by function; NAME_EMPTY: no mangled name */
    size_t mangled_count; /* how many functions these are */
    uint32_t *lines; /* what the input says about itself, as written */
    size_t line_count, line_capacity;
    uint32_t measure; /* what the sizes are; NAME_EMPTY: the input does not say */
};

/* Merges the costs of the same function and size, and sorts them; sets `first`. */
void sizes_merge(struct sizes *sizes, size_t function_count);

#endif
