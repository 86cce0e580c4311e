/*
 * Decodes gzip files: RFC 1952, and within their members RFC 1951 (deflate). It takes compressed
 * bytes and returns decoded bytes in blocks of any size. It allocates nothing, and its time depends
 * only on the number of bytes.
 *
 *     inflate_init(z);
 *     for (;;) {
 *         switch (inflate_run(z, &in, in_end, out, size, &produced)) {
 *         case INFLATE_NEEDS_INPUT: use what was produced; read on; at the end of the input
 *                                   inflate_finish(z) says whether it was complete
 *         case INFLATE_OUTPUT_FULL: use what was produced
 *         default:                  use what was produced; decoding has ended, z->message says why
 *
 * A file is one or more members, each with a header, a checksum and a length, all of which are
 * verified. The result is their decoded bytes, concatenated.
 */
#ifndef CG2WG_UTIL_INFLATE_H
#define CG2WG_UTIL_INFLATE_H

#include "util/crc32.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum inflate_result {
    INFLATE_NEEDS_INPUT, /* all input has been taken */
    INFLATE_OUTPUT_FULL, /* there is more output */
    INFLATE_END,         /* the input ends where a member ends */

    /* All members are complete and verified; other data follow the last one. */
    INFLATE_PADDED,  /* zero bytes up to the end of the input */
    INFLATE_GARBAGE, /* anything but zero bytes or a member */

    /* Failures. Earlier output is wrong, or may be. */
    INFLATE_NOT_GZIP,       /* the input does not start with a member */
    INFLATE_BAD_HEADER,     /* a member of an unknown kind, or whose header is damaged */
    INFLATE_DAMAGED,        /* the data violate the rules of deflate */
    INFLATE_WRONG_CHECKSUM, /* the decoded bytes of a member are not those that were compressed */
    INFLATE_WRONG_LENGTH,   /* the same, found by their number */
    /* The input ends inside a member, or is empty: earlier output is right, but not verified. */
    INFLATE_TRUNCATED
};

static inline bool inflate_is_failure(enum inflate_result result)
{
    return result >= INFLATE_NOT_GZIP;
}

enum {
    INFLATE_WINDOW = 32 * 1024, /* no match reaches further back */
    /*
     * Codes of up to this many bits are found in one step. Longer ones are in a second table, for
     * all codes that begin with the same bits. It has 2^b places for at least b + 1 codes, where b
     * is at most 15 minus the bits of the first step: so at most 16 places for 5 literals or
     * lengths (of 288), and 128 for 8 distances (of 32).
     */
    INFLATE_LITERAL_BITS = 11,
    INFLATE_DISTANCE_BITS = 8,
    INFLATE_LITERAL_PLACES = (1 << INFLATE_LITERAL_BITS) + 288 * 16 / 5 + 1,
    INFLATE_DISTANCE_PLACES = (1 << INFLATE_DISTANCE_BITS) + 32 * 128 / 8,
    INFLATE_LENGTH_BITS = 7 /* of the codes for code lengths: all of them */
};

/* Everything except `message` is private. About 56 KB. */
struct inflate {
    const char *message; /* why decoding ended, in a few words; NULL until then */
    enum inflate_result result; /* if there is a message */
    int step;

    /*
     * Input that was taken but not yet used: bit_count bits, at most 63, the first one in bit 0.
     * The bits above are 0.
     */
    uint64_t bits;
    unsigned bit_count;

    /* The member and its header */
    bool is_first_member;
    unsigned flags, header_left;
    uint32_t header_sum;
    uint32_t sum, size; /* of the decoded bytes, modulo 2^32 */

    /* The block */
    bool is_last_block;
    bool has_fixed_codes; /* what the tables hold */
    unsigned stored_left;
    unsigned literal_count, distance_count, length_count, lengths_read;
    unsigned char lengths[288 + 32]; /* of codes: literals and lengths, then distances */
    unsigned literal_bits, distance_bits, length_bits; /* number of bits that index each table */

    /* A match with bytes that are not yet in the output */
    unsigned match_left, match_distance;

    /* The last bytes of the member from earlier calls: a ring */
    unsigned window_next, window_filled;

    uint32_t literal_table[INFLATE_LITERAL_PLACES];
    uint32_t distance_table[INFLATE_DISTANCE_PLACES];
    uint32_t length_table[1 << INFLATE_LENGTH_BITS];
    struct crc32 crc;
    unsigned char window[INFLATE_WINDOW];
};

/* Prepares for a file. There is nothing to free. */
void inflate_init(struct inflate *z);

/*
 * Decodes: takes bytes from [*in, in_end), moving *in, and writes up to `size` bytes to `out`; sets
 * *produced to their number, with any result. Both may be empty. The rest of `out` may change, too.
 * Blocks of output from 64 KiB on are fast; `out` need not be the same one in every call, nor stay
 * as it is.
 *
 * INFLATE_NEEDS_INPUT: *in is in_end. INFLATE_OUTPUT_FULL: *produced is `size`. INFLATE_GARBAGE or
 * a failure: decoding has ended, and all further calls return the same. There are no other results.
 * (The end of a file is known only when its input ends, because another member may follow.)
 */
enum inflate_result inflate_run(struct inflate *z, const unsigned char **in,
                                const unsigned char *in_end, unsigned char *out, size_t size,
                                size_t *produced);

/*
 * Tells the end of the input, after inflate_run returned INFLATE_NEEDS_INPUT. Returns INFLATE_END,
 * INFLATE_PADDED, INFLATE_GARBAGE or a failure. Decoding has then ended.
 */
enum inflate_result inflate_finish(struct inflate *z);

#endif
