#include "write/escape.h"

/* Word joiner: it is invisible, and no markup begins with `<` and this character. */
#define JOINER "\xe2\x81\xa0"

enum { QUOTE = 2, ENTITY_COUNT = 3 };

static const struct {
    char plain;
    const char *entity;
} entities[ENTITY_COUNT] = {{'<', "&lt;"}, {'&', "&amp;"}, [QUOTE] = {'"', "&quot;"}};

struct text escape_trim(struct text line)
{
    static const char trimmed[] = " \t\r\v"; /* and NUL, which strchr finds at its end */
    while (!text_is_empty(line) && strchr(trimmed, *line.at) != NULL)
        line.at++;
    while (!text_is_empty(line) && strchr(trimmed, line.end[-1]) != NULL)
        line.end--;
    return line;
}

/* An entity to write instead of the byte before `rest`, or what to write after it, or "". */
static const char *change(enum escape_kind kind, struct text rest, const char *last_equals)
{
    bool is_name = kind <= ESCAPE_INTERNAL_NAME, is_value = kind >= ESCAPE_VALUE;
    bool is_joined = text_starts(rest, JOINER); /* as a joiner that undoing would remove */
    bool is_letter = !text_is_empty(rest) && char_is_alpha(*rest.at);
    bool is_reference = is_letter || text_starts(rest, "#"); /* after `&` */
    /* After `<`: the tag of a script, or a tag with an attribute. */
    bool is_script = text_begins(rest, text_of_string("script")) || (is_letter && rest.at < last_equals);
    switch (rest.at[-1]) {
    case '<':
        if (is_name)
            return "&lt;";
        return is_joined || is_value || is_script ? JOINER : "";
    case '&':
        if (is_name)
            return is_reference ? "&amp;" : "";
        if (kind == ESCAPE_QUOTED_FILE)
            return is_joined || text_starts(rest, "quot;") ? JOINER : "";
        return is_value && (is_joined || is_reference) ? JOINER : "";
    case '"':
        return kind == ESCAPE_INTERNAL_NAME || kind == ESCAPE_QUOTED_FILE ? "&quot;" : "";
    case ':':
        return is_value && (is_joined || (kind == ESCAPE_HEADING && text_starts(rest, " "))) ? JOINER : "";
    default:
        return "";
    }
}

bool escape_add(struct buffer *to, struct text text, enum escape_kind kind)
{
    static const char marks[] = {'<', '&', '"', ':'};
    size_t count = kind < ESCAPE_VALUE ? sizeof marks - 1 : sizeof marks;
    const char *next[sizeof marks] = {NULL}, *last_equals = text.end, *written = text.at;
    for (size_t i = 0; i < count; i++)
        next[i] = text_take_to(&(struct text){text.at, text.end}, marks[i]).end;
    while (kind >= ESCAPE_FILE && last_equals > text.at && last_equals[-1] != '=')
        last_equals--;
    for (;;) {
        size_t first = 0;
        for (size_t i = 1; i < count; i++)
            first = next[i] < next[first] ? i : first;
        if (next[first] == text.end)
            break;
        struct text rest = {next[first] + 1, text.end}, after = rest;
        next[first] = text_take_to(&after, marks[first]).end;
        const char *changed = change(kind, rest, last_equals);
        if (*changed == '\0')
            continue;
        buffer_add(to, (struct text){written, rest.at - (*changed == '&')});
        buffer_add_string(to, changed);
        written = rest.at;
    }
    if (written == text.at)
        return false;
    buffer_add(to, (struct text){written, text.end});
    return true;
}

char *escape_undo(char *to, struct text text, enum escape_kind kind)
{
    size_t first = kind <= ESCAPE_INTERNAL_NAME ? 0 : kind == ESCAPE_QUOTED_FILE ? QUOTE : ENTITY_COUNT;
    while (!text_is_empty(text)) {
        char c = *text.at++;
        for (size_t i = first; c == '&' && i < ENTITY_COUNT; i++)
            if (text_starts(text, entities[i].entity + 1)) {
                c = entities[i].plain;
                text.at += strlen(entities[i].entity) - 1;
                break;
            }
        *to++ = c;
        bool may_join = (c == '<' && kind >= ESCAPE_FILE) || (c == '&' && kind >= ESCAPE_QUOTED_FILE) ||
                        (c == ':' && kind >= ESCAPE_VALUE);
        if (may_join && text_starts(text, JOINER))
            text.at += strlen(JOINER);
    }
    return to;
}
