/* SPDX-License-Identifier: MIT */
/* Functions for tests, beyond the public header. */
#ifndef CG2WG_CONVERT_H
#define CG2WG_CONVERT_H

#include "cg2wg.h"

/* Like cg2wg_convert_all, with reads of `block` bytes; 0: chosen automatically. */
enum cg2wg_status convert_in_blocks(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats, size_t block);

#endif
