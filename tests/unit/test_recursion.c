/* SPDX-License-Identifier: MIT */
/*
 * Inclusive costs without what recursion counts twice, from sums: callgrind's marks of recursion
 * levels, and the bounds that hold for cycles where there are no marks. Random call trees are added
 * up as a profiler does it; what a function's outermost invocations cost is then known from the tree.
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLGRIND "creator: callgrind-3.22.0\nevents: Ir\n"
#define CALLGRIND_SHOWN "header: creator: callgrind-3.22.0\nheader: events: Ir\n"
#define CALL(name, count, line, cost) "cfn=" name "\ncalls=" count " 0\n" line " " cost "\n"

static struct cg2wg_options outermost(void)
{
    struct cg2wg_options options = default_options();
    options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
    return options;
}

static void assert_outermost(const char *profile, const char *expected)
{
    struct cg2wg_options options = outermost();
    assert_dump(profile, &options, expected);
}

/* ---- levels that callgrind has marked ----------------------------------------------------- */

/* main calls fib once, which calls fib'2 twice, which calls itself six times. */
#define FIB                                                                        \
    "fn=main\n1 1\n" CALL("fib", "1", "2", "90")                                   \
    "fn=fib\n5 10\n" CALL("fib'2", "2", "6", "80")                                 \
    "fn=fib'2\n5 80\n" CALL("fib'2", "6", "6", "120")

static void as_sums_they_stay_rows_of_their_own(void **state)
{
    assert_dump(CALLGRIND "summary: 91\n" FIB, NULL,
                "- main line=1 self=1 incl=91 inv=1\n  to fib:2 x1 =90\n"
                "- fib line=5 self=10 incl=90 inv=1\n  from main:2 x1 =90\n  to fib'2:6 x2 =80\n"
                "- fib'2 line=5 self=80 incl=200 inv=8\n  from fib:6 x2 =80\n  from fib'2:6 x6 =120\n"
                "  to fib'2:6 x6 =120\n" CALLGRIND_SHOWN "header: summary: 91\n");
}

/* There is nothing that it is the second level of; nor are 0, 1 and 2x levels. */
static void without_a_first_level_there_is_nothing_to_fold_into(void **state)
{
    static const char *const names[] = {"fib'2", "'2", "h'1", "h'0", "h'2x", "h'x2", "h'"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char profile[200], expected[200];
        snprintf(profile, sizeof profile, CALLGRIND "summary: 3\nfn=h\n1 1\nfn=%s\n1 2\n",
                 names[i]);
        snprintf(expected, sizeof expected,
                 "- h line=1 self=1 incl=1 inv=1\n- %s line=1 self=2 incl=2 inv=1\n"
                 CALLGRIND_SHOWN "header: summary: 3\n", names[i]);
        assert_outermost(profile, expected);
    }
}

/* ---- bounds by hand ----------------------------------------------------------------------- */

/*
 * docs/recursion.md: f and g are a cycle, into which main's call accounts for all of it. For g, the bounds are
 * 40 + 95, 60 + 40, and 90, which is the least; for f, they are 60 + 90, 100, and 100 + 95. A call costs no more than
 * its ends; nor do all calls of a function, which version 4 names, cost more than the function.
 */
static void the_least_of_three_bounds_is_taken(void **state)
{
    static const char profile[] = "events: Ir\nsummary: 100\nfn=main\n1 0\n" CALL("f", "1", "2", "100")
        "fn=f\n5 60\n" CALL("g", "1", "6", "90") "fn=g\n9 40\n" CALL("f", "1", "10", "95");
    struct cg2wg_options options = outermost();
    assert_outermost(profile,
                     "- main line=1 self=0 incl=100 inv=1\n  to f:2 x1 =100\n"
                     "- f line=5 self=60 incl=100 inv=2\n  from main:2 x1 =100\n  from g:10 x1 =90\n  to g:6 x1 =90\n"
                     "- g line=9 self=40 incl=90 inv=1\n  from f:6 x1 =90\n  to f:10 x1 =90\n"
                     "header: events: Ir\nheader: summary: 100\n");
    options.format = 4;
    struct conversion_result result = convert_text(profile, &options);
    assert_non_null(strstr(result.dump, "- f self=60 incl=100 calls=100 inv=1\n"));
    conversion_free(&result);
}

