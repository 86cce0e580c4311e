/*
 * Files with symbols: ELF files, and the tables of JIT code and of the kernel. Names are within the file, and
 * are found again at the places that they were found at.
 */
#include "fuzz.h"

#include "symbols/files.h"
#include "util/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 64 };

/* Places all over the file's addresses, and where the first ones are. */
static uint64_t place_at(unsigned number)
{
    return number < PLACES / 2 ? 0x1000 + number * 16u : (uint64_t)number << (number - PLACES / 2);
}

static void read_elf(const char *path)
{
    static const enum elf_table tables[] = {ELF_SYMTAB, ELF_DYNSYM};
    int fd = file_open_regular(path);
    struct elf elf;
    FUZZ_CHECK(fd >= 0);
    enum elf_result result = elf_open(&elf, fd);
    for (size_t i = 0; result == ELF_OK && i < sizeof tables / sizeof tables[0]; i++) {
        struct elf_symbols symbols = {.strings = NULL};
        if (elf_read_symbols(&elf, tables[i], &symbols) == ELF_OK) {
            FUZZ_CHECK(symbols.ranges.count > 0);
            for (unsigned k = 0; k < PLACES; k++) {
                uint64_t address;
                if (!elf_address(&elf, place_at(k), &address))
                    address = place_at(k);
                struct text name = elf_symbols_find(&symbols, address);
                FUZZ_CHECK(text_is_empty(name) ||
                           (name.at > symbols.strings &&
                            name.end <= symbols.strings + symbols.strings_size));
            }
        }
        elf_symbols_free(&symbols);
    }
    FUZZ_CHECK(elf.build_id.length <= BUILD_ID_MAX);
    elf_close(&elf);
}

static void check_table(struct table_symbols *table,
                        struct text (*find)(const struct table_symbols *table, uint64_t address))
{
    const struct symbol_ranges *ranges = &table->ranges;
    for (size_t i = 0; i < ranges->count; i++) {
        FUZZ_CHECK(ranges->items[i].start < ranges->items[i].end);
        FUZZ_CHECK(i == 0 || ranges->items[i - 1].end <= ranges->items[i].start);
        struct text name = find(table, ranges->items[i].start - table->shift);
        FUZZ_CHECK(text_is_empty(name) ||
                   (name.at >= table->bytes && name.end <= table->bytes + table->length));
        FUZZ_CHECK(text_is_empty(name) == (ranges->items[i].name == SYMBOL_NONE));
    }
    table_symbols_close(table);
}

static struct text find_in_kernel(const struct table_symbols *table, uint64_t address)
{
    struct text module;
    return kernel_symbols_find(table, address, &module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    unsigned choice = fuzz_choice(&input);
    const char *path = fuzz_path("perf-1.map");
    char *root = strdup(path);
    struct table_symbols table;
    FUZZ_CHECK(root != NULL);
    root[file_folder_length(path) - 1] = '\0';
    struct symbol_files files = {.root = root};
    struct kernel_identity kernel = {.anchor = choice % 6 < 3 ? "_text" : NULL, .anchor_address = 0x1000};
    fuzz_write(path, input.data, input.size);
    if (choice % 3 == 0)
        read_elf(path);
    else if (choice % 3 == 1 && jit_symbols_open(&table, &files, 1) == ELF_OK)
        check_table(&table, jit_symbols_find);
    else if (choice % 3 == 2 && kernel_symbols_open(&table, &files, path, &kernel) == ELF_OK)
        check_table(&table, find_in_kernel);
    free(root);
    return 0;
}
