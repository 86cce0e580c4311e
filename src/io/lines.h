/* The lines of a source, one after the other, of any length. */
#ifndef CG2WG_IO_LINES_H
#define CG2WG_IO_LINES_H

#include "io/source.h"
#include "util/text.h"

struct lines {
    struct source *source;
    char *buffer;
    size_t size;
    const char *at, *end; /* what is yet to be handed out: in the buffer, or given */
    bool is_given;        /* it is not in the buffer, and what follows on it has to be given, too */
    bool at_end;          /* nothing follows on it */
    unsigned refills;     /* of the buffer, after it was full once */
    uint64_t number; /* of the line handed out last, from 1 */
    bool last_is_whole; /* it ended with a newline */
};

enum lines_result {
    LINES_FAILED = -1,
    LINES_END = 0,
    LINES_LINE = 1,
    LINES_PAUSE = 2 /* what was given is at its end; more has to be given */
};

/*
 * Prepares to read `source` (borrowed) in blocks of `block` bytes, or of a good size if that is 0.
 * Returns false, having reported it, when memory runs out.
 */
bool lines_init(struct lines *lines, struct source *source, size_t block);
void lines_free(struct lines *lines);

/*
 * Sets *line to the next line, without its newline, a carriage return before that, and, in the
 * first line, a byte-order mark. The view lives until the next call. The last line needs no newline.
 * LINES_FAILED: reading failed, which was reported.
 */
enum lines_result lines_next(struct lines *lines, struct text *line);

/* What has been read and not yet handed out; lives until the next call. */
static inline struct text lines_rest(const struct lines *lines)
{
    return (struct text){lines->at, lines->end};
}

/* Takes the first `count` lines of lines_rest, which end before `end`. */
static inline void lines_skip(struct lines *lines, const char *end, uint64_t count)
{
    lines->at = end;
    lines->number += count;
}

/*
 * From here on somebody else reads the source: the next lines are those of `text` (borrowed until the
 * next is given), which begins where what has been handed out ends. It ends with a newline, unless
 * is_last. What lines_rest has shown before stays where it is as long as `lines`.
 */
static inline void lines_give(struct lines *lines, struct text text, bool is_last)
{
    lines->at = text.at;
    lines->end = text.end;
    lines->is_given = true;
    lines->at_end = is_last;
}

/*
 * Takes all that is left at once, for inputs that are not made of lines. The view lives as long as
 * `lines`. Returns false if reading failed, which was reported.
 */
bool lines_take_all(struct lines *lines, struct text *all);

/*
 * Fills the buffer and shows what the input begins with, without taking it: `wanted` bytes, unless the
 * input is shorter. To be called before the first lines_next.
 * Returns false if reading failed, which was reported.
 */
bool lines_peek(struct lines *lines, size_t wanted, struct text *head);

#endif
