/* SPDX-License-Identifier: MIT */
/*
 * Merging profiles. Expectations are computed by hand or, for random profiles, added up by the test
 * itself.
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void assert_merged(const char *const *profiles, size_t count,
                          const struct cg2wg_options *options, const char *expected)
{
    check_conversion(convert_texts(profiles, count, options), "", expected);
}

/* The same for an output that contains `shown`, with any messages. */
static void assert_shown(const char *const *profiles, size_t count, const struct cg2wg_options *options,
                         const char *shown)
{
    struct conversion_result result = convert_texts(profiles, count, options);
    if (result.status != CG2WG_OK || strstr(result.dump, shown) == NULL)
        fail_msg("found %s%s, expected %s", result.messages, result.dump, shown);
    conversion_free(&result);
}

/* ---- sums --------------------------------------------------------------------------------- */

#define VALGRIND_1                                                                    \
    "creator: callgrind-3.22.0\npid: 1\nevents: Ir Dr\nsummary: 15 1\n"               \
    "ob=x\nfl=a.c\nfn=main\n1 1 1\ncfn=f\ncalls=3 5\n2 10 0\nfn=f\n5 10 0\n"          \
    "fl=b.c\nfn=f\n1 4 0\n"
#define VALGRIND_2                                                                    \
    "creator: callgrind-3.22.0\npid: 2\nevents: Ir Dr\nsummary: 700 1\n"              \
    "ob=x\nfl=c.c\nfn=g\n9 300 0\nfl=a.c\nfn=f\n5 100 0\n"                            \
    "fn=main\n1 200 0\ncfn=f\ncalls=4 5\n2 100 0\ncfi=c.c\ncfn=g\ncalls=2 9\n3 300 0\n"

/* A part without costs has a total of 0, also where it is read back: the others' totals are all there is. */
static void a_total_of_0_is_left_as_it_is_where_there_are_others(void **state)
{
    static const char profile[] = "events: Ir\nsummary: 0\nfn=f\n1 0\n"
                                  "part: 2\nsummary: 8\nfn=f\n2 8\n"
                                  "part: 3\nsummary: 0\nfn=f\n3 0\n";
    struct conversion_result once = convert_text(profile, NULL);
    assert_string_equal(once.messages, "");
    struct conversion_result twice = convert_bytes(once.bytes, once.size, NULL);
    assert_string_equal(twice.messages, "");
    assert_string_equal(twice.dump, "- f line=1 self=8 incl=8 inv=1\n"
                                    "header: events: Ir\nheader: summary: 0\nheader: part: 2\n"
                                    "header: summary: 8\nheader: part: 3\nheader: summary: 0\n");
    conversion_free(&once);
    conversion_free(&twice);
}

/* ---- events ------------------------------------------------------------------------------- */

static void events_are_mapped_by_name(void **state)
{
    static const char *const profiles[] = {
        "events: Ir Dr\nsummary: 3 4\nfn=f\n1 3 4\n",
        "events: Dw Dr Ir\nsummary: 10 20 30\nfn=f\n1 10 20 30\n",
    };
    struct cg2wg_options options = options_for("Dr");
    assert_merged(profiles, COUNT(profiles), &options,
                  "- f line=1 self=24 incl=24 inv=2\n"
                  "header: events: Dr\nheader: summary: 4\nheader: events: Dr\nheader: summary: 20\n");
    options.event = "X = Ir + 2 Dr";
    assert_merged(profiles, COUNT(profiles), &options,
                  "- f line=1 self=81 incl=81 inv=2\n"
                  "header: events: X\nheader: summary: 11\nheader: events: X\nheader: summary: 70\n");
}

/* webgrind takes the first number of each summary: that of Ir has to be first. */
static void the_first_inputs_event_is_that_of_all(void **state)
{
    static const char *const profiles[] = {
        "events: Ir Dr\nsummary: 3 4\nfn=f\n1 3 4\n",
        "events: Dr Ir\nsummary: 20 30\nfn=f\n1 20 30\n",
    };
    struct conversion_result result = convert_texts(profiles, COUNT(profiles), NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "- f line=1 self=33 incl=33 inv=2\n"));
    assert_non_null(strstr(result.dump, "header: summary: 3"));
    assert_non_null(strstr(result.dump, "header: summary: 30"));
    assert_null(strstr(result.dump, "header: summary: 20"));
    conversion_free(&result);
}

