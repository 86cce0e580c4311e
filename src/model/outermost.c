#include "model/recursion.h"

/* An open invocation: some of its calls do not yet have an invocation. */
struct path_frame {
    uint32_t function;
    uint32_t arc;    /* of the call that made it, or NONE */
    uint32_t parent; /* the frame of its caller, or NONE; for a free frame: the next free one */
    uint32_t depth;  /* number of frames above it */
    size_t users;    /* its calls that wait, and frames below it */
};

struct function_state {
    uint32_t active; /* its invocations on the current path */
    bool is_tracked; /* its invocations must be tied to calls */
};

struct arc_state {
    cost_t cost;     /* without what recursion counts twice */
    uint32_t active; /* calls on the current path */
    bool is_within;  /* a component */
};

struct replay {
    struct profile *profile;
    struct reader reader; /* callers are frames */
    struct path_frame *frames;
    size_t frame_count, frame_capacity;
    uint32_t free_frame;    /* the first one that is not used, or NONE */
    uint32_t *component_of; /* by function: see cycles_find */
    uint32_t cycle_count;
    uint32_t *path_ends; /* by component: the frame at the end of its current path, or NONE */
    struct function_state *functions;
    struct arc_state *arcs;
    uint64_t returns; /* total returns to frames that the path had left */
};

/* ---- the current path --------------------------------------------------------------------- */

static uint32_t depth_of(const struct replay *r, uint32_t frame)
{
    return frame == NONE ? 0 : r->frames[frame].depth + 1;
}

/* The end of the path of a function's component. */
static uint32_t *path_of(const struct replay *r, uint32_t function)
{
    return &r->path_ends[r->component_of[function]];
}

/* It begins (1) to be on the current path, or ends (-1). */
static void activate(struct replay *r, const struct path_frame *frame, int by)
{
    r->functions[frame->function].active += (uint32_t)by;
    if (frame->arc != NONE)
        r->arcs[frame->arc].active += (uint32_t)by;
}

/*
 * Makes `frame` (or NONE) the end of a path. Along a call stack, it only moves upwards; otherwise it
 * may return to frames that it has left. Of those that it leaves, what nothing needs any more is freed.
 */
static void go_to(struct replay *r, uint32_t *path, uint32_t frame)
{
    uint32_t common = frame;
    while (depth_of(r, common) > depth_of(r, *path))
        common = r->frames[common].parent;
    while (*path != common) {
        uint32_t left = *path;
        struct path_frame *f = &r->frames[left];
        if (f->depth < depth_of(r, common))
            common = r->frames[common].parent;
        activate(r, f, -1);
        *path = f->parent;
        if (f->users > 0)
            continue;
        if (f->parent != NONE)
            r->frames[f->parent].users--;
        f->parent = r->free_frame;
        r->free_frame = left;
    }
    for (uint32_t f = frame; f != common; f = r->frames[f].parent, r->returns++)
        activate(r, &r->frames[f], 1);
    *path = frame;
}

/* Makes an invocation, which `made_by` made, the end of its component's path. Returns the number of its frame. */
static uint32_t open_frame(struct replay *r, uint32_t function, struct waiting_call made_by)
{
    uint32_t *path = path_of(r, function), parent = made_by.caller, number = r->free_frame;
    if (number != NONE) {
        r->free_frame = r->frames[number].parent;
    } else {
        if (r->frame_count == NONE)
            run_out_of_memory();
        array_reserve(&r->frames, &r->frame_capacity, r->frame_count + 1, sizeof *r->frames);
        number = (uint32_t)r->frame_count++;
    }
    struct path_frame *frame = &r->frames[number];
    *frame = (struct path_frame){
        .function = function, .arc = made_by.arc, .parent = parent, .depth = depth_of(r, parent)};
    if (parent != NONE)
        r->frames[parent].users++;
    go_to(r, path, parent);
    activate(r, frame, 1);
    *path = number;
    return number;
}

/* ---- records ------------------------------------------------------------------------------ */

/*
 * Counts the current call, which `function` made, if both ends are in one component, and waits for its
 * invocation. The first such call of an invocation, which `made_by` made, opens its frame.
 */
static void take_call(struct replay *r, uint32_t function, struct waiting_call made_by, uint32_t *frame)
{
    const struct entry *call = &r->reader.entry;
    uint32_t number = call->number;
    if (call->kind == ENTRY_WAITING)
        number = profile_find_arc(r->profile, function, call->number, call->line);
    if (number == NONE)
        return;
    if (*frame == NONE)
        *frame = open_frame(r, function, made_by);
    struct arc_state *arc = &r->arcs[number];
    uint32_t callee = r->profile->arcs[number].callee;
    if (arc->is_within && arc->active == 0)
        cost_add(&arc->cost, call->cost);
    if (arc->is_within && r->functions[callee].active == 0)
        cost_add(&r->profile->functions[callee].call_cost, call->cost);
    r->frames[*frame].users++;
    reader_wait(&r->reader, entry_target(call, r->profile),
                (struct waiting_call){*frame, arc->is_within ? number : NONE});
}

