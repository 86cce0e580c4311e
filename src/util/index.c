#include "util/index.h"
#include "util/run.h"

/* The first number of slots of an index, a power of two. Tests redefine it, so that indices grow more often. */
#ifndef INDEX_FIRST_SLOTS
#define INDEX_FIRST_SLOTS 64
#endif

/* Up to this many, three quarters remain empty, so that few lookups need a second slot. */
enum { ROOMY_SLOTS = 1 << 15 };

static uint32_t limit(const struct index *ix)
{
    return ix->mask < ROOMY_SLOTS ? ix->mask / 4 : ix->mask - ix->mask / 4;
}

static void fill_slot(struct index *ix, uint32_t hash, uint32_t number)
{
    uint32_t slot = hash & ix->mask;
    while (ix->slots[slot] != NONE)
        slot = (slot + 1) & ix->mask;
    ix->slots[slot] = (hash & ~ix->mask) | number;
}

/* Makes that many slots, and fills them from the hashes, so that there are never two sets of slots. */
static void refill(struct index *ix, uint64_t count)
{
    if (count > PTRDIFF_MAX / sizeof *ix->slots)
        run_out_of_memory();
    ix->slots = memory_resize(ix->slots, (size_t)count * sizeof *ix->slots);
    ix->mask = (uint32_t)(count - 1);
    memset(ix->slots, 0xff, (size_t)count * sizeof *ix->slots);
    for (uint32_t i = 0; i < ix->used; i++)
        fill_slot(ix, ix->hashes[i], i);
}

void index_init(struct index *ix, const struct index *other)
{
    *ix = (struct index){.seed = other != NULL ? other->seed : hash_seed_draw()};
    refill(ix, INDEX_FIRST_SLOTS);
}

void index_free(struct index *ix)
{
    memory_free(ix->slots);
    memory_free(ix->hashes);
    ix->slots = NULL;
    ix->hashes = NULL;
}

void index_append(struct index *ix, uint32_t hash, void *array, size_t *capacity, const void *entry, size_t size)
{
    size_t count = ix->used;
    array_reserve(&ix->hashes, &ix->hash_capacity, count + 1, sizeof *ix->hashes);
    if (ix->used >= limit(ix) && ix->mask < UINT32_MAX / 2)
        refill(ix, ((uint64_t)ix->mask + 1) * 2);
    else if (ix->used >= limit(ix) && ix->used >= ix->mask - 1) /* there are 2^31 slots: fill all but one */
        run_out_of_memory();
    array_append(array, &count, capacity, entry, size);
    ix->hashes[ix->used] = hash;
    fill_slot(ix, hash, ix->used++);
}

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
