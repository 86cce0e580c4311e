/* SPDX-License-Identifier: MIT */
/* The views: what has been read, which rows of it are shown in which order, and how they are printed. */
#ifndef CG2WG_VIEW_VIEW_H
#define CG2WG_VIEW_VIEW_H

#include "cg2wg_print.h"
#include "model/parts.h"
#include "view/growth.h"
#include "view/table.h"

/* Do the inclusive costs of a preprocessed file count recursion more than once? See docs/recursion.md. */
bool shown_repeats_recursion(const struct contents *shown);

/* The numbers of the arcs that call a function, or that it makes. */
struct calls_list {
    const uint32_t *arcs;
    size_t count;
};

static inline struct calls_list shown_calls(const struct arc_lists *lists, size_t function, bool is_from)
{
    const struct buckets *calls = is_from ? &lists->called_from : &lists->sub_calls;
    const uint32_t *start = calls->start + function;
    return (struct calls_list){calls->numbers + start[0], start[1] - start[0]};
}

/* ---- rows: functions, callers, callees ------------------------------------------------------ */

/* The most bytes of a name that are shown: a longer one is its start, `...` and 16 digits of its SHA-256. */
enum { VIEW_NAME = 4096 };

/* The numbers of a row: ALLOCATED is of contents.allocated; COUNT, of invocations, calls or samples, is unsigned. */
enum measure { SELF, ALLOCATED, INCLUSIVE, COUNT, MEASURES };

struct view_row {
    int64_t measures[MEASURES];     /* of a call: SELF and INCLUSIVE are its cost */
    struct text name, file, object; /* empty: none */
    uint32_t line;
    uint32_t indent;                        /* in a tree: how many rows it is below */
    uint32_t texts[CG2WG_GROUP_FOLDER + 1]; /* by kind of group: number in the page; of a line: of its file's name */
    uint32_t arc;                           /* of a call: its number */
    uint32_t limit;                         /* on a page: the largest that it reaches */
    uint32_t call_line; /* of a call: where it is made; of a line: its number; 0: unknown, or a function */
    uint64_t number;    /* its position in the input; it decides between rows that are equal, and then the arc */
    int64_t key;        /* what it is sorted by, if that is not its name; on a page: its largest cost in any input */
};

/* A cost that a head says beside a total, with the words around it. */
struct view_note {
    const char *before, *after; /* before is NULL: there are no more notes */
    cost_t cost;
};

/* What the rows of an event cost in all. */
struct view_total {
    double base;       /* what percentages are relative to: the sum of the positive self costs; 0: unknown */
    cost_t percent_of; /* the exact sum that percentages are relative to */
    cost_t sum;        /* of all self costs; of memory, what was allocated */
    cost_t stated;     /* by the input */
    cost_t peak;       /* of memory; 0: unknown */
    struct view_note notes[4];
};

/* Events beside the first one. All have the same rows. */
struct view_events {
    struct view_event {
        struct text name;
        struct view_total total;
        bool has_allocated, has_inclusive;
    } *all;
    size_t count, capacity, most; /* there will not be more than the latter */
    cost_t (*costs)[COUNT]; /* SELF, ALLOCATED, INCLUSIVE: of each function, `most` of them, those of the events */
    size_t cost_capacity;
};

/*
 * Adds what has been read of another event of the same inputs, of `most`. Functions that are only there, in recordings,
 * are added without costs.
 */
void view_events_add(struct contents *shown, const struct contents *other, size_t most);

struct view {
    const struct contents *shown;
    struct view_row *rows;
    size_t count; /* how many are shown: the first ones */
    size_t all;
    struct view_total total;
    size_t screen_lines; /* of a terminal that messages have taken */
    enum counts counts;  /* what the invocations of rows are */
    bool is_by_line;     /* rows are lines of functions, and inclusive costs those of the calls that are made there */
    bool is_tree;        /* rows are stacks, by their last function */
    bool has_allocated;  /* memory: rows say what was allocated, and inclusive costs what is kept of it */
    bool has_inclusive;  /* if not, inclusive costs are the self costs, and not shown */
    bool are_whole;      /* rows are parts of inputs, and all that costs anything there */
    const struct differences *differences;   /* whose changes its rows have; NULL: they have costs */
    const struct view_events *events;        /* beside the first one; NULL: none */
    const struct view_row *caller_or_callee; /* of a view of calls: whose calls they are */
    const struct text *call_files;           /* by arc: where calls are made, if not in the caller's file; or NULL */
    struct size_view *sizes;                 /* costs by input size of the rows that are shown; or NULL */
    cost_t left_out;                         /* self cost of the others */
    bool is_filtered;                        /* by patterns, or their size */
    size_t matching;                         /* how many rows a filter has left, and their self cost */
    cost_t matching_cost;
};

