#include "view/functions.h"

#include "util/run.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- all calls ---------------------------------------------------------------------------- */

/* Callers or callees of a function; in JSON, what webgrind calls them. */
static const struct call_side {
    const char *name, *names, *key, *rest_key;
    bool is_caller;
} sides[] = {{"caller", "callers", "called_from", "called_from_left_out", true},
             {"callee", "callees", "sub_calls", "sub_calls_left_out", false}};
enum { SIDES = sizeof sides / sizeof sides[0] };

static uint32_t other_end(const struct call_side *side, const struct arc *arc)
{
    return side->is_caller ? arc->caller : arc->callee;
}

/*
 * The most bytes that callers and callees may take, besides a multiple of the input's: names that are long, but no
 * longer than VIEW_NAME, would be printed again for each arc.
 */
enum { MOST_CALLS = 64 << 20, MOST_FACTOR = 16, ROW = 100 };

static void check_size(const struct calls *calls, const struct view *view, struct diag *diag)
{
    uint64_t size = 0, limit = MOST_CALLS + MOST_FACTOR * calls->shown->bytes;
    size_t top = calls->options->top;
    for (size_t i = 0; i < SIDES * view->count; i++) {
        const struct call_side *side = &sides[i % SIDES];
        struct calls_list list = shown_calls(&calls->lists, (size_t)view->rows[i / SIDES].number, side->is_caller);
        uint64_t sum = 0, most = 0;
        for (size_t k = 0; k < list.count; k++) {
            const struct arc *arc = &calls->shown->profile.arcs[list.arcs[k]];
            const struct view_row *row = &calls->functions.rows[other_end(side, arc)];
            uint64_t of_row = ROW + text_length(row->name) + text_length(row->file);
            sum += of_row;
            most = of_row > most ? of_row : most;
        }
        size += top > 0 && top < list.count ? top * most : sum;
    }
    if (size > limit)
        diag_error(diag, 0, "found callers and callees that make %" PRIu64 " bytes of text, expected at most %" PRIu64
                   ", for as many as there are; --top=N prints fewer", size, limit);
}

void calls_init(struct calls *calls, struct shown *shown, struct view *view, const struct cg2wg_view *options)
{
    const struct profile *profile = &shown->profile;
    size_t contradictions = shown->is_file ? preprocessed_contradictions(&shown->file, profile) : 0, longest = 0;
    *calls = (struct calls){.options = options, .shown = shown};
    calls->is_referred = memory_zeroed(profile->function_count + 1, 1);
    view_of_functions(&calls->functions, shown);
    arc_lists_init(&calls->lists, profile);
    for (size_t i = 0; i < SIDES * profile->function_count; i++) {
        size_t count = shown_calls(&calls->lists, i / SIDES, sides[i % SIDES].is_caller).count;
        longest = count > longest ? count : longest;
    }
    view_init(&calls->room, longest, calls->functions.total);
    if (contradictions > 0)
        diag_problem(&shown->diag, 0, "found %zu call%s that caller and callee list differently, expected one list; "
                     "the callees' lists are used", contradictions, contradictions == 1 ? "" : "s");
    view_choose(view, options, options->functions.count > 0);
    if (options->style != CG2WG_JSON)
        check_size(calls, view, &shown->diag);
}

/* ---- the calls of one function ------------------------------------------------------------ */

/* They are rows in the order of the other functions; valid until the next call. */
static struct view view_of_calls(const struct calls *calls, const struct cg2wg_view *options,
                                 const struct call_side *side, size_t function)
{
    struct view view = calls->room;
    struct calls_list list = shown_calls(&calls->lists, function, side->is_caller);
    view.all = list.count;
    for (size_t i = 0; i < view.all; i++) {
        const struct arc *arc = &calls->shown->profile.arcs[list.arcs[i]];
        view.rows[i] = calls->functions.rows[other_end(side, arc)];
        view.rows[i].self = view.rows[i].inclusive = arc->cost;
        view.rows[i].invocations = arc->count;
        view.rows[i].number = calls->shown->is_file || side->is_caller
                                  ? list.arcs[i] : (uint64_t)arc->callee << 32 | list.arcs[i];
    }
    view_choose(&view, options, false);
    return view;
}

/* What the columns of callers or callees are about. */
struct side_view {
    const struct calls *calls;
    const struct view_row *function;
};

static const struct arc *arc_of(const struct calls *calls, const struct view_row *row)
{
    return &calls->shown->profile.arcs[(uint32_t)row->number];
}

