/*
 * The same profile read in several ways: the output and the messages are the same for any input,
 * with and without tokens and sums of records, for any ends of blocks, and for any number of
 * threads.
 */
#include "support.h"
#include "count_lines.h"
#include "indent.h"

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    return random_below(&random_state, limit);
}

static void assert_same(const char *what, const struct conversion_result *general,
                        const struct conversion_result *quick)
{
    if (general->status != quick->status || strcmp(general->messages, quick->messages) != 0)
        fail_msg("%s: general: %d %squick: %d %s", what, general->status, general->messages, quick->status,
                 quick->messages);
    if (general->size != quick->size ||
        (general->size > 0 && memcmp(general->bytes, quick->bytes, general->size) != 0)) {
        print_error("general:\n%s\nquick:\n%s\n", general->dump, quick->dump);
        fail_msg("%s: the outputs differ", what);
    }
}

static size_t count_newlines(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

/* ---- what takes part ---------------------------------------------------------------------- */

enum {
    GROUPS = BIT(TOKEN_RECORD) | BIT(TOKEN_CALL),
    NAMED_LINES = BIT(TOKEN_BLANKS) | BIT(TOKEN_NAME) | BIT(TOKEN_COST),
    ALL_LINES = NAMED_LINES | BIT(TOKEN_ALIAS) | BIT(TOKEN_CALLS),
    SUMS = BIT(SPAN_ENTERED)
};

/* What conversions of the current test have used; and how many lines they had. */
static struct line_counts used;
static size_t used_lines;

static size_t quick_lines(void)
{
    return used_lines - used.of[LINE_ASKED_FOR];
}

/* Have the test's conversions used all of these, and asked for at most that many hundredths of their lines? */
static void assert_use_of(unsigned kinds, unsigned percent)
{
    int missing = line_counts_missing(&used, kinds);
    size_t lines = used_lines, asked = used.of[LINE_ASKED_FOR];
    memset(&used, 0, sizeof used);
    used_lines = 0;
    if (missing >= 0)
        fail_msg("found nothing of kind %d (count_lines.h), expected some", missing);
    if (LINES_ARE_COUNTED && asked * 100 > lines * percent)
        fail_msg("%zu of %zu lines were read in the general form, expected at most %u %%", asked, lines,
                 percent);
}

/* Of a conversion that has just been done, of as many lines */
static void note_use(size_t lines)
{
    struct line_counts counts = line_counts_take();
    line_counts_add(&used, &counts);
    used_lines += lines;
}

enum { THREADS = 3 };

/* Conversions in which the input was read by another thread than this one. */
static unsigned read_by_others;
static bool is_read_by_others;
static pthread_t main_thread;

static bool note_thread(void *user, const struct cg2wg_progress *progress)
{
    (void)user;
    if (progress->stage == CG2WG_READING && !pthread_equal(pthread_self(), main_thread))
        is_read_by_others = true;
    return true;
}

/*
 * Converts by general forms alone, since every line is indented, and as it is in blocks of all these sizes
 * (0 ends them).
 */
static void compare(const char *what, const char *profile, size_t length,
                    const struct cg2wg_options *given, const size_t *blocks)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    if (given != NULL)
        options = *given;
    options.threads = 1;
    size_t indented_length = length;
    char *indented = indent_lines(profile, &indented_length);
    read_at_once = 0;
    line_counts_take();
    struct conversion_result general = convert_bytes(indented, indented_length, &options);
    size_t lines = line_counts_take().of[LINE_ASKED_FOR];
    free(indented);
    if (LINES_ARE_COUNTED && general.status == CG2WG_OK && lines < indented_length - length)
        fail_msg("%s: of %zu indented lines, only %zu were read in the general form", what,
                 indented_length - length, lines);
    options.progress = note_thread;
    main_thread = pthread_self();
    for (size_t i = 0; i == 0 || blocks[i - 1] != 0; i++) {
        /* Blocks of a good size are larger than all that is converted here: one thread reads it. */
        unsigned most = blocks[i] > 0 ? THREADS : 1;
        for (options.threads = 1; options.threads <= most; options.threads++) {
            read_at_once = blocks[i];
            is_read_by_others = false;
            struct conversion_result quick = convert_bytes(profile, length, &options);
            note_use(lines);
            assert_same(what, &general, &quick);
            assert_false(is_read_by_others && options.threads == 1);
            read_by_others += is_read_by_others;
            conversion_free(&quick);
        }
    }
    read_at_once = 0;
    conversion_free(&general);
}

/* Whether another thread is quick enough to read a block, before it is done, is left to chance. */
static void assert_threads_were_used(void)
{
    if (read_by_others == 0)
        fail_msg("no input was read by another thread, expected some");
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
    read_by_others = 0;
    static const char *const proxies[] = {"f3", "f5"};
    static const char *const events[] = {"Memory_(bytes)", "X = 2 Time_(10ns) - 3 Memory_(bytes)",
                                         "X = 1025 Memory_(bytes)"};
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
        cg2wg_options_init(&options);
        for (size_t event = 0; event < sizeof events / sizeof events[0]; event++) {
            options.event = events[event];
            compare(what, profile, length, &options, few_blocks);
        }
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        compare(what, profile, length, &options, thread_blocks);
        options.format = 4;
        compare(what, profile, length, &options, thread_blocks);
        free(profile);
    }
    assert_threads_were_used();
    assert_use_of(ALL_LINES | GROUPS | BIT(TOKEN_COSTS) | SUMS | BIT(SPAN_LEFT), 50);
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
    assert_use_of(ALL_LINES | GROUPS | SUMS, 50);
}

/* Compares a profile that is cut off at some `cuts` places. */
static void compare_cut(char *(*make)(uint64_t seed, size_t *length), uint64_t seed, size_t cuts)
{
    size_t length;
    char *profile = make(seed, &length);
    size_t step = length / cuts + 1;
    for (size_t cut = length % 7; cut < length; cut += step)
        compare("cut", profile, cut, NULL, one_block);
    free(profile);
}

/* Compares profiles in which one of `bytes` replaces another, and sometimes stays for the next ones. */
static void compare_damaged(char *(*make)(uint64_t seed, size_t *length), const char *bytes, int changes,
                            const size_t *blocks)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t length;
        char *profile = make(1000 + seed, &length);
        for (int i = 0; i < changes; i++) {
            size_t place = below((uint32_t)length);
            char old = profile[place];
            profile[place] = bytes[below((uint32_t)strlen(bytes))];
            compare("damaged", profile, length, NULL, blocks);
            if (i % 3 > 0)
                profile[place] = old;
        }
        free(profile);
    }
}

static void cut_profiles_come_out_the_same(void **state)
{
    (void)state;
    compare_cut(make_profile, 8, 700);
    assert_use_of(ALL_LINES | GROUPS | SUMS, 75);
}

static void damaged_profiles_come_out_the_same(void **state)
{
    (void)state;
    compare_damaged(make_profile, "\n()0 9c=f-:#", 30, thread_blocks);
    assert_use_of(ALL_LINES | GROUPS | SUMS | BIT(SPAN_LEFT), 50);
}

/* So many names in full that they share the rows in which the last ones are kept; the same ones come again. */
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
    assert_use_of(GROUPS, 1);
}

/* Records as Xdebug 2.2 writes them, with names of any length that mostly end in the same bytes. */
static char *make_named_profile(uint64_t seed, size_t *length)
{
    enum { FUNCTIONS = 25, RECORDS = 150 };
    static const char padding[] = "Some\\Very\\Long\\Name\\Of\\A\\Space\\That\\Has\\Many\\Parts\\";
    char *text = NULL;
    random_state = seed * 2 + 1;
    struct maker m = {.columns = 1 + below(2)};
    m.out = open_memstream(&text, length);
    fprintf(m.out, "version: 0.9.6\ncmd: a.php\npart: 1\nevents: Time%s\n\n",
            m.columns == 2 ? " Memory" : "");
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t function = i < FUNCTIONS ? i : below(FUNCTIONS), calls = i > 0 ? below(4) : 0;
        fprintf(m.out, "fl=/srv/%.*s%u.php\nfn=%.*sf%u->method\n%u ", (int)(function * 5 % 60), padding,
                function % 7, (int)(function * 3), padding, function, 3 + function);
        put_cost(&m);
        for (uint32_t k = 0; k < calls; k++) {
            uint32_t callee = (function + k * k) % (i < FUNCTIONS ? i : FUNCTIONS);
            fprintf(m.out, "cfl=/srv/%.*s%u.php\ncfn=%.*sf%u->method\ncalls=1 0 0\n%u ",
                    (int)(callee * 5 % 60), padding, callee % 7, (int)(callee * 3), padding, callee,
                    4 + function + k);
            put_cost(&m);
            if (below(400) == 0)
                put_oddity(&m);
        }
        fputc('\n', m.out);
    }
    fclose(m.out);
    return text;
}

