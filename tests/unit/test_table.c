/* Numbers in the tables of --print. */
#include "support.h"

#include "view/table.h"

static void numbers_have_signs_and_groups(void **state)
{
    (void)state;
    static const struct {
        int64_t number;
        const char *plain, *grouped; /* off and on a terminal */
    } cases[] = {
        {0, "0", "0"},
        {999, "999", "999"},
        {1000, "1000", "1,000"},
        {-1, "-1", "-1"},
        {-999, "-999", "-999"},
        {-1234567, "-1234567", "-1,234,567"},
        {INT64_MAX, "9223372036854775807", "9,223,372,036,854,775,807"},
        {INT64_MIN, "-9223372036854775808", "-9,223,372,036,854,775,808"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];
        assert_string_equal(table_signed(text, 0, cases[i].number), cases[i].plain);
        assert_string_equal(table_signed(text, 80, cases[i].number), cases[i].grouped);
    }
}

static void totals_may_have_more_than_64_bits(void **state)
{
    (void)state;
    char text[TABLE_CELL];
    assert_string_equal(table_total(text, 0, 0), "0");
    assert_string_equal(table_total(text, 80, 1234567), "1,234,567");
    assert_string_equal(table_total(text, 80, 1e18), "1000000000000000000");
    assert_string_equal(table_total(text, 0, 73786976294838206464.0), "73786976294838206464");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_signs_and_groups),
        cmocka_unit_test(totals_may_have_more_than_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
