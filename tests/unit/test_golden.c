/* SPDX-License-Identifier: MIT */
/*
 * Conversions of the real profiles in testdata/. testdata/golden.txt lists them with their checks;
 * testdata/README.md says where profiles and expectations come from.
 *
 * Every profile is written in all versions, read back and compared between them. The other checks:
 *
 *   webgrind4 to webgrind7   the output is byte for byte PROFILE.webgrindN, webgrind's own
 *   expected                 the figures are those of PROFILE.expected
 *   proxy7, proxy-expected   the same with the functions of PROFILE.proxies stepped over, against
 *                            PROFILE.proxy.webgrind7 and PROFILE.proxy.expected
 *   pattern7                 as proxy7, with patterns for the proxies' names from Xdebug 2.2.4 on
 *   tied                     in version 4, each call costs what the invocation it is tied to costs
 *   sums                     a profile of sums: version 4 has one invocation per function
 *   contexts                 a report of aprof: version 4 has one invocation per calling context, and
 *                            inclusive costs are those of the report, not self costs and calls
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "testdata/"

/* ---- text --------------------------------------------------------------------------------- */

static char *joined(const char *first, const char *second)
{
    char *both = malloc(strlen(first) + strlen(second) + 1);
    strcpy(both, first);
    return strcat(both, second);
}

static char *text_copy(struct text t)
{
    size_t length = (size_t)(t.end - t.at);
    char *copy = malloc(length + 1);
    memcpy(copy, t.at, length);
    copy[length] = '\0';
    return copy;
}

/* Takes the next field off *rest; `separator`, which parts the fields, becomes a NUL. */
static char *next_field(char **rest, char separator)
{
    char *field = *rest;
    if (field == NULL)
        return NULL;
    char *end = strchr(field, separator);
    if (end != NULL)
        *end++ = '\0';
    *rest = end;
    return field;
}

/* ---- preprocessed files ------------------------------------------------------------------- */

static void show_message(void *user, const struct cg2wg_message *message)
{
    print_error("%s: %s\n", (const char *)user, message->text);
}

static struct preprocessed read_preprocessed(const char *path)
{
    struct preprocessed p;
    struct diag diag = {.report = show_message, .user = (void *)path, .input = path};
    if (!preprocessed_read(&p, path, &diag))
        fail_msg("%s is not a whole preprocessed file", path);
    return p;
}

/* A profile, converted. */
struct conversion {
    char *label; /* "PROFILE as version N" */
    char *path;
    struct preprocessed p;
};

static struct conversion convert(const char *profile, unsigned version, const char *const *proxies, size_t proxy_count)
{
    char name[32];
    struct cg2wg_options options = default_options();
    options.demangle = CG2WG_DEMANGLE_NEVER; /* what is expected has the names of the input */
    options.format = version;
    options.proxies = proxies;
    options.proxy_count = proxy_count;
    if (text_ends(text_of_string(profile), ".data"))
        options.samples.root = FOLDER "perf/symfs";

    struct conversion_result result = convert_file(profile, &options);
    if (result.status != CG2WG_OK)
        fail_msg("%s: not converted to version %u: %s", profile, version, result.messages);
    struct conversion c = {.label = malloc(strlen(profile) + 64)};
    sprintf(c.label, "%s as version %u%s", profile, version, proxy_count > 0 ? " with proxies" : "");
    snprintf(name, sizeof name, "golden%u", version);
    c.path = scratch_path(name);
    write_file(c.path, result.bytes, result.size);
    conversion_free(&result);
    c.p = read_preprocessed(c.path);
    return c;
}

static void conversion_end(struct conversion *c)
{
    preprocessed_free(&c->p);
    unlink(c->path);
    free(c->path);
    free(c->label);
}

/* ---- byte for byte ------------------------------------------------------------------------ */

