#include "model/recursion.h"

/* ---- cycles of the call graph -------------------------------------------------------------- */

/* What the search knows about a function. */
struct node {
    uint32_t next_call; /* the first of its calls that has not been followed, plus 1; 0: there is none */
    uint32_t order;     /* in which functions were reached, from 1; 0: not yet */
    uint32_t low;       /* the earliest function on the stack that can be reached */
    uint32_t caller;    /* from which it was reached, or NONE */
    uint32_t below;     /* on the stack: the function below it, or NONE */
    bool calls_itself;
};

/* Tarjan's search for strongly connected components, without recursion. */
struct cycle_search {
    struct node *nodes; /* by function */
    struct followed_call {
        uint32_t callee;
        uint32_t next; /* of the same caller, plus 1; or 0 */
    } *calls; /* arcs, then links: fewer than 2^32 */
    uint32_t *component; /* of each function; NONE: not yet known */
    uint32_t top;        /* of the stack, which holds functions that have no component yet; or NONE */
    uint32_t reached;
    uint32_t cycles, others; /* components so far; the others are numbered downwards */
};

static void reach(struct cycle_search *s, uint32_t function, uint32_t caller)
{
    struct node *node = &s->nodes[function];
    node->order = node->low = ++s->reached;
    node->caller = caller;
    node->below = s->top;
    s->top = function;
    s->component[function] = NONE;
}

/* Follows all calls from a function that has not been reached. */
static void search_from(struct cycle_search *s, uint32_t first)
{
    reach(s, first, NONE);
    for (uint32_t function = first; function != NONE;) {
        struct node *node = &s->nodes[function];
        if (node->next_call != 0) {
            const struct followed_call *call = &s->calls[node->next_call - 1];
            node->next_call = call->next;
            node->calls_itself |= call->callee == function;
            if (s->nodes[call->callee].order == 0) {
                reach(s, call->callee, function);
                function = call->callee;
            } else if (s->component[call->callee] == NONE && s->nodes[call->callee].order < node->low) {
                node->low = s->nodes[call->callee].order;
            }
            continue;
        }
        /* All its callees have been followed. If no earlier function can be reached, a component is complete. */
        if (node->caller != NONE && node->low < s->nodes[node->caller].low)
            s->nodes[node->caller].low = node->low;
        if (node->low == node->order) {
            uint32_t component = s->top != function || node->calls_itself ? s->cycles++ : --s->others;
            for (; s->top != node->below; s->top = s->nodes[s->top].below)
                s->component[s->top] = component;
        }
        function = node->caller;
    }
}

/*
 * Finds sets of functions that reach each other by calls. One of several functions, or of a function that calls
 * itself, is a cycle. Returns the component of each function: of cycles, numbers below *count; of others, larger ones,
 * below the number of functions. The graph is the profile's arcs and the links of `records`.
 */
static uint32_t *find_cycles(const struct profile *profile, const struct records *records, uint32_t *count)
{
    size_t functions = profile->function_count, arcs = profile->arc_count, calls = arcs + records->link_index.used;
    struct cycle_search s = {.nodes = memory_zeroed(functions + 1, sizeof *s.nodes),
                             .calls = memory_zeroed(calls + 1, sizeof *s.calls),
                             .component = memory_zeroed(functions + 1, sizeof *s.component),
                             .top = NONE,
                             .others = (uint32_t)functions};
    for (size_t i = calls; i-- > 0;) {
        struct link call = i < arcs ? (struct link){profile->arcs[i].caller, profile->arcs[i].callee}
                                    : records->links[i - arcs];
        uint32_t *first = &s.nodes[call.caller].next_call;
        s.calls[i] = (struct followed_call){call.callee, *first};
        *first = (uint32_t)i + 1;
    }
    for (uint32_t i = 0; i < functions; i++)
        if (s.nodes[i].order == 0)
            search_from(&s, i);
    memory_free(s.nodes);
    memory_free(s.calls);
    *count = s.cycles;
    return s.component;
}

/* ---- from sums ---------------------------------------------------------------------------- */

static cost_t smaller(cost_t a, cost_t b)
{
    return a < b ? a : b;
}

