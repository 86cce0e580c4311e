/* SPDX-License-Identifier: MIT */
#include "model/contexts.h"

#include "model/line_costs.h"

#include <stddef.h>

void contexts_free(struct contexts *contexts)
{
    memory_free(contexts->items);
    memory_free(contexts->order);
    index_free(&contexts->index);
    SET_FREE(&contexts->lines);
    SET_FREE(&contexts->calls);
    memory_free(contexts->chosen);
    *contexts = (struct contexts){0};
}

void contexts_add(struct contexts *contexts, struct context context)
{
    context.first_child = context.next_sibling = context.number = NONE;
    if (contexts->count == NONE)
        task_out_of_memory();
    array_append(&contexts->items, &contexts->count, &contexts->capacity, &context, sizeof context);
}

uint32_t contexts_child(struct contexts *contexts, uint32_t parent, uint32_t function, uint32_t call)
{
    struct context added = {function, parent, call, .first_child = NONE, .next_sibling = NONE, .number = NONE};
    uint32_t number = index_intern(&contexts->index, &contexts->items, &contexts->capacity, &added, sizeof added,
                                   offsetof(struct context, first_child));
    contexts->count = contexts->index.used;
    return number;
}

void contexts_add_line(struct contexts *contexts, uint32_t context, uint32_t row, cost_t cost)
{
    struct context_line added = {.context = context, .row = row};
    uint32_t number = SET_INTERN(&contexts->lines, added, offsetof(struct context_line, cost));
    cost_add(&contexts->lines.items[number].cost, cost);
}

HOT void add_call(struct contexts *contexts, uint32_t function, struct single_call call)
{
    if (contexts->single != NULL)
        single_calls_add(contexts->single, function, &call);
    if (contexts->chosen == NULL || !contexts->chosen[function])
        return;
    uint32_t number = SET_INTERN(&contexts->calls, call, offsetof(struct single_call, context) + sizeof call.context);
    count_add(&contexts->calls.items[number].count, 1);
}

void contexts_end_calls(struct contexts *contexts, const struct profile *profile, uint32_t runs)
{
    struct single_calls *single = contexts->single;
    for (size_t i = 0; single != NULL && i < single->count * CALLS_SHOWN; i++) {
        struct function_calls *f = &single->functions[i / CALLS_SHOWN];
        struct single_call *call = &f->shown[i % CALLS_SHOWN];
        uint32_t context = call->context;
        if (i % CALLS_SHOWN >= f->shown_count)
            continue;
        call->run = runs + 1 - call->run;
        call->number = f->costs.count + 1 - call->number;
        call->context = (uint32_t)single->caller_count;
        for (int k = 0; k <= CALLERS_SHOWN; k++) {
            uint32_t parent = contexts->items[context].parent;
            struct call_caller caller = {NONE, 0};
            if (parent != NONE && k < CALLERS_SHOWN)
                caller = (struct call_caller){contexts->items[parent].function,
                                              contexts_call_line(contexts, profile, &contexts->items[context])};
            array_append(&single->callers, &single->caller_count, &single->caller_capacity, &caller, sizeof caller);
            if (caller.function == NONE)
                break;
            context = parent;
        }
    }
    if (single != NULL)
        single_calls_spread(single);
}

/* Goes up from each context until an earlier walk has been there; one that meets itself has found a cycle. */
uint32_t contexts_cut_cycle(struct contexts *contexts, uint32_t *next)
{
    struct context *items = contexts->items;
    for (; *next < contexts->count; ++*next) {
        uint32_t last = NONE, i = *next;
        for (; i != NONE && items[i].number == NONE; i = items[i].parent)
            items[last = i].number = *next; /* of the walk */
        if (last != NONE && i != NONE && items[i].number == *next) {
            items[last].parent = NONE;
            return last;
        }
    }
    return NONE;
}

void contexts_multiply(struct contexts *contexts, uint64_t factor)
{
    for (size_t i = 0; i < contexts->count && factor != 1; i++) {
        cost_multiply(&contexts->items[i].self, factor);
        cost_multiply(&contexts->items[i].inclusive, factor);
        if (contexts->has_call_costs)
            cost_multiply(&contexts->items[i].call_cost, factor);
    }
    for (size_t i = 0; i < contexts->lines.index.used; i++)
        cost_multiply(&contexts->lines.items[i].cost, factor);
}

