/* SPDX-License-Identifier: MIT */
/* Name compression of the callgrind format: `(id) name` defines an alias, `(id)` refers to it. */
#include "read/callgrind/reader.h"

/* A larger id is this one and the number of its digits in names, so that it may have any number of them. */
#define LARGE_ID (UINT64_C(1) << 63)

bool aliases_resolve(struct aliases *aliases, struct names *names, struct text value, uint32_t *name)
{
    struct text written = text_trim(value), rest = written, digits;
    uint64_t id;
    rest.at += text_starts(rest, "(");
    digits.at = rest.at;
    bool has_id = rest.at > written.at && text_take_number(&rest, &id, NULL) && text_starts(rest, ")");
    digits.end = rest.at;
    rest.at += has_id;
    if (has_id && id >= LARGE_ID)
        id = LARGE_ID + names_intern(names, digits);
    bool defines = has_id && !text_is_empty(rest), refers = has_id && !defines;
    *name = refers ? aliases_find(aliases, id) : names_intern(names, defines ? text_trim(rest) : written);
    if (defines) {
        enum { REACH = 8 }; /* of the array: this many times the number of aliases */
        uint32_t known = aliases_find(aliases, id);
        size_t before = aliases->small_count;
        if (id < before || id <= REACH * aliases->defined + 1) {
            array_reach(&aliases->small, &aliases->small_count, (size_t)id + 1, sizeof *aliases->small, 0xff);
            for (size_t i = 0; before < aliases->small_count && i < aliases->others.index.used; i++) {
                const struct id_number *other = &aliases->others.entries[i];
                if (other->id >= before && other->id < aliases->small_count)
                    aliases->small[other->id] = other->number;
            }
            aliases->small[id] = *name;
        } else {
            ids_set(&aliases->others, id, *name);
        }
        aliases->defined += known == NONE;
        aliases->redefinitions += known != NONE && known != *name;
    }
    if (*name != NONE)
        return true;
    *name = names_intern(names, written);
    return false;
}
