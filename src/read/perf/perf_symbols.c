#include "read/perf/perf_symbols.h"

#include "read/perf/demangle.h"
#include "read/perf/files.h"
#include "util/array.h"
#include "os/file.h"
#include "os/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_NAMES = 400 }; /* bytes of a list in a message */

/* The work under way. */
struct search {
    struct perf_reader *reader;
    struct perf_symbol *symbols;
    uint32_t *first; /* by object: a place of it that is used; NONE: none is */
    uint32_t *next;  /* by place: another one */
    struct shown_names {
        char text[SHOWN_NAMES];
        size_t used;
        bool is_full; /* there are more */
    } lacking, left_out; /* objects without symbols, and with too many */
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
    char *bracketed = memory_get(length + 2);
    if (bracketed == NULL)
        return no_memory(s);
    bracketed[0] = '[';
    memcpy(bracketed + 1, file.at, length);
    bracketed[length + 1] = ']';
    bool done = perf_intern(s->reader, text_of(bracketed, length + 2), name);
    memory_free(bracketed);
    return done;
}

/* Adds an object to those that a message names. The list is of a bounded length. */
static void note(const struct search *s, struct shown_names *list, uint32_t object)
{
    static const char more[] = ", ...";
    struct text name = names_text(names_of(s), object);
    size_t used = list->used, room = sizeof list->text - sizeof more;
    if (list->is_full)
        return;
    list->is_full = used + 2 + text_length(name) > room;
    if (list->is_full)
        snprintf(list->text + used, sizeof more, "%s", used > 0 ? more : more + 2);
    else
        list->used += (size_t)sprintf(list->text + used, "%s%.*s", used > 0 ? ", " : "", (int)text_length(name),
                                      name.at);
}

/* ---- tables of symbols --------------------------------------------------------------------- */

static struct build_id build_id_of(const struct perf_reader *r, uint32_t name)
{
    struct text bytes = names_text(&r->builder->profile->names, name);
    struct build_id id = {.length = text_length(bytes)};
    memcpy(id.bytes, bytes.at, id.length);
    return id;
}

/* A name as a string, in malloc'ed memory. */
static char *copy_name(const struct perf_reader *r, uint32_t name)
{
    struct text text = names_text(&r->builder->profile->names, name);
    char *copy = memory_get(text_length(text) + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text.at, text_length(text));
    copy[text_length(text)] = '\0';
    return copy;
}

/* The build-id of an object, in names; NAME_EMPTY: none is known so far. */
static uint32_t known_build_id(const struct perf_reader *r, const struct perf_object *object)
{
    uint32_t id = object->build_id != NAME_EMPTY ? object->build_id : ids_find(&r->build_ids, object->name);
    return id != NONE ? id : NAME_EMPTY;
}

/* Is it from this machine, as it is running? */
static bool is_here(const struct perf_reader *r)
{
    const struct names *names = &r->builder->profile->names;
    struct build_id kernel = build_id_of(r, r->kernel.build_id);
    return system_is(names_text(names, r->host), names_text(names, r->release)) &&
           (kernel.length == 0 || kernel_is_running(&kernel));
}

static enum elf_result open_symbols(struct perf_reader *r, const struct perf_object *object,
                                    struct symbol_table *table)
{
    if (object->kind == PERF_JIT)
        return jit_symbols_open(table, &r->symbol_files, object->pid);
    bool is_kernel = object->kind == PERF_KERNEL;
    char *name = copy_name(r, is_kernel ? r->kernel.anchor : object->name);
    if (name == NULL)
        return ELF_NO_MEMORY;
    enum elf_result result;
    if (is_kernel) {
        struct kernel_identity identity = {.build_id = build_id_of(r, r->kernel.build_id),
                                           .anchor = *name != '\0' ? name : NULL,
                                           .anchor_address = r->kernel.anchor_address};
        result = kernel_symbols_open(table, &r->symbol_files, r->options->samples.kernel_table, &identity);
    } else {
        struct build_id id = build_id_of(r, known_build_id(r, object));
        r->symbol_files.is_here = is_here(r);
        result = object_symbols_open(table, &r->symbol_files, name, &id);
    }
    memory_free(name);
    return result;
}

static bool open_table(struct perf_reader *r, const struct perf_object *object, struct perf_table *table)
{
    switch (open_symbols(r, object, &table->symbols)) {
    case ELF_OK: table->state = PERF_TABLE_OPEN; break;
    case ELF_UNUSABLE: table->state = PERF_TABLE_MISSING; break;
    case ELF_TOO_LARGE: table->state = PERF_TABLE_LEFT_OUT; break;
    case ELF_NO_MEMORY: return diag_no_memory(r->diag);
    }
    return true;
}

