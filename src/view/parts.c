/* SPDX-License-Identifier: MIT */
/* Rows of runs, threads and processes, each of which is described when it has been read. */
#include "view/view.h"

#include "model/groups.h"

/* Adds what the chosen functions cost: as a group, so that calls between them count once, but for their number. */
static void add_chosen(struct part_view *v, const struct contents *part, struct function *row)
{
    struct memory_scope scope;
    struct contents sums = *part;
    bool are_samples = part->profile.has_part_of[PRODUCER_PERF];
    memory_scope_begin(&scope);
    sums.chosen = view_find_functions(&part->profile, &v->options->functions, &v->has_matched);
    groups_sum(&sums, CG2WG_GROUP_RUN, v->once);
    for (size_t i = 0; i < sums.profile.function_count; i++) {
        const struct function *group = &sums.profile.functions[i];
        if (group->name == NAME_EMPTY)
            continue;
        cost_add(&row->self, group->self);
        cost_add(&row->inclusive, group->inclusive);
        cost_add(&row->call_cost, sums.allocated != NULL ? sums.allocated[i] : 0);
        count_add(&row->invocations, are_samples ? group->invocations : 0);
    }
    for (size_t i = 0; i < part->profile.function_count && !are_samples; i++)
        count_add(&row->invocations, sums.chosen[i] ? part->profile.functions[i].invocations : 0);
    memory_scope_free(&scope);
}

/* Adds all costs, and how many calls or samples there are. */
static void add_all(const struct contents *part, struct function *row)
{
    const struct profile *profile = &part->profile;
    const struct contexts *contexts = &part->contexts;
    size_t count = profile->function_count;
    bool are_samples = part->has_contexts && profile->has_part_of[PRODUCER_PERF];
    bool are_calls = profile->has_part_of[PRODUCER_XDEBUG] || profile->has_part_of[PRODUCER_APROF] ||
                     (profile->arc_count > 0 && !are_samples);
    cost_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &profile->functions[i];
        cost_add(&row->self, f->self);
        count_add(&row->invocations, are_calls ? f->invocations : 0);
        if (f->self <= most)
            continue;
        most = f->self;
        row->file = f->name;
    }
    for (uint32_t i = are_samples ? contexts->first_root : NONE; i != NONE; i = contexts->items[i].next_sibling)
        count_add(&row->invocations, contexts->items[i].calls);
    row->inclusive = part->allocated != NULL ? part->allocated[count + 1] : row->self;
    row->call_cost = part->allocated != NULL ? part->allocated[count] : 0;
}

/* Adds a context that the walk enters, which is in `inside` others of chosen functions. */
static void add_context(struct part_view *v, const struct context *c, size_t inside, struct function *row)
{
    if (v->chosen != NULL && v->chosen[c->function]) {
        cost_add(&row->self, c->self);
        cost_add(&row->inclusive, inside == 0 || !v->once ? c->inclusive : 0);
        count_add(&row->invocations, inside == 0 || !v->once ? c->calls : 0);
    }
    if (v->chosen != NULL || c->self <= 0)
        return;
    if (v->selfs[c->function] == 0)
        v->met[v->met_count++] = c->function;
    cost_add(&v->selfs[c->function], c->self);
}

/* Adds what is below a root. The arrays are made for the first one, and are as they were afterwards. */
static void add_below(struct part_view *v, const struct contents *part, uint32_t root, struct function *row)
{
    const struct profile *profile = &part->profile;
    const struct context *items = part->contexts.items;
    size_t inside = 0;
    cost_t most = 0;
    if (root == part->contexts.first_root) {
        v->chosen = v->options->functions.count > 0
                        ? view_find_functions(profile, &v->options->functions, &v->has_matched)
                        : NULL;
        v->selfs = memory_zeroed(profile->function_count + 1, sizeof *v->selfs);
        v->met = memory_get((profile->function_count + 1) * sizeof *v->met);
    }
    for (uint32_t i = root, next; i != NONE; i = next) {
        add_context(v, &items[i], inside, row);
        inside += v->chosen != NULL && v->chosen[items[i].function];
        next = items[i].first_child;
        for (; next == NONE && i != root; i = items[i].parent) {
            next = items[i].next_sibling;
            inside -= v->chosen != NULL && v->chosen[items[i].function];
        }
    }
    for (; v->met_count > 0; v->met_count--) {
        uint32_t function = v->met[v->met_count - 1];
        bool is_more = v->selfs[function] > most || (v->selfs[function] == most && function < v->top);
        v->top = is_more ? function : v->top;
        most = MAX(most, v->selfs[function]);
        v->selfs[function] = 0;
    }
    if (v->chosen != NULL)
        return;
    row->file = most > 0 ? profile->functions[v->top].name : NAME_EMPTY;
    row->self = row->inclusive = items[root].inclusive;
    row->invocations = items[root].calls;
}

void view_describe_part(void *of, struct contents *part, uint32_t root, struct function *row)
{
    struct part_view *v = of;
    if (root != NONE)
        add_below(v, part, root, row);
    else if (v->options->functions.count > 0)
        add_chosen(v, part, row);
    else
        add_all(part, row);
}
