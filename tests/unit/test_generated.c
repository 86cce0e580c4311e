/* SPDX-License-Identifier: MIT */
/*
 * Random valid profiles of both kinds, in every version, compared with the tree that they were made
 * from (see generator.h). The arguments SEED and COUNT choose the profiles.
 */
#include "generator.h"
#include "preprocessed_file.h"
#include "support.h"

#include "job.h"
#include "util/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t first_seed = 1, seed_count;

static struct generated g; /* the one at hand, and the number it was made from */
static uint64_t seed;
static unsigned version;
static bool wants_outermost;
static char *input_path, *output_path;

/* ---- comparisons -------------------------------------------------------------------------- */

/* The profile goes first: it may be longer than what a message may hold. */
static void show_profile(void)
{
    const struct cg2wg_options *o = &g.options;
    fwrite(g.text, 1, g.size, stderr);
    fprintf(stderr, "\nseed %" PRIu64 ", version %u%s, event %s, scale %" PRIu64 ", identity %d, block %zu\n", seed,
            version, wants_outermost ? ", outermost" : "", o->event != NULL ? o->event : "-", o->scale,
            (int)o->identity, read_at_once);
}

static void fail_at(const char *what, const char *name, int64_t found, int64_t expected)
{
    show_profile();
    fail_msg("%s of %s: found %" PRId64 ", expected %" PRId64, what, name, found, expected);
}

static void compare(const char *what, const char *name, uint64_t found, uint64_t expected)
{
    if (found != expected)
        fail_at(what, name, (int64_t)found, (int64_t)expected);
}

/* A cost as it is written: divided, rounded to nearest, and within 32 bits. */
static uint64_t written(int64_t cost)
{
    uint64_t divisor = g.options.scale, half = divisor / 2 + divisor % 2;
    if (cost <= 0)
        return 0;
    uint64_t rest = (uint64_t)cost % divisor;
    uint64_t divided = (uint64_t)cost / divisor + (rest > 0 && rest >= half);
    return divided > UINT32_MAX ? UINT32_MAX : divided;
}

/* An outermost cost, of which sums may only show that it is between two others. */
static void compare_outermost(const char *what, const char *name, uint64_t found, int64_t truth,
                              int64_t sum, bool is_exact)
{
    if (is_exact)
        compare(what, name, found, written(truth));
    else if (found < written(truth) || found > written(sum))
        fail_at(what, name, (int64_t)found, truth);
}

static void compare_text(const char *what, const char *name, struct text found, const char *expected)
{
    size_t length = (size_t)(found.end - found.at);
    if (strlen(expected) == length && memcmp(found.at, expected, length) == 0)
        return;
    show_profile();
    fail_msg("%s of %s: found %.*s, expected %s", what, name, (int)length, found.at, expected);
}

/* ---- functions and arcs ------------------------------------------------------------------- */

static void compare_call(const struct stored_call *call, const struct generated_arc *arc, uint32_t other_end)
{
    const char *name = g.functions[arc->callee].name;
    compare("the other end of a call", name, call->function, other_end);
    compare("the line of a call", name, call->line, arc->line);
    compare("the number of calls", name, call->count, arc->count);
    if (!wants_outermost)
        compare("the cost of calls", name, call->cost, written(arc->cost));
    else
        compare_outermost("the cost of calls", name, call->cost, arc->outermost, arc->cost,
                          g.records_are_invocations || (g.is_exact && arc->caller != arc->callee));
}

/* Both lists are in the order in which the arcs first occur. */
static void compare_calls(const struct preprocessed *p, const struct preprocessed_function *f, int number)
{
    uint32_t called_from = 0, sub_calls = 0;
    for (int i = 0; i < g.arc_count; i++) {
        const struct generated_arc *arc = &g.arcs[i];
        if (arc->callee == number && called_from++ < f->called_from_count) {
            struct stored_call call = preprocessed_call(p, f->called_from_at, called_from - 1);
            compare_call(&call, arc, (uint32_t)arc->caller);
        }
        if (arc->caller == number && sub_calls++ < f->sub_call_count) {
            struct stored_call call = preprocessed_call(p, f->sub_calls_at, sub_calls - 1);
            compare_call(&call, arc, (uint32_t)arc->callee);
        }
    }
    compare("callers", g.functions[number].name, f->called_from_count, called_from);
    if (version >= 6)
        compare("sub calls", g.functions[number].name, f->sub_call_count, sub_calls);
}

/* ---- version 4 ---------------------------------------------------------------------------- */

static int node_of(int function, uint32_t number)
{
    for (int i = 0; i < g.node_count; i++)
        if (g.nodes[i].function == function && (uint32_t)g.nodes[i].number == number)
            return i;
    return -1;
}

