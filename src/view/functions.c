/* SPDX-License-Identifier: MIT */
#include "view/view.h"

#include "model/line_costs.h"
#include "util/show.h"
#include "view/code.h"

#include <inttypes.h>

/* What is printed of an input: functions, each perhaps with its callers and callees, or costs by input size. */
struct printing {
    FILE *stream;
    const struct cg2wg_view *options;
    struct contents *shown;
    struct view view;
    struct size_view sizes; /* if the input has sizes */
    /* If options->functions are given, or for JSON: */
    struct arc_lists lists;
    struct ordered_lines lines;      /* of the functions, if the options want them in JSON */
    struct text *forms;              /* of names of their files: see view_name */
    struct view functions;           /* all of the input, by number */
    struct text *call_files;         /* see struct view */
    bool *is_referred;               /* functions by calls in JSON */
    struct listing listing;          /* of their source, if the options permit any */
    const struct view_row *function; /* whose callers and callees are printed now */
    struct call_costs calls;         /* if rows are single calls: of those that filters leave */
};

/* The ends of a call, one of which is the function whose calls are printed. */
enum end { CALLER, CALLEE, ENDS };

/* Those of p->function, in the order of the other functions. The caller frees the rows. */
static struct view view_of_calls(const struct printing *p, const struct cg2wg_view *options, enum end end)
{
    struct calls_list list = shown_calls(&p->lists, (size_t)p->function->number, end == CALLER);
    struct view view = {.shown = p->shown,
                        .rows = memory_zeroed(list.count + 1, sizeof *view.rows),
                        .all = list.count,
                        .total = p->functions.total,
                        .has_inclusive = true,
                        .call_files = p->call_files,
                        .caller_or_callee = p->function};
    for (size_t i = 0; i < view.all; i++) {
        const struct cg2wg_arc *arc = &p->shown->profile.arcs[list.arcs[i]];
        if (p->options->functions.count > 0) /* if not, all are in JSON, and by their numbers: see print_json_calls */
            view.rows[i] = p->functions.rows[end == CALLER ? arc->caller : arc->callee];
        view.rows[i].measures[SELF] = view.rows[i].measures[INCLUSIVE] = arc->cost;
        view.rows[i].measures[COUNT] = (int64_t)arc->calls;
        view.rows[i].arc = list.arcs[i];
        view.rows[i].call_line = arc->line;
        /* Equal callees are in the order of functions, others in that of arcs. */
        view.rows[i].number = p->shown->stored.version > 0 || end == CALLER ? 0 : arc->callee;
    }
    view_choose(&view, options, false);
    return view;
}

/* What a call costs in percent of its caller's or callee's inclusive cost. */
static struct value share_of(const void *of, const void *row, int measure)
{
    const struct view *view = of;
    return value_percent((double)((const struct view_row *)row)->measures[measure],
                         (double)view->caller_or_callee->measures[measure]);
}

static struct value line_of(const void *of, const void *row, int what)
{
    uint32_t line = ((const struct view_row *)row)->call_line;
    (void)of;
    (void)what;
    return (struct value){line > 0 ? VALUE_COUNT : VALUE_NONE, .count = line};
}

static void print_calls(const struct printing *p)
{
    for (enum end end = 0; end < ENDS; end++) {
        const char *name = end == CALLER ? "caller" : "callee";
        struct view view = view_of_calls(p, p->options, end);
        struct column all[] = {{p->functions.has_allocated ? "kept" : "cost", NULL, 12, view_number, .what = INCLUSIVE},
                               {"%", NULL, 7, view_percent, .what = INCLUSIVE},
                               {view_counts(&p->functions), NULL, 12, view_number, .what = COUNT},
                               {"share", NULL, 7, share_of, .what = INCLUSIVE},
                               {"line", NULL, 11, line_of, .what = 0}};
        struct columns columns = {.all = all, .count = COUNT_OF(all), .of = &view, .names = name};
        struct table table;
        fputc('\n', p->stream);
        if (view.all == 0) {
            const char *reason = p->shown->facts.no_calls;
            fprintf(p->stream, "no %ss%s%s\n", name, reason != NULL ? ": " : "", reason != NULL ? reason : "");
        } else {
            table_init(&table, p->stream, p->options, columns, p->shown->facts.event);
            view_print(&view, &table);
            view_print_rest(p->stream, table.room, &view);
        }
        memory_free(view.rows);
    }
}

