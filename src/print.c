/* SPDX-License-Identifier: MIT */
#include "output.h"
#include "styles.h"

#include "io/outfile.h"
#include "model/groups.h"
#include "os/program.h"
#include "read/preprocessed_file.h"
#include "view/page.h"

#include <errno.h>
#include <unistd.h>

static const struct cg2wg_view default_view = {.size = sizeof default_view, .min = -1, .fail_above = -1};

struct print_job {
    struct job job;
    const struct cg2wg_view *given; /* by the caller, or NULL */
    struct cg2wg_view view;         /* complete */
    struct inputs {
        const char *const *names;
        size_t count;            /* of the base, 0: nothing is compared */
        struct source *sources;  /* of them; NULL: nothing is compared */
        struct full_input *full; /* with all events; NULL: one is wanted */
    } sides[SIDES];
    size_t (*events)[SIDES]; /* that are shown, the first one first, by the wishes of the sides; NULL: one is wanted */
    size_t event_count;
    enum cg2wg_group opens; /* of a page: what it opens with; the view has the functions */
    struct cg2wg_patterns opens_at;
    struct outline outlines[SIDES]; /* of a page */
    struct output output;
    FILE *stream;               /* the caller's; NULL: there is an output */
    struct temporary temporary; /* what is printed, until it is complete */
    bool *grew;                 /* the caller's, or NULL */
};

void cg2wg_view_init(struct cg2wg_view *view, size_t size)
{
    job_set_defaults(view, size, &default_view, sizeof default_view);
}

/* ---- what is printed goes to a temporary file first --------------------------------------- */

static void write_printed(struct print_job *p)
{
    static const struct program_kind gzip = {
        "gzip", "-nc", "the output is to be compressed, but the program", "compress it", "compressed it", 2,
        false,  NULL};
    struct diag *diag = &p->job.reading.diag;
    struct program packer = program_of(&gzip, diag);
    bool is_packed = p->output.is_packed, is_file = p->view.output != NULL;
    char *bytes = memory_get(OUTFILE_BUFFER);
    ssize_t length = 0;
    int fd = temporary_end(&p->temporary);
    diag->only_errors = false;
    if (lseek(fd, 0, SEEK_SET) != 0)
        diag_error_in(diag, NULL, "cannot read a temporary file: %s", strerror(errno));
    if (is_packed)
        program_start(&packer, fd, text_of("", 0));
    if (is_file)
        output_open(&p->output);
    while (program_feed(&packer, packer.output, NULL) &&
           (length = file_read(is_packed ? packer.output : fd, bytes, OUTFILE_BUFFER, -1)) > 0)
        if (is_file)
            outfile_write(p->output.file, bytes, (size_t)length);
        else if (fwrite(bytes, 1, (size_t)length, p->stream) < (size_t)length)
            break;
    if (length < 0)
        diag_error_in(diag, NULL, "cannot read a temporary file: %s", strerror(errno));
    program_check_end(&packer);
    program_stop(&packer);
    if (is_file)
        output_commit(&p->output);
    temporary_close(&p->temporary);
}

/*
 * Does a URL take a file, and begin with a scheme, and none that runs scripts or contains another URL? Browsers ignore
 * blanks and control characters in some places, so that there must not be any.
 */
