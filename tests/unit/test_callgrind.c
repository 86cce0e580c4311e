/* SPDX-License-Identifier: MIT */
/*
 * The callgrind front end: what each kind of line means. Every expectation is derived by hand from
 * the format's description and from docs/formats.md.
 */
#include "profiles.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *joined = malloc(size);
    snprintf(joined, size, "%s%s%s", a, b, c);
    return joined;
}

static struct conversion_result convert_well(const char *profile, size_t length)
{
    struct conversion_result result = convert_bytes(profile, length, NULL);
    if (result.status != CG2WG_OK)
        fail_msg("conversion failed: %s", result.messages);
    ignore_odd_totals(&result);
    return result;
}

/* What a profile means, or what follows HEAD; and the words of its one warning, about that line, if there is any. */
struct meaning {
    const char *name;
    enum { WHOLE, BODY } what;
    const char *profile, *expected;
    unsigned line;
    const char *words;
};

static void check_meaning(const struct meaning *m)
{
    bool is_body = m->what == BODY;
    char *profile = join(is_body ? HEAD : "", m->profile, "");
    char *expected = join(m->expected, is_body ? HEAD_SHOWN : "", ""), start[32] = "";
    struct conversion_result result = convert_well(profile, strlen(profile));
    if (m->words != NULL)
        snprintf(start, sizeof start, "warning: %u: ", m->line + (is_body ? 2 : 0));
    if (m->words == NULL ? *result.messages != '\0'
                         : strncmp(result.messages, start, strlen(start)) != 0 ||
                               strchr(result.messages, '\n') != result.messages + strlen(result.messages) - 1 ||
                               strstr(result.messages, m->words) == NULL)
        fail_msg("found messages \"%s\", expected %s%s", result.messages, start, m->words != NULL ? m->words : "none");
    assert_string_equal(result.dump, expected);
    conversion_free(&result);
    free(profile);
    free(expected);
}

/* Converts; nothing may be said about it. */
static void assert_quiet(const char *profile, const char *expected)
{
    check_meaning(&(struct meaning){NULL, WHOLE, profile, expected, 0, NULL});
}

/* The same for what follows HEAD. */
static void assert_body(const char *body, const char *functions)
{
    check_meaning(&(struct meaning){NULL, BODY, body, functions, 0, NULL});
}

/* Converts with exactly one warning, about that line of the body, which mentions those words. */
static void assert_body_warns(const char *body, unsigned line, const char *words, const char *functions)
{
    check_meaning(&(struct meaning){NULL, BODY, body, functions, line, words});
}

static void assert_fails(const char *profile, size_t length, const struct cg2wg_options *options)
{
    struct conversion_result result = convert_bytes(profile, length, options);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_null(result.bytes);
    assert_non_null(strstr(result.messages, "error: "));
    conversion_free(&result);
}

/* ---- header lines and parts --------------------------------------------------------------- */

/* A part shows in that relative positions start over: +5 is line 5, where it would be 15. */
static void certain_header_lines_after_body_lines_begin_a_part(void **state)
{
    static const struct {
        const char *header;
        bool begins;
    } cases[] = {
        {"version: 1", true}, {"pid: 2", true},          {"thread: 2", true},
        {"part: 2", true},    {"positions: line", true}, {"events: Ir", true},
        {"cmd: b", false},    {"desc: a: b", false},     {"event: Ge : Global Bus Event", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[400], expected[400];
        const char *line = cases[i].begins ? "5" : "15";
        snprintf(profile, sizeof profile,
                 HEAD "fn=g\n1 2\nfn=main\n10 1\n%s\nsummary: 1\nfn=main\ncfn=g\ncalls=1\n+5 2\n", cases[i].header);
        snprintf(expected, sizeof expected,
                 "- g line=1 self=2 incl=2 inv=1\n"
                 "  from main:%s x1 =2\n"
                 "- main line=10 self=1 incl=3 inv=1\n"
                 "  to g:%s x1 =2\n"
                 "header: events: Ir\nheader: summary: %s\nheader: %s\n%s",
                 line, line, cases[i].begins ? "99" : "1", cases[i].header,
                 cases[i].begins ? "header: summary: 1\n" : ""); /* which replaces that of the same part */
        assert_quiet(profile, expected);
    }
}

/* Its last number may have been longer, unless a total was written after it; cachegrind has no creator. */
static void a_last_line_by_valgrind_needs_its_newline(void **state)
{
    static const char *const starts[] = {"creator: callgrind-3.19.0\n", "desc: I1 cache: 32768 B\n",
                                         "creator: other\n"};
    for (size_t i = 0; i < 3; i++) {
        char profile[100];
        snprintf(profile, sizeof profile, "%sevents: Ir\nfn=f\n1 5\n2 7", starts[i]);
        struct conversion_result result = convert_bytes(profile, strlen(profile), NULL);
        assert_int_equal(strstr(result.messages, "expected a whole line") != NULL, i < 2);
        assert_non_null(strstr(result.dump, i < 2 ? "- f line=1 self=5 " : "- f line=1 self=12 "));
        conversion_free(&result);
    }
}

static void positions_say_what_a_cost_line_begins_with(void **state)
{
    static const struct {
        const char *positions, *cost_line, *line;
    } cases[] = {
        {"line", "12 7", "12"},
        {"instr", "0x4005d0 7", "0"},
        {"addr", "0x4005d0 7", "0"},
        {"bb", "3 7", "0"},
        {"instr line", "0x4005d0 12 7", "12"},
        {"bb line", "3 12 7", "12"},
        {"instr bb", "0x4005d0 3 7", "0"},
        {"instr bb line", "0x4005d0 3 12 7", "12"},
        {" instr\tline ", "0x4005d0 12 7", "12"},
        {"line instr", "0x4005d0 12 7", "12"}, /* orbuculum, and KCachegrind reads it like that */
        {"line bb instr", "0x4005d0 3 12 7", "12"},
        {"", "12 7", "12"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[200], line[100];
        snprintf(profile, sizeof profile, "positions: %s\n" HEAD "fn=f\n%s\n", cases[i].positions, cases[i].cost_line);
        snprintf(line, sizeof line, "- f line=%s self=7 incl=7 inv=1\n", cases[i].line);
        struct conversion_result result = convert_well(profile, strlen(profile));
        assert_string_equal(result.messages, "");
        if (strncmp(result.dump, line, strlen(line)) != 0)
            fail_msg("positions %s: found %s, expected %s", cases[i].positions, result.dump, line);
        conversion_free(&result);
    }
}

static void versions_up_to_1_are_fine(void **state)
{
    static const char *const versions[] = {"1", "0", "0.9.6"};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        char profile[200];
        snprintf(profile, sizeof profile, "version: %s\n" HEAD "fn=f\n1 7\n", versions[i]);
        struct conversion_result result = convert_well(profile, strlen(profile));
        assert_string_equal(result.messages, "");
        conversion_free(&result);
    }
}

/* ---- cost lines --------------------------------------------------------------------------- */

static void positions_are_absolute_relative_or_the_same(void **state)
{
    static const struct {
        const char *before, *position, *line;
    } cases[] = {
        {"10", "12", "12"},   {"10", "+3", "13"},      {"10", "-4", "6"},
        {"10", "*", "10"},    {"10", "0x1f", "31"},    {"10", "0X1F", "31"},
        {"10", "+0xa", "20"}, {"10", "-0x2", "8"},     {"0x10", "+1", "17"},
        {"10", "+0", "10"},   {"3000000000", "+5", "3000000005"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[100], functions[100];
        snprintf(body, sizeof body, "fn=f\n%s 1\nfn=g\n%s 2\n", cases[i].before,
                 cases[i].position);
        snprintf(functions, sizeof functions,
                 "- f line=%lu self=1 incl=1 inv=1\n- g line=%s self=2 incl=2 inv=1\n",
                 strtoul(cases[i].before, NULL, 0), cases[i].line);
        assert_body(body, functions);
    }
}

/* ---- files, objects, functions ------------------------------------------------------------ */

static void inlined_code_stays_with_its_function(void **state)
{
    static const char *const keys[] = {"fi", "fe"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char body[200];
        snprintf(body, sizeof body, "fl=a.c\nfn=f\n10 1\n%s=b.h\n3 20\nfe=a.c\n11 300\n", keys[i]);
        assert_body(body, "a.c f line=10 self=321 incl=321 inv=1\n");
    }
}

/* ---- calls -------------------------------------------------------------------------------- */

/*
 * Two functions g, in a.c and in b.c, of the objects x and y: which one a call goes to shows what
 * is known of its place.
 */
#define TWO_PLACES             \
    "ob=x\nfl=a.c\nfn=g\n1 1\n" \
    "ob=y\nfl=b.c\nfn=g\n2 2\n" \
    "ob=x\nfl=b.c\nfn=g\n3 4\n"

/* Which of them has the call: its self cost shows it. */
static void assert_called(const char *calls, unsigned called)
{
    char *profile = join(HEAD TWO_PLACES "ob=x\nfl=a.c\nfn=main\n9 8\n", calls, "");
    struct conversion_result result = convert_well(profile, strlen(profile));
    char expected[200];
    assert_string_equal(result.messages, "");
    snprintf(expected, sizeof expected, "self=%u incl=%u inv=1\n  from main:10 x1 =5\n", called, called);
    if (strstr(result.dump, expected) == NULL || strstr(result.dump, "  to g:10 x1 =5\n") == NULL)
        fail_msg("\"%s\": found\n%sexpected g with %s", calls, result.dump, expected);
    /* The number of functions: three times g, and main; nothing else has come of it. */
    assert_int_equal(result.bytes[8], 4);
    conversion_free(&result);
    free(profile);
}

static const struct {
    const char *calls;
    unsigned called;
} places[] = {
    /* A callee's place may be said before or after its name. */
    {"cob=y\ncfl=b.c\ncfn=g\ncalls=1 2\n10 5\n", 2},
    {"cfn=g\ncob=y\ncfl=b.c\ncalls=1 2\n10 5\n", 2},
    {"cob=y\ncfn=g\ncfl=b.c\ncalls=1 2\n10 5\n", 2},
    {"cfl=b.c\ncfn=g\ncob=y\ncalls=1 2\n10 5\n", 2},
    {"cfl=b.c\ncob=y\ncfn=g\ncalls=1 2\n10 5\n", 2},
    /* cfi= is cfl=. */
    {"cob=y\ncfi=b.c\ncfn=g\ncalls=1 2\n10 5\n", 2},
    {"cfi=b.c\ncfn=g\ncalls=1 2\n10 5\n", 4},
    {"cfn=g\ncfi=b.c\ncalls=1 2\n10 5\n", 4},
    /* A callee without a place is in the current one. */
    {"cfn=g\ncalls=1 1\n10 5\n", 1},
    /* A callee without a file is in the inline file. */
    {"fi=b.c\n1 0\ncfn=g\ncalls=1 3\n10 5\n", 4},
    {"fe=b.c\ncfn=g\ncalls=1 3\n10 5\n", 4},
    {"fi=b.c\n1 0\nfe=a.c\ncfn=g\ncalls=1 3\n10 5\n", 1},
    {"fi=b.c\n1 0\nfn=main\ncfn=g\ncalls=1 3\n10 5\n", 1},
    /* A second calls= line calls the same function, with its place, although cob= and cfl= as such are forgotten. */
    {"cob=y\ncfl=b.c\ncfn=g\ncalls=0 2\n10 3\ncalls=1 2\n10 2\n", 2},
    /* That of a callee without calls comes to nothing. Valgrind writes one where the calls have cost nothing. */
    {"cob=y\ncfl=b.c\ncfn=h\ncfn=g\ncalls=1 1\n10 5\n", 1},
    {"cob=y\ncfl=b.c\ncfn=h\nfn=main\ncfn=g\ncalls=1 1\n10 5\n", 1},
    {"cob=y\ncfl=b.c\nfn=main\ncfn=g\ncalls=1 1\n10 5\n", 1},
};

static void calls_go_to_the_place_that_is_said_or_the_current_one(void **state)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        assert_called(places[i].calls, places[i].called);
}

static void a_callees_place_is_forgotten_after_the_call(void **state)
{
    static const char *const targets[] = {
        "cob=y\ncfl=b.c\ncfn=main\n", "cob=y\ncfn=main\n",   "cfl=b.c\ncfn=main\n",        "cfi=b.c\ncfn=main\n",
        "cfn=main\ncob=y\n",          "cfn=main\ncfl=b.c\n", "cfn=main\ncfi=b.c\ncob=y\n", "cfl=b.c\ncfn=main\ncob=y\n",
    };
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char calls[200];
        snprintf(calls, sizeof calls, "%scalls=0 9\n10 0\ncfn=g\ncalls=1 1\n10 5\n", targets[i]);
        char *profile = join(HEAD TWO_PLACES "ob=x\nfl=a.c\nfn=main\n9 8\n", calls, "");
        struct conversion_result result = convert_well(profile, strlen(profile));
        static const char expected[] = "a.c g line=1 self=1 incl=1 inv=1\n  from main:10 x1 =5\n";
        if (strstr(result.dump, expected) == NULL)
            fail_msg("after \"%s\": found\n%sexpected %s", targets[i], result.dump, expected);
        conversion_free(&result);
        free(profile);
    }
}

