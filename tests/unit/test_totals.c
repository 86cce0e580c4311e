/* SPDX-License-Identifier: MIT */
/*
 * The totals that percentages are relative to: the input's own or the sum of the self costs. Every
 * expectation is computed by hand.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Converts; the headers have to be these, and the messages, if any, one warning with these words. */
static void assert_totals_of(const char *profile, const struct cg2wg_options *options, const char *headers,
                             const char *const *words)
{
    struct conversion_result result = convert_text(profile, options);
    if (result.status != CG2WG_OK)
        fail_msg("conversion failed: %s", result.messages);
    const char *found = strstr(result.dump, "header: ");
    if (found == NULL || strcmp(found, headers) != 0)
        fail_msg("found %s, expected %s, of\n%s", found, headers, profile);
    if (words == NULL)
        assert_string_equal(result.messages, "");
    else if (strncmp(result.messages, "warning: ", 9) != 0 || strchr(result.messages, '\n')[1] != '\0')
        fail_msg("found messages \"%s\", expected one warning, of\n%s", result.messages, profile);
    for (; words != NULL && *words != NULL; words++)
        if (strstr(result.messages, *words) == NULL)
            fail_msg("found message %s, expected it to name %s", result.messages, *words);
    conversion_free(&result);
}

#define WARNS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define QUIET NULL

static struct cg2wg_options computed(void)
{
    struct cg2wg_options options = default_options();
    options.summary = CG2WG_SUMMARY_COMPUTED;
    return options;
}

