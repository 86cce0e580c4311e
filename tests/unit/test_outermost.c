/* SPDX-License-Identifier: MIT */
/*
 * Inclusive costs without what recursion counts twice, from records of invocations. An evaluator
 * that shares nothing with the program ties all records of a random profile to a tree, by the rule
 * in docs/design.md, and steps over proxies in it. Then it goes from each invocation and each call
 * up to the root, and looks at everything above.
 */
#include "preprocessed_file.h"
#include "profiles.h"
#include "support.h"

#include "util/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define START "creator: xdebug 3.2.0\nevents: Time\n"

static struct cg2wg_options outermost(unsigned format)
{
    struct cg2wg_options options = options_to(format);
    options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
    return options;
}

/* ---- by hand ------------------------------------------------------------------------------ */

#define SHOWN(summary) "header: creator: xdebug 3.2.0\nheader: events: Time\nheader: summary: " summary "\n"

static void recursion_counts_once(void **state)
{
    static const char *const proxies[] = {"p"};
    static const struct {
        unsigned format;
        const char *profile, *expected;
    } cases[] = {
        /* f calls f calls f; the outermost costs 7 and is called once from outside. */
        {7,
         "summary: 15\n" RECORD("f", "1", "1") RECORD("f", "1", "2") CALL("f", "3", "1") RECORD("f", "1", "4")
             CALL("f", "3", "3") RECORD("{main}", "9", "8") CALL("f", "10", "7"),
         "- f line=1 self=7 incl=7 inv=3\n  from f:3 x2 =3\n  from {main}:10 x1 =7\n  to f:3 x2 =3\n"
         "- {main} line=9 self=8 incl=15 inv=1\n  to f:10 x1 =7\n" SHOWN("15")},
        /* {main} -> a -> b -> c -> a -> b: the second a and b run inside the first. */
        {7,
         "summary: 63\n" RECORD("b", "2", "1") RECORD("a", "1", "2") CALL("b", "11", "1") RECORD("c", "3", "4")
             CALL("a", "13", "3") RECORD("b", "2", "8") CALL("c", "12", "7") RECORD("a", "1", "16")
                 CALL("b", "11", "15") RECORD("{main}", "9", "32") CALL("a", "10", "31"),
         "- b line=2 self=9 incl=15 inv=2\n  from a:11 x2 =15\n  to c:12 x1 =7\n"
         "- a line=1 self=18 incl=31 inv=2\n  from c:13 x1 =3\n  from {main}:10 x1 =31\n  to b:11 x2 =15\n"
         "- c line=3 self=4 incl=7 inv=1\n  from b:12 x1 =7\n  to a:13 x1 =3\n"
         "- {main} line=9 self=32 incl=63 inv=1\n  to a:10 x1 =31\n" SHOWN("63")},
        /* The second call of f runs inside a call of f from another line, which is another arc. */
        {7,
         "summary: 15\n" RECORD("f", "1", "1") RECORD("f", "1", "2") CALL("f", "5", "1") RECORD("f", "1", "4")
             CALL("f", "3", "3") RECORD("{main}", "9", "8") CALL("f", "10", "7"),
         "- f line=1 self=7 incl=7 inv=3\n  from f:5 x1 =1\n  from f:3 x1 =3\n  from {main}:10 x1 =7\n"
         "  to f:5 x1 =1\n  to f:3 x1 =3\n"
         "- {main} line=9 self=8 incl=15 inv=1\n  to f:10 x1 =7\n" SHOWN("15")},
        /* The invocations of version 4 keep what they cost; the sums of the function are the outermost ones. */
        {4,
         "summary: 15\n" RECORD("f", "1", "1") RECORD("f", "1", "6") CALL("f", "3", "1") RECORD("{main}", "9", "8")
             CALL("f", "10", "7"),
         "- f self=7 incl=7 calls=7 inv=2\n  #0 self=1 incl=1 from f#1:3 =1\n"
         "  #1 self=6 incl=7 from {main}#0:10 =7\n    to f#0:3 =1\n"
         "- {main} self=8 incl=15 calls=0 inv=1\n  #0 self=8 incl=15 from nobody\n    to f#1:10 =7\n" SHOWN("15")},
        /* Two runs: the f of the second does not run inside the f of the first, whose {main} was lost. */
        {7,
         "summary: 3\n" RECORD("f", "1", "1") RECORD("f", "1", "2")
             CALL("f", "3", "1") "==== NEW PROFILING FILE ====\n" START "summary: 4\n" RECORD("f", "1", "4")
                 CALL("f", "3", "9"),
         "- f line=1 self=7 incl=16 inv=3\n  from f:3 x2 =10\n  to f:3 x2 =10\n" SHOWN("3") SHOWN("4")},
        /*
         * f calls the proxy p, which calls p, which calls two: the inner p stays by itself and is what f
         * called. So the second f runs inside the first.
         */
        {7,
         "summary: 26\n" RECORD("g", "1", "1") RECORD("f", "2", "8") RECORD("p", "3", "12") CALL("g", "4", "1")
             CALL("f", "5", "8") RECORD("p", "3", "4") CALL("p", "6", "21") RECORD("f", "2", "1") CALL("p", "7", "25"),
         "- g line=1 self=1 incl=1 inv=1\n  from p:4 x1 =1\n"
         "- f line=2 self=9 incl=22 inv=2\n  from p:5 x1 =8\n  to p:6 x1 =21\n"
         "- p line=3 self=16 incl=25 inv=2\n  from f:6 x1 =21\n  to g:4 x1 =1\n  to f:5 x1 =8\n" SHOWN("26")},
        /* Nobody has claimed the outer p, so it stays by itself; the inner one runs inside of it. */
        {7, "summary: 8\n" RECORD("p", "1", "4") RECORD("p", "1", "4") CALL("p", "305419896", "4"),
         "- p line=1 self=8 incl=8 inv=2\n  from p:305419896 x1 =4\n  to p:305419896 x1 =4\n" SHOWN("8")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char profile[1000];
        struct cg2wg_options options = outermost(cases[i].format);
        options.proxies = proxies;
        options.proxy_count = 1;
        snprintf(profile, sizeof profile, "%s%s", START, cases[i].profile);
        assert_dump(profile, &options, cases[i].expected);
    }
}

/*
 * A run in which a calls b calls a, then one with two recursions of so many invocations each, of which
 * one after the other goes on. Each invocation costs 1 by itself.
 */
static char *make_turns(int count)
{
    char *profile = NULL;
    size_t size;
    FILE *out = open_memstream(&profile, &size);
    fputs(START "summary: 3\n" RECORD("a", "1", "1") RECORD("b", "1", "1") CALL("a", "2", "1")
          RECORD("a", "1", "1") CALL("b", "3", "2") "==== NEW PROFILING FILE ====\n", out);
    fprintf(out, START "summary: %d\n", 2 * count);
    for (int i = 0; i < 2 * count; i++) {
        const char *name = i % 2 == 0 ? "a" : "b";
        fprintf(out, "fn=%s\n1 1\n", name);
        if (i > 1)
            fprintf(out, "cfn=%s\ncalls=1 0 0\n4 %d\n", name, i / 2);
    }
    fclose(out);
    return profile;
}

/* Each record is in the order of its own recursion only. */
static void recursions_may_take_turns(void **state)
{
    int count = 20000;
    struct cg2wg_options options = outermost(7);
    char *profile = make_turns(count), expected[1000];
    struct conversion_result r = convert_text(profile, &options);
    snprintf(expected, sizeof expected,
             "- a line=1 self=%d incl=%d inv=%d\n  from b:2 x1 =1\n  from a:4 x%d =%d\n"
             "  to b:3 x1 =2\n  to a:4 x%d =%d\n"
             "- b line=1 self=%d incl=%d inv=%d\n  from a:3 x1 =2\n  from b:4 x%d =%d\n"
             "  to a:2 x1 =1\n  to b:4 x%d =%d\n",
             count + 2, count + 3, count + 2, count - 1, count - 1, count - 1, count - 1, count + 1, count + 2,
             count + 1, count - 1, count - 1, count - 1, count - 1);
    assert_string_equal(r.messages, "");
    *strstr(r.dump, "header: ") = '\0';
    assert_string_equal(r.dump, expected);
    conversion_free(&r);
    free(profile);
}

/* ---- random profiles ---------------------------------------------------------------------- */

enum { MAX_RECORDS = 400, MAX_ROOTS = 3, MAX_CALLS = 6, MAX_FUNCTIONS = 8, MAX_LINES = 3, NOWHERE = -1 };

struct made_call {
    int callee, line;
    int64_t cost;
    int made; /* the invocation that it made; NOWHERE: its record is missing */
};

struct made_record {
    int function, run;
    int64_t self;
    struct made_call calls[MAX_CALLS];
    int call_count;
    int caller, caller_call; /* the record and the number of its call that made this; or NOWHERE */
    bool stays; /* a proxy: it did not make exactly one call */
    int left_to; /* a proxy that was stepped over: the record that took its call; or NOWHERE */
};

struct made_records {
    struct made_record all[MAX_RECORDS];
    int count, limit;
    int functions;
    unsigned proxies; /* bit set */
    unsigned callees[MAX_FUNCTIONS]; /* bit sets: whom a function may call */
    uint64_t random;
};

static int pick(struct made_records *r, int bound)
{
    return (int)random_below(&r->random, (uint32_t)bound);
}

/*
 * Who may call whom: everybody all, then all are in one cycle; or each a few, then there are several
 * cycles, functions between them, and functions that are in none.
 */
static void choose_callees(struct made_records *r)
{
    unsigned all = (1u << r->functions) - 1;
    bool is_dense = pick(r, 3) == 0;
    for (int f = 0; f < r->functions; f++) {
        r->callees[f] = is_dense ? all : 0;
        for (int n = is_dense ? 0 : pick(r, 4); n > 0; n--)
            r->callees[f] |= 1u << pick(r, r->functions);
    }
}

/* A function that `caller` may call; there must be one. */
static int pick_callee(struct made_records *r, int caller)
{
    int callee;
    do
        callee = pick(r, r->functions);
    while ((r->callees[caller] >> callee & 1) == 0);
    return callee;
}

/* A random invocation with all that it calls; returns its inclusive cost. */
static int64_t grow(struct made_records *r, int function, int run, int depth)
{
    struct made_record v = {.function = function, .run = run, .self = pick(r, 20)};
    int64_t inclusive = v.self;
    int wanted = depth > 0 && r->callees[function] != 0 ? pick(r, MAX_CALLS) : 0;
    for (int i = 0; i < wanted && r->count < r->limit; i++) {
        int callee = pick_callee(r, function);
        int64_t cost = grow(r, callee, run, depth - 1);
        v.calls[v.call_count++] = (struct made_call){callee, 1 + pick(r, MAX_LINES), cost, NOWHERE};
        inclusive += cost;
    }
    r->all[r->count++] = v;
    return inclusive;
}

static void drop_record(struct made_records *r, int which)
{
    memmove(&r->all[which], &r->all[which + 1], (size_t)(r->count - which - 1) * sizeof r->all[0]);
    r->count--;
}

/* Mixes the records of trees that begin at next[0], next[1] ...: each tree keeps its order. */
static void interleave(struct made_records *r, int *next, int trees)
{
    static struct made_record mixed[MAX_RECORDS];
    int end[MAX_ROOTS], first = next[0], n = 0;
    for (int i = 0; i < trees; i++)
        end[i] = i + 1 < trees ? next[i + 1] : r->count;
    while (n < r->count - first) {
        int tree = pick(r, trees);
        if (next[tree] < end[tree])
            mixed[n++] = r->all[next[tree]++];
    }
    memcpy(&r->all[first], mixed, (size_t)n * sizeof mixed[0]);
}

enum flaws { MISSING = 1, INTERLEAVED = 2, RUBBISH = 4, PROXIES = 8 };

/* Records that make no sense: any calls, at any cost. */
static void make_rubbish(struct made_records *r)
{
    r->count = 1 + pick(r, 40);
    for (int i = 0; i < r->count; i++) {
        struct made_record *v = &r->all[i];
        *v = (struct made_record){.function = pick(r, r->functions), .self = pick(r, 20)};
        if (r->callees[v->function] != 0)
            v->call_count = pick(r, MAX_CALLS + 1);
        for (int c = 0; c < v->call_count; c++)
            v->calls[c] = (struct made_call){pick_callee(r, v->function),
                                             1 + pick(r, MAX_LINES), pick(r, 100), NOWHERE};
    }
}

static void make_records(struct made_records *r, unsigned flaws)
{
    r->count = 0;
    r->limit = 1 + (pick(r, 2) == 0 ? pick(r, 8) : pick(r, MAX_RECORDS / 2));
    r->functions = 1 + pick(r, MAX_FUNCTIONS);
    choose_callees(r);
    r->proxies = 0;
    if ((flaws & PROXIES) != 0)
        r->proxies = (unsigned)pick(r, 1 << r->functions);
    if ((flaws & RUBBISH) != 0) {
        make_rubbish(r);
        return;
    }
    int runs = 1 + pick(r, 3);
    for (int run = 0; run < runs; run++) {
        int first[MAX_ROOTS], roots = 1 + pick(r, MAX_ROOTS), grown = 0;
        while (grown < roots && r->count < r->limit) {
            first[grown++] = r->count;
            grow(r, pick(r, r->functions), run, 1 + pick(r, 9));
        }
        if ((flaws & INTERLEAVED) != 0 && grown > 1)
            interleave(r, first, grown);
    }
    if ((flaws & MISSING) != 0)
        for (int lost = pick(r, 1 + r->count / 4); lost > 0 && r->count > 1; lost--)
            drop_record(r, pick(r, r->count));
}

/* As Xdebug writes it, with aliases, or just the name. */
static void print_function(FILE *out, const char *prefix, int function, bool is_by_xdebug, unsigned *known)
{
    bool is_known = (*known & 1u << function) != 0;
    if (!is_by_xdebug)
        fprintf(out, "%sfn=f%d\n", prefix, function);
    else if (is_known)
        fprintf(out, "%sfl=(1)\n%sfn=(%d)\n", prefix, prefix, function);
    else
        fprintf(out, "%sfl=(1) a.php\n%sfn=(%d) f%d\n", prefix, prefix, function, function);
    *known |= 1u << function;
}

/* Every other profile as Xdebug does, so that records are added up. */
static void print_records(FILE *out, const struct made_records *r)
{
    int run = -1;
    unsigned known = 0;
    bool is_by_xdebug = r->count % 2 == 0;
    for (int i = 0; i < r->count; i++) {
        const struct made_record *v = &r->all[i];
        if (v->run != run) {
            fprintf(out, "%s" START "summary: 1\n", ftello(out) == 0 ? "" : "\n==== NEW PROFILING FILE ====\n");
            known = 0;
        }
        run = v->run;
        fputs(is_by_xdebug ? "\n" : "", out);
        print_function(out, "", v->function, is_by_xdebug, &known);
        fprintf(out, "1 %" PRId64 "\n", v->self);
        for (int c = 0; c < v->call_count; c++) {
            print_function(out, "c", v->calls[c].callee, is_by_xdebug, &known);
            fprintf(out, "calls=1 0 0\n%d %" PRId64 "\n", v->calls[c].line, v->calls[c].cost);
        }
    }
}

/* ---- the evaluator ------------------------------------------------------------------------ */

static bool is_proxy(const struct made_records *r, int function)
{
    return (r->proxies >> function & 1) != 0;
}

/* The newest invocation of `function` before `end`, in the same run, that nobody has claimed. */
static int newest_unclaimed(const struct made_records *r, const bool *claimed, int end, int function)
{
    for (int i = end - 1; i >= 0 && r->all[i].run == r->all[end].run; i--)
        if (r->all[i].function == function && !claimed[i])
            return i;
    return NOWHERE;
}

/* The k calls of a record to g are the last k unclaimed invocations of g, in the same order. */
static void tie(struct made_records *r)
{
    static bool claimed[MAX_RECORDS];
    memset(claimed, 0, sizeof claimed);
    for (int i = 0; i < r->count; i++) {
        struct made_record *v = &r->all[i];
        v->stays = v->call_count != 1;
        v->left_to = NOWHERE;
        for (int c = v->call_count - 1; c >= 0; c--) {
            v->calls[c].made = newest_unclaimed(r, claimed, i, v->calls[c].callee);
            if (v->calls[c].made != NOWHERE)
                claimed[v->calls[c].made] = true;
        }
        /* In the place of a proxy that made one call comes that call; the proxy is left without. */
        for (int c = 0; c < v->call_count; c++) {
            int made = v->calls[c].made;
            if (made == NOWHERE || !is_proxy(r, r->all[made].function) || r->all[made].stays)
                continue;
            v->calls[c] = r->all[made].calls[0];
            r->all[made].call_count = 0;
            r->all[made].left_to = i;
        }
    }
    for (int i = 0; i < r->count; i++)
        r->all[i].caller = NOWHERE;
    for (int i = 0; i < r->count; i++)
        for (int c = 0; c < r->all[i].call_count; c++)
            if (r->all[i].calls[c].made != NOWHERE) {
                r->all[r->all[i].calls[c].made].caller = i;
                r->all[r->all[i].calls[c].made].caller_call = c;
            }
}

struct arc_sum {
    uint64_t count;
    int64_t cost;
};

struct sums {
    bool has_record[MAX_FUNCTIONS];
    int64_t self[MAX_FUNCTIONS], inclusive[MAX_FUNCTIONS], calls[MAX_FUNCTIONS];
    uint64_t records[MAX_FUNCTIONS], called[MAX_FUNCTIONS];
    struct arc_sum arcs[MAX_FUNCTIONS][MAX_FUNCTIONS][MAX_LINES + 1];
};

static bool runs_inside(const struct made_records *r, int invocation, int function)
{
    for (int i = invocation; i != NOWHERE; i = r->all[i].caller)
        if (r->all[i].function == function)
            return true;
    return false;
}

static bool call_runs_inside(const struct made_records *r, int invocation, const struct made_call *call)
{
    for (int i = invocation; r->all[i].caller != NOWHERE; i = r->all[i].caller) {
        const struct made_record *caller = &r->all[r->all[i].caller];
        const struct made_call *above = &caller->calls[r->all[i].caller_call];
        if (caller->function == r->all[invocation].function && above->callee == call->callee &&
            above->line == call->line)
            return true;
    }
    return false;
}

/*
 * Of a proxy's invocation that was stepped over only its self cost is left, which is no part of what
 * the record that it was left to takes, but of what every invocation above that one takes.
 */
static bool stands_apart(const struct made_records *r, const struct made_record *v)
{
    int above = v->left_to;
    while (r->all[above].left_to != NOWHERE)
        above = r->all[above].left_to;
    return r->all[above].caller == NOWHERE || !runs_inside(r, r->all[above].caller, v->function);
}

static void evaluate(struct made_records *r, struct sums *s)
{
    memset(s, 0, sizeof *s);
    tie(r);
    for (int i = 0; i < r->count; i++) {
        const struct made_record *v = &r->all[i];
        int64_t inclusive = v->self;
        s->has_record[v->function] = true;
        s->records[v->function]++;
        s->self[v->function] += v->self;
        for (int c = 0; c < v->call_count; c++) {
            const struct made_call *call = &v->calls[c];
            struct arc_sum *arc = &s->arcs[v->function][call->callee][call->line];
            inclusive += call->cost;
            arc->count++;
            s->called[call->callee]++;
            if (!call_runs_inside(r, i, call))
                arc->cost += call->cost;
            if (!runs_inside(r, i, call->callee))
                s->calls[call->callee] += call->cost;
        }
        if (v->left_to != NOWHERE ? stands_apart(r, v)
                               : v->caller == NOWHERE || !runs_inside(r, v->caller, v->function))
            s->inclusive[v->function] += inclusive;
    }
    for (int f = 0; f < r->functions; f++) {
        if (!s->has_record[f]) {
            s->inclusive[f] = s->calls[f];
            s->records[f] = s->called[f];
        }
    }
}

/* ---- calling contexts --------------------------------------------------------------------- */

/* All invocations of a function along one path of callers. */
struct made_context {
    int function, parent; /* a context, or NOWHERE */
    int64_t self, inclusive;
    uint64_t calls;
};

struct made_contexts {
    struct made_context all[2 * MAX_RECORDS];
    int count;
};

static int context_of(struct made_contexts *c, int parent, int function)
{
    for (int i = 0; i < c->count; i++)
        if (c->all[i].parent == parent && c->all[i].function == function)
            return i;
    c->all[c->count] = (struct made_context){.function = function, .parent = parent};
    return c->count++;
}

/* Of tied records. A caller's record comes after those that it called. */
static void collect_contexts(const struct made_records *r, struct made_contexts *c)
{
    static int of_record[MAX_RECORDS];
    c->count = 0;
    for (int i = r->count - 1; i >= 0; i--) {
        const struct made_record *v = &r->all[i];
        of_record[i] = context_of(c, v->caller == NOWHERE ? NOWHERE : of_record[v->caller], v->function);
        struct made_context *context = &c->all[of_record[i]];
        context->self += v->self;
        context->inclusive += v->self;
        for (int call = 0; call < v->call_count; call++)
            context->inclusive += v->calls[call].cost;
        context->calls++;
    }
}

/* ---- the comparison ----------------------------------------------------------------------- */

static void compare(const char *what, int64_t found, int64_t expected, const char *profile, unsigned proxies)
{
    if (found != expected)
        fail_msg("found %s %" PRId64 ", expected %" PRId64 ", proxies %x, in\n%s", what, found, expected, proxies,
                 profile);
}

static void compare_function(const struct preprocessed *p, uint32_t number, const struct sums *s,
                             const char *profile, unsigned proxies)
{
    struct preprocessed_function f = preprocessed_function(p, number);
    int n = digit_of(p, number);
    char what[64];
    snprintf(what, sizeof what, "version %" PRIu32 ", f%d:", p->version, n);
    size_t end = strlen(what);
#define COMPARE(name, found, expected)                          \
    snprintf(what + end, sizeof what - end, " %s", name);       \
    compare(what, (int64_t)(found), (int64_t)(expected), profile, proxies)
    COMPARE("self", f.self, s->self[n]);
    COMPARE("inclusive", f.inclusive, s->inclusive[n]);
    if (p->version == 4) {
        COMPARE("calls", f.call_cost, s->calls[n]);
        return;
    }
    COMPARE("invocations", f.invocations, s->records[n]);
    uint32_t arcs = 0;
    for (int caller = 0; caller < MAX_FUNCTIONS; caller++)
        for (int line = 0; line <= MAX_LINES; line++)
            arcs += s->arcs[caller][n][line].count > 0;
    COMPARE("callers", f.called_from_count, arcs);
    for (uint32_t i = 0; i < f.called_from_count; i++) {
        struct stored_call call = preprocessed_call(p, f.called_from_at, i);
        const struct arc_sum *arc = &s->arcs[digit_of(p, call.function)][n][call.line];
        COMPARE("calls of an arc", call.count, arc->count);
        COMPARE("cost of an arc", call.cost, arc->cost);
    }
#undef COMPARE
}

/* What calling contexts are compared with. */
struct expected_contexts {
    const struct made_records *records;
    struct made_contexts contexts;
    int times;
    const char *profile;
};

static void compare_contexts(void *user, const struct cg2wg_profile *stacks)
{
    struct expected_contexts *expected = user;
    struct made_contexts *c = &expected->contexts;
    int of_context[MAX_RECORDS];
    unsigned proxies = expected->records->proxies;
    collect_contexts(expected->records, c);
    compare("contexts", (int64_t)stacks->context_count, c->count, expected->profile, proxies);
    for (size_t i = 0; i < stacks->context_count; i++) {
        const struct cg2wg_context *found = &stacks->contexts[i];
        int function = stacks->functions[found->function].name.at[1] - '0';
        bool is_root = found->parent == CG2WG_NO_CONTEXT;
        assert_true(is_root || found->parent < i);
        of_context[i] = context_of(c, is_root ? NOWHERE : of_context[found->parent], function);
        struct made_context *of = &c->all[of_context[i]];
        compare("self of a context", found->self, of->self * expected->times, expected->profile, proxies);
        compare("inclusive of a context", found->inclusive, of->inclusive * expected->times,
                expected->profile, proxies);
        compare("calls of a context", (int64_t)found->calls, (int64_t)of->calls * expected->times,
                expected->profile, proxies);
    }
    compare("other contexts", c->count, (int64_t)stacks->context_count, expected->profile, proxies);
}

/* What the same runs come to if there are so many more of them. */
static void multiply(struct sums *s, int times)
{
    for (int f = 0; f < MAX_FUNCTIONS; f++) {
        s->self[f] *= times;
        s->inclusive[f] *= times;
        s->calls[f] *= times;
        s->records[f] *= (unsigned)times;
        for (int callee = 0; callee < MAX_FUNCTIONS; callee++) {
            for (int line = 0; line <= MAX_LINES; line++) {
                s->arcs[f][callee][line].count *= (unsigned)times;
                s->arcs[f][callee][line].cost *= times;
            }
        }
    }
}

/*
 * Of a profile that has the given records so many times. The calling contexts of version 4, which another part of the
 * program has tied, are the same ones if no record is missing.
 */
static void check_repeated(const struct made_records *given, int times, unsigned format, bool is_complete)
{
    static const char *const names[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7"};
    static struct made_records r;
    static struct sums expected;
    const char *proxies[MAX_FUNCTIONS];
    struct cg2wg_options options = outermost(format);
    struct diag diag = {.report = NULL};
    struct preprocessed p;
    char *profile = NULL;
    size_t size;
    char *input = scratch_path("profile"), *output = scratch_path("output");

    r = *given;
    FILE *out = open_memstream(&profile, &size);
    for (int i = 0; i < times; i++)
        print_records(out, &r);
    fclose(out);
    write_file(input, profile, size);
    evaluate(&r, &expected);
    multiply(&expected, times);

    options.proxies = proxies;
    for (int f = 0; f < r.functions; f++)
        if (is_proxy(&r, f))
            proxies[options.proxy_count++] = names[f];
    if (cg2wg_convert(input, output, &options, NULL) != CG2WG_OK || !preprocessed_read(&p, output, &diag))
        fail_msg("no output for\n%s", profile);
    struct expected_contexts contexts = {.records = &r, .times = times, .profile = profile};
    if (cg2wg_read(input, &options, CG2WG_WANTS_CONTEXTS, compare_contexts, &contexts) != CG2WG_OK)
        fail_msg("no stacks for\n%s", profile);
    struct cg2wg_options plain = default_options();
    if (format == 4 && is_complete &&
        cg2wg_read(output, &plain, CG2WG_WANTS_CONTEXTS, compare_contexts, &contexts) != CG2WG_OK)
        fail_msg("no stacks of version 4 for\n%s", profile);
    for (uint32_t i = 0; i < p.function_count; i++)
        compare_function(&p, i, &expected, profile, r.proxies);
    preprocessed_free(&p);
    free(profile);
    free(input);
    free(output);
}

/* Numbers of functions and arcs with up to three digits in the log. */
static void each_of_many_functions_counts_once(void **state)
{
    enum { FUNCTIONS = 70000 };
    struct cg2wg_options options = outermost(7);
    struct diag diag = {.report = NULL};
    struct preprocessed p;
    char *input = scratch_path("profile"), *output = scratch_path("output");
    FILE *out = fopen(input, "wb");
    fputs(START "summary: 1\n", out);
    for (int i = 0; i < FUNCTIONS; i++)
        fprintf(out, "fn=f%d\n1 %d\nfn=f%d\n1 2\ncfn=f%d\ncalls=1 0 0\n3 %d\n", i, i, i, i, i);
    fclose(out);
    assert_int_equal(cg2wg_convert(input, output, &options, NULL), CG2WG_OK);
    assert_true(preprocessed_read(&p, output, &diag));
    assert_int_equal(p.function_count, FUNCTIONS);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        assert_int_equal(preprocessed_function(&p, i).inclusive, i + 2); /* not 2 * i + 2 */
    preprocessed_free(&p);
    free(input);
    free(output);
}

/* More records than a chunk of the log holds. */
static void many_runs_add_up(void **state)
{
    static const unsigned flaws[] = {0, MISSING, INTERLEAVED, PROXIES};
    static struct made_records r;
    r.random = 11;
    for (int i = 0; i < (is_watched() ? 4 : 24); i++) {
        do
            make_records(&r, flaws[i % 4]);
        while (r.count < 150);
        check_repeated(&r, 100 + i, 7, true);
    }
    check_repeated(&r, is_watched() ? 400 : 7000, 7, true);
}

static void random_profiles_agree(void **state)
{
    static const struct {
        unsigned flaws;
        int times;
    } cases[] = {{0, 1000}, {MISSING, 1000}, {INTERLEAVED, 1000}, {INTERLEAVED | MISSING, 1000}, {RUBBISH, 1000},
                 {PROXIES, 1000}, {PROXIES | INTERLEAVED, 700}, {PROXIES | MISSING, 700}};
    static struct made_records r;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        r.random = c + 1;
        for (int i = 0; i < (is_watched() ? cases[c].times / 8 : cases[c].times); i++) {
            make_records(&r, cases[c].flaws);
            check_repeated(&r, 1, i % 4 == 0 ? 4 : 7, false);
        }
    }
}

/* Records that are all there: version 4 does not say which are missing. */
static void the_invocations_of_version_4_agree(void **state)
{
    static const unsigned flaws[] = {0, INTERLEAVED, PROXIES, PROXIES | INTERLEAVED};
    static struct made_records r;
    r.random = 10;
    for (int i = 0; i < (is_watched() ? 100 : 800); i++) {
        make_records(&r, flaws[i % 4]);
        check_repeated(&r, 1, 4, true);
    }
}

/* ---- memory ------------------------------------------------------------------------------- */

/*
 * Calls of f by {main} from two lines by turns, many in each of many records; the first f calls another f. Returns how
 * long the profile is.
 */
static long write_many_calls(FILE *out, long calls)
{
    enum { CALLS_OF_RECORD = 1000 };
    fputs(START "summary: 1\nfl=(1) a.php\nfn=(1) f\n5 1\nfn=(1)\n5 1\n" CALL("(1)", "6", "1"), out);
    fputs("fn=(2) {main}\n1 1\n" CALL("(1)", "7", "2"), out);
    for (long i = 1; i < calls; i += CALLS_OF_RECORD) {
        long count = calls - i < CALLS_OF_RECORD ? calls - i : CALLS_OF_RECORD;
        for (long j = 0; j < count; j++)
            fputs("fn=(1)\n5 1\n", out);
        fputs("fn=(2)\n1 1\n", out);
        for (long j = 0; j < count; j++)
            fputs((i + j) % 2 == 0 ? CALL("(1)", "7", "1") : CALL("(1)", "8", "1"), out);
    }
    return calls * (long)strlen("fn=(1)\n5 1\n" CALL("(1)", "7", "1"));
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Three contexts: {main}, f, and an f in that. */
static void take_contexts(void *user, const struct cg2wg_profile *stacks)
{
    const struct cg2wg_context *c = stacks->contexts;
    long calls = *(const long *)user;
    if (stacks->context_count != 3 || c[1].parent != 0 || c[1].calls != (uint64_t)calls || c[1].self != calls ||
        c[2].parent != 1 || c[2].calls != 1 || c[2].self != 1)
        _exit(4);
}

/* In a process of its own; its exit status says what was wrong. */
static void convert_many_calls(FILE *in, const char *output, long calls, long limit_kib)
{
    struct cg2wg_options options = outermost(7);
    options.threads = 1; /* each other one has blocks of its own */
    if (dup2(fileno(in), STDIN_FILENO) < 0)
        _exit(3);
    long before = peak_kib();
    if ((output != NULL ? cg2wg_convert("-", output, &options, NULL)
                        : cg2wg_read("-", &options, CG2WG_WANTS_CONTEXTS, take_contexts, &calls)) != CG2WG_OK)
        _exit(2);
    _exit(!is_watched() && peak_kib() - before > limit_kib ? 1 : 0);
}

/* From a pipe, which cannot be read twice. NULL: to stacks */
static void check_memory(const char *output, long calls)
{
    int ends[2], status;
    FILE *none = fopen("/dev/null", "wb");
    long size = write_many_calls(none, calls);
    fclose(none);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        convert_many_calls(fdopen(ends[0], "rb"), output, calls, size / 6 / 1024);
    }
    assert_true(child > 0);
    close(ends[0]);
    FILE *to_child = fdopen(ends[1], "wb");
    write_many_calls(to_child, calls);
    fclose(to_child);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 1)
        fail_msg("%ld calls took more than a sixth of the input's %ld bytes", calls, size);
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void memory_is_at_most_a_sixth_of_the_input(void **state)
{
    long calls = is_watched() ? 200000 : 2000000;
    char *output = scratch_path("output");
    check_memory(output, calls);
    check_memory(NULL, calls);
    char *dump = dump_preprocessed(output), expected[300];
    snprintf(expected, sizeof expected, "- a.php f line=5 self=%ld incl=%ld inv=%ld\n"
             "  from f:6 x1 =1\n  from {main}:7 x%ld =%ld\n  from {main}:8 x%ld =%ld\n",
             calls + 1, calls + 1, calls + 1, calls / 2, calls / 2 + 1, calls / 2, calls / 2);
    assert_non_null(strstr(dump, expected + 2));
    free(dump);
    free(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recursion_counts_once),
        cmocka_unit_test(recursions_may_take_turns),
        cmocka_unit_test(random_profiles_agree),
        cmocka_unit_test(the_invocations_of_version_4_agree),
        cmocka_unit_test(each_of_many_functions_counts_once),
        cmocka_unit_test(many_runs_add_up),
        cmocka_unit_test(memory_is_at_most_a_sixth_of_the_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
