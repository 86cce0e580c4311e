#include "read/perf/elf.h"

#include "util/array.h"
#include "util/crc32.h"
#include "os/file.h"
#include "util/little.h"

#include <stdlib.h>

enum {
    CLASS_32 = 1,
    CLASS_64 = 2,
    LITTLE_ENDIAN_DATA = 1,
    MACHINE_ARM = 40,
    MACHINE_AARCH64 = 183,
    MACHINE_RISCV = 243,
    SEGMENT_LOAD = 1,
    SEGMENT_NOTE = 4,
    SECTION_STRINGS = 3,
    SECTION_NOTE = 7,
    SECTION_NO_BITS = 8,
    SECTION_IS_CODE = 4,
    SECTION_UNDEFINED = 0,
    SECTION_RESERVED = 0xff00, /* from here on they are no sections */
    NOTE_BUILD_ID = 3,
    SYMBOL_NOTYPE = 0,
    SYMBOL_FUNCTION = 2,
    SYMBOL_IFUNC = 10,
    BINDING_GLOBAL = 1,
    BINDING_WEAK = 2,
    VISIBILITY_DEFAULT = 0,
    VISIBILITY_PROTECTED = 3
};

/* A file may have holes, and then be larger than any memory. */
enum { MAX_HEADERS = 1 << 24, MAX_NOTES = 1 << 20, MAX_SEGMENTS = 256 };

/* ---- bytes of the file -------------------------------------------------------------------- */

static enum elf_result read_into(const struct elf *elf, uint64_t offset, char *bytes, size_t length)
{
    if (offset > elf->size || length > elf->size - offset)
        return ELF_UNUSABLE;
    return file_read_all_at(elf->fd, bytes, length, offset) ? ELF_OK : ELF_UNUSABLE;
}

/*
 * Sets *bytes to malloc'ed memory, at ELF_OK only. Parts may overlap, but more than some times the size of the
 * file is not read.
 */
static enum elf_result read_part(struct elf *elf, uint64_t offset, uint64_t length, uint64_t limit, char **bytes)
{
    if (offset > elf->size || length > elf->size - offset || length > elf->left)
        return ELF_UNUSABLE;
    if (length > limit)
        return ELF_TOO_LARGE;
    elf->left -= length;
    char *part = memory_zeroed((size_t)length + 1, 1);
    if (part == NULL)
        return ELF_NO_MEMORY;
    enum elf_result result = read_into(elf, offset, part, (size_t)length);
    if (result == ELF_OK)
        *bytes = part;
    else
        memory_free(part);
    return result;
}

/* The result of reading what need not be there. */
static enum elf_result optional(enum elf_result result)
{
    return result == ELF_NO_MEMORY ? result : ELF_OK;
}

/* A field that takes 4 bytes in one class and 8 in the other. */
static uint64_t word(const struct elf *elf, const char *p, size_t at_32, size_t at_64)
{
    return elf->is_64 ? little8(p + at_64) : little4(p + at_32);
}

/* ---- sections ----------------------------------------------------------------------------- */

struct section {
    uint32_t name, type, link;
    uint64_t flags, address, offset, size, entry_size, align;
};

static struct section section_at(const struct elf *elf, size_t number)
{
    const char *p = elf->sections + number * elf->section_size;
    return (struct section){.name = little4(p),
                            .type = little4(p + 4),
                            .flags = word(elf, p, 8, 8),
                            .address = word(elf, p, 12, 16),
                            .offset = word(elf, p, 16, 24),
                            .size = word(elf, p, 20, 32),
                            .link = little4(p + (elf->is_64 ? 40 : 24)),
                            .align = word(elf, p, 32, 48),
                            .entry_size = word(elf, p, 36, 56)};
}

static bool find_section(const struct elf *elf, uint32_t type, struct section *found)
{
    for (size_t i = 0; i < elf->section_count; i++) {
        *found = section_at(elf, i);
        if (found->type == type)
            return true;
    }
    return false;
}

/* ---- notes -------------------------------------------------------------------------------- */

struct build_id notes_build_id(struct text notes, size_t align)
{
    struct build_id id = {.length = 0};
    while (text_length(notes) >= 12) {
        uint64_t name = little4(notes.at), content = little4(notes.at + 4);
        uint32_t type = little4(notes.at + 8);
        uint64_t content_at = (12 + name + align - 1) / align * align;
        uint64_t end = (content_at + content + align - 1) / align * align;
        if (content_at + content > text_length(notes))
            break;
        if (type == NOTE_BUILD_ID && name == 4 && memcmp(notes.at + 12, "GNU", 4) == 0 &&
            content > 0 && content <= BUILD_ID_MAX) {
            id.length = (size_t)content;
            memcpy(id.bytes, notes.at + content_at, id.length);
            break;
        }
        notes.at = end < text_length(notes) ? notes.at + end : notes.end;
    }
    return id;
}

