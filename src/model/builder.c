#include "model/builder.h"

#include "model/outermost.h"
#include "model/recursion.h"
#include "model/units.h"
#include "util/array.h"

#include <stdlib.h>
#include <string.h>

static bool check_memory(struct builder *b, bool enough)
{
    return enough || diag_no_memory(b->diag);
}

void builder_init(struct builder *b, struct profile *profile, struct tree *tree,
                  struct proxy_names proxy_names, bool wants_outermost, struct diag *diag)
{
    *b = (struct builder){.profile = profile,
                          .tree = tree,
                          .diag = diag,
                          .wants_outermost = wants_outermost,
                          .proxies = {.profile = profile, .names = proxy_names},
                          .current = INDEX_NONE};
}

bool builder_set_kind(struct builder *b, enum identity identity, bool records_are_invocations)
{
    b->identity = identity;
    b->profile->records_are_invocations = records_are_invocations;
    if (!records_are_invocations)
        b->tree = NULL;
    b->has_proxies = records_are_invocations && b->proxies.names.count > 0;
    b->needs_each = b->tree != NULL || b->has_proxies;
    if (!records_are_invocations && !builder_has_no_contexts(b))
        return false;
    if (!records_are_invocations || (!b->wants_outermost && b->contexts == NULL))
        return true;
    if (!check_memory(b, records_init(&b->records, b->profile)))
        return false;
    b->has_records = b->needs_each = true;
    b->proxies.records = &b->records;
    return true;
}

void builder_set_contexts(struct builder *b, enum identity identity)
{
    b->identity = identity;
    b->profile->records_are_invocations = false;
}

bool builder_has_no_contexts(struct builder *b)
{
    b->contexts = NULL;
    return !b->needs_contexts ||
           diag_error(b->diag, 0, "found sums over all calls, which do not say what stacks the costs belong "
                      "to, expected invocations (by Xdebug, or in a preprocessed file of version 4), "
                      "samples (by perf) or calling contexts (by aprof)");
}

void builder_take_contexts(struct builder *b, struct contexts *contexts)
{
    if (b->contexts == NULL)
        return;
    *b->contexts = *contexts;
    *contexts = (struct contexts){0};
}

void builder_free(struct builder *b)
{
    proxies_free(&b->proxies);
    free(b->calls);
    free(b->arcs_before);
    free(b->last_of_name);
    if (b->has_records)
        records_free(&b->records);
}

/*
 * A new function: does it have a proxy's name? Names may be long and shared by many functions, so a
 * function of the same name, if `other` is one, answers this.
 */
static void note_proxy(struct builder *b, uint32_t number, uint32_t other)
{
    struct function *functions = b->profile->functions, *f = &functions[number];
    struct text name = names_text(&b->profile->names, f->name);
    bool is_known = other < number && functions[other].name == f->name;
    if (!(is_known ? (functions[other].flags & FUNCTION_IS_PROXY) != 0
                   : proxy_names_match(b->proxies.names, name)))
        return;
    f->flags |= FUNCTION_IS_PROXY;
    if (!b->profile->records_are_invocations)
        diag_warning(b->diag, 0,
                     "proxy function " TEXT_FMT " is kept: a profile of sums does not say which of "
                     "its calls belongs to which caller",
                     TEXT_ARG(name));
}

bool builder_other_function(struct builder *b, uint32_t object, uint32_t file, uint32_t name,
                            uint32_t *number)
{
    size_t known = b->profile->function_count;
    if (!check_memory(b, profile_function(b->profile, b->identity, object, file, name, number) &&
                             array_reach(&b->last_of_name, &b->last_capacity, b->profile->names.count,
                                         sizeof *b->last_of_name, 0xff)))
        return false;
    if (b->profile->function_count > known && b->proxies.names.count > 0)
        note_proxy(b, *number, b->last_of_name[name]);
    b->last_of_name[name] = *number;
    return true;
}

/* ---- the current record ------------------------------------------------------------------- */

