/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "util/show.h"

#include <inttypes.h>
#include <stddef.h>

static double average(const struct cg2wg_size_cost *cost)
{
    return cost->calls > 0 ? (double)cost->sum / (double)cost->calls : 0;
}

static struct value average_of(const void *of, const void *row, int what)
{
    (void)of;
    (void)what;
    return (struct value){VALUE_REAL, .real = average(row), .decimals = 1};
}

/* The number at that offset; below 0, it is unknown. */
static struct value number_at(const void *of, const void *row, int offset)
{
    int64_t number;
    (void)of;
    memcpy(&number, (const char *)row + offset, sizeof number);
    return (struct value){number < 0 ? VALUE_NONE : VALUE_COUNT, .count = (uint64_t)number};
}

#define MEMBER(name) number_at, .what = offsetof(struct cg2wg_size_cost, name)
static const struct column size_columns[] = {
    {"size", NULL, 16, MEMBER(size)}, {"calls", NULL, 11, MEMBER(calls)},
    {"least", NULL, 12, MEMBER(min)}, {"average", NULL, 14, average_of, .what = 0},
    {"most", NULL, 12, MEMBER(max)},  {"sum", NULL, 12, MEMBER(sum)},
    {"self", NULL, 12, MEMBER(self)}};

/* Of a function: number of sizes, growth and how well it fits. */
enum { SUMMARY_SIZES, SUMMARY_GROWTH, SUMMARY_FIT };

static struct value summary_of(const void *of, const void *row, int what)
{
    const struct view *view = of;
    const struct size_row *sizes = &view->sizes->rows[(const struct view_row *)row - view->rows];
    const struct growth_fit *fit = &sizes->fit;
    if (what == SUMMARY_SIZES)
        return (struct value){VALUE_COUNT, .count = sizes->count};
    if (fit->growth == GROWTH_UNKNOWN)
        return (struct value){.kind = VALUE_NONE};
    return what == SUMMARY_GROWTH ? (struct value){VALUE_WORD, .word = growth_classes[fit->growth].name}
                                  : (struct value){VALUE_REAL, .real = fit->goodness, .decimals = 3};
}

void sizes_init(struct size_view *sizes, const struct contents *shown, const struct view *view, FILE *stream,
                const struct cg2wg_view *options, struct columns *of_view)
{
    static const struct column summaries[] = {{"sizes", NULL, 6, summary_of, .what = SUMMARY_SIZES},
                                              {"growth", NULL, -8, summary_of, .what = SUMMARY_GROWTH},
                                              {"fit", NULL, 5, summary_of, .what = SUMMARY_FIT}};
    columns_add(of_view, summaries, COUNT_OF(summaries));
    *sizes = (struct size_view){.view = view, .rows = memory_zeroed(view->count + 1, sizeof *sizes->rows)};
    struct columns columns = {.count = 0};
    columns_add(&columns, size_columns, COUNT_OF(size_columns));
    table_init(&sizes->table, stream, options, columns, text_of("", 0));
    for (size_t i = 0; i < view->count; i++) {
        const size_t *first = &shown->sizes->first[view->rows[i].number];
        struct size_row *row = &sizes->rows[i];
        *row = (struct size_row){.count = first[1] - first[0]};
        row->costs = row->count > 0 ? &shown->sizes->costs[first[0]] : NULL;
        struct growth_point *points = memory_zeroed(row->count + 1, sizeof *points);
        for (size_t k = 0; k < row->count; k++) {
            points[k] = (struct growth_point){(double)row->costs[k].size, average(&row->costs[k])};
            table_fit(&sizes->table, &row->costs[k]);
        }
        row->fit = growth_fit(points, row->count);
    }
}

void sizes_print(const struct size_view *sizes, const struct view_row *row)
{
    const struct size_row *of = row != NULL ? &sizes->rows[row - sizes->view->rows] : NULL;
    for (size_t i = 0; i < (of != NULL ? of->count : 1); i++) {
        fputs("    ", sizes->table.stream);
        table_print(&sizes->table, of != NULL ? &of->costs[i] : NULL);
        fputc('\n', sizes->table.stream);
    }
}

void sizes_print_json(const struct size_view *sizes, struct json *json, const struct view_row *row)
{
    const struct size_row *of = &sizes->rows[row - sizes->view->rows];
    const struct growth_fit *fit = &of->fit;
    char base[TEXT_REAL], factor[TEXT_REAL], goodness[TEXT_REAL];
    if (fit->growth == GROWTH_UNKNOWN)
        json_print(json, "\ngrowth", "null");
    else
        json_print(json, "\ngrowth", "{\"class\": \"%s\", \"base\": %s, \"factor\": %s, \"goodness\": %s}",
                   growth_classes[fit->growth].name, text_real(base, 9, 'g', fit->base),
                   text_real(factor, 9, 'g', fit->factor), text_real(goodness, 6, 'f', fit->goodness));
    json_begin(json, "\nsizes", '[', "\n      ");
    for (size_t i = 0; i < of->count; i++) {
        const struct cg2wg_size_cost *cost = &of->costs[i];
        const struct {
            const char *key;
            int64_t number; /* below 0: unknown */
        } members[] = {{"sum", cost->sum},
                       {"outermost", cost->outermost},
                       {"min", cost->min},
                       {"max", cost->max},
                       {"self", cost->self},
                       {"self_min", cost->self_min},
                       {"self_max", cost->self_max},
                       {"syscall_input", cost->syscall_input},
                       {"thread_input", cost->thread_input},
                       {"self_syscall_input", cost->self_syscall_input},
                       {"self_thread_input", cost->self_thread_input}};
        json_begin(json, NULL, '{', " ");
        json_print(json, "size", "%" PRIu64, cost->size);
        json_print(json, "invocations", "%" PRIu64, cost->calls);
        for (size_t m = 0; m < COUNT_OF(members); m++)
            if (members[m].number >= 0)
                json_print(json, members[m].key, "%" PRId64, members[m].number);
        json_end(json);
    }
    json_end(json);
}

