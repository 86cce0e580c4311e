/* The sums of a span of records: what it takes, what it leaves, and that both loops agree. */
#include "support.h"

#include "frontends/callgrind/partial_sums.h"

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
    struct partial_sums partial;
    struct sums_span span;
};

static void take(struct taken *t, const char *records, unsigned columns, bool newer)
{
    size_t length = strlen(records);
    t->bytes = malloc(PARTIAL_SUMS_BEFORE + length + sizeof TAIL);
    assert_non_null(t->bytes);
    memset(t->bytes, '\n', PARTIAL_SUMS_BEFORE);
    memcpy(t->bytes + PARTIAL_SUMS_BEFORE, records, length);
    memcpy(t->bytes + PARTIAL_SUMS_BEFORE + length, TAIL, sizeof TAIL);
    assert_true(partial_sums_init(&t->partial, (struct costs_form){.columns = columns}));
    partial_sums_choose_loop(&t->partial, newer);
    struct text text = text_of(t->bytes + PARTIAL_SUMS_BEFORE, length + sizeof TAIL - 1);
    assert_true(partial_sums_records(&t->partial, text, &t->span));
}

static void drop(struct taken *t)
{
    partial_sums_free(&t->partial);
    free(t->bytes);
}

static void assert_taken(const struct taken *t, size_t bytes, uint64_t groups)
{
    assert_int_equal(text_length(t->span.text), bytes);
    assert_int_equal(t->span.groups, groups);
}

/* A record of function 1 that calls 2 twice from one line, and once from another; and of 2 itself. */
static const char two_records[] = "fl=(1)\nfn=(2)\n30 7\n\n"
                                  "fl=(1)\nfn=(1)\n3 100\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 10\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n5 20\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 12345678\n\n";

static void sums_stand_in_order_of_the_keys(void **state)
{
    (void)state;
    static const struct partial_sum expected[] = {{7, 0, 1}, {100, 0, 1}, {12345688, 0, 2}, {20, 0, 1}};
    char text[512];
    struct taken t;
    snprintf(text, sizeof text, "%sfl=(9)\nfn=(9) new\n", two_records);
    for (int newer = 0; newer < 2; newer++) {
        take(&t, text, 1, newer != 0);
        assert_taken(&t, sizeof two_records - 1, 5);
        assert_int_equal(t.span.sum_count, 4);
        for (size_t i = 0; i < 4; i++) {
            const struct partial_sum *sum = &t.partial.sums[t.span.sum + i];
            assert_int_equal(sum->cost, expected[i].cost);
            assert_int_equal(sum->count, expected[i].count);
        }
        struct sum_key key = partial_sums_key(&t.partial, t.partial.sums[t.span.sum + 3].key);
        assert_int_equal(key.owner, 1);
        assert_int_equal(key.function, 2);
        assert_int_equal(key.file, 1);
        assert_int_equal(key.line, 5);
        assert_false(key.is_record);
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
    assert_int_equal(t.span.sum_count, 1);
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
        "fl=(1)\nfn=(0000002)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4\n\n\n\n3 4\n", /* too short for a key */
        "fl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=2 0 0\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n\n",
        "fl=(1)\nfn=(2)\n3 4\ncfn=(2)\ncalls=1 0 0\n3 4\n\n",
        "fl=(1)\nfn=(2)\n3 4\n# comment\n\n",
        "fl=(1)\nfn=(2)\n3 12345678901234567890123456789\n\n", /* a last line of 31 to 33 bytes */
        "fl=(1)\nfn=(2)\n3 123456789012345678901234567890\n\n",
        "fl=(1)\nfn=(2)\n3 1234567890123456789012345678901\n\n",
        "fl=(1)\nfn=(2)\n3 4\ncfl=(012345)\ncfn=(012345)\ncalls=1 0 0\n123456 4\n\n", /* a long key */
        "fl=(1)\nfn=(2)\n3 4\ncfl=(12345)\ncfn=(12345)\ncalls=1 0 0\n12345\t4\n\n",
        "fl=(12345678)\nfn=(2)\n3 4\n\n",
        "fl=()\nfn=(2)\n3 4\n\n",
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
        {"5 +6", 0},        {"5-6", 0},                 {"5,6", 0},
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
            assert_int_equal(t.span.sum_count, 1);
            assert_int_equal(t.partial.sums[0].cost, 7 + cases[i].first);
            assert_int_equal(t.partial.sums[0].count, cases[i].first > 0 ? 2 : 1);
            drop(&t);
        }
    }
}

