#include "frontends/record_sums.h"

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
    return digest_init(&f->digest, form);
}

void record_sums_free(struct record_sums *f)
{
    digest_free(&f->digest);
    free(f->meanings);
    free(f->stretches);
    *f = (struct record_sums){0};
}

static bool no_memory(struct record_sums *f)
{
    return diag_no_memory(f->builder->diag);
}

/* ---- what heads mean ---------------------------------------------------------------------- */

/* Takes no time by their number: an input may redefine aliases often. */
static void forget_meanings(struct record_sums *f)
{
    if (++f->age == 0)
        f->meaning_count = 0;
}

static struct head_meaning *meaning_of(struct record_sums *f, uint32_t head)
{
    struct head_meaning *meaning = &f->meanings[head];
    if (meaning->age != f->age)
        *meaning = (struct head_meaning){.number = NONE, .age = f->age};
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
    if (!array_reserve(&f->meanings, &f->meaning_capacity, f->digest.head_count,
                       sizeof *f->meanings))
        return false;
    while (f->meaning_count < f->digest.head_count)
        f->meanings[f->meaning_count++] = (struct head_meaning){.number = NONE, .age = f->age};
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

/* The number of the function or arc that a head means, or NONE if it is not in the profile. */
static uint32_t find_meaning(struct record_sums *f, uint32_t number)
{
    uint32_t meaning = meaning_of(f, number)->number;
    if (meaning != NONE)
        return meaning;
    struct digest_head head = digest_head(&f->digest, number);
    if (head.is_record)
        return find_function(f, head.function);
    uint32_t caller = find_function(f, head.owner), callee = find_function(f, head.function);
    return caller != NONE && callee != NONE
               ? profile_find_arc(f->builder->profile, caller, callee, head.line)
               : NONE;
}

/* Does a head add to such a sum? Only weighed costs can be negative, and lead back from there. */
static bool adds_to_extreme(struct record_sums *f, uint32_t head)
{
    const struct profile *profile = f->builder->profile;
    if (!f->digest.form.are_weighed)
        return false;
    uint32_t number = find_meaning(f, head);
    bool is_record = f->meanings[head].number != NONE ? f->meanings[head].is_record
                                                      : digest_head(&f->digest, head).is_record;
    return number != NONE &&
           is_extreme(is_record ? profile->functions[number].self : profile->arcs[number].cost);
}

/*
 * Looks whether all of a stretch can be entered. If it can't, what is in the way is refused from now
 * on, and what was digested ahead is worth nothing any more.
 */
static bool check_stretch(struct record_sums *f, const struct digest_stretch *stretch)
{
    const struct digest_sum *sums = f->digest.sums + stretch->sum;
    for (size_t i = 0; i < stretch->sum_count; i++) {
        bool is_extreme_sum = adds_to_extreme(f, sums[i].head);
        if (meaning_of(f, sums[i].head)->number != NONE && !is_extreme_sum)
            continue;
        struct digest_head head = digest_head(&f->digest, sums[i].head);
        if (!is_extreme_sum && is_ordinary(f, head.function) &&
            aliases_find(f->file_aliases, head.file) != NONE)
            continue;
        f->is_off = !digest_refuse(&f->digest, head.function);
        f->stretch_next = f->stretch_count;
        forget_meanings(f);
        return false;
    }
    return true;
}

/* Enters the function of a record that has not been met by this head before. */
static bool enter_function(struct record_sums *f, uint32_t object, const struct digest_head *head,
                           uint32_t *number)
{
    uint32_t file = aliases_find(f->file_aliases, head->file);
    uint32_t name = aliases_find(f->function_aliases, head->function);
    if (!builder_function(f->builder, object, file, name, number))
        return false;
    builder_note_record(f->builder, *number, file, head->line);
    return true;
}

/* Enters the arc of calls that have not been met by this head before. */
static bool enter_arc(struct record_sums *f, uint32_t object, const struct digest_head *head,
                      uint32_t *arc)
{
    uint32_t callee;
    uint32_t file = aliases_find(f->file_aliases, head->file);
    uint32_t name = aliases_find(f->function_aliases, head->function);
    uint32_t caller = find_function(f, head->owner);
    return builder_function(f->builder, object, file, name, &callee) &&
           (profile_add_call(f->builder->profile, caller, callee, head->line, 0, 0, arc) ||
            no_memory(f));
}

static bool has_record(const struct record_sums *f, uint32_t arc)
{
    const struct profile *profile = f->builder->profile;
    return (profile->functions[profile->arcs[arc].callee].flags & FUNCTION_HAS_RECORD) != 0;
}

/* ---- stretches ---------------------------------------------------------------------------- */

/* Adds what belongs to one head. */
static bool enter_sum(struct record_sums *f, uint32_t object, const struct digest_sum *sum,
                      struct records_taken *taken)
{
    struct profile *profile = f->builder->profile;
    struct digest_head head = digest_head(&f->digest, sum->head);
    struct head_meaning *known = meaning_of(f, sum->head);
    uint32_t *meaning = &known->number;
    cost_t cost = (cost_t)sum->cost;
    known->is_record = head.is_record;
    if (head.is_record) {
        if (*meaning == NONE && !enter_function(f, object, &head, meaning))
            return false;
        struct function *function = &profile->functions[*meaning];
        cost_add(&function->self, cost);
        count_add(&function->invocations, sum->count);
        cost_add(&taken->self, cost);
        taken->records += sum->count;
        return true;
    }
    if (*meaning == NONE && !enter_arc(f, object, &head, meaning))
        return false;
    taken->callees_first &= has_record(f, *meaning);
    count_add(&profile->arcs[*meaning].count, sum->count);
    cost_add(&profile->arcs[*meaning].cost, cost);
    return true;
}

/* Enters all of a stretch, if that can be. */
static bool enter_stretch(struct record_sums *f, uint32_t object,
                          const struct digest_stretch *stretch, struct text *text,
                          struct records_taken *taken)
{
    if (!make_room_for_meanings(f))
        return no_memory(f);
    if (text_is_empty(stretch->text) || !check_stretch(f, stretch))
        return true;
    const struct digest_sum *sums = f->digest.sums + stretch->sum;
    for (size_t i = 0; i < stretch->sum_count; i++)
        if (!enter_sum(f, object, &sums[i], taken))
            return false;
    struct digest_head last = digest_head(&f->digest, stretch->last_head);
    taken->lines = 4 * stretch->groups;
    taken->other_self = (cost_t)stretch->other_self;
    taken->last_line = last.line;
    text->at = stretch->text.end;
    return true;
}

/* What is at hand may be forgotten: nothing that was digested ahead is left. */
static void clear_digest(struct record_sums *f)
{
    f->stretch_next = f->stretch_count = 0;
    if (digest_clear(&f->digest))
        forget_meanings(f);
}

bool record_sums_prepare(struct record_sums *f, struct text text)
{
    clear_digest(f);
    while (!f->is_off && text.at != NULL) {
        if (!array_reserve(&f->stretches, &f->stretch_capacity, f->stretch_count + 1,
                           sizeof *f->stretches))
            return false;
        struct digest_stretch *stretch = &f->stretches[f->stretch_count];
        if (!digest_records(&f->digest, text, stretch))
            return false;
        f->stretch_count += !text_is_empty(stretch->text);
        text.at = digest_find_record((struct text){stretch->text.end, text.end});
    }
    return true;
}

/* The stretch that begins at `text`: one that was digested ahead, or one that is now. */
static bool find_stretch(struct record_sums *f, struct text text, struct digest_stretch *stretch)
{
    *stretch = (struct digest_stretch){.text = {text.at, text.at}};
    while (f->stretch_next < f->stretch_count) {
        const struct digest_stretch *next = &f->stretches[f->stretch_next];
        if (next->text.at > text.at)
            return true; /* until then, it is known that there is none */
        f->stretch_next++;
        if (next->text.at == text.at) {
            *stretch = *next;
            return true;
        }
    }
    clear_digest(f);
    return digest_records(&f->digest, text, stretch) || no_memory(f);
}

bool record_sums_take(struct record_sums *f, uint32_t object, struct text *text,
                       struct records_taken *taken)
{
    struct digest_stretch stretch;
    *taken = (struct records_taken){.callees_first = true};
    if (f->is_off)
        return true;
    check_redefinitions(f);
    return find_stretch(f, *text, &stretch) &&
           enter_stretch(f, object, &stretch, text, taken);
}
