#include "frontends/perf_symbols.h"

#include "symbols/demangle.h"
#include "symbols/files.h"
#include "util/array.h"
#include "util/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_NAMES = 400 }; /* bytes of a list in a message */

/* The work under way. */
struct search {
    struct perf_reader *reader;
    struct perf_symbol *symbols;
    struct symbol_files files;
    uint32_t *first; /* by object: a place of it that is used; INDEX_NONE: none is */
    uint32_t *next;  /* by place: another one */
    char lacking[SHOWN_NAMES]; /* objects without symbols */
    size_t lacking_count;
};

static struct names *names_of(const struct search *s)
{
    return &s->reader->builder->profile->names;
}

static bool no_memory(const struct search *s)
{
    return diag_no_memory(s->reader->diag);
}

/* ---- names -------------------------------------------------------------------------------- */

/* A row for all places of an object that have no symbol: its file name in brackets. */
static bool bracket(struct search *s, uint32_t object, uint32_t *name)
{
    struct text path = names_text(names_of(s), object), file = path;
    for (const char *p = path.at; p < path.end; p++)
        if (*p == '/' && p + 1 < path.end)
            file.at = p + 1;
    *name = object;
    if (!text_is_empty(path) && *path.at == '[')
        return true;
    size_t length = text_length(file);
    char *bracketed = malloc(length + 2);
    if (bracketed == NULL)
        return no_memory(s);
    bracketed[0] = '[';
    memcpy(bracketed + 1, file.at, length);
    bracketed[length + 1] = ']';
    bool done = perf_intern(s->reader, text_of(bracketed, length + 2), name);
    free(bracketed);
    return done;
}

/* Sets the symbol of a place, which has the name of its object if there is none. */
static bool set_symbol(struct search *s, uint32_t place, struct text name, uint32_t object,
                       uint32_t object_row)
{
    struct perf_symbol *symbol = &s->symbols[place];
    symbol->object = object;
    symbol->name = object_row;
    return text_is_empty(name) || perf_intern(s->reader, name, &symbol->name);
}

/* Takes note of an object without symbols. */
static void note_lacking(struct search *s, uint32_t object)
{
    size_t used = strlen(s->lacking);
    struct text name = names_text(names_of(s), object);
    if (s->lacking_count++ > 0 && used + 2 < sizeof s->lacking)
        used += (size_t)snprintf(s->lacking + used, sizeof s->lacking - used, ", ");
    if (used + text_length(name) < sizeof s->lacking)
        snprintf(s->lacking + used, sizeof s->lacking - used, TEXT_FMT, TEXT_ARG(name));
    else if (used + 4 < sizeof s->lacking)
        snprintf(s->lacking + used, sizeof s->lacking - used, "...");
}

/* ---- objects ------------------------------------------------------------------------------ */

static struct build_id build_id_of(const struct search *s, uint32_t name)
{
    struct text bytes = names_text(names_of(s), name);
    struct build_id id = {.length = text_length(bytes)};
    memcpy(id.bytes, bytes.at, id.length);
    return id;
}

/* All places of an object get one name. */
static bool name_all(struct search *s, uint32_t number, uint32_t name, uint32_t object)
{
    for (uint32_t i = s->first[number]; i != INDEX_NONE; i = s->next[i])
        s->symbols[i] = (struct perf_symbol){name, object};
    return true;
}

static bool name_file(struct search *s, uint32_t number)
{
    const struct perf_object *object = &s->reader->stacks.objects[number];
    struct text path = names_text(names_of(s), object->name);
    struct object_symbols symbols;
    uint32_t row, id = object->build_id;
    bool done = true, is_lacking = true;
    if (id == NAME_EMPTY)
        id = ids_find(&s->reader->build_ids, object->name);
    struct build_id build_id = build_id_of(s, id != IDS_NONE ? id : NAME_EMPTY);
    char *string = malloc(text_length(path) + 1);
    if (string == NULL)
        return no_memory(s);
    memcpy(string, path.at, text_length(path));
    string[text_length(path)] = '\0';
    enum elf_result result = object_symbols_open(&symbols, &s->files, string, &build_id);
    free(string);
    if (result == ELF_NO_MEMORY)
        return no_memory(s);
    if (!bracket(s, object->name, &row)) {
        if (result == ELF_OK)
            object_symbols_close(&symbols);
        return false;
    }
    for (uint32_t i = s->first[number]; done && i != INDEX_NONE; i = s->next[i]) {
        struct text name = text_of("", 0);
        if (result == ELF_OK)
            name = object_symbols_find(&symbols, s->reader->stacks.places[i].offset);
        is_lacking &= text_is_empty(name);
        done = set_symbol(s, i, name, object->name, row);
    }
    if (result == ELF_OK)
        object_symbols_close(&symbols);
    if (is_lacking && !text_is_empty(path) && *path.at == '/')
        note_lacking(s, object->name);
    return done;
}

