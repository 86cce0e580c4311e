/* SPDX-License-Identifier: MIT */
#include "figures.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------- */

static struct block {
    struct block *next;
    max_align_t bytes[];
} *blocks;

void *keep(size_t size)
{
    struct block *block = calloc(1, sizeof *block + size);
    if (block == NULL)
        abort();
    block->next = blocks;
    blocks = block;
    return block->bytes;
}

char *keep_text(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = keep((size_t)length + 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}

void forget_all(void)
{
    while (blocks != NULL) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* ---- JSON --------------------------------------------------------------------------------- */

struct reader {
    const char *at; /* the text ends with a NUL */
    bool is_bad;
};

static char peek(struct reader *r)
{
    r->at += strspn(r->at, " \n");
    return *r->at;
}

static void expect(struct reader *r, char c)
{
    r->is_bad |= peek(r) != c;
    r->at += r->is_bad ? 0 : 1;
}

static const char *read_text(struct reader *r)
{
    expect(r, '"');
    const char *end = r->at;
    while (*end != '"' && (unsigned char)*end >= ' ')
        end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    char *text = keep((size_t)(end - r->at) + 1), *to = text;
    while (r->at < end) {
        char c = *r->at++;
        if (c == '\\') {
            bool is_code = *r->at == 'u';
            r->is_bad |= strchr("\"\\/bfnrtu", *r->at) == NULL ||
                         (is_code && strspn(r->at + 1, "0123456789abcdefABCDEF") < 4);
            c = is_code || strchr("bfnrt", *r->at) != NULL ? '?' : *r->at;
            if (is_code && !r->is_bad && strncmp(r->at, "u00", 3) == 0)
                c = (char)strtoul((char[]){r->at[3], r->at[4], '\0'}, NULL, 16);
            r->at += is_code && !r->is_bad ? 5 : 1;
        }
        *to++ = isprint((unsigned char)c) ? c : '?';
    }
    expect(r, '"');
    return text;
}

static struct json *read_value(struct reader *r, int depth)
{
    struct json *value = keep(sizeof *value), **last = &value->first;
    value->kind = peek(r);
    r->is_bad |= depth > 64;
    if (value->kind == '"') {
        value->text = read_text(r);
    } else if (value->kind == '{' || value->kind == '[') {
        char end = value->kind == '{' ? '}' : ']';
        expect(r, value->kind);
        while (!r->is_bad && peek(r) != end) {
            if (last != &value->first)
                expect(r, ',');
            const char *key = end == '}' ? read_text(r) : NULL;
            if (key != NULL)
                expect(r, ':');
            *last = read_value(r, depth + 1);
            (*last)->key = key;
            last = &(*last)->next;
        }
        expect(r, end);
    } else if (isalpha((unsigned char)value->kind)) {
        size_t length = strspn(r->at, "aeflnrstu");
        r->is_bad |= !(length == 4 && (strncmp(r->at, "true", 4) == 0 || strncmp(r->at, "null", 4) == 0)) &&
                     !(length == 5 && strncmp(r->at, "false", 5) == 0);
        r->at += length;
    } else {
        char *end;
        r->is_bad |= !isdigit((unsigned char)r->at[*r->at == '-']);
        value->number = *r->at == '-' ? strtoll(r->at, &end, 10) : (int64_t)strtoull(r->at, &end, 10);
        value->has_fraction = *end == '.' || *end == 'e';
        value->kind = '0';
        r->at = end + strspn(end, value->has_fraction ? ".0123456789e+-" : "");
    }
    return value;
}

struct json *json_parse(const char *text, size_t length)
{
    struct reader r = {text, strlen(text) != length};
    struct json *value = read_value(&r, 0);
    return r.is_bad || peek(&r) != '\0' ? NULL : value;
}

const struct json *json_get(const struct json *object, const char *key)
{
    const struct json *at = object != NULL && object->kind == '{' ? object->first : NULL;
    while (at != NULL && strcmp(at->key, key) != 0)
        at = at->next;
    return at;
}

int64_t json_number_of(const struct json *object, const char *key)
{
    const struct json *value = json_get(object, key);
    return value != NULL && value->kind == '0' ? value->number : NO_COST;
}

const struct json *json_at(const struct json *array, size_t place)
{
    const struct json *at = array != NULL ? array->first : NULL;
    for (; at != NULL && place > 0; place--)
        at = at->next;
    return at;
}

/* ---- rows --------------------------------------------------------------------------------- */

/*
 * What all styles leave of a name, however they write what is not a letter or digit: of a long one, the start; without
 * callers and levels of recursion, which follow a quote.
 */
static const char *plain(const char *text, size_t length)
{
    enum { LONGEST = 200 };
    char *to = keep(LONGEST + 1);
    for (size_t i = 0, used = 0; i < length && used < LONGEST && (text[i] != '\'' || used == 0); i++)
        if ((unsigned char)text[i] < 0x80 && isalnum((unsigned char)text[i]))
            to[used++] = text[i];
    return to;
}

static struct row *add_row(struct figures *f, const char *name, size_t length, const char *file, const char *object)
{
    enum { ROOM = 64 };
    if (f->count % ROOM == 0) {
        struct row *rows = keep((f->count + ROOM) * sizeof *rows);
        if (f->count > 0)
            memcpy(rows, f->rows, f->count * sizeof *rows);
        f->rows = rows;
    }
    struct row *row = &f->rows[f->count++];
    row->name = plain(name, length);
    row->file = file != NULL ? plain(file, strlen(file)) : "";
    row->object = object != NULL ? plain(object, strlen(object)) : "";
    row->place = keep_text("%s in %s of %s", row->name, row->file, row->object);
    row->exact = keep_text("%.*s in %s of %s", (int)length, name, file != NULL ? file : "",
                           object != NULL ? object : "");
    row->count = NO_COST;
    for (size_t i = 0; i < MOST_EVENTS; i++)
        row->inclusive[i] = NO_COST;
    return row;
}

static const char *text_of(const struct json *object, const char *key)
{
    const struct json *value = json_get(object, key);
    return value != NULL && value->kind == '"' ? value->text : NULL;
}

static int64_t count_of(const struct json *object)
{
    return json_get(object, "samples") != NULL ? json_number_of(object, "samples") : json_number_of(object, "invocations");
}

static const char *read_json(const char *text, size_t length, struct figures *f)
{
    const struct json *all = f->parsed = json_parse(text, length), *base = json_get(all, "base");
    if (all == NULL)
        return "it is not JSON";
    f->event_count = base != NULL ? 2 : 0;
    for (const struct json *e = json_at(json_get(all, "events"), 0); e != NULL && base == NULL; e = e->next) {
        if (f->event_count == MOST_EVENTS)
            return NULL;
        f->events[f->event_count] = text_of(e, "event");
        f->shares[f->event_count++] = json_number_of(e, "percent_of");
    }
    if (base != NULL) {
        f->shares[0] = json_number_of(json_get(all, "now"), "total");
        f->shares[1] = json_number_of(base, "total");
    } else if (f->event_count == 0) {
        f->events[f->event_count] = text_of(all, "event");
        f->shares[f->event_count++] = json_number_of(all, "percent_of");
    }
    f->left_out = json_number_of(json_get(all, "left_out"), "cost");
    for (const struct json *r = json_at(json_get(all, "functions"), 0); r != NULL; r = r->next) {
        const char *name = text_of(r, "name");
        if (name == NULL)
            return "a function of JSON has no name";
        struct row *row = add_row(f, name, strlen(name), text_of(r, "file"), text_of(r, "object"));
        const struct json *costs = json_at(json_get(r, "costs"), 0),
                          *sides[] = {json_get(r, "now"), json_get(r, "base")};
        row->number = (uint64_t)json_number_of(r, "number");
        row->count = base != NULL ? count_of(sides[0]) : count_of(r);
        for (size_t i = 0; i < f->event_count; i++, costs = costs != NULL ? costs->next : NULL) {
            const struct json *of = base != NULL ? sides[i] : costs != NULL ? costs : r;
            bool is_there = of->kind == '{';
            row->self[i] = is_there ? json_number_of(of, "self") : 0;
            row->inclusive[i] = is_there ? json_number_of(of, "inclusive") : 0;
        }
    }
    return NULL;
}

/* ---- CSV ---------------------------------------------------------------------------------- */

/* Takes a cell, without its quotes; *at then is after what ends it, which is returned. */
static char take_cell(const char **at, const char *end, const char **cell, size_t *length)
{
    bool is_quoted = *at < end && **at == '"';
    const char *p = *cell = *at + is_quoted;
    while (p < end && (is_quoted ? *p != '"' || (p + 1 < end && p[1] == '"') : *p != ',' && *p != '\r'))
        p += is_quoted && *p == '"' ? 2 : 1;
    *length = (size_t)(p - *cell);
    p += is_quoted && p < end;
    bool ends_row = end - p >= 2 && *p == '\r' && p[1] == '\n';
    *at = ends_row ? p + 2 : p < end ? p + 1 : p;
    return ends_row ? '\n' : p < end ? *p : '\0';
}

static bool ends(const char *text, size_t length, const char *with)
{
    size_t of = strlen(with);
    return length >= of && memcmp(text + length - of, with, of) == 0;
}

/* The place of a word among others, from 1 on; 0: it is none of them. */
static size_t place_in(const char *words, const char *word)
{
    for (size_t place = 1, length = strlen(word); *words != '\0'; place++) {
        size_t of = strcspn(words, " ");
        if (of == length && memcmp(words, word, of) == 0)
            return place;
        words += of + (words[of] != '\0');
    }
    return 0;
}

static int64_t cost_of(const char *text)
{
    bool is_negative = *text == '-';
    return isdigit((unsigned char)text[is_negative])
               ? is_negative ? strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 10)
               : NO_COST;
}

/* name, file, line, object, costs of each event, a count, and what follows that. Old costs are before those of now. */
static const char *read_csv(const char *text, size_t length, struct figures *f)
{
    enum {
        OBJECT = 3,
        MOST = 4 * MOST_EVENTS + 16,
        SKIPPED = 0,
        IS_SELF,
        IS_INCLUSIVE,
        IS_COUNT
    } kinds[MOST] = {SKIPPED};
    const char *at = text, *end = text + length, *cell;
    size_t size, count = 0, events[MOST], old = 0;
    bool has_count = false;
    for (char last = ','; last == ',' && count < MOST; count++) {
        last = take_cell(&at, end, &cell, &size);
        if (count <= OBJECT || has_count || ends(cell, size, "%") || ends(cell, size, "allocated") ||
            ends(cell, size, "change") || ends(cell, size, "+/-"))
            continue;
        bool is_old = size > 4 && memcmp(cell, "old ", 4) == 0;
        kinds[count] = ends(cell, size, "inclusive") || ends(cell, size, "kept")  ? IS_INCLUSIVE
                       : ends(cell, size, "calls") || ends(cell, size, "samples") ? IS_COUNT
                                                                                  : IS_SELF;
        has_count |= kinds[count] == IS_COUNT;
        old += is_old;
        f->event_count += kinds[count] == IS_SELF && !is_old && f->event_count < MOST_EVENTS;
        events[count] = is_old ? 1 : old > 0 ? 0 : f->event_count - (f->event_count > 0);
    }
    while (at < end) {
        const char *texts[OBJECT + 1] = {NULL};
        struct row *row = NULL;
        char last = ',';
        for (size_t i = 0; i < count && last == ','; i++) {
            last = take_cell(&at, end, &cell, &size);
            if (i <= OBJECT)
                texts[i] = keep_text("%.*s", (int)size, cell);
            if (i == OBJECT)
                row = add_row(f, texts[0], strlen(texts[0]), texts[1], texts[OBJECT]);
            if (kinds[i] == IS_SELF)
                row->self[events[i]] = size > 0 ? cost_of(cell) : 0;
            else if (kinds[i] == IS_INCLUSIVE)
                row->inclusive[events[i]] = cost_of(cell);
            else if (kinds[i] == IS_COUNT)
                row->count = cost_of(cell);
        }
        if (last != '\n' || row == NULL)
            return "a row of CSV has other columns than the first one";
    }
    f->event_count = old > 0 ? 2 : f->event_count;
    return NULL;
}

/* ---- tables ------------------------------------------------------------------------------- */

/* The line from *at on, of which *at then is the next one; NULL: there is none. */
static char *take_line(const char **at)
{
    size_t length = strcspn(*at, "\n");
    if (**at == '\0')
        return NULL;
    char *line = keep_text("%.*s", (int)length, *at);
    *at += length + ((*at)[length] != '\0');
    return line;
}

/* Rows of numbers, one for each word of the heading up to `what`, and then a name. */
static const char *read_table(const char *text, const char *what, struct figures *f)
{
    enum { SKIPPED = 0, IS_SELF, IS_INCLUSIVE, IS_COUNT } kinds[4 * MOST_EVENTS + 16];
    size_t count = 0;
    f->event_count = 1;
    for (char *line; (line = take_line(&text)) != NULL;) {
        if (strncmp(line, "total: ", 7) == 0) {
            static const char others[] = "percentages are of the positive self costs, ";
            const char *of_others = strstr(line, others);
            f->shares[0] = cost_of(of_others != NULL ? of_others + strlen(others) : line + strspn(line, "total: "));
        }
        if (count == 0 && *line == ' ' && strstr(line, " % ") != NULL) {
            for (char *word = strtok(line, " "); word != NULL && place_in(what, word) == 0; word = strtok(NULL, " "))
                kinds[count++] = place_in("self", word) > 0             ? IS_SELF
                                 : place_in("inclusive kept", word) > 0 ? IS_INCLUSIVE
                                 : place_in("samples calls", word) > 0  ? IS_COUNT
                                                                        : SKIPPED;
            continue;
        }
        struct row row = {.self = {0}, .inclusive = {NO_COST}, .count = NO_COST};
        char *at = line;
        size_t place = 0;
        for (; place < count && (at += strspn(at, " "), isdigit((unsigned char)at[*at == '-']) || (*at != '\0' && at[1] == ' '));
             place++) {
            *(kinds[place] == IS_INCLUSIVE ? &row.inclusive[0]
              : kinds[place] == IS_COUNT   ? &row.count
              : kinds[place] == IS_SELF    ? &row.self[0]
                                           : &row.self[1]) = cost_of(at);
            at += strcspn(at, " ");
        }
        if (place < count || count == 0)
            continue;
        const char *name = at + strspn(at, " ");
        for (const char *blanks = name; strcmp(what, "line") == 0 && (blanks = strstr(blanks, "  ")) != NULL;)
            name = blanks += 2; /* after the line's place */
        struct row *added = add_row(f, name, strlen(name), NULL, NULL);
        added->self[0] = row.self[0];
        added->inclusive[0] = row.inclusive[0];
        added->count = row.count;
    }
    return NULL;
}

/* Lines of names, of which the last one has the cost. */
static const char *read_stacks(const char *text, struct figures *f)
{
    f->event_count = 1;
    for (char *line; (line = take_line(&text)) != NULL;) {
        char *blank = strrchr(line, ' ');
        if (blank == NULL || !isdigit((unsigned char)blank[1]))
            return "a stack has no cost";
        *blank = '\0';
        char *name = strrchr(line, ';') != NULL ? strrchr(line, ';') + 1 : line;
        add_row(f, name, strlen(name), NULL, NULL)->self[0] = cost_of(blank + 1);
    }
    return NULL;
}

/* ---- graphs: numbers are between a word and the share in brackets, the name is before its file ------------------ */

static int64_t cost_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    char digits[32];
    size_t used = 0;
    if (at == NULL)
        return NO_COST;
    for (at += strlen(word); *at == '-' || *at == ',' || isdigit((unsigned char)*at); at++)
        if (*at != ',' && used < sizeof digits - 1)
            digits[used++] = *at;
    digits[used] = '\0';
    return cost_of(digits);
}

