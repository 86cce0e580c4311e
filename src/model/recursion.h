/* SPDX-License-Identifier: MIT */
/* Inclusive costs without what recursion counts twice; docs/recursion.md defines the numbers exactly. */
#ifndef CG2WG_MODEL_RECURSION_H
#define CG2WG_MODEL_RECURSION_H

#include "model/contexts.h"

/*
 * From records of invocations: a function's cost counts its invocations that do not run inside another of it, and an
 * arc's those calls not inside another of it. Replaces these costs of a complete profile. The records are forgotten.
 */
void outermost_apply(struct records *records, struct profile *profile);

/*
 * From sums, which contain less than records do: in every cycle of the call graph of a complete profile, lowers the
 * inclusive costs and those of the arcs within the cycle by what the graph proves that they count twice.
 */
void recursion_limit_cycles(struct profile *profile);

/*
 * The number of each function's component of the call graph, in memory of the run: of a cycle (functions that reach
 * each other by calls, or one that calls itself) a number below *count, of others larger ones, below the number of
 * functions. The graph is the profile's arcs and the links of `records`, which may be NULL.
 */
uint32_t *recursion_components(const struct profile *profile, const struct records *records, uint32_t *count);

/* Folds the functions that callgrind has split by recursion level (`fib`, `fib'2`, `fib'3`) into the first level.
 * Returns what functions are now, in memory of the run; NULL: the same. */
uint32_t *recursion_fold_levels(struct profile *profile);

#endif
