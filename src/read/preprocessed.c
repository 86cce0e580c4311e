/* SPDX-License-Identifier: MIT */
/*
 * Reads webgrind's own format, versions 5 to 7, as an input, so that results from elsewhere can be
 * merged. Everything in the file is taken as it is: costs, counts, inclusive costs, and the scale
 * in the event's name. Version 4 is only read for its calling contexts, and to be shown.
 */
#include "model/units.h"
#include "read/event_costs.h"
#include "read/preprocessed_file.h"
#include "util/array.h"
#include "util/task.h"
#include "write/headers.h"
#include "write/objects.h"

#include <inttypes.h>

/*
 * Keeps what was profiled as commands. In a merged file, these are the lines that also say how many profiles had the
 * command (1 if that is malformed), from which `cmd:` was made. In other files, a note that follows the command of
 * `cmd:`, or is all of it, is left out.
 */
static void read_headers(struct profile *profile, const struct preprocessed *p)
{
    struct text rest = p->headers, key, value;
    profile->was_escaped = p->was_escaped;
    while (preprocessed_next_header(&rest, &key, &value)) {
        struct text event = text_trim(value);
        profile->is_merged |= text_equals(key, HEADING_KEY);
        if (text_equals(key, "events") && profile->event == NAME_EMPTY)
            profile->event = names_intern(&profile->names, text_take_word(&event));
    }
    const char *note = heading_note(unit_of(names_text(&profile->names, profile->event)));
    for (rest = p->headers; preprocessed_next_header(&rest, &key, &value);) {
        struct text line = {key.at, value.end};
        bool is_command = text_equals(key, "cmd"), is_counted = text_equals(key, HEADING_KEY);
        struct header header = {.kind = is_command || is_counted ? HEADER_CMD : HEADER_OTHER};
        header.profiles = header.kind == HEADER_CMD;
        if (text_equals(key, "events"))
            header.kind = HEADER_EVENTS;
        if (text_equals(key, "summary")) {
            uint64_t total = 0;
            header.kind = HEADER_SUMMARY;
            header.has_total = text_take_number(&value, &total, NULL) && total <= INT64_MAX;
            header.total = (cost_t)(total <= INT64_MAX ? total : 0);
        }
        if (is_command && text_ends(line, note))
            line.end -= strlen(note);
        if (is_command && (profile->is_merged || text_equals(text_trim(line), "cmd:")))
            continue;
        key = is_counted ? text_of_string("cmd") : header_take_key(&line);
        if (is_counted) {
            line = text_trim(value);
            if (text_take_number(&line, &header.profiles, NULL) && header.profiles == 0)
                header.profiles = 1;
            line = text_trim(line);
        }
        profile_add_header(profile, key, line, header);
    }
}

/* It must be like the wanted event, or begin with the given letters. The same one with `_` for blanks becomes it. */
static void check_event(struct profile *profile, struct diag *diag, const struct frontend_options *options)
{
    struct text event = names_text(&profile->names, profile->event), name, formula;
    if (text_is_empty(options->event))
        return;
    event_split(options->event, &name, &formula);
    if (text_same(options->event, event)) /* perf's names may have a "=" */
        name = event;
    profile->speaks_of_event = options->is_given;
    bool is_same = text_length(event) == text_length(name);
    for (size_t i = 0; is_same && i < text_length(name); i++)
        is_same = event.at[i] == (char_is_graphic(name.at[i]) ? name.at[i] : '_');
    if (is_same)
        profile->event = names_intern(&profile->names, name);
    else if (!unit_is_like(unit_of(event), unit_of(name)) && !(options->is_given && text_starts_alike(event, name)))
        diag_error(diag, 0, "no event " TEXT_FMT "; there is: " TEXT_FMT, TEXT_ARG(name), TEXT_ARG(event));
}

/* ---- functions and arcs ------------------------------------------------------------------- */

