/* SPDX-License-Identifier: MIT */
/*
 * Headings: the text that webgrind shows above a profile. Expectations are lines of the output, as
 * webgrind's reader uses them: the last `cmd:` line, and the first in its list of files.
 */
#include "support.h"
#include "util/little.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of the first or last line with that key in the headers of an output; "" if there is none. */
static char *header_of(const struct conversion_result *result, const char *key, bool last)
{
    char *found = strdup("");
    size_t length = strlen(key);
    for (const unsigned char *p = result->bytes; p < result->bytes + result->size; p++) {
        const unsigned char *end = memchr(p, '\n', (size_t)(result->bytes + result->size - p));
        if (end == NULL)
            break;
        if ((size_t)(end - p) > length && memcmp(p, key, length) == 0 && p[length] == ':') {
            bool is_first = *found == '\0';
            if (is_first || last) {
                free(found);
                found = strndup((const char *)p + length + 2, (size_t)(end - p) - length - 2);
            }
        }
        p = end;
    }
    return found;
}

static void assert_header(const struct conversion_result *result, const char *key, const char *expected)
{
    if (result->status != CG2WG_OK)
        fail_msg("%s", result->messages);
    size_t headers = little4(result->bytes + 4);
    assert_null(memchr(result->bytes + headers, '\0', result->size - headers)); /* they are text */
    for (int last = 0; last < 2; last++) {
        char *found = header_of(result, key, last != 0);
        if (strcmp(found, expected) != 0)
            fail_msg("%s: found %s, expected %s", key, found, expected);
        free(found);
    }
}

static void assert_heading_of(const char *const *profiles, size_t count,
                              const struct cg2wg_options *options, const char *expected)
{
    struct conversion_result result = convert_texts(profiles, count, options);
    assert_header(&result, "cmd", expected);
    conversion_free(&result);
}

static void assert_heading(const char *profile, const struct cg2wg_options *options, const char *expected)
{
    assert_heading_of(&profile, 1, options, expected);
}

/* ---- units -------------------------------------------------------------------------------- */

static void what_is_shown_right_needs_no_note(void **state)
{
    static const char *const events[] = {"Time_(10ns) Memory_(bytes)", "Time", "Time Memory", "ms", "ns", "cpu(ms)"};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        char profile[200];
        snprintf(profile, sizeof profile, "cmd: /a.php\nevents: %s\nsummary: 30\nfn=f\n1 30\n", events[i]);
        assert_heading(profile, NULL, "/a.php");
    }
    assert_heading("events: Time\nsummary: 3\nfn=f\n1 3\n", NULL, "");
    assert_heading("cmd: /a.php\nsummary: 3\nfn=f\n1 3\n", NULL, "/a.php");
}

static void what_is_no_time_says_so(void **state)
{
    struct cg2wg_options options = default_options();
    assert_heading("cmd: ./a b\nevents: Ir Dr\nsummary: 3 1\nfn=f\n1 3 1\n", NULL, "./a b [costs in Ir]");
    assert_heading("cmd:  ./a\nevents: Samples\nsummary: 3\nfn=f\n1 3\n", NULL, " ./a [costs in Samples]");
    assert_heading("events: Ticks\nsummary: 3\nfn=f\n1 3\n", NULL, "[costs in Ticks]");
    options.event = "Memory_(bytes)";
    assert_heading("cmd: /a.php\nevents: Time_(10ns) Memory_(bytes)\nsummary: 30 8\nfn=f\n1 30 8\n", &options,
                   "/a.php [costs in Memory_(bytes)]");
    options.event = "Ir + 10 cpu_ms"; /* no time, though it ends like one */
    assert_heading("cmd: ./a\nevents: Ir cpu_ms\nsummary: 3 1\nfn=f\n1 3 1\n", &options,
                   "./a [costs in Ir_+_10_cpu_ms]");
}

static void a_divisor_is_reported(void **state)
{
    struct cg2wg_options options = default_options();
    options.scale = 1000;
    assert_heading("cmd: ./a\nevents: Ir\nsummary: 3000\nfn=f\n1 3000\n", &options,
                   "./a [costs in Ir, divided by 1000]");
    options.scale = 2;
    assert_heading("cmd: ./a\nevents: Ir\nsummary: 3000\nfn=f\n1 3000\n", &options, "./a [costs in Ir, divided by 2]");
    options.scale = 1000;
    assert_heading("cmd: ./a\nevents: Ir_(x10)\nsummary: 3000\nfn=f\n1 3000\n", &options,
                   "./a [costs in Ir, divided by 10000]");
    assert_heading("cmd: ./a\nevents: Time_(10ns)\nsummary: 3000\nfn=f\n1 3000\n", &options,
                   "./a [costs in microseconds, divided by 10]");
    assert_heading("cmd: ./a\nsummary: 3000\nfn=f\n1 3000\n", &options, "./a [costs divided by 1000]");
    options.scale = 100; /* microseconds, as webgrind takes them */
    assert_heading("cmd: ./a\nevents: Time_(10ns)\nsummary: 3000\nfn=f\n1 3000\n", &options, "./a");
    options.scale = 2;
    assert_heading("cmd: ./a\nevents: Time_(10ns)\nsummary: 3000\nfn=f\n1 3000\n", &options, "./a [costs in 20 ns]");
    options.scale = CG2WG_SCALE_NONE;
    assert_heading("cmd: ./a\nevents: ns\nsummary: 3000\nfn=f\n1 3000\n", &options, "./a [costs in ns]");
    options.scale = CG2WG_SCALE_AUTO;
    assert_heading("cmd: ./a\nevents: Ir\nsummary: 4294967296\nfn=f\n1 4294967296\n", &options,
                   "./a [costs in Ir, divided by 10]");
    assert_heading("cmd: ./a\nevents: Ir_(x10000000000000000000)\nsummary: 1\nfn=f\n1 4294967296\n", &options,
                   "./a [costs in Ir_(x10000000000000000000), divided by 10]");
}

