/*
 * Version 4: each invocation with the call that made it and the calls that it made.
 *
 *     function:   self inclusive call_cost invocation_count invocation... file \n name \n
 *     invocation: self inclusive, call_cost function invocation line (what called it),
 *                 sub_call_count sub_call_address
 *     sub_call:   function invocation line cost (all of them after the functions)
 *
 * Invocations are numbered within their function, in the order in which they returned. One that
 * nobody called has called-from (0, 0xFFFFFFFF, 0, 0).
 */
#include "os/system.h"
#include "write/bytes.h"
#include "write/formats.h"

#include "util/run.h"

#include <stdlib.h>

enum {
    FUNCTION_NUMBERS = 4,
    INVOCATION_SIZE = 8 * NUMBER_SIZE,
    SUB_CALL_SIZE = 4 * NUMBER_SIZE
};

/* The caller of an invocation. */
struct called_from {
    cost_t cost;
    uint32_t function, invocation, line;
};

static const struct called_from by_nobody = {0, NONE, 0, 0};

static bool write_function_head(struct outfile *out, struct scale *scale, uint32_t number,
                                uint32_t invocations)
{
    const struct function *f = &scale->profile->functions[number];
    uint32_t head[FUNCTION_NUMBERS] = {
        scale_cost(scale, number, f->self), scale_cost(scale, number, f->inclusive),
        scale_cost(scale, number, f->call_cost), invocations};
    return bytes_write(out, head, FUNCTION_NUMBERS);
}

/* The parts of an invocation's row that come from itself, and those that come from its caller. */
static void put_own(unsigned char *row, struct scale *scale, uint32_t function, cost_t self,
                    cost_t inclusive, uint32_t sub_call_count, uint64_t sub_call_address)
{
    little4_put(row, scale_cost(scale, function, self));
    little4_put(row + 1 * NUMBER_SIZE, scale_cost(scale, function, inclusive));
    little4_put(row + 6 * NUMBER_SIZE, sub_call_count);
    little4_put(row + 7 * NUMBER_SIZE, (uint32_t)sub_call_address);
}

static void put_called_from(unsigned char *row, struct scale *scale, uint32_t function,
                            const struct called_from *from)
{
    little4_put(row + 2 * NUMBER_SIZE, scale_cost(scale, function, from->cost));
    little4_put(row + 3 * NUMBER_SIZE, from->function);
    little4_put(row + 4 * NUMBER_SIZE, from->invocation);
    little4_put(row + 5 * NUMBER_SIZE, from->line);
}

static void put_sub_call(unsigned char *row, struct scale *scale, uint32_t caller,
                         uint32_t function, uint32_t invocation, uint32_t line, cost_t cost)
{
    little4_put(row, function);
    little4_put(row + 1 * NUMBER_SIZE, invocation);
    little4_put(row + 2 * NUMBER_SIZE, line);
    little4_put(row + 3 * NUMBER_SIZE, scale_cost(scale, caller, cost));
}

/*
 * The sizes of all functions with their invocations: those from first_row[i] to first_row[i + 1],
 * or one. Returns the start of the sub calls.
 */
static uint64_t measure(struct scale *scale, const uint32_t *first_row, uint64_t *sizes)
{
    const struct profile *profile = scale->profile;
    uint64_t address =
        (uint64_t)NUMBER_SIZE * (FILE_HEAD_NUMBERS + (uint64_t)profile->function_count);
    for (size_t i = 0; i < profile->function_count; i++) {
        uint64_t invocations = first_row == NULL ? 1 : first_row[i + 1] - first_row[i];
        sizes[i] = FUNCTION_NUMBERS * NUMBER_SIZE + INVOCATION_SIZE * invocations +
                   function_names_size(scale, i);
        address += sizes[i];
    }
    return address;
}

/* ---- from the tree ------------------------------------------------------------------------ */

/*
 * The rows of a function's invocations are side by side, in the order of the tree, which mixes the
 * invocations of all functions. Collecting them function by function would jump around in a large
 * tree. So rows are scattered instead: one walk through the tree puts each row into its place in a
 * window of the output. Each function has one position that advances, and the caller of an
 * invocation is near it in the tree, so that nearly all accesses are cached. An output that does
 * not fit one window takes several, with a walk for each.
 */

/* The rows of a window. Tests redefine it, so that there are several. */
#ifndef WINDOW_ROWS
#define WINDOW_ROWS (4 * 1024 * 1024)
#endif

enum { SUB_CALLS_AT_ONCE = 256 };

