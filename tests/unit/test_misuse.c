/* SPDX-License-Identifier: MIT */
/* Each argument and each member that no call can mean is CG2WG_MISUSE, with an error that names it. */
#include "support.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *input, *output;
static FILE *nowhere;
static char said[300];

static void report(void *user, const struct cg2wg_message *message)
{
    if (message->severity == CG2WG_ERROR)
        snprintf(said, sizeof said, "%s", message->text);
}

static void list(void *user, const struct cg2wg_event *event)
{
}

static void take(void *user, const struct cg2wg_profile *profile)
{
}

/* All functions, with options; the last one also with a view. An error that is said must be of `of`; "": no misuse. */
static void assert_calls(const char *of, struct cg2wg_options options, struct cg2wg_view view, bool is_of_view)
{
    options.report = report;
    options.size = sizeof options;
    view.size = sizeof view;
    for (int call = is_of_view ? 3 : 0; call < 4; call++) {
        *said = '\0';
        enum cg2wg_status status = call == 0   ? cg2wg_convert(input, output, &options, NULL)
                                   : call == 1 ? cg2wg_list_events(input, &options, list, NULL)
                                   : call == 2 ? cg2wg_read(input, &options, 0, take, NULL)
                                               : cg2wg_print(input, &options, &view, nowhere, NULL);
        if (*of == '\0' ? status == CG2WG_MISUSE : status != CG2WG_MISUSE || strstr(said, of) == NULL)
            fail_msg("%s in call %d: %d, said \"%s\"", of, call, (int)status, said);
    }
}

static struct cg2wg_view default_view(void)
{
    struct cg2wg_view view;
    cg2wg_view_init(&view, sizeof view);
    return view;
}

static unsigned last_style(void)
{
    unsigned style = CG2WG_MARKDOWN;
    while (cg2wg_style_about((enum cg2wg_style)(style + 1)) != NULL)
        style++;
    return style;
}

static void enumerators_are_checked(void **state)
{
    const struct {
        const char *name;
        size_t at, last;
        bool is_of_view;
    } members[] = {
#define OPTION(member, last) {#member, offsetof(struct cg2wg_options, member), last, false}
#define VIEW(member, last) {#member, offsetof(struct cg2wg_view, member), last, true}
        OPTION(identity, CG2WG_IDENTITY_OBJECT), OPTION(records, CG2WG_RECORDS_SUMS),
        OPTION(summary, CG2WG_SUMMARY_FILE), OPTION(inclusive, CG2WG_INCLUSIVE_OUTERMOST),
        OPTION(demangle, CG2WG_DEMANGLE_NEVER), OPTION(format, CG2WG_FORMAT_NEWEST),
        VIEW(style, last_style()), VIEW(order, CG2WG_BY_PLACE),
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        unsigned last = (unsigned)members[i].last;
        const unsigned values[] = {0, last, last + 1, 99, INT_MAX, (unsigned)INT_MIN, UINT_MAX};
        for (size_t k = strcmp(members[i].name, "format") == 0; k < sizeof values / sizeof values[0]; k++) {
            struct cg2wg_options options = default_options();
            struct cg2wg_view view = default_view();
            memcpy((members[i].is_of_view ? (char *)&view : (char *)&options) + members[i].at, &values[k],
                   sizeof values[k]);
            assert_calls(values[k] <= last ? "" : members[i].name, options, view, members[i].is_of_view);
        }
    }
}

