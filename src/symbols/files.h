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

/* ---- objects: programs and libraries -------------------------------------------------------- */

struct object_symbols {
    struct elf elf; /* tells where the file is loaded to */
    struct elf_symbols symbols; /* of it, or of its debug file */
};

/*
 * Opens the object that was recorded by its path and, if that is not empty, its build-id: the file itself,
 * or if that is another one by now, perf's copy. ELF_UNUSABLE: there is no such file, or it has no
 * symbols. object_symbols_close has to follow at ELF_OK alone.
 */
enum elf_result object_symbols_open(struct object_symbols *object, const struct symbol_files *files,
                                    const char *path, const struct build_id *build_id);
void object_symbols_close(struct object_symbols *object);

/* The name of the symbol at a place in the file; empty if there is none. */
struct text object_symbols_find(const struct object_symbols *object, uint64_t offset);

/* ---- tables that are text --------------------------------------------------------------------- */

/* Symbols by absolute addresses. */
struct table_symbols {
    char *bytes;
    size_t length;
    uint64_t shift; /* to be added to an address before it is looked up */
    struct symbol_ranges ranges; /* names are places in `bytes` */
};

/* Tables are closed at ELF_OK alone. */
void table_symbols_close(struct table_symbols *table);

/*
 * The code that process `pid` has made: /tmp/perf-PID.map, with lines `HEXSTART HEXSIZE name`. The last
 * line that holds an address wins, for code is replaced.
 */
enum elf_result jit_symbols_open(struct table_symbols *table, const struct symbol_files *files,
                                 uint32_t pid);
struct text jit_symbols_find(const struct table_symbols *table, uint64_t address);

/* How a recording tells its kernel: by a build-id, and where one of its symbols was. */
struct kernel_identity {
    struct build_id build_id;
    const char *anchor; /* the symbol; NULL: it does not say */
    uint64_t anchor_address;
};

/*
 * The kernel's symbols: of the table `path`, if the user names one (else NULL), with lines
 * `HEX TYPE NAME [module]`; or /proc/kallsyms, if the running kernel has the build-id; or perf's copy.
 */
enum elf_result kernel_symbols_open(struct table_symbols *table, const struct symbol_files *files,
                                    const char *path, const struct kernel_identity *kernel);
/* Also sets *module, which is empty for what belongs to the kernel itself. */
struct text kernel_symbols_find(const struct table_symbols *table, uint64_t address,
                                struct text *module);

#endif
