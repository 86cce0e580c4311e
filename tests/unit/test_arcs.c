/*
 * The call arcs of preprocessed files: each version, written out by hand, gives the same ones, and so
 * do the two writers' files of one real profile.
 */
#include "support.h"

#include "util/diag.h"
#include "read/arcs.h"

#include <stdlib.h>
#include <string.h>

#define N(number) (number) & 0xff, (number) >> 8, 0, 0
#define NOBODY 0xff, 0xff, 0xff, 0xff

/* m calls f from line 4, twice, and from line 9; f calls itself from line 2. */
static const unsigned char version_7[] = {
    N(7), N(172), N(2), N(20), N(112),
    N(1), N(6), N(10), N(4), N(3), N(1),
    N(1), N(4), N(2), N(6), N(1), N(9), N(1), N(3), N(0), N(2), N(1), N(1),
    N(0), N(2), N(1), N(1), 'a', '\n', 'f', '\n',
    N(3), N(2), N(11), N(1), N(0), N(2), N(0), N(4), N(2), N(6), N(0), N(9), N(1), N(3),
    'b', '\n', 'm', '\n',
};
static const unsigned char version_5[] = {
    N(5), N(108), N(2), N(20), N(88),
    N(6), N(10), N(4), N(3),
    N(1), N(4), N(2), N(6), N(1), N(9), N(1), N(3), N(0), N(2), N(1), N(1), 'a', '\n', 'f', '\n',
    N(2), N(11), N(1), N(0), 'b', '\n', 'm', '\n',
};
/* f's invocation 0 is called by invocation 1; invocations 1, 2 and 3 by m. */
static const unsigned char version_4[] = {
    N(4), N(284), N(2), N(20), N(168),
    N(6), N(10), N(10), N(4),
    N(1), N(1), N(1), N(0), N(1), N(2), N(0), N(220),
    N(2), N(3), N(3), N(1), N(0), N(4), N(1), N(220),
    N(3), N(3), N(3), N(1), N(0), N(9), N(0), N(236),
    N(3), N(3), N(3), N(1), N(0), N(4), N(0), N(236), 'a', '\n', 'f', '\n',
    N(2), N(11), N(0), N(1), N(2), N(11), N(0), NOBODY, N(0), N(0), N(3), N(236), 'b', '\n', 'm', '\n',
    N(0), N(0), N(2), N(1),
    N(0), N(1), N(4), N(3), N(0), N(2), N(9), N(3), N(0), N(3), N(4), N(3),
};

static void show_message(void *user, const struct cg2wg_message *message)
{
    (void)user;
    fail_msg("%s", message->text);
}

static void open_bytes(struct preprocessed *p, struct preprocessed_arcs *arcs, const void *bytes,
                       size_t size)
{
    struct diag diag = {.report = show_message};
    assert_true(preprocessed_check(p, text_of(bytes, size), &diag));
    assert_true(preprocessed_arcs_init(arcs, p));
}

static void close_bytes(struct preprocessed *p, struct preprocessed_arcs *arcs)
{
    preprocessed_arcs_free(arcs);
    preprocessed_free(p);
}

static void assert_arc(const struct arc *arc, uint32_t caller, uint32_t callee, uint32_t line,
                       uint64_t count, cost_t cost)
{
    assert_int_equal(arc->caller, caller);
    assert_int_equal(arc->callee, callee);
    assert_int_equal(arc->line, line);
    assert_int_equal(arc->count, count);
    assert_int_equal(arc->cost, cost);
}

/* The number of the arc with that line: here, lines are unique. */
static const struct arc *arc_at_line(const struct preprocessed_arcs *arcs, uint32_t line)
{
    for (size_t i = 0; i < arcs->count; i++)
        if (arcs->arcs[i].line == line)
            return &arcs->arcs[i];
    fail_msg("no arc from line %u", (unsigned)line);
    return NULL;
}

static void check_hand_written(const void *bytes, size_t size)
{
    struct preprocessed p;
    struct preprocessed_arcs a;
    open_bytes(&p, &a, bytes, size);
    assert_int_equal(a.count, 3);
    assert_int_equal(a.contradictions, 0);
    assert_arc(arc_at_line(&a, 4), 1, 0, 4, 2, 6);
    assert_arc(arc_at_line(&a, 9), 1, 0, 9, 1, 3);
    assert_arc(arc_at_line(&a, 2), 0, 0, 2, 1, 1);

    const struct arc_lists *lists = &a.lists;
    assert_int_equal(lists->called_from_start[0], 0);
    assert_int_equal(lists->called_from_start[1], 3);
    assert_int_equal(lists->called_from_start[2], 3);
    assert_int_equal(lists->sub_calls_start[1], 1);
    assert_int_equal(lists->sub_calls_start[2], 3);
    assert_int_equal(a.arcs[lists->sub_calls[0]].line, 2);
    assert_int_equal(a.arcs[lists->sub_calls[1]].line, 4);
    assert_int_equal(a.arcs[lists->sub_calls[2]].line, 9);
    close_bytes(&p, &a);
}

static void each_version(void **state)
{
    (void)state;
    check_hand_written(version_7, sizeof version_7);
    check_hand_written(version_5, sizeof version_5);
    check_hand_written(version_4, sizeof version_4);
}

