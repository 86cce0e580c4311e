/* SPDX-License-Identifier: MIT */
#include "model/parts.h"

#include "model/groups.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct function_patterns function_patterns_of(const struct cg2wg_patterns *patterns)
{
    static const char *const prefixes[] = {"name:", "file:", "object:", ""};
    struct function_patterns all = {{{.is_loose = true}, {.is_loose = true}, {.is_loose = true}}};
    for (size_t i = 0; i < patterns->count; i++) {
        size_t of = 0;
        while (!text_starts(text_of_string(patterns->words[i]), prefixes[of]))
            of++;
        matcher_add(&all.of[of % PATTERN_TEXTS], patterns->words[i] + strlen(prefixes[of]), i);
    }
    return all;
}

bool function_matches(struct function_patterns *patterns, const struct text texts[PATTERN_TEXTS], bool *found)
{
    bool matches = false;
    for (size_t i = 0; i < PATTERN_TEXTS && (found != NULL || !matches); i++)
        matches |= matcher_find(&patterns->of[i], texts[i], found);
    return matches;
}

/* The last bytes of a name, without a part of a character. */
static struct text end_of(struct text name, size_t most)
{
    name.at = text_length(name) > most ? name.end - most : name.at;
    while (name.at < name.end && ((unsigned char)*name.at & 0xc0) == 0x80) /* within a character */
        name.at++;
    return name;
}

enum { MOST_INPUT = 200 }; /* bytes of an input's name, where it may be repeated for each of many parts */

uint32_t parts_name_thread(struct names *names, struct text input, struct text name, bool are_several)
{
    struct text parts[] = {end_of(input, MOST_INPUT), text_of_string(": "),
                           text_is_empty(name) ? text_of_string("[none]") : name};
    size_t first = are_several ? 0 : 2;
    return names_intern_parts(names, parts + first, COUNT_OF(parts) - first);
}

uint32_t parts_name_run(struct names *names, struct text input, size_t number)
{
    char end[32] = "";
    if (number > 0)
        snprintf(end, sizeof end, ", run %zu", number);
    struct text parts[] = {number > 0 ? end_of(input, MOST_INPUT) : input, text_of_string(end)};
    return names_intern_parts(names, parts, COUNT_OF(parts));
}

static struct function *row_of(struct parts *p, uint32_t name)
{
    uint32_t number = profile_function(&p->rows, IDENTITY_NAME, NAME_EMPTY, NAME_EMPTY, name);
    return &p->rows.functions[number];
}

static uint32_t name_of_thread(struct parts *p, struct text name)
{
    return parts_name_thread(&p->contents->profile.names, p->input, name, p->choice->are_several);
}

static bool *choose(struct parts *p)
{
    const struct profile *profile = &p->contents->profile;
    bool *chosen = memory_zeroed(profile->function_count + 1, sizeof *chosen);
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        const struct text texts[] = {names_text(&profile->names, f->name), names_text(&profile->names, f->file),
                                     names_text(&profile->names, function_object(f))};
        chosen[i] = function_matches(&p->choice->wanted, texts, NULL);
        p->choice->has_matched |= chosen[i];
    }
    return chosen;
}

bool *parts_choose(struct parts *p)
{
    if (p == NULL || p->choice->by != CG2WG_GROUP_CALL)
        return NULL;
    p->are_known = true;
    return choose(p);
}

