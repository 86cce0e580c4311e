/* SPDX-License-Identifier: MIT */
#include "model/profile.h"

static uint32_t hash_of_function(enum identity identity, uint32_t object, uint32_t file, uint32_t name)
{
    uint64_t place = identity == IDENTITY_NAME ? 0 : file;
    if (identity == IDENTITY_OBJECT)
        place |= (uint64_t)object << 32;
    return hash_numbers(place, name);
}

uint32_t profile_find_function(const struct profile *profile, enum identity identity, uint32_t object, uint32_t file,
                               uint32_t name)
{
    uint32_t hash = hash_of_function(identity, object, file, name);
    const struct index *index = &profile->function_index;
    uint32_t found, slot = hash;
    while ((found = index_next(index, hash, &slot)) != NONE) {
        const struct function *f = &profile->functions[found];
        bool is_there = identity == IDENTITY_NAME ||
                        (f->file == file && (identity == IDENTITY_FILE || f->object == object));
        if (f->name == name && f->identity == identity && is_there)
            break;
    }
    return found;
}

uint32_t profile_function(struct profile *profile, enum identity identity, uint32_t object, uint32_t file,
                          uint32_t name)
{
    uint32_t number = profile_find_function(profile, identity, object, file, name);
    if (number != NONE)
        return number;
    struct function function = {.object = object, .file = file, .name = name, .identity = (uint8_t)identity};
    profile_append_function(profile, &function);
    return profile->function_index.used - 1;
}

void profile_append_function(struct profile *profile, const struct function *f)
{
    enum identity identity = (enum identity)f->identity;
    uint32_t hash = hash_of_function(identity, f->object, f->file, f->name);
    if (profile_find_function(profile, identity, f->object, f->file, f->name) != NONE)
        hash = hash_numbers(profile->function_index.used, 0); /* not that of its name; so many of one take no time */
    index_append(&profile->function_index, hash, &profile->functions, &profile->function_capacity, f, sizeof *f);
    profile->function_count = profile->function_index.used;
}

cost_t profile_self_cost(const struct profile *profile)
{
    cost_t sum = 0;
    for (size_t i = 0; i < profile->function_count; i++)
        cost_add(&sum, profile->functions[i].self);
    return sum;
}

bool header_multiply(struct header *header, uint64_t factor)
{
    bool fits = cost_multiply(&header->total, factor);
    fits &= cost_multiply(&header->self_total, factor);
    return cost_multiply(&header->peak, factor) && fits;
}

void profile_multiply(struct profile *profile, uint64_t factor, struct diag *diag)
{
    bool fit = true;
    if (factor == 1)
        return;
    for (size_t i = 0; i < profile->function_count; i++) {
        fit &= cost_multiply(&profile->functions[i].self, factor);
        fit &= cost_multiply(&profile->functions[i].inclusive, factor);
        fit &= cost_multiply(&profile->functions[i].call_cost, factor);
    }
    for (size_t i = 0; i < profile->arc_count; i++)
        fit &= cost_multiply(&profile->arcs[i].cost, factor);
    for (size_t i = 0; i < profile->header_count; i++)
        fit &= header_multiply(&profile->headers[i], factor);
    if (!fit)
        diag_warning(diag, 0,
                     "costs do not fit 64 bits after conversion to a smaller unit; the largest "
                     "possible number is used");
}

void profile_empty(struct profile *profile)
{
    profile->functions = NULL;
    profile->arcs = NULL;
    profile->function_count = profile->function_capacity = profile->arc_count = profile->arc_capacity = 0;
    profile->function_index = profile->arc_index = (struct index){.used = 0};
}

bool profile_is_memory(const struct profile *profile, uint32_t event)
{
    return profile->has_part_of[PRODUCER_XDEBUG] && text_starts(names_text(&profile->names, event), "Memory");
}

bool profile_has_source(const struct profile *profile, const struct function *f)
{
    bool is_object = profile->has_part_of[PRODUCER_APROF] ||
                     (profile->has_part_of[PRODUCER_PERF] && f->file == f->object);
    return f->file != NAME_EMPTY && !is_object;
}

