/* SPDX-License-Identifier: MIT */
/*
 * Which functions places are in: the symbols of objects, of code made at run time, and of the kernel, and the files
 * that hold them. These are named by an input that nobody vouches for: only regular files are opened, each is read once
 * by however many paths it is named, and bounds hold for what all files together keep in memory and have read of them,
 * whatever becomes of it.
 */
#include "read/perf/perf_stacks.h"

#include "os/file.h"
#include "os/system.h"
#include "read/filter.h"
#include "read/perf/elf.h"
#include "util/array.h"
#include "util/crc32.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SYMBOLS_MOST_MB = 256, /* memory for all symbols */
    READ_MOST_MB = 512,    /* of all files, little more; they may have holes, and then be larger than any disk */
    MOST_OVERLAPS = 4      /* names of a file may overlap; those that are used take so many times its bytes at most */
};

struct shown_names {
    struct buffer text;
    bool is_full; /* there are more */
};

/* An address as addr2line knows it, and the place that is there. */
struct perf_address {
    uint64_t address;
    uint32_t place;
};

/* A file with the symbols of an object, of code made at run time, or of the kernel. */
struct symbol_file {
    bool has_checksum;
    uint32_t checksum;        /* CRC-32 of the whole file, which .gnu_debuglink contains */
    struct elf elf;           /* of an object */
    enum symbols_state state; /* SYMBOLS_UNTRIED: it should be an ELF file, but is none */
    struct symbols symbols;
    char *path;                     /* of debug information; NULL: unknown, or not wanted */
    struct perf_address *addresses; /* whose lines are wanted, and in this file */
    size_t address_count, address_capacity;
    struct ids named;     /* by a symbol's name, the first place that has been given it */
    uint64_t named_bytes; /* how long these names are */
};

struct wanted {
    enum perf_object_kind kind;
    const char *path;           /* of an object */
    struct text build_id;       /* empty: any will do */
    const struct elf *stripped; /* the object, if its debug file is wanted, which has all symbols; otherwise NULL */
    bool has_lines;             /* the debug file is to have lines in place of symbols */
};

struct opened_file {
    uint64_t volume;
    uint64_t number;
    uint64_t kind; /* so the key has no padding */
    struct symbol_file *file;
};

struct perf_names {
    struct perf_about *about;
    char *root; /* all files are below it, with its links resolved; NULL: they may be anywhere */
    struct task_held held;
    int fd;                        /* of the file that is being read */
    SET(struct opened_file) known; /* each file that has been opened */
    uint64_t left;                 /* bytes of memory for symbols */
    uint64_t unread;               /* bytes that may still be read */
    struct object_table {
        enum symbols_state state;
        bool is_late;             /* it is opened when all has been read: places are not symbols */
        bool has_symbols;         /* for a place that is used */
        uint32_t usual;           /* the name of places without a symbol; NAME_EMPTY: no place has been named so far */
        struct symbol_file *file; /* which other tables may have, too; NULL: there is none */
        struct symbol_file *of_lines; /* the one that has the lines of its code; NULL: none, or they are not wanted */
        const struct elf *elf;        /* of an object: knows where its file is loaded; otherwise NULL */
        uint64_t shift;               /* of the kernel: to be added to an address before it is looked up */
    } *tables;                        /* by object */
    size_t capacity;
};

/* As is_anon_memory and is_no_dso_memory in tools/perf/util/map.h have them. */
uint32_t perf_module(struct perf_about *about, struct text path)
{
    char name[256];
    struct text module = text_starts(path, "[") ? text_before((struct text){path.at + 1, path.end}, ']')
                                                : text_before(path_file(path), '.');
    snprintf(name, sizeof name, "[%.*s]", (int)text_length(module), module.at);
    for (char *p = name; (p = strchr(p, '-')) != NULL;)
        *p = '_';
    return perf_intern(about, text_of_string(name));
}

bool perf_is_jit(struct text name)
{
    static const char *const patterns[] = {"//anon*", "/anon_hugepage*", "/dev/zero*", "[heap]*", "[stack*",
                                           "/SYSV*",  "/memfd:*",        "[anon*",     NULL};
    return text_matches_any(name, patterns);
}