static enum elf_result read_notes(struct elf *elf, uint64_t offset, uint64_t size, uint64_t align)
{
    char *notes = NULL;
    enum elf_result result = read_part(elf, offset, size, MAX_NOTES, &notes);
    if (result == ELF_OK)
        elf->build_id = notes_build_id(text_of(notes, (size_t)size), align == 8 ? 8 : 4);
    memory_free(notes);
    return optional(result);
}

/* ---- headers ------------------------------------------------------------------------------ */

static enum elf_result take_segment(struct elf *elf, const char *p)
{
    uint32_t type = little4(p);
    struct elf_segment segment = {.offset = word(elf, p, 4, 8),
                                  .address = word(elf, p, 8, 16),
                                  .size = word(elf, p, 16, 32)};
    if (type == SEGMENT_NOTE && elf->build_id.length == 0)
        return read_notes(elf, segment.offset, segment.size, word(elf, p, 28, 48));
    if (type != SEGMENT_LOAD || elf->segments.count == MAX_SEGMENTS)
        return ELF_OK;
    struct elf_segments *segments = &elf->segments;
    return (array_append(&segments->items, &segments->count, &segments->capacity, &segment, sizeof segment), true)
               ? ELF_OK
               : ELF_NO_MEMORY;
}

static enum elf_result read_segments(struct elf *elf, const char *header)
{
    uint64_t offset = word(elf, header, 28, 32);
    size_t size = little2(header + (elf->is_64 ? 54 : 42));
    size_t count = little2(header + (elf->is_64 ? 56 : 44));
    char *table = NULL;
    if (count == 0)
        return ELF_OK;
    if (size < (elf->is_64 ? 56 : 32))
        return ELF_UNUSABLE;
    enum elf_result result = read_part(elf, offset, size * count, MAX_HEADERS, &table);
    for (size_t i = 0; result == ELF_OK && i < count; i++)
        result = take_segment(elf, table + i * size);
    memory_free(table);
    return result;
}

static enum elf_result read_sections(struct elf *elf, const char *header)
{
    uint64_t offset = word(elf, header, 32, 40);
    size_t size = little2(header + (elf->is_64 ? 58 : 46));
    uint64_t count = little2(header + (elf->is_64 ? 60 : 48));
    char *first = NULL;
    if (offset == 0 || size < (elf->is_64 ? 64 : 40))
        return ELF_OK;
    elf->section_size = size;
    if (count == 0) { /* more than the header can hold: the first section has it */
        enum elf_result result = read_part(elf, offset, size, MAX_HEADERS, &first);
        if (result != ELF_OK)
            return optional(result);
        count = word(elf, first, 20, 32);
        memory_free(first);
    }
    if (count > MAX_HEADERS / size)
        return ELF_OK;
    enum elf_result result = read_part(elf, offset, count * size, MAX_HEADERS, &elf->sections);
    if (result == ELF_OK)
        elf->section_count = (size_t)count;
    return optional(result);
}

/* Takes a file name, its zero bytes up to a multiple of four, and the file's checksum. */
static enum elf_result read_debug_link(struct elf *elf, const struct section *section)
{
    char *link = NULL;
    enum elf_result result = read_part(elf, section->offset, section->size, MAX_NOTES, &link);
    if (result != ELF_OK)
        return optional(result);
    size_t size = (size_t)section->size;
    const char *end = memchr(link, '\0', size);
    size_t checksum_at = end != NULL ? ((size_t)(end - link) + 4) / 4 * 4 : size;
    if (end == link || checksum_at + 4 > size || elf->debug_name != NULL) {
        memory_free(link);
        return ELF_OK;
    }
    elf->debug_checksum = little4(link + checksum_at);
    elf->debug_name = link;
    return ELF_OK;
}

/* Looks at the sections that have to be known by their type or name. */
static enum elf_result look_at_sections(struct elf *elf, size_t names_number)
{
    static const char link_name[] = ".gnu_debuglink";
    char *names = NULL;
    if (names_number >= elf->section_count)
        return ELF_OK;
    struct section names_section = section_at(elf, names_number);
    enum elf_result result = read_part(elf, names_section.offset, names_section.size, MAX_HEADERS,
                                       &names);
    if (result != ELF_OK)
        return optional(result);
    for (size_t i = 0; result == ELF_OK && i < elf->section_count; i++) {
        struct section section = section_at(elf, i);
        if (section.type == SECTION_NO_BITS)
            continue;
        if (section.type == SECTION_NOTE && elf->build_id.length == 0)
            result = read_notes(elf, section.offset, section.size, section.align);
        else if (section.name < names_section.size &&
                 names_section.size - section.name >= sizeof link_name &&
                 memcmp(names + section.name, link_name, sizeof link_name) == 0)
            result = read_debug_link(elf, &section);
    }
    memory_free(names);
    return result;
}