/* Describes the part at hand: all of it or, if they are asked for, the functions in it. */
static void describe(struct parts *p, struct function *row)
{
    const struct contents *part = p->contents;
    const struct profile *profile = &part->profile;
    const struct contexts *contexts = &part->contexts;
    size_t count = profile->function_count;
    bool are_samples = profile->has_part_of[PRODUCER_PERF];
    bool are_calls = !are_samples && (profile->has_part_of[PRODUCER_XDEBUG] || profile->has_part_of[PRODUCER_APROF] ||
                                      profile->arc_count > 0);
    if (p->choice->has_functions) { /* as a group, so that calls between them count once, but for their number */
        struct memory_scope scope;
        struct contents sums = *part;
        memory_scope_begin(&scope);
        sums.chosen = choose(p);
        groups_make(&sums, CG2WG_GROUP_RUN, true);
        for (size_t i = 0; i < sums.profile.function_count; i++) {
            const struct function *group = &sums.profile.functions[i];
            if (group->name == NAME_EMPTY)
                continue;
            cost_add(&row->self, group->self);
            cost_add(&row->inclusive, group->inclusive);
            cost_add(&row->call_cost, sums.allocated != NULL ? sums.allocated[i] : 0);
            count_add(&row->invocations, are_samples ? group->invocations : 0);
        }
        for (size_t i = 0; i < count && are_calls; i++)
            count_add(&row->invocations, sums.chosen[i] ? profile->functions[i].invocations : 0);
        memory_scope_free(&scope);
        return;
    }
    cost_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &profile->functions[i];
        cost_add(&row->self, f->self);
        count_add(&row->invocations, are_calls ? f->invocations : 0);
        if (f->self <= most)
            continue;
        most = f->self;
        row->file = f->name;
    }
    are_samples &= part->has_contexts;
    for (uint32_t i = are_samples ? contexts->first_root : NONE; i != NONE; i = contexts->items[i].next_sibling)
        count_add(&row->invocations, contexts->items[i].calls);
    row->inclusive = part->allocated != NULL ? part->allocated[count + 1] : row->self;
    row->call_cost = part->allocated != NULL ? part->allocated[count] : 0;
}

/* Adds what is below a root of the contexts, which is a thread. The self costs by function are 0 before and after. */
static void add_below(struct parts *p, uint32_t root, struct function *row, const bool *chosen, cost_t *selfs)
{
    const struct contexts *contexts = &p->contents->contexts;
    struct context *items = contexts->items;
    uint32_t end = items[root].next_sibling, top = NONE;
    cost_t most = 0;
    for (uint32_t i = root; i != end; i = contexts_next(contexts, i)) {
        struct context *c = &items[i];
        cost_t *self = &selfs[c->function];
        bool is_chosen = chosen != NULL && chosen[c->function];
        bool is_inside = i != root && items[c->parent].number == 1; /* another one of chosen functions */
        bool is_counted = is_chosen && (!is_inside || !p->contents->counts_once);
        c->number = is_inside || is_chosen;
        cost_add(&row->self, is_chosen ? c->self : 0);
        cost_add(&row->inclusive, is_counted ? c->inclusive : 0);
        count_add(&row->invocations, is_counted ? c->calls : 0);
        cost_add(self, MAX(c->self, 0));
        top = *self > most || (*self == most && c->function < top) ? c->function : top;
        most = MAX(most, *self);
    }
    for (uint32_t i = root; i != end; i = contexts_next(contexts, i))
        selfs[items[i].function] = 0;
    if (chosen != NULL)
        return;
    row->file = most > 0 ? p->contents->profile.functions[top].name : NAME_EMPTY;
    row->self = row->inclusive = items[root].inclusive;
    row->invocations = items[root].calls;
}

/* Makes the name of a call, such as `{main}:12 > App->run:3 > notify`. `...` replaces the start of what is long. */
static uint32_t path_of(struct parts *p, uint32_t context)
{
    enum { MOST_PATH = 1000, MOST_NAME = MOST_PATH / 2, MOST_CALL = 40, MOST_BYTES = 64 << 20 };
    struct profile *profile = &p->contents->profile;
    const struct contexts *contexts = &p->contents->contexts;
    struct context *items = contexts->items;
    char bytes[MOST_PATH + MOST_CALL], *end = bytes + sizeof bytes, *at = end;
    uint32_t *path = &items[context].number;
    for (uint32_t i = context; i != NONE && *path == NONE; i = items[i].parent) {
        struct text name = names_text(&profile->names, profile->functions[items[i].function].name);
        struct text end_of_name = end_of(name, MOST_NAME);
        size_t length = text_length(end_of_name);
        bool fits = at - bytes >= (ptrdiff_t)length + MOST_CALL;
        if (fits)
            memcpy(at -= length, end_of_name.at, length);
        if (!fits || end_of_name.at > name.at)
            memcpy(at -= strlen("..."), "...", strlen("..."));
        if (!fits || items[i].parent == NONE)
            break;
        char call[MOST_CALL] = " > ";
        uint32_t line = contexts_call_line(contexts, profile, &items[i]);
        if (line > 0)
            snprintf(call, sizeof call, ":%" PRIu32 " > ", line);
        at -= strlen(call);
        memcpy(at, call, strlen(call));
    }
    if (*path == NONE) {
        *path = names_intern(&profile->names, text_of(at, (size_t)(end - at)));
        p->choice->path_bytes += (size_t)(end - at);
        if (p->choice->path_bytes > MOST_BYTES)
            diag_error(diag_about(p->diag, CG2WG_MEMBER_TOP), 0,
                       "found paths of calls that take too much memory, expected at most %d bytes", (int)MOST_BYTES);
    }
    return *path;
}

