#include "webgrind/bytes.h"
#include "webgrind/formats.h"

#include <inttypes.h>
#include <stdio.h>

/* Appends `key: value`. */
static bool write_header(struct outfile *out, struct text key, struct text value)
{
    return outfile_write(out, key.at, text_length(key)) && outfile_write(out, ": ", 2) &&
           bytes_write_line(out, value);
}

/*
 * webgrind takes the total from the digits that follow "summary: ": no more blanks, and decimal. If
 * it is written in another way, it is written anew.
 */
static bool write_summary(struct outfile *out, struct text line, struct text key, struct text value)
{
    struct text rest = value;
    uint64_t total;
    bool overflow = false;
    bool is_hexadecimal = text_starts(value, "0x") || text_starts(value, "0X");
    if (!is_hexadecimal && value.at == key.end + 2 && key.end[1] == ' ')
        return bytes_write_line(out, line);
    if (!is_hexadecimal || !text_take_number(&rest, &total, &overflow))
        return write_header(out, key, value);
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, total);
    return outfile_write(out, key.at, text_length(key)) && outfile_write(out, ": ", 2) &&
           outfile_write(out, digits, strlen(digits)) && bytes_write_line(out, rest);
}

/* A key without a value would make the reader complain: it is as good as not there. */
static bool write_line(struct outfile *out, struct text line, bool *is_events)
{
    const char *colon = memchr(line.at, ':', text_length(line));
    if (colon == NULL)
        return true;
    struct text key = {line.at, colon};
    struct text value = text_trim((struct text){colon + 1, line.end});
    if (text_is_empty(value))
        return true;
    *is_events = text_equals(key, "events");
    if (text_equals(key, "summary"))
        return write_summary(out, line, key, value);
    if (line.end - colon > 1 && colon[1] == ' ')
        return bytes_write_line(out, line);
    return write_header(out, key, value);
}

bool write_headers(struct outfile *out, const struct profile *profile)
{
    bool has_events = false;
    for (size_t i = 0; i < profile->header_count; i++) {
        bool is_events = false;
        if (!write_line(out, names_text(&profile->names, profile->headers[i]), &is_events))
            return false;
        has_events |= is_events;
    }
    /* webgrind looks at the events whenever it shows times. */
    return has_events || bytes_write_line(out, text_of_string("events: Cost"));
}
