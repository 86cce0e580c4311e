#include "read/perf/ranges.h"

#include <stdlib.h>

enum { MOST_OVERLAPS = 32 };

static int by_start(const void *left, const void *right)
{
    const struct symbol_range *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Ends ranges whose size is not known at the next start. */
static void close_open(struct symbol_ranges *r)
{
    uint64_t next = UINT64_MAX, start = UINT64_MAX;
    for (size_t i = r->count; i-- > 0;) {
        struct symbol_range *range = &r->items[i];
        if (range->start != start) {
            next = start;
            start = range->start;
        }
        if ((range->rank & SYMBOL_HAS_SIZE) == 0 && range->end > next)
            range->end = next;
    }
}

/* Does one of two ranges, the second of which starts later or has a higher rank, have all addresses of the other? */
static bool hides(const struct symbol_ranges *r, const struct symbol_range *hiding, const struct symbol_range *hidden)
{
    return hiding->start <= hidden->start && hiding->end >= hidden->end &&
           (hiding->start == hidden->start || r->by_rank) && hiding->rank > hidden->rank;
}

void symbol_ranges_sort(struct symbol_ranges *r)
{
    size_t kept = 0;
    if (r->count > 0)
        qsort(r->items, r->count, sizeof *r->items, by_start);
    close_open(r);
    for (size_t i = 0; i < r->count; i++) {
        struct symbol_range range = r->items[i];
        if (range.start >= range.end || (kept > 0 && hides(r, &r->items[kept - 1], &range)))
            continue;
        while (kept > 0 && hides(r, &range, &r->items[kept - 1]))
            kept--;
        r->items[kept++] = range;
    }
    r->count = kept;
}

uint32_t symbol_ranges_find(const struct symbol_ranges *r, uint64_t address)
{
    const struct symbol_range *found = NULL;
    size_t low = 0, high = r->count;
    while (low < high) { /* the first that starts after the address */
        size_t middle = low + (high - low) / 2;
        if (r->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i-- > 0 && low - i <= MOST_OVERLAPS && (found == NULL || r->by_rank);)
        if (address < r->items[i].end && (found == NULL || r->items[i].rank > found->rank))
            found = &r->items[i];
    return found != NULL ? found->name : NONE;
}
