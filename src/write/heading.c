#include "write/heading.h"

#include "util/array.h"
#include "util/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMED_COMMANDS = 3, NAMED_BYTES = 60 };

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

/* What is not printable UTF-8 becomes `?`. */
static bool add_printable(struct buffer *heading, struct text text)
{
    while (!text_is_empty(text))
        buffer_add(heading, utf8_take_printable(&text));
    return true;
}

/* Sets *commands to those of a merged profile, in order; *count of them. */
static bool count_commands(struct profile *profile, struct heading_command **commands, size_t *count)
{
    size_t capacity = 0;
    /* By name, from 1; each header can add one name. */
    uint32_t *places = memory_zeroed(profile->names.count + profile->header_count, sizeof *places);
    bool done = places != NULL;
    *commands = NULL;
    *count = 0;
    for (size_t i = 0; done && i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        uint32_t name;
        if (header->kind != HEADER_CMD)
            continue;
        done = (name = names_intern(&profile->names, text_trim(header_command(&profile->names, header))), true) &&
               (array_reserve(commands, &capacity, *count + 1, sizeof **commands), true);
        if (!done)
            break;
        if (places[name] == 0) {
            (*commands)[*count] = (struct heading_command){name, 0};
            places[name] = (uint32_t)++*count;
        }
        count_add(&(*commands)[places[name] - 1].count, header->profiles);
    }
    memory_free(places);
    return done;
}

static bool add_commands(struct buffer *heading, const struct profile *profile,
                         const struct heading_command *commands, size_t count)
{
    char part[60];
    uint64_t profiles = 0;
    for (size_t i = 0; i < count; i++)
        count_add(&profiles, commands[i].count);
    snprintf(part, sizeof part, "%" PRIu64 " profile%s", profiles, profiles == 1 ? "" : "s");
    buffer_add_string(heading, part);
    if (count == 0 || (count == 1 && commands[0].name == NAME_EMPTY))
        return true;
    for (size_t i = 0; i < count && i < NAMED_COMMANDS; i++) {
        bool is_last = i > 0 && i + 1 == count;
        if (!(buffer_add_string(heading, i == 0 ? " of " : is_last ? " and " : ", "), true) ||
            !(buffer_add(heading, commands[i].name == NAME_EMPTY
                                      ? text_of_string("unknown")
                                      : names_text(&profile->names, commands[i].name)), true))
            return false;
    }
    snprintf(part, sizeof part, " and %zu more", count - NAMED_COMMANDS);
    return count <= NAMED_COMMANDS || (buffer_add_string(heading, part), true);
}

bool headings_init(struct headings *headings, struct profile *profile, struct unit unit,
                   const char *title)
{
    *headings = (struct headings){.are_composed = title != NULL || profile->is_merged};
    heading_note(unit, headings->note);
    if (title != NULL)
        return add_printable(&headings->text, text_of_string(title));
    if (!profile->is_merged)
        return true;
    return count_commands(profile, &headings->commands, &headings->command_count) &&
           add_commands(&headings->text, profile, headings->commands, headings->command_count) &&
           (buffer_add_string(&headings->text, headings->note), true);
}

void headings_free(struct headings *headings)
{
    memory_free(headings->text.bytes);
    memory_free(headings->commands);
}

bool headings_set_command(struct headings *headings, struct text command)
{
    struct text note = text_of_string(headings->note);
    if (text_is_empty(command))
        text_skip_blanks(&note);
    headings->text.length = 0;
    return (buffer_add(&headings->text, command), true) && (buffer_add(&headings->text, note), true);
}