/* A name may be as long as the file, and every run has a heading. It ends with a whole character. */
static void long_names_are_cut(void **state)
{
    assert_heading("cmd: ./a\nevents: a123456789b123456789c123456789d123456789e123456789f12345678\xc3\xa9x\n"
                   "summary: 3\nfn=f\n1 3\n", NULL,
                   "./a [costs in a123456789b123456789c123456789d123456789e123456789f12345678]");
}

/* ---- merged files ------------------------------------------------------------------------- */

#define RUN(cmd, event) "creator: xdebug 3.2.0\ncmd: " cmd "\nevents: " event "\nsummary: 3\nfn=f\n1 3\n"

static void a_merged_file_says_what_was_merged(void **state)
{
    static const char nameless[] = "creator: xdebug 3.2.0\nevents: Time\nsummary: 3\nfn=f\n1 3\n";
    static const struct {
        const char *profiles[6];
        const char *expected;
    } cases[] = {
        {{RUN("/a.php", "Time"), RUN("/a.php", "Time"), RUN(" /a.php", "Time")}, "3 profiles of /a.php"},
        {{RUN("/a.php", "Time"), RUN("/b.php", "Time")}, "2 profiles of /a.php and /b.php"},
        {{RUN("/a.php", "Time"), RUN("/b.php", "Time"), RUN("/a.php", "Time"), RUN("/c.php", "Time")},
         "4 profiles of /a.php, /b.php and /c.php"},
        {{RUN("/a", "Time"), RUN("/b", "Time"), RUN("/c", "Time"), RUN("/d", "Time"), RUN("/e", "Time")},
         "5 profiles of /a, /b, /c and 2 more"},
        {{RUN("./a", "Ir"), RUN("./a", "Ir")}, "2 profiles of ./a [costs in Ir]"},
        {{nameless, nameless, nameless}, "3 profiles"},
        {{nameless, RUN("/a", "Time")}, "2 profiles of unknown and /a"},
        /* One file with two runs, and another. */
        {{RUN("/a", "Time") "\ncmd: /a\nevents: Time\nsummary: 3\nfn=f\n1 3\n", RUN("/b", "Time")},
         "3 profiles of /a and /b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t count = 0;
        while (count < 6 && cases[i].profiles[count] != NULL)
            count++;
        assert_heading_of(cases[i].profiles, count, NULL, cases[i].expected);
    }
}

/* webgrind's own preprocessor keeps both, and so does cg2wg. */
static void runs_of_one_file_are_not_merged(void **state)
{
    struct conversion_result result =
        convert_text(RUN("/a", "Time") "\ncmd: /b\nevents: Time\nsummary: 3\nfn=f\n1 3\n", NULL);
    char *first = header_of(&result, "cmd", false), *last = header_of(&result, "cmd", true);
    assert_string_equal(first, "/a");
    assert_string_equal(last, "/b");
    free(first);
    free(last);
    conversion_free(&result);
}

/* Writes what some profiles make to a file. */
static void merge(const char *path, const char *const *inputs, size_t count, unsigned format)
{
    struct cg2wg_options options = default_options();
    options.format = format;
    struct conversion_result result = convert_files(inputs, count, &options);
    if (result.status != CG2WG_OK)
        fail_msg("%s", result.messages);
    write_file(path, result.bytes, result.size);
    conversion_free(&result);
}

static void merging_in_steps_makes_the_same_heading(void **state)
{
    static const char *const profiles[] = {
        RUN("./a <b>", "Ir"), RUN("./b: 2 profiles of x [costs in Ir]", "Ir"), RUN("./a <b>", "Ir"),
        "creator: xdebug 3.2.0\nevents: Ir\nsummary: 3\nfn=f\n1 3\n", RUN("./c", "Ir")};
    enum { COUNT = sizeof profiles / sizeof profiles[0] };
    char *inputs[COUNT], *all = scratch_path("all"), *left = scratch_path("left"),
         *right = scratch_path("right"), *both = scratch_path("both");
    for (size_t i = 0; i < COUNT; i++) {
        char name[20];
        snprintf(name, sizeof name, "step%zu", i);
        inputs[i] = scratch_path(name);
        write_file(inputs[i], profiles[i], strlen(profiles[i]));
    }
    for (unsigned format = 5; format <= 7; format++) {
        size_t all_size, both_size;
        merge(all, (const char *const *)inputs, COUNT, format);
        char *expected = read_file(all, &all_size);
        for (size_t cut = 1; cut < COUNT; cut++) {
            const char *const halves[] = {left, right};
            merge(left, (const char *const *)inputs, cut, format);
            merge(right, (const char *const *)inputs + cut, COUNT - cut, format);
            merge(both, halves, 2, format);
            char *found = read_file(both, &both_size);
            assert_int_equal(both_size, all_size);
            assert_memory_equal(found, expected, all_size);
            free(found);
        }
        free(expected);
    }
    for (size_t i = 0; i < COUNT; i++)
        free(inputs[i]);
    free(all);
    free(left);
    free(right);
    free(both);
}

/* With any unit, a heading that is read again is written unchanged. */
static void a_heading_comes_back(void **state)
{
    static const char *const profiles[] = {RUN("./a", "Ir"),
                                           RUN("./a [costs in Ir]", "Ir"),
                                           RUN("./a [costs in Dr]", "Ir"),
                                           RUN("./a [costs in Ir]", "Time"),
                                           "events: Ir\nsummary: 3\nfn=f\n1 3\n",
                                           RUN("./a", "Ir_(x10)"),
                                           RUN("./a", "Time_(20ns)"),
                                           RUN("x", "Time")};
    char *path = scratch_path("again");
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        struct conversion_result once = convert_text(profiles[i], NULL);
        write_file(path, once.bytes, once.size);
        struct conversion_result twice = convert_file(path, NULL);
        assert_int_equal(twice.size, once.size);
        assert_memory_equal(twice.bytes, once.bytes, once.size);
        conversion_free(&once);
        conversion_free(&twice);
    }
    free(path);
}

