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
#include "write/formats.h"

enum {
    FUNCTION_NUMBERS = 4,
    INVOCATION_SIZE = 8 * NUMBER_SIZE,
    SUB_CALL_NUMBERS = 4,
    SUB_CALL_SIZE = SUB_CALL_NUMBERS * NUMBER_SIZE
};

/* The rows of a window. Tests redefine it, so that there are several. */
#ifndef WINDOW_ROWS
#define WINDOW_ROWS (4 * 1024 * 1024)
#endif

/*
 * The rows of a function's invocations are side by side, in the order of the tree, which mixes the
 * invocations of all functions. Collecting them function by function would jump around in a large
 * tree. So rows are scattered instead: one walk through the tree puts each row into its place in a
 * window of the output. Each function has one position that advances, and the caller of an
 * invocation is near it in the tree, so that nearly all accesses are cached. An output that does
 * not fit one window takes several, with a walk for each.
 */
struct rows {
    struct writer *w;
    const struct tree *tree; /* NULL: a function has one row */
    struct arc_lists lists;  /* of a profile without a tree */
    uint32_t *first_row;     /* of a function; one more for the end of the last one's rows */
    uint64_t sub_calls_address;
    unsigned char *window;
    uint32_t window_start, window_end; /* rows */
};

static void number_rows(struct rows *rows, struct tree *tree, size_t functions)
{
    rows->first_row = memory_zeroed(functions + 1, sizeof *rows->first_row);
    if (tree != NULL) {
        size_t in_window = tree->invocation_count < WINDOW_ROWS ? tree->invocation_count : WINDOW_ROWS;
        rows->window = memory_get((in_window + 1) * INVOCATION_SIZE);
        system_suggest_large_pages(rows->window, in_window * INVOCATION_SIZE);
        tree_number(tree, rows->first_row);
    }
    uint32_t start = 0;
    for (size_t f = 0; f <= functions; f++) {
        uint32_t rows_of_function = tree != NULL ? rows->first_row[f] : 1;
        rows->first_row[f] = start;
        start += rows_of_function;
    }
}

static uint32_t sub_call_address(const struct rows *rows, uint32_t number)
{
    return (uint32_t)(rows->sub_calls_address + (uint64_t)SUB_CALL_SIZE * number);
}

/* The row of an invocation, or NULL if it is not in the window. */
HOT unsigned char *row_of(const struct rows *rows, const struct invocation *v)
{
    uint32_t row = rows->first_row[v->function] + v->number;
    bool is_inside = row >= rows->window_start && row < rows->window_end;
    return is_inside ? rows->window + (size_t)(row - rows->window_start) * INVOCATION_SIZE : NULL;
}

/* Puts `count` numbers into a row, from number `first` on. */
HOT void put(unsigned char *row, size_t first, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        little4_put(row + (first + i) * NUMBER_SIZE, numbers[i]);
}

/* Writes the data of an invocation: about itself, and about those that it called. */
static void fill_in(struct rows *rows, uint32_t i)
{
    const struct tree *tree = rows->tree;
    const struct invocation *v = &tree->invocations[i];
    struct scale *scale = &rows->w->scale;
    unsigned char *row;
    uint32_t calls_end = tree_calls_end(tree, i);
    for (uint32_t c = v->first_call; c < calls_end; c++) {
        const struct tree_call *call = &tree->calls[c];
        const struct invocation *callee = &tree->invocations[call->callee];
        if ((row = row_of(rows, callee)) != NULL)
            put(row, 2, (uint32_t[]){scale_cost(scale, callee->function, call->cost), v->function, v->number,
                                     call->line}, 4);
    }
    if ((row = row_of(rows, v)) == NULL)
        return;
    uint32_t self = scale_cost(scale, v->function, v->self == TREE_MISSING ? 0 : v->self);
    put(row, 0, (uint32_t[]){self, scale_cost(scale, v->function, tree_inclusive(tree, i))}, 2);
    if (v->call == NONE)
        put(row, 2, (uint32_t[]){0, NONE, 0, 0}, 4);
    put(row, 6, (uint32_t[]){calls_end - v->first_call, sub_call_address(rows, v->first_call)}, 2);
}