/* With 14 digits at most, and a line number of 7, wherever in the line that is. */
static void numbers_may_have_any_length(void **state)
{
    (void)state;
    static const char digits[] = "987654321987654321";
    for (unsigned columns = 1; columns <= 2; columns++)
        for (int line = 1; line <= 8; line++)
            for (int cost = 1; cost <= 15; cost++)
                for (int newer = 0; newer < 2; newer++) {
                    char text[512], number[20];
                    struct taken t;
                    bool is_of_form = line <= 7 && cost <= 14;
                    snprintf(number, sizeof number, "%.*s", cost, digits);
                    snprintf(text, sizeof text, "%s%s\n\nfl=(1)\nfn=(2)\n%.*s %s%s\n\nfl=(9)\nfn=(9)\n",
                             "fl=(1)\nfn=(3)\n3 1", columns == 2 ? " 1" : "", line, digits, number,
                             columns == 2 ? " 5" : "");
                    take(&t, text, columns, newer != 0);
                    assert_int_equal(t.span.sum_count, is_of_form ? 2 : 1);
                    if (is_of_form)
                        assert_int_equal(t.partial.sums[t.span.sum + 1].cost, strtoull(number, NULL, 10));
                    drop(&t);
                }
}

/* The same call is another one in another function's record, however many of these there are. */
static void calls_belong_to_their_records(void **state)
{
    (void)state;
    enum { OWNERS = 3000, ROUNDS = 2, BYTES = 80 };
    char *text = malloc(OWNERS * ROUNDS * BYTES), *at = text;
    assert_non_null(text);
    for (int i = 0; i < OWNERS * ROUNDS; i++)
        at += sprintf(at, "fl=(1)\nfn=(%d)\n3 1\ncfl=(1)\ncfn=(7)\ncalls=1 0 0\n4 %d\n\n", 1 + i % OWNERS,
                      i % OWNERS);
    sprintf(at, "fl=(9)\nfn=(9)\n");
    for (int newer = 0; newer < 2; newer++) {
        struct taken t;
        take(&t, text, 1, newer != 0);
        assert_int_equal(t.span.sum_count, 2 * OWNERS);
        for (uint32_t i = 0; i < 2 * OWNERS; i++) {
            const struct partial_sum *sum = &t.partial.sums[t.span.sum + i];
            struct sum_key key = partial_sums_key(&t.partial, sum->key);
            assert_int_equal(key.owner, 1 + i / 2);
            assert_int_equal(sum->count, ROUNDS);
            assert_int_equal(sum->cost, key.is_record ? ROUNDS : ROUNDS * (i / 2));
        }
        drop(&t);
    }
    free(text);
}

/* Of at most 44 bytes, whatever the aliases in them are. */
static void heads_may_be_long(void **state)
{
    (void)state;
    char text[512];
    struct taken t;
    for (int newer = 0; newer < 2; newer++) {
        snprintf(text, sizeof text, "%s",
                 "fl=(1)\nfn=(2)\n3 4\ncfl=(012345)\ncfn=(012345)\ncalls=1 0 0\n12345 4\n\n"
                 "fl=(1)\nfn=(2)\n3 4\ncfl=(123456)\ncfn=(12345)\ncalls=1 0 0\n1234 4\n\n"
                 "fl=(1)\nfn=(2)\n3 4\n\nfl=(9)\nfn=(9)\n");
        take(&t, text, 1, newer != 0);
        assert_int_equal(t.span.groups, 5);
        struct sum_key key = partial_sums_key(&t.partial, t.partial.sums[t.span.sum + 2].key);
        assert_int_equal(key.owner, 2);
        assert_int_equal(key.function, 12345);
        assert_int_equal(key.file, 123456);
        assert_int_equal(key.line, 1234);
        drop(&t);
    }
}

/* So many records, each of a line of its own if they differ, of 1 each. The text is malloc'ed. */
static struct text make_many_records(int count, bool differ)
{
    enum { MOST = 32 }; /* bytes of each */
    char *bytes = malloc(PARTIAL_SUMS_BEFORE + (size_t)count * MOST + sizeof TAIL);
    assert_non_null(bytes);
    memset(bytes, '\n', PARTIAL_SUMS_BEFORE);
    char *at = bytes + PARTIAL_SUMS_BEFORE;
    for (int i = 0; i < count; i++)
        at += sprintf(at, "fl=(1)\nfn=(1)\n%d 1\n\n", differ ? i : i % 10);
    memcpy(at, TAIL, sizeof TAIL);
    return (struct text){bytes + PARTIAL_SUMS_BEFORE, at + sizeof TAIL - 1};
}

