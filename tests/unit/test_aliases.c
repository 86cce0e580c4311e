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

/* `name` begins with "?": the value is an undefined alias, and keeps its text. */
static void assert_resolves(struct fixture *f, const char *value, const char *name)
{
    uint32_t number;
    bool is_defined = aliases_resolve(&f->aliases, &f->names, text_of_string(value), &number);
    assert_int_equal(is_defined, *name != '?');
    if (!text_equals(names_text(&f->names, number), name + (*name == '?')))
        fail_msg("\"%s\": found \"" TEXT_FMT "\", expected \"%s\"", value,
                 TEXT_ARG(names_text(&f->names, number)), name);
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

/* Values, one after the other, and their names. */
static void definitions_hold_until_they_change(void **state)
{
    static const char *const values[][2] = {
        {"  a b\t", "a b"}, {"(1)   c d \t", "c d"}, {" (1)", "c d"},   /* blanks around a name */
        {"(2)main", "main"}, {"(2)", "main"}, {"(2)", "main"},           /* no blank is needed */
        {"(3) (4)", "(4)"}, {"(3)", "(4)"}, {"(4)", "?(4)"},             /* what looks like an alias */
        {"(2) main", "main"}, {"(2) other", "other"}, {"(2)", "other"},  /* the same again, and another */
        {"(5)", "?(5)"}, {" (0x1f)", "?(0x1f)"}, {"(5)", "?(5)"}, {"(5) f", "f"}, {"(5)", "f"},
        {"(6) ", "?(6)"}, {"(6)", "?(6)"}, {"(6) g", "g"}, {"(6) ", "g"}, /* a blank is no name */
        {"(16) h", "h"}, {"(016)", "h"}, {"(0x10)", "h"},                /* numbers, not digits */
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_resolves(*state, values[i][0], values[i][1]);
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
        aliases_init(&f->aliases, &f->names);
        for (unsigned step = 1; step <= STEPS; step++) {
            unsigned limit = step * IDS / STEPS + 2;
            unsigned id = random_below(&random, limit < IDS ? limit : IDS);
            bool defines = random_below(&random, 3) == 0;
            if (defines)
                meaning[id] = step;
            snprintf(name, sizeof name, meaning[id] > 0 ? "n%u" : "?(%u)", meaning[id] > 0 ? meaning[id] : id);
            snprintf(value, sizeof value, "(%u)%s%s", id, defines ? " " : "", defines ? name : "");
            assert_resolves(f, value, name);
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
            assert_resolves(f, "(7)", "?(7)");
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
    assert_true(aliases_resolve(&f->aliases, &f->names, text_of(definition, sizeof definition - 1), &number));
    assert_int_equal(text_length(names_text(&f->names, number)), 3);
    assert_memory_equal(names_text(&f->names, number).at, "a\0b", 3);
    assert_true(aliases_resolve(&f->aliases, &f->names, text_of_string("(5)"), &again));
    assert_int_equal(again, number);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_plain_name_is_itself),
        TEST(definitions_hold_until_they_change),
        TEST(huge_ids_cost_no_memory),
        TEST(ids_may_come_in_any_order),
        TEST(small_ids_are_in_an_array),
        TEST(ids_are_redefined_in_the_array),
        TEST(names_with_nul_can_be_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
