#include "util/index.h"

#include <errno.h>
#include <stdlib.h>

/*
 * The first number of slots of an index, a power of two. Tests redefine it, so that indices grow
 * more often.
 */
#ifndef INDEX_FIRST_SLOTS
#define INDEX_FIRST_SLOTS 64
#endif

/* Up to this many, three quarters remain empty, so that few lookups need a second slot. */
enum { ROOMY_SLOTS = 1 << 15 };

/* The maximum number of entries in the slots. */
static uint32_t limit(const struct index *ix)
{
    return ix->mask < ROOMY_SLOTS ? ix->mask / 4 : ix->mask - ix->mask / 4;
}

static uint32_t *resize(uint32_t *slots, uint64_t count)
{
    uint64_t size = count * sizeof *slots;
    errno = ENOMEM;
    return size <= PTRDIFF_MAX ? realloc(slots, (size_t)size) : NULL;
}

bool index_init(struct index *ix, const struct index *other)
{
    *ix = (struct index){.slots = resize(NULL, INDEX_FIRST_SLOTS), .mask = INDEX_FIRST_SLOTS - 1};
    if (ix->slots == NULL)
        return false;
    ix->seed = other != NULL ? other->seed : hash_seed_draw();
    index_truncate(ix, 0);
    return true;
}

void index_free(struct index *ix)
{
    free(ix->slots);
    free(ix->hashes);
    ix->slots = NULL;
    ix->hashes = NULL;
}

static void fill_slot(struct index *ix, uint32_t hash, uint32_t number)
{
    uint32_t slot = hash & ix->mask;
    while (ix->slots[slot] != INDEX_NONE)
        slot = (slot + 1) & ix->mask;
    ix->slots[slot] = (hash & ~ix->mask) | number;
}

void index_add(struct index *ix, uint32_t hash)
{
    ix->hashes[ix->used] = hash;
    fill_slot(ix, hash, ix->used++);
}

void index_truncate(struct index *ix, uint32_t count)
{
    memset(ix->slots, 0xff, ((size_t)ix->mask + 1) * sizeof *ix->slots);
    ix->used = count;
    for (uint32_t i = 0; i < count; i++)
        fill_slot(ix, ix->hashes[i], i);
}

/* Refills the slots in place, from the hashes, so that there are never two sets of slots. */
bool index_make_room(struct index *ix)
{
    if (!array_reserve(&ix->hashes, &ix->hash_capacity, (size_t)ix->used + 1, sizeof *ix->hashes))
        return false;
    if (ix->used < limit(ix))
        return true;
    /* There are already 2^31 slots: fill all but one. */
    if (ix->mask >= UINT32_MAX / 2) {
        errno = ENOMEM;
        return ix->used < ix->mask - 1;
    }

    uint32_t *slots = resize(ix->slots, ((uint64_t)ix->mask + 1) * 2);
    if (slots == NULL)
        return false;
    ix->slots = slots;
    ix->mask = ix->mask * 2 + 1;
    index_truncate(ix, ix->used);
    return true;
}

bool index_append(struct index *ix, uint32_t hash, void *array, size_t *capacity, const void *entry,
                  size_t size)
{
    size_t count = ix->used;
    if (!index_make_room(ix) || !array_append(array, &count, capacity, entry, size))
        return false;
    index_add(ix, hash);
    return true;
}