/* ---- random call trees -------------------------------------------------------------------- */

enum { MAX_FUNCTIONS = 6, MAX_LEVELS = 3, MAX_LINES = 2, MAX_CALLS = 4, MAX_DEPTH = 12 };

struct sum {
    uint64_t count;
    int64_t cost;
};

/* The sums of a tree, and the exact figures from the tree itself. */
struct made_tree {
    uint64_t random;
    int functions, levels, left;
    int64_t total;
    int64_t self[MAX_FUNCTIONS], outermost[MAX_FUNCTIONS];
    uint64_t called[MAX_FUNCTIONS];
    struct sum arcs[MAX_FUNCTIONS][MAX_FUNCTIONS][MAX_LINES]; /* cost: outermost calls */
    int64_t certain[MAX_FUNCTIONS][MAX_FUNCTIONS][MAX_LINES]; /* ... that the levels show to be */
    /* As a profiler sees it, by function and level. */
    int64_t level_self[MAX_FUNCTIONS][MAX_LEVELS];
    bool level_seen[MAX_FUNCTIONS][MAX_LEVELS];
    struct sum level_arcs[MAX_FUNCTIONS][MAX_LEVELS][MAX_FUNCTIONS][MAX_LEVELS][MAX_LINES];
    /* What is open. */
    int open[MAX_FUNCTIONS], open_arcs[MAX_FUNCTIONS][MAX_FUNCTIONS][MAX_LINES];
};

static int pick(struct made_tree *t, int bound)
{
    return (int)random_below(&t->random, (uint32_t)bound);
}

static int level_of(const struct made_tree *t, int function)
{
    return t->open[function] < t->levels ? t->open[function] : t->levels - 1;
}

static int64_t invoke(struct made_tree *t, int function, int depth);

static int64_t make_call(struct made_tree *t, int caller, int caller_level, int depth)
{
    int line = pick(t, MAX_LINES), callee = pick(t, t->functions);
    int callee_level = level_of(t, callee);
    struct sum *arc = &t->arcs[caller][callee][line];
    struct sum *seen = &t->level_arcs[caller][caller_level][callee][callee_level][line];
    int *open = &t->open_arcs[caller][callee][line];

    ++*open;
    int64_t cost = invoke(t, callee, depth - 1);
    --*open;
    arc->count++;
    seen->count++;
    seen->cost += cost;
    t->called[callee]++;
    if (*open == 0)
        arc->cost += cost;
    if (t->levels > 1 && (caller_level == 0 || callee_level == 0))
        t->certain[caller][callee][line] += cost;
    return cost;
}

static int64_t invoke(struct made_tree *t, int function, int depth)
{
    int level = level_of(t, function), self = pick(t, 30);
    int64_t cost = self;
    t->open[function]++;
    t->total += self;
    t->self[function] += self;
    t->level_self[function][level] += self;
    t->level_seen[function][level] = true;
    for (int calls = depth > 0 ? pick(t, MAX_CALLS) : 0; calls > 0 && t->left > 0; calls--) {
        t->left--;
        cost += make_call(t, function, level, depth);
    }
    if (--t->open[function] == 0)
        t->outermost[function] += cost;
    return cost;
}

static void make_tree(struct made_tree *t, uint64_t *random, int levels)
{
    memset(t, 0, sizeof *t);
    t->random = *random;
    t->levels = levels;
    t->functions = 1 + pick(t, MAX_FUNCTIONS);
    for (int roots = 1 + pick(t, 2); roots > 0; roots--) {
        t->left = 1 + pick(t, 60);
        invoke(t, pick(t, t->functions), 1 + pick(t, MAX_DEPTH));
    }
    *random = t->random;
}

static void print_name(FILE *out, const char *key, int function, int level)
{
    fprintf(out, "%s=f%d", key, function);
    if (level > 0)
        fprintf(out, "'%d", level + 1);
    fputc('\n', out);
}

