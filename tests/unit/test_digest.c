/* The digest of a stretch of records: what it takes, what it leaves, and that both loops agree. */
#include "support.h"

#include "frontends/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough of something else for a text not to be near its end. */
#define TAIL                                                                                         \
    "summary: 1\n"                                                                                   \
    "......................................................................................\n"      \
    "......................................................................................\n"

struct taken {
    char *bytes;
    struct digest digest;
    struct digest_stretch stretch;
};

static void take(struct taken *t, const char *records, unsigned columns, bool newer)
{
    size_t length = strlen(records);
    t->bytes = malloc(DIGEST_BEFORE + length + sizeof TAIL);
    assert_non_null(t->bytes);
    memset(t->bytes, '\n', DIGEST_BEFORE);
    memcpy(t->bytes + DIGEST_BEFORE, records, length);
    memcpy(t->bytes + DIGEST_BEFORE + length, TAIL, sizeof TAIL);
    assert_true(digest_init(&t->digest, columns, true));
    digest_choose_loop(&t->digest, newer);
    struct text text = text_of(t->bytes + DIGEST_BEFORE, length + sizeof TAIL - 1);
    assert_true(digest_records(&t->digest, text, &t->stretch));
}

static void drop(struct taken *t)
{
    digest_free(&t->digest);
    free(t->bytes);
}

static void assert_taken(const struct taken *t, size_t bytes, uint64_t groups)
{
    assert_int_equal(text_length(t->stretch.text), bytes);
    assert_int_equal(t->stretch.all_groups, groups);
}

/* A record of function 1 that calls 2 twice from one line, and once from another; and of 2 itself. */
static const char two_records[] = "fl=(1)\nfn=(2)\n30 7\n\n"
                                  "fl=(1)\nfn=(1)\n3 100\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 10\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n5 20\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 12345678\n\n";

static void sums_stand_in_order_of_the_heads(void **state)
{
    (void)state;
    static const struct digest_sum expected[] = {{7, 0, 1}, {100, 0, 1}, {12345688, 0, 2}, {20, 0, 1}};
    char text[512];
    struct taken t;
    snprintf(text, sizeof text, "%sfl=(9)\nfn=(9) new\n", two_records);
    for (int newer = 0; newer < 2; newer++) {
        take(&t, text, 1, newer != 0);
        assert_taken(&t, sizeof two_records - 1, 5);
        assert_int_equal(t.stretch.sum_count, 4);
        for (size_t i = 0; i < 4; i++) {
            const struct digest_sum *sum = &t.digest.sums[t.stretch.sum + i];
            assert_int_equal(sum->cost, expected[i].cost);
            assert_int_equal(sum->count, expected[i].count);
        }
        struct digest_head head = digest_head(&t.digest, t.digest.sums[t.stretch.sum + 3].head);
        assert_int_equal(head.owner, 1);
        assert_int_equal(head.function, 2);
        assert_int_equal(head.file, 1);
        assert_int_equal(head.line, 5);
        assert_false(head.is_record);
        assert_int_equal(t.stretch.group_count, 5);
        assert_int_equal(t.digest.groups[t.stretch.group + 4].cost, 12345678);
        drop(&t);
    }
}

/* What follows is no record: the last one may not be whole, and is left. */
static void the_last_record_is_left_if_none_follows(void **state)
{
    (void)state;
    struct taken t;
    take(&t, two_records, 1, true);
    assert_taken(&t, strlen("fl=(1)\nfn=(2)\n30 7\n\n"), 1);
    assert_int_equal(t.stretch.sum_count, 1);
    drop(&t);
}

static void what_is_not_of_the_form_is_left(void **state)
{
    (void)state;
    static const char *const last_records[] = {
        "fl=(1)\nfn=(2) name\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4 5\n\n",
        "fl=(1)\nfn=(2)\n3\n\n",
        "fl=(1)\nfn=(2)\n+3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4 \n\n",
        "fl=(1)\nfn=(2)\n3 -4\n\n",
        "fl=(1)\nfn=(2)\n3  4\n\n",
        "fl=(1)\nfn=(2)\n3 4\r\n\n",
        "fl=(1)\nfn=(2)\n3 123456789012345\n\n",
        "fl=(1)\nfn=(2)\n12345678 4\n\n",
        "fl=(1)\nfn=(1000000)\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=2 0 0\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n\n",
        "fl=(1)\nfn=(2)\n3 4\ncfn=(2)\ncalls=1 0 0\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4\n# comment\n\n",
    };
    for (size_t i = 0; i < sizeof last_records / sizeof last_records[0]; i++) {
        for (int newer = 0; newer < 2; newer++) {
            char text[512];
            struct taken t;
            snprintf(text, sizeof text, "%s%sfl=(9)\nfn=(9)\n", two_records, last_records[i]);
            take(&t, text, 1, newer != 0);
            assert_taken(&t, sizeof two_records - 1, 5);
            drop(&t);
        }
    }
}

static void the_second_cost_may_be_anything(void **state)
{
    (void)state;
    static const struct {
        const char *costs;
        uint64_t first; /* 0: it is not of the form */
    } cases[] = {
        {"5 0", 5},         {"99999999 -1", 99999999},  {"123456789 12345678901234", 123456789},
        {"5 -12345678", 5}, {"1234567 -1234567", 1234567}, {"12345678901234 -1", 12345678901234},
        {"5", 0},           {"5 -", 0},                 {"5 --1", 0},
        {"5 1-1", 0},       {"5 6 7", 0},               {"-5 6", 0},
        {"5 +6", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int newer = 0; newer < 2; newer++) {
            char text[512];
            struct taken t;
            int length = snprintf(text, sizeof text,
                                  "fl=(1)\nfn=(2)\n30 7 1\n\nfl=(1)\nfn=(2)\n30 %s\n\n",
                                  cases[i].costs);
            snprintf(text + length, sizeof text - (size_t)length, "fl=(9)\nfn=(9)\n");
            take(&t, text, 2, newer != 0);
            assert_int_equal(t.stretch.sum_count, 1);
            assert_int_equal(t.digest.sums[0].cost, 7 + cases[i].first);
            assert_int_equal(t.digest.sums[0].count, cases[i].first > 0 ? 2 : 1);
            drop(&t);
        }
    }
}

static void refused_functions_are_left(void **state)
{
    (void)state;
    char text[512];
    struct taken t;
    snprintf(text, sizeof text, "%sfl=(9)\nfn=(9)\n", two_records);
    take(&t, text, 1, true);
    assert_true(digest_refuse(&t.digest, 1));
    assert_false(digest_clear(&t.digest));
    assert_true(digest_records(&t.digest, t.stretch.text, &t.stretch));
    assert_int_equal(t.stretch.sum_count, 0);
    drop(&t);
}

static void a_text_is_cut_where_a_record_begins(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {
        {"", 0},         {"abc", 0},       {"abc\nd", 4}, {"a\n\nfl=(1)\nfn=(1)\n3 4\n", 3},
        {"a\n\nfl=1\n\nfl=2\n", 9}, {"a\n\nfl", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(digest_cut(text_of_string(cases[i].text)), cases[i].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stand_in_order_of_the_heads),
        cmocka_unit_test(the_last_record_is_left_if_none_follows),
        cmocka_unit_test(what_is_not_of_the_form_is_left),
        cmocka_unit_test(the_second_cost_may_be_anything),
        cmocka_unit_test(refused_functions_are_left),
        cmocka_unit_test(a_text_is_cut_where_a_record_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
