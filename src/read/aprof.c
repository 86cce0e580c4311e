/* SPDX-License-Identifier: MIT */
/*
 * Reads the reports of aprof, an input-sensitive profiler for Valgrind, in all its versions, 0 to 6.
 *
 * A report consists of lines `TAG FIELD...`: a header, then for each routine an `r` line and its tuples, one line for
 * each size of its calls' input. Tuples belong to the routine (`p`) or to its calling contexts (`q`). The contexts
 * follow, `x`, each with its parent:
 *
 *     r "main" "/opt/demo" 7
 *     q 1 4 100 100 100 10000 1 100 20 20 20 400
 *     x 7 1 -1
 *
 * So everything is collected first, and the profile is made at the end. It has no room for input sizes: a routine's
 * costs are the sums over all sizes. The report's tree is not additive, because it lacks routines without a name, and
 * because the profiler corrects its stack after jumps; so inclusive costs are never computed from self costs.
 */
#include "model/contexts.h"
#include "read/event_costs.h"
#include "read/frontend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEWEST_VERSION = 6, FIRST_WITH_TOTAL = 2, FIRST_WITH_SELF = 2 };

struct tuple_costs {
    cost_t sum, self;
    cost_t inclusive; /* `sum` or, if wanted, without calls inside another call of the same routine */
    uint64_t calls;
    bool has_some;
};

struct routine {
    uint32_t name, object;    /* in the profile's names */
    uint32_t function;        /* of the profile; valid at the end */
    uint32_t mangled;         /* name; NAME_EMPTY: none */
    struct tuple_costs costs; /* of its p lines */
};

struct reported_context {
    uint64_t id;
    uint32_t routine; /* an index into the array */
    bool has_parent;
    uint64_t parent_id;
    uint64_t line; /* of its x line; 0: none, it occurs only in tuples */
    struct tuple_costs costs;
};

struct aprof_reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct event_costs events;
    bool is_outermost; /* calls inside another call of the same routine do not count */

    uint64_t version;
    cost_t total; /* of the `k` line */
    bool has_total;
    uint32_t metric, program;
    bool has_command;
    uint32_t command; /* NAME_EMPTY: unknown */

    struct routine *routines;
    size_t routine_count, routine_capacity;
    struct ids routine_ids; /* the last routine with an id */
    uint32_t current;       /* routine of the last r line, or NONE */
    struct reported_context *contexts;
    size_t context_count, context_capacity;
    struct ids context_ids;
    struct contexts tree; /* the same contexts, made at the end */

    uint64_t malformed_lines;
};

/* ---- fields ------------------------------------------------------------------------------- */

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

/* Each takes its text, and blanks, off the start, if it is there. A large number is the largest, unless !overflow. */
static bool take_number(struct text *t, uint64_t *number, bool *overflow)
{
    struct text rest = *t;
    bool is_large = false;
    if (!text_take_number(&rest, number, &is_large) || (!text_is_empty(rest) && !char_is_blank(*rest.at)) ||
        (is_large && overflow == NULL))
        return false;
    if (is_large)
        *overflow = true;
    text_skip_blanks(&rest);
    *t = rest;
    return true;
}

/* Up to the last quote. */
static bool take_quoted(struct text *t, struct text *quoted)
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

static struct text take_last_word(struct text *t)
{
    struct text whole = text_trim(*t), word = {whole.end, whole.end};
    while (word.at > whole.at && !char_is_blank(word.at[-1]))
        word.at--;
    *t = text_trim((struct text){whole.at, word.at});
    return word;
}

/*
 * What follows the tag of a routine's line: `"NAME" "OBJECT" ID`. Quotes in names are not escaped, as in
 * `operator"" _x`, so the last `" "` separates name and object. Some builds wrote another number after the id.
 * may_be_plain: also `NAME [ADDRESS] OBJECT ID`, whose name may have blanks.
 */
