/*
 * Hashes for tables whose keys come from inputs. They depend on a secret seed, so that nobody can prepare an input
 * whose keys collide; no output may depend on them.
 */
#ifndef CG2WG_UTIL_HASH_H
#define CG2WG_UTIL_HASH_H

#include "util/text.h"

struct hash_seed {
    uint64_t a, b;
};

/* A seed from the system, or otherwise from data that differ between processes. */
struct hash_seed hash_seed_draw(void);

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

/* The hash of a key of two numbers. */
static inline uint32_t hash_numbers(const struct hash_seed *seed, uint64_t x, uint64_t y)
{
    uint64_t hash = hash_fold(x ^ seed->a, y ^ seed->b);
    return (uint32_t)(hash >> 32 ^ hash);
}

uint32_t hash_text(const struct hash_seed *seed, struct text t);

#endif
