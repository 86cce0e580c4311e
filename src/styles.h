/* SPDX-License-Identifier: MIT */
/* The styles in which inputs are printed: one table, a row for each. */
#ifndef CG2WG_STYLES_H
#define CG2WG_STYLES_H

#include "read/input.h"
#include "view/view.h"

struct style {
    struct cg2wg_style_facts facts;
    const char *kind;    /* what a message calls a file in this style: `a table by cg2wg` */
    const char *pattern; /* how such a file begins: see text_matches */
    unsigned wants;      /* of an input, besides functions: WANTS_... */
    view_printer *print;
};

const struct style *style_of(enum cg2wg_style style);

/* What a view needs of an input: the wants of its style, and what its members add to them. */
unsigned style_wants(const struct cg2wg_view *view);

/* Does a file that begins like this seem to have been printed in that style? */
bool style_begins(enum cg2wg_style style, struct text head);

#endif
