/*
 * Makes 64-bit costs fit webgrind's formats: times become microseconds or tens of nanoseconds, which it
 * shows right, and what does not fit 32 bits is divided by one number. The header lines say so.
 */
#ifndef CG2WG_WEBGRIND_SCALE_H
#define CG2WG_WEBGRIND_SCALE_H

#include "model/units.h"
#include "util/diag.h"

struct scale {
    struct profile *profile; /* borrowed, as the next; multiplied, and flagged after warnings */
    struct diag *diag;
    uint64_t divisor;
    struct unit unit; /* in which the costs are written */
    bool speaks_of_event; /* events: and summary: lines are written anew, for one event */
    struct text event;              /* its name, in which blanks stand for underscores, ... */
    char suffix[UNIT_SUFFIX_SIZE];  /* ... and what is behind it */
    const char *title; /* the heading that is wanted, borrowed; NULL: none, as scale_init leaves it */
};

/*
 * Chooses unit and divisor for the costs of a profile (and its tree, if that is to be written, else NULL;
 * and the functions' call costs, if they are). Says what it has done.
 *
 * Times of other programs become Time, or Time_(10ns) if they are counted in parts of a microsecond; the
 * profile and its tree are multiplied where that needs it. All costs are then divided by `wanted`.
 * If that is 0, by 1 as long as all costs fit, otherwise by 100 if that makes microseconds of 10 ns
 * and is enough, otherwise by the smallest power of ten that is. If it is 1, they are not divided at
 * all, and times that would have to be keep their unit.
 */
void scale_init(struct scale *scale, uint64_t wanted, struct profile *profile, struct tree *tree,
                bool with_call_costs, struct diag *diag);

/*
 * A cost divided and rounded to nearest. One that does not fit is written as the nearest number that
 * does, with one warning for the function in whose row it stands.
 */
static inline uint32_t scale_cost(struct scale *scale, uint32_t function, cost_t value);

/* The same for any cost, but slower. */
uint32_t scale_any_cost(struct scale *scale, uint32_t function, cost_t value);

static inline uint32_t scale_cost(struct scale *scale, uint32_t function, cost_t value)
{
    if (scale->divisor == 1 && value >= 0 && value <= UINT32_MAX)
        return (uint32_t)value;
    return scale_any_cost(scale, function, value);
}

/* A count, which is never divided. */
uint32_t scale_count(struct scale *scale, uint32_t function, uint64_t value);

/* A total, divided; it may have more than 32 bits. */
uint64_t scale_total(const struct scale *scale, cost_t total);

#endif
