#include "read/perf/perf.h"

#include "os/file.h"
#include "os/system.h"
#include "util/buffer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Objects in a message. */
struct shown_names {
    struct buffer text;
    bool is_full; /* there are more */
};

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

/* The build-id of an object, in names; NAME_EMPTY: none is known so far. */
static uint32_t known_build_id(const struct perf_about *about, const struct perf_object *object)
{
    uint32_t id = object->build_id != NAME_EMPTY ? object->build_id : ids_find(&about->build_ids, object->name);
    return id != NONE ? id : NAME_EMPTY;
}

static void open_table(struct perf_names *n, const struct perf_object *object, struct perf_table *table)
{
    const struct perf_about *about = n->about;
    struct text kernel = names_text(about->names, about->kernel_id);
    if (object->kind == PERF_JIT) {
        table->state = jit_symbols_open(&table->symbols, &n->files, object->pid);
    } else if (object->kind == PERF_KERNEL) {
        struct kernel_identity identity = {.build_id = kernel,
                                           .anchor = names_text(about->names, about->kernel_anchor),
                                           .anchor_address = about->kernel_anchor_address};
        table->state = kernel_symbols_open(&table->symbols, &n->files, about->options->samples.kernel_table,
                                           &identity);
    } else {
        struct text id = names_text(about->names, known_build_id(about, object));
        struct buffer path = {.bytes = NULL};
        buffer_add(&path, names_text(about->names, object->name));
        path.bytes[path.length] = '\0';
        n->files.is_here = system_is(names_text(about->names, about->host), names_text(about->names, about->release)) &&
                           (text_is_empty(kernel) || kernel_is_running(&n->files, kernel));
        table->state = object_symbols_open(&table->symbols, &n->files, path.bytes, id);
    }
}

/* Are the symbols of an object only known when all has been read? Build-ids may come last. */
static bool is_late(const struct perf_about *about, const struct perf_object *object)
{
    if (about->options->list != NULL)
        return true;
    if (object->kind == PERF_FILE)
        return !about->knows_build_ids && known_build_id(about, object) == NAME_EMPTY;
    if (object->kind == PERF_KERNEL)
        return !about->knows_build_ids && about->kernel_id == NAME_EMPTY &&
               about->options->samples.kernel_table == NULL;
    return object->kind != PERF_JIT;
}