/* Returns the number of each function in the profile. Equal ones become one, unless the file is read as it is. */
static uint32_t *read_functions(struct profile *profile, const struct preprocessed *p,
                                const struct frontend_options *options)
{
    bool is_stored = options->stored != NULL;
    uint32_t *numbers = memory_zeroed((size_t)p->function_count + 1, sizeof *numbers);
    struct objects objects;
    const char *object = NULL;
    struct function new = {.identity = IDENTITY_OBJECT};
    objects_read(&objects, p->gap, profile->producer == PRODUCER_XDEBUG ? IDENTITY_NAME : IDENTITY_OBJECT);
    for (uint32_t i = 0; i < p->function_count; i++)
        numbers[i] = names_intern(&profile->names, preprocessed_function(p, i).name);
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        objects_next(&objects);
        /* An object of many functions is looked up once, because it may be as long as the file. */
        if (objects.object.at != object)
            new.object = names_intern(&profile->names, objects.object);
        object = objects.object.at;
        new.file = names_intern(&profile->names, f.file);
        new.name = profile_readable(profile, numbers[i]);
        numbers[i] = i;
        if (is_stored)
            profile_append_function(profile, &new);
        else
            numbers[i] = profile_function(profile, frontend_identity(options, objects.identity), new.object, new.file,
                                          new.name);
        struct function *to = &profile->functions[numbers[i]];
        if ((to->flags & FUNCTION_HAS_LINE) == 0)
            to->line = f.line;
        to->flags |= FUNCTION_HAS_RECORD | (f.line > 0 ? FUNCTION_HAS_LINE : 0);
        cost_add(&to->self, f.self);
        cost_add(&to->inclusive, f.inclusive);
        cost_add(&to->call_cost, is_stored ? f.call_cost : 0);
        count_add(&to->invocations, f.invocations);
    }
    return numbers;
}

/* Adds the arcs of a file; those with the same caller, callee and line become one. The numbers are the file's. */
static void add_arcs(struct profile *profile, const struct preprocessed *p)
{
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        for (uint32_t k = 0; k < f.called_from_count; k++) {
            struct stored_call c = preprocessed_call(p, f.called_from_at, k);
            profile_add_call(profile, c.function, i, c.line, c.count, c.cost);
        }
        for (uint32_t v = 0; v < f.invocations && p->version < FIRST_VERSION_WITH_SUMS; v++) {
            struct stored_invocation invocation = preprocessed_invocation(p, f.invocations_at, v);
            for (uint32_t k = 0; k < invocation.sub_call_count; k++) {
                struct stored_call c = preprocessed_call(p, invocation.sub_calls_at, k);
                profile_add_call(profile, i, c.function, c.line, c.count, c.cost);
            }
        }
    }
}

/* Each arc of a file, with what is known of its order among all. */
struct arc_order {
    uint32_t before; /* the arc before it in its caller's list, or NONE */
    bool is_listed;  /* by its caller */
    bool is_taken;   /* added, or waiting for that */
};

/*
 * The file contains each arc twice, in its callee's list and in its caller's, both in the order of
 * first occurrence. To keep both orders, an arc is added after those before it in both lists. One that waits
 * already is not waited for, because lists may contradict each other.
 */
static void read_arcs(struct profile *profile, const struct preprocessed *p, const uint32_t *numbers)
{
    struct profile file = {.arc_count = 0}; /* its arcs, by callee; it has no functions */
    struct memory_scope scope;
    memory_scope_begin(&scope);
    array_reserve(&file.arcs, &file.arc_capacity, 1, sizeof *file.arcs); /* they have an address */
    add_arcs(&file, p);
    struct arc_order *order = memory_zeroed(file.arc_count + 1, sizeof *order);
    uint32_t *waiting = memory_zeroed(file.arc_count + 1, sizeof *waiting); /* each for the next one */
    memory_scope_end(&scope);
    for (size_t i = 0; i < file.arc_count; i++)
        order[i].before = NONE;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        uint32_t before = NONE;
        for (uint32_t k = 0; k < f.sub_call_count; k++) {
            struct stored_call call = preprocessed_call(p, f.sub_calls_at, k);
            uint32_t arc = profile_find_arc(&file, i, call.function, call.line);
            if (arc == NONE || order[arc].is_listed)
                continue;
            order[arc] = (struct arc_order){.before = before, .is_listed = true};
            before = arc;
        }
    }
    for (uint32_t i = 0; i < file.arc_count; i++) {
        size_t count = order[i].is_taken ? 0 : 1;
        waiting[0] = i;
        while (count > 0) {
            uint32_t last = waiting[count - 1];
            const struct cg2wg_arc *arc = &file.arcs[last];
            bool is_first = last == 0 || arc[-1].callee != arc->callee || order[last - 1].is_taken;
            uint32_t before = is_first ? order[last].before : last - 1;
            order[last].is_taken = true;
            if (before != NONE && !order[before].is_taken) {
                waiting[count++] = before;
            } else {
                profile_add_call(profile, numbers[arc->caller], numbers[arc->callee], arc->line, arc->calls, arc->cost);
                count--;
            }
        }
    }
    memory_scope_free(&scope);
}

