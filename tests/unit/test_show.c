/* SPDX-License-Identifier: MIT */
/* What a terminal shows: messages, complete and in one piece; names that fit; numbers in tables. */
#include "support.h"

#include "util/show.h"
#include "view/table.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Puts such a message on standard error, which here is a socket that keeps one write from the next.
 * Sets `written` to all that comes. Returns in how many writes it did.
 */
static unsigned write_message(const char *const *parts, char *written, size_t size)
{
    int ends[2], standard_error = dup(STDERR_FILENO);
    size_t used = 0;
    unsigned writes = 0;
    assert_true(standard_error >= 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    show_message(parts);
    assert_int_equal(dup2(standard_error, STDERR_FILENO), STDERR_FILENO);
    close(standard_error);
    close(ends[1]);
    for (ssize_t got; (got = recv(ends[0], written + used, size - used - 1, MSG_DONTWAIT)) > 0; writes++)
        used += (size_t)got;
    close(ends[0]);
    written[used] = '\0';
    return writes;
}

static void a_message_is_written_at_once(void **state)
{
    char written[200];
    static const char *const parts[] = {"a\033[31m\xc2\x9b", ":", "12: ", "", "found x", NULL};
    assert_int_equal(write_message(parts, written, sizeof written), 1);
    assert_string_equal(written, "cg2wg: a?[31m??:12: found x\n");
}

/* Of three bytes each, so that no power of two falls between two characters. */
static void a_long_message_is_whole(void **state)
{
    enum { CHARACTERS = 10000, START = 7 };
    static const char character[] = "\xe2\x82\xac";
    char *text = malloc(3 * CHARACTERS + 1), *written = malloc(4 * CHARACTERS);
    assert_true(text != NULL && written != NULL);
    for (size_t i = 0; i <= 3 * CHARACTERS; i++)
        text[i] = character[i % 3];
    text[3 * CHARACTERS] = '\0';
    const char *const parts[] = {text, NULL};
    assert_true(write_message(parts, written, 4 * CHARACTERS) < 10);
    assert_int_equal(strlen(written), START + 3 * CHARACTERS + 1);
    assert_memory_equal(written + START, text, 3 * CHARACTERS);
    assert_int_equal(written[START + 3 * CHARACTERS], '\n');
    free(text);
    free(written);
}

/* What show_shortened prints, in malloc'ed memory. */
static char *shortened(const char *string, size_t columns, bool keeps_end)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    show_shortened(out, text_of_string(string), columns, keeps_end);
    fclose(out);
    return text;
}

static void assert_shortened(const char *string, size_t columns, bool keeps_end, const char *expected)
{
    char *text = shortened(string, columns, keeps_end);
    assert_string_equal(text, expected);
    free(text);
}

static void names_lose_their_middle_and_paths_their_start(void **state)
{
    assert_shortened("abcdefghij", 10, false, "abcdefghij");
    assert_shortened("abcdefghij", 9, false, "abcd…ghij");
    assert_shortened("abcdefghij", 8, false, "abcd…hij");
    assert_shortened("abcdefghij", 4, false, "ab…j");
    assert_shortened("abcdefghij", 3, false, "a…j");
    assert_shortened("abcdefghij", 1, false, "…");
    assert_shortened("abcdefghij", 0, false, "");
    assert_shortened("/a/b/c.php", 10, true, "/a/b/c.php");
    assert_shortened("/a/b/c.php", 9, true, "…/b/c.php");
    assert_shortened("/a/b/cd.php", 9, true, "…b/cd.php");
    assert_shortened("", 0, true, "");
    assert_shortened("a\033[31m", 5, false, "a?…1m");
}

