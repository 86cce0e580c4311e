/* From stacks of places to a profile: functions, arcs and contexts of one event. */
#include "read/perf/perf_events.h"
#include "read/perf/perf_symbols.h"
#include "model/contexts.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The work under way. */
struct result {
    struct perf_reader *reader;
    struct perf_choice choice;
    bool *is_used;               /* by node, then by place: samples of the event are there */
    struct perf_symbol *symbols; /* by place */
    uint32_t *functions;         /* by place; NONE: not mentioned yet */
    uint32_t *context_of;        /* by node */
    struct contexts contexts;
    uint64_t samples;
    cost_t total;
};

static struct profile *profile_of(const struct result *x)
{
    return x->reader->builder->profile;
}

static bool no_memory(const struct result *x)
{
    return diag_no_memory(x->reader->diag);
}

/* ---- what is used ------------------------------------------------------------------------- */

static bool counts(const struct result *x, const struct perf_sum *sum)
{
    return x->choice.factors[sum->event] != 0;
}

/* Marks the places of all frames that samples of the event have. Nodes stand behind their callers. */
static bool *mark_places(const struct result *x, bool *nodes)
{
    const struct perf_stacks *stacks = &x->reader->stacks;
    bool *places = memory_zeroed(stacks->place_index.used + 1, sizeof *places);
    for (size_t i = 0; i < stacks->sum_index.used; i++)
        nodes[stacks->sums[i].node] |= counts(x, &stacks->sums[i]);
    for (size_t i = stacks->node_index.used; places != NULL && i-- > 0;) {
        if (!nodes[i])
            continue;
        places[stacks->nodes[i].place] = true;
        if (stacks->nodes[i].parent != NONE)
            nodes[stacks->nodes[i].parent] = true;
    }
    return places;
}

static bool find_symbols(struct result *x)
{
    const struct perf_stacks *stacks = &x->reader->stacks;
    x->is_used = memory_zeroed(stacks->node_index.used + 1, sizeof *x->is_used);
    x->symbols = memory_zeroed(stacks->place_index.used + 1, sizeof *x->symbols);
    bool *places = x->is_used != NULL ? mark_places(x, x->is_used) : NULL;
    bool done = x->symbols != NULL && places != NULL
                    ? perf_find_symbols(x->reader, places, x->symbols)
                    : no_memory(x);
    memory_free(places);
    return done;
}

/* ---- contexts ----------------------------------------------------------------------------- */

/* The function of a place; objects stand in for files, of which symbols do not tell. */
static bool find_function(struct result *x, uint32_t place, uint32_t *function)
{
    const struct perf_symbol *symbol = &x->symbols[place];
    if (x->functions[place] == NONE) {
        x->functions[place] = builder_function(x->reader->builder, symbol->object, symbol->object, symbol->name);
        profile_of(x)->functions[x->functions[place]].flags |= FUNCTION_HAS_RECORD;
    }
    *function = x->functions[place];
    return true;
}

/* Different places of a function are one context. */
static bool make_contexts(struct result *x)
{
    const struct perf_stacks *stacks = &x->reader->stacks;
    x->functions = memory_get((stacks->place_index.used + 1) * sizeof *x->functions);
    x->context_of = memory_get((stacks->node_index.used + 1) * sizeof *x->context_of);
    if (x->functions == NULL || x->context_of == NULL)
        return no_memory(x);
    for (size_t i = 0; i < stacks->place_index.used; i++)
        x->functions[i] = NONE;
    for (size_t i = 0; i < stacks->node_index.used; i++) {
        const struct perf_node *node = &stacks->nodes[i];
        uint32_t parent = NONE, function;
        if (!x->is_used[i])
            continue;
        if (node->parent != NONE)
            parent = x->context_of[node->parent];
        if (!find_function(x, node->place, &function))
            return false;
        x->context_of[i] = contexts_child(&x->contexts, parent, function);
    }
    return true;
}

static cost_t product(cost_t weight, int64_t factor)
{
    cost_multiply(&weight, factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor);
    return factor < 0 ? -weight : weight;
}