/*
 * Fills empty contexts with the invocations of a file of version 4. A file that was made from sums has one invocation
 * for each function, which several may have called: it has no contexts. So everything that an invocation called must
 * say so.
 */
static void read_contexts(const struct preprocessed *p, struct builder *builder, const uint32_t *numbers)
{
    struct contexts *contexts = builder->contexts;
    /* By function: the context of its first invocation. There are fewer than 2^32, as the file has fewer bytes. */
    uint32_t *first = memory_zeroed((size_t)p->function_count + 1, sizeof *first), next = 0, cycle;
    bool agree = true;
    for (uint32_t f = 0; f < p->function_count; f++)
        first[f + 1] = first[f] + preprocessed_function(p, f).invocations;
    for (uint32_t f = 0; f < p->function_count; f++) {
        size_t at = preprocessed_function(p, f).invocations_at;
        for (uint32_t i = 0; i < first[f + 1] - first[f]; i++) {
            struct stored_invocation v = preprocessed_invocation(p, at, i);
            bool is_root = v.caller.function == NONE;
            bool is_lineless = !is_root && profile_is_lineless(builder->profile, numbers[v.caller.function]);
            contexts_add(contexts,
                         (struct context){.function = f,
                                          .parent = is_root ? NONE : first[v.caller.function] + v.caller.invocation,
                                          .call = is_lineless ? 0 : v.caller.line,
                                          .calls = 1,
                                          .self = v.self,
                                          .inclusive = v.inclusive});
        }
    }
    for (uint32_t f = 0; f < p->function_count; f++) {
        size_t at = preprocessed_function(p, f).invocations_at;
        for (uint32_t i = 0; i < first[f + 1] - first[f]; i++) {
            struct stored_invocation v = preprocessed_invocation(p, at, i);
            for (uint32_t k = 0; k < v.sub_call_count; k++) {
                struct stored_call call = preprocessed_call(p, v.sub_calls_at, k);
                agree &= contexts->items[first[call.function] + call.invocation].parent == first[f] + i;
            }
        }
    }
    if (agree && (cycle = contexts_cut_cycle(contexts, &next)) != NONE)
        diag_error(builder->diag, 0,
                   "function %" PRIu32 ": found an invocation that runs inside itself, expected "
                   "it below one that nobody called",
                   contexts->items[cycle].function);
    if (!agree)
        contexts_free(contexts);
    contexts_link(contexts);
    if (!agree) {
        builder_set_kind(builder, IDENTITY_OBJECT, false);
        return;
    }
    for (size_t i = 0; i < contexts->count; i++)
        contexts->items[i].function = numbers[contexts->items[i].function];
    contexts->chosen = parts_choose(builder->parts);
    contexts->call_is = CALL_IS_LINE;
    contexts->single = builder->single;
    if (builder->single != NULL)
        single_calls_choose(builder->single, builder->profile);
    contexts_unite(contexts, NULL);
    contexts_end_calls(contexts, builder->profile, 1);
}

/*
 * What only a file has that is read as it is: its lines, invocations, and whether its lists of calls agree. In versions
 * 6 and 7, each sub call is called-from information, too, and the other way round. Not so in files of webgrind's own
 * preprocessor, which confuses some arcs.
 */