/* Makes a view of the functions of an input, each at its number, or of their lines, which the profile has. */
void view_of_functions(struct view *view, const struct contents *shown);
void view_of_lines(struct view *view, const struct contents *shown);

/* Does any pattern match? If `found` is not NULL, sets found[i] of each one that does. */
static inline bool row_matches(const struct view_row *row, struct function_patterns *patterns, bool *found)
{
    return function_matches(patterns, (const struct text[]){row->name, row->file, row->object}, found);
}

/* It is an error if a pattern matches none of all rows, nor of `base`, which may be NULL; to hide them, a warning. */
void view_check_patterns(const struct view *view, const struct view *base, const struct cg2wg_view *options,
                         struct diag *diag);

/* A name as it is shown. `*forms`, at first NULL, has the short forms of long names, which many functions may share. */
struct text view_name(const struct names *names, uint32_t name, struct text **forms);

/* It is an error if a stream has more than shown->most_bytes, of `what`; `member` may help. To be called by row. */
void view_check_size(FILE *stream, const struct contents *shown, const char *what, enum cg2wg_member member);

/* Chooses and sorts the rows that are shown; by_function: those that options->functions match, as if these were all. */
void view_choose(struct view *view, const struct cg2wg_view *options, bool by_function);

int view_by_name(const void *left, const void *right); /* the order of rows, for qsort */

/* How many rows there are from the first to the end or, if they are of equal calls, how many calls. */
uint64_t view_count(const struct view *view, size_t first, size_t end);

/* How many events there are, and each of them: the first one has the number 0. */
size_t view_event_count(const struct view *view);
struct view_event view_event(const struct view *view, size_t number);

/* A number of a row, and whether it is known. A measure of another event is MEASURES times its number more. */
int64_t view_cost(const struct view *view, const struct view_row *row, int measure);
bool view_has(const struct view *view, int measure);

/* Values of columns: a number of a row, of that measure, or what it is in percent of the total. `of`: a view. */
struct value view_number(const void *of, const void *row, int measure);
struct value view_percent(const void *of, const void *row, int measure);

struct columns view_columns(const struct view *view); /* of functions, or of lines */

/* A heading: the event's name, with what else its costs are. */
const char *view_event_heading(struct text event, const char *suffix);

/* Do the columns of several events have this measure of each? CSV has all; a table, the one that it is sorted by. */
bool view_shows(const struct cg2wg_view *options, enum measure measure);

/* If there are several events: prints as members of JSON what they are, and a row's values of each in those columns. */
void view_print_json_events(struct json *json, const struct view *view);
void view_print_json_costs(struct json *json, const struct view *view, const struct view_row *row,
                           const struct column *columns, size_t count);

/* Prints that inclusive costs count recursion more than once, if an input's do. `base`: or NULL. */
void view_print_recursion(FILE *stream, const struct contents *shown, const struct contents *base);

/* The headings of names, which say what the rows are, and of what is counted: "calls" or "samples". */
const char *view_rows(const struct view *view);
const char *view_counts(const struct view *view);

/* Has a row of differences changed by more than its margin? */
bool view_has_changed(const struct view *view, const struct view_row *row, enum measure measure);

/* Prints a row and its name, or the headings if it is NULL. Returns the width before the name. */
size_t view_print_row(const struct table *table, const struct view_row *row);

/* Makes a table fit a terminal: while names have too little room, it loses columns. */
void view_fit(const struct view *view, struct table *table);

/* Prints the rows that are shown: with headings, as CSV, or as Markdown, which says how many others there are. */
void view_print(const struct view *view, struct table *table);
void view_print_csv(FILE *stream, const struct view *view, const struct columns *columns);
void view_print_markdown(FILE *stream, const struct view *view, const struct columns *columns);

/* Prints a total as members of JSON, or what there is beside it. */
void view_print_json_total(struct json *json, const struct view_total *total);
void view_print_notes(const struct table *table, struct quantity quantity, const struct view_total *total);

/* Prints how many rows are left out, if any, and their share: `... and 3 more, with 1.20 % of the total`. */
void view_print_rest(FILE *stream, size_t room, const struct view *view);