static void a_calls_target_position_may_be_missing_or_of_any_form(void **state)
{
    static const char *const targets[] = {"", " ", " 0 0", " 20", " +3", " -2 *", " 0x4f", "\t7", " *"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char body[200];
        snprintf(body, sizeof body, "fn=g\n20 60\nfn=main\n3 1\ncfn=g\ncalls=2%s\n+1 60\n", targets[i]);
        assert_body(body, "- g line=20 self=60 incl=60 inv=2\n  from main:4 x2 =60\n"
                          "- main line=3 self=1 incl=61 inv=1\n  to g:4 x2 =60\n");
    }
}

/* ---- what Valgrind's callgrind leaves out --------------------------------------------------- */

/* What Valgrind 3.19 wrote between two dumps; with --compress-pos=no, the lines are 10, 11, 9, 9, 12, 12. */
static void callgrinds_positions_are_relative_to_the_last_self_cost(void **state)
{
    static const char body[] = "events: Ir\n"
                               "fl=d.cc\nfn=(538) f(int)\n10 3\n+1 2\ncfn=(540) g(int)\ncalls=0 +5 \n-2 27\n"
                               "-2 1\n+3 2\ncfn=(540)\ncalls=1 +4 \n* 4\njcnd=1/2 +7\n-6\n+1 8\ntotals: 16\n";
    char *profile = join("creator: callgrind-3.19.0\n", body, "");
    assert_shows(profile, NULL, "  to g(int):9 x0 =27\n  to g(int):12 x1 =4\n", NULL);
    free(profile);

    profile = join("creator: other\n", body, "");
    assert_shows(profile, NULL, "  to g(int):9 x0 =27\n  to g(int):10 x1 =4\n", NULL);
    free(profile);
}

/* With --mangle-names=no a function goes on in another context, whose first call is one of its file. */
static void callgrind_begins_anew_with_each_context(void **state)
{
    static const char *const contexts[] = {"rec=2\n\n", "frfn=other\n"};
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
        char *profile = join("creator: callgrind-3.19.0\nevents: Ir\nfl=a.c\nfn=f\nfi=x.h\n5 1\n",
                             contexts[i], "cfn=f\ncalls=1 3\n8 10\ntotals: 1\n");
        struct conversion_result result = convert_text(profile, NULL);
        assert_non_null(strstr(result.dump, "a.c f line=5 self=1 incl="));
        assert_null(strstr(result.dump, "x.h f "));
        conversion_free(&result);
        free(profile);
    }
}

/* ---- jumps -------------------------------------------------------------------------------- */

static void jumps_and_their_cost_lines_are_skipped(void **state)
{
    static const char *const jumps[] = {
        "jump=3 20\n12 500\n", "jump=3 0x4005d0 20\n12\n", "jump=1 +3\n* 500\n", "jcnd=3/5 20\n12 500\n",
        "jcnd=5 3 -2 *\n12 500\n", "jcnd=3/5 +0x10 +2\n12\n", "jump=\n12 500\n", "jump=x y z\n12 500\n",
        "jfi=b.h\njfn=g\njump=3 20\n12 500\n", "jfn=g\njcnd=3/5 20\n12 500\n",
    };
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
        char *body = join("fl=a.c\nfn=f\n10 1\n", jumps[i], "13 30\nfn=h\n14 2\n");
        assert_body(body, "a.c f line=10 self=31 incl=31 inv=1\n"
                          "a.c h line=14 self=2 incl=2 inv=1\n");
        free(body);
    }
}

/* ---- names -------------------------------------------------------------------------------- */

static void file_aliases_are_shared_by_all_file_lines(void **state)
{
    static const char *const keys[] = {"fl", "fi", "fe", "cfl", "cfi"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char body[200];
        snprintf(body, sizeof body, "fl=a.c\nfn=f\n1 1\n%s=(3) b.c\nfl=(3)\nfn=g\n2 2\n", keys[i]);
        assert_body(body, "a.c f line=1 self=1 incl=1 inv=1\nb.c g line=2 self=2 incl=2 inv=1\n");

        snprintf(body, sizeof body, "fl=(3) b.c\nfn=g\n2 2\nfl=a.c\nfn=f\n1 1\n%s=(3)\ncfn=g\ncalls=1\n4 2\n", keys[i]);
        assert_body(body, "b.c g line=2 self=2 incl=2 inv=1\n  from f:4 x1 =2\n"
                          "a.c f line=1 self=1 incl=3 inv=1\n  to g:4 x1 =2\n");
    }
}

/* A profile in two forms: with aliases, and with the names that they mean. */
struct two_forms {
    char *texts[2];
    size_t sizes[2];
    FILE *outs[2];
    unsigned cost;
};

static void begin_forms(struct two_forms *forms)
{
    for (int i = 0; i < 2; i++) {
        forms->outs[i] = open_memstream(&forms->texts[i], &forms->sizes[i]);
        fputs(HEAD, forms->outs[i]);
    }
    forms->cost = 0;
}

static void put_forms(struct two_forms *forms, const char *value, const char *name)
{
    fprintf(forms->outs[0], "fn=%s\n1 %u\n", value, ++forms->cost);
    fprintf(forms->outs[1], "fn=%s\n1 %u\n", name, forms->cost);
}

static void end_forms(struct two_forms *forms)
{
    fclose(forms->outs[0]);
    fclose(forms->outs[1]);
    struct conversion_result names = convert_well(forms->texts[1], forms->sizes[1]);
    assert_dump(forms->texts[0], NULL, names.dump);
    conversion_free(&names);
    free(forms->texts[0]);
    free(forms->texts[1]);
}

/* An undefined alias counts as a name; in the second form, no other definition follows. */
static void definitions_hold_until_they_change(void **state)
{
    static const char *const values[][2] = {
        {"  a b\t", "a b"}, {"(1)   c d \t", "c d"}, {" (1)", "c d"},   /* blanks around a name */
        {"(2)main", "main"}, {"(2)", "main"}, {"(2)", "main"},           /* no blank is needed */
        {"(3) (4)", "(4)"}, {"(3)", "(4)"}, {"(4)", "(4)"},              /* what looks like an alias */
        {"(2) main", "main"}, {"(2) other", "other"}, {"(2)", "other"},  /* the same again, and another */
        {"(5)", "(5)"}, {" (0x1f)", "(0x1f)"}, {"(5)", "(5)"}, {"(5) f", "f"}, {"(5)", "f"},
        {"(6) ", "(6)"}, {"(6)", "(6)"}, {"(6) g", "g"}, {"(6) ", "g"},  /* a blank is no name */
        {"(16) h", "h"}, {"(016)", "h"}, {"(0x10)", "h"},                /* numbers, not digits */
        {"( 1)", "( 1)"}, {"(1 )", "(1 )"}, {"(-1)", "(-1)"},
    };
    struct two_forms forms;
    begin_forms(&forms);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        put_forms(&forms, values[i][0], values[i][1]);
    end_forms(&forms);
}

