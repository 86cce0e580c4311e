/* The tokens of texts: each usual form of lines, and each way in which a line has another one. */
#include "support.h"

#include "frontends/callgrind/keys.h"
#include "frontends/callgrind/tokens.h"
#include "io/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct event_weight first_weight[] = {{1, 0}}, both_weights[] = {{2, 0}, {-3, 2}},
                           heavy_weight[] = {{INT64_C(1) << 60, 0}}, heavy_weights[] = {{1, 0}, {INT64_C(1) << 62, 1}};
#define WEIGHTS(w) {.weights = (w), .count = sizeof (w) / sizeof (w)[0]}

/* `lines`: all of them for one cost, if nothing else is said. */
static const struct line_form one_cost = {1, 0, true, ONE_COST, 1, 0, WEIGHTS(first_weight), {1, 2}, false},
                              first_of_three = {1, 0, true, ONE_COST, 3, 0, WEIGHTS(first_weight), {1, 2}, false},
                              second_of_three = {1, 0, true, ONE_COST, 3, 1, WEIGHTS(first_weight), {1, 2}, false},
                              addresses = {2, 1, true, ONE_COST, 1, 0, WEIGHTS(first_weight), {1, 2}, false},
                              second_with_addresses = {2, 1, true, ONE_COST, 2, 1, WEIGHTS(first_weight), {1, 2}, false},
                              only_addresses = {1, NO_LINE_POSITION, true, ONE_COST, 1, 0, WEIGHTS(first_weight), {1, 2}, false},
                              by_callgrind = {1, 0, false, ONE_COST, 1, 0, WEIGHTS(first_weight), {1, 2}, false},
                              three_positions = {3, 2, true, ONE_COST, 1, 0, WEIGHTS(first_weight), {1, 2}, false},
                              weighed = {1, 0, true, WEIGHED_COSTS, 3, 0, WEIGHTS(both_weights), {1, 2}, false},
                              heavy = {1, 0, true, WEIGHED_COSTS, 1, 0, WEIGHTS(heavy_weight), {1, 2}, false},
                              two_heavy = {1, 0, true, WEIGHED_COSTS, 2, 0, WEIGHTS(heavy_weights), {1, 2}, false},
                              all_of_one = {1, 0, true, ALL_COSTS, 1, 0, WEIGHTS(first_weight), {1, 2}, false},
                              all_of_two = {1, 0, true, ALL_COSTS, 2, 0, WEIGHTS(first_weight), {1, 2}, false},
                              all_of_three = {1, 0, true, ALL_COSTS, 3, 0, WEIGHTS(first_weight), {1, 2}, false};

/* ---- tokens as text ----------------------------------------------------------------------- */

/* What comes from a text, in words: "; " precedes each token. */
struct shown {
    char words[4000];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct shown *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s->length += (size_t)vsnprintf(s->words + s->length, sizeof s->words - s->length, format, arguments);
    va_end(arguments);
    assert_true(s->length < sizeof s->words);
}

static const char *key_name(unsigned key)
{
    static const char *const names[] = {
        [POSITION_FUNCTION] = "function",         [POSITION_FILE] = "file",
        [POSITION_INLINE_FILE] = "inline file",   [POSITION_OBJECT] = "object",
        [POSITION_CALLED_FUNCTION] = "callee",    [POSITION_CALLED_FILE] = "called file",
        [POSITION_CALLED_OBJECT] = "called object", [POSITION_OTHER_FUNCTION] = "other function",
        [POSITION_OTHER_FILE] = "other file",     [POSITION_CALLER] = "caller",
    };
    assert_true(key < sizeof names / sizeof names[0] && names[key] != NULL);
    return names[key];
}

/* A difference to the line before has a sign. */
static void put_line(struct shown *s, const struct line_form *form, uint64_t line, bool is_relative)
{
    if (form->line_position == NO_LINE_POSITION)
        assert_true(is_relative && line == 0);
    else if (is_relative)
        put(s, " %+" PRId64, (int64_t)line);
    else
        put(s, " %" PRIu64, line);
}

/* The name in a line of a group, by its alias or its hash. Returns the next line. */
static const char *put_reference(struct shown *s, const struct line_form *form, bool is_named, uint32_t number,
                                 const char *line)
{
    const char *value = strchr(line, '=') + 1, *newline = strchr(value, '\n');
    struct text name = {value, newline[-1] == '\r' ? newline - 1 : newline};
    if (is_named) {
        assert_int_equal(number, hash_text(&form->names_seed, name));
        put(s, "\"%.*s\"", TEXT_ARG(name));
    } else {
        put(s, "%" PRIu32, number);
    }
    return newline + 1;
}

static void put_group(struct shown *s, const struct line_form *form, const struct token *token, const char *p)
{
    put(s, " ");
    if (token->kind == TOKEN_RECORD)
        p = strchr(p, '\n') + 1;
    if (token->key & FILE_IS_MISSING)
        put(s, "-");
    else
        p = put_reference(s, form, token->key & FILE_IS_NAMED, token->u.group.file, p);
    put(s, "/");
    put_reference(s, form, token->key & FUNCTION_IS_NAMED, token->u.group.function, p);
    assert_int_equal(token->lines, token->key & FILE_IS_MISSING ? 3 : 4);
    put(s, ":%" PRIu32 " =%" PRId64, token->u.group.line, token->cost);
    if (token->kind == TOKEN_CALL && token->u.group.count != 1)
        put(s, " x%" PRIu32, token->u.group.count);
    if (token->kind == TOKEN_RECORD && form->wanted == ALL_COSTS)
        put(s, ",%" PRId32, token->u.group.other_cost);
    else if (token->kind == TOKEN_RECORD)
        assert_int_equal(token->u.group.other_cost, 0);
}

static void put_token(struct shown *s, const struct line_form *form, const struct token *token, const char *p)
{
    struct text text = text_of(p, token->size);
    s->length == 0 ? put(s, "%s", "") : put(s, "; ");
    switch (token->kind) {
    case TOKEN_LINE:
        put(s, "line");
        break;
    case TOKEN_BLANKS:
        put(s, "blanks x%u", token->lines);
        break;
    case TOKEN_ALIAS:
        put(s, "%s (%" PRIu64 ")", key_name(token->key), token->u.id);
        break;
    case TOKEN_NAME:
        text.at += token->u.name.at;
        text = text_of(text.at, token->u.name.length);
        assert_int_equal(token->u.name.hash, hash_text(&form->names_seed, text));
        put(s, "%s", key_name(token->key));
        if (token->u.name.id != NO_ALIAS)
            put(s, " (%" PRIu32 ")", token->u.name.id);
        put(s, " \"%.*s\"", TEXT_ARG(text));
        break;
    case TOKEN_CALLS:
        put(s, "calls %" PRIu64, token->u.count);
        break;
    case TOKEN_JUMP:
        put(s, "jump");
        if (token->lines == 2)
            put_line(s, form, token->u.at.line, token->key & LINE_IS_RELATIVE);
        break;
    case TOKEN_COST:
        put(s, "cost");
        put_line(s, form, token->u.at.line, token->key & LINE_IS_RELATIVE);
        put(s, " =%" PRId64, token->cost);
        break;
    case TOKEN_COSTS:
        put(s, "costs x%u", token->lines);
        put_line(s, form, token->u.at.line, token->key & LINE_IS_RELATIVE);
        put(s, " =%" PRId64 " to", token->cost);
        put_line(s, form, token->u.at.end, token->key & END_IS_RELATIVE);
        break;
    case TOKEN_COST_TEXT:
        put(s, "cost text");
        break;
    case TOKEN_RECORD:
        put(s, "record");
        put_group(s, form, token, p);
        break;
    case TOKEN_CALL:
        put(s, "call");
        put_group(s, form, token, p);
        break;
    default:
        fail_msg("found a token of kind %d", token->kind);
    }
}

