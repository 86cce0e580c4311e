/* Tables of symbols that are text: of code made at run time, and of the kernel. */
#include "symbols/files.h"
#include "util/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void table_symbols_close(struct table_symbols *table)
{
    free(table->bytes);
    symbol_ranges_free(&table->ranges);
}

/* Takes the next line off the start. */
static struct text take_line(struct text *rest)
{
    const char *newline = memchr(rest->at, '\n', text_length(*rest));
    struct text line = {rest->at, newline != NULL ? newline : rest->end};
    rest->at = newline != NULL ? newline + 1 : rest->end;
    return line;
}

static bool take_blank(struct text *line)
{
    const char *before = line->at;
    text_skip_blanks(line);
    return line->at > before;
}

/* The line from a place on that a range has for its name. */
static struct text line_at(const struct table_symbols *table, uint32_t place)
{
    struct text rest = text_of(table->bytes + place, table->length - place);
    return take_line(&rest);
}

/* Reads a text and lets `take` make ranges of its lines, numbered from 1. */
static enum elf_result read_table(struct table_symbols *table, int fd,
                                  bool (*take)(struct table_symbols *table, struct text line,
                                               uint64_t number))
{
    *table = (struct table_symbols){.shift = 0};
    if (fd < 0)
        return symbol_file_missing();
    enum elf_result result = symbol_file_read(fd, &table->bytes, &table->length);
    if (result != ELF_OK)
        return result;
    struct text rest = text_of(table->bytes, table->length);
    for (uint64_t number = 1; result == ELF_OK && !text_is_empty(rest); number++)
        if (!take(table, take_line(&rest), number))
            result = ELF_NO_MEMORY;
    if (result == ELF_OK && !symbol_ranges_settle(&table->ranges, false))
        result = ELF_NO_MEMORY;
    if (result != ELF_OK)
        table_symbols_close(table);
    return result;
}

/* ---- code made at run time ------------------------------------------------------------------ */

static bool take_jit_line(struct table_symbols *table, struct text line, uint64_t number)
{
    struct symbol_range range = {.rank = number};
    uint64_t size;
    if (!text_take_hex(&line, &range.start) || !take_blank(&line) || !text_take_hex(&line, &size) ||
        !take_blank(&line) || text_is_empty(line))
        return true; /* it is none of the lines that tell a symbol */
    if (__builtin_add_overflow(range.start, size, &range.end))
        range.end = UINT64_MAX;
    range.name = (uint32_t)(line.at - table->bytes);
    return symbol_ranges_add(&table->ranges, range);
}

enum elf_result jit_symbols_open(struct table_symbols *table, const struct symbol_files *files,
                                 uint32_t pid)
{
    char path[40];
    snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", pid);
    return read_table(table, symbol_file_open(files, path), take_jit_line);
}

struct text jit_symbols_find(const struct table_symbols *table, uint64_t address)
{
    uint32_t place = symbol_ranges_find(&table->ranges, address);
    return place == SYMBOL_NONE ? text_of("", 0) : line_at(table, place);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* `HEX TYPE NAME [module]`. Data ends a function, and has no name here. */
static bool take_kernel_line(struct table_symbols *table, struct text line, uint64_t number)
{
    struct symbol_range range = {.end = UINT64_MAX, .is_open = true, .name = SYMBOL_NONE};
    if (!text_take_hex(&line, &range.start) || !take_blank(&line) || text_length(line) < 3 ||
        !char_is_blank(line.at[1]))
        return true;
    bool is_function = strchr("tTwW", line.at[0]) != NULL;
    line.at++;
    take_blank(&line);
    if (is_function && !text_is_empty(line)) {
        range.rank = number;
        range.name = (uint32_t)(line.at - table->bytes);
    }
    return symbol_ranges_add(&table->ranges, range);
}

static struct text name_of(struct text line, struct text *module)
{
    struct text name = text_take_word(&line);
    line = text_trim(line);
    *module = text_starts(line, "[") ? line : text_of("", 0);
    return name;
}

/* All addresses are zero where the system does not show them. */
static bool has_addresses(const struct table_symbols *table)
{
    const struct symbol_ranges *ranges = &table->ranges;
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
static void find_shift(struct table_symbols *table, const struct kernel_identity *kernel)
{
    struct text rest = text_of(table->bytes, table->length);
    while (kernel->anchor != NULL && !text_is_empty(rest)) {
        struct text line = take_line(&rest), module;
        uint64_t address;
        if (!text_take_hex(&line, &address) || !take_blank(&line) || text_length(line) < 3)
            continue;
        line.at++;
        take_blank(&line);
        if (!text_equals(name_of(line, &module), kernel->anchor))
            continue;
        table->shift = address - kernel->anchor_address;
        return;
    }
}

/* Sets errno, to ENOMEM if it cannot be told for want of memory. */
static bool is_running_kernel(const struct build_id *build_id)
{
    char *notes = NULL;
    size_t length;
    int fd = build_id->length > 0 ? file_open_regular("/sys/kernel/notes") : -1;
    enum elf_result result = fd >= 0 ? symbol_file_read(fd, &notes, &length) : ELF_UNUSABLE;
    errno = result == ELF_NO_MEMORY ? ENOMEM : ENOENT;
    if (result != ELF_OK)
        return false;
    struct build_id running = notes_build_id(text_of(notes, length), 4);
    free(notes);
    return build_id_same(&running, build_id);
}

static int open_kernel_table(const struct symbol_files *files, const char *path,
                             const struct build_id *build_id)
{
    if (path != NULL)
        return file_open_regular(path);
    errno = ENOENT;
    if (files->root != NULL)
        return -1;
    int fd = is_running_kernel(build_id) ? file_open_regular("/proc/kallsyms") : -1;
    return fd >= 0 || errno == ENOMEM ? fd : symbol_file_open_cached(files, build_id, "kallsyms");
}

enum elf_result kernel_symbols_open(struct table_symbols *table, const struct symbol_files *files,
                                    const char *path, const struct kernel_identity *kernel)
{
    enum elf_result result = read_table(table, open_kernel_table(files, path, &kernel->build_id),
                                        take_kernel_line);
    if (result != ELF_OK)
        return result;
    if (!has_addresses(table)) {
        table_symbols_close(table);
        return ELF_UNUSABLE;
    }
    end_last(&table->ranges);
    find_shift(table, kernel);
    return ELF_OK;
}

struct text kernel_symbols_find(const struct table_symbols *table, uint64_t address,
                                struct text *module)
{
    uint32_t place = symbol_ranges_find(&table->ranges, address + table->shift);
    *module = text_of("", 0);
    return place == SYMBOL_NONE ? text_of("", 0) : name_of(line_at(table, place), module);
}