/* As members of the function's object, which webgrind calls so; all of them, unless options->functions are given. */
static void print_json_calls(const struct printing *p, struct json *json)
{
    static const struct cg2wg_view all = {.order = CG2WG_BY_PLACE};
    for (enum end end = 0; end < ENDS; end++) {
        struct view view = view_of_calls(p, p->options->functions.count > 0 ? p->options : &all, end);
        json_begin(json, end == CALLER ? "\ncalled_from" : "\nsub_calls", '[', "\n      ");
        for (size_t i = 0; i < view.count; i++) {
            const struct cg2wg_arc *arc = &p->shown->profile.arcs[view.rows[i].arc];
            uint32_t other = end == CALLER ? arc->caller : arc->callee;
            p->is_referred[other] = true;
            json_begin(json, NULL, '{', " ");
            json_number(json, "function", true, other);
            if (view.call_files != NULL && !text_is_empty(view.call_files[view.rows[i].arc])) {
                json_text(json, "file", view.call_files[view.rows[i].arc]);
                view_check_size(p->stream, p->shown, "names", CG2WG_MEMBER_TOP);
            }
            json_number(json, "line", true, view.rows[i].call_line);
            json_number(json, "count", true, arc->calls);
            json_number(json, "cost", false, (uint64_t)arc->cost);
            json_end(json);
        }
        json_end(json);
        if (view.count < view.all)
            view_print_json_part(json, end == CALLER ? "\ncalled_from_left_out" : "\nsub_calls_left_out", &view,
                                 "calls", true);
        memory_free(view.rows);
    }
}

static void print_json_call(const struct printing *p, struct json *json, const char *key, struct stored_call call)
{
    p->is_referred[call.function] = true;
    json_print(json, key,
               "{\"function\": %" PRIu32 ", \"invocation\": %" PRIu32 ", \"line\": %" PRIu32 ", \"cost\": %" PRIu32 "}",
               call.function, call.invocation, call.line, call.cost);
}

