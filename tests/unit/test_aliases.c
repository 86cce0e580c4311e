/* Name compression: `(id) name` defines, `(id)` refers. */
#include "support.h"

#include "read/callgrind/aliases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct names names;
    struct aliases aliases;
};

static int set_up(void **state)
{
    struct fixture *f = malloc(sizeof *f);
    if (f == NULL)
        return -1;
    names_init(&f->names);
    aliases_init(&f->aliases, &f->names);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    aliases_free(&f->aliases);
    names_free(&f->names);
    free(f);
    return 0;
}

static void assert_resolves(struct fixture *f, const char *value, const char *name)
{
    uint32_t number;
    enum alias_result result =
        aliases_resolve(&f->aliases, &f->names, text_of_string(value), &number);
    assert_int_equal(result, ALIAS_OK);
    if (!text_equals(names_text(&f->names, number), name))
        fail_msg("\"%s\": found \"" TEXT_FMT "\", expected \"%s\"", value,
                 TEXT_ARG(names_text(&f->names, number)), name);
}

static void assert_undefined(struct fixture *f, const char *value, const char *name)
{
    uint32_t number;
    enum alias_result result =
        aliases_resolve(&f->aliases, &f->names, text_of_string(value), &number);
    assert_int_equal(result, ALIAS_UNDEFINED);
    assert_true(text_equals(names_text(&f->names, number), name));
}

static void a_plain_name_is_itself(void **state)
{
    static const char *const names[] = {
        "main", "(below main)", "(", "()", "(1", "(1a)", "( 1)", "(1 )", "(-1)", "a (1)",
        "a (1) b", "(x) y", "",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_resolves(*state, names[i], names[i]);
}

static void blanks_around_a_name_are_not_part_of_it(void **state)
{
    assert_resolves(*state, "  a b\t", "a b");
    assert_resolves(*state, "(1)   c d \t", "c d");
    assert_resolves(*state, " (1)", "c d");
}

static void a_definition_gives_its_name_and_holds(void **state)
{
    assert_resolves(*state, "(5) main", "main");
    assert_resolves(*state, "(5)", "main");
    assert_resolves(*state, "(5)", "main");
}

static void a_definition_needs_no_blank(void **state)
{
    assert_resolves(*state, "(5)main", "main");
    assert_resolves(*state, "(5)", "main");
}

static void a_definition_may_look_like_an_alias(void **state)
{
    assert_resolves(*state, "(5) (6)", "(6)");
    assert_resolves(*state, "(5)", "(6)");
    assert_undefined(*state, "(6)", "(6)");
}

static void a_definition_may_be_repeated_and_redefined(void **state)
{
    assert_resolves(*state, "(5) main", "main");
    assert_resolves(*state, "(5) main", "main");
    assert_resolves(*state, "(5) other", "other");
    assert_resolves(*state, "(5)", "other");
}

static void an_undefined_alias_is_as_written(void **state)
{
    assert_undefined(*state, "(5)", "(5)");
    assert_undefined(*state, " (0x1f)", "(0x1f)");
    assert_undefined(*state, "(5)", "(5)");
    assert_resolves(*state, "(5) main", "main");
    assert_resolves(*state, "(5)", "main");
}

/* A blank after a number is no name: it is a reference like any other. */
static void a_blank_after_a_reference_means_nothing(void **state)
{
    assert_undefined(*state, "(5) ", "(5)");
    assert_undefined(*state, "(5)", "(5)");
    assert_resolves(*state, "(6) main", "main");
    assert_resolves(*state, "(6) ", "main");
}

static void ids_are_numbers_not_digits(void **state)
{
    assert_resolves(*state, "(16) main", "main");
    assert_resolves(*state, "(016)", "main");
    assert_resolves(*state, "(0x10)", "main");
}

/* By id, an array would take more memory than there is. */
static void huge_ids_cost_no_memory(void **state)
{
    struct fixture *f = *state;
    static const char *const ids[] = {
        "0", "4294967295", "4294967296", "9223372036854775808", "18446744073709551614",
        "18446744073709551615", "18446744073709551616", "18446744073709551617",
        "123456789012345678901234567890", "0xffffffffffffffffffffffff",
    };
    enum { IDS = sizeof ids / sizeof ids[0] };
    char value[100], name[16];
    for (size_t i = 0; i < IDS; i++) {
        snprintf(value, sizeof value, "(%s) n%zu", ids[i], i);
        snprintf(name, sizeof name, "n%zu", i);
        assert_resolves(f, value, name);
    }
    for (size_t i = 0; i < IDS; i++) {
        snprintf(value, sizeof value, "(%s)", ids[i]);
        snprintf(name, sizeof name, "n%zu", i);
        assert_resolves(f, value, name);
    }
    assert_int_equal(f->aliases.others.index.used, IDS - 1); /* all but 0 */
    assert_true(f->aliases.small_count + f->aliases.others.capacity < 1000);
}

static void many_aliases_are_told_apart(void **state)
{
    enum { ALIASES = 20000 };
    char value[64], name[32];
    for (unsigned i = 0; i < ALIASES; i++) {
        snprintf(value, sizeof value, "(%llu) name %u", 4096ull * i, i);
        snprintf(name, sizeof name, "name %u", i);
        assert_resolves(*state, value, name);
    }
    for (unsigned i = 0; i < ALIASES; i++) {
        snprintf(value, sizeof value, "(%llu)", 4096ull * i);
        snprintf(name, sizeof name, "name %u", i);
        assert_resolves(*state, value, name);
    }
    assert_undefined(*state, "(1)", "(1)");
}

/*
 * Those that are small are kept apart from others. A plain table tells what each one means; ids
 * grow with the steps, as they do in profiles, but for some.
 */
static void ids_may_come_in_any_order(void **state)
{
    enum { IDS = 12, STEPS = 60, ROUNDS = 300 };
    struct fixture *f = *state;
    uint64_t random = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned meaning[IDS] = {0};
        char value[40], name[20];
        aliases_free(&f->aliases);
        assert_true(aliases_init(&f->aliases, &f->names));
        for (unsigned step = 1; step <= STEPS; step++) {
            unsigned limit = step * IDS / STEPS + 2;
            unsigned id = random_below(&random, limit < IDS ? limit : IDS);
            bool defines = random_below(&random, 3) == 0;
            if (defines)
                meaning[id] = step;
            snprintf(name, sizeof name, "n%u", meaning[id]);
            snprintf(value, sizeof value, "(%u)%s%s", id, defines ? " " : "", defines ? name : "");
            if (meaning[id] > 0)
                assert_resolves(f, value, name);
            else
                assert_undefined(f, value, value);
            assert_int_equal(aliases_find(&f->aliases, id) != UINT32_MAX, meaning[id] > 0);
        }
    }
}