static void members_of_options_are_checked(void **state)
{
    static const char *const texts[] = {"f", NULL};
    static const struct {
        const char *of;
        struct cg2wg_options options;
    } cases[] = {
        {"format", {.format = 3}},
        {"scale", {.format = 7, .scale = UINT64_C(1) << 63}},
        {"scale", {.format = 7, .scale = UINT64_C(1000000000000000001)}},
        {"", {.format = 7, .scale = UINT64_C(1000000000000000000)}},
        {"input format g?of", {.format = 7, .input_format = "g\rof"}}, /* what is said is printable */
        {"proxies", {.format = 7, .proxy_count = 1}},
        {"proxies", {.format = 7, .proxies = texts, .proxy_count = 2}},
        {"", {.format = 7, .proxies = texts, .proxy_count = 1, .expected_proxy_count = 1}},
        {"expected_proxy_count", {.format = 7, .proxies = texts, .proxy_count = 1, .expected_proxy_count = 2}},
        {"samples.names", {.format = 7, .samples = {.name_count = 1}}},
        {"samples.names", {.format = 7, .samples = {.names = texts, .name_count = 2}}},
        {"samples.pids", {.format = 7, .samples = {.pid_count = 1}}},
        {"samples.tids", {.format = 7, .samples = {.tid_count = 1}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_calls(cases[i].of, cases[i].options, default_view(), false);
}

static void members_of_a_view_are_checked(void **state)
{
    static const char *texts[] = {"f", NULL};
    static const struct cg2wg_patterns one = {texts, 1}, two = {texts, 2}, none = {NULL, 1};
    for (unsigned style = CG2WG_TABLE; style <= last_style(); style++) {
        unsigned takes = cg2wg_style_about((enum cg2wg_style)style)->takes;
        bool has_functions = (takes & CG2WG_TAKES_FUNCTIONS) != 0, has_base = (takes & CG2WG_TAKES_BASE) != 0;
        const struct {
            const char *of;
            struct cg2wg_view view;
        } cases[] = {
            {"min", {.style = style, .min = 100.5, .fail_above = -1}},
            {"min", {.style = style, .min = NAN, .fail_above = -1}},
            {"", {.style = style, .min = 100, .fail_above = -1}},
            {"fail_above", {.style = style, .fail_above = 1}},
            {"fail_above", {.style = style, .base = input, .fail_above = 1000001}},
            {"fail_above", {.style = style, .base = input, .fail_above = NAN}},
            {"only", {.style = style, .only = two, .fail_above = -1}},
            {"hide", {.style = style, .hide = none, .fail_above = -1}},
            {"functions", {.style = style, .functions = none, .fail_above = -1}},
            {has_functions ? "" : "functions", {.style = style, .functions = one, .fail_above = -1}},
            {has_base ? "" : "base", {.style = style, .base = input, .fail_above = 1000000}},
            {"base", {.style = style, .base = input, .functions = one, .fail_above = -1}},
            {"", {.style = style, .columns = SIZE_MAX, .lines = SIZE_MAX, .top = UINT_MAX, .fail_above = -1}},
        };
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            assert_calls(cases[i].of, default_options(), cases[i].view, true);
    }
}

static void arguments_are_checked(void **state)
{
    const char *const inputs[] = {input, NULL};
    struct cg2wg_options options = default_options();
    struct cg2wg_view view = default_view();
    struct cg2wg_stats stats = {.size = sizeof stats};
    options.report = report;
    for (size_t count = 0; count < 3; count++)
        assert_int_equal(cg2wg_convert_all(inputs, count, output, &options, &stats), count == 1 ? CG2WG_OK : CG2WG_MISUSE);
    assert_int_equal(cg2wg_convert_all(NULL, 0, output, &options, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_convert_all(NULL, 1, output, &options, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_convert(NULL, output, &options, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_convert(input, NULL, &options, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_list_events(NULL, &options, list, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_list_events(input, &options, NULL, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_read(NULL, &options, 0, take, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_read(input, &options, CG2WG_WANTS_CONTEXTS, NULL, NULL), CG2WG_MISUSE);
    assert_int_equal(cg2wg_print(NULL, &options, &view, nowhere, NULL), CG2WG_MISUSE);
    *said = '\0';
    assert_int_equal(cg2wg_print(input, &options, &view, NULL, NULL), CG2WG_MISUSE);
    assert_non_null(strstr(said, "stream"));
    view.output = output; /* in place of the stream */
    options.overwrite = true;
    assert_int_equal(cg2wg_print(input, &options, &view, NULL, NULL), CG2WG_OK);
    assert_int_equal(cg2wg_format_of(NULL, 0), 0);
}

/* NULL stands for the defaults. */
static void options_may_be_left_out(void **state)
{
    struct cg2wg_options options = default_options();
    remove(output);
    assert_int_equal(cg2wg_convert(input, output, NULL, NULL), CG2WG_OK);
    char *by_default = read_file(output, NULL);
    assert_int_equal(cg2wg_format_of(by_default, 16), CG2WG_FORMAT_DEFAULT);
    free(by_default);
    assert_int_equal(cg2wg_list_events(input, NULL, list, NULL), CG2WG_OK);
    assert_int_equal(cg2wg_read(input, NULL, CG2WG_WANTS_CONTEXTS, take, NULL), CG2WG_OK);
    assert_int_equal(cg2wg_print(input, NULL, NULL, nowhere, NULL), CG2WG_OK);
    assert_int_equal(cg2wg_print(input, &options, NULL, nowhere, NULL), CG2WG_OK);
    assert_int_equal(cg2wg_read("/none/at/all", NULL, 0, take, NULL), CG2WG_FAILED);
}

static int set_up(void **state)
{
    static const char profile[] = "events: cpu(ns)\nfl=a\nfn=f\n1 100\n\nfn={main}\n2 200\n"
                                  "cfn=f\ncalls=1 0 0\n3 100\n\nsummary: 300\n";
    input = scratch_path("input");
    output = scratch_path("output");
    nowhere = fopen("/dev/null", "w");
    write_file(input, profile, strlen(profile));
    return nowhere == NULL;
}

static int tear_down(void **state)
{
    free(input);
    free(output);
    return fclose(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumerators_are_checked),       cmocka_unit_test(members_of_options_are_checked),
        cmocka_unit_test(members_of_a_view_are_checked), cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(options_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
