/* Prints what has been read: the views. */
#ifndef CG2WG_VIEW_PRINT_H
#define CG2WG_VIEW_PRINT_H

#include "view/view.h"

#include <stdio.h>

/* Prints an input in the style that the options ask for. */
void print_shown(FILE *stream, const struct cg2wg_view *options, struct shown *shown);

/*
 * Prints how an input differs from another one. A function is the same in both if its name, file and object
 * are; of the others, those with the same name and file; and then those with the same name. Returns whether
 * the total grew by more than options->fail_above percent.
 */
bool print_differences(FILE *stream, const struct cg2wg_view *options, struct shown *now, struct shown *base);

/* The most events of a page. */
enum { PAGE_EVENTS = 16 };

/*
 * A page of HTML, which needs nothing but a browser: see page.c. This prints its data of one event, for the first one
 * after the start of the page. Sorts the rows that are shown by name. `differences`, if any, are those of the rows;
 * their view is this one.
 */
struct differences;
void print_page(FILE *stream, const struct cg2wg_view *options, struct shown *shown, struct view *view,
                const struct differences *differences);

/* Prints the end of the page. */
void print_page_end(FILE *stream);

/*
 * Prints calling contexts as collapsed stacks, which flamegraph.pl, inferno, speedscope and others read: a line
 * for each distinct stack of names with a self cost above 0: the names from the root on, separated by `;`, a
 * blank, and the cost. The lines are in the order of their names. Warns of stacks with negative costs, which
 * the readers of the format reject, and of those that are too deep.
 *
 * In names, `;` becomes `:`, and a byte that is not printable `?`. A blank before a number at the end
 * becomes `_`, because readers would take the number for a cost. A name that is empty is `[unknown]`.
 */
void print_stacks(FILE *stream, struct shown *shown);

/* Prints what google/pprof reads: see pprof.c. It frees the contexts. */
void print_pprof(FILE *stream, struct shown *shown);

/* The frame for those that are too deep; see stack_tree.h. */
#define STACKS_DEEPER "[deeper]"

#endif