static bool is_link(const char *url)
{
    static const char *const scripts[] = {"javascript", "data",        "vbscript", "livescript", "mocha",  "blob",
                                          "filesystem", "view-source", "feed",     "jar",        "wyciwyg"};
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
    job_demand_number(job, "order", view->order, 0, CG2WG_BY_TIME);
    job_demand_number(job, "group", view->group, 0, CG2WG_GROUP_CALL);
    job_demand(job, view->group != CG2WG_GROUP_CALL || view->functions.count > 0, "group: found calls of no functions");
    job_demand(job, view->group == CG2WG_GROUP_FUNCTION || (takes & CG2WG_TAKES_GROUP) != 0,
               "group: found a style that shows no groups");
    bool is_page = view->style == CG2WG_PAGE;
    job_demand(job, view->group == CG2WG_GROUP_FUNCTION || is_page || (!view->has_lines && view->source_count == 0),
               "group: found lines or source, which groups do not have");
    job_demand_texts(job, "only", view->only.words, view->only.count);
    job_demand_texts(job, "hide", view->hide.words, view->hide.count);
    job_demand_texts(job, "functions", view->functions.words, view->functions.count);
    job_demand_texts(job, "more_bases", view->more_bases, view->more_base_count);
    job_demand(job, view->more_base_count == 0 || view->base != NULL, "more_bases: found no base, expected one");
    job_demand_texts(job, "sources", view->sources, view->source_count);
    job_demand(job, view->link == NULL || is_link(view->link),
               "link: found \"%s\", expected a URL with %%f, such as vscode://file/%%f:%%l, that runs no script",
               view->link);
    job_demand(job, p->stream != NULL || view->output != NULL, "found no stream and no output, expected one");
    job_demand(job, view->min <= 100, "min: found no percentage, expected at most 100");
    job_demand(job, view->fail_above <= 1e6, "fail_above: found no percentage, expected at most 1000000");
    job_demand_texts(job, "fail_functions", view->fail_functions.words, view->fail_functions.count);
    job_demand(job, view->fail_functions.count == 0 || view->base != NULL,
               "fail_functions: found no base, expected one");
    for (size_t i = 0; i < view->fail_functions.count; i++)
        job_demand(job, view->fail_percents != NULL && view->fail_percents[i] >= 0 && view->fail_percents[i] <= 1e6,
                   "fail_percents: found no percentage, expected at most 1000000");
    job_demand(job, !(view->fail_above >= 0) || view->base != NULL, "fail_above: found no base, expected one");
    job_demand(job, view->base == NULL || (takes & CG2WG_TAKES_BASE) != 0, "base: found a style that compares nothing");
    job_demand(job, view->base == NULL || view->group < CG2WG_GROUP_RUN, "base: found rows that are parts of inputs");
    job_demand(job, view->base == NULL || view->functions.count == 0, "base: found functions, expected none");
    job_demand(job, (takes & CG2WG_TAKES_FUNCTIONS) != 0 || view->functions.count == 0,
               "functions: found another style, expected a table or JSON");
    job_demand(job, view->order != CG2WG_BY_TIME || (view->style == CG2WG_TREE && view->group == CG2WG_GROUP_FUNCTION),
               "order: found a style or a group without the order of calls");
    job_demand(job, view->group <= CG2WG_GROUP_FOLDER || (takes & CG2WG_TAKES_ORDER) != 0,
               "group: found a style whose groups are sums of functions, expected such a group");
    if (view->style == CG2WG_LINES)
        view->group = CG2WG_GROUP_LINE;
    if (is_page) {
        p->opens = view->group;
        p->opens_at = view->functions;
        view->has_lines |= view->group == CG2WG_GROUP_LINE;
        view->group = CG2WG_GROUP_FUNCTION;
        view->functions = (struct cg2wg_patterns){.count = 0};
    }
    job->reading.diag.width = view->columns;
    job->status = CG2WG_FAILED;
}

