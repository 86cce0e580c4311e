/* The journal: whatever a record has added to a profile, taking it back leaves what was before. */
#include "support.h"

#include "model/journal.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 50, LINES = 20 };

/* A profile with some functions and random calls between them, half of them of one function. */
static void fill(struct profile *profile, uint64_t *random)
{
    char name[] = "f?";
    assert_true(profile_init(profile));
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        uint32_t text, number;
        name[1] = (char)('0' + i);
        assert_true(names_intern(&profile->names, text_of(name, 2), &text));
        assert_true(profile_function(profile, IDENTITY_NAME, 0, 0, text, &number));
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(profile_add_call(profile, i % 2 == 0 ? 7 : random_below(random, FUNCTIONS),
                                     random_below(random, FUNCTIONS), random_below(random, LINES),
                                     random_below(random, 9), random_below(random, 99), NULL));
}

/*
 * Calls of arcs that are there and of new ones; more lines make more new ones. Some cost so much that the
 * arc's cost stays at the largest one.
 */
static void add_calls(struct profile *profile, struct journal *j, uint64_t *random, uint32_t calls,
                      uint32_t lines)
{
    for (uint32_t i = 0; i < calls; i++) {
        uint32_t arc = 0;
        uint64_t count = random_below(random, 9);
        cost_t cost = random_below(random, 20) == 0 ? INT64_MAX : (cost_t)random_below(random, 99) - 49;
        assert_true(profile_add_call(profile, 7, random_below(random, FUNCTIONS),
                                     random_below(random, lines), 0, 0, &arc));
        assert_true(journal_note_arc(j, arc));
        count_add(&profile->arcs[arc].count, count);
        cost_add(&profile->arcs[arc].cost, cost);
    }
}

static void assert_taken_back(uint32_t calls, uint32_t lines)
{
    struct profile profile;
    struct journal j = {0};
    uint64_t random = 1;
    fill(&profile, &random);
    size_t arc_count = profile.arc_count;
    struct arc *before = malloc(arc_count * sizeof *before);
    memcpy(before, profile.arcs, arc_count * sizeof *before);

    /* What one record has kept must not stand in the way of the next. */
    for (int record = 0; record < 3; record++) {
        struct function caller = profile.functions[7];
        journal_begin(&j, &profile, profile.function_count, 7, &caller);
        profile.functions[7].self += 5;
        add_calls(&profile, &j, &random, record == 1 ? 10 : calls, lines);
        journal_undo(&j);
        assert_int_equal(profile.functions[7].self, 0);
        assert_int_equal(profile.arc_count, arc_count);
        for (size_t i = 0; i < arc_count; i++) {
            assert_int_equal(profile.arcs[i].count, before[i].count);
            assert_int_equal(profile.arcs[i].cost, before[i].cost);
            assert_int_equal(profile_find_arc(&profile, before[i].caller, before[i].callee,
                                              before[i].line), i);
        }
        assert_int_equal(profile_find_arc(&profile, 7, 0, LINES), UINT32_MAX);
    }
    free(before);
    journal_free(&j);
    profile_free(&profile);
}

static void few_calls_are_taken_back(void **state)
{
    (void)state;
    assert_taken_back(0, LINES);
    assert_taken_back(1, LINES);
    assert_taken_back(2000, LINES);
    assert_taken_back(2000, 4 * LINES);
}

/* So many that the sums of the arcs are kept in place of them. */
static void many_calls_are_taken_back(void **state)
{
    (void)state;
    assert_taken_back(400 * 1000, LINES);
    assert_taken_back(1000 * 1000, 4 * LINES);
}

/* Their memory goes by the arcs, not by the calls. */
static void many_calls_are_not_kept(void **state)
{
    (void)state;
    struct profile profile;
    struct journal j = {0};
    uint64_t random = 1;
    fill(&profile, &random);
    journal_begin(&j, &profile, profile.function_count, 7, &profile.functions[7]);
    add_calls(&profile, &j, &random, 1000 * 1000, LINES);
    assert_int_equal(j.call_count, 0);
    assert_non_null(j.arcs_before);
    journal_free(&j);
    profile_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_calls_are_taken_back),
        cmocka_unit_test(many_calls_are_taken_back),
        cmocka_unit_test(many_calls_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
