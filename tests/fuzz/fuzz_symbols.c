/* SPDX-License-Identifier: MIT */
/*
 * Files with symbols: ELF files, and the tables of JIT code and of the kernel. Places all over them have names, early or
 * late; the ranges of an ELF file are in order, and their names within its bytes.
 */
#include "fuzz.h"

#include "os/file.h"
#include "read/perf/elf.h"
#include "read/perf/perf_stacks.h"

#include <string.h>
#include <unistd.h>

enum { PLACES = 64, MOST = 1 << 20 };

/* Places all over the file's addresses, and where the first ones are. */
static uint64_t place_at(unsigned number)
{
    return number < PLACES / 2 ? 0x1000 + number * 16u : (uint64_t)number << (number - PLACES / 2);
}

static void read_elf(const char *path)
{
    struct file_facts facts;
    struct symbols symbols = {.length = 0};
    int fd = file_open(path, FILE_REGULAR);
    FUZZ_CHECK(fd >= 0 && file_look_at(fd, &facts));
    struct elf elf = {.fd = fd, .size = facts.size};
    bool is_open = elf_read(&elf, MOST, &symbols) == SYMBOLS_OPEN;
    close(fd);
    FUZZ_CHECK(text_length(elf.build_id) <= BUILD_ID_MAX);
    FUZZ_CHECK(!is_open || symbols.count > 0);
    for (size_t i = 0; is_open && i < symbols.count; i++) {
        uint32_t name = symbols_find(&symbols, symbols.ranges[i].start);
        FUZZ_CHECK(i == 0 || symbols.ranges[i - 1].start <= symbols.ranges[i].start);
        FUZZ_CHECK(name == NONE || name + strlen(symbols.bytes + name) <= symbols.length);
    }
}

/* Names places in the only object but those that are always there, or in the kernel. */
static void find_names(enum perf_object_kind kind, bool is_late, const struct frontend_options *options)
{
    struct profile profile = {.names = {.count = 0}};
    struct diag diag = {.report = NULL};
    struct builder builder = {.profile = &profile, .diag = &diag};
    bool is_used[PLACES] = {false};
    names_init(&profile.names);
    struct perf_about *about = perf_begin(&builder, options);
    struct perf_object object = {
        .kind = kind, .name = perf_intern(about, text_of_string("/perf-1.map")), .pid = kind == PERF_JIT ? 1 : 0};
    uint32_t number = kind == PERF_KERNEL ? OBJECT_KERNEL : perf_object(&about->stacks, object);
    about->knows_build_ids = !is_late;
    about->kernel_anchor = perf_intern(about, text_of_string("_text"));
    about->kernel_anchor_address = 0x1000;
    for (unsigned k = 0; k < PLACES; k++)
        is_used[perf_place(about, (struct perf_place){.at = place_at(k), .object = number})] = true;
    struct perf_symbol *symbols = perf_find_symbols(about, is_used);
    for (unsigned k = 0; k < PLACES; k++)
        FUZZ_CHECK(!is_used[k] || (symbols[k].name != NAME_EMPTY && symbols[k].object != NAME_EMPTY));
}

/* In a run, which frees what was read. */
static void read_input(void *of)
{
    static const enum perf_object_kind kinds[] = {PERF_FILE, PERF_JIT, PERF_KERNEL};
    struct fuzz_input *input = of;
    unsigned choice = fuzz_choice(input);
    const char *path = fuzz_path("perf-1.map");
    char *root = memory_string(path);
    root[file_folder_length(path) - 1] = '\0';
    write_file(path, input->data, input->size);
    if (choice % 3 == 0)
        read_elf(path);
    struct cg2wg_options given = {.samples = {.root = root, .kernel_table = choice % 3 == 2 ? path : NULL}};
    struct file_rights rights = {.mode = 0};
    struct frontend_options options = {.given = &given, .rights = &rights};
    find_names(kinds[choice % 3], choice % 6 < 3, &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    FUZZ_CHECK(task_run(read_input, &input) != TASK_OUT_OF_MEMORY); /* a table of the kernel may have no symbols */
    return 0;
}
