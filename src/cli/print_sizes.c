#include "cli/print_sizes.h"

#include "cli/show.h"
#include "util/growth.h"

#include <inttypes.h>
#include <stdlib.h>

static struct text text_from(struct cg2wg_bytes bytes)
{
    return text_of(bytes.length > 0 ? bytes.at : "", bytes.length);
}

/* The average inclusive cost of a call. */
static double average(const struct cg2wg_size_cost *cost)
{
    return cost->calls > 0 ? (double)cost->sum / (double)cost->calls : 0;
}

/* ---- order -------------------------------------------------------------------------------- */

/* A function to be sorted, with its place in the report, which decides between equals. */
struct row {
    const struct cg2wg_sized_function *function;
    size_t number;
    struct growth_fit fit;
};

static int in_order(const struct row *a, const struct row *b, int order)
{
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static int by_self(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int64_t a_key = a->function->self, b_key = b->function->self;
    return in_order(a, b, (b_key > a_key) - (b_key < a_key));
}

static int by_inclusive(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int64_t a_key = a->function->inclusive, b_key = b->function->inclusive;
    return in_order(a, b, (b_key > a_key) - (b_key < a_key));
}

static int by_invocations(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    uint64_t a_key = a->function->invocations, b_key = b->function->invocations;
    return in_order(a, b, (b_key > a_key) - (b_key < a_key));
}

static int by_name(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    struct text a_key = text_from(a->function->name), b_key = text_from(b->function->name);
    size_t a_length = text_length(a_key), b_length = text_length(b_key);
    int order = memcmp(a_key.at, b_key.at, a_length < b_length ? a_length : b_length);
    return in_order(a, b, order != 0 ? order : (a_length > b_length) - (a_length < b_length));
}

static int by_place(const void *left, const void *right)
{
    return in_order(left, right, 0);
}

static int (*const orders[])(const void *, const void *) = {
    [ORDER_SELF] = by_self,
    [ORDER_INCLUSIVE] = by_inclusive,
    [ORDER_INVOCATIONS] = by_invocations,
    [ORDER_NAME] = by_name,
    [ORDER_NONE] = by_place,
};

/* Fits the average costs of a function. False: no memory. */
static bool fit_row(struct row *row)
{
    size_t count = row->function->size_count;
    struct growth_point *points = calloc(count + 1, sizeof *points);
    if (points == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct cg2wg_size_cost *cost = &row->function->sizes[i];
        points[i] = (struct growth_point){(double)cost->size, average(cost)};
    }
    row->fit = growth_fit(points, count);
    free(points);
    return true;
}

/* ---- table -------------------------------------------------------------------------------- */

static void print_percent(FILE *stream, int64_t cost, int64_t total)
{
    if (total > 0)
        fprintf(stream, " %7.2f", (double)cost * 100 / (double)total);
    else
        fprintf(stream, " %7s", "-");
}

/* A cost in a column, or a dash where it is not known. */
static void print_cost(FILE *stream, int64_t cost)
{
    if (cost < 0)
        fprintf(stream, " %12s", "-");
    else
        fprintf(stream, " %12" PRId64, cost);
}

static void print_place(FILE *stream, const struct cg2wg_sized_function *f)
{
    show_plain(stream, text_from(f->name));
    if (f->file.length == 0)
        return;
    fputs("  (", stream);
    show_plain(stream, text_from(f->file));
    fputc(')', stream);
}

/* Parts `key: value`. */
static void split_header(struct text line, struct text *key, struct text *value)
{
    const char *colon = memchr(line.at, ':', text_length(line));
    *key = (struct text){line.at, colon != NULL ? colon : line.end};
    *value = text_trim((struct text){colon != NULL ? colon + 1 : line.end, line.end});
}

static void print_head(FILE *stream, const struct cg2wg_sizes *sizes)
{
    for (size_t i = 0; i < sizes->header_count; i++) {
        struct text key, value;
        split_header(text_from(sizes->headers[i]), &key, &value);
        show_plain(stream, key);
        fprintf(stream, ":%*s", text_length(key) < 7 ? 8 - (int)text_length(key) : 1, "");
        show_plain(stream, value);
        fputc('\n', stream);
    }
    fputs("event:   ", stream);
    show_plain(stream, text_from(sizes->event));
    if (sizes->measure.length > 0) {
        fputs("\nsizes:   ", stream);
        show_plain(stream, text_from(sizes->measure));
    }
    fprintf(stream, "\ntotal:   %" PRId64 ", %zu functions\n\n", sizes->total,
            sizes->function_count);
}

static void print_table_row(FILE *stream, const struct cg2wg_sizes *sizes, const struct row *row)
{
    const struct cg2wg_sized_function *f = row->function;
    fprintf(stream, "%12" PRId64, f->self);
    print_percent(stream, f->self, sizes->total);
    print_cost(stream, f->inclusive);
    print_percent(stream, f->inclusive, sizes->total);
    fprintf(stream, " %11" PRIu64 " %6zu", f->invocations, f->size_count);
    if (row->fit.growth == GROWTH_UNKNOWN)
        fprintf(stream, "  %-8s %5s  ", "-", "-");
    else
        fprintf(stream, "  %-8s %5.3f  ", growth_name(row->fit.growth), row->fit.goodness);
    print_place(stream, f);
    fputc('\n', stream);
    for (size_t i = 0; i < f->size_count; i++) {
        const struct cg2wg_size_cost *cost = &f->sizes[i];
        fprintf(stream, "%20" PRIu64 " %11" PRIu64, cost->size, cost->calls);
        print_cost(stream, cost->min);
        fprintf(stream, " %14.1f", average(cost));
        print_cost(stream, cost->max);
        print_cost(stream, cost->sum);
        print_cost(stream, cost->self);
        fputc('\n', stream);
    }
}

static void print_table(FILE *stream, const struct cg2wg_sizes *sizes, const struct row *rows,
                        size_t count)
{
    print_head(stream, sizes);
    fprintf(stream, "%12s %7s %12s %7s %11s %6s  %-8s %5s  %s\n", "self", "%", "inclusive", "%",
            "invocations", "sizes", "growth", "fit", "function");
    fprintf(stream, "%20s %11s %12s %14s %12s %12s %12s\n", "size", "invocations", "least",
            "average", "most", "sum", "self");
    for (size_t i = 0; i < count; i++)
        print_table_row(stream, sizes, &rows[i]);
}

/* ---- plots -------------------------------------------------------------------------------- */

enum { PLOT_WIDTH = 60, PLOT_HEIGHT = 12 };

struct plot {
    double least_size, most_size, most_cost;
    char cells[PLOT_HEIGHT][PLOT_WIDTH]; /* the upper row first */
};

static void plot_mark(struct plot *plot, int column, double cost, char mark)
{
    int height = (int)(cost / plot->most_cost * (PLOT_HEIGHT - 1) + 0.5);
    if (cost >= 0 && height < PLOT_HEIGHT && plot->cells[PLOT_HEIGHT - 1 - height][column] != '*')
        plot->cells[PLOT_HEIGHT - 1 - height][column] = mark;
}

static void plot_fit(struct plot *plot, const struct growth_fit *fit)
{
    double step = (plot->most_size - plot->least_size) / (PLOT_WIDTH - 1);
    if (fit->growth == GROWTH_UNKNOWN || fit->growth == GROWTH_UNCLEAR)
        return;
    for (int column = 0; column < PLOT_WIDTH; column++)
        plot_mark(plot, column, growth_cost(fit, plot->least_size + step * column), '.');
}

static void plot_costs(struct plot *plot, const struct cg2wg_sized_function *f)
{
    for (size_t i = 0; i < f->size_count; i++) {
        double place = ((double)f->sizes[i].size - plot->least_size) /
                       (plot->most_size - plot->least_size);
        plot_mark(plot, (int)(place * (PLOT_WIDTH - 1) + 0.5), average(&f->sizes[i]), '*');
    }
}

/* Fills the plot of a function. Returns false if it has not two sizes, or no costs. */
static bool plot_function(struct plot *plot, const struct row *row)
{
    const struct cg2wg_sized_function *f = row->function;
    if (f->size_count < 2)
        return false;
    plot->least_size = (double)f->sizes[0].size;
    plot->most_size = (double)f->sizes[f->size_count - 1].size;
    plot->most_cost = growth_cost(&row->fit, plot->most_size);
    for (size_t i = 0; i < f->size_count; i++)
        if (average(&f->sizes[i]) > plot->most_cost)
            plot->most_cost = average(&f->sizes[i]);
    /* Sizes so large may be the same number here. */
    if (plot->most_cost <= 0 || plot->most_size <= plot->least_size)
        return false;
    memset(plot->cells, ' ', sizeof plot->cells);
    plot_costs(plot, f);
    plot_fit(plot, &row->fit);
    return true;
}

static void print_fit(FILE *stream, const struct growth_fit *fit)
{
    switch (fit->growth) {
    case GROWTH_UNKNOWN:
        fputs("growth: not known, there are too few sizes", stream);
        return;
    case GROWTH_UNCLEAR:
        fputs("growth: unclear", stream);
        break;
    case GROWTH_CONSTANT:
        fprintf(stream, "growth: constant, about %.4g", fit->base);
        break;
    default:
        fprintf(stream, "growth: %s, about %.4g + %.4g %s", growth_name(fit->growth), fit->base,
                fit->factor, growth_name(fit->growth));
    }
    fprintf(stream, fit->growth == GROWTH_UNCLEAR ? " (best fit %.3f)" : " (fit %.3f)", fit->goodness);
}

static void print_plot(FILE *stream, const struct row *row)
{
    const struct cg2wg_sized_function *f = row->function;
    struct plot plot;
    print_place(stream, f);
    fprintf(stream,
            "\n  self %" PRId64 ", inclusive %" PRId64 ", %" PRIu64 " invocation%s, %zu size%s\n  ",
            f->self, f->inclusive, f->invocations, f->invocations == 1 ? "" : "s", f->size_count,
            f->size_count == 1 ? "" : "s");
    print_fit(stream, &row->fit);
    fputs("\n\n", stream);
    if (!plot_function(&plot, row))
        return;
    for (int i = 0; i < PLOT_HEIGHT; i++) {
        int width = PLOT_WIDTH;
        while (width > 0 && plot.cells[i][width - 1] == ' ')
            width--;
        if (i == 0)
            fprintf(stream, "%14.*f |", plot.most_cost < 100 ? 1 : 0, plot.most_cost);
        else
            fprintf(stream, "%14s |", i == PLOT_HEIGHT - 1 ? "0" : "");
        fprintf(stream, "%.*s\n", width, plot.cells[i]);
    }
    fprintf(stream, "%14s +", "");
    for (int i = 0; i < PLOT_WIDTH; i++)
        fputc('-', stream);
    fprintf(stream, "\n%16s%-20" PRIu64 "%20s%20" PRIu64 "\n\n", "", f->sizes[0].size, "size",
            f->sizes[f->size_count - 1].size);
}

static void print_plots(FILE *stream, const struct cg2wg_sizes *sizes, const struct row *rows,
                        size_t count)
{
    print_head(stream, sizes);
    fputs("Average inclusive cost of an invocation (*) by the size of its input, and the growth (.)\n"
          "that fits it best.\n\n",
          stream);
    for (size_t i = 0; i < count; i++)
        print_plot(stream, &rows[i]);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_json_headers(FILE *stream, const struct cg2wg_sizes *sizes)
{
    fputs("  \"headers\": [", stream);
    for (size_t i = 0; i < sizes->header_count; i++) {
        struct text key, value;
        split_header(text_from(sizes->headers[i]), &key, &value);
        fprintf(stream, "%s\n    {", i == 0 ? "" : ",");
        show_json_member(stream, "key", key);
        fputs(", ", stream);
        show_json_member(stream, "value", value);
        fputc('}', stream);
    }
    fputs("\n  ],\n", stream);
}

static void print_json_lines(FILE *stream, const struct cg2wg_sizes *sizes)
{
    fputs("  \"lines\": [", stream);
    for (size_t i = 0; i < sizes->line_count; i++) {
        fprintf(stream, "%s\n    {", i == 0 ? "" : ",");
        show_json_member(stream, "line", text_from(sizes->lines[i]));
        fputc('}', stream);
    }
    fputs("\n  ],\n", stream);
}

/* A number that is not known has no member. */
static void print_json_known(FILE *stream, const char *name, int64_t number)
{
    if (number >= 0)
        fprintf(stream, ", \"%s\": %" PRId64, name, number);
}

static void print_json_size(FILE *stream, const struct cg2wg_size_cost *cost)
{
    fprintf(stream, "{\"size\": %" PRIu64 ", \"invocations\": %" PRIu64, cost->size, cost->calls);
    print_json_known(stream, "sum", cost->sum);
    print_json_known(stream, "outermost", cost->outermost);
    print_json_known(stream, "min", cost->min);
    print_json_known(stream, "max", cost->max);
    print_json_known(stream, "self", cost->self);
    print_json_known(stream, "self_min", cost->self_min);
    print_json_known(stream, "self_max", cost->self_max);
    print_json_known(stream, "syscall_input", cost->syscall_input);
    print_json_known(stream, "thread_input", cost->thread_input);
    print_json_known(stream, "self_syscall_input", cost->self_syscall_input);
    print_json_known(stream, "self_thread_input", cost->self_thread_input);
    fputc('}', stream);
}

static void print_json_fit(FILE *stream, const struct growth_fit *fit)
{
    if (fit->growth == GROWTH_UNKNOWN)
        fputs("     \"growth\": null", stream);
    else
        fprintf(stream,
                "     \"growth\": {\"class\": \"%s\", \"base\": %.9g, \"factor\": %.9g, "
                "\"goodness\": %.6f}",
                growth_name(fit->growth), fit->base, fit->factor, fit->goodness);
}

static void print_json_function(FILE *stream, const struct row *row)
{
    const struct cg2wg_sized_function *f = row->function;
    fprintf(stream, "\n    {\"number\": %zu, ", row->number);
    show_json_member(stream, "name", text_from(f->name));
    fputs(", ", stream);
    show_json_member(stream, "file", text_from(f->file));
    if (f->mangled_name.length > 0) {
        fputs(", ", stream);
        show_json_member(stream, "mangled_name", text_from(f->mangled_name));
    }
    fprintf(stream,
            ",\n     \"self\": %" PRId64 ", \"inclusive\": %" PRId64 ", \"invocations\": %" PRIu64
            ",\n",
            f->self, f->inclusive, f->invocations);
    print_json_fit(stream, &row->fit);
    fputs(",\n     \"sizes\": [", stream);
    for (size_t i = 0; i < f->size_count; i++) {
        fputs(i == 0 ? "\n      " : ",\n      ", stream);
        print_json_size(stream, &f->sizes[i]);
    }
    fputs("]}", stream);
}

static void print_json(FILE *stream, const struct cg2wg_sizes *sizes, const struct row *rows,
                       size_t count)
{
    fputs("{\n", stream);
    print_json_headers(stream, sizes);
    print_json_lines(stream, sizes);
    fputs("  ", stream);
    show_json_member(stream, "event", text_from(sizes->event));
    fputs(",\n  ", stream);
    show_json_member(stream, "measure", text_from(sizes->measure));
    fprintf(stream, ",\n  \"total\": %" PRId64 ",\n  \"functions\": [", sizes->total);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_json_function(stream, &rows[i]);
    }
    fputs("\n  ]\n}\n", stream);
}

/* ---- all ---------------------------------------------------------------------------------- */

bool print_sizes(FILE *stream, const struct options *options, const struct cg2wg_sizes *sizes)
{
    size_t count = sizes->function_count, all = count;
    struct row *rows = calloc(count + 1, sizeof *rows);
    bool done = rows != NULL;
    for (size_t i = 0; done && i < count; i++)
        rows[i] = (struct row){.function = &sizes->functions[i], .number = i};
    if (done)
        qsort(rows, count, sizeof *rows, orders[options->print_order]);
    if (options->print_top > 0 && options->print_top < count)
        count = (size_t)options->print_top;
    for (size_t i = 0; done && i < count; i++)
        done = fit_row(&rows[i]);
    if (done && options->print_style == PRINT_JSON) {
        print_json(stream, sizes, rows, count);
    } else if (done) {
        if (options->print_style == PRINT_PLOT)
            print_plots(stream, sizes, rows, count);
        else
            print_table(stream, sizes, rows, count);
        if (count < all)
            fprintf(stream, "... and %zu more\n", all - count);
    }
    free(rows);
    return done;
}
