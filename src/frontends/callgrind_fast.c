#include "frontends/callgrind_reader.h"

#include <stdlib.h>

enum {
    BLOCK = 1024 * 1024, /* what a thread takes at once, in bytes */
    SUMS_AHEAD = 4,      /* blocks; where names are defined, to enter them takes long */
    RECORDS_AHEAD = 2    /* each has tables of its own, which should be in the processor's cache */
};

/* Are the records at hand of the kind that the fast path knows? */
static bool fits_fast_path(const struct callgrind_reader *r)
{
    size_t columns = r->events.events.column_count;
    return !r->options->plain && r->is_settled && r->events.is_settled && !r->is_by_callgrind &&
           r->builder->profile->records_are_invocations &&
           r->builder->identity == IDENTITY_NAME && r->options->list == NULL &&
           r->events.has_columns && r->events.is_first &&
           columns <= 2 && r->position_count == 1 && r->line_position == 0;
}

/* What was digested with other columns is of no use. */
static bool prepare_fast(struct callgrind_reader *r)
{
    unsigned columns = (unsigned)r->events.events.column_count;
    if (r->fast.slot->records.digest.columns == columns)
        return true;
    fast_records_free(&r->fast.slot->records);
    return fast_records_init(&r->fast.slot->records, r->builder, &r->file_aliases, &r->function_aliases,
                             columns) ||
           callgrind_no_memory(r);
}

static void skip_fast(struct callgrind_reader *r, struct text rest, const struct fast_taken *taken)
{
    lines_skip(r->lines, rest.at, taken->lines);
    r->sensible_lines += taken->lines - taken->records; /* blank lines do not count */
    r->position[0] = taken->last_line;
    r->callees_first &= taken->callees_first;
}

/* May the rest begin with records of the kind that the fast path for names in full knows? */
static bool fits_full_names(const struct callgrind_reader *r)
{
    return r->builder->proxies.names.count == 0 && full_records_begin(lines_rest(r->lines));
}

/* Does it begin with a record whose names are aliases? Only of such records threads make a digest. */
static bool begins_with_aliases(const struct callgrind_reader *r)
{
    struct text rest = lines_rest(r->lines);
    return digest_record_begins(rest) && !full_records_begin(rest);
}

/* Records with names in full. What was found out with other columns is of no use. */
static bool take_full_records(struct callgrind_reader *r, struct text *rest,
                              struct fast_taken *taken)
{
    unsigned columns = (unsigned)r->events.events.column_count;
    if (r->fast.full.columns != columns) {
        full_records_free(&r->fast.full);
        full_records_init(&r->fast.full, r->builder, &r->file_aliases, &r->function_aliases,
                          columns);
    }
    return builder_end_record(r->builder) &&
           full_records_take(&r->fast.full, r->object, rest, taken);
}

/* The digest looks at bytes before a record. At the start of a buffer there are none. */
static bool has_bytes_before(const struct callgrind_reader *r, struct text rest)
{
    return r->lines->is_given || rest.at - r->lines->buffer >= DIGEST_BEFORE;
}

/*
 * Between two records: lets the fast path take as many as it can. What it leaves begins with a record
 * again, so the state is that after a closed record that another one ends.
 */
static bool take_fast_records(struct callgrind_reader *r)
{
    struct fast_taken taken;
    struct text rest = lines_rest(r->lines);
    if (!digest_record_begins(rest) || !has_bytes_before(r, rest))
        return true;
    if (fits_full_names(r)) {
        if (!take_full_records(r, &rest, &taken))
            return false;
    } else if (!prepare_fast(r) || !builder_end_record(r->builder) ||
               !fast_records_take(&r->fast.slot->records, r->object, &rest, &taken)) {
        return false;
    }
    if (taken.records == 0)
        return true;
    skip_fast(r, rest, &taken);
    cost_add(&r->part_self, taken.self);
    r->part_self_before = r->part_self;
    r->part_records += taken.records;
    return true;
}

/* Behind a call: lets the fast path take the calls that follow. */
static bool take_fast_calls(struct callgrind_reader *r)
{
    struct fast_taken taken;
    struct text rest = lines_rest(r->lines);
    if (!text_starts(rest, "cfl=(") || r->builder->proxies.held_count > 0)
        return true;
    if (!prepare_fast(r) || !fast_records_take_calls(&r->fast.slot->records, r->object, &rest, &taken))
        return false;
    if (taken.lines == 0)
        return true;
    skip_fast(r, rest, &taken);
    r->record_is_closed = false;
    r->has_callee = true;
    r->callee = taken.last_callee;
    return true;
}

/* Within a function, with nothing said yet of a call that is to come. */
static bool is_between_calls(const struct callgrind_reader *r)
{
    return r->has_function && r->builder->current != INDEX_NONE && r->next_cost == COST_IS_SELF &&
           !r->has_called_name && !r->called_file.given && !r->called_object.given;
}

/* True where a closed record has just ended and nothing of another has been read. */
static bool is_between_records(const struct callgrind_reader *r)
{
    return r->record_is_closed && r->record_has_self && is_between_calls(r);
}

/* Are records sums of the kind that the fast path for them knows? */
static bool fits_fast_sums(const struct callgrind_reader *r)
{
    return !r->options->plain && r->is_settled && r->events.is_settled &&
           !r->builder->profile->records_are_invocations && r->options->list == NULL &&
           r->events.has_columns && r->events.is_first && r->position_count <= 2 &&
           r->line_position == (int)r->position_count - 1;
}

/* Within a record, of which no cost line from the file at hand can change the function's line. */
static bool is_within_sum(const struct callgrind_reader *r)
{
    const struct builder *builder = r->builder;
    if (!r->is_entered || !is_between_calls(r))
        return false;
    uint8_t flags = builder->profile->functions[builder->current].flags;
    return (flags & FUNCTION_LINE_IS_OWN) != 0 ||
           ((flags & FUNCTION_HAS_LINE) != 0 && r->file != r->entered_file);
}

