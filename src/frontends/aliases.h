/* Name compression of the callgrind format: `(id) name` defines an alias, `(id)` refers to it. */
#ifndef CG2WG_FRONTENDS_ALIASES_H
#define CG2WG_FRONTENDS_ALIASES_H

#include "util/index.h"
#include "util/names.h"

/*
 * One name space of aliases. An id may be any number; memory goes by how many there are. Mostly they
 * are small: those below a few times their number are kept in a row, by id.
 */
struct aliases {
    uint32_t *row; /* names of the ids below row_count, or INDEX_NONE: not known */
    size_t row_count, row_capacity;
    struct alias *others; /* each met before the row reached that far */
    size_t other_count, other_capacity;
    struct index index; /* of the others */
    uint64_t defined; /* how many ids stand for a name */
    uint64_t redefinitions; /* how often an id was given another name than before */
};

/* An empty name space for aliases of `names`. Returns false when memory runs out. */
bool aliases_init(struct aliases *aliases, const struct names *names);
void aliases_free(struct aliases *aliases);

enum alias_result {
    ALIAS_OK,
    ALIAS_UNDEFINED, /* *name is the reference as it is written */
    ALIAS_NO_MEMORY
};

/*
 * Sets *name to the number (in `names`) of the name that the value of a position line stands for: a
 * plain name, a definition, which holds from here on, or a reference. Blanks around a name are not
 * part of it.
 */
enum alias_result aliases_resolve(struct aliases *aliases, struct names *names, struct text value,
                                  uint32_t *name);

/* The name that an id stands for, or UINT32_MAX if it is not defined. */
uint32_t aliases_find(const struct aliases *aliases, uint64_t id);

#endif