static void close_file(void *of)
{
    struct perf_names *n = of;
    task_let_go(&n->held);
    close(n->fd);
}

/* Takes a descriptor, until close_file. False: it is -1, because there is no file. */
static bool hold_file(struct perf_names *n, int fd)
{
    if (fd < 0 && errno == ENOMEM)
        task_out_of_memory();
    if (fd < 0)
        return false;
    n->fd = fd;
    task_hold(&n->held, close_file, n);
    return true;
}

/* Opens a regular file: below the root, by the path or else by the name alone. Devices may do anything when opened. */
static int open_named(const struct perf_names *n, const char *path)
{
    const char *root = n->about->options->given->samples.root;
    struct file_facts facts;
    errno = ENOENT;
    if (n->root == NULL)
        return path[0] == '/' && file_look(path, true, &facts) && facts.kind == FILE_IS_REGULAR
                   ? file_open(path, FILE_REGULAR)
                   : -1;
    char *joined = memory_get(strlen(root) + strlen(path) + 2);
    sprintf(joined, "%s/%s", root, path);
    int fd = file_open_below(joined, n->root);
    if (fd < 0 && errno != ENOMEM) {
        sprintf(joined, "%s/%s", root, path + file_folder_length(path));
        fd = file_open_below(joined, n->root);
    }
    memory_free(joined);
    return fd;
}

/* Takes what precedes a name: START and SIZE, or START and a letter. False: the line has no symbol. */
static bool take_numbers(struct text *line, bool is_jit, uint64_t *start, uint64_t *second)
{
    struct text first = text_take_word(line), next = text_take_word(line);
    if (!is_jit && text_length(next) == 1)
        *second = (unsigned char)*next.at++;
    else if (!is_jit || !text_take_any_number(&next, true, second, NULL))
        return false;
    return text_take_any_number(&first, true, start, NULL) && text_is_empty(first) && text_is_empty(next) &&
           !text_is_empty(*line);
}

/* Reads `HEXSTART HEXSIZE name` of JIT code, or `HEX TYPE NAME [module]` of the kernel. */
static enum symbols_state read_symbol_lines(int fd, bool is_jit, uint64_t most, struct symbols *symbols)
{
    enum { PAGE = 4096, AT_ONCE = 64 * 1024 };
    uint64_t second, last = 0;
    size_t room = 0;
    ssize_t count = 1;
    while (count > 0 && symbols->length <= most) { /* what the system makes up has no size */
        array_reserve(&symbols->bytes, &room, symbols->length + AT_ONCE, 1);
        count = file_read(fd, symbols->bytes + symbols->length, room - symbols->length, -1);
        symbols->length += count > 0 ? (size_t)count : 0;
    }
    enum symbols_state state = count == 0 ? SYMBOLS_OPEN : count < 0 ? SYMBOLS_MISSING : SYMBOLS_LEFT_OUT;
    struct text rest = text_of(symbols->bytes, symbols->length);
    for (uint64_t number = 1; state == SYMBOLS_OPEN && !text_is_empty(rest); number++) {
        struct text line = text_take_to(&rest, '\n');
        struct symbol_range range = {.end = UINT64_MAX, .rank = number};
        if (!take_numbers(&line, is_jit, &range.start, &second))
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
        array_append(&symbols->ranges, &symbols->count, &symbols->capacity, &range, sizeof range);
        if (symbols->count * sizeof range > most)
            state = SYMBOLS_LEFT_OUT;
    }
    if (!is_jit && last == 0 && state == SYMBOLS_OPEN)
        state = SYMBOLS_MISSING;                 /* all addresses are zero where the system does not show them */
    if (!is_jit && last < UINT64_MAX - 2 * PAGE) /* as in perf, the last has the rest of its page, and another page */
        for (size_t i = 0; i < symbols->count; i++)
            symbols->ranges[i].end = (last + PAGE - 1) / PAGE * PAGE + PAGE;
    symbols->by_rank = is_jit;
    symbols_sort(symbols);
    return state;
}

/* ---- files -------------------------------------------------------------------------------- */

