/*
 * The fast path against the plain one: the same output and the same messages for whatever comes in,
 * wherever the blocks in which it is read end, and however many threads read them.
 */
#include "support.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    return random_below(&random_state, limit);
}

static void assert_same(const char *what, const struct conversion_result *plain,
                        const struct conversion_result *fast)
{
    if (plain->status != fast->status || strcmp(plain->messages, fast->messages) != 0)
        fail_msg("%s: plain: %d %sfast: %d %s", what, plain->status, plain->messages, fast->status,
                 fast->messages);
    if (plain->size != fast->size ||
        (plain->size > 0 && memcmp(plain->bytes, fast->bytes, plain->size) != 0)) {
        print_error("plain:\n%s\nfast:\n%s\n", plain->dump, fast->dump);
        fail_msg("%s: the outputs differ", what);
    }
}

enum { THREADS = 3 };

/* Converts by the plain path, and by the fast one in blocks of all these sizes (0 ends them). */
static void compare(const char *what, const char *profile, size_t length,
                    const struct cg2wg_options *given, const size_t *blocks)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    if (given != NULL)
        options = *given;
    options.plain = true;
    struct conversion_result plain = convert_bytes(profile, length, &options);
    options.plain = false;
    for (size_t i = 0; i == 0 || blocks[i - 1] != 0; i++) {
        /* Blocks of a good size are larger than all that is converted here: one thread reads it. */
        for (options.threads = 1; options.threads <= (blocks[i] > 0 ? THREADS : 1);
             options.threads++) {
            options.block = blocks[i];
            struct conversion_result fast = convert_bytes(profile, length, &options);
            assert_same(what, &plain, &fast);
            conversion_free(&fast);
        }
    }
    conversion_free(&plain);
}

static const size_t few_blocks[] = {200, 777, 2500, 0};
static const size_t thread_blocks[] = {1500, 0};
static const size_t one_block[] = {0};

/* ---- profiles made for it ----------------------------------------------------------------- */

struct maker {
    FILE *out;
    uint32_t functions;
    bool named[64];
    unsigned columns;
};

static void put_cost(struct maker *m)
{
    static const char *const costs[] = {"0", "7", "12345678", "123456789012345", "1234567",
                                        "99999999999999999", "18446744073709551615"};
    uint32_t kind = below(40);
    if (kind < 7)
        fprintf(m->out, "%s", costs[kind]);
    else
        fprintf(m->out, "%" PRIu32, below(100000));
    if (m->columns == 2)
        fprintf(m->out, " %s%" PRIu32, below(4) == 0 ? "-" : "", below(5000) * 8);
    if (below(200) == 0)
        fputs(" 5", m->out);
    fputc('\n', m->out);
}

static void put_reference(struct maker *m, const char *key, uint32_t function)
{
    fprintf(m->out, "%s=(%" PRIu32 ")", key, function + 1);
    if (key[0] == 'f' && !m->named[function])
        fprintf(m->out, key[1] == 'l' ? " /f%" PRIu32 ".php" : " f%" PRIu32, function);
    fputc('\n', m->out);
}

static void put_oddity(struct maker *m)
{
    static const char *const oddities[] = {
        "# a comment\n",         "\n",         "calls=1 0 0\n3 4\n", "rubbish\n",
        "fl=(3) /other.php\n",   "fn=(4) f4\n", "+2 9\n",             "cfn=(2)\ncalls=2 0 0\n* 8\n",
        "cfl=(2)\ncfn=(99)\ncalls=1 0 0\n4 4\n", "part: 2\n", "cfn=(1)\ncalls=1 0 0\n",
        "fn=(2) another\n",     "cfn=(1)\ncalls=1 0 0\npart: 3\ncfl=(1)\n",
        "cfn=(1)\ncalls=1 0 0\n\n==== NEW PROFILING FILE ====\ncfl=(1)\ncfn=(1)\n",
        "cfn=(1)\ncalls=1 0 0\ncfn=(1)\n", "cfn=(1)\ncalls=1 0 0\nfn=(1)\n",
    };
    fputs(oddities[below(sizeof oddities / sizeof oddities[0])], m->out);
}

