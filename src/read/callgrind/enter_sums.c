/* Enters sums of records in the profile: here the keys of groups get their meaning. */
#include "read/callgrind/reader.h"

/* What a key means. */
struct key_meaning {
    uint64_t version; /* of the text's keys and of the aliases: another one is not valid */
    uint32_t number;  /* of a record the function, of a call the arc; NONE: it is not in the profile yet */
    bool is_own;
    bool is_new; /* no sum with this key has been entered */
};

/* The name that a reference in a key means, or NONE: it is an undefined alias. */
static uint32_t find_name(const struct callgrind_reader *r, enum name_space names, struct text reference)
{
    uint64_t id;
    if (*reference.at != '(')
        return names_intern(r->events.names, reference);
    reference.at++;
    return text_take_number(&reference, &id, NULL) ? aliases_find(&r->aliases[names], id) : NONE;
}

/* The function of that name, or NONE if it is not in the profile. */
static uint32_t find_function(const struct callgrind_reader *r, struct text reference)
{
    return profile_find_function(r->builder->profile, IDENTITY_NAME, 0, 0, find_name(r, FUNCTION_NAMES, reference));
}

/* Adds the function of a record, or the arc of calls, if it is not in the profile. */
static void add_meaning(struct callgrind_reader *r, const struct sum_key *key, struct key_meaning *meaning)
{
    uint32_t file = find_name(r, FILE_NAMES, key->file), name = find_name(r, FUNCTION_NAMES, key->function);
    struct profile *profile = r->builder->profile;
    meaning->is_new = false;
    meaning->number = builder_function(r->builder, r->place.object, file, name);
    if (!key->is_own) {
        meaning->number = profile_add_call(profile, find_function(r, key->owner), meaning->number, key->line, 0, 0);
        return;
    }
    struct function *f = builder_note_record(r->builder, meaning->number, file);
    if ((f->flags & FUNCTION_LINE_IS_OWN) == 0)
        f->line = key->line;
    f->flags |= FUNCTION_HAS_LINE | FUNCTION_LINE_IS_OWN;
}

bool callgrind_enter_span(struct callgrind_reader *r, struct summed_text *text, const struct sums_span *span)
{
    const cost_t extreme = INT64_C(1) << 62; /* from here on sums may reach their limit: the order of costs matters */
    struct builder *b = r->builder;
    struct profile *profile = b->profile;
    const struct sums *sums = &text->sums;
    const struct sum *first = sums->sums + span->sum, *end = first + span->sum_count;
    /* Changes when keys or aliases get another meaning, because no part of it ever becomes less. */
    uint64_t version = sums->generation + r->aliases[FILE_NAMES].redefinitions +
                       r->aliases[FUNCTION_NAMES].redefinitions;
    array_reach(&text->meanings, &text->capacity, sums->key_count, sizeof *text->meanings, 0);
    for (const struct sum *sum = first; sum < end; sum++) {
        struct key_meaning *meaning = &text->meanings[sum->key];
        if (meaning->version != version) {
            struct sum_key key = sums_key(sums, sum->key);
            if (find_name(r, FILE_NAMES, key.file) == NONE || find_name(r, FUNCTION_NAMES, key.function) == NONE)
                return false;
            uint32_t number = find_function(r, key.function);
            if (!key.is_own)
                number = profile_find_arc(profile, find_function(r, key.owner), number, key.line);
            *meaning = (struct key_meaning){version, number, key.is_own, .is_new = true};
        }
        cost_t known = meaning->number == NONE ? 0
                       : meaning->is_own       ? profile->functions[meaning->number].self
                                               : profile->arcs[meaning->number].cost;
        if (MAX(known, b->run_self) >= extreme || MIN(known, b->run_self) <= -extreme)
            return false;
    }
    for (const struct sum *sum = first; sum < end; sum++) {
        struct key_meaning *meaning = &text->meanings[sum->key];
        if (UNLIKELY(meaning->is_new)) {
            struct sum_key key = sums_key(sums, sum->key);
            add_meaning(r, &key, meaning);
        }
        if (meaning->is_own) {
            struct function *function = &profile->functions[meaning->number];
            cost_add(&function->self, (cost_t)sum->cost);
            count_add(&function->invocations, sum->count);
            cost_add(&b->run_self, (cost_t)sum->cost);
        } else {
            struct cg2wg_arc *arc = &profile->arcs[meaning->number];
            builder_note_callee(b, arc->callee);
            count_add(&arc->calls, sum->count);
            cost_add(&arc->cost, (cost_t)sum->cost);
        }
    }
    return true;
}
