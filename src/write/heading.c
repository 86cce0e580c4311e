#include "write/heading.h"

#include "util/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAMED_BYTES = 60 };

/* As much of an event's name as fits a heading, in its form in `events:`. */
static void copy_name(char copy[NAMED_BYTES + 1], struct text name)
{
    size_t length = 0;
    for (size_t step; !text_is_empty(name); length += step) {
        step = utf8_length(name);
        step = step > 0 ? step : 1;
        if (length + step > NAMED_BYTES)
            break;
        memcpy(copy + length, name.at, step);
        if (!char_is_graphic(*name.at))
            copy[length] = '_';
        name.at += step;
    }
    copy[length] = '\0';
}

void heading_note(struct unit unit, char note[HEADING_NOTE_SIZE])
{
    enum { TEN_NANOSECONDS = 10 };
    char what[NAMED_BYTES + 40] = "", divided[40] = "";
    uint64_t divisor = unit.factor;
    note[0] = '\0';
    if (!unit.is_time) {
        copy_name(what, text_equals(unit.base, "Cost") ? text_of("", 0) : unit.base);
    } else if (unit.factor % NANOSECONDS_PER_MICROSECOND == 0) {
        divisor /= NANOSECONDS_PER_MICROSECOND;
        if (divisor > 1)
            strcpy(what, "microseconds");
    } else {
        divisor = 1;
        if (unit.factor == 1)
            strcpy(what, "ns");
        else if (unit.factor != TEN_NANOSECONDS)
            snprintf(what, sizeof what, "%" PRIu64 " ns", unit.factor);
    }
    if (divisor > 1)
        snprintf(divided, sizeof divided, "%s divided by %" PRIu64, *what != '\0' ? "," : "", divisor);
    if (*what != '\0' || *divided != '\0')
        snprintf(note, HEADING_NOTE_SIZE, " [costs%s%s%s]", *what != '\0' ? " in " : "", what,
                 divided);
}