/* The same as an object of JSON, or that of the rows that match; its first member is the number of `kind`. */
void view_print_json_part(struct json *json, const char *key, const struct view *view, const char *kind, bool is_rest);

/* Prints name, file and object of a row as members of JSON; `with_line`: its line before the object. */
void view_print_json_names(struct json *json, const struct view_row *row, bool with_line);

/* ---- views ---------------------------------------------------------------------------------- */

/* Prints an input, or how it differs from `base`, if that is not NULL. Returns whether costs grew beyond limits. */
typedef bool view_printer(FILE *stream, const struct cg2wg_view *options, struct contents *shown,
                          struct contents *base);

view_printer print_rows; /* functions, perhaps with callers and callees, or lines: a table, JSON, CSV, a plot, a page */
view_printer print_stacks, print_tree, print_picture; /* see stacks.h */
view_printer print_callgrind;                         /* the callgrind format: see callgrind.c. The profile has lines */
view_printer print_pprof;                             /* what google/pprof reads: see pprof.c. It frees the contexts */
view_printer print_dot;                               /* the call graph for graphviz: see dot.c */

/*
 * A text in a picture, of at most so many letters, at least 1: an ellipsis replaces the end of a longer one. As XML has
 * it, or, is_dot, a label of graphviz between quotes, which has escapes and the entities of HTML.
 */
void picture_print(FILE *stream, struct text text, size_t letters, bool is_dot);

/* ---- runs --------------------------------------------------------------------------------- */

/* Self and inclusive costs of several runs. */
enum { SPREAD_MEASURES = 2 };
struct view_runs {
    const struct diag *diag;    /* which names the input at hand */
    enum cg2wg_group by;        /* what is shown */
    enum cg2wg_summary summary; /* what totals of all inputs are made with */
    struct moments {
        double mean, squares; /* of the differences from the mean, their sum; in the runs that have the function */
        double last;          /* the value of the last of these, which is still to be added */
        size_t count, run;    /* how many have been added; the number of the last one, from 1 */
    } (*functions)[SPREAD_MEASURES]; /* the totals, and then by number, multiplied by the factor of the event's unit */
    size_t function_count, count;    /* the latter: of runs */
    size_t capacity;
    struct names groups;      /* of functions, if these are what is shown */
    struct view_parts *parts; /* of a page: what each cost; NULL: not wanted */
};

/* Runs, threads and processes. Costs are multiplied by the factor of the event's unit, as above. */
struct view_parts {
    bool are_several;  /* inputs */
    bool is_asked_for; /* some kind of them */
    struct names names;
    struct view_part {
        enum cg2wg_group by;
        uint32_t name, top; /* the latter: the function that costs most, or NONE */
        bool has_inclusive; /* costs in it have */
        bool is_left_out;
        double total;
        uint64_t calls; /* or samples; 0: unknown */
    } *all;
    size_t count, capacity, of[PART_KINDS]; /* of each kind */
    struct part_cost {                      /* what functions cost in them, without the smallest costs */
        uint32_t part, function;
        double costs[SPREAD_MEASURES];
    } *costs;
    size_t cost_count, cost_capacity;
    double least; /* the largest of those that are left out; these are not less */
};

/* Parts are shown if there are several of their kind, or if that kind is asked for. */
static inline bool view_part_is_shown(const struct view_parts *parts, const struct view_part *part,
                                      enum cg2wg_group asked)
{
    return (part->by == asked || parts->of[part->by - CG2WG_GROUP_RUN] > 1) && !part->is_left_out;
}

/* Leaves out all but so many of the largest parts, and of functions in them all but ten times as many costs. */
void view_parts_limit(struct view_parts *parts, enum cg2wg_group asked, size_t most);

/* Adds an input as a run, unless it consists of several, and the parts that it lists; to be called by view_runs_add. */
void view_parts_add(struct view_parts *parts, struct text name, const struct contents *input,
                    const uint32_t *renumbered, const struct view *view, double factor);

/* Adds an input that has been merged: its function i is renumbered[i] in the sum now, or if that is NULL, i. */
void view_runs_add(void *view_runs, const struct contents *sum, const struct contents *part,
                   const uint32_t *renumbered);

/* ---- differences -------------------------------------------------------------------------- */

/* The two inputs. That of --base, the second one, is opened and printed first. */
enum { NOW, BASE, SIDES };