static const struct {
    const char *profile, *headers;
    const char *const *words;
    bool is_computed;
    unsigned format; /* 0: 7 */
    const char *event;
} totals_of[] = {
    /* The input's own total is the default. */
    {"events: Ir Dr\nsummary: 6 9\nfn=f\n1 5 1\n",
     "header: events: Ir Dr\nheader: summary: 6 9\n", .words = QUIET},
    /* A missing total is computed with a warning. */
    {"events: Ir\nfn=f\n1 5\nfn=g\n1 6\ncfn=f\ncalls=1\n2 100\n",
     "header: events: Ir\nheader: summary: 11\n", .words = WARNS("summary", "11")},
    /* A `totals:` line replaces a missing summary. */
    {"events: Ir\nfn=f\n1 5\ntotals: 6\n",
     "header: events: Ir\nheader: totals: 6\nheader: summary: 6\n", .words = QUIET},
    {"events: Ir Dr\nfn=f\n1 70\ntotals: 70 8\n",
     "header: events: Ir Dr\nheader: totals: 70 8\nheader: summary: 70\n", .words = QUIET},
    /* ... or one that is none. */
    {"events: Ir\nsummary: 0\nfn=f\n1 50\ntotals: 70\n",
     "header: events: Ir\nheader: summary: 70\nheader: totals: 70\n", .words = QUIET},
    /* A summary is kept whatever the totals, wherever they are. */
    {"events: Ir\nsummary: 60\nfn=f\n1 50\ntotals: 70\n",
     "header: events: Ir\nheader: summary: 60\nheader: totals: 70\n", .words = QUIET},
    {"events: Ir\nfn=f\n1 50\ntotals: 70\nsummary: 60\n",
     "header: events: Ir\nheader: totals: 70\nheader: summary: 60\n", .words = QUIET},
    /* A summary is decimal: webgrind reads digits up to the first blank. */
    {"events: Ir\nsummary:  0x10 5\nfn=f\n1 9\n",
     "header: events: Ir\nheader: summary: 16 5\n", .words = QUIET},
    {"events: Ir\nsummary:   7 5\nfn=f\n1 2\n",
     "header: events: Ir\nheader: summary: 7 5\n", .words = QUIET},
    {"events: Ir\nfn=f\n1 9\ntotals: 0x20\n",
     "header: events: Ir\nheader: totals: 0x20\nheader: summary: 32\n", .words = QUIET},
    /* A sum has 64 bits, and calls are costs of others. */
    {"events: Ir\nfn=f\n1 3000000000\nfn=g\n1 3000000001\ncfn=f\ncalls=1\n2 500\nfn=h\n2 3000000002\n",
     "header: events: Ir\nheader: summary: 9000000003\n", .words = WARNS("summary", "9000000003")},
    /* What is no number is no total. */
    {"events: Ir\nsummary: many\nfn=f\n1 5\n",
     "header: events: Ir\nheader: summary: 5\n", .words = WARNS("5")},
    {"events: Ir\nsummary:\nfn=f\n1 5\n",
     "header: events: Ir\nheader: summary: 5\n", .words = WARNS("5")},
    /* A total of 0 is replaced where there are costs. Some producers write 0; webgrind would divide by it. */
    {"events: Ir\nsummary: 0\nfn=f\n1 5\n",
     "header: events: Ir\nheader: summary: 5\n", .words = WARNS(" 0", "5")},
    {"events: Ir\nfn=f\n1 5\ntotals: 0\n",
     "header: events: Ir\nheader: totals: 0\nheader: summary: 5\n", .words = WARNS(" 0", "5")},
    /* A total of 0 is right where there is no cost. */
    {"events: Ir\nsummary: 0\nfn=f\n1 0\n",
     "header: events: Ir\nheader: summary: 0\n", .words = QUIET},
    /* A total below the self costs is kept with a warning. */
    {"events: Ir\nsummary: 122\nfn=f\n1 100\nfn=g\n1 23\n",
     "header: events: Ir\nheader: summary: 122\n", .words = WARNS("122", "123")},
    {"events: Ir\nsummary: 123\nfn=f\n1 100\nfn=g\n1 23\n",
     "header: events: Ir\nheader: summary: 123\n", .words = QUIET},
    /*
     * A total of more than ten times the self costs is kept with a warning. More than ten times: ten times
     * is fine, one more is not.
     */
    {"events: Ir\nsummary: 1230\nfn=f\n1 123\n",
     "header: events: Ir\nheader: summary: 1230\n", .words = QUIET},
    {"events: Ir\nsummary: 1240\nfn=f\n1 123\n",
     "header: events: Ir\nheader: summary: 1240\n", .words = WARNS("1240", "123")},
    {"events: Ir\nsummary: 1231\nfn=f\n1 123\n",
     "header: events: Ir\nheader: summary: 1231\n", .words = WARNS("1231", "123")},
    /* What cannot be right is said of all parts, which together are what percentages are relative to. */
    {"events: Ir\npart: 1\nsummary: 40\nfn=f\n1 30\n"
     "part: 2\nsummary: 5\nfn=f\n1 20\n",
     "header: events: Ir\nheader: part: 1\nheader: summary: 40\n"
     "header: part: 2\nheader: summary: 5\n", .words = WARNS("45", "50")},
    /* A part without a total gets its own, another part those that it has. */
    {"part: 1\nevents: Ir Dr\nsummary: 40 1\nfn=f\n1 2\ntotals: 41 2\npart: 2\nfn=f\n1 3\n"
     "part: 3\nfn=f\n1 38\ntotals: 50 60\n",
     "header: part: 1\nheader: events: Ir Dr\nheader: summary: 40 1\nheader: totals: 41 2\n"
     "header: part: 2\nheader: summary: 3\nheader: part: 3\nheader: totals: 50 60\nheader: summary: 50\n",
     .words = WARNS("summary", " 3,")},
    {"events: Ir\npart: 1\nsummary: 40\nfn=f\n1 30\npart: 2\nfn=f\n1 20\n",
     "header: events: Ir\nheader: part: 1\nheader: summary: 40\n"
     "header: part: 2\nheader: summary: 20\n", .words = WARNS("summary", "20")},
    /*
     * Xdebug 2 leaves shutdown functions out of its total. It is {main}'s there, so what runs after {main}
     * is added; not where it follows all records.
     */
    {"version: 0.9.6\nevents: Time\n\nfl=a.php\nfn={main}\n\nsummary: 44\n\n1 44\n\n"
     "fl=a.php\nfn=late\n5 141\n\n",
     "header: version: 0.9.6\nheader: events: Time\nheader: summary: 185\n", .words = QUIET},
    {"version: 0.9.6\nevents: Time\n\nfl=a.php\nfn={main}\n\nsummary: 44\n\n1 44\n\n"
     "fl=a.php\nfn=late\n5 1\n\n",
     "header: version: 0.9.6\nheader: events: Time\nheader: summary: 45\n", .words = QUIET},
    {"version: 0.9.6\nevents: Time\n\nfl=a.php\nfn={main}\n\nsummary: 190\n\n1 44\n\n"
     "fl=a.php\nfn=late\n5 141\n\n",
     "header: version: 0.9.6\nheader: events: Time\nheader: summary: 190\n", .words = QUIET},
    {"version: 0.9.6\nevents: Time\n\nfl=a.php\nfn={main}\n\nsummary: 40\n\n1 30\n\n"
     "fl=a.php\nfn={main}\n\nsummary: 50\n\n1 20\n\nfl=a.php\nfn=late\n5 141\n\n",
     "header: version: 0.9.6\nheader: events: Time\nheader: summary: 141\n"
     "header: summary: 50\n", .words = QUIET},
    /* HHVM writes as Xdebug does, but for the S (xdebug_profiler.cpp). To others, the key means nothing. */
    {"version: 1\ncreator: xdebug 2.2.5\nevents: Time\n\nfl=a.php\nfn={main}\n\nSummary: 50\n\n1 44\n\n",
     "header: version: 1\nheader: creator: xdebug 2.2.5\nheader: events: Time\nheader: summary: 50\n", .words = QUIET},
    {"creator: foo\nevents: Time\nSummary: 50\nfn=f\n1 44\n",
     "header: creator: foo\nheader: events: Time\nheader: Summary: 50\nheader: summary: 44\n",
     .words = WARNS("no summary", "44")},
    /* Other profiles have no {main} to complete, whatever version they say. */
    {"creator: foo\nversion: 0.9.6\nevents: Ir\n\nfl=a.php\nfn={main}\n\nsummary: 44\n\n1 44\n\n"
     "fl=a.php\nfn=late\n5 141\n\n",
     "header: creator: foo\nheader: version: 0.9.6\nheader: events: Ir\nheader: summary: 44\n",
     .words = WARNS("44", "185")},
    /*
     * What Valgrind 3.19 wrote of a program with signal handlers, but for the size: the summary, a difference of
     * counters, lacks the handler's cost, or has that of what --zero-before left out; totals is what was written.
     */
    {"creator: callgrind-3.19.0\npart: 1\nevents: Ir\nsummary: 92276\nfn=f\n1 97556\ntotals: 97556\n",
     "header: creator: callgrind-3.19.0\nheader: part: 1\nheader: events: Ir\n"
     "header: summary: 97556\nheader: totals: 97556\n", .words = QUIET},
    {"creator: callgrind-3.19.0\npart: 1\nevents: Ir\nsummary: 82879\nfn=f\n1 9151\ntotals: 9151\n"
     "part: 2\nsummary: 143242\nfn=g\n2 4264\ntotals: 4264\n",
     "header: creator: callgrind-3.19.0\nheader: part: 1\nheader: events: Ir\nheader: summary: 9151\n"
     "header: totals: 9151\nheader: part: 2\nheader: summary: 4264\nheader: totals: 4264\n", .words = QUIET},
    /* --cache-sim rounds: the first numbers agree, and the line stays as it is. */
    {"creator: callgrind-3.19.0\nevents: Ir sysCount\nsummary: 18341 96\nfn=f\n1 18341 95\ntotals: 18341 95\n",
     "header: creator: callgrind-3.19.0\nheader: events: Ir sysCount\n"
     "header: summary: 18341 96\nheader: totals: 18341 95\n", .words = QUIET},
    {"creator: callgrind-3.19.0\nevents: Ir sysCount\nsummary: 18341 94\nfn=f\n1 18341 95\ntotals: 18341 95\n",
     "header: creator: callgrind-3.19.0\nheader: events: sysCount\n"
     "header: summary: 95\nheader: totals: 18341 95\n", .words = QUIET, .event = "sysCount"},
    /* Without fibers, the time that Xdebug measures is never less than its parts. */
    {"creator: xdebug 3.2.0\nevents: Time\n\nfl=a.php\nfn=f\n1 185\n\nsummary: 44\n",
     "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: 44\n", .words = WARNS("44", "185")},
    {"creator: xdebug 3.2.0\nevents: Memory\n\nfl=a.php\nfn=f\n1 185\n\nsummary: 44\n",
     "header: creator: xdebug 3.2.0\nheader: events: Memory\nheader: summary: 185\n", .words = QUIET},
    {"creator: xdebug 3.2.0\nevents: Time\n\nfl=php:internal\nfn=php::Fiber::suspend\n1 185\n\nsummary: 44\n",
     "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: 44\n", .words = QUIET},
    /* Each part has its own total, also if it is computed. */
    {"events: Ir\npart: 1\nsummary: 40\nfn=f\n1 30\npart: 2\nsummary: 50\nfn=f\n1 20\n",
     "header: events: Ir\nheader: part: 1\nheader: summary: 40\nheader: part: 2\nheader: summary: 50\n",
     .words = QUIET},
    {"events: Ir\npart: 1\nsummary: 40\nfn=f\n1 30\npart: 2\nsummary: 50\nfn=f\n1 20\n",
     "header: events: Ir\nheader: part: 1\nheader: summary: 30\nheader: part: 2\nheader: summary: 20\n", .words = QUIET,
     .is_computed = true},
    /* A part without body lines ends where its header begins again, if it has a total; without one, it is none. */
    {"version: 1\nevents: Ir\nsummary: 0\n\nversion: 1\nevents: Ir\nsummary: 50\nfn=f\n1 50\n",
     "header: version: 1\nheader: events: Ir\nheader: summary: 0\n"
     "header: version: 1\nheader: events: Ir\nheader: summary: 50\n", .words = QUIET},
    {"events: Ir\nfn=f\n1 5\ntotals: 5\npart: 2\nsummary: 0\ntotals: 0\npart: 3\nsummary: 4\ntotals: 4\n"
     "part: 4\nfn=f\n1 50\n",
     "header: events: Ir\nheader: totals: 5\nheader: summary: 5\nheader: part: 2\nheader: summary: 0\n"
     "header: totals: 0\nheader: part: 3\nheader: summary: 4\nheader: totals: 4\nheader: part: 4\n"
     "header: summary: 50\n", .words = WARNS("no summary", "50")},
    {"events: Ir\nevents: Ir Dr\nsummary: 5 1\nfn=f\n1 5 1\n",
     "header: events: Ir\nheader: events: Ir Dr\nheader: summary: 5 1\n", .words = QUIET},
    /* The input may name what it counts after the total. */
    {"summary: 5\nevents: Ir\npositions: line\nfn=f\n1 5\n",
     "header: summary: 5\nheader: events: Ir\nheader: positions: line\n", .words = QUIET},
    /* Versions 4 and 5 have one total, because their readers take the last one. */
    {"part: 1\nevents: Ir\nsummary: 40\nfn=f\n1 30\npart: 2\nsummary: 50\nfn=f\n1 20\n",
     "header: part: 1\nheader: events: Ir\nheader: part: 2\nheader: summary: 90\n", .words = QUIET, .format = 4},
    {"part: 1\nevents: Ir\nsummary: 40\nfn=f\n1 30\npart: 2\nsummary: 50\nfn=f\n1 20\n",
     "header: part: 1\nheader: events: Ir\nheader: part: 2\nheader: summary: 90\n", .words = QUIET, .format = 5},
    {"events: Ir Dr\nsummary: 40 7\nfn=f\n1 30\n",
     "header: events: Ir Dr\nheader: summary: 40 7\n", .words = QUIET, .format = 4},
    {"events: Ir Dr\nsummary: 40 7\nfn=f\n1 30\n",
     "header: events: Ir Dr\nheader: summary: 40 7\n", .words = QUIET, .format = 5},
    /* A computed total is that of the event, here 6 + 10 * 8. */
    {"events: Ir Dr\nsummary: 1 1\nfn=f\n1 2 3\n2 4 5\n",
     "header: events: Ir_+_10_Dr\nheader: summary: 86\n", .words = QUIET, .is_computed = true, .event = "Ir + 10 Dr"},
};

