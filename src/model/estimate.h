/* SPDX-License-Identifier: MIT */
/* Calling contexts of a profile that knows only who called whom for what, as an estimate. */
#ifndef CG2WG_MODEL_ESTIMATE_H
#define CG2WG_MODEL_ESTIMATE_H

#include "model/contexts.h"

/*
 * Divides the cost of each function, with its callees, among its callers in proportion to what their calls cost, from
 * the roots down. Exact where each function has one caller. A function occurs once on a path; what recursion adds stays
 * in it. What contexts of a function cost by themselves adds up to its self cost, to the unit, if that is positive: what
 * is due to a context is rounded down or up. So a function has at least one, however small the parts of its cost are.
 *
 * Fills empty contexts, with at most ESTIMATE_MOST of the largest costs; if there are more, what is below these becomes
 * one more context of each, whose function is NONE. The contexts are linked, and have self costs only. Takes O(n log n)
 * for n functions, arcs and contexts.
 */
enum { ESTIMATE_MOST = 100000 };
void contexts_estimate(struct contexts *contexts, const struct profile *profile);

#endif
