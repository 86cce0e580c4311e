/* SPDX-License-Identifier: MIT */
/*
 * Costs that do not fit 32 bits: their divisor, and the messages about it. Every expectation is
 * computed by hand.
 */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cg2wg_options scaled(unsigned format, uint64_t scale)
{
    struct cg2wg_options options = options_to(format);
    options.scale = scale;
    return options;
}

static unsigned count_lines(const char *messages, const char *start)
{
    unsigned count = 0;
    for (const char *line = messages; *line != '\0'; line += strcspn(line, "\n") + 1)
        count += strncmp(line, start, strlen(start)) == 0;
    return count;
}

/* Converts to version 7; there is exactly one message, a notice that names divisor and event. */
static void assert_scaled(const char *profile, uint64_t scale, const char *divisor, const char *event,
                          const char *expected)
{
    struct cg2wg_options options = scaled(7, scale);
    struct conversion_result result = convert_text(profile, &options);
    if (result.status != CG2WG_OK)
        fail_msg("conversion failed: %s", result.messages);
    assert_string_equal(result.dump, expected);
    if (count_lines(result.messages, "") != 1 || count_lines(result.messages, "note: ") != 1 ||
        strstr(result.messages, divisor) == NULL || strstr(result.messages, event) == NULL)
        fail_msg("found messages \"%s\", expected one notice of %s and %s", result.messages, divisor, event);
    conversion_free(&result);
}

/* ---- automatic ---------------------------------------------------------------------------- */

static void as_long_as_all_fits_nothing_changes(void **state)
{
    static const char profile[] = "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n"
                                  "summary: 9000000000 1\n"
                                  "fn=f\n5 4294967295 7\nfn=g\n6 150 3\n";
    for (unsigned format = 4; format <= 7; format++) {
        struct cg2wg_options automatic = scaled(format, CG2WG_SCALE_AUTO);
        struct cg2wg_options none = scaled(format, CG2WG_SCALE_NONE);
        struct conversion_result a = convert_text(profile, &automatic);
        struct conversion_result b = convert_text(profile, &none);
        assert_int_equal(a.status, CG2WG_OK);
        assert_string_equal(a.messages, "");
        assert_string_equal(b.messages, "");
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.bytes, b.bytes, a.size);
        assert_non_null(strstr(a.dump, "self=4294967295 incl=4294967295"));
        assert_non_null(strstr(a.dump, "header: events: Time_(10ns) Memory_(bytes)\n"
                                       "header: summary: 9000000000 1\n"));
        conversion_free(&a);
        conversion_free(&b);
    }
}

