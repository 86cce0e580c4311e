/*
 * Records of Xdebug, which are added up block by block, come out as the general code reads them: any output and
 * message is the same. (docs/design.md describes sums.)
 */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t few_blocks[] = {200, 777, 2500, 0};
static const size_t thread_blocks[] = {1500, 0};
static const size_t one_block[] = {0};

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    return random_below(&random_state, limit);
}

struct maker {
    FILE *out;
    uint32_t functions;
    bool named[64];
    bool in_full; /* names, instead of aliases */
    bool are_long;
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
    bool is_file = key[strlen(key) - 1] == 'l';
    if (m->in_full && below(100) > 0) {
        int padding = m->are_long ? (int)(function * (is_file ? 5 : 3) % 60) : 0;
        fprintf(m->out, "%s=%.*sf%" PRIu32 "%s%s\n", key, padding,
                "Some\\Very\\Long\\Name\\Of\\A\\Space\\That\\Has\\Many\\Parts\\", function,
                is_file ? ".php" : "", below(200) == 0 ? " " : below(200) == 0 ? "\r" : "");
        return;
    }
    /* Zeros in front make it longer, but no other one. */
    int digits = below(60) == 0 ? 1 + (int)below(9) : 1;
    fprintf(m->out, "%s=(%0*" PRIu32 ")", key, digits, function + 1);
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
        "cfn=(1)\ncalls=1 0 0\n\nfi=(1)\n", "cfn=(1)\ncalls=1 0 0\n\njump=1\n",
        "cfl=(1)\r\ncfn=(1)\ncalls=1 0 0\n5 6\n", "cfl=(1)\ncfn=(1)\ncalls=2\n123456789 7\n",
        "cfl=(1)\ncfn=(1)\ncalls=123456789 0 0\n12345678 7\n", "\nfl=\nfn=f1\n12345678 7\n",
        "\nfl=(1)\nfn=f1\n123456789 0000000000000007\n", "\nfl=/f1.php\nfn=f1\n+1 7\r\n",
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
    struct maker m = {
        .functions = 2 + below(20), .columns = 1 + below(2), .in_full = seed % 3 == 0, .are_long = seed % 6 == 0};
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
            if (!m.in_full || k % 3 > 0)
                put_reference(&m, "cfl", callee);
            put_reference(&m, "cfn", callee);
            fprintf(m.out, "calls=%d 0 0\n%" PRIu32 " ", m.in_full && below(9) == 0 ? 2 : 1,
                    function / 4 * 7 + 4 + k % 3);
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
    static const char *const events[] = {"Memory_(bytes)", "X = 2 Time_(10ns) - 3 Memory_(bytes)",
                                         "X = 1025 Memory_(bytes)"};
    for (uint64_t seed = 0; seed < 48; seed++) {
        size_t length;
        char what[32], *profile = make_profile(seed, &length);
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        snprintf(what, sizeof what, "seed %" PRIu64, seed);
        compare_with_general(what, profile, length, &options, few_blocks);
        options.format = 4;
        compare_with_general(what, profile, length, &options, thread_blocks);
        options.strict = true;
        compare_with_general(what, profile, length, &options, thread_blocks);
        cg2wg_options_init(&options);
        for (size_t event = 0; event < sizeof events / sizeof events[0]; event++) {
            options.event = events[event];
            compare_with_general(what, profile, length, &options, few_blocks);
        }
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        compare_with_general(what, profile, length, &options, thread_blocks);
        free(profile);
    }
}

static void a_block_may_end_anywhere(void **state)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        size_t length;
        char *profile = make_profile(seed, &length);
        for (size_t block = 1 + (size_t)seed; block < 1600; block += 7)
            compare_with_general("one block size", profile, length, NULL, (size_t[]){block, 0});
        free(profile);
    }
}

static void cut_profiles_come_out_the_same(void **state)
{
    size_t length;
    char *profile = make_profile(8, &length);
    for (size_t cut = length % 7; cut < length; cut += length / 150 + 1)
        compare_with_general("cut", profile, cut, NULL, one_block);
    free(profile);
}

static void damaged_profiles_come_out_the_same(void **state)
{
    static const char bytes[] = "\n()0 9c=f-:#";
    for (uint64_t seed = 1000; seed < 1012; seed++) {
        size_t length;
        char *profile = make_profile(seed, &length);
        compare_damaged(profile, length, bytes, &random_state, thread_blocks);
        free(profile);
    }
}

/* So many keys that the sums have to forget them; others then have their numbers. */
static void many_keys_come_out_the_same(void **state)
{
    enum { RECORDS = 70000, FUNCTIONS = 7 };
    char *profile = NULL, expected[100];
    size_t length;
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.threads = 1;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n\n", out);
    for (int i = 2; i <= FUNCTIONS; i++)
        fprintf(out, "fl=(1)\nfn=(%d) f%d\n1 1\n\n", i, i);
    for (int i = 0; i < RECORDS; i++)
        fprintf(out, "fl=(1)\nfn=(%d)\n%d 2\n\n", 1 + i % FUNCTIONS, i);
    fclose(out);
    snprintf(expected, sizeof expected, "a f7 line=1 self=%d incl=%d inv=%d\n",
             1 + 2 * RECORDS / FUNCTIONS, 1 + 2 * RECORDS / FUNCTIONS, 1 + RECORDS / FUNCTIONS);
    compare_and_find(profile, length, &options, (const size_t[]){4000000, 0}, expected);
    free(profile);
}

