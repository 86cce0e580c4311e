#include "read/aprof_lines.h"

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

bool aprof_take_quoted(struct text *t, struct text *quoted)
{
    const char *end = t->end;
    while (end > t->at && end[-1] != '"')
        end--;
    if (!text_starts(*t, "\"") || end - t->at < 2)
        return false;
    *quoted = (struct text){t->at + 1, end - 1};
    *t = text_trim((struct text){end, t->end});
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
    uint64_t address;
    if (!aprof_take_id(&word, id))
        return false;
    *object = take_last_word(&value);
    rest = value;
    word = take_last_word(&rest);
    if (aprof_take_number(&word, &address, NULL) && !text_is_empty(rest))
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

/* ---- tuples ------------------------------------------------------------------------------- */

/* Where a number goes; 0: nowhere. Sums of squares wrap around, or are not 64-bit numbers. */
#define FIELD(name) offsetof(struct cg2wg_size_cost, name)
enum { NOT_USED = 0 };

/* The fields after the id, by version. Version 0 has the average, rounded down, instead of the sum. */
static const struct tuple_layout {
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

/* Sets a field. The largest number of 64 bits is an unknown one, except in a sum. */
static void set(struct cg2wg_size_cost *tuple, size_t field, uint64_t number, bool *overflow)
{
    bool is_sum = field == FIELD(sum) || field == FIELD(outermost) || field == FIELD(self);
    bool is_count = field == FIELD(size) || field == FIELD(calls);
    if (!is_count && number > INT64_MAX && (is_sum || number != UINT64_MAX)) {
        number = INT64_MAX;
        *overflow |= is_sum;
    }
    memcpy((char *)tuple + field, &number, sizeof number);
}

size_t aprof_read_tuple(uint64_t version, struct text rest, struct cg2wg_size_cost *tuple, bool *overflow)
{
    const struct tuple_layout *layout = &layouts[version < LAST_LAYOUT ? version : LAST_LAYOUT];
    memset(tuple, 0xff, sizeof *tuple); /* SIZE_COST_UNKNOWN */
    for (size_t i = 0; i < layout->count; i++) {
        size_t field = layout->fields[i];
        uint64_t number;
        bool is_there = field == NOT_USED ? !text_is_empty(text_take_word(&rest))
                                          : aprof_take_number(&rest, &number, overflow);
        if (!is_there && i < layout->needed)
            return layout->needed;
        if (!is_there)
            break;
        if (field != NOT_USED)
            set(tuple, field, number, overflow);
    }
    if (version == 0)
        cost_multiply(&tuple->sum, tuple->calls);
    return 0;
}
