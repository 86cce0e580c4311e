/*
 * Units of events: names under which the same thing is counted by different measures.
 *
 *     Time_(10ns)     Xdebug 3's, tens of nanoseconds
 *     Time_(N0ns)     N of them
 *     Time            microseconds, as Xdebug 2 wrote and webgrind takes everything
 *     EVENT_(xN)      N of EVENT, as costs are written that had to be scaled
 */
#ifndef CG2WG_MODEL_UNITS_H
#define CG2WG_MODEL_UNITS_H

#include "model/tree.h"

enum { TENS_OF_NANOSECONDS_PER_MICROSECOND = 100, UNIT_SUFFIX_SIZE = 40 };

struct unit {
    struct text base; /* part of the name */
    uint64_t factor;  /* how many of the smallest unit of the base one is */
};

/* The unit that an event's name tells. */
struct unit unit_of(struct text event);

/* True if both count the same thing, by whatever measure. */
bool unit_is_like(struct text event, struct text other);

/* The largest unit of which two are whole numbers that count the same; with the base of the first. */
struct unit unit_common(struct unit a, struct unit b);

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