/* Fails, showing the first line in which the contents of two files differ. */
static void fail_with_difference(const char *label, const char *path, const char *golden)
{
    char *found = dump_preprocessed(path), *expected = dump_preprocessed(golden);
    char *found_rest = found, *expected_rest = expected;
    for (unsigned line = 1;; line++) {
        char *f = next_field(&found_rest, '\n'), *e = next_field(&expected_rest, '\n');
        if (f == NULL && e == NULL)
            fail_msg("%s: the bytes differ from %s, their meaning does not", label, golden);
        if (f == NULL || e == NULL || strcmp(f, e) != 0)
            fail_msg("%s: differs from %s in line %u of what they hold:\n  found    %s\n  expected %s", label, golden,
                     line, f != NULL ? f : "(end)", e != NULL ? e : "(end)");
    }
}

static void check_bytes(const struct conversion *c, const char *golden)
{
    size_t size;
    char *expected = read_file(golden, &size);
    if (size != c->p.size || memcmp(expected, c->p.bytes, size) != 0)
        fail_with_difference(c->label, c->path, golden);
    free(expected);
}

/* ---- figures ------------------------------------------------------------------------------ */

/* Figures of .expected, or of the result, for a function or for all calls of one by another. */
struct figures {
    char *key; /* "FILE\tNAME", for calls "FILE\tCALLER\tFILE\tCALLEE" */
    bool is_call;
    unsigned rows; /* functions of the file that are summed here */
    unsigned terms; /* numbers of the file that are */
    uint64_t count, cost, inclusive;
    bool any_inclusive; /* .expected does not know it */
    bool seen;
};

struct table {
    struct figures *rows;
    size_t count;
    double total;                 /* below 0: not known */
    uint64_t multiplier, divisor; /* from the profile's unit to the file's */
};

static struct figures *table_row(struct table *t, const char *key, bool is_call)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i].is_call == is_call && strcmp(t->rows[i].key, key) == 0)
            return &t->rows[i];
    return NULL;
}

static struct figures *table_add(struct table *t, const char *key, bool is_call)
{
    struct figures *row = table_row(t, key, is_call);
    if (row != NULL)
        return row;
    t->rows = realloc(t->rows, (t->count + 1) * sizeof *t->rows);
    row = &t->rows[t->count++];
    *row = (struct figures){.key = strdup(key), .is_call = is_call};
    return row;
}

static void table_free(struct table *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->rows[i].key);
    free(t->rows);
}

static uint64_t number(const char *path, const char *field)
{
    char *end;
    uint64_t value = field != NULL ? strtoull(field, &end, 10) : 0;
    if (field == NULL || end == field || *end != '\0')
        fail_msg("%s: found \"%s\", expected a number", path, field != NULL ? field : "");
    return value;
}

/* The lines of .expected are described in testdata/README.md. */
static struct table read_expected(const char *path)
{
    struct table t = {.total = -1, .multiplier = 1, .divisor = 1};
    char *text = read_file(path, NULL), *rest = text;
    for (char *line; (line = next_field(&rest, '\n')) != NULL;) {
        if (*line == '\0' || *line == '#')
            continue;
        char *kind = next_field(&line, '\t');
        if (strcmp(kind, "total") == 0) {
            t.total = (double)number(path, line);
            continue;
        }
        if (strcmp(kind, "unit") == 0) {
            t.multiplier = number(path, next_field(&line, '\t'));
            t.divisor = number(path, line);
            continue;
        }
        struct figures f = {.is_call = strcmp(kind, "call") == 0};
        f.count = number(path, next_field(&line, '\t'));
        f.cost = number(path, next_field(&line, '\t'));
        if (!f.is_call) {
            char *inclusive = next_field(&line, '\t');
            f.any_inclusive = strcmp(inclusive, "-") == 0;
            f.inclusive = f.any_inclusive ? 0 : number(path, inclusive);
        }
        struct figures *row = table_add(&t, line, f.is_call);
        f.key = row->key;
        *row = f;
    }
    free(text);
    return t;
}