static void values_of(const void *of, const void *row, struct value values[])
{
    const struct side_view *side = of;
    const struct arc *arc = arc_of(side->calls, row);
    values[0] = value_cost(arc->cost);
    values[1] = value_percent((double)arc->cost, side->calls->functions.total);
    values[2] = value_count(arc->count);
    values[3] = value_percent((double)arc->cost, (double)side->function->inclusive);
    values[4] = value_known(arc->line > 0 ? (int64_t)arc->line : -1);
}

void calls_print(const struct calls *calls, FILE *stream, const struct view_row *function)
{
    struct side_view of = {calls, function};
    const char *counts = calls->functions.counts == COUNTS_SAMPLES ? "samples" : "calls";
    for (size_t i = 0; i < SIDES; i++) {
        struct view view = view_of_calls(calls, calls->options, &sides[i], (size_t)function->number);
        struct columns columns = {{{"cost", 12, NULL, 0}, {"%", 7, NULL, 0}, {counts, 12, NULL, 0},
                                   {"share", 7, NULL, 0}, {"line", 11, NULL, 0}}, 5, values_of, &of, sides[i].name};
        struct table table;
        fputc('\n', stream);
        if (view.all == 0) {
            fprintf(stream, "no %s\n", sides[i].names);
            continue;
        }
        table_init(&table, stream, calls->options, columns, calls->shown->event);
        view_print(&view, &table);
        view_print_rest(stream, table.room, &view, "");
    }
}

void calls_print_json(const struct calls *calls, struct json *json, const struct view_row *function)
{
    static const struct cg2wg_view all = {.order = CG2WG_BY_PLACE};
    const struct cg2wg_view *options = calls->options->functions.count > 0 ? calls->options : &all;
    for (const struct call_side *side = sides; side < sides + SIDES; side++) {
        struct view view = view_of_calls(calls, options, side, (size_t)function->number);
        json_break(json, "\n     ");
        json_begin(json, side->key, '[', "\n      ");
        for (size_t i = 0; i < view.count; i++) {
            const struct arc *arc = arc_of(calls, &view.rows[i]);
            calls->is_referred[other_end(side, arc)] = true;
            json_begin(json, NULL, '{', " ");
            value_print_json(json, "function", value_count(other_end(side, arc)));
            value_print_json(json, "line", value_count(arc->line));
            value_print_json(json, "count", value_count(arc->count));
            value_print_json(json, "cost", value_cost(arc->cost));
            json_end(json);
        }
        json_end(json);
        if (view.count == view.all)
            continue;
        json_break(json, "\n     ");
        view_print_json_rest(json, side->rest_key, &view, "calls");
    }
}

/* ---- invocations -------------------------------------------------------------------------- */

static void print_json_call(const struct calls *calls, struct json *json, const char *key,
                            struct preprocessed_call call)
{
    calls->is_referred[call.function] = true;
    json_begin(json, key, '{', " ");
    value_print_json(json, "function", value_count(call.function));
    value_print_json(json, "invocation", value_count(call.invocation));
    value_print_json(json, "line", value_count(call.line));
    value_print_json(json, "cost", value_count(call.cost));
    json_end(json);
}

void calls_print_json_invocations(const struct calls *calls, struct json *json, uint32_t number)
{
    const struct preprocessed *file = &calls->shown->file;
    struct preprocessed_function function = preprocessed_function(file, number);
    value_print_json(json, "call_cost", value_count(function.call_cost));
    json_break(json, "\n     ");
    json_begin(json, "invocation_records", '[', "\n      ");
    for (uint32_t i = 0; i < function.invocations; i++) {
        struct preprocessed_invocation v = preprocessed_invocation(file, function.invocations_at, i);
        json_begin(json, NULL, '{', " ");
        value_print_json(json, "self", value_count(v.self));
        value_print_json(json, "inclusive", value_count(v.inclusive));
        if (v.caller.function == NONE)
            json_print(json, "called_from", "null");
        else
            print_json_call(calls, json, "called_from", v.caller);
        json_begin(json, "sub_calls", '[', "\n       ");
        for (uint32_t k = 0; k < v.sub_call_count; k++)
            print_json_call(calls, json, NULL, preprocessed_call(file, v.sub_calls_at, k));
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

void calls_print_json_others(const struct calls *calls, struct json *json, const struct view *view, bool with_line)
{
    for (size_t i = 0; i < view->count; i++)
        calls->is_referred[view->rows[i].number] = false;
    json_begin(json, "other_functions", '[', "\n    ");
    for (size_t i = 0; i < calls->shown->profile.function_count; i++) {
        if (!calls->is_referred[i])
            continue;
        json_begin(json, NULL, '{', " ");
        json_print(json, "number", "%zu", i);
        view_print_json_names(json, &calls->functions.rows[i], with_line);
        json_end(json);
    }
    json_end(json);
}
