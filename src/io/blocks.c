#include "io/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { ENOUGH_THREADS = 4 };

void blocks_init(struct blocks *b, struct source *source, size_t size)
{
    *b = (struct blocks){.source = source, .size = size, .slot_count = 1};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    for (unsigned i = 0; i < BLOCKS_MAX_SLOTS; i++)
        b->slots[i].blocks = b;
}

static char *start_of(const struct block *block)
{
    return block->memory + BLOCKS_HEADROOM;
}

/*
 * Fills a block, up to `most` bytes. A pipe returns little at a time, so half of that is enough. Returns whether
 * more may follow.
 */
static bool fill(struct block *block, size_t most)
{
    struct source *source = block->blocks->source;
    size_t count = 1;
    block->length = 0;
    block->is_prepared = false;
    if (block->memory == NULL)
        block->memory = malloc(BLOCKS_HEADROOM + block->blocks->size + BLOCKS_SLACK);
    block->lacks_memory = block->memory == NULL;
    if (block->lacks_memory)
        return false;
    while (count > 0 && block->length < most / 2 + 1) {
        count = source_read(source, start_of(block) + block->length, most - block->length);
        block->length += count;
    }
    memset(start_of(block) + block->length, 0, BLOCKS_SLACK);
    return count > 0;
}

/* ---- several threads ---------------------------------------------------------------------- */

static struct block *find(struct blocks *b, int state)
{
    for (unsigned i = 0; i < b->slot_count; i++)
        if ((int)b->slots[i].state == state && (state == BLOCK_FREE || b->slots[i].turn == b->taken))
            return &b->slots[i];
    return NULL;
}

/* Can the next block be filled now? Then returns where. */
static struct block *find_work(struct blocks *b)
{
    return b->is_being_read || b->at_end ? NULL : find(b, BLOCK_FREE);
}

/* Fills and prepares a block. Enter and leave it with the lock. */
static void work(struct blocks *b, struct block *block)
{
    block->state = BLOCK_IN_WORK;
    block->turn = b->filled++;
    b->is_being_read = true;
    pthread_mutex_unlock(&b->lock);
    fill(block, b->size);
    pthread_mutex_lock(&b->lock);
    b->is_being_read = false;
    b->at_end = block->length == 0;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (b->prepare != NULL && block->length > 0) {
        block->is_prepared = b->prepare(b->context, (unsigned)(block - b->slots),
                                        text_of(start_of(block), block->length));
        block->lacks_memory = !block->is_prepared;
    }
    pthread_mutex_lock(&b->lock);
    block->state = BLOCK_READY;
    pthread_cond_broadcast(&b->changed);
}

/* A thread that fills blocks ahead of the calling one. */
static void *help(void *context)
{
    struct blocks *b = context;
    struct block *block;
    pthread_mutex_lock(&b->lock);
    while (!b->is_over && !b->at_end) {
        if ((block = find_work(b)) != NULL)
            work(b, block);
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
    if (b->helper_count > 0)
        return;
    b->source->place = NULL;
    waiting_place_close(&b->place);
    b->slot_count = 1;
}

/*
 * Waits for the next block, and meanwhile works itself. It does not read what it might have to wait for,
 * because blocks that come before could then not be taken.
 */
static struct block *wait_for_next(struct blocks *b)
{
    struct block *next;
    pthread_mutex_lock(&b->lock);
    while ((next = find(b, BLOCK_READY)) == NULL) {
        struct block *free_block = b->source->is_slow ? NULL : find_work(b);
        if (free_block != NULL)
            work(b, free_block);
        else
            pthread_cond_wait(&b->changed, &b->lock);
    }
    next->state = BLOCK_TAKEN;
    b->taken++;
    pthread_mutex_unlock(&b->lock);
    return next;
}

/* ---- taking ------------------------------------------------------------------------------- */

static void move_rest(struct block *to, struct text *rest)
{
    size_t length = text_length(*rest);
    if (length > 0)
        memmove(start_of(to) - length, rest->at, length);
    *rest = (struct text){start_of(to) - length, start_of(to)};
}

struct text blocks_next(struct blocks *b, size_t most, struct text *rest)
{
    struct block *before = b->current;
    if (b->helper_count > 0) {
        b->current = wait_for_next(b);
    } else {
        b->current = &b->slots[0];
        if (before != NULL)
            move_rest(b->current, rest);
        b->at_end = !fill(b->current, most < b->size ? most : b->size);
        b->current->state = BLOCK_TAKEN;
    }
    if (b->current->lacks_memory)
        run_out_of_memory();
    if (b->current != before)
        move_rest(b->current, rest);
    if (before != NULL && before != b->current) {
        pthread_mutex_lock(&b->lock);
        before->state = BLOCK_FREE;
        pthread_cond_broadcast(&b->changed);
        pthread_mutex_unlock(&b->lock);
    }
    return text_of(start_of(b->current), b->current->length);
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
