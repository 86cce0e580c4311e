/*
 * Where the files lie that hold symbols. They are named by an input that nobody vouches for: only regular
 * files are opened, and of a text no more than a bounded part is read.
 */
#ifndef CG2WG_SYMBOLS_FILES_H
#define CG2WG_SYMBOLS_FILES_H

#include "symbols/elf.h"

struct symbol_files {
    const char *root; /* a folder that stands for /, outside of which nothing is read; NULL: none does */
    const char *home; /* the user's folder, with perf's cache; NULL: not known */
};

/*
 * Opens a file by its absolute path: below the root, if there is one, by the path or else by the name
 * alone. Returns a descriptor, or -1 with errno.
 */
int symbol_file_open(const struct symbol_files *files, const char *path);

/* The same for perf's cache: a file by the build-id of what it was copied from. */
int symbol_file_open_cached(const struct symbol_files *files, const struct build_id *build_id,
                            const char *name);

/* Why there is no descriptor, by errno: no memory, or no such file. */
enum elf_result symbol_file_missing(void);

/* Reads all of a file that is text, and closes it. The bytes are malloc'ed. */
enum elf_result symbol_file_read(int fd, char **bytes, size_t *length);

/* ---- tables of symbols ----------------------------------------------------------------------- */

enum symbol_table_kind { SYMBOLS_ELF, SYMBOLS_JIT, SYMBOLS_KERNEL };

/* The symbols of an object, of code made at run time, or of the kernel. A symbol's number is its place in `bytes`. */
struct symbol_table {
    enum symbol_table_kind kind;
    struct symbol_ranges ranges;
    char *bytes;
    size_t length;
    struct elf_segments segments; /* of an object: where its file is loaded */
    uint64_t shift;               /* of the kernel: to be added to an address before it is looked up */
};

/*
 * Each of these opens a table. ELF_UNUSABLE: there is no such file, or it has no symbols.
 * symbol_table_close has to follow at ELF_OK alone.
 */

/*
 * The object that was recorded by its path and, if that is not empty, its build-id: the file itself, or if
 * that is another one by now, perf's copy.
 */
enum elf_result object_symbols_open(struct symbol_table *table, const struct symbol_files *files,
                                    const char *path, const struct build_id *build_id);

/*
 * The code that process `pid` has made: /tmp/perf-PID.map, with lines `HEXSTART HEXSIZE name`. The last
 * line that holds an address wins, for code is replaced.
 */
enum elf_result jit_symbols_open(struct symbol_table *table, const struct symbol_files *files,
                                 uint32_t pid);

/* How a recording identifies its kernel: by a build-id, and where one of its symbols was. */
struct kernel_identity {
    struct build_id build_id;
    const char *anchor; /* the symbol; NULL: it does not say */
    uint64_t anchor_address;
};

/*
 * The kernel's symbols: of the table `path`, if the user names one (else NULL), with lines
 * `HEX TYPE NAME [module]`; or /proc/kallsyms, if the running kernel has the build-id; or perf's copy.
 */
enum elf_result kernel_symbols_open(struct symbol_table *table, const struct symbol_files *files,
                                    const char *path, const struct kernel_identity *kernel);

void symbol_table_close(struct symbol_table *table);

/* The symbol at a place, an offset in an object's file or else an address; SYMBOL_NONE: there is none. */
uint32_t symbol_table_find(const struct symbol_table *table, uint64_t place);

/*
 * The name of a symbol, which is empty for SYMBOL_NONE. Also sets *module: `[module]` for what belongs to
 * one of the kernel's, or else empty.
 */
struct text symbol_table_name(const struct symbol_table *table, uint32_t symbol, struct text *module);

#endif