static unsigned count_newlines(const char *p, size_t length)
{
    unsigned count = 0;
    for (size_t i = 0; i < length; i++)
        count += p[i] == '\n';
    return count;
}

/* Each token's lines and size belong to each other; together they are all that was taken. */
static const char *show(struct shown *s, const struct line_form *form, const struct tokens *tokens, const char *p)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->tokens[i];
        put_token(s, form, token, p);
        assert_true(token->size > 0 && p[token->size - 1] == '\n');
        assert_int_equal(count_newlines(p, token->size), token->lines);
        p += token->size;
    }
    return p;
}

/* A copy with LINES_SLACK bytes after it, of which none is a newline. */
static struct text copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + LINES_SLACK);
    assert_non_null(copy);
    memcpy(copy, text, length);
    memset(copy + length, '7', LINES_SLACK);
    return text_of(copy, length);
}

enum { CAPACITY = 100 };

static void assert_tokens(const struct line_form *form, const char *text, const char *expected)
{
    struct token room[CAPACITY];
    struct tokens tokens = {.tokens = room, .capacity = CAPACITY};
    struct shown shown = {.length = 0};
    struct text copy = copy_text(text, strlen(text));
    memset(room, 0xaa, sizeof room);
    const char *end = tokens_make(&tokens, form, copy, false);
    assert_ptr_equal(show(&shown, form, &tokens, copy.at), end);
    if (end != copy.end || strcmp(shown.words, expected) != 0)
        fail_msg("found %s\nexpected %s\nfor %s", shown.words, expected, text);
    free((char *)copy.at);
}

struct tokens_case {
    const struct line_form *form;
    const char *text, *expected;
};

#define ASSERT_CASES(cases)                                                                         \
    do {                                                                                            \
        for (size_t i_ = 0; i_ < sizeof (cases) / sizeof (cases)[0]; i_++)                          \
            assert_tokens((cases)[i_].form, (cases)[i_].text, (cases)[i_].expected);                \
    } while (0)

/* ---- cost lines --------------------------------------------------------------------------- */

static void cost_lines_have_positions_and_costs(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&one_cost, "3 7\n", "cost 3 =7"},
        {&one_cost, "3 7 \n", "cost 3 =7"},
        {&one_cost, "3 7\r\n", "cost 3 =7"},
        {&one_cost, "3 7 \r\n", "cost 3 =7"},
        {&one_cost, "3\n", "cost 3 =0"},
        {&one_cost, "3 \n", "cost 3 =0"},
        {&one_cost, "0 0\n", "cost 0 =0"},
        {&one_cost, "003 007\n", "cost 3 =7"},
        {&one_cost, "3 -7\n", "cost 3 =-7"},
        {&one_cost, "+3 7\n", "cost +3 =7"},
        {&one_cost, "-3 7\n", "cost -3 =7"},
        {&one_cost, "* 7\n", "cost +0 =7"},
        {&one_cost, "*\n", "cost +0 =0"},
        {&one_cost, "0x1f 7\n", "cost 31 =7"},
        {&one_cost, "0xABCdef 7\n", "cost 11259375 =7"},
        {&one_cost, "0xffffffffffffffff 7\n", "cost 18446744073709551615 =7"},
        {&one_cost, "123456789012345678 876543210987654321\n", "cost 123456789012345678 =876543210987654321"},
        {&one_cost, "+123456789012345678 -876543210987654321\n", "cost +123456789012345678 =-876543210987654321"},
        {&first_of_three, "3 7 8 9\n", "cost 3 =7"},
        {&first_of_three, "3 7 8\n", "cost 3 =7"},
        {&first_of_three, "3 7\n", "cost 3 =7"},
        {&first_of_three, "3 7 -8 123456789012345678 \n", "cost 3 =7"},
        {&second_of_three, "3 7 8 9\n", "cost 3 =8"},
        {&second_of_three, "3 7 8\r\n", "cost 3 =8"},
        {&second_of_three, "3 7\n", "cost 3 =0"},
        {&second_of_three, "3\n", "cost 3 =0"},
        {&second_of_three, "+3 -7 -8 -9\n", "cost +3 =-8"},
        {&weighed, "3 5 100 7\n", "cost 3 =-11"},
        {&weighed, "3 5 100\n", "cost 3 =10"},
        {&weighed, "3 -5 100 -7 \n", "cost 3 =11"},
        {&weighed, "3\n", "cost 3 =0"},
        {&heavy, "3 7\n", "cost 3 =8070450532247928832"},
        {&heavy, "3 -8\n", "cost 3 =-9223372036854775808"},
        {&two_heavy, "3 5 1\n", "cost 3 =4611686018427387909"},
    };
    ASSERT_CASES(cases);
}

/* Addresses have no effect, as the profile does not contain them. */
static void lines_may_have_several_positions(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&addresses, "0x10 3 7\n", "cost 3 =7"},
        {&addresses, "+1 -2 7\n", "cost -2 =7"},
        {&addresses, "* * 7\n", "cost +0 =7"},
        {&addresses, "5 +2 7\n", "cost +2 =7"},
        {&addresses, "+2 5 7\n", "cost 5 =7"},
        {&addresses, "5 6\n", "cost 6 =0"},
        {&addresses, "5 6 \n", "cost 6 =0"},
        {&addresses, "5\n", "cost +0 =0"},
        {&addresses, "5 \n", "line"},
        {&addresses, "5 \r\n", "line"},
        {&addresses, "* * \n", "cost +0 =0"},
        {&second_with_addresses, "0x10 3 7 8\n", "cost 3 =8"},
        {&second_with_addresses, "0x10 3 7\n", "cost 3 =0"},
        {&only_addresses, "0x10 7\n", "cost =7"},
        {&only_addresses, "+5 7\n", "cost =7"},
        {&only_addresses, "5\n", "cost =0"},
        {&three_positions, "1 0x2 3 7\n", "cost 3 =7"},
        {&three_positions, "* * -3 7\n", "cost -3 =7"},
        {&three_positions, "1 2 3\n", "cost 3 =0"},
        {&three_positions, "+1\n", "cost +0 =0"},
        {&three_positions, "1 2 3 4 5\n", "line"},
        {&three_positions, "-1 x\n", "line"},
    };
    ASSERT_CASES(cases);
}

