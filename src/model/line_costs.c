/* SPDX-License-Identifier: MIT */
#include "model/line_costs.h"

#include <stdlib.h>

/* Most functions have all of their rows one after the other: an index of these alone stays in the processor's cache. */
uint32_t line_costs_row(struct line_costs *lines, struct line_key key)
{
    size_t events = lines->events, count = lines->count;
    struct line_row added = {.key = key};
    struct index *index = &lines->newest;
    array_reach(&lines->first, &lines->first_capacity, (size_t)key.function + 1, sizeof *lines->first, 0);
    uint32_t first = lines->first[key.function], hash = hash_key(&key, sizeof key);
    if (first >= count || lines->rows[first].key.function != key.function) { /* it has no row yet */
        index_clear(index);
        lines->first[key.function] = lines->newest_first = first = (uint32_t)count;
    } else if (first != lines->newest_first) {
        index = &lines->index;
        first = 0;
        while (index->used < count)
            index_add(index, hash_key(&lines->rows[index->used].key, sizeof key));
    }
    uint32_t row = index->used > 0 ? index_find(index, hash, lines->rows + first, &key, sizeof added, sizeof key)
                                   : NONE;
    if (row != NONE)
        return first + row;
    if (index != &lines->newest)
        lines->newest_first = NONE;
    array_append(&lines->rows, &lines->count, &lines->capacity, &added, sizeof added);
    index_add(index, hash);
    array_reach(&lines->costs, &lines->cost_capacity, (count + 1) * events, sizeof *lines->costs, 0);
    memset(&lines->costs[count * events], 0, events * sizeof *lines->costs); /* another row's, if lines are united */
    return (uint32_t)count;
}

void costs_widen(cost_t **costs, size_t *capacity, size_t size, size_t added)
{
    size_t count = size > 0 ? *capacity / size : 0, wide = size + added;
    cost_t *old = *costs;
    *capacity = count * wide;
    *costs = memory_zeroed(*capacity + 1, sizeof **costs);
    for (size_t i = 0; i < count; i++)
        memcpy(*costs + i * wide, old + i * size, size * sizeof *old);
    memory_free(old);
}

static struct line_costs *take_event(const struct line_costs *from, size_t event)
{
    struct line_costs *lines = memory_zeroed(1, sizeof *lines);
    *lines = (struct line_costs){.rows = memory_copy(from->rows, from->count * sizeof *from->rows),
                                 .count = from->count,
                                 .capacity = from->count,
                                 .first = memory_copy(from->first, from->first_capacity * sizeof *from->first),
                                 .first_capacity = from->first_capacity,
                                 .newest_first = NONE,
                                 .diag = from->diag,
                                 .events = 1,
                                 .costs = memory_get((from->count + 1) * sizeof *lines->costs),
                                 .cost_capacity = from->count};
    for (size_t i = 0; i < from->count; i++)
        lines->costs[i] = from->costs[i * from->events + event];
    return lines;
}

void profile_copy(struct profile *profile, const struct profile *from, size_t event)
{
    *profile = *from;
    profile->names = names_copy(&from->names);
    profile->functions = memory_copy(from->functions, from->function_count * sizeof *from->functions);
    profile->arcs = memory_copy(from->arcs, from->arc_count * sizeof *from->arcs);
    profile->headers = memory_copy(from->headers, from->header_count * sizeof *from->headers);
    profile->function_capacity = from->function_count;
    profile->arc_capacity = from->arc_count;
    profile->header_capacity = from->header_count;
    profile->function_index = index_copy(&from->function_index);
    profile->arc_index = index_copy(&from->arc_index);
    if (from->lines != NULL && from->lines->names == NULL)
        profile->lines = take_event(from->lines, event);
}

size_t line_costs_event(struct line_costs *lines, uint32_t name)
{
    size_t event = 0;
    if (lines->names[0] == NAME_EMPTY)
        lines->names[0] = name;
    while (event < lines->events && lines->names[event] != name)
        event++;
    if (event < lines->events)
        return event;
    if (event == MOST_EVENTS)
        events_are_too_many(lines->diag);
    lines->names = memory_resize(lines->names, (event + 1) * sizeof *lines->names);
    lines->names[event] = name;
    costs_widen(&lines->costs, &lines->cost_capacity, lines->events++, 1);
    return event;
}

void line_costs_of_functions(struct profile *profile)
{
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        if ((f->flags & FUNCTION_HAS_RECORD) != 0)
            line_costs_add(profile->lines, line_costs_row(profile->lines, (struct line_key){i, NONE, f->file, f->line}),
                           0, f->self);
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        struct line_key key = {arc->caller, arc->callee, profile->functions[arc->caller].file, arc->line};
        uint32_t row = line_costs_row(profile->lines, key);
        count_add(&profile->lines->rows[row].calls, arc->calls);
        line_costs_add(profile->lines, row, 0, arc->cost);
    }
}