static void print_record(FILE *out, const struct made_tree *t, int f, int level)
{
    print_name(out, "fn", f, level);
    fprintf(out, "1 %" PRId64 "\n", t->level_self[f][level]);
    for (int g = 0; g < t->functions; g++)
        for (int to = 0; to < t->levels; to++)
            for (int line = 0; line < MAX_LINES; line++) {
                const struct sum *arc = &t->level_arcs[f][level][g][to][line];
                if (arc->count == 0)
                    continue;
                print_name(out, "cfn", g, to);
                fprintf(out, "calls=%" PRIu64 " 0\n%d %" PRId64 "\n", arc->count, line, arc->cost);
            }
}

static char *print_tree(const struct made_tree *t)
{
    char *profile = NULL;
    size_t size;
    FILE *out = open_memstream(&profile, &size);
    fprintf(out, "%sevents: Ir\nsummary: %" PRId64 "\n", t->levels > 1 ? "creator: callgrind-3.22.0\n" : "", t->total);
    for (int f = 0; f < t->functions; f++)
        for (int level = 0; level < t->levels; level++)
            if (t->level_seen[f][level])
                print_record(out, t, f, level);
    fclose(out);
    return profile;
}

static struct preprocessed convert(const char *profile)
{
    struct preprocessed p = {.bytes = NULL};
    struct diag diag = {.report = NULL};
    struct cg2wg_options options = outermost();
    char *input = scratch_path("profile"), *output = scratch_path("output");
    write_file(input, profile, strlen(profile));
    if (cg2wg_convert(input, output, &options, NULL) != CG2WG_OK || !preprocessed_read(&p, output, &diag))
        fail_msg("no output for\n%s", profile);
    free(input);
    free(output);
    return p;
}

static void compare(const char *what, int function, int64_t found, int64_t least, int64_t most, const char *profile)
{
    if (found < least || found > most)
        fail_msg("f%d: found %s %" PRId64 ", expected %" PRId64 " to %" PRId64 " in\n%s", function, what, found, least,
                 most, profile);
}

/* The function's sum by webgrind's definition. */
static int64_t plain_sum(const struct made_tree *t, int function)
{
    int64_t sum = t->self[function];
    for (int g = 0; g < t->functions; g++)
        for (int line = 0; line < MAX_LINES; line++)
            sum += t->level_arcs[function][0][g][0][line].cost;
    return sum;
}

/* With levels, functions are exact, and arcs at most their true costs; without, there are bounds. */
static void check_tree(const struct made_tree *t, const char *profile)
{
    bool has_levels = t->levels > 1;
    struct preprocessed p = convert(profile);
    for (uint32_t i = 0; i < p.function_count; i++) {
        struct preprocessed_function f = preprocessed_function(&p, i);
        int n = digit_of(&p, i);
        int64_t most = has_levels ? t->outermost[n] : plain_sum(t, n) < t->total ? plain_sum(t, n) : t->total;
        int64_t invocations = has_levels ? f.invocations : t->called[n] > 0 ? (int64_t)t->called[n] : 1;
        compare("self", n, f.self, t->self[n], t->self[n], profile);
        compare("inclusive", n, f.inclusive, t->outermost[n], most, profile);
        compare("invocations", n, f.invocations, invocations, invocations, profile);
        assert_null(memchr(f.name.at, '\'', (size_t)(f.name.end - f.name.at)));
        for (uint32_t c = 0; c < f.called_from_count; c++) {
            struct stored_call call = preprocessed_call(&p, f.called_from_at, c);
            int caller = digit_of(&p, call.function);
            const struct sum *arc = &t->arcs[caller][n][call.line];
            int64_t least = has_levels ? t->certain[caller][n][call.line] : arc->cost;
            most = has_levels ? arc->cost : t->level_arcs[caller][0][n][0][call.line].cost;
            compare("count", n, call.count, (int64_t)arc->count, (int64_t)arc->count, profile);
            compare("cost of an arc", n, call.cost, least, most, profile);
            compare("cost of an arc", n, call.cost, 0, f.inclusive, profile);
        }
    }
    preprocessed_free(&p);
}

