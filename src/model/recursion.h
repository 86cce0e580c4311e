/*
 * Inclusive costs without what recursion counts twice, from sums. Sums contain less than a tree of
 * invocations does; docs/recursion.md defines the numbers exactly.
 */
#ifndef CG2WG_MODEL_RECURSION_H
#define CG2WG_MODEL_RECURSION_H

#include "model/profile.h"

/*
 * In every cycle of the call graph of a complete profile, lowers the inclusive costs and those of
 * the arcs within the cycle by what the graph proves that they count twice.
 */
void recursion_limit_cycles(struct profile *profile);

/*
 * Folds the functions that callgrind has split by recursion level (`fib`, `fib'2`, `fib'3` with
 * --separate-recs) into the first level: self costs and counts are added, the inclusive cost is
 * that of the first level, arcs between deeper levels keep their counts but lose their costs.
 */
void recursion_fold_levels(struct profile *profile);

#endif
