#include "webgrind/formats.h"

#include "webgrind/bytes.h"
#include "webgrind/escape.h"
#include "webgrind/heading.h"

const struct format formats[] = {
    {.version = 4, .read_by = "0.4", .needs_tree = true, .write = write_invocations},
    {.version = 5, .read_by = "0.5", .write = write_sums},
    {.version = 6, .read_by = "0.6 to 1.1", .has_sub_calls = true, .adds_summaries = true,
     .write = write_sums},
    {.version = 7, .read_by = "1.2 and later", .has_sub_calls = true, .has_line = true,
     .adds_summaries = true, .write = write_sums},
    {.version = 0},
};

const struct format *format_for(unsigned version)
{
    for (const struct format *format = formats; format->version != 0; format++)
        if (format->version == version)
            return format;
    return NULL;
}

uint64_t function_names_size(struct scale *scale, size_t number)
{
    struct function *function = &scale->profile->functions[number];
    struct text file = names_text(&scale->profile->names, function->file);
    struct text name = names_text(&scale->profile->names, function->name);
    uint64_t size = escape_size(file, ESCAPE_FILE) + escape_size(name, escape_kind_of_name(file));
    if (size > text_length(file) + text_length(name)) {
        function->flags |= FUNCTION_IS_ESCAPED;
        scale->headings->has_escaped_names = true;
    }
    return size + 2;
}

bool write_function_names(struct outfile *out, const struct profile *profile,
                          const struct function *function)
{
    struct text file = names_text(&profile->names, function->file);
    struct text name = names_text(&profile->names, function->name);
    if ((function->flags & FUNCTION_IS_ESCAPED) == 0)
        return bytes_write_line(out, file) && bytes_write_line(out, name);
    return escape_write(out, file, ESCAPE_FILE) && outfile_write(out, "\n", 1) &&
           escape_write(out, name, escape_kind_of_name(file)) && outfile_write(out, "\n", 1);
}

static bool too_large(struct outfile *out, const struct format *format)
{
    const char *instead = "";
    if (format->needs_tree)
        instead = "; versions 5, 6 and 7 need far less";
    else if (format->has_sub_calls)
        instead = "; version 5, without sub calls, needs less";
    return diag_error_in(out->diag, out->name,
                         "needs more than 4 GiB, the most that version %u can address%s",
                         format->version, instead);
}

bool write_addresses(struct outfile *out, const struct format *format, const uint64_t *sizes,
                     size_t function_count, uint64_t gap)
{
    uint64_t first = (uint64_t)NUMBER_SIZE * (FILE_HEAD_NUMBERS + (uint64_t)function_count);
    uint64_t headers = first + gap;
    for (size_t i = 0; i < function_count; i++)
        headers += sizes[i];
    if (headers > UINT32_MAX)
        return too_large(out, format);
    outfile_expect(out, headers); /* plus the headers, which are few */

    uint32_t head[FILE_HEAD_NUMBERS] = {format->version, (uint32_t)headers,
                                        (uint32_t)function_count};
    if (!bytes_write(out, head, FILE_HEAD_NUMBERS))
        return false;
    uint32_t address = (uint32_t)first;
    for (size_t i = 0; i < function_count; i++) {
        if (!bytes_write(out, &address, 1))
            return false;
        address += (uint32_t)sizes[i];
    }
    return true;
}
