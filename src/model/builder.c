#include "model/builder.h"

#include "model/recursion.h"
#include "model/units.h"
#include "util/array.h"

void builder_init(struct builder *b, struct profile *profile, struct tree *tree,
                  struct proxy_names proxy_names, bool wants_outermost, struct diag *diag)
{
    *b = (struct builder){.profile = profile,
                          .tree = tree,
                          .diag = diag,
                          .wants_outermost = wants_outermost,
                          .proxies = {.profile = profile, .names = proxy_names},
                          .callees_first = true};
}

void builder_set_kind(struct builder *b, enum identity identity, bool records_are_invocations)
{
    b->identity = identity;
    b->profile->records_are_invocations = records_are_invocations;
    if (!records_are_invocations)
        b->tree = NULL;
    b->has_proxies = records_are_invocations && b->proxies.names.count > 0;
    b->needs_each = b->tree != NULL || b->has_proxies;
    if (!records_are_invocations)
        builder_has_no_contexts(b);
    else if (b->wants_outermost || b->contexts != NULL) {
        records_init(&b->records, b->profile);
        b->has_records = b->needs_each = true;
        b->proxies.records = &b->records;
    }
}

void builder_set_contexts(struct builder *b, enum identity identity)
{
    b->identity = identity;
    b->profile->records_are_invocations = false;
}

void builder_has_no_contexts(struct builder *b)
{
    b->contexts = NULL;
    if (b->needs_contexts)
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
    memory_free(b->proxies.waiting);
    memory_free(b->proxies.newest);
    memory_free(b->calls);
    memory_free(b->each);
    memory_free(b->last_of_name);
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
    if (is_known ? (functions[other].flags & FUNCTION_IS_PROXY) == 0 : !proxy_names_match(b->proxies.names, name))
        return;
    f->flags |= FUNCTION_IS_PROXY;
    if (!b->profile->records_are_invocations)
        diag_warning(b->diag, 0,
                     "proxy function " TEXT_FMT " is kept: a profile of sums does not say which of "
                     "its calls belongs to which caller",
                     TEXT_ARG(name));
}

uint32_t builder_other_function(struct builder *b, uint32_t object, uint32_t file, uint32_t name)
{
    size_t known = b->profile->function_count;
    uint32_t number = profile_function(b->profile, b->identity, object, file, name);
    array_reach(&b->last_of_name, &b->last_capacity, b->profile->names.count, sizeof *b->last_of_name, 0xff);
    if (b->profile->function_count > known && b->proxies.names.count > 0)
        note_proxy(b, number, b->last_of_name[name].function);
    b->last_of_name[name] = (struct last_function){number, object, file};
    return number;
}

/* ---- records ------------------------------------------------------------------------------ */

void builder_drop(struct builder *b)
{
    if (b->is_open) {
        b->record_count--;
        b->call_count = b->first_call;
    }
    b->is_open = b->has_self = false;
}

