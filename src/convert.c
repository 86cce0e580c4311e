#include "convert.h"

#include "read/frontend.h"
#include "read/inputs.h"
#include "io/outfile.h"
#include "model/totals.h"
#include "model/units.h"
#include "util/little.h"
#include "util/run.h"
#include "write/formats.h"
#include "read/preprocessed_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cg2wg_options_init(struct cg2wg_options *options)
{
    *options = (struct cg2wg_options){.format = CG2WG_FORMAT_DEFAULT};
}

unsigned cg2wg_format_of(const void *bytes, size_t length)
{
    enum { ENOUGH = 16 };
    struct text head = text_of(bytes, length);
    bool is = length < ENOUGH ? preprocessed_begins(head) : preprocessed_recognises(head);
    return is ? *(const unsigned char *)bytes : 0;
}

/* The contents of an input: a profile and, if the format needs it and the input has it, its tree. */
struct content {
    struct profile profile;
    struct tree tree;
    bool has_tree;
    struct contexts contexts;
    bool has_contexts;
};

/* The state of a conversion. */
struct conversion {
    const struct cg2wg_options *options;
    const struct format *format; /* NULL: there is no output */
    struct event_list *list;     /* NULL: not wanted */
    struct sizes *sizes;         /* NULL: not wanted */
    /* Shows an input: called with the preprocessed file; NULL: not wanted. */
    void (*show_file)(void *user, struct cg2wg_bytes file);
    /* The same with its calling contexts. */
    void (*show_stacks)(void *user, const struct cg2wg_stacks *stacks);
    void *user;
    bool is_shown;  /* it has been called */
    bool is_misuse; /* an argument was not valid */
    struct diag diag;
    struct progress progress; /* of reading */
    uint64_t bytes, lines, slow_lines; /* of the inputs read so far: see cg2wg_stats */
    size_t block;             /* how much is read at once, in bytes; 0: chosen automatically */

    const char *const *inputs;
    size_t input_count;
    const char *output;
    struct cg2wg_stats *stats;
    struct content content;
};

static void conversion_init(struct conversion *c, const struct cg2wg_options *options)
{
    *c = (struct conversion){
        .options = options,
        .diag = {.report = options->report, .user = options->user, .strict = options->strict},
        .progress = {.report = options->progress, .user = options->user}};
}

/* Does the work, which ends where it fails. */
static enum cg2wg_status run(struct conversion *c, void (*work)(void *conversion))
{
    enum run_result result = run_work(work, c);
    if (result == RUN_OUT_OF_MEMORY)
        diag_say(&c->diag, NULL, "out of memory");
    return result == RUN_DONE ? CG2WG_OK : result == RUN_FAILED && c->is_misuse ? CG2WG_MISUSE : CG2WG_FAILED;
}

/* The number of bytes to read, for progress: unknown if it is unknown for one of the inputs. */
static void measure_inputs(struct conversion *c, const char *const *inputs, size_t count)
{
    if (!progress_is_wanted(&c->progress))
        return;
    for (size_t i = 0; i < count; i++) {
        uint64_t size = source_size(inputs[i]);
        if (size == 0) {
            c->progress.total = 0;
            return;
        }
        c->progress.total += size;
    }
}

static bool content_init(struct content *content)
{
    content->tree = (struct tree){0};
    content->contexts = (struct contexts){0};
    content->has_tree = content->has_contexts = false;
    profile_init(&content->profile);
    return true;
}

