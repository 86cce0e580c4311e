#include "model/fold.h"

#include "model/claims.h"

struct folding {
    const struct profile *profile;
    struct contexts *contexts;
    struct reader reader;
    struct claims claims; /* callers are contexts */
};

/* A context waits for an invocation of `function`; for one without records, in vain. */
static bool add_call(struct folding *f, uint32_t context, uint32_t function)
{
    return (f->profile->functions[function].flags & FUNCTION_HAS_RECORD) == 0 ||
           claims_add(&f->claims, function, (struct claim){.caller = context, .arc = INDEX_NONE}, 0);
}

/* Books the inclusive cost of an invocation with its context. */
static bool book(struct folding *f, uint32_t parent, const struct record *record, uint32_t *context)
{
    if (!contexts_child(f->contexts, parent, record->function, context))
        return false;
    struct context *c = &f->contexts->items[*context];
    count_add(&c->calls, 1);
    cost_add(&c->inclusive, record->inclusive);
    return true;
}

/* Reads the calls of a record and books the rest of its cost. */
static bool take_calls(struct folding *f, uint32_t context, cost_t inclusive)
{
    struct reader *reader = &f->reader;
    cost_t self = inclusive;
    for (uint32_t tag; is_call(tag = next_tag(reader)); reader->at -= entry_size(tag)) {
        cost_t cost = cost_of(reader, tag);
        if (__builtin_sub_overflow(self, cost, &self))
            self = cost < 0 ? INT64_MAX : INT64_MIN;
        uint32_t callee = is_replaced(tag) ? original_of(reader->at)
                                           : f->profile->arcs[number_of(reader->at, tag)].callee;
        if (!add_call(f, context, callee))
            return false;
    }
    cost_add(&f->contexts->items[context].self, self);
    return true;
}

/* A proxy with one call: if its caller is known, what it called belongs to the caller. */
static bool take_waiting(struct folding *f, const struct record *record, uint32_t caller)
{
    uint32_t context;
    if (!book(f, INDEX_NONE, record, &context))
        return false;
    cost_add(&f->contexts->items[context].self, record->inclusive);
    if (caller == INDEX_NONE)
        cost_add(&f->contexts->items[context].inclusive, record->call.cost);
    return add_call(f, caller == INDEX_NONE ? context : caller, call_target(&record->call));
}

static bool take_record(struct folding *f, const struct record *record)
{
    struct claim call;
    uint32_t context;
    if (!claims_take(&f->claims, record->function, &call))
        return false;
    if (record->waits)
        return take_waiting(f, record, call.caller);
    return book(f, call.caller, record, &context) && take_calls(f, context, record->inclusive);
}

static bool take_all(struct folding *f, struct records *records)
{
    struct record record;
    if (!records_read(records, &f->reader))
        return false;
    while (reader_next(&f->reader, &record)) {
        if (record.begins_run)
            claims_new_run(&f->claims);
        else if (!take_record(f, &record))
            return false;
    }
    return reader_is_well(&f->reader);
}

bool fold_records(struct records *records, const struct profile *profile, struct contexts *contexts)
{
    struct folding f = {.profile = profile, .contexts = contexts};
    bool done = claims_init(&f.claims, &records->spool, profile->function_count) && take_all(&f, records);
    claims_free(&f.claims);
    contexts_link(contexts);
    return done;
}
