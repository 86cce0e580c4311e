/*
 * Address spaces: which object is mapped where, in each process and at any time. A new process begins with
 * the mappings of its parent, and both go on from there.
 *
 * A space is a search tree that is balanced by random priorities (a treap). Spaces share the parts that are
 * the same in both: who changes a node that another space may have, copies it first. So neither many
 * processes nor many mappings take more than some nodes for each record that tells of them.
 */
#ifndef CG2WG_READ_PERF_PERF_SPACES_H
#define CG2WG_READ_PERF_PERF_SPACES_H

#include "util/hash.h"

struct mapping {
    uint64_t start, end; /* addresses; the end is the first one outside */
    uint64_t shift;      /* from an address to the offset in the object, modulo 2^64 */
    uint32_t object;
    uint32_t left, right; /* nodes of lower and higher addresses, or NONE */
    uint32_t priority;    /* not below that of the nodes under it */
    uint32_t owner;       /* of the only space that may have it */
};

/* The mappings of all spaces. */
struct mappings {
    struct mapping *nodes;
    size_t count, capacity;
    uint32_t owners;
    struct hash_seed seed;
    bool failed; /* memory has run out: no space is of use any more */
};

struct space {
    uint32_t root, owner;
};

void mappings_init(struct mappings *mappings, const struct hash_seed *seed);
void mappings_free(struct mappings *mappings);

/* A space without mappings. */
struct space space_empty(struct mappings *mappings);

/* A space with the mappings of another. */
struct space space_copy(struct mappings *mappings, struct space *from);

/*
 * Maps [start, end) in place of what is there; start < end. Object NONE: nothing is mapped there.
 * Returns false when memory runs out.
 */
bool space_map(struct mappings *mappings, struct space *space, uint64_t start, uint64_t end,
               uint64_t shift, uint32_t object);

/* The mapping that holds the address, or NULL. It lives until the next change. */
const struct mapping *space_find(const struct mappings *mappings, const struct space *space,
                                 uint64_t address);

#endif
