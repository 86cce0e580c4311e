/* The entries of a spool of records, and how they are read backwards. */
#ifndef CG2WG_MODEL_RECORDS_READER_H
#define CG2WG_MODEL_RECORDS_READER_H

#include "model/records.h"
#include "util/digits.h"

/*
 * The format of the spool: the calls of a record, then the record. It is read backwards, so the
 * last byte of an entry, the tag, says what the entry is. Numbers begin with their lowest byte.
 *
 *             0 to 9  0 or 4    1 to 8     1 to 4    1 byte
 *     call    link    original  cost       arc       00, or 01 if it replaced one of `original` | lengths
 *     record                    inclusive  function  10 | lengths
 *
 *                                                       1 byte
 *     the only call of a record, which waits: waiting_call  11 and WAITING
 *     end of a run: factor of all costs before, of 8 bytes  11 and RUN_ENDS
 *     the record of the calls before was dropped            11 and DROPPED
 *
 * Lengths are: is there a link, 1 bit; bytes of the cost - 1, 3 bits; bytes of the arc or function - 1,
 * 2 bits. The link leads to the last call before it, in the same record, of the same function (or
 * original): the distance from there to this entry, and the number of its bytes, which may be 0.
 * Costs have their sign in the lowest bit.
 */
enum {
    CALL = 0x00,
    REPLACED = 0x40,
    RECORD = 0x80,
    WAITING = 0xc0,
    RUN_ENDS = 0xc1,
    DROPPED = 0xc2,
    KIND = 0xc0,
    IS_LINKED = 0x20,
    MAX_ENTRY = 32 /* bytes, including what is written after it */
};

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

/* Goes to the end of an entry. Returns false, with errno, if its block cannot be read. */
static inline bool reader_go_to(struct reader *reader, uint64_t position)
{
    reader->block = position == 0 ? 0 : (position - 1) / SPOOL_BLOCK;
    reader->start = spool_block(reader->spool, reader->block);
    if (reader->start == NULL)
        return false;
    reader->at = reader->start + (position - reader->block * SPOOL_BLOCK);
    return true;
}

/* Where the next entry ends. */
static inline uint64_t reader_position(const struct reader *reader)
{
    return reader->block * SPOOL_BLOCK + (uint64_t)(reader->at - reader->start);
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

/* The number of bytes of a number. */
static inline unsigned number_length(unsigned tag)
{
    return (tag & 3) + 1;
}

/* The number of `length` bytes, at least 1, that end at `end`. */
static inline uint64_t number_before(const unsigned char *end, unsigned length)
{
    return little8(end - length) & UINT64_MAX >> (64 - 8 * length);
}

/* The arc or function of the entry before `at`. */
static inline uint32_t number_of(const unsigned char *at, unsigned tag)
{
    return (uint32_t)number_before(at - 1, number_length(tag));
}

static inline unsigned cost_length(unsigned tag)
{
    return (tag >> 2 & 7) + 1;
}

/* The cost of the next entry. */
static inline cost_t cost_of(const struct reader *reader, unsigned tag)
{
    cost_t cost = unfold_sign(
        number_before(reader->at - 1 - number_length(tag), cost_length(tag)));
    cost_multiply(&cost, reader->factor);
    return cost;
}

/* Where the link of the call before `at` ends, or would end. */
static inline const unsigned char *link_end(const unsigned char *at, unsigned tag)
{
    return at - 1 - number_length(tag) - cost_length(tag) - ((tag & KIND) == REPLACED ? 4 : 0);
}

/* A replaced call of a function: its original callee. */
static inline uint32_t original_of(const unsigned char *at, unsigned tag)
{
    return little4(link_end(at, tag));
}

/* The start of the call or record before `at`. */
static inline const unsigned char *entry_start(const unsigned char *at, unsigned tag)
{
    at = link_end(at, tag);
    return (tag & IS_LINKED) != 0 ? at - 1 - at[-1] : at;
}

/* The end of the call that the call before `at`, which is this position, is linked to; 0: none. */
static inline uint64_t linked_call(const unsigned char *at, unsigned tag, uint64_t position)
{
    if ((tag & IS_LINKED) == 0)
        return 0;
    const unsigned char *end = link_end(at, tag) - 1;
    uint64_t distance = *end == 0 ? 0 : number_before(end, *end);
    return position - (uint64_t)(at - end) - *end - distance;
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

/* Begins at the end of a spool. Returns false, with errno, if that fails. */
bool reader_begin(struct reader *reader, struct spool *spool);

/* Takes an entry of a waiting call. */
void reader_take_waiting(struct reader *reader, struct waiting_call *call);

/* The same as reader_next, at an entry that is no record. */
enum record_result reader_next_other(struct reader *reader, unsigned tag, struct record *record);

/* Reads the next record; the reader is then before its calls, all of which the caller must read. */
static inline enum record_result reader_next(struct reader *reader, struct record *record)
{
    unsigned tag;
    if (!next_tag(reader, &tag))
        return RECORD_FAILED;
    if (UNLIKELY((tag & KIND) != RECORD))
        return reader_next_other(reader, tag, record);
    record->function = number_of(reader->at, tag);
    record->inclusive = cost_of(reader, tag);
    reader->at = entry_start(reader->at, tag);
    if (!next_tag(reader, &tag))
        return RECORD_FAILED;
    record->waits = tag == WAITING;
    if (UNLIKELY(record->waits))
        reader_take_waiting(reader, &record->call);
    return RECORD_READ;
}

#endif
