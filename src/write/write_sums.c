/*
 * Versions 5, 6 and 7: sums per function, and the call arcs at their ends.
 *
 *     function: [line] self inclusive invocations called_from_count [sub_call_count]
 *               called_from... [sub_call...] file \n name \n
 *     called_from, sub_call: function line count cost
 */
#include "write/formats.h"
#include "write/objects.h"

enum { CALL_NUMBERS = 4 };

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
        write_numbers(w->out, call, CALL_NUMBERS);
    }
}

void write_sums(struct writer *w)
{
    const struct profile *profile = w->profile;
    uint32_t count = (uint32_t)profile->function_count;
    bool has_line = w->version >= FIRST_VERSION_WITH_LINES, has_sub_calls = w->version >= FIRST_VERSION_WITH_SUB_CALLS;
    size_t head_numbers = 4u + has_line + has_sub_calls;
    struct arc_lists lists;
    uint64_t *sizes = memory_get((count + (size_t)1) * sizeof *sizes);
    arc_lists_init(&lists, profile->arcs, profile->arc_count, count);
    const uint32_t *from = lists.called_from_start, *to = lists.sub_calls_start;
    for (size_t i = 0; i < count; i++) {
        uint64_t calls = (uint64_t)(from[i + 1] - from[i]) + (has_sub_calls ? to[i + 1] - to[i] : 0);
        sizes[i] = (head_numbers + CALL_NUMBERS * calls) * NUMBER_SIZE + function_names_size(w, i);
    }
    write_head(w, sizes, objects_write(NULL, profile));
    for (uint32_t i = 0; i < count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t head[] = {f->line, scale_cost(&w->scale, i, f->self), scale_cost(&w->scale, i, f->inclusive),
                           scale_count(&w->scale, i, f->invocations), from[i + 1] - from[i], to[i + 1] - to[i]};
        write_numbers(w->out, has_line ? head : head + 1, head_numbers);
        write_calls(w, lists.called_from, from, i, true);
        if (has_sub_calls)
            write_calls(w, lists.sub_calls, to, i, false);
        write_function_names(w, i);
    }
    objects_write(w->out, profile);
}
