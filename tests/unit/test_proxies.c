/* SPDX-License-Identifier: MIT */
/*
 * Proxies: functions that are stepped over, in versions 5 to 7 (from arcs) and 4 (from the tree).
 * Every expectation is derived by hand from docs/design.md.
 */
#include "profiles.h"
#include "support.h"

#include "util/text.h"

#include <stdio.h>
#include <string.h>

static const char *const proxies[] = {"P", "Q"};

static void assert_stepped_over(unsigned format, const char *body, const char *functions)
{
    char profile[2000], expected[2000];
    struct cg2wg_options options = options_to(format);
    options.proxies = proxies;
    options.proxy_count = 2;
    snprintf(profile, sizeof profile, XDEBUG "%s", body);
    snprintf(expected, sizeof expected, "%s" XDEBUG_SHOWN, functions);
    assert_dump(profile, &options, expected);
}

/* ---- one proxy ---------------------------------------------------------------------------- */

/* P adds 3 of its own to what f costs: it keeps them, and main's call costs what f's did. */
#define MAIN_P_F RECORD("f", "5", "10") RECORD("P", "1", "3") CALL("f", "7", "10") \
    RECORD("{main}", "2", "1") CALL("P", "9", "13")

static const struct {
    const char *body, *expected_7, *expected_4; /* NULL: test_outermost.c compares trees of such */
} stepped_over[] = {
    /* A call of a proxy is replaced by the call that it made. */
    {MAIN_P_F,
     "- f line=5 self=10 incl=10 inv=1\n  from {main}:7 x1 =10\n"
     "- P line=1 self=3 incl=3 inv=1\n"
     "- {main} line=2 self=1 incl=11 inv=1\n  to f:7 x1 =10\n",
     "- f self=10 incl=10 calls=10 inv=1\n  #0 self=10 incl=10 from {main}#0:7 =10\n"
     "- P self=3 incl=3 calls=0 inv=1\n  #0 self=3 incl=3 from nobody\n"
     "- {main} self=1 incl=11 calls=0 inv=1\n  #0 self=1 incl=11 from nobody\n    to f#0:7 =10\n"},
    /* Each call is replaced by that of its own invocation. */
    {RECORD("f", "5", "10") RECORD("P", "1", "1") CALL("f", "7", "10")
     RECORD("g", "6", "20") RECORD("P", "1", "1") CALL("g", "7", "20")
     RECORD("h", "4", "0") RECORD("{main}", "2", "1")
     CALL("P", "9", "11") CALL("h", "10", "0") CALL("P", "11", "21"),
     "- f line=5 self=10 incl=10 inv=1\n  from {main}:7 x1 =10\n"
     "- P line=1 self=2 incl=2 inv=2\n"
     "- g line=6 self=20 incl=20 inv=1\n  from {main}:7 x1 =20\n"
     "- h line=4 self=0 incl=0 inv=1\n  from {main}:10 x1 =0\n"
     "- {main} line=2 self=1 incl=31 inv=1\n  to f:7 x1 =10\n  to h:10 x1 =0\n  to g:7 x1 =20\n", NULL},
    /* An inner invocation belongs to its own caller. webgrind's queue would hand main the inner call. */
    {RECORD("g", "6", "20") RECORD("P", "1", "1") CALL("g", "7", "20")
     RECORD("f", "5", "10") CALL("P", "8", "21")
     RECORD("P", "1", "2") CALL("f", "9", "31")
     RECORD("{main}", "2", "1") CALL("P", "3", "33"),
     "- g line=6 self=20 incl=20 inv=1\n  from f:7 x1 =20\n"
     "- P line=1 self=3 incl=3 inv=2\n"
     "- f line=5 self=10 incl=30 inv=1\n  from {main}:9 x1 =31\n  to g:7 x1 =20\n"
     "- {main} line=2 self=1 incl=32 inv=1\n  to f:9 x1 =31\n",
     "- g self=20 incl=20 calls=20 inv=1\n  #0 self=20 incl=20 from f#0:7 =20\n"
     "- P self=3 incl=3 calls=0 inv=2\n  #0 self=1 incl=1 from nobody\n  #1 self=2 incl=2 from nobody\n"
     "- f self=10 incl=30 calls=31 inv=1\n  #0 self=10 incl=30 from {main}#0:9 =31\n    to g#0:7 =20\n"
     "- {main} self=1 incl=32 calls=0 inv=1\n  #0 self=1 incl=32 from nobody\n    to f#0:9 =31\n"},
    /* Nested proxies are all stepped over. */
    {RECORD("f", "5", "10") RECORD("Q", "1", "1") CALL("f", "7", "10")
     RECORD("P", "1", "2") CALL("Q", "8", "11")
     RECORD("{main}", "2", "1") CALL("P", "9", "13"),
     "- f line=5 self=10 incl=10 inv=1\n  from {main}:7 x1 =10\n"
     "- Q line=1 self=1 incl=1 inv=1\n"
     "- P line=1 self=2 incl=2 inv=1\n"
     "- {main} line=2 self=1 incl=11 inv=1\n  to f:7 x1 =10\n", NULL},
    /* A proxy that calls itself is stepped over twice. */
    {RECORD("f", "5", "10") RECORD("P", "1", "1") CALL("f", "7", "10")
     RECORD("P", "1", "2") CALL("P", "8", "11")
     RECORD("{main}", "2", "1") CALL("P", "9", "13"),
     "- f line=5 self=10 incl=10 inv=1\n  from {main}:7 x1 =10\n"
     "- P line=1 self=3 incl=3 inv=2\n"
     "- {main} line=2 self=1 incl=11 inv=1\n  to f:7 x1 =10\n", NULL},
    /* The call of a proxy that keeps its place replaces the outer ones. */
    {RECORD("Q", "1", "1") RECORD("P", "1", "2") CALL("Q", "8", "1")
     RECORD("{main}", "2", "1") CALL("P", "9", "3"),
     "- Q line=1 self=1 incl=1 inv=1\n  from {main}:8 x1 =1\n"
     "- P line=1 self=2 incl=2 inv=1\n"
     "- {main} line=2 self=1 incl=2 inv=1\n  to Q:8 x1 =1\n", NULL},
    /* A proxy that made no call keeps its place. */
    {RECORD("P", "1", "3")
     RECORD("f", "5", "10") RECORD("P", "1", "1") CALL("f", "7", "10")
     RECORD("{main}", "2", "1") CALL("P", "9", "3") CALL("P", "10", "11"),
     "- P line=1 self=4 incl=4 inv=2\n  from {main}:9 x1 =3\n"
     "- f line=5 self=10 incl=10 inv=1\n  from {main}:7 x1 =10\n"
     "- {main} line=2 self=1 incl=14 inv=1\n  to P:9 x1 =3\n  to f:7 x1 =10\n",
     "- P self=4 incl=4 calls=3 inv=2\n  #0 self=3 incl=3 from {main}#0:9 =3\n  #1 self=1 incl=1 from nobody\n"
     "- f self=10 incl=10 calls=10 inv=1\n  #0 self=10 incl=10 from {main}#0:7 =10\n"
     "- {main} self=1 incl=14 calls=0 inv=1\n  #0 self=1 incl=14 from nobody\n    to P#0:9 =3\n"
     "    to f#0:7 =10\n"},
    /* A proxy that made several calls keeps its place. */
    {RECORD("f", "5", "10") RECORD("g", "6", "20")
     RECORD("P", "1", "3") CALL("f", "7", "10") CALL("g", "8", "20")
     RECORD("f", "5", "40") RECORD("P", "1", "1") CALL("f", "7", "40")
     RECORD("{main}", "2", "1") CALL("P", "9", "33") CALL("P", "10", "41"),
     "- f line=5 self=50 incl=50 inv=2\n  from P:7 x1 =10\n  from {main}:7 x1 =40\n"
     "- g line=6 self=20 incl=20 inv=1\n  from P:8 x1 =20\n"
     "- P line=1 self=4 incl=34 inv=2\n  from {main}:9 x1 =33\n  to f:7 x1 =10\n  to g:8 x1 =20\n"
     "- {main} line=2 self=1 incl=74 inv=1\n  to P:9 x1 =33\n  to f:7 x1 =40\n",
     "- f self=50 incl=50 calls=50 inv=2\n  #0 self=10 incl=10 from P#0:7 =10\n"
     "  #1 self=40 incl=40 from {main}#0:7 =40\n"
     "- g self=20 incl=20 calls=20 inv=1\n  #0 self=20 incl=20 from P#0:8 =20\n"
     "- P self=4 incl=34 calls=33 inv=2\n  #0 self=3 incl=33 from {main}#0:9 =33\n    to f#0:7 =10\n"
     "    to g#0:8 =20\n  #1 self=1 incl=1 from nobody\n"
     "- {main} self=1 incl=74 calls=0 inv=1\n  #0 self=1 incl=74 from nobody\n    to P#0:9 =33\n"
     "    to f#1:7 =40\n"},
    /* A proxy that nobody called keeps its call. */
    {RECORD("f", "5", "10") RECORD("P", "1", "3") CALL("f", "7", "10")
     RECORD("{main}", "2", "1"),
     "- f line=5 self=10 incl=10 inv=1\n  from P:7 x1 =10\n"
     "- P line=1 self=3 incl=13 inv=1\n  to f:7 x1 =10\n"
     "- {main} line=2 self=1 incl=1 inv=1\n",
     "- f self=10 incl=10 calls=10 inv=1\n  #0 self=10 incl=10 from P#0:7 =10\n"
     "- P self=3 incl=13 calls=0 inv=1\n  #0 self=3 incl=13 from nobody\n    to f#0:7 =10\n"
     "- {main} self=1 incl=1 calls=0 inv=1\n  #0 self=1 incl=1 from nobody\n"},
    /* A proxy without a record keeps its place. */
    {RECORD("{main}", "2", "1") CALL("P", "9", "3"),
     "- {main} line=2 self=1 incl=4 inv=1\n  to P:9 x1 =3\n"
     "- P line=0 self=0 incl=3 inv=1\n  from {main}:9 x1 =3\n",
     "- {main} self=1 incl=4 calls=0 inv=1\n  #0 self=1 incl=4 from nobody\n    to P#0:9 =3\n"
     "- P self=0 incl=3 calls=3 inv=1\n  #0 self=0 incl=3 from {main}#0:9 =3\n"},
};

