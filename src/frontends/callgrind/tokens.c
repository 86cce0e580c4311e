#include "frontends/callgrind/tokens.h"

#include "frontends/callgrind/keys.h"
#include "frontends/callgrind/quick_numbers.h"
#include "util/digits.h"

#include <stdlib.h>

enum {
    MAX_LINES = UINT16_MAX /* of a token */
};

/* ---- lines -------------------------------------------------------------------------------- */

HOT const char *take_line_of_form(const struct line_form *form, const char *p, struct token *token)
{
    bool is_relative;
    p = take_quick_positions(form, p, &token->u.at.line, &is_relative);
    token->key = is_relative ? LINE_IS_RELATIVE : 0;
    return p != NULL ? take_quick_costs(form, p, &token->cost) : NULL;
}

/* The code for any form is there once. */
HOT_LOOP APART static const char *take_any_cost_line(const struct line_form *form, const char *p,
                                                struct token *token)
{
    return take_line_of_form(form, p, token);
}

/* is_usual: the form is a constant, which has code of its own. */
HOT const char *take_cost_line(const struct line_form *form, bool is_usual, const char *p,
                               struct token *token)
{
    return is_usual ? take_line_of_form(form, p, token) : take_any_cost_line(form, p, token);
}

/* Takes a line of a jump, and the cost line after it if that has a usual form. */
HOT const char *take_jump(const struct line_form *form, const char *p, const char *end, struct token *token)
{
    const char *next = find_newline(p) + 1, *after = NULL;
    if (has_costs_in_tokens(form) && next < end && begins_cost_line(*next))
        after = take_any_cost_line(form, next, token);
    token->kind = TOKEN_JUMP;
    token->lines = after != NULL ? 2 : 1;
    return after != NULL ? after : next;
}

/* May it be added to others? No sum of a token leaves 64 bits. */
HOT bool may_be_added(cost_t cost)
{
    return cost >= 0 && cost <= INT64_MAX / MAX_LINES;
}

HOT bool begins_jump(const char *p)
{
    return memcmp(p, "jcnd=", 5) == 0 || memcmp(p, "jump=", 5) == 0;
}

/*
 * Steps over lines that differ from the one from `p` to *after only in their first position, which is +N: for
 * Valgrind, these are the instructions that run together. Returns how many; there may be `most`.
 */
HOT unsigned skip_same_costs(const char *p, const char **after, const char *end, unsigned most)
{
    const char *next = *after, *rest = skip_quick_position(p);
    size_t length = (size_t)(next - rest);
    if (length > sizeof(uint64_t))
        return 0;
    uint64_t unused = 64 - 8 * length, wanted = little8(rest) << unused;
    unsigned count = 0;
    while (next < end && count < most && *next == '+' && char_is_digit(next[1]) &&
           little8(next + 2) << unused == wanted) {
        next += 2 + length;
        count++;
    }
    *after = next;
    return count;
}

/*
 * Takes a cost line. If it can only be of a self cost, also the cost lines after it, and jumps among them if
 * these do not count. The line is taken at one place, because its code is long.
 */
HOT const char *take_costs(const struct line_form *form, bool is_usual, const char *p, const char *end,
                           bool is_self, struct token *token)
{
    struct token next;
    uint64_t line = 0;
    bool is_relative = true;
    cost_t cost = 0;
    unsigned lines = 0;
    while (p < end && lines < MAX_LINES) {
        const char *after;
        if (begins_cost_line(*p)) {
            after = take_cost_line(form, is_usual, p, &next);
            if (after == NULL || (lines > 0 && !may_be_added(next.cost)))
                break;
            if (lines == 0) {
                token->u.at.line = next.u.at.line;
                token->key = next.key;
            }
            line = next.u.at.line + (next.key & LINE_IS_RELATIVE ? line : 0);
            is_relative &= next.key;
            cost += next.cost;
            lines++;
            if (form->line_position != 0 && is_self && may_be_added(next.cost)) {
                unsigned same = skip_same_costs(p, &after, end, MAX_LINES - lines);
                line += next.key & LINE_IS_RELATIVE ? next.u.at.line * same : 0;
                cost += next.cost * same;
                lines += same;
            }
        } else if (!form->jumps_count && lines < MAX_LINES - 1 && *p == 'j' && begins_jump(p)) {
            after = take_jump(form, p, end, &next);
            if (next.lines < 2)
                break;
            lines += 2;
        } else {
            break;
        }
        p = after;
        if (lines == 1 && !(is_self && may_be_added(cost)))
            break;
    }
    token->kind = lines > 1 ? TOKEN_COSTS : TOKEN_COST;
    token->key |= is_relative ? END_IS_RELATIVE : 0;
    token->lines = (uint16_t)lines;
    token->u.at.end = line;
    token->cost = cost;
    return lines > 0 ? p : NULL;
}