static void other_costs_are_other_lines(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "3 7 8\n",   "3  7 8\n", "3 7  \n",  "3\t7\n",    "3 7\t\n",     "3 7#\n",   "3 7 # mov\n", "3 7x\n",
        "3x 7\n",    "3 .\n",    "3 7.5\n",  "3 --7\n",   "3 +7\n",      "3 -\n",    "3 7 -\n",     "3 0x7\n",
        "+ 7\n",     "- 7\n",    "** 7\n",   "*1 7\n",    "+-1 7\n",     "+* 7\n",   "-+1 7\n",     "+0x1 7\n",
        "0x 7\n",    "0xg 7\n",  "0X1f 7\n", "1x1 7\n",   "0x1f_ 7\n",   "3,7\n",    "3-7\n",       "3 7\r\r\n",
        "3 7\rx\n",  "3 e\n",    " 3 7\n",   "\t3 7\n",   "0x1` 7\n", "0x1@ 7\n", "0x11223344556677889 7\n", "1234567890123456789 7\n",
        "+1234567890123456789 7\n",          "3 1234567890123456789\n",  "3 -1234567890123456789\n",
        "3 000000000000000000000000000000000000000000000000000000000000000000000000000000000000001\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_tokens(&one_cost, texts[i], "line");
    static const struct tokens_case cases[] = {
        {&first_of_three, "3 7 8 9 1\n", "line"},
        {&first_of_three, "3 7 8 x\n", "line"},
        {&first_of_three, "3 7 1234567890123456789\n", "line"},
        {&first_of_three, "3 7 -1234567890123456789\n", "line"},
        {&second_of_three, "3 1234567890123456789 7\n", "line"},
        {&second_of_three, "3 . 7\n", "line"},
        {&second_of_three, "3 7 x\n", "line"},
        {&weighed, "3 1 2 3 4\n", "line"},
        {&weighed, "3 1 x 3\n", "line"},
        {&heavy, "3 8\n", "line"},
        {&heavy, "3 -9\n", "line"},
        {&two_heavy, "3 999999999999999999 2\n", "line"},
        {&two_heavy, "3 -999999999999999999 -2\n", "line"},
        {&addresses, "5  6 7\n", "line"},
        {&addresses, "5 x 7\n", "line"},
        {&addresses, "5 6 7 8\n", "line"},
        {&addresses, "x 6 7\n", "line"},
    };
    ASSERT_CASES(cases);
}

/* After a line that only a self cost can follow, cost lines become one token. */
static void self_costs_are_added_up(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&one_cost, "fn=(1)\n3 7\n", "function (1); cost 3 =7"},
        {&one_cost, "fn=(1)\n3 7\n4 8\n", "function (1); costs x2 3 =15 to 4"},
        {&one_cost, "fn=(1)\n3 7\n+1 8\n-2 9\n", "function (1); costs x3 3 =24 to 2"},
        {&one_cost, "fn=(1)\n+3 7\n+1 8\n-9 9\n", "function (1); costs x3 +3 =24 to -5"},
        {&one_cost, "fn=(1)\n+3 7\n9 8\n", "function (1); costs x2 +3 =15 to 9"},
        {&one_cost, "fn=(1)\n+3 7\n9 8\n* 9\n+1\n", "function (1); costs x4 +3 =24 to 10"},
        {&one_cost, "fn=(1)\n* 0\n* 0\n", "function (1); costs x2 +0 =0 to +0"},
        {&addresses, "fn=(1)\n0x10 3 7\n+1 * 8\n", "function (1); costs x2 3 =15 to 3"},
        {&addresses, "fn=(1)\n0x10 +3 7\n+1 +2 8\n", "function (1); costs x2 +3 =15 to +5"},
        {&addresses, "fn=(1)\n+4 +3 7\n+1 9 8\n", "function (1); costs x2 +3 =15 to 9"},
        {&addresses, "fn=(1)\n4 3 7\n8\n", "function (1); costs x2 3 =7 to 3"},
        {&only_addresses, "fn=(1)\n4 7\n+3 8\n", "function (1); costs x2 =15 to"},
        {&second_of_three, "fn=(1)\n3 7 1\n4 8 2 5\n5\n", "function (1); costs x3 3 =3 to 5"},
        {&weighed, "fn=(1)\n3 7 0 1\n4 8\n", "function (1); costs x2 3 =27 to 4"},
        /* after each line that only a self cost can follow */
        {&one_cost, "fn=name\n3 7\n4 8\n", "function \"name\"; costs x2 3 =15 to 4"},
        {&one_cost, "fi=(1)\n3 7\n4 8\n", "inline file (1); costs x2 3 =15 to 4"},
        {&one_cost, "\nfl=(1)\nfn=(2)\n3 7\n4 8\n5 9\n", "record 1/2:3 =7; costs x2 4 =17 to 5"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 7\n4 8\n5 9\n", "call 1/2:3 =7; costs x2 4 =17 to 5"},
        {&one_cost, "fn=(1)\n\n3 7\n4 8\n", "function (1); blanks x1; costs x2 3 =15 to 4"},
        /* after others, the first line may be about a call, or of nothing */
        {&one_cost, "3 7\n4 8\n", "cost 3 =7; cost 4 =8"},
        {&one_cost, "3 7\n4 8\n5 9\n", "cost 3 =7; costs x2 4 =17 to 5"},
        {&one_cost, "\n3 7\n4 8\n", "blanks x1; cost 3 =7; cost 4 =8"},
        {&one_cost, "calls=1 2\n3 7\n4 8\n", "calls 1; cost 3 =7; cost 4 =8"},
        {&one_cost, "fn=(1)\ncalls=1 2\n3 7\n4 8\n5 9\n",
         "function (1); calls 1; cost 3 =7; costs x2 4 =17 to 5"},
        {&one_cost, "fn=(1)\ncalls=1 2\n\n3 7\n4 8\n", "function (1); calls 1; blanks x1; cost 3 =7; cost 4 =8"},
        {&one_cost, "fn=(1)\njump=1 2\n3 7\n4 8\n5 9\n", "function (1); jump 3; costs x2 4 =17 to 5"},
        {&one_cost, "fn=(1)\nevents: Ir\n3 7\n4 8\n", "function (1); line; cost 3 =7; cost 4 =8"},
        {&one_cost, "fn=(1)\n3 x\n3 7\n4 8\n", "function (1); line; cost 3 =7; cost 4 =8"},
        /* up to another line */
        {&one_cost, "fn=(1)\n3 7\n4 8\nfn=(2)\n5 9\n",
         "function (1); costs x2 3 =15 to 4; function (2); cost 5 =9"},
        {&one_cost, "fn=(1)\n3 7\n4 8\n\n5 9\n6 1\n",
         "function (1); costs x2 3 =15 to 4; blanks x1; costs x2 5 =10 to 6"},
        {&one_cost, "fn=(1)\n3 7\n4 8\n5 x\n", "function (1); costs x2 3 =15 to 4; line"},
        {&one_cost, "fn=(1)\n3 7\n4 8\n 5 1\n", "function (1); costs x2 3 =15 to 4; line"},
        /* costs that may not be added up */
        {&one_cost, "fn=(1)\n3 -7\n4 8\n5 9\n", "function (1); cost 3 =-7; costs x2 4 =17 to 5"},
        {&one_cost, "fn=(1)\n3 7\n4 -8\n5 9\n", "function (1); cost 3 =7; cost 4 =-8; cost 5 =9"},
        {&one_cost, "fn=(1)\n3 7\n4 8\n5 -9\n6 1\n7 1\n",
         "function (1); costs x2 3 =15 to 4; cost 5 =-9; costs x2 6 =2 to 7"},
        /* 65,535 of 140,737,488,355,328 + 2,147,516,416 fit into 64 bits with a sign, those of one more do not */
        {&one_cost, "fn=(1)\n3 140739635871744\n4 140739635871744\n",
         "function (1); costs x2 3 =281479271743488 to 4"},
        {&one_cost, "fn=(1)\n3 140739635871745\n4 8\n5 9\n",
         "function (1); cost 3 =140739635871745; costs x2 4 =17 to 5"},
        {&one_cost, "fn=(1)\n3 7\n4 140739635871745\n5 9\n",
         "function (1); cost 3 =7; cost 4 =140739635871745; cost 5 =9"},
    };
    ASSERT_CASES(cases);
}

