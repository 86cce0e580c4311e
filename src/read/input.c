/* SPDX-License-Identifier: MIT */
#include "read/input.h"

#include "model/line_costs.h"
#include "read/preprocessed_file.h"
#include "util/task.h"

/* ---- one input ---------------------------------------------------------------------------- */

static bool wants(const struct reading *r, unsigned flag)
{
    /* what rows of a single input have, sums of several do not */
    const unsigned of_one = WANTS_TIMELINE | WANTS_CALLS | WANTS_SIZES | WANTS_STORED | WANTS_STORED_CALLS |
                            WANTS_STORED_NAMES;
    return (r->wants & flag & ~(r->are_several ? of_one : 0)) != 0;
}

static void check_samples(struct reading *r, const struct frontend *frontend)
{
    const struct cg2wg_samples *s = &r->options->samples;
    const struct {
        bool is_given;
        enum frontend_choices choice;
        enum cg2wg_member member;
    } members[] = {{s->part_count > 0, CHOOSES_PARTS, CG2WG_MEMBER_SAMPLES_PARTS},
                   {s->root != NULL, CHOOSES_SYMBOLS, CG2WG_MEMBER_SAMPLES_ROOT},
                   {s->kernel_table != NULL, CHOOSES_SYMBOLS, CG2WG_MEMBER_SAMPLES_KERNEL_TABLE},
                   {s->name_count > 0, CHOOSES_NAMES, CG2WG_MEMBER_SAMPLES_NAMES},
                   {s->pid_count > 0, CHOOSES_THREADS, CG2WG_MEMBER_SAMPLES_PIDS},
                   {s->tid_count > 0, CHOOSES_THREADS, CG2WG_MEMBER_SAMPLES_TIDS}};
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        if (!members[i].is_given || (frontend->choices & members[i].choice) != 0)
            continue;
        diag_error(diag_about(&r->diag, members[i].member), 0, "this is a profile in %s format, not %s", frontend->name,
                   members[i].choice == CHOOSES_PARTS ? "one in callgrind format" : "a recording of perf");
    }
}

/* The front end that the options name, or that recognises the input. An input of none is an error. */
static const struct frontend *find_frontend(struct reading *r, struct source *source, struct lines *lines)
{
    const struct frontend *frontend = NULL;
    struct text head = text_of("", 0);
    char block[4096];
    bool more = true;
    if (r->options->input_format != NULL)
        return frontend_named(r->options->input_format);
    for (size_t wanted = r->block > 0 ? r->block : FRONTEND_HEAD; more; wanted *= 2) {
        head = lines_peek(lines, wanted);
        frontend = frontend_for(head, &more);
        more |= frontend == NULL && wanted < FRONTEND_ENOUGH;
        more &= text_length(head) >= wanted;
        if (more && wanted >= (size_t)LINES_MOST_MB << 20) /* a line that has no end; or nothing but comments */
            return &callgrind_frontend;
    }
    /* What is cut off may still have a number where the version is, where a text would have no NUL. */
    bool has_version = preprocessed_begins(head) ||
                       (memchr(head.at, '\0', MIN(text_length(head), 4)) != NULL && others_find(head) == NULL);
    if (has_version && wants(r, WANTS_STORED))
        frontend = &preprocessed_frontend;
    if (frontend != NULL)
        return frontend;
    /* A decoder may return garbage before it reports an error, which takes precedence. Plain input may be endless. */
    while (source->decoder != NULL && source_read(source, block, sizeof block) > 0)
        continue;
    if (source->decoder != NULL)
        source_check_end(source);
    if (others_find(head) != NULL)
        diag_error(&r->diag, 0, "this is %s", others_find(head));
    diag_error(&r->diag, 0, "%s",
               text_is_empty(head) ? "is empty; expected a profile"
                                   : "not a profile: no line is in " FRONTEND_FORMATS " format");
}

