#include "io/lines.h"

#include "util/run.h"

#include <stdlib.h>

/* The default number of bytes in one read. Tests redefine it, so that lines are longer than that. */
#ifndef LINES_BLOCK
#define LINES_BLOCK (1024 * 1024)
#endif

void lines_init(struct lines *lines, struct source *source, size_t block)
{
    *lines = (struct lines){.source = source, .at = "", .end = ""};
    lines->at = lines->whole = lines->end;
    blocks_init(&lines->blocks, source, block > 0 ? block : LINES_BLOCK);
    run_hold(&lines->held, lines_free, lines);
}

void lines_free(void *of)
{
    struct lines *lines = of;
    run_let_go(&lines->held);
    blocks_free(&lines->blocks);
    memory_free(lines->joined);
}

/* Makes room for `size` bytes after the rest, which is moved to the start of `joined`. */
static void join(struct lines *lines, size_t size)
{
    struct text rest = lines_rest(lines);
    size_t held = text_length(rest), wanted = held + size + LINES_SLACK;
    char *joined = lines->joined;
    if (wanted > lines->joined_size) {
        wanted += wanted / 2;
        joined = memory_get(wanted);
        lines->joined_size = wanted;
    }
    memmove(joined, rest.at, held);
    if (joined != lines->joined)
        memory_free(lines->joined);
    lines->joined = joined;
    lines->at = joined;
    lines->end = joined + held;
}

/* Reads the next block, after what is left. */
static void read_more(struct lines *lines)
{
    struct text rest = lines_rest(lines), none = text_of("", 0);
    size_t held = text_length(rest), whole = text_length(lines_whole(lines));
    bool is_long = held > BLOCKS_HEADROOM;
    if (is_long)
        join(lines, lines->blocks.size);
    struct text block = blocks_next(&lines->blocks, is_long ? &none : &rest);
    lines->slot = (unsigned)(lines->blocks.current - lines->blocks.slots);
    lines->is_prepared = lines->blocks.current->is_prepared && !is_long;
    lines->block_count++;
    lines->at_end = text_is_empty(block);
    if (is_long) {
        block = text_of(memcpy(lines->joined + held, block.at, text_length(block) + LINES_SLACK), text_length(block));
    } else {
        lines->at = rest.at;
    }
    lines->end = block.end;
    const char *p = lines->end;
    while (p > block.at && p[-1] != '\n')
        p--;
    lines->whole = p > block.at ? p : lines->at + whole;
    if (lines->at_end)
        source_check_end(lines->source);
}

struct text lines_peek(struct lines *lines, size_t wanted)
{
    while (!lines->at_end && text_length(lines_rest(lines)) < wanted)
        read_more(lines);
    size_t length = text_length(lines_rest(lines));
    return text_of(lines->at, length < wanted ? length : wanted);
}

struct text lines_take_all(struct lines *lines)
{
    struct text all = lines_peek(lines, SIZE_MAX);
    lines->at = lines->end;
    return all;
}

void lines_give(struct lines *lines, struct text text)
{
    lines->at = text.at;
    lines->end = lines->whole = text.end;
    while (lines->whole > lines->at && lines->whole[-1] != '\n')
        lines->whole--;
    lines->at_end = true;
    lines->is_prepared = false;
}

bool lines_next(struct lines *lines, struct text *line)
{
    size_t searched = 0; /* bytes from lines->at on without a newline */
    const char *newline;

    for (;;) {
        size_t length = (size_t)(lines->end - lines->at);
        newline = memchr(lines->at + searched, '\n', length - searched);
        if (newline != NULL || lines->at_end)
            break;
        searched = length;
        read_more(lines);
    }

    line->at = lines->at;
    line->end = newline != NULL ? newline : lines->end;
    if (newline == NULL && text_is_empty(*line))
        return false;
    lines->at = line->end + (newline != NULL);
    lines->last_is_whole = newline != NULL;
    lines->number++;
    lines->returned++;
    if (line->end > line->at && line->end[-1] == '\r')
        line->end--;
    if (lines->number == 1 && text_starts(*line, "\xef\xbb\xbf"))
        line->at += 3;
    return true;
}
