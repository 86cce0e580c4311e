/* The spool: what is appended can be read again, in memory or beyond it. */
#include "support.h"

#include "util/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IN_MEMORY = SPOOL_BLOCK * SPOOL_BLOCKS };

static unsigned char byte_at(uint64_t offset)
{
    return (unsigned char)((offset * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

/* Appends `size` bytes, as many at a time as `step` says; 0: any number. */
static void fill(struct spool *spool, uint64_t size, size_t step, uint64_t *random)
{
    static unsigned char bytes[3 * SPOOL_BLOCK];
    for (uint64_t at = 0; at < size;) {
        size_t count = step > 0 ? step : 1 + random_below(random, sizeof bytes);
        if (count > size - at)
            count = (size_t)(size - at);
        for (size_t i = 0; i < count; i++)
            bytes[i] = byte_at(at + i);
        assert_true(spool_append(spool, bytes, count));
        at += count;
        assert_int_equal(spool->size, at);
    }
}

static void check(struct spool *spool, uint64_t offset, size_t count)
{
    static unsigned char bytes[3 * SPOOL_BLOCK];
    memset(bytes, 0, count);
    assert_true(spool_read(spool, offset, bytes, count));
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != byte_at(offset + i))
            fail_msg("byte %llu: found %u, expected %u", (unsigned long long)(offset + i), bytes[i],
                     byte_at(offset + i));
}

static void an_empty_spool_is_empty(void **state)
{
    (void)state;
    struct spool spool;
    assert_true(spool_init(&spool));
    assert_int_equal(spool.size, 0);
    assert_true(spool_append(&spool, "", 0));
    assert_int_equal(spool.size, 0);
    assert_true(spool_read(&spool, 0, NULL, 0));
    spool_free(&spool);
}

/* Sizes about the borders of blocks, and of what memory holds. */
static void all_sizes_are_read_as_they_were_written(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, SPOOL_BLOCK - 1, SPOOL_BLOCK, SPOOL_BLOCK + 1, IN_MEMORY - 1,
                                     IN_MEMORY, IN_MEMORY + 1, IN_MEMORY + SPOOL_BLOCK,
                                     2 * IN_MEMORY + 12345};
    uint64_t random = 31;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct spool spool;
        assert_true(spool_init(&spool));
        fill(&spool, sizes[i], 0, &random);
        for (uint64_t at = 0; at < sizes[i]; at += SPOOL_BLOCK)
            check(&spool, at, (size_t)(sizes[i] - at < SPOOL_BLOCK ? sizes[i] - at : SPOOL_BLOCK));
        check(&spool, sizes[i] - 1, 1);
        spool_free(&spool);
    }
}

/* As outermost does it: small pieces, that do not divide a block, from the end to the start. */
static void small_pieces_are_read_backwards(void **state)
{
    (void)state;
    enum { PIECE = 24 };
    struct spool spool;
    uint64_t size = (uint64_t)PIECE * (3 * IN_MEMORY / PIECE / 2), random = 32;
    assert_true(spool_init(&spool));
    fill(&spool, size, PIECE, &random);
    for (uint64_t at = size; at > 0; at -= PIECE)
        check(&spool, at - PIECE, PIECE);
    spool_free(&spool);
}

static void pieces_are_read_from_anywhere(void **state)
{
    (void)state;
    struct spool spool;
    uint64_t size = IN_MEMORY + IN_MEMORY / 2 + 77, random = 33;
    assert_true(spool_init(&spool));
    fill(&spool, size, 0, &random);
    for (int i = 0; i < 2000; i++) {
        uint64_t at = random_below(&random, (uint32_t)size);
        size_t count = random_below(&random, i % 50 == 0 ? 2 * SPOOL_BLOCK : 100);
        check(&spool, at, (size_t)(size - at < count ? size - at : count));
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
    fill(&spool, IN_MEMORY, SPOOL_BLOCK, &random);
    assert_int_equal(spool.fd, -1);
    assert_true(spool_append(&spool, "x", 1));
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
    fill(&spool, IN_MEMORY, SPOOL_BLOCK, &random);
    errno = 0;
    assert_false(spool_append(&spool, "x", 1));
    assert_int_equal(errno, ENOENT);
    spool_free(&spool);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_spool_is_empty),
        cmocka_unit_test(all_sizes_are_read_as_they_were_written),
        cmocka_unit_test(small_pieces_are_read_backwards),
        cmocka_unit_test(pieces_are_read_from_anywhere),
        cmocka_unit_test(little_needs_no_file),
        cmocka_unit_test(a_file_that_cannot_be_made_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
