#include "util/spool.h"

#include "util/file.h"
#include "util/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the two buffers for a block, the one that was not used last, and is from now on. */
static struct spool_block *choose_buffer(struct spool *spool, uint64_t number)
{
    size_t set = number % SPOOL_SETS;
    spool->newer[set] = !spool->newer[set];
    return &spool->blocks[set + (spool->newer[set] ? SPOOL_SETS : 0)];
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
    spool->blocks = malloc(SPOOL_BLOCKS * sizeof *spool->blocks);
    if (spool->blocks == NULL)
        return false;
    for (size_t i = 0; i < SPOOL_BLOCKS; i++)
        spool->blocks[i].is_used = spool->blocks[i].is_dirty = false;
    begin_block(spool, choose_buffer(spool, 0), 0);
    return true;
}

void spool_free(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->blocks);
    *spool = (struct spool){.fd = -1};
}

static bool write_bytes(const struct spool *spool, const struct spool_block *block)
{
    size_t done = 0;
    while (done < SPOOL_BLOCK) {
        uint64_t at = block->number * SPOOL_BLOCK + done;
        ssize_t count = file_write_at(spool->fd, block->bytes + done, SPOOL_BLOCK - done, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
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
    block->is_dirty = !write_bytes(spool, block);
    signals_release(&held);
    return !block->is_dirty;
}

static bool read_block(struct spool *spool, struct spool_block *block, uint64_t number)
{
    size_t done = 0;
    while (done < SPOOL_BLOCK) {
        uint64_t at = number * SPOOL_BLOCK + done;
        ssize_t count = file_read_at(spool->fd, block->bytes + done, SPOOL_BLOCK - done, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    block->number = number;
    block->is_used = true;
    return true;
}

unsigned char *spool_next_block(struct spool *spool)
{
    uint64_t next = spool->block + 1;
    struct spool_block *block = choose_buffer(spool, next);
    memset(spool->at, SPOOL_FILLER, (size_t)(spool->limit - spool->at));
    spool->at = spool->limit;
    if (block->is_dirty && !write_block(spool, block))
        return NULL;
    begin_block(spool, block, next);
    return spool->at;
}

const unsigned char *spool_load(struct spool *spool, uint64_t number)
{
    struct spool_block *block = choose_buffer(spool, number);
    if (block->is_dirty && !write_block(spool, block))
        return NULL;
    block->is_used = false;
    return read_block(spool, block, number) ? block->bytes : NULL;
}