static void sums_of_names_in_full_come_out_the_same(void **state)
{
    (void)state;
    static const char *const proxies[] = {"*f3->method", "*f11->method"};
    for (uint64_t seed = 0; seed < 40; seed++) {
        size_t length;
        char what[32], *profile = make_named_profile(seed, &length);
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        snprintf(what, sizeof what, "seed %" PRIu64, seed);
        compare(what, profile, length, &options, few_blocks);
        options.event = "2 Time";
        compare(what, profile, length, &options, thread_blocks);
        options.proxies = proxies;
        options.proxy_count = 2;
        compare(what, profile, length, &options, few_blocks);
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        compare(what, profile, length, &options, thread_blocks);
        free(profile);
    }
    assert_use_of(NAMED_LINES | GROUPS | SUMS | BIT(SPAN_LEFT), 20);
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
    read_by_others = 0;
    static const char *const formulas[] = {"E0", "E1", "E0 + 2 E1", "2 E0", "X = E0"};
    for (uint64_t seed = 0; seed < 120; seed++) {
        size_t length;
        char what[32], *profile = make_sums(seed, &length);
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        snprintf(what, sizeof what, "sums %" PRIu64, seed);
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
    assert_threads_were_used();
    assert_use_of(ALL_LINES | BIT(TOKEN_JUMP) | BIT(TOKEN_COSTS), 50);
}

static void a_block_of_sums_may_end_anywhere(void **state)
{
    (void)state;
    for (uint64_t seed = 300; seed < 304; seed++) {
        size_t length;
        char *profile = make_sums(seed, &length);
        /* Smaller ones have hardly a whole line. */
        for (size_t block = 120 + seed % 2; block < 600; block += 2) {
            size_t blocks[] = {block, 0};
            compare("one block size", profile, length, NULL, blocks);
        }
        free(profile);
    }
    assert_use_of(ALL_LINES | BIT(TOKEN_JUMP) | BIT(TOKEN_COSTS), 50);
}

static void cut_sums_come_out_the_same(void **state)
{
    (void)state;
    compare_cut(make_sums, 304, 300);
    assert_use_of(ALL_LINES | BIT(TOKEN_JUMP) | BIT(TOKEN_COSTS), 50);
}

static void damaged_sums_come_out_the_same(void **state)
{
    (void)state;
    compare_damaged(make_sums, "\n()0 9c=f-:#+*xj\r", 40, one_block);
    assert_use_of(ALL_LINES | BIT(TOKEN_JUMP) | BIT(TOKEN_COSTS), 50);
}

/* ---- what is odd, and what is very much ---------------------------------------------------- */

/* The same, and what comes of it has this in its dump. */
static void compare_and_find(const char *profile, size_t length, const struct cg2wg_options *given,
                             const size_t *blocks, const char *expected)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    if (given != NULL)
        options = *given;
    compare(expected, profile, length, &options, blocks);
    read_at_once = blocks[0];
    struct conversion_result quick = convert_bytes(profile, length, &options);
    read_at_once = 0;
    if (strstr(quick.dump, expected) == NULL)
        fail_msg("%s is not in\n%s%s", expected, quick.messages, quick.dump);
    conversion_free(&quick);
}

/*
 * Within f, whose first cost is 5. What is left out has a message; its line costs nothing. Costs beyond
 * 32 bits are divided by a million.
 */
static const struct odd_sum {
    const char *lines;
    const char *expected;
} odd_sums[] = {
    {"0x0123456789abcdef 3 7\n", "a.c f line=1 self=12 "},
    {"0x00123456789abcdef 3 7\n", "a.c f line=1 self=12 "},
    {"0x 3 7\n", "a.c f line=1 self=5 "},
    {"0xg 3 7\n", "a.c f line=1 self=5 "},
    {"+0x3 3 7\n", "a.c f line=1 self=12 "},
    {"+3 12345678 7\n", "a.c f line=1 self=12 "},
    {"+3 +3\n", "a.c f line=1 self=5 "},
    {"+3 * 999999999999999\n+3 * 1\n", "a.c f line=1 self=1000000000 "},
    {"+3 * 000000000000007\n", "a.c f line=1 self=12 "},
    {"+3 * 0000000000000007\n", "a.c f line=1 self=12 "},
    {"+3 3 7 \n", "a.c f line=1 self=12 "},
    {"cfn=(2) g\ncalls=3 0x5 2\n+1 3 9\n", "  to g:3 x3 =9\n"},
    {"cfn=(2) g\ncalls=12345678 0x5 2\n+1 3 9\n", "  to g:3 x12345678 =9\n"},
    {"cfn=(2) g\ncalls=4\n+1 3 9\n", "  to g:3 x4 =9\n"},
    {"cfn=(2) g\ncalls= 4 5\n+1 3 9\n", "  to g:3 x4 =9\n"},
    {"cfn=(2) g\ncalls=x 5\n+1 3 9\n", "a.c f line=1 self="},
    {"cfn=(2) g\ncalls=3 0x5 2\n", "a.c f line=1 self="},
    {"cfn=(2) g\n+1 3 9\n", "a.c f line=1 self="},
    {"jump=3 0x5 2\n* * \n", "a.c f line=1 self=5 "},
    {"jump=3 0x5 2\nrubbish\n", "a.c f line=1 self=5 "},
    {"jcn=3 0x5 2\n", "a.c f line=1 self=5 "},
    {"ob=(1) o\nfl=(2) b.c\nfn=(2) g\n0x5 7 3\n+1 * 4\n", "b.c g line=7 self=7 "},
    {"fn=(99)\n0x5 7 3\n", "a.c f line=1 self=5 "},
    {"fn=(2) g\r\n0x5 7 3\n", "a.c g line=7 self=3 "},
    {"cob=(9)\ncfn=(2) g\ncalls=1 0 0\n+1 3 9\n", "a.c f line=1 self="},
    {"cfi=(9)\ncfn=(2) g\ncalls=1 0 0\n+1 3 9\n", "a.c f line=1 self="},
    {"ob=(9)\nfn=(2) g\n+1 3 9\n", "a.c f line=1 self="},
    {"fl=(9)\nfn=(2) g\n+1 3 9\n", "a.c f line=1 self="},
};

#define SUMS_HEADER                                                                                \
    "version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: E0\n\n"                 \
    "fl=(1) a.c\nfn=(1) f\n0x1 1 5\n"

static void odd_sums_come_out_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd_sums / sizeof odd_sums[0]; i++) {
        char profile[1200];
        int length = snprintf(profile, sizeof profile, SUMS_HEADER "%s", odd_sums[i].lines);
        for (int k = 0; k < 30; k++)
            length += snprintf(profile + length, sizeof profile - (size_t)length, "+1 +1 0\n");
        length += snprintf(profile + length, sizeof profile - (size_t)length, "totals: 5\n");
        compare_and_find(profile, (size_t)length, NULL, one_block, odd_sums[i].expected);
    }
    assert_use_of(BIT(TOKEN_CALLS) | BIT(TOKEN_JUMP) | BIT(TOKEN_COST) | BIT(TOKEN_COSTS), 50);
}

/* Lines and costs of any length. What the line was, the call after it tells, which is one line further. */
static void numbers_in_sums_may_have_any_length(void **state)
{
    (void)state;
    static const char digits[] = "1234567891234567";
    static const char *const forms[] = {"0x5 %d %s\n", "+1 %d %s\n", "* +%d %s\n"};
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.scale = 1;
    for (int line = 1; line <= 9; line++)
        for (int cost = 1; cost <= 16; cost++)
            for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
                char profile[1500], expected[100], line_digits[20], cost_digits[20];
                snprintf(line_digits, sizeof line_digits, "%.*s", line, digits);
                snprintf(cost_digits, sizeof cost_digits, "%.*s", cost, digits);
                int number = atoi(line_digits), length = snprintf(profile, sizeof profile, SUMS_HEADER);
                length += snprintf(profile + length, sizeof profile - (size_t)length, forms[form], number,
                                   cost_digits);
                length += snprintf(profile + length, sizeof profile - (size_t)length,
                                   "cfn=(2) g\ncalls=1 0x5 2\n+1 +1 %s\n", cost < 9 ? cost_digits : "9");
                for (int k = 0; k < 30; k++)
                    length += snprintf(profile + length, sizeof profile - (size_t)length, "+1 +1 0\n");
                snprintf(expected, sizeof expected, "  to g:%d x1 =%s\n", number + (form == 2 ? 2 : 1),
                         cost < 9 ? cost_digits : "9");
                compare_and_find(profile, (size_t)length, &options, one_block, expected);
                if (cost < 9) {
                    snprintf(expected, sizeof expected, "a.c f line=1 self=%d ", 5 + atoi(cost_digits));
                    compare_and_find(profile, (size_t)length, &options, one_block, expected);
                }
            }
    assert_use_of(BIT(TOKEN_CALLS) | BIT(TOKEN_COST) | BIT(TOKEN_COSTS), 50);
}

