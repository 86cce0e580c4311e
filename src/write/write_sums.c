/*
 * Versions 5, 6 and 7: sums per function, and the call arcs at their ends.
 *
 *     function: [line] self inclusive invocations called_from_count [sub_call_count]
 *               called_from... [sub_call...] file \n name \n
 *     called_from, sub_call: function line count cost
 */
#include "write/bytes.h"
#include "write/formats.h"
#include "write/objects.h"

#include "util/run.h"

#include <stdlib.h>

enum { CALL_NUMBERS = 4, MAX_HEAD_NUMBERS = 6 };

static uint32_t group_size(const uint32_t *start, size_t number)
{
    return start[number + 1] - start[number];
}

static uint64_t function_size(const struct format *format, struct scale *scale, const struct arc_lists *lists,
                              size_t number)
{
    uint64_t numbers = 4u + format->has_line + format->has_sub_calls;
    numbers += (uint64_t)CALL_NUMBERS * group_size(lists->called_from_start, number);
    if (format->has_sub_calls)
        numbers += (uint64_t)CALL_NUMBERS * group_size(lists->sub_calls_start, number);
    return numbers * NUMBER_SIZE + function_names_size(scale, number);
}

/* Writes one list of a function's arcs, each with the function at its other end. */
static bool write_calls(struct outfile *out, struct scale *scale, const uint32_t *list,
                        const uint32_t *start, uint32_t function, bool name_caller)
{
    for (uint32_t i = start[function]; i < start[function + 1]; i++) {
        const struct arc *arc = &scale->profile->arcs[list[i]];
        __builtin_prefetch(&scale->profile->arcs[list[i + 8 < scale->profile->arc_count ? i + 8 : i]]);
        uint32_t call[CALL_NUMBERS] = {name_caller ? arc->caller : arc->callee, arc->line,
                                       scale_count(scale, function, arc->count),
                                       scale_cost(scale, function, arc->cost)};
        if (!bytes_write(out, call, CALL_NUMBERS))
            return false;
    }
    return true;
}

static bool write_function(struct outfile *out, const struct format *format,
                           const struct arc_lists *lists, struct scale *scale, uint32_t number)
{
    const struct profile *profile = scale->profile;
    const struct function *f = &profile->functions[number];
    uint32_t head[MAX_HEAD_NUMBERS];
    size_t used = 0;

    if (format->has_line)
        head[used++] = f->line;
    head[used++] = scale_cost(scale, number, f->self);
    head[used++] = scale_cost(scale, number, f->inclusive);
    head[used++] = scale_count(scale, number, f->invocations);
    head[used++] = group_size(lists->called_from_start, number);
    if (format->has_sub_calls)
        head[used++] = group_size(lists->sub_calls_start, number);

    return bytes_write(out, head, used) &&
           write_calls(out, scale, lists->called_from, lists->called_from_start, number, true) &&
           (!format->has_sub_calls ||
            write_calls(out, scale, lists->sub_calls, lists->sub_calls_start, number, false)) &&
           write_function_names(out, scale, number);
}

static bool write_all(struct outfile *out, const struct format *format, struct scale *scale,
                      const struct arc_lists *lists, uint64_t *sizes)
{
    size_t count = scale->profile->function_count;
    for (size_t i = 0; i < count; i++)
        sizes[i] = function_size(format, scale, lists, i);
    if (!write_addresses(out, format, sizes, count, objects_size(scale->profile)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!write_function(out, format, lists, scale, (uint32_t)i))
            return false;
    return objects_write(out, scale->profile) && write_headers(out, format, scale);
}

bool write_sums(struct outfile *out, const struct format *format, struct scale *scale,
                struct tree *tree)
{
    (void)tree;
    const struct profile *profile = scale->profile;
    struct arc_lists lists;
    uint64_t *sizes = memory_zeroed(profile->function_count + 1, sizeof *sizes);
    if (sizes == NULL || !(arc_lists_init(&lists, profile->arcs, profile->arc_count, profile->function_count), true)) {
        memory_free(sizes);
        return diag_no_memory(out->diag);
    }
    bool done = write_all(out, format, scale, &lists, sizes);
    arc_lists_free(&lists);
    memory_free(sizes);
    return done;
}
