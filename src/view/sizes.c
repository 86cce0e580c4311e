#include "view/print.h"

#include "util/growth.h"
#include "util/run.h"
#include "util/show.h"

#include <inttypes.h>

/* The average inclusive cost of a call. */
static double average(const struct cg2wg_size_cost *cost)
{
    return cost->calls > 0 ? (double)cost->sum / (double)cost->calls : 0;
}

/* A function that is shown. */
struct row {
    const struct view_row *function;
    const struct cg2wg_size_cost *sizes;
    size_t size_count;
    struct text mangled;
    struct growth_fit fit;
};

struct size_view {
    FILE *stream;
    size_t room;
    const struct shown *shown;
    cost_t total;
    struct view view;
    struct row *rows; /* those that are shown */
};

/* Makes the rows that the view shows, and fits their average costs. */
static void make_rows(struct size_view *v)
{
    const struct sizes *sizes = &v->shown->sizes;
    v->rows = memory_zeroed(v->view.count + 1, sizeof *v->rows);
    for (size_t i = 0; i < v->view.count; i++) {
        struct row *row = &v->rows[i];
        size_t number = (size_t)v->view.rows[i].number, first = sizes->first[number];
        uint32_t mangled = number < sizes->mangled_count ? sizes->mangled[number] : NAME_EMPTY;
        *row = (struct row){.function = &v->view.rows[i],
                            .sizes = &sizes->costs[first],
                            .size_count = sizes->first[number + 1] - first,
                            .mangled = names_text(&v->shown->profile.names, mangled)};
        struct growth_point *points = memory_zeroed(row->size_count + 1, sizeof *points);
        for (size_t k = 0; k < row->size_count; k++)
            points[k] = (struct growth_point){(double)row->sizes[k].size, average(&row->sizes[k])};
        row->fit = growth_fit(points, row->size_count);
        memory_free(points);
    }
}

/* ---- table -------------------------------------------------------------------------------- */

/* Takes the next header line of what was profiled from number *next on, `key: value`. False: there is none. */
static bool next_header(const struct profile *profile, size_t *next, struct text *key, struct text *value)
{
    while (*next < profile->header_count) {
        const struct header *header = &profile->headers[(*next)++];
        if (header->kind != HEADER_OTHER && header->kind != HEADER_CMD)
            continue;
        struct text line = names_text(&profile->names, header->text);
        const char *colon = memchr(line.at, ':', text_length(line));
        *key = (struct text){line.at, colon != NULL ? colon : line.end};
        *value = text_trim((struct text){colon != NULL ? colon + 1 : line.end, line.end});
        return true;
    }
    return false;
}

/* A line `KEY:  VALUE`. */
static void print_line(const struct size_view *v, struct text key, struct text value)
{
    int blanks = text_length(key) < 7 ? 8 - (int)text_length(key) : 1;
    show_plain(v->stream, key);
    fprintf(v->stream, ":%*s", blanks, "");
    table_print_text(v->stream, v->room, show_columns(key) + 1 + (size_t)blanks, value);
    fputc('\n', v->stream);
}

static void print_head(const struct size_view *v)
{
    const struct profile *profile = &v->shown->profile;
    struct text key, value, measure = names_text(&profile->names, v->shown->sizes.measure);
    char total[TABLE_CELL], count[TABLE_CELL];
    for (size_t next = 0; next_header(profile, &next, &key, &value);)
        print_line(v, key, value);
    print_line(v, text_of_string("event"), names_text(&profile->names, profile->event));
    if (!text_is_empty(measure))
        print_line(v, text_of_string("sizes"), measure);
    fprintf(v->stream, "total:   %s, %s functions\n\n", table_signed(total, v->room, v->total),
            table_number(count, v->room, profile->function_count));
}

static void values_of(const void *of, const void *row, struct value values[])
{
    const struct row *r = row;
    double total = ((const struct view *)of)->total;
    bool is_known = r->fit.growth != GROWTH_UNKNOWN;
    values[0] = value_cost(r->function->self);
    values[1] = value_percent((double)r->function->self, total);
    values[2] = value_known(r->function->inclusive);
    values[3] = value_percent((double)r->function->inclusive, total);
    values[4] = value_count(r->function->invocations);
    values[5] = value_count(r->size_count);
    values[6] = (struct value){.kind = is_known ? VALUE_WORD : VALUE_NONE, .word = growth_name(r->fit.growth)};
    values[7] = (struct value){.kind = is_known ? VALUE_THOUSANDTHS : VALUE_NONE, .real = r->fit.goodness};
}

static void values_of_size(const void *of, const void *row, struct value values[])
{
    const struct cg2wg_size_cost *cost = row;
    (void)of;
    values[0] = value_count(cost->size);
    values[1] = value_count(cost->calls);
    values[2] = value_known(cost->min);
    values[3] = (struct value){.kind = VALUE_TENTHS, .real = average(cost)};
    values[4] = value_known(cost->max);
    values[5] = value_known(cost->sum);
    values[6] = value_known(cost->self);
}