enum {
    MANY_ARCS = 16 * 1024,    /* so many that their index is in no near cache */
    CALLS_AHEAD = 8,          /* so many before they are added */
    FEWEST_CALLS = 512,       /* there is room for */
    ENOUGH_CALLS = 32 * 1024, /* of a record, kept one by one in any case */
    ARCS_PER_CALL = 8         /* calls are kept one by one up to this share of the arcs */
};

/* The sums of an arc. A sum that has reached the limit of 64 bits cannot be restored by subtraction. */
struct arc_sums {
    uint64_t count;
    cost_t cost;
};

/* Does the record belong to a proxy, or call one? */
static bool concerns_proxy(const struct builder *b)
{
    const struct function *functions = b->profile->functions;
    unsigned flags = functions[b->current].flags;
    for (size_t i = 0; b->has_proxies && i < b->call_count; i++)
        flags |= functions[b->calls[i].callee].flags;
    return b->has_proxies && (flags & FUNCTION_IS_PROXY) != 0;
}

static void fetch_arc(const struct profile *profile, const struct call *call)
{
    index_fetch(&profile->arc_index, profile_hash_arc(profile, call->caller, call->callee, call->line));
}

/* Adds the first `count` calls. If each is needed by itself, these are all, of the current record. */
HOT_LOOP APART static bool add_calls(struct builder *b, size_t count)
{
    struct profile *profile = b->profile;
    struct records *records = b->has_records ? &b->records : NULL;
    uint32_t arc;
    for (size_t i = 0; b->tree != NULL && i < count; i++)
        if (!tree_call(b->tree, b->calls[i].callee, b->calls[i].line, b->calls[i].cost))
            return diag_no_memory(b->diag);
    b->call_count -= count; /* if there have been no calls, there may be no array */
    b->ended_calls = 0;
    if (b->has_proxies &&
        !check_memory(b, proxies_take_calls(&b->proxies, b->current, b->calls, &count)))
        return false;
    bool are_far = profile->arc_count >= MANY_ARCS;
    for (size_t i = 0; i < count; i++) {
        const struct call *call = &b->calls[i];
        if (are_far && i + CALLS_AHEAD < count)
            fetch_arc(profile, &b->calls[i + CALLS_AHEAD]);
        if (UNLIKELY(!profile_add_call(profile, call->caller, call->callee, call->line, call->count,
                                       call->cost, &arc)))
            return diag_no_memory(b->diag);
        if (records != NULL && UNLIKELY(!records_call(records, arc, call)))
            return check_memory(b, false);
    }
    if (b->call_count > 0)
        memmove(b->calls, b->calls + count, b->call_count * sizeof *b->calls);
    return true;
}

/* Keeps the sums of all arcs, because calls are entered that may have to be undone. */
static bool keep_arcs(struct builder *b)
{
    b->arcs = b->profile->arc_count;
    b->arcs_before = malloc((b->arcs + 1) * sizeof *b->arcs_before);
    if (b->arcs_before == NULL)
        return false;
    for (size_t i = 0; i < b->arcs; i++)
        b->arcs_before[i] = (struct arc_sums){b->profile->arcs[i].count, b->profile->arcs[i].cost};
    return true;
}

/*
 * Memory depends on the number of arcs, not of calls: if a record has very many calls, they are
 * entered before it ends. (All calls of proxies are kept.)
 */
bool builder_make_room(struct builder *b)
{
    if (b->ended_calls > 0)
        return add_calls(b, b->ended_calls);
    size_t arcs = b->arcs_before != NULL ? b->arcs : b->profile->arc_count;
    bool are_many = b->call_count >= ENOUGH_CALLS && b->call_count >= arcs / ARCS_PER_CALL;
    if (!are_many || concerns_proxy(b))
        return check_memory(b, array_reserve(&b->calls, &b->call_capacity,
                                             b->call_count < FEWEST_CALLS ? FEWEST_CALLS : b->call_count + 1,
                                             sizeof *b->calls));
    if (b->profile->records_are_invocations && b->arcs_before == NULL && !check_memory(b, keep_arcs(b)))
        return false;
    return add_calls(b, b->call_count);
}

