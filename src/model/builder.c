/* SPDX-License-Identifier: MIT */
#include "model/builder.h"

#include "model/line_costs.h"
#include "model/recursion.h"

void builder_set_kind(struct builder *b, enum identity identity, bool records_are_invocations)
{
    b->identity = identity;
    b->profile->records_are_invocations = records_are_invocations;
    if (!records_are_invocations) {
        b->contexts = NULL;
        if (b->needs_contexts)
            diag_error(diag_about(b->diag, CG2WG_MEMBER_ESTIMATE), 0,
                       "this profile has no call stacks; use one by Xdebug, perf or aprof, or a "
                       "preprocessed file of version 4");
        return;
    }
    if (b->profile->lines != NULL && b->profile->lines->are_for_files)
        b->profile->lines = NULL; /* PHP's code is not inlined */
    bool wants_records = b->wants_outermost || b->contexts != NULL || b->allocated != NULL;
    b->needs_each = b->proxies.name_count > 0 || b->profile->lines != NULL || wants_records;
    if (wants_records)
        records_add_chunk(&b->records);
    b->records.may_have_leaves = b->timeline == NULL && (b->contexts == NULL || !b->contexts->are_invocations);
}

void builder_finish_contexts(struct builder *b, struct contexts *contexts, bool is_outermost, bool is_sampled)
{
    contexts_link(contexts);
    contexts_make_arcs(contexts, b->profile, is_outermost, is_sampled);
    contexts->are_invocations = b->contexts != NULL && b->contexts->are_invocations;
    if (b->contexts == NULL)
        contexts_free(contexts);
    else
        *b->contexts = *contexts;
}

uint32_t builder_function(struct builder *b, uint32_t object, uint32_t file, uint32_t name)
{
    struct profile *profile = b->profile;
    size_t known = profile->function_count;
    uint32_t number = builder_find(b, object, file, name);
    if (number != NONE)
        return number;
    number = profile_function(profile, b->identity, object, file, name);
    array_reach(&b->last_of_name, &b->last_capacity, profile->names.count, sizeof *b->last_of_name, 0xff);
    uint32_t other = b->last_of_name[name].function;
    b->last_of_name[name] = (struct last_function){number, object, file};
    if (number < known || b->proxies.name_count == 0)
        return number;
    /* Does it have a proxy's name? That may be long, and shared by many functions, so another one answers this. */
    struct text text = names_text(&profile->names, name);
    bool is_proxy = other != NONE && (profile->functions[other].flags & FUNCTION_IS_PROXY) != 0;
    if (other == NONE)
        is_proxy = matcher_find(b->proxies.names, text, NULL);
    profile->functions[number].flags |= is_proxy ? FUNCTION_IS_PROXY : 0;
    if (is_proxy && !profile->records_are_invocations)
        diag_warning(b->diag, 0,
                     "proxy function " TEXT_FMT " is kept: a profile of sums does not say which of its "
                     "calls belongs to which caller",
                     TEXT_ARG(text));
    return number;
}

/* How many calls are logged before the calls from `call` on. */
static size_t logged_before(const struct builder *b, size_t call)
{
    size_t count = b->logged_count;
    while (count > 0 && b->logged[count - 1].call >= call)
        count--;
    return count;
}

void builder_drop(struct builder *b)
{
    if (b->is_open) {
        b->record_count--;
        b->call_count = b->first_call;
        b->logged_count = logged_before(b, b->first_call);
        b->line_count = b->first_line;
    }
    b->is_open = b->has_self = false;
}

bool builder_knows_callees(const struct builder *b)
{
    for (size_t i = b->first_call; i < b->call_count; i++) {
        const struct call *c = &b->calls[i];
        uint32_t callee = c->callee != NONE ? c->callee
                                            : profile_find_function(b->profile, b->identity, c->names.object,
                                                                    c->names.file, c->names.name);
        if (callee == NONE || (b->profile->functions[callee].flags & FUNCTION_HAS_RECORD) == 0)
            return false;
    }
    return !b->callers_first;
}

/* ---- proxies ------------------------------------------------------------------------------ */

static void add_costs(cost_t *sums, const cost_t *costs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cost_add(&sums[i], costs[i]);
}

static size_t events_of(const struct builder *b)
{
    return b->vectors != NULL ? b->vectors->events : 1;
}

