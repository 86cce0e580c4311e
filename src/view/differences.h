/* How an input differs from another one: what --base prints. */
#ifndef CG2WG_VIEW_DIFFERENCES_H
#define CG2WG_VIEW_DIFFERENCES_H

#include "view/view.h"

/* One of the two inputs. */
struct side {
    struct shown *shown;
    struct view view;
    uint64_t factor; /* by which its costs have been multiplied */
    uint64_t per;    /* by which costs are divided to be compared: runs, or 1; at most INT64_MAX */
    double error;    /* how much such a cost may be off */
    const uint32_t *numbers; /* in a page: of the view's rows, for each function; NULL: the function's own */
    struct arc_lists lists;  /* in a page */
};

/* A function of one of the inputs, or of both, and how much its costs have changed. */
struct pair {
    const struct view_row *now, *base; /* NULL: it has none */
    int64_t self, inclusive, invocations;
};

struct differences {
    const struct cg2wg_view *options;
    struct side now, base;
    struct pair *pairs; /* those of the input in its order, then those that only the base has, in its */
    struct view view; /* sizes of changes, for choice and order; numbers are those of pairs */
    size_t unchanged;
    int64_t rounding; /* how much the difference of two costs may be off */
};

/* A number as it is compared, rounded. */
uint64_t side_average(const struct side *side, uint64_t number);
int64_t side_cost(const struct side *side, int64_t cost);

/* What percentages of an input are relative to. */
double side_total(const struct side *side);

/* The difference of the totals; 0 if it may come from rounding. */
double differences_total(const struct differences *d);

#endif
