/*
 * Reads the callgrind format, which includes cachegrind's:
 * https://valgrind.org/docs/manual/cl-format.html, with the dialects of its producers.
 *
 * A file is a sequence of parts, each of header lines (`key: value`) and body lines. Body lines
 * name a position (`fn=(1) main`) for the cost lines that follow (`12 340`), or the target of a
 * call, which `calls=` completes and whose cost is in the next cost line. The reader keeps the last
 * positions and passes each cost to the builder.
 */
#include "frontends/callgrind/reader.h"

#include "frontends/callgrind/quick_numbers.h"
#include "util/digits.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    ENOUGH_RECORDS = 2, /* to decide how records end */
    BATCH = 256,        /* tokens that are made and taken at once */
    FEWEST_TOKENS = 16, /* the same, where sums may be among them: at first, and after a new form */
    OWN_TOKENS = 1024   /* ... and at most */
};

/* Skips a malformed line. */
static bool odd_line(struct callgrind_reader *r, struct text line, const char *expected)
{
    r->odd_lines++;
    return diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s",
                        TEXT_ARG(line), expected);
}

/* ---- position lines ----------------------------------------------------------------------- */

/* Sets *name to the name in the value of a position line. */
static bool resolve(struct callgrind_reader *r, enum name_space space, struct text value,
                    uint32_t *name)
{
    switch (aliases_resolve(&r->aliases[space], callgrind_names(r), value, name)) {
    case ALIAS_OK:
        return true;
    case ALIAS_UNDEFINED:
        return diag_problem(r->diag, r->lines->number,
                            "found " TEXT_FMT ", expected a defined alias",
                            TEXT_ARG(text_trim(value)));
    case ALIAS_NO_MEMORY:
        break;
    }
    return diag_no_memory(r->diag);
}

static void take_file(struct callgrind_reader *r, uint32_t name)
{
    r->file = r->function_file = r->call_file = name;
    r->has_fl = true;
}

/*
 * Code from another file, inlined here. In a profile without any fl= it names the function's file.
 *
 * callgrind omits cfi=, and writes positions, relative to the file and position of the last self
 * cost line, or of the function if there was none yet. Other lines, such as fi= and the cost line
 * of a call, do not change that reference (callgrind/dump.c in Valgrind's source: `last` in
 * fprint_jcc, fprint_apos and fprint_fcost). For other producers, the lines before are the
 * reference.
 */
static void take_inline_file(struct callgrind_reader *r, uint32_t name)
{
    r->file = name;
    if (!r->has_fl)
        r->function_file = r->file;
    if (!r->is_by_callgrind)
        r->call_file = r->file;
}

static bool lacks_cost_line(struct callgrind_reader *r)
{
    return diag_problem(r->diag, r->lines->number,
                        "found the end of a record without a cost line, expected one");
}

/* Is there a record that has no cost line of its own? */
HOT bool lacks_self(const struct callgrind_reader *r)
{
    return !r->record_has_self && r->has_function && r->are_invocations;
}

/* Call this before a record ends. */
HOT bool check_self(struct callgrind_reader *r)
{
    return LIKELY(!lacks_self(r)) || lacks_cost_line(r);
}

/* Ends the record before the one that begins here. */
HOT void end_record(struct callgrind_reader *r)
{
    if (r->has_function && r->are_invocations) {
        r->part_records++;
        r->all_closed &= r->record_is_closed;
    }
    r->record_has_self = r->record_is_closed = r->record_has_total = false;
}

HOT bool enter_function(struct callgrind_reader *r)
{
    r->is_entered = true;
    return builder_enter(r->builder, r->object, r->entered_file, r->function_name);
}

/* The same where that is rare, or makes little difference. */
APART static bool enter_later(struct callgrind_reader *r)
{
    return enter_function(r);
}

/* Sets the state that fn= begins with. */
HOT void begin_function(struct callgrind_reader *r, uint32_t name)
{
    end_record(r);
    r->function_name = name;
    r->file = r->call_file = r->entered_file = r->function_file;
    r->has_callee &= !r->are_invocations && !(r->target & TARGET_FUNCTION);
    r->target = r->next_target = 0;
    r->has_function = true;
    r->is_entered = false;
}

/*
 * If records are invocations, each fn= is one. Otherwise it counts only with what follows, because
 * some producers (yappi) begin with a list of aliases, under the file that happens to come last.
 */
HOT bool take_function(struct callgrind_reader *r, uint32_t name)
{
    if (!check_self(r))
        return false;
    begin_function(r, name);
    return !r->are_invocations || enter_function(r);
}

/* Valgrind writes a target without calls= if the calls have cost nothing; it has no effect. */
static void drop_target(struct callgrind_reader *r)
{
    r->target &= r->next_target;
    r->next_target = 0;
}

/* Takes the file or the object of a target. */
HOT void take_target_place(struct callgrind_reader *r, enum target place)
{
    bool is_next = r->target & TARGET_FUNCTION;
    r->target = (uint8_t)(r->target | place);
    r->next_target = (uint8_t)(is_next ? r->next_target | place : r->next_target & ~place);
}

HOT void take_called_function(struct callgrind_reader *r, uint32_t name)
{
    r->record_is_closed = false;
    if (UNLIKELY(r->target & TARGET_FUNCTION))
        drop_target(r);
    r->target |= TARGET_FUNCTION;
    r->called_name = name;
}

/* A new context of a function resets callgrind's reference: see take_inline_file. */
static void take_context(struct callgrind_reader *r)
{
    if (r->is_by_callgrind)
        r->call_file = r->entered_file;
}

/* A negative count is unknown (reli writes -1 for its samples) and becomes 0, as others write it. */
static bool take_call_count(struct text value, uint64_t *count)
{
    bool is_unknown = !text_is_empty(value) && *value.at == '-';
    value.at += is_unknown;
    if (!text_take_number(&value, count, NULL) ||
        (!text_is_empty(value) && !char_is_blank(*value.at)))
        return false;
    *count = is_unknown ? 0 : *count;
    return true;
}