static void prepare_lines(struct reading *r, const struct frontend *frontend, struct profile *profile)
{
    bool for_files = wants(r, WANTS_CALL_FILES) && frontend == &callgrind_frontend, are_wanted = wants(r, WANTS_LINES);
    are_wanted |= wants(r, WANTS_OWN_LINES) && frontend->has_lines;
    if (!are_wanted && !for_files)
        return;
    struct line_costs lines = {.diag = &r->diag, .events = 1, .are_for_files = !are_wanted};
    profile->lines = memory_copy(&lines, sizeof lines);
    if (wants(r, WANTS_ALL_EVENTS) && r->options->inclusive != CG2WG_INCLUSIVE_OUTERMOST) /* that is of one event */
        profile->lines->names = memory_zeroed(1, sizeof *profile->lines->names);
}

static void complete_lines(struct reading *r, struct profile *profile)
{
    if (profile->lines == NULL)
        profile->lines = memory_copy(&(struct line_costs){.diag = &r->diag, .events = 1}, sizeof *profile->lines);
    struct line_costs *lines = profile->lines;
    if (lines->count == 0)
        line_costs_of_functions(profile);
    if (wants(r, WANTS_ALL_EVENTS) && lines->names == NULL)
        lines->names = memory_zeroed(1, sizeof *lines->names);
    if (lines->names != NULL && lines->names[0] == NAME_EMPTY)
        lines->names[0] = profile->event;
}

static struct demangler *demangler_of(struct reading *r, const struct frontend *frontend)
{
    struct demangler *d = &r->demangler;
    d->demangle = demangle_names;
    d->how = r->options->demangle;
    d->limit = r->options->demangling != NULL ? r->options->demangling : &r->demangling;
    d->diag = &r->diag;
    bool are_kept = d->how == CG2WG_DEMANGLE_NEVER || wants(r, WANTS_EVENTS_ONLY);
    are_kept |= frontend == &preprocessed_frontend && wants(r, WANTS_STORED_NAMES);
    return are_kept ? NULL : d;
}

static struct parts *parts_of(struct reading *r, const struct frontend *frontend, struct contents *contents)
{
    struct parts parts = {.choice = &r->parts,
                          .diag = &r->diag,
                          .has_totals = frontend == &preprocessed_frontend && !r->parts.has_functions,
                          .input = text_of_string(r->diag.input),
                          .contents = contents};
    if (!parts_are_runs(&parts) && (frontend->choices & CHOOSES_THREADS) == 0)
        diag_error(&r->diag, 0, "this is a profile in %s format, which knows no threads", frontend->name);
    return memory_copy(&parts, sizeof parts);
}

