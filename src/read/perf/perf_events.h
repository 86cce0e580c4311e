/* Which of a recording's events a profile is about. */
#ifndef CG2WG_READ_PERF_PERF_EVENTS_H
#define CG2WG_READ_PERF_PERF_EVENTS_H

#include "read/perf/perf_reader.h"

struct perf_choice {
    int64_t *factors; /* by event: how often it counts; 0: its samples do not */
    uint32_t name;    /* what the costs count, in names */
};

/*
 * Chooses what the user, or another input, wants: an event by its name, or by what is left of it without
 * modifiers if that is one event's alone; by what it counts, if that is time (`Time_(10ns)`); or a formula. Without
 * a wish it is the first that has samples and is no dummy. Also fills options->list, if that is wanted; then
 * there may be no choice: name stays NAME_EMPTY. Returns false, having reported why, if there is no such
 * event. The caller frees factors.
 */
bool perf_choose_event(struct perf_reader *reader, struct perf_choice *choice);

#endif
