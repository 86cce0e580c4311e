#include "write/headers.h"

#include "write/escape.h"
#include "write/formats.h"

#include <inttypes.h>
#include <stdio.h>

static void add_line(struct buffer *lines, const char *start, struct text value)
{
    buffer_add_string(lines, start);
    buffer_add(lines, value);
    buffer_add_string(lines, "\n");
}

static bool are_numbers(struct text value)
{
    while (!text_is_empty(value)) {
        struct text word = text_take_word(&value);
        uint64_t number;
        word.at += *word.at == '-';
        if (!text_take_number(&word, &number, NULL) || !text_is_empty(word))
            return false;
    }
    return true;
}

/* ---- headings ----------------------------------------------------------------------------- */

const char *heading_note(struct unit unit)
{
    enum { TEN_NANOSECONDS = 10, NAMED_BYTES = 60, NOTE_SIZE = 160 };
    char name[NAMED_BYTES + 1] = "", divided[40] = "", *note = memory_get(NOTE_SIZE);
    uint64_t divisor = unit.is_time ? 1 : unit.factor;
    if (!unit.is_time && !text_equals(unit.base, "Cost")) {
        /* As much of the event's name as fits a heading, in its form in `events:` */
        for (size_t used = 0, step; !text_is_empty(unit.base); unit.base.at += step, used += step) {
            step = MAX(utf8_length(unit.base), 1);
            if (used + step > NAMED_BYTES)
                break;
            memcpy(name + used, char_is_graphic(*unit.base.at) ? unit.base.at : "_", step);
        }
    } else if (unit.is_time && unit.factor % NANOSECONDS_PER_MICROSECOND == 0) {
        divisor = unit.factor / NANOSECONDS_PER_MICROSECOND;
        strcpy(name, divisor > 1 ? "microseconds" : "");
    } else if (unit.is_time && unit.factor != TEN_NANOSECONDS) {
        snprintf(name, sizeof name, "%" PRIu64 " ns", unit.factor);
    }
    if (unit.is_time && unit.factor == 1)
        strcpy(name, "ns");
    if (divisor > 1)
        snprintf(divided, sizeof divided, "%s divided by %" PRIu64, *name != '\0' ? "," : "", divisor);
    else if (*name == '\0')
        return "";
    snprintf(note, NOTE_SIZE, " [costs%s%s%s]", *name != '\0' ? " in " : "", name, divided);
    return note;
}

/* The title as heading, if there is one; otherwise the heading and the commands of a merged profile. */
static void add_heading(struct buffer *lines, struct profile *profile, const char *title, const char *note)
{
    enum { NAMED_COMMANDS = 3 };
    char part[60];
    uint64_t profiles = 0;
    size_t count = 0, capacity = 0;
    struct command {
        struct text name; /* without blanks around it; empty: unknown */
        uint64_t count;
    } *commands = NULL;
    if (title != NULL) {
        add_line(lines, "cmd: ", text_of_string(title));
        utf8_make_printable(lines->bytes + lines->length - 1 - strlen(title), strlen(title));
        return;
    }
    /* By name, from 1; each header can add one name. */
    uint32_t *places = memory_zeroed(profile->names.count + profile->header_count, sizeof *places);
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        if (header->kind != HEADER_CMD)
            continue;
        struct command command = {.name = text_trim(names_text(&profile->names, header->value))};
        uint32_t *place = &places[names_intern(&profile->names, command.name)];
        if (*place == 0) {
            array_append(&commands, &count, &capacity, &command, sizeof command);
            *place = (uint32_t)count;
        }
        count_add(&commands[*place - 1].count, header->profiles);
        count_add(&profiles, header->profiles);
    }
    snprintf(part, sizeof part, "cmd: %" PRIu64 " profile%s", profiles, profiles == 1 ? "" : "s");
    buffer_add_string(lines, part);
    size_t named = count == 1 && text_is_empty(commands[0].name) ? 0 : MIN(count, NAMED_COMMANDS);
    for (size_t i = 0; i < named; i++) {
        buffer_add_string(lines, i == 0 ? " of " : i + 1 == count ? " and " : ", ");
        buffer_add(lines, text_is_empty(commands[i].name) ? text_of_string("unknown") : commands[i].name);
    }
    snprintf(part, sizeof part, " and %zu more", count - named);
    buffer_add_string(lines, count > NAMED_COMMANDS ? part : "");
    add_line(lines, note, text_of("", 0));
    for (size_t i = 0; i < count; i++) {
        bool is_known = !text_is_empty(commands[i].name);
        snprintf(part, sizeof part, HEADING_KEY ": %" PRIu64 "%s", commands[i].count, is_known ? " " : "");
        add_line(lines, part, commands[i].name);
    }
}

/* ---- all lines ---------------------------------------------------------------------------- */

