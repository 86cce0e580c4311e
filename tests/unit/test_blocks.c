/* Blocks that several threads prepare: each is taken once, in order, until something fails. */
#include "support.h"

#include "io/blocks.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 4, AHEAD = 3, NEVER = 1 << 30 };

/* What a run has seen. */
struct seen {
    char text[1 << 16]; /* all blocks, one after the other */
    size_t length;
    char *prepared[1 + AHEAD * (THREADS - 1)]; /* what is in each slot */
    int takes, fail_at; /* which take fails, from 0 */
    pthread_t taker;
    bool has_ended;
    char messages[4096]; /* with how much had been taken when they came, and the input's name */
    const char *name;    /* of the input, for messages */
    bool is_deaf;        /* nobody wants them */
    int stalled;         /* the second block is kept until this pipe is empty; 0: it is not */
    atomic_bool is_helped; /* a helper prepares the second block */
    const char *rest;      /* what was read before */
    bool is_in_place;      /* it is the first block, or most of that */
};

static void note_message(void *user, const struct cg2wg_message *message)
{
    struct seen *seen = user;
    size_t used = strlen(seen->messages);
    snprintf(seen->messages + used, sizeof seen->messages - used, "%zu: %s: %s\n", seen->length,
             message->file != NULL ? message->file : "", message->text);
}

static size_t cut_at_newline(struct text filled)
{
    size_t length = text_length(filled);
    while (length > 0 && filled.at[length - 1] != '\n')
        length--;
    return length;
}

static bool is_drained(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    return poll(&input, 1, 0) == 0;
}

/*
 * The second block is with a helper until the rest has been read, and the calling thread lets one have
 * it.
 */
static void wait_until_it_stalls(struct seen *seen, struct text block)
{
    if (!pthread_equal(pthread_self(), seen->taker)) {
        atomic_store(&seen->is_helped, *block.at == '2');
        while (*block.at == '2' && !is_drained(seen->stalled))
            sched_yield();
    } else if (*block.at == '1') {
        while (!atomic_load(&seen->is_helped))
            sched_yield();
    }
}

static bool prepare(void *context, unsigned slot, struct text block)
{
    struct seen *seen = context;
    if (seen->stalled > 0)
        wait_until_it_stalls(seen, block);
    assert_true(slot < sizeof seen->prepared / sizeof seen->prepared[0]);
    assert_null(seen->prepared[slot]);
    seen->prepared[slot] = malloc(text_length(block) + 1);
    memcpy(seen->prepared[slot], block.at, text_length(block));
    return true;
}

static bool take(void *context, unsigned slot, struct text block, bool is_last)
{
    struct seen *seen = context;
    assert_true(pthread_equal(pthread_self(), seen->taker));
    assert_false(seen->has_ended);
    assert_non_null(seen->prepared[slot]);
    assert_memory_equal(seen->prepared[slot], block.at, text_length(block));
    assert_true(is_last || block.end[-1] == '\n');
    seen->is_in_place |= block.at == seen->rest && seen->takes == 0;
    free(seen->prepared[slot]);
    seen->prepared[slot] = NULL;
    if (seen->takes++ == seen->fail_at)
        return false;
    memcpy(seen->text + seen->length, block.at, text_length(block));
    seen->length += text_length(block);
    seen->has_ended = is_last;
    return true;
}

/* Runs over what the bytes of a file decode to, of which the first `ahead` have been read before. */
static bool run_file(const char *path, size_t ahead, size_t block, unsigned threads,
                     struct seen *seen)
{
    char rest[256];
    struct diag diag = {.report = seen->is_deaf ? NULL : note_message, .user = seen, .input = seen->name};
    struct source source;
    struct blocks_work work = {.threads = threads,
                               .ahead = 1 + (unsigned)block % AHEAD,
                               .block = block,
                               .context = seen,
                               .cut = cut_at_newline,
                               .prepare = prepare,
                               .take = take};
    assert_true(source_open(&source, path, &diag));
    for (size_t got = 0; got < ahead; got++)
        assert_int_equal(source_read(&source, rest + got, 1), 1);
    seen->rest = rest;
    bool done = blocks_run(&source, text_of(rest, ahead), &work);
    if (done)
        assert_int_equal(source.handed_out, seen->length);
    source_close(&source);
    return done;
}

static bool run(const void *bytes, size_t size, size_t ahead, size_t block, unsigned threads,
                struct seen *seen)
{
    char *path = scratch_path("blocks");
    write_file(path, bytes, size);
    bool done = run_file(path, ahead, block, threads, seen);
    free(path);
    return done;
}