/* Adds costs of all events to those of an entry, for which there may not be room yet. */
static void add_vector(const struct builder *b, cost_t **all, size_t *capacity, size_t entry, const cost_t *costs)
{
    size_t events = events_of(b);
    array_reach(all, capacity, (entry + 1) * events, sizeof **all, 0);
    add_costs(&(*all)[entry * events], costs, events);
}

/* The costs of all events of a call; NULL: builder_keep does not get them. */
static cost_t *costs_of(const struct builder *b, const struct call *call)
{
    return builder_keeps(b) ? &b->line_costs[call->collected * events_of(b)] : NULL;
}

/* Replaces a call of a proxy by the one that the newest waiting invocation of it made; unless that keeps its row. */
static void claim(struct builder *b, struct call *call)
{
    struct proxies *p = &b->proxies;
    struct call was = *call;
    uint32_t proxy = was.callee;
    if (proxy >= p->newest_capacity || p->newest[proxy] == NONE)
        return;
    struct waiting *claimed = &p->waiting[p->newest[proxy]];
    p->newest[proxy] = claimed->below;
    claimed->proxy = NONE;
    while (p->count > 0 && p->waiting[p->count - 1].proxy == NONE)
        p->count--;
    if (claimed->call.callee == NONE)
        return;
    *call = claimed->call;
    call->proxy = proxy;
    call->record = was.record;
    call->collected = was.collected;
    if (builder_keeps(b))
        memcpy(costs_of(b, call), &p->costs[(size_t)(claimed - p->waiting) * events_of(b)],
               events_of(b) * sizeof *p->costs);
}

