#include "model/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char time_base[] = "Time"; /* whose smallest unit is 10 ns; by itself it is 1 us */

enum { MAX_DIGITS = 20 }; /* of a measure; those of 64 bits have no more */

/* Takes the number of a name that ends in PREFIX NUMBER SUFFIX, and the three off it. */
static bool take_measure(struct text *name, const char *prefix, const char *suffix,
                         uint64_t *number)
{
    size_t suffix_length = strlen(suffix);
    struct text digits;
    bool overflow = false;
    if (text_length(*name) < suffix_length ||
        memcmp(name->end - suffix_length, suffix, suffix_length) != 0)
        return false;
    digits.end = digits.at = name->end - suffix_length;
    while (digits.at > name->at && char_is_digit(digits.at[-1]) && text_length(digits) < MAX_DIGITS)
        digits.at--;
    struct text before = {name->at, digits.at};
    size_t prefix_length = strlen(prefix);
    if (text_length(before) <= prefix_length ||
        memcmp(before.end - prefix_length, prefix, prefix_length) != 0 ||
        !text_take_number(&digits, number, &overflow) || overflow || *number == 0)
        return false;
    name->end = before.end - prefix_length;
    return true;
}

struct unit unit_of(struct text event)
{
    struct unit unit = {event, 1};
    uint64_t number;
    if (take_measure(&unit.base, "_(", "ns)", &number)) {
        if (text_equals(unit.base, time_base) && number % 10 == 0)
            return (struct unit){unit.base, number / 10};
        return (struct unit){event, 1};
    }
    if (take_measure(&unit.base, "_(x", ")", &number))
        unit.factor = number;
    if (text_equals(unit.base, time_base) &&
        __builtin_mul_overflow(unit.factor, TENS_OF_NANOSECONDS_PER_MICROSECOND, &unit.factor))
        return (struct unit){event, 1};
    return unit;
}

bool unit_is_like(struct text event, struct text other)
{
    return text_same(unit_of(event).base, unit_of(other).base);
}

struct unit unit_common(struct unit a, struct unit b)
{
    uint64_t larger = a.factor, smaller = b.factor;
    while (smaller != 0) {
        uint64_t rest = larger % smaller;
        larger = smaller;
        smaller = rest;
    }
    return (struct unit){a.base, larger};
}

void unit_suffix(struct unit unit, char suffix[UNIT_SUFFIX_SIZE])
{
    uint64_t factor = unit.factor;
    suffix[0] = '\0';
    if (text_equals(unit.base, time_base)) {
        if (factor % TENS_OF_NANOSECONDS_PER_MICROSECOND != 0) {
            snprintf(suffix, UNIT_SUFFIX_SIZE, "_(%" PRIu64 "0ns)", factor);
            return;
        }
        factor /= TENS_OF_NANOSECONDS_PER_MICROSECOND;
    }
    if (factor != 1)
        snprintf(suffix, UNIT_SUFFIX_SIZE, "_(x%" PRIu64 ")", factor);
}

bool unit_intern(struct names *names, struct unit unit, uint32_t *number)
{
    char suffix[UNIT_SUFFIX_SIZE];
    unit_suffix(unit, suffix);
    size_t length = text_length(unit.base), suffix_length = strlen(suffix);
    char *name = malloc(length + sizeof suffix);
    if (name == NULL)
        return false;
    memcpy(name, unit.base.at, length);
    memcpy(name + length, suffix, suffix_length);
    bool done = names_intern(names, text_of(name, length + suffix_length), number);
    free(name);
    return done;
}

/* False: 64 bits are too few; then it is the nearest cost that they can hold. */
static bool multiply(cost_t *cost, uint64_t factor)
{
    cost_t product;
    bool fits = factor <= INT64_MAX && !__builtin_mul_overflow(*cost, (cost_t)factor, &product);
    if (*cost == 0)
        return true;
    *cost = fits ? product : *cost < 0 ? INT64_MIN : INT64_MAX;
    return fits;
}

/* Of an invocation, whose self cost is known and stays so. */
static void multiply_self(cost_t *self, uint64_t factor)
{
    multiply(self, factor);
    if (*self == TREE_MISSING)
        ++*self;
}

bool unit_multiply(struct profile *profile, struct tree *tree, uint64_t factor)
{
    bool fit = true;
    if (factor == 1)
        return true;
    for (size_t i = 0; i < profile->function_count; i++) {
        fit &= multiply(&profile->functions[i].self, factor);
        fit &= multiply(&profile->functions[i].inclusive, factor);
        fit &= multiply(&profile->functions[i].call_cost, factor);
    }
    for (size_t i = 0; i < profile->arc_count; i++)
        fit &= multiply(&profile->arcs[i].cost, factor);
    for (size_t i = 0; i < profile->header_count; i++) {
        fit &= multiply(&profile->headers[i].total, factor);
        fit &= multiply(&profile->headers[i].self_total, factor);
    }
    for (size_t i = 0; tree != NULL && i < tree->invocation_count; i++)
        if (tree->invocations[i].self != TREE_MISSING)
            multiply_self(&tree->invocations[i].self, factor);
    for (size_t i = 0; tree != NULL && tree->inclusive != NULL && i < tree->invocation_count; i++)
        multiply(&tree->inclusive[i], factor);
    for (size_t i = 0; tree != NULL && i < tree->call_count; i++)
        multiply(&tree->calls[i].cost, factor);
    return fit;
}
