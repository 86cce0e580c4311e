/* SPDX-License-Identifier: MIT */
#include "support.h"

#include "job.h"
#include "indent.h"
#include "preprocessed_file.h"
#include "util/diag.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- tools -------------------------------------------------------------------------------- */

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer) || HAS_FEATURE(memory_sanitizer)
enum { HAS_SANITIZER = 1 };
#else
enum { HAS_SANITIZER = 0 };
#endif

#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
enum { HAS_THREAD_SANITIZER = 1 };
#else
enum { HAS_THREAD_SANITIZER = 0 };
#endif

bool threads_are_watched(void)
{
    return HAS_THREAD_SANITIZER;
}

/* The linker leads calls of pthread_create here: see tests.mk. */
static atomic_uint started;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int error = __real_pthread_create(thread, attributes, run, argument);
    if (error == 0)
        atomic_fetch_add(&started, 1);
    return error;
}

unsigned threads_started(void)
{
    return atomic_load(&started);
}

bool has_sums(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* $RUNNER is what tests/run.sh puts before each program. */
bool is_watched(void)
{
    const char *runner = getenv("RUNNER");
    return HAS_SANITIZER || (runner != NULL && *runner != '\0');
}

bool has_program(const char *name)
{
    char command[200];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* ---- random numbers ----------------------------------------------------------------------- */

uint32_t random_below(uint64_t *state, uint32_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 16) % bound);
}

/* ---- dump --------------------------------------------------------------------------------- */

static void put_text(FILE *out, struct text t)
{
    for (const char *c = t.at; c < t.end; c++)
        if ((unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f)
            fputc(*c, out);
        else
            fprintf(out, "\\x%02x", (unsigned char)*c);
}

static void put_name(FILE *out, const struct preprocessed *p, uint32_t number)
{
    put_text(out, preprocessed_function(p, number).name);
}

static void put_calls(FILE *out, const struct preprocessed *p, const char *word, size_t at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct stored_call call = preprocessed_call(p, at, i);
        fprintf(out, "  %s ", word);
        put_name(out, p, call.function);
        fprintf(out, ":%" PRIu32 " x%" PRIu32 " =%" PRIu32 "\n", call.line, call.count, call.cost);
    }
}

static void put_invocation(FILE *out, const struct preprocessed *p, size_t at, uint32_t number)
{
    struct stored_invocation v = preprocessed_invocation(p, at, number);
    fprintf(out, "  #%" PRIu32 " self=%" PRIu32 " incl=%" PRIu32 " from ", number, v.self, v.inclusive);
    if (v.caller.function == NONE) {
        fprintf(out, "nobody\n");
        assert_int_equal(v.caller.cost, 0);
        assert_int_equal(v.caller.invocation, 0);
        assert_int_equal(v.caller.line, 0);
    } else {
        put_name(out, p, v.caller.function);
        fprintf(out, "#%" PRIu32 ":%" PRIu32 " =%" PRIu32 "\n", v.caller.invocation, v.caller.line, v.caller.cost);
    }
    for (uint32_t i = 0; i < v.sub_call_count; i++) {
        struct stored_call c = preprocessed_call(p, v.sub_calls_at, i);
        fprintf(out, "    to ");
        put_name(out, p, c.function);
        fprintf(out, "#%" PRIu32 ":%" PRIu32 " =%" PRIu32 "\n", c.invocation, c.line, c.cost);
    }
}

static void put_function(FILE *out, const struct preprocessed *p, uint32_t number)
{
    struct preprocessed_function f = preprocessed_function(p, number);
    if (f.file.at == f.file.end)
        fputc('-', out);
    put_text(out, f.file);
    fputc(' ', out);
    put_text(out, f.name);
    if (p->version == 7)
        fprintf(out, " line=%" PRIu32, f.line);
    fprintf(out, " self=%" PRIu32 " incl=%" PRIu32, f.self, f.inclusive);
    if (p->version == 4)
        fprintf(out, " calls=%" PRIu32, f.call_cost);
    fprintf(out, " inv=%" PRIu32 "\n", f.invocations);
    if (p->version == 4) {
        for (uint32_t i = 0; i < f.invocations; i++)
            put_invocation(out, p, f.invocations_at, i);
        return;
    }
    put_calls(out, p, "from", f.called_from_at, f.called_from_count);
    put_calls(out, p, "to", f.sub_calls_at, f.sub_call_count);
}