static const struct {
    uint64_t scale;
    const char *divisor, *event, *profile, *expected;
} divided[] = {
    /*
     * Tens of nanoseconds become microseconds. 43 s and more: webgrind takes Time as microseconds.
     * 5.00000049 s are rounded down, .50 up.
     */
    {CG2WG_SCALE_AUTO, "100", "Time",
     "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n"
     "fn=f\n5 500000049 1\nfn=g\n6 500000050 1\n"
     "fn={main}\n1 4000000000 9\ncfn=f\ncalls=1 0 0\n2 500000049 1\n"
     "cfn=g\ncalls=1 0 0\n3 500000050 1\nsummary: 5000000151 9\n",
     "- f line=5 self=5000000 incl=5000000 inv=1\n  from {main}:2 x1 =5000000\n"
     "- g line=6 self=5000001 incl=5000001 inv=1\n  from {main}:3 x1 =5000001\n"
     "- {main} line=1 self=40000000 incl=50000001 inv=1\n  to f:2 x1 =5000000\n  to g:3 x1 =5000001\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: 50000002\n"},
    /*
     * More than that is a multiple of microseconds. 72 min and more: 4320 s are 432 thousand million units
     * of 10 ns.
     */
    {CG2WG_SCALE_AUTO, "1000", "Time_(x10)",
     "creator: xdebug 3.2.0\nevents: Time_(10ns)\nsummary: 432000000000\n"
     "fn={main}\n1 432000000000\n",
     "- {main} line=1 self=432000000 incl=432000000 inv=1\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(x10)\nheader: summary: 432000000\n"},
    {CG2WG_SCALE_AUTO, "10000", "Time_(x100)",
     "creator: xdebug 3.2.0\nevents: Time_(10ns)\nsummary: 4320000000000\n"
     "fn={main}\n1 4320000000000\n",
     "- {main} line=1 self=432000000 incl=432000000 inv=1\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(x100)\nheader: summary: 432000000\n"},
    /* Numbers are rounded after they are summed. Each by itself would be rounded to 0. */
    {CG2WG_SCALE_AUTO, "10", "Ir_(x10)",
     "events: Ir\nsummary: 5000000012\nfn=f\n1 4\n2 4\n3 4\nfn=g\n4 5000000000\n",
     "- f line=1 self=1 incl=1 inv=1\n"
     "- g line=4 self=500000000 incl=500000000 inv=1\n"
     "header: events: Ir_(x10)\nheader: summary: 500000001\n"},
    /*
     * Any number may need a divisor. An inclusive cost, and a sum of calls from one line, may need it where
     * no self cost does.
     */
    {CG2WG_SCALE_AUTO, "10", "Ir_(x10)",
     "events: Ir\nsummary: 6000000000\nfn=main\n1 0\ncfn=f\ncalls=1\n2 3000000000\n"
     "cfn=g\ncalls=1\n3 3000000000\nfn=f\n4 3000000000\nfn=g\n5 3000000000\n",
     "- main line=1 self=0 incl=600000000 inv=1\n  to f:2 x1 =300000000\n  to g:3 x1 =300000000\n"
     "- f line=4 self=300000000 incl=300000000 inv=1\n  from main:2 x1 =300000000\n"
     "- g line=5 self=300000000 incl=300000000 inv=1\n  from main:3 x1 =300000000\n"
     "header: events: Ir_(x10)\nheader: summary: 600000000\n"},
    /* Each parts summary is divided. */
    {CG2WG_SCALE_AUTO, "10", "Ir_(x10)",
     "events: Ir Dr\npart: 1\nsummary: 5000000000 7\nfn=f\n1 5000000000 6\n"
     "part: 2\nsummary: 300 7\nfn=f\n1 300 6\n",
     "- f line=1 self=500000030 incl=500000030 inv=1\n"
     "header: events: Ir_(x10)\nheader: part: 1\nheader: summary: 500000000\n"
     "header: part: 2\nheader: summary: 30\n"},
    /* A divisor can be forced. */
    {7, "7", "Ir_(x7)",
     "events: Ir\nsummary: 200\nfn=f\n1 10\nfn=g\n1 11\nfn=h\n1 179\n",
     "- f line=1 self=1 incl=1 inv=1\n"
     "- g line=1 self=2 incl=2 inv=1\n"
     "- h line=1 self=26 incl=26 inv=1\n"
     "header: events: Ir_(x7)\nheader: summary: 29\n"},
    {100, "100", "Time",
     "events: Time_(10ns)\nsummary: 1000\nfn=f\n1 1000\n",
     "- f line=1 self=10 incl=10 inv=1\nheader: events: Time\nheader: summary: 10\n"},
    {UINT64_C(1000000000000000000), "1000000000000000000", "Ir",
     "events: Ir\nsummary: 9\nfn=f\n1 9\n",
     "- f line=1 self=0 incl=0 inv=1\n"
     "header: events: Ir_(x1000000000000000000)\nheader: summary: 0\n"},
};

static void costs_are_divided(void **state)
{
    for (size_t i = 0; i < sizeof divided / sizeof divided[0]; i++)
        assert_scaled(divided[i].profile, divided[i].scale, divided[i].divisor, divided[i].event, divided[i].expected);
}

