/* SPDX-License-Identifier: MIT */
/*
 * The decoder of gzip files: everything that it decodes, in blocks of every size, and everything
 * that it rejects.
 */
#include "support.h"

#include "util/crc32.h"
#include "util/inflate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes written bit by bit: fields lowest bit first, codes highest bit first. */
struct writer {
    unsigned char bytes[4096];
    size_t bit_count;
};

static void put(struct writer *w, unsigned value, unsigned count)
{
    for (unsigned i = 0; i < count; i++, w->bit_count++) {
        assert_true(w->bit_count / 8 < sizeof w->bytes);
        w->bytes[w->bit_count / 8] |= (unsigned char)((value >> i & 1) << w->bit_count % 8);
    }
}

static void put_code(struct writer *w, unsigned code, unsigned count)
{
    while (count > 0)
        put(w, code >> --count & 1, 1);
}

static void put_bytes(struct writer *w, const void *bytes, size_t count)
{
    w->bit_count = (w->bit_count + 7) / 8 * 8;
    for (size_t i = 0; i < count; i++)
        put(w, ((const unsigned char *)bytes)[i], 8);
}

static void put_32(struct writer *w, uint32_t value)
{
    w->bit_count = (w->bit_count + 7) / 8 * 8;
    put(w, value & 0xffff, 16);
    put(w, value >> 16, 16);
}

static const unsigned char plain_header[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};

static void begin(struct writer *w)
{
    memset(w, 0, sizeof *w);
    put_bytes(w, plain_header, sizeof plain_header);
}

static uint32_t sum_of(const void *bytes, size_t size)
{
    struct crc32 crc;
    crc32_init(&crc);
    return crc32_add(&crc, 0, bytes, size);
}

static void put_trailer(struct writer *w, const void *plain, size_t size)
{
    put_32(w, sum_of(plain, size));
    put_32(w, (uint32_t)size);
}

static size_t size_of(const struct writer *w)
{
    return (w->bit_count + 7) / 8;
}

