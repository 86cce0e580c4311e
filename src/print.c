/* SPDX-License-Identifier: MIT */
#include "events.h"
#include "output.h"
#include "styles.h"

#include "io/temporary.h"
#include "model/estimate.h"
#include "model/groups.h"
#include "model/merge.h"
#include "os/program.h"
#include "read/preprocessed_file.h"
#include "view/view.h"

#include <errno.h>
#include <unistd.h>

static const struct cg2wg_view default_view = {.size = sizeof default_view, .min = -1, .fail_above = -1};

struct print_job {
    struct job job;
    const struct cg2wg_view *given; /* by the caller, or NULL */
    struct cg2wg_view view;         /* complete */
    struct events events;           /* that are read one after the other; the first one may be missing */
    bool are_chosen;                /* by an option */
    struct inputs {
        const char *const *names;
        size_t count; /* of the base, 0: nothing is compared */
    } sides[SIDES];
    struct output output;
    FILE *stream;               /* the caller's, or that of the file which becomes the output */
    struct temporary temporary; /* that file */
    bool *grew;                 /* the caller's, or NULL */
};

void cg2wg_view_init(struct cg2wg_view *view, size_t size)
{
    job_set_defaults(view, size, &default_view, sizeof default_view);
}

/* ---- what is printed to a file goes to a temporary one first ------------------------------ */

static void write_printed(struct print_job *p)
{
    static const struct program_kind gzip = {
        "gzip", "-nc", "the output is to be compressed, but the program", "compress it", "compressed it", 0,
        false,  NULL};
    struct diag *diag = &p->job.reading.diag;
    struct program packer = program_of(&gzip, diag);
    bool is_packed = p->output.is_packed;
    char *bytes = memory_get(OUTFILE_BUFFER);
    ssize_t length = 0;
    int fd = temporary_end(&p->temporary);
    if (lseek(fd, 0, SEEK_SET) != 0)
        diag_error_in(diag, NULL, "cannot read a temporary file: %s", strerror(errno));
    if (is_packed)
        program_start(&packer, fd, text_of("", 0));
    output_open(&p->output);
    while (program_feed(&packer, packer.output, NULL) &&
           (length = file_read(is_packed ? packer.output : fd, bytes, OUTFILE_BUFFER, -1)) > 0)
        outfile_write(p->output.file, bytes, (size_t)length);
    if (length < 0)
        diag_error_in(diag, NULL, "cannot read a temporary file: %s", strerror(errno));
    program_check_end(&packer);
    program_stop(&packer);
    output_commit(&p->output);
    temporary_close(&p->temporary);
}

/* ---- printing ----------------------------------------------------------------------------- */

/*
 * Does a URL take a file, and begin with a scheme, and none that runs scripts? Browsers ignore blanks and control
 * characters in some places, so that there must not be any.
 */
static bool is_link(const char *url)
{
    static const char *const scripts[] = {"javascript", "data", "vbscript", "livescript", "blob", "filesystem"};
    struct text rest = text_of_string(url), scheme = text_take_to(&rest, ':');
    bool is_safe = scheme.end < rest.end && char_is_alpha(*scheme.at) && strstr(rest.at, "%f") != NULL;
    for (const char *c = url; *c != '\0'; c++)
        is_safe &= char_is_graphic(*c);
    for (const char *c = scheme.at; c < scheme.end; c++)
        is_safe &= char_is_alpha(*c) || char_is_digit(*c) || strchr("+-.", *c) != NULL;
    for (size_t i = 0; i < COUNT_OF(scripts); i++)
        is_safe &= text_length(scheme) != strlen(scripts[i]) || !text_ends_alike(scheme, text_of_string(scripts[i]));
    return is_safe;
}

