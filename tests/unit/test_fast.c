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

/* Records that are sums are read by one. */
static bool threads_matter = true;

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
        unsigned most = blocks[i] > 0 && threads_matter ? THREADS : 1;
        for (options.threads = 1; options.threads <= most; options.threads++) {
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
    bool in_full; /* names, instead of aliases */
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
        fprintf(m->out, is_file ? "%s=/srv/some/path/f%" PRIu32 ".php%s\n" : "%s=f%" PRIu32 "%s\n",
                key, function, below(200) == 0 ? " " : below(200) == 0 ? "\r" : "");
        return;
    }
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
    struct maker m = {
        .functions = 2 + below(20), .columns = 1 + below(2), .in_full = seed % 3 == 0};
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
                    function * 7 + 4 + k % 3);
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

/* So many heads that the fast path for names in full has to forget them; the same ones come again. */
static void many_names_in_full_come_out_the_same(void **state)
{
    (void)state;
    enum { FUNCTIONS = 40000, RECORDS = 90000 };
    char *profile = NULL;
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 2.2.7\nevents: Time\n", out);
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t function = i % FUNCTIONS, callee = i < 7 ? 0 : (i - 7) % FUNCTIONS;
        fprintf(out, "\nfl=%" PRIu32 "\nfn=%" PRIu32 "\n%" PRIu32 " 2\n", function % 1000, function,
                function % 100);
        fprintf(out, "cfn=%" PRIu32 "\ncalls=1 0 0\n5 %" PRIu32 "\n", callee, i);
    }
    fclose(out);
    compare("many names", profile, length, NULL, one_block);
    free(profile);
}

/* ---- profiles whose records are sums ------------------------------------------------------- */

struct sums_maker {
    FILE *out;
    bool has_addresses, in_full, named[3][40]; /* objects, files, functions that have an alias */
    unsigned columns;
};

/* A number of any length: mostly a short one. */
static void put_number(FILE *out)
{
    static const char *const numbers[] = {"0",
                                          "12345678",
                                          "123456789",
                                          "12345678901234",
                                          "123456789012345",
                                          "1234567890123456",
                                          "9223372036854775807",
                                          "99999999999999999999",
                                          "0x1f",
                                          "00000000000000000000000000000000000012"};
    uint32_t kind = below(300);
    if (kind < sizeof numbers / sizeof numbers[0])
        fputs(numbers[kind], out);
    else
        fprintf(out, "%" PRIu32, below(kind < 200 ? 10 : 3000));
}

/* A position as Valgrind writes it, or one that is not. */
static void put_line_position(struct sums_maker *m)
{
    static const char *const odd[] = {"+", "-", "**", "*1", "+-1", "x", "1x", "4294967296", "-9"};
    uint32_t kind = below(400);
    if (kind < sizeof odd / sizeof odd[0]) {
        fputs(odd[kind], m->out);
    } else if (kind < 150) {
        fputc('*', m->out);
    } else if (kind < 300) {
        fputc(kind < 200 ? '-' : '+', m->out);
        fprintf(m->out, "%" PRIu32, below(12));
    } else {
        put_number(m->out);
    }
}

static void put_positions(struct sums_maker *m)
{
    if (m->has_addresses && below(100) > 0) {
        if (below(5) == 0)
            fprintf(m->out, "0x%" PRIx32, below(100000000));
        else
            put_line_position(m);
        fputs(below(100) == 0 ? "  " : " ", m->out);
    }
    put_line_position(m);
}

static void put_sum_line(struct sums_maker *m)
{
    static const char *const odd[] = {" ", "\r", " -5", " .", " 7 7 7 7", " a", "\t1", " +1", " *"};
    put_positions(m);
    unsigned count = below(8) == 0 ? below(m->columns + 1) : m->columns;
    for (unsigned i = 0; i < count; i++) {
        fputc(' ', m->out);
        put_number(m->out);
    }
    if (below(120) < sizeof odd / sizeof odd[0])
        fputs(odd[below(sizeof odd / sizeof odd[0])], m->out);
    fputc('\n', m->out);
}

/* Kind 0: an object, 1: a file, 2: a function. */
static void put_named(struct sums_maker *m, const char *key, unsigned kind, uint32_t number)
{
    fprintf(m->out, "%s=", key);
    if (!m->in_full)
        fprintf(m->out, "(%" PRIu32 ")", number * 37 + 1);
    if (m->in_full || (!m->named[kind][number] && below(60) > 0) || below(150) == 0) {
        uint32_t name = below(150) == 0 ? below(40) : number;
        fprintf(m->out, "%s%c%" PRIu32 "%s", m->in_full ? "" : " ", "ofn"[kind], name,
                below(80) == 0 ? "" : "'a name that takes more than sixteen bytes");
        m->named[kind][number] = true;
    }
    fputs(below(150) == 0 ? " \r\n" : "\n", m->out);
}

static void put_sum_call(struct sums_maker *m)
{
    if (below(5) == 0)
        put_named(m, "cob", 0, below(3));
    if (below(4) == 0)
        put_named(m, below(2) == 0 ? "cfi" : "cfl", 1, below(10));
    if (below(40) > 0)
        put_named(m, "cfn", 2, below(40));
    if (below(60) > 0) {
        fputs("calls=", m->out);
        put_number(m->out);
        fputs(below(40) == 0 ? "\n" : " 0x1234 0 \n", m->out);
    }
    if (below(60) > 0)
        put_sum_line(m);
}

static void put_sum_jump(struct sums_maker *m)
{
    fputs(below(2) == 0 ? "jcnd=1/2 +25 +27 \n" : "jump=3 -2 * \n", m->out);
    if (below(40) == 0)
        put_sum_line(m);
    else if (below(40) > 0)
        fputs(!m->has_addresses ? "* \n" : below(2) == 0 ? "* * \n" : "+3 4\n", m->out);
}

