/* SPDX-License-Identifier: MIT */
/*
 * Usual lines, which are read in place, and records of Xdebug, which are added up block by block, mean what they mean
 * to the general code, which reads lines if they are indented: the output and the messages are the same for any input,
 * any ends of blocks, and any number of threads. (docs/design.md describes sums.)
 */
#include "generator.h"
#include "indent.h"
#include "support.h"

#include "read/callgrind/sums.c" /* of which it counts what is private */

#include <dirent.h>
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

/* ---- random profiles ----------------------------------------------------------------------- */

static const char *const odd_lines[] = {
    "# a comment\n", "\n", "rubbish\n", "  3 4\n", "+2 9\n", "1 2 3 7 7 7 7\n", "fl=(3) /other.php\n", "fn=(4) f4\n",
    "fn=(2) another\n", "fn=(99)\n", "jfi=(38)\n", "jump=3 -2 * \n", "jcnd=1/2 +25 +27 \n* \n", "rcalls=1 2\n3 4\n",
    "calls=1 0 0\n3 4\n", "calls=2 0\n0x4 5 6\n", "cfn=(2)\ncalls=2 0 0\n* 8\n", "cfn=(1)\ncalls=1 0 0\n",
    "cfl=(2)\ncfn=(99)\ncalls=1 0 0\n4 4\n", "cfn=(1)\ncalls=1 0 0\npart: 3\ncfl=(1)\n",
    "cfn=(1)\ncalls=1 0 0\n\n==== NEW PROFILING FILE ====\ncfl=(1)\ncfn=(1)\n", "cfn=(1)\ncalls=1 0 0\ncfn=(1)\n",
    "cfn=(1)\ncalls=1 0 0\nfn=(1)\n", "cfn=(1)\ncalls=1 0 0\n\nfi=(1)\n", "cfn=(1)\ncalls=1 0 0\n\njump=1\n",
    "cfl=(1)\r\ncfn=(1)\ncalls=1 0 0\n5 6\n", "cfl=(1)\ncfn=(1)\ncalls=2\n123456789 7\n",
    "cfl=(1)\ncfn=(1)\ncalls=123456789 0 0\n12345678 7\n", "\nfl=\nfn=f1\n12345678 7\n",
    "\nfl=(1)\nfn=f1\n123456789 0000000000000007\n", "\nfl=/f1.php\nfn=f1\n+1 7\r\n", "totals: 5\n", "part: 2\n",
    "events: Ir Dr\n", "positions: line\n", "positions: instr line\n", "event: Ir : x\n", "version: 1\n", "desc: x\n",
};

static const char *const odd_numbers[] = {
    "", "0", "*", "+", "-", "+-1", "-5", "x", "1x", "0x1f", ".", "12345678", "123456789", "4294967296",
    "12345678901234",
    "123456789012345", "1234567890123456", "99999999999999999", "9223372036854775807", "18446744073709551615",
    "99999999999999999999", "00000000000000000000000000000000000012",
};

/* A generated profile with unusual lines and numbers among its own, one in `one_in`; 0: none. */
static char *make_profile(uint64_t seed, uint32_t one_in, size_t *length)
{
    static struct generated g;
    char *text = NULL;
    bool in_number = false;
    FILE *out = open_memstream(&text, length);
    random_state = seed * 2 + 1;
    generate(&g, seed);
    for (const char *c = g.text; c < g.text + g.size; c++) {
        bool is_digit = *c >= '0' && *c <= '9', is_unusual = one_in > 0 && below(one_in) == 0;
        if (is_digit && !in_number && is_unusual) {
            fputs(odd_numbers[below(sizeof odd_numbers / sizeof odd_numbers[0])], out);
            c += strspn(c, "0123456789") - 1;
        } else {
            fputc(*c, out);
        }
        if (*c == '\n' && is_unusual)
            fputs(odd_lines[below(sizeof odd_lines / sizeof odd_lines[0])], out);
        in_number = is_digit;
    }
    fclose(out);
    generated_free(&g);
    return text;
}

