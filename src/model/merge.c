/* SPDX-License-Identifier: MIT */
#include "model/line_costs.h"

/* The number in `into` of a name of `from`; `names` has those that have been looked up. NULL: all are the same. */
static uint32_t merge_name(struct profile *into, const struct profile *from, uint32_t *names, uint32_t name)
{
    if (names == NULL)
        return name;
    if (names[name] == NAME_EMPTY) /* a name may be long */
        names[name] = names_intern(&into->names, names_text(&from->names, name));
    return names[name];
}

/* Adds the lines of a profile, whose function i is functions[i] in `into`. */
static void merge_lines(struct profile *into, const struct profile *from, const uint32_t *functions, uint32_t *names)
{
    struct line_costs *lines = into->lines;
    const struct line_costs *other = from->lines;
    size_t *events = memory_zeroed(other->events, sizeof *events);
    /* If not, they have the same events. */
    bool have_names = lines->names != NULL && other->names != NULL && lines->names != other->names;
    for (size_t i = 0; i < other->events; i++)
        events[i] = have_names ? line_costs_event(lines, merge_name(into, from, names, other->names[i])) : i;
    for (size_t i = 0; i < other->count; i++) {
        const struct line_row added = other->rows[i]; /* this and its costs may be where the new row is */
        const struct line_key *key = &added.key;
        cost_t costs[MOST_EVENTS];
        memcpy(costs, &other->costs[i * other->events], other->events * sizeof *costs);
        uint32_t callee = key->callee != NONE ? functions[key->callee] : NONE;
        uint32_t file = merge_name(into, from, names, key->file);
        uint32_t row = line_costs_row(lines, (struct line_key){functions[key->function], callee, file, key->line});
        uint64_t *sum = &lines->rows[row].calls;
        if (other->renumbered != NULL)
            other->renumbered[i] = row;
        if (other->are_again)
            *sum = MAX(*sum, added.calls);
        else
            count_add(sum, added.calls);
        for (size_t event = 0; event < other->events; event++)
            line_costs_add(lines, row, events[event], costs[event]);
    }
    memory_free(events);
}

/* Adds a function of `from`, without its costs. */
static uint32_t add_function(struct profile *into, const struct profile *from, uint32_t *names,
                             const struct function *f)
{
    uint32_t object = merge_name(into, from, names, f->object), file = merge_name(into, from, names, f->file);
    uint32_t number = profile_function(into, (enum identity)f->identity, object, file,
                                       merge_name(into, from, names, f->name));
    struct function *added = &into->functions[number];
    added->file = added->file == NAME_EMPTY ? file : added->file;
    added->line = added->line == 0 ? f->line : added->line;
    added->flags |= f->flags;
    return number;
}

void profile_add_functions(struct profile *into, const struct profile *from, uint32_t *names, uint32_t *renumbered)
{
    for (size_t i = 0; i < from->function_count; i++)
        renumbered[i] = add_function(into, from, names, &from->functions[i]);
}

void profile_merge(struct profile *into, const struct profile *from, uint32_t *functions, uint32_t *arcs)
{
    bool are_same = from->names.texts == into->names.texts;
    uint32_t *names = are_same ? NULL : memory_zeroed(from->names.count, sizeof *names);
    for (size_t i = 0; i < from->function_count; i++) {
        const struct function f = from->functions[i]; /* which may be where the new one is */
        functions[i] = add_function(into, from, names, &f);
        struct function *sum = &into->functions[functions[i]];
        cost_add(&sum->self, f.self);
        cost_add(&sum->inclusive, f.inclusive);
        cost_add(&sum->call_cost, f.call_cost);
        count_add(&sum->invocations, f.invocations);
    }
    for (size_t i = 0; i < from->arc_count; i++) {
        struct cg2wg_arc a = from->arcs[i];
        uint32_t arc = profile_add_call(into, functions[a.caller], functions[a.callee], a.line, a.calls, a.cost);
        if (arcs != NULL)
            arcs[i] = arc;
    }
    if (from->lines != NULL)
        merge_lines(into, from, functions, names);
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

void profile_unite(struct profile *profile, uint32_t *functions, uint32_t **arcs, struct profile *whole)
{
    struct profile from = *profile;
    struct line_costs lines;
    if (whole != NULL) {
        *whole = from;
        whole->functions = memory_copy(from.functions, from.function_count * sizeof *from.functions);
        whole->arcs = memory_copy(from.arcs, from.arc_count * sizeof *from.arcs);
    }
    if (arcs != NULL)
        *arcs = memory_get((from.arc_count + 1) * sizeof **arcs);
    /* The profile is merged into itself: entry i is read before any j <= i is written, so its arrays never grow. */
    from.header_count = 0;
    if (profile->lines != NULL) {
        lines = *profile->lines;
        from.lines = &lines;
        profile->lines->count = 0;
        index_clear(&profile->lines->index);
    }
    index_clear(&profile->function_index);
    index_clear(&profile->arc_index);
    profile->function_count = profile->arc_count = 0;
    profile_merge(profile, &from, functions, arcs != NULL ? *arcs : NULL);
}

uint32_t profile_readable(struct profile *profile, uint32_t name)
{
    struct names *names = &profile->names;
    if (profile->demangler == NULL || !names->has_mangled || profile->has_part_of[PRODUCER_XDEBUG] ||
        profile->records_are_invocations)
        return name;
    if (name >= names->readable_count)
        profile->demangler->demangle(profile->demangler, names);
    return names->readable[name];
}

uint32_t *profile_make_readable(struct profile *profile, uint32_t **arcs)
{
    bool has_changed = false;
    for (size_t i = 0; i < profile->function_count; i++) {
        uint32_t *name = &profile->functions[i].name, readable = profile_readable(profile, *name);
        has_changed |= readable != *name;
        *name = readable;
    }
    if (!has_changed)
        return NULL;
    uint32_t *functions = memory_get(profile->function_count * sizeof *functions);
    profile_unite(profile, functions, arcs, NULL);
    return functions;
}
