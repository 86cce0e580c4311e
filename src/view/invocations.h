/* Each invocation of each function, which only version 4 of the format has, as JSON shows it. */
#ifndef CG2WG_VIEW_INVOCATIONS_H
#define CG2WG_VIEW_INVOCATIONS_H

#include "view/shown.h"

struct invocation_record {
    int64_t self, inclusive;
    uint32_t caller, caller_invocation, caller_line; /* a function or NONE, its invocation */
    int64_t caller_cost;
    uint32_t first_call, call_count;
};

struct invocation_call {
    uint32_t function, invocation, line;
    int64_t cost;
};

/* Invocations are numbered within their function. */
struct invocations {
    struct invocation_record *records;
    uint32_t *first; /* record of each function; and the number of all */
    struct invocation_call *calls;
    int64_t *call_costs; /* of all calls into a function */
};

/*
 * Lists them from the tree or, without one, one for each function of sums, with all its calls; it then has a
 * caller only if there is exactly one, and the line is that of the first call. A preprocessed file contains them.
 */
void invocations_init(struct invocations *invocations, const struct shown *shown, const struct arc_lists *lists);

#endif
