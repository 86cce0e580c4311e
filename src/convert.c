#include "convert.h"

#include "read/input.h"
#include "read/preprocessed_file.h"
#include "io/outfile.h"
#include "model/totals.h"
#include "model/units.h"
#include "util/inflate.h"
#include "util/run.h"
#include "util/show.h"
#include "view/view.h"
#include "write/formats.h"
#include "model/facts.h"
#include "write/headers.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_SIZE = 4096 }; /* bytes of a file that say of what kind it is */

static const struct cg2wg_options default_options = {.format = CG2WG_FORMAT_DEFAULT};
static const struct cg2wg_view default_view = {.min = -1, .fail_above = -1};

void cg2wg_options_init(struct cg2wg_options *options)
{
    *options = default_options;
}

unsigned cg2wg_format_of(const void *bytes, size_t length)
{
    enum { ENOUGH = 16 };
    struct text head = text_of(length > 0 ? bytes : "", length);
    bool is = length < ENOUGH ? preprocessed_begins(head) : preprocessed_recognises(head) == MINE;
    return is ? *(const unsigned char *)bytes : 0;
}

void cg2wg_view_init(struct cg2wg_view *view)
{
    *view = default_view;
}

/* A run: what is done with the inputs, for whom, and its state. */
struct conversion {
    enum { CONVERT, LIST, PRINT, READ } what;
    const struct cg2wg_options *options;
    const char *const *inputs;
    size_t input_count;
    /* CONVERT */
    const char *output;
    /* LIST and READ */
    void (*list)(void *user, const struct cg2wg_event *event);
    void (*take)(void *user, const struct cg2wg_profile *profile);
    void *user; /* passed to both */
    /* PRINT */
    const struct cg2wg_view *view;
    FILE *stream;
    int temporary; /* the descriptor of the file that is printed to before it becomes the output; -1: there is none */
    struct run_held held_temporary;

    struct reading reading;
    enum cg2wg_status status; /* if it fails now; or of the whole */
    struct contents content;
};

/* ---- writing ------------------------------------------------------------------------------ */

/* Is what is printed compressed, because of its name? */
static bool is_packed_output(const struct conversion *c)
{
    return c->what == PRINT && text_ends_alike(text_of_string(c->output), text_of_string(".gz"));
}

/* Stores up to `size` bytes of a text, and takes them off it: see inflate_input. */
static size_t take_bytes(void *rest, unsigned char *bytes, size_t size)
{
    struct text *text = rest;
    size = MIN(size, text_length(*text));
    memcpy(bytes, text->at, size);
    text->at += size;
    return size;
}

/* Is a file that begins like this of the kind that is written, so that it may be replaced? */
static bool is_same_kind(const struct conversion *c, struct text head)
{
    unsigned char plain[HEAD_SIZE];
    if (c->what == CONVERT)
        return preprocessed_begins(head);
    if (is_packed_output(c)) {
        struct inflate *z = memory_get(sizeof *z);
        inflate_init(z, take_bytes, &head);
        head = text_of((char *)plain, inflate_read(z, plain, sizeof plain));
        bool is_readable = !text_is_empty(head) || z->result == INFLATE_END;
        memory_free(z);
        if (!is_readable)
            return false;
    }
    return view_begins(c->view->style, head);
}

/*
 * A file of another kind may be a profile that was named as the output by mistake (`cg2wg cachegrind.out.*`), and the
 * only copy of what was measured, or somebody's text.
 */
