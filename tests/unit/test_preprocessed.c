/* SPDX-License-Identifier: MIT */
/*
 * Preprocessed files as inputs: nothing is lost, so that merging in steps gives the same as merging
 * at once. Also inputs with different units. Expectations are computed by hand, or are the result
 * of another way to the same file.
 */
#include "support.h"
#include "write/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Converts a profile to a file of that name. Returns its path, malloc'ed. */
static char *converted(const char *profile, const struct cg2wg_options *options, const char *name)
{
    char *input = scratch_path("profile"), *output = scratch_path(name);
    write_file(input, profile, strlen(profile));
    assert_int_equal(cg2wg_convert(input, output, options, NULL), CG2WG_OK);
    free(input);
    return output;
}

static char *merged(const char *first, const char *second, const struct cg2wg_options *options, const char *name)
{
    const char *inputs[] = {first, second};
    char *output = scratch_path(name);
    assert_int_equal(cg2wg_convert_all(inputs, 2, output, options, NULL), CG2WG_OK);
    return output;
}

static void assert_same_file(const char *path, const char *other)
{
    size_t size, other_size;
    char *bytes = read_file(path, &size), *other_bytes = read_file(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other_bytes, size);
    free(bytes);
    free(other_bytes);
}

/* ---- in steps ----------------------------------------------------------------------------- */

/* Functions that only their objects distinguish, in runs of one object and of several */
#define OBJECTS_1                                                                              \
    "creator: callgrind-3.22.0\nevents: Ir\nsummary: 100\n"                                    \
    "ob=x\nfl=a.c\nfn=main\n1 10\ncob=y\ncfi=a.c\ncfn=f\ncalls=3 5\n2 30\ncob=x\ncfn=f\n"      \
    "calls=1 9\n3 60\nfn=f\n9 60\nob=y\nfl=a.c\nfn=f\n5 30\n"
#define OBJECTS_2                                                                              \
    "creator: callgrind-3.22.0\nevents: Ir\nsummary: 8\n"                                      \
    "ob=y\nfl=a.c\nfn=f\n5 1\nfn=g\n6 2\ncfn=f\ncalls=4 5\n7 1\nob=z\nfl=a.c\nfn=f\n5 5\n"
#define OBJECTS_3                                                                              \
    "creator: callgrind-3.22.0\nevents: Ir\nsummary: 7\n"                                      \
    "ob=x\nfl=a.c\nfn=main\n1 3\ncob=z\ncfi=a.c\ncfn=f\ncalls=1 5\n2 4\nob=z\nfn=f\n5 4\n"
#define NAMES_1                                                                                \
    "creator: xdebug 3.2.0\nevents: Time\nsummary: 6\nfl=a\nfn=f\n5 1\nfl=b\nfn=g\n6 2\n"      \
    "cfl=a\ncfn=f\ncalls=1 0 0\n7 1\nfn={main}\n1 3\ncfn=g\ncalls=1 0 0\n2 3\n"
#define NAMES_2                                                                                \
    "creator: xdebug 3.2.0\nevents: Time\nsummary: 9\nfl=c\nfn=g\n6 4\nfl=a\nfn=f\n5 5\n"      \
    "cfl=c\ncfn=g\ncalls=1 0 0\n9 4\n"

/* Two static functions of one name, with and without objects, and what Xdebug calls the same. */
#define STATICS                                                                                \
    "creator: callgrind-3.22.0\nevents: Time\nsummary: 3\nob=x\nfl=a.c\nfn=helper\n1 1\n"       \
    "fl=b.c\nfn=helper\n2 2\n"
#define STATICS_WITHOUT_OBJECTS                                                                \
    "creator: callgrind-3.22.0\nevents: Time\nsummary: 3\nfl=a.c\nfn=helper\n1 1\n"           \
    "fl=b.c\nfn=helper\n2 2\n"
#define HELPER_3                                                                               \
    "creator: xdebug 3.2.0\nevents: Time\nsummary: 3\nfl=a.php\nfn=helper\n1 3\n"
#define HELPER_40 "version: 0.9.6\nevents: Time\nsummary: 40\nfl=b.php\nfn=helper\n1 40\n"

