#include "frontends/callgrind/aliases.h"

#include "util/array.h"

#include <stdlib.h>

enum { REACH = 4 }; /* of the row: this many times the number of defined ids */

/* A larger id is this one and the number of its digits in names, so that it may have any number of them. */
#define LARGE_ID (UINT64_C(1) << 63)

bool aliases_init(struct aliases *aliases, const struct names *names)
{
    *aliases = (struct aliases){0};
    return ids_init(&aliases->others, &names->index);
}

void aliases_free(struct aliases *aliases)
{
    free(aliases->row);
    ids_free(&aliases->others);
    *aliases = (struct aliases){0};
}

uint32_t aliases_find(const struct aliases *aliases, uint64_t id)
{
    return id < aliases->row_count ? aliases->row[id] : ids_find(&aliases->others, id);
}

/*
 * Gives a name to an id, in the row if that may reach it, which depends only on the number of ids. If the
 * row grows, names of ids that it now reaches come from `others`.
 */
static bool set(struct aliases *aliases, uint64_t id, uint32_t name)
{
    if (id >= aliases->row_count && id > REACH * aliases->defined + 1)
        return ids_set(&aliases->others, id, name);
    size_t before = aliases->row_count;
    if (!array_reach(&aliases->row, &aliases->row_count, (size_t)id + 1, sizeof *aliases->row, 0xff))
        return false;
    for (size_t i = 0; before < aliases->row_count && i < aliases->others.index.used; i++) {
        const struct id_number *other = &aliases->others.entries[i];
        if (other->id >= before && other->id < aliases->row_count)
            aliases->row[other->id] = other->number;
    }
    aliases->row[id] = name;
    return true;
}

static bool define(struct aliases *aliases, uint64_t id, uint32_t name)
{
    uint32_t known = aliases_find(aliases, id);
    if (!set(aliases, id, name))
        return false;
    aliases->defined += known == INDEX_NONE;
    aliases->redefinitions += known != INDEX_NONE && known != name;
    return true;
}

bool aliases_define(struct aliases *aliases, struct names *names, uint64_t id, struct text text, uint32_t hash,
                    uint32_t *name)
{
    return names_intern_hashed(names, text, hash, name) && define(aliases, id, *name);
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
        return names_intern(names, written, name) ? ALIAS_OK : ALIAS_NO_MEMORY;
    if (id >= LARGE_ID) {
        if (!names_intern(names, digits, &number))
            return ALIAS_NO_MEMORY;
        id = LARGE_ID + number;
    }
    if (!text_is_empty(rest))
        return names_intern(names, text_trim(rest), name) && define(aliases, id, *name) ? ALIAS_OK
                                                                                         : ALIAS_NO_MEMORY;
    *name = aliases_find(aliases, id);
    if (*name != INDEX_NONE)
        return ALIAS_OK;
    return names_intern(names, written, name) ? ALIAS_UNDEFINED : ALIAS_NO_MEMORY;
}