/* The same over a pipe that nobody closes. */
static bool run_stalled(const void *bytes, size_t size, size_t block, unsigned threads,
                        bool keeps_second, struct seen *seen)
{
    char *path = scratch_path("stalled");
    assert_int_equal(mkfifo(path, 0600), 0);
    int fd = open(path, O_RDWR);
    assert_true(fd > 0);
    assert_int_equal(write(fd, bytes, size), size);
    seen->stalled = keeps_second ? fd : 0;
    bool done = run_file(path, 0, block, threads, seen);
    close(fd);
    unlink(path);
    free(path);
    return done;
}

static char *make_lines(size_t *size)
{
    char *text = malloc(40000);
    *size = 0;
    for (int i = 0; i < 2000; i++)
        *size += (size_t)sprintf(text + *size, "%d%.*s\n", i, i % 15, "abcdefghijklmnop");
    return text;
}

static struct seen *new_seen(int fail_at)
{
    struct seen *seen = calloc(1, sizeof *seen);
    assert_non_null(seen);
    seen->fail_at = fail_at;
    seen->taker = pthread_self();
    return seen;
}

/* After a failure what is prepared is not taken. */
static void free_seen(struct seen *seen)
{
    for (size_t i = 0; i < sizeof seen->prepared / sizeof seen->prepared[0]; i++)
        free(seen->prepared[i]);
    free(seen);
}

static void all_is_taken_in_order(void **state)
{
    (void)state;
    static const size_t blocks[] = {1, 2, 17, 100, 1000, 39999, 60000};
    size_t size;
    char *lines = make_lines(&size);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        for (unsigned threads = 1; threads <= THREADS; threads++) {
            struct seen *seen = new_seen(NEVER);
            assert_true(run(lines, size, i * 31, blocks[i], threads, seen));
            assert_int_equal(seen->length, size);
            assert_memory_equal(seen->text, lines, size);
            assert_true(seen->has_ended);
            assert_int_equal(seen->is_in_place, i > 0); /* there is a line in what was read before */
            free_seen(seen);
        }
    }
    free(lines);
}

static void a_long_line_is_one_block(void **state)
{
    (void)state;
    char line[20000];
    memset(line, 'x', sizeof line);
    line[3] = line[sizeof line - 9] = '\n';
    struct seen *seen = new_seen(NEVER);
    assert_true(run(line, sizeof line, 0, 10, 3, seen));
    assert_int_equal(seen->length, sizeof line);
    assert_true(seen->takes <= 4);
    free_seen(seen);
}

static void nothing_is_taken_after_a_failure(void **state)
{
    (void)state;
    size_t size;
    char *lines = make_lines(&size);
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        struct seen *seen = new_seen(5);
        assert_false(run(lines, size, 0, 200, threads, seen));
        assert_int_equal(seen->takes, 6);
        assert_memory_equal(seen->text, lines, seen->length);
        free_seen(seen);
    }
    free(lines);
}

static void what_the_source_says_comes_after_what_it_has_read(void **state)
{
    (void)state;
    /* A stored block, and then a wrong checksum. */
    unsigned char member[10 + 5 + 3000 + 8] = {
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1,
        3000 & 0xff, 3000 >> 8, ~3000 & 0xff, (~3000 >> 8) & 0xff};
    for (size_t i = 0; i < 3000; i++)
        member[15 + i] = i % 10 == 9 ? '\n' : 'a';
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        struct seen *seen = new_seen(NEVER);
        seen->name = threads % 2 == 0 ? "wrong.gz" : NULL;
        assert_false(run(member, sizeof member, 0, 100, threads, seen));
        assert_true(seen->length >= 2900);
        assert_false(seen->has_ended);
        assert_non_null(strstr(seen->messages, seen->name != NULL ? ": wrong.gz: " : ": : "));
        assert_non_null(strstr(seen->messages, "gzip"));
        assert_true(strtoul(seen->messages, NULL, 10) == seen->length);
        free_seen(seen);
    }
}

/* What is read ahead may fail after the block whose take fails: nothing is said of it. */
static void nothing_is_said_after_a_failure(void **state)
{
    (void)state;
    static const unsigned char member[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 4, 0, 0xfb, 0xff,
                                           'a', '\n', 'b', '\n', 0, 0, 0, 0, 4, 0, 0, 0};
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        struct seen *seen = new_seen(0);
        assert_false(run(member, sizeof member, 0, 1, threads, seen));
        assert_string_equal(seen->messages, "");
        free_seen(seen);
    }
}

static void nobody_need_listen(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        struct seen *seen = new_seen(NEVER);
        seen->is_deaf = true;
        assert_false(run("\x1f\x8b\x09\0\0\0\0\0\0\3", 10, 0, 100, threads, seen));
        assert_string_equal(seen->messages, "");
        assert_false(seen->has_ended);
        free_seen(seen);
    }
}

