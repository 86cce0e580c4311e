/*
 * Costs by the size of the calls' input, as an input-sensitive profiler measures them. The profile
 * contains only their sums; these details are kept beside it if they are wanted.
 */
#ifndef CG2WG_MODEL_SIZES_H
#define CG2WG_MODEL_SIZES_H

#include "model/profile.h"

/* Stands for a number that the input lacks. */
enum { SIZE_COST_UNKNOWN = -1 };

/* A front end fills it. Strings are numbers in the profile's names. */
struct sizes {
    struct cg2wg_size_cost *costs; /* in any order; a function may have the same size several times */
    size_t count, capacity;
    uint32_t *mangled; /* names, by function; NAME_EMPTY: no mangled name */
    size_t mangled_count; /* how many functions these are */
    uint32_t *lines; /* what the input says about itself, as written */
    size_t line_count, line_capacity;
    uint32_t measure; /* what the sizes are; NAME_EMPTY: the input does not say */
};

/* Empty sizes are all zero. */
void sizes_free(struct sizes *sizes);

/*
 * Merges the costs of the same function and size, and calls `show` with them and the functions of a complete
 * profile with totals. The data are valid until it returns.
 */
void sizes_show(struct sizes *sizes, const struct profile *profile,
                void (*show)(void *user, const struct cg2wg_sizes *sizes), void *user);

#endif
