#include "model/recursion.h"

static cost_t smaller(cost_t a, cost_t b)
{
    return a < b ? a : b;
}

/*
 * The inclusive cost has three upper bounds: the function itself and all its calls of others;
 * everything in the cycle and below it; the cost of all calls of it by others, if the calls into
 * the cycle account for all of the cycle (if not, nobody called some function of it). Its lower
 * bound is the function itself and its calls out of the cycle, which are not counted twice.
 */
void recursion_limit_cycles(struct profile *profile)
{
    struct known {
        cost_t leaving;  /* of a function: cost of its calls out of the cycle */
        cost_t within;   /* ... of its calls of other functions in the cycle */
        cost_t entering; /* ... of all calls of it by others */
    } *known = memory_zeroed(profile->function_count + 1, sizeof *known);
    struct cycle {
        cost_t total;    /* cost of its functions and everything that they call */
        cost_t entering; /* cost of calls into it from outside */
    } *cycles = memory_zeroed(profile->function_count + 1, sizeof *cycles);
    uint32_t count, *component = cycles_find(profile, NULL, &count);
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&cycles[component[i]].total, profile->functions[i].self);
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        bool is_within = component[arc->caller] == component[arc->callee];
        if (arc->caller == arc->callee)
            continue;
        cost_add(is_within ? &known[arc->caller].within : &known[arc->caller].leaving, arc->cost);
        cost_add(&known[arc->callee].entering, arc->cost);
        cost_add(&cycles[component[arc->caller]].total, is_within ? 0 : arc->cost);
        cost_add(&cycles[component[arc->callee]].entering, is_within ? 0 : arc->cost);
    }
    for (size_t i = 0; i < profile->function_count; i++) {
        struct function *f = &profile->functions[i];
        const struct cycle *cycle = &cycles[component[i]];
        if (component[i] >= count)
            continue;
        cost_t least = f->self;
        cost_add(&least, known[i].leaving);
        cost_t most = least;
        cost_add(&most, known[i].within);
        most = smaller(most, cycle->total);
        if (cycle->entering >= cycle->total)
            most = smaller(most, known[i].entering);
        f->inclusive = most > least ? most : least;
        f->call_cost = smaller(f->call_cost, f->inclusive);
    }
    /* A call costs at most as much as its callee, and as its caller. */
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct arc *arc = &profile->arcs[i];
        if (component[arc->caller] == component[arc->callee])
            arc->cost = smaller(arc->cost, smaller(profile->functions[arc->caller].inclusive,
                                                   profile->functions[arc->callee].inclusive));
    }
    memory_free(known);
    memory_free(cycles);
    memory_free(component);
}

/* ---- levels ------------------------------------------------------------------------------- */

/*
 * The name without the mark of a level: a quote and a number of at least 2, at the end or before another quote
 * (--separate-callers appends callers after quotes, too). NONE: it has none.
 */
static uint32_t find_first_name(struct names *names, uint32_t name)
{
    struct text text = names_text(names, name);
    for (const char *p = text.at; (p = memchr(p, '\'', (size_t)(text.end - p))) != NULL; p++) {
        struct text rest = {p + 1, text.end};
        uint64_t level;
        if (p > text.at && !text_starts(rest, "0") && text_take_number(&rest, &level, NULL) &&
            level >= 2 && (text_is_empty(rest) || *rest.at == '\''))
            return names_intern_parts(names, (struct text[]){{text.at, p}, rest}, 2);
    }
    return NONE;
}

/*
 * Makes deeper levels parts of their first, which have self costs and invocations only. An arc from a
 * deeper level to a deeper level may be a call inside another call of the same arc, because its caller
 * and callee are already running; so its cost is left out.
 */
void recursion_fold_levels(struct profile *profile)
{
    /* By function: its first level, if it is a deeper one; otherwise NONE. */
    uint32_t *first = memory_zeroed(profile->function_count + 1, sizeof *first);
    /* By name: the result of find_first_name. NAME_EMPTY: not yet known; no first name is empty. */
    uint32_t *first_names = memory_zeroed(profile->names.count, sizeof *first_names);
    bool any = false;
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        uint32_t *name = &first_names[f->name];
        if (*name == NAME_EMPTY)
            *name = find_first_name(&profile->names, f->name);
        first[i] = *name == NONE ? NONE : profile_find_function(profile, (enum identity)f->identity, f->object,
                                                                f->file, *name);
        any |= first[i] != NONE;
    }
    memory_free(first_names);
    for (size_t i = 0; i < profile->arc_count; i++) {
        struct arc *arc = &profile->arcs[i];
        if (first[arc->caller] != NONE && first[arc->callee] != NONE)
            arc->cost = 0;
    }
    for (uint32_t i = 0; i < profile->function_count; i++) {
        struct function *deeper = &profile->functions[i];
        if (first[i] == NONE)
            continue;
        while (first[first[i]] != NONE) /* A name may have two marks. Without one it is shorter, so this ends. */
            first[i] = first[first[i]];
        const struct function *f = &profile->functions[first[i]];
        *deeper = (struct function){.object = f->object,
                                    .file = f->file,
                                    .name = f->name,
                                    .identity = f->identity,
                                    .flags = deeper->flags & FUNCTION_HAS_RECORD,
                                    .self = deeper->self,
                                    .invocations = deeper->invocations};
    }
    if (any)
        profile_merge_same(profile, first);
    memory_free(first);
}
