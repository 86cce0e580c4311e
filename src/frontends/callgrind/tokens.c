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

/* ---- lines with keys ---------------------------------------------------------------------- */

/* The end of the name, possibly empty, from `p` to the line's end. NULL: there are blanks around it. */
HOT const char *end_of_name(const char *p, const char *newline)
{
    const char *end = newline[-1] == '\r' ? newline - 1 : newline;
    return p == end || !(char_is_blank(*p) || char_is_blank(end[-1])) ? end : NULL;
}

/* The start of the next line, if this one ends at `p` with the parenthesis of an alias; otherwise NULL. */
HOT const char *after_alias(const char *p)
{
    if (LIKELY(memcmp(p, ")\n", 2) == 0))
        return p + 2;
    return memcmp(p, ")\r\n", 3) == 0 ? p + 3 : NULL;
}

/* Takes KEY=(ID), KEY=(ID) NAME or KEY=NAME. */
HOT const char *take_name(const struct line_form *form, const char *start, unsigned length, struct token *token)
{
    const char *p = start + length;
    const char *next = *p == '(' ? take_quick_number(p + 1, &token->u.id) : NULL;
    uint64_t id = NO_ALIAS;
    token->kind = TOKEN_ALIAS;
    const char *after = next != NULL ? after_alias(next) : NULL;
    if (after != NULL && token->u.id < NO_ALIAS)
        return after;
    if (next != NULL) {
        id = token->u.id;
        p = next + 2;
        if (id >= NO_ALIAS || memcmp(next, ") ", 2) != 0)
            return NULL;
    } else if (*p == '(' && char_is_digit(p[1])) {
        return NULL;
    }
    const char *newline = find_newline(p), *end = end_of_name(p, newline);
    if (end == NULL || (end == p && id != NO_ALIAS))
        return NULL;
    struct hash_seed seed = form->names_seed; /* a copy, so that the form stays known to the compiler */
    token->kind = TOKEN_NAME;
    token->u.name.at = (uint32_t)(p - start);
    token->u.name.length = (uint32_t)(end - p);
    token->u.name.hash = hash_text(&seed, (struct text){p, end});
    token->u.name.id = (uint32_t)id;
    return newline + 1;
}

/* Takes the rest of a line after `calls=`. */
static const char *take_calls(const char *p, uint64_t *count)
{
    bool is_unknown = *p == '-';
    p = take_quick_number(p + is_unknown, count);
    *count = is_unknown ? 0 : *count;
    return p != NULL && *p == ' ' ? find_newline(p) + 1 : NULL;
}

/* Takes a line with a key. */
HOT const char *take_position_line(const struct line_form *form, const char *p, const char *end,
                                   struct token *token)
{
    unsigned length;
    enum position_kind kind = find_key(p, &length);
    token->key = (uint8_t)kind;
    if (space_of(kind) != NO_NAMES)
        return take_name(form, p, length, token);
    if (kind == POSITION_JUMP)
        return take_jump(form, p, end, token);
    if (kind != POSITION_CALLS)
        return NULL;
    token->kind = TOKEN_CALLS;
    return take_calls(p + length, &token->u.count);
}

/* ---- groups of lines ---------------------------------------------------------------------- */

enum { KEY_LENGTH = 3 }; /* of `fl=` and `fn=` */

/* Takes KEY=NAME and the line's end. */
APART static const char *take_named_reference(struct hash_seed seed, const char *p, const char *end,
                                              const char *key, uint32_t *hash)
{
    if (memcmp(p, key, KEY_LENGTH) != 0 || p[KEY_LENGTH] == '(' || p + KEY_LENGTH >= end)
        return NULL;
    p += KEY_LENGTH;
    const char *newline = find_newline(p), *last = end_of_name(p, newline);
    if (last == NULL)
        return NULL;
    *hash = hash_text(&seed, (struct text){p, last});
    return newline + 1;
}

/*
 * Takes KEY=(ID) or KEY=NAME, and the line's end. `key` is `KEY=(`. is_named: of enum group_names, for the token's
 * key, if it is a name.
 */
HOT const char *take_reference(const struct line_form *form, const char *p, const char *end, const char *key,
                               unsigned is_named, struct token *token, uint32_t *id)
{
    if (UNLIKELY(memcmp(p, key, KEY_LENGTH + 1) != 0)) {
        token->key = (uint8_t)(token->key | is_named);
        return take_named_reference(form->names_seed, p, end, key, id);
    }
    p = take_short_number(p + KEY_LENGTH + 1, NO_ALIAS - 1, id);
    return p != NULL ? after_alias(p) : NULL;
}

APART static const char *take_any_calls(const char *p, const char *end, uint32_t *count)
{
    uint64_t number;
    if (p >= end || memcmp(p, "calls=", 6) != 0)
        return NULL;
    p = take_calls(p + 6, &number);
    *count = (uint32_t)number;
    return number <= UINT32_MAX ? p : NULL;
}

