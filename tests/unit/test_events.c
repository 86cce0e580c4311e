/* SPDX-License-Identifier: MIT */
/*
 * Events: the column or formula of the costs, and the resulting headers. Every expectation is
 * computed by hand.
 */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Converts with that event; nothing may be said about it. */
static void assert_event(const char *name, const char *profile, const char *event, const char *expected)
{
    struct cg2wg_options options = options_for(event);
    struct conversion_result result = convert_text(profile, &options);
    if (result.status != CG2WG_OK || *result.messages != '\0' || strcmp(result.dump, expected) != 0)
        fail_msg("%s: event %s: found %s%s, expected %s", name, event != NULL ? event : "-", result.messages,
                 result.dump, expected);
    conversion_free(&result);
}

/* One function with one cost of each kind; Ir, Bm and so on mean 1, 100, 10000, 1000000. */
#define COLUMNS "events: Ir Bm L1m LLm\n"
#define COSTS "summary: 1 100 10000 1000000\nfn=f\n1 1 100 10000 1000000\n"

/* What comes of it is the cost that is wanted. */
static void assert_cost(const char *definitions, const char *event, unsigned cost)
{
    char profile[2000], self[40], summary[60];
    struct cg2wg_options options = options_for(event);
    snprintf(profile, sizeof profile, COLUMNS "%s" COSTS, definitions);
    struct conversion_result result = convert_text(profile, &options);
    if (result.status != CG2WG_OK)
        fail_msg("event \"%s\", %s: conversion failed: %s", event, definitions, result.messages);
    snprintf(self, sizeof self, " self=%u incl=%u ", cost, cost);
    snprintf(summary, sizeof summary, "header: summary: %u\n", cost);
    if (strstr(result.dump, self) == NULL || strstr(result.dump, summary) == NULL)
        fail_msg("event \"%s\", %s: found %s, expected%sand %s", event, definitions, result.dump, self, summary);
    conversion_free(&result);
}

/* The same for an output that contains `expected`, with any messages. */
static void assert_holds(const char *profile, const char *event, const char *expected)
{
    struct cg2wg_options options = options_for(event);
    struct conversion_result result = convert_text(profile, &options);
    assert_int_equal(result.status, CG2WG_OK);
    if (strstr(result.dump, expected) == NULL)
        fail_msg("event %s: found %s, expected %s", event, result.dump, expected);
    conversion_free(&result);
}

/* No output, and a last message that is an error with all these words. */
static void assert_refused(const char *profile, const char *event, const char *const *words)
{
    struct cg2wg_options options = options_for(event);
    struct conversion_result result = convert_text(profile, &options);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_null(result.bytes);
    const char *last = result.messages;
    for (const char *line = last; *line != '\0'; line += strcspn(line, "\n") + 1)
        last = line;
    if (strncmp(last, "error: ", 7) != 0)
        fail_msg("event \"%s\": found message \"%s\", expected an error", event, last);
    for (; *words != NULL; words++)
        if (strstr(last, *words) == NULL)
            fail_msg("event \"%s\": found message \"%s\", expected it to name %s", event, last, *words);
    conversion_free(&result);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- an event of the file ----------------------------------------------------------------- */

#define XDEBUG "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n"
#define XDEBUG_BODY "fn=f\n5 30 1000\nfn={main}\n1 70 400\ncfn=f\ncalls=1 0 0\n2 30 1000\n" \
                    "summary: 100 1400\n"

static void every_version_can_have_any_event(void **state)
{
    for (unsigned format = 4; format <= 7; format++) {
        struct cg2wg_options options = options_for("Memory_(bytes)");
        options.format = format;
        struct conversion_result result = convert_text(XDEBUG XDEBUG_BODY, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, " self=400 incl=1400"));
        assert_non_null(strstr(result.dump, "header: events: Memory_(bytes)\n"
                                            "header: summary: 1400\n"));
        conversion_free(&result);
    }
}

/* A total of its columns only: the second is not there, so that of the event is computed. */
static void a_summary_that_lacks_the_event_is_computed(void **state)
{
    assert_holds("events: Ir Dr\nsummary: 9\nfn=f\n1 4 5\n2 5 7\n", "Dr", "header: summary: 12\n");
}

/* ---- formulas ----------------------------------------------------------------------------- */

