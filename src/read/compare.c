#include "read/compare.h"

#include "model/producer.h"
#include "write/heading.h"

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

uint64_t event_factor(struct text event)
{
    return unit_of(event).factor;
}

enum rounding preprocessed_rounding(const struct preprocessed *p)
{
    struct unit unit = unit_of(preprocessed_event(p));
    bool is_usual = unit.is_time && (unit.factor == 10 || unit.factor == NANOSECONDS_PER_MICROSECOND);
    return is_usual ? ROUNDED_PERHAPS : unit.factor > 1 ? ROUNDED : ROUNDED_NOT;
}

uint64_t preprocessed_runs(const struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    struct producer producer = {false};
    uint64_t merged = 0, commands = 0, summaries = 0, count;
    while (preprocessed_next_header(&rest, &key, &value)) {
        producer_note(&producer, key, value);
        commands += text_equals(key, "cmd");
        summaries += text_equals(key, "summary");
        if (text_equals(key, HEADING_KEY))
            count_add(&merged, text_take_number(&value, &count, NULL) && count > 0 ? count : 1);
    }
    if (merged > 0)
        return merged;
    if (producer.was_xdebug && summaries > commands) /* those of others may be of parts of a run */
        commands = summaries;
    return commands > 0 ? commands : 1;
}

/* Are there calls, or more invocations than one in each run, which is what a function without calls has? */
static bool has_counts(const struct preprocessed *p)
{
    uint64_t runs = preprocessed_runs(p);
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        bool has_some = f.called_from_count > 0 || f.invocations > runs;
        for (uint32_t k = 0; k < f.invocations && p->version == 4 && !has_some; k++)
            has_some = preprocessed_invocation(p, f.invocations_at, k).sub_call_count > 0;
        if (has_some)
            return true;
    }
    return false;
}

enum preprocessed_counts preprocessed_counts(const struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    struct producer producer = {false};
    bool is_aprof = false, is_perf = false, is_other = false;
    while (preprocessed_next_header(&rest, &key, &value)) {
        producer_note(&producer, key, value);
        if (!text_equals(key, "creator"))
            continue;
        struct text name = text_take_word(&value);
        is_perf |= text_equals(name, "perf");
        is_aprof |= text_equals(name, "aprof");
        is_other |= !text_equals(name, "perf");
    }
    if (is_perf && !is_other)
        return COUNTS_SAMPLES;
    return producer.was_xdebug || is_aprof || has_counts(p) ? COUNTS_CALLS : COUNTS_NOTHING;
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
