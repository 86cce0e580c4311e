/* SPDX-License-Identifier: MIT */
/* Reports of progress: how much, of how much, in which order. */
#include "support.h"

#include "cg2wg_print.h"
#include "job.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 3000, FUNCTIONS = 5000 }; /* so that the output is more than one write */

/* What was reported. */
struct heard {
    size_t count[2]; /* of the calls, by stage */
    uint64_t done[2], total[2];
};

static bool hear(void *user, const struct cg2wg_progress *progress)
{
    struct heard *heard = user;
    enum cg2wg_stage stage = progress->stage;
    assert_true(stage == CG2WG_WRITING || heard->count[CG2WG_WRITING] == 0);
    assert_true(progress->done >= heard->done[stage]);
    assert_true(heard->count[stage] == 0 || stage == CG2WG_WRITING || progress->total == heard->total[stage]);
    heard->count[stage]++;
    heard->done[stage] = progress->done;
    heard->total[stage] = progress->total;
    return true;
}

/* A profile of several blocks. */
static char *make_profile(void)
{
    char *path = scratch_path("profile");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("version: 1\ncreator: xdebug 3.1.0\nevents: Time\n\n", file);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        fprintf(file, "fl=(1)%s\nfn=(%u) App\\Some->function%u\n1 %u\n\n", i == 0 ? " /a.php" : "", i + 1, i, i);
    fprintf(file, "summary: %u\n", FUNCTIONS * (FUNCTIONS - 1) / 2);
    assert_int_equal(fclose(file), 0);
    return path;
}

static uint64_t size_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return (uint64_t)st.st_size;
}

static struct heard convert_heard(const char *const *inputs, size_t count, unsigned format, char **output)
{
    struct heard heard = {.count = {0, 0}};
    struct cg2wg_options options = default_options();
    options.format = format;
    options.progress = hear;
    options.user = &heard;
    *output = scratch_path("output");
    assert_int_equal(convert_in_blocks(inputs, count, *output, &options, NULL, BLOCK), CG2WG_OK);
    return heard;
}

/* `most`: of the calls that report reading. */
static void assert_all_was_read(const struct heard *heard, uint64_t size, uint64_t most)
{
    assert_int_equal(heard->done[CG2WG_READING], size);
    assert_int_equal(heard->total[CG2WG_READING], size);
    assert_true(heard->count[CG2WG_READING] > 2 && heard->count[CG2WG_READING] <= most);
}

static void all_files_are_read_to_their_size(void **state)
{
    char *input = make_profile(), *output;
    uint64_t size = size_of(input);
    for (size_t count = 1; count <= 3; count += 2) {
        struct heard heard = convert_heard((const char *[]){input, input, input}, count, 7, &output);
        assert_all_was_read(&heard, count * size, count * (size / BLOCK * 2 + 4));
        free(output);
    }
    free(input);
}

static void what_is_written_is_known_nearly(void **state)
{
    char *input = make_profile();
    for (unsigned format = 4; format <= 7; format++) {
        char *output;
        struct heard heard = convert_heard((const char *[]){input}, 1, format, &output);
        uint64_t size = size_of(output);
        assert_int_equal(heard.done[CG2WG_WRITING], size);
        /* The header lines are not foreseen. */
        assert_in_range(heard.total[CG2WG_WRITING], size - 200, size);
        free(output);
    }
    free(input);
}

/* Runs PROGRAM -c FILE >COMPRESSED. Returns false if there is no such program. */
static bool compress_with(const char *program, const char *file, const char *compressed)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        int fd = open(compressed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd >= 0 && dup2(fd, STDOUT_FILENO) == STDOUT_FILENO)
            execlp(program, program, "-c", file, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *const programs[] = {"gzip", "zstd", "xz", "bzip2"};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static void compressed_files_are_measured_as_they_are(void **state)
{
    char *input = make_profile(), *compressed = scratch_path("compressed");
    for (size_t i = 0; i < PROGRAMS; i++) {
        char *output;
        if (!compress_with(programs[i], input, compressed))
            continue;
        struct heard heard = convert_heard((const char *[]){compressed}, 1, 7, &output);
        /* A decoder is ahead, so that there may be as many calls as decoded blocks. */
        assert_all_was_read(&heard, size_of(compressed), size_of(input));
        free(output);
    }
    free(compressed);
    free(input);
}

/* Converts a file that comes through a pipe on standard input. */
static struct heard convert_piped(const char *path, char **output)
{
    int ends[2], status, old = dup(STDIN_FILENO);
    size_t size;
    char *bytes = read_file(path, &size);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t at = 0; at < size;) {
            ssize_t count = write(ends[1], bytes + at, size - at);
            if (count <= 0)
                _exit(1);
            at += (size_t)count;
        }
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    struct heard heard = convert_heard((const char *[]){"-"}, 1, 7, output);
    dup2(old, STDIN_FILENO);
    close(old);
    assert_int_equal(waitpid(child, &status, 0), child);
    free(bytes);
    return heard;
}

