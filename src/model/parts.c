/* SPDX-License-Identifier: MIT */
#include "model/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The end of an input's name, where it may be repeated for each of many parts. */
static struct text end_of(struct text name)
{
    enum { MOST = 200 }; /* bytes */
    name.at = text_length(name) > MOST ? name.end - MOST : name.at;
    while (name.at < name.end && ((unsigned char)*name.at & 0xc0) == 0x80) /* within a character */
        name.at++;
    return name;
}

uint32_t parts_name_thread(struct names *names, struct text input, struct text name, bool are_several)
{
    struct text parts[] = {end_of(input), text_of_string(": "), text_is_empty(name) ? text_of_string("[none]") : name};
    size_t first = are_several ? 0 : 2;
    return names_intern_parts(names, parts + first, COUNT_OF(parts) - first);
}

uint32_t parts_name_run(struct names *names, struct text input, size_t number)
{
    char end[32];
    snprintf(end, sizeof end, ", run %zu", number);
    return names_intern_parts(names, (struct text[]){end_of(input), text_of_string(end)}, 2);
}

static uint32_t row_of(struct parts *p, uint32_t name)
{
    return profile_function(&p->rows, IDENTITY_NAME, NAME_EMPTY, NAME_EMPTY, name);
}

static uint32_t row_of_thread(struct parts *p, struct text name)
{
    return row_of(p, parts_name_thread(&p->contents->profile.names, p->input, name, p->are_several));
}

static uint32_t name_of_run(struct parts *p, bool is_only)
{
    struct names *names = &p->contents->profile.names;
    p->runs++;
    return is_only ? names_intern(names, p->input) : parts_name_run(names, p->input, p->runs);
}

bool *parts_choose(struct parts *p)
{
    if (p == NULL || p->by != CG2WG_GROUP_CALL)
        return NULL;
    p->are_known = true;
    return p->choose(p->of, &p->contents->profile);
}

static void describe(struct parts *p, uint32_t root, uint32_t number)
{
    p->make_readable(p->reading, &p->contents->profile);
    p->describe(p->of, p->contents, root, &p->rows.functions[number]);
}

static int by_cost(const void *left, const void *right)
{
    const struct kept_call *a = left, *b = right;
    return ORDER(b->inclusive, a->inclusive);
}

/*
 * Adds the calls of the part at hand to rows: of equal ones, which have the same path, run and costs; or, without path
 * and run, of those that cost about the same and are not among the costliest. A row has the sums of its calls.
 */
static void add_calls(struct parts *p, uint32_t run)
{
    enum { MOST_EXACT = 65536, MOST_DIGITS = 4095 };
    struct profile *profile = &p->contents->profile;
    struct contexts *contexts = &p->contents->contexts;
    struct kept_call *calls = contexts->calls.items;
    size_t count = contexts->calls.index.used, most = p->most > 0 ? MIN(p->most, count) : count;
    if (most < count)
        qsort(calls, count, sizeof *calls, by_cost);
    if (most < count && count > MOST_EXACT)
        diag_note(p->diag, 0,
                  "found %zu different calls; costs of those that are not shown are rounded by up to 0.05 %%", count);
    for (size_t i = 0; i < contexts->count; i++)
        contexts->items[i].number = NONE;
    for (size_t i = 0; i < count; i++) {
        bool is_row = i < most || calls[i].inclusive == calls[most - 1].inclusive;
        struct function path = {.name = NAME_EMPTY};
        bool is_exact = is_row || count <= MOST_EXACT;
        cost_t cost = is_exact ? calls[i].inclusive : cost_rounded(calls[i].inclusive, MOST_DIGITS);
        char key[48];
        snprintf(key, sizeof key, "%" PRId64 " %" PRId64 " ", cost, is_row ? calls[i].self : 0);
        struct text parts[] = {text_of_string(key), names_text(&profile->names, profile->event)};
        uint32_t object = names_intern_parts(&profile->names, parts, COUNT_OF(parts));
        if (is_row)
            p->describe(p->of, p->contents, calls[i].context, &path);
        uint32_t number = profile_function(&p->rows, IDENTITY_OBJECT, object, is_row ? run : NAME_EMPTY, path.name);
        struct function *row = &p->rows.functions[number];
        cost_multiply(&calls[i].self, calls[i].count);
        cost_multiply(&cost, calls[i].count);
        cost_add(&row->self, calls[i].self);
        cost_add(&row->inclusive, cost);
        count_add(&row->invocations, calls[i].count);
    }
}

