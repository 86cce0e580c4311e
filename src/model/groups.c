/* SPDX-License-Identifier: MIT */
#include "model/groups.h"

#include "model/recursion.h"

/* After a dot: does a compiler's suffix begin there, as in f.part.0? */
static bool is_suffix(struct text rest)
{
    static const char *const suffixes[] = {"part", "isra",       "constprop", "cold", "lto_priv",
                                           "llvm", "localalias", "clone",     NULL};
    struct text word = {rest.at, rest.at};
    while (word.end < rest.end && char_is_word(*word.end))
        word.end++;
    return text_matches_any(word, suffixes) || (!text_is_empty(word) && char_is_digit(*word.at));
}

/*
 * Separators between brackets do not count, and a dot only if the name has no others. A method is what follows `->` or
 * `#`, even if it has separators of its own, as a closure of PHP. The name ends at its arguments, at a caller or
 * recursion level ('), or after `operator`; it begins after a type, which a blank follows.
 */
static struct text class_in(struct text name)
{
    const char *start = name.at, *last = NULL, *dot = NULL;
    int depth = 0;
    for (const char *p = name.at; p < name.end; p++) {
        struct text rest = {p, name.end};
        bool begins = p == name.at || !char_is_word(p[-1]);
        if (!begins && char_is_word(*p)) /* most are such ones */
            continue;
        if (depth == 0 && begins && text_starts(rest, "operator") && (rest.end - p == 8 || !char_is_word(p[8])))
            break;
        if (depth > 0 && (*p == ')' || *p == ']' || *p == '}' || (*p == '>' && p[-1] != '-')))
            depth--;
        else if (*p == '(' || *p == '[' || *p == '{' || *p == '<')
            depth++;
        if (depth > 0)
            continue;
        if (*p == '\'' || (*p == ' ' && p > start && p[-1] == ')' && last != NULL))
            break;
        if (text_starts(rest, "->") || *p == '#') {
            last = p;
            break;
        }
        if (*p == ' ') {
            start = p + 1;
            last = dot = NULL;
        } else if (text_starts(rest, "::")) {
            last = p++;
        } else if (*p == '\\' && (last == NULL || *last == '\\')) {
            last = p;
        } else if (*p == '.' && p > start && p[-1] != '.') { /* X..ctor is .NET's constructor */
            if (is_suffix((struct text){p + 1, name.end}))
                break;
            dot = p;
        }
    }
    const char *end = last != NULL ? last : dot;
    bool is_path = start < name.end && *start == '/';
    return end != NULL && end > start && !is_path ? (struct text){start, end} : text_of("", 0);
}

/* Profilers of Python append the place of a function, a file or a module: `value /srv/shop.py:12`, `run app.cli:7`. */
struct text group_class(struct text name)
{
    struct text rest = name;
    if (text_is_empty(text_take_end(&rest, char_is_digit)) || text_is_empty(rest) || *--rest.end != ':')
        return class_in(name);
    const char *place = rest.end;
    bool is_module = true;
    for (; place > name.at && place[-1] != ' '; place--)
        is_module &= char_is_word(place[-1]) || place[-1] == '.';
    if (place == name.at)
        return class_in(name);
    struct text class = class_in((struct text){name.at, place - 1});
    return text_is_empty(class) && is_module ? (struct text){place, rest.end} : class;
}

struct text group_folder(struct text path)
{
    const char *end = path.end;
    while (end > path.at && end[-1] != '/' && end[-1] != '\\')
        end--;
    return (struct text){path.at, end > path.at + 1 ? end - 1 : end};
}

static uint32_t *add_groups(struct profile *grouped, struct contents *contents, enum cg2wg_group by)
{
    struct profile *profile = &contents->profile;
    const uint32_t *outlined = contents->outline != NULL ? contents->outline->groups[by] : NULL;
    uint32_t *groups = memory_zeroed(profile->function_count + 1, sizeof *groups);
    uint32_t *known = memory_zeroed(profile->names.count, sizeof *known); /* by name, as that may be long */
    for (size_t i = 0; i < profile->function_count; i++) {
        const struct function *f = &profile->functions[i];
        groups[i] = outlined != NULL ? outlined[i] : NONE;
        if (groups[i] < grouped->function_count)
            continue;
        uint32_t name = by == CG2WG_GROUP_CLASS ? f->name : by == CG2WG_GROUP_OBJECT ? function_object(f) : f->file;
        struct text text = names_text(&profile->names, name);
        if (contents->chosen == NULL && known[name] == NAME_EMPTY) {
            text = by == CG2WG_GROUP_CLASS ? group_class(text) : by == CG2WG_GROUP_FOLDER ? group_folder(text) : text;
            known[name] = names_intern(&profile->names, text_is_empty(text) ? text_of_string("[none]") : text);
        }
        name = contents->chosen != NULL ? contents->chosen[i] : known[name];
        groups[i] = profile_function(grouped, IDENTITY_NAME, NAME_EMPTY, NAME_EMPTY, name);
    }
    memory_free(known);
    return groups;
}

/* Adds the costs of calls, without those within a group, and, unless contexts have counted them, their numbers. */
static void add_group_arcs(struct profile *grouped, const struct profile *profile, const uint32_t *groups,
                           bool are_counted, uint64_t *invocations)
{
    uint64_t *called = memory_zeroed(profile->function_count + 1, sizeof *called);
    for (size_t i = 0; i < profile->arc_count; i++) {
        const struct cg2wg_arc *arc = &profile->arcs[i];
        uint64_t calls = are_counted ? 0 : arc->calls;
        count_add(&called[arc->callee], arc->calls);
        if (groups[arc->caller] == groups[arc->callee])
            continue;
        profile_add_call(grouped, groups[arc->caller], groups[arc->callee], 0, calls, arc->cost);
        count_add(&invocations[groups[arc->callee]], calls);
    }
    for (size_t i = 0; i < profile->function_count && !are_counted; i++)
        if (profile->functions[i].invocations > called[i])
            count_add(&invocations[groups[i]], profile->functions[i].invocations - called[i]);
    memory_free(called);
}

