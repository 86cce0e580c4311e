/* SPDX-License-Identifier: MIT */
/* A profile of one event: which event that is, functions, contexts and arcs. */
#include "read/perf/perf_stacks.h"

#include "model/contexts.h"
#include "model/line_costs.h"
#include "model/units.h"
#include "read/event_costs.h"
#include "util/array.h"

#include <inttypes.h>

/* A name that says that it is of nanoseconds; those of clocks do, unless the user has named them: `name=work`. */
static uint32_t name_time(struct perf_about *about, uint32_t name)
{
    struct text parts[] = {names_text(about->names, name), text_of_string("_(1ns)")};
    return unit_of(parts[0]).is_time ? name : names_intern_parts(about->names, parts, COUNT_OF(parts));
}

/* A name as it is (0); without modifiers (1): `cpu/cycles/u`; without terms (2), too: `page-faults/period=1/u`. */
static struct text shortened(struct text name, unsigned form)
{
    if (form > 0)
        name = text_before(name, '~');
    const char *slash = form < 2 || text_is_empty(name) ? NULL : memchr(name.at, '/', text_length(name));
    if (slash != NULL)
        return (struct text){name.at, slash};
    for (const char *p = name.end; form > 0 && p > name.at + 1; p--) {
        if (p[-1] == ':' || p[-1] == '/')
            return (struct text){name.at, p[-1] == ':' ? p - 1 : p};
        if (memchr(PERF_MODIFIERS, p[-1], sizeof PERF_MODIFIERS - 1) == NULL)
            break;
    }
    return name;
}

/* The event of a name; NULL: there is none. A shortened name, or letters that it begins with, must be one's alone. */
static struct perf_event *event_named(struct perf_about *about, struct text wanted)
{
    enum { BEGINNING = 3 };
    for (unsigned form = 0; form <= BEGINNING; form++) {
        struct perf_event *found = NULL;
        size_t matches = 0;
        for (size_t i = about->event_count; i-- > 0;) {
            struct text name = names_text(about->names, about->events[i].name);
            struct text shown = names_text(about->names, about->events[i].shown);
            if ((form == 0 && text_same(shown, wanted)) ||
                (form < BEGINNING ? text_same(shortened(name, form), wanted) : text_starts_alike(name, wanted))) {
                found = &about->events[i];
                matches++;
            }
        }
        if (matches == 1 || (matches > 0 && form == 0))
            return found;
    }
    return NULL;
}

/*
 * What an event counts, by its name without modifiers: `cycles` of `cycles:u`, `cpu_atom/cycles:Pu/` and
 * `cpu_core/cycles/P`; the name of one that says it by numbers.
 */
static struct text kind_of(const struct perf_about *about, const struct perf_event *event)
{
    struct text name = shortened(names_text(about->names, event->name), 1), rest = name;
    struct text source = text_take_to(&rest, '/'), terms = text_take_to(&rest, '/'), term = text_take_to(&terms, ',');
    if (text_is_empty(term))
        return source;
    if (memchr(term.at, '=', text_length(term)) == NULL)
        return shortened(term, 1);
    return text_starts(term, "event=") || text_starts(term, "config") ? name : source;
}

/* Tells of events that count the same as the chosen one, as on two kinds of processors, if one of them has more. */
static void note_others(const struct perf_about *about, const struct perf_event *chosen)
{
    struct buffer sum = {.bytes = NULL};
    const struct perf_event *most = chosen;
    for (const struct perf_event *event = about->events; event < about->events + about->event_count; event++) {
        if (event->samples == 0 || event->counts_samples != chosen->counts_samples ||
            !text_same(kind_of(about, event), kind_of(about, chosen)))
            continue;
        most = event->total > most->total ? event : most;
        buffer_add_string(&sum, sum.length > 0 ? " + " : "");
        buffer_add(&sum, names_text(about->names, event->name));
    }
    struct text formula = buffer_text(&sum), name = names_text(about->names, most->name);
    bool can_be_added = memchr(formula.at, '=', text_length(formula)) == NULL; /* else it is another formula */
    struct text choice = can_be_added ? formula : name;
    if (most->name == chosen->name)
        return;
    diag_note(diag_about(about->diag, CG2WG_MEMBER_EVENT), 0,
              "the event is " TEXT_FMT " (%" PRId64 "), but " TEXT_FMT " has more (%" PRId64 "); '%.*s' %s",
              TEXT_ARG(names_text(about->names, chosen->name)), chosen->total, TEXT_ARG(name), most->total,
              (int)text_length(choice), choice.at, can_be_added ? "adds them" : "takes that");
}

