/* The callers and callees of functions, for --function. */
#ifndef CG2WG_VIEW_CALLS_H
#define CG2WG_VIEW_CALLS_H

#include "view/view.h"

struct calls {
    const struct cg2wg_view *options; /* borrowed, like the next */
    const struct shown *shown;
    struct arc_lists lists;
    struct view functions; /* all of the input, by number */
    struct view room;      /* for the callers or callees of any function */
};

/*
 * Reduces `view` from all functions of an input to those that options->functions name, in the order of the
 * options. It is an error if a pattern matches no function, or if callers and callees take very much more
 * than the input; lists that contradict each other are a problem.
 */
void calls_init(struct calls *calls, struct shown *shown, struct view *view, const struct cg2wg_view *options);

/* Prints a function's callers and callees as two tables. */
void calls_print(const struct calls *calls, FILE *stream, const struct view_row *function);

/* The same as members of the function's object of JSON. */
void calls_print_json(const struct calls *calls, struct json *json, const struct view_row *function);

#endif