static void random_profiles_come_out_the_same(void **state)
{
    static const uint32_t one_in[] = {0, 30, 300};
    static const char *const events[] = {NULL, "Memory_(bytes)", "X = 2 Time_(10ns) - 3 Memory_(bytes)", "I + 2 D"};
    uint64_t in_place = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        size_t length;
        char what[32], *profile = make_profile(seed, one_in[seed % 3], &length);
        struct cg2wg_options options = default_options();
        snprintf(what, sizeof what, "seed %" PRIu64, seed);
        in_place += compare_with_general(what, profile, length, &options, few_blocks);
        options.identity = seed % 2 == 0 ? CG2WG_IDENTITY_NAME : CG2WG_IDENTITY_FILE;
        options.event = events[seed % (sizeof events / sizeof events[0])];
        options.strict = true;
        compare_with_general(what, profile, length, &options, thread_blocks);
        options.inclusive = CG2WG_INCLUSIVE_OUTERMOST;
        options.format = 4;
        options.strict = false;
        compare_with_general(what, profile, length, &options, thread_blocks);
        for (size_t block = 1 + (size_t)seed; seed % 20 == 0 && block < 1600; block += 17)
            compare_with_general("one block size", profile, length, NULL, (size_t[]){block, 0});
        for (size_t cut = length % 7; seed % 20 == 1 && cut < length; cut += length / 150 + 1)
            compare_with_general("cut", profile, cut, NULL, one_block);
        free(profile);
    }
    assert_true(in_place > 15000);
}

static void damaged_profiles_come_out_the_same(void **state)
{
    static const char bytes[] = "\n()0 9c=f-:#+*xj\r";
    for (uint64_t seed = 1000; seed < 1030; seed++) {
        size_t length;
        char *profile = make_profile(seed, 0, &length);
        compare_damaged(profile, length, bytes, &random_state, thread_blocks);
        free(profile);
    }
}

/* ---- lists of events ------------------------------------------------------------------------ */

static void compare_lists(const char *profile, size_t length)
{
    size_t indented_length = length;
    struct cg2wg_options options = default_options();
    char *indented = indent_lines(profile, &indented_length);
    struct conversion_result general = list_events(indented, indented_length, &options);
    struct conversion_result quick = list_events(profile, length, &options);
    assert_int_equal(general.status, CG2WG_OK);
    assert_int_equal(quick.status, CG2WG_OK);
    assert_string_equal(general.dump, quick.dump);
    assert_string_equal(general.messages, quick.messages);
    conversion_free(&general);
    conversion_free(&quick);
    free(indented);
}

/* ---- the meaning of each kind of line, in each form ----------------------------------------- */

/*
 * Profiles written by hand. However the reader reads usual lines, each must give what its lines give in
 * the general form, wherever a line of that form comes among usual ones. Those with an expectation have it
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
    {.profile = OTHER "1\n1 1 8184434881474191023)\n1 2\n", .expected = {"a.c f line=1 self=3 "},
     .event = "X = Ir + 10 Dr"},
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
    /* A call or jump from code without lines is no reference: the self cost after it is one of the function's file. */
    {VALGRIND "3 1\nfi=(2) ???\ncfn=(2) g\ncalls=2 4\n0 5\ncfn=(4) k\ncalls=2 4\n0 6\n0 7\nfi=(2)\ncfn=(3) h\n"
              "calls=1 5\n0 9\n0 3\n",
     .expected = {"a.c g line=0 self=0 incl=5 ", "a.c k line=0 self=0 incl=6 ", "a.c h line=0 self=0 incl=9 "}},
    {VALGRIND "3 1\nfi=(2) x.h\ncfn=(2) g\ncalls=1 4\n7 5\n4 7\ncfn=(3) h\ncalls=1 5\n4 9\n",
     .expected = {"a.c f line=3 self=8 ", "a.c g line=0 self=0 incl=5 ", "a.c h line=0 self=0 incl=9 "}},
    {VALGRIND "3 1\nfi=(2) x.h\njump=1 4\n7\n4 7\ncfn=(3) h\ncalls=1 5\n4 9\n",
     .expected = {"a.c f line=3 self=8 ", "a.c h line=0 self=0 incl=9 "}},
    {VALGRIND "3 1\nfi=(2) ???\njfi=(3) b.c\njump=2 4\n0\n4 7\ncfn=(2) g\ncalls=1 5\n4 9\n",
     .expected = {"a.c f line=3 self=8 ", "a.c g line=0 self=0 incl=9 "}},
    {VALGRIND "3 1\nfi=(2) ???\njcnd=1/2 4\n* \n0 7\nfi=(2)\ncfn=(2) g\ncalls=1 5\n0 9\n",
     .expected = {"a.c f line=3 self=8 ", "a.c g line=0 self=0 incl=9 "}},
    {OTHER "3 1\nfi=(2) ???\ncfn=(2) g\ncalls=2 4\n0 5\n0 7\nfi=(2)\ncfn=(3) h\ncalls=1 5\n0 9\n0 3\n",
     .expected = {"a.c f line=3 self=11 ", "??? g line=0 self=0 incl=5 ", "??? h line=0 self=0 incl=9 "}},
    /* Jumps that are left out: the cost after fi= is not one of ???, as its line, another one, or another fi= show. */
    {VALGRIND "3 1\nfi=(2) ???\n0 7\nfi=(2)\ncfn=(2) g\ncalls=1 4\n0 5\n",
     .expected = {"a.c f line=3 self=8 ", "a.c g line=0 self=0 incl=5 "}},
    {VALGRIND "3 1\nfi=(2) ???\n4 7\ncfn=(2) g\ncalls=1 4\n4 5\n", .expected = {"a.c g line=0 self=0 incl=5 "}},
    {VALGRIND "3 1\nfi=(2) ???\n0 7\n4 2\n+1 1\ncfn=(2) g\ncalls=1 4\n5 5\n",
     .expected = {"a.c f line=3 self=11 ", "a.c g line=0 self=0 incl=5 "}},
    /* The cost of skipped functions is one of ???, and so is the call that follows it at once. */
    {VALGRIND "3 1\nfi=(2) ???\n0 7\ncfn=(2) g\ncalls=1 4\n0 5\nfe=(1)\n4 1\ncfn=(3) h\ncalls=1 5\n4 9\n",
     .expected = {"a.c f line=3 self=9 ", "??? g line=0 self=0 incl=5 ", "a.c h line=0 self=0 incl=9 "}},
    {VALGRIND "3 1\nfl=(2) ???\nfn=(5) k\n0 1\nfi=(3) x.h\n7 2\nfe=(2)\n0 4\n0 8\ncfn=(2) g\ncalls=1 4\n0 5\n",
     .expected = {"??? k line=0 self=15 ", "??? g line=0 self=0 incl=5 "}},
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
        struct cg2wg_options options = options_for(m->event);
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
    struct cg2wg_options options = default_options();
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

