/* SPDX-License-Identifier: MIT */
/* What programs of another version of the header may rely on, the handle, and which member a message is about. */
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static char *input, *output;
static enum cg2wg_member last_member;
static unsigned reported;

static const char profile[] = "events: Ir\nfl=a\nfn=f\n1 100\n\nfn={main}\n2 200\n"
                              "cfn=f\ncalls=1 0 0\n3 100\n\nsummary: 300\n";

static void keep_member(void *user, const struct cg2wg_message *message)
{
    last_member = message->member;
    reported++;
}

/* An options struct of another version: its size, and what follows the members of today. */
struct other_options {
    struct cg2wg_options options;
    unsigned char more[64];
};

static void a_struct_may_be_of_another_version(void **state)
{
    struct other_options other;
    memset(&other, 0x55, sizeof other);
    cg2wg_options_init(&other.options, sizeof other);
    assert_int_equal(other.options.size, sizeof other);
    for (size_t i = 0; i < sizeof other.more; i++)
        assert_int_equal(other.more[i], 0);
    other.options.overwrite = true;
    assert_int_equal(cg2wg_convert(input, output, &other.options, NULL), CG2WG_OK);
    other.more[sizeof other.more - 1] = 1; /* a member that this version does not know is set */
    assert_int_equal(cg2wg_convert(input, output, &other.options, NULL), CG2WG_MISUSE);

    /* Of an older version, nothing behind its end is read or written: `user` is the last member of the first one. */
    unsigned char bytes[sizeof(struct cg2wg_options) + 8];
    memset(bytes, 0x55, sizeof bytes);
    cg2wg_options_init((void *)bytes, 16);
    for (size_t i = 16; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], 0x55);
    struct cg2wg_options options = default_options();
    static const size_t wrong[] = {0, 8, sizeof options - 1, 4097, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.size = wrong[i];
        assert_int_equal(cg2wg_convert(input, output, &options, NULL), CG2WG_MISUSE);
        assert_null(cg2wg_load(input, &options, 0));
    }
}

static void a_view_and_stats_have_sizes_too(void **state)
{
    struct {
        struct cg2wg_view view;
        unsigned char more[8];
    } other;
    FILE *nowhere = fopen("/dev/null", "w");
    memset(&other, 0x55, sizeof other);
    cg2wg_view_init(&other.view, sizeof other);
    assert_int_equal(other.more[0], 0);
    assert_int_equal(cg2wg_print(input, NULL, &other.view, nowhere, NULL), CG2WG_OK);
    other.more[0] = 1;
    assert_int_equal(cg2wg_print(input, NULL, &other.view, nowhere, NULL), CG2WG_MISUSE);
    other.view.size = 0;
    assert_int_equal(cg2wg_print(input, NULL, &other.view, nowhere, NULL), CG2WG_MISUSE);
    fclose(nowhere);

    struct {
        struct cg2wg_stats stats;
        unsigned char more[8];
    } larger = {.stats.size = sizeof larger, .more = {7}};
    struct cg2wg_stats none = {.size = 0};
    assert_int_equal(cg2wg_convert(input, output, NULL, &larger.stats), CG2WG_OK);
    assert_int_equal(larger.stats.size, sizeof larger);
    assert_int_equal(larger.stats.functions, 2);
    assert_int_equal(larger.more[0], 7);
    assert_int_equal(cg2wg_convert(input, output, NULL, &none), CG2WG_MISUSE);
}

static void the_versions_agree(void **state)
{
    unsigned major, minor, patch;
    assert_int_equal(sscanf(CG2WG_VERSION, "%u.%u.%u", &major, &minor, &patch), 3);
    assert_int_equal(CG2WG_VERSION_NUMBER, major * 10000 + minor * 100 + patch);
    assert_int_equal(cg2wg_version(), CG2WG_VERSION_NUMBER);
}

/* ---- the handle --------------------------------------------------------------------------- */

static void *sum_and_free(void *loaded)
{
    const struct cg2wg_profile *p = loaded;
    int64_t sum = 0;
    for (size_t i = 0; i < p->function_count; i++)
        sum += p->functions[i].self;
    cg2wg_free(p);
    return (void *)(intptr_t)sum;
}

/* Of each part; webgrind takes these for its percentages. */
static void the_total_is_that_of_all_parts(void **state)
{
    static const char parts[] = "events: Ir\nsummary: 7\nfn=f\n1 5\n\npart: 2\nsummary: 4\nfn=f\n1 4\n\npart: 3\n"
                                "summary: 1\nfn=g\n2 1\n";
    char *path = scratch_path("parts");
    write_file(path, parts, strlen(parts));
    const struct cg2wg_profile *p = cg2wg_load(path, NULL, 0);
    assert_int_equal(p->total, 12);
    assert_int_equal(p->functions[0].self, 9);
    cg2wg_free(p);
    free(path);
}