/* Ids grow, as they do in profiles, but for some; and there are many of them, or few. */
static void ids_may_come_in_any_order(void **state)
{
    enum { IDS = 4000, STEPS_EACH = 5, ROUNDS = 60 };
    static unsigned meaning[IDS];
    uint64_t random = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct two_forms forms;
        unsigned ids = round == 0 ? IDS : 12;
        memset(meaning, 0, sizeof meaning);
        begin_forms(&forms);
        for (unsigned step = 1; step <= ids * STEPS_EACH; step++) {
            char value[40], name[20];
            unsigned limit = step / STEPS_EACH + 2, id = random_below(&random, limit < ids ? limit : ids);
            bool defines = random_below(&random, 3) == 0;
            if (defines)
                meaning[id] = step;
            snprintf(name, sizeof name, meaning[id] > 0 ? "n%u" : "(%u)", meaning[id] > 0 ? meaning[id] : id);
            snprintf(value, sizeof value, "(%u)%s%s", id, defines ? " " : "", defines ? name : "");
            put_forms(&forms, value, name);
        }
        end_forms(&forms);
    }
}

/* As many bytes as these ids are numbers would be more than any memory. */
static void an_id_can_be_any_number(void **state)
{
    static const char *const ids[] = {"0", "007", "0x1f", "4294967295", "4294967296",
                                      "18446744073709551615", "18446744073709551616",
                                      "99999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char body[300];
        snprintf(body, sizeof body,
                 "fl=(%s) a.c\nfn=(%s) f\n1 1\nfl=\nfn=x\n9 9\nfl=(%s)\nfn=(%s)\n2 2\n", ids[i],
                 ids[i], ids[i], ids[i]);
        assert_body(body, "a.c f line=1 self=3 incl=3 inv=1\n- x line=9 self=9 incl=9 inv=1\n");
    }
}

static void different_ids_are_different_however_long(void **state)
{
    static const char *const pairs[][2] = {
        {"1", "4294967297"},
        {"18446744073709551615", "18446744073709551616"},
        {"18446744073709551616", "18446744073709551617"},
        {"1", "18446744073709551617"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char body[300];
        snprintf(body, sizeof body, "fn=(%s) f\n1 1\nfn=(%s) g\n2 2\nfn=(%s)\n3 4\nfn=(%s)\n4 8\n",
                 pairs[i][0], pairs[i][1], pairs[i][0], pairs[i][1]);
        assert_body(body, "- f line=1 self=5 incl=5 inv=1\n- g line=2 self=10 incl=10 inv=1\n");
    }
}

static void names_may_contain_anything(void **state)
{
    static const char *const names[] = {
        "(below main)",
        "std::map<int, int>::operator=(map const&)",
        "key: value",
        "events: Ir",
        "fn=fn=x",
        "b (1).php",
        "(1",
        "(x) y",
        "(1a) y",
        "()",
        "# no comment",
        "12 34",
        "a  b",
        "==== NEW PROFILING FILE",
        "php::call_user_func:{/srv/app/a.php:12}",
        "{closure:/srv/a.php:3-4}",
        "C:\\x\\y.c",
        "a,b\"c'd%s%n",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = names[i];
        char profile[500], expected[500];
        snprintf(profile, sizeof profile, "ob=%s\nfl=%s\nfn=%s\n1 2\ncfn=(1) %s\ncalls=1\n2 3\n", name, name, name,
                 name);
        snprintf(expected, sizeof expected, "%s %s line=1 self=2 incl=5 inv=1\n  from %s:2 x1 =3\n  to %s:2 x1 =3\n",
                 name, name, name, name);
        assert_body(profile, expected);
    }
}

static void names_may_contain_bytes_that_are_no_text(void **state)
{
    static const char profile[] = HEAD "fl=(1) a\0b.c\n"
                                       "fn=(2) f\0\xff\xfe\xc3\x28\x01\r\t\x80\n1 2\n"
                                       "fn=f\n2 4\nfl=(1)\nfn=(2)\n3 8\n";
    struct conversion_result result = convert_well(profile, sizeof profile - 1);
    assert_string_equal(result.messages, "");
    assert_string_equal(result.dump, "a\\x00b.c f\\x00\\xff\\xfe\\xc3(\\x01\\x0d\\x09\\x80 "
                                     "line=1 self=10 incl=10 inv=1\n"
                                     "a\\x00b.c f line=2 self=4 incl=4 inv=1\n" HEAD_SHOWN);
    conversion_free(&result);
}

/* ---- lines -------------------------------------------------------------------------------- */

static void a_byte_order_mark_is_no_part_of_the_first_line(void **state)
{
    assert_quiet("\xef\xbb\xbf" HEAD "fn=f\n1 2\n",
                 "- f line=1 self=2 incl=2 inv=1\n" HEAD_SHOWN);
    /* Also where no other line says what the input is. */
    struct conversion_result result = convert_text("\xef\xbb\xbf" "fn=f\n1 2\n", NULL);
    assert_int_equal(result.status, CG2WG_OK);
    conversion_free(&result);
}

/* The first bytes that front ends see may end within the line that decides. */
static void an_input_is_recognised_however_much_of_it_is_seen_at_first(void **state)
{
    static const char profile[] = "# callgrind format\n\n" HEAD "fn=f\n1 2\n";
    for (read_at_once = 1; read_at_once < sizeof profile; read_at_once++)
        assert_dump(profile, NULL, "- f line=1 self=2 incl=2 inv=1\n" HEAD_SHOWN);
    read_at_once = 0;
}

static void lines_may_be_of_any_length(void **state)
{
    enum { LENGTH = 1500 * 1000 };
    char *name = malloc(LENGTH + 1);
    memset(name, 'x', LENGTH);
    name[LENGTH] = '\0';
    char *body = join("fl=a.c\nfn=", name, "\n1 2\n");
    char *functions = join("a.c ", name, " line=1 self=2 incl=2 inv=1\n");
    assert_body(body, functions);
    free(body);
    body = join("# ", name, "\nfn=f\n1 2\n");
    assert_body(body, "- f line=1 self=2 incl=2 inv=1\n");
    free(functions);
    free(body);
    free(name);
}

/* ---- what is malformed ------------------------------------------------------------------ */

static void a_line_that_makes_no_sense_is_skipped_with_a_warning(void **state)
{
    static const char *const lines[] = {
        "hello", "12x 5",    "12 5y", "+ 5",    "* x",      "1 z 2", "xfn=g",
        "fn g",  "\x01\x02", "=5",    "1 - 5",  "==== END", "-x 5",  "key value: x",
        "**  5", "12 5.",    "12 -.", "12 5.x", "12 .5.5",  "12 5#", "12 1e5",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *body = join("fn=f\n1 2\n", lines[i], "\n+1 40\nfn=g\n+1 7\n");
        assert_body_warns(body, 3, "", "- f line=1 self=42 incl=42 inv=1\n"
                                       "- g line=3 self=7 incl=7 inv=1\n");
        free(body);
    }
}

/* Three valid lines, and blank ones, which count as neither. */
static void an_input_with_more_malformed_lines_than_valid_is_no_profile(void **state)
{
    static const char profile[] = "events: Ir\n\n\n\nfn=f\n1 1\nhello\nhello\nhello\n";
    char *more = join(profile, "hello\n", "");
    struct conversion_result result = convert_bytes(profile, strlen(profile), NULL);
    assert_int_equal(result.status, CG2WG_OK);
    conversion_free(&result);
    assert_fails(more, strlen(more), NULL);
    free(more);
}

/* KCachegrind keeps the numbers, too. The calls that end with such a line are calls. */
static void costs_with_something_after_them_count_with_a_warning(void **state)
{
    static const char counted[] = "- f line=1 self=42 incl=45 inv=1\n  from f:3 x1 =3\n  to f:3 x1 =3\n";
    static const char *const rests[] = {" z", " ret", "\tfl=(3)", " 4x", " -", " (1)"};
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        char *body = join("fn=f\n+1 40", rests[i], "\n+1 2\ncfn=f\ncalls=1 1\n+1 3\n");
        assert_body_warns(body, 2, "expected positions and costs", counted);
        free(body);
        body = join("fn=f\n+1 40\n+1 2\ncfn=f\ncalls=1 1\n+1 3", rests[i], "\n");
        assert_body_warns(body, 6, "expected positions and costs", counted);
        free(body);
    }
}

