/*
 * Version 4: the tree of invocations. Every expectation is derived by hand from docs/design.md, or,
 * for random profiles, from the data that they were made from.
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XDEBUG "creator: xdebug 3.2.0\nevents: Time\nsummary: 99\n"
#define XDEBUG_SHOWN_BUT_TOTAL "header: creator: xdebug 3.2.0\nheader: events: Time\n"
#define XDEBUG_SHOWN XDEBUG_SHOWN_BUT_TOTAL "header: summary: 99\n"
#define HEAD "events: Ir\nsummary: 99\n"
#define HEAD_SHOWN "header: events: Ir\nheader: summary: 99\n"

#define RECORD(name, line, self) "fn=" name "\n" line " " self "\n"
#define CALL(name, line, cost) "cfn=" name "\ncalls=1 0 0\n" line " " cost "\n"

static struct cg2wg_options format_4(void)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.format = 4;
    return options;
}

static void assert_tree(const char *profile, const char *expected)
{
    struct cg2wg_options options = format_4();
    assert_dump(profile, &options, expected);
}

/* ---- invocations -------------------------------------------------------------------------- */

static void each_invocation_is_kept_with_its_caller_and_its_calls(void **state)
{
    (void)state;
    assert_tree(XDEBUG "fl=/a.php\n" RECORD("f", "5", "3") RECORD("g", "7", "10")
                CALL("f", "8", "3") RECORD("f", "5", "4") RECORD("{main}", "1", "20")
                CALL("g", "2", "13") CALL("f", "3", "4"),
                "/a.php f self=7 incl=7 calls=7 inv=2\n"
                "  #0 self=3 incl=3 from g#0:8 =3\n"
                "  #1 self=4 incl=4 from {main}#0:3 =4\n"
                "/a.php g self=10 incl=13 calls=13 inv=1\n"
                "  #0 self=10 incl=13 from {main}#0:2 =13\n"
                "    to f#0:8 =3\n"
                "/a.php {main} self=20 incl=37 calls=0 inv=1\n"
                "  #0 self=20 incl=37 from nobody\n"
                "    to g#0:2 =13\n"
                "    to f#1:3 =4\n" XDEBUG_SHOWN);
}

/* Release 0.4 takes them in reverse order: each call then has the cost of its sibling. */
static void calls_are_tied_in_order(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "1") RECORD("f", "5", "2") RECORD("f", "5", "3")
                RECORD("{main}", "1", "7") CALL("f", "2", "1") CALL("f", "2", "2")
                CALL("f", "4", "3"),
                "- f self=6 incl=6 calls=6 inv=3\n"
                "  #0 self=1 incl=1 from {main}#0:2 =1\n"
                "  #1 self=2 incl=2 from {main}#0:2 =2\n"
                "  #2 self=3 incl=3 from {main}#0:4 =3\n"
                "- {main} self=7 incl=13 calls=0 inv=1\n"
                "  #0 self=7 incl=13 from nobody\n"
                "    to f#0:2 =1\n"
                "    to f#1:2 =2\n"
                "    to f#2:4 =3\n" XDEBUG_SHOWN);
}

/* f, then g which calls f, then f: the second f is g's, although it is not the newest one. */
static void calls_take_the_last_invocations_that_are_not_taken(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "1") RECORD("f", "5", "2") RECORD("g", "6", "4")
                CALL("f", "7", "2") RECORD("f", "5", "8") RECORD("{main}", "1", "16")
                CALL("f", "2", "1") CALL("g", "3", "6") CALL("f", "4", "8"),
                "- f self=11 incl=11 calls=11 inv=3\n"
                "  #0 self=1 incl=1 from {main}#0:2 =1\n"
                "  #1 self=2 incl=2 from g#0:7 =2\n"
                "  #2 self=8 incl=8 from {main}#0:4 =8\n"
                "- g self=4 incl=6 calls=6 inv=1\n"
                "  #0 self=4 incl=6 from {main}#0:3 =6\n"
                "    to f#1:7 =2\n"
                "- {main} self=16 incl=31 calls=0 inv=1\n"
                "  #0 self=16 incl=31 from nobody\n"
                "    to f#0:2 =1\n"
                "    to g#0:3 =6\n"
                "    to f#2:4 =8\n" XDEBUG_SHOWN);
}

