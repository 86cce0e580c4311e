/*
 * The lines of a source, of any length; or its bytes, for inputs that do not consist of lines. They are read in blocks.
 * If there are other threads, any of them may fill a block, one at a time, and prepare it, at the same time as others.
 * The calling thread takes the blocks in the order of the input.
 */
#ifndef CG2WG_IO_LINES_H
#define CG2WG_IO_LINES_H

#include "io/source.h"
#include "os/thread.h"
#include "util/text.h"

enum {
    BLOCKS_MAX_THREADS = 64,
    BLOCKS_AHEAD = 2,         /* blocks that each other thread may be ahead: their times differ */
    BLOCKS_MAX_SLOTS = BLOCKS_AHEAD * (BLOCKS_MAX_THREADS - 1) + 2,
    BLOCKS_HEADROOM = 64 * 1024, /* bytes before a block: room for the rest of the one before */
    LINES_SLACK = 64             /* how many bytes after a text may be read, whatever they are */
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

struct lines {
    struct run_held held;
    struct source *source;
    struct blocks blocks;
    const char *at, *end; /* what is still to be returned: in a block, `joined`, or given */
    const char *whole;    /* the end of its last newline, or at most `at` */
    bool at_end;          /* nothing follows it */
    unsigned slot;        /* the present block was prepared in this slot of `blocks`, ... */
    bool is_prepared;     /* ... if it was */
    unsigned block_count; /* blocks so far */
    char *joined;         /* for what does not fit the headroom of a block */
    size_t joined_size;
    uint64_t number;      /* of the last line, from 1 */
    uint64_t returned;    /* how many lines_next has returned */
    bool last_is_whole;   /* it ended with a newline */
};

/* Prepares to read `source` (borrowed) in blocks of `block` bytes (0: a default; the first may be smaller). */
void lines_init(struct lines *lines, struct source *source, size_t block);
void lines_free(void *lines);

/*
 * Starts other threads, of `wanted` in all, or as many as are useful (0); without `prepare`, one is enough. If the
 * source has ended, or none can be started, that does not matter. They read the source from now on, and only the
 * calling one uses its diag.
 */
void blocks_start(struct blocks *blocks, unsigned wanted, blocks_prepare *prepare, void *context);

/* Ends all other threads, even if they wait for input. After that, nothing may be read. */
void blocks_stop(struct blocks *blocks);

/*
 * Sets *line to the next line, without its newline, a carriage return before that, and, in the first line, a byte-order
 * mark. The view is valid until the next call. The last line needs no newline. False: there are no more.
 */
bool lines_next(struct lines *lines, struct text *line);

/*
 * The whole lines of what has been read but not yet returned; valid until the next call. LINES_SLACK bytes after them
 * may be read, so that code which takes lines itself, with lines_skip, need not search their ends.
 */
static inline struct text lines_whole(const struct lines *lines)
{
    return (struct text){lines->at, lines->whole > lines->at ? lines->whole : lines->at};
}

/* Takes the first `count` lines of lines_whole, which end before `end`. */
static inline void lines_skip(struct lines *lines, const char *end, uint64_t count)
{
    lines->at = end;
    lines->number += count;
    lines->last_is_whole = true;
}

/* From now on, the lines are those of `text` (borrowed), after which LINES_SLACK bytes may be read. */
void lines_give(struct lines *lines, struct text text);

/* Takes everything that is left at once, for inputs that do not consist of lines. It is in memory of the run. */
char *lines_take_all(struct lines *lines, size_t *length);

/* The next `wanted` bytes, which are not taken; fewer only at the end of the input. Valid until the next call. */
struct text lines_peek(struct lines *lines, size_t wanted);

#endif