/* Keeps the file of the last error. */
struct last_error {
    char file[200], text[400];
};

static void keep_error(void *user, const struct cg2wg_message *message)
{
    struct last_error *last = user;
    if (message->severity != CG2WG_ERROR)
        return;
    snprintf(last->file, sizeof last->file, "%s", message->file != NULL ? message->file : "");
    snprintf(last->text, sizeof last->text, "%s", message->text);
}

/* Converts files; the conversion has to fail, with an error about file number `culprit`. */
static void assert_culprit(const char *const *profiles, size_t count, size_t culprit, const char *event,
                           const char *word)
{
    struct last_error last = {"", ""};
    struct cg2wg_options options = default_options();
    char *paths[4], *output = scratch_path("merged");
    options.event = event;
    options.report = keep_error;
    options.user = &last;
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "part%zu", i);
        paths[i] = scratch_path(name);
        write_file(paths[i], profiles[i], strlen(profiles[i]));
    }
    assert_int_equal(cg2wg_convert_all((const char *const *)paths, count, output, &options, NULL), CG2WG_FAILED);
    assert_string_equal(last.file, paths[culprit]);
    if (strstr(last.text, word) == NULL)
        fail_msg("found error \"%s\", expected it to name %s", last.text, word);
    FILE *file = fopen(output, "rb");
    assert_null(file);
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(output);
}

static void an_event_that_one_input_lacks_is_an_error_that_names_it(void **state)
{
    static const char *const profiles[] = {
        "events: Ir Dr\nsummary: 3 4\nfn=f\n1 3 4\n",
        "events: Ir Dw\nsummary: 3 4\nfn=f\n1 3 4\n",
        "events: Dw Dr\nsummary: 3 4\nfn=f\n1 3 4\n",
    };
    assert_culprit(profiles, COUNT(profiles), 2, NULL, "Ir");
    assert_culprit(profiles, COUNT(profiles), 2, "Ir", "Ir");
    assert_culprit(profiles, COUNT(profiles), 1, "Dr", "Dr");
    assert_culprit(profiles, COUNT(profiles), 0, "Dw", "Dw");
    assert_culprit(profiles, COUNT(profiles), 1, "Ir + Dr", "Dr");
}

/* A formula of one file is not known in another. */
static void a_formula_has_to_be_known_in_each_input(void **state)
{
    static const char *const profiles[] = {
        "event: S = Ir + Dr\nevents: Ir Dr\nsummary: 3 4\nfn=f\n1 3 4\n",
        "events: Ir Dr\nsummary: 3 4\nfn=f\n1 3 4\n",
    };
    assert_culprit(profiles, COUNT(profiles), 1, "S", "S");
}

static void an_input_that_is_no_profile_is_an_error_that_names_it(void **state)
{
    static const char *const profiles[] = {"events: Ir\nsummary: 3\nfn=f\n1 3\n", "hello\n",
                                           "events: Ir\nsummary: 3\nfn=f\n1 3\n"};
    static const char *const empty[] = {"", "events: Ir\nsummary: 3\nfn=f\n1 3\n"};
    assert_culprit(profiles, COUNT(profiles), 1, NULL, "");
    assert_culprit(empty, COUNT(empty), 0, NULL, "");
}

/* ---- Xdebug ------------------------------------------------------------------------------- */

#define XDEBUG_1                                                                       \
    "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\nfl=/a.php\nfn=f\n5 3 0\n" \
    "fn={main}\n1 20 0\ncfn=f\ncalls=1 0 0\n2 3 0\nsummary: 23 0\n"
#define XDEBUG_2                                                                       \
    "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\nfl=/a.php\nfn=g\n8 4 0\n" \
    "fn=f\n5 30 0\ncfn=g\ncalls=1 0 0\n6 4 0\nfn={main}\n1 200 0\ncfn=f\n"              \
    "calls=1 0 0\n2 34 0\nsummary: 234 0\n"

/* ---- runs of different units in one file ---------------------------------------------------- */

