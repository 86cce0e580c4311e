/* SPDX-License-Identifier: MIT */
#include "write/headers.h"

#include "write/escape.h"

#include <inttypes.h>
#include <stdio.h>

/* The value consists of two texts. Names keep it as long as the profile. */
static void add_line(struct header_lines *lines, struct profile *profile, const char *key, struct text value,
                     struct text end)
{
    uint32_t number = names_intern_parts(&profile->names, (struct text[]){value, end}, 2);
    header_lines_add(lines, text_of_string(key), names_text(&profile->names, number));
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

static void add_heading(struct header_lines *lines, struct profile *profile, const char *title, const char *note)
{
    struct facts facts;
    char count[24];
    facts_init(&facts, profile, title);
    add_line(lines, profile, "cmd", facts.heading, text_of_string(title != NULL ? "" : note));
    for (size_t i = 0; i < facts.command_count && title == NULL; i++) {
        const struct command *command = &facts.commands[i];
        snprintf(count, sizeof count, "%" PRIu64 "%s", command->count, text_is_empty(command->name) ? "" : " ");
        add_line(lines, profile, HEADING_KEY, text_of_string(count), command->name);
    }
}

struct header_lines headers_of(struct profile *profile, uint64_t divisor, const char *note,
                               const struct cg2wg_options *options)
{
    struct header_lines lines = {.count = 0};
    cost_t total = 0; /* of the summaries so far */
    size_t summaries = 0, commands = 0;
    char sum[24];
    bool has_heading = options->title != NULL || profile->is_merged;
    for (size_t i = 0; i < profile->header_count; i++)
        summaries += profile->headers[i].kind == HEADER_SUMMARY;
    bool is_one_summary = options->format < FIRST_VERSION_WITH_SUB_CALLS && summaries > 1;
    for (size_t i = 0; i < profile->header_count; i++) {
        const struct header *header = &profile->headers[i];
        struct text key = names_text(&profile->names, header->key), value = names_text(&profile->names, header->value);
        struct text numbers = {text_trim(value).at, value.end};
        if (header->kind == HEADER_SUMMARY) {
            cost_t own = header->total < 0 ? header->total : (cost_t)scale_total(header->total, divisor);
            uint64_t first;
            cost_add(&total, own);
            /* The first of the input's numbers is the total. webgrind reads the digits right after the blank. */
            bool are_valid = !is_one_summary && are_numbers(numbers);
            numbers.at += text_starts(numbers, "-");
            if (!are_valid || !text_take_number(&numbers, &first, NULL))
                numbers = text_of("", 0);
            snprintf(sum, sizeof sum, "%" PRId64, is_one_summary ? total : own);
            if (!is_one_summary || --summaries == 0)
                add_line(&lines, profile, "summary", text_of_string(sum), numbers);
        } else if (header->kind == HEADER_CMD && !has_heading) {
            const char *end = note + (text_is_empty(value) && *note == ' ');
            add_line(&lines, profile, "cmd", value, text_of_string(end));
            commands++;
        } else if (header->kind != HEADER_CMD) {
            /*
             * A key without a value would be an error in the reader, so it counts as missing. webgrind shows the value
             * of `runs:` instead of the number of summaries. Only cg2wg writes keys that begin with its name.
             */
            static const char *const for_numbers[] = {"runs", "totals", "part", "pid", NULL};
            bool is_left_out = text_is_empty(numbers) || text_starts(key, "cg2wg-") ||
                               (text_matches_any(key, for_numbers) && !are_numbers(numbers));
            if (!is_left_out)
                header_lines_add(&lines, key, value);
        }
    }
    if (has_heading)
        add_heading(&lines, profile, options->title, note);
    else if (commands == 0 && *note != '\0')
        add_line(&lines, profile, "cmd", text_of_string(note + 1), text_of("", 0)); /* it begins with a blank */
    return lines;
}

/* A command keeps its ": " only in a file like webgrind's own. So if a line is the first text that changes, it does. */
struct text headers_escaped(const struct scale *scale, const struct cg2wg_options *options, bool is_escaped)
{
    const struct profile *profile = scale->profile;
    const char *note = heading_note(scale->unit);
    struct header_lines lines = headers_of(scale->profile, scale->divisor, note, options), escaped;
    bool is_other = options->title != NULL || profile->is_merged || *note != '\0' || is_escaped || profile->was_escaped;
    for (int pass = 0; pass < 2; pass++, is_other = true) {
        escaped = (struct header_lines){.count = 0};
        for (size_t i = 0; i < lines.count; i++) {
            struct text key = lines.all[i].key, value = lines.all[i].value;
            struct buffer changed = {.bytes = NULL};
            if (escape_add(&changed, value, is_other && text_equals(key, "cmd") ? ESCAPE_HEADING : ESCAPE_VALUE))
                is_escaped = true;
            header_lines_add(&escaped, key, changed.length > 0 ? buffer_text(&changed) : value);
        }
        if (!is_escaped)
            return header_lines_text(&lines);
    }
    header_lines_add(&escaped, text_of_string(ESCAPE_KEY), text_of_string(ESCAPE_MARK));
    return header_lines_text(&escaped);
}
