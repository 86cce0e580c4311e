/*
 * Decodes gzip files: RFC 1952, and within their members RFC 1951 (deflate). Compressed bytes are
 * handed in and decoded bytes are handed out in blocks of any sizes; nothing is allocated, and
 * neither time nor memory depends on anything but the number of bytes.
 *
 *     inflate_init(z);
 *     for (;;) {
 *         switch (inflate_run(z, &in, in_end, out, size, &produced)) {
 *         case INFLATE_NEEDS_INPUT: use what was produced; read on; at the end of the input
 *                                   inflate_finish(z) says whether it was a whole one
 *         case INFLATE_OUTPUT_FULL: use what was produced
 *         default:                  use what was produced; it is over, z->message says why
 *
 * A file is one or more members, each with a header, a checksum and a length, all of which are
 * verified; what they decode to is strung together.
 */
#ifndef CG2WG_UTIL_INFLATE_H
#define CG2WG_UTIL_INFLATE_H

#include "util/crc32.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum inflate_result {
    INFLATE_NEEDS_INPUT, /* all input was taken */
    INFLATE_OUTPUT_FULL, /* there is more to hand out */
    INFLATE_END,         /* the input ends where a member ends */

    /* All members are whole and verified; behind the last one there is something else. */
    INFLATE_PADDED,  /* zero bytes up to the end of the input */
    INFLATE_GARBAGE, /* anything but zero bytes or a member */

    /* Failures. What was handed out before is wrong, or may be. */
    INFLATE_NOT_GZIP,       /* the input starts with anything but a member */
    INFLATE_BAD_HEADER,     /* a member of an unknown kind, or whose header is damaged */
    INFLATE_DAMAGED,        /* the data follow no rule of deflate */
    INFLATE_WRONG_CHECKSUM, /* the decoded bytes of a member are not those that were compressed */
    INFLATE_WRONG_LENGTH,   /* the same, told by their number */
    /* The input ends within a member, or is empty: what was handed out is right, but not verified. */
    INFLATE_TRUNCATED
};

static inline bool inflate_is_failure(enum inflate_result result)
{
    return result >= INFLATE_NOT_GZIP;
}

enum {
    INFLATE_WINDOW = 32 * 1024, /* no match reaches further back */
    /*
     * Codes of up to so many bits are found at once. A longer one is in a table of its own, for all
     * codes that begin with the same bits. That has 2^b places for at least b + 1 codes, b being at
     * most 15 less the bits that found it: so at most 16 places for 5 literals or lengths (of 288),
     * and 128 for 8 distances (of 32).
     */
    INFLATE_LITERAL_BITS = 11,
    INFLATE_DISTANCE_BITS = 8,
    INFLATE_LITERAL_PLACES = (1 << INFLATE_LITERAL_BITS) + 288 * 16 / 5 + 1,
    INFLATE_DISTANCE_PLACES = (1 << INFLATE_DISTANCE_BITS) + 32 * 128 / 8,
    INFLATE_LENGTH_BITS = 7 /* of the codes that the codes' lengths are written in: all of them */
};

/* All of it but `message` is private. About 56 KB. */
struct inflate {
    const char *message; /* why it is over, in a few words; NULL as long as it goes on */
    enum inflate_result result; /* if there is a message */
    int step;

    /*
     * Input that was taken and not yet used: bit_count bits, at most 63, the first one in bit 0.
     * The bits above are 0.
     */
    uint64_t bits;
    unsigned bit_count;

    /* The member and its header */
    bool is_first_member;
    unsigned flags, header_left;
    uint32_t header_sum;
    uint32_t sum, size; /* of what was decoded, modulo 2^32 */

    /* The block */
    bool is_last_block;
    bool has_fixed_codes; /* what the tables hold */
    unsigned stored_left;
    unsigned literal_count, distance_count, length_count, lengths_read;
    unsigned char lengths[288 + 32]; /* of codes: literals and lengths, then distances */
    unsigned literal_bits, distance_bits, length_bits; /* that index each table */

    /* A match of which so many bytes are still to be handed out */
    unsigned match_left, match_distance;

    /* The last bytes of the member, as far as they were handed out by earlier calls: a ring */
    unsigned window_next, window_filled;

    uint32_t literal_table[INFLATE_LITERAL_PLACES];
    uint32_t distance_table[INFLATE_DISTANCE_PLACES];
    uint32_t length_table[1 << INFLATE_LENGTH_BITS];
    struct crc32 crc;
    unsigned char window[INFLATE_WINDOW];
};

/* Makes ready for a file. There is nothing to free. */
void inflate_init(struct inflate *z);

/*
 * Decodes: takes bytes from [*in, in_end), moving *in, and writes up to `size` bytes to `out`; sets
 * *produced to their number, whatever the result is. Both may be empty. The rest of `out` may have
 * been written to, too. Blocks of output from 64 KiB on are fast; `out` need not be the same one in
 * every call, nor stay as it is.
 *
 * INFLATE_NEEDS_INPUT: *in is in_end. INFLATE_OUTPUT_FULL: *produced is `size`. INFLATE_GARBAGE or
 * a failure: it is over; all further calls return the same. Others are not returned. (A file's end
 * is known only when its input ends, as another member may follow.)
 */
enum inflate_result inflate_run(struct inflate *z, const unsigned char **in,
                                const unsigned char *in_end, unsigned char *out, size_t size,
                                size_t *produced);

/*
 * What it means that the input ends here, to be called when inflate_run needs input and there is
 * none: INFLATE_END, INFLATE_PADDED, INFLATE_GARBAGE or a failure. It is over then.
 */
enum inflate_result inflate_finish(struct inflate *z);

#endif