/* "FILE\tNAME", or "*\tNAME" where `expected` has sums over all files. */
static char *function_key(const struct preprocessed *p, uint32_t function, struct table *expected)
{
    struct preprocessed_function f = preprocessed_function(p, function);
    char *file = text_copy(f.file), *name = text_copy(f.name);
    char *tabbed = joined("\t", name), *any = joined("*", tabbed), *key = joined(file, tabbed);
    bool anywhere = table_row(expected, any, false) != NULL;
    for (size_t i = 0; i < expected->count && !anywhere; i++) {
        const char *found = expected->rows[i].is_call ? strstr(expected->rows[i].key, any) : NULL;
        anywhere = found != NULL && (found == expected->rows[i].key || found[-1] == '\t') &&
                   (found[strlen(any)] == '\t' || found[strlen(any)] == '\0');
    }
    free(file);
    free(name);
    free(tabbed);
    free(anywhere ? key : any);
    return anywhere ? any : key;
}

static struct table found_figures(const struct preprocessed *p, struct table *expected)
{
    struct table t = {.rows = NULL};
    char **keys = malloc(p->function_count * sizeof *keys);
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        keys[i] = function_key(p, i, expected);
        struct figures *row = table_add(&t, keys[i], false);
        row->rows++;
        row->terms++;
        row->count += f.invocations;
        row->cost += f.self;
        row->inclusive += f.inclusive;
    }
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        for (uint32_t j = 0; j < f.sub_call_count; j++) {
            struct stored_call call = preprocessed_call(p, f.sub_calls_at, j);
            char *from = joined(keys[i], "\t"), *key = joined(from, keys[call.function]);
            struct figures *row = table_add(&t, key, true);
            row->terms++;
            row->count += call.count;
            row->cost += call.cost;
            free(from);
            free(key);
        }
    }
    for (uint32_t i = 0; i < p->function_count; i++)
        free(keys[i]);
    free(keys);
    return t;
}

/* Is it the sum of so many numbers in the profile's unit, each of which has been rounded? */
static bool is_sum(uint64_t found, uint64_t expected, unsigned terms, const struct table *t)
{
    uint64_t a = found * t->divisor, b = expected * t->multiplier;
    return 2 * (a > b ? a - b : b - a) <= (t->divisor > 1 ? terms * t->divisor : 0);
}

static void check_row(const char *label, const struct figures *found,
                      const struct figures *expected, const struct table *t)
{
    const char *what = expected->is_call ? "calls of " : "";
    if (found == NULL)
        fail_msg("%s: no %s%s", label, what, expected->key);
    if (!is_sum(found->cost, expected->cost, found->terms, t))
        fail_msg("%s: %s%s: found cost %" PRIu64 ", expected %" PRIu64, label, what, expected->key,
                 found->cost, expected->cost);
    if (found->count != expected->count && found->rows <= 1)
        fail_msg("%s: %s%s: found count %" PRIu64 ", expected %" PRIu64, label, what, expected->key,
                 found->count, expected->count);
    if (!expected->is_call && !expected->any_inclusive &&
        !is_sum(found->inclusive, expected->inclusive, found->terms, t))
        fail_msg("%s: %s: found inclusive cost %" PRIu64 ", expected %" PRIu64, label,
                 expected->key, found->inclusive, expected->inclusive);
}

static void check_figures(const struct conversion *c, const char *path)
{
    struct table expected = read_expected(path);
    struct table found = found_figures(&c->p, &expected);
    assert_true(expected.count > 0);
    for (size_t i = 0; i < expected.count; i++) {
        struct figures *row = table_row(&found, expected.rows[i].key, expected.rows[i].is_call);
        check_row(c->label, row, &expected.rows[i], &expected);
        row->seen = true;
    }
    /* A function that is only called has a row of its own here, without a cost. */
    for (size_t i = 0; i < found.count; i++)
        if (!found.rows[i].seen && (found.rows[i].is_call || found.rows[i].cost > 0))
            fail_msg("%s: found a %s that is not in %s: %s", c->label, found.rows[i].is_call ? "call" : "function",
                     path, found.rows[i].key);
    unsigned runs;
    double found_total = preprocessed_total(&c->p, &runs);
    if (expected.total >= 0 && !is_sum((uint64_t)found_total, (uint64_t)expected.total, runs, &expected))
        fail_msg("%s: found total %.0f, expected %.0f", c->label, found_total, expected.total);
    table_free(&found);
    table_free(&expected);
}

