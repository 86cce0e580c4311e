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

#include "util/digits.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENOUGH_RECORDS = 2 }; /* to decide how records end */

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
    return callgrind_no_memory(r);
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

/* Ends the record before the one that begins here. */
HOT bool end_record(struct callgrind_reader *r)
{
    bool is_invocation = r->has_function && r->are_invocations;
    if (is_invocation) {
        r->part_records++;
        r->all_closed &= r->record_is_closed;
    }
    bool lacks_self = is_invocation && !r->record_has_self;
    r->record_has_self = r->record_is_closed = r->record_has_total = false;
    return !UNLIKELY(lacks_self) || lacks_cost_line(r);
}

HOT bool enter_function(struct callgrind_reader *r)
{
    r->is_entered = true;
    return builder_enter(r->builder, r->object, r->entered_file, r->function_name);
}

/*
 * If records are invocations, each fn= is one. Otherwise it counts only with what follows, because
 * some producers (yappi) begin with a list of aliases, under the file that happens to come last.
 */
HOT bool take_function(struct callgrind_reader *r, uint32_t name)
{
    r->function_name = name;
    if (!end_record(r))
        return false;
    r->file = r->call_file = r->entered_file = r->function_file;
    r->has_callee &= !r->are_invocations && !r->has_called_name;
    r->has_called_name = false;
    r->called_object = r->called_file = (struct called_place){0};
    r->has_function = true;
    r->is_entered = false;
    return !r->are_invocations || enter_function(r);
}

/* Valgrind writes a target without calls= if the calls have cost nothing; it has no effect. */
static void drop_target(struct callgrind_reader *r)
{
    if (!r->called_object.is_next)
        r->called_object = (struct called_place){0};
    if (!r->called_file.is_next)
        r->called_file = (struct called_place){0};
    r->called_object.is_next = r->called_file.is_next = false;
}

HOT void take_called_place(const struct callgrind_reader *r, struct called_place *place, uint32_t name)
{
    *place = (struct called_place){.given = true, .is_next = r->has_called_name, .name = name};
}

HOT void take_called_function(struct callgrind_reader *r, uint32_t name)
{
    r->record_is_closed = false;
    if (UNLIKELY(r->has_called_name))
        drop_target(r);
    r->has_called_name = true;
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
    bool overflow = false, is_unknown = !text_is_empty(value) && *value.at == '-';
    value.at += is_unknown;
    if (!text_take_number(&value, count, &overflow) ||
        (!text_is_empty(value) && !char_is_blank(*value.at)))
        return false;
    *count = is_unknown ? 0 : *count;
    return true;
}

