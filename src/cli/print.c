#include "cli/print.h"

#include "cli/print_sizes.h"
#include "cli/show.h"
#include "webgrind/read.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- order -------------------------------------------------------------------------------- */

/* A function to be sorted, with its place in the file, which decides between equals. */
struct row {
    struct preprocessed_function function;
    uint32_t number;
};

static int in_file_order(const struct row *a, const struct row *b)
{
    return (a->number > b->number) - (a->number < b->number);
}

static int larger_first(const struct row *a, const struct row *b, uint32_t a_key, uint32_t b_key)
{
    int order = (b_key > a_key) - (b_key < a_key);
    return order != 0 ? order : in_file_order(a, b);
}

static int by_self(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return larger_first(a, b, a->function.self, b->function.self);
}

static int by_inclusive(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return larger_first(a, b, a->function.inclusive, b->function.inclusive);
}

static int by_invocations(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return larger_first(a, b, a->function.invocations, b->function.invocations);
}

static int compare_texts(struct text a, struct text b)
{
    size_t a_length = text_length(a), b_length = text_length(b);
    int order = memcmp(a.at, b.at, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_name(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = compare_texts(a->function.name, b->function.name);
    return order != 0 ? order : in_file_order(a, b);
}

static int by_place(const void *left, const void *right)
{
    return in_file_order(left, right);
}

static int (*const orders[])(const void *, const void *) = {
    [ORDER_SELF] = by_self,
    [ORDER_INCLUSIVE] = by_inclusive,
    [ORDER_INVOCATIONS] = by_invocations,
    [ORDER_NAME] = by_name,
    [ORDER_NONE] = by_place,
};

/* All functions in order, in malloc'ed memory, or NULL. */
static struct row *sorted_rows(const struct preprocessed *p, enum print_order order)
{
    struct row *rows = calloc((size_t)p->function_count + 1, sizeof *rows);
    if (rows == NULL)
        return NULL;
    for (uint32_t i = 0; i < p->function_count; i++)
        rows[i] = (struct row){preprocessed_function(p, i), i};
    qsort(rows, p->function_count, sizeof *rows, orders[order]);
    return rows;
}

/* ---- table -------------------------------------------------------------------------------- */

static void print_percent(FILE *stream, uint32_t cost, double total)
{
    if (total > 0)
        fprintf(stream, " %7.2f", (double)cost * 100 / total);
    else
        fprintf(stream, " %7s", "-");
}

static void print_header_summary(FILE *stream, const struct preprocessed *p)
{
    static const char *const shown[] = {"cmd", "creator", "events"};
    unsigned runs;
    double total = preprocessed_total(p, &runs);
    fprintf(stream, "format:  %" PRIu32 ", %" PRIu32 " functions\n", p->version, p->function_count);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct text rest = preprocessed_headers(p), key, value;
        while (preprocessed_next_header(&rest, &key, &value)) {
            if (!text_equals(key, shown[i]))
                continue;
            fprintf(stream, "%s:%*s", shown[i], (int)(8 - strlen(shown[i])), "");
            show_plain(stream, text_trim(value));
            fputc('\n', stream);
        }
    }
    fprintf(stream, "total:   %.0f", total);
    if (runs != 1)
        fprintf(stream, " in %u runs", runs);
    fputs("\n\n", stream);
}

static void print_table(FILE *stream, const struct preprocessed *p, const struct row *rows,
                        uint64_t count)
{
    unsigned runs;
    double total = preprocessed_total(p, &runs);
    print_header_summary(stream, p);
    fprintf(stream, "%12s %7s %12s %7s %11s  %s\n", "self", "%", "inclusive", "%", "invocations",
            "function");
    for (uint64_t i = 0; i < count; i++) {
        const struct preprocessed_function *f = &rows[i].function;
        fprintf(stream, "%12" PRIu32, f->self);
        print_percent(stream, f->self, total);
        fprintf(stream, " %12" PRIu32, f->inclusive);
        print_percent(stream, f->inclusive, total);
        fprintf(stream, " %11" PRIu32 "  ", f->invocations);
        show_plain(stream, f->name);
        if (!text_is_empty(f->file)) {
            fputs("  (", stream);
            show_plain(stream, f->file);
            if (f->line > 0)
                fprintf(stream, ":%" PRIu32, f->line);
            fputc(')', stream);
        }
        fputc('\n', stream);
    }
    if (count < p->function_count)
        fprintf(stream, "... and %" PRIu64 " more\n", p->function_count - count);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_json_headers(FILE *stream, const struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    const char *separator = "";
    fputs("  \"headers\": [", stream);
    while (preprocessed_next_header(&rest, &key, &value)) {
        fprintf(stream, "%s\n    {", separator);
        show_json_member(stream, "key", key);
        fputs(", ", stream);
        show_json_member(stream, "value", value);
        fputc('}', stream);
        separator = ",";
    }
    fputs("\n  ],\n", stream);
}

static void print_json_calls(FILE *stream, const struct preprocessed *p, const char *name,
                             size_t calls_at, uint32_t count)
{
    fprintf(stream, ",\n     \"%s\": [", name);
    for (uint32_t i = 0; i < count; i++) {
        struct preprocessed_call call = preprocessed_call(p, calls_at, i);
        fprintf(stream,
                "%s\n      {\"function\": %" PRIu32 ", \"line\": %" PRIu32 ", \"count\": %" PRIu32
                ", \"cost\": %" PRIu32 "}",
                i == 0 ? "" : ",", call.function, call.line, call.count, call.cost);
    }
    fputc(']', stream);
}

static void print_json_invocation(FILE *stream, const struct preprocessed *p,
                                  const struct preprocessed_invocation *v)
{
    fprintf(stream, "\n      {\"self\": %" PRIu32 ", \"inclusive\": %" PRIu32 ", \"called_from\": ",
            v->self, v->inclusive);
    if (v->caller == PREPROCESSED_NOBODY)
        fputs("null", stream);
    else
        fprintf(stream,
                "{\"function\": %" PRIu32 ", \"invocation\": %" PRIu32 ", \"line\": %" PRIu32
                ", \"cost\": %" PRIu32 "}",
                v->caller, v->caller_invocation, v->caller_line, v->caller_cost);
    fputs(", \"sub_calls\": [", stream);
    for (uint32_t i = 0; i < v->sub_call_count; i++) {
        struct preprocessed_sub_call c = preprocessed_sub_call(p, v->sub_calls_at, i);
        fprintf(stream,
                "%s\n       {\"function\": %" PRIu32 ", \"invocation\": %" PRIu32
                ", \"line\": %" PRIu32 ", \"cost\": %" PRIu32 "}",
                i == 0 ? "" : ",", c.function, c.invocation, c.line, c.cost);
    }
    fputs("]}", stream);
}

static void print_json_function(FILE *stream, const struct preprocessed *p, const struct row *row)
{
    const struct preprocessed_function *f = &row->function;
    fprintf(stream, "\n    {\"number\": %" PRIu32 ", ", row->number);
    show_json_member(stream, "name", f->name);
    fputs(", ", stream);
    show_json_member(stream, "file", f->file);
    if (p->version >= 7)
        fprintf(stream, ", \"line\": %" PRIu32, f->line);
    fprintf(stream,
            ",\n     \"self\": %" PRIu32 ", \"inclusive\": %" PRIu32 ", \"invocations\": %" PRIu32,
            f->self, f->inclusive, f->invocations);
    if (p->version == 4) {
        fprintf(stream, ", \"call_cost\": %" PRIu32 ",\n     \"invocation_records\": [",
                f->call_cost);
        for (uint32_t i = 0; i < f->invocations; i++) {
            struct preprocessed_invocation v = preprocessed_invocation(p, f->invocations_at, i);
            fputs(i == 0 ? "" : ",", stream);
            print_json_invocation(stream, p, &v);
        }
        fputc(']', stream);
    } else {
        print_json_calls(stream, p, "called_from", f->called_from_at, f->called_from_count);
        if (p->version >= 6)
            print_json_calls(stream, p, "sub_calls", f->sub_calls_at, f->sub_call_count);
    }
    fputc('}', stream);
}

static void print_json(FILE *stream, const struct preprocessed *p, const struct row *rows,
                       uint64_t count)
{
    fprintf(stream, "{\n  \"version\": %" PRIu32 ",\n", p->version);
    print_json_headers(stream, p);
    fputs("  \"functions\": [", stream);
    for (uint64_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_json_function(stream, p, &rows[i]);
    }
    fputs("\n  ]\n}\n", stream);
}

/* ---- what there is to print ----------------------------------------------------------------- */

struct printing {
    FILE *stream;
    const struct options *options;
    struct bar *bar;
    struct diag *diag;
    bool done;
};

static bool print_checked(const struct printing *printing, const struct preprocessed *p)
{
    const struct options *options = printing->options;
    if (options->print_style == PRINT_PLOT)
        return diag_error(printing->diag, 0,
                          "found no costs by input size, expected an aprof report to plot");
    struct row *rows = sorted_rows(p, options->print_order);
    if (rows == NULL)
        return diag_no_memory(printing->diag);
    uint64_t count = p->function_count;
    if (options->print_top > 0 && options->print_top < count)
        count = options->print_top;
    if (options->print_style == PRINT_JSON)
        print_json(printing->stream, p, rows, count);
    else
        print_table(printing->stream, p, rows, count);
    free(rows);
    return true;
}

static bool print_preprocessed(const struct printing *printing, struct text file)
{
    struct preprocessed p;
    bool done = preprocessed_check(&p, file, printing->diag) && print_checked(printing, &p);
    preprocessed_free(&p);
    return done;
}

/* Messages may still come, but no progress. */
static void take_bar_away(struct bar *bar)
{
    bar_hide(bar);
    bar_release(bar);
}

static void take_sizes(void *user, const struct cg2wg_sizes *sizes)
{
    struct printing *printing = user;
    take_bar_away(printing->bar);
    printing->done = print_sizes(printing->stream, printing->options, sizes) ||
                     diag_no_memory(printing->diag);
}

static void take_file(void *user, struct cg2wg_bytes file)
{
    struct printing *printing = user;
    take_bar_away(printing->bar);
    printing->done = print_preprocessed(printing, text_of(file.at, file.length));
}

bool print_input(FILE *stream, const struct options *options, struct bar *bar, struct diag *diag)
{
    struct printing printing = {stream, options, bar, diag, false};
    return cg2wg_show(options->inputs[0], &options->convert, take_sizes, take_file, &printing) ==
               CG2WG_OK &&
           printing.done;
}