static void read_symbol_file(struct perf_names *n, struct symbol_file *file, enum perf_object_kind kind)
{
    struct symbols *symbols = &file->symbols;
    uint64_t most = MIN(n->left, n->unread);
    file->state = n->unread == 0      ? SYMBOLS_LEFT_OUT
                  : kind == PERF_FILE ? elf_read(&file->elf, most, symbols)
                                      : read_symbol_lines(n->fd, kind == PERF_JIT, most, symbols);
    n->unread -= MIN(n->unread, kind == PERF_FILE ? file->elf.taken : symbols->length);
    uint64_t size = symbols->length + symbols->count * sizeof *symbols->ranges;
    if (file->state == SYMBOLS_OPEN && size <= n->left) {
        n->left -= size;
        return;
    }
    if (file->state == SYMBOLS_OPEN)
        file->state = SYMBOLS_LEFT_OUT;
    memory_free(symbols->ranges);
    memory_free(symbols->bytes);
    *symbols = (struct symbols){.length = 0};
}

/* Is that the checksum of the whole file? If the file is too large to read it all, it is not. */
static bool has_checksum(struct perf_names *n, struct symbol_file *file, uint32_t checksum)
{
    struct crc32 crc;
    char block[64 * 1024];
    ssize_t count;
    if (!file->has_checksum && file->elf.size <= n->unread) {
        n->unread -= file->elf.size;
        crc32_init(&crc);
        for (int64_t at = 0; (count = file_read(n->fd, block, sizeof block, at)) > 0; at += count)
            file->checksum = crc32_add(&crc, file->checksum, block, (size_t)count);
        file->has_checksum = count == 0;
    }
    return file->has_checksum && file->checksum == checksum;
}

/* NULL: it is not what is wanted, by its build-id or, if none is known, by the checksum of an object's debug file. */
static struct symbol_file *look_at(struct perf_names *n, struct opened_file key, struct elf source,
                                   const struct wanted *wanted)
{
    uint32_t number = SET_INTERN(&n->known, key, offsetof(struct opened_file, file));
    struct symbol_file *file = n->known.items[number].file;
    const struct elf *stripped = wanted->stripped;
    if (file == NULL) {
        file = n->known.items[number].file = memory_zeroed(1, sizeof *file);
        file->elf = source;
        read_symbol_file(n, file, wanted->kind);
    }
    bool is_enough = stripped == NULL || (wanted->has_lines ? file->elf.has_lines : file->elf.has_all), is_it = true;
    if (file->state == SYMBOLS_UNTRIED || !is_enough)
        return NULL;
    if (wanted->kind == PERF_FILE && !text_is_empty(wanted->build_id))
        is_it = text_same(wanted->build_id, file->elf.build_id);
    else if (stripped != NULL)
        is_it = has_checksum(n, file, stripped->debug_checksum);
    return is_it ? file : NULL;
}

/* The same for a descriptor, which is closed. It is -1 if there is no file. */
static struct symbol_file *look_at_opened(struct perf_names *n, int fd, const struct wanted *wanted)
{
    struct file_facts facts;
    struct symbol_file *file = NULL;
    if (!hold_file(n, fd))
        return NULL;
    if (file_look_at(fd, &facts))
        file = look_at(n, (struct opened_file){facts.volume, facts.number, wanted->kind, NULL},
                       (struct elf){.fd = fd, .size = facts.size}, wanted);
    if (file != NULL)
        file_limit_readers(n->about->options->rights, &facts.rights);
    close_file(n);
    return file;
}

/*
 * The first file of some patterns that is wanted; NULL: there is none. In a pattern, %h is the user's folder, %p the
 * object, %f its folder, %n its debug file, %a the first byte of the build-id, %b the others. If one is not known, no
 * file is opened.
 */