static void keep_message(void *user, const struct cg2wg_message *message)
{
    static const char *const words[] = {"note", "warning", "error"};
    FILE *out = user;
    fprintf(out, "%s: ", words[message->severity]);
    if (message->line > 0)
        fprintf(out, "%" PRIu64 ": ", message->line);
    fprintf(out, "%s\n", message->text);
}

/* What cg2wg says about a merged file, and what it adds to a command. */
static bool is_of_merged(struct text key, struct text value)
{
    uint64_t profiles;
    bool overflow = false;
    return text_equals(key, "cg2wg-cmd") ||
           (text_equals(key, "cmd") && text_take_number(&value, &profiles, &overflow) &&
            text_starts(value, " profile"));
}

static void take_note(struct text *value)
{
    const char *p = value->end;
    while (p > value->at && *--p != '[')
        ;
    if (text_starts((struct text){p, value->end}, "[costs ") && value->end[-1] == ']')
        value->end = p > value->at ? p - 1 : p;
}

bool next_header(struct text *rest, struct text *key, struct text *value)
{
    while (preprocessed_next_header(rest, key, value)) {
        bool is_command = text_equals(*key, "cmd");
        if (is_command)
            take_note(value);
        if (!is_of_merged(*key, *value) && (!is_command || !text_is_empty(*value)))
            return true;
    }
    return false;
}

int digit_of(const struct preprocessed *p, uint32_t function)
{
    return preprocessed_function(p, function).name.at[1] - '0';
}

char *dump_preprocessed(const char *path)
{
    char *dump = NULL;
    size_t size;
    FILE *out = open_memstream(&dump, &size);
    struct diag diag = {.report = keep_message, .user = out, .input = path};
    struct preprocessed p;
    if (!preprocessed_read(&p, path, &diag)) {
        fclose(out);
        return dump;
    }
    for (uint32_t i = 0; i < p.function_count; i++)
        put_function(out, &p, i);
    struct text rest = p.headers, key, value;
    while (next_header(&rest, &key, &value)) {
        fprintf(out, "header: ");
        put_text(out, key);
        fprintf(out, ": ");
        put_text(out, value);
        fputc('\n', out);
    }
    preprocessed_free(&p);
    fclose(out);
    return dump;
}

/* ---- conversions -------------------------------------------------------------------------- */

size_t read_at_once;

struct cg2wg_options default_options(void)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options, sizeof options);
    return options;
}

struct cg2wg_options options_to(unsigned format)
{
    struct cg2wg_options options = default_options();
    options.format = format;
    return options;
}

struct cg2wg_options options_for(const char *event)
{
    struct cg2wg_options options = default_options();
    options.event = event;
    return options;
}

struct conversion_result convert_files(const char *const *paths, size_t count, const struct cg2wg_options *given)
{
    struct conversion_result result = {.stats.size = sizeof result.stats};
    struct cg2wg_options options = given != NULL ? *given : default_options();
    size_t messages_size;
    char *output = scratch_path("output");
    FILE *messages = open_memstream(&result.messages, &messages_size);
    options.report = keep_message;
    options.user = messages;
    unlink(output);
    result.status = convert_in_blocks(paths, count, output, &options, &result.stats, read_at_once);
    fclose(messages);
    if (access(output, F_OK) == 0) {
        result.bytes = (unsigned char *)read_file(output, &result.size);
        result.dump = dump_preprocessed(output);
    } else {
        result.dump = strdup("");
    }
    free(output);
    return result;
}

struct conversion_result convert_file(const char *path, const struct cg2wg_options *options)
{
    return convert_files(&path, 1, options);
}