static void in_steps_the_bytes_are_the_same(void **state)
{
    static const char *const profiles[][3] = {{OBJECTS_1, OBJECTS_2, OBJECTS_3},
                                              {OBJECTS_3, OBJECTS_1, OBJECTS_2},
                                              {NAMES_1, NAMES_2, NAMES_1},
                                              {NAMES_2, NAMES_1, NAMES_2},
                                              {STATICS, HELPER_3, HELPER_40},
                                              {HELPER_3, STATICS, HELPER_40},
                                              {HELPER_40, HELPER_3, STATICS},
                                              {STATICS_WITHOUT_OBJECTS, HELPER_40, HELPER_3},
                                              {HELPER_3, STATICS_WITHOUT_OBJECTS, HELPER_40},
                                              {HELPER_3, HELPER_40, STATICS_WITHOUT_OBJECTS},
                                              {STATICS, HELPER_3, STATICS_WITHOUT_OBJECTS}};
    for (unsigned format = 5; format <= 7; format++) {
        struct cg2wg_options options = options_to(format);
        for (size_t i = 0; i < COUNT(profiles); i++) {
            char *a = converted(profiles[i][0], &options, "a");
            char *b = converted(profiles[i][1], &options, "b");
            char *c = converted(profiles[i][2], &options, "c");
            char *ab = merged(a, b, &options, "ab"), *bc = merged(b, c, &options, "bc");
            char *left = merged(ab, c, &options, "left");
            char *right = merged(a, bc, &options, "right");
            const char *all[] = {a, b, c};
            char *at_once = scratch_path("at-once");
            assert_int_equal(cg2wg_convert_all(all, 3, at_once, &options, NULL), CG2WG_OK);
            assert_same_file(left, at_once);
            assert_same_file(right, at_once);
            char *paths[] = {a, b, c, ab, bc, left, right, at_once};
            for (size_t p = 0; p < COUNT(paths); p++)
                free(paths[p]);
        }
    }
}

static unsigned rows_that_begin(const struct conversion_result *result, const char *start);

/* What distinguishes a function is its own, and not that of the last creator. */
static void functions_of_several_producers_stay_apart_in_steps(void **state)
{
    static const char *const statics[] = {STATICS, STATICS_WITHOUT_OBJECTS};
    for (unsigned format = 5; format <= 7; format++) {
        struct cg2wg_options options = options_to(format), other = options_to(12 - format);
        for (size_t i = 0; i < 2 * 3; i++) {
            char *v = converted(statics[i % 2], &options, "v"), *x = converted(HELPER_3, &options, "x");
            char *y = converted(HELPER_40, &options, "y");
            const char *orders[3][3] = {{v, x, y}, {x, v, y}, {x, y, v}}, **order = orders[i / 2];
            char *part = merged(order[0], order[1], &options, "part");
            const char *files[] = {part, order[2]};
            struct conversion_result result = convert_files(files, 2, &other);
            assert_int_equal(rows_that_begin(&result, "a.c helper "), 1);
            assert_int_equal(rows_that_begin(&result, "b.c helper "), 1);
            assert_int_equal(rows_that_begin(&result, "a.php helper "), 1);
            assert_int_equal(rows_that_begin(&result, "b.php helper "), 0);
            assert_non_null(strstr(result.dump, "self=1 "));
            assert_non_null(strstr(result.dump, "self=2 "));
            assert_non_null(strstr(result.dump, "self=43 "));
            conversion_free(&result);
            char *paths[] = {v, x, y, part};
            for (size_t p = 0; p < COUNT(paths); p++)
                free(paths[p]);
        }
    }
}

/* The usual case needs no letter, so that older versions, which read only objects, understand such files. */
static void what_is_usual_is_not_reported(void **state)
{
    static const char expected[] = "cg2wg objects\n1 \n1 x\ncreator: ";
    struct conversion_result result =
        convert_text("creator: callgrind-3.22.0\nevents: Ir\nsummary: 3\nfl=a.c\nfn=f\n1 1\n"
                     "ob=x\nfl=b.c\nfn=g\n2 2\n", NULL);
    bool is_found = false;
    for (size_t i = 0; i + sizeof expected <= result.size; i++)
        is_found |= memcmp((const char *)result.bytes + i, expected, sizeof expected - 1) == 0;
    assert_true(is_found);
    conversion_free(&result);
}

