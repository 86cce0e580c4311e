/*
 * ELF files: what finds the symbol of a place in a file, which are segments, symbols and the build-id.
 * Both classes, little-endian: recordings of other machines are not read either.
 *
 * Source of the format: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html and <elf.h>. A file
 * may hold anything: every offset, size and string is checked, and no more is read than there is.
 */
#ifndef CG2WG_READ_PERF_ELF_H
#define CG2WG_READ_PERF_ELF_H

#include "read/perf/ranges.h"
#include "util/index.h"
#include "util/text.h"

enum { BUILD_ID_MAX = 20 };

struct build_id {
    unsigned char bytes[BUILD_ID_MAX];
    size_t length; /* 0: there is none */
};

static inline bool build_id_same(const struct build_id *a, const struct build_id *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* ELF_TOO_LARGE: there is more than the caller wants. */
enum elf_result { ELF_OK, ELF_UNUSABLE, ELF_TOO_LARGE };

struct elf_segment {
    uint64_t offset, size, address; /* `size` bytes of the file, which are loaded to `address` */
};

/* The segments of a file that are loaded. */
struct elf_segments {
    struct elf_segment *items;
    size_t count, capacity;
};

struct elf {
    int fd; /* borrowed: to be valid while symbols or a checksum are read */
    uint64_t size;
    uint64_t left; /* how many bytes may still be read */
    bool is_64;
    unsigned machine;
    struct elf_segments segments;
    char *sections; /* the table of section headers */
    size_t section_count, section_size;
    struct build_id build_id;
    char *debug_name; /* of the file that .gnu_debuglink names; NULL: none */
    uint32_t debug_checksum;
};

/*
 * Reads the headers of an ELF file, of which the descriptor is borrowed. elf_close follows, whatever the result.
 * False: it is none.
 */
bool elf_open(struct elf *elf, int fd);
void elf_close(struct elf *elf);

/* The address that a place in the file is loaded to. False: it is not loaded. */
bool elf_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address);

enum elf_table { ELF_SYMTAB = 2, ELF_DYNSYM = 11 };

struct symbols {
    struct symbol_ranges ranges; /* which know a name by its place in `bytes` */
    char *bytes;
    size_t length;
    struct ids named; /* for who looks them up: what is known of a symbol's name */
    uint64_t named_bytes; /* ... and how long these names are */
};

/*
 * Reads the functions of a symbol table, in whose bytes a NUL follows each name; they take `most` bytes of memory,
 * or little more. `symbols` are empty before; the caller frees them, whatever the result. ELF_UNUSABLE: there is
 * no such table, or it has no functions.
 */
enum elf_result elf_read_symbols(struct elf *elf, enum elf_table table, uint64_t most, struct symbols *symbols);

/* The CRC-32 of the whole file, which .gnu_debuglink contains. False: it cannot be read. */
bool elf_checksum(const struct elf *elf, uint32_t *checksum);

/* The build-id among notes, as sections and /sys/kernel/notes hold them; `align` is 4 or 8. */
struct build_id notes_build_id(struct text notes, size_t align);

#endif