/* With all names as columns, in which blanks cannot stay: makes the list or, without one, takes what a formula says. */
static void use_columns(struct builder *builder, struct perf_about *about, struct event_list *list, struct text formula,
                        bool is_given)
{
    struct event_costs costs;
    struct buffer line = {.bytes = NULL};
    struct frontend_options options = {about->options->given, .event = formula, .is_given = is_given, .list = list};
    event_costs_init(&costs, &options, builder);
    for (size_t i = 0; i < about->event_count; i++) {
        size_t start = line.length;
        const struct perf_event *event = &about->events[i];
        buffer_add(&line, names_text(about->names, list != NULL ? event->shown : event->name));
        for (char *p = line.bytes + start; p < line.bytes + line.length; p++)
            *p = *p == ' ' ? '_' : *p;
        buffer_add_string(&line, " ");
    }
    event_costs_set_columns(&costs, buffer_text(&line));
    event_costs_choose(&costs, 0);
    for (size_t i = 0; i < costs.choices[0].weight_count && list == NULL; i++)
        about->events[costs.choices[0].weights[i].column].factor = costs.choices[0].weights[i].weight;
    if (list == NULL)
        return;
    for (size_t i = 0; i < about->event_count; i++)
        costs.costs[i] = about->events[i].total;
    event_costs_end_line(&costs, about->event_count);
    event_costs_count(&costs);
    event_costs_finish(&costs);
}

/*
 * Chooses what the user (is_given), or another input, wants: an event by its name, or by what is left of it without
 * modifiers if that is one event's alone; the first clock, if that is `Time` or another input's clock; the first whose
 * samples are counted, if that is `Samples`; or a formula. Without a wish it is the first that has samples and is no
 * dummy. It is an error if there is nothing to make a profile of.
 */
static void choose_event(struct builder *builder, struct perf_about *about, struct text wanted, bool is_given)
{
    bool is_any_time = unit_of(wanted).is_time && (!is_given || !unit_is_clock(wanted));
    bool is_samples = text_equals(wanted, "Samples");
    struct perf_event *first = NULL, *first_like = NULL, *event;
    uint64_t used = 0, without_frame = 0;
    for (size_t i = about->event_count; i-- > 0;) {
        event = &about->events[i];
        event->factor = 0;
        if (event->samples == 0 || (event->type == TYPE_SOFTWARE && event->config == DUMMY))
            continue;
        first = event;
        first_like = (is_any_time && event->counts_time) || (is_samples && event->counts_samples) ? event : first_like;
    }
    event = text_is_empty(wanted) ? first : event_named(about, wanted);
    event = event == NULL ? first_like : event;
    bool is_formula = event == NULL, is_time = true;
    builder->profile->event = NAME_EMPTY;
    if (event != NULL) {
        event->factor = 1;
        if (text_is_empty(wanted))
            note_others(about, event);
        builder->profile->event = event->counts_samples ? perf_intern(about, text_of_string("Samples")) : event->shown;
    } else if (!text_is_empty(wanted)) {
        use_columns(builder, about, NULL, wanted, is_given);
    }
    for (event = about->events; event < about->events + about->event_count; event++) {
        is_time &= event->factor == 0 || event->counts_time;
        used += event->factor != 0 ? event->samples : 0;
        without_frame += event->factor != 0 ? event->without_frame : 0;
    }
    if (is_time && is_formula)
        builder->profile->event = name_time(about, builder->profile->event);
    if (without_frame > 0 && without_frame < used)
        diag_warning(about->diag, 0, "no frame in %" PRIu64 " of %" PRIu64 " samples; they count as [unknown]",
                     without_frame, used);
    if (without_frame < used)
        return;
    if (used > 0)
        diag_error(about->diag, 0,
                   "no sample of the event has a frame; print the fields ip, sym and dso: "
                   "perf script -F +ip,+sym,+dso");
    if (about->other != NAME_EMPTY)
        diag_error(about->diag, 0,
                   "no sample belongs to the chosen threads and processes; the first one is of " TEXT_FMT,
                   TEXT_ARG(names_text(about->names, about->other)));
    diag_error(about->diag, 0, "there is no sample of this event");
}

