/*
 * A hash index: finds the number of an entry that its owner keeps in an array, by the entry's hash.
 * Open addressing, power of two, at most two thirds full, no removal. It knows nothing of the
 * entries: the owner compares keys while it probes, and tells the hash of an entry when the index
 * grows.
 *
 *     uint32_t slot = index_start(&ix, hash);
 *     for (; (number = ix.slots[slot]) != INDEX_NONE; slot = index_next(&ix, slot))
 *         if (key equals that of entry `number`)
 *             return number;
 *     ... append the entry to the array, then index_add()
 */
#ifndef CG2WG_UTIL_INDEX_H
#define CG2WG_UTIL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index {
    uint32_t *slots; /* numbers of entries, or INDEX_NONE */
    uint32_t mask;   /* number of slots - 1 */
    uint32_t used;
};

/* Makes an empty index. Returns false when memory runs out. */
bool index_init(struct index *ix);
void index_free(struct index *ix);

static inline uint32_t index_start(const struct index *ix, uint32_t hash)
{
    return hash & ix->mask;
}

static inline uint32_t index_next(const struct index *ix, uint32_t slot)
{
    return (slot + 1) & ix->mask;
}

/*
 * Grows the index if one more entry would make it too full; `hash_of(owner, number)` tells the hash
 * of an entry. Call it before the entry is appended. Returns false, with the index as it was, when
 * memory runs out or there are 2^32 - 2 entries already.
 */
bool index_make_room(struct index *ix, uint32_t (*hash_of)(const void *owner, uint32_t number),
                     const void *owner);

/* Enters an entry that is not there yet. There must be room: see index_make_room. */
void index_add(struct index *ix, uint32_t hash, uint32_t number);

/* Spreads a 64-bit key over 32 bits. */
static inline uint32_t index_hash64(uint64_t key)
{
    key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(key >> 32);
}

#endif
