#include "view/print_sizes.h"

#include "view/show.h"
#include "view/table.h"
#include "view/view.h"
#include "util/growth.h"
#include "util/run.h"

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

/* A function that is shown. */
struct row {
    size_t number; /* its position in the report */
    const struct cg2wg_sized_function *function;
    struct growth_fit fit;
};

/* Fits the average costs of a function. False: no memory. */
static bool fit_row(struct row *row)
{
    size_t count = row->function->size_count;
    struct growth_point *points = memory_zeroed(count + 1, sizeof *points);
    if (points == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct cg2wg_size_cost *cost = &row->function->sizes[i];
        points[i] = (struct growth_point){(double)cost->size, average(cost)};
    }
    row->fit = growth_fit(points, count);
    memory_free(points);
    return true;
}

/* ---- table -------------------------------------------------------------------------------- */

/* Splits `key: value`. */
static void split_header(struct text line, struct text *key, struct text *value)
{
    const char *colon = memchr(line.at, ':', text_length(line));
    *key = (struct text){line.at, colon != NULL ? colon : line.end};
    *value = text_trim((struct text){colon != NULL ? colon + 1 : line.end, line.end});
}

/* A line `KEY:  VALUE`. */
static void print_line(FILE *stream, size_t columns, struct text key, struct text value)
{
    int blanks = text_length(key) < 7 ? 8 - (int)text_length(key) : 1;
    show_plain(stream, key);
    fprintf(stream, ":%*s", blanks, "");
    table_print_text(stream, columns, show_columns(key) + 1 + (size_t)blanks, value);
    fputc('\n', stream);
}

static void print_head(FILE *stream, size_t columns, const struct cg2wg_sizes *sizes)
{
    char total[TABLE_CELL], count[TABLE_CELL];
    for (size_t i = 0; i < sizes->header_count; i++) {
        struct text key, value;
        split_header(text_from(sizes->headers[i]), &key, &value);
        print_line(stream, columns, key, value);
    }
    print_line(stream, columns, text_of_string("event"), text_from(sizes->event));
    if (sizes->measure.length > 0)
        print_line(stream, columns, text_of_string("sizes"), text_from(sizes->measure));
    fprintf(stream, "total:   %s, %s functions\n\n",
            table_signed(total, columns, sizes->total),
            table_number(count, columns, sizes->function_count));
}

static void set_function(const struct table *table, struct table_cells *cells,
                         const struct cg2wg_sizes *sizes, const struct row *row)
{
    const struct cg2wg_sized_function *f = row->function;
    double total = (double)sizes->total;
    table_signed(cells->text[0], table->columns, f->self);
    table_set_percent(cells, 1, (double)f->self, total);
    table_set_cost(table, cells, 2, f->inclusive);
    table_set_percent(cells, 3, (double)f->inclusive, total);
    table_set(table, cells, 4, f->invocations);
    table_set(table, cells, 5, f->size_count);
    bool is_known = row->fit.growth != GROWTH_UNKNOWN;
    snprintf(cells->text[6], TABLE_CELL, "%s", is_known ? growth_name(row->fit.growth) : "-");
    snprintf(cells->text[7], TABLE_CELL, is_known ? "%.3f" : "-", row->fit.goodness);
}

static void set_size(const struct table *table, struct table_cells *cells,
                     const struct cg2wg_size_cost *cost)
{
    table_set(table, cells, 0, cost->size);
    table_set(table, cells, 1, cost->calls);
    table_set_cost(table, cells, 2, cost->min);
    snprintf(cells->text[3], TABLE_CELL, "%.1f", average(cost));
    table_set_cost(table, cells, 4, cost->max);
    table_set_cost(table, cells, 5, cost->sum);
    table_set_cost(table, cells, 6, cost->self);
}

static void print_table(FILE *stream, size_t columns, const struct cg2wg_sizes *sizes,
                        const struct row *rows, size_t count)
{
    static const struct table_cells
        function_headings = {{"self", "%", "inclusive", "%", "invocations", "sizes", "growth", "fit"}},
        size_headings = {{"size", "invocations", "least", "average", "most", "sum", "self"}};
    static const int function_widths[] = {12, 7, 12, 7, 11, 6, -8, 5},
                     size_widths[] = {16, 11, 12, 14, 12, 12, 12};
    struct table functions, by_size;
    struct table_cells cells;
    table_init(&functions, stream, columns, &function_headings, function_widths, 8);
    table_init(&by_size, stream, columns, &size_headings, size_widths, 7);
    by_size.indent = 4;
    print_head(stream, columns, sizes);
    for (size_t i = 0; i < count && columns > 0; i++) {
        set_function(&functions, &cells, sizes, &rows[i]);
        table_fit(&functions, &cells);
        for (size_t k = 0; k < rows[i].function->size_count; k++) {
            set_size(&by_size, &cells, &rows[i].function->sizes[k]);
            table_fit(&by_size, &cells);
        }
    }
    table_print_function(&functions, &function_headings, text_of_string("function"), text_of("", 0), 0);
    table_print(&by_size, &size_headings);
    fputc('\n', stream);
    for (size_t i = 0; i < count; i++) {
        const struct cg2wg_sized_function *f = rows[i].function;
        set_function(&functions, &cells, sizes, &rows[i]);
        table_print_function(&functions, &cells, text_from(f->name), text_from(f->file), 0);
        for (size_t k = 0; k < f->size_count; k++) {
            set_size(&by_size, &cells, &f->sizes[k]);
            table_print(&by_size, &cells);
            fputc('\n', stream);
        }
    }
}

