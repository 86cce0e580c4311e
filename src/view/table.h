/* SPDX-License-Identifier: MIT */
/* Tables. On a terminal, columns are as wide as necessary, and names and paths are shortened, but numbers never. */
#ifndef CG2WG_VIEW_TABLE_H
#define CG2WG_VIEW_TABLE_H

#include "cg2wg_print.h"
#include "view/json.h"

enum { TABLE_CELL = 40, TABLE_NAME = 4100 }; /* bytes of a name, and an ellipsis before it */

/* What is in a cell. */
struct value {
    enum {
        VALUE_NONE, /* unknown: `-`, null */
        VALUE_COUNT,
        VALUE_COST,
        VALUE_CHANGE, /* of a count */
        VALUE_REAL,
        VALUE_WORD
    } kind;
    uint64_t count;
    int64_t cost; /* or change */
    double real;
    int decimals;
    const char *word;
    bool is_faint; /* it may come from chance */
};

/* Unknown if the total is not above 0. */
static inline struct value value_percent(double part, double total)
{
    return total > 0 ? (struct value){VALUE_REAL, .real = part * 100 / total, .decimals = 2}
                     : (struct value){.kind = VALUE_NONE};
}

/* The columns of a table, which are members of an object in JSON. */
struct columns {
    struct column {
        const char *heading;
        const char *key; /* in JSON; NULL: not there */
        int width;       /* without a terminal; below 0: aligned left */
        struct value (*value)(const void *of, const void *row, int what); /* that it shows of a row; NULL: nothing */
        int what;                                                         /* for `value` */
        struct text event; /* of its costs; its address is NULL: the table's */
    } *all;
    size_t count, capacity;
    const void *of;    /* for `value`: what the rows belong to */
    const char *names; /* the heading of the names that follow */
    bool are_changes;  /* numbers above 0 have a sign */
};

/* Adds columns, in memory of the task, to none or to those that were added before. */
void columns_add(struct columns *columns, const struct column *added, size_t count);

struct value column_value(const struct columns *columns, size_t column, const void *row);

/* What costs measure, if people read it in other units than programs: times, as nanoseconds, or bytes. */
struct quantity {
    enum { QUANTITY_NUMBER, QUANTITY_TIME, QUANTITY_BYTES } kind;
    uint64_t factor; /* how many nanoseconds, or bytes, a cost of 1 is */
};

struct quantity quantity_of(struct text event); /* by its name */

struct table {
    FILE *stream;
    size_t room; /* the width of the terminal; 0: not a terminal */
    struct columns columns;
    struct quantity quantity; /* of costs, on a terminal */
    struct shown_column {
        int width; /* 0: it has gone */
        struct quantity quantity;
    } few[5],
        *shown; /* by column; `few`, so that a table of calls is printed without memory, or in memory of the task */
    bool has_colour;
};

/* Begins a table of costs of that event: numbers if it is empty, or by the options. */
void table_init(struct table *table, FILE *stream, const struct cg2wg_view *options, struct columns columns,
                struct text event);

/* On a terminal: makes columns wide enough for a row that will be printed. */
void table_fit(struct table *table, const void *row);

/* Prints a row, or the headings if it is NULL. Returns how wide it is. Does not end the line. */
size_t table_print(const struct table *table, const void *row);

/* The members of JSON that say what costs are: an event, its unit, and by what numbers of that unit are divided. */
void print_json_event(struct json *json, struct text event);

/* A value, or those columns of a row that have a key, as members of JSON; and a value as a field of CSV. */
void value_print_json(struct json *json, const char *key, struct value value);
void columns_print_json(struct json *json, const struct columns *columns, const void *row);
char *value_put_csv(char at[TABLE_CELL], struct value value); /* empty: unknown. Returns where it ends */

/* A name as one. A spreadsheet would take some for formulas: these get an apostrophe before them. */
void table_print_csv_name(FILE *stream, struct text name);

/*
 * A name of at most that width, if that is enough: an address loses its zeros, a name of C++ its arguments, the last
 * ones first, and then any name its namespaces, from the left: `...::push_back(...)`, with ellipses. So does a page.
 */
struct text table_short_name(struct text name, size_t width, char buffer[TABLE_NAME]);

/* Names beside each other. Those that would be the same at their width are shown as what says where they differ. */
struct table_name {
    struct text name, shown; /* the latter is found; the same if the name need not be another one */
    size_t width;
    bool is_different;
};
void table_keep_different(struct table_name *names, size_t count);

/* The width that table_print_name has for a name. */
size_t table_name_room(size_t room, struct text name, struct text file, uint32_t line);

/* In a line of which `used` is used, prints `NAME  (FILE:LINE)`, as much as fits, the name first. Line 0: none. */
void table_print_name(FILE *stream, size_t room, size_t used, struct text name, struct text file, uint32_t line);

/* Prints a text in what is left of a line of the terminal: a path loses its start, others their middle. */
void table_print_text(FILE *stream, size_t room, size_t used, struct text t);

/* A number with its thousands grouped on a terminal. `text` has TABLE_CELL bytes. */
const char *table_number(char *text, size_t room, uint64_t number);
const char *table_signed(char *text, size_t room, int64_t number);

/* A cost, exact; on a terminal in the largest unit that it has one of, with three digits: 2.53 s, as on a page. */
const char *table_cost(char *text, size_t room, struct quantity quantity, int64_t cost);

#endif
