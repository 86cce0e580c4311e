/* SPDX-License-Identifier: MIT */
/* Runs, threads and processes of a page: what each cost, and functions in it. */
#include "view/view.h"

#include <stdlib.h>

enum { MOST_COSTS = 100000, COSTS_A_PART = 10 };

/* What adds to a part: the contexts below a root, the self cost of a function, or a total. */
struct addend {
    uint32_t key, number; /* the latter: of a context, or of listed_parts.sums; NONE: nothing */
    bool is_sum;
};

/* What functions of an input cost in the part at hand. */
struct collector {
    struct view_parts *parts;
    const struct contents *input;
    const uint32_t *renumbered; /* of functions; NULL: they are the same */
    double factor;
    struct part_sum {
        cost_t self, inclusive;
        uint32_t inside; /* how many contexts of it the walk is in */
        bool is_met;
    } *sums; /* by function */
    uint32_t *met;
    size_t met_count;
    cost_t total;
    uint64_t calls;
    bool has_inclusive;
};

static void add(struct collector *c, uint32_t function, cost_t self, cost_t inclusive)
{
    struct part_sum *sum = &c->sums[function];
    if (!sum->is_met)
        c->met[c->met_count++] = function;
    sum->is_met = true;
    cost_add(&sum->self, self);
    cost_add(&sum->inclusive, inclusive);
    cost_add(&c->total, self);
}

/* Contexts of functions are counted where they are not below others of them. */
static void add_below(struct collector *c, uint32_t root)
{
    const struct context *items = c->input->contexts.items;
    bool are_samples = c->input->facts.counts == COUNTS_SAMPLES;
    for (uint32_t i = root, next; i != NONE; i = next) {
        struct part_sum *sum = &c->sums[items[i].function];
        add(c, items[i].function, items[i].self, sum->inside++ == 0 ? items[i].inclusive : 0);
        count_add(&c->calls, are_samples && i != root ? 0 : items[i].calls);
        next = items[i].first_child;
        while (next == NONE) {
            c->sums[items[i].function].inside--;
            if (i == root)
                break;
            next = items[i].next_sibling;
            i = items[i].parent;
        }
    }
}

static double size_of(const struct part_cost *cost)
{
    double self = cost->costs[0], inclusive = cost->costs[1];
    return MAX(MAX(self, -self), MAX(inclusive, -inclusive));
}

/* The largest first, and equal ones in their order. */
static int by_size(const void *left, const void *right)
{
    const struct part_cost *a = left, *b = right;
    int order = ORDER(size_of(b), size_of(a));
    return order != 0 ? order : a->part != b->part ? ORDER(a->part, b->part) : ORDER(a->function, b->function);
}

COMPARISON(by_total, struct view_part *const,
           (*a)->total > (*b)->total || (*a)->total < (*b)->total ? ORDER((*b)->total, (*a)->total) : ORDER(*a, *b))

static void limit_costs(struct view_parts *parts, size_t most)
{
    if (parts->cost_count <= most)
        return;
    qsort(parts->costs, parts->cost_count, sizeof *parts->costs, by_size);
    parts->least = size_of(&parts->costs[most]);
    parts->cost_count = most;
}

void view_parts_limit(struct view_parts *parts, enum cg2wg_group asked, size_t most)
{
    struct view_part **sorted = memory_get((parts->count + 1) * sizeof *sorted);
    size_t count = 0, left = 0;
    for (size_t i = 0; i < parts->count; i++)
        if (view_part_is_shown(parts, &parts->all[i], asked))
            sorted[count++] = &parts->all[i];
    qsort(sorted, count, sizeof *sorted, by_total);
    for (size_t i = most; i < count; i++)
        sorted[i]->is_left_out = true;
    memory_free(sorted);
    for (size_t i = 0; i < parts->cost_count; i++)
        if (view_part_is_shown(parts, &parts->all[parts->costs[i].part], asked))
            parts->costs[left++] = parts->costs[i];
    parts->cost_count = left;
    limit_costs(parts, COSTS_A_PART * most);
}

static void end_part(struct collector *c, enum cg2wg_group by, uint32_t name, cost_t total)
{
    struct view_parts *parts = c->parts;
    struct view_part part = {by, name, NONE, c->has_inclusive, false, (double)total * c->factor, c->calls};
    cost_t most = 0;
    for (size_t i = 0; i < c->met_count; i++) {
        uint32_t function = c->met[i], number = c->renumbered != NULL ? c->renumbered[function] : function;
        struct part_sum *sum = &c->sums[function];
        if (sum->self > most || (sum->self == most && part.top != NONE && number < part.top))
            part.top = number;
        most = MAX(most, sum->self);
        struct part_cost cost = {
            (uint32_t)parts->count, number, {(double)sum->self * c->factor, (double)sum->inclusive * c->factor}};
        if (size_of(&cost) > parts->least)
            array_append(&parts->costs, &parts->cost_count, &parts->cost_capacity, &cost, sizeof cost);
        *sum = (struct part_sum){.self = 0};
    }
    array_append(&parts->all, &parts->count, &parts->capacity, &part, sizeof part);
    if (parts->cost_count > 2 * MOST_COSTS) /* so that they are not sorted after each part */
        limit_costs(parts, MOST_COSTS);
    parts->of[by - CG2WG_GROUP_RUN]++;
    c->met_count = 0;
    c->calls = 0;
    c->total = 0;
}