/* A file says itself if the user has chosen what distinguishes its functions. */
static void a_chosen_identity_stays_with_its_functions(void **state)
{
    static const struct {
        const char *profile;
        enum cg2wg_identity identity;
        unsigned rows; /* also after a merge with itself and conversions */
    } cases[] = {{STATICS, CG2WG_IDENTITY_NAME, 1},
                 {STATICS, CG2WG_IDENTITY_FILE, 2},
                 {"creator: xdebug 3.2.0\nevents: Time\nsummary: 43\nfl=a.c\nfn=helper\n1 3\n\n"
                  "fl=b.c\nfn=helper\n1 40\n", CG2WG_IDENTITY_FILE, 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cg2wg_options options = options_to(7);
        options.identity = cases[i].identity;
        char *a = converted(cases[i].profile, &options, "a");
        options.identity = CG2WG_IDENTITY_AUTO;
        char *twice = merged(a, a, &options, "twice");
        const char *files[] = {twice, a};
        struct conversion_result result = convert_files(files, 2, &options);
        assert_int_equal(rows_that_begin(&result, "a.c helper ") + rows_that_begin(&result, "b.c helper "),
                         cases[i].rows);
        conversion_free(&result);
        free(a);
        free(twice);
    }
}

static void of_profiles_and_of_what_was_made_of_them_the_same_comes_out(void **state)
{
    struct cg2wg_options options = options_to(7);
    const char *profiles[] = {OBJECTS_1, OBJECTS_2};
    struct conversion_result at_once = convert_texts(profiles, 2, &options);
    char *a = converted(OBJECTS_1, &options, "a"), *b = converted(OBJECTS_2, &options, "b");
    const char *files[] = {a, b};
    struct conversion_result in_steps = convert_files(files, 2, &options);
    assert_string_equal(in_steps.dump, at_once.dump);
    conversion_free(&at_once);
    conversion_free(&in_steps);
    free(a);
    free(b);
}

/* ---- identity ----------------------------------------------------------------------------- */

static unsigned rows_that_begin(const struct conversion_result *result, const char *start)
{
    unsigned count = 0;
    for (const char *p = result->dump; (p = strstr(p, start)) != NULL; p++)
        count += p == result->dump || p[-1] == '\n';
    return count;
}

/* f of x, y and z in a.c: three functions, or one. */
static void objects_are_kept_where_they_matter(void **state)
{
    struct cg2wg_options options = options_to(7);
    char *a = converted(OBJECTS_1, &options, "a"), *b = converted(OBJECTS_2, &options, "b");
    const char *files[] = {a, b};
    static const struct {
        enum cg2wg_identity identity;
        unsigned functions;
    } cases[] = {
        {CG2WG_IDENTITY_AUTO, 3}, {CG2WG_IDENTITY_OBJECT, 3}, {CG2WG_IDENTITY_FILE, 1}, {CG2WG_IDENTITY_NAME, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        options.identity = cases[i].identity;
        struct conversion_result result = convert_files(files, 2, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_int_equal(rows_that_begin(&result, "a.c f line="), cases[i].functions);
        /* 60 of x, 30 and 1 of y, 5 of z */
        if (cases[i].functions == 1)
            assert_non_null(strstr(result.dump, " self=96 incl=96 "));
        else
            assert_non_null(strstr(result.dump, " self=31 incl=31 "));
        conversion_free(&result);
    }
    free(a);
    free(b);
}

/* ---- events ------------------------------------------------------------------------------- */

#define TWO_EVENTS "creator: x\nevents: Ir Bm\nsummary: 30 4\nfl=a\nfn=f\n1 30 4\n"

static void assert_refused(const char *file, const char *event, const char *message)
{
    struct cg2wg_options options = options_to(7);
    options.event = event;
    struct conversion_result result = convert_file(file, &options);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_string_equal(result.messages, message);
    conversion_free(&result);
}

static void the_event_has_to_be_the_one_that_is_there(void **state)
{
    struct cg2wg_options options = options_to(7);
    char *file = converted(TWO_EVENTS, &options, "a");
    options.event = "Ir";
    struct conversion_result result = convert_file(file, &options);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, " self=30 "));
    conversion_free(&result);
    assert_refused(file, "Bm", "error: no event Bm; there is: Ir\n");
    assert_refused(file, "I\177", "error: no event I?; there is: Ir\n");
    assert_refused(file, "Instr", "error: no event Instr; there is: Ir\n");
    assert_refused(file, "Xr", "error: no event Xr; there is: Ir\n");
    free(file);
}

/* A formula's name is written with underscores, and found again with blanks. */
static void a_formula_is_known_by_its_text(void **state)
{
    struct cg2wg_options options = options_to(7);
    options.event = "Ir + 10 Bm";
    char *file = converted(TWO_EVENTS, &options, "a");
    struct conversion_result result = convert_file(file, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, " self=70 ")); /* 30 + 10 * 4 */
    assert_non_null(strstr(result.dump, "header: events: Ir_+_10_Bm\n"));
    conversion_free(&result);
    free(file);
}

/*
 * main calls h before g, which comes first among the functions; f calls h before main does. So no order
 * of functions gives both the order of the calls that each makes, and that of the calls into each.
 */
static void calls_keep_both_orders(void **state)
{
    static const char profile[] = "events: Ir\nsummary: 99\nfl=a\nfn=g\n1 3\nfn=h\n1 4\n"
                                  "fn=f\n1 5\ncfn=h\ncalls=1\n2 4\n"
                                  "fn=main\n1 6\ncfn=h\ncalls=1\n4 4\ncfn=g\ncalls=1\n5 3\n"
                                  "cfn=f\ncalls=1\n6 9\ncfn=h\ncalls=1\n2 4\n";
    for (unsigned format = 6; format <= CG2WG_FORMAT_NEWEST; format++) {
        struct cg2wg_options options = options_to(format);
        char *first = converted(profile, &options, "first"), *again = scratch_path("again");
        assert_int_equal(cg2wg_convert(first, again, &options, NULL), CG2WG_OK);
        assert_same_file(first, again);
        char *dump = dump_preprocessed(again);
        assert_non_null(strstr(dump, "  to h:4 x1 =4\n  to g:5 x1 =3\n  to f:6 x1 =9\n  to h:2 x1 =4\n"));
        assert_non_null(strstr(dump, "  from f:2 x1 =4\n  from main:4 x1 =4\n  from main:2 x1 =4\n"));
        free(dump);
        free(first);
        free(again);
    }
}

