/* SPDX-License-Identifier: MIT */
#include "io/lines.h"

#include "util/array.h"

#include <stdlib.h>

/*
 * The default number of bytes in one read: a core's cache has room for the blocks that a helper fills. Tests redefine
 * it, so that lines are longer than that.
 */
#ifndef LINES_BLOCK
#define LINES_BLOCK (256 * 1024)
#endif

enum {
    MANY_BYTES = 24 << 20, /* of a file: fewer are read sooner by one thread, which needs less new memory */
    MANY_COMPRESSED = 1 << 20,
    CACHE_LINE = 64
};

void lines_init(struct lines *lines, struct source *source, size_t block)
{
    *lines = (struct lines){.blocks = {.source = source, .size = block > 0 ? block : LINES_BLOCK, .slot_count = 1}};
    lines->at = lines->whole = lines->end = "";
    pthread_mutex_init(&lines->blocks.lock, NULL);
    pthread_cond_init(&lines->blocks.changed, NULL);
    task_hold(&lines->held, lines_free, lines);
}

/* The start of a cache line: some processors copy a file three times as slowly to where malloc's memory begins. */
static char *start_of(const struct block *block)
{
    char *after = block->memory + BLOCKS_HEADROOM;
    return after + (0 - (uintptr_t)after) % CACHE_LINE;
}

/* Fills a block. A pipe returns little at a time, so half of a block is enough. Can more follow? */
static bool fill_block(struct blocks *b, struct block *block)
{
    size_t count = 1;
    block->length = 0;
    if (block->memory == NULL)
        block->memory = malloc(BLOCKS_HEADROOM + CACHE_LINE + b->size + LINES_SLACK);
    block->lacks_memory = block->memory == NULL;
    if (block->lacks_memory)
        return false;
    while (count > 0 && block->length < b->size / 2 + 1) {
        count = source_read(b->source, start_of(block) + block->length, b->size - block->length);
        block->length += count;
    }
    memset(start_of(block) + block->length, 0, LINES_SLACK);
    return count > 0;
}

