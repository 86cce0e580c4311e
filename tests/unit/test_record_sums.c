/* The sums of a span of records: what is taken, and what is left because it has another form. */
#include "support.h"
#include "count_lines.h"

#include "frontends/callgrind/record_sums.h"
#include "io/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record, so that the one before is known to be whole, but not of the form; then bytes that may be read. */
#define TAIL                                                                                         \
    "\nfl=(9)\nfn=(9) new\n1 1\n"                                                                    \
    "......................................................................................\n"

static const struct sums_form one_cost = {.columns = 1}, first_of_two = {.columns = 2};

/* Skips a test on processors for which there are no sums. */
static void need_sums(const char *test)
{
    if (processor_has_sums())
        return;
    printf("test_record_sums: skipped: %s: no AVX2 or BMI\n", test);
    skip();
}

/* The number in an alias, or that of the end of a name. */
static uint32_t number_in(struct text name)
{
    while (!text_is_empty(name) && !char_is_digit(*name.at))
        name.at++;
    return (uint32_t)strtoul(name.at, NULL, 10);
}

/* What a key of aliases consists of. */
static void assert_key(const struct record_sums *sums, uint32_t number, uint32_t file, uint32_t function,
                       uint32_t line, uint32_t owner)
{
    struct sum_key key = record_sums_key(sums, number);
    assert_int_equal(number_in(key.file), file);
    assert_int_equal(number_in(key.function), function);
    assert_int_equal(key.line, line);
    assert_int_equal(key.is_own, owner == 0);
    assert_int_equal(owner == 0 || number_in(key.owner) == owner, 1);
}

struct taken {
    char *bytes;
    size_t length; /* of what was taken */
    struct record_sums sums;
};

static void take(struct taken *t, const char *records, struct sums_form form)
{
    size_t length = strlen(records);
    const char *end;
    t->bytes = malloc(length + sizeof TAIL + LINES_SLACK);
    assert_non_null(t->bytes);
    memcpy(t->bytes, records, length);
    memcpy(t->bytes + length, TAIL, sizeof TAIL);
    assert_true(record_sums_init(&t->sums, form));
    assert_true(record_sums_add(&t->sums, text_of(t->bytes, length + sizeof TAIL - 1), &end));
    t->length = (size_t)(end - t->bytes);
    assert_int_equal(t->sums.span_count, t->length > 0 ? 1 : 0);
}

static void drop(struct taken *t)
{
    record_sums_free(&t->sums);
    free(t->bytes);
}

static void assert_taken(const struct taken *t, size_t bytes, uint64_t records, uint64_t groups)
{
    assert_int_equal(t->length, bytes);
    assert_int_equal(t->sums.spans[0].records, records);
    assert_int_equal(t->sums.spans[0].groups, groups);
}

/* Function 2; and function 1 that calls 2 twice from one line, and once from another. */
static const char two_records[] = "\nfl=(1)\nfn=(2)\n30 7\n"
                                  "\nfl=(3)\nfn=(1)\n3 100\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 10\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n5 20\n"
                                  "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 12345678\n";
enum { TWO_RECORDS = sizeof two_records - 1, FIRST_RECORD = sizeof "\nfl=(1)\nfn=(2)\n30 7\n" - 1 };

static void sums_are_in_order_of_their_keys(void **state)
{
    (void)state;
    static const struct {
        uint64_t cost;
        uint32_t count;
        uint32_t file, function, line, owner;
    } expected[] = {
        {7, 1, 1, 2, 30, 0},
        {100, 1, 3, 1, 3, 0},
        {12345688, 2, 1, 2, 4, 1},
        {20, 1, 1, 2, 5, 1},
    };
    struct taken t;
    need_sums(__func__);
    take(&t, two_records, one_cost);
    assert_taken(&t, TWO_RECORDS, 2, 5);
    assert_int_equal(t.sums.spans[0].sum, 0);
    assert_int_equal(t.sums.spans[0].sum_count, 4);
    assert_int_equal(t.sums.spans[0].last_line, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct record_sum *sum = &t.sums.sums[i];
        assert_int_equal(sum->cost, expected[i].cost);
        assert_int_equal(sum->count, expected[i].count);
        assert_key(&t.sums, sum->key, expected[i].file, expected[i].function, expected[i].line,
                   expected[i].owner);
    }
    drop(&t);
}

/* Spans follow each other; keys keep their numbers until they are forgotten. */
static void a_span_counts_only_its_own_groups(void **state)
{
    (void)state;
    struct taken t;
    const char *end;
    need_sums(__func__);
    take(&t, two_records, one_cost);
    /* The text after the first record: the second, and TAIL. */
    struct text rest = {t.bytes + FIRST_RECORD, t.bytes + TWO_RECORDS + sizeof TAIL - 1};
    assert_true(record_sums_add(&t.sums, rest, &end));
    assert_ptr_equal(end, t.bytes + TWO_RECORDS);
    assert_int_equal(t.sums.span_count, 2);
    assert_int_equal(t.sums.spans[1].sum, 4);
    assert_int_equal(t.sums.spans[1].sum_count, 3);
    assert_int_equal(t.sums.spans[1].records, 1);
    assert_int_equal(t.sums.spans[1].groups, 4);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(t.sums.sums[4 + i].key, t.sums.sums[1 + i].key);
        assert_int_equal(t.sums.sums[4 + i].cost, t.sums.sums[1 + i].cost);
        assert_int_equal(t.sums.sums[4 + i].count, t.sums.sums[1 + i].count);
    }
    assert_false(record_sums_clear(&t.sums));
    assert_int_equal(t.sums.span_count, 0);
    assert_int_equal(t.sums.sum_count, 0);
    drop(&t);
}

