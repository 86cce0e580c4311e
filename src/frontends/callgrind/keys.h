/*
 * The keys of position lines: `fn=(1) main` names the place of the cost lines that follow it or, as
 * `cfn=`, the target of a call.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_KEYS_H
#define CG2WG_FRONTENDS_CALLGRIND_KEYS_H

#include "util/hot.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Each has aliases of its own. */
enum name_space { OBJECT_NAMES, FILE_NAMES, FUNCTION_NAMES, NAME_SPACES, NO_NAMES };

/* Kinds of keys, in the order of their name spaces. Keys of a kind differ only in their names. */
enum position_kind {
    NO_POSITION,
    POSITION_CALLS, /* from here on, the value is not a name */
    POSITION_JUMP,
    POSITION_LEVEL, /* this one and POSITION_CALLER are written by callgrind, with --mangle-names=no */
    POSITION_OBJECT, /* from here on, it names an object */
    POSITION_CALLED_OBJECT,
    POSITION_FILE, /* a file */
    POSITION_INLINE_FILE,
    POSITION_CALLED_FILE,
    POSITION_OTHER_FILE, /* a place that is not used, but may define an alias */
    POSITION_FUNCTION, /* a function */
    POSITION_CALLED_FUNCTION,
    POSITION_OTHER_FUNCTION,
    POSITION_CALLER
};

enum { MAX_KEY = 7 }; /* bytes, including the = after it */

HOT enum position_kind key_of_call(const char *p, unsigned *length)
{
    *length = 4;
    if (p[1] == 'f' && p[3] == '=') {
        if (p[2] == 'n')
            return POSITION_CALLED_FUNCTION;
        return p[2] == 'l' || p[2] == 'i' ? POSITION_CALLED_FILE : NO_POSITION;
    }
    if (memcmp(p, "cob=", 4) == 0)
        return POSITION_CALLED_OBJECT;
    *length = 6;
    return memcmp(p, "calls=", 6) == 0 ? POSITION_CALLS : NO_POSITION;
}

static inline enum position_kind rare_key(const char *p, unsigned *length)
{
    static const struct {
        const char *key;
        enum position_kind kind;
    } keys[] = {{"jcnd=", POSITION_JUMP},       {"jump=", POSITION_JUMP},
                {"jfi=", POSITION_OTHER_FILE},  {"jfn=", POSITION_OTHER_FUNCTION},
                {"rcalls=", POSITION_CALLS},    {"frfn=", POSITION_CALLER},
                {"rec=", POSITION_LEVEL}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        *length = (unsigned)strlen(keys[i].key);
        if (memcmp(p, keys[i].key, *length) == 0)
            return keys[i].kind;
    }
    return NO_POSITION;
}

/* The kind of the line whose first MAX_KEY bytes are at `p`, and the length of its key. */
HOT enum position_kind find_key(const char *p, unsigned *length)
{
    *length = 3;
    switch (*p) {
    case 'c':
        return key_of_call(p, length);
    case 'f':
        if (p[2] != '=')
            break;
        switch (p[1]) {
        case 'n': return POSITION_FUNCTION;
        case 'l': return POSITION_FILE;
        case 'i':
        case 'e': return POSITION_INLINE_FILE;
        default: return NO_POSITION;
        }
    case 'o':
        return p[1] == 'b' && p[2] == '=' ? POSITION_OBJECT : NO_POSITION;
    case 'j':
    case 'r': break;
    default: return NO_POSITION;
    }
    return rare_key(p, length);
}

/* The name space of its value. */
HOT enum name_space space_of(enum position_kind kind)
{
    if (kind >= POSITION_FUNCTION)
        return FUNCTION_NAMES;
    if (kind >= POSITION_FILE)
        return FILE_NAMES;
    return kind >= POSITION_OBJECT ? OBJECT_NAMES : NO_NAMES;
}

/* Is it about functions of the profile? The kind of profile is decided before the first such line. */
HOT bool is_of_function(enum position_kind kind)
{
    return space_of(kind) == FUNCTION_NAMES || kind == POSITION_CALLS;
}

#endif