struct context_maker {
    struct builder *builder;
    struct contexts *contexts;
    struct perf_about *about;
    struct line_costs *lines;    /* NULL: they are not wanted */
    bool *is_used;               /* by node: samples of the event passed through it */
    struct perf_symbol *symbols; /* by place, where that is used */
    uint32_t *context_of;        /* by node, if it is used */
    uint32_t *thread_of;         /* by node, its thread, if that is no frame but beside the stacks; or NONE */
};

/* Finds the nodes that samples of the event passed through, and the symbols of their places. */
static void find_used(struct context_maker *c)
{
    const struct perf_stacks *stacks = &c->about->stacks;
    bool *is_place_used = memory_zeroed(stacks->places.index.used + 1, sizeof *is_place_used);
    for (const struct perf_sum *sum = stacks->sums.items; sum < stacks->sums.items + stacks->sums.index.used; sum++)
        c->is_used[sum->node] |= c->about->events[sum->event].factor != 0;
    for (size_t i = stacks->nodes.index.used; i-- > 0;) { /* nodes come after their callers */
        const struct perf_node *node = &stacks->nodes.items[i];
        if (!c->is_used[i])
            continue;
        is_place_used[node->place] = true;
        if (node->parent != NONE)
            c->is_used[node->parent] = true;
    }
    c->symbols = c->about->found != NULL ? c->about->found : perf_find_symbols(c->about, is_place_used);
}

/* The row of a place in a function, for the calls of another one there (NONE: for its self cost). */
static uint32_t line_row(const struct context_maker *c, uint32_t function, uint32_t callee, uint32_t node)
{
    const struct perf_symbol *symbol = &c->symbols[c->about->stacks.nodes.items[node].place];
    return line_costs_row(c->lines, (struct line_key){function, callee, symbol->file, symbol->line});
}

/*
 * Makes contexts of the used nodes. Different places of a function are one context; if lines are wanted, contexts also
 * differ by the lines of their calls. Objects are in place of files, which symbols do not name.
 */
static void add_contexts(struct context_maker *c)
{
    const struct perf_stacks *stacks = &c->about->stacks;
    uint32_t *functions = NULL; /* by place; NONE: not mentioned yet */
    size_t capacity = 0;
    array_reach(&functions, &capacity, stacks->places.index.used + 1, sizeof *functions, 0xff);
    c->contexts->call_is = c->lines != NULL ? CALL_IS_ROW : CALL_IS_UNKNOWN;
    c->contexts->are_of_parts = c->builder->listed != NULL && c->builder->listed->count > 0;
    for (size_t i = 0; i < stacks->nodes.index.used; i++) {
        const struct perf_node *node = &stacks->nodes.items[i];
        const struct perf_symbol *symbol = &c->symbols[node->place];
        uint32_t *function = &functions[node->place];
        if (!c->is_used[i])
            continue;
        if (c->thread_of[i] != NONE) {
            c->context_of[i] = NONE;
            continue;
        }
        if (*function == NONE) {
            uint32_t name = profile_readable(c->builder->profile, symbol->name);
            *function = builder_function(c->builder, symbol->object, symbol->object, name);
            c->builder->profile->functions[*function].flags |= FUNCTION_HAS_RECORD;
        }
        uint32_t parent = node->parent == NONE ? NONE : c->context_of[node->parent], call = c->lines != NULL ? NONE : 0;
        if (parent == NONE && node->parent != NONE)
            call = c->thread_of[node->parent];
        else if (parent != NONE && c->lines != NULL)
            call = line_row(c, functions[stacks->nodes.items[node->parent].place], *function, node->parent);
        c->context_of[i] = contexts_child(c->contexts, parent, *function, call);
    }
}