/*
 * Measured calls, which do not say what they called back, may add up to too much: a group costs no more than its
 * functions do together, and than all.
 */
static void limit_groups(struct profile *grouped, const struct profile *profile, const uint32_t *groups, cost_t total)
{
    cost_t most = MAX(total, profile_self_cost(grouped));
    cost_t *together = memory_zeroed(grouped->function_count + 1, sizeof *together);
    bool may_free = false;
    for (size_t i = 0; i < profile->function_count; i++) {
        cost_add(&together[groups[i]], profile->functions[i].inclusive);
        may_free |= profile->functions[i].self < 0;
    }
    for (size_t i = 0; i < grouped->function_count && !may_free; i++)
        grouped->functions[i].inclusive = MIN(grouped->functions[i].inclusive, MIN(most, together[i]));
    memory_free(together);
}

/* Makes the profile of groups, with names among those of the functions, and what they have allocated, or NULL. */
static uint32_t *make_groups(struct contents *contents, enum cg2wg_group by, bool only_sums, struct profile *grouped,
                             cost_t **allocated)
{
    struct profile *profile = &contents->profile;
    size_t count = profile->function_count;
    bool once = contents->counts_once;
    const cost_t *whole = contents->allocated; /* may be *allocated */
    *grouped = *profile;
    profile_empty(grouped);
    grouped->lines = NULL;
    uint32_t *groups = add_groups(grouped, contents, by);
    size_t group_count = grouped->function_count;
    grouped->names = profile->names;
    if (!only_sums)
        contexts_unite(&contents->contexts, groups);
    bool has_contexts = contents->has_contexts && !contents->has_estimate && (once || whole != NULL);
    bool is_counted = has_contexts && once, is_exact = is_counted && whole == NULL;
    if (has_contexts && only_sums)
        contexts_add_groups(&contents->contexts, groups, grouped);
    else if (has_contexts)
        contexts_make_arcs(&contents->contexts, grouped, true, true);
    *allocated = whole != NULL ? memory_zeroed(group_count + 2, sizeof **allocated) : NULL;
    if (whole != NULL)
        memcpy(*allocated + group_count, whole + count, 2 * sizeof **allocated);
    for (size_t i = 0; i < group_count && whole != NULL; i++)
        (*allocated)[i] = grouped->functions[i].inclusive;
    for (size_t i = 0; i < grouped->arc_count && !is_exact; i++) { /* what is kept of memory is in the calls only */
        grouped->arcs[i].cost = 0;
        grouped->arcs[i].calls = is_counted ? grouped->arcs[i].calls : 0;
    }
    uint64_t *invocations = memory_zeroed(group_count + 1, sizeof *invocations);
    for (size_t i = 0; i < group_count; i++) {
        invocations[i] = is_counted ? grouped->functions[i].invocations : 0;
        grouped->functions[i].self = 0;
        grouped->functions[i].flags |= FUNCTION_HAS_RECORD;
    }
    for (size_t i = 0; i < count; i++)
        cost_add(&grouped->functions[groups[i]].self, profile->functions[i].self);
    if (!is_exact) {
        grouped->records_are_invocations = false;
        add_group_arcs(grouped, profile, groups, is_counted, invocations);
        profile_complete(grouped);
        for (size_t i = 0; i < group_count; i++) /* a group that only calls itself is entered somehow */
            grouped->functions[i].invocations = MAX(invocations[i], 1);
        if (once)
            recursion_limit_cycles(grouped, NULL);
        if (once && whole == NULL)
            limit_groups(grouped, profile, groups, contents->facts.total);
    }
    memory_free(invocations);
    return groups;
}

uint32_t *groups_make(struct contents *contents, enum cg2wg_group by, bool only_sums)
{
    struct profile grouped;
    uint32_t *groups = make_groups(contents, by, only_sums, &grouped, &contents->allocated);
    contents->positive = 0;
    for (size_t i = 0; i < contents->profile.function_count; i++)
        cost_add(&contents->positive, MAX(contents->profile.functions[i].self, 0));
    contents->profile = grouped;
    contents->group = by;
    contents->stored.first = NULL;
    contents->stored.has_lines = false;
    return groups;
}

void groups_find(struct contents *contents)
{
    contents->groups = memory_zeroed(CG2WG_GROUP_FOLDER + 1, sizeof *contents->groups);
    for (enum cg2wg_group by = CG2WG_GROUP_FILE; by <= CG2WG_GROUP_FOLDER; by++) {
        struct profile grouped;
        struct grouping *grouping = &contents->groups[by];
        bool has_any = by != CG2WG_GROUP_OBJECT;
        for (size_t i = 0; i < contents->profile.function_count && !has_any; i++)
            has_any = contents->profile.functions[i].identity == IDENTITY_OBJECT;
        if (!has_any)
            continue;
        grouping->of = make_groups(contents, by, true, &grouped, &grouping->allocated);
        grouping->rows = grouped.functions;
        grouping->count = grouped.function_count;
        memory_free(grouped.arcs);
        index_free(&grouped.arc_index);
        index_free(&grouped.function_index);
    }
}
