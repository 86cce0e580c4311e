/* SPDX-License-Identifier: MIT */
#include "view/growth.h"

#include "util/text.h"

/* The part of the variation that a class must explain, and how much more than a slower one. */
#define LEAST_EXPLAINED 0.5
#define LEAST_IMPROVEMENT 1e-9

/* A base below this part of the mean cost counts as 0. */
#define ROUNDING 1e-12

const struct growth_class growth_classes[] = {
    [GROWTH_UNKNOWN] = {"", 0, false},          [GROWTH_UNCLEAR] = {"unclear", 0, false},
    [GROWTH_CONSTANT] = {"constant", 0, false}, [GROWTH_LOGARITHMIC] = {"log n", 0, true},
    [GROWTH_LINEAR] = {"n", 1, false},          [GROWTH_LINEARITHMIC] = {"n log n", 1, true},
    [GROWTH_QUADRATIC] = {"n^2", 2, false},     [GROWTH_CUBIC] = {"n^3", 3, false},
};

static double shape(enum growth growth, double size)
{
    double value = growth_classes[growth].power > 0, x = MAX(size, 1);
    if (growth_classes[growth].has_logarithm) {
        for (value = 0; x >= 2; x /= 2)
            value++;
        /* ln x = 2 artanh((x - 1) / (x + 1)), a series that ends when a term is too small to count. */
        double ratio = (x - 1) / (x + 1), power = ratio, sum = 0;
        for (int i = 1; sum + power / i != sum; i += 2) {
            sum += power / i;
            power *= ratio * ratio;
        }
        value += sum * 2.8853900817779268; /* 2 / ln 2 */
    }
    for (int i = 0; i < growth_classes[growth].power; i++)
        value *= size;
    return value;
}

static struct growth_fit best_fit(const struct growth_point *points, size_t count)
{
    struct growth_fit best = {.growth = GROWTH_UNKNOWN}, constant = best;
    double sum = 0, variation = 0, least = 0;
    for (size_t i = 0; i < count; i++)
        sum += points[i].cost;
    double mean = sum / (double)count;
    for (enum growth growth = GROWTH_CONSTANT; growth <= GROWTH_CUBIC; growth++) {
        struct growth_fit fit = {.growth = growth, .base = mean};      /* if costs do not grow with the class */
        double scale = shape(growth, points[count - 1].size);          /* keeps numbers near 1 */
        double center = 0, squares = 0, products = 0, unexplained = 0; /* the latter: of the squared residuals */
        for (size_t i = 0; i < count && scale > 0; i++)
            center += shape(growth, points[i].size) / scale / (double)count;
        for (size_t i = 0; i < count && scale > 0; i++) {
            double x = shape(growth, points[i].size) / scale - center;
            squares += x * x;
            products += x * (points[i].cost - mean);
        }
        if (squares > 0 && products > 0) {
            double base = mean - products / squares * center;
            fit.base = MAX(base, -base) < ROUNDING * mean ? 0 : base;
            fit.factor = products / squares / scale;
        }
        for (size_t i = 0; i < count; i++) {
            double rest = points[i].cost - growth_cost(&fit, points[i].size);
            unexplained += rest * rest;
        }
        if (growth == GROWTH_CONSTANT) {
            double mean_square = mean * mean + unexplained / (double)count;
            fit.goodness = mean_square > 0 ? mean * mean / mean_square : 1;
            constant = fit;
            least = variation = unexplained;
        } else if (fit.factor > 0 && least - unexplained > LEAST_IMPROVEMENT * variation) {
            best = fit;
            least = unexplained;
        }
    }
    if (variation <= 0)
        return constant;
    double adjusted = least / variation * (double)(count - 1) / (double)(count - 2);
    best.goodness = 1 - least / variation;
    return 1 - adjusted >= LEAST_EXPLAINED ? best : constant;
}

struct growth_fit growth_fit(const struct growth_point *points, size_t count)
{
    if (count < GROWTH_MIN_POINTS)
        return (struct growth_fit){.growth = GROWTH_UNKNOWN};
    struct growth_fit fit = best_fit(points, count);
    double smallest = points[0].size, second = points[1].size;
    double largest = points[count - 1].size, before = points[count - 2].size;
    /* The smallest or the largest size may be far from all others, and alone decide. */
    if (fit.goodness < GROWTH_LEAST_GOODNESS ||
        (second - smallest > largest - second && best_fit(points + 1, count - 1).growth != fit.growth) ||
        (largest - before > before - smallest && best_fit(points, count - 1).growth != fit.growth))
        fit = (struct growth_fit){.growth = GROWTH_UNCLEAR, .goodness = fit.goodness};
    return fit;
}

double growth_cost(const struct growth_fit *fit, double size)
{
    return fit->base + fit->factor * shape(fit->growth, size);
}