/* Those that come first are linked last. */
void contexts_link(struct contexts *contexts)
{
    index_free(&contexts->index);
    contexts->first_root = NONE;
    for (uint32_t i = (uint32_t)contexts->count; i-- > 0;) {
        struct context *context = &contexts->items[i];
        uint32_t *first = context->parent == NONE ? &contexts->first_root
                                                  : &contexts->items[context->parent].first_child;
        context->next_sibling = *first;
        *first = i;
    }
}

uint32_t contexts_next(const struct contexts *contexts, uint32_t context)
{
    const struct context *items = contexts->items;
    if (context == NONE)
        return contexts->count > 0 ? contexts->first_root : NONE;
    uint32_t next = items[context].first_child;
    for (; next == NONE && context != NONE; context = items[context].parent)
        next = items[context].next_sibling;
    return next;
}

/* A walk through linked contexts, parents first. */
struct walk {
    const struct contexts *contexts;
    uint32_t at;            /* the current context; NONE: before the first one */
    const uint32_t *groups; /* of functions, which take their place; or NULL */
    /* How many contexts the walk is in, by function and by the arc that is a context's number; NULL: any number. */
    uint32_t *functions, *arcs;
    bool is_outermost; /* the current one is in no other context of its function */
};

static struct walk walk_counting(const struct contexts *contexts, const struct profile *profile, size_t arcs)
{
    return (struct walk){.contexts = contexts,
                         .at = NONE,
                         .functions = memory_zeroed(profile->function_count + 1, sizeof(uint32_t)),
                         .arcs = memory_zeroed(arcs + 1, sizeof(uint32_t))};
}

static uint32_t *walk_count(const struct walk *walk, const struct context *context)
{
    return &walk->functions[walk->groups != NULL ? walk->groups[context->function] : context->function];
}

static bool walk_next(struct walk *walk)
{
    const struct context *items = walk->contexts->items;
    uint32_t i = walk->at, first = walk->contexts->count > 0 ? walk->contexts->first_root : NONE;
    walk->at = i != NONE ? items[i].first_child : first;
    for (; i != NONE && walk->at == NONE; i = items[i].parent) {
        walk->at = items[i].next_sibling;
        --*walk_count(walk, &items[i]);
        if (walk->arcs != NULL && items[i].number != NONE)
            walk->arcs[items[i].number]--;
    }
    if (walk->at != NONE) {
        walk->is_outermost = (*walk_count(walk, &items[walk->at]))++ == 0;
        return true;
    }
    memory_free(walk->functions);
    memory_free(walk->arcs);
    return false;
}

/* Adds the invocation that a call made, after those of earlier calls of the same caller. */
static uint32_t add_called(struct contexts *contexts, const struct profile *profile, uint32_t caller,
                           const struct entry *call, bool is_first)
{
    uint32_t number = (uint32_t)contexts->count;
    struct context called = {.function = call->number,
                             .parent = caller,
                             .call_cost = call->cost,
                             .inclusive = call->cost,
                             .call = call->line};
    if (call->kind != ENTRY_WAITING) {
        called.function = profile->arcs[call->number].callee;
        called.call = profile->arcs[call->number].line;
    }
    contexts_add(contexts, called);
    *(is_first ? &contexts->items[caller].first_child : &contexts->items[number - 1].next_sibling) = number;
    return number;
}

void contexts_unite(struct contexts *contexts, const uint32_t *functions)
{
    bool keeps_calls = contexts->chosen != NULL || contexts->single != NULL;
    struct contexts united = {.has_allocated = contexts->has_allocated,
                              .is_cut = contexts->is_cut,
                              .chosen = contexts->chosen,
                              .single = contexts->single,
                              .call_is = keeps_calls ? contexts->call_is : CALL_IS_UNKNOWN};
    array_reserve(&united.items, &united.capacity, 1, sizeof *united.items); /* not NULL: clang's analyzer */
    uint32_t *numbers = memory_zeroed(contexts->count + 1, sizeof *numbers); /* of each in `united` */
    for (uint32_t i = NONE; (i = contexts_next(contexts, i)) != NONE;) {
        const struct context *c = &contexts->items[i];
        uint32_t *number = &numbers[i], parent = c->parent == NONE ? NONE : numbers[c->parent];
        uint32_t function = functions != NULL && c->function != NONE ? functions[c->function] : c->function;
        bool is_part = functions != NULL && parent != NONE && united.items[parent].function == function;
        *number = is_part ? parent : contexts_child(&united, parent, function, keeps_calls ? c->call : 0);
        add_call(&united, c->function, (struct single_call){c->self, c->inclusive, *number, 1, 0, 0});
        struct context *sum = &united.items[*number];
        cost_add(&sum->self, c->self);
        if (is_part)
            continue;
        count_add(&sum->calls, c->calls);
        cost_add(&sum->inclusive, c->inclusive);
    }
    memory_free(numbers);
    contexts->chosen = NULL;
    contexts_free(contexts);
    *contexts = united;
    contexts_link(contexts);
}

