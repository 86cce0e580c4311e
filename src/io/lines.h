/* The lines of a source, of any length. */
#ifndef CG2WG_IO_LINES_H
#define CG2WG_IO_LINES_H

#include "io/source.h"
#include "util/text.h"

/* How many bytes after a text may be read, whatever they are. */
enum { LINES_SLACK = 64 };

/*
 * Moves `held`, which may be in the buffer, to its start. Then there is room for `wanted` bytes, which is at
 * least as many, and LINES_SLACK after them. Both members are 0 at first. Returns false, without a change,
 * when memory runs out. system_free_aligned frees the bytes.
 */
struct lines_buffer {
    char *bytes;
    size_t size;
};
bool lines_buffer_hold(struct lines_buffer *buffer, struct text held, size_t wanted);

struct lines {
    struct source *source;
    struct lines_buffer buffer;
    size_t block; /* how much is read at once */
    size_t room;  /* how much the buffer may hold now */
    const char *at, *end; /* what is still to be returned: in the buffer, or given */
    const char *whole;    /* the end of its last newline, or at most `at` */
    bool is_given;        /* it is not in the buffer, and what follows must be given, too */
    bool at_end;          /* nothing follows it */
    unsigned refills;     /* of the buffer, after the first */
    uint64_t number; /* of the last line, from 1 */
    bool last_is_whole; /* it ended with a newline */
};

enum lines_result {
    LINES_FAILED = -1,
    LINES_END = 0,
    LINES_LINE = 1,
    LINES_PAUSE = 2 /* the given text is used up; more must be given */
};

/*
 * Prepares to read `source` (borrowed) in blocks of `block` bytes (0: a default). The first may be smaller,
 * so that other threads can soon take part. Returns false, after reporting it, if memory runs out.
 */
bool lines_init(struct lines *lines, struct source *source, size_t block);
void lines_free(struct lines *lines);

/*
 * Sets *line to the next line, without its newline, a carriage return before that, and, in the
 * first line, a byte-order mark. The view is valid until the next call. The last line needs no
 * newline. LINES_FAILED: reading failed, which was reported.
 */
enum lines_result lines_next(struct lines *lines, struct text *line);

/* What has been read but not yet returned; valid until the next call. */
static inline struct text lines_rest(const struct lines *lines)
{
    return (struct text){lines->at, lines->end};
}

/*
 * The whole lines of lines_rest, up to its last newline. LINES_SLACK bytes after them may be read, so
 * that code which takes lines itself, with lines_skip, need not search their ends.
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

/*
 * Reads more, after what lines_rest returns, for code that needs more of it at once; lines->at_end
 * says whether anything is left. Returns false if reading failed, which was reported.
 */
bool lines_read_more(struct lines *lines);

/*
 * From now on other code reads the source: the next lines are those of `text` (borrowed until the
 * next one is given), which continues the lines returned so far. It ends with a newline, unless
 * is_last, and LINES_SLACK bytes after it may be read. Earlier results of lines_rest stay valid as
 * long as `lines`.
 */
void lines_give(struct lines *lines, struct text text, bool is_last);

/*
 * Takes everything that is left at once, for inputs that do not consist of lines. The view is valid
 * as long as `lines`. Returns false if reading failed, which was reported.
 */
bool lines_take_all(struct lines *lines, struct text *all);

/*
 * Fills the buffer and returns the start of the input without taking it: `wanted` bytes, unless the
 * input is shorter. Must be called before the first lines_next. Returns false if reading failed,
 * which was reported.
 */
bool lines_peek(struct lines *lines, size_t wanted, struct text *head);

#endif