/* r calls itself by way of a proxy and of s; costs in microseconds. */
#define XDEBUG_2_RUN                                                                          \
    "version: 0.9.6\npart: 1\n\nevents: Time\n\n"                                              \
    "fl=/a.php\nfn=r\n1 7\n\n"                                                                \
    "fl=php:internal\nfn=php::call_user_func\n1 1\ncfn=r\ncalls=1 0 0\n4 7\n\n"               \
    "fl=/a.php\nfn=s\n5 2\ncfn=php::call_user_func\ncalls=1 0 0\n6 8\n\n"                     \
    "fl=/a.php\nfn=r\n1 20\ncfn=s\ncalls=1 0 0\n2 10\n\n"                                     \
    "fl=/a.php\nfn={main}\n\nsummary: 100\n\n9 70\ncfn=r\ncalls=1 0 0\n10 30\n\n"
/* The same calls; costs in tens of nanoseconds. */
#define XDEBUG_3_RUN                                                                          \
    "version: 1\ncreator: xdebug 3.1.0\npart: 1\npositions: line\n\n"                           \
    "events: Time_(10ns) Memory_(bytes)\n\n"                                                  \
    "fl=(1) /a.php\nfn=(1) r\n1 300 1\n\n"                                                    \
    "fl=(2) php:internal\nfn=(2) php::call_user_func\n1 50 1\ncfl=(1)\ncfn=(1)\n"             \
    "calls=1 0 0\n4 300 1\n\n"                                                                \
    "fl=(1)\nfn=(3) s\n5 150 1\ncfl=(2)\ncfn=(2)\ncalls=1 0 0\n6 350 2\n\n"                   \
    "fl=(1)\nfn=(1)\n1 500 1\ncfl=(1)\ncfn=(3)\ncalls=1 0 0\n2 500 3\n\n"                     \
    "fl=(1)\nfn=(4) {main}\n9 4000 1\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n10 1000 4\n\n"           \
    "summary: 5000 5\n\n"

/* 100 us and 5000 (10 ns) are 15000 (10 ns). */
static void runs_of_xdebug_2_and_3_in_one_file_get_one_unit(void **state)
{
    struct cg2wg_options options = options_to(6);
    static const char *const orders[] = {XDEBUG_2_RUN XDEBUG_3_RUN, XDEBUG_3_RUN XDEBUG_2_RUN};
    static const char *const events[] = {NULL, "Time", "Time_(10ns)"};
    for (size_t i = 0; i < 6; i++) {
        options.event = events[i % 3];
        struct conversion_result result = convert_text(orders[i / 3], &options);
        assert_string_equal(result.messages, "");
        assert_non_null(strstr(result.dump, "/a.php {main} self=11000 incl=15000 inv=2\n"));
        assert_non_null(strstr(result.dump, "  to r:10 x2 =4000\n"));
        assert_non_null(strstr(result.dump, "/a.php r self=3500 incl=5000 inv=4\n"));
        assert_non_null(strstr(result.dump, "  to s:2 x2 =1500\n"));
        const char *events_line = strstr(result.dump, "header: events: Time_(10ns)\n");
        assert_non_null(events_line);
        assert_non_null(strstr(events_line + 1, "header: events: Time_(10ns)\n"));
        conversion_free(&result);
    }
    options.event = "Memory_(bytes)"; /* which Xdebug 2 did not count */
    struct conversion_result result = convert_text(orders[0], &options);
    assert_int_equal(result.status, CG2WG_FAILED);
    conversion_free(&result);
}

/* Among several times, the one of the same name is the same, in any unit: 5 ms and 2000 us. */
static void of_several_times_the_one_of_the_same_name_is_added(void **state)
{
    static const char *const profiles[][2] = {
        {"events: cpu_ms\nfn=f\n1 5\n", "events: wall_us cpu_us\nfn=f\n1 9000 2000\n"},
        {"events: cpu_(ms)\nfn=f\n1 5\n", "events: wall_(us) cpu_us\nfn=f\n1 9000 2000\n"},
        {"events: cpu(ms)\nfn=f\n1 5\n", "events: wall/nanoseconds cpu-us\nfn=f\n1 9000 2000\n"},
    };
    struct cg2wg_options options = default_options();
    for (size_t i = 0; i < COUNT(profiles); i++) {
        assert_shown(profiles[i], 2, &options, "- f line=1 self=7000 ");
    }
}

static void joined(char *file, const char *const *runs, size_t count)
{
    *file = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(file, runs[i]);
}

