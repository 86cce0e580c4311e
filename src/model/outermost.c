#include "model/outermost.h"

#include "util/array.h"

#include <errno.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* What the spool is made of: the calls of a record, then the record. */
struct spooled_call {
    cost_t cost;
    uint32_t arc;    /* NONE: it waits */
    uint32_t callee; /* whom it called, with IS_REPLACED if it is entered as another's call */
};

#define IS_REPLACED (UINT32_C(1) << 31)

/* Behind the one call of a proxy's record that waits: what it is if nobody claims it. */
struct spooled_waiting {
    uint32_t callee, line;
};

struct spooled_record {
    cost_t inclusive; /* without the call that waits */
    uint64_t call_count;
    uint32_t function; /* NONE: a run ends here */
    uint32_t waits;
};

static bool no_memory(void)
{
    errno = ENOMEM;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------ */

bool outermost_init(struct outermost *o)
{
    *o = (struct outermost){.call_count = 0};
    return spool_init(&o->spool) || no_memory();
}

void outermost_free(struct outermost *o)
{
    spool_free(&o->spool);
    *o = (struct outermost){.call_count = 0};
}

bool outermost_call(struct outermost *o, uint32_t arc, cost_t cost, uint32_t callee,
                    bool is_replaced)
{
    struct spooled_call call = {cost, arc, callee | (is_replaced ? IS_REPLACED : 0)};
    cost_add(&o->inclusive, cost);
    o->call_count++;
    return spool_append(&o->spool, &call, sizeof call);
}

bool outermost_wait(struct outermost *o, uint32_t callee, bool is_replaced, uint32_t final,
                    uint32_t line, cost_t cost)
{
    struct spooled_call call = {cost, NONE, callee | (is_replaced ? IS_REPLACED : 0)};
    struct spooled_waiting waiting = {final, line};
    o->call_count = 1;
    o->waits = true;
    return spool_append(&o->spool, &call, sizeof call) &&
           spool_append(&o->spool, &waiting, sizeof waiting);
}

void outermost_drop_record(struct outermost *o)
{
    spool_truncate(&o->spool, o->spool.size - o->call_count * sizeof(struct spooled_call));
    o->inclusive = 0;
    o->call_count = 0;
}

static bool append_record(struct outermost *o, uint32_t function)
{
    struct spooled_record record = {o->inclusive, o->call_count, function, o->waits};
    o->inclusive = 0;
    o->call_count = 0;
    o->waits = false;
    return spool_append(&o->spool, &record, sizeof record);
}

bool outermost_end_record(struct outermost *o, uint32_t function)
{
    return append_record(o, function);
}

bool outermost_new_run(struct outermost *o)
{
    return append_record(o, NONE);
}

/* ---- reading backwards -------------------------------------------------------------------- */

/* An invocation that is open: some of its calls are not yet answered by an invocation. */
struct context {
    uint64_t calls_start; /* in the spool */
    uint64_t calls_end;   /* ... behind the last call that has not been looked at */
    uint64_t since;     /* when it was opened */
    uint64_t waiting;   /* unanswered calls */
    uint32_t function;
    uint32_t arc;      /* of the call that made it, or NONE */
    uint32_t parent;   /* the context of its caller, or NONE; of a free one: the next free one */
    uint32_t depth;    /* number of contexts above it */
    uint32_t children; /* contexts below it */
};

/*
 * Calls of one function that a context waits for. Those of a function form a stack, the latest on
 * top. To find one in it, each also knows one further below: the distances grow so that the way takes
 * steps by the logarithm of the height (E. W. Myers, An applicative random-access stack, 1983).
 */
struct demand {
    uint64_t count;
    uint64_t since; /* when its context was opened, or it was handed on */
    uint32_t context;
    uint32_t below; /* the demand made before, by a context that returned later; or NONE */
    uint32_t jump;  /* one further below; at the bottom, itself */
    uint32_t height;
    uint32_t first_passed, last_passed; /* calls that were looked at too early, or NONE */
};

struct passed_call {
    uint32_t arc;
    uint32_t next;
    bool is_replaced;
};

/* The call that made an invocation. */
struct claim {
    uint32_t caller; /* a context, or NONE: nobody made it */
    uint32_t arc;
    bool is_replaced; /* it was one of a proxy, and is entered as the call that the proxy made */
};

/* Numbers for what comes and goes, in an array that is only as long as it has to be. */
struct pool {
    size_t count, capacity;
    uint32_t free; /* the first of a list, or NONE */
};

struct function_state {
    uint32_t newest; /* demand, or NONE */
    uint32_t active; /* invocations on the current path */
    uint64_t run;    /* `newest` holds for this run only */
};

struct replay {
    struct outermost *o;
    struct profile *profile;
    struct context *contexts;
    struct pool context_pool;
    struct demand *demands;
    struct pool demand_pool;
    struct passed_call *passed;
    struct pool passed_pool;
    struct function_state *functions;
    uint32_t *arc_active;
    uint32_t current; /* the context at the end of the current path, or NONE */
    uint64_t run;
    uint64_t now; /* goes on with each context that is opened and each demand that is handed on */
};

static uint32_t *newest_demand(struct replay *r, uint32_t function)
{
    struct function_state *f = &r->functions[function];
    if (f->run != r->run)
        *f = (struct function_state){.newest = NONE, .active = f->active, .run = r->run};
    return &f->newest;
}

static uint32_t depth_of(const struct replay *r, uint32_t context)
{
    return context == NONE ? 0 : r->contexts[context].depth + 1;
}

/* ---- the current path --------------------------------------------------------------------- */

static void activate(struct replay *r, uint32_t context)
{
    const struct context *c = &r->contexts[context];
    r->functions[c->function].active++;
    if (c->arc != NONE)
        r->arc_active[c->arc]++;
}

/* Shortens the path by its last context, which goes if nothing needs it any more. */
static void step_up(struct replay *r)
{
    uint32_t left = r->current;
    struct context *c = &r->contexts[left];
    r->functions[c->function].active--;
    if (c->arc != NONE)
        r->arc_active[c->arc]--;
    r->current = c->parent;
    if (c->waiting == 0 && c->children == 0) {
        if (c->parent != NONE)
            r->contexts[c->parent].children--;
        c->parent = r->context_pool.free;
        r->context_pool.free = left;
    }
}

/* Makes `context` (or NONE) the end of the path. Along a call stack that is only ever upwards. */
static void go_to(struct replay *r, uint32_t context)
{
    uint32_t common = context;
    while (depth_of(r, r->current) > depth_of(r, context))
        step_up(r);
    while (depth_of(r, common) > depth_of(r, r->current))
        common = r->contexts[common].parent;
    while (r->current != common) {
        step_up(r);
        common = r->contexts[common].parent;
    }
    for (uint32_t c = context; c != common; c = r->contexts[c].parent)
        activate(r, c);
    r->current = context;
}

/* ---- demands ------------------------------------------------------------------------------ */

static bool new_context(struct replay *r, struct context context, uint32_t *number)
{
    struct pool *pool = &r->context_pool;
    if (pool->free != NONE) {
        *number = pool->free;
        pool->free = r->contexts[*number].parent;
    } else {
        if (pool->count >= NONE || !array_reserve(&r->contexts, &pool->capacity, pool->count + 1,
                                                  sizeof *r->contexts))
            return no_memory();
        *number = (uint32_t)pool->count++;
    }
    r->contexts[*number] = context;
    return true;
}

static bool new_demand(struct replay *r, uint32_t *number)
{
    struct pool *pool = &r->demand_pool;
    if (pool->free != NONE) {
        *number = pool->free;
        pool->free = r->demands[*number].below;
        return true;
    }
    if (pool->count >= NONE ||
        !array_reserve(&r->demands, &pool->capacity, pool->count + 1, sizeof *r->demands))
        return no_memory();
    *number = (uint32_t)pool->count++;
    return true;
}

/* Where a demand above `below` jumps to: two jumps of one length become one. */
static uint32_t jump_from_above(const struct replay *r, uint32_t below)
{
    const struct demand *next = &r->demands[below], *far = &r->demands[next->jump];
    uint32_t first = next->height - far->height;
    uint32_t second = far->height - r->demands[far->jump].height;
    return first == second ? far->jump : below;
}

/* Puts a demand on top of a stack. */
static bool push_demand(struct replay *r, struct demand fresh, uint32_t *newest)
{
    uint32_t number, below = *newest;
    if (!new_demand(r, &number))
        return false;
    fresh.below = below;
    fresh.jump = below == NONE ? number : jump_from_above(r, below);
    fresh.height = below == NONE ? 0 : r->demands[below].height + 1;
    r->demands[number] = fresh;
    *newest = number;
    return true;
}

/* The demand of that time in the stack below `number`, or NONE. */
static uint32_t find_demand(const struct replay *r, uint32_t number, uint64_t since)
{
    while (number != NONE && r->demands[number].since > since) {
        uint32_t jump = r->demands[number].jump;
        bool is_short = jump == number || r->demands[jump].since < since;
        number = is_short ? r->demands[number].below : jump;
    }
    return number != NONE && r->demands[number].since == since ? number : NONE;
}

/* The context waits for one more invocation of `function`. */
static bool demand(struct replay *r, uint32_t context, uint32_t function)
{
    uint32_t *newest = newest_demand(r, function);
    uint64_t since = r->contexts[context].since;
    r->contexts[context].waiting++;
    if (*newest == NONE || r->demands[*newest].since != since) {
        struct demand fresh = {.since = since,
                               .context = context,
                               .first_passed = NONE,
                               .last_passed = NONE};
        if (!push_demand(r, fresh, newest))
            return false;
    }
    r->demands[*newest].count++;
    return true;
}

static bool new_passed(struct replay *r, struct passed_call call, uint32_t *place)
{
    struct pool *pool = &r->passed_pool;
    *place = pool->free;
    if (*place != NONE) {
        pool->free = r->passed[*place].next;
    } else {
        if (pool->count >= NONE ||
            !array_reserve(&r->passed, &pool->capacity, pool->count + 1, sizeof *r->passed))
            return no_memory();
        *place = (uint32_t)pool->count++;
    }
    r->passed[*place] = call;
    return true;
}

/* Keeps a call that was looked at while another function's was wanted. */
static bool pass_over(struct replay *r, uint32_t context, const struct spooled_call *call)
{
    uint32_t newest = *newest_demand(r, call->callee & ~IS_REPLACED), place;
    uint32_t number = find_demand(r, newest, r->contexts[context].since);
    if (number == NONE)
        return true; /* the callee has no records: nothing waits for it */

    struct passed_call passed = {call->arc, NONE, (call->callee & IS_REPLACED) != 0};
    if (!new_passed(r, passed, &place))
        return false;
    struct demand *d = &r->demands[number];
    if (d->first_passed == NONE)
        d->first_passed = place;
    else
        r->passed[d->last_passed].next = place;
    d->last_passed = place;
    return true;
}

/* Looks at a context's calls, the last first, up to one of `function`, of which there is one. */
static bool find_call(struct replay *r, uint32_t context, uint32_t function, struct claim *claim)
{
    while (r->contexts[context].calls_end > r->contexts[context].calls_start) {
        struct spooled_call call;
        uint64_t *end = &r->contexts[context].calls_end;
        *end -= sizeof call;
        if (!spool_read(&r->o->spool, *end, &call, sizeof call))
            return false;
        if ((call.callee & ~IS_REPLACED) == function) {
            *claim = (struct claim){context, call.arc, (call.callee & IS_REPLACED) != 0};
            return true;
        }
        if (!pass_over(r, context, &call))
            return false;
    }
    return true;
}

/* Finds the call that made an invocation of `function`. */
static bool find_claim(struct replay *r, uint32_t function, struct claim *claim)
{
    uint32_t *newest = newest_demand(r, function);
    uint32_t number = *newest;
    *claim = (struct claim){.caller = NONE, .arc = NONE};
    if (number == NONE || r->demands == NULL)
        return true;

    struct demand *d = &r->demands[number];
    uint32_t caller = d->context;
    if (d->first_passed != NONE) {
        uint32_t place = d->first_passed;
        *claim = (struct claim){caller, r->passed[place].arc, r->passed[place].is_replaced};
        d->first_passed = r->passed[place].next;
        r->passed[place].next = r->passed_pool.free;
        r->passed_pool.free = place;
    } else if (!find_call(r, caller, function, claim)) {
        return false;
    }
    r->contexts[caller].waiting--;
    d = &r->demands[number];
    if (--d->count == 0) {
        *newest = d->below;
        d->below = r->demand_pool.free;
        r->demand_pool.free = number;
    }
    return true;
}

static bool has_records(const struct replay *r, uint32_t function)
{
    return (r->profile->functions[function].flags & FUNCTION_HAS_RECORD) != 0;
}

/*
 * Hands a claim on a proxy's invocation on to the one that it made by `call`: that is made by the
 * claiming call. It comes next of its function, before all that is waited for so far. If it is a
 * proxy in turn that was stepped over, the claim goes further.
 */
static bool hand_on(struct replay *r, const struct claim *claim, const struct spooled_call *call)
{
    uint32_t callee = call->callee & ~IS_REPLACED, place, *newest = newest_demand(r, callee);
    struct passed_call passed = {claim->arc, NONE, (call->callee & IS_REPLACED) != 0};
    if (!has_records(r, callee))
        return true;
    if (!new_passed(r, passed, &place))
        return false;
    struct demand fresh = {.count = 1,
                           .since = ++r->now,
                           .context = claim->caller,
                           .first_passed = place,
                           .last_passed = place};
    r->contexts[claim->caller].waiting++;
    return push_demand(r, fresh, newest);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Counts a call of the context at the end of the path. */
static void count_call(struct replay *r, uint32_t arc, cost_t cost)
{
    struct arc *called = &r->profile->arcs[arc];
    if (r->arc_active[arc] == 0)
        cost_add(&called->cost, cost);
    if (r->functions[called->callee].active == 0)
        cost_add(&r->profile->functions[called->callee].call_cost, cost);
}

/* Counts all of them, and waits for what they called. */
static bool take_calls(struct replay *r, uint32_t context, uint64_t count)
{
    uint64_t at = r->contexts[context].calls_end;
    for (uint64_t i = 0; i < count; i++) {
        struct spooled_call call;
        at -= sizeof call;
        if (!spool_read(&r->o->spool, at, &call, sizeof call))
            return false;
        count_call(r, call.arc, call.cost);
        uint32_t callee = call.callee & ~IS_REPLACED;
        if (has_records(r, callee) && !demand(r, context, callee))
            return false;
    }
    return true;
}

/* Makes an invocation the end of the path. */
static bool open_context(struct replay *r, uint32_t function, const struct claim *claim,
                         uint64_t calls_end, uint64_t call_count, uint32_t *number)
{
    struct context context = {.calls_start = calls_end - call_count * sizeof(struct spooled_call),
                              .calls_end = calls_end,
                              .since = ++r->now,
                              .function = function,
                              .arc = claim->arc,
                              .parent = claim->caller,
                              .depth = depth_of(r, claim->caller)};
    if (!new_context(r, context, number))
        return false;
    if (claim->caller != NONE)
        r->contexts[claim->caller].children++;
    activate(r, *number);
    r->current = *number;
    return true;
}

static void count_invocation(struct replay *r, uint32_t function, cost_t inclusive)
{
    if (r->functions[function].active == 0)
        cost_add(&r->profile->functions[function].inclusive, inclusive);
}

static bool take_record(struct replay *r, const struct spooled_record *record, uint64_t calls_end)
{
    struct claim claim;
    uint32_t number;
    if (!find_claim(r, record->function, &claim))
        return false;
    go_to(r, claim.caller);
    count_invocation(r, record->function, record->inclusive);
    return record->call_count == 0 ||
           (open_context(r, record->function, &claim, calls_end, record->call_count,
                         &number) &&
            take_calls(r, number, record->call_count));
}

/*
 * The same for one of the caller at the end of the path that was stepped over: of that one's cost it
 * is no part any more, but of what calls of it cost it is.
 */
static void count_apart(struct replay *r, uint32_t function, cost_t inclusive)
{
    uint32_t active = r->functions[function].active;
    if (active == (r->contexts[r->current].function == function))
        cost_add(&r->profile->functions[function].inclusive, inclusive);
}

/*
 * A proxy's record that waits. If the call that made it was replaced, the proxy is stepped over: it
 * stands apart, and what it called was made by that call. If not, it is like any other.
 */
static bool take_waiting(struct replay *r, const struct spooled_record *record, uint64_t end)
{
    struct spooled_waiting waiting;
    struct spooled_call call;
    struct claim claim;
    uint32_t number;
    if (!spool_read(&r->o->spool, end - sizeof waiting, &waiting, sizeof waiting) ||
        !spool_read(&r->o->spool, end - sizeof waiting - sizeof call, &call, sizeof call) ||
        !find_claim(r, record->function, &claim))
        return false;
    if (claim.is_replaced) {
        go_to(r, claim.caller);
        count_apart(r, record->function, record->inclusive);
        return hand_on(r, &claim, &call);
    }

    struct claim made;
    go_to(r, claim.caller);
    cost_t inclusive = record->inclusive;
    cost_add(&inclusive, call.cost);
    count_invocation(r, record->function, inclusive);
    made.arc = profile_find_arc(r->profile, record->function, waiting.callee, waiting.line);
    if (made.arc == NONE)
        return true;
    if (!open_context(r, record->function, &claim, 0, 0, &number))
        return false;
    made.caller = number;
    count_call(r, made.arc, call.cost);
    return hand_on(r, &made, &call);
}

/* Nothing that was read so far has called what comes now. */
static void begin_run(struct replay *r)
{
    go_to(r, NONE);
    r->run++;
    r->context_pool = (struct pool){0, r->context_pool.capacity, NONE};
    r->demand_pool = (struct pool){0, r->demand_pool.capacity, NONE};
    r->passed_pool = (struct pool){0, r->passed_pool.capacity, NONE};
}

static bool take_all(struct replay *r)
{
    uint64_t end = r->o->spool.size;
    while (end > 0) {
        struct spooled_record record;
        end -= sizeof record;
        if (!spool_read(&r->o->spool, end, &record, sizeof record))
            return false;
        if (record.function == NONE)
            begin_run(r);
        else if (!(record.waits ? take_waiting(r, &record, end) : take_record(r, &record, end)))
            return false;
        end -= record.call_count * sizeof(struct spooled_call);
        if (record.waits)
            end -= sizeof(struct spooled_waiting);
    }
    return true;
}

/* ---- results ------------------------------------------------------------------------------ */

/* The sums that are worked out anew. */
static void clear_sums(struct profile *profile)
{
    for (size_t i = 0; i < profile->function_count; i++)
        profile->functions[i].inclusive = profile->functions[i].call_cost = 0;
    for (size_t i = 0; i < profile->arc_count; i++)
        profile->arcs[i].cost = 0;
}

/* Nothing but its calls tells what a function without a record costs. */
static void complete_sums(struct replay *r)
{
    for (uint32_t i = 0; i < r->profile->function_count; i++)
        if (!has_records(r, i))
            r->profile->functions[i].inclusive = r->profile->functions[i].call_cost;
}

static void replay_free(struct replay *r)
{
    free(r->contexts);
    free(r->demands);
    free(r->passed);
    free(r->functions);
    free(r->arc_active);
}

bool outermost_apply(struct outermost *o, struct profile *profile)
{
    size_t functions = profile->function_count + 1, arcs = profile->arc_count + 1;
    struct replay r = {.o = o,
                       .profile = profile,
                       .context_pool.free = NONE,
                       .demand_pool.free = NONE,
                       .passed_pool.free = NONE,
                       .functions = calloc(functions, sizeof *r.functions),
                       .arc_active = calloc(arcs, sizeof *r.arc_active),
                       .current = NONE,
                       .run = 1};
    clear_sums(profile);
    bool done = r.functions != NULL && r.arc_active != NULL ? take_all(&r) : no_memory();
    if (done)
        complete_sums(&r);
    replay_free(&r);
    return done;
}
