/*
 * What the numbers of a preprocessed file mean, according to its header lines, and how those of two files can
 * be compared.
 */
#ifndef CG2WG_READ_COMPARE_H
#define CG2WG_READ_COMPARE_H

#include "read/preprocessed_file.h"

/* The event of the costs: the first name in the first `events:` header; empty: the file has none. */
struct text preprocessed_event(const struct preprocessed *p);

/* What a cost of an event counts: nanoseconds, or so many of the event without a factor in its name. */
uint64_t event_factor(struct text event);

/*
 * Are its costs rounded? They are if they were divided, which the event's name says; times in tens of
 * nanoseconds or microseconds may be.
 */
enum rounding { ROUNDED_NOT, ROUNDED_PERHAPS, ROUNDED };

enum rounding preprocessed_rounding(const struct preprocessed *p);

/* The number of runs whose costs were added: merged profiles, or those that Xdebug appended to one file. */
uint64_t preprocessed_runs(const struct preprocessed *p);

/* What the numbers of invocations and calls are: calls, perf's samples, or nothing, where there are no calls. */
enum preprocessed_counts { COUNTS_CALLS, COUNTS_SAMPLES, COUNTS_NOTHING };

enum preprocessed_counts preprocessed_counts(const struct preprocessed *p);

/*
 * Sets the factors that bring the costs of both to one unit, without rounding. Returns false if
 * their events do not count the same thing. A file without an event counts whatever the other does.
 */
bool preprocessed_common_unit(const struct preprocessed *p, const struct preprocessed *other,
                              uint64_t *factor, uint64_t *other_factor);

#endif
