#include "frontends/callgrind/prepared.h"

#include "frontends/callgrind/quick_numbers.h"
#include "util/array.h"

#include <stdlib.h>

void prepared_free(struct prepared *p)
{
    free(p->tokens.tokens);
    if (p->has_sums)
        record_sums_free(&p->sums);
    free(p->meanings);
    *p = (struct prepared){.age = 0};
}

/* ---- tokens and spans --------------------------------------------------------------------- */

/* Takes no time by their number: an input may redefine aliases often. */
static void forget_meanings(struct prepared *p)
{
    if (++p->age == 0)
        p->meaning_count = 0;
}

static bool has_form(const struct sums_form *a, const struct sums_form *b)
{
    return a->columns == b->columns && a->are_weighed == b->are_weighed && a->weights[0] == b->weights[0] &&
           a->weights[1] == b->weights[1] && a->are_listed == b->are_listed;
}

static bool make_room(struct prepared *p)
{
    if (p->tokens.tokens == NULL)
        p->tokens.tokens = malloc(p->room * sizeof *p->tokens.tokens);
    return p->tokens.tokens != NULL;
}

/* What was added up of other columns is of no use. */
static bool prepare_sums(struct prepared *p, struct sums_form form)
{
    if (p->has_sums && !has_form(&p->sums.form, &form)) {
        record_sums_free(&p->sums);
        p->has_sums = false;
    }
    if (!p->has_sums) {
        p->has_sums = record_sums_init(&p->sums, form);
        p->sums.has_names = p->has_names;
        forget_meanings(p);
    } else if (record_sums_clear(&p->sums)) {
        forget_meanings(p);
    }
    return p->has_sums;
}

enum {
    ENOUGH_ATTEMPTS = 32, /* to add up records; then it counts how long the sums were on average */
    FEW_ATTEMPTS = 4,     /* the same, after sums that were too short */
    MANY_ATTEMPTS = 1024, /* of which the older ones count half */
    WORTHWHILE = 768,     /* bytes: shorter sums cost more than they save */
    LONG_AFTER = 1 << 16  /* bytes; then there are a few more attempts */
};

/* Is it worthwhile to add up records? */
static bool do_sums_pay(struct prepared *p)
{
    if (p->attempts >= MANY_ATTEMPTS) {
        p->attempts /= 2;
        p->added /= 2;
    }
    size_t enough = p->were_short ? FEW_ATTEMPTS : ENOUGH_ATTEMPTS;
    if (p->attempts < enough || p->added >= p->attempts * WORTHWHILE)
        return true;
    if (p->not_added < LONG_AFTER)
        return false;
    p->were_short = true;
    p->attempts = p->added = p->not_added = 0;
    return true;
}

/* Makes tokens, and sums where records begin. False: no memory. */
static bool make_sums(struct prepared *p, const struct line_form *form, struct text text)
{
    struct tokens *all = &p->tokens;
    while (!text_is_empty(text) && all->count + 3 < all->capacity) {
        const char *start = text.at, *end = text.at;
        bool pay = !p->sums.is_outdated && do_sums_pay(p);
        if (pay && tokens_begin_record(text.at)) {
            if (!record_sums_add(&p->sums, text, &end))
                return false;
            p->attempts++;
            p->added += (size_t)(end - start);
        }
        if (end > start)
            all->tokens[all->count++] = (struct token){
                .kind = TOKEN_SUMS, .size = (uint32_t)(end - start), .u.id = p->sums.span_count - 1};
        text.at = end;
        struct tokens more = {.tokens = all->tokens + all->count, .capacity = all->capacity - all->count};
        text.at = tokens_make(&more, form, text, pay);
        p->not_added += pay ? 0 : (size_t)(text.at - start);
        all->count += more.count;
        if (more.count == 0)
            break;
    }
    return true;
}

