#include "model/profile.h"

#include "util/array.h"

#include <stdlib.h>

bool profile_init(struct profile *profile)
{
    *profile = (struct profile){.identity = IDENTITY_OBJECT};
    if (names_init(&profile->names) && index_init(&profile->function_index) &&
        index_init(&profile->arc_index))
        return true;
    profile_free(profile);
    return false;
}

void profile_free(struct profile *profile)
{
    names_free(&profile->names);
    free(profile->functions);
    index_free(&profile->function_index);
    free(profile->arcs);
    index_free(&profile->arc_index);
    free(profile->headers);
    *profile = (struct profile){0};
}

/* The parts of a function's key; those that do not count are 0. */
struct function_key {
    uint32_t object, file, name;
};

static struct function_key function_key(enum identity identity, uint32_t object, uint32_t file,
                                        uint32_t name)
{
    return (struct function_key){.object = identity >= IDENTITY_OBJECT ? object : 0,
                                 .file = identity >= IDENTITY_FILE ? file : 0,
                                 .name = name};
}

static uint32_t hash_of_key(struct function_key key)
{
    uint64_t place = (uint64_t)key.object << 32 | key.file;
    return index_hash64(place * UINT64_C(0xff51afd7ed558ccd) + key.name);
}

static uint32_t hash_of_function(const void *owner, uint32_t number)
{
    const struct profile *profile = owner;
    const struct function *f = &profile->functions[number];
    return hash_of_key(function_key(profile->identity, f->object, f->file, f->name));
}

bool profile_function(struct profile *profile, uint32_t object, uint32_t file, uint32_t name,
                      uint32_t *number)
{
    struct function_key key = function_key(profile->identity, object, file, name);
    struct index *index = &profile->function_index;
    uint32_t hash = hash_of_key(key);
    uint32_t slot = index_start(index, hash);
    for (uint32_t found; (found = index->slots[slot]) != INDEX_NONE;
         slot = index_next(index, slot)) {
        const struct function *f = &profile->functions[found];
        struct function_key other = function_key(profile->identity, f->object, f->file, f->name);
        if (other.name == key.name && other.file == key.file && other.object == key.object) {
            *number = found;
            return true;
        }
    }
    if (!index_make_room(index, hash_of_function, profile) ||
        !array_reserve(&profile->functions, &profile->function_capacity,
                       profile->function_count + 1, sizeof *profile->functions))
        return false;
    *number = (uint32_t)profile->function_count;
    profile->functions[profile->function_count++] =
        (struct function){.object = object, .file = file, .name = name};
    index_add(index, hash, *number);
    return true;
}

static uint32_t hash_of_call(uint32_t caller, uint32_t callee, uint32_t line)
{
    uint64_t ends = (uint64_t)caller << 32 | callee;
    return index_hash64(ends * UINT64_C(0xff51afd7ed558ccd) + line);
}

static uint32_t hash_of_arc(const void *owner, uint32_t number)
{
    const struct profile *profile = owner;
    const struct arc *arc = &profile->arcs[number];
    return hash_of_call(arc->caller, arc->callee, arc->line);
}

static struct arc *find_or_append_arc(struct profile *profile, uint32_t caller, uint32_t callee,
                                      uint32_t line)
{
    struct index *index = &profile->arc_index;
    uint32_t hash = hash_of_call(caller, callee, line);
    uint32_t slot = index_start(index, hash);
    for (uint32_t found; (found = index->slots[slot]) != INDEX_NONE;
         slot = index_next(index, slot)) {
        struct arc *arc = &profile->arcs[found];
        if (arc->caller == caller && arc->callee == callee && arc->line == line)
            return arc;
    }
    if (!index_make_room(index, hash_of_arc, profile) ||
        !array_reserve(&profile->arcs, &profile->arc_capacity, profile->arc_count + 1,
                       sizeof *profile->arcs))
        return NULL;
    uint32_t number = (uint32_t)profile->arc_count;
    profile->arcs[profile->arc_count++] =
        (struct arc){.caller = caller, .callee = callee, .line = line};
    index_add(index, hash, number);
    return &profile->arcs[number];
}