/* What follows is no record: the last one may not be whole, and is left. */
static void the_last_record_is_left_if_none_follows(void **state)
{
    (void)state;
    static const char *const ends[] = {
        "summary: 1\n",
        "\nsummary: 1\n",
        "\nfn=(1)\n2 3\n",
        "\nfi=a\nfn=(1)\n2 3\n",
        "\n\nfl=(1)\nfn=(1)\n2 3\n",
        "5 6\n",
        "\nfl=(1)\nob=(1)\nfn=(1)\n2 3\n",
        "cfn=(1)\ncalls=1 0 0\n2 3\n",
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char text[512];
        struct taken t;
        snprintf(text, sizeof text, "%s%s", two_records, ends[i]);
        take(&t, text, one_cost);
        assert_taken(&t, FIRST_RECORD, 1, 1);
        assert_int_equal(t.sums.spans[0].sum_count, 1);
        assert_int_equal(t.sums.sums[0].cost, 7);
        assert_int_equal(t.sums.spans[0].last_line, 30);
        drop(&t);
    }
}

/* A key that the record which is left has in common with others keeps what these have. */
static void what_is_left_is_not_counted(void **state)
{
    (void)state;
    static const char record[] = "\nfl=(1)\nfn=(1)\n3 %s\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 %s\n";
    static const struct sums_form weighed = {.columns = 2, .are_weighed = true, .weights = {3, -5}};
    char text[512];
    struct taken t;
    need_sums(__func__);
    int length = snprintf(text, sizeof text, record, "10 1", "20 2");
    snprintf(text + length, sizeof text - (size_t)length, record, "300 40", "500 60");
    strcat(text, "summary: 1\n");
    take(&t, text, weighed);
    assert_taken(&t, (size_t)length, 1, 2);
    assert_int_equal(t.sums.spans[0].sum_count, 2);
    assert_int_equal(t.sums.spans[0].other_self, 1);
    assert_int_equal(t.sums.sums[0].cost, 3 * 10 - 5 * 1);
    assert_int_equal(t.sums.sums[0].count, 1);
    assert_int_equal(t.sums.sums[1].cost, 3 * 20 - 5 * 2);
    assert_int_equal(t.sums.sums[1].count, 1);
    drop(&t);
}

/* Whatever of the text is given, whole records are taken, and only these. */
static void a_text_may_end_anywhere(void **state)
{
    (void)state;
    char text[1024];
    need_sums(__func__);
    int length = snprintf(text, sizeof text, "%s%s%s", two_records, two_records, TAIL);
    for (int given = 1; given <= length; given++) {
        struct record_sums sums;
        size_t expected = 0;
        const char *end;
        for (int i = 1; i <= given && i <= 2 * TWO_RECORDS; i++)
            if (text[i - 1] == '\n' && strncmp(text + i, "\nfl=", 4) == 0)
                expected = (size_t)i;
        assert_true(record_sums_init(&sums, one_cost));
        assert_true(record_sums_add(&sums, text_of(text, (size_t)given), &end));
        assert_int_equal(end - text, expected);
        assert_int_equal(sums.span_count, expected > 0);
        record_sums_free(&sums);
    }
}

#define CALL "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n"

/* Each differs from the form in one way, in its only record. */
static void what_has_another_form_is_left(void **state)
{
    (void)state;
    static const char *const others[] = {
        /* the record's own group */
        "\nfl=(1) a\nfn=(2)\n3 4\n",
        "\nfl=(1)\nfn=(2) name\n3 4\n",
        "\nfl=(1)\nfn=name\n3 4\n",
        "\nfl=()\nfn=(2)\n3 4\n",
        "\nfl=(1)\nfn=()\n3 4\n",
        "\nfl=(x)\nfn=(2)\n3 4\n",
        "\nfl=(1)\nfn=(-2)\n3 4\n",
        "\nfl=(1)\nfn=[2]\n3 4\n",
        "\nfl=(1)\r\nfn=(2)\n3 4\n",
        "\nfl=(1)\nfn=(2)\r\n3 4\n",
        "\nfl=(1)\nfn=(1000000)\n3 4\n",
        "\nfl=(1)\nfn=(0000002)\n3 4\n" CALL "3 4\n",
        "\nfl=(99999999999)\nfn=(2)\n3 4\n",
        /* its cost */
        "\nfl=(1)\nfn=(2)\n3\n",
        "\nfl=(1)\nfn=(2)\n3 \n",
        "\nfl=(1)\nfn=(2)\n 4\n",
        "\nfl=(1)\nfn=(2)\n3 4 5\n",
        "\nfl=(1)\nfn=(2)\n+3 4\n",
        "\nfl=(1)\nfn=(2)\n-3 4\n",
        "\nfl=(1)\nfn=(2)\n* 4\n",
        "\nfl=(1)\nfn=(2)\n0x3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4 \n",
        "\nfl=(1)\nfn=(2)\n3 -4\n",
        "\nfl=(1)\nfn=(2)\n3 +4\n",
        "\nfl=(1)\nfn=(2)\n3  4\n",
        "\nfl=(1)\nfn=(2)\n3\t4\n",
        "\nfl=(1)\nfn=(2)\n3 4\r\n",
        "\nfl=(1)\nfn=(2)\n3 4.5\n",
        "\nfl=(1)\nfn=(2)\n3 4x\n",
        "\nfl=(1)\nfn=(2)\n3 4# comment\n",
        "\nfl=(1)\nfn=(2)\n3 123456789\n",
        "\nfl=(1)\nfn=(2)\n123456789 4\n",
        "\nfl=(1)\nfn=(2)\n3 12345678901234567890123456789\n",
        "\nfl=(1)\nfn=(2)\n3 12345678901234567890123456789012345678901234567890\n",
        /* its calls */
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=2 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=1 0 1\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2)\ncalls=1 0 0 \n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfi=(1)\ncfn=(2)\ncalls=1 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(1)\ncfn=(2) name\ncalls=1 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(1) a\ncfn=(2)\ncalls=1 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfn=(2)\ncfl=(1)\ncalls=1 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfn=(2)\ncalls=1 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncob=(1)\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\n" CALL "\n",
        "\nfl=(1)\nfn=(2)\n3 4\n" CALL "+1 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\n" CALL "3 -4\n",
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(123456)\ncfn=(123456)\ncalls=1 0 0\n123456 4\n", /* a key of 45 bytes */
        "\nfl=(1)\nfn=(2)\n3 4\ncfl=(12345)\ncfn=(12345)\ncalls=1 0 0\n12345\t4\n",
        /* other lines in it */
        "\nfl=(1)\nob=(1)\nfn=(2)\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\n5 6\n",
        "\nfl=(1)\nfn=(2)\n3 4\n# comment\n",
        "\nfl=(1)\nfn=(2)\n\n3 4\n",
        "\nfl=(1)\nfn=(2)\n3 4\n\n",
        "\nfl=(1)\nfn=(2)\n3 4\n" CALL "3 4\nsummary: 5\n",
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[1024];
        struct taken t;
        snprintf(text, sizeof text, "%s%s%s", two_records, two_records, others[i]);
        take(&t, text, one_cost);
        /* Where it is no record's start, the record before may not be whole. */
        bool is_start = strncmp(others[i], "\nfl=(", 5) == 0 && strstr(others[i], "ob=") != others[i] + 8;
        size_t expected = is_start ? 2 * TWO_RECORDS : TWO_RECORDS + FIRST_RECORD;
        if (t.length != expected)
            fail_msg("found %zu bytes, expected %zu, before%s", t.length, expected, others[i]);
        drop(&t);
    }
}