static bool split_routine(struct text value, bool may_be_plain, struct text *name, struct text *object, uint64_t *id)
{
    struct text rest = value, both, word;
    uint64_t address;
    bool is_large;
    if (take_quoted(&rest, &both) && take_number(&rest, id, NULL))
        for (const char *p = both.end; p - both.at >= 3; p--)
            if (memcmp(p - 3, "\" \"", 3) == 0) {
                *name = (struct text){both.at, p - 3};
                *object = (struct text){p, both.end};
                return true;
            }
    word = take_last_word(&value);
    if (!may_be_plain || !take_number(&word, id, NULL))
        return false;
    *object = take_last_word(&value);
    rest = value;
    word = take_last_word(&rest);
    *name = take_number(&word, &address, &is_large) && !text_is_empty(rest) ? rest : value;
    return !text_is_empty(value);
}

/* In the order of struct cg2wg_size_cost. Sums of squares, which wrap around or are no 64-bit numbers, are not used. */
enum tuple_field {
    SIZE,
    CALLS,
    SUM,
    OUTERMOST,
    SELF,
    LEAST,
    MOST,
    SELF_LEAST,
    SELF_MOST,
    SYSCALL_INPUT,
    THREAD_INPUT,
    SELF_SYSCALL_INPUT,
    SELF_THREAD_INPUT,
    TUPLE_FIELDS,
    NOT_USED = TUPLE_FIELDS
};

static cost_t *field_of(struct cg2wg_size_cost *cost, enum tuple_field field)
{
    enum { FIRST = offsetof(struct cg2wg_size_cost, size) };
    _Static_assert(offsetof(struct cg2wg_size_cost, self_thread_input) == FIRST + SELF_THREAD_INPUT * sizeof(cost_t),
                   "all numbers follow each other");
    return (cost_t *)(void *)((char *)cost + FIRST) + field;
}

/* The fields after the id, by version. Version 0 has the average, rounded down, instead of the sum. */
static const struct tuple_layout {
    size_t needed; /* some builds left out the rest */
    size_t count;
    enum tuple_field fields[17];
} layouts[] = {
    {3, 3, {SIZE, SUM, CALLS}},
    {6, 6, {SIZE, LEAST, MOST, SUM, NOT_USED, CALLS}},
    {7, 7, {SIZE, LEAST, MOST, SUM, CALLS, OUTERMOST, SELF}},
    {7, 9, {SIZE, LEAST, MOST, SUM, CALLS, OUTERMOST, SELF, SELF_LEAST, SELF_MOST}},
    {8, 10, {SIZE, LEAST, MOST, SUM, NOT_USED, CALLS, OUTERMOST, SELF, SELF_LEAST, SELF_MOST}},
    /* From SYSCALL_INPUT on, these are written only with the metric drms. */
    {8,
     17,
     {SIZE, LEAST, MOST, SUM, NOT_USED, CALLS, OUTERMOST, SELF, SELF_LEAST, SELF_MOST, NOT_USED, NOT_USED, NOT_USED,
      SYSCALL_INPUT, THREAD_INPUT, SELF_SYSCALL_INPUT, SELF_THREAD_INPUT}},
};

static const char *const expected_fields[] = {[3] = "an id and at least 3 numbers",
                                              [6] = "an id and at least 6 numbers",
                                              [7] = "an id and at least 7 numbers",
                                              [8] = "an id and at least 8 numbers"};

/* Returns NULL, or what it expected after the id. The largest number of 64 bits is an unknown one, except in a sum. */
static const char *read_tuple(uint64_t version, struct text rest, struct cg2wg_size_cost *tuple, bool *overflow)
{
    const struct tuple_layout *layout = &layouts[MIN(version, COUNT_OF(layouts) - 1)];
    memset(tuple, 0xff, sizeof *tuple); /* SIZE_COST_UNKNOWN */
    for (size_t i = 0; i < layout->count; i++) {
        enum tuple_field field = layout->fields[i];
        uint64_t number;
        bool is_there = field == NOT_USED ? !text_is_empty(text_take_word(&rest))
                                          : take_number(&rest, &number, overflow);
        if (!is_there && i < layout->needed)
            return expected_fields[layout->needed];
        if (!is_there)
            break;
        if (field == NOT_USED)
            continue;
        bool is_count = field == SIZE || field == CALLS, is_sum = field == SUM || field == OUTERMOST || field == SELF;
        if (!is_count && number > INT64_MAX && (is_sum || number != UINT64_MAX)) {
            number = INT64_MAX;
            *overflow |= is_sum;
        }
        *field_of(tuple, field) = (cost_t)number;
    }
    if (version == 0)
        cost_multiply(&tuple->sum, tuple->calls);
    return NULL;
}

