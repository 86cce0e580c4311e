/* SPDX-License-Identifier: MIT */
/*
 * Reads the callgrind format, which includes cachegrind's:
 * https://valgrind.org/docs/manual/cl-format.html, with the dialects of its producers.
 *
 * A file is a sequence of parts, each of header lines (`key: value`) and body lines. Body lines name a position
 * (`fn=(1) main`) for the cost lines that follow (`12 340`), or the target of a call, which `calls=` completes and
 * whose cost is in the next cost line. The reader keeps the last positions and passes each cost to the builder.
 *
 * read_in_place reads lines of their usual forms, and any_line all others. Both call the same functions, which say
 * what a line means (set_name, begin_calls, book_cost ...).
 */
#include "read/callgrind/reader.h"
#include "read/callgrind/scan.h"
#include "util/task.h"

#include <inttypes.h>

enum { ENOUGH_RECORDS = 2 }; /* to decide how records end */

static void skip_line(struct callgrind_reader *r, uint64_t *count, struct text line, const char *expected)
{
    (*count)++;
    diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s", TEXT_ARG(line), expected);
}

/* ---- records ------------------------------------------------------------------------------ */

HOT bool lacks_self(const struct callgrind_reader *r)
{
    return r->are_invocations && r->record.has_function && !r->builder->has_self;
}

APART static void report_no_self(struct callgrind_reader *r)
{
    diag_problem(r->diag, r->lines->number, "the record ends without a cost line");
}

HOT void end_record(struct callgrind_reader *r)
{
    if (r->record.has_function && r->are_invocations) {
        r->part.records++;
        r->part.has_unclosed |= !r->record.is_closed;
    }
    r->record.is_closed = r->record.has_total = r->record.has_function = false;
    if (UNLIKELY(r->events.record != NULL))
        event_costs_end_record(&r->events, true);
    builder_end(r->builder);
}

/* By an empty line, the last one that was read. */
HOT void close_record(struct callgrind_reader *r)
{
    if (!r->record.is_closed)
        r->record.closed_by = r->lines->number;
    r->record.is_closed = true;
}

/* ---- positions ---------------------------------------------------------------------------- */

enum position_kind {
    KEY_FN,
    KEY_FL,
    KEY_FI,
    KEY_OB,
    KEY_CFN,
    KEY_CFL,
    KEY_COB,
    KEY_CALLS,
    KEY_JUMP,
    KEY_FRFN,
    KEY_OTHER
};

/*
 * Valgrind's callgrind omits cfi=, and writes positions, relative to a reference: the file and position of the last
 * self cost, or of the function if there was none yet. It writes fi= or fe= if the file of what comes next differs from
 * the reference: of a self cost, which becomes the reference, or of a call or jump, which does not (callgrind/dump.c in
 * Valgrind's source: `last` in fprint_bbcc). So the file that a call or jump comes from ends with it.
 */
HOT void return_to_reference(struct callgrind_reader *r)
{
    if (r->is_by_callgrind)
        r->place.file = r->place.call_file;
}

/*
 * Is the file ??? although the function has one? callgrind counts code without line information as the function's, but
 * writes fi=??? before a call or jump from there, even if it then leaves out the jump, and before the cost of skipped
 * functions (--skip-plt, --fn-skip), which is one self cost at line 0 in ???, and makes this the reference. Another
 * fi=??? would not be written then: it shows that the self cost after the first one was the function's.
 */
HOT bool lacks_file(const struct callgrind_reader *r)
{
    return r->place.file == r->unknown_file && r->place.entered_file != r->unknown_file;
}

/* The file or object of a target is given. After a cfn=, it belongs to the next cfn=, if one follows. */
HOT void note_target(struct calls *c, enum target part)
{
    bool is_after_cfn = c->target & TARGET_FUNCTION;
    c->target = (uint8_t)(c->target | part);
    c->next_target = (uint8_t)(is_after_cfn ? c->next_target | part : c->next_target & ~part);
}

