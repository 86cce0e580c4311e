#include "symbols/ranges.h"

#include "util/array.h"

#include <stdlib.h>

void symbol_ranges_free(struct symbol_ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct symbol_ranges){0};
}

bool symbol_ranges_add(struct symbol_ranges *ranges, struct symbol_range range)
{
    if (ranges->count >= UINT32_MAX / 2 ||
        !array_reserve(&ranges->items, &ranges->capacity, ranges->count + 1, sizeof *ranges->items))
        return false;
    ranges->items[ranges->count++] = range;
    return true;
}

/* ---- order -------------------------------------------------------------------------------- */

static int by_start(const void *left, const void *right)
{
    const struct symbol_range *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static void sort(struct symbol_ranges *r)
{
    for (size_t i = 1; i < r->count; i++)
        if (by_start(&r->items[i - 1], &r->items[i]) > 0) {
            qsort(r->items, r->count, sizeof *r->items, by_start);
            return;
        }
}

/* Ends open ranges at the next start, and takes out what is empty. */
static void close_open(struct symbol_ranges *r)
{
    uint64_t next = UINT64_MAX, start = UINT64_MAX;
    for (size_t i = r->count; i-- > 0;) {
        struct symbol_range *range = &r->items[i];
        if (range->start != start) {
            next = start;
            start = range->start;
        }
        if (range->is_open && range->end > next)
            range->end = next;
    }
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].start < r->items[i].end)
            r->items[kept++] = r->items[i];
    r->count = kept;
}

static bool has_overlaps(const struct symbol_ranges *r)
{
    for (size_t i = 1; i < r->count; i++)
        if (r->items[i - 1].end > r->items[i].start)
            return true;
    return false;
}

/* ---- overlaps ----------------------------------------------------------------------------- */

/* A walk over all addresses, and a heap of the ranges that have begun, the highest rank on top. */
struct walk {
    const struct symbol_range *items;
    size_t *heap;
    size_t count;
};

static bool is_above(const struct walk *w, size_t a, size_t b)
{
    return w->items[w->heap[a]].rank > w->items[w->heap[b]].rank;
}

static void swap(struct walk *w, size_t a, size_t b)
{
    size_t kept = w->heap[a];
    w->heap[a] = w->heap[b];
    w->heap[b] = kept;
}

static void push(struct walk *w, size_t range)
{
    size_t i = w->count++;
    w->heap[i] = range;
    for (; i > 0 && is_above(w, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(w, i, (i - 1) / 2);
}

static void pop(struct walk *w)
{
    w->heap[0] = w->heap[--w->count];
    for (size_t i = 0;;) {
        size_t highest = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < w->count; child++)
            highest = is_above(w, child, highest) ? child : highest;
        if (highest == i)
            return;
        swap(w, i, highest);
        i = highest;
    }
}

/* Each start and each end begins one piece at most. */
static bool cut(const struct symbol_ranges *r, struct walk *w, struct symbol_ranges *pieces)
{
    uint64_t at = 0;
    for (size_t next = 0; next < r->count || w->count > 0;) {
        if (w->count == 0)
            at = r->items[next].start;
        for (; next < r->count && r->items[next].start <= at; next++)
            push(w, next);
        while (w->count > 0 && w->items[w->heap[0]].end <= at)
            pop(w);
        if (w->count == 0)
            continue;
        struct symbol_range piece = w->items[w->heap[0]];
        piece.start = at;
        if (next < r->count && r->items[next].start < piece.end)
            piece.end = r->items[next].start;
        at = piece.end;
        if (!symbol_ranges_add(pieces, piece))
            return false;
    }
    return true;
}

bool symbol_ranges_settle(struct symbol_ranges *r, bool later_start_wins)
{
    sort(r);
    close_open(r);
    if (!has_overlaps(r))
        return true;
    for (size_t i = 0; later_start_wins && i < r->count; i++)
        r->items[i].rank = i;
    struct symbol_ranges pieces = {0};
    struct walk w = {.items = r->items, .heap = calloc(r->count, sizeof *w.heap)};
    bool done = w.heap != NULL && cut(r, &w, &pieces);
    free(w.heap);
    symbol_ranges_free(done ? r : &pieces);
    if (done)
        *r = pieces;
    return done;
}

uint32_t symbol_ranges_find(const struct symbol_ranges *r, uint64_t address)
{
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->items[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < r->count && r->items[low].start <= address;
    return is_found ? r->items[low].name : SYMBOL_NONE;
}
