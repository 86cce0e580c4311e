#include "read/perf/elf.h"

#include "util/array.h"
#include "util/crc32.h"
#include "os/file.h"
#include "util/little.h"

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

/* Is that a part of the file? Parts may overlap, but more than some times the size of the file is not read. */
static bool has_part(const struct elf *elf, uint64_t offset, uint64_t length)
{
    return offset <= elf->size && length <= elf->size - offset && length <= elf->left;
}

/* A part of the file with a NUL after it; NULL: it has no such part, or one of more than `limit` bytes. */
static char *read_part(struct elf *elf, uint64_t offset, uint64_t length, uint64_t limit)
{
    if (!has_part(elf, offset, length) || length > limit)
        return NULL;
    elf->left -= length;
    char *part = memory_get((size_t)length + 1);
    part[length] = '\0';
    if (file_read_all_at(elf->fd, part, (size_t)length, offset))
        return part;
    memory_free(part);
    return NULL;
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

static void read_notes(struct elf *elf, uint64_t offset, uint64_t size, uint64_t align)
{
    char *notes = read_part(elf, offset, size, MAX_NOTES);
    if (notes != NULL)
        elf->build_id = notes_build_id(text_of(notes, (size_t)size), align == 8 ? 8 : 4);
    memory_free(notes);
}

/* ---- headers ------------------------------------------------------------------------------ */

static bool read_segments(struct elf *elf, const char *header)
{
    uint64_t offset = word(elf, header, 28, 32);
    size_t size = little2(header + (elf->is_64 ? 54 : 42)), count = little2(header + (elf->is_64 ? 56 : 44));
    if (count == 0)
        return true;
    char *table = size >= (elf->is_64 ? 56 : 32) ? read_part(elf, offset, size * count, MAX_HEADERS) : NULL;
    for (size_t i = 0; table != NULL && i < count; i++) {
        const char *p = table + i * size;
        uint32_t type = little4(p);
        struct elf_segment segment = {.offset = word(elf, p, 4, 8),
                                      .address = word(elf, p, 8, 16),
                                      .size = word(elf, p, 16, 32)};
        struct elf_segments *segments = &elf->segments;
        if (type == SEGMENT_NOTE && elf->build_id.length == 0)
            read_notes(elf, segment.offset, segment.size, word(elf, p, 28, 48));
        if (type == SEGMENT_LOAD && segments->count < MAX_SEGMENTS)
            array_append(&segments->items, &segments->count, &segments->capacity, &segment, sizeof segment);
    }
    memory_free(table);
    return table != NULL;
}

static void read_sections(struct elf *elf, const char *header)
{
    uint64_t offset = word(elf, header, 32, 40), count = little2(header + (elf->is_64 ? 60 : 48));
    size_t size = little2(header + (elf->is_64 ? 58 : 46));
    if (offset == 0 || size < (elf->is_64 ? 64 : 40))
        return;
    elf->section_size = size;
    if (count == 0) { /* more than the header can hold: the first section has it */
        char *first = read_part(elf, offset, size, MAX_HEADERS);
        count = first != NULL ? word(elf, first, 20, 32) : 0;
        memory_free(first);
        if (count == 0)
            return;
    }
    if (count <= MAX_HEADERS / size)
        elf->sections = read_part(elf, offset, count * size, MAX_HEADERS);
    if (elf->sections != NULL)
        elf->section_count = (size_t)count;
}

/* Takes a file name, its zero bytes up to a multiple of four, and the file's checksum. */
static void read_debug_link(struct elf *elf, const struct section *section)
{
    char *link = read_part(elf, section->offset, section->size, MAX_NOTES);
    if (link == NULL)
        return;
    size_t size = (size_t)section->size;
    const char *end = memchr(link, '\0', size);
    size_t checksum_at = end != NULL ? ((size_t)(end - link) + 4) / 4 * 4 : size;
    if (end == link || checksum_at + 4 > size || elf->debug_name != NULL) {
        memory_free(link);
        return;
    }
    elf->debug_checksum = little4(link + checksum_at);
    elf->debug_name = link;
}

/* Looks at the sections that have to be known by their type or name. */
static void look_at_sections(struct elf *elf, size_t names_number)
{
    static const char link_name[] = ".gnu_debuglink";
    if (names_number >= elf->section_count)
        return;
    struct section names_section = section_at(elf, names_number);
    char *names = read_part(elf, names_section.offset, names_section.size, MAX_HEADERS);
    for (size_t i = 0; names != NULL && i < elf->section_count; i++) {
        struct section section = section_at(elf, i);
        if (section.type == SECTION_NO_BITS)
            continue;
        if (section.type == SECTION_NOTE && elf->build_id.length == 0)
            read_notes(elf, section.offset, section.size, section.align);
        else if (section.name < names_section.size && names_section.size - section.name >= sizeof link_name &&
                 memcmp(names + section.name, link_name, sizeof link_name) == 0)
            read_debug_link(elf, &section);
    }
    memory_free(names);
}

bool elf_open(struct elf *elf, int fd)
{
    enum { MOST_READ = 4 }; /* how often the bytes of a file are read: notes are in segments and in sections */
    struct file_facts facts;
    char header[64];
    *elf = (struct elf){.fd = fd};
    if (!file_look_at(fd, &facts))
        return false;
    elf->size = facts.size;
    elf->left = facts.size < UINT64_MAX / MOST_READ ? MOST_READ * facts.size : UINT64_MAX;
    /* The header of a 32-bit file has 52 bytes, but a file with symbols has more. */
    if (elf->size < sizeof header || !file_read_all_at(fd, header, sizeof header, 0) ||
        memcmp(header, "\177ELF", 4) != 0 || (header[4] != CLASS_32 && header[4] != CLASS_64) ||
        header[5] != LITTLE_ENDIAN_DATA)
        return false;
    elf->is_64 = header[4] == CLASS_64;
    elf->machine = little2(header + 18);
    if (!read_segments(elf, header))
        return false;
    read_sections(elf, header);
    look_at_sections(elf, little2(header + (elf->is_64 ? 62 : 50)));
    return true;
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
        if (!file_read_all_at(elf->fd, block, length, done))
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

static void take_symbol(const struct elf *elf, struct symbol symbol, uint32_t number, struct text strings,
                        struct symbol_ranges *ranges)
{
    uint64_t limit, end;
    if (symbol.name == 0 || symbol.name >= text_length(strings) || !is_function(elf, &symbol, &limit))
        return;
    const char *name = strings.at + symbol.name;
    if (*name == '\0' || is_mark(elf, name))
        return;
    if (elf->machine == MACHINE_ARM && symbol.type != SYMBOL_NOTYPE)
        symbol.value &= ~UINT64_C(1);
    if (__builtin_add_overflow(symbol.value, symbol.size, &end))
        end = UINT64_MAX;
    struct symbol_range range = {.start = symbol.value,
                                 .end = symbol.size > 0 ? end : limit,
                                 .rank = rank_of(&symbol, name, text_length(strings) - symbol.name, number),
                                 .name = symbol.name};
    array_append(&ranges->items, &ranges->count, &ranges->capacity, &range, sizeof range);
}

static enum elf_result take_symbols(const struct elf *elf, struct text entries, size_t entry_size, uint64_t most,
                                    struct symbols *symbols)
{
    struct text strings = text_of(symbols->bytes, symbols->length);
    for (uint32_t i = 0; text_length(entries) >= entry_size; i++, entries.at += entry_size) {
        if (symbols->ranges.count * sizeof *symbols->ranges.items > most)
            return ELF_TOO_LARGE;
        take_symbol(elf, symbol_at(elf, entries.at), i, strings, &symbols->ranges);
    }
    symbol_ranges_sort(&symbols->ranges);
    return symbols->ranges.count > 0 ? ELF_OK : ELF_UNUSABLE;
}

enum elf_result elf_read_symbols(struct elf *elf, enum elf_table wanted, uint64_t most, struct symbols *symbols)
{
    struct section table, strings;
    if (!find_section(elf, wanted, &table) || table.entry_size < (elf->is_64 ? 24 : 16) ||
        table.entry_size > table.size || table.link >= elf->section_count)
        return ELF_UNUSABLE;
    strings = section_at(elf, table.link);
    if (strings.type != SECTION_STRINGS || !has_part(elf, strings.offset, strings.size))
        return ELF_UNUSABLE;
    if (strings.size > most)
        return ELF_TOO_LARGE;
    symbols->bytes = read_part(elf, strings.offset, strings.size, most);
    if (symbols->bytes == NULL || !has_part(elf, table.offset, table.size))
        return ELF_UNUSABLE;
    symbols->length = (size_t)strings.size;
    most -= strings.size;
    if (table.size > most)
        return ELF_TOO_LARGE;
    char *entries = read_part(elf, table.offset, table.size, most);
    enum elf_result result = ELF_UNUSABLE;
    if (entries != NULL)
        result = take_symbols(elf, text_of(entries, (size_t)table.size), (size_t)table.entry_size, most, symbols);
    memory_free(entries);
    return result;
}