/* Symbols of the fixed code: RFC 1951, 3.2.6 */
static void put_fixed(struct writer *w, unsigned symbol)
{
    if (symbol < 144)
        put_code(w, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(w, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(w, symbol - 256, 7);
    else
        put_code(w, 0xc0 + symbol - 280, 8);
}

/* What decoding gave. The bytes are malloc'ed. */
struct decoded {
    const char *why_ended; /* "end", "garbage", "truncated", or how the input is damaged */
    unsigned char *bytes;
    size_t size;
};

/* Input in blocks of a certain size; `is_over`: its end is known. */
struct input {
    const unsigned char *next;
    size_t left, block;
    bool is_over;
};

static size_t more(void *context, unsigned char *bytes, size_t size)
{
    struct input *input = context;
    size_t count = input->left < input->block ? input->left : input->block;
    assert_false(input->is_over);
    assert_true(size > 0);
    if (count > size)
        count = size;
    if (count > 0) {
        memcpy(bytes, input->next, count);
        input->next += count;
    }
    input->left -= count;
    input->is_over = count == 0;
    return count;
}

/* Every block of output is malloc'ed, and the window ends the decoder, so that sanitizers see its borders. */
static struct decoded decode(const void *bytes, size_t size, size_t in_block, size_t out_block)
{
    static const char *const results[] = {NULL, "end", "garbage", "truncated", NULL};
    struct inflate *z = malloc(sizeof *z);
    struct input input = {.next = bytes, .left = size, .block = in_block};
    struct decoded decoded = {.bytes = NULL};
    unsigned char *out = malloc(out_block);
    size_t count, room = 0;
    inflate_init(z, more, &input);
    assert_int_equal(z->result, INFLATE_GOES_ON);
    while ((count = inflate_read(z, out, out_block)) > 0) {
        assert_true(count <= out_block);
        if (decoded.size + count > room) {
            room = 2 * (decoded.size + count);
            decoded.bytes = realloc(decoded.bytes, room);
        }
        memcpy(decoded.bytes + decoded.size, out, count);
        decoded.size += count;
    }
    assert_true((z->result == INFLATE_DAMAGED) == (z->message != NULL));
    decoded.why_ended = z->message != NULL ? z->message : results[z->result];
    assert_non_null(decoded.why_ended);
    assert_int_equal(inflate_read(z, out, out_block), 0);
    free(out);
    free(z);
    return decoded;
}

static void expect(const void *input, size_t size, const char *why_ended, const void *plain,
                   size_t plain_size, size_t in_block, size_t out_block)
{
    struct decoded decoded = decode(input, size, in_block, out_block);
    if (strcmp(decoded.why_ended, why_ended) != 0 || (plain != NULL && decoded.size != plain_size) ||
        (plain != NULL && plain_size > 0 && memcmp(decoded.bytes, plain, plain_size) != 0))
        fail_msg("%zu bytes, blocks of %zu and %zu: %s, %zu bytes; expected %s, %zu", size, in_block,
                 out_block, decoded.why_ended, decoded.size, why_ended, plain_size);
    free(decoded.bytes);
}

/* The same in blocks of several sizes. plain may be NULL: any. */
static void expect_all(const struct writer *w, const char *why_ended, const void *plain, size_t plain_size)
{
    static const size_t sizes[] = {1, 2, 3, 7, 64, 1000, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
            expect(w->bytes, size_of(w), why_ended, plain, plain_size, sizes[i], sizes[j]);
}

static void expect_failure(const struct writer *w, const char *why_ended)
{
    expect_all(w, why_ended, NULL, 0);
}

/* What gzip makes of bytes; malloc'ed. */
static unsigned char *gzip(const void *plain, size_t size, const char *options, size_t *count)
{
    char *from = scratch_path("plain"), *to = scratch_path("plain.gz"), command[1024];
    write_file(from, plain, size);
    snprintf(command, sizeof command, "gzip -f %s '%s'", options, from);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(pclose(pipe), 0);
    unsigned char *bytes = (unsigned char *)read_file(to, count);
    remove(to);
    free(from);
    free(to);
    return bytes;
}

enum kind { KIND_TEXT, KIND_NOISE, KIND_ZEROS, KIND_SKEWED, KIND_MIXED, KINDS };

/* Bytes for each kind of block: gzip stores noise, and takes the fixed code for short texts. */
static void fill(unsigned char *bytes, size_t size, enum kind kind)
{
    uint64_t random = 51;
    for (size_t i = 0; i < size;) {
        char line[64] = "";
        int length = snprintf(line, sizeof line, "fn=(%u) f%u\n%u %u\n", random_below(&random, 99),
                              random_below(&random, 9), random_below(&random, 500), random_below(&random, 100000));
        bool is_noise = kind == KIND_NOISE || (kind == KIND_MIXED && i / 9000 % 3 == 1);
        for (int j = 0; j < length && i < size; j++, i++)
            if (is_noise)
                bytes[i] = (unsigned char)random_below(&random, 256);
            else if (kind == KIND_SKEWED) /* codes of many lengths */
                bytes[i] = (unsigned char)(random_below(&random, 1U << random_below(&random, 9)));
            else
                bytes[i] = kind == KIND_ZEROS ? 0 : (unsigned char)line[j];
    }
}

static void what_gzip_compressed_is_decoded(void **state)
{
    static const size_t plain_sizes[] = {0, 1, 30, 2000, 70000};
    static const size_t out_sizes[] = {1, 33, 300, 5000, 65536, 200000};
    static unsigned char plain[70000];
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < sizeof plain_sizes / sizeof plain_sizes[0]; i++)
            for (int level = 1; level <= 9; level++) {
                char options[16];
                size_t size;
                fill(plain, plain_sizes[i], (enum kind)kind);
                snprintf(options, sizeof options, "-%d", level);
                unsigned char *input = gzip(plain, plain_sizes[i], options, &size);
                bool is_large = plain_sizes[i] > 2000;
                for (size_t block = 1; block <= 64; block += is_large ? 7 : 1)
                    expect(input, size, "end", plain, plain_sizes[i], block, out_sizes[(block + (size_t)level) % 6]);
                for (size_t out = 0; out < 6; out++)
                    expect(input, size, "end", plain, plain_sizes[i], 1 << 16, out_sizes[out]);
                free(input);
            }
}

static void stored_blocks(void **state)
{
    struct writer w;
    begin(&w);
    put(&w, 0, 3); /* not the last one, stored */
    put_bytes(&w, "\x05\0\xfa\xffhello", 9);
    put(&w, 0, 3); /* an empty one */
    put_bytes(&w, "\0\0\xff\xff", 4);
    put(&w, 1, 3);
    put_bytes(&w, "\x01\0\xfe\xff!", 5);
    put_trailer(&w, "hello!", 6);
    expect_all(&w, "end", "hello!", 6);

    begin(&w);
    put(&w, 1, 3);
    put_bytes(&w, "\x05\0\xfa\xfehello", 9);
    expect_failure(&w, "the two lengths of a stored block differ");
}

static void blocks_of_the_fixed_code(void **state)
{
    struct writer w;
    begin(&w);
    put(&w, 2, 3); /* not the last one */
    put_fixed(&w, 'a');
    put_fixed(&w, 0xff);
    put_fixed(&w, 257 + 4); /* 7 bytes from a distance of 2 */
    put_code(&w, 1, 5);
    put_fixed(&w, 256);
    put(&w, 3, 3);
    put_fixed(&w, 257); /* 3 bytes from a distance of 9, beyond the block's start */
    put_code(&w, 6, 5);
    put(&w, 0, 2);
    put_fixed(&w, 256);
    static const char plain[] = "a\xff" "a\xff" "a\xff" "a\xff" "aa\xff" "a";
    put_trailer(&w, plain, 12);
    expect_all(&w, "end", plain, 12);
}

/* The symbols that the fixed code has beyond those that mean something */
static void symbols_without_meaning(void **state)
{
    struct writer w;
    for (unsigned symbol = 286; symbol <= 287; symbol++) {
        begin(&w);
        put(&w, 3, 3);
        put_fixed(&w, 'a');
        put_fixed(&w, symbol);
        put_bytes(&w, "some more bytes, enough that the fast way is taken to here", 58);
        expect_failure(&w, "bits that are not a code");
    }
    for (unsigned distance = 30; distance <= 31; distance++) {
        begin(&w);
        put(&w, 3, 3);
        put_fixed(&w, 'a');
        put_fixed(&w, 257);
        put_code(&w, distance, 5);
        put_bytes(&w, "some more bytes, enough that the fast way is taken to here", 58);
        expect_failure(&w, "bits that are not a code");
    }
    begin(&w);
    put(&w, 7, 3); /* a block of kind 3 */
    expect_failure(&w, "unknown kind of block");
}

/* A dynamic block's head: how long the codes of the lengths are, one for each of 0 to 18. */
static void put_counts(struct writer *w, unsigned literals, unsigned distances, const unsigned char lengths[19])
{
    static const unsigned char order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    put(w, 5, 3);
    put(w, literals - 257, 5);
    put(w, distances - 1, 5);
    put(w, 19 - 4, 4);
    for (unsigned i = 0; i < 19; i++)
        put(w, lengths[order[i]], 3);
}

/* Codes of lengths: 0 is 00, 1 is 01, 2 is 10, 18 is 110, 16 is 1110, 17 is 1111 */
static const unsigned char few_lengths[19] = {2, 2, 2, [18] = 3, [16] = 4, [17] = 4};

static void put_zeros(struct writer *w, unsigned count) /* 11 to 138 lengths of 0 */
{
    put_code(w, 6, 3);
    put(w, count - 11, 7);
}

static void put_length(struct writer *w, unsigned length)
{
    put_code(w, length, 2);
}

/* Literal 'b' is 0, the end is 10, 3 bytes are 11; the lengths of distances are yet to come. */
static void put_small_code(struct writer *w, unsigned distances)
{
    begin(w);
    put_counts(w, 258, distances, few_lengths);
    put_zeros(w, 'b');
    put_length(w, 1);
    put_zeros(w, 138);
    put_zeros(w, 255 - 'b' - 138);
    put_length(w, 2);
    put_length(w, 2);
}

static void blocks_of_their_own_codes(void **state)
{
    struct writer w;
    put_small_code(&w, 1);
    put_length(&w, 1); /* distance 1 is 0; there is no code 1 */
    put_code(&w, 0, 1);
    put_code(&w, 3, 2);
    put_code(&w, 0, 1);
    struct writer wrong = w;
    put_code(&w, 2, 2);
    put_trailer(&w, "bbbb", 4);
    expect_all(&w, "end", "bbbb", 4);

    put_code(&wrong, 3, 2);
    put_code(&wrong, 1, 1);
    put_bytes(&wrong, "some more bytes, enough that the fast way is taken", 50);
    expect_failure(&wrong, "bits that are not a code");

    put_small_code(&w, 1);
    put_length(&w, 0); /* no distance at all is all right if none is used */
    put_code(&w, 0, 1);
    put_code(&w, 2, 2);
    put_trailer(&w, "b", 1);
    expect_all(&w, "end", "b", 1);

    for (unsigned bit = 0; bit <= 1; bit++) { /* ... and is damage if one is */
        put_small_code(&w, 1);
        put_length(&w, 0);
        put_code(&w, 0, 1);
        put_code(&w, 3, 2);
        put_code(&w, bit, 1);
        put_bytes(&w, "some more bytes, enough that the fast way is taken", 50);
        expect_failure(&w, "bits that are not a code");
    }
}

static void wrong_codes(void **state)
{
    struct writer w;
    put_small_code(&w, 2); /* one distance of 2 bits */
    put_length(&w, 2);
    put_length(&w, 0);
    expect_failure(&w, "invalid code for data");
    put_small_code(&w, 3); /* three of 1 bit */
    for (int i = 0; i < 3; i++)
        put_length(&w, 1);
    expect_failure(&w, "invalid code for data");

    begin(&w); /* no end of the block */
    put_counts(&w, 257, 1, few_lengths);
    put_length(&w, 1);
    put_length(&w, 1);
    put_zeros(&w, 138);
    put_zeros(&w, 118);
    expect_failure(&w, "a block without an end code");

    begin(&w); /* nothing to repeat */
    put_counts(&w, 257, 1, few_lengths);
    put_code(&w, 14, 4);
    put(&w, 0, 2);
    expect_failure(&w, "invalid repetition of a code length");

    begin(&w); /* too many repetitions */
    put_counts(&w, 257, 1, few_lengths);
    put_zeros(&w, 138);
    put_zeros(&w, 138);
    expect_failure(&w, "invalid repetition of a code length");

    static const unsigned char too_many[19] = {1, 1, 1}, too_few[19] = {1, 2}, none[19] = {0};
    static const unsigned char *const lengths[] = {too_many, too_few, none};
    for (int i = 0; i < 3; i++) {
        begin(&w);
        put_counts(&w, 257, 1, lengths[i]);
        expect_failure(&w, "invalid code for lengths");
    }
    static const unsigned counts[][2] = {{287, 1}, {288, 1}, {257, 31}, {257, 32}};
    for (int i = 0; i < 4; i++) {
        begin(&w);
        put_counts(&w, counts[i][0], counts[i][1], few_lengths);
        expect_failure(&w, "too many lengths or distances");
    }
}

/* `before` bytes in stored blocks, then a match. */
static unsigned char *stored_then_match(size_t before, unsigned length, unsigned distance,
                                        size_t *size, unsigned char **plain)
{
    struct writer w;
    unsigned char *input = malloc(before + before / 60000 * 5 + 200), *at = input;
    *plain = calloc(before + length, 1);
    fill(*plain, before, KIND_NOISE);
    memcpy(at, plain_header, 10);
    at += 10;
    for (size_t done = 0; done < before;) {
        unsigned count = before - done < 60000 ? (unsigned)(before - done) : 60000;
        unsigned char head[5] = {0, (unsigned char)count, (unsigned char)(count >> 8),
                                 (unsigned char)~count, (unsigned char)(~count >> 8)};
        memcpy(at, head, 5);
        memcpy(at + 5, *plain + done, count);
        at += 5 + count;
        done += count;
    }
    memset(&w, 0, sizeof w);
    put(&w, 3, 3);
    put_fixed(&w, length == 258 ? 285 : 257);
    if (distance == 32768) {
        put_code(&w, 29, 5);
        put(&w, 8191, 13);
    } else {
        put_code(&w, distance - 1, 5); /* 1 to 4 */
    }
    put_fixed(&w, 256);
    if (distance <= before)
        for (unsigned i = 0; i < length; i++)
            (*plain)[before + i] = (*plain)[before + i - distance];
    put_trailer(&w, *plain, before + length);
    put_bytes(&w, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 36);
    memcpy(at, w.bytes, size_of(&w));
    *size = (size_t)(at - input) + size_of(&w);
    return input;
}

static const char too_far[] = "a distance that reaches beyond the start";

static void the_window_has_edges(void **state)
{
    static const size_t befores[] = {1, 3, 32767, 32768, 32769, 65535, 65536, 70000, 131072, 163000, 300000};
    static const unsigned distances[] = {1, 3, 32768}, lengths[] = {3, 258};
    static const size_t outs[] = {1000, 32767, 32768, 32769, 40000, 65536, 200000};
    for (size_t i = 0; i < 11 * 3 * 2; i++) {
        size_t before = befores[i / 6], size;
        unsigned distance = distances[i / 2 % 3], length = lengths[i % 2];
        bool is_valid = distance <= before;
        unsigned char *plain;
        unsigned char *input = stored_then_match(before, length, distance, &size, &plain);
        for (size_t j = 0; j < sizeof outs / sizeof outs[0]; j++)
            expect(input, size, is_valid ? "end" : too_far, plain, is_valid ? before + length : before,
                   30000 + j, outs[j]);
        free(input);
        free(plain);
    }
}

/* Members, concatenated; takes both. */
static unsigned char *join(unsigned char *first, size_t *size, unsigned char *second, size_t more_size)
{
    first = realloc(first, *size + more_size);
    memcpy(first + *size, second, more_size);
    *size += more_size;
    free(second);
    return first;
}

/* Stored data, then long matches, which fill the decoder's buffers at every offset. */
static void the_room_for_output_has_edges(void **state)
{
    enum { ZEROS = 400000, MOST_BEFORE = 700 };
    static unsigned char plain[MOST_BEFORE + ZEROS];
    for (size_t before = 0; before < MOST_BEFORE; before += 11) {
        size_t size, zeros_size;
        fill(plain, before, KIND_NOISE);
        memset(plain + before, 0, ZEROS);
        unsigned char *input = gzip(plain, before, "-1", &size);
        unsigned char *zeros = gzip(plain + before, ZEROS, "-9", &zeros_size);
        input = join(input, &size, zeros, zeros_size);
        expect(input, size, "end", plain, before + ZEROS, 1000, 1 + before * 200);
        free(input);
    }
}

/* Bytes of an earlier member are no part of it, wherever that one is in the decoder's buffers. */
static void members_are_separate(void **state)
{
    static unsigned char plain[400000];
    static const size_t befores[] = {1, 100, 40000, 163000, 170000, 400000};
    fill(plain, sizeof plain, KIND_MIXED);
    for (size_t i = 0; i < 2 * sizeof befores / sizeof befores[0]; i++) {
        size_t size, second_size;
        bool is_valid = i % 2 == 0;
        unsigned char *second_plain, *input = gzip(plain, befores[i / 2], "-6", &size);
        unsigned char *second = stored_then_match(2, 3, is_valid ? 2 : 3, &second_size, &second_plain);
        unsigned char *all = malloc(befores[i / 2] + 5);
        memcpy(all, plain, befores[i / 2]);
        memcpy(all + befores[i / 2], second_plain, 5);
        input = join(input, &size, second, second_size);
        size_t plain_size = befores[i / 2] + (is_valid ? 5 : 2);
        expect(input, size, is_valid ? "end" : too_far, all, plain_size, 70000, 3000);
        free(all);
        free(second_plain);
        free(input);
    }
}

/* A member of the text "hi", with a header of these flags and what belongs to them */
static void put_member(struct writer *w, unsigned flags, const void *fields, size_t size)
{
    unsigned char header[10] = {0x1f, 0x8b, 8, (unsigned char)flags, 1, 2, 3, 4, 2, 3};
    size_t start = size_of(w);
    put_bytes(w, header, 10);
    put_bytes(w, fields, size);
    if ((flags & 2) != 0)
        put(w, sum_of(w->bytes + start, 10 + size) & 0xffff, 16);
    put(w, 3, 3);
    put_fixed(w, 'h');
    put_fixed(w, 'i');
    put_fixed(w, 256);
    put_trailer(w, "hi", 2);
}

static void headers_with_fields(void **state)
{
    static const char fields[] = "\x04\0data" "name\0" "comment";
    struct writer w = {.bit_count = 0};
    put_member(&w, 0, "", 0);
    put_member(&w, 1 + 2 + 4 + 8 + 16, fields, sizeof fields);
    put_member(&w, 4, "\0\0", 2);
    put_member(&w, 8, "n", 2);
    put_member(&w, 16, "", 1);
    put_member(&w, 2, "", 0);
    expect_all(&w, "end", "hihihihihihi", 12);
}

static void wrong_headers(void **state)
{
    for (unsigned i = 0; i < 8; i++)
        for (int is_second = 0; is_second < 2; is_second++) {
            static const char method[] = "unknown compression method";
            static const char flags[] = "unknown flags in the header";
            static const char sum[] = "wrong checksum of the header";
            static const struct {
                unsigned at, byte;
                const char *first, *second;
            } changes[8] = {{0, 0x1e, "not a gzip file", "garbage"},
                            {0, 0, "not a gzip file", "garbage"},
                            {1, 0x8c, "not a gzip file", "garbage"},
                            {1, 0, "not a gzip file", "garbage"},
                            {2, 7, method, method},
                            {3, 32 + 2, flags, flags},
                            {3, 128 + 2, flags, flags},
                            {9, 4, sum, sum}};
            struct writer w = {.bit_count = 0};
            if (is_second)
                put_member(&w, 0, "", 0);
            size_t start = size_of(&w);
            put_member(&w, 2, "", 0);
            w.bytes[start + changes[i].at] = (unsigned char)changes[i].byte;
            expect_all(&w, is_second ? changes[i].second : changes[i].first, is_second ? "hi" : "", is_second ? 2 : 0);
        }
}

static void wrong_trailers(void **state)
{
    for (unsigned i = 0; i < 8; i++) {
        struct writer w = {.bit_count = 0};
        put_member(&w, 0, "", 0);
        w.bytes[size_of(&w) - 8 + i] ^= 0x10;
        expect_all(&w, i < 4 ? "wrong checksum" : "wrong length", "hi", 2);
    }
}

static void what_is_after_the_end(void **state)
{
    struct writer w = {.bit_count = 0};
    put_member(&w, 0, "", 0);
    struct writer garbage = w, cut = w, padded_garbage = w;
    put_bytes(&w, "\0", 1);
    expect_all(&w, "end", "hi", 2);
    put_bytes(&w, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    expect_all(&w, "end", "hi", 2);
    put_bytes(&padded_garbage, "\0", 1);
    put_member(&padded_garbage, 0, "", 0);
    expect_all(&padded_garbage, "garbage", "hi", 2);
    put_bytes(&garbage, "more", 4);
    expect_all(&garbage, "garbage", "hi", 2);
    put_bytes(&cut, "\x1f", 1);
    expect_all(&cut, "garbage", "hi", 2);
    put_bytes(&cut, "\x8b", 1);
    expect_all(&cut, "truncated", "hi", 2);
}

/* Two members cut everywhere are whole at two places only, and never too long. */
static void every_truncation_is_reported(void **state)
{
    static unsigned char plain[6000];
    for (int kind = 0; kind < KINDS; kind++) {
        size_t first, second;
        fill(plain, 6000, (enum kind)kind);
        unsigned char *a = gzip(plain, 3000, "-6", &first);
        unsigned char *b = gzip(plain + 3000, 3000, "-6", &second);
        unsigned char *both = malloc(first + second);
        memcpy(both, a, first);
        memcpy(both + first, b, second);
        for (size_t size = 0; size <= first + second; size++) {
            const char *result = "truncated";
            if (size == first || size == first + second)
                result = "end";
            else if (size == first + 1)
                result = "garbage";
            struct decoded decoded = decode(both, size, 1 + size % 700, 1 + size % 1300);
            assert_string_equal(decoded.why_ended, result);
            assert_true(decoded.size <= 6000);
            assert_true(decoded.size == 0 || memcmp(decoded.bytes, plain, decoded.size) == 0);
            free(decoded.bytes);
        }
        free(a);
        free(b);
        free(both);
    }
}

/* A change is noticed, unless it is one of the header's time, notes or name. */
static void every_change_is_noticed(void **state)
{
    static const unsigned char changes[] = {1, 2, 4, 8, 16, 32, 64, 128, 255};
    static unsigned char plain[900];
    for (int kind = 0; kind < KINDS; kind++) {
        size_t size;
        fill(plain, sizeof plain, (enum kind)kind);
        unsigned char *input = gzip(plain, sizeof plain, "-n", &size);
        for (size_t i = 0; i < size * sizeof changes; i++) {
            size_t at = i / sizeof changes;
            input[at] ^= changes[i % sizeof changes];
            struct decoded decoded = decode(input, size, i % 2 == 0 ? size : 40, 2000);
            bool is_same = decoded.size == sizeof plain && memcmp(decoded.bytes, plain, sizeof plain) == 0;
            assert_true(is_same ||
                        (strcmp(decoded.why_ended, "end") != 0 && strcmp(decoded.why_ended, "garbage") != 0));
            free(decoded.bytes);
            input[at] ^= changes[i % sizeof changes];
        }
        free(input);
    }
}

static void an_empty_input_is_no_file(void **state)
{
    struct writer w = {.bit_count = 0};
    expect_failure(&w, "truncated");
    put_bytes(&w, "version: 1\n", 11);
    expect_failure(&w, "not a gzip file");
}

/* ---- the checksum, by tables and by products, against its definition -------------------------- */

/* Bit by bit, as the definition has it. */
static uint32_t plain_sum(const unsigned char *bytes, size_t length)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = (sum & 1) != 0 ? sum >> 1 ^ UINT32_C(0xedb88320) : sum >> 1;
    }
    return ~sum;
}

static void known_sums(void **state)
{
    struct crc32 crc;
    crc32_init(&crc);
    assert_int_equal(crc32_add(&crc, 0, "", 0), 0);
    assert_int_equal(crc32_add(&crc, 0, "123456789", 9), 0xcbf43926);
    assert_int_equal(crc32_add(&crc, 0, "a", 1), 0xe8b7be43);
}

/* Every length and alignment, and as many cuts of it in two as there are. */
static void all_lengths_and_cuts(void **state)
{
    enum { LONGEST = 400 };
    unsigned char bytes[LONGEST + 16];
    uint64_t random = 41;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)random_below(&random, 256);
    struct crc32 crcs[2];
    crc32_init(&crcs[0]);
    crc32_init(&crcs[1]);
    crcs[1].has_product = false;
    for (size_t length = 0; length <= LONGEST; length++) {
        const unsigned char *from = bytes + length % 16;
        uint32_t expected = plain_sum(from, length);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(crc32_add(&crcs[i], 0, from, length), expected);
            for (size_t cut = 0; cut <= length; cut++) {
                uint32_t sum = crc32_add(&crcs[i], 0, from, cut);
                assert_int_equal(crc32_add(&crcs[i], sum, from + cut, length - cut), expected);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_gzip_compressed_is_decoded),
        cmocka_unit_test(stored_blocks),
        cmocka_unit_test(blocks_of_the_fixed_code),
        cmocka_unit_test(symbols_without_meaning),
        cmocka_unit_test(blocks_of_their_own_codes),
        cmocka_unit_test(wrong_codes),
        cmocka_unit_test(the_window_has_edges),
        cmocka_unit_test(the_room_for_output_has_edges),
        cmocka_unit_test(members_are_separate),
        cmocka_unit_test(headers_with_fields),
        cmocka_unit_test(wrong_headers),
        cmocka_unit_test(wrong_trailers),
        cmocka_unit_test(what_is_after_the_end),
        cmocka_unit_test(every_truncation_is_reported),
        cmocka_unit_test(every_change_is_noticed),
        cmocka_unit_test(an_empty_input_is_no_file),
        cmocka_unit_test(known_sums),
        cmocka_unit_test(all_lengths_and_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
