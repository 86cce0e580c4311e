#include "webgrind/scale.h"

#include <inttypes.h>
#include <stdio.h>

/* Xdebug 3's event, of which webgrind makes microseconds wherever it sees the name. */
static const char ten_nanoseconds[] = "Time_(10ns)";

static void raise_to(cost_t *largest, cost_t value)
{
    if (value > *largest)
        *largest = value;
}

/* The largest cost that is going to be written. */
static cost_t largest_cost(const struct profile *profile, const struct tree *tree,
                           bool with_call_costs)
{
    cost_t largest = 0;
    for (size_t i = 0; i < profile->function_count; i++) {
        raise_to(&largest, profile->functions[i].self);
        raise_to(&largest, profile->functions[i].inclusive);
        if (with_call_costs)
            raise_to(&largest, profile->functions[i].call_cost);
    }
    for (size_t i = 0; i < profile->arc_count; i++)
        raise_to(&largest, profile->arcs[i].cost);
    for (uint32_t i = 0; tree != NULL && i < tree->invocation_count; i++)
        raise_to(&largest, tree_inclusive(tree, i));
    return largest;
}

/* Rounded to nearest; a half goes up. The divisor is 1 or more. */
static uint64_t divide(uint64_t value, uint64_t divisor)
{
    uint64_t rest = value % divisor;
    return value / divisor + (rest >= divisor - rest);
}

static uint64_t smallest_divisor(cost_t largest, bool is_ten_nanoseconds)
{
    uint64_t divisor = 1;
    while (divide((uint64_t)largest, divisor) > UINT32_MAX)
        divisor *= 10;
    if (divisor == 10 && is_ten_nanoseconds)
        divisor = TENS_OF_NANOSECONDS_PER_MICROSECOND;
    return divisor;
}

/* The name under which divided costs are true. A factor beyond 64 bits is left in two parts. */
static void name_event(struct scale *scale)
{
    struct text name = names_text(&scale->profile->names, scale->profile->event);
    struct unit unit = unit_of(name);
    scale->event = name;
    if (scale->divisor == 1 && !text_is_empty(name))
        return;
    if (__builtin_mul_overflow(unit.factor, scale->divisor, &unit.factor)) {
        snprintf(scale->suffix, sizeof scale->suffix, "_(x%" PRIu64 ")", scale->divisor);
        return;
    }
    if (text_is_empty(unit.base))
        unit.base = text_of_string("Cost");
    scale->event = unit.base;
    unit_suffix(unit, scale->suffix);
}

void scale_init(struct scale *scale, uint64_t wanted, struct profile *profile,
                const struct tree *tree, bool with_call_costs, struct diag *diag)
{
    bool is_ten_nanoseconds =
        text_equals(names_text(&profile->names, profile->event), ten_nanoseconds);
    *scale = (struct scale){.profile = profile, .diag = diag, .divisor = wanted};
    if (wanted == 0)
        scale->divisor = smallest_divisor(largest_cost(profile, tree, with_call_costs),
                                          is_ten_nanoseconds);
    scale->speaks_of_event = scale->divisor != 1 || profile->speaks_of_event;
    name_event(scale);
    if (scale->divisor != 1)
        diag_note(diag, 0, "all costs are divided by %" PRIu64 "%s; the event is now " TEXT_FMT "%s",
                  scale->divisor, wanted == 0 ? " so that they fit 32 bits" : "",
                  TEXT_ARG(scale->event), scale->suffix);
}

static void warn(struct scale *scale, uint32_t function, const char *what, const char *written)
{
    struct function *f = &scale->profile->functions[function];
    if ((f->flags & FUNCTION_IS_WARNED_OF) != 0)
        return;
    f->flags |= FUNCTION_IS_WARNED_OF;
    struct text name = names_text(&scale->profile->names, f->name);
    diag_warning(scale->diag, 0, "%s of function " TEXT_FMT " does not fit 32 bits; %s is written instead",
                 what, TEXT_ARG(name), written);
}

uint32_t scale_any_cost(struct scale *scale, uint32_t function, cost_t value)
{
    if (value < 0) {
        warn(scale, function, "a negative cost", "0");
        return 0;
    }
    uint64_t divided = divide((uint64_t)value, scale->divisor);
    if (divided > UINT32_MAX) {
        warn(scale, function, "a cost", "4294967295");
        return UINT32_MAX;
    }
    return (uint32_t)divided;
}

uint32_t scale_count(struct scale *scale, uint32_t function, uint64_t value)
{
    if (value > UINT32_MAX) {
        warn(scale, function, "a count", "4294967295");
        return UINT32_MAX;
    }
    return (uint32_t)value;
}

uint64_t scale_total(const struct scale *scale, cost_t total)
{
    return total > 0 ? divide((uint64_t)total, scale->divisor) : 0;
}
