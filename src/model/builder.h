/* SPDX-License-Identifier: MIT */
/*
 * Builds a profile from what a front end reads, record by record, in the order of the input.
 *
 *     builder_set_kind
 *     ( builder_begin ( builder_self | builder_call )... | builder_new_run )...
 *     builder_finish
 *
 * A record is collected, and entered after it has ended: at the next builder_begin, or at builder_end, or
 * later. So one that is cut off need not be undone: builder_drop forgets it.
 *
 * For an input without records, the front end sets `identity`, uses builder_function, fills and completes the profile
 * itself, and uses builder_finish_contexts if the input has contexts.
 */
#ifndef CG2WG_MODEL_BUILDER_H
#define CG2WG_MODEL_BUILDER_H

#include "model/parts.h"
#include "util/matcher.h"

/* A record that has not been entered. */
struct collected_record {
    uint32_t object, file, name; /* of its function */
    uint32_t line;
    unsigned line_flags; /* of enum function_flags: what `line` is */
    uint32_t function;   /* or NONE: not known until it is entered */
    cost_t self;
};

/* What a function is known by: numbers of names. */
struct function_names {
    uint32_t object, file, name;
};

/* A call in it. */
struct call {
    uint32_t record; /* its number */
    uint32_t callee; /* or NONE */
    uint32_t line;
    struct function_names names; /* of the callee */
    uint64_t count;
    cost_t cost;
    uint32_t proxy;     /* if each call is needed: whose call it replaces, or NONE */
    uint32_t arc;       /* that it counts for, when it has been entered */
    uint32_t collected; /* the number of its line, if there are any */
};

/* One of the calls that a `struct call` stands for, to be logged. */
struct logged_call {
    uint32_t call; /* its number */
    cost_t cost;
};

/* A call, or what a record costs at a line or, if only several events are wanted, between two calls. */
struct collected_line {
    uint32_t record; /* its number */
    uint32_t call;   /* its number; NONE: a self cost */
    uint32_t file, line;
};

/*
 * Functions to step over: each call of a proxy is replaced by the one call that this invocation of it made, which waits
 * until the record of the proxy's caller claims it. An invocation that made no call or several, or that nobody
 * claims, keeps its own row. A line of the input is one call, whatever its `calls=` says, as in webgrind.
 */
struct proxies {
    struct matcher *names; /* patterns */
    size_t name_count;

    /* Invocations of proxies. A claimed one stays as long as one that is not comes later. */
    struct waiting {
        struct call call; /* its callee is NONE: the invocation keeps its own row */
        uint32_t proxy;   /* NONE: it has been claimed */
        uint32_t below;   /* the next older one of the same proxy, or NONE */
    } *waiting;
    size_t count, capacity;
    cost_t *costs; /* of all events, of each of these calls, if builder_keeps */
    size_t cost_capacity;
    uint32_t *newest; /* by function: its newest in `waiting`, or NONE */
    size_t newest_capacity;
};

enum { MOST_RECORDS = 256 }; /* before they are entered */

/* Costs of several events: `events` of them of each thing, one after the other. */
struct vectors {
    size_t events;
    cost_t *functions, *arcs; /* self costs, and costs, of the profile */
    cost_t *run_selfs;        /* of this run */
    size_t function_capacity, arc_capacity;
    struct event_header { /* a summary as it is for an event after the first one */
        size_t event, number;
        struct header header;
    } *headers;
    size_t header_count, header_capacity;
};

/* The caller sets the members up to `proxies`; all else is zero at first. All is borrowed. */
struct builder {
    struct profile *profile;
    struct contexts *contexts;   /* filled in addition to the arcs; NULL: not wanted, or they are unknown: sums */
    bool needs_contexts;         /* sums are rejected */
    struct contexts *estimate;   /* filled with an estimate if there are sums; NULL: not wanted */
    bool wants_outermost;        /* inclusive costs without what recursion counts twice */
    bool wants_self_sums;        /* these are sums of self costs, if the stacks are known: records are invocations */
    struct timeline *timeline;   /* filled if records are invocations that took time; NULL: not wanted */
    struct single_calls *single; /* filled if records are invocations; NULL: not wanted */
    cost_t **allocated;          /* set for Xdebug's memory: see contexts_allocated; NULL: not wanted */
    struct parts *parts;         /* takes each run, process or thread by itself; NULL: all are one */
    struct listed_parts *listed; /* filled with these, which remain in the profile; NULL: not wanted */
    struct diag *diag;
    struct proxies proxies;

    enum identity identity;
    bool needs_each;        /* the log or proxies need each record and call by itself */
    struct records records; /* filled if it has a chunk */