/* Books samples where they ended, and counts them at all that they passed through. Returns the sum of their costs. */
static cost_t book_samples(struct context_maker *c)
{
    const struct perf_stacks *stacks = &c->about->stacks;
    struct context *contexts = c->contexts->items;
    cost_t total = 0;
    for (const struct perf_sum *sum = stacks->sums.items; sum < stacks->sums.items + stacks->sums.index.used; sum++) {
        int64_t factor = c->about->events[sum->event].factor;
        if (factor == 0 || c->contexts->count == 0) /* without contexts, no node was used */
            continue;
        struct context *context = &contexts[c->context_of[sum->node]];
        cost_t weight = cost_weighed(sum->weight, factor);
        cost_add(&context->self, weight);
        count_add(&context->calls, sum->count);
        cost_add(&total, weight);
        if (c->lines == NULL)
            continue;
        uint32_t row = line_row(c, context->function, NONE, sum->node);
        line_costs_add(c->lines, row, 0, weight);
        if (c->contexts->keeps_lines)
            contexts_add_line(c->contexts, (uint32_t)(context - contexts), row, weight);
    }
    for (size_t i = c->contexts->count; i-- > 0;)
        if (contexts[i].parent != NONE)
            count_add(&contexts[contexts[i].parent].calls, contexts[i].calls);
    contexts_sum_self_costs(c->contexts);
    return total;
}

/* Lists threads beside the stacks. A process has the name of its first thread or, if that is not known, of another. */
static void list_beside(struct context_maker *c)
{
    struct listed_parts *listed = c->builder->listed;
    struct perf_about *about = c->about;
    const struct perf_root *threads = about->stacks.threads.items;
    size_t capacity = 0, count = listed != NULL ? about->stacks.threads.index.used : 0;
    struct ids names = {.entries = NULL};
    array_reach(&c->thread_of, &capacity, about->stacks.nodes.index.used + 1, sizeof *c->thread_of, 0xff);
    for (size_t i = 0; i < count; i++)
        if (threads[i].tid == threads[i].pid || ids_find(&names, threads[i].pid) == NONE)
            ids_set(&names, threads[i].pid, threads[i].name);
    for (uint32_t i = 0; i < count; i++) {
        const struct perf_root *t = &threads[i];
        struct listed_part part = {{0, perf_thread_name(about, t->name, t->pid, t->tid),
                                    perf_thread_name(about, ids_find(&names, t->pid), t->pid, UINT32_MAX)}};
        part.keys[2] = t->pid != UINT32_MAX ? part.keys[2] : NAME_EMPTY;
        c->thread_of[t->node] = i;
        array_append(&listed->all, &listed->count, &listed->capacity, &part, sizeof part);
    }
}

/* The command that was recorded, without `perf record` and its options; of a system or process, all of it. */
static struct text recorded_command(struct text line)
{
    static const char with_value[] = /* --NAME, and then its value */
        "event filter pid tid realtime cpu count output freq mmap-pages call-graph delay clockid cgroup branch-filter "
        "uid affinity control max-size mmap-flush proc-map-timeout switch-max-files num-thread-synthesize synth "
        "clang-path clang-opt vmlinux";
    struct text rest = line, word = text_take_word(&rest);
    if (!text_equals(word, "perf") && !text_ends(word, "/perf"))
        return line;
    while (!text_is_empty(rest) && !text_equals(word, "record"))
        word = text_take_word(&rest);
    for (struct text from = rest; !text_is_empty(text_trim(from)); from = rest) {
        word = text_take_word(&rest);
        if (text_equals(word, "--"))
            return text_is_empty(text_trim(rest)) ? line : text_trim(rest);
        if (!text_starts(word, "-"))
            return text_trim(from);
        bool is_long = text_starts(word, "--"), has_value = false; /* --NAME; otherwise letters */
        for (struct text names = text_of_string(with_value); is_long && !has_value && !text_is_empty(names);)
            has_value = text_same(text_take_word(&names), (struct text){word.at + 2, word.end});
        /* A letter that takes a value takes the rest of the word, if there is any; I, S and z take only that. */
        for (const char *p = word.at + 1; p < word.end && !is_long; p++)
            if (strchr("cCDeFGjkmoprtuISz", *p) != NULL) {
                has_value = p + 1 == word.end && strchr("ISz", *p) == NULL;
                break;
            }
        if (has_value)
            text_take_word(&rest);
    }
    return line;
}