/* ---- the values of lines: functions return NULL, or what they expected after the tag ------ */

static const char *read_version(struct aprof_reader *r, struct text value)
{
    uint64_t version;
    if (!take_number(&value, &version, NULL))
        return "the version of the report";
    if (r->routine_count > 0)
        diag_error(r->diag, r->lines->number, "a second report follows; a file may have only one");
    r->version = version;
    if (version > NEWEST_VERSION)
        diag_problem(r->diag, r->lines->number,
                     "found version %" PRIu64 " of aprof's report, expected at most %d; it is read as version %d",
                     version, NEWEST_VERSION, NEWEST_VERSION);
    return NULL;
}

static const char *read_routine(struct aprof_reader *r, struct text value)
{
    struct text name, object;
    uint64_t id;
    r->current = NONE;
    if (!split_routine(value, r->version == 0, &name, &object, &id))
        return "the name, object and id of a routine";
    struct routine routine = {.name = names_intern(r->events.names, name),
                              .object = names_intern(r->events.names, object)};
    uint32_t known = r->current = ids_find(&r->routine_ids, id);
    if (known != NONE && r->routines[known].name == routine.name && r->routines[known].object == routine.object)
        return NULL;
    r->current = (uint32_t)r->routine_count; /* which from now on owns the id */
    ids_set(&r->routine_ids, id, r->current);
    array_append(&r->routines, &r->routine_count, &r->routine_capacity, &routine, sizeof routine);
    return known == NONE ? NULL : "an id that no other routine has";
}

/* Takes `ID "NAME"`: a routine's mangled name, or the one to show if its `r` line has the mangled one. */
static const char *read_second_name(struct aprof_reader *r, struct text value, bool is_mangled)
{
    struct text quoted;
    uint64_t id;
    if (!take_number(&value, &id, NULL) || !take_quoted(&value, &quoted))
        return "an id and a name";
    uint32_t number = ids_find(&r->routine_ids, id), name = names_intern(r->events.names, quoted);
    if (number == NONE)
        return "the id of a routine";
    struct routine *routine = &r->routines[number];
    if (is_mangled || routine->mangled == NAME_EMPTY)
        routine->mangled = is_mangled ? name : routine->name;
    if (!is_mangled)
        routine->name = name;
    return NULL;
}

static uint32_t add_context(struct aprof_reader *r, uint64_t id, uint32_t routine)
{
    struct reported_context context = {.id = id, .routine = routine};
    ids_set(&r->context_ids, id, (uint32_t)r->context_count);
    array_append(&r->contexts, &r->context_count, &r->context_capacity, &context, sizeof context);
    return (uint32_t)r->context_count - 1;
}

/* A tuple of a routine or a context, whose routine is that of the last `r` line: contexts are defined later. */
static const char *add_tuple(struct aprof_reader *r, struct text value, bool is_contexts)
{
    struct sizes *sizes = r->options->sizes;
    struct cg2wg_size_cost tuple;
    bool overflow = false;
    uint64_t id;
    if (!take_number(&value, &id, NULL))
        return is_contexts ? "the id of a context" : "the id of a routine";
    uint32_t routine = is_contexts ? r->current : ids_find(&r->routine_ids, id);
    uint32_t context = is_contexts ? ids_find(&r->context_ids, id) : NONE;
    if (routine == NONE)
        return is_contexts ? "an r line before it" : "the id of a routine that an r line has named";
    if (context != NONE && r->contexts[context].routine != routine)
        return "a context that belongs to this routine";
    const char *expected = read_tuple(r->version, value, &tuple, &overflow);
    if (expected != NULL)
        return expected;
    if (is_contexts && context == NONE)
        context = add_context(r, id, routine);
    struct tuple_costs *sum = is_contexts ? &r->contexts[context].costs : &r->routines[routine].costs;
    cost_add(&sum->sum, tuple.sum);
    cost_add(&sum->inclusive, r->is_outermost && tuple.outermost != SIZE_COST_UNKNOWN ? tuple.outermost : tuple.sum);
    cost_add(&sum->self, tuple.self != SIZE_COST_UNKNOWN ? tuple.self : 0);
    count_add(&sum->calls, tuple.calls);
    sum->has_some = true;
    tuple.function = routine; /* until complete_sizes */
    if (sizes != NULL)
        array_append(&sizes->costs, &sizes->count, &sizes->capacity, &tuple, sizeof tuple);
    if (overflow)
        diag_problem(r->diag, r->lines->number,
                     "found a number that is too large, expected at most 64 bits, or 63 for a cost");
    return NULL;
}

