#include "frontends/callgrind/aliases.h"

#include "util/array.h"

#include <stdlib.h>

enum { REACH = 4 }; /* of the row: this many times the number of defined ids */

bool aliases_init(struct aliases *aliases, const struct names *names)
{
    *aliases = (struct aliases){0};
    return ids_init(&aliases->others, &names->index) && ids_init(&aliases->long_ids, &names->index);
}

void aliases_free(struct aliases *aliases)
{
    free(aliases->row);
    ids_free(&aliases->others);
    ids_free(&aliases->long_ids);
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

static void count_definition(struct aliases *aliases, uint32_t known, uint32_t name)
{
    aliases->defined += known == INDEX_NONE;
    aliases->redefinitions += known != INDEX_NONE && known != name;
}

bool aliases_define(struct aliases *aliases, struct names *names, uint64_t id, struct text text, uint32_t hash,
                    uint32_t *name)
{
    uint32_t known = aliases_find(aliases, id);
    bool done = names_intern_hashed(names, text, hash, name) && set(aliases, id, *name);
    if (done)
        count_definition(aliases, known, *name);
    return done;
}

/* Takes `(id)` from the start of the value. Returns false and takes nothing if there is none. */
static bool take_id(struct text *value, uint64_t *id, struct text *digits, bool *is_long)
{
    struct text rest = *value;
    if (text_is_empty(rest) || *rest.at != '(')
        return false;
    rest.at++;
    digits->at = rest.at;
    *is_long = false;
    if (!text_take_number(&rest, id, is_long))
        return false;
    digits->end = rest.at;
    if (text_is_empty(rest) || *rest.at != ')')
        return false;
    rest.at++;
    *value = rest;
    return true;
}

enum alias_result aliases_resolve(struct aliases *aliases, struct names *names, struct text value,
                                  uint32_t *name)
{
    struct text written = text_trim(value), rest = written, digits;
    uint64_t id;
    uint32_t long_id = 0;
    bool is_long;

    if (!take_id(&rest, &id, &digits, &is_long))
        return names_intern(names, written, name) ? ALIAS_OK : ALIAS_NO_MEMORY;
    if (is_long && !names_intern(names, digits, &long_id))
        return ALIAS_NO_MEMORY;

    uint32_t known = is_long ? ids_find(&aliases->long_ids, long_id) : aliases_find(aliases, id);
    bool refers = text_is_empty(rest);
    *name = known;
    if (refers && known != INDEX_NONE)
        return ALIAS_OK;
    if (refers)
        return names_intern(names, written, name) ? ALIAS_UNDEFINED : ALIAS_NO_MEMORY;
    if (!names_intern(names, text_trim(rest), name))
        return ALIAS_NO_MEMORY;
    bool done = is_long ? ids_set(&aliases->long_ids, long_id, *name) : set(aliases, id, *name);
    count_definition(aliases, known, *name);
    return done ? ALIAS_OK : ALIAS_NO_MEMORY;
}
