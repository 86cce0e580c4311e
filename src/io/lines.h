/* SPDX-License-Identifier: MIT */
/*
 * The lines of a source, up to LINES_MOST_MB long; or its bytes, for inputs that do not consist of lines. Both are read
 * in blocks. A helper thread may read ahead, and decode.
 */
#ifndef CG2WG_IO_LINES_H
#define CG2WG_IO_LINES_H

#include "io/source.h"
#include "os/thread.h"
#include "util/text.h"

enum {
    LINES_MOST_MB = 64, /* of a line: names of C++ have at most some 100 KB, but a compressed line may have gigabytes */
    BLOCKS_SLOTS = 4,   /* with a helper: the block at hand, the next one, and two ahead */
    BLOCKS_HEADROOM = 64 * 1024, /* bytes before a block: room for the rest of the one before */
    LINES_SLACK = 64             /* bytes after a text that may be read; their values do not matter */
};

struct block {
    char *memory; /* headroom, bytes from the next cache line on, and slack; NULL: none yet */
    size_t length;
    bool is_ready;
    bool lacks_memory; /* for it; the calling thread then ends the task, because the helper has none */
};

struct blocks {
    struct source *source;
    size_t size;                /* of a block, in bytes */
    struct canceller canceller; /* of a helper that waits for input */
    bool has_helper;
    pthread_t helper;

    /* This lock protects the rest. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool at_end, is_over;
    uint64_t filled, released; /* blocks so far: block n is in slot n modulo slot_count */
    unsigned slot_count;       /* 1 without a helper */
    struct block slots[BLOCKS_SLOTS];
};

struct lines {
    struct task_held held;
    struct blocks blocks;
    const char *at, *end; /* what is still to be returned: in a block, in `joined`, or from lines_give */
    const char *whole;    /* after its last newline; at most `at` if it has none */
    bool at_end;          /* nothing follows it */
    unsigned block_count; /* blocks so far */
    char *joined;         /* for what does not fit the headroom of a block */
    size_t joined_size;
    bool is_joined;     /* `at` is there */
    uint64_t number;    /* of the last line, from 1 */
    uint64_t returned;  /* how many lines_next has returned */
    bool last_is_whole; /* it ended with a newline */
};

/* Prepares to read `source` (borrowed) in blocks of `block` bytes (0: a default; the first may be smaller). */
void lines_init(struct lines *lines, struct source *source, size_t block);
void lines_free(void *lines);

/*
 * Starts a helper, if `wanted` is more than 1, or 0 and the file is not small; none if the source has ended, or the
 * system cannot. From now on the helper reads the source, and only the calling thread uses its diag.
 */
void blocks_start(struct blocks *blocks, unsigned wanted);

/*
 * Sets *line to the next line, without its newline, a carriage return before that, and, in the first line, a byte-order
 * mark. The view is valid until the next call. The last line needs no newline. False: there are no more. A line that is
 * too long is an error.
 */
bool lines_next(struct lines *lines, struct text *line);

/*
 * The whole lines of what has been read but not yet returned; valid until the next call. LINES_SLACK bytes after them
 * may be read, so that code that takes lines by lines_skip may read beyond their ends.
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

/* Takes everything that is left at once, for inputs that do not consist of lines. It is in memory of the task. */
char *lines_take_all(struct lines *lines, size_t *length);

/* The next `wanted` bytes, without taking them; fewer only at the end of the input. Valid until the next call. */
struct text lines_peek(struct lines *lines, size_t wanted);

#endif
