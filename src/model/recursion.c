/* SPDX-License-Identifier: MIT */
#include "model/recursion.h"

/* What the search knows about a function. */
struct node {
    uint32_t next_call; /* the first of its calls that has not been followed, plus 1; 0: there is none */
    uint32_t order;     /* in which functions were reached, from 1; 0: not yet */
    uint32_t low;       /* the earliest function on the stack that can be reached */
    uint32_t caller;    /* from which it was reached, or NONE */
    uint32_t below;     /* on the stack: the function below it, or NONE */
    bool calls_itself;
};

/* Tarjan's search for strongly connected components, without recursion. */
struct cycle_search {
    struct node *nodes; /* by function */
    struct followed_call {
        uint32_t callee;
        uint32_t next;   /* of the same caller, plus 1; or 0 */
    } *calls;            /* arcs, then links: fewer than 2^32 */
    uint32_t *component; /* of each function; NONE: not yet known */
    uint32_t top;        /* of the stack, which holds functions that have no component yet; or NONE */
    uint32_t reached;
    uint32_t cycles, others; /* components so far; the others are numbered downwards */
};

static void search_from(struct cycle_search *s, uint32_t first)
{
    s->nodes[first].caller = NONE;
    for (uint32_t function = first; function != NONE;) {
        struct node *node = &s->nodes[function];
        if (node->order == 0) {
            node->order = node->low = ++s->reached;
            node->below = s->top;
            s->top = function;
            s->component[function] = NONE;
        }
        if (node->next_call != 0) {
            const struct followed_call *call = &s->calls[node->next_call - 1];
            struct node *callee = &s->nodes[call->callee];
            node->next_call = call->next;
            node->calls_itself |= callee == node;
            if (callee->order == 0) {
                callee->caller = function;
                function = call->callee;
            } else if (s->component[call->callee] == NONE && callee->order < node->low) {
                node->low = callee->order;
            }
            continue;
        }
        /* All its callees have been followed. If no earlier function can be reached, a component is complete. */
        if (node->caller != NONE && node->low < s->nodes[node->caller].low)
            s->nodes[node->caller].low = node->low;
        if (node->low == node->order) {
            uint32_t component = s->top != function || node->calls_itself ? s->cycles++ : --s->others;
            for (; s->top != node->below; s->top = s->nodes[s->top].below)
                s->component[s->top] = component;
        }
        function = node->caller;
    }
}

uint32_t *recursion_components(const struct profile *profile, const struct records *records)
{
    size_t functions = profile->function_count, arcs = profile->arc_count;
    size_t calls = arcs + (records != NULL ? records->links.index.used : 0);
    struct cycle_search s = {.nodes = memory_zeroed(functions + 1, sizeof *s.nodes),
                             .calls = memory_zeroed(calls + 1, sizeof *s.calls),
                             .component = memory_zeroed(functions + 1, sizeof *s.component),
                             .top = NONE,
                             .others = (uint32_t)functions};
    for (size_t i = calls; i-- > 0;) {
        struct link call = i < arcs ? (struct link){profile->arcs[i].caller, profile->arcs[i].callee}
                                    : records->links.items[i - arcs];
        uint32_t *first = &s.nodes[call.caller].next_call;
        s.calls[i] = (struct followed_call){call.callee, *first};
        *first = (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < functions; i++)
        if (s.nodes[i].order == 0)
            search_from(&s, i);
    memory_free(s.nodes);
    memory_free(s.calls);
    s.component[functions] = s.cycles;
    return s.component;
}

/* The lower bound of each function's inclusive cost: the function itself and its calls out of its cycle. */
static cost_t *find_least(const struct profile *profile, const uint32_t *component)
{
    cost_t *least = memory_zeroed(profile->function_count + 1, sizeof *least);
    for (size_t i = 0; i < profile->function_count; i++)
        least[i] = profile->functions[i].self;
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        cost_add(&least[arc->caller], component[arc->caller] != component[arc->callee] ? arc->cost : 0);
    }
    return least;
}

/*
 * An inclusive cost has three upper bounds: the function and its calls of others; all in and below the cycle; the cost
 * of all calls by others, if calls into the cycle account for all of it (or nobody called some function of it).
 */
