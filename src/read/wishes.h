/* SPDX-License-Identifier: MIT */
/* Several events that are wanted of an input, which are read at once. */
#ifndef CG2WG_READ_WISHES_H
#define CG2WG_READ_WISHES_H

#include "model/line_costs.h"

struct event_list {
    struct cg2wg_event *events; /* their strings are valid as long as the profile's names */
    size_t count, capacity;
    struct cg2wg_part *parts; /* of a callgrind file, likewise */
    size_t part_count, part_capacity;
};

struct event_wish {
    struct text name; /* or [NAME =] FORMULA; empty: the input's first event */
    bool is_given;    /* by the user: every input must have it */
    bool is_optional; /* an input without it is no error */
    bool is_lost;     /* set by reading: the input, or a part of it, lacks it */
    cost_t total;     /* set by reading: of the self costs */
    uint32_t event;   /* set by reading, like the next member: what the profile of the event has */
    bool speaks_of_event;
};

struct event_wishes {
    const char *list; /* names, beginnings of names and formulas with commas between them, and `all`; NULL: what the
                         input measures, from its first event on */
    bool must_fit;    /* more than MOST_EVENTS are an error */
    struct event_wish all[MOST_EVENTS];
    size_t count;   /* 0: they are not known yet */
    bool takes_all; /* of any input */
    bool are_known; /* from another input: others are only added if all are taken */
};

/* Does a text ask for several events? */
bool event_wishes_are_several(const char *list);

/*
 * Finds out what is wanted of an input with these events, those without a formula and the first one first, and adds
 * what is not known yet. There is at least one wish. A comma within a name of the input is a part of it.
 */
void event_wishes_resolve(struct event_wishes *wishes, const struct event_list *list, struct diag *diag);

#endif