/* callgrind_annotate takes fractions as they are; here they are rounded. */
static void a_cost_with_a_fraction_is_rounded_with_a_warning(void **state)
{
    static const struct {
        const char *cost;
        int rounded;
    } cases[] = {
        {"1.4", 1},     {"1.5", 2},      {"1.49999", 1}, {"0.5", 1},   {".7", 1},  {".07", 0},
        {"-1.5", -2},   {"-0.49", 0},    {"-.9", -1},    {"7.0", 7},   {"0.0", 0},
        {"12.75", 13},  {"99.99", 100},  {"3.999999999999999999999", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *body = join("fn=f\n1 ", cases[i].cost, "\n2 40\n");
        char expected[64];
        snprintf(expected, sizeof expected, "- f line=1 self=%d incl=%d inv=1\n",
                 40 + cases[i].rounded, 40 + cases[i].rounded);
        assert_body_warns(body, 2, "fraction", expected);
        free(body);
    }
}

/*
 * Valgrind's counters have no sign: a call within which the program switched instrumentation off and on cost 2^64 - 8003
 * in what Valgrind 3.19 wrote. Of other producers, -3 and 2^64 - 3 are the same, and are no reason for a warning.
 */
static void a_cost_below_zero_by_callgrind_is_unknown(void **state)
{
    static const struct {
        const char *costs, *calls;
        int ir; /* 0: the first cost of the call is unknown */
        bool is_unknown;
    } cases[] = {
        {"18446744073709543613", "cfn=g\ncalls=1 1\n", 0, true},
        {"9223372036854775808", "cfn=g\ncalls=1 1\n", 0, true},
        {"40 18446744073709551615", "cfn=g\ncalls=1 1\n", 40, true},
        {"18446744073709551615 7", "cfn=g\ncalls=1 1\n", 0, true},
        {"18446744073709551615", "", 0, true},
        {"40 7 2", "cfn=g\ncalls=1 1\n", 40, false},
        {"18446744073709551615", "jump=1 1\n", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[300], expected[300], cost[40];
        snprintf(profile, sizeof profile, "creator: callgrind-3.19.0\nevents: Ir Dr Dw\nsummary: 5\nfn=g\n1 0\nfn=f\n1 5\n"
                 "%s3 %s\n", cases[i].calls, cases[i].costs);
        bool is_call = cases[i].calls[0] == 'c';
        snprintf(cost, sizeof cost, "  from f:3 x1 =%d\n", cases[i].ir);
        snprintf(expected, sizeof expected, "- g line=1 self=0 incl=0 inv=1\n%s- f line=1 self=5 incl=%d inv=1\n%s%s"
                 "header: creator: callgrind-3.19.0\nheader: events: Ir Dr Dw\nheader: summary: 5\n",
                 is_call ? cost : "", 5 + cases[i].ir, is_call ? "  to g" : "", is_call ? cost + 8 : "");
        check_meaning(&(struct meaning){NULL, WHOLE, profile, expected,
                                        is_call ? 10 : 8, cases[i].is_unknown ? "2^63" : NULL});
    }
    struct conversion_result other = convert_text("events: Ir\nsummary: 5\nfn=f\n1 8\n2 18446744073709551613\n", NULL);
    assert_string_equal(other.messages, "");
    assert_non_null(strstr(other.dump, "self=5 incl=5"));
    conversion_free(&other);
}

/*
 * With xdebug.mode=profile,trace, Xdebug 3.2 calls __debugInfo of an argument before the time of the call begins. It
 * writes 2^64 - 16, divided by 10, for a self cost of -16 nanoseconds.
 */
static void a_time_below_zero_by_xdebug_3_is_divided_without_a_sign(void **state)
{
    struct conversion_result result = convert_text(
        "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\nsummary: 11 0\n\nfl=a\nfn=f\n1 10 0\n\n"
        "fl=a\nfn=g\n1 3 0\n\nfl=a\nfn=f\n1 1844674407370955160 0\ncfl=a\ncfn=g\ncalls=1 0 0\n1 3 0\n\n", NULL);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, "a f line=1 self=8 incl=11 inv=2"));
    conversion_free(&result);
}

/* Its cost line is no self cost. */
static void a_call_that_makes_no_sense_is_left_out_with_its_cost_line(void **state)
{
    static const struct {
        const char *before, *calls;
        unsigned line;
    } cases[] = {
        {"", "calls=1 3\n", 3},      {"cfn=f\nfn=f\n", "calls=1 3\n", 5}, {"cfn=f\n", "calls=x 3\n", 4},
        {"cfn=f\n", "calls=\n", 4},  {"cfn=f\n", "calls=1x 3\n", 4},      {"cfn=f\n", "calls=- 3\n", 4},
        {"cfn=f\n", "calls=-\n", 4}, {"cfn=f\n", "calls=--1 3\n", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *body = join(cases[i].before, cases[i].calls, "3 500\n4 40\n");
        char *whole = join("fn=f\n1 2\n", body, "");
        assert_body_warns(whole, cases[i].line, "", "- f line=1 self=42 incl=42 inv=1\n");
        free(body);
        free(whole);
    }
}

/*
 * Xdebug writes callees first, and a blank line after each record. Where a caller comes first, the last record is
 * complete without that line; also if the callee has been called in an earlier run, and has a record only now.
 */
static void a_caller_that_comes_first_in_a_later_run_was_not_written_by_xdebug(void **state)
{
    static const char profile[] =
        "version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\nfl=a\nfn=m\n1 5\ncfn=k\ncalls=1 0 0\n2 4\n\n"
        "==== NEW PROFILING FILE ====\nversion: 1\ncreator: xdebug 3.2.0\nevents: Time\n\n"
        "fl=a\nfn=m\n1 5\ncfn=k\ncalls=1 0 0\n2 4\n\nfl=a\nfn=k\n1 4\n\nfl=a\nfn=m\n1 3\n";
    struct cg2wg_options options = default_options();
    for (int i = 0; i < 2; i++) {
        options.inclusive = i == 0 ? CG2WG_INCLUSIVE_SUM : CG2WG_INCLUSIVE_OUTERMOST;
        struct conversion_result result = convert_text(profile, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "a m line=1 self=13 incl=21 inv=3\n"));
        conversion_free(&result);
    }
}

/*
 * Xdebug appends a run to what a killed process has left, wherever that ends. The newline with which the separator
 * begins neither completes a number nor closes a record: its functions are those of both files merged.
 */
static void a_killed_run_counts_as_much_if_another_is_appended(void **state)
{
    static const char whole[] = "version: 1\ncreator: xdebug 3.2.0\ncmd: a.php\npart: 1\nevents: Time\n\n"
                                "fl=(1) /a.php\nfn=(1) f\n3 100\n\nfl=(1)\nfn=(2) g\n3 120\ncfl=(1)\ncfn=(1)\n"
                                "calls=1 0 0\n4 100\n\nfl=(1)\nfn=(1)\n3 130\n\nfl=(1)\nfn=(3) {main}\n1 5000\n"
                                "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n5 220\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n7 130\n\n"
                                "summary: 5350\n\n";
    static const char separator[] = "\n==== NEW PROFILING FILE ==============================================\n";
    char killed[sizeof whole], appended[2 * sizeof whole + sizeof separator];
    for (size_t length = 0; length < sizeof whole; length++) {
        snprintf(killed, sizeof killed, "%.*s", (int)length, whole);
        snprintf(appended, sizeof appended, "%s%s%s", killed, separator, whole);
        const char *inputs[] = {killed, whole};
        struct conversion_result alone = convert_text(killed, NULL);
        bool is_profile = alone.status == CG2WG_OK;
        struct conversion_result merged = convert_texts(is_profile ? inputs : inputs + 1, is_profile ? 2 : 1, NULL);
        struct conversion_result found = convert_text(appended, NULL);
        assert_int_equal(merged.status, CG2WG_OK);
        assert_int_equal(found.status, CG2WG_OK);
        strstr(merged.dump, "header: ")[0] = '\0';
        strstr(found.dump, "header: ")[0] = '\0';
        if (strcmp(merged.dump, found.dump) != 0)
            fail_msg("found\n%s\nexpected\n%s\nof a run that ends\n%s", found.dump, merged.dump, killed);
        conversion_free(&alone);
        conversion_free(&merged);
        conversion_free(&found);
    }
}

/* It counts as a very large number. */
static void a_cost_of_more_than_64_bits_is_a_warning(void **state)
{
    struct cg2wg_options options = default_options();
    options.scale = CG2WG_SCALE_NONE;
    struct conversion_result result = convert_text(HEAD "fn=f\n1 2\nfn=g\n1 18446744073709551616\n", &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.messages, "warning: 6: "));
    assert_string_equal(result.dump, "- f line=1 self=2 incl=2 inv=1\n"
                                     "- g line=1 self=4294967295 incl=4294967295 inv=1\n" HEAD_SHOWN);
    conversion_free(&result);
}

static void keep_place(void *user, const struct cg2wg_message *message)
{
    char *place = user;
    snprintf(place, 200, "%s:%u", message->file, (unsigned)message->line);
}

static void a_message_names_the_file_and_the_line(void **state)
{
    char *input = scratch_path("profile"), *output = scratch_path("output");
    char place[200] = "", wanted[200];
    static const char profile[] = "\r\n# x\nevents: Ir\nsummary: 6\nfn=f\n1 2\nhello\n3 4\n";
    struct cg2wg_options options = default_options();
    options.report = keep_place;
    options.user = place;
    write_file(input, profile, sizeof profile - 1);
    assert_int_equal(cg2wg_convert(input, output, &options, NULL), CG2WG_OK);
    snprintf(wanted, sizeof wanted, "%s:7", input);
    assert_string_equal(place, wanted);
    free(input);
    free(output);
}

static void strictly_read_what_makes_no_sense_is_an_error(void **state)
{
    static const char *const bodies[] = {
        "fn=f\n1 2\nhello\n", "fn=f\n1 2\nfn=(7)\n1 2\n", "fn=f\n1 2 3\n", "fn=f\n1 2\ncalls=1 1\n3 4\n",
        "1 2\nfn=f\n1 2\n", "fn=f\n1 2\nversion: 3\n", "fn=f\n1 2\ncfn=f\ncalls=1\n", "fn=f\n1 2.5\n",
        "fn=f\n1 2 z\n",
    };
    struct cg2wg_options options = default_options();
    options.strict = true;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char *profile = join(HEAD, bodies[i], "");
        assert_fails(profile, strlen(profile), &options);
        free(profile);
    }
}

static void strictly_read_what_makes_sense_is_no_error(void **state)
{
    struct cg2wg_options options = default_options();
    options.strict = true;
    assert_dump(HEAD "fn=f\n1 2\n2 40 # nop\n", &options, "- f line=1 self=42 incl=42 inv=1\n" HEAD_SHOWN);
}