static const char *read_dot(const char *text, struct figures *f)
{
    static const char tooltip[] = "\" tooltip=\"";
    f->event_count = 1;
    for (char *line; (line = take_line(&text)) != NULL;) {
        char *label = strstr(line, " [label=\""), *name = strstr(line, tooltip), *end = strstr(line, "\" fontsize=");
        if (*line != 'N' || end == NULL)
            continue;
        *name = *end = '\0';
        name += strlen(tooltip);
        char *costs = strstr(label, "\\nself ");
        for (char *next; (next = strstr(costs + 1, "\\nself ")) != NULL;) /* a name may have such a part */
            costs = next;
        char *file = strstr(name, " (");
        for (char *next; file != NULL && (next = strstr(file + 1, " (")) != NULL;)
            file = next;
        if (file != NULL)
            *file = '\0';
        struct row *row = add_row(f, name, strlen(name), NULL, NULL);
        row->self[0] = cost_after(costs, "\\nself ");
        row->inclusive[0] = cost_after(costs, strstr(costs, "\\nkept ") != NULL ? "\\nkept " : "\\nof ");
    }
    return NULL;
}

/* ---- the page ----------------------------------------------------------------------------- */

/* A text, or the place of one that occurred before, from 1 on. */
static const char *known(const struct json *value, const char **texts, size_t *count, size_t room)
{
    if (value == NULL || value->kind == '"') {
        if (value != NULL && *count < room)
            texts[(*count)++] = value->text;
        return value != NULL ? value->text : "";
    }
    return value->number == 0 ? "" : value->number <= (int64_t)*count ? texts[value->number - 1] : NULL;
}

