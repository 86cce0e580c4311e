/*
 * Reads webgrind's own format, versions 5 to 7, as an input, so that results from elsewhere can be
 * merged. Everything in the file is taken as it is: costs, counts, inclusive costs, and the scale
 * in the event's name. Version 4 is only read for its calling contexts, and to be shown.
 */
#include "read/event_costs.h"
#include "read/preprocessed_contexts.h"
#include "model/units.h"
#include "util/array.h"
#include "util/run.h"
#include "write/heading.h"
#include "write/objects.h"
#include "read/preprocessed_file.h"

#include <stdlib.h>

enum { FIRST_VERSION_WITH_SUMS = 5, FIRST_VERSION_WITH_SUB_CALLS = 6 };

/* ---- headers ------------------------------------------------------------------------------ */

/* A command of a merged file, and how many profiles had it; 1 if that is malformed. */
static void add_command(struct profile *profile, struct text value)
{
    struct header header = {.kind = HEADER_CMD, .profiles = 1};
    value = text_trim(value);
    if (text_take_number(&value, &header.profiles, NULL) && header.profiles == 0)
        header.profiles = 1;
    struct text parts[] = {text_of_string("cmd: "), text_trim(value)};
    profile_add_header(profile, names_text(&profile->names, names_intern_parts(&profile->names, parts, 2)), header);
}

/*
 * Of commands, keeps only what was profiled. In a merged file, these are the lines with a count, from which
 * `cmd:` was made; in other files, `cmd:` may have a note, or consist of one.
 */
static void add_header(struct profile *profile, struct text key, struct text value, const char *note)
{
    struct text line = {key.at, value.end};
    struct header header = {.kind = HEADER_OTHER};
    if (text_equals(key, "events")) {
        header.kind = HEADER_EVENTS;
    } else if (text_equals(key, "summary")) {
        uint64_t total = 0;
        header.kind = HEADER_SUMMARY;
        header.has_total = text_take_number(&value, &total, NULL) && total <= INT64_MAX;
        header.total = (cost_t)(total <= INT64_MAX ? total : 0);
    } else if (text_equals(key, "cmd")) {
        header = (struct header){.kind = HEADER_CMD, .profiles = 1};
        if (text_ends(line, note))
            line.end -= strlen(note);
        if (profile->is_merged || text_equals(text_trim(line), "cmd:"))
            return;
    } else if (text_equals(key, HEADING_KEY)) {
        add_command(profile, value);
        return;
    }
    profile_add_header(profile, line, header);
}

static void read_headers(struct profile *profile, const struct preprocessed *p)
{
    struct text rest = preprocessed_headers(p), key, value;
    char note[HEADING_NOTE_SIZE];
    profile->was_escaped = p->was_escaped;
    while (preprocessed_next_header(&rest, &key, &value)) {
        struct text event = text_trim(value);
        profile->is_merged |= text_equals(key, HEADING_KEY);
        if (text_equals(key, "events") && profile->event == NAME_EMPTY)
            profile->event = names_intern(&profile->names, text_take_word(&event));
    }
    heading_note(unit_of(names_text(&profile->names, profile->event)), note);
    rest = preprocessed_headers(p);
    while (preprocessed_next_header(&rest, &key, &value))
        add_header(profile, key, value, note);
}

/*
 * The same name, except for characters that are written as an underscore, such as the blanks of a
 * formula.
 */
static bool is_same_event(struct text written, struct text name)
{
    if (text_length(written) != text_length(name))
        return false;
    for (size_t i = 0; i < text_length(name); i++)
        if (written.at[i] != (char_is_graphic(name.at[i]) ? name.at[i] : '_'))
            return false;
    return true;
}

static void check_event(struct profile *profile, struct diag *diag,
                        const struct frontend_options *options)
{
    struct text event = names_text(&profile->names, profile->event), name, formula;
    if (text_is_empty(options->event))
        return;
    event_split(options->event, &name, &formula);
    profile->speaks_of_event = options->event_is_chosen;
    if (is_same_event(event, name))
        profile->event = names_intern(&profile->names, name);
    else if (!unit_is_like(unit_of(event), unit_of(name)))
        diag_error(diag, 0, "found no event " TEXT_FMT ", expected one of: " TEXT_FMT, TEXT_ARG(name), TEXT_ARG(event));
}

/*
 * The costs of its parts are no longer known: the first summary stands for all, except for those of
 * 0, which belong to parts without costs.
 */
