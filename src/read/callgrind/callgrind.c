/*
 * Reads the callgrind format, which includes cachegrind's:
 * https://valgrind.org/docs/manual/cl-format.html, with the dialects of its producers.
 *
 * A file is a sequence of parts, each of header lines (`key: value`) and body lines. Body lines
 * name a position (`fn=(1) main`) for the cost lines that follow (`12 340`), or the target of a
 * call, which `calls=` completes and whose cost is in the next cost line. The reader keeps the last
 * positions and passes each cost to the builder.
 *
 * read_in_place reads lines of their usual forms, and take_line all others. Both call the same functions,
 * which say what a line means (take_function, take_calls, book_cost ...).
 */
#include "read/callgrind/reader.h"

#include "read/callgrind/scan.h"
#include "util/newline.h"
#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENOUGH_RECORDS = 2 }; /* to decide how records end */

static bool skip_line(struct callgrind_reader *r, struct text line, const char *expected)
{
    return diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s", TEXT_ARG(line),
                        expected);
}

/* Skips a line that is of no known form. */
static bool malformed_line(struct callgrind_reader *r, struct text line, const char *expected)
{
    r->malformed_lines++;
    return skip_line(r, line, expected);
}

/* Skips a line that lacks what it refers to. */
static bool misplaced_line(struct callgrind_reader *r, struct text line, const char *expected)
{
    r->misplaced_lines++;
    return skip_line(r, line, expected);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Is there a record that has no cost line of its own? */
HOT bool lacks_self(const struct callgrind_reader *r)
{
    return r->are_invocations && r->has_function && !r->builder->has_self;
}

static bool report_no_self(struct callgrind_reader *r)
{
    return diag_problem(r->diag, r->lines->number,
                        "found the end of a record without a cost line, expected one");
}

HOT bool end_record(struct callgrind_reader *r)
{
    if (r->has_function && r->are_invocations) {
        r->part_records++;
        r->all_closed &= r->is_closed;
    }
    r->is_closed = r->has_total = r->has_function = false;
    if (UNLIKELY(r->events.wanted == ALL_COSTS))
        event_costs_end_record(&r->events);
    builder_end(r->builder);
    return true;
}

bool callgrind_end_record(struct callgrind_reader *r)
{
    return end_record(r);
}

/*
 * If records are invocations, each fn= begins one. Otherwise a cost or a call does: some producers (yappi)
 * begin with a list of aliases, under the file that happens to come last.
 */
HOT bool begin_record(struct callgrind_reader *r)
{
    return r->builder->is_open ||
           (builder_begin(r->builder, r->object, r->entered_file, r->function), true);
}

HOT bool begin_function(struct callgrind_reader *r, uint32_t name)
{
    if (!end_record(r))
        return false;
    r->function = name;
    r->file = r->call_file = r->entered_file = r->function_file;
    r->has_callee &= !r->are_invocations && !(r->target & TARGET_FUNCTION);
    r->target = r->next_target = 0;
    r->has_function = true;
    return !r->are_invocations || begin_record(r);
}

HOT bool take_function(struct callgrind_reader *r, uint32_t name)
{
    return (!lacks_self(r) || report_no_self(r)) && begin_function(r, name);
}

/* ---- positions ---------------------------------------------------------------------------- */

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

/* Takes the file or the object of a target. After a cfn=, it belongs to the next cfn=, if one follows. */
HOT void take_target_place(struct callgrind_reader *r, enum target place)
{
    bool is_next = r->target & TARGET_FUNCTION;
    r->target = (uint8_t)(r->target | place);
    r->next_target = (uint8_t)(is_next ? r->next_target | place : r->next_target & ~place);
}

/* Valgrind writes a target without calls= if the calls have cost nothing; it has no effect. */
HOT void take_called_function(struct callgrind_reader *r, uint32_t name)
{
    r->is_closed = false;
    if (UNLIKELY(r->target & TARGET_FUNCTION)) {
        r->target &= r->next_target;
        r->next_target = 0;
    }
    r->target |= TARGET_FUNCTION;
    r->called_function = name;
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
    default:
        break;
    }
    return true;
}

/* ---- calls and costs ---------------------------------------------------------------------- */

/* Takes r->call_count calls. `value` is that of calls=, for messages. */
HOT bool take_calls(struct callgrind_reader *r, struct text value)
{
    r->next_cost = COST_IS_SKIPPED;
    if (!r->has_function)
        return misplaced_line(r, value, "fn= before calls=");
    if (r->target & TARGET_FUNCTION) {
        r->callee.object = r->target & TARGET_OBJECT ? r->called_object : r->object;
        r->callee.file = r->target & TARGET_FILE ? r->called_file : r->call_file;
        r->callee.function = r->called_function;
        r->has_callee = true;
    } else if (!r->has_callee) {
        return misplaced_line(r, value, "cfn= before calls=");
    }
    r->target = r->next_target = 0;
    r->next_cost = COST_OF_CALL;
    return true;
}

