/* SPDX-License-Identifier: MIT */
/* Tasks: what they hold is released, the newest first, however they end (util/task.h). */
#include "support.h"

#include "util/task.h"

#include <string.h>

struct record {
    char released[16]; /* the names of what was released, in order */
    struct thing {
        struct task_held held;
        struct record *record;
        char name;
    } a, b, c;
};

static void release(void *of)
{
    struct thing *thing = of;
    char name[] = {thing->name, '\0'};
    strcat(thing->record->released, name);
}

static void hold(struct record *record, struct thing *thing, char name)
{
    thing->record = record;
    thing->name = name;
    task_hold(&thing->held, release, thing);
}

static void hold_all(struct record *record)
{
    hold(record, &record->a, 'a');
    hold(record, &record->b, 'b');
    hold(record, &record->c, 'c');
}

static void return_from_it(void *of)
{
    hold_all(of);
}

static void fail_in_it(void *of)
{
    hold_all(of);
    task_fail();
}

static void want_too_much(void *of)
{
    hold_all(of);
    memory_get(SIZE_MAX / 2);
}

static void let_one_go(void *of)
{
    struct record *record = of;
    hold_all(record);
    task_let_go(&record->b.held);
    task_let_go(&record->b.held); /* is not held any more */
    task_fail();
}

static void fail_within(void *of)
{
    struct record *record = of, inner = {.released = ""};
    hold(record, &record->a, 'a');
    assert_int_equal(task_run(fail_in_it, &inner), TASK_FAILED);
    assert_string_equal(inner.released, "cba");
    assert_string_equal(record->released, "");
    hold(record, &record->b, 'b');
}

static void what_is_held_is_released_the_newest_first(void **state)
{
    static const struct {
        void (*work)(void *of);
        enum task_result result;
        const char *released;
    } cases[] = {
        {return_from_it, TASK_DONE, "cba"}, {fail_in_it, TASK_FAILED, "cba"}, {want_too_much, TASK_OUT_OF_MEMORY, "cba"},
        {let_one_go, TASK_FAILED, "ca"},    {fail_within, TASK_DONE, "ba"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct record record = {.released = ""};
        assert_int_equal(task_run(cases[i].work, &record), cases[i].result);
        assert_string_equal(record.released, cases[i].released);
    }
}

/* Fills pieces of memory, resizes and frees some in any order; the rest is the task's (LeakSanitizer looks). */
static void use_memory(void *of)
{
    enum { PIECES = 100 };
    unsigned char *pieces[PIECES] = {NULL};
    size_t sizes[PIECES] = {0};
    uint64_t random = 7;
    for (int step = 0; step < 10000; step++) {
        uint32_t i = random_below(&random, PIECES), action = random_below(&random, 3);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], i);
        if (action == 0) {
            memory_free(pieces[i]);
            sizes[i] = 0;
            pieces[i] = NULL;
        } else if (action == 1 || pieces[i] == NULL) {
            size_t size = random_below(&random, 300);
            pieces[i] = memory_resize(pieces[i], size);
            memset(pieces[i], (int)i, sizes[i] = size);
        }
    }
    unsigned char *zeros = memory_zeroed(100, 7);
    for (int i = 0; i < 700; i++)
        assert_int_equal(zeros[i], 0);
    assert_string_equal(memory_string("text"), "text");
    if (of != NULL)
        task_fail();
}

static void memory_is_freed_at_the_end(void **state)
{
    int fails;
    assert_int_equal(task_run(use_memory, NULL), TASK_DONE);
    assert_int_equal(task_run(use_memory, &fails), TASK_FAILED);
    assert_int_equal(task_run(use_memory, NULL), TASK_DONE);
}

/* What was got before or after the scope stays, also if it is resized within; the scope around it is freed later. */
static void use_scopes(void *of)
{
    struct memory_scope outer, inner;
    char *before = memory_string("before");
    memory_scope_begin(&outer);
    char *outside = memory_string("outside");
    memory_scope_begin(&inner);
    memory_get(100);
    before = memory_resize(before, 1000);
    memory_scope_end(&inner);
    char *after = memory_string("after");
    if (of != NULL)
        task_fail();
    memory_scope_free(&inner);
    outside = memory_resize(outside, 1000);
    assert_string_equal(outside, "outside");
    assert_string_equal(after, "after");
    memory_scope_free(&outer);
    assert_string_equal(memory_resize(before, 10), "before");
}

static void scopes_are_freed_before_the_end(void **state)
{
    int fails;
    assert_int_equal(task_run(use_scopes, NULL), TASK_DONE);
    assert_int_equal(task_run(use_scopes, &fails), TASK_FAILED);
}

static void get_impossible_sizes(void *of)
{
    if (*(int *)of == 0)
        memory_zeroed(SIZE_MAX / 4, 8);
    else
        memory_resize(memory_get(10), SIZE_MAX - 4);
}

static void a_size_that_does_not_fit_is_no_memory(void **state)
{
    for (int which = 0; which < 2; which++)
        assert_int_equal(task_run(get_impossible_sizes, &which), TASK_OUT_OF_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_released_the_newest_first),
        cmocka_unit_test(memory_is_freed_at_the_end),
        cmocka_unit_test(scopes_are_freed_before_the_end),
        cmocka_unit_test(a_size_that_does_not_fit_is_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
