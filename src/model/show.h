/* Hands out what a profile does not contain, in the form that the library promises. */
#ifndef CG2WG_MODEL_SHOW_H
#define CG2WG_MODEL_SHOW_H

#include "model/contexts.h"
#include "model/sizes.h"

/*
 * Both call `show` with data that are valid until it returns. They return false, without calling it,
 * if memory runs out.
 */

/* Frees linked contexts of `profile` after it has copied them. */
bool stacks_show(struct contexts *contexts, const struct profile *profile,
                 void (*show)(void *user, const struct cg2wg_stacks *stacks), void *user);

/* Merges the costs, and shows them with the functions of a complete profile with totals. */
bool sizes_show(struct sizes *sizes, const struct profile *profile,
                void (*show)(void *user, const struct cg2wg_sizes *sizes), void *user);

#endif
