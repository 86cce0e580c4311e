/* SPDX-License-Identifier: MIT */
/* Calls in the order in which they were made. */
#ifndef CG2WG_MODEL_TIMELINE_H
#define CG2WG_MODEL_TIMELINE_H

#include "model/records.h"

/* How many calls are kept by themselves, and how many are within each other. */
enum { TIMELINE_CALLS = 20000, TIMELINE_DEPTH = 1024 };

/* A call, or some that follow each other, and all that was called there. */
struct span {
    uint32_t parent;   /* an earlier span, or NONE */
    uint32_t function; /* NONE: these are several calls, too short to be kept by themselves */
    uint32_t depth;    /* the number of spans that it is within */
    uint32_t name;     /* of a thread, which has no function and no parent; otherwise NAME_EMPTY */
    uint64_t calls;
    cost_t start; /* after that of its parent; without one, after that of all */
    cost_t cost;
};

struct timeline {
    struct span *spans; /* of one parent, in their order */
    size_t count, capacity;
    uint64_t step; /* of samples of threads, every so many are in it, and times are in nanoseconds; 0: of calls */
};

/*
 * Makes the timeline of the records, if their event is a time. Between two calls, a function may have spent own time,
 * of which records say only the sum: spans follow each other without a gap from the start of their parent on.
 */
void timeline_from_records(struct timeline *timeline, struct records *records, const struct profile *profile);

#endif
