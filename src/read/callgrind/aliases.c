#include "read/callgrind/aliases.h"

#include "util/array.h"

#include <stdlib.h>

/* A larger id is this one and the number of its digits in names, so that it may have any number of them. */
#define LARGE_ID (UINT64_C(1) << 63)

bool aliases_init(struct aliases *aliases, const struct names *names)
{
    *aliases = (struct aliases){0};
    ids_init(&aliases->others, &names->index);
    return true;
}

void aliases_free(struct aliases *aliases)
{
    memory_free(aliases->small);
    ids_free(&aliases->others);
}

static bool define(struct aliases *a, uint64_t id, uint32_t name)
{
    enum { REACH = 8 }; /* of the array: this many times the number of aliases */
    uint32_t known = aliases_find(a, id);
    size_t before = a->small_count;
    bool is_small = id < before || id <= REACH * a->defined + 1;
    if (!(is_small ? (array_reach(&a->small, &a->small_count, (size_t)id + 1, sizeof *a->small, 0xff), true)
                   : (ids_set(&a->others, id, name), true)))
        return false;
    for (size_t i = 0; before < a->small_count && i < a->others.index.used; i++) {
        const struct id_number *other = &a->others.entries[i];
        if (other->id >= before && other->id < a->small_count)
            a->small[other->id] = other->number;
    }
    if (is_small)
        a->small[id] = name;
    a->defined += known == NONE;
    a->redefinitions += known != NONE && known != name;
    return true;
}

bool aliases_define(struct aliases *aliases, struct names *names, uint64_t id, struct text text, uint32_t *name)
{
    return (*name = names_intern(names, text), true) && define(aliases, id, *name);
}

/* Takes `(id)` from the start of the value. Returns false and takes nothing if there is none. */
static bool take_id(struct text *value, uint64_t *id, struct text *digits)
{
    struct text rest = *value;
    if (!text_starts(rest, "("))
        return false;
    digits->at = ++rest.at;
    if (!text_take_number(&rest, id, NULL) || !text_starts(rest, ")"))
        return false;
    digits->end = rest.at;
    *value = (struct text){rest.at + 1, rest.end};
    return true;
}

enum alias_result aliases_resolve(struct aliases *aliases, struct names *names, struct text value,
                                  uint32_t *name)
{
    struct text written = text_trim(value), rest = written, digits;
    uint64_t id;
    uint32_t number;
    if (!take_id(&rest, &id, &digits))
        return (*name = names_intern(names, written), true) ? ALIAS_OK : ALIAS_NO_MEMORY;
    if (id >= LARGE_ID) {
        if (!(number = names_intern(names, digits), true))
            return ALIAS_NO_MEMORY;
        id = LARGE_ID + number;
    }
    if (!text_is_empty(rest))
        return aliases_define(aliases, names, id, text_trim(rest), name) ? ALIAS_OK : ALIAS_NO_MEMORY;
    *name = aliases_find(aliases, id);
    if (*name != NONE)
        return ALIAS_OK;
    return (*name = names_intern(names, written), true) ? ALIAS_UNDEFINED : ALIAS_NO_MEMORY;
}