struct text headers_of(const struct scale *scale, const struct cg2wg_options *options)
{
    struct profile *profile = scale->profile;
    const char *note = scale->is_shown ? "" : heading_note(scale->unit);
    struct buffer lines = {0}, event = {0};
    uint64_t total = 0; /* of the summaries so far */
    size_t summaries = 0, commands = 0;
    char start[40];
    bool has_events = false, has_heading = options->title != NULL || profile->is_merged;
    /* Blanks and ends of lines have a meaning in an events: line. A name loses them, and other control bytes. */
    buffer_add(&event, scale->event);
    for (char *c = event.bytes; c < event.bytes + event.length; c++)
        *c = char_is_graphic(*c) ? *c : '_';
    for (size_t i = 0; i < profile->header_count; i++)
        summaries += profile->headers[i].kind == HEADER_SUMMARY;
    bool is_one_summary = options->format < FIRST_VERSION_WITH_SUB_CALLS && summaries > 1;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        struct text key = names_text(&profile->names, header->key), value = names_text(&profile->names, header->value);
        struct text word = text_trim(value), numbers = {word.at, value.end};
        /*
         * The first `events:` line says what the costs are when the output is read back. The input may
         * have had a line before it, without any costs.
         */
        bool speaks_of_event =
            scale->speaks_of_event || (!has_events && !text_same(text_take_word(&word), scale->event));
        has_events |= header->kind == HEADER_EVENTS;
        if (header->kind == HEADER_SUMMARY) {
            uint64_t own = scale_total(header->total, scale->divisor);
            count_add(&total, own);
            own = is_one_summary ? total : own;
            /* The first of the input's numbers is the total. webgrind reads the digits right after the blank. */
            bool are_valid = !is_one_summary && !scale->speaks_of_event && are_numbers(numbers);
            if (!are_valid || !text_take_number(&numbers, &own, NULL))
                numbers = text_of("", 0);
            snprintf(start, sizeof start, "summary: %" PRIu64, own);
            if (!is_one_summary || --summaries == 0)
                add_line(&lines, start, numbers);
        } else if (header->kind == HEADER_CMD && !has_heading) {
            buffer_add_string(&lines, "cmd: ");
            buffer_add(&lines, value);
            add_line(&lines, note + (text_is_empty(value) && *note == ' '), text_of("", 0));
            commands++;
        } else if (header->kind == HEADER_EVENTS && speaks_of_event) {
            add_line(&lines, "events: ", buffer_text(&event));
        } else if (header->kind != HEADER_CMD) {
            /*
             * A key without a value would be an error in the reader, so it counts as missing. webgrind shows the value
             * of `runs:` instead of the number of summaries. Only cg2wg writes keys that begin with its name.
             */
            static const char *const for_numbers[] = {"runs", "totals", "part", "pid"};
            bool is_left_out = text_is_empty(numbers) || text_starts(key, "cg2wg-");
            for (size_t k = 0; k < sizeof for_numbers / sizeof for_numbers[0]; k++)
                is_left_out |= text_equals(key, for_numbers[k]) && !are_numbers(numbers);
            if (is_left_out)
                continue;
            buffer_add(&lines, key);
            add_line(&lines, ": ", value);
        }
    }
    if (!has_events) /* webgrind evaluates the events whenever it shows times. */
        add_line(&lines, "events: ", buffer_text(&event));
    if (has_heading)
        add_heading(&lines, profile, options->title, note);
    else if (commands == 0 && *note != '\0')
        add_line(&lines, "cmd:", text_of_string(note)); /* which begins with a blank */
    return buffer_text(&lines);
}

/*
 * The ": " of a command stays only in a file that is as webgrind's own preprocessor writes it. So if one of the lines
 * is the first text that is changed, it changes, too.
 */
struct text headers_escaped(const struct scale *scale, const struct cg2wg_options *options, bool is_escaped)
{
    const struct profile *profile = scale->profile;
    struct text lines = headers_of(scale, options);
    struct buffer escaped = {0};
    bool is_other = options->title != NULL || profile->is_merged || *heading_note(scale->unit) != '\0' ||
                    is_escaped || profile->was_escaped;
    for (int pass = 0; pass < 2; pass++, is_other = true) {
        escaped.length = 0;
        for (struct text rest = lines; !text_is_empty(rest);) {
            struct text value = text_take_to(&rest, '\n'), key = text_take_to(&value, ':');
            buffer_add(&escaped, key);
            buffer_add_string(&escaped, ":");
            if (escape_add(&escaped, value, is_other && text_equals(key, "cmd") ? ESCAPE_HEADING : ESCAPE_VALUE))
                is_escaped = true;
            else
                buffer_add(&escaped, value);
            buffer_add_string(&escaped, "\n");
        }
        if (!is_escaped)
            return lines;
    }
    add_line(&escaped, ESCAPE_KEY ": ", text_of_string(ESCAPE_MARK));
    return buffer_text(&escaped);
}
