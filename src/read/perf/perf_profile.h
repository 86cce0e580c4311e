/* From stacks of places, a profile of one event. */
#ifndef CG2WG_READ_PERF_PERF_PROFILE_H
#define CG2WG_READ_PERF_PERF_PROFILE_H

#include "read/perf/perf_names.h"

/* Makes a profile of all that has been read, or the list of events, if that is wanted. Frees stacks and names. */
void perf_make_profile(struct builder *builder, struct perf_about *about, struct perf_stacks *stacks,
                       struct perf_names *names);

#endif
