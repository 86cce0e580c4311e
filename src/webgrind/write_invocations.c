/*
 * Version 4: each invocation with the call that made it and the calls that it made.
 *
 *     function:   self inclusive call_cost invocation_count invocation... file \n name \n
 *     invocation: self inclusive, call_cost function invocation line (what called it),
 *                 sub_call_count sub_call_address
 *     sub_call:   function invocation line cost (all of them behind the functions)
 *
 * Invocations are numbered within their function, in the order in which they returned. One that
 * nobody called has called-from (0, 0xFFFFFFFF, 0, 0).
 */
#include "webgrind/bytes.h"
#include "webgrind/formats.h"

#include <stdlib.h>

enum { FUNCTION_NUMBERS = 4, INVOCATION_NUMBERS = 8, SUB_CALL_NUMBERS = 4 };

#define NOBODY UINT32_MAX

/* Who called an invocation. */
struct called_from {
    cost_t cost;
    uint32_t function, invocation, line;
};

static const struct called_from by_nobody = {0, NOBODY, 0, 0};

static bool write_function_head(struct outfile *out, struct scale *scale, uint32_t number,
                                uint32_t invocations)
{
    const struct function *f = &scale->profile->functions[number];
    uint32_t head[FUNCTION_NUMBERS] = {
        scale_cost(scale, number, f->self), scale_cost(scale, number, f->inclusive),
        scale_cost(scale, number, f->call_cost), invocations};
    return bytes_write(out, head, FUNCTION_NUMBERS);
}

static bool write_invocation(struct outfile *out, struct scale *scale, uint32_t function,
                             cost_t self, cost_t inclusive, const struct called_from *from,
                             uint32_t sub_call_count, uint64_t sub_call_address)
{
    uint32_t numbers[INVOCATION_NUMBERS] = {scale_cost(scale, function, self),
                                            scale_cost(scale, function, inclusive),
                                            scale_cost(scale, function, from->cost),
                                            from->function,
                                            from->invocation,
                                            from->line,
                                            sub_call_count,
                                            (uint32_t)sub_call_address};
    return bytes_write(out, numbers, INVOCATION_NUMBERS);
}

static bool write_sub_call(struct outfile *out, struct scale *scale, uint32_t caller,
                           uint32_t function, uint32_t invocation, uint32_t line, cost_t cost)
{
    uint32_t numbers[SUB_CALL_NUMBERS] = {function, invocation, line,
                                          scale_cost(scale, caller, cost)};
    return bytes_write(out, numbers, SUB_CALL_NUMBERS);
}

/* The sizes of all functions with their invocations; returns where the sub calls begin. */
static uint64_t measure(const struct profile *profile, const uint32_t *invocation_counts,
                        uint64_t *sizes)
{
    uint64_t address =
        (uint64_t)NUMBER_SIZE * (FILE_HEAD_NUMBERS + (uint64_t)profile->function_count);
    for (size_t i = 0; i < profile->function_count; i++) {
        uint64_t invocations = invocation_counts == NULL ? 1 : invocation_counts[i];
        sizes[i] = NUMBER_SIZE * (FUNCTION_NUMBERS + INVOCATION_NUMBERS * invocations) +
                   function_names_size(profile, &profile->functions[i]);
        address += sizes[i];
    }
    return address;
}

/* ---- from the tree ------------------------------------------------------------------------ */

/* The tree's invocations as the format numbers and sorts them. */
struct numbered {
    uint32_t *number;      /* of an invocation within its function */
    uint32_t *by_function; /* invocations, grouped by function */
    uint32_t *count;       /* of a function's invocations */
};

static void numbered_free(struct numbered *n)
{
    free(n->number);
    free(n->by_function);
    free(n->count);
}

static void number_invocations(struct numbered *n, const struct profile *profile,
                               const struct tree *tree)
{
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        n->number[i] = n->count[tree->invocations[i].function]++;
    uint32_t start = 0;
    for (size_t f = 0; f < profile->function_count; f++) {
        uint32_t count = n->count[f];
        n->count[f] = start;
        start += count;
    }
    /* For a moment `count` is where each function's group begins. */
    for (uint32_t i = 0; i < tree->invocation_count; i++)
        n->by_function[n->count[tree->invocations[i].function] + n->number[i]] = i;
    for (size_t f = 0; f < profile->function_count; f++)
        n->count[f] = (f + 1 < profile->function_count ? n->count[f + 1] : start) - n->count[f];
}

static bool numbered_init(struct numbered *n, const struct profile *profile,
                          const struct tree *tree)
{
    size_t functions = profile->function_count + 1, invocations = tree->invocation_count + 1;
    *n = (struct numbered){.number = calloc(invocations, sizeof(uint32_t)),
                           .by_function = calloc(invocations, sizeof(uint32_t)),
                           .count = calloc(functions, sizeof(uint32_t))};
    if (n->number == NULL || n->by_function == NULL || n->count == NULL) {
        numbered_free(n);
        return false;
    }
    number_invocations(n, profile, tree);
    return true;
}

