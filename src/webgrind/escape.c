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

/* The bytes that may change in each kind of text. */
static const char *const may_change[] = {[ESCAPE_NAME] = "<&", [ESCAPE_INTERNAL_NAME] = "<&\"",
                                         [ESCAPE_FILE] = "<", [ESCAPE_HEADING] = "<&:", [ESCAPE_COMMAND] = "<&:"};

enum { MOST_BYTES = 3 };

/* The text to escape, and the last `=` in it or, if there is none, its end. */
struct escaping {
    struct text text;
    enum escape_kind kind;
    const char *last_equals;
    const char *next[MOST_BYTES]; /* of each byte that may change, the first one not yet visited, or the end */
};

static struct escaping escaping_of(struct text text, enum escape_kind kind)
{
    struct escaping e = {.text = text, .kind = kind, .last_equals = text.end};
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

/* The first byte from `p` on that may change, or the end. Each byte is looked for once. */
static const char *find_candidate(struct escaping *e, const char *p)
{
    const char *first = e->text.end;
    for (size_t i = 0; may_change[e->kind][i] != '\0'; i++) {
        if (e->next[i] == NULL || e->next[i] < p)
            e->next[i] = memchr(p, may_change[e->kind][i], (size_t)(e->text.end - p));
        if (e->next[i] == NULL)
            e->next[i] = e->text.end;
        first = e->next[i] < first ? e->next[i] : first;
    }
    return first;
}

/* The text to write after the byte at `at`, or instead of it. */
struct replacement {
    const char *at; /* the end of the text: none */
    const char *text;
    bool instead;
};

/* The first change from `p` on, which is not before that of the last search. */
static struct replacement find_change(struct escaping *e, const char *p)
{
    struct replacement found = {.text = ""};
    while (*found.text == '\0' && (found.at = find_candidate(e, p)) < e->text.end) {
        found.text = change(e, found.at, &found.instead);
        p = found.at + 1;
    }
    return found;
}

bool escape_changes(struct text text, enum escape_kind kind)
{
    struct escaping e = escaping_of(text, kind);
    return find_change(&e, text.at).at < text.end;
}

size_t escape_size(struct text text, enum escape_kind kind)
{
    struct escaping e = escaping_of(text, kind);
    size_t size = text_length(text);
    for (struct replacement c = find_change(&e, text.at); c.at < text.end; c = find_change(&e, c.at + 1))
        size += strlen(c.text) - c.instead;
    return size;
}

bool escape_write(struct outfile *out, struct text text, enum escape_kind kind)
{
    struct escaping e = escaping_of(text, kind);
    const char *written = text.at;
    for (struct replacement c = find_change(&e, text.at); c.at < text.end; c = find_change(&e, written)) {
        if (!outfile_write(out, written, (size_t)(c.at + !c.instead - written)) ||
            !outfile_write(out, c.text, strlen(c.text)))
            return false;
        written = c.at + 1;
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
