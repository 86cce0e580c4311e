/* SPDX-License-Identifier: MIT */
/*
 * The meaning of a profile: what one function is, its sums, the order of everything. Every
 * expectation is derived by hand from docs/design.md.
 */
#include "profiles.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- identity ----------------------------------------------------------------------------- */

#define SAME_NAMES           \
    "ob=x\nfl=a.c\nfn=g\n1 1\n" \
    "ob=x\nfl=b.c\nfn=g\n2 2\n" \
    "ob=y\nfl=b.c\nfn=g\n3 4\n" \
    "ob=x\nfl=a.c\nfn=g\n4 8\n"

#define ONE_BY_NAME "a.c g line=1 self=15 incl=15 inv="
#define TWO_BY_FILE \
    "a.c g line=1 self=9 incl=9 inv=1\nb.c g line=2 self=6 incl=6 inv=1\n"
#define THREE_BY_OBJECT                  \
    "a.c g line=1 self=9 incl=9 inv=1\n" \
    "b.c g line=2 self=2 incl=2 inv=1\n" \
    "b.c g line=3 self=4 incl=4 inv=1\n"

static void identity_can_be_said(void **state)
{
    struct cg2wg_options name = default_options(), file = name, object = name;
    name.identity = CG2WG_IDENTITY_NAME;
    file.identity = CG2WG_IDENTITY_FILE;
    object.identity = CG2WG_IDENTITY_OBJECT;
    assert_dump(HEAD SAME_NAMES, &name, ONE_BY_NAME "1\n" HEAD_SHOWN);
    assert_dump(HEAD SAME_NAMES, &file, TWO_BY_FILE HEAD_SHOWN);
    assert_dump(HEAD SAME_NAMES, &object, THREE_BY_OBJECT HEAD_SHOWN);
    assert_dump(XDEBUG SAME_NAMES, &file,
                "a.c g line=1 self=9 incl=9 inv=2\n"
                "b.c g line=2 self=6 incl=6 inv=2\n" XDEBUG_SHOWN);
    assert_dump(XDEBUG SAME_NAMES, &object,
                "a.c g line=1 self=9 incl=9 inv=2\n"
                "b.c g line=2 self=2 incl=2 inv=1\n"
                "b.c g line=3 self=4 incl=4 inv=1\n" XDEBUG_SHOWN);
}

/*
 * A producer that knows a function by its alias alone writes costs under the files of its code, and calls under that
 * of the caller. Two static functions of one name are both called where they are, and are no such function.
 */
