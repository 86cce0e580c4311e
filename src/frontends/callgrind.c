/*
 * Reads the callgrind format, of which cachegrind's is a part:
 * https://valgrind.org/docs/manual/cl-format.html, and what its producers make of it.
 *
 * A file is a row of parts, each of header lines (`key: value`) and body lines. Body lines name a
 * position (`fn=(1) main`) for the cost lines that follow (`12 340`), or the target of a call, which
 * `calls=` completes and whose cost the next cost line gives. The reader keeps what the last position
 * lines have said and tells the builder of each cost.
 */
#include "frontends/aliases.h"
#include "frontends/event_costs.h"
#include "frontends/fast_records.h"
#include "frontends/fast_sums.h"
#include "frontends/frontend.h"
#include "frontends/full_records.h"
#include "io/blocks.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MAX_POSITIONS = 3,
    NO_LINE_POSITION = -1,
    ENOUGH_RECORDS = 2, /* to tell how records end */
    BLOCK = 1024 * 1024 /* what a thread takes at once, in bytes */
};

/* What the next cost line is about. */
enum next_cost {
    COST_IS_SELF,
    COST_OF_CALL,
    COST_OF_JUMP,   /* jumps have no cost, but their positions count */
    COST_IS_SKIPPED /* of a call that made no sense */
};

/* An object or file that the coming call names, and whether its `cfn=` stood behind it. */
struct called_place {
    bool given;
    bool used; /* a cfn= has followed; another one then begins a new target */
    uint32_t name;
};

struct reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct aliases object_aliases, file_aliases, function_aliases;
    struct event_costs events;

    /* What the header has said. */
    struct producer producer;
    bool is_by_valgrind, is_aggregate;
    size_t position_count;
    int line_position; /* which of the positions is the line, or NO_LINE_POSITION */
    bool is_settled;   /* the builder knows the kind of profile */

    /* The part that is being read. */
    bool in_body;
    size_t part_header;      /* the number of its first header line */
    struct text part_totals; /* the value of `totals:`, kept in names; or empty */
    cost_t part_self;        /* all functions */
    uint64_t position[MAX_POSITIONS];

    /* Where the next self cost belongs. */
    uint32_t object;
    uint32_t file;          /* of the cost lines: fl=, or code inlined from fi=, fe= */
    uint32_t function_file; /* of the next fn=: the last fl= */
    uint32_t entered_file;  /* of the current function */
    bool has_fl;
    bool has_function; /* a fn= line has come... */
    bool is_entered;   /* ... and the builder knows of it */
    uint32_t function_name;

    /* The record that is being read, where records are invocations. */
    bool record_has_self;
    bool record_is_closed; /* by a blank line, as Xdebug does */
    bool record_has_total; /* a summary stands before its costs: {main}'s up to Xdebug 2.7 */
    cost_t part_self_before; /* what part_self was when it began */
    uint64_t part_records; /* in this part, before it */
    bool all_closed;       /* all of them were */
    bool callees_first;    /* all calls so far were of functions with records before, as Xdebug's are */

    /* Where the next call goes. */
    struct called_place called_object, called_file;
    bool has_called_name;
    uint32_t called_name;
    bool has_callee; /* `callee` is the target of the last call of this function */
    uint32_t callee;
    uint64_t call_count;
    enum next_cost next_cost;

    uint64_t sensible_lines, odd_lines;

    /* The fast paths. */
    struct fast_sums sums;
    struct full_records full;
    struct fast_records *fast; /* for the block at hand */
    struct cost_runs *ahead;   /* the same; NULL: nothing was done ahead */
    struct fast_records all_fast[BLOCKS_MAX_SLOTS]; /* the first one until there are threads */
    struct cost_runs all_ahead[BLOCKS_MAX_SLOTS];
    bool in_threads;
    bool is_over; /* all has been read */
};

static struct names *names_of(const struct reader *r)
{
    return &r->builder->profile->names;
}

static bool no_memory(struct reader *r)
{
    return diag_no_memory(r->diag);
}

/* A line that makes no sense is skipped. */
static bool odd_line(struct reader *r, struct text line, const char *expected)
{
    r->odd_lines++;
    return diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s",
                        TEXT_ARG(line), expected);
}

/* ---- parts -------------------------------------------------------------------------------- */

static bool take_costs(struct reader *r, struct text line, size_t *count, bool *overflow);

/* Reads the costs of a `summary:` or `totals:` line. Returns false if they are none. */
static bool sum_of_costs(struct reader *r, struct text costs, cost_t *sum)
{
    size_t count;
    bool overflow = false;
    if (text_is_empty(costs) || !take_costs(r, costs, &count, &overflow) || overflow)
        return false;
    *sum = event_costs_sum(&r->events);
    return true;
}