/* An invocation of a proxy waits for its caller, with its one call or (NULL) none or several. */
static void wait_for_caller(struct builder *b, uint32_t proxy, const struct call *call)
{
    struct proxies *p = &b->proxies;
    array_reach(&p->newest, &p->newest_capacity, (size_t)proxy + 1, sizeof *p->newest, 0xff);
    struct waiting waiting = {.call = {.callee = NONE}, .proxy = proxy, .below = p->newest[proxy]};
    size_t events = events_of(b);
    if (call != NULL)
        waiting.call = *call;
    if (call != NULL && builder_keeps(b)) {
        array_reach(&p->costs, &p->cost_capacity, (p->count + 1) * events, sizeof *p->costs, 0);
        memcpy(&p->costs[p->count * events], costs_of(b, call), events * sizeof *p->costs);
    }
    p->newest[proxy] = (uint32_t)p->count;
    array_append(&p->waiting, &p->count, &p->capacity, &waiting, sizeof waiting);
    if (call != NULL && b->records.chunk != NULL)
        records_append(&b->records,
                       &(struct entry){ENTRY_WAITING, call->callee, call->proxy != NONE ? call->proxy : call->callee,
                                       call->line, call->cost, costs_of(b, call)},
                       proxy);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Finds the functions that are not known, in the order of their mention, and notes which had records before calls. */
static void find_functions(struct builder *b)
{
    size_t calls = 0;
    for (unsigned i = 0; i < b->record_count; i++) {
        struct collected_record *r = &b->collected[i];
        if (r->function == NONE)
            r->function = builder_function(b, r->object, r->file, r->name);
        builder_note_record(b, r->function, r->file);
        for (; calls < b->call_count && b->calls[calls].record == i; calls++) {
            struct call *call = &b->calls[calls];
            if (call->callee == NONE)
                call->callee = builder_function(b, call->names.object, call->names.file, call->names.name);
            builder_note_callee(b, call->callee);
        }
    }
    b->has_unknown = b->is_open;
}

/* Claims what waits for the calls of a record. If that is a proxy's, its one call waits in its turn. */
static void replace_proxies(struct builder *b, uint32_t function, size_t call, size_t end)
{
    const struct function *functions = b->profile->functions;
    struct call *only = end == call + 1 ? &b->calls[call] : NULL;
    for (size_t i = end; i-- > call;)
        if ((functions[b->calls[i].callee].flags & FUNCTION_IS_PROXY) != 0)
            claim(b, &b->calls[i]);
    if ((functions[function].flags & FUNCTION_IS_PROXY) == 0)
        return;
    wait_for_caller(b, function, only);
    if (only != NULL)
        only->callee = NONE;
}

/* Where the calls, lines and logged calls of a record begin or end. */
struct extent {
    size_t call, line, logged;
};

/* Logs a record, with its inclusive costs, and its calls; not the one that waits. */
static void log_record(struct builder *b, const struct collected_record *record, struct extent first, struct extent end)
{
    size_t events = events_of(b);
    cost_t inclusive = record->self, inclusives[MOST_EVENTS];
    for (size_t i = first.call; i < end.call; i++)
        cost_add(&inclusive, b->calls[i].callee != NONE ? b->calls[i].cost : 0);
    memset(inclusives, 0, events * sizeof *inclusives);
    for (size_t i = first.line; b->vectors != NULL && i < end.line; i++)
        if (b->lines[i].call == NONE || b->calls[b->lines[i].call].callee != NONE)
            add_costs(inclusives, &b->line_costs[i * events], events);
    for (size_t i = end.logged; i-- > first.logged;) {
        const struct call *c = &b->calls[b->logged[i].call];
        struct entry entry = {ENTRY_CALL, c->arc, c->proxy, c->line, b->logged[i].cost, costs_of(b, c)};
        if (c->proxy != NONE)
            entry.kind = ENTRY_REPLACED, entry.cost = c->cost;
        if (c->callee != NONE)
            records_append(&b->records, &entry, record->function);
    }
    records_append(&b->records,
                   &(struct entry){ENTRY_RECORD, .number = record->function, .cost = inclusive, .costs = inclusives},
                   NONE);
}

/* Logs the self costs of a record by line, so that its context gets them. */
static void log_lines(struct builder *b, uint32_t function, size_t line, size_t end)
{
    for (size_t events = events_of(b); line < end; line++) {
        const struct collected_line *l = &b->lines[line];
        const cost_t *costs = &b->line_costs[line * events];
        bool has_any = false;
        for (size_t i = 0; i < events; i++)
            has_any |= costs[i] != 0;
        if (l->call == NONE && has_any)
            records_append(&b->records,
                           &(struct entry){ENTRY_LINE, .cost = costs[0], .costs = costs,
                                           .number = line_costs_row(
                                               b->profile->lines, (struct line_key){function, NONE, l->file, l->line})},
                           NONE);
    }
}

void builder_keep(struct builder *b, bool is_call, uint32_t file, uint32_t line, const cost_t *costs)
{
    size_t events = events_of(b);
    const struct collected_line *last = b->line_count > b->first_line ? &b->lines[b->line_count - 1] : NULL;
    bool is_same_line = b->profile->lines == NULL || (last != NULL && last->line == line && last->file == file);
    /* Often, it is another instruction of the line. */
    if (is_call || last == NULL || last->call != NONE || !is_same_line) {
        struct collected_line added = {b->record_count - 1, is_call ? (uint32_t)b->call_count - 1 : NONE,
                                       file != NAME_EMPTY ? file : b->collected[b->record_count - 1].file, line};
        if (is_call)
            b->calls[b->call_count - 1].collected = (uint32_t)b->line_count;
        array_append(&b->lines, &b->line_count, &b->line_capacity, &added, sizeof added);
        array_reach(&b->line_costs, &b->line_cost_capacity, b->line_count * events, sizeof *b->line_costs, 0);
        memset(&b->line_costs[(b->line_count - 1) * events], 0, events * sizeof *b->line_costs);
    }
    add_costs(&b->line_costs[(b->line_count - 1) * events], costs, events);
    for (size_t i = 1; i < events; i++)
        b->magnitude |= cost_size(costs[i]);
}

/* Costs of each event: one after the other, of each thing. */
struct cost_array {
    cost_t **costs;
    size_t *capacity;
};

/* Lists all arrays of these. Returns how many there are. */
static size_t list_costs(struct builder *b, struct cost_array arrays[6])
{
    struct cost_array *end = arrays;
    *end++ = (struct cost_array){&b->line_costs, &b->line_cost_capacity};
    *end++ = (struct cost_array){&b->proxies.costs, &b->proxies.cost_capacity};
    if (b->vectors != NULL) {
        *end++ = (struct cost_array){&b->vectors->functions, &b->vectors->function_capacity};
        *end++ = (struct cost_array){&b->vectors->arcs, &b->vectors->arc_capacity};
    }
    if (b->listed != NULL)
        *end++ = (struct cost_array){&b->listed->costs, &b->listed->cost_capacity};
    if (b->profile->lines != NULL)
        *end++ = (struct cost_array){&b->profile->lines->costs, &b->profile->lines->cost_capacity};
    return (size_t)(end - arrays);
}

void builder_want_events(struct builder *b, size_t count)
{
    struct cost_array arrays[6];
    size_t before = events_of(b);
    builder_enter(b);
    b->vectors = b->vectors != NULL ? b->vectors : memory_zeroed(1, sizeof *b->vectors);
    for (size_t i = list_costs(b, arrays); i-- > 0;)
        costs_widen(arrays[i].costs, arrays[i].capacity, before, count - before);
    b->vectors->events = count;
    b->vectors->run_selfs = memory_zeroed(count, sizeof *b->vectors->run_selfs);
    if (b->listed != NULL)
        b->listed->events = count;
    if (b->profile->lines != NULL)
        b->profile->lines->events = count;
    if (b->records.chunk != NULL)
        records_append(&b->records, &(struct entry){.kind = ENTRY_UNIT, .number = (uint32_t)b->records.others}, NONE);
    b->records.others = count - 1;
}

static void enter_line(struct line_costs *lines, struct line_key key, uint64_t calls, const cost_t *costs)
{
    uint32_t row = line_costs_row(lines, key); /* which may move the costs */
    count_add(&lines->rows[row].calls, calls);
    add_costs(&lines->costs[row * lines->events], costs, lines->events);
}

void builder_enter_costs(struct builder *b, uint32_t arc, struct line_key key, uint64_t calls, const cost_t *costs)
{
    struct vectors *v = b->vectors;
    if (v != NULL && arc != NONE) {
        add_vector(b, &v->arcs, &v->arc_capacity, arc, costs);
    } else if (v != NULL) {
        add_vector(b, &v->functions, &v->function_capacity, key.function, costs);
        add_costs(v->run_selfs, costs, v->events);
    }
    if (b->profile->lines != NULL)
        enter_line(b->profile->lines, key, calls, costs);
}

void builder_list(struct builder *b, uint32_t function, const cost_t *selfs)
{
    cost_t listed[MOST_EVENTS];
    bool has_log = b->records.chunk != NULL, is_listed = !has_log;
    for (size_t k = 0; k < events_of(b); k++) {
        listed[k] = has_log ? MIN(selfs[k], 0) : selfs[k];
        is_listed |= listed[k] < 0;
    }
    if (is_listed) {
        struct part_function of = {(uint32_t)b->listed->count, function};
        uint32_t number = SET_INTERN(&b->listed->sums, of, sizeof of);
        add_vector(b, &b->listed->costs, &b->listed->cost_capacity, number, listed);
    }
}

/* Enters costs of records, of whose self costs the sum is entered. A call that waits has no callee. */
static void enter_costs(struct builder *b)
{
    struct vectors *v = b->vectors;
    cost_t selfs[MOST_EVENTS] = {0};
    for (size_t i = 0, events = events_of(b); i < b->line_count; i++) {
        const struct collected_line *l = &b->lines[i];
        const struct call *call = l->call != NONE ? &b->calls[l->call] : NULL;
        const cost_t *costs = &b->line_costs[i * events];
        uint32_t function = b->collected[l->record].function;
        struct line_key key = {function, call != NULL ? call->callee : NONE, l->file,
                               call != NULL ? call->line : l->line};
        if (call == NULL)
            add_costs(selfs, costs, events);
        if (call == NULL && b->profile->lines != NULL)
            enter_line(b->profile->lines, key, 0, costs);
        else if (call != NULL && call->callee != NONE)
            builder_enter_costs(b, call->arc, key, call->count, costs);
        if (i + 1 < b->line_count && b->lines[i + 1].record == l->record)
            continue;
        if (v != NULL) {
            add_vector(b, &v->functions, &v->function_capacity, function, selfs);
            add_costs(v->run_selfs, selfs, events);
        }
        if (b->listed != NULL)
            builder_list(b, function, selfs);
        memset(selfs, 0, events * sizeof *selfs);
    }
}

/* Adds calls to their arcs, except one that waits. */
HOT void add_calls(struct builder *b, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        struct call *c = &b->calls[i];
        if (c->callee != NONE)
            c->arc = profile_add_call(b->profile, b->collected[c->record].function, c->callee, c->line, c->count,
                                      c->cost);
    }
}

