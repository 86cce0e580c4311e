#include "read/arcs.h"

/* The calls of one function of version 4. */
static bool add_single_calls(const struct preprocessed *p, struct profile *profile, uint32_t number)
{
    struct preprocessed_function f = preprocessed_function(p, number);
    for (uint32_t i = 0; i < f.invocations; i++) {
        struct preprocessed_invocation v = preprocessed_invocation(p, f.invocations_at, i);
        for (uint32_t k = 0; k < v.sub_call_count; k++) {
            struct preprocessed_sub_call c = preprocessed_sub_call(p, v.sub_calls_at, k);
            if (!(profile_add_call(profile, number, c.function, c.line, 1, c.cost), true))
                return false;
        }
    }
    return true;
}

/* The calls into one function of a later version. */
static bool add_called_from(const struct preprocessed *p, struct profile *profile, uint32_t number)
{
    struct preprocessed_function f = preprocessed_function(p, number);
    for (uint32_t i = 0; i < f.called_from_count; i++) {
        struct preprocessed_call c = preprocessed_call(p, f.called_from_at, i);
        if (!(profile_add_call(profile, c.function, number, c.line, c.count, c.cost), true))
            return false;
    }
    return true;
}

bool preprocessed_add_arcs(const struct preprocessed *p, struct profile *profile)
{
    for (uint32_t i = 0; i < p->function_count; i++)
        if (p->version == 4 ? !add_single_calls(p, profile, i) : !add_called_from(p, profile, i))
            return false;
    return true;
}

static size_t count_contradictions(const struct preprocessed *p, const struct profile *profile)
{
    size_t listed = 0, wrong = 0;
    for (uint32_t i = 0; i < p->function_count; i++) {
        struct preprocessed_function f = preprocessed_function(p, i);
        for (uint32_t k = 0; k < f.sub_call_count; k++) {
            struct preprocessed_call c = preprocessed_call(p, f.sub_calls_at, k);
            uint32_t number = profile_find_arc(profile, i, c.function, c.line);
            wrong += number == UINT32_MAX || profile->arcs[number].count != c.count ||
                     profile->arcs[number].cost != c.cost;
        }
        listed += f.sub_call_count;
    }
    bool lacks_some = p->version >= 6 && listed < profile->arc_count;
    return wrong + (lacks_some ? profile->arc_count - listed : 0);
}

bool preprocessed_arcs_init(struct preprocessed_arcs *arcs, const struct preprocessed *p)
{
    struct profile *profile = &arcs->profile;
    profile_init(profile);
    if (!preprocessed_add_arcs(p, profile) ||
        !(arc_lists_init(&arcs->lists, profile->arcs, profile->arc_count, p->function_count), true)) {
        profile_free(profile);
        return false;
    }
    arcs->arcs = profile->arcs;
    arcs->count = profile->arc_count;
    arcs->contradictions = count_contradictions(p, profile);
    return true;
}

void preprocessed_arcs_free(struct preprocessed_arcs *arcs)
{
    arc_lists_free(&arcs->lists);
    profile_free(&arcs->profile);
}
