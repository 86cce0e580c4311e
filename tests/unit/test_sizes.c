/* SPDX-License-Identifier: MIT */
/* Costs by input size, as the library hands them out. */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_bytes(FILE *out, const char *before, struct cg2wg_bytes bytes)
{
    fprintf(out, "%s%.*s", before, (int)bytes.length, bytes.at);
}

static void take(void *user, const struct cg2wg_profile *taken)
{
    FILE *out = user;
    put_bytes(out, "event ", taken->event);
    put_bytes(out, " measure ", taken->measure);
    fprintf(out, " total %" PRId64 "\n", taken->total);
    for (size_t i = 0; i < taken->function_count; i++) {
        const struct cg2wg_function *f = &taken->functions[i];
        put_bytes(out, "", f->file);
        put_bytes(out, " ", f->name);
        put_bytes(out, " (", f->mangled_name);
        fprintf(out, ") self=%" PRId64 " incl=%" PRId64 " inv=%" PRIu64 "\n", f->self, f->inclusive, f->invocations);
        assert_int_equal(f->sizes != NULL, f->size_count > 0);
        for (size_t k = 0; k < f->size_count; k++) {
            const struct cg2wg_size_cost *c = &f->sizes[k];
            assert_int_equal(c->function, i);
            fprintf(out,
                    "  %" PRIu64 ": x%" PRIu64 " sum=%" PRId64 " outermost=%" PRId64 " self=%" PRId64 " min=%" PRId64
                    " max=%" PRId64 " self_min=%" PRId64 " self_max=%" PRId64 "\n",
                    c->size, c->calls, c->sum, c->outermost, c->self, c->min, c->max, c->self_min, c->self_max);
            if (c->syscall_input >= 0 || c->thread_input >= 0 || c->self_syscall_input >= 0 ||
                c->self_thread_input >= 0)
                fprintf(out, "    input %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", c->syscall_input,
                        c->thread_input, c->self_syscall_input, c->self_thread_input);
        }
    }
}

static void keep_message(void *user, const struct cg2wg_message *message)
{
    fprintf(user, "%" PRIu64 ": %s\n", message->line, message->text);
}

static void assert_sizes(const char *input, struct cg2wg_options options,
                         enum cg2wg_status status, const char *expected)
{
    char *path = scratch_path("input"), *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    write_file(path, input, strlen(input));
    options.report = keep_message;
    options.user = out;
    assert_int_equal(cg2wg_read(path, &options, 0, take, out), status);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    free(path);
}

/* Two contexts of g with one size in common; sizes in no order. */
static const char report[] =
    "c hello\nv 6\nk 100\ne 5\nm bb-count\ni rms\nt 4\na ./p\nf ./p q\n"
    "r \"main\" \"/o\" 7\nq 1 4 100 100 100 10000 1 100 20 20 20 400\n"
    "r \"g(int)\" \"/o\" 9\nu 9 \"_Z1gi\"\n"
    "q 2 10 30 35 65 0 2 65 30 14 16 0\nq 3 10 20 40 60 0 2 0 12 5 7 0\n"
    "q 3 2 5 5 5 25 1 0 5 5 5 25\nq 2 18446744073709551615 1 1 1 1 1 1 1 1 1 1\n"
    "f 9 2\nx 7 1 -1\nx 9 2 1\nx 9 3 2\nfav 9\n";

static void sizes_are_sorted_and_merged(void **state)
{
    assert_sizes(report, default_options(), CG2WG_OK,
                 "event bb-count measure rms total 100\n"
                 "/o main () self=20 incl=100 inv=1\n"
                 "  4: x1 sum=100 outermost=100 self=20 min=100 max=100 self_min=20 self_max=20\n"
                 "/o g(int) (_Z1gi) self=48 incl=66 inv=6\n"
                 "  2: x1 sum=5 outermost=0 self=5 min=5 max=5 self_min=5 self_max=5\n"
                 "  10: x4 sum=125 outermost=65 self=42 min=20 max=40 self_min=5 self_max=16\n"
                 "  18446744073709551615: x1 sum=1 outermost=1 self=1 min=1 max=1 self_min=1 "
                 "self_max=1\n");
}

static void a_function_may_have_no_sizes(void **state)
{
    assert_sizes("v 4\nk 0\nr \"f\" \"o\" 1\n", default_options(), CG2WG_OK,
                 "event bb-count measure  total 0\n"
                 "o f () self=0 incl=0 inv=0\n");
}

static void options_hold_for_sizes(void **state)
{
    struct cg2wg_options options = options_for("2 bb-count");
    options.inclusive = CG2WG_INCLUSIVE_SUM;
    options.identity = CG2WG_IDENTITY_NAME;
    assert_sizes("v 4\nk 50\n"
                 "r \"f\" \"a\" 1\np 1 1 5 7 12 0 2 6 4 1 3 0\n"
                 "r \"f\" \"b\" 2\np 2 1 4 4 4 0 1 4 4 4 4 0\n",
                 options, CG2WG_OK,
                 "event 2 bb-count measure  total 100\n"
                 "a f () self=16 incl=32 inv=3\n"
                 "  1: x3 sum=32 outermost=20 self=16 min=8 max=14 self_min=2 self_max=8\n");
    options = default_options();
    options.event = "Ir";
    assert_sizes("v 4\nk 50\nr \"f\" \"a\" 1\n", options, CG2WG_FAILED,
                 "0: no event Ir; there are: bb-count\n");
    options = default_options();
    options.strict = true;
    assert_sizes("v 4\nk 50\nr \"f\" \"a\" 1\np 1 2\n", options, CG2WG_FAILED,
                 "4: found \"1 2\", expected an id and at least 8 numbers\n");
}