static bool write_tree_invocation(struct outfile *out, struct scale *scale,
                                  const struct tree *tree, const struct numbered *n,
                                  uint64_t sub_calls_address, uint32_t i)
{
    const struct invocation *invocation = &tree->invocations[i];
    struct called_from from = by_nobody;
    if (invocation->call != TREE_NONE) {
        const struct tree_call *call = &tree->calls[invocation->call];
        from = (struct called_from){call->cost, tree->invocations[invocation->caller].function,
                                    n->number[invocation->caller], call->line};
    }
    uint64_t address = sub_calls_address +
                       (uint64_t)NUMBER_SIZE * SUB_CALL_NUMBERS * invocation->first_call;
    return write_invocation(out, scale, invocation->function,
                            invocation->self == TREE_MISSING ? 0 : invocation->self,
                            tree_inclusive(tree, i), &from,
                            tree_calls_end(tree, i) - invocation->first_call, address);
}

static bool write_tree_calls(struct outfile *out, struct scale *scale, const struct tree *tree,
                             const struct numbered *n)
{
    for (size_t i = 0; i < tree->call_count; i++) {
        const struct tree_call *call = &tree->calls[i];
        uint32_t function = tree->invocations[call->callee].function;
        if (!write_sub_call(out, scale, function, function, n->number[call->callee], call->line,
                            call->cost))
            return false;
    }
    return true;
}

static bool write_tree(struct outfile *out, const struct format *format, struct scale *scale,
                       const struct tree *tree, const struct numbered *n, uint64_t *sizes)
{
    const struct profile *profile = scale->profile;
    uint64_t sub_calls_address = measure(profile, n->count, sizes);
    if (!write_addresses(out, format, sizes, profile->function_count,
                         (uint64_t)NUMBER_SIZE * SUB_CALL_NUMBERS * tree->call_count))
        return false;
    const uint32_t *invocation = n->by_function;
    for (uint32_t f = 0; f < profile->function_count; f++) {
        if (!write_function_head(out, scale, f, n->count[f]))
            return false;
        for (uint32_t i = 0; i < n->count[f]; i++)
            if (!write_tree_invocation(out, scale, tree, n, sub_calls_address, *invocation++))
                return false;
        if (!write_function_names(out, profile, &profile->functions[f]))
            return false;
    }
    return write_tree_calls(out, scale, tree, n) && write_headers(out, format, scale);
}

/* ---- from sums ---------------------------------------------------------------------------- */

/*
 * A profile of sums knows no invocations: each function is written as one, with all its calls. It
 * is called from a function only if that is its one caller; the line is that of the first call.
 */
static struct called_from only_caller(const struct profile *profile, const struct arc_lists *lists,
                                      uint32_t function)
{
    struct called_from from = by_nobody;
    for (uint32_t i = lists->called_from_start[function];
         i < lists->called_from_start[function + 1]; i++) {
        const struct arc *arc = &profile->arcs[lists->called_from[i]];
        if (from.function == NOBODY)
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
    uint64_t address = sub_calls_address + (uint64_t)NUMBER_SIZE * SUB_CALL_NUMBERS * first;
    return write_function_head(out, scale, f, 1) &&
           write_invocation(out, scale, f, profile->functions[f].self,
                            profile->functions[f].inclusive, &from, count, address) &&
           write_function_names(out, profile, &profile->functions[f]);
}

static bool write_from_sums(struct outfile *out, const struct format *format,
                            struct scale *scale, const struct arc_lists *lists, uint64_t *sizes)
{
    const struct profile *profile = scale->profile;
    uint64_t sub_calls_address = measure(profile, NULL, sizes);
    if (!write_addresses(out, format, sizes, profile->function_count,
                         (uint64_t)NUMBER_SIZE * SUB_CALL_NUMBERS * profile->arc_count))
        return false;
    for (uint32_t f = 0; f < profile->function_count; f++)
        if (!write_sums_function(out, scale, lists, sub_calls_address, f))
            return false;
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[lists->sub_calls[i]];
        if (!write_sub_call(out, scale, arc->caller, arc->callee, 0, arc->line, arc->cost))
            return false;
    }
    return write_headers(out, format, scale);
}

bool write_invocations(struct outfile *out, const struct format *format, struct scale *scale,
                       const struct tree *tree)
{
    struct numbered numbered;
    struct arc_lists lists;
    bool done = false;
    uint64_t *sizes = calloc(scale->profile->function_count + 1, sizeof *sizes);

    if (sizes == NULL) {
        diag_no_memory(out->diag);
    } else if (tree != NULL && numbered_init(&numbered, scale->profile, tree)) {
        done = write_tree(out, format, scale, tree, &numbered, sizes);
        numbered_free(&numbered);
    } else if (tree == NULL && arc_lists_init(&lists, scale->profile)) {
        done = write_from_sums(out, format, scale, &lists, sizes);
        arc_lists_free(&lists);
    } else {
        diag_no_memory(out->diag);
    }
    free(sizes);
    return done;
}
