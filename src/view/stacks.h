/* SPDX-License-Identifier: MIT */
/* A tree of distinct stacks, in which contexts with the same names on their paths are one node. */
#ifndef CG2WG_VIEW_STACKS_H
#define CG2WG_VIEW_STACKS_H

#include "util/index.h"
#include "view/view.h"

/* The most frames that belong to one stack: deeper ones are added up below one node of this name. */
enum { STACKS_DEPTH = 1024 };
#define STACKS_DEEPER "[deeper]"

struct stack_node {
    uint32_t parent; /* which has a smaller number; that of the first node, which is above all: NONE */
    uint32_t name;   /* a number; see stack_tree_init */
    uint32_t depth;  /* the number of nodes above it */
    uint32_t first_child, next_sibling; /* see stack_tree_link; NONE at first */
    uint32_t number;                    /* for users who number them; NONE at first */
    int64_t self[SIDES];                /* in contexts, and in base_contexts */
    int64_t total[SIDES];               /* for users who add them up; 0 at first */
    int64_t width;                      /* for users who add up the larger self cost of both; 0 at first */
};

struct stack_tree {
    struct stack_node *nodes;
    size_t count, capacity;
    struct index index;
    bool is_too_deep; /* there are such nodes */
    bool is_cut;      /* as the contexts of an estimate: see there */
};

/*
 * Makes the tree of linked contexts, which it frees. `names` has a number for each function, and functions with
 * the same number are the same; all are below `deeper`, the name of the first node and of those for everything below
 * STACKS_DEPTH. NULL: they are the functions' own. base_contexts, if any, are those that the others are compared with.
 */
void stack_tree_init(struct stack_tree *tree, struct contexts *contexts, const uint32_t *names,
                     struct contexts *base_contexts, const uint32_t *base_names, uint32_t deeper);

/* Warns if costs are added up below STACKS_DEEPER. */
void stacks_warn(const struct stack_tree *tree, struct diag *diag);

/* Links a node before its siblings that have been linked. */
void stack_tree_link(struct stack_tree *tree, uint32_t number);

/* The linked node after this one, where parents come first, or NONE. */
uint32_t stack_tree_next(const struct stack_tree *tree, uint32_t number);

/* A tree whose names are known by their rank, their number among all distinct names in the order of their bytes. */
struct named_stacks {
    struct stack_tree tree;
    struct text *names; /* by rank, as print_stacks writes them; the last one is STACKS_DEEPER */
    uint32_t deeper;    /* its rank */
    double total;       /* that of a view of functions */
    struct left_out {   /* stacks with negative costs, and these costs */
        uint64_t count;
        cost_t cost;
    } left_out[SIDES];
    struct differences differences; /* if there is a base */
};

/*
 * The names of functions in stacks, in memory of the task: where callers are frames, names do not have the callers that
 * callgrind's --separate-callers has appended. The arcs that the stacks were estimated by say who they are. NULL: their
 * own names.
 */
struct text *stacks_names(const struct contents *shown);

/* Frees the contexts. Of two inputs, costs are as they are compared; only in a tree of rows, some are below 0. */
void named_stacks_init(struct named_stacks *stacks, const struct cg2wg_view *options, struct contents *shown,
                       struct contents *base);

/* Calls stacks_warn, and warns of negative stacks, `which` are left out for a reason. */
void named_stacks_warn(const struct named_stacks *stacks, struct contents *const inputs[SIDES], const char *which);

/* print_tree: indented, the largest first; print_picture: SVG; print_stacks: collapsed, see docs/formats.md. */

#endif
