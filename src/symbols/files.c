#include "symbols/files.h"

#include "util/array.h"
#include "util/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_TEXT = 1 << 28, FIRST_READ = 64 * 1024, BUILD_ID_TEXT = 2 * BUILD_ID_MAX + 1 };

/* ---- opening ------------------------------------------------------------------------------ */

/* Two texts one after the other, in malloc'ed memory; NULL: no memory. */
static char *join(const char *first, const char *second)
{
    size_t length = strlen(first), rest = strlen(second) + 1;
    char *joined = malloc(length + rest);
    if (joined == NULL)
        return NULL;
    memcpy(joined, first, length);
    memcpy(joined + length, second, rest);
    return joined;
}

static int open_below(const char *root, const char *separator, const char *path)
{
    char *folder = join(root, separator), *joined = folder != NULL ? join(folder, path) : NULL;
    int fd = -1, error = joined == NULL ? ENOMEM : EACCES;
    if (joined != NULL && file_is_below(joined, root)) {
        fd = file_open_regular(joined);
        error = errno;
    }
    free(folder);
    free(joined);
    errno = error;
    return fd;
}

int symbol_file_open(const struct symbol_files *files, const char *path)
{
    errno = ENOENT;
    if (files->root == NULL)
        return path[0] == '/' ? file_open_regular(path) : -1;
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
    free(path);
    errno = error;
    return fd;
}

enum elf_result symbol_file_missing(void)
{
    return errno == ENOMEM ? ELF_NO_MEMORY : ELF_UNUSABLE;
}

/* What the system makes up, as /proc/kallsyms, has no size. */
enum elf_result symbol_file_read(int fd, char **bytes, size_t *length)
{
    char *all = NULL;
    size_t room = 0, filled = 0;
    ssize_t count = 1;
    enum elf_result result = ELF_OK;
    while (result == ELF_OK && count > 0 && filled < MAX_TEXT) {
        if (!array_reserve(&all, &room, filled + FIRST_READ, 1)) {
            result = ELF_NO_MEMORY;
            break;
        }
        count = file_read_again(fd, all + filled, room - filled);
        filled += count > 0 ? (size_t)count : 0;
    }
    close(fd);
    if (result == ELF_OK && count != 0)
        result = ELF_UNUSABLE;
    if (result != ELF_OK) {
        free(all);
        return result;
    }
    *bytes = all;
    *length = filled;
    return ELF_OK;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* Opens an ELF file if it is there and has the build-id, unless that is empty. Else it is closed. */
static enum elf_result open_right(struct elf *elf, int fd, const struct build_id *build_id)
{
    if (fd < 0)
        return symbol_file_missing();
    enum elf_result result = elf_open(elf, fd);
    if (result == ELF_OK && build_id->length > 0 && !build_id_same(build_id, &elf->build_id))
        result = ELF_UNUSABLE;
    if (result != ELF_OK)
        elf_close(elf);
    return result;
}

static enum elf_result open_object(struct elf *elf, const struct symbol_files *files,
                                   const char *path, const struct build_id *build_id)
{
    bool is_vdso = strcmp(path, "[vdso]") == 0;
    enum elf_result result = ELF_UNUSABLE;
    if (!is_vdso)
        result = open_right(elf, symbol_file_open(files, path), build_id);
    if (result == ELF_UNUSABLE)
        result = open_right(elf,
                            symbol_file_open_cached(files, build_id, is_vdso ? "vdso" : "elf"),
                            build_id);
    return result;
}

static enum elf_result read_table(struct elf *elf, enum elf_table wanted, struct symbol_table *table)
{
    return elf_read_symbols(elf, wanted, &table->ranges, &table->bytes, &table->length);
}

/* Takes the symbols of a debug file, if it is that of the object. */
static enum elf_result take_debug_file(const struct elf *elf, int fd, struct symbol_table *table)
{
    struct elf debug;
    uint32_t checksum;
    enum elf_result result = open_right(&debug, fd, &elf->build_id);
    if (result != ELF_OK)
        return result;
    if (elf->build_id.length == 0 &&
        (!elf_checksum(&debug, &checksum) || checksum != elf->debug_checksum))
        result = ELF_UNUSABLE;
    if (result == ELF_OK)
        result = read_table(&debug, ELF_SYMTAB, table);
    elf_close(&debug);
    return result;
}

static enum elf_result debug_by_build_id(const struct elf *elf, const struct symbol_files *files,
                                         struct symbol_table *table)
{
    char id[BUILD_ID_TEXT], path[BUILD_ID_TEXT + 64];
    if (elf->build_id.length < 2)
        return ELF_UNUSABLE;
    put_build_id(&elf->build_id, id);
    snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
    return take_debug_file(elf, symbol_file_open(files, path), table);
}

/* The file that .gnu_debuglink names lies next to the object, in .debug/ there, or below /usr/lib/debug. */
static enum elf_result debug_by_link(const struct elf *elf, const struct symbol_files *files,
                                     const char *path, struct symbol_table *table)
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
        char *place = malloc(size);
        if (place == NULL)
            return ELF_NO_MEMORY;
        snprintf(place, size, "%s%.*s%s%s", places[i].before, (int)folder, path, places[i].after,
                 name);
        result = take_debug_file(elf, symbol_file_open(files, place), table);
        free(place);
    }
    return result;
}

enum elf_result object_symbols_open(struct symbol_table *table, const struct symbol_files *files,
                                    const char *path, const struct build_id *build_id)
{
    struct elf elf;
    *table = (struct symbol_table){.kind = SYMBOLS_ELF};
    enum elf_result result = open_object(&elf, files, path, build_id);
    if (result != ELF_OK)
        return result;
    result = read_table(&elf, ELF_SYMTAB, table);
    if (result == ELF_UNUSABLE)
        result = debug_by_build_id(&elf, files, table);
    if (result == ELF_UNUSABLE)
        result = debug_by_link(&elf, files, path, table);
    if (result == ELF_UNUSABLE)
        result = read_table(&elf, ELF_DYNSYM, table);
    if (result == ELF_OK) {
        table->segments = elf.segments;
        elf.segments.items = NULL;
    }
    elf_close(&elf);
    return result;
}
