/*
 * Files with symbols: ELF files, and the tables of JIT code and of the kernel. Names are within the file, and
 * are found again at the places that they were found at.
 */
#include "fuzz.h"

#include "read/perf/symbols.h"
#include "os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 64, MOST = 1 << 20 };

/* Places all over the file's addresses, and where the first ones are. */
static uint64_t place_at(unsigned number)
{
    return number < PLACES / 2 ? 0x1000 + number * 16u : (uint64_t)number << (number - PLACES / 2);
}

/* Names of symbols are within the table's bytes. */
static void check_name(const struct symbol_table *table, uint32_t symbol)
{
    struct text module, name = symbol_table_name(table, symbol, &module);
    FUZZ_CHECK(text_is_empty(name) == (symbol == NONE));
    const char *bytes = table->symbols->bytes, *end = bytes + table->symbols->length;
    FUZZ_CHECK(text_is_empty(name) || (name.at >= bytes && name.end <= end));
    FUZZ_CHECK(text_is_empty(module) || (module.at > name.end && module.end <= end));
}

static void read_elf(const char *path)
{
    static const enum elf_table tables[] = {ELF_SYMTAB, ELF_DYNSYM};
    int fd = file_open_regular(path);
    struct elf elf;
    FUZZ_CHECK(fd >= 0);
    bool is_elf = elf_open(&elf, fd);
    for (size_t i = 0; is_elf && i < sizeof tables / sizeof tables[0]; i++) {
        struct symbols symbols = {.length = 0};
        struct symbol_table table = {.symbols = &symbols, .segments = &elf.segments};
        if (elf_read_symbols(&elf, tables[i], MOST, &symbols) == ELF_OK) {
            FUZZ_CHECK(symbols.ranges.count > 0);
            for (unsigned k = 0; k < PLACES; k++) {
                check_name(&table, symbol_table_find(&table, place_at(k)));
                check_name(&table, symbol_ranges_find(&symbols.ranges, place_at(k)));
            }
        }
        memory_free(symbols.ranges.items);
        memory_free(symbols.bytes);
    }
    FUZZ_CHECK(elf.build_id.length <= BUILD_ID_MAX);
    elf_close(&elf);
    close(fd);
}

/* Ranges are in order, and their first addresses belong to them or to one that overlaps. */
static void check_table(struct symbol_table *table)
{
    const struct symbol_ranges *ranges = &table->symbols->ranges;
    for (size_t i = 0; i < ranges->count; i++) {
        FUZZ_CHECK(ranges->items[i].start < ranges->items[i].end);
        FUZZ_CHECK(i == 0 || ranges->items[i - 1].start <= ranges->items[i].start);
        uint32_t symbol = symbol_table_find(table, ranges->items[i].start - table->shift);
        FUZZ_CHECK(symbol != NONE || table->kind == SYMBOLS_KERNEL);
        check_name(table, symbol);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    unsigned choice = fuzz_choice(&input);
    const char *path = fuzz_path("perf-1.map");
    char *root = strdup(path);
    struct symbol_table table;
    FUZZ_CHECK(root != NULL);
    root[file_folder_length(path) - 1] = '\0';
    struct symbol_files files;
    symbol_files_init(&files, root, NULL);
    struct kernel_identity kernel = {.anchor = text_of_string(choice % 6 < 3 ? "_text" : ""), .anchor_address = 0x1000};
    fuzz_write(path, input.data, input.size);
    if (choice % 3 == 0)
        read_elf(path);
    else if (choice % 3 == 1 && jit_symbols_open(&table, &files, 1) == ELF_OK)
        check_table(&table);
    else if (choice % 3 == 2 && kernel_symbols_open(&table, &files, path, &kernel) == ELF_OK)
        check_table(&table);
    symbol_files_free(&files);
    free(root);
    return 0;
}