static void a_formula_has_numbers_stars_and_sums(void **state)
{
    static const struct {
        const char *formula;
        unsigned cost;
    } cases[] = {
        {"Ir", 1}, {"Ir + Bm", 101}, {"Ir+Bm", 101}, {"Bm + Ir", 101}, {"10 Bm", 1000}, {"10Bm", 1000},
        {"10*Bm", 1000}, {"10 * Bm", 1000}, {"10* Bm", 1000}, {"10 *Bm", 1000}, {"0x10 Bm", 1600},
        {"0 Ir + Bm", 100}, {"Ir + Ir", 2}, {"Ir + 3 Ir + 2*Ir", 6},
        {"Ir + 10 Bm + 10 L1m + 100 LLm", 100101001},
        {"  Ir\t+\t2\tBm ", 201},
        {"1 Ir+2*Bm+3 L1m", 30201},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char definition[200];
        snprintf(definition, sizeof definition, "event: X = %s\n", cases[i].formula);
        assert_cost(definition, "X", cases[i].cost);
        snprintf(definition, sizeof definition, "event: X=%s : A Long Name\n", cases[i].formula);
        assert_cost(definition, "X", cases[i].cost);
        assert_cost("", cases[i].formula, cases[i].cost);
        snprintf(definition, sizeof definition, "X = %s", cases[i].formula);
        assert_cost("", definition, cases[i].cost);
    }
}

/* KCachegrind knows the minus, too. After anything but a blank or a sign it is part of a name. */
static void a_formula_may_subtract(void **state)
{
    static const struct {
        const char *formula;
        int cost;
    } cases[] = {
        {"Bm - Ir", 99}, {"Bm -Ir", 99}, {"Bm\t-\tIr", 99}, {"Bm - 10 Ir", 90}, {"Bm -10*Ir + 3 Ir", 93},
        {"-Ir + Bm", 99}, {"- 2 Ir + Bm", 98}, {"Bm + -2 Ir", 98}, {"Bm + - 2 Ir", 98}, {"Bm+-Ir", 99},
        {"Bm - Ir - Ir - Ir", 97}, {"Ir - Ir + Bm - Bm + 7 Ir", 7},
        {"Bm - 9223372036854775807 Ir + 9223372036854775807 Ir", 100},
        {"Ir + 9223372036854775807 Bm - 9223372036854775807 Bm", 1},
        {"Ir - 9223372036854775807 Bm + 9223372036854775807 Bm", 1},
        {"9223372036854775807 Bm + Ir - 9223372036854775807 Bm", 1},
        {"Bm - 2 Bm", 0}, /* the output has no negative costs */
        {"- Bm", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[200], expected[100];
        snprintf(profile, sizeof profile, "event: X = %s\nevents: Ir Bm\nfn=f\n1 1 100\n",
                 cases[i].formula);
        snprintf(expected, sizeof expected, "- f line=1 self=%d incl=%d inv=1\n", cases[i].cost,
                 cases[i].cost);
        assert_holds(profile, "X", expected);
    }
    assert_event("differences", "event: Rest = cache-misses - Ir\nevents: Ir cache-misses\nsummary: 2 9\n"
                 "fn=f\n1 2 9\n", "cache-misses + 10 Rest",
                 "- f line=1 self=79 incl=79 inv=1\nheader: event: Rest = cache-misses - Ir\n"
                 "header: events: cache-misses_+_10_Rest\nheader: summary: 79\n");
}

static void formulas_may_use_formulas(void **state)
{
    static const char definitions[] = "event: Misses = L1m + LLm\n"
                                      "event: CEst = Ir + 10 Bm + 2 Misses\n"
                                      "event: Twice = 2 * CEst + Ir\n";
    assert_cost(definitions, "Misses", 1010000);
    assert_cost(definitions, "CEst", 2021001);
    assert_cost(definitions, "Twice", 4042003);
    assert_cost(definitions, "3 Misses + Ir", 3030001);
    assert_cost(definitions, "Mine = Misses + Ir", 1010001);
}

/* With a long name and no formula, it describes a column. */
static void an_event_line_may_describe_a_column(void **state)
{
    assert_cost("event: Bm : Mispredicted Branches\n", "Bm", 100);
    assert_cost("event: Bm : Mispredicted = Branches\n", "Bm", 100);
}

/* An events: line has names between blanks: one is wanted here. */
static void a_formula_without_a_name_makes_one_without_blanks(void **state)
{
    struct cg2wg_options options = options_for("Ir + 10 Dr");
    struct conversion_result result = convert_text("events: Ir Dr\nsummary: 5 7\nfn=f\n1 5 7\n", &options);
    assert_int_equal(result.status, CG2WG_OK);
    const char *events = strstr(result.dump, "header: events: ");
    assert_non_null(events);
    events += strlen("header: events: ");
    size_t length = strcspn(events, "\n");
    assert_true(length > 0);
    assert_true(strcspn(events, " \t") > length);
    assert_non_null(strstr(result.dump, " self=75 "));
    conversion_free(&result);
}

/* Then it is the name that counts, from there on. */
static void a_name_may_come_to_look_like_a_formula(void **state)
{
    static const char profile[] = "events: Ir Dr\nsummary: 0\nevent: A = Ir + Dr\nfn=f\n1 1 100\n"
                                  "event: Ir + Dr = 5 Ir\n1 1 100\n";
    static const char *const events[] = {"A", "T = A", "T = Ir + Dr", "Ir + Dr"};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        assert_holds(profile, events[i], " self=106 ");
    }
}

