/* SPDX-License-Identifier: MIT */
/* The growth that is recognised in points made from it, with and without noise. */
#include "support.h"

#include "view/growth.h"

#include <math.h>
#include <string.h>

enum { MAX_POINTS = 200, SEEDS = 100 };

/* The classes once more, by the mathematics library. */
static double value(enum growth growth, double n)
{
    double logarithm = n > 1 ? log2(n) : 0;
    const double values[] = {0, 0, 0, logarithm, n, n * logarithm, n * n, n * n * n};
    return values[growth];
}

/* Points from `first` on, `step` apart; each cost is off by up to so many percent, either way. */
static size_t make_points(struct growth_point *points, size_t count, enum growth growth, double base, double factor,
                          double first, double step, unsigned percent, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        double size = first + step * (double)i;
        double off = ((double)random_below(&seed, 2001) / 1000 - 1) * percent / 100;
        points[i] = (struct growth_point){size, (base + factor * value(growth, size)) * (1 + off)};
    }
    return count;
}

static void assert_near(double found, double expected)
{
    double apart = fabs(found - expected);
    if (apart > 1e-6 * fabs(expected) + 1e-6)
        fail_msg("found %g, expected %g", found, expected);
}

static void classes_are_recognised(void **state)
{
    struct growth_point points[MAX_POINTS];
    static const struct {
        double first, step;
        size_t count;
    } sizes[] = {{1, 1, 20}, {0, 3, 50}, {100, 57, 200}, {1, 1, 5}, {1e6, 12345678, 40}};
    for (enum growth g = GROWTH_CONSTANT; g <= GROWTH_CUBIC; g++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            size_t count = make_points(points, sizes[i].count, g, 40, 7, sizes[i].first, sizes[i].step, 0, 1);
            struct growth_fit fit = growth_fit(points, count);
            assert_int_equal(fit.growth, g);
            assert_near(fit.goodness, 1);
            assert_near(fit.factor, g == GROWTH_CONSTANT ? 0 : 7);
            for (size_t k = 0; k < count; k++)
                assert_near(growth_cost(&fit, points[k].size), points[k].cost);
        }
}

/* How many of all seeds lead to the growth that the points were made of. */
static unsigned recognised(enum growth growth, double base, double factor, unsigned percent)
{
    struct growth_point points[MAX_POINTS];
    unsigned good = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        size_t count = make_points(points, MAX_POINTS, growth, base, factor, 1, 25, percent, seed * 7919);
        good += growth_fit(points, count).growth == growth;
    }
    return good;
}

static void classes_are_recognised_in_noise(void **state)
{
    for (enum growth g = GROWTH_CONSTANT; g <= GROWTH_CUBIC; g++) {
        double base = g == GROWTH_CONSTANT ? 300 : 10;
        assert_int_equal(recognised(g, base, 7, 1), SEEDS);
        assert_int_equal(recognised(g, base, 7, 3), SEEDS);
        assert_true(recognised(g, base, 7, 10) >= SEEDS * 95 / 100);
    }
}

static void noise_alone_does_not_grow(void **state)
{
    /* The mean's part of the mean square: with 80 % off 1 / (1 + 0.8^2 / 3) = 0.82, with 90 % 0.79. */
    assert_int_equal(recognised(GROWTH_CONSTANT, 300, 0, 70), SEEDS);
    struct growth_point many[MAX_POINTS];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        size_t count = make_points(many, MAX_POINTS, GROWTH_CONSTANT, 300, 0, 1, 25, 90, seed * 7919);
        enum growth found = growth_fit(many, count).growth;
        assert_true(found == GROWTH_CONSTANT || found == GROWTH_UNCLEAR);
    }
    /* A few points may happen to be on one line. */
    struct growth_point points[8];
    unsigned constant = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        constant += growth_fit(points, make_points(points, 8, GROWTH_CONSTANT, 300, 0, 1, 1, 50,
                                                   seed * 7919)).growth == GROWTH_CONSTANT;
    assert_true(constant >= SEEDS * 90 / 100);
}

static void what_falls_is_constant(void **state)
{
    struct growth_point points[20];
    for (size_t i = 0; i < 20; i++)
        points[i] = (struct growth_point){(double)i, 1000 - 10 * (double)i};
    struct growth_fit fit = growth_fit(points, 20);
    assert_int_equal(fit.growth, GROWTH_CONSTANT);
    assert_near(fit.base, 905);
    /* The mean is 905, the variance 100 * (20^2 - 1) / 12. */
    assert_near(fit.goodness, 905.0 * 905 / (905.0 * 905 + 3325));
}

static void goodness_is_r_squared(void **state)
{
    /*
     * The line through these has Sxy = Sxx = 1000, so factor 1 and base 20.2 - 20; it leaves
     * 3 * 0.8^2 + 2 * 1.2^2 = 4.8 of 1004.8.
     */
    struct growth_point points[] = {{0, 1}, {10, 9}, {20, 21}, {30, 29}, {40, 41}};
    struct growth_fit fit = growth_fit(points, 5);
    assert_int_equal(fit.growth, GROWTH_LINEAR);
    assert_near(fit.base, 0.2);
    assert_near(fit.factor, 1);
    assert_near(fit.goodness, 1 - 4.8 / 1004.8);
}