/* Also for what is kept until the end: trees, records that are replayed, proxies that wait. */
static void runs_of_different_units_are_what_the_files_are(void **state)
{
    static const char *const proxies[] = {"php::call_user_func"};
    static const char scaled[] = "version: 1\ncreator: xdebug 3.1.0\n\nevents: Time_(x3)\n\n"
                                 "fl=/a.php\nfn=r\n1 5\n\n"
                                 "fl=php:internal\nfn=php::call_user_func\n1 2\ncfl=/a.php\n"
                                 "cfn=r\ncalls=1 0 0\n4 5\n\n" /* which nobody calls */
                                 "fl=/a.php\nfn=r\n1 5\n\nfl=/a.php\nfn={main}\n9 1\n"
                                 "cfn=r\ncalls=1 0 0\n10 5\n\nsummary: 13\n\n"; /* 300 of 10 ns */
    static const char *const all[][5] = {{XDEBUG_1, XDEBUG_2},
                                         {XDEBUG_2_RUN, XDEBUG_3_RUN},
                                         {XDEBUG_3_RUN, XDEBUG_2_RUN},
                                         {scaled, XDEBUG_2_RUN, XDEBUG_3_RUN},
                                         {XDEBUG_2_RUN, scaled, XDEBUG_3_RUN, scaled, XDEBUG_2_RUN},
                                         {scaled, scaled, XDEBUG_2_RUN, XDEBUG_2_RUN}};
    for (size_t i = 0; i < COUNT(all); i++) {
        size_t count = 0;
        while (count < 5 && all[i][count] != NULL)
            count++;
        char file[5 * sizeof XDEBUG_3_RUN];
        joined(file, all[i], count);
        for (unsigned kind = 0; kind < 4 * 2 * 2 * 2; kind++) {
            struct cg2wg_options options = options_to(4 + kind % 4);
            options.inclusive = kind & 4 ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_SUM;
            options.proxies = proxies;
            options.proxy_count = kind & 8 ? 1 : 0;
            options.event = kind & 16 ? "Time" : NULL;
            struct conversion_result a = convert_texts(all[i], count, &options);
            struct conversion_result b = convert_text(file, &options);
            assert_int_equal(a.status, CG2WG_OK);
            assert_string_equal(a.dump, b.dump);
            conversion_free(&a);
            conversion_free(&b);
        }
    }
}

/* What does not fit 64 bits in the smaller unit is as large as can be, and that is said. */
static void a_unit_may_be_too_small_for_what_was_before(void **state)
{
    assert_shows("events: Time\nfn=f\n1 9000000000000000000\n\ntotals: 9000000000000000000\n"
                 "events: Time_(10ns)\nfn=g\n1 1\n\ntotals: 1\n", NULL, NULL, "64 bits");
}

/* A call is not tied to an invocation of another file. */
static void each_tree_is_its_own(void **state)
{
    static const char *const profiles[] = {
        "creator: xdebug 3.2.0\nevents: Time\nsummary: 3\nfn=f\n5 3\n",
        "creator: xdebug 3.2.0\nevents: Time\nsummary: 7\nfn={main}\n1 7\ncfn=f\ncalls=1 0 0\n2 3\n",
    };
    struct cg2wg_options options = options_to(4);
    assert_shown(profiles, 2, &options, "  #0 self=3 incl=3 from nobody\n  #1 self=0 incl=3 from {main}#0:2 =3\n");
}

/* yappi's Ticks are microseconds, whichever comes first: 513 of them and 6906 tens of nanoseconds are 58206. */
static void yappi_and_xdebug_get_one_unit(void **state)
{
    static const char yappi[] = "creator: yappi\nevents: Ticks\nfl=a.py\nfn=f\n5 513\nsummary: 513\n";
    static const char xdebug[] =
        "creator: xdebug 3.2.0\nevents: Time_(10ns)\nsummary: 6906\n\nfl=b.php\nfn=g\n6 6906\n";
    const char *const orders[][2] = {{yappi, xdebug}, {xdebug, yappi}};
    static const char *const events[] = {NULL, "Time"};
    for (size_t i = 0; i < 4; i++) {
        struct cg2wg_options options = options_for(events[i / 2]);
        assert_shown(orders[i % 2], 2, &options, "a.py f line=5 self=51300 ");
        assert_shown(orders[i % 2], 2, &options, "b.php g line=6 self=6906 ");
    }
}

