#include "frontends/event_costs.h"

#include "model/units.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>

void event_costs_init(struct event_costs *e, const struct frontend_options *options,
                      struct profile *profile, struct diag *diag)
{
    *e = (struct event_costs){.options = options, .profile = profile, .diag = diag};
    events_init(&e->events, &profile->names);
}

void event_costs_free(struct event_costs *e)
{
    events_free(&e->events);
    free(e->weights);
    free(e->costs);
    free(e->totals);
}

/* ---- the list of events ------------------------------------------------------------------- */

/* Names are interned: the same name has the same bytes. */
static struct listed_event *find_or_append(struct event_list *list, struct text name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->events[i].name.at == name.at)
            return &list->events[i];
    if (!array_reserve(&list->events, &list->capacity, list->count + 1, sizeof *list->events))
        return NULL;
    list->events[list->count] = (struct listed_event){.name = name};
    return &list->events[list->count++];
}

void event_costs_count(struct event_costs *e)
{
    if (e->options->list == NULL)
        return;
    for (size_t i = 0; i < event_costs_columns(e); i++)
        cost_add(&e->totals[i], e->costs[i]);
}

/* Moves the totals of the columns at hand to the list. */
static bool flush_totals(struct event_costs *e)
{
    if (e->options->list == NULL || !e->has_columns || !e->has_totals)
        return true;
    for (size_t i = 0; i < e->events.column_count; i++) {
        struct text name = names_text(&e->profile->names, e->events.columns[i]);
        struct listed_event *listed = find_or_append(e->options->list, name);
        if (listed == NULL)
            return diag_no_memory(e->diag);
        cost_add(&listed->total, e->totals[i]);
        e->totals[i] = 0;
    }
    return true;
}

/* Gives a defined event its total, from those of all columns that the input ever had. */
static bool list_definition(struct event_costs *e, const struct events *all,
                            const struct event_definition *d, const cost_t *totals,
                            uint64_t *weights)
{
    struct names *names = &e->profile->names;
    struct text unknown;
    struct listed_event *listed = find_or_append(e->options->list, names_text(names, d->name));
    if (listed == NULL)
        return diag_no_memory(e->diag);
    listed->long_name = names_text(names, d->long_name);
    if (d->formula == NAME_EMPTY)
        return true;
    listed->formula = names_text(names, d->formula);
    if (events_weigh(all, listed->formula, weights, &unknown) == EVENTS_OK)
        listed->total = events_sum(totals, weights, all->column_count);
    else
        diag_warning(e->diag, 0, "event " TEXT_FMT ": no cost can be had by its formula " TEXT_FMT,
                     TEXT_ARG(listed->name), TEXT_ARG(listed->formula));
    return true;
}

bool event_costs_list(struct event_costs *e)
{
    struct event_list *list = e->options->list;
    if (list == NULL)
        return true;
    if (!flush_totals(e))
        return false;

    struct events all = e->events;
    size_t count = list->count;
    uint32_t *columns = calloc(count + 1, sizeof *columns);
    cost_t *totals = calloc(count + 1, sizeof *totals);
    uint64_t *weights = calloc(count + 1, sizeof *weights);
    bool done = columns != NULL && totals != NULL && weights != NULL;
    for (size_t i = 0; done && i < count; i++) {
        totals[i] = list->events[i].total;
        done = names_intern(&e->profile->names, list->events[i].name, &columns[i]);
    }
    if (!done)
        diag_no_memory(e->diag);
    all.columns = columns;
    all.column_count = count;
    for (size_t i = 0; done && i < all.definition_count; i++)
        done = list_definition(e, &all, &all.definitions[i], totals, weights);
    free(columns);
    free(totals);
    free(weights);
    return done;
}

/* ---- columns ------------------------------------------------------------------------------ */

bool event_costs_set_columns(struct event_costs *e, struct text value)
{
    if (!flush_totals(e))
        return false;
    e->has_columns = true;
    e->is_settled = false;
    e->has_totals = false;
    return events_set_columns(&e->events, value) || diag_no_memory(e->diag);
}

bool event_costs_define(struct event_costs *e, struct text value)
{
    e->is_settled = false;
    return events_define(&e->events, value) || diag_no_memory(e->diag);
}

/* Appends a name to a list that a message shows, as far as there is room. */
static void append_name(char *list, size_t size, struct text name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s" TEXT_FMT, used > 0 ? ", " : "", TEXT_ARG(name));
}

