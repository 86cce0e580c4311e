#include "read/perf/files.h"

#include "util/array.h"
#include "os/file.h"
#include "os/system.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST_READ = 64 * 1024, BUILD_ID_TEXT = 2 * BUILD_ID_MAX + 1 };

/* ---- opening ------------------------------------------------------------------------------ */

/* Two texts one after the other, in malloc'ed memory; NULL: no memory. */
static char *join(const char *first, const char *second)
{
    size_t length = strlen(first), rest = strlen(second) + 1;
    char *joined = memory_get(length + rest);
    if (joined == NULL)
        return NULL;
    memcpy(joined, first, length);
    memcpy(joined + length, second, rest);
    return joined;
}

static int open_below(const char *root, const char *separator, const char *path)
{
    char *folder = join(root, separator), *joined = folder != NULL ? join(folder, path) : NULL;
    int fd = joined != NULL ? file_open_below(joined, root) : -1, error = joined != NULL ? errno : ENOMEM;
    memory_free(folder);
    memory_free(joined);
    errno = error;
    return fd;
}

/* Devices are not opened: that may do anything. */
static int open_regular(const char *path)
{
    struct file_facts facts;
    errno = ENOENT;
    return path[0] == '/' && file_look(path, &facts) && facts.kind == FILE_IS_REGULAR ? file_open_regular(path) : -1;
}

int symbol_file_open(const struct symbol_files *files, const char *path)
{
    if (files->root == NULL)
        return open_regular(path);
    int fd = open_below(files->root, path[0] == '/' ? "" : "/", path);
    if (fd >= 0 || errno == ENOMEM)
        return fd;
    return open_below(files->root, "/", path + file_folder_length(path));
}

/* As hexadecimal digits; it is not empty. */
static void put_build_id(const struct build_id *id, char text[BUILD_ID_TEXT])
{
    for (size_t i = 0; i < id->length; i++)
        snprintf(text + 2 * i, 3, "%02x", id->bytes[i]);
}

int symbol_file_open_cached(const struct symbol_files *files, const struct build_id *build_id,
                            const char *name)
{
    char id[BUILD_ID_TEXT], place[BUILD_ID_TEXT + 64];
    errno = ENOENT;
    if (files->root != NULL || files->home == NULL || build_id->length < 2)
        return -1;
    put_build_id(build_id, id);
    if (strcmp(name, "kallsyms") == 0)
        snprintf(place, sizeof place, "/.debug/[kernel.kallsyms]/%s/%s", id, name);
    else
        snprintf(place, sizeof place, "/.debug/.build-id/%.2s/%s/%s", id, id + 2, name);
    char *path = join(files->home, place);
    int fd = path != NULL ? file_open_regular(path) : -1, error = path != NULL ? errno : ENOMEM;
    memory_free(path);
    errno = error;
    return fd;
}

/* What the system makes up, as /proc/kallsyms, has no size. */
enum elf_result symbol_file_read(int fd, uint64_t most, char **bytes, size_t *length)
{
    size_t room = 0;
    ssize_t count = 1;
    while (count > 0 && *length <= most) {
        if (!(array_reserve(bytes, &room, *length + FIRST_READ, 1), true))
            return ELF_NO_MEMORY;
        count = file_read_again(fd, *bytes + *length, room - *length);
        *length += count > 0 ? (size_t)count : 0;
    }
    return count == 0 ? ELF_OK : count < 0 ? ELF_UNUSABLE : ELF_TOO_LARGE;
}

/* ---- what is known of files ----------------------------------------------------------------- */

bool symbol_files_init(struct symbol_files *files, const char *root, const struct index *other)
{
    *files = (struct symbol_files){
        .root = root, .home = getenv("HOME"), .vdso = -1, .left = (uint64_t)SYMBOLS_MOST_MB << 20};
    index_init(&files->index, other);
    return true;
}

static void free_symbols(struct symbols *symbols)
{
    symbol_ranges_free(&symbols->ranges);
    memory_free(symbols->bytes);
    ids_free(&symbols->named);
    *symbols = (struct symbols){.length = 0};
}

void symbol_files_free(struct symbol_files *files)
{
    for (size_t i = 0; i < files->index.used; i++) {
        struct symbol_file *file = files->known[i].file;
        for (size_t k = 0; file != NULL && k < SYMBOLS_KINDS; k++)
            free_symbols(&file->tables[k].symbols);
        if (file != NULL)
            elf_close(&file->elf);
        memory_free(file);
    }
    if (files->vdso >= 0)
        close(files->vdso);
    memory_free(files->known);
    index_free(&files->index);
}