/* The largest cost with which a divisor is enough, and the next one: rounding counts. */
static void the_divisor_is_the_smallest_that_is_enough(void **state)
{
    static const struct {
        const char *events, *cost, *divisor, *event, *written;
    } cases[] = {
        {"Ir", "4294967296", "10", "Ir_(x10)", "429496730"},
        {"Ir", "42949672954", "10", "Ir_(x10)", "4294967295"},
        {"Ir", "42949672955", "100", "Ir_(x100)", "429496730"},
        {"Ir", "4294967295499", "1000", "Ir_(x1000)", "4294967295"},
        {"Ir", "4294967295500", "10000", "Ir_(x10000)", "429496730"},
        {"Ir", "9223372036854775807", "10000000000", "Ir_(x10000000000)", "922337204"},
        {"Time_(10ns)", "4294967296", "100", "Time", "42949673"},
        {"Time_(10ns)", "429496729549", "100", "Time", "4294967295"},
        {"Time_(10ns)", "429496729550", "1000", "Time_(x10)", "429496730"},
        {"Time", "5000000000", "10", "Time_(x10)", "500000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[200], expected[300];
        snprintf(profile, sizeof profile, "events: %s\nsummary: %s\nfn=f\n1 %s\n", cases[i].events,
                 cases[i].cost, cases[i].cost);
        snprintf(expected, sizeof expected,
                 "- f line=1 self=%s incl=%s inv=1\nheader: events: %s\nheader: summary: %s\n",
                 cases[i].written, cases[i].written, cases[i].event, cases[i].written);
        assert_scaled(profile, CG2WG_SCALE_AUTO, cases[i].divisor, cases[i].event, expected);
    }
}

static void a_chosen_event_is_renamed(void **state)
{
    static const char profile[] = "events: Ir Time_(10ns)\nsummary: 7000000000 8000000000\n"
                                  "fn=f\n1 7000000000 8000000000\n";
    struct cg2wg_options options = scaled(7, CG2WG_SCALE_AUTO);
    options.event = "Ir";
    assert_dump(profile, &options, "- f line=1 self=700000000 incl=700000000 inv=1\n"
                                   "header: events: Ir_(x10)\nheader: summary: 700000000\n");
    options.event = "Time_(10ns)";
    assert_dump(profile, &options, "- f line=1 self=80000000 incl=80000000 inv=1\n"
                                   "header: events: Time\nheader: summary: 80000000\n");
}

/* webgrind looks for Time_(10ns) anywhere in the line, and divides by 100. */
static void nothing_is_divided_twice(void **state)
{
    static const uint64_t scales[] = {CG2WG_SCALE_AUTO, 2, 10, 50, 100, 1000, 12345};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct cg2wg_options options = scaled(7, scales[i]);
        struct conversion_result result =
            convert_text("creator: xdebug 3.2.0\nevents: Time_(10ns)\nsummary: 5000000000\n"
                         "fn=f\n1 5000000000\n", &options);
        assert_null(strstr(result.dump, "Time_(10ns)"));
        assert_non_null(strstr(result.dump, "header: events: Time"));
        conversion_free(&result);
    }
}

static void an_input_that_names_no_event_says_so_too(void **state)
{
    struct cg2wg_options options = scaled(7, CG2WG_SCALE_AUTO);
    struct conversion_result result = convert_text("summary: 5000000000\nfn=f\n1 5000000000\n", &options);
    assert_non_null(strstr(result.dump, "self=500000000 "));
    assert_non_null(strstr(result.dump, "_(x10)\n"));
    assert_non_null(strstr(result.dump, "header: summary: 500000000\n"));
    conversion_free(&result);
}

/* A notice is no problem of the input. */
static void strictly_read_large_costs_are_fine(void **state)
{
    struct cg2wg_options options = scaled(7, CG2WG_SCALE_AUTO);
    options.strict = true;
    assert_dump("events: Ir\nsummary: 5000000000\nfn=f\n1 5000000000\n", &options,
                "- f line=1 self=500000000 incl=500000000 inv=1\n"
                "header: events: Ir_(x10)\nheader: summary: 500000000\n");
}

/* ---- by hand ------------------------------------------------------------------------------ */

