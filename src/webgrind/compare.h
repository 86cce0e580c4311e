/* Can costs of two preprocessed files be compared, and how? */
#ifndef CG2WG_WEBGRIND_COMPARE_H
#define CG2WG_WEBGRIND_COMPARE_H

#include "webgrind/read.h"

/* The event of the costs: the first name in the first `events:` header; empty: the file has none. */
struct text preprocessed_event(const struct preprocessed *p);

/*
 * Sets the factors that bring the costs of both to one unit, without rounding. Returns false if
 * their events do not count the same thing. A file without an event counts whatever the other does.
 */
bool preprocessed_common_unit(const struct preprocessed *p, const struct preprocessed *other,
                              uint64_t *factor, uint64_t *other_factor);

#endif
