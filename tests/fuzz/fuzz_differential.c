/* SPDX-License-Identifier: MIT */
/*
 * Any input in several ways with the same result: with lines read in place, added up or by the general code, in
 * blocks of several sizes, in all versions of the output, each read back and converted again.
 *
 * Whether another thread is quick enough to read a block is left to chance; that threads are started is what
 * tests/unit/test_dialects.c checks. One thread that was asked for must remain one.
 */
#include "fuzz.h"
#include "indent.h"

#include "job.h"
#include "read/frontend.h"
#include "preprocessed_file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_t main_thread;
static bool is_read_by_others;

static bool note_thread(void *user, const struct cg2wg_progress *progress)
{
    (void)user;
    if (progress->stage == CG2WG_READING && !pthread_equal(pthread_self(), main_thread))
        is_read_by_others = true;
    return true;
}

static bool has_lines_in_place; /* an input, of those that its indented form has not */

static void check_corpus(void)
{
    FUZZ_CHECK(has_lines_in_place);
}

struct result {
    enum cg2wg_status status;
    struct fuzz_messages messages;
    unsigned char *bytes; /* of the output; NULL: there is none */
    size_t size;
    struct cg2wg_stats stats;
};

static struct result convert_by(const char *path, const struct cg2wg_options *given, size_t block)
{
    struct result result = {.stats.size = sizeof result.stats};
    struct cg2wg_options options = *given;
    const char *output = fuzz_path("output");
    options.report = fuzz_report;
    options.user = &result.messages;
    unlink(output);
    result.status = convert_in_blocks(&path, 1, output, &options, &result.stats, block);
    if (access(output, F_OK) == 0)
        result.bytes = (unsigned char *)read_file(output, &result.size);
    FUZZ_CHECK(result.status != CG2WG_MISUSE);
    FUZZ_CHECK((result.status == CG2WG_OK) == (result.bytes != NULL));
    FUZZ_CHECK((result.status == CG2WG_OK) == (result.messages.errors == 0));
    return result;
}

static struct result convert(const char *path, const struct cg2wg_options *options)
{
    return convert_by(path, options, 0);
}

static void result_free(struct result *result)
{
    fuzz_messages_free(&result->messages);
    free(result->bytes);
}

