/* SPDX-License-Identifier: MIT */
/* Writes webgrind's preprocessed format: see headers.h, and formats.c for its layout. */
#ifndef CG2WG_WRITE_FORMATS_H
#define CG2WG_WRITE_FORMATS_H

#include "io/outfile.h"
#include "model/contexts.h"

/*
 * Writes a profile in the version, with the divisor and title of the options. Linked contexts are version 4's
 * invocations, which this numbers; none: the version lacks them, or they are unknown. More than 4 GiB are an error.
 */
void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct contexts *invocations);

/* Writes the version and all addresses. Function i takes sizes[i] bytes; `gap` bytes follow the last, then headers. */
void write_head(struct outfile *out, unsigned version, const uint64_t *sizes, uint32_t count, uint64_t gap);

#endif