static bool name_jit(struct search *s, uint32_t number)
{
    const struct perf_object *object = &s->reader->stacks.objects[number];
    struct table_symbols table;
    enum elf_result result = jit_symbols_open(&table, &s->files, object->pid);
    if (result == ELF_NO_MEMORY)
        return no_memory(s);
    if (result != ELF_OK) {
        char path[40];
        uint32_t name;
        snprintf(path, sizeof path, "/tmp/perf-%u.map", (unsigned)object->pid);
        if (!perf_intern(s->reader, text_of_string(path), &name))
            return false;
        note_lacking(s, name);
        return name_all(s, number, object->name, object->name);
    }
    bool done = true;
    for (uint32_t i = s->first[number]; done && i != INDEX_NONE; i = s->next[i])
        done = set_symbol(s, i, jit_symbols_find(&table, s->reader->stacks.places[i].offset),
                          object->name, object->name);
    table_symbols_close(&table);
    return done;
}

static bool name_kernel_places(struct search *s, uint32_t number, uint32_t kernel,
                               const struct table_symbols *table)
{
    for (uint32_t i = s->first[number]; i != INDEX_NONE; i = s->next[i]) {
        struct text module, name = kernel_symbols_find(table, s->reader->stacks.places[i].offset,
                                                       &module);
        uint32_t object = kernel;
        if (!text_is_empty(module) && !perf_intern(s->reader, module, &object))
            return false;
        if (!set_symbol(s, i, name, object, kernel))
            return false;
    }
    return true;
}

/* The name of the symbol by which the kernel's place is known, in malloc'ed memory. */
static char *copy_anchor(const struct search *s)
{
    struct text anchor = names_text(names_of(s), s->reader->kernel.anchor);
    char *copy = malloc(text_length(anchor) + 1);
    if (copy != NULL) {
        memcpy(copy, anchor.at, text_length(anchor));
        copy[text_length(anchor)] = '\0';
    }
    return copy;
}

static bool name_kernel(struct search *s, uint32_t number)
{
    const struct perf_reader *r = s->reader;
    const char *path = r->options->samples.kernel_table;
    struct table_symbols table;
    uint32_t kernel;
    if (!perf_intern(s->reader, text_of_string("[kernel.kallsyms]"), &kernel))
        return false;
    char *anchor = copy_anchor(s);
    if (anchor == NULL)
        return no_memory(s);
    struct kernel_identity identity = {.build_id = build_id_of(s, r->kernel.build_id),
                                       .anchor = *anchor != '\0' ? anchor : NULL,
                                       .anchor_address = r->kernel.anchor_address};
    enum elf_result result = kernel_symbols_open(&table, &s->files, path, &identity);
    free(anchor);
    if (result == ELF_NO_MEMORY)
        return no_memory(s);
    if (result != ELF_OK && path != NULL)
        return diag_error_in(r->diag, path, "found no symbols of a kernel, expected a file of lines "
                             "\"ADDRESS TYPE NAME\" as /proc/kallsyms has them");
    if (result != ELF_OK) {
        note_lacking(s, kernel);
        return name_all(s, number, kernel, kernel);
    }
    bool done = name_kernel_places(s, number, kernel, &table);
    table_symbols_close(&table);
    return done;
}

static bool name_row(struct search *s, uint32_t number, const char *object)
{
    uint32_t name;
    return perf_intern(s->reader, text_of_string(object), &name) && name_all(s, number, name, name);
}

static bool name_object(struct search *s, uint32_t number)
{
    const struct perf_object *object = &s->reader->stacks.objects[number];
    uint32_t name;
    switch (object->kind) {
    case PERF_FILE:
        return name_file(s, number);
    case PERF_JIT:
        return name_jit(s, number);
    case PERF_KERNEL:
        return name_kernel(s, number);
    case PERF_SPECIAL:
        return bracket(s, object->name, &name) && name_all(s, number, name, object->name);
    case PERF_SYMBOL:
        return perf_intern(s->reader, text_of_string(object->pid != 0 ? "[bpf]" : "[kernel.kallsyms]"),
                           &name) &&
               name_all(s, number, object->name, name);
    case PERF_UNKNOWN:
        break;
    }
    return name_row(s, number, "[unknown]");
}

