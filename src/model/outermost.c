#include "model/outermost.h"

#include "model/claims.h"
#include "util/array.h"

#include <errno.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* An open invocation: some of its calls do not yet have an invocation. */
struct path_frame {
    uint32_t function;
    uint32_t arc;      /* of the call that made it, or NONE */
    uint32_t parent;   /* the frame of its caller, or NONE; for a free frame: the next free one */
    uint32_t depth;    /* number of frames above it */
    uint32_t children; /* frames below it */
    uint32_t waiting;  /* entries in claims: functions whose invocations it waits for */
};

/* Data about a function. */
struct function_state {
    uint32_t active; /* its invocations on the current path */
    bool is_tracked; /* its invocations must be tied to calls */
};

/* The same about an arc, and its cost without what recursion counts twice. */
struct arc_state {
    cost_t cost;
    uint32_t callee;
    uint32_t active;
    bool is_within; /* a component */
};

struct replay {
    struct records *records;
    struct profile *profile;
    struct path_frame *frames;
    size_t frame_count, frame_capacity;
    uint32_t free_frame;  /* the first one that is not used, or NONE */
    struct claims claims; /* callers are frames */
    uint32_t *component_of; /* by function: see cycles_find */
    uint32_t cycle_count;
    uint32_t *path_ends; /* by component: the frame at the end of its current path, or NONE */
    struct function_state *functions;
    struct arc_state *arcs;
    struct reader reader;
    uint64_t taken;   /* records that were read so far */
    uint64_t returns; /* total returns to frames that the path had left */
};

static uint32_t depth_of(const struct replay *r, uint32_t frame)
{
    return frame == NONE ? 0 : r->frames[frame].depth + 1;
}

/* ---- the current path --------------------------------------------------------------------- */

static void activate(struct replay *r, uint32_t frame)
{
    const struct path_frame *f = &r->frames[frame];
    r->functions[f->function].active++;
    if (f->arc != NONE)
        r->arcs[f->arc].active++;
}

/* May it run inside itself? */
static bool is_in_cycle(const struct replay *r, uint32_t function)
{
    return r->component_of[function] < r->cycle_count;
}

/* The end of the path of a function's component. */
static uint32_t *path_of(const struct replay *r, uint32_t function)
{
    return &r->path_ends[r->component_of[function]];
}

/* Removes the last frame from a path, and frees it if nothing needs it any more. */
static void step_up(struct replay *r, uint32_t *path)
{
    uint32_t left = *path;
    struct path_frame *f = &r->frames[left];
    r->functions[f->function].active--;
    if (f->arc != NONE)
        r->arcs[f->arc].active--;
    *path = f->parent;
    if (f->waiting == 0 && f->children == 0) {
        if (f->parent != NONE)
            r->frames[f->parent].children--;
        f->parent = r->free_frame;
        r->free_frame = left;
    }
}

/*
 * Makes `frame` (or NONE) the end of a path. Along a call stack, it only moves upwards; otherwise it
 * may return to frames that it has left.
 */
static void go_to(struct replay *r, uint32_t *path, uint32_t frame)
{
    uint32_t common = frame;
    while (depth_of(r, *path) > depth_of(r, frame))
        step_up(r, path);
    while (depth_of(r, common) > depth_of(r, *path))
        common = r->frames[common].parent;
    while (*path != common) {
        step_up(r, path);
        common = r->frames[common].parent;
    }
    for (uint32_t f = frame; f != common; f = r->frames[f].parent, r->returns++)
        activate(r, f);
    *path = frame;
}

/* Would it take much longer than reading the records? Some returns are free. */
static bool returns_too_often(const struct replay *r)
{
    enum { RETURNS_OF_RECORD = 64, FREE_RETURNS = 10000000 };
    return r->returns > FREE_RETURNS + RETURNS_OF_RECORD * r->taken;
}

/* ---- calls that wait ---------------------------------------------------------------------- */

static bool new_frame(struct replay *r, uint32_t *number)
{
    *number = r->free_frame;
    if (*number != NONE) {
        r->free_frame = r->frames[*number].parent;
        return true;
    }
    errno = ENOMEM;
    if (r->frame_count >= NONE || !array_reserve(&r->frames, &r->frame_capacity, r->frame_count + 1,
                                                 sizeof *r->frames))
        return false;
    *number = (uint32_t)r->frame_count++;
    return true;
}