static void read_inputs(struct print_job *p, const struct inputs *inputs, struct contents *contents)
{
    struct reading *reading = &p->job.reading;
    bool are_runs = p->sides[BASE].count > 0 && inputs->count > 1, is_by_line = p->view.group == CG2WG_GROUP_LINE;
    bool has_parts = p->view.style == CG2WG_PAGE && p->sides[BASE].count == 0;
    struct view_runs *runs = memory_zeroed(1, sizeof *runs);
    *runs = (struct view_runs){.diag = &reading->diag,
                               .by = p->view.group,
                               .summary = p->job.options.summary,
                               .parts = has_parts ? memory_zeroed(1, sizeof *runs->parts) : NULL};
    names_init(&runs->groups);
    if (has_parts) {
        runs->parts->are_several = inputs->count > 1;
        runs->parts->is_asked_for = p->opens >= CG2WG_GROUP_RUN;
        names_init(&runs->parts->names);
    }
    reading->sources = inputs->sources;
    reading->full = inputs->full;
    reading->of = runs;
    reading->each = has_parts || (are_runs && !is_by_line) ? view_runs_add : NULL;
    /* Any call may be a row, or only the costliest? */
    bool are_all = p->view.order != CG2WG_BY_INCLUSIVE || p->view.only.count + p->view.hide.count > 0 ||
                   p->view.min > 0;
    if (p->view.group >= CG2WG_GROUP_RUN)
        reading->parts = (struct part_choice){.by = p->view.group,
                                              .top = are_all ? 0 : p->view.top,
                                              .are_several = inputs->count > 1,
                                              .has_functions = p->view.functions.count > 0,
                                              .wanted = function_patterns_of(&p->view.functions)};
    job_read(&p->job, inputs->names, inputs->count, p->view.style == CG2WG_JSON, contents);
    if (p->view.group >= CG2WG_GROUP_RUN && p->view.functions.count > 0 && !reading->parts.has_matched)
        diag_error(&reading->diag, 0, "no function matches %s", p->view.functions.words[0]);
    if (group_is_of_functions(p->view.group))
        groups_make(contents, p->view.group, false);
    if (are_runs) {
        size_t size = strlen(inputs->names[0]) + 32;
        char *name = memory_get(size);
        snprintf(name, size, "%s and %zu more", inputs->names[0], inputs->count - 1);
        contents->diag.input = name;
    }
    contents->runs = are_runs || has_parts ? runs : NULL;
    contents->page_group = p->opens;
    contents->page_functions = p->opens_at;
    if (has_parts && p->opens >= CG2WG_GROUP_THREAD && p->opens <= CG2WG_GROUP_PROCESS &&
        runs->parts->of[p->opens - CG2WG_GROUP_RUN] == 0)
        diag_error(&reading->diag, 0, "no part names its process or thread");
    if (are_runs && is_by_line)
        contents->runs->count = inputs->count;
}

/* NULL: nothing is compared. */
static struct contents *base_of(const struct print_job *p, struct contents sides[SIDES])
{
    return p->sides[BASE].count > 0 ? &sides[BASE] : NULL;
}

/* Reads an event of both sides, if the options have a base; otherwise only of the inputs. */
static void read_sides(struct print_job *p, size_t event, struct contents sides[SIDES])
{
    enum { MOST_OUTPUT = 64 << 20, MOST_FACTOR = 16 }; /* names may be repeated, but not beyond that */
    struct contents *base = base_of(p, sides);
    uint64_t bytes = 0;
    p->job.reading.is_last = event + 1 == p->event_count;
    for (int k = 0; k < SIDES; k++) {
        if (p->sides[k].count == 0)
            continue;
        size_t wish = p->job.reading.event = p->events != NULL ? p->events[event][k] : 0;
        read_inputs(p, &p->sides[k], &sides[k]);
        bytes += sides[k].bytes;
        const struct full_input *full = p->sides[k].full;
        while (event > 0 && full->wishes.all[wish].is_lost)
            full++;
        if (event == 0 || full->wishes.all[wish].event != full->wishes.all[p->events[0][k]].event)
            continue;
        /* It would have the name of the first one, such as `Samples`. */
        struct profile *profile = &sides[k].profile;
        profile->event = names_intern(&profile->names, full->wishes.all[wish].name);
        sides[k].facts.event = names_text(&profile->names, profile->event);
        if (profile->lines != NULL && profile->lines->names != NULL)
            profile->lines->names[0] = profile->event;
    }
    if (base != NULL && base->has_estimate != sides[NOW].has_estimate) {
        struct contents *exact = base->has_estimate ? &sides[NOW] : base; /* it is compared with an estimate */
        contexts_free(&exact->contexts);
        contexts_estimate(&exact->contexts, &exact->profile);
        exact->has_contexts = exact->has_estimate = true;
    }
    sides[NOW].page_event = event;
    sides[NOW].page_events = p->event_count;
    sides[NOW].most_bytes = MOST_OUTPUT + MOST_FACTOR * bytes;
}

