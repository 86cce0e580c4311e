/*
 * Events: what the columns of costs count, and formulas over them.
 *
 *     formula: "-"? term ( ( "+" "-"? | "-" ) term )*
 *     term:    number? "*"? name
 *
 * https://valgrind.org/docs/manual/cl-format.html (InheritedExpr), and KCachegrind for the minus. That
 * has a blank or another sign before it, or nothing; otherwise it belongs to a name, as in
 * `cache-misses`. A name is a column, or an event that another formula defines.
 */
#ifndef CG2WG_MODEL_EVENTS_H
#define CG2WG_MODEL_EVENTS_H

#include "model/profile.h"

/* An event that an `event:` line describes. Parts that it does not have are NAME_EMPTY. */
struct event_definition {
    uint32_t name, formula, long_name;
};

#define EVENT_NONE UINT32_MAX

/* All that is known of an event, by its name. It is one if it is a column or has a formula. */
struct event {
    uint32_t name;
    uint32_t column;  /* the first one of that name, or EVENT_NONE */
    uint32_t formula; /* the last one that was defined, or NAME_EMPTY */
    uint32_t place;   /* in a list of events, if somebody makes one; or EVENT_NONE */
    uint32_t terms;   /* of its name as a formula, the first; EVENT_NONE: it has not been read so */
    bool is_used;     /* if it gets another formula, what was weighed may be another */
};

/* A term of a formula. Each formula is read once, however often it is weighed. */
struct event_term {
    int64_t factor;
    uint32_t event; /* number in known, or EVENT_NONE: it is no term */
    bool is_last;
};

struct events {
    struct names *names; /* borrowed */
    struct event *known; /* each name that is or was a column's, was in an `event:` line, or weighed */
    size_t known_count, known_capacity;
    struct index index; /* of them; no memory until there are some */
    uint32_t *columns;  /* names, in order */
    size_t column_count, column_capacity;
    struct event_definition *definitions;
    size_t definition_count, definition_capacity;
    struct event_term *terms; /* of all weighed formulas, one after the other */
    size_t term_count, term_capacity;
    bool is_weighed; /* the last events_weigh would still give the same */
};

void events_init(struct events *events, struct names *names);
void events_free(struct events *events);

/* Takes the value of an `events:` line: the columns from here on. False: no memory. */
bool events_set_columns(struct events *events, struct text value);

/* Takes the value of an `event:` line, `NAME [= FORMULA] [: LONG NAME]`. False: no memory. */
bool events_define(struct events *events, struct text value);

/* What is known of the event with that name (a number in names), or NULL. */
struct event *events_known(const struct events *events, uint32_t name);

/*
 * The same; it is known from now on, and its formula counts as one that has been weighed: see
 * is_weighed. NULL: no memory. What these two give lives until something more gets known.
 */
struct event *events_use(struct events *events, uint32_t name);

/* How often the cost of each column counts. All zero at first; free `weights`. */
struct event_weights {
    struct event_weight {
        int64_t weight;
        uint32_t column;
    } *weights; /* each column once, in order; those that do not count are left out */
    size_t count, capacity;
};

enum events_result {
    EVENTS_OK,
    EVENTS_UNKNOWN,   /* a name that is neither a column nor has a formula */
    EVENTS_MALFORMED, /* no formula, or one that leads too far */
    EVENTS_NO_MEMORY
};

/*
 * Sets *weights to how often the cost of each column counts in `formula` (a name is one too). At
 * EVENTS_UNKNOWN, *unknown is the name. All are numbers in names. Beside what it takes to read a
 * formula that is weighed for the first time, it takes no longer for long texts.
 */
enum events_result events_weigh(struct events *events, uint32_t formula,
                                struct event_weights *weights, uint32_t *unknown);

/* The sum of the columns' costs by their weights; beyond 64 bits, the nearest number that fits. */
cost_t events_sum(const cost_t *costs, const struct event_weights *weights);

/*
 * Parts `NAME = FORMULA` into name and formula. What holds no `=` is both: a name, or a formula whose
 * name is itself.
 */
void events_split(struct text given, struct text *name, struct text *formula);

#endif
