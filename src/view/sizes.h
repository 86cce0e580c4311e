/* Costs of functions by input size, and the growth that fits them best. */
#ifndef CG2WG_VIEW_SIZES_H
#define CG2WG_VIEW_SIZES_H

#include "util/growth.h"
#include "view/view.h"

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
