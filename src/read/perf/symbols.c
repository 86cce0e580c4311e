#include "read/perf/symbols.h"

#include "os/file.h"
#include "os/system.h"
#include "util/buffer.h"
#include "util/crc32.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What was read of a file. */
struct symbol_file {
    bool has_checksum;
    uint32_t checksum; /* CRC-32 of the whole file, which .gnu_debuglink contains */
    struct elf elf;
    enum symbols_state state; /* SYMBOLS_UNTRIED: it should be an ELF file, but is none */
    struct symbols symbols;
};

/* A file that is looked for. */
struct wanted {
    enum symbols_kind kind;
    struct text build_id;   /* empty: any will do */
    const struct elf *link; /* without a build-id: what its .gnu_debuglink says of the file; NULL: nothing */
    bool needs_all;         /* one that has all symbols */
};

/* ---- addresses ---------------------------------------------------------------------------- */

static int by_start(const void *left, const void *right)
{
    const struct symbol_range *a = left, *b = right;
    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : (a->rank > b->rank) - (a->rank < b->rank);
}

static void add_piece(struct symbols *symbols, uint64_t start, uint32_t name)
{
    struct symbol_piece piece = {start, name};
    if (symbols->count > 0 && symbols->pieces[symbols->count - 1].start == start)
        symbols->count--;
    if (name != (symbols->count > 0 ? symbols->pieces[symbols->count - 1].name : NONE))
        array_append(&symbols->pieces, &symbols->count, &symbols->capacity, &piece, sizeof piece);
}

void symbols_divide(struct symbols *symbols, struct symbol_range *ranges, size_t count)
{
    enum { MOST_OPEN = 32 };
    struct symbol_range open[MOST_OPEN]; /* those that have not ended, and that no better one hides; the best is last */
    size_t open_count = 0, later = 0;    /* later: the first range with a later start */
    if (count > 0)
        qsort(ranges, count, sizeof *ranges, by_start);
    for (size_t i = 0; i <= count; i++) {
        struct symbol_range range = i < count ? ranges[i] : (struct symbol_range){.start = UINT64_MAX};
        while (open_count > 0 && open[open_count - 1].end <= range.start) {
            uint64_t end = open[open_count - 1].end;
            while (open_count > 0 && open[open_count - 1].end <= end)
                open_count--;
            add_piece(symbols, end, open_count > 0 ? open[open_count - 1].name : NONE);
        }
        while (later < count && ranges[later].start <= range.start)
            later++;
        if ((range.rank & SYMBOL_HAS_SIZE) == 0 && later < count && range.end > ranges[later].start)
            range.end = ranges[later].start;
        if (symbols->kind != SYMBOLS_OF_JIT)
            range.rank = i;
        if (range.end <= range.start)
            continue;
        size_t kept = 0, at = 0; /* at: where it is among them */
        for (size_t j = 0; j < open_count; j++)
            if (open[j].end > range.end || open[j].rank > range.rank) {
                open[kept++] = open[j];
                at = open[j].rank < range.rank ? kept : at;
            }
        open_count = kept;
        if (open_count == MOST_OPEN)
            continue;
        memmove(open + at + 1, open + at, (open_count++ - at) * sizeof *open);
        open[at] = range;
        if (at + 1 == open_count)
            add_piece(symbols, range.start, range.name);
    }
    memory_free(ranges);
}

