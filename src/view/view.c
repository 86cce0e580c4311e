#include "view/view.h"

#include "write/objects.h"

#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- order -------------------------------------------------------------------------------- */

static int in_order(const struct view_row *a, const struct view_row *b, int order)
{
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static int by_self(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    return in_order(a, b, (b->self > a->self) - (b->self < a->self));
}

static int by_inclusive(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    return in_order(a, b, (b->inclusive > a->inclusive) - (b->inclusive < a->inclusive));
}

static int by_invocations(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    return in_order(a, b, (b->invocations > a->invocations) - (b->invocations < a->invocations));
}

static int by_name(const void *left, const void *right)
{
    const struct view_row *a = left, *b = right;
    return in_order(a, b, text_compare(a->name, b->name));
}

static int by_place(const void *left, const void *right)
{
    return in_order(left, right, 0);
}

static void sort_rows(struct view_row *rows, size_t count, enum print_order order)
{
    static int (*const orders[])(const void *, const void *) = {
        [ORDER_SELF] = by_self,
        [ORDER_INCLUSIVE] = by_inclusive,
        [ORDER_INVOCATIONS] = by_invocations,
        [ORDER_NAME] = by_name,
        [ORDER_NONE] = by_place,
    };
    qsort(rows, count, sizeof *rows, orders[order]);
}

/* ---- choice ------------------------------------------------------------------------------- */

static const char *const part_prefixes[] = {"name:", "file:", "object:"};
enum part { PART_NAME, PART_FILE, PART_OBJECT, PARTS };

/* The part of a row that a pattern is about; steps over its prefix. */
static enum part part_of(const char **pattern)
{
    for (enum part part = PART_NAME; part < PARTS; part++) {
        size_t length = strlen(part_prefixes[part]);
        if (strncmp(*pattern, part_prefixes[part], length) == 0) {
            *pattern += length;
            return part;
        }
    }
    return PART_NAME;
}

bool view_row_matches(const struct view_row *row, const struct patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->words[i];
        enum part part = part_of(&pattern);
        if (text_matches(part == PART_NAME   ? row->name
                         : part == PART_FILE ? row->file
                                             : row->object,
                         pattern))
            return true;
    }
    return false;
}

static bool check_objects(const struct view *view, const struct patterns *patterns, struct diag *diag)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->words[i];
        if (part_of(&pattern) != PART_OBJECT)
            continue;
        for (size_t k = 0; k < view->all; k++)
            if (!text_is_empty(view->rows[k].object))
                return true;
        return diag_error(diag, 0, "found no objects of functions, expected some because of %s",
                          patterns->words[i]);
    }
    return true;
}

static bool is_shown(const struct view *view, const struct view_row *row,
                     const struct options *options)
{
    double least = view->total * options->print_min / 100;
    int64_t cost = row->inclusive > row->self ? row->inclusive : row->self;
    return (view->total <= 0 || (double)cost >= least) &&
           (options->only.count == 0 || view_row_matches(row, &options->only)) &&
           !view_row_matches(row, &options->hide);
}

bool view_can_choose(const struct view *view, const struct options *options, struct diag *diag)
{
    return check_objects(view, &options->functions, diag) &&
           check_objects(view, &options->only, diag) && check_objects(view, &options->hide, diag);
}

/* Sorts the rows that were chosen, and shows the first of them; top 0: all. */
static void show_first(struct view *view, enum print_order order, unsigned top)
{
    sort_rows(view->rows, view->count, order);
    if (top > 0 && top < view->count)
        view->count = top;
    view->left_out = 0;
    for (size_t i = view->count; i < view->all; i++)
        view->left_out += (double)view->rows[i].self;
}

/* The others come after the rows that are chosen. */
static void choose_row(struct view *view, size_t number)
{
    struct view_row row = view->rows[number];
    view->rows[number] = view->rows[view->count];
    view->rows[view->count++] = row;
}