/* The arc of the calls of a row with this key, or NONE. */
static uint32_t arc_of(const struct profile *profile, const struct line_key *key)
{
    return key->callee != NONE ? profile_find_arc(profile, key->function, key->callee, key->line) : NONE;
}

/* The next whole number below, or the nearest that fits. */
static cost_t floor_of(double number)
{
    if (!(number > -9.2e18 && number < 9.2e18))
        return number < 0 ? INT64_MIN : INT64_MAX;
    return (cost_t)number - ((double)(cost_t)number > number);
}

uint32_t *line_costs_files(const struct profile *profile)
{
    uint32_t *files = memory_zeroed(profile->arc_count + 1, sizeof *files);
    for (size_t i = 0; i < profile->lines->count; i++) {
        const struct line_key *key = &profile->lines->rows[i].key;
        uint32_t arc = arc_of(profile, key);
        if (arc != NONE && files[arc] == NAME_EMPTY)
            files[arc] = key->file;
    }
    return files;
}

void line_costs_follow_arcs(struct profile *profile)
{
    struct line_costs *lines = profile->lines;
    uint64_t *sizes = memory_zeroed(profile->arc_count + 1, sizeof *sizes); /* of the rows of each arc that are left */
    cost_t *changes = memory_zeroed(profile->arc_count + 1, sizeof *changes); /* of the cost of each arc that is left */
    uint32_t *arcs = memory_get((lines->count + 1) * sizeof *arcs);           /* of each row, or NONE */
    for (size_t i = 0; i < profile->arc_count; i++)
        changes[i] = profile->arcs[i].cost;
    for (size_t i = 0; i < lines->count; i++) {
        uint32_t arc = arcs[i] = arc_of(profile, &lines->rows[i].key);
        if (arc == NONE)
            continue;
        count_add(&sizes[arc], cost_size(lines->costs[i]));
        cost_subtract(&changes[arc], lines->costs[i]);
    }
    /* The rows of an arc differ in their files. Each changes by as large a part as its cost is of the sizes of all. */
    for (size_t i = 0; i < lines->count; i++) {
        uint32_t arc = arcs[i];
        if (arc == NONE)
            continue;
        uint64_t size = cost_size(lines->costs[i]);
        cost_t change = changes[arc];
        if (size != sizes[arc])
            change = floor_of((double)change * ((double)size / (double)sizes[arc]));
        sizes[arc] -= size;
        cost_subtract(&changes[arc], change);
        cost_add(&lines->costs[i], change);
    }
    memory_free(sizes);
    memory_free(changes);
    memory_free(arcs);
}

COMPARISON(by_line, struct ordered_line,
           a->file != b->file   ? ORDER(a->file, b->file)
           : a->line != b->line ? ORDER(a->line, b->line)
                                : ORDER(a->callee + 1, b->callee + 1)) /* NONE + 1 is 0 */

struct buckets line_costs_by_function(const struct profile *profile)
{
    return array_buckets(profile->lines->rows, profile->lines->count, sizeof *profile->lines->rows,
                         offsetof(struct line_row, key.function), profile->function_count);
}

void ordered_lines_init(struct ordered_lines *ordered, const struct profile *profile)
{
    const struct line_costs *lines = profile->lines;
    struct buckets rows = line_costs_by_function(profile);
    const uint32_t *start = ordered->start = rows.start;
    ordered->all = memory_get((lines->count + 1) * sizeof *ordered->all);
    for (size_t i = 0; i < lines->count; i++) {
        uint32_t row = rows.numbers[i];
        const struct line_key *key = &lines->rows[row].key;
        ordered->all[i] = (struct ordered_line){key->file, profile_line(profile, key->file, key->line), key->callee,
                                                row};
    }
    memory_free(rows.numbers);
    for (size_t i = 0; i < profile->function_count; i++) /* most have no line, or one */
        if (start[i + 1] - start[i] > 1)
            qsort(&ordered->all[start[i]], start[i + 1] - start[i], sizeof *ordered->all, by_line);
}

bool ordered_lines_take(const struct ordered_lines *ordered, const struct line_costs *lines, size_t *next, size_t end,
                        struct code_line *line)
{
    const struct ordered_line *first = &ordered->all[*next];
    if (*next == end)
        return false;
    *line = (struct code_line){.file = lines->rows[first->row].key.file, .line = first->line, .first = *next};
    for (; *next < end && ordered->all[*next].file == first->file && ordered->all[*next].line == first->line; ++*next) {
        const struct ordered_line *row = &ordered->all[*next];
        cost_add(row->callee != NONE ? &line->calls : &line->self, lines->costs[row->row]);
        count_add(&line->call_count, lines->rows[row->row].calls);
    }
    line->end = *next;
    return true;
}