static void print_json_invocations(const struct printing *p, struct json *json)
{
    const struct stored_file *stored = &p->shown->stored;
    size_t number = (size_t)p->function->number;
    json_print(json, "call_cost", "%" PRId64, p->shown->profile.functions[number].call_cost);
    json_begin(json, "\ninvocation_records", '[', "\n      ");
    for (size_t i = stored->first[number]; i < stored->first[number + 1]; i++) {
        const struct stored_invocation *v = &stored->invocations[i];
        json_begin(json, NULL, '{', " ");
        json_print(json, "self", "%" PRIu32, v->self);
        json_print(json, "inclusive", "%" PRIu32, v->inclusive);
        if (v->caller.function == NONE)
            json_print(json, "called_from", "null");
        else
            print_json_call(p, json, "called_from", v->caller);
        json_begin(json, "sub_calls", '[', "\n       ");
        for (uint32_t k = 0; k < v->sub_call_count; k++)
            print_json_call(p, json, NULL, stored->calls[v->sub_calls_at + k]);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* The file of a line only if that is not the function's. */
static void print_json_lines(struct printing *p, struct json *json)
{
    const struct profile *profile = &p->shown->profile;
    const uint32_t *start = p->lines.start + p->function->number;
    size_t end = start[1];
    struct code_line line;
    json_begin(json, "\nlines", '[', "\n      ");
    for (size_t next = start[0]; ordered_lines_take(&p->lines, profile->lines, &next, end, &line);) {
        json_begin(json, NULL, '{', " ");
        if (line.file != profile->functions[p->function->number].file) {
            json_text(json, "file", view_name(&profile->names, line.file, &p->forms));
            view_check_size(p->stream, p->shown, "names", CG2WG_MEMBER_TOP);
        }
        json_number(json, "line", true, line.line);
        json_number(json, "self", false, (uint64_t)line.self);
        json_number(json, "calls", false, (uint64_t)line.calls);
        json_end(json);
    }
    json_end(json);
}

/* Prints how the costs of single calls spread, if rows are calls. json NULL: a table. */
static void print_spread(const struct printing *p, const struct table *table, const char *before, struct json *json)
{
    static const char *const names[] = {"; minimum", ", median", ", 90 %", ", 99 %", ", maximum"};
    static const char *const keys[] = {"minimum", "median", "percentile_90", "percentile_99", "maximum"};
    char number[TABLE_CELL];
    if (p->options->group != CG2WG_GROUP_CALL)
        return;
    if (json == NULL)
        fprintf(p->stream, "%s%s", before, table_number(number, table->room, p->calls.count));
    else
        json_begin(json, "calls", '{', " ");
    for (size_t i = 0; i < COUNT_OF(names) && p->calls.count > 0; i++)
        if (json == NULL)
            fprintf(p->stream, "%s %s", names[i], table_cost(number, table->room, table->quantity, p->calls.costs[i]));
        else
            json_print(json, keys[i], "%" PRId64, p->calls.costs[i]);
    if (json != NULL) {
        json_print(json, "count", "%" PRIu64, p->calls.count);
        json_end(json);
    }
}

/* Prints a line of the head, unless it has no value. A key has at most 7 letters. */
static void print_head_line(const struct table *table, struct text key, struct text value, uint64_t runs)
{
    char suffix[TABLE_CELL + 16] = "", number[TABLE_CELL];
    if (text_is_empty(value))
        return;
    if (runs > 1)
        snprintf(suffix, sizeof suffix, "  (%s runs)", table_number(number, table->room, runs));
    fprintf(table->stream, TEXT_FMT ":%*s", TEXT_ARG(key), 8 - (int)text_length(key), "");
    table_print_text(table->stream, table->room, 9 + strlen(suffix), value);
    fprintf(table->stream, "%s\n", suffix);
}

static void print_head(const struct printing *p, const struct table *table)
{
    const struct contents *shown = p->shown;
    const struct profile *profile = &shown->profile;
    const struct facts *facts = &shown->facts;
    const struct view *view = &p->view;
    char number[TABLE_CELL];
    size_t hidden = 0;
    if (shown->stored.version > 0)
        fprintf(p->stream, "format:  %" PRIu32 ", %s functions\n", shown->stored.version,
                table_number(number, table->room, profile->function_count));
    print_head_line(table, text_of_string("cmd"), facts->heading, 1);
    for (size_t i = 0; i < facts->command_count && text_is_empty(facts->heading); i++)
        print_head_line(table, text_of_string("cmd"), facts->commands[i].name, facts->commands[i].count);
    for (size_t i = 0; i < facts->lines.count; i++)
        print_head_line(table, facts->lines.all[i].key, facts->lines.all[i].value, 1);
    if (shown->sizes != NULL)
        print_head_line(table, text_of_string("sizes"), names_text(&profile->names, shown->sizes->measure), 1);
    for (size_t i = 0; i < view_event_count(view); i++) {
        struct view_event event = view_event(view, i);
        struct quantity quantity = i == 0 || table->quantity.kind == QUANTITY_NUMBER ? table->quantity
                                                                                     : quantity_of(event.name);
        fprintf(p->stream, "%s%s", i == 0 ? "total:   " : "\n         ",
                table_cost(number, table->room, quantity, event.total.sum));
        if (view->events != NULL)
            fprintf(p->stream, " %s", view_event_heading(event.name, ""));
        if (i == 0 && facts->runs > 1)
            fprintf(p->stream, " in %s runs", table_number(number, table->room, facts->runs));
        view_print_notes(table, quantity, &event.total);
    }
    for (size_t i = 0; view->events != NULL && i < table->columns.count; i++)
        hidden += table->columns.all[i].event.at != NULL && table->shown[i].width == 0 &&
                  strcmp(table->columns.all[i].heading, "%") != 0;
    if (hidden > 0)
        fprintf(p->stream, "\nnote:    the columns of %zu more events do not fit", hidden);
    print_spread(p, table, "\ncalls:   ", NULL);
    view_print_recursion(p->stream, shown, NULL);
    fputs("\n\n", p->stream);
}

static void print_table(struct printing *p, struct columns columns)
{
    const struct view *view = &p->view;
    bool has_calls = p->lists.called_from.numbers != NULL;
    bool shows_sizes = p->shown->sizes != NULL && (p->options->lines == 0 || p->options->top > 0);
    struct table table;
    table_init(&table, p->stream, p->options, columns, p->shown->facts.event);
    bool has_code = p->options->source_count > 0 && (has_calls || view->is_by_line);
    if (has_code)
        listing_init(&p->listing, &table, p->options, p->shown, has_calls ? &p->functions : view);
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
            if (i + 16 < view->count) { /* which takes a tenth less time */
                __builtin_prefetch(view->rows[i + 16].name.at);
                __builtin_prefetch(view->rows[i + 16].name.at + 64);
                __builtin_prefetch(view->rows[i + 16].file.at);
            }
            if (has_calls) {
                fputs(i > 0 ? "\n\n" : "", p->stream);
                view_print_row(&table, NULL);
            }
            size_t used = view_print_row(&table, &view->rows[i]);
            p->function = &view->rows[i];
            if (has_code && has_calls)
                listing_print(&p->listing, (uint32_t)view->rows[i].number);
            else if (has_code)
                listing_print_line(&p->listing, used, &view->rows[i]);
            if (has_calls)
                print_calls(p);
            else if (shows_sizes)
                sizes_print(&p->sizes, &view->rows[i]);
            view_check_size(p->stream, p->shown, "names", CG2WG_MEMBER_TOP);
        }
    }
    if (has_calls && view->count < view->all)
        fputc('\n', p->stream);
    if (view->is_filtered && view->total.base > 0) {
        char all[TABLE_CELL], cost[TABLE_CELL], share[TEXT_REAL], number[TABLE_CELL];
        fprintf(p->stream, "%s of %s: self costs of %s, %s %%\n",
                table_number(number, table.room, view_count(view, 0, view->matching)),
                table_number(all, table.room, view_count(view, 0, view->all)),
                table_cost(cost, table.room, table.quantity, view->matching_cost),
                text_real(share, 2, 'f', (double)view->matching_cost * 100 / view->total.base));
    }
    view_print_rest(p->stream, table.room, view);
}