    /* Records, the last one perhaps open, and their calls. Many are entered at once, which is faster. */
    bool is_open;
    bool leaves_out;  /* records are forgotten instead of entered */
    bool has_self;    /* the open one has a self cost */
    bool has_unknown; /* not all functions are known */
    unsigned record_count;
    struct collected_record collected[MOST_RECORDS];
    struct call *calls;
    size_t call_count, call_capacity;
    size_t first_call;          /* of the last record */
    struct logged_call *logged; /* in the order of calls, if there is a log */
    size_t logged_count, logged_capacity;
    struct collected_line *lines; /* if the profile keeps lines, or several events are wanted */
    size_t line_count, line_capacity;
    size_t first_line;  /* of the last record */
    cost_t *line_costs; /* of each line, those of all events */
    size_t line_cost_capacity;
    struct vectors *vectors;   /* if several events are wanted; or NULL */
    struct event_graph *graph; /* at the end, of several events of sums without what recursion counts twice; or NULL */

    cost_t run_self;                /* the self costs of this run, in records that were entered */
    uint64_t magnitude;             /* no cost of a line, without its sign, is larger */
    bool callers_first;             /* some call in this run was of a function that had no record before */
    bool has_callee_without_record; /* some call in any run was of a function that had no record before */
    uint32_t late;     /* from 1: the first function that had its first record after such a call; 0: there is none */
    bool late_is_said; /* ... in a warning */

    /* By name: the last function of that name, or NONE; with what it is found by, near to each other. */
    struct last_function {
        uint32_t function, object, file;
    } *last_of_name;
    size_t last_capacity;
};

/*
 * Decides what distinguishes functions, before the first one, and what a record is. If records are no invocations, the
 * input has no contexts, which is an error if they are needed.
 */
void builder_set_kind(struct builder *builder, enum identity identity, bool records_are_invocations);

/* Links the contexts of an input, makes arcs (see contexts_make_arcs), and moves them to builder->contexts. */
void builder_finish_contexts(struct builder *builder, struct contexts *contexts, bool is_outermost, bool is_sampled);

/* The number of a function, which occurs here: see profile_function. */
uint32_t builder_function(struct builder *builder, uint32_t object, uint32_t file, uint32_t name);

/* The function with this object, file and name, if it was the last of its name; or NONE. */
HOT uint32_t builder_find(const struct builder *b, uint32_t object, uint32_t file, uint32_t name)
{
    if (UNLIKELY(name >= b->last_capacity))
        return NONE;
    const struct last_function *last = &b->last_of_name[name];
    bool is_found = b->identity == IDENTITY_NAME ||
                    (last->file == file && (b->identity == IDENTITY_FILE || last->object == object));
    return is_found ? last->function : NONE;
}

HOT void builder_note_callee(struct builder *b, uint32_t function)
{
    struct function *f = &b->profile->functions[function];
    if (UNLIKELY((f->flags & FUNCTION_HAS_RECORD) == 0)) {
        f->flags |= FUNCTION_IS_CALLED;
        b->callers_first = b->has_callee_without_record = true;
    }
}

/* A function has a record in `file`. The first one sets its file, which is not known before if names decide. */
HOT struct function *builder_note_record(struct builder *b, uint32_t function, uint32_t file)
{
    struct function *f = &b->profile->functions[function];
    if (UNLIKELY((f->flags & FUNCTION_HAS_RECORD) == 0)) {
        b->late = b->late == 0 && (f->flags & FUNCTION_IS_CALLED) != 0 ? function + 1 : b->late;
        f->flags |= FUNCTION_HAS_RECORD;
        f->file = file;
    }
    return f;
}

/* Enters `count` records of a function, with the sum of their self costs. */
HOT void builder_enter_records(struct builder *b, const struct collected_record *r, uint64_t count)
{
    struct function *f = builder_note_record(b, r->function, r->file);
    cost_add(&f->self, r->self);
    cost_add(&b->run_self, r->self);
    count_add(&f->invocations, count);
    if (r->line_flags > (f->flags & (unsigned)(FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN))) {
        f->line = r->line;
        f->flags |= (uint8_t)r->line_flags;
    }
}

/* Enters calls in them, of an arc that the profile has. */
HOT void builder_enter_calls(struct builder *b, uint32_t arc, uint64_t count, cost_t cost)
{
    struct cg2wg_arc *a = &b->profile->arcs[arc];
    builder_note_callee(b, a->callee);
    count_add(&a->calls, count);
    cost_add(&a->cost, cost);
}

/* Adds the self costs of a record to its part, if parts are listed; if records are logged, those below 0. */
void builder_list(struct builder *b, uint32_t function, const cost_t *selfs);

/* Enters all records that have ended. */
void builder_enter(struct builder *builder);

/* Ends the current record, if there is one. */
HOT void builder_end(struct builder *b)
{
    b->is_open = false;
    if (UNLIKELY(b->record_count == MOST_RECORDS))
        builder_enter(b);
}

void builder_drop(struct builder *builder);

