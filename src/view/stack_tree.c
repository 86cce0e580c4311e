#include "view/stack_tree.h"

#include "util/run.h"

#include <stddef.h>

/* The number of the name's node below `parent`, which may be NONE. */
static uint32_t find_node(struct stack_tree *tree, uint32_t parent, uint32_t name)
{
    struct stack_node node = {.parent = parent,
                              .name = name,
                              .depth = parent == NONE ? 0 : tree->nodes[parent].depth + 1,
                              .first_child = NONE,
                              .next_sibling = NONE};
    uint32_t number = index_intern(&tree->index, hash_numbers(&tree->index.seed, parent, name), &tree->nodes,
                                   &tree->capacity, &node, sizeof node, offsetof(struct stack_node, depth));
    tree->count = tree->index.used;
    return number;
}

static void add_contexts(struct stack_tree *tree, struct contexts *contexts, const uint32_t *names, bool is_base)
{
    size_t count = contexts->count;
    struct cg2wg_context *ordered = contexts_take_ordered(contexts);
    uint32_t *node_of = memory_zeroed(count + 1, sizeof *node_of);
    for (size_t i = 0; i < count; i++) {
        const struct cg2wg_context *c = &ordered[i];
        uint32_t parent = c->parent == CG2WG_NO_CONTEXT ? NONE : node_of[c->parent];
        bool is_too_deep = parent != NONE && tree->nodes[parent].depth + 1 >= STACKS_DEPTH;
        tree->is_too_deep |= is_too_deep;
        /* Below the deepest ones, one node is for everything that is deeper. */
        if (is_too_deep)
            parent = tree->nodes[parent].depth + 1 == STACKS_DEPTH ? find_node(tree, parent, tree->deeper)
                                                                   : tree->nodes[parent].parent;
        node_of[i] = find_node(tree, parent, names != NULL ? names[c->function] : c->function);
        struct stack_node *node = &tree->nodes[node_of[i]];
        cost_add(is_base ? &node->base_self : &node->self, c->self);
    }
    memory_free(node_of);
    memory_free(ordered);
}

void stack_tree_init(struct stack_tree *tree, struct contexts *contexts, const uint32_t *names,
                     struct contexts *base_contexts, const uint32_t *base_names, uint32_t deeper)
{
    *tree = (struct stack_tree){.deeper = deeper};
    index_init(&tree->index, NULL);
    add_contexts(tree, contexts, names, false);
    if (base_contexts != NULL)
        add_contexts(tree, base_contexts, base_names, true);
    index_free(&tree->index);
}
