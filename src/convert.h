/* What tests ask of the library beyond its public header. */
#ifndef CG2WG_CONVERT_H
#define CG2WG_CONVERT_H

#include "cg2wg.h"

/* cg2wg_convert_all with blocks of `block` bytes read at once; 0: of a good size. */
enum cg2wg_status convert_in_blocks(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options,
                                    struct cg2wg_stats *stats, size_t block);

#endif