static void check_replaced(struct conversion *c, const char *output, bool followed)
{
    static const char *const kinds[] = {
        [CG2WG_TABLE] = "a table by cg2wg", [CG2WG_JSON] = "JSON by cg2wg", [CG2WG_PLOT] = "a plot by cg2wg",
        [CG2WG_STACKS] = "collapsed stacks", [CG2WG_PAGE] = "a page by cg2wg", [CG2WG_PPROF] = "a profile for pprof"};
    char bytes[HEAD_SIZE];
    ssize_t length = c->options->overwrite ? 0 : outfile_replaces(output, followed, bytes, sizeof bytes);
    if (length < 0)
        diag_error_in(&c->reading.diag, output, "cannot check whether it may be replaced: %s", strerror(errno));
    if (length == 0 || is_same_kind(c, text_of(bytes, (size_t)length)))
        return;
    bool more;
    const struct frontend *frontend = frontend_for(text_of(bytes, (size_t)length), &more);
    const char *format = source_decoder(text_of(bytes, (size_t)length)) != NULL ? "a compressed"
                         : frontend != NULL                                   ? frontend->name : "an unknown";
    c->status = CG2WG_MISUSE;
    diag_error_in(&c->reading.diag, output,
                  "found a file in %s format, expected %s to replace, or none; name another output with -o OUTPUT, or "
                  "replace this file with --overwrite", format,
                  c->what == CONVERT ? "a preprocessed file" : kinds[c->view->style]);
}

static void check_arguments(struct conversion *c)
{
    bool follows = !c->options->shared_folders;
    c->status = CG2WG_MISUSE;
    for (size_t i = 0; i < c->input_count; i++) {
        enum outfile_obstacle obstacle = outfile_check(c->inputs[i], c->output, follows);
        if (obstacle == OUTFILE_SAME_FILE)
            diag_error_in(&c->reading.diag, c->output, "is also an input, expected another file");
        if (obstacle == OUTFILE_TERMINAL && c->what == CONVERT)
            diag_error_in(&c->reading.diag, NULL, "the output is binary and is not written to a terminal");
    }
    c->status = CG2WG_FAILED;
    check_replaced(c, c->output, follows);
}

static void complete(void *conversion, const char *written)
{
    struct conversion *c = conversion;
    if (c->options->complete != NULL)
        c->options->complete(c->options->user, c->output, written, c->reading.stats.is_listed);
}

static void convert(struct conversion *c)
{
    struct profile *profile = &c->content.profile;
    struct outfile *out = memory_get(sizeof *out);
    check_arguments(c);
    inputs_check(c->inputs, c->input_count, &c->reading.diag);
    input_read(&c->reading, c->inputs, c->input_count, &c->content);
    outfile_open(out, c->output, !c->options->shared_folders, &c->reading.rights, &c->reading.diag);
    out->progress = (struct progress){.report = c->options->progress, .user = c->options->user};
    totals_use_positive(profile, c->options->summary == CG2WG_SUMMARY_COMPUTED);
    write_profile(out, c->options, profile, &c->content.contexts);
    if (out->temporary != NULL)
        check_replaced(c, out->target, false);
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (c->reading.newest > now.tv_sec * INT64_C(1000000000) + now.tv_nsec)
        out->time = c->reading.newest; /* in the future: no output is older than its input */
    out->complete = complete;
    out->of = c;
    outfile_commit(out);
    c->reading.stats.functions = profile->function_count;
    c->reading.stats.arcs = profile->arc_count;
    c->reading.stats.warnings = c->reading.diag.warnings;
}

/* ---- showing ------------------------------------------------------------------------------ */

/*
 * Reads an input to show what a conversion would write, but with exact costs and names. READ, and costs by size, have
 * the input's unit.
 */
static void read_shown(struct conversion *c, const char *input, struct contents *shown)
{
    struct profile *profile = &shown->profile;
    input_read(&c->reading, &input, 1, shown);
    bool is_stored = shown->stored.version > 0;
    if (!is_stored && (c->reading.wants & NEEDS_CONTEXTS) == 0) {
        totals_use_positive(profile, c->options->summary == CG2WG_SUMMARY_COMPUTED);
        if (c->what != READ && !shown->has_sizes)
            unit_use_known(profile, &shown->contexts, false, &shown->diag);
        struct text event = names_text(&profile->names, profile->event);
        facts_settle_event(profile, text_is_empty(event) ? text_of_string("Cost") : event);
    }
    facts_init(&shown->facts, profile, is_stored ? NULL : c->options->title);
    const cost_t *all = shown->allocated != NULL ? shown->allocated + profile->function_count : NULL;
    if (all != NULL)
        shown->facts.total = (uint64_t)all[0];
    if (all != NULL && all[0] == all[1])
        shown->allocated = NULL;
    if (c->what == READ || c->view->style == CG2WG_JSON)
        shown->headers = is_stored ? shown->stored.headers : headers_of(profile, 1, "", c->options);
}