/* With the same identity they are the same functions. */
static void with_one_identity_they_are_one_function(void **state)
{
    static const char *const profiles[] = {
        "creator: xdebug 3.2.0\nevents: Time\nsummary: 3\nfl=a.php\nfn=f\n5 1\nfl=b.php\nfn=f\n6 2\n",
        "creator: other\nevents: Time\nsummary: 60\nob=x\nfl=b.php\nfn=f\n5 60\n",
    };
    struct cg2wg_options options = default_options();
    options.identity = CG2WG_IDENTITY_NAME;
    assert_shown(profiles, 2, &options, "a.php f line=5 self=63 incl=63 inv=3\nheader: ");
    options.identity = CG2WG_IDENTITY_FILE;
    assert_shown(profiles, 2, &options,
                 "a.php f line=5 self=1 incl=1 inv=1\nb.php f line=6 self=62 incl=62 inv=2\nheader: ");
}

/* No tree of the whole is known then: each function is written as one invocation. */
static void version_4_of_both_kinds_is_written_from_sums(void **state)
{
    static const char xdebug[] = "creator: xdebug 3.2.0\nevents: Time\nsummary: 10\nfn=f\n5 1\n"
                                 "fn=f\n5 2\nfn={main}\n1 7\ncfn=f\ncalls=1 0 0\n2 1\ncfn=f\n"
                                 "calls=1 0 0\n3 2\n";
    static const char sums[] = "creator: other\nevents: Time\nsummary: 60\nfl=c\nfn=g\n5 60\n";
    static const char *const orders[2][2] = {{xdebug, sums}, {sums, xdebug}};
    struct cg2wg_options options = options_to(4);
    for (size_t i = 0; i < 2; i++) {
        struct conversion_result result = convert_texts(orders[i], 2, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "- f self=3 incl=3 calls=3 inv=1\n"
                                            "  #0 self=3 incl=3 from {main}#0:2 =3\n"));
        assert_non_null(strstr(result.dump, "- {main} self=7 incl=10 calls=0 inv=1\n"
                                            "  #0 self=7 incl=10 from nobody\n"
                                            "    to f#0:2 =1\n    to f#0:3 =2\n"));
        assert_non_null(strstr(result.dump, "c g self=60 incl=60 calls=0 inv=1\n"));
        assert_non_null(strstr(result.dump, "header: summary: 70\n"));
        conversion_free(&result);
    }
}

/* ---- all together ------------------------------------------------------------------------- */

/* A cost of 3 thousand million fits; two of them do not. */
static void costs_are_scaled_when_all_are_merged(void **state)
{
    static const char *const profiles[] = {"events: Ir\nsummary: 3000000004\nfn=f\n1 3000000004\n",
                                           "events: Ir\nsummary: 3000000004\nfn=f\n1 3000000004\n"};
    struct conversion_result result = convert_texts(profiles, 2, NULL);
    assert_non_null(strstr(result.dump, "- f line=1 self=600000001 incl=600000001 inv=2\n"
                                        "header: events: Ir_(x10)\n"));
    assert_non_null(strstr(result.messages, "note: "));
    conversion_free(&result);
}

/* The runs are the number of summaries; a missing one is computed for its input. */
static void each_input_is_a_run(void **state)
{
    static const char *const profiles[] = {"events: Ir\nsummary: 5\nfn=f\n1 4\n", "events: Ir\nfn=f\n1 7\n",
                                           "events: Ir\nsummary: 30\nfn=f\n1 30\n"};
    struct preprocessed p;
    struct diag diag = {.report = NULL};
    unsigned runs;
    struct conversion_result result = convert_texts(profiles, 3, NULL);
    char *output = scratch_path("output");
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.messages, "warning: "));
    assert_true(preprocessed_read(&p, output, &diag));
    assert_true(preprocessed_total(&p, &runs) == 42);
    assert_int_equal(runs, 3);
    preprocessed_free(&p);
    conversion_free(&result);
    free(output);
}

