/* Prints calling contexts as collapsed stacks, which flamegraph.pl, inferno, speedscope and others read. */
#ifndef CG2WG_VIEW_PRINT_STACKS_H
#define CG2WG_VIEW_PRINT_STACKS_H

#include "cg2wg.h"
#include "util/diag.h"

#include <stdio.h>

/* The frame for those that are too deep; see stack_tree.h. */
#define STACKS_DEEPER "[deeper]"

/*
 * Prints a line for each distinct stack of names with a self cost above 0: the names from the root
 * on, separated by `;`, a blank, and the cost. The lines are in the order of their names. Warns of
 * stacks with negative costs, which the readers of the format reject, and of those that are too deep.
 *
 * In names, `;` becomes `:`, and a byte that is not printable `?`. A blank before a number at the end
 * becomes `_`, because readers would take the number for a cost. A name that is empty is `[unknown]`.
 *
 * Returns false, with nothing printed, when memory runs out, which it reports.
 */
bool print_stacks(FILE *stream, const struct cg2wg_stacks *stacks, struct diag *diag);

#endif
