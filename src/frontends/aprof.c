/*
 * Reads the reports of aprof, an input-sensitive profiler for Valgrind, in all its
 * versions, 0 to 6.
 *
 * A report consists of lines `TAG FIELD...`: a header, then for each routine an `r` line and its
 * tuples, one line for each size of its calls' input. Tuples belong to the routine (`p`) or to its
 * calling contexts (`q`). The contexts follow, `x`, each with its parent:
 *
 *     r "main" "/opt/demo" 7
 *     q 1 4 100 100 100 10000 1 100 20 20 20 400
 *     x 7 1 -1
 *
 * So everything is collected first, and the profile and its tree are made at the end. They have no
 * place for input sizes: a routine's costs are the sums over all sizes. The report's numbers are
 * not changed. Its tree is not additive, because it lacks routines without a name, and because the
 * profiler corrects its stack after jumps; so inclusive costs are never computed from self costs.
 */
#include "frontends/event_costs.h"
#include "frontends/frontend.h"
#include "model/contexts.h"
#include "util/array.h"
#include "util/ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEWEST_VERSION = 6, FIRST_WITH_TOTAL = 2, FIRST_WITH_SELF = 2 };

static const char default_metric[] = "bb-count";

/* ---- tuples ------------------------------------------------------------------------------- */

enum field {
    FIELD_SIZE, /* of the input */
    FIELD_CALLS,
    FIELD_AVERAGE,
    FIELD_MIN, /* these are of inclusive costs */
    FIELD_MAX,
    FIELD_SUM,
    FIELD_REAL, /* the sum without calls that ran inside another call of the same routine */
    FIELD_SELF,
    FIELD_SELF_MIN,
    FIELD_SELF_MAX,
    FIELD_SYSCALL_INPUT, /* these are written only with the metric drms */
    FIELD_THREAD_INPUT,
    FIELD_SELF_SYSCALL_INPUT,
    FIELD_SELF_THREAD_INPUT,
    FIELD_COUNT,
    FIELD_OTHER, /* not used; sums of squares wrap around, or are not 64-bit numbers */
    MAX_FIELDS = 17
};

/* The fields after the id, by version. */
static const struct layout {
    size_t needed; /* some builds left out the rest */
    size_t count;
    unsigned char fields[MAX_FIELDS]; /* enum field */
} layouts[] = {
    {3, 3, {FIELD_SIZE, FIELD_AVERAGE, FIELD_CALLS}},
    {6, 6, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_OTHER, FIELD_CALLS}},
    {7, 7, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_CALLS, FIELD_REAL, FIELD_SELF}},
    {7, 9, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_CALLS, FIELD_REAL, FIELD_SELF,
            FIELD_SELF_MIN, FIELD_SELF_MAX}},
    {8, 11, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_OTHER, FIELD_CALLS, FIELD_REAL,
             FIELD_SELF, FIELD_SELF_MIN, FIELD_SELF_MAX, FIELD_OTHER}},
    {8, 17, {FIELD_SIZE, FIELD_MIN, FIELD_MAX, FIELD_SUM, FIELD_OTHER, FIELD_CALLS, FIELD_REAL,
             FIELD_SELF, FIELD_SELF_MIN, FIELD_SELF_MAX, FIELD_OTHER, FIELD_OTHER, FIELD_OTHER,
             FIELD_SYSCALL_INPUT, FIELD_THREAD_INPUT, FIELD_SELF_SYSCALL_INPUT,
             FIELD_SELF_THREAD_INPUT}},
};

enum { LAST_LAYOUT = sizeof layouts / sizeof layouts[0] - 1 };

/* A missing field. A number that is too large becomes the same. */
#define FIELD_MISSING UINT64_MAX

/* Sums over tuples. */
struct costs {
    cost_t sum, real, self;
    uint64_t calls;
};

static void costs_add(struct costs *to, const struct costs *costs)
{
    cost_add(&to->sum, costs->sum);
    cost_add(&to->real, costs->real);
    cost_add(&to->self, costs->self);
    count_add(&to->calls, costs->calls);
}

/* ---- the reader --------------------------------------------------------------------------- */

struct routine {
    uint64_t id;
    uint32_t name, object; /* in the profile's names */
    uint32_t function;     /* of the profile; valid at the end */
    uint32_t mangled;      /* name; NAME_EMPTY: none */
    bool has_costs;        /* by p lines */
    struct costs costs;    /* of its p lines */
};

/* What the report says about a context. */
struct told_context {
    uint64_t id;
    uint32_t routine; /* an index into the array */
    bool has_line;    /* an x line; otherwise it occurs only in tuples */
    bool has_parent;
    uint64_t parent_id, line; /* of its x line */
    struct costs costs;
};

