#include "webgrind/bytes.h"
#include "webgrind/escape.h"
#include "webgrind/formats.h"
#include "webgrind/heading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Appends `key: value`. */
static bool write_header(struct outfile *out, struct text key, struct text value)
{
    return outfile_write(out, key.at, text_length(key)) && outfile_write(out, ": ", 2) &&
           bytes_write_line(out, value);
}

/*
 * webgrind reads the total from the digits right after "summary: ", in decimal. A summary in
 * another form is rewritten.
 */
static bool write_summary(struct outfile *out, struct text line, struct text key, struct text value)
{
    struct text rest = value;
    uint64_t total;
    bool is_hexadecimal = text_starts(value, "0x") || text_starts(value, "0X");
    if (!is_hexadecimal && value.at == key.end + 2 && key.end[1] == ' ')
        return bytes_write_line(out, line);
    if (!is_hexadecimal || !text_take_number(&rest, &total, NULL))
        return write_header(out, key, value);
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, total);
    return outfile_write(out, key.at, text_length(key)) && outfile_write(out, ": ", 2) &&
           outfile_write(out, digits, strlen(digits)) && bytes_write_line(out, rest);
}

/* Only cg2wg writes these lines. */
static bool is_own(struct text key)
{
    return text_starts(key, "cg2wg-");
}

/* A key without a value would be an error in the reader, so it counts as missing. */
static bool write_line(struct outfile *out, struct text line, enum header_kind kind)
{
    const char *colon = memchr(line.at, ':', text_length(line));
    if (colon == NULL)
        return true;
    struct text key = {line.at, colon};
    struct text value = text_trim((struct text){colon + 1, line.end});
    if (text_is_empty(value) || is_own(key))
        return true;
    if (kind == HEADER_SUMMARY)
        return write_summary(out, line, key, value);
    if (colon[1] == ' ') /* which exists, because the value does */
        return bytes_write_line(out, line);
    return write_header(out, key, value);
}

static bool write_total(struct outfile *out, uint64_t total)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, total);
    return write_header(out, text_of_string("summary"), text_of_string(digits));
}

/* The summaries of all parts, for a reader that uses only one. */
struct summaries {
    size_t count, written;
    uint64_t total;
};

static struct summaries add_up(const struct scale *scale)
{
    const struct profile *profile = scale->profile;
    struct summaries s = {0};
    for (size_t i = 0; i < profile->header_count; i++) {
        if (profile->headers[i].kind != HEADER_SUMMARY)
            continue;
        s.count++;
        count_add(&s.total, scale_total(scale, profile->headers[i].total));
    }
    return s;
}

static bool write_part_summary(struct outfile *out, const struct format *format,
                               const struct scale *scale, struct summaries *s,
                               const struct header *header)
{
    s->written++;
    if (!format->adds_summaries && s->count > 1)
        return s->written < s->count || write_total(out, s->total);
    if (scale->speaks_of_event || header->text == NAME_EMPTY)
        return write_total(out, scale_total(scale, header->total));
    return write_line(out, names_text(&scale->profile->names, header->text), header->kind);
}

/*
 * Blanks separate the names in an events: line, and a newline ends it. So a name cannot keep these,
 * nor other control bytes.
 */
static bool write_event(struct outfile *out, const struct scale *scale)
{
    static const char key[] = "events: ";
    if (!outfile_write(out, key, sizeof key - 1))
        return false;
    for (const char *c = scale->event.at; c < scale->event.end; c++)
        if (!outfile_write(out, char_is_graphic(*c) ? c : "_", 1))
            return false;
    return bytes_write_line(out, text_of_string(scale->suffix));
}

/* Is this the first name in an `events:` line? No blank need follow the colon. */
static bool names_event(struct text line, struct text event)
{
    text_take_to(&line, ':');
    line = text_trim(line);
    return text_same(text_take_word(&line), event);
}

/* ---- headings ----------------------------------------------------------------------------- */