static void recursive_invocations_are_tied_to_each_other(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "1") RECORD("f", "5", "2") CALL("f", "6", "1")
                RECORD("f", "5", "4") CALL("f", "6", "3") RECORD("{main}", "1", "8")
                CALL("f", "2", "7"),
                "- f self=7 incl=11 calls=11 inv=3\n"
                "  #0 self=1 incl=1 from f#1:6 =1\n"
                "  #1 self=2 incl=3 from f#2:6 =3\n"
                "    to f#0:6 =1\n"
                "  #2 self=4 incl=7 from {main}#0:2 =7\n"
                "    to f#1:6 =3\n"
                "- {main} self=8 incl=15 calls=0 inv=1\n"
                "  #0 self=8 incl=15 from nobody\n"
                "    to f#2:2 =7\n" XDEBUG_SHOWN);
}

static void several_cost_lines_of_a_record_are_one_invocation(void **state)
{
    (void)state;
    assert_tree(XDEBUG "fn=f\n5 1\n6 2\nfn=f\n5 4\n",
                "- f self=7 incl=7 calls=0 inv=2\n"
                "  #0 self=3 incl=3 from nobody\n"
                "  #1 self=4 incl=4 from nobody\n" XDEBUG_SHOWN);
}

/* Xdebug rounds each number by itself: what the call cost is kept beside what its parts say. */
static void a_calls_cost_is_kept_where_rounding_made_it_another(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "3") RECORD("{main}", "1", "1") CALL("f", "2", "4"),
                "- f self=3 incl=3 calls=4 inv=1\n"
                "  #0 self=3 incl=3 from {main}#0:2 =4\n"
                "- {main} self=1 incl=5 calls=0 inv=1\n"
                "  #0 self=1 incl=5 from nobody\n"
                "    to f#0:2 =4\n" XDEBUG_SHOWN);
}

static void what_nobody_called_says_so(void **state)
{
    (void)state;
    struct cg2wg_options options = format_4();
    struct conversion_result result =
        convert_text(XDEBUG RECORD("f", "5", "3") RECORD("f", "5", "4"), &options);
    /* version, headers, one function at 16; its four numbers; two invocations of eight. */
    static const unsigned char nobody[16] = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
                                             0, 0, 0, 0, 0,    0,    0,    0};
    assert_memory_equal(result.bytes + 32 + 8, nobody, sizeof nobody);
    assert_memory_equal(result.bytes + 64 + 8, nobody, sizeof nobody);
    conversion_free(&result);
}

/* ---- missing records ---------------------------------------------------------------------- */

/*
 * The last of the two calls has the record: k calls take the last invocations. f's row is that of
 * all versions: its own cost and its calls, as far as its records tell.
 */
static void a_missing_record_takes_no_others_place(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "3") RECORD("{main}", "1", "8") CALL("f", "2", "7") CALL("f", "4", "3"),
                "- f self=3 incl=3 calls=10 inv=2\n"
                "  #0 self=3 incl=3 from {main}#0:4 =3\n"
                "  #1 self=0 incl=7 from {main}#0:2 =7\n"
                "- {main} self=8 incl=18 calls=0 inv=1\n"
                "  #0 self=8 incl=18 from nobody\n"
                "    to f#1:2 =7\n"
                "    to f#0:4 =3\n" XDEBUG_SHOWN);
}

/* They cost as much as the call, and are numbered as they returned, which calls of one record did in order. */
static void missing_records_get_invocations_in_order_of_their_calls(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("{main}", "1", "8") CALL("f", "2", "7") CALL("f", "4", "3"),
                "- {main} self=8 incl=18 calls=0 inv=1\n"
                "  #0 self=8 incl=18 from nobody\n"
                "    to f#0:2 =7\n"
                "    to f#1:4 =3\n"
                "- f self=0 incl=10 calls=10 inv=2\n"
                "  #0 self=0 incl=7 from {main}#0:2 =7\n"
                "  #1 self=0 incl=3 from {main}#0:4 =3\n" XDEBUG_SHOWN);
}

/* ---- appended runs: their summaries become one, since readers of version 4 take the last --- */