/* A column of another unit is taken for the event only until that is defined. */
static void a_column_of_another_unit_gives_way_to_a_definition(void **state)
{
    assert_holds("events: Ir_(x10) Dr\nsummary: 0\nfn=f\n1 1 100\nevent: Ir = Dr\n1 1 100\n", "Ir", " self=101 ");
}

/* ---- what is refused ---------------------------------------------------------------------- */

/* `expected` after `events: ` and `summary: ` of the output. */
static void assert_chosen(const char *head, const char *event, const char *expected)
{
    char profile[1000], headers[200];
    snprintf(profile, sizeof profile, "%s\nfn=f\n1 1 10 100 1000 10000 100000\n", head);
    snprintf(headers, sizeof headers, "header: events: %.*s\nheader: summary: %s\n",
             (int)strcspn(expected, " "), expected, strchr(expected, ' ') + 1);
    assert_holds(profile, event, headers);
}

static void letters_choose_the_event_that_begins_with_them(void **state)
{
    static const char profile[] = "event: Both = Ir + Dr\nevents: Ir Dr Dr_max Memory dr_MAX";
    static const char *const chosen[][2] = {
        {"Ir", "Ir 1"}, {"i", "Ir 1"}, {"mem", "Memory 1000"}, {"MEMORY", "Memory 1000"}, {"b", "Both 11"},
        {"Dr", "Dr 10"}, {"dr", "Dr 10"}, {"DR", "Dr 10"}, {"Dr_max", "Dr_max 100"}, {"dr_MAX", "dr_MAX 10000"},
    };
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++)
        assert_chosen(profile, chosen[i][0], chosen[i][1]);
    assert_refused("events: Ir Dr Dw\nfn=f\n1 1\n", "d", WORDS("no event d; there are: Dr, Dw"));
    assert_refused("events: Ir Dr Dw\nfn=f\n1 1\n", "i + 1 Dr", WORDS("no event i; there are: Ir, Dr, Dw"));
    assert_holds("events: Dr\nsummary: 1\nfn=f\n1 1\nevents: Dw Dr\nsummary: 2 3\nfn=f\n1 2 3\n", "d", " self=4 ");
}

/* KCachegrind's, by hand: CEst is 1 + 10 (10 + 100) + 100 (1000 + 10000). */
static void derived_events_exist_where_two_parts_do(void **state)
{
    assert_chosen("events: Ir Bim D1mw ILmr DLmr", "CEst", "CEst 1101101");
    assert_chosen("events: Ir Bim D1mw ILmr DLmr", "ce", "CEst 1101101");
    assert_chosen("events: Ir Bim D1mw ILmr DLmr", "LLm", "LLm 11000");
    assert_chosen("events: Ir Bim D1mw ILmr DLmr", "x = 2 LLm - Bm", "x 21990");
    assert_chosen("events: Ir Bim Bcm I1mr D1mr D1mw", "Bm", "Bm 110");
    assert_chosen("events: Ir Bim Bcm I1mr D1mr D1mw", "L1m", "L1m 111000");
    assert_chosen("events: I2mr D2mr D2mw Ir Ge", "L2m", "L2m 111");
    assert_chosen("events: I2mr D2mr D2mw Ir Ge", "CEst", "CEst 212100"); /* 1000 + 20 * 10000 + 100 * 111 */
    assert_chosen("event: L1m = 7 Dr\nevents: Ir Dr", "CEst", "CEst 701");
    assert_refused("events: Ir\nfn=f\n1 1\n", "CEst", WORDS("no event CEst; there are: Ir"));
    assert_refused("events: Ir Bcm\nfn=f\n1 1 2\n", "Bm", WORDS("no event Bm; there are: Ir, Bcm, CEst"));
    assert_chosen("event: CEst = 5 Dr\nevents: Ir Dr Bcm", "CEst", "CEst 50");
    assert_chosen("events: Ir CEst Bcm", "CEst", "CEst 10");
    assert_refused("events: Dr Dw\nfn=f\n1 1 2\n", "CEst", WORDS("no event CEst; there are: Dr, Dw"));
    assert_refused("event: Bm = CEst\nevents: Ir\nfn=f\n1 1 2\n", "CEst", WORDS("that does not refer to itself"));
}

