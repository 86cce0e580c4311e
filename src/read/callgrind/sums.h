/* SPDX-License-Identifier: MIT */
/*
 * An accelerator of the reader: records of Xdebug that have been added up, in any thread, before they are read (see
 * sums.c).
 */
#ifndef CG2WG_READ_CALLGRIND_SUMS_H
#define CG2WG_READ_CALLGRIND_SUMS_H

#include "read/callgrind/reader.h"

/*
 * Takes the records that begin at the lines at hand, if they have been added up. Returns up to where lines have to be
 * read, at most `end`, before it is called again. At first, lets other threads read ahead, if that is useful.
 */
const char *sums_take(struct callgrind_reader *r, const char *end);

/* All helper threads have ended. */
void sums_free(struct sums *sums);

#endif
