/*
 * Inclusive costs without what recursion counts twice, from sums. Sums contain less than a tree of
 * invocations does; docs/recursion.md defines the numbers exactly.
 */
#ifndef CG2WG_MODEL_RECURSION_H
#define CG2WG_MODEL_RECURSION_H

#include "model/profile.h"

/*
 * In every cycle of the call graph of a complete profile, lowers the inclusive costs and those of
 * the arcs within the cycle as far as the graph proves that they count something twice.
 * Returns false, with the profile as it was, when memory runs out.
 */
void recursion_limit_cycles(struct profile *profile);

/*
 * Folds the functions that callgrind has split by recursion level (`fib`, `fib'2`, `fib'3` with
 * --separate-recs) into the first level: self costs and counts are added, the inclusive cost is
 * that of the first level, arcs between deeper levels keep their counts but lose their costs.
 * Returns false, with a profile that can only be freed, when memory runs out.
 */
void recursion_fold_levels(struct profile *profile);

#endif