/* Of a name or a line, a message shows 120 bytes at most. */
static void messages_are_not_as_long_as_names(void **state)
{
    static const struct {
        const char *before, *after; /* the name in the input */
        const char *message;         /* what is said before it */
        size_t shown;
    } cases[] = {
        {"version: 2 ", "\nevents: E\nfn=f\n1 2\n", "found version 2 ", 118},
        {"events: E\nfn=f\n1 2\n", "\n", "found \"", 120},
        {"events: E\nfn=", "\n1 -1\n", "a negative cost of function ", 120},
        {"v 4\nk 4\nr \"", "\" \"o\" 1\np 1 1 5 5 5 25 1 5 5 5 5 25\n", "found a cost of 5 for ", 120},
    };
    char name[301], profile[500];
    memset(name, '~', sizeof name - 1);
    name[5] = '\x1b'; /* shown as a question mark */
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(profile, sizeof profile, "%s%s%s", cases[i].before, name, cases[i].after);
        struct conversion_result result = convert_text(profile, NULL);
        const char *found = strstr(result.messages, cases[i].message);
        if (found == NULL)
            fail_msg("no \"%s\" in: %s", cases[i].message, result.messages);
        assert_int_equal(strspn(found + strlen(cases[i].message), "~?"), cases[i].shown);
        conversion_free(&result);
    }
    struct cg2wg_options options = options_for(name);
    struct conversion_result result = convert_text("events: E\nfn=f\n1 2\n", &options);
    const char *found = strchr(result.messages, '~');
    assert_non_null(found);
    assert_int_equal(strspn(found, "~?"), 120);
    conversion_free(&result);
}

