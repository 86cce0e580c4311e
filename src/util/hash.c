#include "util/hash.h"

#include "util/little.h"
#include "os/system.h"

#include <time.h>

/* Without a source of random numbers: the time, and the addresses of the stack and the code. */
struct hash_seed hash_seed_draw(void)
{
    struct hash_seed seed;
    if (system_random(&seed, sizeof seed))
        return seed;
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t time = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
    uint64_t a = hash_fold(time ^ UINT64_C(0x9e3779b97f4a7c15), (uintptr_t)&now ^ UINT64_C(0xff51afd7ed558ccd));
    uint64_t b = hash_fold(time ^ UINT64_C(0xc4ceb9fe1a85ec53), (uintptr_t)&hash_seed_draw ^ a);
    return (struct hash_seed){a ^ b, b};
}

/* Sixteen bytes at a time. Two words, which may overlap, cover the rest. */
uint32_t hash_text(const struct hash_seed *seed, struct text t)
{
    size_t length = text_length(t);
    uint64_t hash = length, first = 0, last = 0;
    if (length > 16) {
        for (; t.end - t.at > 16; t.at += 16)
            hash = hash_fold(little8(t.at) ^ hash ^ seed->a, little8(t.at + 8) ^ seed->b);
        first = little8(t.end - 16);
        last = little8(t.end - 8);
    } else if (length >= 8) {
        first = little8(t.at);
        last = little8(t.end - 8);
    } else if (length >= 4) {
        first = little4(t.at);
        last = little4(t.end - 4);
    } else if (length > 0) {
        first = (uint64_t)(unsigned char)t.at[0] << 16 |
                (uint64_t)(unsigned char)t.at[length / 2] << 8 | (unsigned char)t.end[-1];
    }
    return hash_numbers(seed, first ^ hash, last);
}