static void compare_node(const struct preprocessed *p, const struct stored_invocation *v,
                         const struct generated_node *n)
{
    const char *name = g.functions[n->function].name;
    compare("an invocation's self cost", name, v->self, written(n->self));
    compare("an invocation's inclusive cost", name, v->inclusive, written(n->inclusive));
    compare("an invocation's sub calls", name, v->sub_call_count, (uint64_t)n->call_count);
    for (uint32_t i = 0; i < v->sub_call_count; i++) {
        struct stored_call call = preprocessed_call(p, v->sub_calls_at, i);
        const struct generated_node *callee = &g.nodes[n->calls[i]];
        compare("a sub call's function", name, call.function, (uint64_t)callee->function);
        compare("a sub call's invocation", name, call.invocation, (uint64_t)callee->number);
        compare("a sub call's line", name, call.line, callee->line);
        compare("a sub call's cost", name, call.cost, written(callee->inclusive));
    }
    if (n->caller < 0) {
        compare("an invocation's caller", name, v->caller.function, NONE);
        return;
    }
    compare("an invocation's caller", name, v->caller.function, (uint64_t)g.nodes[n->caller].function);
    compare("the caller's number", name, v->caller.invocation, (uint64_t)g.nodes[n->caller].number);
    compare("the caller's line", name, v->caller.line, n->line);
    compare("the caller's cost", name, v->caller.cost, written(n->inclusive));
}

/* From sums: one invocation, called by its one caller, with a sub call for each arc. */
static void compare_sums(const struct preprocessed *p, const struct stored_invocation *v, int number)
{
    const struct generated_function *f = &g.functions[number];
    uint32_t sub_calls = 0, caller = NONE, line = 0;
    int64_t cost = 0;
    bool has_one_caller = true;
    compare("its invocation's self cost", f->name, v->self, written(f->self));
    for (int i = 0; i < g.arc_count; i++) {
        const struct generated_arc *arc = &g.arcs[i];
        if (arc->callee == number) {
            if (caller == NONE) {
                caller = (uint32_t)arc->caller;
                line = arc->line;
            }
            has_one_caller &= caller == (uint32_t)arc->caller;
            cost += arc->cost;
        }
        if (arc->caller == number && sub_calls++ < v->sub_call_count) {
            struct stored_call call = preprocessed_call(p, v->sub_calls_at, sub_calls - 1);
            compare("a sub call's function", f->name, call.function, (uint64_t)arc->callee);
            compare("a sub call's invocation", f->name, call.invocation, 0);
            compare("a sub call's line", f->name, call.line, arc->line);
            if (!wants_outermost)
                compare("a sub call's cost", f->name, call.cost, written(arc->cost));
        }
    }
    compare("its sub calls", f->name, v->sub_call_count, sub_calls);
    if (!has_one_caller)
        caller = NONE;
    compare("its caller", f->name, v->caller.function, caller);
    if (caller == NONE)
        return;
    compare("its caller's line", f->name, v->caller.line, line);
    if (!wants_outermost)
        compare("its caller's cost", f->name, v->caller.cost, written(cost));
}

