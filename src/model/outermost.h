/*
 * Inclusive costs without what recursion counts twice, from records of invocations.
 *
 * A function's inclusive cost counts those of its invocations that do not run inside another one of
 * the same function; a call arc's cost counts those calls that do not run inside another call of the
 * same arc. What an invocation runs inside of is written behind it, for callees return first. So the
 * records are kept, in a spool, and read backwards: then each invocation comes before all that it
 * called, and it is enough to know the invocations that are open.
 *
 * Memory: for each open invocation, its place in the spool and how many calls of each function it
 * still waits for; the calls themselves are read again when they are needed. So it grows with the
 * depth of calls and the number of functions and arcs, not with the number of invocations or calls.
 * Only where records are not in the order of a call stack (fibers; records that are missing), calls
 * that were passed over are kept, too.
 *
 * Which call made an invocation is told as everywhere (tree.h): the k calls that a record makes to g
 * are the last k unclaimed invocations of g. Claiming pairs records like parentheses, which is the
 * same backwards: an invocation of g belongs to the call of g that was read last.
 *
 * Not all of it has to be replayed. If an invocation of f runs inside another one of f, each on the
 * way between them was made by a call of the one above it. So the functions on the way call each other
 * in a ring, and are in one component of the call graph (cycles.h). Likewise for a call inside another
 * one of the same arc: both its ends are in one component. Therefore:
 *
 * - of functions in no cycle, and of arcs from one component into another, the sums are right;
 * - an invocation that was called from outside of its component runs inside of no function of it. For
 *   if it did, the way down to it would be a ring through its caller. So each component has a path of
 *   its own, which such an invocation begins;
 * - records matter if they are of a function in a cycle, and calls if they are of one; those from
 *   outside do, too, since they claim invocations.
 *
 * The graph has to hold every call that ties invocations. Of those that concern proxies the arcs do not
 * show all, so they are kept, too: who called a proxy that was stepped over, and whom that one called.
 * What was handed on by a proxy is then reached in the graph by way of the proxy. And a proxy that has
 * waited is tied to its calls even if it is in no cycle: they tell who claims what it made.
 *
 * A proxy's record keeps its place, and a call that was put in the place of a call of a proxy keeps
 * in mind whom it called: so the proxy's record finds the call that it belongs to, and hands it on to
 * the invocation that it called itself.
 */
#ifndef CG2WG_MODEL_OUTERMOST_H
#define CG2WG_MODEL_OUTERMOST_H

#include "model/cycles.h"
#include "util/spool.h"

struct outermost {
    struct spool spool;
    cost_t inclusive;   /* of the record at hand */
    bool waits;         /* it is a proxy's that waits to be stepped over */
    uint32_t waits_for; /* ... whose call was one of this function */

    struct link *links; /* calls that concerned proxies, as they were made: the arcs do not show them */
    size_t link_count, link_capacity;
    struct index link_index;
};

/* All but the last one return false, with errno, if memory or the temporary file fails. */

bool outermost_init(struct outermost *o);
void outermost_free(struct outermost *o);

/* Adds self cost to the record at hand. */
static inline void outermost_self(struct outermost *o, cost_t cost)
{
    cost_add(&o->inclusive, cost);
}

/* Adds a call by `arc` to the record at hand. */
bool outermost_call(struct outermost *o, uint32_t arc, cost_t cost);
/*
 * Adds a call of `caller`, to whom the record at hand belongs, that was one of the proxy `original`
 * and was replaced by the one that the proxy made: it is entered as one by `arc`.
 */
bool outermost_replaced_call(struct outermost *o, uint32_t arc, cost_t cost, uint32_t caller,
                             uint32_t original);
/*
 * The record at hand is a proxy's with one call, which has not been entered: it was one of `callee`
 * and is, or was replaced by, one of `final` from `line`.
 */
bool outermost_wait(struct outermost *o, uint32_t callee, bool is_replaced, uint32_t final,
                    uint32_t line, cost_t cost);
/* Forgets the record at hand. */
bool outermost_drop_record(struct outermost *o);
/* Ends the record at hand: it was one of `function`. */
bool outermost_end_record(struct outermost *o, uint32_t function);

/* A record, with its self cost, or one of its calls, which stand behind it. */
struct told {
    cost_t cost;
    uint32_t number; /* of a record the function, of a call the arc */
    bool is_record;
};

/*
 * Does all this at once: each record ends the one at hand, which is one of *function, and is the one at
 * hand then. *function is UINT32_MAX if there is none yet, or calls alone follow.
 */
bool outermost_tell(struct outermost *o, const struct told *told, size_t count,
                    uint32_t *function);
/* What follows has nothing to do with what was before. */
bool outermost_new_run(struct outermost *o);
/* Between two runs: all costs so far are to be multiplied. */
bool outermost_change_unit(struct outermost *o, uint64_t factor);

enum outermost_result {
    OUTERMOST_FAILED, /* with errno; the profile is of no use any more */
    OUTERMOST_DONE,
    OUTERMOST_TOO_FAR /* it would take too long; the profile is as it was */
};

/*
 * Replaces the inclusive costs and the arcs' costs of a complete profile. Takes time by the number of
 * records and calls; beyond that is what takes turns with each other, deep in recursion, all along.
 */
enum outermost_result outermost_apply(struct outermost *o, struct profile *profile);

#endif
