/* SPDX-License-Identifier: MIT */
/* Several events side by side. */
#include "view/view.h"

#include <inttypes.h>

void view_events_add(struct contents *shown, const struct contents *other, size_t most)
{
    struct view view;
    struct text event = other->facts.event;
    size_t before = shown->profile.function_count;
    uint32_t *numbers = memory_zeroed(other->profile.function_count + 1, sizeof *numbers);
    uint32_t *names = memory_zeroed(other->profile.names.count, sizeof *names);
    view_of_functions(&view, other);
    for (uint32_t i = 0; i < view.all; i++)
        numbers[i] = i;
    if (other->profile.has_part_of[PRODUCER_PERF]) /* all other events have the same ones */
        profile_add_functions(&shown->profile, &other->profile, names, numbers);
    size_t count = shown->profile.function_count;
    if (shown->allocated != NULL && count > before) {
        cost_t *allocated = memory_zeroed(count + 2, sizeof *allocated);
        memcpy(allocated, shown->allocated, before * sizeof *allocated);
        memcpy(allocated + count, shown->allocated + before, 2 * sizeof *allocated); /* of all */
        shown->allocated = allocated;
    }
    if (shown->events == NULL)
        shown->events = memory_zeroed(1, sizeof *shown->events);
    struct view_events *events = shown->events;
    events->most = most;
    array_reach(&events->costs, &events->cost_capacity, count * most + 1, sizeof *events->costs, 0);
    for (size_t i = 0; i < view.all; i++)
        memcpy(events->costs[numbers[i] * most + events->count], view.rows[i].measures, sizeof *events->costs);
    struct view_event added = {.name = text_of(memory_copy(event.at, text_length(event)), text_length(event)),
                               .total = view.total,
                               .has_allocated = view.has_allocated,
                               .has_inclusive = view.has_inclusive};
    array_append(&events->all, &events->count, &events->capacity, &added, sizeof added);
    memory_free(view.rows);
    memory_free(names);
    memory_free(numbers);
}

const char *view_event_heading(struct text event, const char *suffix)
{
    size_t room = TABLE_CELL - 1 - strlen(suffix), length = MIN(text_length(event), room);
    char *heading = memory_zeroed(TABLE_CELL, 1);
    memcpy(heading, event.at, length);
    utf8_make_printable(heading, length);
    return strcat(heading, suffix);
}

bool view_shows(const struct cg2wg_view *options, enum measure measure)
{
    return options->style == CG2WG_CSV || measure == (options->order == CG2WG_BY_INCLUSIVE ? INCLUSIVE : SELF);
}

void view_print_json_events(struct json *json, const struct view *view)
{
    if (view->events == NULL)
        return;
    json_begin(json, "events", '[', "\n    ");
    for (size_t i = 0; i < view_event_count(view); i++) {
        struct view_event event = view_event(view, i);
        json_begin(json, NULL, '{', " ");
        print_json_event(json, event.name);
        if (view->differences == NULL)
            view_print_json_total(json, &event.total);
        json_end(json);
    }
    json_end(json);
}

void view_print_json_costs(struct json *json, const struct view *view, const struct view_row *row,
                           const struct column *columns, size_t count)
{
    if (view->events == NULL)
        return;
    json_begin(json, "\ncosts", '[', " ");
    for (size_t i = 0; i < view_event_count(view); i++) {
        json_begin(json, NULL, '{', " ");
        for (const struct column *column = columns; column < columns + count; column++) {
            struct value value = column->value(view, row, (int)(i * MEASURES) + column->what);
            if (column->what != ALLOCATED || value.kind != VALUE_NONE)
                value_print_json(json, column->key, value);
        }
        json_end(json);
    }
    json_end(json);
}
