/* SPDX-License-Identifier: MIT */
/*
 * Preprocessed files: the reader and every number from it, --print in all styles, and the front
 * end, whose output must be readable again.
 */
#include "fuzz.h"
#include "preprocessed_file.h"

#include "write/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reader --------------------------------------------------------------------------- */

static uint64_t seen; /* so that no compiler drops what is only looked at */

static void walk_text(struct text t)
{
    for (const char *c = t.at; c < t.end; c++)
        seen += (unsigned char)*c;
}

static void walk_calls(const struct preprocessed *p, size_t at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct stored_call call = preprocessed_call(p, at, i);
        FUZZ_CHECK(call.function < p->function_count);
        seen += call.line + call.count + call.cost;
    }
}

static void walk_invocation(const struct preprocessed *p, const struct preprocessed_function *f, uint32_t number)
{
    struct stored_invocation v = preprocessed_invocation(p, f->invocations_at, number);
    if (v.caller.function != NONE) {
        FUZZ_CHECK(v.caller.function < p->function_count);
        FUZZ_CHECK(v.caller.invocation < preprocessed_function(p, v.caller.function).invocations);
    }
    for (uint32_t i = 0; i < v.sub_call_count; i++) {
        struct stored_call call = preprocessed_call(p, v.sub_calls_at, i);
        FUZZ_CHECK(call.function < p->function_count);
        FUZZ_CHECK(call.invocation < preprocessed_function(p, call.function).invocations);
        seen += call.line + call.cost;
    }
}

static void walk(const struct preprocessed *p)
{
    struct objects objects;
    objects_read(&objects, p->gap, IDENTITY_OBJECT);
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        walk_text(f.file);
        walk_text(f.name);
        objects_next(&objects);
        walk_text(objects.object);
        walk_calls(p, f.called_from_at, f.called_from_count);
        walk_calls(p, f.sub_calls_at, f.sub_call_count);
        for (uint32_t k = 0; p->version == 4 && k < f.invocations; k++)
            walk_invocation(p, &f, k);
    }
    struct text rest = p->headers, key, value;
    while (preprocessed_next_header(&rest, &key, &value)) {
        walk_text(key);
        walk_text(value);
    }
}

/* ---- --print ------------------------------------------------------------------------------ */

/* The data of a page: JSON in comments, whole, without anything that HTML would take for the end of one. */
static void check_page(char *page)
{
    static const char start[] = "<div id=\"data\" hidden><!--", between[] = "--><!--";
    char *data = strstr(page, start), *end;
    FUZZ_CHECK(data != NULL);
    data += sizeof start - 1;
    for (end = data; (end = strstr(end, "--")) != NULL && strncmp(end, between, sizeof between - 1) == 0;)
        memset(end, ' ', sizeof between - 1);
    FUZZ_CHECK(end != NULL && strncmp(end, "--></div>\n<script>", 18) == 0);
    strcpy(end, "\n");
    fuzz_check_json(data);
}

/* Lines of names, a blank and a cost above 0; no reader may take the end of a name for another cost. */
static void check_stacks(const char *line)
{
    for (; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *end = line + strcspn(line, "\n"), *cost = end;
        while (cost > line && cost[-1] >= '0' && cost[-1] <= '9')
            cost--;
        FUZZ_CHECK(*end == '\n' && cost < end && *cost != '0' && cost > line + 1 && cost[-1] == ' ');
        const char *name = cost - 1;
        while (name > line && ((name[-1] >= '0' && name[-1] <= '9') || name[-1] == '.'))
            name--;
        FUZZ_CHECK(name == cost - 1 || name == line || name[-1] != ' ');
        for (const char *c = line; c < end; c++)
            FUZZ_CHECK((unsigned char)*c >= ' ' && (*c != ';' || (c > line && c[1] != ';' && c[1] != ' ')));
    }
}

static void print(const char *path, unsigned choice, enum cg2wg_style style)
{
    char *text = NULL;
    size_t size;
    struct cg2wg_options options;
    struct cg2wg_view view;
    FILE *out = open_memstream(&text, &size);
    FUZZ_CHECK(out != NULL);
    cg2wg_options_init(&options, sizeof options);
    cg2wg_view_init(&view, sizeof view);
    view.style = style;
    view.order = (enum cg2wg_order)((choice >> 1) % (CG2WG_BY_PLACE + 1));
    view.top = choice >> 4;
    bool done = cg2wg_print(path, &options, &view, out, NULL) == CG2WG_OK;
    fclose(out);
    if (done && style != CG2WG_TABLE && style != CG2WG_PPROF)
        FUZZ_CHECK(strlen(text) == size);
    if (done && style == CG2WG_JSON)
        fuzz_check_json(text);
    if (done && style == CG2WG_STACKS)
        check_stacks(text);
    if (done && style == CG2WG_PAGE)
        check_page(text);
    free(text);
}

/* ---- as an input -------------------------------------------------------------------------- */

static void convert(const char *path, struct cg2wg_options *options)
{
    const char *output = fuzz_path("output"), *twice[2];
    struct fuzz_messages messages = {0};
    struct preprocessed p;
    twice[0] = twice[1] = path;
    options->report = fuzz_report;
    options->user = &messages;
    for (size_t count = 1; count <= 2; count++) {
        enum cg2wg_status status = cg2wg_convert_all(twice, count, output, options, NULL);
        struct diag diag = {.report = fuzz_report, .user = &messages, .input = output};
        FUZZ_CHECK(status != CG2WG_MISUSE);
        FUZZ_CHECK((status == CG2WG_FAILED) == (messages.errors > 0));
        if (status != CG2WG_OK)
            break;
        FUZZ_CHECK(preprocessed_read(&p, output, &diag));
        FUZZ_CHECK(preprocessed_markup_in(output) == NULL);
        walk(&p);
        preprocessed_free(&p);
    }
    fuzz_messages_free(&messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct cg2wg_options options = fuzz_options(&input);
    unsigned choice = fuzz_choice(&input);
    struct text file = text_of((const char *)input.data, input.size);
    struct diag diag = {.input = "input"};
    struct preprocessed p;
    if (preprocessed_try(&p, file, &diag)) {
        walk(&p);
        preprocessed_free(&p);
    }
    if (!preprocessed_recognises(file))
        return input.size < 12 ? 0 : -1;
    const char *path = fuzz_path("preprocessed");
    write_file(path, input.data, input.size);
    print(path, choice, (choice & 1) != 0 ? CG2WG_JSON : CG2WG_TABLE);
    print(path, choice, CG2WG_PAGE);
    print(path, choice, CG2WG_STACKS);
    print(path, choice, CG2WG_PPROF);
    options.inclusive = CG2WG_INCLUSIVE_SUM;
    convert(path, &options);
    return 0;
}