static struct symbol_file *look_for(struct perf_names *n, const char *const *patterns, const struct wanted *wanted)
{
    const char *home = n->root == NULL ? getenv("HOME") : NULL;
    const char *debug_name = wanted->stripped != NULL ? wanted->stripped->debug_name : NULL;
    struct text parts['p' + 1] = {
        ['p'] = text_of_string(wanted->path), ['f'] = text_of(wanted->path, file_folder_length(wanted->path))};
    size_t id_length = text_length(wanted->build_id);
    char id[2 * BUILD_ID_MAX + 1];
    struct symbol_file *file = NULL;
    for (size_t i = 0; i < id_length; i++)
        sprintf(id + 2 * i, "%02x", (unsigned char)wanted->build_id.at[i]);
    if (id_length >= 2) {
        parts['a'] = text_of(id, 2);
        parts['b'] = text_of(id + 2, 2 * id_length - 2);
    }
    if (home != NULL)
        parts['h'] = text_of_string(home);
    if (debug_name != NULL && strchr(debug_name, '/') == NULL)
        parts['n'] = text_of_string(debug_name);
    for (; file == NULL && *patterns != NULL; patterns++) {
        struct buffer path = {.bytes = NULL};
        bool is_known = true;
        for (const char *p = *patterns; *p != '\0' && is_known; p++) {
            struct text part = *p == '%' ? parts[(unsigned char)*++p] : text_of(p, 1);
            is_known = part.at != NULL;
            buffer_add(&path, part);
        }
        path.bytes[path.length] = '\0';
        if (is_known)
            file = look_at_opened(n, open_named(n, path.bytes), wanted);
        if (file != NULL && n->about->wants_lines && file->path == NULL)
            file->path = path.bytes;
        else
            memory_free(path.bytes);
    }
    return file;
}

static bool kernel_is_running(struct text build_id)
{
    char notes[64 * 1024];
    ssize_t length = file_read_start(file_open("/sys/kernel/notes", FILE_REGULAR), notes, sizeof notes);
    return length > 0 && text_same(notes_build_id(text_of(notes, (size_t)length), 4), build_id);
}

/*
 * The kernel's symbols: of the table that the user names, with lines `HEX TYPE NAME [module]`; or /proc/kallsyms, if
 * the running kernel has the build-id; or perf's copy. It may have been loaded elsewhere: the recording says where one
 * of its symbols was.
 */
static struct symbol_file *open_kernel(struct perf_names *n, uint64_t *shift)
{
    static const char *const copies[] = {"%h/.debug/[kernel.kallsyms]/%a%b/kallsyms", NULL};
    const struct perf_about *about = n->about;
    const char *path = about->options->given->samples.kernel_table;
    struct text build_id = names_text(about->names, about->kernel_id);
    struct text anchor = names_text(about->names, about->kernel_anchor);
    const struct wanted wanted = {.kind = PERF_KERNEL, .path = "", .build_id = build_id};
    int fd = -1;
    if (path != NULL)
        fd = file_open(path, FILE_REGULAR);
    else if (n->root == NULL && !text_is_empty(build_id) && kernel_is_running(build_id))
        fd = file_open("/proc/kallsyms", FILE_REGULAR);
    struct symbol_file *file = path == NULL && fd < 0 ? look_for(n, copies, &wanted) : look_at_opened(n, fd, &wanted);
    bool is_open = file != NULL && file->state == SYMBOLS_OPEN && !text_is_empty(anchor);
    struct text rest = is_open ? text_of(file->symbols.bytes, file->symbols.length) : text_of("", 0);
    while (!text_is_empty(rest)) {
        struct text line = text_take_to(&rest, '\n');
        uint64_t address, type;
        if (take_numbers(&line, false, &address, &type) && text_same(text_take_word(&line), anchor)) {
            *shift = address - about->kernel_anchor_address;
            break;
        }
    }
    return file;
}

/* The build-id of an object, in names; NAME_EMPTY: none is known so far. */
static uint32_t known_build_id(const struct perf_about *about, const struct perf_object *object)
{
    uint32_t id = object->build_id != NAME_EMPTY ? object->build_id : ids_find(&about->build_ids, object->name);
    return id != NONE ? id : NAME_EMPTY;
}

/*
 * The symbols of an object that was recorded by its path and, perhaps, its build-id: the file itself, or if that is
 * another one by now, perf's copy. If it has only those that are exported, its debug file has the others; and so for
 * the lines.
 */
