#include "cg2wg.h"

#include "frontends/frontend.h"
#include "io/outfile.h"
#include "webgrind/formats.h"

#include <stdlib.h>

void cg2wg_options_init(struct cg2wg_options *options)
{
    *options = (struct cg2wg_options){.format = CG2WG_FORMAT_DEFAULT};
}

/* A conversion under way. */
struct conversion {
    const struct cg2wg_options *options;
    const struct format *format;
    struct diag diag;
    struct profile profile;
    struct tree tree;
    bool has_tree; /* the input's records are invocations, and the format wants them */
    uint64_t lines;
};

static bool read_with(struct conversion *c, const struct frontend *frontend, struct lines *lines)
{
    const struct cg2wg_options *options = c->options;
    struct builder builder;
    struct proxy_names proxies = {options->proxies, options->proxy_count};
    struct frontend_options frontend_options = {options->identity, options->records};
    builder_init(&builder, &c->profile, c->format->needs_tree ? &c->tree : NULL, proxies, &c->diag);
    bool done = frontend->read(lines, &builder, &c->diag, &frontend_options);
    c->has_tree = builder.tree != NULL;
    c->lines = lines->number;
    builder_free(&builder);
    return done;
}

static bool read_source(struct conversion *c, struct source *source)
{
    struct lines lines;
    struct text head;
    if (!lines_init(&lines, source))
        return false;
    bool done = false;
    if (lines_peek(&lines, FRONTEND_HEAD, &head)) {
        const struct frontend *frontend = frontend_for(head);
        if (frontend != NULL)
            done = read_with(c, frontend, &lines);
        else if (text_is_empty(head))
            diag_error(&c->diag, 0, "is empty, expected a callgrind profile");
        else
            diag_error(&c->diag, 0, "found nothing of a callgrind profile in its first %zu bytes",
                       text_length(head));
    }
    lines_free(&lines);
    return done;
}

static bool read_input(struct conversion *c, const char *input)
{
    struct source source;
    if (!source_open(&source, input, &c->diag))
        return false;
    bool done = read_source(c, &source);
    source_close(&source);
    return done;
}

static bool write_output(struct conversion *c, const char *output)
{
    struct outfile *out = malloc(sizeof *out);
    if (out == NULL)
        return diag_no_memory(&c->diag);
    bool done = outfile_open(out, output, &c->diag);
    if (done) {
        if (c->format->write(out, c->format, &c->profile, c->has_tree ? &c->tree : NULL)) {
            done = outfile_commit(out);
        } else {
            out->failed = true;
            outfile_abort(out);
            done = false;
        }
    }
    free(out);
    return done;
}

static bool check_arguments(struct conversion *c, const char *input, const char *output)
{
    if (c->format == NULL)
        return diag_error_in(&c->diag, NULL, "found format %u, expected 4, 5, 6 or 7",
                             c->options->format);
    switch (outfile_check(input, output)) {
    case OUTFILE_SAME_FILE:
        return diag_error_in(&c->diag, output, "is the input too, expected another file");
    case OUTFILE_TERMINAL:
        return diag_error_in(&c->diag, NULL,
                             "the output is binary and not written to a terminal");
    case OUTFILE_CLEAR:
        break;
    }
    return true;
}

enum cg2wg_status cg2wg_convert(const char *input, const char *output,
                                const struct cg2wg_options *options, struct cg2wg_stats *stats)
{
    bool is_standard_input = input[0] == '-' && input[1] == '\0';
    struct conversion c = {.options = options,
                           .format = format_for(options->format),
                           .diag = {.report = options->report,
                                    .user = options->user,
                                    .strict = options->strict,
                                    .input = is_standard_input ? "(standard input)" : input}};
    if (!check_arguments(&c, input, output))
        return CG2WG_MISUSE;
    if (!profile_init(&c.profile)) {
        diag_no_memory(&c.diag);
        return CG2WG_FAILED;
    }
    bool done = read_input(&c, input) && write_output(&c, output);
    if (done && stats != NULL)
        *stats = (struct cg2wg_stats){.lines = c.lines,
                                      .functions = c.profile.function_count,
                                      .arcs = c.profile.arc_count,
                                      .warnings = c.diag.warnings};
    tree_free(&c.tree);
    profile_free(&c.profile);
    return done ? CG2WG_OK : CG2WG_FAILED;
}
