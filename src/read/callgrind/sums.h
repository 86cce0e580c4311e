/* SPDX-License-Identifier: MIT */
/*
 * An accelerator of the reader: records of Xdebug that have been added up, in any thread, before they are read (see
 * sums.c). When the reader comes to a text, it calls sums_begin; where it comes to `next`, it takes the records that
 * begin there, or reads their lines.
 */
#ifndef CG2WG_READ_CALLGRIND_SUMS_H
#define CG2WG_READ_CALLGRIND_SUMS_H

#include "read/callgrind/reader.h"

/* The text up to `end` is to be read. At first, lets other threads read ahead, if that is useful. */
void sums_begin(struct callgrind_reader *r, const char *end);

/* The span that begins at `p`, or NULL. Moves `next` beyond `p`. */
const struct span *sums_at(struct sums *sums, const char *p);

/*
 * Enters a span in the profile, after all records before it. Returns its end. NULL: it has entered nothing, because an
 * alias is undefined, or a sum is close to the limit of 64 bits.
 */
const char *sums_enter(struct callgrind_reader *r, const struct span *span);

/* All helper threads have ended. */
void sums_free(struct sums *sums);

#endif