static void print_json_head(const struct printing *p, struct json *json)
{
    const struct contents *shown = p->shown;
    const struct names *names = &shown->profile.names;
    if (shown->stored.version > 0)
        json_print(json, "version", "%" PRIu32, shown->stored.version);
    if (p->options->group != CG2WG_GROUP_FUNCTION)
        json_print(json, "group", "\"%s\"", p->view.is_by_line ? "line" : view_rows(&p->view));
    print_json_event(json, shown->facts.event);
    json_print(json, "runs", "%" PRIu64, shown->facts.runs);
    view_print_json_total(json, &p->view.total);
    print_spread(p, NULL, NULL, json);
    view_print_json_events(json, &p->view);
    json_begin(json, "headers", '[', "\n    ");
    for (size_t i = 0; i < shown->headers.count; i++) {
        json_begin(json, NULL, '{', " ");
        json_text(json, "key", shown->headers.all[i].key);
        json_text(json, "value", shown->headers.all[i].value);
        json_end(json);
    }
    json_end(json);
    if (shown->sizes != NULL) { /* the lines of the report, and what sizes measure */
        json_begin(json, "lines", '[', "\n    ");
        for (size_t i = 0; i < shown->sizes->remark_count; i++) {
            json_begin(json, NULL, '{', " ");
            json_text(json, "line", names_text(names, shown->sizes->remarks[i]));
            json_end(json);
        }
        json_end(json);
        json_text(json, "measure", names_text(names, shown->sizes->measure));
    }
    if (p->view.is_filtered)
        view_print_json_part(json, "matching", &p->view, "functions", false);
    view_print_json_part(json, "left_out", &p->view, "functions", true);
}

