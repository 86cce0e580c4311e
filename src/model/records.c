#include "model/records.h"

void records_init(struct records *records, const struct profile *profile)
{
    *records = (struct records){0};
    records_grow(records);
    index_init(&records->link_index, &profile->names.index);
}

void records_free(struct records *records)
{
    for (struct records_chunk *chunk = records->chunk, *before; chunk != NULL; chunk = before) {
        before = chunk->before;
        memory_free(chunk);
    }
    memory_free(records->links);
    index_free(&records->link_index);
    *records = (struct records){0};
}

void records_grow(struct records *records)
{
    struct records_chunk *chunk = memory_get(sizeof *chunk);
    if (records->chunk != NULL)
        records->chunk->end = records->at;
    chunk->before = records->chunk;
    records->chunk = chunk;
    records->at = chunk->bytes;
}

void records_proxys_call(struct records *records, enum entry_kind kind, uint32_t number,
                         const struct call *call)
{
    struct link link = {call->caller, call->original != NONE ? call->original : call->callee};
    struct index *ix = &records->link_index;
    records_room(records);
    index_intern(ix, hash_numbers(&ix->seed, link.caller, link.callee), &records->links, &records->link_capacity,
                 &link, sizeof link, sizeof link);
    records->link_count = ix->used;
    records->at = records_put_number(records_put_number(records->at, call->line), link.callee);
    records_put(records, kind, number, call->cost);
}

/* ---- reading ------------------------------------------------------------------------------ */

void reader_init(struct reader *reader, const struct records *records)
{
    *reader = (struct reader){.chunk = records->chunk, .at = records->at, .factor = 1};
    reader_next(reader);
}

bool reader_go_back(struct reader *reader)
{
    if (reader->chunk->before == NULL) {
        reader->entry.kind = ENTRY_NONE;
        return false;
    }
    reader->chunk = reader->chunk->before;
    reader->at = reader->chunk->end;
    return true;
}

void reader_take_rest(struct reader *reader)
{
    struct entry *entry = &reader->entry;
    if (entry->kind == ENTRY_UNIT) {
        reader->factor *= (uint64_t)entry->cost; /* their product is at most the first unit */
    } else if (entry->kind != ENTRY_RUN) {
        entry->target = (uint32_t)reader_take(&reader->at);
        entry->line = (uint32_t)reader_take(&reader->at);
    }
}

/* ---- calls that wait ---------------------------------------------------------------------- */

struct waits_entry {
    struct waiting_call call;
    uint32_t count;
    uint32_t below; /* the next entry of the stack; of a free one: the next free one; or NONE */
};

struct waits_stack {
    uint32_t top; /* an entry, or NONE */
    size_t run;   /* in any other run, the stack is empty */
};

void waits_init(struct waits *w, size_t function_count)
{
    *w = (struct waits){.free = NONE, .run = 1};
    w->stacks = memory_zeroed(function_count + 1, sizeof *w->stacks);
}

void waits_free(struct waits *w)
{
    memory_free(w->stacks);
    memory_free(w->entries);
}

void waits_new_run(struct waits *w)
{
    w->run++;
    w->count = 0;
    w->free = NONE;
}

/* The top of a function's stack. */
static uint32_t *top_of(struct waits *w, uint32_t function)
{
    struct waits_stack *stack = &w->stacks[function];
    if (stack->run != w->run)
        *stack = (struct waits_stack){NONE, w->run};
    return &stack->top;
}

void waits_put(struct waits *w, uint32_t function, struct waiting_call call)
{
    uint32_t *top = top_of(w, function), number = w->free;
    struct waits_entry *entry = *top != NONE ? &w->entries[*top] : NULL;
    if (entry != NULL && entry->call.caller == call.caller && entry->call.arc == call.arc &&
        entry->count < UINT32_MAX) {
        entry->count++;
        return;
    }
    if (number != NONE) {
        w->free = w->entries[number].below;
    } else {
        if (w->count == NONE)
            run_out_of_memory();
        array_reserve(&w->entries, &w->capacity, w->count + 1, sizeof *w->entries);
        number = (uint32_t)w->count++;
    }
    w->entries[number] = (struct waits_entry){.call = call, .count = 1, .below = *top};
    *top = number;
}

struct waiting_call waits_take(struct waits *w, uint32_t function)
{
    uint32_t *top = top_of(w, function), number = *top;
    if (number == NONE)
        return (struct waiting_call){NONE, NONE};
    struct waits_entry *entry = &w->entries[number];
    struct waiting_call call = entry->call;
    if (--entry->count == 0) {
        *top = entry->below;
        entry->below = w->free;
        w->free = number;
    }
    return call;
}