/* Beyond 2^62, what is summed up is entered; then it goes on. Ten digits are divided off. */
static void sums_may_be_large(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    char *profile = NULL;
    size_t length;
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.scale = UINT64_C(10000000000);
    FILE *out = open_memstream(&profile, &length);
    fputs(SUMS_HEADER, out);
    for (int i = 0; i < LINES; i++)
        fputs("+1 * 999999999999999\n+1 * 1\n", out);
    fputs("totals: 5000000000000000005\n", out);
    fclose(out);
    compare_and_find(profile, length, &options, one_block, "a.c f line=1 self=500000000 ");
    free(profile);
    assert_use_of(BIT(TOKEN_COST), 1);
}

/*
 * Another part's lines have other columns: what was found ahead in them, as lines of the first one's form,
 * is of no use. The function of each ten lines costs 1 and 10 a line; it would be 20.
 */
static void parts_of_sums_may_have_different_columns(void **state)
{
    (void)state;
    static const size_t blocks[] = {1000, 2000, 4000, 8000, 0};
    enum { FUNCTIONS = 30, LINES = 10 };
    char *profile = NULL;
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs(SUMS_HEADER, out);
    for (int part = 1; part <= 2; part++) {
        for (int i = 0; i < FUNCTIONS; i++) {
            fprintf(out, part == 1 ? "fn=(%d) g%d\n0x1 1 0\n" : "fn=(%d) g%d\n1 0 0\n", i + 2, i);
            for (int k = 0; k < LINES; k++)
                fputs(part == 1 ? "+1 +1 1\n" : "5 10 20\n", out);
        }
        if (part == 1)
            fputs("part: 2\npositions: line\nevents: E0 E1\nfl=(1)\n", out);
    }
    fprintf(out, "totals: %d\n", FUNCTIONS * LINES * 11 + 5);
    fclose(out);
    compare_and_find(profile, length, NULL, blocks, "a.c g29 line=1 self=110 ");
    free(profile);
    assert_use_of(BIT(TOKEN_NAME) | BIT(TOKEN_COSTS), 50);
}

/* A name that is longer than what is read at once. */
static void sums_may_have_long_names(void **state)
{
    (void)state;
    static const size_t small_blocks[] = {130, 200, 300, 0};
    char profile[2000], name[700];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    int length = snprintf(profile, sizeof profile, SUMS_HEADER "+1 * 2\nfn=(2) %s\n0x3 9 4\n", name);
    for (int k = 0; k < 40; k++)
        length += snprintf(profile + length, sizeof profile - (size_t)length, "+1 +1 1\n");
    compare_and_find(profile, (size_t)length, NULL, small_blocks, "n line=9 self=44 ");
    assert_use_of(BIT(TOKEN_NAME) | BIT(TOKEN_COST) | BIT(TOKEN_COSTS), 50);
}

/* So many keys that the sums have to forget them; others then have their numbers. */
static void many_keys_come_out_the_same(void **state)
{
    (void)state;
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
    assert_use_of(NAMED_LINES | BIT(TOKEN_ALIAS) | SUMS, 1);
}

/* More proxies than sums can exclude: then there are no sums any more. */
static void many_proxies_come_out_the_same(void **state)
{
    (void)state;
    enum { PROXIES = 100, ROUNDS = 5, BETWEEN = 60 /* records, so that sums are long enough */ };
    static const size_t blocks[] = {4000, 0};
    static const char *const proxies[] = {"p*"};
    char *profile = NULL;
    size_t length;
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.proxies = proxies;
    options.proxy_count = 1;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n\n", out);
    for (int i = 0; i < ROUNDS * PROXIES; i++) {
        int proxy = 100 + i % PROXIES;
        for (int k = 0; k < BETWEEN; k++)
            fputs("fl=(1)\nfn=(1)\n3 2\n\n", out);
        fprintf(out, "fl=(1)\nfn=(%d)", proxy);
        if (i < PROXIES)
            fprintf(out, " p%d", proxy);
        fputs("\n4 5\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 2\n\n", out);
    }
    fputs("fl=(1)\nfn=(99) g\n7 1\n", out);
    for (int i = 0; i < 20; i++)
        fputs("cfl=(1)\ncfn=(1)\ncalls=1 0 0\n8 2\n", out);
    fputs("\n", out);
    fclose(out);
    compare_and_find(profile, length, &options, blocks, "  to f:8 x20 =40\n");
    free(profile);
    assert_use_of(NAMED_LINES | BIT(TOKEN_ALIAS) | GROUPS | SUMS | BIT(SPAN_LEFT), 50);
}

/*
 * A blank line after calls= closes the record, and the calls after it open it again: the last record has
 * been cut off, if not in the last line.
 */
static void calls_open_a_closed_record(void **state)
{
    (void)state;
    char profile[1500];
    int length = snprintf(profile, sizeof profile,
                          "creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n\n"
                          "fl=(1)\nfn=(1)\n1 1\n\nfl=(1)\nfn=(2) g\n2 2\n"
                          "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n\nfi=(1)\n");
    for (int i = 0; i < 10; i++)
        length += snprintf(profile + length, sizeof profile - (size_t)length,
                           "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 4\n");
    for (int i = 0; i < 5; i++)
        length += snprintf(profile + length, sizeof profile - (size_t)length,
                           "# which is long enough for what stands above to be taken at once\n");
    compare_and_find(profile, (size_t)length, NULL, one_block, "a f line=1 self=2 incl=2 inv=2\nheader");
    assert_use_of(BIT(TOKEN_CALL) | SUMS, 50);
}

/* Three events, so that records are not added up. The last one has no blank line after it, as the others have. */
static void records_before_one_that_is_cut_off_are_groups(void **state)
{
    (void)state;
    static const char profile[] = "creator: xdebug 3.2.0\nevents: A B C\n\nfl=(1) a\nfn=(1) f\n1 3 0 0\n\n"
                                  "fl=(1)\nfn=(1)\n1 4 0 0\n\nfl=(1)\nfn=(1)\n1 5 0 0\n";
    compare_and_find(profile, sizeof profile - 1, NULL, one_block, "a f line=1 self=7 incl=7 inv=2\nheader");
    assert_use_of(BIT(TOKEN_RECORD), 50);
}

/* The file's line is before that of the record's function, which is found by its parentheses. */
static void a_file_may_end_with_a_parenthesis(void **state)
{
    (void)state;
    enum { CALLS = 40 };
    char profile[4000];
    int length = snprintf(profile, sizeof profile,
                          "creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n\n"
                          "fl=(1)\nfn=(2) g\n2 2\n\n");
    for (int i = 0; i < CALLS; i++)
        length += snprintf(profile + length, sizeof profile - (size_t)length,
                           "fl=(1)\nfn=(1)\n1 1\n\n"
                           "fl=/x.php(\nfn=(2)\n2 2\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 4\n\n");
    compare_and_find(profile, (size_t)length, NULL, one_block, "  to f:3 x40 =160\n");
    assert_use_of(SUMS, 50);
}

/* From below 0, own costs may add up to more than 63 bits: it is the total that is bounded, no part of it. */
static void own_costs_may_begin_far_below_0(void **state)
{
    (void)state;
    enum { LINES = 12000 };
    static const char *const heads[] = {
        SUMS_HEADER "+1 +1 -9000000000000000000\nfn=(2) g\n+1 1 0\n",
        "creator: xdebug 3.2.0\nevents: Time\n\nfl=/a.php\nfn=f\n2 -9000000000000000000\n\n"};
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.scale = UINT64_C(1000000000000);
    for (size_t i = 0; i < 2; i++) {
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fputs(heads[i], out);
        for (int k = 0; k < LINES; k++)
            fputs(i == 0 ? "+1 * 999999999999999\n" : "fl=/a.php\nfn=f\n2 999999999999999\n\n", out);
        fclose(out);
        compare_and_find(profile, length, &options, one_block, "header: summary: 3000000\n");
        free(profile);
    }
    assert_use_of(NAMED_LINES, 1);
}

/*
 * f gets so much memory that its sum stays at the largest one, and gives some of it back: what is left depends
 * on what was added first. So does the sum of all.
 */
static void memory_may_come_back_from_the_largest_sum(void **state)
{
    (void)state;
    static const char *const lines[] = {"1 1 9223372036854775807", "1 1 4000000000", "1 1 -4000000000"};
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.event = "Memory_(bytes)";
    options.scale = UINT64_C(10000000000);
    for (int way = 0; way < 3; way++) {
        bool in_full = way == 1, in_parts = way == 2; /* whose sums begin at 0 */
        char *profile = NULL;
        size_t length;
        FILE *out = open_memstream(&profile, &length);
        fputs("creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\n\n", out);
        for (int i = 0; i < 50; i++) {
            fprintf(out, "fl=%s\nfn=%s\n%s\n\n", in_full ? "a" : i == 0 ? "(1) a" : "(1)",
                    in_full ? "f" : i == 0 ? "(1) f" : "(1)", lines[i == 10 ? 0 : 1 + (i > 30)]);
            fputs(in_parts && i == 12 ? "part: 2\n\n" : "", out);
        }
        fclose(out);
        compare("memory", profile, length, &options, few_blocks);
        free(profile);
    }
    assert_use_of(NAMED_LINES | BIT(TOKEN_RECORD), 50);
}

