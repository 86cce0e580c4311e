#include "write/formats.h"

#include "write/escape.h"
#include "write/headers.h"

/* The kinds of escaped texts that a name may have. Those of files have the last place. */
enum { WRITTEN_KINDS = ESCAPE_FILE + 1 };

void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct tree *tree)
{
    struct writer w = {.out = out, .version = options->format, .profile = profile, .tree = tree,
                       .title = options->title,
                       .written = memory_zeroed(profile->names.count, WRITTEN_KINDS * sizeof *w.written)};
    bool has_sums = w.version >= FIRST_VERSION_WITH_SUMS;
    scale_init(&w.scale, options->scale, profile, tree, !has_sums, out->diag);
    if (has_sums)
        write_sums(&w);
    else
        write_invocations(&w);
    outfile_write(out, w.headers.bytes, w.headers.length);
}

/* How a name is written. Each is escaped once, because a long one may be that of many functions. */
static struct text written_name(struct writer *w, uint32_t name, enum escape_kind kind)
{
    struct names *names = &w->profile->names;
    uint32_t *number = &w->written[(size_t)name * WRITTEN_KINDS + (kind > ESCAPE_FILE ? ESCAPE_FILE : kind)];
    if (*number == NAME_EMPTY) {
        w->escaped.length = 0;
        bool is_escaped = escape_add(&w->escaped, names_text(names, name), kind);
        *number = is_escaped ? names_intern(names, buffer_text(&w->escaped)) : name;
        w->is_escaped |= is_escaped;
    }
    return names_text(names, *number);
}

static struct text written_file(struct writer *w, size_t number)
{
    return written_name(w, w->profile->functions[number].file, escape_kind_of_file(w->version));
}

static struct text written_function(struct writer *w, size_t number)
{
    const struct function *f = &w->profile->functions[number];
    return written_name(w, f->name, escape_kind_of_name(names_text(&w->profile->names, f->file)));
}

uint64_t function_names_size(struct writer *w, size_t number)
{
    return (uint64_t)text_length(written_file(w, number)) + text_length(written_function(w, number)) + 2;
}

void write_function_names(struct writer *w, size_t number)
{
    write_line(w->out, written_file(w, number));
    write_line(w->out, written_function(w, number));
}

void write_head(struct writer *w, const uint64_t *sizes, uint64_t gap)
{
    size_t count = w->profile->function_count;
    uint64_t address = (uint64_t)NUMBER_SIZE * (FILE_HEAD_NUMBERS + (uint64_t)count), headers = address + gap;
    make_headers(w);
    for (size_t i = 0; i < count; i++)
        headers += sizes[i];
    if (headers > UINT32_MAX)
        diag_error_in(w->out->diag, w->out->name, "needs more than 4 GiB, the most that version %u can address%s",
                      w->version,
                      w->version < FIRST_VERSION_WITH_SUMS         ? "; versions 5, 6 and 7 need far less"
                      : w->version >= FIRST_VERSION_WITH_SUB_CALLS ? "; version 5, without sub calls, needs less" : "");
    w->out->progress.total = headers; /* plus the headers, which are few */
    write_numbers(w->out, (uint32_t[]){w->version, (uint32_t)headers, (uint32_t)count}, FILE_HEAD_NUMBERS);
    for (size_t i = 0; i < count; i++) {
        write_numbers(w->out, (uint32_t[]){(uint32_t)address}, 1);
        address += sizes[i];
    }
}
