#include "view/print.h"

#include "util/show.h"
#include "view/functions.h"
#include "write/formats.h"

#include <inttypes.h>

/* What is printed of an input: functions, each perhaps with its callers and callees, or costs by input size. */
struct printing {
    FILE *stream;
    const struct cg2wg_view *options;
    struct shown *shown;
    struct view view;
    struct calls calls; /* if options->functions are given, or for JSON */
    struct size_view sizes; /* if shown->has_sizes */
};

/* ---- columns ------------------------------------------------------------------------------ */

static void values_of(const void *of, const void *row, struct value values[])
{
    const struct printing *p = of;
    const struct view_row *r = row;
    values[0] = value_cost(r->self);
    values[1] = value_percent((double)r->self, p->view.total);
    values[2] = value_cost(r->inclusive);
    values[3] = value_percent((double)r->inclusive, p->view.total);
    values[4] = view_count(&p->view, r->invocations);
    if (p->shown->has_sizes)
        sizes_values(&p->sizes, r, values + 5);
}

static struct columns columns_of(const struct printing *p)
{
    const char *counts = view_counts(&p->view);
    return (struct columns){{{"self", 12, "self", 1}, {"%", 7, NULL, 0}, {"inclusive", 12, "inclusive", 2},
                             {"%", 7, NULL, 0}, {counts, 11, counts, 3}, {"sizes", 6, NULL, 0},
                             {"growth", -8, NULL, 0}, {"fit", 5, NULL, 0}},
                            p->shown->has_sizes ? 8 : 5, values_of, p, "function"};
}

/* ---- headers ------------------------------------------------------------------------------ */

/* A line `KEY:  VALUESUFFIX`. */
static void print_line(const struct table *table, struct text key, struct text value, const char *suffix)
{
    int blanks = text_length(key) < 7 ? 8 - (int)text_length(key) : 1;
    show_plain(table->stream, key);
    fprintf(table->stream, ":%*s", blanks, "");
    table_print_text(table->stream, table->room, show_columns(key) + 1 + (size_t)blanks + strlen(suffix), value);
    fprintf(table->stream, "%s\n", suffix);
}

/* One of the lines that say what was profiled, and how many of the runs in a file have it. */
struct run_line {
    struct text key, value;
    size_t count;
};

/* The different lines, in the order of the keys and then of the input. */
static struct run_line *read_run_lines(const struct shown *shown, size_t *count)
{
    const struct text keys[] = {text_of_string("cmd"), text_of_string("creator"), text_of_string("events")};
    struct run_line *lines = NULL;
    struct names known;
    size_t capacity = 0;
    names_init(&known);
    *count = 0;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        struct text rest = shown->headers, key, value;
        while (preprocessed_next_header(&rest, &key, &value)) {
            value = text_trim(value);
            if (!text_same(key, keys[k]))
                continue;
            uint32_t line = names_intern_parts(&known, (struct text[]){key, text_of("\n", 1), value}, 3) - 1;
            if (line == *count)
                array_append(&lines, count, &capacity, &(struct run_line){key, value, 0}, sizeof *lines);
            lines[line].count++;
        }
    }
    return lines;
}

static void print_head(const struct printing *p, const struct table *table)
{
    FILE *stream = p->stream;
    const struct shown *shown = p->shown;
    struct text measure = names_text(&shown->profile.names, shown->sizes.measure);
    char number[TABLE_CELL];
    size_t lines;
    struct run_line *of_runs = read_run_lines(shown, &lines);
    bool repeats = shown->is_file && shown_repeats_recursion(shown); /* before printing, because it needs memory */
    if (shown->is_file)
        fprintf(stream, "format:  %" PRIu32 ", %s functions\n", shown->file.version,
                table_number(number, table->room, shown->profile.function_count));
    for (const struct run_line *line = of_runs; line < of_runs + lines; line++) {
        char suffix[TABLE_CELL + 16] = "";
        if (line->count > 1 && text_equals(line->key, "cmd"))
            snprintf(suffix, sizeof suffix, "  (%s runs)", table_number(number, table->room, line->count));
        print_line(table, line->key, line->value, suffix);
    }
    if (shown->has_sizes && !text_is_empty(measure))
        print_line(table, text_of_string("sizes"), measure, "");
    fprintf(stream, "total:   %s", table_total(number, table->room, table->quantity, shown->total, shown->total));
    if (shown->summaries != 1)
        fprintf(stream, " in %s runs", table_number(number, table->room, shown->summaries));
    view_print_excess(table, &p->view);
    if (repeats)
        fputs("\nnote:    inclusive costs count recursion more than once; printed from the profile, they do not",
              stream);
    fputs("\n\n", stream);
}

/* ---- tables ------------------------------------------------------------------------------- */

