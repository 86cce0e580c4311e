/*
 * Records in the order of their times. perf writes the records of each processor by themselves; from time to
 * time it tells (FINISHED_ROUND) that none older than some of those before is going to follow.
 */
#ifndef CG2WG_READ_PERF_PERF_QUEUE_H
#define CG2WG_READ_PERF_PERF_QUEUE_H

#include "util/text.h"

struct perf_queued {
    uint64_t time, position; /* position: in the input, in bytes */
    size_t at;               /* in the queue's bytes */
    uint32_t length;
    uint32_t event; /* of a sample */
};

struct perf_queue {
    char *bytes, *spare_bytes;
    size_t used, room, spare_room;
    struct perf_queued *items, *spare_items;
    size_t count, capacity, spare_capacity;
    uint64_t latest; /* of all times so far */
    uint64_t limit;  /* the latest time before the last round ended */
};

/* An empty queue is all zero. */
void perf_queue_free(struct perf_queue *queue);

/* Adds a copy of a record. Returns false when memory runs out. */
bool perf_queue_add(struct perf_queue *queue, uint64_t time, uint64_t position, struct text record,
                    uint32_t event);

/*
 * A round has ended, or if is_last, all records are there: hands over those that are complete, by time, and
 * of the same time as they were added. Sets *no_memory and returns false when memory runs out; returns
 * false, too, as soon as `take` does.
 */
bool perf_queue_end_round(struct perf_queue *queue, bool is_last,
                          bool (*take)(void *user, struct text record, const struct perf_queued *item),
                          void *user, bool *no_memory);

#endif