static void no_call_is_tied_to_an_earlier_run(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "3")
                "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("f", "5", "4")
                RECORD("{main}", "1", "8") CALL("f", "2", "4")
                "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("{main}", "1", "1")
                CALL("f", "2", "6"),
                "- f self=7 incl=7 calls=10 inv=3\n"
                "  #0 self=3 incl=3 from nobody\n"
                "  #1 self=4 incl=4 from {main}#0:2 =4\n"
                "  #2 self=0 incl=6 from {main}#1:2 =6\n"
                "- {main} self=9 incl=19 calls=0 inv=2\n"
                "  #0 self=8 incl=12 from nobody\n"
                "    to f#1:2 =4\n"
                "  #1 self=1 incl=7 from nobody\n"
                "    to f#2:2 =6\n" XDEBUG_SHOWN_BUT_TOTAL XDEBUG_SHOWN_BUT_TOTAL
                XDEBUG_SHOWN_BUT_TOTAL "header: summary: 297\n");
}

/* Where the later run has no record of it at all, or too few. */
static void a_missing_record_is_not_taken_from_an_earlier_run(void **state)
{
    (void)state;
    assert_tree(XDEBUG RECORD("f", "5", "3") RECORD("g", "6", "5")
                "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("g", "6", "4")
                RECORD("{main}", "1", "8") CALL("f", "2", "6") CALL("g", "3", "7")
                CALL("g", "4", "4"),
                "- f self=3 incl=3 calls=6 inv=2\n"
                "  #0 self=3 incl=3 from nobody\n"
                "  #1 self=0 incl=6 from {main}#0:2 =6\n"
                "- g self=9 incl=9 calls=11 inv=3\n"
                "  #0 self=5 incl=5 from nobody\n"
                "  #1 self=4 incl=4 from {main}#0:4 =4\n"
                "  #2 self=0 incl=7 from {main}#0:3 =7\n"
                "- {main} self=8 incl=25 calls=0 inv=1\n"
                "  #0 self=8 incl=25 from nobody\n"
                "    to f#1:2 =6\n"
                "    to g#2:3 =7\n"
                "    to g#1:4 =4\n" XDEBUG_SHOWN_BUT_TOTAL XDEBUG_SHOWN_BUT_TOTAL
                "header: summary: 198\n");
}

/* ---- sums --------------------------------------------------------------------------------- */

static void from_sums_each_function_is_one_invocation(void **state)
{
    (void)state;
    assert_tree(HEAD "fl=a.c\nfn=main\n1 8\ncfn=f\ncalls=5 5\n2 7\n"
                     "fn=f\n5 3\nfn=main\n3 1\nfn=f\n6 4\n",
                "a.c main self=9 incl=16 calls=0 inv=1\n"
                "  #0 self=9 incl=16 from nobody\n"
                "    to f#0:2 =7\n"
                "a.c f self=7 incl=7 calls=7 inv=1\n"
                "  #0 self=7 incl=7 from main#0:2 =7\n" HEAD_SHOWN);
}

static void from_sums_a_caller_is_told_only_if_it_is_the_only_one(void **state)
{
    (void)state;
    assert_tree(HEAD "fn=main\n1 8\ncfn=g\ncalls=1\n2 6\ncfn=f\ncalls=1\n3 3\n"
                     "fn=g\n4 2\ncfn=f\ncalls=1\n5 4\ncfn=h\ncalls=1\n6 0\n"
                     "fn=f\n7 7\nfn=h\n8 0\n",
                "- main self=8 incl=17 calls=0 inv=1\n"
                "  #0 self=8 incl=17 from nobody\n"
                "    to g#0:2 =6\n"
                "    to f#0:3 =3\n"
                "- g self=2 incl=6 calls=6 inv=1\n"
                "  #0 self=2 incl=6 from main#0:2 =6\n"
                "    to f#0:5 =4\n"
                "    to h#0:6 =0\n"
                "- f self=7 incl=7 calls=7 inv=1\n"
                "  #0 self=7 incl=7 from nobody\n"
                "- h self=0 incl=0 calls=0 inv=1\n"
                "  #0 self=0 incl=0 from g#0:6 =0\n" HEAD_SHOWN);
}