/* The contents lose the part at hand. */
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

static void add_run(struct parts *p, bool is_only)
{
    p->have_allocated |= p->contents->allocated != NULL;
    for (size_t i = 0; i < COUNT_OF(p->allocated) && p->contents->allocated != NULL; i++)
        cost_add(&p->allocated[i], p->contents->allocated[p->contents->profile.function_count + i]);
    if (p->by == CG2WG_GROUP_CALL)
        add_calls(p, name_of_run(p, is_only));
    else
        describe(p, NONE, row_of(p, name_of_run(p, is_only)));
}

void parts_take(struct parts *p)
{
    struct profile *part = &p->contents->profile;
    if (parts_are_runs(p)) {
        add_run(p, false);
        leave(p);
        return;
    }
    uint32_t number = row_of_thread(p, names_text(&part->names, p->name));
    struct profile added = *part;
    added.header_count = 0;
    array_reach(&p->threads, &p->thread_capacity, (size_t)number + 1, sizeof *p->threads, 0);
    struct profile *thread = &p->threads[number];
    if (thread->function_count > 0) {
        uint32_t *renumbered = memory_zeroed(part->function_count + 1, sizeof *renumbered);
        thread->names = part->names;
        profile_merge(thread, &added, renumbered);
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
    for (size_t i = 0; i < p->rows.function_count && !parts_are_runs(p); i++)
        profile_multiply(&p->threads[i], factor, diag);
}

/* Makes rows of totals, which a file has of the runs that were merged into it. False: it has no more than one. */
static bool add_totals(struct parts *p)
{
    const struct profile *profile = &p->contents->profile;
    size_t count = 0;
    for (size_t i = 0; i < profile->header_count; i++)
        count += profile->headers[i].kind == HEADER_SUMMARY;
    for (size_t i = 0; i < profile->header_count && count > 1; i++)
        if (profile->headers[i].kind == HEADER_SUMMARY) {
            uint32_t number = row_of(p, name_of_run(p, false));
            struct function *row = &p->rows.functions[number];
            cost_add(&row->self, profile->headers[i].total);
            profile->headers[i].self_total = row->inclusive = row->self;
        }
    return count > 1;
}

void parts_finish(struct parts *p)
{
    struct contents *contents = p->contents;
    struct profile *profile = &contents->profile, *rows = &p->rows;
    bool are_runs = parts_are_runs(p);
    if (p->by != CG2WG_GROUP_RUN && !p->are_known)
        diag_error(p->diag, 0,
                   are_runs ? "found sums or samples, which know no single calls; use a profile by Xdebug, or a "
                              "preprocessed file of version 4"
                            : "no part names its process or thread");
    if (are_runs && !(p->has_totals && add_totals(p))) {
        if (!p->is_left_out)
            add_run(p, p->runs == 0);
    } else if (!are_runs && profile->has_part_of[PRODUCER_PERF]) { /* threads are the outermost frames of stacks */
        const struct context *items = contents->contexts.items;
        for (uint32_t i = contents->contexts.first_root; i != NONE; i = items[i].next_sibling)
            describe(p, i, row_of_thread(p, names_text(&profile->names, profile->functions[items[i].function].name)));
    } else if (!are_runs) {
        if (!p->is_left_out)
            parts_take(p);
        struct profile whole = *profile;
        for (uint32_t i = 0; i < rows->function_count; i++) {
            p->threads[i].names = whole.names;
            *profile = p->threads[i];
            describe(p, NONE, i);
            whole.names = profile->names;
            leave(p);
        }
        *profile = whole;
    }
    leave(p);
    contents->has_contexts = false;
    contents->group = p->by;
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