static void check_random(int times, int least_levels, int most_levels, uint64_t random)
{
    static struct made_tree t;
    for (int i = 0; i < times; i++) {
        make_tree(&t, &random, least_levels + i % (most_levels - least_levels + 1));
        char *profile = print_tree(&t);
        check_tree(&t, profile);
        free(profile);
    }
}

static void where_levels_are_marked_inclusive_costs_are_exact(void **state)
{
    check_random(800, 2, MAX_LEVELS, 11);
}

/* test_generated.c is about smaller cycles, which are exact. */
static void in_larger_cycles_the_truth_is_between_the_bounds(void **state)
{
    check_random(1500, 1, 1, 13);
}

/* ---- profiles and their costs ------------------------------------------------------------------ */

static const struct named_profile {
    const char *name, *profile, *expected;
} profiles[] = {
    {"deeper_levels_fold_into_their_function",
     CALLGRIND "summary: 91\n" FIB,
     "- main line=1 self=1 incl=91 inv=1\n  to fib:2 x1 =90\n"
     "- fib line=5 self=90 incl=90 inv=9\n  from main:2 x1 =90\n  from fib:6 x8 =80\n"
     "  to fib:6 x8 =80\n" CALLGRIND_SHOWN "header: summary: 91\n"},
    /* --separate-recs=3; fib itself is called by nobody, so once; and a function that is called from all levels. */
    {"any_number_of_levels_folds",
     CALLGRIND "summary: 42\n"
     "fn=fib\n5 10\n" CALL("fib'2", "1", "6", "31") CALL("g", "1", "7", "1")
     "fn=fib'2\n5 8\n" CALL("fib'3", "1", "6", "21") CALL("g", "2", "7", "2")
     "fn=fib'3\n5 16\n" CALL("fib'3", "2", "6", "19") CALL("g", "5", "7", "5")
     "fn=g\n9 8\n",
     "- fib line=5 self=34 incl=42 inv=5\n  from fib:6 x4 =31\n  to fib:6 x4 =31\n  to g:7 x8 =8\n"
     "- g line=9 self=8 incl=8 inv=8\n  from fib:7 x8 =8\n" CALLGRIND_SHOWN "header: summary: 42\n"},
    /* a -> b -> a'2 -> b'2. */
    {"levels_of_several_functions_fold",
     CALLGRIND "summary: 15\n"
     "fn=a\n1 1\n" CALL("b", "1", "3", "14")
     "fn=b\n2 2\n" CALL("a'2", "1", "4", "12")
     "fn=a'2\n1 4\n" CALL("b'2", "1", "3", "8")
     "fn=b'2\n2 8\n",
     "- a line=1 self=5 incl=15 inv=2\n"
     "  from b:4 x1 =12\n"
     "  to b:3 x2 =14\n"
     "- b line=2 self=10 incl=14 inv=2\n"
     "  from a:3 x2 =14\n"
     "  to a:4 x1 =12\n" CALLGRIND_SHOWN "header: summary: 15\n"},
    /* --separate-callers=1: what follows the quote is a caller. */
    {"callers_after_quotes_are_no_levels",
     CALLGRIND "summary: 3\nfn=fib'main\n1 1\nfn=fib'other\n2 2\n",
     "- fib'main line=1 self=1 incl=1 inv=1\n"
     "- fib'other line=2 self=2 incl=2 inv=1\n" CALLGRIND_SHOWN
     "header: summary: 3\n"},
    /* Both options at once: the level is before the callers. */
    {"a_level_may_be_before_callers",
     CALLGRIND "summary: 7\n"
     "fn=fib'main\n1 1\n" CALL("fib'2'main", "1", "3", "6")
     "fn=fib'2'main\n1 2\n" CALL("g'fib", "1", "4", "4")
     "fn=g'fib\n2 4\n",
     "- fib'main line=1 self=3 incl=7 inv=2\n  from fib'main:3 x1 =6\n  to fib'main:3 x1 =6\n"
     "  to g'fib:4 x1 =4\n"
     "- g'fib line=2 self=4 incl=4 inv=1\n  from fib'main:4 x1 =4\n" CALLGRIND_SHOWN "header: summary: 7\n"},
    /* Same-named functions of two files: each has levels of its own. */
    {"levels_fold_within_their_file",
     CALLGRIND "summary: 15\n"
     "fl=a.c\nfn=f\n1 1\n" CALL("f'2", "1", "2", "2") "fn=f'2\n1 2\n"
     "fl=b.c\nfn=f\n3 4\n" CALL("f'2", "1", "4", "8") "fn=f'2\n3 8\n",
     "a.c f line=1 self=3 incl=3 inv=2\n"
     "  from f:2 x1 =2\n"
     "  to f:2 x1 =2\n"
     "b.c f line=3 self=12 incl=12 inv=2\n"
     "  from f:4 x1 =8\n"
     "  to f:4 x1 =8\n" CALLGRIND_SHOWN "header: summary: 15\n"},
    /* f'2'3 is a level of f'3, and that one of f: each cost counts once. */
    {"two_marks_fold_into_one_function",
     "creator: callgrind-3.19.0\nevents: Ir\nsummary: 7\n"
     "fn=f\n1 1\n" CALL("f'3", "1", "2", "6")
     "fn=f'3\n1 2\n" CALL("f'2'3", "1", "3", "4")
     "fn=f'2'3\n1 4\n",
     "- f line=1 self=7 incl=7 inv=3\n  from f:2 x1 =6\n  from f:3 x1 =0\n  to f:2 x1 =6\n  to f:3 x1 =0\n"
     "header: creator: callgrind-3.19.0\nheader: events: Ir\nheader: summary: 7\n"},
    /*
     * run switched instrumentation off in its first level, and on in its second, which is not part of it then. No call
     * counts twice, so it costs 12 + 21 + 28 + 10 + 8004.
     */
    {"a_first_level_need_not_include_the_others",
     CALLGRIND "summary: 8075\n"
     "fn=run\n5 12\n" CALL("request", "2", "6", "28")
     "fn=run'2\n5 21\n" CALL("work", "1", "7", "8004") CALL("request", "1", "6", "10")
     "fn=request\n1 38\nfn=work\n2 8004\n",
     "- run line=5 self=33 incl=8075 inv=2\n  to request:6 x3 =38\n  to work:7 x1 =8004\n"
     "- request line=1 self=38 incl=38 inv=3\n  from run:6 x3 =38\n"
     "- work line=2 self=8004 incl=8004 inv=1\n  from run:7 x1 =8004\n"
     CALLGRIND_SHOWN "header: summary: 8075\n"},
    {"only_callgrind_marks_levels",
     "creator: other\nevents: Ir\nsummary: 3\nfn=f\n1 1\nfn=f'2\n1 2\n",
     "- f line=1 self=1 incl=1 inv=1\n"
     "- f'2 line=1 self=2 incl=2 inv=1\n"
     "header: creator: other\nheader: events: Ir\nheader: summary: 3\n"},
    /* The outer main is called by nobody, the inner one by b: entering calls are not all there is. */
    {"what_is_called_within_its_cycle_only_keeps_its_cost",
     "events: Ir\nsummary: 7\n"
     "fn=main\n1 5\n" CALL("b", "1", "2", "6")
     "fn=b\n3 2\n" CALL("main", "1", "4", "4"),
     "- main line=1 self=5 incl=7 inv=1\n  from b:4 x1 =4\n  to b:2 x1 =6\n"
     "- b line=3 self=2 incl=6 inv=1\n  from main:2 x1 =6\n  to main:4 x1 =4\n"
     "header: events: Ir\nheader: summary: 7\n"},
};

static void nothing_counts_twice(void **state)
{
    const struct named_profile *p = *state;
    assert_outermost(p->profile, p->expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_sums_they_stay_rows_of_their_own),
        cmocka_unit_test(without_a_first_level_there_is_nothing_to_fold_into),
        cmocka_unit_test(the_least_of_three_bounds_is_taken),
        cmocka_unit_test(where_levels_are_marked_inclusive_costs_are_exact),
        cmocka_unit_test(in_larger_cycles_the_truth_is_between_the_bounds),
    };
    return RUN_WITH_CASES(tests, nothing_counts_twice, profiles);
}
