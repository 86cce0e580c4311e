/* SPDX-License-Identifier: MIT */
#include "read/perf/elf.h"

#include "os/file.h"
#include "util/little.h"

#include <stdlib.h>

enum { CLASS_32 = 1, CLASS_64 = 2, LITTLE_ENDIAN_DATA = 1 };
enum { MACHINE_ARM = 40, MACHINE_AARCH64 = 183, MACHINE_RISCV = 243 };
enum { SEGMENT_LOAD = 1, SEGMENT_NOTE = 4, NOTE_BUILD_ID = 3 };
enum { SECTION_NONE = 0, SECTION_SYMTAB = 2, SECTION_STRINGS = 3, SECTION_NOTE = 7 };
enum { SECTION_NO_BITS = 8, SECTION_DYNSYM = 11 };
enum { SECTION_IS_CODE = 4 };                              /* of its flags */
enum { SECTION_UNDEFINED = 0, SECTION_RESERVED = 0xff00 }; /* of its number: from the latter on they are no sections */
enum { SYMBOL_NOTYPE = 0, SYMBOL_FUNCTION = 2, SYMBOL_IFUNC = 10 };
enum { BINDING_GLOBAL = 1, BINDING_WEAK = 2, VISIBILITY_DEFAULT = 0, VISIBILITY_PROTECTED = 3 };

/* A file may have holes, and then be larger than any memory. */
enum { MAX_HEADERS = 1 << 24, MAX_NOTES = 1 << 20, MAX_SEGMENTS = 256 };

COMPARISON(by_start, struct symbol_range, a->start != b->start ? ORDER(a->start, b->start) : ORDER(a->rank, b->rank))

void symbols_sort(struct symbols *symbols)
{
    struct symbol_range *ranges = symbols->ranges;
    size_t later = 0; /* the first range with a later start */
    if (symbols->count > 0)
        qsort(ranges, symbols->count, sizeof *ranges, by_start);
    for (size_t i = 0; i < symbols->count; i++) {
        struct symbol_range *range = &ranges[i];
        while (later < symbols->count && ranges[later].start <= range->start)
            later++;
        if ((range->rank & SYMBOL_HAS_SIZE) == 0 && later < symbols->count && range->end > ranges[later].start)
            range->end = ranges[later].start;
        range->reach = i > 0 && ranges[i - 1].reach > range->end ? ranges[i - 1].reach : range->end;
    }
}