static void take_event(void *user, const struct cg2wg_event *event)
{
    char *listed = user;
    snprintf(listed + strlen(listed), 200 - strlen(listed), "%s %s %s %ld\n", event->name,
             event->formula != NULL ? event->formula : "-",
             event->long_name != NULL ? event->long_name : "-", (long)event->total);
}

static void its_event_can_be_listed(void **state)
{
    struct cg2wg_options options = options_to(7);
    char *file = converted(TWO_EVENTS, &options, "a"), listed[200] = "";
    assert_int_equal(cg2wg_list_events(file, &options, take_event, listed), CG2WG_OK);
    assert_string_equal(listed, "Ir - - 30\n");
    free(file);
}

/* Only the last of these lines has costs. A reader takes the first name of the first one. */
static void the_first_events_line_is_that_of_the_costs(void **state)
{
    static const char profile[] = "cmd: ./a\nevents: Dr Dw\nevents: Ir Dr\nsummary: 3 4\nfl=a\nfn=f\n1 3 4\n";
    for (unsigned format = 5; format <= CG2WG_FORMAT_NEWEST; format++) {
        struct cg2wg_options options = options_to(format);
        char *first = converted(profile, &options, "first"), *again = scratch_path("again"), listed[100] = "";
        assert_int_equal(cg2wg_convert(first, again, &options, NULL), CG2WG_OK);
        assert_same_file(first, again);
        assert_int_equal(cg2wg_list_events(first, &options, take_event, listed), CG2WG_OK);
        assert_string_equal(listed, "Ir - - 3\n");
        free(first);
        free(again);
    }
}

/* ---- units -------------------------------------------------------------------------------- */

#define MICROSECONDS                                                                           \
    "creator: xdebug 2.9.0\nevents: Time\nsummary: 7\nfl=a\nfn=g\n1 2\nfn=f\n1 3\n"            \
    "cfl=a\ncfn=g\ncalls=1 0 0\n4 2\n"
#define TENS_OF_NANOSECONDS                                                                    \
    "creator: xdebug 3.2.0\nevents: Time_(10ns)\nsummary: 40\nfl=a\nfn=g\n1 10\nfn=f\n1 30\n"  \
    "cfl=a\ncfn=g\ncalls=1 0 0\n4 10\n"

/* A microsecond is 100 of the other: f has 3 * 100 + 30, g 2 * 100 + 10. */
static void the_smaller_unit_is_that_of_all(void **state)
{
    static const char *const orders[][2] = {{MICROSECONDS, TENS_OF_NANOSECONDS}, {TENS_OF_NANOSECONDS, MICROSECONDS}};
    struct cg2wg_options options = options_to(7);
    for (size_t i = 0; i < 2; i++) {
        struct conversion_result result = convert_texts(orders[i], 2, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "a g line=1 self=210 incl=210 inv=2\n"
                                            "  from f:4 x2 =210\n"
                                            "a f line=1 self=330 incl=540 inv=2\n"
                                            "  to g:4 x2 =210\n"));
        assert_null(strstr(result.dump, "Time\n"));
        conversion_free(&result);
    }
}

static void invocations_get_the_smaller_unit_too(void **state)
{
    static const char *const profiles[] = {TENS_OF_NANOSECONDS, MICROSECONDS};
    struct cg2wg_options options = options_to(4);
    struct conversion_result result = convert_texts(profiles, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "  #0 self=10 incl=10 from f#0:4 =10\n"
                                        "  #1 self=200 incl=200 from f#1:4 =200\n"));
    assert_non_null(strstr(result.dump, "  #1 self=300 incl=500 from nobody\n"));
    conversion_free(&result);
}

/* A call of a function that has no record stays one without self cost. */
static void invocations_without_a_record_have_no_cost_to_multiply(void **state)
{
    static const char *const profiles[] = {"creator: xdebug 3.2.0\nevents: Time_(10ns)\nsummary: 4\nfl=a\nfn=g\n1 4\n",
                                           "creator: xdebug 2.9.0\nevents: Time\nsummary: 3\nfl=a\nfn=f\n1 3\n"
                                           "cfl=a\ncfn=h\ncalls=1 0 0\n4 2\n"};
    struct cg2wg_options options = options_to(4);
    struct conversion_result result = convert_texts(profiles, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "  #0 self=300 incl=500 from nobody\n    to h#0:4 =200\n"));
    assert_non_null(strstr(result.dump, "  #0 self=0 incl=200 from f#0:4 =200\n"));
    conversion_free(&result);
}

static void scaled_events_are_of_one_unit(void **state)
{
    static const char scaled[] = "creator: x\nevents: Ir_(x10)\nsummary: 3\nfl=a\nfn=f\n1 3\n";
    static const char plain[] = "creator: x\nevents: Ir\nsummary: 4\nfl=a\nfn=f\n1 4\n";
    static const char *const orders[][2] = {{scaled, plain}, {plain, scaled}};
    struct cg2wg_options options = options_to(7);
    for (size_t i = 0; i < 2; i++) {
        struct conversion_result result = convert_texts(orders[i], 2, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "a f line=1 self=34 incl=34 inv=2\n"));
        conversion_free(&result);
    }
}

