#include "model/records.h"

#include "util/run.h"

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