static void calls_of_proxies_are_replaced_by_those_that_they_made(void **state)
{
    for (size_t i = 0; i < sizeof stepped_over / sizeof stepped_over[0]; i++) {
        assert_stepped_over(7, stepped_over[i].body, stepped_over[i].expected_7);
        if (stepped_over[i].expected_4 != NULL)
            assert_stepped_over(4, stepped_over[i].body, stepped_over[i].expected_4);
    }
}

static void calls_of_proxies_are_added_to_the_arc_of_their_line(void **state)
{
    assert_stepped_over(7,
                        RECORD("f", "5", "10") RECORD("P", "1", "1") CALL("f", "7", "10") RECORD("f", "5", "20")
                            RECORD("P", "1", "1") CALL("f", "7", "20") RECORD("f", "5", "40") RECORD("{main}", "2", "1")
                                CALL("P", "9", "11") CALL("P", "9", "21") CALL("f", "7", "40"),
                        "- f line=5 self=70 incl=70 inv=3\n  from {main}:7 x3 =70\n"
                        "- P line=1 self=2 incl=2 inv=2\n"
                        "- {main} line=2 self=1 incl=71 inv=1\n  to f:7 x3 =70\n");
}

static void a_later_run_does_not_claim_an_earlier_ones_invocation(void **state)
{
    struct cg2wg_options options = default_options();
    options.proxies = proxies;
    options.proxy_count = 1;
    assert_dump(XDEBUG RECORD("f", "5", "10") RECORD("P", "1", "3") CALL("f", "7", "10")
                "==== NEW PROFILING FILE ====\nsummary: 1\n"
                RECORD("{main}", "2", "1") CALL("P", "9", "13"),
                &options,
                "- f line=5 self=10 incl=10 inv=1\n  from P:7 x1 =10\n"
                "- P line=1 self=3 incl=13 inv=1\n  from {main}:9 x1 =13\n  to f:7 x1 =10\n"
                "- {main} line=2 self=1 incl=14 inv=1\n  to P:9 x1 =13\n" XDEBUG_SHOWN "header: summary: 1\n");
}