static void content_free(struct content *content)
{
    contexts_free(&content->contexts);
    tree_free(&content->tree);
    profile_free(&content->profile);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* `so_far`: the earlier inputs, whose event is used; NULL: there are none. */
static bool read_with(struct conversion *c, const struct frontend *frontend, struct lines *lines,
                      const struct profile *so_far, struct content *content)
{
    const struct cg2wg_options *options = c->options;
    struct builder builder;
    struct proxy_names proxies = {options->proxies, options->proxy_count};
    struct frontend_options frontend_options = {.identity = options->identity,
                                                .records = options->records,
                                                .inclusive = options->inclusive,
                                                .event = text_of("", 0),
                                                .event_is_chosen = options->event != NULL,
                                                .samples = options->samples,
                                                .threads = options->threads,
                                                .block = c->block,
                                                .list = c->list,
                                                .sizes = c->sizes};
    if (options->event != NULL)
        frontend_options.event = text_of_string(options->event);
    else if (so_far != NULL)
        frontend_options.event = names_text(&so_far->names, so_far->event);

    /* A list of events does not need inclusive costs. */
    bool needs_tree = c->format != NULL && c->format->needs_tree;
    bool needs_outermost = c->list == NULL && options->inclusive == CG2WG_INCLUSIVE_OUTERMOST;
    builder_init(&builder, &content->profile, needs_tree ? &content->tree : NULL, proxies,
                 needs_outermost, &c->diag);
    builder.contexts = c->show_stacks != NULL ? &content->contexts : NULL;
    builder.needs_contexts = c->show_stacks != NULL && c->show_file == NULL;
    bool done = frontend->read(lines, &builder, &c->diag, &frontend_options);
    content->has_tree = builder.tree != NULL;
    content->has_contexts = builder.contexts != NULL;
    c->lines += lines->number;
    c->slow_lines += lines->returned;
    builder_free(&builder);
    return done;
}

/*
 * A decoder may return some garbage before it reports an error, which takes precedence. Plain input
 * may be long, or endless, and need not be read for that.
 */
static bool not_recognised(struct conversion *c, struct source *source, struct text head)
{
    char known[200];
    if (source_is_decoded(source))
        source_drain(source);
    frontend_formats(known, sizeof known);
    return diag_error(&c->diag, 0, "%s in %s format",
                      text_is_empty(head) ? "is empty, expected a profile" : "not a profile: no line is",
                      known);
}

/*
 * Is it a preprocessed file, complete or not, that is shown as it is? It is if it has a number at
 * the place of the version, because a text would have no NUL there.
 */
static bool is_to_be_shown(const struct conversion *c, const struct frontend *frontend, struct text head)
{
    if (c->show_file == NULL || c->options->input_format != NULL)
        return c->show_file != NULL && frontend == &preprocessed_frontend;
    size_t length = text_length(head) < 4 ? text_length(head) : 4;
    return preprocessed_begins(head) || memchr(head.at, '\0', length) != NULL;
}

static bool show_contexts(struct conversion *c, struct content *content)
{
    return !content->has_contexts ||
           (contexts_show(&content->contexts, &content->profile, c->show_stacks, c->user), true);
}

static bool show_whole(struct conversion *c, struct lines *lines, struct content *content)
{
    struct text all = lines_take_all(lines);
    c->is_shown = true;
    if (c->show_stacks != NULL && text_length(all) >= 4 && little4(all.at) == CG2WG_FORMAT_OLDEST) {
        lines_give(lines, all);
        if (!read_with(c, &preprocessed_frontend, lines, NULL, content) || !show_contexts(c, content))
            return false;
    }
    c->show_file(c->user, (struct cg2wg_bytes){all.at, text_length(all)});
    return true;
}

/* An option of recordings that the input's front end would ignore, or NULL. */
static const char *ignored_option(const struct cg2wg_samples *samples, const struct frontend *frontend)
{
    if (frontend == NULL || frontend == &perf_frontend)
        return NULL;
    if (samples->root != NULL || samples->kernel_table != NULL || samples->demangle)
        return samples->root != NULL ? "--symfs" : samples->kernel_table != NULL ? "--kallsyms" : "--demangle";
    if (frontend == &perf_script_frontend)
        return NULL;
    return samples->name_count > 0  ? "--comm"
           : samples->pid_count > 0 ? "--pid"
           : samples->tid_count > 0 ? "--tid" : NULL;
}

/* The front end that the user has chosen, if any. */
static const struct frontend *wanted_frontend(const struct conversion *c)
{
    return c->options->input_format != NULL ? frontend_named(c->options->input_format) : NULL;
}

static bool check_formats(struct conversion *c)
{
    if (format_for(c->options->format) == NULL)
        return diag_error_in(&c->diag, NULL, "found format %u, expected 4, 5, 6 or 7",
                             c->options->format);
    if (c->options->input_format == NULL || wanted_frontend(c) != NULL)
        return true;
    return diag_error_in(&c->diag, NULL, "unknown input format %s", c->options->input_format);
}

static bool read_source(struct conversion *c, struct source *source, const struct profile *so_far,
                        struct content *content)
{
    struct lines lines;
    struct text head = text_of("", 0);
    const struct frontend *frontend = wanted_frontend(c);
    bool more = frontend == NULL;
    lines_init(&lines, source, c->block);
    bool done = true;
    size_t first = c->block > 0 ? c->block : FRONTEND_HEAD;
    for (size_t wanted = first; more; wanted *= 2) {
        head = lines_peek(&lines, wanted);
        frontend = frontend_for(head, &more);
        more |= frontend == NULL && wanted < FRONTEND_ENOUGH;
        more &= text_length(head) >= wanted;
    }
    const char *ignored = ignored_option(&c->options->samples, frontend);
    if (done && ignored != NULL)
        done = diag_error(&c->diag, 0, "found a profile in %s format, expected a recording of perf because of %s",
                          frontend->name, ignored);
    if (c->show_file != NULL && frontend != NULL && !frontend->has_sizes) {
        c->sizes = NULL;
        c->format = format_for(c->options->format);
    }
    if (done && source_is_decoded(source) && frontend != NULL && !frontend->reads_ahead)
        lines_read_ahead(&lines, c->options->threads, NULL, NULL);
    if (done && is_to_be_shown(c, frontend, head))
        done = show_whole(c, &lines, content);
    else if (done)
        done = frontend != NULL ? read_with(c, frontend, &lines, so_far, content)
                                : not_recognised(c, source, head);
    lines_free(&lines);
    return done;
}

static bool read_input(struct conversion *c, const char *input, const struct profile *so_far,
                       struct content *content)
{
    struct source source;
    c->diag.input = input_name(input);
    (c->options->shared_folders ? source_open_regular : source_open)(&source, input, &c->diag);
    source.progress = &c->progress;
    bool done = read_source(c, &source, so_far, content);
    c->progress.before += source_taken(&source);
    c->bytes += source.handed_out;
    source_close(&source);
    if (done)
        totals_decide(&content->profile, c->options->summary == CG2WG_SUMMARY_COMPUTED, &c->diag);
    return done;
}

/* ---- merging ------------------------------------------------------------------------------ */

/* Brings both to one unit, if their events count the same thing by different measures. */
static bool use_one_unit(struct conversion *c, struct content *sum, struct content *part)
{
    uint64_t sum_factor, part_factor;
    struct text sum_event = names_text(&sum->profile.names, sum->profile.event);
    struct text part_event = names_text(&part->profile.names, part->profile.event);
    if (!text_is_empty(sum_event) && !text_is_empty(part_event) &&
        !unit_is_like(unit_of(sum_event), unit_of(part_event)))
        return diag_error(&c->diag, 0, "found costs in " TEXT_FMT ", expected " TEXT_FMT,
                          TEXT_ARG(part_event), TEXT_ARG(sum_event));
    unit_unify(&sum->profile.names, &sum->profile.event, part_event, &sum_factor, &part_factor);
    unit_multiply(&sum->profile, sum->has_tree ? &sum->tree : NULL, sum_factor, &c->diag);
    unit_multiply(&part->profile, part->has_tree ? &part->tree : NULL, part_factor, &c->diag);
    sum->profile.speaks_of_event |= sum_factor != part_factor;
    return true;
}

/* Counts merged profiles by their commands. */
static bool mark_merged(struct profile *profile)
{
    bool has_command = false;
    for (size_t i = 0; i < profile->header_count; i++)
        has_command |= profile->headers[i].kind == HEADER_CMD;
    profile->is_merged = true;
    return has_command ||
           (profile_add_header(profile, text_of("", 0),
                              (struct header){.kind = HEADER_CMD, .profiles = 1}), true);
}

/* Adds `part` to `sum`. */
static bool merge(struct conversion *c, struct content *sum, struct content *part)
{
    if (!use_one_unit(c, sum, part))
        return false;
    uint32_t *renumbered = memory_zeroed(part->profile.function_count + 1, sizeof *renumbered);
    bool done = renumbered != NULL && mark_merged(&sum->profile) && mark_merged(&part->profile) &&
                (profile_merge(&sum->profile, &part->profile, renumbered), true) &&
                (!sum->has_tree || !part->has_tree ||
                 (tree_append(&sum->tree, &part->tree, renumbered), true));
    memory_free(renumbered);
    sum->has_tree = sum->has_tree && part->has_tree;
    return done || diag_no_memory(&c->diag);
}

/* One input is read straight into `sum`; of several, each is read by itself and then added. */
static bool read_inputs(struct conversion *c, const char *const *inputs, size_t count,
                        struct content *sum)
{
    if (!read_input(c, inputs[0], NULL, sum))
        return false;
    for (size_t i = 1; i < count; i++) {
        struct content part;
        if (!content_init(&part))
            return false;
        bool done = read_input(c, inputs[i], &sum->profile, &part) && merge(c, sum, &part);
        content_free(&part);
        if (!done)
            return false;
    }
    if (count > 1)
        c->diag.input = NULL;
    return true;
}

/* Warns about expected proxies that match no function. */
static void check_proxies(struct conversion *c, const struct profile *profile)
{
    const struct cg2wg_options *options = c->options;
    for (size_t i = 0; i < options->expected_proxy_count; i++) {
        const char *name = options->proxies[i];
        struct proxy_names proxy = {&options->proxies[i], 1};
        bool found = false, goes_on = false; /* Xdebug appends the place of the call to some names */
        for (uint32_t f = 0; f < profile->function_count && !found; f++) {
            struct text function = names_text(&profile->names, profile->functions[f].name);
            found = proxy_names_match(proxy, function);
            goes_on |= !found && text_starts(function, name) && function.at[strlen(name)] == ':';
        }
        if (found)
            continue;
        if (goes_on)
            diag_warning(&c->diag, 0, "no function is named %s, only %s:...; use --proxy='%s:*'", name,
                         name, name);
        else
            diag_warning(&c->diag, 0, "no function is named %s, so --proxy has no effect", name);
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool write_content(struct conversion *c, struct outfile *out, struct content *content)
{
    totals_use_positive(&content->profile, c->options->summary == CG2WG_SUMMARY_COMPUTED);
    write_profile(out, c->options, &content->profile, content->has_tree ? &content->tree : NULL);
    return true;
}

/*
 * A file that is not a preprocessed one may be a profile that was named as the output by mistake
 * (`cg2wg cachegrind.out.*`), and the only copy of what was measured.
 */
static bool may_replace(struct conversion *c, const char *output, bool followed)
{
    char bytes[4096];
    if (c->options->overwrite)
        return true;
    ssize_t length = outfile_replaces(output, followed, bytes, sizeof bytes);
    if (length < 0)
        return diag_error_in(&c->diag, output, "cannot check whether it may be replaced: %s",
                             strerror(errno));
    struct text head = text_of(bytes, (size_t)length);
    if (length == 0 || preprocessed_begins(head))
        return true;
    bool more;
    const struct frontend *frontend = frontend_for(head, &more);
    const char *format = frontend != NULL ? frontend->name : "an unknown";
    c->is_misuse = true;
    return diag_error_in(&c->diag, output,
                         "found a file in %s format, expected a preprocessed file to replace, or none; "
                         "name another output with -o OUTPUT, or replace this file with --overwrite",
                         source_is_packed(head) ? "a compressed" : format);
}

static bool write_output(struct conversion *c, const char *output, struct content *content)
{
    struct outfile *out = memory_get(sizeof *out);
    if (out == NULL)
        return diag_no_memory(&c->diag);
    outfile_open(out, output, !c->options->shared_folders, &c->diag);
    out->progress = (struct progress){.report = c->options->progress, .user = c->options->user};
    bool done = write_content(c, out, content) && (out->temporary == NULL || may_replace(c, out->target, false));
    if (done)
        outfile_commit(out);
    else
        outfile_abort(out);
    memory_free(out);
    return done;
}

static bool check_arguments(struct conversion *c, const char *const *inputs, size_t count,
                            const char *output)
{
    c->is_misuse = true;
    if (!check_formats(c))
        return false;
    for (size_t i = 0; i < count; i++) {
        switch (outfile_check(inputs[i], output, !c->options->shared_folders)) {
        case OUTFILE_SAME_FILE:
            return diag_error_in(&c->diag, output, "is also an input, expected another file");
        case OUTFILE_TERMINAL:
            return diag_error_in(&c->diag, NULL,
                                 "the output is binary and is not written to a terminal");
        case OUTFILE_CLEAR:
            break;
        }
    }
    c->is_misuse = false;
    return may_replace(c, output, !c->options->shared_folders);
}

static void convert(void *conversion)
{
    struct conversion *c = conversion;
    struct content *content = &c->content;
    check_arguments(c, c->inputs, c->input_count, c->output);
    content_init(content);
    measure_inputs(c, c->inputs, c->input_count);
    inputs_check(c->inputs, c->input_count, &c->diag);
    read_inputs(c, c->inputs, c->input_count, content);
    check_proxies(c, &content->profile);
    write_output(c, c->output, content);
    if (c->stats != NULL)
        *c->stats = (struct cg2wg_stats){.bytes = c->bytes,
                                         .lines = c->lines,
                                         .slow_lines = c->slow_lines,
                                         .functions = content->profile.function_count,
                                         .arcs = content->profile.arc_count,
                                         .warnings = c->diag.warnings};
}

enum cg2wg_status convert_in_blocks(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options,
                                    struct cg2wg_stats *stats, size_t block)
{
    struct conversion c;
    conversion_init(&c, options);
    c.block = block;
    c.format = format_for(options->format);
    c.inputs = inputs;
    c.input_count = count;
    c.output = output;
    c.stats = stats;
    return run(&c, convert);
}

enum cg2wg_status cg2wg_convert_all(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats)
{
    return convert_in_blocks(inputs, count, output, options, stats, 0);
}

enum cg2wg_status cg2wg_convert(const char *input, const char *output,
                                const struct cg2wg_options *options, struct cg2wg_stats *stats)
{
    return cg2wg_convert_all(&input, 1, output, options, stats);
}

/* ---- events ------------------------------------------------------------------------------- */

/* Copies a text to *place, with a NUL after it, and advances *place. NULL if the text is empty. */
static const char *put_string(char **place, struct text t)
{
    char *copy = *place;
    if (text_is_empty(t))
        return NULL;
    memcpy(copy, t.at, text_length(t));
    copy[text_length(t)] = '\0';
    *place += text_length(t) + 1;
    return copy;
}

/* The largest size of the strings of one event. */
static size_t room_for_strings(const struct event_list *listed)
{
    size_t room = 1;
    for (size_t i = 0; i < listed->count; i++) {
        const struct listed_event *e = &listed->events[i];
        size_t length = text_length(e->name) + text_length(e->formula) + text_length(e->long_name);
        if (room < length + 3)
            room = length + 3;
    }
    return room;
}

/* Returns false, without calling anything, if memory runs out. */
static bool show_events(const struct event_list *listed,
                        void (*list)(void *user, const struct cg2wg_event *event), void *user)
{
    char *strings = memory_get(room_for_strings(listed));
    if (strings == NULL)
        return false;
    for (size_t i = 0; i < listed->count; i++) {
        const struct listed_event *e = &listed->events[i];
        char *place = strings;
        const char *name = put_string(&place, e->name);
        struct cg2wg_event event = {.name = name != NULL ? name : "", .total = e->total};
        event.formula = put_string(&place, e->formula);
        event.long_name = put_string(&place, e->long_name);
        list(user, &event);
    }
    memory_free(strings);
    return true;
}

struct listing {
    struct conversion c;
    struct event_list listed;
    void (*list)(void *user, const struct cg2wg_event *event);
    void *user;
};

static void list_events(void *conversion)
{
    struct listing *l = conversion;
    check_formats(&l->c);
    content_init(&l->c.content);
    measure_inputs(&l->c, l->c.inputs, 1);
    read_input(&l->c, l->c.inputs[0], NULL, &l->c.content);
    show_events(&l->listed, l->list, l->user);
}

enum cg2wg_status cg2wg_list_events(const char *input, const struct cg2wg_options *options,
                                    void (*list)(void *user, const struct cg2wg_event *event),
                                    void *user)
{
    struct listing l = {.list = list, .user = user};
    conversion_init(&l.c, options);
    l.c.list = &l.listed;
    l.c.inputs = &input;
    return run(&l.c, list_events) == CG2WG_OK ? CG2WG_OK : CG2WG_FAILED;
}

/* ---- showing ------------------------------------------------------------------------------ */

enum { MOST_SHOWN = 32 << 20, MOST_SHOWN_FACTOR = 16 };

/* Shows the preprocessed file that a conversion would write. */
static bool show_converted(struct conversion *c, struct content *content)
{
    /* Each function has a copy of its file's name. Those of real files are not much longer than what has been read. */
    struct outfile_memory file = {.most = MOST_SHOWN + MOST_SHOWN_FACTOR * c->bytes};
    struct outfile *out = memory_get(sizeof *out);
    if (out == NULL)
        return diag_no_memory(&c->diag);
    outfile_open_memory(out, &file, &c->diag);
    bool done = write_content(c, out, content);
    outfile_commit(out);
    if (done)
        c->show_file(c->user, (struct cg2wg_bytes){file.bytes, file.size});
    memory_free(file.bytes);
    memory_free(out);
    return done;
}

struct showing {
    struct conversion c;
    struct sizes sizes;
    void (*show_sizes)(void *user, const struct cg2wg_sizes *sizes);
    bool wants_stacks;
};

static void show(void *conversion)
{
    struct showing *s = conversion;
    struct conversion *c = &s->c;
    c->is_misuse = true;
    check_formats(c);
    c->is_misuse = false;
    content_init(&c->content);
    measure_inputs(c, c->inputs, 1);
    read_input(c, c->inputs[0], NULL, &c->content);
    if (c->is_shown)
        return;
    check_proxies(c, &c->content.profile);
    if (c->sizes != NULL) {
        sizes_show(&s->sizes, &c->content.profile, s->show_sizes, c->user);
        return;
    }
    if (s->wants_stacks)
        show_contexts(c, &c->content);
    if (c->show_file != NULL)
        show_converted(c, &c->content);
}

enum cg2wg_status cg2wg_show(const char *input, const struct cg2wg_options *options,
                             void (*show_sizes)(void *user, const struct cg2wg_sizes *sizes),
                             void (*show_file)(void *user, struct cg2wg_bytes file), void *user)
{
    struct showing s = {.show_sizes = show_sizes};
    conversion_init(&s.c, options);
    s.c.sizes = show_sizes != NULL ? &s.sizes : NULL;
    s.c.format = show_sizes != NULL ? NULL : format_for(options->format);
    s.c.show_file = show_file;
    s.c.user = user;
    s.c.inputs = &input;
    return run(&s.c, show);
}

enum cg2wg_status cg2wg_show_stacks(const char *input, const struct cg2wg_options *options,
                                    void (*show_stacks)(void *user, const struct cg2wg_stacks *stacks),
                                    void (*show_file)(void *user, struct cg2wg_bytes file),
                                    void *user)
{
    struct showing s = {.wants_stacks = true};
    conversion_init(&s.c, options);
    s.c.show_stacks = show_stacks;
    s.c.show_file = show_file;
    s.c.format = show_file != NULL ? format_for(options->format) : NULL;
    s.c.user = user;
    s.c.inputs = &input;
    return run(&s.c, show);
}
