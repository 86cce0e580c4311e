/* Numbers in the tables of --print. */
#include "support.h"

#include "view/table.h"

static void numbers_have_signs_and_groups(void **state)
{
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
    char text[TABLE_CELL];
    struct quantity number = {QUANTITY_NUMBER, 1};
    assert_string_equal(table_total(text, 0, number, 0, 0), "0");
    assert_string_equal(table_total(text, 80, number, 1234567, 1234567), "1,234,567");
    assert_string_equal(table_total(text, 80, number, 1e18, 1e18), "1000000000000000000");
    assert_string_equal(table_total(text, 0, number, 73786976294838206464.0, 0), "73786976294838206464");
}

/* By hand: 1 KiB = 1024 bytes; Xdebug 3 counts tens of nanoseconds, Xdebug 2 microseconds. */
static void times_and_bytes_have_units_on_a_terminal(void **state)
{
    static const struct {
        const char *event;
        double cost, most;
        const char *expected;
    } cases[] = {
        {"Time_(10ns)", 253000000, 253000000, "2.53 s"},
        {"Time_(10ns)", 43800, 43800, "438 \u00b5s"},
        {"Time_(10ns)", 43800, 253000000, "0.0004 s"}, /* the unit is that of the largest */
        {"Time", 12345, 12345, "12.3 ms"},
        {"Time", 9999, 9999, "10.0 ms"},
        {"Time", -1500000, 1500000, "-1.50 s"},
        {"ns", 999, 999, "999 ns"},
        {"ns", 7, 7, "7 ns"},
        {"Time", 12345678e6, 12345678e6, "12,345,678 s"},
        {"Memory_(bytes)", 1536, 1536, "1.50 KiB"},
        {"Memory", 3.0 * 1024 * 1024 * 1024 * 1024 * 2000, 1e20, "6,000 TiB"},
        {"Memory_(bytes)", 0, 5000000, "0 MiB"},
        {"Ir", 1234567, 1234567, "1,234,567"},
    };
    char text[TABLE_CELL];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct quantity quantity = quantity_of(text_of_string(cases[i].event));
        assert_string_equal(table_total(text, 80, quantity, cases[i].cost, cases[i].most), cases[i].expected);
        assert_null(strchr(table_total(text, 0, quantity, cases[i].cost, cases[i].most), ' '));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_signs_and_groups),
        cmocka_unit_test(totals_may_have_more_than_64_bits),
        cmocka_unit_test(times_and_bytes_have_units_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