static void totals_are_those_of_the_input_or_sums(void **state)
{
    for (size_t i = 0; i < sizeof totals_of / sizeof totals_of[0]; i++) {
        struct cg2wg_options options = options_for(totals_of[i].event);
        options.format = totals_of[i].format > 0 ? totals_of[i].format : 7;
        options.summary = totals_of[i].is_computed ? CG2WG_SUMMARY_COMPUTED : CG2WG_SUMMARY_FILE;
        assert_totals_of(totals_of[i].profile, &options, totals_of[i].headers, totals_of[i].words);
    }
}

/* The memory peak is no sum, and what runs after {main} or in fibers is not in the time. */
static void xdebugs_totals_need_not_be_sums(void **state)
{
    static const char *const totals[] = {"summary: 44 425600", "summary: 44 1", "summary: 5000 32",
                                         "summary: 44 -7",     "summary: 44 0"};
    for (size_t i = 0; i < 2 * sizeof totals / sizeof totals[0]; i++) {
        char profile[300];
        snprintf(profile, sizeof profile, "%s\nevents: Time Memory\n\nfl=php:internal\nfn=php::Fiber->start\n1 0 0\n\n"
                 "fl=a.php\nfn={main}\n1 185 32\n\n%s\n",
                 i % 2 == 0 ? "version: 0.9.6" : "version: 1\ncreator: xdebug 3.2.0", totals[i / 2]);
        for (int event = 0; event < 2; event++) {
            struct cg2wg_options options = options_for(event == 0 ? "Time" : "Memory");
            struct conversion_result result = convert_text(profile, &options);
            assert_string_equal(result.messages, "");
            assert_non_null(strstr(result.dump, event == 0 && i / 2 != 2 ? "summary: 44\n" : "summary: "));
            struct conversion_result again = convert_bytes(result.bytes, result.size, &options);
            assert_string_equal(again.messages, "");
            assert_string_equal(again.dump, result.dump);
            conversion_free(&again);
            conversion_free(&result);
        }
    }
}

