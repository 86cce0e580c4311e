/*
 * Events: what the columns of costs count, and formulas over them.
 *
 *     formula: term ( "+" term )*
 *     term:    number? "*"? name
 *
 * https://valgrind.org/docs/manual/cl-format.html (InheritedExpr). A name is a column, or an event
 * that another formula defines.
 */
#ifndef CG2WG_MODEL_EVENTS_H
#define CG2WG_MODEL_EVENTS_H

#include "model/profile.h"

/* An event that an `event:` line describes. Parts that it does not have are NAME_EMPTY. */
struct event_definition {
    uint32_t name, formula, long_name;
};

struct events {
    struct names *names; /* borrowed */
    uint32_t *columns;   /* names, in order */
    size_t column_count, column_capacity;
    struct event_definition *definitions;
    size_t definition_count, definition_capacity;
};

void events_init(struct events *events, struct names *names);
void events_free(struct events *events);

/* Takes the value of an `events:` line: the columns from here on. False: no memory. */
bool events_set_columns(struct events *events, struct text value);

/* Takes the value of an `event:` line, `NAME [= FORMULA] [: LONG NAME]`. False: no memory. */
bool events_define(struct events *events, struct text value);

enum events_result {
    EVENTS_OK,
    EVENTS_UNKNOWN,   /* a name that is neither a column nor defined by a formula */
    EVENTS_MALFORMED, /* no formula, or one that leads too far */
    EVENTS_NO_MEMORY
};

/*
 * Sets weights[i], for each column, to how often its cost counts in `formula` (a name is one too).
 * At EVENTS_UNKNOWN, *unknown is the name. `weights` has room for column_count numbers.
 */
enum events_result events_weigh(const struct events *events, struct text formula,
                                uint64_t *weights, struct text *unknown);

/* The sum of costs[i] * weights[i]; beyond 64 bits, the nearest number that fits. */
cost_t events_sum(const cost_t *costs, const uint64_t *weights, size_t count);

/*
 * Parts `NAME = FORMULA` into name and formula. What holds no `=` is both: a name, or a formula whose
 * name is itself.
 */
void events_split(struct text given, struct text *name, struct text *formula);

#endif