/* A thread that fills blocks ahead of the calling one. */
static void *help(void *context)
{
    struct blocks *b = context;
    pthread_mutex_lock(&b->lock);
    while (!b->is_over && !b->at_end) {
        if (b->filled >= b->released + b->slot_count) {
            pthread_cond_wait(&b->changed, &b->lock);
            continue;
        }
        struct block *block = &b->slots[b->filled++ % b->slot_count];
        pthread_mutex_unlock(&b->lock);
        fill_block(b, block);
        pthread_mutex_lock(&b->lock);
        b->at_end = block->length == 0;
        block->is_ready = true;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Ends the helper, even if it waits for input. After that, nothing may be read. */
static void blocks_stop(struct blocks *b)
{
    if (b->source->canceller != &b->canceller)
        return;
    pthread_mutex_lock(&b->lock);
    b->is_over = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    canceller_end(&b->canceller, b->has_helper ? &b->helper : NULL);
    b->source->canceller = NULL;
    b->has_helper = false;
}

void blocks_start(struct blocks *b, unsigned wanted)
{
    uint64_t many = b->source->decoder != NULL ? MANY_COMPRESSED : MANY_BYTES;
    bool is_small = wanted == 0 && b->source->facts.kind == FILE_IS_REGULAR && b->source->facts.size < many;
    unsigned threads = wanted == 0 ? thread_cores() : wanted;
    if (b->has_helper || b->at_end || is_small || threads < 2 || !canceller_open(&b->canceller))
        return;
    b->slot_count = BLOCKS_SLOTS;
    b->source->canceller = &b->canceller;
    b->has_helper = thread_start(&b->helper, help, b) == 0;
    if (!b->has_helper)
        blocks_stop(b);
}

void lines_free(void *of)
{
    struct lines *lines = of;
    struct blocks *b = &lines->blocks;
    task_let_go(&lines->held);
    blocks_stop(b);
    for (unsigned i = 0; i < b->slot_count; i++)
        free(b->slots[i].memory);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    memory_free(lines->joined);
}

static size_t rest_length(const struct lines *lines)
{
    return (size_t)(lines->end - lines->at);
}

static void move_rest(struct lines *lines, const struct block *to)
{
    size_t length = rest_length(lines);
    if (to->memory == NULL)
        return;
    lines->at = memmove(start_of(to) - length, lines->at, length);
    lines->end = start_of(to);
    lines->is_joined = false;
}

/* Moves the rest to the start of `joined`, with room for a block after it. Growing copies no more than the rest. */
static void join_rest(struct lines *lines)
{
    size_t held = rest_length(lines);
    if (lines->is_joined)
        memmove(lines->joined, lines->at, held);
    array_reserve(&lines->joined, &lines->joined_size, held + lines->blocks.size + LINES_SLACK, 1);
    if (!lines->is_joined)
        memcpy(lines->joined, lines->at, held);
    lines->is_joined = true;
    lines->at = lines->joined;
    lines->end = lines->at + held;
}

static void read_more(struct lines *lines)
{
    struct blocks *b = &lines->blocks;
    size_t held = rest_length(lines), whole = text_length(lines_whole(lines));
    bool is_long = held > BLOCKS_HEADROOM, is_first = lines->block_count == 0, is_alone = !b->has_helper;
    /* The last block is held until the next one has been taken; that may be block 0, which was read alone. */
    struct block *next = is_alone ? b->slots : &b->slots[(b->released + !is_first) % b->slot_count];
    if (is_long)
        join_rest(lines);
    if (is_alone) {
        if (!is_long)
            move_rest(lines, next);
        b->at_end = !fill_block(b, next);
        b->filled = 1;
    }
    pthread_mutex_lock(&b->lock);
    while (!is_alone && !next->is_ready)
        pthread_cond_wait(&b->changed, &b->lock);
    if (!is_long)
        move_rest(lines, next);
    next->is_ready = false;
    b->released += !is_alone && !is_first;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (next->lacks_memory)
        task_out_of_memory();

    lines->block_count++;
    lines->at_end = next->length == 0;
    if (is_long)
        memcpy(lines->joined + held, start_of(next), next->length + LINES_SLACK);
    lines->end += next->length;
    const char *start = lines->at + held, *p = lines->end;
    while (p > start && p[-1] != '\n')
        p--;
    lines->whole = p > start ? p : lines->at + whole;
    if (lines->at_end)
        source_check_end(lines->blocks.source);
}

struct text lines_peek(struct lines *lines, size_t wanted)
{
    while (!lines->at_end && rest_length(lines) < wanted)
        read_more(lines);
    return text_of(lines->at, MIN(rest_length(lines), wanted));
}

char *lines_take_all(struct lines *lines, size_t *length)
{
    *length = text_length(lines_peek(lines, SIZE_MAX));
    join_rest(lines);
    char *all = lines->joined;
    lines->at = lines->end;
    lines->joined = NULL;
    lines->joined_size = 0;
    lines->is_joined = false;
    return all;
}

void lines_give(struct lines *lines, struct text text)
{
    lines->at = text.at;
    lines->end = lines->whole = text.end;
    while (lines->whole > lines->at && lines->whole[-1] != '\n')
        lines->whole--;
    lines->at_end = true;
    lines->is_joined = false;
}

bool lines_next(struct lines *lines, struct text *line)
{
    const size_t most = (size_t)LINES_MOST_MB << 20;
    const char *newline = memchr(lines->at, '\n', rest_length(lines));
    while (newline == NULL && !lines->at_end && rest_length(lines) <= most) {
        size_t searched = rest_length(lines);
        read_more(lines);
        newline = memchr(lines->at + searched, '\n', rest_length(lines) - searched);
    }
    line->at = lines->at;
    line->end = newline != NULL ? newline : lines->end;
    if (text_length(*line) > most)
        diag_error(lines->blocks.source->diag, lines->number + 1,
                   "found a line of more than %d MB, expected a shorter one", LINES_MOST_MB);
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
