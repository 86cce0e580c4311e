/* SPDX-License-Identifier: MIT */
/*
 * The real profiles in testdata/, and webgrind's files there: cut off at every byte, and with every
 * byte replaced by some that have a meaning. Whatever comes of it, the output is whole and readable, or
 * there is none and a message says why; it comes soon, and nothing else remains. LARGEST, as
 * an argument, says up to what size profiles are taken.
 */
#include "preprocessed_file.h"
#include "support.h"

#include "util/diag.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOON = 20 /* seconds, after which the process is ended */, ENOUGH_FILES = 3 };

static size_t largest;
static char *input_path, *output_path;
static uint64_t conversions;

struct outcome {
    unsigned errors;
    char last[1024];
};

static void keep_error(void *user, const struct cg2wg_message *message)
{
    struct outcome *outcome = user;
    if (message->severity != CG2WG_ERROR)
        return;
    outcome->errors++;
    snprintf(outcome->last, sizeof outcome->last, "%s", message->text);
}

/* Takes stacks; all numbers must be within them. */
static void take_stacks(void *user, const struct cg2wg_profile *stacks)
{
    for (size_t i = 0; i < stacks->context_count; i++) {
        const struct cg2wg_context *c = &stacks->contexts[i];
        if (c->function >= stacks->function_count || (c->parent != CG2WG_NO_CONTEXT && c->parent >= i))
            fail_msg("context %zu has function %" PRIu32 ", parent %" PRIu32, i, c->function, c->parent);
    }
    *(bool *)user = true;
}

/* The stacks of the input, at some places: they, or one message. */
static void check_stacks(const char *name, const char *what, size_t place)
{
    struct outcome outcome = {.errors = 0};
    struct cg2wg_options options = default_options();
    bool is_shown = false;
    options.report = keep_error;
    options.user = &outcome;
    enum cg2wg_status status = cg2wg_read(input_path, &options, CG2WG_WANTS_CONTEXTS, take_stacks, &is_shown);
    if (status == CG2WG_MISUSE || is_shown != (status == CG2WG_OK) || outcome.errors != (status == CG2WG_OK ? 0 : 1))
        fail_msg("%s, %s byte %zu: stacks: status %d, %u errors, %s", name, what, place, (int)status, outcome.errors,
                 is_shown ? "shown" : "not shown");
}

static void check(const char *name, const char *what, size_t place, const char *bytes, size_t size)
{
    struct outcome outcome = {.errors = 0};
    struct cg2wg_options options = default_options();
    struct preprocessed p = {.bytes = NULL};
    options.format = place % 2 == 0 ? 7 : 4;
    options.inclusive = place % 3 == 0 ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_SUM;
    options.report = keep_error;
    options.user = &outcome;
    unlink(output_path);
    write_file(input_path, bytes, size);
    alarm(SOON);
    enum cg2wg_status status = cg2wg_convert(input_path, output_path, &options, NULL);
    if (place % 5 == 0)
        check_stacks(name, what, place);
    alarm(0);
    conversions++;

    bool is_there = access(output_path, F_OK) == 0;
    if (status == CG2WG_MISUSE || is_there != (status == CG2WG_OK) || outcome.errors != (status == CG2WG_OK ? 0 : 1))
        fail_msg("%s, %s byte %zu: status %d, %u errors, %s output", name, what, place, (int)status, outcome.errors,
                 is_there ? "an" : "no");
    if (!is_there)
        return;
    struct diag diag = {.report = keep_error, .user = &outcome};
    if (!preprocessed_read(&p, output_path, &diag))
        fail_msg("%s, %s byte %zu: the output cannot be read: %s", name, what, place, outcome.last);
    preprocessed_free(&p);
}

/* Of each cut profile there is nothing after its end that could be read by mistake. */
static void cut_everywhere(const char *name, const char *bytes, size_t size)
{
    for (size_t length = 0; length <= size; length++) {
        char *copy = malloc(length + 1);
        memcpy(copy, bytes, length);
        check(name, "cut off at", length, copy, length);
        free(copy);
    }
}

static void replace_everywhere(const char *name, char *bytes, size_t size)
{
    static const char telling[] = {'\n', '(', '-', '9', '\0', '\xff'};
    char what[32];
    for (size_t i = 0; i < size; i++) {
        char old = bytes[i];
        for (size_t t = 0; t < sizeof telling; t++) {
            if (telling[t] == old)
                continue;
            bytes[i] = telling[t];
            snprintf(what, sizeof what, "with 0x%02x for", (unsigned char)telling[t]);
            check(name, what, i, bytes, size);
        }
        bytes[i] = old;
    }
}

/* Conversions leave no temporary files. */
static void check_folder(const char *name)
{
    char *folder = scratch_path("");
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] != '.' ? strstr(input_path, entry->d_name) == NULL &&
                                          strstr(output_path, entry->d_name) == NULL
                                    : strlen(entry->d_name) > 2)
            fail_msg("%s: %s was left there", name, entry->d_name);
    closedir(stream);
    free(folder);
}

static bool is_input(const char *name)
{
    size_t length = strlen(name);
    return strstr(name, ".expected") == NULL && strstr(name, ".proxies") == NULL &&
           strstr(name, ".out") != NULL && length > 4;
}

static int damage_folder(const char *folder)
{
    int count = 0;
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        char path[512];
        size_t size;
        if (!is_input(entry->d_name))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *bytes = read_file(path, &size);
        if (size <= largest) {
            cut_everywhere(path, bytes, size);
            replace_everywhere(path, bytes, size);
            check_folder(path);
            count++;
        }
        free(bytes);
    }
    closedir(stream);
    return count;
}

static void damaged_profiles_convert_wholly_or_not_at_all(void **state)
{
    int files = 0;
    input_path = scratch_path("damaged");
    output_path = scratch_path("converted");
    files += damage_folder("testdata/issues");
    files += damage_folder("testdata/xdebug");
    files += damage_folder("testdata/valgrind");
    files += damage_folder("testdata/other");
    print_message("%d files, %" PRIu64 " conversions\n", files, conversions);
    assert_true(is_watched() || files >= ENOUGH_FILES);
    free(input_path);
    free(output_path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_profiles_convert_wholly_or_not_at_all),
    };
    largest = argc > 1 ? strtoul(argv[1], NULL, 10) : is_watched() ? 140 : 830;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
