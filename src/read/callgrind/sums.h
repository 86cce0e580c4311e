/* SPDX-License-Identifier: MIT */
/* An accelerator of the reader: records of Xdebug are added up instead of read one by one (see sums.c). */
#ifndef CG2WG_READ_CALLGRIND_SUMS_H
#define CG2WG_READ_CALLGRIND_SUMS_H

#include "read/callgrind/reader.h"

/*
 * Takes records from the lines at hand on, which end at `end`. Returns up to where the reader has to read lines before
 * it calls this again.
 */
const char *sums_take(struct callgrind_reader *r, const char *end);

#endif