/* Of a character of two columns, two bytes, a mark that takes none, and what is no UTF-8. */
static void widths_are_those_of_the_terminal(void **state)
{
    assert_int_equal(show_width(text_of_string("abc")), 3);
    assert_int_equal(show_width(text_of_string("Z\xc3\xbcrich")), 6);
    assert_int_equal(show_width(text_of_string("\xe6\x97\xa5\xe6\x9c\xac")), 4);
    assert_int_equal(show_width(text_of_string("e\xcc\x81<\xe2\x81\xa0" "b")), 3);
    assert_int_equal(show_width(text_of_string("\xff\x1b\xc2\x9b\xf0\x9f\x98\x80")), 6);
    assert_shortened("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 6, false, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e");
    assert_shortened("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5, true, "…\xe6\x9c\xac\xe8\xaa\x9e");
    assert_shortened("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 4, true, "…\xe8\xaa\x9e");
    /* Whatever the width, no more columns and no half character. */
    static const char text[] = "a\xe6\x97\xa5\xc3\xbc\xcc\x81\xff\xe6\x9c\xac" "b\xf0\x9f\x98\x80z";
    for (size_t columns = 0; columns < 14; columns++) {
        for (int keeps_end = 0; keeps_end <= 1; keeps_end++) {
            char *shown = shortened(text, columns, keeps_end != 0);
            assert_true(show_width(text_of_string(shown)) <= columns);
            assert_true(columns < 11 || strlen(shown) == strlen(text));
            for (struct text rest = text_of_string(shown); !text_is_empty(rest); rest.at += utf8_length(rest))
                assert_true(utf8_length(rest) > 0);
            free(shown);
        }
    }
}

/* In tables: the path loses its folders, the name its namespaces, then the file goes, then arguments, at last the middle. */
static void names_and_files_share_a_line(void **state)
{
    static const char path[] = "/srv/app/src/File.php", arguments[] = "std::vector<std::pair<int, int>>::add(std::pair<int, int>&&)";
    static const struct {
        size_t columns;
        const char *name, *file, *expected;
    } cases[] = {
        {32, "A->b", path, "A->b  (/srv/app/src/File.php:12)"},
        {31, "A->b", path, "A->b  (…rv/app/src/File.php:12)"},
        {25, "A->b", path, "A->b  (…/src/File.php:12)"},
        {19, "A->b", path, "A->b  (File.php:12)"},
        {18, "A->b", path, "A->b"},
        {1, "A->b", path, "…"},
        {60, arguments, "", "std::vector<std::pair<int, int>>::add(std::pair<int, int>&&)"},
        {58, arguments, "", "std::vector<std::pair<int, int>>::add(…)"},
        {40, arguments, "", "std::vector<std::pair<int, int>>::add(…)"},
        {39, arguments, "", "std::vector<…>::add(…)"},
        {15, arguments, "", "…::add(…)"},
        {8, arguments, "", "add(…)"},
        {20, "outer<a->b, c::d>::inner_name", "", "outer<…>::inner_name"},
        {8, "ns::f(a::b)", "", "ns::f(…)"},
        /* What is in brackets is neither arguments nor a part, nor are brackets in the middle of a name. */
        {31, "A->{closure:/srv/E.php(361) : eval()'d code:57-58}", "", "A->{closure:/sr…)'d code:57-58}"},
        {31, "eval::/srv/E.php(361) : eval()'d code", "", "/srv/E.php(361) : eval()'d code"},
        {15, "main.(*T).Method", "", "main.(*….Method"},
        {30, "a::sort<m::{lambda(int)#1}>(int, m::{lambda(int)#1})", "", "a::sort<m::{lambda(int)#1}>(…)"},
        {30, "App\\A->App\\{closure:App\\B::c():12}", "", "…\\{closure:App\\B::c():12}"},
        {16, "std::operator<<(std::ostream&, char)", "", "…::operator<<(…)"},
        {16, "s::F<int>::operator()(int) const", "", "…::operator()"},
        {18, "std::operator< <int>(int, int)", "", "operator< <…>(…)"},
        {16, "a::long_name(int) [clone .part.0]", "", "…::long_name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        table_print_name(out, 7 + cases[i].columns, 7, text_of_string(cases[i].name), text_of_string(cases[i].file), 12);
        fclose(out);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

static void words_are_wrapped(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    show_wrapped(out, "aa bb cccc d", 0, 0, 5);
    fputs("xx ", out);
    show_wrapped(out, "aa bb looooong", 3, 2, 8);
    fclose(out);
    assert_string_equal(text, "aa bb\ncccc\nd\nxx aa bb\n  looooong\n");
    free(text);
}

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

/*
 * By hand: 1 KiB = 1024 bytes; Xdebug 3 counts tens of nanoseconds, Xdebug 2 microseconds. Three digits matter, and each
 * value has its own unit, into which it is rounded once: 999.6 us is 1.00 ms, and 1023.7 KiB is 1.00 MiB.
 */
static void times_and_bytes_have_units_on_a_terminal(void **state)
{
    static const struct {
        const char *event;
        int64_t cost;
        const char *expected;
    } cases[] = {
        {"Time_(10ns)", 6, "60 ns"},
        {"Time_(10ns)", 352, "3.52 \u00b5s"},
        {"Time_(10ns)", 2084321, "20.8 ms"},
        {"Time_(10ns)", 56211800, "562 ms"},
        {"Time_(10ns)", 253000000, "2.53 s"},
        {"Time_(10ns)", 43800, "438 \u00b5s"},
        {"Time_(10ns)", 99949, "999 \u00b5s"},
        {"Time_(10ns)", 99960, "1.00 ms"},
        {"ns", 999499, "999 \u00b5s"},
        {"ns", 9994, "9.99 \u00b5s"},
        {"ns", 9996, "10.0 \u00b5s"},
        {"Time", 12345, "12.3 ms"},
        {"Time", 9999, "10.0 ms"},
        {"Time", -1500000, "-1.50 s"},
        {"ns", 999, "999 ns"},
        {"ns", 7, "7 ns"},
        {"ns", 0, "0 ns"},
        {"Time", 12345678000000, "12,345,678 s"},
        {"Memory_(bytes)", 1023, "1,023 B"},
        {"Memory_(bytes)", 1024, "1.00 KiB"},
        {"Memory_(bytes)", 1536, "1.50 KiB"},
        {"Memory_(bytes)", 1048269, "1.00 MiB"},
        {"Memory", INT64_C(3) * 1024 * 1024 * 1024 * 1024 * 2000, "6,000 TiB"},
        {"Memory_(bytes)", 0, "0 B"},
        {"Ir", 1234567, "1,234,567"},
    };
    char text[TABLE_CELL];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct quantity quantity = quantity_of(text_of_string(cases[i].event));
        assert_string_equal(table_cost(text, 80, quantity, cases[i].cost), cases[i].expected);
        assert_null(strchr(table_cost(text, 0, quantity, cases[i].cost), ' '));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lose_their_middle_and_paths_their_start),
        cmocka_unit_test(widths_are_those_of_the_terminal),
        cmocka_unit_test(names_and_files_share_a_line),
        cmocka_unit_test(words_are_wrapped),
        cmocka_unit_test(a_message_is_written_at_once),
        cmocka_unit_test(a_long_message_is_whole),
        cmocka_unit_test(numbers_have_signs_and_groups),
        cmocka_unit_test(times_and_bytes_have_units_on_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