/* Can the symbols of an object be known before all has been read? Build-ids may come last. */
static bool is_known_early(const struct perf_reader *r, const struct perf_object *object)
{
    switch (object->kind) {
    case PERF_JIT: return true;
    case PERF_FILE: return r->knows_build_ids || known_build_id(r, object) != NAME_EMPTY;
    case PERF_KERNEL:
        return r->knows_build_ids || r->kernel.build_id != NAME_EMPTY ||
               r->options->samples.kernel_table != NULL;
    default: break;
    }
    return false;
}

static bool reserve_tables(struct perf_reader *r)
{
    size_t before = r->table_capacity, count = r->stacks.object_index.used;
    array_reserve(&r->tables, &r->table_capacity, count, sizeof *r->tables);
    for (size_t i = before; i < r->table_capacity; i++)
        r->tables[i].state = PERF_TABLE_UNTRIED;
    return true;
}

bool perf_resolve_place(struct perf_reader *r, struct perf_place *place)
{
    const struct perf_object *object = &r->stacks.objects[place->object];
    if (!reserve_tables(r))
        return false;
    struct perf_table *table = &r->tables[place->object];
    if (table->state == PERF_TABLE_UNTRIED) {
        if (r->options->list != NULL || !is_known_early(r, object))
            table->state = PERF_TABLE_LATE;
        else if (!open_table(r, object, table))
            return false;
    }
    if (table->state == PERF_TABLE_OPEN)
        place->offset = symbol_table_find(&table->symbols, place->offset);
    else if (table->state != PERF_TABLE_LATE)
        place->offset = NONE;
    return true;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* All places of an object get one name. */
static bool name_all(struct search *s, uint32_t number, uint32_t name, uint32_t object)
{
    for (uint32_t i = s->first[number]; i != NONE; i = s->next[i])
        s->symbols[i] = (struct perf_symbol){name, object};
    return true;
}

/* Names of a file may overlap. Those that are used take some times its bytes at most. */
static bool has_too_long_names(const struct symbols *symbols)
{
    enum { MOST_OVERLAPS = 4 };
    return symbols->named_bytes / MOST_OVERLAPS > symbols->length;
}

/* Sets the symbol of a place, as the symbol's first place has it. */
static bool set_symbol(struct search *s, uint32_t place, const struct symbol_table *table, uint32_t symbol)
{
    struct symbols *symbols = table->symbols;
    struct perf_symbol *named = &s->symbols[place];
    uint32_t first = ids_find(&symbols->named, symbol);
    if (first != NONE) {
        named->name = s->symbols[first].name;
        if (table->kind == SYMBOLS_KERNEL)
            named->object = s->symbols[first].object;
        return true;
    }
    if (has_too_long_names(symbols))
        return true;
    struct text module, name = symbol_table_name(table, symbol, &module);
    symbols->named_bytes += text_length(name);
    return ((ids_set(&symbols->named, symbol, place), true)) &&
           (text_is_empty(module) || perf_intern(s->reader, module, &named->object)) &&
           perf_intern(s->reader, name, &named->name);
}

/* Names the places of an object by its symbols. Sets *is_lacking if none of them has one. */
static bool name_places(struct search *s, uint32_t number, struct perf_table *table, bool *is_lacking)
{
    bool done = true, is_late = table->state == PERF_TABLE_LATE;
    if (is_late && !open_table(s->reader, &s->reader->stacks.objects[number], table))
        return false;
    for (uint32_t i = s->first[number]; done && i != NONE && table->state == PERF_TABLE_OPEN;
         i = s->next[i]) {
        uint64_t place = s->reader->stacks.places[i].offset;
        uint32_t symbol = is_late ? symbol_table_find(&table->symbols, place) : (uint32_t)place;
        *is_lacking &= symbol == NONE;
        done = symbol == NONE || set_symbol(s, i, &table->symbols, symbol);
    }
    if (table->state == PERF_TABLE_OPEN && has_too_long_names(table->symbols.symbols))
        note(s, &s->left_out, s->reader->stacks.objects[number].name);
    return done;
}

/* What has to be there for an object's symbols, if that is known. */
static bool note_missing(struct search *s, uint32_t number)
{
    const struct perf_object *object = &s->reader->stacks.objects[number];
    char map[40];
    uint32_t name = object->name;
    struct text path = names_text(names_of(s), name);
    snprintf(map, sizeof map, "/tmp/perf-%u.map", (unsigned)object->pid);
    if (object->kind == PERF_KERNEL && s->reader->options->samples.kernel_table != NULL)
        return diag_error_in(s->reader->diag, s->reader->options->samples.kernel_table,
                             "found no symbols of a kernel, expected a file of lines "
                             "\"ADDRESS TYPE NAME\" as /proc/kallsyms has them");
    if (object->kind == PERF_JIT && !perf_intern(s->reader, text_of_string(map), &name))
        return false;
    if (object->kind != PERF_FILE || text_starts(path, "/"))
        note(s, s->reader->tables[number].state == PERF_TABLE_LEFT_OUT ? &s->left_out : &s->lacking, name);
    return true;
}

static bool name_object(struct search *s, uint32_t number)
{
    struct perf_reader *r = s->reader;
    const struct perf_object *object = &r->stacks.objects[number];
    uint32_t name;
    bool is_lacking = true;
    if (object->kind == PERF_SYMBOL)
        return name_all(s, number, object->name, object->within);
    if (!bracket(s, object->name, &name) || !name_all(s, number, name, object->name))
        return false;
    if (object->kind == PERF_SPECIAL || object->kind == PERF_UNKNOWN)
        return true;
    return name_places(s, number, &r->tables[number], &is_lacking) &&
           (!is_lacking || note_missing(s, number));
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
    if (!(array_reserve(&l->bytes, &l->room, l->used + length + 1, 1), true) ||
        !(array_reserve(&l->lines, &l->capacity, l->count + 1, sizeof *l->lines), true))
        return no_memory(s);
    memcpy(l->bytes + l->used, text.at, length);
    l->bytes[l->used + length] = '\n';
    l->used += length + 1;
    l->lines[l->count++] = name;
    return true;
}

static bool take_lines(struct search *s, struct name_lines *l, struct text result)
{
    size_t i = 0;
    for (; i < l->count && !text_is_empty(result); i++) {
        struct text line = text_take_line(&result);
        if (!text_is_empty(line) && !perf_intern(s->reader, line, &l->readable[l->lines[i]]))
            return false;
    }
    return i == l->count ||
           diag_problem(s->reader->diag, 0, "found %zu readable names, expected %zu: c++filt has failed, or was "
                        "stopped because it took too much; the others stay as they are", i, l->count);
}

static bool make_readable(struct search *s, struct name_lines *l, const bool *is_used)
{
    size_t count = s->reader->stacks.place_index.used, length;
    char *result;
    for (size_t i = 0; i < count; i++)
        if (is_used[i] && !add_line(s, l, s->symbols[i].name))
            return false;
    if (l->count == 0)
        return true;
    if (!demangle(text_of(l->bytes, l->used), &result, &length, s->reader->diag))
        return false;
    bool done = take_lines(s, l, text_of(result, length));
    memory_free(result);
    for (size_t i = 0; done && i < count; i++)
        if (is_used[i])
            s->symbols[i].name = l->readable[s->symbols[i].name];
    return done;
}

static bool demangle_all(struct search *s, const bool *is_used)
{
    struct name_lines l = {.readable = memory_zeroed(names_of(s)->count, sizeof *l.readable)};
    bool done = l.readable != NULL ? make_readable(s, &l, is_used) : no_memory(s);
    memory_free(l.readable);
    memory_free(l.lines);
    memory_free(l.bytes);
    return done;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool check_root(const struct search *s)
{
    struct file_facts facts;
    const char *root = s->reader->options->samples.root;
    if (root != NULL && !file_look(root, &facts))
        return diag_error_in(s->reader->diag, root, "cannot open: %s", strerror(errno));
    return root == NULL || facts.kind == FILE_IS_FOLDER ||
           diag_error_in(s->reader->diag, root, "is no folder, expected one with the files of the "
                         "machine that was recorded");
}

static bool name_objects(struct search *s, const bool *is_used)
{
    const struct perf_stacks *stacks = &s->reader->stacks;
    for (size_t i = 0; i < stacks->object_index.used; i++)
        s->first[i] = NONE;
    for (size_t i = stacks->place_index.used; i-- > 0;) {
        if (!is_used[i])
            continue;
        uint32_t object = stacks->places[i].object;
        s->next[i] = s->first[object];
        s->first[object] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < stacks->object_index.used; i++)
        if (s->first[i] != NONE && !name_object(s, i))
            return false;
    return true;
}

bool perf_find_symbols(struct perf_reader *r, const bool *is_used, struct perf_symbol *symbols)
{
    struct search s = {.reader = r, .symbols = symbols};
    s.first = memory_zeroed(r->stacks.object_index.used + 1, sizeof *s.first);
    s.next = memory_zeroed(r->stacks.place_index.used + 1, sizeof *s.next);
    bool done = s.first != NULL && s.next != NULL ? check_root(&s) && name_objects(&s, is_used)
                                                  : no_memory(&s);
    done = done && (!r->options->samples.demangle || demangle_all(&s, is_used));
    memory_free(s.first);
    memory_free(s.next);
    if (done && s.lacking.text[0] != '\0')
        diag_warning(r->diag, 0, "found no symbols for %s: each is one row; install debug packages, or "
                     "use --symfs=DIR, and --kallsyms=FILE for the kernel", s.lacking.text);
    if (done && s.left_out.text[0] != '\0')
        diag_warning(r->diag, 0, "found symbols of more than %d MB, or names that overlap; some are left out, of %s",
                     SYMBOLS_MOST_MB, s.left_out.text);
    return done;
}
