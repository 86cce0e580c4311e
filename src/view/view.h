/*
 * The rows that are printed: chosen by --only, --hide, --min and --top, in the order of --sort.
 * Tables, JSON and differences share them; a row is a function, a caller or a callee.
 */
#ifndef CG2WG_VIEW_VIEW_H
#define CG2WG_VIEW_VIEW_H

#include "cli/options.h"
#include "view/show.h"
#include "view/table.h"
#include "util/diag.h"
#include "read/compare.h"

struct view_row {
    int64_t self, inclusive; /* the latter may be below 0: unknown. Of a call: both are its cost */
    uint64_t invocations;
    struct text name, file, object; /* empty: none */
    uint32_t line;
    size_t number; /* its position in the input; it decides between rows that are equal */
};

struct view {
    struct view_row *rows;
    size_t count; /* how many are shown: the first ones */
    size_t all;
    double total;    /* percentages are relative to it; 0: unknown */
    double stated;   /* the total of the input; less than `total` only if the self costs are more */
    enum preprocessed_counts counts; /* what the invocations of rows are */
    struct shown_names names;        /* of the rows of a file */
    double left_out; /* self cost of the others */
};

/* Makes room for `all` rows, to be filled in. Returns false, with nothing to free, without memory. */
bool view_init(struct view *view, size_t all, double total);
void view_free(struct view *view);

/*
 * The same, with the functions of a file, each at its number. If its total is less than the sum of the self
 * costs by more than what rounding explains, or than any of them, percentages are relative to that sum.
 */
bool view_of_file(struct view *view, const struct preprocessed *p);

/*
 * Can the options choose among these functions? Returns false, after reporting it, if one of them
 * looks at objects, and no row has an object.
 */
bool view_can_choose(const struct view *view, const struct options *options, struct diag *diag);

/* Chooses the rows that are shown, and sorts them. */
void view_choose(struct view *view, const struct options *options);

/* Keeps only the rows that match, as if there were no others, and sorts them; `top` of them are shown. */
void view_keep(struct view *view, const struct patterns *patterns, enum print_order order,
               unsigned top);

/* Does a row's name match any of the patterns, or with `file:` or `object:`, its file or object? */
bool view_row_matches(const struct view_row *row, const struct patterns *patterns);

/* What is counted: "invocations" or "samples"; and the cell with such a number, or "-". */
const char *view_counts(const struct view *view);
void view_set_count(const struct view *view, const struct table *table, struct table_cells *cells, size_t cell,
                    uint64_t count);

/* The same as a member of a JSON object, after others. */
void view_print_json_count(FILE *stream, const struct view *view, uint64_t count);

/* Prints, after a total that is less than the self costs, what percentages are relative to instead. */
void view_print_excess(FILE *stream, size_t columns, const struct view *view);

/*
 * Prints how many rows are left out, if any, and their share, with `what` before it: `... and 3 more,
 * with WHAT1.20 % of the total`.
 */
void view_print_rest(FILE *stream, size_t columns, const struct view *view, const char *what);

/* The same as a JSON object of three members; the first one is the name of `kind`. */
void view_print_json_rest(FILE *stream, const struct view *view, const char *kind);

#endif