/* ---- plots -------------------------------------------------------------------------------- */

enum { PLOT_WIDTH = 60, PLOT_HEIGHT = 12 };

struct plot {
    int width;
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
    double step = (plot->most_size - plot->least_size) / (plot->width - 1);
    if (fit->growth == GROWTH_UNKNOWN || fit->growth == GROWTH_UNCLEAR)
        return;
    for (int column = 0; column < plot->width; column++)
        plot_mark(plot, column, growth_cost(fit, plot->least_size + step * column), '.');
}

static void plot_costs(struct plot *plot, const struct cg2wg_sized_function *f)
{
    for (size_t i = 0; i < f->size_count; i++) {
        double place = ((double)f->sizes[i].size - plot->least_size) /
                       (plot->most_size - plot->least_size);
        plot_mark(plot, (int)(place * (plot->width - 1) + 0.5), average(&f->sizes[i]), '*');
    }
}

/* Fills the plot of a function. Returns false if it has fewer than two sizes, or no costs. */
static bool plot_function(struct plot *plot, const struct row *row)
{
    const struct cg2wg_sized_function *f = row->function;
    if (f->size_count == 0)
        return false;
    plot->least_size = (double)f->sizes[0].size;
    plot->most_size = (double)f->sizes[f->size_count - 1].size;
    plot->most_cost = growth_cost(&row->fit, plot->most_size);
    for (size_t i = 0; i < f->size_count; i++)
        if (average(&f->sizes[i]) > plot->most_cost)
            plot->most_cost = average(&f->sizes[i]);
    /* There may be only one size, or sizes so large that they are the same number here. */
    if (plot->most_cost <= 0 || plot->most_size <= plot->least_size)
        return false;
    memset(plot->cells, ' ', sizeof plot->cells);
    plot_costs(plot, f);
    plot_fit(plot, &row->fit);
    return true;
}

/* Describes how costs grow, in at most `size` bytes. */
static void say_fit(char *text, size_t size, const struct growth_fit *fit)
{
    const char *name = growth_name(fit->growth);
    switch (fit->growth) {
    case GROWTH_UNKNOWN:
        snprintf(text, size, "growth: unknown, too few sizes");
        break;
    case GROWTH_UNCLEAR:
        snprintf(text, size, "growth: %s (best fit %.3f)", name, fit->goodness);
        break;
    case GROWTH_CONSTANT:
        snprintf(text, size, "growth: %s, about %.4g (fit %.3f)", name, fit->base, fit->goodness);
        break;
    default:
        snprintf(text, size, "growth: %s, about %.4g + %.4g %s (fit %.3f)", name, fit->base, fit->factor,
                 name, fit->goodness);
    }
}

static void print_plot(FILE *stream, size_t columns, const struct row *row)
{
    enum { SCALE = 16, LEAST_WIDTH = 20 };
    const struct cg2wg_sized_function *f = row->function;
    struct plot plot = {.width = PLOT_WIDTH};
    char self[TABLE_CELL], inclusive[TABLE_CELL], invocations[TABLE_CELL], sizes[TABLE_CELL], line[256];
    if (columns > 0 && columns < SCALE + PLOT_WIDTH)
        plot.width = columns < SCALE + LEAST_WIDTH ? LEAST_WIDTH : (int)columns - SCALE;
    table_print_name(stream, columns, 0, text_from(f->name), text_from(f->file), 0);
    snprintf(line, sizeof line, "self %s, inclusive %s, %s invocation%s, %s size%s",
             table_signed(self, columns, f->self),
             table_signed(inclusive, columns, f->inclusive),
             table_number(invocations, columns, f->invocations), f->invocations == 1 ? "" : "s",
             table_number(sizes, columns, f->size_count), f->size_count == 1 ? "" : "s");
    for (int i = 0; i < 2; i++) {
        fputs("  ", stream);
        show_wrapped(stream, line, 2, 2, columns > 0 ? columns : SIZE_MAX);
        say_fit(line, sizeof line, &row->fit);
    }
    fputc('\n', stream);
    if (!plot_function(&plot, row))
        return;
    for (int i = 0; i < PLOT_HEIGHT; i++) {
        int width = plot.width;
        while (width > 0 && plot.cells[i][width - 1] == ' ')
            width--;
        if (i == 0)
            fprintf(stream, "%14.*f |", plot.most_cost < 100 ? 1 : 0, plot.most_cost);
        else
            fprintf(stream, "%14s |", i == PLOT_HEIGHT - 1 ? "0" : "");
        fprintf(stream, "%.*s\n", width, plot.cells[i]);
    }
    fprintf(stream, "%14s +", "");
    for (int i = 0; i < plot.width; i++)
        fputc('-', stream);
    int third = plot.width / 3;
    table_number(self, columns, f->sizes[0].size);
    table_number(inclusive, columns, f->sizes[f->size_count - 1].size);
    fprintf(stream, "\n%*s%-*s%*s%*s\n\n", SCALE, "", third, self, third, "size", plot.width - 2 * third,
            inclusive);
}