struct tree_rows {
    const struct tree *tree;
    struct scale *scale;
    uint32_t *first_row; /* of a function; one more for the end of the last one's rows */
    uint64_t sub_calls_address;
    unsigned char *window;
    uint32_t window_start, window_end; /* rows */
};

static void tree_rows_free(struct tree_rows *rows)
{
    memory_free(rows->first_row);
    memory_free(rows->window);
}

static bool tree_rows_init(struct tree_rows *rows, struct scale *scale, struct tree *tree)
{
    size_t functions = scale->profile->function_count, invocations = tree->invocation_count;
    size_t in_window = invocations < WINDOW_ROWS ? invocations : WINDOW_ROWS;
    *rows = (struct tree_rows){.tree = tree,
                               .scale = scale,
                               .first_row = memory_zeroed(functions + 1, sizeof *rows->first_row),
                               .window = memory_get((in_window + 1) * INVOCATION_SIZE)};
    if (rows->first_row == NULL || rows->window == NULL) {
        tree_rows_free(rows);
        return false;
    }
    system_suggest_large_pages(rows->window, in_window * INVOCATION_SIZE);
    tree_number(tree, rows->first_row);
    uint32_t start = 0;
    for (size_t f = 0; f <= functions; f++) {
        uint32_t rows_of_function = rows->first_row[f];
        rows->first_row[f] = start;
        start += rows_of_function;
    }
    return true;
}

/* The row of an invocation, or NULL if it is not in the window. */
static unsigned char *row_of(const struct tree_rows *rows, uint32_t invocation)
{
    const struct invocation *v = &rows->tree->invocations[invocation];
    uint32_t row = rows->first_row[v->function] + v->number;
    if (row < rows->window_start || row >= rows->window_end)
        return NULL;
    return rows->window + (size_t)(row - rows->window_start) * INVOCATION_SIZE;
}

/* Writes the data of an invocation: about itself, and about those that it called. */
static void fill_in(struct tree_rows *rows, uint32_t i)
{
    const struct tree *tree = rows->tree;
    const struct invocation *invocation = &tree->invocations[i];
    struct called_from from = {.function = invocation->function, .invocation = invocation->number};
    uint32_t calls_end = tree_calls_end(tree, i);
    for (uint32_t c = invocation->first_call; c < calls_end; c++) {
        const struct tree_call *call = &tree->calls[c];
        unsigned char *row = row_of(rows, call->callee);
        from.cost = call->cost;
        from.line = call->line;
        if (row != NULL)
            put_called_from(row, rows->scale, tree->invocations[call->callee].function, &from);
    }

    unsigned char *row = row_of(rows, i);
    if (row == NULL)
        return;
    put_own(row, rows->scale, invocation->function,
            invocation->self == TREE_MISSING ? 0 : invocation->self, tree_inclusive(tree, i),
            calls_end - invocation->first_call,
            rows->sub_calls_address + (uint64_t)SUB_CALL_SIZE * invocation->first_call);
    if (invocation->call == NONE)
        put_called_from(row, rows->scale, invocation->function, &by_nobody);
}

/* The rows from `first` up to `end`; moves the window as needed. */
static bool write_rows(struct outfile *out, struct tree_rows *rows, uint32_t first, uint32_t end)
{
    while (first < end) {
        if (first == rows->window_end) {
            size_t left = rows->tree->invocation_count - first;
            rows->window_start = first;
            rows->window_end = first + (uint32_t)(left < WINDOW_ROWS ? left : WINDOW_ROWS);
            for (uint32_t i = 0; i < rows->tree->invocation_count; i++)
                fill_in(rows, i);
        }
        uint32_t part = end < rows->window_end ? end : rows->window_end;
        if (!outfile_write(out,
                           rows->window + (size_t)(first - rows->window_start) * INVOCATION_SIZE,
                           (size_t)(part - first) * INVOCATION_SIZE))
            return false;
        first = part;
    }
    return true;
}

static bool write_tree_calls(struct outfile *out, const struct tree_rows *rows)
{
    const struct tree *tree = rows->tree;
    unsigned char bytes[SUB_CALLS_AT_ONCE * SUB_CALL_SIZE];
    for (size_t i = 0; i < tree->call_count;) {
        size_t used = 0;
        for (; used < sizeof bytes && i < tree->call_count; used += SUB_CALL_SIZE, i++) {
            const struct tree_call *call = &tree->calls[i];
            const struct invocation *callee = &tree->invocations[call->callee];
            put_sub_call(bytes + used, rows->scale, callee->function, callee->function,
                         callee->number, call->line, call->cost);
        }
        if (!outfile_write(out, bytes, used))
            return false;
    }
    return true;
}

