/* How far a conversion has come, for whoever called the library. */
#ifndef CG2WG_IO_PROGRESS_H
#define CG2WG_IO_PROGRESS_H

#include "cg2wg.h"

struct progress {
    cg2wg_progress_fn *report; /* NULL: nobody listens */
    void *user;
    uint64_t before; /* bytes of the inputs that have been read to their end */
    uint64_t total;  /* bytes of all that there is to read, or write; 0: not known */
};

/* Is there anybody to tell? NULL is allowed. */
static inline bool progress_is_wanted(const struct progress *progress)
{
    return progress != NULL && progress->report != NULL;
}

/* Tells that `done` bytes of the input or output at hand are done. Only if it is wanted. */
static inline void progress_tell(const struct progress *progress, enum cg2wg_stage stage,
                                 uint64_t done)
{
    struct cg2wg_progress now = {stage, progress->before + done, progress->total};
    progress->report(progress->user, &now);
}

#endif