/* For compressed input, the compressed bytes count. */
static void a_pipe_has_no_size(void **state)
{
    char *input = make_profile(), *compressed = scratch_path("compressed");
    for (size_t i = 0; i <= PROGRAMS; i++) {
        const char *piped = i < PROGRAMS ? compressed : input;
        char *output;
        if (i < PROGRAMS && !compress_with(programs[i], input, compressed))
            continue;
        struct heard heard = convert_piped(piped, &output);
        assert_int_equal(heard.done[CG2WG_READING], size_of(piped));
        assert_int_equal(heard.total[CG2WG_READING], 0);
        free(output);
    }
    free(compressed);
    free(input);
}

static void standard_input_is_measured_from_where_it_is(void **state)
{
    static const char rubbish[] = "123456789 skipped\n";
    char *input = make_profile(), *shifted = scratch_path("shifted"), *output;
    size_t size;
    char *bytes = read_file(input, &size);
    char *both = malloc(sizeof rubbish - 1 + size);
    assert_non_null(both);
    memcpy(both, rubbish, sizeof rubbish - 1);
    memcpy(both + sizeof rubbish - 1, bytes, size);
    write_file(shifted, both, sizeof rubbish - 1 + size);

    int old = dup(STDIN_FILENO), fd = open(shifted, O_RDONLY);
    assert_true(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
    assert_int_equal(lseek(STDIN_FILENO, sizeof rubbish - 1, SEEK_SET), sizeof rubbish - 1);
    struct heard heard = convert_heard((const char *[]){"-"}, 1, 7, &output);
    dup2(old, STDIN_FILENO);
    close(old);
    assert_all_was_read(&heard, size, size / BLOCK * 2 + 4);
    free(output);
    free(both);
    free(bytes);
    free(shifted);
    free(input);
}

static void stats_count_decoded_bytes(void **state)
{
    char *input = make_profile(), *compressed = scratch_path("compressed");
    char *output = scratch_path("output");
    const char *const inputs[] = {input, compressed};
    struct cg2wg_options options = default_options();
    struct cg2wg_stats stats = {.size = sizeof stats};
    if (compress_with("gzip", input, compressed)) {
        assert_int_equal(cg2wg_convert_all(inputs, 2, output, &options, &stats), CG2WG_OK);
        assert_int_equal(stats.bytes, 2 * size_of(input));
    }
    free(output);
    free(compressed);
    free(input);
}

/* Ends a conversion at one of its reports, and counts what follows. */
struct ender {
    unsigned left;      /* reports that let it go on */
    unsigned late;      /* reports after that */
    unsigned complaints;
    char last[80]; /* message */
};

static bool end_here(void *user, const struct cg2wg_progress *progress)
{
    (void)progress;
    struct ender *ender = user;
    if (ender->left > 0)
        return --ender->left > 0;
    ender->late++;
    return false;
}

static void note_message(void *user, const struct cg2wg_message *message)
{
    struct ender *ender = user;
    ender->complaints += message->severity == CG2WG_ERROR;
    snprintf(ender->last, sizeof ender->last, "%s", message->text);
}

/*
 * Ends it at its first report, its second one and so on, while reading and while writing. Of what comes
 * through a pipe, there are not always as many. Returns how often it ended while writing.
 */
static unsigned end_everywhere(const char *input, unsigned threads)
{
    char *output = scratch_path("output");
    unsigned read = 0, written = 0; /* conversions that ended there */
    for (unsigned left = 1;; left++) {
        struct ender ender = {.left = left};
        struct cg2wg_options options = default_options();
        options.progress = end_here;
        options.report = note_message;
        options.user = &ender;
        options.threads = threads;
        unlink(output);
        enum cg2wg_status status = convert_in_blocks(&input, 1, output, &options, NULL, BLOCK);
        if (ender.left > 0) {
            assert_int_equal(status, CG2WG_OK);
            assert_int_equal(access(output, F_OK), 0);
            assert_true(read > 2);
            free(output);
            return written;
        }
        assert_int_equal(status, CG2WG_FAILED);
        assert_int_equal(access(output, F_OK), -1);
        assert_int_equal(ender.complaints, 1);
        if (strcmp(ender.last, "interrupted while reading") == 0)
            read++;
        else if (strcmp(ender.last, "interrupted while writing: Interrupted system call") == 0)
            written++;
        assert_int_equal(read + written, left);
        assert_int_equal(ender.late, 0);
    }
}

static void a_report_that_returns_false_ends_it(void **state)
{
    char *input = make_profile(), *compressed = scratch_path("compressed");
    for (unsigned threads = 1; threads <= 2; threads++)
        assert_true(end_everywhere(input, threads) > 1);
    for (size_t i = 0; i < PROGRAMS; i++)
        if (compress_with(programs[i], input, compressed))
            end_everywhere(compressed, 1);
    free(compressed);
    free(input);
}

static bool remove_both(void *user, const struct cg2wg_progress *progress)
{
    char **inputs = user;
    (void)progress;
    unlink(inputs[0]);
    unlink(inputs[1]);
    return true;
}

/* When a comparison has begun to read the first of its files, it needs neither of their names any more. */
static void each_file_is_opened_once(void **state)
{
    const char *const events[] = {NULL, "all"};
    struct cg2wg_options options = default_options();
    struct cg2wg_view view;
    for (size_t i = 0; i < 2; i++) {
        char *input = make_profile(), *inputs[] = {scratch_path("base"), input};
        assert_int_equal(rename(input, inputs[0]), 0);
        free(make_profile());
        FILE *nowhere = fopen("/dev/null", "w");
        assert_non_null(nowhere);
        options.event = events[i];
        options.progress = remove_both;
        options.user = inputs;
        cg2wg_view_init(&view, sizeof view);
        view.base = inputs[0];
        assert_int_equal(cg2wg_print(inputs[1], &options, &view, nowhere, NULL), CG2WG_OK);
        assert_int_equal(access(inputs[0], F_OK), -1);
        fclose(nowhere);
        free(inputs[0]);
        free(inputs[1]);
    }
}

/* Each input of many on both sides of a comparison, and of a conversion, plain or compressed, by the system's count. */
static void no_input_is_opened_twice(void **state)
{
    (void)state;
#ifdef __linux__
    enum { EACH = 40 }; /* more than stay open */
    const char *names[2 * EACH + 1];
    struct cg2wg_options options = default_options();
    struct cg2wg_view view;
    struct inotify_event event;
    int watch = inotify_init1(IN_NONBLOCK);
    size_t size;
    char *profile = make_profile(), *bytes = read_file(profile, &size);
    for (size_t i = 0; i < 2 * EACH; i++) {
        char name[32];
        snprintf(name, sizeof name, "input-%zu", i);
        names[i] = scratch_path(name);
        if (i % 3 > 0 || !compress_with("gzip", profile, names[i]))
            write_file(names[i], bytes, size);
    }
    char *output = scratch_path("output");
    names[2 * EACH] = scratch_path("input-0.webgrind");
    assert_int_equal(cg2wg_convert(names[0], names[2 * EACH], NULL, NULL), CG2WG_OK);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (watch < 0 || inotify_add_watch(watch, names[i], IN_OPEN | IN_CLOSE) != (int)i + 1)
            skip();
    for (size_t run = 0; run < 3; run++) {
        unsigned opens[COUNT_OF(names) + 1] = {0};
        FILE *nowhere = fopen("/dev/null", "w");
        cg2wg_view_init(&view, sizeof view);
        view.base = names[0];
        view.more_bases = names + 1;
        view.more_base_count = EACH - 1;
        options.event = run == 1 ? "all" : NULL;
        if (run < 2)
            assert_int_equal(cg2wg_print_all(names + EACH, EACH, &options, &view, nowhere, NULL), CG2WG_OK);
        else
            assert_int_equal(cg2wg_convert_all(names, COUNT_OF(names), output, NULL, NULL), CG2WG_OK);
        fclose(nowhere);
        while (read(watch, &event, sizeof event) == sizeof event)
            opens[event.wd] += (event.mask & IN_OPEN) != 0;
        for (size_t i = 1; i <= COUNT_OF(names); i++)
            assert_int_equal(opens[i], run < 2 && i > 2 * EACH ? 0 : 1);
    }
    close(watch);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        unlink(names[i]);
        free((void *)names[i]);
    }
    unlink(output);
    free(output);
    free(bytes);
    free(profile);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_files_are_read_to_their_size),
        cmocka_unit_test(what_is_written_is_known_nearly),
        cmocka_unit_test(compressed_files_are_measured_as_they_are),
        cmocka_unit_test(a_pipe_has_no_size),
        cmocka_unit_test(standard_input_is_measured_from_where_it_is),
        cmocka_unit_test(stats_count_decoded_bytes),
        cmocka_unit_test(a_report_that_returns_false_ends_it),
        cmocka_unit_test(each_file_is_opened_once),
        cmocka_unit_test(no_input_is_opened_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
