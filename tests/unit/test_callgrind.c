/*
 * The callgrind front end: what each kind of line means. Every expectation is derived by hand from
 * the format's description and from docs/formats.md.
 */
#include "support.h"

static void self_cost_is_the_sum_of_the_cost_lines(void **state)
{
    (void)state;
    assert_dump("events: Ir\n"
                "summary: 60\n"
                "fl=a.c\n"
                "fn=main\n"
                "3 10\n"
                "4 20\n"
                "3 30\n",
                NULL,
                "a.c main line=3 self=60 incl=60 inv=1\n"
                "header: events: Ir\n"
                "header: summary: 60\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_cost_is_the_sum_of_the_cost_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
