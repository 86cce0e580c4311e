#include "read/perf/perf_queue.h"

#include "util/array.h"

#include <stdlib.h>

void perf_queue_free(struct perf_queue *q)
{
    memory_free(q->bytes);
    memory_free(q->spare_bytes);
    memory_free(q->items);
    memory_free(q->spare_items);
}

bool perf_queue_add(struct perf_queue *q, uint64_t time, uint64_t position, struct text record,
                    uint32_t event)
{
    size_t length = text_length(record);
    if (!(array_reserve(&q->bytes, &q->room, q->used + length, 1), true) ||
        !(array_reserve(&q->items, &q->capacity, q->count + 1, sizeof *q->items), true))
        return false;
    memcpy(q->bytes + q->used, record.at, length);
    q->items[q->count++] = (struct perf_queued){time, position, q->used, (uint32_t)length, event};
    q->used += length;
    q->latest = time > q->latest ? time : q->latest;
    return true;
}

/* ---- order -------------------------------------------------------------------------------- */

/* Where the run of items that are in order ends which begins at `from`. */
static size_t run_end(const struct perf_queued *items, size_t from, size_t count)
{
    size_t end = from + 1;
    while (end < count && items[end - 1].time <= items[end].time)
        end++;
    return end < count ? end : count;
}

static void merge(struct perf_queued *to, const struct perf_queued *first, size_t first_count,
                  const struct perf_queued *second, size_t second_count)
{
    while (first_count > 0 || second_count > 0) {
        bool is_first = second_count == 0 || (first_count > 0 && first->time <= second->time);
        if (is_first) {
            *to++ = *first++;
            first_count--;
        } else {
            *to++ = *second++;
            second_count--;
        }
    }
}

/* Merges each two runs that follow each other, until there is but one. Items are few runs by nature. */
static bool sort(struct perf_queue *q)
{
    while (q->count > 0 && run_end(q->items, 0, q->count) < q->count) {
        array_reserve(&q->spare_items, &q->spare_capacity, q->count, sizeof *q->spare_items);
        for (size_t at = 0; at < q->count;) {
            size_t middle = run_end(q->items, at, q->count);
            size_t end = middle < q->count ? run_end(q->items, middle, q->count) : middle;
            merge(q->spare_items + at, q->items + at, middle - at, q->items + middle, end - middle);
            at = end;
        }
        struct perf_queued *items = q->items;
        size_t capacity = q->capacity;
        q->items = q->spare_items;
        q->capacity = q->spare_capacity;
        q->spare_items = items;
        q->spare_capacity = capacity;
    }
    return true;
}

/* Forgets the first `count` items, and the bytes of all that have been forgotten. */
static bool drop(struct perf_queue *q, size_t count)
{
    size_t used = 0;
    for (size_t i = count; i < q->count; i++) {
        struct perf_queued item = q->items[i];
        array_reserve(&q->spare_bytes, &q->spare_room, used + item.length, 1);
        memcpy(q->spare_bytes + used, q->bytes + item.at, item.length);
        item.at = used;
        used += item.length;
        q->items[i - count] = item;
    }
    q->count -= count;
    q->used = used;
    if (used == 0)
        return true;
    char *bytes = q->bytes;
    size_t room = q->room;
    q->bytes = q->spare_bytes;
    q->room = q->spare_room;
    q->spare_bytes = bytes;
    q->spare_room = room;
    return true;
}

bool perf_queue_end_round(struct perf_queue *q, bool is_last,
                          bool (*take)(void *user, struct text record, const struct perf_queued *item),
                          void *user, bool *no_memory)
{
    size_t taken = 0;
    *no_memory = !sort(q);
    if (*no_memory)
        return false;
    for (; taken < q->count && (is_last || q->items[taken].time <= q->limit); taken++) {
        const struct perf_queued *item = &q->items[taken];
        if (!take(user, text_of(q->bytes + item->at, item->length), item))
            return false;
    }
    q->limit = q->latest;
    *no_memory = !drop(q, taken);
    return !*no_memory;
}
