/* What a preprocessed file lists beside each function, or would list with exact costs, as members of JSON. */
#ifndef CG2WG_VIEW_LISTED_H
#define CG2WG_VIEW_LISTED_H

#include "view/json.h"
#include "view/shown.h"

struct listed {
    const struct shown *shown;
    struct arc_lists lists;
    /* Of a tree: its invocations, grouped by function; and by invocation, which one called it. */
    uint32_t *invocations, *first, *callers;
};

void listed_init(struct listed *listed, const struct shown *shown);

/*
 * Prints the calls of a function and, from version 6 on, those that it makes; of version 4, its invocations. Without
 * a tree, the function is one invocation with all its calls; it then has a caller only if there is exactly one, and
 * the line is that of the first call.
 */
void listed_print_json(const struct listed *listed, struct json *json, uint32_t function);

#endif