bool profile_add_call(struct profile *profile, uint32_t caller, uint32_t callee, uint32_t line,
                      uint64_t count, cost_t cost)
{
    struct arc *arc = find_or_append_arc(profile, caller, callee, line);
    if (arc == NULL)
        return false;
    count_add(&arc->count, count);
    cost_add(&arc->cost, cost);
    count_add(&profile->functions[callee].calls, count);
    profile->functions[callee].flags |= FUNCTION_IS_CALLED;
    return true;
}

bool profile_add_header(struct profile *profile, struct text line)
{
    uint32_t text;
    if (!names_intern(&profile->names, line, &text) ||
        !array_reserve(&profile->headers, &profile->header_capacity, profile->header_count + 1,
                       sizeof *profile->headers))
        return false;
    profile->headers[profile->header_count++] = text;
    return true;
}

uint64_t profile_invocations(const struct profile *profile, const struct function *function)
{
    if (profile->records_are_invocations && (function->flags & FUNCTION_HAS_RECORD) != 0)
        return function->records;
    if ((function->flags & FUNCTION_IS_CALLED) != 0)
        return function->calls;
    return 1;
}

/* Turns the sizes of groups, kept one place behind, into bounds: start[i] to start[i + 1]. */
static void add_up(uint32_t *start, size_t count)
{
    for (size_t i = 0; i < count; i++)
        start[i + 1] += start[i];
}

static void group_arcs(struct arc_lists *lists, const struct profile *profile)
{
    size_t functions = profile->function_count;
    uint32_t *from = lists->called_from_start, *sub = lists->sub_calls_start;

    /*
     * Counting sort, stable: sizes are counted two places behind, so that after adding up
     * start[i + 1] is where group i begins, and after placing its arcs where it ends.
     */
    for (size_t i = 0; i < profile->arc_count; i++) {
        from[profile->arcs[i].callee + 2]++;
        sub[profile->arcs[i].caller + 2]++;
    }
    add_up(from, functions + 1);
    add_up(sub, functions + 1);
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        lists->called_from[from[arc->callee + 1]++] = (uint32_t)i;
        lists->sub_calls[sub[arc->caller + 1]++] = (uint32_t)i;
    }
}

static void sum_inclusive(struct arc_lists *lists, const struct profile *profile)
{
    for (size_t i = 0; i < profile->function_count; i++)
        lists->inclusive[i] = profile->functions[i].self;
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct arc *arc = &profile->arcs[i];
        cost_add(&lists->inclusive[arc->caller], arc->cost);
        if ((profile->functions[arc->callee].flags & FUNCTION_HAS_RECORD) == 0)
            cost_add(&lists->inclusive[arc->callee], arc->cost);
    }
}

bool arc_lists_init(struct arc_lists *lists, const struct profile *profile)
{
    size_t functions = profile->function_count, arcs = profile->arc_count;
    *lists = (struct arc_lists){.called_from = calloc(arcs + 1, sizeof(uint32_t)),
                                .sub_calls = calloc(arcs + 1, sizeof(uint32_t)),
                                .called_from_start = calloc(functions + 2, sizeof(uint32_t)),
                                .sub_calls_start = calloc(functions + 2, sizeof(uint32_t)),
                                .inclusive = calloc(functions + 1, sizeof(cost_t))};
    if (lists->called_from == NULL || lists->sub_calls == NULL ||
        lists->called_from_start == NULL || lists->sub_calls_start == NULL ||
        lists->inclusive == NULL) {
        arc_lists_free(lists);
        return false;
    }
    group_arcs(lists, profile);
    sum_inclusive(lists, profile);
    return true;
}

void arc_lists_free(struct arc_lists *lists)
{
    free(lists->called_from);
    free(lists->sub_calls);
    free(lists->called_from_start);
    free(lists->sub_calls_start);
    free(lists->inclusive);
    *lists = (struct arc_lists){0};
}
