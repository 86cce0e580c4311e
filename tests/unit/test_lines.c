/* SPDX-License-Identifier: MIT */
/* The line reader: line ends, byte-order marks, lines of any length. */
#include "support.h"

#include "io/lines.h"

#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct opened {
    struct diag diag;
    struct source source;
    struct lines lines;
};

static void open_in_blocks(struct opened *o, const void *bytes, size_t size, size_t block)
{
    char *path = scratch_path("lines");
    *o = (struct opened){.diag = {.report = NULL}};
    write_file(path, bytes, size);
    source_open(&o->source, path, false, &o->diag);
    lines_init(&o->lines, &o->source, block);
    free(path);
}

static void open_bytes(struct opened *o, const void *bytes, size_t size)
{
    open_in_blocks(o, bytes, size, 0);
}

static void close_bytes(struct opened *o)
{
    lines_free(&o->lines);
    source_close(&o->source);
}

static void assert_line(struct opened *o, const char *expected, size_t length)
{
    struct text line;
    assert_true(lines_next(&o->lines, &line));
    assert_int_equal(text_length(line), length);
    assert_memory_equal(line.at, expected, length);
}

static void assert_end(struct opened *o)
{
    struct text line;
    assert_false(lines_next(&o->lines, &line));
    assert_false(lines_next(&o->lines, &line));
}