/* ---- names in full ------------------------------------------------------------------------ */

struct local_name {
    uint32_t hash, number;
    uint32_t length; /* 0: the slot is free */
    uint32_t at;     /* in texts */
};

enum {
    NAME_SLOTS_BITS = 15, /* four times as many slots as names */
    MAX_NAME_TEXTS = 1 << 20,
    MIN_NAME = 8,
    MAX_PROBES = 16
};

void local_names_free(struct local_names *names)
{
    free(names->slots);
    free(names->texts);
    *names = (struct local_names){0};
}

/* Of bytes that mostly distinguish names: the first ones, the last ones and those in the middle. */
HOT uint32_t hash_of_name(const struct local_names *names, const char *p, size_t size)
{
    uint64_t ends = little8(p) + size, middle = little8(p + size / 2 - 4);
    return (uint32_t)(hash_fold(ends ^ names->seed.a, (middle ^ names->seed.b) + little8(p + size - 8)) >>
                      32);
}

/*
 * The slot with this name, or the free one where it belongs. NULL: it has none, because too many
 * names share a hash, which ignores most of their bytes.
 */
HOT struct local_name *find_name(const struct local_names *names, uint32_t hash, const char *p, size_t size)
{
    uint32_t first = hash >> (32 - NAME_SLOTS_BITS);
    for (uint32_t i = 0; i < MAX_PROBES; i++) {
        struct local_name *name = &names->slots[(first + i) & ((1 << NAME_SLOTS_BITS) - 1)];
        if (name->length == 0 ||
            (name->hash == hash && name->length == size && same_bytes(names->texts + name->at, p, size)))
            return name;
    }
    return NULL;
}

static bool make_room_for_names(struct local_names *names)
{
    if (names->slots == NULL)
        names->slots = calloc(1 << NAME_SLOTS_BITS, sizeof *names->slots);
    if (names->texts == NULL)
        names->texts = malloc(MAX_NAME_TEXTS);
    if (names->count == 0)
        names->seed = hash_seed_draw();
    return names->slots != NULL && names->texts != NULL;
}

/* The number of the name that a line consists of from `p` to `end`, or NO_LOCAL_NAME. */
HOT_LOOP APART static uint32_t number_of_name(const struct local_names *names, const char *p, const char *end)
{
    size_t size = (size_t)(end - p);
    if (size < MIN_NAME || names == NULL || names->count == 0)
        return NO_LOCAL_NAME;
    const struct local_name *name = find_name(names, hash_of_name(names, p, size), p, size);
    return name != NULL && name->length > 0 ? name->number : NO_LOCAL_NAME;
}

/* Does a name have no blanks around it? */
HOT bool is_trimmed(const char *p, const char *end)
{
    return p < end && !char_is_blank(*p) && !char_is_blank(end[-1]) && end[-1] != '\r';
}

/* Adds such a name, which is new. NO_LOCAL_NAME: it cannot be taken as it is, or there is no room. */
static uint32_t add_name(struct local_names *names, const char *p, const char *end)
{
    size_t size = (size_t)(end - p);
    if (names == NULL || size < MIN_NAME || *p == '(' || !is_trimmed(p, end) || !make_room_for_names(names) ||
        names->count == MAX_LOCAL_NAMES || size > MAX_NAME_TEXTS - names->size)
        return NO_LOCAL_NAME;
    uint32_t hash = hash_of_name(names, p, size);
    struct local_name *slot = find_name(names, hash, p, size);
    if (slot == NULL)
        return NO_LOCAL_NAME;
    *slot = (struct local_name){hash, names->count, (uint32_t)size, (uint32_t)names->size};
    memcpy(names->texts + names->size, p, size);
    names->size += size;
    return names->count++;
}

