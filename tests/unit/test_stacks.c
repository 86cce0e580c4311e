/* SPDX-License-Identifier: MIT */
/* Calling contexts, as the library hands them out. */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {main} calls a and b, which calls a twice. */
static const char profile[] =
    "creator: xdebug 3.2.0\nevents: Time Memory\nsummary: 67 0\n"
    "fl=/t.php\nfn=a\n1 1 7\nfn=a\n1 2 7\nfn=b\n2 4 7\ncfn=a\ncalls=1 0 0\n3 1 7\ncfn=a\ncalls=1 0 0\n3 2 7\n"
    "fn=a\n1 20 7\nfn={main}\n1 40 7\ncfn=b\ncalls=1 0 0\n3 7 7\ncfn=a\ncalls=1 0 0\n4 20 7\n";

static const char sums[] = "events: Ir\nsummary: 3\nfn=f\n1 1\nfn=main\n1 2\ncfn=f\ncalls=1 0\n3 1\n";

static void take(void *user, const struct cg2wg_profile *taken)
{
    FILE *out = user;
    uint32_t path[64];
    size_t depth = 0;
    fprintf(out, "%.*s%s\n", (int)taken->event.length, taken->event.at, taken->has_contexts ? "" : " no contexts");
    for (uint32_t i = 0; i < taken->context_count; i++) {
        const struct cg2wg_context *c = &taken->contexts[i];
        const struct cg2wg_function *f = &taken->functions[c->function];
        assert_true(c->function < taken->function_count);
        /* The parent is the one before, or above it: all that is below a context follows it. */
        while (depth > 0 && path[depth - 1] != c->parent)
            depth--;
        assert_int_equal(depth == 0, c->parent == CG2WG_NO_CONTEXT);
        path[depth++] = i;
        fprintf(out, "%*s%.*s (%.*s) x%" PRIu64 " self=%" PRId64 " incl=%" PRId64 "\n", (int)depth - 1, "",
                (int)f->name.length, f->name.at, (int)f->file.length, f->file.at, c->calls, c->self, c->inclusive);
    }
}

static void keep_message(void *user, const struct cg2wg_message *message)
{
    fprintf(user, "%.40s...\n", message->text);
}

static void assert_read(const char *path, struct cg2wg_options options, enum cg2wg_status status, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    options.report = keep_message;
    options.user = out;
    assert_int_equal(cg2wg_read(path, &options, CG2WG_WANTS_CONTEXTS, take, out), status);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

/* A file of the scratch folder with the text. */
static char *input_of(const char *text)
{
    char *path = scratch_path("input");
    write_file(path, text, strlen(text));
    return path;
}

#define CONTEXTS                          \
    "{main} (/t.php) x1 self=40 incl=67\n" \
    " b (/t.php) x1 self=4 incl=7\n"       \
    "  a (/t.php) x2 self=3 incl=3\n"      \
    " a (/t.php) x1 self=20 incl=20\n"

/* The order of children is that of the last call first, because records are read backwards. */
#define OTHER_ORDER                       \
    "{main} (/t.php) x1 self=40 incl=67\n" \
    " a (/t.php) x1 self=20 incl=20\n"     \
    " b (/t.php) x1 self=4 incl=7\n"       \
    "  a (/t.php) x2 self=3 incl=3\n"

static void a_profile_has_contexts(void **state)
{
    char *path = input_of(profile);
    assert_read(path, options_to(7), CG2WG_OK, "Time\n" OTHER_ORDER);
    free(path);
}

static void version_4_has_them(void **state)
{
    char *path = input_of(profile), *output = scratch_path("output");
    struct cg2wg_options options = options_to(4);
    assert_int_equal(cg2wg_convert(path, output, &options, NULL), CG2WG_OK);
    static const char expected[] = "Time\n" /* children are in the order of the file's functions */
                                   "{main} (/t.php) x1 self=40 incl=67\n"
                                   " a (/t.php) x1 self=20 incl=20\n"
                                   " b (/t.php) x1 self=4 incl=7\n"
                                   "  a (/t.php) x2 self=3 incl=3\n";
    assert_read(output, options_to(7), CG2WG_OK, expected);
    options = options_to(7);
    options.input_format = "preprocessed";
    assert_read(output, options, CG2WG_OK, expected);
    free(path);
    free(output);
}

static void sums_have_none(void **state)
{
    char *path = input_of(sums), *output = scratch_path("output");
    struct cg2wg_options options = options_to(6);
    assert_read(path, options, CG2WG_OK, "Ir no contexts\n");
    assert_int_equal(cg2wg_convert(path, output, &options, NULL), CG2WG_OK);
    assert_read(output, options_to(7), CG2WG_OK, "Ir no contexts\n");
    free(path);
    free(output);
}

static void a_report_has_contexts(void **state)
{
    char *path = input_of("v 6\nk 30\ni rms\nr \"f\" \"o\" 1\nq 7 1 9 9 9 81 1 9 5 5 5 25\n"
                          "r \"g\" \"o\" 2\nq 8 1 4 4 4 16 1 4 4 4 4 16\n"
                          "r \"h\" \"o\" 3\np 3 1 7 7 21 147 3 21 20 7 7 147\nx 2 8 7\nx 1 7 -1\n");
    assert_read(path, options_to(7), CG2WG_OK, "bb-count\nf (o) x1 self=5 incl=9\n g (o) x1 self=4 incl=4\n"
                                               "h (o) x3 self=20 incl=21\n");
    free(path);
}

static void the_event_is_the_chosen_one(void **state)
{
    char *path = input_of(profile);
    struct cg2wg_options options = options_to(7);
    options.event = "Memory";
    options.summary = CG2WG_SUMMARY_COMPUTED;
    assert_read(path, options, CG2WG_OK,
                 "Memory\n"
                 "{main} (/t.php) x1 self=7 incl=21\n"
                 " a (/t.php) x1 self=7 incl=7\n"
                 " b (/t.php) x1 self=7 incl=21\n"
                 "  a (/t.php) x2 self=14 incl=14\n");
    free(path);
}

/* The unit of a run is known from its first cost on, but the records before belong to the run. */
static void a_record_without_costs_is_called_whatever_its_unit(void **state)
{
    char *path = input_of("creator: xdebug 3.2.0\nevents: Time\nsummary: 2\nfn=f\n1 2\n"
                          "part: 2\nevents: Time_(10ns)\nsummary: 300\nfn=f\nfn=g\n1 300\ncfn=f\ncalls=1 0 0\n1 0\n");
    assert_read(path, options_to(7), CG2WG_OK,
                 "the record ends without a cost line...\n"
                 "Time_(10ns)\ng () x1 self=300 incl=300\n f () x1 self=0 incl=0\nf () x1 self=200 incl=200\n");
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_has_contexts),
        cmocka_unit_test(version_4_has_them),
        cmocka_unit_test(sums_have_none),
        cmocka_unit_test(a_report_has_contexts),
        cmocka_unit_test(the_event_is_the_chosen_one),
        cmocka_unit_test(a_record_without_costs_is_called_whatever_its_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
