#include "frontends/callgrind_reader.h"

#include <stdlib.h>

enum {
    BLOCK = 1024 * 1024, /* what a thread takes at once, in bytes */
    AHEAD = 2            /* blocks; each has tables of its own, which should be in the processor's cache */
};

/* Sets *form to what is wanted of the costs of a line. False: it is no sum of one or two small multiples. */
static bool find_form(const struct event_costs *e, struct costs_form *form)
{
    bool is_list = e->wanted == ALL_COSTS;
    *form = (struct costs_form){.columns = (unsigned)e->events.column_count};
    form->are_weighed = is_list ? form->columns == 2 : e->wanted != ONE_COST || e->first > 0;
    if (!e->has_columns || e->events.column_count > 2)
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
    return !r->sums.alone.is_off && r->is_settled && r->events.is_settled && !r->is_by_callgrind &&
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

/* A closed record has just ended, nothing of another has been read, and such a record follows. */
static bool is_between_records(const struct callgrind_reader *r)
{
    return r->record_is_closed && r->record_has_self && is_between_calls(r) &&
           text_starts(lines_whole(r->lines), "fl=(") && digest_record_begins(lines_whole(r->lines));
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
    if (is_same_form(sums->digest.form, form))
        return true;
    record_sums_free(sums);
    return record_sums_init(sums, r->builder, &r->aliases[FILE_NAMES], &r->aliases[FUNCTION_NAMES],
                            form) ||
           callgrind_no_memory(r);
}

/* The digest looks at bytes before a record. At the start of a buffer there are none. */
static bool has_bytes_before(const struct callgrind_reader *r, struct text rest)
{
    return r->lines->is_given || rest.at - r->lines->buffer >= DIGEST_BEFORE;
}

/*
 * Takes as many records as it can. What it leaves begins with a record again, so the state is that after a
 * closed record that another one ends.
 */
static bool take_sums(struct callgrind_reader *r)
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
    if (r->events.events.column_count == 2)
        cost_add(&r->events.totals[1], taken.other_self);
    r->part_records += taken.records;
    return true;
}

/* There is more than one thread can read while another is started. */
static bool wants_threads(struct callgrind_reader *r)
{
    if (r->sums.has_threads || r->lines->refills == 0 || r->lines->at_end || !r->in_body)
        return false;
    if (r->sums.threads == 0)
        r->sums.threads = blocks_threads(r->options->threads, r->lines->source);
    return r->sums.threads > 1;
}

bool callgrind_take_sums(struct callgrind_reader *r, bool *pays_in_threads)
{
    bool fit = callgrind_sums_fit(r);
    *pays_in_threads = false;
    if (fit && !is_between_records(r))
        return true;
    *pays_in_threads = wants_threads(r);
    return !fit || *pays_in_threads || take_sums(r);
}

/* ---- threads ------------------------------------------------------------------------------ */

static bool prepare_block(void *context, unsigned slot, struct text block)
{
    struct callgrind_reader *r = context;
    return record_sums_prepare(&r->sums.slots[slot], block);
}

static bool take_block(void *context, unsigned slot, struct text block, bool is_last)
{
    struct callgrind_reader *r = context;
    r->sums.slot = &r->sums.slots[slot];
    lines_give(r->lines, block, is_last);
    return callgrind_read_lines(r);
}

/* Where no sums are made, another thread only reads ahead. */
static bool prepare_nothing(void *context, unsigned slot, struct text block)
{
    (void)context;
    (void)slot;
    (void)block;
    return true;
}

static bool take_block_as_it_is(void *context, unsigned slot, struct text block, bool is_last)
{
    struct callgrind_reader *r = context;
    (void)slot;
    lines_give(r->lines, block, is_last);
    return callgrind_read_lines(r);
}

static bool make_slots(struct callgrind_reader *r, unsigned count)
{
    r->sums.slots = calloc(count, sizeof *r->sums.slots);
    if (r->sums.slots == NULL)
        return callgrind_no_memory(r);
    for (; r->sums.slot_count < count; r->sums.slot_count++)
        if (!prepare(r, &r->sums.slots[r->sums.slot_count]))
            return false;
    return true;
}

bool callgrind_read_in_threads(struct callgrind_reader *r)
{
    struct text rest = lines_rest(r->lines);
    bool are_sums = callgrind_sums_fit(r) && text_starts(rest, "fl=(");
    struct blocks_work work = {.threads = are_sums ? r->sums.threads : 2,
                               .ahead = AHEAD,
                               .block = r->options->block > 0 ? r->options->block : BLOCK,
                               .before = DIGEST_BEFORE,
                               .context = r,
                               .cut = digest_cut,
                               .prepare = are_sums ? prepare_block : prepare_nothing,
                               .take = are_sums ? take_block : take_block_as_it_is};
    r->sums.has_threads = true;
    return (!are_sums || make_slots(r, blocks_slots(&work))) &&
           blocks_run(r->lines->source, rest, &work);
}

void callgrind_sums_free(struct callgrind_reader *r)
{
    record_sums_free(&r->sums.alone);
    for (unsigned i = 0; i < r->sums.slot_count; i++)
        record_sums_free(&r->sums.slots[i]);
    free(r->sums.slots);
}
