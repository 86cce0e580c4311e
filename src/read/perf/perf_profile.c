/* From stacks of places to a profile of one event: which event that is, functions, contexts and arcs. */
#include "read/perf/perf.h"

#include "model/contexts.h"
#include "model/units.h"
#include "read/event_costs.h"
#include "util/array.h"

static const char time_name[] = "Time_(1ns)"; /* which is written in a unit that webgrind knows */

/* The work under way. */
struct making {
    struct builder *builder;
    const struct perf_about *about;
    const struct perf_stacks *stacks;
    int64_t *factors;        /* by event: how often it counts; 0: its samples do not */
    uint32_t event_name;     /* what the costs count, in names */
    struct contexts contexts;
    uint32_t *context_of;    /* by node */
};

/* ---- names of events ------------------------------------------------------------------------ */

/* Are these letters after a name modifiers, as in `cycles:ppp`? */
static bool are_modifiers(struct text letters)
{
    for (const char *p = letters.at; p < letters.end; p++)
        if (memchr("ukhIGHpPSDWebR", *p, 14) == NULL)
            return false;
    return true;
}

/* `cycles:u`, `cpu/cycles/u` without the modifiers. */
static struct text without_modifiers(struct text name)
{
    for (const char *p = name.end; p > name.at; p--)
        if ((p[-1] == ':' || p[-1] == '/') && p - 1 > name.at)
            return !are_modifiers((struct text){p, name.end}) ? name
                   : p[-1] == ':'                             ? (struct text){name.at, p - 1}
                                                              : (struct text){name.at, p};
    return name;
}

/* `page-faults/period=1/u` without terms, too. */
static struct text without_terms(struct text name)
{
    const char *slash = text_is_empty(name) ? NULL : memchr(name.at, '/', text_length(name));
    return slash != NULL ? (struct text){name.at, slash} : without_modifiers(name);
}

static struct text as_named(struct text name)
{
    return name;
}

/* The event of a name, or their count. A shortened name has to be one event's alone. */
static size_t event_named(const struct perf_about *about, struct text wanted)
{
    static struct text (*const forms[])(struct text) = {as_named, without_modifiers, without_terms};
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        size_t found = about->event_count, matches = 0;
        for (size_t i = 0; i < about->event_count; i++) {
            if (!text_same(forms[form](names_text(about->names, about->events[i].name)), wanted))
                continue;
            found = matches++ == 0 ? i : found;
        }
        if (matches == 1 || (matches > 0 && form == 0))
            return found;
    }
    return about->event_count;
}

/* ---- which event ---------------------------------------------------------------------------- */

static bool is_time(const struct perf_event *event)
{
    return event->type == TYPE_SOFTWARE && (event->config == CPU_CLOCK || event->config == TASK_CLOCK);
}

/* The first event with samples that is no dummy; if only_time, whose samples are times. */
static size_t first_sampled(const struct perf_about *about, bool only_time)
{
    size_t i = 0;
    for (; i < about->event_count; i++) {
        const struct perf_event *event = &about->events[i];
        bool is_dummy = event->type == TYPE_SOFTWARE && event->config == DUMMY;
        if (event->samples > 0 && !is_dummy && (!only_time || is_time(event)))
            break;
    }
    return i;
}

/* With all names as columns, in which blanks cannot stay: makes the list, or takes what a formula says. */
static void use_columns(struct making *m)
{
    const struct perf_about *about = m->about;
    struct event_costs costs;
    char *line = NULL;
    size_t used = 0, room = 0;
    event_costs_init(&costs, about->options, m->builder);
    for (size_t i = 0; i < about->event_count; i++) {
        struct text name = names_text(about->names, about->events[i].name);
        array_reserve(&line, &room, used + text_length(name) + 1, 1);
        for (const char *p = name.at; p < name.end; p++)
            line[used++] = (char)(*p == ' ' ? '_' : *p);
        line[used++] = ' ';
    }
    event_costs_set_columns(&costs, text_of(used > 0 ? line : "", used));
    event_costs_choose(&costs, 0);
    if (about->options->list != NULL) {
        for (size_t i = 0; i < about->event_count; i++)
            costs.costs[i] = about->events[i].total;
        event_costs_end_line(&costs, about->event_count);
        event_costs_count(&costs);
        event_costs_list(&costs);
    } else {
        for (size_t i = 0; i < costs.weight_count; i++)
            m->factors[costs.weights[i].column] = costs.weights[i].weight;
        m->event_name = m->builder->profile->event;
    }
    memory_free(line);
}

