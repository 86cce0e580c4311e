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
    GROWTH_UNCLEAR, /* no class fits well, or only thanks to one point far from all others */
    GROWTH_CONSTANT,
    GROWTH_LOGARITHMIC, /* log n */
    GROWTH_LINEAR,      /* n */
    GROWTH_LINEARITHMIC, /* n log n */
    GROWTH_QUADRATIC,   /* n^2 */
    GROWTH_CUBIC        /* n^3 */
};

/* Two numbers are fitted: three points would say next to nothing. */
enum { GROWTH_MIN_POINTS = 4 };

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
     * From 0 to 1. Of a class that grows: how much of the variation of costs it explains (R
     * squared). Of a constant, which has nothing to explain: the mean's part of the mean square,
     * which is 1 if all costs are the same, and 1/2 if they vary by as much as they are. Of what is
     * unclear: that of the best class.
     */
    double goodness;
};

/*
 * Fits points of different sizes, in any order, in which they are afterwards, too. A class has to explain at least half of the
 * variation, allowing for the number of points (adjusted R squared), or else costs are taken to be
 * constant. Of classes that fit the same, the slowest is taken.
 *
 * The growth is unclear if the goodness is below GROWTH_LEAST_GOODNESS, or if the smallest or the largest
 * size is farther from the others than these are from each other and they have another class without it.
 */
struct growth_fit growth_fit(struct growth_point *points, size_t count);

/* The cost that a fit tells for a size; 0 if the growth is unknown or unclear. */
double growth_cost(const struct growth_fit *fit, double size);

/* `n log n`; "" if the growth is unknown. */
const char *growth_name(enum growth growth);

#endif