static void close_temporary(void *conversion)
{
    struct conversion *c = conversion;
    run_let_go(&c->held_temporary);
    if (c->stream != NULL)
        fclose(c->stream);
    if (c->temporary >= 0)
        close(c->temporary);
}

/* What is printed to a file goes to a temporary one first. */
static void open_temporary(struct conversion *c)
{
    c->stream = NULL;
    c->temporary = file_create_unnamed();
    run_hold(&c->held_temporary, close_temporary, c);
    int fd = c->temporary >= 0 ? file_duplicate(c->temporary) : -1, error = errno;
    if (fd >= 0) {
        c->stream = fdopen(fd, "wb");
        error = errno;
    }
    if (fd >= 0 && c->stream == NULL)
        close(fd);
    if (c->stream == NULL)
        diag_error_in(&c->reading.diag, NULL, "cannot make a temporary file: %s", strerror(error));
}

static void write_printed(struct conversion *c)
{
    static const struct program_kind gzip = {"gzip", "-nc", "the output is to be compressed, but the program",
                                             "compress it", "compressed it", 0, false, NULL};
    struct program packer = program_of(&gzip, &c->reading.diag);
    bool is_packed = is_packed_output(c);
    struct outfile *out = memory_get(sizeof *out);
    char *bytes = memory_get(OUTFILE_BUFFER);
    ssize_t length = 0;
    int fd = c->temporary, error = show_end(c->stream);
    c->stream = NULL;
    if (error == 0 && lseek(fd, 0, SEEK_SET) != 0)
        error = errno;
    if (error != 0)
        diag_error_in(&c->reading.diag, NULL, "cannot write a temporary file: %s", strerror(error));
    if (is_packed)
        program_start(&packer, fd, text_of("", 0));
    outfile_open(out, c->output, !c->options->shared_folders, &c->reading.rights, &c->reading.diag);
    while (program_feed(&packer, packer.output, NULL) &&
           (length = file_read(is_packed ? packer.output : fd, bytes, OUTFILE_BUFFER, -1)) > 0)
        outfile_write(out, bytes, (size_t)length);
    if (length < 0)
        diag_error_in(&c->reading.diag, NULL, "cannot read a temporary file: %s", strerror(errno));
    program_check_end(&packer);
    program_stop(&packer);
    if (out->temporary != NULL)
        check_replaced(c, out->target, false);
    outfile_commit(out);
    close_temporary(c);
}

/*
 * The events of a page. There are several only if all parts of the profile have the same ones, no option chooses one,
 * and the input can be read again.
 */
static size_t page_events(const struct conversion *c, const struct contents *shown, struct text events[PAGE_EVENTS])
{
    const struct profile *profile = &shown->profile;
    struct text all = text_of("", 0);
    size_t count = 0;
    bool is_alone = c->view->style != CG2WG_PAGE || c->view->base != NULL || c->options->event != NULL ||
                    shown->stored.version > 0 || file_is_standard(c->inputs[0]) || source_size(c->inputs[0]) == 0;
    for (size_t i = 0; !is_alone && i < profile->header_count; i++) {
        struct text value = text_trim(names_text(&profile->names, profile->headers[i].value));
        if (profile->headers[i].kind != HEADER_EVENTS)
            continue;
        is_alone = !text_is_empty(all) && !text_same(all, value);
        all = value;
    }
    while (!is_alone && count < PAGE_EVENTS && !text_is_empty(all))
        events[count++] = text_take_word(&all);
    return count > 0 ? count : 1;
}

/*
 * The inclusive costs of a profile that is printed count recursion once, unless it is compared with a preprocessed
 * file, whose costs are usually sums.
 */
