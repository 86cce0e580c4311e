/*
 * Records of invocations, kept in a spool to be read backwards: callees return first, so that backwards
 * each invocation comes before everything that it called. Claiming (tree.h) pairs records like
 * parentheses, which works backwards, too: an invocation of g belongs to the call of g that was read last.
 *
 * A proxy's record keeps its place, and a call that replaced a call of a proxy remembers that proxy.
 * So the proxy's record finds the call that it belongs to, and passes it on to the invocation that it
 * called itself.
 */
#ifndef CG2WG_MODEL_RECORDS_H
#define CG2WG_MODEL_RECORDS_H

#include "model/cycles.h"
#include "util/array.h"
#include "util/hot.h"
#include "util/little.h"
#include "util/spool.h"

struct reader; /* see records_reader.h */

/* A call of a record. */
struct call {
    uint32_t caller, callee, line;
    uint32_t original; /* the proxy whose call it replaces, or INDEX_NONE */
    uint64_t count;
    cost_t cost;
};

/* The function that the call was made to. */
static inline uint32_t call_target(const struct call *call)
{
    return call->original != INDEX_NONE ? call->original : call->callee;
}

struct records {
    const struct profile *profile;
    struct spool spool;
    cost_t inclusive; /* of the current record's calls */
    uint64_t start;   /* ... and where it begins in the spool */

    uint64_t *last_calls; /* by function: where the last call of it ends in the spool, or 0 */
    size_t last_call_capacity;

    struct link *links; /* calls of proxies, as they were made: the arcs do not contain them */
    size_t link_count, link_capacity;
    struct index link_index;
};

/*
 * The format of the spool: the calls of a record, then the record. It is read backwards, so the last four
 * bytes of an entry, the tag, say what the entry is. Most entries are nothing but a tag.
 *
 *                                                  tag, from its upper bits
 *     short                                        3 kind, 2 distance, 14 cost, 13 number
 *     medium   4 cost + MEDIUM_BIAS                3 kind, 9 distance, 20 number
 *     long     8 cost, 4 number, 4 original, 4 +   3 kind, 29 distance
 *     others   bytes as below                      7, and which
 *
 * The kind is that of a call, or of a record, whose cost is the inclusive one; and IS_MEDIUM or IS_LONG.
 * The number is that of the arc of a call, or of the function of a record. A call of kind REPLACED has
 * replaced one of `original`, and is always long. The distance leads to the last call before, in the same
 * record, of the same function (or original): how many times four bytes are from its end to this entry,
 * plus 1; 0: there is none.
 *
 *     WAITING        the only call of a record, which waits: struct call
 *     RUN_ENDS       the end of a run
 *     UNIT_CHANGES   factor of all costs before, of 8 bytes
 *     DROPPED        the record of the calls before was dropped
 */
enum entry_kind {
    CALL = 0,
    RECORD = 1,
    REPLACED = 2, /* with IS_LONG */
    IS_MEDIUM = 2,
    IS_LONG = 4,
    OTHER = 7
};

enum {
    KIND_AT = 29,
    SHORT_DISTANCE_AT = 27,
    SHORT_DISTANCES = 1 << 2,
    SHORT_COST_AT = 13,
    SHORT_COSTS = 1 << 14,
    SHORT_NUMBERS = 1 << 13,
    MEDIUM_DISTANCE_AT = 20,
    MEDIUM_DISTANCES = 1 << 9,
    MEDIUM_NUMBERS = 1 << 20,
    LONG_KIND_AT = 61,
    DISTANCE_UNIT = 4,
    TAG_SIZE = 4,
    SHORT_SIZE = 4,
    MEDIUM_SIZE = 8,
    LONG_SIZE = 24,
    MAX_ENTRY = 36
};

#define MEDIUM_BIAS ((uint32_t)1 << 31)

