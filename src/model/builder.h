/*
 * Builds a profile from what a front end reads, record by record, in the order of the input.
 *
 *     builder_init, builder_set_kind
 *     ( builder_enter | builder_self | builder_function | builder_call | builder_new_run )...
 *     builder_finish
 *
 * or, for an input without records, builder_init, builder_set_contexts, builder_function...
 *
 * Each function returns false when memory runs out, which was reported; building has then ended.
 */
#ifndef CG2WG_MODEL_BUILDER_H
#define CG2WG_MODEL_BUILDER_H

#include "model/contexts.h"
#include "model/profile.h"
#include "model/proxies.h"
#include "model/tree.h"
#include "util/diag.h"
#include "util/hot.h"

struct builder {
    struct profile *profile;
    struct tree *tree; /* filled in addition to the arcs; NULL: not wanted, or records are sums */
    struct contexts *contexts; /* filled, too; NULL: not wanted, or they are unknown: sums */
    bool needs_contexts;       /* sums are rejected */
    struct diag *diag;
    enum identity identity;
    bool wants_outermost; /* inclusive costs without what recursion counts twice */
    bool has_records;     /* `records` is being filled */
    bool has_proxies;     /* they are to be stepped over */
    bool needs_each;      /* by the tree, the records or proxies: each record and call by itself */
    struct records records;
    struct proxies proxies;

    /* The current record. It is added when it ends, or later. */
    uint32_t current; /* its function, or INDEX_NONE */
    cost_t self, self_wraps; /* the sum of its self costs, self + 2^64 * self_wraps; 0 without a record */
    uint32_t line;
    unsigned line_flags; /* of enum function_flags: what `line` is */
    struct call *calls; /* also of records that have ended: they are added many at a time */
    size_t ended_calls; /* so many, before those of the current record */
    size_t call_count, call_capacity;

    /* What was before it, in case it is dropped */
    bool is_first;        /* the function had no record... */
    uint32_t file_before; /* ... and this file */
    size_t functions;             /* how many there were */
    size_t arcs;                  /* the same, and their sums... */
    struct arc_sums *arcs_before; /* ... if calls were added before the record ended; or NULL */

    cost_t run_self; /* the self costs of this run, but for `self` */

    uint32_t *last_of_name; /* by name: the last function of that name; or any number */
    size_t last_capacity;
};

/*
 * Prepares to fill `profile`, and `tree` if it is not NULL and records are invocations. All are
 * borrowed. wants_outermost: inclusive costs must not count what recursion counts twice. The caller
 * may then set builder->contexts and needs_contexts.
 */
void builder_init(struct builder *builder, struct profile *profile, struct tree *tree,
                  struct proxy_names proxy_names, bool wants_outermost, struct diag *diag);

/* Decides what distinguishes functions and what a record is. Call it before the first function. */
bool builder_set_kind(struct builder *builder, enum identity identity, bool records_are_invocations);

/*
 * The same for an input that has no records, but a tree of calling contexts or only sums of
 * functions: the front end itself fills and completes the profile, and the tree if builder->tree is
 * not NULL, and hands the contexts over to builder->contexts. Of the following functions, it uses only
 * builder_function.
 */
void builder_set_contexts(struct builder *builder, enum identity identity);

/* Notes that the input has no contexts. Returns false, after reporting it, if they are needed. */
bool builder_has_no_contexts(struct builder *builder);

/* Moves linked contexts of such an input to builder->contexts if they are wanted. */
void builder_take_contexts(struct builder *builder, struct contexts *contexts);

/* Like builder_function, for a function that was not the last of its name. */
bool builder_other_function(struct builder *builder, uint32_t object, uint32_t file, uint32_t name,
                            uint32_t *number);

/* Brings the last function of a name, which will soon be needed, closer to the processor. */
HOT void builder_fetch(const struct builder *b, uint32_t name)
{
    uint32_t last = name < b->last_capacity ? b->last_of_name[name] : INDEX_NONE;
    if (last < b->profile->function_count)
        __builtin_prefetch(&b->profile->functions[last]);
}

/* Sets *number to that of a function, which occurs here: see profile_function. */
HOT bool builder_function(struct builder *b, uint32_t object, uint32_t file, uint32_t name,
                          uint32_t *number)
{
    uint32_t last = name < b->last_capacity ? b->last_of_name[name] : INDEX_NONE;
    if (last >= b->profile->function_count ||
        !function_is_of(&b->profile->functions[last], b->identity, object, file))
        return builder_other_function(b, object, file, name, number);
    *number = last;
    return true;
}

/*
 * If records are invocations: drops the current record, as if it had never begun. Nothing may
 * follow in its run.
 */
