#include "view/stack_tree.h"

#include "util/run.h"

#include <stddef.h>

/* The number of the name's node below `parent`, which is NONE for the first one. */
static uint32_t find_node(struct stack_tree *tree, uint32_t parent, uint32_t name)
{
    uint32_t depth = parent == NONE ? 0 : tree->nodes[parent].depth + 1;
    struct stack_node node = {.parent = parent, .name = name, .depth = depth,
                              .first_child = NONE, .next_sibling = NONE, .place = NONE};
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
        uint32_t parent = c->parent == CG2WG_NO_CONTEXT ? 0 : node_of[c->parent];
        bool is_too_deep = tree->nodes[parent].depth >= STACKS_DEPTH;
        tree->is_too_deep |= is_too_deep;
        /* Below the deepest ones, one node is for everything that is deeper. */
        if (is_too_deep)
            parent = tree->nodes[parent].depth == STACKS_DEPTH ? find_node(tree, parent, tree->nodes[0].name)
                                                               : tree->nodes[parent].parent;
        node_of[i] = find_node(tree, parent, names != NULL ? names[c->function] : c->function);
        cost_add(&tree->nodes[node_of[i]].self[is_base], c->self);
    }
    memory_free(node_of);
    memory_free(ordered);
}

void stack_tree_init(struct stack_tree *tree, struct contexts *contexts, const uint32_t *names,
                     struct contexts *base_contexts, const uint32_t *base_names, uint32_t deeper)
{
    *tree = (struct stack_tree){.count = 0};
    index_init(&tree->index, NULL);
    find_node(tree, NONE, deeper);
    add_contexts(tree, contexts, names, false);
    if (base_contexts != NULL)
        add_contexts(tree, base_contexts, base_names, true);
    index_free(&tree->index);
}