static void the_second_cost_may_be_anything(void **state)
{
    (void)state;
    static const struct {
        const char *costs;
        uint64_t first; /* 0: it is not of the form */
    } cases[] = {
        {"5 0", 5},
        {"99999999 -1", 99999999},
        {"12345678 123456789012345678", 12345678},
        {"5 -123456789012345678", 5},
        {"5 1234567890123456789", 0},
        {"5 -1234567890123456789", 0},
        {"123456789 5", 0},
        {"5", 0},
        {"5 ", 0},
        {"5 -", 0},
        {"5 --1", 0},
        {"5 1-1", 0},
        {"5 6 7", 0},
        {"5 6 ", 0},
        {"5  6", 0},
        {"-5 6", 0},
        {"5 +6", 0},
        {"5-6", 0},
        {"5,6", 0},
        {"5\t6", 0},
        {"5 6\r", 0},
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct taken t;
        snprintf(text, sizeof text, "\nfl=(1)\nfn=(2)\n30 7 1\n\nfl=(1)\nfn=(2)\n30 %s\n", cases[i].costs);
        take(&t, text, first_of_two);
        assert_int_equal(t.sums.spans[0].sum_count, 1);
        assert_int_equal(t.sums.sums[0].cost, 7 + cases[i].first);
        assert_int_equal(t.sums.sums[0].count, cases[i].first > 0 ? 2 : 1);
        drop(&t);
    }
}

/* A cost, and a line number, of up to 8 digits, wherever in the group these are. */
static void numbers_may_have_any_length(void **state)
{
    (void)state;
    static const char digits[] = "987654321987654321";
    need_sums(__func__);
    for (unsigned columns = 1; columns <= 2; columns++)
        for (int line = 1; line <= 9; line++)
            for (int cost = 1; cost <= 12; cost++) {
                char text[512], number[20], line_number[20];
                struct taken t;
                snprintf(number, sizeof number, "%.*s", cost, digits);
                snprintf(line_number, sizeof line_number, "%.*s", line, digits);
                snprintf(text, sizeof text, "\nfl=(1)\nfn=(3)\n3 1%s\n\nfl=(1)\nfn=(2)\n%s %s%s\n",
                         columns == 2 ? " 1" : "", line_number, number, columns == 2 ? " 5" : "");
                take(&t, text, columns == 1 ? one_cost : first_of_two);
                bool is_of_form = line <= 8 && cost <= 8;
                assert_int_equal(t.sums.spans[0].sum_count, is_of_form ? 2 : 1);
                if (is_of_form) {
                    assert_int_equal(t.sums.sums[1].cost, strtoul(number, NULL, 10));
                    assert_int_equal(record_sums_key(&t.sums, 1).line, strtoul(line_number, NULL, 10));
                    assert_int_equal(t.sums.spans[0].last_line, strtoul(line_number, NULL, 10));
                }
                drop(&t);
            }
}

static void costs_may_be_weighed(void **state)
{
    (void)state;
    static const struct {
        struct sums_form form;
        int64_t own, call, other_self; /* of the two records below */
    } cases[] = {
        {{.columns = 2, .are_weighed = true, .weights = {1, 0}}, 10 + 99999999, 20 + 4, 7 - 99999999},
        {{.columns = 2, .are_weighed = true, .weights = {0, 1}}, 7 - 99999999, -8 + 5, 7 - 99999999},
        {{.columns = 2, .are_weighed = true, .weights = {2, -3}},
         2 * (10 + 99999999) - 3 * (7 - 99999999),
         2 * (20 + 4) - 3 * (-8 + 5),
         7 - 99999999},
        {{.columns = 2, .are_weighed = true, .weights = {-1024, 1024}},
         1024 * (INT64_C(7) - 99999999 - 10 - 99999999),
         1024 * (-8 + 5 - 20 - 4),
         7 - 99999999},
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct taken t;
        take(&t,
             "\nfl=(1)\nfn=(2)\n3 10 7\n" CALL "4 20 -8\n"
             "\nfl=(1)\nfn=(2)\n3 99999999 -99999999\n" CALL "4 4 5\n",
             cases[i].form);
        assert_int_equal(t.sums.spans[0].sum_count, 2);
        assert_int_equal(t.sums.spans[0].records, 2);
        assert_int_equal(t.sums.spans[0].groups, 4);
        assert_int_equal(t.sums.spans[0].other_self, cases[i].other_self);
        assert_int_equal((int64_t)t.sums.sums[0].cost, cases[i].own);
        assert_int_equal((int64_t)t.sums.sums[1].cost, cases[i].call);
        drop(&t);
    }
}