/* What a front end gets to fill the contents. `so_far`: earlier inputs, whose event is used; NULL: there are none. */
static void prepare(struct reading *r, const struct frontend *frontend, const struct profile *so_far,
                    struct contents *contents, struct builder *builder, struct frontend_options *options)
{
    enum cg2wg_inclusive inclusive = r->options->inclusive;
    *contents = (struct contents){.rights = &r->rights,
                                  .counts_once = wants(r, WANTS_OUTERMOST) && inclusive != CG2WG_INCLUSIVE_SUM};
    names_init(&contents->profile.names);
    contents->profile.demangler = demangler_of(r, frontend);
    if (wants(r, WANTS_SHOWN_LINES))
        contents->profile.lineless = names_intern(&contents->profile.names, text_of_string("php:internal"));
    bool is_usual = wants(r, WANTS_OUTERMOST) && !frontend->keeps_inclusive; /* that recursion counts once */
    r->has_outermost |= is_usual && inclusive == CG2WG_INCLUSIVE_AUTO;
    struct listed_parts listed = {.events = 1, .has_totals = frontend == &preprocessed_frontend};
    struct text event = so_far != NULL ? names_text(&so_far->names, so_far->event) : text_of("", 0);
    if (wants(r, WANTS_SIZES) && frontend->has_sizes)
        contents->sizes = memory_zeroed(1, sizeof *contents->sizes);
    contents->contexts.are_invocations = wants(r, WANTS_INVOCATIONS);
    contents->stored.wants_calls = wants(r, WANTS_STORED_CALLS);
    *options = (struct frontend_options){.given = r->options,
                                         .event = r->options->event != NULL ? text_of_string(r->options->event) : event,
                                         .is_given = r->options->event != NULL,
                                         .list = r->events,
                                         .rights = &r->rights,
                                         .for_lines = &r->for_lines,
                                         .sizes = contents->sizes,
                                         .needs_sums = wants(r, NEEDS_SUMS),
                                         .stored = wants(r, WANTS_STORED) ? &contents->stored : NULL};
    struct matcher *proxies = memory_zeroed(1, sizeof *proxies);
    for (size_t i = 0; i < r->options->proxy_count; i++)
        matcher_add(proxies, r->options->proxies[i], i);
    *builder = (struct builder){
        .profile = &contents->profile,
        .diag = &r->diag,
        .contexts = wants(r, WANTS_CONTEXTS) ? &contents->contexts : NULL,
        .estimate = wants(r, WANTS_ESTIMATE) ? &contents->contexts : NULL,
        .needs_contexts = wants(r, NEEDS_CONTEXTS),
        .wants_outermost = !wants(r, WANTS_EVENTS_ONLY) &&
                           (inclusive == CG2WG_INCLUSIVE_OUTERMOST || (inclusive == CG2WG_INCLUSIVE_AUTO && is_usual)),
        .wants_self_sums = is_usual,
        .parts = r->parts.by != CG2WG_GROUP_FUNCTION ? parts_of(r, frontend, contents) : NULL,
        .listed = wants(r, WANTS_PARTS) ? memory_copy(&listed, sizeof listed) : NULL,
        .timeline = wants(r, WANTS_TIMELINE) ? &contents->timeline : NULL,
        .single = wants(r, WANTS_CALLS) ? &contents->single : NULL,
        .allocated = wants(r, WANTS_ALLOCATED) ? &contents->allocated : NULL,
        .proxies = {.names = proxies, .name_count = r->options->proxy_count}};
    prepare_lines(r, frontend, &contents->profile);
    contents->contexts.keeps_lines = contents->profile.lines != NULL && wants(r, WANTS_LINES_OF_STACKS);
}

static void complete(struct reading *r, const struct builder *builder, struct contents *contents)
{
    bool is_stored = contents->stored.version > 0;
    if (contents->profile.lines != NULL)
        complete_lines(r, &contents->profile);
    contents->listed = builder->listed;
    contents->has_estimate = builder->contexts == NULL && builder->estimate != NULL;
    contents->has_contexts = builder->contexts != NULL || contents->has_estimate;
    if (contents->has_estimate && contents->contexts.count == 0)
        contexts_estimate(&contents->contexts, &contents->profile);
    commands_decide(&contents->profile, r->are_several);
    if (builder->parts != NULL)
        parts_finish(builder->parts);
    if (!is_stored)
        totals_decide(&contents->profile, r->options->summary == CG2WG_SUMMARY_COMPUTED, wants(r, SAYS_TOTALS),
                      &r->diag);
}

/* The number of bytes to read, for progress: unknown if it is unknown for one of the inputs. */
static void measure(struct reading *r, const char *const *inputs, size_t count)
{
    bool is_known = r->options->progress != NULL;
    r->progress = (struct progress){.report = r->options->progress, .user = r->options->user};
    for (size_t i = 0; i < count && is_known; i++) {
        uint64_t size = source_size(inputs[i]);
        is_known = size > 0;
        r->progress.total = is_known ? r->progress.total + size : 0;
    }
}

/*
 * Reads all events that are wished. Of a front end that makes profiles of one event, that is the only wish, or the
 * first one of those that remain.
 */
