/*
 * What --print chooses: rows by patterns, callers and callees, and the differences of two files. The
 * input is a byte that chooses options, three patterns, each with a NUL after it, and two files with
 * the length of the first one before them, in two bytes. What is shown must be whole JSON, and not
 * contradict itself.
 */
#include "fuzz.h"

#include "view/differences.h"
#include "view/print.h"
#include "util/text.h"
#include "read/preprocessed_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The patterns of --only, --hide and --function */
enum { PATTERNS = 3 };

/* Takes a pattern. Returns false if there is no end of one, or it is empty. */
static bool take_pattern(struct text *input, const char **pattern)
{
    const char *end = memchr(input->at, '\0', text_length(*input));
    if (end == NULL || end == input->at)
        return false;
    *pattern = input->at;
    input->at = end + 1;
    return true;
}

/* Is it a whole file? Sets *function_count to the number of its functions. */
static bool is_file(struct text file, uint32_t *function_count)
{
    struct preprocessed p;
    struct diag diag = {.input = "input"};
    if (!preprocessed_recognises(file) || !preprocessed_try(&p, file, &diag))
        return false;
    *function_count = p.function_count;
    preprocessed_free(&p);
    return true;
}

/* Prints with the options, in memory. NULL if that fails, which one error has to explain. */
static char *show(struct options *options)
{
    struct fuzz_messages messages = {0};
    struct diag diag = {.report = fuzz_report, .user = &messages, .input = "input"};
    char *text = NULL;
    size_t size;
    struct bar bar;
    FILE *out = open_memstream(&text, &size);
    FUZZ_CHECK(out != NULL);
    bar_init(&bar);
    cg2wg_options_init(&options->convert);
    options->convert.report = fuzz_report;
    options->convert.user = &messages;
    bool done = options->base != NULL
                    ? print_differences(out, options, &bar, &diag) != DIFFERENCES_FAILED
                    : print_input(out, options, &bar, &diag);
    fclose(out);
    FUZZ_CHECK(messages.errors == !done);
    fuzz_messages_free(&messages);
    if (done && options->print_style == PRINT_JSON) {
        FUZZ_CHECK(strlen(text) == size);
        fuzz_check_json(text);
    }
    if (!done) {
        free(text);
        text = NULL;
    }
    return text;
}

/* The number after the first `"key": ` of JSON. */
static double number_after(const char *json, const char *key)
{
    char member[40];
    snprintf(member, sizeof member, "\"%s\": ", key);
    const char *at = strstr(json, member);
    FUZZ_CHECK(at != NULL);
    return strtod(at + strlen(member), NULL);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* Every function is shown or left out. */
static void check_choice(struct options *options, uint32_t function_count)
{
    char *text = show(options);
    if (text == NULL || options->print_style != PRINT_JSON) {
        free(text);
        return;
    }
    const char *left_out = strstr(text, "\"left_out\": {");
    FUZZ_CHECK(left_out != NULL);
    size_t shown = count_of(text, "{\"number\": ");
    FUZZ_CHECK((double)shown + number_after(left_out, "functions") == function_count);
    free(text);
}

static void check_calls(struct options *options, const char *pattern)
{
    const char *all = "*";
    options->functions = (struct patterns){&pattern, 1};
    free(show(options));
    options->functions.words = &all;
    char *text = show(options);
    FUZZ_CHECK(text != NULL || options->only.count > 0 || options->hide.count > 0);
    free(text);
    options->functions.count = 0;
}

/* How `now` differs from `base`, as JSON; NULL: their units do not allow that. */
static char *differences(const struct options *options, const char *base, const char *now)
{
    struct options o = *options;
    o.base = base;
    o.inputs = &now;
    o.functions.count = 0;
    free(show(&o));
    o.print_style = PRINT_JSON;
    o.print_min = o.print_top = 0;
    o.only.count = o.hide.count = 0;
    return show(&o);
}

/* A file does not differ from itself. What one direction adds, the other removes. */
static void check_differences(const struct options *options, const char *first, const char *second)
{
    char *same = differences(options, first, first);
    FUZZ_CHECK(same != NULL && number_after(same, "change") == 0);
    FUZZ_CHECK(strstr(same, "{\"change\": ") == NULL);
    char *there = differences(options, first, second), *back = differences(options, second, first);
    FUZZ_CHECK((there == NULL) == (back == NULL));
    if (there != NULL) {
        FUZZ_CHECK(number_after(there, "change") == -number_after(back, "change"));
        FUZZ_CHECK(number_after(there, "unchanged") == number_after(back, "unchanged"));
        FUZZ_CHECK(count_of(there, "{\"change\": \"new\"") == count_of(back, "{\"change\": \"gone\""));
        FUZZ_CHECK(count_of(there, "{\"change\": \"grew\"") == count_of(back, "{\"change\": \"shrank\""));
        FUZZ_CHECK(count_of(there, "{\"change\": \"gone\"") == count_of(back, "{\"change\": \"new\""));
    }
    free(same);
    free(there);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text input = text_of((const char *)data, size);
    const char *patterns[PATTERNS];
    if (size < 1)
        return 0;
    unsigned choice = (unsigned char)*input.at++;
    for (size_t i = 0; i < PATTERNS; i++)
        if (!take_pattern(&input, &patterns[i]))
            return -1;
    if (text_length(input) < 2)
        return -1;
    size_t length = (size_t)(unsigned char)input.at[0] | (size_t)(unsigned char)input.at[1] << 8;
    input.at += 2;
    if (length > text_length(input))
        return -1;
    struct text first = text_of(input.at, length), second = {input.at + length, input.end};
    uint32_t function_count;
    if (!is_file(first, &function_count) || !is_file(second, &function_count))
        return -1;

    const char *paths[] = {fuzz_path("first"), fuzz_path("second")};
    fuzz_write(paths[0], first.at, length);
    fuzz_write(paths[1], second.at, text_length(second));
    struct options options = {.inputs = &paths[1],
                              .input_count = 1,
                              .fail_over = -1,
                              .print_style = (choice & 1) != 0 ? PRINT_JSON : PRINT_TABLE,
                              .columns = (choice & 2) != 0 ? 60 : 0,
                              .print_order = (enum print_order)((choice >> 2 & 7) % (ORDER_NONE + 1)),
                              .print_top = choice >> 5 & 1,
                              .print_min = (choice >> 6) * 5 - 1,
                              .only = {&patterns[0], choice >> 5 & 1},
                              .hide = {&patterns[1], choice >> 6 & 1}};
    check_choice(&options, function_count);
    check_calls(&options, patterns[2]);
    check_differences(&options, paths[0], paths[1]);
    return 0;
}
