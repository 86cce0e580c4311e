/*
 * The tree of invocations, which version 4 of webgrind's format contains. A record's calls are tied to invocations when
 * it ends: its k calls of g are the last k invocations of g that no other record has claimed, in the same order.
 */
#ifndef CG2WG_MODEL_TREE_H
#define CG2WG_MODEL_TREE_H

#include "model/profile.h"

/* In place of the self cost of an invocation without a record. */
#define TREE_MISSING INT64_MIN

/* The self cost of one that has a record. */
static inline cost_t tree_known(cost_t self)
{
    return self == TREE_MISSING ? TREE_MISSING + 1 : self;
}

struct invocation {
    cost_t self;           /* or TREE_MISSING */
    uint32_t function;
    uint32_t first_call; /* its calls are from here to the next invocation's first */
    uint32_t call;       /* the call that made it, or NONE */
    uint32_t number;     /* set by tree_number; until then, for the tree's own use */
};

struct tree_call {
    cost_t cost;
    uint32_t callee; /* an invocation; until tree_end its function; NONE until tree_finish: its
                        caller was stepped over */
    uint32_t line;
};

struct tree {
    struct invocation *invocations;
    size_t invocation_count, invocation_capacity;
    struct tree_call *calls;
    size_t call_count, call_capacity;
    uint32_t first_call; /* of the current invocation, which is added when it ends */
    cost_t *inclusive; /* of each invocation; NULL: see tree_inclusive */
    size_t inclusive_capacity;
    struct untied *untied; /* by function */
    size_t untied_capacity;
    uint32_t run; /* of the input; when another one begins, unclaimed invocations remain roots */
    bool has_gaps; /* calls that proxies made have been removed */
};

/* An empty tree is all zero. */
void tree_free(struct tree *tree);

/* Appends an invocation, whose calls begin with this one. For 2^32 - 1 invocations or calls, there is no memory. */
HOT void tree_add(struct tree *tree, uint32_t function, cost_t self, uint32_t first_call)
{
    struct invocation added = {.function = function, .self = self, .first_call = first_call, .call = NONE};
    if (tree->invocation_count == NONE)
        run_out_of_memory();
    array_append(&tree->invocations, &tree->invocation_count, &tree->invocation_capacity, &added, sizeof added);
}

/* Adds a call of a function that the current invocation made. */
HOT void tree_call(struct tree *tree, uint32_t callee, uint32_t line, cost_t cost)
{
    struct tree_call call = {cost, callee, line};
    if (UNLIKELY(tree->call_count == NONE))
        run_out_of_memory();
    array_append(&tree->calls, &tree->call_count, &tree->call_capacity, &call, sizeof call);
}

/*
 * Ends it, as one of `function` with this self cost: ties its calls, and steps over proxies. A call without an
 * invocation (its record is missing) gets one, without self cost and with the cost of the call.
 */
void tree_end(struct tree *tree, const struct profile *profile, uint32_t function, cost_t self);

/* Completes the tree: its calls then have no gaps between them. */
void tree_finish(struct tree *tree);

/* Numbers the invocations of each function from 0 on. `counts`, by function, is all zero, and becomes their number. */
void tree_number(struct tree *tree, uint32_t *counts);

/* Appends a finished tree, whose function i is renumbered[i] here. */
void tree_append(struct tree *tree, const struct tree *other, const uint32_t *renumbered);

/* The number after the last of an invocation's calls. */
static inline uint32_t tree_calls_end(const struct tree *tree, uint32_t invocation)
{
    return invocation + 1 < tree->invocation_count ? tree->invocations[invocation + 1].first_call
                                                   : (uint32_t)tree->call_count;
}

/* In a finished tree: its cost with its calls; if its record is missing, that of the call that made it. */
static inline cost_t tree_inclusive(const struct tree *tree, uint32_t invocation)
{
    const struct invocation *i = &tree->invocations[invocation];
    if (tree->inclusive != NULL)
        return tree->inclusive[invocation];
    if (i->self == TREE_MISSING)
        return i->call != NONE ? tree->calls[i->call].cost : 0;
    cost_t sum = i->self;
    uint32_t end = tree_calls_end(tree, invocation);
    for (uint32_t call = i->first_call; call < end; call++)
        cost_add(&sum, tree->calls[call].cost);
    return sum;
}

#endif