/* The target of the calls that follow. */
HOT bool take_callee(struct callgrind_reader *r, uint32_t object, uint32_t file, uint32_t name)
{
    r->has_callee = true;
    return builder_function(r->builder, object, file, name, &r->callee);
}

HOT bool take_calls(struct callgrind_reader *r, struct text value)
{
    r->next_cost = COST_IS_SKIPPED;
    if (!r->has_function)
        return odd_line(r, value, "fn= before calls=");
    if (!r->is_entered && !enter_later(r))
        return false;

    if (r->target & TARGET_FUNCTION) {
        uint32_t object = r->target & TARGET_OBJECT ? r->called_object : r->object;
        uint32_t file = r->target & TARGET_FILE ? r->called_file : r->call_file;
        if (!take_callee(r, object, file, r->called_name))
            return false;
    } else if (!r->has_callee) {
        return odd_line(r, value, "cfn= before calls=");
    }
    r->target = r->next_target = 0;
    r->next_cost = COST_OF_CALL;
    return true;
}

/* `calls=COUNT TARGET_POSITION`; the target's position is not used, and may be missing. */
static bool take_any_calls(struct callgrind_reader *r, struct text value)
{
    value = text_trim(value);
    r->next_cost = COST_IS_SKIPPED;
    return take_call_count(value, &r->call_count) ? take_calls(r, value)
                                                  : odd_line(r, value, "a call count");
}

/* Common work for each position line. */
HOT bool begin_position(struct callgrind_reader *r, enum position_kind kind)
{
    r->in_body = true;
    r->sensible_lines++;
    return (r->next_cost == COST_IS_SELF || callgrind_check_cost(r)) &&
           (r->kind_is_known || !is_of_function(kind) || callgrind_decide_kind(r));
}

/* Takes a line whose value is a name. */
HOT bool take_name(struct callgrind_reader *r, enum position_kind kind, uint32_t name)
{
    switch (kind) {
    case POSITION_FUNCTION:
        return take_function(r, name);
    case POSITION_FILE:
        take_file(r, name);
        break;
    case POSITION_INLINE_FILE:
        take_inline_file(r, name);
        break;
    case POSITION_OBJECT:
        r->object = name;
        break;
    case POSITION_CALLED_FUNCTION:
        take_called_function(r, name);
        break;
    case POSITION_CALLED_FILE:
        r->called_file = name;
        take_target_place(r, TARGET_FILE);
        break;
    case POSITION_CALLED_OBJECT:
        r->called_object = name;
        take_target_place(r, TARGET_OBJECT);
        break;
    case POSITION_CALLER:
        take_context(r);
        break;
    default:
        break;
    }
    return true;
}

/* Takes any other line. */
static bool take_value(struct callgrind_reader *r, enum position_kind kind, struct text value)
{
    if (kind == POSITION_CALLS)
        return take_any_calls(r, value);
    if (kind == POSITION_JUMP)
        r->next_cost = COST_OF_JUMP;
    if (kind == POSITION_LEVEL)
        take_context(r);
    return true;
}

/* Splits KEY=VALUE. NO_POSITION: not a position line. */
static enum position_kind split_position(struct text line, struct text *value)
{
    char start[MAX_KEY] = "";
    unsigned length;
    memcpy(start, line.at, text_length(line) < MAX_KEY ? text_length(line) : MAX_KEY);
    enum position_kind kind = find_key(start, &length);
    if (kind != NO_POSITION)
        *value = (struct text){line.at + length, line.end};
    return kind;
}

static bool take_position_line(struct callgrind_reader *r, enum position_kind kind,
                               struct text value)
{
    enum name_space space = space_of(kind);
    uint32_t name;
    if (!begin_position(r, kind))
        return false;
    if (space == NO_NAMES)
        return take_value(r, kind, value);
    return resolve(r, space, value, &name) && take_name(r, kind, name);
}

/* ---- cost lines --------------------------------------------------------------------------- */

/*
 * Takes one subposition, relative to the one before or absolute. Returns false if there is none. A
 * value below 0 or above 2^64 - 1 wraps around: it is an address, or invalid.
 */
static inline bool take_subposition(struct text *line, uint64_t *position)
{
    uint64_t number = 0;
    struct text rest = *line;
    char sign = *rest.at;
    bool is_relative = sign == '*' || sign == '+' || sign == '-';

    rest.at += is_relative;
    if (sign != '*' && !text_take_number(&rest, &number, NULL))
        return false;
    *position = (is_relative ? *position : 0) + (sign == '-' ? 0 - number : number);
    if (!text_is_empty(rest) && !char_is_blank(*rest.at))
        return false;
    text_skip_blanks(&rest);
    line->at = rest.at;
    return true;
}