/* The last record has been cut off: what it has added to an arc that was full before goes again. */
static void a_full_arc_stays_full(void **state)
{
    (void)state;
    enum { CALLS = 70000 };
    static const char call[] = "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 10000000000000\n";
    char *profile = NULL;
    size_t length;
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.scale = UINT64_C(10000000000);
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n\nfl=(1)\nfn=(2) g\n1 1\n"
          "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 9223372036854775807\n\nfl=(1)\nfn=(2)\n1 1\n", out);
    for (int i = 0; i < CALLS; i++)
        fputs(call, out);
    fclose(out);
    compare_and_find(profile, length - 5, &options, one_block, "  to f:3 x1 =922337204\n");
    free(profile);
    assert_use_of(BIT(TOKEN_CALL), 1);
}

/*
 * The self cost of a record that has been cut off counts nowhere, even if it has left 64 bits. That of a whole one
 * may leave them in between. (All costs are divided by 10^18.)
 */
static void a_self_cost_that_leaves_64_bits_belongs_to_its_record(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *sum, *invocation;
    } records[] = {
        {"2 9000000000000000000\n2 9000000000000000000\ncfn=f\n", "self=1 incl=1 inv=1\n",
         "#0 self=1 incl=1 "},
        {"2 9000000000000000000\n2 9000000000000000000\n\n", "self=9 incl=9 inv=2\n", "#1 self=9 incl=9 "},
        {"2 9000000000000000000\n2 9000000000000000000\n2 -9000000000000000000\n2 -5000000000000000000\n\n",
         "self=5 incl=5 inv=2\n", "#1 self=4 incl=4 "},
    };
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.scale = UINT64_C(1000000000000000000);
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        char profile[300];
        int length = snprintf(profile, sizeof profile,
                              "creator: xdebug 3.2.0\nevents: Time\n\nfl=a\nfn=f\n1 1000000000000000000\n\n"
                              "fl=a\nfn=f\n%s", records[i].lines);
        for (int outermost = 0; outermost < 2; outermost++) {
            options.inclusive = outermost ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_SUM;
            options.format = 7;
            compare_and_find(profile, (size_t)length, &options, few_blocks, records[i].sum);
            options.format = 4;
            compare_and_find(profile, (size_t)length, &options, few_blocks, records[i].invocation);
        }
    }
    assert_use_of(BIT(TOKEN_NAME), 75);
}

/* Aliases are defined by calls that are left out, for no cost has come: no function has them yet. */
static void aliases_may_come_before_their_functions(void **state)
{
    (void)state;
    static const char *const proxies[] = {"proxy"};
    static const char *const names[][2] = {{" other", "a other line=3 self=18 "},
                                           {" proxy", "a f line=1 self="},
                                           {"", "a f line=1 self="}};
    struct cg2wg_options options;
    cg2wg_options_init(&options);
    options.proxies = proxies;
    options.proxy_count = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char profile[1500];
        int length = snprintf(profile, sizeof profile,
                              "creator: xdebug 3.2.0\nevents: Time\n\nfl=(1) a\nfn=(1) f\n1 1\n"
                              "cfl=(1)\ncfn=(2)%s\ncalls=1 0 0\n\nfl=(1)\nfn=(1)\n1 1\n\n",
                              names[i][0]);
        for (int k = 0; k < 6; k++)
            length += snprintf(profile + length, sizeof profile - (size_t)length,
                               "fl=(1)\nfn=(2)\n3 3\n\nfl=(1)\nfn=(1)\n1 2\n"
                               "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n1 3\n\n");
        compare_and_find(profile, (size_t)length, &options, one_block, names[i][1]);
    }
    assert_use_of(GROUPS, 50);
}

#define FULL_RECORD "fl=/a.php\nfn=f\n2 1\n\n"

/*
 * After records with names in full: the last one, of g, costs 7 and calls f, if that is said. Less than 0 is
 * written as 0.
 */
static const struct odd_record {
    const char *record;
    const char *expected;
} odd_records[] = {
    {"fl=/b.php\nfn=g\n3 7\ncfn=f\ncalls=2 0 0\n4 5\n", "  to f:4 x2 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfn=f\ncalls=2\n4 5\n", "  to f:4 x2 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfn=f\ncalls=12345678 0 0\n4 5\n", "  to f:4 x12345678 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfn=f\ncalls=123456789 0 0\n4 5\n", "  to f:4 x123456789 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfn=f\ncalls= 0 0\n4 5\n", "/b.php g line=3 self=7 "},
    {"fl=/b.php\nfn=g\n3 7\ncfl=/a.php\ncfn=f\ncalls=1 0 0\n12345678 5\n",
     "  to f:12345678 x1 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfl=/a.php\ncfn=f\ncalls=1 0 0\n123456789 5\n",
     "  to f:123456789 x1 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfl=/a.php\r\ncfn=f\ncalls=1 0 0\n4 5\n", "  to f:4 x1 =5\n"},
    {"fl=/b.php\nfn=g\n3 7\ncfl=/a.php\ncfn=f\ncalls=1 0 0\n+1 5\n", "  to f:4 x1 =5\n"},
    {"fl=/b.php\nfn=g\n3 999999999999999\n", " g line=3 self=1000000000 "},
    {"fl=/b.php\nfn=g\n3 0000000000000007\n", "/b.php g line=3 self=7 "},
    {"fl=/b.php\nfn=g\n3 7\r\n", "/b.php g line=3 self=7 "},
    {"fl=/b.php\nfn=g\n3 -7\n", "/b.php g line=3 self=0 "},
    {"fl=(1) /b.php\nfn=g\n3 7\n", "/b.php g line=3 self=7 "},
    {"fl=/b.php\nfn=(1) g\n3 7\n", "/b.php g line=3 self=7 "},
    {"fl=\nfn=g\n3 7\n", "- g line=3 self=7 "},
};

static void odd_records_come_out_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd_records / sizeof odd_records[0]; i++) {
        char profile[1500];
        snprintf(profile, sizeof profile, "creator: xdebug 2.2.7\nevents: Time\n\n" FULL_RECORD
                 FULL_RECORD FULL_RECORD "%s\n" FULL_RECORD FULL_RECORD FULL_RECORD FULL_RECORD
                 FULL_RECORD, odd_records[i].record);
        compare_and_find(profile, strlen(profile), NULL, one_block, odd_records[i].expected);
    }
    assert_use_of(NAMED_LINES | BIT(TOKEN_CALLS), 50);
}

/* Names with many bytes, though they are not so many; they come again. */
static void long_names_in_full_come_out_the_same(void **state)
{
    (void)state;
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
    assert_use_of(BIT(TOKEN_RECORD), 1);
}

/* One record with more calls than tokens are made at once; all of them in one block. */
/*
 * After a name, the reader expects what followed it before: the same name, or the one with another letter at
 * the place next to it.
 */
static void names_in_full_may_differ_in_any_byte(void **state)
{
    (void)state;
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
            fprintf(out, "fl=a\nfn=%s\n1 2\n\nfl=a\nfn=%s\n1 2\n\nfl=a\nfn=%s\n1 3\n\n", common, common,
                    name);
        }
        fclose(out);
        compare_and_find(profile, size, NULL, one_block, "z line=1 self=6 incl=6 inv=2\n");
        free(profile);
    }
    assert_use_of(BIT(TOKEN_RECORD), 1);
}

static void a_record_may_have_very_many_calls(void **state)
{
    (void)state;
    enum { CALLS = 120000 };
    char *profile = NULL, expected[60];
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: xdebug 2.2.7\nevents: Time\n\nfl=a\nfn=f\n1 1\n\nfl=a\nfn=f\n1 1\n\n"
          "fl=a\nfn=g\n1 1\n", out);
    for (int i = 0; i < CALLS; i++)
        fprintf(out, "cfn=f\ncalls=1 0 0\n%d 3\n", i % 2);
    fputs("\n" FULL_RECORD FULL_RECORD FULL_RECORD, out);
    fclose(out);
    snprintf(expected, sizeof expected, "  to f:1 x%d =%d\n", CALLS / 2, CALLS / 2 * 3);
    compare_and_find(profile, length, NULL, (const size_t[]){8000000, 0}, expected);
    free(profile);
    assert_use_of(NAMED_LINES | BIT(TOKEN_CALLS), 1);
}

/* ---- real ones ---------------------------------------------------------------------------- */

static void put_event(void *user, const struct cg2wg_event *event)
{
    fprintf(user, "%s %" PRId64 "\n", event->name, event->total);
}