static void statistics_are_those_of_all(void **state)
{
    static const char *const profiles[] = {"events: Ir\nsummary: 5\nfn=f\n1 5\n",
                                           "events: Ir\nsummary: 5\nfn=g\n1 5\nhello\ncfn=f\ncalls=1\n2 3\n"};
    struct conversion_result result = convert_texts(profiles, 2, NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_int_equal(result.stats.lines, 4 + 8);
    assert_int_equal(result.stats.functions, 2);
    assert_int_equal(result.stats.arcs, 1);
    assert_int_equal(result.stats.warnings, 1);
    conversion_free(&result);
}

static void no_input_may_be_the_output(void **state)
{
    static const char profile[] = "events: Ir\nsummary: 5\nfn=f\n1 5\n";
    char *paths[3] = {scratch_path("one"), scratch_path("two"), scratch_path("three")};
    struct cg2wg_options options = default_options();
    for (size_t i = 0; i < 3; i++)
        write_file(paths[i], profile, strlen(profile));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(cg2wg_convert_all((const char *const *)paths, 3, paths[i], &options, NULL), CG2WG_MISUSE);
        char *still = read_file(paths[i], NULL);
        assert_string_equal(still, profile);
        free(still);
    }
    for (size_t i = 0; i < 3; i++)
        free(paths[i]);
}

/* ---- profiles and their expected results ----------------------------------------------------- */

static const struct {
    unsigned format;
    const char *profiles[3]; /* or NULL */
    const char *expected;
} merged[] = {
    /* Functions and arcs are merged and sums added. */
    {7, {VALGRIND_1, VALGRIND_2},
     "a.c main line=1 self=201 incl=611 inv=2\n  to f:2 x7 =110\n  to g:3 x2 =300\n"
     "a.c f line=5 self=110 incl=110 inv=7\n  from main:2 x7 =110\n"
     "b.c f line=1 self=4 incl=4 inv=1\n"
     "c.c g line=9 self=300 incl=300 inv=2\n  from main:3 x2 =300\n"
     "header: creator: callgrind-3.22.0\nheader: pid: 1\nheader: events: Ir Dr\nheader: summary: 15 1\n"
     "header: creator: callgrind-3.22.0\nheader: pid: 2\nheader: events: Ir Dr\nheader: summary: 700 1\n"},
    /* Order is that of the inputs. What comes first is numbered first; the sums are the same. */
    {7, {VALGRIND_2, VALGRIND_1},
     "c.c g line=9 self=300 incl=300 inv=2\n  from main:3 x2 =300\n"
     "a.c f line=5 self=110 incl=110 inv=7\n  from main:2 x7 =110\n"
     "a.c main line=1 self=201 incl=611 inv=2\n  to f:2 x7 =110\n  to g:3 x2 =300\n"
     "b.c f line=1 self=4 incl=4 inv=1\n"
     "header: creator: callgrind-3.22.0\nheader: pid: 2\nheader: events: Ir Dr\nheader: summary: 700 1\n"
     "header: creator: callgrind-3.22.0\nheader: pid: 1\nheader: events: Ir Dr\nheader: summary: 15 1\n"},
    /*
     * In each input what nobody calls was invoked once. Once by nobody, which is one invocation, and three
     * times by main.
     */
    {7, {"events: Ir\nsummary: 2\nfn=f\n1 2\n",
      "events: Ir\nsummary: 5\nfn=main\n1 1\ncfn=f\ncalls=3\n2 4\nfn=f\n1 4\n",
      "events: Ir\nsummary: 8\nfn=f\n1 8\n"},
     "- f line=1 self=14 incl=14 inv=5\n  from main:2 x3 =4\n"
     "- main line=1 self=1 incl=5 inv=1\n  to f:2 x3 =4\n"
     "header: events: Ir\nheader: summary: 2\nheader: events: Ir\nheader: summary: 5\nheader: events: Ir\n"
     "header: summary: 8\n"},
    /*
     * A function may lack a record in one input. Without a record in one of them: it then costs there what
     * its calls cost.
     */
    {7, {"events: Ir\nsummary: 3\nfn=main\n1 1\ncfl=b.c\ncfn=f\ncalls=1\n2 2\n",
      "events: Ir\nsummary: 4\nfl=b.c\nfn=f\n7 4\n"},
     "- main line=1 self=1 incl=3 inv=1\n  to f:2 x1 =2\n"
     "b.c f line=7 self=4 incl=6 inv=2\n  from main:2 x1 =2\n"
     "header: events: Ir\nheader: summary: 3\nheader: events: Ir\nheader: summary: 4\n"},
    /* Nothing is carried from input to input. Aliases, positions and names are those of each input. */
    {7, {"events: Ir Dr\npositions: instr line\nsummary: 5\nfl=(1) a.c\nfn=(1) f\n0x10 7 5\n",
      "events: Ir\nsummary: 6\nfl=(1) b.c\nfn=(1) g\n+3 6\n"},
     "a.c f line=7 self=5 incl=5 inv=1\n"
     "b.c g line=3 self=6 incl=6 inv=1\n"
     "header: events: Ir Dr\nheader: positions: instr line\nheader: summary: 5\n"
     "header: events: Ir\nheader: summary: 6\n"},
    /* Requests of one program become one. */
    {7, {XDEBUG_1, XDEBUG_2},
     "/a.php f line=5 self=33 incl=37 inv=2\n  from {main}:2 x2 =37\n  to g:6 x1 =4\n"
     "/a.php {main} line=1 self=220 incl=257 inv=2\n  to f:2 x2 =37\n"
     "/a.php g line=8 self=4 incl=4 inv=1\n  from f:6 x1 =4\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(10ns) Memory_(bytes)\nheader: summary: 23 0\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(10ns) Memory_(bytes)\nheader: summary: 234 0\n"},
    /* In version 4 the trees are side by side. */
    {4, {XDEBUG_1, XDEBUG_2},
     "/a.php f self=33 incl=37 calls=37 inv=2\n  #0 self=3 incl=3 from {main}#0:2 =3\n"
     "  #1 self=30 incl=34 from {main}#1:2 =34\n    to g#0:6 =4\n"
     "/a.php {main} self=220 incl=257 calls=0 inv=2\n  #0 self=20 incl=23 from nobody\n    to f#0:2 =3\n"
     "  #1 self=200 incl=234 from nobody\n    to f#1:2 =34\n"
     "/a.php g self=4 incl=4 calls=4 inv=1\n  #0 self=4 incl=4 from f#1:6 =4\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(10ns) Memory_(bytes)\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(10ns) Memory_(bytes)\nheader: summary: 257\n"},
    /*
     * Xdebug and valgrind can be merged. Each input by its own rules: in Xdebug's a function is its name, in
     * Valgrind's also its place.
     */
    {7, {"creator: xdebug 3.2.0\nevents: Time\nsummary: 3\nfl=a.php\nfn=f\n5 1\nfl=b.php\nfn=f\n6 2\n",
      "creator: other\nevents: Time\nsummary: 60\nfl=a.php\nfn=f\n5 10\nfl=b.php\nfn=f\n6 20\n"
      "fl=a.php\nfn=f\n7 30\n"},
     "a.php f line=5 self=3 incl=3 inv=2\n"
     "a.php f line=5 self=40 incl=40 inv=1\n"
     "b.php f line=6 self=20 incl=20 inv=1\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: 3\n"
     "header: creator: other\nheader: events: Time\nheader: summary: 60\n"},
};

