/* The lines of a source, of any length; or its bytes, for inputs that do not consist of lines. */
#ifndef CG2WG_IO_LINES_H
#define CG2WG_IO_LINES_H

#include "io/blocks.h"

enum { LINES_SLACK = BLOCKS_SLACK }; /* how many bytes after a text may be read, whatever they are */

struct lines {
    struct run_held held;
    struct source *source;
    struct blocks blocks; /* blocks_start lets other threads read and prepare them */
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
 * Sets *line to the next line, without its newline, a carriage return before that, and, in the first line, a byte-order
 * mark. The view is valid until the next call. The last line needs no newline. False: there are no more.
 */
bool lines_next(struct lines *lines, struct text *line);

/* What has been read but not yet returned; valid until the next call. */
static inline struct text lines_rest(const struct lines *lines)
{
    return (struct text){lines->at, lines->end};
}

/*
 * The whole lines of lines_rest, up to its last newline. LINES_SLACK bytes after them may be read, so that code which
 * takes lines itself, with lines_skip, need not search their ends.
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

/*
 * Takes everything that is left at once, for inputs that do not consist of lines. The view is valid as long as `lines`.
 */
struct text lines_take_all(struct lines *lines);

/* The next `wanted` bytes, which are not taken; fewer only at the end of the input. Valid until the next call. */
struct text lines_peek(struct lines *lines, size_t wanted);

#endif
