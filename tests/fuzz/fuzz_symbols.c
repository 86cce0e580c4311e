/*
 * Files with symbols: ELF files, and the tables of JIT code and of the kernel. Names are within the file, and
 * are found again at the places that they were found at.
 */
#include "fuzz.h"

#include "read/perf/symbols.h"
#include "os/file.h"

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
    if (symbol == NONE)
        return;
    struct text module, name = symbols_name(table->symbols, symbol, &module);
    FUZZ_CHECK(!text_is_empty(name));
    const char *bytes = table->symbols->bytes, *end = bytes + table->symbols->length;
    FUZZ_CHECK(name.at >= bytes && name.end <= end);
    FUZZ_CHECK(text_is_empty(module) || (module.at > name.end && module.end <= end));
}

/* Pieces are in order, and each begins with an address of its symbol. */
static void check_symbols(const struct symbol_table *table)
{
    const struct symbols *symbols = table->symbols;
    for (size_t i = 0; i < symbols->count; i++) {
        FUZZ_CHECK(i == 0 || symbols->pieces[i - 1].start < symbols->pieces[i].start);
        FUZZ_CHECK(symbols_find(symbols, symbols->pieces[i].start) == symbols->pieces[i].name);
        check_name(table, symbols->pieces[i].name);
    }
}

static void read_elf(const char *path)
{
    struct file_facts facts;
    struct symbols symbols = {.length = 0};
    int fd = file_open(path, FILE_REGULAR);
    FUZZ_CHECK(fd >= 0 && file_look_at(fd, &facts));
    struct elf elf = {.fd = fd, .size = facts.size};
    struct symbol_table table = {.symbols = &symbols, .elf = &elf};
    if (elf_read(&elf, MOST, &symbols) == SYMBOLS_OPEN) {
        FUZZ_CHECK(symbols.count > 0);
        check_symbols(&table);
        for (unsigned k = 0; k < PLACES; k++)
            check_name(&table, symbol_table_find(&table, place_at(k)));
    }
    FUZZ_CHECK(text_length(elf.build_id) <= BUILD_ID_MAX);
    close(fd);
}

/* In a run, which frees what was read. */
static void read_input(void *of)
{
    struct fuzz_input *input = of;
    unsigned choice = fuzz_choice(input);
    const char *path = fuzz_path("perf-1.map");
    char *root = memory_string(path);
    struct symbol_table table;
    root[file_folder_length(path) - 1] = '\0';
    struct symbol_files files;
    symbol_files_init(&files, root, NULL);
    struct kernel_identity kernel = {.anchor = text_of_string(choice % 6 < 3 ? "_text" : ""), .anchor_address = 0x1000};
    fuzz_write(path, input->data, input->size);
    if (choice % 3 == 0)
        read_elf(path);
    else if (choice % 3 == 1 && jit_symbols_open(&table, &files, 1) == SYMBOLS_OPEN)
        check_symbols(&table);
    else if (choice % 3 == 2 && kernel_symbols_open(&table, &files, path, &kernel) == SYMBOLS_OPEN)
        check_symbols(&table);
    symbol_files_free(&files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    FUZZ_CHECK(run_work(read_input, &input) == RUN_DONE);
    return 0;
}