/* ---- readable names ----------------------------------------------------------------------- */

/* Each distinct name that is used, a line each, in the order of `lines`. */
struct name_lines {
    char *bytes;
    size_t used, room;
    uint32_t *lines; /* names */
    size_t count, capacity;
    uint32_t *readable; /* by name; NAME_EMPTY: not asked for */
};

static bool add_line(struct search *s, struct name_lines *l, uint32_t name)
{
    struct text text = names_text(names_of(s), name);
    size_t length = text_length(text);
    if (l->readable[name] != NAME_EMPTY)
        return true;
    l->readable[name] = name;
    if (!array_reserve(&l->bytes, &l->room, l->used + length + 1, 1) ||
        !array_reserve(&l->lines, &l->capacity, l->count + 1, sizeof *l->lines))
        return no_memory(s);
    memcpy(l->bytes + l->used, text.at, length);
    l->bytes[l->used + length] = '\n';
    l->used += length + 1;
    l->lines[l->count++] = name;
    return true;
}

static bool take_lines(struct search *s, struct name_lines *l, struct text result)
{
    for (size_t i = 0; i < l->count; i++) {
        const char *newline = memchr(result.at, '\n', text_length(result));
        if (newline == NULL)
            return diag_error_in(s->reader->diag, NULL, "found %zu names from c++filt, expected %zu", i,
                                 l->count);
        if (!perf_intern(s->reader, (struct text){result.at, newline}, &l->readable[l->lines[i]]))
            return false;
        result.at = newline + 1;
    }
    return true;
}

static bool make_readable(struct search *s, struct name_lines *l, const bool *is_used)
{
    size_t count = s->reader->stacks.place_count, length;
    char *result;
    for (size_t i = 0; i < count; i++)
        if (is_used[i] && !add_line(s, l, s->symbols[i].name))
            return false;
    if (l->count == 0)
        return true;
    if (!demangle(text_of(l->bytes, l->used), &result, &length, s->reader->diag))
        return false;
    bool done = take_lines(s, l, text_of(result, length));
    free(result);
    for (size_t i = 0; done && i < count; i++)
        if (is_used[i])
            s->symbols[i].name = l->readable[s->symbols[i].name];
    return done;
}

static bool demangle_all(struct search *s, const bool *is_used)
{
    struct name_lines l = {.readable = calloc(names_of(s)->count, sizeof *l.readable)};
    bool done = l.readable != NULL ? make_readable(s, &l, is_used) : no_memory(s);
    free(l.readable);
    free(l.lines);
    free(l.bytes);
    return done;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool check_root(const struct search *s)
{
    struct file_facts facts;
    const char *root = s->files.root;
    return root == NULL || (file_look(root, &facts) && facts.kind == FILE_IS_FOLDER) ||
           diag_error_in(s->reader->diag, root, "is no folder, expected one with the files of the "
                         "machine that was recorded");
}

/* Objects are taken one after the other, so that the symbols of one at a time are in memory. */
static bool name_objects(struct search *s, const bool *is_used)
{
    const struct perf_stacks *stacks = &s->reader->stacks;
    for (size_t i = 0; i < stacks->object_count; i++)
        s->first[i] = INDEX_NONE;
    for (size_t i = stacks->place_count; i-- > 0;) {
        if (!is_used[i])
            continue;
        uint32_t object = stacks->places[i].object;
        s->next[i] = s->first[object];
        s->first[object] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < stacks->object_count; i++)
        if (s->first[i] != INDEX_NONE && !name_object(s, i))
            return false;
    return true;
}

bool perf_find_symbols(struct perf_reader *r, const bool *is_used, struct perf_symbol *symbols)
{
    struct search s = {.reader = r,
                       .symbols = symbols,
                       .files = {.root = r->options->samples.root, .home = getenv("HOME")}};
    s.first = calloc(r->stacks.object_count + 1, sizeof *s.first);
    s.next = calloc(r->stacks.place_count + 1, sizeof *s.next);
    bool done = s.first != NULL && s.next != NULL ? check_root(&s) && name_objects(&s, is_used)
                                                  : no_memory(&s);
    done = done && (!r->options->samples.demangle || demangle_all(&s, is_used));
    free(s.first);
    free(s.next);
    if (done && s.lacking_count > 0)
        diag_warning(r->diag, 0, "found no symbols for %s: each is one row; install debug packages, or "
                     "use --symfs=DIR, and --kallsyms=FILE for the kernel", s.lacking);
    return done;
}
