/* Numbers by ids that an input has chosen. Memory goes with how many there are, whatever they are. */
#ifndef CG2WG_UTIL_IDS_H
#define CG2WG_UTIL_IDS_H

#include "util/index.h"

#define IDS_NONE UINT32_MAX

struct ids {
    struct id_number *entries; /* one for each id */
    size_t count, capacity;
    struct index index;
};

/* No ids, with the seed of `other` (NULL: one of its own). Returns false when memory runs out. */
bool ids_init(struct ids *ids, const struct index *other);
void ids_free(struct ids *ids);

/* The number that the id was given last, or IDS_NONE. */
uint32_t ids_find(const struct ids *ids, uint64_t id);

/* Gives the id a number, in place of one that it may have. Returns false when memory runs out. */
bool ids_set(struct ids *ids, uint64_t id, uint32_t number);

#endif
