/* Hands out a tree of calling contexts with the functions of a profile. */
#ifndef CG2WG_MODEL_STACKS_H
#define CG2WG_MODEL_STACKS_H

#include "cg2wg.h"
#include "model/contexts.h"

/* Calls `show` with linked contexts of `profile`. Returns false, without calling it, if memory runs out. */
bool stacks_show(const struct contexts *contexts, const struct profile *profile,
                 void (*show)(void *user, const struct cg2wg_stacks *stacks), void *user);

#endif