/* The value of a header line as it was written. */
static struct text header_value(struct reader *r, const struct header *header)
{
    struct text line = names_text(names_of(r), header->text);
    const char *colon = memchr(line.at, ':', text_length(line));
    return text_trim((struct text){colon != NULL ? colon + 1 : line.end, line.end});
}

/*
 * webgrind's percentages are relative to the summary: a part that has none, or one that is no
 * number, takes its totals; what they lack is made up for when the profile is complete. Of several
 * summaries (two {main} in one part) the first stands for the part.
 */
static bool complete_summary(struct reader *r)
{
    struct profile *profile = r->builder->profile;
    bool has_summary = false;
    cost_t totals = 0;

    if ((r->in_body || profile->header_count > r->part_header) &&
        !event_costs_settle(&r->events, r->lines->number))
        return false;
    bool has_totals = sum_of_costs(r, r->part_totals, &totals);
    for (size_t i = r->part_header; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        if (header->kind != HEADER_SUMMARY)
            continue;
        header->has_total = sum_of_costs(r, header_value(r, header), &header->total);
        /* webgrind takes the first number, which is that of the first event. */
        if (header->has_total && header->total != r->events.costs[0])
            header->text = NAME_EMPTY;
        if (has_totals && !has_summary && (!header->has_total || header->total == 0))
            *header = (struct header){.kind = HEADER_SUMMARY, .has_total = true, .total = totals};
        header->self_total = has_summary ? 0 : r->part_self;
        has_summary = true;
    }
    struct header made = {.kind = HEADER_SUMMARY,
                          .has_total = has_totals,
                          .total = totals,
                          .self_total = r->part_self,
                          .line = r->lines->number};
    return has_summary || !r->in_body || profile_add_header(profile, text_of("", 0), made) ||
           no_memory(r);
}

/* A call whose cost line has not come is dropped: what it cost, and where, nobody knows. */
static bool check_cost_has_come(struct reader *r)
{
    enum next_cost waiting = r->next_cost;
    r->next_cost = COST_IS_SELF;
    return waiting != COST_OF_CALL ||
           diag_problem(r->diag, r->lines->number,
                        "found no cost line behind calls=, expected one; the call is left out");
}

/* Forgets what the position lines of the last part have said. Aliases, events, positions stay. */
static bool begin_part(struct reader *r)
{
    if (!check_cost_has_come(r) || !complete_summary(r) || !builder_new_run(r->builder))
        return false;
    r->in_body = false;
    r->part_header = r->builder->profile->header_count;
    r->part_totals = text_of("", 0);
    r->part_self = 0;
    memset(r->position, 0, sizeof r->position);
    r->object = r->file = r->function_file = r->entered_file = NAME_EMPTY;
    r->has_fl = false;
    r->has_function = false;
    r->called_object = r->called_file = (struct called_place){0};
    r->has_called_name = false;
    r->has_callee = false;
    r->next_cost = COST_IS_SELF;
    r->part_records = 0;
    r->all_closed = r->callees_first = true;
    return true;
}

/* The first function is near: what the header has said so far tells what kind of profile this is. */
static bool settle(struct reader *r)
{
    bool invocations = producer_is_xdebug(&r->producer) && !r->is_aggregate;
    enum identity identity = frontend_identity(r->options, producer_identity(&r->producer));

    if (r->options->records != CG2WG_RECORDS_AUTO)
        invocations = r->options->records == CG2WG_RECORDS_INVOCATIONS;
    r->is_settled = true;
    return builder_settle(r->builder, identity, invocations);
}

/* ---- header lines ------------------------------------------------------------------------- */

static bool take_version(struct reader *r, struct text value)
{
    struct text rest = value;
    uint64_t major;
    bool overflow = false;
    if (text_take_number(&rest, &major, &overflow) && major > 1)
        return diag_problem(r->diag, r->lines->number,
                            "found version " TEXT_FMT " of the format, expected 1 at most",
                            TEXT_ARG(value));
    return true;
}

static bool take_creator(struct reader *r, struct text value)
{
    r->is_by_valgrind = text_starts(value, "callgrind");
    r->builder->profile->marks_levels = r->is_by_valgrind;
    return true;
}

static bool take_command(struct reader *r, struct text value)
{
    r->is_aggregate = text_equals(value, "Aggregate");
    return true;
}

/* Cachegrind does not say who it is, but how large the caches are. */
static bool take_description(struct reader *r, struct text value)
{
    r->is_by_valgrind |= !r->producer.has_creator && text_starts(value, "I1 cache");
    return true;
}

