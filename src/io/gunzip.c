#include "io/gunzip.h"

#include "util/file.h"
#include "util/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 6, BLOCK_SIZE = 128 * 1024 };

struct block {
    size_t length;
    unsigned char bytes[BLOCK_SIZE];
};

struct gunzip {
    /* Used by the decoding thread, until is_over */
    int fd;
    unsigned char head[GUNZIP_HEAD]; /* input before that of fd */
    size_t head_length;
    int error; /* why reading failed, an errno; 0: it did not */
    struct inflate inflate;

    /* Used by the reading thread */
    size_t taken; /* bytes of the current block */

    /* Used by both, under the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t filled, emptied; /* blocks so far; block n uses buffer n % BLOCKS */
    uint64_t input_taken; /* bytes of input so far, decoded or not */
    bool is_over, must_stop;
    struct block blocks[BLOCKS];

    pthread_t thread;
    struct waiting_place place; /* where it waits for input */
};

/* ---- the decoding thread ------------------------------------------------------------------ */

/* For inflate; 0 also if reading fails or the thread must stop */
static size_t read_input(void *context, unsigned char *bytes, size_t size)
{
    struct gunzip *g = context;
    ssize_t count = (ssize_t)g->head_length;
    if (count > 0) {
        memcpy(bytes, g->head, g->head_length);
        g->head_length = 0;
        return (size_t)count;
    }
    do {
        if (!waiting_place_enter(&g->place, g->fd))
            return 0;
        count = file_read(g->fd, bytes, size);
    } while (count < 0 && (errno == EINTR || errno == EAGAIN));
    if (count < 0) {
        g->error = errno;
        return 0;
    }
    pthread_mutex_lock(&g->lock);
    g->input_taken += (uint64_t)count;
    pthread_mutex_unlock(&g->lock);
    return (size_t)count;
}

/* Waits for a free block. Returns NULL if the thread must stop, or has nothing more to do. */
static struct block *get_free_block(struct gunzip *g)
{
    struct block *block = NULL;
    pthread_mutex_lock(&g->lock);
    while (g->filled - g->emptied == BLOCKS && !g->must_stop)
        pthread_cond_wait(&g->changed, &g->lock);
    if (!g->must_stop && !g->is_over)
        block = &g->blocks[g->filled % BLOCKS];
    pthread_mutex_unlock(&g->lock);
    return block;
}

static void *decode(void *argument)
{
    struct gunzip *g = argument;
    struct block *block = get_free_block(g);
    for (; block != NULL; block = get_free_block(g)) {
        block->length = inflate_read(&g->inflate, block->bytes, sizeof block->bytes);
        pthread_mutex_lock(&g->lock);
        g->filled += block->length > 0;
        g->is_over = block->length == 0;
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
    memcpy(g->head, head, head_length);
    g->head_length = g->input_taken = head_length;
    inflate_init(&g->inflate, read_input, g);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);

    int error = thread_start(&g->thread, decode, g);
    if (error == 0)
        return g;
    free_all(g);
    errno = error;
    return NULL;
}

bool gunzip_await(struct gunzip *g, bool waits)
{
    pthread_mutex_lock(&g->lock);
    while (waits && g->filled == g->emptied && !g->is_over && !g->must_stop)
        pthread_cond_wait(&g->changed, &g->lock);
    bool is_there = g->filled > g->emptied || g->is_over;
    pthread_mutex_unlock(&g->lock);
    return is_there;
}

ssize_t gunzip_read(struct gunzip *g, void *bytes, size_t length)
{
    gunzip_await(g, true);
    pthread_mutex_lock(&g->lock);
    const struct block *block = g->filled > g->emptied ? &g->blocks[g->emptied % BLOCKS] : NULL;
    pthread_mutex_unlock(&g->lock);
    if (block == NULL) {
        errno = g->error;
        return g->error != 0 ? -1 : 0;
    }
    size_t count = block->length - g->taken < length ? block->length - g->taken : length;
    memcpy(bytes, block->bytes + g->taken, count);
    g->taken += count;
    if (g->taken < block->length)
        return (ssize_t)count;
    g->taken = 0;
    pthread_mutex_lock(&g->lock);
    g->emptied++;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return (ssize_t)count;
}

enum inflate_result gunzip_end(const struct gunzip *g, const char **message)
{
    *message = g->inflate.message;
    return g->inflate.result;
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
