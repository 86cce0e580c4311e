/* SPDX-License-Identifier: MIT */
/* Readable names of C++ and Rust functions. */
#include "read/filter.h"
#include "read/frontend.h"
#include "util/array.h"

#include <string.h>

enum { MOST_DEAR = sizeof((struct cg2wg_demangling *)NULL)->dear / sizeof(uint32_t) };

static uint32_t hash_of_name(struct text name)
{
    return hash_text(name) | 1; /* 0 is no name */
}

static bool is_dear(const struct cg2wg_demangling *limit, struct text name)
{
    uint32_t hash = __atomic_load_n(&limit->next, __ATOMIC_RELAXED) > 0 ? hash_of_name(name) : 0;
    bool is = false;
    for (size_t i = 0; i < MOST_DEAR && hash != 0 && !is; i++)
        is = __atomic_load_n(&limit->dear[i], __ATOMIC_RELAXED) == hash;
    return is;
}

/* Finds the readable form of each new name; NAME_EMPTY: it is not mangled. Those of other things do not matter. */
static void find_readable(struct names *names, enum cg2wg_demangle how, struct cg2wg_demangling *limit,
                          struct diag *diag)
{
    const struct program_kind kind = {.name = "c++filt",
                                      .need = "names are to be demangled, but the program",
                                      .is_optional = how == CG2WG_DEMANGLE_AUTO,
                                      .input = "names",
                                      .past = "stay as they are"};
    const struct filter filter = {&kind, limit, diag, -1};
    uint32_t *lines = NULL; /* names, in the order of what is handed to c++filt */
    size_t count = 0, capacity = 0, taken = 0, found = 0;
    struct buffer mangled = {.bytes = NULL};
    bool is_stopped = true;
    array_reach(&names->readable, &names->readable_capacity, names->count, sizeof *names->readable, 0);
    for (uint32_t name = (uint32_t)names->asked; name < names->count; name++) {
        struct text text = names_text(names, name);
        if ((!text_starts(text, "_Z") && !text_starts(text, "_R")) || text_length(text) > FILTER_MOST_LINE ||
            is_dear(limit, text))
            continue;
        names->readable[name] = name;
        buffer_add(&mangled, text);
        buffer_add_string(&mangled, "\n");
        array_append(&lines, &count, &capacity, &name, sizeof name);
    }
    names->asked = names->count;
    if (count == 0)
        return;
    __atomic_fetch_add(&limit->asked, mangled.length, __ATOMIC_RELAXED);
    for (struct text rest = buffer_text(&mangled); taken < count && is_stopped; taken++) { /* skips a dear name */
        is_stopped = false;
        struct text result = filter_answers(&filter, rest, &is_stopped);
        if (result.at == NULL)
            return;
        for (; taken < count && !text_is_empty(result); taken++, found++) {
            struct text line = text_take_to(&result, '\n');
            text_take_to(&rest, '\n');
            if (!text_is_empty(line))
                names->readable[lines[taken]] = names_intern(names, line);
        }
        text_take_to(&rest, '\n');
        if (taken == count || !is_stopped)
            continue;
        uint32_t next = __atomic_fetch_add(&limit->next, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&limit->dear[next % MOST_DEAR], hash_of_name(names_text(names, lines[taken])),
                         __ATOMIC_RELAXED);
    }
    bool is_error = found < count && diag->strict && how != CG2WG_DEMANGLE_AUTO;
    if (found < count)
        diag_report(diag, is_error ? CG2WG_ERROR : CG2WG_WARNING, diag->input, 0,
                    "found %zu readable names, expected "
                    "%zu: c++filt has failed, or was stopped because it took too much; the others stay as they are",
                    found, count);
    if (is_error)
        task_fail();
}

/*
 * A readable name, which a NUL follows, without what only Rust's compiler needs to distinguish it:
 * `::h0123456789abcdef` at its end and, in names that begin with _R, `[0123456789abcdef]` after that of a crate.
 */
static struct text without_hashes(struct text name, bool has_crates, struct buffer *shorter)
{
    static const char digits[] = "0123456789abcdef";
    enum { HASH = 16 };
    struct text start = name, end = {name.end - (text_length(name) > HASH + 3 ? HASH + 3 : 0), name.end};
    if (text_starts(end, "::h") && strspn(end.at + 3, digits) == HASH)
        start.end = name.end = end.at;
    shorter->length = 0;
    for (const char *p = name.at; has_crates && p + 1 < name.end; p++) {
        const char *last = p + 2 + strspn(p + 2, digits);
        if (p[1] != '[' || last >= name.end || *last != ']' || !(char_is_alpha(*p) || char_is_digit(*p) || *p == '_'))
            continue;
        buffer_add(shorter, (struct text){start.at, p + 1});
        start.at = last + 1;
        p = last;
    }
    if (start.at == name.at)
        return name;
    buffer_add(shorter, start);
    return buffer_text(shorter);
}

void demangle_functions(struct profile *profile, enum cg2wg_demangle how, struct cg2wg_demangling *limit,
                        struct diag *diag)
{
    size_t count = profile->function_count;
    struct names *names = &profile->names;
    if (how == CG2WG_DEMANGLE_NEVER || !names->has_mangled || profile->has_part_of[PRODUCER_XDEBUG])
        return;
    find_readable(names, how, limit, diag);
    const uint32_t *readable = names->readable;
    struct buffer shorter = {.bytes = NULL};
    uint32_t *before = memory_get(count * sizeof *before);
    bool *has_double = memory_zeroed(count, sizeof *has_double);
    for (size_t i = 0; i < count; i++) {
        uint32_t *name = &profile->functions[i].name;
        struct text mangled = names_text(names, *name);
        before[i] = *name;
        if (readable[*name] != NAME_EMPTY && readable[*name] != *name)
            *name = names_intern(
                names, without_hashes(names_text(names, readable[*name]), text_starts(mangled, "_R"), &shorter));
    }
    profile_index_renamed(profile, has_double);
    for (size_t i = 0; i < count; i++) {
        uint32_t *name = &profile->functions[i].name;
        struct text parts[] = {names_text(names, *name), text_of_string(" ["), names_text(names, before[i]),
                               text_of_string("]")};
        if (has_double[i] && *name != before[i])
            *name = *name == readable[before[i]] ? names_intern_parts(names, parts, 4) : readable[before[i]];
    }
    profile_index_renamed(profile, has_double);
}