static bool take_positions(struct reader *r, struct text value)
{
    static const char *const known[] = {"instr", "addr", "bb", "line"};
    struct text line = value;
    r->position_count = 0;
    r->line_position = NO_LINE_POSITION;
    while (!text_is_empty(value)) {
        struct text word = text_take_word(&value);
        bool is_known = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known |= text_equals(word, known[i]);
        if ((!is_known || r->position_count == MAX_POSITIONS) &&
            !diag_problem(r->diag, r->lines->number,
                          "found positions \"" TEXT_FMT "\", expected instr, bb, line",
                          TEXT_ARG(line)))
            return false;
        if (r->position_count == MAX_POSITIONS)
            break;
        if (text_equals(word, "line"))
            r->line_position = (int)r->position_count;
        r->position_count++;
    }
    if (r->position_count == 0) {
        r->position_count = 1;
        r->line_position = 0;
    }
    return true;
}

static bool take_events(struct reader *r, struct text value)
{
    return event_costs_set_columns(&r->events, value);
}

static bool take_event(struct reader *r, struct text value)
{
    return event_costs_define(&r->events, value);
}

/* The value outlives its line: it is part of a header line, which the names keep. */
static bool take_totals(struct reader *r, struct text value)
{
    uint32_t kept;
    if (!names_intern(names_of(r), value, &kept))
        return no_memory(r);
    r->part_totals = names_text(names_of(r), kept);
    return true;
}

static bool take_nothing(struct reader *r, struct text value)
{
    (void)r;
    (void)value;
    return true;
}

static const struct header_key {
    const char *key;
    bool begins_part; /* behind body lines it does */
    enum header_kind kind;
    bool (*take)(struct reader *r, struct text value);
} header_keys[] = {
    {"version", true, HEADER_OTHER, take_version},
    {"creator", false, HEADER_OTHER, take_creator},
    {"pid", true, HEADER_OTHER, take_nothing},
    {"cmd", false, HEADER_OTHER, take_command},
    {"thread", true, HEADER_OTHER, take_nothing},
    {"part", true, HEADER_OTHER, take_nothing},
    {"desc", false, HEADER_OTHER, take_description},
    {"event", false, HEADER_OTHER, take_event},
    {"events", true, HEADER_EVENTS, take_events},
    {"positions", true, HEADER_OTHER, take_positions},
    {"summary", false, HEADER_SUMMARY, take_nothing},
    {"totals", false, HEADER_OTHER, take_totals},
};

/* Splits `key: value`. Returns false if the line does not look like that. */
static bool split_header(struct text line, struct text *key, struct text *value)
{
    const char *p = line.at;
    if (p == line.end || !char_is_alpha(*p))
        return false;
    while (p < line.end && (char_is_alpha(*p) || char_is_digit(*p) || *p == '_' || *p == '-'))
        p++;
    if (p == line.end || *p != ':')
        return false;
    *key = (struct text){line.at, p};
    *value = text_trim((struct text){p + 1, line.end});
    return true;
}

static const struct header_key *known_header(struct text key)
{
    for (size_t i = 0; i < sizeof header_keys / sizeof header_keys[0]; i++)
        if (text_equals(key, header_keys[i].key))
            return &header_keys[i];
    return NULL;
}

static bool take_header(struct reader *r, struct text line, struct text key, struct text value)
{
    const struct header_key *known = known_header(key);
    if (known != NULL && known->begins_part && r->in_body && !begin_part(r))
        return false;
    producer_note(&r->producer, key, value);
    if (known != NULL && !known->take(r, value))
        return false;
    r->sensible_lines++;
    r->record_has_total |= known != NULL && known->kind == HEADER_SUMMARY && !r->record_has_self &&
                           !r->has_callee;
    bool counts = known != NULL && !text_is_empty(value);
    struct header header = {.kind = counts ? known->kind : HEADER_OTHER};
    return profile_add_header(r->builder->profile, line, header) || no_memory(r);
}

/* ---- position lines ----------------------------------------------------------------------- */

static bool resolve(struct reader *r, struct aliases *aliases, struct text value, uint32_t *name)
{
    switch (aliases_resolve(aliases, names_of(r), value, name)) {
    case ALIAS_OK:
        return true;
    case ALIAS_UNDEFINED:
        return diag_problem(r->diag, r->lines->number,
                            "found " TEXT_FMT ", expected an alias that is defined",
                            TEXT_ARG(text_trim(value)));
    case ALIAS_NO_MEMORY:
        break;
    }
    return no_memory(r);
}

static bool take_object(struct reader *r, struct text value)
{
    return resolve(r, &r->object_aliases, value, &r->object);
}

static bool take_file(struct reader *r, struct text value)
{
    if (!resolve(r, &r->file_aliases, value, &r->file))
        return false;
    r->function_file = r->file;
    r->has_fl = true;
    return true;
}