static void read_full(struct reading *r, struct lines *lines, struct full_input *full)
{
    const struct profile *profile = &full->contents.profile;
    struct event_wishes *wishes = &full->wishes;
    struct frontend_options options;
    prepare(r, full->frontend, NULL, &full->contents, &full->builder, &options);
    if (full->frontend->take != NULL) {
        options.wishes = wishes;
        options.state = &full->state;
        full->frontend->read(lines, &full->builder, &options);
        return;
    }
    struct text first = text_trim(text_before(text_of_string(wishes->list != NULL ? wishes->list : ""), ','));
    options.event = wishes->count > 0 ? wishes->all[0].name : text_equals(first, "all") ? text_of("", 0) : first;
    options.is_given = wishes->list != NULL && !text_is_empty(options.event);
    full->frontend->read(lines, &full->builder, &options);
    struct text event = names_text(&profile->names, profile->event);
    event_wishes_resolve(wishes, &(struct event_list){.events = &(struct cg2wg_event){.name = event.at}, .count = 1},
                         &r->diag);
    for (struct event_wish *wish = wishes->all; wish < wishes->all + wishes->count; wish++) {
        wish->is_lost = wish > wishes->all;
        wish->total = wish->is_lost ? 0 : profile_self_cost(profile);
        if (wish->is_lost && wish->is_given && !wish->is_optional)
            diag_error(&r->diag, 0, "no event " TEXT_FMT "; there is: " TEXT_FMT, TEXT_ARG(wish->name),
                       TEXT_ARG(event));
    }
}

/* Its inclusive costs are usually sums, so all that it is compared with have to be sums, too: see take_sides. */
static void check_preprocessed(struct reading *r, size_t i)
{
    if (r->made_of != NULL && r->made_of[i] != NULL)
        diag_problem(&r->diag, 0, "is the preprocessed file of %s, which is also an input; its costs count twice",
                     r->made_of[i]);
    if (r->sources == NULL)
        return;
    if (r->has_outermost && wants(r, WANTS_OUTERMOST))
        diag_error(diag_about(&r->diag, CG2WG_MEMBER_INCLUSIVE), 0,
                   "is a preprocessed file, whose inclusive costs are sums; those read before are not");
    r->wants &= ~(unsigned)WANTS_OUTERMOST;
}

/* Reads one event into the contents, that of `so_far` if there are earlier inputs; or all, unless `full` is NULL. */
static void read_input(struct reading *r, const char *const *inputs, size_t i, const struct profile *so_far,
                       struct contents *contents, struct full_input *full)
{
    struct source own = {.diag = NULL}, *source = r->sources != NULL ? &r->sources[i] : &own;
    struct builder builder;
    struct frontend_options options;
    struct lines lines;
    r->diag.input = input_name(inputs[i]);
    if (source->diag == NULL)
        source_open(source, inputs[i], r->options->shared_folders, &r->diag);
    if (source->facts.kind == FILE_IS_REGULAR && !file_is_standard(inputs[i])) {
        file_limit_rights(&r->rights, &source->facts.rights);
        r->newest = source->facts.time > r->newest ? source->facts.time : r->newest;
    }
    source->progress = &r->progress;
    lines_init(&lines, source, r->block);
    const struct frontend *frontend = find_frontend(r, source, &lines);
    check_samples(r, frontend);
    if (frontend->keeps_inclusive)
        check_preprocessed(r, i);
    if (source->decoder != NULL || source->is_slow)
        blocks_start(&lines.blocks, r->options->threads);
    if (full != NULL) {
        full->frontend = frontend;
        read_full(r, &lines, full);
    } else {
        prepare(r, frontend, so_far, contents, &builder, &options);
        frontend->read(&lines, &builder, &options);
        complete(r, &builder, contents);
    }
    r->stats.lines += lines.number;
    r->stats.slow_lines += lines.returned;
    r->stats.is_listed = frontend->is_listed;
    lines_free(&lines);
    r->progress.before += source_taken(source);
    r->stats.bytes += source->handed_out;
    source_close(source);
}

/* Multiplies all costs of an event; lines that have names of events have these in other units, too. */
static void multiply(struct reading *r, struct contents *contents, uint64_t factor)
{
    struct profile *profile = &contents->profile;
    const struct line_costs *lines = profile->lines != NULL && profile->lines->names == NULL ? profile->lines : NULL;
    profile_multiply(profile, factor, &r->diag);
    contexts_multiply(&contents->contexts, factor);
    for (size_t i = 0; lines != NULL && i < lines->count; i++)
        cost_multiply(&lines->costs[i], factor);
    for (size_t i = 0; contents->allocated != NULL && i < profile->function_count + 2; i++)
        cost_multiply(&contents->allocated[i], factor);
}

