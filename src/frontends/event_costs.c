#include "frontends/event_costs.h"

#include "model/units.h"
#include "util/array.h"

#include <stdio.h>
#include <stdlib.h>

void event_costs_init(struct event_costs *e, const struct frontend_options *options,
                      struct builder *builder)
{
    *e = (struct event_costs){.options = options,
                              .builder = builder,
                              .profile = builder->profile,
                              .diag = builder->diag};
    events_init(&e->events, &builder->profile->names);
}

void event_costs_free(struct event_costs *e)
{
    events_free(&e->events);
    free(e->weights.weights);
    free(e->costs);
    free(e->totals);
}

/* ---- the list of events ------------------------------------------------------------------- */

/* The entry of a known event in the list. */
static struct listed_event *find_or_append(struct event_costs *e, uint32_t name)
{
    struct event_list *list = e->options->list;
    struct event *event = events_known(&e->events, name);
    if (event->place == EVENT_NONE) {
        if (list->count >= EVENT_NONE ||
            !array_reserve(&list->events, &list->capacity, list->count + 1, sizeof *list->events))
            return NULL;
        event->place = (uint32_t)list->count;
        list->events[list->count++] =
            (struct listed_event){.name = names_text(&e->profile->names, name)};
    }
    return &list->events[event->place];
}

void event_costs_count(struct event_costs *e)
{
    if (e->options->list == NULL)
        return;
    for (size_t i = 0; i < e->filled; i++)
        cost_add(&e->totals[i], e->costs[i]);
}

/* Moves the totals of the current columns to the list. */
static bool flush_totals(struct event_costs *e)
{
    if (e->options->list == NULL || !e->has_columns || !e->has_room)
        return true;
    for (size_t i = 0; i < e->events.column_count; i++) {
        struct listed_event *listed = find_or_append(e, e->events.columns[i]);
        if (listed == NULL)
            return diag_no_memory(e->diag);
        cost_add(&listed->total, e->totals[i]);
        e->totals[i] = 0;
    }
    return true;
}

/* Computes the total of a defined event, from those of all columns that the input has had. */
static bool list_definition(struct event_costs *e, const struct event_definition *d,
                            const cost_t *totals)
{
    struct names *names = &e->profile->names;
    uint32_t unknown;
    struct listed_event *listed = find_or_append(e, d->name);
    if (listed == NULL)
        return diag_no_memory(e->diag);
    listed->long_name = names_text(names, d->long_name);
    if (d->formula == NAME_EMPTY)
        return true;
    listed->formula = names_text(names, d->formula);
    switch (events_weigh(&e->events, d->formula, &e->weights, &unknown)) {
    case EVENTS_OK:
        listed->total = events_sum(totals, &e->weights);
        return true;
    case EVENTS_UNKNOWN:
    case EVENTS_MALFORMED:
        diag_warning(e->diag, 0, "event " TEXT_FMT ": cannot compute its formula " TEXT_FMT,
                     TEXT_ARG(listed->name), TEXT_ARG(listed->formula));
        return true;
    case EVENTS_NO_MEMORY:
        break;
    }
    return diag_no_memory(e->diag);
}

/* Makes all columns that the input has had the current columns, in the order of the list. */
static void use_all_columns(struct event_costs *e)
{
    for (size_t i = 0; i < e->events.known_count; i++)
        e->events.known[i].column = e->events.known[i].place;
}

bool event_costs_list(struct event_costs *e)
{
    struct event_list *list = e->options->list;
    if (list == NULL)
        return true;
    if (!flush_totals(e))
        return false;

    cost_t *totals = calloc(list->count + 1, sizeof *totals);
    if (totals == NULL)
        return diag_no_memory(e->diag);
    for (size_t i = 0; i < list->count; i++)
        totals[i] = list->events[i].total;
    use_all_columns(e);
    bool done = true;
    for (size_t i = 0; done && i < e->events.definition_count; i++)
        done = list_definition(e, &e->events.definitions[i], totals);
    free(totals);
    return done;
}

/* ---- units -------------------------------------------------------------------------------- */