static void enter_records(struct builder *b)
{
    struct extent end = {0, 0, 0};
    /* As long as no callee has lacked a record, only one that is not known can lack it. */
    if (b->has_unknown || b->has_callee_without_record)
        find_functions(b);
    for (unsigned i = 0; i < b->record_count; i++) {
        const struct collected_record *r = &b->collected[i];
        struct extent first = end;
        builder_enter_records(b, r, 1);
        if (!b->needs_each)
            continue;
        while (end.call < b->call_count && b->calls[end.call].record == i)
            end.call++;
        while (end.line < b->line_count && b->lines[end.line].record == i)
            end.line++;
        while (end.logged < b->logged_count && b->logged[end.logged].call < end.call)
            end.logged++;
        if (builder_logs_lines(b))
            log_lines(b, r->function, first.line, end.line);
        if (b->proxies.name_count > 0)
            replace_proxies(b, r->function, first.call, end.call);
        add_calls(b, first.call, end.call);
        if (b->records.chunk != NULL)
            log_record(b, r, first, end);
    }
    if (!b->needs_each)
        add_calls(b, 0, b->call_count);
    if (b->line_count > 0)
        enter_costs(b);
}

/* The open record becomes the first one, and its calls and lines those that follow the ones which have been entered. */
HOT_LOOP void builder_enter(struct builder *b)
{
    bool has_rest = b->is_open && !b->leaves_out;
    size_t calls = b->call_count, lines = b->line_count, events = events_of(b);
    size_t logged = b->logged_count, first_logged = has_rest ? logged_before(b, b->first_call) : logged;
    b->record_count -= b->is_open;
    b->call_count = has_rest ? b->first_call : calls;
    b->line_count = has_rest ? b->first_line : lines;
    if (!b->leaves_out)
        enter_records(b);
    if (b->is_open)
        b->collected[0] = b->collected[b->record_count];
    for (size_t i = b->call_count; i < calls; i++) {
        b->calls[i].record = 0;
        b->calls[i].collected -= (uint32_t)b->line_count;
        b->calls[i - b->call_count] = b->calls[i];
    }
    for (size_t i = first_logged; i < logged; i++)
        b->logged[i - first_logged] = (struct logged_call){b->logged[i].call - (uint32_t)b->call_count,
                                                           b->logged[i].cost};
    for (size_t i = b->line_count; i < lines; i++) {
        b->lines[i].record = 0;
        b->lines[i].call -= b->lines[i].call != NONE ? (uint32_t)b->call_count : 0;
        b->lines[i - b->line_count] = b->lines[i];
    }
    if (lines > b->line_count)
        memmove(b->line_costs, &b->line_costs[b->line_count * events],
                (lines - b->line_count) * events * sizeof *b->line_costs);
    b->record_count = b->is_open;
    b->call_count = calls - b->call_count;
    b->line_count = lines - b->line_count;
    b->logged_count = logged - first_logged;
    b->first_call = b->first_line = 0;
}