/* The data of one event, as page.js describes them. Rows of all events are those of the first one, or new. */
static const char *read_page_event(const struct json *data, size_t event, struct figures *f)
{
    enum { SELF, INCLUSIVE, COUNT, BASE_SELF, BASE_INCLUSIVE, OF_FILE, CLASS, OBJECT, COLUMNS, ROOM = 4096 };
    static const char *const keys[COLUMNS] = {"self", "inclusive", "invocations", "selfBase", "inclusiveBase", "file",
                                              "class", "object"};
    const char *counts = text_of(data, "counts");
    bool are_two = json_get(data, "base") != NULL, counts_nothing = counts != NULL && strcmp(counts, "nothing") == 0;
    bool has_inclusive = json_number_of(data, "has_inclusive") == 1;
    const char **texts[COLUMNS] = {NULL}, *name = "";
    size_t known_counts[COLUMNS] = {0};
    const struct json *columns[COLUMNS];
    for (size_t k = 0; k < COLUMNS; k++) {
        columns[k] = json_at(json_get(data, keys[k]), 0);
        texts[k] = keep(ROOM * sizeof *texts[k]);
    }
    for (const struct json *next = json_at(json_get(data, "names"), 0); next != NULL; next = next->next) {
        const struct json *rest = next->next;
        if (rest == NULL || rest->kind != '"' || next->number > (int64_t)strlen(name))
            return "a function of the page has no name";
        name = keep_text("%.*s%s", (int)next->number, name, rest->text);
        next = rest;
        for (size_t k = 0; k < COLUMNS; k++)
            if (columns[k] == NULL && (are_two || k < BASE_SELF || k > BASE_INCLUSIVE))
                return "a list of the page is shorter than the names";
        const char *file = known(columns[OF_FILE], texts[OF_FILE], &known_counts[OF_FILE], ROOM);
        const char *object = known(columns[OBJECT], texts[OBJECT], &known_counts[OBJECT], ROOM);
        if (file == NULL || object == NULL || known(columns[CLASS], texts[CLASS], &known_counts[CLASS], ROOM) == NULL)
            return "a function of the page has an unknown file, class or object";
        struct row *row = add_row(f, name, strlen(name), file, object);
        row->self[event] = columns[SELF]->number;
        row->inclusive[event] = has_inclusive ? columns[INCLUSIVE]->number : NO_COST;
        row->count = event > 0 || counts_nothing ? NO_COST : columns[COUNT]->number;
        if (are_two) {
            row->self[1] = columns[BASE_SELF]->number;
            row->inclusive[1] = has_inclusive ? columns[BASE_INCLUSIVE]->number : NO_COST;
        }
        for (size_t k = 0; k < COLUMNS; k++)
            columns[k] = columns[k] != NULL ? columns[k]->next : NULL;
    }
    return NULL;
}