enum { PLENTY = 60 }; /* seconds, for what is over at once unless it hangs */

/* Helpers wait for input that never comes. */
static void a_failure_ends_it_where_the_input_stalls(void **state)
{
    (void)state;
    size_t size;
    char *lines = make_lines(&size);
    alarm(PLENTY);
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        struct seen *seen = new_seen(5);
        assert_false(run_stalled(lines, 1300, 200, threads, false, seen));
        assert_int_equal(seen->takes, 6);
        assert_memory_equal(seen->text, lines, seen->length);
        free_seen(seen);
    }
    alarm(0);
    free(lines);
}

/* A helper has the block that fails, and the calling thread has nothing to do but to read on. */
static void a_failure_is_seen_while_the_input_stalls(void **state)
{
    (void)state;
    static const char lines[] = "1234567\n2234567\n323";
    alarm(PLENTY);
    struct seen *seen = new_seen(1);
    assert_false(run_stalled(lines, sizeof lines - 1, 8, 2, true, seen));
    assert_int_equal(seen->takes, 2);
    free_seen(seen);
    alarm(0);
}

/* What the threads of a run have met at. */
struct meeting {
    struct seen *seen;
    pthread_barrier_t barrier; /* a block for each thread, before any goes on */
    atomic_uint prepared, by_taker;
    atomic_uint slots[1 + AHEAD * (THREADS - 1)]; /* how often each was used */
    unsigned wanted;
};

/* The first blocks are prepared at the same time, by all threads. */
static bool prepare_together(void *context, unsigned slot, struct text block)
{
    struct meeting *meeting = context;
    (void)block;
    unsigned number = atomic_fetch_add(&meeting->prepared, 1);
    if (number < meeting->wanted) {
        if (pthread_equal(pthread_self(), meeting->seen->taker))
            atomic_fetch_add(&meeting->by_taker, 1);
        atomic_fetch_add(&meeting->slots[slot], 1);
        pthread_barrier_wait(&meeting->barrier);
    }
    return true;
}

static bool take_anything(void *context, unsigned slot, struct text block, bool is_last)
{
    struct meeting *meeting = context;
    (void)slot;
    (void)is_last;
    meeting->seen->takes++;
    meeting->seen->length += text_length(block);
    return true;
}

/*
 * So many threads as were asked for do prepare blocks, each in a slot of its own: without this, one
 * thread could do all of the above. Blocks are as large as they are said to be.
 */
static void each_thread_prepares_blocks(void **state)
{
    (void)state;
    size_t size;
    char *lines = make_lines(&size), *path = scratch_path("meeting");
    write_file(path, lines, size);
    alarm(PLENTY);
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        for (unsigned ahead = 1; ahead <= AHEAD; ahead++) {
            struct meeting meeting = {.seen = new_seen(NEVER), .wanted = threads};
            struct diag diag = {.input = "lines"};
            struct source source;
            struct blocks_work work = {.threads = threads,
                                       .ahead = ahead,
                                       .block = 1000,
                                       .context = &meeting,
                                       .cut = cut_at_newline,
                                       .prepare = prepare_together,
                                       .take = take_anything};
            pthread_barrier_init(&meeting.barrier, NULL, threads);
            assert_true(source_open(&source, path, &diag));
            assert_true(blocks_run(&source, text_of(NULL, 0), &work));
            source_close(&source);
            pthread_barrier_destroy(&meeting.barrier);
            assert_int_equal(meeting.seen->length, size);
            assert_int_equal(meeting.prepared, meeting.seen->takes);
            assert_true((size_t)meeting.seen->takes >= size / 1000);
            assert_true((size_t)meeting.seen->takes <= size / 900 + 1);
            assert_int_equal(meeting.by_taker, 1);
            for (size_t i = 0; i < sizeof meeting.slots / sizeof meeting.slots[0]; i++)
                assert_true(meeting.slots[i] <= 1);
            free_seen(meeting.seen);
        }
    }
    alarm(0);
    free(path);
    free(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_taken_in_order),
        cmocka_unit_test(a_long_line_is_one_block),
        cmocka_unit_test(nothing_is_taken_after_a_failure),
        cmocka_unit_test(what_the_source_says_comes_after_what_it_has_read),
        cmocka_unit_test(nothing_is_said_after_a_failure),
        cmocka_unit_test(nobody_need_listen),
        cmocka_unit_test(a_failure_ends_it_where_the_input_stalls),
        cmocka_unit_test(a_failure_is_seen_while_the_input_stalls),
        cmocka_unit_test(each_thread_prepares_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
