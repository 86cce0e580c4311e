/* SPDX-License-Identifier: MIT */
/*
 * The functions of ELF files: segments, symbols and the build-id are what finds the symbol of a place in a file. Both
 * classes, little-endian: recordings of other machines are not read either. A file may hold anything: every offset,
 * size and string is checked, and no more is read than there is.
 *
 * Source of the format: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html and <elf.h>.
 */
#ifndef CG2WG_READ_PERF_ELF_H
#define CG2WG_READ_PERF_ELF_H

#include "util/index.h"
#include "util/text.h"

enum { BUILD_ID_MAX = 20 }; /* bytes */

/* What has become of symbols that are wanted. They are left out if the memory for them cannot hold all. */
enum symbols_state { SYMBOLS_UNTRIED, SYMBOLS_OPEN, SYMBOLS_MISSING, SYMBOLS_LEFT_OUT };

/* A bit of rank: the symbol has a size. Without one, its range ends at the next start, or at `end` before that. */
#define SYMBOL_HAS_SIZE (UINT64_C(1) << 63)

/* The symbols of a file may overlap, but an address belongs to one at most. */
struct symbols {
    struct symbol_range {
        uint64_t start, end; /* the first address, and the one after the last */
        uint64_t reach;      /* the latest end of all ranges up to this one, once they are sorted */
        uint64_t rank;       /* of several ranges with the same start, the highest one has their addresses */
        uint32_t name;       /* where it begins in the bytes; NONE: nobody's addresses */
    } *ranges;
    size_t count, capacity;
    bool by_rank; /* of all ranges that hold an address, the highest has it; otherwise the last one does */
    char *bytes;  /* with the names */
    size_t length;
};

/* Completes the ranges, and sorts them for lookups. */
void symbols_sort(struct symbols *symbols);

/* The name of the symbol that has the address, or NONE. */
uint32_t symbols_find(const struct symbols *symbols, uint64_t address);

struct elf {
    const char *bytes; /* all of it, if it is in memory; NULL: it is in a file */
    int fd;            /* of the file, only while it is read */
    uint64_t size;
    uint64_t taken; /* how many bytes have been read */
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
    bool has_all;   /* the symbols are all that there are, not only those that are exported */
    bool has_lines; /* debug information, all of which is here, says which lines of source its code is of */
};

/*
 * Reads a file, of which the bytes or the descriptor, and the size, have been set, and its functions. These have `most`
 * bytes of memory, or little more; a NUL follows each name. SYMBOLS_UNTRIED: it is no ELF file.
 */
enum symbols_state elf_read(struct elf *elf, uint64_t most, struct symbols *symbols);

/* The build-id among notes, as sections and /sys/kernel/notes hold them; `align` is 4 or 8. */
struct text notes_build_id(struct text notes, size_t align);

#endif
