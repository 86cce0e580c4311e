#include "webgrind/formats.h"

#include "webgrind/bytes.h"
#include "webgrind/escape.h"

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

bool mark_escaped_names(struct profile *profile)
{
    bool any = false;
    for (size_t i = 0; i < profile->function_count; i++) {
        struct function *function = &profile->functions[i];
        struct text file = names_text(&profile->names, function->file);
        if (!escape_changes(names_text(&profile->names, function->name), escape_kind_of_name(file)) &&
            !escape_changes(file, ESCAPE_FILE))
            continue;
        function->flags |= FUNCTION_IS_ESCAPED;
        any = true;
    }
    return any;
}

uint64_t function_names_size(const struct profile *profile, const struct function *function)
{
    struct text file = names_text(&profile->names, function->file);
    struct text name = names_text(&profile->names, function->name);
    if ((function->flags & FUNCTION_IS_ESCAPED) == 0)
        return text_length(file) + 1 + text_length(name) + 1;
    return escape_size(file, ESCAPE_FILE) + 1 + escape_size(name, escape_kind_of_name(file)) + 1;
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