/* If neither is a multiple of the other, the output has the largest unit of which both are multiples. */
static void units_that_do_not_divide_each_other_become_a_third(void **state)
{
    static const struct {
        const char *events[2];
        unsigned costs[2];
        const char *event, *self; /* of both together */
    } cases[] = {
        {{"Ir_(x3)", "Ir_(x10)"}, {10000, 3000}, "Ir", "60000"},
        {{"Ir_(x6)", "Ir_(x10)"}, {5, 4}, "Ir_(x2)", "35"},
        {{"Time", "Time_(30ns)"}, {7, 1000}, "Time_(10ns)", "3700"},
        {{"Time_(60ns)", "Time_(100ns)"}, {5, 4}, "Time_(20ns)", "35"},
        {{"Time_(x6)", "Time_(x10)"}, {5, 4}, "Time_(x2)", "35"},
        {{"Time_(x3)", "Time_(200ns)"}, {1, 1}, "Time_(200ns)", "16"},
        /* So many microseconds are no number of nanoseconds: this is the name of something else. */
        {{"Time_(x1000000000000000000)", "Time_(x1000000000000000000)_(x3)"}, {5, 4},
         "Time_(x1000000000000000000)", "17"},
    };
    for (size_t i = 0; i < 4 * COUNT(cases); i++) {
        char profiles[2][100], header[100], self[100];
        struct cg2wg_options options = options_to(i % 2 == 0 ? 7 : 4);
        for (size_t j = 0; j < 2; j++)
            snprintf(profiles[j], sizeof profiles[j], "events: %s\nsummary: %u\nfn=f\n1 %u\n",
                     cases[i / 4].events[j], cases[i / 4].costs[j], cases[i / 4].costs[j]);
        snprintf(header, sizeof header, "header: events: %s\n", cases[i / 4].event);
        snprintf(self, sizeof self, " self=%s incl=%s ", cases[i / 4].self, cases[i / 4].self);
        const char *both[] = {profiles[i / 2 % 2], profiles[1 - i / 2 % 2]};
        struct conversion_result result = convert_texts(both, 2, &options);
        assert_int_equal(result.status, CG2WG_OK);
        if (strstr(result.dump, header) == NULL || strstr(result.dump, self) == NULL)
            fail_msg("found %s, expected%sand %s", result.dump, self, header);
        conversion_free(&result);
    }
}

/* The common unit of these two is Ir: each cost is the largest one then, and a message says so. */
static void a_cost_may_be_too_large_for_the_common_unit(void **state)
{
    const char *profiles[] = {"events: Ir_(x18446744073709551615)\nsummary: 1\nfn=f\n1 1\n",
                              "events: Ir_(x18446744073709551614)\nsummary: 1\nfn=g\n1 1\n"};
    struct conversion_result result = convert_texts(profiles, 2, NULL);
    const char *said = strstr(result.messages, "costs do not fit 64 bits");
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(said);
    assert_non_null(strstr(said + 1, "costs do not fit 64 bits"));
    conversion_free(&result);
}

/* A preprocessed file in microseconds, after a profile that is more exact */
static void a_preprocessed_file_may_have_the_larger_unit(void **state)
{
    struct cg2wg_options options = options_to(7);
    char *file = converted(MICROSECONDS, &options, "a");
    char *profile = scratch_path("b");
    write_file(profile, TENS_OF_NANOSECONDS, sizeof TENS_OF_NANOSECONDS - 1);
    const char *inputs[] = {profile, file};
    struct conversion_result result = convert_files(inputs, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "a g line=1 self=210 incl=210 inv=2\n"));
    conversion_free(&result);
    free(file);
    free(profile);
}

/* All costs belong to the first part that has a total, even one of 1. If none has, they belong to the first part. */
static void a_part_without_costs_may_come_first(void **state)
{
    struct cg2wg_options options = options_to(7);
    char *file = converted("events: Ir\nsummary: 0\nfn=f\n1 0\n\npart: 2\nevents: Ir\nsummary: 1\nfn=f\n1 1\n",
                           &options, "a");
    struct conversion_result result = convert_file(file, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, "header: summary: 0\n"));
    assert_non_null(strstr(result.dump, "header: summary: 1\n"));
    conversion_free(&result);
    free(file);

    size_t size;
    file = converted("events: Ir\nsummary: 2\nfn=f\n1 2\n\npart: 2\nsummary: 3\nfn=f\n1 3\n", &options, "a");
    char *bytes = read_file(file, &size);
    for (size_t i = 0; i + 10 <= size; i++)
        if (memcmp(bytes + i, "summary: ", 9) == 0)
            bytes[i + 9] = '0';
    write_file(file, bytes, size);
    result = convert_file(file, &options);
    assert_non_null(strstr(result.dump, "header: summary: 5\nheader: part: 2\nheader: summary: 0\n"));
    conversion_free(&result);
    free(bytes);
    free(file);
}