/* ---- totals that cannot be right ---------------------------------------------------------- */

static void a_total_of_0_is_right_where_costs_are_negative(void **state)
{
    struct conversion_result result = convert_text("events: Ir\nsummary: 0\nfn=f\n1 -5\n", NULL);
    assert_null(strstr(result.messages, "total"));
    assert_non_null(strstr(result.dump, "header: summary: 0\n"));
    conversion_free(&result);
}

/* It is about the input, but nothing that has to be mended: the input is well formed. */
static void ten_times_a_large_total_does_not_overflow(void **state)
{
    struct cg2wg_options options = default_options();
    options.scale = CG2WG_SCALE_NONE;
    struct conversion_result result = convert_text(
        "events: Ir\nsummary: 9223372036854775807\nfn=f\n1 4611686018427387904\n", &options);
    assert_null(strstr(result.messages, "total"));
    assert_non_null(strstr(result.dump, "header: summary: 9223372036854775807\n"));
    conversion_free(&result);
    result = convert_text("events: Ir\nsummary: 4611686018427387904\nfn=f\n1 9223372036854775807\n", &options);
    assert_non_null(strstr(result.messages, "4611686018427387904"));
    assert_non_null(strstr(result.messages, "9223372036854775807"));
    conversion_free(&result);
}