COMPARISON(by_cost, struct single_call, ORDER(b->inclusive, a->inclusive))

static void leave(struct parts *p)
{
    struct contents *contents = p->contents;
    memory_free(contents->profile.functions);
    memory_free(contents->profile.arcs);
    index_free(&contents->profile.function_index);
    index_free(&contents->profile.arc_index);
    profile_empty(&contents->profile);
    contexts_free(&contents->contexts);
    memory_free(contents->allocated);
    contents->allocated = NULL;
}

/*
 * Makes a row of the run at hand, which has that number in its input; 0: there are no others. Or adds its calls to
 * rows: of equal ones, which have the same path, run and costs; or, without path and run, of those that cost about the
 * same and are not among the costliest. A row has the sums of its calls.
 */
static void add_run(struct parts *p, size_t number)
{
    enum { MOST_EXACT = 65536, MOST_DIGITS = 4095 };
    struct contents *part = p->contents;
    struct profile *profile = &part->profile;
    struct single_call *calls = part->contexts.calls.items;
    size_t count = part->contexts.calls.index.used, most = p->choice->top > 0 ? MIN(p->choice->top, count) : count;
    uint32_t run = parts_name_run(&profile->names, p->input, number);
    p->have_allocated |= part->allocated != NULL;
    for (size_t i = 0; i < COUNT_OF(p->allocated) && part->allocated != NULL; i++)
        cost_add(&p->allocated[i], part->allocated[profile->function_count + i]);
    if (p->choice->by == CG2WG_GROUP_RUN)
        describe(p, row_of(p, run));
    if (most < count)
        qsort(calls, count, sizeof *calls, by_cost);
    if (most < count && count > MOST_EXACT)
        diag_note(p->diag, 0,
                  "found %zu different calls; costs of those that are not shown are rounded by up to 0.05 %%", count);
    for (size_t i = 0; i < part->contexts.count && p->choice->by == CG2WG_GROUP_CALL; i++)
        part->contexts.items[i].number = NONE;
    for (size_t i = 0; i < count; i++) {
        bool is_row = i < most || calls[i].inclusive == calls[most - 1].inclusive;
        bool is_exact = is_row || count <= MOST_EXACT;
        cost_t cost = is_exact ? calls[i].inclusive : cost_rounded(calls[i].inclusive, MOST_DIGITS);
        char key[48];
        snprintf(key, sizeof key, "%" PRId64 " %" PRId64 " ", cost, is_row ? calls[i].self : 0);
        struct text parts[] = {text_of_string(key), names_text(&profile->names, profile->event)};
        uint32_t object = names_intern_parts(&profile->names, parts, COUNT_OF(parts));
        uint32_t path = is_row ? path_of(p, calls[i].context) : NAME_EMPTY;
        uint32_t added = profile_function(&p->rows, IDENTITY_OBJECT, object, is_row ? run : NAME_EMPTY, path);
        struct function *row = &p->rows.functions[added];
        cost_multiply(&calls[i].self, calls[i].count);
        cost_multiply(&cost, calls[i].count);
        cost_add(&row->self, calls[i].self);
        cost_add(&row->inclusive, cost);
        count_add(&row->invocations, calls[i].count);
    }
    leave(p);
}