/* Of 13 costs in a line, the first one counts. Whatever follows it, the line costs 10, and messages are the same. */
static void costs_that_do_not_count_may_have_any_form(void **state)
{
    static const char *const rests[] = {
        "", " 1 2 3", " 1 2 3 4 5 6 7 8 9 10 11 12", " 1 2 3 4 5 6 7 8 9 10 11 12 13", " 1 123456789012345678",
        " 1 1234567890123456789", " 1 9999999999999999999 1", " 99999999999999999999", " 1 2 x", " 1 2 # 3",
        " 1 2\t3 4",
        "  1   2  3 ", " 1  ", " ", " -1 2 3", " 1 -2 3", " 1.5 2", " 1 2\r", " 1 2 3/4", " 1 2 3:4",
        " 123456789012345678 123456789012345678 123456789012345678 1234567", /* 64 bytes, and more */
        " 123456789012345678 123456789012345678 123456789012345678 12345678",
        " 12345678 12345678 12345678 12345678 12345678 12345678 12345678 12345678 12345678",
    };
    enum { RESTS = sizeof rests / sizeof rests[0] };
    char *profile = NULL, expected[50];
    size_t length;
    FILE *out = open_memstream(&profile, &length);
    fputs("events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n\nfl=(1) a.c\nfn=(1) f\n", out);
    for (size_t i = 0; i < RESTS; i++)
        fprintf(out, "3 10%s\n+1 10 %s\n", rests[i], *rests[i] == '\0' ? "0" : rests[i] + 1);
    fclose(out);
    snprintf(expected, sizeof expected, "a.c f line=3 self=%d ", 2 * RESTS * 10);
    compare_and_find(profile, length, NULL, few_blocks, expected);
    free(profile);
}

/* ---- sums ----------------------------------------------------------------------------------- */

#ifdef NEWER