/* Takes the line with the number of calls. */
HOT const char *take_group_calls(const char *p, const char *end, uint32_t *count)
{
    static const char one[] = "calls=1 0 0\n";
    *count = 1;
    return LIKELY(memcmp(p, one, sizeof one - 1) == 0) ? p + sizeof one - 1 : take_any_calls(p, end, count);
}

/* Takes the costs of two columns at most, for a list of events. */
HOT const char *take_both_costs(const struct line_form *form, const char *p, cost_t *first, int32_t *second)
{
    cost_t other = 0;
    *first = 0;
    if (form->columns > 0 && *p == ' ')
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
 * record or of `cfl=` on. Before version 2.2, there is no `cfl=`. is_usual: see take_cost_line.
 */
HOT const char *take_group(const struct line_form *form, bool is_usual, const char *p, const char *end,
                           bool is_call, struct token *token)
{
    int32_t other_cost = 0;
    if (form->positions != 1 || (form->wanted == ALL_COSTS && form->columns > 2))
        return NULL;
    token->kind = is_call ? TOKEN_CALL : TOKEN_RECORD;
    token->key = 0;
    token->lines = 4;
    if (is_call && UNLIKELY(*p == 'f' && p[1] == 'n')) {
        token->key = FILE_IS_MISSING;
        token->lines = 3;
    } else {
        p = take_reference(form, p, end, "fl=(", FILE_IS_NAMED, token, &token->u.group.file);
        if (p == NULL || (is_call && *p++ != 'c'))
            return NULL;
    }
    p = take_reference(form, p, end, "fn=(", FUNCTION_IS_NAMED, token, &token->u.group.function);
    if (p != NULL && is_call)
        p = take_group_calls(p, end, &token->u.group.count);
    if (p == NULL)
        return NULL;
    p = take_short_number(p, UINT32_MAX, &token->u.group.line);
    if (p != NULL)
        p = is_usual ? take_quick_costs(form, p, &token->cost) : take_any_costs(form, p, &token->cost, &other_cost);
    if (!is_call)
        token->u.group.other_cost = other_cost;
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
HOT const char *take_lines(const struct line_form *form, bool is_usual, const char *p, const char *end,
                           bool *is_self, struct token *token)
{
    const char *next = NULL;
    token->kind = TOKEN_LINE;
    token->lines = 1;
    if (*p == '\n' || *p == '\r') {
        next = take_blanks(p, end, token);
    } else if (*p >= 'a') {
        next = take_position_line(form, p, end, token);
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

/* Does this token name the file or the object of a call? */
static bool is_place_of_call(const struct token *token)
{
    return (token->kind == TOKEN_ALIAS || token->kind == TOKEN_NAME) &&
           (token->key == POSITION_CALLED_FILE || token->key == POSITION_CALLED_OBJECT);
}

/* May a group of lines begin here, where `token` is the next one? A call may begin with `cfn=NAME`. */
HOT bool may_begin_group(const struct tokens *tokens, const struct token *token, const char *p)
{
    if (*p != 'c')
        return *p == '\r' || (*p == '\n' && p[1] == 'f' && p[2] == 'l');
    return p[2] == 'l' || (p[2] == 'n' && p[4] != '(' && !(token > tokens->tokens && is_place_of_call(token - 1)));
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
        const char *next = is_call ? take_group(form, is_usual, p + 1, end, true, token)
                                   : take_group(form, is_usual, start + 1, end, false, token);
        if (next == NULL)
            break;
        token->size = (uint32_t)(next - p);
        p = next;
    }
    tokens->count = (size_t)(token - tokens->tokens);
    return p;
}

/* These two are no part of the loop over lines, so that what their own loop needs is in registers. */
HOT_LOOP APART static const char *take_usual_groups(struct tokens *tokens, size_t columns, struct hash_seed seed,
                                                    const char *p, const char *end, bool stop_at_records)
{
    struct line_form usual = {.positions = 1, .wanted = ONE_COST, .columns = columns, .names_seed = seed};
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
        if (form->positions == 1 && may_begin_group(tokens, token, p)) {
            const char *start = p;
            tokens->count = (size_t)(token - tokens->tokens);
            p = is_usual ? take_usual_groups(tokens, form->columns, form->names_seed, p, end, stop_at_records)
                         : take_other_groups(tokens, *form, p, end, stop_at_records);
            token = tokens->tokens + tokens->count;
            is_self |= p > start;
            if (p >= end || token >= last)
                break;
        }
        if (stop_at_records && token > tokens->tokens && tokens_begin_record(p))
            break;
        const char *next = take_lines(form, is_usual, p, end, &is_self, token);
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
