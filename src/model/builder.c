/* SPDX-License-Identifier: MIT */
#include "model/builder.h"

#include "model/estimate.h"
#include "model/line_costs.h"
#include "model/recursion.h"

void builder_set_kind(struct builder *b, enum identity identity, bool records_are_invocations)
{
    b->identity = identity;
    b->profile->records_are_invocations = records_are_invocations;
    if (!records_are_invocations) {
        b->contexts = NULL;
        if (b->needs_contexts)
            diag_error(b->diag, 0,
                       "this profile has no call stacks; use one by Xdebug, perf or aprof, or a "
                       "preprocessed file of version 4");
        return;
    }
    bool wants_records = b->wants_outermost || b->contexts != NULL;
    b->needs_each = b->proxies.name_count > 0 || b->profile->lines != NULL || wants_records;
    if (wants_records)
        records_add_chunk(&b->records);
}

void builder_finish_contexts(struct builder *b, struct contexts *contexts, bool is_outermost, bool is_sampled)
{
    contexts_link(contexts);
    contexts_make_arcs(contexts, b->profile, is_outermost, is_sampled);
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
    for (size_t i = 0; i < b->proxies.name_count && other == NONE && !is_proxy; i++)
        is_proxy = text_matches(text, b->proxies.names[i], false);
    profile->functions[number].flags |= is_proxy ? FUNCTION_IS_PROXY : 0;
    if (is_proxy && !profile->records_are_invocations)
        diag_warning(b->diag, 0,
                     "proxy function " TEXT_FMT " is kept: a profile of sums does not say which of its "
                     "calls belongs to which caller",
                     TEXT_ARG(text));
    return number;
}