static bool add_unit(struct event_costs *e, struct text long_name)
{
    struct names *names = &e->profile->names;
    struct text name = names_text(names, e->profile->event);
    const char *word = long_name.end;
    while (word > long_name.at && !char_is_blank(word[-1]) && word[-1] != '(')
        word--;
    size_t length = text_length(name) + (size_t)(long_name.end - word) + 1;
    char *with_unit = malloc(length);
    if (with_unit == NULL)
        return false;
    memcpy(with_unit, name.at, text_length(name));
    with_unit[text_length(name)] = '(';
    memcpy(with_unit + text_length(name) + 1, word, (size_t)(long_name.end - word));
    bool done = !unit_of(text_of(with_unit, length)).is_time ||
                names_intern(names, text_of(with_unit, length), &e->profile->event);
    free(with_unit);
    return done;
}

bool event_costs_name_unit(struct event_costs *e)
{
    uint32_t event = e->profile->event;
    if (event == NAME_EMPTY || unit_of(names_text(&e->profile->names, event)).is_time)
        return true;
    if (e->ticks_are_microseconds && text_equals(names_text(&e->profile->names, event), "Ticks"))
        return add_unit(e, text_of_string("(us)")) || diag_no_memory(e->diag);
    for (size_t i = e->events.definition_count; i-- > 0;) {
        const struct event_definition *d = &e->events.definitions[i];
        struct text long_name = names_text(&e->profile->names, d->long_name);
        if (d->name == event && !text_is_empty(long_name) && long_name.end[-1] == ')')
            return add_unit(e, long_name) || diag_no_memory(e->diag);
    }
    return true;
}

/* ---- columns ------------------------------------------------------------------------------ */

bool event_costs_set_columns(struct event_costs *e, struct text value)
{
    if (!flush_totals(e))
        return false;
    e->has_columns = true;
    e->are_chosen = e->has_room = e->has_like = e->has_unit = false;
    return events_set_columns(&e->events, value) || diag_no_memory(e->diag);
}

bool event_costs_define(struct event_costs *e, struct text value)
{
    if (!events_define(&e->events, value))
        return diag_no_memory(e->diag);
    e->are_chosen = e->are_chosen && e->events.is_weighed;
    return true;
}

/* Appends a name to a list for a message, if there is room. */
static void append_name(char *list, size_t size, struct text name)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s" TEXT_FMT, used > 0 ? ", " : "", TEXT_ARG(name));
}

static bool lacks_event(struct event_costs *e, uint64_t line, uint32_t unknown)
{
    char known[512] = "";
    const struct names *names = &e->profile->names;
    for (size_t i = 0; i < e->events.column_count; i++)
        append_name(known, sizeof known, names_text(names, e->events.columns[i]));
    for (size_t i = 0; i < e->events.definition_count; i++)
        if (e->events.definitions[i].formula != NAME_EMPTY)
            append_name(known, sizeof known, names_text(names, e->events.definitions[i].name));
    return diag_error(e->diag, line, "found no event " TEXT_FMT ", expected one of: %s",
                      TEXT_ARG(names_text(names, unknown)), known);
}

/*
 * The first column that counts the same thing as `wanted` in another measure, or NAME_EMPTY: one of
 * the same base, or the first time if `wanted` is a time.
 */
static uint32_t find_like(const struct event_costs *e, uint32_t wanted)
{
    const struct names *names = &e->profile->names;
    struct unit unit = unit_of(names_text(names, wanted));
    for (size_t i = 0; i < e->events.column_count; i++)
        if (text_same(unit_of(names_text(names, e->events.columns[i])).base, unit.base))
            return e->events.columns[i];
    return e->events.column_count > 0 &&
                   unit_is_like(unit_of(names_text(names, e->events.columns[0])), unit)
               ? e->events.columns[0]
               : NAME_EMPTY;
}

/* The column of that name, or otherwise one like it. */
static uint32_t like_column(struct event_costs *e, uint32_t wanted)
{
    if (!e->has_like) {
        const struct event *event = events_known(&e->events, wanted);
        bool is_column = event != NULL && event->column != EVENT_NONE;
        e->like = is_column ? wanted : find_like(e, wanted);
        e->has_like = true;
    }
    return e->like;
}

/*
 * The event of the current columns: *name, whose costs *formula gives. It is the one that the user
 * has chosen, or that of earlier columns and inputs, or the first. If it is not defined, a column
 * that counts the same thing in another measure replaces it.
 */
