/* What is printed beside the functions of a view. */
#ifndef CG2WG_VIEW_FUNCTIONS_H
#define CG2WG_VIEW_FUNCTIONS_H

#include "util/growth.h"
#include "view/view.h"

/* ---- calls.c: their callers and callees, for --function ----------------------------------- */

struct calls {
    const struct cg2wg_view *options; /* borrowed, like the next */
    const struct shown *shown;
    struct arc_lists lists;
    struct view functions; /* all of the input, by number */
    struct view room;      /* for the callers or callees of any function */
    unsigned char *is_referred; /* functions by calls in JSON */
};

/*
 * Chooses functions of `view`; if options->functions are given, only these. It is an error if tables of callers and
 * callees take very much more than the input; lists that contradict each other are a problem.
 */
void calls_init(struct calls *calls, struct shown *shown, struct view *view, const struct cg2wg_view *options);

/* Prints a function's callers and callees as two tables. */
void calls_print(const struct calls *calls, FILE *stream, const struct view_row *function);

/* The same as members of the function's object of JSON; all of them, unless options->functions are given. */
void calls_print_json(const struct calls *calls, struct json *json, const struct view_row *function);

/* The invocations of a function, as members of its object; of a file of version 4. */
void calls_print_json_invocations(const struct calls *calls, struct json *json, uint32_t function);

/* After that: names the functions that calls refer to, and `view` does not show. */
void calls_print_json_others(const struct calls *calls, struct json *json, const struct view *view, bool with_line);

/* ---- sizes.c: their costs by input size, and the growth that fits them best --------------- */

struct size_view {
    const struct shown *shown;
    const struct view *view;
    struct growth_fit *fits;  /* of each row of the view */
    struct table table;       /* of a function's costs */
};

/* Fits the average costs of the functions that are shown. */
void sizes_init(struct size_view *sizes, const struct shown *shown, const struct view *view, FILE *stream,
                const struct cg2wg_view *options);

/* What the columns sizes, growth and fit of a function show. */
void sizes_values(const struct size_view *sizes, const struct view_row *row, struct value values[3]);

/* Prints the lines of the report and what sizes measure, as members of JSON. */
void sizes_print_json_input(struct json *json, const struct shown *shown);

/* Prints the costs of a function by size: in a table (NULL: its headings), or as members of JSON with the growth. */
void sizes_print(const struct size_view *sizes, const struct view_row *row);
void sizes_print_json(const struct size_view *sizes, struct json *json, const struct view_row *row);

/* Prints a plot of them, with the name and the sums of each function. */
void sizes_plot(const struct size_view *sizes);

#endif