struct conversion_result convert_texts(const char *const *profiles, size_t count, const struct cg2wg_options *options)
{
    char **paths = calloc(count + 1, sizeof *paths);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "input%zu", i);
        paths[i] = scratch_path(name);
        write_file(paths[i], profiles[i], strlen(profiles[i]));
    }
    struct conversion_result result = convert_files((const char *const *)paths, count, options);
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    return result;
}

struct conversion_result convert_bytes(const void *profile, size_t length, const struct cg2wg_options *options)
{
    char *input = scratch_path("input");
    write_file(input, profile, length);
    struct conversion_result result = convert_file(input, options);
    free(input);
    return result;
}

struct conversion_result convert_text(const char *profile, const struct cg2wg_options *options)
{
    return convert_bytes(profile, strlen(profile), options);
}

static void put_event(void *user, const struct cg2wg_event *event)
{
    fprintf(user, "%s|%s|%s|%" PRId64 "\n", event->name, event->formula != NULL ? event->formula : "-",
            event->long_name != NULL ? event->long_name : "-", event->total);
}

struct conversion_result list_events(const void *profile, size_t length, const struct cg2wg_options *given)
{
    struct conversion_result result = {.size = 0};
    struct cg2wg_options options = *given;
    size_t size;
    char *input = scratch_path("input");
    FILE *messages = open_memstream(&result.messages, &size), *out = open_memstream(&result.dump, &size);
    write_file(input, profile, length);
    options.report = keep_message;
    options.user = messages;
    result.status = cg2wg_list_events(input, &options, put_event, out);
    fclose(messages);
    fclose(out);
    free(input);
    return result;
}

void conversion_free(struct conversion_result *result)
{
    free(result->messages);
    free(result->dump);
    free(result->bytes);
}

/* Is it "warning: the total is N, less than ..." or "..., more than ..."? */
static bool is_about_an_odd_total(const char *message)
{
    static const char start[] = "warning: the total is ";
    static const char less[] = ", less than ", more[] = ", more than ";
    if (strncmp(message, start, strlen(start)) != 0)
        return false;
    message += strlen(start);
    message += strspn(message, "-0123456789");
    return strncmp(message, less, strlen(less)) == 0 || strncmp(message, more, strlen(more)) == 0;
}

void ignore_odd_totals(struct conversion_result *result)
{
    char *kept = result->messages;
    for (const char *line = result->messages; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!is_about_an_odd_total(line)) {
            memmove(kept, line, length);
            kept += length;
        }
        line += length;
    }
    *kept = '\0';
}

static void assert_same(const char *what, const struct conversion_result *general,
                        const struct conversion_result *usual)
{
    if (general->status != usual->status || strcmp(general->messages, usual->messages) != 0)
        fail_msg("%s: general: %d %susual: %d %s", what, general->status, general->messages, usual->status,
                 usual->messages);
    if (general->size != usual->size ||
        (general->size > 0 && memcmp(general->bytes, usual->bytes, general->size) != 0)) {
        print_error("general:\n%s\nusual:\n%s\n", general->dump, usual->dump);
        fail_msg("%s: the outputs differ", what);
    }
    assert_int_equal(general->stats.lines, usual->stats.lines);
    assert_in_range(usual->stats.slow_lines, 0, general->stats.slow_lines);
}