bool prepared_make(struct prepared *p, const struct line_form *form, struct text text, size_t most,
                   bool are_summed)
{
    struct sums_form sums_form;
    p->tokens.count = 0;
    if (!make_room(p))
        return false;
    p->tokens.capacity = most;
    if (are_summed && record_sums_are_possible(form, &sums_form))
        return prepare_sums(p, sums_form) && make_sums(p, form, text);
    tokens_make(&p->tokens, form, text, false);
    return true;
}

/* ---- entering ----------------------------------------------------------------------------- */

/* What the functions below need to know. */
struct entering {
    struct prepared *p;
    struct builder *builder;
    struct profile *profile;
    const struct aliases *files, *functions;
    uint32_t object;
};

static struct key_meaning *meaning_of(struct prepared *p, uint32_t key)
{
    struct key_meaning *meaning = &p->meanings[key];
    if (meaning->age != p->age)
        *meaning = (struct key_meaning){.number = INDEX_NONE, .age = p->age};
    return meaning;
}

static bool make_room_for_meanings(struct prepared *p)
{
    if (!array_reserve(&p->meanings, &p->meaning_capacity, p->sums.key_count, sizeof *p->meanings))
        return false;
    while (p->meaning_count < p->sums.key_count)
        p->meanings[p->meaning_count++] = (struct key_meaning){.number = INDEX_NONE, .age = p->age};
    return true;
}

/* Aliases that mean something else now make everything unknown. */
static void check_redefinitions(struct entering *e)
{
    uint64_t redefinitions = e->files->redefinitions + e->functions->redefinitions;
    if (redefinitions != e->p->redefinitions)
        forget_meanings(e->p);
    e->p->redefinitions = redefinitions;
}

/* The name that a reference in a key means, or INDEX_NONE: it is an undefined alias, or there is no memory. */
static uint32_t find_name(const struct entering *e, const struct aliases *aliases, struct text reference)
{
    uint64_t id;
    uint32_t name;
    if (*reference.at == '(' && take_quick_number(reference.at + 1, &id) != NULL)
        return aliases_find(aliases, id);
    return names_intern(&e->profile->names, reference, &name) ? name : INDEX_NONE;
}

/* The function of this name, or INDEX_NONE if it is not in the profile. */
static uint32_t find_named(const struct entering *e, uint32_t name)
{
    return name != INDEX_NONE ? profile_find_function(e->profile, IDENTITY_NAME, 0, 0, name) : INDEX_NONE;
}

static uint32_t find_function(const struct entering *e, struct text reference)
{
    return find_named(e, find_name(e, e->functions, reference));
}

/* Is it defined, and no proxy? */
static bool is_ordinary(const struct entering *e, struct text reference)
{
    uint32_t name = find_name(e, e->functions, reference), number = find_named(e, name);
    if (number != INDEX_NONE)
        return (e->profile->functions[number].flags & FUNCTION_IS_PROXY) == 0;
    return name != INDEX_NONE &&
           !proxy_names_match(e->builder->proxies.names, names_text(&e->profile->names, name));
}

/* The number of the function or arc that a key means, or INDEX_NONE if it is not in the profile. */
static uint32_t find_meaning(const struct entering *e, struct sum_key key)
{
    uint32_t function = find_function(e, key.function);
    if (key.is_own)
        return function;
    uint32_t caller = find_function(e, key.owner);
    return caller != INDEX_NONE && function != INDEX_NONE
               ? profile_find_arc(e->profile, caller, function, key.line)
               : INDEX_NONE;
}

/* Is the sum that a key adds to so far from 0 that what is added last may count, and not just the sum? */
static bool adds_to_extreme(const struct entering *e, uint32_t number, bool is_own)
{
    if (number == INDEX_NONE)
        return false;
    return is_extreme(is_own ? e->profile->functions[number].self : e->profile->arcs[number].cost);
}

