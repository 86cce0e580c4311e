/* SPDX-License-Identifier: MIT */
/*
 * Events: what the columns of costs count, formulas over them, and the one cost of the profile that comes
 * from the costs of a line: that of the event that the user has chosen, or of the input's first event.
 *
 *     formula: "-"? term ( ( "+" "-"? | "-" ) term )*
 *     term:    number? "*"? name
 *
 * https://valgrind.org/docs/manual/cl-format.html (InheritedExpr), and KCachegrind for the minus. A
 * blank, another sign or nothing precedes a minus; otherwise it belongs to a name, as in
 * `cache-misses`. A name is a column, or an event that another formula defines.
 */
#ifndef CG2WG_READ_EVENT_COSTS_H
#define CG2WG_READ_EVENT_COSTS_H

#include "read/frontend.h"
#include "util/index.h"

/* Data about an event, by its name. It exists if it is a column or has a formula. */
struct event {
    uint32_t name;
    uint32_t column;    /* the first column of that name; in a list of events, its number; or NONE */
    uint32_t formula;   /* the last formula that was defined, or NAME_EMPTY */
    uint32_t long_name; /* of its last `event:` line, or NAME_EMPTY; NONE: no such line describes it */
    uint32_t copies;    /* columns that had its name when the last one was added; 0: it is none of the current ones */
};

/* A column that has a weight, which is not 0. */
struct event_weight {
    int64_t weight;
    uint32_t column;
};

/* What is wanted of the current columns for an event; valid if are_chosen. */
struct event_choice {
    struct event_wish wish;       /* if it is not given, it is the name of an event of earlier inputs, or of this one */
    bool is_one_cost;             /* of the first column that is wanted, with weight 1 */
    struct event_weight *weights; /* each column with a weight once, in order */
    size_t weight_count, weight_capacity;
    size_t first; /* the first column that is wanted */

    bool has_unit; /* the current columns, multiplied by `factor`, have the profile's unit */
    uint64_t factor;
    uint32_t like; /* with has_unit: the column that counts the same as the wanted event, or NAME_EMPTY */
};

/* All names and formulas are numbers in the profile's names. */
struct event_costs {
    const struct frontend_options *options; /* borrowed, like the next two */
    struct builder *builder;
    struct names *names;

    /* Events: columns, also earlier ones; those of `event:` lines; those in formulas */
    struct event *known;
    size_t known_count, known_capacity;
    uint32_t *numbers; /* of known events, by name, or NONE */
    size_t number_capacity;
    uint32_t *columns; /* names, in order */
    size_t column_count, column_capacity;
    bool has_columns;            /* the input has named its columns; otherwise there is one */
    bool ticks_are_microseconds; /* of yappi: the creator alone says so */

    bool are_columns_new; /* since wishes were made choices */
    uint32_t *defined;    /* names of events, in the order in which they got a formula */
    size_t defined_count, defined_capacity;

    bool are_chosen;
    struct event_choice choices[MOST_EVENTS]; /* the first one is of the profile's event */
    size_t choice_count;                      /* 0: the wishes are not known yet */
    uint32_t unknown;                         /* why the last formula could not be weighed */
    cost_t values[MOST_EVENTS];               /* of a line, by event */
    bool are_in_order;                        /* these are the costs of the columns */

    cost_t *costs;  /* of the current line; those after `filled` are 0 */
    size_t filled;  /* number of costs in the line */
    cost_t *record; /* the sums of the current record, which are not in the list yet; only for a list */
    size_t counted; /* number of these: the most costs that a line of the record has */
};

void event_costs_init(struct event_costs *e, const struct frontend_options *options, struct builder *builder);

/* Takes the value of an `events:` line: the columns from now on. */
void event_costs_set_columns(struct event_costs *e, struct text value);
/* Takes the value of an `event:` line, `NAME [= FORMULA] [: LONG NAME]`. */
void event_costs_define(struct event_costs *e, struct text value);

/* Call this before putting costs of a line into e->costs: makes room, and weighs columns. Without the event: error. */
void event_costs_choose(struct event_costs *e, uint64_t line);

static inline size_t event_costs_columns(const struct event_costs *e)
{
    return e->has_columns ? e->column_count : 1;
}

/* The line has the first `count` costs, or all if there are more than columns; the others are 0. */
static inline void event_costs_end_line(struct event_costs *e, size_t count)
{
    for (size_t i = count; i < e->filled; i++)
        e->costs[i] = 0;
    e->filled = count < event_costs_columns(e) ? count : event_costs_columns(e);
}

/* Kinds of costs that the profile cannot contain as they are. */
struct cost_oddities {
    bool overflow; /* of more than 64 bits */
    bool fraction;
    bool wrapped; /* of 2^63 or more: below 0, if the producer's counters have no sign */
};

/* Parses the costs that `line` begins with into e->costs. Returns how many there are, also above the columns. */
size_t event_costs_parse(struct event_costs *e, struct text *line, struct cost_oddities *found);

/* The sum of the columns' costs by their weights; beyond 64 bits, the nearest number that fits. */
cost_t event_costs_weigh(const struct event_choice *choice, const cost_t *costs);

/* A cost by a weight, likewise. */
static inline cost_t cost_weighed(cost_t cost, int64_t weight)
{
    cost_t product;
    return !__builtin_mul_overflow(cost, weight, &product) ? product
           : (cost < 0) != (weight < 0)                    ? INT64_MIN
                                                           : INT64_MAX;
}

/* The costs of the current line of all events that are wanted. */
const cost_t *event_costs_values(struct event_costs *e);

static inline cost_t event_costs_sum(const struct event_costs *e)
{
    return e->choices[0].is_one_cost ? e->costs[e->choices[0].first] : event_costs_weigh(e->choices, e->costs);
}

/* What builder_keep takes of a line whose weighed cost that is. */
static inline const cost_t *event_costs_of_line(struct event_costs *e, const cost_t *cost)
{
    return e->choice_count == 1 ? cost : e->are_in_order ? e->costs : event_costs_values(e);
}

/* For the list of events, otherwise nothing: adds e->costs to the current record; ends it, or drops it if not whole. */
void event_costs_count(struct event_costs *e);
void event_costs_end_record(struct event_costs *e, bool is_whole);

/* At the end, after the next function: says what has become of options->wishes. */
void event_costs_tell(struct event_costs *e);

/*
 * To be called at the end: completes options->list, every event of the input, those with a formula last. An event that
 * is a time by its long name (`sysTime (elapsed us)`, Valgrind's), and not by its name, gets a name with the unit:
 * `sysTime(us)`.
 */
void event_costs_finish(struct event_costs *e);

/* The name of another event of that name: with ~NUMBER (`#` would begin a comment in callgrind_annotate). */
uint32_t event_copy(struct names *names, uint32_t name, uint32_t number);

/* Splits `NAME = FORMULA`. A text without `=` is both: a name, or a formula whose name is itself. */
void event_split(struct text given, struct text *name, struct text *formula);

#endif
