#include "model/sizes.h"

#include <stdlib.h>

static int by_function_and_size(const void *left, const void *right)
{
    const struct cg2wg_size_cost *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->size > b->size) - (a->size < b->size);
}

static cost_t larger(cost_t a, cost_t b)
{
    return a == SIZE_COST_UNKNOWN || b == SIZE_COST_UNKNOWN ? SIZE_COST_UNKNOWN : a > b ? a : b;
}

/* A sum with an unknown part is unknown, too, and so are limits. */
static void add_to(struct cg2wg_size_cost *sum, const struct cg2wg_size_cost *cost)
{
    cost_t *const sums[] = {&sum->sum, &sum->outermost, &sum->self, &sum->syscall_input, &sum->thread_input,
                            &sum->self_syscall_input, &sum->self_thread_input};
    const cost_t costs[] = {cost->sum, cost->outermost, cost->self, cost->syscall_input, cost->thread_input,
                            cost->self_syscall_input, cost->self_thread_input};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        if (*sums[i] == SIZE_COST_UNKNOWN || costs[i] == SIZE_COST_UNKNOWN)
            *sums[i] = SIZE_COST_UNKNOWN;
        else
            cost_add(sums[i], costs[i]);
    count_add(&sum->calls, cost->calls);
    sum->min = cost->min < sum->min ? cost->min : sum->min; /* unknown is less than any */
    sum->self_min = cost->self_min < sum->self_min ? cost->self_min : sum->self_min;
    sum->max = larger(sum->max, cost->max);
    sum->self_max = larger(sum->self_max, cost->self_max);
}

void sizes_merge(struct sizes *sizes, size_t function_count)
{
    size_t kept = 0;
    if (sizes->count > 0)
        qsort(sizes->costs, sizes->count, sizeof *sizes->costs, by_function_and_size);
    sizes->first = memory_zeroed(function_count + 2, sizeof *sizes->first);
    for (size_t i = 0; i < sizes->count; i++) {
        if (kept > 0 && by_function_and_size(&sizes->costs[kept - 1], &sizes->costs[i]) == 0) {
            add_to(&sizes->costs[kept - 1], &sizes->costs[i]);
            continue;
        }
        sizes->costs[kept++] = sizes->costs[i];
        sizes->first[sizes->costs[i].function + 1]++;
    }
    sizes->count = kept;
    for (size_t f = 0; f < function_count; f++)
        sizes->first[f + 1] += sizes->first[f];
}