COMPARISON(by_key, struct addend, a->key != b->key ? ORDER(a->key, b->key) : ORDER(a->number, b->number))

/* Adds the parts of a kind. Every run is a row, but of threads only those that cost anything. */
static void add_listed(struct collector *c, struct text name, enum cg2wg_group by)
{
    const struct listed_parts *listed = c->input->listed;
    const struct contexts *contexts = &c->input->contexts;
    struct addend *addends = NULL; /* by part */
    size_t count = 0, capacity = 0, kind = by - CG2WG_GROUP_RUN;
    array_reserve(&addends, &capacity, 1, sizeof *addends);
    for (size_t i = 0; i < listed->count && by == CG2WG_GROUP_RUN; i++)
        array_append(&addends, &count, &capacity, &(struct addend){listed->all[i].keys[kind], NONE, false},
                     sizeof *addends);
    for (uint32_t i = contexts->are_of_parts ? contexts->first_root : NONE; i != NONE;
         i = contexts->items[i].next_sibling) {
        struct addend added = {listed->all[contexts->items[i].call].keys[kind], i, false};
        array_append(&addends, &count, &capacity, &added, sizeof added);
    }
    bool has_sums = !contexts->are_of_parts || contexts->has_allocated;
    for (uint32_t i = 0; i < listed->sums.index.used && has_sums; i++) {
        struct addend added = {listed->all[listed->sums.items[i].part].keys[kind], i, true};
        array_append(&addends, &count, &capacity, &added, sizeof added);
    }
    qsort(addends, count, sizeof *addends, by_key);
    c->has_inclusive = (contexts->are_of_parts || listed->sums.index.used == 0) && c->input->allocated == NULL;
    for (size_t i = 0; i < count; i++) {
        const struct addend *a = &addends[i];
        if (a->key == NAME_EMPTY)
            continue;
        if (a->is_sum) {
            uint32_t function = listed->sums.items[a->number].function;
            add(c, listed->renumbered != NULL ? listed->renumbered[function] : function,
                listed->costs[a->number * listed->events + listed->event], 0);
        } else if (a->number != NONE) {
            add_below(c, a->number);
        }
        if (i + 1 < count && a[1].key == a->key)
            continue;
        struct text own = by != CG2WG_GROUP_RUN ? names_text(&c->input->profile.names, a->key) : name;
        end_part(c, by,
                 by == CG2WG_GROUP_RUN ? parts_name_run(&c->parts->names, name, a->key)
                                       : parts_name_thread(&c->parts->names, name, own, c->parts->are_several),
                 c->total);
    }
    memory_free(addends);
}

void view_parts_add(struct view_parts *parts, struct text name, const struct contents *input,
                    const uint32_t *renumbered, const struct view *view, double factor)
{
    const struct profile *profile = &input->profile;
    const struct contexts *contexts = &input->contexts;
    size_t count = profile->function_count, number = 0;
    bool are_known = input->listed->runs > 1, have_totals = input->listed->has_totals && input->facts.summaries > 1;
    bool are_samples = view->counts == COUNTS_SAMPLES && input->has_contexts;
    struct collector c = {.parts = parts, .input = input, .renumbered = renumbered, .factor = factor};
    c.sums = memory_zeroed(count + 1, sizeof *c.sums);
    c.met = memory_get((count + 1) * sizeof *c.met);
    for (const struct header *h = profile->headers; h < profile->headers + profile->header_count && have_totals; h++)
        if (h->kind == HEADER_SUMMARY && h->goes_on)
            parts->all[parts->count - 1].total += (double)h->total * factor;
        else if (h->kind == HEADER_SUMMARY)
            end_part(&c, CG2WG_GROUP_RUN, parts_name_run(&parts->names, name, ++number), h->total);
    if (!are_known && !have_totals) { /* its functions have the numbers of the rows of the view */
        c.has_inclusive = view->has_inclusive;
        for (uint32_t i = 0; i < view->all; i++) {
            add(&c, i, view->rows[i].measures[SELF], view->rows[i].measures[INCLUSIVE]);
            count_add(&c.calls, are_samples ? 0 : (uint64_t)view->rows[i].measures[COUNT]);
        }
        for (uint32_t i = are_samples ? contexts->first_root : NONE; i != NONE; i = contexts->items[i].next_sibling)
            count_add(&c.calls, contexts->items[i].calls);
        end_part(&c, CG2WG_GROUP_RUN, parts_name_run(&parts->names, name, 0), c.total);
    }
    for (enum cg2wg_group by = are_known ? CG2WG_GROUP_RUN : CG2WG_GROUP_THREAD; by <= CG2WG_GROUP_PROCESS; by++)
        add_listed(&c, name, by);
    memory_free(c.sums);
    memory_free(c.met);
}
