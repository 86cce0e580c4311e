#include "frontends/callgrind/record_sums.h"

#include "util/array.h"

#include <stdlib.h>

#define NONE UINT32_MAX

bool record_sums_init(struct record_sums *f, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       struct costs_form form)
{
    *f = (struct record_sums){.builder = builder,
                               .file_aliases = file_aliases,
                               .function_aliases = function_aliases};
    return partial_sums_init(&f->partial, form);
}

void record_sums_free(struct record_sums *f)
{
    partial_sums_free(&f->partial);
    free(f->meanings);
    free(f->spans);
    *f = (struct record_sums){0};
}

static bool no_memory(struct record_sums *f)
{
    return diag_no_memory(f->builder->diag);
}

/* ---- what keys mean ---------------------------------------------------------------------- */

/* Takes no time by their number: an input may redefine aliases often. */
static void forget_meanings(struct record_sums *f)
{
    if (++f->age == 0)
        f->meaning_count = 0;
}

static struct key_meaning *meaning_of(struct record_sums *f, uint32_t key)
{
    struct key_meaning *meaning = &f->meanings[key];
    if (meaning->age != f->age)
        *meaning = (struct key_meaning){.number = NONE, .age = f->age};
    return meaning;
}

/* Aliases that mean something else now make everything unknown. */
static void check_redefinitions(struct record_sums *f)
{
    uint64_t redefinitions = f->file_aliases->redefinitions + f->function_aliases->redefinitions;
    if (redefinitions != f->redefinitions)
        forget_meanings(f);
    f->redefinitions = redefinitions;
}

static bool make_room_for_meanings(struct record_sums *f)
{
    if (!array_reserve(&f->meanings, &f->meaning_capacity, f->partial.key_count,
                       sizeof *f->meanings))
        return false;
    while (f->meaning_count < f->partial.key_count)
        f->meanings[f->meaning_count++] = (struct key_meaning){.number = NONE, .age = f->age};
    return true;
}

/* The function that an alias stands for, or NONE if it is not in the profile. */
static uint32_t find_function(const struct record_sums *f, uint32_t alias)
{
    uint32_t name = aliases_find(f->function_aliases, alias);
    return name != NONE ? profile_find_function(f->builder->profile, IDENTITY_NAME, 0, 0, name)
                        : NONE;
}

/* Is it defined, and no proxy? */
static bool is_ordinary(const struct record_sums *f, uint32_t alias)
{
    const struct profile *profile = f->builder->profile;
    uint32_t name = aliases_find(f->function_aliases, alias), number = find_function(f, alias);
    if (number != NONE)
        return (profile->functions[number].flags & FUNCTION_IS_PROXY) == 0;
    return name != NONE &&
           !proxy_names_match(f->builder->proxies.names, names_text(&profile->names, name));
}

/* Is it so far from 0 that what is added last may count, and not just the sum? */
static bool is_extreme(cost_t sum)
{
    return sum > RECORD_SUMS_EXTREME || sum < -RECORD_SUMS_EXTREME;
}

/* The number of the function or arc that a key means, or NONE if it is not in the profile. */
static uint32_t find_meaning(struct record_sums *f, uint32_t number)
{
    uint32_t meaning = meaning_of(f, number)->number;
    if (meaning != NONE)
        return meaning;
    struct sum_key key = partial_sums_key(&f->partial, number);
    if (key.is_record)
        return find_function(f, key.function);
    uint32_t caller = find_function(f, key.owner), callee = find_function(f, key.function);
    return caller != NONE && callee != NONE
               ? profile_find_arc(f->builder->profile, caller, callee, key.line)
               : NONE;
}

/* Does a key add to such a sum? Only weighed costs can be negative, and lead back from there. */
static bool adds_to_extreme(struct record_sums *f, uint32_t key)
{
    const struct profile *profile = f->builder->profile;
    if (!f->partial.form.are_weighed)
        return false;
    uint32_t number = find_meaning(f, key);
    bool is_record = f->meanings[key].number != NONE ? f->meanings[key].is_record
                                                      : partial_sums_key(&f->partial, key).is_record;
    return number != NONE &&
           is_extreme(is_record ? profile->functions[number].self : profile->arcs[number].cost);
}

/*
 * Looks whether all of a span can be entered. If it can't, what is in the way is excluded from now
 * on, and what was added up ahead is worth nothing any more.
 */
static bool check_span(struct record_sums *f, const struct sums_span *span)
{
    const struct partial_sum *sums = f->partial.sums + span->sum;
    for (size_t i = 0; i < span->sum_count; i++) {
        bool is_extreme_sum = adds_to_extreme(f, sums[i].key);
        if (meaning_of(f, sums[i].key)->number != NONE && !is_extreme_sum)
            continue;
        struct sum_key key = partial_sums_key(&f->partial, sums[i].key);
        if (!is_extreme_sum && is_ordinary(f, key.function) &&
            aliases_find(f->file_aliases, key.file) != NONE)
            continue;
        f->is_off = !partial_sums_exclude(&f->partial, key.function);
        f->span_next = f->span_count;
        forget_meanings(f);
        return false;
    }
    return true;
}

