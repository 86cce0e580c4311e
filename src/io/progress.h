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

/* Does the caller want reports? NULL is allowed. */
static inline bool progress_is_wanted(const struct progress *progress)
{
    return progress != NULL && progress->report != NULL;
}

/*
 * Reports that `done` bytes of the current input or output are done. False: the caller of the library
 * wants no more. Call it only if reports are wanted.
 */
static inline bool progress_report(const struct progress *progress, enum cg2wg_stage stage,
                                 uint64_t done)
{
    struct cg2wg_progress now = {stage, progress->before + done, progress->total};
    return progress->report(progress->user, &now);
}

#endif
