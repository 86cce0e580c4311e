/* SPDX-License-Identifier: MIT */
#include "model/calls.h"

#include <stddef.h>
#include <stdlib.h>

/* Different costs of functions, and what they are rounded to if there are more. */
enum { MOST_COSTS = 1 << 19, FIRST_EXACT = 4095 };

COMPARISON(by_cost, struct cost_count, a->number != b->number ? ORDER(a->number, b->number) : ORDER(a->cost, b->cost))

COMPARISON(by_size, struct cost_count, a->cost != b->cost ? ORDER(b->cost, a->cost) : ORDER(a->number, b->number))

void single_calls_choose(struct single_calls *s, const struct profile *profile)
{
    size_t count = 0, capacity = 0;
    struct cost_count *all = memory_get((profile->function_count + 1) * sizeof *all);
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        if (f->invocations > 1)
            all[count++] = (struct cost_count){MAX(f->self, f->inclusive), i, 0};
    }
    qsort(all, count, sizeof *all, by_size);
    s->count = MIN(count, CALLS_FUNCTIONS);
    s->functions = memory_zeroed(s->count + 1, sizeof *s->functions);
    array_reach(&s->numbers, &capacity, profile->function_count + 1, sizeof *s->numbers, 0xff);
    for (uint32_t i = 0; i < s->count; i++) {
        s->functions[i].function = all[i].number;
        s->functions[i].least = INT64_MIN;
        s->numbers[all[i].number] = i;
    }
    memory_free(all);
}

cost_t cost_rounded(cost_t cost, cost_t most)
{
    cost_t unit = 1;
    while (cost / unit > most || cost / unit < -most)
        unit *= 2;
    return cost / unit * unit;
}

static void add_cost(struct single_calls *s, struct cost_count added)
{
    uint64_t count = added.count;
    added.cost = s->most_exact > 0 ? cost_rounded(added.cost, s->most_exact) : added.cost;
    added.count = 0;
    uint32_t at = SET_INTERN(&s->spread, added, offsetof(struct cost_count, number) + sizeof added.number);
    count_add(&s->spread.items[at].count, count);
}

void single_calls_keep(struct single_calls *s, uint32_t number, const struct single_call *call)
{
    struct function_calls *f = &s->functions[number];
    if ((uint64_t)call->inclusive >= CALLS_SMALL)
        add_cost(s, (struct cost_count){call->inclusive, number, 1});
    while (UNLIKELY(s->spread.index.used >= MOST_COSTS)) { /* rounded, fewer differ */
        struct single_calls old = *s;
        s->most_exact = s->most_exact > 0 ? s->most_exact / 2 : FIRST_EXACT;
        memset(&s->spread, 0, sizeof s->spread);
        for (size_t i = 0; i < old.spread.index.used; i++)
            add_cost(s, old.spread.items[i]);
        SET_FREE(&old.spread);
    }
    if (call->inclusive < f->least)
        return;
    for (size_t i = 0; i < f->shown_count; i++)
        if (memcmp(&f->shown[i], call, offsetof(struct single_call, count)) == 0) {
            count_add(&f->shown[i].count, 1);
            return;
        }
    size_t at = f->shown_count;
    while (at > 0 && (f->shown[at - 1].inclusive < call->inclusive ||
                      (f->shown[at - 1].inclusive == call->inclusive && f->shown[at - 1].run < call->run)))
        at--;
    if (at == CALLS_SHOWN)
        return;
    f->shown_count += f->shown_count < CALLS_SHOWN;
    memmove(&f->shown[at + 1], &f->shown[at], (f->shown_count - 1 - at) * sizeof *f->shown);
    f->shown[at] = *call;
    f->shown[at].count = 1;
    f->shown[at].number = f->costs.count;
    f->least = f->shown_count == CALLS_SHOWN ? f->shown[CALLS_SHOWN - 1].inclusive : INT64_MIN;
}

struct call_costs call_costs_of(const struct cost_count *sorted, size_t count)
{
    static const unsigned percents[] = {0, 50, 90, 99, 100};
    struct call_costs calls = {.count = 0};
    uint64_t before = 0;
    size_t next = 0;
    for (size_t i = 0; i < count; i++)
        count_add(&calls.count, sorted[i].count);
    for (size_t i = 0; i < count; i++) {
        count_add(&before, sorted[i].count);
        for (; next < COUNT_OF(percents); next++) {
            uint64_t enough = calls.count / 100 * percents[next] + (calls.count % 100 * percents[next] + 99) / 100;
            if (before < enough)
                break;
            calls.costs[next] = sorted[i].cost;
        }
    }
    return calls;
}

void single_calls_spread(struct single_calls *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct function_calls *f = &s->functions[i];
        for (cost_t cost = 0; cost < CALLS_SMALL; cost++)
            if (f->small[cost] > 0)
                add_cost(s, (struct cost_count){cost, i, f->small[cost]});
    }
    struct cost_count *all = s->spread.items;
    size_t count = s->spread.index.used, end;
    if (count > 0)
        qsort(all, count, sizeof *all, by_cost);
    for (size_t i = 0; i < count; i = end) {
        for (end = i; end < count && all[end].number == all[i].number; end++)
            continue;
        s->functions[all[i].number].costs = call_costs_of(&all[i], end - i);
    }
    SET_FREE(&s->spread);
}
