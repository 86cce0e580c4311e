#include "util/names.h"

#include "os/system.h"

/* The size of the first chunks in bytes. Tests redefine it, so that nearly each name needs one. */
#ifndef NAMES_CHUNK
#define NAMES_CHUNK (64 * 1024)
#endif

enum { LARGE_CHUNK = 64 * NAMES_CHUNK /* for large pages; made when there are so many bytes in small ones */ };

struct name_chunk {
    struct name_chunk *next;
    char bytes[];
};

void names_init(struct names *names)
{
    *names = (struct names){0};
    index_init(&names->index, NULL);
    names_intern(names, text_of("", 0));
}

void names_free(struct names *names)
{
    while (names->chunks != NULL) {
        struct name_chunk *chunk = names->chunks;
        names->chunks = chunk->next;
        memory_free(chunk);
    }
    memory_free(names->texts);
    index_free(&names->index);
    *names = (struct names){0};
}

/* Room for that many bytes, which never move. A name of a chunk's size or more gets a chunk of its own. */
static char *take_room(struct names *names, size_t length)
{
    if (length > (size_t)(names->chunk_end - names->chunk)) {
        size_t usual = names->size >= LARGE_CHUNK ? LARGE_CHUNK : NAMES_CHUNK;
        size_t size = length < usual ? usual : length;
        struct name_chunk *chunk = memory_get(sizeof *chunk + size);
        system_suggest_large_pages(chunk, size);
        names->size += size;
        chunk->next = names->chunks;
        names->chunks = chunk;
        if (length >= usual)
            return chunk->bytes;
        names->chunk = chunk->bytes;
        names->chunk_end = chunk->bytes + size;
    }
    names->chunk += length;
    return names->chunk - length;
}

/* Adds a text that is new. */
static uint32_t add(struct names *names, struct text text, uint32_t hash)
{
    size_t length = text_length(text);
    struct text kept = text_of("", 0);
    if (length > 0) {
        kept = text_of(take_room(names, length), length);
        memcpy((char *)kept.at, text.at, length);
    }
    index_make_room(&names->index);
    array_append(&names->texts, &names->count, &names->capacity, &kept, sizeof kept);
    index_add(&names->index, hash);
    return (uint32_t)names->count - 1;
}

uint32_t names_intern(struct names *names, struct text text)
{
    uint32_t hash = hash_text(&names->index.seed, text);
    uint32_t slot, found = index_first(&names->index, hash, &slot);
    while (found != NONE && !text_same(names_text(names, found), text))
        found = index_next(&names->index, hash, &slot);
    return found != NONE ? found : add(names, text, hash);
}

uint32_t names_intern_parts(struct names *names, const struct text *parts, size_t count)
{
    char *joined = NULL;
    size_t length = 0, room = 0;
    for (size_t i = 0; i < count; i++) {
        size_t more = text_length(parts[i]);
        array_reserve(&joined, &room, length + more + 1, 1);
        if (more > 0)
            memcpy(joined + length, parts[i].at, more);
        length += more;
    }
    uint32_t number = names_intern(names, text_of(joined != NULL ? joined : "", length));
    memory_free(joined);
    return number;
}
