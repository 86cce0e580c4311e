/* SPDX-License-Identifier: MIT */
/* How costs of single calls spread, and which cost most, of the dearest functions, in one reading and fixed memory. */
#ifndef CG2WG_MODEL_CALLS_H
#define CG2WG_MODEL_CALLS_H

#include "model/profile.h"

enum { CALLS_FUNCTIONS = 200, CALLS_SHOWN = 10, CALLERS_SHOWN = 40, CALLS_SMALL = 1024 };

/* Calls of a context that cost the same. */
struct single_call {
    cost_t self, inclusive;
    uint32_t context; /* where calls are shown: the first one of callers */
    uint32_t run;     /* from the last one on, which is 1; where calls are shown, from the first one on */
    uint64_t count;
    uint64_t number; /* of the first one, from the function's last call on; where calls are shown, from the first on */
};

struct call_costs {
    uint64_t count;
    cost_t costs[5]; /* the least, the median, what 90 % and 99 % do not exceed, and the most */
};

/* How many calls of a function there are that cost so much. */
struct cost_count {
    cost_t cost;
    uint32_t number; /* of the function's calls */
    uint64_t count;
};

struct single_calls {
    uint32_t *numbers; /* by function: of its calls, or NONE */
    struct function_calls {
        uint32_t function;
        struct call_costs costs;
        struct single_call shown[CALLS_SHOWN];
        size_t shown_count;
        cost_t least;                /* of a call that is shown, if others are not */
        uint64_t small[CALLS_SMALL]; /* how many cost 0, 1, 2 ... */
    } *functions;
    size_t count;
    SET(struct cost_count) spread;
    struct call_caller { /* of each call that is shown, the nearest ones, and after them NONE */
        uint32_t function, line;
    } *callers;
    size_t caller_count, caller_capacity;
    cost_t most_exact; /* costs above are rounded down to this times a power of two; 0: none are */
};

/* Chooses the functions, before calls are added. */
void single_calls_choose(struct single_calls *calls, const struct profile *profile);

/* Adds a call of the function with that number that is dear, or not small. */
void single_calls_keep(struct single_calls *calls, uint32_t number, const struct single_call *call);

HOT void single_calls_add(struct single_calls *calls, uint32_t function, const struct single_call *call)
{
    uint32_t number = calls->numbers[function];
    if (number == NONE)
        return;
    struct function_calls *f = &calls->functions[number];
    bool is_small = (uint64_t)call->inclusive < CALLS_SMALL;
    f->costs.count++;
    if (is_small)
        f->small[call->inclusive]++;
    if (!is_small || call->inclusive >= f->least)
        single_calls_keep(calls, number, call);
}

/* All calls have been added: sets how they spread. */
void single_calls_spread(struct single_calls *calls);

/* How costs spread that are sorted. */
struct call_costs call_costs_of(const struct cost_count *sorted, size_t count);

/* A cost of at most so many units, which are the least power of two, rounded towards 0. */
cost_t cost_rounded(cost_t cost, cost_t most);

#endif