bool builder_note_call(struct builder *b, uint32_t number, cost_t cost)
{
    const struct arc *arc = &b->profile->arcs[number];
    struct call call = {.callee = arc->callee, .cost = cost, .original = INDEX_NONE};
    if (b->has_records && !records_call(&b->records, number, &call))
        return check_memory(b, false);
    return b->tree == NULL || check_memory(b, tree_call(b->tree, arc->callee, arc->line, cost));
}

bool builder_note_end(struct builder *b, uint32_t function, cost_t self)
{
    if (b->has_records && !records_end_record(&b->records, function, self))
        return check_memory(b, false);
    return b->tree == NULL || check_memory(b, tree_end(b->tree, b->profile, function, self));
}

/* Ends the record where each is needed by itself. */
APART static bool end_each_record(struct builder *b)
{
    cost_t self = 0;
    builder_add_self(b, &self);
    return add_calls(b, b->call_count) && builder_note_end(b, b->current, self);
}

bool builder_end_rare_record(struct builder *b)
{
    if (b->needs_each && !end_each_record(b))
        return false;
    free(b->arcs_before);
    b->arcs_before = NULL;
    if (b->self_wraps != 0) {
        builder_add_self(b, &b->profile->functions[b->current].self);
        builder_add_self(b, &b->run_self);
        b->self = b->self_wraps = 0;
    }
    return true;
}

bool builder_end_calls(struct builder *b)
{
    return builder_end_record(b) && (b->call_count == 0 || add_calls(b, b->call_count));
}

bool builder_drop_record(struct builder *b)
{
    struct profile *profile = b->profile;
    for (size_t i = 0; b->arcs_before != NULL && i < b->arcs; i++) {
        profile->arcs[i].count = b->arcs_before[i].count;
        profile->arcs[i].cost = b->arcs_before[i].cost;
    }
    if (b->is_first) {
        struct function *f = &profile->functions[b->current];
        f->file = b->file_before;
        f->flags &= (uint8_t)~FUNCTION_HAS_RECORD;
    }
    profile_truncate(profile, b->functions, b->arcs_before != NULL ? b->arcs : profile->arc_count);
    b->current = INDEX_NONE;
    b->self = b->self_wraps = 0;
    b->call_count = b->ended_calls;
    if (b->tree != NULL)
        tree_drop(b->tree);
    return true;
}

bool builder_new_run(struct builder *b)
{
    if (!builder_end_calls(b))
        return false;
    b->run_self = 0;
    if (b->tree != NULL)
        tree_new_run(b->tree);
    return check_memory(b, proxies_release(&b->proxies)) &&
           (!b->has_records || check_memory(b, records_new_run(&b->records)));
}

bool builder_change_unit(struct builder *b, uint64_t factor)
{
    unit_multiply(b->profile, b->tree, factor, b->diag);
    return factor == 1 || !b->has_records ||
           check_memory(b, records_change_unit(&b->records, factor));
}

void builder_note_record(struct builder *b, uint32_t function, uint32_t file, uint32_t line)
{
    struct function *f = &b->profile->functions[function];
    if ((f->flags & FUNCTION_HAS_RECORD) == 0)
        f->file = file;
    if ((f->flags & FUNCTION_LINE_IS_OWN) == 0)
        f->line = line;
    f->flags |= FUNCTION_HAS_RECORD | FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN;
}

/* Removes what recursion counts twice from the numbers of a complete profile. */
static bool limit_recursion(struct builder *b)
{
    bool is_done = false;
    if (b->has_records && !check_memory(b, outermost_apply(&b->records, b->profile, &is_done)))
        return false;
    if (is_done)
        return true;
    if (b->has_records)
        diag_warning(b->diag, 0,
                     "found interleaved records of deep recursions, expected them in the order of a "
                     "call stack; inclusive costs are upper bounds");
    return check_memory(b, recursion_limit_cycles(b->profile)) &&
           (!b->profile->marks_levels || check_memory(b, recursion_fold_levels(b->profile)));
}

bool builder_finish(struct builder *b)
{
    if (!builder_new_run(b))
        return false;
    if (b->tree != NULL)
        tree_finish(b->tree);
    profile_complete(b->profile);
    if (b->contexts != NULL && !check_memory(b, contexts_from_records(b->contexts, &b->records, b->profile)))
        return false;
    return !b->wants_outermost || limit_recursion(b);
}
