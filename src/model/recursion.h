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

/* What the profiles of events that are sums of the same functions and calls have in common. */
struct event_graph {
    uint32_t *component;        /* by function: see recursion_components */
    struct profile whole;       /* functions and arcs before levels are folded, with an event's costs */
    uint32_t *functions, *arcs; /* of these: what they are now; NULL: the same */
    uint32_t *folded;           /* by function now: its component */
};

/*
 * From sums, which contain less than records do: in every cycle of the call graph of a complete profile, lowers the
 * inclusive costs and those of the arcs within the cycle by what the graph proves that they count twice. `graph`: NULL,
 * or of several events, also below.
 */
void recursion_limit_cycles(struct profile *profile, const struct event_graph *graph);

/*
 * The same, and folds functions that callgrind has split by recursion level (`fib`, `fib'2`, `fib'3`) into the first
 * level. Returns what functions are now, in memory of the task; NULL: the same.
 */
uint32_t *recursion_limit(struct profile *profile, struct event_graph *graph);

/* Folds a profile, and its lines, for several events, before recursion_limit sets its costs to those of one of them. */
struct event_graph *recursion_share(struct profile *profile);

/*
 * The number of each function's component of the call graph, in memory of the task: of a cycle (functions that reach
 * each other by calls, or one that calls itself) a number below that of cycles, which is behind all of these; of others
 * larger ones, below the number of functions. The graph is the profile's arcs and the links of `records`, or NULL.
 */
uint32_t *recursion_components(const struct profile *profile, const struct records *records);

#endif