/* Nearly all of Valgrind's lines with addresses are those before, but for the address. */
static void costs_that_repeat_are_added_up(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&addresses, "fn=(1)\n0x10 3 7\n+3 * 7\n+2 * 7\n+1 * 7\n", "function (1); costs x4 3 =28 to 3"},
        {&addresses, "fn=(1)\n0x10 3 7\n+3 5 7\n+2 5 7\n+1 5 7\n", "function (1); costs x4 3 =28 to 5"},
        {&addresses, "fn=(1)\n0x10 3 7\n+3 +2 7\n+4 +2 7\n+5 +2 7\n", "function (1); costs x4 3 =28 to 9"},
        {&addresses, "fn=(1)\n+1 -2 7\n+1 -2 7\n+9 -2 7\n", "function (1); costs x3 -2 =21 to -6"},
        {&addresses, "fn=(1)\n+1\n+1\n+1\n", "function (1); costs x3 +0 =0 to +0"},
        {&addresses, "fn=(1)\n* 5 7\n* 5 7\n+1 5 7\n", "function (1); costs x3 5 =21 to 5"},
        {&only_addresses, "fn=(1)\n+1 7\n+2 7\n+3 7\n", "function (1); costs x3 =21 to"},
        {&three_positions, "fn=(1)\n1 2 3 7\n+1 2 3 7\n+1 2 3 7\n", "function (1); costs x3 3 =21 to 3"},
        {&second_with_addresses, "fn=(1)\n1 2 3 7\n+1 2 3 7\n+1 2 4 7\n", "function (1); costs x3 2 =21 to 2"},
        /* what is a position itself */
        {&one_cost, "fn=(1)\n+1 7\n+1 7\n+2 7\n+2 7\n", "function (1); costs x4 +1 =28 to +6"},
        /* lines that begin with the same bytes, or end with them */
        {&addresses, "fn=(1)\n+1 * 7\n+12 * 7\n+1 * 70\n+1 * 70\n+1 * 7\n+1 +1 7\n",
         "function (1); costs x6 +0 =168 to +1"},
        {&addresses, "fn=(1)\n+1 * 7\n+1 * 7 \n+1 * 7\r\n+1 * 7\r\n+1 * 7\n", "function (1); costs x5 +0 =35 to +0"},
        {&addresses, "fn=(1)\n+1 * 7\n-1 * 7\n* * 7\n0 * 7\n", "function (1); costs x4 +0 =28 to +0"},
        {&addresses, "fn=(1)\n+1 * 7\nx1 * 7\n", "function (1); cost +0 =7; line"},
        {&addresses, "fn=(1)\n+1 * 7\n+x * 7\n", "function (1); cost +0 =7; line"},
        {&addresses, "fn=(1)\n+1 * 7\n++ * 7\n", "function (1); cost +0 =7; line"},
        {&addresses, "fn=(1)\n+1 * 7\n+ * 7\n", "function (1); cost +0 =7; line"},
        {&addresses, "fn=(1)\n+1 * 7\n+1 * 7x\n", "function (1); cost +0 =7; line"},
        {&addresses, "fn=(1)\n+1 * 7123\n+1 * 7123\n+1 * 7124\n", "function (1); costs x3 +0 =21370 to +0"},
        {&addresses, "fn=(1)\n+1 * 71234\n+1 * 71234\n+1 * 71235\n+1 * 71234 \n",
         "function (1); costs x4 +0 =284937 to +0"},
        /* costs that are not added up */
        {&addresses, "+1 +2 7\n+1 +2 7\n+1 +2 7\n", "cost +2 =7; costs x2 +2 =14 to +4"},
        {&addresses, "calls=1 2\n+1 +2 7\n+1 +2 7\n+1 +2 7\n", "calls 1; cost +2 =7; costs x2 +2 =14 to +4"},
        {&addresses, "fn=(1)\n+1 * -7\n+1 * -7\n+1 * 7\n", "function (1); cost +0 =-7; cost +0 =-7; cost +0 =7"},
    };
    ASSERT_CASES(cases);
}

/* The rest of the input may follow the text. */
static void costs_end_with_the_text(void **state)
{
    (void)state;
    static const char text[] = "fn=(1)\n1 2 3\n+1 2 3\n+1 2 3\n+1 2 3\n+1 2 3\n";
    struct token room[CAPACITY];
    struct text copy = copy_text(text, strlen(text));
    for (size_t lines = 1; lines <= 5; lines++) {
        struct tokens tokens = {.tokens = room, .capacity = CAPACITY};
        size_t length = strlen("fn=(1)\n1 2 3\n") + (lines - 1) * strlen("+1 2 3\n");
        assert_ptr_equal(tokens_make(&tokens, &addresses, text_of(copy.at, length), false), copy.at + length);
        assert_int_equal(tokens.count, 2);
        assert_int_equal(room[1].lines, lines);
        assert_int_equal(room[1].cost, 3 * lines);
    }
    free((char *)copy.at);
}

/* Where lines are not relative to those of jumps, these are part of the token around them. */
static void jumps_may_be_among_self_costs(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&by_callgrind, "fn=(1)\n3 7\njump=3 +5\n90 5\n+1 8\n", "function (1); costs x4 3 =15 to 4"},
        {&one_cost, "fn=(1)\n3 7\njump=3 +5\n90 5\n+1 8\n", "function (1); cost 3 =7; jump 90; cost +1 =8"},
        {&by_callgrind, "fn=(1)\n3 7\njcnd=3/5 +5\n* \nfn=(2)\n", "function (1); costs x3 3 =7 to 3; function (2)"},
        {&by_callgrind, "fn=(1)\njump=3 +5\n* \n3 7\n4 8\n", "function (1); jump +0; costs x2 3 =15 to 4"},
        {&by_callgrind, "fn=(1)\n3 7\njump=3 +5\nfn=(2)\n", "function (1); cost 3 =7; jump; function (2)"},
        {&by_callgrind, "fn=(1)\n3 7\njump=3 +5\n3 x\n", "function (1); cost 3 =7; jump; line"},
        {&by_callgrind, "fn=(1)\n3 7\njfi=(1)\njump=3 +5\n3 7\n", "function (1); cost 3 =7; other file (1); jump 3"},
    };
    ASSERT_CASES(cases);
}

/* Tokens have no room for so many costs. */
static void some_costs_stay_text(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&all_of_three, "calls=2 0\n+1\n", "calls 2; cost text"},
        {&all_of_three, "jump=2 0\n+1 x\n", "jump; cost text"},
        {&all_of_three, "-1 x\n", "cost text"},
        {&all_of_three, " 1 2 3 4\n", "line"},
        {&all_of_three, "\nfl=(1)\nfn=(2)\n3 7\n", "blanks x1; file (1); function (2); cost text"},
        {&all_of_one, "1 2\n", "cost 1 =2"},
        {&all_of_one, "fn=(1)\n1 2\n+1 3\n", "function (1); costs x2 1 =5 to 2"},
        {&all_of_one, "1 2 3\n", "line"},
        {&all_of_two, "1 2 3\n", "cost text"},
        {&all_of_three, "fn=(1)\n1 2 3\n1 2 3\n", "function (1); cost text; cost text"},
    };
    ASSERT_CASES(cases);
}

/* ---- lines with a key --------------------------------------------------------------------- */

