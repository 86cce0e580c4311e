/* SPDX-License-Identifier: MIT */
/* Readable names of C++ and Rust functions. */
#include "read/filter.h"
#include "read/frontend.h"
#include "util/array.h"

#include <string.h>

/*
 * A readable name, which a line feed follows, without what only Rust's compiler needs to distinguish it:
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

/* The number of a name, among those that are known as long as the task. */
static uint32_t know(struct demangler *d, struct text name)
{
    struct memory_scope *scope = memory_scope_set(NULL);
    if (d->known.count == 0)
        names_init(&d->known);
    uint32_t number = names_intern(&d->known, name);
    array_reach(&d->readable, &d->capacity, d->known.count, sizeof *d->readable, 0);
    memory_scope_set(scope);
    return number;
}

/* Asks for names, one a line, which have these numbers. */
static void ask(struct demangler *d, struct text names, const uint32_t *numbers, size_t count)
{
    const struct program_kind kind = {.name = "c++filt",
                                      .need = "names are to be demangled, but the program",
                                      .is_optional = d->how == CG2WG_DEMANGLE_AUTO,
                                      .input = "names",
                                      .past = "stay as they are"};
    const struct filter filter = {&kind, d->limit, d->diag, -1};
    struct buffer shorter = {.bytes = NULL};
    size_t taken = 0, found = 0;
    bool is_stopped = true;
    __atomic_fetch_add(&d->limit->asked, text_length(names), __ATOMIC_RELAXED);
    for (struct text rest = names; taken < count && is_stopped; taken++) { /* skips a name that takes too much */
        struct text result = filter_answers(&filter, rest, &is_stopped);
        if (result.at == NULL)
            return;
        for (; taken < count && !text_is_empty(result); taken++, found++) {
            struct text line = text_take_to(&result, '\n'), mangled = text_take_to(&rest, '\n');
            if (text_is_empty(line))
                continue;
            uint32_t readable = know(d, without_hashes(line, text_starts(mangled, "_R"), &shorter));
            d->readable[numbers[taken]] = readable; /* which may have moved */
        }
        text_take_to(&rest, '\n');
    }
    bool is_error = found < count && d->diag->strict && d->how != CG2WG_DEMANGLE_AUTO;
    if (found < count)
        diag_report(d->diag, is_error ? CG2WG_ERROR : CG2WG_WARNING, d->diag->input, 0,
                    "found %zu readable names, expected "
                    "%zu: c++filt has failed, or was stopped because it took too much; the others stay as they are",
                    found, count);
    if (is_error)
        task_fail();
}

void demangle_names(struct demangler *d, struct names *names)
{
    size_t first = names->readable_count, count = names->count, asked = 0, capacity = 0;
    uint32_t *numbers = NULL;
    struct buffer mangled = {.bytes = NULL};
    array_reserve(&names->readable, &names->readable_capacity, count, sizeof *names->readable);
    for (size_t i = first; i < count; i++) {
        struct text text = names_text(names, (uint32_t)i);
        bool is_mangled = text_starts(text, "_Z") || text_starts(text, "_R");
        uint32_t number = is_mangled && text_length(text) <= FILTER_MOST_LINE ? know(d, text) : NAME_EMPTY;
        names->readable[i] = number;
        if (number == NAME_EMPTY || d->readable[number] != NAME_EMPTY)
            continue;
        d->readable[number] = number;
        buffer_add(&mangled, text);
        buffer_add_string(&mangled, "\n");
        array_append(&numbers, &asked, &capacity, &number, sizeof number);
    }
    if (asked > 0)
        ask(d, buffer_text(&mangled), numbers, asked);
    for (size_t i = first; i < count; i++) {
        uint32_t *name = &names->readable[i];
        *name = *name == NAME_EMPTY ? (uint32_t)i : names_intern(names, names_text(&d->known, d->readable[*name]));
    }
    array_reserve(&names->readable, &names->readable_capacity, names->count, sizeof *names->readable);
    for (; count < names->count; count++)
        names->readable[count] = (uint32_t)count;
    names->readable_count = count;
    memory_free(numbers);
    memory_free(mangled.bytes);
}
