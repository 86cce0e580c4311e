/* SPDX-License-Identifier: MIT */
/* Writes webgrind's preprocessed format: see headers.h, and formats.c for its layout. */
#ifndef CG2WG_WRITE_FORMATS_H
#define CG2WG_WRITE_FORMATS_H

#include "io/outfile.h"
#include "model/contexts.h"

/*
 * Writes a profile in the version, with the divisor and the title of the options. Linked contexts are the invocations
 * of version 4, which this numbers; there are none if the version does not contain them or they are unknown. An
 * output that would exceed the 4 GiB of its addresses is an error.
 */
void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct contexts *invocations);

/*
 * Writes the version, the address of the headers, and the addresses of the `count` functions. Function i takes
 * sizes[i] bytes; `gap` bytes are between the last function and the headers.
 */
void write_head(struct outfile *out, unsigned version, const uint64_t *sizes, uint32_t count, uint64_t gap);

#endif
