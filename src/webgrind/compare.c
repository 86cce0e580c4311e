#include "webgrind/compare.h"

#include "model/units.h"

struct text preprocessed_event(const struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    while (preprocessed_next_header(&rest, &key, &value))
        if (text_equals(key, "events")) {
            value = text_trim(value);
            return text_take_word(&value);
        }
    return text_of("", 0);
}

bool preprocessed_common_unit(const struct preprocessed *p, const struct preprocessed *other,
                              uint64_t *factor, uint64_t *other_factor)
{
    struct text event = preprocessed_event(p), other_event = preprocessed_event(other);
    *factor = *other_factor = 1;
    if (text_is_empty(event) || text_is_empty(other_event))
        return true;
    struct unit unit = unit_of(event), other_unit = unit_of(other_event);
    unit_factors(unit, other_unit, factor, other_factor);
    return unit_is_like(unit, other_unit);
}
