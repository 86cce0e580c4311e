/*
 * Events: what the columns of costs count, and formulas over them.
 *
 *     formula: "-"? term ( ( "+" "-"? | "-" ) term )*
 *     term:    number? "*"? name
 *
 * https://valgrind.org/docs/manual/cl-format.html (InheritedExpr), and KCachegrind for the minus. A
 * blank, another sign or nothing precedes a minus; otherwise it belongs to a name, as in
 * `cache-misses`. A name is a column, or an event that another formula defines.
 */
#ifndef CG2WG_MODEL_EVENTS_H
#define CG2WG_MODEL_EVENTS_H

#include "model/profile.h"

/* An event that an `event:` line describes. Missing parts are NAME_EMPTY. */
struct event_definition {
    uint32_t name, formula, long_name;
};

#define EVENT_NONE UINT32_MAX

/* Data about an event, by its name. It exists if it is a column or has a formula. */
struct event {
    uint32_t name;
    uint32_t column;  /* the first column of that name, or EVENT_NONE */
    uint32_t formula; /* the last formula that was defined, or NAME_EMPTY */
    uint32_t place;   /* in a list of events, if one is made; or EVENT_NONE */
    uint32_t terms;   /* the first term of its name as a formula; EVENT_NONE: not read as one */
    bool is_used;     /* if its formula changes, weights may change */
};

/* A term of a formula. Each formula is parsed once, however often it is weighed. */
struct event_term {
    int64_t factor;
    uint32_t event; /* number in known, or EVENT_NONE: not a term */
    bool is_last;
};

struct events {
    struct names *names; /* borrowed */
    struct event *known; /* names of columns (also earlier ones), of `event:` lines, of formulas */
    size_t known_count, known_capacity;
    struct index index; /* of these; no memory until there are some */
    uint32_t *columns;  /* names, in order */
    size_t column_count, column_capacity;
    struct event_definition *definitions;
    size_t definition_count, definition_capacity;
    struct event_term *terms; /* of all weighed formulas, one after the other */
    size_t term_count, term_capacity;
    bool is_weighed; /* the last events_weigh would still give the same result */
};

void events_init(struct events *events, struct names *names);
void events_free(struct events *events);

/* Takes the value of an `events:` line: the columns from now on. False: no memory. */
bool events_set_columns(struct events *events, struct text value);

/* Takes the value of an `event:` line, `NAME [= FORMULA] [: LONG NAME]`. False: no memory. */
bool events_define(struct events *events, struct text value);

/* The event with that name (a number in names), or NULL. */
struct event *events_known(const struct events *events, uint32_t name);

/*
 * The same, but adds an unknown event; its formula counts as weighed: see is_weighed. NULL: no
 * memory. The results of these two are valid until another event is added.
 */
struct event *events_use(struct events *events, uint32_t name);

/* The weight of each column. Begins as all zero; free `weights`. */
struct event_weights {
    struct event_weight {
        int64_t weight;
        uint32_t column;
    } *weights; /* each column with a weight once, in order */
    size_t count, capacity;
};

enum events_result {
    EVENTS_OK,
    EVENTS_UNKNOWN,   /* a name that is neither a column nor has a formula */
    EVENTS_MALFORMED, /* not a formula, or one with too many terms */
    EVENTS_NO_MEMORY
};

/*
 * Sets *weights to the weights of the columns in `formula` (a name is one, too). At EVENTS_UNKNOWN,
 * *unknown is the name. All are numbers in names. Except for parsing a formula the first time, the
 * time does not depend on the length of texts.
 */
enum events_result events_weigh(struct events *events, uint32_t formula,
                                struct event_weights *weights, uint32_t *unknown);

/* The sum of the columns' costs by their weights; beyond 64 bits, the nearest number that fits. */
cost_t events_sum(const cost_t *costs, const struct event_weights *weights);

/*
 * Splits `NAME = FORMULA` into name and formula. A text without `=` is both: a name, or a formula
 * whose name is itself.
 */
void events_split(struct text given, struct text *name, struct text *formula);

#endif