enum elf_result symbol_file_know(struct symbol_files *files, int fd, struct symbol_file **file)
{
    struct file_facts facts;
    uint32_t number;
    if (fd < 0)
        return errno == ENOMEM ? ELF_NO_MEMORY : ELF_UNUSABLE;
    if (!file_look_at(fd, &facts))
        return ELF_UNUSABLE;
    struct known_file known = {.volume = facts.volume, .number = facts.number};
    uint32_t hash = hash_numbers(&files->index.seed, facts.volume, facts.number);
    if (!(number = index_intern(&files->index, hash, &files->known, &files->capacity, &known, sizeof known,
                      offsetof(struct known_file, file)), true))
        return ELF_NO_MEMORY;
    if (files->known[number].file == NULL)
        files->known[number].file = memory_zeroed(1, sizeof **file);
    *file = files->known[number].file;
    return *file != NULL ? ELF_OK : ELF_NO_MEMORY;
}

/* Takes `size` bytes of what is left for symbols. */
static enum elf_result take_room(struct symbol_files *files, uint64_t size)
{
    if (size > files->left)
        return ELF_TOO_LARGE;
    files->left -= size;
    return ELF_OK;
}

static enum elf_result read_symbols(struct symbol_file *file, int fd, enum symbol_table_kind kind, uint64_t most,
                                    struct symbols *symbols)
{
    file->elf.fd = fd;
    switch (kind) {
    case SYMBOLS_SYMTAB: return elf_read_symbols(&file->elf, ELF_SYMTAB, most, symbols);
    case SYMBOLS_DYNSYM: return elf_read_symbols(&file->elf, ELF_DYNSYM, most, symbols);
    case SYMBOLS_JIT: return jit_symbols_read(fd, most, symbols);
    default: return kernel_symbols_read(fd, most, symbols);
    }
}

