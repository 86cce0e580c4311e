#include "util/index.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

static uint32_t *empty_slots(uint32_t count)
{
    uint64_t size = (uint64_t)count * sizeof(uint32_t);
    uint32_t *slots = size <= PTRDIFF_MAX ? malloc((size_t)size) : NULL;
    if (slots != NULL)
        memset(slots, 0xff, (size_t)size);
    return slots;
}

bool index_init(struct index *ix)
{
    ix->slots = empty_slots(FIRST_SLOTS);
    ix->mask = FIRST_SLOTS - 1;
    ix->used = 0;
    return ix->slots != NULL;
}

void index_free(struct index *ix)
{
    free(ix->slots);
    ix->slots = NULL;
}

void index_add(struct index *ix, uint32_t hash, uint32_t number)
{
    uint32_t slot = index_start(ix, hash);
    while (ix->slots[slot] != INDEX_NONE)
        slot = index_next(ix, slot);
    ix->slots[slot] = number;
    ix->used++;
}

bool index_make_room(struct index *ix, uint32_t (*hash_of)(const void *owner, uint32_t number),
                     const void *owner)
{
    if (ix->used < ix->mask - ix->mask / 3)
        return true;

    struct index grown = {.used = 0};
    if (ix->mask >= UINT32_MAX / 2) {
        /* 2^31 slots already: fill them up to the last but one. */
        return ix->used < ix->mask - 1;
    }
    grown.mask = ix->mask * 2 + 1;
    grown.slots = empty_slots(grown.mask + 1);
    if (grown.slots == NULL)
        return false;
    for (uint32_t slot = 0; slot <= ix->mask; slot++)
        if (ix->slots[slot] != INDEX_NONE)
            index_add(&grown, hash_of(owner, ix->slots[slot]), ix->slots[slot]);
    free(ix->slots);
    *ix = grown;
    return true;
}