/* ---- computed ----------------------------------------------------------------------------- */

static void a_computed_total_replaces_any_other(void **state)
{
    struct cg2wg_options options = computed();
    static const char *const summaries[] = {"summary: 6 9\n", "summary: 0\n", "summary: 5000 1\n",
                                            "summary: 5\n", "summary: x\n", "summary: -3\n",
                                            "summary: 18446744073709551615\n", ""};
    for (size_t i = 0; i < sizeof summaries / sizeof summaries[0]; i++) {
        char profile[200];
        snprintf(profile, sizeof profile, "events: Ir Dr\n%sfn=f\n1 2 1\nfn=g\n1 3 2\n",
                 summaries[i]);
        struct conversion_result result = convert_text(profile, &options);
        assert_int_equal(result.status, CG2WG_OK);
        if (strstr(result.dump, "header: events: Ir Dr\nheader: summary: 5") == NULL ||
            strstr(result.dump, "summary: 5000") != NULL)
            fail_msg("found %s, expected a summary of 5, of\n%s", result.dump, profile);
        assert_string_equal(result.messages, "");
        conversion_free(&result);
    }
}

/* ---- several ------------------------------------------------------------------------------ */

/* As Xdebug 2 writes it. Both are parts of the whole. */
static void two_mains_may_have_two_summaries(void **state)
{
    static const char profile[] = "version: 0.9.6\nevents: Time\n\nfl=a.php\nfn={main}\n\n"
                                  "summary: 40\n\n1 30\n\nfl=a.php\nfn={main}\n\nsummary: 50\n\n"
                                  "1 20\n";
    assert_totals_of(profile, NULL, "header: version: 0.9.6\nheader: events: Time\n"
                                    "header: summary: 40\nheader: summary: 50\n", QUIET);
    struct cg2wg_options options = computed();
    struct conversion_result result = convert_text(profile, &options);
    assert_true(strstr(result.dump, "summary: 50\nheader: summary: 0\n") != NULL ||
                strstr(result.dump, "summary: 30\nheader: summary: 20\n") != NULL);
    conversion_free(&result);
}

