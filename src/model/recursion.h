/* Inclusive costs without what recursion counts twice; docs/recursion.md defines the numbers exactly. */
#ifndef CG2WG_MODEL_RECURSION_H
#define CG2WG_MODEL_RECURSION_H

#include "model/records.h"

/*
 * From records of invocations: a function's cost counts those of its invocations that do not run inside another
 * one of the same function, and an arc's cost those calls that do not run inside another call of the same arc.
 *
 * The records are read backwards (records.h), so that only the open invocations must be known: those whose calls
 * have not all met the invocations that they made. What runs inside what follows: from an open invocation, a path of
 * callers leads to the root, and whatever is on the path is active.
 *
 * Not everything must be replayed. If an invocation of f runs inside another one of f, the functions between them
 * call each other, so that they are in one cycle of the call graph. Likewise, if a call runs inside another one of
 * the same arc, both its ends are in one cycle. Therefore:
 *
 * - sums are right for functions in no cycle and for arcs from one component to another;
 * - an invocation that was called from outside its component runs inside no function of it. If it did, the path to it
 *   would be a cycle through its caller. So each component has a path of its own, which such an invocation begins;
 * - only records of functions in cycles and calls of such functions matter, also calls from outside, because they
 *   claim invocations. A proxy that has waited is tied to its calls even if it is in no cycle, because these calls
 *   determine who claims the invocation that it made.
 *
 * Replaces the inclusive costs and the arcs' costs of a complete profile. Takes time in proportion to the number of
 * records and calls, except for deep recursions that alternate all the time: if it would take too long, the profile
 * stays as it was, and the result is false.
 */
bool outermost_apply(const struct records *records, struct profile *profile);

/*
 * From sums, which contain less than records do: in every cycle of the call graph of a complete profile, lowers
 * the inclusive costs and those of the arcs within the cycle by what the graph proves that they count twice.
 */
void recursion_limit_cycles(struct profile *profile);

/*
 * Folds the functions that callgrind has split by recursion level (`fib`, `fib'2`, `fib'3` with
 * --separate-recs) into the first level: self costs and counts are added, the inclusive cost is
 * that of the first level, arcs between deeper levels keep their counts but lose their costs.
 */
void recursion_fold_levels(struct profile *profile);

#endif