void recursion_limit_cycles(struct profile *profile, const struct event_graph *graph)
{
    struct known {
        cost_t within;   /* of a function: cost of its calls of other functions in the cycle */
        cost_t entering; /* of a function: cost of all calls of it by others */
    } *known = memory_zeroed(profile->function_count + 1, sizeof *known);
    struct cycle {
        cost_t total;    /* cost of its functions and everything that they call */
        cost_t entering; /* cost of calls into it from outside */
    } *cycles = memory_zeroed(profile->function_count + 1, sizeof *cycles);
    uint32_t *component = graph != NULL ? graph->component : recursion_components(profile, NULL);
    cost_t *least = find_least(profile, component);
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&cycles[component[i]].total, profile->functions[i].self);
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        bool is_within = component[arc->caller] == component[arc->callee];
        if (arc->caller == arc->callee)
            continue;
        cost_add(&known[arc->caller].within, is_within ? arc->cost : 0);
        cost_add(&known[arc->callee].entering, arc->cost);
        cost_add(&cycles[component[arc->caller]].total, is_within ? 0 : arc->cost);
        cost_add(&cycles[component[arc->callee]].entering, is_within ? 0 : arc->cost);
    }
    for (size_t i = 0; i < profile->function_count; i++) {
        struct function *f = &profile->functions[i];
        const struct cycle *cycle = &cycles[component[i]];
        if (component[i] >= component[profile->function_count])
            continue;
        cost_t most = least[i];
        cost_add(&most, known[i].within);
        most = MIN(most, cycle->total);
        if (cycle->entering >= cycle->total)
            most = MIN(most, known[i].entering);
        f->inclusive = MAX(most, least[i]);
        f->call_cost = MIN(f->call_cost, f->inclusive);
    }
    /* A call costs at most as much as its callee, and as its caller. */
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct cg2wg_arc *arc = &profile->arcs[i];
        if (component[arc->caller] == component[arc->callee])
            arc->cost = MIN(arc->cost,
                            MIN(profile->functions[arc->caller].inclusive, profile->functions[arc->callee].inclusive));
    }
    if (graph == NULL)
        memory_free(component);
    memory_free(least);
    memory_free(known);
    memory_free(cycles);
}

/*
 * The name without a level's mark: a quote and a number from 2, at the end or before a quote (a caller's). NONE: none.
 */
static uint32_t find_first_name(struct names *names, uint32_t name)
{
    struct text text = names_text(names, name);
    for (const char *p = text.at; (p = memchr(p, '\'', (size_t)(text.end - p))) != NULL; p++) {
        struct text rest = {p + 1, text.end};
        uint64_t level;
        if (p > text.at && !text_starts(rest, "0") && text_take_number(&rest, &level, NULL) && level >= 2 &&
            (text_is_empty(rest) || *rest.at == '\''))
            return names_intern_parts(names, (struct text[]){{text.at, p}, rest}, 2);
    }
    return NONE;
}

/*
 * Makes deeper levels parts of their first, which have self costs and invocations only. An arc from a deeper level to
 * another may be a call inside another call of the same arc, as both ends are already running; so its cost is left out.
 * `graph`, unless NULL, gets the functions and arcs as they were, for recursion_limit to set costs; so arcs lose them.
 */