static void open_object(struct perf_names *n, const struct perf_object *recorded, struct object_table *table)
{
    static const char *const objects[] = {"%p", "%h/.debug/.build-id/%a/%b/elf", NULL};
    static const char *const vdso_copies[] = {"%h/.debug/.build-id/%a/%b/vdso", NULL};
    /* Where debug files are; and perf's copies of the object or its debug file, from before it was stripped. */
    static const char *const debug_files[] = {"/usr/lib/debug/.build-id/%a/%b.debug",
                                              "%f%n",
                                              "%f.debug/%n",
                                              "/usr/lib/debug%f%n",
                                              "%h/.debug/.build-id/%a/%b/elf",
                                              "%h/.debug/.build-id/%a/%b/debug",
                                              NULL};
    const struct perf_about *about = n->about;
    struct text kernel = names_text(about->names, about->kernel_id);
    struct symbol_file *object = NULL, *debug = NULL;
    struct wanted wanted = {.kind = PERF_FILE,
                            .path = names_text(about->names, recorded->name).at,
                            .build_id = names_text(about->names, known_build_id(about, recorded))};
    bool is_vdso = strcmp(wanted.path, "[vdso]") == 0;
    bool is_here;
    struct text vdso = system_vdso(names_text(about->names, about->host), names_text(about->names, about->release),
                                   &is_here);
    is_here = is_here && (text_is_empty(kernel) || kernel_is_running(kernel));
    if (is_vdso && n->root == NULL && !text_is_empty(vdso) && (!text_is_empty(wanted.build_id) || is_here))
        object = look_at(n, (struct opened_file){.kind = PERF_FILE},
                         (struct elf){.bytes = vdso.at, .size = text_length(vdso)}, &wanted);
    if (object == NULL)
        object = look_for(n, is_vdso ? vdso_copies : objects, &wanted);
    if (object == NULL)
        return;
    table->elf = &object->elf;
    wanted.build_id = object->elf.build_id;
    wanted.stripped = &object->elf;
    if (!object->elf.has_all)
        debug = look_for(n, debug_files, &wanted);
    table->file = debug != NULL ? debug : object;
    wanted.has_lines = true;
    if (about->wants_lines)
        table->of_lines = table->file->elf.has_lines ? table->file
                          : object->elf.has_lines    ? object
                                                     : look_for(n, debug_files, &wanted);
}

/* Where a process says which code it has made. Returns `path`. */
enum { MAP_PATH = 40 };
static const char *map_path(char path[MAP_PATH], uint32_t pid)
{
    snprintf(path, MAP_PATH, "/tmp/perf-%" PRIu32 ".map", pid);
    return path;
}

/*
 * Code that a process has made is in /tmp/perf-PID.map, with lines `HEXSTART HEXSIZE name`. The last line that holds an
 * address wins, because code is replaced. The file must belong to this user, to root, or to the owner of the process,
 * if that still runs.
 */
static void open_table(struct perf_names *n, const struct perf_object *object, struct object_table *table)
{
    char path[MAP_PATH], process[40];
    map_path(path, object->pid);
    snprintf(process, sizeof process, "/proc/%" PRIu32, object->pid);
    if (object->kind == PERF_JIT)
        table->file = look_at_opened(n, n->root != NULL ? open_named(n, path) : file_open_trusted(path, process),
                                     &(struct wanted){.kind = PERF_JIT});
    else if (object->kind == PERF_KERNEL)
        table->file = open_kernel(n, &table->shift);
    else
        open_object(n, object, table);
    table->state = table->file != NULL ? table->file->state : SYMBOLS_MISSING;
}

/* Finds the address in a file for a place. False: not loaded. prelink moves segments, but not those of debug files. */
static bool find_address(const struct object_table *table, const struct symbol_file *file, uint64_t at,
                         uint64_t *address)
{
    const struct elf *elf = table->elf;
    bool is_loaded = elf == NULL;
    *address = at + table->shift;
    for (size_t i = 0; !is_loaded && i < elf->segment_count; i++) {
        const struct elf_segment *segment = &elf->segments[i];
        uint64_t moved = file->elf.segment_count > 0 ? file->elf.segments->address - elf->segments->address : 0;
        *address = at - segment->offset + segment->address + moved;
        is_loaded = at >= segment->offset && at - segment->offset < segment->size;
    }
    return is_loaded;
}

static uint32_t find_symbol(const struct object_table *table, uint64_t at)
{
    uint64_t address;
    bool is_open = table->state == SYMBOLS_OPEN && find_address(table, table->file, at, &address);
    return is_open ? symbols_find(&table->file->symbols, address) : NONE;
}