/* `ROUTINE CONTEXT PARENT`, where PARENT is -1 for a root. Parents may be defined later. */
static const char *read_context(struct aprof_reader *r, struct text value)
{
    uint64_t routine_id, id, parent = 0;
    bool is_good = take_number(&value, &routine_id, NULL) && take_number(&value, &id, NULL);
    bool has_parent = !text_equals(text_trim(value), "-1");
    if (!is_good || (has_parent && !take_number(&value, &parent, NULL)))
        return "the ids of a routine, of its context and of the parent, or -1";
    uint32_t routine = ids_find(&r->routine_ids, routine_id), number = ids_find(&r->context_ids, id);
    if (routine == NONE)
        return "the id of a routine that an r line has named";
    if (number == NONE)
        number = add_context(r, id, routine);
    struct reported_context *context = &r->contexts[number];
    if (context->line > 0)
        return "no more than one x line for a context";
    if (context->routine != routine)
        return "the routine that the context's tuples belong to";
    context->has_parent = has_parent;
    context->parent_id = parent;
    context->line = r->lines->number;
    return NULL;
}

static const char *read_total(struct aprof_reader *r, struct text value)
{
    uint64_t total;
    bool is_large;
    if (!take_number(&value, &total, &is_large))
        return "the total cost";
    r->total = (cost_t)MIN(total, INT64_MAX);
    r->has_total = true;
    if (total > INT64_MAX)
        diag_problem(r->diag, r->lines->number, "found a total that is too large, expected at most 63 bits");
    return NULL;
}

static void read_line(struct aprof_reader *r, struct text line)
{
    struct text tag, value = line;
    struct sizes *sizes = r->options->sizes;
    struct names *names = r->events.names;
    const char *expected = NULL;
    if (text_is_empty(line))
        return;
    bool has_tag = split_tag(line, &tag, &value);
    struct text trimmed = text_trim(value), rest = value;
    char letter = has_tag && text_length(tag) == 1 ? *tag.at : '\0';
    /* What is about the report, not a routine, is a remark. Some builds wrote other `f` lines after each routine. */
    if (sizes != NULL && has_tag && (letter == 'f' ? !r->has_command : memchr("pqrudx", letter, 6) == NULL)) {
        uint32_t remark = names_intern(names, line);
        array_append(&sizes->remarks, &sizes->remark_count, &sizes->remark_capacity, &remark, sizeof remark);
    }
    switch (letter) {
    case 'p': expected = add_tuple(r, value, false); break;
    case 'q': expected = add_tuple(r, value, true); break;
    case 'x': expected = read_context(r, value); break;
    case 'r': expected = read_routine(r, value); break;
    case 'd': expected = read_second_name(r, value, false); break;
    case 'u': expected = sizes != NULL ? read_second_name(r, value, true) : NULL; break;
    case 'v': expected = read_version(r, value); break;
    case 'k': expected = read_total(r, value); break;
    case 'm': r->metric = names_intern(names, text_take_word(&rest)); break; /* an event's name has no blanks */
    case 'i':
        if (sizes != NULL)
            sizes->measure = names_intern(names, trimmed);
        break;
    case 'a': r->program = names_intern(names, trimmed); break;
    case 'f': /* merged reports have no command */
        if (!r->has_command && !text_equals(trimmed, "(null)"))
            r->command = names_intern(names, trimmed);
        r->has_command = true;
        break;
    default: expected = has_tag ? NULL : "a line of an aprof report"; break;
    }
    if (expected == NULL)
        return;
    r->malformed_lines++;
    diag_problem(r->diag, r->lines->number, "found \"" TEXT_FMT "\", expected %s", TEXT_ARG(value), expected);
}

