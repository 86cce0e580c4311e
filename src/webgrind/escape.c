#include "webgrind/escape.h"

/* Word joiner: it is invisible, and no markup begins with `<` and this character. */
#define JOINER "\xe2\x81\xa0"

static const struct {
    char plain;
    const char *entity;
} entities[] = {{'<', "&lt;"}, {'&', "&amp;"}, {'"', "&quot;"}};

enum { ENTITY_COUNT = sizeof entities / sizeof entities[0] };

enum escape_kind escape_kind_of_name(struct text file)
{
    return text_equals(file, "php:internal") ? ESCAPE_INTERNAL_NAME : ESCAPE_NAME;
}

/* The text to escape, and the last `=` in it or, if there is none, its end. */
struct escaping {
    struct text text;
    enum escape_kind kind;
    const char *last_equals;
};

static struct escaping escaping_of(struct text text, enum escape_kind kind)
{
    struct escaping e = {text, kind, text.end};
    if (kind != ESCAPE_FILE || memchr(text.at, '<', text_length(text)) == NULL)
        return e;
    while (e.last_equals > text.at && e.last_equals[-1] != '=')
        e.last_equals--;
    return e;
}

/* Does a text continue like a character reference, after its `&`? */
static bool is_reference(struct text rest)
{
    return !text_is_empty(rest) && (char_is_alpha(*rest.at) || *rest.at == '#');
}

/* Does it continue like the tag of a script, or a tag with an attribute, after its `<`? */
static bool is_script(struct text rest, const char *last_equals)
{
    static const char script[] = "script";
    if (text_is_empty(rest) || !char_is_alpha(*rest.at))
        return false;
    size_t i = 0;
    while (i < sizeof script - 1 && i < text_length(rest) && (rest.at[i] | ' ') == script[i])
        i++;
    return rest.at < last_equals || i == sizeof script - 1;
}

/* The text to write after the byte at `at`, or instead of it (*instead); "" if it does not change. */
static const char *change(const struct escaping *e, const char *at, bool *instead)
{
    struct text rest = {at + 1, e->text.end};
    *instead = e->kind == ESCAPE_NAME || e->kind == ESCAPE_INTERNAL_NAME;
    if (*instead) {
        if (*at == '<' || (*at == '&' && is_reference(rest)) ||
            (*at == '"' && e->kind == ESCAPE_INTERNAL_NAME))
            for (size_t i = 0; i < ENTITY_COUNT; i++)
                if (entities[i].plain == *at)
                    return entities[i].entity;
        return "";
    }
    bool joins;
    if (e->kind == ESCAPE_FILE)
        joins = *at == '<' && (is_script(rest, e->last_equals) || text_starts(rest, JOINER));
    else
        joins = *at == '<' || (*at == '&' && (is_reference(rest) || text_starts(rest, JOINER))) ||
                (*at == ':' && ((e->kind == ESCAPE_HEADING && text_starts(rest, " ")) ||
                                text_starts(rest, JOINER)));
    return joins ? JOINER : "";
}

static bool may_change(char c)
{
    return c == '<' || c == '&' || c == '"' || c == ':';
}

static bool has(struct text text, char c)
{
    return memchr(text.at, c, text_length(text)) != NULL;
}

bool escape_changes(struct text text, enum escape_kind kind)
{
    bool may = has(text, '<') || (kind != ESCAPE_FILE && has(text, '&')) ||
               (kind == ESCAPE_INTERNAL_NAME && has(text, '"')) ||
               ((kind == ESCAPE_HEADING || kind == ESCAPE_COMMAND) && has(text, ':'));
    return may && escape_size(text, kind) != text_length(text);
}

size_t escape_size(struct text text, enum escape_kind kind)
{
    struct escaping e = escaping_of(text, kind);
    size_t size = text_length(text);
    for (const char *p = text.at; p < text.end; p++) {
        bool instead;
        const char *changed = may_change(*p) ? change(&e, p, &instead) : "";
        if (*changed != '\0')
            size += strlen(changed) - instead;
    }
    return size;
}

bool escape_write(struct outfile *out, struct text text, enum escape_kind kind)
{
    struct escaping e = escaping_of(text, kind);
    const char *written = text.at;
    for (const char *p = text.at; p < text.end; p++) {
        bool instead;
        const char *changed = may_change(*p) ? change(&e, p, &instead) : "";
        if (*changed == '\0')
            continue;
        if (!outfile_write(out, written, (size_t)(p + !instead - written)) ||
            !outfile_write(out, changed, strlen(changed)))
            return false;
        written = p + 1;
    }
    return outfile_write(out, written, (size_t)(text.end - written));
}

char *escape_undo(char *to, struct text text, enum escape_kind kind)
{
    bool has_entities = kind == ESCAPE_NAME || kind == ESCAPE_INTERNAL_NAME;
    while (!text_is_empty(text)) {
        char c = *text.at++;
        for (size_t i = 0; has_entities && c == '&' && i < ENTITY_COUNT; i++)
            if (text_starts(text, entities[i].entity + 1)) {
                c = entities[i].plain;
                text.at += strlen(entities[i].entity) - 1;
                break;
            }
        *to++ = c;
        bool may_join = !has_entities && (c == '<' || (kind != ESCAPE_FILE && (c == '&' || c == ':')));
        if (may_join && text_starts(text, JOINER))
            text.at += strlen(JOINER);
    }
    return to;
}