enum elf_result elf_open(struct elf *elf, int fd)
{
    enum { MOST_READ = 4 }; /* how often the bytes of a file are read: notes are in segments and in sections */
    struct file_facts facts;
    char header[64];
    *elf = (struct elf){.fd = fd};
    if (!file_look_at(fd, &facts))
        return ELF_UNUSABLE;
    elf->size = facts.size;
    elf->left = facts.size < UINT64_MAX / MOST_READ ? MOST_READ * facts.size : UINT64_MAX;
    /* The header of a 32-bit file has 52 bytes, but a file with symbols has more. */
    enum elf_result result = read_into(elf, 0, header, sizeof header);
    if (result != ELF_OK || memcmp(header, "\177ELF", 4) != 0 ||
        (header[4] != CLASS_32 && header[4] != CLASS_64) || header[5] != LITTLE_ENDIAN_DATA)
        return ELF_UNUSABLE;
    elf->is_64 = header[4] == CLASS_64;
    elf->machine = little2(header + 18);
    result = read_segments(elf, header);
    if (result == ELF_OK)
        result = read_sections(elf, header);
    if (result == ELF_OK)
        result = look_at_sections(elf, little2(header + (elf->is_64 ? 62 : 50)));
    return result;
}

void elf_close(struct elf *elf)
{
    memory_free(elf->segments.items);
    memory_free(elf->sections);
    memory_free(elf->debug_name);
}

bool elf_address(const struct elf_segments *segments, uint64_t offset, uint64_t *address)
{
    for (size_t i = 0; i < segments->count; i++) {
        const struct elf_segment *segment = &segments->items[i];
        if (offset < segment->offset || offset - segment->offset >= segment->size)
            continue;
        *address = offset - segment->offset + segment->address;
        return true;
    }
    return false;
}

bool elf_checksum(const struct elf *elf, uint32_t *checksum)
{
    struct crc32 crc;
    char block[64 * 1024];
    crc32_init(&crc);
    *checksum = 0;
    for (uint64_t done = 0; done < elf->size;) {
        size_t length = elf->size - done < sizeof block ? (size_t)(elf->size - done) : sizeof block;
        if (read_into(elf, done, block, length) != ELF_OK)
            return false;
        *checksum = crc32_add(&crc, *checksum, block, length);
        done += length;
    }
    return true;
}

/* ---- symbols ------------------------------------------------------------------------------ */

struct symbol {
    uint32_t name;
    unsigned type, binding, visibility;
    size_t section;
    uint64_t value, size;
};

static struct symbol symbol_at(const struct elf *elf, const char *p)
{
    unsigned info = (unsigned char)p[elf->is_64 ? 4 : 12];
    return (struct symbol){.name = little4(p),
                           .type = info & 15,
                           .binding = info >> 4,
                           .visibility = (unsigned char)p[elf->is_64 ? 5 : 13] & 3,
                           .section = little2(p + (elf->is_64 ? 6 : 14)),
                           .value = word(elf, p, 4, 8),
                           .size = word(elf, p, 8, 16)};
}

/* ARM's marks of code and data within functions: $a, $d, $t, $x, alone or with a dot. */
static bool is_mark(const struct elf *elf, const char *name)
{
    bool has_marks = elf->machine == MACHINE_ARM || elf->machine == MACHINE_AARCH64 ||
                     elf->machine == MACHINE_RISCV;
    return has_marks && name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) != NULL &&
           (name[2] == '\0' || name[2] == '.' || elf->machine == MACHINE_RISCV);
}

/* Is it code? *limit: where its section ends, if it has one. */
static bool is_function(const struct elf *elf, const struct symbol *symbol, uint64_t *limit)
{
    bool has_section = symbol->section < SECTION_RESERVED && symbol->section < elf->section_count;
    struct section section = {.flags = 0};
    if (symbol->section == SECTION_UNDEFINED)
        return false;
    *limit = UINT64_MAX;
    if (has_section) {
        section = section_at(elf, symbol->section);
        if (__builtin_add_overflow(section.address, section.size, limit))
            *limit = UINT64_MAX;
    }
    if (symbol->type == SYMBOL_FUNCTION || symbol->type == SYMBOL_IFUNC)
        return true;
    return symbol->type == SYMBOL_NOTYPE && (section.flags & SECTION_IS_CODE) != 0 &&
           (symbol->visibility == VISIBILITY_DEFAULT || symbol->visibility == VISIBILITY_PROTECTED);
}