static const char *read_page(const char *text, struct figures *f)
{
    static const char start[] = "<div id=\"data\" hidden><!--", end[] = "--></div>", between[] = "--><!--";
    const char *wrong = NULL, *after = NULL;
    char *data = strstr(text, start);
    if (data == NULL || (after = strstr(data, end)) == NULL)
        return "the page has no data";
    data = keep_text("%.*s", (int)(after - data - (long)strlen(start)), data + strlen(start));
    for (char *mark = data; (mark = strstr(mark, between)) != NULL;)
        memset(mark, ' ', strlen(between));
    if (strstr(data, "--") != NULL)
        return "a name of the page ends its comment";
    f->parsed = json_parse(data, strlen(data));
    if (f->parsed == NULL)
        return "the data of the page are not JSON";
    for (const struct json *e = json_at(f->parsed, 0); e != NULL && wrong == NULL && f->event_count < MOST_EVENTS;
         e = e->next) {
        f->events[f->event_count] = text_of(e, "event");
        f->shares[f->event_count] = json_number_of(e, "percent_of");
        wrong = read_page_event(e, f->event_count++, f);
        if (json_get(e, "base") != NULL) {
            f->event_count = 2;
            break;
        }
    }
    return wrong;
}

/* ---- pprof -------------------------------------------------------------------------------- */