static void each_key_has_its_names(void **state)
{
    (void)state;
    static const struct {
        const char *key, *name;
    } keys[] = {
        {"fn", "function"},  {"fl", "file"},          {"fi", "inline file"},    {"fe", "inline file"},
        {"ob", "object"},    {"cfn", "callee"},       {"cfl", "called file"},   {"cfi", "called file"},
        {"jfn", "other function"}, {"jfi", "other file"}, {"cob", "called object"}, {"frfn", "caller"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        static const struct {
            const char *value, *expected;
        } values[] = {
            {"(12)", "(12)"},
            {"(0)", "(0)"},
            {"(007)", "(7)"},
            {"(2147483647)", "(2147483647)"},
            {"(2147483648)", NULL},
            {"(12) main", "(12) \"main\""},
            {"(12) a b", "(12) \"a b\""},
            {"(2147483647) f", "(2147483647) \"f\""},
            {"(2147483648) f", NULL},
            {"(12)  f", NULL},
            {"(12) f ", NULL},
            {"(12) f\r", "(12) \"f\""},
            {"(12)f", NULL},
            {"(12)\r", "(12)"},
            {"(12)\r\r", NULL},
            {"(12)\rx", NULL},
            {"(12) ", NULL},
            {" (12)", NULL},
            {"()", "\"()\""},
            {"(12", NULL},
            {"(x)", "\"(x)\""},
            {"(-1)", "\"(-1)\""},
            {"", "\"\""},
            {"\r", "\"\""},
            {"(12) \r", NULL},
            {"x", "\"x\""},
            {"x\r", "\"x\""},
            {"x ", NULL},
            {"x\t\r", NULL},
            {"\tx", NULL},
            {"(123456789012345678901)", NULL},
            {"(below main)", "\"(below main)\""},
            {"a name of more bytes than are looked at at once, and then some: 64 and others",
             "\"a name of more bytes than are looked at at once, and then some: 64 and others\""},
        };
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            char text[200], expected[200];
            snprintf(text, sizeof text, "%s=%s\n", keys[i].key, values[k].value);
            snprintf(expected, sizeof expected, "%s %s", keys[i].name, values[k].expected);
            assert_tokens(&one_cost, text, values[k].expected != NULL ? expected : "line");
        }
    }
}

static void calls_and_jumps_are_tokens(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&one_cost, "calls=3 0 0\n", "calls 3"},
        {&one_cost, "calls=3 0x12 -5 \n", "calls 3"},
        {&one_cost, "calls=3 \n", "calls 3"},
        {&one_cost, "calls=3 rubbish\n", "calls 3"},
        {&one_cost, "calls=123456789012345678 5\n", "calls 123456789012345678"},
        {&one_cost, "rcalls=3 5\n", "calls 3"},
        {&one_cost, "jump=3 +1 *\n", "jump"},
        {&one_cost, "jcnd=1/2 5\n", "jump"},
        {&one_cost, "jump=\n", "jump"},
        {&one_cost, "jump=3 5\n3 7\n", "jump 3"},
        {&one_cost, "jcnd=1/2 5\n* \n", "jump +0"},
        {&one_cost, "jump=3 5\n3 x\n", "jump; line"},
        {&one_cost, "jump=3 5\n\n3 7\n", "jump; blanks x1; cost 3 =7"},
        {&addresses, "jump=3 5 6\n+4 * \n", "jump +0"},
        {&one_cost, "calls=3\n", "line"},
        {&one_cost, "calls=3\r\n", "line"},
        {&one_cost, "calls=3\t0\n", "line"},
        {&one_cost, "calls= 3 0\n", "line"},
        {&one_cost, "calls=-1 0\n", "calls 0"},
        {&one_cost, "calls=-x 0\n", "line"},
        {&one_cost, "calls=--1 0\n", "line"},
        {&one_cost, "calls=-1\n", "line"},
        {&one_cost, "calls=0x3 0\n", "line"},
        {&one_cost, "calls=x\n", "line"},
        {&one_cost, "calls=\n", "line"},
        {&one_cost, "calls=1234567890123456789 0\n", "line"},
    };
    ASSERT_CASES(cases);
}

static void other_keys_are_other_lines(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "f\n",      "fn\n",      "fn (1)\n",   "fx=(1)\n",  "nf=(1)\n",   "fnn=(1)\n", "Fn=(1)\n",    " fn=(1)\n",
        "c\n",      "cf\n",      "cfx=(1)\n",  "cfn(1)\n",  "cfnx=1\n",   "cobx=1\n",  "cox=(1)\n",   "calls 1\n",
        "call=1 0\n", "o=1\n",   "obj=1\n",    "oc=1\n",    "j=1\n",      "jfl=(1)\n", "jump 1\n",    "jcnd:1\n",
        "r=1\n",    "rfn=(1)\n", "rec=(3)\n",  "frfl=(1)\n", "events: Ir\n", "creator: x\n", "cmd: f\n", "part: 1\n",
        "# a\n",    "====\n",    "(1) 2\n",    "$\n",       "\x80\n",     "{main}\n",  "~\n",         "pid: 1\n",
        "version: 1\n", "positions: line\n", "summary: 1\n", "totals: 1\n", "desc: x\n", "=\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_tokens(&one_cost, texts[i], "line");
}

static void blank_lines_are_one_token(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&one_cost, "", ""},
        {&one_cost, "\n", "blanks x1"},
        {&one_cost, "\r\n", "blanks x1"},
        {&one_cost, "\n\r\n\n\r\n", "blanks x4"},
        {&one_cost, "\n\nfn=(1)\n\n", "blanks x2; function (1); blanks x1"},
        {&one_cost, " \n", "line"},
        {&one_cost, "\t\n", "line"},
        {&one_cost, "\r\r\n", "line"},
        {&one_cost, "\rx\n", "line"},
        {&one_cost, "\n\r\r\n\n", "blanks x1; line; blanks x1"},
        {&one_cost, "\n \n", "blanks x1; line"},
    };
    ASSERT_CASES(cases);
}

/* ---- groups of lines ---------------------------------------------------------------------- */

#define RECORD "\nfl=(1)\nfn=(2)\n"
#define CALL "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n"

