/* SPDX-License-Identifier: MIT */
/* The order in which samples of threads were taken. */
#include "read/perf/perf_stacks.h"

#include <stdlib.h>

/*
 * A sample stands for the time since the one before, but not for more than so many of the usual intervals, as its
 * thread has slept then.
 */
enum { MOST_INTERVALS = 2 };

COMPARISON(by_thread, struct perf_moment,
           a->tid != b->tid     ? ORDER(a->tid, b->tid)
           : a->time != b->time ? ORDER(a->time, b->time)
                                : ORDER(a->order, b->order))

COMPARISON(by_size, uint64_t, ORDER(*a, *b))

/* The spans that go on: a thread's, and those of its functions, from the outermost one on. */
struct open_spans {
    struct timeline *timeline;
    uint32_t spans[TIMELINE_DEPTH + 1];
    uint64_t begun[TIMELINE_DEPTH + 1];
    size_t count;
};

static void begin_span(struct open_spans *o, uint32_t function, uint32_t name, uint64_t from)
{
    struct timeline *t = o->timeline;
    size_t above = o->count - (o->count > 0);
    struct span span = {.parent = o->count > 0 ? o->spans[above] : NONE,
                        .function = function,
                        .name = name,
                        .depth = (uint32_t)o->count,
                        .calls = 1,
                        .start = (cost_t)(from - (o->count > 0 ? o->begun[above] : 0))};
    o->spans[o->count] = (uint32_t)t->count;
    o->begun[o->count++] = from;
    array_append(&t->spans, &t->count, &t->capacity, &span, sizeof span);
}

/* Makes spans of the moments, which are in the order of threads and times. */
static void make_spans(struct timeline *t, struct perf_about *about, const struct perf_moment *moments, size_t count,
                       const struct contexts *contexts, const uint32_t *context_of)
{
    struct open_spans *o = memory_zeroed(1, sizeof *o);
    uint32_t *functions = memory_get(TIMELINE_DEPTH * sizeof *functions); /* of a moment, from the outermost one on */
    uint64_t *intervals = memory_zeroed(count + 1, sizeof *intervals), origin = UINT64_MAX;
    size_t known = 0;
    for (size_t i = 1; i < count; i++)
        if (moments[i].tid == moments[i - 1].tid)
            intervals[known++] = moments[i].time - moments[i - 1].time;
    qsort(intervals, known, sizeof *intervals, by_size);
    uint64_t usual = intervals[known / 2]; /* half of the intervals between samples of a thread are shorter */
    for (size_t i = 0; i < count; i++)
        origin = MIN(origin, moments[i].time - MIN(usual, moments[i].time));
    o->timeline = t;
    t->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct perf_moment *m = &moments[i];
        bool is_first = i == 0 || m[-1].tid != m->tid;
        bool follows = !is_first && (m->time - m[-1].time) / MOST_INTERVALS <= usual;
        uint64_t to = m->time - origin, from = follows ? m[-1].time - origin : to - MIN(usual, to);
        size_t all = 0, same = 1;
        for (uint32_t c = context_of[m->node]; c != NONE; c = contexts->items[c].parent)
            all++;
        size_t depth = MIN(all, TIMELINE_DEPTH); /* without the innermost ones */
        for (uint32_t c = context_of[m->node]; c != NONE; c = contexts->items[c].parent)
            if (--all < TIMELINE_DEPTH)
                functions[all] = contexts->items[c].function;
        while (follows && same < o->count && same <= depth && t->spans[o->spans[same]].function == functions[same - 1])
            same++;
        o->count = is_first ? 0 : same;
        if (is_first) {
            size_t last = i; /* its name is the thread's last one */
            while (last + 1 < count && moments[last + 1].tid == m->tid)
                last++;
            begin_span(o, NONE, perf_thread_name(about, moments[last].name, UINT32_MAX, m->tid), from);
        }
        for (size_t k = o->count; k <= depth; k++)
            begin_span(o, functions[k - 1], NAME_EMPTY, from);
        for (size_t k = 0; k < o->count; k++)
            t->spans[o->spans[k]].cost = (cost_t)(to - o->begun[k]);
    }
}

void perf_make_timeline(struct timeline *timeline, struct perf_about *about, const struct contexts *contexts,
                        const uint32_t *context_of)
{
    const struct perf_stacks *s = &about->stacks;
    struct perf_moment *moments = memory_get((s->moment_count + 1) * sizeof *moments);
    size_t count = 0;
    for (uint32_t i = 0; i < s->moment_count; i++) {
        moments[count] = s->moments[i];
        moments[count].order = i;
        count += about->events[s->moments[i].event].factor != 0;
    }
    qsort(moments, count, sizeof *moments, by_thread);
    for (uint64_t step = 1;; step *= 2) {
        timeline->step = s->step * step;
        make_spans(timeline, about, moments, count, contexts, context_of);
        size_t i = 0, most = count;
        if (timeline->count <= 3 * TIMELINE_CALLS)
            break;
        for (count = 0; i < most; i++) {
            moments[count] = moments[i];
            count += moments[i].order / step % 2 == 0;
        }
    }
}