/* ---- functions and contexts --------------------------------------------------------------- */

/* A cost of the report as a cost of the converted event. */
static cost_t weighed(const struct aprof_reader *r, cost_t cost)
{
    return event_costs_weigh(r->events.choices, &cost); /* a report has one column */
}

static void add_reported(struct aprof_reader *r)
{
    size_t count = 0;
    uint64_t first = 0;
    for (size_t i = 0; i < r->context_count; i++)
        if (r->contexts[i].line == 0 && count++ == 0)
            first = r->contexts[i].id;
    if (count > 0)
        diag_problem(r->diag, r->lines->number,
                     "found no x line for %zu contexts, the first of them %" PRIu64
                     ", expected one for each; their callers are unknown",
                     count, first);
    for (size_t i = 0; i < r->context_count; i++) {
        const struct reported_context *c = &r->contexts[i];
        uint32_t parent = c->has_parent ? ids_find(&r->context_ids, c->parent_id) : NONE;
        if (c->has_parent && parent == NONE)
            diag_problem(r->diag, c->line,
                         "found parent %" PRIu64 ", expected a context of the report; the caller is unknown",
                         c->parent_id);
        contexts_add(&r->tree, (struct context){.function = r->routines[c->routine].function,
                                                .parent = parent,
                                                .calls = c->costs.calls,
                                                .self = c->costs.self,
                                                .inclusive = c->costs.sum});
    }
}

/* Makes functions, whose costs are those of their contexts. A report has no source files, so objects are shown. */
static void make_contexts(struct aprof_reader *r)
{
    struct profile *profile = r->builder->profile;
    for (size_t i = 0; i < r->routine_count; i++) {
        struct routine *routine = &r->routines[i];
        uint32_t name = profile_readable(profile, routine->name);
        routine->function = builder_function(r->builder, NAME_EMPTY, routine->object, name);
        profile->functions[routine->function].flags |= FUNCTION_HAS_RECORD;
    }
    add_reported(r);
    for (uint32_t next = 0, i; (i = contexts_cut_cycle(&r->tree, &next)) != NONE;)
        diag_problem(r->diag, r->contexts[i].line,
                     "found a context that is its own ancestor, expected a tree; its caller is unknown");
    /* A context's cost minus that of its children, if the report has no self costs; 0 if children are unknown. */
    struct context *items = r->tree.items;
    size_t computed = r->version < FIRST_WITH_SELF ? r->context_count : 0;
    for (size_t i = 0; i < computed; i++)
        items[i].self = r->contexts[i].line > 0 ? items[i].inclusive : 0;
    for (size_t i = 0; i < computed; i++)
        if (items[i].parent != NONE)
            cost_subtract(&items[items[i].parent].self, items[i].inclusive);
    for (size_t i = 0; i < r->context_count; i++) {
        items[i].self = weighed(r, MAX(items[i].self, 0));
        items[i].inclusive = weighed(r, items[i].inclusive);
    }
    /* The routines of a function with costs from p lines become one context that nobody called. */
    uint32_t *contexts = memory_zeroed(profile->function_count + 1, sizeof *contexts); /* by function; plus 1 */
    for (size_t i = 0; i < r->routine_count; i++) {
        const struct routine *routine = &r->routines[i];
        uint32_t *context = &contexts[routine->function];
        if (!routine->costs.has_some)
            continue;
        if (*context == 0) {
            contexts_add(&r->tree, (struct context){.function = routine->function, .parent = NONE});
            *context = (uint32_t)r->tree.count;
        }
        struct context *sum = &r->tree.items[*context - 1];
        cost_add(&sum->self, weighed(r, routine->costs.self));
        cost_add(&sum->inclusive, weighed(r, routine->costs.inclusive));
        count_add(&sum->calls, routine->costs.calls);
    }
    for (size_t i = 0; i < r->tree.count; i++) {
        const struct context *context = &r->tree.items[i];
        struct function *f = &profile->functions[context->function];
        cost_add(&f->self, context->self);
        cost_add(&f->inclusive, i < r->context_count ? weighed(r, r->contexts[i].costs.inclusive) : context->inclusive);
        count_add(&f->invocations, context->calls);
    }
}

