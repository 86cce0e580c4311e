/* SPDX-License-Identifier: MIT */
#include "util/names.h"

/* The size of the first chunks in bytes. Tests redefine it, so that nearly each name needs one. */
#ifndef NAMES_CHUNK
#define NAMES_CHUNK (64 * 1024)
#endif

void names_init(struct names *names)
{
    *names = (struct names){0};
    names_intern(names, text_of("", 0));
}

struct names names_copy(const struct names *names)
{
    return (struct names){.texts = memory_copy(names->texts, names->count * sizeof *names->texts),
                          .count = names->count,
                          .capacity = names->count,
                          .index = index_copy(&names->index),
                          .has_mangled = names->has_mangled};
}

/*
 * Copies a text to where it never moves. A name of a chunk's size or more gets a chunk of its own. After many, a chunk
 * is as large as all before it, so that it gets large pages: 5 % of the time for a profile with 40 MB of names.
 */
static struct text copy_text(struct names *names, struct text text)
{
    enum { MANY_CHUNKS = 64 };
    size_t length = text_length(text);
    if (length == 0)
        return text_of("", 0);
    if (length >= (size_t)(names->chunk_end - names->chunk)) {
        bool are_many = names->chunk_bytes >= MANY_CHUNKS * NAMES_CHUNK;
        size_t usual = are_many ? names->chunk_bytes : NAMES_CHUNK, size = length < usual ? usual : length + 1;
        char *chunk = memory_get(size);
        names->chunk_bytes += size;
        chunk[length] = '\0';
        if (length >= usual)
            return text_of(memcpy(chunk, text.at, length), length);
        names->chunk = chunk;
        names->chunk_end = chunk + size;
    }
    char *copy = memcpy(names->chunk, text.at, length);
    copy[length] = '\0';
    names->chunk += length + 1;
    return text_of(copy, length);
}

uint32_t names_intern(struct names *names, struct text text)
{
    uint32_t hash = hash_text(text);
    uint32_t found, slot = hash;
    while ((found = index_next(&names->index, hash, &slot)) != NONE)
        if (text_same(names_text(names, found), text))
            return found;
    struct text copy = copy_text(names, text);
    names->has_mangled |= text_starts(text, "_Z") || text_starts(text, "_R");
    index_append(&names->index, hash, &names->texts, &names->capacity, &copy, sizeof copy);
    return (uint32_t)names->count++;
}

uint32_t names_intern_parts(struct names *names, const struct text *parts, size_t count)
{
    struct buffer joined = {0};
    for (size_t i = 0; i < count; i++)
        buffer_add(&joined, parts[i]);
    uint32_t number = names_intern(names, buffer_text(&joined));
    memory_free(joined.bytes);
    return number;
}