static void an_unknown_event_is_an_error_that_lists_the_known_ones(void **state)
{
    static const char profile[] = "event: CEst = Ir + 10 Dr\nevents: Ir Dr Dw\nsummary: 1\n"
                                  "fn=f\n1 1 1 1\n";
    static const char *const events[] = {"Memory", "irx", "Ix", "Ir Dr", "Ir + Memory",
                                         "2 * Memory", "X = Memory", "Ir Dr"};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        assert_refused(profile, events[i], WORDS("Ir", "Dr", "Dw", "CEst"));
    assert_refused(profile, "Memory", WORDS("Memory"));
    assert_refused(profile, "Ir + Memory", WORDS("Memory"));
}

/* A description alone gives no cost: it is not among the known ones. */
static void a_definition_without_a_formula_is_no_event(void **state)
{
    assert_refused("event: Dr : Data Reads\nevents: Ir\nsummary: 1\nfn=f\n1 1\n", "Dr", WORDS("Dr", "Ir"));
}

static void what_is_no_formula_is_an_error(void **state)
{
    static const char *const formulas[] = {"Ir +", "+ Ir", "Ir + + Ir", "10", "10 *", "* Ir",
                                           "Ir * 10", "Ir * Ir", "2 * 3 Ir", "2 ** Ir", "X =",
                                           "Ir -", "-", "Ir - - Bm", "Ir - + Bm", "Ir-Bm", "--Ir",
                                           "18446744073709551616 Ir"};
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++)
        assert_refused(COLUMNS COSTS, formulas[i], WORDS("error"));
}

static void a_formula_that_leads_back_to_itself_is_an_error(void **state)
{
    assert_refused("event: A = A\n" COLUMNS COSTS, "A", WORDS("error"));
    assert_refused("event: A = Ir + B\nevent: B = Bm + C\nevent: C = 2 A\n" COLUMNS COSTS, "A", WORDS("error"));
    assert_refused("event: A = B + B\nevent: B = A + A\n" COLUMNS COSTS, "B", WORDS("error"));
    /* Nobody asks for it. */
    assert_cost("event: A = A\n", "Ir", 1);
}

/* 2^40 terms if each is followed: no answer, but one soon. */
static void a_formula_that_grows_beyond_measure_ends(void **state)
{
    char profile[4000] = "event: E0 = Ir\n";
    for (int i = 1; i <= 40; i++)
        snprintf(profile + strlen(profile), sizeof profile - strlen(profile),
                 "event: E%d = E%d + E%d\n", i, i - 1, i - 1);
    strcat(profile, "events: Ir\nsummary: 1\nfn=f\n1 1\n");
    struct cg2wg_options options = options_for("E40");
    struct conversion_result result = convert_text(profile, &options);
    assert_true(result.status == CG2WG_FAILED || strstr(result.messages, "note: ") != NULL);
    conversion_free(&result);
}

/* Formulas that are used several times count as often: beyond 16 KiB, there is no answer. */
static void a_formula_of_very_many_bytes_is_an_error(void **state)
{
    enum { ROOM = 20000 };
    char *profile = malloc(ROOM);
    for (int width = 7000; width <= 9000; width += 2000) {
        snprintf(profile, ROOM, "event: Long = Ir + %*s\nevent: X = Long + Long\n" COLUMNS COSTS, width, "Bm");
        struct cg2wg_options options = options_for("X");
        struct conversion_result result = convert_text(profile, &options);
        assert_int_equal(result.status, width == 7000 ? CG2WG_OK : CG2WG_FAILED);
        assert_true(width != 7000 || strstr(result.dump, " self=202 ") != NULL);
        conversion_free(&result);
    }
    free(profile);
}