static void put_sum_line_of_any_kind(struct sums_maker *m)
{
    static const char *const odd[] = {
        "# a comment\n", "\n", "rubbish\n", "jfi=(38)\n", "rcalls=1 2\n3 4\n", "  3 4\n",
        "totals: 5\n", "part: 2\n", "events: Ir Dr\n", "positions: line\n", "calls=2 0\n0x4 5 6\n",
        "positions: instr line\n", "event: Ir : x\n", "fn=(99)\n", "version: 1\n", "desc: x\n"};
    uint32_t kind = below(60);
    if (kind < 6)
        put_sum_call(m);
    else if (kind < 14)
        put_sum_jump(m);
    else if (kind < 16)
        put_named(m, kind == 14 ? "fi" : "fe", 1, below(10));
    else if (kind == 16 && below(3) == 0)
        fputs(odd[below(sizeof odd / sizeof odd[0])], m->out);
    else
        put_sum_line(m);
}

static char *make_sums(uint64_t seed, size_t *length)
{
    char *text = NULL;
    random_state = seed * 2 + 1;
    for (int i = 0; i < 4; i++)
        below(2);
    struct sums_maker m = {.has_addresses = below(3) > 0,
                           .in_full = below(4) == 0,
                           .columns = below(2) == 0 ? 1 : 1 + below(9)};
    m.out = open_memstream(&text, length);
    if (below(8) > 0)
        fputs("version: 1\ncreator: callgrind-3.19.0\n", m.out);
    fprintf(m.out, "positions:%s line\nevents:", m.has_addresses ? " instr" : "");
    for (unsigned i = 0; i < m.columns; i++)
        fprintf(m.out, " E%u", i);
    fputs("\n\n", m.out);
    uint32_t records = 10 + below(20);
    for (uint32_t i = 0; i < records; i++) {
        fputc('\n', m.out);
        if (below(8) == 0)
            put_named(&m, "ob", 0, below(3));
        if (i == 0 || below(2) == 0)
            put_named(&m, "fl", 1, below(10));
        put_named(&m, "fn", 2, below(40));
        for (uint32_t k = below(50); k > 0; k--)
            put_sum_line_of_any_kind(&m);
    }
    fputs("totals: 1000000 500\n", m.out);
    fclose(m.out);
    return text;
}

static void random_sums_come_out_the_same(void **state)
{
    (void)state;
    static const char *const formulas[] = {"E0", "E1", "E0 + 2 E1", "2 E0", "X = E0"};
    for (uint64_t seed = 0; seed < 120; seed++) {
        size_t length;
        char what[32], *profile = make_sums(seed, &length);
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        snprintf(what, sizeof what, "sums %" PRIu64, seed);
        threads_matter = seed % 10 == 0;
        compare(what, profile, length, &options, few_blocks);
        options.identity = seed % 2 == 0 ? CG2WG_IDENTITY_NAME : CG2WG_IDENTITY_FILE;
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        compare(what, profile, length, &options, one_block);
        options.event = formulas[seed % (sizeof formulas / sizeof formulas[0])];
        compare(what, profile, length, &options, one_block);
        options.event = NULL;
        options.strict = true;
        compare(what, profile, length, &options, one_block);
        free(profile);
    }
    threads_matter = true;
}

static void a_block_of_sums_may_end_anywhere(void **state)
{
    (void)state;
    threads_matter = false;
    for (uint64_t seed = 300; seed < 304; seed++) {
        size_t length;
        char *profile = make_sums(seed, &length);
        /* In smaller ones there is nothing for the fast path. */
        for (size_t block = 120 + seed % 2; block < 600; block += 2) {
            size_t blocks[] = {block, 0};
            compare("one block size", profile, length, NULL, blocks);
        }
        free(profile);
    }
    threads_matter = true;
}

static void cut_sums_come_out_the_same(void **state)
{
    (void)state;
    size_t length;
    char *profile = make_sums(304, &length);
    size_t step = length / 300 + 1;
    for (size_t cut = length % 7; cut < length; cut += step)
        compare("cut", profile, cut, NULL, one_block);
    free(profile);
}

static void damaged_sums_come_out_the_same(void **state)
{
    (void)state;
    static const char bytes[] = "\n()0 9c=f-:#+*xj\r";
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t length;
        char *profile = make_sums(1000 + seed, &length);
        for (int i = 0; i < 40; i++) {
            size_t place = below((uint32_t)length);
            char old = profile[place];
            profile[place] = bytes[below(sizeof bytes - 1)];
            compare("damaged", profile, length, NULL, one_block);
            if (i % 3 > 0)
                profile[place] = old;
        }
        free(profile);
    }
}

/* ---- real ones ---------------------------------------------------------------------------- */

static void compare_folder(const char *folder, int at_least)
{
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
    assert_true(compared >= at_least);
}

static void real_profiles_come_out_the_same(void **state)
{
    (void)state;
    compare_folder("testdata/xdebug", 10);
    compare_folder("testdata/valgrind", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_profiles_come_out_the_same),
        cmocka_unit_test(a_block_may_end_anywhere),
        cmocka_unit_test(cut_profiles_come_out_the_same),
        cmocka_unit_test(damaged_profiles_come_out_the_same),
        cmocka_unit_test(many_names_in_full_come_out_the_same),
        cmocka_unit_test(random_sums_come_out_the_same),
        cmocka_unit_test(a_block_of_sums_may_end_anywhere),
        cmocka_unit_test(cut_sums_come_out_the_same),
        cmocka_unit_test(damaged_sums_come_out_the_same),
        cmocka_unit_test(real_profiles_come_out_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
