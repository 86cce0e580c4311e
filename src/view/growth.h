/* SPDX-License-Identifier: MIT */
/* How costs grow with the size of the input: the class of functions that fits best, by least squares. */
#ifndef CG2WG_VIEW_GROWTH_H
#define CG2WG_VIEW_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

/* From the slowest to the fastest. Logarithms have base 2; the logarithm of 0 counts as 0. */
enum growth {
    GROWTH_UNKNOWN, /* too few points */
    GROWTH_UNCLEAR, /* no class fits well, or one does only because of one point far from all others */
    GROWTH_CONSTANT,
    GROWTH_LOGARITHMIC,  /* log n */
    GROWTH_LINEAR,       /* n */
    GROWTH_LINEARITHMIC, /* n log n */
    GROWTH_QUADRATIC,    /* n^2 */
    GROWTH_CUBIC         /* n^3 */
};

extern const struct growth_class {
    const char *name; /* `n log n`; "" if the growth is unknown */
    int power;
    bool has_logarithm;
} growth_classes[]; /* by enum growth */

enum { GROWTH_MIN_POINTS = 4 }; /* two numbers are fitted, so that three points would say almost nothing */
#define GROWTH_LEAST_GOODNESS 0.8

struct growth_point {
    double size; /* at least 0 */
    double cost;
};

/* cost = base + factor * class(size). */
struct growth_fit {
    enum growth growth;
    double base, factor; /* factor: above 0; 0 if the growth is constant or unclear */
    /*
     * From 0 to 1, of the best class if the growth is unclear. For a class that grows, the part of the variation of
     * costs that it explains (R squared). For a constant, which explains none, the mean's part of the mean square.
     */
    double goodness;
};

/*
 * Fits points of different sizes, which are in ascending order. A class must explain at least half of the variation,
 * adjusted for the number of points (adjusted R squared); otherwise costs count as constant. Of classes that fit
 * equally, the slowest wins. The growth is unclear if the goodness is below GROWTH_LEAST_GOODNESS, or if the smallest
 * or the largest size is farther from the others than these are from each other and they have another class without it.
 */
struct growth_fit growth_fit(const struct growth_point *points, size_t count);

/* The cost that a fit predicts for a size; 0 if the growth is unknown or unclear. */
double growth_cost(const struct growth_fit *fit, double size);

#endif
