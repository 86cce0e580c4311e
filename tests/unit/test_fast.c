/*
 * Usual lines, which are read in place, mean what they mean to the general code, which reads them if they are
 * indented: the output and the messages are the same for any input, any ends of blocks, and any number of threads.
 */
#include "support.h"
#include "indent.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t few_blocks[] = {200, 777, 2500, 0};
static const size_t one_block[] = {0};

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    return random_below(&random_state, limit);
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
    static const char *const formulas[] = {"E0", "E1", "E0 + 2 E1", "2 E0", "X = E0"};
    uint64_t in_place = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        size_t length;
        char what[32], *profile = make_sums(seed, &length);
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        snprintf(what, sizeof what, "sums %" PRIu64, seed);
        in_place += compare_with_general(what, profile, length, &options, few_blocks);
        options.identity = seed % 2 == 0 ? CG2WG_IDENTITY_NAME : CG2WG_IDENTITY_FILE;
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        options.event = formulas[seed % (sizeof formulas / sizeof formulas[0])];
        compare_with_general(what, profile, length, &options, one_block);
        options.event = NULL;
        options.strict = true;
        compare_with_general(what, profile, length, &options, one_block);
        for (size_t cut = length * 2 / 3 + seed % 7; seed < 8 && cut < length; cut += 29)
            compare_with_general("cut", profile, cut, NULL, one_block);
        for (size_t block = 120; seed % 20 == 0 && block < 600; block += 10)
            compare_with_general("one block size", profile, length, NULL, (size_t[]){block, 0});
        free(profile);
    }
    assert_true(in_place > 25000);
}

static void damaged_sums_come_out_the_same(void **state)
{
    static const char bytes[] = "\n()0 9c=f-:#+*xj\r";
    for (uint64_t seed = 1000; seed < 1020; seed++) {
        size_t length;
        char *profile = make_sums(seed, &length);
        compare_damaged(profile, length, bytes, &random_state, one_block);
        free(profile);
    }
}

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
    char *general = list_events(indented, indented_length);
    char *quick = list_events(profile, length);
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
    {.profile = OTHER "1\n1 1 8184434881474191023)\n1 2\n", .expected = {"a.c f line=1 self=3 "}, .event = "X = Ir + 10 Dr"},
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
     .expected = {"a.c f line=1 self=1 incl=6 inv=1\n  to g:3 x1 =5\n", "  to g:7 x1 =9\n"}},
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

    {OTHER "1 1\npart: 1\njump=1 2\nevents: Ir Dr\n6 0\nfn=(1)\n1 2\n", .expected = {"- f line=1 self=2 "}},

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

static size_t count_newlines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

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

enum written_form { INDENTED, BLANK_AFTER, RETURN_AFTER, COMMENT_BEFORE, LINE_FORMS };

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

/* Writes each line whose number modulo `every` is `first` in another form. */
static char *rewrite(const char *profile, size_t length, size_t every, size_t first, enum written_form form,
                     size_t *new_length)
{
    const char *end = profile + length;
    char *rewritten = NULL;
    size_t number = 0;
    FILE *out = open_memstream(&rewritten, new_length);
    for (const char *next; profile < end; profile = next, number++) {
        const char *newline = memchr(profile, '\n', (size_t)(end - profile));
        next = newline != NULL ? newline + 1 : end;
        put_line(out, profile, (size_t)(next - profile), number % every == first ? form : LINE_FORMS);
    }
    fclose(out);
    return rewritten;
}

/* The same figures, with as many messages. Their line numbers and quoted lines may differ. */
static void compare_mixed(const char *profile, size_t length, const struct cg2wg_options *options)
{
    struct conversion_result usual = convert_bytes(profile, length, options);
    for (enum written_form form = INDENTED; form < LINE_FORMS; form++)
        for (size_t every = 1; every <= 5; every++)
            for (size_t first = 0; first < every; first++) {
                size_t new_length;
                char *rewritten = rewrite(profile, length, every, first, form, &new_length);
                struct conversion_result other = convert_bytes(rewritten, new_length, options);
                if (count_newlines(usual.messages) != count_newlines(other.messages) ||
                    usual.size != other.size || memcmp(usual.bytes, other.bytes, other.size) != 0)
                    fail_msg("found %s%s, expected %s%s, for\n%s", other.messages, other.dump, usual.messages,
                             usual.dump, rewritten);
                conversion_free(&other);
                free(rewritten);
            }
    conversion_free(&usual);
}