static bool lacks_event(struct event_costs *e, uint64_t line, struct text unknown)
{
    char known[512] = "";
    const struct names *names = &e->profile->names;
    for (size_t i = 0; i < e->events.column_count; i++)
        append_name(known, sizeof known, names_text(names, e->events.columns[i]));
    for (size_t i = 0; i < e->events.definition_count; i++)
        if (e->events.definitions[i].formula != NAME_EMPTY)
            append_name(known, sizeof known, names_text(names, e->events.definitions[i].name));
    return diag_error(e->diag, line, "found no event " TEXT_FMT ", expected one of: %s",
                      TEXT_ARG(unknown), known);
}

/* The column that counts the same as `wanted`, be it by another measure; NAME_EMPTY: there is none. */
static uint32_t like_column(const struct event_costs *e, struct text wanted)
{
    uint32_t like = NAME_EMPTY;
    for (size_t i = e->events.column_count; i-- > 0;) {
        struct text name = names_text(&e->profile->names, e->events.columns[i]);
        if (text_same(name, wanted))
            return e->events.columns[i];
        if (unit_is_like(name, wanted))
            like = e->events.columns[i];
    }
    return like;
}

static bool is_defined(const struct event_costs *e, struct text name)
{
    for (size_t i = 0; i < e->events.definition_count; i++) {
        struct text other = names_text(&e->profile->names, e->events.definitions[i].name);
        if (e->events.definitions[i].formula != NAME_EMPTY && text_same(other, name))
            return true;
    }
    return false;
}

/* What the profile is about. It is settled with the first columns and then holds for all. */
static bool choose_event(struct event_costs *e, struct text *formula)
{
    const struct names *names = &e->profile->names;
    struct text given = e->options->event, name;
    if (e->options->event_is_chosen) {
        events_split(given, &name, formula);
        e->profile->speaks_of_event = true;
        uint32_t like = formula->at == name.at ? like_column(e, name) : NAME_EMPTY;
        if (like != NAME_EMPTY && !is_defined(e, name))
            name = *formula = names_text(names, like);
    } else if (e->profile->event != NAME_EMPTY) {
        name = *formula = names_text(names, e->profile->event);
    } else if (!text_is_empty(given)) {
        uint32_t like = like_column(e, given);
        name = *formula = like != NAME_EMPTY ? names_text(names, like) : given;
    } else {
        name = *formula = names_text(
            names, e->events.column_count > 0 ? e->events.columns[0] : NAME_EMPTY);
    }
    return names_intern(&e->profile->names, name, &e->profile->event) || diag_no_memory(e->diag);
}

static bool weigh_columns(struct event_costs *e, uint64_t line)
{
    struct text formula, unknown;
    if (!choose_event(e, &formula))
        return false;
    switch (events_weigh(&e->events, formula, e->weights, &unknown)) {
    case EVENTS_OK:
        return true;
    case EVENTS_UNKNOWN:
        return lacks_event(e, line, unknown);
    case EVENTS_MALFORMED:
        return diag_error(e->diag, line,
                          "found event \"" TEXT_FMT "\", expected a name or a sum of names, each "
                          "with a number before it or not, that does not lead back to itself",
                          TEXT_ARG(formula));
    case EVENTS_NO_MEMORY:
        break;
    }
    return diag_no_memory(e->diag);
}

bool event_costs_settle(struct event_costs *e, uint64_t line)
{
    size_t columns = event_costs_columns(e);
    if (e->is_settled)
        return true;
    if (!array_reserve(&e->weights, &e->weights_capacity, columns + 1, sizeof *e->weights) ||
        !array_reserve(&e->costs, &e->costs_capacity, columns + 1, sizeof *e->costs) ||
        !array_reserve(&e->totals, &e->totals_capacity, columns + 1, sizeof *e->totals))
        return diag_no_memory(e->diag);
    for (size_t i = 0; i < columns; i++) {
        e->weights[i] = i == 0;
        if (!e->has_totals)
            e->totals[i] = 0;
    }
    e->has_totals = true;
    /* A list is wanted of inputs of any event, and an input that names none has but one. */
    bool has_no_names = event_costs_columns(e) > 0 && !e->has_columns;
    if (e->options->list == NULL && (!has_no_names || e->options->event_is_chosen) &&
        !weigh_columns(e, line))
        return false;
    e->used = 0;
    for (size_t i = 0; i < columns; i++)
        if (e->weights[i] != 0 || e->options->list != NULL)
            e->used = i + 1;
    e->is_first = e->used == 1 && e->weights[0] == 1;
    e->is_settled = true;
    return true;
}
