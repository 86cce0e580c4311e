/* Reads records backwards. */
#ifndef CG2WG_MODEL_RECORDS_READER_H
#define CG2WG_MODEL_RECORDS_READER_H

#include "model/records.h"

#include <errno.h>

struct reader {
    struct spool *spool;
    const unsigned char *at;    /* the end of the next entry */
    const unsigned char *start; /* of the block */
    uint64_t block;
    uint64_t factor; /* for the costs of the current run */
    int error;       /* of errno: a block cannot be read, so that there is no next entry; or 0 */
};

/* Where the next entry ends. */
static inline uint64_t reader_position(const struct reader *reader)
{
    return reader->block * SPOOL_BLOCK + (uint64_t)(reader->at - reader->start);
}

/* The tag of the entry before `at`. */
static inline uint32_t tag_before(const unsigned char *at)
{
    return little4(at - TAG_SIZE);
}

/* The same as next_tag, at the start of a block. */
uint32_t reader_go_back(struct reader *reader);

/* The tag of the next entry. If there is none, it is that of the end of a run. */
static inline uint32_t next_tag(struct reader *reader)
{
    return UNLIKELY(reader->at == reader->start) ? reader_go_back(reader) : tag_before(reader->at);
}

static inline bool is_call(uint32_t tag)
{
    return (tag >> KIND_AT & RECORD) == 0;
}

static inline bool is_long(uint32_t tag)
{
    return UNLIKELY((tag >> KIND_AT & IS_LONG) != 0);
}

static inline bool is_medium(uint32_t tag)
{
    return (tag >> KIND_AT & IS_MEDIUM) != 0;
}

static inline bool is_replaced(uint32_t tag)
{
    return tag >> KIND_AT == (IS_LONG | REPLACED);
}

/* The bytes of a call or record. */
static inline unsigned entry_size(uint32_t tag)
{
    return is_long(tag) ? LONG_SIZE : is_medium(tag) ? MEDIUM_SIZE : SHORT_SIZE;
}

/* The arc or function of the entry before `at`. */
static inline uint32_t number_of(const unsigned char *at, uint32_t tag)
{
    if (is_long(tag))
        return little4(at - 16);
    return tag & (is_medium(tag) ? MEDIUM_NUMBERS - 1 : SHORT_NUMBERS - 1);
}

/* A replaced call of a function: its original callee. */
static inline uint32_t original_of(const unsigned char *at)
{
    return little4(at - 12);
}

/* The cost of the next entry. */
static inline cost_t cost_of(const struct reader *reader, uint32_t tag)
{
    cost_t cost = tag >> SHORT_COST_AT & (SHORT_COSTS - 1);
    if (is_long(tag))
        cost = (cost_t)little8(reader->at - LONG_SIZE);
    else if (is_medium(tag))
        cost = (cost_t)little4(reader->at - MEDIUM_SIZE) - (cost_t)MEDIUM_BIAS;
    if (UNLIKELY(reader->factor != 1))
        cost_multiply(&cost, reader->factor);
    return cost;
}

/* The end of the call that the call before `at`, which is this position, is linked to; 0: none. */
static inline uint64_t linked_call(const unsigned char *at, uint32_t tag, uint64_t position)
{
    uint64_t distance = tag >> SHORT_DISTANCE_AT & (SHORT_DISTANCES - 1);
    if (is_long(tag))
        distance = little8(at - 8) & (UINT64_MAX >> (64 - LONG_KIND_AT));
    else if (is_medium(tag))
        distance = tag >> MEDIUM_DISTANCE_AT & (MEDIUM_DISTANCES - 1);
    return distance == 0 ? 0 : position - entry_size(tag) - (distance - 1) * DISTANCE_UNIT;
}

/* A record, without its calls; or the beginning of a run. */
struct record {
    uint32_t function;
    cost_t inclusive; /* without that of `call` */
    bool begins_run;  /* no record that was read so far called the following ones */
    bool waits;       /* a proxy's: it has one call, which is not among the calls that follow */
    struct call call;
};

/* Takes an entry of a waiting call. */
void reader_take_waiting(struct reader *reader, struct call *call);

/* The same as reader_next, at an entry that is no record. */
bool reader_next_other(struct reader *reader, uint32_t tag, struct record *record);

/*
 * Reads the next record; the reader is then before its calls, all of which the caller must read. False:
 * there are no more.
 */
static inline bool reader_next(struct reader *reader, struct record *record)
{
    uint32_t tag = next_tag(reader);
    if (UNLIKELY(tag >> KIND_AT == OTHER))
        return reader_next_other(reader, tag, record);
    record->begins_run = false;
    record->function = number_of(reader->at, tag);
    record->inclusive = cost_of(reader, tag);
    reader->at -= entry_size(tag);
    record->waits = next_tag(reader) == WAITING;
    if (UNLIKELY(record->waits))
        reader_take_waiting(reader, &record->call);
    return true;
}

/* Could all blocks be read? If not, returns false, with errno. */
static inline bool reader_is_well(const struct reader *reader)
{
    errno = reader->error;
    return errno == 0;
}

#endif