/* The meaning of a line whose value is a name. */
HOT void set_name(struct callgrind_reader *r, enum position_kind kind, uint32_t name)
{
    struct calls *c = &r->calls;
    bool has_cfn = c->target & TARGET_FUNCTION;
    switch (kind) {
    case KEY_FN:
        if (UNLIKELY(lacks_self(r)))
            report_no_self(r);
        end_record(r);
        r->record.function = name;
        r->place.file = r->place.call_file = r->place.entered_file = r->place.function_file;
        c->has_callee &= !r->are_invocations && !has_cfn;
        c->target = c->next_target = 0;
        r->record.has_function = true;
        if (r->are_invocations)
            builder_begin(r->builder, r->place.object, r->place.entered_file, name);
        break;
    case KEY_FL:
        r->place.file = r->place.function_file = r->place.call_file = name;
        r->place.has_fl = true;
        if (r->record.has_function && !r->builder->is_open) /* after fn=, as pmcstat of FreeBSD writes it */
            r->place.entered_file = name;
        break;
    case KEY_FI:
        /* Code from another file, inlined here. In a profile without any fl= it names the function's file. */
        r->place.file = name;
        if (!r->place.has_fl)
            r->place.function_file = name;
        if (!r->is_by_callgrind) /* the lines before are the reference of other producers */
            r->place.call_file = name;
        else if (r->place.call_file == name && name == r->unknown_file) /* see lacks_file */
            r->place.call_file = r->place.entered_file;
        break;
    case KEY_OB: r->place.object = name; break;
    case KEY_CFN: /* Valgrind writes it without calls= if these have cost nothing */
        r->record.is_closed = false;
        c->file = r->place.file;
        return_to_reference(r);
        if (UNLIKELY(has_cfn)) {
            c->target &= c->next_target;
            c->next_target = 0;
        }
        c->target |= TARGET_FUNCTION;
        c->given.name = name;
        break;
    case KEY_CFL:
        c->given.file = name;
        note_target(c, TARGET_FILE);
        break;
    case KEY_COB:
        c->given.object = name;
        note_target(c, TARGET_OBJECT);
        break;
    default: break;
    }
}

/* ---- calls and costs ---------------------------------------------------------------------- */

/* Takes calls of the target that is given, or otherwise of that before; there is one of these, and a record. */
HOT void begin_calls(struct callgrind_reader *r, uint64_t count)
{
    struct calls *c = &r->calls;
    if (c->target & TARGET_FUNCTION) {
        c->callee.object = c->target & TARGET_OBJECT ? c->given.object : r->place.object;
        c->callee.file = c->target & TARGET_FILE ? c->given.file : r->place.call_file;
        c->callee.name = c->given.name;
        c->has_callee = true;
    } else {
        c->file = r->place.file;
    }
    c->target = c->next_target = 0;
    c->count = count;
    c->next_cost = COST_OF_CALL;
}

HOT void begin_jump(struct callgrind_reader *r)
{
    return_to_reference(r);
    r->calls.next_cost = COST_OF_JUMP;
}

/* Drops a call without its cost line, because its cost and line are unknown. */
static void check_cost(struct callgrind_reader *r)
{
    enum next_cost waiting = r->calls.next_cost;
    r->calls.next_cost = COST_IS_SELF;
    if (waiting == COST_OF_CALL)
        diag_problem(r->diag, r->lines->number, "no cost line follows calls=; the call is left out");
}