static const struct columns size_columns = {
    {{"size", 16, "size", 1}, {"invocations", 11, "invocations", 2}, {"least", 12, NULL, 0}, {"average", 14, NULL, 0},
     {"most", 12, NULL, 0}, {"sum", 12, NULL, 0}, {"self", 12, NULL, 0}}, 7, values_of_size, NULL};

static void print_table(const struct size_view *v)
{
    const struct columns columns = {
        {{"self", 12, NULL, 0}, {"%", 7, NULL, 0}, {"inclusive", 12, NULL, 0}, {"%", 7, NULL, 0},
         {"invocations", 11, NULL, 0}, {"sizes", 6, NULL, 0}, {"growth", -8, NULL, 0}, {"fit", 5, NULL, 0}},
        8, values_of, &v->view};
    struct table functions, by_size;
    table_init(&functions, v->stream, v->room, &columns);
    table_init(&by_size, v->stream, v->room, &size_columns);
    by_size.indent = 4;
    print_head(v);
    for (size_t i = 0; i < v->view.count; i++) {
        table_fit(&functions, &v->rows[i]);
        for (size_t k = 0; k < v->rows[i].size_count; k++)
            table_fit(&by_size, &v->rows[i].sizes[k]);
    }
    table_print_named(&functions, NULL, text_of_string("function"), text_of("", 0), 0);
    table_print(&by_size, NULL);
    fputc('\n', v->stream);
    for (size_t i = 0; i < v->view.count; i++) {
        const struct row *row = &v->rows[i];
        table_print_named(&functions, row, row->function->name, row->function->file, 0);
        for (size_t k = 0; k < row->size_count; k++) {
            table_print(&by_size, &row->sizes[k]);
            fputc('\n', v->stream);
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

static void plot_costs(struct plot *plot, const struct row *row)
{
    for (size_t i = 0; i < row->size_count; i++) {
        double place = ((double)row->sizes[i].size - plot->least_size) /
                       (plot->most_size - plot->least_size);
        plot_mark(plot, (int)(place * (plot->width - 1) + 0.5), average(&row->sizes[i]), '*');
    }
}

/* Fills the plot of a function. Returns false if it has fewer than two sizes, or no costs. */
static bool plot_function(struct plot *plot, const struct row *row)
{
    if (row->size_count == 0)
        return false;
    plot->least_size = (double)row->sizes[0].size;
    plot->most_size = (double)row->sizes[row->size_count - 1].size;
    plot->most_cost = growth_cost(&row->fit, plot->most_size);
    for (size_t i = 0; i < row->size_count; i++)
        if (average(&row->sizes[i]) > plot->most_cost)
            plot->most_cost = average(&row->sizes[i]);
    /* There may be only one size, or sizes so large that they are the same number here. */
    if (plot->most_cost <= 0 || plot->most_size <= plot->least_size)
        return false;
    memset(plot->cells, ' ', sizeof plot->cells);
    plot_costs(plot, row);
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
    struct plot plot = {.width = PLOT_WIDTH};
    char self[TABLE_CELL], inclusive[TABLE_CELL], invocations[TABLE_CELL], sizes[TABLE_CELL], line[256];
    if (columns > 0 && columns < SCALE + PLOT_WIDTH)
        plot.width = columns < SCALE + LEAST_WIDTH ? LEAST_WIDTH : (int)columns - SCALE;
    table_print_name(stream, columns, 0, row->function->name, row->function->file, 0);
    snprintf(line, sizeof line, "self %s, inclusive %s, %s invocation%s, %s size%s",
             table_signed(self, columns, row->function->self),
             table_signed(inclusive, columns, row->function->inclusive),
             table_number(invocations, columns, row->function->invocations), row->function->invocations == 1 ? "" : "s",
             table_number(sizes, columns, row->size_count), row->size_count == 1 ? "" : "s");
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
    table_number(self, columns, row->sizes[0].size);
    table_number(inclusive, columns, row->sizes[row->size_count - 1].size);
    fprintf(stream, "\n%*s%-*s%*s%*s\n\n", SCALE, "", third, self, third, "size", plot.width - 2 * third,
            inclusive);
}

static void print_plots(const struct size_view *v)
{
    print_head(v);
    show_wrapped(v->stream,
                 "Average inclusive cost of an invocation (*) by the size of its input, and the growth (.) "
                 "that fits it best.",
                 0, 0, v->room > 0 ? v->room : 80);
    fputc('\n', v->stream);
    for (size_t i = 0; i < v->view.count; i++)
        print_plot(v->stream, v->room, &v->rows[i]);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_json_size(struct json *json, const struct cg2wg_size_cost *cost)
{
    const struct {
        const char *key;
        int64_t number; /* below 0: unknown */
    } members[] = {{"sum", cost->sum}, {"outermost", cost->outermost}, {"min", cost->min}, {"max", cost->max},
                   {"self", cost->self}, {"self_min", cost->self_min}, {"self_max", cost->self_max},
                   {"syscall_input", cost->syscall_input}, {"thread_input", cost->thread_input},
                   {"self_syscall_input", cost->self_syscall_input}, {"self_thread_input", cost->self_thread_input}};
    json_begin(json, NULL, '{', " ");
    table_print_json(json, &size_columns, cost);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (members[i].number >= 0)
            json_print(json, members[i].key, "%" PRId64, members[i].number);
    json_end(json, "}");
}

static void print_json_function(struct json *json, const struct row *row)
{
    json_begin(json, NULL, '{', " ");
    json_print(json, "number", "%" PRIu64, row->function->number);
    view_print_json_names(json, row->function, false);
    if (!text_is_empty(row->mangled))
        json_text(json, "mangled_name", row->mangled);
    json_break(json, "\n     ");
    json_print(json, "self", "%" PRId64, row->function->self);
    json_print(json, "inclusive", "%" PRId64, row->function->inclusive);
    json_print(json, "invocations", "%" PRIu64, row->function->invocations);
    json_break(json, "\n     ");
    if (row->fit.growth == GROWTH_UNKNOWN) {
        json_print(json, "growth", "null");
    } else {
        json_begin(json, "growth", '{', " ");
        json_print(json, "class", "\"%s\"", growth_name(row->fit.growth));
        json_print(json, "base", "%.9g", row->fit.base);
        json_print(json, "factor", "%.9g", row->fit.factor);
        json_print(json, "goodness", "%.6f", row->fit.goodness);
        json_end(json, "}");
    }
    json_break(json, "\n     ");
    json_begin(json, "sizes", '[', "\n      ");
    for (size_t i = 0; i < row->size_count; i++)
        print_json_size(json, &row->sizes[i]);
    json_end(json, "]");
    json_end(json, "}");
}

static void print_json(const struct size_view *v)
{
    const struct profile *profile = &v->shown->profile;
    const struct sizes *sizes = &v->shown->sizes;
    struct json json = {.stream = v->stream};
    struct text key, value;
    json_begin(&json, NULL, '{', "\n  ");
    json_begin(&json, "headers", '[', "\n    ");
    for (size_t next = 0; next_header(profile, &next, &key, &value);) {
        json_begin(&json, NULL, '{', " ");
        json_text(&json, "key", key);
        json_text(&json, "value", value);
        json_end(&json, "}");
    }
    json_end(&json, "\n  ]");
    json_begin(&json, "lines", '[', "\n    ");
    for (size_t i = 0; i < sizes->line_count; i++) {
        json_begin(&json, NULL, '{', " ");
        json_text(&json, "line", names_text(&profile->names, sizes->lines[i]));
        json_end(&json, "}");
    }
    json_end(&json, "\n  ]");
    json_text(&json, "event", names_text(&profile->names, profile->event));
    json_text(&json, "measure", names_text(&profile->names, sizes->measure));
    json_print(&json, "total", "%" PRId64, v->total);
    view_print_json_rest(&json, "left_out", &v->view, "functions");
    json_begin(&json, "functions", '[', "\n    ");
    for (size_t i = 0; i < v->view.count; i++)
        print_json_function(&json, &v->rows[i]);
    json_end(&json, "\n  ]");
    json_end(&json, "\n}\n");
}

/* ---- all ---------------------------------------------------------------------------------- */

void print_sizes(FILE *stream, const struct cg2wg_view *options, struct shown *shown)
{
    const struct profile *profile = &shown->profile;
    struct size_view v = {.stream = stream, .room = options->columns, .shown = shown};
    for (size_t i = 0; i < profile->header_count; i++)
        if (profile->headers[i].kind == HEADER_SUMMARY)
            cost_add(&v.total, profile->headers[i].total);
    view_init(&v.view, profile->function_count, (double)v.total);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        v.view.rows[i] = (struct view_row){.self = f->self,
                                           .inclusive = f->inclusive,
                                           .invocations = f->invocations,
                                           .name = names_text(&profile->names, f->name),
                                           .file = names_text(&profile->names, f->file),
                                           .number = i};
    }
    view_can_choose(&v.view, options, &shown->diag);
    view_choose(&v.view, options);
    make_rows(&v);
    if (options->style == CG2WG_JSON) {
        print_json(&v);
        return;
    }
    if (options->style == CG2WG_PLOT)
        print_plots(&v);
    else
        print_table(&v);
    view_print_rest(stream, v.room, &v.view, "");
}
