/*
 * The rows that are printed: chosen by --only, --hide, --min and --top, in the order of --sort.
 * Tables, JSON and differences share them; a row is a function, a caller or a callee.
 */
#ifndef CG2WG_VIEW_VIEW_H
#define CG2WG_VIEW_VIEW_H

#include "view/shown.h"
#include "view/table.h"

/* The most bytes of a name, of a function, file or object, that are shown. */
enum { VIEW_NAME = 4096 };

struct view_row {
    int64_t self, inclusive; /* of a call: both are its cost */
    uint64_t invocations;
    struct text name, file, object; /* empty: none */
    uint32_t line;
    uint64_t number; /* its position in the input; it decides between rows that are equal */
    int64_t key;     /* what it is sorted by, if that is not its name */
};

struct view {
    struct view_row *rows;
    size_t count; /* how many are shown: the first ones */
    size_t all;
    double total;    /* percentages are relative to it; 0: unknown */
    double stated;   /* the total of the input; less than `total` only if the self costs are more */
    enum shown_counts counts; /* what the invocations of rows are */
    double left_out; /* self cost of the others */
};

/* Makes room for `all` rows, to be filled in. */
void view_init(struct view *view, size_t all, double total);

/*
 * The same, with the functions of an input, each at its number. If its total is less than the sum of the self
 * costs by more than what rounding explains, or than any of them, percentages are relative to that sum, except where
 * there are costs by input size.
 * A longer name is replaced by its start, an ellipsis and 16 digits of its SHA-256, which distinguish it from
 * others that begin like it.
 */
void view_of_functions(struct view *view, const struct shown *shown);

/*
 * It is an error if a pattern of the options matches none of all rows, nor of `base`, which may be NULL; a warning for
 * those to hide. It is an error, too, if one looks at objects, and no row has any.
 */
void view_check_patterns(const struct view *view, const struct view *base, const struct cg2wg_view *options,
                         struct diag *diag);

/*
 * Chooses the rows that are shown, and sorts them; `by_function`: those that options->functions match, as if there were
 * no others.
 */
void view_choose(struct view *view, const struct cg2wg_view *options, bool by_function);

/* The order of rows by name, for qsort. */
int view_by_name(const void *left, const void *right);

/* What is counted: "invocations" or "samples"; and such a number. */
const char *view_counts(const struct view *view);
struct value view_count(const struct view *view, uint64_t count);

/* Prints a row and its name, or the headings if it is NULL. */
void view_print_row(const struct table *table, const struct view_row *row);

/*
 * Makes a table fit a terminal with the rows that are shown: it loses the column of what is counted, and then
 * percentages, while their names have less room than they need, or than 40 columns.
 */
void view_fit(const struct view *view, struct table *table);

/* Prints all that are shown, with headings. */
void view_print(const struct view *view, struct table *table);

/* Prints, after a total that is less than the self costs, what percentages are relative to instead. */
void view_print_excess(const struct table *table, const struct view *view);

/*
 * Prints how many rows are left out, if any, and their share, with `what` before it: `... and 3 more,
 * with WHAT1.20 % of the total`.
 */
void view_print_rest(FILE *stream, size_t room, const struct view *view, const char *what);

/* The same as an object of JSON; its first member is the number of `kind`. */
void view_print_json_rest(struct json *json, const char *key, const struct view *view, const char *kind);

/* Prints the costs of a row and what is counted as members of JSON. */
void view_print_json_costs(struct json *json, const struct view *view, const struct view_row *row);

/* Prints name, file and object of a row as members of JSON; `with_line`: its line before the object. */
void view_print_json_names(struct json *json, const struct view_row *row, bool with_line);

#endif