bool builder_drop_record(struct builder *builder);

/*
 * Adds self cost to the current record. The first line in the function's own file (or if there is
 * none, the first line) becomes the function's line.
 */
HOT void builder_self(struct builder *b, uint32_t line, bool in_own_file, cost_t cost)
{
    unsigned flags = FUNCTION_HAS_LINE | (in_own_file ? FUNCTION_LINE_IS_OWN : 0);
    if (__builtin_add_overflow(b->self, cost, &b->self))
        b->self_wraps += cost < 0 ? -1 : 1;
    if (flags > b->line_flags) {
        b->line = line;
        b->line_flags = flags;
    }
}

/* Makes room for one more call of the current record. */
bool builder_make_room(struct builder *builder);

/* Adds calls that the current record's function made from `line`, with their inclusive cost. */
HOT bool builder_call(struct builder *b, uint32_t callee, uint32_t line, uint64_t count, cost_t cost)
{
    if (UNLIKELY(b->call_count == b->call_capacity) && !builder_make_room(b))
        return false;
    b->calls[b->call_count++] = (struct call){b->current, callee, line, INDEX_NONE, count, cost};
    return true;
}

/* What the end of a record means only in rare profiles. */
bool builder_end_rare_record(struct builder *builder);

/* Ends the current record, if there is one. Its calls may be added later. */
HOT bool builder_end_record(struct builder *b)
{
    if (b->current == INDEX_NONE)
        return true;
    b->ended_calls = b->call_count;
    if (UNLIKELY(b->needs_each || b->arcs_before != NULL || b->self_wraps != 0) &&
        !builder_end_rare_record(b))
        return false;
    struct function *f = &b->profile->functions[b->current];
    cost_add(&f->self, b->self);
    cost_add(&b->run_self, b->self);
    b->self = 0;
    count_add(&f->invocations, 1);
    if (b->line_flags > (f->flags & (unsigned)(FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN))) {
        f->line = b->line;
        f->flags |= (uint8_t)b->line_flags;
    }
    b->current = INDEX_NONE;
    return true;
}

/* The same, and adds all calls. */
bool builder_end_calls(struct builder *builder);

/*
 * Ends the record before and begins one of the function with this object, file and name, which
 * occurs here. The file becomes that of the function if this is its first record (if the name alone
 * distinguishes functions, one may occur as a callee before its file is known).
 */
HOT bool builder_enter(struct builder *b, uint32_t object, uint32_t file, uint32_t name)
{
    uint32_t function;
    if (!builder_end_record(b))
        return false;
    b->functions = b->profile->function_count;
    if (!builder_function(b, object, file, name, &function))
        return false;
    struct function *f = &b->profile->functions[function];
    b->is_first = (f->flags & FUNCTION_HAS_RECORD) == 0;
    if (UNLIKELY(b->is_first)) {
        b->file_before = f->file;
        f->flags |= FUNCTION_HAS_RECORD;
        f->file = file;
    }
    b->current = function;
    b->line_flags = 0;
    return true;
}

/*
 * For code that adds up records itself, between others, and enters their sums in the profile: the
 * function has a record in `file`, whose cost is at `line`, in that file.
 */
void builder_note_record(struct builder *builder, uint32_t function, uint32_t file, uint32_t line);

/*
 * The same, if builder->needs_each, for each of these records, none of which concerns a proxy: its calls, by
 * arcs, and then its end.
 */
bool builder_note_call(struct builder *builder, uint32_t arc, cost_t cost);
bool builder_note_end(struct builder *builder, uint32_t function, cost_t self);

/* Adds the self cost of the current record, which may leave 64 bits in between, to a sum. */
static inline void builder_add_self(const struct builder *b, cost_t *sum)
{
    cost_t wraps = b->self_wraps;
    if (__builtin_add_overflow(*sum, b->self, sum))
        wraps += b->self < 0 ? -1 : 1;
    if (wraps != 0)
        *sum = wraps < 0 ? INT64_MIN : INT64_MAX;
}

/* The sum of the self costs of this run so far. */
static inline cost_t builder_run_self(const struct builder *b)
{
    cost_t sum = b->run_self;
    builder_add_self(b, &sum);
    return sum;
}

/* Begins another run, thread or part: no call in it belongs to an earlier one. */
bool builder_new_run(struct builder *builder);

/* Before the first cost of a run: multiplies all costs so far, so that they have the unit of what follows. */
bool builder_change_unit(struct builder *builder, uint64_t factor);

/* Ends the last record and completes the profile. */
bool builder_finish(struct builder *builder);

/* Frees the builder's memory, but not the profile and the tree. */
void builder_free(struct builder *builder);

#endif
