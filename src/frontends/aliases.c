#include "frontends/aliases.h"

#include "util/array.h"

#include <stdlib.h>

struct alias {
    uint64_t id;
    uint32_t long_id; /* an id of more than 64 bits is known by its digits, in names; else 0 */
    uint32_t name;
};

bool aliases_init(struct aliases *aliases)
{
    *aliases = (struct aliases){0};
    return index_init(&aliases->index);
}

void aliases_free(struct aliases *aliases)
{
    free(aliases->aliases);
    index_free(&aliases->index);
    *aliases = (struct aliases){0};
}

static uint32_t hash_of_id(const struct aliases *aliases, uint64_t id, uint32_t long_id)
{
    return hash_numbers(&aliases->index.seed, id, long_id);
}

static uint32_t hash_of_alias(const void *owner, uint32_t number)
{
    const struct aliases *aliases = owner;
    const struct alias *alias = &aliases->aliases[number];
    return hash_of_id(aliases, alias->id, alias->long_id);
}

static uint32_t find_alias(const struct aliases *aliases, uint64_t id, uint32_t long_id,
                           uint32_t hash)
{
    uint32_t slot, found = index_first(&aliases->index, hash, &slot);
    for (; found != INDEX_NONE; found = index_next(&aliases->index, hash, &slot))
        if (aliases->aliases[found].id == id && aliases->aliases[found].long_id == long_id)
            break;
    return found;
}

uint32_t aliases_find(const struct aliases *aliases, uint64_t id)
{
    uint32_t found = find_alias(aliases, id, 0, hash_of_id(aliases, id, 0));
    return found != INDEX_NONE ? aliases->aliases[found].name : UINT32_MAX;
}

/* The alias with that id; a new one is undefined. NULL: no memory. */
static struct alias *find_or_append(struct aliases *aliases, uint64_t id, uint32_t long_id)
{
    uint32_t hash = hash_of_id(aliases, id, long_id);
    uint32_t found = find_alias(aliases, id, long_id, hash);
    if (found != INDEX_NONE)
        return &aliases->aliases[found];
    if (!index_make_room(&aliases->index, hash_of_alias, aliases) ||
        !array_reserve(&aliases->aliases, &aliases->capacity, aliases->count + 1,
                       sizeof *aliases->aliases))
        return NULL;
    struct alias *alias = &aliases->aliases[aliases->count++];
    *alias = (struct alias){id, long_id, INDEX_NONE};
    index_add(&aliases->index, hash);
    return alias;
}

/* Takes `(id)` off the value. Returns false and takes nothing if it does not begin with one. */
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

    struct alias *alias = find_or_append(aliases, id, long_id);
    if (alias == NULL)
        return ALIAS_NO_MEMORY;

    bool refers = text_is_empty(rest);
    if (refers && alias->name != INDEX_NONE) {
        *name = alias->name;
        return ALIAS_OK;
    }
    if (refers)
        return names_intern(names, written, name) ? ALIAS_UNDEFINED : ALIAS_NO_MEMORY;
    if (!names_intern(names, text_trim(rest), name))
        return ALIAS_NO_MEMORY;
    if (alias->name != INDEX_NONE && alias->name != *name)
        aliases->redefinitions++;
    alias->name = *name;
    return ALIAS_OK;
}