struct perf_place perf_resolve(struct perf_names *n, struct perf_place place)
{
    const struct perf_object *object = &n->stacks->objects.items[place.object];
    array_reach(&n->tables, &n->capacity, n->stacks->objects.index.used, sizeof *n->tables, 0);
    struct perf_table *table = &n->tables[place.object];
    if (table->state == SYMBOLS_UNTRIED && !table->is_late) {
        table->is_late = is_late(n->about, object);
        if (!table->is_late)
            open_table(n, object, table);
    }
    if (!table->is_late)
        place.offset = table->state == SYMBOLS_OPEN ? symbol_table_find(&table->symbols, place.offset) : NONE;
    return place;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* Adds an object to those that a message names. The list is of a bounded length. */
static void note(const struct perf_names *n, struct shown_names *list, uint32_t object)
{
    enum { MOST = 394 }; /* bytes */
    struct text name = names_text(n->about->names, object);
    if (list->is_full)
        return;
    list->is_full = list->text.length + 2 + text_length(name) > MOST;
    buffer_add_string(&list->text, list->text.length > 0 ? ", " : "");
    buffer_add(&list->text, list->is_full ? text_of_string("...") : name);
}

/* The name of all places of an object that have no symbol: its file name in brackets. */
static uint32_t bracket(struct names *names, uint32_t object)
{
    struct text path = names_text(names, object), file = path;
    for (const char *p = path.at; p < path.end; p++)
        if (*p == '/' && p + 1 < path.end)
            file.at = p + 1;
    if (text_starts(path, "["))
        return object;
    return names_intern_parts(names, (struct text[]){text_of_string("["), file, text_of_string("]")}, 3);
}

/* Names of a file may overlap. Those that are used take some times its bytes at most. */
static bool has_too_long_names(const struct symbols *symbols)
{
    enum { MOST_OVERLAPS = 4 };
    return symbols->named_bytes / MOST_OVERLAPS > symbols->length;
}

/* Names a place that is used, as the first place of its symbol is named. */
static void name_place(struct perf_names *n, struct perf_symbol *named, uint32_t number)
{
    const struct perf_place *place = &n->stacks->places.items[number];
    const struct perf_object *object = &n->stacks->objects.items[place->object];
    struct perf_table *table = &n->tables[place->object];
    struct text module;
    if (object->kind == PERF_SYMBOL) {
        named[number] = (struct perf_symbol){object->name, object->within};
        return;
    }
    if (table->usual == NAME_EMPTY)
        table->usual = bracket(n->about->names, object->name);
    named[number] = (struct perf_symbol){table->usual, object->name};
    if (object->kind == PERF_SPECIAL || object->kind == PERF_UNKNOWN)
        return;
    if (table->state == SYMBOLS_UNTRIED)
        open_table(n, object, table);
    uint32_t symbol = (uint32_t)place->offset;
    if (table->is_late && table->state == SYMBOLS_OPEN)
        symbol = symbol_table_find(&table->symbols, place->offset);
    if (table->state != SYMBOLS_OPEN || symbol == NONE)
        return;
    table->has_symbols = true;
    struct symbols *symbols = table->symbols.symbols;
    uint32_t first = ids_find(&symbols->named, symbol);
    if (first != NONE) {
        named[number].name = named[first].name;
        if (object->kind == PERF_KERNEL)
            named[number].object = named[first].object;
    } else if (!has_too_long_names(symbols)) {
        struct text name = symbols_name(symbols, symbol, &module);
        symbols->named_bytes += text_length(name);
        ids_set(&symbols->named, symbol, number);
        if (!text_is_empty(module))
            named[number].object = perf_intern(n->about, module);
        named[number].name = perf_intern(n->about, name);
    }
}

/* Adds an object to the lists of those whose symbols are missing: what has to be there for them, if that is known. */
static void note_missing(const struct perf_names *n, uint32_t number, struct shown_names *lacking,
                         struct shown_names *left_out)
{
    const struct perf_object *object = &n->stacks->objects.items[number];
    const struct perf_table *table = &n->tables[number];
    const char *kernel_table = n->about->options->samples.kernel_table;
    uint32_t name = object->name;
    char map[40];
    if (table->state == SYMBOLS_OPEN && has_too_long_names(table->symbols.symbols))
        note(n, left_out, name);
    if (table->state == SYMBOLS_UNTRIED || table->has_symbols)
        return;
    if (object->kind == PERF_KERNEL && kernel_table != NULL)
        diag_error_in(n->about->diag, kernel_table,
                      "found no symbols of a kernel, expected a file of lines "
                      "\"ADDRESS TYPE NAME\" as /proc/kallsyms has them");
    snprintf(map, sizeof map, "/tmp/perf-%u.map", (unsigned)object->pid);
    if (object->kind == PERF_JIT)
        name = perf_intern(n->about, text_of_string(map));
    if (object->kind != PERF_FILE || text_starts(names_text(n->about->names, name), "/"))
        note(n, table->state == SYMBOLS_LEFT_OUT ? left_out : lacking, name);
}

/* ---- all of it ---------------------------------------------------------------------------- */

struct perf_symbol *perf_find_symbols(struct perf_names *n, const bool *is_used)
{
    struct diag *diag = n->about->diag;
    struct file_facts facts;
    const char *root = n->about->options->samples.root;
    uint32_t places = n->stacks->places.index.used, objects = n->stacks->objects.index.used;
    struct perf_symbol *symbols = memory_zeroed(places + 1, sizeof *symbols);
    struct shown_names lacking = {.is_full = false}, left_out = lacking;
    if (root != NULL && !file_look(root, true, &facts))
        diag_error_in(diag, root, "cannot open: %s", strerror(errno));
    if (root != NULL && facts.kind != FILE_IS_FOLDER)
        diag_error_in(diag, root, "is no folder, expected one with the files of the machine that was recorded");
    array_reach(&n->tables, &n->capacity, objects, sizeof *n->tables, 0);
    for (uint32_t i = 0; i < places; i++)
        if (is_used[i])
            name_place(n, symbols, i);
    for (uint32_t i = 0; i < objects; i++)
        if (n->tables[i].usual != NAME_EMPTY)
            note_missing(n, i, &lacking, &left_out);
    if (lacking.text.length > 0)
        diag_warning(diag, 0, "found no symbols for %.*s: each is one row; install debug packages, or "
                     "use --symfs=DIR, and --kallsyms=FILE for the kernel",
                     (int)lacking.text.length, lacking.text.bytes);
    if (left_out.text.length > 0)
        diag_warning(diag, 0, "found symbols of more than %d MB, or names that overlap; some are left out, of %.*s",
                     SYMBOLS_MOST_MB, (int)left_out.text.length, left_out.text.bytes);
    return symbols;
}
