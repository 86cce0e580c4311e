/*
 * Version 4: the tree of invocations. Every expectation is derived by hand from docs/design.md;
 * test_generated.c compares trees made at random.
 */
#include "support.h"

#define XDEBUG "creator: xdebug 3.2.0\nevents: Time\nsummary: 99\n"
#define XDEBUG_SHOWN_BUT_TOTAL "header: creator: xdebug 3.2.0\nheader: events: Time\n"
#define XDEBUG_SHOWN XDEBUG_SHOWN_BUT_TOTAL "header: summary: 99\n"
#define HEAD "events: Ir\nsummary: 99\n"
#define HEAD_SHOWN "header: events: Ir\nheader: summary: 99\n"

#define RECORD(name, line, self) "fn=" name "\n" line " " self "\n"
#define CALL(name, line, cost) "cfn=" name "\ncalls=1 0 0\n" line " " cost "\n"

static void assert_tree(const char *profile, const char *expected)
{
    struct cg2wg_options options = options_to(4);
    assert_dump(profile, &options, expected);
}

static const struct {
    const char *profile, *expected;
} trees[] = {
    /* Each invocation is kept with its caller and its calls. */
    {XDEBUG "fl=/a.php\n" RECORD("f", "5", "3") RECORD("g", "7", "10")
     CALL("f", "8", "3") RECORD("f", "5", "4") RECORD("{main}", "1", "20")
     CALL("g", "2", "13") CALL("f", "3", "4"),
     "/a.php f self=7 incl=7 calls=7 inv=2\n  #0 self=3 incl=3 from g#0:8 =3\n"
     "  #1 self=4 incl=4 from {main}#0:3 =4\n"
     "/a.php g self=10 incl=13 calls=13 inv=1\n  #0 self=10 incl=13 from {main}#0:2 =13\n    to f#0:8 =3\n"
     "/a.php {main} self=20 incl=37 calls=0 inv=1\n  #0 self=20 incl=37 from nobody\n    to g#0:2 =13\n"
     "    to f#1:3 =4\n" XDEBUG_SHOWN},
    /*
     * Calls take the last invocations that are not taken. f, then g which calls f, then f: the second f is
     * g's, although it is not the newest one.
     */
    {XDEBUG RECORD("f", "5", "1") RECORD("f", "5", "2") RECORD("g", "6", "4")
     CALL("f", "7", "2") RECORD("f", "5", "8") RECORD("{main}", "1", "16")
     CALL("f", "2", "1") CALL("g", "3", "6") CALL("f", "4", "8"),
     "- f self=11 incl=11 calls=11 inv=3\n  #0 self=1 incl=1 from {main}#0:2 =1\n"
     "  #1 self=2 incl=2 from g#0:7 =2\n  #2 self=8 incl=8 from {main}#0:4 =8\n"
     "- g self=4 incl=6 calls=6 inv=1\n  #0 self=4 incl=6 from {main}#0:3 =6\n    to f#1:7 =2\n"
     "- {main} self=16 incl=31 calls=0 inv=1\n  #0 self=16 incl=31 from nobody\n    to f#0:2 =1\n"
     "    to g#0:3 =6\n    to f#2:4 =8\n" XDEBUG_SHOWN},
    /*
     * A calls cost is kept where rounding made it another. Xdebug rounds each number by itself: what the
     * call cost is kept beside what its parts say.
     */
    {XDEBUG RECORD("f", "5", "3") RECORD("{main}", "1", "1") CALL("f", "2", "4"),
     "- f self=3 incl=3 calls=4 inv=1\n  #0 self=3 incl=3 from {main}#0:2 =4\n"
     "- {main} self=1 incl=5 calls=0 inv=1\n  #0 self=1 incl=5 from nobody\n    to f#0:2 =4\n" XDEBUG_SHOWN},
    /*
     * A missing record takes no others place. The last of the two calls has the record: k calls take the
     * last invocations. f's row is that of all versions: its own cost and its calls, as far as its records
     * tell.
     */
    {XDEBUG RECORD("f", "5", "3") RECORD("{main}", "1", "8") CALL("f", "2", "7") CALL("f", "4", "3"),
     "- f self=3 incl=3 calls=10 inv=2\n  #0 self=3 incl=3 from {main}#0:4 =3\n"
     "  #1 self=0 incl=7 from {main}#0:2 =7\n"
     "- {main} self=8 incl=18 calls=0 inv=1\n  #0 self=8 incl=18 from nobody\n    to f#1:2 =7\n"
     "    to f#0:4 =3\n" XDEBUG_SHOWN},
    /*
     * Missing records get invocations in order of their calls. They cost as much as the call, and are
     * numbered as they returned, which calls of one record did in order.
     */
    {XDEBUG RECORD("{main}", "1", "8") CALL("f", "2", "7") CALL("f", "4", "3"),
     "- {main} self=8 incl=18 calls=0 inv=1\n  #0 self=8 incl=18 from nobody\n    to f#0:2 =7\n"
     "    to f#1:4 =3\n"
     "- f self=0 incl=10 calls=10 inv=2\n  #0 self=0 incl=7 from {main}#0:2 =7\n"
     "  #1 self=0 incl=3 from {main}#0:4 =3\n" XDEBUG_SHOWN},
    /* No call is tied to an earlier run. */
    {XDEBUG RECORD("f", "5", "3")
     "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("f", "5", "4")
     RECORD("{main}", "1", "8") CALL("f", "2", "4")
     "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("{main}", "1", "1")
     CALL("f", "2", "6"),
     "- f self=7 incl=7 calls=10 inv=3\n  #0 self=3 incl=3 from nobody\n  #1 self=4 incl=4 from {main}#0:2 =4\n"
     "  #2 self=0 incl=6 from {main}#1:2 =6\n"
     "- {main} self=9 incl=19 calls=0 inv=2\n  #0 self=8 incl=12 from nobody\n    to f#1:2 =4\n"
     "  #1 self=1 incl=7 from nobody\n    to f#2:2 =6\n" XDEBUG_SHOWN_BUT_TOTAL XDEBUG_SHOWN_BUT_TOTAL
     XDEBUG_SHOWN_BUT_TOTAL "header: summary: 297\n"},
    /*
     * A missing record is not taken from an earlier run. Where the later run has no record of it at all, or
     * too few.
     */
    {XDEBUG RECORD("f", "5", "3") RECORD("g", "6", "5")
     "==== NEW PROFILING FILE ====\n" XDEBUG RECORD("g", "6", "4")
     RECORD("{main}", "1", "8") CALL("f", "2", "6") CALL("g", "3", "7")
     CALL("g", "4", "4"),
     "- f self=3 incl=3 calls=6 inv=2\n  #0 self=3 incl=3 from nobody\n  #1 self=0 incl=6 from {main}#0:2 =6\n"
     "- g self=9 incl=9 calls=11 inv=3\n  #0 self=5 incl=5 from nobody\n  #1 self=4 incl=4 from {main}#0:4 =4\n"
     "  #2 self=0 incl=7 from {main}#0:3 =7\n"
     "- {main} self=8 incl=25 calls=0 inv=1\n  #0 self=8 incl=25 from nobody\n    to f#1:2 =6\n"
     "    to g#2:3 =7\n    to g#1:4 =4\n" XDEBUG_SHOWN_BUT_TOTAL XDEBUG_SHOWN_BUT_TOTAL
     "header: summary: 198\n"},
    /* From sums each function is one invocation. */
    {HEAD "fl=a.c\nfn=main\n1 8\ncfn=f\ncalls=5 5\n2 7\n"
     "fn=f\n5 3\nfn=main\n3 1\nfn=f\n6 4\n",
     "a.c main self=9 incl=16 calls=0 inv=1\n  #0 self=9 incl=16 from nobody\n    to f#0:2 =7\n"
     "a.c f self=7 incl=7 calls=7 inv=1\n  #0 self=7 incl=7 from main#0:2 =7\n" HEAD_SHOWN},
};

static void invocations_are_tied_to_calls(void **state)
{
    for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++)
        assert_tree(trees[i].profile, trees[i].expected);
}

static void what_nobody_called_says_so(void **state)
{
    struct cg2wg_options options = options_to(4);
    struct conversion_result result =
        convert_text(XDEBUG RECORD("f", "5", "3") RECORD("f", "5", "4"), &options);
    /* version, headers, one function at 16; its four numbers; two invocations of eight. */
    static const unsigned char nobody[16] = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
                                             0, 0, 0, 0, 0,    0,    0,    0};
    assert_memory_equal(result.bytes + 32 + 8, nobody, sizeof nobody);
    assert_memory_equal(result.bytes + 64 + 8, nobody, sizeof nobody);
    conversion_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invocations_are_tied_to_calls),
        cmocka_unit_test(what_nobody_called_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