/* A profile cannot say of itself that it is merged. */
static void a_profiles_own_lines_do_not_count(void **state)
{
    struct conversion_result result = convert_text("cg2wg-cmd: 9 /x\n" RUN("/a", "Time"), NULL);
    assert_header(&result, "cmd", "/a");
    assert_header(&result, "cg2wg-cmd", "");
    conversion_free(&result);
}

/* ---- titles ------------------------------------------------------------------------------- */

static void a_title_is_the_heading(void **state)
{
    static const char *const profiles[] = {RUN("./a", "Ir"), RUN("./b", "Ir")};
    struct cg2wg_options options = default_options();
    options.title = "Nightly";
    assert_heading_of(profiles, 1, &options, "Nightly");
    assert_heading_of(profiles, 2, &options, "Nightly");
    assert_heading("events: Time\nsummary: 3\nfn=f\n1 3\n", &options, "Nightly");
    options.title = "a: <b>\n\xff";
    assert_heading_of(profiles, 1, &options, "a:\xe2\x81\xa0 <\xe2\x81\xa0" "b>??");
}

static void a_title_replaces_a_command_later(void **state)
{
    struct cg2wg_options options = default_options();
    options.title = "Nightly: 1";
    struct conversion_result result = convert_text(RUN("./a", "Ir"), &options);
    char *path = scratch_path("titled");
    write_file(path, result.bytes, result.size);
    conversion_free(&result);
    result = convert_file(path, NULL); /* as webgrind has it done if the file is among profiles */
    assert_header(&result, "cmd", "Nightly:\xe2\x81\xa0 1 [costs in Ir]");
    conversion_free(&result);
    const char *const twice[] = {path, path};
    result = convert_files(twice, 2, NULL);
    assert_header(&result, "cmd", "2 profiles of Nightly:\xe2\x81\xa0 1 [costs in Ir]");
    conversion_free(&result);
    result = convert_text(RUN("./a", "Time"), &options);
    write_file(path, result.bytes, result.size);
    conversion_free(&result);
    result = convert_file(path, NULL); /* nothing else in it has to change */
    assert_header(&result, "cmd", "Nightly:\xe2\x81\xa0 1");
    conversion_free(&result);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown_right_needs_no_note),
        cmocka_unit_test(what_is_no_time_says_so),
        cmocka_unit_test(a_divisor_is_reported),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(a_merged_file_says_what_was_merged),
        cmocka_unit_test(runs_of_one_file_are_not_merged),
        cmocka_unit_test(merging_in_steps_makes_the_same_heading),
        cmocka_unit_test(a_heading_comes_back),
        cmocka_unit_test(a_profiles_own_lines_do_not_count),
        cmocka_unit_test(a_title_is_the_heading),
        cmocka_unit_test(a_title_replaces_a_command_later),
    };
    return cmocka_run_group_tests_name("heading", tests, NULL, NULL);
}