/* Names with many bytes, though they are not so many; they come again. */
static void long_names_in_full_come_out_the_same(void **state)
{
    enum { FUNCTIONS = 6000, RECORDS = 2 * FUNCTIONS };
    char *profile = NULL, path[800];
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    fputs("creator: xdebug 2.2.7\nevents: Time\n\nfl=\nfn=f\n1 1\n\n", out);
    for (int i = 0; i < RECORDS; i++)
        fprintf(out, "fl=%s\nfn=f%d\n3 %d\n\n", path, i % FUNCTIONS, 4 + i / FUNCTIONS);
    fclose(out);
    compare_and_find(profile, length, NULL, one_block, "p f5999 line=3 self=9 incl=9 inv=2\n");
    free(profile);
}

static void names_in_full_may_differ_in_any_byte(void **state)
{
    enum { LONGEST = 80 };
    for (size_t length = LONGEST - 17; length <= LONGEST; length++) {
        char *profile = NULL, common[LONGEST + 1] = "", name[LONGEST + 1];
        size_t size;
        FILE *out = open_memstream(&profile, &size);
        memset(common, 'y', length);
        fputs("creator: xdebug 2.2.7\nevents: Time\n\n", out);
        for (size_t i = 0; i < 2 * length; i++) {
            strcpy(name, common);
            name[i < length ? i : 2 * length - 1 - i] = 'z';
            fprintf(out, "fl=/a.php\nfn=%s\n1 2\n\nfl=/a.php\nfn=%s\n1 2\n\nfl=/a.php\nfn=%s\n1 3\n\n", common, common,
                    name);
        }
        fclose(out);
        compare_and_find(profile, size, NULL, thread_blocks, "z line=1 self=6 incl=6 inv=2\n");
        free(profile);
    }
}

#define F "fl=(1)\nfn=(1)\n2 5\n"
#define CALL(function) "cfl=(1)\ncfn=(" function ")\ncalls=1 0 0\n"
#define RUBBISH "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"

/* Profiles of a record of f, what comes once, what comes 50 times, and what comes last. */
static const struct {
    const char *once, *often, *last, *expected;
} profiles[] = {
    /* Xdebug ends all records with a blank line, so the last one has been cut off. */
    {"part: 2\n\n", F "\n", F, "a f line=2 self=255 incl=255 inv=51\n"},
    /* If callers come first, no Xdebug has written it. */
    {F "cfl=(1)\ncfn=(2) h\ncalls=1 0 0\n3 5\n\npart: 2\n\n", F CALL("2") "3 5\n\n", F,
     "a f line=2 self=265 incl=520 inv=53\n"},
    /* More lines are rubbish than not. */
    {"", F "\n", RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH, ""},
    {"fl=(1)\nfn=(2) g\n2 2\n\n", F "\n", "fl=(1)\nfn=(2)\n+1 7\n\nfl=(1)\nfn=(3) h\n+1 9\n\n", "a h line=4 "},
    /* The file's line is before that of the record's function, which is found by its parentheses. */
    {"fl=(1)\nfn=(2) g\n2 2\n\n", F "\nfl=/x.php(\nfn=(2)\n2 2\n" CALL("1") "3 4\n\n", "", "  to f:3 x50 =200\n"},
    /* No function has the alias yet that is defined without a cost; the other one is undefined. */
    {F "cfl=(1)\ncfn=(2) h\ncalls=1 0 0\n\n", "fl=(1)\nfn=(2)\n3 3\n\n" F CALL("2") "1 3\n\n", "", "a h line=3 self=150 "},
    {"", "fl=(1)\nfn=(2)\n3 3\n\n" F CALL("2") "1 3\n\n", "", "a (2) line=3 self=150 "},
};

static void what_is_before_and_after_sums_matters(void **state)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fprintf(out, "creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n2 5\n\n%s", profiles[i].once);
        for (int k = 0; k < 50; k++)
            fputs(profiles[i].often, out);
        fputs(profiles[i].last, out);
        fclose(out);
        compare_and_find(profile, length, NULL, one_block, profiles[i].expected);
        free(profile);
    }
}

/*
 * f gets so much memory that its sum stays at the largest one, and gives some of it back: what is left depends
 * on what was added first. So do the sum of a call and that of all.
 */
static void memory_may_come_back_from_the_largest_sum(void **state)
{
    enum { RECORDS = 300 };
    static const char *const costs[] = {"9223372036854775807", "99999999", "-99999999"};
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.event = "Memory_(bytes)";
    options.scale = UINT64_C(2200000000);
    for (int way = 0; way < 4; way++) {
        bool in_full = way == 1, in_parts = way == 2, is_called = way == 3; /* the sums of parts begin at 0 */
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fputs("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\nfl=(1) a\nfn=(1) f\n1 1 1\n\n", out);
        for (int i = 0; i < RECORDS; i++) {
            const char *cost = costs[i == 10 ? 0 : i < 40 ? 1 : 2];
            fprintf(out, in_full ? "fl=/a.php\nfn=f\n1 1 %s\n" : "fl=(1)\nfn=(1)\n1 1 %s\n", is_called ? "0" : cost);
            fprintf(out, is_called ? "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 1 %s\n\n" : "\n", cost);
            fputs(in_parts && i == 12 ? "part: 2\n\n" : "", out);
        }
        fclose(out);
        compare_with_general("memory", profile, length, &options, few_blocks);
        free(profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_profiles_come_out_the_same),
        cmocka_unit_test(a_block_may_end_anywhere),
        cmocka_unit_test(cut_profiles_come_out_the_same),
        cmocka_unit_test(damaged_profiles_come_out_the_same),
        cmocka_unit_test(many_keys_come_out_the_same),
        cmocka_unit_test(long_names_in_full_come_out_the_same),
        cmocka_unit_test(names_in_full_may_differ_in_any_byte),
        cmocka_unit_test(what_is_before_and_after_sums_matters),
        cmocka_unit_test(memory_may_come_back_from_the_largest_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
