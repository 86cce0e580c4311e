#include "util/ids.h"

#include "util/array.h"

#include <stdlib.h>

bool ids_init(struct ids *ids, const struct index *other)
{
    *ids = (struct ids){0};
    return index_init(&ids->index, other);
}

void ids_free(struct ids *ids)
{
    free(ids->entries);
    index_free(&ids->index);
    *ids = (struct ids){0};
}

/* The entry of an id, or INDEX_NONE. */
static uint32_t find(const struct ids *ids, uint64_t id, uint32_t hash)
{
    uint32_t slot, entry = index_first(&ids->index, hash, &slot);
    while (entry != INDEX_NONE && ids->entries[entry].id != id)
        entry = index_next(&ids->index, hash, &slot);
    return entry;
}

uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    uint32_t entry = find(ids, id, hash_numbers(&ids->index.seed, id, 0));
    return entry != INDEX_NONE ? ids->entries[entry].number : IDS_NONE;
}

bool ids_set(struct ids *ids, uint64_t id, uint32_t number)
{
    uint32_t hash = hash_numbers(&ids->index.seed, id, 0), entry = find(ids, id, hash);
    if (entry != INDEX_NONE) {
        ids->entries[entry].number = number;
        return true;
    }
    struct id_number added = {id, number};
    if (!index_make_room(&ids->index) ||
        !array_append(&ids->entries, &ids->count, &ids->capacity, &added, sizeof added))
        return false;
    index_add(&ids->index, hash);
    return true;
}