static void check_view(struct print_job *p)
{
    struct job *job = &p->job;
    struct cg2wg_view *view = &p->view;
    *view = default_view;
    job_demand(job, p->given == NULL || JOB_COPY(view, struct cg2wg_view, raw, p->given),
               "view.size: found another size than cg2wg_view_init sets, or members of a later version of the library");
    job_demand(job, style_of(view->style) != NULL, "style: found no style");
    unsigned takes = style_of(view->style)->facts.takes;
    job_demand_number(job, "order", view->order, 0, CG2WG_BY_PLACE);
    job_demand_number(job, "group", view->group, 0, CG2WG_GROUP_OBJECT);
    job_demand(job, view->group == CG2WG_GROUP_FUNCTION || (takes & CG2WG_TAKES_GROUP) != 0,
               "group: found a style that shows no groups");
    job_demand(job, view->group == CG2WG_GROUP_FUNCTION || (!view->has_lines && view->source_count == 0),
               "group: found lines or source, which groups do not have");
    job_demand_texts(job, "only", view->only.words, view->only.count);
    job_demand_texts(job, "hide", view->hide.words, view->hide.count);
    job_demand_texts(job, "functions", view->functions.words, view->functions.count);
    job_demand_texts(job, "more_bases", view->more_bases, view->more_base_count);
    job_demand(job, view->more_base_count == 0 || view->base != NULL, "more_bases: found no base, expected one");
    job_demand_texts(job, "sources", view->sources, view->source_count);
    job_demand(job, view->link == NULL || is_link(view->link),
               "link: found \"%s\", expected a URL with %%f, such as vscode://file/%%f:%%l, that runs no "
               "script",
               view->link);
    job_demand(job, p->stream != NULL || view->output != NULL, "found no stream and no output, expected one");
    job_demand(job, view->min <= 100, "min: found no percentage, expected at most 100");
    job_demand(job, view->fail_above <= 1e6, "fail_above: found no percentage, expected at most 1000000");
    job_demand(job, !(view->fail_above >= 0) || view->base != NULL, "fail_above: found no base, expected one");
    job_demand(job, view->base == NULL || (takes & CG2WG_TAKES_BASE) != 0, "base: found a style that compares nothing");
    job_demand(job, view->base == NULL || view->functions.count == 0, "base: found functions, expected none");
    job_demand(job, (takes & CG2WG_TAKES_FUNCTIONS) != 0 || view->functions.count == 0,
               "functions: found another style, expected a table or JSON");
    job->reading.diag.columns = view->columns;
    job->status = CG2WG_FAILED;
}

static void estimate_stacks(struct contents *contents)
{
    contexts_free(&contents->contexts);
    contexts_estimate(&contents->contexts, &contents->profile);
    contents->has_contexts = contents->has_estimate = true;
}

/* Inputs that are compared, if they are several, have the name of the first one. */
static void name_inputs(const struct inputs *inputs, struct contents *contents)
{
    size_t size = strlen(inputs->names[0]) + 32;
    char *name = memory_get(size);
    snprintf(name, size, "%s and %zu more", inputs->names[0], inputs->count - 1);
    contents->diag.input = name;
}

static bool groups_count_once(const struct print_job *p)
{
    return (p->job.reading.wants & WANTS_OUTERMOST) != 0 && p->job.options.inclusive != CG2WG_INCLUSIVE_SUM;
}

static void read_inputs(struct print_job *p, const struct inputs *inputs, struct contents *contents)
{
    job_read(&p->job, inputs->names, inputs->count, p->view.style == CG2WG_CALLGRIND, p->view.style == CG2WG_JSON,
             contents);
    if (p->view.group != CG2WG_GROUP_FUNCTION)
        groups_make(contents, p->view.group, groups_count_once(p));
    if (p->sides[BASE].count > 0 && inputs->count > 1)
        name_inputs(inputs, contents);
}

/* Reads both sides, if the options have a base; otherwise only the inputs. */
static void read_sides(struct print_job *p, struct contents sides[SIDES])
{
    if (p->sides[BASE].count > 0)
        read_inputs(p, &p->sides[BASE], &sides[BASE]);
    read_inputs(p, &p->sides[NOW], &sides[NOW]);
}

