/*
 * Prints a preprocessed file as a page of HTML, which needs nothing but a browser. The page itself is
 * made of the files in src/cli/page; its data are JSON, in columns, which page.js describes. They
 * stand in a block that no browser executes, and `<` is escaped in them, so that no name can end it.
 */
#ifndef CG2WG_VIEW_PAGE_H
#define CG2WG_VIEW_PAGE_H

#include "view/stack_tree.h"
#include "view/view.h"
#include "read/preprocessed_file.h"

/*
 * Prints a page with the functions of `view`, whose rows have been chosen. Without --min, those with
 * the smallest costs are left out, too, as far as necessary to keep the page below 5 MB. Calls below
 * the same limit are left out and added up. `tree` has the stacks of the same functions, by number;
 * NULL: they are unknown. Returns false when memory runs out. The caller checks
 * `stream` for errors.
 */
bool print_page(FILE *stream, const struct options *options, const struct preprocessed *p,
                const struct view *view, const struct stack_tree *tree);

#endif