/*
 * Chooses what the user, or another input, wants: an event by its name, or by what is left of it without modifiers
 * if that is one event's alone; by what it counts, if that is time (`Time_(10ns)`); or a formula. Without a wish it
 * is the first that has samples and is no dummy; there may be none.
 */
static void choose_event(struct making *m)
{
    const struct perf_about *about = m->about;
    struct text wanted = about->options->event;
    size_t event = text_is_empty(wanted) ? first_sampled(about, false) : event_named(about, wanted);
    if (event == about->event_count && unit_is_like(unit_of(wanted), unit_of(text_of_string(time_name))))
        event = first_sampled(about, true);
    if (event < about->event_count) {
        const struct perf_event *chosen = &about->events[event];
        m->factors[event] = 1;
        m->event_name = chosen->name;
        if (is_time(chosen) || chosen->counts_samples)
            m->event_name = perf_intern(about, text_of_string(is_time(chosen) ? time_name : "Samples"));
    } else if (!text_is_empty(wanted)) {
        use_columns(m);
    }
}

/* ---- contexts ----------------------------------------------------------------------------- */

/* Is there anything to make a profile of? */
static void check_samples(const struct making *m)
{
    const struct cg2wg_samples *wanted = &m->about->options->samples;
    struct diag *diag = m->about->diag;
    bool lacks_frames = false;
    for (size_t i = 0; i < m->stacks->sums.index.used; i++) {
        uint32_t event = m->stacks->sums.items[i].event;
        if (m->factors[event] != 0 && !m->about->events[event].lacks_frames)
            return;
        lacks_frames |= m->factors[event] != 0;
    }
    if (lacks_frames)
        diag_error(diag, 0, "found no frame in any sample of the event, expected the fields ip, "
                   "sym and dso (perf script -F +ip,+sym,+dso)");
    if (wanted->name_count + wanted->pid_count + wanted->tid_count > 0)
        diag_error(diag, 0, "found no sample of the threads and processes that are "
                   "wanted, expected one at least");
    diag_error(diag, 0, "found no sample of the event, expected one at least");
}

/*
 * Different places of a function are one context. Nodes come after their callers. Objects are in place of files,
 * which symbols do not name.
 */
static void make_contexts(struct making *m, struct perf_names *names)
{
    const struct perf_stacks *s = m->stacks;
    size_t node_count = s->nodes.index.used, place_count = s->places.index.used;
    bool *is_used = memory_zeroed(node_count + 1, sizeof *is_used); /* samples of the event are there */
    bool *places = memory_zeroed(place_count + 1, sizeof *places);  /* the same */
    uint32_t *functions = NULL; /* by place; NONE: not mentioned yet */
    size_t capacity = 0;
    for (size_t i = 0; i < s->sums.index.used; i++)
        is_used[s->sums.items[i].node] |= m->factors[s->sums.items[i].event] != 0;
    for (size_t i = node_count; i-- > 0;) {
        const struct perf_node *node = &s->nodes.items[i];
        places[node->place] |= is_used[i];
        if (is_used[i] && node->parent != NONE)
            is_used[node->parent] = true;
    }
    struct perf_symbol *symbols = perf_find_symbols(names, m->about, s, places);
    array_reach(&functions, &capacity, place_count + 1, sizeof *functions, 0xff);
    m->context_of = memory_get((node_count + 1) * sizeof *m->context_of);
    for (size_t i = 0; i < node_count; i++) {
        const struct perf_node *node = &s->nodes.items[i];
        const struct perf_symbol *symbol = &symbols[node->place];
        uint32_t *function = &functions[node->place];
        if (!is_used[i])
            continue;
        if (*function == NONE) {
            *function = builder_function(m->builder, symbol->object, symbol->object, symbol->name);
            m->builder->profile->functions[*function].flags |= FUNCTION_HAS_RECORD;
        }
        uint32_t parent = node->parent == NONE ? NONE : m->context_of[node->parent];
        m->context_of[i] = contexts_child(&m->contexts, parent, *function);
    }
    memory_free(functions);
    memory_free(symbols);
    memory_free(places);
    memory_free(is_used);
}