void parts_take(struct parts *p)
{
    struct profile *part = &p->contents->profile;
    if (parts_are_runs(p)) {
        add_run(p, ++p->runs);
        return;
    }
    size_t number = (size_t)(row_of(p, name_of_thread(p, names_text(&part->names, p->name))) - p->rows.functions);
    struct profile added = *part;
    added.header_count = 0;
    array_reach(&p->threads, &p->thread_capacity, number + 1, sizeof *p->threads, 0);
    struct profile *thread = &p->threads[number];
    if (thread->function_count > 0) {
        uint32_t *renumbered = memory_zeroed(part->function_count + 1, sizeof *renumbered);
        thread->names = part->names;
        profile_merge(thread, &added, renumbered, NULL);
        memory_free(renumbered);
    } else {
        *thread = added;
        profile_empty(part);
    }
    leave(p);
}

void parts_multiply(struct parts *p, uint64_t factor, struct diag *diag)
{
    profile_multiply(&p->rows, factor, diag);
    for (size_t i = 0; i < COUNT_OF(p->allocated); i++)
        cost_multiply(&p->allocated[i], factor);
    for (size_t i = 0; i < p->rows.function_count && !parts_are_runs(p); i++)
        profile_multiply(&p->threads[i], factor, diag);
}

void parts_finish(struct parts *p)
{
    struct contents *contents = p->contents;
    struct profile *profile = &contents->profile, *rows = &p->rows;
    bool are_runs = parts_are_runs(p);
    size_t totals = 0; /* of runs that were merged into a file */
    for (size_t i = 0; i < profile->header_count && p->has_totals; i++)
        totals += profile->headers[i].kind == HEADER_SUMMARY && !profile->headers[i].goes_on;
    if (p->choice->by != CG2WG_GROUP_RUN && !p->are_known)
        diag_error(p->diag, 0,
                   are_runs ? "found sums or samples, which know no single calls; use a profile by Xdebug, or a "
                              "preprocessed file of version 4"
                            : "no part names its process or thread");
    if (are_runs && totals > 1) {
        for (struct header *h = profile->headers; h < profile->headers + profile->header_count; h++)
            if (h->kind == HEADER_SUMMARY) {
                p->runs += !h->goes_on;
                struct function *row = row_of(p, parts_name_run(&profile->names, p->input, p->runs));
                cost_add(&row->self, h->self_total = h->total);
                row->inclusive = row->self;
            }
    } else if (are_runs && !p->is_left_out) {
        add_run(p, p->runs == 0 ? 0 : p->runs + 1);
    } else if (!are_runs && profile->has_part_of[PRODUCER_PERF]) { /* threads are the outermost frames of stacks */
        const struct context *items = contents->contexts.items;
        bool *chosen = p->choice->has_functions ? choose(p) : NULL;
        cost_t *selfs = memory_zeroed(profile->function_count + 1, sizeof *selfs);
        for (uint32_t i = contents->contexts.first_root; i != NONE; i = items[i].next_sibling) {
            struct text name = names_text(&profile->names, profile->functions[items[i].function].name);
            add_below(p, i, row_of(p, name_of_thread(p, name)), chosen, selfs);
        }
    } else if (!are_runs) {
        if (!p->is_left_out)
            parts_take(p);
        struct profile whole = *profile;
        for (uint32_t i = 0; i < rows->function_count; i++) {
            p->threads[i].names = whole.names;
            *profile = p->threads[i];
            memory_free(
                profile_make_readable(profile, NULL)); /* as all names are known now, they are asked for at once */
            describe(p, &rows->functions[i]);
            whole.names = profile->names;
            leave(p);
        }
        *profile = whole;
    }
    leave(p);
    contents->has_contexts = false;
    contents->group = p->choice->by;
    profile->functions = rows->functions;
    profile->function_count = rows->function_count;
    profile->function_capacity = rows->function_capacity;
    profile->function_index = rows->function_index;
    if (!p->have_allocated)
        return;
    cost_t *allocated = contents->allocated = memory_zeroed(rows->function_count + 2, sizeof *allocated);
    for (size_t i = 0; i < rows->function_count; i++)
        allocated[i] = rows->functions[i].call_cost;
    memcpy(allocated + rows->function_count, p->allocated, sizeof p->allocated);
}
