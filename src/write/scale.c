#include "write/scale.h"

#include <inttypes.h>

/* The units that webgrind knows: Time, and Time_(10ns) wherever it sees that name. */
enum { TEN_NANOSECONDS = 10, TENS_PER_MICROSECOND = NANOSECONDS_PER_MICROSECOND / TEN_NANOSECONDS };

static void raise_to(cost_t *largest, cost_t value)
{
    if (value > *largest)
        *largest = value;
}

/* The largest cost that will be written. */
static cost_t largest_cost(const struct profile *profile, const struct tree *tree, bool with_call_costs)
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

/*
 * Converts a time to one that webgrind knows, which changes the name. Returns the divisor for its
 * costs. Tens of nanoseconds and their multiples do not change: Xdebug writes them, and so does
 * cg2wg with --scale.
 */
static uint64_t use_known_time(struct scale *scale, struct text *name, struct tree *tree, bool may_divide)
{
    struct unit *unit = &scale->unit;
    struct names *names = &scale->profile->names;
    if (!unit->is_time ||
        (unit->factor % TEN_NANOSECONDS == 0 && unit_name(names, *unit) == scale->profile->event))
        return 1;
    uint64_t known = unit->factor % NANOSECONDS_PER_MICROSECOND == 0 ? NANOSECONDS_PER_MICROSECOND
                                                                     : TEN_NANOSECONDS;
    uint64_t common = unit_divisor(unit->factor, known);
    if (known != common && !may_divide)
        return 1;
    unit_multiply(scale->profile, tree, unit->factor / common, scale->diag);
    unit->factor = known;
    *name = text_of("", 0);
    scale->speaks_of_event = true;
    return known / common;
}

void scale_init(struct scale *scale, uint64_t wanted, struct profile *profile, struct tree *tree,
                bool with_call_costs, struct diag *diag)
{
    struct text name = names_text(&profile->names, profile->event);
    *scale = (struct scale){.profile = profile, .diag = diag, .unit = unit_of(name), .event = name,
                            .speaks_of_event = profile->speaks_of_event};
    struct unit *unit = &scale->unit;
    uint64_t known = use_known_time(scale, &name, tree, wanted != 1), divisor = wanted;
    if (wanted == 0) {
        uint64_t largest = (uint64_t)largest_cost(profile, tree, with_call_costs);
        bool is_ten_nanoseconds = unit->is_time && unit->factor == TEN_NANOSECONDS;
        for (divisor = 1; divide(largest, known * divisor) > UINT32_MAX;)
            divisor *= is_ten_nanoseconds && divisor == 1 ? TENS_PER_MICROSECOND : 10;
    }
    scale->divisor = known * divisor;
    scale->speaks_of_event |= scale->divisor != 1;
    if (divisor != 1 || text_is_empty(name)) {
        if (__builtin_mul_overflow(unit->factor, divisor, &unit->factor))
            *unit = (struct unit){name, divisor, false}; /* the factor stays in two parts */
        else if (text_is_empty(unit->base) && !unit->is_time)
            unit->base = text_of_string("Cost");
        scale->event = names_text(&profile->names, unit_name(&profile->names, *unit));
    }
    /* A message may shorten the base, but not what follows. */
    struct text base = {scale->event.at, unit->is_time ? scale->event.at : scale->event.at + text_length(unit->base)};
    if (divisor != 1)
        diag_note(diag, 0, "all costs are divided by %" PRIu64 "%s; the event is now " TEXT_FMT "%.*s", divisor,
                  wanted == 0 ? " so that they fit 32 bits" : "", TEXT_ARG(base), (int)(scale->event.end - base.end),
                  base.end);
}

/* What does not fit becomes `written`, with one warning for each function. */
static uint32_t replace(struct scale *scale, uint32_t function, const char *what, uint32_t written)
{
    struct function *f = &scale->profile->functions[function];
    if ((f->flags & FUNCTION_IS_WARNED_OF) == 0)
        diag_warning(scale->diag, 0, "%s of function " TEXT_FMT " does not fit 32 bits; %" PRIu32
                     " is written instead", what, TEXT_ARG(names_text(&scale->profile->names, f->name)), written);
    f->flags |= FUNCTION_IS_WARNED_OF;
    return written;
}

uint32_t scale_any_cost(struct scale *scale, uint32_t function, cost_t value)
{
    if (value < 0)
        return replace(scale, function, "a negative cost", 0);
    uint64_t divided = divide((uint64_t)value, scale->divisor);
    return divided > UINT32_MAX ? replace(scale, function, "a cost", UINT32_MAX) : (uint32_t)divided;
}

uint32_t scale_count(struct scale *scale, uint32_t function, uint64_t value)
{
    return value > UINT32_MAX ? replace(scale, function, "a count", UINT32_MAX) : (uint32_t)value;
}

uint64_t scale_total(const struct scale *scale, cost_t total)
{
    return total > 0 ? divide((uint64_t)total, scale->divisor) : 0;
}