/*
 * Of several at one address: with a size, not weak, global, with few underscores in front, with a long
 * name, the first. Each of these goes before those that follow.
 */
static uint64_t rank_of(const struct symbol *symbol, const char *name, size_t room, uint32_t number)
{
    enum { MAX_UNDERSCORES = 255, MAX_LENGTH = 4096 }; /* a name may be that of all symbols */
    size_t underscores = 0;
    while (underscores < MAX_UNDERSCORES && name[underscores] == '_')
        underscores++;
    if (room > MAX_LENGTH)
        room = MAX_LENGTH;
    const char *end = memchr(name, '\0', room);
    uint64_t length = end != NULL ? (uint64_t)(end - name) : room;
    return (symbol->size > 0 ? SYMBOL_HAS_SIZE : 0) | (uint64_t)(symbol->binding != BINDING_WEAK) << 62 |
           (uint64_t)(symbol->binding == BINDING_GLOBAL) << 61 |
           (uint64_t)(MAX_UNDERSCORES - underscores) << 53 | length << 32 |
           (UINT32_MAX - number);
}

/* The table that is being read, and its names. */
struct symbol_section {
    struct section section;
    char *strings;
    size_t strings_size;
};

static enum elf_result take_symbol(const struct elf *elf, struct symbol symbol, uint32_t number,
                                   const struct symbol_section *table, struct symbol_ranges *ranges)
{
    uint64_t limit, end;
    if (symbol.name == 0 || symbol.name >= table->strings_size || !is_function(elf, &symbol, &limit))
        return ELF_OK;
    const char *name = table->strings + symbol.name;
    if (*name == '\0' || is_mark(elf, name))
        return ELF_OK;
    if (elf->machine == MACHINE_ARM && symbol.type != SYMBOL_NOTYPE)
        symbol.value &= ~UINT64_C(1);
    if (__builtin_add_overflow(symbol.value, symbol.size, &end))
        end = UINT64_MAX;
    struct symbol_range range = {.start = symbol.value,
                                 .end = symbol.size > 0 ? end : limit,
                                 .rank = rank_of(&symbol, name, table->strings_size - symbol.name, number),
                                 .name = symbol.name};
    return symbol_ranges_add(ranges, range) ? ELF_OK : ELF_NO_MEMORY;
}

static enum elf_result take_symbols(const struct elf *elf, const struct symbol_section *table,
                                    const char *bytes, uint64_t most, struct symbol_ranges *ranges)
{
    size_t size = (size_t)table->section.entry_size;
    uint64_t count = table->section.size / size;
    enum elf_result result = ELF_OK;
    for (uint32_t i = 0; result == ELF_OK && i < count; i++)
        result = ranges->count * sizeof *ranges->items > most
                     ? ELF_TOO_LARGE
                     : take_symbol(elf, symbol_at(elf, bytes + i * size), i, table, ranges);
    if (result != ELF_OK)
        return result;
    if (!symbol_ranges_separate(ranges, true))
        return ELF_NO_MEMORY;
    return ranges->count > 0 ? ELF_OK : ELF_UNUSABLE;
}

static enum elf_result read_strings(struct elf *elf, struct symbol_section *table, uint64_t most)
{
    if (table->section.link >= elf->section_count)
        return ELF_UNUSABLE;
    struct section strings = section_at(elf, table->section.link);
    if (strings.type != SECTION_STRINGS)
        return ELF_UNUSABLE;
    enum elf_result result = read_part(elf, strings.offset, strings.size, most, &table->strings);
    if (result != ELF_OK)
        return result;
    table->strings_size = (size_t)strings.size;
    table->strings[strings.size] = '\0'; /* there is room for it */
    return ELF_OK;
}

enum elf_result elf_read_symbols(struct elf *elf, enum elf_table wanted, uint64_t most, struct symbols *symbols)
{
    struct symbol_section table = {.strings = NULL};
    char *bytes = NULL;
    if (!find_section(elf, wanted, &table.section) ||
        table.section.entry_size < (elf->is_64 ? 24 : 16) ||
        table.section.entry_size > table.section.size)
        return ELF_UNUSABLE;
    enum elf_result result = read_strings(elf, &table, most);
    if (result == ELF_OK)
        result = read_part(elf, table.section.offset, table.section.size, most - table.strings_size, &bytes);
    if (result == ELF_OK)
        result = take_symbols(elf, &table, bytes, most - table.strings_size, &symbols->ranges);
    memory_free(bytes);
    if (result == ELF_OK) {
        symbols->bytes = table.strings;
        symbols->length = table.strings_size;
    } else {
        memory_free(table.strings);
        symbol_ranges_free(&symbols->ranges);
    }
    return result;
}