/* The start of the next line, if this one ends at `p` with the parenthesis of an alias; otherwise NULL. */
HOT const char *after_alias(const char *p)
{
    if (LIKELY(memcmp(p, ")\n", 2) == 0))
        return p + 2;
    return memcmp(p, ")\r\n", 3) == 0 ? p + 3 : NULL;
}

/* Takes KEY=(ID), KEY=(ID) NAME or KEY=NAME. */
HOT const char *take_name(const struct line_form *form, const char *start, unsigned length,
                          struct local_names *names, struct token *token)
{
    const char *p = start + length;
    const char *next = *p == '(' ? take_quick_number(p + 1, &token->u.id) : NULL;
    token->kind = TOKEN_ALIAS;
    const char *after = next != NULL ? after_alias(next) : NULL;
    if (after != NULL && token->u.id < LOCAL_NAME)
        return after;
    const char *end = find_newline(p);
    if (next != NULL && memcmp(next, ") ", 2) == 0 && token->u.id < LOCAL_NAME && is_trimmed(next + 2, end)) {
        token->kind = TOKEN_NAME;
        token->u.name.id = (uint32_t)token->u.id;
        token->u.name.at = (uint32_t)(next + 2 - start);
        token->u.name.number = NO_LOCAL_NAME;
        struct hash_seed seed = form->names_seed; /* a copy, so that the form stays known to the compiler */
        token->u.name.hash = hash_text(&seed, (struct text){next + 2, end});
        return end + 1;
    }
    uint32_t number = number_of_name(names, p, end);
    token->u.id = LOCAL_NAME + (uint64_t)number;
    if (number != NO_LOCAL_NAME)
        return end + 1;
    token->kind = TOKEN_NAME;
    token->u.name.at = length;
    token->u.name.number = add_name(names, p, end);
    token->u.name.id = LOCAL_NAME;
    return end + 1;
}

/* Takes a line with a key. */
HOT const char *take_position_line(const struct line_form *form, const char *p, const char *end,
                                   struct local_names *names, struct token *token)
{
    unsigned length;
    enum position_kind kind = find_key(p, &length);
    token->key = (uint8_t)kind;
    if (space_of(kind) != NO_NAMES)
        return take_name(form, p, length, names, token);
    if (kind == POSITION_JUMP)
        return take_jump(form, p, end, token);
    if (kind != POSITION_CALLS)
        return NULL;
    p = take_quick_number(p + length, &token->u.count);
    token->kind = TOKEN_CALLS;
    if (p == NULL || *p != ' ')
        return NULL;
    return memcmp(p, " 0 0\n", 5) == 0 ? p + 5 : find_newline(p) + 1;
}

/* ---- groups of lines ---------------------------------------------------------------------- */

/* Takes KEY=(ID) or KEY=NAME, and the line's end. `prefix` is `KEY=(`. */
HOT const char *take_reference(const char *p, const char *end, const char *prefix,
                               const struct local_names *names, uint32_t *id)
{
    size_t length = strlen(prefix);
    if (LIKELY(memcmp(p, prefix, length) == 0)) {
        p = take_short_number(p + length, LOCAL_NAME - 1, id);
        return p != NULL ? after_alias(p) : NULL;
    }
    p += length - 1;
    if (names == NULL || p >= end || memcmp(p - length + 1, prefix, length - 1) != 0)
        return NULL;
    const char *newline = find_newline(p);
    uint32_t local = number_of_name(names, p, newline);
    *id = LOCAL_NAME + local;
    return local != NO_LOCAL_NAME ? newline + 1 : NULL;
}

/* Takes two costs, for a list of events. */
HOT const char *take_both_costs(const struct line_form *form, const char *p, cost_t *first, int32_t *second)
{
    cost_t other = 0;
    *first = 0;
    if (*p == ' ')
        p = take_quick_cost(p + 1, first);
    if (form->columns == 2 && p != NULL && *p == ' ')
        p = take_quick_cost(p + 1, &other);
    *second = (int32_t)other;
    return p != NULL && *second == other ? after_line(p) : NULL;
}

