/* Numbers of costs, in all forms that producers write. */
#include "frontends/callgrind/reader.h"

/*
 * Takes a cost. Some producers print negative costs as 64-bit unsigned numbers; both become the
 * same. A number of more than 64 bits becomes the nearest cost, one with a fraction the nearest
 * whole one. Cachegrind once wrote a dot for a count that does not apply.
 */
static inline bool take_cost(struct text *line, cost_t *value, struct cost_oddities *found)
{
    uint64_t number = 0;
    bool negative = *line->at == '-', is_beyond = false, round_up = false;
    struct text rest = *line;
    rest.at += negative;
    bool has_number = text_take_number(&rest, &number, &is_beyond);
    if (text_starts(rest, ".")) {
        const char *digits = ++rest.at;
        while (!text_is_empty(rest) && char_is_digit(*rest.at))
            rest.at++;
        bool has_fraction = rest.at > digits;
        if (!has_fraction && (has_number || negative))
            return false;
        round_up = has_fraction && *digits >= '5';
        found->fraction |= has_fraction;
    } else if (!has_number) {
        return false;
    }
    if (!text_is_empty(rest) && !char_is_blank(*rest.at))
        return false;
    text_skip_blanks(&rest);
    line->at = rest.at;
    count_add(&number, round_up);
    number = negative ? 0 - number : number;
    memcpy(value, &number, sizeof number);
    if (is_beyond)
        *value = negative ? INT64_MIN : INT64_MAX;
    found->overflow |= is_beyond;
    return true;
}

size_t callgrind_take_costs(struct event_costs *e, struct text *line, struct cost_oddities *found)
{
    size_t count, columns = event_costs_columns(e);
    cost_t surplus;
    for (count = 0; !text_is_empty(*line); count++)
        if (!take_cost(line, count < columns ? &e->costs[count] : &surplus, found))
            break;
    event_costs_end_line(e, count);
    return count;
}