uint32_t symbols_find(const struct symbols *symbols, uint64_t address)
{
    enum { MOST_STEPS = 4096 }; /* back to a range that holds other ones, which have ended before the address */
    const struct symbol_range *best = NULL;
    size_t low = 0, high = symbols->count;
    while (low < high) { /* the first that starts after the address */
        size_t middle = low + (high - low) / 2;
        if (symbols->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i > 0 && low - i < MOST_STEPS && (best == NULL || symbols->by_rank); i--) {
        const struct symbol_range *range = &symbols->ranges[i - 1];
        if (range->reach <= address)
            break;
        if (range->end > address && (best == NULL || range->rank > best->rank))
            best = range;
    }
    return best != NULL ? best->name : NONE;
}

/* Gets a part of at most that many bytes, with a NUL after it. Parts may overlap, but not without bounds. */
static enum symbols_state read_part(struct elf *elf, uint64_t offset, uint64_t length, uint64_t most, char **part)
{
    enum { MOST_READ = 4 }; /* how often the bytes of a file are read: notes are in segments and in sections */
    if (offset > elf->size || length > elf->size - offset || (elf->taken + length) / MOST_READ > elf->size)
        return SYMBOLS_MISSING;
    if (length > most)
        return SYMBOLS_LEFT_OUT;
    elf->taken += length;
    char *bytes = memory_get((size_t)length + 1);
    bytes[length] = '\0';
    if (elf->bytes != NULL)
        memcpy(bytes, elf->bytes + offset, (size_t)length);
    else if (file_read_all(elf->fd, bytes, (size_t)length, (int64_t)offset) != (ssize_t)length)
        return SYMBOLS_MISSING;
    *part = bytes;
    return SYMBOLS_OPEN;
}

/* A field that takes 4 bytes in one class and 8 in the other. */
static uint64_t elf_word(const struct elf *elf, const char *p, size_t at_32, size_t at_64)
{
    return elf->is_64 ? little8(p + at_64) : little4(p + at_32);
}

struct text notes_build_id(struct text notes, size_t align)
{
    while (text_length(notes) >= 12) {
        uint64_t name = little4(notes.at), content = little4(notes.at + 4);
        uint32_t type = little4(notes.at + 8);
        uint64_t content_at = (12 + name + align - 1) / align * align;
        uint64_t end = (content_at + content + align - 1) / align * align;
        if (content_at + content > text_length(notes))
            break;
        if (type == NOTE_BUILD_ID && name == 4 && memcmp(notes.at + 12, "GNU", 4) == 0 && content > 0 &&
            content <= BUILD_ID_MAX)
            return text_of(notes.at + content_at, (size_t)content);
        notes.at = end < text_length(notes) ? notes.at + end : notes.end;
    }
    return text_of("", 0);
}

static void read_notes(struct elf *elf, uint64_t offset, uint64_t size, uint64_t align)
{
    char *notes;
    if (!text_is_empty(elf->build_id) || read_part(elf, offset, size, MAX_NOTES, &notes) != SYMBOLS_OPEN)
        return;
    elf->build_id = notes_build_id(text_of(notes, (size_t)size), align == 8 ? 8 : 4);
    if (text_is_empty(elf->build_id))
        memory_free(notes);
}

struct section {
    uint32_t name, type, link;
    uint64_t flags, address, offset, size, entry_size, align;
};

/* A section; if there is none of that number, all zero. */
static struct section section_at(const struct elf *elf, uint64_t number)
{
    if (number >= elf->section_count)
        return (struct section){.type = 0};
    const char *p = elf->sections + number * elf->section_size;
    return (struct section){.name = little4(p),
                            .type = little4(p + 4),
                            .link = little4(p + (elf->is_64 ? 40 : 24)),
                            .flags = elf_word(elf, p, 8, 8),
                            .address = elf_word(elf, p, 12, 16),
                            .offset = elf_word(elf, p, 16, 24),
                            .size = elf_word(elf, p, 20, 32),
                            .align = elf_word(elf, p, 32, 48),
                            .entry_size = elf_word(elf, p, 36, 56)};
}

static bool is_debug_section(const char *name, const char *kind)
{
    name += strncmp(name, ".z", 2) == 0 ? 2 : 1; /* compressed, as it was once done */
    return strncmp(name, "debug_", 6) == 0 && strcmp(name + 6, kind) == 0;
}

/* Reads the headers of the sections, and from those that have them, notes and the name of the debug file. */
static void read_section_headers(struct elf *elf, const char *header)
{
    const char *sizes = header + (elf->is_64 ? 58 : 46); /* of a section's header; their number; that of the names */
    uint64_t at = elf_word(elf, header, 32, 40), count = little2(sizes + 2);
    bool has_info = false, has_lines = false;
    char *names = NULL, *link;
    elf->section_size = little2(sizes);
    if (at == 0 || elf->section_size < (elf->is_64 ? 64 : 40))
        return;
    if (count == 0 && read_part(elf, at, elf->section_size, MAX_HEADERS, &elf->sections) == SYMBOLS_OPEN) {
        elf->section_count = 1; /* more than the header can hold: the first section has it in place of its size */
        count = section_at(elf, 0).size;
    }
    elf->section_count = 0;
    if (count > MAX_HEADERS / elf->section_size ||
        read_part(elf, at, count * elf->section_size, MAX_HEADERS, &elf->sections) != SYMBOLS_OPEN)
        return;
    elf->section_count = count;
    struct section of_names = section_at(elf, little2(sizes + 4));
    read_part(elf, of_names.offset, of_names.size, MAX_HEADERS, &names);
    for (uint64_t i = 0; names != NULL && i < count; i++) {
        struct section section = section_at(elf, i);
        bool has_name = section.name < of_names.size && section.type != SECTION_NO_BITS && section.type != SECTION_NONE;
        const char *name = has_name && names[section.name] == '.' ? names + section.name : ".";
        has_info |= is_debug_section(name, "info");
        has_lines |= is_debug_section(name, "line");
        if (section.type == SECTION_NOTE)
            read_notes(elf, section.offset, section.size, section.align);
        if (section.type == SECTION_NOTE || elf->debug_name != NULL || strcmp(name, ".gnu_debuglink") != 0 ||
            read_part(elf, section.offset, section.size, MAX_NOTES, &link) != SYMBOLS_OPEN)
            continue;
        size_t checksum_at = (strlen(link) + 4) / 4 * 4; /* after the name of a file, and its zero bytes */
        if (link[0] == '\0' || checksum_at + 4 > section.size)
            continue;
        elf->debug_name = link;
        elf->debug_checksum = little4(link + checksum_at);
    }
    elf->has_lines = has_info && has_lines;
    memory_free(names);
}

/*
 * Sets *range to that of the symbol at `p`. False: it is no function. Of several at one address, one with a size is of
 * the highest rank; then one that is not weak, is global, has few underscores in front, a long name, or is the first.
 */
static bool read_symbol(const struct elf *elf, const char *p, uint32_t number, struct text names,
                        struct symbol_range *range)
{
    enum { MAX_LENGTH = 4096, MAX_UNDERSCORES = 255 }; /* a name may be that of all symbols */
    uint64_t start = elf_word(elf, p, 4, 8), size = elf_word(elf, p, 8, 16);
    const char *kind = p + (elf->is_64 ? 4 : 12); /* u8 binding and type, u8 visibility, u16 section */
    uint32_t name_at = little4(p), section_number = little2(kind + 2);
    unsigned info = (unsigned char)kind[0], type = info & 15, visibility = kind[1] & 3;
    struct section section = {.size = UINT64_MAX};
    if (name_at == 0 || name_at >= text_length(names) || section_number == SECTION_UNDEFINED)
        return false;
    if (section_number < SECTION_RESERVED && section_number < elf->section_count)
        section = section_at(elf, section_number);
    struct text name = {names.at + name_at, names.end};
    bool is_label = type == SYMBOL_NOTYPE && (section.flags & SECTION_IS_CODE) != 0 &&
                    (visibility == VISIBILITY_DEFAULT || visibility == VISIBILITY_PROTECTED);
    if ((type != SYMBOL_FUNCTION && type != SYMBOL_IFUNC && !is_label) || *name.at == '\0')
        return false;
    /* ARM's marks of code and data within functions: $a, $d, $t, $x, alone or with a dot. */
    bool is_riscv = elf->machine == MACHINE_RISCV;
    if ((elf->machine == MACHINE_ARM || elf->machine == MACHINE_AARCH64 || is_riscv) && name.at[0] == '$' &&
        name.at[1] != '\0' && strchr("adtx", name.at[1]) != NULL &&
        (name.at[2] == '\0' || name.at[2] == '.' || is_riscv))
        return false;
    name = text_of(name.at, strnlen(name.at, text_length(name) < MAX_LENGTH ? text_length(name) : MAX_LENGTH));
    if (elf->machine == MACHINE_ARM && !is_label)
        start &= ~UINT64_C(1);
    size_t underscores = 0;
    while (underscores < MAX_UNDERSCORES && underscores < text_length(name) && name.at[underscores] == '_')
        underscores++;
    range->start = start;
    range->name = name_at;
    range->rank = (size > 0 ? SYMBOL_HAS_SIZE : 0) | (uint64_t)(info >> 4 != BINDING_WEAK) << 62 |
                  (uint64_t)(info >> 4 == BINDING_GLOBAL) << 61 | (uint64_t)(MAX_UNDERSCORES - underscores) << 53 |
                  (uint64_t)text_length(name) << 32 | (UINT32_MAX - number);
    if (__builtin_add_overflow(size > 0 ? start : section.address, size > 0 ? size : section.size, &range->end))
        range->end = UINT64_MAX;
    return true;
}

static enum symbols_state read_symbols(struct elf *elf, uint32_t type, uint64_t most, struct symbols *symbols)
{
    struct section table = {.type = 0};
    char *entries;
    for (uint64_t i = 0; i < elf->section_count && table.type != type; i++)
        table = section_at(elf, i);
    struct section names = section_at(elf, table.link);
    if (table.type != type || table.entry_size < (elf->is_64 ? 24 : 16) || table.entry_size > table.size ||
        names.type != SECTION_STRINGS)
        return SYMBOLS_MISSING;
    memory_free(symbols->bytes); /* of a table without functions */
    symbols->bytes = NULL;
    enum symbols_state state = read_part(elf, names.offset, names.size, most, &symbols->bytes);
    if (state == SYMBOLS_OPEN)
        state = read_part(elf, table.offset, table.size, most -= names.size, &entries);
    if (state != SYMBOLS_OPEN)
        return state;
    struct symbol_range range;
    uint64_t count = table.size / table.entry_size, i = 0;
    symbols->length = (size_t)names.size;
    for (; i < count && symbols->count * sizeof range <= most; i++)
        if (read_symbol(elf, entries + i * table.entry_size, (uint32_t)i, text_of(symbols->bytes, symbols->length),
                        &range))
            array_append(&symbols->ranges, &symbols->count, &symbols->capacity, &range, sizeof range);
    memory_free(entries);
    symbols_sort(symbols);
    return i < count ? SYMBOLS_LEFT_OUT : symbols->count > 0 ? SYMBOLS_OPEN : SYMBOLS_MISSING;
}

enum symbols_state elf_read(struct elf *elf, uint64_t most, struct symbols *symbols)
{
    char *header, *table = NULL;
    elf->build_id = text_of("", 0);
    /* The header of a 32-bit file has 52 bytes, but a file with symbols has more. */
    if (read_part(elf, 0, 64, 64, &header) != SYMBOLS_OPEN || memcmp(header, "\177ELF", 4) != 0 ||
        (header[4] != CLASS_32 && header[4] != CLASS_64) || header[5] != LITTLE_ENDIAN_DATA)
        return SYMBOLS_UNTRIED;
    elf->is_64 = header[4] == CLASS_64;
    elf->machine = little2(header + 18);
    const char *sizes = header + (elf->is_64 ? 54 : 42); /* of a segment's header; their number */
    size_t size = little2(sizes), count = little2(sizes + 2);
    if (size >= (elf->is_64 ? 56 : 32))
        read_part(elf, elf_word(elf, header, 28, 32), size * count, MAX_HEADERS, &table);
    if (table == NULL && count > 0)
        return SYMBOLS_UNTRIED;
    for (const char *p = table; count > 0; p += size, count--) {
        struct elf_segment segment = {
            .offset = elf_word(elf, p, 4, 8), .address = elf_word(elf, p, 8, 16), .size = elf_word(elf, p, 16, 32)};
        if (little4(p) == SEGMENT_NOTE)
            read_notes(elf, segment.offset, segment.size, elf_word(elf, p, 28, 48));
        if (little4(p) == SEGMENT_LOAD && elf->segment_count < MAX_SEGMENTS)
            array_append(&elf->segments, &elf->segment_count, &elf->segment_capacity, &segment, sizeof segment);
    }
    memory_free(table);
    read_section_headers(elf, header);
    enum symbols_state state = read_symbols(elf, SECTION_SYMTAB, most, symbols);
    elf->has_all = state != SYMBOLS_MISSING;
    if (!elf->has_all)
        state = read_symbols(elf, SECTION_DYNSYM, most, symbols);
    memory_free(elf->sections);
    elf->sections = NULL;
    return state;
}
