/*
 * The profile model: what every front end fills and every writer reads. Functions, the call arcs
 * between them, and header lines; costs of one event. It knows no file format and does no I/O.
 */
#ifndef CG2WG_MODEL_PROFILE_H
#define CG2WG_MODEL_PROFILE_H

#include "util/index.h"
#include "util/names.h"

/* A sum of costs. Exact; a sum beyond 64 bits stays at the nearest value that fits. */
typedef int64_t cost_t;

static inline void cost_add(cost_t *sum, cost_t amount)
{
    if (__builtin_add_overflow(*sum, amount, sum))
        *sum = amount < 0 ? INT64_MIN : INT64_MAX;
}

static inline void count_add(uint64_t *sum, uint64_t amount)
{
    if (__builtin_add_overflow(*sum, amount, sum))
        *sum = UINT64_MAX;
}

enum function_flags {
    FUNCTION_HAS_RECORD = 1, /* it has a record of its own, so its self cost is known */
    FUNCTION_HAS_LINE = 2,   /* `line` is that of a cost line */
    FUNCTION_LINE_IS_OWN = 4, /* ... in the function's own file, not in code inlined into it */
    FUNCTION_IS_CALLED = 8,  /* by a call arc */
    FUNCTION_IS_PROXY = 16   /* to be stepped over */
};

struct function {
    uint32_t object, file, name; /* numbers in profile.names */
    uint32_t line;               /* where its cost begins; 0: not known */
    uint32_t flags;
    cost_t self;
    uint64_t records; /* its own records */
    uint64_t calls;   /* calls into it, over all arcs */
};

/* All calls that `caller` makes to `callee` from one line. */
struct arc {
    uint32_t caller, callee; /* numbers of functions */
    uint32_t line;
    uint64_t count;
    cost_t cost; /* inclusive cost of the calls */
};


/* How functions are told apart; a function's key is made of the parts that count. */
enum identity { IDENTITY_NAME, IDENTITY_FILE, IDENTITY_OBJECT };

struct profile {
    struct names names; /* of objects, files, functions; header lines */

    struct function *functions; /* by first mention */
    size_t function_count, function_capacity;
    struct index function_index;
    enum identity identity;

    struct arc *arcs; /* by first occurrence */
    size_t arc_count, arc_capacity;
    struct index arc_index;

    uint32_t *headers; /* lines `key: value` in order of the input; numbers in names */
    size_t header_count, header_capacity;

    /* A record is an invocation of its function; if not, it is a part of the function's sums. */
    bool records_are_invocations;
};

/* Makes an empty profile. Returns false, with nothing to free, when memory runs out. */
bool profile_init(struct profile *profile);
void profile_free(struct profile *profile);

/*
 * Sets *number to that of the function with this object, file and name (numbers in names), as far
 * as profile->identity tells them apart; a new one is appended. Returns false when memory runs out.
 */
bool profile_function(struct profile *profile, uint32_t object, uint32_t file, uint32_t name,
                      uint32_t *number);

/* Adds calls to the arc (caller, callee, line), which is appended if it is new. Returns false when
 * memory runs out. */
bool profile_add_call(struct profile *profile, uint32_t caller, uint32_t callee, uint32_t line,
                      uint64_t count, cost_t cost);

/* Appends a header line. Returns false when memory runs out. */
bool profile_add_header(struct profile *profile, struct text line);

/* The number of times that a function was invoked: see docs/design.md. */
uint64_t profile_invocations(const struct profile *profile, const struct function *function);

/* Which arcs call a function, and which it makes, each list in order of first occurrence. */
struct arc_lists {
    uint32_t *called_from; /* numbers of arcs, grouped by callee */
    uint32_t *sub_calls;   /* numbers of arcs, grouped by caller */
    uint32_t *called_from_start, *sub_calls_start; /* function_count + 1 bounds of the groups */
    cost_t *inclusive; /* of each function: self cost and all its calls; as called if it has no record */
};

/* Derives them from the arcs. Returns false, with nothing to free, when memory runs out. */
bool arc_lists_init(struct arc_lists *lists, const struct profile *profile);
void arc_lists_free(struct arc_lists *lists);

/*
 * Checks what has to hold for every profile: numbers in range, no arc or function twice, sums that
 * agree. Returns NULL, or what is wrong. For tests and for assertions before writing.
 */
const char *profile_check(const struct profile *profile);

#endif