void contexts_add_groups(const struct contexts *contexts, const uint32_t *groups, struct profile *grouped)
{
    struct walk walk = {contexts, NONE, groups, memory_zeroed(grouped->function_count + 1, sizeof(uint32_t)),
                        NULL,     false};
    while (walk_next(&walk)) {
        const struct context *c = &contexts->items[walk.at];
        struct function *group = &grouped->functions[groups[c->function]];
        cost_add(&group->inclusive, walk.is_outermost ? c->inclusive : 0);
        count_add(&group->invocations, walk.is_outermost ? c->calls : 0);
    }
}

/* Invocations returned in the order of their records. Others have no number, and follow their callers. */
static void order_invocations(struct contexts *contexts, const uint32_t *read, size_t count)
{
    uint32_t *order = contexts->order = memory_get((contexts->count + 1) * sizeof *order);
    while (count-- > 0) {
        *order++ = read[count];
        for (uint32_t i = contexts->items[read[count]].first_child; i != NONE; i = contexts->items[i].next_sibling)
            if (contexts->items[i].number == NONE)
                *order++ = i;
    }
}

HOT uint32_t context_of_record(struct contexts *contexts, const struct replay *replay, bool by_arcs)
{
    uint32_t parent = replay->is_stepped_over ? NONE : replay->made_by.caller;
    bool is_of_part = parent == NONE && contexts->are_of_parts;
    if (!contexts->are_invocations)
        return contexts_child(contexts, parent, replay->function,
                              is_of_part ? replay->part
                              : by_arcs  ? replay->made_by.called
                                         : 0);
    if (parent != NONE)
        return parent;
    contexts_add(contexts, (struct context){.function = replay->function, .parent = NONE});
    return (uint32_t)contexts->count - 1;
}

HOT void add_invocation(struct contexts *contexts, const struct replay *replay, uint32_t number, cost_t self,
                        cost_t inclusive)
{
    struct context *context = &contexts->items[number];
    self = contexts->has_allocated && self < 0 ? 0 : self;
    if (!replay->is_stepped_over)
        add_call(contexts, context->function, (struct single_call){self, inclusive, number, replay->runs, 0, 0});
    count_add(&context->calls, !contexts->has_call_costs);
    cost_add(&context->self, self);
    cost_add(&context->inclusive, inclusive);
}

