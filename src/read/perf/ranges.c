#include "read/perf/ranges.h"

#include "util/array.h"

#include <stdlib.h>

void symbol_ranges_free(struct symbol_ranges *ranges)
{
    memory_free(ranges->items);
    *ranges = (struct symbol_ranges){0};
}

bool symbol_ranges_add(struct symbol_ranges *ranges, struct symbol_range range)
{
    return ranges->count < UINT32_MAX / 2 &&
           (array_append(&ranges->items, &ranges->count, &ranges->capacity, &range, sizeof range), true);
}

enum { SORTED_BITS = 11, SORTED_MASK = (1 << SORTED_BITS) - 1 };

/* ---- order -------------------------------------------------------------------------------- */

static int by_start(const void *left, const void *right)
{
    const struct symbol_range *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Moves items in the order of some bits of their starts; those of the same bits stay in order. */
static void sort_by_bits(const struct symbol_range *from, struct symbol_range *to, size_t count,
                         unsigned shift)
{
    size_t places[1 << SORTED_BITS] = {0}, place = 0;
    for (size_t i = 0; i < count; i++)
        places[from[i].start >> shift & SORTED_MASK]++;
    for (size_t i = 0; i <= SORTED_MASK; i++) {
        size_t here = places[i];
        places[i] = place;
        place += here;
    }
    for (size_t i = 0; i < count; i++)
        to[places[from[i].start >> shift & SORTED_MASK]++] = from[i];
}

/* Sorts items by their starts, some bits at a time, and then those of the same start by rank. */
static bool sort(struct symbol_ranges *r)
{
    uint64_t differing = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < r->count; i++) {
        differing |= r->items[i].start ^ r->items[0].start;
        is_sorted = is_sorted && by_start(&r->items[i - 1], &r->items[i]) <= 0;
    }
    if (is_sorted)
        return true;
    struct symbol_range *spare = memory_get(r->count * sizeof *spare);
    if (spare == NULL)
        return false;
    for (unsigned shift = 0; shift < 64 && differing >> shift != 0; shift += SORTED_BITS) {
        struct symbol_range *from = r->items;
        sort_by_bits(from, spare, r->count, shift);
        r->items = spare;
        r->capacity = r->count;
        spare = from;
    }
    memory_free(spare);
    for (size_t i = 0, end; i < r->count; i = end) {
        for (end = i + 1; end < r->count && r->items[end].start == r->items[i].start;)
            end++;
        if (end - i > 1)
            qsort(r->items + i, end - i, sizeof *r->items, by_start);
    }
    return true;
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

/* Takes out what is empty, and what another name for the same code hides: the next one has a higher rank. */
static void drop_hidden(struct symbol_ranges *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct symbol_range *range = &r->items[i], *next = range + 1;
        bool is_hidden = i + 1 < r->count && next->start == range->start && next->end >= range->end;
        if (range->start < range->end && !is_hidden)
            r->items[kept++] = *range;
    }
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

bool symbol_ranges_separate(struct symbol_ranges *r, bool later_start_wins)
{
    if (!sort(r))
        return false;
    close_open(r);
    drop_hidden(r);
    if (!has_overlaps(r))
        return true;
    for (size_t i = 0; later_start_wins && i < r->count; i++)
        r->items[i].rank = i;
    struct symbol_ranges pieces = {0};
    struct walk w = {.items = r->items, .heap = memory_zeroed(r->count, sizeof *w.heap)};
    bool done = w.heap != NULL && cut(r, &w, &pieces);
    memory_free(w.heap);
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
    return is_found ? r->items[low].name : NONE;
}
