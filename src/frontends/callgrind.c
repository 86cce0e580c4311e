/*
 * Reads the callgrind format, of which cachegrind's is a part:
 * https://valgrind.org/docs/manual/cl-format.html, and what its producers make of it.
 *
 * A file is a row of parts, each of header lines (`key: value`) and body lines. Body lines name a
 * position (`fn=(1) main`) for the cost lines that follow (`12 340`), or the target of a call, which
 * `calls=` completes and whose cost the next cost line gives. The reader keeps what the last position
 * lines have said and tells the builder of each cost.
 */
#include "frontends/callgrind_reader.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENOUGH_RECORDS = 2 }; /* to tell how records end */

/* A line that makes no sense is skipped. */
static bool odd_line(struct callgrind_reader *r, struct text line, const char *expected)
{
    r->odd_lines++;
    return diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s",
                        TEXT_ARG(line), expected);
}

/* ---- position lines ----------------------------------------------------------------------- */

static bool resolve(struct callgrind_reader *r, struct aliases *aliases, struct text value,
                    uint32_t *name)
{
    switch (aliases_resolve(aliases, callgrind_names(r), value, name)) {
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

static bool take_object(struct callgrind_reader *r, struct text value)
{
    return resolve(r, &r->object_aliases, value, &r->object);
}

static bool take_file(struct callgrind_reader *r, struct text value)
{
    if (!resolve(r, &r->file_aliases, value, &r->file))
        return false;
    r->function_file = r->call_file = r->file;
    r->has_fl = true;
    return true;
}

/*
 * Code from another file, inlined here. In a profile without any fl= it names the function's file.
 *
 * callgrind leaves cfi= out, and writes positions, relative to what it remembers: the file and position
 * of the last self cost line, or of the function if there was none yet. Other lines, such as fi= and the
 * cost line of a call, do not change that (callgrind/dump.c in Valgrind's source: `last` in fprint_jcc,
 * fprint_apos and fprint_fcost). Others mean what the lines before say.
 */
static bool take_inline_file(struct callgrind_reader *r, struct text value)
{
    if (!resolve(r, &r->file_aliases, value, &r->file))
        return false;
    if (!r->has_fl)
        r->function_file = r->file;
    if (!r->is_by_callgrind)
        r->call_file = r->file;
    return true;
}

/* The record before the one that begins here. */
static bool end_record(struct callgrind_reader *r)
{
    bool is_invocation = r->has_function && r->builder->profile->records_are_invocations;
    if (is_invocation) {
        r->part_records++;
        r->all_closed &= r->record_is_closed;
    }
    bool lacks_self = is_invocation && !r->record_has_self;
    r->record_has_self = r->record_is_closed = r->record_has_total = false;
    r->part_self_before = r->part_self;
    return !lacks_self ||
           diag_problem(r->diag, r->lines->number,
                        "found the end of a record without a cost line, expected one");
}

static bool enter_function(struct callgrind_reader *r)
{
    r->is_entered = true;
    return builder_enter(r->builder, r->object, r->entered_file, r->function_name);
}

/*
 * Each fn= is an invocation where records are. Elsewhere it only counts with what follows: some
 * producers (yappi) begin with a list of aliases, under whatever file comes last.
 */
static bool take_function(struct callgrind_reader *r, struct text value)
{
    if (!resolve(r, &r->function_aliases, value, &r->function_name) || !end_record(r))
        return false;
    r->file = r->call_file = r->entered_file = r->function_file;
    r->has_callee &= !r->builder->profile->records_are_invocations && !r->has_called_name;
    r->has_called_name = false;
    r->called_object = r->called_file = (struct called_place){0};
    r->has_function = true;
    r->is_entered = false;
    return !r->builder->profile->records_are_invocations || enter_function(r);
}

static bool take_called_place(struct callgrind_reader *r, struct aliases *aliases, struct text value,
                              struct called_place *place)
{
    place->given = true;
    place->used = false;
    return resolve(r, aliases, value, &place->name);
}

static bool take_called_object(struct callgrind_reader *r, struct text value)
{
    return take_called_place(r, &r->object_aliases, value, &r->called_object);
}

static bool take_called_file(struct callgrind_reader *r, struct text value)
{
    return take_called_place(r, &r->file_aliases, value, &r->called_file);
}

/* Valgrind writes a target without calls= where the calls have cost nothing: it comes to nothing. */
static void drop_used(struct called_place *place)
{
    if (place->used)
        *place = (struct called_place){0};
    place->used = place->given;
}

static bool take_called_function(struct callgrind_reader *r, struct text value)
{
    r->record_is_closed = false;
    drop_used(&r->called_object);
    drop_used(&r->called_file);
    r->has_called_name = true;
    return resolve(r, &r->function_aliases, value, &r->called_name);
}

/* A count below 0 is one that nobody knows (reli writes -1 for its samples): 0, as others have it. */
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

/* `calls=COUNT TARGET_POSITION`; the target's position is of no use here, and may be missing. */
static bool take_calls(struct callgrind_reader *r, struct text value)
{
    value = text_trim(value);
    r->next_cost = COST_IS_SKIPPED;
    if (!take_call_count(value, &r->call_count))
        return odd_line(r, value, "a call count");
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

static bool take_jump(struct callgrind_reader *r, struct text value)
{
    (void)value;
    r->next_cost = COST_OF_JUMP;
    return true;
}

/* A place that matters to nobody, but whose alias may be defined here. */
static bool take_other_file(struct callgrind_reader *r, struct text value)
{
    uint32_t name;
    return resolve(r, &r->file_aliases, value, &name);
}

/* With the next context of a function callgrind begins to remember anew: see take_inline_file. */
static bool take_context(struct callgrind_reader *r, struct text value)
{
    uint32_t name;
    if (r->is_by_callgrind)
        r->call_file = r->entered_file;
    return resolve(r, &r->function_aliases, value, &name);
}

static bool take_level(struct callgrind_reader *r, struct text value)
{
    (void)value;
    if (r->is_by_callgrind)
        r->call_file = r->entered_file;
    return true;
}

static bool take_other_function(struct callgrind_reader *r, struct text value)
{
    uint32_t name;
    return resolve(r, &r->function_aliases, value, &name);
}

/* By how often they are met. frfn= and rec= are callgrind's, with --mangle-names=no. */
static const struct position_key {
    const char *key;
    bool is_of_function; /* its values may be functions of the profile */
    bool (*take)(struct callgrind_reader *r, struct text value);
} position_keys[] = {
    {"cfn", true, take_called_function}, {"calls", true, take_calls},
    {"cfl", false, take_called_file},    {"cfi", false, take_called_file},
    {"fn", true, take_function},         {"fl", false, take_file},
    {"fi", false, take_inline_file},     {"fe", false, take_inline_file},
    {"cob", false, take_called_object},  {"ob", false, take_object},
    {"jump", false, take_jump},          {"jcnd", false, take_jump},
    {"jfi", false, take_other_file},     {"jfn", true, take_other_function},
    {"rcalls", true, take_calls},        {"frfn", true, take_context},
    {"rec", false, take_level},
};

static const struct position_key *split_position(struct text line, struct text *value)
{
    const char *equals = line.at;
    while (equals < line.end && char_is_alpha(*equals))
        equals++;
    if (equals == line.end || *equals != '=')
        return NULL;
    struct text key = {line.at, equals};
    *value = (struct text){equals + 1, line.end};
    for (size_t i = 0; i < sizeof position_keys / sizeof position_keys[0]; i++)
        if (*key.at == *position_keys[i].key && text_equals(key, position_keys[i].key))
            return &position_keys[i];
    return NULL;
}

static bool take_position_line(struct callgrind_reader *r, const struct position_key *key,
                               struct text value)
{
    r->in_body = true;
    r->sensible_lines++;
    if (r->next_cost != COST_IS_SELF && !callgrind_check_cost(r))
        return false;
    if (key->is_of_function && !r->is_settled && !callgrind_settle(r))
        return false;
    return key->take(r, value);
}

/* ---- cost lines --------------------------------------------------------------------------- */

/*
 * Takes one subposition, relative to the one before or absolute. Returns false if there is none.
 * What lies below 0 or above 2^64 - 1 wraps around: it is an address, or nonsense.
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

/*
 * Takes what may stand behind the point of a number: its digits. Sets *round_up if it is half or more.
 * Returns false if there are none.
 */
static bool take_fraction(struct text *line, bool *round_up)
{
    const char *start = line->at;
    *round_up = !text_is_empty(*line) && *start >= '5';
    while (!text_is_empty(*line) && char_is_digit(*line->at))
        line->at++;
    return line->at > start;
}

/*
 * Takes a cost. Some producers print negative ones as 64-bit unsigned numbers: both become the same.
 * A number of more than 64 bits becomes the nearest cost, one with a fraction the nearest whole one.
 * Cachegrind once wrote a dot for a count that does not apply.
 */
static inline bool take_cost(struct text *line, cost_t *value, struct cost_oddities *found)
{
    uint64_t number = 0;
    bool negative = *line->at == '-', is_beyond = false, round_up = false;
    struct text rest = *line;
    rest.at += negative;
    bool has_number = text_take_number(&rest, &number, &is_beyond);
    if (!text_is_empty(rest) && *rest.at == '.') {
        rest.at++;
        bool has_fraction = take_fraction(&rest, &round_up);
        if (!has_fraction && (has_number || negative))
            return false;
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

/* A line number as the model has it; what is none, such as a position below zero, becomes 0. */
static uint32_t line_number(const struct callgrind_reader *r, const uint64_t *position)
{
    if (r->line_position == NO_LINE_POSITION)
        return 0;
    uint64_t line = position[r->line_position];
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

size_t callgrind_take_costs(struct callgrind_reader *r, struct text *line,
                            struct cost_oddities *found)
{
    size_t count, columns = event_costs_columns(&r->events);
    cost_t *costs = r->events.costs, surplus;
    for (count = 0; !text_is_empty(*line); count++)
        if (!take_cost(line, count < columns ? &costs[count] : &surplus, found))
            break;
    event_costs_end_line(&r->events, count);
    return count;
}

/* What a cost line says before its costs. */
struct place {
    uint64_t position[MAX_POSITIONS];
    bool is_unknown; /* it has a cost, but no position */
};

static bool book_cost(struct callgrind_reader *r, struct text line, const struct place *place,
                      enum next_cost about)
{
    cost_t cost = event_costs_sum(&r->events);
    uint32_t number = place->is_unknown ? 0 : line_number(r, place->position);
    switch (about) {
    case COST_IS_SELF:
        if (!r->has_function)
            return odd_line(r, line, "fn= before a cost line");
        if (!r->is_entered && !enter_function(r))
            return false;
        cost_add(&r->part_self, cost);
        r->record_has_self = true;
        r->call_file = r->file;
        event_costs_count(&r->events);
        return builder_self(r->builder, number, r->file == r->entered_file && !place->is_unknown,
                            cost);
    case COST_OF_CALL:
        r->callees_first &= (r->builder->profile->functions[r->callee].flags &
                             FUNCTION_HAS_RECORD) != 0;
        return builder_call(r->builder, r->callee, number, r->call_count, cost);
    case COST_OF_JUMP:
    case COST_IS_SKIPPED:
        break;
    }
    return true;
}

/* Reports what the costs of a line are not: see diag_problem. */
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
 * Takes the positions that a cost line begins with. A lone number behind a blank is no position: some
 * producers write `$line $cost` where they know of no line (nytprofcg, jeprof). False: they are none.
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
    if (!r->events.is_settled && !event_costs_settle(&r->events, r->lines->number))
        return false;
    bool has_positions = take_positions(r, is_indented, &rest, &place);
    r->next_cost = COST_IS_SELF; /* whatever comes of this line, it was the one waited for */
    if (!has_positions)
        return odd_line(r, line, expected);
    size_t count = callgrind_take_costs(r, &rest, &found);
    /* Simulators write the instruction behind its costs, as a comment. */
    bool is_sensible = text_is_empty(rest) || *rest.at == '#';
    if (!is_sensible && !odd_line(r, line, expected))
        return false;
    if (!is_sensible && count == 0)
        return true;

    r->sensible_lines += is_sensible;
    if (about == COST_IS_SELF || !r->is_by_callgrind)
        memcpy(r->position, place.position, sizeof r->position);
    return report_costs(r, count, found) && book_cost(r, line, &place, about);
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
    const struct position_key *position;

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
    if ((position = split_position(line, &value)) != NULL)
        return take_position_line(r, position, value);
    if (callgrind_split_header(line, &key, &value))
        return callgrind_take_header(r, line, key, value);
    if (is_run_separator(line)) {
        r->sensible_lines++;
        return callgrind_begin_part(r);
    }
    return odd_line(r, line, "a line of a callgrind profile");
}

/* ---- the end ------------------------------------------------------------------------------ */

/*
 * Is the last record incomplete, because the profiled process was killed or the disk was full? It is
 * if a call or its own cost is missing. Beyond that, Xdebug ends each record with a blank line and
 * the whole with a summary: where all other records are closed and there is no summary, one that is
 * not closed has been cut off. (That {main} comes last is as it should be; it is taken for whole as
 * long as its last line is.) A profile in which callers come first was not written by Xdebug.
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
    r->part_self = r->part_self_before;
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
 * Valgrind ends its profiles with `totals:` or `summary:` and a newline: without both, the last line
 * has been cut off, and the numbers in it are not what they were.
 */
static bool is_cut_line(const struct callgrind_reader *r)
{
    return !r->lines->last_is_whole && r->is_by_valgrind && text_is_empty(r->part_totals) &&
           (r->producer.has_creator || !callgrind_has_summary(r));
}

bool callgrind_read_lines(struct callgrind_reader *r)
{
    struct text line;
    enum lines_result result;
    for (;;) {
        bool was_call = r->next_cost == COST_OF_CALL;
        enum callgrind_fast_result fast = callgrind_fast_before_line(r);
        if (fast != FAST_DONE)
            return fast != FAST_FAILED;
        result = lines_next(r->lines, &line);
        if (result != LINES_LINE)
            break;
        bool done = is_cut_line(r) ? odd_line(r, line, "a whole line") : take_line(r, line);
        if (!done)
            return false;
        fast = callgrind_fast_behind_line(r, was_call);
        if (fast != FAST_DONE)
            return fast != FAST_FAILED;
    }
    r->is_over = result == LINES_END;
    return result != LINES_FAILED;
}

static bool read_all(struct callgrind_reader *r)
{
    return callgrind_read_lines(r) && (r->is_over || callgrind_read_in_threads(r)) && take_end(r);
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
    callgrind_fast_init(reader);
    event_costs_init(&reader->events, options, builder);
    const struct names *names = &builder->profile->names;
    if (aliases_init(&reader->object_aliases, names) &&
        aliases_init(&reader->file_aliases, names) &&
        aliases_init(&reader->function_aliases, names))
        done = read_all(reader);
    else
        callgrind_no_memory(reader);
    callgrind_fast_free(reader);
    event_costs_free(&reader->events);
    aliases_free(&reader->object_aliases);
    aliases_free(&reader->file_aliases);
    aliases_free(&reader->function_aliases);
    free(reader);
    return done;
}

enum { TELLING_BYTES = 64 }; /* so many bytes of a line are enough to tell whether it has a key */

/*
 * One line that could only stand in a profile is enough: the rest is for the reader to judge. Where
 * `head` ends within a line, more of it may tell what that is.
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
        if (split_position(line, &value) != NULL || is_run_separator(line) ||
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
