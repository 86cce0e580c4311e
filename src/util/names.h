/* SPDX-License-Identifier: MIT */
/* Interned strings: each distinct text has one copy, and a number. */
#ifndef CG2WG_UTIL_NAMES_H
#define CG2WG_UTIL_NAMES_H

#include "util/index.h"

struct names {
    struct text *texts; /* by number; their bytes are in chunks, which never move */
    size_t count, capacity;
    char *chunk, *chunk_end; /* what is free of the newest usual chunk */
    size_t chunk_bytes;      /* of all chunks */
    struct index index;
    bool has_mangled;   /* a text begins as compilers of C++ and Rust begin names: to look at all again takes long */
    uint32_t *readable; /* by number, that of the readable name: see struct demangler */
    size_t readable_count, readable_capacity;
};

/* Number 0, the empty text. */
#define NAME_EMPTY 0u

/* Makes a set that contains the empty text. */
void names_init(struct names *names);

/* A copy, to which texts may be added; it is valid as long as `names`. */
struct names names_copy(const struct names *names);

/* The number of `text`, which is copied if it is new. There can be 2^31 - 2: see index_append. */
uint32_t names_intern(struct names *names, struct text text);

uint32_t names_intern_parts(struct names *names, const struct text *parts, size_t count);

/* The text with that number, after which there is a NUL; it is valid as long as `names`. */
static inline struct text names_text(const struct names *names, uint32_t number)
{
    return names->texts[number];
}

#endif