bool callgrind_check_cost(struct callgrind_reader *r)
{
    enum next_cost waiting = r->next_cost;
    r->next_cost = COST_IS_SELF;
    return waiting != COST_OF_CALL ||
           diag_problem(r->diag, r->lines->number,
                        "found no cost line after calls=, expected one; the call is left out");
}

/* A line number for the model; an invalid one, such as one below zero, becomes 0. */
HOT uint32_t line_number(uint64_t line)
{
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Positions of other lines do not matter in callgrind's profiles: see take_inline_file. */
HOT bool positions_count(const struct callgrind_reader *r, enum next_cost about)
{
    return about == COST_IS_SELF || !r->is_by_callgrind;
}

/* Takes the cost of a line, which is that of the profile's event. If it is a self cost, there is a function. */
HOT bool book_cost(struct callgrind_reader *r, enum next_cost about, uint32_t line, bool has_line, cost_t cost)
{
    if (about == COST_IS_SELF) {
        if (!begin_record(r))
            return false;
        if (UNLIKELY(r->events.wanted == ALL_COSTS))
            event_costs_count(&r->events);
        r->call_file = r->file;
        builder_self(r->builder, line, r->file == r->entered_file && has_line, cost);
        return true;
    }
    return about != COST_OF_CALL ||
           (begin_record(r) && (builder_call(r->builder, r->callee.object, r->callee.file, r->callee.function,
                                            line, r->call_count, cost), true));
}

/* ---- all lines ---------------------------------------------------------------------------- */

enum { NO_NAMES = NAME_SPACES }; /* of keys whose values are not names */

/* The keys of position lines. */
static const struct position_key {
    const char *key;
    enum position_kind kind;
    int names; /* in which name space its value is */
} position_keys[] = {
    {"fn=", POSITION_FUNCTION, FUNCTION_NAMES},
    {"fl=", POSITION_FILE, FILE_NAMES},
    {"fi=", POSITION_INLINE_FILE, FILE_NAMES},
    {"fe=", POSITION_INLINE_FILE, FILE_NAMES},
    {"ob=", POSITION_OBJECT, OBJECT_NAMES},
    {"cfn=", POSITION_CALLED_FUNCTION, FUNCTION_NAMES},
    {"cfl=", POSITION_CALLED_FILE, FILE_NAMES},
    {"cfi=", POSITION_CALLED_FILE, FILE_NAMES},
    {"cob=", POSITION_CALLED_OBJECT, OBJECT_NAMES},
    {"calls=", POSITION_CALLS, NO_NAMES},
    {"rcalls=", POSITION_CALLS, NO_NAMES},
    {"jump=", POSITION_JUMP, NO_NAMES},
    {"jcnd=", POSITION_JUMP, NO_NAMES},
    {"jfi=", POSITION_OTHER, FILE_NAMES}, /* its value is not used, but may define an alias */
    {"jfn=", POSITION_OTHER, FUNCTION_NAMES},
    {"frfn=", POSITION_CONTEXT, FUNCTION_NAMES}, /* this one and the next by callgrind --mangle-names=no */
    {"rec=", POSITION_CONTEXT, NO_NAMES},
};

/* Splits KEY=VALUE. NULL: it is no position line. */
static const struct position_key *split_position(struct text line, struct text *value)
{
    for (size_t i = 0; i < sizeof position_keys / sizeof position_keys[0]; i++)
        if (text_starts(line, position_keys[i].key)) {
            *value = (struct text){line.at + strlen(position_keys[i].key), line.end};
            return &position_keys[i];
        }
    return NULL;
}

/* Sets *name to the name in the value of a position line. */
static bool resolve(struct callgrind_reader *r, int names, struct text value, uint32_t *name)
{
    switch (aliases_resolve(&r->aliases[names], callgrind_names(r), value, name)) {
    case ALIAS_OK:
        return true;
    case ALIAS_UNDEFINED:
        return diag_problem(r->diag, r->lines->number, "found " TEXT_FMT ", expected a defined alias",
                            TEXT_ARG(text_trim(value)));
    case ALIAS_NO_MEMORY:
        break;
    }
    return diag_no_memory(r->diag);
}

/*
 * `calls=COUNT TARGET_POSITION`; the target's position is not used, and may be missing. A negative count is
 * unknown (reli writes -1 for its samples) and becomes 0, as others write it.
 */
static bool take_calls_line(struct callgrind_reader *r, struct text value)
{
    value = text_trim(value);
    struct text rest = value;
    bool is_unknown = text_starts(rest, "-");
    rest.at += is_unknown;
    r->next_cost = COST_IS_SKIPPED;
    if (!text_take_number(&rest, &r->call_count, NULL) || (!text_is_empty(rest) && !char_is_blank(*rest.at)))
        return misplaced_line(r, value, "a call count");
    if (is_unknown)
        r->call_count = 0;
    return take_calls(r, value);
}

/*
 * ARTIQ's exporter writes the caller of a call between calls= and the cost line. As in KCachegrind, the cost
 * is the call's all the same. Where records are invocations, a record has lost its end instead.
 */
static bool takes_caller(struct callgrind_reader *r, enum position_kind kind)
{
    return r->next_cost == COST_OF_CALL && r->kind_is_known && !r->are_invocations &&
           (kind == POSITION_FUNCTION || kind == POSITION_FILE || kind == POSITION_OBJECT);
}

static bool take_position_line(struct callgrind_reader *r, const struct position_key *key, struct text value)
{
    uint32_t name;
    bool is_about_function = key->names == FUNCTION_NAMES || key->kind == POSITION_CALLS;
    r->in_body = true;
    if (takes_caller(r, key->kind)) {
        if (!r->has_moved_call &&
            !diag_problem(r->diag, r->lines->number,
                          "found \"" TEXT_FMT "\" after calls=, expected the cost line of the call; it is "
                          "taken as that of the function named here", TEXT_ARG(value)))
            return false;
        r->has_moved_call = true;
    } else if (!callgrind_check_cost(r)) {
        return false;
    }
    if (is_about_function && !r->kind_is_known && !callgrind_decide_kind(r))
        return false;
    if (key->names != NO_NAMES && !resolve(r, key->names, value, &name))
        return false;
    switch (key->kind) {
    case POSITION_CALLS:
        return take_calls_line(r, value);
    case POSITION_JUMP:
        r->next_cost = COST_OF_JUMP;
        return true;
    case POSITION_CONTEXT: /* a new context of a function resets callgrind's reference: see take_inline_file */
        if (r->is_by_callgrind)
            r->call_file = r->entered_file;
        return true;
    default:
        return take_name(r, key->kind, name);
    }
}

/*
 * Takes one subposition, relative to the one before or absolute. Returns false if there is none. A
 * value below 0 or above 2^64 - 1 wraps around: it is an address, or invalid.
 */
static bool take_subposition(struct text *line, uint64_t *position)
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

/*
 * Takes a cost. Some producers print negative costs as 64-bit unsigned numbers; both become the
 * same. A number of more than 64 bits becomes the nearest cost, one with a fraction the nearest
 * whole one. Cachegrind once wrote a dot for a count that does not apply.
 */
static bool take_cost(struct text *line, cost_t *value, struct cost_oddities *found)
{
    uint64_t number = 0;
    bool negative = *line->at == '-', is_beyond = false, round_up = false;
    struct text rest = *line;
    rest.at += negative;
    bool has_number = text_take_number(&rest, &number, &is_beyond);
    if (text_starts(rest, ".")) {
        const char *digits = ++rest.at;
        while (!text_is_empty(rest) && char_is_digit(*rest.at))
            rest.at++;
        bool has_fraction = rest.at > digits;
        if (!has_fraction && (has_number || negative))
            return false;
        round_up = has_fraction && *digits >= '5';
        found->fraction |= has_fraction;
    } else if (!has_number) {
        return false;
    }
    if (!text_is_empty(rest) && !char_is_blank(*rest.at))
        return false;
    text_skip_blanks(&rest);
    line->at = rest.at;
    count_add(&number, round_up);
    number = negative ? 0 - number : number;
    memcpy(value, &number, sizeof number);
    if (is_beyond)
        *value = negative ? INT64_MIN : INT64_MAX;
    found->overflow |= is_beyond;
    return true;
}

size_t callgrind_take_costs(struct event_costs *e, struct text *line, struct cost_oddities *found)
{
    size_t count, columns = event_costs_columns(e);
    cost_t surplus;
    for (count = 0; !text_is_empty(*line); count++)
        if (!take_cost(line, count < columns ? &e->costs[count] : &surplus, found))
            break;
    event_costs_end_line(e, count);
    return count;
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

static bool take_cost_line(struct callgrind_reader *r, bool is_indented, struct text line)
{
    static const char expected[] = "positions and costs";
    struct text rest = line;
    enum next_cost about = r->next_cost;
    struct cost_oddities found = {false, false};
    uint64_t place = r->line, address = 0; /* other positions are addresses, which no profile contains */
    bool has_positions = true;

    r->in_body = true;
    r->is_closed = false;
    if (!r->events.are_chosen && !event_costs_choose(&r->events, r->lines->number))
        return false;
    /* Some producers write `$line $cost` even if they know no line (nytprofcg, jeprof): a cost after a blank. */
    bool is_unknown = is_indented && r->position_count == 1 && about != COST_OF_JUMP && is_lone_number(rest);
    for (size_t i = 0; i < r->position_count && !is_unknown && has_positions && !text_is_empty(rest); i++)
        has_positions = take_subposition(&rest, (int)i == r->line_position ? &place : &address);
    r->next_cost = COST_IS_SELF; /* any cost line ends the wait for one */
    if (!has_positions)
        return malformed_line(r, line, expected);
    size_t count = callgrind_take_costs(&r->events, &rest, &found);
    /* Simulators write the instruction after its costs, as a comment. */
    bool is_malformed = !text_is_empty(rest) && *rest.at != '#';
    if (is_malformed && !malformed_line(r, line, expected))
        return false;
    if (is_malformed && count == 0)
        return true;
    if (!report_costs(r, count, found))
        return false;
    if (positions_count(r, about))
        r->line = place;
    if (about == COST_IS_SELF && !r->has_function)
        return misplaced_line(r, line, "fn= before a cost line");
    return book_cost(r, about, is_unknown ? 0 : line_number(place), !is_unknown, event_costs_sum(&r->events));
}

/* Xdebug's line between the runs of a file that it appends to. */
static bool is_run_separator(struct text line)
{
    return text_starts(line, "==== NEW PROFILING FILE");
}

static bool take_line(struct callgrind_reader *r, struct text line)
{
    struct text key, value;
    const struct position_key *position;

    bool is_indented = !text_is_empty(line) && char_is_blank(*line.at);
    text_skip_blanks(&line);
    if (text_is_empty(line) || *line.at == '#') {
        r->empty_lines++;
        r->is_closed |= text_is_empty(line);
        return true;
    }
    if (begins_cost_line(*line.at))
        return take_cost_line(r, is_indented, line);
    if ((position = split_position(line, &value)) != NULL)
        return take_position_line(r, position, value);
    if (callgrind_split_header(line, &key, &value))
        return callgrind_take_header(r, line, key, value);
    if (is_run_separator(line))
        return callgrind_begin_part(r);
    return malformed_line(r, line, "a line of a callgrind profile");
}

/* ---- usual lines, in place ---------------------------------------------------------------- */

/*
 * The functions below read what begins at `p`, up to `end` or later, and return what follows it. NULL: it has
 * another form, which take_line reads, and nothing has changed; or r->has_failed.
 */

/* What is the same for all lines. */
struct line_form {
    size_t positions;
    int line_position; /* which of them is the line, or NO_LINE_POSITION */
    size_t columns;
    bool is_one_cost; /* of the column `first`; otherwise all costs of a line are needed */
    size_t first;
};

HOT const char *done_or_failed(struct callgrind_reader *r, bool done, const char *next)
{
    if (done)
        return next;
    r->has_failed = true;
    return NULL;
}

/* The name of KEY=NAME, which may begin with a parenthesis but not with an alias, or KEY=(ID) NAME, from NAME on. */
static const char *read_full_name(struct callgrind_reader *r, enum name_space names, const uint64_t *id,
                                        const char *p, const char *end, uint32_t *name)
{
    if (p >= end)
        return NULL;
    const char *newline = find_newline(p), *last = newline - (newline > p && newline[-1] == '\r');
    if (last == p ? id != NULL : char_is_blank(*p) || char_is_blank(last[-1]))
        return NULL;
    struct text text = {p, last};
    bool done = id == NULL ? (*name = names_intern(callgrind_names(r), text), true)
                           : aliases_define(&r->aliases[names], callgrind_names(r), *id, text, name);
    return done ? newline + 1 : NULL;
}

/* The name of KEY=(ID), KEY=(ID) NAME or KEY=NAME. */
HOT const char *read_name(struct callgrind_reader *r, enum name_space names, const char *p, const char *end,
                          uint32_t *name)
{
    uint64_t id;
    if (UNLIKELY(*p != '('))
        return read_full_name(r, names, NULL, p, end, name);
    const char *next = scan_number(p + 1, &id);
    if (UNLIKELY(next == NULL || *next != ')'))
        return char_is_digit(p[1]) ? NULL : read_full_name(r, names, NULL, p, end, name);
    if (UNLIKELY(next[1] == ' '))
        return read_full_name(r, names, &id, next + 2, end, name);
    *name = aliases_find(&r->aliases[names], id);
    return *name != NONE ? scan_line_end(next + 1) : NULL;
}

HOT const char *read_name_line(struct callgrind_reader *r, const char *p, const char *end, enum name_space names,
                               enum position_kind kind)
{
    uint32_t name;
    if (UNLIKELY(r->next_cost != COST_IS_SELF))
        return NULL;
    const char *next = read_name(r, names, p, end, &name);
    if (UNLIKELY(next == NULL))
        return NULL;
    r->in_body = true;
    return done_or_failed(r, take_name(r, kind, name), next);
}

HOT const char *read_calls_line(struct callgrind_reader *r, const char *p)
{
    if (UNLIKELY(r->next_cost != COST_IS_SELF || !r->has_function || !(r->target & TARGET_FUNCTION || r->has_callee)))
        return NULL;
    bool is_unknown = *p == '-';
    p = scan_number(p + is_unknown, &r->call_count);
    if (UNLIKELY(p == NULL || *p != ' '))
        return NULL;
    if (UNLIKELY(is_unknown))
        r->call_count = 0;
    return done_or_failed(r, take_calls(r, text_of("", 0)), find_newline(p) + 1);
}

/* Reads a line with a key. */
HOT const char *read_position_line(struct callgrind_reader *r, const char *p, const char *end)
{
    switch (*p) {
    case 'c':
        if (p[1] == 'f' && p[3] == '=')
            return p[2] == 'n' ? read_name_line(r, p + 4, end, FUNCTION_NAMES, POSITION_CALLED_FUNCTION)
                   : p[2] == 'l' || p[2] == 'i'
                       ? read_name_line(r, p + 4, end, FILE_NAMES, POSITION_CALLED_FILE)
                       : NULL;
        if (memcmp(p, "calls=", 6) == 0)
            return read_calls_line(r, p + 6);
        return memcmp(p, "cob=", 4) == 0 ? read_name_line(r, p + 4, end, OBJECT_NAMES, POSITION_CALLED_OBJECT)
                                         : NULL;
    case 'f':
        if (p[2] != '=')
            return NULL;
        return p[1] == 'n'   ? read_name_line(r, p + 3, end, FUNCTION_NAMES, POSITION_FUNCTION)
               : p[1] == 'l' ? read_name_line(r, p + 3, end, FILE_NAMES, POSITION_FILE)
               : p[1] == 'i' || p[1] == 'e'
                   ? read_name_line(r, p + 3, end, FILE_NAMES, POSITION_INLINE_FILE)
                   : NULL;
    case 'j':
        if (r->next_cost != COST_IS_SELF || (memcmp(p, "jump=", 5) != 0 && memcmp(p, "jcnd=", 5) != 0))
            return NULL;
        r->in_body = true;
        r->next_cost = COST_OF_JUMP;
        return find_newline(p) + 1;
    case 'o':
        return p[1] == 'b' && p[2] == '=' ? read_name_line(r, p + 3, end, OBJECT_NAMES, POSITION_OBJECT) : NULL;
    default:
        return NULL;
    }
}

/* Missing positions are the same as before. */
HOT const char *read_positions(const struct line_form *form, const char *p, uint64_t *line, bool *is_relative)
{
    *line = 0;
    *is_relative = true;
    for (size_t i = 0; i < form->positions && (i == 0 || *p == ' '); i++) {
        uint64_t position;
        bool has_sign;
        p = scan_position(p + (i > 0), &position, &has_sign);
        if (UNLIKELY(p == NULL))
            return NULL;
        if ((int)i == form->line_position) {
            *line = position;
            *is_relative = has_sign;
        }
    }
    return p;
}

/* The costs of a line, up to its end. */
HOT const char *read_costs(struct event_costs *e, const struct line_form *form, const char *p, cost_t *cost)
{
    size_t column = 0;
    const char *next;
    cost_t other;
    *cost = 0;
    if (form->is_one_cost) {
        for (; column < form->first && *p == ' ' && (next = scan_cost(p + 1, &other)) != NULL; p = next)
            column++;
        if (column == form->first && *p == ' ' && (next = scan_cost(p + 1, cost)) != NULL) {
            column++;
            p = next;
        }
        for (; *p == ' ' && column < form->columns && (next = scan_cost(p + 1, &other)) != NULL; p = next)
            column++;
    } else {
        for (; *p == ' ' && column < form->columns && (next = scan_cost(p + 1, &other)) != NULL; p = next)
            e->costs[column++] = other;
        event_costs_end_line(e, column);
        *cost = event_costs_sum(e);
    }
    if (*p == '\n')
        return p + 1;
    return scan_line_end(*p == ' ' ? p + 1 : p);
}

/* *step: how far its line is from the one before, if it is relative to that; otherwise 0. */
HOT const char *read_cost_line(struct callgrind_reader *r, const struct line_form *form, const char *p,
                               uint64_t *line, uint64_t *step, cost_t *cost)
{
    bool is_relative;
    p = read_positions(form, p, line, &is_relative);
    *step = is_relative ? *line : 0;
    *line += is_relative ? r->line : 0;
    return p != NULL ? read_costs(&r->events, form, p, cost) : NULL;
}

/*
 * Steps over lines that differ from the one from `p` to `*next` only in their first position, which is +N: in
 * profiles of Valgrind, seven of ten, because these instructions run together. Returns how many.
 */
HOT unsigned skip_same_costs(const char *p, const char **next, const char *end)
{
    enum { MOST = 1000 };
    uint64_t address;
    bool is_relative;
    const char *rest = scan_position(p, &address, &is_relative);
    size_t length = (size_t)(*next - rest);
    if (length > sizeof(uint64_t))
        return 0;
    uint64_t unused = 64 - 8 * length, wanted = little8(rest) << unused;
    unsigned count = 0;
    for (; *next < end && count < MOST && **next == '+' && char_is_digit((*next)[1]) &&
           little8(*next + 2) << unused == wanted; count++)
        *next += 2 + length;
    return count;
}

/* Reads a cost line and, if it is a self cost, those that follow it. */
HOT const char *read_cost_lines(struct callgrind_reader *r, const struct line_form *form, const char *p,
                                const char *end)
{
    enum next_cost about = r->next_cost;
    uint64_t line, step;
    cost_t cost;
    if (UNLIKELY(!r->has_function && about == COST_IS_SELF))
        return NULL;
    const char *next = read_cost_line(r, form, p, &line, &step, &cost);
    if (UNLIKELY(next == NULL))
        return NULL;
    r->next_cost = COST_IS_SELF;
    r->in_body = true;
    r->is_closed = false;
    if (positions_count(r, about))
        r->line = line;
    if (UNLIKELY(!book_cost(r, about, line_number(line), true, cost)))
        return done_or_failed(r, false, NULL);
    while (about == COST_IS_SELF && next < end && (form->is_one_cost || r->events.wanted != ALL_COSTS)) {
        /* So few of such costs that their sum fits 64 bits. */
        if (form->line_position != 0 && cost >= 0 && cost < INT64_MAX / 1000) {
            unsigned same = skip_same_costs(p, &next, end);
            builder_self(r->builder, 0, false, cost * same);
            r->line += step * same;
            r->lines->number += same;
        }
        p = next;
        if (!begins_cost_line(*p) || UNLIKELY((next = read_cost_line(r, form, p, &line, &step, &cost)) == NULL))
            return p;
        r->line = line;
        r->lines->number++;
        builder_self(r->builder, line_number(line), r->file == r->entered_file, cost);
    }
    return next;
}

/*
 * Nearly all lines of Xdebug are in groups of four: a blank line, fl=FILE, fn=FUNCTION, LINE COST...; or
 * cfl=FILE, cfn=FUNCTION, calls=1 0 0, LINE COST...
 */
HOT const char *read_record(struct callgrind_reader *r, const struct line_form *form, const char *p,
                            const char *end)
{
    uint32_t file, function;
    uint64_t line, step;
    cost_t cost;
    if (memcmp(p, "\nfl=", 4) != 0)
        return NULL;
    p = read_name(r, FILE_NAMES, p + 4, end, &file);
    if (UNLIKELY(p == NULL || memcmp(p, "fn=", 3) != 0))
        return NULL;
    p = read_name(r, FUNCTION_NAMES, p + 3, end, &function);
    p = p != NULL ? read_cost_line(r, form, p, &line, &step, &cost) : NULL;
    if (UNLIKELY(p == NULL))
        return NULL;
    r->empty_lines++;
    r->in_body = r->is_closed = true;
    take_file(r, file);
    if (UNLIKELY(!begin_function(r, function)))
        return done_or_failed(r, false, NULL);
    r->line = line;
    return done_or_failed(r, book_cost(r, COST_IS_SELF, line_number(line), true, cost), p);
}

HOT const char *read_call(struct callgrind_reader *r, const struct line_form *form, const char *p, const char *end)
{
    static const char calls[] = "calls=1 0 0\n";
    uint32_t file, function;
    uint64_t line, step;
    cost_t cost;
    if (memcmp(p, "cfl=", 4) != 0)
        return NULL;
    p = read_name(r, FILE_NAMES, p + 4, end, &file);
    if (UNLIKELY(p == NULL || memcmp(p, "cfn=", 4) != 0))
        return NULL;
    p = read_name(r, FUNCTION_NAMES, p + 4, end, &function);
    if (UNLIKELY(p == NULL || memcmp(p, calls, sizeof calls - 1) != 0))
        return NULL;
    p = read_cost_line(r, form, p + sizeof calls - 1, &line, &step, &cost);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (!r->is_by_callgrind)
        r->line = line;
    r->callee.object = r->object;
    r->callee.file = file;
    r->callee.function = function;
    r->has_callee = true;
    r->call_count = 1;
    r->in_body = true;
    r->is_closed = false;
    return done_or_failed(r, book_cost(r, COST_OF_CALL, line_number(line), true, cost), p);
}

/* The number in the last line before `p`. */
static uint64_t last_line_before(const char *p)
{
    uint64_t line;
    while (p[-2] != '\n')
        p--;
    return scan_number(p - 1, &line) != NULL ? line : 0;
}

/* Enters the span of records that begins at `p`, if there is one and that is possible; returns where it ends. */
static const char *take_span(struct callgrind_reader *r, const char *p)
{
    const struct sums_span *span = r->span;
    bool is_entered;
    while (span < r->spans_end && span->start < p)
        span++;
    r->span = span;
    if (span == r->spans_end || span->start > p)
        return p;
    r->span++;
    if (r->next_cost != COST_IS_SELF || r->target != 0 || lacks_self(r))
        return p;
    r->is_closed = true;
    if (!end_record(r) || !(builder_enter(r->builder), true) ||
        !callgrind_enter_span(r, &r->summed[r->lines->slot], span, &is_entered))
        return done_or_failed(r, false, p);
    if (!is_entered) {
        r->has_no_sums = true;
        r->span = r->spans_end;
        return p;
    }
    r->in_body = true;
    r->line = last_line_before(span->end);
    r->part_records += span->records;
    r->lines->number += 4 * span->groups;
    r->empty_lines += span->records;
    return span->end;
}

/* Reads groups as long as there are any. */
HOT const char *read_groups(struct callgrind_reader *r, const struct line_form *form, const char *p, const char *end)
{
    uint64_t count = 0;
    if (!r->are_invocations || r->next_cost != COST_IS_SELF || r->target != 0 || lacks_self(r) ||
        (*p == 'c' && !r->has_function))
        return p;
    for (const char *next; p < end; p = next, count++) {
        next = *p == 'c' ? read_call(r, form, p, end) : *p == '\n' ? read_record(r, form, p, end) : NULL;
        if (UNLIKELY(next == NULL))
            break;
    }
    r->lines->number += 4 * count;
    return p;
}

/* Reads lines up to `end`, or to one after which the form may be another. */
HOT bool read_in_place(struct callgrind_reader *r, const struct line_form *form, const char *end)
{
    const char *p = r->lines->at, *next;
    r->form_may_change = false;
    while (p < end) {
        if (form->positions == 1 && (*p == 'c' || *p == '\n')) {
            if (UNLIKELY(r->span < r->spans_end && p >= r->span->start))
                p = take_span(r, p);
            if (p != NULL && p < end)
                p = read_groups(r, form, p, r->span < r->spans_end ? r->span->start : end);
            if (UNLIKELY(r->has_failed))
                return false;
            if (p >= end || (r->span < r->spans_end && p == r->span->start))
                continue;
        }
        r->lines->number++;
        if (*p >= 'a')
            next = read_position_line(r, p, end);
        else if (begins_cost_line(*p))
            next = read_cost_lines(r, form, p, end);
        else if ((next = scan_line_end(p)) != NULL) {
            r->is_closed = true;
            r->empty_lines++;
        }
        if (next != NULL) {
            p = next;
            continue;
        }
        if (r->has_failed)
            return false;
        struct text line;
        r->lines->number--;
        lines_skip(r->lines, p, 0);
        if (lines_next(r->lines, &line) != LINES_LINE || !take_line(r, line))
            return false;
        p = r->lines->at;
        if (r->form_may_change || !r->events.are_chosen)
            return true;
    }
    lines_skip(r->lines, p, 0);
    return true;
}

/* What is constant here has code of its own. */
static bool read_lines_of_xdebug(struct callgrind_reader *r, size_t columns, const char *end)
{
    const struct line_form form = {.positions = 1, .columns = columns, .is_one_cost = true};
    return read_in_place(r, &form, end);
}

static bool read_lines_with_addresses(struct callgrind_reader *r, size_t columns, const char *end)
{
    const struct line_form form = {.positions = 2, .line_position = 1, .columns = columns, .is_one_cost = true};
    return read_in_place(r, &form, end);
}

static bool read_other_lines(struct callgrind_reader *r, struct line_form form, const char *end)
{
    return read_in_place(r, &form, end);
}

/* The benchmark sets this to 0, to time the reader alone. */
#ifndef SUMS_ARE_MADE
#define SUMS_ARE_MADE 1
#endif

/* May records be added up, by header lines and options? */
static bool do_sums_fit(const struct callgrind_reader *r)
{
    const struct event_costs *e = &r->events;
    size_t columns = event_costs_columns(e);
    return SUMS_ARE_MADE && sums_are_possible() && !r->has_no_sums && r->are_invocations &&
           !r->builder->needs_each && !r->is_by_callgrind && r->builder->identity == IDENTITY_NAME &&
           r->position_count == 1 && r->line_position == 0 && e->wanted == ONE_COST && columns >= 1 && columns <= 2;
}

/* Adds up a block, in any thread. */
static bool sum_block(void *context, unsigned slot, struct text block)
{
    struct callgrind_reader *r = context;
    return sums_make(&r->summed[slot].sums, r->ahead, block);
}

/* Lets other threads read ahead and, if that is possible, add up records. */
static void read_ahead(struct callgrind_reader *r, struct sums_form form)
{
    r->reads_ahead = true;
    r->ahead = form;
    lines_read_ahead(r->lines, r->options->threads, do_sums_fit(r) ? sum_block : NULL, r);
}

/* Finds the spans of records in the text up to `end` that have been added up, or adds them up. */
static bool find_spans(struct callgrind_reader *r, const char *end)
{
    struct sums_form form = {event_costs_columns(&r->events), r->events.first};
    struct sums *sums = &r->summed[r->lines->slot].sums;
    r->span = r->spans_end = NULL;
    if (!r->reads_ahead)
        read_ahead(r, form);
    if (!do_sums_fit(r))
        return true;
    bool is_made = r->lines->is_prepared || r->summed_block == r->lines->block_count;
    if (is_made && (sums->form.columns != form.columns || sums->form.wanted != form.wanted))
        return true;
    if (!is_made && !sums_make(sums, form, (struct text){r->lines->at, end}))
        return diag_no_memory(r->diag);
    r->summed_block = r->lines->block_count;
    if (sums->span_count > 0) {
        r->span = sums->spans;
        r->spans_end = sums->spans + sums->span_count;
    }
    return true;
}

static bool read_usual_lines(struct callgrind_reader *r, const char *end)
{
    if (!find_spans(r, end))
        return false;
    const struct event_costs *e = &r->events;
    const struct line_form form = {r->position_count, r->line_position, event_costs_columns(e),
                                   e->wanted == ONE_COST, e->first};
    bool is_first = form.is_one_cost && form.first == 0;
    if (is_first && form.positions == 1 && form.line_position == 0)
        return read_lines_of_xdebug(r, form.columns, end);
    if (is_first && form.positions == 2 && form.line_position == 1)
        return read_lines_with_addresses(r, form.columns, end);
    return read_other_lines(r, form, end);
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
    if (!r->has_function || !r->are_invocations)
        return false;
    if (r->next_cost == COST_OF_CALL || r->target != 0 ||
        (!r->builder->has_self && (!r->is_closed || r->has_total)))
        return true;
    if (r->is_closed || r->part_has_summary || r->part_records < ENOUGH_RECORDS || !r->all_closed ||
        !builder_knows_callees(r->builder))
        return false;
    struct text name = names_text(callgrind_names(r), r->function);
    return !r->lines->last_is_whole || !text_equals(name, "{main}");
}

static bool drop_record(struct callgrind_reader *r)
{
    r->next_cost = COST_IS_SELF;
    r->has_function = false;
    event_costs_drop_record(&r->events);
    builder_drop(r->builder);
    return diag_problem(r->diag, r->lines->number,
                        "found the end of the input inside a record, expected the rest; the record is "
                        "left out");
}

static bool take_end(struct callgrind_reader *r)
{
    if (!(builder_enter(r->builder), true) || (is_cut_off(r) && !drop_record(r)) || (lacks_self(r) && !report_no_self(r)))
        return false;
    if (!callgrind_end_record(r) || !callgrind_check_cost(r) || !callgrind_end_part(r))
        return false;
    if (r->builder->profile->function_count == 0)
        return diag_error(r->diag, 0, "found no function, expected a callgrind profile");
    uint64_t valid = r->lines->number - r->empty_lines - r->malformed_lines;
    uint64_t others = r->malformed_lines + r->misplaced_lines;
    if (others > valid)
        return diag_error(r->diag, 0,
                          "found more malformed lines (%" PRIu64 ") than valid ones (%" PRIu64
                          "), expected a callgrind profile",
                          others, valid);
    return event_costs_name_unit(&r->events) && event_costs_list(&r->events) &&
           (builder_finish(r->builder), true);
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

static bool read_all(struct callgrind_reader *r)
{
    struct text line;
    enum lines_result result;
    for (;;) {
        const char *end = lines_whole(r->lines).end;
        if (r->kind_is_known && r->events.are_chosen && r->lines->at < end) {
            if (!read_usual_lines(r, end))
                return false;
            continue;
        }
        if ((result = lines_next(r->lines, &line)) != LINES_LINE)
            return result == LINES_END && take_end(r);
        if (!(is_cut_line(r) ? malformed_line(r, line, "a whole line") : take_line(r, line)))
            return false;
    }
}

/* Ends the threads that add up before what they add up in is freed. */
static void release(void *of)
{
    struct callgrind_reader *reader = of;
    lines_stop(reader->lines);
    for (size_t i = 0; i < BLOCKS_MAX_SLOTS; i++)
        summed_text_free(&reader->summed[i]);
}

static bool callgrind_read(struct lines *lines, struct builder *builder, struct diag *diag,
                           const struct frontend_options *options)
{
    struct callgrind_reader *reader = memory_zeroed(1, sizeof *reader);
    struct run_held held;
    reader->lines = lines;
    reader->builder = builder;
    reader->diag = diag;
    reader->options = options;
    reader->position_count = 1;
    reader->part_totals = text_of("", 0);
    reader->all_closed = true;
    event_costs_init(&reader->events, options, builder);
    for (size_t i = 0; i < NAME_SPACES; i++)
        aliases_init(&reader->aliases[i], &builder->profile->names);
    run_hold(&held, release, reader);
    read_all(reader);
    run_let_go(&held);
    release(reader);
    event_costs_free(&reader->events);
    for (size_t i = 0; i < NAME_SPACES; i++)
        aliases_free(&reader->aliases[i]);
    memory_free(reader);
    return true;
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
        if (split_position(line, &value) != NULL || is_run_separator(line) ||
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
    .reads_ahead = true,
    .recognises = callgrind_recognises,
    .read = callgrind_read,
};
