/* Hands out a tree of calling contexts with the functions of a profile. */
#ifndef CG2WG_MODEL_STACKS_H
#define CG2WG_MODEL_STACKS_H

#include "cg2wg.h"
#include "model/contexts.h"

/*
 * Frees linked contexts of `profile` after it has copied them, and calls `show` with the copy. Returns
 * false, without calling it, if memory runs out.
 */
bool stacks_show(struct contexts *contexts, const struct profile *profile,
                 void (*show)(void *user, const struct cg2wg_stacks *stacks), void *user);

#endif