/* ---- between the versions ----------------------------------------------------------------- */

static void check_equal(const char *label, struct text function, const char *what, uint64_t found, uint64_t expected)
{
    if (found != expected) {
        char *name = text_copy(function);
        fail_msg("%s: %s: %s is %" PRIu64 ", expected %" PRIu64, label, name, what, found, expected);
    }
}

static bool same_text(struct text a, struct text b)
{
    return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

/* Calls and costs that two call lists have in common: all of them, or the test fails. */
static void check_calls(const char *label, struct text function, const char *what, const struct preprocessed *p,
                        size_t p_at, uint32_t p_count, const struct preprocessed *q, size_t q_at, uint32_t q_count)
{
    check_equal(label, function, what, p_count, q_count);
    for (uint32_t i = 0; i < p_count; i++) {
        struct stored_call a = preprocessed_call(p, p_at, i), b = preprocessed_call(q, q_at, i);
        check_equal(label, function, "a caller or callee", a.function, b.function);
        check_equal(label, function, "a call's line", a.line, b.line);
        check_equal(label, function, "a call's count", a.count, b.count);
        check_equal(label, function, "a call's cost", a.cost, b.cost);
    }
}

static uint64_t call_costs(const struct preprocessed *p, size_t calls_at, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += preprocessed_call(p, calls_at, i).cost;
    return sum;
}

/*
 * Inclusive cost is self cost and all calls. What is called but has nothing of its own in the
 * profile may show what the calls of it cost instead.
 */
static void check_inclusive(const char *label, const struct preprocessed *p, const struct preprocessed_function *f)
{
    uint64_t expected = f->self + call_costs(p, f->sub_calls_at, f->sub_call_count);
    uint64_t called = call_costs(p, f->called_from_at, f->called_from_count);
    if (expected != 0 || f->inclusive != called)
        check_equal(label, f->name, "inclusive cost", f->inclusive, expected);
}

/* What version 4 says of a function's calls to `callee` from `line`, in sums. */
static uint64_t invocation_calls(const struct preprocessed *p, const struct preprocessed_function *f, uint32_t callee,
                                 uint32_t line, uint64_t *cost)
{
    uint64_t count = 0;
    *cost = 0;
    for (uint32_t i = 0; i < f->invocations; i++) {
        struct stored_invocation v = preprocessed_invocation(p, f->invocations_at, i);
        for (uint32_t j = 0; j < v.sub_call_count; j++) {
            struct stored_call call = preprocessed_call(p, v.sub_calls_at, j);
            if (call.function == callee && call.line == line) {
                count++;
                *cost += call.cost;
            }
        }
    }
    return count;
}

/* Version 4 (p) against version 7 (q). */
static void check_invocations(const struct conversion *c, const struct preprocessed *q, uint32_t number, bool sums)
{
    const struct preprocessed *p = &c->p;
    struct preprocessed_function f = preprocessed_function(p, number), g = preprocessed_function(q, number);
    uint64_t self = 0, inclusive = 0;

    check_equal(c->label, f.name, "the number of invocations", f.invocations, sums ? 1 : g.invocations);
    for (uint32_t i = 0; i < f.invocations; i++) {
        struct stored_invocation v = preprocessed_invocation(p, f.invocations_at, i);
        self += v.self;
        inclusive += v.inclusive;
    }
    check_equal(c->label, f.name, "its invocations' self cost", self, f.self);
    check_equal(c->label, f.name, "its invocations' inclusive cost", inclusive, f.inclusive);
    check_equal(c->label, f.name, "the cost of the calls of it", f.call_cost,
                call_costs(q, g.called_from_at, g.called_from_count));
    for (uint32_t i = 0; i < g.sub_call_count; i++) {
        struct stored_call call = preprocessed_call(q, g.sub_calls_at, i);
        uint64_t cost, count = invocation_calls(p, &f, call.function, call.line, &cost);
        check_equal(c->label, f.name, "the number of calls in one line", count, sums ? 1 : call.count);
        check_equal(c->label, f.name, "the cost of calls in one line", cost, call.cost);
    }
}

/* The next header line that is no summary. */
static bool next_other_header(struct text *rest, struct text *key, struct text *value)
{
    while (preprocessed_next_header(rest, key, value))
        if (!text_equals(*key, "summary"))
            return true;
    return false;
}

/*
 * The same lines as in version 7 (q). Only of several summaries versions 4 and 5 make one, their sum:
 * their readers take the last.
 */
static void check_headers(const char *label, const struct preprocessed *p, const struct preprocessed *q)
{
    struct text p_rest = p->headers, q_rest = q->headers;
    struct text p_key, p_value, q_key, q_value;
    unsigned p_runs, q_runs;
    double p_total = preprocessed_total(p, &p_runs), q_total = preprocessed_total(q, &q_runs);
    bool takes_last = p->version < 6;
    if (!(takes_last && q_runs > 1) && !same_text(p_rest, q_rest))
        fail_msg("%s: the headers are not those of version 7", label);
    if (p_total != q_total || (takes_last && p_runs != 1))
        fail_msg("%s: found %u summaries of %.0f, expected %.0f", label, p_runs, p_total, q_total);
    while (next_other_header(&q_rest, &q_key, &q_value))
        if (!next_other_header(&p_rest, &p_key, &p_value) || !same_text(p_key, q_key) || !same_text(p_value, q_value))
            fail_msg("%s: the headers are not those of version 7", label);
    if (next_other_header(&p_rest, &p_key, &p_value))
        fail_msg("%s: there are more headers than in version 7", label);
}

/* The same for sums, of numbers that have been rounded by up to one unit each. */
static void check_sum(const char *label, struct text function, const char *what, uint64_t found,
                      uint64_t expected, uint64_t rounded)
{
    bool is_near = found <= expected + rounded && expected <= found + rounded;
    check_equal(label, function, what, is_near ? expected : found, expected);
}

/* Version 4 (p) of a report of contexts against version 7 (q). */
static void check_contexts(const struct conversion *c, const struct preprocessed *q, uint32_t number, bool rounded)
{
    const struct preprocessed *p = &c->p;
    struct preprocessed_function f = preprocessed_function(p, number), g = preprocessed_function(q, number);
    uint64_t self = 0;
    for (uint32_t i = 0; i < f.invocations; i++)
        self += preprocessed_invocation(p, f.invocations_at, i).self;
    check_sum(c->label, f.name, "its invocations' self cost", self, f.self, rounded ? f.invocations : 0);
    check_sum(c->label, f.name, "the cost of the calls of it", f.call_cost,
              call_costs(q, g.called_from_at, g.called_from_count), rounded ? g.called_from_count : 0);
}

/* A version against version 7 (q). */
static void check_agrees(const struct conversion *c, const struct preprocessed *q, bool sums, bool contexts,
                         bool rounded)
{
    const struct preprocessed *p = &c->p;
    assert_int_equal(p->function_count, q->function_count);
    for (uint32_t i = 0; i < q->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i), g = preprocessed_function(q, i);
        if (!same_text(f.name, g.name) || !same_text(f.file, g.file))
            fail_msg("%s: function %" PRIu32 " is another one than in version 7", c->label, i);
        check_equal(c->label, f.name, "self cost", f.self, g.self);
        check_equal(c->label, f.name, "inclusive cost", f.inclusive, g.inclusive);
        if (p->version == 4) {
            if (contexts)
                check_contexts(c, q, i, rounded);
            else
                check_invocations(c, q, i, sums);
            continue;
        }
        check_equal(c->label, f.name, "the number of invocations", f.invocations, g.invocations);
        check_calls(c->label, f.name, "the number of callers", p, f.called_from_at, f.called_from_count, q,
                    g.called_from_at, g.called_from_count);
        if (p->version > 5) {
            check_calls(c->label, f.name, "the number of callees", p, f.sub_calls_at, f.sub_call_count, q,
                        g.sub_calls_at, g.sub_call_count);
            if (!contexts && !rounded)
                check_inclusive(c->label, p, &f);
        }
    }
    check_headers(c->label, p, q);
}