void view_choose(struct view *view, const struct options *options)
{
    view->count = 0;
    for (size_t i = 0; i < view->all; i++)
        if (is_shown(view, &view->rows[i], options))
            choose_row(view, i);
    show_first(view, options->print_order, options->print_top);
}

void view_keep(struct view *view, const struct patterns *patterns, enum print_order order,
               unsigned top)
{
    view->count = 0;
    for (size_t i = 0; i < view->all; i++)
        if (view_row_matches(&view->rows[i], patterns))
            choose_row(view, i);
    view->all = view->count;
    show_first(view, order, top);
}

/* ---- rows --------------------------------------------------------------------------------- */

bool view_init(struct view *view, size_t all, double total)
{
    *view = (struct view){.rows = memory_zeroed(all + 1, sizeof *view->rows), .count = all, .all = all,
                          .total = total, .stated = total};
    return view->rows != NULL;
}

void view_free(struct view *view)
{
    memory_free(view->rows);
    shown_names_free(&view->names);
    *view = (struct view){.rows = NULL};
}

bool view_of_file(struct view *view, const struct preprocessed *p)
{
    unsigned runs;
    double sum = 0, most = 0;
    struct objects objects;
    struct text object = text_of("", 0), shown_object = object;
    if (!view_init(view, p->function_count, preprocessed_total(p, &runs)))
        return false;
    objects_read(&objects, preprocessed_gap(p), IDENTITY_NAME);
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        objects_next(&objects);
        if (objects.object.at != object.at)
            shown_object = object = objects.object;
        if (!show_name(&view->names, &f.name) || !show_name(&view->names, &f.file) ||
            !show_name(&view->names, &shown_object)) {
            view_free(view);
            return false;
        }
        view->rows[i] = (struct view_row){.self = f.self,
                                          .inclusive = f.inclusive,
                                          .invocations = f.invocations,
                                          .name = f.name,
                                          .file = f.file,
                                          .object = shown_object,
                                          .line = f.line,
                                          .number = i};
        sum += f.self;
        most = most < f.self ? f.self : most;
    }
    if (most > view->total || sum > view->total + (preprocessed_rounding(p) == ROUNDED_NOT ? 0 : p->function_count / 2.0))
        view->total = sum;
    view->counts = preprocessed_counts(p);
    return true;
}

/* ---- numbers ------------------------------------------------------------------------------ */

const char *view_counts(const struct view *view)
{
    return view->counts == COUNTS_SAMPLES ? "samples" : "invocations";
}

void view_set_count(const struct view *view, const struct table *table, struct table_cells *cells, size_t cell,
                    uint64_t count)
{
    if (view->counts == COUNTS_NOTHING)
        table_set_cost(table, cells, cell, -1);
    else
        table_set(table, cells, cell, count);
}

void view_print_json_count(FILE *stream, const struct view *view, uint64_t count)
{
    fprintf(stream, ", \"%s\": ", view_counts(view));
    if (view->counts == COUNTS_NOTHING)
        fputs("null", stream);
    else
        fprintf(stream, "%" PRIu64, count);
}

void view_print_excess(FILE *stream, size_t columns, const struct view *view)
{
    char number[TABLE_CELL];
    if (view->stated < view->total)
        fprintf(stream, ", less than the self costs; percentages are relative to their sum, %s",
                table_total(number, columns, view->total));
}

/* ---- what is left out --------------------------------------------------------------------- */

void view_print_rest(FILE *stream, size_t columns, const struct view *view, const char *what)
{
    char number[TABLE_CELL];
    if (view->count == view->all)
        return;
    fprintf(stream, "... and %s more", table_number(number, columns, view->all - view->count));
    if (view->total > 0)
        fprintf(stream, ", with %s%.2f %% of the total", what, view->left_out * 100 / view->total);
    fputc('\n', stream);
}

void view_print_json_rest(FILE *stream, const struct view *view, const char *kind)
{
    fprintf(stream, "{\"%s\": %zu, \"cost\": %.0f, \"percent\": ", kind, view->all - view->count,
            view->left_out);
    show_json_percent(stream, view->left_out, view->total);
    fputc('}', stream);
}