/*
 * The inclusive cost has three upper bounds: the function itself and all its calls of others; everything in the cycle
 * and below it; the cost of all calls of it by others, if the calls into the cycle account for all of the cycle (or
 * nobody called some function of it). Its lower bound is the function itself and its calls out of the cycle.
 */
void recursion_limit_cycles(struct profile *profile)
{
    struct known {
        cost_t leaving;  /* of a function: cost of its calls out of the cycle */
        cost_t within;   /* ... of its calls of other functions in the cycle */
        cost_t entering; /* ... of all calls of it by others */
    } *known = memory_zeroed(profile->function_count + 1, sizeof *known);
    struct cycle {
        cost_t total;    /* cost of its functions and everything that they call */
        cost_t entering; /* cost of calls into it from outside */
    } *cycles = memory_zeroed(profile->function_count + 1, sizeof *cycles);
    uint32_t count, *component = find_cycles(profile, &(struct records){.chunk = NULL}, &count);
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&cycles[component[i]].total, profile->functions[i].self);
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        bool is_within = component[arc->caller] == component[arc->callee];
        if (arc->caller == arc->callee)
            continue;
        cost_add(is_within ? &known[arc->caller].within : &known[arc->caller].leaving, arc->cost);
        cost_add(&known[arc->callee].entering, arc->cost);
        cost_add(&cycles[component[arc->caller]].total, is_within ? 0 : arc->cost);
        cost_add(&cycles[component[arc->callee]].entering, is_within ? 0 : arc->cost);
    }
    for (size_t i = 0; i < profile->function_count; i++) {
        struct function *f = &profile->functions[i];
        const struct cycle *cycle = &cycles[component[i]];
        if (component[i] >= count)
            continue;
        cost_t least = f->self;
        cost_add(&least, known[i].leaving);
        cost_t most = least;
        cost_add(&most, known[i].within);
        most = smaller(most, cycle->total);
        if (cycle->entering >= cycle->total)
            most = smaller(most, known[i].entering);
        f->inclusive = most > least ? most : least;
        f->call_cost = smaller(f->call_cost, f->inclusive);
    }
    /* A call costs at most as much as its callee, and as its caller. */
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct arc *arc = &profile->arcs[i];
        if (component[arc->caller] == component[arc->callee])
            arc->cost = smaller(arc->cost, smaller(profile->functions[arc->caller].inclusive,
                                                   profile->functions[arc->callee].inclusive));
    }
    memory_free(known);
    memory_free(cycles);
    memory_free(component);
}

/* ---- levels ------------------------------------------------------------------------------- */

/*
 * The name without the mark of a level: a quote and a number of at least 2, at the end or before another quote
 * (--separate-callers appends callers after quotes, too). NONE: it has none.
 */
static uint32_t find_first_name(struct names *names, uint32_t name)
{
    struct text text = names_text(names, name);
    for (const char *p = text.at; (p = memchr(p, '\'', (size_t)(text.end - p))) != NULL; p++) {
        struct text rest = {p + 1, text.end};
        uint64_t level;
        if (p > text.at && !text_starts(rest, "0") && text_take_number(&rest, &level, NULL) &&
            level >= 2 && (text_is_empty(rest) || *rest.at == '\''))
            return names_intern_parts(names, (struct text[]){{text.at, p}, rest}, 2);
    }
    return NONE;
}

/*
 * Makes deeper levels parts of their first, which have self costs and invocations only. An arc from a deeper level to
 * another may be a call inside another call of the same arc, as both ends are already running; so its cost is left out.
 */
