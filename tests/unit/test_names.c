/* Interned strings: each text has one number, and its bytes stay where they are. */
#include "support.h"

#include "util/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t intern(struct names *names, const char *bytes, size_t length)
{
    uint32_t number = UINT32_MAX;
    number = names_intern(names, text_of(bytes, length));
    return number;
}

static void assert_name(const struct names *names, uint32_t number, const char *bytes,
                        size_t length)
{
    struct text t = names_text(names, number);
    assert_int_equal(text_length(t), length);
    assert_memory_equal(t.at, bytes, length);
}

static void the_empty_text_has_number_0(void **state)
{
    (void)state;
    struct names names;
    names_init(&names);
    assert_int_equal(intern(&names, "", 0), NAME_EMPTY);
    assert_true(text_is_empty(names_text(&names, NAME_EMPTY)));
    assert_int_equal(intern(&names, "a", 1), 1);
    assert_int_equal(intern(&names, "", 0), NAME_EMPTY);
    names_free(&names);
}

static void equal_texts_have_one_number(void **state)
{
    (void)state;
    struct names names;
    names_init(&names);
    char copy[] = "main";
    uint32_t number = intern(&names, "main", 4);
    assert_int_equal(intern(&names, copy, 4), number);
    assert_int_not_equal(intern(&names, "main ", 5), number);
    assert_int_not_equal(intern(&names, "Main", 4), number);
    assert_int_not_equal(intern(&names, "mai", 3), number);
    names_free(&names);
}

static void a_text_is_copied(void **state)
{
    (void)state;
    struct names names;
    names_init(&names);
    char bytes[] = "main";
    uint32_t number = intern(&names, bytes, 4);
    memset(bytes, 'x', 4);
    assert_name(&names, number, "main", 4);
    names_free(&names);
}

static void texts_may_hold_nul(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } texts[] = {
        {"\0", 1}, {"\0\0", 2}, {"a", 1}, {"a\0", 2}, {"a\0b", 3}, {"a\0c", 3}, {"\0a", 2},
    };
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    struct names names;
    names_init(&names);
    for (uint32_t i = 0; i < TEXTS; i++)
        assert_int_equal(intern(&names, texts[i].bytes, texts[i].length), i + 1);
    for (uint32_t i = 0; i < TEXTS; i++) {
        assert_int_equal(intern(&names, texts[i].bytes, texts[i].length), i + 1);
        assert_name(&names, i + 1, texts[i].bytes, texts[i].length);
    }
    names_free(&names);
}

static void many_names_are_told_apart(void **state)
{
    (void)state;
    enum { NAMES = 100 * 1000 };
    struct names names;
    char text[32];
    names_init(&names);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < NAMES; i++) {
            int length = snprintf(text, sizeof text, "name %u", (unsigned)i);
            assert_int_equal(intern(&names, text, (size_t)length), i + 1);
        }
    for (uint32_t i = 0; i < NAMES; i++) {
        int length = snprintf(text, sizeof text, "name %u", (unsigned)i);
        assert_name(&names, i + 1, text, (size_t)length);
    }
    names_free(&names);
}

/* Lengths around that of a chunk, in different orders, each between short ones. */
static void names_may_be_long(void **state)
{
    (void)state;
    static const size_t orders[][6] = {
        {1000 * 1000, 3, 65536, 65535, 65537, 1},
        {1, 65535, 1, 65536, 65537, 1000 * 1000},
        {65537, 65537, 65536, 65536, 65535, 65535},
        {40000, 40000, 40000, 1000 * 1000, 40000, 40000},
    };
    char *bytes = malloc(1000 * 1000 + 1);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct names names;
        names_init(&names);
        for (uint32_t k = 0; k < 6; k++) {
            memset(bytes, (int)('a' + k), orders[i][k]);
            assert_int_equal(intern(&names, bytes, orders[i][k]), 2 * k + 1);
            char between[2] = {'0', (char)('0' + k)};
            assert_int_equal(intern(&names, between, 2), 2 * k + 2);
        }
        for (uint32_t k = 0; k < 6; k++) {
            memset(bytes, (int)('a' + k), orders[i][k]);
            assert_name(&names, 2 * k + 1, bytes, orders[i][k]);
            assert_int_equal(intern(&names, bytes, orders[i][k]), 2 * k + 1);
            char between[2] = {'0', (char)('0' + k)};
            assert_name(&names, 2 * k + 2, between, 2);
        }
        names_free(&names);
    }
    free(bytes);
}

/* Where the number of bytes that tell the length changes. */
static void names_may_be_of_any_length(void **state)
{
    (void)state;
    static const size_t lengths[] = {127, 128, 16383, 16384, 2097151, 2097152, 126, 129};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    struct names names;
    char *bytes = calloc(2097152, 1);
    names_init(&names);
    for (uint32_t i = 0; i < LENGTHS; i++)
        assert_int_equal(intern(&names, bytes, lengths[i]), i + 1);
    assert_int_equal(intern(&names, bytes, 0), NAME_EMPTY);
    for (uint32_t i = 0; i < LENGTHS; i++) {
        assert_name(&names, i + 1, bytes, lengths[i]);
        assert_int_equal(intern(&names, bytes, lengths[i]), i + 1);
    }
    names_free(&names);
    free(bytes);
}

static void a_text_stays_where_it_is(void **state)
{
    (void)state;
    struct names names;
    char text[32];
    names_init(&names);
    const char *at = names_text(&names, intern(&names, "main", 4)).at;
    for (unsigned i = 0; i < 20000; i++) {
        int length = snprintf(text, sizeof text, "other %u", i);
        intern(&names, text, (size_t)length);
    }
    assert_ptr_equal(names_text(&names, 1).at, at);
    names_free(&names);
}

static void a_text_may_have_parts(void **state)
{
    (void)state;
    struct names names;
    uint32_t number;
    names_init(&names);
    uint32_t whole = intern(&names, "cmd: ls", 7);
    struct text parts[] = {text_of_string("cmd"), text_of_string(": "), text_of("", 0), text_of_string("ls")};
    number = names_intern_parts(&names, parts, 4);
    assert_int_equal(number, whole);
    number = names_intern_parts(&names, parts, 2);
    assert_name(&names, number, "cmd: ", 5);
    number = names_intern_parts(&names, parts + 2, 1);
    assert_int_equal(number, NAME_EMPTY);
    names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_empty_text_has_number_0),
        cmocka_unit_test(equal_texts_have_one_number),
        cmocka_unit_test(a_text_is_copied),
        cmocka_unit_test(texts_may_hold_nul),
        cmocka_unit_test(many_names_are_told_apart),
        cmocka_unit_test(names_may_be_long),
        cmocka_unit_test(names_may_be_of_any_length),
        cmocka_unit_test(a_text_stays_where_it_is),
        cmocka_unit_test(a_text_may_have_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