/* Nobody will claim a call that waits: it becomes a call of its proxy. */
void builder_new_run(struct builder *b)
{
    struct proxies *p = &b->proxies;
    b->is_open = false;
    builder_enter(b);
    struct vectors *v = b->vectors;
    b->run_self = 0;
    b->callers_first = false;
    if (v != NULL)
        memset(v->run_selfs, 0, v->events * sizeof *v->run_selfs);
    for (size_t i = 0; i < p->count; i++) {
        const struct waiting *w = &p->waiting[i];
        if (w->proxy == NONE)
            continue;
        p->newest[w->proxy] = NONE;
        if (w->call.callee == NONE)
            continue;
        const cost_t *costs = builder_keeps(b) ? &p->costs[i * events_of(b)] : NULL;
        uint32_t arc = profile_add_call(b->profile, w->proxy, w->call.callee, w->call.line, w->call.count,
                                        w->call.cost);
        struct line_key key = {w->proxy, w->call.callee, b->profile->functions[w->proxy].file, w->call.line};
        builder_enter_costs(b, arc, key, 0, costs);
    }
    p->count = 0;
    if (b->records.chunk != NULL)
        records_append(&b->records,
                       &(struct entry){.kind = ENTRY_RUN, .number = b->listed != NULL ? (uint32_t)b->listed->count : 0},
                       NONE);
}

