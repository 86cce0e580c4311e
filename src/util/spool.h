/*
 * Bytes that are written once, front to back, and then read anywhere. What is beyond a few megabytes
 * lies in a temporary file that has no name, so it is gone with the process.
 */
#ifndef CG2WG_UTIL_SPOOL_H
#define CG2WG_UTIL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPOOL_BLOCK = 64 * 1024, SPOOL_BLOCKS = 64 };

struct spool {
    uint64_t size;
    int fd;                     /* -1: everything is in memory */
    struct spool_block *blocks; /* SPOOL_BLOCKS of them */
};

/* An empty spool. Returns false when memory runs out. */
bool spool_init(struct spool *spool);
void spool_free(struct spool *spool);

/*
 * Appends bytes; not to be called any more once something has been read. Returns false, with errno,
 * if the temporary file cannot be made (in $TMPDIR, or /tmp) or written.
 */
bool spool_append(struct spool *spool, const void *bytes, size_t length);

/* Forgets what was appended last, so that only `size` bytes remain. */
static inline void spool_truncate(struct spool *spool, uint64_t size)
{
    spool->size = size;
}

/* Reads [offset, offset + length), which must have been written. Returns false, with errno. */
bool spool_read(struct spool *spool, uint64_t offset, void *bytes, size_t length);

#endif