struct reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct event_costs events;

    uint64_t version;
    const struct layout *layout;
    bool has_total;
    cost_t total; /* of the `k` line */
    uint32_t metric, program;
    bool has_command;
    uint32_t command; /* NAME_EMPTY: unknown */

    struct routine *routines;
    size_t routine_count, routine_capacity;
    struct ids routine_ids;
    uint32_t current; /* routine of the last r line, or IDS_NONE */
    struct told_context *contexts;
    size_t context_count, context_capacity;
    struct ids context_ids;
    struct contexts tree; /* the same, as a tree; made at the end */

    uint64_t odd_lines;
};

static struct names *names_of(const struct reader *r)
{
    return &r->builder->profile->names;
}

static bool no_memory(struct reader *r)
{
    return diag_no_memory(r->diag);
}

/* Skips a malformed line. */
static bool odd_line(struct reader *r, struct text line, const char *expected)
{
    r->odd_lines++;
    return diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s",
                        TEXT_ARG(line), expected);
}

static bool intern(struct reader *r, struct text text, uint32_t *name)
{
    return names_intern(names_of(r), text, name) || no_memory(r);
}

/* ---- fields ------------------------------------------------------------------------------- */

/* Takes a number and the blanks after it. Returns false if there is none, or other characters. */
static bool take_number(struct text *t, uint64_t *number, bool *overflow)
{
    struct text rest = *t;
    if (!text_take_number(&rest, number, overflow) ||
        (!text_is_empty(rest) && !char_is_blank(*rest.at)))
        return false;
    text_skip_blanks(&rest);
    *t = rest;
    return true;
}