static void print(struct conversion *c)
{
    struct contents *shown = &c->content, base; /* compared with, or another event of a page */
    const char *other = c->view->base;
    struct text events[PAGE_EVENTS];
    bool grew = false;
    c->output = c->view->output;
    if (c->output != NULL) {
        check_arguments(c);
        open_temporary(c);
    }
    if (c->view->style != CG2WG_STACKS && (other == NULL || !(input_is_preprocessed(other, &c->reading.diag) ||
                                                              input_is_preprocessed(c->inputs[0], &c->reading.diag))))
        c->reading.wants |= WANTS_OUTERMOST;
    if (other != NULL)
        read_shown(c, other, &base);
    read_shown(c, c->inputs[0], shown);
    size_t event_count = page_events(c, shown, events);
    shown->page_events = event_count;
    if (c->options->progress != NULL)
        c->options->progress(c->options->user, &(struct cg2wg_progress){.stage = CG2WG_PRINTING});
    if (other != NULL)
        grew = print_differences(c->stream, c->view, shown, &base);
    else
        print_shown(c->stream, c->view, shown);
    for (size_t i = 1; i < event_count; i++) {
        void *begin = memory_get(0);
        c->reading.event = events[i];
        c->reading.diag.only_errors = true; /* the first reading has reported all others */
        read_shown(c, c->inputs[0], &base);
        base.page_event = i;
        base.page_events = event_count;
        if (profile_has_cost(&base.profile))
            print_shown(c->stream, c->view, &base);
        memory_free_between(begin, memory_get(0));
    }
    if (c->view->style == CG2WG_PAGE)
        print_page_around(c->stream, true);
    if (c->output != NULL)
        write_printed(c);
    if (grew)
        c->status = CG2WG_GREW;
}

static void read_contents(struct conversion *c)
{
    struct contents *shown = &c->content;
    const struct profile *profile = &shown->profile;
    read_shown(c, c->inputs[0], shown);
    struct cg2wg_function *functions = memory_zeroed(profile->function_count + 1, sizeof *functions);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        bool has_object = f->identity == IDENTITY_OBJECT;
        functions[i] = (struct cg2wg_function){.name = profile_bytes(profile, f->name),
                                               .file = profile_bytes(profile, f->file),
                                               .object = profile_bytes(profile, has_object ? f->object : NAME_EMPTY),
                                               .line = f->line, .self = f->self, .inclusive = f->inclusive,
                                               .invocations = f->invocations};
        if (!shown->has_sizes)
            continue;
        size_t first = shown->sizes.first[i];
        functions[i].size_count = shown->sizes.first[i + 1] - first;
        functions[i].sizes = functions[i].size_count > 0 ? &shown->sizes.costs[first] : NULL;
        if (i < shown->sizes.mangled_count)
            functions[i].mangled_name = profile_bytes(profile, shown->sizes.mangled[i]);
    }
    struct text headers = header_lines_text(&shown->headers);
    struct cg2wg_profile taken = {.event = profile_bytes(profile, profile->event),
                                  .headers = {headers.at, text_length(headers)},
                                  .functions = functions, .function_count = profile->function_count,
                                  .arcs = profile->arcs, .arc_count = profile->arc_count,
                                  .context_count = shown->has_contexts ? shown->contexts.count : 0,
                                  .has_contexts = shown->has_contexts,
                                  .measure = profile_bytes(profile, shown->sizes.measure)};
    if (shown->has_contexts)
        taken.contexts = contexts_move_ordered(&shown->contexts);
    for (size_t i = 0; i < profile->header_count; i++)
        if (profile->headers[i].kind == HEADER_SUMMARY)
            cost_add(&taken.total, profile->headers[i].total);
    c->take(c->user, &taken);
}

/* ---- the library -------------------------------------------------------------------------- */