static void functions_that_are_in_several_files_by_mistake_are_noted(void **state)
{
#define ROOT "fl=m.c\nfn=(1) main\n1 1\n"
#define ALIASES "fn=(1) main\nfn=(2) g\n"
#define FROM_MAIN(file, g) "cfi=" file "\ncfn=" g "\ncalls=1 1\n1 5\n"
#define TWO(g, again) "fl=a.c\nfn=" g "\n2 3\nfl=b.c\nfn=" again "\n3 2\n"
    static const struct {
        const char *creator, *profile;
        enum cg2wg_identity identity;
        bool is_noted;
    } cases[] = {
        {"", ALIASES ROOT FROM_MAIN("m.c", "(2)") "fl=a.c\nfn=(2)\n2 5\n", CG2WG_IDENTITY_AUTO, true},
        {"", ROOT FROM_MAIN("a.c", "(2) g") TWO("(2)", "(2)"), CG2WG_IDENTITY_AUTO, true},
        {"", ROOT TWO("(2) g", "(2)"), CG2WG_IDENTITY_AUTO, true},
        {"", ROOT FROM_MAIN("m.c", "g") "fl=a.c\nfn=g\n2 5\n", CG2WG_IDENTITY_AUTO, true},
        {"", ROOT FROM_MAIN("m.c", "(2) g") "fl=a.c\nfn=(2)\n2 5\n", CG2WG_IDENTITY_FILE, false},
        {"", ROOT FROM_MAIN("m.c", "(2) g") "fl=a.c\nfn=(2)\n2 5\n", CG2WG_IDENTITY_NAME, false},
        {"", "ob=x\n" ROOT FROM_MAIN("m.c", "(2) g") "ob=y\nfl=a.c\nfn=(2)\n2 5\n", CG2WG_IDENTITY_AUTO, false},
        {"", ROOT FROM_MAIN("a.c", "(2) g") FROM_MAIN("b.c", "(2)") TWO("(2)", "(2)"), CG2WG_IDENTITY_AUTO, false},
        {"", ROOT FROM_MAIN("a.c", "(2) g") TWO("(2)", "(3) g"), CG2WG_IDENTITY_AUTO, false},
        {"", ROOT FROM_MAIN("a.c", "g") TWO("g", "g"), CG2WG_IDENTITY_AUTO, false},
        {"creator: callgrind-3.19.0\n", ROOT FROM_MAIN("a.c", "(2) g") TWO("(2)", "(2)"), CG2WG_IDENTITY_AUTO, false},
        {"creator: xdebug 3.2.0\n", ROOT TWO("(2) g", "(2)"), CG2WG_IDENTITY_AUTO, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[400];
        struct cg2wg_options options = default_options();
        options.identity = cases[i].identity;
        snprintf(profile, sizeof profile, "%sevents: Ir\nsummary: 6\n%s", cases[i].creator, cases[i].profile);
        struct conversion_result result = convert_text(profile, &options);
        bool is_noted = strstr(result.messages, "several files, such as g") != NULL;
        if (result.status != CG2WG_OK || is_noted != cases[i].is_noted)
            fail_msg("%zu: %s%s", i, result.messages, profile);
        conversion_free(&result);
    }
}

/* ---- two kinds of producer ---------------------------------------------------------------- */

/* f has two records and is called three times. */
#define TWO_RECORDS             \
    "fn=f\n1 1\nfn=f\n1 2\n"    \
    "fn=main\n2 4\ncfn=f\ncalls=3 1\n3 3\n"

static void records_are_invocations_or_sums_as_the_creator_says(void **state)
{
    static const struct {
        const char *header;
        unsigned of_f;
        enum cg2wg_records records;
    } cases[] = {
        {"creator: xdebug 2.1.1\n", 2, CG2WG_RECORDS_AUTO},
        {"version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.1)\n", 2, CG2WG_RECORDS_AUTO},
        {"version: 0.9.6\ncmd: a.php\n", 2, CG2WG_RECORDS_AUTO},
        {"", 3, CG2WG_RECORDS_AUTO},
        {"version: 1\n", 3, CG2WG_RECORDS_AUTO},
        {"version: 1\ncreator: callgrind-3.22.0\n", 3, CG2WG_RECORDS_AUTO},
        {"version: 0.9.6\ncreator: me\n", 3, CG2WG_RECORDS_AUTO},
        /* Xdebug's aggregates are sums. */
        {"creator: xdebug 2.5.5\ncmd: Aggregate\n", 3, CG2WG_RECORDS_AUTO},
        {"version: 0.9.6\ncmd: Aggregate\n", 3, CG2WG_RECORDS_AUTO},
        {"version: 0.9.6\ncmd: Aggregate.php\n", 2, CG2WG_RECORDS_AUTO},
        {"", 2, CG2WG_RECORDS_INVOCATIONS},
        {"creator: xdebug 3.2.0\n", 3, CG2WG_RECORDS_SUMS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[400], expected[200];
        struct cg2wg_options options = default_options();
        options.records = cases[i].records;
        snprintf(profile, sizeof profile, "%sevents: Time\nsummary: 99\n" TWO_RECORDS, cases[i].header);
        snprintf(expected, sizeof expected,
                 "- f line=1 self=3 incl=3 inv=%u\n  from main:3 x3 =3\n"
                 "- main line=2 self=4 incl=7 inv=1\n  to f:3 x3 =3\n", cases[i].of_f);
        assert_shows(profile, &options, expected, NULL);
    }
}

/* ---- costs and arcs ----------------------------------------------------------------------- */

/* Caller 1 from line 23 and caller 12 from line 3 are one in webgrind's PHP code. */
static void arcs_whose_numbers_look_alike_stay_apart(void **state)
{
    char profile[1000] = HEAD "fn=f0\n1 90\n";
    for (int i = 1; i < 13; i++) {
        size_t used = strlen(profile);
        snprintf(profile + used, sizeof profile - used, "fn=f%d\n1 1\n", i);
    }
    strcat(profile, "fn=f1\ncfn=f0\ncalls=1 1\n23 40\nfn=f12\ncfn=f0\ncalls=2 1\n3 50\n");
    struct conversion_result result = convert_text(profile, NULL);
    static const char expected[] = "- f0 line=1 self=90 incl=90 inv=3\n  from f1:23 x1 =40\n"
                                   "  from f12:3 x2 =50\n"
                                   "- f1 ";
    if (strncmp(result.dump, expected, strlen(expected)) != 0)
        fail_msg("found\n%s", result.dump);
    assert_non_null(strstr(result.dump, "- f1 line=1 self=1 incl=41 inv=1\n  to f0:23 x1 =40\n"));
    assert_non_null(strstr(result.dump, "- f12 line=1 self=1 incl=51 inv=1\n  to f0:3 x2 =50\n"));
    conversion_free(&result);
}

static void many_arcs_and_functions_stay_apart(void **state)
{
    enum { FUNCTIONS = 300, LINES = 20 };
    char *profile = NULL, *expected = NULL;
    size_t size;
    FILE *out = open_memstream(&profile, &size);
    fprintf(out, HEAD "fn=main\n1 1\n");
    for (int pass = 0; pass < 2; pass++)
        for (int f = 0; f < FUNCTIONS; f++)
            for (int line = 0; line < LINES; line++)
                fprintf(out, "cfn=f%d\ncalls=1\n%d %d\n", f, line, f + line);
    for (int f = 0; f < FUNCTIONS; f++)
        fprintf(out, "fn=f%d\n7 5\n", f);
    fclose(out);

    /* The sum of f + line over all, twice, and main's own cost. */
    int inclusive = 1 + 2 * (LINES * (FUNCTIONS * (FUNCTIONS - 1) / 2) + FUNCTIONS * (LINES * (LINES - 1) / 2));
    out = open_memstream(&expected, &size);
    fprintf(out, "- main line=1 self=1 incl=%d inv=1\n", inclusive);
    for (int f = 0; f < FUNCTIONS; f++)
        for (int line = 0; line < LINES; line++)
            fprintf(out, "  to f%d:%d x2 =%d\n", f, line, 2 * (f + line));
    for (int f = 0; f < FUNCTIONS; f++) {
        fprintf(out, "- f%d line=7 self=5 incl=5 inv=%d\n", f, 2 * LINES);
        for (int line = 0; line < LINES; line++)
            fprintf(out, "  from main:%d x2 =%d\n", line, 2 * (f + line));
    }
    fprintf(out, HEAD_SHOWN);
    fclose(out);
    assert_dump(profile, NULL, expected);
    free(profile);
    free(expected);
}

static void a_cost_of_exactly_32_bits_is_no_warning(void **state)
{
    assert_conversion("events: Ir\nsummary: 4294967295\nfn=f\n1 4294967295\n", NULL, "",
                      "- f line=1 self=4294967295 incl=4294967295 inv=1\n"
                      "header: events: Ir\nheader: summary: 4294967295\n");
}

/* ---- header lines ------------------------------------------------------------------------- */

static void header_lines_are_usable_by_webgrind(void **state)
{
    struct conversion_result result =
        convert_text("version:1\ncmd:\tx y\ncmd:\ndesc: \n\ncreator:me\nevents:Time Memory\nsummary:99\n"
                     "fn=f\n1 2\n\n\ndesc: a: b\n",
                     NULL);
    assert_int_equal(result.status, CG2WG_OK);
    static const char tail[] = "version: 1\ncmd: x y\ncreator: me\nevents: Time Memory\nsummary: 99\n"
                               "desc: a: b\n";
    size_t length = strlen(tail);
    assert_true(result.size > length);
    assert_memory_equal(result.bytes + result.size - length, tail, length);
    conversion_free(&result);
}

static void header_lines_are_as_they_were(void **state)
{
    static const char header[] = "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.1)\ncmd: /srv/a b.php\n"
                                 "part: 1\npositions: line\nevents: Time_(10ns) Memory_(bytes)\n"
                                 "summary: 12345 678\n";
    char profile[400];
    snprintf(profile, sizeof profile, "%s\nfl=a.php\nfn={main}\n1 2 3\n", header);
    struct conversion_result result = convert_text(profile, NULL);
    size_t length = strlen(header);
    ignore_odd_totals(&result);
    assert_string_equal(result.messages, "");
    assert_memory_equal(result.bytes + result.size - length, header, length);
    conversion_free(&result);
}

static void there_is_always_an_events_line(void **state)
{
    struct conversion_result result = convert_text("summary: 2\nfn=f\n1 2 3\n", NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "self=2 "));
    assert_non_null(strstr(result.dump, "header: events: "));
    /* Nothing in it may make webgrind divide the costs. */
    assert_null(strstr(result.dump, "Time_(10ns)"));
    conversion_free(&result);
}

/* ---- version 4: the tree of invocations, of which test_generated.c makes others at random -------- */

#define XDEBUG_SHOWN_BUT_TOTAL "header: creator: xdebug 3.2.0\nheader: events: Time\n"

static const struct {
    const char *profile, *expected;
} trees[] = {
    /* Each invocation is kept with its caller and its calls. */
    {XDEBUG "fl=/a.php\n" RECORD("f", "5", "3") RECORD("g", "7", "10")
     CALL("f", "8", "3") RECORD("f", "5", "4") RECORD("{main}", "1", "20")
     CALL("g", "2", "13") CALL("f", "3", "4"),
     "/a.php f self=7 incl=7 calls=7 inv=2\n  #0 self=3 incl=3 from g#0:8 =3\n"
     "  #1 self=4 incl=4 from {main}#0:3 =4\n"
     "/a.php g self=10 incl=13 calls=13 inv=1\n  #0 self=10 incl=13 from {main}#0:2 =13\n    to f#0:8 =3\n"
     "/a.php {main} self=20 incl=37 calls=0 inv=1\n  #0 self=20 incl=37 from nobody\n    to g#0:2 =13\n"
     "    to f#1:3 =4\n" XDEBUG_SHOWN},
    /*
     * Calls take the last invocations that are not taken. f, then g which calls f, then f: the second f is
     * g's, although it is not the newest one.
     */
    {XDEBUG RECORD("f", "5", "1") RECORD("f", "5", "2") RECORD("g", "6", "4")
     CALL("f", "7", "2") RECORD("f", "5", "8") RECORD("{main}", "1", "16")
     CALL("f", "2", "1") CALL("g", "3", "6") CALL("f", "4", "8"),
     "- f self=11 incl=11 calls=11 inv=3\n  #0 self=1 incl=1 from {main}#0:2 =1\n"
     "  #1 self=2 incl=2 from g#0:7 =2\n  #2 self=8 incl=8 from {main}#0:4 =8\n"
     "- g self=4 incl=6 calls=6 inv=1\n  #0 self=4 incl=6 from {main}#0:3 =6\n    to f#1:7 =2\n"
     "- {main} self=16 incl=31 calls=0 inv=1\n  #0 self=16 incl=31 from nobody\n    to f#0:2 =1\n"
     "    to g#0:3 =6\n    to f#2:4 =8\n" XDEBUG_SHOWN},
    /*
     * A calls cost is kept where rounding made it another. Xdebug rounds each number by itself: what the
     * call cost is kept beside what its parts say.
     */
    {XDEBUG RECORD("f", "5", "3") RECORD("{main}", "1", "1") CALL("f", "2", "4"),
     "- f self=3 incl=3 calls=4 inv=1\n  #0 self=3 incl=3 from {main}#0:2 =4\n"
     "- {main} self=1 incl=5 calls=0 inv=1\n  #0 self=1 incl=5 from nobody\n    to f#0:2 =4\n" XDEBUG_SHOWN},
    /*
     * A missing record takes no others place. The last of the two calls has the record: k calls take the
     * last invocations. f's row is that of all versions: its own cost and its calls, those that its records
     * contain.
     */
    {XDEBUG RECORD("f", "5", "3") RECORD("{main}", "1", "8") CALL("f", "2", "7") CALL("f", "4", "3"),
     "- f self=3 incl=3 calls=10 inv=2\n  #0 self=3 incl=3 from {main}#0:4 =3\n"
     "  #1 self=0 incl=7 from {main}#0:2 =7\n"
     "- {main} self=8 incl=18 calls=0 inv=1\n  #0 self=8 incl=18 from nobody\n    to f#1:2 =7\n"
     "    to f#0:4 =3\n" XDEBUG_SHOWN},
    /*
     * Missing records get invocations in order of their calls. They cost as much as the call, and are
     * numbered as they returned, which calls of one record did in order.
     */
    {XDEBUG RECORD("{main}", "1", "8") CALL("f", "2", "7") CALL("f", "4", "3"),
     "- {main} self=8 incl=18 calls=0 inv=1\n  #0 self=8 incl=18 from nobody\n    to f#0:2 =7\n"
     "    to f#1:4 =3\n"
     "- f self=0 incl=10 calls=10 inv=2\n  #0 self=0 incl=7 from {main}#0:2 =7\n"
     "  #1 self=0 incl=3 from {main}#0:4 =3\n" XDEBUG_SHOWN},
    /* No call is tied to an earlier run. */
    {XDEBUG RECORD("f", "5", "3")
     "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("f", "5", "4")
     RECORD("{main}", "1", "8") CALL("f", "2", "4")
     "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("{main}", "1", "1")
     CALL("f", "2", "6"),
     "- f self=7 incl=7 calls=10 inv=3\n  #0 self=3 incl=3 from nobody\n  #1 self=4 incl=4 from {main}#0:2 =4\n"
     "  #2 self=0 incl=6 from {main}#1:2 =6\n"
     "- {main} self=9 incl=19 calls=0 inv=2\n  #0 self=8 incl=12 from nobody\n    to f#1:2 =4\n"
     "  #1 self=1 incl=7 from nobody\n    to f#2:2 =6\n" XDEBUG_SHOWN_BUT_TOTAL XDEBUG_SHOWN_BUT_TOTAL
     XDEBUG_SHOWN_BUT_TOTAL "header: summary: 297\n"},
    /*
     * A missing record is not taken from an earlier run. Where the later run has no record of it at all, or
     * too few.
     */
    {XDEBUG RECORD("f", "5", "3") RECORD("g", "6", "5")
     "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("g", "6", "4")
     RECORD("{main}", "1", "8") CALL("f", "2", "6") CALL("g", "3", "7")
     CALL("g", "4", "4"),
     "- f self=3 incl=3 calls=6 inv=2\n  #0 self=3 incl=3 from nobody\n  #1 self=0 incl=6 from {main}#0:2 =6\n"
     "- g self=9 incl=9 calls=11 inv=3\n  #0 self=5 incl=5 from nobody\n  #1 self=4 incl=4 from {main}#0:4 =4\n"
     "  #2 self=0 incl=7 from {main}#0:3 =7\n"
     "- {main} self=8 incl=25 calls=0 inv=1\n  #0 self=8 incl=25 from nobody\n    to f#1:2 =6\n"
     "    to g#2:3 =7\n    to g#1:4 =4\n" XDEBUG_SHOWN_BUT_TOTAL XDEBUG_SHOWN_BUT_TOTAL
     "header: summary: 198\n"},
    /* From sums each function is one invocation. */
    {HEAD "fl=a.c\nfn=main\n1 8\ncfn=f\ncalls=5 5\n2 7\n"
     "fn=f\n5 3\nfn=main\n3 1\nfn=f\n6 4\n",
     "a.c main self=9 incl=16 calls=0 inv=1\n  #0 self=9 incl=16 from nobody\n    to f#0:2 =7\n"
     "a.c f self=7 incl=7 calls=7 inv=1\n  #0 self=7 incl=7 from main#0:2 =7\n" HEAD_SHOWN},
};

static void invocations_are_tied_to_calls(void **state)
{
    struct cg2wg_options options = options_to(4);
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++)
        assert_dump(trees[i].profile, &options, trees[i].expected);
}