uint64_t compare_with_general(const char *what, const char *profile, size_t length, const struct cg2wg_options *given,
                              const size_t *blocks)
{
    enum { THREADS = 3 };
    static const char *const no_function[] = {"no function has this name"};
    struct cg2wg_options options = given != NULL ? *given : default_options();
    options.threads = 1;
    size_t indented_length = length;
    char *indented = indent_lines(profile, &indented_length);
    read_at_once = 0;
    struct conversion_result general = convert_bytes(indented, indented_length, &options), usual;
    free(indented);
    if (general.status == CG2WG_OK && general.stats.slow_lines < indented_length - length)
        fail_msg("%s: only %" PRIu64 " indented lines were read by the general code", what, general.stats.slow_lines);
    for (size_t i = 0; i == 0 || blocks[i - 1] != 0; i++) {
        /* Blocks of a good size are larger than all that is converted here: one thread reads it. */
        for (options.threads = 1; options.threads <= (blocks[i] > 0 ? THREADS : 1); options.threads++) {
            read_at_once = blocks[i];
            usual = convert_bytes(profile, length, &options);
            assert_same(what, &general, &usual);
            conversion_free(&usual);
        }
    }
    options.threads = 1;
    read_at_once = 0;
    if (options.proxy_count == 0) {
        options.proxies = no_function;
        options.proxy_count = 1;
    }
    usual = convert_bytes(profile, length, &options);
    assert_same(what, &general, &usual);
    uint64_t in_place = usual.stats.lines - usual.stats.slow_lines;
    conversion_free(&usual);
    conversion_free(&general);
    return in_place;
}

void compare_damaged(char *profile, size_t length, const char *bytes, uint64_t *random, const size_t *blocks)
{
    for (int i = 0; i < 20; i++) {
        size_t place = random_below(random, (uint32_t)length);
        char old = profile[place];
        profile[place] = bytes[random_below(random, (uint32_t)strlen(bytes))];
        compare_with_general("damaged", profile, length, NULL, blocks);
        if (i % 3 > 0)
            profile[place] = old;
    }
}

void compare_and_find(const char *profile, size_t length, const struct cg2wg_options *given,
                      const size_t *blocks, const char *expected)
{
    compare_with_general(expected, profile, length, given, blocks);
    read_at_once = blocks[0];
    struct conversion_result result = convert_bytes(profile, length, given);
    read_at_once = 0;
    if (strstr(result.dump, expected) == NULL)
        fail_msg("%s is not in\n%s%s", expected, result.messages, result.dump);
    conversion_free(&result);
}

void assert_shows(const char *profile, const struct cg2wg_options *options, const char *shown, const char *said)
{
    struct conversion_result result = convert_text(profile, options);
    bool is_silent = said != NULL && *said == '\0';
    if (result.status != CG2WG_OK || (shown != NULL && strstr(result.dump, shown) == NULL) ||
        (said != NULL && strstr(result.messages, said) == NULL) || (is_silent && *result.messages != '\0'))
        fail_msg("found %s%s, expected %s and messages \"%s\", of\n%s", result.messages, result.dump,
                 shown != NULL ? shown : "any", said != NULL ? said : "any", profile);
    conversion_free(&result);
}

void check_conversion(struct conversion_result result, const char *messages, const char *dump)
{
    if (result.status != (*dump != '\0' ? CG2WG_OK : CG2WG_FAILED) || strcmp(result.messages, messages) != 0 ||
        strcmp(result.dump, dump) != 0)
        fail_msg("found status %d, %s%s\nexpected %s%s", result.status, result.messages, result.dump, messages, dump);
    conversion_free(&result);
}

void assert_conversion(const char *profile, const struct cg2wg_options *options, const char *messages, const char *dump)
{
    check_conversion(convert_text(profile, options), messages, dump);
}

void assert_dump(const char *profile, const struct cg2wg_options *options, const char *expected)
{
    struct conversion_result result = convert_text(profile, options);
    if (result.status != CG2WG_OK)
        fail_msg("conversion failed: %s", result.messages);
    assert_string_equal(result.dump, expected);
    conversion_free(&result);
}

int run_with_cases(const struct CMUnitTest *tests, size_t test_count, CMUnitTestFunction each, const void *cases,
                   size_t case_size, size_t case_count)
{
    struct CMUnitTest *all = calloc(test_count + case_count, sizeof *all);
    memcpy(all, tests, test_count * sizeof *all);
    for (size_t i = 0; i < case_count; i++) {
        const char *const *name = (const void *)((const char *)cases + i * case_size);
        all[test_count + i] = (struct CMUnitTest){*name, each, NULL, NULL, (void *)(uintptr_t)name};
    }
    int failed = _cmocka_run_group_tests("tests", all, test_count + case_count, NULL, NULL);
    free(all);
    return failed;
}