/* The record between two spans is left, because its call is not of the form. */
static void groups_are_listed_in_their_order(void **state)
{
    (void)state;
#define FIRST "\nfl=(1)\nfn=(2)\n30 7 1\n\nfl=(1)\nfn=(4)\n3 100 0\n" CALL "4 5 6\n"
#define LEFT "\nfl=(1)\nfn=(3)\n3 8 9\n" CALL "-4 8 9\n"
#define LAST "\nfl=(1)\nfn=(4)\n3 99999999 -99999999\n" CALL "4 0 1\n"
    static const struct {
        struct sums_form form;
        int64_t costs[5];
    } cases[] = {
        {{.columns = 2, .are_listed = true}, {7, 100, 5, 99999999, 0}},
        {{.columns = 2, .are_weighed = true, .weights = {1024, -1024}, .are_listed = true},
         {1024 * 6, 1024 * 100, -1024, INT64_C(2048) * 99999999, -1024}},
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const uint32_t keys[] = {0, 1, 2, 1, 2};
        struct taken t;
        const char *end;
        take(&t, FIRST LEFT LAST, cases[i].form);
        assert_taken(&t, strlen(FIRST), 2, 3);
        struct text last = text_of(t.bytes + strlen(FIRST LEFT), strlen(LAST) + sizeof TAIL - 1);
        assert_true(record_sums_add(&t.sums, last, &end));
        assert_ptr_equal(end, last.at + strlen(LAST));
        assert_int_equal(t.sums.spans[0].group, 0);
        assert_int_equal(t.sums.spans[1].group, 3);
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            struct sum_key found = record_sums_key(&t.sums, listed_key(t.sums.listed[k]));
            assert_int_equal(listed_cost(t.sums.listed[k]), cases[i].costs[k]);
            assert_int_equal(found.is_own, keys[k] < 2);
            assert_int_equal(number_in(found.function), keys[k] == 1 ? 4 : 2);
        }
        drop(&t);
    }
}

/* Both of them count, so both have 8 digits at most. */
static void weighed_costs_have_a_limit(void **state)
{
    (void)state;
    static const char *const costs[] = {"5 123456789", "5 -123456789", "123456789 5"};
    need_sums(__func__);
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        char text[512];
        struct taken t;
        snprintf(text, sizeof text, "\nfl=(1)\nfn=(2)\n3 4 5\n\nfl=(1)\nfn=(2)\n3 %s\n", costs[i]);
        take(&t, text, (struct sums_form){.columns = 2, .are_weighed = true, .weights = {1, 1}});
        assert_taken(&t, strlen("\nfl=(1)\nfn=(2)\n3 4 5\n"), 1, 1);
        assert_int_equal(t.sums.sums[0].cost, 9);
        drop(&t);
    }
}

/* The same call is another one in another function's record, however many of these there are. */
static void calls_belong_to_their_records(void **state)
{
    (void)state;
    enum { OWNERS = 3000, ROUNDS = 2, BYTES = 80 };
    need_sums(__func__);
    char *text = malloc(OWNERS * ROUNDS * BYTES), *at = text;
    assert_non_null(text);
    for (int i = 0; i < OWNERS * ROUNDS; i++)
        at += sprintf(at, "\nfl=(1)\nfn=(%d)\n3 1\ncfl=(1)\ncfn=(7)\ncalls=1 0 0\n4 %d\n", 1 + i % OWNERS,
                      i % OWNERS);
    struct taken t;
    take(&t, text, one_cost);
    assert_int_equal(t.sums.spans[0].sum_count, 2 * OWNERS);
    for (uint32_t i = 0; i < 2 * OWNERS; i++) {
        const struct record_sum *sum = &t.sums.sums[i];
        if (i % 2 == 0)
            assert_key(&t.sums, sum->key, 1, 1 + i / 2, 3, 0);
        else
            assert_key(&t.sums, sum->key, 1, 7, 4, 1 + i / 2);
        assert_int_equal(sum->count, ROUNDS);
        assert_int_equal(sum->cost, i % 2 == 0 ? ROUNDS : ROUNDS * (i / 2));
    }
    drop(&t);
    free(text);
}

/* Of at most 44 bytes, whichever of the numbers in them is long. */
static void keys_may_be_long(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        uint32_t file, function, line;
    } cases[] = {
        {"cfl=(012345)\ncfn=(012346)\ncalls=1 0 0\n12347", 12345, 12346, 12347},
        {"cfl=(123456)\ncfn=(12345)\ncalls=1 0 0\n123456", 123456, 12345, 123456},
        {"cfl=(12345)\ncfn=(123456)\ncalls=1 0 0\n123456", 12345, 123456, 123456},
        {"cfl=(1)\ncfn=(12345678)\ncalls=1 0 0\n12345678", 1, 12345678, 12345678},
        {"cfl=(00000001)\ncfn=(2)\ncalls=1 0 0\n4", 1, 2, 4},
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct taken t;
        snprintf(text, sizeof text, "\nfl=(1)\nfn=(999999)\n3 4\n%s 5\n", cases[i].call);
        take(&t, text, one_cost);
        assert_int_equal(t.sums.spans[0].sum_count, 2);
        assert_key(&t.sums, t.sums.sums[1].key, cases[i].file, cases[i].function, cases[i].line, 999999);
        drop(&t);
    }
}