static void what_is_no_profile_is_an_error(void **state)
{
    static const char elf[] = "\x7f"
                              "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0\n5 6\n";
    static const char *const texts[] = {
        "",
        "\n",
        "\n\n\n",
        "\xef\xbb\xbf",
        "hello, world\nhow are you\n",
        "# nothing but a comment\n",
        "events: Ir\nsummary: 3\n",
        "events: Ir\nsummary: 3\n1 2\n3 4\n",
        "events: Ir\nfl=a.c\n1 3\n",
        "Subject: mail\n\nDear all,\n12 13\n",
        "1 2\n3 4\n5 6\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_fails(texts[i], strlen(texts[i]), NULL);
    assert_fails(elf, sizeof elf - 1, NULL);
}

/* ---- what profiles mean -------------------------------------------------------------------- */

static const struct meaning meanings[] = {
    {"self_cost_is_the_sum_of_the_cost_lines", WHOLE,
     "events: Ir\nsummary: 60\n"
     "fl=a.c\nfn=main\n3 10\n4 20\n3 30\n",
     .expected = "a.c main line=3 self=60 incl=60 inv=1\n"
                 "header: events: Ir\nheader: summary: 60\n"},
    /* Not Xdebug's own: it writes callees first, closes each record and writes the total. */
    {"a_record_that_is_not_closed_is_whole_where_callers_come_first", WHOLE,
     "creator: xdebug 3\nevents: Time\n\nfn=main\n1 2\ncfn=f\ncalls=1\n3 30\n\n"
     "fn=f\n4 10\ncfn=g\ncalls=1\n5 20\n\nfn=g\n6 20",
     .expected = "- main line=1 self=2 incl=32 inv=1\n  to f:3 x1 =30\n"
                 "- f line=4 self=10 incl=30 inv=1\n  from main:3 x1 =30\n  to g:5 x1 =20\n"
                 "- g line=6 self=20 incl=20 inv=1\n  from f:5 x1 =20\n"
                 "header: creator: xdebug 3\nheader: events: Time\nheader: summary: 32\n",
     .line = 17, .words = "no summary"},
    /*
     * As callgrind/dump.c writes it: cfi= is left out, and positions are relative, by the file and position
     * of the last self cost line, or of the function. Others, and a call's own line, do not count for it.
     */
    {"callgrind_calls_the_file_of_its_last_self_cost", WHOLE,
     "creator: callgrind-3.19.0\nevents: Ir\n"
     "fl=a.c\nfn=main\nfi=x.h\ncfn=g\ncalls=2 9\n6 20\nfe=a.c\n\n"
     "fn=g\n9 20\ntotals: 20\n",
     .expected = "a.c main line=0 self=0 incl=20 inv=1\n  to g:6 x2 =20\n"
                 "a.c g line=9 self=20 incl=20 inv=2\n  from main:6 x2 =20\n"
                 "header: creator: callgrind-3.19.0\nheader: events: Ir\nheader: totals: 20\n"
                 "header: summary: 20\n"},
    /* After a self cost line of x.h, a call without cfi= is one of x.h; after fe= alone, too. */
    {"callgrind_calls_the_file_of_its_last_self_cost", WHOLE,
     "creator: callgrind-3.19.0\nevents: Ir\n"
     "fl=a.c\nfn=main\n5 1\nfi=x.h\n7 2\ncfn=h\ncalls=1 3\n* 10\nfe=a.c\ncfn=h\ncalls=1 3\n+1 10\n"
     "cfi=a.c\ncfn=k\ncalls=1 1\n+1 7\n"
     "fn=k\ncfn=m\ncalls=1 2\n1 7\ntotals: 3\n",
     .expected = "a.c main line=5 self=3 incl=30 inv=1\n  to h:7 x1 =10\n  to h:8 x1 =10\n  to k:8 x1 =7\n"
                 "x.h h line=0 self=0 incl=20 inv=2\n  from main:7 x1 =10\n  from main:8 x1 =10\n"
                 "a.c k line=0 self=0 incl=7 inv=1\n  from main:8 x1 =7\n  to m:1 x1 =7\n"
                 "a.c m line=0 self=0 incl=7 inv=1\n  from k:1 x1 =7\n"
                 "header: creator: callgrind-3.19.0\nheader: events: Ir\nheader: totals: 3\nheader: summary: 3\n"},
    /* Without the blank it is a line that has no cost; so is what a sign makes a position, or a jump's line. */
    {"other_lone_numbers_are_positions", BODY,
     "fl=a\nfn=f\n11\n+1 3\n  +1\n  *\n+1 2\njump=1 20\n 30\ncfn=g\ncalls=1 2\n* 4\n",
     .expected = "a f line=11 self=5 incl=9 inv=1\n  to g:30 x1 =4\n"
                 "a g line=0 self=0 incl=4 inv=1\n  from f:30 x1 =4\n"},
    {"other_lone_numbers_are_positions", WHOLE,
     "events: Ir\npositions: instr line\n"
     "fl=a\nfn=f\n 0x11\n+1 3 5\nsummary: 5\n",
     .expected = "a f line=0 self=5 incl=5 inv=1\n"
                 "header: events: Ir\nheader: positions: instr line\nheader: summary: 5\n"},
    {"an_undefined_alias_is_a_warning_and_shown_as_written", BODY,
     "fl=(3)\nfn=f\n1 2\n",
     .expected = "(3) f line=1 self=2 incl=2 inv=1\n", .line = 1, .words = "(3)"},
    {"an_undefined_alias_is_a_warning_and_shown_as_written", BODY,
     "fl=a.c\nfn=(0x7)\n1 2\n",
     .expected = "a.c (0x7) line=1 self=2 incl=2 inv=1\n", .line = 2, .words = "(0x7)"},
    {"an_undefined_alias_is_a_warning_and_shown_as_written", BODY,
     "fn=f\n1 2\ncfn=(9)\ncalls=1\n2 0\nfn=(9) g\n3 4\nfn=(9)\n3 4\n",
     .expected = "- f line=1 self=2 incl=2 inv=1\n  to (9):2 x1 =0\n"
                 "- (9) line=0 self=0 incl=0 inv=1\n  from f:2 x1 =0\n"
                 "- g line=3 self=8 incl=8 inv=1\n", .line = 3, .words = "(9)"},
    {"an_alias_of_another_name_space_is_undefined", BODY,
     "fl=(3) a.c\nfn=(3)\n1 2\n",
     .expected = "a.c (3) line=1 self=2 incl=2 inv=1\n", .line = 2, .words = "(3)"},
    {"an_alias_of_another_name_space_is_undefined", BODY,
     "fn=(3) f\nfl=(3)\nfn=(3)\n1 2\n",
     .expected = "(3) f line=1 self=2 incl=2 inv=1\n", .line = 2, .words = "(3)"},
    {"the_last_line_needs_no_newline", BODY,
     "fn=f\n1 2\n2 40",
     .expected = "- f line=1 self=42 incl=42 inv=1\n"},
    {"the_last_line_needs_no_newline", WHOLE,
     "events: Ir\nfn=f\n1 2\nsummary: 12",
     .expected = "- f line=1 self=2 incl=2 inv=1\nheader: events: Ir\nheader: summary: 12\n"},
    {"header_lines_come_in_any_order_and_number", WHOLE,
     "cmd: ./a.out -x\nsummary: 99\ndesc: I1 cache: 32768 B\nevents: Ir\ndesc: D1 cache: 32768 B\n"
     "pid: 7\ncreator: callgrind-3.22.0\nversion: 1\n"
     "fn=main\n1 2\n",
     .expected = "- main line=1 self=2 incl=2 inv=1\n"
                 "header: cmd: ./a.out -x\nheader: summary: 99\nheader: desc: I1 cache: 32768 B\n"
                 "header: events: Ir\nheader: desc: D1 cache: 32768 B\nheader: pid: 7\n"
                 "header: creator: callgrind-3.22.0\nheader: version: 1\n"},
    {"a_parts_events_hold_from_there", WHOLE,
     HEAD "fn=main\n1 2\nevents: Dr Ir\nsummary: 1 1\n"
     "fn=main\n2 3 40\nevents: Ir\nsummary: 1\n"
     "fn=main\n3 500 6\n",
     .expected = "- main line=1 self=542 incl=542 inv=1\n" HEAD_SHOWN "header: events: Dr Ir\n"
                 "header: summary: 1 1\nheader: events: Ir\nheader: summary: 1\n", .line = 12, .words = "costs"},
    {"a_record_without_a_cost_line_is_a_record", WHOLE,
     "creator: xdebug 3\nevents: Time\n\nfn=f\n1 5\n\nfn=e\n\n"
     "fn=main\n7 0\ncfn=f\ncalls=1\n2 5\n\nsummary: 5\n",
     .expected = "- f line=1 self=5 incl=5 inv=1\n  from main:2 x1 =5\n"
                 "- e line=0 self=0 incl=0 inv=1\n"
                 "- main line=7 self=0 incl=5 inv=1\n  to f:2 x1 =5\n"
                 "header: creator: xdebug 3\nheader: events: Time\nheader: summary: 5\n",
     .line = 9, .words = "without a cost line"},
    {"a_parts_positions_hold_from_there", WHOLE,
     HEAD "fn=f\n7 1\npositions: instr line\nsummary: 1\n"
     "fn=g\n0x400 8 20\npositions: line\nsummary: 1\n"
     "fn=h\n9 300\n",
     .expected = "- f line=7 self=1 incl=1 inv=1\n"
                 "- g line=8 self=20 incl=20 inv=1\n"
                 "- h line=9 self=300 incl=300 inv=1\n" HEAD_SHOWN
                 "header: positions: instr line\nheader: summary: 1\nheader: positions: line\n"
                 "header: summary: 1\n"},
    {"parts_of_one_file_are_added_up", WHOLE,
     "version: 1\ncreator: callgrind-3.22.0\n"
     "pid: 10\n"
     "part: 1\nevents: Ir\nsummary: 12\n"
     "fl=(1) a.c\nfn=(1) main\n3 2\ncfn=(2) f\ncalls=1 9\n4 10\n"
     "fn=(2)\n9 10\ntotals: 12\n"
     "part: 2\nevents: Ir\nsummary: 23\n"
     "fl=(1)\nfn=(1)\n3 3\ncfn=(2)\ncalls=2 9\n4 20\n"
     "fn=(2)\n9 20\ntotals: 23\n",
     .expected = "a.c main line=3 self=5 incl=35 inv=1\n  to f:4 x3 =30\n"
                 "a.c f line=9 self=30 incl=30 inv=3\n  from main:4 x3 =30\n"
                 "header: version: 1\nheader: creator: callgrind-3.22.0\nheader: pid: 10\nheader: part: 1\n"
                 "header: events: Ir\nheader: summary: 12\nheader: totals: 12\nheader: part: 2\n"
                 "header: events: Ir\nheader: summary: 23\nheader: totals: 23\n"},
    {"a_parts_calls_need_a_callee_of_its_own", WHOLE,
     HEAD "fn=g\n1 2\nfn=main\n2 3\ncfn=g\ncalls=1 1\n2 2\npart: 2\nsummary: 1\nfn=main\n3 1\ncalls=1 1\n5 7\n",
     .expected = "- g line=1 self=2 incl=2 inv=1\n  from main:2 x1 =2\n"
                 "- main line=2 self=4 incl=6 inv=1\n  to g:2 x1 =2\n" HEAD_SHOWN
                 "header: part: 2\nheader: summary: 1\n", .line = 14, .words = "expected cfn= before calls="},
    {"xdebugs_appended_runs_are_parts", WHOLE,
     "version: 1\ncreator: xdebug 3.2.0\ncmd: a.php\nevents: Time\n\n"
     "fl=(1) /a.php\nfn=(1) {main}\n1 5\n\nsummary: 5\n\n"
     "==== NEW PROFILING FILE ==============================================\nversion: 1\n"
     "creator: xdebug 3.2.0\ncmd: a.php\nevents: Time\n\n"
     "fl=(1) /b.php\nfn=(1) g\n+4 2\n\n"
     "fl=(2) /a.php\nfn=(2) {main}\n1 6\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 2\n\nsummary: 8\n",
     .expected = "/a.php {main} line=1 self=11 incl=13 inv=2\n  to g:2 x1 =2\n"
                 "/b.php g line=4 self=2 incl=2 inv=1\n  from {main}:2 x1 =2\n"
                 "header: version: 1\nheader: creator: xdebug 3.2.0\nheader: cmd: a.php\nheader: events: Time\n"
                 "header: summary: 5\nheader: version: 1\nheader: creator: xdebug 3.2.0\nheader: cmd: a.php\n"
                 "header: events: Time\nheader: summary: 8\n"},
    {"a_summary_may_be_within_a_record", WHOLE,
     "creator: xdebug 2.5.5\nevents: Time\n"
     "fl=a.php\nfn=f\n5 2\n\n"
     "fl=a.php\nfn={main}\n\nsummary: 9\n\n1 7\ncfn=f\ncalls=1 0 0\n3 2\n",
     .expected = "a.php f line=5 self=2 incl=2 inv=1\n  from {main}:3 x1 =2\n"
                 "a.php {main} line=1 self=7 incl=9 inv=1\n  to f:3 x1 =2\n"
                 "header: creator: xdebug 2.5.5\nheader: events: Time\nheader: summary: 9\n"},
    /* As KCachegrind reads it: each summary: sets the totals of the part. */
    {"a_summary_after_the_body_replaces_one_before_it", WHOLE,
     "desc: x\nsummary: 2\nevents: Ir\nfn=f\n1 3\nsummary: 3\n",
     .expected = "- f line=1 self=3 incl=3 inv=1\n"
                 "header: desc: x\nheader: summary: 3\nheader: events: Ir\n"},
    {"the_position_is_the_line_if_nothing_is_said", BODY,
     "fn=f\n12 7\n",
     .expected = "- f line=12 self=7 incl=7 inv=1\n"},
    {"event_definitions_are_header_lines", WHOLE,
     "event: Ir : Instruction Fetch\n"
     "event: CEst = Ir + 10 Bm : Cycle Estimation\n" HEAD "fn=f\n1 7\n",
     .expected = "- f line=1 self=7 incl=7 inv=1\n"
                 "header: event: Ir : Instruction Fetch\n"
                 "header: event: CEst = Ir + 10 Bm : Cycle Estimation\n" HEAD_SHOWN},
    {"a_version_above_1_is_a_warning", WHOLE,
     "version: 2\n" HEAD "fn=f\n1 7\n",
     .expected = "- f line=1 self=7 incl=7 inv=1\nheader: version: 2\n" HEAD_SHOWN, .line = 1, .words = "version"},
    {"a_position_below_zero_is_no_line", BODY,
     "fn=f\n10 1\nfn=g\n-20 2\nfn=h\n+15 3\n",
     .expected = "- f line=10 self=1 incl=1 inv=1\n"
                 "- g line=0 self=2 incl=2 inv=1\n"
                 "- h line=5 self=3 incl=3 inv=1\n"},
    {"each_position_is_relative_to_its_own_kind", WHOLE,
     "positions: instr line\n" HEAD "fn=f\n0x1000 10 1\n"
     "fn=g\n+16 +2 3\n"
     "fn=h\n-4 * 5\n"
     "fn=i\n* -1 7\n",
     .expected = "- f line=10 self=1 incl=1 inv=1\n"
                 "- g line=12 self=3 incl=3 inv=1\n"
                 "- h line=12 self=5 incl=5 inv=1\n"
                 "- i line=11 self=7 incl=7 inv=1\n"
                 "header: positions: instr line\n" HEAD_SHOWN},
    {"positions_are_relative_to_the_call_line_before_too", BODY,
     "fn=g\n1 4\n"
     "fn=main\n10 1\ncfn=g\ncalls=1 +50\n+5 2\n"
     "fn=f\n+3 1\ncfn=g\ncalls=1 *\n* 2\n",
     .expected = "- g line=1 self=4 incl=4 inv=2\n  from main:15 x1 =2\n  from f:18 x1 =2\n"
                 "- main line=10 self=1 incl=3 inv=1\n  to g:15 x1 =2\n"
                 "- f line=18 self=1 incl=3 inv=1\n  to g:18 x1 =2\n"},
    {"fewer_costs_than_events_are_zeros", WHOLE,
     "events: Ir Dr Dw\nsummary: 99\n"
     "fn=f\n1 4 5 6\n2 5\n3\n"
     "fn=g\n4\n",
     .expected = "- f line=1 self=9 incl=9 inv=1\n"
                 "- g line=4 self=0 incl=0 inv=1\n"
                 "header: events: Ir Dr Dw\nheader: summary: 99\n"},
    {"more_costs_than_events_are_a_warning", BODY,
     "fn=f\n1 4\n2 5 6\n",
     .expected = "- f line=1 self=9 incl=9 inv=1\n", .line = 3, .words = "costs"},
    {"only_the_first_event_counts", WHOLE,
     "events: Time Memory\nsummary: 9 9\n"
     "fn=f\n1 4 -50\n2 5 7\n",
     .expected = "- f line=1 self=9 incl=9 inv=1\n"
                 "header: events: Time Memory\nheader: summary: 9 9\n"},
    /* Sums that would go wrong in 32 bits, and in the 53 of a floating-point number. */
    {"costs_have_64_bits", BODY,
     "fn=f\n1 9223372036854775806\n1 -9223372036854775800\n"
     "fn=g\n2 0x100000001\n2 -4294967296\n",
     .expected = "- f line=1 self=6 incl=6 inv=1\n"
                 "- g line=2 self=1 incl=1 inv=1\n"},
    {"numbers_are_parted_by_blanks_and_tabs_in_any_number", WHOLE,
     "events:  Ir\t Dr \nsummary: 99\n"
     "fn=f\n1\t4  5\n2   5 \t 6  \t\n  3 6\n",
     .expected = "- f line=1 self=15 incl=15 inv=1\n"
                 "header: events:  Ir\\x09 Dr \nheader: summary: 99\n"},
    {"the_next_function_belongs_to_the_last_fl", BODY,
     "fl=a.c\nfn=f\n10 1\nfi=b.h\n3 20\n"
     "fn=g\n20 2\nfe=c.h\n4 30\n"
     "fn=h\n30 3\n",
     .expected = "a.c f line=10 self=21 incl=21 inv=1\n"
                 "a.c g line=20 self=32 incl=32 inv=1\n"
                 "a.c h line=30 self=3 incl=3 inv=1\n"},
    {"without_any_fl_the_file_is_that_of_fi", BODY,
     "fi=a.py\n"
     "fn=f\n10 1\nfi=b.py\n"
     "fn=g\n20 2\n"
     "fn=h\n30 3\n",
     .expected = "a.py f line=10 self=1 incl=1 inv=1\n"
                 "b.py g line=20 self=2 incl=2 inv=1\n"
                 "b.py h line=30 self=3 incl=3 inv=1\n"},
    {"a_function_scattered_over_sections_is_one", BODY,
     "fl=a.c\nfn=f\n10 1\n"
     "fn=g\n20 2\n"
     "fl=b.c\nfn=h\n30 3\n"
     "fl=a.c\nfn=f\n5 40\n",
     .expected = "a.c f line=10 self=41 incl=41 inv=1\n"
                 "a.c g line=20 self=2 incl=2 inv=1\n"
                 "b.c h line=30 self=3 incl=3 inv=1\n"},
    {"names_of_files_and_objects_may_be_empty", BODY,
     "ob=\nfl=\nfn=f\n10 1\n",
     .expected = "- f line=10 self=1 incl=1 inv=1\n"},
    {"a_call_has_a_count_and_the_cost_of_the_line_after_it", BODY,
     "fn=main\n3 1\ncfn=g\ncalls=3 20\n4 60\n"
     "fn=g\n20 60\n",
     .expected = "- main line=3 self=1 incl=61 inv=1\n  to g:4 x3 =60\n"
                 "- g line=20 self=60 incl=60 inv=3\n  from main:4 x3 =60\n"},
    {"only_the_first_cost_line_belongs_to_the_call", BODY,
     "fn=main\ncfn=g\ncalls=1 20\n4 60\n4 500\n5 1000\n"
     "fn=g\n20 60\n",
     .expected = "- main line=4 self=1500 incl=1560 inv=1\n  to g:4 x1 =60\n"
                 "- g line=20 self=60 incl=60 inv=1\n  from main:4 x1 =60\n"},
    {"blank_lines_and_comments_may_be_between_a_call_and_its_cost", BODY,
     "fn=main\ncfn=g\n\n# comment\ncalls=1 20\n\n# 7 8\n   # fn=h\n4 60\n#\n"
     "fn=g\n20 60\n",
     .expected = "- main line=0 self=0 incl=60 inv=1\n  to g:4 x1 =60\n"
                 "- g line=20 self=60 incl=60 inv=1\n  from main:4 x1 =60\n"},
    {"calls_0_still_is_an_arc_with_a_cost", BODY,
     "fn=main\n3 1\ncfn=g\ncalls=0 20\n4 60\n"
     "fn=g\n20 60\n",
     .expected = "- main line=3 self=1 incl=61 inv=1\n  to g:4 x0 =60\n"
                 "- g line=20 self=60 incl=60 inv=0\n  from main:4 x0 =60\n"},
    {"a_second_calls_line_calls_the_same_function", BODY,
     "fn=g\n20 65\n"
     "fn=main\ncfn=g\ncalls=1 20\n4 60\ncalls=2 20\n5 3\ncalls=1 20\n4 2\n",
     .expected = "- g line=20 self=65 incl=65 inv=4\n  from main:4 x2 =62\n  from main:5 x2 =3\n"
                 "- main line=0 self=0 incl=65 inv=1\n  to g:4 x2 =62\n  to g:5 x2 =3\n"},
    {"a_callee_without_calls_comes_to_nothing", BODY,
     "fn=main\n3 1\ncfl=b.c\ncfn=h\n4 2\n"
     "fn=f\n5 7\n",
     .expected = "- main line=3 self=3 incl=3 inv=1\n"
                 "- f line=5 self=7 incl=7 inv=1\n"},
    {"rcalls_is_calls", BODY,
     "fn=main\n3 1\ncfn=main\nrcalls=2 3\n4 60\n4 5\n",
     .expected = "- main line=3 self=6 incl=66 inv=2\n  from main:4 x2 =60\n  to main:4 x2 =60\n"},
    /* As jeprof writes `$line $cost` of an address, and nytprofcg of a function, of which it knows no line. */
    {"a_lone_number_after_a_blank_is_a_cost", BODY,
     "fl=a\nfn=f\n 11\n4 1\n\t12 \n+1 2 \ncfn=g\ncalls=3 \n 30\ncfn=g\ncalls=1 7\n+2 5\n",
     .expected = "a f line=4 self=26 incl=61 inv=1\n  to g:0 x3 =30\n  to g:7 x1 =5\n"
                 "a g line=0 self=0 incl=35 inv=4\n  from f:0 x3 =30\n  from f:7 x1 =5\n"},
    {"positions_are_relative_to_a_jumps_cost_line_too", BODY,
     "fn=f\n10 1\njump=3 +100\n+2\n"
     "fn=g\n+4 5\n",
     .expected = "- f line=10 self=1 incl=1 inv=1\n"
                 "- g line=16 self=5 incl=5 inv=1\n"},
    {"a_jump_between_a_callee_and_its_call_takes_nothing_from_it", BODY,
     "fn=g\n1 5\n"
     "fn=f\njump=3 20\n10 500\ncfn=g\ncalls=1 1\n11 5\n",
     .expected = "- g line=1 self=5 incl=5 inv=1\n  from f:11 x1 =5\n"
                 "- f line=0 self=0 incl=5 inv=1\n  to g:11 x1 =5\n"},
    {"jumps_may_define_aliases", BODY,
     "fn=(1) f\njfi=(8) b.c\njfn=(9) g\njump=3 20\n10 500\n"
     "fl=(8)\nfn=(9)\n11 5\n",
     .expected = "b.c g line=11 self=5 incl=5 inv=1\n"},
    {"aliases_have_three_name_spaces", BODY,
     "ob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 1\n"
     "ob=(1)\nfl=(1)\nfn=(1)\n2 2\n",
     .expected = "a.c f line=1 self=3 incl=3 inv=1\n"},
    {"function_aliases_are_shared_by_fn_and_cfn", BODY,
     "fn=(1) main\n3 1\ncfn=(2) g\ncalls=1 20\n4 5\n"
     "fn=(2)\n20 5\ncfn=(1)\ncalls=1 3\n21 7\n",
     .expected = "- main line=3 self=1 incl=6 inv=1\n  from g:21 x1 =7\n  to g:4 x1 =5\n"
                 "- g line=20 self=5 incl=12 inv=1\n  from main:4 x1 =5\n  to main:21 x1 =7\n"},
    {"object_aliases_are_shared_by_ob_and_cob", BODY,
     "ob=(1) x\nfn=g\n1 2\n"
     "ob=(2) y\nfn=main\n2 3\ncob=(1)\ncfn=g\ncalls=1 1\n3 2\ncob=(3) z\ncfn=g\ncalls=1 1\n4 7\n"
     "ob=(3)\nfn=g\n5 7\n",
     .expected = "- g line=1 self=2 incl=2 inv=1\n  from main:3 x1 =2\n"
                 "- main line=2 self=3 incl=12 inv=1\n  to g:3 x1 =2\n  to g:4 x1 =7\n"
                 "- g line=5 self=7 incl=7 inv=1\n  from main:4 x1 =7\n"},
    {"a_definition_may_come_at_the_first_mention_anywhere", BODY,
     "fl=(1) a.c\nfn=(1) main\n3 1\ncfl=(2) b.c\ncfn=(2) g\ncalls=1 1\n4 5\nfi=(3) c.c\n5 2\n"
     "fl=(2)\nfn=(2)\n9 5\n"
     "fl=(3)\nfn=(3) h\n1 8\n",
     .expected = "a.c main line=3 self=3 incl=8 inv=1\n  to g:4 x1 =5\n"
                 "b.c g line=9 self=5 incl=5 inv=1\n  from main:4 x1 =5\n"
                 "c.c h line=1 self=8 incl=8 inv=1\n"},
    {"a_definition_may_be_repeated", BODY,
     "fl=(1) a.c\nfn=(1) f\n1 1\n"
     "fl=(1) a.c\nfn=(1) f\n2 2\n"
     "fn=(1)\n3 4\n",
     .expected = "a.c f line=1 self=7 incl=7 inv=1\n"},
    {"a_definition_holds_until_the_next_one", BODY,
     "fl=(1) a.c\nfn=(1) f\n1 1\n"
     "fl=(1) b.c\nfn=(1) g\n2 2\n"
     "fl=(1)\nfn=(1)\n3 4\n",
     .expected = "a.c f line=1 self=1 incl=1 inv=1\n"
                 "b.c g line=2 self=6 incl=6 inv=1\n"},
    {"definitions_hold_in_later_parts", WHOLE,
     HEAD "fl=(1) a.c\nfn=(1) f\n1 1\n"
     "part: 2\nsummary: 5\n"
     "fl=(1)\nfn=(1)\n1 2\n",
     .expected = "a.c f line=1 self=3 incl=3 inv=1\n" HEAD_SHOWN
                 "header: part: 2\nheader: summary: 5\n"},
    {"aliases_may_be_defined_before_their_use", BODY,
     "fl=(1) a.py\nfn=(1) f\n"
     "fl=(2) b.py\nfn=(2) g\n"
     "fl=(1)\nfn=(2)\n1 5\n",
     .expected = "a.py g line=1 self=5 incl=5 inv=1\n"},
    {"line_ends_may_be_those_of_dos", WHOLE,
     "events: Ir\r\nsummary: 99\r\n\r\n# x\r\nfl=(1) a.c\r\nfn=(1) f\r\n1 2\r\n"
     "cfn=(1)\r\ncalls=1 1\r\n2 3\r\nfl=(1)\r\nfn=(1)\r\n*\r\n+1 4\r\n",
     .expected = "a.c f line=1 self=6 incl=9 inv=1\n  from f:2 x1 =3\n  to f:2 x1 =3\n" HEAD_SHOWN},
    {"blank_lines_and_comments_may_be_anywhere", WHOLE,
     "\n# callgrind format\n\nevents: Ir\n\n  \t\n#summary: 4\nsummary: 99\n\nfn=f\n\n"
     "#\n1 2\n\n\n# 5 6\n2 40\n\n",
     .expected = "- f line=1 self=42 incl=42 inv=1\n" HEAD_SHOWN},
    /* Simulators write which instruction it was; KCachegrind reads their profiles. */
    {"a_comment_may_follow_costs", BODY,
     "fn=f\n+1 40 # ld a0,0(sp)\n+1 2\t#\ncfn=f\ncalls=1 1\n+1 3 #  jal \n",
     .expected = "- f line=1 self=42 incl=45 inv=1\n  from f:3 x1 =3\n  to f:3 x1 =3\n"},
    {"a_cost_without_a_function_is_a_warning", BODY,
     "fl=a.c\n1 2\nfn=f\n3 4\n",
     .expected = "a.c f line=3 self=4 incl=4 inv=1\n", .line = 2, .words = "fn="},
    /* reli's profiles are made of samples: it writes -1 for how often, and for the line. */
    {"a_negative_number_of_calls_is_an_unknown_one", BODY,
     "fl=a\nfn=f\n1 2\ncfl=b\ncfn=g\ncalls=-1 -1\n4 12\ncfl=b\ncfn=g\ncalls=-1 -1\n"
     "4 5\ncalls=3 -1\n5 1\n\nfl=b\nfn=g\n7 18\n",
     .expected = "a f line=1 self=2 incl=20 inv=1\n  to g:4 x0 =17\n  to g:5 x3 =1\n"
                 "b g line=7 self=18 incl=18 inv=3\n  from f:4 x0 =17\n  from f:5 x3 =1\n"},
    /* It is not the last one again, either: another was named since. */
    {"a_target_before_another_function_is_nobodys", BODY,
     "fn=f\n1 2\ncfn=f\ncalls=1 1\n2 3\ncfn=g\nfn=f\ncalls=1 3\n3 500\n4 40\n",
     .expected = "- f line=1 self=42 incl=45 inv=1\n  from f:2 x1 =3\n  to f:2 x1 =3\n", .line = 8, .words = "cfn="},
    /* Yate names a callee only when it is another one than before, from any caller. */
    {"a_callee_stays_the_same_until_another_is_named", BODY,
     "fn=f\n1 5\ncfn=g\ncalls=2 9\n2 40\n\nfn=h\n5 7\ncalls=4 9\n6 60\n\nfn=g\n9 100\n",
     .expected = "- f line=1 self=5 incl=45 inv=1\n  to g:2 x2 =40\n"
                 "- g line=9 self=100 incl=100 inv=6\n  from f:2 x2 =40\n  from h:6 x4 =60\n"
                 "- h line=5 self=7 incl=67 inv=1\n  to g:6 x4 =60\n"},
    /* An invocation that calls nobody it names has been damaged. */
    {"another_invocations_callee_is_not_called_again", WHOLE,
     "creator: xdebug 3\nevents: Time\n\nfn=e\n1 3\n\nfn=f\n1 2\ncfn=e\ncalls=1 1\n2 3\n\n"
     "fn=g\n4 7\ncalls=1 1\n3 500\n\nsummary: 12\n",
     .expected = "- e line=1 self=3 incl=3 inv=1\n  from f:2 x1 =3\n"
                 "- f line=1 self=2 incl=5 inv=1\n  to e:2 x1 =3\n"
                 "- g line=4 self=7 incl=7 inv=1\n"
                 "header: creator: xdebug 3\nheader: events: Time\nheader: summary: 12\n",
     .line = 15, .words = "expected cfn= before calls="},
    {"a_call_without_a_cost_line_is_left_out_with_a_warning", BODY,
     "fn=f\n1 2\ncfn=g\ncalls=1 1\ncfn=h\ncalls=1 1\n3 40\n",
     .expected = "- f line=1 self=2 incl=42 inv=1\n  to h:3 x1 =40\n"
                 "- h line=0 self=0 incl=40 inv=1\n  from f:3 x1 =40\n", .line = 5, .words = "calls="},
    /*
     * As ARTIQ's exporter writes calls: KCachegrind gives the cost line to the call, whatever function is named in
     * between.
     */
    {"the_caller_may_come_after_the_call", WHOLE,
     "positions: instr line\nevents: Ir\nsummary: 1100\n"
     "fl=b.rs\nfn=leaf\n0x1010 20 30\n"
     "cfl=b.rs\ncfn=leaf\ncalls=30 0x1010 20\nfl=a.rs\nfn=main\n0x1000 12 30\n0x1004 13 1000\n"
     "cfl=b.rs\ncfn=leaf\ncalls=7 0x1010 20\nob=x\nfl=a.rs\nfn=other\n0x1000 14 8\n0x1008 15 70\n",
     .expected = "b.rs leaf line=20 self=30 incl=30 inv=37\n  from main:12 x30 =30\n  from other:14 x7 =8\n"
                 "a.rs main line=13 self=1000 incl=1030 inv=1\n  to leaf:12 x30 =30\n"
                 "a.rs other line=15 self=70 incl=78 inv=1\n  to leaf:14 x7 =8\n"
                 "header: positions: instr line\nheader: events: Ir\nheader: summary: 1100\n",
     .line = 10, .words = "found \"a.rs\" after calls=, "},
    /* As FreeBSD's pmcstat writes functions: the file of b in a line 3 of c.h does not become that of c. */
    {"a_functions_file_may_come_after_its_name", WHOLE,
     "creator: pmcstat\npositions: instr line\nevents: X\nsummary: 16\n"
     "ob=o\nfn=b\nfl=b.c\n* * 3\nfl=c.h\n0x8 3 2\ncob=o\ncfn=c\ncfl=c.c\ncalls=7 0x20 9\n0x10 5 11\n"
     "ob=o\nfn=c\nfl=c.c\n0x20 9 11\n",
     .expected = "b.c b line=0 self=5 incl=16 inv=1\n  to c:5 x7 =11\n"
                 "c.c c line=9 self=11 incl=11 inv=7\n  from b:5 x7 =11\n"
                 "header: creator: pmcstat\nheader: positions: instr line\nheader: events: X\nheader: summary: 16\n"},
};

static void a_profile_means_what_it_says(void **state)
{
    check_meaning(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certain_header_lines_after_body_lines_begin_a_part),
        cmocka_unit_test(a_last_line_by_valgrind_needs_its_newline),
        cmocka_unit_test(positions_say_what_a_cost_line_begins_with),
        cmocka_unit_test(versions_up_to_1_are_fine),
        cmocka_unit_test(positions_are_absolute_relative_or_the_same),
        cmocka_unit_test(inlined_code_stays_with_its_function),
        cmocka_unit_test(calls_go_to_the_place_that_is_said_or_the_current_one),
        cmocka_unit_test(a_callees_place_is_forgotten_after_the_call),
        cmocka_unit_test(a_calls_target_position_may_be_missing_or_of_any_form),
        cmocka_unit_test(callgrinds_positions_are_relative_to_the_last_self_cost),
        cmocka_unit_test(callgrind_begins_anew_with_each_context),
        cmocka_unit_test(jumps_and_their_cost_lines_are_skipped),
        cmocka_unit_test(file_aliases_are_shared_by_all_file_lines),
        cmocka_unit_test(definitions_hold_until_they_change),
        cmocka_unit_test(ids_may_come_in_any_order),
        cmocka_unit_test(an_id_can_be_any_number),
        cmocka_unit_test(different_ids_are_different_however_long),
        cmocka_unit_test(names_may_contain_anything),
        cmocka_unit_test(names_may_contain_bytes_that_are_no_text),
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_the_first_line),
        cmocka_unit_test(an_input_is_recognised_however_much_of_it_is_seen_at_first),
        cmocka_unit_test(lines_may_be_of_any_length),
        cmocka_unit_test(a_line_that_makes_no_sense_is_skipped_with_a_warning),
        cmocka_unit_test(an_input_with_more_malformed_lines_than_valid_is_no_profile),
        cmocka_unit_test(costs_with_something_after_them_count_with_a_warning),
        cmocka_unit_test(a_cost_with_a_fraction_is_rounded_with_a_warning),
        cmocka_unit_test(a_cost_below_zero_by_callgrind_is_unknown),
        cmocka_unit_test(a_time_below_zero_by_xdebug_3_is_divided_without_a_sign),
        cmocka_unit_test(a_call_that_makes_no_sense_is_left_out_with_its_cost_line),
        cmocka_unit_test(a_caller_that_comes_first_in_a_later_run_was_not_written_by_xdebug),
        cmocka_unit_test(a_cost_of_more_than_64_bits_is_a_warning),
        cmocka_unit_test(a_message_names_the_file_and_the_line),
        cmocka_unit_test(a_killed_run_counts_as_much_if_another_is_appended),
        cmocka_unit_test(strictly_read_what_makes_no_sense_is_an_error),
        cmocka_unit_test(strictly_read_what_makes_sense_is_no_error),
        cmocka_unit_test(messages_are_not_as_long_as_names),
        cmocka_unit_test(what_is_no_profile_is_an_error),
    };
    return RUN_WITH_CASES(tests, a_profile_means_what_it_says, meanings);
}
