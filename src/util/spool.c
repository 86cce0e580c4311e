#include "util/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void begin_block(struct spool *spool, uint64_t number)
{
    struct spool_block *block = &spool->blocks[number % SPOOL_BLOCKS];
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
    begin_block(spool, 0);
    return true;
}

void spool_free(struct spool *spool)
{
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->blocks);
    *spool = (struct spool){.fd = -1};
}

static bool open_file(struct spool *spool)
{
    char path[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    if (snprintf(path, sizeof path, "%s/cg2wg-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    /* A signal must not end the process between the two, and leave the file behind. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    spool->fd = mkstemp(path);
    int error = errno;
    if (spool->fd >= 0)
        unlink(path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    if (spool->fd < 0)
        return false;
    fcntl(spool->fd, F_SETFD, FD_CLOEXEC);
    return true;
}

static bool write_block(struct spool *spool, struct spool_block *block)
{
    if (spool->fd < 0 && !open_file(spool))
        return false;
    size_t done = 0;
    while (done < SPOOL_BLOCK) {
        off_t at = (off_t)(block->number * SPOOL_BLOCK + done);
        ssize_t count = pwrite(spool->fd, block->bytes + done, SPOOL_BLOCK - done, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    block->is_dirty = false;
    return true;
}

static bool read_block(struct spool *spool, struct spool_block *block, uint64_t number)
{
    size_t done = 0;
    while (done < SPOOL_BLOCK) {
        off_t at = (off_t)(number * SPOOL_BLOCK + done);
        ssize_t count = pread(spool->fd, block->bytes + done, SPOOL_BLOCK - done, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        if (count == 0)
            break; /* the last block may not be full */
        done += (size_t)count;
    }
    block->number = number;
    block->is_used = true;
    return true;
}

unsigned char *spool_next_block(struct spool *spool)
{
    uint64_t next = spool->block + 1;
    struct spool_block *block = &spool->blocks[next % SPOOL_BLOCKS];
    memset(spool->at, SPOOL_FILLER, (size_t)(spool->limit - spool->at));
    spool->at = spool->limit;
    if (block->is_dirty && !write_block(spool, block))
        return NULL;
    begin_block(spool, next);
    return spool->at;
}

const unsigned char *spool_load(struct spool *spool, uint64_t number)
{
    struct spool_block *block = &spool->blocks[number % SPOOL_BLOCKS];
    if (block->is_dirty && !write_block(spool, block))
        return NULL;
    block->is_used = false;
    return read_block(spool, block, number) ? block->bytes : NULL;
}