static void put_message(void *user, const struct cg2wg_message *message)
{
    fprintf(user, "%s\n", message->text);
}

/* What the list of events says of a profile, with its messages. */
static char *list_events(const char *profile, size_t length)
{
    char *listed = NULL, *input = scratch_path("profile");
    size_t size;
    struct cg2wg_options options;
    FILE *out = open_memstream(&listed, &size);
    write_file(input, profile, length);
    cg2wg_options_init(&options);
    options.report = put_message;
    options.user = out;
    assert_int_equal(cg2wg_list_events(input, &options, put_event, out), CG2WG_OK);
    fclose(out);
    free(input);
    return listed;
}

static void compare_lists(const char *profile, size_t length)
{
    size_t indented_length = length;
    char *indented = indent_lines(profile, &indented_length);
    line_counts_take();
    char *general = list_events(indented, indented_length);
    size_t lines = line_counts_take().of[LINE_ASKED_FOR];
    char *quick = list_events(profile, length);
    note_use(lines);
    assert_string_equal(general, quick);
    free(general);
    free(quick);
    free(indented);
}

/* ---- the meaning of each kind of line, in each form ----------------------------------------- */

/*
 * Profiles written by hand. Whatever the reader does with usual lines, each must give what its lines give in
 * the general form, wherever a line of that form stands among usual ones. Those with an expectation have it
 * worked out from the format (docs/design.md names the sources), not from an output.
 */
#define XDEBUG "creator: xdebug 3.2.0\nevents: Time\n\n"
#define MEMORY "creator: xdebug 3.2.0\nevents: Time Memory\n\n"
#define VALGRIND                                                                                             \
    "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\n\nfl=(1) a.c\nfn=(1) f\n"
#define ADDRESSES \
    "version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: Ir Dr Bm\n\nfl=(1) a.c\nfn=(1) f\n"
#define OTHER "creator: other\nevents: Ir Dr\n\nfl=(1) a.c\nfn=(1) f\n"
#define F XDEBUG "fl=(1) a\nfn=(1) f\n2 5\n\n"
#define NEXT_F "fl=(1)\nfn=(1)\n2 5\n\n"
#define FS F NEXT_F NEXT_F
#define CALL_F(count) "cfl=(1)\ncfn=(1)\ncalls=" count "\n"
#define G "fl=(1)\nfn=(2) g\n3 7\n"