uint32_t perf_place(struct perf_about *about, struct perf_place place)
{
    struct perf_names *n = about->symbols;
    const struct perf_object *object = &about->stacks.objects.items[place.object];
    bool is_one_place = object->kind >= PERF_SPECIAL;
    array_reach(&n->tables, &n->capacity, about->stacks.objects.index.used, sizeof *n->tables, 0);
    struct object_table *table = &n->tables[place.object];
    if (table->state == SYMBOLS_UNTRIED && !table->is_late && !is_one_place) {
        /* Build-ids may come last. */
        bool is_kernel = object->kind == PERF_KERNEL, has_id = object->kind == PERF_JIT || about->knows_build_ids;
        if (!has_id)
            has_id = is_kernel ? about->kernel_id != NAME_EMPTY || about->options->given->samples.kernel_table != NULL
                               : known_build_id(about, object) != NAME_EMPTY;
        table->is_late = !has_id || about->options->list != NULL || about->wants_lines;
        if (!table->is_late)
            open_table(n, object, table);
    }
    if (!table->is_late && !is_one_place)
        place.symbol = find_symbol(table, place.at);
    return SET_INTERN(&about->stacks.places, place, offsetof(struct perf_place, object) + sizeof place.object);
}

/* Names a place by its symbol, as the first place of that symbol is named; without one, the object is the name. */
static void name_place(struct perf_names *n, struct perf_symbol *named, uint32_t number)
{
    const struct perf_place *place = &n->about->stacks.places.items[number];
    const struct perf_object *object = &n->about->stacks.objects.items[place->object];
    struct object_table *table = &n->tables[place->object];
    struct perf_address address = {.place = number};
    struct perf_symbol *to = &named[number];
    bool is_one_place = object->kind >= PERF_SPECIAL;
    *to = (struct perf_symbol){object->name, object->within, 0, 0};
    if (is_one_place) {
        to->file = place->file;
        to->line = place->line;
    }
    if (object->kind == PERF_SYMBOL)
        return;
    if (table->usual == NAME_EMPTY) {
        struct text path = names_text(n->about->names, object->name);
        struct text parts[] = {text_of_string("["), path_file(path), text_of_string("]")};
        table->usual = text_starts(path, "[") ? object->name : names_intern_parts(n->about->names, parts, 3);
    }
    to->name = table->usual;
    to->object = object->name;
    if (is_one_place)
        return;
    if (table->state == SYMBOLS_UNTRIED)
        open_table(n, object, table);
    struct symbol_file *of_lines = table->of_lines;
    if (of_lines != NULL && find_address(table, of_lines, place->at, &address.address))
        array_append(&of_lines->addresses, &of_lines->address_count, &of_lines->address_capacity, &address,
                     sizeof address);
    uint32_t symbol = table->is_late ? find_symbol(table, place->at) : (uint32_t)place->symbol;
    if (symbol == NONE)
        return;
    table->has_symbols = true;
    struct symbol_file *file = table->file;
    uint32_t first = ids_find(&file->named, symbol);
    if (first != NONE) {
        to->name = named[first].name;
        to->object = object->kind == PERF_KERNEL ? named[first].object : to->object;
    } else if (file->named_bytes / MOST_OVERLAPS <= file->symbols.length) {
        struct text rest = text_of(file->symbols.bytes + symbol, file->symbols.length - symbol);
        struct text line = object->kind == PERF_FILE ? text_of_string(rest.at) : text_before(rest, '\n');
        struct text name = object->kind == PERF_KERNEL ? text_take_word(&line) : line; /* NAME [module] */
        if (object->kind == PERF_KERNEL && text_starts(line, "["))
            to->object = perf_intern(n->about, text_trim(line));
        file->named_bytes += text_length(name);
        ids_set(&file->named, symbol, number);
        to->name = perf_intern(n->about, name);
    }
}

/* What has become of addresses whose lines are wanted. */
struct perf_lines {
    size_t answered;     /* addresses that the program has answered, even if it knows no line */
    bool is_missing;     /* there is no program that knows lines */
    const char *program; /* the one that was asked last, or NULL */
};