/* Groups of each form, with one cost or two, with aliases or names, are added up; the last record might go on. */
static void records_of_each_form_are_added_up(void **state)
{
    enum { RECORDS = 400 };
    for (size_t form = 0; form < 4; form++) {
        struct sums sums = {.form = {1 + form % 2, form % 2}};
        const char *costs = form % 2 == 0 ? "" : " 7";
        char *text = NULL;
        size_t length, groups = 0;
        FILE *out = open_memstream(&text, &length);
        fputc('\n', out);
        for (int i = 0; i < RECORDS; i++)
            fprintf(out, form < 2 ? "\nfl=(1)\nfn=(%d)\n3 5%s\ncfl=(1)\ncfn=(9)\ncalls=1 0 0\n4 6%s\n"
                                  : "\nfl=/a.php\nfn=f%d\n3 5%s\ncfl=/a.php\ncfn=g\ncalls=1 0 0\n4 6%s\n",
                    i % 5, costs, costs);
        fprintf(out, "%*s", LINES_SLACK, "");
        fclose(out);
        for (int time = 0; time < 2; time++) /* that there are names is known from the second text on */
            assert_true(add_up_block(&sums, 0, text_of(text, length - LINES_SLACK)));
        for (size_t i = 0; i < sums.texts[0]->sum_count; i++)
            groups += sums.texts[0]->sums[i].count;
        assert_int_equal(groups, 2 * (RECORDS - 1));
        sums_free(&sums);
        free(text);
    }
}

#endif

/* So many keys that the sums have to forget them; others then have their numbers. */
static void many_keys_come_out_the_same(void **state)
{
    enum { RECORDS = 70000, FUNCTIONS = 7 };
    char *profile = NULL, expected[100];
    size_t length;
    struct cg2wg_options options = default_options();
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

#define RECORD_F "fl=(1)\nfn=(1)\n2 5\n"
#define CALL(function) "cfl=(1)\ncfn=(" function ")\ncalls=1 0 0\n"
#define RUBBISH "x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"

/* Profiles of a record of f, what comes once, what comes 50 times, and what comes last. */
static const struct {
    const char *once, *often, *last, *expected;
} profiles[] = {
    /* Xdebug ends all records with a blank line, so the last one has been cut off. */
    {"part: 2\n\n", RECORD_F "\n", RECORD_F, "a f line=2 self=255 incl=255 inv=51\n"},
    /* If callers come first, no Xdebug has written it. */
    {RECORD_F "cfl=(1)\ncfn=(2) h\ncalls=1 0 0\n3 5\n\npart: 2\n\n", RECORD_F CALL("2") "3 5\n\n", RECORD_F,
     "a f line=2 self=265 incl=520 inv=53\n"},
    /* More lines are rubbish than not. */
    {"", RECORD_F "\n", RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH RUBBISH, ""},
    {"fl=(1)\nfn=(2) g\n2 2\n\n", RECORD_F "\n", "fl=(1)\nfn=(2)\n+1 7\n\nfl=(1)\nfn=(3) h\n+1 9\n\n", "a h line=4 "},
    /* The file's line is before that of the record's function, which is found by its parentheses. */
    {"fl=(1)\nfn=(2) g\n2 2\n\n",
     RECORD_F "\nfl=/x.php(\nfn=(2)\n2 2\n" CALL("1") "3 4\n\n", "", "  to f:3 x50 =200\n"},
    /* No function has the alias yet that is defined without a cost; the other one is undefined. */
    {RECORD_F "cfl=(1)\ncfn=(2) h\ncalls=1 0 0\n\n",
     "fl=(1)\nfn=(2)\n3 3\n\n" RECORD_F CALL("2") "1 3\n\n", "", "a h line=3 self=150 "},
    {"", "fl=(1)\nfn=(2)\n3 3\n\n" RECORD_F CALL("2") "1 3\n\n", "", "a (2) line=3 self=150 "},
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
    struct cg2wg_options options = options_for("Memory_(bytes)");
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
        cmocka_unit_test(random_profiles_come_out_the_same),
        cmocka_unit_test(damaged_profiles_come_out_the_same),
        cmocka_unit_test(lines_mean_the_same_in_each_form),
        cmocka_unit_test(parts_of_sums_may_have_different_columns),
        cmocka_unit_test(a_self_cost_that_leaves_64_bits_belongs_to_its_record),
        cmocka_unit_test(carriage_returns_make_no_other_profile),
        cmocka_unit_test(costs_that_do_not_count_may_have_any_form),
        cmocka_unit_test(many_keys_come_out_the_same),
        cmocka_unit_test(long_names_in_full_come_out_the_same),
        cmocka_unit_test(names_in_full_may_differ_in_any_byte),
        cmocka_unit_test(what_is_before_and_after_sums_matters),
#ifdef NEWER
        cmocka_unit_test(records_of_each_form_are_added_up),
#endif
        cmocka_unit_test(memory_may_come_back_from_the_largest_sum),
        cmocka_unit_test(real_profiles_come_out_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
