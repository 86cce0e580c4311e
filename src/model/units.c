/* SPDX-License-Identifier: MIT */
#include "model/units.h"

#include <inttypes.h>
#include <stdio.h>

static const struct {
    uint64_t nanoseconds;
    const char *words[4];
} time_units[] = {{1, {"ns", "nsec", "nanoseconds"}},
                  {1000, {"us", "\xc2\xb5s", "usec", "microseconds"}},
                  {1000000, {"ms", "msec", "milliseconds"}},
                  {1000000000, {"s", "sec", "seconds"}}};

/* The nanoseconds of a unit of time; 0: it is none. Case matters only in short words: "S" is not a second. */
static uint64_t time_word(struct text t)
{
    for (size_t i = 0; i < 4 * COUNT_OF(time_units); i++) {
        const char *string = time_units[i / 4].words[i % 4];
        if (string == NULL)
            continue;
        struct text word = text_of_string(string);
        bool is_long = text_length(word) > 3;
        if (text_same(t, word) || (is_long && text_length(t) == text_length(word) && text_starts_alike(t, word)))
            return time_units[i / 4].nanoseconds;
    }
    return 0;
}

/* Takes a unit from the end of a name: cpu(ms), cpu_(ms), cpu_ms, cpu-ms, cpu/milliseconds, or all of it. 0: none. */
static uint64_t take_time_word(struct text *name)
{
    enum { SHORTEST_AT_DASH = 2, SHORTEST_AT_SLASH = 7 }; /* there, `s` would be a rate */
    uint64_t nanoseconds = time_word(*name);
    if (nanoseconds != 0) {
        name->end = name->at;
        return nanoseconds;
    }
    bool in_parentheses = text_ends(*name, ")");
    const char *end = name->end - in_parentheses, *p = end;
    while (p > name->at && (in_parentheses ? p[-1] != '(' : char_is_alpha(p[-1])))
        p--;
    if (p == name->at)
        return 0;
    struct text word = {p, end}, rest = {name->at, p - 1};
    if (in_parentheses) {
        if (text_ends(rest, "_"))
            rest.end--;
    } else if (strchr("_-/", *rest.end) == NULL ||
               text_length(word) < (*rest.end == '/' ? SHORTEST_AT_SLASH : SHORTEST_AT_DASH)) {
        return 0;
    }
    /* A formula may end in a unit's name, but has none: `Ir + 10 cpu_ms`. In an output its blanks are underscores. */
    char before = '_';
    for (p = rest.at; p < rest.end; before = *p++)
        if (!char_is_graphic(*p) || *p == '+' || *p == '*' || (*p == '-' && before == '_') ||
            (p == rest.at && char_is_digit(*p)))
            return 0;
    nanoseconds = time_word(word);
    if (nanoseconds != 0)
        *name = rest;
    return nanoseconds;
}

bool unit_is_clock(struct text event)
{
    struct text number = event, rest = text_take_to(&number, '~'), clock = text_before(text_before(rest, '/'), ':');
    bool has_terms = clock.end < rest.end && *clock.end == '/';
    rest.at = clock.end + (clock.end < rest.end);
    if (has_terms)
        text_take_to(&rest, '/');
    while (!text_is_empty(rest) && memchr(PERF_MODIFIERS, *rest.at, sizeof PERF_MODIFIERS - 1) != NULL)
        rest.at++;
    text_take_end(&number, char_is_digit);
    return text_is_empty(rest) && text_is_empty(number) &&
           (text_equals(clock, "cpu-clock") || text_equals(clock, "task-clock"));
}

/* Takes the number from a name that ends in PREFIX NUMBER SUFFIX, and removes these three. */
static bool take_measure(struct text *name, const char *prefix, const char *suffix, uint64_t *number)
{
    struct text before = *name;
    size_t prefix_length = strlen(prefix);
    bool overflow = false;
    if (!text_ends(before, suffix))
        return false;
    before.end -= strlen(suffix);
    struct text digits = text_take_end(&before, char_is_digit);
    if (text_length(digits) > TEXT_DIGITS || text_length(before) <= prefix_length || !text_ends(before, prefix) ||
        !text_take_number(&digits, number, &overflow) || overflow || *number == 0)
        return false;
    name->end = before.end - prefix_length;
    return true;
}

struct unit unit_of(struct text event)
{
    static const char *const microseconds[] = {"Time", "wall_time", "process_time", NULL}; /* two are of ruby-prof */
    struct unit unit = {event, 1, false};
    uint64_t number = 0;
    if (take_measure(&unit.base, "_(x", ")", &number))
        unit.factor = number;
    if (!take_measure(&unit.base, "_(", "ns)", &number)) {
        bool is_in_microseconds = text_matches_any(unit.base, microseconds);
        number = is_in_microseconds         ? NANOSECONDS_PER_MICROSECOND
                 : unit_is_clock(unit.base) ? 1
                                            : take_time_word(&unit.base);
    }
    unit.is_time = number != 0;
    if (unit.is_time && __builtin_mul_overflow(unit.factor, number, &unit.factor))
        return (struct unit){event, 1, false};
    return unit;
}

struct text unit_thing(struct unit unit)
{
    struct text thing = unit.base;
    if (text_ends(thing, "(bytes)"))
        thing.end -= strlen("(bytes)");
    if (thing.end < unit.base.end && text_ends(thing, "_"))
        thing.end--;
    return text_is_empty(thing) ? unit.base : thing;
}

bool unit_is_same(struct unit unit, struct unit other)
{
    return text_same(unit_thing(unit), unit_thing(other));
}

bool unit_is_like(struct unit unit, struct unit other)
{
    return unit.is_time ? other.is_time : !other.is_time && unit_is_same(unit, other);
}

uint32_t unit_name(struct names *names, struct unit unit)
{
    char suffix[40] = "";
    bool is_finer = unit.is_time && unit.factor % NANOSECONDS_PER_MICROSECOND != 0;
    if (unit.is_time && !is_finer)
        unit.factor /= NANOSECONDS_PER_MICROSECOND; /* which `Time` on its own is in */
    if (is_finer || unit.factor != 1)
        snprintf(suffix, sizeof suffix, is_finer ? "_(%" PRIu64 "ns)" : "_(x%" PRIu64 ")", unit.factor);
    struct text base = unit.is_time ? text_of_string("Time") : unit.base;
    return names_intern_parts(names, (struct text[]){base, text_of_string(suffix)}, 2);
}

uint64_t unit_factors(struct unit unit, struct unit other, uint64_t *factor, uint64_t *other_factor)
{
    uint64_t common = unit.factor, rest = other.factor;
    while (rest != 0) {
        uint64_t next = common % rest;
        common = rest;
        rest = next;
    }
    *factor = unit.factor / common;
    *other_factor = other.factor / common;
    return common;
}

void unit_unify(struct names *names, uint32_t *event, struct text other, uint64_t *factor, uint64_t *other_factor)
{
    struct unit unit = unit_of(names_text(names, *event)), other_unit = unit_of(other);
    *factor = *other_factor = 1;
    if (unit.factor == other_unit.factor || !unit_is_like(unit, other_unit))
        return;
    unit.factor = unit_factors(unit, other_unit, factor, other_factor);
    if (*factor != 1)
        *event = unit_name(names, unit);
}