/* The costs of a group, of any form. */
HOT_LOOP APART static const char *take_any_costs(const struct line_form *form, const char *p, cost_t *cost,
                                                 int32_t *other)
{
    return form->wanted == ALL_COSTS ? take_both_costs(form, p, cost, other)
                                     : take_quick_costs(form, p, cost);
}

/*
 * Takes a group of lines that Xdebug writes as a whole, which are nearly all of its lines, from the `fl=` of a
 * record or of `cfl=` on. is_usual: see take_cost_line.
 */
HOT const char *take_group(const struct line_form *form, bool is_usual, const char *p, const char *end,
                           const struct local_names *names, bool is_call, struct token *token)
{
    static const char calls[] = "calls=1 0 0";
    if (form->positions != 1 || (form->wanted == ALL_COSTS && form->columns > 2))
        return NULL;
    token->kind = is_call ? TOKEN_CALL : TOKEN_RECORD;
    token->key = 0;
    token->lines = 4;
    p = take_reference(p, end, "fl=(", names, &token->u.group.file);
    if (p == NULL || (is_call && *p++ != 'c'))
        return NULL;
    p = take_reference(p, end, "fn=(", names, &token->u.group.function);
    if (p != NULL && is_call)
        p = memcmp(p, calls, sizeof calls - 1) == 0 ? after_line(p + sizeof calls - 1) : NULL;
    if (p == NULL)
        return NULL;
    p = take_short_number(p, UINT32_MAX, &token->u.group.line);
    token->u.group.other_cost = 0;
    if (p != NULL)
        p = is_usual ? take_quick_costs(form, p, &token->cost)
                     : take_any_costs(form, p, &token->cost, &token->u.group.other_cost);
    return p;
}