/*
 * Prints in the style that is wanted; returns whether the total grew. A page also has groups of all functions. Its
 * events share an outline, except those of recordings, which have functions of their own.
 */
static bool print_sides(struct print_job *p, struct contents sides[SIDES])
{
    struct memory_scope printed;
    for (int k = 0; k < SIDES && p->view.style == CG2WG_PAGE; k++) {
        if (p->sides[k].count == 0)
            continue;
        struct outline *outline = sides[k].outline = &p->outlines[k];
        if (sides[k].profile.has_part_of[PRODUCER_PERF])
            *outline = (struct outline){.by_name = NULL};
        groups_find(&sides[k]);
        if (outline->by_name == NULL)
            outline_init(outline, &sides[k]);
    }
    memory_scope_begin(&printed);
    bool grew = style_of(p->view.style)->print(p->temporary.stream, &p->view, &sides[NOW], base_of(p, sides));
    memory_scope_free(&printed);
    return grew;
}

/* Has every input of a side an event, or any? One of `all` must have a self cost, too. A page looks at costs itself. */
static bool is_usable(const struct inputs *inputs, size_t event, bool by_every)
{
    bool is_lost = false, is_there = false, has_cost = false;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct event_wish *wish = &inputs->full[i].wishes.all[event];
        is_lost |= wish->is_lost;
        is_there |= !wish->is_lost;
        has_cost |= !wish->is_optional || (wish->total != 0 && !wish->is_lost) || inputs->full[i].wishes.list == NULL;
    }
    return has_cost && (by_every ? !is_lost : is_there);
}

/* Finds the event of the base with the same name, if inputs are compared. False: not all that have to have it do. */
static bool pair_event(const struct print_job *p, size_t event, bool by_every, size_t pair[SIDES])
{
    const struct inputs *now = &p->sides[NOW], *base = &p->sides[BASE];
    bool is_found = base->count == 0;
    pair[NOW] = event;
    pair[BASE] = 0;
    if (!is_usable(now, event, by_every))
        return false;
    for (size_t i = 0; !is_found && i < base->full->wishes.count; pair[BASE] = i++)
        is_found = unit_is_same(unit_of(base->full->wishes.all[i].name), unit_of(now->full->wishes.all[event].name)) &&
                   is_usable(base, i, true);
    return is_found;
}

/* Shows the events after the first one: prints a page's data of those with any cost, or adds them to the inputs. */
static void use_other_events(struct print_job *p, struct contents sides[SIDES])
{
    enum cg2wg_style style = p->view.style;
    struct inputs *inputs = &p->sides[NOW];
    if (inputs->full == NULL)
        return;
    p->job.reading.diag.only_errors = true; /* what is the same for all events has been reported */
    for (size_t i = 0; i < inputs->count && style == CG2WG_CALLGRIND; i++) { /* those that lines have had at once */
        const struct line_costs *lines = inputs->full[i].contents.profile.lines;
        for (size_t k = 0; k < MOST_EVENTS && lines->names != NULL && lines->events > 1; k++)
            inputs->full[i].wishes.all[k].is_lost = true;
    }
    for (size_t i = 1; i < p->event_count; i++) {
        struct contents others[SIDES], *other = &others[NOW];
        struct memory_scope scope;
        if (!is_usable(inputs, p->events[i][NOW], p->sides[BASE].count > 0))
            continue;
        memory_scope_begin(&scope);
        read_sides(p, i, others);
        uint32_t *renumbered = memory_zeroed(other->profile.function_count + 1, sizeof *renumbered);
        if (style == CG2WG_PAGE && profile_has_cost(&other->profile))
            print_sides(p, others);
        memory_scope_end(&scope);
        if (style == CG2WG_CALLGRIND) {
            other->profile.lines->are_again = true;
            profile_merge(&sides[NOW].profile, &other->profile, renumbered, NULL);
        }
        for (int k = 0; k < SIDES && style != CG2WG_PAGE && style != CG2WG_CALLGRIND; k++)
            if (p->sides[k].count > 0)
                view_events_add(&sides[k], &others[k], p->event_count - 1);
        memory_scope_free(&scope);
    }
}