static uint32_t *fold_levels(struct profile *profile, struct event_graph *graph)
{
    /* By function: its first level, if it is a deeper one; otherwise NONE. */
    uint32_t *first = memory_zeroed(profile->function_count + 1, sizeof *first);
    struct level {
        uint32_t name, first_name; /* the latter by find_first_name. NAME_EMPTY: not yet known; none is empty */
    };
    SET(struct level) levels = {.capacity = 0}; /* a part may have few of the names */
    bool any = false;
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        struct level level = {.name = f->name};
        uint32_t number = SET_INTERN(&levels, level, sizeof level.name), *name = &levels.items[number].first_name;
        if (*name == NAME_EMPTY)
            *name = find_first_name(&profile->names, f->name);
        first[i] = *name == NONE
                       ? NONE
                       : profile_find_function(profile, (enum identity)f->identity, f->object, f->file, *name);
        any |= first[i] != NONE;
    }
    SET_FREE(&levels);
    if (!any)
        return NULL;
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct cg2wg_arc *arc = &profile->arcs[i];
        if (graph != NULL || (first[arc->caller] != NONE && first[arc->callee] != NONE))
            arc->cost = 0;
    }
    for (uint32_t i = 0; i < profile->function_count; i++) {
        struct function *deeper = &profile->functions[i];
        if (first[i] == NONE)
            continue;
        while (first[first[i]] != NONE) /* A name may have two marks. Without one it is shorter, so this ends. */
            first[i] = first[first[i]];
        const struct function *f = &profile->functions[first[i]];
        *deeper = (struct function){.object = f->object,
                                    .file = f->file,
                                    .name = f->name,
                                    .identity = f->identity,
                                    .flags = (deeper->flags & FUNCTION_HAS_RECORD) | FUNCTION_IS_DEEPER,
                                    .self = deeper->self,
                                    .invocations = deeper->invocations};
    }
    profile_unite(profile, first, graph != NULL ? &graph->arcs : NULL, graph != NULL ? &graph->whole : NULL);
    return first;
}

struct event_graph *recursion_share(struct profile *profile)
{
    struct event_graph *graph = memory_zeroed(1, sizeof *graph);
    profile_complete(profile);
    graph->component = recursion_components(profile, NULL);
    graph->functions = profile->marks_levels ? fold_levels(profile, graph) : NULL;
    if (graph->functions != NULL)
        graph->folded = recursion_components(profile, NULL);
    return graph;
}

/* Sets the costs of an event's profile, which has been folded, to those of what it was before. */
static void add_folded(struct profile *profile, const struct event_graph *graph)
{
    const struct profile *whole = &graph->whole;
    for (size_t i = 0; i < profile->function_count; i++)
        profile->functions[i].self = 0;
    for (size_t i = 0; i < whole->function_count; i++) {
        struct function f = whole->functions[i], *sum = &profile->functions[graph->functions[i]];
        bool is_deeper = (f.flags & FUNCTION_IS_DEEPER) != 0;
        cost_add(&sum->self, f.self);
        sum->inclusive = is_deeper ? sum->inclusive : f.inclusive;
        sum->call_cost = is_deeper ? sum->call_cost : f.call_cost;
    }
    for (size_t i = 0; i < whole->arc_count; i++) {
        const struct cg2wg_arc *arc = &whole->arcs[i];
        if ((whole->functions[arc->caller].flags & whole->functions[arc->callee].flags & FUNCTION_IS_DEEPER) == 0)
            cost_add(&profile->arcs[graph->arcs[i]].cost, arc->cost);
    }
}

uint32_t *recursion_limit(struct profile *profile, struct event_graph *graph)
{
    uint32_t *functions = graph != NULL ? graph->functions : NULL;
    recursion_limit_cycles(functions != NULL ? &graph->whole : profile, graph);
    if (functions != NULL)
        add_folded(profile, graph);
    else if (graph == NULL && profile->marks_levels)
        functions = fold_levels(profile, NULL);
    if (functions == NULL)
        return NULL;
    /* Deeper levels run inside the first, unless the program switched instrumentation on between the two. */
    uint32_t *component = graph != NULL ? graph->folded : recursion_components(profile, NULL);
    cost_t *least = find_least(profile, component);
    for (size_t i = 0; i < profile->function_count; i++)
        profile->functions[i].inclusive = MAX(profile->functions[i].inclusive, least[i]);
    if (graph == NULL)
        memory_free(component);
    memory_free(least);
    return functions;
}

/*
 * ---- from records ---------------------------------------------------------------------------
 *
 * The log is read backwards (records.h), so that who called an invocation is known before what it called. If an
 * invocation runs inside another one of its function, the functions between them call each other, so that they are in
 * one cycle of the call graph, and so are both ends of a call inside another one of its arc. Thus
 *
 * - sums are right for functions in no cycle and for arcs from one component to another;
 * - an invocation that was called from outside its component runs inside no function of it. If it did, the path to it
 *   would be a cycle through its caller. So the contexts of a component begin where it is entered;
 * - only records of functions in cycles and calls of such functions matter, also calls from outside, because they
 *   claim invocations. A proxy that has waited is tied to its calls even if it is in no cycle, because these calls
 *   determine who claims the invocation that it made.
 */