/* Code from another file, inlined here. In a profile without any fl= it names the function's file. */
static bool take_inline_file(struct reader *r, struct text value)
{
    if (!resolve(r, &r->file_aliases, value, &r->file))
        return false;
    if (!r->has_fl)
        r->function_file = r->file;
    return true;
}

/* The record before the one that begins here. */
static bool end_record(struct reader *r)
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
                        "found a record without a cost line up to here, expected one");
}

static bool enter_function(struct reader *r)
{
    r->is_entered = true;
    return builder_enter(r->builder, r->object, r->entered_file, r->function_name);
}

/*
 * Each fn= is an invocation where records are. Elsewhere it only counts with what follows: some
 * producers (yappi) begin with a list of aliases, under whatever file comes last.
 */
static bool take_function(struct reader *r, struct text value)
{
    if (!resolve(r, &r->function_aliases, value, &r->function_name) || !end_record(r))
        return false;
    r->file = r->entered_file = r->function_file;
    r->has_callee = false;
    r->has_called_name = false;
    r->called_object = r->called_file = (struct called_place){0};
    r->has_function = true;
    r->is_entered = false;
    return !r->builder->profile->records_are_invocations || enter_function(r);
}

static bool take_called_place(struct reader *r, struct aliases *aliases, struct text value,
                              struct called_place *place)
{
    place->given = true;
    place->used = false;
    return resolve(r, aliases, value, &place->name);
}

static bool take_called_object(struct reader *r, struct text value)
{
    return take_called_place(r, &r->object_aliases, value, &r->called_object);
}

static bool take_called_file(struct reader *r, struct text value)
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

static bool take_called_function(struct reader *r, struct text value)
{
    r->record_is_closed = false;
    drop_used(&r->called_object);
    drop_used(&r->called_file);
    r->has_called_name = true;
    return resolve(r, &r->function_aliases, value, &r->called_name);
}

