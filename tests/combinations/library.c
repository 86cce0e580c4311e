/* SPDX-License-Identifier: MIT */
/* Calls of the library by a program that sets members at random: most are valid, some must be CG2WG_MISUSE. */
#include "library.h"

#include "cg2wg_print.h"
#include "commands.h"
#include "figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_INPUTS = 3, WRONG = 98 };

struct call {
    struct cg2wg_options options;
    struct cg2wg_view view;
    const char *inputs[MOST_INPUTS], *bases[MOST_INPUTS];
    size_t input_count;
    const char *said; /* the members that are set */
    /* What the library reported: */
    size_t errors;
    bool ends_with_error;
};

static void report(void *user, const struct cg2wg_message *message)
{
    struct call *call = user;
    call->ends_with_error = message->severity == CG2WG_ERROR;
    call->errors += call->ends_with_error;
    if (message->text == NULL || *message->text == '\0' || strchr(message->text, '\n') != NULL)
        call->errors += 1000;
}

/* Sometimes sets a member to one of the values, and says so. */
#define SET(call, member, text, ...) \
    do { \
        static __typeof__((call)->member) const values[] = {__VA_ARGS__}; \
        if (any(6) == 0) { \
            (call)->member = values[any(sizeof values / sizeof values[0])]; \
            (call)->said = keep_text("%s " #member "=" text, (call)->said, (call)->member); \
        } \
    } while (false)

/* The same of an array and its count. */
#define SET_ARRAY(call, member, number, text, ...) \
    do { \
        static __typeof__(*(call)->member) const values[] = {__VA_ARGS__}; \
        if (any(8) == 0) { \
            (call)->member = values; \
            (call)->number = 1 + any(sizeof values / sizeof values[0]); \
            (call)->said = keep_text("%s " #member "={" text " ...} of %zu", (call)->said, values[0], (call)->number); \
        } \
    } while (false)

static void set_options(struct call *c)
{
    cg2wg_options_init(&c->options, sizeof c->options);
    c->options.report = report;
    c->options.user = c;
    c->options.demangle = CG2WG_DEMANGLE_NEVER;
    c->options.samples.root = keep_text("%s/symfs", folder);
    SET(c, options.format, "%u", 4, 5, 6, 7, 3, 8);
    SET(c, options.identity, "%d", 0, 1, 2, 3, 4);
    SET(c, options.records, "%d", 0, 1, 2, 3);
    SET(c, options.summary, "%d", 0, 1, 2);
    SET(c, options.inclusive, "%d", 0, 1, 2, 3);
    SET(c, options.scale, "%" PRIu64, 0, 1, 7, 1000000000000000000, UINT64_MAX);
    SET(c, options.strict, "%d", true);
    SET(c, options.shared_folders, "%d", true);
    SET(c, options.threads, "%u", 1, 2, 64, 65);
    SET(c, options.input_format, "%s", "callgrind", "aprof", "perf", "perf-script", "folded", "preprocessed", "x");
    SET(c, options.event, "%s", "Ir", "Time", "all", "Ir,Dr", "E0,E1", "X = E0 + 2 E1", "X = 9223372036854775807 E0",
        "");
    SET(c, options.title, "%s", "a title", "");
    SET_ARRAY(c, options.proxies, options.proxy_count, "%s", "main", "*", "f?", "");
    SET_ARRAY(c, options.samples.names, options.samples.name_count, "%s", "worker", "none");
    SET_ARRAY(c, options.samples.pids, options.samples.pid_count, "%u", 5, 9143);
    SET_ARRAY(c, options.samples.tids, options.samples.tid_count, "%u", 6, 1, 2);
    SET_ARRAY(c, options.samples.parts, options.samples.part_count, "%u", 1, 2, UINT32_MAX);
    SET(c, options.samples.kernel_table, "%s", "tests/combinations/inputs/kallsyms");
}

static void set_view(struct call *c)
{
    cg2wg_view_init(&c->view, sizeof c->view);
    unsigned styles = 0;
    while (cg2wg_style_about((enum cg2wg_style)styles) != NULL)
        styles++;
    c->view.style = (enum cg2wg_style)any(styles + 1); /* the last one is none */
    c->said = keep_text("%s view.style=%d", c->said, c->view.style);
    SET(c, view.order, "%d", 0, 1, 2, 3, 4, 5);
    SET(c, view.depth, "%u", 1, 3, UINT32_MAX);
    SET(c, view.top, "%u", 1, 3, UINT32_MAX);
    SET(c, view.min, "%f", 0, 1, 12.5, 100, 101, -5);
    SET_ARRAY(c, view.only.words, view.only.count, "%s", "*", "file:a", "f");
    SET_ARRAY(c, view.hide.words, view.hide.count, "%s", "main", "*x*", "object:libc");
    SET_ARRAY(c, view.functions.words, view.functions.count, "%s", "main", "*", "{main}");
    SET(c, view.fail_above, "%f", 0, 5, 1e6, 1e7);
    SET(c, view.lines, "%zu", 1, 24);
    SET(c, view.columns, "%zu", 1, 40, 200);
    SET(c, view.estimate, "%d", true);
    SET(c, view.has_lines, "%d", true);
    SET_ARRAY(c, view.sources, view.source_count, "%s", "testdata/src", "/nonexistent");
    SET(c, view.link, "%s", "vscode://file/%f:%l", "javascript:x", "");
    SET(c, view.colour, "%d", true);
    SET(c, view.raw, "%d", true);
    SET(c, view.group, "%d", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    if (any(6) == 0) {
        c->view.base = c->bases[0];
        c->view.more_bases = c->bases + 1;
        c->view.more_base_count = any(MOST_INPUTS);
        c->said = keep_text("%s view.base=%s and %zu more", c->said, c->view.base, c->view.more_base_count);
    }
}

/* What refers to something must refer to what is there; contexts add up to their functions, and lines, too. */
static const char *wrong_profile(const struct cg2wg_profile *p)
{
    int64_t *selfs = keep((p->function_count + 1) * sizeof *selfs);
    for (size_t i = 0; i < p->arc_count; i++)
        if (p->arcs[i].caller >= p->function_count || p->arcs[i].callee >= p->function_count)
            return "a call of an unknown function";
    for (size_t i = 0; i < p->context_count; i++) {
        const struct cg2wg_context *context = &p->contexts[i];
        if (context->function >= p->function_count || (context->parent != CG2WG_NO_CONTEXT && context->parent >= i))
            return "a context of an unknown function or parent";
        selfs[context->function] += context->self;
    }
    for (size_t i = 0; i < p->function_count && p->has_contexts; i++)
        if (selfs[i] != p->functions[i].self)
            return "contexts do not add up to their function";
    memset(selfs, 0, p->function_count * sizeof *selfs);
    for (size_t i = 0; i < p->line_count; i++) {
        const struct cg2wg_line *line = &p->lines[i];
        bool is_self = line->callee == CG2WG_NO_FUNCTION;
        if (line->function >= p->function_count || (!is_self && line->callee >= p->function_count))
            return "a line of an unknown function";
        selfs[line->function] += is_self ? line->cost : 0;
    }
    for (size_t i = 0; i < p->function_count && p->line_count > 0; i++)
        if (selfs[i] != p->functions[i].self)
            return "lines do not add up to their function";
    return NULL;
}

static void list_event(void *user, const struct cg2wg_event *event)
{
    (void)user;
    (void)event;
}

static void list_part(void *user, const struct cg2wg_part *part)
{
    (void)user;
    (void)part;
}

/* In the child: calls it, and returns what is wrong. */
static const char *call_once(struct call *c, unsigned what, unsigned flags, char **text, size_t *length)
{
    enum cg2wg_status status = CG2WG_OK;
    const char *wrong = NULL;
    bool grew = false;
    FILE *stream = open_memstream(text, length);
    c->errors = 0;
    if (what == 0) {
        status = cg2wg_convert_all(c->inputs, c->input_count, keep_text("%s/out.library", folder), &c->options, NULL);
    } else if (what == 1) {
        const struct cg2wg_profile *profile = cg2wg_load(c->inputs[0], &c->options, flags);
        wrong = profile != NULL ? wrong_profile(profile) : NULL;
        status = profile != NULL ? CG2WG_OK : CG2WG_FAILED;
        cg2wg_free(profile);
    } else if (what == 2) {
        status = cg2wg_list_parts(c->inputs[0], &c->options, list_event, list_part, NULL);
    } else {
        status = cg2wg_print_all(c->inputs, c->input_count, &c->options, &c->view, stream, &grew);
    }
    fclose(stream);
    return wrong != NULL                           ? wrong
           : status > CG2WG_MISUSE                 ? "an unknown status"
           : status == CG2WG_OK                    ? c->errors > 0 ? "an error, but it has succeeded" : NULL
           : c->errors != 1 || !c->ends_with_error ? "it has failed without an error, or with several"
           : *length > 0                           ? "it has failed, and printed something"
                                                   : NULL;
}

void try_library(void)
{
    struct call c = {.said = ""};
    unsigned what = (unsigned)any(8), flags = (unsigned)any(5);
    const struct known *known = &known_of[any(kind_count)];
    c.input_count = any(3) > 0 ? 1 : 1 + any(MOST_INPUTS);
    for (size_t i = 0; i < MOST_INPUTS; i++) {
        known = any(3) == 0 ? &known_of[any(kind_count)] : known;
        c.inputs[i] = known->paths[any(known->path_count)];
        c.bases[i] = known->paths[any(known->path_count)];
    }
    set_options(&c);
    if (what > 2)
        set_view(&c);
    pid_t child = fork();
    int status;
    if (child == 0) {
        char *texts[2] = {NULL, NULL};
        size_t lengths[2] = {0, 0};
        if (freopen(keep_text("%s/library-messages", folder), "w", stderr) == NULL)
            abort();
        alarm(30);
        for (int i = 0; i < 2; i++) {
            const char *wrong = call_once(&c, what, flags, &texts[i], &lengths[i]);
            if (wrong != NULL) {
                fprintf(stderr, "%s\n", wrong);
                fflush(stderr);
                _exit(WRONG);
            }
        }
        bool is_same = lengths[0] == lengths[1] && memcmp(texts[0], texts[1], lengths[0]) == 0;
        if (!is_same)
            fputs("the second time, something else is printed\n", stderr);
        fflush(stderr);
        _exit(is_same ? 0 : WRONG);
    }
    run_count++;
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (status != 0) {
        struct result seen = run_words((char *[]){"/bin/cat", keep_text("%s/library-messages", folder), NULL}, NULL);
        for (size_t i = 0; i < c.input_count; i++)
            c.said = keep_text("%s %s", c.said, c.inputs[i]);
        static const char *const calls[] = {"cg2wg_convert_all", "cg2wg_load", "cg2wg_list_parts", "cg2wg_print_all"};
        finding(keep_text("the library: %s", WIFEXITED(status) ? seen.out : "a signal"), seen.out,
                keep_text("%s, flags %u:%s", calls[what < 3 ? what : 3], flags, c.said), NULL);
    }
}