/* A waiting proxy's context is a root; if its caller is known, what it called belongs to the caller. */
void contexts_from_records(struct contexts *contexts, struct records *records, const struct profile *profile,
                           bool is_last)
{
    struct replay replay; /* callers are contexts; of invocations, those that are called */
    const struct entry *call = &replay.entry;
    bool are_invocations = contexts->are_invocations, by_arcs = contexts->call_is == CALL_IS_ARC;
    uint32_t *read = NULL; /* invocations, in the order of their records */
    size_t count = 0, capacity = 0;
    contexts->call_is = are_invocations ? CALL_IS_LINE : contexts->call_is;
    contexts->has_call_costs = are_invocations;
    struct timeline_walk time = timeline_begin(contexts->timeline, profile);
    replay_init(&replay, records, profile->function_count, is_last);
    for (; replay_take_record(&replay); count++) {
        timeline_enter(&time, &replay);
        uint32_t made_by = replay.made_by.caller, arc = replay.made_by.called;
        uint32_t number = context_of_record(contexts, &replay, by_arcs);
        bool is_stepped_over = replay.is_stepped_over, is_first = true;
        cost_t self = replay.cost;
        for (; call->kind < ENTRY_RECORD; replay_next(&replay), is_first = false) {
            if (call->kind == ENTRY_LINE) {
                contexts_add_line(contexts, number, call->number,
                                  contexts->has_allocated && call->cost < 0 ? 0 : call->cost);
                continue;
            }
            uint32_t callee = call->kind == ENTRY_WAITING ? call->number : profile->arcs[call->number].callee;
            if (call->kind != ENTRY_WAITING)
                cost_subtract(&self, call->cost);
            if (call->kind == ENTRY_LEAF) {
                uint32_t leaf = contexts_child(contexts, number, callee, by_arcs ? call->number : 0);
                add_invocation(contexts, &replay, leaf, call->cost, call->cost);
                continue;
            }
            uint32_t target = call->kind == ENTRY_CALL ? callee : call->target;
            uint32_t waiting = is_stepped_over ? made_by : number, span = timeline_call(&time, &replay, callee);
            if (are_invocations && !is_stepped_over)
                waiting = add_called(contexts, profile, number, call, is_first);
            uint32_t called = call->kind != ENTRY_WAITING ? call->number
                              : is_stepped_over           ? arc
                                                : profile_find_arc(profile, replay.function, call->number, call->line);
            if ((profile->functions[target].flags & FUNCTION_HAS_RECORD) != 0)
                replay_wait(&replay, target, &(struct waiting_call){waiting, called, span});
        }
        if (are_invocations) {
            struct context *context = &contexts->items[number];
            array_reserve(&read, &capacity, count + 1, sizeof *read);
            read[count] = number;
            context->number = 0;
            context->inclusive = 0;
        }
        add_invocation(contexts, &replay, number, self, replay.inclusive);
    }
    timeline_end(&time);
    contexts_end_calls(contexts, profile, replay.runs);
    if (are_invocations)
        order_invocations(contexts, read, count);
    else
        contexts_link(contexts);
    memory_free(read);
}

void contexts_make_arcs(struct contexts *contexts, struct profile *profile, bool is_outermost, bool is_sampled)
{
    struct context *items = contexts->items;
    struct line_costs *lines = contexts->call_is == CALL_IS_ROW ? profile->lines : NULL;
    /* No more arcs than contexts are new; others have the first numbers. */
    struct walk walk = walk_counting(contexts, profile, profile->arc_count + contexts->count);
    while (walk_next(&walk)) {
        struct context *context = &items[walk.at];
        struct function *f = &profile->functions[context->function];
        uint64_t samples = is_sampled ? context->calls : 0;
        cost_add(&f->self, is_sampled ? context->self : 0);
        if (walk.is_outermost || !is_outermost) {
            cost_add(&f->inclusive, is_sampled ? context->inclusive : 0);
            count_add(&f->invocations, samples);
        }
        if (context->parent == NONE)
            continue;
        uint32_t row = context->call;
        context->number = profile_add_call(profile, items[context->parent].function, context->function,
                                           lines != NULL ? lines->rows[row].key.line : 0, context->calls - samples, 0);
        f->flags |= FUNCTION_IS_CALLED;
        if (walk.arcs[context->number]++ == 0 || !is_outermost) {
            count_add(&profile->arcs[context->number].calls, samples);
            cost_add(&profile->arcs[context->number].cost, context->inclusive);
            cost_add(&f->call_cost, context->inclusive);
            if (lines != NULL) {
                count_add(&lines->rows[row].calls, context->calls);
                line_costs_add(lines, row, 0, context->inclusive);
            }
        }
        context->call = lines != NULL ? context->number : row;
    }
    contexts->call_is = lines != NULL ? CALL_IS_ARC : contexts->call_is;
}

void contexts_add_outermost(const struct contexts *contexts, struct profile *profile)
{
    struct walk walk = walk_counting(contexts, profile, profile->arc_count);
    while (walk_next(&walk)) {
        struct context *context = &contexts->items[walk.at];
        struct function *f = &profile->functions[context->function];
        context->number = context->parent == NONE && contexts->are_of_parts ? NONE : context->call;
        cost_add(&f->inclusive, walk.is_outermost ? context->inclusive : 0);
        if (context->number == NONE)
            continue;
        cost_t cost = contexts_call_cost(contexts, context);
        cost_add(&f->call_cost, walk.is_outermost ? cost : 0);
        if (walk.arcs[context->call]++ == 0)
            cost_add(&profile->arcs[context->call].cost, cost);
    }
}

void contexts_sum_self_costs(struct contexts *contexts)
{
    for (size_t i = 0; i < contexts->count; i++)
        contexts->items[i].inclusive = contexts->items[i].self;
    for (size_t i = contexts->count; i-- > 0;)
        if (contexts->items[i].parent != NONE)
            cost_add(&contexts->items[contexts->items[i].parent].inclusive, contexts->items[i].inclusive);
}