/*
 * In version 4 a call and the invocation that it is tied to name each other, and cost the same, but
 * for Xdebug's rounding of each number: less than a unit for the call, for the invocation's self
 * cost and for each of its calls.
 */
static void check_tie(const struct conversion *c, uint32_t caller, uint32_t invocation, const struct stored_call *call)
{
    struct preprocessed_function f = preprocessed_function(&c->p, call->function);
    struct stored_invocation v = preprocessed_invocation(&c->p, f.invocations_at, call->invocation);
    check_equal(c->label, f.name, "its invocation's caller", v.caller.function, caller);
    check_equal(c->label, f.name, "its calling invocation", v.caller.invocation, invocation);
    check_equal(c->label, f.name, "its invocation's line", v.caller.line, call->line);
    check_equal(c->label, f.name, "its invocation's call cost", v.caller.cost, call->cost);
    int64_t apart = (int64_t)v.inclusive - (int64_t)call->cost;
    if (llabs(apart) > v.sub_call_count + 2)
        check_equal(c->label, f.name, "its invocation's inclusive cost", v.inclusive, call->cost);
}

static void check_tied(const struct conversion *c)
{
    for (uint32_t i = 0; i < c->p.function_count; i++) {
        struct preprocessed_function f = preprocessed_function(&c->p, i);
        for (uint32_t j = 0; j < f.invocations; j++) {
            struct stored_invocation v = preprocessed_invocation(&c->p, f.invocations_at, j);
            for (uint32_t k = 0; k < v.sub_call_count; k++) {
                struct stored_call call = preprocessed_call(&c->p, v.sub_calls_at, k);
                check_tie(c, i, j, &call);
            }
        }
    }
}