/* Members that are wrong beside others. */
static const char *contradiction(const struct conversion *c, const struct cg2wg_view *view)
{
    const struct cg2wg_samples *samples = &c->options->samples;
    bool is_table = view->style == CG2WG_TABLE || view->style == CG2WG_JSON;
    const struct {
        bool is_wrong;
        const char *text;
    } all[] = {
        {c->what == LIST ? c->list == NULL : c->what == READ && c->take == NULL, "found no callback, expected one"},
        {c->what == PRINT && c->stream == NULL && view->output == NULL, "found no stream and no output, expected one"},
        {samples->pid_count > 0 && samples->pids == NULL, "samples.pids: found NULL, expected numbers"},
        {samples->tid_count > 0 && samples->tids == NULL, "samples.tids: found NULL, expected numbers"},
        {!(view->min <= 100), "min: found no percentage, expected at most 100"},
        {!(view->fail_above <= 1e6), "fail_above: found no percentage, expected at most 1000000"},
        {view->fail_above >= 0 && view->base == NULL, "fail_above: found no base, expected one"},
        {view->base != NULL && !is_table && view->style != CG2WG_PAGE, "base: found a style that compares nothing"},
        {view->base != NULL && view->functions.count > 0, "base: found functions, expected none"},
        {!is_table && view->functions.count > 0, "functions: found another style, expected a table or JSON"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].is_wrong)
            return all[i].text;
    return NULL;
}

/* What no call can mean is CG2WG_MISUSE, whatever the inputs are. */
static void check_options(struct conversion *c)
{
    const struct cg2wg_options *o = c->options;
    const struct cg2wg_view *view = c->what == PRINT ? c->view : &default_view;
    const struct {
        const char *of;
        uint64_t found, least, most;
    } numbers[] = {
        {"format", o->format, CG2WG_FORMAT_OLDEST, CG2WG_FORMAT_NEWEST},
        {"identity", o->identity, 0, CG2WG_IDENTITY_OBJECT}, {"records", o->records, 0, CG2WG_RECORDS_SUMS},
        {"summary", o->summary, 0, CG2WG_SUMMARY_COMPUTED}, {"inclusive", o->inclusive, 0, CG2WG_INCLUSIVE_OUTERMOST},
        {"demangle", o->demangle, 0, CG2WG_DEMANGLE_NEVER}, {"scale", o->scale, 0, SCALE_MOST},
        {"style", view->style, 0, CG2WG_PPROF}, {"order", view->order, 0, CG2WG_BY_PLACE},
        {"count", c->input_count, 1, SIZE_MAX}, {"expected_proxy_count", o->expected_proxy_count, 0, o->proxy_count},
    };
    const struct {
        const char *of;
        const char *const *texts;
        size_t count;
    } lists[] = {
        {"input", c->inputs, c->input_count}, {"output", &c->output, c->what == CONVERT},
        {"proxies", o->proxies, o->proxy_count}, {"samples.names", o->samples.names, o->samples.name_count},
        {"only", view->only.words, view->only.count}, {"hide", view->hide.words, view->hide.count},
        {"functions", view->functions.words, view->functions.count},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].found < numbers[i].least || numbers[i].found > numbers[i].most)
            diag_error_in(&c->reading.diag, NULL, "%s: found %" PRIu64 ", expected %" PRIu64 " to %" PRIu64, numbers[i].of,
                          numbers[i].found, numbers[i].least, numbers[i].most);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            if (lists[i].texts == NULL || lists[i].texts[k] == NULL)
                diag_error_in(&c->reading.diag, NULL, "%s: found NULL, expected a text", lists[i].of);
    if (contradiction(c, view) != NULL)
        diag_error_in(&c->reading.diag, NULL, "%s", contradiction(c, view));
    if (o->input_format != NULL && frontend_named(o->input_format) == NULL)
        diag_error_in(&c->reading.diag, NULL, "unknown input format %s", o->input_format);
}

static void list_events(struct conversion *c)
{
    struct event_list events = {.count = 0};
    c->reading.events = &events;
    input_read(&c->reading, c->inputs, 1, &c->content);
    for (size_t i = 0; i < events.count; i++)
        c->list(c->user, &events.events[i]);
}

static void work(void *conversion)
{
    static void (*const works[])(struct conversion *c) = {
        [CONVERT] = convert, [LIST] = list_events, [PRINT] = print, [READ] = read_contents};
    struct conversion *c = conversion;
    c->status = CG2WG_MISUSE;
    check_options(c);
    c->status = CG2WG_FAILED;
    works[c->what](c);
    c->status = c->status == CG2WG_FAILED ? CG2WG_OK : c->status;
}