static bool choose_event(struct event_costs *e, uint32_t *name, uint32_t *formula)
{
    struct names *names = &e->profile->names;
    bool is_chosen = e->options->event_is_chosen, has_formula = false;
    *name = NAME_EMPTY;
    if (is_chosen || (e->profile->event == NAME_EMPTY && !text_is_empty(e->options->event))) {
        struct text name_text = e->options->event, formula_text = name_text;
        if (is_chosen)
            events_split(e->options->event, &name_text, &formula_text);
        has_formula = formula_text.at != name_text.at;
        if (!names_intern(names, name_text, name) || !names_intern(names, formula_text, formula))
            return false;
    } else {
        bool is_first = e->profile->event == NAME_EMPTY && e->events.column_count > 0;
        *name = *formula = is_first ? e->events.columns[0] : e->profile->event;
    }
    const struct event *event = events_use(&e->events, *name);
    if (event == NULL)
        return false;
    uint32_t like = has_formula ? NAME_EMPTY : like_column(e, *name);
    if (like != NAME_EMPTY && event->formula == NAME_EMPTY)
        *name = *formula = like;
    e->profile->speaks_of_event |= is_chosen;
    return true;
}

/* Brings the current columns and all earlier ones to one unit. */
static bool use_one_unit(struct event_costs *e, uint32_t name)
{
    struct profile *profile = e->profile;
    uint64_t before;
    e->has_unit = true;
    e->factor = 1;
    if (profile->event == NAME_EMPTY) {
        profile->event = name;
        return true;
    }
    struct text event = names_text(&profile->names, name);
    if (!unit_unify(&profile->names, &profile->event, event, &before, &e->factor))
        return diag_no_memory(e->diag);
    profile->speaks_of_event |= before != e->factor;
    return builder_change_unit(e->builder, before);
}

static bool weigh_columns(struct event_costs *e, uint64_t line)
{
    uint32_t name, formula, unknown;
    if (!choose_event(e, &name, &formula))
        return diag_no_memory(e->diag);
    switch (events_weigh(&e->events, formula, &e->weights, &unknown)) {
    case EVENTS_OK:
        if (!e->has_unit && !use_one_unit(e, name))
            return false;
        for (size_t i = 0; i < e->weights.count; i++)
            cost_multiply(&e->weights.weights[i].weight, e->factor);
        return true;
    case EVENTS_UNKNOWN:
        return lacks_event(e, line, unknown);
    case EVENTS_MALFORMED:
        return diag_error(e->diag, line,
                          "found event \"" TEXT_FMT "\", expected an event's name or a formula: a sum "
                          "or difference of names, each with an optional factor, that does not refer "
                          "to itself",
                          TEXT_ARG(names_text(&e->profile->names, formula)));
    case EVENTS_NO_MEMORY:
        break;
    }
    return diag_no_memory(e->diag);
}

/* Makes room for the costs of all columns, none of which has been read. */
static bool make_room(struct event_costs *e)
{
    size_t columns = event_costs_columns(e);
    if (!array_reserve(&e->costs, &e->costs_capacity, columns + 1, sizeof *e->costs) ||
        !array_reserve(&e->totals, &e->totals_capacity, columns + 1, sizeof *e->totals))
        return diag_no_memory(e->diag);
    for (size_t i = 0; i < columns + 1; i++)
        e->costs[i] = e->totals[i] = 0;
    e->filled = 0;
    e->has_room = true;
    return true;
}

/* If the input names no events, the first cost counts. */
static bool weigh_first(struct event_costs *e)
{
    struct event_weights *w = &e->weights;
    if (!array_reserve(&w->weights, &w->capacity, 1, sizeof *w->weights))
        return diag_no_memory(e->diag);
    w->count = event_costs_columns(e) > 0;
    w->weights[0] = (struct event_weight){.weight = 1, .column = 0};
    return true;
}

bool event_costs_choose(struct event_costs *e, uint64_t line)
{
    if (e->are_chosen)
        return true;
    if ((!e->has_room && !make_room(e)) || !weigh_first(e))
        return false;
    /* A list needs no certain event, and an input that names none has only one. */
    if (e->options->list == NULL && (e->has_columns || e->options->event_is_chosen) &&
        !weigh_columns(e, line))
        return false;
    const struct event_weights *w = &e->weights;
    bool is_list = e->options->list != NULL;
    bool is_one = w->count == 1 && w->weights[0].weight == 1 && !is_list;
    e->wanted = is_list ? ALL_COSTS : is_one ? ONE_COST : WEIGHED_COSTS;
    /* The weights are in the order of their columns. */
    e->first = w->count > 0 && !is_list ? w->weights[0].column : 0;
    e->end = is_list ? event_costs_columns(e) : w->count > 0 ? w->weights[w->count - 1].column + 1 : 0;
    e->are_chosen = true;
    return true;
}
