#include "util/names.h"

#include "util/array.h"
#include "os/system.h"

#include <stdlib.h>

/* The size of the first chunks in bytes. Tests redefine it, so that nearly each name needs one. */
#ifndef NAMES_CHUNK
#define NAMES_CHUNK (64 * 1024)
#endif

enum {
    MAX_LENGTH_BYTES = 10,
    LARGE_CHUNK = 64 * NAMES_CHUNK /* for large pages; made when there are so many bytes in small ones */
};

struct name_chunk {
    struct name_chunk *next;
    char bytes[];
};

bool names_init(struct names *names)
{
    *names = (struct names){0};
    if (!index_init(&names->index, NULL))
        return false;
    uint32_t empty;
    return names_intern(names, text_of("", 0), &empty);
}

void names_free(struct names *names)
{
    while (names->chunks != NULL) {
        struct name_chunk *chunk = names->chunks;
        names->chunks = chunk->next;
        system_free_aligned(chunk);
    }
    free(names->names);
    index_free(&names->index);
    *names = (struct names){0};
}

/*
 * Room for that many bytes, which never move. A name of a chunk's size or more gets its own chunk,
 * after the one that is being filled. NULL: no memory.
 */
static char *take_room(struct names *names, size_t length)
{
    if (names->chunks == NULL || length > names->chunk_size - names->chunk_used) {
        bool is_large = names->size >= LARGE_CHUNK;
        size_t usual = is_large ? LARGE_CHUNK : NAMES_CHUNK;
        size_t size = (sizeof *names->chunks + length + usual - 1) / usual * usual;
        struct name_chunk *chunk = system_aligned_memory(is_large ? usual : sizeof(void *), size);
        if (chunk == NULL)
            return NULL;
        system_suggest_large_pages(chunk, size);
        names->size += size;
        if (size == usual || names->chunks == NULL) {
            chunk->next = names->chunks;
            names->chunks = chunk;
            names->chunk_used = 0;
            names->chunk_size = size - sizeof *chunk;
        } else {
            chunk->next = names->chunks->next;
            names->chunks->next = chunk;
            return chunk->bytes;
        }
    }
    char *bytes = names->chunks->bytes + names->chunk_used;
    names->chunk_used += length;
    return bytes;
}

static const char *keep_name(struct names *names, struct text text)
{
    char head[MAX_LENGTH_BYTES];
    size_t used = 0, rest = text_length(text);
    for (; rest >= NAME_LENGTH_GOES_ON; rest >>= NAME_LENGTH_BITS)
        head[used++] = (char)(rest % NAME_LENGTH_GOES_ON + NAME_LENGTH_GOES_ON);
    head[used++] = (char)rest;

    char *kept = take_room(names, used + text_length(text));
    if (kept == NULL)
        return NULL;
    memcpy(kept, head, used);
    memcpy(kept + used, text.at, text_length(text));
    return kept;
}

/* Adds a text that is new. No part of the search for it, which would have to save more registers. */
APART static bool add(struct names *names, struct text text, uint32_t hash, uint32_t *number)
{
    if (!index_make_room(&names->index) ||
        !array_reserve(&names->names, &names->capacity, names->count + 1, sizeof *names->names))
        return false;
    const char *kept = keep_name(names, text);
    if (kept == NULL)
        return false;
    *number = (uint32_t)names->count;
    names->names[names->count++] = kept;
    index_add(&names->index, hash);
    return true;
}

bool names_intern_hashed(struct names *names, struct text text, uint32_t hash, uint32_t *number)
{
    uint32_t slot, found = index_first(&names->index, hash, &slot);
    for (; found != INDEX_NONE; found = index_next(&names->index, hash, &slot))
        if (text_same(names_text(names, found), text)) {
            *number = found;
            return true;
        }
    return add(names, text, hash, number);
}

bool names_intern(struct names *names, struct text text, uint32_t *number)
{
    return names_intern_hashed(names, text, hash_text(&names->index.seed, text), number);
}

bool names_intern_parts(struct names *names, const struct text *parts, size_t count, uint32_t *number)
{
    char *joined = NULL;
    size_t length = 0, room = 0;
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        size_t more = text_length(parts[i]);
        done = array_reserve(&joined, &room, length + more + 1, 1);
        if (done && more > 0)
            memcpy(joined + length, parts[i].at, more);
        length += more;
    }
    done = done && names_intern(names, text_of(joined != NULL ? joined : "", length), number);
    free(joined);
    return done;
}