/* ---- the list ----------------------------------------------------------------------------- */

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

struct golden {
    char *profile; /* its path */
    char *checks;  /* words parted by spaces */
};

static char *beside(const struct golden *g, const char *suffix)
{
    return joined(g->profile, suffix);
}

/* Makes the checks that are for all versions, with some proxies or none. */
static void check_versions(const struct golden *g, const char *const *proxies, size_t proxy_count)
{
    const char *dot = proxy_count > 0 ? ".proxy" : "";
    const char *expected_check = proxy_count > 0 ? "proxy-expected" : "expected";
    struct conversion seven = convert(g->profile, 7, proxies, proxy_count);

    for (unsigned version = 4; version <= 7; version++) {
        struct conversion c = convert(g->profile, version, proxies, proxy_count);
        char check[16], suffix[32];
        snprintf(check, sizeof check, "%s%u", proxy_count > 0 ? "proxy" : "webgrind", version);
        snprintf(suffix, sizeof suffix, "%s.webgrind%u", dot, version);
        if (has_word(g->checks, check)) {
            char *golden = beside(g, suffix);
            check_bytes(&c, golden);
            free(golden);
        }
        if (version >= 6 && has_word(g->checks, expected_check)) {
            snprintf(suffix, sizeof suffix, "%s.expected", dot);
            char *expected = beside(g, suffix);
            check_figures(&c, expected);
            free(expected);
        }
        check_agrees(&c, &seven.p, has_word(g->checks, "sums"), has_word(g->checks, "contexts"),
                     has_word(g->checks, "rounded"));
        if (version == 4 && proxy_count == 0 && has_word(g->checks, "tied"))
            check_tied(&c);
        conversion_end(&c);
    }
    conversion_end(&seven);
}

static void check_proxies(const struct golden *g)
{
    const char *names[64];
    size_t count = 0;
    char *path = beside(g, ".proxies"), *text = read_file(path, NULL), *rest = text;
    for (char *line; (line = next_field(&rest, '\n')) != NULL;)
        if (*line != '\0' && count < 64)
            names[count++] = line;
    assert_true(count > 0);
    check_versions(g, names, count);
    free(text);
    free(path);
}

static void check_patterns(const struct golden *g)
{
    static const char *const patterns[] = {"php::call_user_func:*", "php::call_user_func_array:*"};
    struct conversion c = convert(g->profile, 7, patterns, 2);
    char *golden = beside(g, ".proxy.webgrind7");
    check_bytes(&c, golden);
    free(golden);
    conversion_end(&c);
}

