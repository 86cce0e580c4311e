/*
 * Units of events: names under which the same thing is counted by different measures.
 *
 *     Time_(10ns)     Xdebug 3's, tens of nanoseconds
 *     Time_(Nns)      N nanoseconds
 *     Time            microseconds, as Xdebug 2 wrote and webgrind takes everything
 *     EVENT_(xN)      N of EVENT, as costs are written that had to be scaled
 *     ns, cpu(ms), cpu/nanoseconds, wall_time, ...    other programs' times
 */
#ifndef CG2WG_MODEL_UNITS_H
#define CG2WG_MODEL_UNITS_H

#include "model/tree.h"
#include "util/diag.h"

enum { NANOSECONDS_PER_MICROSECOND = 1000, UNIT_SUFFIX_SIZE = 40 };

struct unit {
    struct text base; /* part of the name, without its measure */
    uint64_t factor;  /* how many nanoseconds one is; if it is no time, how many of the base */
    bool is_time;
};

/* The unit that an event's name tells. */
struct unit unit_of(struct text event);

/* True if both count the same thing, by whatever measure. All times do. */
bool unit_is_like(struct unit unit, struct unit other);

/* The largest number that divides both; 0 only if both are 0. */
uint64_t unit_divisor(uint64_t a, uint64_t b);

/*
 * Finds a unit in which costs of two events can be added without rounding. If *event and `other` count the
 * same thing by different measures, *event becomes the largest unit of which both are multiples. Sets by
 * what costs of each have to be multiplied then, which is 1 in all other cases. False: no memory.
 */
bool unit_unify(struct names *names, uint32_t *event, struct text other, uint64_t *factor,
                uint64_t *other_factor);

/* What a unit's name begins with, and is written without a measure: its base, or "Time". */
struct text unit_base(struct unit unit);

/* What is behind the base in a unit's name, ended by NUL. */
void unit_suffix(struct unit unit, char suffix[UNIT_SUFFIX_SIZE]);

/*
 * Multiplies all costs of a profile, and of its tree if that is not NULL. What gets too large becomes the
 * largest cost, with a warning.
 */
void unit_multiply(struct profile *profile, struct tree *tree, uint64_t factor, struct diag *diag);

#endif
