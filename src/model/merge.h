/* SPDX-License-Identifier: MIT */
/* Profiles that become one. */
#ifndef CG2WG_MODEL_MERGE_H
#define CG2WG_MODEL_MERGE_H

#include "model/profile.h"

/*
 * Adds a complete profile to another: merges functions by identity, adds sums, appends headers.
 * Sets renumbered[i] to the number in `into` of function i of `from`.
 */
void profile_merge(struct profile *into, const struct profile *from, uint32_t *renumbered);

#endif