bool builder_knows_callees(const struct builder *b)
{
    for (size_t i = b->first_call; i < b->call_count; i++) {
        const struct collected_call *c = &b->calls[i];
        uint32_t callee = c->callee != NONE
                              ? c->callee
                              : profile_find_function(b->profile, b->identity, c->object, c->file, c->name);
        if (callee == NONE || (b->profile->functions[callee].flags & FUNCTION_HAS_RECORD) == 0)
            return false;
    }
    return b->callees_first;
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

/*
 * A record's function. The file becomes that of the function if this is its first record (if the name alone
 * distinguishes functions, one may occur as a callee before its file is known).
 */
HOT struct function *function_of(struct builder *b, const struct collected_record *record)
{
    struct function *f = &b->profile->functions[record->function];
    if (UNLIKELY((f->flags & FUNCTION_HAS_RECORD) == 0)) {
        f->flags |= FUNCTION_HAS_RECORD;
        f->file = record->file;
    }
    return f;
}

/* Finds the functions that are not known, in the order of their mention, because some may be new. */
static void find_functions(struct builder *b)
{
    size_t calls = 0;
    for (unsigned i = 0; i < b->record_count; i++) {
        struct collected_record *r = &b->collected[i];
        if (r->function == NONE)
            r->function = builder_function(b, r->object, r->file, r->name);
        function_of(b, r);
        for (; calls < b->call_count && b->calls[calls].record == i; calls++) {
            struct collected_call *call = &b->calls[calls];
            if (call->callee == NONE)
                call->callee = builder_function(b, call->object, call->file, call->name);
            builder_note_callee(b, call->callee);
        }
    }
    b->has_unknown = b->is_open;
}

/* Adds calls as they are. If there are so many arcs that their index is in no near cache, what is needed is fetched. */
HOT void add_calls(struct builder *b, size_t first, size_t count)
{
    enum { MANY_ARCS = 16 * 1024, CALLS_AHEAD = 8 };
    struct profile *profile = b->profile;
    bool are_far = profile->arc_count >= MANY_ARCS;
    for (size_t i = first; b->has_callee_without_record && i < first + count; i++)
        builder_note_callee(b, b->calls[i].callee);
    for (size_t i = first; i < first + count; i++) {
        const struct collected_call *c = &b->calls[i], *later = c + CALLS_AHEAD;
        if (are_far && i + CALLS_AHEAD < first + count)
            index_fetch(&profile->arc_index, profile_hash_arc(profile, b->collected[later->record].function,
                                                              later->callee, later->line));
        profile_add_call(profile, b->collected[c->record].function, c->callee, c->line, c->count, c->cost);
    }
}

/* Adds `count` calls, from `first` on, of a record where each is needed by itself. */
static void add_each_call(struct builder *b, const struct collected_record *record, size_t first, size_t count)
{
    uint32_t function = record->function;
    const struct function *functions = b->profile->functions;
    unsigned flags = functions[function].flags;
    for (size_t i = first; b->has_proxies && i < first + count; i++)
        flags |= functions[b->calls[i].callee].flags;
    bool has_proxy = b->has_proxies && (flags & FUNCTION_IS_PROXY) != 0;
    if (!has_proxy && b->tree == NULL && !b->has_records) {
        add_calls(b, first, count);
        return;
    }
    cost_t inclusive = 0;
    array_reserve(&b->each, &b->each_capacity, count, sizeof *b->each);
    for (size_t i = 0; i < count; i++) {
        const struct collected_call *c = &b->calls[first + i];
        b->each[i] = (struct call){function, c->callee, c->line, NONE, NONE, c->count, c->cost};
        if (b->has_callee_without_record)
            builder_note_callee(b, c->callee);
        if (b->tree != NULL)
            tree_call(b->tree, c->callee, c->line, c->cost);
    }
    if (has_proxy)
        count = proxies_take_calls(&b->proxies, function, b->each, count);
    for (size_t i = 0; i < count; i++) {
        struct call *call = &b->each[i];
        call->arc = profile_add_call(b->profile, function, call->callee, call->line, call->count, call->cost);
        cost_add(&inclusive, call->cost);
    }
    cost_add(&inclusive, record->self);
    for (size_t i = count; b->has_records && i-- > 0;)
        records_call(&b->records, &b->each[i]);
    if (b->has_records)
        records_append(&b->records, ENTRY_RECORD, function, inclusive);
    if (b->tree != NULL)
        tree_end(b->tree, b->profile, function, record->self);
}

HOT_LOOP void builder_enter(struct builder *b)
{
    size_t calls = b->call_count, of_open = b->is_open ? calls - b->first_call : 0;
    b->record_count -= b->is_open;
    b->call_count -= of_open;
    size_t call = 0;
    if (b->has_unknown)
        find_functions(b);
    for (unsigned i = 0; i < b->record_count; i++) {
        const struct collected_record *r = &b->collected[i];
        struct function *f = function_of(b, r);
        cost_add(&f->self, r->self);
        cost_add(&b->run_self, r->self);
        count_add(&f->invocations, 1);
        if (r->line_flags > (f->flags & (unsigned)(FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN))) {
            f->line = r->line;
            f->flags |= (uint8_t)r->line_flags;
        }
        size_t first = call;
        while (b->needs_each && call < b->call_count && b->calls[call].record == i)
            call++;
        if (b->needs_each)
            add_each_call(b, r, first, call - first);
    }
    if (!b->needs_each)
        add_calls(b, 0, b->call_count);
    /* An open record, which is after these, becomes the first one. */
    if (b->is_open)
        b->collected[0] = b->collected[b->record_count];
    b->record_count = b->is_open;
    b->first_call = b->call_count = 0;
    for (; b->call_count < of_open; b->call_count++) {
        b->calls[b->call_count] = b->calls[calls - of_open + b->call_count];
        b->calls[b->call_count].record = 0;
    }
}

void builder_new_run(struct builder *b)
{
    b->is_open = false;
    builder_enter(b);
    b->run_self = 0;
    b->callees_first = true;
    if (b->tree != NULL)
        b->tree->run++;
    proxies_release(&b->proxies);
    if (b->has_records)
        records_append(&b->records, ENTRY_RUN, 0, 0);
}

void builder_change_unit(struct builder *b, uint64_t factor)
{
    unit_multiply(b->profile, b->tree, factor, b->diag);
    if (factor != 1 && b->has_records)
        records_append(&b->records, ENTRY_UNIT, 0, (cost_t)factor);
}

void builder_finish(struct builder *b)
{
    builder_new_run(b);
    if (b->tree != NULL)
        tree_finish(b->tree);
    profile_complete(b->profile);
    if (b->contexts != NULL)
        contexts_from_records(b->contexts, &b->records, b->profile);
    if (!b->wants_outermost || (b->has_records && outermost_apply(&b->records, b->profile)))
        return;
    if (b->has_records)
        diag_warning(b->diag, 0,
                     "found interleaved records of deep recursions, expected them in the order of a "
                     "call stack; inclusive costs are upper bounds");
    recursion_limit_cycles(b->profile);
    if (b->profile->marks_levels)
        recursion_fold_levels(b->profile);
}
