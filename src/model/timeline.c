/* SPDX-License-Identifier: MIT */
#include "model/timeline.h"

#include "model/units.h"

/* In place of the span of a call that is kept with others. */
enum { SHORT = NONE - 1 };

/* The smallest power of two that no more calls cost than are kept. Most calls have an entry, and their records, too. */
static cost_t least_kept(struct records *records, const struct profile *profile)
{
    enum { BITS = 62 };
    uint64_t counts[BITS + 1] = {0}, kept = 0;
    int bits = BITS;
    struct reader reader;
    for (reader_init(&reader, records, profile->function_count, false); reader.entry.kind != ENTRY_NONE;
         reader_next(&reader)) {
        int reached = 0;
        while (reached < BITS && reader.entry.cost >> reached > 1)
            reached++;
        counts[reached] += reader.entry.kind <= ENTRY_RECORD && reader.entry.kind != ENTRY_LINE;
    }
    while (bits >= 0 && kept + counts[bits] <= 2 * TIMELINE_CALLS)
        kept += counts[bits--];
    return bits < 0 ? 0 : (cost_t)1 << (bits + 1);
}

/* Keeps a call, with the one before, `*together`, if both are short. Returns its span, or SHORT. */
static uint32_t keep_call(struct timeline *t, struct span call, cost_t least, uint32_t *together)
{
    call.calls = 1;
    call.depth = call.parent == NONE ? 0 : t->spans[call.parent].depth + 1;
    bool is_short = call.cost < least || call.depth == TIMELINE_DEPTH;
    if (is_short && *together != NONE) {
        struct span *span = &t->spans[*together];
        span->start = MIN(span->start, call.start);
        span->calls++;
        cost_add(&span->cost, call.cost);
        return SHORT;
    }
    *together = is_short ? (uint32_t)t->count : NONE;
    call.function = is_short ? NONE : call.function;
    array_append(&t->spans, &t->count, &t->capacity, &call, sizeof call);
    return is_short ? SHORT : (uint32_t)t->count - 1;
}

/* The calls of a record, of which that is the span, wait for those of what they called. */
static void take_calls(struct timeline *t, struct reader *reader, const struct profile *profile, uint32_t span,
                       cost_t least)
{
    const struct entry *call = &reader->entry;
    uint32_t together = NONE;
    cost_t at = 0;
    for (; call->kind < ENTRY_RECORD; reader_next(reader)) {
        if (call->kind == ENTRY_LINE)
            continue;
        uint32_t callee = call->kind == ENTRY_WAITING ? call->number : profile->arcs[call->number].callee;
        uint32_t target = call->kind == ENTRY_CALL ? callee : call->target, waiting = span;
        struct span made = {.parent = span, .function = callee, .start = at, .cost = MAX(call->cost, 0)};
        if (span != SHORT && !(call->kind == ENTRY_WAITING && reader->is_stepped_over))
            waiting = keep_call(t, made, least, &together);
        cost_add(&at, made.cost);
        if ((profile->functions[target].flags & FUNCTION_HAS_RECORD) != 0)
            reader_wait(reader, target, (struct waiting_call){waiting, 0});
    }
}

void timeline_from_records(struct timeline *t, struct records *records, const struct profile *profile)
{
    struct reader reader;
    uint32_t together = NONE;
    cost_t end = 0;
    if (!unit_of(names_text(&profile->names, profile->event)).is_time)
        return;
    cost_t least = least_kept(records, profile);
    reader_init(&reader, records, profile->function_count, false);
    while (reader_take_record(&reader)) {
        uint32_t span = reader.made_by.caller;
        if (span == NONE) { /* the last one comes first */
            struct span root = {.parent = NONE, .function = reader.function, .cost = MAX(reader.inclusive, 0)};
            cost_add(&end, root.cost);
            root.start = -end;
            span = keep_call(t, root, least, &together);
        }
        take_calls(t, &reader, profile, span, least);
    }
    for (size_t i = 0; i < t->count; i++)
        cost_add(&t->spans[i].start, t->spans[i].parent == NONE ? end : 0);
}