void builder_change_unit(struct builder *b, size_t event, uint64_t factor)
{
    struct cost_array arrays[6];
    struct vectors *v = b->vectors;
    if (factor == 1)
        return;
    b->magnitude = UINT64_MAX;
    if (event == 0)
        profile_multiply(b->profile, factor, b->diag);
    if (b->parts != NULL)
        parts_multiply(b->parts, factor, b->diag);
    for (size_t i = list_costs(b, arrays); i-- > 0;)
        for (size_t k = event; k < *arrays[i].capacity; k += events_of(b))
            cost_multiply(&(*arrays[i].costs)[k], factor);
    for (size_t i = 0; v != NULL && i < v->header_count; i++)
        if (v->headers[i].event == event)
            header_multiply(&v->headers[i].header, factor);
    if (b->records.chunk != NULL)
        records_append(&b->records,
                       &(struct entry){.kind = ENTRY_UNIT, .cost = (cost_t)factor, .number = (uint32_t)event}, NONE);
}

/*
 * Makes contexts of the records. are_summed: inclusive costs become sums of their self costs. Xdebug's memory is what
 * was allocated there, as Xdebug writes no negative self costs; its inclusive costs are what is kept.
 */
static void finish_contexts(struct builder *b, bool are_summed, bool are_allocated)
{
    struct contexts own = {.count = 0}, *contexts = b->contexts != NULL ? b->contexts : &own;
    if (b->late != 0 && !b->late_is_said)
        diag_warning(b->diag, 0,
                     TEXT_FMT " is called before its first record, but invocations are recorded when they return: "
                              "stacks, and the costs and the order of calls, are wrong, unless records are sums",
                     TEXT_ARG(names_text(&b->profile->names, b->profile->functions[b->late - 1].name)));
    b->late_is_said = b->late != 0;
    contexts->chosen = parts_choose(b->parts);
    contexts->are_of_parts = b->listed != NULL && b->contexts != NULL;
    contexts->call_is = are_summed || contexts->keeps_lines || contexts->chosen != NULL || b->single != NULL
                            ? CALL_IS_ARC
                            : CALL_IS_UNKNOWN;
    contexts->has_allocated = are_allocated;
    contexts->timeline = b->timeline;
    contexts->single = b->single;
    if (b->single != NULL)
        single_calls_choose(b->single, b->profile);
    contexts_from_records(contexts, &b->records, b->profile, are_summed || !b->wants_outermost);
    if (are_summed)
        contexts_add_self_costs(contexts, b->profile);
    if (are_allocated)
        *b->allocated = contexts_allocated(contexts, b->profile);
    contexts_free(&own);
}

/* Moves costs of functions or arcs to those that they have become: see profile_unite. */
static void move_costs(const struct vectors *v, cost_t *costs, size_t count, const uint32_t *numbers)
{
    for (size_t i = 0; i < count; i++) {
        cost_t moved = costs[i];
        costs[i] = 0;
        cost_add(&costs[numbers[i / v->events] * v->events + i % v->events], moved);
    }
}

/* Before anything is computed of functions. Threads consist of parts: their names become readable at the end. */
static void make_readable(struct builder *b)
{
    struct vectors *v = b->vectors;
    size_t functions = b->profile->function_count, arcs = b->profile->arc_count;
    uint32_t *arc_numbers, *numbers = NULL;
    if (b->parts == NULL || parts_are_runs(b->parts))
        numbers = profile_make_readable(b->profile, &arc_numbers);
    if (numbers == NULL)
        return;
    if (v != NULL) {
        move_costs(v, v->functions, MIN(v->function_capacity, functions * v->events), numbers);
        move_costs(v, v->arcs, MIN(v->arc_capacity, arcs * v->events), arc_numbers);
    }
    for (size_t i = 0; b->listed != NULL && i < b->listed->sums.index.used; i++)
        b->listed->sums.items[i].function = numbers[b->listed->sums.items[i].function];
    memory_free(numbers);
    memory_free(arc_numbers);
}

