#include "frontends/callgrind/aliases.h"

#include "util/array.h"

#include <stdlib.h>

enum { REACH = 4 }; /* of the row: this many times the number of defined ids */

struct alias {
    uint64_t id;
    uint32_t long_id; /* for an id of more than 64 bits, its digits, in names; otherwise 0 */
    uint32_t name;
};

bool aliases_init(struct aliases *aliases, const struct names *names)
{
    *aliases = (struct aliases){0};
    return index_init(&aliases->index, &names->index);
}

void aliases_free(struct aliases *aliases)
{
    free(aliases->row);
    free(aliases->others);
    index_free(&aliases->index);
    *aliases = (struct aliases){0};
}

static uint32_t hash_of_id(const struct aliases *aliases, uint64_t id, uint32_t long_id)
{
    return hash_numbers(&aliases->index.seed, id, long_id);
}

static uint32_t hash_of_other(const void *owner, uint32_t number)
{
    const struct aliases *aliases = owner;
    const struct alias *alias = &aliases->others[number];
    return hash_of_id(aliases, alias->id, alias->long_id);
}

static uint32_t *find_other(const struct aliases *aliases, uint64_t id, uint32_t long_id,
                            uint32_t hash)
{
    uint32_t slot, found = index_first(&aliases->index, hash, &slot);
    for (; found != INDEX_NONE; found = index_next(&aliases->index, hash, &slot)) {
        struct alias *alias = &aliases->others[found];
        if (alias->id == id && alias->long_id == long_id)
            return &alias->name;
    }
    return NULL;
}

uint32_t aliases_find(const struct aliases *aliases, uint64_t id)
{
    if (id < aliases->row_count)
        return aliases->row[id];
    const uint32_t *name = find_other(aliases, id, 0, hash_of_id(aliases, id, 0));
    return name != NULL ? *name : INDEX_NONE;
}

/* May the row reach `id`? That depends only on the number of ids. */
static bool is_in_reach(const struct aliases *aliases, uint64_t id)
{
    return id <= REACH * aliases->defined + 1;
}

/*
 * Extends the row to `id`, and as far as there is room. The names of the ids that it now reaches
 * move there.
 */
static bool extend_row(struct aliases *aliases, uint64_t id)
{
    if (!array_reserve(&aliases->row, &aliases->row_capacity, (size_t)id + 1,
                       sizeof *aliases->row))
        return false;
    size_t before = aliases->row_count;
    while (aliases->row_count < aliases->row_capacity)
        aliases->row[aliases->row_count++] = INDEX_NONE;
    for (size_t i = 0; i < aliases->other_count; i++) {
        const struct alias *alias = &aliases->others[i];
        if (alias->long_id == 0 && alias->id >= before && alias->id < aliases->row_count)
            aliases->row[alias->id] = alias->name;
    }
    return true;
}

static uint32_t *append_other(struct aliases *aliases, uint64_t id, uint32_t long_id,
                              uint32_t hash)
{
    if (!index_make_room(&aliases->index, hash_of_other, aliases) ||
        !array_reserve(&aliases->others, &aliases->other_capacity, aliases->other_count + 1,
                       sizeof *aliases->others))
        return NULL;
    struct alias *alias = &aliases->others[aliases->other_count++];
    *alias = (struct alias){id, long_id, INDEX_NONE};
    index_add(&aliases->index, hash);
    return &alias->name;
}

/* The place of an id's name, which is INDEX_NONE for a new id. NULL: no memory. */
static uint32_t *find_or_append(struct aliases *aliases, uint64_t id, uint32_t long_id)
{
    if (long_id == 0 && (id < aliases->row_count || is_in_reach(aliases, id)))
        return id < aliases->row_count || extend_row(aliases, id) ? &aliases->row[id] : NULL;
    uint32_t hash = hash_of_id(aliases, id, long_id);
    uint32_t *name = find_other(aliases, id, long_id, hash);
    return name != NULL ? name : append_other(aliases, id, long_id, hash);
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

    uint32_t *known = find_or_append(aliases, id, long_id);
    if (known == NULL)
        return ALIAS_NO_MEMORY;

    bool refers = text_is_empty(rest);
    if (refers && *known != INDEX_NONE) {
        *name = *known;
        return ALIAS_OK;
    }
    if (refers)
        return names_intern(names, written, name) ? ALIAS_UNDEFINED : ALIAS_NO_MEMORY;
    if (!names_intern(names, text_trim(rest), name))
        return ALIAS_NO_MEMORY;
    if (*known == INDEX_NONE)
        aliases->defined++;
    else if (*known != *name)
        aliases->redefinitions++;
    *known = *name;
    return ALIAS_OK;
}