/* Names that look like a measure but are none count as they are. */
static void names_that_are_no_measure_are_names(void **state)
{
    static const char *const names[] = {
        "Time_(15n)", "Time_(0ns)", "A_(10ns)", "_(x5)", "(x5)", "x5)", "A_(x0)", "A_(x)", ")",
        "A_(x99999999999999999999)",
        "A_(x18446744073709551615)", "Time_(x1000000000000000000)", "7)", "_(10ns)"};
    struct cg2wg_options options = options_to(7);
    for (size_t i = 0; i < COUNT(names); i++) {
        char profile[200];
        snprintf(profile, sizeof profile,
                 "creator: x\nevents: %s\nsummary: 3\nfl=a\nfn=f\n1 3\n", names[i]);
        const char *profiles[] = {profile, profile};
        struct conversion_result result = convert_texts(profiles, 2, &options);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "a f line=1 self=6 incl=6 inv=2\n"));
        conversion_free(&result);
    }
}

/* Zeros that change nothing count as digits: no name takes longer than the digits of a number. */
static void a_measure_has_20_digits_at_most(void **state)
{
    static const struct {
        const char *name;
        enum cg2wg_status status;
    } cases[] = {
        {"Ir_(x00000000000000000010)", CG2WG_OK},
        {"Ir_(x000000000000000000010)", CG2WG_FAILED},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char profile[200];
        snprintf(profile, sizeof profile, "events: %s\nsummary: 3\nfn=f\n1 3\n", cases[i].name);
        const char *profiles[] = {"events: Ir\nsummary: 4\nfn=f\n1 4\n", profile};
        struct conversion_result result = convert_texts(profiles, 2, NULL);
        assert_int_equal(result.status, cases[i].status);
        if (result.status == CG2WG_OK)
            assert_non_null(strstr(result.dump, " self=34 "));
        conversion_free(&result);
    }
}

static void a_product_below_64_bits_stays_at_the_end_too(void **state)
{
    static const char *const profiles[] = {
        "creator: x\nevents: M_(x10000000000)\nsummary: 5\nfl=a\nfn=f\n1 -4000000000\n"
        "fn=g\n1 1\n",
        "creator: x\nevents: M\nsummary: 4\nfl=a\nfn=g\n1 4\n"};
    struct cg2wg_options options = options_to(7);
    options.scale = UINT64_C(1000000000);
    struct conversion_result result = convert_texts(profiles, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "a g line=1 self=10 incl=10 inv=2\n"));
    assert_non_null(strstr(result.dump, "a f line=1 self=0 incl=0 inv=1\n"));
    conversion_free(&result);
}

/* What leaves 64 bits stays at the end that it left by. */
static void a_product_that_is_too_large_stays_at_the_end(void **state)
{
    static const char *const profiles[] = {
        "creator: x\nevents: Ir_(x10000000000)\nsummary: 4000000000\nfl=a\nfn=f\n1 4000000000\n",
        "creator: x\nevents: Ir\nsummary: 4\nfl=a\nfn=g\n1 4\n"};
    struct cg2wg_options options = options_to(7);
    options.scale = CG2WG_SCALE_NONE;
    struct conversion_result result = convert_texts(profiles, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "a f line=1 self=4294967295 incl=4294967295 inv=1\n"));
    assert_non_null(strstr(result.dump, "a g line=1 self=4 incl=4 inv=1\n"));
    conversion_free(&result);
}

/* ---- sums that leave 64 bits -------------------------------------------------------------- */

static void counts_and_weights_stay_at_the_largest(void **state)
{
    static const char profile[] = "creator: x\nevents: A B\nsummary: 1 0\nfl=a\nfn=g\n1 1 0\n"
                                  "fn=f\n2 0 0\ncfn=g\ncalls=18446744073709551615 1\n3 1 0\n"
                                  "cfn=g\ncalls=18446744073709551615 1\n3 1 0\n";
    struct cg2wg_options options = options_to(7);
    struct conversion_result result = convert_text(profile, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "  from f:3 x4294967295 =2\n"));
    conversion_free(&result);
    options.event = "18446744073709551615 A + A";
    result = convert_text(profile, &options);
    assert_int_equal(result.status, CG2WG_OK);
    /* 2^63 - 1, divided by 10^10 */
    assert_non_null(strstr(result.dump, "a g line=1 self=922337204 "));
    conversion_free(&result);
}

/* ---- headers of preprocessed files -------------------------------------------------------- */

/* A file of version 7 with one function of object x, and these lines between and after. */
static struct conversion_result convert_made(const char *gap, const char *headers)
{
    static const unsigned char row[] = "\1\0\0\0\5\0\0\0\5\0\0\0\1\0\0\0"
                                       "\0\0\0\0\0\0\0\0a\nf\n";
    unsigned char file[400] = {7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 16};
    size_t size = 16;
    memcpy(file + size, row, sizeof row - 1);
    size += sizeof row - 1;
    memcpy(file + size, gap, strlen(gap));
    size += strlen(gap);
    file[4] = (unsigned char)size;
    memcpy(file + size, headers, strlen(headers));
    return convert_bytes(file, size + strlen(headers), NULL);
}