struct message {
    const unsigned char *at, *end;
    bool is_bad;
};

static uint64_t take_number(struct message *m)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (m->at == m->end || shift > 63)
            break;
        number |= (uint64_t)(*m->at & 0x7f) << shift;
        if ((*m->at++ & 0x80) == 0)
            return number;
    }
    m->is_bad = true;
    m->at = m->end;
    return 0;
}

/* The next field: its number, and its value or, if it is bytes, these. 0: there is none. */
static unsigned take_field(struct message *m, uint64_t *value, struct message *bytes)
{
    if (m->at == m->end)
        return 0;
    uint64_t key = take_number(m);
    *value = take_number(m);
    *bytes = (struct message){m->at, m->at, false};
    if ((key & 7) == 2) {
        m->is_bad |= *value > (uint64_t)(m->end - m->at);
        m->at = bytes->end = m->is_bad ? m->end : m->at + *value;
    }
    m->is_bad |= (key & 7) != 2 && (key & 7) != 0;
    return m->is_bad ? 0 : (unsigned)(key >> 3);
}

/* Numbers of a message by their fields, of which those of an inner message are from 8 on. */
static void take_fields(struct message m, uint64_t fields[16], bool *is_bad)
{
    uint64_t value;
    struct message inner;
    memset(fields, 0, 16 * sizeof *fields);
    for (unsigned field; (field = take_field(&m, &value, &inner)) != 0;) {
        fields[field & 7] = value;
        for (uint64_t within; inner.at < inner.end && field < 8;)
            fields[8 + (take_field(&inner, &within, &(struct message){NULL, NULL, false}) & 7)] = within;
    }
    *is_bad |= m.is_bad;
}