bool profile_has_cost(const struct profile *profile)
{
    cost_t bits = 0;
    for (size_t i = 0; i < profile->function_count; i++)
        bits |= profile->functions[i].self;
    for (size_t i = 0; i < profile->arc_count; i++)
        bits |= profile->arcs[i].cost;
    return bits != 0;
}

void profile_complete(struct profile *profile)
{
    /* These functions have as many invocations as records; others have as many as calls. */
    int counted = profile->records_are_invocations ? FUNCTION_HAS_RECORD : 0;
    for (size_t i = 0; i < profile->function_count; i++) {
        struct function *f = &profile->functions[i];
        if ((f->flags & counted) == 0)
            f->invocations = 0;
        f->inclusive = f->self;
        f->call_cost = 0;
    }
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        struct function *callee = &profile->functions[arc->callee];
        callee->flags |= FUNCTION_IS_CALLED;
        cost_add(&profile->functions[arc->caller].inclusive, arc->cost);
        cost_add(&callee->call_cost, arc->cost);
        if ((callee->flags & FUNCTION_HAS_RECORD) == 0)
            cost_add(&callee->inclusive, arc->cost);
        if ((callee->flags & counted) == 0)
            count_add(&callee->invocations, arc->calls);
    }
    for (size_t i = 0; i < profile->function_count; i++) {
        struct function *f = &profile->functions[i];
        if ((f->flags & (counted | FUNCTION_IS_CALLED)) == 0)
            f->invocations = 1;
    }
}

void arc_lists_init(struct arc_lists *lists, const struct profile *profile)
{
    const struct cg2wg_arc *arcs = profile->arcs;
    size_t count = profile->arc_count, functions = profile->function_count;
    lists->called_from = array_buckets(arcs, count, sizeof *arcs, offsetof(struct cg2wg_arc, callee), functions);
    lists->sub_calls = array_buckets(arcs, count, sizeof *arcs, offsetof(struct cg2wg_arc, caller), functions);
}

uint32_t profile_append_arc(struct profile *profile, uint32_t caller, uint32_t callee, uint32_t line)
{
    struct cg2wg_arc arc = {.caller = caller, .callee = callee, .line = line};
    index_append(&profile->arc_index, hash_numbers((uint64_t)caller << 32 | callee, line), &profile->arcs,
                 &profile->arc_capacity, &arc, sizeof arc);
    profile->arc_count = profile->arc_index.used;
    return profile->arc_index.used - 1;
}

struct text header_take_key(struct text *line)
{
    struct text key = text_take_to(line, ':');
    if (text_starts(*line, " "))
        line->at++;
    else
        *line = text_trim(*line);
    return key;
}

void profile_add_header(struct profile *profile, struct text key, struct text value, struct header header)
{
    struct text rest = value, name = text_take_word(&rest);
    bool is_creator = text_equals(key, "creator");
    if (!text_is_empty(name) && (is_creator || (text_equals(key, "version") && !profile->has_creator))) {
        bool is_perf = text_equals(name, "perf") || text_equals(name, "collapsed");
        /* Xdebug, up to version 2.7, did not write its name, but version 0.9.6 of the format. */
        bool is_xdebug = is_creator ? text_starts(name, "xdebug") || text_starts(name, "Xdebug")
                                    : text_equals(name, "0.9.6") && text_is_empty(text_trim(rest));
        profile->has_creator |= is_creator;
        profile->producer = is_xdebug                                  ? PRODUCER_XDEBUG
                            : is_creator && text_equals(name, "aprof") ? PRODUCER_APROF
                            : is_creator && is_perf                    ? PRODUCER_PERF
                                                                       : PRODUCER_OTHER;
        profile->has_part_of[profile->producer] |= is_creator || is_xdebug;
    }
    header.key = names_intern(&profile->names, key);
    header.value = names_intern(&profile->names, value);
    if (header.kind == HEADER_OTHER && text_equals(key, "cmd") && !text_is_empty(text_trim(value))) {
        header.kind = HEADER_CMD;
        header.profiles = 1;
    }
    array_append(&profile->headers, &profile->header_count, &profile->header_capacity, &header, sizeof header);
}
