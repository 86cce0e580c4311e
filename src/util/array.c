#include "util/array.h"

#include "os/system.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The first capacity of an array. Tests redefine it, so that more additions need memory. */
#ifndef ARRAY_FIRST_CAPACITY
#define ARRAY_FIRST_CAPACITY 16
#endif

bool array_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    size_t limit = SIZE_MAX / 2 / size;
    if (need > limit) {
        errno = ENOMEM;
        return false;
    }

    size_t wanted = *capacity + *capacity / 2;
    if (wanted < ARRAY_FIRST_CAPACITY)
        wanted = ARRAY_FIRST_CAPACITY;
    if (wanted > limit)
        wanted = limit;
    if (wanted < need)
        wanted = need;

    /* The array's own pointer type is unknown here; its bytes are copied, never read as void *. */
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, wanted * size);
    if (grown == NULL)
        return false;
    system_suggest_large_pages(grown, wanted * size);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true; /* cppcheck-suppress memleak ; it is in the caller's array */
}

bool array_extend(void *array, size_t *capacity, size_t need, size_t size, int byte)
{
    size_t before = *capacity;
    if (!array_reserve(array, capacity, need, size))
        return false;
    char *bytes;
    memcpy(&bytes, array, sizeof bytes);
    memset(bytes + before * size, byte, (*capacity - before) * size);
    return true;
}