static void print_json(struct printing *p)
{
    static const struct column costs[] = {{.key = "self", .value = view_number, .what = SELF},
                                          {.key = "allocated", .value = view_number, .what = ALLOCATED},
                                          {.key = "inclusive", .value = view_number, .what = INCLUSIVE}};
    const struct contents *shown = p->shown;
    const struct view *view = &p->view;
    const struct columns columns = view_columns(view);
    struct json json = {.stream = p->stream};
    bool has_lines = shown->sizes == NULL &&
                     (view->is_by_line || shown->stored.version == 0 || shown->stored.has_lines);
    json_begin(&json, NULL, '{', "\n  ");
    print_json_head(p, &json);
    json_begin(&json, "functions", '[', "\n    ");
    for (size_t i = 0; i < view->count; i++) {
        const struct view_row *row = &view->rows[i];
        json_begin(&json, NULL, '{', " ");
        json_print(&json, "number", "%" PRIu64, row->number);
        if (view->shown->group >= CG2WG_GROUP_RUN) {
            json_text(&json, "name", row->name);
            json_text(&json, view->shown->group == CG2WG_GROUP_CALL ? "run" : "function", row->file);
        } else {
            view_print_json_names(&json, row, has_lines);
        }
        if (shown->sizes != NULL && shown->sizes->mangled[row->number] != NAME_EMPTY)
            json_text(&json, "mangled_name", names_text(&shown->profile.names, shown->sizes->mangled[row->number]));
        columns_print_json(&json, &columns, row);
        view_print_json_costs(&json, view, row, costs, COUNT_OF(costs));
        p->function = row;
        if (shown->stored.first != NULL)
            print_json_invocations(p, &json);
        if (shown->sizes != NULL)
            sizes_print_json(&p->sizes, &json, row);
        if (p->lines.start != NULL)
            print_json_lines(p, &json);
        if (p->is_referred != NULL)
            print_json_calls(p, &json);
        json_end(&json);
        view_check_size(p->stream, p->shown, "names", CG2WG_MEMBER_TOP);
    }
    json_end(&json);
    for (size_t i = 0; i < view->count && p->is_referred != NULL; i++)
        p->is_referred[view->rows[i].number] = false;
    json_begin(&json, "other_functions", '[', "\n    "); /* those that calls refer to, and that are not above */
    for (size_t i = 0; i < p->functions.all; i++) {
        if (!p->is_referred[i])
            continue;
        json_begin(&json, NULL, '{', " ");
        json_print(&json, "number", "%zu", i);
        view_print_json_names(&json, &p->functions.rows[i], has_lines);
        json_end(&json);
        view_check_size(p->stream, p->shown, "names", CG2WG_MEMBER_TOP);
    }
    json_end(&json);
    json_end(&json);
    fputc('\n', p->stream);
}

static void print_markdown(const struct printing *p, struct columns columns)
{
    struct table table = {.stream = p->stream};
    uint64_t runs = p->shown->facts.runs;
    fprintf(p->stream, "Total: %" PRId64, p->view.total.sum);
    if (runs > 1)
        fprintf(p->stream, " in %" PRIu64 " runs", runs);
    view_print_notes(&table, table.quantity, &p->view.total);
    print_spread(p, &table, "\n\nCalls: ", NULL);
    view_print_markdown(p->stream, &p->view, &columns);
}

static struct columns columns_of_events(const struct view *view, const struct cg2wg_view *options)
{
    static const char *const suffixes[] = {[SELF] = "", [ALLOCATED] = " allocated", [INCLUSIVE] = " inclusive"};
    struct columns columns = {.of = view, .names = view_rows(view)};
    for (size_t i = 0; i < view_event_count(view); i++)
        for (enum measure m = 0; m < COUNT; m++) {
            struct text event = view_event(view, i).name;
            int what = (int)(i * MEASURES + m);
            if (!view_shows(options, m) || (options->style == CG2WG_CSV && !view_has(view, what)))
                continue;
            const char *heading = view_event_heading(event, suffixes[m]);
            int width = MAX(12, (int)strlen(heading));
            const struct column added[] = {{heading, NULL, width, view_number, what, event},
                                           {"%", NULL, 7, view_percent, what, event}};
            columns_add(&columns, added, COUNT_OF(added));
        }
    const struct column counted = {view_counts(view), NULL, 11, view_number, .what = COUNT};
    columns_add(&columns, &counted, view->counts == COUNTS_CALLS);
    return columns;
}

