/* SPDX-License-Identifier: MIT */
/* Costs by line: of the code, and of the calls that are made there. */
#ifndef CG2WG_MODEL_LINE_COSTS_H
#define CG2WG_MODEL_LINE_COSTS_H

#include "model/profile.h"

/* The row with this key, which is appended with costs of 0 if it is new. Returns its number. */
uint32_t line_costs_row(struct line_costs *lines, struct line_key key);

static inline void line_costs_add(struct line_costs *lines, uint32_t row, size_t event, cost_t cost)
{
    cost_add(&lines->costs[row * lines->events + event], cost);
}

/* The most events that are read one after the other, or by line. */
enum { MOST_EVENTS = 32 };

/* Ends the task: an input has too many events. */
#define events_are_too_many(diag) \
    diag_error(diag, 0, "found more than %d events, expected fewer; choose some", MOST_EVENTS)

/*
 * The number of an event; if it is new, rows get costs of 0 for it. Only if all events are wanted. It is an error if
 * there are more than MOST_EVENTS.
 */
size_t line_costs_event(struct line_costs *lines, uint32_t name);

/* Makes room for `added` more costs, which are 0, after each `size` ones of an array with that capacity. */
void costs_widen(cost_t **costs, size_t *capacity, size_t size, size_t added);

/*
 * Makes `profile` a copy, whose names and costs may change, which is valid as long as the other. Its lines are a copy
 * with one of the events, unless they have names.
 */
void profile_copy(struct profile *profile, const struct profile *from, size_t event);

/*
 * For an input that has no costs by line: makes them of a profile's functions and arcs. A function's self cost is at
 * its first line, and a call in its file.
 */
void line_costs_of_functions(struct profile *profile);

/* By arc: the file where its calls are, of several the first one; NAME_EMPTY: unknown. The profile has lines. */
uint32_t *line_costs_files(const struct profile *profile);

/* Makes the costs of calls those of their arcs, after recursion has been taken out of these. There is one event. */
void line_costs_follow_arcs(struct profile *profile);

/* The numbers of the rows by function, each function's in the order of the profile. */
struct buckets line_costs_by_function(const struct profile *profile);

/* The rows by function; each function's by file, line as it is shown, and callee, the self cost of a line first. */
struct ordered_lines {
    struct ordered_line {
        uint32_t file, line, callee; /* as in the row's key */
        uint32_t row;
    } *all;
    uint32_t *start; /* by function, and the end: where its lines begin */
};

void ordered_lines_init(struct ordered_lines *ordered, const struct profile *profile);

/* A line of a function, and what it costs. */
struct code_line {
    uint32_t file, line;
    cost_t self, calls; /* inclusive, of the calls that are made there */
    uint64_t call_count;
    size_t first, end; /* its rows in ordered_lines.all */
};

/* Takes the line at *next, which it advances, unless that is `end`. There is one event. */
bool ordered_lines_take(const struct ordered_lines *ordered, const struct line_costs *lines, size_t *next, size_t end,
                        struct code_line *line);

#endif
