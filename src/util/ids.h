/*
 * Numbers by ids that an input has chosen. Whatever they are, finding one takes no more than 64 steps,
 * and memory goes with how many there are: no choice of ids makes it slow, as it could a hash index.
 */
#ifndef CG2WG_UTIL_IDS_H
#define CG2WG_UTIL_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDS_NONE UINT32_MAX

struct ids {
    struct ids_leaf *leaves; /* one for each id */
    size_t leaf_count, leaf_capacity;
    struct ids_fork *forks; /* one less; the root is the first */
    size_t fork_count, fork_capacity;
};

/* Empty ids are all zero. */
void ids_free(struct ids *ids);

/* The number that the id was given last, or IDS_NONE. */
uint32_t ids_find(const struct ids *ids, uint64_t id);

/* Gives the id a number, in place of one that it may have. Returns false when memory runs out. */
bool ids_set(struct ids *ids, uint64_t id, uint32_t number);

#endif
