/* SPDX-License-Identifier: MIT */
/* Inputs that are read several times, once for each event. */
#ifndef CG2WG_EVENTS_H
#define CG2WG_EVENTS_H

#include "job.h"
#include "model/line_costs.h"

/* Events by their names, or formulas. */
struct events {
    const char *names[MOST_EVENTS]; /* in memory of the run */
    size_t count;
};

/* Adds an event, unless it is there. */
void events_add(struct events *events, struct diag *diag, struct text name);

/*
 * The events that a text asks for: names, beginnings of names and formulas with commas between them, and `all`. A comma
 * within a name of the input is a part of it. `base` may be NULL; otherwise `all` are those that it has, too.
 */
void events_choose(struct events *events, struct job *job, const char *given, const char *base);

/* Adds all events of an input that have costs; `measured`: without those that a formula makes. */
void events_add_all(struct events *events, struct job *job, const char *input, bool measured);

/* Keeps those that the others have, too. */
void events_intersect(struct events *events, const struct events *others);

/*
 * Copies standard input, pipes and the like to temporary files that disappear with the run, so that these inputs can be
 * read again. The files have the size of the inputs.
 */
void events_keep_inputs(struct job *job, const char *const *inputs, size_t count);

#endif