static cost_t product(cost_t weight, int64_t factor)
{
    cost_multiply(&weight, factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor);
    return factor < 0 ? -weight : weight;
}

/* Books samples where they ended, and then at all that they passed through. Returns their sum. */
static cost_t book_samples(struct making *m)
{
    struct context *items = m->contexts.items;
    cost_t total = 0;
    for (size_t i = 0; i < m->stacks->sums.index.used; i++) {
        const struct perf_sum *sum = &m->stacks->sums.items[i];
        if (m->factors[sum->event] == 0)
            continue;
        struct context *context = &items[m->context_of[sum->node]];
        cost_t weight = product(sum->weight, m->factors[sum->event]);
        cost_add(&context->self, weight);
        count_add(&context->calls, sum->count);
        cost_add(&total, weight);
    }
    for (size_t i = m->contexts.count; i-- > 0;) {
        cost_add(&items[i].inclusive, items[i].self);
        if (items[i].parent == NONE)
            continue;
        cost_add(&items[items[i].parent].inclusive, items[i].inclusive);
        count_add(&items[items[i].parent].calls, items[i].calls);
    }
    return total;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void add_headers(struct making *m, cost_t total)
{
    struct profile *profile = m->builder->profile;
    struct text version = names_text(&profile->names, m->about->version);
    struct text command = names_text(&profile->names, m->about->command);
    struct header summary = {.kind = HEADER_SUMMARY, .has_total = true, .total = total, .self_total = total};
    profile->event = m->event_name;
    profile->speaks_of_event = true; /* a name may hold blanks, which no line of events can */
    frontend_add_header(m->builder, text_is_empty(version) ? "creator: perf" : "creator: perf ", version, HEADER_OTHER);
    if (!text_is_empty(command))
        frontend_add_header(m->builder, "cmd: ", command, HEADER_OTHER);
    frontend_add_header(m->builder, "events: ", names_text(&profile->names, m->event_name), HEADER_EVENTS);
    profile_add_header(profile, text_of("", 0), summary);
}

void perf_make_profile(struct builder *builder, const struct perf_about *about, const struct perf_stacks *stacks,
                       struct perf_names *names)
{
    bool is_outermost = about->options->inclusive != CG2WG_INCLUSIVE_SUM;
    struct making m = {.builder = builder, .about = about, .stacks = stacks, .event_name = NAME_EMPTY};
    m.factors = memory_zeroed(about->event_count + 1, sizeof *m.factors);
    builder_set_contexts(builder, frontend_identity(about->options, IDENTITY_OBJECT));
    if (about->options->list != NULL) {
        use_columns(&m);
        return;
    }
    choose_event(&m);
    check_samples(&m);
    make_contexts(&m, names);
    cost_t total = book_samples(&m);
    memory_free(m.context_of);
    contexts_link(&m.contexts);
    contexts_make_arcs(&m.contexts, builder->profile, is_outermost, true);
    if (builder->tree != NULL)
        contexts_make_tree(&m.contexts, builder->tree);
    builder_take_contexts(builder, &m.contexts);
    contexts_free(&m.contexts);
    add_headers(&m, total);
}