static void usual_groups_are_one_token(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        {&one_cost, RECORD "3 7\n", "record 1/2:3 =7"},
        {&one_cost, RECORD "3 -7\n", "record 1/2:3 =-7"},
        {&one_cost, RECORD "3 7 \n", "record 1/2:3 =7"},
        {&one_cost, RECORD "3 7\r\n", "record 1/2:3 =7"},
        {&one_cost, "\r\nfl=(1)\nfn=(2)\n3 7\n", "record 1/2:3 =7"},
        {&one_cost, "\r\nfl=(1)\r\nfn=(2)\r\n3 7\r\n", "record 1/2:3 =7"},
        {&one_cost, "cfl=(1)\r\ncfn=(2)\r\ncalls=1 0 0\r\n3 7\r\n", "call 1/2:3 =7"},
        {&all_of_two, "cfl=(1)\ncfn=(2)\r\ncalls=1 0 0\n3 7 8\r\n", "call 1/2:3 =7"},
        {&one_cost, RECORD "3\n", "record 1/2:3 =0"},
        {&one_cost, RECORD "3 7\n" RECORD "4 8\n", "record 1/2:3 =7; record 1/2:4 =8"},
        {&one_cost, RECORD "3 7\n" CALL "4 8\n" CALL "5 9\n", "record 1/2:3 =7; call 1/2:4 =8; call 1/2:5 =9"},
        {&one_cost, CALL "4 8\n" RECORD "5 9\n\n", "call 1/2:4 =8; record 1/2:5 =9; blanks x1"},
        {&one_cost, "\nfl=(2147483647)\nfn=(2147483646)\n4294967293 999999999999999999\n",
         "record 2147483647/2147483646:4294967293 =999999999999999999"},
        {&one_cost, "cfl=(2147483647)\ncfn=(2147483646)\ncalls=1 0 0\n4294967293 1\n",
         "call 2147483647/2147483646:4294967293 =1"},
        {&one_cost, "\nfl=(0)\nfn=(000000012)\n007 1\n", "record 0/12:7 =1"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=2 0 0\n3 7\n", "call 1/2:3 =7 x2"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=4294967295 rubbish\n3 7\n", "call 1/2:3 =7 x4294967295"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=-1 0\r\n3 7\n", "call 1/2:3 =7 x0"},
        {&all_of_two, "cfl=(1)\ncfn=(2)\ncalls=3 0 \n3 7 8\n", "call 1/2:3 =7 x3"},
        {&one_cost, "\nfl=a.php\nfn=f\n3 7\ncfn=g\ncalls=1 0 0\n4 5\n", "record \"a.php\"/\"f\":3 =7; call -/\"g\":4 =5"},
        {&one_cost, "cfl=\ncfn=f\ncalls=1 0 0\n3 7\n", "call \"\"/\"f\":3 =7"},
        {&one_cost, "\nfl=(1)\nfn=f g\n3 7\ncfl=a\ncfn=(2)\ncalls=1 0 0\n4 5\n",
         "record 1/\"f g\":3 =7; call \"a\"/2:4 =5"},
        {&one_cost, "\r\nfl=a\r\nfn=f\r\n3 7\r\ncfn=g\r\ncalls=1 0 0\r\n4 5\r\n",
         "record \"a\"/\"f\":3 =7; call -/\"g\":4 =5"},
        {&one_cost, RECORD "3   7\n" CALL "4  -8\n", "record 1/2:3 =7; call 1/2:4 =-8"},
        {&second_of_three, RECORD "3   7  -8  9\n" CALL "4  5\n", "record 1/2:3 =-8; call 1/2:4 =0"},
        {&weighed, RECORD "3  7   1 2 \n", "record 1/2:3 =8"},
        {&all_of_two, RECORD "3  7   8\n", "record 1/2:3 =7,8"},
        {&first_of_three, RECORD "3 7 8 9\n" CALL "4 5\n", "record 1/2:3 =7; call 1/2:4 =5"},
        {&second_of_three, RECORD "3 7 -8\n" CALL "4 5\n", "record 1/2:3 =-8; call 1/2:4 =0"},
        {&weighed, RECORD "3 7 1 2\n" CALL "4 5\n", "record 1/2:3 =8; call 1/2:4 =10"},
        {&all_of_one, RECORD "3 7\n" CALL "4 -5\n", "record 1/2:3 =7,0; call 1/2:4 =-5"},
        {&all_of_one, RECORD "3\n", "record 1/2:3 =0,0"},
        {&all_of_two, RECORD "3 7 8\n" CALL "4 5 -6\n", "record 1/2:3 =7,8; call 1/2:4 =5"},
        {&all_of_two, RECORD "3 7\n" CALL "4\n", "record 1/2:3 =7,0; call 1/2:4 =0"},
        {&all_of_two, RECORD "3 123456789012345678 2147483647\n", "record 1/2:3 =123456789012345678,2147483647"},
        {&all_of_two, RECORD "3 -7 -2147483648\n", "record 1/2:3 =-7,-2147483648"},
    };
    ASSERT_CASES(cases);
}

