#include "model/sizes.h"

#include "util/run.h"

#include <stdlib.h>

void sizes_free(struct sizes *sizes)
{
    memory_free(sizes->costs);
    memory_free(sizes->mangled);
    memory_free(sizes->lines);
    *sizes = (struct sizes){0};
}

static int by_function_and_size(const void *left, const void *right)
{
    const struct cg2wg_size_cost *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->size > b->size) - (a->size < b->size);
}

/* A sum with an unknown part is unknown, too. */
static void add_known(cost_t *sum, cost_t amount)
{
    if (*sum == SIZE_COST_UNKNOWN || amount == SIZE_COST_UNKNOWN)
        *sum = SIZE_COST_UNKNOWN;
    else
        cost_add(sum, amount);
}

static void take_smaller(cost_t *least, cost_t cost)
{
    if (cost < *least)
        *least = cost; /* unknown is less than any */
}

static void take_larger(cost_t *most, cost_t cost)
{
    if (*most == SIZE_COST_UNKNOWN || cost == SIZE_COST_UNKNOWN)
        *most = SIZE_COST_UNKNOWN;
    else if (cost > *most)
        *most = cost;
}

static void add_to(struct cg2wg_size_cost *sum, const struct cg2wg_size_cost *cost)
{
    count_add(&sum->calls, cost->calls);
    add_known(&sum->sum, cost->sum);
    add_known(&sum->outermost, cost->outermost);
    add_known(&sum->self, cost->self);
    take_smaller(&sum->min, cost->min);
    take_larger(&sum->max, cost->max);
    take_smaller(&sum->self_min, cost->self_min);
    take_larger(&sum->self_max, cost->self_max);
    add_known(&sum->syscall_input, cost->syscall_input);
    add_known(&sum->thread_input, cost->thread_input);
    add_known(&sum->self_syscall_input, cost->self_syscall_input);
    add_known(&sum->self_thread_input, cost->self_thread_input);
}

/* Sorts the costs, and merges those of the same function and size. */
static void merge_costs(struct sizes *sizes)
{
    size_t kept = 0;
    if (sizes->count > 0)
        qsort(sizes->costs, sizes->count, sizeof *sizes->costs, by_function_and_size);
    for (size_t i = 0; i < sizes->count; i++) {
        if (kept > 0 && by_function_and_size(&sizes->costs[kept - 1], &sizes->costs[i]) == 0)
            add_to(&sizes->costs[kept - 1], &sizes->costs[i]);
        else
            sizes->costs[kept++] = sizes->costs[i];
    }
    sizes->count = kept;
}

/* ---- showing ------------------------------------------------------------------------------ */

static void fill_functions(struct cg2wg_sized_function *functions, const struct sizes *sizes,
                           const struct profile *profile)
{
    size_t next = 0;
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t mangled = i < sizes->mangled_count ? sizes->mangled[i] : NAME_EMPTY;
        size_t first = next;
        while (next < sizes->count && sizes->costs[next].function == i)
            next++;
        functions[i] = (struct cg2wg_sized_function){.name = profile_bytes(profile, f->name),
                                                     .file = profile_bytes(profile, f->file),
                                                     .mangled_name = profile_bytes(profile, mangled),
                                                     .self = f->self,
                                                     .inclusive = f->inclusive,
                                                     .invocations = f->invocations,
                                                     .size_count = next - first};
        if (next > first)
            functions[i].sizes = &sizes->costs[first];
    }
}

static size_t fill_headers(struct cg2wg_bytes *headers, const struct profile *profile,
                           int64_t *total)
{
    size_t count = 0;
    *total = 0;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        if (header->kind == HEADER_OTHER || header->kind == HEADER_CMD)
            headers[count++] = profile_bytes(profile, header->text);
        if (header->kind == HEADER_SUMMARY)
            cost_add(total, header->total);
    }
    return count;
}

void sizes_show(struct sizes *sizes, const struct profile *profile,
                void (*show)(void *user, const struct cg2wg_sizes *sizes), void *user)
{
    struct cg2wg_sized_function *functions =
        memory_zeroed(profile->function_count + 1, sizeof *functions);
    struct cg2wg_bytes *headers = memory_zeroed(profile->header_count + 1, sizeof *headers);
    struct cg2wg_bytes *lines = memory_zeroed(sizes->line_count + 1, sizeof *lines);
    {
        struct cg2wg_sizes shown = {.headers = headers,
                                    .lines = lines,
                                    .line_count = sizes->line_count,
                                    .event = profile_bytes(profile, profile->event),
                                    .measure = profile_bytes(profile, sizes->measure),
                                    .functions = functions,
                                    .function_count = profile->function_count};
        merge_costs(sizes);
        fill_functions(functions, sizes, profile);
        shown.header_count = fill_headers(headers, profile, &shown.total);
        for (size_t i = 0; i < sizes->line_count; i++)
            lines[i] = profile_bytes(profile, sizes->lines[i]);
        show(user, &shown);
    }
    memory_free(functions);
    memory_free(headers);
    memory_free(lines);
}
