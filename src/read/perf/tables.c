/* Tables of symbols that are text: of code made at run time, and of the kernel. */
#include "read/perf/files.h"
#include "os/file.h"

#include "util/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool take_blank(struct text *line)
{
    const char *before = line->at;
    text_skip_blanks(line);
    return line->at > before;
}

/* Reads a text and lets `take` make ranges of its lines, numbered from 1. */
static enum elf_result read_lines(int fd, uint64_t most, struct symbols *symbols,
                                  bool (*take)(struct symbols *symbols, struct text line, uint64_t number))
{
    enum elf_result result = symbol_file_read(fd, most, &symbols->bytes, &symbols->length);
    struct text rest = text_of(symbols->bytes, symbols->length);
    for (uint64_t number = 1; result == ELF_OK && !text_is_empty(rest); number++)
        if (!take(symbols, text_take_line(&rest), number))
            result = ELF_NO_MEMORY;
        else if (symbols->ranges.count * sizeof *symbols->ranges.items > most)
            result = ELF_TOO_LARGE;
    if (result == ELF_OK && !symbol_ranges_separate(&symbols->ranges, false))
        result = ELF_NO_MEMORY;
    return result;
}

/* Opens the table of a text, whose descriptor it takes; -1, with errno: there is none. */
static enum elf_result open_text(struct symbol_files *files, int fd, struct symbol_table *table)
{
    struct symbol_file *file;
    enum elf_result result = symbol_file_know(files, fd, &file);
    if (result == ELF_OK)
        result = symbol_file_read_table(files, file, fd, table);
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- code made at run time ------------------------------------------------------------------ */

static bool take_jit_line(struct symbols *symbols, struct text line, uint64_t number)
{
    struct symbol_range range = {.rank = number | SYMBOL_HAS_SIZE};
    uint64_t size;
    if (!text_take_hex(&line, &range.start) || !take_blank(&line) || !text_take_hex(&line, &size) ||
        !take_blank(&line) || text_is_empty(line))
        return true; /* it is none of the lines that tell a symbol */
    if (__builtin_add_overflow(range.start, size, &range.end))
        range.end = UINT64_MAX;
    range.name = (uint32_t)(line.at - symbols->bytes);
    return symbol_ranges_add(&symbols->ranges, range);
}

enum elf_result jit_symbols_read(int fd, uint64_t most, struct symbols *symbols)
{
    return read_lines(fd, most, symbols, take_jit_line);
}

enum elf_result jit_symbols_open(struct symbol_table *table, struct symbol_files *files, uint32_t pid)
{
    char path[40], process[40];
    snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", pid);
    snprintf(process, sizeof process, "/proc/%" PRIu32, pid);
    *table = (struct symbol_table){.kind = SYMBOLS_JIT};
    int fd = files->root != NULL ? symbol_file_open(files, path) : file_open_trusted(path, process);
    return open_text(files, fd, table);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* `HEX TYPE NAME [module]`, up to the name. False: it is no such line. */
static bool take_kernel_symbol(struct text *line, uint64_t *address, char *type)
{
    if (!text_take_hex(line, address) || !take_blank(line) || text_is_empty(*line))
        return false;
    *type = *line->at++;
    return take_blank(line) && !text_is_empty(*line);
}

/* Data ends a function, and has no name here. */
static bool take_kernel_line(struct symbols *symbols, struct text line, uint64_t number)
{
    struct symbol_range range = {.end = UINT64_MAX, .name = NONE};
    char type;
    if (!take_kernel_symbol(&line, &range.start, &type))
        return true;
    if (strchr("tTwW", type) != NULL) {
        range.rank = number;
        range.name = (uint32_t)(line.at - symbols->bytes);
    }
    return symbol_ranges_add(&symbols->ranges, range);
}

static struct text name_of(struct text line, struct text *module)
{
    struct text name = text_take_word(&line);
    line = text_trim(line);
    *module = text_starts(line, "[") ? line : text_of("", 0);
    return name;
}

/* All addresses are zero where the system does not show them. */
static bool has_addresses(const struct symbol_ranges *ranges)
{
    return ranges->count > 0 && ranges->items[ranges->count - 1].start > 0;
}

/* Nothing follows the last symbol: as perf does, it gets the rest of its page, and another page. */
static void end_last(struct symbol_ranges *ranges)
{
    enum { PAGE = 4096 };
    struct symbol_range *last = &ranges->items[ranges->count - 1];
    if (last->start < UINT64_MAX - 2 * PAGE)
        last->end = (last->start + PAGE - 1) / PAGE * PAGE + PAGE;
}

/* The kernel may have been loaded elsewhere than where the table has it. */
static void find_shift(struct symbol_table *table, const struct kernel_identity *kernel)
{
    struct text rest = text_of(table->symbols->bytes, table->symbols->length);
    while (kernel->anchor != NULL && !text_is_empty(rest)) {
        struct text line = text_take_line(&rest), module;
        uint64_t address;
        char type;
        if (!take_kernel_symbol(&line, &address, &type) ||
            !text_equals(name_of(line, &module), kernel->anchor))
            continue;
        table->shift = address - kernel->anchor_address;
        return;
    }
}

bool kernel_is_running(const struct build_id *build_id)
{
    enum { MAX_NOTES = 1 << 20 };
    char *notes = NULL;
    size_t length = 0;
    int fd = build_id->length > 0 ? file_open_regular("/sys/kernel/notes") : -1;
    enum elf_result result = fd >= 0 ? symbol_file_read(fd, MAX_NOTES, &notes, &length) : ELF_UNUSABLE;
    struct build_id running = notes_build_id(text_of(notes, length), 4);
    memory_free(notes);
    if (fd >= 0)
        close(fd);
    errno = result == ELF_NO_MEMORY ? ENOMEM : ENOENT;
    return result == ELF_OK && build_id_same(&running, build_id);
}

static int open_kernel_table(const struct symbol_files *files, const char *path,
                             const struct build_id *build_id)
{
    if (path != NULL)
        return file_open_regular(path);
    errno = ENOENT;
    bool is_running = files->root == NULL && kernel_is_running(build_id);
    int fd = is_running ? file_open_regular("/proc/kallsyms") : -1;
    return fd >= 0 || errno == ENOMEM ? fd : symbol_file_open_cached(files, build_id, "kallsyms");
}

enum elf_result kernel_symbols_read(int fd, uint64_t most, struct symbols *symbols)
{
    enum elf_result result = read_lines(fd, most, symbols, take_kernel_line);
    if (result != ELF_OK || !has_addresses(&symbols->ranges))
        return result != ELF_OK ? result : ELF_UNUSABLE;
    end_last(&symbols->ranges);
    return ELF_OK;
}

enum elf_result kernel_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                    const struct kernel_identity *kernel)
{
    *table = (struct symbol_table){.kind = SYMBOLS_KERNEL};
    enum elf_result result = open_text(files, open_kernel_table(files, path, &kernel->build_id), table);
    if (result == ELF_OK)
        find_shift(table, kernel);
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