static void other_groups_are_lines_of_their_own(void **state)
{
    (void)state;
    static const struct tokens_case cases[] = {
        /* records */
        {&one_cost, "fl=(1)\nfn=(2)\n3 7\n", "file (1); function (2); cost 3 =7"},
        {&one_cost, "\n" RECORD "3 7\n", "blanks x1; record 1/2:3 =7"},
        {&one_cost, "\r\r" RECORD "3 7\n", "line; file (1); function (2); cost 3 =7"},
        {&one_cost, "\nfl=(1) a\nfn=(2)\n3 7\n", "blanks x1; file (1) \"a\"; function (2); cost 3 =7"},
        {&one_cost, "\nfl=(1)\nfn=(2) f\n3 7\n", "blanks x1; file (1); function (2) \"f\"; cost 3 =7"},
        {&one_cost, "\nfl=(1)\r\r\nfn=(2)\n3 7\n", "blanks x1; line; function (2); cost 3 =7"},
        {&one_cost, "\nfl=(1)\nfn=(2)\rx\n3 7\n", "blanks x1; file (1); line; cost 3 =7"},
        {&one_cost, "\nfl=()\nfn=(2)\n3 7\n", "blanks x1; file \"()\"; function (2); cost 3 =7"},
        {&one_cost, "\nfi=(1)\nfn=(2)\n3 7\n", "blanks x1; inline file (1); function (2); cost 3 =7"},
        {&one_cost, "\nfl=(1)\nob=(2)\n3 7\n", "blanks x1; file (1); object (2); cost 3 =7"},
        {&one_cost, "\nfl=(1)\n\nfn=(2)\n3 7\n", "blanks x1; file (1); blanks x1; function (2); cost 3 =7"},
        {&one_cost, RECORD "+3 7\n", "blanks x1; file (1); function (2); cost +3 =7"},
        {&one_cost, RECORD "* 7\n", "blanks x1; file (1); function (2); cost +0 =7"},
        {&one_cost, RECORD "0x3 7\n", "blanks x1; file (1); function (2); cost 3 =7"},
        {&one_cost, RECORD "3 7 8\n", "blanks x1; file (1); function (2); line"},
        {&one_cost, RECORD "3 7x\n", "blanks x1; file (1); function (2); line"},
        {&one_cost, RECORD "3 \t7\n", "blanks x1; file (1); function (2); line"},
        {&one_cost, RECORD "3  7  \n", "blanks x1; file (1); function (2); line"},
        {&one_cost, RECORD "3  - 7\n", "blanks x1; file (1); function (2); line"},
        {&one_cost, RECORD "\n", "blanks x1; file (1); function (2); blanks x1"},
        {&one_cost, RECORD CALL "3 7\n", "blanks x1; file (1); function (2); call 1/2:3 =7"},
        {&one_cost, RECORD "3 1234567890123456789\n", "blanks x1; file (1); function (2); line"},
        {&one_cost, RECORD "4294967296 7\n", "blanks x1; file (1); function (2); cost 4294967296 =7"},
        {&one_cost, "\nfl=(2147483648)\nfn=(2)\n3 7\n", "blanks x1; line; function (2); cost 3 =7"},
        {&one_cost, "\nfl=(1)\nfn=(2147483648)\n3 7\n", "blanks x1; file (1); line; cost 3 =7"},
        {&heavy, RECORD "3 8\n", "blanks x1; file (1); function (2); line"},
        {&addresses, RECORD "3 7\n", "blanks x1; file (1); function (2); cost 7 =0"},
        /* calls */
        {&one_cost, "cfn=(2)\ncalls=1 0 0\n3 7\n", "callee (2); calls 1; cost 3 =7"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=-x 0\n3 7\n", "called file (1); callee (2); line; cost 3 =7"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=4294967296 0\n3 7\n",
         "called file (1); callee (2); calls 4294967296; cost 3 =7"},
        {&one_cost, "cfn=(2)\ncfn=f\ncalls=1 0 0\n3 7\n", "callee (2); call -/\"f\":3 =7"},
        {&one_cost, "cfn=f\n3 7\n", "callee \"f\"; cost 3 =7"},
        {&one_cost, "cfn= f\ncalls=1 0 0\n3 7\n", "line; calls 1; cost 3 =7"},
        {&one_cost, "cfn=(2) f\ncalls=1 0 0\n3 7\n", "callee (2) \"f\"; calls 1; cost 3 =7"},
        {&one_cost, "cfi=a\ncfn=f\ncalls=1 0 0\n3 7\n", "called file \"a\"; callee \"f\"; calls 1; cost 3 =7"},
        {&one_cost, "cob=(1)\ncfn=f\ncalls=1 0 0\n3 7\n", "called object (1); callee \"f\"; calls 1; cost 3 =7"},
        {&one_cost, "cfl=a \ncfn=f\ncalls=1 0 0\n3 7\n", "line; call -/\"f\":3 =7"},
        {&one_cost, "\nfl=a\nfn=\tf\n3 7\n", "blanks x1; file \"a\"; line; cost 3 =7"},
        {&one_cost, "\nfl=a\nfn=(x)\n3 7\n", "blanks x1; file \"a\"; function \"(x)\"; cost 3 =7"},
        {&one_cost, "\rcfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 7\n", "line; callee (2); calls 1; cost 3 =7"},
        {&one_cost, "cfl=(1)\ncfn=(2)\ncalls=1\n3 7\n", "called file (1); callee (2); line; cost 3 =7"},
        {&one_cost, "cfl=(1)\ncfn=(2)\n3 7\n", "called file (1); callee (2); cost 3 =7"},
        {&one_cost, "cfi=(1)\ncfn=(2)\ncalls=1 0 0\n3 7\n", "called file (1); callee (2); calls 1; cost 3 =7"},
        {&one_cost, "cob=(1)\ncfn=(2)\ncalls=1 0 0\n3 7\n", "called object (1); callee (2); calls 1; cost 3 =7"},
        {&one_cost, "cfn=(2)\ncfl=(1)\ncalls=1 0 0\n3 7\n", "callee (2); called file (1); calls 1; cost 3 =7"},
        {&one_cost, "cfl=(1) a\ncfn=(2)\ncalls=1 0 0\n3 7\n",
         "called file (1) \"a\"; callee (2); calls 1; cost 3 =7"},
        {&one_cost, "cfl=(1)\ncfn=(2) f\ncalls=1 0 0\n3 7\n",
         "called file (1); callee (2) \"f\"; calls 1; cost 3 =7"},
        {&one_cost, "\ncfl=(1)\ncfn=(2)\ncalls=1 0 0\n3 7\n", "blanks x1; call 1/2:3 =7"},
        {&one_cost, CALL "+3 7\n", "called file (1); callee (2); calls 1; cost +3 =7"},
        {&one_cost, CALL "\n3 7\n", "called file (1); callee (2); calls 1; blanks x1; cost 3 =7"},
        {&one_cost, CALL "4294967296 7\n", "called file (1); callee (2); calls 1; cost 4294967296 =7"},
        {&addresses, CALL "3 7 8\n", "called file (1); callee (2); calls 1; cost 7 =8"},
        /* lists of costs */
        {&all_of_one, RECORD "3 7 8\n", "blanks x1; file (1); function (2); line"},
        {&all_of_one, RECORD "3 7 \n", "record 1/2:3 =7,0"},
        {&all_of_two, RECORD "3 7 8 9\n", "blanks x1; file (1); function (2); cost text"},
        {&all_of_two, RECORD "3 7 x\n", "blanks x1; file (1); function (2); cost text"},
        {&all_of_two, RECORD "3 x\n", "blanks x1; file (1); function (2); cost text"},
        {&all_of_two, RECORD "3 7 2147483648\n", "blanks x1; file (1); function (2); cost text"},
        {&all_of_two, RECORD "3 7 -2147483649\n", "blanks x1; file (1); function (2); cost text"},
        {&all_of_two, CALL "3 7 4294967296\n", "called file (1); callee (2); calls 1; cost text"},
        {&all_of_two, CALL "3 7 8\rx\n", "called file (1); callee (2); calls 1; cost text"},
        {&all_of_three, RECORD "3 7\n", "blanks x1; file (1); function (2); cost text"},
    };
    ASSERT_CASES(cases);
}

/* ---- how much is taken -------------------------------------------------------------------- */

/* The same tokens, however many of them there is room for; and nothing is written after that room. */
static void there_may_be_little_room(void **state)
{
    (void)state;
    static const char text[] = "fl=(1) a\nfn=(1) f\n3 7\n" RECORD "3 7\n" CALL "4 8\n\ncfn=(2)\ncalls=2 0\n5 6\n"
                               "rubbish\njump=1 2\n3\nfn=name\n";
    static const char *const words[] = {"file (1) \"a\"", "function (1) \"f\"", "cost 3 =7",      "record 1/2:3 =7",
                                        "call 1/2:4 =8",  "blanks x1",          "callee (2)",     "calls 2",
                                        "cost 5 =6",      "line",               "jump 3",
                                        "function \"name\""};
    enum { TOKENS = sizeof words / sizeof words[0] };
    struct text copy = copy_text(text, sizeof text - 1);
    for (size_t capacity = 1; capacity <= TOKENS + 3; capacity++) {
        size_t number = 0;
        for (struct text rest = copy; !text_is_empty(rest);) {
            struct token room[TOKENS + 4];
            struct tokens tokens = {.tokens = room, .capacity = capacity};
            struct shown shown = {.length = 0};
            memset(room, 0xaa, sizeof room);
            const char *end = tokens_make(&tokens, &one_cost, rest, false);
            for (size_t i = 0; i < (TOKENS + 4 - capacity) * sizeof room[0]; i++)
                assert_int_equal(((unsigned char *)&room[capacity])[i], 0xaa);
            assert_true(tokens.count > 0 && tokens.count <= capacity);
            assert_true(end == copy.end || tokens.count == capacity);
            char expected[500] = "";
            for (size_t i = 0; i < tokens.count; i++, number++) {
                assert_true(number < TOKENS);
                strcat(strcat(expected, i > 0 ? "; " : ""), words[number]);
            }
            assert_ptr_equal(show(&shown, &one_cost, &tokens, rest.at), end);
            assert_string_equal(shown.words, expected);
            rest.at = end;
        }
        assert_int_equal(number, TOKENS);
    }
    free((char *)copy.at);
}

static char *repeat(const char *first, const char *line, size_t count, size_t *length)
{
    size_t begin = strlen(first), size = strlen(line);
    char *text = malloc(begin + count * size + LINES_SLACK);
    assert_non_null(text);
    memcpy(text, first, begin);
    for (size_t i = 0; i < count; i++)
        memcpy(text + begin + i * size, line, size);
    *length = begin + count * size;
    memset(text + *length, '7', LINES_SLACK);
    return text;
}

