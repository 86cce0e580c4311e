/* SPDX-License-Identifier: MIT */
#include "model/timeline.h"

#include "model/units.h"

/* The smallest power of two that fewer calls cost than may have spans of their own. */
static uint64_t least_own(const struct timeline *t)
{
    enum { BITS = 62 };
    size_t counts[BITS + 1] = {0}, own = 0;
    int bits = BITS;
    for (size_t i = 0; i < t->count; i++) {
        int reached = 0;
        while (reached < BITS && t->spans[i].cost >> reached > 1)
            reached++;
        counts[reached] += t->spans[i].function != NONE;
    }
    while (own + counts[bits] < TIMELINE_CALLS)
        own += counts[bits--];
    return (uint64_t)1 << (bits + 1);
}

static void renumber(uint32_t *span, const uint32_t *numbers, size_t count)
{
    *span = *span < count ? numbers[*span] : *span;
}

/* Adds a span to the last one of its parent, if both are short. */
static bool unite(struct timeline *t, uint32_t together, const struct span *span)
{
    if (together == NONE)
        return false;
    struct span *before = &t->spans[together];
    before->start = MIN(before->start, span->start);
    before->calls += span->calls;
    cost_add(&before->cost, span->cost);
    return true;
}

/* Makes room: the least that a call with a span of its own must cost becomes more. */
static void leave_short(struct timeline_walk *w, struct replay *replay)
{
    struct timeline *t = w->timeline;
    size_t count = t->count;
    uint32_t *numbers = memory_get(count * sizeof *numbers), parent = NONE, inner = NONE, outer = NONE;
    w->least = least_own(t);
    t->count = w->own_spans = 0;
    for (size_t i = 0; i < count; i++) {
        struct span span = t->spans[i];
        bool is_short = span.function == NONE || (uint64_t)span.cost < w->least;
        inner = span.parent == parent ? inner : NONE;
        parent = span.parent;
        uint32_t *together = parent == NONE ? &outer : &inner;
        numbers[i] = SPAN_SHORT;
        renumber(&span.parent, numbers, count);
        if (span.parent == SPAN_SHORT)
            continue;
        span.function = is_short ? NONE : span.function;
        w->own_spans += !is_short;
        numbers[i] = is_short ? SPAN_SHORT : (uint32_t)t->count;
        if (is_short && unite(t, *together, &span))
            continue;
        *together = is_short ? (uint32_t)t->count : NONE;
        t->spans[t->count++] = span;
    }
    w->together = parent == w->span ? inner : NONE; /* the calls of the current record came last */
    w->roots_together = outer;
    renumber(&w->span, numbers, count);
    for (size_t i = 0; i < replay->wait_count; i++) /* some may not wait any more */
        renumber(&replay->waits[i].call.span, numbers, count);
    memory_free(numbers);
}

/* Adds a call of the current span, or a root, to the one before, if both are short. Returns its span. */
static uint32_t add_call(struct timeline_walk *w, struct replay *replay, struct span call, bool is_root)
{
    struct timeline *t = w->timeline;
    uint32_t *together = is_root ? &w->roots_together : &w->together;
    if (w->own_spans >= TIMELINE_CALLS)
        leave_short(w, replay);
    if (!is_root && w->span == SPAN_SHORT)
        return SPAN_SHORT;
    call.calls = 1;
    call.parent = is_root ? NONE : w->span;
    call.depth = is_root ? 0 : t->spans[w->span].depth + 1;
    bool is_short = (uint64_t)call.cost < w->least || call.depth == TIMELINE_DEPTH;
    if (is_short && unite(t, *together, &call))
        return SPAN_SHORT;
    *together = is_short ? (uint32_t)t->count : NONE;
    call.function = is_short ? NONE : call.function;
    w->own_spans += !is_short;
    array_append(&t->spans, &t->count, &t->capacity, &call, sizeof call);
    return is_short ? SPAN_SHORT : (uint32_t)t->count - 1;
}

struct timeline_walk timeline_begin(struct timeline *timeline, const struct profile *profile)
{
    bool is_time = timeline != NULL && unit_of(names_text(&profile->names, profile->event)).is_time;
    return (struct timeline_walk){.timeline = is_time ? timeline : NULL, .roots_together = NONE};
}

uint32_t timeline_root(struct timeline_walk *w, struct replay *replay)
{
    struct span root = {.function = replay->function, .cost = MAX(replay->inclusive, 0)};
    if (w->timeline == NULL)
        return SPAN_SHORT;
    cost_add(&w->end, root.cost);
    root.start = -w->end;
    return add_call(w, replay, root, true);
}

uint32_t timeline_add(struct timeline_walk *w, struct replay *replay, uint32_t callee)
{
    struct span call = {.function = callee, .start = w->at, .cost = MAX(replay->entry.cost, 0)};
    cost_add(&w->at, call.cost);
    if (replay->entry.kind == ENTRY_WAITING && replay->is_stepped_over)
        return w->span;
    return add_call(w, replay, call, false);
}

void timeline_end(const struct timeline_walk *w)
{
    for (size_t i = 0; w->timeline != NULL && i < w->timeline->count; i++)
        cost_add(&w->timeline->spans[i].start, w->timeline->spans[i].parent == NONE ? w->end : 0);
}