static void make_profile(struct builder *builder, struct perf_about *about, struct text wanted, bool is_given)
{
    struct perf_stacks *stacks = &about->stacks;
    for (size_t i = 0; i < stacks->threads.index.used; i++) {
        const struct perf_root *t = &stacks->threads.items[i];
        struct perf_object *object = &stacks->objects.items[t->object]; /* after that, no object can be found */
        object->name = perf_thread_name(about, t->name, t->pid, about->by == CG2WG_GROUP_THREAD ? t->tid : UINT32_MAX);
        object->within = NAME_EMPTY;
    }
    struct contexts contexts = {.keeps_lines = builder->contexts != NULL && builder->contexts->keeps_lines};
    builder->profile->lacks_callers = about->lacks_callers;
    builder->identity = frontend_identity(about->options, IDENTITY_OBJECT);
    choose_event(builder, about, wanted, is_given);
    size_t node_count = stacks->nodes.index.used;
    struct context_maker c = {.builder = builder,
                              .contexts = &contexts,
                              .about = about,
                              .lines = builder->profile->lines,
                              .is_used = memory_zeroed(node_count + 1, sizeof *c.is_used),
                              .context_of = memory_zeroed(node_count + 1, sizeof *c.context_of)};
    list_beside(&c);
    find_used(&c);
    add_contexts(&c);
    cost_t total = book_samples(&c);
    if (builder->timeline != NULL && stacks->moment_count > 0)
        perf_make_timeline(builder->timeline, about, &contexts, c.context_of);
    memory_free(c.is_used);
    memory_free(c.context_of);
    memory_free(c.thread_of);
    if (about->found == NULL) { /* contexts have taken their place, and need memory, too */
        SET_FREE(&stacks->objects);
        SET_FREE(&stacks->places);
        SET_FREE(&stacks->nodes);
        SET_FREE(&stacks->sums);
        memory_free(stacks->moments);
    }
    builder_finish_contexts(builder, &contexts, about->options->given->inclusive != CG2WG_INCLUSIVE_SUM, true);
    struct text version = names_text(about->names, about->version), command = names_text(about->names, about->command);
    struct header summary = {.kind = HEADER_SUMMARY, .has_total = true, .total = total, .self_total = total};
    struct header other = {.kind = HEADER_OTHER}, events = {.kind = HEADER_EVENTS};
    struct profile *profile = builder->profile;
    struct text creator[] = {text_of_string(about->creator), text_of_string(text_is_empty(version) ? "" : " "),
                             version};
    uint32_t creator_name = names_intern_parts(about->names, creator, COUNT_OF(creator));
    profile->speaks_of_event = true; /* a name may hold blanks, which no line of events can */
    profile_add_header(profile, text_of_string("creator"), names_text(about->names, creator_name), other);
    profile_add_header(profile, text_of_string("cmd"), recorded_command(command), other);
    profile_add_header(profile, text_of_string("events"), names_text(about->names, profile->event), events);
    profile_add_header(profile, text_of("", 0), text_of("", 0), summary);
}

/* What a wish chooses; empty: the first event. */
static struct text chosen_by(const struct event_wishes *wishes, size_t number)
{
    bool is_first = number == 0 && !wishes->are_known && wishes->list == NULL;
    return is_first ? text_of("", 0) : wishes->all[number].name;
}

