/* Text that is safe for a terminal. Expectations are from the Unicode Standard, table 3-7. */
#include "support.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void characters_have_their_lengths(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
        {"a", 1},                {"\x7f", 1},
        {"\x80", 0},             {"\xbf", 0},
        {"\xc0\x80", 0},         {"\xc1\xbf", 0},
        {"\xc2\x80", 2},         {"\xdf\xbf", 2},
        {"\xc2", 0},             {"\xc2\x7f", 0},
        {"\xc2\xc0", 0},         {"\xe0\x9f\x80", 0},
        {"\xe0\xa0\x80", 3},     {"\xed\x9f\xbf", 3},
        {"\xed\xa0\x80", 0},     {"\xee\x80\x80", 3},
        {"\xe2\x82", 0},         {"\xe2\x82\x28", 0},
        {"\xf0\x8f\x80\x80", 0}, {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4}, {"\xf4\x90\x80\x80", 0},
        {"\xf0\x90\x80", 0},     {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (utf8_length(text_of_string(cases[i].bytes)) != cases[i].length)
            fail_msg("case %zu: not %zu", i, cases[i].length);
    assert_int_equal(utf8_length(text_of("", 1)), 1);
}

/* Both ways to make a text printable. */
static void assert_shown(struct text t, const char *expected)
{
    char bytes[64], taken[64];
    size_t length = text_length(t), used = 0;
    assert_true(length < sizeof bytes);
    assert_int_equal(strlen(expected), length);
    memcpy(bytes, t.at, length);
    utf8_make_printable(bytes, length);
    assert_memory_equal(bytes, expected, length);
    while (!text_is_empty(t)) {
        struct text shown = utf8_take_printable(&t);
        memcpy(taken + used, shown.at, text_length(shown));
        used += text_length(shown);
    }
    assert_int_equal(used, length);
    assert_memory_equal(taken, expected, length);
}

static void what_would_garble_a_terminal_is_replaced(void **state)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"plain ~", "plain ~"},
        {"\t\n\033[31m\x7f", "???[31m?"},
        {"a\xc2\x80z\xc2\x9b" "31m\xc2\x9f", "a??z??31m??"}, /* U+0080, U+009B, U+009F */
        {"\xc2\xa0\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc2\xa0\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\x9b" "31m\x80\xff", "?31m??"},
        {"cut\xe2\x82", "cut??"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_shown(text_of_string(cases[i][0]), cases[i][1]);
    assert_shown(text_of("a\0b", 3), "a?b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_have_their_lengths),
        cmocka_unit_test(what_would_garble_a_terminal_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
