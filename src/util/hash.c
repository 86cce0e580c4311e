#include "util/hash.h"

#include "util/little.h"
#include "os/system.h"

#include <time.h>
#include <unistd.h>

/* The time, the process, and the addresses of its stack and its code. */
static struct hash_seed make_up(void)
{
    struct timespec now = {0, 0}, used = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    uint64_t time = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
    uint64_t process = (uint64_t)getpid() << 32 ^ (uint64_t)used.tv_nsec;
    uint64_t a = hash_fold(time ^ UINT64_C(0x9e3779b97f4a7c15), (uintptr_t)&now);
    uint64_t b = hash_fold(process ^ UINT64_C(0xff51afd7ed558ccd), (uintptr_t)&hash_seed_draw);
    return (struct hash_seed){hash_fold(a ^ b, UINT64_C(0xc4ceb9fe1a85ec53)) ^ a,
                              hash_fold(a ^ ~b, UINT64_C(0x9e3779b97f4a7c15)) ^ b};
}

struct hash_seed hash_seed_draw(void)
{
    struct hash_seed seed;
    return system_random(&seed, sizeof seed) ? seed : make_up();
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
