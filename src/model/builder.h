/*
 * Builds a profile from what a front end reads, record by record, in the order of the input.
 *
 *     builder_init, builder_settle
 *     ( builder_enter | builder_self | builder_function | builder_call | builder_new_run )...
 *     builder_finish
 *
 * or, for what does not come in records, builder_init, builder_settle_contexts, builder_function...
 *
 * Each function returns false if memory or a temporary file fails, which was reported; building is
 * over then.
 */
#ifndef CG2WG_MODEL_BUILDER_H
#define CG2WG_MODEL_BUILDER_H

#include "model/journal.h"
#include "model/profile.h"
#include "model/proxies.h"
#include "model/tree.h"
#include "util/diag.h"

struct builder {
    struct profile *profile;
    struct tree *tree; /* filled beside the arcs; NULL: not wanted, or records are sums */
    struct diag *diag;
    enum identity identity;
    bool wants_outermost; /* inclusive costs without what recursion counts twice */
    bool has_outermost;   /* `outermost` is being filled */
    struct outermost outermost;
    struct proxies proxies;
    struct journal journal; /* of the current record, where records are invocations */
    uint32_t *guesses; /* by name: the function of that name that was met last; or any number */
    size_t guess_count, guess_capacity;
    uint8_t *verdicts; /* by name, if there are proxies: enum verdict of builder.c */
    size_t verdict_count, verdict_capacity;
    uint32_t current; /* function of the record that is being built, or INDEX_NONE */
    uint32_t told;    /* function of the record that is being told of, or INDEX_NONE */
};

/*
 * Prepares to fill `profile` and `tree`, if that is not NULL and records turn out to be invocations.
 * All are borrowed. wants_outermost: inclusive costs are not to count what recursion counts twice.
 */
void builder_init(struct builder *builder, struct profile *profile, struct tree *tree,
                  struct proxy_names proxy_names, bool wants_outermost, struct diag *diag);

/* Settles what tells functions apart and what a record is; before the first function. */
bool builder_settle(struct builder *builder, enum identity identity, bool records_are_invocations);

/*
 * Settles instead for an input that is no row of records but a tree of calling contexts, or nothing
 * but sums of functions: the front end fills and completes the profile, and the tree if
 * builder->tree is not NULL, by itself. Of what follows it uses builder_function alone.
 */
void builder_settle_contexts(struct builder *builder, enum identity identity);

/* Sets *number to that of a function, which is mentioned here: see profile_function. */
bool builder_function(struct builder *builder, uint32_t object, uint32_t file, uint32_t name,
                      uint32_t *number);

/*
 * Begins a record of the function with this object, file and name, which is mentioned here; it ends
 * the record before. The file becomes that of the function if it is the function's first record
 * (told apart by name alone, a function may be met as a callee before its file is known).
 */
bool builder_enter(struct builder *builder, uint32_t object, uint32_t file, uint32_t name);

/*
 * Where records are invocations: forgets the current record, as if it had never begun. Nothing may
 * follow in its run.
 */
bool builder_drop_record(struct builder *builder);

/*
 * Adds self cost to the current record. The line of the first one that is in the function's own file
 * (or if there is none, of the first) is the function's line.
 */
bool builder_self(struct builder *builder, uint32_t line, bool in_own_file, cost_t cost);

/* Adds calls that the current record's function made from `line`, with their inclusive cost. */
bool builder_call(struct builder *builder, uint32_t callee, uint32_t line, uint64_t count,
                  cost_t cost);

/* Ends the current record, if there is one. */
bool builder_end_record(struct builder *builder);

/*
 * For a fast path that adds up records by itself, between others, and enters their sums in the profile.
 * builder_note_record: the function has a record in `file`, whose cost is at `line`, in that file.
 * builder_arc_calls: adds calls by an arc of the current record's function that concerns no proxy.
 */
void builder_note_record(struct builder *builder, uint32_t function, uint32_t file, uint32_t line);
bool builder_arc_calls(struct builder *builder, uint32_t arc, uint64_t count, cost_t cost);

/* Must the builder know of each record by itself? */
static inline bool builder_wants_records(const struct builder *builder)
{
    return builder->tree != NULL || builder->has_outermost;
}

/*
 * Where it must: tells of records, of which the sums have been entered already, and of their calls.
 * Calls alone are those of the current record. builder_tell_end: the last of these records is over.
 */
bool builder_tell(struct builder *builder, const struct told *told, size_t count);
bool builder_tell_end(struct builder *builder);

/* What follows is another run, thread or part: no call in it belongs to what has been read before. */
bool builder_new_run(struct builder *builder);

/* Between two runs: multiplies all costs so far, so that they have the unit of what follows. */
bool builder_change_unit(struct builder *builder, uint64_t factor);

/* Ends the last record and completes the profile. */
bool builder_finish(struct builder *builder);

/* Frees what the builder holds; the profile and the tree are their owner's. */
void builder_free(struct builder *builder);

#endif
