#include "io/lines.h"

#include "util/system.h"

#include <stdint.h>

/* The default number of bytes in one read. Tests redefine it, so that lines are longer than that. */
#ifndef LINES_BLOCK
#define LINES_BLOCK (1024 * 1024)
#endif

enum {
    FIRST_BLOCK = 256 * 1024, /* the most of the first read */
    LARGE_PAGE = 2 * 1024 * 1024
};

bool lines_buffer_hold(struct lines_buffer *b, struct text held, size_t wanted)
{
    char *bytes = b->bytes;
    if (wanted > SIZE_MAX / 2)
        return false;
    if (b->size < wanted + LINES_SLACK) {
        /* It takes a quarter of the time to fill new memory if its pages are large. */
        size_t unit = wanted < LARGE_PAGE / 4 ? LINES_SLACK : LARGE_PAGE;
        size_t size = (wanted + LINES_SLACK + unit - 1) / unit * unit;
        bytes = system_aligned_memory(unit, size);
        if (bytes == NULL)
            return false;
        system_suggest_large_pages(bytes, size);
        b->size = size;
    }
    if (!text_is_empty(held))
        memmove(bytes, held.at, text_length(held));
    if (bytes != b->bytes)
        system_free_aligned(b->bytes);
    b->bytes = bytes;
    return true;
}

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
    lines->room = lines->block < FIRST_BLOCK ? lines->block : FIRST_BLOCK;
    if (!lines_buffer_hold(&lines->buffer, text_of("", 0), lines->room))
        return diag_no_memory(source->diag);
    lines->at = lines->end = lines->whole = lines->buffer.bytes;
    return true;
}

void lines_free(struct lines *lines)
{
    system_free_aligned(lines->buffer.bytes);
    lines->buffer.bytes = NULL;
}

/*
 * Reads until the buffer, which may move, is at least half full, because a pipe returns little at a
 * time. Returns false if reading failed.
 */
static bool fill(struct lines *lines)
{
    struct text rest = lines_rest(lines);
    size_t held = text_length(rest), whole = text_length(lines_whole(lines));
    lines->refills += lines->at > lines->buffer.bytes;
    if (lines->refills > 0 && lines->room < lines->block)
        lines->room = lines->block;
    if (held == lines->room)
        lines->room += lines->room / 2 + 1;
    if (!lines_buffer_hold(&lines->buffer, rest, lines->room))
        return diag_no_memory(lines->source->diag);
    char *bytes = lines->buffer.bytes;
    size_t count, filled = held;
    do {
        count = source_read(lines->source, bytes + filled, lines->room - filled);
        filled += count;
    } while (count > 0 && filled < lines->room / 2);
    lines->at = bytes;
    lines->end = bytes + filled;
    lines->whole = last_newline(bytes + held, lines->end);
    if (lines->whole == bytes + held)
        lines->whole = bytes + whole;
    memset(bytes + filled, 0, LINES_SLACK);
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