static void what_fits_badly_is_unclear(void **state)
{
    static const struct {
        double off;
        enum growth growth;
    } cases[] = {{0.3, GROWTH_LINEAR}, {0.6, GROWTH_UNCLEAR}, {0.8, GROWTH_CONSTANT}};
    /*
     * The line through these has Sxy = Sxx = 10, so factor 1; they are off it by -a, 2a, -2a, 2a, -a, so R
     * squared is 10 / (10 + 14 a^2), which another class may exceed a little. Of 0.8, the adjusted one is below 0.44.
     */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double a = cases[i].off, line = 10 / (10 + 14 * a * a);
        struct growth_point points[] = {{1, 11 - a}, {2, 12 + 2 * a}, {3, 13 - 2 * a}, {4, 14 + 2 * a}, {5, 15 - a}};
        struct growth_fit fit = growth_fit(points, 5);
        assert_int_equal(fit.growth, cases[i].growth);
        assert_true(fit.growth == GROWTH_CONSTANT || (fit.goodness >= line && fit.goodness < line + 0.05));
        assert_true(fit.growth == GROWTH_UNCLEAR ? growth_cost(&fit, 3) == 0 : fit.base > 0);
    }
}

static void one_far_point_is_unclear(void **state)
{
    /* Nine sizes whose costs go up and down, and one far off on either side. */
    struct growth_point points[] = {{101, 52}, {102, 48}, {103, 51}, {104, 49}, {105, 52},
                                    {106, 48}, {107, 51}, {108, 49}, {109, 50}, {1000, 500}};
    enum { COUNT = sizeof points / sizeof points[0] };
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_UNCLEAR);
    assert_int_equal(growth_fit(points, COUNT - 1).growth, GROWTH_CONSTANT);
    memmove(points + 1, points, (COUNT - 1) * sizeof *points);
    points[0] = (struct growth_point){1, 2};
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_UNCLEAR);
    /* What says the same as the others decides nothing, and what is near is not far. */
    memmove(points, points + 1, (COUNT - 1) * sizeof *points);
    points[COUNT - 1] = (struct growth_point){1000, 50};
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_CONSTANT);
    for (enum growth g = GROWTH_LOGARITHMIC; g <= GROWTH_CUBIC; g++) {
        for (size_t i = 0; i < COUNT; i++)
            points[i].cost = 40 + 7 * value(g, points[i].size = (double)(1 << i));
        assert_int_equal(growth_fit(points, COUNT).growth, g);
    }
}

/* A size is far if it is more distant from the others than these are from each other. */
static void far_begins_after_the_distance_of_the_others(void **state)
{
    enum { COUNT = 12 };
    struct growth_point points[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        points[i] = (struct growth_point){(double)i, i % 2 == 0 ? 50 : 51};
    points[COUNT - 1] = (struct growth_point){20, 500}; /* others: 0 to 10 */
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_CUBIC);
    points[COUNT - 1].size = 21;
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_UNCLEAR);
    for (size_t i = 1; i < COUNT; i++)
        points[i] = (struct growth_point){(double)(12 + i), i % 2 == 0 ? 51 : 50};
    points[0] = (struct growth_point){3, 0}; /* others: 13 to 23 */
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_LOGARITHMIC);
    points[COUNT - 1].size = 22;
    assert_int_equal(growth_fit(points, COUNT).growth, GROWTH_UNCLEAR);
}

static void few_points_show_nothing(void **state)
{
    struct growth_point points[] = {{1, 1}, {2, 2}, {3, 3}, {4, 4}};
    for (size_t count = 0; count < GROWTH_MIN_POINTS; count++) {
        struct growth_fit fit = growth_fit(points, count);
        assert_int_equal(fit.growth, GROWTH_UNKNOWN);
        assert_near(growth_cost(&fit, 5), 0);
    }
    assert_int_equal(growth_fit(points, 4).growth, GROWTH_LINEAR);
}

static void no_costs_are_constant(void **state)
{
    struct growth_point points[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
    struct growth_fit fit = growth_fit(points, 4);
    assert_int_equal(fit.growth, GROWTH_CONSTANT);
    assert_near(growth_cost(&fit, 5), 0);
    assert_near(fit.goodness, 1);
}

/* The largest numbers that there are, and none at all. */
static void any_numbers_can_be_fitted(void **state)
{
    static const double numbers[] = {0, 1, 2, 9223372036854775807.0, 18446744073709551615.0};
    enum { COUNT = sizeof numbers / sizeof numbers[0] };
    struct growth_point points[COUNT];
    uint64_t random = 9;
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < COUNT; i++)
            points[i] = (struct growth_point){numbers[random_below(&random, COUNT)],
                                              numbers[random_below(&random, COUNT)]};
        struct growth_fit fit = growth_fit(points, COUNT);
        assert_true(fit.goodness >= 0 && fit.goodness <= 1);
        assert_true(isfinite(fit.base) && isfinite(fit.factor) && fit.factor >= 0);
        assert_true(isfinite(growth_cost(&fit, 18446744073709551615.0)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_recognised),    cmocka_unit_test(classes_are_recognised_in_noise),
        cmocka_unit_test(noise_alone_does_not_grow), cmocka_unit_test(what_falls_is_constant),
        cmocka_unit_test(goodness_is_r_squared),     cmocka_unit_test(what_fits_badly_is_unclear),
        cmocka_unit_test(one_far_point_is_unclear),  cmocka_unit_test(far_begins_after_the_distance_of_the_others),
        cmocka_unit_test(few_points_show_nothing),   cmocka_unit_test(no_costs_are_constant),
        cmocka_unit_test(any_numbers_can_be_fitted),
    };
    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