static void from_sums_one_caller_may_call_from_several_lines(void **state)
{
    (void)state;
    assert_tree(HEAD "fn=main\n1 8\ncfn=f\ncalls=1\n2 6\ncfn=f\ncalls=1\n3 3\nfn=f\n7 9\n",
                "- main self=8 incl=17 calls=0 inv=1\n"
                "  #0 self=8 incl=17 from nobody\n"
                "    to f#0:2 =6\n"
                "    to f#0:3 =3\n"
                "- f self=9 incl=9 calls=9 inv=1\n"
                "  #0 self=9 incl=9 from main#0:2 =9\n" HEAD_SHOWN);
}

static void from_sums_a_function_that_calls_itself_has_a_caller_more(void **state)
{
    (void)state;
    assert_tree(HEAD "fn=main\n1 8\ncfn=f\ncalls=1\n2 6\nfn=f\n7 6\ncfn=f\ncalls=1\n8 5\n",
                "- main self=8 incl=14 calls=0 inv=1\n"
                "  #0 self=8 incl=14 from nobody\n"
                "    to f#0:2 =6\n"
                "- f self=6 incl=11 calls=11 inv=1\n"
                "  #0 self=6 incl=11 from nobody\n"
                "    to f#0:8 =5\n" HEAD_SHOWN);
}

/* ---- profiles made at random -------------------------------------------------------------- */

enum { MADE_FUNCTIONS = 6, MADE_MAX = 3000 };

/* What a profile was made of. An invocation's self cost is its number + 1: it tells which it is. */
struct made {
    FILE *out;
    uint32_t random;
    unsigned count;
    struct made_invocation {
        unsigned function, child_count, *children;
        uint64_t inclusive;
    } invocations[MADE_MAX];
};

static unsigned draw(struct made *made, unsigned below)
{
    made->random = made->random * UINT32_C(1664525) + UINT32_C(1013904223);
    return (made->random >> 16) % below;
}

/* Makes an invocation with all that it calls, whose records come before its own. */
static unsigned make_invocation(struct made *made, unsigned function, unsigned depth)
{
    unsigned children[8], lines[8], count = depth > 0 ? draw(made, 6) : 0;
    if (made->count + 100 > MADE_MAX)
        count = 0;
    for (unsigned i = 0; i < count; i++) {
        lines[i] = draw(made, 3);
        children[i] = make_invocation(made, draw(made, MADE_FUNCTIONS), depth - 1);
    }

    unsigned number = made->count++;
    struct made_invocation *invocation = &made->invocations[number];
    *invocation = (struct made_invocation){.function = function,
                                           .child_count = count,
                                           .children = malloc((count + 1) * sizeof(unsigned)),
                                           .inclusive = number + 1};
    fprintf(made->out, "fl=%u.php\nfn=f%u\n7 %u\n", function, function, number + 1);
    for (unsigned i = 0; i < count; i++) {
        const struct made_invocation *child = &made->invocations[children[i]];
        invocation->children[i] = children[i];
        invocation->inclusive += child->inclusive;
        fprintf(made->out, "cfn=f%u\ncalls=1 0 0\n%u %" PRIu64 "\n", child->function, lines[i],
                child->inclusive);
    }
    return number;
}

/* The profile's text, malloc'ed; several trees, so some invocations are called by nobody. */
static char *make_profile(struct made *made, uint32_t seed)
{
    char *profile = NULL;
    size_t size;
    *made = (struct made){.out = open_memstream(&profile, &size), .random = seed};
    fprintf(made->out, XDEBUG);
    while (made->count < 800)
        make_invocation(made, draw(made, MADE_FUNCTIONS), 6);
    fclose(made->out);
    return profile;
}

static void made_free(struct made *made)
{
    for (unsigned i = 0; i < made->count; i++)
        free(made->invocations[i].children);
}

static void open_converted(struct preprocessed *p, const char *profile, unsigned format,
                           const char *const *names, size_t name_count)
{
    char *input = scratch_path("profile"), *output = scratch_path("converted");
    struct diag diag = {.report = NULL};
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.format = format;
    options.proxies = names;
    options.proxy_count = name_count;
    write_file(input, profile, strlen(profile));
    assert_int_equal(cg2wg_convert(input, output, &options, NULL), CG2WG_OK);
    assert_true(preprocessed_read(p, output, &diag));
    free(input);
    free(output);
}