static void what_nobody_called_says_so(void **state)
{
    struct cg2wg_options options = options_to(4);
    struct conversion_result result = convert_text(XDEBUG RECORD("f", "5", "3") RECORD("f", "5", "4"), &options);
    /* version, headers, one function at 16; its four numbers; two invocations of eight. */
    static const unsigned char nobody[16] = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0};
    assert_memory_equal(result.bytes + 32 + 8, nobody, sizeof nobody);
    assert_memory_equal(result.bytes + 64 + 8, nobody, sizeof nobody);
    conversion_free(&result);
}

/* ---- the public interface ----------------------------------------------------------------- */

static void only_formats_4_to_7_can_be_asked_for(void **state)
{
    for (unsigned format = 0; format < 12; format++) {
        struct cg2wg_options options = options_to(format);
        struct conversion_result result = convert_text(HEAD "fn=f\n1 2\n", &options);
        bool exists = format >= 4 && format <= 7;
        assert_int_equal(result.status, exists ? CG2WG_OK : CG2WG_MISUSE);
        assert_int_equal(result.bytes != NULL, exists);
        if (exists)
            assert_int_equal(result.bytes[0], format);
        conversion_free(&result);
    }
}

static void the_defaults_are_format_7_and_automatic(void **state)
{
    struct cg2wg_options options = default_options();
    assert_int_equal(options.format, 7);
    assert_int_equal(options.identity, CG2WG_IDENTITY_AUTO);
    assert_int_equal(options.records, CG2WG_RECORDS_AUTO);
    assert_false(options.strict);
    assert_int_equal(options.proxy_count, 0);
}