/* Functions in cycles, and arcs within one, lose their costs; these functions get those of the calls from outside. */
static void leave_out_cycles(struct profile *profile, const uint32_t *component, uint32_t cycle_count)
{
    for (uint32_t i = 0; i < profile->function_count; i++)
        if (component[i] < cycle_count)
            profile->functions[i].inclusive = profile->functions[i].call_cost = 0;
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct cg2wg_arc *arc = &profile->arcs[i];
        if (component[arc->caller] == component[arc->callee])
            arc->cost = 0;
        else if (component[arc->callee] < cycle_count)
            cost_add(&profile->functions[arc->callee].call_cost, arc->cost);
    }
}

/*
 * A proxy's waiting record is stepped over if its caller is known: that caller's call made the invocation that the
 * proxy called, which comes next among its function's, before all others. (If that is another such proxy, the claim is
 * passed on again.) The proxy's self cost is no longer part of the caller's cost, even if that is an invocation of the
 * same proxy, but of the costs of those that called the caller. Without a caller, the record is like any other.
 */
void outermost_apply(struct records *records, struct profile *profile)
{
    struct contexts contexts = {.call_is = CALL_IS_ARC, .has_call_costs = true};
    struct replay replay;
    const struct entry *call = &replay.entry;
    uint32_t *component = recursion_components(profile, records), cycle_count = component[profile->function_count];
    array_reserve(&contexts.items, &contexts.capacity, 1, sizeof *contexts.items); /* they have an address */
    replay_init(&replay, records, profile->function_count, true);
    while (cycle_count > 0 && replay_take_record(&replay)) {
        struct waiting_call made_by = replay.made_by;
        bool is_stepped_over = replay.is_stepped_over;
        uint32_t function = replay.function, context = is_stepped_over ? NONE : made_by.called;
        if (context == NONE && component[function] < cycle_count) {
            uint32_t caller = is_stepped_over ? contexts.items[made_by.caller].parent : NONE;
            context = contexts_child(&contexts, caller, function, NONE);
        }
        if (context != NONE)
            cost_add(&contexts.items[context].inclusive, replay.inclusive);
        for (; call->kind < ENTRY_RECORD; replay_next(&replay)) {
            if (call->kind == ENTRY_LINE)
                continue;
            bool is_leaf = call->kind == ENTRY_LEAF;
            uint32_t target = is_leaf || call->kind == ENTRY_CALL ? profile->arcs[call->number].callee : call->target;
            uint32_t arc = call->number;
            struct waiting_call waiting = made_by;
            if (component[target] >= cycle_count && (profile->functions[target].flags & FUNCTION_IS_PROXY) == 0)
                continue;
            if (call->kind == ENTRY_WAITING && !is_stepped_over)
                arc = profile_find_arc(profile, function, arc, call->line);
            if (!is_stepped_over && arc == NONE)
                continue;
            if (!is_stepped_over) {
                uint32_t callee = profile->arcs[arc].callee;
                if (context == NONE)
                    context = contexts_child(&contexts, NONE, function, NONE);
                waiting = (struct waiting_call){context, NONE, NONE};
                if (component[callee] == component[function]) {
                    waiting.called = contexts_child(&contexts, context, callee, arc);
                    cost_add(&contexts.items[waiting.called].call_cost, call->cost);
                }
            }
            if (!is_leaf) {
                replay_wait(&replay, target, &waiting);
                continue;
            }
            uint32_t leaf = waiting.called != NONE ? waiting.called : contexts_child(&contexts, NONE, target, NONE);
            cost_add(&contexts.items[leaf].inclusive, call->cost);
        }
    }
    leave_out_cycles(profile, component, cycle_count);
    contexts_link(&contexts);
    contexts_add_outermost(&contexts, profile);
    contexts_free(&contexts);
}