static void keep_events(struct print_job *p)
{
    enum cg2wg_style style = p->view.style;
    struct event_wishes wishes = {.list = p->job.options.event, .must_fit = style == CG2WG_CALLGRIND};
    bool is_page = style == CG2WG_PAGE || style == CG2WG_CALLGRIND;
    bool is_wide = (is_page || (style_of(style)->facts.takes & CG2WG_TAKES_FUNCTIONS) != 0) &&
                   p->view.group <= CG2WG_GROUP_FOLDER;
    if (wishes.list == NULL ? !is_page : strchr(wishes.list, ',') == NULL && strcmp(wishes.list, "all") != 0)
        return;
    p->job.status = CG2WG_MISUSE;
    if (p->view.group >= CG2WG_GROUP_RUN)
        diag_error(&p->job.reading.diag, 0, "found several events, %s, expected one for rows that are no functions",
                   wishes.list);
    p->job.status = CG2WG_FAILED;
    p->job.options.event = NULL;
    for (struct inputs *side = p->sides; side < p->sides + SIDES; side++) { /* as read_sides does */
        p->job.reading.sources = side->sources;
        if (side->count > 0)
            side->full = input_read_full(&p->job.reading, side->names, side->count, &wishes);
    }
    const struct full_input *now = p->sides[NOW].full;
    p->events = memory_zeroed(now->wishes.count + 1, sizeof *p->events);
    for (size_t i = 0; wishes.list != NULL && i < now->wishes.count && !pair_event(p, i, true, p->events[0]);)
        if (++i == now->wishes.count) /* the first ones are shown, as without a list */
            memset(p->events[0], 0, sizeof *p->events);
    for (size_t i = 0; i < now->wishes.count; i++)
        if (i != p->events[0][NOW] && pair_event(p, i, p->sides[BASE].count > 0, p->events[p->event_count]))
            p->event_count++;
    for (int k = 0; k < SIDES; k++)
        for (size_t i = 0; i < p->sides[k].count; i++)
            if (p->sides[k].full[i].wishes.all[p->events[0][k]].is_lost)
                diag_error(&p->job.reading.diag, 0, "no event is in all inputs and all of their parts");
    p->job.status = CG2WG_MISUSE;
    if (!is_wide && p->event_count > 1)
        diag_error(&p->job.reading.diag, 0,
                   "found several events, " TEXT_FMT ", " TEXT_FMT " ..., expected one for what is printed",
                   TEXT_ARG(now->wishes.all[p->events[0][NOW]].name),
                   TEXT_ARG(now->wishes.all[p->events[1][NOW]].name));
    p->job.status = CG2WG_FAILED;
}

/*
 * Finds the inputs, and opens files that are compared, before any is read. The inclusive costs of a preprocessed one
 * are usually sums, so those of all are to be sums, too. Others are opened when it is their turn: the system may limit
 * how many are open.
 */
static void take_sides(struct print_job *p)
{
    enum { MOST_OPEN = 16 }; /* of a side; a decoder takes three descriptors, and a process */
    size_t count = p->view.base != NULL ? p->view.more_base_count + 1 : 0;
    const char **bases = memory_get((count + 1) * sizeof *bases);
    bases[0] = p->view.base;
    for (size_t i = 1; i < count; i++)
        bases[i] = p->view.more_bases[i - 1];
    p->sides[BASE] = (struct inputs){.names = bases, .count = count};
    p->sides[NOW] = (struct inputs){.names = p->job.inputs, .count = p->job.input_count};
    for (struct inputs *side = p->sides + SIDES; count > 0 && side-- > p->sides;) {
        side->sources = memory_zeroed(side->count, sizeof *side->sources);
        for (size_t i = 0; i < side->count && i < MOST_OPEN; i++)
            if (input_open(&side->sources[i], side->names[i], &p->job.reading.diag))
                p->job.reading.wants &= ~(unsigned)WANTS_OUTERMOST;
    }
}