/* Finds out which events there are, and what each of those that are wanted is called. */
static void resolve_wishes(struct builder *builder, struct perf_about *about)
{
    struct event_wishes *wishes = about->options->wishes;
    struct event_list list = {.count = 0};
    size_t count = 0;
    use_columns(builder, about, &list, text_of("", 0), false);
    for (size_t i = 0; i < list.count; i++)
        if (list.events[i].total != 0)
            list.events[count++] = list.events[i];
    list.count = count;
    event_wishes_resolve(wishes, &list, about->diag);
    bool only_errors = about->diag->only_errors;
    about->diag->only_errors = true; /* the rest is said of the event that is shown */
    for (size_t i = 0; i < wishes->count; i++) {
        struct event_wish *wish = &wishes->all[i];
        bool is_there = !wish->is_optional || event_named(about, wish->name) != NULL;
        for (size_t k = 0; k < list.count && !is_there; k++)
            is_there = text_equals(wish->name, list.events[k].name);
        wish->is_lost = !is_there;
        wish->total = 0;
        if (wish->is_lost)
            continue;
        choose_event(builder, about, chosen_by(wishes, i), wishes->list != NULL);
        wish->event = builder->profile->event;
        for (const struct perf_event *e = about->events; e < about->events + about->event_count; e++)
            cost_add(&wish->total, cost_weighed(e->total, e->factor));
    }
    about->diag->only_errors = only_errors;
}

void perf_take_event(void *state, size_t event, struct builder *builder, const struct frontend_options *options)
{
    struct perf_about *about = state;
    struct names *names = about->names;
    builder->profile->names = names_copy(names);
    about->names = &builder->profile->names;
    about->options = options;
    make_profile(builder, about, chosen_by(options->wishes, event), options->wishes->list != NULL);
    about->names = names;
}

/* Lists threads with what they cost of the first event. Nodes come after their callers; the first one is a thread. */
static void list_threads(const struct perf_about *about, struct event_list *list)
{
    const struct perf_stacks *s = &about->stacks;
    cost_t *totals = memory_zeroed(s->nodes.index.used + 1, sizeof *totals);
    for (size_t i = 0; i < s->sums.index.used; i++)
        if (s->sums.items[i].event == 0)
            cost_add(&totals[s->sums.items[i].node], s->sums.items[i].weight);
    for (size_t i = s->nodes.index.used; i-- > 0;)
        if (s->nodes.items[i].parent != NONE)
            cost_add(&totals[s->nodes.items[i].parent], totals[i]);
    for (size_t i = 0; i < s->threads.index.used; i++) {
        const struct perf_root *t = &s->threads.items[i];
        struct cg2wg_part part = {.part = -1,
                                  .pid = t->pid != UINT32_MAX ? (int64_t)t->pid : -1,
                                  .thread = t->tid != UINT32_MAX ? (int64_t)t->tid : -1,
                                  .trigger = t->name != NAME_EMPTY ? names_text(about->names, t->name).at : NULL,
                                  .total = totals[t->node]};
        array_append(&list->parts, &list->part_count, &list->part_capacity, &part, sizeof part);
    }
}

void perf_make_profile(struct builder *builder, struct perf_about *about)
{
    const struct perf_stacks *stacks = &about->stacks;
    struct ids numbers = {.entries = NULL}; /* by an event's name: the last one that a copy of it got */
    for (size_t i = 0; i < stacks->sums.index.used; i++) {
        const struct perf_sum *sum = &stacks->sums.items[i];
        about->events[sum->event].samples += sum->count;
        cost_add(&about->events[sum->event].total, sum->weight);
    }
    if (stacks->too_large > 0)
        diag_problem(about->diag, 0,
                     "found %" PRIu64 " samples with a period of 2^63 or more, expected less; each "
                     "counts as the largest cost",
                     stacks->too_large);
    for (struct perf_event *event = about->events; event < about->events + about->event_count; event++) {
        uint32_t name = event->name, number = ids_find(&numbers, name);
        for (number = number == NONE ? 1 : number; ids_find(&numbers, event->name) != NONE;)
            event->name = event_copy(about->names, name, ++number);
        ids_set(&numbers, name, number);
        ids_set(&numbers, event->name, 1);
        event->shown = event->counts_time ? name_time(about, event->name) : event->name;
    }
    if (about->options->list != NULL) {
        use_columns(builder, about, about->options->list, about->options->event, about->options->is_given);
        list_threads(about, about->options->list);
    } else if (about->options->wishes != NULL) {
        resolve_wishes(builder, about);
        about->found = perf_find_symbols(about, NULL);
        *about->options->state = about;
    } else {
        make_profile(builder, about, about->options->event, about->options->is_given);
    }
}