/* Keys that differ in one digit only, in each of their numbers and in the owner. */
static void keys_differ_in_any_digit(void **state)
{
    (void)state;
    static const struct {
        uint32_t numbers[4]; /* the owner, file, function and line of a call */
    } cases[] = {
        {{111111, 11111, 11111, 111111}}, {{1, 111111, 1, 1}}, {{1, 1, 111111, 1}}, {{1, 1, 1, 11111111}}};
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t part = 0; part < 4; part++)
            for (uint32_t power = 1; power <= cases[i].numbers[part]; power *= 10) {
                uint32_t n[4];
                char text[512];
                struct taken t;
                int length = 0;
                memcpy(n, cases[i].numbers, sizeof n);
                for (int round = 0; round < 2; round++, n[part] += power)
                    length += sprintf(text + length,
                                      "\nfl=(1)\nfn=(%u)\n3 4\ncfl=(%u)\ncfn=(%u)\ncalls=1 0 0\n%u 5\n", n[0],
                                      n[1], n[2], n[3]);
                take(&t, text, one_cost);
                assert_int_equal(t.sums.spans[0].groups, 4);
                /* The record's own group is another one if its function is. */
                assert_int_equal(t.sums.spans[0].sum_count, part == 0 ? 4 : 3);
                drop(&t);
            }
}

/* So many records, each of a line of its own if they differ, of 1 each. The text is malloc'ed. */
static struct text make_many_records(uint32_t count, bool differ)
{
    enum { MOST = 32 }; /* bytes of each */
    char *bytes = malloc((size_t)count * MOST + sizeof TAIL), *at = bytes;
    assert_non_null(bytes);
    for (uint32_t i = 0; i < count; i++)
        at += sprintf(at, "\nfl=(1)\nfn=(1)\n%u 1\n", differ ? i : i % 10);
    memcpy(at, TAIL, sizeof TAIL);
    return (struct text){bytes, at + sizeof TAIL - 1};
}

/* Checks what a span of make_many_records says, and returns its number of groups. */
static uint64_t count_groups(const struct record_sums *sums, const struct sums_span *span, uint64_t first,
                             bool differ)
{
    uint64_t count = 0;
    for (size_t i = 0; i < span->sum_count; i++) {
        const struct record_sum *sum = &sums->sums[span->sum + i];
        assert_int_equal(sum->cost, sum->count);
        assert_int_equal(record_sums_key(sums, sum->key).line, differ ? first + i : (first + i) % 10);
        count += sum->count;
    }
    assert_int_equal(count, span->groups);
    assert_int_equal(count, span->records);
    return count;
}

/* Takes span after span. Returns how many there are. */
static unsigned take_all(uint32_t count, bool differ, unsigned *times_full)
{
    struct text all = make_many_records(count, differ), rest = all;
    struct record_sums sums;
    uint64_t groups = 0;
    unsigned spans = 0;
    *times_full = 0;
    assert_true(record_sums_init(&sums, one_cost));
    for (;; spans++) {
        const char *end;
        assert_true(record_sums_add(&sums, rest, &end));
        if (end == rest.at)
            break;
        assert_true(end - rest.at < 1 << 22);
        groups += count_groups(&sums, &sums.spans[0], groups, differ);
        rest.at = end;
        *times_full += record_sums_clear(&sums);
    }
    assert_int_equal(groups, count);
    record_sums_free(&sums);
    free((char *)all.at);
    return spans;
}

/* Their hash is the same. In any input, few are compared with a group; a record with more is left. */
static void few_keys_differ_only_in_the_callees_file(void **state)
{
    (void)state;
    enum { BYTES = 100, MANY = 500 };
    need_sums(__func__);
    for (unsigned files = 1; files <= MANY; files += MANY - 1) {
        char *text = malloc(200 + BYTES * files);
        assert_non_null(text);
        size_t length = (size_t)sprintf(text, "\nfl=(1)\nfn=(2)\n30 7\n\nfl=(1)\nfn=(3)\n1 2\n");
        size_t before = (size_t)(strstr(text + 1, "\n\n") + 1 - text);
        for (unsigned i = 0; i < files; i++)
            length += (size_t)sprintf(text + length, "cfl=(%u)\ncfn=(2)\ncalls=1 0 0\n4 10\n", i + 1);
        struct taken t;
        take(&t, text, one_cost);
        assert_int_equal(t.length, files < 10 ? length : before);
        drop(&t);
        free(text);
    }
}

/* There is room for 65,535 keys. */
static void too_many_keys_are_forgotten(void **state)
{
    (void)state;
    unsigned times_full;
    need_sums(__func__);
    assert_int_equal(take_all(65534, true, &times_full), 1);
    assert_int_equal(times_full, 0);
    assert_int_equal(take_all(65535, true, &times_full), 1);
    assert_int_equal(times_full, 1);
    assert_int_equal(take_all(70000, true, &times_full), 2);
    assert_int_equal(times_full, 1);
}

/* Keys that are there are found in a full table. */
static void a_full_table_is_of_use(void **state)
{
    (void)state;
    struct record_sums sums;
    const char *end;
    need_sums(__func__);
    struct text all = make_many_records(65535, true);
    assert_true(record_sums_init(&sums, one_cost));
    assert_true(record_sums_add(&sums, all, &end));
    struct text again = {all.at, end};
    assert_true(record_sums_add(&sums, again, &end));
    assert_ptr_equal(end, again.end);
    assert_int_equal(sums.span_count, 2);
    assert_int_equal(sums.spans[1].sum_count, 65535);
    record_sums_free(&sums);
    free((char *)all.at);
}