static void check_invocation(const struct preprocessed *p, const struct made *made,
                             uint32_t function, uint32_t number)
{
    struct preprocessed_function f = preprocessed_function(p, function);
    struct preprocessed_invocation v = preprocessed_invocation(p, f.invocations_at, number);
    assert_in_range(v.self, 1, made->count);
    const struct made_invocation *m = &made->invocations[v.self - 1];
    char name[16];
    snprintf(name, sizeof name, "f%u", m->function);
    assert_true(text_equals(f.name, name));
    assert_int_equal(v.inclusive, m->inclusive);
    assert_int_equal(v.sub_call_count, m->child_count);
    for (uint32_t i = 0; i < v.sub_call_count; i++) {
        struct preprocessed_sub_call c = preprocessed_sub_call(p, v.sub_calls_at, i);
        struct preprocessed_function g = preprocessed_function(p, c.function);
        struct preprocessed_invocation callee =
            preprocessed_invocation(p, g.invocations_at, c.invocation);
        assert_int_equal(callee.self, m->children[i] + 1);
        assert_int_equal(c.cost, callee.inclusive);
        assert_int_equal(callee.caller, function);
        assert_int_equal(callee.caller_invocation, number);
        assert_int_equal(callee.caller_line, c.line);
        assert_int_equal(callee.caller_cost, c.cost);
    }
}

/* Invocations of a function are in order of their records, which is that of their numbers. */
static void every_call_of_any_tree_is_tied_to_its_invocation(void **state)
{
    (void)state;
    struct made *made = malloc(sizeof *made);
    for (uint32_t seed = 0; seed < 8; seed++) {
        struct preprocessed p;
        char *profile = make_profile(made, seed);
        open_converted(&p, profile, 4, NULL, 0);
        uint32_t seen = 0;
        for (uint32_t f = 0; f < p.function_count; f++) {
            struct preprocessed_function function = preprocessed_function(&p, f);
            uint32_t last = 0;
            for (uint32_t i = 0; i < function.invocations; i++, seen++) {
                uint32_t self = preprocessed_invocation(&p, function.invocations_at, i).self;
                assert_true(self > last);
                last = self;
                check_invocation(&p, made, f, i);
            }
        }
        assert_int_equal(seen, made->count);
        preprocessed_free(&p);
        made_free(made);
        free(profile);
    }
    free(made);
}

/*
 * Sub calls stand in record order of their callers, right after the last function and right before
 * the headers, without gaps.
 */
static void sub_calls_lie_without_gaps(void **state)
{
    (void)state;
    static const char *const proxies[] = {"f0", "f1"};
    struct made *made = malloc(sizeof *made);
    for (size_t proxy_count = 0; proxy_count <= 2; proxy_count++) {
        struct preprocessed p;
        char *profile = make_profile(made, 5);
        open_converted(&p, profile, 4, proxies, proxy_count);

        size_t *address = calloc(made->count, sizeof *address), total = 0;
        uint32_t *count = calloc(made->count, sizeof *count);
        for (uint32_t f = 0; f < p.function_count; f++) {
            struct preprocessed_function function = preprocessed_function(&p, f);
            for (uint32_t i = 0; i < function.invocations; i++) {
                struct preprocessed_invocation v =
                    preprocessed_invocation(&p, function.invocations_at, i);
                address[v.self - 1] = v.sub_calls_at;
                count[v.self - 1] = v.sub_call_count;
            }
        }
        struct text last = preprocessed_function(&p, p.function_count - 1).name;
        size_t next = (size_t)(last.end - (const char *)p.bytes) + 1;
        for (unsigned i = 0; i < made->count; i++) {
            if (count[i] > 0)
                assert_int_equal(address[i], next);
            next += (size_t)16 * count[i];
            total += count[i];
        }
        assert_true(total > 0);
        assert_int_equal(next, p.header_address);
        free(address);
        free(count);
        preprocessed_free(&p);
        made_free(made);
        free(profile);
    }
    free(made);
}

/* Adds up what version 4 says of the calls between two functions from a line. */
static struct preprocessed_call calls_in_tree(const struct preprocessed *tree, uint32_t caller,
                                              uint32_t callee, uint32_t line)
{
    struct preprocessed_call sum = {.function = callee, .line = line};
    struct preprocessed_function f = preprocessed_function(tree, caller);
    for (uint32_t i = 0; i < f.invocations; i++) {
        struct preprocessed_invocation v = preprocessed_invocation(tree, f.invocations_at, i);
        for (uint32_t k = 0; k < v.sub_call_count; k++) {
            struct preprocessed_sub_call c = preprocessed_sub_call(tree, v.sub_calls_at, k);
            if (c.function == callee && c.line == line) {
                sum.count++;
                sum.cost += c.cost;
            }
        }
    }
    return sum;
}

