#include "io/blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH_THREADS = 4,
    FIRST_BLOCK = 256 * 1024 /* the most of the first read, so that other threads can soon take part */
};

void blocks_init(struct blocks *b, struct source *source, size_t size)
{
    *b = (struct blocks){.source = source, .size = size, .slot_count = 1};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
}

static char *start_of(const struct block *block)
{
    return block->memory + BLOCKS_HEADROOM;
}

/* Fills a block, up to `most` bytes. A pipe returns little at a time, so half of that is enough. Can more follow? */
static bool fill(struct blocks *b, struct block *block, size_t most)
{
    size_t count = 1;
    block->length = 0;
    block->is_prepared = false;
    if (block->memory == NULL)
        block->memory = malloc(BLOCKS_HEADROOM + b->size + BLOCKS_SLACK);
    block->lacks_memory = block->memory == NULL;
    if (block->lacks_memory)
        return false;
    while (count > 0 && block->length < most / 2 + 1) {
        count = source_read(b->source, start_of(block) + block->length, most - block->length);
        block->length += count;
    }
    memset(start_of(block) + block->length, 0, BLOCKS_SLACK);
    return count > 0;
}

/* ---- several threads ---------------------------------------------------------------------- */

/* Can the next block be filled now? */
static bool has_work(const struct blocks *b)
{
    return !b->is_being_read && !b->at_end && b->filled < b->released + b->slot_count;
}

/* Fills and prepares the next block. Enter and leave it with the lock. */
static void work(struct blocks *b)
{
    unsigned slot = (unsigned)(b->filled++ % b->slot_count);
    struct block *block = &b->slots[slot];
    b->is_being_read = true;
    pthread_mutex_unlock(&b->lock);
    fill(b, block, b->size);
    pthread_mutex_lock(&b->lock);
    b->is_being_read = false;
    b->at_end = block->length == 0;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (b->prepare != NULL && block->length > 0) {
        block->is_prepared = b->prepare(b->context, slot, text_of(start_of(block), block->length));
        block->lacks_memory = !block->is_prepared;
    }
    pthread_mutex_lock(&b->lock);
    block->is_ready = true;
    pthread_cond_broadcast(&b->changed);
}

/* A thread that fills blocks ahead of the calling one. */
static void *help(void *context)
{
    struct blocks *b = context;
    pthread_mutex_lock(&b->lock);
    while (!b->is_over && !b->at_end) {
        if (has_work(b))
            work(b);
        else
            pthread_cond_wait(&b->changed, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

void blocks_start(struct blocks *b, unsigned wanted, blocks_prepare *prepare, void *context)
{
    if (b->helper_count > 0 || b->at_end)
        return;
    /* Reading alone takes so long that more than a few threads have no work. */
    unsigned most = prepare == NULL ? 2 : wanted == 0 ? ENOUGH_THREADS : BLOCKS_MAX_THREADS;
    unsigned threads = wanted == 0 ? thread_cores() : wanted;
    threads = threads < most ? threads : most;
    if (threads < 2 || !waiting_place_open(&b->place))
        return;
    b->prepare = prepare;
    b->context = context;
    b->slot_count = BLOCKS_AHEAD * (threads - 1) + 2;
    b->source->place = &b->place;
    while (b->helper_count < threads - 1 && thread_start(&b->helpers[b->helper_count], help, b) == 0)
        b->helper_count++;
    if (b->helper_count == 0) {
        b->source->place = NULL;
        waiting_place_close(&b->place);
    }
}

/* ---- taking ------------------------------------------------------------------------------- */

static void move_rest(const struct block *to, struct text *rest)
{
    size_t length = text_length(*rest);
    if (to->memory == NULL)
        return;
    if (length > 0)
        memmove(start_of(to) - length, rest->at, length);
    *rest = (struct text){start_of(to) - length, start_of(to)};
}

/*
 * While it waits for the next block, this thread works itself. It does not read what it might have to wait for,
 * because blocks that come before could then not be taken.
 */
struct text blocks_next(struct blocks *b, struct text *rest)
{
    bool is_first = b->current == NULL, is_alone = b->helper_count == 0;
    struct block *next = &b->slots[is_alone ? 0 : (b->released + !is_first) % b->slot_count];
    if (is_alone) {
        move_rest(next, rest);
        b->at_end = !fill(b, next, is_first && b->size > FIRST_BLOCK ? FIRST_BLOCK : b->size);
        b->filled = 1;
    }
    pthread_mutex_lock(&b->lock);
    while (!is_alone && !next->is_ready) {
        if (!b->source->is_slow && has_work(b))
            work(b);
        else
            pthread_cond_wait(&b->changed, &b->lock);
    }
    move_rest(next, rest);
    next->is_ready = false;
    b->released += !is_alone && !is_first;
    b->current = next;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (next->lacks_memory)
        run_out_of_memory();
    return text_of(start_of(next), next->length);
}

void blocks_stop(struct blocks *b)
{
    if (b->helper_count == 0)
        return;
    pthread_mutex_lock(&b->lock);
    b->is_over = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    for (unsigned i = 0; i < b->helper_count; i++)
        waiting_place_join(&b->place, b->helpers[i]);
    waiting_place_close(&b->place);
    b->source->place = NULL;
    b->helper_count = 0;
}

void blocks_free(struct blocks *b)
{
    blocks_stop(b);
    for (unsigned i = 0; i < b->slot_count; i++)
        free(b->slots[i].memory);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
}
