#include "read/perf/perf_spaces.h"

#include "util/array.h"

#include <stdlib.h>

void mappings_init(struct mappings *m, const struct hash_seed *seed)
{
    *m = (struct mappings){.seed = *seed};
}

void mappings_free(struct mappings *m)
{
    memory_free(m->nodes);
}

struct space space_empty(struct mappings *m)
{
    return (struct space){NONE, m->owners++};
}

struct space space_copy(struct mappings *m, struct space *from)
{
    from->owner = m->owners++;
    return (struct space){from->root, m->owners++};
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* Appends a node, and returns its number. When memory runs out, that of any node will do. */
static uint32_t append(struct mappings *m, struct mapping node)
{
    if (m->count >= NONE ||
        !(array_reserve(&m->nodes, &m->capacity, m->count + 1, sizeof *m->nodes), true)) {
        m->failed = true;
        return NONE;
    }
    m->nodes[m->count] = node;
    return (uint32_t)m->count++;
}

/* The node itself if the space owns it, or else a copy that it owns. */
static uint32_t own(struct mappings *m, const struct space *space, uint32_t node)
{
    if (m->nodes[node].owner == space->owner)
        return node;
    struct mapping copy = m->nodes[node];
    copy.owner = space->owner;
    return append(m, copy);
}

/* ---- trees -------------------------------------------------------------------------------- */

/* Splits a tree: what starts below the address, and the rest. */
static void split(struct mappings *m, const struct space *space, uint32_t tree, uint64_t address,
                  uint32_t *lower, uint32_t *higher)
{
    *lower = *higher = NONE;
    if (tree == NONE || (tree = own(m, space, tree)) == NONE)
        return;
    uint32_t part;
    if (m->nodes[tree].start < address) {
        split(m, space, m->nodes[tree].right, address, &part, higher);
        m->nodes[tree].right = part;
        *lower = tree;
    } else {
        split(m, space, m->nodes[tree].left, address, lower, &part);
        m->nodes[tree].left = part;
        *higher = tree;
    }
}

/* Joins two trees, of which the first is below the second. */
static uint32_t join(struct mappings *m, const struct space *space, uint32_t lower, uint32_t higher)
{
    if (lower == NONE || higher == NONE)
        return lower == NONE ? higher : lower;
    bool lower_is_root = m->nodes[lower].priority >= m->nodes[higher].priority;
    uint32_t root = own(m, space, lower_is_root ? lower : higher);
    if (root == NONE)
        return root;
    if (lower_is_root) {
        uint32_t joined = join(m, space, m->nodes[root].right, higher);
        m->nodes[root].right = joined;
    } else {
        uint32_t joined = join(m, space, lower, m->nodes[root].left);
        m->nodes[root].left = joined;
    }
    return root;
}

static uint32_t new_node(struct mappings *m, const struct space *space, struct mapping mapping)
{
    mapping.left = mapping.right = NONE;
    mapping.owner = space->owner;
    mapping.priority = hash_numbers(&m->seed, m->count, mapping.start);
    return append(m, mapping);
}

/* Ends the last mapping of a tree that is not empty at `end`. Returns the tree. */
static uint32_t end_last(struct mappings *m, const struct space *space, uint32_t tree, uint64_t end)
{
    uint32_t node = own(m, space, tree);
    if (node == NONE)
        return node;
    if (m->nodes[node].right == NONE) {
        m->nodes[node].end = end;
    } else {
        uint32_t right = end_last(m, space, m->nodes[node].right, end);
        m->nodes[node].right = right;
    }
    return node;
}

/*
 * Ends the last mapping of a tree at `start` if it reaches further. What it has from `end` on is another
 * mapping then, which is joined to *after.
 */
static void cut_last(struct mappings *m, const struct space *space, uint32_t *tree, uint64_t start,
                     uint64_t end, uint32_t *after)
{
    uint32_t last = *tree;
    while (last != NONE && m->nodes[last].right != NONE)
        last = m->nodes[last].right;
    if (last == NONE || m->nodes[last].end <= start)
        return;
    if (m->nodes[last].end > end) {
        struct mapping tail = m->nodes[last];
        tail.start = end;
        *after = join(m, space, new_node(m, space, tail), *after);
    }
    *tree = end_last(m, space, *tree, start);
}

bool space_map(struct mappings *m, struct space *space, uint64_t start, uint64_t end, uint64_t shift,
               uint32_t object)
{
    uint32_t before, replaced, after;
    split(m, space, space->root, start, &before, &after);
    split(m, space, after, end, &replaced, &after);
    cut_last(m, space, &replaced, end, end, &after);
    cut_last(m, space, &before, start, end, &after);
    if (object != NONE) {
        struct mapping mapping = {.start = start, .end = end, .shift = shift, .object = object};
        before = join(m, space, before, new_node(m, space, mapping));
    }
    space->root = join(m, space, before, after);
    return !m->failed;
}

const struct mapping *space_find(const struct mappings *m, const struct space *space,
                                 uint64_t address)
{
    for (uint32_t i = space->root; i != NONE;) {
        const struct mapping *node = &m->nodes[i];
        if (address < node->start)
            i = node->left;
        else if (address >= node->end && node->right != NONE)
            i = node->right;
        else
            return address < node->end ? node : NULL;
    }
    return NULL;
}
