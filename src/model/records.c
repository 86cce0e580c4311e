#include "model/records.h"

#include "model/records_reader.h"
#include "util/array.h"

#include <errno.h>
#include <stdlib.h>

static bool no_memory(void)
{
    errno = ENOMEM;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------ */

static inline uint64_t fold_sign(cost_t cost)
{
    uint64_t twice = (uint64_t)cost << 1;
    return cost < 0 ? ~twice : twice;
}

static inline unsigned length_of(uint64_t value)
{
    return (71 - (unsigned)__builtin_clzll(value | 1)) / 8;
}

bool records_init(struct records *records)
{
    *records = (struct records){.inclusive = 0};
    if (spool_init(&records->spool) && index_init(&records->link_index, NULL))
        return true;
    records_free(records);
    return no_memory();
}

void records_free(struct records *records)
{
    spool_free(&records->spool);
    free(records->links);
    index_free(&records->link_index);
    *records = (struct records){.inclusive = 0};
}

static uint32_t hash_of_link(const void *owner, uint32_t number)
{
    const struct records *records = owner;
    const struct link *link = &records->links[number];
    return hash_numbers(&records->link_index.seed, link->caller, link->callee);
}

/* Notes that the call graph has a call that may not be one of the arcs. */
static bool add_link(struct records *records, uint32_t caller, uint32_t callee)
{
    uint32_t hash = hash_numbers(&records->link_index.seed, caller, callee), slot;
    uint32_t found = index_first(&records->link_index, hash, &slot);
    for (; found != INDEX_NONE; found = index_next(&records->link_index, hash, &slot))
        if (records->links[found].caller == caller && records->links[found].callee == callee)
            return true;
    if (!index_make_room(&records->link_index, hash_of_link, records) ||
        !array_reserve(&records->links, &records->link_capacity, records->link_count + 1,
                       sizeof *records->links))
        return no_memory();
    records->links[records->link_count++] = (struct link){caller, callee};
    index_add(&records->link_index, hash);
    return true;
}

/* Writes an entry to `at`, where there is more than enough room. Returns its end. */
static inline unsigned char *put_entry(unsigned char *at, unsigned kind, cost_t cost,
                                       uint32_t number)
{
    uint64_t folded = fold_sign(cost);
    unsigned cost_length = length_of(folded), number_length = length_of(number);
    little8_put(at, folded);
    little4_put(at + cost_length, number);
    at += cost_length + number_length;
    *at = (unsigned char)(kind | (number_length - 1) << 4 | cost_length);
    return at + 1;
}

static inline bool append_entry(struct records *records, unsigned kind, cost_t cost, uint32_t number)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (UNLIKELY(at == NULL))
        return false;
    records->spool.at = put_entry(at, kind, cost, number);
    return true;
}

static bool append_tag(struct records *records, unsigned tag)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (at == NULL)
        return false;
    *at = (unsigned char)tag;
    records->spool.at = at + 1;
    return true;
}

bool records_call(struct records *records, uint32_t arc, cost_t cost)
{
    cost_add(&records->inclusive, cost);
    return append_entry(records, CALL, cost, arc);
}

bool records_replaced_call(struct records *records, uint32_t arc, cost_t cost, uint32_t caller,
                           uint32_t original)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (at == NULL || !add_link(records, caller, original))
        return false;
    cost_add(&records->inclusive, cost);
    little4_put(at, original);
    records->spool.at = put_entry(at + 4, REPLACED, cost, arc);
    return true;
}

bool records_wait(struct records *records, uint32_t proxy, uint32_t callee, bool is_replaced,
                  uint32_t final, uint32_t line, cost_t cost)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (at == NULL || !add_link(records, proxy, callee))
        return false;
    little8_put(at, fold_sign(cost));
    little4_put(at + 8, callee);
    little4_put(at + 12, final);
    little4_put(at + 16, line);
    at[20] = is_replaced;
    at[21] = WAITING;
    records->spool.at = at + 22;
    return true;
}

bool records_drop_record(struct records *records)
{
    records->inclusive = 0;
    return append_tag(records, DROPPED);
}

bool records_end_record(struct records *records, uint32_t function)
{
    cost_t inclusive = records->inclusive;
    records->inclusive = 0;
    return append_entry(records, RECORD, inclusive, function);
}

bool records_tell(struct records *records, const struct told *told, size_t count, uint32_t *function)
{
    for (const struct told *end = told + count; told < end; told++) {
        if (!told->is_record) {
            cost_add(&records->inclusive, told->cost);
            if (!append_entry(records, CALL, told->cost, told->number))
                return false;
            continue;
        }
        if (*function != INDEX_NONE && !append_entry(records, RECORD, records->inclusive, *function))
            return false;
        records->inclusive = told->cost;
        *function = told->number;
    }
    return true;
}

bool records_new_run(struct records *records)
{
    return append_tag(records, RUN_ENDS);
}

bool records_change_unit(struct records *records, uint64_t factor)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (at == NULL)
        return false;
    little8_put(at, factor);
    at[8] = NEW_UNIT;
    records->spool.at = at + 9;
    return true;
}

/* ---- reading backwards -------------------------------------------------------------------- */

bool reader_step_over_filler(struct reader *reader)
{
    for (;;) {
        while (reader->at > reader->start && reader->at[-1] == SPOOL_FILLER)
            reader->at--;
        if (reader->at > reader->start || reader->block == 0)
            return true;
        if (!reader_go_to(reader, reader->block - 1, SPOOL_BLOCK))
            return false;
    }
}

/* Reads the waiting call before the current record. */
static struct waiting_call read_waiting(struct reader *reader)
{
    reader->at -= 22;
    const unsigned char *at = reader->at;
    cost_t cost = unfold_sign(little8(at));
    cost_multiply(&cost, reader->factor);
    return (struct waiting_call){.cost = cost,
                                 .callee = little4(at + 8),
                                 .final = little4(at + 12),
                                 .line = little4(at + 16),
                                 .is_replaced = at[20] != 0};
}

/* The dropped record has no function: its calls belong to nobody. */
static bool skip_calls(struct reader *reader)
{
    unsigned tag;
    while (next_tag(reader, &tag)) {
        if (!is_call(tag))
            return true;
        reader->at -= entry_length(tag);
    }
    return false;
}

bool reader_begin(struct reader *reader, struct records *records)
{
    struct spool *spool = &records->spool;
    *reader = (struct reader){.spool = spool, .factor = 1};
    return reader_go_to(reader, spool->block, SPOOL_BLOCK - (size_t)(spool->limit - spool->at));
}

static enum record_result take_record(struct reader *reader, unsigned tag, struct record *record)
{
    record->function = number_of(reader->at, tag);
    record->inclusive = cost_of(reader, tag);
    reader->at -= entry_length(tag);
    if (!next_tag(reader, &tag))
        return RECORD_FAILED;
    record->waits = tag == WAITING;
    if (record->waits)
        record->call = read_waiting(reader);
    return RECORD_READ;
}

enum record_result reader_next(struct reader *reader, struct record *record)
{
    unsigned tag;
    while (next_tag(reader, &tag)) {
        if (reader->at == reader->start)
            return RECORD_NO_MORE;
        if ((tag & KIND) == RECORD)
            return take_record(reader, tag, record);
        reader->at--;
        if (tag == RUN_ENDS)
            return RECORD_RUN_BEGINS;
        if (tag == NEW_UNIT)
            reader->factor *= little8(reader->at -= 8); /* their product is at most the first unit */
        else if (!skip_calls(reader))
            return RECORD_FAILED;
    }
    return RECORD_FAILED;
}