enum elf_result symbol_file_read_table(struct symbol_files *files, struct symbol_file *file, int fd,
                                       struct symbol_table *table)
{
    struct symbol_file_table *t = &file->tables[table->kind];
    table->symbols = &t->symbols;
    if (t->is_tried)
        return t->result;
    t->is_tried = true;
    t->result = read_symbols(file, fd, table->kind, files->left, &t->symbols);
    if (t->result == ELF_OK)
        t->result = take_room(files, t->symbols.length + t->symbols.ranges.count * sizeof *t->symbols.ranges.items);
    if (t->result == ELF_OK && !(ids_init(&t->symbols.named, &files->index), true))
        t->result = ELF_NO_MEMORY;
    if (t->result != ELF_OK)
        free_symbols(&t->symbols);
    return t->result;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* Looks at an ELF file if it is there and has the build-id, unless that is empty. Else it is closed. */
static enum elf_result open_right(struct symbol_files *files, int fd, const struct build_id *build_id,
                                  struct symbol_file **file)
{
    enum elf_result result = symbol_file_know(files, fd, file);
    if (result == ELF_OK && !(*file)->is_looked_at) {
        struct elf *elf = &(*file)->elf;
        (*file)->is_looked_at = true;
        (*file)->elf_result = elf_open(elf, fd);
        if ((*file)->elf_result == ELF_OK)
            (*file)->elf_result = take_room(files, elf->section_count * elf->section_size);
    }
    if (result == ELF_OK)
        result = (*file)->elf_result;
    if (result == ELF_OK && build_id->length > 0 && !build_id_same(build_id, &(*file)->elf.build_id))
        result = ELF_UNUSABLE;
    if (result != ELF_OK && fd >= 0)
        close(fd);
    return result;
}

/* Copies the vdso of this process to a file, which stays open so that no other file is taken for it. */
static int open_vdso(struct symbol_files *files, const struct build_id *build_id)
{
    size_t length;
    const void *bytes = system_vdso(&length);
    errno = ENOENT;
    if (files->root != NULL || bytes == NULL || (build_id->length == 0 && !files->is_here))
        return -1;
    if (files->vdso < 0) {
        files->vdso = file_create_unnamed();
        if (files->vdso < 0 || !file_write_all(files->vdso, bytes, length))
            return -1;
    }
    return file_duplicate(files->vdso);
}

static enum elf_result open_object(struct symbol_files *files, const char *path, const struct build_id *build_id,
                                   int *fd, struct symbol_file **file)
{
    bool is_vdso = strcmp(path, "[vdso]") == 0;
    *fd = is_vdso ? open_vdso(files, build_id) : symbol_file_open(files, path);
    enum elf_result result = open_right(files, *fd, build_id, file);
    if (result == ELF_UNUSABLE) {
        *fd = symbol_file_open_cached(files, build_id, is_vdso ? "vdso" : "elf");
        result = open_right(files, *fd, build_id, file);
    }
    return result;
}

static enum elf_result read_table(struct symbol_files *files, struct symbol_file *file, int fd,
                                  enum symbol_table_kind kind, struct symbol_table *table)
{
    table->kind = kind;
    return symbol_file_read_table(files, file, fd, table);
}

static bool has_checksum(struct symbol_file *file, int fd, uint32_t checksum)
{
    file->elf.fd = fd;
    if (!file->has_checksum && !elf_checksum(&file->elf, &file->checksum))
        return false;
    file->has_checksum = true;
    return file->checksum == checksum;
}

/* Takes the symbols of a debug file, if it is that of the object. */
static enum elf_result take_debug_file(struct symbol_files *files, const struct elf *elf, int fd,
                                       struct symbol_table *table)
{
    struct symbol_file *debug;
    enum elf_result result = open_right(files, fd, &elf->build_id, &debug);
    if (result != ELF_OK)
        return result;
    if (elf->build_id.length == 0 && !has_checksum(debug, fd, elf->debug_checksum))
        result = ELF_UNUSABLE;
    if (result == ELF_OK)
        result = read_table(files, debug, fd, SYMBOLS_SYMTAB, table);
    close(fd);
    return result;
}

static enum elf_result debug_by_build_id(struct symbol_files *files, const struct elf *elf,
                                         struct symbol_table *table)
{
    char id[BUILD_ID_TEXT], path[BUILD_ID_TEXT + 64];
    if (elf->build_id.length < 2)
        return ELF_UNUSABLE;
    put_build_id(&elf->build_id, id);
    snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
    return take_debug_file(files, elf, symbol_file_open(files, path), table);
}

/* The file that .gnu_debuglink names is next to the object, in .debug/ there, or below /usr/lib/debug. */
static enum elf_result debug_by_link(struct symbol_files *files, const struct elf *elf, const char *path,
                                     struct symbol_table *table)
{
    static const struct {
        const char *before, *after;
    } places[] = {{"", ""}, {"", ".debug/"}, {"/usr/lib/debug", ""}};
    const char *name = elf->debug_name;
    size_t folder = file_folder_length(path);
    enum elf_result result = ELF_UNUSABLE;
    if (name == NULL || strchr(name, '/') != NULL)
        return ELF_UNUSABLE;
    for (size_t i = 0; result == ELF_UNUSABLE && i < sizeof places / sizeof places[0]; i++) {
        size_t size = strlen(places[i].before) + folder + strlen(places[i].after) + strlen(name) + 1;
        char *place = memory_get(size);
        if (place == NULL)
            return ELF_NO_MEMORY;
        snprintf(place, size, "%s%.*s%s%s", places[i].before, (int)folder, path, places[i].after,
                 name);
        result = take_debug_file(files, elf, symbol_file_open(files, place), table);
        memory_free(place);
    }
    return result;
}

/* perf's copy of an object, or of its debug file, from before the object was stripped */
static enum elf_result take_cached(struct symbol_files *files, const struct elf *elf, const char *name,
                                   struct symbol_table *table)
{
    return take_debug_file(files, elf, symbol_file_open_cached(files, &elf->build_id, name), table);
}

enum elf_result object_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                    const struct build_id *build_id)
{
    int fd = -1;
    struct symbol_file *file;
    enum elf_result result = open_object(files, path, build_id, &fd, &file);
    if (result != ELF_OK)
        return result;
    *table = (struct symbol_table){.segments = &file->elf.segments};
    result = read_table(files, file, fd, SYMBOLS_SYMTAB, table);
    if (result == ELF_UNUSABLE)
        result = debug_by_build_id(files, &file->elf, table);
    if (result == ELF_UNUSABLE)
        result = debug_by_link(files, &file->elf, path, table);
    if (result == ELF_UNUSABLE)
        result = take_cached(files, &file->elf, "elf", table);
    if (result == ELF_UNUSABLE)
        result = take_cached(files, &file->elf, "debug", table);
    if (result == ELF_UNUSABLE)
        result = read_table(files, file, fd, SYMBOLS_DYNSYM, table);
    close(fd);
    return result;
}
