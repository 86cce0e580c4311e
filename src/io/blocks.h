/*
 * Several threads work on an input in blocks, each of which ends where a piece ends. Any thread
 * prepares a block, at the same time as others. One thread takes the prepared blocks in the order
 * of the input, so that it needs no locks for the result.
 */
#ifndef CG2WG_IO_BLOCKS_H
#define CG2WG_IO_BLOCKS_H

#include "io/source.h"
#include "util/text.h"

enum { BLOCKS_MAX_THREADS = 64 };

struct blocks_work {
    unsigned threads; /* 1 to BLOCKS_MAX_THREADS, including the calling one */
    unsigned ahead;   /* how many blocks each other thread may be ahead: their times differ */
    size_t block;     /* how much is read at once, in bytes */
    void *context;
    /* The number of bytes of `filled` that are complete pieces; 0: none, more must be read. */
    size_t (*cut)(struct text filled);
    /*
     * Prepares a block, in any thread. `slot`, below blocks_slots(work), distinguishes blocks that
     * are prepared at the same time or have not been taken. False: no memory.
     */
    bool (*prepare)(void *context, unsigned slot, struct text block);
    /*
     * Takes it, in the calling thread. is_last: the input ends here. Returns false, after reporting
     * why, to end the work.
     */
    bool (*take)(void *context, unsigned slot, struct text block, bool is_last);
};

/*
 * The number of threads for a source: `wanted`, up to the maximum; 0: as many as are useful. One
 * thread keeps up with a decoder, and reading the file alone takes so long that more than a few
 * threads have no work.
 */
unsigned blocks_threads(unsigned wanted, const struct source *source);

static inline unsigned blocks_slots(const struct blocks_work *work)
{
    return 1 + work->ahead * (work->threads - 1);
}

/*
 * Runs the work over `rest`, which has already been read, and the remainder of `source`. LINES_SLACK
 * bytes after `rest` may be read. The calling thread takes part; others run during the call. If none
 * can be started, the calling thread works alone. Any of the threads reads the source, one at a time;
 * only the calling one uses its diag. Signals go to the calling thread. Returns false, after reporting
 * why, if reading, memory or a take fails: at once, even while input is awaited. The source must not be
 * read after that.
 */
bool blocks_run(struct source *source, struct text rest, const struct blocks_work *work);

#endif
