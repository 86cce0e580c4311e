#include "io/gunzip.h"

#include "util/file.h"
#include "util/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4, BLOCK_SIZE = 256 * 1024, INPUT_SIZE = 64 * 1024 };

struct block {
    size_t length;
    unsigned char bytes[BLOCK_SIZE];
};

struct gunzip {
    /* Used by the decoding thread */
    int fd;
    struct inflate inflate;
    const unsigned char *next, *end; /* input that is not yet decoded */
    unsigned char input[INPUT_SIZE];
    bool input_ended;

    /* Used by the reading thread */
    size_t taken; /* bytes of the current block */

    /* Used by both, under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t filled, emptied; /* blocks so far; block n uses buffer n % BLOCKS */
    uint64_t input_taken; /* bytes of input so far, decoded or not */
    bool is_over, must_stop;
    struct block blocks[BLOCKS];

    /* Of the decoding thread, until is_over */
    enum inflate_result result;
    int error; /* why reading failed, an errno; 0: it did not */

    pthread_t thread;
    struct waiting_place place; /* where it waits for input */
};

/* ---- the decoding thread ------------------------------------------------------------------ */

/* Returns false if reading fails or the thread must stop. */
static bool read_input(struct gunzip *g)
{
    ssize_t count;
    do {
        if (!waiting_place_enter(&g->place, g->fd))
            return false;
        count = file_read(g->fd, g->input, sizeof g->input);
    } while (count < 0 && (errno == EINTR || errno == EAGAIN));
    if (count < 0) {
        g->error = errno;
        return false;
    }
    g->next = g->input;
    g->end = g->input + count;
    g->input_ended = count == 0;
    pthread_mutex_lock(&g->lock);
    g->input_taken += (uint64_t)count;
    pthread_mutex_unlock(&g->lock);
    return true;
}

/* Fills a block. Returns true if there is more. Otherwise result and error say why not. */
static bool fill_block(struct gunzip *g, struct block *block)
{
    block->length = 0;
    for (;;) {
        size_t produced;
        g->result = inflate_run(&g->inflate, &g->next, g->end, block->bytes + block->length,
                                sizeof block->bytes - block->length, &produced);
        block->length += produced;
        if (g->result != INFLATE_NEEDS_INPUT)
            return g->result == INFLATE_OUTPUT_FULL;
        if (g->input_ended) {
            g->result = inflate_finish(&g->inflate);
            return false;
        }
        if (!read_input(g))
            return false;
    }
}

/* Waits for a free block. Returns NULL if the thread must stop. */
static struct block *get_free_block(struct gunzip *g)
{
    struct block *block = NULL;
    pthread_mutex_lock(&g->lock);
    while (g->filled - g->emptied == BLOCKS && !g->must_stop)
        pthread_cond_wait(&g->changed, &g->lock);
    if (!g->must_stop)
        block = &g->blocks[g->filled % BLOCKS];
    pthread_mutex_unlock(&g->lock);
    return block;
}

static void *decode(void *argument)
{
    struct gunzip *g = argument;
    struct block *block;
    bool goes_on = true;
    while (goes_on && (block = get_free_block(g)) != NULL) {
        goes_on = fill_block(g, block);
        pthread_mutex_lock(&g->lock);
        g->filled += block->length > 0;
        g->is_over = !goes_on;
        pthread_cond_broadcast(&g->changed);
        pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

/* ---- the reading thread ------------------------------------------------------------------- */

static void free_all(struct gunzip *g)
{
    waiting_place_close(&g->place);
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

struct gunzip *gunzip_start(int fd, const unsigned char *head, size_t head_length)
{
    struct gunzip *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    if (!waiting_place_open(&g->place)) {
        free(g);
        return NULL;
    }
    g->fd = fd;
    memcpy(g->input, head, head_length);
    g->next = g->input;
    g->end = g->input + head_length;
    g->input_taken = head_length;
    inflate_init(&g->inflate);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);

    int error = thread_start(&g->thread, decode, g);
    if (error == 0)
        return g;
    free_all(g);
    errno = error;
    return NULL;
}

/* Is there a block, or the end (*block: NULL)? `waits`: waits for one. */
static bool get_filled_block(struct gunzip *g, bool waits, const struct block **block)
{
    pthread_mutex_lock(&g->lock);
    while (waits && g->filled == g->emptied && !g->is_over && !g->must_stop)
        pthread_cond_wait(&g->changed, &g->lock);
    *block = g->filled > g->emptied ? &g->blocks[g->emptied % BLOCKS] : NULL;
    bool is_there = *block != NULL || g->is_over;
    pthread_mutex_unlock(&g->lock);
    return is_there;
}

static void free_block(struct gunzip *g)
{
    pthread_mutex_lock(&g->lock);
    g->emptied++;
    g->taken = 0;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

bool gunzip_await(struct gunzip *g, bool waits)
{
    const struct block *block;
    return get_filled_block(g, waits, &block);
}

ssize_t gunzip_read(struct gunzip *g, void *bytes, size_t length)
{
    const struct block *block;
    get_filled_block(g, true, &block);
    if (block == NULL) {
        errno = g->error;
        return g->error != 0 ? -1 : 0;
    }
    size_t count = block->length - g->taken;
    if (count > length)
        count = length;
    memcpy(bytes, block->bytes + g->taken, count);
    g->taken += count;
    if (g->taken == block->length)
        free_block(g);
    return (ssize_t)count;
}

enum inflate_result gunzip_end(const struct gunzip *g, const char **message)
{
    *message = g->inflate.message;
    return g->result;
}

uint64_t gunzip_taken(struct gunzip *g)
{
    pthread_mutex_lock(&g->lock);
    uint64_t taken = g->input_taken;
    pthread_mutex_unlock(&g->lock);
    return taken;
}

void gunzip_call_off(struct gunzip *g)
{
    pthread_mutex_lock(&g->lock);
    g->must_stop = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void gunzip_stop(struct gunzip *g)
{
    if (g == NULL)
        return;
    gunzip_call_off(g);
    waiting_place_join(&g->place, g->thread);
    free_all(g);
}