uint32_t symbols_find(const struct symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->count;
    while (low < high) { /* the first that starts after the address */
        size_t middle = low + (high - low) / 2;
        if (symbols->pieces[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? symbols->pieces[low - 1].name : NONE;
}

/* ---- opening ------------------------------------------------------------------------------ */

static void close_file(void *of)
{
    struct symbol_files *files = of;
    run_let_go(&files->held);
    if (files->fd >= 0)
        close(files->fd);
    files->fd = -1;
}

/* Keeps the descriptor of a file while it is read. False, with errno: it is -1. */
static bool hold(struct symbol_files *files, int fd)
{
    if (fd < 0 && errno == ENOMEM)
        run_out_of_memory();
    files->fd = fd;
    if (fd >= 0)
        run_hold(&files->held, close_file, files);
    return fd >= 0;
}

/* Opens a regular file: below the root, by the path or else by the name alone. Devices may do anything when opened. */
static int open_path(const char *root, const char *path)
{
    struct file_facts facts;
    errno = ENOENT;
    if (root == NULL)
        return path[0] == '/' && file_look(path, true, &facts) && facts.kind == FILE_IS_REGULAR
                   ? file_open(path, FILE_REGULAR) : -1;
    char *joined = memory_get(strlen(root) + strlen(path) + 2);
    sprintf(joined, "%s/%s", root, path);
    int fd = file_open_below(joined, root);
    if (fd < 0 && errno != ENOMEM) {
        sprintf(joined, "%s/%s", root, path + file_folder_length(path));
        fd = file_open_below(joined, root);
    }
    memory_free(joined);
    return fd;
}

/* What paths of files with symbols are made of, by the letter in a pattern. What is not known begins at NULL. */
struct parts {
    struct text of['p' + 1];       /* %h: the user's folder, %p: the object, %f: its folder, %n: its debug file's name */
    char id[2 * BUILD_ID_MAX + 1]; /* %a: its first byte, %b: the others */
};

static void init_parts(struct parts *parts, const struct symbol_files *files, struct text build_id)
{
    const char *home = files->root == NULL ? getenv("HOME") : NULL;
    size_t length = text_length(build_id);
    *parts = (struct parts){.id = ""};
    if (home != NULL)
        parts->of['h'] = text_of_string(home);
    if (length < 2)
        return;
    for (size_t i = 0; i < length; i++)
        sprintf(parts->id + 2 * i, "%02x", (unsigned char)build_id.at[i]);
    parts->of['a'] = text_of(parts->id, 2);
    parts->of['b'] = text_of(parts->id + 2, 2 * length - 2);
}

/* Opens the file of a pattern. -1: there is none, or a part of its path is not known. */
static int open_pattern(const struct symbol_files *files, const char *pattern, const struct parts *parts)
{
    struct buffer path = {.bytes = NULL};
    errno = ENOENT;
    for (const char *p = pattern; *p != '\0'; p++) {
        struct text part = *p == '%' ? parts->of[(unsigned char)*++p] : text_of(p, 1);
        if (part.at == NULL)
            return -1;
        buffer_add(&path, part);
    }
    path.bytes[path.length] = '\0';
    int fd = open_path(files->root, path.bytes);
    memory_free(path.bytes);
    return fd;
}

/* ---- tables that are text --------------------------------------------------------------------- */

/* Reads all of a file that has no more than `most` bytes. What the system makes up has no size. */
static enum symbols_state read_bytes(int fd, uint64_t most, char **bytes, size_t *length)
{
    enum { AT_ONCE = 64 * 1024 };
    size_t room = 0;
    ssize_t count = 1;
    while (count > 0 && *length <= most) {
        array_reserve(bytes, &room, *length + AT_ONCE, 1);
        count = file_read(fd, *bytes + *length, room - *length);
        *length += count > 0 ? (size_t)count : 0;
    }
    return count == 0 ? SYMBOLS_OPEN : count < 0 ? SYMBOLS_MISSING : SYMBOLS_LEFT_OUT;
}

/* Takes what precedes a name: START and SIZE, or START and a letter. False: the line has no symbol. */
static bool take_numbers(struct text *line, enum symbols_kind kind, uint64_t *start, uint64_t *second)
{
    struct text first = text_take_word(line), next = text_take_word(line);
    if (kind == SYMBOLS_OF_KERNEL && text_length(next) == 1)
        *second = (unsigned char)*next.at++;
    else if (kind == SYMBOLS_OF_KERNEL || !text_take_hex(&next, second))
        return false;
    return text_take_hex(&first, start) && text_is_empty(first) && text_is_empty(next) && !text_is_empty(*line);
}

/* Reads `HEXSTART HEXSIZE name` of JIT code, or `HEX TYPE NAME [module]` of the kernel. */
static enum symbols_state read_text(int fd, uint64_t most, struct symbols *symbols)
{
    enum { PAGE = 4096 };
    struct symbol_range *ranges = NULL;
    bool is_jit = symbols->kind == SYMBOLS_OF_JIT;
    size_t count = 0, capacity = 0;
    enum symbols_state state = read_bytes(fd, most, &symbols->bytes, &symbols->length);
    struct text rest = text_of(symbols->bytes, symbols->length);
    uint64_t second, last = 0;
    for (uint64_t number = 1; state == SYMBOLS_OPEN && !text_is_empty(rest); number++) {
        struct text line = text_take_line(&rest);
        struct symbol_range range = {.end = UINT64_MAX, .rank = number};
        if (!take_numbers(&line, symbols->kind, &range.start, &second))
            continue;
        range.name = (uint32_t)(line.at - symbols->bytes);
        if (is_jit) {
            range.rank |= SYMBOL_HAS_SIZE;
            range.end = second < UINT64_MAX - range.start ? range.start + second : UINT64_MAX;
        } else if (memchr("tTwW", (int)second, 4) == NULL) { /* data end a function, and have no name here */
            range.rank = 0;
            range.name = NONE;
        }
        last = range.start > last ? range.start : last;
        array_append(&ranges, &count, &capacity, &range, sizeof range);
        if (count * sizeof range > most)
            state = SYMBOLS_LEFT_OUT;
    }
    if (!is_jit && last == 0 && state == SYMBOLS_OPEN)
        state = SYMBOLS_MISSING; /* all addresses are zero where the system does not show them */
    if (!is_jit && last < UINT64_MAX - 2 * PAGE) /* as in perf, the last has the rest of its page, and another page */
        for (size_t i = 0; i < count; i++)
            ranges[i].end = (last + PAGE - 1) / PAGE * PAGE + PAGE;
    symbols_divide(symbols, ranges, count);
    return state;
}

struct text symbols_name(const struct symbols *symbols, uint32_t symbol, struct text *module)
{
    struct text rest = text_of(symbols->bytes + symbol, symbols->length - symbol);
    *module = text_of("", 0);
    if (symbols->kind == SYMBOLS_OF_OBJECT)
        return text_of_string(rest.at);
    struct text line = text_take_line(&rest);
    if (symbols->kind == SYMBOLS_OF_JIT)
        return line;
    struct text name = text_take_word(&line);
    if (text_starts(line, "["))
        *module = text_trim(line);
    return name;
}

/* ---- files -------------------------------------------------------------------------------- */

void symbol_files_init(struct symbol_files *files, const char *root, const struct index *other)
{
    *files = (struct symbol_files){.root = root, .fd = -1, .left = (uint64_t)SYMBOLS_MOST_MB << 20};
    index_init(&files->index, other);
}

static void free_symbols(struct symbols *symbols)
{
    memory_free(symbols->pieces);
    memory_free(symbols->bytes);
    if (symbols->named.index.slots != NULL)
        ids_free(&symbols->named);
    *symbols = (struct symbols){.length = 0};
}

void symbol_files_free(struct symbol_files *files)
{
    for (size_t i = 0; i < files->index.used; i++) {
        free_symbols(&files->known[i].file->symbols);
        memory_free(files->known[i].file);
    }
    memory_free(files->known);
    index_free(&files->index);
}

/* The CRC-32 of the file that is being read. False: it cannot be read. */
static bool find_checksum(int fd, uint32_t *checksum)
{
    struct crc32 crc;
    char block[64 * 1024];
    ssize_t count;
    crc32_init(&crc);
    for (uint64_t done = 0; (count = file_read_at(fd, block, sizeof block, done)) > 0; done += (uint64_t)count)
        *checksum = crc32_add(&crc, *checksum, block, (size_t)count);
    return count == 0;
}

/* Looks at a file, which is read unless that has been done. NULL: it is not what is wanted. */
static struct symbol_file *look_at(struct symbol_files *files, struct known_file key, struct elf source,
                                   const struct wanted *wanted)
{
    uint32_t hash = hash_numbers(&files->index.seed, key.volume, key.number);
    uint32_t number = index_intern(&files->index, hash, &files->known, &files->capacity, &key, sizeof key,
                                   offsetof(struct known_file, file));
    struct symbol_file *file = files->known[number].file;
    if (file == NULL) {
        file = files->known[number].file = memory_zeroed(1, sizeof *file);
        struct symbols *symbols = &file->symbols;
        symbols->kind = wanted->kind;
        file->elf = source;
        file->state = wanted->kind == SYMBOLS_OF_OBJECT ? elf_read(&file->elf, files->left, symbols)
                                                        : read_text(files->fd, files->left, symbols);
        uint64_t size = symbols->length + symbols->count * sizeof *symbols->pieces;
        if (file->state == SYMBOLS_OPEN && size > files->left)
            file->state = SYMBOLS_LEFT_OUT;
        if (file->state == SYMBOLS_OPEN) {
            files->left -= size;
            ids_init(&symbols->named, &files->index);
        } else {
            free_symbols(symbols);
        }
    }
    if (wanted->link != NULL && !file->has_checksum)
        file->has_checksum = find_checksum(files->fd, &file->checksum);
    bool is_wanted = file->state != SYMBOLS_UNTRIED && (file->elf.has_all || !wanted->needs_all) &&
                     (text_is_empty(wanted->build_id) || text_same(wanted->build_id, file->elf.build_id)) &&
                     (wanted->link == NULL || (file->has_checksum && file->checksum == wanted->link->debug_checksum));
    return is_wanted ? file : NULL;
}

/* The same for a descriptor, which is closed. It is -1 if there is no file. */
static struct symbol_file *look_at_opened(struct symbol_files *files, int fd, const struct wanted *wanted)
{
    struct file_facts facts;
    struct symbol_file *file = NULL;
    if (hold(files, fd) && file_look_at(fd, &facts))
        file = look_at(files, (struct known_file){facts.volume, facts.number, wanted->kind, NULL},
                       (struct elf){.fd = fd, .size = facts.size}, wanted);
    close_file(files);
    return file;
}

/* The first file of some patterns that is wanted; NULL: there is none. */
static struct symbol_file *look_for(struct symbol_files *files, const char *const *patterns, const struct parts *parts,
                                    const struct wanted *wanted)
{
    struct symbol_file *file = NULL;
    for (; file == NULL && *patterns != NULL; patterns++)
        file = look_at_opened(files, open_pattern(files, *patterns, parts), wanted);
    return file;
}

/* ---- tables ------------------------------------------------------------------------------- */

/* Makes a table of what a file has; NULL: there is none. */
static enum symbols_state set_table(struct symbol_table *table, struct symbol_file *file)
{
    *table = (struct symbol_table){.symbols = file != NULL ? &file->symbols : NULL};
    return file != NULL ? file->state : SYMBOLS_MISSING;
}

enum symbols_state jit_symbols_open(struct symbol_table *table, struct symbol_files *files, uint32_t pid)
{
    char path[40], process[40];
    snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", pid);
    snprintf(process, sizeof process, "/proc/%" PRIu32, pid);
    int fd = files->root != NULL ? open_path(files->root, path) : file_open_trusted(path, process);
    return set_table(table, look_at_opened(files, fd, &(struct wanted){.kind = SYMBOLS_OF_JIT}));
}

bool kernel_is_running(struct symbol_files *files, struct text build_id)
{
    enum { MAX_NOTES = 1 << 20 };
    char *notes = NULL;
    size_t length = 0;
    bool is_running = !text_is_empty(build_id) && hold(files, file_open("/sys/kernel/notes", FILE_REGULAR)) &&
                      read_bytes(files->fd, MAX_NOTES, &notes, &length) == SYMBOLS_OPEN &&
                      text_same(notes_build_id(text_of(notes, length), 4), build_id);
    close_file(files);
    return is_running;
}

enum symbols_state kernel_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                       const struct kernel_identity *kernel)
{
    struct parts parts;
    int fd = -1;
    init_parts(&parts, files, kernel->build_id);
    if (path != NULL)
        fd = file_open(path, FILE_REGULAR);
    else if (files->root == NULL && kernel_is_running(files, kernel->build_id))
        fd = file_open("/proc/kallsyms", FILE_REGULAR);
    if (path == NULL && fd < 0)
        fd = open_pattern(files, "%h/.debug/[kernel.kallsyms]/%a%b/kallsyms", &parts);
    struct symbol_file *file = look_at_opened(files, fd, &(struct wanted){.kind = SYMBOLS_OF_KERNEL});
    enum symbols_state state = set_table(table, file);
    struct text rest = state == SYMBOLS_OPEN ? text_of(file->symbols.bytes, file->symbols.length) : text_of("", 0);
    while (!text_is_empty(kernel->anchor) && !text_is_empty(rest)) { /* it may be loaded elsewhere by now */
        struct text line = text_take_line(&rest);
        uint64_t address, type;
        if (take_numbers(&line, SYMBOLS_OF_KERNEL, &address, &type) &&
            text_same(text_take_word(&line), kernel->anchor)) {
            table->shift = address - kernel->anchor_address;
            break;
        }
    }
    return state;
}

enum symbols_state object_symbols_open(struct symbol_table *table, struct symbol_files *files, const char *path,
                                       struct text build_id)
{
    /* The object itself, or if that is another one by now, perf's copy. */
    static const char *const objects[] = {"%p", "%h/.debug/.build-id/%a/%b/elf", NULL};
    static const char *const vdso_copies[] = {"%h/.debug/.build-id/%a/%b/vdso", NULL};
    /* Where debug files are; and perf's copies of the object or its debug file, from before it was stripped. */
    static const char *const debug_files[] = {"/usr/lib/debug/.build-id/%a/%b.debug", "%f%n", "%f.debug/%n",
                                              "/usr/lib/debug%f%n", "%h/.debug/.build-id/%a/%b/elf",
                                              "%h/.debug/.build-id/%a/%b/debug", NULL};
    struct wanted wanted = {.kind = SYMBOLS_OF_OBJECT, .build_id = build_id};
    struct parts parts;
    struct symbol_file *object = NULL, *debug = NULL;
    bool is_vdso = strcmp(path, "[vdso]") == 0;
    size_t size;
    const char *vdso = is_vdso && files->root == NULL ? system_vdso(&size) : NULL;
    init_parts(&parts, files, build_id);
    parts.of['p'] = text_of_string(path);
    if (vdso != NULL && (!text_is_empty(build_id) || files->is_here))
        object = look_at(files, (struct known_file){.kind = SYMBOLS_OF_OBJECT},
                         (struct elf){.bytes = vdso, .size = size}, &wanted);
    if (object == NULL)
        object = look_for(files, is_vdso ? vdso_copies : objects, &parts, &wanted);
    if (object == NULL)
        return set_table(table, NULL);
    const struct elf *elf = &object->elf;
    init_parts(&parts, files, elf->build_id);
    parts.of['f'] = text_of(path, file_folder_length(path));
    if (elf->debug_name != NULL && strchr(elf->debug_name, '/') == NULL)
        parts.of['n'] = text_of_string(elf->debug_name);
    wanted.build_id = elf->build_id;
    wanted.link = text_is_empty(elf->build_id) ? elf : NULL;
    wanted.needs_all = true;
    if (!elf->has_all)
        debug = look_for(files, debug_files, &parts, &wanted);
    enum symbols_state state = set_table(table, debug != NULL ? debug : object);
    table->elf = elf;
    return state;
}

uint32_t symbol_table_find(const struct symbol_table *table, uint64_t place)
{
    uint64_t address = place + table->shift;
    if (table->elf != NULL && !elf_address(table->elf, place, &address))
        return NONE;
    return symbols_find(table->symbols, address);
}
