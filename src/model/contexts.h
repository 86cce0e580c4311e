/* SPDX-License-Identifier: MIT */
/*
 * Calling contexts: a tree in which a node is all calls of a function that were made along one path; or, for version 4
 * of webgrind's format, one invocation.
 */
#ifndef CG2WG_MODEL_CONTEXTS_H
#define CG2WG_MODEL_CONTEXTS_H

#include "model/calls.h"
#include "model/timeline.h"

/* Contexts are numbered by their position. Costs are those of all calls of the context. */
struct context {
    uint32_t function;    /* of the profile */
    uint32_t parent;      /* a context, or NONE; it may come after this one */
    uint32_t call;        /* see call_is */
    uint32_t first_child; /* like siblings, a context; NONE: there is none; roots are siblings */
    union {
        uint64_t calls;   /* or samples, in which it was met */
        cost_t call_cost; /* if has_call_costs: the inclusive cost in the calls that made it */
    };
    cost_t self, inclusive;
    uint32_t next_sibling;
    uint32_t number; /* for those who walk through them; NONE at first */
};

/* What the self cost of a context is at a line, if the input says so. */
struct context_line {
    uint32_t context;
    uint32_t row; /* of profile->lines */
    cost_t cost;
};

/* What `call` says about the calls that made a context. */
enum context_call {
    CALL_IS_UNKNOWN, /* nothing: 0 */
    CALL_IS_LINE,    /* their line */
    CALL_IS_ARC,     /* their arc; NONE: there is none */
    CALL_IS_ROW      /* theirs of profile->lines; NONE: there are no calls */
};

struct contexts {
    struct context *items;
    size_t count, capacity;
    uint32_t first_root; /* set by contexts_link */
    enum context_call call_is;
    struct index index;   /* used by contexts_child */
    bool are_invocations; /* set before they are read: each shall be one, if the input knows them */
    bool has_allocated;   /* `self` is the sum of the positive self costs of its records, without what others free */
    bool has_call_costs;  /* in place of numbers of calls: they are invocations, or in a cycle */
    bool is_cut;          /* an estimate: what has no context is in those whose function is NONE */
    bool are_of_parts;    /* `call` of a root is the number of a part of the input */
    bool keeps_lines;     /* set before they are read, of a profile that has lines */
    SET(struct context_line) lines;
    struct single_calls *single; /* set before they are read: calls are added to them; or NULL */
    struct timeline *timeline;   /* set before they are read: it is made, too; or NULL */
    bool *chosen;                /* set before they are read: by function, are its calls shown one by one? NULL: none */
    SET(struct single_call) calls;
    uint32_t *order;       /* in which invocations returned; NULL: that of the contexts */
    size_t order_capacity; /* 0: contexts_append has not been called */
};

/* Empty contexts are all zero. */
void contexts_free(struct contexts *contexts);

/* Appends a context, whose members up to its costs are set. */
void contexts_add(struct contexts *contexts, struct context context);

/*
 * The number of a function's context below `parent` (NONE: of its root), by calls of this kind, which is added, without
 * costs, if there is none. All contexts must then be added by this function.
 */
uint32_t contexts_child(struct contexts *contexts, uint32_t parent, uint32_t function, uint32_t call);

/*
 * The next context that is its own ancestor, which then becomes a root; or NONE. All have been added by contexts_add.
 * *next is 0 at first.
 */
uint32_t contexts_cut_cycle(struct contexts *contexts, uint32_t *next);

/*
 * Makes those with the same path of functions one, in contexts that are linked, as the result is. If `functions` is not
 * NULL, function i becomes functions[i] first, and a context whose parent has the same one, a part of it.
 */
void contexts_unite(struct contexts *contexts, const uint32_t *functions);

/*
 * Adds the costs of contexts to the inclusive costs and invocations of groups, except below others of the same group:
 * what groups would get if the contexts were united, and made arcs. Function i belongs to groups[i].
 */
void contexts_add_groups(const struct contexts *contexts, const uint32_t *groups, struct profile *grouped);

/* Adds to what a context's self cost is at a line. */
void contexts_add_line(struct contexts *contexts, uint32_t context, uint32_t row, cost_t cost);

void contexts_multiply(struct contexts *contexts, uint64_t factor);

/* Links children, and roots, in their order, when all have been added. None may be its own ancestor. */
void contexts_link(struct contexts *contexts);

/* The one after `context` in linked contexts, where parents come first. NONE: before the first, and after the last. */
uint32_t contexts_next(const struct contexts *contexts, uint32_t context);