/* Two megabytes. These are as short as groups can be. */
static void a_long_text_is_taken_in_spans(void **state)
{
    (void)state;
    unsigned times_full;
    need_sums(__func__);
    assert_int_equal(take_all(100000, false, &times_full), 1);
    assert_int_equal(take_all(150000, false, &times_full), 2);
    assert_int_equal(times_full, 0);
}

/* Each makes all keys unknown, so that their number is limited: then nothing is taken. */
static void after_64_excluded_functions_all_are(void **state)
{
    (void)state;
    struct taken t;
    char name[16];
    const char *end;
    need_sums(__func__);
    take(&t, two_records, one_cost);
    for (int i = 0; i < 70; i++) {
        snprintf(name, sizeof name, "(%d)", 100 + i);
        record_sums_exclude(&t.sums, text_of_string(name));
        assert_true(record_sums_clear(&t.sums));
        assert_true(record_sums_add(&t.sums, text_of(t.bytes, TWO_RECORDS), &end));
        assert_int_equal(end - t.bytes, i < 64 ? TWO_RECORDS : 0);
    }
    drop(&t);
}

/* Records of an excluded function, and those that call it, once the spans have been dropped. */
static void records_about_excluded_functions_are_left(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        size_t taken;
    } cases[] = {{"(1)", FIRST_RECORD}, {"(2)", 0}, {"(3)", TWO_RECORDS}};
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct taken t;
        const char *end;
        take(&t, two_records, one_cost);
        record_sums_exclude(&t.sums, text_of_string(cases[i].function));
        assert_true(record_sums_clear(&t.sums));
        assert_true(record_sums_add(&t.sums, text_of(t.bytes, TWO_RECORDS + sizeof TAIL - 1), &end));
        assert_int_equal(end - t.bytes, cases[i].taken);
        assert_false(record_sums_clear(&t.sums));
        drop(&t);
    }
    /* A callee, in a record of another function that comes first. */
    struct taken t;
    const char *end;
    take(&t, "\nfl=(1)\nfn=(5)\n3 4\n\nfl=(1)\nfn=(6)\n3 4\n" CALL "3 4\n", one_cost);
    record_sums_exclude(&t.sums, text_of_string("(2)"));
    assert_true(record_sums_clear(&t.sums));
    assert_true(record_sums_add(&t.sums, text_of(t.bytes, t.length + sizeof TAIL - 1), &end));
    assert_int_equal(end - t.bytes, strlen("\nfl=(1)\nfn=(5)\n3 4\n"));
    drop(&t);
}

/* The forms of lines for which there are sums. */
static void sums_need_certain_lines(void **state)
{
    (void)state;
    struct event_weight first[] = {{1, 0}}, second[] = {{1, 1}}, both[] = {{2, 0}, {-1024, 1}};
    struct event_weight heavy[] = {{1025, 0}}, light[] = {{2, 0}, {-1025, 1}}, third[] = {{1, 2}};
#define LINES(p, what, c, f, w)                                                                              \
    {                                                                                                        \
        .positions = (p), .wanted = (what), .columns = (c), .first = (f), .weights = {                       \
            .weights = (w),                                                                                  \
            .count = sizeof(w) / sizeof(w)[0]                                                                \
        }                                                                                                    \
    }
    const struct {
        struct line_form lines;
        bool are_possible;
        struct sums_form form;
    } cases[] = {
        {LINES(1, ONE_COST, 1, 0, first), true, {.columns = 1, .are_weighed = false, .weights = {1, 0}}},
        {LINES(1, ONE_COST, 2, 0, first), true, {.columns = 2, .are_weighed = false, .weights = {1, 0}}},
        {LINES(1, ONE_COST, 2, 1, second), true, {.columns = 2, .are_weighed = true, .weights = {0, 1}}},
        {LINES(1, WEIGHED_COSTS, 2, 0, both), true, {.columns = 2, .are_weighed = true, .weights = {2, -1024}}},
        {LINES(1, ALL_COSTS, 2, 0, first), true, {.columns = 2, .are_weighed = true, .weights = {1, 0}}},
        {LINES(2, ONE_COST, 1, 0, first), false, {0}},
        {LINES(1, ONE_COST, 3, 0, first), false, {0}},
        {LINES(1, ONE_COST, 3, 2, third), false, {0}},
        {LINES(1, WEIGHED_COSTS, 2, 0, heavy), false, {0}},
        {LINES(1, WEIGHED_COSTS, 2, 0, light), false, {0}},
        {LINES(1, WEIGHED_COSTS, 3, 0, both), false, {0}},
        {LINES(1, ALL_COSTS, 3, 0, first), false, {0}},
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sums_form form;
        assert_int_equal(record_sums_are_possible(&cases[i].lines, &form), cases[i].are_possible);
        if (!cases[i].are_possible)
            continue;
        assert_int_equal(form.columns, cases[i].form.columns);
        assert_int_equal(form.are_weighed, cases[i].form.are_weighed);
        assert_int_equal(form.weights[0], cases[i].form.weights[0]);
        assert_int_equal(form.weights[1], cases[i].form.weights[1]);
    }
}

/* ---- names in full ------------------------------------------------------------------------ */

/* Takes the text again, after a first time, which has found that there are names in full. */
static void take_names(struct taken *t, const char *records, struct sums_form form)
{
    const char *end;
    take(t, records, form);
    assert_int_equal(t->length, 0);
    assert_true(record_sums_clear(&t->sums));
    size_t length = strlen(records);
    assert_true(record_sums_add(&t->sums, text_of(t->bytes, length + sizeof TAIL - 1), &end));
    t->length = (size_t)(end - t->bytes);
}