/* Samples by the function of their first location. Everything that is referred to must be there. */
static const char *read_pprof(const char *text, size_t length, struct figures *f)
{
    enum { SAMPLE = 2, MAPPING, LOCATION, FUNCTION, STRING, ROOM = 1 << 16, UNKNOWN = 0, LINE_FUNCTION = 8 + 1 };
    struct message all = {(const unsigned char *)text, (const unsigned char *)text + length, false}, m;
    uint32_t *functions = keep(ROOM * sizeof *functions), *names = keep(ROOM * sizeof *names);
    const char **strings = keep(ROOM * sizeof *strings);
    uint64_t value, fields[16], costs;
    size_t string_count = 0;
    bool is_bad = false, *has_mapping = keep(ROOM);
    f->event_count = 1;
    for (struct message rest = all; !is_bad;) {
        unsigned field = take_field(&rest, &value, &m);
        is_bad |= rest.is_bad || string_count == ROOM;
        if (field == 0 || is_bad)
            break;
        if (field == STRING)
            strings[string_count++] = keep_text("%.*s", (int)(m.end - m.at), (const char *)m.at);
        if (field < MAPPING || field > FUNCTION)
            continue;
        take_fields(m, fields, &is_bad);
        is_bad |= fields[1] == 0 || fields[1] >= ROOM || fields[2] >= ROOM || fields[LINE_FUNCTION] >= ROOM;
        if (is_bad)
            break;
        if (field == MAPPING)
            has_mapping[fields[1]] = true;
        else if (field == LOCATION)
            functions[fields[1]] = (uint32_t)fields[LINE_FUNCTION];
        else
            names[fields[1]] = (uint32_t)fields[2] + 1;
        is_bad |= field == LOCATION && fields[2] != 0 && !has_mapping[fields[2]];
    }
    for (struct message rest = all; !is_bad;) {
        unsigned field = take_field(&rest, &value, &m);
        if (field == 0)
            break;
        if (field != SAMPLE)
            continue;
        struct message path = {NULL, NULL, false}, values = path;
        is_bad |= take_field(&m, &value, &path) != 1 || take_field(&m, &value, &values) != 2;
        costs = take_number(&values);
        uint64_t place = is_bad ? UNKNOWN : take_number(&path);
        is_bad |= path.is_bad || place >= ROOM || names[functions[place < ROOM ? place : UNKNOWN]] == 0;
        if (!is_bad && names[functions[place]] > string_count)
            is_bad = true;
        if (is_bad)
            break;
        const char *name = strings[names[functions[place]] - 1];
        add_row(f, name, strlen(name), NULL, NULL)->self[0] = (int64_t)costs;
    }
    return is_bad || string_count == 0 || *strings[0] != '\0' ? "it is no profile of pprof that is whole" : NULL;
}