/* addr2line may add ` (discriminator N)`, eu-addr2line `:COLUMN`, and perf script ` (inlined)`. */
bool perf_take_line(struct perf_about *about, struct text text, struct perf_symbol *symbol)
{
    uint64_t line = 0;
    bool is_line = false;
    struct text file = text_trim(text);
    for (const char *p = file.end; text_ends(file, ")") && p > file.at + 1; p--)
        if (text_starts((struct text){p - 2, file.end}, " ("))
            file.end = p - 2;
    for (const char *colon = file.end; colon > file.at; colon--) {
        struct text digits = {colon, file.end};
        uint64_t number = 0;
        if (colon[-1] != ':')
            continue;
        if (!text_equals(digits, "?") && (!text_take_number(&digits, &number, NULL) || !text_is_empty(digits)))
            break;
        is_line = true; /* the leftmost number counts */
        line = number;
        file.end = colon - 1;
    }
    if (line > 0 && line < UINT32_MAX && !text_is_empty(file) && !text_equals(file, "??")) {
        symbol->file = perf_intern(about, file);
        symbol->line = (uint32_t)line;
    }
    return is_line;
}

/* Sets the lines of symbols at addresses of an open file with debug information. */
static void find_lines(struct perf_names *n, const struct symbol_file *file, struct perf_symbol *symbols,
                       struct perf_lines *lines)
{
    static const char *const programs[][2] = {{"addr2line", "-e/dev/fd/3"}, {"eu-addr2line", "-Ae/dev/fd/3"}};
    struct buffer asked = {.bytes = NULL};
    struct text answers = {NULL, NULL};
    bool is_stopped;
    for (size_t i = 0; i < file->address_count && !lines->is_missing; i++) {
        char line[24];
        sprintf(line, "0x%" PRIx64 "\n", file->addresses[i].address);
        buffer_add_string(&asked, line);
    }
    for (size_t i = 0; i < COUNT_OF(programs) && answers.at == NULL && !lines->is_missing; i++) {
        const struct program_kind kind = {.name = programs[i][0],
                                          .argument = programs[i][1],
                                          .is_optional = true,
                                          .input = "addresses",
                                          .past = "have no lines"};
        const struct filter filter = {&kind, n->about->options->for_lines, n->about->diag, n->fd};
        answers = filter_answers(&filter, buffer_text(&asked), &is_stopped);
        lines->program = kind.name;
    }
    lines->is_missing |= answers.at == NULL;
    size_t found = 0;
    for (struct text rest = answers; !text_is_empty(rest); found++)
        text_take_to(&rest, '\n');
    /* If there are more, a file's name may have taken two lines. */
    struct text rest = found <= file->address_count ? answers : text_of("", 0);
    for (size_t i = 0; i < file->address_count && !text_is_empty(rest); i++)
        lines->answered += perf_take_line(n->about, text_take_to(&rest, '\n'), &symbols[file->addresses[i].place]);
    if (!text_is_empty(answers))
        memory_free((char *)answers.at);
    memory_free(asked.bytes);
}

/* Opens each file with debug information again, if it still is the same one, and finds the lines of symbols in it. */
static void find_source_lines(struct perf_names *n, struct perf_symbol *symbols)
{
    struct perf_lines lines = {.answered = 0};
    struct diag *diag = n->about->diag;
    struct file_facts facts;
    size_t asked = 0, known = 0; /* addresses; places of which the line is known */
    for (uint32_t i = 0; i < n->known.index.used; i++) {
        const struct opened_file *key = &n->known.items[i];
        struct symbol_file *file = key->file;
        if (file->address_count == 0)
            continue;
        asked += file->address_count;
        if (file->path == NULL || !hold_file(n, open_named(n, file->path)))
            continue;
        if (file_look_at(n->fd, &facts) && facts.volume == key->volume && facts.number == key->number)
            find_lines(n, file, symbols, &lines);
        close_file(n);
        memory_free(file->addresses);
        file->address_count = 0;
    }
    for (uint32_t i = 0; i < n->about->stacks.places.index.used; i++)
        known += symbols[i].line > 0;
    if (lines.is_missing)
        diag_warning(diag, 0,
                     "found no program that knows lines of source, expected addr2line (install "
                     "binutils) or eu-addr2line (install elfutils); all lines are 0");
    else if (lines.answered < asked)
        diag_warning(diag, 0,
                     "found lines of source for %zu addresses, expected %zu: %s has failed, or was "
                     "stopped because it took too much; the others are 0",
                     lines.answered, asked, lines.program != NULL ? lines.program : "its file");
    else if (known == 0)
        diag_warning(diag, 0, "found no lines of source, expected %s; all lines are 0", n->about->says_lines);
}

