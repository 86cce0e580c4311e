/* SPDX-License-Identifier: MIT */
/*
 * What --print chooses: rows by patterns, callers and callees, and the differences of two files. The
 * input is a byte that chooses options, three patterns, each with a NUL after it, and two files with
 * the length of the first one before them, in two bytes. What is shown must be whole JSON, and not
 * contradict itself.
 */
#include "fuzz.h"
#include "preprocessed_file.h"

#include "util/text.h"

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

/* What is printed, and how. */
struct printing {
    const char *path;
    struct cg2wg_view view;
};

/* Prints in memory. NULL if that fails, which one error has to explain. */
static char *show(const struct printing *p)
{
    struct fuzz_messages messages = {0};
    struct cg2wg_options options;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    FUZZ_CHECK(out != NULL);
    cg2wg_options_init(&options, sizeof options);
    options.report = fuzz_report;
    options.user = &messages;
    bool done = cg2wg_print(p->path, &options, &p->view, out, NULL) == CG2WG_OK;
    fclose(out);
    FUZZ_CHECK(messages.errors == !done);
    fuzz_messages_free(&messages);
    if (done && p->view.style == CG2WG_JSON) {
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
static void check_choice(struct printing *printing, uint32_t function_count)
{
    char *text = show(printing);
    if (text == NULL || printing->view.style != CG2WG_JSON) {
        free(text);
        return;
    }
    const char *left_out = strstr(text, "\"left_out\": {");
    FUZZ_CHECK(left_out != NULL);
    char *others = strstr(text, "\"other_functions\": [");
    FUZZ_CHECK(others != NULL);
    *others = '\0';
    size_t shown = count_of(text, "{\"number\": ");
    FUZZ_CHECK((double)shown + number_after(left_out, "functions") == function_count);
    free(text);
}

static void check_calls(struct printing *printing, const char *pattern)
{
    const char *all = "*";
    printing->view.functions = (struct cg2wg_patterns){&pattern, 1};
    free(show(printing));
    printing->view.functions.words = &all;
    char *text = show(printing);
    FUZZ_CHECK(text != NULL || printing->view.only.count > 0 || printing->view.hide.count > 0);
    free(text);
    printing->view.functions.count = 0;
}

/* How `now` differs from `base`, as JSON; NULL: their units do not allow that. */
static char *differences(const struct printing *printing, const char *base, const char *now)
{
    struct printing p = *printing;
    p.path = now;
    p.view.base = base;
    p.view.functions.count = 0;
    free(show(&p));
    p.view.style = CG2WG_JSON;
    p.view.min = p.view.top = 0;
    p.view.only.count = p.view.hide.count = 0;
    return show(&p);
}

/* A file does not differ from itself. What one direction adds, the other removes. */
static void check_differences(const struct printing *printing, const char *first, const char *second)
{
    char *same = differences(printing, first, first);
    FUZZ_CHECK(same != NULL && number_after(same, "change") == 0);
    FUZZ_CHECK(strstr(same, "{\"change\": ") == NULL);
    char *there = differences(printing, first, second), *back = differences(printing, second, first);
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
    write_file(paths[0], first.at, length);
    write_file(paths[1], second.at, text_length(second));
    struct printing printing = {.path = paths[1],
                                .view = {.size = sizeof printing.view, .fail_above = -1,
                                         .style = (choice & 1) != 0 ? CG2WG_JSON : CG2WG_TABLE,
                                         .columns = (choice & 2) != 0 ? 60 : 0,
                                         .order = (enum cg2wg_order)((choice >> 2 & 7) % (CG2WG_BY_PLACE + 1)),
                                         .top = choice >> 5 & 1,
                                         .min = (choice >> 6) * 5.0 - 1,
                                         .only = {&patterns[0], choice >> 5 & 1},
                                         .hide = {&patterns[1], choice >> 6 & 1}}};
    check_choice(&printing, function_count);
    check_calls(&printing, patterns[2]);
    check_differences(&printing, paths[0], paths[1]);
    return 0;
}