/* Books samples where they ended, and then at all that they passed through. */
static void book_samples(struct result *x)
{
    const struct perf_stacks *stacks = &x->reader->stacks;
    struct context *items = x->contexts.items;
    for (size_t i = 0; i < stacks->sum_index.used; i++) {
        const struct perf_sum *sum = &stacks->sums[i];
        if (!counts(x, sum))
            continue;
        struct context *context = &items[x->context_of[sum->node]];
        cost_t weight = product(sum->weight, x->choice.factors[sum->event]);
        cost_add(&context->self, weight);
        count_add(&context->calls, sum->count);
        cost_add(&x->total, weight);
    }
    for (size_t i = x->contexts.count; i-- > 0;) {
        cost_add(&items[i].inclusive, items[i].self);
        if (items[i].parent == NONE)
            continue;
        cost_add(&items[items[i].parent].inclusive, items[i].inclusive);
        count_add(&items[items[i].parent].calls, items[i].calls);
    }
}

/* ---- headers ------------------------------------------------------------------------------ */

static bool add_headers(struct result *x)
{
    struct builder *builder = x->reader->builder;
    struct profile *profile = builder->profile;
    const struct names *names = &profile->names;
    struct text version = names_text(names, x->reader->version);
    struct text command = names_text(names, x->reader->command);
    struct header summary = {.kind = HEADER_SUMMARY,
                             .has_total = true,
                             .total = x->total,
                             .self_total = x->total};
    profile->event = x->choice.name;
    profile->speaks_of_event = true; /* a name may hold blanks, which no line of events can */
    return frontend_add_header(builder, text_is_empty(version) ? "creator: perf" : "creator: perf ", version,
                      HEADER_OTHER) &&
           (text_is_empty(command) || frontend_add_header(builder, "cmd: ", command, HEADER_OTHER)) &&
           frontend_add_header(builder, "events: ", names_text(names, x->choice.name), HEADER_EVENTS) &&
           ((profile_add_header(profile, text_of("", 0), summary), true));
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Is there anything to make a profile of? */
static bool has_samples(const struct result *x)
{
    const struct perf_stacks *stacks = &x->reader->stacks;
    const struct cg2wg_samples *wanted = &x->reader->options->samples;
    bool lacks_frames = false;
    for (size_t i = 0; i < stacks->sum_index.used; i++) {
        if (!counts(x, &stacks->sums[i]))
            continue;
        if (!x->reader->attrs[stacks->sums[i].event].lacks_frames)
            return true;
        lacks_frames = true;
    }
    if (lacks_frames)
        return diag_error(x->reader->diag, 0, "found no frame in any sample of the event, expected the fields ip, "
                          "sym and dso (perf script -F +ip,+sym,+dso)");
    if (wanted->name_count + wanted->pid_count + wanted->tid_count > 0)
        return diag_error(x->reader->diag, 0, "found no sample of the threads and processes that are "
                          "wanted, expected one at least");
    return diag_error(x->reader->diag, 0, "found no sample of the event, expected one at least");
}

static bool make(struct result *x)
{
    struct tree *tree = x->reader->builder->tree;
    bool is_outermost = x->reader->options->inclusive != CG2WG_INCLUSIVE_SUM;
    if (!has_samples(x) || !find_symbols(x) || !make_contexts(x))
        return false;
    book_samples(x);
    contexts_link(&x->contexts);
    contexts_make_arcs(&x->contexts, profile_of(x), is_outermost, true);
    if (tree != NULL && !(contexts_make_tree(&x->contexts, tree), true))
        return no_memory(x);
    builder_take_contexts(x->reader->builder, &x->contexts);
    return add_headers(x);
}

bool perf_make_profile(struct perf_reader *r)
{
    struct result x = {.reader = r};
    builder_set_contexts(r->builder, frontend_identity(r->options, IDENTITY_OBJECT));
    bool done = perf_choose_event(r, &x.choice);
    if (done && r->options->list == NULL)
        done = make(&x);
    memory_free(x.choice.factors);
    memory_free(x.is_used);
    memory_free(x.symbols);
    memory_free(x.functions);
    memory_free(x.context_of);
    contexts_free(&x.contexts);
    return done;
}