/*
 * Fills empty contexts with those of all records, which are forgotten if is_last, and links them. The records are read
 * backwards (records.h), so that the context of a caller is known before those of what it called. An invocation that
 * nobody called is a root. So is a proxy that was stepped over, with its self cost; what it called belongs to its
 * caller. Inclusive costs are those of the records.
 *
 * If contexts->are_invocations, each invocation becomes a context by itself. A call whose invocation has no record gets
 * one without self cost, with the cost of the call, right after its caller.
 *
 * Besides the contexts, memory holds what waits in the replay. If records are in the order of a call stack, this is at
 * most the depth of calls times the functions that are called from there; otherwise, one entry for each call.
 */
void contexts_from_records(struct contexts *contexts, struct records *records, const struct profile *profile,
                           bool is_last);

/*
 * Adds an arc to the profile for each pair of caller and callee in linked contexts, and their cost to
 * the callee's call_cost. The cost of an arc is that of its contexts; if is_outermost, only of those that are not below
 * another one of the same arc.
 *
 * If `call` is a row of profile->lines, which has the line of the arc, the row gets its part of the arc's calls and
 * cost, and `call` becomes the arc.
 *
 * is_sampled: calls are how many samples each context was met in. Then this also adds to the costs of functions, and to
 * their invocations. If is_outermost, what a sample holds several times, a function or an arc, counts once.
 */
void contexts_make_arcs(struct contexts *contexts, struct profile *profile, bool is_outermost, bool is_sampled);

/*
 * Adds the costs of linked contexts, each with the arc of the calls that made it or NONE: to a function, those that are
 * not below another one of the same function, and to an arc, what its calls cost, if they are not below others of it.
 */
void contexts_add_outermost(const struct contexts *contexts, struct profile *profile);

/* Makes inclusive costs the sums of the self costs below; callers come first. */
void contexts_sum_self_costs(struct contexts *contexts);

/*
 * What each function has allocated, with its callees, if contexts->has_allocated: the sums of their self costs below,
 * which the contexts then have. After these, the sum of all, and what is kept of it; in memory of the task.
 */
cost_t *contexts_allocated(struct contexts *contexts, const struct profile *profile);

/*
 * Makes the inclusive costs of functions and arcs the sums of the self costs in linked contexts, which are by arcs.
 * Contexts below others of the same function or arc do not count. What has no record keeps its costs.
 */
void contexts_add_self_costs(struct contexts *contexts, struct profile *profile);

/*
 * Appends those of another profile, which has been merged: its function i is renumbered[i] here. If these are to be
 * invocations, all have call costs; they know the lines of their calls if they knew the arcs. The caller must link the
 * contexts when all have been appended, because that takes as many steps as there are contexts.
 */
void contexts_append(struct contexts *contexts, const struct profile *profile, const struct contexts *other,
                     const struct profile *of_other, const uint32_t *renumbered);

/* Number `i` in the order in which invocations returned. Prefetching saves 8 % of the time of version 4. */
static inline struct context *contexts_ordered(const struct contexts *contexts, size_t i)
{
    if (contexts->order == NULL)
        return &contexts->items[i];
    __builtin_prefetch(&contexts->items[contexts->order[i + 16 < contexts->count ? i + 16 : i]]);
    return &contexts->items[contexts->order[i]];
}

/* Calls have been added to `single`, if it is not NULL, those of so many runs: takes their callers. */
void contexts_end_calls(struct contexts *contexts, const struct profile *profile, uint32_t runs);

/* The line of the calls that made a context; 0: it is not known. */
static inline uint32_t contexts_call_line(const struct contexts *contexts, const struct profile *profile,
                                          const struct context *context)
{
    if (contexts->call_is != CALL_IS_ARC)
        return context->call;
    return context->call != NONE ? profile->arcs[context->call].line : 0;
}

static inline cost_t contexts_call_cost(const struct contexts *contexts, const struct context *context)
{
    return contexts->has_call_costs ? context->call_cost : context->inclusive;
}

/*
 * Divides the cost of each function, with its callees, among its callers in proportion to what their calls cost, from
 * the roots down. Exact where each function has one caller. A function occurs once on a path; what recursion adds stays
 * in it. What contexts of a function cost by themselves adds up to its self cost, to the unit, if that is positive:
 * what is due to a context is rounded down or up. So a function has at least one, however small its costs are.
 *
 * Fills empty contexts, with at most ESTIMATE_MOST of the largest costs; if there are more, what is below these becomes
 * one more context of each, whose function is NONE. The contexts are linked, and have self costs only. Takes O(n log n)
 * for n functions, arcs and contexts.
 */
enum { ESTIMATE_MOST = 100000 };
void contexts_estimate(struct contexts *contexts, const struct profile *profile);

/* Frees linked contexts after it has copied them, in an order in which parents come first. */
struct cg2wg_context *contexts_move_ordered(struct contexts *contexts);

#endif