/* The rows from `first` up to `end`; moves the window as needed. */
static void write_rows(struct rows *rows, uint32_t first, uint32_t end)
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
        outfile_write(rows->w->out, rows->window + (size_t)(first - rows->window_start) * INVOCATION_SIZE,
                      (size_t)(part - first) * INVOCATION_SIZE);
        first = part;
    }
}

/*
 * A profile of sums has no invocations: each function is written as one, with all its calls. It has
 * a caller only if there is exactly one; the line is that of the first call.
 */
static void write_sums_row(const struct rows *rows, uint32_t number)
{
    struct writer *w = rows->w;
    const struct function *f = &w->profile->functions[number];
    const uint32_t *from = rows->lists.called_from_start + number, *to = rows->lists.sub_calls_start + number;
    uint32_t self = scale_cost(&w->scale, number, f->self), inclusive = scale_cost(&w->scale, number, f->inclusive);
    struct arc call = {.caller = NONE}; /* all calls of it, if they have one caller */
    for (uint32_t i = from[0]; i < from[1]; i++) {
        const struct arc *arc = &w->profile->arcs[rows->lists.called_from[i]];
        if (i == from[0])
            call = (struct arc){.caller = arc->caller, .line = arc->line};
        if (arc->caller != call.caller) {
            call = (struct arc){.caller = NONE};
            break;
        }
        cost_add(&call.cost, arc->cost);
    }
    write_numbers(w->out, (uint32_t[]){self, inclusive, scale_cost(&w->scale, number, call.cost), call.caller, 0,
                                       call.line, to[1] - to[0], sub_call_address(rows, to[0])}, 8);
}

/* ---- all ---------------------------------------------------------------------------------- */

static void write_sub_calls(const struct rows *rows)
{
    struct writer *w = rows->w;
    const struct tree *tree = rows->tree;
    for (size_t i = 0; tree != NULL && i < tree->call_count; i++) {
        const struct tree_call *call = &tree->calls[i];
        const struct invocation *callee = &tree->invocations[call->callee];
        uint32_t cost = scale_cost(&w->scale, callee->function, call->cost);
        write_numbers(w->out, (uint32_t[]){callee->function, callee->number, call->line, cost}, SUB_CALL_NUMBERS);
    }
    for (size_t i = 0; tree == NULL && i < w->profile->arc_count; i++) {
        const struct arc *arc = &w->profile->arcs[rows->lists.sub_calls[i]];
        uint32_t cost = scale_cost(&w->scale, arc->caller, arc->cost);
        write_numbers(w->out, (uint32_t[]){arc->callee, 0, arc->line, cost}, SUB_CALL_NUMBERS);
    }
}

void write_invocations(struct writer *w)
{
    const struct profile *profile = w->profile;
    uint32_t count = (uint32_t)profile->function_count;
    size_t sub_calls = w->tree != NULL ? w->tree->call_count : profile->arc_count;
    struct rows rows = {.w = w, .tree = w->tree};
    uint64_t *sizes = memory_get(((size_t)count + 1) * sizeof *sizes);
    number_rows(&rows, w->tree, count);
    if (w->tree == NULL)
        arc_lists_init(&rows.lists, profile->arcs, profile->arc_count, count);
    const uint32_t *first = rows.first_row;
    rows.sub_calls_address = (uint64_t)NUMBER_SIZE * (FILE_HEAD_NUMBERS + (uint64_t)count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t invocations = first[i + 1] - first[i];
        sizes[i] = FUNCTION_NUMBERS * NUMBER_SIZE + INVOCATION_SIZE * invocations + function_names_size(w, i);
        rows.sub_calls_address += sizes[i];
    }
    write_head(w, sizes, (uint64_t)SUB_CALL_SIZE * sub_calls);
    for (uint32_t i = 0; i < count; i++) {
        const struct function *f = &profile->functions[i];
        write_numbers(w->out, (uint32_t[]){scale_cost(&w->scale, i, f->self), scale_cost(&w->scale, i, f->inclusive),
                                           scale_cost(&w->scale, i, f->call_cost), first[i + 1] - first[i]},
                      FUNCTION_NUMBERS);
        if (w->tree != NULL)
            write_rows(&rows, first[i], first[i + 1]);
        else
            write_sums_row(&rows, i);
        write_function_names(w, i);
    }
    write_sub_calls(&rows);
}