/*
 * A line is one call of one invocation, as in webgrind, whatever its count says: that of {main} or that of P
 * may be 0 or 2. The count that remains is that of the line that takes the other one's place.
 */
static void a_line_of_any_count_is_stepped_over(void **state)
{
    static const char *const counts[] = {"0", "1", "2"};
    for (size_t i = 0; i < 9; i++) {
        const char *of_main = counts[i / 3], *of_p = counts[i % 3];
        char body[300], sums[300];
        snprintf(body, sizeof body, RECORD("f", "5", "10") RECORD("P", "1", "3") "cfn=f\ncalls=%s 0 0\n7 10\n"
                 RECORD("{main}", "2", "1") "cfn=P\ncalls=%s 0 0\n9 13\n", of_p, of_main);
        for (unsigned format = 5; format <= 7; format++) {
            snprintf(sums, sizeof sums,
                     "- f%s self=10 incl=10 inv=1\n  from {main}:7 x%s =10\n"
                     "- P%s self=3 incl=3 inv=1\n"
                     "- {main}%s self=1 incl=11 inv=1\n",
                     format == 7 ? " line=5" : "", of_p, format == 7 ? " line=1" : "",
                     format == 7 ? " line=2" : "");
            if (format > 5)
                snprintf(sums + strlen(sums), sizeof sums - strlen(sums), "  to f:7 x%s =10\n", of_p);
            assert_stepped_over(format, body, sums);
        }
        assert_stepped_over(4, body,
                            "- f self=10 incl=10 calls=10 inv=1\n  #0 self=10 incl=10 from {main}#0:7 =10\n"
                            "- P self=3 incl=3 calls=0 inv=1\n  #0 self=3 incl=3 from nobody\n"
                            "- {main} self=1 incl=11 calls=0 inv=1\n  #0 self=1 incl=11 from nobody\n"
                            "    to f#0:7 =10\n");
    }
}