static void check_agreement(const struct preprocessed *sums, const struct preprocessed *tree,
                            uint32_t number)
{
    struct preprocessed_function s = preprocessed_function(sums, number);
    struct preprocessed_function t = preprocessed_function(tree, number);
    uint32_t call_cost = 0, tree_calls = 0, sums_calls = 0;
    assert_int_equal(s.name.end - s.name.at, t.name.end - t.name.at);
    assert_memory_equal(s.name.at, t.name.at, text_length(s.name));
    assert_memory_equal(s.file.at, t.file.at, text_length(s.file));
    assert_int_equal(s.self, t.self);
    assert_int_equal(s.inclusive, t.inclusive);
    assert_int_equal(s.invocations, t.invocations);
    for (uint32_t i = 0; i < s.called_from_count; i++)
        call_cost += preprocessed_call(sums, s.called_from_at, i).cost;
    assert_int_equal(call_cost, t.call_cost);
    for (uint32_t i = 0; i < s.sub_call_count; i++) {
        struct preprocessed_call arc = preprocessed_call(sums, s.sub_calls_at, i);
        struct preprocessed_call calls = calls_in_tree(tree, number, arc.function, arc.line);
        assert_int_equal(arc.count, calls.count);
        assert_int_equal(arc.cost, calls.cost);
        sums_calls += arc.count;
    }
    for (uint32_t i = 0; i < t.invocations; i++)
        tree_calls += preprocessed_invocation(tree, t.invocations_at, i).sub_call_count;
    assert_int_equal(tree_calls, sums_calls);
}

static void version_4_adds_up_to_version_7(void **state)
{
    (void)state;
    static const char *const proxies[] = {"f0", "f1", "f2"};
    struct made *made = malloc(sizeof *made);
    for (uint32_t seed = 100; seed < 108; seed++) {
        struct preprocessed sums, tree;
        char *profile = make_profile(made, seed);
        open_converted(&tree, profile, 4, proxies, seed % 4);
        open_converted(&sums, profile, 7, proxies, seed % 4);
        assert_int_equal(sums.function_count, tree.function_count);
        for (uint32_t f = 0; f < sums.function_count; f++)
            check_agreement(&sums, &tree, f);
        assert_int_equal(sums.size - sums.header_address, tree.size - tree.header_address);
        assert_memory_equal(sums.bytes + sums.header_address, tree.bytes + tree.header_address,
                            sums.size - sums.header_address);
        preprocessed_free(&tree);
        preprocessed_free(&sums);
        made_free(made);
        free(profile);
    }
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_invocation_is_kept_with_its_caller_and_its_calls),
        cmocka_unit_test(calls_are_tied_in_order),
        cmocka_unit_test(calls_take_the_last_invocations_that_are_not_taken),
        cmocka_unit_test(recursive_invocations_are_tied_to_each_other),
        cmocka_unit_test(several_cost_lines_of_a_record_are_one_invocation),
        cmocka_unit_test(a_calls_cost_is_kept_where_rounding_made_it_another),
        cmocka_unit_test(what_nobody_called_says_so),
        cmocka_unit_test(a_missing_record_takes_no_others_place),
        cmocka_unit_test(missing_records_get_invocations_in_order_of_their_calls),
        cmocka_unit_test(no_call_is_tied_to_an_earlier_run),
        cmocka_unit_test(a_missing_record_is_not_taken_from_an_earlier_run),
        cmocka_unit_test(from_sums_each_function_is_one_invocation),
        cmocka_unit_test(from_sums_a_caller_is_told_only_if_it_is_the_only_one),
        cmocka_unit_test(from_sums_one_caller_may_call_from_several_lines),
        cmocka_unit_test(from_sums_a_function_that_calls_itself_has_a_caller_more),
        cmocka_unit_test(every_call_of_any_tree_is_tied_to_its_invocation),
        cmocka_unit_test(sub_calls_lie_without_gaps),
        cmocka_unit_test(version_4_adds_up_to_version_7),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