#define TAG_OF_OTHER(which) ((uint32_t)OTHER << KIND_AT | (which))
#define WAITING TAG_OF_OTHER(0)
#define RUN_ENDS TAG_OF_OTHER(1)
#define UNIT_CHANGES TAG_OF_OTHER(2)
#define DROPPED TAG_OF_OTHER(3)
#define FILLER UINT32_MAX /* of SPOOL_FILLER */

/* All return false, with errno, if memory or the temporary file fails. */

/* The profile, whose arcs are added, is borrowed. */
bool records_init(struct records *records, const struct profile *profile);
void records_free(struct records *records);

/* Notes that the call graph has a call that may not be one of the arcs. */
bool records_add_link(struct records *records, uint32_t caller, uint32_t callee);

/* Writes a call or record to `at`, where there is room. Returns its end. */
unsigned char *records_put_long(unsigned char *at, uint32_t kind, cost_t cost, uint32_t number,
                                uint32_t original, uint64_t distance);

HOT unsigned char *records_put(unsigned char *at, uint32_t kind, cost_t cost, uint32_t number,
                               uint32_t original, uint64_t distance)
{
    uint64_t biased = (uint64_t)cost + MEDIUM_BIAS;
    if ((uint64_t)cost < SHORT_COSTS && number < SHORT_NUMBERS && distance < SHORT_DISTANCES &&
        kind != REPLACED) {
        little4_put(at, kind << KIND_AT | (uint32_t)distance << SHORT_DISTANCE_AT |
                            (uint32_t)cost << SHORT_COST_AT | number);
        return at + SHORT_SIZE;
    }
    if (UNLIKELY(biased > UINT32_MAX || number >= MEDIUM_NUMBERS || distance >= MEDIUM_DISTANCES ||
                 kind == REPLACED))
        return records_put_long(at, kind, cost, number, original, distance);
    little4_put(at, (uint32_t)biased);
    little4_put(at + 4, (IS_MEDIUM | kind) << KIND_AT | (uint32_t)distance << MEDIUM_DISTANCE_AT | number);
    return at + MEDIUM_SIZE;
}

/* Adds a call, which counts for `arc`, to the current record. */
HOT bool records_call(struct records *records, uint32_t arc, const struct call *call)
{
    bool is_replaced = UNLIKELY(call->original != INDEX_NONE);
    uint32_t callee = call_target(call);
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (UNLIKELY(at == NULL || !array_reach(&records->last_calls, &records->last_call_capacity,
                                            (size_t)callee + 1, sizeof *records->last_calls, 0)) ||
        (is_replaced && !records_add_link(records, call->caller, callee)))
        return false;
    uint64_t *last = &records->last_calls[callee], start = spool_position(&records->spool);
    uint64_t distance = *last > records->start ? (start - *last) / DISTANCE_UNIT + 1 : 0;
    records->spool.at = records_put(at, is_replaced ? REPLACED : CALL, call->cost, arc, callee, distance);
    *last = spool_position(&records->spool);
    cost_add(&records->inclusive, call->cost);
    return true;
}

/* The current record belongs to a proxy and has this one call, which has not been added, and waits. */
bool records_wait(struct records *records, const struct call *call);

/* Ends the current record, which is one of `function`. */
HOT bool records_end_record(struct records *records, uint32_t function, cost_t self)
{
    unsigned char *at = spool_room(&records->spool, MAX_ENTRY);
    if (UNLIKELY(at == NULL))
        return false;
    cost_add(&self, records->inclusive);
    records->spool.at = records_put(at, RECORD, self, function, 0, 0);
    records->inclusive = 0;
    records->start = spool_position(&records->spool);
    return true;
}

/* Drops the current record. */
bool records_drop_record(struct records *records);

/* Begins a run: nothing before it belongs to what follows. */
bool records_new_run(struct records *records);
/* Before the first cost of a run: multiplies all costs so far. */
bool records_change_unit(struct records *records, uint64_t factor);

/* Begins to read them. After that, nothing may be added. */
bool records_read(struct records *records, struct reader *reader);

#endif
