/* SPDX-License-Identifier: MIT */
/*
 * A hash index: finds the number of an entry, which its owner keeps in an array, by the entry's hash. Entries are
 * numbered from 0 in the order in which they are added. The index knows their hashes, but not the entries: the owner
 * compares keys during a search.
 *
 *     uint32_t number, slot = hash;
 *     while ((number = index_next(&ix, hash, &slot)) != NONE)
 *         if (key equals that of entry `number`)
 *             return number;
 *     index_append(&ix, hash, &array, &capacity, &entry, sizeof entry);
 *
 * Open addressing, power of two, at most three quarters full; nothing is removed.
 * An entry takes 5 to 11 bytes, and 4 to 6 for its hash. The numbers of 2^k slots take k bits; the other
 * bits hold the part of the hash that does not determine the slot, so that almost all comparisons find the key.
 */
#ifndef CG2WG_UTIL_INDEX_H
#define CG2WG_UTIL_INDEX_H

#include "util/array.h"
#include "util/hot.h"
#include "util/little.h"

/* A secret of the process, so that no input can be made whose keys collide. No output may depend on hashes. */
extern struct hash_seed {
    uint64_t a, b;
} hash_seed;

/* Draws the secret from the system, or otherwise from data that differ between processes. Runs before main. */
void hash_seed_draw(void);

/* The upper half of a product of 128 bits, folded onto the lower one. */
static inline uint64_t hash_fold(uint64_t x, uint64_t y)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 uint128;
    uint128 product = (uint128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t x_low = (uint32_t)x, x_high = x >> 32, y_low = (uint32_t)y, y_high = y >> 32;
    uint64_t low = x_low * y_low, one = x_high * y_low, other = x_low * y_high;
    uint64_t middle = (low >> 32) + (uint32_t)one + (uint32_t)other;
    uint64_t high = x_high * y_high + (one >> 32) + (other >> 32) + (middle >> 32);
    return (middle << 32 | (uint32_t)low) ^ high;
#endif
}

static inline uint32_t hash_numbers(uint64_t x, uint64_t y)
{
    uint64_t hash = hash_fold(x ^ hash_seed.a, y ^ hash_seed.b);
    return (uint32_t)(hash >> 32 ^ hash);
}

/* Sixteen bytes at a time. Two words, which may overlap, cover the rest: of a key of 8 to 16 bytes, all of it. */
HOT uint32_t hash_text(struct text t)
{
    size_t length = text_length(t);
    uint64_t hash = length, first = 0, last = 0;
    if (length > 16) {
        for (; t.end - t.at > 16; t.at += 16)
            hash = hash_fold(little8(t.at) ^ hash ^ hash_seed.a, little8(t.at + 8) ^ hash_seed.b);
        first = little8(t.end - 16);
        last = little8(t.end - 8);
    } else if (length >= 8) {
        first = little8(t.at);
        last = little8(t.end - 8);
    } else if (length >= 4) {
        first = little4(t.at);
        last = little4(t.end - 4);
    } else if (length > 0) {
        first = (uint64_t)(unsigned char)t.at[0] << 16 | (uint64_t)(unsigned char)t.at[length / 2] << 8 |
                (unsigned char)t.end[-1];
    }
    return hash_numbers(first ^ hash, last);
}

/* The hash of a key of numbers of 4 or 8 bytes. Read by fours: processors wait to read two numbers as one. */
HOT uint32_t hash_key(const void *key, size_t size)
{
    uint64_t hash = size;
    const char *at = key;
    for (size_t i = 0; i < size; i += 8)
        hash = hash_fold(little4(at + i) ^ hash ^ hash_seed.a, (i + 4 < size ? little4(at + i + 4) : 0) ^ hash_seed.b);
    return (uint32_t)(hash >> 32 ^ hash);
}

/* All zero: empty. */
struct index {
    uint32_t *slots; /* upper bits of a hash and number of its entry, or NONE */
    uint32_t mask;   /* number of slots - 1: the bits of a number, or of a slot */
    uint32_t used;
    uint32_t *hashes; /* of the entries */
    size_t hash_capacity;
};

/* Makes it empty. */
void index_free(struct index *ix);

/* The same, but it keeps its memory, which takes as long as its entries did to be added. */
void index_clear(struct index *ix);

struct index index_copy(const struct index *ix);

/* The entry that may have this hash, from `*slot` on, which is advanced; first, it is the hash. NONE: there is none. */
static inline uint32_t index_next(const struct index *ix, uint32_t hash, uint32_t *slot)
{
    while (ix->slots != NULL) {
        uint32_t found = ix->slots[(*slot)++ & ix->mask];
        if (found == NONE)
            return NONE;
        if (((found ^ hash) & ~ix->mask) == 0)
            return found & ix->mask;
    }
    return NONE;
}

/* Adds the next entry, which has this hash. */
void index_add(struct index *ix, uint32_t hash);

/* Appends an entry to the index, and to *array, which has as many. There can be 2^31 - 2: then, memory is used up. */
void index_append(struct index *ix, uint32_t hash, void *array, size_t *capacity, const void *entry, size_t size);

/* The rest is for entries that begin with their keys, of `key` bytes. */

/* The number of the entry with the key of `entry`, whose hash that is, or NONE. */
HOT uint32_t index_find(const struct index *ix, uint32_t hash, const void *entries, const void *entry, size_t size,
                        size_t key)
{
    uint32_t found, slot = hash;
    do
        found = index_next(ix, hash, &slot);
    while (found != NONE && memcmp((const char *)entries + found * size, entry, key) != 0);
    return found;
}

/* The number of the entry with this key, whose hash is hash_key; it is appended if there is none. */
HOT uint32_t index_intern(struct index *ix, void *array, size_t *capacity, const void *entry, size_t size, size_t key)
{
    const void *entries;
    memcpy(&entries, array, sizeof entries);
    uint32_t hash = hash_key(entry, key);
    uint32_t number = ix->slots != NULL ? index_find(ix, hash, entries, entry, size, key) : NONE;
    if (number != NONE)
        return number;
    index_append(ix, hash, array, capacity, entry, size);
    return ix->used - 1;
}

/* Distinct entries of a type, numbered from 0, which index.used counts. Zero-initialize it. */
#define SET(...) \
    struct { \
        struct index index; \
        __VA_ARGS__ *items; \
        size_t capacity; \
    }
#define SET_INTERN(set, entry, key) \
    index_intern(&(set)->index, &(set)->items, &(set)->capacity, &(entry), sizeof(entry), key)
#define SET_FIND(set, entry, key) \
    index_find(&(set)->index, hash_key(&(entry), key), (set)->items, &(entry), sizeof(entry), key)
#define SET_FREE(set) (index_free(&(set)->index), memory_free((set)->items))

/* A map from ids that an input chose to numbers. Its memory depends on their count, not values. All zero: empty. */
struct ids {
    struct id_number {
        uint64_t id;
        uint32_t number;
    } *entries; /* one for each id */
    size_t capacity;
    struct index index;
};

/* The last number given to the id, or NONE. */
uint32_t ids_find(const struct ids *ids, uint64_t id);

/* Gives the id a number, which replaces an earlier one. */
void ids_set(struct ids *ids, uint64_t id, uint32_t number);

#endif