size_t tokens_cut(struct text text)
{
    enum { STEP = 64 };
    size_t cut = 0, start = text_length(text);
    while (cut == 0 && start > 0) {
        /* They overlap, so that both newlines of a blank line are in one. */
        start = start > STEP - 1 ? start - (STEP - 1) : 0;
        uint64_t newlines = find_newlines(text.at + start);
        for (uint64_t blank = newlines & newlines >> 1; blank != 0; blank &= blank - 1) {
            size_t at = start + (size_t)__builtin_ctzll(blank) + 1;
            cut = at < text_length(text) && tokens_begin_record(text.at + at) ? at : cut;
        }
    }
    return cut;
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Takes blank lines, but not the one that a record begins with, unless that is the first one. */
HOT const char *take_blanks(const char *p, const char *end, struct token *token)
{
    const char *next;
    token->kind = TOKEN_BLANKS;
    for (token->lines = 0; p < end && token->lines < MAX_LINES; p = next) {
        next = after_line(p);
        if (next == NULL || (token->lines > 0 && tokens_begin_record(p)))
            break;
        token->lines++;
    }
    return token->lines > 0 ? p : NULL;
}

/* Takes a line at `p`, or several of its kind. *is_self: can a cost line only be of a self cost? */
HOT const char *take_lines(struct tokens *tokens, const struct line_form *form, bool is_usual, const char *p,
                           const char *end, bool *is_self, struct token *token)
{
    const char *next = NULL;
    token->kind = TOKEN_LINE;
    token->lines = 1;
    if (*p == '\n' || *p == '\r') {
        next = take_blanks(p, end, token);
    } else if (*p >= 'a') {
        next = take_position_line(form, p, end, tokens->names, token);
        *is_self = token->kind == TOKEN_ALIAS || token->kind == TOKEN_NAME || token->lines == 2;
    } else if (has_costs_in_tokens(form)) {
        next = take_costs(form, is_usual, p, end, *is_self, token);
        *is_self = true;
    } else if (begins_cost_line(*p)) {
        token->kind = TOKEN_COST_TEXT;
        next = find_newline(p) + 1;
        *is_self = true;
    }
    if (next == NULL) {
        token->kind = TOKEN_LINE;
        token->lines = 1;
        next = find_newline(p) + 1;
        *is_self = false;
    }
    return next;
}

/* May a group of lines begin here? */
HOT bool may_begin_group(const char *p)
{
    return *p == 'c' ? p[2] == 'l' : *p == '\r' || (*p == '\n' && p[1] == 'f' && p[2] == 'l');
}

/* Takes groups of lines as long as there are any. */
HOT const char *take_groups(struct tokens *tokens, const struct line_form *form, bool is_usual, const char *p,
                            const char *end, bool stop_at_records)
{
    struct token *token = tokens->tokens + tokens->count, *last = tokens->tokens + tokens->capacity;
    for (; p < end && token < last; token++) {
        const char *start = p + (*p == '\r');
        bool is_call = *p == 'c', may_begin = is_call || *start == '\n';
        if (!may_begin || (stop_at_records && !is_call && token > tokens->tokens && tokens_begin_record(p)))
            break;
        const char *next = is_call ? take_group(form, is_usual, p + 1, end, tokens->names, true, token)
                                   : take_group(form, is_usual, start + 1, end, tokens->names, false, token);
        if (next == NULL)
            break;
        token->size = (uint32_t)(next - p);
        p = next;
    }
    tokens->count = (size_t)(token - tokens->tokens);
    return p;
}

/* These two are no part of the loop over lines, so that what their own loop needs is in registers. */
HOT_LOOP APART static const char *take_usual_groups(struct tokens *tokens, size_t columns, const char *p,
                                                    const char *end, bool stop_at_records)
{
    struct line_form usual = {.positions = 1, .wanted = ONE_COST, .columns = columns};
    return take_groups(tokens, &usual, true, p, end, stop_at_records);
}

HOT_LOOP APART static const char *take_other_groups(struct tokens *tokens, struct line_form form,
                                                    const char *p, const char *end, bool stop_at_records)
{
    return take_groups(tokens, &form, false, p, end, stop_at_records);
}

/* Takes as many tokens as there are, and room for. */
HOT const char *make_tokens(struct tokens *tokens, const struct line_form *form, bool is_usual, const char *p,
                            const char *end, bool stop_at_records)
{
    bool is_self = false;
    struct token *token = tokens->tokens, *last = token + tokens->capacity;
    while (p < end && token < last) {
        if (form->positions == 1 && may_begin_group(p)) {
            const char *start = p;
            tokens->count = (size_t)(token - tokens->tokens);
            p = is_usual ? take_usual_groups(tokens, form->columns, p, end, stop_at_records)
                         : take_other_groups(tokens, *form, p, end, stop_at_records);
            token = tokens->tokens + tokens->count;
            is_self |= p > start;
            if (p >= end || token >= last)
                break;
        }
        if (stop_at_records && token > tokens->tokens && tokens_begin_record(p))
            break;
        const char *next = take_lines(tokens, form, is_usual, p, end, &is_self, token);
        if (UNLIKELY((size_t)(next - p) > UINT32_MAX))
            break;
        token->size = (uint32_t)(next - p);
        token++;
        p = next;
    }
    tokens->count = (size_t)(token - tokens->tokens);
    return p;
}

const char *tokens_make(struct tokens *tokens, const struct line_form *form, struct text text,
                        bool stop_at_records)
{
    /* What is constant here has code of its own. */
    struct line_form only = *form;
    if (form->wanted == ALL_COSTS && form->columns == 1) {
        only.wanted = ONE_COST;
        only.first = 0;
        form = &only;
    }
    struct line_form usual = {.wanted = ONE_COST,
                              .jumps_count = form->jumps_count,
                              .columns = form->columns,
                              .names_seed = form->names_seed};
    if (form->wanted == ONE_COST && form->first == 0 && form->positions == 1 && form->line_position == 0) {
        usual.positions = 1;
        return make_tokens(tokens, &usual, true, text.at, text.end, stop_at_records);
    }
    if (form->wanted == ONE_COST && form->first == 0 && form->positions == 2 && form->line_position == 1) {
        usual.positions = 2;
        usual.line_position = 1;
        return make_tokens(tokens, &usual, true, text.at, text.end, stop_at_records);
    }
    return make_tokens(tokens, form, false, text.at, text.end, stop_at_records);
}