static void line_ends_are_not_part_of_lines(void **state)
{
    static const struct {
        const char *bytes;
        const char *lines[5];
    } cases[] = {
        {"", {NULL}},
        {"a", {"a"}},
        {"a\n", {"a"}},
        {"a\nb", {"a", "b"}},
        {"a\nb\n", {"a", "b"}},
        {"\n", {""}},
        {"\n\n", {"", ""}},
        {"\n\na", {"", "", "a"}},
        {"a\r\nb\r\n", {"a", "b"}},
        {"\r\n\r\n", {"", ""}},
        {"a\r", {"a"}},
        {"a\rb\n", {"a\rb"}},
        {"a\r\r\n", {"a\r"}},
        {"a \t\n b", {"a \t", " b"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened o;
        open_bytes(&o, cases[i].bytes, strlen(cases[i].bytes));
        for (size_t k = 0; cases[i].lines[k] != NULL; k++)
            assert_line(&o, cases[i].lines[k], strlen(cases[i].lines[k]));
        assert_end(&o);
        close_bytes(&o);
    }
}

static void a_byte_order_mark_is_stripped_from_the_first_line_only(void **state)
{
    static const char bytes[] = "\xef\xbb\xbf" "a\n\xef\xbb\xbf" "b\n";
    struct opened o;
    open_bytes(&o, bytes, sizeof bytes - 1);
    assert_line(&o, "a", 1);
    assert_line(&o, "\xef\xbb\xbf" "b", 4);
    assert_end(&o);
    close_bytes(&o);

    open_bytes(&o, "\xef\xbb\n", 3);
    assert_line(&o, "\xef\xbb", 2);
    close_bytes(&o);

    open_bytes(&o, "\xef\xbb\xbf\r\nx", 6);
    assert_line(&o, "", 0);
    assert_line(&o, "x", 1);
    close_bytes(&o);
}

static void lines_may_hold_any_byte(void **state)
{
    static const char bytes[] = "a\0b\xff\x01\n\0\n\0";
    struct opened o;
    open_bytes(&o, bytes, sizeof bytes - 1);
    assert_line(&o, "a\0b\xff\x01", 5);
    assert_line(&o, "\0", 1);
    assert_line(&o, "\0", 1);
    assert_end(&o);
    close_bytes(&o);
}

/* Lengths around that of the buffer, each followed by a short line. */
static void lines_may_be_longer_than_the_buffer(void **state)
{
    static const size_t lengths[] = {1000, 262142, 262143, 262144, 262145, 524288, 786431, 3 * 1000 * 1000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        char *bytes = malloc(length + 5);
        for (size_t k = 0; k < length; k++)
            bytes[k] = (char)('a' + k % 23);
        memcpy(bytes + length, "\r\nend", 5);
        struct opened o;
        open_bytes(&o, bytes, length + 5);
        assert_line(&o, bytes, length);
        assert_line(&o, "end", 3);
        assert_end(&o);
        close_bytes(&o);
        free(bytes);
    }
}

static void lines_that_cross_the_buffers_end_are_whole(void **state)
{
    enum { LENGTH = 10007, LINES = 100 };
    char *bytes = malloc(LENGTH * LINES);
    for (size_t i = 0; i < LINES; i++) {
        memset(bytes + i * LENGTH, (int)('!' + i % 90), LENGTH);
        bytes[(i + 1) * LENGTH - 1] = '\n';
    }
    struct opened o;
    open_bytes(&o, bytes, LENGTH * LINES);
    for (size_t i = 0; i < LINES; i++)
        assert_line(&o, bytes + i * LENGTH, LENGTH - 1);
    assert_end(&o);
    close_bytes(&o);
    free(bytes);
}

static void peeking_shows_what_is_wanted_and_takes_nothing(void **state)
{
    enum { SIZE = 1000 * 1000 };
    static const struct {
        size_t size, wanted;
    } cases[] = {{SIZE, SIZE - 1}, {5, 1000}, {0, 10}};
    char *bytes = malloc(SIZE);
    memset(bytes, 'x', SIZE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened o;
        size_t size = cases[i].size, wanted = cases[i].wanted;
        open_bytes(&o, bytes, size);
        struct text head = lines_peek(&o.lines, wanted);
        assert_int_equal(text_length(head), wanted < size ? wanted : size);
        assert_memory_equal(head.at, bytes, text_length(head));
        if (size > 0)
            assert_line(&o, bytes, size);
        assert_end(&o);
        close_bytes(&o);
    }
    free(bytes);
}

/* Where other threads take part, they can begin soon. */
static void few_reads_fill_aligned_blocks(void **state)
{
    enum { SIZE = 3 << 20, LENGTH = 64, MOST = 256 << 10, READS = SIZE / MOST + 1 }; /* the last one finds the end */
    struct opened o;
    char *bytes = malloc(SIZE);
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = i % LENGTH == LENGTH - 1 ? '\n' : (char)('a' + i / LENGTH % 26);
    open_bytes(&o, bytes, SIZE);
    lines_peek(&o.lines, 1);
    assert_in_range((size_t)(o.lines.end - o.lines.at), LENGTH, MOST);
    assert_int_equal((uintptr_t)o.lines.at % 64, 0); /* where a system call copies as fast as it can */
    for (size_t i = 0; i < SIZE / LENGTH; i++)
        assert_line(&o, bytes + i * LENGTH, LENGTH - 1);
    assert_end(&o);
    assert_in_range(o.lines.block_count, 1, READS);
    close_bytes(&o);
    free(bytes);
}

/* ---- several threads ---------------------------------------------------------------------- */

enum { MOST_BLOCK = 20000 };

/* Lines of all lengths, some of which are longer than a block and what there is room for in front of one. */
static char *make_lines(size_t count, size_t *size)
{
    uint64_t random = 1;
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    for (size_t i = 0; i < count; i++) {
        uint32_t kind = random_below(&random, 500);
        uint32_t length = kind == 0 ? 3 * BLOCKS_HEADROOM : random_below(&random, kind < 5 ? MOST_BLOCK : 60);
        fprintf(out, "%0*zu\n", (int)length + 1, i);
    }
    fclose(out);
    return bytes;
}

static void threads_and_blocks_change_no_line(void **state)
{
    static const size_t blocks[] = {1, 7, 64, 1000, MOST_BLOCK};
    size_t size;
    char *bytes = make_lines(3000, &size);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        for (unsigned threads = 1; threads <= 4; threads++) {
            struct opened o;
            struct text line;
            const char *next = bytes;
            size_t length = blocks[i] < 64 ? 20000 : size;
            open_in_blocks(&o, bytes, length, blocks[i]);
            blocks_start(&o.lines.blocks, threads);
            while (lines_next(&o.lines, &line)) {
                const char *newline = memchr(next, '\n', length - (size_t)(next - bytes));
                assert_int_equal(text_length(line), (newline != NULL ? newline : bytes + length) - next);
                assert_memory_equal(line.at, next, text_length(line));
                next = line.end < o.lines.end || newline != NULL ? newline + 1 : bytes + length;
                assert_int_equal(lines_whole(&o.lines).end > o.lines.at,
                                 memchr(o.lines.at, '\n', (size_t)(o.lines.end - o.lines.at)) != NULL);
            }
            assert_ptr_equal(next, bytes + length);
            assert_int_equal(o.lines.blocks.has_helper, threads > 1);
            close_bytes(&o);
        }
    free(bytes);
}

/* Without a number of threads, a file that is small has one: starting others would take longer than it takes. */
static void small_files_have_one_thread(void **state)
{
    static const struct {
        const char *bytes;
        uint64_t size; /* that the file seems to have */
        unsigned wanted;
        bool has_helpers;
    } cases[] = {
        {"a\nb\n", 1 << 20, 0, false},     {"a\nb\n", 24 << 20, 0, true},  {"a\nb\n", 1 << 20, 2, true},
        {"\x1f\x8b\b", 1 << 19, 0, false}, {"\x1f\x8b\b", 1 << 20, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct opened o;
        open_bytes(&o, cases[i].bytes, strlen(cases[i].bytes));
        o.source.facts.size = cases[i].size;
        blocks_start(&o.lines.blocks, cases[i].wanted);
        bool may_have = cases[i].wanted > 0 || thread_cores() > 1;
        assert_int_equal(o.lines.blocks.has_helper, cases[i].has_helpers && may_have);
        close_bytes(&o);
    }
}

/*
 * The thread that reads ahead waits for a pipe to which nobody writes any more. The pipe that calls it off may be open
 * elsewhere, too, as in a program that was started just then.
 */
static void threads_that_wait_for_input_are_ended(void **state)
{
    int ends[2];
    char path[40];
    struct text line;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "a\nb\nc\nd\ne\n", 10), 10);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    struct opened o = {.diag = {.report = NULL}};
    alarm(60 /* seconds; usually, it takes none */);
    source_open(&o.source, path, false, &o.diag);
    lines_init(&o.lines, &o.source, 4);
    assert_true(lines_next(&o.lines, &line));
    blocks_start(&o.lines.blocks, 3);
    int elsewhere = dup(o.lines.blocks.canceller.ends[1]);
    while (poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 0) > 0)
        sched_yield(); /* until it has read the last bytes, which do not fill a block */
    close_bytes(&o);
    alarm(0);
    close(elsewhere);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends_are_not_part_of_lines),
        cmocka_unit_test(a_byte_order_mark_is_stripped_from_the_first_line_only),
        cmocka_unit_test(lines_may_hold_any_byte),
        cmocka_unit_test(lines_may_be_longer_than_the_buffer),
        cmocka_unit_test(lines_that_cross_the_buffers_end_are_whole),
        cmocka_unit_test(peeking_shows_what_is_wanted_and_takes_nothing),
        cmocka_unit_test(few_reads_fill_aligned_blocks),
        cmocka_unit_test(threads_and_blocks_change_no_line),
        cmocka_unit_test(small_files_have_one_thread),
        cmocka_unit_test(threads_that_wait_for_input_are_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