/*
 * The peak (425600 and 600) is neither what is allocated nor the least of it. f takes 100 and frees 30, g takes 50
 * and frees 40: what is written is 70 and 10, in runs of 60 and 20. In the second profile, only g has kept 3.
 */
static void xdebugs_memory_is_shared_among_what_functions_take(void **state)
{
    static const char first[] = "creator: xdebug 3.2.0\nevents: Memory\n\nfl=a\nfn=f\n1 100\n\nfl=a\nfn=g\n1 -40\n\n"
                                "summary: 425600\npart: 2\n\nfl=a\nfn=f\n1 -30\n\nfl=a\nfn=g\n1 50\n\nsummary: 600\n",
                      second[] = "creator: xdebug 3.2.0\nevents: Memory\n\nfl=a\nfn=f\n1 5\n\nsummary: 9\npart: 2\n\n"
                                 "fl=a\nfn=f\n1 -5\n\nfl=a\nfn=g\n1 3\n\nsummary: 9\n";
    assert_totals_of(first, NULL, "header: creator: xdebug 3.2.0\nheader: events: Memory\nheader: summary: 60\n"
                                  "header: part: 2\nheader: summary: 20\n", QUIET);
    assert_totals_of(second, NULL, "header: creator: xdebug 3.2.0\nheader: events: Memory\nheader: summary: 3\n"
                                   "header: part: 2\nheader: summary: 0\n", QUIET);
    /* Killed, it has no total, which it does not need. */
    assert_totals_of("creator: xdebug 3.2.0\nevents: Memory\n\nfl=a\nfn=f\n1 7\n\n", NULL,
                     "header: creator: xdebug 3.2.0\nheader: events: Memory\nheader: summary: 7\n", QUIET);
    /* Merged: f takes 100 and frees 100. */
    const char *const inputs[] = {"creator: xdebug 3.2.0\nevents: Memory\n\nfl=a\nfn=f\n1 100\n\nsummary: 9\n",
                                  "creator: xdebug 3.2.0\nevents: Memory\n\nfl=a\nfn=f\n1 -100\n\nfl=a\nfn=g\n1 8\n\n"
                                  "summary: 9\n"};
    struct conversion_result merged = convert_texts(inputs, 2, NULL);
    assert_string_equal(strstr(merged.dump, "header: "),
                        "header: creator: xdebug 3.2.0\nheader: events: Memory\nheader: summary: 8\n"
                        "header: creator: xdebug 3.2.0\nheader: events: Memory\nheader: summary: 0\n");
    conversion_free(&merged);
}

/* Of any event: 1000 - 900 would make a share of 1000 %. */
static void a_computed_total_is_the_sum_of_the_positive_self_costs(void **state)
{
    struct cg2wg_options options = computed();
    assert_shows("events: Bytes\nsummary: 100\nfn=f\n1 1000\nfn=g\n1 -900\n", &options,
                 "header: summary: 1000\n", NULL);
}

/* ---- hostile numbers ---------------------------------------------------------------------- */

/* Nor is one beyond 64 bits. webgrind reads the digits, which are another number. */
static void a_negative_total_is_none(void **state)
{
    static const char *const totals[] = {"-1", "18446744073709551615", "9223372036854775808",
                                         "-9223372036854775808", "0xffffffffffffffff",
                                         "18446744073709551616", "99999999999999999999999999999",
                                         "-99999999999999999999999999999"};
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        char profile[100];
        snprintf(profile, sizeof profile, "events: Ir\nsummary: %s\nfn=f\n1 5\n", totals[i]);
        assert_totals_of(profile, NULL, "header: events: Ir\nheader: summary: 5\n", WARNS("5"));
    }
}

/* Sums stay at the nearest number that there is. */
static void sums_beyond_64_bits_do_not_wrap(void **state)
{
    struct cg2wg_options options = computed();
    options.scale = CG2WG_SCALE_NONE;
    for (unsigned format = 4; format <= 7; format++) {
        options.format = format;
        struct conversion_result result =
            convert_text("events: Ir\nfn=f\n1 9223372036854775807\nfn=g\n1 9223372036854775807\n"
                         "part: 2\nsummary: 9223372036854775807\nfn=g\n1 9223372036854775807\n",
                         &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "- g "));
        /* All parts together may be an unsigned number, for a reader takes it for a real one. */
        if (strstr(result.dump, "summary: 9223372036854775807\n") == NULL)
            assert_non_null(strstr(result.dump, "summary: 18446744073709551614\n"));
        conversion_free(&result);
    }
}

