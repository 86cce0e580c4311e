#include "io/lines.h"

#include "util/array.h"

#include <stdlib.h>

/* The default number of bytes in one read. Tests redefine it, so that lines are longer than that. */
#ifndef LINES_BLOCK
#define LINES_BLOCK (1024 * 1024)
#endif

enum { FIRST_BLOCK = 256 * 1024 }; /* the most of the first read */

/* Where the last line ends that does not begin before `start`. */
static const char *last_newline(const char *start, const char *end)
{
    while (end > start && end[-1] != '\n')
        end--;
    return end;
}

bool lines_init(struct lines *lines, struct source *source, size_t block)
{
    *lines = (struct lines){.source = source, .block = block > 0 ? block : LINES_BLOCK};
    size_t first = lines->block < FIRST_BLOCK ? lines->block : FIRST_BLOCK;
    if (!array_reserve(&lines->buffer, &lines->size, first + LINES_SLACK, 1))
        return diag_no_memory(source->diag);
    lines->at = lines->end = lines->whole = lines->buffer;
    return true;
}

void lines_free(struct lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

/*
 * Reads until the buffer, which may move, is at least half full, because a pipe returns little at a
 * time. Returns false if reading failed.
 */
static bool fill(struct lines *lines)
{
    size_t held = (size_t)(lines->end - lines->at);
    size_t whole = text_length(lines_whole(lines));
    if (lines->at > lines->buffer) {
        memmove(lines->buffer, lines->at, held);
        lines->refills++;
    }
    size_t wanted = lines->refills > 0 ? lines->block + LINES_SLACK : 0;
    if (held + LINES_SLACK == lines->size)
        wanted = lines->size + 1;
    if (!array_reserve(&lines->buffer, &lines->size, wanted, 1))
        return diag_no_memory(lines->source->diag);
    size_t count, filled = held, room = lines->size - LINES_SLACK;
    do {
        count = source_read(lines->source, lines->buffer + filled, room - filled);
        filled += count;
    } while (count > 0 && filled < room / 2);
    lines->at = lines->buffer;
    lines->end = lines->buffer + filled;
    lines->whole = last_newline(lines->buffer + held, lines->end);
    if (lines->whole == lines->buffer + held)
        lines->whole = lines->buffer + whole;
    memset(lines->buffer + filled, 0, LINES_SLACK);
    lines->at_end = count == 0;
    return count > 0 || source_ended_well(lines->source);
}

bool lines_peek(struct lines *lines, size_t wanted, struct text *head)
{
    while (!lines->at_end && text_length(lines_rest(lines)) < wanted)
        if (!fill(lines))
            return false;
    *head = lines_rest(lines);
    if (text_length(*head) > wanted)
        head->end = head->at + wanted;
    return true;
}

bool lines_read_more(struct lines *lines)
{
    return fill(lines);
}

bool lines_take_all(struct lines *lines, struct text *all)
{
    while (!lines->at_end)
        if (!fill(lines))
            return false;
    *all = lines_rest(lines);
    lines->at = lines->end;
    return true;
}

void lines_give(struct lines *lines, struct text text, bool is_last)
{
    lines->at = text.at;
    lines->end = text.end;
    lines->whole = last_newline(text.at, text.end);
    lines->is_given = true;
    lines->at_end = is_last;
}

static void strip_byte_order_mark(struct text *line)
{
    if (text_starts(*line, "\xef\xbb\xbf"))
        line->at += 3;
}

enum lines_result lines_next(struct lines *lines, struct text *line)
{
    size_t searched = 0; /* bytes from lines->at on without a newline */
    const char *newline;

    for (;;) {
        size_t length = (size_t)(lines->end - lines->at);
        newline = memchr(lines->at + searched, '\n', length - searched);
        if (newline != NULL || lines->at_end)
            break;
        if (lines->is_given)
            return LINES_PAUSE;
        searched = length;
        if (!fill(lines))
            return LINES_FAILED;
    }

    line->at = lines->at;
    line->end = newline != NULL ? newline : lines->end;
    if (newline == NULL && text_is_empty(*line))
        return LINES_END;
    lines->at = line->end + (newline != NULL);
    lines->last_is_whole = newline != NULL;
    lines->number++;
    if (line->end > line->at && line->end[-1] == '\r')
        line->end--;
    if (lines->number == 1)
        strip_byte_order_mark(line);
    return LINES_LINE;
}