static void spread_self_total(struct profile *profile)
{
    struct header *first = NULL;
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *header = &profile->headers[i];
        if (header->kind != HEADER_SUMMARY)
            continue;
        header->self_total = 0;
        if (first == NULL || (first->total == 0 && header->total > 0))
            first = header;
    }
    if (first != NULL)
        first->self_total = profile_self_cost(profile);
}

/* ---- functions and arcs ------------------------------------------------------------------- */

/* Adds a function of the file, with its costs, to one of the profile. */
static void book_function(struct function *to, const struct preprocessed_function *f)
{
    if ((to->flags & FUNCTION_HAS_LINE) == 0)
        to->line = f->line;
    to->flags |= FUNCTION_HAS_RECORD | (f->line > 0 ? FUNCTION_HAS_LINE : 0);
    cost_add(&to->self, f->self);
    cost_add(&to->inclusive, f->inclusive);
    count_add(&to->invocations, f->invocations);
}

/*
 * Fills numbers[i] with the number of function i in the profile. Two that cannot be distinguished become one, as in
 * any other input; without `options`, each stays by itself.
 */
static void read_functions(struct profile *profile, const struct preprocessed *p,
                           const struct frontend_options *options, uint32_t *numbers)
{
    struct objects objects;
    struct producer producer = producer_of(profile);
    const char *object = NULL;
    uint32_t object_name = NAME_EMPTY;
    profile->has_measured_totals = producer.was_xdebug;
    objects_read(&objects, preprocessed_gap(p), producer_identity(&producer));
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        objects_next(&objects);
        /* The object of a run is looked up once, because it may be as long as the file. */
        if (objects.object.at != object)
            object_name = names_intern(&profile->names, objects.object);
        object = objects.object.at;
        struct function function = {.object = object_name,
                                    .file = names_intern(&profile->names, f.file),
                                    .name = names_intern(&profile->names, f.name),
                                    .identity = IDENTITY_OBJECT};
        numbers[i] = i;
        if (options == NULL)
            array_append(&profile->functions, &profile->function_count, &profile->function_capacity, &function,
                         sizeof function);
        else
            numbers[i] = profile_function(profile, frontend_identity(options, objects.identity), object_name,
                                          function.file, function.name);
        book_function(&profile->functions[numbers[i]], &f);
    }
}

/* Adds the arcs of a file; those with the same caller, callee and line become one. The numbers are the file's. */
static void add_arcs(struct profile *profile, const struct preprocessed *p)
{
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        for (uint32_t k = 0; k < f.called_from_count; k++) {
            struct preprocessed_call c = preprocessed_call(p, f.called_from_at, k);
            profile_add_call(profile, c.function, i, c.line, c.count, c.cost);
        }
        for (uint32_t v = 0; v < f.invocations && p->version == 4; v++) {
            struct preprocessed_invocation invocation = preprocessed_invocation(p, f.invocations_at, v);
            for (uint32_t k = 0; k < invocation.sub_call_count; k++) {
                struct preprocessed_sub_call c = preprocessed_sub_call(p, invocation.sub_calls_at, k);
                profile_add_call(profile, i, c.function, c.line, 1, c.cost);
            }
        }
    }
}

size_t preprocessed_contradictions(const struct preprocessed *p, const struct profile *profile)
{
    size_t listed = 0, wrong = 0;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        for (uint32_t k = 0; k < f.sub_call_count; k++) {
            struct preprocessed_call c = preprocessed_call(p, f.sub_calls_at, k);
            uint32_t number = profile_find_arc(profile, i, c.function, c.line);
            wrong += number == NONE || profile->arcs[number].count != c.count ||
                     profile->arcs[number].cost != c.cost;
        }
        listed += f.sub_call_count;
    }
    bool lacks_some = p->version >= FIRST_VERSION_WITH_SUB_CALLS && listed < profile->arc_count;
    return wrong + (lacks_some ? profile->arc_count - listed : 0);
}

/*
 * The file contains each arc twice, in its callee's list and in its caller's, both in the order of
 * first occurrence. To keep both orders, an arc is added after those before it in both lists.
 */
struct arc_order {
    struct profile arcs; /* its arcs, by callee; it has no functions */
    struct arc_place {   /* of each */
        uint32_t before;  /* the arc before it in its caller's list, or NONE */
        uint32_t waiting; /* the arc that waits for it, or NONE */
        enum { ARC_NEW, ARC_LISTED /* by its caller */, ARC_TAKEN } state;
    } *places;
};

static void read_lists_of_callers(struct arc_order *o, const struct preprocessed *p)
{
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        uint32_t before = NONE;
        for (uint32_t k = 0; k < f.sub_call_count; k++) {
            struct preprocessed_call call = preprocessed_call(p, f.sub_calls_at, k);
            uint32_t arc = profile_find_arc(&o->arcs, i, call.function, call.line);
            if (arc == NONE || o->places[arc].state != ARC_NEW)
                continue;
            o->places[arc] = (struct arc_place){.before = before, .state = ARC_LISTED};
            before = arc;
        }
    }
}

