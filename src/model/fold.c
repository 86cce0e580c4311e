#include "model/fold.h"

#include "model/records_reader.h"
#include "util/array.h"

#include <errno.h>
#include <stdlib.h>

/* Calls by a context that have no invocation yet. Those of one function form a stack. */
struct demand {
    uint64_t count;
    uint32_t context;
    uint32_t below; /* the earlier demand, of a record that ended later; of a free one, the next of these */
};

/* The newest demand of a function. */
struct demands_of {
    uint32_t newest; /* INDEX_NONE: there is none */
    uint64_t run;    /* `newest` is valid only in this run */
};

struct folding {
    const struct profile *profile;
    struct contexts *contexts;
    struct reader reader;
    struct demands_of *functions;
    struct demand *demands;
    size_t demand_count, demand_capacity;
    uint32_t free; /* the first of the demands that are not used, or INDEX_NONE */
    uint64_t run;
};

static uint32_t *newest_demand(struct folding *f, uint32_t function)
{
    struct demands_of *of = &f->functions[function];
    if (of->run != f->run)
        *of = (struct demands_of){INDEX_NONE, f->run};
    return &of->newest;
}

static bool new_demand(struct folding *f, uint32_t *number)
{
    *number = f->free;
    if (*number != INDEX_NONE) {
        f->free = f->demands[*number].below;
        return true;
    }
    errno = ENOMEM;
    if (f->demand_count >= INDEX_NONE || !array_reserve(&f->demands, &f->demand_capacity,
                                                        f->demand_count + 1, sizeof *f->demands))
        return false;
    *number = (uint32_t)f->demand_count++;
    return true;
}

/* A context waits for an invocation of `function`; for one without records, in vain. */
static bool demand(struct folding *f, uint32_t context, uint32_t function)
{
    uint32_t *newest = newest_demand(f, function), number;
    if ((f->profile->functions[function].flags & FUNCTION_HAS_RECORD) == 0)
        return true;
    if (*newest == INDEX_NONE || f->demands[*newest].context != context) {
        if (!new_demand(f, &number))
            return false;
        f->demands[number] = (struct demand){0, context, *newest};
        *newest = number;
    }
    f->demands[*newest].count++;
    return true;
}

/* The context whose call made the next invocation of `function`, or INDEX_NONE. */
static uint32_t claim(struct folding *f, uint32_t function)
{
    uint32_t *newest = newest_demand(f, function), number = *newest;
    if (number == INDEX_NONE)
        return INDEX_NONE;
    struct demand *d = &f->demands[number];
    if (--d->count == 0) {
        *newest = d->below;
        d->below = f->free;
        f->free = number;
    }
    return d->context;
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
    unsigned tag;
    while (next_tag(reader, &tag)) {
        if (!is_call(tag)) {
            cost_add(&f->contexts->items[context].self, self);
            return true;
        }
        cost_t cost = cost_of(reader, tag);
        if (__builtin_sub_overflow(self, cost, &self))
            self = cost < 0 ? INT64_MAX : INT64_MIN;
        uint32_t callee = (tag & KIND) == REPLACED
                              ? original_of(reader->at, tag)
                              : f->profile->arcs[number_of(reader->at, tag)].callee;
        if (!demand(f, context, callee))
            return false;
        reader->at = entry_start(reader->at, tag);
    }
    return false;
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
    return demand(f, caller == INDEX_NONE ? context : caller, record->call.callee);
}

static bool take_record(struct folding *f, const struct record *record)
{
    uint32_t caller = claim(f, record->function), context;
    if (record->waits)
        return take_waiting(f, record, caller);
    return book(f, caller, record, &context) && take_calls(f, context, record->inclusive);
}

static bool take_all(struct folding *f, struct records *records)
{
    struct record record;
    enum record_result result;
    if (!reader_begin(&f->reader, records))
        return false;
    while ((result = reader_next(&f->reader, &record)) != RECORD_NO_MORE) {
        if (result == RECORD_RUN_BEGINS) {
            f->run++;
            f->demand_count = 0;
            f->free = INDEX_NONE;
        } else if (result == RECORD_FAILED || !take_record(f, &record)) {
            return false;
        }
    }
    return true;
}

bool fold_records(struct records *records, const struct profile *profile, struct contexts *contexts)
{
    struct folding f = {.profile = profile, .contexts = contexts, .free = INDEX_NONE, .run = 1};
    f.functions = calloc(profile->function_count + 1, sizeof *f.functions);
    bool done = f.functions != NULL ? take_all(&f, records) : false;
    free(f.functions);
    free(f.demands);
    return done;
}