/* Negative self costs below zero in all: webgrind reads digits, so a total of 0 is all that is left. */
static void self_costs_below_zero_make_a_total_of_0(void **state)
{
    assert_shows("events: Memory\nfn=f\n1 -5\nfn=g\n1 3\n", NULL, "header: summary: 0\n", "self costs, -2,");
    assert_shows("events: Memory\nsummary: -2\nfn=f\n1 -5\nfn=g\n1 3\n", NULL, "header: summary: 0\n", NULL);
}

/* Of parts, the lines add up to the total: 40 - 15 + 7 - 2, and 7 - 15. The first number of a line is the total. */
static void a_part_below_zero_is_a_part_of_the_total(void **state)
{
    static const char first[] = "events: Ir Dr\nsummary: 40 1\nfn=f\n1 40 1\npart: 2\nsummary: -15 2\nfn=g\n1 -15 2\n"
                                "part: 3\nsummary: 7 3\nfn=f\n1 7 3\npart: 4\nsummary: -2\nfn=g\n1 -2\n";
    static const struct {
        const char *profile, *headers;
        unsigned format;
    } of[] = {
        {first, "header: events: Ir Dr\nheader: summary: 30\nheader: part: 2\nheader: summary: 0\n"
                "header: part: 3\nheader: summary: 0\nheader: part: 4\nheader: summary: 0\n", 7},
        {first, "header: events: Ir Dr\nheader: part: 2\nheader: part: 3\nheader: part: 4\nheader: summary: 30\n", 5},
        {"events: Ir\nsummary: 7\nfn=f\n1 7\npart: 2\nsummary: -15\nfn=g\n1 -15\n",
         "header: events: Ir\nheader: summary: 0\nheader: part: 2\nheader: summary: 0\n", 7},
        {"events: Ir Dr\nsummary: 7 8\nfn=f\n1 7\npart: 2\nsummary: -3\nfn=g\n1 -3\npart: 3\nsummary: 9 8\nfn=f\n1 9\n",
         "header: events: Ir Dr\nheader: summary: 7 8\nheader: part: 2\nheader: summary: 0\n"
         "header: part: 3\nheader: summary: 6\n", 7},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct cg2wg_options options = default_options();
        options.format = of[i].format;
        assert_totals_of(of[i].profile, &options, of[i].headers, WARNS("negative cost of function g"));
    }
}

/* Its cost may be the lowest of all numbers, whose opposite there is none of. */
static void a_record_that_is_left_out_is_no_part_of_the_total(void **state)
{
    static const char *const costs[] = {"7", "-9223372036854775808", "9223372036854775807"};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        char profile[200];
        snprintf(profile, sizeof profile,
                 "creator: xdebug 3\nevents: Memory\nfn=f\n1 5\n\n"
                 "fn=g\n1 %s\ncfn=f\ncalls=1 0 0\n", costs[i]);
        assert_shows(profile, NULL, "header: summary: 5\n", "a record, which is left out");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_those_of_the_input_or_sums),
        cmocka_unit_test(xdebugs_totals_need_not_be_sums),
        cmocka_unit_test(a_total_of_0_is_right_where_costs_are_negative),
        cmocka_unit_test(ten_times_a_large_total_does_not_overflow),
        cmocka_unit_test(a_computed_total_replaces_any_other),
        cmocka_unit_test(two_mains_may_have_two_summaries),
        cmocka_unit_test(xdebugs_memory_is_shared_among_what_functions_take),
        cmocka_unit_test(a_computed_total_is_the_sum_of_the_positive_self_costs),
        cmocka_unit_test(a_negative_total_is_none),
        cmocka_unit_test(sums_beyond_64_bits_do_not_wrap),
        cmocka_unit_test(self_costs_below_zero_make_a_total_of_0),
        cmocka_unit_test(a_part_below_zero_is_a_part_of_the_total),
        cmocka_unit_test(a_record_that_is_left_out_is_no_part_of_the_total),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