const char *figures_read(enum cg2wg_style style, const char *text, size_t length, struct figures *f)
{
    memset(f, 0, sizeof *f);
    switch (style) {
    case CG2WG_JSON: return read_json(text, length, f);
    case CG2WG_CSV: return read_csv(text, length, f);
    case CG2WG_TABLE: return read_table(text, "function file class object folder", f);
    case CG2WG_LINES: return read_table(text, "line", f);
    case CG2WG_TREE: return read_table(text, "stack", f);
    case CG2WG_STACKS: return read_stacks(text, f);
    case CG2WG_PAGE: return read_page(text, f);
    case CG2WG_PPROF: return read_pprof(text, length, f);
    case CG2WG_DOT: return read_dot(text, f);
    default: return NULL;
    }
}

/* ---- comparisons -------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static int by_place(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->place, ((const struct row *)b)->place);
}

static int64_t sum(int64_t a, int64_t b)
{
    return a == NO_COST ? b : b == NO_COST ? a : (int64_t)((uint64_t)a + (uint64_t)b);
}

static void add(struct row *to, const struct row *of)
{
    for (size_t i = 0; i < MOST_EVENTS; i++) {
        to->self[i] = sum(to->self[i], of->self[i]);
        to->inclusive[i] = sum(to->inclusive[i], of->inclusive[i]);
    }
    to->count = sum(to->count, of->count);
}

/* A copy of rows, with room for more. */
static struct row *copy_rows(const struct figures *f, size_t more)
{
    struct row *rows = keep((f->count + more + 1) * sizeof *rows);
    return f->count > 0 ? memcpy(rows, f->rows, f->count * sizeof *rows) : rows;
}

/* The rows, of which those that are the same are added, in order. */
static struct figures united(const struct figures *f, int (*compare)(const void *, const void *))
{
    struct figures to = *f;
    to.rows = copy_rows(f, 0);
    to.count = 0;
    qsort(to.rows, f->count, sizeof *to.rows, compare);
    for (size_t i = 0; i < f->count; i++)
        if (to.count > 0 && compare(&to.rows[to.count - 1], &to.rows[i]) == 0)
            add(&to.rows[to.count - 1], &to.rows[i]);
        else
            to.rows[to.count++] = to.rows[i];
    return to;
}

