/* SPDX-License-Identifier: MIT */
/*
 * The versions of webgrind's preprocessed format, which https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format
 * describes. Its numbers have 32 bits and are unsigned, the lowest byte first.
 *
 *     4   each invocation, with the call that made it and the calls that it made
 *     5   sums of functions, each with the calls into it
 *     6   also with the calls that it makes; readers add up several summaries, and no longer use the last one
 *     7   also with the line where it begins
 */
#ifndef CG2WG_WRITE_FORMATS_H
#define CG2WG_WRITE_FORMATS_H

#include "io/outfile.h"
#include "model/contexts.h"

enum { FIRST_VERSION_WITH_SUMS = 5, FIRST_VERSION_WITH_SUB_CALLS = 6, FIRST_VERSION_WITH_LINES = 7 };

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
