#include "model/records.h"

#include "model/records_reader.h"
#include "util/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool records_init(struct records *records, const struct profile *profile)
{
    *records = (struct records){.profile = profile};
    if (spool_init(&records->spool) && index_init(&records->link_index, &profile->names.index))
        return true;
    records_free(records);
    return false;
}

void records_free(struct records *records)
{
    spool_free(&records->spool);
    free(records->last_calls);
    free(records->links);
    index_free(&records->link_index);
    *records = (struct records){.inclusive = 0};
}

bool records_add_link(struct records *records, uint32_t caller, uint32_t callee)
{
    struct link link = {caller, callee};
    struct index *ix = &records->link_index;
    uint32_t number;
    bool done = index_intern(ix, hash_numbers(&ix->seed, caller, callee), &records->links,
                             &records->link_capacity, &link, sizeof link, sizeof link, &number);
    records->link_count = ix->used;
    return done;
}

unsigned char *records_put_long(unsigned char *at, uint32_t kind, cost_t cost, uint32_t number,
                                uint32_t original, uint64_t distance)
{
    little8_put(at, (uint64_t)cost);
    little4_put(at + 8, number);
    little4_put(at + 12, original);
    little8_put(at + 16, (uint64_t)(IS_LONG | kind) << LONG_KIND_AT | distance);
    return at + LONG_SIZE;
}

/* Appends an entry of these bytes and a tag. */
static bool append_other(struct records *records, uint32_t tag, const void *bytes, size_t size)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (at == NULL)
        return false;
    if (size > 0)
        memcpy(at, bytes, size);
    little4_put(at + size, tag);
    records->spool.at = at + size + sizeof tag;
    records->start = spool_position(&records->spool);
    return true;
}

bool records_wait(struct records *records, const struct call *call)
{
    return records_add_link(records, call->caller, call_target(call)) &&
           append_other(records, WAITING, call, sizeof *call);
}

bool records_drop_record(struct records *records)
{
    records->inclusive = 0;
    return append_other(records, DROPPED, NULL, 0);
}

bool records_change_unit(struct records *records, uint64_t factor)
{
    return append_other(records, UNIT_CHANGES, &factor, sizeof factor);
}

bool records_new_run(struct records *records)
{
    return append_other(records, RUN_ENDS, NULL, 0);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Goes to the end of an entry. */
static bool reader_go_to(struct reader *reader, uint64_t position)
{
    uint64_t block = position == 0 ? 0 : (position - 1) / SPOOL_BLOCK;
    reader->start = reader->at = spool_block(reader->spool, block);
    if (reader->start == NULL) {
        reader->error = errno;
        return false;
    }
    reader->block = block;
    reader->at += position - block * SPOOL_BLOCK;
    return true;
}

bool records_read(struct records *records, struct reader *reader)
{
    free(records->last_calls);
    records->last_calls = NULL;
    *reader = (struct reader){.spool = &records->spool, .factor = 1};
    return reader_go_to(reader, spool_position(&records->spool));
}

uint32_t reader_go_back(struct reader *reader)
{
    uint32_t tag = RUN_ENDS;
    if (reader->block > 0 && reader->error == 0 && reader_go_to(reader, reader->block * SPOOL_BLOCK))
        while ((tag = tag_before(reader->at)) == FILLER)
            reader->at -= TAG_SIZE;
    return tag;
}

/* Takes an entry of append_other. */
static void take_other(struct reader *reader, void *bytes, size_t size)
{
    reader->at -= size + TAG_SIZE;
    memcpy(bytes, reader->at, size);
}

void reader_take_waiting(struct reader *reader, struct call *call)
{
    take_other(reader, call, sizeof *call);
    cost_multiply(&call->cost, reader->factor);
}

bool reader_next_other(struct reader *reader, uint32_t tag, struct record *record)
{
    uint64_t factor;
    if (reader->at == reader->start)
        return false;
    if (tag == UNIT_CHANGES) {
        take_other(reader, &factor, sizeof factor);
        reader->factor *= factor; /* their product is at most the first unit */
        return reader_next(reader, record);
    }
    reader->at -= TAG_SIZE;
    if (tag == RUN_ENDS) {
        record->begins_run = true;
        return true;
    }
    /* A dropped record has no function: its calls belong to nobody. */
    while (is_call(tag = next_tag(reader)))
        reader->at -= entry_size(tag);
    return reader_next(reader, record);
}
