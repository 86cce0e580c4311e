/*
 * How costs grow with the size of what they are for: the class of functions that fits best, by
 * least squares. It needs no mathematics library.
 */
#ifndef CG2WG_UTIL_GROWTH_H
#define CG2WG_UTIL_GROWTH_H

#include <stddef.h>

/* From the slowest to the fastest. Logarithms are those to base 2; that of 0 is taken to be 0. */
enum growth {
    GROWTH_UNKNOWN, /* there are too few points */
    GROWTH_CONSTANT,
    GROWTH_LOGARITHMIC, /* log n */
    GROWTH_LINEAR,      /* n */
    GROWTH_LINEARITHMIC, /* n log n */
    GROWTH_QUADRATIC,   /* n^2 */
    GROWTH_CUBIC        /* n^3 */
};

/* Two numbers are fitted: three points would say next to nothing. */
enum { GROWTH_MIN_POINTS = 4 };

struct growth_point {
    double size; /* at least 0 */
    double cost;
};

/* cost = base + factor * class(size). */
struct growth_fit {
    enum growth growth;
    double base, factor; /* factor: above 0; 0 if the growth is constant */
    /*
     * From 0 to 1. Of a class that grows: how much of the variation of costs it explains (R
     * squared). Of a constant, which has nothing to explain: the mean's part of the mean square,
     * which is 1 if all costs are the same, and 1/2 if they vary by as much as they are.
     */
    double goodness;
};

/*
 * Fits points of different sizes, in any order. A class has to explain at least half of the
 * variation, allowing for the number of points (adjusted R squared), or else costs are taken to be
 * constant. Of classes that fit the same, the slowest is taken.
 */
struct growth_fit growth_fit(const struct growth_point *points, size_t count);

/* The cost that a fit tells for a size; 0 if the growth is unknown. */
double growth_cost(const struct growth_fit *fit, double size);

/* `n log n`; "" if the growth is unknown. */
const char *growth_name(enum growth growth);

#endif