/* `calls=COUNT TARGET_POSITION`; the target's position is of no use here, and may be missing. */
static bool take_calls(struct reader *r, struct text value)
{
    bool overflow = false;
    struct text rest = value = text_trim(value);
    r->next_cost = COST_IS_SKIPPED;
    if (!text_take_number(&rest, &r->call_count, &overflow) ||
        (!text_is_empty(rest) && !char_is_blank(*rest.at)))
        return odd_line(r, value, "a number of calls");
    if (!r->has_function)
        return odd_line(r, value, "fn= before calls=");
    if (!r->is_entered && !enter_function(r))
        return false;

    if (r->has_called_name) {
        uint32_t object = r->called_object.given ? r->called_object.name : r->object;
        uint32_t file = r->called_file.given ? r->called_file.name : r->file;
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

static bool take_jump(struct reader *r, struct text value)
{
    (void)value;
    r->next_cost = COST_OF_JUMP;
    return true;
}

/* A place that matters to nobody, but whose alias may be defined here. */
static bool take_other_file(struct reader *r, struct text value)
{
    uint32_t name;
    return resolve(r, &r->file_aliases, value, &name);
}

static bool take_other_function(struct reader *r, struct text value)
{
    uint32_t name;
    return resolve(r, &r->function_aliases, value, &name);
}

/* By how often they are met. frfn= and rec= are callgrind's, with --mangle-names=no. */
static const struct position_key {
    const char *key;
    bool is_of_function; /* its values may be functions of the profile */
    bool (*take)(struct reader *r, struct text value);
} position_keys[] = {
    {"cfn", true, take_called_function}, {"calls", true, take_calls},
    {"cfl", false, take_called_file},    {"cfi", false, take_called_file},
    {"fn", true, take_function},         {"fl", false, take_file},
    {"fi", false, take_inline_file},     {"fe", false, take_inline_file},
    {"cob", false, take_called_object},  {"ob", false, take_object},
    {"jump", false, take_jump},          {"jcnd", false, take_jump},
    {"jfi", false, take_other_file},     {"jfn", true, take_other_function},
    {"rcalls", true, take_calls},        {"frfn", true, take_other_function},
    {"rec", false, take_nothing},
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

static bool take_position_line(struct reader *r, const struct position_key *key, struct text value)
{
    r->in_body = true;
    r->sensible_lines++;
    if (r->next_cost != COST_IS_SELF && !check_cost_has_come(r))
        return false;
    if (key->is_of_function && !r->is_settled && !settle(r))
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
 * Takes a cost. Some producers print negative ones as 64-bit unsigned numbers: both become the same.
 * A number of more than 64 bits becomes the nearest cost. Cachegrind once wrote a dot for a count
 * that does not apply.
 */
static inline bool take_cost(struct text *line, cost_t *value, bool *overflow)
{
    uint64_t number = 0;
    bool negative = *line->at == '-', is_beyond = false;
    struct text rest = *line;
    rest.at += negative;
    if (!negative && *rest.at == '.')
        rest.at++;
    else if (!text_take_number(&rest, &number, &is_beyond))
        return false;
    if (!text_is_empty(rest) && !char_is_blank(*rest.at))
        return false;
    text_skip_blanks(&rest);
    line->at = rest.at;
    number = negative ? 0 - number : number;
    memcpy(value, &number, sizeof number);
    if (is_beyond)
        *value = negative ? INT64_MIN : INT64_MAX;
    *overflow |= is_beyond;
    return true;
}

/* A line number as the model has it; what is none, such as a position below zero, becomes 0. */
static uint32_t line_number(const struct reader *r)
{
    if (r->line_position == NO_LINE_POSITION)
        return 0;
    uint64_t line = r->position[r->line_position];
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/*
 * Reads the costs that `line` consists of; those that are missing are 0, as far as they count.
 * Returns false if there is something that is no cost. *count is how many there are, which may be
 * more than there are events.
 */
static bool take_costs(struct reader *r, struct text line, size_t *count, bool *overflow)
{
    size_t columns = event_costs_columns(&r->events);
    cost_t *costs = r->events.costs, surplus;
    for (*count = 0; !text_is_empty(line); ++*count)
        if (!take_cost(&line, *count < columns ? &costs[*count] : &surplus, overflow))
            break;
    event_costs_end_line(&r->events, *count);
    return text_is_empty(line);
}

static bool book_cost(struct reader *r, struct text line, enum next_cost about)
{
    cost_t cost = event_costs_sum(&r->events);
    switch (about) {
    case COST_IS_SELF:
        if (!r->has_function)
            return odd_line(r, line, "fn= before a cost line");
        if (!r->is_entered && !enter_function(r))
            return false;
        cost_add(&r->part_self, cost);
        r->record_has_self = true;
        event_costs_count(&r->events);
        return builder_self(r->builder, line_number(r), r->file == r->entered_file, cost);
    case COST_OF_CALL:
        r->callees_first &= (r->builder->profile->functions[r->callee].flags &
                             FUNCTION_HAS_RECORD) != 0;
        return builder_call(r->builder, r->callee, line_number(r), r->call_count, cost);
    case COST_OF_JUMP:
    case COST_IS_SKIPPED:
        break;
    }
    return true;
}

static bool take_cost_line(struct reader *r, struct text line)
{
    static const char expected[] = "positions and costs";
    struct text rest = line;
    enum next_cost about = r->next_cost;
    uint64_t position[MAX_POSITIONS];
    size_t count;
    bool overflow = false;

    r->in_body = true;
    r->next_cost = COST_IS_SELF; /* whatever comes of this line, it was the one waited for */
    if (!r->events.is_settled && !event_costs_settle(&r->events, r->lines->number))
        return false;
    memcpy(position, r->position, sizeof position);
    for (size_t i = 0; i < r->position_count && !text_is_empty(rest); i++)
        if (!take_subposition(&rest, &position[i]))
            return odd_line(r, line, expected);
    if (!take_costs(r, rest, &count, &overflow))
        return odd_line(r, line, expected);

    r->sensible_lines++;
    memcpy(r->position, position, sizeof position);
    if (overflow && !diag_problem(r->diag, r->lines->number,
                                  "found a cost of more than 64 bits, expected less"))
        return false;
    if (count > event_costs_columns(&r->events) && r->events.has_columns &&
        !diag_problem(r->diag, r->lines->number, "found %zu costs, expected %zu at most", count,
                      event_costs_columns(&r->events)))
        return false;
    return book_cost(r, line, about);
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool begins_cost_line(char c)
{
    return char_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* Xdebug's line between the runs of a file that it appends to. */
static bool is_run_separator(struct text line)
{
    return text_starts(line, "==== NEW PROFILING FILE");
}

static bool take_line(struct reader *r, struct text line)
{
    struct text key, value;
    const struct position_key *position;

    text_skip_blanks(&line);
    if (text_is_empty(line)) {
        r->record_is_closed = true;
        return true;
    }
    if (*line.at == '#')
        return true;
    r->record_is_closed &= !begins_cost_line(*line.at);
    if (begins_cost_line(*line.at))
        return take_cost_line(r, line);
    if ((position = split_position(line, &value)) != NULL)
        return take_position_line(r, position, value);
    if (split_header(line, &key, &value))
        return take_header(r, line, key, value);
    if (is_run_separator(line)) {
        r->sensible_lines++;
        return begin_part(r);
    }
    return odd_line(r, line, "a line of a callgrind profile");
}

/* ---- the end ------------------------------------------------------------------------------ */

static bool part_has_summary(const struct reader *r)
{
    const struct profile *profile = r->builder->profile;
    for (size_t i = r->part_header; i < profile->header_count; i++)
        if (profile->headers[i].kind == HEADER_SUMMARY)
            return true;
    return false;
}

/*
 * Is the last record incomplete, because the profiled process was killed or the disk was full? It is
 * if a call or its own cost is missing. Beyond that, Xdebug ends each record with a blank line and
 * the whole with a summary: where all other records are closed and there is no summary, one that is
 * not closed has been cut off. (That {main} comes last is as it should be; it is taken for whole as
 * long as its last line is.) A profile in which callers come first was not written by Xdebug.
 */
static bool is_cut_off(const struct reader *r)
{
    if (!r->has_function || !r->builder->profile->records_are_invocations)
        return false;
    if (r->next_cost == COST_OF_CALL || r->has_called_name || r->called_file.given ||
        r->called_object.given ||
        (!r->record_has_self && (!r->record_is_closed || r->record_has_total)))
        return true;
    if (r->record_is_closed || part_has_summary(r) || r->part_records < ENOUGH_RECORDS ||
        !r->all_closed || !r->callees_first)
        return false;
    struct text name = names_text(names_of(r), r->function_name);
    return !r->lines->last_is_whole || !text_equals(name, "{main}");
}

static bool drop_record(struct reader *r)
{
    r->part_self = r->part_self_before;
    r->next_cost = COST_IS_SELF;
    r->has_function = false;
    return diag_problem(r->diag, r->lines->number,
                        "found the end within a record, expected the rest of it; the record is left "
                        "out") &&
           builder_drop_record(r->builder);
}

static bool take_end(struct reader *r)
{
    if ((is_cut_off(r) && !drop_record(r)) || !end_record(r) || !check_cost_has_come(r) ||
        !complete_summary(r))
        return false;
    if (r->builder->profile->function_count == 0)
        return diag_error(r->diag, 0, "found no function, expected a callgrind profile");
    if (r->odd_lines > r->sensible_lines)
        return diag_error(r->diag, 0,
                          "found more lines that make no sense (%" PRIu64 ") than lines that do (%"
                          PRIu64 "), expected a callgrind profile",
                          r->odd_lines, r->sensible_lines);
    return event_costs_list(&r->events) && builder_finish(r->builder);
}

/*
 * Valgrind ends its profiles with `totals:` or `summary:` and a newline: without both, the last line
 * has been cut off, and the numbers in it are not what they were.
 */
static bool is_cut_line(const struct reader *r)
{
    return !r->lines->last_is_whole && r->is_by_valgrind && text_is_empty(r->part_totals) &&
           (r->producer.has_creator || !part_has_summary(r));
}

/* Are the records at hand of the kind that the fast path knows? */
static bool fits_fast_path(const struct reader *r)
{
    size_t columns = r->events.events.column_count;
    return !r->options->plain && r->is_settled && r->events.is_settled &&
           r->builder->profile->records_are_invocations &&
           r->builder->identity == IDENTITY_NAME && r->options->list == NULL &&
           r->events.has_columns && r->events.is_first &&
           columns <= 2 && r->position_count == 1 && r->line_position == 0;
}

/* What was digested with other columns is of no use. */
static bool prepare_fast(struct reader *r)
{
    unsigned columns = (unsigned)r->events.events.column_count;
    if (r->fast->digest.columns == columns)
        return true;
    fast_records_free(r->fast);
    return fast_records_init(r->fast, r->builder, &r->file_aliases, &r->function_aliases,
                             columns) ||
           no_memory(r);
}

static void skip_fast(struct reader *r, struct text rest, const struct fast_taken *taken)
{
    lines_skip(r->lines, rest.at, taken->lines);
    r->sensible_lines += taken->lines - taken->records; /* blank lines do not count */
    r->position[0] = taken->last_line;
    r->callees_first &= taken->callees_first;
}

/* May the rest begin with records of the kind that the fast path for names in full knows? */
static bool fits_full_names(const struct reader *r)
{
    return r->builder->proxies.names.count == 0 && full_records_begin(lines_rest(r->lines));
}

/* Does it begin with a record whose names are aliases? Only of such records threads make a digest. */
static bool begins_with_aliases(const struct reader *r)
{
    struct text rest = lines_rest(r->lines);
    return digest_record_begins(rest) && !full_records_begin(rest);
}

/* Records with names in full. What was found out with other columns is of no use. */
static bool take_full_records(struct reader *r, struct text *rest, struct fast_taken *taken)
{
    unsigned columns = (unsigned)r->events.events.column_count;
    if (r->full.columns != columns) {
        full_records_free(&r->full);
        full_records_init(&r->full, r->builder, &r->file_aliases, &r->function_aliases, columns);
    }
    return builder_end_record(r->builder) &&
           full_records_take(&r->full, r->object, rest, taken);
}

/* The digest looks at bytes before a record. At the start of a buffer there are none. */
static bool has_bytes_before(const struct reader *r, struct text rest)
{
    return r->lines->is_given || rest.at - r->lines->buffer >= DIGEST_BEFORE;
}

/*
 * Between two records: lets the fast path take as many as it can. What it leaves begins with a record
 * again, so the state is that after a closed record that another one ends.
 */
static bool take_fast_records(struct reader *r)
{
    struct fast_taken taken;
    struct text rest = lines_rest(r->lines);
    if (!digest_record_begins(rest) || !has_bytes_before(r, rest))
        return true;
    if (fits_full_names(r)) {
        if (!take_full_records(r, &rest, &taken))
            return false;
    } else if (!prepare_fast(r) || !builder_end_record(r->builder) ||
               !fast_records_take(r->fast, r->object, &rest, &taken)) {
        return false;
    }
    if (taken.records == 0)
        return true;
    skip_fast(r, rest, &taken);
    cost_add(&r->part_self, taken.self);
    r->part_self_before = r->part_self;
    r->part_records += taken.records;
    return true;
}

/* Behind a call: lets the fast path take the calls that follow. */
static bool take_fast_calls(struct reader *r)
{
    struct fast_taken taken;
    struct text rest = lines_rest(r->lines);
    if (!text_starts(rest, "cfl=(") || r->builder->proxies.held_count > 0)
        return true;
    if (!prepare_fast(r) || !fast_records_take_calls(r->fast, r->object, &rest, &taken))
        return false;
    if (taken.lines == 0)
        return true;
    skip_fast(r, rest, &taken);
    r->has_callee = true;
    r->callee = taken.last_callee;
    return true;
}

/* Within a function, with nothing said yet of a call that is to come. */
static bool is_between_calls(const struct reader *r)
{
    return r->has_function && r->builder->current != INDEX_NONE && r->next_cost == COST_IS_SELF &&
           !r->has_called_name && !r->called_file.given && !r->called_object.given;
}

/* True where a closed record has just ended and nothing of another has been read. */
static bool is_between_records(const struct reader *r)
{
    return r->record_is_closed && r->record_has_self && is_between_calls(r);
}

/* Are records sums of the kind that the fast path for them knows? */
static bool fits_fast_sums(const struct reader *r)
{
    return !r->options->plain && r->is_settled && r->events.is_settled &&
           !r->builder->profile->records_are_invocations && r->options->list == NULL &&
           r->events.has_columns && r->events.is_first && r->position_count <= 2 &&
           r->line_position == (int)r->position_count - 1;
}

/* Within a record, of which no cost line from the file at hand can change the function's line. */
static bool is_within_sum(const struct reader *r)
{
    const struct builder *builder = r->builder;
    if (!r->is_entered || !is_between_calls(r))
        return false;
    uint8_t flags = builder->profile->functions[builder->current].flags;
    return (flags & FUNCTION_LINE_IS_OWN) != 0 ||
           ((flags & FUNCTION_HAS_LINE) != 0 && r->file != r->entered_file);
}

static struct cost_form cost_form(const struct reader *r)
{
    return (struct cost_form){.has_other_position = r->position_count == 2,
                              .columns = r->events.events.column_count};
}

/* What was found ahead in lines of another form is of no use. */
static void check_ahead(struct reader *r)
{
    struct cost_form form = cost_form(r);
    struct cost_runs *ahead = r->ahead;
    if (ahead == NULL || (ahead->form.has_other_position == form.has_other_position &&
                          ahead->form.columns == form.columns))
        return;
    ahead->form = form;
    ahead->count = 0;
}

/* Behind a line within a record: lets the fast path for sums take what it can. */
static bool take_fast_sums(struct reader *r)
{
    check_ahead(r);
    struct text rest = lines_rest(r->lines);
    struct fast_sums *s = &r->sums;
    *s = (struct fast_sums){.builder = r->builder,
                            .object_aliases = &r->object_aliases,
                            .file_aliases = &r->file_aliases,
                            .function_aliases = &r->function_aliases,
                            .ahead = r->ahead,
                            .form = cost_form(r),
                            .object = r->object,
                            .file = r->file,
                            .function_file = r->function_file,
                            .entered_file = r->entered_file,
                            .function_name = r->function_name,
                            .line = r->position[r->line_position],
                            .has_file = r->has_fl,
                            .has_callee = r->has_callee,
                            .callee = r->callee};
    if (!fast_sums_take(s, &rest))
        return false;
    lines_skip(r->lines, rest.at, s->lines);
    r->sensible_lines += s->sensible_lines;
    cost_add(&r->part_self, s->self);
    r->object = s->object;
    r->file = s->file;
    r->function_file = s->function_file;
    r->entered_file = s->entered_file;
    r->function_name = s->function_name;
    r->position[r->line_position] = s->line;
    r->has_fl = s->has_file;
    r->has_callee = s->has_callee;
    r->callee = s->callee;
    return true;
}

/* There is more than one thread can read while another is started. */
static bool wants_threads(const struct reader *r)
{
    return r->lines->refills > 0 && !r->lines->at_end &&
           blocks_threads(r->options->threads, r->lines->source) > 1;
}

/* Reads what there is, up to where it would pay to go on in threads. */
static bool read_lines(struct reader *r)
{
    struct text line;
    enum lines_result result;
    for (;;) {
        bool was_call = r->next_cost == COST_OF_CALL;
        if (is_between_records(r) && fits_fast_path(r)) {
            if (!r->in_threads && wants_threads(r) && begins_with_aliases(r))
                return true;
            if (!take_fast_records(r))
                return false;
        }
        result = lines_next(r->lines, &line);
        if (result != LINES_LINE)
            break;
        bool done = is_cut_line(r) ? odd_line(r, line, "a whole line") : take_line(r, line);
        if (!done)
            return false;
        if (was_call && is_between_calls(r) && fits_fast_path(r) && !take_fast_calls(r))
            return false;
        if (is_within_sum(r) && fits_fast_sums(r)) {
            if (!r->in_threads && wants_threads(r))
                return true;
            if (!take_fast_sums(r))
                return false;
        }
    }
    r->is_over = result == LINES_END;
    return result != LINES_FAILED;
}

/* ---- threads ------------------------------------------------------------------------------ */

static bool prepare_records(void *context, unsigned slot, struct text block)
{
    struct reader *r = context;
    return fast_records_prepare(&r->all_fast[slot], block);
}

static bool prepare_sums(void *context, unsigned slot, struct text block)
{
    struct reader *r = context;
    return cost_runs_find(&r->all_ahead[slot], block);
}

static bool take_block(void *context, unsigned slot, struct text block, bool is_last)
{
    struct reader *r = context;
    r->fast = &r->all_fast[slot];
    r->ahead = &r->all_ahead[slot];
    lines_give(r->lines, block, is_last);
    return read_lines(r);
}

/* Reads the rest by several threads: each digests blocks of it, which are taken in their order. */
static bool read_in_threads(struct reader *r)
{
    bool are_sums = !r->builder->profile->records_are_invocations;
    struct blocks_work work = {.threads = blocks_threads(r->options->threads, r->lines->source),
                               .block = r->options->block > 0 ? r->options->block : BLOCK,
                               .before = DIGEST_BEFORE,
                               .context = r,
                               .cut = digest_cut,
                               .prepare = are_sums ? prepare_sums : prepare_records,
                               .take = take_block};
    r->in_threads = true;
    for (unsigned i = 0; i < blocks_slots(work.threads); i++) {
        r->fast = &r->all_fast[i];
        r->all_ahead[i].form = cost_form(r);
        if (!are_sums && !prepare_fast(r))
            return false;
    }
    return blocks_run(r->lines->source, lines_rest(r->lines), &work);
}

static bool read_all(struct reader *r)
{
    return read_lines(r) && (r->is_over || read_in_threads(r)) && take_end(r);
}

static bool callgrind_read(struct lines *lines, struct builder *builder, struct diag *diag,
                           const struct frontend_options *options)
{
    struct reader *reader = calloc(1, sizeof *reader);
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
    reader->fast = &reader->all_fast[0];
    event_costs_init(&reader->events, options, builder->profile, diag);
    const struct names *names = &builder->profile->names;
    if (aliases_init(&reader->object_aliases, names) &&
        aliases_init(&reader->file_aliases, names) &&
        aliases_init(&reader->function_aliases, names))
        done = read_all(reader);
    else
        no_memory(reader);
    for (unsigned i = 0; i < BLOCKS_MAX_SLOTS; i++) {
        fast_records_free(&reader->all_fast[i]);
        cost_runs_free(&reader->all_ahead[i]);
    }
    full_records_free(&reader->full);
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
            (split_header(line, &key, &value) && known_header(key) != NULL))
            return MINE;
        has_other_lines |= !text_is_empty(line) && *line.at != '#' && *line.at != '\r' &&
                           (newline != NULL || text_length(line) >= TELLING_BYTES);
    }
    return has_other_lines ? NOT_MINE : NOT_YET;
}

const struct frontend callgrind_frontend = {
    .name = "callgrind",
    .reads = "callgrind and cachegrind profiles",
    .recognises = callgrind_recognises,
    .read = callgrind_read,
};
