/*
 * The files that hold symbols: where they are, and their tables. They are named by an input that nobody vouches
 * for: only regular files are opened, each is read once by however many paths it is named, and the sum of the
 * symbols that are kept is bounded.
 */
#ifndef CG2WG_READ_PERF_SYMBOLS_H
#define CG2WG_READ_PERF_SYMBOLS_H

#include "read/perf/elf.h"

enum { SYMBOLS_MOST_MB = 256 }; /* memory for all symbols */

struct symbol_files {
    const char *root; /* a folder in place of /, outside of which nothing is read; NULL: none */
    bool is_here;     /* the recording is from this machine, and its kernel is running */
    struct run_held held;
    int fd; /* of the file that is being read */
    struct known_file {
        uint64_t volume, number, kind;
        struct symbol_file *file;
    } *known; /* each file that has been opened; its key has no padding */
    size_t capacity;
    struct index index; /* which counts them, too */
    uint64_t left;      /* bytes of memory for symbols */
};

/* Files without any that is known, with the seed of `other`. They stay where they are. */
void symbol_files_init(struct symbol_files *files, const char *root, const struct index *other);
void symbol_files_free(struct symbol_files *files);

/* The symbols of an object, of code made at run time, or of the kernel. A symbol's number is its place in `bytes`. */
struct symbol_table {
    enum symbols_kind { SYMBOLS_OF_OBJECT, SYMBOLS_OF_JIT, SYMBOLS_OF_KERNEL } kind;
    struct symbols *symbols; /* the files own them, and other tables may have the same */
    const struct elf *elf;   /* of an object: knows where its file is loaded; otherwise NULL */
    uint64_t shift;          /* of the kernel: to be added to an address before it is looked up */
};

/* Each of these opens a table, which is valid until the files are freed. */

/*
 * The object that was recorded by its path and, if that is not empty, its build-id: the file itself, or if
 * that is another one by now, perf's copy. Also [vdso].
 */
enum symbols_state object_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                       struct text build_id);

/*
 * The code that process `pid` has made: /tmp/perf-PID.map, with lines `HEXSTART HEXSIZE name`. The last
 * line that holds an address wins, for code is replaced. It must be a file of this user, of root or of
 * whom process `pid` belongs to, if it is running.
 */
enum symbols_state jit_symbols_open(struct symbol_table *table, struct symbol_files *files, uint32_t pid);

/* Is that the build-id of the running kernel? */
bool kernel_is_running(struct symbol_files *files, struct text build_id);

/* How a recording identifies its kernel: by a build-id, and where one of its symbols was. */
struct kernel_identity {
    struct text build_id, anchor; /* anchor: the symbol; empty: it does not say */
    uint64_t anchor_address;
};

/*
 * The kernel's symbols: of the table `path`, if the user names one (else NULL), with lines
 * `HEX TYPE NAME [module]`; or /proc/kallsyms, if the running kernel has the build-id; or perf's copy.
 */
enum symbols_state kernel_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                       const struct kernel_identity *kernel);

/* The symbol at a place, an offset in an object's file or else an address; NONE: there is none. */
uint32_t symbol_table_find(const struct symbol_table *table, uint64_t place);

/*
 * The name of a symbol, which is empty for NONE. Also sets *module: `[module]` for what belongs to
 * one of the kernel's, or else empty.
 */
struct text symbol_table_name(const struct symbol_table *table, uint32_t symbol, struct text *module);

#endif