enum { PLOT_WIDTH = 60, PLOT_HEIGHT = 12 };

static void plot_mark(char cells[PLOT_HEIGHT][PLOT_WIDTH], int x, double share, char mark)
{
    int height = (int)(share * (PLOT_HEIGHT - 1) + 0.5);
    if (share >= 0 && height < PLOT_HEIGHT && cells[PLOT_HEIGHT - 1 - height][x] != '*')
        cells[PLOT_HEIGHT - 1 - height][x] = mark;
}

static void plot_function(const struct table *table, const struct size_row *row)
{
    enum { SCALE = 16, LEAST_WIDTH = 20 }; /* the left axis has room for 14 digits */
    int plot_width = table->room == 0 ? PLOT_WIDTH : MAX(LEAST_WIDTH, MIN(PLOT_WIDTH, (int)table->room - SCALE));
    const struct cg2wg_size_cost *costs = row->costs;
    const struct growth_fit *fit = &row->fit;
    size_t count = row->count;
    double least = count > 0 ? (double)costs[0].size : 0, range = count > 0 ? (double)costs[count - 1].size - least : 0;
    double most = growth_cost(fit, least + range);
    char cells[PLOT_HEIGHT][PLOT_WIDTH]; /* the upper line first */
    char first[TABLE_CELL], last[TABLE_CELL];
    for (size_t i = 0; i < count; i++)
        most = average(&costs[i]) > most ? average(&costs[i]) : most;
    /* There may be only one size, or sizes so large that they are the same number here. */
    if (most <= 0 || range <= 0)
        return;
    memset(cells, ' ', sizeof cells);
    for (size_t i = 0; i < count; i++)
        plot_mark(cells, (int)(((double)costs[i].size - least) / range * (plot_width - 1) + 0.5),
                  average(&costs[i]) / most, '*');
    for (int i = 0; i < plot_width && fit->growth != GROWTH_UNKNOWN && fit->growth != GROWTH_UNCLEAR; i++)
        plot_mark(cells, i, growth_cost(fit, least + range / (plot_width - 1) * i) / most, '.');
    for (int i = 0; i < PLOT_HEIGHT; i++) {
        int width = plot_width;
        while (width > 0 && cells[i][width - 1] == ' ')
            width--;
        if (i == 0)
            fprintf(table->stream, "%14s |", text_real(first, most < 100 ? 1 : 0, 'f', most));
        else
            fprintf(table->stream, "%14s |", i == PLOT_HEIGHT - 1 ? "0" : "");
        fprintf(table->stream, "%.*s\n", width, cells[i]);
    }
    fprintf(table->stream, "%14s +", "");
    for (int i = 0; i < plot_width; i++)
        fputc('-', table->stream);
    int third = plot_width / 3;
    fprintf(table->stream, "\n%*s%-*s%*s%*s\n\n", SCALE, "", third, table_number(first, table->room, costs[0].size),
            third, "size", plot_width - 2 * third, table_number(last, table->room, costs[count - 1].size));
}

void sizes_plot(const struct size_view *sizes)
{
    FILE *stream = sizes->table.stream;
    size_t room = sizes->table.room;
    char self[TABLE_CELL], inclusive[TABLE_CELL], calls[TABLE_CELL], number[TABLE_CELL], line[256];
    char base[TEXT_REAL], factor[TEXT_REAL], goodness[TEXT_REAL];
    show_wrapped(stream,
                 "Average inclusive cost of a call (*) by the size of its input, and the growth (.) that fits it best.",
                 0, 0, room > 0 ? room : 80);
    fputc('\n', stream);
    for (size_t i = 0; i < sizes->view->count; i++) {
        const struct view_row *row = &sizes->view->rows[i];
        const struct growth_fit *fit = &sizes->rows[i].fit;
        size_t count = sizes->rows[i].count;
        const char *name = growth_classes[fit->growth].name;
        table_print_name(stream, room, 0, row->name, row->file, 0);
        snprintf(line, sizeof line, "self %s, inclusive %s, %s call%s, %s size%s",
                 table_signed(self, room, row->measures[SELF]), table_signed(inclusive, room, row->measures[INCLUSIVE]),
                 table_number(calls, room, (uint64_t)row->measures[COUNT]), row->measures[COUNT] == 1 ? "" : "s",
                 table_number(number, room, count), count == 1 ? "" : "s");
        fputs("\n  ", stream);
        show_wrapped(stream, line, 2, 2, room > 0 ? room : SIZE_MAX);
        text_real(base, 4, 'g', fit->base);
        text_real(factor, 4, 'g', fit->factor);
        text_real(goodness, 3, 'f', fit->goodness);
        if (fit->growth == GROWTH_UNKNOWN)
            snprintf(line, sizeof line, "growth: unknown, too few sizes");
        else if (fit->growth == GROWTH_UNCLEAR)
            snprintf(line, sizeof line, "growth: %s (best fit %s)", name, goodness);
        else if (fit->growth == GROWTH_CONSTANT)
            snprintf(line, sizeof line, "growth: %s, about %s (fit %s)", name, base, goodness);
        else
            snprintf(line, sizeof line, "growth: %s, about %s + %s %s (fit %s)", name, base, factor, name, goodness);
        fputs("  ", stream);
        show_wrapped(stream, line, 2, 2, room > 0 ? room : SIZE_MAX);
        fputc('\n', stream);
        plot_function(&sizes->table, &sizes->rows[i]);
    }
}
