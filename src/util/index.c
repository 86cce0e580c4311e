/* SPDX-License-Identifier: MIT */
#include "util/index.h"

#include "os/system.h"

#include <time.h>

/* The first number of slots of an index, a power of two. Tests redefine it, so that indices grow more often. */
#ifndef INDEX_FIRST_SLOTS
#define INDEX_FIRST_SLOTS 64
#endif

/* Up to this many, three quarters remain empty, so that few lookups need a second slot. */
enum { ROOMY_SLOTS = 1 << 15 };

struct hash_seed hash_seed;

/* Without a source of random numbers: the time, and the addresses of the stack and the code. */
__attribute__((constructor)) void hash_seed_draw(void)
{
    if (system_random(&hash_seed, sizeof hash_seed))
        return;
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t time = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
    uint64_t a = hash_fold(time ^ UINT64_C(0x9e3779b97f4a7c15), (uintptr_t)&now ^ UINT64_C(0xff51afd7ed558ccd));
    uint64_t b = hash_fold(time ^ UINT64_C(0xc4ceb9fe1a85ec53), (uintptr_t)&hash_seed_draw ^ a);
    hash_seed = (struct hash_seed){a ^ b, b};
}

void index_free(struct index *ix)
{
    memory_free(ix->slots);
    memory_free(ix->hashes);
    *ix = (struct index){.slots = NULL};
}

struct index index_copy(const struct index *ix)
{
    struct index copy = *ix;
    if (ix->slots == NULL)
        return copy;
    copy.hash_capacity = ix->used;
    copy.slots = memory_copy(ix->slots, ((size_t)ix->mask + 1) * sizeof *ix->slots);
    copy.hashes = memory_copy(ix->hashes, ix->used * sizeof *ix->hashes);
    return copy;
}

void index_clear(struct index *ix)
{
    if (ix->used > ix->mask / 16) /* many: to set all slots in their order is faster */
        memset(ix->slots, 0xff, ((size_t)ix->mask + 1) * sizeof *ix->slots);
    else
        for (uint32_t i = 0; i < ix->used; i++) /* taken slots that follow each other, from each entry's first */
            for (uint32_t slot = ix->hashes[i] & ix->mask; ix->slots[slot] != NONE; slot = (slot + 1) & ix->mask)
                ix->slots[slot] = NONE;
    ix->used = 0;
}

void index_add(struct index *ix, uint32_t hash)
{
    uint32_t limit = ix->mask < ROOMY_SLOTS ? ix->mask / 4 : ix->mask - ix->mask / 4, from = ix->used;
    array_reserve(&ix->hashes, &ix->hash_capacity, (size_t)ix->used + 1, sizeof *ix->hashes);
    if (ix->used >= limit && ix->mask < UINT32_MAX / 2) {
        uint64_t slots = ix->slots == NULL ? INDEX_FIRST_SLOTS : ((uint64_t)ix->mask + 1) * 2;
        if (slots > PTRDIFF_MAX / sizeof *ix->slots)
            task_out_of_memory();
        /* All are filled again, from the hashes, so that there are never two sets of slots. */
        ix->slots = memory_resize(ix->slots, (size_t)slots * sizeof *ix->slots);
        memset(ix->slots, 0xff, (size_t)slots * sizeof *ix->slots);
        ix->mask = (uint32_t)(slots - 1);
        from = 0;
    } else if (ix->used >= limit && ix->used >= ix->mask - 1) { /* there are 2^31 slots: fill all but one */
        task_out_of_memory();
    }
    ix->hashes[ix->used++] = hash;
    for (uint32_t mask = ix->mask; from < ix->used; from++) {
        uint32_t slot = ix->hashes[from] & mask;
        while (ix->slots[slot] != NONE)
            slot = (slot + 1) & mask;
        ix->slots[slot] = (ix->hashes[from] & ~mask) | from;
    }
}

void index_append(struct index *ix, uint32_t hash, void *array, size_t *capacity, const void *entry, size_t size)
{
    size_t count = ix->used;
    array_append(array, &count, capacity, entry, size);
    index_add(ix, hash);
}

uint32_t ids_find(const struct ids *ids, uint64_t id)
{
    uint32_t hash = hash_key(&id, sizeof id);
    uint32_t entry = index_find(&ids->index, hash, ids->entries, &id, sizeof *ids->entries, sizeof id);
    return entry != NONE ? ids->entries[entry].number : NONE;
}

void ids_set(struct ids *ids, uint64_t id, uint32_t number)
{
    struct id_number added = {id, number};
    uint32_t entry = index_intern(&ids->index, &ids->entries, &ids->capacity, &added, sizeof added, sizeof id);
    ids->entries[entry].number = number;
}
