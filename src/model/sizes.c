#include "model/sizes.h"

#include "util/run.h"

#include <stdlib.h>

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
