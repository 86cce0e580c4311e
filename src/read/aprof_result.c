/*
 * The profile of an aprof report, and its tree.
 *
 * They have no place for input sizes: a routine's costs are the sums over all sizes. The report's numbers
 * are not changed. Its tree is not additive, because it lacks routines without a name, and because the
 * profiler corrects its stack after jumps; so inclusive costs are never computed from self costs.
 */
#include "read/aprof_reader.h"

#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A cost of the report as a cost of the converted event. */
static cost_t weighed(const struct aprof_reader *r, cost_t cost)
{
    r->events.costs[0] = cost;
    return event_costs_sum(&r->events);
}

static bool is_outermost(const struct aprof_reader *r)
{
    return r->options->inclusive != CG2WG_INCLUSIVE_SUM;
}

/* Does the report contain self costs, or can they be computed? */
static bool has_self_costs(const struct aprof_reader *r)
{
    return r->version >= FIRST_WITH_SELF || r->context_count > 0;
}

static void book_costs(struct aprof_reader *r, uint32_t function, const struct tuple_costs *costs, cost_t self)
{
    struct function *f = &r->builder->profile->functions[function];
    cost_add(&f->self, self);
    cost_add(&f->inclusive, weighed(r, costs->inclusive));
    count_add(&f->invocations, costs->calls);
}

/* Functions with the costs from p lines. A report has no source files, so objects are shown instead. */
static bool make_functions(struct aprof_reader *r)
{
    for (size_t i = 0; i < r->routine_count; i++) {
        struct routine *routine = &r->routines[i];
        routine->function = builder_function(r->builder, NAME_EMPTY, routine->object, routine->name);
        r->builder->profile->functions[routine->function].flags |= FUNCTION_HAS_RECORD;
        book_costs(r, routine->function, &routine->costs, weighed(r, routine->costs.self));
    }
    return true;
}

/* ---- the tree of contexts ----------------------------------------------------------------- */

static bool check_lines_of_contexts(struct aprof_reader *r)
{
    size_t count = 0;
    uint64_t first = 0;
    for (size_t i = 0; i < r->context_count; i++)
        if (r->contexts[i].line == 0 && count++ == 0)
            first = r->contexts[i].id;
    return count == 0 ||
           diag_problem(r->diag, r->lines->number,
                        "found no x line for %zu contexts, the first of them %" PRIu64
                        ", expected one for each; their callers are unknown",
                        count, first);
}

/* Sets *parent to the index of the context's parent, if it has one. */
static bool find_parent(struct aprof_reader *r, const struct reported_context *context, uint32_t *parent)
{
    *parent = context->has_parent ? ids_find(&r->context_ids, context->parent_id) : INDEX_NONE;
    return !context->has_parent || *parent != INDEX_NONE ||
           diag_problem(r->diag, context->line,
                        "found parent %" PRIu64 ", expected a context of the report; the caller is "
                        "unknown",
                        context->parent_id);
}

/*
 * Goes up from each context as far as no earlier walk has been; a walk that meets itself has found
 * a cycle of callers. Its last context becomes a root.
 */
static bool cut_cycles(struct aprof_reader *r)
{
    struct context *items = r->tree.items;
    for (uint32_t walk = 1; walk <= r->context_count; walk++) {
        uint32_t last = INDEX_NONE, i = walk - 1;
        for (; i != INDEX_NONE && r->contexts[i].walk == 0; i = items[i].parent) {
            r->contexts[i].walk = walk;
            last = i;
        }
        if (i == INDEX_NONE || r->contexts[i].walk != walk)
            continue;
        items[last].parent = INDEX_NONE;
        if (!diag_problem(r->diag, r->contexts[last].line,
                          "found a context that is its own ancestor, expected a tree; its caller is "
                          "unknown"))
            return false;
    }
    return true;
}

/*
 * Before version 2 there is no self cost: it is computed as a context's cost minus that of its
 * children. If the children are unknown, it is 0.
 */
static void compute_self_costs(struct aprof_reader *r)
{
    struct context *items = r->tree.items;
    if (r->version >= FIRST_WITH_SELF)
        return;
    for (size_t i = 0; i < r->context_count; i++)
        items[i].self = r->contexts[i].line > 0 ? items[i].inclusive : 0;
    for (size_t i = 0; i < r->context_count; i++)
        if (items[i].parent != INDEX_NONE)
            cost_add(&items[items[i].parent].self, -items[i].inclusive);
    for (size_t i = 0; i < r->context_count; i++)
        if (items[i].self < 0)
            items[i].self = 0;
}

/* A function with costs from p lines, which are all that it has so far, becomes a context that nobody called. */
static bool add_functions(struct aprof_reader *r)
{
    const struct profile *profile = r->builder->profile;
    bool *has_costs = memory_zeroed(profile->function_count + 1, sizeof *has_costs);
    bool done = has_costs != NULL;
    for (size_t i = 0; done && i < r->routine_count; i++)
        has_costs[r->routines[i].function] |= r->routines[i].has_costs;
    for (uint32_t i = 0; done && i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        done = !has_costs[i] || (contexts_add(&r->tree, (struct context){.function = i,
                                                                       .parent = INDEX_NONE,
                                                                       .calls = f->invocations,
                                                                       .self = f->self,
                                                                       .inclusive = f->inclusive}), true);
    }
    memory_free(has_costs);
    return done || diag_no_memory(r->diag);
}

