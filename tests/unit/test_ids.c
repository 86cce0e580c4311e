/* Numbers by ids: against a plain list, and with ids of all kinds. */
#include "support.h"

#include "util/ids.h"

#include <string.h>

static struct ids no_ids(void)
{
    struct ids ids;
    ids_init(&ids, NULL);
    return ids;
}

static void nothing_is_found_in_nothing(void **state)
{
    (void)state;
    struct ids ids = no_ids();
    assert_int_equal(ids_find(&ids, 0), IDS_NONE);
    assert_int_equal(ids_find(&ids, UINT64_MAX), IDS_NONE);
    ids_free(&ids);
}

static void ids_have_the_number_given_last(void **state)
{
    (void)state;
    static const uint64_t some[] = {0, 1, 2, 3, 7, 4000000000, UINT64_C(1) << 63, UINT64_MAX};
    enum { COUNT = sizeof some / sizeof some[0] };
    struct ids ids = no_ids();
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_int_equal(ids_find(&ids, some[i]), round == 0 ? IDS_NONE : i + round - 1);
            ids_set(&ids, some[i], i + round);
            assert_int_equal(ids_find(&ids, some[i]), i + round);
        }
    assert_int_equal(ids.index.used, COUNT);
    assert_int_equal(ids_find(&ids, 4), IDS_NONE);
    assert_int_equal(ids_find(&ids, UINT64_MAX - 1), IDS_NONE);
    ids_free(&ids);
}

/* Ids of few bits, so that many are met again, spread over all places. */
static void ids_are_those_of_a_list(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    uint64_t random = 5, known[STEPS];
    for (unsigned shift = 0; shift < 56; shift += 11) {
        struct ids ids = no_ids();
        uint32_t numbers[STEPS];
        size_t count = 0;
        for (uint32_t step = 0; step < STEPS; step++) {
            uint64_t id = (uint64_t)random_below(&random, 256) << shift |
                          (uint64_t)random_below(&random, 4) << 62;
            size_t at = 0;
            while (at < count && known[at] != id)
                at++;
            assert_int_equal(ids_find(&ids, id), at < count ? numbers[at] : IDS_NONE);
            if (random_below(&random, 2) == 0)
                continue;
            ids_set(&ids, id, step);
            known[at] = id;
            numbers[at] = step;
            count += at == count;
        }
        assert_int_equal(ids.index.used, count);
        ids_free(&ids);
    }
}

static void ids_in_a_row(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    for (int is_falling = 0; is_falling < 2; is_falling++) {
        struct ids ids = no_ids();
        for (uint32_t i = 0; i < COUNT; i++)
            ids_set(&ids, is_falling ? COUNT - i : i, i);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(ids_find(&ids, is_falling ? COUNT - i : i), i);
        ids_free(&ids);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_in_nothing),
        cmocka_unit_test(ids_have_the_number_given_last),
        cmocka_unit_test(ids_are_those_of_a_list),
        cmocka_unit_test(ids_in_a_row),
    };
    return cmocka_run_group_tests_name("ids", tests, NULL, NULL);
}