/* Two are in use at the same time, and a thread other than the one that loaded it frees one. */
static void a_profile_stays_until_it_is_freed(void **state)
{
    const struct cg2wg_profile *one = cg2wg_load(input, NULL, 0), *two = cg2wg_load(input, NULL, CG2WG_WANTS_CONTEXTS);
    pthread_t thread;
    void *sum;
    assert_non_null(one);
    assert_non_null(two);
    assert_int_equal(one->total, 300);
    assert_int_equal(one->function_count, 2);
    assert_int_equal(one->arcs[0].cost, 100);
    assert_false(one->has_contexts);
    assert_int_equal(pthread_create(&thread, NULL, sum_and_free, (void *)one), 0);
    assert_int_equal(pthread_join(thread, &sum), 0);
    assert_int_equal((intptr_t)sum, 300);
    assert_int_equal(two->functions[1].self, 200);
    assert_memory_equal(two->functions[1].name.at, "{main}", two->functions[1].name.length);
    cg2wg_free(two);
    cg2wg_free(NULL);
}

/* The self costs of lines add up to those of functions, and calls to those of arcs, which are at the same lines. */
static void lines_are_loaded_if_they_are_wanted(void **state)
{
    const struct cg2wg_profile *none = cg2wg_load(input, NULL, 0), *all = cg2wg_load(input, NULL, CG2WG_WANTS_LINES);
    int64_t self = 0, calls = 0;
    assert_non_null(none);
    assert_non_null(all);
    assert_null(none->lines);
    assert_int_equal(none->line_count, 0);
    assert_int_equal(all->line_count, 3);
    for (size_t i = 0; i < all->line_count; i++) {
        const struct cg2wg_line *line = &all->lines[i];
        *(line->callee == CG2WG_NO_FUNCTION ? &self : &calls) += line->cost;
        assert_true(line->file.length > 0);
        if (line->callee != CG2WG_NO_FUNCTION) {
            assert_int_equal(line->function, all->arcs[0].caller);
            assert_int_equal(line->callee, all->arcs[0].callee);
            assert_int_equal(line->line, all->arcs[0].line);
            assert_int_equal(line->calls, all->arcs[0].calls);
        }
    }
    assert_int_equal(self, 300);
    assert_int_equal(calls, 100);
    cg2wg_free(none);
    cg2wg_free(all);
}

static void what_cannot_be_loaded_is_reported(void **state)
{
    struct cg2wg_options options = default_options();
    options.report = keep_member;
    reported = 0;
    assert_null(cg2wg_load("/none/at/all", &options, 0));
    assert_null(cg2wg_load(NULL, &options, 0));
    assert_null(cg2wg_load(input, &options, 4)); /* no flag */
    assert_int_equal(reported, 3);
}

/* ---- messages ----------------------------------------------------------------------------- */

