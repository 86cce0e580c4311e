/* The callers and callees of functions, for --function. */
#ifndef CG2WG_VIEW_CALLS_H
#define CG2WG_VIEW_CALLS_H

#include "view/view.h"
#include "read/arcs.h"

struct calls {
    const struct options *options; /* borrowed, like the next */
    struct diag *diag;
    struct preprocessed_arcs arcs;
    struct view functions; /* all of the file, by number */
    struct view room;      /* for the callers or callees of any function */
};

/*
 * Reads the call arcs of a file, and reduces `view` from all its functions to those that
 * options->functions name, in the order of the options. Returns false, with nothing to free, after an
 * error, which it has reported: no memory, or a pattern that matches no function.
 */
bool calls_init(struct calls *calls, const struct preprocessed *p, struct view *view,
                const struct options *options, struct diag *diag);
void calls_free(struct calls *calls);

/* Prints a function's callers and callees as two tables. */
void calls_print(const struct calls *calls, FILE *stream, const struct view_row *function);

/* The same as members of the function's JSON object, after others. */
void calls_print_json(const struct calls *calls, FILE *stream, const struct view_row *function);

#endif
