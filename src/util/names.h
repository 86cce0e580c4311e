/* Interned strings: each distinct text is stored once, under a number. */
#ifndef CG2WG_UTIL_NAMES_H
#define CG2WG_UTIL_NAMES_H

#include "util/index.h"
#include "util/text.h"

struct names {
    const char **names; /* each in a chunk, after its length */
    size_t count;
    size_t capacity;
    struct name_chunk *chunks; /* the bytes; chunks never move */
    size_t chunk_used;
    size_t chunk_size;
    size_t size; /* of all chunks */
    struct index index;
};

/* Makes an empty set, in which the empty text has number 0. Returns false when memory runs out. */
bool names_init(struct names *names);
void names_free(struct names *names);

/*
 * Sets *number to that of `text`, which is copied if it is new.
 * Returns false when memory runs out, or at 2^31 - 2 names.
 */
bool names_intern(struct names *names, struct text text, uint32_t *number);

/* The same for a text whose hash_text with names->index.seed is known. */
bool names_intern_hashed(struct names *names, struct text text, uint32_t hash, uint32_t *number);

/* The same for a text of several parts, one after the other. */
bool names_intern_parts(struct names *names, const struct text *parts, size_t count, uint32_t *number);

/* Number 0, the empty text. */
#define NAME_EMPTY 0u

/*
 * A name's length precedes its bytes: seven bits per byte, the lowest first; all bytes except the
 * last have the top bit set.
 */
enum { NAME_LENGTH_BITS = 7, NAME_LENGTH_GOES_ON = 1 << NAME_LENGTH_BITS };

/* The text with that number; it is valid as long as `names`. */
static inline struct text names_text(const struct names *names, uint32_t number)
{
    const char *p = names->names[number];
    unsigned char byte = (unsigned char)*p++;
    size_t length = byte % NAME_LENGTH_GOES_ON;
    for (unsigned shift = NAME_LENGTH_BITS; byte >= NAME_LENGTH_GOES_ON; shift += NAME_LENGTH_BITS) {
        byte = (unsigned char)*p++;
        length |= (size_t)(byte % NAME_LENGTH_GOES_ON) << shift;
    }
    return text_of(p, length);
}

#endif
