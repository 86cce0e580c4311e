#include "write/bytes.h"
#include "write/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct header_lines {
    struct outfile *out; /* NULL: they are only prepared */
    struct buffer *shown; /* gets them as they are, not escaped, instead; or NULL */
    const struct format *format;
    const struct scale *scale;
    struct written *written;
    bool has_heading;
};

/* Writes the key, what is between, which is ": " at least, and the escaped value. */
static bool write_line(struct header_lines *l, struct text key, const char *between, struct text value,
                       enum escape_kind kind)
{
    struct buffer *escaped = &l->written->value;
    if (l->shown != NULL) {
        buffer_add(l->shown, key);
        buffer_add_string(l->shown, between);
        buffer_add(l->shown, value);
        buffer_add_string(l->shown, "\n");
        return true;
    }
    escaped->length = 0;
    if (!escape_add(escaped, value, kind))
        return diag_no_memory(l->scale->diag);
    l->written->is_escaped |= escaped->length > text_length(value);
    return l->out == NULL ||
           (outfile_write(l->out, key.at, text_length(key)) && outfile_write(l->out, between, strlen(between)) &&
            bytes_write_line(l->out, buffer_text(escaped)));
}

/* ---- numbers ------------------------------------------------------------------------------ */

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

/* webgrind reads the total from the digits right after "summary: ", in decimal. */
static bool write_total(struct header_lines *l, uint64_t total, struct text rest)
{
    char between[24];
    snprintf(between, sizeof between, ": %" PRIu64, total);
    return write_line(l, text_of_string("summary"), between, rest, ESCAPE_VALUE);
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

static bool write_summary(struct header_lines *l, struct summaries *s, const struct header *header,
                          struct text value)
{
    struct text none = text_of("", 0);
    uint64_t total;
    s->written++;
    if (!l->format->adds_summaries && s->count > 1)
        return s->written < s->count || write_total(l, s->total, none);
    bool is_kept = !l->scale->speaks_of_event && are_numbers(value) && text_take_number(&value, &total, NULL);
    return is_kept ? write_total(l, total, value) : write_total(l, scale_total(l->scale, header->total), none);
}

/* ---- events ------------------------------------------------------------------------------- */

/*
 * Blanks separate the names in an events: line, and a newline ends it. So a name cannot keep these,
 * nor other control bytes.
 */
static bool make_event(struct buffer *event, const struct scale *scale)
{
    buffer_add(event, scale->event);
    for (size_t i = 0; i < event->length; i++)
        if (!char_is_graphic(event->bytes[i]))
            event->bytes[i] = '_';
    buffer_add_string(event, scale->suffix);
    return true;
}

static bool write_event(struct header_lines *l)
{
    return write_line(l, text_of_string("events"), ": ", buffer_text(&l->written->event), ESCAPE_VALUE);
}

/* ---- headings ----------------------------------------------------------------------------- */

static bool write_heading(struct header_lines *l, enum escape_kind kind)
{
    l->has_heading = true;
    return write_line(l, text_of_string("cmd"), ": ", buffer_text(&l->written->headings.text), kind);
}

/* Writes a command unchanged, and the note. */
static bool write_command(struct header_lines *l, struct text command)
{
    return headings_set_command(&l->written->headings, command) ? write_heading(l, l->written->kind)
                                                                 : diag_no_memory(l->scale->diag);
}

static bool write_commands(struct header_lines *l)
{
    for (size_t i = 0; i < l->written->headings.command_count; i++) {
        char between[32];
        struct text command = names_text(&l->scale->profile->names, l->written->headings.commands[i].name);
        snprintf(between, sizeof between, ": %" PRIu64 "%s", l->written->headings.commands[i].count,
                 text_is_empty(command) ? "" : " ");
        if (!write_line(l, text_of_string(HEADING_KEY), between, command, ESCAPE_VALUE))
            return false;
    }
    return true;
}

/* The lines that are not at their place in the input. */
static bool write_last_heading(struct header_lines *l)
{
    if (l->written->headings.are_composed)
        return write_heading(l, ESCAPE_HEADING) && write_commands(l);
    return l->has_heading || l->written->headings.note[0] == '\0' || write_command(l, text_of("", 0));
}

/* ---- all lines ---------------------------------------------------------------------------- */

/* webgrind shows the value of `runs:` instead of the number of summaries. */
static bool is_for_numbers(struct text key)
{
    return text_equals(key, "runs") || text_equals(key, "totals") || text_equals(key, "part") ||
           text_equals(key, "pid");
}

/*
 * A line of another kind. A key without a value would be an error in the reader, so it counts as
 * missing. Only cg2wg writes keys that begin with its name.
 */
static bool write_other(struct header_lines *l, struct text key, struct text value)
{
    bool is_left_out = text_is_empty(text_trim(value)) || text_starts(key, "cg2wg-") ||
                       (is_for_numbers(key) && !are_numbers(text_trim(value)));
    return is_left_out || write_line(l, key, ": ", value, ESCAPE_VALUE);
}

static bool write_lines(struct header_lines *l)
{
    const struct scale *scale = l->scale;
    const struct profile *profile = scale->profile;
    struct summaries summaries = add_up(scale);
    bool has_events = false;
    l->has_heading = false;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        struct text value = names_text(&profile->names, header->text), key = text_take_to(&value, ':');
        struct text word = text_trim(value);
        bool done;
        if (text_starts(value, " "))
            value.at++;
        else
            value = word;
        /*
         * The first `events:` line says what the costs are when the output is read back. The input may
         * have had a line before it, without any costs.
         */
        bool speaks_of_event =
            scale->speaks_of_event || (!has_events && !text_same(text_take_word(&word), scale->event));
        has_events |= header->kind == HEADER_EVENTS;
        if (header->kind == HEADER_CMD)
            done = l->written->headings.are_composed ||
                   write_command(l, header_command(&profile->names, header));
        else if (header->kind == HEADER_SUMMARY)
            done = write_summary(l, &summaries, header, (struct text){text_trim(value).at, value.end});
        else if (header->kind == HEADER_EVENTS && speaks_of_event)
            done = write_event(l);
        else
            done = write_other(l, key, value);
        if (!done)
            return false;
    }
    /* webgrind evaluates the events whenever it shows times. */
    return (has_events || write_event(l)) && write_last_heading(l) &&
           (!l->written->is_escaped || write_line(l, text_of_string(ESCAPE_KEY), ": ", text_of_string(ESCAPE_MARK),
                                                  ESCAPE_VALUE));
}

/* The ": " of a command stays only in a file that is as webgrind's own preprocessor writes it. */
bool headers_prepare(struct written *written, const struct format *format, const struct scale *scale)
{
    struct header_lines l = {.format = format, .scale = scale, .written = written};
    bool is_changed_anyway =
        written->is_escaped || scale->profile->was_escaped || written->headings.note[0] != '\0';
    written->kind = is_changed_anyway ? ESCAPE_HEADING : ESCAPE_VALUE;
    bool done = (make_event(&written->event, scale) || diag_no_memory(scale->diag)) && write_lines(&l);
    if (!written->is_escaped || is_changed_anyway)
        return done;
    written->kind = ESCAPE_HEADING;
    return done && write_lines(&l);
}

bool write_headers(struct outfile *out, const struct format *format, const struct scale *scale)
{
    struct header_lines l = {.out = out, .format = format, .scale = scale, .written = scale->written};
    return write_lines(&l);
}

void headers_show(struct buffer *to, const struct format *format, const struct scale *scale, const char *title)
{
    struct written written = {0};
    struct header_lines l = {.shown = to, .format = format, .scale = scale, .written = &written};
    headings_init(&written.headings, scale->profile, scale->unit, title);
    make_event(&written.event, scale);
    write_lines(&l);
}
