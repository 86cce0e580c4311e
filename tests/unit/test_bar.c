/* SPDX-License-Identifier: MIT */
/* The progress line: its contents, and that it fits. */
#include "support.h"

#include "cli/messages.h"

#include <string.h>

static void assert_line(size_t width, enum cg2wg_stage stage, uint64_t done, uint64_t total,
                        double seconds, const char *expected)
{
    char line[BAR_WIDTH + 1];
    struct cg2wg_progress progress = {stage, done, total};
    size_t length = bar_line(line, width, &progress, seconds);
    assert_string_equal(line, expected);
    assert_int_equal(length, strlen(expected));
}

static void a_known_total_has_percent_rate_time_and_scale(void **state)
{
    assert_line(60, CG2WG_READING, 500000000, 1000000000, 2,
                "reading  50 %  250 MB/s  0:02 left  [===========>          ]");
    assert_line(60, CG2WG_WRITING, 1000, 1000000, 0.5, "writing   0 %  2.00 kB/s  8:20 left  [>                    ]");
    assert_line(60, CG2WG_READING, 7200, 7200, 7200, "reading 100 %  1 B/s  0:00 left  [=========================]");
    assert_line(20, CG2WG_READING, 3000, 1000, 1, "reading 100 %"); /* it grew */
}

static void an_unknown_total_has_bytes_and_rate(void **state)
{
    assert_line(79, CG2WG_READING, 1230000000, 0, 1.5, "reading 1.23 GB  820 MB/s");
    assert_line(79, CG2WG_READING, 0, 0, 1.5, "reading 0 B  0 B/s");
}

static void a_narrow_terminal_loses_what_matters_least(void **state)
{
    static const struct {
        size_t width;
        const char *line;
    } cases[] = {
        {50, "reading  50 %  250 MB/s  0:00 left  [======>     ]"},
        {49, "reading  50 %  250 MB/s  0:00 left  [=====>     ]"},
        {48, "reading  50 %  250 MB/s  0:00 left  [=====>    ]"},
        {47, "reading  50 %  250 MB/s  0:00 left"},
        {34, "reading  50 %  250 MB/s  0:00 left"},
        {33, "reading  50 %  250 MB/s"}, {23, "reading  50 %  250 MB/s"}, {22, "reading  50 %"},
        {13, "reading  50 %"}, {12, " 50 %"}, {5, " 50 %"}, {4, ""}, {0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_line(cases[i].width, CG2WG_READING, 500, 1000, 2e-6, cases[i].line);
}

static void no_line_is_wider_than_it_may_be(void **state)
{
    static const uint64_t amounts[] = {0, 1, 999, 1000, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX};
    static const double times[] = {0, 1e-9, 1, 3599.6, 1e7, 1e300};
    enum { AMOUNTS = sizeof amounts / sizeof amounts[0], TIMES = sizeof times / sizeof times[0] };
    for (size_t width = 0; width < 2 * BAR_WIDTH; width++) {
        for (size_t i = 0; i < (size_t)AMOUNTS * AMOUNTS * TIMES; i++) {
            char line[BAR_WIDTH + 1];
            struct cg2wg_progress progress = {CG2WG_READING, amounts[i % AMOUNTS], amounts[i / AMOUNTS % AMOUNTS]};
            size_t length = bar_line(line, width, &progress, times[i / AMOUNTS / AMOUNTS]);
            assert_int_equal(length, strlen(line));
            assert_true(length <= width);
        }
    }
}

static void time_left_has_hours_where_needed(void **state)
{
    assert_line(43, CG2WG_READING, 1, 3601, 1, "reading   0 %  1 B/s  1:00:00 left");
    assert_line(43, CG2WG_READING, 1, 3600, 1, "reading   0 %  1 B/s  59:59 left");
    assert_line(43, CG2WG_READING, 1, 1000000, 1, "reading   0 %  1 B/s  -:-- left");
    assert_line(43, CG2WG_READING, 0, 1000000, 1, "reading   0 %  0 B/s  -:-- left");
}

static void bytes_have_three_digits(void **state)
{
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},         {999, "999 B"},     {999.6, "1.00 kB"}, {1000, "1.00 kB"},   {9994, "9.99 kB"},
        {9996, "10.0 kB"},  {99940, "99.9 kB"}, {99960, "100 kB"},  {999499, "999 kB"},  {999500, "1.00 MB"},
        {1.5e9, "1.50 GB"}, {2e12, "2.00 TB"},  {3e15, "3.00 PB"},  {4.5e18, "4500 PB"}, {1e300, "99999 PB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[BYTES_TEXT];
        bytes_text(text, cases[i].bytes);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_total_has_percent_rate_time_and_scale),
        cmocka_unit_test(an_unknown_total_has_bytes_and_rate),
        cmocka_unit_test(a_narrow_terminal_loses_what_matters_least),
        cmocka_unit_test(no_line_is_wider_than_it_may_be),
        cmocka_unit_test(time_left_has_hours_where_needed),
        cmocka_unit_test(bytes_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