/* Ends the record before and begins one of the function with this object, file and name. */
HOT void builder_begin(struct builder *b, uint32_t object, uint32_t file, uint32_t name)
{
    builder_end(b);
    uint32_t function = builder_find(b, object, file, name);
    b->has_unknown |= function == NONE;
    b->collected[b->record_count++] = (struct collected_record){
        .object = object, .file = file, .name = name, .function = function};
    b->first_call = b->call_count;
    b->first_line = b->line_count;
    b->is_open = true;
    b->has_self = false;
}

/*
 * So many events are wanted from here on. Costs before that are of the first events alone or, before the first call, of
 * one. Afterwards, builder_keep must follow each builder_self and builder_call.
 */
void builder_want_events(struct builder *builder, size_t count);

/* Is there more to keep than builder_self and builder_call do? */
HOT bool builder_keeps(const struct builder *b)
{
    return b->profile->lines != NULL || b->vectors != NULL;
}

/* The sum of the self costs of an event in this run, of records that were entered. */
static inline cost_t builder_run_self(const struct builder *b, size_t event)
{
    return event == 0 ? b->run_self : b->vectors->run_selfs[event];
}

/* Enters sums of costs that builder_keep would keep: of calls by an arc, or with NONE, self costs of a function. */
void builder_enter_costs(struct builder *b, uint32_t arc, struct line_key key, uint64_t calls, const cost_t *costs);

static inline bool builder_logs_lines(const struct builder *b)
{
    return b->records.chunk != NULL && b->contexts != NULL && b->contexts->keeps_lines;
}

/* Keeps self costs of the current record, or those of its last call, of all events; also by line, if that is wanted. */
void builder_keep(struct builder *builder, bool is_call, uint32_t file, uint32_t line, const cost_t *costs);

/* Adds self cost to the current record. The first line, if possible of its own file, becomes the function's line. */
HOT void builder_self(struct builder *b, uint32_t line, bool in_own_file, cost_t cost)
{
    struct collected_record *record = &b->collected[b->record_count - 1];
    unsigned flags = FUNCTION_HAS_LINE | (in_own_file ? FUNCTION_LINE_IS_OWN : 0);
    cost_add(&record->self, cost);
    b->magnitude |= cost_size(cost);
    b->has_self = true;
    if (flags > record->line_flags) {
        record->line = line;
        record->line_flags = flags;
    }
}

/*
 * Adds calls of that function from `line`, with the sum of their inclusive costs. Returns their number. If there is a
 * log, builder_log_call follows for each.
 */
HOT uint32_t builder_sum_calls(struct builder *b, struct function_names names, uint32_t line, uint64_t count,
                               cost_t cost)
{
    array_reserve(&b->calls, &b->call_capacity, b->call_count + 1, sizeof *b->calls);
    struct call *call = &b->calls[b->call_count];
    uint32_t callee = builder_find(b, names.object, names.file, names.name);
    *call = (struct call){b->record_count - 1, callee, line, names, count, cost, NONE, NONE, 0};
    b->has_unknown |= callee == NONE;
    b->magnitude |= cost_size(cost);
    return (uint32_t)b->call_count++;
}

HOT void builder_log_call(struct builder *b, uint32_t call, cost_t cost)
{
    array_reserve(&b->logged, &b->logged_capacity, b->logged_count + 1, sizeof *b->logged);
    b->logged[b->logged_count++] = (struct logged_call){call, cost};
}

/* Adds calls of that function from `line`, with their inclusive cost. They are logged as one. */
HOT void builder_call(struct builder *b, struct function_names names, uint32_t line, uint64_t count, cost_t cost)
{
    uint32_t call = builder_sum_calls(b, names, line, count, cost);
    if (b->records.chunk != NULL)
        builder_log_call(b, call, cost);
}

/* After builder_enter: had all functions records before they were called, also by the open record? */
bool builder_knows_callees(const struct builder *builder);

/* Ends the current record and begins another run, thread or part: no call in it belongs to an earlier one. */
void builder_new_run(struct builder *builder);

/* After builder_new_run, if there are `parts`: they take what has been read, so that nothing has. */
void builder_take_part(struct builder *builder);

static inline bool builder_has_functions(const struct builder *b)
{
    return b->profile->function_count > 0 || (b->parts != NULL && b->parts->rows.function_count > 0);
}

/* Before the first cost of a run: multiplies all costs of an event so far, to bring them to its unit. */
void builder_change_unit(struct builder *builder, size_t event, uint64_t factor);

/* Ends the last record and completes the profile, unless several events are wanted. */
void builder_finish(struct builder *builder);

cost_t builder_self_cost(const struct builder *builder, size_t event);

/* Completes the profile of one of several events, which has that name, from another builder. */
void builder_take(struct builder *builder, struct builder *read, size_t event, uint32_t name, bool speaks_of_event);

#endif