static void print_one(FILE *stream, const struct cg2wg_view *options, struct contents *shown)
{
    struct printing p = {.stream = stream, .options = options, .shown = shown};
    const struct profile *profile = &shown->profile;
    if (options->style == CG2WG_PLOT && shown->sizes == NULL)
        diag_error(&shown->diag, 0, "no costs by input size; only a report of aprof can be plotted");
    bool is_by_line = options->group == CG2WG_GROUP_LINE;
    (is_by_line ? view_of_lines : view_of_functions)(&p.view, shown);
    bool are_parts = options->group >= CG2WG_GROUP_RUN,
         is_flat = options->style == CG2WG_CSV || options->style == CG2WG_MARKDOWN;
    p.view.are_whole = are_parts && options->functions.count == 0;
    view_check_patterns(&p.view, NULL, options, &shown->diag);
    bool has_calls = ((options->functions.count > 0 && !is_flat) || options->style == CG2WG_JSON) && !is_by_line &&
                     !are_parts;
    if (has_calls) {
        view_of_functions(&p.functions, shown);
        arc_lists_init(&p.lists, profile);
        uint32_t *files = profile->lines != NULL ? line_costs_files(profile) : NULL;
        if (files != NULL)
            p.call_files = memory_zeroed(profile->arc_count + 1, sizeof *p.call_files);
        for (size_t i = 0; files != NULL && i < profile->arc_count; i++)
            if (files[i] != profile->functions[profile->arcs[i].caller].file)
                p.call_files[i] = view_name(&profile->names, files[i], &p.forms);
        p.is_referred = memory_zeroed(p.functions.all + 1, sizeof *p.is_referred);
    }
    if (options->has_lines)
        ordered_lines_init(&p.lines, profile);
    if (options->group == CG2WG_GROUP_CALL) {
        struct cg2wg_view by_cost = *options;
        by_cost.order = CG2WG_BY_INCLUSIVE;
        view_choose(&p.view, &by_cost, false);
        struct cost_count *sorted = memory_get((p.view.matching + 1) * sizeof *sorted);
        for (size_t i = 0; i < p.view.matching; i++) {
            const int64_t *measures = p.view.rows[p.view.matching - 1 - i].measures;
            sorted[i] = (struct cost_count){measures[INCLUSIVE], 0, (uint64_t)measures[COUNT]};
        }
        p.calls = call_costs_of(sorted, p.view.matching);
    }
    view_choose(&p.view, options, options->functions.count > 0 && !are_parts);
    p.view.sizes = &p.sizes;
    struct columns columns = p.view.events != NULL ? columns_of_events(&p.view, options) : view_columns(&p.view);
    if (shown->sizes != NULL)
        sizes_init(&p.sizes, shown, &p.view, stream, options, &columns);
    if (options->style == CG2WG_PAGE)
        print_page(stream, options, shown, &p.view);
    else if (options->style == CG2WG_JSON)
        print_json(&p);
    else if (options->style == CG2WG_MARKDOWN)
        print_markdown(&p, columns);
    else if (options->style == CG2WG_CSV)
        view_print_csv(stream, &p.view, &columns);
    else
        print_table(&p, columns);
}

bool print_rows(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct contents *base)
{
    struct differences differences = {.has_grown = false};
    if (base == NULL) {
        print_one(stream, options, shown);
        return false;
    }
    differences_init(&differences, options, shown, base);
    if (options->style == CG2WG_PAGE)
        print_page(stream, options, shown, &differences.view);
    else
        print_differences(stream, &differences);
    return differences.has_grown;
}