/* Records as Xdebug writes them, mostly: each function has its usual calls. */
static char *make_profile(uint64_t seed, size_t *length)
{
    char *text = NULL;
    random_state = seed * 2 + 1;
    for (int i = 0; i < 4; i++)
        below(2);
    struct maker m = {.functions = 2 + below(20), .columns = 1 + below(2)};
    uint32_t oddness = below(2) == 0 ? 30 : 100000;
    m.out = open_memstream(&text, length);
    fprintf(m.out, "version: 1\ncreator: xdebug 3.2.0\ncmd: a.php\npart: 1\npositions: line\n\n"
                   "events: Time_(10ns)%s\n\n",
            m.columns == 2 ? " Memory_(bytes)" : "");
    uint32_t records = 20 + below(60);
    for (uint32_t i = 0; i < records; i++) {
        uint32_t function = below(m.functions);
        uint32_t calls = below(60) == 0 ? 700 : below(5);
        put_reference(&m, "fl", function);
        put_reference(&m, "fn", function);
        m.named[function] = true;
        fprintf(m.out, "%" PRIu32 " ", function * 7 + 3);
        put_cost(&m);
        for (uint32_t k = 0; k < calls; k++) {
            uint32_t callee = (function * 5 + k % 3 * 11) % m.functions;
            if (below(oddness) == 0)
                put_oddity(&m);
            if (!m.named[callee])
                continue;
            put_reference(&m, "cfl", callee);
            put_reference(&m, "cfn", callee);
            fprintf(m.out, "calls=1 0 0\n%" PRIu32 " ", function * 7 + 4 + k % 3);
            put_cost(&m);
        }
        fputc('\n', m.out);
    }
    if (below(3) > 0)
        fprintf(m.out, "summary: 1000000 500\n\n");
    fclose(m.out);
    return text;
}

static void random_profiles_come_out_the_same(void **state)
{
    (void)state;
    static const char *const proxies[] = {"f3", "f5"};
    for (uint64_t seed = 0; seed < 150; seed++) {
        size_t length;
        char what[32], *profile = make_profile(seed, &length);
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        snprintf(what, sizeof what, "seed %" PRIu64, seed);
        compare(what, profile, length, &options, few_blocks);
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        compare(what, profile, length, &options, thread_blocks);
        options.inclusive = CG2WG_INCLUSIVE_SUM;
        options.proxies = proxies;
        options.proxy_count = 2;
        compare(what, profile, length, &options, thread_blocks);
        options.format = 4;
        compare(what, profile, length, &options, thread_blocks);
        options.strict = true;
        compare(what, profile, length, &options, thread_blocks);
        free(profile);
    }
}

static void a_block_may_end_anywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        size_t length;
        char *profile = make_profile(seed, &length);
        for (size_t block = 1; block < 1600; block += 1 + (size_t)seed) {
            size_t blocks[] = {block, 0};
            compare("one block size", profile, length, NULL, blocks);
        }
        free(profile);
    }
}

static void cut_profiles_come_out_the_same(void **state)
{
    (void)state;
    size_t length;
    char *profile = make_profile(8, &length);
    size_t step = length / 700 + 1;
    for (size_t cut = length % 7; cut < length; cut += step)
        compare("cut", profile, cut, NULL, one_block);
    free(profile);
}

static void damaged_profiles_come_out_the_same(void **state)
{
    (void)state;
    static const char bytes[] = "\n()0 9c=f-:#";
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t length;
        char *profile = make_profile(1000 + seed, &length);
        for (int i = 0; i < 30; i++) {
            size_t place = below((uint32_t)length);
            char old = profile[place];
            profile[place] = bytes[below(sizeof bytes - 1)];
            compare("damaged", profile, length, NULL, thread_blocks);
            if (i % 3 > 0)
                profile[place] = old;
        }
        free(profile);
    }
}

/* ---- real ones ---------------------------------------------------------------------------- */

static void real_profiles_come_out_the_same(void **state)
{
    (void)state;
    static const char folder[] = "testdata/xdebug";
    DIR *stream = opendir(folder);
    int compared = 0;
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        const char *suffix = strrchr(entry->d_name, '.');
        char path[512];
        if (suffix == NULL || strcmp(suffix, ".out") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t length;
        char *profile = read_file(path, &length);
        compare(path, profile, length, NULL, few_blocks);
        free(profile);
        compared++;
    }
    closedir(stream);
    assert_true(compared >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_profiles_come_out_the_same),
        cmocka_unit_test(a_block_may_end_anywhere),
        cmocka_unit_test(cut_profiles_come_out_the_same),
        cmocka_unit_test(damaged_profiles_come_out_the_same),
        cmocka_unit_test(real_profiles_come_out_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
