#include "util/ids.h"
#include "util/run.h"

#include <stdlib.h>

void ids_init(struct ids *ids, const struct index *other)
{
    *ids = (struct ids){0};
    index_init(&ids->index, other);
}

void ids_free(struct ids *ids)
{
    memory_free(ids->entries);
    index_free(&ids->index);
    *ids = (struct ids){0};
}

uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    uint32_t entry = index_find(&ids->index, hash_numbers(&ids->index.seed, id, 0), ids->entries, &id,
                                sizeof *ids->entries, sizeof id);
    return entry != NONE ? ids->entries[entry].number : NONE;
}

void ids_set(struct ids *ids, uint64_t id, uint32_t number)
{
    struct id_number added = {id, number};
    uint32_t hash = hash_numbers(&ids->index.seed, id, 0);
    uint32_t entry = index_intern(&ids->index, hash, &ids->entries, &ids->capacity, &added, sizeof added, sizeof id);
    ids->entries[entry].number = number;
}