/* As Valgrind's, of which each second one is a function's, and which come in any order. */
static void small_ids_are_in_an_array(void **state)
{
    enum { IDS = 4000 };
    struct fixture *f = *state;
    char value[40], name[20];
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < IDS; i++) {
            unsigned id = i * 1999 % IDS * 2;
            snprintf(name, sizeof name, "n%u", id);
            snprintf(value, sizeof value, "(%u)%s%s", id, round == 0 ? " " : "",
                     round == 0 ? name : "");
            assert_resolves(f, value, name);
            assert_undefined(f, "(7)", "(7)");
        }
    }
    size_t others = f->aliases.others.index.used;
    assert_true(f->aliases.small_count > IDS * 2 - 2);
    assert_true(f->aliases.small_count < IDS * 5);
    for (unsigned i = 0; i < IDS; i++)
        assert_int_not_equal(f->aliases.small[i * 2], UINT32_MAX);
    assert_int_equal(f->aliases.others.index.used, others);
    assert_int_equal(f->aliases.defined, IDS);
}

static void consecutive_ids_cost_little(void **state)
{
    struct fixture *f = *state;
    char value[40];
    for (unsigned i = 1; i <= 1000; i++) {
        snprintf(value, sizeof value, "(%u) f", i);
        assert_resolves(f, value, "f");
    }
    assert_int_equal(f->aliases.others.index.used, 0);
    assert_true(f->aliases.small_count > 1000 && f->aliases.small_count < 2000);
}

/* What an id has meant before the array reached it is of no use when the array grows again. */
static void ids_are_redefined_in_the_array(void **state)
{
    struct fixture *f = *state;
    char value[40];
    assert_resolves(f, "(20) old", "old");
    assert_int_equal(f->aliases.others.index.used, 1);
    for (unsigned i = 1; f->aliases.small_count <= 20; i++) {
        snprintf(value, sizeof value, "(%u) f", i);
        assert_resolves(f, value, "f");
    }
    assert_resolves(f, "(20)", "old");
    assert_resolves(f, "(20) new", "new");
    for (unsigned i = 21; i < 500; i++) {
        snprintf(value, sizeof value, "(%u) f", i);
        assert_resolves(f, value, "f");
        assert_resolves(f, "(20)", "new");
    }
}

static void names_with_nul_can_be_defined(void **state)
{
    struct fixture *f = *state;
    static const char definition[] = "(5) a\0b";
    uint32_t number, again;
    assert_int_equal(aliases_resolve(&f->aliases, &f->names,
                                     text_of(definition, sizeof definition - 1), &number),
                     ALIAS_OK);
    assert_int_equal(text_length(names_text(&f->names, number)), 3);
    assert_memory_equal(names_text(&f->names, number).at, "a\0b", 3);
    assert_int_equal(aliases_resolve(&f->aliases, &f->names, text_of_string("(5)"), &again),
                     ALIAS_OK);
    assert_int_equal(again, number);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_plain_name_is_itself),
        TEST(blanks_around_a_name_are_not_part_of_it),
        TEST(a_definition_gives_its_name_and_holds),
        TEST(a_definition_needs_no_blank),
        TEST(a_definition_may_look_like_an_alias),
        TEST(a_definition_may_be_repeated_and_redefined),
        TEST(an_undefined_alias_is_as_written),
        TEST(a_blank_after_a_reference_means_nothing),
        TEST(ids_are_numbers_not_digits),
        TEST(huge_ids_cost_no_memory),
        TEST(many_aliases_are_told_apart),
        TEST(ids_may_come_in_any_order),
        TEST(small_ids_are_in_an_array),
        TEST(consecutive_ids_cost_little),
        TEST(ids_are_redefined_in_the_array),
        TEST(names_with_nul_can_be_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
