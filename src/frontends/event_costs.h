/*
 * Computes the one cost of the profile from the costs of a line: that of the event that the user
 * has chosen, or of the input's first event.
 */
#ifndef CG2WG_FRONTENDS_EVENT_COSTS_H
#define CG2WG_FRONTENDS_EVENT_COSTS_H

#include "frontends/frontend.h"

struct event_costs {
    const struct frontend_options *options; /* borrowed, like the next three */
    struct builder *builder;
    struct profile *profile;
    struct diag *diag;
    struct events events;
    bool has_columns; /* the input has named its columns; otherwise there is one */
    bool are_chosen;  /* `weights` belong to the current columns */
    struct event_weights weights;
    enum costs_wanted {
        ONE_COST,     /* that of one column, with weight 1 */
        WEIGHED_COSTS,
        ALL_COSTS     /* for a list of events */
    } wanted; /* of a line */
    size_t first, end; /* columns that are wanted are from here to here */
    cost_t *costs;  /* of the current line; those after `filled` are 0 */
    size_t filled;  /* number of costs in the line */
    cost_t *totals; /* of each column, since the columns were set; only for a list */
    bool has_room;  /* `costs` and `totals` belong to the current columns */
    size_t costs_capacity, totals_capacity;
    bool has_like; /* `like` has been looked up among the current columns */
    bool has_unit; /* the current columns, multiplied by `factor`, have the profile's unit */
    uint64_t factor;
    bool ticks_are_microseconds; /* of yappi: the creator alone says so */
    uint32_t like; /* the column that counts the same thing as the wanted event, or NAME_EMPTY */
};

void event_costs_init(struct event_costs *e, const struct frontend_options *options,
                      struct builder *builder);
void event_costs_free(struct event_costs *e);

/* All of these return false, after reporting why, when memory runs out or as described. */

/* Takes the value of an `events:` line. */
bool event_costs_set_columns(struct event_costs *e, struct text value);
/* Takes the value of an `event:` line. */
bool event_costs_define(struct event_costs *e, struct text value);

/*
 * Call this before putting the costs of a line into e->costs: makes room for all columns and weighs
 * them. After the last cost, call event_costs_end_line. False if the current columns lack the
 * event. `line` is for the message.
 */
bool event_costs_choose(struct event_costs *e, uint64_t line);

/* The number of columns. */
static inline size_t event_costs_columns(const struct event_costs *e)
{
    return e->has_columns ? e->events.column_count : 1;
}

/* The line has the first `count` costs, or all if there are more than columns; the others are 0. */
static inline void event_costs_end_line(struct event_costs *e, size_t count)
{
    for (size_t i = count; i < e->filled; i++)
        e->costs[i] = 0;
    e->filled = count < event_costs_columns(e) ? count : event_costs_columns(e);
}

/* The weighed sum of e->costs. */
static inline cost_t event_costs_sum(const struct event_costs *e)
{
    return e->wanted == ONE_COST ? e->costs[e->first] : events_sum(e->costs, &e->weights);
}

/* Adds e->costs to the self costs, for the list of events. */
void event_costs_count(struct event_costs *e);

/*
 * To be called at the end: if the event is a time by its long name (`sysTime (elapsed us)`, Valgrind's)
 * or by its creator (yappi's `Ticks`), and not by its name, the unit is appended to the name of the
 * profile's event: `sysTime(us)`.
 */
bool event_costs_name_unit(struct event_costs *e);

/* Completes options->list: every event of the input, those with a formula last. */
bool event_costs_list(struct event_costs *e);

#endif
