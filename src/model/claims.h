/*
 * Finds the calls that made invocations, while records are read backwards (records.h). Calls that have no
 * invocation yet form a stack for each function, the latest on top. All calls of a function by one caller
 * take one entry.
 */
#ifndef CG2WG_MODEL_CLAIMS_H
#define CG2WG_MODEL_CLAIMS_H

#include "model/records_reader.h"

/* The call that made an invocation. */
struct claim {
    uint32_t caller; /* a number that the user of the stacks chose; INDEX_NONE: unknown */
    uint32_t arc;    /* INDEX_NONE: not given */
    bool is_last;    /* its entry is gone: no other call of this function by the caller waits there */
};

struct claims {
    struct spool *spool; /* of the records; borrowed */
    struct waiting_list *lists; /* by function */
    struct waiting_calls *entries;
    size_t count, capacity;
    uint32_t free; /* the first entry that is not used, or INDEX_NONE */
    uint64_t run;
};

/* These return false, with errno, if memory or the temporary file fails. */

bool claims_init(struct claims *claims, struct spool *spool, size_t function_count);
void claims_free(struct claims *claims);

/* No call that was read so far made the following invocations. */
void claims_new_run(struct claims *claims);

/*
 * A call of `function` waits, and so do those that it is linked to: `linked` is linked_call's result.
 * It makes an entry of its own, unless its arc is not given: then calls by one caller are counted.
 */
bool claims_add(struct claims *claims, uint32_t function, struct claim call, uint64_t linked);

/* The caller on top of the function's stack, or INDEX_NONE. */
uint32_t claims_caller(struct claims *claims, uint32_t function);

/* Takes the call that made an invocation of `function`. Its caller is INDEX_NONE if none waits. */
bool claims_take(struct claims *claims, uint32_t function, struct claim *call);

#endif
