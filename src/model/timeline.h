/* SPDX-License-Identifier: MIT */
/* Calls in the order in which they were made. */
#ifndef CG2WG_MODEL_TIMELINE_H
#define CG2WG_MODEL_TIMELINE_H

#include "model/records.h"

/* How many calls have spans of their own, and how many are within each other. */
enum { TIMELINE_CALLS = 20000, TIMELINE_DEPTH = 1024 };

/* A call, or some that follow each other, and all that was called there. */
struct span {
    uint32_t parent;   /* an earlier span, or NONE */
    uint32_t function; /* NONE: these are several calls, too short for spans of their own */
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

/* In place of the span of a call that shares one with others. */
enum { SPAN_SHORT = NONE - 1 };

/*
 * Makes a timeline while records are read: at any time, of all that were read, the calls whose cost is at least a power
 * of two, the smallest one with which there are at most TIMELINE_CALLS. Records say only the sum of the time that a
 * function spent between its calls: spans follow each other without a gap from the start of their parent on.
 */
struct timeline_walk {
    struct timeline *timeline; /* NULL: none is made, and all calls are short */
    uint64_t least;            /* cost of a call with a span of its own */
    size_t own_spans;
    uint32_t span;                     /* of the current record */
    uint32_t together, roots_together; /* the short span that a short call, or root, is added to; or NONE */
    cost_t at, end;                    /* the cost of its calls so far; of all roots */
};

/* `timeline` may be NULL; it is only made if the event is a time. */
struct timeline_walk timeline_begin(struct timeline *timeline, const struct profile *profile);

uint32_t timeline_root(struct timeline_walk *walk, struct replay *replay);
uint32_t timeline_add(struct timeline_walk *walk, struct replay *replay, uint32_t callee);
void timeline_end(const struct timeline_walk *walk);

HOT void timeline_enter(struct timeline_walk *walk, struct replay *replay)
{
    walk->span = replay->made_by.caller == NONE ? timeline_root(walk, replay) : replay->made_by.span;
    walk->together = NONE;
    walk->at = 0;
}

HOT uint32_t timeline_call(struct timeline_walk *walk, struct replay *replay, uint32_t callee)
{
    return walk->span == SPAN_SHORT ? SPAN_SHORT : timeline_add(walk, replay, callee);
}

#endif
