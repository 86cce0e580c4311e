/*
 * Records of invocations, kept in a spool to be read backwards: callees return first, so the record of
 * an invocation precedes that of the one that it runs inside. Backwards, each invocation comes before
 * everything that it called.
 *
 * The call that made an invocation is found as everywhere (tree.h): the k calls that a record makes
 * to g are the last k unclaimed invocations of g. Claiming pairs records like parentheses, which
 * works backwards, too: an invocation of g belongs to the call of g that was read last.
 *
 * A proxy's record keeps its place, and a call that replaced a call of a proxy remembers that proxy.
 * So the proxy's record finds the call that it belongs to, and passes it on to the invocation that it
 * called itself.
 */
#ifndef CG2WG_MODEL_RECORDS_H
#define CG2WG_MODEL_RECORDS_H

#include "model/cycles.h"
#include "util/ids.h"
#include "util/spool.h"

struct reader; /* see records_reader.h */

/* The call of a proxy's waiting record: of `callee`; it is, or was replaced by, one of `final`. */
struct waiting_call {
    cost_t cost;
    uint32_t callee, final, line;
    uint32_t is_replaced; /* 0 or 1; without gaps, all bytes of the structure have a value */
};

struct records {
    const struct profile *profile;
    struct spool spool;
    cost_t inclusive; /* of the current record's calls */
    uint64_t start;   /* ... and where it begins in the spool */

    uint64_t *last_calls; /* by function: where the last call of it ends in the spool, or 0 */
    size_t last_call_capacity;

    struct link *links; /* calls of proxies, as they were made: the arcs do not contain them */
    size_t link_count, link_capacity;
    struct ids link_numbers; /* by caller and callee */
};

/* All return false, with errno, if memory or the temporary file fails. */

/* The profile, whose arcs are added, is borrowed. */
bool records_init(struct records *records, const struct profile *profile);
void records_free(struct records *records);

/* Adds a call by `arc` to the current record. */
bool records_call(struct records *records, uint32_t arc, cost_t cost);
/*
 * Adds a call by `caller`, whose record is current. It was a call of the proxy `original` and was
 * replaced by the call that the proxy made; it counts for `arc`.
 */
bool records_replaced_call(struct records *records, uint32_t arc, cost_t cost, uint32_t caller,
                           uint32_t original);
/* The current record belongs to `proxy` and has one call, which has not been added, and waits. */
bool records_wait(struct records *records, uint32_t proxy, const struct waiting_call *call);
/* Drops the current record. */
bool records_drop_record(struct records *records);
/* Ends the current record, which is one of `function`. */
bool records_end_record(struct records *records, uint32_t function, cost_t self);

/* Begins a run: nothing before it belongs to what follows. */
bool records_new_run(struct records *records);
/* Between two runs: multiplies all costs so far. */
bool records_change_unit(struct records *records, uint64_t factor);

/* Begins to read them. After that, nothing may be added. */
bool records_read(struct records *records, struct reader *reader);

#endif