static void made_files_are_read_whatever_their_headers_are(void **state)
{
    static const char *const gaps[] = {"", "cg2wg objects\n1 x\n", "cg2wg objects\n0 x\n",
                                       "cg2wg objects\n1x\n", "cg2wg objects\nx\n",
                                       "cg2wg objects\n1 x", "cg2wg objects\n", "something\n"};
    static const char *const headers[] = {
        "events: Ir\nsummary: 5\n",
        "events: Ir\nsummary: some\n",
        "events: Ir\nsummary: 99999999999999999999\n",
        "events: Ir\nsummary: 18446744073709551615\n",
        "creator: xdebug 2\nevents: Ir\nsummary: 5\n",
        "creator: Xdebug 2\nevents: Ir\nsummary: 5\n",
        "version: 0.9.6\nevents: Ir\nsummary: 5\n",
        "version: 0.9.6\ncreator: other\nevents: Ir\nsummary: 5\n",
        "no colon\nevents: Ir\nsummary: 5\n",
        "events: Ir\n"};
    for (size_t gap = 0; gap < COUNT(gaps); gap++)
        for (size_t i = 0; i < COUNT(headers); i++) {
            struct conversion_result result = convert_made(gaps[gap], headers[i]);
            if (result.status != CG2WG_OK)
                fail_msg("\"%s\", \"%s\": %s", gaps[gap], headers[i], result.messages);
            assert_int_equal(strncmp(result.dump, "a f line=1 self=5 incl=5 inv=1\n", 31), 0);
            conversion_free(&result);
        }
}

static void objects_end_where_they_are_damaged(void **state)
{
    enum { FUNCTIONS = 6 };
    static const struct {
        const char *gap, *objects; /* a letter for each function: its object, or what it is known by */
    } cases[] = {
        {"cg2wg objects\n2 x\n3 y\n1 z\n", "xxyyyz"}, {"cg2wg objects\n2 x\n1 z\n", "xxzOOO"},
        {"cg2wg objects\n2 x\n3y\n1 z\n", "xxOOOO"},  {"cg2wg objects\n2 x\n0 y\n1 z\n", "xxOOOO"},
        {"cg2wg objects\n2 x\n\n1 z\n", "xxOOOO"},    {"cg2wg objects\n2 x\n3 y", "xxOOOO"},
        {"cg2wg objects\n1 \n3 y\n", "OyyyOO"},       {"2 x\n", "OOOOOO"},
        {"cg2wg objects\n1n \n2o \n1f \n1 x\n1 \n", "nOOfxO"}, /* O: by an object, without one */
        {"cg2wg objects\n1n x\n2b \n1f \n", "nOOOOO"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct objects objects;
        char found[FUNCTIONS + 1] = "";
        objects_read(&objects, text_of_string(cases[i].gap), IDENTITY_OBJECT);
        for (size_t k = 0; k < FUNCTIONS; k++) {
            objects_next(&objects);
            bool is_empty = text_is_empty(objects.object) || objects.identity != IDENTITY_OBJECT;
            found[k] = is_empty ? "nfO"[objects.identity - IDENTITY_NAME] : *objects.object.at;
        }
        if (strcmp(found, cases[i].objects) != 0)
            fail_msg("\"%s\": %s, expected %s", cases[i].gap, found, cases[i].objects);
    }
}

static void a_file_without_functions_is_an_error(void **state)
{
    static const unsigned char head[] = {7, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0};
    struct cg2wg_options options = options_to(7);
    options.input_format = "preprocessed";
    struct conversion_result result = convert_bytes(head, sizeof head, &options);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_string_equal(result.messages, "error: this file has no function\n");
    conversion_free(&result);
}

static void costs_stay_at_the_smallest(void **state)
{
    static const char profile[] = "creator: xdebug 3\nevents: M\nsummary: 1\nfl=a\nfn=g\n1 5\n\n"
                                  "fl=a\nfn=f\n1 -9223372036854775808\n1 -9223372036854775808\n"
                                  "cfl=a\ncfn=g\ncalls=1 0 0\n2 -9223372036854775808\n"
                                  "cfl=a\ncfn=g\ncalls=1 0 0\n2 -9223372036854775808\n";
    struct conversion_result result = convert_text(profile, NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "a f line=1 self=0 incl=0 inv=1\n  to g:2 x2 =0\n"));
    conversion_free(&result);
    /* The same, cut off: g is left. */
    char cut[sizeof profile + 10];
    snprintf(cut, sizeof cut, "%scfl=a\ncf", profile);
    result = convert_text(cut, NULL);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "a g line=1 self=5 incl=5 inv=1\n"));
    assert_null(strstr(result.dump, "a f "));
    conversion_free(&result);
}

