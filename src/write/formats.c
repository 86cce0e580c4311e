#include "write/formats.h"

#include "write/bytes.h"
#include "write/escape.h"

static const struct format formats[] = {
    {.version = 4, .needs_tree = true, .write = write_invocations},
    {.version = 5, .write = write_sums},
    {.version = 6, .has_sub_calls = true, .adds_summaries = true, .write = write_sums},
    {.version = 7, .has_sub_calls = true, .has_line = true, .adds_summaries = true, .write = write_sums},
};

const struct format *format_for(unsigned version)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].version == version)
            return &formats[i];
    return NULL;
}

/* The kinds of escaped texts that a name may have. Those of files have the last place. */
enum { WRITTEN_KINDS = ESCAPE_FILE + 1 };

void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct tree *tree)
{
    struct writer w = {.out = out, .format = format_for(options->format), .profile = profile, .tree = tree,
                       .title = options->title,
                       .names = memory_zeroed(profile->names.count, WRITTEN_KINDS * sizeof *w.names)};
    scale_init(&w.scale, options->scale, profile, tree, w.format->needs_tree, out->diag);
    w.format->write(&w);
}

/* Each name is escaped once, because a long one may be that of many functions. */
static struct text written_name(struct writer *w, uint32_t name, enum escape_kind kind)
{
    struct names *names = &w->profile->names;
    uint32_t *number = &w->names[(size_t)name * WRITTEN_KINDS + (kind > ESCAPE_FILE ? ESCAPE_FILE : kind)];
    struct text text = names_text(names, name);
    if (*number == NAME_EMPTY) {
        struct buffer escaped = {0};
        bool is_escaped = escape_may_change(text) && escape_add(&escaped, text, kind);
        *number = is_escaped ? names_intern(names, buffer_text(&escaped)) : name;
        w->is_escaped |= is_escaped;
        memory_free(escaped.bytes);
    }
    return names_text(names, *number);
}

static void find_names(struct writer *w, size_t number, struct text *file, struct text *name)
{
    const struct function *f = &w->profile->functions[number];
    enum escape_kind kind = escape_kind_of_name(names_text(&w->profile->names, f->file));
    *file = written_name(w, f->file, escape_kind_of_file(w->format->version));
    *name = written_name(w, f->name, kind);
}

uint64_t function_names_size(struct writer *w, size_t number)
{
    struct text file, name;
    find_names(w, number, &file, &name);
    return (uint64_t)text_length(file) + text_length(name) + 2;
}

void write_function_names(struct writer *w, size_t number)
{
    struct text file, name;
    find_names(w, number, &file, &name);
    bytes_write_line(w->out, file);
    bytes_write_line(w->out, name);
}

void write_addresses(struct writer *w, const uint64_t *sizes, uint64_t gap)
{
    const struct format *format = w->format;
    size_t count = w->profile->function_count;
    uint64_t address = (uint64_t)NUMBER_SIZE * (FILE_HEAD_NUMBERS + (uint64_t)count), headers = address + gap;
    for (size_t i = 0; i < count; i++)
        headers += sizes[i];
    if (headers > UINT32_MAX)
        diag_error_in(w->out->diag, w->out->name, "needs more than 4 GiB, the most that version %u can address%s",
                      format->version,
                      format->needs_tree      ? "; versions 5, 6 and 7 need far less"
                      : format->has_sub_calls ? "; version 5, without sub calls, needs less" : "");
    w->out->progress.total = headers; /* plus the headers, which are few */
    bytes_write(w->out, (uint32_t[]){format->version, (uint32_t)headers, (uint32_t)count}, FILE_HEAD_NUMBERS);
    for (size_t i = 0; i < count; i++) {
        bytes_write(w->out, (uint32_t[]){(uint32_t)address}, 1);
        address += sizes[i];
    }
}