static bool make_contexts(struct aprof_reader *r)
{
    if (!check_lines_of_contexts(r))
        return false;
    for (size_t i = 0; i < r->context_count; i++) {
        const struct reported_context *reported = &r->contexts[i];
        struct context context = {.function = r->routines[reported->routine].function,
                                  .calls = reported->costs.calls,
                                  .self = weighed(r, reported->costs.self),
                                  .inclusive = weighed(r, reported->costs.sum)};
        if (!find_parent(r, reported, &context.parent))
            return false;
        contexts_add(&r->tree, context);
    }
    if (!cut_cycles(r))
        return false;
    compute_self_costs(r);
    if (!add_functions(r))
        return false;
    for (size_t i = 0; i < r->context_count; i++)
        book_costs(r, r->tree.items[i].function, &r->contexts[i].costs, r->tree.items[i].self);
    contexts_link(&r->tree);
    return true;
}

/* ---- arcs, invocations -------------------------------------------------------------------- */

static bool make_calls(struct aprof_reader *r)
{
    struct tree *tree = r->builder->tree;
    if (r->context_count == 0 && !(builder_has_no_contexts(r->builder), true))
        return false;
    return ((contexts_make_arcs(&r->tree, r->builder->profile, is_outermost(r), false), true) &&
            (tree == NULL || (contexts_make_tree(&r->tree, tree), true))) ||
           diag_no_memory(r->diag);
}

/* ---- headers ------------------------------------------------------------------------------ */

/* The total if the report has none: the self costs, or the costs of the roots if these are more. */
static cost_t total_of(const struct aprof_reader *r, cost_t self)
{
    cost_t roots = 0;
    for (size_t i = 0; i < r->context_count; i++)
        if (r->contexts[i].line > 0 && r->tree.items[i].parent == INDEX_NONE)
            cost_add(&roots, r->tree.items[i].inclusive);
    return self > roots ? self : roots;
}

static bool make_headers(struct aprof_reader *r)
{
    struct profile *profile = r->builder->profile;
    char version[32];
    snprintf(version, sizeof version, "aprof %" PRIu64, r->version);
    struct text command = names_text(&profile->names, r->command);
    if (text_is_empty(command))
        command = names_text(&profile->names, r->program);
    struct header summary = {.kind = HEADER_SUMMARY,
                             .has_total = true,
                             .self_total = profile_self_cost(profile)};
    summary.total = r->has_total ? weighed(r, r->total) : total_of(r, summary.self_total);
    if (!has_self_costs(r))
        summary.self_total = summary.total; /* a total that is always plausible */
    struct builder *builder = r->builder;
    frontend_add_header(builder, "creator: ", text_of_string(version), HEADER_OTHER);
    if (!text_is_empty(command))
        frontend_add_header(builder, "cmd: ", command, HEADER_OTHER);
    frontend_add_header(builder, "events: ", names_text(&profile->names, r->metric), HEADER_EVENTS);
    profile_add_header(profile, text_of("", 0), summary);
    return true;
}

/* ---- the end ------------------------------------------------------------------------------ */

static bool choose_event(struct aprof_reader *r)
{
    struct text usual = text_of_string("bb-count");
    if (r->metric == NAME_EMPTY && !(r->metric = names_intern(r->events.names, usual), true))
        return diag_no_memory(r->diag);
    event_costs_set_columns(&r->events, names_text(r->events.names, r->metric));
    event_costs_choose(&r->events, 0);
    return true;
}

/* Reports what the version of the report lacks. */
static void note_what_is_missing(const struct aprof_reader *r)
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
static void check_total(const struct aprof_reader *r)
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
                     TEXT_ARG(names_text(r->events.names, worst->name)), total);
}

static void weigh_known(struct aprof_reader *r, cost_t *cost)
{
    if (*cost != SIZE_COST_UNKNOWN)
        *cost = weighed(r, *cost);
}

/* Replaces the routines of sizes by functions, and their costs by those of the event. */
static bool complete_sizes(struct aprof_reader *r)
{
    struct sizes *sizes = r->options->sizes;
    if (sizes == NULL)
        return true;
    for (size_t i = 0; i < sizes->count; i++) {
        struct cg2wg_size_cost *cost = &sizes->costs[i];
        cost_t *const costs[] = {&cost->sum, &cost->outermost, &cost->self,    &cost->min,
                                 &cost->max, &cost->self_min,  &cost->self_max};
        cost->function = r->routines[cost->function].function;
        for (size_t k = 0; k < sizeof costs / sizeof costs[0]; k++)
            weigh_known(r, costs[k]);
    }
    array_reach(&sizes->mangled, &sizes->mangled_count, r->builder->profile->function_count,
                     sizeof *sizes->mangled, NAME_EMPTY);
    for (size_t i = 0; i < r->routine_count; i++)
        if (r->routines[i].mangled != NAME_EMPTY)
            sizes->mangled[r->routines[i].function] = r->routines[i].mangled;
    return true;
}

static bool list_events(struct aprof_reader *r)
{
    r->events.costs[0] = profile_self_cost(r->builder->profile);
    event_costs_end_line(&r->events, 1);
    event_costs_count(&r->events);
    event_costs_list(&r->events);
    return true;
}

bool aprof_make_profile(struct aprof_reader *r)
{
    builder_set_contexts(r->builder, frontend_identity(r->options, IDENTITY_OBJECT));
    if (!choose_event(r) || !make_functions(r) || !make_contexts(r))
        return false;
    check_total(r);
    note_what_is_missing(r);
    if (!make_calls(r) || !make_headers(r) || !complete_sizes(r) || !list_events(r))
        return false;
    builder_take_contexts(r->builder, &r->tree);
    return true;
}
