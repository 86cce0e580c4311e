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
    int read_error; /* an errno; 0: none */

    /* Used by the reading thread */
    size_t taken; /* bytes of the current block */

    /* Used by both, under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t filled, emptied; /* blocks so far; block n uses buffer n % BLOCKS */
    uint64_t input_taken; /* bytes of input so far, decoded or not */
    bool is_over, must_stop;
    enum inflate_result result;
    int error;           /* why reading failed, an errno; 0: it did not */
    const char *message; /* why decoding failed; NULL: it did not, or the input is truncated */
    struct block blocks[BLOCKS];

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
        g->read_error = errno;
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

/* Fills a block. Returns true if there is more. Otherwise *result and read_error say why not. */
static bool fill_block(struct gunzip *g, struct block *block, enum inflate_result *result)
{
    block->length = 0;
    for (;;) {
        size_t produced;
        *result = inflate_run(&g->inflate, &g->next, g->end, block->bytes + block->length,
                              sizeof block->bytes - block->length, &produced);
        block->length += produced;
        if (*result == INFLATE_OUTPUT_FULL)
            return true;
        if (*result == INFLATE_NEEDS_INPUT && !g->input_ended) {
            if (!read_input(g))
                return false;
            continue;
        }
        if (*result == INFLATE_NEEDS_INPUT)
            *result = inflate_finish(&g->inflate);
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
    bool goes_on = true;
    while (goes_on) {
        enum inflate_result result;
        struct block *block = get_free_block(g);
        if (block == NULL)
            break;
        goes_on = fill_block(g, block, &result);
        pthread_mutex_lock(&g->lock);
        g->filled++;
        if (!goes_on) {
            g->is_over = true;
            g->result = result;
            g->error = g->read_error;
            bool failed = inflate_is_failure(result) && result != INFLATE_TRUNCATED;
            g->message = failed ? g->inflate.message : NULL;
        }
        pthread_cond_broadcast(&g->changed);
        pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

/* ---- the reading thread ------------------------------------------------------------------- */

struct gunzip *gunzip_start(int fd, const unsigned char *head, size_t head_length)
{
    struct gunzip *g = malloc(sizeof *g);
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
    g->input_ended = false;
    g->input_taken = head_length;
    g->read_error = 0;
    g->taken = g->filled = g->emptied = 0;
    g->is_over = g->must_stop = false;
    inflate_init(&g->inflate);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);

    int error = thread_start(&g->thread, decode, g);
    if (error != 0) {
        pthread_cond_destroy(&g->changed);
        pthread_mutex_destroy(&g->lock);
        waiting_place_close(&g->place);
        free(g);
        errno = error;
        return NULL;
    }
    return g;
}

/* Gets the next block; `waits`: waits for it. Returns NULL if there is none. */
static const struct block *get_filled_block(struct gunzip *g, bool waits)
{
    const struct block *block = NULL;
    pthread_mutex_lock(&g->lock);
    while (waits && g->filled == g->emptied && !g->is_over && !g->must_stop)
        pthread_cond_wait(&g->changed, &g->lock);
    if (g->filled > g->emptied)
        block = &g->blocks[g->emptied % BLOCKS];
    pthread_mutex_unlock(&g->lock);
    return block;
}

static void free_block(struct gunzip *g)
{
    pthread_mutex_lock(&g->lock);
    g->emptied++;
    g->taken = 0;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

/* The same, but not one whose bytes have all been taken. */
static const struct block *get_bytes(struct gunzip *g, bool waits)
{
    const struct block *block;
    while ((block = get_filled_block(g, waits)) != NULL && g->taken == block->length)
        free_block(g);
    return block;
}

static bool has_ended(struct gunzip *g)
{
    pthread_mutex_lock(&g->lock);
    bool ended = g->is_over;
    pthread_mutex_unlock(&g->lock);
    return ended;
}

bool gunzip_await(struct gunzip *g, bool waits)
{
    return get_bytes(g, waits) != NULL || has_ended(g);
}

ssize_t gunzip_read(struct gunzip *g, void *bytes, size_t length, enum inflate_result *result,
                    const char **message)
{
    const struct block *block = get_bytes(g, true);
    if (block == NULL) {
        *result = g->result;
        *message = g->message;
        errno = g->error;
        return g->message != NULL || g->error != 0 ? -1 : 0;
    }
    size_t count = block->length - g->taken;
    if (count > length)
        count = length;
    memcpy(bytes, block->bytes + g->taken, count);
    g->taken += count;
    return (ssize_t)count;
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
    waiting_place_close(&g->place);
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    free(g);
}
