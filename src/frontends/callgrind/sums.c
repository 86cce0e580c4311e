#include "frontends/callgrind/reader.h"

#include <stdlib.h>

/* The benchmark sets this to 0, to time the reader alone. */
#ifndef SUMS_ARE_MADE
#define SUMS_ARE_MADE 1
#endif

/* Sets *form to what is wanted of the costs of a line. False: it is no sum of one or two small multiples. */
static bool find_form(const struct event_costs *e, struct costs_form *form)
{
    bool is_list = e->wanted == ALL_COSTS;
    *form = (struct costs_form){.columns = (unsigned)e->column_count};
    form->are_weighed = is_list ? form->columns == 2 : e->wanted != ONE_COST || e->first > 0;
    if (!e->has_columns || e->column_count > 2)
        return false;
    for (size_t i = 0; i < e->weights.count; i++) {
        struct event_weight weight = e->weights.weights[i];
        if (weight.weight > DIGITS_MAX_WEIGHT || weight.weight < -DIGITS_MAX_WEIGHT)
            return false;
        form->weights[weight.column] = weight.weight;
    }
    return !form->are_weighed || form->columns == 2;
}

static bool is_extreme(cost_t cost)
{
    return cost >= RECORD_SUMS_EXTREME || cost <= -RECORD_SUMS_EXTREME;
}

/* Are the records at hand of the kind of which sums can be made? */
bool callgrind_sums_fit(const struct callgrind_reader *r)
{
    struct costs_form form;
    return SUMS_ARE_MADE && !r->sums.alone.is_off && r->kind_is_known && r->events.are_chosen && !r->is_by_callgrind &&
           r->builder->profile->records_are_invocations &&
           r->builder->identity == IDENTITY_NAME && !builder_wants_records(r->builder) &&
           r->position_count == 1 && r->line_position == 0 && find_form(&r->events, &form) &&
           !is_extreme(builder_run_self(r->builder)) && !is_extreme(r->events.totals[1]);
}

/* Within a record, with nothing said yet of a call that is to come. */
static bool is_between_calls(const struct callgrind_reader *r)
{
    return r->has_function && r->builder->current != INDEX_NONE && r->next_cost == COST_IS_SELF &&
           !r->has_called_name && !r->called_file.given && !r->called_object.given;
}

bool callgrind_is_between_records(const struct callgrind_reader *r)
{
    return r->record_is_closed && r->record_has_self && is_between_calls(r) &&
           text_starts(lines_whole(r->lines), "fl=(") && partial_sums_record_begins(lines_whole(r->lines));
}

static bool is_same_form(struct costs_form a, struct costs_form b)
{
    return a.columns == b.columns && a.are_weighed == b.are_weighed &&
           a.weights[0] == b.weights[0] && a.weights[1] == b.weights[1];
}

/* What was added up of other columns is of no use. */
static bool prepare(struct callgrind_reader *r, struct record_sums *sums)
{
    struct costs_form form;
    find_form(&r->events, &form);
    if (sums->builder != NULL && is_same_form(sums->partial.form, form))
        return true;
    record_sums_free(sums);
    return record_sums_init(sums, r->builder, &r->aliases[FILE_NAMES], &r->aliases[FUNCTION_NAMES],
                            form) ||
           callgrind_no_memory(r);
}

/* The sums look at bytes before a record. At the start of a buffer there are none. */
static bool has_bytes_before(const struct callgrind_reader *r, struct text rest)
{
    return r->lines->is_given || rest.at - r->lines->buffer >= PARTIAL_SUMS_BEFORE;
}

/* What it leaves begins with a record again, so the state is that after a closed record that another one ends. */
bool callgrind_take_sums(struct callgrind_reader *r)
{
    struct records_taken taken;
    struct text rest = lines_rest(r->lines);
    struct record_sums *sums = r->sums.slot != NULL ? r->sums.slot : &r->sums.alone;
    if (!has_bytes_before(r, rest))
        return true;
    if (!prepare(r, sums) || !builder_end_record(r->builder) ||
        !record_sums_take(sums, r->object, &rest, &taken))
        return false;
    if (taken.records == 0)
        return true;
    lines_skip(r->lines, rest.at, taken.lines);
    r->sensible_lines += taken.lines - taken.records; /* blank lines do not count */
    r->position[0] = taken.last_line;
    r->callees_first &= taken.callees_first;
    cost_add(&r->builder->run_self, taken.self);
    cost_add(&r->events.totals[0], taken.self);
    if (r->events.column_count == 2)
        cost_add(&r->events.totals[1], taken.other_self);
    r->part_records += taken.records;
    return true;
}

bool callgrind_prepare_sums(struct callgrind_reader *r, unsigned slots)
{
    r->sums.slots = calloc(slots, sizeof *r->sums.slots);
    if (r->sums.slots == NULL)
        return callgrind_no_memory(r);
    for (; r->sums.slot_count < slots; r->sums.slot_count++)
        if (!prepare(r, &r->sums.slots[r->sums.slot_count]))
            return false;
    return true;
}

void callgrind_sums_free(struct callgrind_reader *r)
{
    record_sums_free(&r->sums.alone);
    for (unsigned i = 0; i < r->sums.slot_count; i++)
        record_sums_free(&r->sums.slots[i]);
    free(r->sums.slots);
}
