#include "read/perf/ranges.h"

#include <stdlib.h>

static int by_start(const void *left, const void *right)
{
    const struct symbol_range *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Gives ranges of unknown size their ends, and if that does not matter otherwise, ranks by their starts. */
static void complete(struct symbol_ranges *ranges)
{
    size_t next = 0; /* the first range with a later start */
    for (size_t i = 0; i < ranges->count; i++) {
        struct symbol_range *range = &ranges->items[i];
        while (next < ranges->count && ranges->items[next].start <= range->start)
            next++;
        if ((range->rank & SYMBOL_HAS_SIZE) == 0 && next < ranges->count && range->end > ranges->items[next].start)
            range->end = ranges->items[next].start;
        if (!ranges->by_rank)
            range->rank = i;
    }
}

void symbols_divide(struct symbols *symbols, struct symbol_ranges *ranges)
{
    enum { MOST_OPEN = 32 };
    struct symbol_range open[MOST_OPEN]; /* those that hold the address `at`, and that no other hides to their ends */
    size_t open_count = 0, next = 0;
    if (ranges->count > 0)
        qsort(ranges->items, ranges->count, sizeof *ranges->items, by_start);
    complete(ranges);
    while (next < ranges->count || open_count > 0) {
        struct symbol_range started = {.start = UINT64_MAX}, *best = NULL;
        if (next < ranges->count)
            started = ranges->items[next];
        uint64_t at = started.start;
        for (size_t i = 0; i < open_count; i++)
            at = open[i].end < at ? open[i].end : at;
        if (next < ranges->count && started.start == at)
            next++;
        else
            started.end = 0;
        for (size_t i = open_count; i-- > 0;)
            if (open[i].end <= at || (open[i].end <= started.end && open[i].rank < started.rank))
                open[i] = open[--open_count];
        if (started.end > at && open_count < MOST_OPEN)
            open[open_count++] = started;
        for (size_t i = 0; i < open_count; i++)
            if (best == NULL || open[i].rank > best->rank)
                best = &open[i];
        struct symbol_piece piece = {at, best != NULL ? best->name : NONE};
        if (symbols->count > 0 && symbols->pieces[symbols->count - 1].start == at)
            symbols->count--;
        uint32_t before = symbols->count > 0 ? symbols->pieces[symbols->count - 1].name : NONE;
        if (piece.name != before)
            array_append(&symbols->pieces, &symbols->count, &symbols->capacity, &piece, sizeof piece);
    }
    memory_free(ranges->items);
}

uint32_t symbols_find(const struct symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->count;
    while (low < high) { /* the first that starts after the address */
        size_t middle = low + (high - low) / 2;
        if (symbols->pieces[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? symbols->pieces[low - 1].name : NONE;
}