static void assert_text(struct text found, const char *expected)
{
    if (!text_equals(found, expected))
        fail_msg("found \"" TEXT_FMT "\", expected \"%s\"", TEXT_ARG(found), expected);
}

#define LONG_FILE "/srv/www/application/vendor/a-vendor/a-package/src/Some/Folder/With/A/Long/Name.php"
#define LONG_NAME "Vendor\\Package\\Some\\Folder\\With\\A\\Long\\Name->methodWithALongName"

/* Aliases may be among them. */
static const char named_records[] = "\nfl=" LONG_FILE "\nfn=" LONG_NAME "\n30 7 1\n"
                                    "\nfl=a.php\nfn=f\n3 100 -5\n"
                                    "cfl=" LONG_FILE "\ncfn=" LONG_NAME "\ncalls=1 0 0\n4 10 123456\n"
                                    "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n5 20 0\n"
                                    "cfl=" LONG_FILE "\ncfn=" LONG_NAME "\ncalls=1 0 0\n4 12345678 1\n";

static void names_in_full_are_keys(void **state)
{
    (void)state;
    static const struct {
        uint64_t cost;
        uint32_t count;
        const char *file, *function;
        uint32_t line;
        const char *owner;
    } expected[] = {
        {7, 1, LONG_FILE, LONG_NAME, 30, NULL},
        {100, 1, "a.php", "f", 3, NULL},
        {12345688, 2, LONG_FILE, LONG_NAME, 4, "f"},
        {20, 1, "(1)", "(2)", 5, "f"},
    };
    struct taken t;
    need_sums(__func__);
    take_names(&t, named_records, first_of_two);
    assert_taken(&t, sizeof named_records - 1, 2, 5);
    assert_int_equal(t.sums.spans[0].sum_count, 4);
    assert_int_equal(t.sums.spans[0].last_line, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct record_sum *sum = &t.sums.sums[i];
        struct sum_key key = record_sums_key(&t.sums, sum->key);
        assert_int_equal(sum->cost, expected[i].cost);
        assert_int_equal(sum->count, expected[i].count);
        assert_text(key.file, expected[i].file);
        assert_text(key.function, expected[i].function);
        assert_int_equal(key.line, expected[i].line);
        assert_int_equal(key.is_own, expected[i].owner == NULL);
        assert_text(key.owner, expected[i].owner != NULL ? expected[i].owner : "");
    }
    drop(&t);
}

/* Two functions of one call each, whose names differ in one byte, wherever it is. */
static void names_differ_in_any_byte(void **state)
{
    (void)state;
    static const char form[] = "\nfl=%s\nfn=%s\n3 4\ncfl=%s\ncfn=%s\ncalls=1 0 0\n5 6\n";
    enum { OWN_FILE, OWN_NAME, CALLED_FILE, CALLED_NAME, PARTS };
    need_sums(__func__);
    for (size_t part = 0; part < PARTS; part++)
        for (size_t at = 0; at < strlen(part % 2 == 0 ? LONG_FILE : LONG_NAME); at++) {
            char names[PARTS][100] = {LONG_FILE, LONG_NAME, LONG_FILE, LONG_NAME}, text[2048];
            struct taken t;
            int length = 0;
            for (int round = 0; round < 2; round++, names[part][at] ^= 1)
                length += snprintf(text + length, sizeof text - (size_t)length, form, names[OWN_FILE],
                                   names[OWN_NAME], names[CALLED_FILE], names[CALLED_NAME]);
            take_names(&t, text, one_cost);
            assert_taken(&t, (size_t)length, 2, 4);
            /* In another record, it is another call. */
            assert_int_equal(t.sums.spans[0].sum_count, part < CALLED_FILE ? 4 : 3);
            drop(&t);
        }
}

/* Names of any length, so that lines and groups end anywhere in the bytes that are looked at at once. */
static void names_may_have_any_length(void **state)
{
    (void)state;
    enum { LONGEST = 200, ROUNDS = 40 };
    char name[LONGEST + 1] = "";
    need_sums(__func__);
    for (int length = 1; length <= LONGEST; length++) {
        char text[ROUNDS * (3 * LONGEST + 100)], *at = text;
        struct taken t;
        name[length - 1] = (char)('a' + length % 26);
        for (int i = 0; i < ROUNDS; i++)
            at += sprintf(at, "\nfl=x.php\nfn=%s\n3 4\ncfl=%s.php\ncfn=%s\ncalls=1 0 0\n5 6\n", name, name,
                          name);
        take_names(&t, text, one_cost);
        assert_taken(&t, (size_t)(at - text), ROUNDS, 2 * ROUNDS);
        assert_int_equal(t.sums.spans[0].sum_count, 2);
        assert_int_equal(t.sums.sums[1].cost, 6 * ROUNDS);
        drop(&t);
    }
}

/* No byte is read that is more than LINES_SLACK after the text, and what is taken ends with a record. */
static void a_text_with_names_may_end_anywhere(void **state)
{
    (void)state;
    char text[3000];
    static const char longest_costs[] = "\nfl=a.php\nfn=f\n3 4 5\ncfl=a.php\ncfn=name\n"
                                        "calls=1 0 0\n12345678 12345678 123456789012345678\n";
    need_sums(__func__);
    size_t length =
        (size_t)snprintf(text, sizeof text, "%s%s%s", named_records, longest_costs, named_records);
    size_t groups = 0;
    struct record_sums sums;
    assert_true(record_sums_init(&sums, first_of_two));
    sums.has_names = true;
    for (size_t given = 1; given <= length; given++) {
        char *bytes = calloc(1, given + LINES_SLACK);
        const char *end;
        assert_non_null(bytes);
        memcpy(bytes, text, given + LINES_SLACK < length ? given + LINES_SLACK : length);
        record_sums_clear(&sums);
        assert_true(record_sums_add(&sums, text_of(bytes, given), &end));
        assert_in_range(end - bytes, 0, given);
        assert_true(end == bytes || strncmp(end, "\nfl=", 4) == 0 || end == bytes + given);
        groups = 0;
        for (const char *at = bytes; at < end; at++)
            groups += strncmp(at, "\nfn=", 4) == 0 || strncmp(at, "\ncfn=", 5) == 0;
        assert_int_equal(sums.span_count, groups > 0);
        assert_int_equal(groups > 0 ? sums.spans[0].groups : 0, groups);
        free(bytes);
    }
    assert_true(groups > 0);
    record_sums_free(&sums);
}

