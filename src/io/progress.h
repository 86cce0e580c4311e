/* How far a conversion has come, for the caller of the library. */
#ifndef CG2WG_IO_PROGRESS_H
#define CG2WG_IO_PROGRESS_H

#include "cg2wg.h"

struct progress {
    cg2wg_progress_fn *report; /* NULL: not wanted */
    void *user;
    uint64_t before; /* bytes of the inputs that have been read completely */
    uint64_t total;  /* all bytes to read, or to write; 0: unknown */
};

/*
 * Reports that `done` bytes of the current input or output are done. True: the caller of the library wants it to end.
 * `progress` may be NULL.
 */
static inline bool progress_ends(const struct progress *progress, enum cg2wg_stage stage, uint64_t done)
{
    return progress != NULL && progress->report != NULL &&
           !progress->report(progress->user, &(struct cg2wg_progress){stage, progress->before + done, progress->total});
}

#endif