static void check_same_bytes(const struct result *a, const struct result *b)
{
    FUZZ_CHECK(a->status == b->status && a->size == b->size);
    FUZZ_CHECK(a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
}

/* The same outcome, to the last message. Frees `b`. */
static void check_same(const struct result *a, struct result b)
{
    bool same_messages = a->messages.size == b.messages.size &&
                         (a->messages.size == 0 || strcmp(a->messages.text, b.messages.text) == 0);
    if (!same_messages)
        fprintf(stderr, "one way:\n%sthe other:\n%s", a->messages.size > 0 ? a->messages.text : "",
                b.messages.size > 0 ? b.messages.text : "");
    FUZZ_CHECK(same_messages);
    check_same_bytes(a, &b);
    result_free(&b);
}

/* What recognises the input as a whole; NULL: nothing, or it is compressed. A small block may look like another kind. */
static const struct frontend *kind_of(const struct fuzz_input *input)
{
    bool more;
    if (input->size == 0 || input->data[0] == 0x1f)
        return NULL;
    return frontend_for(text_of((const char *)input->data, input->size), &more);
}

/* The same, but that small blocks of a compressed input may not show what it is. */
static void check_same_in_blocks(const struct result *a, struct result b)
{
    if (b.messages.errors == 0 || strstr(b.messages.text, "not a profile") == NULL)
        check_same(a, b);
    else
        result_free(&b);
}

/* ---- what is read back -------------------------------------------------------------------- */

static void read_back(struct preprocessed *p, const struct result *result)
{
    struct diag diag = {.input = "output"};
    FUZZ_CHECK(preprocessed_try(p, text_of((const char *)result->bytes, result->size), &diag));
}

static bool same_text(struct text a, struct text b)
{
    return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

static void check_same_calls(const struct preprocessed *a, size_t a_at, uint32_t a_count, const struct preprocessed *b,
                             size_t b_at, uint32_t b_count)
{
    FUZZ_CHECK(a_count == b_count);
    for (uint32_t i = 0; i < a_count; i++) {
        struct stored_call x = preprocessed_call(a, a_at, i);
        struct stored_call y = preprocessed_call(b, b_at, i);
        FUZZ_CHECK(x.function == y.function && x.line == y.line && x.count == y.count && x.cost == y.cost);
    }
}

/* All that both versions have. */
static void check_same_functions(const struct preprocessed *a, const struct preprocessed *b)
{
    FUZZ_CHECK(a->function_count == b->function_count);
    for (uint32_t i = 0; i < a->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(a, i);
        struct preprocessed_function g = preprocessed_function(b, i);
        FUZZ_CHECK(same_text(f.file, g.file) && same_text(f.name, g.name));
        FUZZ_CHECK(f.self == g.self && f.inclusive == g.inclusive);
        if (a->version < 5 || b->version < 5)
            continue;
        FUZZ_CHECK(f.invocations == g.invocations);
        check_same_calls(a, f.called_from_at, f.called_from_count, b, g.called_from_at, g.called_from_count);
        if (a->version >= 6 && b->version >= 6)
            check_same_calls(a, f.sub_calls_at, f.sub_call_count, b, g.sub_calls_at, g.sub_call_count);
        if (a->version == 7 && b->version == 7)
            FUZZ_CHECK(f.line == g.line);
    }
}

static bool has_call(const struct preprocessed *p, size_t at, uint32_t count, uint32_t function,
                     const struct stored_call *wanted)
{
    for (uint32_t i = 0; i < count; i++) {
        struct stored_call call = preprocessed_call(p, at, i);
        if (call.function == function && call.line == wanted->line)
            return call.count == wanted->count && call.cost == wanted->cost;
    }
    return false;
}

/* What a function is called from, its callers call. */
static void check_both_lists(const struct preprocessed *p)
{
    uint64_t called_from = 0, sub_calls = 0;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        called_from += f.called_from_count;
        sub_calls += f.sub_call_count;
        for (uint32_t k = 0; k < f.called_from_count; k++) {
            struct stored_call call = preprocessed_call(p, f.called_from_at, k);
            struct preprocessed_function caller = preprocessed_function(p, call.function);
            FUZZ_CHECK(has_call(p, caller.sub_calls_at, caller.sub_call_count, i, &call));
        }
    }
    FUZZ_CHECK(called_from == sub_calls);
}

/* ---- the ways ----------------------------------------------------------------------------- */

static void check_versions(const char *path, struct cg2wg_options options, const struct result *newest)
{
    struct preprocessed p, other;
    read_back(&p, newest);
    check_both_lists(&p);
    for (options.format = 4; options.format < CG2WG_FORMAT_NEWEST; options.format++) {
        struct result result = convert(path, &options);
        FUZZ_CHECK(result.status == CG2WG_OK);
        read_back(&other, &result);
        FUZZ_CHECK(other.version == options.format);
        /* Version 4 writes costs that others do not, by which all may have to be divided. */
        if (options.format > 4 || options.scale != CG2WG_SCALE_AUTO)
            check_same_functions(&p, &other);
        preprocessed_free(&other);
        result_free(&result);
    }
    preprocessed_free(&p);
}

/* What was written comes out as it went in; nothing in it is to be divided or chosen again. */
static void check_round_trip(const struct result *written, struct cg2wg_options options)
{
    const char *path = fuzz_path("written");
    struct preprocessed p, other;
    options.event = NULL;
    options.scale = CG2WG_SCALE_NONE;
    options.identity = CG2WG_IDENTITY_AUTO;
    options.inclusive = CG2WG_INCLUSIVE_SUM;
    options.summary = CG2WG_SUMMARY_FILE;
    options.strict = false;
    write_file(path, written->bytes, written->size);
    struct result result = convert(path, &options);
    FUZZ_CHECK(result.status == CG2WG_OK);
    read_back(&p, written);
    read_back(&other, &result);
    check_same_functions(&p, &other);
    if (written->messages.size == 0)
        check_same_bytes(written, &result);
    preprocessed_free(&p);
    preprocessed_free(&other);
    result_free(&result);
}

/* By the general code alone, which reads lines that are indented. */
static void check_indented(const struct result *usual, const struct fuzz_input *input,
                           const struct cg2wg_options *options)
{
    size_t size = input->size;
    char *indented = indent_lines((const char *)input->data, &size);
    const char *path = fuzz_path("profile");
    write_file(path, indented, size);
    struct result result = convert(path, options);
    if (usual->status == CG2WG_OK) {
        FUZZ_CHECK(result.stats.lines == usual->stats.lines);
        FUZZ_CHECK(result.stats.slow_lines >= size - input->size);
        has_lines_in_place |= usual->stats.slow_lines < result.stats.slow_lines;
    }
    check_same(usual, result);
    free(indented);
}

/* With a proxy, which no function is, records are not added up. */
static void check_without_sums(const char *path, const struct result *usual, struct cg2wg_options options)
{
    static const char *const no_function[] = {"no function has this name"};
    if (options.proxy_count > 0)
        return;
    options.proxies = no_function;
    options.proxy_count = 1;
    check_same(usual, convert(path, &options));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct cg2wg_options options = fuzz_options(&input);
    const char *path = fuzz_path("profile");
    main_thread = pthread_self();
    fuzz_check_corpus = check_corpus;
    if (!fuzz_write_input(path, &input))
        return -1;

    options.format = CG2WG_FORMAT_NEWEST;
    struct result usual = convert(path, &options);
    const struct frontend *kind = kind_of(&input);
    if (kind == &callgrind_frontend) {
        check_without_sums(path, &usual, options);
        check_indented(&usual, &input, &options);
    }
    write_file(path, input.data, input.size);
    options.input_format = kind != NULL ? kind->name : NULL;
    options.progress = note_thread;
    for (options.threads = 1; input.block > 0 && options.threads <= 2; options.threads++) {
        is_read_by_others = false;
        check_same_in_blocks(&usual, convert_by(path, &options, input.block));
        FUZZ_CHECK(!is_read_by_others || options.threads > 1);
    }
    options.input_format = NULL;
    options.progress = NULL;
    options.threads = 0;
    if (usual.status == CG2WG_OK) {
        check_versions(path, options, &usual);
        check_round_trip(&usual, options);
    }
    result_free(&usual);
    return 0;
}
