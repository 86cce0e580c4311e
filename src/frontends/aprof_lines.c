#include "frontends/aprof_lines.h"

#include <stddef.h>

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

/* Where a number goes; 0: nowhere. Sums of squares wrap around, or are not 64-bit numbers. */
#define FIELD(name) offsetof(struct cg2wg_size_cost, name)
enum { NOT_USED = 0 };

/* The fields after the id, by version. Version 0 has the average, rounded down, instead of the sum. */
static const struct layout {
    size_t needed; /* some builds left out the rest */
    size_t count;
    unsigned char fields[17];
} layouts[] = {
    {3, 3, {FIELD(size), FIELD(sum), FIELD(calls)}},
    {6, 6, {FIELD(size), FIELD(min), FIELD(max), FIELD(sum), NOT_USED, FIELD(calls)}},
    {7, 7, {FIELD(size), FIELD(min), FIELD(max), FIELD(sum), FIELD(calls), FIELD(outermost), FIELD(self)}},
    {7, 9, {FIELD(size), FIELD(min), FIELD(max), FIELD(sum), FIELD(calls), FIELD(outermost), FIELD(self),
            FIELD(self_min), FIELD(self_max)}},
    {8, 11, {FIELD(size), FIELD(min), FIELD(max), FIELD(sum), NOT_USED, FIELD(calls), FIELD(outermost),
             FIELD(self), FIELD(self_min), FIELD(self_max), NOT_USED}},
    /* From syscall_input on, these are written only with the metric drms. */
    {8, 17, {FIELD(size), FIELD(min), FIELD(max), FIELD(sum), NOT_USED, FIELD(calls), FIELD(outermost),
             FIELD(self), FIELD(self_min), FIELD(self_max), NOT_USED, NOT_USED, NOT_USED,
             FIELD(syscall_input), FIELD(thread_input), FIELD(self_syscall_input),
             FIELD(self_thread_input)}},
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

/* Sets a field. The largest number of 64 bits is an unknown one, except in a sum. */
static void set(struct cg2wg_size_cost *tuple, size_t field, uint64_t number, bool *overflow)
{
    bool is_sum = field == FIELD(sum) || field == FIELD(outermost) || field == FIELD(self), ignored;
    bool is_cost = field != FIELD(size) && field != FIELD(calls);
    if (is_cost && (is_sum || number != UINT64_MAX))
        number = (uint64_t)aprof_cost(number, is_sum ? overflow : &ignored);
    memcpy((char *)tuple + field, &number, sizeof number);
}

bool aprof_read_tuple(uint64_t version, struct text rest, struct cg2wg_size_cost *tuple, bool *overflow)
{
    const struct layout *layout = layout_of(version);
    memset(tuple, 0xff, sizeof *tuple); /* SIZE_COST_UNKNOWN */
    for (size_t i = 0; i < layout->count; i++) {
        size_t field = layout->fields[i];
        uint64_t number;
        bool is_there = field == NOT_USED ? !text_is_empty(text_take_word(&rest))
                                          : aprof_take_number(&rest, &number, overflow);
        if (!is_there && i < layout->needed)
            return false;
        if (!is_there)
            break;
        if (field != NOT_USED)
            set(tuple, field, number, overflow);
    }
    if (version == 0)
        tuple->sum = product(tuple->sum, tuple->calls);
    return true;
}
