#include "util/names.h"

#include "util/array.h"

#include <stdlib.h>

enum { CHUNK_SIZE = 64 * 1024 };

struct name_entry {
    const char *bytes;
    size_t length;
};

struct name_chunk {
    struct name_chunk *next;
    char bytes[];
};

bool names_init(struct names *names)
{
    *names = (struct names){0};
    if (!index_init(&names->index))
        return false;
    uint32_t empty;
    return names_intern(names, text_of("", 0), &empty);
}

void names_free(struct names *names)
{
    while (names->chunks != NULL) {
        struct name_chunk *chunk = names->chunks;
        names->chunks = chunk->next;
        free(chunk);
    }
    free(names->entries);
    index_free(&names->index);
    *names = (struct names){0};
}

struct text names_text(const struct names *names, uint32_t number)
{
    return text_of(names->entries[number].bytes, names->entries[number].length);
}

static uint32_t hash_of_entry(const void *owner, uint32_t number)
{
    const struct names *names = owner;
    return hash_text(&names->index.seed, names_text(names, number));
}

/* A name of a chunk's size or more gets a chunk of its own, behind the one that is being filled. */
static const char *keep_bytes(struct names *names, struct text text)
{
    size_t length = text_length(text);
    if (length == 0)
        return "";

    if (names->chunks == NULL || length > names->chunk_size - names->chunk_used) {
        size_t size = length < CHUNK_SIZE ? CHUNK_SIZE : length;
        struct name_chunk *chunk = malloc(sizeof *chunk + size);
        if (chunk == NULL)
            return NULL;
        if (size == CHUNK_SIZE || names->chunks == NULL) {
            chunk->next = names->chunks;
            names->chunks = chunk;
            names->chunk_used = 0;
            names->chunk_size = size;
        } else {
            chunk->next = names->chunks->next;
            names->chunks->next = chunk;
            memcpy(chunk->bytes, text.at, length);
            return chunk->bytes;
        }
    }
    char *bytes = names->chunks->bytes + names->chunk_used;
    memcpy(bytes, text.at, length);
    names->chunk_used += length;
    return bytes;
}

static uint32_t find(const struct names *names, struct text text, uint32_t hash)
{
    uint32_t slot, number = index_first(&names->index, hash, &slot);
    for (; number != INDEX_NONE; number = index_next(&names->index, hash, &slot))
        if (text_same(names_text(names, number), text))
            break;
    return number;
}

bool names_intern(struct names *names, struct text text, uint32_t *number)
{
    uint32_t hash = hash_text(&names->index.seed, text);
    *number = find(names, text, hash);
    if (*number != INDEX_NONE)
        return true;

    if (!index_make_room(&names->index, hash_of_entry, names) ||
        !array_reserve(&names->entries, &names->capacity, names->count + 1, sizeof *names->entries))
        return false;
    const char *bytes = keep_bytes(names, text);
    if (bytes == NULL)
        return false;
    *number = (uint32_t)names->count;
    names->entries[names->count++] = (struct name_entry){bytes, text_length(text)};
    index_add(&names->index, hash);
    return true;
}