/* A line number for the model; an invalid one, such as one below zero, becomes 0. */
HOT uint32_t line_number(uint64_t line)
{
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/*
 * The meaning of the cost of a line, which is that of the profile's event. If it is a self cost, there is a function.
 * Where records are sums, it may begin one, not fn=: some producers (yappi) begin with a list of aliases, under the
 * file that happens to come last.
 */
HOT void book_cost(struct callgrind_reader *r, enum next_cost about, uint32_t line, bool has_line, cost_t cost)
{
    if (UNLIKELY(!r->builder->is_open && (about == COST_IS_SELF || about == COST_OF_CALL)))
        builder_begin(r->builder, r->place.object, r->place.entered_file, r->record.function);
    if (about == COST_IS_SELF) {
        if (UNLIKELY(r->events.record != NULL))
            event_costs_count(&r->events);
        if (UNLIKELY(lacks_file(r)) && (line != 0 || r->place.call_file == r->unknown_file))
            r->place.file = r->place.entered_file; /* a jump was left out */
        r->place.call_file = r->place.file;
        builder_self(r->builder, line, r->place.file == r->place.entered_file && has_line, cost);
    } else if (about == COST_OF_CALL) {
        builder_call(r->builder, r->calls.callee, line, r->calls.count, cost);
    }
    if (UNLIKELY(builder_keeps(r->builder)) && (about == COST_IS_SELF || about == COST_OF_CALL))
        builder_keep(r->builder, about == COST_OF_CALL, about == COST_OF_CALL ? r->calls.file : r->place.file, line,
                     event_costs_of_line(&r->events, &cost));
}

/*
 * Drops the last record if it is incomplete, because the profiled process was killed or the disk was full. It is if a
 * call or its own cost is missing. In addition, Xdebug ends each record with a blank line, and the profile with a
 * summary. So if all other records are closed and there is no summary, one that is not closed is truncated. ({main}
 * comes last in any case; it counts as complete if its last line is.) A profile in which callers come first was not
 * written by Xdebug.
 */
static void drop_cut_record(struct callgrind_reader *r, bool last_is_whole, const char *what)
{
    const struct record *record = &r->record;
    builder_enter(r->builder);
    bool lacks_cost = r->calls.next_cost == COST_OF_CALL || r->calls.target != 0 ||
                      (!r->builder->has_self && (!record->is_closed || record->has_total));
    bool closes_records = r->part.records >= ENOUGH_RECORDS && !r->part.has_unclosed;
    bool is_main = text_equals(names_text(r->events.names, record->function), "{main}");
    bool lacks_end = closes_records && !record->is_closed && !r->part.has_summary && !(is_main && last_is_whole) &&
                     builder_knows_callees(r->builder);
    if (!record->has_function || !r->are_invocations || !(lacks_cost || lacks_end))
        return;
    r->calls.next_cost = COST_IS_SELF;
    r->record.has_function = false;
    event_costs_end_record(&r->events, false);
    builder_drop(r->builder);
    diag_problem(r->diag, r->lines->number, "%s ends inside a record, which is left out", what);
}

/* Ends a part, and resets the positions. Aliases, events: and positions: remain. */
static void begin_part(struct callgrind_reader *r)
{
    check_cost(r);
    end_record(r);
    callgrind_end_part(r);
    builder_new_run(r->builder);
    callgrind_list_part(r);
    if (r->builder->parts != NULL && callgrind_name_part(r))
        builder_take_part(r->builder);
    r->part = (struct part){.first_header = r->builder->profile->header_count};
    callgrind_begin_part(r);
    r->place = (struct place){.line = 0}; /* no names: NAME_EMPTY */
    r->calls = (struct calls){.target = 0};
}

/* ---- all lines ---------------------------------------------------------------------------- */

enum { NO_NAMES = NAME_SPACES }; /* of keys whose values are not names */

static const struct position_key {
    const char *key;
    enum position_kind kind;
    int names; /* in which name space its value is */
} position_keys[] = {
    {"fn=", KEY_FN, FUNCTION_NAMES},     {"fl=", KEY_FL, FILE_NAMES},         {"fi=", KEY_FI, FILE_NAMES},
    {"fe=", KEY_FI, FILE_NAMES},         {"ob=", KEY_OB, OBJECT_NAMES},       {"cfn=", KEY_CFN, FUNCTION_NAMES},
    {"cfl=", KEY_CFL, FILE_NAMES},       {"cfi=", KEY_CFL, FILE_NAMES},       {"cob=", KEY_COB, OBJECT_NAMES},
    {"calls=", KEY_CALLS, NO_NAMES},     {"rcalls=", KEY_CALLS, NO_NAMES},    {"jump=", KEY_JUMP, NO_NAMES},
    {"jcnd=", KEY_JUMP, NO_NAMES},       {"jfi=", KEY_OTHER, FILE_NAMES},     /* an alias */
    {"jfn=", KEY_OTHER, FUNCTION_NAMES}, {"frfn=", KEY_FRFN, FUNCTION_NAMES}, /* of --mangle-names=no */
    {"rec=", KEY_FRFN, NO_NAMES},
};

static const struct position_key *split_position(struct text line, struct text *value)
{
    for (size_t i = 0; i < COUNT_OF(position_keys); i++)
        if (text_starts(line, position_keys[i].key)) {
            *value = (struct text){line.at + strlen(position_keys[i].key), line.end};
            return &position_keys[i];
        }
    return NULL;
}

/*
 * `calls=COUNT TARGET_POSITION`; the target's position is not used, and may be missing. A negative count is
 * unknown (reli writes -1 for its samples) and becomes 0, as others write it.
 */
static void any_calls_line(struct callgrind_reader *r, struct text value)
{
    uint64_t count;
    value = text_trim(value);
    bool is_unknown = text_starts(value, "-");
    struct text rest = {value.at + is_unknown, value.end};
    r->calls.next_cost = COST_IS_SKIPPED;
    if (!text_take_number(&rest, &count, NULL) || (!text_is_empty(rest) && !char_is_blank(*rest.at)))
        skip_line(r, &r->misplaced_lines, value, "a call count");
    else if (!r->record.has_function)
        skip_line(r, &r->misplaced_lines, value, "fn= before calls=");
    else if (!(r->calls.target & TARGET_FUNCTION) && !r->calls.has_callee)
        skip_line(r, &r->misplaced_lines, value, "cfn= before calls=");
    else
        begin_calls(r, is_unknown ? 0 : count);
}

static void any_position_line(struct callgrind_reader *r, const struct position_key *key, struct text value)
{
    uint32_t name = NAME_EMPTY;
    /*
     * ARTIQ's exporter writes the caller between calls= and the cost line. As in KCachegrind, the cost is the call's
     * all the same. Where records are invocations, a record has lost its end instead.
     */
    bool is_caller = key->kind == KEY_FN || key->kind == KEY_FL || key->kind == KEY_OB;
    r->part.in_body = true;
    if (!is_caller || r->calls.next_cost != COST_OF_CALL || !r->kind_is_known || r->are_invocations) {
        check_cost(r);
    } else if (!r->has_moved_call) {
        diag_problem(r->diag, r->lines->number,
                     "found \"" TEXT_FMT "\" after calls=, expected the cost line of the call; it is "
                     "taken as that of the function named here",
                     TEXT_ARG(value));
        r->has_moved_call = true;
    }
    if (!r->kind_is_known && (key->names == FUNCTION_NAMES || key->kind == KEY_CALLS)) {
        enum cg2wg_records records = r->options->given->records;
        bool is_xdebug = r->builder->profile->producer == PRODUCER_XDEBUG;
        r->kind_is_known = true;
        r->are_invocations = records == CG2WG_RECORDS_AUTO ? is_xdebug && !r->is_aggregate
                                                           : records == CG2WG_RECORDS_INVOCATIONS;
        builder_set_kind(r->builder, frontend_identity(r->options, is_xdebug ? IDENTITY_NAME : IDENTITY_OBJECT),
                         r->are_invocations);
    }
    if (key->names != NO_NAMES && !aliases_resolve(&r->aliases[key->names], r->events.names, value, &name))
        diag_problem(r->diag, r->lines->number, "found " TEXT_FMT ", expected a defined alias",
                     TEXT_ARG(text_trim(value)));
    if (key->kind == KEY_CALLS)
        any_calls_line(r, value);
    else if (key->kind == KEY_JUMP)
        begin_jump(r);
    else if (key->kind != KEY_FRFN)
        set_name(r, key->kind, name);
    else if (r->is_by_callgrind) /* a new context resets callgrind's reference */
        r->place.file = r->place.call_file = r->place.entered_file;
}

/* Takes the positions at the start of a cost line; missing ones are as before. False: one is malformed. */
static bool take_positions(const struct callgrind_reader *r, struct text *rest, uint64_t *line)
{
    uint64_t address = 0; /* the others are addresses, which no profile contains */
    bool are_good = true;
    for (size_t i = 0; i < r->position_count && are_good && !text_is_empty(*rest); i++) {
        uint64_t *position = (int)i == r->line_position ? line : &address, number = 0;
        char sign = *rest->at;
        bool is_relative = sign == '*' || sign == '+' || sign == '-';
        rest->at += is_relative;
        are_good = (sign == '*' || text_take_number(rest, &number, NULL)) &&
                   (text_is_empty(*rest) || char_is_blank(*rest->at));
        /* Below 0 or above 2^64 - 1, it wraps around: it is an address, or invalid. */
        *position = (is_relative ? *position : 0) + (sign == '-' ? 0 - number : number);
        text_skip_blanks(rest);
    }
    return are_good;
}

static void any_cost_line(struct callgrind_reader *r, bool is_indented, struct text line)
{
    struct text rest = line, after = line;
    enum next_cost about = r->calls.next_cost;
    struct cost_oddities found = {.overflow = false};
    uint64_t number = r->place.line;

    r->part.in_body = true;
    r->record.is_closed = false;
    event_costs_choose(&r->events, r->lines->number);
    /* Some producers (nytprofcg, jeprof) write `$line $cost` even if they know no line. */
    text_take_word(&after);
    bool is_unknown = is_indented && r->position_count == 1 && about != COST_OF_JUMP && char_is_digit(*line.at) &&
                      (text_is_empty(after) || *after.at == '#');
    bool has_positions = is_unknown || take_positions(r, &rest, &number);
    r->calls.next_cost = COST_IS_SELF; /* any cost line ends the wait for one */
    size_t count = has_positions ? event_costs_parse(&r->events, &rest, &found) : 0;
    /* Simulators write the instruction after its costs, as a comment. */
    bool is_malformed = !has_positions || (!text_is_empty(rest) && *rest.at != '#');
    if (is_malformed)
        skip_line(r, &r->malformed_lines, line, "positions and costs");
    if (is_malformed && count == 0)
        return;
    if (found.overflow)
        diag_problem(r->diag, r->lines->number, "a cost does not fit 64 bits");
    if (found.fraction)
        diag_problem(r->diag, r->lines->number, "a cost has a fraction; it is rounded");
    /*
     * callgrind subtracts what a counter was when a call began. If the program switches instrumentation, or zeroes the
     * counters, within the call, that may be more than it is when the call ends: the cost is unknown.
     */
    bool is_wrapped = found.wrapped && r->is_by_callgrind && about <= COST_OF_CALL;
    for (size_t i = 0; is_wrapped && i < r->events.filled; i++)
        r->events.costs[i] = MAX(r->events.costs[i], 0);
    /* Xdebug 3 divides times without a sign by 10: below 0 are those of calls that it also makes to print a trace. */
    const cost_t wraps = (cost_t)(UINT64_MAX / 10) + 1;
    for (size_t i = 0; r->are_invocations && i < r->events.filled; i++)
        if (r->events.costs[i] < wraps && r->events.costs[i] > wraps / 1000 * 999) /* a shorter time than 200 days */
            r->events.costs[i] -= wraps;
    if (is_wrapped)
        diag_problem(r->diag, r->lines->number,
                     "found a cost of 2^63 or more, which callgrind writes if the program switches instrumentation or "
                     "zeroes costs within a call; it counts as 0");
    if (count > event_costs_columns(&r->events) && r->events.has_columns)
        diag_problem(r->diag, r->lines->number, "found %zu costs, expected at most %zu", count, r->events.column_count);
    if (about == COST_IS_SELF || !r->is_by_callgrind) /* see return_to_reference */
        r->place.line = number;
    if (about == COST_IS_SELF && !r->record.has_function)
        skip_line(r, &r->misplaced_lines, line, "fn= before a cost line");
    else
        book_cost(r, about, is_unknown ? 0 : line_number(number), !is_unknown, event_costs_sum(&r->events));
}

/* Xdebug's line between the runs of a file that it appends to. It writes a newline before, which may end a cut line. */
static const char run_separator[] = "==== NEW PROFILING FILE";

static void any_line(struct callgrind_reader *r, struct text line)
{
    struct text key, value;
    const struct position_key *position;
    const struct header_key *header;
    bool is_indented = !text_is_empty(line) && char_is_blank(*line.at);
    text_skip_blanks(&line);
    if (text_is_empty(line) || *line.at == '#') {
        r->empty_lines++;
        if (text_is_empty(line))
            close_record(r);
    } else if (begins_cost_line(*line.at)) {
        any_cost_line(r, is_indented, line);
    } else if ((position = split_position(line, &value)) != NULL) {
        any_position_line(r, position, value);
    } else if (text_starts(line, run_separator)) {
        bool last_is_whole = r->record.is_closed;
        r->record.is_closed &= r->record.closed_by + 1 < r->lines->number;
        drop_cut_record(r, last_is_whole, "a run");
        begin_part(r);
    } else if ((header = callgrind_split_header(line, &key, &value)) != NULL) {
        if (callgrind_begins_part(r, header))
            begin_part(r);
        callgrind_read_header(r, header, key, value);
    } else {
        skip_line(r, &r->malformed_lines, line, "a line of a callgrind profile");
    }
}

/* ---- usual lines, in place ---------------------------------------------------------------- */

/* The functions below return what follows the text that they read; NULL: it has another form, for any_line. */

struct line_form {
    size_t positions;
    int line_position; /* which of them is the line, or NO_LINE_POSITION */
    size_t columns;
    bool is_one_cost; /* of the column `first`; otherwise all costs of a line are needed */
    size_t first;
    bool keeps_lines; /* builder_keep follows */
};

/* The name of KEY=NAME, KEY=(ID) NAME or KEY=(ID), all up to the end of the line. */
APART static const char *read_other_name(struct callgrind_reader *r, enum name_space names, const char *p,
                                         const char *end, uint32_t *name)
{
    if (p >= end)
        return NULL;
    const char *newline = find_newline(p);
    struct text value = {p, newline - (newline > p && newline[-1] == '\r')};
    return aliases_resolve(&r->aliases[names], r->events.names, value, name) ? newline + 1 : NULL;
}

/* The name of KEY=(ID), KEY=(ID) NAME or KEY=NAME. */
HOT const char *read_name(struct callgrind_reader *r, enum name_space names, const char *p, const char *end,
                          uint32_t *name)
{
    uint64_t id;
    const char *next = UNLIKELY(*p != '(') ? NULL : scan_number(p + 1, &id);
    if (UNLIKELY(next == NULL || memcmp(next, ")\n", 2) != 0)) {
        uint32_t other = NONE;
        next = read_other_name(r, names, p, end, &other);
        *name = other;
        return next;
    }
    *name = aliases_find(&r->aliases[names], id);
    return *name != NONE ? next + 2 : NULL;
}

HOT const char *read_name_line(struct callgrind_reader *r, const char *p, const char *end, enum name_space names,
                               enum position_kind kind)
{
    uint32_t name;
    p = read_name(r, names, p, end, &name);
    if (UNLIKELY(p == NULL))
        return NULL;
    r->part.in_body = true;
    set_name(r, kind, name);
    return p;
}

HOT const char *read_calls_line(struct callgrind_reader *r, const char *p)
{
    uint64_t count;
    if (UNLIKELY(!r->record.has_function || !(r->calls.target & TARGET_FUNCTION || r->calls.has_callee)))
        return NULL;
    bool is_unknown = *p == '-';
    p = scan_number(p + is_unknown, &count);
    if (UNLIKELY(p == NULL || *p != ' '))
        return NULL;
    begin_calls(r, UNLIKELY(is_unknown) ? 0 : count);
    return find_newline(p) + 1;
}

HOT const char *read_position_line(struct callgrind_reader *r, const char *p, const char *end)
{
    if (UNLIKELY(r->calls.next_cost != COST_IS_SELF))
        return NULL;
    if (*p == 'c') {
        if (memcmp(p, "cfn=", 4) == 0)
            return read_name_line(r, p + 4, end, FUNCTION_NAMES, KEY_CFN);
        if (memcmp(p, "cfi=", 4) == 0 || memcmp(p, "cfl=", 4) == 0)
            return read_name_line(r, p + 4, end, FILE_NAMES, KEY_CFL);
        if (memcmp(p, "calls=", 6) == 0)
            return read_calls_line(r, p + 6);
        return memcmp(p, "cob=", 4) == 0 ? read_name_line(r, p + 4, end, OBJECT_NAMES, KEY_COB) : NULL;
    }
    if (*p == 'f' && p[2] == '=' && p[1] == 'n')
        return read_name_line(r, p + 3, end, FUNCTION_NAMES, KEY_FN);
    if (*p == 'f' && p[2] == '=' && p[1] == 'l')
        return read_name_line(r, p + 3, end, FILE_NAMES, KEY_FL);
    if (*p == 'f')
        return p[2] == '=' && (p[1] == 'i' || p[1] == 'e') ? read_name_line(r, p + 3, end, FILE_NAMES, KEY_FI) : NULL;
    if (memcmp(p, "ob=", 3) == 0)
        return read_name_line(r, p + 3, end, OBJECT_NAMES, KEY_OB);
    if (memcmp(p, "jump=", 5) != 0 && memcmp(p, "jcnd=", 5) != 0)
        return NULL;
    r->part.in_body = true;
    begin_jump(r);
    return find_newline(p) + 1;
}

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
        if (form->columns > column + 2)
            p = scan_other_costs(p, form->columns - column);
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

struct cost_line {
    uint64_t line;
    uint64_t step; /* how far this is from the line before, if it is relative to that; otherwise 0 */
    cost_t cost;
};

/* Missing positions are the same as before. */
HOT const char *read_cost_line(struct callgrind_reader *r, const struct line_form *form, const char *p,
                               struct cost_line *read)
{
    bool is_relative = true;
    read->line = 0;
    for (size_t i = 0; i < form->positions && (i == 0 || *p == ' '); i++) {
        uint64_t position;
        bool has_sign;
        p = scan_position(p + (i > 0), &position, &has_sign);
        if (UNLIKELY(p == NULL))
            return NULL;
        if ((int)i == form->line_position) {
            read->line = position;
            is_relative = has_sign;
        }
    }
    read->step = is_relative ? read->line : 0;
    read->line += is_relative ? r->place.line : 0;
    return read_costs(&r->events, form, p, &read->cost);
}

static void keep_line(struct callgrind_reader *r, const struct cost_line *read)
{
    builder_keep(r->builder, false, r->place.file, line_number(read->line),
                 event_costs_of_line(&r->events, &read->cost));
}

/*
 * Steps over lines that differ from the one from `p` to `*next` only in their first position, which is +N: in
 * profiles of Valgrind, seven of ten, because these instructions run together. Returns how many. One by one, a profile
 * with addresses takes 1.1 to 1.2 times as long.
 */
enum { MOST_SAME = 1000 };
HOT unsigned skip_same_costs(const char *p, const char **next, const char *end)
{
    uint64_t address;
    bool is_relative;
    const char *rest = scan_position(p, &address, &is_relative);
    size_t length = (size_t)(*next - rest);
    if (length > sizeof(uint64_t))
        return 0;
    uint64_t unused = 64 - 8 * length, wanted = little8(rest) << unused;
    unsigned count = 0;
    for (; *next < end && count < MOST_SAME && **next == '+' && char_is_digit((*next)[1]) &&
           little8(*next + 2) << unused == wanted;
         count++)
        *next += 2 + length;
    return count;
}

/* Reads a cost line and, if it is a self cost, those that follow it. */
HOT const char *read_cost_lines(struct callgrind_reader *r, const struct line_form *form, const char *p,
                                const char *end)
{
    enum next_cost about = r->calls.next_cost;
    struct cost_line read;
    if (UNLIKELY(!r->record.has_function && about == COST_IS_SELF))
        return NULL;
    const char *next = read_cost_line(r, form, p, &read);
    if (UNLIKELY(next == NULL))
        return NULL;
    r->calls.next_cost = COST_IS_SELF;
    r->record.is_closed = false;
    if (about == COST_IS_SELF || !r->is_by_callgrind) /* see return_to_reference */
        r->place.line = read.line;
    book_cost(r, about, line_number(read.line), true, read.cost);
    if (about != COST_IS_SELF || UNLIKELY(lacks_file(r)))
        return next;
    while (next < end && (form->is_one_cost || r->events.record == NULL)) {
        if (form->line_position != 0 && read.cost >= 0 && read.cost < INT64_MAX / MOST_SAME) { /* their sum fits */
            unsigned same = skip_same_costs(p, &next, end);
            builder_self(r->builder, 0, false, read.cost * same);
            for (unsigned i = 0; form->keeps_lines && i < same; i++) {
                read.line += read.step;
                keep_line(r, &read);
            }
            r->place.line += read.step * same;
            r->lines->number += same;
        }
        p = next;
        if (!begins_cost_line(*p) || UNLIKELY((next = read_cost_line(r, form, p, &read)) == NULL))
            return p;
        r->place.line = read.line;
        r->lines->number++;
        builder_self(r->builder, line_number(read.line), r->place.file == r->place.entered_file, read.cost);
        if (form->keeps_lines)
            keep_line(r, &read);
    }
    return next;
}

bool callgrind_is_between_quads(const struct callgrind_reader *r)
{
    return r->calls.next_cost == COST_IS_SELF && r->calls.target == 0 && !lacks_self(r);
}

bool callgrind_leave_record(struct callgrind_reader *r)
{
    if (!callgrind_is_between_quads(r))
        return false;
    r->record.is_closed = true;
    end_record(r);
    builder_enter(r->builder);
    return true;
}

/* Reads lines up to `end`, or to one after which the form may be another. */
HOT void read_in_place(struct callgrind_reader *r, const struct line_form *form, const char *end)
{
    const char *p = r->lines->at, *next;
    r->form_may_change = false;
    while (p < end) {
        r->lines->number++;
        if (*p >= 'a')
            next = read_position_line(r, p, end);
        else if (begins_cost_line(*p))
            next = read_cost_lines(r, form, p, end);
        else if ((next = scan_line_end(p)) != NULL) {
            close_record(r);
            r->empty_lines++;
        }
        if (UNLIKELY(next == NULL)) {
            struct text line;
            r->lines->number--;
            lines_skip(r->lines, p, 0);
            lines_next(r->lines, &line);
            any_line(r, line);
            next = r->lines->at;
            if (r->form_may_change || !r->events.are_chosen)
                end = next;
        }
        p = next;
    }
    lines_skip(r->lines, p, 0);
}

/* What is constant here has code of its own. */
HOT_LOOP static void read_usual_lines(struct callgrind_reader *r, const char *end)
{
    end = sums_take(r, end);
    const struct event_costs *e = &r->events;
    const struct line_form form = {r->position_count,      r->line_position,
                                   event_costs_columns(e), e->choices[0].is_one_cost && e->choice_count == 1,
                                   e->choices[0].first,    builder_keeps(r->builder)};
    const struct line_form xdebug = {1, 0, form.columns, true, 0, false},
                           with_addresses = {2, 1, form.columns, true, 0, false};
    bool is_first = form.is_one_cost && form.first == 0 && !form.keeps_lines;
    if (is_first && form.positions == 1 && form.line_position == 0)
        read_in_place(r, &xdebug, end);
    else if (is_first && form.positions == 2 && form.line_position == 1)
        read_in_place(r, &with_addresses, end);
    else
        read_in_place(r, &form, end);
}

/* ---- the end ------------------------------------------------------------------------------ */

/*
 * Some producers know a function by its alias or name alone (powdr): its costs are under the files of its code, and its
 * calls under that of the caller. So it is in several files of an object: called where it has no record, and not called
 * where it has one. For those of one alias, either is enough. (callgrind has an alias for each function; pprof has one
 * for all functions of a name, but a record for each that is called.)
 */
static void note_split_functions(struct callgrind_reader *r)
{
    const struct builder *b = r->builder;
    const struct profile *profile = b->profile;
    const struct aliases *aliases = &r->aliases[FUNCTION_NAMES];
    if (r->is_by_callgrind || b->identity != IDENTITY_OBJECT || r->options->given->identity != CG2WG_IDENTITY_AUTO ||
        r->options->list != NULL || aliases->redefinitions > 0)
        return;
    unsigned char *alias_counts = memory_zeroed(profile->names.count, 1);
    unsigned char *flags = memory_zeroed(profile->function_count + 1, 1);
    for (size_t id = 0; id < aliases->small_count; id++)
        if (aliases->small[id] != NONE && alias_counts[aliases->small[id]] < 2)
            alias_counts[aliases->small[id]]++;
    for (size_t i = 0; i < profile->arc_count; i++)
        flags[profile->arcs[i].callee] = FUNCTION_HAS_RECORD;
    for (size_t i = 0; i < profile->function_count; i++)
        flags[i] ^= profile->functions[i].flags & FUNCTION_HAS_RECORD;
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t last = b->last_of_name[f->name].function;
        if (last == i || f->object != profile->functions[last].object)
            continue;
        unsigned either = flags[i] | flags[last];
        unsigned both = flags[i] & flags[last] & (f->flags ^ profile->functions[last].flags);
        if (alias_counts[f->name] == 1 ? either == 0 : alias_counts[f->name] > 1 || both == 0)
            continue;
        diag_note(diag_about(r->diag, CG2WG_MEMBER_IDENTITY), 0,
                  "functions of one name are in several files, such as " TEXT_FMT,
                  TEXT_ARG(names_text(&profile->names, f->name)));
        return;
    }
}