/* Says what the report lacks. If nothing is counted twice, no function can cost more than the total. */
static void make_headers(const struct aprof_reader *r)
{
    struct profile *profile = r->builder->profile;
    struct names *names = &profile->names;
    bool has_self_costs = r->version >= FIRST_WITH_SELF || r->context_count > 0; /* which may be computed */
    bool is_list = r->options->list != NULL;
    uint32_t worst = NAME_EMPTY;
    cost_t total = weighed(r, r->total), most = total, roots = 0;
    if (r->has_total && r->version >= FIRST_WITH_SELF && r->is_outermost)
        for (size_t i = 0; i < profile->function_count; i++) {
            const struct function *f = &profile->functions[i];
            worst = MAX(f->inclusive, f->self) > most ? f->name : worst;
            most = MAX(most, MAX(f->inclusive, f->self));
        }
    if (most > total)
        diag_warning(r->diag, 0, "found a cost of %" PRId64 " for " TEXT_FMT ", expected at most the total, %" PRId64,
                     most, TEXT_ARG(names_text(names, worst)), total);
    if (!is_list && r->version < FIRST_WITH_SELF && r->is_outermost)
        diag_note(r->diag, 0,
                  "reports of version %" PRIu64 " do not mark recursion: inclusive costs count it several times",
                  r->version);
    if (!is_list && !has_self_costs)
        diag_note(r->diag, 0, "reports of version %" PRIu64 " have no self costs: all of them are 0", r->version);
    if (!is_list && !r->has_total && r->version >= FIRST_WITH_TOTAL)
        diag_warning(r->diag, 0, "no k line; the total is computed from the costs");
    char version[32];
    snprintf(version, sizeof version, "aprof %" PRIu64, r->version);
    struct text command = names_text(names, r->command != NAME_EMPTY ? r->command : r->program);
    struct header summary = {.kind = HEADER_SUMMARY, .has_total = true, .self_total = profile_self_cost(profile)};
    /* The total if the report has none: the self costs, or the costs of the roots if these are more. */
    for (size_t i = 0; i < r->context_count; i++)
        if (r->contexts[i].line > 0 && r->tree.items[i].parent == NONE)
            cost_add(&roots, r->tree.items[i].inclusive);
    summary.total = r->has_total ? total : MAX(summary.self_total, roots);
    if (!has_self_costs)
        summary.self_total = summary.total; /* a total that is always plausible */
    struct header other = {.kind = HEADER_OTHER}, events = {.kind = HEADER_EVENTS};
    profile_add_header(profile, text_of_string("creator"), text_of_string(version), other);
    profile_add_header(profile, text_of_string("cmd"), command, other);
    profile_add_header(profile, text_of_string("events"), names_text(names, r->metric), events);
    profile_add_header(profile, text_of("", 0), text_of("", 0), summary);
}

COMPARISON(by_function_and_size, struct cg2wg_size_cost,
           a->function != b->function ? ORDER(a->function, b->function) : ORDER(a->size, b->size))