/* The frame waits for an invocation of `function`, by the reader's next entry, a call. */
static bool add_call(struct replay *r, uint32_t frame, uint32_t function, uint32_t tag)
{
    if (claims_caller(&r->claims, function) == frame)
        return true; /* a later call leads to this one */
    struct claim call = {.caller = frame, .arc = number_of(r->reader.at, tag)};
    r->frames[frame].waiting++;
    return claims_add(&r->claims, function, call,
                      linked_call(r->reader.at, tag, reader_position(&r->reader)));
}

/* Finds the call that made an invocation of `function`. */
static bool find_call(struct replay *r, uint32_t function, struct claim *call)
{
    if (!claims_take(&r->claims, function, call))
        return false;
    if (call->caller != NONE && call->is_last)
        r->frames[call->caller].waiting--;
    return true;
}

/*
 * Passes a claim on a proxy's invocation on to the invocation that it made by `call`, which now
 * belongs to the claiming call. It comes next among its function's, before all others. If it
 * belongs to another proxy that was stepped over, the claim is passed on again.
 */
static bool hand_on(struct replay *r, struct claim claim, const struct call *call)
{
    if (!r->functions[call_target(call)].is_tracked)
        return true;
    r->frames[claim.caller].waiting++;
    return claims_add(&r->claims, call_target(call), claim, 0);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Counts a call of the frame at the end of the path, unless it leads out of the component. */
static void count_call(struct replay *r, uint32_t arc, cost_t cost)
{
    struct arc_state *called = &r->arcs[arc];
    if (!called->is_within)
        return;
    if (called->active == 0)
        cost_add(&called->cost, cost);
    if (r->functions[called->callee].active == 0)
        cost_add(&r->profile->functions[called->callee].call_cost, cost);
}

/* Goes to the call that made an invocation of `function`; one from another component becomes none. */
static void go_to_caller(struct replay *r, uint32_t function, struct claim *call)
{
    uint32_t *own = path_of(r, function);
    if (call->caller != NONE) {
        uint32_t *callers = path_of(r, r->frames[call->caller].function);
        go_to(r, callers, call->caller);
        if (callers == own)
            return;
    }
    go_to(r, own, NONE);
    *call = (struct claim){.caller = NONE, .arc = NONE};
}

/* Makes an invocation, which `call` made, the end of its component's path. */
static bool open_frame(struct replay *r, uint32_t function, const struct claim *call, uint32_t *number)
{
    uint32_t *path = path_of(r, function), parent = call->caller;
    if (!new_frame(r, number))
        return false;
    r->frames[*number] = (struct path_frame){
        .function = function, .arc = call->arc, .parent = parent, .depth = depth_of(r, parent)};
    if (parent != NONE)
        r->frames[parent].children++;
    go_to(r, path, parent);
    activate(r, *number);
    *path = *number;
    return true;
}

/*
 * Counts the calls of a record, the last first, and waits for their invocations. The first call
 * that needs a frame opens it.
 */
static bool take_calls(struct replay *r, uint32_t function, const struct claim *made_by)
{
    struct reader *reader = &r->reader;
    uint32_t frame = NONE;
    for (uint32_t tag; is_call(tag = next_tag(reader)); reader->at -= entry_size(tag)) {
        uint32_t arc = number_of(reader->at, tag), callee = r->arcs[arc].callee;
        if (is_replaced(tag))
            callee = original_of(reader->at);
        if (!r->functions[callee].is_tracked)
            continue;
        if (frame == NONE && !open_frame(r, function, made_by, &frame))
            return false;
        count_call(r, arc, cost_of(reader, tag));
        if (!add_call(r, frame, callee, tag))
            return false;
    }
    return true;
}

/* Counts an invocation unless it runs inside another one of the function, besides this many. */
static void count_invocation(struct replay *r, uint32_t function, cost_t inclusive, uint32_t ignored)
{
    if (is_in_cycle(r, function) && r->functions[function].active == ignored)
        cost_add(&r->profile->functions[function].inclusive, inclusive);
}

static bool take_record(struct replay *r, uint32_t function, cost_t inclusive)
{
    struct claim made_by = {.caller = NONE, .arc = NONE};
    if (r->functions[function].is_tracked) {
        if (!find_call(r, function, &made_by))
            return false;
        go_to_caller(r, function, &made_by);
        count_invocation(r, function, inclusive, 0);
    }
    return take_calls(r, function, &made_by);
}

/*
 * A proxy's waiting record. If its caller is known, the proxy is stepped over: that caller's call made the
 * invocation that it called. The proxy's self cost is no longer part of the caller's cost, even if that is
 * an invocation of the same proxy. Without a caller, the record is like any other.
 */
static bool take_waiting(struct replay *r, uint32_t function, cost_t inclusive, const struct call *call)
{
    struct claim claim, made_by, made;
    if (!find_call(r, function, &claim))
        return false;
    made_by = claim;
    go_to_caller(r, function, &made_by);
    if (claim.caller != NONE) {
        bool is_own = made_by.caller != NONE && r->frames[made_by.caller].function == function;
        count_invocation(r, function, inclusive, is_own);
        return hand_on(r, claim, call);
    }

    cost_add(&inclusive, call->cost);
    count_invocation(r, function, inclusive, 0);
    made.arc = profile_find_arc(r->profile, function, call->callee, call->line);
    if (made.arc == NONE || !r->functions[call_target(call)].is_tracked)
        return true;
    if (!open_frame(r, function, &made_by, &made.caller))
        return false;
    count_call(r, made.arc, call->cost);
    return hand_on(r, made, call);
}

/* No record that was read so far called the following ones. */
static void begin_run(struct replay *r)
{
    for (size_t i = 0; i < r->frame_count; i++)
        go_to(r, path_of(r, r->frames[i].function), NONE);
    claims_new_run(&r->claims);
    r->frame_count = 0;
    r->free_frame = NONE;
}

/* Reads everything, or until there are too many returns. */
static bool take_all(struct replay *r)
{
    struct record record;
    while (!returns_too_often(r) && reader_next(&r->reader, &record)) {
        if (record.begins_run) {
            begin_run(r);
            continue;
        }
        r->taken++;
        if (!(record.waits ? take_waiting(r, record.function, record.inclusive, &record.call)
                           : take_record(r, record.function, record.inclusive)))
            return false;
    }
    return reader_is_well(&r->reader);
}

/* ---- what is to be replayed --------------------------------------------------------------- */

/*
 * Only functions in cycles, and calls within these, are counted again. Proxies that were stepped over may
 * pass on claims of such functions.
 */
static void prepare(struct replay *r)
{
    struct function *functions = r->profile->functions;
    for (uint32_t i = 0; i < r->profile->function_count; i++) {
        r->path_ends[i] = NONE;
        r->functions[i].is_tracked = is_in_cycle(r, i);
        if (is_in_cycle(r, i))
            functions[i].inclusive = functions[i].call_cost = 0;
    }
    for (size_t i = 0; i < r->records->link_count; i++) {
        uint32_t caller = r->records->links[i].caller;
        r->functions[caller].is_tracked |= (functions[caller].flags & FUNCTION_IS_PROXY) != 0;
    }
    for (size_t i = 0; i < r->profile->arc_count; i++) {
        const struct arc *arc = &r->profile->arcs[i];
        bool is_within = r->component_of[arc->caller] == r->component_of[arc->callee];
        r->arcs[i] = (struct arc_state){.callee = arc->callee, .is_within = is_within};
        if (!is_within && is_in_cycle(r, arc->callee))
            cost_add(&functions[arc->callee].call_cost, arc->cost);
    }
}

/* Replaces the costs of calls within cycles; or if it has taken too long, restores those of functions. */
static void finish(struct replay *r, bool is_done)
{
    if (!is_done)
        profile_complete(r->profile);
    for (size_t i = 0; is_done && i < r->profile->arc_count; i++)
        if (r->arcs[i].is_within)
            r->profile->arcs[i].cost = r->arcs[i].cost;
}

static bool replay(struct replay *r)
{
    size_t functions = r->profile->function_count;
    r->path_ends = malloc((functions + 1) * sizeof *r->path_ends);
    r->functions = calloc(functions + 1, sizeof *r->functions);
    r->arcs = malloc((r->profile->arc_count + 1) * sizeof *r->arcs);
    if (r->path_ends == NULL || r->functions == NULL || r->arcs == NULL ||
        !claims_init(&r->claims, &r->records->spool, functions) || !records_read(r->records, &r->reader))
        return false;
    prepare(r);
    return take_all(r);
}

bool outermost_apply(struct records *records, struct profile *profile, bool *is_done)
{
    struct replay r = {.records = records, .profile = profile, .free_frame = NONE};
    r.component_of = cycles_find(profile, records->links, records->link_count, &r.cycle_count);
    bool may_go_on = r.component_of != NULL && (r.cycle_count == 0 || replay(&r));
    *is_done = may_go_on && !returns_too_often(&r);
    if (may_go_on && r.cycle_count > 0)
        finish(&r, *is_done);
    free(r.frames);
    claims_free(&r.claims);
    free(r.component_of);
    free(r.path_ends);
    free(r.functions);
    free(r.arcs);
    return may_go_on;
}