/* NULL: nothing is compared. */
static struct contents *base_of(const struct print_job *p, struct contents sides[SIDES])
{
    return p->sides[BASE].count > 0 ? &sides[BASE] : NULL;
}

/* Prints in the style that is wanted; returns whether the total grew. A page also has groups of all functions. */
static bool print_sides(struct print_job *p, struct contents sides[SIDES])
{
    for (int i = 0; i < SIDES && p->view.style == CG2WG_PAGE; i++)
        if (p->sides[i].count > 0)
            groups_find(&sides[i], groups_count_once(p));
    return style_of(p->view.style)->print(p->stream, &p->view, &sides[NOW], base_of(p, sides));
}

/* Reads each of several inputs again, as a run. */
static void add_runs_of(struct print_job *p, const struct inputs *inputs, struct contents *merged)
{
    bool is_by_line = p->view.style == CG2WG_LINES;
    if (inputs->count <= 1)
        return;
    merged->runs = memory_zeroed(1, sizeof *merged->runs);
    merged->runs->count = is_by_line ? inputs->count : 0;
    for (size_t i = 0; i < inputs->count && !is_by_line; i++) {
        struct contents run;
        struct memory_scope scope;
        memory_scope_begin(&scope);
        read_inputs(p, &(struct inputs){&inputs->names[i], 1}, &run);
        memory_scope_end(&scope);
        view_runs_add(merged, &run);
        memory_scope_free(&scope);
    }
}

static void add_runs(struct print_job *p, struct contents sides[SIDES])
{
    for (int i = 0; i < SIDES && p->sides[BASE].count > 0; i++)
        add_runs_of(p, &p->sides[i], &sides[i]);
}

/* The events of an input, the one that was read first; only this one if parts of it have other events. */
static void add_events(struct print_job *p, struct events *events, const char *input, const struct contents *contents)
{
    const struct profile *profile = &contents->profile;
    struct text all = text_of("", 0);
    if (profile->producer == PRODUCER_PERF)
        events_add_all(events, &p->job, input, true);
    for (size_t i = 0; i < profile->header_count && profile->producer != PRODUCER_PERF; i++) {
        struct text value = text_trim(names_text(&profile->names, profile->headers[i].value));
        if (profile->headers[i].kind != HEADER_EVENTS)
            continue;
        bool differ = !text_is_empty(all) && !text_same(all, value);
        all = value;
        events->count = 0;
        for (struct text rest = value; !text_is_empty(rest) && events->count < (differ ? 1 : MOST_EVENTS);)
            events_add(events, &p->job.reading.diag, text_take_word(&rest));
        if (differ)
            return;
    }
}

/* The events of a page or a callgrind file, if no option chooses any: those of both inputs, the first one first. */
static void find_events(struct print_job *p, struct contents sides[SIDES])
{
    struct events others = {.count = 0};
    const struct contents *now = &sides[NOW], *base = base_of(p, sides);
    bool is_recording = now->profile.producer == PRODUCER_PERF;
    if (!(p->view.style == CG2WG_PAGE || (p->view.style == CG2WG_CALLGRIND && is_recording)) || p->events.count > 0 ||
        now->stored.version > 0 || (is_recording && p->job.input_count > 1))
        return;
    add_events(p, &p->events, p->job.inputs[0], now);
    const char *first = p->events.names[0];
    if (base != NULL) {
        add_events(p, &others, p->view.base, base);
        events_intersect(&p->events, &others);
    }
    if (p->events.count > 0 && p->events.names[0] != first)
        p->events.count = 0;
}

/* The lines of a callgrind file that has several chosen events belong to one each. */
static void name_lines(struct print_job *p, struct contents *contents)
{
    struct line_costs *lines = contents->profile.lines;
    if (p->view.style != CG2WG_CALLGRIND || p->events.count < 2 || lines->names != NULL)
        return;
    lines->names = memory_get(sizeof *lines->names);
    lines->names[0] = contents->profile.event;
}