/* Replaces the routines of sizes by functions, and their costs by those of the event; sorts and merges them. */
static void complete_sizes(struct aprof_reader *r, struct sizes *sizes)
{
    size_t left = 0, function_count = r->builder->profile->function_count;
    for (size_t i = 0; i < sizes->count; i++) {
        struct cg2wg_size_cost *cost = &sizes->costs[i];
        cost->function = r->routines[cost->function].function;
        for (enum tuple_field k = SUM; k <= SELF_MOST; k++) {
            cost_t *part = field_of(cost, k);
            *part = *part != SIZE_COST_UNKNOWN ? weighed(r, *part) : *part;
        }
    }
    if (sizes->count > 1)
        qsort(sizes->costs, sizes->count, sizeof *sizes->costs, by_function_and_size);
    sizes->first = memory_zeroed(function_count + 2, sizeof *sizes->first);
    for (size_t i = 0; i < sizes->count; i++) {
        struct cg2wg_size_cost *cost = &sizes->costs[i], *sum = sizes->costs + left - (left > 0);
        if (left == 0 || by_function_and_size(sum, cost) != 0) {
            sizes->costs[left++] = *cost;
            sizes->first[cost->function + 1]++;
            continue;
        }
        count_add(&sum->calls, cost->calls);
        for (enum tuple_field k = SUM; k < TUPLE_FIELDS; k++) {
            cost_t *all = field_of(sum, k), part = *field_of(cost, k);
            if (*all == SIZE_COST_UNKNOWN || part == SIZE_COST_UNKNOWN) /* so that the sum is, too */
                *all = SIZE_COST_UNKNOWN;
            else if (k == LEAST || k == SELF_LEAST)
                *all = MIN(*all, part);
            else if (k == MOST || k == SELF_MOST)
                *all = MAX(*all, part);
            else
                cost_add(all, part);
        }
    }
    sizes->count = left;
    for (size_t f = 0; f < function_count; f++)
        sizes->first[f + 1] += sizes->first[f];
    sizes->mangled = memory_zeroed(function_count + 1, sizeof *sizes->mangled);
    for (size_t i = 0; i < r->routine_count; i++)
        if (r->routines[i].mangled != NAME_EMPTY)
            sizes->mangled[r->routines[i].function] = r->routines[i].mangled;
}

static void aprof_read(struct lines *lines, struct builder *builder, const struct frontend_options *options)
{
    struct aprof_reader r = {.lines = lines,
                             .builder = builder,
                             .diag = builder->diag,
                             .options = options,
                             .is_outermost = options->given->inclusive != CG2WG_INCLUSIVE_SUM,
                             .current = NONE};
    struct text line;
    event_costs_init(&r.events, options, builder);
    while (lines_next(lines, &line) > 0)
        read_line(&r, line);
    if (r.routine_count == 0)
        diag_error(r.diag, 0, "no routine; this is not an aprof report");
    if (r.malformed_lines > lines->number - r.malformed_lines)
        diag_error(r.diag, 0, "more lines are malformed (%" PRIu64 ") than valid; this is not an aprof report",
                   r.malformed_lines);
    builder->identity = frontend_identity(options, IDENTITY_OBJECT);
    if (r.metric == NAME_EMPTY)
        r.metric = names_intern(r.events.names, text_of_string("bb-count"));
    event_costs_set_columns(&r.events, names_text(r.events.names, r.metric));
    event_costs_choose(&r.events, 0);
    make_contexts(&r);
    make_headers(&r);
    /* In version 4, each function is then one invocation. */
    if (r.context_count == 0 && (builder->contexts == NULL || !builder->contexts->are_invocations))
        builder_set_kind(builder, builder->identity, false);
    if (options->sizes != NULL)
        complete_sizes(&r, options->sizes);
    r.events.costs[0] = profile_self_cost(builder->profile);
    event_costs_end_line(&r.events, 1);
    event_costs_count(&r.events);
    event_costs_finish(&r.events);
    builder_finish_contexts(builder, &r.tree, r.is_outermost, false);
}

/* Up to the version, or without one up to the first routine, there are only lines with tags of one letter. */
static enum recognition aprof_recognises(struct text head)
{
    while (!text_is_empty(head)) {
        struct text line = text_take_to(&head, '\n'), tag, value, name, object;
        bool is_whole = line.end < head.end;
        uint64_t id;
        line.end -= text_ends(line, "\r");
        if (!split_tag(line, &tag, &value) || text_length(tag) != 1)
            return NOT_MINE;
        if (!is_whole)
            break; /* the rest of the line may change its meaning */
        value = text_trim(value);
        if (*tag.at == 'v')
            return take_number(&value, &id, NULL) && text_is_empty(value) ? MINE : NOT_MINE;
        if (*tag.at == 'r')
            return split_routine(value, true, &name, &object, &id) ? MINE : NOT_MINE;
    }
    return NOT_YET;
}

const struct frontend aprof_frontend = {
    .name = "aprof", .has_sizes = true, .recognises = aprof_recognises, .read = aprof_read};
