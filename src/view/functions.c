#include "view/functions.h"

#include "util/array.h"
#include "view/invocations.h"

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

/* The runs, each kind once, in the order of the input. A key that a run already has begins the next run. */
static struct run_headers *read_runs(const struct shown *shown, size_t *count)
{
    struct text rest = shown->headers, key, value;
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
            array_reserve(&runs, &capacity, used + 1, sizeof *runs);
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

static void print_run(FILE *stream, size_t room, const struct run_headers *run)
{
    char number[TABLE_CELL], suffix[TABLE_CELL + 16] = "";
    if (run->count > 1)
        snprintf(suffix, sizeof suffix, "  (%s runs)", table_number(number, room, run->count));
    for (int i = 0; i < RUN_KEYS; i++) {
        if (text_is_empty(run->values[i]))
            continue;
        fprintf(stream, "%s:%*s", run_keys[i], (int)(8 - strlen(run_keys[i])), "");
        table_print_text(stream, room, 9 + strlen(suffix), run->values[i]);
        fprintf(stream, "%s\n", suffix);
        *suffix = '\0';
    }
}

static void print_head(const struct table *table, const struct shown *shown, const struct view *view)
{
    FILE *stream = table->stream;
    size_t room = table->room;
    char number[TABLE_CELL];
    size_t kinds;
    struct run_headers *runs = read_runs(shown, &kinds);
    fprintf(stream, "format:  %u, %s functions\n", shown->version,
            table_number(number, room, shown->profile.function_count));
    for (size_t i = 0; i < kinds; i++)
        print_run(stream, room, &runs[i]);
    fprintf(stream, "total:   %s", table_total(number, room, table->quantity, shown->total, shown->total));
    if (shown->summaries != 1)
        fprintf(stream, " in %s runs", table_number(number, room, shown->summaries));
    view_print_excess(table, view);
    if (shown->is_file && shown_repeats_recursion(shown))
        fputs("\nnote:    inclusive costs count recursion more than once; printed from the profile, they do not", stream);
    fputs("\n\n", stream);
}

/* ---- columns ------------------------------------------------------------------------------ */

static void values_of(const void *of, const void *row, struct value values[])
{
    const struct view *view = of;
    const struct view_row *r = row;
    values[0] = value_cost(r->self);
    values[1] = value_percent((double)r->self, view->total);
    values[2] = value_cost(r->inclusive);
    values[3] = value_percent((double)r->inclusive, view->total);
    values[4] = view_count(view, r->invocations);
}

static struct columns columns_of(const struct view *view)
{
    return (struct columns){{{"self", 12, "self", 1}, {"%", 7, NULL, 0}, {"inclusive", 12, "inclusive", 2},
                             {"%", 7, NULL, 0}, {view_counts(view), 11, view_counts(view), 3}}, 5, values_of, view};
}

/* ---- table -------------------------------------------------------------------------------- */

void functions_print_table(FILE *stream, const struct shown *shown, const struct view *view,
                           const struct cg2wg_view *options, const struct calls *calls)
{
    size_t room = options->columns;
    struct columns columns = columns_of(view);
    struct table table;
    table_init(&table, stream, room, &columns);
    if (!options->raw)
        table.quantity = quantity_of(shown->event);
    print_head(&table, shown, view);
    if (calls == NULL)
        view_print(view, &table, "function");
    else
        view_fit(view, &table);
    for (size_t i = 0; i < view->count && calls != NULL; i++) {
        const struct view_row *row = &view->rows[i];
        fputs(i > 0 ? "\n\n" : "", stream);
        table_print_named(&table, NULL, text_of_string("function"), text_of("", 0), 0);
        table_print_named(&table, row, row->name, row->file, row->line);
        calls_print(calls, stream, row);
    }
    if (calls != NULL && view->count < view->all)
        fputc('\n', stream);
    view_print_rest(stream, room, view, "");
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* The calls of a function from a list of arcs or, of a preprocessed file, as it lists them. */
struct listed_calls {
    const char *name;
    const uint32_t *list; /* of arcs */
    bool is_caller;       /* the other function of each is its caller */
    size_t at;            /* in the file */
    uint32_t count;
};

static void print_json_calls(struct json *json, const struct shown *shown, const struct listed_calls *listed)
{
    json_break(json, "\n     ");
    json_begin(json, listed->name, '[', "\n      ");
    for (uint32_t i = 0; i < listed->count; i++) {
        struct arc arc = {0};
        if (shown->is_file) {
            struct preprocessed_call call = preprocessed_call(&shown->file, listed->at, i);
            arc = (struct arc){call.function, call.function, call.line, call.count, call.cost};
        } else {
            arc = shown->profile.arcs[listed->list[i]];
        }
        json_begin(json, NULL, '{', " ");
        json_print(json, "function", "%" PRIu32, listed->is_caller ? arc.caller : arc.callee);
        json_print(json, "line", "%" PRIu32, arc.line);
        json_print(json, "count", "%" PRIu64, arc.count);
        json_print(json, "cost", "%" PRId64, arc.cost);
        json_end(json, "}");
    }
    json_end(json, "]");
}

static void print_json_lists(struct json *json, const struct shown *shown, const struct arc_lists *lists, uint32_t f)
{
    struct listed_calls from = {.name = "called_from", .is_caller = true}, to = {.name = "sub_calls"};
    if (shown->is_file) {
        struct preprocessed_function function = preprocessed_function(&shown->file, f);
        from.at = function.called_from_at;
        from.count = function.called_from_count;
        to.at = function.sub_calls_at;
        to.count = function.sub_call_count;
    } else {
        from.list = lists->called_from + lists->called_from_start[f];
        from.count = lists->called_from_start[f + 1] - lists->called_from_start[f];
        to.list = lists->sub_calls + lists->sub_calls_start[f];
        to.count = lists->sub_calls_start[f + 1] - lists->sub_calls_start[f];
    }
    print_json_calls(json, shown, &from);
    if (shown->version >= 6)
        print_json_calls(json, shown, &to);
}

static void print_json_end(struct json *json, uint32_t function, uint32_t invocation, uint32_t line, int64_t cost)
{
    json_print(json, "function", "%" PRIu32, function);
    json_print(json, "invocation", "%" PRIu32, invocation);
    json_print(json, "line", "%" PRIu32, line);
    json_print(json, "cost", "%" PRId64, cost);
    json_end(json, "}");
}

/* The invocations of a function, which version 4 has. */
static void print_json_invocations(struct json *json, const struct invocations *all, uint32_t f)
{
    json_print(json, "call_cost", "%" PRId64, all->call_costs[f]);
    json_break(json, "\n     ");
    json_begin(json, "invocation_records", '[', "\n      ");
    for (uint32_t i = all->first[f]; i < all->first[f + 1]; i++) {
        const struct invocation_record *v = &all->records[i];
        json_begin(json, NULL, '{', " ");
        json_print(json, "self", "%" PRId64, v->self);
        json_print(json, "inclusive", "%" PRId64, v->inclusive);
        if (v->caller == NONE) {
            json_print(json, "called_from", "null");
        } else {
            json_begin(json, "called_from", '{', " ");
            print_json_end(json, v->caller, v->caller_invocation, v->caller_line, v->caller_cost);
        }
        json_begin(json, "sub_calls", '[', "\n       ");
        for (uint32_t k = v->first_call; k < v->first_call + v->call_count; k++) {
            const struct invocation_call *call = &all->calls[k];
            json_begin(json, NULL, '{', " ");
            print_json_end(json, call->function, call->invocation, call->line, call->cost);
        }
        json_end(json, "]");
        json_end(json, "}");
    }
    json_end(json, "]");
}

void functions_print_json(FILE *stream, const struct shown *shown, const struct view *view, const struct calls *calls)
{
    const struct profile *profile = &shown->profile;
    struct json json = {.stream = stream};
    struct columns columns = columns_of(view);
    struct arc_lists lists;
    struct invocations invocations;
    struct text rest = shown->headers, key, value;
    arc_lists_init(&lists, profile->arcs, profile->arc_count, profile->function_count);
    if (shown->version == CG2WG_FORMAT_OLDEST && calls == NULL)
        invocations_init(&invocations, shown, &lists);
    json_begin(&json, NULL, '{', "\n  ");
    json_print(&json, "version", "%u", shown->version);
    json_begin(&json, "headers", '[', "\n    ");
    while (preprocessed_next_header(&rest, &key, &value)) {
        json_begin(&json, NULL, '{', " ");
        json_text(&json, "key", key);
        json_text(&json, "value", value);
        json_end(&json, "}");
    }
    json_end(&json, "\n  ]");
    json_print(&json, "total", "%.0f", view->stated);
    json_print(&json, "percent_of", "%.0f", view->total);
    view_print_json_rest(&json, "left_out", view, "functions");
    json_begin(&json, "functions", '[', "\n    ");
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        json_begin(&json, NULL, '{', " ");
        json_print(&json, "number", "%" PRIu64, row->number);
        view_print_json_names(&json, row, shown->version >= CG2WG_FORMAT_NEWEST);
        json_break(&json, "\n     ");
        table_print_json(&json, &columns, row);
        if (calls != NULL)
            calls_print_json(calls, &json, row);
        else if (shown->version == CG2WG_FORMAT_OLDEST)
            print_json_invocations(&json, &invocations, (uint32_t)row->number);
        else
            print_json_lists(&json, shown, &lists, (uint32_t)row->number);
        json_end(&json, "}");
    }
    json_end(&json, "\n  ]");
    json_end(&json, "\n}\n");
}