/* One number of version 7 is changed: which lists contradict each other then? */
static size_t contradictions_with(size_t place, unsigned char value)
{
    struct preprocessed p;
    struct preprocessed_arcs a;
    unsigned char bytes[sizeof version_7];
    memcpy(bytes, version_7, sizeof bytes);
    bytes[place] = value;
    open_bytes(&p, &a, bytes, sizeof bytes);
    size_t contradictions = a.contradictions;
    close_bytes(&p, &a);
    return contradictions;
}

static void contradictions(void **state)
{
    (void)state;
    enum { M_SUB_CALLS = 136 };
    assert_int_equal(contradictions_with(M_SUB_CALLS, 0), 0);
    assert_int_equal(contradictions_with(M_SUB_CALLS, 1), 1);      /* another callee */
    assert_int_equal(contradictions_with(M_SUB_CALLS + 4, 5), 1);  /* another line */
    assert_int_equal(contradictions_with(M_SUB_CALLS + 8, 7), 1);  /* another count */
    assert_int_equal(contradictions_with(M_SUB_CALLS + 12, 1), 1); /* another cost */
}

/* m calls f, which m's list does not say. */
static void lists_without_an_arc(void **state)
{
    (void)state;
    static const unsigned char version_6[] = {
        N(6), N(84), N(2), N(20), N(60),
        N(3), N(3), N(1), N(1), N(0), N(1), N(4), N(1), N(3), 'a', '\n', 'f', '\n',
        N(2), N(5), N(1), N(0), N(0), 'b', '\n', 'm', '\n',
    };
    struct preprocessed p;
    struct preprocessed_arcs a;
    open_bytes(&p, &a, version_6, sizeof version_6);
    assert_int_equal(a.contradictions, 1);
    close_bytes(&p, &a);
    /* In version 7, m's list ends before its last arc, whose bytes become part of a name. */
    enum { M_SUB_CALL_COUNT = 132 };
    assert_int_equal(contradictions_with(M_SUB_CALL_COUNT, 1), 1);
}

/* f's list has the arc from line 4 in two parts: they become one, and m's list has one more. */
static void parts_of_an_arc(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {
        N(5), N(92), N(2), N(20), N(72),
        N(6), N(6), N(3), N(2), N(1), N(4), N(2), N(5), N(1), N(4), N(1), N(1), 'a', '\n', 'f', '\n',
        N(0), N(6), N(1), N(0), 'b', '\n', 'm', '\n',
    };
    struct preprocessed p;
    struct preprocessed_arcs a;
    open_bytes(&p, &a, bytes, sizeof bytes);
    assert_int_equal(a.count, 1);
    assert_arc(&a.arcs[0], 1, 0, 4, 3, 6);
    close_bytes(&p, &a);
}

static int by_ends(const void *left, const void *right)
{
    const struct arc *a = left, *b = right;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static void assert_same_arcs(struct preprocessed_arcs *a, struct preprocessed_arcs *b)
{
    assert_int_equal(a->count, b->count);
    qsort(a->profile.arcs, a->count, sizeof *a->arcs, by_ends);
    qsort(b->profile.arcs, b->count, sizeof *b->arcs, by_ends);
    for (size_t i = 0; i < a->count; i++)
        assert_arc(&b->arcs[i], a->arcs[i].caller, a->arcs[i].callee, a->arcs[i].line,
                   a->arcs[i].count, a->arcs[i].cost);
}

/* Releases of webgrind itself wrote these files from one profile. */
static void versions_of_webgrind(void **state)
{
    (void)state;
    char path[] = "testdata/xdebug/2.2-single.out.webgrind7";
    struct preprocessed newest, p;
    struct preprocessed_arcs newest_arcs, arcs;
    size_t newest_size, size;
    char *newest_bytes = read_file(path, &newest_size);
    open_bytes(&newest, &newest_arcs, newest_bytes, newest_size);
    assert_int_equal(newest_arcs.contradictions, 0);
    assert_true(newest_arcs.count > 2);
    for (char version = '4'; version < '7'; version++) {
        path[sizeof path - 2] = version;
        char *bytes = read_file(path, &size);
        open_bytes(&p, &arcs, bytes, size);
        assert_int_equal(arcs.contradictions, 0);
        assert_same_arcs(&newest_arcs, &arcs);
        close_bytes(&p, &arcs);
        free(bytes);
    }
    close_bytes(&newest, &newest_arcs);
    free(newest_bytes);
}

/* Version 4 is written from the invocations, version 7 from the sums. */
static void invocations_and_sums(void **state)
{
    (void)state;
    struct conversion_result results[2];
    struct preprocessed files[2];
    struct preprocessed_arcs arcs[2];
    for (unsigned i = 0; i < 2; i++) {
        struct cg2wg_options options;
        cg2wg_options_init(&options);
        options.format = i == 0 ? 4 : 7;
        results[i] = convert_file("testdata/xdebug/3.2-nested-events.out", &options);
        assert_int_equal(results[i].status, CG2WG_OK);
        open_bytes(&files[i], &arcs[i], results[i].bytes, results[i].size);
    }
    assert_true(arcs[0].count > 2);
    assert_same_arcs(&arcs[0], &arcs[1]);
    for (unsigned i = 0; i < 2; i++) {
        close_bytes(&files[i], &arcs[i]);
        conversion_free(&results[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_version),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(lists_without_an_arc),
        cmocka_unit_test(parts_of_an_arc),
        cmocka_unit_test(versions_of_webgrind),
        cmocka_unit_test(invocations_and_sums),
    };
    return cmocka_run_group_tests_name("arcs", tests, NULL, NULL);
}