/* An event that would have the name of the first one, such as `Samples`, has the name by which it is asked for. */
static void rename_event(struct contents *other, const struct contents *first, const char *name)
{
    struct profile *profile = &other->profile;
    if (!text_same(other->facts.event, first->facts.event))
        return;
    profile->event = names_intern(&profile->names, text_of_string(name));
    other->facts.event = names_text(&profile->names, profile->event);
    if (profile->lines != NULL && profile->lines->names != NULL)
        profile->lines->names[0] = profile->event;
}

static bool has_event(const struct profile *profile, struct text event)
{
    size_t i = 0, count = profile->lines->events;
    while (i < count && !text_same(names_text(&profile->names, profile->lines->names[i]), event))
        i++;
    return i < count;
}

/* Reads the events after the first one: prints a page's data of those with any cost, or adds them to the inputs. */
static void use_other_events(struct print_job *p, struct contents sides[SIDES])
{
    struct contents *now = &sides[NOW], *base = base_of(p, sides);
    enum cg2wg_style style = p->view.style;
    p->job.reading.diag.only_errors = true; /* the first reading has reported all others */
    for (size_t i = 1; i < p->events.count; i++) {
        struct contents others[SIDES], *other = &others[NOW];
        struct memory_scope scope;
        memory_scope_begin(&scope);
        if (p->are_chosen)
            p->job.options.event = p->events.names[i];
        p->job.reading.event = text_of_string(p->events.names[i]);
        read_sides(p, others);
        rename_event(other, now, p->events.names[i]);
        if (base != NULL)
            rename_event(&others[BASE], base, p->events.names[i]);
        name_lines(p, other);
        other->page_event = i;
        other->page_events = p->events.count;
        uint32_t *renumbered = memory_zeroed(other->profile.function_count + 1, sizeof *renumbered);
        if (style == CG2WG_PAGE)
            add_runs(p, others);
        if (style == CG2WG_PAGE && profile_has_cost(&other->profile))
            print_sides(p, others);
        memory_scope_end(&scope);
        if (style == CG2WG_CALLGRIND) {
            if (!has_event(&now->profile, other->facts.event)) /* several may be times */
                profile_merge(&now->profile, &other->profile, renumbered);
        } else if (style != CG2WG_PAGE) {
            view_events_add(now, other);
            if (base != NULL)
                view_events_add(base, &others[BASE]);
        }
        memory_scope_free(&scope);
    }
}

/* Finds out which events are wanted, if options choose any, and copies inputs that are read several times. */
static void choose_events(struct print_job *p)
{
    enum cg2wg_style style = p->view.style;
    const char *given = p->job.options.event;
    const struct inputs *base = &p->sides[BASE], *now = &p->sides[NOW];
    bool is_page = style == CG2WG_PAGE || style == CG2WG_CALLGRIND;
    bool are_runs = base->count > 0 && base->count + now->count > 2;
    bool may_be_several = given == NULL ? is_page : strchr(given, ',') != NULL || strcmp(given, "all") == 0;
    if (!may_be_several && !are_runs)
        return;
    events_keep_inputs(&p->job, now->names, now->count);
    events_keep_inputs(&p->job, base->names, base->count);
    if (given == NULL || !may_be_several)
        return;
    events_choose(&p->events, &p->job, given, p->view.base);
    p->are_chosen = p->events.count > 0;
    p->job.options.event = p->are_chosen ? p->events.names[0] : NULL;
    bool is_wide = is_page || style == CG2WG_TABLE || style == CG2WG_JSON || style == CG2WG_CSV;
    p->job.status = CG2WG_MISUSE;
    if (p->events.count > 1 && !is_wide)
        diag_error(&p->job.reading.diag, 0, "found several events, %s, %s ..., expected one for what is printed",
                   p->events.names[0], p->events.names[1]);
    p->job.status = CG2WG_FAILED;
}

