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

enum { TENS_OF_NANOSECONDS_PER_MICROSECOND = 100 };

struct unit {
    struct text base; /* part of the name */
    uint64_t factor;  /* how many of the smallest unit of the base one is */
};

/* The unit that an event's name tells. */
struct unit unit_of(struct text event);

/* True if both count the same thing, by whatever measure. */
bool unit_is_like(struct text event, struct text other);

/*
 * Multiplies all costs of a complete profile, and of its tree if that is not NULL. What gets too
 * large becomes the largest cost.
 */
void unit_multiply(struct profile *profile, struct tree *tree, uint64_t factor);

#endif
