/* SPDX-License-Identifier: MIT */
/* Arrays and texts that grow by half, with every size checked for overflow. */
#ifndef CG2WG_UTIL_ARRAY_H
#define CG2WG_UTIL_ARRAY_H

#include "util/task.h"
#include "util/text.h"

/* In place of the number of an element: there is none. */
#define NONE UINT32_MAX

/* When there is too little room for array_reach. */
void array_grow(void *array, size_t *capacity, size_t need, size_t size, int byte);

/*
 * Makes room for at least `need` elements of `size` bytes in the array `*array`, which has room for `*capacity` (both
 * start as NULL and 0) and is memory of the task: see util/task.h. The array may move. New elements are filled with
 * `byte` (0xff makes each uint32_t NONE). array_reserve leaves them unset.
 */
static inline void array_reach(void *array, size_t *capacity, size_t need, size_t size, int byte)
{
#ifndef __clang_analyzer__ /* It does not know that an array with room is not NULL. */
    if (need > *capacity)
#endif
        array_grow(array, capacity, need, size, byte);
}

enum { ANY_BYTE = -1 };
#define array_reserve(array, capacity, need, size) array_reach(array, capacity, need, size, ANY_BYTE)

/* Appends a copy of `element`, of `size` bytes, to the `*count` that there are; see array_reserve. */
static inline void array_append(void *array, size_t *count, size_t *capacity, const void *element, size_t size)
{
    char *bytes;
    array_reserve(array, capacity, *count + 1, size);
    memcpy(&bytes, array, sizeof bytes); /* a pointer of another type: see array_grow */
    memcpy(bytes + (*count)++ * size, element, size);
}

/* Numbers of elements by their key: those of key k are numbers[start[k]] to numbers[start[k + 1] - 1]. */
struct buckets {
    uint32_t *numbers, *start; /* memory of the task */
};

/* Sorts the elements, of `size` bytes, with a key at `offset`, a uint32_t below `keys`, into buckets, each in order. */
struct buckets array_buckets(const void *array, size_t count, size_t size, size_t offset, size_t keys);

/* A text that grows. It owns its bytes; all zero is an empty one. */
struct buffer {
    char *bytes;
    size_t length, capacity;
};

/* The text, which is valid until the next byte is added. */
static inline struct text buffer_text(const struct buffer *buffer)
{
    return text_of(buffer->bytes != NULL ? buffer->bytes : "", buffer->length);
}

/* Appends a text that is not in the buffer. */
static inline void buffer_add(struct buffer *buffer, struct text text)
{
    size_t length = text_length(text);
    array_reserve(&buffer->bytes, &buffer->capacity, buffer->length + length + 1, 1);
    if (length > 0)
        memcpy(buffer->bytes + buffer->length, text.at, length);
    buffer->length += length;
}

static inline void buffer_add_string(struct buffer *buffer, const char *string)
{
    buffer_add(buffer, text_of_string(string));
}

static inline void buffer_add_count(struct buffer *buffer, uint64_t number)
{
    array_reserve(&buffer->bytes, &buffer->capacity, buffer->length + TEXT_DIGITS, 1);
    buffer->length = (size_t)(text_put_count(buffer->bytes + buffer->length, number) - buffer->bytes);
}

/* Appends numbers, each after a blank. */
static inline void buffer_add_numbers(struct buffer *buffer, const int64_t *numbers, size_t count)
{
    array_reserve(&buffer->bytes, &buffer->capacity, buffer->length + count * (TEXT_DIGITS + 2), 1);
    char *end = buffer->bytes + buffer->length;
    for (size_t i = 0; i < count; i++) {
        *end++ = ' ';
        end = text_put_number(end, numbers[i]);
    }
    buffer->length = (size_t)(end - buffer->bytes);
}

#endif