static void compare_invocations(const struct preprocessed *p, const struct preprocessed_function *f, int number)
{
    const struct generated_function *expected = &g.functions[number];
    if (!wants_outermost)
        compare("the cost of all calls", expected->name, f->call_cost, written(expected->call_cost));
    else if (g.records_are_invocations)
        compare("the cost of all calls", expected->name, f->call_cost, written(expected->outermost_call_cost));
    compare("invocations", expected->name, f->invocations, g.records_are_invocations ? expected->invocations : 1);
    for (uint32_t i = 0; i < f->invocations; i++) {
        struct stored_invocation v = preprocessed_invocation(p, f->invocations_at, i);
        if (g.records_are_invocations)
            compare_node(p, &v, &g.nodes[node_of(number, i)]);
        else
            compare_sums(p, &v, number);
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void compare_function(const struct preprocessed *p, int number)
{
    struct preprocessed_function f = preprocessed_function(p, (uint32_t)number);
    const struct generated_function *expected = &g.functions[number];
    compare_text("the name", expected->name, f.name, expected->name);
    compare_text("the file", expected->name, f.file, expected->file);
    compare("the self cost", expected->name, f.self, written(expected->self));
    if (!wants_outermost)
        compare("the inclusive cost", expected->name, f.inclusive, written(expected->inclusive));
    else
        compare_outermost("the inclusive cost", expected->name, f.inclusive, expected->outermost,
                          expected->inclusive, g.is_exact);
    if (version == 7)
        compare("the line", expected->name, f.line, expected->line);
    if (version == 4) {
        compare_invocations(p, &f, number);
        return;
    }
    compare("the invocations", expected->name, f.invocations, expected->invocations);
    compare_calls(p, &f, number);
}

/* The header line that version 4 and 5 have in place of several summaries, or the line itself. */
static const char *shown_header(int number, int summaries, char *text)
{
    const struct generated_header *h = &g.headers[number];
    uint64_t total = 0;
    bool is_merged = version < 6 && summaries > 1;
    if (h->kind != GENERATED_SUMMARY || (g.options.scale == 1 && !is_merged))
        return h->text;
    for (int i = 0; i < g.header_count; i++) {
        if (g.headers[i].kind != GENERATED_SUMMARY || (!is_merged && i != number))
            continue;
        if (i > number)
            return NULL; /* it takes the place of the last one */
        uint64_t divisor = g.options.scale, rest = (uint64_t)g.headers[i].total % divisor;
        total += (uint64_t)g.headers[i].total / divisor + (rest > 0 && rest >= divisor - rest);
    }
    sprintf(text, "summary: %" PRIu64, total);
    return text;
}

static void compare_headers(const struct preprocessed *p)
{
    struct text rest = p->headers, key, value;
    char text[GENERATED_LINE];
    int summaries = 0;
    for (int i = 0; i < g.header_count; i++)
        summaries += g.headers[i].kind == GENERATED_SUMMARY;
    for (int i = 0; i < g.header_count; i++) {
        const char *expected = shown_header(i, summaries, text);
        if (expected == NULL)
            continue;
        if (!next_header(&rest, &key, &value))
            fail_at("the number of headers", "", i, g.header_count);
        /* Of divided costs the event's name speaks. */
        if (g.options.scale == 1 || g.headers[i].kind != GENERATED_EVENTS)
            compare_text("a header", "", (struct text){key.at, value.end}, expected);
    }
    if (next_header(&rest, &key, &value))
        fail_at("the number of headers", "", g.header_count + 1, g.header_count);
}

static void keep_error(void *user, const struct cg2wg_message *message)
{
    if (message->severity == CG2WG_ERROR)
        snprintf(user, 1024, "%s", message->text);
}

/* Threads that were started while one, and while several were asked for; and how often that was. */
static unsigned started_for_one, started_for_several, conversions_by_several;

static void count_threads(unsigned asked, unsigned started)
{
    if (asked == 1)
        started_for_one += started;
    if (asked > 1) {
        started_for_several += started;
        conversions_by_several++;
    }
}

/*
 * How the profile is read: at once, or in blocks of so many bytes by so many threads. Each profile is read
 * in all of these ways.
 */
static void choose_way(struct cg2wg_options *options)
{
    static const struct {
        size_t block;
        unsigned threads;
    } ways[] = {{0, 0}, {200, 1}, {300, 2}, {1000, 3}};
    unsigned way = (version + wants_outermost) % (sizeof ways / sizeof ways[0]);
    read_at_once = ways[way].block;
    options->threads = ways[way].threads;
}

static void check_version(void)
{
    char error[1024] = "";
    struct cg2wg_options options = g.options;
    struct diag diag = {.report = keep_error, .user = error};
    struct preprocessed p = {.bytes = NULL};
    options.format = version;
    options.inclusive = wants_outermost ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_SUM;
    options.report = keep_error;
    options.user = error;
    choose_way(&options);
    unlink(output_path); /* some file systems take their time to replace a file */
    unsigned started = threads_started();
    const char *input = input_path;
    enum cg2wg_status status = convert_in_blocks(&input, 1, output_path, &options, NULL, read_at_once);
    count_threads(options.threads, threads_started() - started);
    if (status != CG2WG_OK || !preprocessed_read(&p, output_path, &diag)) {
        show_profile();
        fail_msg("%s", error);
    }
    compare("the version", "the file", p.version, version);
    compare("the number", "functions", p.function_count, (uint64_t)g.function_count);
    for (int i = 0; i < g.function_count; i++)
        compare_function(&p, i);
    compare_headers(&p);
    preprocessed_free(&p);
}

static void generated_profiles_come_out_as_their_trees_say(void **state)
{
    input_path = scratch_path("input");
    output_path = scratch_path("output");
    for (seed = first_seed; seed < first_seed + seed_count; seed++) {
        generate(&g, seed);
        write_file(input_path, g.text, g.size);
        for (version = 4; version <= 7; version++) {
            wants_outermost = false;
            check_version();
            wants_outermost = true;
            check_version();
        }
        generated_free(&g);
    }
    /* Some inputs are one block only, some of a kind that one thread reads. */
    assert_int_equal(started_for_one, 0);
    if (seed_count >= 300 && has_sums())
        assert_true(started_for_several >= conversions_by_several / 12);
    free(input_path);
    free(output_path);
}

static uint64_t number_argument(const char *string)
{
    char *end;
    uint64_t number = strtoull(string, &end, 10);
    if (*string == '\0' || *end != '\0') {
        fprintf(stderr, "found \"%s\", expected a number\n", string);
        exit(2);
    }
    return number;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_profiles_come_out_as_their_trees_say),
    };
    if (argc > 1)
        first_seed = number_argument(argv[1]);
    seed_count = argc > 2 ? number_argument(argv[2]) : is_watched() ? 300 : 2000;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
