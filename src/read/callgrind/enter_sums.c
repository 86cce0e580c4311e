/* Enters sums of records in the profile: here the keys of groups get their meaning. */
#include "read/callgrind/reader.h"

#include "util/array.h"

#include <stdlib.h>

/* What a key means. It is known when the first group with the key has been entered. */
struct key_meaning {
    uint64_t version; /* of the text's keys and of the aliases: another one is not valid */
    uint32_t number;  /* of a record the function, of a call the arc */
    bool is_own;
};

void summed_text_free(struct summed_text *text)
{
    sums_free(&text->sums);
    memory_free(text->meanings);
}

/* The name that a reference in a key means, or NONE: it is an undefined alias, or there is no memory. */
static uint32_t find_name(const struct callgrind_reader *r, enum name_space names, struct text reference)
{
    uint32_t name;
    uint64_t id;
    if (*reference.at != '(')
        return (name = names_intern(callgrind_names(r), reference), true) ? name : NONE;
    reference.at++;
    return text_take_number(&reference, &id, NULL) ? aliases_find(&r->aliases[names], id) : NONE;
}

/* Is a sum so far from 0 that an addition may reach the limit of 64 bits? Then the order of costs matters. */
static bool is_extreme(cost_t sum)
{
    return sum >= INT64_C(1) << 62 || sum <= -(INT64_C(1) << 62);
}

/* The function of that name, or NONE if it is not in the profile. */
static uint32_t find_function(const struct callgrind_reader *r, struct text reference)
{
    uint32_t name = find_name(r, FUNCTION_NAMES, reference);
    return name != NONE ? profile_find_function(r->builder->profile, IDENTITY_NAME, 0, 0, name) : NONE;
}

/* Finds the meaning of a key if it is in the profile. False: an alias in it is not defined. */
static bool find_meaning(const struct callgrind_reader *r, const struct sum_key *key, struct key_meaning *meaning)
{
    uint32_t function = find_function(r, key->function), caller;
    meaning->is_own = key->is_own;
    meaning->number = key->is_own ? function : NONE;
    if (!key->is_own && function != NONE && (caller = find_function(r, key->owner)) != NONE)
        meaning->number = profile_find_arc(r->builder->profile, caller, function, key->line);
    return find_name(r, FILE_NAMES, key->file) != NONE &&
           (function != NONE || find_name(r, FUNCTION_NAMES, key->function) != NONE);
}

static bool can_enter(const struct callgrind_reader *r, const struct sums *sums, uint32_t key,
                      struct key_meaning meaning, uint64_t version)
{
    const struct profile *profile = r->builder->profile;
    struct sum_key parts;
    if (meaning.version != version) {
        parts = sums_key(sums, key);
        if (!find_meaning(r, &parts, &meaning))
            return false;
    }
    return meaning.number == NONE || !is_extreme(meaning.is_own ? profile->functions[meaning.number].self
                                                                      : profile->arcs[meaning.number].cost);
}

/* Adds the function of a record, or the arc of calls, that no group with this key has added before. */
static bool add_meaning(struct callgrind_reader *r, const struct sum_key *key, struct key_meaning *meaning)
{
    struct builder *b = r->builder;
    uint32_t file = find_name(r, FILE_NAMES, key->file), name = find_name(r, FUNCTION_NAMES, key->function);
    uint32_t function;
    meaning->is_own = key->is_own;
    function = builder_function(b, r->object, file, name);
    meaning->number = function;
    if (key->is_own) {
        builder_note_record(b, function, file, key->line);
        return true;
    }
    return (meaning->number = profile_add_call(b->profile, find_function(r, key->owner), function, key->line, 0, 0), true) ||
           diag_no_memory(r->diag);
}

static void add_sum(struct builder *b, const struct key_meaning *meaning, const struct sum *sum)
{
    struct profile *profile = b->profile;
    cost_t cost = (cost_t)sum->cost;
    if (meaning->is_own) {
        struct function *function = &profile->functions[meaning->number];
        cost_add(&function->self, cost);
        count_add(&function->invocations, sum->count);
        cost_add(&b->run_self, cost);
    } else {
        struct arc *arc = &profile->arcs[meaning->number];
        b->callees_first &= (profile->functions[arc->callee].flags & FUNCTION_HAS_RECORD) != 0;
        count_add(&arc->count, sum->count);
        cost_add(&arc->cost, cost);
    }
}

bool callgrind_enter_span(struct callgrind_reader *r, struct summed_text *text, const struct sums_span *span,
                          bool *is_entered)
{
    const struct sums *sums = &text->sums;
    const struct sum *first = sums->sums + span->sum, *end = first + span->sum_count;
    /* Changes when keys or aliases get another meaning, because no part of it ever becomes less. */
    uint64_t version = sums->generation + r->aliases[FILE_NAMES].redefinitions +
                       r->aliases[FUNCTION_NAMES].redefinitions;
    *is_entered = false;
    array_reach(&text->meanings, &text->capacity, sums->key_count, sizeof *text->meanings, 0);
    if (is_extreme(r->builder->run_self))
        return true;
    for (const struct sum *sum = first; sum < end; sum++)
        if (!can_enter(r, sums, sum->key, text->meanings[sum->key], version))
            return true;
    for (const struct sum *sum = first; sum < end; sum++) {
        struct key_meaning *meaning = &text->meanings[sum->key];
        if (UNLIKELY(meaning->version != version)) {
            struct sum_key key = sums_key(sums, sum->key);
            if (!add_meaning(r, &key, meaning))
                return false;
            meaning->version = version;
        }
        add_sum(r->builder, meaning, sum);
    }
    *is_entered = true;
    return true;
}