static void end_input(struct callgrind_reader *r)
{
    uint64_t others = r->malformed_lines + r->misplaced_lines;
    drop_cut_record(r, r->lines->last_is_whole, "the input");
    if (lacks_self(r))
        report_no_self(r);
    end_record(r);
    check_cost(r);
    callgrind_end_part(r);
    callgrind_check_parts(r);
    if (!builder_has_functions(r->builder))
        diag_error(r->diag, 0, "no function: nothing was measured, or this is not a callgrind profile");
    uint64_t valid = r->lines->number - r->empty_lines - r->malformed_lines;
    if (others > valid)
        diag_error(r->diag, 0,
                   "more lines are malformed (%" PRIu64 ") than valid (%" PRIu64 "); this is not a callgrind profile",
                   others, valid);
    event_costs_finish(&r->events);
    memory_free(r->events.known); /* there may be many */
    note_split_functions(r);
    bool is_first = text_is_empty(r->options->event) && r->options->wishes == NULL && r->builder->parts == NULL;
    if (is_first && r->options->list == NULL && r->events.column_count > 1 && !profile_has_cost(r->builder->profile))
        diag_note(diag_about(r->diag, CG2WG_MEMBER_EVENT), 0,
                  "all costs of the first event are 0; another one may have some");
    if (r->builder->parts != NULL)
        callgrind_name_part(r);
    builder_finish(r->builder);
    callgrind_list_part(r);
    if (r->options->wishes == NULL)
        return;
    event_costs_tell(&r->events);
    *r->options->state = r->builder;
}