static enum cg2wg_status run(struct conversion *c, const struct cg2wg_options *options)
{
    struct held_signals limit;
    options = options != NULL ? options : &default_options;
    c->options = options;
    c->reading.options = options;
    c->reading.diag = (struct diag){.columns = c->view != NULL ? c->view->columns : 0,
                                    .report = options->report, .user = options->user, .strict = options->strict};
    c->reading.rights = (struct file_rights){.mode = 0666};
    if (c->what == CONVERT && options->format < FIRST_VERSION_WITH_SUMS)
        c->reading.wants |= WANTS_CONTEXTS | WANTS_INVOCATIONS;
    signals_hold_limit(&limit);
    enum run_result result = run_work(work, c);
    signals_release(&limit);
    if (result != RUN_OUT_OF_MEMORY)
        return c->status;
    diag_say(&c->reading.diag, NULL, "out of memory");
    return CG2WG_FAILED;
}

enum cg2wg_status convert_in_blocks(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats, size_t block)
{
    struct conversion c = {.what = CONVERT, .inputs = inputs, .input_count = count, .output = output,
                           .reading = {.block = block}};
    enum cg2wg_status status = run(&c, options);
    if (status == CG2WG_OK && stats != NULL)
        *stats = c.reading.stats;
    return status;
}

enum cg2wg_status cg2wg_convert_all(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats)
{
    return convert_in_blocks(inputs, count, output, options, stats, 0);
}

enum cg2wg_status cg2wg_convert(const char *input, const char *output,
                                const struct cg2wg_options *options, struct cg2wg_stats *stats)
{
    return convert_in_blocks(&input, 1, output, options, stats, 0);
}

enum cg2wg_status cg2wg_list_events(const char *input, const struct cg2wg_options *options,
                                    void (*list)(void *user, const struct cg2wg_event *event), void *user)
{
    return run(&(struct conversion){.what = LIST, .inputs = &input, .input_count = 1, .list = list, .user = user,
                                    .reading = {.wants = WANTS_EVENTS_ONLY}}, options);
}

enum cg2wg_status cg2wg_read(const char *input, const struct cg2wg_options *options, bool wants_contexts,
                             void (*take)(void *user, const struct cg2wg_profile *profile), void *user)
{
    unsigned wants = WANTS_SIZES | WANTS_STORED | WANTS_STORED_NAMES | (wants_contexts ? WANTS_CONTEXTS : 0);
    return run(&(struct conversion){.what = READ, .inputs = &input, .input_count = 1, .take = take, .user = user,
                                    .reading = {.wants = wants}}, options);
}

/* What a view needs of an input, besides its functions. */
static unsigned wants_of(const struct cg2wg_view *view)
{
    bool are_functions = view->style == CG2WG_PAGE || view->base != NULL || view->functions.count > 0;
    bool has_calls = view->base == NULL && (view->style == CG2WG_JSON || view->functions.count > 0);
    if (view->style == CG2WG_STACKS)
        return WANTS_CONTEXTS | NEEDS_CONTEXTS | WANTS_ALLOCATED;
    bool has_head = view->style != CG2WG_JSON && view->style != CG2WG_PPROF;
    return WANTS_STORED | WANTS_ALLOCATED | (has_head ? SAYS_TOTALS : 0) | (are_functions ? 0 : WANTS_SIZES) |
           (has_calls ? WANTS_STORED_CALLS : 0) |
           (view->style == CG2WG_PAGE || view->style == CG2WG_PPROF ? WANTS_CONTEXTS : 0);
}

enum cg2wg_status cg2wg_print(const char *input, const struct cg2wg_options *options,
                              const struct cg2wg_view *view, FILE *stream)
{
    view = view != NULL ? view : &default_view;
    return run(&(struct conversion){.what = PRINT, .inputs = &input, .input_count = 1, .view = view, .stream = stream,
                                    .reading = {.wants = wants_of(view)}}, options);
}
