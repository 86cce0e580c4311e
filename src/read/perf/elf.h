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
#include "util/text.h"

enum { BUILD_ID_MAX = 20 }; /* bytes */

/* What has become of symbols that are wanted. */
enum symbols_state {
    SYMBOLS_UNTRIED,
    SYMBOLS_OPEN,
    SYMBOLS_MISSING,
    SYMBOLS_LEFT_OUT /* there are more than the memory for them can hold */
};

struct elf {
    const char *bytes; /* all of it, if it is in memory; NULL: it is in a file */
    int fd;            /* of the file, only while it is read */
    uint64_t size;
    uint64_t left; /* how many bytes may still be read */
    bool is_64;
    unsigned machine;
    struct elf_segment {
        uint64_t offset, size, address; /* `size` bytes of the file, which are loaded to `address` */
    } *segments;
    size_t segment_count, segment_capacity;
    char id_bytes[BUILD_ID_MAX];
    struct text build_id; /* of these; empty: there is none */
    char *debug_name;     /* of the file that .gnu_debuglink names; NULL: none */
    uint32_t debug_checksum;
    bool has_all; /* the symbols are all that there are, not only those that are exported */
};

/*
 * Reads a file, of which the bytes or the descriptor, and the size, have been set; and if its build-id is the one
 * that is wanted, or any is (""), its functions. These have `most` bytes of memory, or little more; a NUL follows
 * each name. SYMBOLS_UNTRIED: it is no ELF file, or has another build-id.
 */
enum symbols_state elf_read(struct elf *elf, struct text wanted_id, uint64_t most, struct symbols *symbols);

/* The address that a place in the file is loaded to. False: it is not loaded. */
bool elf_address(const struct elf *elf, uint64_t offset, uint64_t *address);

/* The CRC-32 of a whole file, which .gnu_debuglink contains. False: it cannot be read. */
bool elf_checksum(int fd, uint32_t *checksum);

/* The build-id among notes, as sections and /sys/kernel/notes hold them; `align` is 4 or 8. */
struct text notes_build_id(struct text notes, size_t align);

#endif
