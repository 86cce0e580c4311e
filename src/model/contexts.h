/*
 * Calling contexts: a tree in which a node stands for all calls of a function that were made along
 * one path. From it come the call arcs of a profile, and a tree of invocations.
 */
#ifndef CG2WG_MODEL_CONTEXTS_H
#define CG2WG_MODEL_CONTEXTS_H

#include "model/profile.h"
#include "model/tree.h"
#include "util/diag.h"

/* Contexts are known by their place. Costs are those of all calls of the context. */
struct context {
    uint32_t function; /* of the profile */
    uint32_t parent;   /* a context, or INDEX_NONE; may stand behind this one */
    uint64_t calls;
    cost_t self, inclusive;
    uint32_t first_child, next_sibling; /* set by contexts_link; INDEX_NONE: there is none */
    uint32_t arc;                       /* from its parent; set by contexts_make_arcs */
};

struct contexts {
    struct context *items;
    size_t count, capacity;
};

/* Empty contexts are all zero. */
void contexts_free(struct contexts *contexts);

/* Appends a context, of which all up to the costs is given. Returns false when memory runs out. */
bool contexts_add(struct contexts *contexts, struct context context);

/*
 * To be called when all are there: makes a root of one context in each cycle of parents, and tells
 * it to `cut` (which returns whether to go on), and links children in the order of the contexts.
 * Returns false when `cut` does, or when memory runs out, which it reports.
 */
bool contexts_link(struct contexts *contexts, bool (*cut)(void *user, uint32_t context), void *user,
                   struct diag *diag);

/*
 * Adds to the profile an arc for each two functions of which one is the parent in a context of the
 * other, with its calls, and the cost of these to the callee's call_cost. An arc's cost is that of
 * its contexts; if is_outermost, of those that are not below another of the same arc. Returns false
 * when memory runs out.
 */
bool contexts_make_arcs(struct contexts *contexts, struct profile *profile, bool is_outermost);

/*
 * Fills an empty tree: each context becomes one invocation, of the same number, with its own
 * inclusive cost. Returns false when memory runs out.
 */
bool contexts_make_tree(const struct contexts *contexts, struct tree *tree);

#endif