static const struct meaning {
    const char *profile;
    const char *expected[3]; /* in the dump of version 7 */
    const char *event;
    uint64_t scale; /* 0: as it is */
} meanings[] = {
    /* Positions */
    {VALGRIND "10 1\n+2 10\n-3 100\n* 1000\ncfn=(2) g\ncalls=1 5\n+4 7\n+1 9\ncfn=(2)\ncalls=2 5\n* 3\n",
     .expected = {"a.c f line=10 self=1120 incl=1130 ", "  to g:13 x1 =7\n  to g:10 x2 =3\n"}},
    {OTHER "10 1\n+2 10\n-3 100\n* 1000\ncfn=(2) g\ncalls=1 5\n+4 7\n+1 9\ncfn=(2)\ncalls=2 5\n* 3\n",
     .expected = {"a.c f line=10 self=1120 incl=1130 ", "  to g:13 x1 =7\n  to g:14 x2 =3\n"}},
    {ADDRESSES
     "0x10 5 1 2 3\n+4 +1 10 0 0\n0x20 * 100\n* -2 1000 1\ncfn=(2) g\ncalls=1 0x99 7\n+3 +6 50 1 1\n",
     .expected = {"a.c f line=5 self=1111 ", "  to g:10 x1 =50\n"}},
    {ADDRESSES
     "0x10 5 1 2 3\n+4 +1 10 0 0\n0x20 * 100\n* -2 1000 1\ncfn=(2) g\ncalls=1 0x99 7\n+3 +6 50 1 1\n",
     .expected = {"a.c f line=5 self=3 ", "  to g:10 x1 =1\n"}, .event = "Dr"},
    {ADDRESSES "16 5 1\n0xfFfF 6 2\n0xffffffffffffffff 7 4\n+1 * 8\n0x0 8 16\n0x 9 32\n"
               "0x12345678901234567 9 64\n",
     .expected = {"a.c f line=5 self="}},
    {ADDRESSES "0x1 4294967295 1\n+1 +1 2\ncfn=(2) g\ncalls=1 0\n+1 -1 4\ncfn=(2)\ncalls=1 0\n+1 * 8\n",
     .expected = {"a.c f line=4294967295 self=3 ", "  to g:4294967295 x1 =4\n  to g:0 x1 =8\n"}},
    {.profile = VALGRIND "5 1\n-7 2\n+3 4\ncfn=(2) g\ncalls=1 1\n* 8\n",
     .expected = {"a.c f line=5 self=7 ", "  to g:1 x1 =8\n"}},
    {.profile = VALGRIND "5 1\n0x10 2\n010 4\n+0x2 8\ncfn=(2) g\ncalls=1 1\n+1 16\n",
     .expected = {"a.c f line=5 self=15 ", "  to g:13 x1 =16\n"}},
    {"creator: a\npositions: instr\nevents: Ir\n\nfl=(1) a.c\nfn=(1) f\n0x5 1\n+3 2\ncfn=(2) g\n"
     "calls=1 0x9\n* 4\n",
     .expected = {"a.c f line=0 self=3 ", "  to g:0 x1 =4\n"}},
    {"creator: a\npositions: instr bb line\nevents: Ir\n\nfl=(1) a.c\nfn=(1) f\n0x5 1 7 1\n+3 * +2 2\n"
     "* * * 4\ncfn=(2) g\n"
     "calls=1 1 1 1\n* +1 -1 8\n",
     .expected = {"a.c f line=7 self=7 ", "  to g:8 x1 =8\n"}},
    {.profile = VALGRIND "5 1\n+1  2\n+1\t4\n + 8\n* * 16\n** 32\n+ 64\n",
     .expected = {"a.c f line=5 self="}},

    /* Costs */
    {OTHER "1 5\n1 5 7\n1\n1 5 7 9\n1 5 7 \n1 5 -7\n2 -5 +1\n1 5 7 # a comment\n1 5 7.5\n1 5 x\n",
     .expected = {"a.c f line=1 self=35 "}, .event = "Ir"},
    {.profile = OTHER "1 5\n1 5 7\n1\n1 5 7\n1 5 7 \n1 5 -7\n1 5 7 # a comment\n",
     .expected = {"a.c f line=1 self=21 "},
     .event = "Dr"},
    {.profile = ADDRESSES "1 1 5\n1 1 5 7\n1 1\n1\n1 1 5 7 9\n1 1 5 7 9 11\n",
     .expected = {"a.c f line=1 self=18 "},
     .event = "Bm"},
    {VALGRIND "1 10000000000000\n1 100000000000000\n1 100000000000000000\n1 1000000000000000000\n",
     .expected = {"a.c f line=1 self=110011000 "}, .scale = UINT64_C(10000000000)},
    {.profile = VALGRIND "1 99999999999999\n1 999999999999999\n1 999999999999999999\n1 9223372036854775807\n"
                         "1 -5\n1 3\n"},
    {.profile = VALGRIND "1 9223372036854775808\n1 18446744073709551615\n1 18446744073709551616\n"
                         "1 99999999999999999999\n1 7\n"},
    {.profile = VALGRIND "1 -9223372036854775808\n1 -9223372036854775807\n1 -1\n1 9223372036854775807\n"
                         "1 000000000000000000000007\n"},
    {OTHER "1 1 10000000000000\n1 1 100000000000000\n1 1 100000000000000000\n1 1 1000000000000000000\n",
     .expected = {"a.c f line=1 self=110011000 "}, .event = "Dr", .scale = UINT64_C(10000000000)},
    {.profile = OTHER "1 10000000000000 1\n1 9223372036854775807 2\n1 99999999999999999999 4\n1 -3 8\n",
     .expected = {"a.c f line=1 self=15 "},
     .event = "Dr"},
    {OTHER "1 100 10\n2 5 10\n3 40\n4\ncfn=(2) g\ncalls=1 1\n5 50 30\ncalls=1 1\n5 50 10\n",
     .expected = {"a.c f line=1 self=105 ", "  to g:5 x2 =20\n"}, .event = "X = Ir - 2 Dr"},
    {.profile = OTHER "1 1 4000000000\n1 -3 2\n",
     .expected = {"a.c f line=1 self=4000000008 "},
     .event = "X = Dr - 3 Ir"},
    {.profile = OTHER "1 1 4611686018427387904\n1 1 4611686018427387904\n1 1 -4611686018427387904\n",
     .event = "X = 2 Dr - Ir"},
    {.profile = OTHER "1 1 2\n1 1 2\n", .expected = {"a.c f line=1 self=0 "}, .event = "X = 2 Ir - Dr"},
    {.profile = OTHER "5 1\n5 1\n5 1\n5 1\n5 1\n5 2\n5 1\n+0 1\n* 1\n5 1 0\n05 1\n5 01\n5 1 1\n5 1\n",
     .expected = {"a.c f line=5 self=15 "}},
    {.profile = VALGRIND "5 1\n40\n40 \n5 2\n", .expected = {"a.c f line=5 self=3 "}},

    /* Names */
    {VALGRIND "1 1\nfn=(7)\n2 2\nfn=(2) g\n3 4\nfn=(7) h\n4 8\nfn=(7)\n4 16\n",
     .expected = {"a.c (7) line=2 self=2 ", "a.c g line=3 self=4 ", "a.c h line=4 self=24 "}},
    {VALGRIND "1 1\nfn=(1) g\n2 2\nfn=(1)\n2 4\nfn=f\n1 8\nfn=(1) f\n1 16\ncfn=(1)\ncalls=1 0\n1 32\n",
     .expected = {"a.c f line=1 self=25 ", "a.c g line=2 self=6 ", "  to f:1 x1 =32\n"}},
    {FS "fl=(1)\nfn=(1) g\n2 7\n\nfl=(1)\nfn=(1)\n2 7\n\nfl=(1) b\nfn=(1) h\n4 9\n\nfl=(1)\nfn=(1)\n4 9\n\n",
     .expected = {"a f line=2 self=15 incl=15 inv=3\n", "a g line=2 self=14 incl=14 inv=2\n",
                  "b h line=4 self=18 incl=18 inv=2\n"}},
    {FS G CALL_F("1 0 0") "4 5\n\nfl=(1)\nfn=(3) h\n5 1\ncfl=(1)\ncfn=(1) g\ncalls=1 0 0\n6 7\n"
                          "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n6 7\n\n",
     .expected = {"a g line=3 self=7 incl=12 inv=1\n  from h:6 x2 =14\n  to f:4 x1 =5\n"}},
    {VALGRIND "1 1\nfn=(002) g\n2 2\nfn=(2)\n2 4\nfn=(1000000000) h\n3 8\nfn=(1000000000)\n3 16\nfn=(2) \n"
              "2 32\nfn=( 2)\n2 64\n",
     .expected = {"a.c g line=2 self=38 ", "a.c h line=3 self=24 "}},
    {"creator: xdebug 2.2.7\nevents: Time\n\nfl=/a.php\nfn=some\\name->of_it\n2 5\n\nfl=/a.php\nfn=g\n3 7\n"
     "cfl=/a.php\n"
     "cfn=some\\name->of_it\ncalls=1 0 0\n4 5\n\nfl=\nfn=\n1 1\n\nfl=/b.php\nfn=(anonymous)\n1 2\n\n",
     .expected = {"  to some\\name->of_it:4 x1 =5\n", "/b.php (anonymous) line=1 self=2 "}},

    /* Calls */
    {OTHER "1 1\ncfn=(2) g\ncalls=2 9\n3 5\ncfn=(2)\ncalls=0 +3 -4\n3 50\ncfn=(2)\ncalls=1\n4 500\ncfn=(2)\n"
           "calls=-1 * *\n5 5000\n",
     .expected = {"  to g:3 x2 =55\n  to g:4 x1 =500\n  to g:5 x0 =5000\n"}},
    {OTHER "1 1\ncfn=(2) g\ncalls=1 0 0\ncfn=(2)\ncalls=1 0 0\n3 5\ncfn=(2)\ncalls=1 0 0\nfn=(2)\n7 9\n",
     .expected = {"a.c f line=1 self=1 incl=6 inv=1\n  to g:3 x1 =5\n", "a.c g line=7 self=9 "}},
    {OTHER "1 1\ncfn=(2) g\ncalls=1 0 0\n\n# between\n3 5\ncalls=2 0 0\n4 50\ncalls=x\n5 500\n"
           "calls=1 0 0 rubbish\n6 5000\n",
     .expected = {"a.c f line=1 self=1 incl=5056 ", "  to g:3 x1 =5\n  to g:4 x2 =50\n  to g:6 x1 =5000\n"}},
    {OTHER
     "1 1\ncob=(1) o\ncfi=(2) b.c\ncfn=(2) g\ncalls=1 0\n3 5\ncfn=(2)\ncob=(1)\ncfl=(2)\ncalls=1 0\n3 5\n"
     "cfn=(2)\ncalls=1 0\n3 5\n",
     .expected = {"b.c g line=0 self=0 incl=10 ", "a.c g line=0 self=0 incl=5 "}},
    {OTHER "1 1\ncfi=(2) b.c\ncfn=(2) g\ncfn=(3) h\ncalls=1 0\n3 5\ncfn=(2)\nfn=(3)\n4 7\ncalls=1 0\n5 9\n",
     .expected = {"a.c h line=4 self=7 ", "  from f:3 x1 =5\n"}},
    {.profile = OTHER "1 1\ncfn=(2) g\nrcalls=3 0\n3 5\nfrfn=(2)\nrec=2\ncfn=(2)\ncalls=1 0\n* 7\n",
     .expected = {"  to g:3 x4 =12\n"}},
    {"creator: other\nevents: Ir Dr\n\nfl=(1) a.c\ncfn=(2) g\ncalls=1 0\n3 5\n4 6\nfn=(1) f\n1 1\n",
     .expected = {"a.c f line=1 self=1 incl=1 "}},
    {FS G CALL_F("1 0 0") "4 5\n" CALL_F("1 0 0") "4 5\n" CALL_F("2 0 0") "4 5\n" CALL_F(
         "0 1 2") "4 5\n" CALL_F("1") "4 5\n" CALL_F("1 0 0") "4 5\n\n",
     .expected = {"a g line=3 self=7 incl=37 inv=1\n  to f:4 x6 =30\n"}},
    {FS G "cfn=(1)\ncalls=1 0 0\n4 5\n" CALL_F("1 0 0") "+1 5\n" CALL_F("1 0 0") "* 5\n" CALL_F(
         "1 0 0") "-1 5\n3 1\n\n",
     .expected = {"a g line=3 self=8 incl=28 inv=1\n  to f:4 x2 =10\n  to f:5 x2 =10\n"}},
    {FS G CALL_F("1 0 0") "\nfl=(1)\nfn=(2)\n3 7\n" CALL_F("1 0 0") "4 5\n\n",
     .expected = {"a g line=3 self=14 incl=19 inv=2\n  to f:4 x1 =5\n"}},

    /* Jumps */
    {OTHER "1 1\njump=3 20\n30\n+1 5\njcnd=1/2 +7\n* 7\ncfn=(2) g\ncalls=1 0\n+1 9\n",
     .expected = {"a.c f line=1 self=6 ", "  to g:32 x1 =9\n"}},
    {VALGRIND "1 1\njump=3 20\n30\n+1 5\njcnd=1/2 +7\n* \ncfn=(2) g\ncalls=1 0\n+1 9\n",
     .expected = {"a.c f line=1 self=6 ", "  to g:3 x1 =9\n"}},
    {ADDRESSES "0x1 1 1\njcnd=1/2 +7 +1\n* * \n+1 +1 5\njump=1 * *\n0x9\n+1 * 7\njfi=(2) b.c\njfn=(2) g\n"
               "jump=1 * *\n\n* *\nfn=(2)\n* * 9\n",
     .expected = {"a.c f line=1 self=13 ", "a.c g line=2 self=9 "}},

    /* Files of inlined code, and callgrind's rules for what follows them */
    {VALGRIND "fi=(2) b.c\n50 1\nfe=(1)\n7 2\nfi=(2)\n60 4\nfl=(3) c.c\nfn=(2) g\n8 8\n",
     .expected = {"a.c f line=7 self=7 ", "c.c g line=8 self=8 "}},
    {VALGRIND "5 1\nfi=(2) b.c\n7 2\ncfn=(2) g\ncalls=1 3\n* 10\nfe=(1)\ncfn=(2)\ncalls=1 3\n+1 10\n"
              "cfi=(1)\ncfn=(3) h\n"
              "calls=1 1\n+1 7\nfn=(3)\ncfn=(4) k\ncalls=1 2\n1 7\n",
     .expected = {"  to g:7 x1 =10\n  to g:8 x1 =10\n  to h:8 x1 =7\n", "b.c g line=0 self=0 incl=20 ",
                  "a.c k line=0 self=0 incl=7 "}},
    {OTHER "5 1\nfi=(2) b.c\n7 2\ncfn=(2) g\ncalls=1 3\n* 10\nfe=(1)\ncfn=(2)\ncalls=1 3\n+1 10\n",
     .expected = {"  to g:7 x1 =10\n", "b.c g line=0 self=0 incl=10 ", "a.c g line=0 self=0 incl=10 "}},
    {VALGRIND "1 1\nob=(1) x\nfl=(1)\nfn=(1)\n1 2\nob=(2) y\nfn=(1)\n1 4\ncob=(1)\ncfn=(1)\ncalls=1 0\n1 8\n",
     .expected = {"a.c f line=1 self=1 ", "a.c f line=1 self=2 incl=2 inv=1\n  from f:1 x1 =8\n"}},

    /* Header lines between records */
    {OTHER "1 1 10\npart: 2\nevents: Dr Ir\nfl=(1)\nfn=(1)\n1 20 2\ncfn=(2) g\ncalls=1 0\n1 40 4\n",
     .expected = {"a.c f line=1 self=3 incl=7 ", "  to g:1 x1 =4\n"}, .event = "Ir"},
    {OTHER "1 1 10\npositions: instr line\nfl=(1)\nfn=(1)\n0x7 2 2\n+1 +1 4\ntotals: 7\npositions: line\n"
           "fl=(1)\nfn=(1)\n2 8\n",
     .expected = {"a.c f line=1 self=15 "}},
    {VALGRIND "1 1\ntotals: 1\ndesc: x: y\nfn=(1)\n2 2\nsummary: 3\n+1 4\nfn=(2) g\n+1 8\ncfn=(1)\n"
              "calls=1 0\n* 1\ncmd: a\n* 16\n",
     .expected = {"a.c f line=1 self=7 ", "a.c g line=4 self=24 "}},
    {OTHER "5 1\nevent: x = Ir + Dr\n+1 2 3\npid: 5\nfl=(1)\nfn=(1)\n+1 4\ncfn=(2) g\ncalls=1 0\n+1 8\n",
     .expected = {"a.c f line=5 self=7 ", "  to g:2 x1 =8\n"}, .event = "Ir"},
    {MEMORY "fl=(1) a\nfn=(1) f\n2 5 8\n\nfl=(1)\nfn=(1)\n2 5 -3\n\npart: 2\nevents: Memory Time\n\nfl=(1)\n"
            "fn=(1)\n2 100 1\n\n"
            "fl=(1)\nfn=(1)\n2 100 1\n\n",
     .expected = {"a f line=2 self=12 incl=12 inv=4\n"}, .event = "Time"},
    {MEMORY
     "fl=(1) a\nfn=(1) f\n2 5 8\n\nfl=(1)\nfn=(1)\n2 5 -3\n\nfl=(1)\nfn=(1)\n2 5\n\nfl=(1)\n"
     "fn=(2) g\n3 1 1\n" CALL_F("1 0 0") "4 5 8\n" CALL_F("1 0 0") "4 5 -3\n" CALL_F("1 0 0") "4 5\n\n",
     .expected = {"a f line=2 self=5 incl=5 inv=3\n  from g:4 x3 =5\n", "a g line=3 self=1 incl=6 "},
     .event = "Memory"},
    {MEMORY
     "fl=(1) a\nfn=(1) f\n2 50 8\n\nfl=(1)\nfn=(1)\n2 50 -3\n\nfl=(1)\nfn=(1)\n2 50\n\nfl=(1)\n"
     "fn=(2) g\n3 1 1\n" CALL_F("1 0 0") "4 50 8\n" CALL_F("1 0 0") "4 50 -3\n" CALL_F("1 0 0") "4 50\n\n",
     .expected = {"a f line=2 self=290 incl=290 inv=3\n  from g:4 x3 =290\n", "a g line=3 self=0 incl=290 "},
     .event = "X = 2 Time - 2 Memory"},
    {FS "summary: 15\n\n==== NEW PROFILING FILE ==============================================\nversion: 1\n"
        "creator: xdebug 3.2.0\nevents: Time\n\nfl=(1)\nfn=(1)\n2 5\n\nfl=(1)\nfn=(2) g\n3 7\n" CALL_F(
            "1 0 0") "4 5\n\nsummary: 12\n\n",
     .expected = {"a f line=2 self=20 incl=20 inv=4\n", "a g line=3 self=7 incl=12 "}},
    {FS "fl=(1)\nfn=(2) {main}\n\nsummary: 22\n\n3 7\n" CALL_F("1 0 0") "4 5\n" CALL_F(
         "1 0 0") "4 5\n" CALL_F("1 0 0") "4 5\n\n",
     .expected = {"a {main} line=3 self=7 incl=22 inv=1\n  to f:4 x3 =15\n"}},

    /* Records that are not usual, and those that are cut off */
    {FS "fl=(1)\nfn=(1)\n9 5\n\nfl=(1)\nfn=(2) g\n+1 7\n\n", .expected = {"a g line=10 self=7 "}},
    {FS G "cfl=(1)\ncfn=(3) h\ncalls=1 0 0\n\nfl=(1)\nfn=(1)\n2 5\n\nfl=(1)\nfn=(2)\n3 7\ncfl=(1)\ncfn=(3)\n"
          "calls=1 0 0\n4 5\n\n" NEXT_F NEXT_F NEXT_F NEXT_F NEXT_F NEXT_F "fl=(1)\nfn=(3)\n5 5\n",
     .expected = {"a h line=5 self=5 incl=5 inv=1\n  from g:4 x1 =5\n"}},
    {F "fl=(1)\nfn=(1)\n2 5\nfl=(1)\nfn=(1)\n2 5\nfl=(1)\nfn=(1)\n2 5\n2 5\n\n\nfl=(1)\nfn=(1)\n2 5\n\n"
       "fn=(1)\n2 5\n\n",
     .expected = {"a f line=2 self=35 incl=35 inv=6\n"}},
    {F "fl=(1)\nfn=(1)\n\nfl=(1)\nfn=(1)\n2 5\n\n2 5\n\nfl=(1)\nfn=(1)\n2 5\n\nrubbish\nfl=(1)\nfn=(1)\n"
       "rubbish\n2 5\n\n",
     .expected = {"a f line=2 self=25 incl=25 inv=5\n"}},
    {FS G CALL_F("1 0 0") "4 5", .expected = {"a f line=2 self=15 incl=15 inv=3\n"}},
    {FS G CALL_F("1 0 0") "4 5\n", .expected = {"a f line=2 self=15 incl=15 inv=3\nheader"}},
    {.profile = FS "fl=(1)\nfn=(2) {main}\n3 7\n" CALL_F("1 0 0") "4 5\n",
     .expected = {"a {main} line=3 self=7 incl=12 inv=1\n  to f:4 x1 =5\n"}},
    {.profile = FS "fl=(1)\nfn=(1)\n2 5", .expected = {"a f line=2 self=15 incl=15 inv=3\nheader"}},
    {.profile = VALGRIND "1 1\ncfn=(2) g\ncalls=1 0\n2 5\n+1 40",
     .expected = {"a.c f line=1 self=1 incl=6 ", "  to g:2 x1 =5\n"}},
    {.profile = OTHER "1 1\ncfn=(2) g\ncalls=1 0\n2 5\n+1 40",
     .expected = {"a.c f line=1 self=41 incl=46 ", "  to g:2 x1 =5\n"}},
};