/* Read again, one is so many of the unit that was divided. */
static void a_factor_beyond_64_bits_has_two_parts(void **state)
{
    static const struct {
        const char *event;
        uint64_t scale;
        const char *divisor, *scaled;
    } cases[] = {
        {"Ir_(x9223372036854775808)", 2, "2", "Ir_(x9223372036854775808)_(x2)"},
        {"Ir_(x9223372036854775807)", 2, "2", "Ir_(x18446744073709551614)"},
        {"Time", UINT64_C(200000000000000000), "200000000000000000", "Time_(x200000000000000000)"},
        {"Time_(20ns)", UINT64_C(1000000000000000000), "1000000000000000000", "Time_(20ns)_(x1000000000000000000)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[200], expected[200];
        snprintf(profile, sizeof profile, "events: %s\nsummary: 8\nfn=f\n1 8\n", cases[i].event);
        snprintf(
            expected, sizeof expected, "- f line=1 self=%u incl=%u inv=1\nheader: events: %s\nheader: summary: %u\n",
            cases[i].scale == 2 ? 4 : 0, cases[i].scale == 2 ? 4 : 0, cases[i].scaled, cases[i].scale == 2 ? 4 : 0);
        assert_scaled(profile, cases[i].scale, cases[i].divisor, cases[i].scaled, expected);
    }
}

/* Half of an odd divisor does not exist; half of an even one goes up. */
static void rounding_is_to_nearest(void **state)
{
    for (uint64_t divisor = 2; divisor < 12; divisor++) {
        for (uint64_t cost = 0; cost < 40; cost++) {
            char profile[100], self[50];
            struct cg2wg_options options = scaled(7, divisor);
            snprintf(profile, sizeof profile, "events: Ir\nsummary: 40\nfn=f\n1 %" PRIu64 "\n", cost);
            snprintf(self, sizeof self, " self=%" PRIu64 " ", (2 * cost + divisor) / (2 * divisor));
            assert_shows(profile, &options, self, NULL);
        }
    }
}

/* Without scaling, nothing is divided, and the headers are as they were. */
static void what_stays_too_large_is_the_largest_number(void **state)
{
    static const struct {
        uint64_t scale;
        const char *profile, *expected;
    } cases[] = {
        {10, "events: Ir\nsummary: 50000000020\nfn=big\n1 50000000000\nfn=g\n1 20\n",
         "- big line=1 self=4294967295 incl=4294967295 inv=1\n"
         "- g line=1 self=2 incl=2 inv=1\n"
         "header: events: Ir_(x10)\nheader: summary: 5000000002\n"},
        {CG2WG_SCALE_NONE,
         "events: Ir Dr\nsummary: 8589934611 1\nfn=big\n1 4294967296\nfn=g\n1 20\nfn=h\n1 4294967295\n",
         "- big line=1 self=4294967295 incl=4294967295 inv=1\n"
         "- g line=1 self=20 incl=20 inv=1\n"
         "- h line=1 self=4294967295 incl=4294967295 inv=1\n"
         "header: events: Ir Dr\nheader: summary: 8589934611 1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cg2wg_options options = scaled(7, cases[i].scale);
        struct conversion_result result = convert_text(cases[i].profile, &options);
        assert_string_equal(result.dump, cases[i].expected);
        assert_int_equal(count_lines(result.messages, "note: "), cases[i].scale != CG2WG_SCALE_NONE);
        assert_int_equal(count_lines(result.messages, "warning: "), 1);
        assert_non_null(strstr(result.messages, "function big "));
        conversion_free(&result);
    }
}

/* ---- counts ------------------------------------------------------------------------------- */

static void counts_are_never_divided(void **state)
{
    static const char profile[] = "events: Ir\nsummary: %s\nfn=m\n1 0\ncfn=f\ncalls=%s\n2 %s\n"
                                  "fn=f\n3 %s\n";
    char text[200];
    struct cg2wg_options options = scaled(7, CG2WG_SCALE_AUTO);

    snprintf(text, sizeof text, profile, "5000000000", "4000000000", "5000000000", "5000000000");
    assert_scaled(text, CG2WG_SCALE_AUTO, "10", "Ir_(x10)",
                  "- m line=1 self=0 incl=500000000 inv=1\n  to f:2 x4000000000 =500000000\n"
                  "- f line=3 self=500000000 incl=500000000 inv=4000000000\n  from m:2 x4000000000 =500000000\n"
                  "header: events: Ir_(x10)\nheader: summary: 500000000\n");

    snprintf(text, sizeof text, profile, "50", "6000000000", "50", "50");
    struct conversion_result result = convert_text(text, &options);
    assert_string_equal(result.dump, "- m line=1 self=0 incl=50 inv=1\n  to f:2 x4294967295 =50\n"
                                     "- f line=3 self=50 incl=50 inv=4294967295\n  from m:2 x4294967295 =50\n"
                                     "header: events: Ir\nheader: summary: 50\n");
    assert_int_equal(count_lines(result.messages, "note: "), 0);
    assert_true(count_lines(result.messages, "warning: ") > 0);
    assert_non_null(strstr(result.messages, "function f "));
    conversion_free(&result);
}

/* ---- version 4 ---------------------------------------------------------------------------- */

static void in_version_4_every_number_is_divided(void **state)
{
    struct cg2wg_options options = scaled(4, CG2WG_SCALE_AUTO);
    assert_dump("creator: xdebug 3.2.0\nevents: Time_(10ns)\nfn=f\n5 3000000000\n"
                "fn={main}\n1 2000000000\ncfn=f\ncalls=1 0 0\n2 3000000000\nsummary: 5000000000\n",
                &options,
                "- f self=30000000 incl=30000000 calls=30000000 inv=1\n"
                "  #0 self=30000000 incl=30000000 from {main}#0:2 =30000000\n"
                "- {main} self=20000000 incl=50000000 calls=0 inv=1\n"
                "  #0 self=20000000 incl=50000000 from nobody\n    to f#0:2 =30000000\n"
                "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: 50000000\n");
}

/* What main takes for itself is negative, so that only its call costs more than 32 bits hold. */
static void calls_count_too(void **state)
{
    static const char profile[] = "events: Ir\nsummary: 1000000000\nfn=f\n1 1\nfn=main\n2 -5000000000\n"
                                  "cfn=f\ncalls=1\n3 6000000000\n";
    struct conversion_result result = convert_bytes(profile, strlen(profile), NULL);
    assert_non_null(strstr(result.messages, "all costs are divided by 10 so that they fit 32 bits"));
    conversion_free(&result);
}

/*
 * The cost of all calls of f may be the only number that does not fit; and one invocation takes more than the function
 * if another one frees memory.
 */
static void in_version_4_calls_and_invocations_count_too(void **state)
{
    static const char calls[] = "fn=f\n5 1\nfn=a\n1 0\ncfn=f\ncalls=1 0 0\n2 3000000000\n"
                                "fn=b\n3 0\ncfn=f\ncalls=1 0 0\n4 3000000000\nsummary: 1\n";
    static const struct {
        const char *head, *body, *shown;
    } cases[] = {
        {"events: Ir\n", calls, " calls=600000000 "},
        {"creator: xdebug 3.2.0\nevents: Ir\n", calls, " calls=600000000 "},
        {"creator: xdebug 3.2.0\nevents: Memory\n",
         "fn=f\n5 5000000000\nfn=f\n5 -4900000000\nsummary: 100000000\n", " self=500000000 incl=500000000 from nobody"},
        {"creator: xdebug 3.2.0\nevents: Memory\n",
         "fn=f\n5 -4900000000\nfn=f\n5 5000000000\nsummary: 100000000\n", " self=500000000 incl=500000000 from nobody"},
    };
    struct cg2wg_options options = scaled(4, CG2WG_SCALE_AUTO);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[300];
        snprintf(profile, sizeof profile, "%s%s", cases[i].head, cases[i].body);
        assert_shows(profile, &options, cases[i].shown, NULL);
    }
}

/* ---- all versions ------------------------------------------------------------------------- */

static void all_versions_are_divided_alike(void **state)
{
    for (unsigned format = 4; format <= 7; format++) {
        struct cg2wg_options options = scaled(format, CG2WG_SCALE_AUTO);
        struct conversion_result result =
            convert_text("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n"
                         "summary: 5000000000 1\nfn=f\n5 5000000000 7\n", &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_int_equal(count_lines(result.messages, ""), 1);
        assert_non_null(strstr(result.dump, "self=50000000 incl=50000000"));
        assert_non_null(strstr(result.dump, "header: events: Time\nheader: summary: 50000000\n"));
        conversion_free(&result);
    }
}

/* ---- costs below zero --------------------------------------------------------------------- */

/* Some profilers print negative numbers unsigned: 2^64 - 5 is -5. */
static void costs_from_2_to_the_63_are_negative(void **state)
{
    struct conversion_result result =
        convert_text("events: Time\nsummary: 95\nfn=f\n1 100\n2 18446744073709551611\n"
                     "fn=g\n3 5\n4 9223372036854775808\n", NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "- f line=1 self=95 incl=95 inv=1\n"
                                        "- g line=3 self=0 incl=0 inv=1\n"));
    assert_non_null(strstr(result.messages, "function g "));
    assert_null(strstr(result.messages, "function f "));
    conversion_free(&result);
}

static void a_sum_below_zero_is_written_as_0_when_others_are_divided(void **state)
{
    struct conversion_result result = convert_text(
        "events: Ir\nsummary: 5000000000\nfn=f\n1 5000000000\nfn=g\n1 -7000000000\n", NULL);
    assert_non_null(strstr(result.dump, "- f line=1 self=500000000 incl=500000000 inv=1\n"
                                        "- g line=1 self=0 incl=0 inv=1\n"));
    assert_int_equal(count_lines(result.messages, "note: "), 1);
    assert_non_null(strstr(result.messages, "function g "));
    conversion_free(&result);
}

/* ---- times of other programs -------------------------------------------------------------- */

/* The costs of two functions and the total, converted; the event webgrind gets to see. */
static void assert_time(const char *event, const char *costs, uint64_t scale, const char *expected)
{
    char profile[400];
    struct cg2wg_options options = scaled(7, scale);
    snprintf(profile, sizeof profile, "events: %s\nfn=f\n5 %s\n", event, costs);
    struct conversion_result result = convert_text(profile, &options);
    if (result.status != CG2WG_OK)
        fail_msg("%s: %s", event, result.messages);
    char found[400] = "";
    const char *self = strstr(result.dump, "self="), *name = strstr(result.dump, "events: "),
               *total = strstr(result.dump, "summary: ");
    snprintf(found, sizeof found, "%.*s %.*s %.*s", (int)strcspn(name, "\n"), name,
             (int)strcspn(self, " "), self, (int)strcspn(total, "\n"), total);
    assert_string_equal(found, expected);
    conversion_free(&result);
}

/* Each name of a unit, and each way to put it into the name of an event. */
static void times_in_a_known_unit_become_microseconds(void **state)
{
    static const char *const of_3_ms[] = {
        "ms", "msec", "Milliseconds", "MILLISECONDS", "cpu(ms)", "cpu_(ms)", "cpu_ms", "cpu-msec",
        "cpu/milliseconds", "delay(milliseconds)", "Time(ms)", "(ms)", "ms_(x1)"};
    static const char *const of_3_us[] = {"us",        "\xc2\xb5s",  "usec", "Microseconds",
                                          "wall_time", "process_time", "time-usec", "cpu(us)"};
    static const char *const no_times[] = {"MS",        "S",       "cpu",      "cache-misses",  "alloc_s",
                                           "bytes/s",   "ops/ms",  "Samples",  "Ticks",         "bytes(kB)",
                                           "cpu(ms",    "cpums",   "samples(count)", "requests/sec", "rows/msec",
                                           "cpu-clocks", "cpu-clock:x", "cpu-clock~x", "my-cpu-clock", "cpu-clock:u+k",
                                           "cpu-clock/a/u_+_faults/b/u"};
    for (size_t i = 0; i < sizeof of_3_ms / sizeof of_3_ms[0]; i++)
        assert_time(of_3_ms[i], "3", CG2WG_SCALE_AUTO, "events: Time self=3000 summary: 3000");
    for (size_t i = 0; i < sizeof of_3_us / sizeof of_3_us[0]; i++)
        assert_time(of_3_us[i], "3", CG2WG_SCALE_AUTO, "events: Time self=3 summary: 3");
    for (size_t i = 0; i < sizeof no_times / sizeof no_times[0]; i++) {
        char expected[80];
        snprintf(expected, sizeof expected, "events: %s self=3 summary: 3", no_times[i]);
        assert_time(no_times[i], "3", CG2WG_SCALE_AUTO, expected);
    }
    assert_time("s", "3", CG2WG_SCALE_AUTO, "events: Time self=3000000 summary: 3000000");
    assert_time("sec", "3", CG2WG_SCALE_AUTO, "events: Time self=3000000 summary: 3000000");
    assert_time("cpu(seconds)", "3", CG2WG_SCALE_AUTO, "events: Time self=3000000 summary: 3000000");
    assert_time("ms_(x100)", "3", CG2WG_SCALE_AUTO, "events: Time self=300000 summary: 300000");
}

/* webgrind knows nothing finer than tens of nanoseconds: 14 ns are 1, 15 ns 2 of them. */
static void nanoseconds_become_tens(void **state)
{
    static const char *const names[] = {"ns",        "nsec",       "nanoseconds", "Nanoseconds", "cpu/nanoseconds",
                                        "cpu-clock", "task-clock", "cpu(ns)",     "Time_(1ns)",
                                        "cpu-clock:u", "task-clock:ppp", "cpu-clock/period=1/k", "cpu-clock/a,b/",
                                        "cpu-clock~2", "task-clock:u~13", "cpu-clock/a/u~2", "work_(1ns)"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_time(names[i], "14", CG2WG_SCALE_AUTO, "events: Time_(10ns) self=1 summary: 1");
        assert_time(names[i], "15", CG2WG_SCALE_AUTO, "events: Time_(10ns) self=2 summary: 2");
    }
    /* 25 ns: 4 are 100 ns */
    assert_time("Time_(25ns)", "4", CG2WG_SCALE_AUTO, "events: Time_(10ns) self=10 summary: 10");
    /* 42.949672954 s fit, 42.949672955 do not: they are 42949673 us */
    assert_time("ns", "42949672954", CG2WG_SCALE_AUTO, "events: Time_(10ns) self=4294967295 summary: 4294967295");
    assert_time("ns", "42949672955", CG2WG_SCALE_AUTO, "events: Time self=42949673 summary: 42949673");
    assert_time("ns", "4294967295500", CG2WG_SCALE_AUTO, "events: Time_(x10) self=429496730 summary: 429496730");
}

static void times_are_scaled_in_their_new_unit(void **state)
{
    assert_time("ms", "4294967", CG2WG_SCALE_AUTO, "events: Time self=4294967000 summary: 4294967000");
    assert_time("ms", "4294968", CG2WG_SCALE_AUTO, "events: Time_(x10) self=429496800 summary: 429496800");
    assert_time("ms", "3", 100, "events: Time_(x100) self=30 summary: 30");
    assert_time("ns", "3000", 100, "events: Time self=3 summary: 3");
    /* Nothing is to be divided: then they stay as they are, and the heading says what they are. */
    assert_time("ns", "14", CG2WG_SCALE_NONE, "events: ns self=14 summary: 14");
    assert_time("ms", "14", CG2WG_SCALE_NONE, "events: Time self=14000 summary: 14000");
}

/* 10^13 s are more microseconds than 63 bits hold. */
static void times_beyond_64_bits_are_the_largest(void **state)
{
    struct cg2wg_options options = scaled(7, CG2WG_SCALE_AUTO);
    struct conversion_result result =
        convert_text("events: s\nsummary: 10000000000000\nfn=f\n5 10000000000000\n", &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_int_equal(count_lines(result.messages, "warning: costs do not fit 64 bits"), 1);
    assert_non_null(strstr(result.dump, "self=922337204 "));
    conversion_free(&result);
}

/*
 * Valgrind says the unit after the event's name: its own lines, with --collect-systime=MODE. yappi writes
 * `int(seconds * 1e6)`; others' ticks may be anything.
 */
static void the_long_name_or_the_creator_may_decide_the_unit(void **state)
{
    static const char systime[] = "creator: callgrind-3.19.0\nevent: sysTime : sysTime";
    static const struct {
        const char *start, *unit, *event, *expected;
    } cases[] = {
        {systime, " (elapsed ns)", "sysTime", "header: events: Time_(10ns)\nheader: summary: 31\n"},
        {systime, " (elapsed us)", "sysTime", "header: events: Time\nheader: summary: 310\n"},
        {systime, " (elapsed ms)", "sysTime", "header: events: Time\nheader: summary: 310000\n"},
        {systime, " (elapsed)", "sysTime", "header: events: sysTime\nheader: summary: 310\n"},
        {systime, "", "sysTime", "header: events: sysTime\nheader: summary: 310\n"},
        {"creator: yappi", "", "Ticks", "header: events: Time\nheader: summary: 310\n"},
        {"creator: other", "", "Ticks", "header: events: Ticks\nheader: summary: 310\n"},
        {"version: 1", "", "Ticks", "header: events: Ticks\nheader: summary: 310\n"},
        {"creator: yappi", "", "Samples", "header: events: Samples\nheader: summary: 310\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[300];
        struct cg2wg_options options = scaled(7, CG2WG_SCALE_AUTO);
        options.event = cases[i].event;
        snprintf(profile, sizeof profile, "%s%s\nevents: Ir sysCount %s\nfn=f\n5 7 1 310\nsummary: 7 1 310\n",
                 cases[i].start, cases[i].unit, cases[i].event);
        assert_shows(profile, &options, cases[i].expected, NULL);
    }
    /* Only jruby-profiler-callgrind-printer names the file of JRuby's own methods so, and only it counts nanoseconds. */
    assert_shows("events: process_time\n\nfl=a.rb\nfn=f\n3 14\nfl=(jruby_runtime)\nfn=(top)\n0 20\ntotals: 34\n", NULL,
                 "header: events: Time_(10ns)\nheader: totals: 34\nheader: summary: 3\n", NULL);
    assert_shows("events: process_time\n\nfl=a.rb\nfn=f\n3 14\nfl=/ruby_runtime\nfn=g\n0 20\ntotals: 34\n", NULL,
                 "header: events: Time\nheader: totals: 34\nheader: summary: 34\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_in_a_known_unit_become_microseconds),
        cmocka_unit_test(nanoseconds_become_tens),
        cmocka_unit_test(times_are_scaled_in_their_new_unit),
        cmocka_unit_test(times_beyond_64_bits_are_the_largest),
        cmocka_unit_test(the_long_name_or_the_creator_may_decide_the_unit),
        cmocka_unit_test(as_long_as_all_fits_nothing_changes),
        cmocka_unit_test(costs_are_divided),
        cmocka_unit_test(the_divisor_is_the_smallest_that_is_enough),
        cmocka_unit_test(a_chosen_event_is_renamed),
        cmocka_unit_test(nothing_is_divided_twice),
        cmocka_unit_test(an_input_that_names_no_event_says_so_too),
        cmocka_unit_test(strictly_read_large_costs_are_fine),
        cmocka_unit_test(a_factor_beyond_64_bits_has_two_parts),
        cmocka_unit_test(rounding_is_to_nearest),
        cmocka_unit_test(what_stays_too_large_is_the_largest_number),
        cmocka_unit_test(counts_are_never_divided),
        cmocka_unit_test(in_version_4_every_number_is_divided),
        cmocka_unit_test(calls_count_too),
        cmocka_unit_test(in_version_4_calls_and_invocations_count_too),
        cmocka_unit_test(all_versions_are_divided_alike),
        cmocka_unit_test(costs_from_2_to_the_63_are_negative),
        cmocka_unit_test(a_sum_below_zero_is_written_as_0_when_others_are_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
