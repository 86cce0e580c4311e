/* A tree of distinct stacks, in which contexts with the same names on their paths are one node. */
#ifndef CG2WG_VIEW_STACK_TREE_H
#define CG2WG_VIEW_STACK_TREE_H

#include "cg2wg.h"
#include "model/contexts.h"
#include "util/index.h"

/* The most frames that belong to one stack: deeper ones are added up below one node. */
enum { STACKS_DEPTH = 1024 };

struct stack_node {
    uint32_t parent; /* which has a smaller number; that of the first node, which is above all: NONE */
    uint32_t name;   /* a number; see stack_tree_init */
    uint32_t depth;  /* the number of nodes above it */
    uint32_t first_child, next_sibling, place; /* for users who link them; NONE at first */
    int64_t self[2];  /* in contexts, and in base_contexts */
    int64_t total[2]; /* for users who add them up; 0 at first */
};

struct stack_tree {
    struct stack_node *nodes;
    size_t count, capacity;
    struct index index;
    bool is_too_deep; /* there are such nodes */
};

/*
 * Makes the tree of linked contexts, which it frees. `names` has a number for each function, and functions with
 * the same number are the same; all are below `deeper`, the name of the first node and of those for everything below
 * STACKS_DEPTH. NULL: they are the functions' own. base_contexts, if any, are those that the others are compared with.
 */
void stack_tree_init(struct stack_tree *tree, struct contexts *contexts, const uint32_t *names,
                     struct contexts *base_contexts, const uint32_t *base_names, uint32_t deeper);

#endif