static void lines_mean_the_same_in_each_form(void **state)
{
    static const size_t blocks[] = {40, 150, 0};
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        const struct meaning *m = &meanings[i];
        struct cg2wg_options options;
        cg2wg_options_init(&options);
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
            compare_with_general("outermost", profile, length, &options, blocks);
            options.format = 4;
            compare_with_general("version 4", profile, length, &options, blocks);
            options.format = CG2WG_FORMAT_NEWEST;
            options.inclusive = CG2WG_INCLUSIVE_AUTO;
            assert_true(compare_with_general("version 7", profile, length, &options, blocks) > 0);
            compare_lists(profile, length);
            size_t body = at_end ? length : length - strlen(strstr(m->profile, "\n\n") + 2);
            for (size_t cut = body + i % 2; cut < length; cut += 4)
                compare_with_general("cut", profile, cut, &options, one_block);
            compare_mixed(profile, length, &options);
            free(profile);
        }
    }
}

/*
 * Another part's lines have other columns: what was found ahead in them, as lines of the first one's form,
 * is of no use. The function of each ten lines costs 1 and 10 a line; it would be 20.
 */
static void parts_of_sums_may_have_different_columns(void **state)
{
    static const size_t blocks[] = {1000, 2000, 4000, 8000, 0};
    enum { FUNCTIONS = 30, LINES = 10 };
    char *profile = NULL;
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("version: 1\ncreator: callgrind-3.19.0\npositions: instr line\nevents: E0\n\n"
          "fl=(1) a.c\nfn=(1) f\n0x1 1 5\n", out);
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
}

/*
 * The self cost of a record that has been cut off counts nowhere, even if it has left 64 bits. That of a whole one
 * stays at the limit, 9.22, line by line. (All costs are divided by 10^18.)
 */
static void a_self_cost_that_leaves_64_bits_belongs_to_its_record(void **state)
{
    static const struct {
        const char *lines, *sum, *invocation;
    } records[] = {
        {"2 9000000000000000000\n2 9000000000000000000\ncfn=f\n", "self=1 incl=1 inv=1\n",
         "#0 self=1 incl=1 "},
        {"2 9000000000000000000\n2 9000000000000000000\n\n", "self=9 incl=9 inv=2\n", "#1 self=9 incl=9 "},
        {"2 9000000000000000000\n2 9000000000000000000\n2 -9000000000000000000\n\n", "self=1 incl=1 inv=2\n",
         "#1 self=0 incl=0 "},
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
}

/* On Windows, Xdebug before 3.1.6 writes such profiles. */
static void carriage_returns_make_no_other_profile(void **state)
{
    size_t length, new_length;
    char *profile = read_file("testdata/xdebug/3.2-checkout.out", &length);
    char *text = rewrite(profile, length, 1, 0, RETURN_AFTER, &new_length);
    struct conversion_result without = convert_bytes(profile, length, NULL);
    struct conversion_result with = convert_bytes(text, new_length, NULL);
    assert_int_equal(without.size, with.size);
    assert_memory_equal(without.bytes, with.bytes, with.size);
    assert_true(with.stats.slow_lines * 10 < with.stats.lines);
    compare_with_general("with carriage returns", text, new_length, NULL, few_blocks);
    compare_lists(text, new_length);
    conversion_free(&without);
    conversion_free(&with);
    free(text);
    free(profile);
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
        compare_with_general(path, profile, length, NULL, few_blocks);
        compare_lists(profile, length);
        free(profile);
        compared++;
    }
    closedir(stream);
    assert_true(compared >= at_least);
}

static void real_profiles_come_out_the_same(void **state)
{
    compare_folder("testdata/xdebug", 10);
    compare_folder("testdata/valgrind", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sums_come_out_the_same),
        cmocka_unit_test(damaged_sums_come_out_the_same),
        cmocka_unit_test(lines_mean_the_same_in_each_form),
        cmocka_unit_test(parts_of_sums_may_have_different_columns),
        cmocka_unit_test(a_self_cost_that_leaves_64_bits_belongs_to_its_record),
        cmocka_unit_test(carriage_returns_make_no_other_profile),
        cmocka_unit_test(real_profiles_come_out_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