static bool write_tree(struct outfile *out, const struct format *format, struct tree_rows *rows,
                       uint64_t *sizes)
{
    const struct profile *profile = rows->scale->profile;
    const uint32_t *first_row = rows->first_row;
    rows->sub_calls_address = measure(rows->scale, first_row, sizes);
    if (!write_addresses(out, format, sizes, profile->function_count,
                         (uint64_t)SUB_CALL_SIZE * rows->tree->call_count))
        return false;
    for (uint32_t f = 0; f < profile->function_count; f++)
        if (!write_function_head(out, rows->scale, f, first_row[f + 1] - first_row[f]) ||
            !write_rows(out, rows, first_row[f], first_row[f + 1]) ||
            !write_function_names(out, rows->scale, f))
            return false;
    return write_tree_calls(out, rows) && write_headers(out, format, rows->scale);
}

/* ---- from sums ---------------------------------------------------------------------------- */

/*
 * A profile of sums has no invocations: each function is written as one, with all its calls. It has
 * a caller only if there is exactly one; the line is that of the first call.
 */
static struct called_from only_caller(const struct profile *profile, const struct arc_lists *lists,
                                      uint32_t function)
{
    struct called_from from = by_nobody;
    for (uint32_t i = lists->called_from_start[function];
         i < lists->called_from_start[function + 1]; i++) {
        const struct arc *arc = &profile->arcs[lists->called_from[i]];
        if (from.function == NONE)
            from = (struct called_from){0, arc->caller, 0, arc->line};
        if (from.function != arc->caller)
            return by_nobody;
        cost_add(&from.cost, arc->cost);
    }
    return from;
}

static bool write_sums_function(struct outfile *out, struct scale *scale,
                                const struct arc_lists *lists, uint64_t sub_calls_address,
                                uint32_t f)
{
    const struct profile *profile = scale->profile;
    struct called_from from = only_caller(profile, lists, f);
    uint32_t first = lists->sub_calls_start[f], count = lists->sub_calls_start[f + 1] - first;
    uint64_t address = sub_calls_address + (uint64_t)SUB_CALL_SIZE * first;
    unsigned char row[INVOCATION_SIZE];
    put_own(row, scale, f, profile->functions[f].self, profile->functions[f].inclusive, count,
            address);
    put_called_from(row, scale, f, &from);
    return write_function_head(out, scale, f, 1) && outfile_write(out, row, sizeof row) &&
           write_function_names(out, scale, f);
}

static bool write_from_sums(struct outfile *out, const struct format *format,
                            struct scale *scale, const struct arc_lists *lists, uint64_t *sizes)
{
    const struct profile *profile = scale->profile;
    uint64_t sub_calls_address = measure(scale, NULL, sizes);
    if (!write_addresses(out, format, sizes, profile->function_count,
                         (uint64_t)SUB_CALL_SIZE * profile->arc_count))
        return false;
    for (uint32_t f = 0; f < profile->function_count; f++)
        if (!write_sums_function(out, scale, lists, sub_calls_address, f))
            return false;
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[lists->sub_calls[i]];
        unsigned char row[SUB_CALL_SIZE];
        put_sub_call(row, scale, arc->caller, arc->callee, 0, arc->line, arc->cost);
        if (!outfile_write(out, row, sizeof row))
            return false;
    }
    return write_headers(out, format, scale);
}

bool write_invocations(struct outfile *out, const struct format *format, struct scale *scale,
                       struct tree *tree)
{
    const struct profile *profile = scale->profile;
    struct tree_rows rows;
    struct arc_lists lists;
    bool done = false;
    uint64_t *sizes = memory_zeroed(profile->function_count + 1, sizeof *sizes);

    if (sizes == NULL) {
        diag_no_memory(out->diag);
    } else if (tree != NULL && tree_rows_init(&rows, scale, tree)) {
        done = write_tree(out, format, &rows, sizes);
        tree_rows_free(&rows);
    } else if (tree == NULL && (arc_lists_init(&lists, profile->arcs, profile->arc_count,
                                              profile->function_count), true)) {
        done = write_from_sums(out, format, scale, &lists, sizes);
        arc_lists_free(&lists);
    } else {
        diag_no_memory(out->diag);
    }
    memory_free(sizes);
    return done;
}