void recursion_fold_levels(struct profile *profile)
{
    /* By function: its first level, if it is a deeper one; otherwise NONE. */
    uint32_t *first = memory_zeroed(profile->function_count + 1, sizeof *first);
    /* By name: the result of find_first_name. NAME_EMPTY: not yet known; no first name is empty. */
    uint32_t *first_names = memory_zeroed(profile->names.count, sizeof *first_names);
    bool any = false;
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t *name = &first_names[f->name];
        if (*name == NAME_EMPTY)
            *name = find_first_name(&profile->names, f->name);
        first[i] = *name == NONE ? NONE : profile_find_function(profile, (enum identity)f->identity, f->object,
                                                                f->file, *name);
        any |= first[i] != NONE;
    }
    memory_free(first_names);
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct arc *arc = &profile->arcs[i];
        if (first[arc->caller] != NONE && first[arc->callee] != NONE)
            arc->cost = 0;
    }
    for (uint32_t i = 0; i < profile->function_count; i++) {
        struct function *deeper = &profile->functions[i];
        if (first[i] == NONE)
            continue;
        while (first[first[i]] != NONE) /* A name may have two marks. Without one it is shorter, so this ends. */
            first[i] = first[first[i]];
        const struct function *f = &profile->functions[first[i]];
        *deeper = (struct function){.object = f->object,
                                    .file = f->file,
                                    .name = f->name,
                                    .identity = f->identity,
                                    .flags = deeper->flags & FUNCTION_HAS_RECORD,
                                    .self = deeper->self,
                                    .invocations = deeper->invocations};
    }
    if (any)
        profile_merge_same(profile, first);
    memory_free(first);
}

/*
 * ---- from records ---------------------------------------------------------------------------
 *
 * The log is read backwards (records.h), so that only the open invocations must be known: those whose calls have not
 * all met the invocations that they made. From one of them, a path of callers leads to the root; whatever is on the
 * path is active. If an invocation runs inside another one of its function, the functions between them call each other,
 * so that they are in one cycle of the call graph, and so are both ends of a call inside another one of its arc. Thus
 *
 * - sums are right for functions in no cycle and for arcs from one component to another;
 * - an invocation that was called from outside its component runs inside no function of it. If it did, the path to it
 *   would be a cycle through its caller. So each component has a path of its own, which such an invocation begins;
 * - only records of functions in cycles and calls of such functions matter, also calls from outside, because they
 *   claim invocations. A proxy that has waited is tied to its calls even if it is in no cycle, because these calls
 *   determine who claims the invocation that it made.
 */

/* An open invocation: some of its calls do not yet have an invocation. Frame 0 is above all others, and none itself. */
struct path_frame {
    uint32_t function;
    uint32_t arc;    /* of the call that made it, or NONE */
    uint32_t parent; /* the frame of its caller; for a free frame: the next free one, or 0 */
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
    uint32_t free_frame;    /* the first one that is not used, or 0 */
    uint32_t *component_of; /* by function: see find_cycles */
    uint32_t cycle_count;
    uint32_t *path_ends; /* by component: the frame at the end of its current path */
    struct function_state *functions;
    struct arc_state *arcs;
    uint64_t returns; /* total returns to frames that the path had left */
};

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
 * Makes `frame` the end of a path. Along a call stack, it only moves upwards; otherwise it may return to frames that it
 * has left. Of those that it leaves, what nothing needs any more is freed.
 */
static void go_to(struct replay *r, uint32_t *path, uint32_t frame)
{
    struct path_frame *frames = r->frames;
    uint32_t common = frame;
    while (frames[common].depth > frames[*path].depth)
        common = frames[common].parent;
    while (*path != common) {
        uint32_t left = *path;
        struct path_frame *f = &frames[left];
        if (f->depth <= frames[common].depth)
            common = frames[common].parent;
        activate(r, f, -1);
        *path = f->parent;
        if (f->users > 0)
            continue;
        frames[f->parent].users--;
        f->parent = r->free_frame;
        r->free_frame = left;
    }
    for (uint32_t f = frame; f != common; f = frames[f].parent, r->returns++)
        activate(r, &frames[f], 1);
    *path = frame;
}

/* Makes an invocation, which `made_by` made, the end of its component's path. Returns the number of its frame. */
static uint32_t open_frame(struct replay *r, uint32_t function, struct waiting_call made_by)
{
    uint32_t *path = path_of(r, function), parent = made_by.caller != NONE ? made_by.caller : 0, number = r->free_frame;
    struct path_frame frame = {function, made_by.arc, parent, .depth = r->frames[parent].depth + 1};
    r->frames[parent].users++;
    if (number != 0) {
        r->free_frame = r->frames[number].parent;
        r->frames[number] = frame;
    } else {
        number = (uint32_t)r->frame_count;
        if (number == NONE)
            run_out_of_memory();
        array_append(&r->frames, &r->frame_count, &r->frame_capacity, &frame, sizeof frame);
    }
    go_to(r, path, parent);
    activate(r, &frame, 1);
    *path = number;
    return number;
}

