#include "write/bytes.h"
#include "write/escape.h"
#include "write/formats.h"
#include "write/heading.h"

#include "util/utf8.h"

#include <inttypes.h>
#include <stdio.h>

struct header_lines {
    struct writer *w;
    bool is_plain; /* not escaped */
    enum escape_kind command_kind;
    char note[HEADING_NOTE_SIZE];
    bool has_heading;
    size_t summaries, written_summaries;
    uint64_t total; /* of the summaries so far */
};

/* Adds the key, what is between, which is ": " at least, and the escaped value. */
static void add_line(struct header_lines *l, struct text key, const char *between, struct text value,
                     enum escape_kind kind)
{
    struct buffer *lines = &l->w->headers;
    buffer_add(lines, key);
    buffer_add_string(lines, between);
    if (l->is_plain)
        buffer_add(lines, value);
    else
        l->w->is_escaped |= escape_add(lines, value, kind);
    buffer_add_string(lines, "\n");
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
static void add_summary(struct header_lines *l, cost_t total, struct text value)
{
    const struct scale *scale = &l->w->scale;
    char between[24];
    uint64_t number = scale_total(scale, total);
    bool is_kept = !scale->speaks_of_event && are_numbers(value);
    count_add(&l->total, number);
    l->written_summaries++;
    if (!l->w->format->adds_summaries && l->summaries > 1) {
        if (l->written_summaries < l->summaries)
            return;
        is_kept = false;
        number = l->total;
    }
    if (!is_kept || !text_take_number(&value, &number, NULL))
        value = text_of("", 0);
    snprintf(between, sizeof between, ": %" PRIu64, number);
    add_line(l, text_of_string("summary"), between, value, ESCAPE_VALUE);
}

/*
 * Blanks separate the names in an events: line, and a newline ends it. So a name cannot keep these,
 * nor other control bytes.
 */
static void add_event(struct header_lines *l)
{
    struct buffer event = {0};
    buffer_add(&event, l->w->scale.event);
    for (size_t i = 0; i < event.length; i++)
        if (!char_is_graphic(event.bytes[i]))
            event.bytes[i] = '_';
    add_line(l, text_of_string("events"), ": ", buffer_text(&event), ESCAPE_VALUE);
}

/* ---- headings ----------------------------------------------------------------------------- */

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
    char what[NAMED_BYTES + 1] = "", divided[40] = "";
    bool has_parts = unit.is_time && unit.factor % NANOSECONDS_PER_MICROSECOND != 0; /* of a microsecond */
    uint64_t divisor = !unit.is_time ? unit.factor : has_parts ? 1 : unit.factor / NANOSECONDS_PER_MICROSECOND;
    if (!unit.is_time)
        copy_name(what, text_equals(unit.base, "Cost") ? text_of("", 0) : unit.base);
    else if (divisor > 1)
        strcpy(what, "microseconds");
    else if (has_parts && unit.factor == 1)
        strcpy(what, "ns");
    else if (has_parts && unit.factor != TEN_NANOSECONDS)
        snprintf(what, sizeof what, "%" PRIu64 " ns", unit.factor);
    bool is_named = what[0] != '\0';
    note[0] = '\0';
    if (divisor > 1)
        snprintf(divided, sizeof divided, "%s divided by %" PRIu64, is_named ? "," : "", divisor);
    if (is_named || divisor > 1)
        snprintf(note, HEADING_NOTE_SIZE, " [costs%s%s%s]", is_named ? " in " : "", what, divided);
}

/* How often a command occurs among merged profiles. */
struct command {
    uint32_t name; /* without blanks around it, in profile.names; NAME_EMPTY: unknown */
    uint64_t count;
};

/* Those of a merged profile, in order; *count of them. */
static struct command *count_commands(struct profile *profile, size_t *count)
{
    size_t capacity = 0;
    struct command *commands = NULL;
    /* By name, from 1; each header can add one name. */
    uint32_t *places = memory_zeroed(profile->names.count + profile->header_count, sizeof *places);
    *count = 0;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        if (header->kind != HEADER_CMD)
            continue;
        uint32_t name = names_intern(&profile->names, text_trim(header_command(&profile->names, header)));
        if (places[name] == 0) {
            array_append(&commands, count, &capacity, &(struct command){name, 0}, sizeof *commands);
            places[name] = (uint32_t)*count;
        }
        count_add(&commands[places[name] - 1].count, header->profiles);
    }
    return commands;
}

static void add_heading(struct header_lines *l, const struct buffer *heading, enum escape_kind kind)
{
    l->has_heading = true;
    add_line(l, text_of_string("cmd"), ": ", buffer_text(heading), kind);
}

/* The command as it is, which may be empty, and the note. */
static void add_command(struct header_lines *l, struct text command)
{
    struct buffer heading = {0};
    struct text note = text_of_string(l->note);
    if (text_is_empty(command))
        text_skip_blanks(&note);
    buffer_add(&heading, command);
    buffer_add(&heading, note);
    add_heading(l, &heading, l->command_kind);
}

