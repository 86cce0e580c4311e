/*
 * A map from ids that an input chose to numbers. Its memory depends on how many ids there are, not
 * on their values.
 */
#ifndef CG2WG_UTIL_IDS_H
#define CG2WG_UTIL_IDS_H

#include "util/index.h"

struct ids {
    struct id_number {
        uint64_t id;
        uint32_t number;
    } *entries; /* one for each id */
    size_t capacity;
    struct index index;
};

/* Makes an empty map, with the seed of `other` (NULL: its own seed). */
void ids_init(struct ids *ids, const struct index *other);
void ids_free(struct ids *ids);

/* The last number given to the id, or NONE. */
uint32_t ids_find(const struct ids *ids, uint64_t id);

/* Gives the id a number, which replaces an earlier one. */
void ids_set(struct ids *ids, uint64_t id, uint32_t number);

#endif
