#include "model/records.h"

#include "model/records_reader.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

static inline uint64_t fold_sign(cost_t cost)
{
    uint64_t twice = (uint64_t)cost << 1;
    return cost < 0 ? ~twice : twice;
}

/* The number of bytes of a number, at least 1. */
static inline unsigned length_of(uint64_t value)
{
    return (63 - (unsigned)__builtin_clzll(value | 1)) / 8 + 1;
}

bool records_init(struct records *records, const struct profile *profile)
{
    *records = (struct records){.profile = profile};
    if (spool_init(&records->spool) && ids_init(&records->link_numbers, &profile->names.index))
        return true;
    records_free(records);
    return false;
}

void records_free(struct records *records)
{
    spool_free(&records->spool);
    free(records->last_calls);
    free(records->links);
    ids_free(&records->link_numbers);
    *records = (struct records){.inclusive = 0};
}

/* Notes that the call graph has a call that may not be one of the arcs. */
static bool add_link(struct records *records, uint32_t caller, uint32_t callee)
{
    uint64_t id = (uint64_t)caller << 32 | callee;
    if (ids_find(&records->link_numbers, id) != IDS_NONE)
        return true;
    if (!array_reserve(&records->links, &records->link_capacity, records->link_count + 1,
                       sizeof *records->links) ||
        !ids_set(&records->link_numbers, id, (uint32_t)records->link_count))
        return false;
    records->links[records->link_count++] = (struct link){caller, callee};
    return true;
}

/* Writes an entry to `at`, where there is more than enough room. */
HOT void put_entry(struct records *records, unsigned char *at, unsigned kind, cost_t cost,
                             uint32_t number)
{
    uint64_t folded = fold_sign(cost);
    unsigned cost_length = length_of(folded), number_length = length_of(number);
    little8_put(at, folded);
    little4_put(at + cost_length, number);
    at += cost_length + number_length;
    *at = (unsigned char)(kind | (cost_length - 1) << 2 | (number_length - 1));
    records->spool.at = at + 1;
}

HOT bool append_record(struct records *records, cost_t inclusive, uint32_t function)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (UNLIKELY(at == NULL))
        return false;
    put_entry(records, at, RECORD, inclusive, function);
    records->start = spool_position(&records->spool);
    return true;
}

/* Links the call that begins at `at` to the last one of the same function. Returns the link's end. */
static unsigned char *put_link(unsigned char *at, uint64_t distance)
{
    unsigned length = distance == 0 ? 0 : length_of(distance);
    little8_put(at, distance);
    at[length] = (unsigned char)length;
    return at + length + 1;
}

HOT bool append_call(struct records *records, unsigned kind, uint32_t callee, uint32_t arc,
                               cost_t cost)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (UNLIKELY(at == NULL) || !array_reach(&records->last_calls, &records->last_call_capacity,
                                             (size_t)callee + 1, sizeof *records->last_calls, 0))
        return false;
    uint64_t *last = &records->last_calls[callee], start = spool_position(&records->spool);
    const unsigned char *first = at;
    if (*last > records->start) {
        at = put_link(at, start - *last);
        kind |= IS_LINKED;
    }
    if (kind & REPLACED) {
        little4_put(at, callee);
        at += 4;
    }
    put_entry(records, at, kind, cost, arc);
    *last = start + (uint64_t)(records->spool.at - first);
    cost_add(&records->inclusive, cost);
    return true;
}

bool records_call(struct records *records, uint32_t arc, cost_t cost)
{
    return append_call(records, CALL, records->profile->arcs[arc].callee, arc, cost);
}

bool records_replaced_call(struct records *records, uint32_t arc, cost_t cost, uint32_t caller,
                           uint32_t original)
{
    return add_link(records, caller, original) &&
           append_call(records, REPLACED, original, arc, cost);
}

/* Appends an entry of these bytes and a tag. */
static bool append_other(struct records *records, unsigned tag, const void *bytes, size_t size)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (at == NULL)
        return false;
    if (size > 0)
        memcpy(at, bytes, size);
    at[size] = (unsigned char)tag;
    records->spool.at = at + size + 1;
    records->start = spool_position(&records->spool);
    return true;
}

bool records_wait(struct records *records, uint32_t proxy, const struct waiting_call *call)
{
    return add_link(records, proxy, call->callee) &&
           append_other(records, WAITING, call, sizeof *call);
}

bool records_drop_record(struct records *records)
{
    records->inclusive = 0;
    return append_other(records, DROPPED, NULL, 0);
}

bool records_end_record(struct records *records, uint32_t function, cost_t self)
{
    cost_t inclusive = self;
    cost_add(&inclusive, records->inclusive);
    records->inclusive = 0;
    return append_record(records, inclusive, function);
}

bool records_change_unit(struct records *records, uint64_t factor)
{
    return append_other(records, RUN_ENDS, &factor, sizeof factor);
}

bool records_new_run(struct records *records)
{
    return records_change_unit(records, 1);
}

/* ---- reading ------------------------------------------------------------------------------ */

bool records_read(struct records *records, struct reader *reader)
{
    free(records->last_calls);
    records->last_calls = NULL;
    *reader = (struct reader){.spool = &records->spool, .factor = 1};
    return reader_go_to(reader, spool_position(&records->spool));
}

bool reader_step_over_filler(struct reader *reader)
{
    for (;;) {
        while (reader->at > reader->start && reader->at[-1] == SPOOL_FILLER)
            reader->at--;
        if (reader->at > reader->start || reader->block == 0)
            return true;
        if (!reader_go_to(reader, reader->block * SPOOL_BLOCK))
            return false;
    }
}

/* Takes an entry of append_other. */
static void take_other(struct reader *reader, void *bytes, size_t size)
{
    reader->at -= size + 1;
    memcpy(bytes, reader->at, size);
}

void reader_take_waiting(struct reader *reader, struct waiting_call *call)
{
    take_other(reader, call, sizeof *call);
    cost_multiply(&call->cost, reader->factor);
}

/* The dropped record has no function: its calls belong to nobody. */
static bool skip_calls(struct reader *reader)
{
    unsigned tag;
    while (next_tag(reader, &tag)) {
        if (!is_call(tag))
            return true;
        reader->at = entry_start(reader->at, tag);
    }
    return false;
}

enum record_result reader_next_other(struct reader *reader, unsigned tag, struct record *record)
{
    uint64_t factor;
    if (reader->at == reader->start)
        return RECORD_NO_MORE;
    if (tag == RUN_ENDS) {
        take_other(reader, &factor, sizeof factor);
        reader->factor *= factor; /* their product is at most the first unit */
        return RECORD_RUN_BEGINS;
    }
    reader->at--;
    return skip_calls(reader) ? reader_next(reader, record) : RECORD_FAILED;
}