static void take_event(struct reading *r, struct full_input *full, size_t event, struct contents *contents)
{
    struct frontend_options options;
    struct builder builder = full->builder;
    struct profile *profile = &contents->profile;
    const struct event_wish *wishes = full->wishes.all;
    bool is_lost = wishes[event].is_lost;
    for (event = is_lost ? 0 : event; wishes[event].is_lost;) /* another one has the same functions and calls */
        event++;
    full->builder.records.is_read_again = !r->is_last;
    r->diag.input = input_name(full->input);
    r->stats.bytes += full->bytes;
    if (full->frontend->take == NULL) {
        *contents = full->contents;
        profile_copy(profile, &full->contents.profile, 0);
        contents->contexts.items = memory_copy(full->contents.contexts.items,
                                               full->contents.contexts.count * sizeof *contents->contexts.items);
        contents->contexts.capacity = contents->contexts.count;
        builder.profile = profile;
    } else {
        prepare(r, full->frontend, NULL, contents, &builder, &options);
        options.wishes = &full->wishes;
        full->frontend->take(full->state, event, &builder, &options);
    }
    complete(r, &builder, contents);
    if (!is_lost)
        return;
    profile->event = NAME_EMPTY; /* which costs nothing. The input has made its calls, but taken no samples. */
    if (profile->has_part_of[PRODUCER_PERF]) {
        profile_empty(profile);
        profile->lines = NULL;
        contexts_free(&contents->contexts);
        contexts_link(&contents->contexts);
    }
    multiply(r, contents, 0);
    if (wants(r, WANTS_ALLOCATED))
        contents->allocated = memory_zeroed(profile->function_count + 2, sizeof *contents->allocated);
    if (contents->listed != NULL)
        contents->listed->costs = memory_zeroed(contents->listed->cost_capacity + 1, sizeof *contents->listed->costs);
}

/* Costs that add up: of events that count the same thing, or that are not known. */
static bool are_alike(struct text event, struct text other)
{
    return text_is_empty(event) || text_is_empty(other) || unit_is_like(unit_of(event), unit_of(other));
}

static void demand_alike(struct reading *r, struct text event, struct text other)
{
    if (!are_alike(event, other))
        diag_error(&r->diag, 0, "found costs in " TEXT_FMT ", expected " TEXT_FMT, TEXT_ARG(other), TEXT_ARG(event));
}

/* An event is lost that counts something else than in the first input that has it, or that an earlier wish took. */
static void check_wishes(struct reading *r, struct full_input *full, size_t last)
{
    struct event_wishes *wishes = &full[last].wishes;
    size_t i;
    for (struct event_wish *wish = wishes->all; wish < wishes->all + wishes->count; wish++) {
        size_t number = (size_t)(wish - wishes->all);
        for (i = 0; i < last && (number >= full[i].wishes.count || full[i].wishes.all[number].is_lost);)
            i++;
        struct text first = names_text(&full[i].contents.profile.names, full[i].wishes.all[number].event);
        struct text event = names_text(&full[last].contents.profile.names, wish->event);
        if (!wish->is_optional)
            demand_alike(r, first, event);
        wish->is_lost |= i < last && !are_alike(first, event);
        bool is_known = false;
        for (const struct event_wish *other = wishes->all; other < wish && !wish->is_given; other++)
            is_known |= !other->is_lost && other->event == wish->event && are_alike(other->name, wish->name);
        wish->is_lost |= is_known;
        const struct line_costs *lines = full[last].contents.profile.lines;
        for (size_t row = 0; is_known && lines != NULL && lines->events > number && row < lines->count; row++)
            lines->costs[row * lines->events + number] = 0;
    }
}