static struct cost_form cost_form(const struct callgrind_reader *r)
{
    return (struct cost_form){.has_other_position = r->position_count == 2,
                              .remembers_self = r->is_by_callgrind,
                              .columns = r->events.events.column_count};
}

/* Behind a line within a record: lets the fast path for sums take what it can. */
static bool take_fast_sums(struct callgrind_reader *r)
{
    cost_runs_set_form(&r->fast.slot->runs, cost_form(r));
    struct text rest = lines_rest(r->lines);
    struct fast_sums *s = &r->fast.sums;
    *s = (struct fast_sums){.builder = r->builder,
                            .object_aliases = &r->object_aliases,
                            .file_aliases = &r->file_aliases,
                            .function_aliases = &r->function_aliases,
                            .ahead = &r->fast.slot->runs,
                            .form = cost_form(r),
                            .self = r->part_self,
                            .object = r->object,
                            .file = r->file,
                            .call_file = r->call_file,
                            .function_file = r->function_file,
                            .entered_file = r->entered_file,
                            .function_name = r->function_name,
                            .line = r->position[r->line_position],
                            .has_file = r->has_fl,
                            .has_callee = r->has_callee,
                            .callee = r->callee};
    if (!fast_sums_take(s, &rest))
        return false;
    lines_skip(r->lines, rest.at, s->lines);
    r->sensible_lines += s->sensible_lines;
    r->part_self = s->self;
    r->object = s->object;
    r->file = s->file;
    r->call_file = s->call_file;
    r->function_file = s->function_file;
    r->entered_file = s->entered_file;
    r->function_name = s->function_name;
    r->position[r->line_position] = s->line;
    r->has_fl = s->has_file;
    r->has_callee = s->has_callee;
    r->callee = s->callee;
    return true;
}

/* There is more than one thread can read while another is started. */
static bool wants_threads(struct callgrind_reader *r)
{
    if (r->lines->refills == 0 || r->lines->at_end)
        return false;
    if (r->fast.threads == 0)
        r->fast.threads = blocks_threads(r->options->threads, r->lines->source);
    return r->fast.threads > 1;
}

enum callgrind_fast_result callgrind_fast_before_line(struct callgrind_reader *r)
{
    if (!is_between_records(r) || !fits_fast_path(r))
        return FAST_DONE;
    if (r->fast.slots == NULL && wants_threads(r) && begins_with_aliases(r))
        return FAST_PAYS_IN_THREADS;
    return take_fast_records(r) ? FAST_DONE : FAST_FAILED;
}

enum callgrind_fast_result callgrind_fast_behind_line(struct callgrind_reader *r, bool was_call)
{
    if (was_call && is_between_calls(r) && fits_fast_path(r) && !take_fast_calls(r))
        return FAST_FAILED;
    if (!is_within_sum(r) || !fits_fast_sums(r))
        return FAST_DONE;
    if (r->fast.slots == NULL && wants_threads(r))
        return FAST_PAYS_IN_THREADS;
    return take_fast_sums(r) ? FAST_DONE : FAST_FAILED;
}

/* ---- threads ------------------------------------------------------------------------------ */

static bool prepare_records(void *context, unsigned slot, struct text block)
{
    struct callgrind_reader *r = context;
    return fast_records_prepare(&r->fast.slots[slot].records, block);
}

static bool prepare_sums(void *context, unsigned slot, struct text block)
{
    struct callgrind_reader *r = context;
    return cost_runs_find(&r->fast.slots[slot].runs, block);
}

static bool take_block(void *context, unsigned slot, struct text block, bool is_last)
{
    struct callgrind_reader *r = context;
    r->fast.slot = &r->fast.slots[slot];
    lines_give(r->lines, block, is_last);
    return callgrind_read_lines(r);
}

static bool make_slots(struct callgrind_reader *r, unsigned count, bool are_sums)
{
    r->fast.slots = calloc(count, sizeof *r->fast.slots);
    if (r->fast.slots == NULL)
        return callgrind_no_memory(r);
    for (; r->fast.slot_count < count; r->fast.slot_count++) {
        r->fast.slot = &r->fast.slots[r->fast.slot_count];
        cost_runs_set_form(&r->fast.slot->runs, cost_form(r));
        if (!are_sums && !prepare_fast(r))
            return false;
    }
    return true;
}

bool callgrind_read_in_threads(struct callgrind_reader *r)
{
    bool are_sums = !r->builder->profile->records_are_invocations;
    struct blocks_work work = {.threads = r->fast.threads,
                               .ahead = are_sums ? SUMS_AHEAD : RECORDS_AHEAD,
                               .block = r->options->block > 0 ? r->options->block : BLOCK,
                               .before = DIGEST_BEFORE,
                               .context = r,
                               .cut = digest_cut,
                               .prepare = are_sums ? prepare_sums : prepare_records,
                               .take = take_block};
    return make_slots(r, blocks_slots(&work), are_sums) &&
           blocks_run(r->lines->source, lines_rest(r->lines), &work);
}

static void slot_free(struct callgrind_slot *slot)
{
    fast_records_free(&slot->records);
    cost_runs_free(&slot->runs);
}

void callgrind_fast_init(struct callgrind_reader *r)
{
    r->fast.slot = &r->fast.alone;
}

void callgrind_fast_free(struct callgrind_reader *r)
{
    slot_free(&r->fast.alone);
    for (unsigned i = 0; i < r->fast.slot_count; i++)
        slot_free(&r->fast.slots[i]);
    free(r->fast.slots);
    full_records_free(&r->fast.full);
}
