/* SPDX-License-Identifier: MIT */
#include "write/escape.h"

/* Word joiner: it is invisible, and no markup begins with `<` and this character. */
#define JOINER "\xe2\x81\xa0"

/* Sets of kinds of texts. */
enum {
    NAMES = 1 << ESCAPE_NAME | 1 << ESCAPE_INTERNAL_NAME,
    INTERNAL_NAMES = 1 << ESCAPE_INTERNAL_NAME,
    FILES = 1 << ESCAPE_FILE | 1 << ESCAPE_QUOTED_FILE,
    QUOTED_FILES = 1 << ESCAPE_QUOTED_FILE,
    VALUES = 1 << ESCAPE_VALUE | 1 << ESCAPE_HEADING,
    HEADINGS = 1 << ESCAPE_HEADING
};

/* What may follow a byte. */
enum {
    ANYTHING = 1,
    A_JOINER = 2,    /* which undoing would remove */
    A_SCRIPT = 4,    /* after `<`: the tag of a script, or a tag with an attribute */
    A_REFERENCE = 8, /* after `&` */
    A_QUOTE = 16,    /* the rest of &quot; */
    A_BLANK = 32
};

/* A byte in texts of these kinds is changed if one of these things follows it. */
static const struct escape {
    char byte;
    unsigned kinds, before;
    const char *entity; /* is written in place of the byte; NULL: a joiner is written after it */
} escapes[] = {
    {'<', NAMES, ANYTHING, "&lt;"},
    {'<', FILES, A_JOINER | A_SCRIPT, NULL},
    {'<', VALUES, ANYTHING, NULL},
    {'&', NAMES, A_REFERENCE, "&amp;"},
    {'&', QUOTED_FILES, A_JOINER | A_QUOTE, NULL},
    {'&', VALUES, A_JOINER | A_REFERENCE, NULL},
    {'"', INTERNAL_NAMES | QUOTED_FILES, ANYTHING, "&quot;"},
    {':', VALUES, A_JOINER, NULL},
    {':', HEADINGS, A_BLANK, NULL},
};

static const char bytes[] = {'<', '&', '"', ':'}; /* of the escapes; the last only in values */

struct text escape_trim(struct text line)
{
    static const char trimmed[] = " \t\r\v"; /* and NUL, which strchr finds at its end */
    while (!text_is_empty(line) && strchr(trimmed, *line.at) != NULL)
        line.at++;
    while (!text_is_empty(line) && strchr(trimmed, line.end[-1]) != NULL)
        line.end--;
    return line;
}

/* The escape of the byte before `rest`, or NULL. `last_equals` is after the last `=` of a text that may hold tags. */
static const struct escape *find_escape(enum escape_kind kind, struct text rest, const char *last_equals)
{
    bool is_letter = !text_is_empty(rest) && char_is_alpha(*rest.at);
    bool is_script = (is_letter && rest.at < last_equals) || text_starts_alike(rest, text_of_string("script"));
    unsigned follow = ANYTHING | (text_starts(rest, JOINER) ? A_JOINER : 0) | (is_script ? A_SCRIPT : 0) |
                      (is_letter || text_starts(rest, "#") ? A_REFERENCE : 0) |
                      (text_starts(rest, "quot;") ? A_QUOTE : 0) | (text_starts(rest, " ") ? A_BLANK : 0);
    for (const struct escape *escape = escapes; escape < escapes + COUNT_OF(escapes); escape++)
        if (escape->byte == rest.at[-1] && (escape->kinds >> kind & 1) != 0 && (escape->before & follow) != 0)
            return escape;
    return NULL;
}

bool escape_add(struct buffer *to, struct text text, enum escape_kind kind)
{
    size_t count = kind < ESCAPE_VALUE ? COUNT_OF(bytes) - 1 : COUNT_OF(bytes);
    const char *next[COUNT_OF(bytes)] = {NULL}, *last_equals = text.end, *written = text.at;
    for (size_t i = 0; i < count; i++)
        next[i] = text_before(text, bytes[i]).end;
    while (kind >= ESCAPE_FILE && last_equals > text.at && last_equals[-1] != '=')
        last_equals--;
    for (;;) {
        size_t first = 0;
        for (size_t i = 1; i < count; i++)
            first = next[i] < next[first] ? i : first;
        if (next[first] == text.end)
            break;
        struct text rest = {next[first] + 1, text.end};
        next[first] = text_before(rest, bytes[first]).end;
        const struct escape *escape = find_escape(kind, rest, last_equals);
        if (escape == NULL)
            continue;
        buffer_add(to, (struct text){written, rest.at - (escape->entity != NULL)});
        buffer_add_string(to, escape->entity != NULL ? escape->entity : JOINER);
        written = rest.at;
    }
    if (written == text.at)
        return false;
    buffer_add(to, (struct text){written, text.end});
    return true;
}

/* Takes what an escape of such kinds has made of a byte, after the first one, `c`. Returns that byte. */
static char take_escaped(struct text *text, char c, unsigned kinds)
{
    for (const struct escape *escape = escapes; escape < escapes + COUNT_OF(escapes); escape++) {
        char first = escape->entity != NULL ? *escape->entity : escape->byte;
        const char *others = escape->entity != NULL ? escape->entity + 1 : JOINER;
        if (c == first && (escape->kinds & kinds) != 0 && text_starts(*text, others)) {
            text->at += strlen(others);
            return escape->byte;
        }
    }
    return c;
}

char *escape_undo(char *to, struct text text, enum escape_kind kind)
{
    unsigned kinds = kind <= ESCAPE_INTERNAL_NAME ? NAMES : 1U << kind;
    while (!text_is_empty(text)) {
        char c = *text.at++;
        bool may_be_escaped = c == '&' || (kinds != NAMES && (c == '<' || c == ':'));
        *to++ = may_be_escaped ? take_escaped(&text, c, kinds) : c;
    }
    return to;
}
