/* SPDX-License-Identifier: MIT */
/* Makes 64-bit costs fit webgrind's formats. */
#ifndef CG2WG_WRITE_SCALE_H
#define CG2WG_WRITE_SCALE_H

#include "model/contexts.h"
#include "model/units.h"

/* The largest divisor. It fits 64 bits also after it has been multiplied for the unit, by at most 10. */
#define SCALE_MOST UINT64_C(1000000000000000000)

struct scale {
    struct profile *profile; /* borrowed, like the next; costs are multiplied, functions flagged */
    struct diag *diag;
    uint64_t divisor;
    struct unit unit; /* of the written costs */
};

/*
 * Chooses unit and divisor for the costs of a profile and of contexts, also call costs if these will be written, and
 * reports them. Header lines speak of the event that results.
 *
 * Times become one that webgrind knows. All costs are then divided by `wanted`. If that is 0: by 1 if
 * all fit, otherwise by 100 if that converts 10 ns to microseconds and is sufficient, otherwise by the smallest
 * sufficient power of ten. If it is 1, costs are not divided, and times that would need it keep their unit.
 */
void scale_init(struct scale *scale, uint64_t wanted, struct profile *profile, struct contexts *contexts,
                bool with_call_costs, struct diag *diag);

/* A total, divided, and rounded to nearest, a half up; 0 if it is negative. It may have more than 32 bits. */
uint64_t scale_total(cost_t total, uint64_t divisor);

/* A number of a row. If it does not fit, the nearest that does, with one warning for the function: `what` it is. */
uint32_t scale_any(struct scale *scale, uint32_t function, const char *what, bool is_negative, uint64_t number);

/* A cost, divided; counts are never divided. */
static inline uint32_t scale_cost(struct scale *scale, uint32_t function, cost_t value)
{
    if (scale->divisor == 1 && value >= 0 && value <= UINT32_MAX)
        return (uint32_t)value;
    return scale_any(scale, function, value < 0 ? "a negative cost" : "a cost", value < 0,
                     scale_total(value, scale->divisor));
}

#endif