static void print_plots(FILE *stream, size_t columns, const struct cg2wg_sizes *sizes,
                        const struct row *rows, size_t count)
{
    print_head(stream, columns, sizes);
    show_wrapped(stream,
                 "Average inclusive cost of an invocation (*) by the size of its input, and the growth (.) "
                 "that fits it best.",
                 0, 0, columns > 0 ? columns : 80);
    fputc('\n', stream);
    for (size_t i = 0; i < count; i++)
        print_plot(stream, columns, &rows[i]);
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

/* An unknown number has no member. */
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

static void print_json(FILE *stream, const struct cg2wg_sizes *sizes, const struct view *view,
                       const struct row *rows)
{
    fputs("{\n", stream);
    print_json_headers(stream, sizes);
    print_json_lines(stream, sizes);
    fputs("  ", stream);
    show_json_member(stream, "event", text_from(sizes->event));
    fputs(",\n  ", stream);
    show_json_member(stream, "measure", text_from(sizes->measure));
    fprintf(stream, ",\n  \"total\": %" PRId64 ",\n  \"left_out\": ", sizes->total);
    view_print_json_rest(stream, view, "functions");
    fputs(",\n  \"functions\": [", stream);
    for (size_t i = 0; i < view->count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_json_function(stream, &rows[i]);
    }
    fputs("\n  ]\n}\n", stream);
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool choose_rows(struct view *view, const struct options *options,
                        const struct cg2wg_sizes *sizes, struct diag *diag)
{
    for (size_t i = 0; i < view->all; i++) {
        const struct cg2wg_sized_function *f = &sizes->functions[i];
        view->rows[i] = (struct view_row){.self = f->self,
                                          .inclusive = f->inclusive,
                                          .invocations = f->invocations,
                                          .name = text_from(f->name),
                                          .file = text_from(f->file),
                                          .number = i};
    }
    if (!view_can_choose(view, options, diag))
        return false;
    view_choose(view, options);
    return true;
}

/* The rows that the view shows, in malloc'ed memory, or NULL. */
static struct row *fitted_rows(const struct view *view, const struct cg2wg_sizes *sizes)
{
    struct row *rows = memory_zeroed(view->count + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < view->count; i++) {
        size_t number = view->rows[i].number;
        rows[i] = (struct row){.number = number, .function = &sizes->functions[number]};
        if (!fit_row(&rows[i])) {
            memory_free(rows);
            return NULL;
        }
    }
    return rows;
}

static void print_rows(FILE *stream, const struct options *options, const struct cg2wg_sizes *sizes,
                       const struct view *view, const struct row *rows)
{
    if (options->print_style == PRINT_JSON) {
        print_json(stream, sizes, view, rows);
        return;
    }
    if (options->print_style == PRINT_PLOT)
        print_plots(stream, options->columns, sizes, rows, view->count);
    else
        print_table(stream, options->columns, sizes, rows, view->count);
    view_print_rest(stream, options->columns, view, "");
}

bool print_sizes(FILE *stream, const struct options *options, const struct cg2wg_sizes *sizes,
                 struct diag *diag)
{
    struct view view;
    if (!view_init(&view, sizes->function_count, (double)sizes->total))
        return diag_no_memory(diag);
    bool done = choose_rows(&view, options, sizes, diag);
    if (done) {
        struct row *rows = fitted_rows(&view, sizes);
        done = rows != NULL || diag_no_memory(diag);
        if (done)
            print_rows(stream, options, sizes, &view, rows);
        memory_free(rows);
    }
    view_free(&view);
    return done;
}
