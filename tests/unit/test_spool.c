/* The spool: what is appended can be read again, in memory or beyond it. */
#include "support.h"

#include "util/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char byte_at(uint64_t offset)
{
    return (unsigned char)((offset * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* What was appended: the offsets of pieces, and their ends. */
struct pieces {
    uint64_t blocks[200000];
    uint32_t places[200000];
    unsigned char lengths[200000];
    size_t count;
};

static struct pieces pieces;

static bool append(struct spool *spool, size_t length)
{
    unsigned char *at = spool_room(spool, length);
    if (at == NULL)
        return false;
    size_t place = SPOOL_BLOCK - (size_t)(spool->limit - at);
    for (size_t i = 0; i < length; i++)
        at[i] = byte_at(spool->block * SPOOL_BLOCK + place + i);
    spool->at = at + length;
    if (pieces.count < sizeof pieces.lengths) {
        pieces.blocks[pieces.count] = spool->block;
        pieces.places[pieces.count] = (uint32_t)place;
        pieces.lengths[pieces.count++] = (unsigned char)length;
    }
    return true;
}

/* Appends pieces of `length` bytes, 0: of any, until the spool ends in this block. */
static void fill(struct spool *spool, uint64_t block, size_t length, uint64_t *random)
{
    pieces.count = 0;
    while (spool->block < block)
        assert_true(append(spool, length > 0 ? length : 1 + random_below(random, SPOOL_PIECE)));
}

static void check_piece(struct spool *spool, size_t number)
{
    const unsigned char *bytes = spool_block(spool, pieces.blocks[number]);
    uint64_t offset = pieces.blocks[number] * SPOOL_BLOCK + pieces.places[number];
    assert_non_null(bytes);
    assert_true(pieces.places[number] + pieces.lengths[number] <= SPOOL_BLOCK);
    for (size_t i = 0; i < pieces.lengths[number]; i++)
        if (bytes[pieces.places[number] + i] != byte_at(offset + i))
            fail_msg("byte %llu: found %u, expected %u", (unsigned long long)(offset + i),
                     bytes[pieces.places[number] + i], byte_at(offset + i));
}

static void an_empty_spool_is_empty(void **state)
{
    (void)state;
    struct spool spool;
    assert_true(spool_init(&spool));
    assert_int_equal(spool.block, 0);
    assert_int_equal(spool.limit - spool.at, SPOOL_BLOCK);
    assert_ptr_equal(spool_block(&spool, 0), spool.at);
    spool_free(&spool);
}

/* Numbers of blocks about what memory holds, in both directions. */
static void all_pieces_are_read_as_they_were_written(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {1, 2, SPOOL_BLOCKS - 1, SPOOL_BLOCKS, SPOOL_BLOCKS + 1,
                                      SPOOL_BLOCKS + SPOOL_BLOCKS / 4};
    uint64_t random = 31;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        struct spool spool;
        assert_true(spool_init(&spool));
        fill(&spool, blocks[i], 0, &random);
        assert_true(pieces.count < sizeof pieces.lengths);
        for (size_t n = pieces.count; n > 0; n--)
            check_piece(&spool, n - 1);
        for (size_t n = 0; n < pieces.count; n++)
            check_piece(&spool, n);
        spool_free(&spool);
    }
}

static void pieces_are_read_from_anywhere(void **state)
{
    (void)state;
    struct spool spool;
    uint64_t random = 33;
    assert_true(spool_init(&spool));
    fill(&spool, SPOOL_BLOCKS + SPOOL_BLOCKS / 2, 0, &random);
    for (int i = 0; i < 2000; i++)
        check_piece(&spool, random_below(&random, (uint32_t)pieces.count));
    spool_free(&spool);
}

/* Whatever is in memory, and without taking the place of what another reads. */
static void pieces_are_read_from_their_ends(void **state)
{
    (void)state;
    struct spool spool;
    uint64_t random = 37;
    assert_true(spool_init(&spool));
    fill(&spool, 2 * SPOOL_BLOCKS + 2, 0, &random);
    for (uint64_t block = 0; block < spool.block; block += SPOOL_BLOCKS / 2 - 1) {
        const unsigned char *other = spool_block(&spool, block);
        assert_non_null(other);
        for (int i = 0; i < 2000; i++) {
            size_t number = random_below(&random, (uint32_t)pieces.count);
            uint64_t start = pieces.blocks[number] * SPOOL_BLOCK + pieces.places[number];
            size_t length = pieces.lengths[number];
            const unsigned char *end = spool_before(&spool, start + length, random_below(&random, 300));
            assert_non_null(end);
            for (size_t k = 0; k < length; k++)
                assert_int_equal(end[(ptrdiff_t)k - (ptrdiff_t)length], byte_at(start + k));
        }
        for (size_t n = pieces.count; n > 1; n--) { /* two, far from each other, backwards */
            size_t both[2] = {n - 1, (n - 1 + pieces.count / 2) % pieces.count};
            for (uint32_t reader = 0; reader < 2; reader++) {
                uint64_t start = pieces.blocks[both[reader]] * SPOOL_BLOCK + pieces.places[both[reader]];
                const unsigned char *end = spool_before(&spool, start + pieces.lengths[both[reader]], reader);
                assert_non_null(end);
                assert_int_equal(end[-1], byte_at(start + pieces.lengths[both[reader]] - 1));
            }
        }
        spool.fd = -spool.fd; /* a block that is not in memory could not be read */
        assert_ptr_equal(spool_block(&spool, block), other);
        spool.fd = -spool.fd;
    }
    spool_free(&spool);
}

/* One who reads backwards from one place asks the file once for several pieces; others read elsewhere. */
static void a_reader_has_a_window(void **state)
{
    (void)state;
    enum { LENGTH = 20, READER = 3, OTHER = 4 };
    uint64_t random = 38, end = SPOOL_BLOCK / LENGTH * LENGTH;
    struct spool spool;
    assert_true(spool_init(&spool));
    fill(&spool, SPOOL_BLOCKS + 1, LENGTH, &random);
    assert_non_null(spool_before(&spool, end, READER));
    spool.fd = -spool.fd; /* the file could not be read */
    assert_null(spool_before(&spool, end, OTHER));
    const unsigned char *before = spool_before(&spool, end - LENGTH, READER);
    assert_non_null(before);
    assert_int_equal(before[-1], byte_at(end - LENGTH - 1));
    assert_null(spool_before(&spool, end - SPOOL_WINDOW, READER));
    spool.fd = -spool.fd;
    before = spool_before(&spool, end - LENGTH, READER);
    assert_non_null(before);
    assert_int_equal(before[-1], byte_at(end - LENGTH - 1));
    spool_free(&spool);
}

/* So one who reads backwards, and writes no such byte at an end, knows what is no piece. */
static void what_is_left_of_a_block_is_filled(void **state)
{
    (void)state;
    enum { LENGTH = 48 };
    struct spool spool;
    uint64_t random = 36;
    size_t left = SPOOL_BLOCK % LENGTH;
    assert_int_not_equal(left, 0);
    assert_true(spool_init(&spool));
    fill(&spool, SPOOL_BLOCKS + 1, LENGTH, &random);
    for (uint64_t block = 0; block < spool.block; block++) {
        const unsigned char *bytes = spool_block(&spool, block);
        assert_non_null(bytes);
        for (size_t i = SPOOL_BLOCK - left; i < SPOOL_BLOCK; i++)
            assert_int_equal(bytes[i], SPOOL_FILLER);
    }
    spool_free(&spool);
}

/* A file is made only for what memory does not hold, and has no name. */
static void little_needs_no_file(void **state)
{
    (void)state;
    struct spool spool;
    uint64_t random = 34;
    char *folder = scratch_path("");
    setenv("TMPDIR", folder, 1);
    assert_true(spool_init(&spool));
    fill(&spool, SPOOL_BLOCKS - 1, SPOOL_PIECE, &random);
    while (spool.at < spool.limit)
        assert_true(append(&spool, SPOOL_PIECE));
    assert_int_equal(spool.fd, -1);
    assert_true(append(&spool, 1));
    assert_int_not_equal(spool.fd, -1);
    assert_int_equal(rmdir(folder), 0); /* it is empty */
    spool_free(&spool);
    unsetenv("TMPDIR");
    free(folder);
}

static void a_file_that_cannot_be_made_is_a_failure(void **state)
{
    (void)state;
    struct spool spool;
    uint64_t random = 35;
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_true(spool_init(&spool));
    fill(&spool, SPOOL_BLOCKS - 1, SPOOL_PIECE, &random);
    while (spool.at < spool.limit)
        assert_true(append(&spool, SPOOL_PIECE));
    errno = 0;
    assert_false(append(&spool, 1));
    assert_int_equal(errno, ENOENT);
    spool_free(&spool);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_spool_is_empty),
        cmocka_unit_test(all_pieces_are_read_as_they_were_written),
        cmocka_unit_test(pieces_are_read_from_anywhere),
        cmocka_unit_test(pieces_are_read_from_their_ends),
        cmocka_unit_test(a_reader_has_a_window),
        cmocka_unit_test(what_is_left_of_a_block_is_filled),
        cmocka_unit_test(little_needs_no_file),
        cmocka_unit_test(a_file_that_cannot_be_made_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