static void golden_test(void **state)
{
    const struct golden *g = *state;
    if (strstr(g->profile, "/compressed") != NULL && !has_program("zstd"))
        skip(); /* it decodes them */
    check_versions(g, NULL, 0);
    if (has_word(g->checks, "proxy7") || has_word(g->checks, "proxy-expected"))
        check_proxies(g);
    if (has_word(g->checks, "pattern7"))
        check_patterns(g);
}

static struct golden *goldens;
static size_t golden_count;

static void read_list(void)
{
    char *text = read_file(FOLDER "golden.txt", NULL), *rest = text;
    for (char *line; (line = next_field(&rest, '\n')) != NULL;) {
        if (*line == '\0' || *line == '#')
            continue;
        goldens = realloc(goldens, (golden_count + 1) * sizeof *goldens);
        struct golden *g = &goldens[golden_count++];
        g->profile = joined(FOLDER, next_field(&line, ' '));
        g->checks = strdup(line != NULL ? line : "");
    }
    free(text);
}

/* The file that belongs to a check, or "" if the check needs none of its own. */
static const char *file_of_check(const char *check)
{
    static const char *const files[][2] = {
        {"webgrind4", ".webgrind4"},
        {"webgrind5", ".webgrind5"},
        {"webgrind6", ".webgrind6"},
        {"webgrind7", ".webgrind7"},
        {"expected", ".expected"},
        {"proxy7", ".proxy.webgrind7"},
        {"proxy-expected", ".proxy.expected"},
        {"pattern7", ""},
        {"tied", ""},
        {"sums", ""},
        {"contexts", ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(files[i][0], check) == 0)
            return files[i][1];
    fail_msg("golden.txt: no such check: %s", check);
    return NULL;
}

/* Whether the list says what the file `path` is for. */
static bool is_listed(const char *path)
{
    for (size_t i = 0; i < golden_count; i++) {
        const struct golden *g = &goldens[i];
        size_t length = strlen(g->profile);
        if (strncmp(path, g->profile, length) != 0)
            continue;
        if (path[length] == '\0' || (strcmp(path + length, ".proxies") == 0 && strstr(g->checks, "proxy")))
            return true;
        char *checks = strdup(g->checks), *rest = checks;
        bool found = false;
        for (char *check; !found && (check = next_field(&rest, ' ')) != NULL;)
            found = *check != '\0' && strcmp(path + length, file_of_check(check)) == 0;
        free(checks);
        if (found)
            return true;
    }
    return false;
}

static void every_file_is_listed(void **state)
{
    static const char *const folders[] = {"xdebug/", "valgrind/", "aprof/", "perf/", "other/"};
    unsigned files = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char *folder_path = joined(FOLDER, folders[i]);
        DIR *folder = opendir(folder_path);
        assert_non_null(folder);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            if (entry->d_name[0] == '.' || strcmp(entry->d_name, "symfs") == 0)
                continue;
            char *path = joined(folder_path, entry->d_name);
            if (!is_listed(path))
                fail_msg("%s: nothing in golden.txt uses it", path);
            files++;
            free(path);
        }
        closedir(folder);
        free(folder_path);
    }
    assert_true(files > golden_count);
}

int main(void)
{
    read_list();
    struct CMUnitTest *tests = calloc(golden_count + 1, sizeof *tests);
    for (size_t i = 0; i < golden_count; i++) {
        tests[i].name = goldens[i].profile;
        tests[i].test_func = golden_test;
        tests[i].initial_state = &goldens[i];
    }
    tests[golden_count].name = "every_file_is_listed";
    tests[golden_count].test_func = every_file_is_listed;
    /* The function after cmocka_run_group_tests, which wants an array of a known size. */
    int failed = _cmocka_run_group_tests("golden", tests, golden_count + 1, NULL, NULL);
    for (size_t i = 0; i < golden_count; i++) {
        free(goldens[i].profile);
        free(goldens[i].checks);
    }
    free(goldens);
    free(tests);
    return failed;
}
