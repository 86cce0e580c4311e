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

enum { CALL_NUMBERS = 4, MAX_HEAD_NUMBERS = 6 };

static uint32_t group_size(const uint32_t *start, size_t number)
{
    return start[number + 1] - start[number];
}

static uint64_t function_size(struct writer *w, const struct arc_lists *lists, size_t number)
{
    uint64_t numbers = 4u + w->format->has_line + w->format->has_sub_calls;
    numbers += (uint64_t)CALL_NUMBERS * group_size(lists->called_from_start, number);
    if (w->format->has_sub_calls)
        numbers += (uint64_t)CALL_NUMBERS * group_size(lists->sub_calls_start, number);
    return numbers * NUMBER_SIZE + function_names_size(w, number);
}

/* Writes one list of a function's arcs, each with the function at its other end. */
static void write_calls(struct writer *w, const uint32_t *list, const uint32_t *start, uint32_t function,
                        bool name_caller)
{
    const struct profile *profile = w->profile;
    for (uint32_t i = start[function]; i < start[function + 1]; i++) {
        const struct arc *arc = &profile->arcs[list[i]];
        __builtin_prefetch(&profile->arcs[list[i + 8 < profile->arc_count ? i + 8 : i]]);
        uint32_t call[CALL_NUMBERS] = {name_caller ? arc->caller : arc->callee, arc->line,
                                       scale_count(&w->scale, function, arc->count),
                                       scale_cost(&w->scale, function, arc->cost)};
        bytes_write(w->out, call, CALL_NUMBERS);
    }
}

static void write_function(struct writer *w, const struct arc_lists *lists, uint32_t number)
{
    const struct function *f = &w->profile->functions[number];
    uint32_t head[MAX_HEAD_NUMBERS];
    size_t used = 0;

    if (w->format->has_line)
        head[used++] = f->line;
    head[used++] = scale_cost(&w->scale, number, f->self);
    head[used++] = scale_cost(&w->scale, number, f->inclusive);
    head[used++] = scale_count(&w->scale, number, f->invocations);
    head[used++] = group_size(lists->called_from_start, number);
    if (w->format->has_sub_calls)
        head[used++] = group_size(lists->sub_calls_start, number);

    bytes_write(w->out, head, used);
    write_calls(w, lists->called_from, lists->called_from_start, number, true);
    if (w->format->has_sub_calls)
        write_calls(w, lists->sub_calls, lists->sub_calls_start, number, false);
    write_function_names(w, number);
}

void write_sums(struct writer *w)
{
    const struct profile *profile = w->profile;
    size_t count = profile->function_count;
    struct arc_lists lists;
    uint64_t *sizes = memory_get((count + 1) * sizeof *sizes);
    arc_lists_init(&lists, profile->arcs, profile->arc_count, count);
    for (size_t i = 0; i < count; i++)
        sizes[i] = function_size(w, &lists, i);
    make_headers(w);
    write_addresses(w, sizes, objects_write(NULL, profile));
    for (size_t i = 0; i < count; i++)
        write_function(w, &lists, (uint32_t)i);
    objects_write(w->out, profile);
    write_headers(w);
}
