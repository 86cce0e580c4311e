#include "view/print.h"

#include "view/calls.h"
#include "view/page.h"
#include "view/print_sizes.h"
#include "view/print_stacks.h"
#include "view/show.h"
#include "view/table.h"
#include "view/view.h"
#include "util/array.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- runs --------------------------------------------------------------------------------- */

enum { RUN_CMD, RUN_CREATOR, RUN_EVENTS, RUN_KEYS };

static const char *const run_keys[RUN_KEYS] = {"cmd", "creator", "events"};

/* The headers of one of the runs in a file, or of several with the same headers. */
struct run_headers {
    struct text values[RUN_KEYS]; /* empty: none */
    size_t number, count;
};

static int compare_runs(const void *left, const void *right)
{
    const struct run_headers *a = left, *b = right;
    int order = 0;
    for (int i = 0; i < RUN_KEYS && order == 0; i++)
        order = text_compare(a->values[i], b->values[i]);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static int compare_places(const void *left, const void *right)
{
    const struct run_headers *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/*
 * Reads the runs, in malloc'ed memory, each kind once, in the order of the file; NULL: no memory. A
 * key that a run already has begins the next run.
 */
static struct run_headers *read_runs(const struct preprocessed *p, size_t *count)
{
    struct text rest = preprocessed_headers(p), key, value;
    struct run_headers *runs = NULL;
    size_t capacity = 0, used = 0, kinds = 0;
    array_reserve(&runs, &capacity, 1, sizeof *runs);
    while (preprocessed_next_header(&rest, &key, &value)) {
        int i = 0;
        while (i < RUN_KEYS && !text_equals(key, run_keys[i]))
            i++;
        if (i == RUN_KEYS)
            continue;
        if (used == 0 || !text_is_empty(runs[used - 1].values[i])) {
            if (!(array_reserve(&runs, &capacity, used + 1, sizeof *runs), true)) {
                memory_free(runs);
                return NULL;
            }
            runs[used] = (struct run_headers){.number = used, .count = 1};
            for (int k = 0; k < RUN_KEYS; k++)
                runs[used].values[k] = text_of("", 0);
            used++;
        }
        runs[used - 1].values[i] = text_trim(value);
    }
    qsort(runs, used, sizeof *runs, compare_runs);
    for (size_t i = 0; i < used; i++) {
        bool is_new = kinds == 0;
        for (int k = 0; k < RUN_KEYS && !is_new; k++)
            is_new = text_compare(runs[kinds - 1].values[k], runs[i].values[k]) != 0;
        if (is_new)
            runs[kinds++] = runs[i];
        else
            runs[kinds - 1].count++;
    }
    qsort(runs, kinds, sizeof *runs, compare_places);
    *count = kinds;
    return runs;
}

static void print_run(const struct table *table, const struct run_headers *run)
{
    char number[TABLE_CELL], suffix[TABLE_CELL + 16] = "";
    if (run->count > 1)
        snprintf(suffix, sizeof suffix, "  (%s runs)", table_number(number, table->columns, run->count));
    for (int i = 0; i < RUN_KEYS; i++) {
        if (text_is_empty(run->values[i]))
            continue;
        fprintf(table->stream, "%s:%*s", run_keys[i], (int)(8 - strlen(run_keys[i])), "");
        table_print_text(table->stream, table->columns, 9 + strlen(suffix), run->values[i]);
        fprintf(table->stream, "%s\n", suffix);
        *suffix = '\0';
    }
}

/* ---- table -------------------------------------------------------------------------------- */

static bool print_head(const struct table *table, const struct preprocessed *p, const struct view *view,
                       struct diag *diag)
{
    char number[TABLE_CELL];
    unsigned run_count;
    double total = preprocessed_total(p, &run_count);
    size_t kinds;
    struct run_headers *runs = read_runs(p, &kinds);
    if (runs == NULL)
        return diag_no_memory(diag);
    fprintf(table->stream, "format:  %" PRIu32 ", %s functions\n", p->version,
            table_number(number, table->columns, p->function_count));
    for (size_t i = 0; i < kinds; i++)
        print_run(table, &runs[i]);
    memory_free(runs);
    fprintf(table->stream, "total:   %s", table_total(number, table->columns, total));
    if (run_count != 1)
        fprintf(table->stream, " in %s runs", table_number(number, table->columns, run_count));
    view_print_excess(table->stream, table->columns, view);
    fputs("\n\n", table->stream);
    return true;
}

static void set_cells(const struct table *table, struct table_cells *cells,
                      const struct view *view, const struct view_row *row)
{
    table_set(table, cells, 0, (uint64_t)row->self);
    table_set_percent(cells, 1, (double)row->self, view->total);
    table_set(table, cells, 2, (uint64_t)row->inclusive);
    table_set_percent(cells, 3, (double)row->inclusive, view->total);
    view_set_count(view, table, cells, 4, row->invocations);
}

static void print_headings(const struct table *table, const struct table_cells *headings)
{
    table_print_function(table, headings, text_of_string("function"), text_of("", 0), 0);
}

/* Prints the functions, each with its calls if `calls` is not NULL. */
static bool print_table(FILE *stream, size_t columns, const struct preprocessed *p,
                        const struct view *view, const struct calls *calls, struct diag *diag)
{
    static const int usual[] = {12, 7, 12, 7, 11};
    struct table table;
    struct table_cells cells, headings = {{"self", "%", "inclusive", "%"}};
    strcpy(headings.text[4], view_counts(view));
    table_init(&table, stream, columns, &headings, usual, sizeof usual / sizeof usual[0]);
    if (!print_head(&table, p, view, diag))
        return false;
    for (size_t i = 0; i < view->count && columns > 0; i++) {
        set_cells(&table, &cells, view, &view->rows[i]);
        table_fit(&table, &cells);
    }
    if (calls == NULL)
        print_headings(&table, &headings);
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        if (calls != NULL) {
            fputs(i > 0 ? "\n\n" : "", stream);
            print_headings(&table, &headings);
        }
        set_cells(&table, &cells, view, row);
        table_print_function(&table, &cells, row->name, row->file, row->line);
        if (calls != NULL)
            calls_print(calls, stream, row);
    }
    if (calls != NULL && view->count < view->all)
        fputc('\n', stream);
    view_print_rest(stream, columns, view, "");
    return true;
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
    if (v->caller == NONE)
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

/* A function, without the end of its object. */
static void print_json_row(FILE *stream, const struct preprocessed *p, const struct view *view,
                           const struct view_row *row)
{
    fprintf(stream, "\n    {\"number\": %zu, ", row->number);
    show_json_member(stream, "name", row->name);
    fputs(", ", stream);
    show_json_member(stream, "file", row->file);
    if (p->version >= 7)
        fprintf(stream, ", \"line\": %" PRIu32, row->line);
    if (!text_is_empty(row->object)) {
        fputs(", ", stream);
        show_json_member(stream, "object", row->object);
    }
    fprintf(stream, ",\n     \"self\": %" PRId64 ", \"inclusive\": %" PRId64, row->self, row->inclusive);
    view_print_json_count(stream, view, row->invocations);
}

static void print_json_function(FILE *stream, const struct preprocessed *p, const struct view *view,
                                const struct view_row *row, const struct calls *calls)
{
    struct preprocessed_function f = preprocessed_function(p, (uint32_t)row->number);
    print_json_row(stream, p, view, row);
    if (calls != NULL) {
        calls_print_json(calls, stream, row);
    } else if (p->version == 4) {
        fprintf(stream, ", \"call_cost\": %" PRIu32 ",\n     \"invocation_records\": [",
                f.call_cost);
        for (uint32_t i = 0; i < f.invocations; i++) {
            struct preprocessed_invocation v = preprocessed_invocation(p, f.invocations_at, i);
            fputs(i == 0 ? "" : ",", stream);
            print_json_invocation(stream, p, &v);
        }
        fputc(']', stream);
    } else {
        print_json_calls(stream, p, "called_from", f.called_from_at, f.called_from_count);
        if (p->version >= 6)
            print_json_calls(stream, p, "sub_calls", f.sub_calls_at, f.sub_call_count);
    }
    fputc('}', stream);
}

static void print_json(FILE *stream, const struct preprocessed *p, const struct view *view,
                       const struct calls *calls)
{
    fprintf(stream, "{\n  \"version\": %" PRIu32 ",\n", p->version);
    print_json_headers(stream, p);
    fprintf(stream, "  \"total\": %.0f,\n  \"percent_of\": %.0f,\n  \"left_out\": ", view->stated, view->total);
    view_print_json_rest(stream, view, "functions");
    fputs(",\n  \"functions\": [", stream);
    for (size_t i = 0; i < view->count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        print_json_function(stream, p, view, &view->rows[i], calls);
    }
    fputs("\n  ]\n}\n", stream);
}

/* ---- what there is to print ----------------------------------------------------------------- */

struct printing {
    FILE *stream;
    const struct options *options;
    struct bar *bar;
    struct diag *diag;
    struct stack_tree tree; /* for a page */
    bool has_tree, lacks_memory;
    bool done;
};

static bool print_view(const struct printing *printing, const struct preprocessed *p,
                       const struct view *view, const struct calls *calls)
{
    const struct options *options = printing->options;
    if (options->print_style == PRINT_JSON) {
        print_json(printing->stream, p, view, calls);
        return true;
    }
    if (options->print_style == PRINT_HTML)
        return print_page(printing->stream, options, p, view, printing->has_tree ? &printing->tree : NULL) ||
               diag_no_memory(printing->diag);
    return print_table(printing->stream, options->columns, p, view, calls, printing->diag);
}

static bool print_with_calls(const struct printing *printing, const struct preprocessed *p,
                             struct view *view)
{
    struct calls calls;
    if (!calls_init(&calls, p, view, printing->options, printing->diag))
        return false;
    bool done = print_view(printing, p, view, &calls);
    calls_free(&calls);
    return done;
}

static bool print_checked(const struct printing *printing, const struct preprocessed *p)
{
    const struct options *options = printing->options;
    if (options->print_style == PRINT_PLOT)
        return diag_error(printing->diag, 0,
                          "found no costs by input size, expected an aprof report to plot");
    struct view view;
    if (!view_of_file(&view, p))
        return diag_no_memory(printing->diag);
    bool done = view_can_choose(&view, options, printing->diag);
    if (done && options->functions.count > 0) {
        done = print_with_calls(printing, p, &view);
    } else if (done) {
        view_choose(&view, options);
        done = print_view(printing, p, &view, NULL);
    }
    view_free(&view);
    return done;
}

static bool print_preprocessed(const struct printing *printing, struct text file)
{
    struct preprocessed p;
    bool done = preprocessed_check(&p, file, printing->diag) && print_checked(printing, &p);
    preprocessed_free(&p);
    return done;
}

/* There may still be messages, but no progress. */
static void take_bar_away(struct bar *bar)
{
    bar_hide(bar);
    bar_release(bar);
}

static void take_sizes(void *user, const struct cg2wg_sizes *sizes)
{
    struct printing *printing = user;
    take_bar_away(printing->bar);
    printing->done =
        print_sizes(printing->stream, printing->options, sizes, printing->diag);
}

static void take_file(void *user, struct cg2wg_bytes file)
{
    struct printing *printing = user;
    take_bar_away(printing->bar);
    printing->done = !printing->lacks_memory && print_preprocessed(printing, text_of(file.at, file.length));
}

static void take_stacks(void *user, const struct cg2wg_stacks *stacks)
{
    struct printing *printing = user;
    take_bar_away(printing->bar);
    printing->done = print_stacks(printing->stream, stacks, printing->diag);
}

/* The file, which has the functions, comes next. */
static void keep_stacks(void *user, const struct cg2wg_stacks *stacks)
{
    struct printing *printing = user;
    printing->has_tree = stack_tree_init(&printing->tree, stacks, NULL, (uint32_t)stacks->function_count);
    if (!printing->has_tree)
        printing->lacks_memory = !diag_no_memory(printing->diag);
}

bool print_input(FILE *stream, const struct options *options, struct bar *bar, struct diag *diag)
{
    struct printing printing = {.stream = stream, .options = options, .bar = bar, .diag = diag};
    const char *input = options->inputs[0];
    enum cg2wg_status status;
    if (options->print_style == PRINT_STACKS)
        status = cg2wg_show_stacks(input, &options->convert, take_stacks, NULL, &printing);
    else if (options->print_style == PRINT_HTML)
        status = cg2wg_show_stacks(input, &options->convert, keep_stacks, take_file, &printing);
    else
        status = cg2wg_show(input, &options->convert, options->functions.count > 0 ? NULL : take_sizes,
                            take_file, &printing);
    stack_tree_free(&printing.tree);
    return status == CG2WG_OK && printing.done;
}