struct full_input *input_read_full(struct reading *r, const char *const *inputs, size_t count,
                                   const struct event_wishes *wishes)
{
    struct full_input *full = memory_zeroed(count, sizeof *full);
    r->are_several = count > 1;
    measure(r, inputs, count);
    for (size_t i = 0; i < count; i++) {
        r->stats.bytes = 0;
        full[i].input = inputs[i];
        full[i].wishes = i == 0 ? *wishes : full[i - 1].wishes;
        full[i].wishes.are_known = i > 0;
        for (size_t k = 0; i > 0 && k < full[i].wishes.count; k++) { /* as the inputs so far name them */
            struct event_wish *wish = &full[i].wishes.all[k];
            struct text event = names_text(&full[i - 1].contents.profile.names, wish->event);
            if (!wish->is_given && !wish->is_lost && !text_is_empty(event) && are_alike(wish->name, event))
                wish->name = event;
            wish->event = NAME_EMPTY;
            wish->is_lost = false;
        }
        read_input(r, inputs, i, NULL, NULL, &full[i]);
        full[i].bytes = r->stats.bytes;
        check_wishes(r, full, i);
    }
    for (size_t i = 0; i + 1 < count; i++) /* those of later inputs, too */
        for (struct event_wishes *all = &full[i].wishes; all->count < full[count - 1].wishes.count; all->count++) {
            all->all[all->count] = full[count - 1].wishes.all[all->count];
            all->all[all->count].is_lost = true;
        }
    return full;
}

static void read_one(struct reading *r, const char *const *inputs, size_t i, const struct profile *so_far,
                     struct contents *contents)
{
    if (r->full != NULL)
        take_event(r, &r->full[i], r->event, contents);
    else
        read_input(r, inputs, i, so_far, contents, NULL);
}

/* ---- several inputs ----------------------------------------------------------------------- */

/* Adds what the functions of a part have allocated, if that is known of both: see contexts_allocated. */
static void add_allocated(struct contents *sum, size_t before, const struct contents *part, const uint32_t *renumbered)
{
    size_t count = sum->profile.function_count, added = part->profile.function_count;
    cost_t *old = sum->allocated;
    sum->allocated = NULL;
    if (old == NULL || part->allocated == NULL)
        return;
    sum->allocated = memory_zeroed(count + 2, sizeof *sum->allocated);
    memcpy(sum->allocated, old, before * sizeof *old);
    for (size_t i = 0; i < added; i++)
        cost_add(&sum->allocated[renumbered[i]], part->allocated[i]);
    for (size_t i = 0; i < 2; i++) { /* of all */
        sum->allocated[count + i] = old[before + i];
        cost_add(&sum->allocated[count + i], part->allocated[added + i]);
    }
}

/* Of lines that have all events: one gets another name and unit. */
static void rename_event(const struct line_costs *lines, size_t event, uint32_t name, uint64_t factor)
{
    lines->names[event] = name;
    for (size_t row = 0; row < lines->count && factor != 1; row++)
        cost_multiply(&lines->costs[row * lines->events + event], factor);
}

/* Brings the events of lines that count the same to one name and unit, those of the profiles among them. */
static void unify_lines(struct profile *sum, uint32_t event, struct profile *part)
{
    uint64_t sum_factor, part_factor;
    const struct line_costs *lines = part->lines;
    for (size_t i = 0; lines != NULL && lines->names != NULL && i < lines->events; i++) {
        struct text name = names_text(&part->names, lines->names[i]);
        bool is_chosen = lines->names[i] == part->event, is_found = false;
        for (size_t k = 0; k < sum->lines->events && !is_found; k++) {
            uint32_t unified = sum->lines->names[k];
            is_found = (is_chosen && unified == event) ||
                       unit_is_same(unit_of(names_text(&sum->names, unified)), unit_of(name));
            unified = unified == NAME_EMPTY ? names_intern(&sum->names, name) : unified;
            if (!is_found)
                continue;
            unit_unify(&sum->names, &unified, name, &sum_factor, &part_factor);
            rename_event(sum->lines, k, unified, sum_factor);
            rename_event(lines, i, names_intern(&part->names, names_text(&sum->names, unified)), part_factor);
        }
    }
}

/*
 * Adds an input to the sum of those before. If their events count the same thing by different measures, both are
 * brought to one unit.
 */
