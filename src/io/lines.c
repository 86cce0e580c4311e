#include "io/lines.h"

#include "util/array.h"

#include <stdlib.h>

enum { FIRST_SIZE = 1024 * 1024 };

bool lines_init(struct lines *lines, struct source *source, size_t block)
{
    *lines = (struct lines){.source = source};
    if (!array_reserve(&lines->buffer, &lines->size, block > 0 ? block : FIRST_SIZE, 1))
        return diag_no_memory(source->diag);
    return true;
}

void lines_free(struct lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

/* Appends a block to what the buffer holds, which may move. Returns false if reading failed. */
static bool fill(struct lines *lines)
{
    if (lines->next > 0) {
        memmove(lines->buffer, lines->buffer + lines->next, lines->filled - lines->next);
        lines->filled -= lines->next;
        lines->next = 0;
    }
    if (lines->filled == lines->size &&
        !array_reserve(&lines->buffer, &lines->size, lines->size + 1, 1))
        return diag_no_memory(lines->source->diag);
    ssize_t count =
        source_read(lines->source, lines->buffer + lines->filled, lines->size - lines->filled);
    if (count < 0)
        return false;
    lines->at_end = count == 0;
    lines->filled += (size_t)count;
    return true;
}

bool lines_peek(struct lines *lines, size_t wanted, struct text *head)
{
    while (!lines->at_end && lines->filled < wanted)
        if (!fill(lines))
            return false;
    *head = text_of(lines->buffer, lines->filled);
    return true;
}

bool lines_take_all(struct lines *lines, struct text *all)
{
    while (!lines->at_end)
        if (!fill(lines))
            return false;
    *all = text_of(lines->buffer + lines->next, lines->filled - lines->next);
    lines->next = lines->filled;
    return true;
}

static void strip_byte_order_mark(struct text *line)
{
    if (text_starts(*line, "\xef\xbb\xbf"))
        line->at += 3;
}

enum lines_result lines_next(struct lines *lines, struct text *line)
{
    size_t searched = 0; /* bytes from next on that hold no newline */
    const char *newline;

    for (;;) {
        const char *start = lines->buffer + lines->next;
        size_t length = lines->filled - lines->next;
        newline = memchr(start + searched, '\n', length - searched);
        if (newline != NULL || lines->at_end)
            break;
        searched = length;
        if (!fill(lines))
            return LINES_FAILED;
    }

    line->at = lines->buffer + lines->next;
    line->end = newline != NULL ? newline : lines->buffer + lines->filled;
    if (newline == NULL && text_is_empty(*line))
        return LINES_END;
    lines->next = (size_t)(line->end - lines->buffer) + (newline != NULL);
    lines->last_is_whole = newline != NULL;
    lines->number++;
    if (line->end > line->at && line->end[-1] == '\r')
        line->end--;
    if (lines->number == 1)
        strip_byte_order_mark(line);
    return LINES_LINE;
}
