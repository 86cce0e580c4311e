/* A text that grows. It owns its bytes; all zero is an empty one. */
#ifndef CG2WG_UTIL_BUFFER_H
#define CG2WG_UTIL_BUFFER_H

#include "util/array.h"
#include "util/text.h"

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

#endif