static void callgrind_take(void *state, size_t event, struct builder *builder, const struct frontend_options *options)
{
    const struct event_wish *wish = &options->wishes->all[event];
    builder_take(builder, state, event, wish->event, wish->speaks_of_event);
}

static void callgrind_read(struct lines *lines, struct builder *builder, const struct frontend_options *options)
{
    struct callgrind_reader *r = memory_zeroed(1, sizeof *r);
    struct text line;
    r->lines = lines;
    r->builder = builder;
    r->diag = builder->diag;
    r->options = options;
    r->position_count = 1;
    r->unknown_file = NONE;
    event_costs_init(&r->events, options, builder);
    callgrind_begin_parts(r);
    for (;;) {
        const char *end = lines_whole(lines).end;
        if (r->kind_is_known && r->events.are_chosen && lines->at < end)
            read_usual_lines(r, end);
        else if (!lines_next(lines, &line))
            break;
        /*
         * Valgrind ends its profiles with `totals:` or `summary:` and a newline: without both, the last
         * line is truncated, and its numbers may have lost digits.
         */
        else if (!lines->last_is_whole && r->is_by_valgrind && text_is_empty(r->part.totals) &&
                 (r->builder->profile->has_creator || !r->part.has_summary))
            skip_line(r, &r->malformed_lines, line, "a whole line");
        else
            any_line(r, line);
    }
    end_input(r);
}

