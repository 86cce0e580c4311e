#include "read/perf/symbols.h"

#include "os/file.h"
#include "os/system.h"
#include "util/array.h"
#include "util/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST_READ = 64 * 1024, BUILD_ID_TEXT = 2 * BUILD_ID_MAX + 2 };

/* A file that has been opened: what was read of it. */
struct symbol_file {
    bool is_looked_at, has_checksum;
    enum elf_result result; /* of looking at it */
    struct elf elf;
    uint32_t checksum;
    struct symbol_file_table {
        bool is_tried;
        enum elf_result result;
        struct symbols symbols;
    } tables[SYMBOLS_KINDS];
};

/* ---- opening ------------------------------------------------------------------------------ */

static void close_file(void *of)
{
    struct open_file *file = of;
    run_let_go(&file->held);
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

/* Keeps a descriptor, which may be -1, with errno. False: it is. */
static bool hold(struct open_file *file, int fd)
{
    if (fd < 0 && errno == ENOMEM)
        run_out_of_memory();
    *file = (struct open_file){.fd = fd};
    if (fd >= 0)
        run_hold(&file->held, close_file, file);
    return fd >= 0;
}

/* A build-id as folders of debug files have it: `ab/cdef...`; empty, if it is not known. */
static void set_id(char text[BUILD_ID_TEXT], struct text id)
{
    size_t used = 0;
    text[0] = '\0';
    for (const char *p = id.at; p < id.end && text_length(id) > 1; p++)
        used += (size_t)sprintf(text + used, "%s%02x", p == id.at + 1 ? "/" : "", (unsigned char)*p);
}

/* A path in memory of the run. */
static char *path_of(const char *format, ...) DIAG_PRINTF(1, 2);
static char *path_of(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    char *path = memory_get((size_t)length + 1);
    va_start(values, format);
    vsnprintf(path, (size_t)length + 1, format, values);
    va_end(values);
    return path;
}

/* A file in the folder of perf's copies, named by an id; NULL: there is no such folder, or no id. */
static char *copy_of(const struct symbol_files *files, const char *folder, const char *id, const char *name)
{
    if (files->root != NULL || files->home == NULL || id[0] == '\0')
        return NULL;
    return path_of("%s/.debug/%s/%s/%s", files->home, folder, id, name);
}

static int open_below(const struct symbol_files *files, const char *path)
{
    char *joined = path_of("%s%s%s", files->root, path[0] == '/' ? "" : "/", path);
    int fd = file_open_below(joined, files->root), error = errno;
    memory_free(joined);
    errno = error;
    return fd;
}

/*
 * Opens a regular file: below the root, if there is one, by the path or else by the name alone. Devices are not
 * opened: that may do anything. False: there is none.
 */
static bool open_path(const struct symbol_files *files, const char *path, struct open_file *file)
{
    struct file_facts facts;
    int fd = -1;
    errno = ENOENT;
    if (path != NULL && files->root != NULL) {
        fd = open_below(files, path);
        if (fd < 0 && errno != ENOMEM)
            fd = open_below(files, path + file_folder_length(path));
    } else if (path != NULL && path[0] == '/' && file_look(path, &facts) && facts.kind == FILE_IS_REGULAR) {
        fd = file_open_regular(path);
    }
    return hold(file, fd);
}

/* Reads all of a file that is text, if it has no more than `most` bytes. What the system makes up has no size. */
static enum elf_result read_file(const struct open_file *file, uint64_t most, char **bytes, size_t *length)
{
    size_t room = 0;
    ssize_t count = 1;
    while (count > 0 && *length <= most) {
        array_reserve(bytes, &room, *length + FIRST_READ, 1);
        count = file_read(file->fd, *bytes + *length, room - *length);
        *length += count > 0 ? (size_t)count : 0;
    }
    return count == 0 ? ELF_OK : count < 0 ? ELF_UNUSABLE : ELF_TOO_LARGE;
}

/* ---- what is known of files ----------------------------------------------------------------- */

void symbol_files_init(struct symbol_files *files, const char *root, const struct index *other)
{
    *files = (struct symbol_files){
        .root = root, .home = getenv("HOME"), .vdso = {.fd = -1}, .left = (uint64_t)SYMBOLS_MOST_MB << 20};
    index_init(&files->index, other);
}

static void free_symbols(struct symbols *symbols)
{
    memory_free(symbols->ranges.items);
    memory_free(symbols->bytes);
    if (symbols->named.index.slots != NULL)
        ids_free(&symbols->named);
    *symbols = (struct symbols){.length = 0};
}

void symbol_files_free(struct symbol_files *files)
{
    for (size_t i = 0; i < files->index.used; i++) {
        struct symbol_file *file = files->known[i].file;
        for (size_t k = 0; k < SYMBOLS_KINDS; k++)
            free_symbols(&file->tables[k].symbols);
        elf_close(&file->elf);
        memory_free(file);
    }
    close_file(&files->vdso);
    memory_free(files->known);
    index_free(&files->index);
}

/* NULL: it cannot be looked at. */
static struct symbol_file *know(struct symbol_files *files, const struct open_file *opened)
{
    struct file_facts facts;
    if (!file_look_at(opened->fd, &facts))
        return NULL;
    struct known_file known = {.volume = facts.volume, .number = facts.number};
    uint32_t hash = hash_numbers(&files->index.seed, facts.volume, facts.number);
    uint32_t number = index_find(&files->index, hash, files->known, &known, sizeof known,
                                 offsetof(struct known_file, file));
    if (number != NONE)
        return files->known[number].file;
    known.file = memory_zeroed(1, sizeof *known.file);
    index_append(&files->index, hash, &files->known, &files->capacity, &known, sizeof known);
    return known.file;
}

/* Takes `size` bytes of what is left for symbols. */
static enum elf_result take_room(struct symbol_files *files, uint64_t size)
{
    if (size > files->left)
        return ELF_TOO_LARGE;
    files->left -= size;
    return ELF_OK;
}

/* ---- tables that are text --------------------------------------------------------------------- */

static bool take_blank(struct text *line)
{
    const char *before = line->at;
    text_skip_blanks(line);
    return line->at > before;
}

/* `HEXSTART HEXSIZE NAME`. False: the line has no symbol. */
static bool take_jit_line(struct text *line, struct symbol_range *range)
{
    uint64_t size;
    if (!text_take_hex(line, &range->start) || !take_blank(line) || !text_take_hex(line, &size) || !take_blank(line))
        return false;
    if (__builtin_add_overflow(range->start, size, &range->end))
        range->end = UINT64_MAX;
    range->rank |= SYMBOL_HAS_SIZE;
    return !text_is_empty(*line);
}

/* `HEX TYPE NAME [module]`, up to the name. False: it is no such line. */
static bool take_kernel_symbol(struct text *line, uint64_t *address, char *type)
{
    if (!text_take_hex(line, address) || !take_blank(line) || text_is_empty(*line))
        return false;
    *type = *line->at++;
    return take_blank(line) && !text_is_empty(*line);
}

static struct text name_of(struct text line, struct text *module)
{
    struct text name = text_take_word(&line);
    line = text_trim(line);
    *module = text_starts(line, "[") ? line : text_of("", 0);
    return name;
}

static enum elf_result read_text(const struct open_file *file, enum symbol_table_kind kind, uint64_t most,
                                 struct symbols *symbols)
{
    enum { PAGE = 4096 };
    struct symbol_ranges *ranges = &symbols->ranges;
    enum elf_result result = read_file(file, most, &symbols->bytes, &symbols->length);
    struct text rest = text_of(symbols->bytes, symbols->length);
    if (result != ELF_OK)
        return result;
    for (uint64_t number = 1; !text_is_empty(rest); number++) {
        struct text line = text_take_line(&rest);
        struct symbol_range range = {.end = UINT64_MAX, .rank = number};
        char type = 'T';
        if (kind == SYMBOLS_JIT ? !take_jit_line(&line, &range) : !take_kernel_symbol(&line, &range.start, &type))
            continue;
        bool has_name = memchr("tTwW", type, 4) != NULL; /* data end a function, and have no name here */
        range.name = has_name ? (uint32_t)(line.at - symbols->bytes) : NONE;
        range.rank = has_name ? range.rank : 0;
        array_append(&ranges->items, &ranges->count, &ranges->capacity, &range, sizeof range);
        if (ranges->count * sizeof *ranges->items > most)
            return ELF_TOO_LARGE;
    }
    ranges->by_rank = kind == SYMBOLS_JIT;
    symbol_ranges_sort(ranges);
    if (kind == SYMBOLS_JIT)
        return ELF_OK;
    struct symbol_range *last = ranges->count > 0 ? &ranges->items[ranges->count - 1] : NULL;
    if (last == NULL || last->start == 0)
        return ELF_UNUSABLE; /* all addresses are zero where the system does not show them */
    if (last->start < UINT64_MAX - 2 * PAGE) /* as in perf, it has the rest of its page, and another page */
        last->end = (last->start + PAGE - 1) / PAGE * PAGE + PAGE;
    return ELF_OK;
}

/* ---- tables ------------------------------------------------------------------------------- */

/* Sets the symbols of a table; they are read if they have not been. */
static enum elf_result read_table(struct symbol_files *files, struct symbol_file *file, const struct open_file *opened,
                                  enum symbol_table_kind kind, struct symbol_table *table)
{
    struct symbol_file_table *t = &file->tables[kind];
    struct symbols *symbols = &t->symbols;
    table->kind = kind;
    table->symbols = symbols;
    if (t->is_tried)
        return t->result;
    t->is_tried = true;
    file->elf.fd = opened->fd;
    if (kind == SYMBOLS_JIT || kind == SYMBOLS_KERNEL)
        t->result = read_text(opened, kind, files->left, symbols);
    else
        t->result = elf_read_symbols(&file->elf, kind == SYMBOLS_SYMTAB ? ELF_SYMTAB : ELF_DYNSYM, files->left,
                                     symbols);
    if (t->result == ELF_OK)
        t->result = take_room(files, symbols->length + symbols->ranges.count * sizeof *symbols->ranges.items);
    if (t->result == ELF_OK)
        ids_init(&symbols->named, &files->index);
    else
        free_symbols(symbols);
    return t->result;
}

static enum elf_result open_text(struct symbol_files *files, struct open_file *opened, enum symbol_table_kind kind,
                                 struct symbol_table *table)
{
    struct symbol_file *file = know(files, opened);
    enum elf_result result = file != NULL ? read_table(files, file, opened, kind, table) : ELF_UNUSABLE;
    close_file(opened);
    return result;
}

enum elf_result jit_symbols_open(struct symbol_table *table, struct symbol_files *files, uint32_t pid)
{
    char path[40], process[40];
    struct open_file file;
    snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", pid);
    snprintf(process, sizeof process, "/proc/%" PRIu32, pid);
    *table = (struct symbol_table){.kind = SYMBOLS_JIT};
    bool is_open = files->root != NULL ? open_path(files, path, &file) : hold(&file, file_open_trusted(path, process));
    return is_open ? open_text(files, &file, SYMBOLS_JIT, table) : ELF_UNUSABLE;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

bool kernel_is_running(struct text build_id)
{
    enum { MAX_NOTES = 1 << 20 };
    struct open_file file;
    char *notes = NULL;
    size_t length = 0;
    if (text_is_empty(build_id) || !hold(&file, file_open_regular("/sys/kernel/notes")))
        return false;
    enum elf_result result = read_file(&file, MAX_NOTES, &notes, &length);
    close_file(&file);
    return result == ELF_OK && text_same(notes_build_id(text_of(notes, length), 4), build_id);
}

/* Opens the user's table; or that of the running kernel, if it is the one; or perf's copy, in a folder without `/`. */
static bool open_kernel(const struct symbol_files *files, const char *path, struct text build_id,
                        struct open_file *file)
{
    char id[BUILD_ID_TEXT];
    if (path != NULL)
        return hold(file, file_open_regular(path));
    if (files->root == NULL && kernel_is_running(build_id) && hold(file, file_open_regular("/proc/kallsyms")))
        return true;
    set_id(id, build_id);
    if (id[0] != '\0')
        memmove(id + 2, id + 3, strlen(id + 3) + 1);
    return open_path(files, copy_of(files, "[kernel.kallsyms]", id, "kallsyms"), file);
}

enum elf_result kernel_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                    const struct kernel_identity *kernel)
{
    struct open_file file;
    *table = (struct symbol_table){.kind = SYMBOLS_KERNEL};
    if (!open_kernel(files, path, kernel->build_id, &file))
        return ELF_UNUSABLE;
    enum elf_result result = open_text(files, &file, SYMBOLS_KERNEL, table);
    struct text rest = result == ELF_OK ? text_of(table->symbols->bytes, table->symbols->length) : text_of("", 0);
    while (!text_is_empty(kernel->anchor) && !text_is_empty(rest)) { /* it may be loaded elsewhere by now */
        struct text line = text_take_line(&rest), module;
        uint64_t address;
        char type;
        if (!take_kernel_symbol(&line, &address, &type) || !text_same(name_of(line, &module), kernel->anchor))
            continue;
        table->shift = address - kernel->anchor_address;
        break;
    }
    return result;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* Looks at an ELF file, which is closed unless it is one with the build-id. That may be empty: then any will do. */
static enum elf_result look_at(struct symbol_files *files, struct open_file *opened, struct text build_id,
                               struct symbol_file **file)
{
    enum elf_result result = ELF_UNUSABLE;
    *file = know(files, opened);
    if (*file != NULL && !(*file)->is_looked_at) {
        struct elf *elf = &(*file)->elf;
        (*file)->is_looked_at = true;
        (*file)->result = elf_open(elf, opened->fd) ? take_room(files, elf->section_count * elf->section_size)
                                                    : ELF_UNUSABLE;
    }
    if (*file != NULL)
        result = (*file)->result;
    if (result == ELF_OK && !text_is_empty(build_id) && !text_same(build_id, (*file)->elf.build_id))
        result = ELF_UNUSABLE;
    if (result != ELF_OK)
        close_file(opened);
    return result;
}

/* Copies the vdso of this process to a file, which stays open so that no other file is taken for it. */
static bool open_vdso(struct symbol_files *files, struct text build_id, struct open_file *file)
{
    size_t length;
    const void *bytes = system_vdso(&length);
    if (files->root != NULL || bytes == NULL || (text_is_empty(build_id) && !files->is_here))
        return false;
    if (files->vdso.fd < 0 && (!hold(&files->vdso, file_create_unnamed()) ||
                               !file_write_all(files->vdso.fd, bytes, length)))
        return false;
    return hold(file, file_duplicate(files->vdso.fd));
}

/* Opens the object itself, or if that is another one by now, perf's copy. */
static enum elf_result open_object(struct symbol_files *files, const char *path, struct text build_id,
                                   struct open_file *opened, struct symbol_file **file)
{
    char id[BUILD_ID_TEXT];
    bool is_vdso = strcmp(path, "[vdso]") == 0;
    enum elf_result result = ELF_UNUSABLE;
    set_id(id, build_id);
    if (is_vdso ? open_vdso(files, build_id, opened) : open_path(files, path, opened))
        result = look_at(files, opened, build_id, file);
    if (result == ELF_UNUSABLE &&
        open_path(files, copy_of(files, ".build-id", id, is_vdso ? "vdso" : "elf"), opened))
        result = look_at(files, opened, build_id, file);
    return result;
}

/* Takes the symbols of a debug file, if it is there and that of the object. */
static enum elf_result take_debug_file(struct symbol_files *files, const struct elf *elf, const char *path,
                                       struct symbol_table *table)
{
    struct symbol_file *debug;
    struct open_file opened;
    if (!open_path(files, path, &opened))
        return ELF_UNUSABLE;
    enum elf_result result = look_at(files, &opened, elf->build_id, &debug);
    if (result != ELF_OK)
        return result;
    debug->elf.fd = opened.fd;
    if (text_is_empty(elf->build_id) && !debug->has_checksum)
        debug->has_checksum = elf_checksum(&debug->elf, &debug->checksum);
    if (text_is_empty(elf->build_id) && (!debug->has_checksum || debug->checksum != elf->debug_checksum))
        result = ELF_UNUSABLE;
    else
        result = read_table(files, debug, &opened, SYMBOLS_SYMTAB, table);
    close_file(&opened);
    return result;
}

enum elf_result object_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                    struct text build_id)
{
    struct symbol_file *file;
    struct open_file opened;
    enum elf_result result = open_object(files, path, build_id, &opened, &file);
    if (result != ELF_OK)
        return result;
    *table = (struct symbol_table){.segments = &file->elf.segments};
    result = read_table(files, file, &opened, SYMBOLS_SYMTAB, table);
    if (result == ELF_UNUSABLE) {
        /* Where debug files are; and perf's copies of the object or its debug file, from before it was stripped. */
        const char *name = file->elf.debug_name, *paths[6] = {NULL};
        int folder = (int)file_folder_length(path);
        char id[BUILD_ID_TEXT];
        set_id(id, file->elf.build_id);
        if (id[0] != '\0')
            paths[0] = path_of("/usr/lib/debug/.build-id/%s.debug", id);
        if (name != NULL && strchr(name, '/') == NULL) {
            paths[1] = path_of("%.*s%s", folder, path, name);
            paths[2] = path_of("%.*s.debug/%s", folder, path, name);
            paths[3] = path_of("/usr/lib/debug%.*s%s", folder, path, name);
        }
        paths[4] = copy_of(files, ".build-id", id, "elf");
        paths[5] = copy_of(files, ".build-id", id, "debug");
        for (size_t i = 0; i < 6 && result == ELF_UNUSABLE; i++)
            result = take_debug_file(files, &file->elf, paths[i], table);
    }
    if (result == ELF_UNUSABLE)
        result = read_table(files, file, &opened, SYMBOLS_DYNSYM, table);
    close_file(&opened);
    return result;
}

/* ---- lookups ------------------------------------------------------------------------------- */

uint32_t symbol_table_find(const struct symbol_table *table, uint64_t place)
{
    uint64_t address = place + table->shift;
    if (table->segments != NULL && !elf_address(table->segments, place, &address))
        return NONE;
    return symbol_ranges_find(&table->symbols->ranges, address);
}

struct text symbol_table_name(const struct symbol_table *table, uint32_t symbol, struct text *module)
{
    *module = text_of("", 0);
    if (symbol == NONE)
        return text_of("", 0);
    struct text rest = text_of(table->symbols->bytes + symbol, table->symbols->length - symbol);
    switch (table->kind) {
    case SYMBOLS_JIT: return text_take_line(&rest);
    case SYMBOLS_KERNEL: return name_of(text_take_line(&rest), module);
    default: return text_of_string(rest.at);
    }
}
