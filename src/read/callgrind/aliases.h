/* Name compression of the callgrind format: `(id) name` defines an alias, `(id)` refers to it. */
#ifndef CG2WG_READ_CALLGRIND_ALIASES_H
#define CG2WG_READ_CALLGRIND_ALIASES_H

#include "util/index.h"
#include "util/names.h"

/*
 * One name space of aliases. An id may be any number; memory depends on how many there are. Most are small:
 * an id up to a few times the number of aliases so far is in an array, which takes over others as it grows. All zero:
 * empty.
 */
struct aliases {
    uint32_t *small; /* names by id, or NONE: undefined */
    size_t small_count;
    struct ids others; /* names of ids that were not small when they were defined */
    uint64_t defined;       /* how many ids have a name */
    uint64_t redefinitions; /* how often an id got another name */
};

/*
 * Sets *name to the number (in `names`) of the name in the value of a position line: a plain name,
 * a definition, which is valid from here on, or a reference. Blanks around a name are not part of
 * it. False: the reference is undefined; *name is the reference as it is written.
 */
bool aliases_resolve(struct aliases *aliases, struct names *names, struct text value, uint32_t *name);

/* The name of an id, or NONE if it is undefined. */
static inline uint32_t aliases_find(const struct aliases *aliases, uint64_t id)
{
    return id < aliases->small_count ? aliases->small[id] : ids_find(&aliases->others, id);
}

#endif
