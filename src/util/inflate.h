/* SPDX-License-Identifier: MIT */
/*
 * Decodes gzip files: RFC 1952, and within their members RFC 1951 (deflate). A file is one or more
 * members, each with a header, a checksum and a length, all of which are verified. The result is their
 * decoded bytes, concatenated. It allocates nothing, and its time depends only on the number of bytes.
 */
#ifndef CG2WG_UTIL_INFLATE_H
#define CG2WG_UTIL_INFLATE_H

#include "util/crc32.h"

/* Why decoding has ended */
enum inflate_result {
    INFLATE_GOES_ON,   /* it has not */
    INFLATE_END,       /* all members are complete; at most zero bytes follow the last one */
    INFLATE_GARBAGE,   /* all members are complete; other data follow the last one */
    INFLATE_TRUNCATED, /* the input ends inside a member, or is empty; its bytes are not verified */
    INFLATE_DAMAGED    /* `message` says how; what was decoded is wrong, or may be */
};

/* No match reaches further back. Codes of up to this many bits, of at most 15, are found in one step. */
enum { INFLATE_WINDOW = 32 * 1024, INFLATE_ROOT = 10 };

/* Stores up to `size` bytes and returns their number; 0 at the end, or if reading fails. */
typedef size_t inflate_input(void *context, unsigned char *bytes, size_t size);

/* Everything except `result` and `message` is private. About 260 KB. */
struct inflate {
    enum inflate_result result;
    const char *message; /* a few words */

    inflate_input *more;
    void *context;
    unsigned char *in, *in_end;
    uint64_t bits; /* input before `in`: bit_count bits, at most 63, the first one in bit 0, then zeros */
    unsigned bit_count, stored_left;
    bool input_ended, is_first_member, is_last_block, has_fixed_codes;
    enum { BEFORE_BLOCK, IN_STORED, IN_CODES } step;
    uint32_t sum, size; /* of the member's bytes before `summed`, modulo 2^32 */
    unsigned char *out, *summed;
    unsigned char *start;      /* of the member, or of its part that is in `window` */
    const unsigned char *next; /* what inflate_read returns next, up to `out` */

    /* Longer codes have tables for their rests; at least two of them begin with the same bits. */
    uint32_t literals[(1 << INFLATE_ROOT) + (288 / 2 << (15 - INFLATE_ROOT))];
    uint32_t distances[(1 << INFLATE_ROOT) + (32 / 2 << (15 - INFLATE_ROOT))];
    struct crc32 crc;
    unsigned char input[64 * 1024];
    unsigned char window[INFLATE_WINDOW + 128 * 1024];
};

/* Prepares for a file. There is nothing to free. */
void inflate_init(struct inflate *z, inflate_input *more, void *context);

/* Takes up to `size` decoded bytes. Returns their number; 0 if there are no more: see z->result. */
size_t inflate_read(struct inflate *z, unsigned char *bytes, size_t size);

#endif