void builder_drop(struct builder *b)
{
    if (b->is_open) {
        b->record_count--;
        b->call_count = b->first_call;
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

/* Replaces a call of a proxy by the one that the newest waiting invocation of it made; unless that keeps its row. */
static void claim(struct proxies *p, struct call *call)
{
    uint32_t proxy = call->callee;
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
}

/* An invocation of a proxy waits for its caller, with its one call or (NULL) none or several. */
static void wait_for_caller(struct builder *b, uint32_t proxy, const struct call *call)
{
    struct proxies *p = &b->proxies;
    array_reach(&p->newest, &p->newest_capacity, (size_t)proxy + 1, sizeof *p->newest, 0xff);
    struct waiting waiting = {.call = {.callee = NONE}, .proxy = proxy, .below = p->newest[proxy]};
    if (call != NULL)
        waiting.call = *call;
    p->newest[proxy] = (uint32_t)p->count;
    array_append(&p->waiting, &p->count, &p->capacity, &waiting, sizeof waiting);
    if (call != NULL && b->records.chunk != NULL)
        records_append(&b->records,
                       &(struct entry){.kind = ENTRY_WAITING,
                                       .number = call->callee,
                                       .line = call->line,
                                       .target = call->proxy != NONE ? call->proxy : call->callee,
                                       .cost = call->cost},
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

/* Adds the calls of a record where each is needed by itself. */
static void add_each_call(struct builder *b, const struct collected_record *record, struct call *calls, size_t count)
{
    uint32_t function = record->function;
    const struct function *functions = b->profile->functions;
    bool logs = b->records.chunk != NULL;
    for (size_t i = 0; i < count; i++)
        calls[i].proxy = NONE;
    for (size_t i = b->proxies.name_count > 0 ? count : 0; i-- > 0;)
        if ((functions[calls[i].callee].flags & FUNCTION_IS_PROXY) != 0)
            claim(&b->proxies, &calls[i]);
    if ((functions[function].flags & FUNCTION_IS_PROXY) != 0) {
        wait_for_caller(b, function, count == 1 ? calls : NULL);
        if (count == 1)
            calls[--count].callee = NONE;
    }
    cost_t inclusive = 0;
    for (size_t i = 0; i < count; i++) {
        struct call *call = &calls[i];
        call->arc = profile_add_call(b->profile, function, call->callee, call->line, call->count, call->cost);
        cost_add(&inclusive, call->cost);
    }
    cost_add(&inclusive, record->self);
    for (size_t i = count; logs && i-- > 0;)
        records_append(&b->records,
                       &(struct entry){.kind = calls[i].proxy == NONE ? ENTRY_CALL : ENTRY_REPLACED,
                                       .number = calls[i].arc,
                                       .target = calls[i].proxy,
                                       .line = calls[i].line,
                                       .cost = calls[i].cost},
                       function);
    if (logs)
        records_append(&b->records, &(struct entry){ENTRY_RECORD, .number = function, .cost = inclusive}, NONE);
}

/* Logs the self costs of a record by line, from *next on, so that its context gets them. */
static void log_lines(struct builder *b, unsigned record, size_t *next)
{
    for (; *next < b->line_count && b->lines[*next].record == record; ++*next) {
        const struct collected_line *l = &b->lines[*next];
        struct line_key key = {b->collected[record].function, NONE, l->file, l->line};
        cost_t cost = b->line_costs[*next * b->profile->lines->events];
        if (l->call == NONE && cost != 0)
            records_append(&b->records,
                           &(struct entry){ENTRY_LINE, .cost = cost, .number = line_costs_row(b->profile->lines, key)},
                           NONE);
    }
}

void builder_line(struct builder *b, bool is_call, uint32_t file, uint32_t line, const cost_t *costs)
{
    unsigned record = b->record_count - 1;
    size_t events = b->profile->lines->events;
    struct collected_line *last = b->line_count > b->first_line ? &b->lines[b->line_count - 1] : NULL;
    /* Often, it is another instruction of the line. */
    if (is_call || last == NULL || last->line != line || last->file != file || last->call != NONE) {
        struct collected_line added = {record, is_call ? (uint32_t)b->call_count - 1 : NONE,
                                       file != NAME_EMPTY ? file : b->collected[record].file, line};
        array_append(&b->lines, &b->line_count, &b->line_capacity, &added, sizeof added);
        array_reserve(&b->line_costs, &b->line_cost_capacity, b->line_count * events, sizeof *b->line_costs);
        memset(&b->line_costs[(b->line_count - 1) * events], 0, events * sizeof *b->line_costs);
    }
    for (size_t i = 0; i < events; i++)
        cost_add(&b->line_costs[(b->line_count - 1) * events + i], costs[i]);
}

size_t builder_line_event(struct builder *b, uint32_t name)
{
    size_t events = b->profile->lines->events;
    builder_enter(b);
    size_t event = line_costs_event(b->profile->lines, name);
    if (event >= events) {
        b->line_costs = costs_widened(b->line_costs, b->line_count, events, 1);
        b->line_cost_capacity = b->line_count * (events + 1);
    }
    return event;
}

/* Those of the open record remain, with `calls` fewer before theirs. A call that waits has no callee. */
static void enter_lines(struct builder *b, size_t calls)
{
    struct line_costs *lines = b->profile->lines;
    size_t left = 0, events = lines->events;
    for (size_t i = 0; i < b->line_count; i++) {
        struct collected_line *l = &b->lines[i];
        const struct call *call = l->call != NONE ? &b->calls[l->call] : NULL;
        if (l->record >= b->record_count) {
            l->call -= call != NULL ? (uint32_t)calls : 0;
            l->record = 0;
            memmove(&b->line_costs[left * events], &b->line_costs[i * events], events * sizeof *b->line_costs);
            b->lines[left++] = *l;
        } else if (call == NULL || call->callee != NONE) {
            struct line_key key = {b->collected[l->record].function, call != NULL ? call->callee : NONE, l->file,
                                   call != NULL ? call->line : l->line};
            uint32_t row = line_costs_row(lines, key);
            count_add(&lines->rows[row].calls, call != NULL ? call->count : 0);
            for (size_t k = 0; k < events; k++)
                line_costs_add(lines, row, k, b->line_costs[i * events + k]);
            if (call != NULL && b->needs_each && call->proxy != NONE) /* it replaces the call */
                line_costs_add(lines, row, 0, call->cost - b->line_costs[i * events]);
        }
    }
    b->line_count = left;
    b->first_line = 0;
}

HOT_LOOP void builder_enter(struct builder *b)
{
    size_t calls = b->call_count, of_open = b->is_open ? calls - b->first_call : 0;
    b->record_count -= b->is_open;
    b->call_count -= of_open;
    size_t call = 0, line = 0;
    bool logs_lines = b->records.chunk != NULL && b->contexts != NULL && b->contexts->keeps_lines;
    /* As long as no callee has lacked a record, only one that is not known can lack it. */
    if (b->leaves_out) {
        if (b->is_open)
            b->collected[0] = b->collected[b->record_count];
        b->record_count = b->is_open;
        b->first_call = b->call_count = b->first_line = b->line_count = 0;
        return;
    }
    if (b->has_unknown || b->has_callee_without_record)
        find_functions(b);
    for (unsigned i = 0; i < b->record_count; i++) {
        const struct collected_record *r = &b->collected[i];
        builder_enter_records(b, r, 1);
        size_t first = call;
        if (logs_lines)
            log_lines(b, i, &line);
        while (b->needs_each && call < b->call_count && b->calls[call].record == i)
            call++;
        if (b->needs_each)
            add_each_call(b, r, call > first ? &b->calls[first] : NULL, call - first);
    }
    for (size_t i = 0; !b->needs_each && i < b->call_count; i++) {
        const struct call *c = &b->calls[i];
        profile_add_call(b->profile, b->collected[c->record].function, c->callee, c->line, c->count, c->cost);
    }
    if (b->line_count > 0)
        enter_lines(b, calls - of_open);
    /* An open record, which is after these, becomes the first one. */
    if (b->is_open)
        b->collected[0] = b->collected[b->record_count];
    b->record_count = b->is_open;
    b->first_call = b->call_count = 0;
    for (; b->call_count < of_open; b->call_count++) {
        b->calls[b->call_count] = b->calls[calls - of_open + b->call_count];
        b->calls[b->call_count].record = 0;
    }
}

/* Nobody will claim a call that waits: it becomes a call of its proxy. */
void builder_new_run(struct builder *b)
{
    struct proxies *p = &b->proxies;
    b->is_open = false;
    builder_enter(b);
    b->run_self = 0;
    b->callers_first = false;
    for (size_t i = 0; i < p->count; i++) {
        const struct waiting *w = &p->waiting[i];
        if (w->proxy == NONE)
            continue;
        p->newest[w->proxy] = NONE;
        if (w->call.callee == NONE)
            continue;
        profile_add_call(b->profile, w->proxy, w->call.callee, w->call.line, w->call.count, w->call.cost);
        if (b->profile->lines != NULL) {
            struct line_key key = {w->proxy, w->call.callee, b->profile->functions[w->proxy].file, w->call.line};
            line_costs_add(b->profile->lines, line_costs_row(b->profile->lines, key), 0, w->call.cost);
        }
    }
    p->count = 0;
    if (b->records.chunk != NULL)
        records_append(&b->records, &(struct entry){.kind = ENTRY_RUN}, NONE);
}

void builder_change_unit(struct builder *b, uint64_t factor)
{
    profile_multiply(b->profile, factor, b->diag);
    if (factor != 1 && b->records.chunk != NULL)
        records_append(&b->records, &(struct entry){.kind = ENTRY_UNIT, .cost = (cost_t)factor}, NONE);
}

/*
 * Makes contexts of the records. are_summed: inclusive costs become sums of their self costs. Xdebug's memory is what
 * was allocated there, as Xdebug writes no negative self costs; its inclusive costs are what is kept.
 */
static void finish_contexts(struct builder *b, bool are_summed, bool are_allocated)
{
    struct contexts own = {.count = 0}, *contexts = b->contexts != NULL ? b->contexts : &own;
    contexts->call_is = are_summed || contexts->keeps_lines ? CALL_IS_ARC : CALL_IS_UNKNOWN;
    contexts->has_allocated = are_allocated;
    contexts_from_records(contexts, &b->records, b->profile, are_summed || !b->wants_outermost);
    if (are_summed)
        contexts_add_self_costs(contexts, b->profile);
    if (are_allocated)
        *b->allocated = contexts_allocated(contexts, b->profile);
    contexts_free(&own);
}

void builder_finish(struct builder *b)
{
    bool has_records = b->records.chunk != NULL;
    bool are_allocated = has_records && b->allocated != NULL && profile_is_memory(b->profile);
    builder_new_run(b);
    memory_free(b->last_of_name);
    profile_complete(b->profile);
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
        recursion_limit_cycles(b->profile);
        if (b->profile->marks_levels)
            recursion_fold_levels(b->profile);
    }
    if (b->wants_outermost && b->profile->lines != NULL)
        line_costs_follow_arcs(b->profile);
}