/* The groups of the span, and what they cost, which its sums have to tell as well. */
static uint64_t count_groups(const struct partial_sums *partial, const struct sums_span *span)
{
    uint64_t count = 0, cost = 0;
    for (size_t i = 0; i < span->sum_count; i++) {
        count += partial->sums[span->sum + i].count;
        cost += partial->sums[span->sum + i].cost;
    }
    assert_int_equal(count, span->groups);
    assert_int_equal(cost, span->groups);
    return count;
}

/* Takes span after span. Returns how many there are; the last record is left, as none follows. */
static unsigned take_all(struct text all, int count, bool *was_full)
{
    struct partial_sums partial;
    struct sums_span span;
    struct text rest = all;
    uint64_t groups = 0;
    unsigned spans = 0;
    *was_full = false;
    assert_true(partial_sums_init(&partial, (struct costs_form){.columns = 1}));
    for (;; spans++) {
        assert_true(partial_sums_records(&partial, rest, &span));
        if (text_is_empty(span.text))
            break;
        groups += count_groups(&partial, &span);
        rest.at = span.text.end;
        *was_full |= partial_sums_clear(&partial);
    }
    assert_int_equal(groups, count - 1);
    partial_sums_free(&partial);
    free((char *)(all.at - PARTIAL_SUMS_BEFORE));
    return spans;
}

/* There is room for 65,535 keys. */
static void too_many_keys_are_forgotten(void **state)
{
    (void)state;
    bool was_full;
    assert_int_equal(take_all(make_many_records(65000, true), 65000, &was_full), 1);
    assert_false(was_full);
    assert_int_equal(take_all(make_many_records(70000, true), 70000, &was_full), 2);
    assert_true(was_full);
}

/* Two megabytes. These are as short as groups can be. */
static void a_long_text_is_taken_in_spans(void **state)
{
    (void)state;
    bool was_full;
    assert_int_equal(take_all(make_many_records(140000, false), 140000, &was_full), 2);
}

static void no_more_than_64_functions_are_excluded(void **state)
{
    (void)state;
    struct partial_sums partial;
    assert_true(partial_sums_init(&partial, (struct costs_form){.columns = 1}));
    for (uint32_t i = 0; i < 64; i++)
        assert_true(partial_sums_exclude(&partial, i));
    assert_false(partial_sums_exclude(&partial, 64));
    partial_sums_free(&partial);
}

static void excluded_functions_are_left(void **state)
{
    (void)state;
    char text[512];
    struct taken t;
    snprintf(text, sizeof text, "%sfl=(9)\nfn=(9)\n", two_records);
    take(&t, text, 1, true);
    assert_true(partial_sums_exclude(&t.partial, 1));
    assert_false(partial_sums_clear(&t.partial));
    assert_true(partial_sums_records(&t.partial, t.span.text, &t.span));
    assert_int_equal(t.span.sum_count, 0);
    drop(&t);
}

static void records_are_found_after_blank_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int place; /* -1: there is none */
    } cases[] = {
        {"", -1}, {"fl=(1)\n", -1}, {"\nfl=(1)\n", -1}, {"\n\nfl=(1)\n", 2}, {"a\nb\n\nfl=(1)\n", 5},
        {"a\n\nfn=(1)\n\nfl=1\n\nfl=2\n", 11}, {"a\n\n\nfl=1\n", 4}, {"a\n\nfl", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = partial_sums_find_record(text_of_string(cases[i].text));
        assert_int_equal(found != NULL ? found - cases[i].text : -1, cases[i].place);
    }
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
        assert_int_equal(partial_sums_cut(text_of_string(cases[i].text)), cases[i].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stand_in_order_of_the_keys),
        cmocka_unit_test(the_last_record_is_left_if_none_follows),
        cmocka_unit_test(what_is_not_of_the_form_is_left),
        cmocka_unit_test(the_second_cost_may_be_anything),
        cmocka_unit_test(numbers_may_have_any_length),
        cmocka_unit_test(calls_belong_to_their_records),
        cmocka_unit_test(heads_may_be_long),
        cmocka_unit_test(too_many_keys_are_forgotten),
        cmocka_unit_test(a_long_text_is_taken_in_spans),
        cmocka_unit_test(no_more_than_64_functions_are_excluded),
        cmocka_unit_test(excluded_functions_are_left),
        cmocka_unit_test(records_are_found_after_blank_lines),
        cmocka_unit_test(a_text_is_cut_where_a_record_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