/* Computes what follows from costs that are all known: those of the profile or, of several events, of graph->whole. */
static void complete(struct builder *b, struct event_graph *graph)
{
    bool has_records = b->records.chunk != NULL;
    bool are_allocated = has_records && b->allocated != NULL && profile_is_memory(b->profile, b->profile->event);
    profile_complete(graph != NULL && graph->functions != NULL ? &graph->whole : b->profile);
    bool is_estimated = b->estimate != NULL && b->contexts == NULL && !b->profile->marks_levels;
    if (is_estimated) /* before recursion is taken out of the costs of calls */
        contexts_estimate(b->estimate, b->profile);
    bool are_summed = b->wants_outermost && b->wants_self_sums && has_records && !are_allocated &&
                      b->proxies.name_count == 0;
    if (b->contexts != NULL || are_summed || are_allocated)
        finish_contexts(b, are_summed, are_allocated);
    if (b->wants_outermost && has_records && !are_summed) {
        outermost_apply(&b->records, b->profile);
    } else if (b->wants_outermost && !are_summed) {
        uint32_t *renumbered = recursion_limit(b->profile, graph);
        if (b->listed != NULL)
            b->listed->renumbered = renumbered;
    }
    if (b->wants_outermost && b->profile->lines != NULL)
        line_costs_follow_arcs(b->profile);
    if (b->profile->lines != NULL)
        index_free(&b->profile->lines->index); /* views look for no rows */
}

void builder_take_part(struct builder *b)
{
    struct records_chunk *before;
    for (size_t i = 0; i < b->profile->function_count; i++)
        b->last_of_name[b->profile->functions[i].name].function = NONE;
    b->records.is_read_again = b->records.chunk != NULL;
    make_readable(b);
    if (b->profile->function_count > 0)
        complete(b, NULL);
    b->parts->contents->has_contexts = b->contexts != NULL && b->profile->function_count > 0;
    parts_take(b->parts);
    b->has_callee_without_record = false;
    SET_FREE(&b->records.links);
    for (struct records_chunk *chunk = b->records.chunk; chunk != NULL; chunk = before) {
        before = chunk->before;
        b->records = (struct records){.chunk = chunk, .at = chunk->bytes};
        if (before != NULL)
            memory_free(chunk);
    }
}

void builder_finish(struct builder *b)
{
    builder_new_run(b);
    memory_free(b->last_of_name);
    make_readable(b);
    if (b->vectors == NULL)
        complete(b, NULL);
    else if (b->wants_outermost && b->records.chunk == NULL)
        b->graph = recursion_share(b->profile);
}

cost_t builder_self_cost(const struct builder *b, size_t event)
{
    const struct vectors *v = b->vectors;
    cost_t sum = 0;
    for (size_t i = event; i < v->function_capacity; i += v->events)
        cost_add(&sum, v->functions[i]);
    return sum;
}

void builder_take(struct builder *b, struct builder *read, size_t event, uint32_t name, bool speaks_of_event)
{
    const struct vectors *v = read->vectors;
    struct profile *profile = b->profile;
    profile_copy(profile, read->profile, event);
    profile->event = name;
    profile->speaks_of_event = speaks_of_event;
    for (size_t i = 0; i < v->header_count; i++)
        if (v->headers[i].event == event)
            profile->headers[v->headers[i].number] = v->headers[i].header;
    if (read->contexts == NULL)
        b->contexts = NULL;
    if (b->listed != NULL) {
        *b->listed = *read->listed;
        b->listed->event = event;
    }
    b->proxies.name_count = read->proxies.name_count;
    b->late = read->late;
    b->records = read->records;
    b->records.event = event;
    bool is_folded = read->graph != NULL && read->graph->functions != NULL;
    struct profile *whole = is_folded ? &read->graph->whole : profile;
    for (size_t i = 0; i < whole->function_count; i++)
        whole->functions[i].self = (i + 1) * v->events <= v->function_capacity ? v->functions[i * v->events + event]
                                                                               : 0;
    for (size_t i = 0; i < whole->arc_count; i++)
        whole->arcs[i].cost = v->arcs[i * v->events + event];
    complete(b, read->graph);
}