static void names_of_another_form_are_left(void **state)
{
    (void)state;
    static const char *const others[] = {
        "\nfl= a.php\nfn=f\n3 4\n",      "\nfl=a.php \nfn=f\n3 4\n",  "\nfl=a.php\nfn=\tf\n3 4\n",
        "\nfl=a.php\nfn=f\r\n3 4\n",     "\nfl=a.php\nfn=\n3 4\n",     "\nfl=\nfn=f\n3 4\n",
        "\nfl=a.php\nfn=(3) f\n3 4\n",   "\nfl=a.php\nfn=(x)\n3 4\n",  "\nfl=a.php\nob=b\nfn=f\n3 4\n",
        "\nfl=a.php\nfn=f\n123456789 4\n", "\nfl=a.php\nfn=f\n3 4\n5 6\n",
    };
    need_sums(__func__);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[1024];
        struct taken t;
        size_t whole =
            (size_t)snprintf(text, sizeof text, "\nfl=b.php\nfn=" LONG_NAME "\n1 2\n%s", others[i]);
        take_names(&t, text, one_cost);
        whole -= strlen(others[i]);
        if (strstr(others[i], "ob=") != NULL)
            whole = 0; /* no record begins there, so that the first one may not be whole */
        if (t.length != whole)
            fail_msg("found %zu bytes, expected %zu, before%s", t.length, whole, others[i]);
        drop(&t);
    }
}

/* A record with names in full is taken back, as others are, if it may not be whole. */
static void the_last_record_with_names_is_left(void **state)
{
    (void)state;
    char text[2048];
    struct taken t;
    need_sums(__func__);
    snprintf(text, sizeof text, "%s%ssummary: 5 5\n", named_records, named_records);
    take_names(&t, text, first_of_two);
    const char *second = strstr(text + sizeof named_records, "\n\nfl=a.php") + 1;
    assert_taken(&t, (size_t)(second - text), 3, 6);
    assert_int_equal(t.sums.sums[0].cost, 14);
    assert_int_equal(t.sums.sums[1].cost, 100);
    assert_int_equal(t.sums.sums[2].cost, 12345688);
    assert_int_equal(t.sums.sums[2].count, 2);
    drop(&t);
}

/* There is room for some megabytes of long keys. */
static void too_many_long_names_are_forgotten(void **state)
{
    (void)state;
    enum { COUNT = 15000, BYTES = 400 };
    char *text = malloc(COUNT * BYTES), *at = text;
    struct taken t;
    assert_non_null(text);
    need_sums(__func__);
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "\nfl=%0300d\nfn=f\n3 4\n", i);
    take_names(&t, text, one_cost);
    for (int times = 0; times < 4 && t.length > 0 && !record_sums_clear(&t.sums); times++) {
        struct text rest = {t.bytes + t.length, t.bytes + (at - text)};
        const char *end;
        assert_true(record_sums_add(&t.sums, rest, &end));
        if (end == rest.at)
            break;
        t.length = (size_t)(end - t.bytes);
    }
    assert_in_range(t.length, 4000000, 4300000);
    struct text rest = {t.bytes + t.length, t.bytes + (at - text)};
    const char *end;
    assert_true(record_sums_add(&t.sums, rest, &end));
    assert_true(end > rest.at);
    drop(&t);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_in_order_of_their_keys),
        cmocka_unit_test(a_span_counts_only_its_own_groups),
        cmocka_unit_test(the_last_record_is_left_if_none_follows),
        cmocka_unit_test(what_is_left_is_not_counted),
        cmocka_unit_test(a_text_may_end_anywhere),
        cmocka_unit_test(what_has_another_form_is_left),
        cmocka_unit_test(the_second_cost_may_be_anything),
        cmocka_unit_test(numbers_may_have_any_length),
        cmocka_unit_test(costs_may_be_weighed),
        cmocka_unit_test(groups_are_listed_in_their_order),
        cmocka_unit_test(weighed_costs_have_a_limit),
        cmocka_unit_test(calls_belong_to_their_records),
        cmocka_unit_test(keys_may_be_long),
        cmocka_unit_test(keys_differ_in_any_digit),
        cmocka_unit_test(few_keys_differ_only_in_the_callees_file),
        cmocka_unit_test(too_many_keys_are_forgotten),
        cmocka_unit_test(a_full_table_is_of_use),
        cmocka_unit_test(a_long_text_is_taken_in_spans),
        cmocka_unit_test(after_64_excluded_functions_all_are),
        cmocka_unit_test(records_about_excluded_functions_are_left),
        cmocka_unit_test(sums_need_certain_lines),
        cmocka_unit_test(names_in_full_are_keys),
        cmocka_unit_test(names_differ_in_any_byte),
        cmocka_unit_test(names_may_have_any_length),
        cmocka_unit_test(a_text_with_names_may_end_anywhere),
        cmocka_unit_test(names_of_another_form_are_left),
        cmocka_unit_test(the_last_record_with_names_is_left),
        cmocka_unit_test(too_many_long_names_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
