/* SPDX-License-Identifier: MIT */
/* The command line: the input is a program's arguments, each with a NUL after it. */
#include "fuzz.h"

#include "cli/options.h"
#include "util/task.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 64 };

static int null_device = -1, standard_error = -1;

/* What is wrong with the words is said on standard error, which nobody wants to see here. */
static void silence(void)
{
    if (null_device < 0) {
        null_device = open("/dev/null", O_WRONLY);
        standard_error = dup(STDERR_FILENO);
    }
    FUZZ_CHECK(dup2(null_device, STDERR_FILENO) == STDERR_FILENO);
}

static void speak(void)
{
    fflush(stderr);
    FUZZ_CHECK(dup2(standard_error, STDERR_FILENO) == STDERR_FILENO);
}

/* Is it (a part of) one of the words? */
static bool is_given(const char *string, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (string >= argv[i] && string <= argv[i] + strlen(argv[i]))
            return true;
    return false;
}

static void check(const struct options *o, int argc, char **argv)
{
    const struct cg2wg_options *c = &o->convert;
    const struct cg2wg_view *v = &o->view;
    if (o->action > ACTION_PRINT)
        return;
    FUZZ_CHECK(o->input_count >= 1 && o->input_count < (size_t)argc);
    FUZZ_CHECK(o->action != ACTION_CONVERT || o->output != NULL || o->storage != NULL);
    for (size_t i = 0; i < o->input_count; i++)
        FUZZ_CHECK(is_given(o->inputs[i], argc, argv));
    for (size_t i = 0; i < c->proxy_count; i++)
        FUZZ_CHECK(is_given(c->proxies[i], argc, argv));
    FUZZ_CHECK(o->output == NULL || (is_given(o->output, argc, argv) && *o->output != '\0'));
    FUZZ_CHECK(c->event == NULL || (is_given(c->event, argc, argv) && *c->event != '\0'));
    FUZZ_CHECK(c->format >= CG2WG_FORMAT_OLDEST && c->format <= CG2WG_FORMAT_NEWEST && c->scale <= UINT32_MAX);
    FUZZ_CHECK(c->identity <= CG2WG_IDENTITY_OBJECT && c->records <= CG2WG_RECORDS_SUMS);
    FUZZ_CHECK(c->summary <= CG2WG_SUMMARY_FILE && c->inclusive <= CG2WG_INCLUSIVE_OUTERMOST);
    FUZZ_CHECK(cg2wg_style_about(v->style) != NULL && v->order <= CG2WG_BY_TIME);
    FUZZ_CHECK(v->top <= UINT32_MAX);
    FUZZ_CHECK(v->min >= -1 && v->min <= 100 && v->fail_above >= -1 && v->fail_above < 1e6);
    const struct cg2wg_patterns *patterns[] = {&v->functions, &v->only, &v->hide};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        for (size_t k = 0; k < patterns[i]->count; k++)
            FUZZ_CHECK(is_given(patterns[i]->words[k], argc, argv) && *patterns[i]->words[k] != '\0');
    FUZZ_CHECK(v->base == NULL || (is_given(v->base, argc, argv) && *v->base != '\0'));
}

struct words {
    int argc;
    char *argv[MAX_WORDS + 2];
};

static void parse(void *of)
{
    struct words *words = of;
    struct options options;
    options_parse(&options, words->argc, words->argv);
    check(&options, words->argc, words->argv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1), name[] = "cg2wg";
    struct words words = {1, {name}};
    FUZZ_CHECK(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    bytes[size] = '\0';
    for (size_t at = 0; at < size && words.argc <= MAX_WORDS; at += strlen(bytes + at) + 1)
        words.argv[words.argc++] = bytes + at;
    silence();
    task_run(parse, &words);
    speak();
    free(bytes);
    return 0;
}