static void functions_and_arcs_are_merged_and_sums_added(void **state)
{
    for (size_t i = 0; i < COUNT(merged); i++) {
        struct cg2wg_options options = options_to(merged[i].format);
        assert_merged(merged[i].profiles, merged[i].profiles[2] != NULL ? 3 : 2, &options, merged[i].expected);
    }
}

/* ---- random profiles ---------------------------------------------------------------------- */

enum { FUNCTIONS = 6, INPUTS = 4, LINES = 3 };

struct expected {
    uint64_t self[FUNCTIONS], invocations[FUNCTIONS];
    uint64_t count[FUNCTIONS][FUNCTIONS][LINES], cost[FUNCTIONS][FUNCTIONS][LINES];
    uint64_t total;
};

/* Writes sums of some functions with calls among them, and adds them to the expected ones. */
static char *make_input(uint64_t *random, struct expected *e)
{
    char *profile = NULL;
    size_t size;
    uint64_t called[FUNCTIONS] = {0}, total = 0;
    bool seen[FUNCTIONS] = {false};
    FILE *out = open_memstream(&profile, &size);
    fprintf(out, "events: Ir\n");
    for (int records = 1 + (int)random_below(random, 12); records > 0; records--) {
        uint32_t f = random_below(random, FUNCTIONS), self = random_below(random, 1000);
        fprintf(out, "fn=f%" PRIu32 "\n1 %" PRIu32 "\n", f, self);
        seen[f] = true;
        e->self[f] += self;
        total += self;
        for (uint32_t calls = random_below(random, 3); calls > 0; calls--) {
            uint32_t g = random_below(random, FUNCTIONS), line = random_below(random, LINES);
            uint32_t count = random_below(random, 5), cost = random_below(random, 1000);
            fprintf(out, "cfn=f%" PRIu32 "\ncalls=%" PRIu32 " 0\n%" PRIu32 " %" PRIu32 "\n", g, count, line, cost);
            e->count[f][g][line] += count;
            e->cost[f][g][line] += cost;
            called[g] += count;
            seen[g] = true;
            e->invocations[g] += count;
            called[g] |= UINT64_C(1) << 32; /* by somebody, if never */
        }
    }
    for (int f = 0; f < FUNCTIONS; f++)
        e->invocations[f] += seen[f] && called[f] == 0;
    fprintf(out, "totals: %" PRIu64 "\n", total + 1);
    e->total += total + 1;
    fclose(out);
    return profile;
}