enum {
    PADDING = 12 /* records, which are enough for usual ones to be recognised as such */
};

static void put_padding(FILE *out)
{
    for (int i = 0; i < PADDING; i++)
        fputs("fl=(90)\nfn=(90)\n1 0\n\n", out);
}

/* A profile with records that cost nothing before its first record, and possibly at its end. */
static char *pad(const char *profile, bool at_end, size_t *length)
{
    const char *body = strstr(profile, "\n\n") + 2;
    char *padded = NULL;
    FILE *out = open_memstream(&padded, length);
    fprintf(out, "%.*sfl=(90) pad\nfn=(90) pad\n1 0\n\n", (int)(body - profile), profile);
    put_padding(out);
    fputs(body, out);
    if (at_end)
        put_padding(out);
    fclose(out);
    return padded;
}

enum written_form { AS_IT_IS, INDENTED, BLANK_AFTER, RETURN_AFTER, COMMENT_BEFORE, LINE_FORMS };

/* A header line is kept as it was written, so it gets no blank. */
static void put_line(FILE *out, const char *line, size_t length, enum written_form form)
{
    bool ends_otherwise = form == RETURN_AFTER || (form == BLANK_AFTER && memchr(line, ':', length) == NULL);
    size_t text = ends_otherwise && line[length - 1] == '\n' ? length - 1 : length;
    if (form == COMMENT_BEFORE)
        fputs("# a comment\n", out);
    if (form == INDENTED && may_be_indented(line, length))
        fputc(' ', out);
    fwrite(line, 1, text, out);
    if (text < length)
        fputs(form == BLANK_AFTER ? " \n" : "\r\n", out);
}

/* Writes line `chosen` in one form and all others in another. Returns NULL if there is no such line. */
static char *rewrite(const char *profile, size_t length, size_t chosen, enum written_form form,
                     enum written_form others, size_t *new_length)
{
    const char *end = profile + length;
    char *rewritten = NULL;
    size_t number = 0;
    FILE *out = open_memstream(&rewritten, new_length);
    for (const char *next; profile < end; profile = next, number++) {
        const char *newline = memchr(profile, '\n', (size_t)(end - profile));
        next = newline != NULL ? newline + 1 : end;
        put_line(out, profile, (size_t)(next - profile), number == chosen ? form : others);
    }
    fclose(out);
    if (chosen < number)
        return rewritten;
    free(rewritten);
    return NULL;
}