static const char *row_differs(const struct row *a, const struct row *b, size_t events, unsigned parts)
{
    static const struct row none = {.count = NO_COST};
    const struct row *row = a != NULL ? a : b;
    bool are_both = a != NULL && b != NULL;
    a = a != NULL ? a : &none;
    b = b != NULL ? b : &none;
#define DIFFERS(what, of_a, of_b) \
    keep_text("%s: %s is %lld, and not %lld", row->place, what, (long long)(of_a), (long long)(of_b))
    for (size_t i = 0; i < events; i++) {
        if ((parts & COSTS) != 0 && a->self[i] != b->self[i])
            return DIFFERS("its self cost", a->self[i], b->self[i]);
        bool is_missing = a->self[i] == 0 && sum(a->inclusive[i], b->inclusive[i]) == 0 &&
                          (a->inclusive[i] == NO_COST || b->inclusive[i] == NO_COST); /* from an event of a page */
        if ((parts & INCLUSIVES) != 0 && are_both && a->inclusive[i] != b->inclusive[i] && !is_missing)
            return DIFFERS("its inclusive cost", a->inclusive[i], b->inclusive[i]);
    }
    return (parts & COUNTS) != 0 && a->count != b->count && a->count != NO_COST && b->count != NO_COST
               ? DIFFERS("its count", a->count, b->count)
               : NULL;
}

const char *figures_differ(const struct figures *a, const struct figures *b, unsigned parts)
{
    int (*compare)(const void *, const void *) = (parts & BY_NAME) != 0 ? by_name : by_place;
    size_t i = 0, k = 0, events = a->event_count;
    const char *wrong = NULL;
    if (events != b->event_count)
        return keep_text("%zu events, and not %zu", events, b->event_count);
    for (size_t e = 0; e < events && (parts & SHARES) != 0; e++)
        if (a->shares[e] != b->shares[e])
            return keep_text("percentages of event %zu are of %lld, and not of %lld", e + 1, (long long)a->shares[e],
                             (long long)b->shares[e]);
    if ((parts & BY_ORDER) != 0 && a->count != b->count)
        return keep_text("%zu rows, and not %zu", a->count, b->count);
    if ((parts & BY_ORDER) == 0) {
        struct figures *of[] = {keep(sizeof *a), keep(sizeof *a)};
        *of[0] = united(a, compare);
        *of[1] = united(b, compare);
        a = of[0];
        b = of[1];
    }
    while (wrong == NULL && (i < a->count || k < b->count)) {
        int order = i == a->count             ? 1
                    : k == b->count           ? -1
                    : (parts & BY_ORDER) != 0 ? 0
                                              : compare(&a->rows[i], &b->rows[k]);
        wrong = row_differs(order <= 0 ? &a->rows[i] : NULL, order >= 0 ? &b->rows[k] : NULL, events, parts);
        i += order <= 0;
        k += order >= 0;
    }
    return wrong;
}

struct figures figures_sum(const struct figures *a, const struct figures *b)
{
    struct figures to = *a;
    to.rows = copy_rows(a, b->count);
    for (size_t i = 0; i < b->count; i++)
        to.rows[to.count++] = b->rows[i];
    for (size_t i = 0; i < a->event_count; i++)
        to.shares[i] = sum(to.shares[i], b->shares[i]);
    return to;
}

struct figures figures_event(const struct figures *f, size_t event)
{
    struct figures to = *f;
    to.rows = copy_rows(f, 0);
    to.event_count = 1;
    to.shares[0] = f->shares[event];
    for (size_t i = 0; i < to.count; i++) {
        to.rows[i].self[0] = to.rows[i].self[event];
        to.rows[i].inclusive[0] = to.rows[i].inclusive[event];
    }
    return to;
}

int64_t figures_self(const struct figures *f, size_t event)
{
    int64_t all = 0;
    for (size_t i = 0; i < f->count; i++)
        all = sum(all, f->rows[i].self[event]);
    return all;
}