static void print_table(const struct printing *p)
{
    const struct view *view = &p->view;
    bool has_calls = p->options->functions.count > 0, has_sizes = p->shown->has_sizes;
    bool shows_sizes = has_sizes && (p->options->lines == 0 || p->options->top > 0);
    struct table table;
    table_init(&table, p->stream, p->options, columns_of(p), p->shown->event);
    view_fit(view, &table);
    print_head(p, &table);
    if (p->options->style == CG2WG_PLOT) {
        sizes_plot(&p->sizes);
    } else {
        if (!has_calls)
            view_print_row(&table, NULL);
        if (shows_sizes)
            sizes_print(&p->sizes, NULL);
        for (size_t i = 0; i < view->count; i++) {
            if (i + 16 < view->count) {
                __builtin_prefetch(view->rows[i + 16].name.at);
                __builtin_prefetch(view->rows[i + 16].name.at + 64);
                __builtin_prefetch(view->rows[i + 16].file.at);
            }
            if (has_calls) {
                fputs(i > 0 ? "\n\n" : "", p->stream);
                view_print_row(&table, NULL);
            }
            view_print_row(&table, &view->rows[i]);
            if (has_calls)
                calls_print(&p->calls, p->stream, &view->rows[i]);
            else if (shows_sizes)
                sizes_print(&p->sizes, &view->rows[i]);
        }
    }
    if (has_calls && view->count < view->all)
        fputc('\n', p->stream);
    view_print_rest(p->stream, table.room, view, "");
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void print_json(const struct printing *p)
{
    const struct shown *shown = p->shown;
    const struct view *view = &p->view;
    const uint32_t *mangled = shown->sizes.mangled;
    struct json json = {.stream = p->stream};
    struct columns columns = columns_of(p);
    bool has_lines = !shown->has_sizes && !(shown->is_file && shown->file.version < FIRST_VERSION_WITH_LINES);
    json_begin(&json, NULL, '{', "\n  ");
    if (shown->is_file)
        json_print(&json, "version", "%" PRIu32, shown->file.version);
    print_json_event(&json, shown->event);
    json_print(&json, "runs", "%" PRIu64, shown->runs);
    json_print(&json, "total", "%.0f", view->stated);
    json_print(&json, "percent_of", "%.0f", view->total);
    json_begin(&json, "headers", '[', "\n    ");
    for (struct text rest = shown->headers, key, value; preprocessed_next_header(&rest, &key, &value);) {
        json_begin(&json, NULL, '{', " ");
        json_text(&json, "key", key);
        json_text(&json, "value", value);
        json_end(&json);
    }
    json_end(&json);
    if (shown->has_sizes)
        sizes_print_json_input(&json, shown);
    view_print_json_rest(&json, "left_out", view, "functions");
    json_begin(&json, "functions", '[', "\n    ");
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        json_begin(&json, NULL, '{', " ");
        json_print(&json, "number", "%" PRIu64, row->number);
        view_print_json_names(&json, row, has_lines);
        if (row->number < shown->sizes.mangled_count && mangled[row->number] != NAME_EMPTY)
            json_text(&json, "mangled_name", names_text(&shown->profile.names, mangled[row->number]));
        json_break(&json, "\n     ");
        table_print_json(&json, &columns, row);
        if (shown->is_file && shown->file.version < FIRST_VERSION_WITH_SUMS)
            calls_print_json_invocations(&p->calls, &json, (uint32_t)row->number);
        if (shown->has_sizes)
            sizes_print_json(&p->sizes, &json, row);
        calls_print_json(&p->calls, &json, row);
        json_end(&json);
    }
    json_end(&json);
    calls_print_json_others(&p->calls, &json, view, has_lines);
    json_end(&json);
    fputc('\n', p->stream);
}

/* ---- all ---------------------------------------------------------------------------------- */

void print_shown(FILE *stream, const struct cg2wg_view *options, struct shown *shown)
{
    struct printing p = {.stream = stream, .options = options, .shown = shown};
    if (options->style == CG2WG_STACKS) {
        print_stacks(stream, shown);
        return;
    }
    if (options->style == CG2WG_PPROF) {
        print_pprof(stream, shown);
        return;
    }
    if (options->style == CG2WG_PLOT && !shown->has_sizes)
        diag_error(&shown->diag, 0, "found no costs by input size, expected an aprof report to plot");
    view_of_functions(&p.view, shown);
    view_check_patterns(&p.view, NULL, options, &shown->diag);
    if (options->functions.count > 0 || options->style == CG2WG_JSON)
        calls_init(&p.calls, shown, &p.view, options);
    else
        view_choose(&p.view, options, false);
    if (shown->has_sizes)
        sizes_init(&p.sizes, shown, &p.view, stream, options);
    if (options->style == CG2WG_PAGE)
        print_page(stream, options, shown, &p.view, NULL);
    else if (options->style == CG2WG_JSON)
        print_json(&p);
    else
        print_table(&p);
}
