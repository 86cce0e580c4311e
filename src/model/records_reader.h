/* The entries of a spool of records, and how they are read backwards. */
#ifndef CG2WG_MODEL_RECORDS_READER_H
#define CG2WG_MODEL_RECORDS_READER_H

#include "model/records.h"
#include "util/little.h"

/*
 * The format of the spool: the calls of a record, then the record. It is read backwards, so the
 * last byte of an entry, the tag, says what the entry is. Numbers begin with their lowest byte.
 *
 *              4 bytes    1 to 8 bytes    1 to 4 bytes   tag
 *     call                cost            arc            00 | length - 1 of the arc | length of the cost
 *     replaced original   cost            arc            01 | the same
 *     record              inclusive cost  function       10 | ... of the function | ... of the cost
 *
 *              8          4       4      4     1
 *     waiting  cost       callee  final  line  is_replaced      11 and WAITING
 *     end of a run                                              11 and RUN_ENDS
 *     everything before is multiplied: factor of 8 bytes        11 and NEW_UNIT
 *     the record of the calls before was dropped                11 and DROPPED
 *
 * A waiting call is the only one of its record. Costs have their sign in the lowest bit.
 */
enum {
    CALL = 0x00,
    REPLACED = 0x40,
    RECORD = 0x80,
    WAITING = 0xc0,
    RUN_ENDS = 0xc1,
    DROPPED = 0xc2,
    NEW_UNIT = 0xc3,
    KIND = 0xc0,
    MAX_ENTRY = 32 /* bytes, including what is written after it */
};

/* The one call of a proxy's waiting record, and its meaning if nobody claims it. */
struct waiting_call {
    cost_t cost;
    uint32_t callee, final, line;
    bool is_replaced;
};

#define UNLIKELY(condition) __builtin_expect(condition, 0)

static inline cost_t unfold_sign(uint64_t folded)
{
    uint64_t half = folded >> 1;
    return (cost_t)((folded & 1) != 0 ? ~half : half);
}

/* Reads the spool backwards. */
struct reader {
    struct spool *spool;
    const unsigned char *at;    /* the end of the next entry */
    const unsigned char *start; /* of the block */
    uint64_t block;
    uint64_t factor; /* for the costs of the current run */
};

/* Returns false, with errno, if the block cannot be read. */
static inline bool reader_go_to(struct reader *reader, uint64_t block, size_t place)
{
    reader->block = block;
    reader->start = spool_block(reader->spool, block);
    if (reader->start == NULL)
        return false;
    reader->at = reader->start + place;
    return true;
}

/* Call this if another reader may have evicted the block. */
static inline bool reader_return(struct reader *reader)
{
    return reader_go_to(reader, reader->block, (size_t)(reader->at - reader->start));
}

/* Goes on to the block before, if necessary more than one, if the rest of this one holds no entry. */
bool reader_step_over_filler(struct reader *reader);

/* The next entry's tag; an end of a run precedes the first entry. False: it cannot be read. */
static inline bool next_tag(struct reader *reader, unsigned *tag)
{
    if (UNLIKELY(reader->at == reader->start || reader->at[-1] == SPOOL_FILLER)) {
        if (!reader_step_over_filler(reader))
            return false;
        if (reader->at == reader->start) {
            *tag = RUN_ENDS;
            return true;
        }
    }
    *tag = reader->at[-1];
    return true;
}

static inline bool is_call(unsigned tag)
{
    return tag < RECORD;
}

static inline unsigned number_length(unsigned tag)
{
    return (tag >> 4 & 3) + 1;
}

/* The arc or function of the entry before `at`. */
static inline uint32_t number_of(const unsigned char *at, unsigned tag)
{
    unsigned length = number_length(tag);
    return little4(at - 1 - length) & UINT32_MAX >> (32 - 8 * length);
}

/* The cost of the next entry. */
static inline cost_t cost_of(const struct reader *reader, unsigned tag)
{
    unsigned length = tag & 15;
    cost_t cost = unfold_sign(little8(reader->at - 1 - number_length(tag) - length) &
                              UINT64_MAX >> (64 - 8 * length));
    cost_multiply(&cost, reader->factor);
    return cost;
}

/* The number of bytes of a call or record. */
static inline size_t entry_length(unsigned tag)
{
    return 1 + number_length(tag) + (tag & 15) + ((tag & KIND) == REPLACED ? 4 : 0);
}

/* A replaced call of a function: its original callee. */
static inline uint32_t original_of(const unsigned char *at, unsigned tag)
{
    return little4(at - entry_length(tag));
}

/* A record, without its calls. */
struct record {
    uint32_t function;
    cost_t inclusive; /* without that of `call` */
    bool waits;       /* a proxy's: it has one call, which is not among the calls that follow */
    struct waiting_call call;
};

enum record_result {
    RECORD_FAILED, /* with errno */
    RECORD_READ,
    RECORD_RUN_BEGINS, /* no record that was read so far called the following ones */
    RECORD_NO_MORE
};

/* Begins at the end. Returns false, with errno, if that fails. */
bool reader_begin(struct reader *reader, struct records *records);

/* Reads the next record; the reader is then before its calls, all of which the caller must read. */
enum record_result reader_next(struct reader *reader, struct record *record);

#endif
