/* SPDX-License-Identifier: MIT */
/* The small tools: scanners of text, growing arrays. */
#include "support.h"

#include "util/array.h"
#include "util/matcher.h"
#include "util/task.h"
#include "util/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------ */

static void a_number_is_decimal_or_hexadecimal(void **state)
{
    static const struct {
        const char *text;
        uint64_t number;
        const char *rest; /* NULL: there is no number */
        bool overflow;
    } cases[] = {
        {"0", 0, "", false}, {"7 8", 7, " 8", false}, {"00012", 12, "", false}, {"12x", 12, "x", false},
        {"0x1f", 31, "", false}, {"0XaBcDeF", 0xabcdef, "", false}, {"0x10 2", 16, " 2", false},
        {"0xg", 0, "xg", false}, {"0x", 0, "x", false}, {"1f", 1, "f", false},
        {"0x00000000000000000000ff", 255, "", false}, {"000000000000000000000000000009", 9, "", false},
        {"18446744073709551615", UINT64_MAX, "", false}, {"0xffffffffffffffff", UINT64_MAX, "", false},
        {"18446744073709551616", UINT64_MAX, "", true}, {"18446744073709551620", UINT64_MAX, "", true},
        {"36893488147419103232", UINT64_MAX, "", true}, {"0x10000000000000000", UINT64_MAX, "", true},
        {"0xfffffffffffffffff", UINT64_MAX, "", true},
        {"340282366920938463463374607431768211456", UINT64_MAX, "", true}, {"", 0, NULL, false},
        {" 1", 0, NULL, false}, {"+1", 0, NULL, false}, {"-1", 0, NULL, false}, {"x1", 0, NULL, false},
        {"*", 0, NULL, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool is_one = cases[i].rest != NULL;
        struct text t = text_of_string(cases[i].text);
        uint64_t number = 0;
        bool overflow = false, before = true;
        if (text_take_number(&t, &number, &overflow) != is_one || number != cases[i].number ||
            !text_equals(t, is_one ? cases[i].rest : cases[i].text) || overflow != cases[i].overflow)
            fail_msg("%s: found %llu", cases[i].text, (unsigned long long)number);
        t = text_of_string(cases[i].text);
        text_take_number(&t, &number, &before);
        assert_true(before); /* an overflow before this number stays one */
    }
}

static void a_number_ends_with_its_view(void **state)
{
    static const char bytes[] = "0x12345", digits[] = "000000000000000000000012345"; /* too long for the quick way */
    for (size_t length = 1; length < sizeof bytes; length++) {
        static const uint64_t expected[] = {0, 0, 1, 0x12, 0x123, 0x1234, 0x12345};
        struct text t = text_of(bytes, length), end = text_of(digits, sizeof digits - 1 - (sizeof bytes - 1 - length));
        uint64_t number;
        bool overflow = false;
        assert_true(text_take_number(&t, &number, &overflow));
        assert_int_equal(number, expected[length - 1]);
        static const uint64_t decimal[] = {0, 0, 1, 12, 123, 1234, 12345};
        assert_true(text_take_number(&end, &number, &overflow));
        assert_int_equal(number, decimal[length - 1]);
        assert_true(text_is_empty(t) || length == 2);
    }
}

static void a_whole_number_is_nothing_else_and_within_bounds(void **state)
{
    static const struct {
        const char *string;
        uint64_t low, high;
        bool is_one;
    } cases[] = {
        {"4", 4, 7, true}, {"7", 4, 7, true}, {"0x5", 4, 7, true}, {"007", 4, 7, true}, {"3", 4, 7, false},
        {"8", 4, 7, false}, {"", 0, 7, false}, {"5 ", 4, 7, false}, {" 5", 4, 7, false}, {"5x", 4, 7, false},
        {"+5", 4, 7, false}, {"-5", 0, 7, false}, {"5.0", 4, 7, false}, {"0x", 0, 7, false},
        {"18446744073709551615", 0, UINT64_MAX, true}, {"18446744073709551616", 0, UINT64_MAX, false},
        {"4294967301", 4, 7, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t number;
        if (text_whole_number(cases[i].string, cases[i].low, cases[i].high, &number) !=
            cases[i].is_one)
            fail_msg("\"%s\": expected %d", cases[i].string, cases[i].is_one);
        if (cases[i].is_one)
            assert_true(number == strtoull(cases[i].string, NULL, cases[i].string[1] == 'x' ? 16 : 10));
    }
}

/* ---- views -------------------------------------------------------------------------------- */

static void words_are_parted_by_blanks_and_lines_by_newlines(void **state)
{
    static const char *const words[] = {"instr", "line", "bb", "", ""}, *const lines[] = {"one", "", "three", "", ""};
    struct text of_words = text_of_string("instr \t line\tbb  "), of_lines = text_of_string("one\n\nthree");
    for (size_t i = 0; i < 5; i++) {
        assert_true(text_equals(text_take_word(&of_words), words[i]));
        struct text line = text_take_to(&of_lines, '\n');
        assert_true(text_equals(line, lines[i]));
        assert_int_equal(line.end < of_lines.end, i < 2);
    }
    assert_true(text_is_empty(of_words) && text_is_empty(of_lines));
}

static void a_text_has_a_start_and_an_end(void **state)
{
    struct text t = text_of_string("a.map");
    assert_true(text_starts(t, "a.") && text_starts(t, "") && text_starts(t, "a.map"));
    assert_true(text_ends(t, ".map") && text_ends(t, "") && text_ends(t, "a.map"));
    assert_false(text_starts(t, ".") || text_starts(t, "a.map."));
    assert_false(text_ends(t, ".ma") || text_ends(t, "aa.map"));
    assert_true(text_equals(t, "a.map"));
    assert_false(text_equals(t, "a.ma") || text_equals(t, "a.map.") || text_equals(text_of("f\0n", 3), "f"));
}

static void texts_are_trimmed_at_both_ends(void **state)
{
    static const char *const cases[][2] = {
        {"a", "a"}, {" a", "a"}, {"a\t", "a"}, {" \t a b \t", "a b"}, {"", ""}, {" \t ", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(text_equals(text_trim(text_of_string(cases[i][0])), cases[i][1]));
}

/* ---- arrays ------------------------------------------------------------------------------- */

static void elements_are_appended_and_kept(void **state)
{
    enum { COUNT = 100 * 1000 };
    struct pair {
        uint32_t index;
        uint64_t square;
    } *pairs = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        struct pair pair = {i, (uint64_t)i * i};
        array_append(&pairs, &count, &capacity, &pair, sizeof pair);
        assert_int_equal(count, i + 1);
        assert_true(capacity >= count);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        assert_true(pairs[i].index == i && pairs[i].square == (uint64_t)i * i);
    memory_free(pairs);
}

struct growth {
    void *array;
    size_t *capacity, need, size;
};

static void grow(void *of)
{
    const struct growth *g = of;
    array_reserve(g->array, g->capacity, g->need, g->size);
}

static void an_array_cannot_outgrow_the_address_space(void **state)
{
    static const struct {
        size_t need, size;
    } cases[] = {
        {SIZE_MAX, 1}, {SIZE_MAX, 8}, {SIZE_MAX / 8 + 1, 8}, {SIZE_MAX / 8 + 2, 8}, {SIZE_MAX / 2 + 2, 2},
        {SIZE_MAX / 48 + 1, 48},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *array = NULL;
        size_t capacity = 0;
        array_reserve(&array, &capacity, 3, cases[i].size);
        memset(array, 'x', 3 * cases[i].size);
        char *before = array;
        size_t capacity_before = capacity;
        array_reserve(&array, &capacity, 2, cases[i].size); /* there is room */
        struct growth growth = {&array, &capacity, cases[i].need, cases[i].size};
        assert_int_equal(task_run(grow, &growth), TASK_OUT_OF_MEMORY);
        assert_ptr_equal(array, before);
        assert_int_equal(capacity, capacity_before);
        assert_int_equal(array[3 * cases[i].size - 1], 'x');
        memory_free(array);
    }
}

/* Counted by hand: insertions, deletions, replacements, swaps */
static void a_distance_counts_letters(void **state)
{
    static const struct {
        const char *a, *b;
        size_t whole, part;
    } cases[] = {
        {"", "", 0, 0}, {"", "abc", 3, 0}, {"abc", "", 3, 3}, {"abc", "abc", 0, 0}, {"Abc", "aBC", 0, 0},
        {"abc", "acb", 1, 1}, {"abcd", "badc", 2, 2}, {"abc", "xbc", 1, 1}, {"abc", "ac", 1, 1},
        {"run", "App->run", 5, 0}, {"run", "App->run()", 7, 0}, {"rnu", "App->Run", 6, 1},
        {"handel", "App\\Kernel->handle", 13, 1}, {"xyz", "abc", 3, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text a = text_of_string(cases[i].a), b = text_of_string(cases[i].b);
        if (text_distance(a, b, false) != cases[i].whole || text_distance(a, b, true) != cases[i].part)
            fail_msg("%s, %s: %zu and %zu, expected %zu and %zu", cases[i].a, cases[i].b,
                     text_distance(a, b, false), text_distance(a, b, true), cases[i].whole,
                     cases[i].part);
    }
    char longest[TEXT_DISTANCE_MOST + 2];
    memset(longest, 'x', sizeof longest);
    struct text a = text_of(longest, TEXT_DISTANCE_MOST), b = text_of(longest, sizeof longest);
    assert_int_equal(text_distance(a, b, false), 2);
    assert_int_equal(text_distance(a, b, true), 0);
    assert_true(text_distance(b, a, true) == SIZE_MAX);
}

static void a_pattern_is_a_part_or_has_stars(void **state)
{
    static const struct {
        const char *text, *pattern;
        bool is_whole, is_like;
    } cases[] = {
        {"Main", "Main", true, true},   {"Main", "main", false, true},  {"Main", "AI", false, true},
        {"Main", "ain", false, true},   {"Main", "mains", false, false}, {"aab", "ab", false, true},
        {"aaab", "aab", false, true},   {"Main", "M*", true, true},     {"Main", "a*", false, false},
        {"Main", "?ai?", true, true},   {"Main", "?AI", false, false},  {"Main", "", false, false},
        {"", "", true, true},           {"", "a", false, false},        {"", "*", true, true},
        {"a[b", "[", false, true},      {"a[b", "{", false, false},     {"a.b.c", "*B*", false, true},
        {"abcabd", "abd", false, true}, {"a@b", "`", false, false},     {"abcabd", "*ABD", false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (text_matches(text_of_string(cases[i].text), cases[i].pattern, false) != cases[i].is_whole ||
            text_matches(text_of_string(cases[i].text), cases[i].pattern, true) != cases[i].is_like)
            fail_msg("%s, %s", cases[i].text, cases[i].pattern);
}

/* ---- text that is safe for a terminal: the Unicode Standard, table 3-7 ------------------------ */

/* A short text of some letters, of which few are stars or question marks. */
static void random_letters(char *text, size_t most, const char *letters, uint32_t *random)
{
    size_t length = (*random = *random * 1664525 + 1013904223) >> 16, i = 0;
    for (length %= most; i < length; i++)
        text[i] = letters[((*random = *random * 1664525 + 1013904223) >> 16) % strlen(letters)];
    text[i] = '\0';
}

static void compare_matchers(void *of)
{
    enum { TIMES = 2000, PATTERNS = 40, TEXTS = 10, MOST = 9 };
    uint32_t random = *(uint32_t *)of;
    for (int time = 0; time < TIMES; time++) {
        char patterns[PATTERNS][MOST], text[2 * MOST];
        struct matcher m = {.is_loose = time % 2 == 0};
        for (size_t i = 0; i < PATTERNS; i++) {
            random_letters(patterns[i], MOST, i % 3 == 0 ? "abAB*?" : "abcA=", &random);
            matcher_add(&m, patterns[i], i);
        }
        for (int k = 0; k < TEXTS; k++) {
            bool found[PATTERNS] = {false}, any = false;
            random_letters(text, sizeof text, "abcAB=*", &random);
            for (size_t i = 0; i < PATTERNS; i++)
                any |= matcher_find(&m, text_of_string(text), i == 0 ? found : NULL);
            for (size_t i = 0; i < PATTERNS; i++) {
                bool is_exact = m.is_loose && patterns[i][0] == '=';
                bool expected = is_exact ? strcmp(text, patterns[i] + 1) == 0
                                         : text_matches(text_of_string(text), patterns[i], m.is_loose);
                if (found[i] != expected)
                    fail_msg("%s, %s: %d", text, patterns[i], found[i]);
                any &= !expected || matcher_find(&m, text_of_string(text), NULL);
            }
            bool is_one = memchr(found, true, sizeof found) != NULL;
            assert_int_equal(any, is_one);
        }
    }
}

/* Many patterns at once match as each one does by itself. */
static void a_matcher_finds_what_each_pattern_matches(void **state)
{
    uint32_t random = 53;
    assert_int_equal(task_run(compare_matchers, &random), TASK_DONE);
}

static void characters_have_their_lengths(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {
        {"a", 1}, {"\x7f", 1}, {"\x80", 0}, {"\xbf", 0}, {"\xc0\x80", 0}, {"\xc1\xbf", 0}, {"\xc2\x80", 2},
        {"\xdf\xbf", 2}, {"\xc2", 0}, {"\xc2\x7f", 0}, {"\xc2\xc0", 0}, {"\xe0\x9f\x80", 0}, {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3}, {"\xed\xa0\x80", 0}, {"\xee\x80\x80", 3}, {"\xe2\x82", 0}, {"\xe2\x82\x28", 0},
        {"\xf0\x8f\x80\x80", 0}, {"\xf0\x90\x80\x80", 4}, {"\xf4\x8f\xbf\xbf", 4}, {"\xf4\x90\x80\x80", 0},
        {"\xf0\x90\x80", 0}, {"\xf5\x80\x80\x80", 0}, {"\xff", 0}, {"\xe1\x80\x80", 3}, {"\xec\xbf\xbf", 3},
        {"\xf1\x80\x80\x80", 4}, {"\xf3\xbf\xbf\xbf", 4}, {"\xf1\x80\x80\x7f", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
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
        /* what turns text around: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069; lines: U+2028, U+2029 */
        {"\xd8\x9c\xd8\x9d\xd8\x9b", "??\xd8\x9d\xd8\x9b"},
        {"\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90", "\xe2\x80\x8d??????\xe2\x80\x90"},
        {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae\xe2\x80\xaf",
         "\xe2\x80\xa7?????????????????????\xe2\x80\xaf"},
        {"\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9\xe2\x81\xaa",
         "\xe2\x81\xa5????????????\xe2\x81\xaa"},
        {"\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf\xf0\x90\x80\x80", "\xef\xbf\xbd??????\xf0\x90\x80\x80"}, /* U+FFFE, U+FFFF */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_shown(text_of_string(cases[i][0]), cases[i][1]);
    assert_shown(text_of("a\0b", 3), "a?b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_decimal_or_hexadecimal),
        cmocka_unit_test(a_number_ends_with_its_view),
        cmocka_unit_test(a_whole_number_is_nothing_else_and_within_bounds),
        cmocka_unit_test(words_are_parted_by_blanks_and_lines_by_newlines),
        cmocka_unit_test(a_text_has_a_start_and_an_end),
        cmocka_unit_test(texts_are_trimmed_at_both_ends),
        cmocka_unit_test(a_distance_counts_letters),
        cmocka_unit_test(a_pattern_is_a_part_or_has_stars),
        cmocka_unit_test(a_matcher_finds_what_each_pattern_matches),
        cmocka_unit_test(characters_have_their_lengths),
        cmocka_unit_test(what_would_garble_a_terminal_is_replaced),
        cmocka_unit_test(elements_are_appended_and_kept),
        cmocka_unit_test(an_array_cannot_outgrow_the_address_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
