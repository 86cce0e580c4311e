/* Functions as a table and as JSON. */
#ifndef CG2WG_VIEW_FUNCTIONS_H
#define CG2WG_VIEW_FUNCTIONS_H

#include "view/calls.h"

/* Prints the functions of a view, each with its callers and callees if `calls` is not NULL. */
void functions_print_table(FILE *stream, const struct shown *shown, const struct view *view,
                           const struct cg2wg_view *options, const struct calls *calls);

/* The same with everything that is known of them. */
void functions_print_json(FILE *stream, const struct shown *shown, const struct view *view,
                          const struct calls *calls);

#endif