static void keep_stored(const struct preprocessed *p, const struct profile *profile, struct stored_file *stored,
                        struct diag *diag)
{
    size_t count = 0, capacity = 0, call_count = 0, call_capacity = 0, listed = 0, differ = 0;
    stored->version = p->version;
    stored->has_lines = p->version >= FIRST_VERSION_WITH_LINES;
    for (struct text rest = p->headers, key, value; preprocessed_next_header(&rest, &key, &value);)
        header_lines_add(&stored->headers, key, value);
    if (!stored->wants_calls)
        return;
    if (p->version < FIRST_VERSION_WITH_SUMS)
        stored->first = memory_zeroed((size_t)p->function_count + 1, sizeof *stored->first);
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        for (uint32_t k = 0; k < f.invocations && stored->first != NULL; k++) {
            struct stored_invocation v = preprocessed_invocation(p, f.invocations_at, k);
            uint32_t at = v.sub_calls_at;
            v.sub_calls_at = (uint32_t)call_count;
            array_append(&stored->invocations, &count, &capacity, &v, sizeof v);
            for (uint32_t c = 0; c < v.sub_call_count; c++) {
                struct stored_call call = preprocessed_call(p, at, c);
                array_append(&stored->calls, &call_count, &call_capacity, &call, sizeof call);
            }
        }
        if (stored->first != NULL)
            stored->first[i + 1] = count;
        for (uint32_t k = 0; k < f.sub_call_count; k++) {
            struct stored_call c = preprocessed_call(p, f.sub_calls_at, k);
            if (profile_is_lineless(profile, i))
                continue;
            uint32_t arc = profile_find_arc(profile, i, c.function, c.line);
            differ += arc == NONE || profile->arcs[arc].calls != c.count || profile->arcs[arc].cost != c.cost;
        }
        listed += f.sub_call_count;
    }
    if (p->version >= FIRST_VERSION_WITH_SUB_CALLS && listed < profile->arc_count)
        differ += profile->arc_count - listed;
    if (differ > 0)
        diag_problem(diag, 0,
                     "found %zu call%s that caller and callee list differently, expected one list; the "
                     "callees' lists are used",
                     differ, differ == 1 ? "" : "s");
}

static void preprocessed_read(struct lines *lines, struct builder *builder, const struct frontend_options *options)
{
    struct profile *profile = builder->profile;
    struct diag *diag = builder->diag;
    struct event_list *list = options->list;
    struct header *first = NULL;
    struct preprocessed p;
    size_t size;
    char *file = lines_take_all(lines, &size);
    preprocessed_check(&p, file, size, diag);
    bool is_stored = options->stored != NULL, has_sums = p.version >= FIRST_VERSION_WITH_SUMS;
    if (options->needs_sums && !has_sums)
        diag_error(diag, 0, "found a preprocessed file of version 4, expected 5, 6 or 7");
    if (!is_stored && p.function_count == 0)
        diag_error(diag, 0, "this file has no function");
    if (has_sums || builder->contexts == NULL)
        builder_set_kind(builder, IDENTITY_OBJECT, false);
    read_headers(profile, &p);
    uint32_t *numbers = read_functions(profile, &p, options);
    if (is_stored)
        add_arcs(profile, &p);
    else
        read_arcs(profile, &p, numbers);
    if (is_stored && !options->stored->wants_calls && profile->names.readable != NULL)
        profile_unite(profile, numbers, NULL, NULL);
    if (builder->contexts != NULL)
        read_contexts(&p, builder, numbers);
    check_event(profile, diag, options);
    if (is_stored) {
        keep_stored(&p, profile, options->stored, diag);
        return;
    }
    for (size_t i = 0; i < profile->arc_count; i++)
        cost_add(&profile->functions[profile->arcs[i].callee].call_cost, profile->arcs[i].cost);
    /* The costs of its parts are not known any more: the first summary that is not 0 represents all. */
    for (size_t i = 0; i < profile->header_count; i++) {
        struct header *h = &profile->headers[i];
        if (h->kind == HEADER_SUMMARY && (first == NULL || (first->total == 0 && h->total > 0)))
            first = h;
    }
    if (first != NULL)
        first->self_total = profile_self_cost(profile);
    struct cg2wg_event event = {.name = names_text(&profile->names, profile->event).at,
                                .total = profile_self_cost(profile)};
    if (list != NULL)
        array_append(&list->events, &list->count, &list->capacity, &event, sizeof event);
}

const struct frontend preprocessed_frontend = {
    .name = "preprocessed",
    .is_listed = true,
    .has_lines = true,
    .keeps_inclusive = true,
    .recognises = preprocessed_recognises,
    .read = preprocessed_read,
};
