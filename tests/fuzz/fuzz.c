/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "preprocessed_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATHS = 8 };

void (*fuzz_check_corpus)(void);

unsigned fuzz_choice(struct fuzz_input *input)
{
    return input->size == 0 ? 0 : (unsigned)(input->data[--input->size] ^ '\n');
}

static const char *choose_event(unsigned choice)
{
    static const char *const events[] = {
        NULL, "Ir", "Time", "Memory_(bytes)", "Ir + 10 Dr", "CEst = 2 Ir + 0x10 Bcm", "Bm + Bm", "%",
    };
    return events[choice % (sizeof events / sizeof events[0])];
}

struct cg2wg_options fuzz_options(struct fuzz_input *input)
{
    static const char *const proxies[] = {"php::call_user_func", "f?", "*a*b*"};
    static const size_t blocks[] = {0, 1, 2, 3, 7, 64, 200, 4096};
    static const uint64_t scales[] = {CG2WG_SCALE_AUTO, CG2WG_SCALE_NONE, 7, 1000000000};
    unsigned a = fuzz_choice(input), b = fuzz_choice(input), c = fuzz_choice(input);
    struct cg2wg_options options;
    cg2wg_options_init(&options, sizeof options);
    options.identity = (enum cg2wg_identity)(a & 3);
    options.records = (enum cg2wg_records)((a >> 2 & 3) % 3);
    options.inclusive = (a >> 4 & 1) != 0 ? CG2WG_INCLUSIVE_OUTERMOST : CG2WG_INCLUSIVE_SUM;
    options.summary = (enum cg2wg_summary)(a >> 5 & 1);
    options.strict = (a >> 6 & 1) != 0;
    options.proxies = proxies;
    options.proxy_count = (a >> 7 & 1) != 0 ? sizeof proxies / sizeof proxies[0] : 0;
    options.format = CG2WG_FORMAT_NEWEST - (b & 3);
    options.event = choose_event(b >> 2 & 7);
    input->block = blocks[b >> 5 & 7];
    options.scale = scales[c & 3];
    return options;
}

/* ---- files -------------------------------------------------------------------------------- */

const char *fuzz_path(const char *name)
{
    static struct {
        const char *name;
        char *path;
    } paths[MAX_PATHS];
    int i = 0;
    while (i < MAX_PATHS && paths[i].name != NULL && strcmp(paths[i].name, name) != 0)
        i++;
    FUZZ_CHECK(i < MAX_PATHS);
    paths[i].name = name;
    if (paths[i].path == NULL)
        paths[i].path = scratch_path(name);
    return paths[i].path;
}

bool fuzz_write_input(const char *path, const struct fuzz_input *input)
{
    if (input->size > 0 && memchr("\x28\xfd" "B", input->data[0], 3) != NULL)
        return false;
    write_file(path, input->data, input->size);
    return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

void fuzz_report(void *user, const struct cg2wg_message *message)
{
    struct fuzz_messages *m = user;
    char head[64];
    int head_length = snprintf(head, sizeof head, "%d %llu ", (int)message->severity,
                               (unsigned long long)message->line);
    size_t length = strlen(message->text), size = m->size + (size_t)head_length + length + 1;
    FUZZ_CHECK(strchr(message->text, '\n') == NULL && length > 0);
    m->errors += message->severity == CG2WG_ERROR;
    m->text = realloc(m->text, size + 1);
    FUZZ_CHECK(m->text != NULL);
    snprintf(m->text + m->size, size + 1 - m->size, "%s%s\n", head, message->text);
    m->size = size;
}

void fuzz_messages_free(struct fuzz_messages *messages)
{
    free(messages->text);
    *messages = (struct fuzz_messages){0};
}

_Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* Steps over a string of JSON, whose bytes have to be printable; the rest is below. */
static const char *json_string(const char *c)
{
    FUZZ_CHECK(*c == '"');
    for (c++; *c != '"'; c++) {
        FUZZ_CHECK((unsigned char)*c >= ' ');
        if (*c == '\\')
            c++;
        FUZZ_CHECK(*c != '\0');
    }
    return c + 1;
}

/* Steps over a value of JSON: brackets match, members have names, and commas are between them. */
static const char *json_value(const char *c, unsigned depth)
{
    c += strspn(c, " \n");
    if (*c == '"')
        return json_string(c);
    if (*c != '{' && *c != '[') {
        size_t length = strspn(c, "0123456789.-nultrefas");
        FUZZ_CHECK(length > 0);
        return c + length;
    }
    FUZZ_CHECK(depth < 16);
    char end = *c == '{' ? '}' : ']';
    c++;
    c += strspn(c, " \n");
    while (*c != end) {
        if (end == '}') {
            c = json_string(c + strspn(c, " \n"));
            FUZZ_CHECK(*c == ':');
            c++;
        }
        c = json_value(c, depth + 1);
        c += strspn(c, " \n");
        FUZZ_CHECK(*c == ',' || *c == end);
        if (*c == ',') {
            c++;
            FUZZ_CHECK(c[strspn(c, " \n")] != end);
        }
    }
    return c + 1;
}

void fuzz_check_json(const char *text)
{
    FUZZ_CHECK(strcmp(json_value(text, 0), "\n") == 0);
}

/* ---- conversions -------------------------------------------------------------------------- */

void fuzz_convert(const char *path, struct cg2wg_options *options)
{
    const char *output = fuzz_path("output");
    struct fuzz_messages messages = {0};
    struct preprocessed p;
    options->report = fuzz_report;
    options->user = &messages;
    unlink(output);
    enum cg2wg_status status = cg2wg_convert(path, output, options, NULL);
    FUZZ_CHECK(messages.errors <= 1);
    FUZZ_CHECK(status == CG2WG_OK || (messages.errors == 1 && access(output, F_OK) != 0));
    if (status == CG2WG_OK) {
        struct diag diag = {.input = output};
        FUZZ_CHECK(preprocessed_read(&p, output, &diag));
        FUZZ_CHECK(preprocessed_markup_in(output) == NULL);
        FUZZ_CHECK(p.function_count > 0);
        preprocessed_free(&p);
    }
    fuzz_messages_free(&messages);
}