/* What has been written of the headings, and how. */
struct written_headings {
    struct headings *headings; /* borrowed */
    bool has_one, is_escaped;
    enum escape_kind kind; /* of commands */
};

/* The ": " of a command stays only in a file that is as webgrind's own preprocessor writes it. */
static enum escape_kind kind_of_commands(const struct profile *profile, bool has_note,
                                         bool has_names)
{
    bool is_changed_anyway = has_note || has_names || profile->was_escaped;
    for (size_t i = 0; !is_changed_anyway && i < profile->header_count; i++)
        is_changed_anyway =
            profile->headers[i].kind == HEADER_CMD &&
            escape_changes(header_command(&profile->names, &profile->headers[i]), ESCAPE_COMMAND);
    return is_changed_anyway ? ESCAPE_HEADING : ESCAPE_COMMAND;
}

static bool write_heading(struct outfile *out, struct written_headings *written,
                          enum escape_kind kind)
{
    const struct heading *heading = &written->headings->text;
    struct text text = text_of(heading->bytes, heading->length);
    written->has_one = true;
    written->is_escaped |= escape_changes(text, kind);
    return outfile_write(out, "cmd: ", 5) && escape_write(out, text, kind) &&
           outfile_write(out, "\n", 1);
}

/* Writes a command unchanged, and the note. */
static bool write_command(struct outfile *out, struct written_headings *written,
                          struct text command)
{
    headings_set_command(written->headings, command);
    return write_heading(out, written, written->kind);
}

static bool write_commands(struct outfile *out, const struct headings *headings,
                           const struct profile *profile)
{
    for (size_t i = 0; i < headings->command_count; i++) {
        char start[60];
        struct text command = names_text(&profile->names, headings->commands[i].name);
        snprintf(start, sizeof start, HEADING_KEY ": %" PRIu64 "%s", headings->commands[i].count,
                 text_is_empty(command) ? "" : " ");
        if (!outfile_write(out, start, strlen(start)) || !bytes_write_line(out, command))
            return false;
    }
    return true;
}

/* The lines that are not at their place in the input. */
static bool write_last_heading(struct outfile *out, struct written_headings *written,
                               const struct profile *profile)
{
    const struct headings *headings = written->headings;
    if (headings->are_composed)
        return write_heading(out, written, ESCAPE_HEADING) &&
               write_commands(out, headings, profile);
    return written->has_one || headings->note[0] == '\0' ||
           write_command(out, written, text_of("", 0));
}

/* ---- all lines ---------------------------------------------------------------------------- */

bool write_headers(struct outfile *out, const struct format *format, const struct scale *scale)
{
    const struct profile *profile = scale->profile;
    struct summaries summaries = add_up(scale);
    struct written_headings written = {.headings = scale->headings};
    bool has_events = false;
    bool has_escaped = scale->headings->has_escaped_names;
    written.kind = kind_of_commands(profile, scale->headings->note[0] != '\0', has_escaped);
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        struct text line = names_text(&profile->names, header->text);
        bool done;
        /*
         * The first `events:` line says what the costs are when the output is read back. The input may
         * have had a line before it, without any costs.
         */
        bool speaks_of_event =
            scale->speaks_of_event || (!has_events && !names_event(line, scale->event));
        has_events |= header->kind == HEADER_EVENTS;
        if (header->kind == HEADER_CMD)
            done = scale->headings->are_composed ||
                   write_command(out, &written, header_command(&profile->names, header));
        else if (header->kind == HEADER_SUMMARY)
            done = write_part_summary(out, format, scale, &summaries, header);
        else if (header->kind == HEADER_EVENTS && speaks_of_event)
            done = write_event(out, scale);
        else
            done = write_line(out, line, header->kind);
        if (!done)
            return false;
    }
    /* webgrind evaluates the events whenever it shows times. */
    return (has_events || write_event(out, scale)) && write_last_heading(out, &written, profile) &&
           ((!written.is_escaped && !has_escaped) ||
            bytes_write_line(out, text_of_string(ESCAPE_KEY ": " ESCAPE_VALUE)));
}