static void random_profiles_add_up(void **state)
{
    uint64_t random = 41;
    for (int round = 0; round < 300; round++) {
        struct expected e;
        struct preprocessed p;
        struct diag diag = {.report = NULL};
        char *profiles[INPUTS], *output = scratch_path("output");
        unsigned runs, inputs = 1 + random_below(&random, INPUTS);
        memset(&e, 0, sizeof e);
        for (unsigned i = 0; i < inputs; i++)
            profiles[i] = make_input(&random, &e);
        struct conversion_result result = convert_texts((const char *const *)profiles, inputs, NULL);
        assert_int_equal(result.status, CG2WG_OK);
        assert_true(preprocessed_read(&p, output, &diag));
        for (uint32_t i = 0; i < p.function_count; i++) {
            struct preprocessed_function f = preprocessed_function(&p, i);
            int n = digit_of(&p, i);
            assert_int_equal(f.self, e.self[n]);
            assert_int_equal(f.invocations, e.invocations[n]);
            for (uint32_t c = 0; c < f.called_from_count; c++) {
                struct stored_call call = preprocessed_call(&p, f.called_from_at, c);
                int caller = digit_of(&p, call.function);
                assert_int_equal(call.count, e.count[caller][n][call.line]);
                assert_int_equal(call.cost, e.cost[caller][n][call.line]);
            }
        }
        assert_true(preprocessed_total(&p, &runs) == (double)e.total);
        assert_int_equal(runs, inputs);
        preprocessed_free(&p);
        conversion_free(&result);
        for (unsigned i = 0; i < inputs; i++)
            free(profiles[i]);
        free(output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_and_arcs_are_merged_and_sums_added),
        cmocka_unit_test(a_total_of_0_is_left_as_it_is_where_there_are_others),
        cmocka_unit_test(events_are_mapped_by_name),
        cmocka_unit_test(the_first_inputs_event_is_that_of_all),
        cmocka_unit_test(an_event_that_one_input_lacks_is_an_error_that_names_it),
        cmocka_unit_test(a_formula_has_to_be_known_in_each_input),
        cmocka_unit_test(an_input_that_is_no_profile_is_an_error_that_names_it),
        cmocka_unit_test(runs_of_xdebug_2_and_3_in_one_file_get_one_unit),
        cmocka_unit_test(of_several_times_the_one_of_the_same_name_is_added),
        cmocka_unit_test(runs_of_different_units_are_what_the_files_are),
        cmocka_unit_test(a_unit_may_be_too_small_for_what_was_before),
        cmocka_unit_test(each_tree_is_its_own),
        cmocka_unit_test(yappi_and_xdebug_get_one_unit),
        cmocka_unit_test(with_one_identity_they_are_one_function),
        cmocka_unit_test(version_4_of_both_kinds_is_written_from_sums),
        cmocka_unit_test(costs_are_scaled_when_all_are_merged),
        cmocka_unit_test(each_input_is_a_run),
        cmocka_unit_test(statistics_are_those_of_all),
        cmocka_unit_test(no_input_may_be_the_output),
        cmocka_unit_test(random_profiles_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
