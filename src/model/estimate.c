/* SPDX-License-Identifier: MIT */
#include "model/recursion.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- a heap: the largest first, and of equals, the smallest number ------------------------- */

struct heap {
    struct heap_item {
        double key;
        uint32_t number;
    } *items;
    size_t count, capacity;
};

static bool precedes(const struct heap_item *a, const struct heap_item *b)
{
    return a->key > b->key || (!(a->key < b->key) && a->number < b->number);
}

static void heap_push(struct heap *heap, double key, uint32_t number)
{
    struct heap_item item = {key, number};
    array_append(&heap->items, &heap->count, &heap->capacity, &item, sizeof item);
    size_t at = heap->count - 1;
    for (; at > 0 && precedes(&item, &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = item;
}

/* There is one. */
static struct heap_item heap_pop(struct heap *heap)
{
    struct heap_item first = heap->items[0], item = heap->items[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && precedes(&heap->items[child + 1], &heap->items[child]);
        if (!precedes(&heap->items[child], &item))
            break;
        heap->items[at] = heap->items[child];
        at = child;
    }
    heap->items[at] = item;
    return first;
}

/* ---- the graph ---------------------------------------------------------------------------- */

struct estimate {
    const struct profile *profile;
    struct arc_lists lists;
    uint32_t *component;   /* of each function: see recursion_components */
    struct node {          /* by function, and for roots: */
        uint32_t rank;     /* in a cycle: only calls to a higher one count */
        uint32_t order;    /* a function, callers before those that they call on a path; by position */
        bool is_negative;  /* with its calls, and all calls of it: only those below 0 count */
        double root;       /* what it costs outside of all calls */
        double entered;    /* that, and all calls of it that count */
        double total;      /* its self cost, and its parts of what it calls */
        size_t start, end; /* its parts */
    } *nodes;
    struct part { /* of the total of a function: what it calls, the largest first */
        double cost;
        uint32_t callee;
    } *parts;
};

static bool is_within(const struct estimate *e, const struct cg2wg_arc *arc)
{
    return e->component[arc->caller] == e->component[arc->callee];
}

/*
 * Does a call count? In a cycle, it must lead away from the entry. What was given back (below 0) is divided likewise.
 */
static bool is_forward(const struct estimate *e, const struct cg2wg_arc *arc)
{
    return arc->cost != 0 && (arc->cost < 0) == e->nodes[arc->callee].is_negative &&
           (!is_within(e, arc) || e->nodes[arc->caller].rank < e->nodes[arc->callee].rank);
}

/* What a root costs, or gives back, more than all calls of it; a little more comes from rounding. */
static double without_calls(double cost, double called)
{
    double sign = cost < 0 && called < 0 ? -1 : 1, rest = sign * (cost - called);
    return rest > 0 && rest >= sign * called / 200 ? rest : 0;
}

/*
 * A function's cost with its calls is that of all calls of it, also in a cycle, if both count what recurs each time.
 * Samples count it once, wherever it occurs, so roots in a cycle cost no more than it. What was given back counts so.
 */
static void find_roots(struct estimate *e)
{
    const struct profile *profile = e->profile;
    size_t functions = profile->function_count;
    struct sums {
        double cost, called;                    /* of a function: with its calls, and all calls of it */
        double cycle_cost, cycle_called, roots; /* of a cycle, or of what is in none */
    } *sums = memory_zeroed(functions + 1, sizeof *sums);
    for (size_t i = 0; i < functions; i++) {
        sums[i].cost += (double)profile->functions[i].self;
        sums[e->component[i]].cycle_cost += (double)profile->functions[i].self;
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        sums[arc->caller].cost += (double)arc->cost;
        sums[arc->callee].called += (double)arc->cost;
        sums[e->component[arc->caller]].cycle_cost += is_within(e, arc) ? 0 : (double)arc->cost;
        sums[e->component[arc->callee]].cycle_called += is_within(e, arc) ? 0 : (double)arc->cost;
    }
    for (size_t i = 0; i < functions; i++) {
        e->nodes[i].is_negative = sums[i].cost < 0 && sums[i].called < 0;
        e->nodes[i].root = without_calls(sums[i].cost, sums[i].called);
        sums[e->component[i]].roots += e->nodes[i].root;
    }
    for (size_t i = 0; i < functions; i++) {
        const struct sums *cycle = &sums[e->component[i]];
        double most = without_calls(cycle->cycle_cost, cycle->cycle_called);
        e->nodes[i].root *= most < cycle->roots ? most / cycle->roots : 1;
    }
    memory_free(sums);
}

/* Each cycle, from where it is entered, along its most expensive calls: so each function is called by one before it. */
static void rank_cycles(struct estimate *e)
{
    const struct profile *profile = e->profile;
    struct heap heap = {.count = 0};
    uint32_t rank = 0;
    double *entering = memory_zeroed(profile->function_count + 1, sizeof *entering);
    for (size_t i = 0; i < profile->arc_count; i++)
        if (!is_within(e, &profile->arcs[i]))
            entering[profile->arcs[i].callee] += (double)cost_size(profile->arcs[i].cost);
    for (uint32_t i = 0; i < profile->function_count; i++)
        if (e->component[i] < e->component[profile->function_count])
            heap_push(&heap, entering[i], i);
    while (heap.count > 0) {
        uint32_t function = heap_pop(&heap).number;
        if (e->nodes[function].rank != 0)
            continue;
        e->nodes[function].rank = ++rank;
        for (uint32_t i = e->lists.sub_calls.start[function]; i < e->lists.sub_calls.start[function + 1]; i++) {
            const struct cg2wg_arc *arc = &profile->arcs[e->lists.sub_calls.numbers[i]];
            if (is_within(e, arc) && e->nodes[arc->callee].rank == 0)
                heap_push(&heap, (double)cost_size(arc->cost), arc->callee);
        }
    }
    memory_free(heap.items);
    memory_free(entering);
}

COMPARISON(by_cost, struct part,
           a->cost > b->cost || a->cost < b->cost ? ORDER(b->cost, a->cost) : ORDER(a->callee, b->callee))

/* Adds up totals, callees first. The calls that count make no cycle. */
static void find_parts(struct estimate *e)
{
    const struct profile *profile = e->profile;
    const struct buckets *calls = &e->lists.sub_calls;
    size_t functions = profile->function_count, count = 0;
    uint32_t *callers = memory_zeroed(functions + 1, sizeof *callers); /* how many calls of each have not been met */
    struct node *nodes = e->nodes;
    for (size_t i = 0; i < functions; i++)
        nodes[i].entered = nodes[i].root;
    for (size_t i = 0; i < profile->arc_count; i++)
        if (is_forward(e, &profile->arcs[i])) {
            callers[profile->arcs[i].callee]++;
            nodes[profile->arcs[i].callee].entered += (double)cost_size(profile->arcs[i].cost);
        }
    for (uint32_t i = 0; i < functions; i++) {
        if (callers[i] == 0)
            nodes[count++].order = i;
        if (!(nodes[i].entered > 0)) /* its calls cost nothing, but it does */
            nodes[i].root = nodes[i].entered = 1;
    }
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = calls->start[nodes[i].order]; k < calls->start[nodes[i].order + 1]; k++) {
            const struct cg2wg_arc *arc = &profile->arcs[calls->numbers[k]];
            if (is_forward(e, arc) && --callers[arc->callee] == 0)
                nodes[count++].order = arc->callee;
        }
    size_t used = 0;
    for (size_t i = count; i-- > 0;) {
        uint32_t function = nodes[i].order;
        nodes[function].start = used;
        nodes[function].total = (double)cost_size(profile->functions[function].self);
        for (uint32_t k = calls->start[function]; k < calls->start[function + 1]; k++) {
            const struct cg2wg_arc *arc = &profile->arcs[calls->numbers[k]];
            double part = is_forward(e, arc) ? (double)cost_size(arc->cost) / nodes[arc->callee].entered : 0;
            double cost = nodes[arc->callee].total * part;
            nodes[function].total += cost;
            if (cost > 0)
                e->parts[used++] = (struct part){cost, arc->callee};
        }
        nodes[function].end = used;
    }
    nodes[functions].start = used;
    for (uint32_t i = 0; i < functions; i++)
        if (nodes[i].root > 0 && nodes[i].total > 0)
            e->parts[used++] = (struct part){nodes[i].total * (nodes[i].root / nodes[i].entered), i};
    nodes[functions].end = used;
    for (size_t i = 0; i <= functions; i++)
        if (nodes[i].end - nodes[i].start > 1)
            qsort(&e->parts[nodes[i].start], nodes[i].end - nodes[i].start, sizeof *e->parts, by_cost);
    memory_free(callers);
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* A context whose parts have not all become contexts. The first one is above all roots. */
struct open_context {
    double cost, total, used; /* of it; what its function costs, and how much of that its self cost and contexts have */
    size_t next, end;         /* parts */
};

static void push_next(const struct estimate *e, struct heap *heap, const struct open_context *open, uint32_t number)
{
    double cost = open->next < open->end ? open->cost * (e->parts[open->next].cost / open->total) : 0;
    if (cost >= 0.5)
        heap_push(heap, cost, number);
}

/* Where a function is called for most; NULL: it costs more outside of all calls. */
static const struct cg2wg_arc *main_call(const struct estimate *e, uint32_t function)
{
    const struct buckets *calls = &e->lists.called_from;
    const struct cg2wg_arc *most = NULL;
    for (uint32_t i = calls->start[function]; i < calls->start[function + 1]; i++) {
        const struct cg2wg_arc *arc = &e->profile->arcs[calls->numbers[i]];
        if (is_forward(e, arc) &&
            (double)cost_size(arc->cost) > (most != NULL ? (double)cost_size(most->cost) : e->nodes[function].root))
            most = arc;
    }
    return most;
}

/* A function whose contexts would all cost next to nothing gets one, below the largest of who calls it for most. */
static void add_small(const struct estimate *e, struct contexts *contexts)
{
    size_t functions = e->profile->function_count;
    uint32_t *first = memory_zeroed(functions + 1, sizeof *first); /* the largest context of each, from 1 */
    bool *is_wanted = memory_zeroed(functions + 1, sizeof *is_wanted);
    for (uint32_t i = (uint32_t)contexts->count; i > 0; i--)
        first[contexts->items[i - 1].function] = i;
    for (size_t i = functions; i-- > 0;) { /* callees first */
        uint32_t function = e->nodes[i].order;
        is_wanted[function] |= e->profile->functions[function].self != 0;
        is_wanted[function] &= first[function] == 0;
        const struct cg2wg_arc *call = is_wanted[function] ? main_call(e, function) : NULL;
        if (call != NULL)
            is_wanted[call->caller] = true;
    }
    for (size_t i = 0; i < functions; i++) {
        uint32_t function = e->nodes[i].order;
        if (!is_wanted[function])
            continue;
        const struct cg2wg_arc *call = main_call(e, function);
        contexts_add(contexts,
                     (struct context){.function = function, .parent = call != NULL ? first[call->caller] - 1 : NONE});
        first[function] = (uint32_t)contexts->count;
    }
    memory_free(first);
    memory_free(is_wanted);
}

/* ---- whole numbers ------------------------------------------------------------------------ */

/* What a context takes of a cost. */
struct share {
    uint32_t number;
    double *owed;       /* how much less it and those beside it have got so far than was due to them */
    double weight, due; /* its part of all weights is its part of the cost, which is due */
    int64_t rest;       /* what has not been given of that, in 2^-20 */
    cost_t given;
};

COMPARISON(by_rest, struct share, a->rest != b->rest ? ORDER(b->rest, a->rest) : ORDER(a->number, b->number))

/*
 * Divides a cost, or (is_negative) what is as much below 0: each share gets what is due, rounded down, and as many as
 * it takes a unit more, those that are owed most.
 */
static void apportion(cost_t cost, bool is_negative, struct share *shares, size_t count)
{
    double weights = 0, one = 1 << 20, sign = is_negative ? -1 : 1;
    cost_t left = cost;
    for (size_t i = 0; i < count; i++)
        weights += shares[i].weight;
    for (struct share *s = shares; s < shares + count; s++) {
        s->due = (double)cost * (s->weight / weights);
        s->given = s->due < (double)left ? (cost_t)s->due : left;
        left -= s->given;
        double rest = s->due - (double)s->given + sign * *s->owed;
        s->rest = (int64_t)(rest * one + (rest < 0 ? -0.5 : 0.5));
    }
    if (left > 0)
        qsort(shares, count, sizeof *shares, by_rest);
    for (size_t i = 0; i < count; i++) {
        cost_t others = (cost_t)(count - i - 1), taken = left > others ? left - others : left > 0;
        shares[i].given += taken;
        left -= taken;
        *shares[i].owed += sign * (shares[i].due - (double)shares[i].given);
        shares[i].given *= is_negative ? -1 : 1;
    }
}

/*
 * Divides self costs among contexts; `open` may have parts without any. Returns the cost of these, if there `is_more`.
 */
static cost_t share_self_costs(const struct estimate *e, struct contexts *contexts, const struct open_context *open,
                               size_t grown, bool is_more)
{
    struct context *items = contexts->items;
    size_t functions = e->profile->function_count;
    struct buckets of = array_buckets(items, contexts->count, sizeof *items, offsetof(struct context, function),
                                      functions);
    struct share *shares = memory_get((contexts->count + 1) * sizeof *shares);
    double *owed = memory_zeroed(contexts->count + 1, sizeof *owed); /* to roots, and to the callees of each context */
    cost_t missing = 0;
    for (size_t i = 0; i < functions; i++) {
        uint32_t function = e->nodes[i].order, first = of.start[function];
        size_t count = of.start[function + 1] - first;
        bool is_negative = e->profile->functions[function].self < 0;
        cost_t self = (cost_t)MIN(cost_size(e->profile->functions[function].self), (uint64_t)INT64_MAX),
               without = count > 0 ? 0 : self;
        double known = 0; /* the part of the function's cost that has contexts */
        for (size_t k = 0; k < count; k++) {
            uint32_t number = of.numbers[first + k];
            double weight = number < grown ? open[number + 1].cost / open[number + 1].total : 1;
            shares[k] = (struct share){.number = number, .owed = &owed[items[number].parent + 1], .weight = weight};
            known += weight;
        }
        double rest = (double)self * (1 - known);
        if (is_more && count > 0 && rest >= 0.5)
            without = rest < (double)self ? (cost_t)(rest + 0.5) : self;
        without = MIN(without, self);
        cost_add(&missing, is_negative ? -without : without);
        contexts->is_cut |= without > 0;
        apportion(self - without, is_negative, shares, count);
        for (size_t k = 0; k < count; k++)
            items[shares[k].number].self = shares[k].given;
    }
    memory_free(shares);
    memory_free(owed);
    return missing;
}

/* The largest parts of costs become contexts. Returns if some are left out that are not next to nothing. */
static bool grow(const struct estimate *e, struct contexts *contexts, struct open_context *open)
{
    struct heap heap = {.count = 0};
    push_next(e, &heap, &open[0], 0);
    while (heap.count > 0 && contexts->count < ESTIMATE_MOST) {
        uint32_t number = heap_pop(&heap).number, child = (uint32_t)contexts->count + 1;
        const struct part *part = &e->parts[open[number].next++];
        open[number].used += part->cost;
        const struct node *callee = &e->nodes[part->callee];
        open[child] = (struct open_context){open[number].cost * (part->cost / open[number].total), callee->total,
                                            (double)cost_size(e->profile->functions[part->callee].self), callee->start,
                                            callee->end};
        contexts_add(contexts, (struct context){.function = part->callee, .parent = number > 0 ? number - 1 : NONE});
        push_next(e, &heap, &open[number], number);
        push_next(e, &heap, &open[child], child);
    }
    memory_free(heap.items);
    return heap.count > 0;
}

/* Divides a cost among more contexts, of what is below those that are open, without a function. */
static void share_rest(struct contexts *contexts, const struct open_context *open, size_t grown, cost_t rest)
{
    struct share *shares = memory_get((grown + 1) * sizeof *shares);
    double owed = 0;
    size_t count = 0;
    for (size_t i = 0; i <= grown; i++) {
        double weight = open[i].next < open[i].end ? open[i].cost * (1 - open[i].used / open[i].total) : 0;
        if (weight > 0)
            shares[count++] = (struct share){.number = (uint32_t)i, .owed = &owed, .weight = weight};
    }
    apportion((cost_t)MIN(cost_size(rest), (uint64_t)INT64_MAX), rest < 0, shares, count);
    for (size_t i = 0; i < count; i++)
        if (shares[i].given != 0)
            contexts_add(contexts, (struct context){.function = NONE,
                                                    .parent = shares[i].number > 0 ? shares[i].number - 1 : NONE,
                                                    .self = shares[i].given});
    memory_free(shares);
}

void contexts_estimate(struct contexts *contexts, const struct profile *profile)
{
    size_t functions = profile->function_count;
    struct estimate e = {.profile = profile, .component = recursion_components(profile, NULL)};
    struct open_context *open = memory_get((ESTIMATE_MOST + 1) * sizeof *open);
    arc_lists_init(&e.lists, profile);
    e.nodes = memory_zeroed(functions + 1, sizeof *e.nodes);
    e.parts = memory_get((functions + profile->arc_count + 1) * sizeof *e.parts);
    find_roots(&e);
    rank_cycles(&e);
    find_parts(&e);
    open[0] = (struct open_context){.next = e.nodes[functions].start, .end = e.nodes[functions].end};
    for (size_t i = open[0].next; i < open[0].end; i++)
        open[0].total += e.parts[i].cost;
    open[0].cost = open[0].total;
    bool is_more = grow(&e, contexts, open);
    size_t grown = contexts->count;
    if (!is_more)
        add_small(&e, contexts);
    cost_t rest = share_self_costs(&e, contexts, open, grown, is_more);
    if (rest != 0)
        share_rest(contexts, open, grown, rest);
    contexts_link(contexts);
    memory_free(open);
    memory_free(e.parts);
}
