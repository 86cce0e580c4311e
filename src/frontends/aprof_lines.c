#include "frontends/aprof_lines.h"

bool aprof_split_tag(struct text line, struct text *tag, struct text *value)
{
    *tag = (struct text){line.at, line.at};
    while (tag->end < line.end && char_is_alpha(*tag->end))
        tag->end++;
    if (text_is_empty(*tag) || (tag->end < line.end && *tag->end != ' '))
        return false;
    *value = (struct text){tag->end + (tag->end < line.end), line.end};
    return true;
}

/* ---- fields ------------------------------------------------------------------------------- */

bool aprof_take_number(struct text *t, uint64_t *number, bool *overflow)
{
    struct text rest = *t;
    if (!text_take_number(&rest, number, overflow) ||
        (!text_is_empty(rest) && !char_is_blank(*rest.at)))
        return false;
    text_skip_blanks(&rest);
    *t = rest;
    return true;
}

bool aprof_take_id(struct text *t, uint64_t *id)
{
    bool overflow = false;
    return aprof_take_number(t, id, &overflow) && !overflow;
}

/* Takes the last word and the blanks before it from the end. */
static struct text take_last_word(struct text *t)
{
    struct text whole = text_trim(*t), word = {whole.end, whole.end};
    while (word.at > whole.at && !char_is_blank(word.at[-1]))
        word.at--;
    *t = text_trim((struct text){whole.at, word.at});
    return word;
}

/* The position of the last `c`; `t.end` if there is none. */
static const char *find_last(struct text t, char c)
{
    for (const char *p = t.end; p > t.at; p--)
        if (p[-1] == c)
            return p - 1;
    return t.end;
}

bool aprof_take_quoted(struct text *t, struct text *quoted)
{
    const char *close = find_last(*t, '"');
    if (text_is_empty(*t) || *t->at != '"' || close == t->end || close == t->at)
        return false;
    *quoted = (struct text){t->at + 1, close};
    *t = text_trim((struct text){close + 1, t->end});
    return true;
}

/*
 * `"NAME" "OBJECT" ID`. Quotes in names are not escaped, as in `operator"" _x`, so the last `" "`
 * separates name and object. Some builds wrote another number after the id.
 */
static bool split_quoted_routine(struct text value, struct text *name, struct text *object,
                                 uint64_t *id)
{
    struct text both;
    if (!aprof_take_quoted(&value, &both) || !aprof_take_id(&value, id))
        return false;
    for (const char *p = both.end; p - both.at >= 3; p--) {
        if (memcmp(p - 3, "\" \"", 3) != 0)
            continue;
        *name = (struct text){both.at, p - 3};
        *object = (struct text){p, both.end};
        return true;
    }
    return false;
}

/* `NAME [ADDRESS] OBJECT ID`, in version 0; the name may contain blanks. */
static bool split_plain_routine(struct text value, struct text *name, struct text *object,
                                uint64_t *id)
{
    struct text word = take_last_word(&value), rest;
    bool overflow = false;
    uint64_t address;
    if (!aprof_take_id(&word, id))
        return false;
    *object = take_last_word(&value);
    rest = value;
    word = take_last_word(&rest);
    if (aprof_take_number(&word, &address, &overflow) && !text_is_empty(rest))
        value = rest;
    *name = value;
    return !text_is_empty(value);
}

bool aprof_split_routine(struct text value, bool may_be_plain, struct text *name, struct text *object,
                         uint64_t *id)
{
    return split_quoted_routine(value, name, object, id) ||
           (may_be_plain && split_plain_routine(value, name, object, id));
}

cost_t aprof_cost(uint64_t number, bool *overflow)
{
    if (number <= INT64_MAX)
        return (cost_t)number;
    *overflow = true;
    return INT64_MAX;
}

/* ---- tuples ------------------------------------------------------------------------------- */

/* The fields after the id, by version. */
static const struct layout {
    size_t needed; /* some builds left out the rest */
    size_t count;
    unsigned char fields[MAX_FIELDS]; /* enum field */
} layouts[] = {
    {3, 3, {FIELD_SIZE, FIELD_AVERAGE, FIELD_CALLS}},
    {6, 6, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_OTHER, FIELD_CALLS}},
    {7, 7, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_CALLS, FIELD_REAL, FIELD_SELF}},
    {7, 9, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_CALLS, FIELD_REAL, FIELD_SELF,
            FIELD_SELF_MIN, FIELD_SELF_MAX}},
    {8, 11, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_OTHER, FIELD_CALLS, FIELD_REAL,
             FIELD_SELF, FIELD_SELF_MIN, FIELD_SELF_MAX, FIELD_OTHER}},
    {8, 17, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_OTHER, FIELD_CALLS, FIELD_REAL,
             FIELD_SELF, FIELD_SELF_MIN, FIELD_SELF_MAX, FIELD_OTHER, FIELD_OTHER, FIELD_OTHER,
             FIELD_SYSCALL_INPUT, FIELD_THREAD_INPUT, FIELD_SELF_SYSCALL_INPUT,
             FIELD_SELF_THREAD_INPUT}},
};

enum { LAST_LAYOUT = sizeof layouts / sizeof layouts[0] - 1 };

static const struct layout *layout_of(uint64_t version)
{
    return &layouts[version < LAST_LAYOUT ? version : LAST_LAYOUT];
}

size_t aprof_numbers_needed(uint64_t version)
{
    return layout_of(version)->needed;
}

static cost_t product(cost_t cost, uint64_t count)
{
    cost_t result;
    if (cost == 0 || count == 0)
        return 0;
    if (count > INT64_MAX || __builtin_mul_overflow(cost, (cost_t)count, &result))
        return INT64_MAX;
    return result;
}

/* Version 0 has an average, rounded down, instead of a sum; version 1 has no further fields. */
static void compute_costs(uint64_t version, struct tuple *t)
{
    t->costs.calls = t->fields[FIELD_CALLS];
    t->costs.sum = version == 0
                       ? product(aprof_cost(t->fields[FIELD_AVERAGE], &t->overflow), t->costs.calls)
                       : aprof_cost(t->fields[FIELD_SUM], &t->overflow);
    t->costs.real = t->costs.sum;
    if (version >= FIRST_WITH_SELF) {
        t->costs.real = aprof_cost(t->fields[FIELD_REAL], &t->overflow);
        t->costs.self = aprof_cost(t->fields[FIELD_SELF], &t->overflow);
    }
}

bool aprof_read_tuple(uint64_t version, struct text rest, struct tuple *t)
{
    const struct layout *layout = layout_of(version);
    *t = (struct tuple){.overflow = false};
    for (size_t i = 0; i < FIELD_COUNT; i++)
        t->fields[i] = FIELD_MISSING;
    for (size_t i = 0; i < layout->count; i++) {
        enum field field = (enum field)layout->fields[i];
        bool is_there = field == FIELD_OTHER
                            ? !text_is_empty(text_take_word(&rest))
                            : aprof_take_number(&rest, &t->fields[field], &t->overflow);
        if (!is_there && i < layout->needed)
            return false;
        if (!is_there)
            break;
    }
    compute_costs(version, t);
    return true;
}
