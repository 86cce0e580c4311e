/*
 * Inclusive costs without what recursion counts twice, from records of invocations.
 *
 * A function's inclusive cost counts those of its invocations that do not run inside another one of
 * the same function; a call arc's cost counts those calls that do not run inside another call of
 * the same arc. Callees return first, so the record of an invocation precedes that of the one that
 * it runs inside. The records are therefore kept in a spool and read backwards. Each invocation
 * then comes before everything that it called, and only the open invocations must be known.
 *
 * Memory holds, for each open invocation, its place in the spool and how many calls of each
 * function it still waits for. The calls themselves are read again when they are needed. So it
 * grows with the depth of calls and the number of functions and arcs, not with the number of
 * invocations or calls. If records are not in the order of a call stack (fibers, missing records),
 * skipped calls are kept, too.
 *
 * The call that made an invocation is found as everywhere (tree.h): the k calls that a record makes
 * to g are the last k unclaimed invocations of g. Claiming pairs records like parentheses, which
 * works backwards, too: an invocation of g belongs to the call of g that was read last.
 *
 * Not everything must be replayed. If an invocation of f runs inside another one of f, a call of
 * the one above it made each invocation between them. So the functions between them call each other
 * in a cycle and are in one component of the call graph (cycles.h). Likewise, if a call runs inside
 * another one of the same arc, both its ends are in one component. Therefore:
 *
 * - sums are right for functions in no cycle and for arcs from one component to another;
 * - an invocation that was called from outside its component runs inside no function of it. If it
 *   did, the path to it would be a cycle through its caller. So each component has a path of its
 *   own, which such an invocation begins;
 * - only records of functions in cycles and calls of such functions matter, also calls from
 *   outside, because they claim invocations.
 *
 * The graph must contain every call that ties invocations. The arcs do not contain all calls of
 * proxies, so these are kept, too: who called a proxy that was stepped over, and whom the proxy
 * called. The graph then leads through the proxy to the function that the proxy passed on. A proxy
 * that has waited is tied to its calls even if it is in no cycle, because these calls determine who
 * claims the invocation that it made.
 *
 * A proxy's record keeps its place, and a call that replaced a call of a proxy remembers that
 * proxy. So the proxy's record finds the call that it belongs to, and passes it on to the
 * invocation that it called itself.
 */
#ifndef CG2WG_MODEL_OUTERMOST_H
#define CG2WG_MODEL_OUTERMOST_H

#include "model/cycles.h"
#include "util/spool.h"

struct outermost {
    struct spool spool;
    cost_t inclusive; /* of the current record */

    struct link *links; /* calls of proxies, as they were made: the arcs do not contain them */
    size_t link_count, link_capacity;
    struct index link_index;
};

/* All except the last one return false, with errno, if memory or the temporary file fails. */

bool outermost_init(struct outermost *o);
void outermost_free(struct outermost *o);

/* Adds self cost to the current record. */
static inline void outermost_self(struct outermost *o, cost_t cost)
{
    cost_add(&o->inclusive, cost);
}

/* Adds a call by `arc` to the current record. */
bool outermost_call(struct outermost *o, uint32_t arc, cost_t cost);
/*
 * Adds a call by `caller`, whose record is current. It was a call of the proxy `original` and was
 * replaced by the call that the proxy made; it counts for `arc`.
 */
bool outermost_replaced_call(struct outermost *o, uint32_t arc, cost_t cost, uint32_t caller,
                             uint32_t original);
/*
 * The current record belongs to `proxy` and has one call, which has not been added: a call of
 * `callee` that is, or was replaced by, one of `final` from `line`.
 */
bool outermost_wait(struct outermost *o, uint32_t proxy, uint32_t callee, bool is_replaced,
                    uint32_t final, uint32_t line, cost_t cost);
/* Drops the current record. */
bool outermost_drop_record(struct outermost *o);
/* Ends the current record, which is one of `function`. */
bool outermost_end_record(struct outermost *o, uint32_t function);

/* A record, with its self cost, or one of its calls, which follow it. */
struct told {
    cost_t cost;
    uint32_t number; /* for a record the function, for a call the arc */
    bool is_record;
};

/*
 * Does all this at once: each record ends the current one, which is one of *function, and becomes
 * the current one. *function is UINT32_MAX if there is none yet, or if only calls follow.
 */
bool outermost_tell(struct outermost *o, const struct told *told, size_t count,
                    uint32_t *function);
/* Begins a run: nothing before it belongs to what follows. */
bool outermost_new_run(struct outermost *o);
/* Between two runs: multiplies all costs so far. */
bool outermost_change_unit(struct outermost *o, uint64_t factor);

enum outermost_result {
    OUTERMOST_FAILED, /* with errno; the profile is no longer usable */
    OUTERMOST_DONE,
    OUTERMOST_TOO_FAR /* it would take too long; the profile is as it was */
};

/*
 * Replaces the inclusive costs and the arcs' costs of a complete profile. Takes time in proportion
 * to the number of records and calls, except for deep recursions that alternate all the time.
 */
enum outermost_result outermost_apply(struct outermost *o, struct profile *profile);

#endif
