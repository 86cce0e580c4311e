/*
 * Tables of functions, and how they fit a terminal. There, columns are as wide as necessary,
 * thousands are grouped, and names and paths are shortened, but numbers never. Elsewhere, columns
 * have default widths, and nothing is shortened.
 */
#ifndef CG2WG_VIEW_TABLE_H
#define CG2WG_VIEW_TABLE_H

#include "util/text.h"

#include <stdio.h>

enum { TABLE_CELLS = 8, TABLE_CELL = 40 };

/* The printed numbers and words of one line. */
struct table_cells {
    char text[TABLE_CELLS][TABLE_CELL];
};

struct table {
    FILE *stream;
    size_t columns; /* of the terminal; 0: not a terminal */
    size_t indent;  /* of each line */
    size_t count;   /* of cells */
    int widths[TABLE_CELLS]; /* below 0: words, aligned left */
};

/* Begins a table with these headings, and these widths without a terminal (below 0: of words). */
void table_init(struct table *table, FILE *stream, size_t columns, const struct table_cells *headings,
                const int *usual, size_t count);

/* Sets a cell: a whole number; the same, or "-" if it is below 0; a share of a total. */
void table_set(const struct table *table, struct table_cells *cells, size_t cell, uint64_t number);
void table_set_cost(const struct table *table, struct table_cells *cells, size_t cell, int64_t cost);
void table_set_percent(struct table_cells *cells, size_t cell, double cost, double total);

/* On a terminal: makes columns wide enough for cells that will be printed. */
void table_fit(struct table *table, const struct table_cells *cells);

/* Prints cells. Returns the number of columns that they take. Does not end the line. */
size_t table_print(const struct table *table, const struct table_cells *cells);

/* Prints `NAME  (FILE:LINE)`, as much as fits after `used` columns, and ends the line; line 0: none. */
void table_print_name(FILE *stream, size_t columns, size_t used, struct text name, struct text file,
                       uint32_t line);

/* Prints the cells of a function, and then its name and place. */
void table_print_function(const struct table *table, const struct table_cells *cells, struct text name,
                          struct text file, uint32_t line);

/* Prints a text in what a terminal has after `used` columns: a path loses its start, others their middle. */
void table_print_text(FILE *stream, size_t columns, size_t used, struct text t);

/* A number with its thousands grouped on a terminal. `text` has TABLE_CELL bytes. */
const char *table_number(char *text, size_t columns, uint64_t number);
const char *table_signed(char *text, size_t columns, int64_t number);

/* A sum of costs, which may have more than 64 bits; such a one is not grouped. */
const char *table_total(char *text, size_t columns, double total);

#endif