/*
 * Counts an invocation, unless it runs inside another one of its function, and takes its calls.
 *
 * A proxy's waiting record is stepped over if its caller is known: that caller's call made the invocation
 * that the proxy called, which comes next among its function's, before all others. (If that is another such
 * proxy, the claim is passed on again.) The proxy's self cost is no longer part of the caller's cost, even if
 * that is an invocation of the same proxy. Without a caller, the record is like any other.
 */
static void take_record(struct replay *r, uint32_t function, cost_t inclusive)
{
    const struct entry *call = &r->reader.entry;
    struct waiting_call claim = {NONE, NONE}, made_by = claim;
    uint32_t frame = NONE, caller = NONE; /* a function */
    if (r->functions[function].is_tracked)
        claim = reader_take_call(&r->reader, function);
    if (claim.caller != NONE) {
        caller = r->frames[claim.caller].function;
        r->frames[claim.caller].users--;
        go_to(r, path_of(r, caller), claim.caller);
    }
    if (caller != NONE && path_of(r, caller) == path_of(r, function))
        made_by = claim;
    else if (r->functions[function].is_tracked)
        go_to(r, path_of(r, function), NONE); /* it begins a path */
    bool waits = call->kind == ENTRY_WAITING, is_stepped_over = waits && caller != NONE;
    if (waits && !is_stepped_over)
        cost_add(&inclusive, call->cost);
    if (r->component_of[function] < r->cycle_count &&
        r->functions[function].active == (is_stepped_over && caller == function))
        cost_add(&r->profile->functions[function].inclusive, inclusive);
    for (; entry_is_call(call); reader_next(&r->reader)) {
        uint32_t target = entry_target(call, r->profile);
        if (!r->functions[target].is_tracked)
            continue;
        if (!is_stepped_over) {
            take_call(r, function, made_by, &frame);
            continue;
        }
        r->frames[claim.caller].users++;
        reader_wait(&r->reader, target, claim);
    }
}

/*
 * Only functions in cycles, and calls within these, are counted again. Proxies that were stepped over may
 * pass on claims of such functions.
 */
static void prepare(struct replay *r, const struct records *records)
{
    struct function *functions = r->profile->functions;
    for (uint32_t i = 0; i < r->profile->function_count; i++) {
        r->path_ends[i] = NONE;
        r->functions[i].is_tracked = r->component_of[i] < r->cycle_count;
        if (r->functions[i].is_tracked)
            functions[i].inclusive = functions[i].call_cost = 0;
    }
    for (size_t i = 0; i < r->profile->arc_count; i++) {
        const struct arc *arc = &r->profile->arcs[i];
        r->arcs[i].is_within = r->component_of[arc->caller] == r->component_of[arc->callee];
        if (!r->arcs[i].is_within && r->functions[arc->callee].is_tracked)
            cost_add(&functions[arc->callee].call_cost, arc->cost);
    }
    for (size_t i = 0; i < records->link_index.used; i++) {
        uint32_t caller = records->links[i].caller;
        r->functions[caller].is_tracked |= (functions[caller].flags & FUNCTION_IS_PROXY) != 0;
    }
}

bool outermost_apply(const struct records *records, struct profile *profile)
{
    enum { RETURNS_OF_RECORD = 64, FREE_RETURNS = 10000000 };
    struct replay r = {.profile = profile, .free_frame = NONE};
    uint64_t most = FREE_RETURNS; /* more returns would take much longer than reading the records */
    uint32_t function;
    cost_t inclusive;
    r.component_of = cycles_find(profile, records, &r.cycle_count);
    if (r.cycle_count == 0)
        return true;
    r.path_ends = memory_get((profile->function_count + 1) * sizeof *r.path_ends);
    r.functions = memory_zeroed(profile->function_count + 1, sizeof *r.functions);
    r.arcs = memory_zeroed(profile->arc_count + 1, sizeof *r.arcs);
    prepare(&r, records);
    reader_init(&r.reader, records, profile->function_count);
    for (size_t run = r.reader.run; r.returns <= most && reader_take_record(&r.reader, &function, &inclusive);) {
        if (r.reader.run != run) {
            for (size_t i = 0; i < r.frame_count; i++)
                go_to(&r, path_of(&r, r.frames[i].function), NONE);
            r.frame_count = 0;
            r.free_frame = NONE;
            run = r.reader.run;
        }
        take_record(&r, function, inclusive);
        most += RETURNS_OF_RECORD;
    }
    if (r.returns > most)
        profile_complete(profile); /* restores the costs of functions */
    for (size_t i = 0; r.returns <= most && i < profile->arc_count; i++)
        if (r.arcs[i].is_within)
            profile->arcs[i].cost = r.arcs[i].cost;
    reader_free(&r.reader);
    memory_free(r.frames);
    memory_free(r.component_of);
    memory_free(r.path_ends);
    memory_free(r.functions);
    memory_free(r.arcs);
    return r.returns <= most;
}
