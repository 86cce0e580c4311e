/* Prints what has been read: the views. */
#ifndef CG2WG_VIEW_PRINT_H
#define CG2WG_VIEW_PRINT_H

#include "util/growth.h"
#include "view/view.h"

/* Prints an input in the style that the options ask for. */
void print_shown(FILE *stream, const struct cg2wg_view *options, struct shown *shown);

/* ---- differences -------------------------------------------------------------------------- */

/*
 * Prints how an input differs from another one. A function is the same in both if its name, file and object
 * are; of the others, those with the same name and file; and then those with the same name. Returns whether
 * the total grew by more than options->fail_above percent.
 */
bool print_differences(FILE *stream, const struct cg2wg_view *options, struct shown *now, struct shown *base);

/* One of the two inputs. */
struct side {
    struct shown *shown;
    struct view view;
    uint64_t factor; /* by which its costs have been multiplied */
    uint64_t per;    /* by which costs are divided to be compared: runs, or 1; at most INT64_MAX */
    double error;    /* how much such a cost may be off */
    const uint32_t *numbers; /* in a page: of the view's rows, for each function; NULL: the function's own */
    struct arc_lists lists;  /* in a page */
};

struct differences {
    const struct cg2wg_view *options;
    struct side now, base;
    struct pair { /* a function of one of the inputs, or of both, and how much its costs have changed */
        const struct view_row *now, *base; /* NULL: it has none */
        int64_t self, inclusive, invocations;
    } *pairs; /* those of the input in its order, then those that only the base has, in its */
    struct view view; /* sizes of changes, for choice and order; numbers are those of pairs */
    size_t unchanged;
    int64_t rounding;      /* how much the difference of two costs may be off */
    double total_rounding; /* ... and that of the totals, because their summaries are */
};

/* A number as it is compared, rounded. */
uint64_t side_average(const struct side *side, uint64_t number);
int64_t side_cost(const struct side *side, int64_t cost);

/* What percentages of an input are relative to. */
double side_total(const struct side *side);

/* The difference of the totals; 0 if it may come from rounding. */
double differences_total(const struct differences *d);

/* ---- costs by input size, and the growth that fits them best ------------------------------- */

struct size_view {
    const struct shown *shown;
    const struct view *view;
    struct growth_fit *fits; /* of each row of the view */
    struct table table;      /* of a function's costs */
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

/* ---- other styles ------------------------------------------------------------------------- */

/* The most events of a page. */
enum { PAGE_EVENTS = 16 };

/*
 * A page of HTML, which needs nothing but a browser: see page.c. This prints its data of one event, for the first one
 * after what precedes them. Sorts the rows that are shown by name. `differences`, if any, are those of the rows;
 * their view is this one.
 */
void print_page(FILE *stream, const struct cg2wg_view *options, struct shown *shown, struct view *view,
                const struct differences *differences);

/* Prints the page up to its data, or what follows them. */
void print_page_around(FILE *stream, bool is_end);

/* Prints what google/pprof reads: see pprof.c. It frees the contexts. */
void print_pprof(FILE *stream, struct shown *shown);

#endif
