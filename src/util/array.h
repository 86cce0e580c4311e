/* Arrays that grow by half, with every size checked for overflow. */
#ifndef CG2WG_UTIL_ARRAY_H
#define CG2WG_UTIL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Makes room for at least `need` elements of `size` bytes in the malloc'ed array `*array`, which
 * has room for `*capacity` (both start as NULL and 0). The array may move.
 * Returns false, with errno, and leaves the array as it was, when memory or the address space runs
 * out.
 * The caller owns the array and frees it.
 */
static inline bool array_reserve(void *array, size_t *capacity, size_t need, size_t size);

/* The same, for a caller that knows that there is too little room. */
bool array_grow(void *array, size_t *capacity, size_t need, size_t size);

/*
 * The same for an array in which all elements that there is room for are valid: what is new consists
 * of such bytes (0xff: numbers without a sign are the largest, UINT32_MAX).
 */
static inline bool array_reach(void *array, size_t *capacity, size_t need, size_t size, int byte);

/* The same, for a caller that knows that there is too little room. */
bool array_extend(void *array, size_t *capacity, size_t need, size_t size, int byte);

/* Appends a copy of `element`, of `size` bytes, to the `*count` that there are; see array_reserve. */
static inline bool array_append(void *array, size_t *count, size_t *capacity, const void *element,
                                size_t size);

static inline bool array_reserve(void *array, size_t *capacity, size_t need, size_t size)
{
#ifndef __clang_analyzer__ /* It does not know that an array with room is not NULL. */
    if (need <= *capacity)
        return true;
#endif
    return array_grow(array, capacity, need, size);
}

static inline bool array_reach(void *array, size_t *capacity, size_t need, size_t size, int byte)
{
#ifndef __clang_analyzer__
    if (need <= *capacity)
        return true;
#endif
    return array_extend(array, capacity, need, size, byte);
}

static inline bool array_append(void *array, size_t *count, size_t *capacity, const void *element,
                                size_t size)
{
    char *bytes;
    if (!array_reserve(array, capacity, *count + 1, size))
        return false;
    memcpy(&bytes, array, sizeof bytes); /* a pointer of another type: see array_grow */
    memcpy(bytes + (*count)++ * size, element, size);
    return true;
}

#endif
