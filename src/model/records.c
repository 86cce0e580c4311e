/* SPDX-License-Identifier: MIT */
#include "model/records.h"

void records_add_chunk(struct records *records)
{
    size_t size = (size_t)RECORDS_CHUNK * (records->chunk != NULL ? 8 : 1); /* of large pages, unless it is small */
    struct records_chunk *chunk = memory_get(sizeof *chunk + size + LONGEST_ENTRY);
    if (records->chunk != NULL)
        records->chunk->end = records->at;
    chunk->before = records->chunk;
    chunk->limit = chunk->bytes + size;
    records->chunk = chunk;
    records->at = chunk->bytes;
}

void replay_init(struct replay *r, struct records *records, size_t function_count, bool is_last)
{
    *r = (struct replay){.chunk = records->chunk,
                         .at = records->at,
                         .factor = 1,
                         .free_wait = NONE,
                         .is_last = is_last && !records->is_read_again,
                         .others = records->others,
                         .event = records->event};
    size_t stacks = 0;
    array_reach(&r->tops, &stacks, function_count + 1, sizeof *r->tops, 0xff);
    replay_next(r);
}

void replay_wait(struct replay *r, uint32_t function, const struct waiting_call *call)
{
    uint32_t *top = &r->tops[function], number = r->free_wait;
    if (*top != NONE && r->waits[*top].call.caller == call->caller && r->waits[*top].call.called == call->called &&
        r->waits[*top].call.span == call->span && r->waits[*top].count < UINT32_MAX) {
        r->waits[*top].count++;
        return;
    }
    if (number != NONE) {
        r->free_wait = r->waits[number].below;
    } else {
        if (r->wait_count == NONE)
            task_out_of_memory();
        array_reserve(&r->waits, &r->wait_capacity, r->wait_count + 1, sizeof *r->waits);
        number = (uint32_t)r->wait_count++;
    }
    r->waits[number] = (struct waits_entry){*call, .count = 1, .function = function, .below = *top};
    *top = number;
}

bool replay_take_record(struct replay *r)
{
    bool is_new = r->runs == 0;
    for (; r->entry.kind == ENTRY_RUN; replay_next(r), is_new = true) {
        r->part = r->entry.number;
        while (r->wait_count > 0)
            r->tops[r->waits[--r->wait_count].function] = NONE;
        r->free_wait = NONE;
    }
    if (r->entry.kind == ENTRY_NONE)
        return false;
    r->runs += is_new;
    r->function = r->entry.number;
    r->cost = r->inclusive = r->entry.cost;
    uint32_t *top = &r->tops[r->function], number = *top;
    r->made_by = number != NONE ? r->waits[number].call : (struct waiting_call){NONE, NONE, NONE};
    if (number != NONE && --r->waits[number].count == 0) {
        *top = r->waits[number].below;
        r->waits[number].below = r->free_wait;
        r->free_wait = number;
    }
    replay_next(r);
    bool waited = r->entry.kind == ENTRY_WAITING;
    r->is_stepped_over = waited && r->made_by.caller != NONE;
    if (waited && !r->is_stepped_over)
        cost_add(&r->inclusive, r->entry.cost);
    return true;
}