/* A token has 65,535 lines at most, of which no sum leaves 64 bits. */
static void tokens_have_a_limited_number_of_lines(void **state)
{
    (void)state;
    static const struct {
        const struct line_form *form;
        const char *first, *line, *expected;
        size_t count;
    } cases[] = {
        {&by_callgrind, "", "\n", "blanks x65535", 65535},
        {&by_callgrind, "", "\n", "blanks x65535; blanks x65535; blanks x2", 131072},
        {&by_callgrind, "fn=(1)\n", "+1 2\n", "function (1); costs x65535 +1 =131070 to +65535", 65535},
        {&by_callgrind, "fn=(1)\n", "+1 2\n", "function (1); costs x65535 +1 =131070 to +65535; cost +1 =2",
         65536},
        {&by_callgrind, "fn=(1)\n", "+1 2\n",
         "function (1); costs x65535 +1 =131070 to +65535; costs x2 +1 =4 to +2", 65537},
        {&by_callgrind, "fn=(1)\n5 1\n", "jump=1 2\n* \n", "function (1); costs x65535 5 =1 to 5; jump +0",
         32768},
        {&by_callgrind, "fn=(1)\n5 1\n6 1\n", "jump=1 2\n* \n", "function (1); costs x65534 5 =2 to 6; jump +0",
         32767},
        {&by_callgrind, "fn=(1)\n", "5 140739635871744\n",
         "function (1); costs x65535 5 =9223372036854743040 to 5; cost 5 =140739635871744", 65536},
        {&addresses, "fn=(1)\n1 1 0\n", "+1 +1 2\n", "function (1); costs x65535 1 =131068 to 65535", 65534},
        {&addresses, "fn=(1)\n1 1 0\n", "+1 +1 2\n",
         "function (1); costs x65535 1 =131068 to 65535; costs x2 +1 =4 to +2", 65536},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct token room[CAPACITY];
        struct tokens tokens = {.tokens = room, .capacity = CAPACITY};
        struct shown shown = {.length = 0};
        size_t length;
        char *text = repeat(cases[i].first, cases[i].line, cases[i].count, &length);
        const char *end = tokens_make(&tokens, cases[i].form, text_of(text, length), false);
        assert_ptr_equal(end, text + length);
        assert_ptr_equal(show(&shown, cases[i].form, &tokens, text), end);
        assert_string_equal(shown.words, cases[i].expected);
        free(text);
    }
}

/* Where a record begins, but not at the start. */
static void tokens_may_stop_at_records(void **state)
{
    (void)state;
    static const struct {
        const char *taken, *rest, *expected;
    } cases[] = {
        {RECORD "3 7\n", RECORD "4 8\n", "record 1/2:3 =7"},
        {RECORD "3 7\n" CALL "4 8\n", "\nfl=(1) a\n", "record 1/2:3 =7; call 1/2:4 =8"},
        {"fn=(1)\n3 7\n4 8\n", RECORD "4 8\n", "function (1); costs x2 3 =15 to 4"},
        {"\nfl=(1) a\nfn=(2) f\n3 7\n", "\nfl=(", "blanks x1; file (1) \"a\"; function (2) \"f\"; cost 3 =7"},
        {"rubbish\n", RECORD, "line"},
        {"3 7\n\nfn=(1)\n\nob=a\n", RECORD, "cost 3 =7; blanks x1; function (1); blanks x1; object \"a\""},
        {"3 7\n", "\nfl=a\n", "cost 3 =7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500];
        struct token room[CAPACITY];
        struct tokens tokens = {.tokens = room, .capacity = CAPACITY};
        struct shown shown = {.length = 0};
        int length = snprintf(text, sizeof text, "%s%s\n", cases[i].taken, cases[i].rest);
        struct text copy = copy_text(text, (size_t)length);
        const char *end = tokens_make(&tokens, &one_cost, copy, true);
        assert_int_equal(end - copy.at, strlen(cases[i].taken));
        show(&shown, &one_cost, &tokens, copy.at);
        assert_string_equal(shown.words, cases[i].expected);
        free((char *)copy.at);
    }
}

/* ---- where a text is cut ------------------------------------------------------------------ */

/* A record after `before` bytes of other lines and `after` bytes before the end. */
static void a_text_is_cut_wherever_its_last_record_begins(void **state)
{
    (void)state;
    enum { MOST = 200 };
    static const char record[] = "\nfl=(1)\n";
    for (size_t before = 0; before <= MOST; before++)
        for (size_t after = 0; after <= MOST; after += after < 70 ? 1 : 13) {
            char text[2 * MOST + 20];
            size_t length = before + sizeof record - 1 + after;
            memset(text, 'x', sizeof text);
            memcpy(text + before, record, sizeof record - 1);
            if (before > 0)
                text[before - 1] = '\n';
            text[length - 1] = '\n';
            struct text copy = copy_text(text, length);
            assert_int_equal(tokens_cut(copy), before);
            /* Without its first byte, there is no record. */
            copy.end = copy.at + before;
            assert_int_equal(tokens_cut(copy), 0);
            free((char *)copy.at);
        }
}

static void a_text_is_cut_only_where_records_begin(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t cut;
    } cases[] = {
        {"", 0},
        {"\n", 0},
        {"abc\n", 0},
        {"abc\n\n", 0},
        {"a\n\nfn=(1)\n3 4\n", 0},
        {"a\n\nfi=a\nfn=(1)\n3 4\n", 0},
        {"a\n\nfl=a\nfn=(1)\n3 4\n", 2},
        {"a\nfl=(1)\n", 0},
        {"a\n \nfl=(1)\n", 0},
        {"a\n\r\nfl=(1)\n", 0},
        {"\nfl=(1)\nfn=(1)\n3 4\n", 0},
        {"a\n\nfl=(1)\nfn=(1)\n3 4\n", 2},
        {"a\n\n\nfl=(1)\nfn=(1)\n3 4\n", 3},
        {"\n\nfl=(1)\n", 1},
        {"a\n\nfl=(1)\n\nfl=(2)\n", 10},
        {"a\n\nfl=(1)\n\nfl=2\n\nfn=3\n", 10},
        {RECORD "3 4\n" RECORD "5 6\n" RECORD "7 8\n", 2 * (sizeof RECORD "3 4\n" - 1)},
        {"a\n\nfl=(1)\n......................................................................................"
         "......................................................................................\n",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text copy = copy_text(cases[i].text, strlen(cases[i].text));
        assert_int_equal(tokens_cut(copy), cases[i].cut);
        free((char *)copy.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_lines_have_positions_and_costs),
        cmocka_unit_test(lines_may_have_several_positions),
        cmocka_unit_test(other_costs_are_other_lines),
        cmocka_unit_test(self_costs_are_added_up),
        cmocka_unit_test(costs_that_repeat_are_added_up),
        cmocka_unit_test(costs_end_with_the_text),
        cmocka_unit_test(jumps_may_be_among_self_costs),
        cmocka_unit_test(some_costs_stay_text),
        cmocka_unit_test(each_key_has_its_names),
        cmocka_unit_test(calls_and_jumps_are_tokens),
        cmocka_unit_test(other_keys_are_other_lines),
        cmocka_unit_test(blank_lines_are_one_token),
        cmocka_unit_test(usual_groups_are_one_token),
        cmocka_unit_test(other_groups_are_lines_of_their_own),
        cmocka_unit_test(there_may_be_little_room),
        cmocka_unit_test(tokens_have_a_limited_number_of_lines),
        cmocka_unit_test(tokens_may_stop_at_records),
        cmocka_unit_test(a_text_is_cut_wherever_its_last_record_begins),
        cmocka_unit_test(a_text_is_cut_only_where_records_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
