/* The lines of a source, one after the other, of any length. */
#ifndef CG2WG_IO_LINES_H
#define CG2WG_IO_LINES_H

#include "io/source.h"
#include "util/text.h"

struct lines {
    struct source *source;
    char *buffer; /* [next, filled) is yet to be handed out */
    size_t size, next, filled;
    bool at_end;
    uint64_t number; /* of the line handed out last, from 1 */
    bool last_is_whole; /* it ended with a newline */
};

enum lines_result { LINES_FAILED = -1, LINES_END = 0, LINES_LINE = 1 };

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

/* What is in the buffer and not yet handed out; lives until the next call. */
static inline struct text lines_rest(const struct lines *lines)
{
    return text_of(lines->buffer + lines->next, lines->filled - lines->next);
}

/* Takes the first `count` lines of lines_rest, which end before `end`. */
static inline void lines_skip(struct lines *lines, const char *end, uint64_t count)
{
    lines->next = (size_t)(end - lines->buffer);
    lines->number += count;
}

/*
 * Takes all that is left at once, for inputs that are not made of lines. The view lives as long as
 * `lines`. Returns false if reading failed, which was reported.
 */
bool lines_take_all(struct lines *lines, struct text *all);

/*
 * Fills the buffer and shows what the input begins with, without taking it: at least `wanted` bytes,
 * unless the input is shorter. To be called before the first lines_next.
 * Returns false if reading failed, which was reported.
 */
bool lines_peek(struct lines *lines, size_t wanted, struct text *head);

#endif
