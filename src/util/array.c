/* SPDX-License-Identifier: MIT */
#include "util/array.h"

/* The first capacity of an array. Tests redefine it, so that more additions need memory. */
#ifndef ARRAY_FIRST_CAPACITY
#define ARRAY_FIRST_CAPACITY 16
#endif

void array_grow(void *array, size_t *capacity, size_t need, size_t size, int byte)
{
    size_t limit = SIZE_MAX / 2 / size, wanted = *capacity + *capacity / 2;
    if (need > limit)
        task_out_of_memory();
    wanted = MAX(MIN(MAX(wanted, ARRAY_FIRST_CAPACITY), limit), need);

    /* The array's own pointer type is unknown here; its bytes are copied, never read as char *. */
    char *bytes;
    memcpy(&bytes, array, sizeof bytes);
    bytes = memory_resize(bytes, wanted * size);
    memcpy(array, &bytes, sizeof bytes);
    if (byte != ANY_BYTE)
        memset(bytes + *capacity * size, byte, (wanted - *capacity) * size);
    *capacity = wanted;
}

/* A counting sort. Sizes are counted two later: start[k + 1] is first the start of bucket k, and at last its end. */
struct buckets array_buckets(const void *array, size_t count, size_t size, size_t offset, size_t keys)
{
    struct buckets buckets = {memory_zeroed(count + 1, sizeof *buckets.numbers),
                              memory_zeroed(keys + 2, sizeof *buckets.start)};
    const char *elements = array;
    uint32_t key;
    for (size_t i = 0; i < count; i++) {
        memcpy(&key, elements + i * size + offset, sizeof key);
        buckets.start[key + 2]++;
    }
    for (size_t k = 0; k <= keys; k++)
        buckets.start[k + 1] += buckets.start[k];
    for (size_t i = 0; i < count; i++) {
        memcpy(&key, elements + i * size + offset, sizeof key);
        buckets.numbers[buckets.start[key + 1]++] = (uint32_t)i;
    }
    return buckets;
}