HOT bool take_calls(struct callgrind_reader *r, struct text value)
{
    r->next_cost = COST_IS_SKIPPED;
    if (!r->has_function)
        return odd_line(r, value, "fn= before calls=");
    if (!r->is_entered && !enter_function(r))
        return false;

    if (r->has_called_name) {
        uint32_t object = r->called_object.given ? r->called_object.name : r->object;
        uint32_t file = r->called_file.given ? r->called_file.name : r->call_file;
        if (!builder_function(r->builder, object, file, r->called_name, &r->callee))
            return false;
        r->has_callee = true;
    } else if (!r->has_callee) {
        return odd_line(r, value, "cfn= before calls=");
    }
    r->has_called_name = false;
    r->called_object = r->called_file = (struct called_place){0};
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

/* Kinds of keys. Keys of a kind differ only in their names. */
enum position_kind {
    NO_POSITION,
    POSITION_FUNCTION,
    POSITION_FILE,
    POSITION_INLINE_FILE,
    POSITION_OBJECT,
    POSITION_CALLED_FUNCTION,
    POSITION_CALLED_FILE,
    POSITION_CALLED_OBJECT,
    POSITION_CALLS,
    POSITION_JUMP,
    POSITION_OTHER_FUNCTION, /* a place that is not used, but may define an alias */
    POSITION_OTHER_FILE,
    POSITION_CALLER, /* these two are written by callgrind, with --mangle-names=no */
    POSITION_LEVEL
};

enum { MAX_KEY = 7 }; /* bytes, including the = after it */

HOT enum position_kind key_of_call(const char *p, unsigned *length)
{
    *length = 4;
    if (p[1] == 'f' && p[3] == '=') {
        if (p[2] == 'n')
            return POSITION_CALLED_FUNCTION;
        return p[2] == 'l' || p[2] == 'i' ? POSITION_CALLED_FILE : NO_POSITION;
    }
    if (memcmp(p, "cob=", 4) == 0)
        return POSITION_CALLED_OBJECT;
    *length = 6;
    return memcmp(p, "calls=", 6) == 0 ? POSITION_CALLS : NO_POSITION;
}

static enum position_kind rare_key(const char *p, unsigned *length)
{
    static const struct {
        const char *key;
        enum position_kind kind;
    } keys[] = {{"jcnd=", POSITION_JUMP},       {"jump=", POSITION_JUMP},
                {"jfi=", POSITION_OTHER_FILE},  {"jfn=", POSITION_OTHER_FUNCTION},
                {"rcalls=", POSITION_CALLS},    {"frfn=", POSITION_CALLER},
                {"rec=", POSITION_LEVEL}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        *length = (unsigned)strlen(keys[i].key);
        if (memcmp(p, keys[i].key, *length) == 0)
            return keys[i].kind;
    }
    return NO_POSITION;
}

/* The kind of the line whose first MAX_KEY bytes are at `p`, and the length of its key. */
HOT enum position_kind find_key(const char *p, unsigned *length)
{
    *length = 3;
    switch (*p) {
    case 'c':
        return key_of_call(p, length);
    case 'f':
        if (p[2] != '=')
            break;
        switch (p[1]) {
        case 'n': return POSITION_FUNCTION;
        case 'l': return POSITION_FILE;
        case 'i':
        case 'e': return POSITION_INLINE_FILE;
        default: return NO_POSITION;
        }
    case 'o':
        return p[1] == 'b' && p[2] == '=' ? POSITION_OBJECT : NO_POSITION;
    case 'j':
    case 'r': break;
    default: return NO_POSITION;
    }
    return rare_key(p, length);
}

/* The name space of its value. */
HOT enum name_space space_of(enum position_kind kind)
{
    switch (kind) {
    case POSITION_FUNCTION:
    case POSITION_CALLED_FUNCTION:
    case POSITION_OTHER_FUNCTION:
    case POSITION_CALLER: return FUNCTION_NAMES;
    case POSITION_FILE:
    case POSITION_INLINE_FILE:
    case POSITION_CALLED_FILE:
    case POSITION_OTHER_FILE: return FILE_NAMES;
    case POSITION_OBJECT:
    case POSITION_CALLED_OBJECT: return OBJECT_NAMES;
    case NO_POSITION:
    case POSITION_CALLS:
    case POSITION_JUMP:
    case POSITION_LEVEL: break;
    }
    return NO_NAMES;
}

/* Is it about functions of the profile? The kind of profile is decided before the first such line. */
HOT bool is_of_function(enum position_kind kind)
{
    return space_of(kind) == FUNCTION_NAMES || kind == POSITION_CALLS;
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
        take_called_place(r, &r->called_file, name);
        break;
    case POSITION_CALLED_OBJECT:
        take_called_place(r, &r->called_object, name);
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
    bool overflow = false;
    uint64_t number;
    struct text rest = *line;
    char sign = *rest.at;

    if (sign == '*') {
        rest.at++;
    } else if (sign == '+' || sign == '-') {
        rest.at++;
        if (!text_take_number(&rest, &number, &overflow))
            return false;
        *position += sign == '+' ? number : 0 - number;
    } else {
        if (!text_take_number(&rest, &number, &overflow))
            return false;
        *position = number;
    }
    if (!text_is_empty(rest) && !char_is_blank(*rest.at))
        return false;
    text_skip_blanks(&rest);
    line->at = rest.at;
    return true;
}

/* A line number for the model; an invalid one, such as a position below zero, becomes 0. */
HOT uint32_t line_number(const uint64_t *position, int line_position)
{
    if (line_position == NO_LINE_POSITION)
        return 0;
    uint64_t line = position[line_position];
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* The positions of a cost line. */
struct place {
    uint64_t position[MAX_POSITIONS];
    bool is_unknown; /* it has a cost, but no position */
};

/* Positions of other lines do not matter in callgrind's profiles: see take_inline_file. */
HOT bool positions_count(const struct callgrind_reader *r, enum next_cost about)
{
    return about == COST_IS_SELF || !r->is_by_callgrind;
}

/* Takes the cost of a line, which is that of the profile's event. There is a function. */
HOT bool book_cost(struct callgrind_reader *r, uint32_t line, bool has_line, enum next_cost about, cost_t cost)
{
    if (about == COST_IS_SELF) {
        if (UNLIKELY(!r->is_entered) && !enter_function(r))
            return false;
        r->record_has_self = true;
        r->call_file = r->file;
        builder_self(r->builder, line, r->file == r->entered_file && has_line, cost);
        if (r->events.wanted == ALL_COSTS)
            event_costs_count(&r->events);
    } else if (about == COST_OF_CALL) {
        r->callees_first &= (r->builder->profile->functions[r->callee].flags &
                             FUNCTION_HAS_RECORD) != 0;
        /* A list of events needs only self costs. */
        return r->events.wanted == ALL_COSTS ||
               builder_call(r->builder, r->callee, line, r->call_count, cost);
    }
    return true;
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
    memcpy(place->position, r->position, sizeof place->position);
    place->is_unknown = is_indented && r->position_count == 1 && r->next_cost != COST_OF_JUMP &&
                        is_lone_number(*line);
    if (place->is_unknown)
        return true;
    for (size_t i = 0; i < r->position_count && !text_is_empty(*line); i++)
        if (!take_subposition(line, &place->position[i]))
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
        memcpy(r->position, place.position, sizeof r->position);
    if (about == COST_IS_SELF && !r->has_function)
        return odd_line(r, line, "fn= before a cost line");
    uint32_t number = place.is_unknown ? 0 : line_number(place.position, r->line_position);
    return book_cost(r, number, !place.is_unknown, about, event_costs_sum(&r->events));
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool cost_line_begins(char c)
{
    return char_is_digit(c) || c == '+' || c == '-' || c == '*';
}

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
    r->record_is_closed &= !cost_line_begins(*line.at);
    if (cost_line_begins(*line.at))
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

/* ---- quick forms -------------------------------------------------------------------------- */

/*
 * Most lines have a quick form, which is read in the buffer without a search for the line's end.
 * The following functions read these forms, and leave any other line unchanged to take_line. The
 * functions above define the meaning of a line. Each function returns the start of the next line;
 * NULL: it has another form, or (r->has_failed) something has failed.
 */

/* The start of the next line, if this one ends at `p`; otherwise NULL. */
HOT const char *behind_end(const char *p)
{
    if (*p == '\n')
        return p + 1;
    return UNLIKELY(*p == '\r' && p[1] == '\n') ? p + 2 : NULL;
}

HOT const char *done_or_failed(struct callgrind_reader *r, bool done, const char *next)
{
    if (!UNLIKELY(!done))
        return next;
    r->has_failed = true;
    return NULL;
}

enum { QUICK_DIGITS = 18 }; /* of a number: as a cost, it fits 64 bits with a sign */

HOT bool take_quick_digit(const char *p, uint64_t *number)
{
    unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9)
        return false;
    *number = *number * 10 + digit;
    return true;
}

/*
 * Takes a number. Digit by digit, because the processor can predict its length and need not wait
 * for it.
 */
HOT const char *take_quick_number(const char *p, uint64_t *number)
{
    *number = 0;
    if (!take_quick_digit(p, number))
        return NULL;
    if (!take_quick_digit(p + 1, number))
        return p + 1;
    if (!take_quick_digit(p + 2, number))
        return p + 2;
    if (!take_quick_digit(p + 3, number))
        return p + 3;
    if (!take_quick_digit(p + 4, number))
        return p + 4;
    if (!take_quick_digit(p + 5, number))
        return p + 5;
    const char *start = p;
    p += 6;
    while (take_quick_digit(p, number))
        p++;
    return p - start <= QUICK_DIGITS ? p : NULL;
}

/* What is the same for all lines. Where it is known, there is special code. */
struct line_form {
    size_t positions;
    int line_position;
    enum costs_wanted wanted;
    size_t first, columns;
};

/* Takes an address, after 0x. Returns how many digits it has; 0: none, or too many. */
static unsigned take_quick_address(const char *p, uint64_t *position)
{
    enum { MOST = 16 };
    unsigned count = 0;
    uint64_t value = 0;
    for (; count <= MOST; count++) {
        unsigned digit = (unsigned)(unsigned char)p[count] - '0';
        if (digit > 9) {
            digit = ((unsigned)(unsigned char)p[count] | ' ') - 'a' + 10;
            if (digit < 10 || digit > 15)
                break;
        }
        value = value << 4 | digit;
    }
    *position = value;
    return count <= MOST ? count : 0;
}

HOT const char *take_quick_position(const char *p, uint64_t *position)
{
    uint64_t number = 0;
    if (char_is_digit(*p) && p[1] != 'x')
        return take_quick_number(p, position);
    char sign = *p;
    if (sign == '*')
        return p + 1;
    bool is_relative = sign == '+' || sign == '-';
    if (!is_relative) {
        unsigned digits = sign == '0' ? take_quick_address(p + 2, &number) : 0;
        *position = number;
        return digits > 0 ? p + 2 + digits : NULL;
    }
    p = take_quick_number(p + 1, &number);
    *position += sign == '-' ? 0 - number : number;
    return p;
}

/* Takes all positions of a line, up to the blank or the end after them. */
HOT const char *take_quick_positions(struct line_form form, const char *p, uint64_t *position)
{
    p = take_quick_position(p, &position[0]);
    for (size_t i = 1; i < form.positions && p != NULL && *p == ' ' && behind_end(p + 1) == NULL; i++)
        p = take_quick_position(p + 1, &position[i]);
    return p;
}

/* The same for a number that is not needed. */
HOT const char *skip_quick_number(const char *p)
{
    const char *start = p;
    while (char_is_digit(*p))
        p++;
    return (size_t)(p - start - 1) < QUICK_DIGITS ? p : NULL;
}

HOT const char *take_quick_signed_number(const char *p, cost_t *cost)
{
    uint64_t number;
    const char *next = take_quick_number(p, &number);
    *cost = (cost_t)number;
    if (UNLIKELY(next == NULL) && *p == '-') {
        next = take_quick_number(p + 1, &number);
        *cost = (cost_t)(0 - number);
    }
    return next;
}

/* Takes the cost of a column that is wanted. False: the sum leaves 64 bits. */
HOT bool take_quick_cost(struct event_costs *e, struct line_form form, size_t column, cost_t cost,
                         const struct event_weight **weight, cost_t *sum)
{
    if (form.wanted == ONE_COST) {
        *sum = cost;
    } else if (form.wanted == ALL_COSTS) {
        e->costs[column] = cost;
    } else if ((*weight)->column == column) {
        cost_t product;
        return !__builtin_mul_overflow(cost, (*weight)++->weight, &product) &&
               !__builtin_add_overflow(*sum, product, sum);
    }
    return true;
}

/* Steps over costs that are not wanted, up to column `end`. */
HOT const char *skip_quick_costs(const char *p, size_t *column, size_t end)
{
    while (*column < end && *p == ' ') {
        const char *next = skip_quick_number(p + 1);
        if (UNLIKELY(next == NULL) && (p[1] != '-' || (next = skip_quick_number(p + 2)) == NULL))
            break;
        p = next;
        ++*column;
    }
    return p;
}

/* Takes the costs of a line up to its end. *sum: what they come to. */
HOT const char *take_quick_costs(struct event_costs *e, struct line_form form, const char *p, bool are_wanted,
                                 cost_t *sum)
{
    const struct event_weight *weight = e->weights.weights;
    size_t column = 0, end = !are_wanted ? 0 : form.wanted == ONE_COST ? form.first + 1 : e->end;
    cost_t cost;
    *sum = 0;
    if (are_wanted && form.first > 0)
        p = skip_quick_costs(p, &column, form.first);
    while (column < end && *p == ' ') {
        const char *next = take_quick_signed_number(p + 1, &cost);
        if (next == NULL)
            break;
        p = next;
        if (!take_quick_cost(e, form, column++, cost, &weight, sum))
            return NULL;
    }
    if (are_wanted && form.wanted == ALL_COSTS) {
        event_costs_end_line(e, column);
        *sum = event_costs_sum(e);
    }
    p = skip_quick_costs(p, &column, form.columns);
    return behind_end(UNLIKELY(*p == ' ') ? p + 1 : p);
}

HOT const char *take_quick_cost_line(struct callgrind_reader *r, struct line_form form, const char *p,
                                     enum next_cost about)
{
    uint64_t position[MAX_POSITIONS];
    cost_t cost;
    position[0] = r->position[0];
    for (size_t i = 1; i < form.positions; i++)
        position[i] = r->position[i];
    bool are_wanted = about == COST_IS_SELF || (about == COST_OF_CALL && form.wanted != ALL_COSTS);
    p = take_quick_positions(form, p, position);
    if (p == NULL || (p = take_quick_costs(&r->events, form, p, are_wanted, &cost)) == NULL)
        return NULL;
    r->record_is_closed = false;
    if (positions_count(r, about)) {
        r->position[0] = position[0];
        for (size_t i = 1; i < form.positions; i++)
            r->position[i] = position[i];
    }
    return done_or_failed(r, book_cost(r, line_number(position, form.line_position), true, about, cost), p);
}

/*
 * After a line that is not complete without its cost: takes the cost line at `p`, too. If that has no quick
 * form, it remains, and r->next_cost says so.
 */
HOT const char *take_its_cost_line(struct callgrind_reader *r, struct line_form form, const char *p,
                                   enum next_cost about)
{
    const char *next = p < r->lines->whole ? take_quick_cost_line(r, form, p, about) : NULL;
    if (UNLIKELY(next == NULL)) {
        r->next_cost = about;
        return r->has_failed ? NULL : p;
    }
    r->lines->number++;
    r->next_cost = COST_IS_SELF;
    return next;
}

/* The name of the value at `p`, if it is a defined alias. */
HOT const char *take_quick_alias(const struct aliases *aliases, const char *p, uint32_t *name)
{
    uint64_t id;
    if (*p != '(' || (p = take_quick_number(p + 1, &id)) == NULL || memcmp(p, ")\n", 2) != 0 ||
        id >= aliases->row_count)
        return NULL;
    *name = aliases->row[id];
    return *name != INDEX_NONE ? p + 2 : NULL;
}

/* The newline of the line that continues at `p`. */
HOT const char *end_of_line(const struct callgrind_reader *r, const char *p)
{
    return memchr(p, '\n', (size_t)(r->lines->whole - p));
}

/* `calls=1 0 0`, or any other text after the number. */
HOT const char *take_quick_calls(struct callgrind_reader *r, struct line_form form, const char *p)
{
    uint64_t count;
    if (!r->has_function || (!r->has_called_name && !r->has_callee) ||
        (p = take_quick_number(p, &count)) == NULL || *p != ' ')
        return NULL;
    p = memcmp(p, " 0 0", 4) == 0 && p[4] == '\n' ? p + 4 : end_of_line(r, p);
    r->call_count = count;
    if (!take_calls(r, text_of(p, 0)))
        return done_or_failed(r, false, p);
    return take_its_cost_line(r, form, p + 1, COST_OF_CALL);
}

HOT const char *take_quick_jump(struct callgrind_reader *r, struct line_form form, const char *p)
{
    return take_its_cost_line(r, form, end_of_line(r, p) + 1, COST_OF_JUMP);
}

/* Is it a name as it is written, without an alias and without blanks around it? */
static bool is_plain_name(struct text value)
{
    return !text_is_empty(value) && *value.at != '(' && !char_is_blank(*value.at) &&
           !char_is_blank(value.end[-1]);
}

/* Takes a name that is not a defined alias. Where it is plain, it is also noted at `known`. */
static const char *take_any_name(struct callgrind_reader *r, enum position_kind kind, const char *p,
                                 uint32_t *known)
{
    const char *end = end_of_line(r, p);
    struct text value = {p, end > p && end[-1] == '\r' ? end - 1 : end};
    uint32_t name;
    if (!resolve(r, space_of(kind), value, &name))
        return done_or_failed(r, false, end);
    if (is_plain_name(value))
        *known = name;
    return done_or_failed(r, take_name(r, kind, name), end + 1);
}

/* Bytes that mostly distinguish names: the first ones, the last ones and those in the middle. */
HOT uint64_t hash_of_plain_name(const struct hash_seed *seed, const char *p, size_t length)
{
    return hash_fold((little8(p) + length) ^ seed->a, (little8(p + length / 2 - 4) ^ seed->b) + little8(p + length - 8));
}

/* Takes a name in full: looks it up among the plain names that have come last. */
HOT const char *take_full_name(struct callgrind_reader *r, enum position_kind kind, const char *p)
{
    const struct names *names = callgrind_names(r);
    const char *end = find_newline(p);
    size_t length = (size_t)(end - p);
    if (*p == '(' || length < 8)
        return take_any_name(r, kind, p, &r->plain_names[0]);
    uint64_t hash = hash_of_plain_name(&names->index.seed, p, length);
    uint32_t *known = &r->plain_names[hash >> (64 - PLAIN_NAMES_BITS)];
    struct text name = names_text(names, *known);
    if (text_length(name) != length || !same_bytes(name.at, p, length))
        return take_any_name(r, kind, p, known);
    return done_or_failed(r, take_name(r, kind, *known), end + 1);
}

/* Takes a line whose value is a name. Kinds are constants here, so that each has its own code. */
HOT const char *take_quick_name(struct callgrind_reader *r, enum position_kind kind, const char *p)
{
    uint32_t name;
    const char *next = take_quick_alias(&r->aliases[space_of(kind)], p, &name);
    if (UNLIKELY(next == NULL))
        return take_full_name(r, kind, p);
    return done_or_failed(r, take_name(r, kind, name), next);
}

/* Has a line been taken, and does the next one begin like this? */
HOT bool is_followed_by(struct callgrind_reader *r, const char *next, const char *key)
{
    return next != NULL && next < r->lines->whole && memcmp(next, key, strlen(key)) == 0;
}

static const char *take_rare_line(struct callgrind_reader *r, struct line_form form, const char *p)
{
    unsigned length;
    enum position_kind kind = find_key(p, &length);
    if (kind == POSITION_JUMP)
        return take_quick_jump(r, form, p + length);
    return space_of(kind) != NO_NAMES ? take_quick_name(r, kind, p + length) : NULL;
}

/* Takes a line with a key, and those that mostly follow it. */
HOT const char *take_quick_position_line(struct callgrind_reader *r, struct line_form form, const char *p)
{
    const char *next = p;
    if (memcmp(p, "cfl=", 4) == 0 || memcmp(p, "cfi=", 4) == 0) {
        next = take_quick_name(r, POSITION_CALLED_FILE, p + 4);
        if (!is_followed_by(r, next, "cfn="))
            return next;
        r->lines->number++;
    }
    if (memcmp(next, "cfn=", 4) == 0) {
        next = take_quick_name(r, POSITION_CALLED_FUNCTION, next + 4);
        if (!is_followed_by(r, next, "calls="))
            return next;
        r->lines->number++;
    }
    if (memcmp(next, "calls=", 6) == 0) {
        const char *after = take_quick_calls(r, form, next + 6);
        if (UNLIKELY(after == NULL && next > p && !r->has_failed)) {
            r->lines->number--;
            return next;
        }
        return after;
    }
    if (memcmp(p, "fl=", 3) == 0) {
        next = take_quick_name(r, POSITION_FILE, p + 3);
        if (!is_followed_by(r, next, "fn="))
            return next;
        r->lines->number++;
    }
    if (memcmp(next, "fn=", 3) == 0)
        return take_quick_name(r, POSITION_FUNCTION, next + 3);
    return take_rare_line(r, form, p);
}

/*
 * Takes lines as long as they have a quick form, up to where sums may continue. False: failure. Begins only
 * where the kind of profile has been decided and no cost of a call is awaited.
 */
HOT bool take_quick_lines_of(struct callgrind_reader *r, struct line_form form)
{
    bool ends_at_record = callgrind_sums_fit(r);
    struct text whole = lines_whole(r->lines);
    const char *p = whole.at, *next;
    uint64_t before = r->lines->number, blank = 0;
    r->has_failed = false;
    while (p < whole.end) {
        r->lines->number++;
        if (*p >= 'a') {
            next = take_quick_position_line(r, form, p);
        } else if (*p == '\n' || *p == '\r') {
            next = behind_end(p);
            if (UNLIKELY(next == NULL)) {
                r->lines->number--;
                break;
            }
            blank++;
            r->record_is_closed = true;
            if (ends_at_record && memcmp(next, "fl=(", 4) == 0) {
                r->is_at_record = true;
                p = next;
                break;
            }
        } else {
            next = UNLIKELY(!r->has_function) ? NULL : take_quick_cost_line(r, form, p, COST_IS_SELF);
        }
        if (UNLIKELY(next == NULL)) {
            r->lines->number--;
            break;
        }
        p = next;
        if (UNLIKELY(r->next_cost != COST_IS_SELF))
            break;
    }
    r->sensible_lines += r->lines->number - before - blank;
    r->in_body |= r->lines->number - before > blank;
    if (p > whole.at)
        lines_skip(r->lines, p, 0);
    return !r->has_failed;
}

HOT_LOOP static bool take_quick_lines(struct callgrind_reader *r)
{
    const struct event_costs *e = &r->events;
    struct line_form form = {r->position_count, r->line_position, e->wanted, e->first,
                             event_costs_columns(e)};
    if (!r->kind_is_known || !e->are_chosen || r->next_cost != COST_IS_SELF)
        return true;
    if (form.positions == 1 && form.line_position == 0 && form.wanted == ONE_COST && form.first == 0)
        return take_quick_lines_of(r, (struct line_form){1, 0, ONE_COST, 0, form.columns});
    if (form.positions == 2 && form.line_position == 1 && form.wanted == ONE_COST && form.first == 0)
        return take_quick_lines_of(r, (struct line_form){2, 1, ONE_COST, 0, form.columns});
    return take_quick_lines_of(r, form);
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
    if (r->next_cost == COST_OF_CALL || r->has_called_name || r->called_file.given ||
        r->called_object.given ||
        (!r->record_has_self && (!r->record_is_closed || r->record_has_total)))
        return true;
    if (r->record_is_closed || callgrind_has_summary(r) || r->part_records < ENOUGH_RECORDS ||
        !r->all_closed || !r->callees_first)
        return false;
    struct text name = names_text(callgrind_names(r), r->function_name);
    return !r->lines->last_is_whole || !text_equals(name, "{main}");
}

static bool drop_record(struct callgrind_reader *r)
{
    r->record_has_self = false;
    r->next_cost = COST_IS_SELF;
    r->has_function = false;
    return diag_problem(r->diag, r->lines->number,
                        "found the end of the input inside a record, expected the rest; the record is "
                        "left out") &&
           builder_drop_record(r->builder);
}

static bool take_end(struct callgrind_reader *r)
{
    if ((is_cut_off(r) && !drop_record(r)) || !end_record(r) || !callgrind_check_cost(r) ||
        !callgrind_end_part(r))
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
           (r->producer.has_creator || !callgrind_has_summary(r));
}

/* There is more than one thread can read while another is started. */
static bool wants_threads(struct callgrind_reader *r)
{
    if (r->sums.has_threads || r->lines->refills == 0 || r->lines->at_end || !r->in_body)
        return false;
    if (r->sums.threads == 0)
        r->sums.threads = blocks_threads(r->options->threads, r->lines->source);
    return r->sums.threads > 1;
}

/* Reads lines, up to a place where threads would be useful. */
static bool read_lines(struct callgrind_reader *r)
{
    struct text line;
    enum lines_result result;
    for (;;) {
        bool fit = callgrind_sums_fit(r), is_between = fit && callgrind_is_between_records(r);
        if ((!fit || is_between) && wants_threads(r))
            return true;
        if (is_between && !callgrind_take_sums(r))
            return false;
        r->is_at_record = false;
        if (!take_quick_lines(r))
            return false;
        if (r->is_at_record)
            continue;
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
    AHEAD = 2            /* blocks; each has tables of its own, which should be in the processor's cache */
};

/* Adds up the records of a block ahead. Where no sums are made, another thread only reads it. */
static bool prepare_block(void *context, unsigned slot, struct text block)
{
    struct callgrind_reader *r = context;
    return r->sums.slots == NULL || record_sums_prepare(&r->sums.slots[slot], block);
}

static bool take_block(void *context, unsigned slot, struct text block, bool is_last)
{
    struct callgrind_reader *r = context;
    r->sums.slot = r->sums.slots != NULL ? &r->sums.slots[slot] : NULL;
    lines_give(r->lines, block, is_last);
    return read_lines(r);
}

/* Reads the rest with several threads: each adds up blocks, which are taken in order. */
static bool read_in_threads(struct callgrind_reader *r)
{
    struct text rest = lines_rest(r->lines);
    bool are_sums = callgrind_sums_fit(r) && text_starts(rest, "fl=(");
    struct blocks_work work = {.threads = are_sums ? r->sums.threads : 2,
                               .ahead = AHEAD,
                               .block = r->options->block > 0 ? r->options->block : BLOCK,
                               .before = PARTIAL_SUMS_BEFORE,
                               .context = r,
                               .cut = partial_sums_cut,
                               .prepare = prepare_block,
                               .take = take_block};
    r->sums.has_threads = true;
    return (!are_sums || callgrind_prepare_sums(r, blocks_slots(&work))) &&
           blocks_run(r->lines->source, rest, &work);
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
    reader->part_totals = text_of("", 0);
    reader->all_closed = reader->callees_first = true;
    event_costs_init(&reader->events, options, builder);
    const struct names *names = &builder->profile->names;
    if (aliases_init(&reader->aliases[OBJECT_NAMES], names) &&
        aliases_init(&reader->aliases[FILE_NAMES], names) &&
        aliases_init(&reader->aliases[FUNCTION_NAMES], names))
        done = read_all(reader);
    else
        callgrind_no_memory(reader);
    callgrind_sums_free(reader);
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
        const char *newline = memchr(head.at, '\n', text_length(head));
        struct text line = {head.at, newline != NULL ? newline : head.end};
        struct text key, value;
        head.at = newline != NULL ? newline + 1 : head.end;
        text_skip_blanks(&line);
        if (split_position(line, &value) != NO_POSITION || is_run_separator(line) ||
            (callgrind_split_header(line, &key, &value) && callgrind_knows_header(key)))
            return MINE;
        has_other_lines |= !text_is_empty(line) && *line.at != '#' && *line.at != '\r' &&
                           (newline != NULL || text_length(line) >= TELLING_BYTES);
    }
    return has_other_lines ? NOT_MINE : NOT_YET;
}

const struct frontend callgrind_frontend = {
    .name = "callgrind",
    .reads = "callgrind, cachegrind",
    .recognises = callgrind_recognises,
    .read = callgrind_read,
};