/* ---- which functions are proxies ---------------------------------------------------------- */

static void without_proxies_nothing_is_stepped_over(void **state)
{
    assert_dump(XDEBUG MAIN_P_F, NULL,
                "- f line=5 self=10 incl=10 inv=1\n  from P:7 x1 =10\n"
                "- P line=1 self=3 incl=13 inv=1\n  from {main}:9 x1 =13\n  to f:7 x1 =10\n"
                "- {main} line=2 self=1 incl=14 inv=1\n  to P:9 x1 =13\n" XDEBUG_SHOWN);
}

static void a_proxy_name_is_exact_unless_it_is_a_pattern(void **state)
{
    static const struct {
        const char *proxy, *name;
        bool matches;
    } cases[] = {
        {"php::call_user_func", "php::call_user_func", true},
        {"php::call_user_func", "php::call_user_func_array", false},
        {"php::call_user_func", "php::call_user_fun", false},
        {"php::call_user_func", "PHP::call_user_func", false},
        {"php::call_user_func", "php::call_user_func:{/a.php:12}", false},
        {"php::call_user_func:*", "php::call_user_func:{/a.php:12}", true},
        {"php::call_user_func:*", "php::call_user_func:", true},
        {"php::call_user_func:*", "php::call_user_func", false},
        {"php::call_user_func*", "php::call_user_func_array", true},
        {"*", "", true},
        {"*", "anything", true},
        {"?", "", false},
        {"?", "x", true},
        {"?", "xy", false},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a*b*c", "aXbXbYc", true},
        {"a*b*c", "aXcXb", false},
        {"*b", "abab", true},
        {"*ab?", "ababa", true},
        {"**x", "yyx", true},
        {"App\\Http\\Kernel->handle", "App\\Http\\Kernel->handle", true},
        {"App\\*->run", "App\\Http\\Kernel->run", true},
        {"App\\*->run", "App*->run", false},
        {"App\\?", "App\\x", true},
        {"App\\?", "App?", false},
        {"f[ab]", "f[ab]", true},
        {"f[ab]*", "fa", false},
        {"f[ab]*", "f[ab]c", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (text_matches(text_of_string(cases[i].name), cases[i].proxy, false) != cases[i].matches)
            fail_msg("%s, %s: expected %d", cases[i].proxy, cases[i].name, cases[i].matches);
}

static void a_star_takes_any_bytes(void **state)
{
    static const char pattern[] = "a*c?e";
    static const char name[] = "a\0\xff\nc\0e";
    assert_true(text_matches(text_of(name, sizeof name - 1), pattern, false));
    assert_false(text_matches(text_of(name, sizeof name - 2), pattern, false));
}

/* A pattern that goes back at each mismatch takes longer than this test may. */
static void many_stars_take_no_time(void **state)
{
    char name[2001];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    static const char pattern[] = "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b";
    assert_false(text_matches(text_of_string(name), pattern, false));
}

static void patterns_step_over_the_names_that_xdebug_adds_a_place_to(void **state)
{
    static const char *const pattern[] = {"php::call_user_func:*"};
    struct cg2wg_options options = default_options();
    options.proxies = pattern;
    options.proxy_count = 1;
    assert_dump(XDEBUG RECORD("f", "5", "10") RECORD("php::call_user_func:{/a.php:7}", "7", "3") CALL("f", "7", "10")
                    RECORD("{main}", "2", "1") CALL("php::call_user_func:{/a.php:7}", "7", "13"),
                &options,
                "- f line=5 self=10 incl=10 inv=1\n  from {main}:7 x1 =10\n"
                "- php::call_user_func:{/a.php:7} line=7 self=3 incl=3 inv=1\n"
                "- {main} line=2 self=1 incl=11 inv=1\n  to f:7 x1 =10\n" XDEBUG_SHOWN);
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Sums do not say which call belongs to which caller. */
static void in_sums_profiles_proxies_are_kept_with_a_warning(void **state)
{
    struct cg2wg_options options = default_options();
    options.proxies = proxies;
    options.proxy_count = 2;
    struct conversion_result result = convert_text("events: Ir\nsummary: 99\n" MAIN_P_F, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_string_equal(result.dump, "- f line=5 self=10 incl=10 inv=1\n  from P:7 x1 =10\n"
                                     "- P line=1 self=3 incl=13 inv=1\n  from {main}:9 x1 =13\n"
                                     "  to f:7 x1 =10\n"
                                     "- {main} line=2 self=1 incl=14 inv=1\n  to P:9 x1 =13\n"
                                     "header: events: Ir\nheader: summary: 99\n");
    assert_non_null(strstr(result.messages, "warning: "));
    assert_non_null(strstr(result.messages, " P "));
    assert_null(strstr(result.messages, " Q "));
    conversion_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_proxies_are_replaced_by_those_that_they_made),
        cmocka_unit_test(calls_of_proxies_are_added_to_the_arc_of_their_line),
        cmocka_unit_test(a_later_run_does_not_claim_an_earlier_ones_invocation),
        cmocka_unit_test(a_line_of_any_count_is_stepped_over),
        cmocka_unit_test(without_proxies_nothing_is_stepped_over),
        cmocka_unit_test(a_proxy_name_is_exact_unless_it_is_a_pattern),
        cmocka_unit_test(a_star_takes_any_bytes),
        cmocka_unit_test(many_stars_take_no_time),
        cmocka_unit_test(patterns_step_over_the_names_that_xdebug_adds_a_place_to),
        cmocka_unit_test(in_sums_profiles_proxies_are_kept_with_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