/* ---- sums --------------------------------------------------------------------------------- */

static void sums_beyond_64_bits_do_not_wrap(void **state)
{
    struct cg2wg_options options = options_for("9223372036854775807 Ir + 5 Dr");
    options.scale = CG2WG_SCALE_NONE;
    struct conversion_result result =
        convert_text("events: Ir Dr\nsummary: 1 1\nfn=f\n1 3 7\nfn=g\n1 0 7\nfn=h\n1 -3 0\n", &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "- f line=1 self=4294967295 "));
    assert_non_null(strstr(result.dump, "- g line=1 self=35 "));
    assert_non_null(strstr(result.dump, "- h line=1 self=0 "));
    conversion_free(&result);
}

/* ---- parts -------------------------------------------------------------------------------- */

static void parts_with_other_orders_are_mapped_by_name(void **state)
{
    static const char profile[] = "events: Ir Dr\nsummary: 1 2\nfn=f\n1 1 2\n"
                                  "events: Dw Dr Ir\nsummary: 30 20 10\nfn=f\n1 30 20 10\n"
                                  "events: Dr Ir\nsummary: 200 100\nfn=f\n1 200 100\n";
    assert_event("parts", profile, "Dr",
                 "- f line=1 self=222 incl=222 inv=1\n"
                 "header: events: Dr\nheader: summary: 2\n"
                 "header: events: Dr\nheader: summary: 20\n"
                 "header: events: Dr\nheader: summary: 200\n");
    assert_event("parts", profile, "T = 2 Ir + Dr",
                 "- f line=1 self=444 incl=444 inv=1\n"
                 "header: events: T\nheader: summary: 4\n"
                 "header: events: T\nheader: summary: 40\n"
                 "header: events: T\nheader: summary: 400\n");
    assert_event("parts", profile, NULL,
                 "- f line=1 self=111 incl=111 inv=1\n"
                 "header: events: Ir Dr\nheader: summary: 1 2\n"
                 "header: events: Dw Dr Ir\nheader: summary: 10\n"
                 "header: events: Dr Ir\nheader: summary: 100\n");
}

static void a_part_without_the_event_is_an_error(void **state)
{
    static const char profile[] = "events: Ir Dr\nsummary: 1 2\nfn=f\n1 1 2\n"
                                  "events: Dr Dw\nsummary: 20 30\nfn=f\n1 20 30\n";
    assert_refused(profile, NULL, WORDS("Ir", "Dr", "Dw"));
    assert_refused(profile, "Ir", WORDS("Ir", "Dr", "Dw"));
    assert_refused(profile, "Ir + Dr", WORDS("Ir", "Dr", "Dw"));
    assert_holds(profile, "Dr", " self=22 ");
}

/* ---- the list ----------------------------------------------------------------------------- */

static void check_list(const char *name, const char *profile, const struct cg2wg_options *options,
                       enum cg2wg_status status, const char *expected)
{
    struct conversion_result result = list_events(profile, strlen(profile), options);
    if (result.status != status || strcmp(result.dump, expected) != 0)
        fail_msg("%s: found %s%s, expected %s", name, result.messages, result.dump, expected);
    conversion_free(&result);
}

static void assert_listed(const char *name, const char *profile, const char *expected)
{
    struct cg2wg_options options = default_options();
    check_list(name, profile, &options, CG2WG_OK, expected);
}

/* The total is that of the self costs in the profile. */
static void the_list_leaves_out_a_record_that_is_cut_off(void **state)
{
    static const char whole[] = "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\n"
                                "fl=a\nfn=f\n5 30 1000\n\nfl=a\nfn=f\n5 2 -700\n";
    static const char *const cut[] = {"\nfl=a\nfn=g\n6 400 9\n7 5 1\ncfl=a\ncfn=f\ncalls=1 0 0\n",
                                      "\nfl=a\nfn=g\n6 400 9\ncfl=a\ncfn=f\n", "\nfl=a\nfn=g\n6 400\n",
                                      "\nfl=a\nfn=g\n"};
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        char profile[400];
        snprintf(profile, sizeof profile, "%s%s", whole, cut[i]);
        assert_listed("cut off", profile, "Time_(10ns)|-|-|32\nMemory_(bytes)|-|-|300\n");
        struct conversion_result result = convert_text(profile, NULL);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "a f line=5 self=32 incl=32 inv=2\n"));
        assert_null(strstr(result.dump, " g "));
        conversion_free(&result);
    }
}