/* A line number for the model; an invalid one, such as one below zero, becomes 0. */
HOT uint32_t line_number(uint64_t line)
{
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* The place of a cost line; its other positions are addresses, which the profile does not contain. */
struct place {
    uint64_t line;   /* 0 if positions contain none */
    bool is_unknown; /* it has a cost, but no position */
};

/* Positions of other lines do not matter in callgrind's profiles: see take_inline_file. */
HOT bool positions_count(const struct callgrind_reader *r, enum next_cost about)
{
    return about == COST_IS_SELF || !r->is_by_callgrind;
}

/* Takes the cost of calls of r->callee. */
HOT bool book_call(struct callgrind_reader *r, enum costs_wanted wanted, uint32_t line, uint64_t count,
                   cost_t cost)
{
    if (UNLIKELY((r->builder->profile->functions[r->callee].flags & FUNCTION_HAS_RECORD) == 0))
        r->callees_first = false;
    /* A list of events needs only self costs. */
    return wanted == ALL_COSTS || builder_call(r->builder, r->callee, line, count, cost);
}

/* Takes the cost of a line, which is that of the profile's event. There is a function. */
HOT bool book_cost(struct callgrind_reader *r, enum costs_wanted wanted, uint32_t line, bool has_line,
                   enum next_cost about, cost_t cost)
{
    if (about == COST_IS_SELF) {
        if (UNLIKELY(!r->is_entered) && !enter_later(r))
            return false;
        if (wanted == ALL_COSTS)
            event_costs_count(&r->events, !r->record_has_self);
        r->record_has_self = true;
        r->call_file = r->file;
        builder_self(r->builder, line, r->file == r->entered_file && has_line, cost);
        return true;
    }
    return about != COST_OF_CALL || book_call(r, wanted, line, r->call_count, cost);
}

/* Reports problems with the costs of a line: see diag_problem. */
static bool report_costs(struct callgrind_reader *r, size_t count, struct cost_oddities found)
{
    if (found.overflow && !diag_problem(r->diag, r->lines->number,
                                        "found a cost of more than 64 bits, expected less"))
        return false;
    if (found.fraction && !diag_problem(r->diag, r->lines->number,
                                        "found a cost with a fraction, expected whole numbers; it "
                                        "is rounded"))
        return false;
    return count <= event_costs_columns(&r->events) || !r->events.has_columns ||
           diag_problem(r->diag, r->lines->number, "found %zu costs, expected at most %zu", count,
                        event_costs_columns(&r->events));
}

/* A number, and nothing else but a comment? */
static bool is_lone_number(struct text line)
{
    if (!char_is_digit(*line.at))
        return false;
    text_take_word(&line);
    return text_is_empty(line) || *line.at == '#';
}

/*
 * Takes the positions at the start of a cost line. A single number after a blank is not a position:
 * some producers write `$line $cost` even if they know no line (nytprofcg, jeprof). False: they are
 * malformed.
 */
static bool take_positions(const struct callgrind_reader *r, bool is_indented, struct text *line,
                           struct place *place)
{
    uint64_t address = 0;
    place->line = r->line;
    place->is_unknown = is_indented && r->position_count == 1 && r->next_cost != COST_OF_JUMP &&
                        is_lone_number(*line);
    if (place->is_unknown)
        return true;
    for (size_t i = 0; i < r->position_count && !text_is_empty(*line); i++)
        if (!take_subposition(line, (int)i == r->line_position ? &place->line : &address))
            return false;
    return true;
}

static bool take_cost_line(struct callgrind_reader *r, bool is_indented, struct text line)
{
    static const char expected[] = "positions and costs";
    struct text rest = line;
    enum next_cost about = r->next_cost;
    struct place place;
    struct cost_oddities found = {false, false};

    r->in_body = true;
    if (!r->events.are_chosen && !event_costs_choose(&r->events, r->lines->number))
        return false;
    bool has_positions = take_positions(r, is_indented, &rest, &place);
    r->next_cost = COST_IS_SELF; /* any cost line ends the wait for one */
    if (!has_positions)
        return odd_line(r, line, expected);
    size_t count = callgrind_take_costs(&r->events, &rest, &found);
    /* Simulators write the instruction after its costs, as a comment. */
    bool is_sensible = text_is_empty(rest) || *rest.at == '#';
    if (!is_sensible && !odd_line(r, line, expected))
        return false;
    if (!is_sensible && count == 0)
        return true;

    r->sensible_lines += is_sensible;
    if (!report_costs(r, count, found))
        return false;
    if (positions_count(r, about))
        r->line = place.line;
    if (about == COST_IS_SELF && !r->has_function)
        return odd_line(r, line, "fn= before a cost line");
    uint32_t number = place.is_unknown ? 0 : line_number(place.line);
    return book_cost(r, r->events.wanted, number, !place.is_unknown, about, event_costs_sum(&r->events));
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Xdebug's line between the runs of a file that it appends to. */
static bool is_run_separator(struct text line)
{
    return text_starts(line, "==== NEW PROFILING FILE");
}

static bool take_line(struct callgrind_reader *r, struct text line)
{
    struct text key, value;
    enum position_kind position;

    bool is_indented = !text_is_empty(line) && char_is_blank(*line.at);
    text_skip_blanks(&line);
    if (text_is_empty(line)) {
        r->record_is_closed = true;
        return true;
    }
    if (*line.at == '#')
        return true;
    r->record_is_closed &= !begins_cost_line(*line.at);
    if (begins_cost_line(*line.at))
        return take_cost_line(r, is_indented, line);
    if ((position = split_position(line, &value)) != NO_POSITION)
        return take_position_line(r, position, value);
    if (callgrind_split_header(line, &key, &value))
        return callgrind_take_header(r, line, key, value);
    if (is_run_separator(line)) {
        r->sensible_lines++;
        return callgrind_begin_part(r);
    }
    return odd_line(r, line, "a line of a callgrind profile");
}

/* ---- tokens ------------------------------------------------------------------------------- */

/*
 * Most lines come as tokens. The following functions take those that can be taken by the functions
 * above without a look at the text, and leave all others to take_line. They return false if a token
 * is left, in the state before it, or if something has failed (r->has_failed).
 */

HOT bool done_or_failed(struct callgrind_reader *r, bool done)
{
    if (UNLIKELY(!done))
        r->has_failed = true;
    return done;
}

HOT uint32_t name_of(const struct aliases *aliases, uint64_t id)
{
    return LIKELY(id < aliases->row_count) ? aliases->row[id] : aliases_find(aliases, id);
}

HOT bool take_alias(struct callgrind_reader *r, const struct token *token)
{
    enum position_kind kind = (enum position_kind)token->key;
    uint32_t name = name_of(&r->aliases[space_of(kind)], token->u.id);
    return name != INDEX_NONE && done_or_failed(r, take_name(r, kind, name));
}

static bool take_full_name(struct callgrind_reader *r, const struct token *token, const char *p)
{
    enum position_kind kind = (enum position_kind)token->key;
    struct text text = text_of(p + token->u.name.at, token->u.name.length);
    uint32_t id = token->u.name.id, hash = token->u.name.hash, name;
    bool done = id == NO_ALIAS
                    ? names_intern_hashed(callgrind_names(r), text, hash, &name)
                    : aliases_define(&r->aliases[space_of(kind)], callgrind_names(r), id, text, hash, &name);
    return done_or_failed(r, (done || diag_no_memory(r->diag)) && take_name(r, kind, name));
}

HOT bool can_take_calls(const struct callgrind_reader *r)
{
    return r->has_function && (r->target & TARGET_FUNCTION || r->has_callee);
}

/* Takes cost lines of a kind that r->next_cost says. */
HOT bool take_costs(struct callgrind_reader *r, const struct token *token)
{
    enum next_cost about = r->next_cost;
    uint64_t line = token->u.at.line + (token->key & LINE_IS_RELATIVE ? r->line : 0);
    if (UNLIKELY(!r->has_function && about == COST_IS_SELF))
        return false;
    if (positions_count(r, about)) {
        uint64_t end = token->u.at.end + (token->key & END_IS_RELATIVE ? r->line : 0);
        r->line = token->kind == TOKEN_COSTS ? end : line;
    }
    r->record_is_closed = false;
    r->next_cost = COST_IS_SELF;
    if (r->events.wanted == ALL_COSTS) {
        r->events.costs[0] = token->cost;
        event_costs_end_line(&r->events, 1);
    }
    return done_or_failed(r, book_cost(r, r->events.wanted, line_number(line), true, about, token->cost));
}

/* Takes all costs of a line, up to its end. NULL: they have another form. */
static const char *take_listed_costs(struct event_costs *e, const struct line_form *form, const char *p,
                                     cost_t *sum)
{
    size_t column = 0;
    const char *next;
    while (column < form->columns && *p == ' ' &&
           (next = take_quick_cost(p + 1, &e->costs[column])) != NULL) {
        p = next;
        column++;
    }
    event_costs_end_line(e, column);
    *sum = event_costs_sum(e);
    return end_quick_costs(form, p, column);
}

/* Takes a cost line of which the token has no costs. */
static bool take_cost_text(struct callgrind_reader *r, const struct line_form *form, const char *p)
{
    enum next_cost about = r->next_cost;
    uint64_t line;
    cost_t cost = 0;
    bool is_relative;
    if (!r->has_function && about == COST_IS_SELF)
        return false;
    p = take_quick_positions(form, p, &line, &is_relative);
    if (p == NULL || take_listed_costs(&r->events, form, p, &cost) == NULL)
        return false;
    line += is_relative ? r->line : 0;
    if (positions_count(r, about))
        r->line = line;
    r->record_is_closed = false;
    r->next_cost = COST_IS_SELF;
    return done_or_failed(r, book_cost(r, r->events.wanted, line_number(line), true, about, cost));
}

HOT void take_both_costs(struct callgrind_reader *r, const struct token *token)
{
    r->events.costs[0] = token->cost;
    r->events.costs[1] = token->u.group.other_cost;
    event_costs_end_line(&r->events, 2);
}

HOT uint32_t group_line(const struct line_form *form, const struct token *token)
{
    return form->line_position == 0 ? token->u.group.line : 0;
}

/* The name in the line of a group at `p`, whose alias or hash that is. */
HOT uint32_t name_in_group(struct callgrind_reader *r, enum name_space space, bool is_named, uint32_t number,
                           const char *p, const char *newline)
{
    if (!is_named)
        return name_of(&r->aliases[space], number);
    struct text name = {p + (*p == 'c' ? 4 : 3), newline - (newline[-1] == '\r')};
    bool done = names_intern_hashed(callgrind_names(r), name, number, &number);
    return done_or_failed(r, done || diag_no_memory(r->diag)) ? number : INDEX_NONE;
}

/* The names of a group, as name_of returns them. */
struct name_pair {
    uint32_t file, function;
};

/* Those of a group at `p` that are not two aliases; of the file alone if it is unknown. */
APART static struct name_pair full_names(struct callgrind_reader *r, const struct token *token, const char *p)
{
    unsigned key = token->key;
    struct name_pair names = {.file = r->call_file};
    p = token->kind == TOKEN_RECORD ? after_line(p) : p;
    const char *newline = find_newline(p);
    if (!(key & FILE_IS_MISSING)) {
        names.file = name_in_group(r, FILE_NAMES, key & FILE_IS_NAMED, token->u.group.file, p, newline);
        if (names.file == INDEX_NONE)
            return names;
        p = newline + 1;
        newline = find_newline(p);
    }
    names.function = name_in_group(r, FUNCTION_NAMES, key & FUNCTION_IS_NAMED, token->u.group.function, p,
                                   newline);
    return names;
}

HOT struct name_pair names_of_group(struct callgrind_reader *r, const struct token *token, const char *p)
{
    if (UNLIKELY(token->key != 0))
        return full_names(r, token, p);
    return (struct name_pair){name_of(&r->aliases[FILE_NAMES], token->u.group.file),
                                name_of(&r->aliases[FUNCTION_NAMES], token->u.group.function)};
}

/* Takes the lines of a record's own cost, but leaves most of the state after them to end_groups. */
HOT bool take_record(struct callgrind_reader *r, const struct line_form *form, const struct token *token,
                     const char *p)
{
    struct name_pair names = names_of_group(r, token, p);
    if (UNLIKELY(names.file == INDEX_NONE || names.function == INDEX_NONE))
        return false;
    if (form->wanted == ALL_COSTS) {
        take_both_costs(r, token);
        event_costs_count(&r->events, true);
    }
    if (!done_or_failed(r, builder_enter(r->builder, r->object, names.file, names.function)))
        return false;
    uint32_t line = group_line(form, token);
    builder_self(r->builder, line, true, token->cost);
    r->line = line;
    r->call_file = names.file;
    r->function_name = names.function;
    return true;
}

/* The same for the lines of a call. */
HOT bool take_call(struct callgrind_reader *r, const struct line_form *form, const struct token *token,
                   const char *p)
{
    struct name_pair names = names_of_group(r, token, p);
    if (UNLIKELY(names.file == INDEX_NONE || names.function == INDEX_NONE))
        return false;
    return done_or_failed(r, take_callee(r, r->object, names.file, names.function) &&
                                 book_call(r, form->wanted, group_line(form, token), token->u.group.count,
                                           token->cost));
}

HOT bool take_other_line(struct callgrind_reader *r, const struct line_form *form, const struct token *token,
                         const char *p)
{
    switch (token->kind) {
    case TOKEN_COST:
    case TOKEN_COSTS:
        return take_costs(r, token);
    case TOKEN_COST_TEXT:
        return take_cost_text(r, form, p);
    case TOKEN_BLANKS:
        r->record_is_closed = true;
        return true;
    default:
        break;
    }
    if (UNLIKELY(r->next_cost != COST_IS_SELF))
        return false;
    switch (token->kind) {
    case TOKEN_ALIAS:
        return take_alias(r, token);
    case TOKEN_NAME:
        return take_full_name(r, token, p);
    case TOKEN_CALLS:
        if (!can_take_calls(r))
            return false;
        r->call_count = token->u.count;
        return done_or_failed(r, take_calls(r, text_of("", 0)));
    case TOKEN_JUMP:
        r->next_cost = COST_OF_JUMP;
        return token->lines == 1 || take_costs(r, token);
    default:
        return false;
    }
}

/* Sets *form to the form of lines that is known now. False: none is. */
static bool find_form(const struct callgrind_reader *r, struct line_form *form)
{
    const struct event_costs *e = &r->events;
    *form = (struct line_form){.positions = r->position_count,
                               .line_position = r->line_position,
                               .jumps_count = !r->is_by_callgrind,
                               .wanted = e->wanted,
                               .columns = event_costs_columns(e),
                               .first = e->first,
                               .weights = e->weights,
                               .names_seed = callgrind_names(r)->index.seed,
                               .needs_each = r->builder->tree != NULL || r->builder->has_records};
    return r->kind_is_known && e->are_chosen;
}

static bool has_same_weights(const struct event_weights *a, const struct event_weights *b)
{
    bool is_same = a->count == b->count;
    for (size_t i = 0; is_same && i < a->count; i++)
        is_same = a->weights[i].weight == b->weights[i].weight && a->weights[i].column == b->weights[i].column;
    return is_same;
}

static bool is_same_form(const struct line_form *a, const struct line_form *b)
{
    return a->positions == b->positions && a->line_position == b->line_position &&
           a->jumps_count == b->jumps_count && a->wanted == b->wanted && a->columns == b->columns &&
           a->first == b->first && has_same_weights(&a->weights, &b->weights);
}

/* Takes lines up to `end` by their general forms. */
static bool take_any_lines(struct callgrind_reader *r, const char *end)
{
    struct text line;
    while (r->lines->at < end)
        if (lines_next(r->lines, &line) != LINES_LINE || !take_line(r, line))
            return false;
    return true;
}

/* Takes a token at `p` that is no group. */
HOT bool take_other_token(struct callgrind_reader *r, const struct line_form *form, const struct token *token,
                          const char *p)
{
    r->lines->number += token->lines;
    if (!UNLIKELY(!take_other_line(r, form, token, p)))
        return true;
    if (!r->has_failed)
        r->lines->number -= token->lines;
    return false;
}

/* ---- sums --------------------------------------------------------------------------------- */

/* The benchmark sets this to 0, to time the reader alone. */
#ifndef SUMS_ARE_MADE
#define SUMS_ARE_MADE 1
#endif

/* May records be added up ahead, according to header lines and options? */
static bool do_sums_fit(const struct callgrind_reader *r)
{
    return SUMS_ARE_MADE && r->kind_is_known && r->events.are_chosen && !r->is_by_callgrind &&
           r->builder->profile->records_are_invocations && r->builder->identity == IDENTITY_NAME &&
           r->position_count == 1 && r->line_position == 0 && !is_extreme(builder_run_self(r->builder)) &&
           (r->events.wanted != ALL_COSTS ||
            (event_costs_columns(&r->events) <= 2 && !is_extreme(r->events.totals[1])));
}

/* Is nothing open but a record that another one may end? */
static bool is_between_records(const struct callgrind_reader *r)
{
    return r->record_has_self && r->is_entered && r->next_cost == COST_IS_SELF && r->target == 0;
}

/*
 * Enters records that were added up. A record follows them, so that the state after them is the same
 * as before: a record has been read, and the next one ends it.
 */
static bool enter_span(struct callgrind_reader *r, struct prepared *prepared, const struct token *token,
                       bool *entered)
{
    const struct sums_span *span = &prepared->sums.spans[token->u.id];
    struct span_taken taken;
    *entered = false;
    if (!is_between_records(r) || !do_sums_fit(r))
        return true;
    if (!builder_end_calls(r->builder) ||
        !prepared_take_span(prepared, span, r->builder, &r->aliases[FILE_NAMES], &r->aliases[FUNCTION_NAMES],
                            r->object, &taken, entered))
        return false;
    if (!*entered)
        return true;
    lines_skip(r->lines, r->lines->at + token->size, 4 * span->groups);
    r->in_body = r->record_is_closed = true;
    r->sensible_lines += 4 * span->groups - span->records; /* blank lines do not count */
    r->part_records += span->records;
    r->line = span->last_line;
    r->callees_first &= taken.callees_first;
    cost_add(&r->builder->run_self, taken.self);
    if (r->events.wanted == ALL_COSTS) {
        cost_add(&r->events.totals[0], taken.self);
        cost_add(&r->events.totals[1], span->other_self);
    }
    return true;
}

static bool take_tokens(struct callgrind_reader *r, const struct line_form *form, struct prepared *prepared,
                        const struct tokens *tokens);

/* Takes records that were added up: if possible, by their sums, otherwise one by one. */
static bool take_sums(struct callgrind_reader *r, const struct line_form *form, struct prepared *prepared,
                      const struct token *token)
{
    const char *end = r->lines->at + token->size;
    struct token some[BATCH];
    struct tokens tokens = {.tokens = some, .capacity = BATCH};
    bool entered;
    if (!enter_span(r, prepared, token, &entered))
        return false;
    while (!entered && r->lines->at < end) {
        tokens_make(&tokens, form, (struct text){r->lines->at, end}, false);
        if (!take_tokens(r, form, NULL, &tokens))
            return false;
    }
    return true;
}

enum { NAMES_AHEAD = 8, FUNCTIONS_AHEAD = 4 }; /* so many tokens before they are needed */

/* Fetches what coming tokens refer to: with many functions, it is in no near cache. */
HOT void look_ahead(const struct callgrind_reader *r, const struct token *token, const struct token *end)
{
    if (end - token <= NAMES_AHEAD)
        return;
    const struct token *later = token + NAMES_AHEAD, *soon = token + FUNCTIONS_AHEAD;
    if (later->kind == TOKEN_ALIAS || later->kind == TOKEN_NAME) {
        const struct aliases *aliases = &r->aliases[space_of((enum position_kind)later->key)];
        uint64_t id = later->kind == TOKEN_ALIAS ? later->u.id : later->u.name.id;
        if (id < aliases->row_count)
            __builtin_prefetch(&aliases->row[id]);
        if (later->kind == TOKEN_NAME)
            index_fetch(&callgrind_names(r)->index, later->u.name.hash);
    }
    if (soon->kind == TOKEN_ALIAS && space_of((enum position_kind)soon->key) == FUNCTION_NAMES &&
        soon->u.id < r->aliases[FUNCTION_NAMES].row_count)
        builder_fetch(r->builder, r->aliases[FUNCTION_NAMES].row[soon->u.id]);
}

/* Can groups of lines begin with this token? */
HOT bool can_take_groups(const struct callgrind_reader *r, const struct token *token)
{
    return token->kind >= TOKEN_RECORD && r->next_cost == COST_IS_SELF && r->target == 0 &&
           (token->kind == TOKEN_RECORD || r->has_function);
}

/* Sets the state after groups, which is that after the last record, if there is one, and the last call. */
static void end_groups(struct callgrind_reader *r, const struct line_form *form, const struct token *last,
                       size_t records)
{
    bool is_call = last->kind == TOKEN_CALL;
    r->in_body = true;
    if (records > 0) {
        r->record_is_closed = true;
        take_file(r, r->call_file);
        begin_function(r, r->function_name);
        r->part_records += r->are_invocations ? records - 1 : 0;
        r->is_entered = r->record_has_self = true;
    }
    r->record_is_closed = false;
    if (!is_call)
        return;
    r->has_callee = true;
    if (positions_count(r, COST_OF_CALL))
        r->line = group_line(form, last);
}

/*
 * Takes groups of lines from `token` on, which is that of the text at `p`. Returns the first token that is
 * left, which begins at r->lines->at.
 */
HOT const struct token *take_groups(struct callgrind_reader *r, const struct line_form *form,
                                    const struct token *token, const struct token *end, const char *p)
{
    bool can_begin = !lacks_self(r); /* a record; it remains so after the first one */
    size_t records = 0, lines = 0;
    if (token->kind == TOKEN_CALL && !r->is_entered && !done_or_failed(r, enter_later(r)))
        return token;
    for (; token < end; token++) {
        if (token->kind == TOKEN_RECORD && can_begin && take_record(r, form, token, p))
            records++;
        else if (token->kind != TOKEN_CALL || !take_call(r, form, token, p))
            break;
        p += token->size;
        lines += token->lines;
    }
    lines_skip(r->lines, p, lines);
    r->sensible_lines += lines - records; /* blank lines do not count */
    if (lines > 0)
        end_groups(r, form, token - 1, records);
    return token;
}

/* The same, no part of the loop over other tokens, as in tokens.c. What is constant here has code of its own. */
HOT_LOOP APART static const struct token *take_all_groups(struct callgrind_reader *r,
                                                          const struct line_form *form,
                                                          const struct token *token, const struct token *end,
                                                          const char *p)
{
    static const struct line_form usual = {.positions = 1, .line_position = 0, .wanted = ONE_COST};
    if (form->line_position == 0 && form->wanted == ONE_COST)
        return take_groups(r, &usual, token, end, p);
    return take_groups(r, form, token, end, p);
}

/*
 * Takes tokens of the text at r->lines->at. They end with all of them, or where lines have another
 * form from now on.
 */
HOT_LOOP static bool take_tokens(struct callgrind_reader *r, const struct line_form *form,
                                 struct prepared *prepared, const struct tokens *tokens)
{
    const struct token *end = tokens->tokens + tokens->count;
    const char *p = r->lines->at;
    for (const struct token *token = tokens->tokens; token < end; token++) {
        if (can_take_groups(r, token)) {
            token = take_all_groups(r, form, token, end, p);
            p = r->lines->at;
            if (token == end)
                break;
        }
        const char *next = p + token->size;
        look_ahead(r, token, end);
        if (token->kind < TOKEN_RECORD && take_other_token(r, form, token, p)) {
            bool is_blank = token->kind == TOKEN_BLANKS;
            r->sensible_lines += is_blank ? 0 : token->lines;
            r->in_body |= !is_blank;
        } else {
            struct line_form now;
            if (r->has_failed)
                return false;
            lines_skip(r->lines, p, 0);
            bool done = token->kind == TOKEN_SUMS ? take_sums(r, form, prepared, token)
                                                  : take_any_lines(r, next);
            if (!done)
                return false;
            if (!find_form(r, &now) || !is_same_form(&now, form)) {
                r->own_tokens = FEWEST_TOKENS;
                return true;
            }
        }
        p = next;
    }
    lines_skip(r->lines, p, 0);
    return true;
}

/* ---- the end ------------------------------------------------------------------------------ */

/*
 * Is the last record incomplete, because the profiled process was killed or the disk was full? It
 * is if a call or its own cost is missing. In addition, Xdebug ends each record with a blank line,
 * and the profile with a summary. So if all other records are closed and there is no summary, one
 * that is not closed is truncated. ({main} comes last in any case; it counts as complete if its
 * last line is.) A profile in which callers come first was not written by Xdebug.
 */
static bool is_cut_off(const struct callgrind_reader *r)
{
    if (!r->has_function || !r->builder->profile->records_are_invocations)
        return false;
    if (r->next_cost == COST_OF_CALL || r->target != 0 ||
        (!r->record_has_self && (!r->record_is_closed || r->record_has_total)))
        return true;
    if (r->record_is_closed || r->part_has_summary || r->part_records < ENOUGH_RECORDS ||
        !r->all_closed || !r->callees_first)
        return false;
    struct text name = names_text(callgrind_names(r), r->function_name);
    return !r->lines->last_is_whole || !text_equals(name, "{main}");
}

static bool drop_record(struct callgrind_reader *r)
{
    if (r->record_has_self && r->events.wanted == ALL_COSTS)
        event_costs_drop_record(&r->events);
    r->record_has_self = false;
    r->next_cost = COST_IS_SELF;
    r->has_function = r->is_entered = false;
    return diag_problem(r->diag, r->lines->number,
                        "found the end of the input inside a record, expected the rest; the record is "
                        "left out") &&
           builder_drop_record(r->builder);
}

static bool take_end(struct callgrind_reader *r)
{
    if ((is_cut_off(r) && !drop_record(r)) || !check_self(r))
        return false;
    end_record(r);
    if (!callgrind_check_cost(r) || !callgrind_end_part(r))
        return false;
    if (r->builder->profile->function_count == 0)
        return diag_error(r->diag, 0, "found no function, expected a callgrind profile");
    if (r->odd_lines > r->sensible_lines)
        return diag_error(r->diag, 0,
                          "found more malformed lines (%" PRIu64 ") than valid ones (%" PRIu64
                          "), expected a callgrind profile",
                          r->odd_lines, r->sensible_lines);
    return event_costs_name_unit(&r->events) && event_costs_list(&r->events) &&
           builder_finish(r->builder);
}

/*
 * Valgrind ends its profiles with `totals:` or `summary:` and a newline: without both, the last
 * line is truncated, and its numbers may have lost digits.
 */
static bool is_cut_line(const struct callgrind_reader *r)
{
    return !r->lines->last_is_whole && r->is_by_valgrind && text_is_empty(r->part_totals) &&
           (r->producer.has_creator || !r->part_has_summary);
}

/* There is more than one thread can read while another is started. */
static bool wants_threads(struct callgrind_reader *r)
{
    if (r->has_threads || r->lines->refills == 0 || r->lines->at_end || !r->in_body)
        return false;
    if (r->threads == 0)
        r->threads = blocks_threads(r->options->threads, r->lines->source);
    return r->threads > 1;
}

/* What is prepared at once: if records are added up, whole ones, as far as they fit into the buffer. */
static bool find_text(struct callgrind_reader *r, bool are_summed, struct text *text)
{
    *text = lines_whole(r->lines);
    if (!are_summed || r->lines->is_given || r->lines->at_end || !tokens_begin_record(text->at))
        return true;
    size_t whole = tokens_cut(*text);
    if (whole == 0 && r->lines->at > r->lines->buffer.bytes) {
        if (!lines_read_more(r->lines))
            return false;
        *text = lines_whole(r->lines);
        whole = tokens_cut(*text);
    }
    text->end = whole > 0 ? text->at + whole : text->end;
    return true;
}

/* Reads lines that have been prepared or, if there are none, prepares some. False: failure. */
static bool take_prepared(struct callgrind_reader *r, const struct line_form *form, bool *is_any)
{
    bool are_summed = do_sums_fit(r);
    struct text text;
    struct prepared *prepared = r->given;
    r->given = NULL;
    if (prepared == NULL || !is_same_form(form, &r->given_form) || r->given_is_summed != are_summed) {
        prepared = &r->own;
        if (!find_text(r, are_summed, &text))
            return false;
        if (!prepared_make(prepared, form, text, r->own_tokens, are_summed))
            return diag_no_memory(r->diag);
        r->own_tokens = r->own_tokens < OWN_TOKENS ? 2 * r->own_tokens : OWN_TOKENS;
    }
    *is_any = prepared->tokens.count > 0;
    return take_tokens(r, form, prepared, &prepared->tokens);
}

/* Reads lines, up to a place where threads would be useful. */
static bool read_lines(struct callgrind_reader *r)
{
    struct text line;
    struct line_form form;
    enum lines_result result;
    for (;;) {
        bool has_form = find_form(r, &form), is_any = false;
        if (has_form && wants_threads(r))
            return true;
        if (has_form && !text_is_empty(lines_whole(r->lines)) && !take_prepared(r, &form, &is_any))
            return false;
        if (is_any)
            continue;
        r->given = NULL;
        result = lines_next(r->lines, &line);
        if (result != LINES_LINE)
            break;
        bool done = is_cut_line(r) ? odd_line(r, line, "a whole line") : take_line(r, line);
        if (!done)
            return false;
    }
    r->is_over = result == LINES_END;
    return result != LINES_FAILED;
}

/* ---- threads ------------------------------------------------------------------------------ */

enum {
    BLOCK = 1024 * 1024, /* what a thread takes at once, in bytes */
    BLOCK_TOKENS = 32 * 1024,
    AHEAD = 2            /* blocks; with their tokens, they should be in the processor's cache */
};

static size_t whole_lines(struct text text)
{
    while (!text_is_empty(text) && text.end[-1] != '\n')
        text.end--;
    return text_length(text);
}

/*
 * Blocks end where a record begins, if possible, even if they begin inside one: the rest of a record whose
 * start is in another block cannot be added up.
 */
static size_t whole_records(struct text text)
{
    size_t length = tokens_cut(text);
    return length > 0 ? length : whole_lines(text);
}

/* Prepares a block ahead. */
static bool prepare_block(void *context, unsigned slot, struct text block)
{
    struct callgrind_reader *r = context;
    block.end = block.at + whole_lines(block);
    return prepared_make(&r->slots[slot], &r->given_form, block, BLOCK_TOKENS, r->given_is_summed);
}

static bool take_block(void *context, unsigned slot, struct text block, bool is_last)
{
    struct callgrind_reader *r = context;
    r->given = &r->slots[slot];
    lines_give(r->lines, block, is_last);
    return read_lines(r);
}

/* The columns may change while threads prepare blocks; they go on with what the first ones were. */
static bool keep_form(struct callgrind_reader *r)
{
    find_form(r, &r->given_form);
    r->given_is_summed = do_sums_fit(r);
    struct event_weights *weights = &r->given_form.weights;
    size_t size = weights->count * sizeof *weights->weights;
    struct event_weight *kept = malloc(size + 1);
    if (kept == NULL)
        return diag_no_memory(r->diag);
    if (size > 0)
        memcpy(kept, weights->weights, size);
    weights->weights = kept;
    return true;
}

/* Reads the rest with several threads, which prepare blocks ahead. These are taken in order. */
static bool read_in_threads(struct callgrind_reader *r)
{
    r->has_threads = true;
    if (!keep_form(r))
        return false;
    struct blocks_work work = {.threads = r->threads,
                               .ahead = AHEAD,
                               .block = r->options->block > 0 ? r->options->block : BLOCK,
                               .context = r,
                               .cut = r->given_is_summed ? whole_records : whole_lines,
                               .prepare = prepare_block,
                               .take = take_block};
    unsigned slots = blocks_slots(&work);
    r->slots = calloc(slots, sizeof *r->slots);
    for (unsigned i = 0; r->slots != NULL && i < slots; i++)
        r->slots[i] = (struct prepared){.room = BLOCK_TOKENS, .has_names = r->own.sums.has_names};
    bool done = r->slots != NULL ? blocks_run(r->lines->source, lines_rest(r->lines), &work)
                                 : diag_no_memory(r->diag);
    for (unsigned i = 0; r->slots != NULL && i < slots; i++)
        prepared_free(&r->slots[i]);
    free(r->slots);
    free(r->given_form.weights.weights);
    return done;
}

static bool read_all(struct callgrind_reader *r)
{
    return read_lines(r) && (r->is_over || read_in_threads(r)) && take_end(r);
}

static bool callgrind_read(struct lines *lines, struct builder *builder, struct diag *diag,
                           const struct frontend_options *options)
{
    struct callgrind_reader *reader = calloc(1, sizeof *reader);
    bool done = false;
    if (reader == NULL)
        return diag_no_memory(diag);
    reader->lines = lines;
    reader->builder = builder;
    reader->diag = diag;
    reader->options = options;
    reader->position_count = 1;
    reader->own.room = OWN_TOKENS;
    reader->own_tokens = FEWEST_TOKENS;
    reader->part_totals = text_of("", 0);
    reader->all_closed = reader->callees_first = true;
    event_costs_init(&reader->events, options, builder);
    const struct names *names = &builder->profile->names;
    if (aliases_init(&reader->aliases[OBJECT_NAMES], names) &&
        aliases_init(&reader->aliases[FILE_NAMES], names) &&
        aliases_init(&reader->aliases[FUNCTION_NAMES], names))
        done = read_all(reader);
    else
        diag_no_memory(diag);
    prepared_free(&reader->own);
    event_costs_free(&reader->events);
    for (size_t i = 0; i < NAME_SPACES; i++)
        aliases_free(&reader->aliases[i]);
    free(reader);
    return done;
}

enum { TELLING_BYTES = 64 }; /* this many bytes of a line show whether it has a key */

/*
 * One line that only a profile contains is enough; the reader judges the rest. If `head` ends
 * inside a line, the rest of the line may decide.
 */
static enum recognition callgrind_recognises(struct text head)
{
    bool has_other_lines = false;
    if (text_starts(head, "\xef\xbb\xbf"))
        head.at += 3;
    while (!text_is_empty(head)) {
        struct text line = text_take_line(&head), key, value;
        text_skip_blanks(&line);
        if (split_position(line, &value) != NO_POSITION || is_run_separator(line) ||
            (callgrind_split_header(line, &key, &value) && callgrind_knows_header(key)))
            return MINE;
        has_other_lines |= !text_is_empty(line) && *line.at != '#' && *line.at != '\r' &&
                           (line.end < head.end || text_length(line) >= TELLING_BYTES);
    }
    return has_other_lines ? NOT_MINE : NOT_YET;
}

const struct frontend callgrind_frontend = {
    .name = "callgrind",
    .reads = "callgrind, cachegrind",
    .recognises = callgrind_recognises,
    .read = callgrind_read,
};