static void take_sides(struct print_job *p)
{
    size_t count = p->view.base != NULL ? p->view.more_base_count + 1 : 0;
    const char **bases = memory_get((count + 1) * sizeof *bases);
    bases[0] = p->view.base;
    for (size_t i = 1; i < count; i++)
        bases[i] = p->view.more_bases[i - 1];
    p->sides[BASE] = (struct inputs){bases, count};
    p->sides[NOW] = (struct inputs){p->job.inputs, p->job.input_count};
}

static void open_output(struct print_job *p)
{
    bool is_packed = text_ends_alike(text_of_string(p->view.output), text_of_string(".gz"));
    p->output = (struct output){&p->job, p->view.output, true, p->view.style, is_packed, NULL};
    output_check(&p->output);
    temporary_open(&p->temporary, &p->job.reading.diag);
    p->stream = p->temporary.stream;
}

/* Are inputs compared one of which is a preprocessed file, whose inclusive costs are usually sums? */
static bool compares_sums(struct print_job *p)
{
    bool are_sums = false;
    for (const struct inputs *side = p->sides; side < p->sides + SIDES && p->sides[BASE].count > 0; side++)
        for (size_t i = 0; i < side->count && !are_sums; i++)
            are_sums = input_is_preprocessed(side->names[i], &p->job.reading.diag);
    return are_sums;
}

/* Reads what is printed first: the only event, or the first one of several. */
static void read_first_event(struct print_job *p, struct contents sides[SIDES])
{
    struct diag *diag = &p->job.reading.diag;
    bool only_errors = diag->only_errors;
    read_sides(p, sides);
    if (p->sides[BASE].count > 0 && sides[BASE].has_estimate != sides[NOW].has_estimate)
        estimate_stacks(&sides[sides[BASE].has_estimate ? NOW : BASE]); /* which is compared with another estimate */
    find_events(p, sides);
    name_lines(p, &sides[NOW]);
    sides[NOW].page_events = MAX(p->events.count, 1);
    diag->only_errors = true; /* the same inputs have reported all others */
    add_runs(p, sides);
    diag->only_errors = only_errors;
}

static void print(void *of)
{
    struct print_job *p = of;
    struct reading *reading = &p->job.reading;
    const struct cg2wg_options *options = &p->job.options;
    struct contents sides[SIDES];
    check_view(p);
    take_sides(p);
    if (p->view.output != NULL)
        open_output(p);
    choose_events(p);
    reading->wants = style_wants(&p->view);
    if (options->event != NULL)
        reading->wants &= ~(unsigned)WANTS_ALL_EVENTS;
    if (compares_sums(p))
        reading->wants &= ~(unsigned)WANTS_OUTERMOST;
    read_first_event(p, sides);
    if (p->view.style != CG2WG_PAGE)
        use_other_events(p, sides);
    if (options->progress != NULL)
        options->progress(options->user, &(struct cg2wg_progress){.stage = CG2WG_PRINTING});
    bool grew = print_sides(p, sides);
    if (p->view.style == CG2WG_PAGE) {
        use_other_events(p, sides);
        print_page_around(p->stream, true);
    }
    if (p->view.output != NULL)
        write_printed(p);
    if (p->grew != NULL)
        *p->grew = grew;
}

enum cg2wg_status cg2wg_print_all(const char *const *inputs, size_t count, const struct cg2wg_options *options,
                                  const struct cg2wg_view *view, FILE *stream, bool *grew)
{
    struct print_job p = {
        .job = {.inputs = inputs, .input_count = count, .work = print}, .given = view, .stream = stream, .grew = grew};
    return job_run(&p.job, options);
}

enum cg2wg_status cg2wg_print(const char *input, const struct cg2wg_options *options, const struct cg2wg_view *view,
                              FILE *stream, bool *grew)
{
    return cg2wg_print_all(&input, 1, options, view, stream, grew);
}