/* None of its costs remain for the next line, which has fewer. */
static void costs_of_a_skipped_line_do_not_count(void **state)
{
    static const char profile[] = "events: Ir Dr Dw\nsummary: 7 2 3\nfn=f\n"
                                  "1 1 2 3\n2 40y 50\n3 6\n4 .z 80 90\n5 0\n";
    static const struct {
        const char *event, *self;
    } cases[] = {
        {"Ir", " self=7 "}, {"Dr", " self=2 "}, {"Dw", " self=3 "}, {"Ir + Dr + Dw", " self=12 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_holds(profile, cases[i].event, cases[i].self);
    }
    assert_listed("skipped", profile, "Ir|-|-|7\nDr|-|-|2\nDw|-|-|3\n");
}

/* The list is what one looks at to find a name: a wrong one is no hindrance. */
static void the_list_can_be_had_of_any_profile(void **state)
{
    struct cg2wg_options options = options_for("Memory");
    check_list("no event", "events: Ir Dr\nsummary: 1 2\nfn=f\n1 -1 2\n", &options, CG2WG_OK, "Ir|-|-|-1\nDr|-|-|2\n");
    check_list("no profile", "no profile\n", &options, CG2WG_FAILED, "");
}

/* Records that Xdebug writes have such costs neither in lines nor in groups of lines. */
static void costs_without_a_column_are_an_error_in_strict_lists(void **state)
{
    static const char records[] = "creator: xdebug 3.2.0\nevents:\nsummary: 7\n\nfl=(1) a\nfn=(1) f\n1\n\n"
                                  "fl=(1)\nfn=(1)\n1%s\n\nfl=(1)\nfn=(1)\n1\n\n";
    for (int has_cost = 0; has_cost <= 1; has_cost++) {
        char profile[200];
        struct cg2wg_options options = default_options();
        options.strict = true;
        snprintf(profile, sizeof profile, records, has_cost ? " 5" : "");
        check_list("strict", profile, &options, has_cost ? CG2WG_FAILED : CG2WG_OK, "");
    }
}

/* Levels of recursion fold into a new profile, while the list still speaks of the old one's names. */
static void the_list_is_the_same_whatever_inclusive_costs_are_to_count(void **state)
{
    static const char profile[] = "creator: callgrind-3.19.0\nevent: Ir : Instruction Fetch\nevents: Ir\nsummary: 7\n"
                                  "fn=f\n1 3\ncfn=f'2\ncalls=1\n2 4\nfn=f'2\n1 4\n";
    struct cg2wg_options options = options_for(NULL);
    options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
    check_list("outermost", profile, &options, CG2WG_OK, "Ir|-|Instruction Fetch|7\n");
}

/* ---- profiles and what comes of their events ------------------------------------------------ */

static const struct {
    const char *name, *profile, *event, *expected;
} event_cases[] = {
    {"the_first_event_is_the_default",
     XDEBUG XDEBUG_BODY, NULL,
     "- f line=5 self=30 incl=30 inv=1\n  from {main}:2 x1 =30\n"
     "- {main} line=1 self=70 incl=100 inv=1\n  to f:2 x1 =30\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(10ns) Memory_(bytes)\nheader: summary: 100 1400\n"},
    /* webgrind must not find Time_(10ns) in the line: it would divide bytes by 100. */
    {"the_headers_speak_of_a_chosen_event_alone",
     XDEBUG XDEBUG_BODY, "Memory_(bytes)",
     "- f line=5 self=1000 incl=1000 inv=1\n  from {main}:2 x1 =1000\n"
     "- {main} line=1 self=400 incl=1400 inv=1\n  to f:2 x1 =1000\n"
     "header: creator: xdebug 3.2.0\nheader: events: Memory_(bytes)\nheader: summary: 1400\n"},
    {"the_headers_speak_of_a_chosen_event_alone",
     XDEBUG XDEBUG_BODY, "Time_(10ns)",
     "- f line=5 self=30 incl=30 inv=1\n  from {main}:2 x1 =30\n"
     "- {main} line=1 self=70 incl=100 inv=1\n  to f:2 x1 =30\n"
     "header: creator: xdebug 3.2.0\nheader: events: Time_(10ns)\nheader: summary: 100\n"},
    {"costs_that_a_line_lacks_are_0",
     "events: Ir Dr Dw\nsummary: 9 12 7\nfn=f\n1 1\n2 3 5\n3 5 7 7\n", "Dr",
     "- f line=1 self=12 incl=12 inv=1\nheader: events: Dr\nheader: summary: 12\n"},
    {"costs_that_a_line_lacks_are_0",
     "events: Ir Dr Dw\nsummary: 9 12 7\nfn=f\n1 1\n2 3 5\n3 5 7 7\n", "Dw",
     "- f line=1 self=7 incl=7 inv=1\nheader: events: Dw\nheader: summary: 7\n"},
    /* A definition may come before what it uses, and before the columns. */
    {"definitions_may_come_in_any_order",
     "event: B = 2 A\nevent: A = Ir + 3 Dr\nevents: Ir Dr\nsummary: 5 7\nfn=f\n1 5 7\n", "B",
     "- f line=1 self=52 incl=52 inv=1\n"
     "header: event: B = 2 A\nheader: event: A = Ir + 3 Dr\n"
     "header: events: B\nheader: summary: 52\n"},
    {"the_name_of_a_formula_is_the_event",
     "events: Ir Dr\nsummary: 5 7\nfn=f\n1 5 7\n", "Both = Ir + Dr",
     "- f line=1 self=12 incl=12 inv=1\nheader: events: Both\nheader: summary: 12\n"},
    /* A name is one line whatever is in it, or the headers after it would be others. */
    {"a_name_with_control_bytes_stays_in_its_line",
     "events: Ir Dr\nsummary: 5 7\nfn=f\n1 5 7\n", "A\nsummary: 9\r\x01\x1f\x7f\x80\xff = Ir + Dr",
     "- f line=1 self=12 incl=12 inv=1\n"
     "header: events: A_summary:_9____\\x80\\xff\nheader: summary: 12\n"},
    /* Each cost line counts by the definitions before it, whichever of them what is wanted goes through. */
    {"the_last_definition_so_far_holds",
     "events: Ir Dr\nsummary: 153\nevent: A = Ir\nevent: B = 2 A\nfn=f\n1 1 100\n"
     "event: A\n1 1 100\n"
     "event: Other = Dr\n1 1 100\n"
     "event: A = Dr\n1 1 100\n"
     "event: A = Dr\n1 1 100\n"
     "event: B = A + Ir\n1 1 100\n"
     "event: A = Other\n1 1 100\n"
     "event: Other = 3 Ir\n1 1 100\n", "T = B",
     "- f line=1 self=612 incl=612 inv=1\n"
     "header: events: T\nheader: summary: 612\n"
     "header: event: A = Ir\nheader: event: B = 2 A\nheader: event: A\n"
     "header: event: Other = Dr\nheader: event: A = Dr\nheader: event: A = Dr\n"
     "header: event: B = A + Ir\nheader: event: A = Other\n"
     "header: event: Other = 3 Ir\n"},
};

static void costs_and_headers_are_those_of_the_event(void **state)
{
    for (size_t i = 0; i < sizeof event_cases / sizeof event_cases[0]; i++)
        assert_event(event_cases[i].name, event_cases[i].profile, event_cases[i].event, event_cases[i].expected);
}

static const struct {
    const char *name, *profile, *expected;
} lists[] = {
    {"the_list_has_names_definitions_and_totals",
     "event: Ir : Instruction Fetch\nevent: CEst = Ir + 10 Bm : Cycle Estimation\nevent: Both=Ir+Bm\n"
     "events: Ir Bm\nsummary: 900 900\n"
     "fn=main\n1 3 4\ncfn=f\ncalls=2\n2 50 60\n"
     "fn=f\n3 5 6\n4 7\n",
     "Ir|-|Instruction Fetch|15\nBm|-|-|10\nCEst|Ir + 10 Bm|Cycle Estimation|115\nBoth|Ir+Bm|-|25\n"},
    {"the_list_has_derived_events",
     "events: Ir I1mr D1mr Bcm\nsummary: 1 2 3 4\nfn=f\n1 1 2 3 4\n",
     "Ir|-|-|1\nI1mr|-|-|2\nD1mr|-|-|3\nBcm|-|-|4\nL1m|I1mr + D1mr|L1 Miss Sum|5\n"
     "CEst|Ir + 10 Bm + 10 L1m|Cycle Estimation|91\n"},
    {"the_list_has_derived_events",
     "event: CEst = Ir\nevents: Ir Bm\nsummary: 1 2\nfn=f\n1 1 2\n", "Ir|-|-|1\nBm|-|-|2\nCEst|Ir|-|1\n"},
    /* A line that only describes has its long name after a colon, or, as Hatari writes it, a blank. */
    {"a_long_name_may_follow_a_blank",
     "event: Visits/calls_0 Visits/calls\nevent: Ir  Executed instructions \n"
     "events: Visits/calls_0 Ir\nfn=f\n1 1 2\n",
     "Visits/calls_0|-|Visits/calls|1\nIr|-|Executed instructions|2\n"},
    {"the_list_merges_parts_by_name",
     "events: Ir Dr\nsummary: 1 2\nfn=f\n1 1 2\n"
     "event: S = Ir + Dr + Dw\n"
     "events: Dw Dr\nsummary: 30 20\nfn=f\n1 30 20\n"
     "events: Dr Ir\nsummary: 200 100\nfn=f\n1 200 100\n",
     "Ir|-|-|101\nDr|-|-|222\nDw|-|-|30\nS|Ir + Dr + Dw|-|353\n"},
    {"a_dot_is_0_and_a_number_below_64_bits_the_lowest",
     "events: Ir Dr\nfn=f\n1 . 5\n1 -99999999999999999999 2\n", "Ir|-|-|-9223372036854775808\nDr|-|-|7\n"},
    {"the_list_of_no_events_is_empty",
     "events:\nfn=f\n1 5\nsummary: 7\n", ""},
    {"the_list_shows_formulas_without_an_answer",
     "event: A = A\nevent: B = Dx\nevents: Ir\nsummary: 1\nfn=f\n1 1\n", "Ir|-|-|1\nA|A|-|0\nB|Dx|-|0\n"},
};

static void lists_have_names_definitions_and_totals(void **state)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        assert_listed(lists[i].name, lists[i].profile, lists[i].expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_can_have_any_event),
        cmocka_unit_test(a_summary_that_lacks_the_event_is_computed),
        cmocka_unit_test(a_formula_has_numbers_stars_and_sums),
        cmocka_unit_test(a_formula_may_subtract),
        cmocka_unit_test(formulas_may_use_formulas),
        cmocka_unit_test(an_event_line_may_describe_a_column),
        cmocka_unit_test(a_formula_without_a_name_makes_one_without_blanks),
        cmocka_unit_test(a_name_may_come_to_look_like_a_formula),
        cmocka_unit_test(a_column_of_another_unit_gives_way_to_a_definition),
        cmocka_unit_test(letters_choose_the_event_that_begins_with_them),
        cmocka_unit_test(derived_events_exist_where_two_parts_do),
        cmocka_unit_test(an_unknown_event_is_an_error_that_lists_the_known_ones),
        cmocka_unit_test(a_definition_without_a_formula_is_no_event),
        cmocka_unit_test(what_is_no_formula_is_an_error),
        cmocka_unit_test(a_formula_that_leads_back_to_itself_is_an_error),
        cmocka_unit_test(a_formula_that_grows_beyond_measure_ends),
        cmocka_unit_test(a_formula_of_very_many_bytes_is_an_error),
        cmocka_unit_test(sums_beyond_64_bits_do_not_wrap),
        cmocka_unit_test(parts_with_other_orders_are_mapped_by_name),
        cmocka_unit_test(a_part_without_the_event_is_an_error),
        cmocka_unit_test(the_list_leaves_out_a_record_that_is_cut_off),
        cmocka_unit_test(costs_of_a_skipped_line_do_not_count),
        cmocka_unit_test(the_list_can_be_had_of_any_profile),
        cmocka_unit_test(costs_without_a_column_are_an_error_in_strict_lists),
        cmocka_unit_test(the_list_is_the_same_whatever_inclusive_costs_are_to_count),
        cmocka_unit_test(costs_and_headers_are_those_of_the_event),
        cmocka_unit_test(lists_have_names_definitions_and_totals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
