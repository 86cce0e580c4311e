/* SPDX-License-Identifier: MIT */
/*
 * Units of events: names for different measures of the same thing.
 *
 *     Time_(10ns)     tens of nanoseconds, of Xdebug 3
 *     Time_(Nns)      N nanoseconds
 *     Time            microseconds, of Xdebug 2; webgrind's unit for everything
 *     EVENT_(xN)      N of EVENT, the unit of scaled costs
 *     ns, cpu(ms), cpu/nanoseconds, wall_time, ...    other programs' times
 *     cpu-clock:u, task-clock/period=1/k~2, ...       nanoseconds of Linux's perf
 */
#ifndef CG2WG_MODEL_UNITS_H
#define CG2WG_MODEL_UNITS_H

#include "model/profile.h"

enum { NANOSECONDS_PER_MICROSECOND = 1000, UNIT_TEN_NANOSECONDS = 10 };

/* Letters that perf appends to the names of events: `cycles:ppp`, `cpu/cycles/u`. */
#define PERF_MODIFIERS "ukhIGHpPSDWebR"

struct unit {
    struct text base; /* part of the name, without its measure */
    uint64_t factor;  /* the number of nanoseconds; for other events, the number of base units */
    bool is_time;
};

struct unit unit_of(struct text event);

/* Is it a clock of perf, perhaps with terms, modifiers and a number of its own? A formula may begin with one. */
bool unit_is_clock(struct text event);

/* What it counts: Xdebug 3 calls `Memory_(bytes)` what is `Memory` before. */
struct text unit_thing(struct unit unit);

/* Have both the same base, or thing? */
bool unit_is_same(struct unit unit, struct unit other);

/* True if both count the same thing, in any measure. All times do. */
bool unit_is_like(struct unit unit, struct unit other);

/* Sets the factors that bring costs in both to the largest unit that divides them. Returns that unit's factor. */
uint64_t unit_factors(struct unit unit, struct unit other, uint64_t *factor, uint64_t *other_factor);

/* If both count the same thing: *event becomes the largest unit that divides both. Sets the factors of costs; or 1. */
void unit_unify(struct names *names, uint32_t *event, struct text other, uint64_t *factor, uint64_t *other_factor);

/* The number of its name. */
uint32_t unit_name(struct names *names, struct unit unit);

#endif