/* Can the groups of a key be entered? */
static bool can_enter(const struct entering *e, uint32_t number)
{
    const struct key_meaning *meaning = meaning_of(e->p, number);
    if (meaning->number != INDEX_NONE)
        return !adds_to_extreme(e, meaning->number, meaning->is_own);
    struct sum_key key = record_sums_key(&e->p->sums, number);
    return is_ordinary(e, key.function) && find_name(e, e->files, key.file) != INDEX_NONE &&
           !adds_to_extreme(e, find_meaning(e, key), key.is_own);
}

/* Enters the function of a record, or the arc of calls, that has not been met by this key before. */
static bool enter_key(const struct entering *e, uint32_t number, struct key_meaning *meaning)
{
    struct sum_key key = record_sums_key(&e->p->sums, number);
    uint32_t file = find_name(e, e->files, key.file), name = find_name(e, e->functions, key.function);
    uint32_t function;
    meaning->is_own = key.is_own;
    if (!builder_function(e->builder, e->object, file, name, &function))
        return false;
    if (meaning->is_own) {
        builder_note_record(e->builder, function, file, key.line);
        meaning->number = function;
        return true;
    }
    return profile_add_call(e->profile, find_function(e, key.owner), function, key.line, 0, 0,
                            &meaning->number) ||
           diag_no_memory(e->builder->diag);
}

/* Adds what belongs to one key. */
static bool enter_sum(const struct entering *e, const struct record_sum *sum, struct span_taken *taken)
{
    struct key_meaning *meaning = meaning_of(e->p, sum->key);
    cost_t cost = (cost_t)sum->cost;
    if (meaning->number == INDEX_NONE && !enter_key(e, sum->key, meaning))
        return false;
    if (meaning->is_own) {
        struct function *function = &e->profile->functions[meaning->number];
        cost_add(&function->self, cost);
        count_add(&function->invocations, sum->count);
        cost_add(&taken->self, cost);
        return true;
    }
    struct arc *arc = &e->profile->arcs[meaning->number];
    taken->callees_first &= (e->profile->functions[arc->callee].flags & FUNCTION_HAS_RECORD) != 0;
    count_add(&arc->count, sum->count);
    cost_add(&arc->cost, cost);
    return true;
}

/* Enters the records of a span one by one. Their sums have been entered, so that all meanings are known. */
static bool enter_each(const struct entering *e, const struct sums_span *span)
{
    const uint64_t *listed = e->p->sums.listed + span->group;
    uint32_t function = INDEX_NONE;
    cost_t self = 0;
    for (uint64_t i = 0; i < span->groups; i++) {
        const struct key_meaning *meaning = &e->p->meanings[listed_key(listed[i])];
        cost_t cost = listed_cost(listed[i]);
        if (!meaning->is_own) {
            if (!builder_note_call(e->builder, meaning->number, cost))
                return false;
            continue;
        }
        if (function != INDEX_NONE && !builder_note_end(e->builder, function, self))
            return false;
        function = meaning->number;
        self = cost;
    }
    return builder_note_end(e->builder, function, self);
}

bool prepared_take_span(struct prepared *p, const struct sums_span *span, struct builder *builder,
                        const struct aliases *files, const struct aliases *functions, uint32_t object,
                        struct span_taken *taken, bool *entered)
{
    struct entering e = {p, builder, builder->profile, files, functions, object};
    const struct record_sum *sums = p->sums.sums + span->sum;
    *taken = (struct span_taken){.callees_first = true};
    *entered = false;
    if (!make_room_for_meanings(p))
        return diag_no_memory(builder->diag);
    check_redefinitions(&e);
    for (size_t i = 0; i < span->sum_count; i++)
        if (UNLIKELY(!can_enter(&e, sums[i].key))) {
            record_sums_exclude(&p->sums, record_sums_key(&p->sums, sums[i].key).function);
            return true;
        }
    for (size_t i = 0; i < span->sum_count; i++)
        if (!enter_sum(&e, &sums[i], taken))
            return false;
    *entered = true;
    return !p->sums.form.are_listed || enter_each(&e, span);
}
