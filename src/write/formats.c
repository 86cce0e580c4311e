#include "write/formats.h"

#include "write/bytes.h"

#include "util/run.h"

#include <stdlib.h>

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

/* ---- names -------------------------------------------------------------------------------- */

/* The kinds of escaped texts that a name may have. */
enum { WRITTEN_KINDS = ESCAPE_FILE + 1 };

static uint32_t *written_name(const struct written *written, uint32_t name, enum escape_kind kind)
{
    return &written->names[(size_t)name * WRITTEN_KINDS + (kind > ESCAPE_FILE ? ESCAPE_FILE : kind)];
}

/* Each name is escaped once, because a long one may be that of many functions. */
static bool make_name(struct written *written, struct names *names, uint32_t name,
                      enum escape_kind kind, struct buffer *buffer)
{
    uint32_t *number = written_name(written, name, kind);
    struct text text = names_text(names, name);
    if (*number != NAME_EMPTY)
        return true;
    *number = name;
    if (!escape_may_change(text))
        return true;
    buffer->length = 0;
    if (!escape_add(buffer, text, kind))
        return false;
    bool is_escaped = buffer->length > text_length(text);
    written->is_escaped |= is_escaped;
    return !is_escaped || (*number = names_intern(names, buffer_text(buffer)), true);
}

bool written_init(struct written *written, const struct format *format, const struct scale *scale,
                  const char *title)
{
    struct profile *profile = scale->profile;
    struct names *names = &profile->names;
    struct buffer buffer = {0};
    *written = (struct written){.names = memory_zeroed(names->count, WRITTEN_KINDS * sizeof *written->names)};
    bool done = written->names != NULL;
    for (size_t i = 0; done && i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        done = make_name(written, names, f->file, escape_kind_of_file(format->version), &buffer) &&
               make_name(written, names, f->name, escape_kind_of_name(names_text(names, f->file)), &buffer);
    }
    memory_free(buffer.bytes);
    done = (done && headings_init(&written->headings, profile, scale->unit, title)) || diag_no_memory(scale->diag);
    return done && headers_prepare(written, format, scale);
}

void written_free(struct written *written)
{
    memory_free(written->names);
    headings_free(&written->headings);
    memory_free(written->event.bytes);
    memory_free(written->value.bytes);
}

static void find_names(const struct scale *scale, size_t number, struct text *file, struct text *name)
{
    const struct names *names = &scale->profile->names;
    const struct function *f = &scale->profile->functions[number];
    enum escape_kind kind = escape_kind_of_name(names_text(names, f->file));
    *file = names_text(names, *written_name(scale->written, f->file, ESCAPE_FILE));
    *name = names_text(names, *written_name(scale->written, f->name, kind));
}

uint64_t function_names_size(const struct scale *scale, size_t number)
{
    struct text file, name;
    find_names(scale, number, &file, &name);
    return (uint64_t)text_length(file) + text_length(name) + 2;
}

bool write_function_names(struct outfile *out, const struct scale *scale, size_t number)
{
    struct text file, name;
    find_names(scale, number, &file, &name);
    return bytes_write_line(out, file) && bytes_write_line(out, name);
}

/* ---- addresses ---------------------------------------------------------------------------- */

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