/* The same figures, with as many messages. Their line numbers and quoted lines may differ. */
static void assert_same_figures(const char *what, const struct conversion_result *general,
                                const char *profile, size_t length, const struct cg2wg_options *options)
{
    struct conversion_result other = convert_bytes(profile, length, options);
    if (count_newlines(general->messages, strlen(general->messages)) !=
        count_newlines(other.messages, strlen(other.messages)))
        fail_msg("%s: found %s, expected as many as %s, for\n%.*s", what, other.messages, general->messages,
                 (int)length, profile);
    if (general->size != other.size || memcmp(general->bytes, other.bytes, other.size) != 0)
        fail_msg("%s: found %s, expected %s, for\n%.*s", what, other.dump, general->dump, (int)length,
                 profile);
    conversion_free(&other);
}

/*
 * Each line from `first` on in the general form among usual ones, in several ways, and as it is among general
 * ones; and all lines in each form.
 */
static void compare_line_by_line(const char *profile, size_t length, size_t first,
                                 struct cg2wg_options options)
{
    static const char *const names[LINE_FORMS] = {"as it is", "indented", "a blank after it",
                                                  "a return after it", "a comment before it"};
    size_t new_length;
    char *rewritten = rewrite(profile, length, 0, INDENTED, INDENTED, &new_length);
    options.threads = 1;
    struct conversion_result general = convert_bytes(rewritten, new_length, &options);
    free(rewritten);
    for (enum written_form form = AS_IT_IS; form < LINE_FORMS; form++) {
        enum written_form others = form == AS_IT_IS ? INDENTED : AS_IT_IS;
        rewritten = rewrite(profile, length, 0, form, form, &new_length);
        for (size_t line = first; rewritten != NULL; line++) {
            assert_same_figures(names[form], &general, rewritten, new_length, &options);
            free(rewritten);
            rewritten = rewrite(profile, length, line, form, others, &new_length);
        }
    }
    conversion_free(&general);
}

static void lines_mean_the_same_in_each_form(void **state)
{
    (void)state;
    static const size_t blocks[] = {40, 150, 0};
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const struct meaning *m = &meanings[i];
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        size_t quick = quick_lines();
        options.event = m->event;
        options.scale = m->scale > 0 ? m->scale : options.scale;
        for (size_t k = 0; k < 3 && m->expected[k] != NULL; k++)
            compare_and_find(m->profile, strlen(m->profile), &options, one_block, m->expected[k]);
        for (int at_end = 0; at_end < 2; at_end++) {
            size_t length;
            char *profile = pad(m->profile, at_end, &length);
            for (size_t k = 0; !at_end && k < 3 && m->expected[k] != NULL; k++)
                compare_and_find(profile, length, &options, one_block, m->expected[k]);
            options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
            compare("outermost", profile, length, &options, blocks);
            options.format = 4;
            compare("version 4", profile, length, &options, blocks);
            options.format = CG2WG_FORMAT_NEWEST;
            options.inclusive = CG2WG_INCLUSIVE_AUTO;
            compare("version 7", profile, length, &options, blocks);
            compare_lists(profile, length);
            size_t body = at_end ? length : length - strlen(strstr(m->profile, "\n\n") + 2);
            for (size_t cut = body + i % 2; cut < length; cut += 2)
                compare("cut", profile, cut, &options, one_block);
            if (LINES_ARE_COUNTED && quick_lines() == quick)
                fail_msg("%s: no line was read in a quick form", m->profile);
            quick = quick_lines();
            if (!at_end)
                compare_line_by_line(profile, length, count_newlines(profile, body) - 2, options);
            free(profile);
        }
    }
    assert_use_of(ALL_LINES | GROUPS | BIT(TOKEN_JUMP) | BIT(TOKEN_COST_TEXT) | BIT(TOKEN_COSTS) | SUMS, 75);
}

/* Valgrind writes only functions that have cost something, but numbers them all. */
static void aliases_may_be_far_from_each_other(void **state)
{
    (void)state;
    enum { FUNCTIONS = 20, RECORDS = 400 };
    char *profile = NULL;
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("creator: callgrind-3.19.0\npositions: line\nevents: Ir\n\n", out);
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t alias = i % FUNCTIONS * 123457, callee = (i + 1) % FUNCTIONS * 123457;
        fprintf(out,
                i < FUNCTIONS ? "fl=(%" PRIu32 ") a\nfn=(%" PRIu32 ") f\n"
                              : "fl=(%" PRIu32 ")\nfn=(%" PRIu32 ")\n",
                alias, alias);
        if (i >= FUNCTIONS)
            fprintf(out, "1 2\ncfn=(%" PRIu32 ")\ncalls=2 0\n3 4\n", callee);
    }
    fclose(out);
    compare_and_find(profile, length, NULL, one_block, "a f line=1 self=760 ");
    free(profile);
    assert_use_of(BIT(TOKEN_ALIAS) | BIT(TOKEN_CALLS) | BIT(TOKEN_COST), 5);
}

/* The same profile with a carriage return at each end of a line. The text is malloc'ed. */
static char *add_returns(const char *profile, size_t length, size_t *new_length)
{
    char *text = malloc(2 * length), *to = text;
    assert_non_null(text);
    for (size_t i = 0; i < length; i++) {
        if (profile[i] == '\n')
            *to++ = '\r';
        *to++ = profile[i];
    }
    *new_length = (size_t)(to - text);
    return text;
}

/* On Windows, Xdebug before 3.1.6 writes such profiles. */
static void carriage_returns_make_no_other_profile(void **state)
{
    (void)state;
    static const char *const events[] = {NULL, "Memory_(bytes)"};
    size_t length, new_length;
    char *profile = read_file("testdata/xdebug/3.2-checkout.out", &length);
    char *text = add_returns(profile, length, &new_length);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        options.event = events[i];
        struct conversion_result without = convert_bytes(profile, length, &options);
        struct conversion_result with = convert_bytes(text, new_length, &options);
        assert_same("with carriage returns", &without, &with);
        conversion_free(&without);
        conversion_free(&with);
        compare("with carriage returns", text, new_length, &options, few_blocks);
    }
    compare_lists(text, new_length);
    assert_use_of(GROUPS, 10);
    free(text);
    free(profile);
}

/* ---- real ones, all of them */
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
        compare_lists(profile, length);
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
    assert_use_of(ALL_LINES | GROUPS | BIT(TOKEN_JUMP) | BIT(TOKEN_COST_TEXT) | BIT(TOKEN_COSTS) | SUMS, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_profiles_come_out_the_same),
        cmocka_unit_test(a_block_may_end_anywhere),
        cmocka_unit_test(cut_profiles_come_out_the_same),
        cmocka_unit_test(damaged_profiles_come_out_the_same),
        cmocka_unit_test(many_names_in_full_come_out_the_same),
        cmocka_unit_test(sums_of_names_in_full_come_out_the_same),
        cmocka_unit_test(random_sums_come_out_the_same),
        cmocka_unit_test(a_block_of_sums_may_end_anywhere),
        cmocka_unit_test(cut_sums_come_out_the_same),
        cmocka_unit_test(damaged_sums_come_out_the_same),
        cmocka_unit_test(odd_sums_come_out_the_same),
        cmocka_unit_test(numbers_in_sums_may_have_any_length),
        cmocka_unit_test(sums_may_be_large),
        cmocka_unit_test(parts_of_sums_may_have_different_columns),
        cmocka_unit_test(sums_may_have_long_names),
        cmocka_unit_test(many_keys_come_out_the_same),
        cmocka_unit_test(many_proxies_come_out_the_same),
        cmocka_unit_test(calls_open_a_closed_record),
        cmocka_unit_test(records_before_one_that_is_cut_off_are_groups),
        cmocka_unit_test(a_file_may_end_with_a_parenthesis),
        cmocka_unit_test(own_costs_may_begin_far_below_0),
        cmocka_unit_test(memory_may_come_back_from_the_largest_sum),
        cmocka_unit_test(a_full_arc_stays_full),
        cmocka_unit_test(a_self_cost_that_leaves_64_bits_belongs_to_its_record),
        cmocka_unit_test(aliases_may_come_before_their_functions),
        cmocka_unit_test(odd_records_come_out_the_same),
        cmocka_unit_test(long_names_in_full_come_out_the_same),
        cmocka_unit_test(names_in_full_may_differ_in_any_byte),
        cmocka_unit_test(a_record_may_have_very_many_calls),
        cmocka_unit_test(lines_mean_the_same_in_each_form),
        cmocka_unit_test(aliases_may_be_far_from_each_other),
        cmocka_unit_test(carriage_returns_make_no_other_profile),
        cmocka_unit_test(real_profiles_come_out_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
