#include "util/spool.h"

#include "util/file.h"
#include "util/signals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct spool_block *buffer_of(struct spool *spool, uint64_t number)
{
    return &spool->blocks[number % SPOOL_BLOCKS];
}

static void begin_block(struct spool *spool, struct spool_block *block, uint64_t number)
{
    block->number = number;
    block->is_used = block->is_dirty = true;
    spool->block = number;
    spool->at = block->bytes;
    spool->limit = block->bytes + SPOOL_BLOCK;
}

bool spool_init(struct spool *spool)
{
    *spool = (struct spool){.fd = -1};
    spool->blocks = calloc(SPOOL_BLOCKS, sizeof *spool->blocks);
    spool->windows = calloc(SPOOL_WINDOWS, sizeof *spool->windows);
    if (spool->blocks == NULL || spool->windows == NULL) {
        spool_free(spool);
        return false;
    }
    begin_block(spool, buffer_of(spool, 0), 0);
    return true;
}

void spool_free(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->blocks);
    free(spool->windows);
    *spool = (struct spool){.fd = -1};
}

/* A file that grows too large is an error like others, because the signal is blocked. */
static bool write_block(struct spool *spool, struct spool_block *block)
{
    struct held_signals held;
    if (spool->fd < 0)
        spool->fd = file_create_unnamed();
    if (spool->fd < 0)
        return false;
    signals_hold_own(&held);
    block->is_dirty = !file_write_all_at(spool->fd, block->bytes, SPOOL_BLOCK,
                                         block->number * SPOOL_BLOCK);
    signals_release(&held);
    return !block->is_dirty;
}

unsigned char *spool_next_block(struct spool *spool)
{
    uint64_t next = spool->block + 1;
    struct spool_block *block = buffer_of(spool, next);
    memset(spool->at, SPOOL_FILLER, (size_t)(spool->limit - spool->at));
    spool->at = spool->limit;
    if (block->is_dirty && !write_block(spool, block))
        return NULL;
    begin_block(spool, block, next);
    return spool->at;
}

const unsigned char *spool_load(struct spool *spool, uint64_t number)
{
    struct spool_block *block = buffer_of(spool, number);
    if (block->is_dirty && !write_block(spool, block))
        return NULL;
    block->number = number;
    block->is_used = file_read_all_at(spool->fd, block->bytes, SPOOL_BLOCK, number * SPOOL_BLOCK);
    return block->is_used ? block->bytes : NULL;
}

const unsigned char *spool_before(struct spool *spool, uint64_t position, uint32_t reader)
{
    uint64_t number = (position - 1) / SPOOL_BLOCK;
    size_t place = (size_t)(position - number * SPOOL_BLOCK);
    size_t piece = place < SPOOL_PIECE ? place : SPOOL_PIECE, size = place < SPOOL_WINDOW ? place : SPOOL_WINDOW;
    const struct spool_block *block = buffer_of(spool, number);
    struct spool_window *window = &spool->windows[reader % SPOOL_WINDOWS];
    if (block->is_used && block->number == number)
        return block->bytes + place;
    if (position > window->end || position - piece < window->start) {
        window->start = position - size;
        window->end = 0; /* it is empty if the file cannot be read */
        if (!file_read_all_at(spool->fd, window->bytes, size, window->start))
            return NULL;
        window->end = position;
    }
    return window->bytes + (position - window->start);
}
