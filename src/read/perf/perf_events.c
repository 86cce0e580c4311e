#include "read/perf/perf_events.h"

#include "read/event_costs.h"
#include "model/units.h"
#include "util/array.h"

#include <stdlib.h>

static const char time_name[] = "Time_(1ns)"; /* which is written in a unit that webgrind knows */

enum { TYPE_SOFTWARE = 1, CPU_CLOCK = 0, TASK_CLOCK = 1, DUMMY = 9 };

static struct text name_of(const struct perf_reader *r, size_t event)
{
    return names_text(&r->builder->profile->names, r->attrs[event].name);
}

static bool is_time(const struct perf_attr *event)
{
    return event->type == TYPE_SOFTWARE &&
           (event->config == CPU_CLOCK || event->config == TASK_CLOCK);
}

static bool is_dummy(const struct perf_attr *event)
{
    return event->type == TYPE_SOFTWARE && event->config == DUMMY;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Are these letters behind a name modifiers, as in `cycles:ppp`? */
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

/* Is it the name of the event in one of these forms, from the strictest on? */
static bool has_name(const struct perf_reader *r, size_t event, struct text wanted, unsigned form)
{
    struct text name = name_of(r, event);
    switch (form) {
    case 0: return text_same(name, wanted);
    case 1: return text_same(without_modifiers(name), wanted);
    default: break;
    }
    return text_same(without_terms(name), wanted);
}

/* The event of a name, or r->attr_count. A shortened name has to be one event's alone. */
static size_t event_named(const struct perf_reader *r, struct text wanted)
{
    enum { FORMS = 3 };
    for (unsigned form = 0; form < FORMS; form++) {
        size_t found = r->attr_count, matches = 0;
        for (size_t i = 0; i < r->attr_count; i++) {
            if (!has_name(r, i, wanted, form))
                continue;
            found = matches++ == 0 ? i : found;
        }
        if (matches == 1 || (matches > 0 && form == 0))
            return found;
    }
    return r->attr_count;
}

/* The first event with samples that is no dummy; if only_time, whose samples are times. */
static size_t first_sampled(const struct perf_reader *r, bool only_time)
{
    for (size_t i = 0; i < r->attr_count; i++)
        if (r->attrs[i].samples > 0 && !is_dummy(&r->attrs[i]) &&
            (!only_time || is_time(&r->attrs[i])))
            return i;
    return r->attr_count;
}

/* ---- formulas and the list ------------------------------------------------------------------ */

/* All names, in which blanks cannot stay, as columns. */
static bool set_columns(struct perf_reader *r, struct event_costs *costs)
{
    char *line = NULL;
    size_t used = 0, room = 0;
    bool done = true;
    for (size_t i = 0; done && i < r->attr_count; i++) {
        struct text name = name_of(r, i);
        done = (array_reserve(&line, &room, used + text_length(name) + 1, 1), true);
        for (const char *p = name.at; done && p < name.end; p++)
            line[used++] = (char)(*p == ' ' ? '_' : *p);
        if (done)
            line[used++] = ' ';
    }
    event_costs_set_columns(costs, text_of(used > 0 ? line : "", used));
    memory_free(line);
    event_costs_choose(costs, 0);
    return done;
}

static bool list_events(const struct perf_reader *r, struct event_costs *costs)
{
    for (size_t i = 0; i < r->attr_count; i++)
        costs->costs[i] = r->attrs[i].total;
    event_costs_end_line(costs, r->attr_count);
    event_costs_count(costs);
    event_costs_list(costs);
    return true;
}

static bool take_formula(struct perf_reader *r, const struct event_costs *costs,
                         struct perf_choice *choice)
{
    for (size_t i = 0; i < costs->weight_count; i++)
        choice->factors[costs->weights[i].column] = costs->weights[i].weight;
    choice->name = r->builder->profile->event;
    return true;
}

/* Of the names as columns: a list, or what a formula says. */
static bool use_columns(struct perf_reader *r, struct perf_choice *choice)
{
    struct event_costs costs;
    event_costs_init(&costs, r->options, r->builder);
    bool done = set_columns(r, &costs);
    if (done)
        done = r->options->list != NULL ? list_events(r, &costs) : take_formula(r, &costs, choice);
    return done;
}

/* ---- the choice --------------------------------------------------------------------------- */

static bool choose(struct perf_reader *r, size_t event, struct perf_choice *choice)
{
    choice->factors[event] = 1;
    choice->name = r->attrs[event].name;
    if (!is_time(&r->attrs[event]) && !r->attrs[event].counts_samples)
        return true;
    const char *name = is_time(&r->attrs[event]) ? time_name : "Samples";
    return perf_intern(r, text_of_string(name), &choice->name);
}

bool perf_choose_event(struct perf_reader *r, struct perf_choice *choice)
{
    struct text wanted = r->options->event;
    size_t event;
    *choice = (struct perf_choice){.name = NAME_EMPTY,
                                   .factors = memory_zeroed(r->attr_count + 1, sizeof *choice->factors)};
    if (choice->factors == NULL)
        return diag_no_memory(r->diag);
    if (r->options->list != NULL)
        return use_columns(r, choice);
    event = text_is_empty(wanted) ? first_sampled(r, false) : event_named(r, wanted);
    if (event == r->attr_count && unit_is_like(unit_of(wanted), unit_of(text_of_string(time_name))))
        event = first_sampled(r, true);
    if (event < r->attr_count)
        return choose(r, event, choice);
    if (text_is_empty(wanted))
        return true; /* there are no samples, as will be reported */
    return use_columns(r, choice);
}