/* What is compared must count the same: all events, before any of them is printed. */
static void check_units(const struct print_job *p, struct contents sides[SIDES])
{
    for (size_t i = 0; i < p->event_count && p->sides[BASE].count > 0; i++) {
        struct text events[SIDES];
        for (int k = 0; k < SIDES; k++) {
            const struct full_input *full = p->sides[k].full;
            events[k] = i == 0 ? sides[k].facts.event
                               : names_text(&full->contents.profile.names, full->wishes.all[p->events[i][k]].event);
        }
        if (!text_is_empty(events[NOW]) && !text_is_empty(events[BASE]) &&
            !unit_is_like(unit_of(events[NOW]), unit_of(events[BASE])))
            diag_error(&sides[NOW].diag, 0, "found costs in " TEXT_FMT ", expected " TEXT_FMT " as in %s",
                       TEXT_ARG(events[NOW]), TEXT_ARG(events[BASE]), sides[BASE].diag.input);
    }
}

static void print(void *of)
{
    struct print_job *p = of;
    struct reading *reading = &p->job.reading;
    const struct cg2wg_options *options = &p->job.options;
    struct contents sides[SIDES];
    struct memory_scope first;
    check_view(p);
    bool is_page = p->view.style == CG2WG_PAGE;
    if (p->view.output != NULL) {
        bool is_packed = text_ends_alike(text_of_string(p->view.output), text_of_string(".gz"));
        p->output = (struct output){&p->job, p->view.output, true, p->view.style, is_packed, NULL};
        output_check(&p->output);
    }
    temporary_open(&p->temporary, p->view.output == NULL, &reading->diag);
    reading->wants = style_wants(&p->view);
    bool has_stacks = !is_page && (reading->wants & WANTS_CONTEXTS) != 0; /* which are large arrays that grow */
    memory_expect((size_t)(has_stacks ? 1 : 16) << 20);
    take_sides(p);
    keep_events(p);
    if (p->sides[NOW].full == NULL)
        reading->wants &= ~(unsigned)WANTS_ALL_EVENTS;
    if (p->event_count > 1) /* more, as what has been read remains; the arrays of all events have the same sizes */
        memory_expect(31 << 20);
    if (is_page)
        memory_scope_begin(&first);
    read_sides(p, 0, sides);
    check_units(p, sides);
    if (!is_page)
        use_other_events(p, sides);
    if (options->progress != NULL)
        options->progress(options->user, &(struct cg2wg_progress){.stage = CG2WG_PRINTING});
    if (is_page) /* others need nothing of it but the outline */
        memory_scope_end(&first);
    bool grew = print_sides(p, sides);
    if (is_page) {
        memory_scope_free(&first);
        use_other_events(p, sides);
        print_page_around(p->temporary.stream, true);
    }
    write_printed(p);
    if (p->grew != NULL)
        *p->grew = grew;
}

enum cg2wg_status cg2wg_print_all(const char *const *inputs, size_t count, const struct cg2wg_options *options,
                                  const struct cg2wg_view *view, FILE *stream, bool *grew)
{
    struct print_job p = {.job = {.inputs = inputs, .input_count = count, .work = print},
                          .given = view,
                          .event_count = 1,
                          .stream = stream,
                          .grew = grew};
    return job_run(&p.job, options);
}

enum cg2wg_status cg2wg_print(const char *input, const struct cg2wg_options *options, const struct cg2wg_view *view,
                              FILE *stream, bool *grew)
{
    return cg2wg_print_all(&input, 1, options, view, stream, grew);
}
