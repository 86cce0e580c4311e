/* SPDX-License-Identifier: MIT */
#include "model/line_costs.h"

/* Adds the lines of another profile, whose function i is functions[i] here and whose name i, names[i]. */
static void merge_lines(struct line_costs *lines, const struct line_costs *other, const uint32_t *functions,
                        const uint32_t *names)
{
    size_t *events = memory_zeroed(other->events, sizeof *events);
    for (size_t i = 0; i < other->events; i++) /* both have names, or none, and then the same events */
        events[i] = lines->names != NULL && other->names != NULL ? line_costs_event(lines, names[other->names[i]]) : i;
    for (size_t i = 0; i < other->count; i++) {
        const struct line_row from = other->rows[i]; /* this and its costs may be where the new row is */
        cost_t costs[MOST_EVENTS];
        memcpy(costs, &other->costs[i * other->events], other->events * sizeof *costs);
        uint32_t callee = from.key.callee != NONE ? functions[from.key.callee] : NONE;
        struct line_key here = {functions[from.key.function], callee, names[from.key.file], from.key.line};
        uint32_t row = line_costs_row(lines, here);
        uint64_t *sum = &lines->rows[row].calls;
        if (other->renumbered != NULL)
            other->renumbered[i] = row;
        if (other->are_again)
            *sum = MAX(*sum, from.calls);
        else
            count_add(sum, from.calls);
        for (size_t event = 0; event < other->events; event++)
            line_costs_add(lines, row, events[event], costs[event]);
    }
    memory_free(events);
}

/* The number in `into` of a name of `from`; by its number there, `names` has those that have been looked up. */
static uint32_t merge_name(struct profile *into, const struct profile *from, uint32_t *names, uint32_t name)
{
    if (names[name] == NAME_EMPTY) /* a name may be long */
        names[name] = names_intern(&into->names, names_text(&from->names, name));
    return names[name];
}

void profile_merge(struct profile *into, const struct profile *from, uint32_t *renumbered)
{
    uint32_t *names = memory_zeroed(from->names.count, sizeof *names);
    for (uint32_t i = 0; from->names.texts == into->names.texts && i < from->names.count; i++)
        names[i] = i;
    for (size_t i = 0; i < from->function_count; i++) {
        const struct function f = from->functions[i]; /* which may be where the new one is */
        uint32_t object = merge_name(into, from, names, f.object), file = merge_name(into, from, names, f.file);
        uint32_t name = merge_name(into, from, names, f.name);
        uint32_t number = renumbered[i] = profile_function(into, (enum identity)f.identity, object, file, name);
        struct function *sum = &into->functions[number];
        sum->file = sum->file == NAME_EMPTY ? file : sum->file;
        sum->line = sum->line == 0 ? f.line : sum->line;
        sum->flags |= f.flags;
        cost_add(&sum->self, f.self);
        cost_add(&sum->inclusive, f.inclusive);
        cost_add(&sum->call_cost, f.call_cost);
        count_add(&sum->invocations, f.invocations);
    }
    for (size_t i = 0; i < from->arc_count; i++) {
        struct cg2wg_arc arc = from->arcs[i];
        profile_add_call(into, renumbered[arc.caller], renumbered[arc.callee], arc.line, arc.calls, arc.cost);
    }
    if (from->lines != NULL) {
        for (size_t i = 0; i < from->lines->count; i++)
            merge_name(into, from, names, from->lines->rows[i].key.file);
        for (size_t i = 0; from->lines->names != NULL && i < from->lines->events; i++)
            merge_name(into, from, names, from->lines->names[i]);
        merge_lines(into->lines, from->lines, renumbered, names);
    }
    memory_free(names);
    for (size_t i = 0; i < from->header_count; i++) {
        const struct header *h = &from->headers[i];
        profile_add_header(into, names_text(&from->names, h->key), names_text(&from->names, h->value), *h);
    }
    into->speaks_of_event |= from->speaks_of_event;
    into->lacks_callers |= from->lacks_callers;
    into->marks_levels |= from->marks_levels;
    into->is_merged |= from->is_merged;
    into->was_escaped |= from->was_escaped;
    if (into->event == NAME_EMPTY)
        into->event = names_intern(&into->names, names_text(&from->names, from->event));
}
