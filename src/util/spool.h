/*
 * Bytes that are written once, from front to back, and then read anywhere. Beyond a few megabytes
 * they are in a temporary file without a name, which disappears with the process.
 *
 * They are written in pieces, and no piece crosses the border of a block: if a block has no room
 * for the next piece, SPOOL_FILLER fills its rest.
 */
#ifndef CG2WG_UTIL_SPOOL_H
#define CG2WG_UTIL_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SPOOL_BLOCK
#define SPOOL_BLOCK (256 * 1024) /* tests redefine it */
#endif

enum {
    SPOOL_BLOCKS = 16, /* are in memory */
    SPOOL_PIECE = 64,  /* the most that a call asks for */
    SPOOL_WINDOWS = 256,
    SPOOL_WINDOW = 512, /* bytes */
    SPOOL_FILLER = 0xff
};

/* Block n of the spool belongs to buffer n % SPOOL_BLOCKS. */
struct spool_block {
    uint64_t number;
    bool is_used;
    bool is_dirty; /* the file does not yet contain all of it */
    unsigned char bytes[SPOOL_BLOCK];
};

/* Bytes of a block that is not in memory. */
struct spool_window {
    uint64_t start, end;
    unsigned char bytes[SPOOL_WINDOW];
};

struct spool {
    unsigned char *at, *limit; /* where the next piece goes, and the end of its block */
    uint64_t block;            /* ... its number */
    int fd;                    /* -1: everything is in memory */
    struct spool_block *blocks; /* SPOOL_BLOCKS of them */
    struct spool_window *windows; /* SPOOL_WINDOWS of them */
};

/* Makes an empty spool. Returns false when memory runs out. */
bool spool_init(struct spool *spool);
void spool_free(struct spool *spool);

/* Goes to the next block. Returns its start, or NULL, with errno. */
unsigned char *spool_next_block(struct spool *spool);

/*
 * Room for a piece of up to `size` bytes, at most SPOOL_PIECE; the caller sets spool->at to its
 * end. Must not be called after the first read. NULL, with errno, if the temporary file (in
 * $TMPDIR, or /tmp) cannot be created or written.
 */
static inline unsigned char *spool_room(struct spool *spool, size_t size)
{
    return (size_t)(spool->limit - spool->at) >= size ? spool->at : spool_next_block(spool);
}

/* How many bytes there are before spool->at, fillers included. */
static inline uint64_t spool_position(const struct spool *spool)
{
    return (spool->block + 1) * SPOOL_BLOCK - (uint64_t)(spool->limit - spool->at);
}

/* Reads a block that is not in memory. Returns NULL, with errno, if that fails. */
const unsigned char *spool_load(struct spool *spool, uint64_t block);

/*
 * The bytes of a block that was written, or NULL, with errno. They are valid until another block is
 * requested; spool_before does not request any.
 */
static inline const unsigned char *spool_block(struct spool *spool, uint64_t block)
{
    const struct spool_block *buffer = &spool->blocks[block % SPOOL_BLOCKS];
    return buffer->is_used && buffer->number == block ? buffer->bytes : spool_load(spool, block);
}

/*
 * For those who need little from anywhere: the end of a piece that ends at this position, and the bytes
 * before it, up to SPOOL_PIECE and in the same block. They are valid until the next call; NULL, with
 * errno, if they cannot be read. Whoever reads backwards from one place, while others read elsewhere,
 * asks as the same `reader`, any number.
 */
const unsigned char *spool_before(struct spool *spool, uint64_t position, uint32_t reader);

#endif