static bool take_id(struct text *t, uint64_t *id)
{
    bool overflow = false;
    return take_number(t, id, &overflow) && !overflow;
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

/* The text between the first byte, a quote, and the last quote, after which *rest begins. */
static bool split_quoted(struct text value, struct text *quoted, struct text *rest)
{
    const char *close = find_last(value, '"');
    if (text_is_empty(value) || *value.at != '"' || close == value.end || close == value.at)
        return false;
    *quoted = (struct text){value.at + 1, close};
    *rest = text_trim((struct text){close + 1, value.end});
    return true;
}

/*
 * `"NAME" "OBJECT" ID`. Quotes in names are not escaped, as in `operator"" _x`, so the last `" "`
 * separates name and object. Some builds wrote another number after the id.
 */
static bool split_quoted_routine(struct text value, struct text *name, struct text *object,
                                 uint64_t *id)
{
    struct text both, rest;
    if (!split_quoted(value, &both, &rest) || !take_id(&rest, id))
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
    if (!take_id(&word, id))
        return false;
    *object = take_last_word(&value);
    rest = value;
    word = take_last_word(&rest);
    if (take_number(&word, &address, &overflow) && !text_is_empty(rest))
        value = rest;
    *name = value;
    return !text_is_empty(value);
}

static bool split_routine(struct text value, bool may_be_plain, struct text *name,
                          struct text *object, uint64_t *id)
{
    return split_quoted_routine(value, name, object, id) ||
           (may_be_plain && split_plain_routine(value, name, object, id));
}

/* A number as a cost; one that is too large becomes the largest. */
static cost_t to_cost(uint64_t number, bool *overflow)
{
    if (number <= INT64_MAX)
        return (cost_t)number;
    *overflow = true;
    return INT64_MAX;
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

/* ---- ids ---------------------------------------------------------------------------------- */

/* The last routine with the id, or IDS_NONE. */
static uint32_t find_routine(const struct reader *r, uint64_t id)
{
    return ids_find(&r->routine_ids, id);
}

static uint32_t find_context(const struct reader *r, uint64_t id)
{
    return ids_find(&r->context_ids, id);
}

/* Adds a routine, which from now on owns its id. */
static bool add_routine(struct reader *r, struct routine routine)
{
    if (r->routine_count >= IDS_NONE ||
        !array_reserve(&r->routines, &r->routine_capacity, r->routine_count + 1,
                       sizeof *r->routines) ||
        !ids_set(&r->routine_ids, routine.id, (uint32_t)r->routine_count))
        return no_memory(r);
    r->current = (uint32_t)r->routine_count;
    r->routines[r->routine_count++] = routine;
    return true;
}

/* Adds a context, and sets *number to its index. */
static bool add_context(struct reader *r, uint64_t id, uint32_t routine, uint32_t *number)
{
    *number = (uint32_t)r->context_count;
    if (r->context_count >= IDS_NONE ||
        !array_reserve(&r->contexts, &r->context_capacity, r->context_count + 1,
                       sizeof *r->contexts) ||
        !ids_set(&r->context_ids, id, *number))
        return no_memory(r);
    r->contexts[r->context_count++] = (struct told_context){.id = id, .routine = routine};
    return true;
}

/* ---- header lines ------------------------------------------------------------------------- */

static bool take_version(struct reader *r, struct text value)
{
    struct text rest = value;
    uint64_t version;
    if (!take_id(&rest, &version))
        return odd_line(r, value, "the version of the report");
    if (r->routine_count > 0)
        return diag_error(r->diag, r->lines->number,
                          "found a second report after the first, expected one report per file");
    r->version = version;
    r->layout = &layouts[version < LAST_LAYOUT ? version : LAST_LAYOUT];
    return version <= NEWEST_VERSION ||
           diag_problem(r->diag, r->lines->number,
                        "found version %" PRIu64 " of aprof's report, expected at most %d; it is "
                        "read as version %d", version, NEWEST_VERSION, NEWEST_VERSION);
}

static bool take_total(struct reader *r, struct text value)
{
    struct text rest = value;
    bool overflow = false;
    uint64_t total;
    if (!take_number(&rest, &total, &overflow))
        return odd_line(r, value, "the total cost");
    r->total = to_cost(total, &overflow);
    r->has_total = true;
    return !overflow || diag_problem(r->diag, r->lines->number,
                                     "found a total that is too large, expected at most 63 bits");
}

/* The metric is the name of the event, and names contain no blanks. */
static bool take_metric(struct reader *r, struct text value)
{
    value = text_trim(value);
    return intern(r, text_take_word(&value), &r->metric);
}

static bool take_measure(struct reader *r, struct text value)
{
    return r->options->sizes == NULL || intern(r, text_trim(value), &r->options->sizes->measure);
}

static bool take_program(struct reader *r, struct text value)
{
    return intern(r, text_trim(value), &r->program);
}

/* Merged reports have no command. Some builds wrote other `f` lines after each routine. */
static bool take_command(struct reader *r, struct text value)
{
    if (r->has_command)
        return true;
    r->has_command = true;
    value = text_trim(value);
    return text_equals(value, "(null)") || intern(r, value, &r->command);
}

/* ---- routines ----------------------------------------------------------------------------- */

static bool take_routine(struct reader *r, struct text value)
{
    struct text name, object;
    struct routine routine = {.id = 0};
    r->current = IDS_NONE;
    if (!split_routine(value, r->version == 0, &name, &object, &routine.id))
        return odd_line(r, value, "the name, object and id of a routine");
    if (!intern(r, name, &routine.name) || !intern(r, object, &routine.object))
        return false;
    r->current = find_routine(r, routine.id);
    if (r->current == IDS_NONE)
        return add_routine(r, routine);
    return (r->routines[r->current].name == routine.name &&
            r->routines[r->current].object == routine.object) ||
           (add_routine(r, routine) && odd_line(r, value, "an id that no other routine has"));
}

/* Takes `ID "NAME"`; *routine remains IDS_NONE otherwise. */
static bool take_other_name(struct reader *r, struct text value, uint32_t *routine, uint32_t *name)
{
    struct text rest = value, quoted;
    uint64_t id;
    *routine = IDS_NONE;
    if (!take_id(&rest, &id) || !split_quoted(rest, &quoted, &rest))
        return odd_line(r, value, "an id and a name");
    *routine = find_routine(r, id);
    return *routine != IDS_NONE ? intern(r, quoted, name)
                                  : odd_line(r, value, "the id of a routine");
}

/* The name to show for a routine whose `r` line has the mangled one. */
static bool take_demangled(struct reader *r, struct text value)
{
    uint32_t routine, name;
    if (!take_other_name(r, value, &routine, &name))
        return false;
    if (routine == IDS_NONE)
        return true;
    if (r->routines[routine].mangled == NAME_EMPTY)
        r->routines[routine].mangled = r->routines[routine].name;
    r->routines[routine].name = name;
    return true;
}

static bool take_mangled(struct reader *r, struct text value)
{
    uint32_t routine, name;
    if (r->options->sizes == NULL)
        return true;
    if (!take_other_name(r, value, &routine, &name))
        return false;
    if (routine != IDS_NONE)
        r->routines[routine].mangled = name;
    return true;
}

/* ---- tuples and contexts ------------------------------------------------------------------ */

/* Reads the fields of a tuple. Returns false if a needed one is missing. */
static bool take_fields(const struct reader *r, struct text rest, uint64_t *fields, bool *overflow)
{
    const struct layout *layout = r->layout;
    for (size_t i = 0; i < layout->count; i++) {
        enum field field = (enum field)layout->fields[i];
        bool is_there = field == FIELD_OTHER ? !text_is_empty(text_take_word(&rest))
                                             : take_number(&rest, &fields[field], overflow);
        if (!is_there)
            return i >= layout->needed;
    }
    return true;
}

/* Version 0 has an average, rounded down, instead of a sum; version 1 has no further fields. */
static struct costs costs_of(const struct reader *r, const uint64_t *fields, bool *overflow)
{
    struct costs costs = {.calls = fields[FIELD_CALLS]};
    costs.sum = r->version == 0
                    ? product(to_cost(fields[FIELD_AVERAGE], overflow), costs.calls)
                    : to_cost(fields[FIELD_SUM], overflow);
    costs.real = costs.sum;
    if (r->version >= FIRST_WITH_SELF) {
        costs.real = to_cost(fields[FIELD_REAL], overflow);
        costs.self = to_cost(fields[FIELD_SELF], overflow);
    }
    return costs;
}

static int64_t known_or_not(uint64_t field)
{
    bool overflow;
    return field == FIELD_MISSING ? SIZE_COST_UNKNOWN : to_cost(field, &overflow);
}

/* Keeps a tuple by its size. Until the end, functions are routines, and costs are as in the report. */
static bool add_size(struct reader *r, uint32_t routine, const uint64_t *fields,
                     const struct costs *costs)
{
    bool has_self = r->version >= FIRST_WITH_SELF;
    struct cg2wg_size_cost cost = {.function = routine,
                                   .size = fields[FIELD_SIZE],
                                   .calls = costs->calls,
                                   .sum = costs->sum,
                                   .outermost = has_self ? costs->real : SIZE_COST_UNKNOWN,
                                   .self = has_self ? costs->self : SIZE_COST_UNKNOWN,
                                   .min = known_or_not(fields[FIELD_MIN]),
                                   .max = known_or_not(fields[FIELD_MAX]),
                                   .self_min = known_or_not(fields[FIELD_SELF_MIN]),
                                   .self_max = known_or_not(fields[FIELD_SELF_MAX]),
                                   .syscall_input = known_or_not(fields[FIELD_SYSCALL_INPUT]),
                                   .thread_input = known_or_not(fields[FIELD_THREAD_INPUT]),
                                   .self_syscall_input =
                                       known_or_not(fields[FIELD_SELF_SYSCALL_INPUT]),
                                   .self_thread_input =
                                       known_or_not(fields[FIELD_SELF_THREAD_INPUT])};
    return sizes_add(r->options->sizes, &cost) || no_memory(r);
}

/* Reads the tuple `value` of the routine; *is_good says whether it is valid. */
static bool take_tuple(struct reader *r, struct text value, struct text rest, uint32_t routine,
                       struct costs *costs, bool *is_good)
{
    uint64_t fields[FIELD_COUNT];
    bool overflow = false;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        fields[i] = FIELD_MISSING;
    *is_good = take_fields(r, rest, fields, &overflow);
    if (!*is_good) {
        char expected[64];
        snprintf(expected, sizeof expected, "an id and at least %zu numbers", r->layout->needed);
        return odd_line(r, value, expected);
    }
    *costs = costs_of(r, fields, &overflow);
    if (r->options->sizes != NULL && !add_size(r, routine, fields, costs))
        return false;
    return !overflow || diag_problem(r->diag, r->lines->number,
                                     "found a number that is too large, expected at most 64 bits, "
                                     "or 63 for a cost");
}

static bool take_routine_tuple(struct reader *r, struct text value)
{
    struct text rest = value;
    struct costs costs;
    uint64_t id;
    bool is_good;
    if (!take_id(&rest, &id))
        return odd_line(r, value, "the id of a routine");
    uint32_t routine = r->current;
    if (routine == IDS_NONE || r->routines[routine].id != id)
        routine = find_routine(r, id);
    if (routine == IDS_NONE)
        return odd_line(r, value, "the id of a routine that an r line has named");
    if (!take_tuple(r, value, rest, routine, &costs, &is_good))
        return false;
    if (!is_good)
        return true;
    r->routines[routine].has_costs = true;
    costs_add(&r->routines[routine].costs, &costs);
    return true;
}

/* The tuple's routine is that of the last `r` line, because contexts are defined later. */
static bool take_context_tuple(struct reader *r, struct text value)
{
    struct text rest = value;
    struct costs costs;
    uint64_t id;
    bool is_good;
    if (!take_id(&rest, &id))
        return odd_line(r, value, "the id of a context");
    if (r->current == IDS_NONE)
        return odd_line(r, value, "an r line before it");
    uint32_t context = find_context(r, id);
    if (context != IDS_NONE && r->contexts[context].routine != r->current)
        return odd_line(r, value, "a context that belongs to this routine");
    if (!take_tuple(r, value, rest, r->current, &costs, &is_good))
        return false;
    if (!is_good)
        return true;
    if (context == IDS_NONE && !add_context(r, id, r->current, &context))
        return false;
    costs_add(&r->contexts[context].costs, &costs);
    return true;
}

/* `ROUTINE CONTEXT PARENT`, where PARENT is -1 for a root. Parents may be defined later. */
static bool take_context(struct reader *r, struct text value)
{
    struct text rest = value;
    uint64_t routine_id, id, parent = 0;
    bool is_good = take_id(&rest, &routine_id) && take_id(&rest, &id);
    bool has_parent = !text_equals(text_trim(rest), "-1");
    if (!is_good || (has_parent && !take_id(&rest, &parent)))
        return odd_line(r, value, "the ids of a routine, of its context and of the parent, or -1");
    uint32_t routine = find_routine(r, routine_id);
    if (routine == IDS_NONE)
        return odd_line(r, value, "the id of a routine that an r line has named");
    uint32_t number = find_context(r, id);
    if (number == IDS_NONE && !add_context(r, id, routine, &number))
        return false;
    struct told_context *context = &r->contexts[number];
    if (context->has_line)
        return odd_line(r, value, "no more than one x line for a context");
    if (context->routine != routine)
        return odd_line(r, value, "the routine that the context's tuples belong to");
    context->has_line = true;
    context->has_parent = has_parent;
    context->parent_id = parent;
    context->line = r->lines->number;
    return true;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* In the order of their frequency. Other tags are not used, known or not. */
static const struct tag {
    char tag;
    bool (*take)(struct reader *r, struct text value);
} tags[] = {
    {'p', take_routine_tuple}, {'q', take_context_tuple}, {'x', take_context},
    {'u', take_mangled},       {'r', take_routine},       {'d', take_demangled},
    {'v', take_version},       {'k', take_total},         {'m', take_metric},
    {'i', take_measure},       {'a', take_program},       {'f', take_command},
};

/* Is it a line about the report itself, not about a routine? Of `f` lines, the first is. */
static bool is_about_report(const struct reader *r, struct text tag)
{
    if (text_length(tag) != 1)
        return true;
    return *tag.at == 'f' ? !r->has_command : strchr("pqrudx", *tag.at) == NULL;
}

static bool keep_line(struct reader *r, struct text line)
{
    uint32_t kept;
    return intern(r, line, &kept) &&
           (sizes_add_line(r->options->sizes, kept) || no_memory(r));
}

/* Splits a line into its tag, a word of letters, and the rest. False: no tag. */
static bool split_tag(struct text line, struct text *tag, struct text *value)
{
    *tag = (struct text){line.at, line.at};
    while (tag->end < line.end && char_is_alpha(*tag->end))
        tag->end++;
    if (text_is_empty(*tag) || (tag->end < line.end && *tag->end != ' '))
        return false;
    *value = (struct text){tag->end + (tag->end < line.end), line.end};
    return true;
}

static bool take_line(struct reader *r, struct text line)
{
    struct text tag, value;
    if (text_is_empty(line))
        return true;
    if (!split_tag(line, &tag, &value))
        return odd_line(r, line, "a line of an aprof report");
    if (r->options->sizes != NULL && is_about_report(r, tag) && !keep_line(r, line))
        return false;
    for (size_t i = 0; text_length(tag) == 1 && i < sizeof tags / sizeof tags[0]; i++)
        if (tags[i].tag == *tag.at)
            return tags[i].take(r, value);
    return true;
}

/* ---- the profile -------------------------------------------------------------------------- */

/* A cost of the report as a cost of the converted event. */
static cost_t weighed(const struct reader *r, cost_t cost)
{
    r->events.costs[0] = cost;
    return event_costs_sum(&r->events);
}

static bool is_outermost(const struct reader *r)
{
    return r->options->inclusive != CG2WG_INCLUSIVE_SUM;
}

/* Does the report contain self costs, or can they be computed? */
static bool has_self_costs(const struct reader *r)
{
    return r->version >= FIRST_WITH_SELF || r->context_count > 0;
}

/* A report has no source files, so objects are shown instead. */
static bool make_functions(struct reader *r)
{
    for (size_t i = 0; i < r->routine_count; i++) {
        struct routine *routine = &r->routines[i];
        if (!builder_function(r->builder, NAME_EMPTY, routine->object, routine->name,
                              &routine->function))
            return false;
        r->builder->profile->functions[routine->function].flags |= FUNCTION_HAS_RECORD;
    }
    return true;
}

static void book_costs(struct reader *r, uint32_t function, const struct costs *costs, cost_t self)
{
    struct function *f = &r->builder->profile->functions[function];
    cost_add(&f->self, self);
    cost_add(&f->inclusive, weighed(r, is_outermost(r) ? costs->real : costs->sum));
    count_add(&f->invocations, costs->calls);
}

/* ---- the tree of contexts ----------------------------------------------------------------- */

static bool check_lines_of_contexts(struct reader *r)
{
    size_t count = 0;
    uint64_t first = 0;
    for (size_t i = r->context_count; i-- > 0;) {
        if (r->contexts[i].has_line)
            continue;
        first = r->contexts[i].id;
        count++;
    }
    return count == 0 ||
           diag_problem(r->diag, r->lines->number,
                        "found no x line for %zu contexts, the first of them %" PRIu64
                        ", expected one for each; their callers are unknown",
                        count, first);
}

/* Sets *parent to the index of the context's parent, if it has one. */
static bool find_parent(struct reader *r, const struct told_context *told, uint32_t *parent)
{
    *parent = told->has_parent ? find_context(r, told->parent_id) : INDEX_NONE;
    return !told->has_parent || *parent != INDEX_NONE ||
           diag_problem(r->diag, told->line,
                        "found parent %" PRIu64 ", expected a context of the report; the caller is "
                        "unknown",
                        told->parent_id);
}

static bool tell_of_cycle(void *user, uint32_t context)
{
    struct reader *r = user;
    return diag_problem(r->diag, r->contexts[context].line,
                        "found a context that is its own ancestor, expected a tree; its caller is "
                        "unknown");
}

/*
 * Before version 2 there is no self cost: it is computed as a context's cost minus that of its
 * children. If the children are unknown, it is 0.
 */
static void settle_self_costs(struct reader *r)
{
    struct context *items = r->tree.items;
    if (r->version >= FIRST_WITH_SELF)
        return;
    for (size_t i = 0; i < r->tree.count; i++)
        items[i].self = r->contexts[i].has_line ? items[i].inclusive : 0;
    for (size_t i = 0; i < r->tree.count; i++)
        if (items[i].parent != INDEX_NONE)
            cost_add(&items[items[i].parent].self, -items[i].inclusive);
    for (size_t i = 0; i < r->tree.count; i++)
        if (items[i].self < 0)
            items[i].self = 0;
}

static bool make_contexts(struct reader *r)
{
    if (!check_lines_of_contexts(r))
        return false;
    for (size_t i = 0; i < r->context_count; i++) {
        const struct told_context *told = &r->contexts[i];
        struct context context = {.function = r->routines[told->routine].function,
                                  .calls = told->costs.calls,
                                  .self = weighed(r, told->costs.self),
                                  .inclusive = weighed(r, told->costs.sum)};
        if (!find_parent(r, told, &context.parent))
            return false;
        if (!contexts_add(&r->tree, context))
            return no_memory(r);
    }
    if (!contexts_link(&r->tree, tell_of_cycle, r, r->diag))
        return false;
    settle_self_costs(r);
    return true;
}

/* ---- costs, arcs, invocations ------------------------------------------------------------- */

static void book_all_costs(struct reader *r)
{
    for (size_t i = 0; i < r->routine_count; i++)
        book_costs(r, r->routines[i].function, &r->routines[i].costs,
                   weighed(r, r->routines[i].costs.self));
    for (size_t i = 0; i < r->context_count; i++)
        book_costs(r, r->tree.items[i].function, &r->contexts[i].costs, r->tree.items[i].self);
}

/* The costs of a function from its p lines alone. */
struct own_costs {
    bool has_any;
    uint64_t calls;
    cost_t self, inclusive;
};

/*
 * A function without contexts becomes one invocation that nobody called, if it has any costs, and a
 * context: in each of them that is not NULL.
 */
static bool add_functions(struct reader *r, struct tree *tree, struct contexts *contexts)
{
    size_t count = r->builder->profile->function_count;
    struct own_costs *own = calloc(count + 1, sizeof *own);
    bool done = own != NULL;
    for (size_t i = 0; done && i < r->routine_count; i++) {
        const struct costs *costs = &r->routines[i].costs;
        struct own_costs *of = &own[r->routines[i].function];
        of->has_any |= r->routines[i].has_costs;
        count_add(&of->calls, costs->calls);
        cost_add(&of->self, weighed(r, costs->self));
        cost_add(&of->inclusive, weighed(r, is_outermost(r) ? costs->real : costs->sum));
    }
    for (uint32_t f = 0; done && f < count; f++) {
        struct context context = {f, INDEX_NONE, own[f].calls, own[f].self, own[f].inclusive, 0, 0, 0};
        if (own[f].has_any)
            done = (tree == NULL || tree_add(tree, f, context.self, context.inclusive)) &&
                   (contexts == NULL || contexts_add(contexts, context));
    }
    free(own);
    return done;
}

static bool make_calls(struct reader *r)
{
    struct tree *tree = r->builder->tree;
    if (r->context_count == 0 && !builder_has_no_contexts(r->builder))
        return false;
    struct contexts *contexts = r->builder->contexts != NULL ? &r->tree : NULL;
    if (!contexts_make_arcs(&r->tree, r->builder->profile, is_outermost(r)) ||
        (tree != NULL && !contexts_make_tree(&r->tree, tree)) ||
        ((tree != NULL || contexts != NULL) && !add_functions(r, tree, contexts)))
        return no_memory(r);
    return true;
}

/* ---- headers ------------------------------------------------------------------------------ */

/* The total if the report has none: the self costs, or the costs of the roots if these are more. */
static cost_t total_of(const struct reader *r, cost_t self)
{
    cost_t roots = 0;
    for (size_t i = 0; i < r->context_count; i++)
        if (r->contexts[i].has_line && r->tree.items[i].parent == INDEX_NONE)
            cost_add(&roots, r->tree.items[i].inclusive);
    return self > roots ? self : roots;
}

static cost_t sum_of_self_costs(const struct profile *profile)
{
    cost_t self = 0;
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&self, profile->functions[i].self);
    return self;
}

static bool make_headers(struct reader *r)
{
    struct profile *profile = r->builder->profile;
    char version[32];
    snprintf(version, sizeof version, "aprof %" PRIu64, r->version);
    struct text command = names_text(&profile->names, r->command);
    if (text_is_empty(command))
        command = names_text(&profile->names, r->program);
    struct header summary = {.kind = HEADER_SUMMARY,
                             .has_total = true,
                             .self_total = sum_of_self_costs(profile)};
    summary.total = r->has_total ? weighed(r, r->total) : total_of(r, summary.self_total);
    if (!has_self_costs(r))
        summary.self_total = summary.total; /* a total that is always plausible */
    struct builder *builder = r->builder;
    return frontend_add_header(builder, "creator: ", text_of_string(version), HEADER_OTHER) &&
           (text_is_empty(command) ||
            frontend_add_header(builder, "cmd: ", command, HEADER_OTHER)) &&
           frontend_add_header(builder, "events: ", names_text(&profile->names, r->metric),
                               HEADER_EVENTS) &&
           (profile_add_header(profile, text_of("", 0), summary) || no_memory(r));
}

/* ---- the end ------------------------------------------------------------------------------ */

static bool settle_event(struct reader *r)
{
    if (r->metric == NAME_EMPTY && !intern(r, text_of_string(default_metric), &r->metric))
        return false;
    return event_costs_set_columns(&r->events, names_text(names_of(r), r->metric)) &&
           event_costs_settle(&r->events, 0);
}

/* Reports what the version of the report lacks. */
static void note_what_is_missing(const struct reader *r)
{
    if (r->options->list != NULL)
        return;
    if (r->version < FIRST_WITH_SELF && is_outermost(r))
        diag_note(r->diag, 0, "reports of version %" PRIu64 " do not mark recursion: inclusive "
                  "costs count it several times", r->version);
    if (!has_self_costs(r))
        diag_note(r->diag, 0, "reports of version %" PRIu64 " have no self costs: all of them are 0",
                  r->version);
    if (!r->has_total && r->version >= FIRST_WITH_TOTAL)
        diag_warning(r->diag, 0, "found no k line; the total is computed from the costs");
}

/* If nothing is counted twice, no function can cost more than the total. */
static void check_total(const struct reader *r)
{
    const struct profile *profile = r->builder->profile;
    const struct function *worst = NULL;
    cost_t total = weighed(r, r->total), most = total;
    if (!r->has_total || r->version < FIRST_WITH_SELF || !is_outermost(r))
        return;
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        cost_t cost = f->inclusive > f->self ? f->inclusive : f->self;
        if (cost > most)
            worst = f;
        most = cost > most ? cost : most;
    }
    if (worst != NULL)
        diag_warning(r->diag, 0, "found a cost of %" PRId64 " for " TEXT_FMT ", expected at most "
                     "the total, %" PRId64, most,
                     TEXT_ARG(names_text(names_of(r), worst->name)), total);
}

static void weigh_known(struct reader *r, cost_t *cost)
{
    if (*cost != SIZE_COST_UNKNOWN)
        *cost = weighed(r, *cost);
}

/* Replaces the routines of sizes by functions, and their costs by those of the event. */
static bool settle_sizes(struct reader *r)
{
    struct sizes *sizes = r->options->sizes;
    for (size_t i = 0; sizes != NULL && i < sizes->count; i++) {
        struct cg2wg_size_cost *cost = &sizes->costs[i];
        cost_t *const costs[] = {&cost->sum, &cost->outermost, &cost->self,    &cost->min,
                                 &cost->max, &cost->self_min,  &cost->self_max};
        cost->function = r->routines[cost->function].function;
        for (size_t k = 0; k < sizeof costs / sizeof costs[0]; k++)
            weigh_known(r, costs[k]);
    }
    for (size_t i = 0; sizes != NULL && i < r->routine_count; i++)
        if (r->routines[i].mangled != NAME_EMPTY &&
            !sizes_set_mangled(sizes, r->routines[i].function, r->routines[i].mangled))
            return no_memory(r);
    return true;
}

static bool list_events(struct reader *r)
{
    if (r->options->list == NULL)
        return true;
    r->events.costs[0] = sum_of_self_costs(r->builder->profile);
    event_costs_end_line(&r->events, 1);
    event_costs_count(&r->events);
    return event_costs_list(&r->events);
}

static bool take_end(struct reader *r)
{
    if (r->routine_count == 0)
        return diag_error(r->diag, 0, "found no routine, expected an aprof report");
    if (r->odd_lines > r->lines->number - r->odd_lines)
        return diag_error(r->diag, 0,
                          "found more malformed lines (%" PRIu64 ") than valid ones, expected an "
                          "aprof report", r->odd_lines);
    builder_settle_contexts(r->builder, frontend_identity(r->options, IDENTITY_OBJECT));
    if (!settle_event(r) || !make_functions(r) || !make_contexts(r))
        return false;
    book_all_costs(r);
    check_total(r);
    note_what_is_missing(r);
    if (!make_calls(r) || !make_headers(r) || !settle_sizes(r) || !list_events(r))
        return false;
    builder_take_contexts(r->builder, &r->tree);
    return true;
}

static bool read_lines(struct reader *r)
{
    struct text line;
    enum lines_result result;
    while ((result = lines_next(r->lines, &line)) == LINES_LINE)
        if (!take_line(r, line))
            return false;
    return result == LINES_END && take_end(r);
}

static bool aprof_read(struct lines *lines, struct builder *builder, struct diag *diag,
                       const struct frontend_options *options)
{
    struct reader reader = {.lines = lines,
                            .builder = builder,
                            .diag = diag,
                            .options = options,
                            .layout = &layouts[0],
                            .current = IDS_NONE};
    const struct index *seeded = &builder->profile->names.index;
    bool done = false;
    event_costs_init(&reader.events, options, builder);
    if (ids_init(&reader.routine_ids, seeded) && ids_init(&reader.context_ids, seeded))
        done = read_lines(&reader);
    else
        diag_no_memory(diag);
    event_costs_free(&reader.events);
    ids_free(&reader.routine_ids);
    ids_free(&reader.context_ids);
    contexts_free(&reader.tree);
    free(reader.routines);
    free(reader.contexts);
    return done;
}

/*
 * Nothing has a fixed position. Up to the version, or without one up to the first routine, there
 * are only lines with tags of one letter.
 */
static enum recognition aprof_recognises(struct text head)
{
    if (text_starts(head, "\xef\xbb\xbf"))
        head.at += 3;
    while (!text_is_empty(head)) {
        const char *newline = memchr(head.at, '\n', text_length(head));
        struct text line = {head.at, newline != NULL ? newline : head.end};
        struct text tag, value, name, object;
        uint64_t id;
        head.at = newline != NULL ? newline + 1 : head.end;
        if (line.end > line.at && line.end[-1] == '\r')
            line.end--;
        if (!split_tag(line, &tag, &value) || text_length(tag) != 1)
            return NOT_MINE;
        if (newline == NULL)
            break; /* the rest of the line may change its meaning */
        value = text_trim(value);
        if ((*tag.at == 'v' && take_id(&value, &id) && text_is_empty(value)) ||
            (*tag.at == 'r' && split_routine(value, true, &name, &object, &id)))
            return MINE;
        if (*tag.at == 'v' || *tag.at == 'r')
            return NOT_MINE;
    }
    return NOT_YET;
}

const struct frontend aprof_frontend = {
    .name = "aprof",
    .reads = "aprof",
    .tells_sizes = true,
    .recognises = aprof_recognises,
    .read = aprof_read,
};