struct side {
    struct contents *shown;
    struct view view;
    uint64_t factor;         /* by which its costs have been multiplied */
    uint64_t *event_factors; /* by which costs of the other events are to be multiplied */
    uint64_t per;            /* by which costs are divided to be compared: runs, or 1; at most INT64_MAX */
    double total;            /* what percentages are relative to, for a run */
    double error;            /* how much a cost that was divided may be off */
    const uint32_t *numbers; /* in a page: of the view's rows, for each function; NULL: the function's own */
};

/* The standard deviation of an input's costs, as they are compared: at 0 the totals, then by rows. Of one run: 0. */
double spread_deviation(const struct side *side, size_t number, size_t measure);

/*
 * How much the costs of such numbers may differ by chance: half of the 95 % confidence interval of Welch's t test, or
 * if one side is a single run, of Student's. 0: neither has several runs.
 */
double spread_margin(const struct side *sides, size_t now, size_t base, size_t measure);

struct differences {
    const struct cg2wg_view *options;
    struct side sides[SIDES];
    struct pair { /* a function of one of the inputs, or of both, and how much its costs have changed */
        const struct view_row *now, *base; /* NULL: it has none */
        int64_t changes[MEASURES];
        double margins[SPREAD_MEASURES]; /* of SELF and INCLUSIVE: what may come from the spread of runs */
        bool is_within;                  /* changes are within these margins */
    } *pairs;         /* those of the input in its order, then those that only the base has, in its */
    struct view view; /* of changes, chosen and sorted by their sizes; numbers are those of pairs */
    size_t unchanged;
    int64_t change;   /* of the totals; 0 if it may come from rounding */
    bool is_within;   /* its margin, of several runs */
    int64_t rounding; /* how much the difference of two costs may be off */
    double margin;    /* of the totals, like those of pairs */
    bool has_runs;    /* there are margins */
    bool is_per_run;  /* costs and counts are divided by the numbers of runs */
    bool has_grown;   /* the total, by more than options->fail_above percent, or a function, by more than its limit */
};

/* A row of a view in one of the inputs; NULL: it has none. */
static inline const struct view_row *view_row_in(const struct view *view, const struct view_row *row, bool is_base)
{
    const struct pair *pair = view->differences != NULL ? &view->differences->pairs[row->number] : NULL;
    return pair == NULL ? row : is_base ? pair->base : pair->now;
}

/*
 * Compares two inputs, and chooses the rows that are shown. A function is the same in both if its name, file and object
 * are; of the others, those with the same name and file; and then those with the same name.
 */
void differences_init(struct differences *differences, const struct cg2wg_view *options, struct contents *now,
                      struct contents *base);

void print_differences(FILE *stream, const struct differences *differences);

int64_t margin_as_cost(double margin); /* what may come from the spread of runs */

/* A number as it is compared, rounded; side_converted: that is not yet multiplied by the factor of its side. */
uint64_t side_average(const struct side *side, uint64_t number);
int64_t side_cost(const struct side *side, int64_t cost);
cost_t side_converted(const struct side *side, cost_t cost);

/* The difference of two numbers in the unit of both, for a run, rounded once; 0 if it is not above `rounding`. */
int64_t difference_of(const struct differences *differences, int64_t now, int64_t base, int64_t rounding);

/* ---- costs by input size, and the growth that fits them best ------------------------------- */

struct size_view {
    const struct view *view;
    struct size_row {                        /* of each row of the view */
        const struct cg2wg_size_cost *costs; /* by size */
        size_t count;
        struct growth_fit fit;
    } *rows;
    struct table table; /* of a function's costs */
};

/* Fits the average costs of the functions that are shown. Adds the columns that sum them up to those of the view. */
void sizes_init(struct size_view *sizes, const struct contents *shown, const struct view *view, FILE *stream,
                const struct cg2wg_view *options, struct columns *of_view);

/* Prints the costs of a function by size: in a table (NULL: its headings), or as members of JSON with the growth. */
void sizes_print(const struct size_view *sizes, const struct view_row *row);
void sizes_print_json(const struct size_view *sizes, struct json *json, const struct view_row *row);

void sizes_plot(const struct size_view *sizes); /* with the name and the sums of each function */

/* ---- other styles ------------------------------------------------------------------------- */

/* Prints an event of a page: see page.c. Sorts the rows shown by name. */
void print_page(FILE *stream, const struct cg2wg_view *options, struct contents *shown, struct view *view);

void print_page_around(FILE *stream, bool is_end); /* up to its data, or what follows them */

#endif
