#include "write/scale.h"

#include <inttypes.h>

/* The units that webgrind knows: Time, and Time_(10ns) wherever it sees that name. */
enum { TEN_NANOSECONDS = 10, TENS_PER_MICROSECOND = NANOSECONDS_PER_MICROSECOND / TEN_NANOSECONDS };

uint64_t scale_total(cost_t total, uint64_t divisor)
{
    uint64_t value = total > 0 ? (uint64_t)total : 0, rest = value % divisor;
    return value / divisor + (rest >= divisor - rest);
}

void scale_init(struct scale *scale, uint64_t wanted, struct profile *profile, struct contexts *contexts,
                bool with_call_costs, struct diag *diag)
{
    struct names *names = &profile->names;
    struct text name = names_text(names, profile->event);
    *scale = (struct scale){.profile = profile, .diag = diag, .unit = unit_of(name), .event = name,
                            .speaks_of_event = profile->speaks_of_event};
    struct unit *unit = &scale->unit;
    uint64_t divisor = wanted, known_divisor = 1;
    /*
     * A time that webgrind does not know becomes one that it knows. Tens of nanoseconds and their multiples do not
     * change: Xdebug writes them, and so does cg2wg with --scale.
     */
    if (unit->is_time && (unit->factor % TEN_NANOSECONDS != 0 || unit_name(names, *unit) != profile->event)) {
        bool is_whole = unit->factor % NANOSECONDS_PER_MICROSECOND == 0;
        uint64_t known = is_whole ? NANOSECONDS_PER_MICROSECOND : TEN_NANOSECONDS;
        uint64_t factor, rest;
        unit_factors(*unit, (struct unit){.factor = known}, &factor, &rest);
        if (rest == 1 || wanted != 1) {
            unit_multiply(profile, contexts, factor, diag);
            unit->factor = known;
            known_divisor = rest;
            scale->speaks_of_event = true;
            name = text_of("", 0);
        }
    }
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
        bool is_ten_nanoseconds = unit->is_time && unit->factor == TEN_NANOSECONDS;
        for (divisor = 1; scale_total(largest, known_divisor * divisor) > UINT32_MAX;)
            divisor *= is_ten_nanoseconds && divisor == 1 ? TENS_PER_MICROSECOND : 10;
    }
    scale->divisor = known_divisor * divisor;
    scale->speaks_of_event |= scale->divisor != 1;
    if (divisor != 1 || text_is_empty(name)) {
        if (__builtin_mul_overflow(unit->factor, divisor, &unit->factor))
            *unit = (struct unit){name, divisor, false}; /* the factor stays in two parts */
        else if (text_is_empty(unit->base) && !unit->is_time)
            unit->base = text_of_string("Cost");
        scale->event = names_text(names, unit_name(names, *unit));
    }
    /* A message may shorten the base, but not what follows. */
    struct text base = {scale->event.at, unit->is_time ? scale->event.at : scale->event.at + text_length(unit->base)};
    if (divisor != 1)
        diag_note(diag, 0, "all costs are divided by %" PRIu64 "%s; the event is now " TEXT_FMT "%.*s", divisor,
                  wanted == 0 ? " so that they fit 32 bits" : "", TEXT_ARG(base), (int)(scale->event.end - base.end),
                  base.end);
}

uint32_t scale_any(struct scale *scale, uint32_t function, const char *what, bool is_negative, uint64_t number)
{
    struct function *f = &scale->profile->functions[function];
    uint32_t written = is_negative ? 0 : (uint32_t)MIN(number, UINT32_MAX);
    if (!is_negative && number <= UINT32_MAX)
        return written;
    if ((f->flags & FUNCTION_IS_WARNED_OF) == 0)
        diag_warning(scale->diag, 0, "%s of function " TEXT_FMT " does not fit 32 bits; %" PRIu32
                     " is written instead", what, TEXT_ARG(names_text(&scale->profile->names, f->name)), written);
    f->flags |= FUNCTION_IS_WARNED_OF;
    return written;
}