enum { TELLING_BYTES = 64 }; /* this many bytes of a line show whether it has a key */

/* One line that only a profile contains is enough. If `head` ends inside a line, the rest of it may decide. */
static enum recognition callgrind_recognises(struct text head)
{
    bool has_other_lines = false;
    if ((text_starts(head, "desc:") || text_starts(head, "Garbage")) && others_find(head) != NULL) /* massif, Xdebug */
        return NOT_MINE;
    while (!text_is_empty(head)) {
        struct text line = text_take_to(&head, '\n'), key, value;
        text_skip_blanks(&line);
        const struct header_key *header = callgrind_split_header(line, &key, &value);
        if (split_position(line, &value) != NULL || text_starts(line, run_separator) ||
            (header != NULL && header->key != NULL))
            return MINE;
        has_other_lines |= !text_is_empty(line) && *line.at != '#' && *line.at != '\r' &&
                           (line.end < head.end || text_length(line) >= TELLING_BYTES);
    }
    return has_other_lines ? NOT_MINE : NOT_YET;
}

const struct frontend callgrind_frontend = {
    .name = "callgrind",
    .choices = CHOOSES_PARTS | CHOOSES_THREADS,
    .is_listed = true,
    .has_lines = true,
    .recognises = callgrind_recognises,
    .read = callgrind_read,
    .take = callgrind_take,
};