void contexts_add_self_costs(struct contexts *contexts, struct profile *profile)
{
    struct function *functions = profile->functions;
    for (size_t i = 0; i < profile->function_count; i++)
        if ((functions[i].flags & FUNCTION_HAS_RECORD) != 0)
            functions[i].inclusive = functions[i].call_cost = 0;
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct cg2wg_arc *arc = &profile->arcs[i];
        if ((functions[arc->callee].flags & FUNCTION_HAS_RECORD) != 0)
            arc->cost = 0;
    }
    contexts_sum_self_costs(contexts);
    contexts_add_outermost(contexts, profile);
}

cost_t *contexts_allocated(struct contexts *contexts, const struct profile *profile)
{
    size_t count = profile->function_count;
    cost_t *allocated = memory_zeroed(count + 2, sizeof *allocated), *all = &allocated[count], *kept = all + 1;
    for (size_t i = 0; i < contexts->count; i++)
        cost_add(kept, contexts->items[i].parent == NONE ? contexts->items[i].inclusive : 0);
    contexts_sum_self_costs(contexts);
    struct walk walk = walk_counting(contexts, profile, profile->arc_count);
    while (walk_next(&walk)) {
        const struct context *context = &contexts->items[walk.at];
        cost_add(&allocated[context->function], walk.is_outermost ? context->inclusive : 0);
        cost_add(all, context->self);
    }
    return allocated;
}

/* Appends those of another profile, as invocations. `renumbered`: their functions here; NULL: they are the same. */
static void append_contexts(struct contexts *contexts, const struct contexts *other, const struct profile *profile,
                            const uint32_t *renumbered)
{
    uint32_t first = (uint32_t)contexts->count;
    for (size_t i = 0; i < other->lines.index.used; i++) {
        const struct context_line *line = &other->lines.items[i];
        uint32_t row = renumbered != NULL ? profile->lines->renumbered[line->row] : line->row;
        contexts_add_line(contexts, first + line->context, row, line->cost);
    }
    array_reserve(&contexts->order, &contexts->order_capacity, first + other->count + 1, sizeof *contexts->order);
    for (size_t i = 0; i < other->count; i++) {
        struct context context = other->items[i];
        contexts->order[contexts->count] = first + (uint32_t)(contexts_ordered(other, i) - other->items);
        if (contexts->has_call_costs)
            context.call_cost = contexts_call_cost(other, &context);
        context.call = context.parent == NONE && other->are_of_parts ? 0 : contexts_call_line(other, profile, &context);
        context.parent += context.parent != NONE ? first : 0;
        if (renumbered != NULL && context.function != NONE)
            context.function = renumbered[context.function];
        contexts_add(contexts, context);
    }
}

void contexts_append(struct contexts *contexts, const struct profile *profile, const struct contexts *other,
                     const struct profile *of_other, const uint32_t *renumbered)
{
    if (contexts->order_capacity == 0) { /* these are of the first profile */
        struct contexts first = *contexts;
        *contexts = (struct contexts){.call_is = CALL_IS_LINE,
                                      .has_call_costs = first.are_invocations,
                                      .is_cut = first.is_cut,
                                      .keeps_lines = first.keeps_lines};
        append_contexts(contexts, &first, profile, NULL);
        contexts_free(&first);
    }
    append_contexts(contexts, other, of_other, renumbered);
    contexts->is_cut |= other->is_cut;
}

struct cg2wg_context *contexts_move_ordered(struct contexts *contexts)
{
    struct cg2wg_context *ordered = memory_zeroed(contexts->count + 1, sizeof *ordered);
    uint32_t *numbers = memory_zeroed(contexts->count + 1, sizeof *numbers), count = 0; /* new, by the old ones */
    for (uint32_t i = NONE; (i = contexts_next(contexts, i)) != NONE;) {
        const struct context *c = &contexts->items[i];
        uint32_t parent = c->parent == NONE ? CG2WG_NO_CONTEXT : numbers[c->parent];
        numbers[i] = count;
        ordered[count++] = (struct cg2wg_context){c->function, parent, c->calls, c->self, c->inclusive};
    }
    memory_free(numbers);
    contexts_free(contexts);
    return ordered;
}
