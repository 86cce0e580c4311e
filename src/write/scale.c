/* SPDX-License-Identifier: MIT */
#include "write/scale.h"

#include "model/facts.h"

#include <inttypes.h>

enum { TENS_PER_MICROSECOND = NANOSECONDS_PER_MICROSECOND / UNIT_TEN_NANOSECONDS };

/*
 * webgrind shows two units of time correctly: other times become Time, or Time_(10ns) if they are counted in parts of a
 * microsecond, for which the profile and the contexts are multiplied. Returns by what the costs must still be divided,
 * or 1. If that is not permitted, a time that needs it stays as it is.
 */
static uint64_t use_known_unit(struct profile *profile, struct contexts *contexts, bool may_divide, struct diag *diag)
{
    struct unit unit = unit_of(names_text(&profile->names, profile->event));
    uint64_t factor, rest,
        known = unit.factor % NANOSECONDS_PER_MICROSECOND == 0 ? NANOSECONDS_PER_MICROSECOND : UNIT_TEN_NANOSECONDS;
    /* Tens of nanoseconds and their multiples do not change: Xdebug writes them, and so does cg2wg with --scale. */
    if (!unit.is_time ||
        (unit.factor % UNIT_TEN_NANOSECONDS == 0 && unit_name(&profile->names, unit) == profile->event))
        return 1;
    unit_factors(unit, (struct unit){.factor = known}, &factor, &rest);
    if (rest != 1 && !may_divide)
        return 1;
    profile_multiply(profile, factor, diag);
    contexts_multiply(contexts, factor);
    unit.factor = known;
    profile->event = unit_name(&profile->names, unit);
    profile->speaks_of_event = true;
    return rest;
}

uint64_t scale_total(cost_t total, uint64_t divisor)
{
    uint64_t value = total > 0 ? (uint64_t)total : 0, rest = value % divisor;
    return value / divisor + (rest >= divisor - rest);
}

void scale_init(struct scale *scale, uint64_t wanted, struct profile *profile, struct contexts *contexts,
                bool with_call_costs, struct diag *diag)
{
    struct names *names = &profile->names;
    uint64_t known_divisor = use_known_unit(profile, contexts, wanted != 1, diag), divisor = wanted;
    struct text event = names_text(names, profile->event);
    *scale = (struct scale){.profile = profile, .diag = diag, .unit = unit_of(event)};
    struct unit *unit = &scale->unit;
    if (wanted == 0) {
        cost_t largest = 0;
        for (size_t i = 0; i < profile->function_count; i++) {
            const struct function *f = &profile->functions[i];
            largest = MAX(largest, MAX(f->self, f->inclusive));
            largest = MAX(largest, with_call_costs ? f->call_cost : 0);
        }
        for (size_t i = 0; i < profile->arc_count; i++)
            largest = MAX(largest, profile->arcs[i].cost);
        for (uint32_t i = 0; i < contexts->count; i++)
            largest = MAX(largest, contexts->items[i].inclusive);
        bool is_ten_nanoseconds = unit->is_time && unit->factor == UNIT_TEN_NANOSECONDS;
        for (divisor = 1; scale_total(largest, known_divisor * divisor) > UINT32_MAX;)
            divisor *= is_ten_nanoseconds && divisor == 1 ? TENS_PER_MICROSECOND : 10;
    }
    scale->divisor = known_divisor * divisor;
    profile->speaks_of_event |= scale->divisor != 1;
    if (divisor != 1 || text_is_empty(event)) {
        if (__builtin_mul_overflow(unit->factor, divisor, &unit->factor))
            *unit = (struct unit){event, divisor, false}; /* the factor stays in two parts */
        else if (text_is_empty(unit->base) && !unit->is_time)
            unit->base = text_of_string("Cost");
        event = names_text(names, unit_name(names, *unit));
    }
    facts_settle_event(profile, event);
    /* A message may shorten the base, but not what follows. */
    struct text base = {event.at, unit->is_time ? event.at : event.at + text_length(unit->base)};
    if (divisor != 1)
        diag_note(diag, 0, "all costs are divided by %" PRIu64 "%s; the event is now " TEXT_FMT "%.*s", divisor,
                  wanted == 0 ? " so that they fit 32 bits" : "", TEXT_ARG(base), (int)(event.end - base.end),
                  base.end);
}

uint32_t scale_any(struct scale *scale, uint32_t function, const char *what, bool is_negative, uint64_t number)
{
    struct function *f = &scale->profile->functions[function];
    uint32_t written = is_negative ? 0 : (uint32_t)MIN(number, UINT32_MAX);
    if (!is_negative && number <= UINT32_MAX)
        return written;
    if ((f->flags & FUNCTION_IS_WARNED_OF) == 0)
        diag_warning(scale->diag, 0, "%s of function " TEXT_FMT " does not fit 32 bits; %" PRIu32 " is written instead",
                     what, TEXT_ARG(names_text(&scale->profile->names, f->name)), written);
    f->flags |= FUNCTION_IS_WARNED_OF;
    return written;
}