/* webgrind reads decimal numbers after one blank. */
static void totals_are_written_for_the_reader(void **state)
{
    static const char *const lines[] = {"summary: 31",   "summary:31",   "summary:  31",
                                        "summary: 0x1f", "summary:0X1F", "summary:\t0x1F"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        char profile[200];
        snprintf(profile, sizeof profile, "creator:x\ncmd:\npid:5\ndesc: \nevents: Ir\n%s\nfl=a\nfn=f\n1 31\n",
                 lines[i]);
        struct conversion_result result = convert_text(profile, NULL);
        assert_int_equal(result.status, CG2WG_OK);
        assert_non_null(strstr(result.dump, "header: summary: 31\n"));
        conversion_free(&result);
    }
}

/* ---- a record that was cut off ------------------------------------------------------------ */

/* It calls so often that its calls are added up while it is read; nothing of it may remain. */
static void a_cut_off_record_of_very_many_calls_is_undone(void **state)
{
    static const char head[] = "creator: xdebug 3.2.0\nevents: Time\n\nfn=(1) f\n1 2\n\n"
                               "fn=(2) g\n3 4\ncfn=(1)\ncalls=1 0 0\n5 2\n\n";
    static const char call[] = "cfn=(1)\ncalls=1 0 0\n5 9\n";
    enum { CALLS = 200000 };
    char *profile = malloc(sizeof head + sizeof call * CALLS + 100), *end = profile;
    end += sprintf(end, "%sfn=(2)\n3 4\n", head);
    for (int i = 0; i < CALLS; i++) {
        memcpy(end, call, sizeof call - 1);
        end += sizeof call - 1;
    }
    strcpy(end, "cfn=(1");
    struct cg2wg_options options = options_to(7);
    struct conversion_result whole = convert_text(head, &options);
    struct conversion_result cut = convert_text(profile, &options);
    assert_int_equal(cut.status, CG2WG_OK);
    assert_string_equal(cut.dump, whole.dump);
    assert_non_null(strstr(cut.messages, "a record, which is left out"));
    conversion_free(&whole);
    conversion_free(&cut);
    free(profile);
}

/* ---- small blocks ------------------------------------------------------------------------- */

static void blocks_may_be_smaller_than_what_names_the_compression(void **state)
{
    struct cg2wg_options options = options_to(7);
    struct conversion_result usual = convert_text(NAMES_1, &options);
    for (read_at_once = 1; read_at_once < 12; read_at_once++) {
        struct conversion_result result = convert_text(NAMES_1, &options);
        assert_string_equal(result.dump, usual.dump);
        conversion_free(&result);
    }
    read_at_once = 0;
    conversion_free(&usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_steps_the_bytes_are_the_same),
        cmocka_unit_test(functions_of_several_producers_stay_apart_in_steps),
        cmocka_unit_test(what_is_usual_is_not_reported),
        cmocka_unit_test(a_chosen_identity_stays_with_its_functions),
        cmocka_unit_test(of_profiles_and_of_what_was_made_of_them_the_same_comes_out),
        cmocka_unit_test(objects_are_kept_where_they_matter),
        cmocka_unit_test(the_event_has_to_be_the_one_that_is_there),
        cmocka_unit_test(a_formula_is_known_by_its_text),
        cmocka_unit_test(calls_keep_both_orders),
        cmocka_unit_test(its_event_can_be_listed),
        cmocka_unit_test(the_first_events_line_is_that_of_the_costs),
        cmocka_unit_test(the_smaller_unit_is_that_of_all),
        cmocka_unit_test(invocations_get_the_smaller_unit_too),
        cmocka_unit_test(invocations_without_a_record_have_no_cost_to_multiply),
        cmocka_unit_test(scaled_events_are_of_one_unit),
        cmocka_unit_test(units_that_do_not_divide_each_other_become_a_third),
        cmocka_unit_test(a_cost_may_be_too_large_for_the_common_unit),
        cmocka_unit_test(a_preprocessed_file_may_have_the_larger_unit),
        cmocka_unit_test(a_part_without_costs_may_come_first),
        cmocka_unit_test(names_that_are_no_measure_are_names),
        cmocka_unit_test(a_measure_has_20_digits_at_most),
        cmocka_unit_test(a_product_below_64_bits_stays_at_the_end_too),
        cmocka_unit_test(a_product_that_is_too_large_stays_at_the_end),
        cmocka_unit_test(counts_and_weights_stay_at_the_largest),
        cmocka_unit_test(made_files_are_read_whatever_their_headers_are),
        cmocka_unit_test(objects_end_where_they_are_damaged),
        cmocka_unit_test(a_file_without_functions_is_an_error),
        cmocka_unit_test(costs_stay_at_the_smallest),
        cmocka_unit_test(totals_are_written_for_the_reader),
        cmocka_unit_test(a_cut_off_record_of_very_many_calls_is_undone),
        cmocka_unit_test(blocks_may_be_smaller_than_what_names_the_compression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
