/*
 * Symbols: of ELF files, of code made at run time, and of the kernel; and the files that hold them. They are named by
 * an input that nobody vouches for: only regular files are opened, each is read once by however many paths it is
 * named, and the sum of the symbols that are kept is bounded.
 */
#ifndef CG2WG_READ_PERF_SYMBOLS_H
#define CG2WG_READ_PERF_SYMBOLS_H

#include "util/index.h"
#include "util/text.h"

enum { BUILD_ID_MAX = 20 /* bytes */, SYMBOLS_MOST_MB = 256 /* memory for all symbols */ };

/* What has become of symbols that are wanted. */
enum symbols_state {
    SYMBOLS_UNTRIED,
    SYMBOLS_OPEN,
    SYMBOLS_MISSING,
    SYMBOLS_LEFT_OUT /* there are more than the memory for them can hold */
};

enum symbols_kind { SYMBOLS_OF_OBJECT, SYMBOLS_OF_JIT, SYMBOLS_OF_KERNEL };

/* The symbols of a file may overlap, but an address belongs to one at most. */
struct symbols {
    enum symbols_kind kind;
    struct symbol_piece {
        uint64_t start; /* a piece ends where the next one starts */
        uint32_t name;  /* its place in the bytes; NONE: nobody's addresses */
    } *pieces; /* all addresses from the first piece on, in order */
    size_t count, capacity;
    char *bytes; /* with the names */
    size_t length;
    struct ids named;     /* for who looks them up: what is known of a symbol's name */
    uint64_t named_bytes; /* ... and how long these names are */
};

/* Of rank: the size is known. Otherwise the range ends at the next start, or at `end` before that. */
#define SYMBOL_HAS_SIZE (UINT64_C(1) << 63)

struct symbol_range {
    uint64_t start, end; /* the first address, and the one after the last */
    uint64_t rank;       /* of several ranges with the same start, the highest one has their addresses */
    uint32_t name;       /* as in a piece */
};

/*
 * Divides the addresses among the ranges, and frees these. One that several of them hold belongs to the last start; in
 * code made at run time, to the highest rank. Of ranges that overlap at one address, 32 are known.
 */
void symbols_divide(struct symbols *symbols, struct symbol_range *ranges, size_t count);

/* The name of the symbol that has the address, or NONE. */
uint32_t symbols_find(const struct symbols *symbols, uint64_t address);

/* ---- ELF files ---------------------------------------------------------------------------- */

/*
 * What finds the symbol of a place in a file. Both classes, little-endian: recordings of other machines are not read
 * either. A file may hold anything: every offset, size and string is checked, and no more is read than there is.
 *
 * Source of the format: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html and <elf.h>.
 */
struct elf {
    const char *bytes; /* all of it, if it is in memory; NULL: it is in a file */
    int fd;            /* of the file, only while it is read */
    uint64_t size;
    uint64_t left; /* how many bytes may still be read */
    bool is_64;
    unsigned machine;
    char *sections; /* their headers, only while it is read; NULL: there are none */
    uint64_t section_count;
    size_t section_size; /* of a header */
    struct elf_segment {
        uint64_t offset, size, address; /* `size` bytes of the file, which are loaded to `address` */
    } *segments;
    size_t segment_count, segment_capacity;
    struct text build_id; /* empty: there is none */
    char *debug_name;     /* of the file that .gnu_debuglink names; NULL: none */
    uint32_t debug_checksum;
    bool has_all; /* the symbols are all that there are, not only those that are exported */
};

/*
 * Reads a file, of which the bytes or the descriptor, and the size, have been set, and its functions. These have `most`
 * bytes of memory, or little more; a NUL follows each name. SYMBOLS_UNTRIED: it is no ELF file.
 */
enum symbols_state elf_read(struct elf *elf, uint64_t most, struct symbols *symbols);

/* The address that a place in the file is loaded to. False: it is not loaded. */
bool elf_address(const struct elf *elf, uint64_t offset, uint64_t *address);

/* The build-id among notes, as sections and /sys/kernel/notes hold them; `align` is 4 or 8. */
struct text notes_build_id(struct text notes, size_t align);

/* ---- files with symbols ------------------------------------------------------------------- */

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
    struct symbols *symbols; /* the files own them, and other tables may have the same; NULL: there are none */
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

/* The name of a symbol. Also sets *module: `[module]` for what belongs to one of the kernel's, or else empty. */
struct text symbols_name(const struct symbols *symbols, uint32_t symbol, struct text *module);

#endif
