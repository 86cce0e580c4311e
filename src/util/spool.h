/*
 * Bytes that are written once, front to back, and then read anywhere. What is beyond a few megabytes
 * lies in a temporary file that has no name, so it is gone with the process.
 *
 * They are written in pieces, of which none crosses the border of a block: what is left of a block that
 * has no room for the next piece is filled with SPOOL_FILLER.
 */
#ifndef CG2WG_UTIL_SPOOL_H
#define CG2WG_UTIL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SPOOL_BLOCK
#define SPOOL_BLOCK (64 * 1024) /* tests take another */
#endif

enum {
    SPOOL_BLOCKS = 64,
    SPOOL_SETS = SPOOL_BLOCKS / 2,
    SPOOL_PIECE = 64, /* the most that is asked for at once */
    SPOOL_BEHIND = 8, /* bytes behind a block that may be read, too, whatever they are */
    SPOOL_FILLER = 0xff
};

/*
 * Block n of the spool has its place in one of two buffers, n % SPOOL_SETS and SPOOL_SETS behind that:
 * so two who read in turns, wherever they are, do not take each other's place.
 */
struct spool_block {
    uint64_t number;
    bool is_used;
    bool is_dirty; /* the file does not have it yet, or not all of it */
    unsigned char bytes[SPOOL_BLOCK + SPOOL_BEHIND];
};

struct spool {
    unsigned char *at, *limit; /* where the next piece goes, and the end of its block */
    uint64_t block;            /* ... its number */
    int fd;                    /* -1: everything is in memory */
    struct spool_block *blocks; /* SPOOL_BLOCKS of them */
    bool newer[SPOOL_SETS];     /* of a set's two buffers, which was asked for last */
};

/* An empty spool. Returns false when memory runs out. */
bool spool_init(struct spool *spool);
void spool_free(struct spool *spool);

/* Goes to the next block. Returns where it begins, or NULL, with errno. */
unsigned char *spool_next_block(struct spool *spool);

/*
 * Room for a piece of up to `size` bytes, at most SPOOL_PIECE; spool->at is to be set to where it ends.
 * Not to be called any more once something has been read. NULL, with errno, if the temporary file
 * cannot be made (in $TMPDIR, or /tmp) or written.
 */
static inline unsigned char *spool_room(struct spool *spool, size_t size)
{
    return (size_t)(spool->limit - spool->at) >= size ? spool->at : spool_next_block(spool);
}

/* Reads a block that is not in memory. Returns NULL, with errno, if that fails. */
const unsigned char *spool_load(struct spool *spool, uint64_t block);

/* The bytes of a block that was written to, until another is asked for; or NULL, with errno. */
static inline const unsigned char *spool_block(struct spool *spool, uint64_t block)
{
    size_t set = block % SPOOL_SETS;
    for (size_t i = 0; i < 2; i++) {
        const struct spool_block *buffer = &spool->blocks[set + i * SPOOL_SETS];
        if (buffer->is_used && buffer->number == block) {
            spool->newer[set] = i == 1;
            return buffer->bytes;
        }
    }
    return spool_load(spool, block);
}

#endif