/* ---- profiles and their meaning ----------------------------------------------------------------- */

static const struct named_profile {
    const char *name, *profile, *expected;
} profiles[] = {
    {"in_xdebugs_profiles_a_function_is_its_name",
     XDEBUG SAME_NAMES,
     ONE_BY_NAME "4\n" XDEBUG_SHOWN},
    {"elsewhere_a_function_is_its_object_file_and_name",
     HEAD SAME_NAMES,
     THREE_BY_OBJECT HEAD_SHOWN},
    {"calls_go_to_the_function_of_their_file",
     HEAD "fl=a.c\nfn=init\n1 1\n"
     "fl=b.c\nfn=init\n2 2\n"
     "fl=c.c\nfn=main\n3 4\ncfl=b.c\ncfn=init\ncalls=1 2\n4 2\ncfl=a.c\ncfn=init\ncalls=1 1\n4 1\n",
     "a.c init line=1 self=1 incl=1 inv=1\n  from main:4 x1 =1\n"
     "b.c init line=2 self=2 incl=2 inv=1\n  from main:4 x1 =2\n"
     "c.c main line=3 self=4 incl=7 inv=1\n  to init:4 x1 =2\n  to init:4 x1 =1\n" HEAD_SHOWN},
    {"aggregates_still_distinguish_functions_by_name",
     "version: 0.9.6\ncmd: Aggregate\n" HEAD
     "fl=a.php\nfn=f\n1 1\nfl=b.php\nfn=f\n2 2\n",
     "a.php f line=1 self=3 incl=3 inv=1\n"
     "header: version: 0.9.6\nheader: cmd: Aggregate\n" HEAD_SHOWN},
    {"in_sums_the_invocations_are_the_calls_from_everywhere",
     HEAD "fn=main\n1 1\ncfn=f\ncalls=2 9\n2 10\ncfn=f\ncalls=3 9\n3 10\n"
     "fn=g\n5 1\ncfn=f\ncalls=0 9\n6 10\n"
     "fn=f\n9 8\nfn=main\n4 1\nfn=f\n10 22\ncfn=f\ncalls=5 9\n11 0\n",
     "- main line=1 self=2 incl=22 inv=1\n  to f:2 x2 =10\n  to f:3 x3 =10\n"
     "- f line=9 self=30 incl=30 inv=10\n  from main:2 x2 =10\n  from main:3 x3 =10\n  from g:6 x0 =10\n"
     "  from f:11 x5 =0\n  to f:11 x5 =0\n"
     "- g line=5 self=1 incl=11 inv=1\n  to f:6 x0 =10\n" HEAD_SHOWN},
    {"an_uncalled_invocation_counts_by_its_record",
     XDEBUG "fn=f\n1 1\nfn=f\n1 1\nfn=f\n1 1\nfn={main}\n1 2\ncfn=f\ncalls=1 0 0\n2 1\n",
     "- f line=1 self=3 incl=3 inv=3\n  from {main}:2 x1 =1\n"
     "- {main} line=1 self=2 incl=3 inv=1\n  to f:2 x1 =1\n" XDEBUG_SHOWN},
    {"a_record_without_a_cost_line_is_an_invocation_too",
     XDEBUG "fn=f\n1 1\nfn=f\nfn={main}\n1 2\n",
     "- f line=1 self=1 incl=1 inv=2\n"
     "- {main} line=1 self=2 incl=2 inv=1\n" XDEBUG_SHOWN},
    {"arcs_are_keyed_by_caller_callee_and_line",
     HEAD "fn=main\n1 1\ncfn=f\ncalls=1 9\n2 10\ncfn=g\ncalls=1 9\n2 20\ncfn=f\ncalls=2 9\n3 30\ncfn=f\n"
     "calls=4 9\n2 40\n"
     "fn=f\n9 60\ncfn=g\ncalls=1 9\n2 20\n"
     "fn=g\n9 40\n",
     "- main line=1 self=1 incl=101 inv=1\n  to f:2 x5 =50\n  to g:2 x1 =20\n  to f:3 x2 =30\n"
     "- f line=9 self=60 incl=80 inv=7\n  from main:2 x5 =50\n  from main:3 x2 =30\n  to g:2 x1 =20\n"
     "- g line=9 self=40 incl=40 inv=2\n  from main:2 x1 =20\n  from f:2 x1 =20\n" HEAD_SHOWN},
    {"inclusive_cost_counts_recursion_several_times",
     XDEBUG "fn=f\n1 1\n"
     "fn=f\n1 2\ncfn=f\ncalls=1 0 0\n3 1\n"
     "fn=f\n1 4\ncfn=f\ncalls=1 0 0\n3 3\n"
     "fn={main}\n9 8\ncfn=f\ncalls=1 0 0\n10 7\n",
     "- f line=1 self=7 incl=11 inv=3\n  from f:3 x2 =4\n  from {main}:10 x1 =7\n  to f:3 x2 =4\n"
     "- {main} line=9 self=8 incl=15 inv=1\n  to f:10 x1 =7\n" XDEBUG_SHOWN},
    {"sums_are_exact_beyond_32_bits",
     HEAD "fn=f\n1 4294967295\n1 4294967295\n1 -8589934588\n"
     "fn=main\n2 1\ncfn=f\ncalls=1\n3 9007199254740993\ncfn=f\ncalls=1\n3 -9007199254740991\n",
     "- f line=1 self=2 incl=2 inv=2\n  from main:3 x2 =2\n"
     "- main line=2 self=1 incl=3 inv=1\n  to f:3 x2 =2\n" HEAD_SHOWN},
    /* Its own sums are not known: it is as expensive as it was called. */
    {"a_function_without_a_record_costs_what_its_calls_cost",
     XDEBUG "fn={main}\n1 2\ncfl=php:internal\ncfn=strlen\ncalls=1 0 0\n3 4\n"
     "cfl=php:internal\ncfn=strlen\ncalls=1 0 0\n5 6\n",
     "- {main} line=1 self=2 incl=12 inv=1\n  to strlen:3 x1 =4\n  to strlen:5 x1 =6\n"
     "php:internal strlen line=0 self=0 incl=10 inv=2\n  from {main}:3 x1 =4\n  from {main}:5 x1 =6\n" XDEBUG_SHOWN},
    {"functions_are_in_order_of_first_mention",
     HEAD "fn=z\n1 1\ncfn=y\ncalls=1\n1 2\n"
     "fn=b\n1 1\ncfn=a\ncalls=1\n1 2\n"
     "fn=a\n1 2\nfn=y\n1 2\n",
     "- z line=1 self=1 incl=3 inv=1\n  to y:1 x1 =2\n"
     "- y line=1 self=2 incl=2 inv=1\n  from z:1 x1 =2\n"
     "- b line=1 self=1 incl=3 inv=1\n  to a:1 x1 =2\n"
     "- a line=1 self=2 incl=2 inv=1\n  from b:1 x1 =2\n" HEAD_SHOWN},
    {"arcs_are_in_order_of_first_occurrence",
     XDEBUG "fn=f\n1 6\nfn=g\n2 6\n"
     "fn=b\n3 1\ncfn=g\ncalls=1 0 0\n9 1\ncfn=f\ncalls=1 0 0\n8 1\n"
     "fn=a\n4 1\ncfn=f\ncalls=1 0 0\n7 1\ncfn=g\ncalls=1 0 0\n6 1\n"
     "fn=b\n3 1\ncfn=f\ncalls=1 0 0\n5 1\ncfn=g\ncalls=1 0 0\n9 1\n",
     "- f line=1 self=6 incl=6 inv=1\n  from b:8 x1 =1\n  from a:7 x1 =1\n  from b:5 x1 =1\n"
     "- g line=2 self=6 incl=6 inv=1\n  from b:9 x2 =2\n  from a:6 x1 =1\n"
     "- b line=3 self=2 incl=6 inv=2\n  to g:9 x2 =2\n  to f:8 x1 =1\n  to f:5 x1 =1\n"
     "- a line=4 self=1 incl=3 inv=1\n  to f:7 x1 =1\n  to g:6 x1 =1\n" XDEBUG_SHOWN},
    {"a_functions_line_is_that_of_its_first_cost_line",
     XDEBUG "fl=a.php\nfn=f\n12 1\nfn=f\n3 1\nfn=g\n7 1\n5 1\n",
     "a.php f line=12 self=2 incl=2 inv=2\n"
     "a.php g line=7 self=2 incl=2 inv=1\n" XDEBUG_SHOWN},
    {"a_functions_line_is_in_its_own_file_if_it_can_be",
     HEAD "fl=a.c\nfn=f\nfi=b.h\n3 1\nfe=a.c\n12 1\n10 1\n"
     "fn=g\nfi=b.h\n4 1\nfi=c.h\n5 1\n",
     "a.c f line=12 self=3 incl=3 inv=1\n"
     "a.c g line=4 self=2 incl=2 inv=1\n" HEAD_SHOWN},
    {"the_line_of_a_call_is_not_that_of_its_function",
     HEAD "fl=a.c\nfn=main\ncfn=main\ncalls=1 70\n30 2\n40 1\n",
     "a.c main line=40 self=1 incl=3 inv=1\n  from main:30 x1 =2\n  to main:30 x1 =2\n" HEAD_SHOWN},
    {"a_functions_file_is_that_of_its_first_record",
     XDEBUG "fl=first.php\nfn=f\n12 1\nfl=second.php\nfn=f\n3 1\n",
     "first.php f line=12 self=2 incl=2 inv=2\n" XDEBUG_SHOWN},
    {"a_function_met_as_a_callee_gets_the_file_of_its_record",
     XDEBUG "fl=a.php\nfn={main}\n1 2\ncfn=f\ncalls=1 0 0\n2 3\nfl=b.php\nfn=f\n7 3\n",
     "a.php {main} line=1 self=2 incl=5 inv=1\n  to f:2 x1 =3\n"
     "b.php f line=7 self=3 incl=3 inv=1\n  from {main}:2 x1 =3\n" XDEBUG_SHOWN},
};

static void a_profile_means_what_it_says(void **state)
{
    const struct named_profile *p = *state;
    assert_dump(p->profile, NULL, p->expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_can_be_said),
        cmocka_unit_test(functions_that_are_in_several_files_by_mistake_are_noted),
        cmocka_unit_test(records_are_invocations_or_sums_as_the_creator_says),
        cmocka_unit_test(arcs_whose_numbers_look_alike_stay_apart),
        cmocka_unit_test(many_arcs_and_functions_stay_apart),
        cmocka_unit_test(a_cost_of_exactly_32_bits_is_no_warning),
        cmocka_unit_test(header_lines_are_usable_by_webgrind),
        cmocka_unit_test(header_lines_are_as_they_were),
        cmocka_unit_test(there_is_always_an_events_line),
        cmocka_unit_test(invocations_are_tied_to_calls),
        cmocka_unit_test(what_nobody_called_says_so),
        cmocka_unit_test(only_formats_4_to_7_can_be_asked_for),
        cmocka_unit_test(the_defaults_are_format_7_and_automatic),
    };
    return RUN_WITH_CASES(tests, a_profile_means_what_it_says, profiles);
}