static void add_input(struct reading *r, const char *const *inputs, size_t i, struct contents *sum)
{
    uint64_t sum_factor, part_factor;
    uint32_t event = sum->profile.event;
    struct contents part;
    struct memory_scope scope;
    memory_scope_begin(&scope);
    read_one(r, inputs, i, &sum->profile, &part);
    if (sum->profile.lines != NULL)
        complete_lines(r, &part.profile);
    uint32_t *renumbered = memory_zeroed(part.profile.function_count + 1, sizeof *renumbered);
    if (part.contexts.keeps_lines)
        part.profile.lines->renumbered = memory_zeroed(part.profile.lines->count + 1, sizeof *renumbered);
    memory_scope_end(&scope);
    if (part.profile.lines != NULL)
        complete_lines(r, &sum->profile);
    struct text part_event = names_text(&part.profile.names, part.profile.event);
    demand_alike(r, names_text(&sum->profile.names, event), part_event);
    unit_unify(&sum->profile.names, &sum->profile.event, part_event, &sum_factor, &part_factor);
    multiply(r, sum, sum_factor);
    multiply(r, &part, part_factor);
    sum->profile.speaks_of_event |= sum_factor != part_factor;
    unify_lines(&sum->profile, event, &part.profile);
    size_t before = sum->profile.function_count;
    profile_merge(&sum->profile, &part.profile, renumbered, NULL);
    add_allocated(sum, before, &part, renumbered);
    sum->has_contexts = sum->has_contexts && part.has_contexts;
    sum->has_estimate |= part.has_estimate;
    if (sum->has_contexts)
        contexts_append(&sum->contexts, &sum->profile, &part.contexts, &part.profile, renumbered);
    else
        contexts_free(&sum->contexts);
    if (r->each != NULL)
        r->each(r->of, sum, &part, renumbered);
    memory_scope_free(&scope);
}

static void check_proxies(struct reading *r, const struct profile *profile)
{
    const struct cg2wg_options *options = r->options;
    size_t count = options->expected_proxy_count;
    if (count == 0)
        return;
    struct matcher names = {.is_loose = false};
    bool *found = memory_zeroed(2 * count + 1, sizeof *found);
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(options->proxies[i]) + sizeof ":*";
        char *with_place = memory_get(size); /* Xdebug appends the place of the call to some names */
        snprintf(with_place, size, "%s:*", options->proxies[i]);
        matcher_add(&names, options->proxies[i], 2 * i);
        matcher_add(&names, with_place, 2 * i + 1);
    }
    for (size_t f = 0; f < profile->function_count; f++)
        matcher_find(&names, names_text(&profile->names, profile->functions[f].name), found);
    for (size_t i = 0; i < count; i++) {
        const char *name = options->proxies[i];
        if (found[2 * i])
            continue;
        struct diag *diag = diag_about(&r->diag, CG2WG_MEMBER_PROXIES);
        if (found[2 * i + 1])
            diag_warning(diag, 0, "no function is named %s, only some that the pattern %s:* matches", name, name);
        else
            diag_warning(diag, 0, "no function is named %s", name);
    }
}

void input_read(struct reading *r, const char *const *inputs, size_t count, struct contents *sum)
{
    size_t read = 0;
    r->are_several = count > 1;
    if (r->full == NULL)
        measure(r, inputs, count);
    r->stats.bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (wants(r, WANTS_ALL_EVENTS) && r->full != NULL && r->full[i].wishes.all[r->event].is_lost)
            continue; /* the lines of all events are already there */
        if (read++ > 0) {
            add_input(r, inputs, i, sum);
            continue;
        }
        read_one(r, inputs, i, NULL, sum);
        if (r->each != NULL)
            r->each(r->of, sum, sum, NULL);
    }
    if (read > 1)
        contexts_link(&sum->contexts);
    if (r->are_several)
        r->diag.input = NULL;
    if (sum->stored.version == 0 && r->parts.by == CG2WG_GROUP_FUNCTION && !wants(r, WANTS_EVENTS_ONLY))
        check_proxies(r, &sum->profile);
    sum->diag = r->diag;
    sum->bytes = r->stats.bytes;
    sum->time = r->newest;
}