/*
 * Counts an invocation, unless it runs inside another one of its function, and those of its calls that have both ends
 * in one component. Its calls wait for the invocations that they made; the first such call opens its frame.
 *
 * A proxy's waiting record is stepped over if its caller is known: that caller's call made the invocation that the
 * proxy called, which comes next among its function's, before all others. (If that is another such proxy, the claim is
 * passed on again.) The proxy's self cost is no longer part of the caller's cost, even if that is an invocation of the
 * same proxy. Without a caller, the record is like any other.
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
        go_to(r, path_of(r, function), 0); /* it begins a path */
    bool waits = call->kind == ENTRY_WAITING, is_stepped_over = waits && caller != NONE;
    if (waits && !is_stepped_over)
        cost_add(&inclusive, call->cost);
    if (r->component_of[function] < r->cycle_count &&
        r->functions[function].active == (is_stepped_over && caller == function))
        cost_add(&r->profile->functions[function].inclusive, inclusive);
    for (; entry_is_call(call); reader_next(&r->reader)) {
        uint32_t target = entry_target(call, r->profile), number = call->number;
        if (!r->functions[target].is_tracked)
            continue;
        struct waiting_call waiting = claim;
        if (waits && !is_stepped_over)
            number = profile_find_arc(r->profile, function, number, call->line);
        if (!is_stepped_over && number == NONE)
            continue;
        if (!is_stepped_over) {
            struct arc_state *arc = &r->arcs[number];
            uint32_t callee = r->profile->arcs[number].callee;
            if (frame == NONE)
                frame = open_frame(r, function, made_by);
            if (arc->is_within && arc->active == 0)
                cost_add(&arc->cost, call->cost);
            if (arc->is_within && r->functions[callee].active == 0)
                cost_add(&r->profile->functions[callee].call_cost, call->cost);
            waiting = (struct waiting_call){frame, arc->is_within ? number : NONE};
        }
        r->frames[waiting.caller].users++;
        reader_wait(&r->reader, target, waiting);
    }
}

/* Only functions in cycles, and calls within these, are counted again. */
bool outermost_apply(const struct records *records, struct profile *profile)
{
    enum { RETURNS_OF_RECORD = 64, FREE_RETURNS = 10000000 };
    struct function *functions = profile->functions;
    struct replay r = {.profile = profile};
    uint64_t most = FREE_RETURNS; /* more returns would take much longer than reading the records */
    uint32_t function;
    cost_t inclusive;
    r.component_of = find_cycles(profile, records, &r.cycle_count);
    if (r.cycle_count == 0)
        return true;
    r.path_ends = memory_zeroed(profile->function_count + 1, sizeof *r.path_ends);
    r.functions = memory_zeroed(profile->function_count + 1, sizeof *r.functions);
    r.arcs = memory_zeroed(profile->arc_count + 1, sizeof *r.arcs);
    for (uint32_t i = 0; i < profile->function_count; i++) {
        r.functions[i].is_tracked = r.component_of[i] < r.cycle_count;
        if (r.functions[i].is_tracked)
            functions[i].inclusive = functions[i].call_cost = 0;
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        r.arcs[i].is_within = r.component_of[arc->caller] == r.component_of[arc->callee];
        if (!r.arcs[i].is_within && r.functions[arc->callee].is_tracked)
            cost_add(&functions[arc->callee].call_cost, arc->cost);
    }
    for (size_t i = 0; i < records->link_index.used; i++) { /* proxies that pass on claims of such functions */
        uint32_t caller = records->links[i].caller;
        r.functions[caller].is_tracked |= (functions[caller].flags & FUNCTION_IS_PROXY) != 0;
    }
    array_append(&r.frames, &r.frame_count, &r.frame_capacity, &(struct path_frame){.arc = NONE}, sizeof *r.frames);
    reader_init(&r.reader, records, profile->function_count);
    for (size_t run = r.reader.run; r.returns <= most && reader_take_record(&r.reader, &function, &inclusive);) {
        if (r.reader.run != run) {
            for (size_t i = 1; i < r.frame_count; i++)
                go_to(&r, path_of(&r, r.frames[i].function), 0);
            run = r.reader.run;
            r.frame_count = 1;
            r.free_frame = 0;
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