/* The members are the contract: programs put their own words for them into their messages. */
static void a_message_is_about_a_member(void **state)
{
    static const char *const names[] = {"none"};
    static const uint32_t ids[] = {1};
    static const char *const hidden[] = {"nothing"};
    static const struct {
        enum cg2wg_member member;
        struct cg2wg_options options;
        bool is_printed;
        const char *text;
        enum cg2wg_style style;
    } cases[] = {
        {CG2WG_MEMBER_SAMPLES_NAMES, {.samples = {.names = names, .name_count = 1}}, .text = profile},
        {CG2WG_MEMBER_SAMPLES_PIDS, {.samples = {.pids = ids, .pid_count = 1}}, .text = profile},
        {CG2WG_MEMBER_SAMPLES_TIDS, {.samples = {.tids = ids, .tid_count = 1}}, .text = profile},
        {CG2WG_MEMBER_SAMPLES_ROOT, {.samples = {.root = "/"}}, .text = profile},
        {CG2WG_MEMBER_SAMPLES_KERNEL_TABLE, {.samples = {.kernel_table = "/none"}}, .text = profile},
        {CG2WG_MEMBER_PROXIES, {.proxies = names, .proxy_count = 1, .expected_proxy_count = 1}, .text = profile},
        {CG2WG_MEMBER_SUMMARY, {.strict = false}, .text = "events: Ir\nfn=f\n1 100\n\nsummary: 3000\n"},
        {CG2WG_MEMBER_HIDE, {.strict = false}, true, profile, CG2WG_TABLE},
        {CG2WG_MEMBER_SUMMARY_COMPUTED, {.strict = false}, .text = "events: Ir\nfn=f\n1 100\n"},
        {CG2WG_MEMBER_ESTIMATE, {.strict = false}, true, profile, CG2WG_STACKS},
        {CG2WG_MEMBER_NONE, {.strict = false}, .text = "no profile"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cg2wg_options options = cases[i].options;
        struct cg2wg_view view;
        FILE *nowhere = fopen("/dev/null", "w");
        cg2wg_view_init(&view, sizeof view);
        if (cases[i].style == CG2WG_TABLE)
            view.hide = (struct cg2wg_patterns){hidden, 1};
        view.style = cases[i].style;
        options.size = sizeof options;
        options.format = 7;
        options.report = keep_member;
        last_member = CG2WG_MEMBER_MIN;
        write_file(input, cases[i].text, strlen(cases[i].text));
        if (cases[i].is_printed)
            cg2wg_print(input, &options, &view, nowhere, NULL);
        else
            cg2wg_convert(input, output, &options, NULL);
        if (last_member != cases[i].member)
            fail_msg("case %zu: found member %d, expected %d", i, (int)last_member, (int)cases[i].member);
        fclose(nowhere);
    }
    /* What is in the way is the caller's own word, too. */
    struct cg2wg_options options = default_options();
    options.report = keep_member;
    write_file(output, "mine\n", 5);
    assert_int_equal(cg2wg_convert(input, output, &options, NULL), CG2WG_MISUSE);
    assert_int_equal(last_member, CG2WG_MEMBER_OVERWRITE);
    remove(output);
}

/* SIGXFSZ would end the process. */
static void a_limit_on_the_size_of_files_is_an_error(void **state)
{
    struct cg2wg_view view;
    struct rlimit before, none;
    write_file(input, profile, strlen(profile));
    cg2wg_view_init(&view, sizeof view);
    view.output = output; /* which a temporary file precedes */
    signal(SIGXFSZ, SIG_DFL); /* whoever has started this may ignore it */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    enum cg2wg_status status = cg2wg_print(input, NULL, &view, NULL, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, CG2WG_FAILED);
}

/* Each kind of input, with what takes the most stack: names that are demangled, symbols, inflating, all styles. */
static void *use_all(void *failed)
{
    static const char *const inputs[] = {
        "testdata/valgrind/cache-branch.out", "testdata/xdebug/3.2-orders.out", "testdata/aprof/v6-contexts.aprof",
        "testdata/aprof/v2-crypto.aprof.gz", "testdata/perf/cpp.data", "testdata/perf/compressed.data",
        "testdata/perf/lines.data", "testdata/perf/time.script", "testdata/perf/time.folded",
        "testdata/other/nytprof.out"};
    struct cg2wg_options options = default_options();
    options.overwrite = true;
    *(const char **)failed = NULL;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        if (strstr(inputs[i], "compressed") != NULL && system("command -v zstd >/dev/null") != 0)
            continue;
        options.samples.root = strstr(inputs[i], ".data") != NULL ? "testdata/perf/symfs" : NULL;
        for (unsigned format = 4; format <= 7; format++) {
            options.format = format;
            if (cg2wg_convert(inputs[i], output, &options, NULL) != CG2WG_OK)
                *(const char **)failed = inputs[i];
        }
        for (enum cg2wg_style style = CG2WG_TABLE; style <= CG2WG_CALLGRIND; style++) {
            struct cg2wg_view view;
            cg2wg_view_init(&view, sizeof view);
            view.style = style;
            view.output = output;
            if (cg2wg_print(inputs[i], &options, &view, NULL, NULL) != CG2WG_OK && style != CG2WG_PLOT && style != CG2WG_STACKS)
                *(const char **)failed = inputs[i];
        }
    }
    return NULL;
}

/* A quarter less than cg2wg.h says that a thread needs. Sanitizers have larger frames. */
static void a_thread_needs_little_stack(void **state)
{
    enum { STACK_SIZE = 192 << 10 };
    pthread_attr_t attributes;
    pthread_t thread;
    const char *failed;
    if (is_watched())
        skip();
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK_SIZE), 0);
    assert_int_equal(pthread_create(&thread, &attributes, use_all, (void *)&failed), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    if (failed != NULL)
        fail_msg("%s is not converted", failed);
    pthread_attr_destroy(&attributes);
}

static int set_up(void **state)
{
    input = scratch_path("input");
    output = scratch_path("output");
    write_file(input, profile, strlen(profile));
    return 0;
}

static int tear_down(void **state)
{
    free(input);
    free(output);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struct_may_be_of_another_version),
        cmocka_unit_test(a_view_and_stats_have_sizes_too),
        cmocka_unit_test(the_versions_agree),
        cmocka_unit_test(the_total_is_that_of_all_parts),
        cmocka_unit_test(a_profile_stays_until_it_is_freed),
        cmocka_unit_test(lines_are_loaded_if_they_are_wanted),
        cmocka_unit_test(what_cannot_be_loaded_is_reported),
        cmocka_unit_test(a_message_is_about_a_member),
        cmocka_unit_test(a_limit_on_the_size_of_files_is_an_error),
        cmocka_unit_test(a_thread_needs_little_stack),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