/* Adds an object to those that a message names. The list is of a bounded length. */
static void list_object(const struct perf_names *n, struct shown_names *list, uint32_t object)
{
    enum { MOST = 394 }; /* bytes */
    struct text name = names_text(n->about->names, object);
    if (list->is_full)
        return;
    list->is_full = list->text.length + 2 + text_length(name) > MOST;
    buffer_add_string(&list->text, list->text.length > 0 ? ", " : "");
    buffer_add(&list->text, list->is_full ? text_of_string("...") : name);
}

static void check_objects(struct perf_names *n)
{
    struct perf_about *about = n->about;
    struct shown_names lacking = {.is_full = false}, left_out = lacking; /* objects without symbols; without some */
    const char *kernel_table = about->options->given->samples.kernel_table;
    for (uint32_t i = 0; i < about->stacks.objects.index.used; i++) {
        const struct perf_object *object = &about->stacks.objects.items[i];
        const struct object_table *table = &n->tables[i];
        uint32_t name = object->name;
        char map[MAP_PATH];
        if (table->usual == NAME_EMPTY || table->state == SYMBOLS_UNTRIED) /* it is not used, or has no symbols */
            continue;
        if (table->state == SYMBOLS_OPEN && table->file->named_bytes / MOST_OVERLAPS > table->file->symbols.length)
            list_object(n, &left_out, name);
        if (table->has_symbols)
            continue;
        if (i == OBJECT_KERNEL && kernel_table != NULL)
            diag_error_in(about->diag, kernel_table,
                          "this file has no symbols of a kernel; it needs lines "
                          "\"ADDRESS TYPE NAME\", as /proc/kallsyms has them");
        if (object->kind == PERF_JIT)
            name = perf_intern(about, text_of_string(map_path(map, object->pid)));
        if (object->kind != PERF_FILE || text_starts(names_text(about->names, name), "/"))
            list_object(n, table->state == SYMBOLS_LEFT_OUT ? &left_out : &lacking, name);
    }
    if (lacking.text.length > 0)
        diag_warning(diag_about(about->diag, CG2WG_MEMBER_SAMPLES_SYMBOLS), 0, "no symbols for %.*s: each is one row",
                     (int)lacking.text.length, lacking.text.bytes);
    if (left_out.text.length > 0)
        diag_warning(about->diag, 0, "symbols take more than %d MB, or their names overlap; some are left out, of %.*s",
                     SYMBOLS_MOST_MB, (int)left_out.text.length, left_out.text.bytes);
}

struct perf_symbol *perf_find_symbols(struct perf_about *about, const bool *is_used)
{
    struct perf_names *n = about->symbols;
    uint32_t places = about->stacks.places.index.used;
    struct perf_symbol *symbols = memory_zeroed(places + 1, sizeof *symbols);
    array_reach(&n->tables, &n->capacity, about->stacks.objects.index.used, sizeof *n->tables, 0);
    for (uint32_t i = 0; i < places; i++)
        if (is_used == NULL || is_used[i])
            name_place(n, symbols, i);
    if (about->wants_lines)
        find_source_lines(n, symbols);
    check_objects(n);
    return symbols;
}

void perf_names_begin(struct perf_about *about)
{
    struct perf_names *n = about->symbols = memory_zeroed(1, sizeof *n);
    const char *root = about->options->given->samples.root;
    struct file_facts facts;
    n->about = about;
    if (root != NULL && ((n->root = file_resolve(root)) == NULL || !file_look(n->root, true, &facts)))
        diag_error_in(about->diag, root, "cannot open: %s", strerror(errno));
    if (root != NULL && facts.kind != FILE_IS_FOLDER)
        diag_error_in(about->diag, root, "is no folder, expected one with the files of the machine that was recorded");
    n->left = (uint64_t)SYMBOLS_MOST_MB << 20;
    n->unread = (uint64_t)READ_MOST_MB << 20;
}