/* What a version does not contain is not made up. */
static void old_versions_contain_less(void **state)
{
    struct cg2wg_options options = default_options();
    options.inclusive = CG2WG_INCLUSIVE_SUM;
    assert_sizes("f ./p\na ./p\nr f o 1\np 1 3 10 2\np 1 4 7 1\n", options, CG2WG_OK,
                 "0: reports of version 0 have no self costs: all of them are 0\n"
                 "event bb-count measure  total 0\n"
                 "o f () self=0 incl=27 inv=3\n"
                 "  3: x2 sum=20 outermost=-1 self=-1 min=-1 max=-1 self_min=-1 self_max=-1\n"
                 "  4: x1 sum=7 outermost=-1 self=-1 min=-1 max=-1 self_min=-1 self_max=-1\n");
    assert_sizes("v 1\nk 9\nr \"_Zf\" \"o\" 1\nd 1 \"f\"\np 1 3 2 4 6 20 2\n", options, CG2WG_OK,
                 "0: reports of version 1 have no self costs: all of them are 0\n"
                 "event bb-count measure  total 9\n"
                 "o f (_Zf) self=0 incl=6 inv=2\n"
                 "  3: x2 sum=6 outermost=-1 self=-1 min=2 max=4 self_min=-1 self_max=-1\n");
    assert_sizes("v 2\nk 9\nr \"f\" \"o\" 1\np 1 3 2 4 6 2 5 6\n", options, CG2WG_OK,
                 "event bb-count measure  total 9\n"
                 "o f () self=6 incl=6 inv=2\n"
                 "  3: x2 sum=6 outermost=5 self=6 min=2 max=4 self_min=-1 self_max=-1\n");
    /* The same size once with, once without the fields that some builds left out. */
    assert_sizes("v 3\nk 9\nr \"f\" \"o\" 1\np 1 3 2 4 6 2 5 6 3 3\np 1 3 1 1 1 1 1 1\n", options, CG2WG_OK,
                 "event bb-count measure  total 9\n"
                 "o f () self=7 incl=7 inv=3\n"
                 "  3: x3 sum=7 outermost=6 self=7 min=1 max=4 self_min=-1 self_max=-1\n");
    /* A malformed number, and what follows it, are missing. */
    assert_sizes("v 3\nk 9\nr \"f\" \"o\" 1\np 1 3 2 4 6 2 5 6 3x 3\n", options, CG2WG_OK,
                 "event bb-count measure  total 9\n"
                 "o f () self=6 incl=6 inv=2\n"
                 "  3: x2 sum=6 outermost=5 self=6 min=2 max=4 self_min=-1 self_max=-1\n");
}

/* The metric drms has 2, 4 or 6 more numbers, the first two of which are of no use. */
static void input_of_other_origin_is_reported(void **state)
{
    assert_sizes("v 5\nk 9\ni rvms\nr \"f\" \"o\" 1\n"
                 "p 1 1 1 1 2 2 2 2 2 1 1 2 8 9 10 20 30 40\np 1 1 1 1 1 1 1 1 1 1 1 1 8 9 1 2 3 4\n"
                 "p 1 2 1 1 1 1 1 1 1 1 1 1 8 9 5 6\np 1 3 1 1 1 1 1 1 1 1 1 1 8 9\n",
                 default_options(), CG2WG_OK,
                 "event bb-count measure rvms total 9\n"
                 "o f () self=5 incl=5 inv=5\n"
                 "  1: x3 sum=3 outermost=3 self=3 min=1 max=1 self_min=1 self_max=1\n"
                 "    input 11 22 33 44\n"
                 "  2: x1 sum=1 outermost=1 self=1 min=1 max=1 self_min=1 self_max=1\n"
                 "    input 5 6 -1 -1\n"
                 "  3: x1 sum=1 outermost=1 self=1 min=1 max=1 self_min=1 self_max=1\n");
}

static void what_is_no_input_is_not_shown(void **state)
{
    struct cg2wg_options options = default_options();
    assert_sizes("", options, CG2WG_FAILED,
                 "0: is empty; expected a profile\n");
    assert_sizes("what\nis\nthis", options, CG2WG_FAILED,
                 "0: not a profile: no line is in callgrind, cachegrind, aprof, perf, preprocessed, "
                 "perf-script or folded format\n");
    options.input_format = "preprocessed";
    assert_sizes(report, options, CG2WG_FAILED,
                 "0: found the text \"c he\", expected a preprocessed file of version 4 to 7\n");
    options.input_format = "aprof";
    assert_sizes("events: Ir\nfn=f\n", options, CG2WG_FAILED,
                 "1: found \"events: Ir\", expected a line of an aprof report\n"
                 "2: found \"fn=f\", expected a line of an aprof report\n"
                 "0: no routine; this is not an aprof report\n");
    options.input_format = NULL;
    assert_int_equal(cg2wg_read("/nonexistent", &options, 0, take, NULL), CG2WG_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_sorted_and_merged),
        cmocka_unit_test(a_function_may_have_no_sizes),
        cmocka_unit_test(options_hold_for_sizes),
        cmocka_unit_test(old_versions_contain_less),
        cmocka_unit_test(input_of_other_origin_is_reported),
        cmocka_unit_test(what_is_no_input_is_not_shown),
    };
    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
