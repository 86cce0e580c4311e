#include "read/perf/perf.h"

#include "os/file.h"
#include "os/system.h"
#include "read/perf/demangle.h"
#include "util/array.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_NAMES = 400 }; /* bytes of a list in a message */

/* The work under way. */
struct search {
    struct perf_names *names;
    const struct perf_about *about;
    const struct perf_stacks *stacks;
    const bool *is_used;
    struct perf_symbol *symbols;
    uint32_t *first; /* by object: a place of it that is used; NONE: none is */
    uint32_t *next;  /* by place: another one */
    struct shown_names {
        char text[SHOWN_NAMES];
        size_t used;
        bool is_full; /* there are more */
    } lacking, left_out; /* objects without symbols, and with too many */
};

void perf_names_init(struct perf_names *names, const struct perf_about *about)
{
    *names = (struct perf_names){.tables = NULL};
    symbol_files_init(&names->files, about->options->samples.root, &about->names->index);
}

void perf_names_free(struct perf_names *names)
{
    symbol_files_free(&names->files);
    memory_free(names->tables);
}

/*
 * Names of mappings of memory that is no file's: what is executed there was made at run time. perf's are those of
 * is_anon_memory and is_no_dso_memory in tools/perf/util/map.h.
 */
bool perf_is_jit(struct text name)
{
    static const char *const starts[] = {"//anon", "/anon_hugepage", "/dev/zero", "[heap]", "[stack", "/SYSV",
                                         "/memfd:", "[anon"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (text_starts(name, starts[i]))
            return true;
    return false;
}

/* ---- tables of symbols --------------------------------------------------------------------- */

static struct build_id build_id_of(const struct perf_about *about, uint32_t name)
{
    struct text bytes = names_text(about->names, name);
    struct build_id id = {.length = text_length(bytes)};
    memcpy(id.bytes, bytes.at, id.length);
    return id;
}

/* The build-id of an object, in names; NAME_EMPTY: none is known so far. */
static uint32_t known_build_id(const struct perf_about *about, const struct perf_object *object)
{
    uint32_t id = object->build_id != NAME_EMPTY ? object->build_id : ids_find(&about->build_ids, object->name);
    return id != NONE ? id : NAME_EMPTY;
}

/* Is it from this machine, as it is running? */
static bool is_here(const struct perf_about *about)
{
    struct build_id kernel = build_id_of(about, about->kernel_id);
    return system_is(names_text(about->names, about->host), names_text(about->names, about->release)) &&
           (kernel.length == 0 || kernel_is_running(&kernel));
}

static void open_table(struct perf_names *n, const struct perf_about *about, const struct perf_object *object,
                       struct perf_table *table)
{
    struct text name = names_text(about->names, object->name);
    enum elf_result result;
    if (object->kind == PERF_JIT) {
        result = jit_symbols_open(&table->symbols, &n->files, object->pid);
    } else if (object->kind == PERF_KERNEL) {
        struct kernel_identity identity = {.build_id = build_id_of(about, about->kernel_id),
                                           .anchor = names_text(about->names, about->kernel_anchor),
                                           .anchor_address = about->kernel_anchor_address};
        result = kernel_symbols_open(&table->symbols, &n->files, about->options->samples.kernel_table, &identity);
    } else {
        struct build_id id = build_id_of(about, known_build_id(about, object));
        char *path = memory_get(text_length(name) + 1);
        memcpy(path, name.at, text_length(name));
        path[text_length(name)] = '\0';
        n->files.is_here = is_here(about);
        result = object_symbols_open(&table->symbols, &n->files, path, &id);
        memory_free(path);
    }
    table->state = result == ELF_OK          ? PERF_TABLE_OPEN
                   : result == ELF_TOO_LARGE ? PERF_TABLE_LEFT_OUT
                                             : PERF_TABLE_MISSING;
}

/* Can the symbols of an object be known before all has been read? Build-ids may come last. */
static bool is_known_early(const struct perf_about *about, const struct perf_object *object)
{
    switch (object->kind) {
    case PERF_JIT: return true;
    case PERF_FILE: return about->knows_build_ids || known_build_id(about, object) != NAME_EMPTY;
    case PERF_KERNEL:
        return about->knows_build_ids || about->kernel_id != NAME_EMPTY ||
               about->options->samples.kernel_table != NULL;
    default: break;
    }
    return false;
}

struct perf_place perf_resolve(struct perf_names *n, const struct perf_about *about, const struct perf_stacks *stacks,
                               struct perf_place place)
{
    const struct perf_object *object = &stacks->objects.items[place.object];
    array_reach(&n->tables, &n->capacity, stacks->objects.index.used, sizeof *n->tables, 0);
    struct perf_table *table = &n->tables[place.object];
    if (table->state == PERF_TABLE_UNTRIED) {
        if (about->options->list != NULL || !is_known_early(about, object))
            table->state = PERF_TABLE_LATE;
        else
            open_table(n, about, object, table);
    }
    if (table->state == PERF_TABLE_OPEN)
        place.offset = symbol_table_find(&table->symbols, place.offset);
    else if (table->state != PERF_TABLE_LATE)
        place.offset = NONE;
    return place;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* Adds an object to those that a message names. The list is of a bounded length. */
static void note(const struct search *s, struct shown_names *list, uint32_t object)
{
    static const char more[] = ", ...";
    struct text name = names_text(s->about->names, object);
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

/* The name of all places of an object that have no symbol: its file name in brackets. */
static uint32_t bracket(const struct search *s, uint32_t object)
{
    struct text path = names_text(s->about->names, object), file = path;
    for (const char *p = path.at; p < path.end; p++)
        if (*p == '/' && p + 1 < path.end)
            file.at = p + 1;
    if (text_starts(path, "["))
        return object;
    return names_intern_parts(s->about->names, (struct text[]){text_of_string("["), file, text_of_string("]")}, 3);
}

/* Names of a file may overlap. Those that are used take some times its bytes at most. */
static bool has_too_long_names(const struct symbols *symbols)
{
    enum { MOST_OVERLAPS = 4 };
    return symbols->named_bytes / MOST_OVERLAPS > symbols->length;
}

/* Sets the symbol of a place, as the symbol's first place has it. */
static void set_symbol(struct search *s, uint32_t place, const struct symbol_table *table, uint32_t symbol)
{
    struct symbols *symbols = table->symbols;
    struct perf_symbol *named = &s->symbols[place];
    uint32_t first = ids_find(&symbols->named, symbol);
    if (first != NONE) {
        named->name = s->symbols[first].name;
        if (table->kind == SYMBOLS_KERNEL)
            named->object = s->symbols[first].object;
        return;
    }
    if (has_too_long_names(symbols))
        return;
    struct text module, name = symbol_table_name(table, symbol, &module);
    symbols->named_bytes += text_length(name);
    ids_set(&symbols->named, symbol, place);
    if (!text_is_empty(module))
        named->object = perf_intern(s->about, module);
    named->name = perf_intern(s->about, name);
}

/* What has to be there for an object's symbols, if that is known. */
static void note_missing(struct search *s, uint32_t number)
{
    const struct perf_object *object = &s->stacks->objects.items[number];
    const char *kernel_table = s->about->options->samples.kernel_table;
    uint32_t name = object->name;
    char map[40];
    snprintf(map, sizeof map, "/tmp/perf-%u.map", (unsigned)object->pid);
    if (object->kind == PERF_KERNEL && kernel_table != NULL)
        diag_error_in(s->about->diag, kernel_table,
                      "found no symbols of a kernel, expected a file of lines "
                      "\"ADDRESS TYPE NAME\" as /proc/kallsyms has them");
    if (object->kind == PERF_JIT)
        name = perf_intern(s->about, text_of_string(map));
    if (object->kind != PERF_FILE || text_starts(names_text(s->about->names, name), "/"))
        note(s, s->names->tables[number].state == PERF_TABLE_LEFT_OUT ? &s->left_out : &s->lacking, name);
}

static void name_object(struct search *s, uint32_t number)
{
    const struct perf_object *object = &s->stacks->objects.items[number];
    bool is_symbol = object->kind == PERF_SYMBOL, is_lacking = true;
    struct perf_symbol usual = {is_symbol ? object->name : bracket(s, object->name),
                                is_symbol ? object->within : object->name};
    for (uint32_t i = s->first[number]; i != NONE; i = s->next[i])
        s->symbols[i] = usual;
    if (is_symbol || object->kind == PERF_SPECIAL || object->kind == PERF_UNKNOWN)
        return;
    struct perf_table *table = &s->names->tables[number];
    bool is_late = table->state == PERF_TABLE_LATE;
    if (is_late)
        open_table(s->names, s->about, object, table);
    for (uint32_t i = s->first[number]; i != NONE && table->state == PERF_TABLE_OPEN; i = s->next[i]) {
        uint64_t place = s->stacks->places.items[i].offset;
        uint32_t symbol = is_late ? symbol_table_find(&table->symbols, place) : (uint32_t)place;
        is_lacking &= symbol == NONE;
        if (symbol != NONE)
            set_symbol(s, i, &table->symbols, symbol);
    }
    if (table->state == PERF_TABLE_OPEN && has_too_long_names(table->symbols.symbols))
        note(s, &s->left_out, object->name);
    if (is_lacking)
        note_missing(s, number);
}

static void name_objects(struct search *s)
{
    for (size_t i = 0; i < s->stacks->objects.index.used; i++)
        s->first[i] = NONE;
    for (size_t i = s->stacks->places.index.used; i-- > 0;) {
        if (!s->is_used[i])
            continue;
        uint32_t object = s->stacks->places.items[i].object;
        s->next[i] = s->first[object];
        s->first[object] = (uint32_t)i;
    }
    for (uint32_t i = 0; i < s->stacks->objects.index.used; i++)
        if (s->first[i] != NONE)
            name_object(s, i);
}

/* ---- readable names ----------------------------------------------------------------------- */

/* Each distinct name that is used is a line; they come back in the same order. */
static void demangle_all(struct search *s)
{
    size_t places = s->stacks->places.index.used, count = 0, line_capacity = 0, used = 0, room = 0, taken = 0;
    uint32_t *readable = memory_zeroed(s->about->names->count, sizeof *readable); /* by name; NAME_EMPTY: not used */
    uint32_t *lines = NULL; /* names */
    char *bytes = NULL;
    for (size_t i = 0; i < places; i++) {
        uint32_t name = s->symbols[i].name;
        struct text text = names_text(s->about->names, name);
        size_t length = text_length(text);
        if (!s->is_used[i] || readable[name] != NAME_EMPTY)
            continue;
        readable[name] = name;
        array_reserve(&bytes, &room, used + length + 1, 1);
        memcpy(bytes + used, text.at, length);
        bytes[used + length] = '\n';
        used += length + 1;
        array_append(&lines, &count, &line_capacity, &name, sizeof name);
    }
    if (count == 0)
        return;
    struct text result = demangle(text_of(bytes, used), s->about->diag);
    for (; taken < count && !text_is_empty(result); taken++) {
        struct text line = text_take_line(&result);
        if (!text_is_empty(line))
            readable[lines[taken]] = perf_intern(s->about, line);
    }
    if (taken < count)
        diag_problem(s->about->diag, 0, "found %zu readable names, expected %zu: c++filt has failed, or was "
                     "stopped because it took too much; the others stay as they are", taken, count);
    for (size_t i = 0; i < places; i++)
        if (s->is_used[i])
            s->symbols[i].name = readable[s->symbols[i].name];
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void check_root(const struct perf_about *about)
{
    struct file_facts facts;
    const char *root = about->options->samples.root;
    if (root == NULL)
        return;
    if (!file_look(root, &facts))
        diag_error_in(about->diag, root, "cannot open: %s", strerror(errno));
    if (facts.kind != FILE_IS_FOLDER)
        diag_error_in(about->diag, root, "is no folder, expected one with the files of the "
                      "machine that was recorded");
}

struct perf_symbol *perf_find_symbols(struct perf_names *names, const struct perf_about *about,
                                      const struct perf_stacks *stacks, const bool *is_used)
{
    size_t places = stacks->places.index.used + 1;
    struct search s = {.names = names, .about = about, .stacks = stacks, .is_used = is_used};
    s.symbols = memory_zeroed(places, sizeof *s.symbols);
    s.first = memory_zeroed(stacks->objects.index.used + 1, sizeof *s.first);
    s.next = memory_zeroed(places, sizeof *s.next);
    check_root(about);
    name_objects(&s);
    if (about->options->samples.demangle)
        demangle_all(&s);
    memory_free(s.first);
    memory_free(s.next);
    if (s.lacking.text[0] != '\0')
        diag_warning(about->diag, 0, "found no symbols for %s: each is one row; install debug packages, or "
                     "use --symfs=DIR, and --kallsyms=FILE for the kernel", s.lacking.text);
    if (s.left_out.text[0] != '\0')
        diag_warning(about->diag, 0, "found symbols of more than %d MB, or names that overlap; some are left out, of %s",
                     SYMBOLS_MOST_MB, s.left_out.text);
    return s.symbols;
}