/* Enters the function of a record that has not been met by this key before. */
static bool enter_function(struct record_sums *f, uint32_t object, const struct sum_key *key,
                           uint32_t *number)
{
    uint32_t file = aliases_find(f->file_aliases, key->file);
    uint32_t name = aliases_find(f->function_aliases, key->function);
    if (!builder_function(f->builder, object, file, name, number))
        return false;
    builder_note_record(f->builder, *number, file, key->line);
    return true;
}

/* Enters the arc of calls that have not been met by this key before. */
static bool enter_arc(struct record_sums *f, uint32_t object, const struct sum_key *key,
                      uint32_t *arc)
{
    uint32_t callee;
    uint32_t file = aliases_find(f->file_aliases, key->file);
    uint32_t name = aliases_find(f->function_aliases, key->function);
    uint32_t caller = find_function(f, key->owner);
    return builder_function(f->builder, object, file, name, &callee) &&
           (profile_add_call(f->builder->profile, caller, callee, key->line, 0, 0, arc) ||
            no_memory(f));
}

static bool has_record(const struct record_sums *f, uint32_t arc)
{
    const struct profile *profile = f->builder->profile;
    return (profile->functions[profile->arcs[arc].callee].flags & FUNCTION_HAS_RECORD) != 0;
}

/* ---- spans ---------------------------------------------------------------------------- */

/* Adds what belongs to one key. */
static bool enter_sum(struct record_sums *f, uint32_t object, const struct partial_sum *sum,
                      struct records_taken *taken)
{
    struct profile *profile = f->builder->profile;
    struct sum_key key = partial_sums_key(&f->partial, sum->key);
    struct key_meaning *known = meaning_of(f, sum->key);
    uint32_t *meaning = &known->number;
    cost_t cost = (cost_t)sum->cost;
    known->is_record = key.is_record;
    if (key.is_record) {
        if (*meaning == NONE && !enter_function(f, object, &key, meaning))
            return false;
        struct function *function = &profile->functions[*meaning];
        cost_add(&function->self, cost);
        count_add(&function->invocations, sum->count);
        cost_add(&taken->self, cost);
        taken->records += sum->count;
        return true;
    }
    if (*meaning == NONE && !enter_arc(f, object, &key, meaning))
        return false;
    taken->callees_first &= has_record(f, *meaning);
    count_add(&profile->arcs[*meaning].count, sum->count);
    cost_add(&profile->arcs[*meaning].cost, cost);
    return true;
}

/* Enters all of a span, if that can be. */
static bool enter_span(struct record_sums *f, uint32_t object,
                          const struct sums_span *span, struct text *text,
                          struct records_taken *taken)
{
    if (!make_room_for_meanings(f))
        return no_memory(f);
    if (text_is_empty(span->text) || !check_span(f, span))
        return true;
    const struct partial_sum *sums = f->partial.sums + span->sum;
    for (size_t i = 0; i < span->sum_count; i++)
        if (!enter_sum(f, object, &sums[i], taken))
            return false;
    struct sum_key last = partial_sums_key(&f->partial, span->last_key);
    taken->lines = 4 * span->groups;
    taken->other_self = (cost_t)span->other_self;
    taken->last_line = last.line;
    text->at = span->text.end;
    return true;
}

/* What is at hand may be forgotten: nothing that was added up ahead is left. */
static void clear_sums(struct record_sums *f)
{
    f->span_next = f->span_count = 0;
    if (partial_sums_clear(&f->partial))
        forget_meanings(f);
}

bool record_sums_prepare(struct record_sums *f, struct text text)
{
    clear_sums(f);
    while (!f->is_off && text.at != NULL) {
        if (!array_reserve(&f->spans, &f->span_capacity, f->span_count + 1,
                           sizeof *f->spans))
            return false;
        struct sums_span *span = &f->spans[f->span_count];
        if (!partial_sums_records(&f->partial, text, span))
            return false;
        f->span_count += !text_is_empty(span->text);
        text.at = partial_sums_find_record((struct text){span->text.end, text.end});
    }
    return true;
}

/* The span that begins at `text`: one that was added up ahead, or one that is now. */
static bool find_span(struct record_sums *f, struct text text, struct sums_span *span)
{
    *span = (struct sums_span){.text = {text.at, text.at}};
    while (f->span_next < f->span_count) {
        const struct sums_span *next = &f->spans[f->span_next];
        if (next->text.at > text.at)
            return true; /* until then, it is known that there is none */
        f->span_next++;
        if (next->text.at == text.at) {
            *span = *next;
            return true;
        }
    }
    clear_sums(f);
    return partial_sums_records(&f->partial, text, span) || no_memory(f);
}

bool record_sums_take(struct record_sums *f, uint32_t object, struct text *text,
                       struct records_taken *taken)
{
    struct sums_span span;
    *taken = (struct records_taken){.callees_first = true};
    if (f->is_off)
        return true;
    check_redefinitions(f);
    return find_span(f, *text, &span) &&
           enter_span(f, object, &span, text, taken);
}
