/*
 * Calls that wait for the invocations that they made, while records are read backwards (records.h): a stack
 * for each function, with the call that was made last on top. Equal calls in succession are one entry.
 */
#ifndef CG2WG_MODEL_WAITS_H
#define CG2WG_MODEL_WAITS_H

#include "util/index.h"

/* Who called: a number that the user of the stacks chose, and an arc; NONE: unknown. */
struct waiting_call {
    uint32_t caller, arc;
};

struct waits {
    struct waits_stack *stacks; /* by function */
    struct waits_entry *entries;
    size_t count, capacity;
    uint32_t free; /* the first entry that is not used, or NONE */
    size_t run;
};

void waits_init(struct waits *waits, size_t function_count);
void waits_free(struct waits *waits);

/* A run begins: no call waits. */
void waits_new_run(struct waits *waits);

/* A call of `function` waits, on top. */
void waits_put(struct waits *waits, uint32_t function, struct waiting_call call);

/* Takes the call that made an invocation of `function`; both its members are NONE if none waits. */
struct waiting_call waits_take(struct waits *waits, uint32_t function);

#endif