/* The heading and the commands of a merged profile. */
static void add_commands(struct header_lines *l)
{
    char part[60];
    size_t count;
    uint64_t profiles = 0;
    struct buffer heading = {0};
    struct command *commands = count_commands(l->w->profile, &count);
    const struct names *names = &l->w->profile->names;
    for (size_t i = 0; i < count; i++)
        count_add(&profiles, commands[i].count);
    snprintf(part, sizeof part, "%" PRIu64 " profile%s", profiles, profiles == 1 ? "" : "s");
    buffer_add_string(&heading, part);
    size_t named = count == 1 && commands[0].name == NAME_EMPTY ? 0 : count < NAMED_COMMANDS ? count : NAMED_COMMANDS;
    for (size_t i = 0; i < named; i++) {
        bool is_known = commands[i].name != NAME_EMPTY;
        buffer_add_string(&heading, i == 0 ? " of " : i + 1 == count ? " and " : ", ");
        buffer_add(&heading, is_known ? names_text(names, commands[i].name) : text_of_string("unknown"));
    }
    snprintf(part, sizeof part, " and %zu more", count - named);
    buffer_add_string(&heading, count > NAMED_COMMANDS ? part : "");
    buffer_add_string(&heading, l->note);
    add_heading(l, &heading, ESCAPE_HEADING);
    for (size_t i = 0; i < count; i++) {
        snprintf(part, sizeof part, ": %" PRIu64 "%s", commands[i].count, commands[i].name == NAME_EMPTY ? "" : " ");
        add_line(l, text_of_string(HEADING_KEY), part, names_text(names, commands[i].name), ESCAPE_VALUE);
    }
}

/* ---- all lines ---------------------------------------------------------------------------- */

/*
 * A line of another kind. A key without a value would be an error in the reader, so it counts as
 * missing. webgrind shows the value of `runs:` instead of the number of summaries. Only cg2wg writes
 * keys that begin with its name.
 */
static void add_other(struct header_lines *l, struct text key, struct text value)
{
    static const char *const for_numbers[] = {"runs", "totals", "part", "pid"};
    bool is_left_out = text_is_empty(text_trim(value)) || text_starts(key, "cg2wg-");
    for (size_t i = 0; i < sizeof for_numbers / sizeof for_numbers[0]; i++)
        is_left_out |= text_equals(key, for_numbers[i]) && !are_numbers(text_trim(value));
    if (!is_left_out)
        add_line(l, key, ": ", value, ESCAPE_VALUE);
}

static void make_lines(struct header_lines *l)
{
    const struct scale *scale = &l->w->scale;
    const struct profile *profile = l->w->profile;
    bool has_events = false, has_commands = l->w->title == NULL && !profile->is_merged;
    for (size_t i = 0; i < profile->header_count; i++)
        l->summaries += profile->headers[i].kind == HEADER_SUMMARY;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        struct text value = names_text(&profile->names, header->text), key = text_take_to(&value, ':');
        struct text word = text_trim(value);
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
        if (header->kind == HEADER_CMD && has_commands)
            add_command(l, header_command(&profile->names, header));
        else if (header->kind == HEADER_SUMMARY)
            add_summary(l, header->total, (struct text){text_trim(value).at, value.end});
        else if (header->kind == HEADER_EVENTS && speaks_of_event)
            add_event(l);
        else if (header->kind != HEADER_CMD)
            add_other(l, key, value);
    }
    if (!has_events) /* webgrind evaluates the events whenever it shows times. */
        add_event(l);
    if (l->w->title != NULL) {
        /* What is not printable UTF-8 becomes `?`. */
        struct text title = text_of_string(l->w->title);
        struct buffer heading = {0};
        while (!text_is_empty(title))
            buffer_add(&heading, utf8_take_printable(&title));
        add_heading(l, &heading, ESCAPE_HEADING);
    } else if (profile->is_merged) {
        add_commands(l);
    } else if (!l->has_heading && l->note[0] != '\0') {
        add_command(l, text_of("", 0));
    }
}

/*
 * The ": " of a command stays only in a file that is as webgrind's own preprocessor writes it. So if one of the lines
 * is the first text that is changed, they are made anew.
 */
void make_headers(struct writer *w)
{
    struct header_lines l = {.w = w, .command_kind = ESCAPE_HEADING};
    heading_note(w->scale.unit, l.note);
    if (!w->is_escaped && !w->profile->was_escaped && l.note[0] == '\0') {
        l.command_kind = ESCAPE_VALUE;
        make_lines(&l);
        if (!w->is_escaped)
            return;
        l = (struct header_lines){.w = w, .command_kind = ESCAPE_HEADING};
        w->headers.length = 0;
    }
    make_lines(&l);
    if (w->is_escaped)
        add_line(&l, text_of_string(ESCAPE_KEY), ": ", text_of_string(ESCAPE_MARK), ESCAPE_VALUE);
}

void write_headers(struct writer *w)
{
    outfile_write(w->out, w->headers.bytes, w->headers.length);
}

struct text headers_of(struct writer *w)
{
    struct header_lines l = {.w = w, .is_plain = true};
    heading_note(w->scale.unit, l.note);
    make_lines(&l);
    return buffer_text(&w->headers);
}
