/*
 * An input in blocks that end where whole pieces do, worked on by several threads: each block is
 * prepared by one of them, at the same time as others, and then taken, one after the other in the
 * order of the input, by one and the same, which so has what blocks are taken into to itself.
 */
#ifndef CG2WG_IO_BLOCKS_H
#define CG2WG_IO_BLOCKS_H

#include "io/source.h"
#include "util/text.h"

enum { BLOCKS_MAX_THREADS = 64 };

struct blocks_work {
    unsigned threads; /* 1 to BLOCKS_MAX_THREADS, the calling one included */
    unsigned ahead;   /* how many blocks each other thread may be ahead: some take longer than others */
    size_t block;     /* how much is read at once, in bytes */
    size_t before;    /* newlines that stand before a block, and may be read */
    void *context;
    /* How many bytes of `filled` are whole pieces; 0: none, more has to be read. */
    size_t (*cut)(struct text filled);
    /*
     * Prepares a block, in any thread. `slot`, below blocks_slots(work), tells apart those that are
     * prepared at the same time or have not been taken. False: no memory.
     */
    bool (*prepare)(void *context, unsigned slot, struct text block);
    /*
     * Takes it, in the calling thread. is_last: the input ends here. False, having reported it:
     * nothing is taken any more.
     */
    bool (*take)(void *context, unsigned slot, struct text block, bool is_last);
};

/*
 * How many threads are to work on a source: `wanted`, as far as there may be so many; if that is 0, as
 * many as pay. A decoder is no faster than one thread that reads what it has decoded; and what reading
 * from the file alone takes leaves more than a few without work.
 */
unsigned blocks_threads(unsigned wanted, const struct source *source);

static inline unsigned blocks_slots(const struct blocks_work *work)
{
    return 1 + work->ahead * (work->threads - 1);
}

/*
 * Runs the work over `rest`, which has been read already, and all that is left of `source`. The calling
 * thread takes part; others are started for the time of the call. If none can be, it does it alone.
 * The source is read by any of the threads, by one at a time, and its diag is only used by that, and
 * by the calling one. Signals go to the calling thread.
 * Returns false, having reported it, if reading, memory or a take fails: at once, even where input is
 * awaited. The source is not to be read after that.
 */
bool blocks_run(struct source *source, struct text rest, const struct blocks_work *work);

#endif
