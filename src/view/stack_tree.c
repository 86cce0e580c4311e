#include "view/stack_tree.h"

#include "read/compare.h"

#include "util/run.h"

#include <stddef.h>
#include <stdlib.h>

void stack_cost_add(int64_t *sum, int64_t cost)
{
    if (__builtin_add_overflow(*sum, cost, sum))
        *sum = cost < 0 ? INT64_MIN : INT64_MAX;
}

/* Sets *number to that of the name's node below `parent`, which may be NONE. */
static bool find_node(struct stack_tree *tree, uint32_t parent, uint32_t name, uint32_t *number)
{
    struct stack_node node = {.parent = parent,
                              .name = name,
                              .depth = parent == NONE ? 0 : tree->nodes[parent].depth + 1,
                              .first_child = NONE,
                              .next_sibling = NONE};
    bool done = (*number = index_intern(&tree->index, hash_numbers(&tree->index.seed, parent, name), &tree->nodes,
                             &tree->capacity, &node, sizeof node, offsetof(struct stack_node, depth)), true);
    tree->count = tree->index.used;
    return done;
}

/*
 * The node that contexts called from `caller` go below: of the deepest ones, one for everything that is
 * deeper.
 */
static bool find_parent(struct stack_tree *tree, uint32_t caller, uint32_t *parent)
{
    *parent = caller;
    if (caller == NONE || tree->nodes[caller].depth + 1 < STACKS_DEPTH)
        return true;
    tree->is_too_deep = true;
    if (tree->nodes[caller].depth + 1 == STACKS_DEPTH)
        return find_node(tree, caller, tree->deeper, parent);
    *parent = tree->nodes[caller].parent;
    return true;
}

bool stack_tree_init(struct stack_tree *tree, const struct cg2wg_stacks *stacks, const uint32_t *names,
                     uint32_t deeper)
{
    *tree = (struct stack_tree){.deeper = deeper,
                                .factor = event_factor(text_of(stacks->event.at, stacks->event.length))};
    uint32_t *node_of = memory_zeroed(stacks->context_count + 1, sizeof *node_of);
    bool done = node_of != NULL && (index_init(&tree->index, NULL), true);
    for (size_t i = 0; done && i < stacks->context_count; i++) {
        const struct cg2wg_context *c = &stacks->contexts[i];
        uint32_t parent = NONE, name = names != NULL ? names[c->function] : c->function;
        done = (c->parent == CG2WG_NO_CONTEXT || find_parent(tree, node_of[c->parent], &parent)) &&
               find_node(tree, parent, name, &node_of[i]);
        if (done)
            stack_cost_add(&tree->nodes[node_of[i]].self, c->self);
    }
    memory_free(node_of);
    return done;
}

void stack_tree_free(struct stack_tree *tree)
{
    memory_free(tree->nodes);
    if (tree->index.slots != NULL)
        index_free(&tree->index);
    *tree = (struct stack_tree){.nodes = NULL};
}
