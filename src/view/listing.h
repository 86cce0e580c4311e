/* SPDX-License-Identifier: MIT */
/* The source of functions, with what each line costs and calls. */
#ifndef CG2WG_VIEW_LISTING_H
#define CG2WG_VIEW_LISTING_H

#include "model/line_costs.h"
#include "view/code.h"
#include "view/view.h"

struct listing {
    struct table table; /* of lines; its room, unit and stream are those of the functions' table */
    struct table calls; /* the same, without self costs */
    struct view view;   /* of lines */
    struct ordered_lines lines;
    struct code code;
    const struct view *functions; /* by number, for the names of what is called */
};

/* `table` is the functions', and `functions` has a row for each of them. */
void listing_init(struct listing *listing, const struct table *table, const struct cg2wg_view *options,
                  struct contents *shown, const struct view *functions);

/*
 * Prints, for each file that has code of the function, its own first, the lines from the first to the last one with a
 * cost, and below each what it calls. Of a file that is not found, it prints the lines with costs.
 */
void listing_print(struct listing *listing, uint32_t function);

/* Prints the code of a row of lines, if it is found, below what has been printed of it after `used` columns. */
void listing_print_line(struct listing *listing, size_t used, const struct view_row *row);

#endif
