/*
 * Blocks of a source, read ahead by other threads. Any thread may fill a block, one at a time, and prepare
 * it, at the same time as others. One thread takes the blocks in the order of the input. Without other
 * threads, that thread fills each block when it is wanted.
 */
#ifndef CG2WG_IO_BLOCKS_H
#define CG2WG_IO_BLOCKS_H

#include "io/source.h"
#include "util/text.h"
#include "os/thread.h"

enum {
    BLOCKS_MAX_THREADS = 64,
    BLOCKS_AHEAD = 2,         /* blocks that each other thread may be ahead: their times differ */
    BLOCKS_MAX_SLOTS = BLOCKS_AHEAD * (BLOCKS_MAX_THREADS - 1) + 2,
    BLOCKS_HEADROOM = 64 * 1024, /* bytes before a block: room for the rest of the one before */
    BLOCKS_SLACK = 64            /* bytes after a block, which are zero */
};

/*
 * Prepares a block in any thread. `slot` distinguishes blocks that are prepared at the same time, or have not
 * been released; the calling thread's own is 0. Returns false when memory runs out.
 */
typedef bool blocks_prepare(void *context, unsigned slot, struct text block);

struct block {
    char *memory; /* headroom, bytes and slack; NULL: none yet */
    size_t length;
    bool is_ready, is_prepared;
    bool lacks_memory; /* no thread can use the run's, so that only the calling one says so */
};

struct blocks {
    struct source *source;
    size_t size; /* of a block, in bytes */
    blocks_prepare *prepare; /* or NULL */
    void *context;

    struct waiting_place place; /* where helpers wait for input */
    unsigned helper_count;
    pthread_t helpers[BLOCKS_MAX_THREADS];

    /* This lock protects the rest. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_being_read, at_end, is_over;
    uint64_t filled, released; /* blocks so far: block n is in slot n modulo slot_count */
    struct block *current;     /* the first one that was not released; NULL: none was taken */
    unsigned slot_count;       /* 1 without helpers */
    struct block slots[BLOCKS_MAX_SLOTS];
};

/* Prepares to read `source` (borrowed) in blocks of `size` bytes. */
void blocks_init(struct blocks *blocks, struct source *source, size_t size);

/*
 * Starts other threads, of `wanted` in all, or as many as are useful (0); without `prepare`, one is enough. If the
 * source has ended, or none can be started, that does not matter. They read the source from now on, and only the
 * calling one uses its diag.
 */
void blocks_start(struct blocks *blocks, unsigned wanted, blocks_prepare *prepare, void *context);

/*
 * Takes the next block: it is blocks->current, and empty at the end of the source, or if it has failed
 * (source_check_end). `rest`, of up to BLOCKS_HEADROOM bytes, is moved in front of it; after that, the block before is
 * released.
 */
struct text blocks_next(struct blocks *blocks, struct text *rest);

/* Ends all other threads, even if they wait for input. After that, nothing may be read. */
void blocks_stop(struct blocks *blocks);

/* The same; frees the blocks. */
void blocks_free(struct blocks *blocks);

#endif
