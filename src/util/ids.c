#include "util/ids.h"

#include "util/array.h"

#include <stdlib.h>

/*
 * A binary tree over the bits of the ids in which there is a fork only where two ids part. From the
 * root down, forks are at lower and lower bits.
 */
struct ids_leaf {
    uint64_t id;
    uint32_t number;
};

struct ids_fork {
    uint32_t ends[2]; /* by the bit: a fork, or IS_LEAF and a leaf */
    uint32_t bit;
};

#define IS_LEAF 0x80000000u

enum { ROOT = 0 };

void ids_free(struct ids *ids)
{
    free(ids->leaves);
    free(ids->forks);
    *ids = (struct ids){0};
}

static unsigned bit_of(uint64_t id, uint32_t bit)
{
    return (unsigned)(id >> bit & 1);
}

/* The leaf that an id would be, if it is one. There must be one. */
static struct ids_leaf *leaf_for(const struct ids *ids, uint64_t id)
{
    uint32_t end = ids->fork_count > 0 ? ROOT : IS_LEAF;
    while ((end & IS_LEAF) == 0)
        end = ids->forks[end].ends[bit_of(id, ids->forks[end].bit)];
    return &ids->leaves[end & ~IS_LEAF];
}

uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    if (ids->leaf_count == 0)
        return IDS_NONE;
    const struct ids_leaf *leaf = leaf_for(ids, id);
    return leaf->id == id ? leaf->number : IDS_NONE;
}

static uint32_t highest_bit(uint64_t bits)
{
    uint32_t bit = 0;
    for (; bits > 1; bits >>= 1)
        bit++;
    return bit;
}

/* Puts a fork above the first one that is at a lower bit, or above the leaf. */
static void add_fork(struct ids *ids, uint64_t id, uint32_t bit, uint32_t leaf)
{
    uint32_t added = (uint32_t)ids->fork_count++, above = IDS_NONE;
    uint32_t end = added > 0 ? ROOT : IS_LEAF;
    while ((end & IS_LEAF) == 0 && ids->forks[end].bit > bit) {
        above = end;
        end = ids->forks[end].ends[bit_of(id, ids->forks[end].bit)];
    }
    unsigned side = bit_of(id, bit);
    struct ids_fork fork = {.bit = bit};
    fork.ends[side] = leaf | IS_LEAF;
    fork.ends[!side] = end;
    if (above != IDS_NONE) {
        ids->forks[above].ends[bit_of(id, ids->forks[above].bit)] = added;
    } else if (added > 0) {
        /* The root stays the first: what was there moves. */
        ids->forks[added] = ids->forks[ROOT];
        fork.ends[!side] = added;
        added = ROOT;
    }
    ids->forks[added] = fork;
}

bool ids_set(struct ids *ids, uint64_t id, uint32_t number)
{
    uint64_t differs = 0;
    if (ids->leaf_count > 0) {
        struct ids_leaf *leaf = leaf_for(ids, id);
        differs = leaf->id ^ id;
        if (differs == 0) {
            leaf->number = number;
            return true;
        }
    }
    if (ids->leaf_count >= IS_LEAF ||
        !array_reserve(&ids->leaves, &ids->leaf_capacity, ids->leaf_count + 1,
                       sizeof *ids->leaves) ||
        !array_reserve(&ids->forks, &ids->fork_capacity, ids->fork_count + 1, sizeof *ids->forks))
        return false;
    uint32_t leaf = (uint32_t)ids->leaf_count++;
    ids->leaves[leaf] = (struct ids_leaf){id, number};
    if (leaf > 0)
        add_fork(ids, id, highest_bit(differs), leaf);
    return true;
}