/*
 * An arc to be added before this one, or NONE. One that is taken does not count, because lists may
 * contradict each other.
 */
static uint32_t first_before(const struct arc_order *o, uint32_t arc)
{
    const struct arc *arcs = o->arcs.arcs;
    if (arc > 0 && arcs[arc - 1].callee == arcs[arc].callee && o->places[arc - 1].state != ARC_TAKEN)
        return arc - 1;
    uint32_t before = o->places[arc].before;
    return before != NONE && o->places[before].state != ARC_TAKEN ? before : NONE;
}

/* Adds an arc, after those that come before it. */
static void add_arc(struct profile *profile, struct arc_order *o, const uint32_t *numbers, uint32_t next)
{
    uint32_t last = NONE; /* of those that wait, each for the next one */
    do {
        if (next != NONE) {
            o->places[next].state = ARC_TAKEN;
            o->places[next].waiting = last;
            last = next;
        } else {
            const struct arc *arc = &o->arcs.arcs[last];
            last = o->places[last].waiting;
            profile_add_call(profile, numbers[arc->caller], numbers[arc->callee], arc->line, arc->count, arc->cost);
        }
        next = last != NONE ? first_before(o, last) : NONE;
    } while (last != NONE);
}

static void read_arcs(struct profile *profile, const struct preprocessed *p, const uint32_t *numbers)
{
    struct arc_order o;
    profile_init(&o.arcs);
    add_arcs(&o.arcs, p);
    o.places = memory_zeroed(o.arcs.arc_count + 1, sizeof *o.places);
    for (size_t i = 0; i < o.arcs.arc_count; i++)
        o.places[i] = (struct arc_place){NONE, NONE, ARC_NEW};
    read_lists_of_callers(&o, p);
    for (uint32_t i = 0; i < o.arcs.arc_count; i++)
        if (o.places[i].state != ARC_TAKEN)
            add_arc(profile, &o, numbers, i);
    profile_free(&o.arcs);
    memory_free(o.places);
}

/* ---- whole files -------------------------------------------------------------------------- */

void preprocessed_profile(const struct preprocessed *p, struct profile *profile)
{
    uint32_t *numbers = memory_zeroed((size_t)p->function_count + 1, sizeof *numbers);
    read_headers(profile, p);
    read_functions(profile, p, NULL, numbers);
    add_arcs(profile, p);
    memory_free(numbers);
}

static void preprocessed_file_read(struct lines *lines, struct builder *builder, struct diag *diag,
                                   const struct frontend_options *options)
{
    struct profile *profile = builder->profile;
    struct preprocessed p;
    preprocessed_check(&p, lines_take_all(lines), diag);
    bool has_sums = p.version >= FIRST_VERSION_WITH_SUMS;
    if (!has_sums && builder->contexts == NULL)
        diag_error(diag, 0, "found a preprocessed file of version 4, expected 5, 6 or 7");
    if (p.function_count == 0)
        diag_error(diag, 0, "found no function, expected at least one");
    if (has_sums)
        builder_set_kind(builder, IDENTITY_OBJECT, false);
    else
        builder_set_contexts(builder, IDENTITY_OBJECT);
    uint32_t *numbers = memory_zeroed((size_t)p.function_count + 1, sizeof *numbers);
    read_headers(profile, &p);
    read_functions(profile, &p, options, numbers);
    read_arcs(profile, &p, numbers);
    if (builder->contexts != NULL)
        preprocessed_contexts(&p, numbers, builder);
    memory_free(numbers);
    for (size_t i = 0; i < profile->arc_count; i++)
        cost_add(&profile->functions[profile->arcs[i].callee].call_cost, profile->arcs[i].cost);
    spread_self_total(profile);
    check_event(profile, diag, options);
    if (options->list != NULL) {
        struct listed_event event = {.name = names_text(&profile->names, profile->event),
                                     .total = profile_self_cost(profile)};
        array_append(&options->list->events, &options->list->count, &options->list->capacity, &event, sizeof event);
    }
    preprocessed_free(&p);
}

static enum recognition preprocessed_file_recognises(struct text head)
{
    return preprocessed_recognises(head) ? MINE : NOT_MINE;
}

const struct frontend preprocessed_frontend = {
    .name = "preprocessed",
    .recognises = preprocessed_file_recognises,
    .read = preprocessed_file_read,
};
