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

/* The largest unit of which two are whole numbers that count the same; with the base of the first. */
struct unit unit_common(struct unit a, struct unit b);

/* What a unit's name begins with, and is written without a measure: its base, or "Time". */
struct text unit_base(struct unit unit);

/* What is behind the base in a unit's name, ended by NUL. */
void unit_suffix(struct unit unit, char suffix[UNIT_SUFFIX_SIZE]);

/* Sets *number to that of a unit's name, which is interned. False: no memory. */
bool unit_intern(struct names *names, struct unit unit, uint32_t *number);

/*
 * Multiplies all costs of a complete profile, and of its tree if that is not NULL. What gets too
 * large becomes the largest cost: then it returns false.
 */
bool unit_multiply(struct profile *profile, struct tree *tree, uint64_t factor);

#endif
