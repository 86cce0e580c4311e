/*
 * Recordings of perf, made byte by byte as <linux/perf_event.h> and perf.data-file-format.txt say: each rule
 * of the format, of stacks, processes, events and symbols; and what is damaged.
 */
#include "support.h"

#include "read/frontend.h"
#include "util/crc32.h"
#include "util/little.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#endif

/* ---- bytes -------------------------------------------------------------------------------- */

struct bytes {
    unsigned char *at;
    size_t length;
};

static void put(struct bytes *b, uint64_t number, size_t size)
{
    enum { STEP = 1 << 18 }; /* of room, so that memory is not asked for each time */
    if (b->at == NULL || b->length / STEP != (b->length + size) / STEP)
        b->at = realloc(b->at, ((b->length + size) / STEP + 1) * STEP);
    for (size_t i = 0; i < size; i++)
        b->at[b->length++] = (unsigned char)(number >> 8 * i);
}

static void put_bytes(struct bytes *b, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put(b, ((const unsigned char *)bytes)[i], 1);
}

static void put_zeros(struct bytes *b, size_t count)
{
    while (count-- > 0)
        put(b, 0, 1);
}

static void pad(struct bytes *b, size_t to)
{
    put_zeros(b, (to - b->length % to) % to);
}

/* A text with its NUL, filled up to a multiple of 8. */
static void put_name(struct bytes *b, const char *name)
{
    put_bytes(b, name, strlen(name) + 1);
    pad(b, 8);
}

static void set(struct bytes *b, size_t at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        b->at[at + i] = (unsigned char)(number >> 8 * i);
}

static void free_bytes(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){NULL, 0};
}

/* ---- recordings --------------------------------------------------------------------------- */

enum {
    IP = 1, TID = 2, TIME = 4, ADDR = 8, READ = 0x10, CHAIN = 0x20, ID = 0x40, CPU = 0x80,
    PERIOD = 0x100, STREAM = 0x200, RAW = 0x400, IDENTIFIER = 0x10000,
    BRANCHES = 0x800, USER_STACK = 0x2000,
    USUAL = IP | TID | TIME | CHAIN | PERIOD,
    KERNEL = 1, USER = 2, MADE_UP = 0x2000,
    MMAP = 1, LOST = 2, COMM = 3, FORK = 7, SAMPLE = 9, MMAP2 = 10, LOST_SAMPLES = 13, KSYMBOL = 17, DEFERRED = 22,
    ATTR = 64, TRACING_DATA = 66, BUILD_ID = 67, ROUND = 68, AUXTRACE = 71, UPDATE = 78, FEATURE = 80,
    COMPRESSED = 81, COMPRESSED2 = 83
};

#define SAMPLE_ID_ALL (UINT64_C(1) << 18)
#define INHERIT UINT64_C(2)
#define FREQUENCY (UINT64_C(1) << 10)
#define WITHOUT_USER_CHAIN (UINT64_C(1) << 22)

#define IN_KERNEL ((uint64_t)-128)
#define IN_USER ((uint64_t)-512)

struct recorded_event {
    uint32_t type;
    uint64_t config, period, sample_type, read_format, flags, id;
};

enum { MAX_EVENTS = 4, MAX_FEATURES = 8 };

struct recording {
    struct recorded_event events[MAX_EVENTS];
    size_t event_count;
    struct bytes data;
    struct {
        unsigned bit;
        struct bytes content;
    } features[MAX_FEATURES];
    size_t feature_count;
    size_t entry_size; /* of an event */
};

/* A recording with one event, page-faults, whose samples have chains and periods. */
static struct recording begin(void)
{
    return (struct recording){.events = {{1, 2, 1, USUAL, 0, SAMPLE_ID_ALL, 11}},
                              .event_count = 1,
                              .entry_size = 80};
}

static void put_attr(struct bytes *b, const struct recorded_event *e, size_t size)
{
    size_t start = b->length;
    put(b, e->type, 4);
    put(b, size, 4);
    put(b, e->config, 8);
    put(b, e->period, 8);
    put(b, e->sample_type, 8);
    put(b, e->read_format, 8);
    put(b, e->flags, 8);
    put_zeros(b, start + size - b->length);
}

/* The head of a record, whose size is set by end_record. */
static size_t begin_record(struct recording *r, unsigned type, unsigned misc)
{
    size_t start = r->data.length;
    put(&r->data, type, 4);
    put(&r->data, misc, 2);
    put(&r->data, 0, 2);
    return start;
}

static void end_record(struct recording *r, size_t start)
{
    set(&r->data, start + 6, r->data.length - start, 2);
}

static void put_words(struct bytes *b, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(b, words[i], 8);
}

#define COUNT_OF(...) (sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
#define PUT_WORDS(b, ...) put_words(b, (const uint64_t[]){__VA_ARGS__}, COUNT_OF(__VA_ARGS__))

/* The words of those fields that an event has, or that are among `wanted`. */
struct field {
    uint64_t bit, value;
};

static void put_fields(struct recording *r, uint64_t type, const struct field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (type & fields[i].bit)
            put(&r->data, fields[i].value, 8);
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* What follows records that are no samples. */
static void put_trailer(struct recording *r, uint32_t pid, uint64_t time)
{
    const struct recorded_event *e = &r->events[0];
    const struct field fields[] = {{TID, pair(pid, pid)}, {TIME, time}, {ID, e->id},
                                   {STREAM, 77},          {CPU, 1},     {IDENTIFIER, e->id}};
    if (e->flags & SAMPLE_ID_ALL)
        put_fields(r, e->sample_type, fields, 6);
}

enum { NO_TRAILER = 99 }; /* in place of a time */

static void put_record(struct recording *r, unsigned type, unsigned misc, uint32_t pid, uint64_t time,
                       const char *name, const uint64_t *words, size_t count)
{
    size_t record = begin_record(r, type, misc);
    put_words(&r->data, words, count);
    if (name != NULL)
        put_name(&r->data, name);
    if (time != NO_TRAILER)
        put_trailer(r, pid, time);
    end_record(r, record);
}

/* A record of these words, of a name unless it is NULL, and of a trailer with process and time. */
#define RECORD(r, type, misc, pid, time, name, ...) \
    put_record(r, type, misc, pid, time, name, (const uint64_t[]){__VA_ARGS__}, COUNT_OF(__VA_ARGS__))

/* The calling thread's kernel or user mode, its chain up to a 0. */
struct stack {
    unsigned mode;
    uint64_t ip;
    const uint64_t *chain;
    size_t count;
};

#define STACK(mode, ip, ...)                                                                   \
    (struct stack){mode, ip, (const uint64_t[]){__VA_ARGS__}, COUNT_OF(__VA_ARGS__)}

static void sample_of(struct recording *r, size_t event, uint32_t pid, uint32_t tid, uint64_t time,
                      uint64_t period, struct stack stack)
{
    const struct recorded_event *e = &r->events[event];
    size_t start = begin_record(r, SAMPLE, stack.mode);
    uint64_t type = e->sample_type;
    const struct field fields[] = {{IDENTIFIER, e->id}, {IP, stack.ip}, {TID, pair(pid, tid)},
                                   {TIME, time},        {ADDR, 0xabcd}, {ID, e->id},
                                   {STREAM, 77},        {CPU, 3},       {PERIOD, period}};
    const struct field last[] = {{RAW, 0x11223344}, {BRANCHES, 0}, {USER_STACK, 0}};
    put_fields(r, type, fields, 9);
    if ((type & READ) && (e->read_format & 8)) {
        put(&r->data, r->event_count, 8);
        for (size_t i = 0; i < r->event_count; i++) { /* period: of each event, two decimal digits */
            uint64_t value = i == 0 ? period % 100 : period / 100;
            put(&r->data, value, 8);
            put(&r->data, r->events[i].id, 8);
        }
    } else if (type & READ) {
        put(&r->data, period, 8);
        if (e->read_format & 1)
            put(&r->data, 1000, 8);
        if (e->read_format & 4)
            put(&r->data, e->id, 8);
    }
    if (type & CHAIN) {
        put(&r->data, stack.count, 8);
        put_words(&r->data, stack.chain, stack.count);
    }
    put_fields(r, type, last, 3);
    end_record(r, start);
}

/* A sample of process 5. */
static void sample(struct recording *r, uint64_t time, uint64_t period, struct stack stack)
{
    sample_of(r, 0, 5, 5, time, period, stack);
}

static void map(struct recording *r, uint32_t pid, uint64_t time, uint64_t start, uint64_t length,
                uint64_t offset, const char *name)
{
    RECORD(r, MMAP, pid == UINT32_MAX ? KERNEL : USER, pid, time, name, pair(pid, pid), start, length, offset);
}

static void map2(struct recording *r, uint32_t pid, uint64_t time, unsigned protection,
                 const unsigned char *build_id, const char *name)
{
    unsigned char id[24] = {20};
    if (build_id != NULL)
        memcpy(id + 4, build_id, 20);
    RECORD(r, MMAP2, USER | (build_id != NULL ? 0x4000 : 0), pid, time, name, pair(pid, pid), 0x7000, 0x1000, 0x1000,
           little8(id), little8(id + 8), little8(id + 16), protection);
}

static void name_thread(struct recording *r, uint32_t pid, uint32_t tid, uint64_t time,
                        const char *name)
{
    RECORD(r, COMM, 0, pid, time, name, pair(pid, tid));
}

static void fork_process(struct recording *r, uint32_t parent, uint32_t child, uint64_t time,
                         unsigned misc)
{
    RECORD(r, FORK, misc, child, time, NULL, pair(child, parent), pair(child, parent), time);
}

static void kernel_symbol(struct recording *r, uint64_t time, uint64_t address, uint32_t length,
                          unsigned type, unsigned flags, const char *name)
{
    RECORD(r, KSYMBOL, 0, 0, time, name, address, pair(length, flags << 16 | type));
}

static void end_round(struct recording *r)
{
    end_record(r, begin_record(r, ROUND, 0));
}

static struct bytes *feature(struct recording *r, unsigned bit)
{
    r->features[r->feature_count].bit = bit;
    return &r->features[r->feature_count++].content;
}

static void put_string(struct bytes *b, const char *text)
{
    size_t length = (strlen(text) + 1 + 63) / 64 * 64;
    put(b, length, 4);
    put_bytes(b, text, strlen(text));
    put_zeros(b, length - strlen(text));
}

static void name_events(struct recording *r, const char *const *names)
{
    struct bytes *b = feature(r, 12);
    put(b, r->event_count, 4);
    put(b, 64, 4);
    for (size_t i = 0; i < r->event_count; i++) {
        put_attr(b, &r->events[i], 64);
        put(b, 1, 4);
        put_string(b, names[i]);
        put(b, r->events[i].id, 8);
    }
}

static void put_build_id(struct recording *r, const unsigned char *id, const char *name)
{
    struct bytes *b = feature(r, 2);
    size_t start = b->length;
    put(b, 0, 4);
    put(b, USER, 2);
    put(b, 0, 2);
    put(b, UINT32_MAX, 4);
    put_bytes(b, id, 20);
    put(b, 0, 4);
    put_name(b, name);
    set(b, start + 6, b->length - start, 2);
}

/* Where sections are: in the usual order, or the events after all else. */
enum layout { USUAL_LAYOUT, EVENTS_LAST, CONTENTS_FIRST };

static void put_events(struct recording *r, struct bytes *b, uint64_t ids_at)
{
    for (size_t i = 0; i < r->event_count; i++) {
        put_attr(b, &r->events[i], r->entry_size - 16);
        put(b, ids_at + 8 * i, 8);
        put(b, 8, 8);
    }
}

static struct bytes finish_as(struct recording *r, enum layout layout)
{
    struct bytes b = {NULL, 0};
    uint64_t bits[4] = {0}, contents_at[MAX_FEATURES], ids_at = 104, events_at, data_at;
    size_t table_at;
    put_bytes(&b, "PERFILE2", 8);
    put(&b, 104, 8);
    put(&b, r->entry_size, 8);
    put_zeros(&b, 104 - b.length);
    for (size_t i = 0; i < r->event_count; i++)
        put(&b, r->events[i].id, 8);
    events_at = b.length;
    if (layout != EVENTS_LAST)
        put_events(r, &b, ids_at);
    for (size_t i = 0; layout == CONTENTS_FIRST && i < r->feature_count; i++) {
        contents_at[i] = b.length;
        put_bytes(&b, r->features[i].content.at, r->features[i].content.length);
    }
    data_at = b.length;
    put_bytes(&b, r->data.at, r->data.length);
    table_at = b.length;
    put_zeros(&b, 16 * r->feature_count);
    put(&b, 0xdeadbeef, 8); /* contents need not follow at once */
    for (size_t i = 0; layout != CONTENTS_FIRST && i < r->feature_count; i++) {
        contents_at[i] = b.length;
        put_bytes(&b, r->features[i].content.at, r->features[i].content.length);
    }
    for (size_t i = 0; i < r->feature_count; i++) {
        bits[r->features[i].bit / 64] |= UINT64_C(1) << r->features[i].bit % 64;
        set(&b, table_at + 16 * i, contents_at[i], 8);
        set(&b, table_at + 16 * i + 8, r->features[i].content.length, 8);
        free_bytes(&r->features[i].content);
    }
    if (layout == EVENTS_LAST) {
        events_at = b.length;
        put_events(r, &b, ids_at);
    }
    put_bytes(&b, "appended by somebody else", 25);
    set(&b, 24, events_at, 8);
    set(&b, 32, r->event_count * r->entry_size, 8);
    set(&b, 40, data_at, 8);
    set(&b, 48, r->data.length, 8);
    for (size_t i = 0; i < 4; i++)
        set(&b, 72 + 8 * i, bits[i], 8);
    free_bytes(&r->data);
    return b;
}

/* The same as perf writes it to a pipe: nothing but records. */
static struct bytes finish_pipe(struct recording *r)
{
    struct bytes b = {NULL, 0};
    put_bytes(&b, "PERFILE2", 8);
    put(&b, 16, 8);
    put_bytes(&b, r->data.at, r->data.length);
    free_bytes(&r->data);
    return b;
}

static struct bytes finish(struct recording *r)
{
    return finish_as(r, USUAL_LAYOUT);
}

/* ---- symbols ------------------------------------------------------------------------------ */

struct symbol {
    const char *name;
    uint64_t value, size;
    unsigned info; /* binding << 4 | type */
    unsigned other;
};

enum { FUNCTION = 0x12, LOCAL_FUNCTION = 0x02, WEAK_FUNCTION = 0x22, LABEL = 0x10, OBJECT = 0x11 };

#define TEXT_AT UINT64_C(0x401000)

static const unsigned char own_id[20] = "twenty bytes of id.";
static const unsigned char other_id[20] = "of another build   .";

static const struct symbol usual_symbols[] = {{"main", TEXT_AT, 0x100, FUNCTION, 0},
                                              {"f", TEXT_AT + 0x100, 0x100, FUNCTION, 0},
                                              {"g", TEXT_AT + 0x200, 0x100, FUNCTION, 0}};

static void put_section(struct bytes *b, bool is_64, const uint64_t f[10])
{
    static const unsigned sizes_64[10] = {4, 4, 8, 8, 8, 8, 4, 4, 8, 8};
    for (size_t i = 0; i < 10; i++)
        put(b, f[i], is_64 ? sizes_64[i] : 4);
}

static void put_symbol(struct bytes *b, bool is_64, uint32_t name, const struct symbol *s)
{
    put(b, name, 4);
    if (!is_64) {
        put(b, s->value, 4);
        put(b, s->size, 4);
    }
    put(b, s->info, 1);
    put(b, s->other, 1);
    put(b, s->name != NULL ? 1 : 0, 2); /* section 1 is .text */
    if (is_64) {
        put(b, s->value, 8);
        put(b, s->size, 8);
    }
}

/*
 * An ELF file of which the bytes from 0x1000 on are loaded to TEXT_AT: a note with a build-id, .text, a
 * table of symbols (.symtab, or .dynsym) and its strings.
 */
static struct bytes elf(bool is_64, unsigned machine, unsigned table, const unsigned char *id,
                        const struct symbol *symbols, size_t count)
{
    struct bytes b = {NULL, 0}, names = {NULL, 0}, entries = {NULL, 0};
    struct symbol none = {NULL, 0, 0, 0, 0};
    size_t word = is_64 ? 8 : 4;
    put(&names, 0, 1);
    put_symbol(&entries, is_64, 0, &none);
    for (size_t i = 0; i < count; i++) {
        put_symbol(&entries, is_64, (uint32_t)names.length, &symbols[i]);
        put_bytes(&names, symbols[i].name, strlen(symbols[i].name) + 1);
    }
    size_t header = is_64 ? 64 : 52, segment = is_64 ? 56 : 32, section = is_64 ? 64 : 40;
    size_t note_at = header + 2 * segment, symbols_at = note_at + 36,
           names_at = symbols_at + entries.length, sections_at = names_at + names.length;
    const struct {
        uint64_t value;
        size_t size;
    } head[] = {{0x464c457f, 4}, {is_64 ? 2 : 1, 1}, {1, 1}, {1, 8}, {0, 2}, {3, 2}, {machine, 2}, {1, 4},
                {TEXT_AT, word}, {header, word}, {sections_at, word}, {0, 4}, {header, 2}, {segment, 2}, {2, 2},
                {section, 2}, {4, 2}, {3, 2}};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        put(&b, head[i].value, head[i].size);
    for (unsigned i = 0; i < 2; i++) { /* PT_LOAD, PT_NOTE */
        uint64_t at = i == 0 ? 0x1000 : note_at, size = i == 0 ? 0x1000 : 36;
        put(&b, i == 0 ? 1 : 4, 4);
        if (is_64)
            put(&b, 5, 4);
        put(&b, at, word);
        put(&b, i == 0 ? TEXT_AT : 0, word);
        put(&b, 0, word);
        put(&b, size, word);
        put(&b, size, word);
        if (!is_64)
            put(&b, 5, 4);
        put(&b, 4, word);
    }
    put(&b, 4, 4);
    put(&b, 20, 4);
    put(&b, 3, 4);
    put_bytes(&b, "GNU", 4);
    put_bytes(&b, id, 20);
    put_bytes(&b, entries.at, entries.length);
    put_bytes(&b, names.at, names.length);
    const uint64_t sections[4][10] = {
        {0},
        {0, 1, 6, TEXT_AT, 0x1000, 0x1000, 0, 0, 16, 0},
        {0, table, 0, 0, symbols_at, entries.length, 3, 1, 8, is_64 ? 24 : 16},
        {0, 3, 0, 0, names_at, names.length, 0, 0, 1, 0}};
    for (size_t i = 0; i < 4; i++)
        put_section(&b, is_64, sections[i]);
    pad(&b, 0x2000);
    free_bytes(&names);
    free_bytes(&entries);
    return b;
}

static void write_in_root(const char *name, struct bytes b)
{
    char *path = scratch_path(name);
    write_file(path, b.at, b.length);
    free(path);
    free_bytes(&b);
}

static void write_text_in_root(const char *name, const char *text)
{
    char *path = scratch_path(name);
    write_file(path, text, strlen(text));
    free(path);
}

/* Runs a command with a path below the root. */
static void command_in_root(const char *command, const char *name)
{
    char *path = scratch_path(name), line[1000];
    snprintf(line, sizeof line, "%s '%s'", command, path);
    assert_int_equal(system(line), 0);
    free(path);
}

static void remove_from_root(const char *name)
{
    char *path = scratch_path(name);
    unlink(path);
    free(path);
}

/* Addresses within the functions, where the program is mapped as map_program does it. */
#define MAIN UINT64_C(0x7010)
#define F UINT64_C(0x7110)
#define G UINT64_C(0x7210)

static void map_program(struct recording *r)
{
    map(r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/prog");
}

/* The program, and a sample of f, which main has called: ONE_STACK("7", "7"). */
static void call_f(struct recording *r)
{
    map_program(r);
    sample(r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
}

static int make_program(void **state)
{
    write_in_root("prog", elf(true, 62, 2, own_id, usual_symbols, 3));
    return 0;
}

/* ---- conversions -------------------------------------------------------------------------- */

static struct cg2wg_options with_root(void)
{
    static char *root; /* one for the process */
    struct cg2wg_options options = default_options();
    if (root == NULL) {
        root = scratch_path("");
        root[strlen(root) - 1] = '\0';
    }
    options.samples.root = root;
    return options;
}

/* The same, and a table of the kernel with that text. */
static struct cg2wg_options with_kernel(const char *text)
{
    static char *table; /* one for the process */
    struct cg2wg_options options = with_root();
    if (table == NULL)
        table = scratch_path("kallsyms");
    write_text_in_root("kallsyms", text);
    options.samples.kernel_table = table;
    return options;
}

/* The same as a gzip file without compression, of which the end cannot be read first. */
static struct bytes packed(struct bytes plain)
{
    enum { BLOCK = 0xffff };
    struct bytes b = {NULL, 0};
    struct crc32 crc;
    crc32_init(&crc);
    put_bytes(&b, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    for (size_t at = 0, length; at == 0 || at < plain.length; at += length) {
        length = plain.length - at < BLOCK ? plain.length - at : BLOCK;
        put(&b, at + length == plain.length, 1);
        put(&b, length, 2);
        put(&b, ~length & 0xffff, 2);
        put_bytes(&b, plain.at + at, length);
        if (length == 0)
            break;
    }
    put(&b, crc32_add(&crc, 0, plain.at, plain.length), 4);
    put(&b, plain.length, 4);
    return b;
}

/* Takes the recording, and converts it. */
static struct conversion_result convert(struct bytes recording, const struct cg2wg_options *options)
{
    struct cg2wg_options usual = with_root();
    struct conversion_result result = convert_bytes(recording.at, recording.length, options != NULL ? options : &usual);
    free_bytes(&recording);
    return result;
}

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 64; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/*
 * Takes the recording, converts it, and compares. Build-ids are known first, or last if it is compressed: the
 * result is the same. No descriptor stays open.
 */
static void expect(struct bytes recording, const struct cg2wg_options *options, const char *messages,
                   const char *dump)
{
    struct bytes forms[] = {recording, packed(recording)};
    for (size_t i = 0; i < 2; i++) {
        unsigned descriptors = open_descriptors();
        struct conversion_result result = convert(forms[i], options);
        assert_string_equal(result.messages, messages);
        assert_string_equal(result.dump, dump);
        assert_int_equal(result.status, *dump != '\0' ? CG2WG_OK : CG2WG_FAILED);
        assert_int_equal(open_descriptors(), descriptors);
        conversion_free(&result);
    }
}

#define HEADERS(total)                      \
    "header: creator: perf\n"               \
    "header: events: page-faults\n"         \
    "header: summary: " total "\n"

#define NO_SYMBOLS(objects)                                                                       \
    "warning: found no symbols for " objects ": each is one row\n"

#define HAS_TRACE                                                                                     \
    "warning: holds a hardware trace, which is not decoded; convert the text of perf script, which " \
    "does that\n"

/* perf was stopped before it had written all of its head. */
#define WAS_KILLED                                                                                   \
    "found no size of the data, because perf was stopped before it wrote one, expected a complete " \
    "recording; what there is of it is taken\n"

#define ENDS_AT_336 "ends within the record at byte 336, expected all of it; that is left out\n"

#define CALLS(a, b)                                               \
    "/srv/prog " a " line=0 self=0 incl=7 inv=1\n  to " b ":0 x1 =7\n" \
    "/srv/prog " b " line=0 self=7 incl=7 inv=1\n  from " a ":0 x1 =7\n" HEADERS("7")

/* For main and its callees. */
#define ONE_STACK(a, total)                                                              \
    "/srv/prog main line=0 self=0 incl=" a " inv=1\n"                                    \
    "  to f:0 x1 =" a "\n"                                                               \
    "/srv/prog f line=0 self=" a " incl=" a " inv=1\n"                                   \
    "  from main:0 x1 =" a "\n" HEADERS(total)

/* ---- the file ----------------------------------------------------------------------------- */

static void a_stack_becomes_rows_and_arcs(void **state)
{
    struct recording r = begin();
    call_f(&r);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

/* The smallest ones: no time, no period but the event's, unless that is a frequency, no trailers, no features. */
static void an_event_has_the_period(void **state)
{
    for (int i = 0; i < 2; i++) {
        struct recording r = begin();
        r.events[0] = (struct recorded_event){1, 2, 1000, IP | TID | CHAIN, 0, i == 0 ? 0 : FREQUENCY, 11};
        map_program(&r);
        sample(&r, 0, 0, STACK(USER, F, IN_USER, F, MAIN));
        expect(finish(&r), NULL, "", i == 0 ? ONE_STACK("1000", "1000") : ONE_STACK("1", "1"));
    }
}

static void all_fields_are_passed_over(void **state)
{
    struct recording r = begin();
    r.events[0].sample_type = USUAL | ADDR | ID | STREAM | CPU | RAW | IDENTIFIER | READ;
    r.events[0].read_format = 1;
    call_f(&r);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

static void sections_lie_anywhere(void **state)
{
    for (enum layout layout = USUAL_LAYOUT; layout <= CONTENTS_FIRST; layout++) {
        struct recording r = begin();
        r.entry_size = layout == USUAL_LAYOUT ? 144 : 80;
        struct bytes *b = feature(&r, 5);
        put_string(b, "6.1.2");
        b = feature(&r, 11);
        put(b, 2, 4);
        put_string(b, "perf");
        put_string(b, "record\n./x y");
        put(feature(&r, 200), 1, 8); /* nobody knows it */
        map_program(&r);
        sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
        expect(finish_as(&r, layout), NULL, "",
               "/srv/prog main line=0 self=7 incl=7 inv=1\n"
               "header: creator: perf 6.1.2\n"
               "header: cmd: perf record?./x y\n"
               "header: events: page-faults\n"
               "header: summary: 7\n");
    }
}

static void version_1_has_names_of_events(void **state)
{
    struct recording r = begin();
    r.events[0].type = 3;
    r.events[0].config = 99;
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
    struct bytes b = finish(&r);
    memcpy(b.at, "PERFFILE", 8);
    set(&b, 56, b.length, 8);
    set(&b, 64, 2 * 72, 8);
    for (unsigned i = 98; i <= 99; i++) {
        put(&b, i, 8);
        put_bytes(&b, i == 98 ? "no-event" : "old-name", 9);
        put_zeros(&b, 64 - 9);
    }
    expect(b, NULL, "", "/srv/prog main line=0 self=7 incl=7 inv=1\n"
                        "header: creator: perf\nheader: events: old-name\nheader: summary: 7\n");
}

static void a_killed_recording_is_read_to_its_end(void **state)
{
    struct recording r = begin();
    call_f(&r);
    size_t whole = r.data.length;
    sample(&r, 20, 7, STACK(USER, F, IN_USER, F, MAIN));
    struct bytes b = finish(&r);
    size_t data_at = 104 + 8 + 80;
    b.length = data_at + whole + 12;
    set(&b, 48, 0, 8);
    set(&b, 72, UINT64_MAX, 8); /* not to be trusted */
    expect(b, NULL,
           "warning: " WAS_KILLED "warning: " ENDS_AT_336,
           ONE_STACK("7", "7"));
}

static void a_pipe_has_records_for_sections(void **state)
{
    struct recording r = begin();
    size_t record = begin_record(&r, ATTR, 0);
    put_attr(&r.data, &r.events[0], 64);
    put(&r.data, r.events[0].id, 8);
    end_record(&r, record);
    record = begin_record(&r, FEATURE, 0);
    put(&r.data, 5, 8);
    put(&r.data, 4, 4);
    put_bytes(&r.data, "6.9", 4); /* sizes need not be multiples of 8 */
    end_record(&r, record);
    RECORD(&r, FEATURE, 0, 0, NO_TRAILER, NULL, 32); /* the end of them */
    RECORD(&r, UPDATE, 0, 0, NO_TRAILER, "faults:u", 2, 11);
    record = begin_record(&r, TRACING_DATA, 0);
    put(&r.data, 27, 4);
    end_record(&r, record);
    put_bytes(&r.data, "twenty-seven bytes, and more....", 32); /* rounded up to 8 */
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
    expect(finish_pipe(&r), NULL, "", "/srv/prog main line=0 self=7 incl=7 inv=1\n"
                        "header: creator: perf 6.9\nheader: events: faults:u\nheader: summary: 7\n");
}

static void what_cannot_be_read_is_refused(void **state)
{
    struct recording r = begin();
    put(feature(&r, 24), 1, 8);
    end_round(&r);
    expect(finish(&r), NULL,
           "error: found a part of a folder made by perf record --threads, which cannot be read here, "
           "expected a recording without; record without --threads\n", "");
    r = begin(); /* version 0: perf record --kcore, which has a folder for other files than this one */
    put(feature(&r, 24), 0, 8);
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, MAIN, IN_USER, MAIN));
    expect(finish(&r), NULL, "", "/srv/prog main line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    r = begin();
    end_round(&r);
    struct bytes b = finish(&r);
    memcpy(b.at, "2ELIFREP", 8);
    expect(b, NULL,
           "error: was recorded on a machine of another byte order, expected little-endian; convert the "
           "text of perf script\n", "");
}

/* ---- compressed records --------------------------------------------------------------------- */

/* A block of zstd that contains its bytes as they are. */
static void put_block(struct bytes *b, const void *bytes, size_t length)
{
    put(b, (uint64_t)length << 3, 3);
    put_bytes(b, bytes, length);
}

/* Compresses the data from `from` on: records of that type, with `piece` bytes each. */
static void compress(struct recording *r, size_t from, size_t piece, unsigned type)
{
    struct bytes plain = {NULL, 0};
    put_bytes(&plain, r->data.at + from, r->data.length - from);
    r->data.length = from;
    for (size_t at = 0; at < plain.length; at += piece) {
        struct bytes stream = {NULL, 0};
        size_t record = begin_record(r, type, 0);
        if (at == 0)
            put_bytes(&stream, "\x28\xb5\x2f\xfd\0\x58", 6);
        put_block(&stream, plain.at + at, plain.length - at < piece ? plain.length - at : piece);
        if (type == COMPRESSED2)
            put(&r->data, stream.length, 8);
        put_bytes(&r->data, stream.at, stream.length);
        if (type == COMPRESSED2)
            pad(&r->data, 8);
        end_record(r, record);
        free_bytes(&stream);
    }
    free_bytes(&plain);
}

static bool lacks_zstd(void)
{
    return system("zstd --version >/dev/null 2>&1") != 0;
}

/* Whole records and split ones; rounds end between them, and the mapping may not be compressed. */
static void compressed_records_are_decoded(void **state)
{
    static const size_t pieces[] = {60000, 100, 7};
    if (lacks_zstd())
        skip();
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        for (unsigned type = COMPRESSED; type <= COMPRESSED2; type += COMPRESSED2 - COMPRESSED) {
            struct recording r = begin();
            if (i == 1)
                map_program(&r);
            size_t from = r.data.length;
            sample(&r, 12, 3, STACK(USER, F, IN_USER, F, MAIN));
            sample(&r, 10, 4, STACK(USER, F, IN_USER, F, MAIN));
            if (i != 1)
                map_program(&r);
            compress(&r, from, pieces[i], type);
            end_round(&r);
            end_round(&r);
            expect(finish(&r), NULL, "", "/srv/prog main line=0 self=0 incl=7 inv=2\n  to f:0 x2 =7\n"
                   "/srv/prog f line=0 self=7 incl=7 inv=2\n  from main:0 x2 =7\n" HEADERS("7"));
        }
}

/* Converts a recording that is refused with a message that begins and ends like this. */
static void expect_error(struct bytes recording, const char *start, const char *end)
{
    unsigned descriptors = open_descriptors();
    struct conversion_result result = convert(recording, NULL);
    size_t length = strlen(result.messages);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_true(strncmp(result.messages, start, strlen(start)) == 0);
    assert_true(length >= strlen(end) && strcmp(result.messages + length - strlen(end), end) == 0);
    assert_int_equal(open_descriptors(), descriptors);
    conversion_free(&result);
}

static void damaged_compression_is_an_error(void **state)
{
    enum { WHOLE, BLOCK_CUT, RECORD_CUT, OTHER_BLOCK, NO_STREAM, WITHIN, TOO_SHORT, OTHER_TYPE, COUNT };
    static const char zstd[] = "error: zstd cannot decode its records (exit status 1): ";
    static const char *const messages[COUNT][2] = {
        [BLOCK_CUT] = {zstd, "\n"},
        [RECORD_CUT] = {"error: found the end of the input at byte 72 of the decoded records, expected more data", "\n"},
        [OTHER_BLOCK] = {zstd, "\n"},
        [NO_STREAM] = {zstd, "\n"},
        [WITHIN] = {"error: found a compressed record at byte 0 of the decoded records, expected none", "\n"},
        [TOO_SHORT] = {"error: found a compressed record that is too short for its data at byte 192, expected", "\n"},
        [OTHER_TYPE] = {"error: found records compressed by another program than zstd, which cannot be read", "\n"}};
    if (lacks_zstd())
        skip();
    for (int kind = 1; kind < COUNT; kind++) {
        struct recording r = begin();
        if (kind == WITHIN)
            end_record(&r, begin_record(&r, COMPRESSED, 0));
        call_f(&r);
        if (kind == RECORD_CUT)
            r.data.length -= 8;
        size_t size = r.data.length + 9;
        compress(&r, 0, 60000, COMPRESSED2);
        if (kind == BLOCK_CUT)
            set(&r.data, 8, size - 5, 8);
        if (kind == OTHER_BLOCK)
            set(&r.data, 8 + 8 + 6, 6, 1);
        if (kind == NO_STREAM)
            set(&r.data, 8 + 8, 0, 4);
        if (kind == TOO_SHORT)
            set(&r.data, 8, 100000, 8);
        if (kind == OTHER_TYPE) {
            struct bytes *b = feature(&r, 27);
            put(b, 1, 4);
            put(b, 2, 4);
        }
        expect_error(finish(&r), messages[kind][0], messages[kind][1]);
    }
}

/* What zstd makes of a recording's data, many times over; the stream does not end, as perf leaves it. */
static struct bytes expanding_stream(const struct bytes *data, unsigned times)
{
    struct bytes stream = {NULL, 0};
    char *path = scratch_path("stream"), command[400];
    unsigned char block[4096];
    size_t count, at = 6;
    snprintf(command, sizeof command, "zstd -qc --no-check >'%s'", path);
    FILE *pipe = popen(command, "w");
    assert_non_null(pipe);
    for (unsigned i = 0; i < times; i++)
        assert_int_equal(fwrite(data->at, 1, data->length, pipe), data->length);
    assert_int_equal(pclose(pipe), 0);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        put_bytes(&stream, block, count);
    fclose(file);
    unlink(path);
    free(path);
    while ((stream.at[at] & 1) == 0) { /* until the last block; one of equal bytes has only the first of them */
        unsigned head = little4(stream.at + at);
        at += 3 + ((head & 6) == 2 ? 1 : (head & 0xffffff) >> 3);
    }
    stream.at[at] &= 0xfe;
    return stream;
}

/* 750 MB of samples with large stacks, from some 100 KB. They take time, but do not wait in memory. */
static void expansion_is_bounded(void **state)
{
    enum { DEPTH = 8000, TIMES = 12000, PIECE = 60000, MOST_KB = 450 << 10 };
    static uint64_t chain[DEPTH];
    struct recording r = begin(), deep = begin();
    struct rusage before, after;
    if (lacks_zstd())
        skip();
    for (size_t i = 0; i < DEPTH; i++)
        chain[i] = i == 0 ? IN_USER : F;
    sample(&deep, 10, 1, (struct stack){USER, F, chain, DEPTH});
    struct bytes stream = expanding_stream(&deep.data, TIMES);
    map_program(&r);
    for (size_t at = 0; at < stream.length; at += PIECE) {
        size_t record = begin_record(&r, COMPRESSED, 0);
        put_bytes(&r.data, stream.at + at, stream.length - at < PIECE ? stream.length - at : PIECE);
        end_record(&r, record);
    }
    assert_in_range(r.data.length, 1, 1 << 20);
    struct bytes b = finish(&r);
    struct cg2wg_options options = with_root();
    getrusage(RUSAGE_SELF, &before);
    struct conversion_result result = convert_bytes(b.at, b.length, &options);
    getrusage(RUSAGE_SELF, &after);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, "/srv/prog f line=0 self=12000 incl=12000 inv=12000\n"));
#ifdef __linux__ /* others count in other units */
    assert_true(is_watched() || after.ru_maxrss - before.ru_maxrss < MOST_KB);
#endif
    conversion_free(&result);
    free_bytes(&b);
    free_bytes(&stream);
    free_bytes(&deep.data);
}

/* ---- chains ------------------------------------------------------------------------------- */

static void chains_become_stacks(void **state)
{
    const struct {
        struct stack stack;
        const char *dump;
    } cases[] = {
        /* main ends where f begins: an address that is returned to may be the next function's first, */
        {STACK(USER, G, IN_USER, G, 0x7100), CALLS("main", "g")},
        /* but the first is where it is */
        {STACK(USER, 0x7100, IN_USER, 0x7100), "/srv/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7")},
        /* Precise events: the sample is of f, although the chain begins in g */
        {STACK(USER, F, IN_USER, G, MAIN), ONE_STACK("7", "7")},
        /* Something in the chain makes no sense */
        {STACK(USER, F, IN_USER, F, (uint64_t)-1, MAIN), "/srv/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7")}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        map_program(&r);
        sample(&r, 10, 7, cases[i].stack);
        expect(finish(&r), NULL, "", cases[i].dump);
    }
}

static void simpleperf_has_taken_one_off_already(void **state)
{
    struct recording r = begin();
    put(feature(&r, 128), 0, 8);
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, G, IN_USER, G, 0x7100));
    expect(finish(&r), NULL, "", CALLS("f", "g"));
}

/* A chain without the part of the kernel: the sample was called from its first address. */
static void an_address_of_another_context_stays(void **state)
{
    struct recording r = begin();
    map_program(&r);
    kernel_symbol(&r, 1, 0xffff8000, 0x100, 0, 0, "in_kernel");
    sample(&r, 10, 7, STACK(KERNEL, 0xffff8010, IN_USER, F, MAIN));
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=0 incl=7 inv=1\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=0 incl=7 inv=1\n  from main:0 x1 =7\n  to in_kernel:0 x1 =7\n"
           "[kernel.kallsyms] in_kernel line=0 self=7 incl=7 inv=1\n  from f:0 x1 =7\n" HEADERS("7"));
}

static void each_context_begins_exactly(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0200 t vfs_read\tignored\nffff0100 T sys_read\nffff0300 D data\n" /* not sorted */
                                               "ffff0400 t helper\t[ext4]\nffff0400 T last_of_several [ext4]\n");
    map_program(&r);
    /* f, at its first byte, is in the kernel: called from main. */
    sample(&r, 10, 7, STACK(KERNEL, 0xffff0210, IN_KERNEL, 0xffff0210, 0xffff0110, IN_USER, 0x7100, MAIN));
    sample(&r, 11, 1, STACK(KERNEL, 0xffff0410, IN_KERNEL, 0xffff0410));
    sample(&r, 12, 2, STACK(KERNEL, 0xffff0310, IN_KERNEL, 0xffff0310)); /* data */
    expect(finish(&r), &options, "",
           "/srv/prog main line=0 self=0 incl=7 inv=1\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=0 incl=7 inv=1\n  from main:0 x1 =7\n  to sys_read:0 x1 =7\n"
           "[kernel.kallsyms] sys_read line=0 self=0 incl=7 inv=1\n  from f:0 x1 =7\n"
           "  to vfs_read:0 x1 =7\n"
           "[kernel.kallsyms] vfs_read line=0 self=7 incl=7 inv=1\n  from sys_read:0 x1 =7\n"
           "[ext4] last_of_several line=0 self=1 incl=1 inv=1\n"
           "[kernel.kallsyms] [kernel.kallsyms] line=0 self=2 incl=2 inv=1\n" HEADERS("10"));
}

/* The kernel was 0x1000 further on than the table has it. */
static void the_kernel_may_have_moved(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0000 T _stext\nffff0100 T sys_read\nffff0200 T other\n");
    map(&r, UINT32_MAX, 0, 0xffff1000, 0x1000, 0xffff1000, "[kernel.kallsyms]_stext");
    sample(&r, 10, 7, STACK(KERNEL, 0xffff1110, IN_KERNEL, 0xffff1110));
    expect(finish(&r), &options, "", "[kernel.kallsyms] sys_read line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
}

/* A table without addresses is none, but it is an error only if the user has named it. */
static void a_table_of_the_kernel_has_addresses(void **state)
{
    struct cg2wg_options options = with_kernel("0 T _stext\n0 T sys_read\n");
    struct recording r = begin(), again = begin();
    sample(&r, 10, 7, STACK(KERNEL, 0xffff1110, IN_KERNEL, 0xffff1110));
    sample(&again, 10, 7, STACK(KERNEL, 0xffff1110, IN_KERNEL, 0xffff1110));
    struct conversion_result result = convert(finish(&r), &options);
    assert_int_equal(result.status, CG2WG_FAILED);
    assert_non_null(strstr(result.messages, "found no symbols of a kernel, expected a file of lines"));
    conversion_free(&result);
    options.samples.kernel_table = NULL;
    expect(finish(&again), &options, NO_SYMBOLS("[kernel.kallsyms]"),
           "[kernel.kallsyms] [kernel.kallsyms] line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
}

/* Lines that are no symbols are skipped; the last symbol ends with the page after its own. */
static void odd_lines_of_the_kernels_table_are_passed_over(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("\nnonsense\nffff0100\nffff0110 \nffff0120 T\nffff0130 T \n"
                                               "ffff0140T name\nffff0000 T first\nffff0180 a absolute\nffff1000 W last_one [");
    map(&r, UINT32_MAX, 0, 0xffff0000, 0x1000, 0xffff0000, "[kernel.kallsyms]not_there");
    sample(&r, 10, 1, STACK(KERNEL, 0xffff0150, IN_KERNEL, 0xffff0150));
    sample(&r, 11, 2, STACK(KERNEL, 0xffff0190, IN_KERNEL, 0xffff0190)); /* absolute: no function */
    sample(&r, 12, 4, STACK(KERNEL, 0xffff1fff, IN_KERNEL, 0xffff1fff));
    sample(&r, 13, 8, STACK(KERNEL, 0xffff2000, IN_KERNEL, 0xffff2000));
    expect(finish(&r), &options, "",
           "[kernel.kallsyms] first line=0 self=1 incl=1 inv=1\n"
           "[kernel.kallsyms] [kernel.kallsyms] line=0 self=10 incl=10 inv=2\n"
           "[ last_one line=0 self=4 incl=4 inv=1\n" HEADERS("15"));
    write_text_in_root("kallsyms", "fffffffffffff000 T last\n");
    r = begin();
    sample(&r, 10, 1, STACK(KERNEL, UINT64_MAX - 4095, IN_KERNEL, UINT64_MAX - 4095));
    expect(finish(&r), &options, "", "[kernel.kallsyms] last line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
}

/* Addresses of a guest or a hypervisor are none of this machine's programs or its kernel's. */
static void other_contexts_are_unknown(void **state)
{
    static const uint64_t contexts[] = {(uint64_t)-32, (uint64_t)-2048, (uint64_t)-2176, (uint64_t)-2560};
    for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
        struct recording r = begin();
        map_program(&r);
        RECORD(&r, MMAP, 5, 5, 1, "/srv/of-a-guest", UINT64_C(5) << 32 | 5, 0x7000, 0x1000,
               0); /* a guest's user mode */
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
        sample(&r, 11, 1, STACK(4, F, contexts[i], F, IN_USER, MAIN)); /* 4: in a guest's kernel */
        expect(finish(&r), NULL, "",
               "/srv/prog main line=0 self=0 incl=8 inv=2\n  to f:0 x1 =7\n  to [unknown]:0 x1 =1\n"
               "/srv/prog f line=0 self=7 incl=7 inv=1\n  from main:0 x1 =7\n"
               "[unknown] [unknown] line=0 self=1 incl=1 inv=1\n  from main:0 x1 =1\n" HEADERS("8"));
    }
}

static void without_a_chain_there_is_one_frame(void **state)
{
    struct recording r = begin();
    r.events[0].sample_type = IP | TID | TIME | PERIOD;
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, F, 0));
    sample(&r, 11, 1, STACK(USER, 0x123, 0)); /* outside every mapping */
    expect(finish(&r), NULL, "", "/srv/prog f line=0 self=7 incl=7 inv=1\n"
                                 "[unknown] [unknown] line=0 self=1 incl=1 inv=1\n" HEADERS("8"));
}

/* main f main f: each sample counts once for a function and an arc. */
static void recursion_counts_once(void **state)
{
    struct cg2wg_options options = with_root();
    for (int i = 0; i < 3; i++) {
        struct recording r = begin();
        map_program(&r);
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN, F, MAIN));
        sample(&r, 11, 2, STACK(USER, MAIN, IN_USER, MAIN));
        options.format = i == 2 ? 4 : 7;
        options.inclusive = i == 1 ? CG2WG_INCLUSIVE_SUM : CG2WG_INCLUSIVE_AUTO;
        static const char *const expected[] = {
            "/srv/prog main line=0 self=2 incl=9 inv=2\n  from f:0 x1 =7\n  to f:0 x1 =7\n"
            "/srv/prog f line=0 self=7 incl=7 inv=1\n  from main:0 x1 =7\n  to main:0 x1 =7\n" HEADERS("9"),
            "/srv/prog main line=0 self=2 incl=16 inv=3\n  from f:0 x1 =7\n  to f:0 x2 =14\n"
            "/srv/prog f line=0 self=7 incl=14 inv=2\n  from main:0 x2 =14\n  to main:0 x1 =7\n" HEADERS("9"),
            "/srv/prog main self=2 incl=9 calls=7 inv=2\n"
            "  #0 self=2 incl=9 from nobody\n    to f#0:0 =7\n"
            "  #1 self=0 incl=7 from f#0:0 =7\n    to f#1:0 =7\n"
            "/srv/prog f self=7 incl=7 calls=7 inv=2\n"
            "  #0 self=0 incl=7 from main#0:0 =7\n    to main#1:0 =7\n"
            "  #1 self=7 incl=7 from main#1:0 =7\n" HEADERS("9")};
        expect(finish(&r), &options, "", expected[i]);
    }
}

static void deferred_chains_are_joined(void **state)
{
    struct recording r = begin();
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, G, IN_USER, G, (uint64_t)-640, 99));
    sample(&r, 10, 2, STACK(USER, MAIN, IN_USER, MAIN));
    RECORD(&r, DEFERRED, 0, 5, 11, NULL, 99, 3, IN_USER, F, MAIN);
    sample(&r, 12, 1, STACK(USER, G, IN_USER, G, (uint64_t)-640, 100));
    expect(finish(&r), NULL,
           "warning: found no callers in programs of 1 samples, expected a record of them\n",
           "/srv/prog main line=0 self=2 incl=9 inv=2\n  to f:0 x1 =7\n"
           "/srv/prog f line=0 self=0 incl=7 inv=1\n  from main:0 x1 =7\n  to g:0 x1 =7\n"
           "/srv/prog g line=0 self=8 incl=8 inv=2\n  from f:0 x1 =7\n" HEADERS("10"));
    /* If nothing is before the cookie, the first address that comes later is the sample's own. */
    r = begin();
    map_program(&r);
    sample(&r, 10, 7, STACK(USER, F, (uint64_t)-640, 99));
    RECORD(&r, DEFERRED, 0, 5, 11, NULL, 99, 3, IN_USER, F, MAIN);
    expect(finish(&r), NULL, "", ONE_STACK("7", "7"));
}

/*
 * main f g, whose callers come later, once for several samples: one in g, whose own address is the first one; one in
 * the kernel, below g; and one of another thread with the same cookie, which has its own record. perf compares both.
 */
static void deferred_chains_are_of_one_thread(void **state)
{
    struct recording r = begin();
    map_program(&r);
    kernel_symbol(&r, 1, 0xffffffff81000000, 0x100, 2, 0, "entry");
    sample(&r, 10, 1, STACK(USER, G, (uint64_t)-640, 99));
    sample_of(&r, 0, 5, 6, 10, 2, STACK(USER, MAIN, (uint64_t)-640, 99));
    sample(&r, 11, 4, STACK(KERNEL, 0xffffffff81000010, IN_KERNEL, 0xffffffff81000010, (uint64_t)-640, 99));
    RECORD(&r, DEFERRED, 0, 5, 12, NULL, 99, 4, IN_USER, G, F, MAIN);
    RECORD(&r, DEFERRED, 0, 6, 13, NULL, 99, 2, IN_USER, MAIN);
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=2 incl=7 inv=3\n  to f:0 x2 =5\n"
           "/srv/prog f line=0 self=0 incl=5 inv=2\n  from main:0 x2 =5\n  to g:0 x2 =5\n"
           "/srv/prog g line=0 self=1 incl=5 inv=2\n  from f:0 x2 =5\n  to entry:0 x1 =4\n"
           "[kernel.kallsyms] entry line=0 self=4 incl=4 inv=1\n  from g:0 x1 =4\n" HEADERS("7"));
}

/* A chain by chance: addresses of few functions, what says that others follow, and what makes no sense. */
static size_t draw_chain(uint64_t *random, uint64_t *chain, size_t most)
{
    static const uint64_t values[] = {F, F + 1, MAIN, IN_USER, IN_KERNEL, (uint64_t)-640, (uint64_t)-1};
    size_t count = random_below(random, (uint32_t)most);
    for (size_t i = 0; i < count; i++)
        chain[i] = values[random_below(random, random_below(random, 4) == 0 ? 7 : 3)];
    return count;
}

/* Samples by chance, of two processes. Others without callers follow each of them, or all. */
static struct bytes sample_by_chance(bool in_turns)
{
    enum { SAMPLES = 5000, MOST = 9 };
    struct recording r = begin();
    uint64_t random = 3, chain[MOST], time = 10;
    map_program(&r);
    for (unsigned i = 0; i <= SAMPLES; i++)
        sample_of(&r, 0, 9, 5, i == 0 ? 1 : in_turns ? 9 + 4 * i : 10 * SAMPLES, 1, STACK(USER, 1, IN_USER));
    for (unsigned i = 0; i < SAMPLES; i++, time += 4) {
        struct stack stack = {random_below(&random, 2) == 0 ? USER : KERNEL, F, chain, draw_chain(&random, chain, MOST)};
        if (random_below(&random, 20) == 0) {
            uint32_t pid = 5 + random_below(&random, 2);
            map(&r, pid, time + 1, 0x7000, 0x1000, 0x1000 + 0x100 * random_below(&random, 3), "/srv/prog");
        }
        sample_of(&r, 0, 5 + random_below(&random, 2), 5, time + 2, 1 + random_below(&random, 9), stack);
    }
    return finish(&r);
}

/* A sample reuses the outermost frames that it shares with the thread's last one. */
static void nothing_depends_on_the_last_stack(void **state)
{
    struct conversion_result alone = convert(sample_by_chance(true), NULL);
    struct conversion_result after = convert(sample_by_chance(false), NULL);
    assert_int_equal(alone.status, CG2WG_OK);
    assert_string_equal(alone.dump, after.dump);
    assert_string_equal(alone.messages, after.messages);
    conversion_free(&alone);
    conversion_free(&after);
}

/* ---- processes ---------------------------------------------------------------------------- */

/* A later mapping replaces an earlier one at its addresses, in any order in the file. */
static void records_are_replayed_by_time(void **state)
{
    struct recording r = begin();
    sample(&r, 30, 4, STACK(USER, F, IN_USER, F));
    end_round(&r);
    map(&r, 5, 25, 0x7000, 0x1000, 0x1100, "/srv/prog"); /* a byte is 0x100 further in the file */
    sample(&r, 20, 1, STACK(USER, F, IN_USER, F));
    map(&r, 5, 5, 0x7000, 0x1000, 0x1000, "/srv/prog");
    end_round(&r);
    end_round(&r);
    expect(finish(&r), NULL, "", "/srv/prog f line=0 self=1 incl=1 inv=1\n"
                                 "/srv/prog g line=0 self=4 incl=4 inv=1\n" HEADERS("5"));
}

/* Records of the same time stay in the order of the file, with anything between them. */
static void records_of_one_time_stay_in_order(void **state)
{
    struct recording r = begin();
    sample(&r, 20, 1, STACK(USER, F, IN_USER, F));
    map(&r, 5, 10, 0x7000, 0x1000, 0x1000, "/srv/prog");
    sample(&r, 20, 2, STACK(USER, F, IN_USER, F));
    map(&r, 5, 20, 0x7000, 0x1000, 0x1100, "/srv/prog");
    sample(&r, 20, 4, STACK(USER, F, IN_USER, F));
    map(&r, 5, 15, 0x9000, 0x1000, 0, "[vvar]");
    sample(&r, 20, 8, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "", "/srv/prog f line=0 self=3 incl=3 inv=2\n"
                                 "/srv/prog g line=0 self=12 incl=12 inv=2\n" HEADERS("15"));
}

/* A new mapping cuts the old one in three. */
static void mappings_are_cut(void **state)
{
    struct recording r = begin();
    map_program(&r);
    map(&r, 5, 1, 0x7100, 0x100, 0, "[vvar]");
    sample(&r, 10, 1, STACK(USER, MAIN, IN_USER, MAIN));
    sample(&r, 11, 2, STACK(USER, F, IN_USER, F));
    sample(&r, 12, 4, STACK(USER, G, IN_USER, G));
    sample(&r, 13, 8, STACK(USER, 0x8000, IN_USER, 0x8000)); /* one after the end */
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=1 incl=1 inv=1\n[vvar] [vvar] line=0 self=2 incl=2 inv=1\n"
           "/srv/prog g line=0 self=4 incl=4 inv=1\n"
           "[unknown] [unknown] line=0 self=8 incl=8 inv=1\n" HEADERS("15"));
}

static void children_have_their_parents_mappings(void **state)
{
    struct recording r = begin();
    map_program(&r);
    fork_process(&r, 5, 6, 2, 0);
    map(&r, 6, 3, 0x7100, 0x100, 0, "[vvar]"); /* the child's own */
    fork_process(&r, 5, 7, 4, MADE_UP); /* has been there already */
    sample_of(&r, 0, 6, 6, 10, 1, STACK(USER, MAIN, IN_USER, MAIN));
    sample_of(&r, 0, 6, 6, 11, 2, STACK(USER, F, IN_USER, F));
    sample_of(&r, 0, 5, 5, 12, 4, STACK(USER, F, IN_USER, F));
    sample_of(&r, 0, 7, 7, 13, 8, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "",
           "/srv/prog main line=0 self=1 incl=1 inv=1\n[vvar] [vvar] line=0 self=2 incl=2 inv=1\n"
           "/srv/prog f line=0 self=4 incl=4 inv=1\n"
           "[unknown] [unknown] line=0 self=8 incl=8 inv=1\n" HEADERS("15"));
}

/* Random mappings of related processes, against a table with an entry for each address. */
static void mappings_agree_with_a_simple_table(void **state)
{
    enum { PROCESSES = 4, ADDRESSES = 64, STEPS = 400 };
    unsigned table[PROCESSES][ADDRESSES] = {{0}};
    char expected[64];
    uint64_t random = 7, sums[4] = {0};
    struct recording r = begin();
    for (uint32_t step = 1; step <= STEPS; step++) {
        uint32_t p = random_below(&random, PROCESSES), at = random_below(&random, ADDRESSES);
        uint32_t kind = random_below(&random, 8);
        if (kind == 0) {
            uint32_t child = (p + 1) % PROCESSES;
            fork_process(&r, p + 1, child + 1, step, 0);
            memcpy(table[child], table[p], sizeof table[p]);
        } else if (kind < 4) {
            uint32_t length = 1 + random_below(&random, ADDRESSES - at), name = 1 + random_below(&random, 3);
            static const char *const names[] = {"", "[a]", "[b]", "[c]"};
            map(&r, p + 1, step, at, length, 0, names[name]);
            for (uint32_t i = at; i < at + length; i++)
                table[p][i] = name;
        } else {
            sample_of(&r, 0, p + 1, p + 1, step, 1, STACK(USER, at, IN_USER, at));
            sums[table[p][at]]++;
        }
    }
    struct cg2wg_options options = with_root();
    struct conversion_result result = convert(finish(&r), &options);
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"[unknown]", "[a]", "[b]", "[c]"};
        snprintf(expected, sizeof expected, "%s %s line=0 self=%" PRIu64 " ", names[i], names[i], sums[i]);
        assert_true(sums[i] > 0);
        if (strstr(result.dump, expected) == NULL)
            fail_msg("no %s in %s%s", expected, result.messages, result.dump);
    }
    conversion_free(&result);
}

static void threads_and_processes_are_chosen(void **state)
{
    static const char *const names[] = {"worker"};
    static const uint32_t five[] = {5}, six[] = {6, 99};
    for (int i = 0; i < 4; i++) {
        struct recording r = begin();
        struct cg2wg_options options = with_root();
        options.samples.names = names;
        options.samples.name_count = i == 0;
        options.samples.pids = five;
        options.samples.pid_count = i == 1 || i == 3;
        options.samples.tids = six;
        options.samples.tid_count = i >= 2 ? 2 : 0;
        name_thread(&r, 5, 5, 1, "main");
        map_program(&r);
        RECORD(&r, FORK, 0, 5, 2, NULL, (uint64_t)5 << 32 | 5, (uint64_t)5 << 32 | 6,
               2); /* thread 6 of process 5 is called as thread 5 */
        sample_of(&r, 0, 5, 6, 10, 1, STACK(USER, MAIN, IN_USER, MAIN));
        name_thread(&r, 5, 6, 11, "worker");
        sample_of(&r, 0, 5, 6, 12, 2, STACK(USER, MAIN, IN_USER, MAIN));
        sample_of(&r, 0, 5, 5, 13, 4, STACK(USER, MAIN, IN_USER, MAIN));
        sample_of(&r, 0, 6, 5, 14, 8, STACK(USER, MAIN, IN_USER, MAIN)); /* of another process */
        static const char *const expected[] = {
            "/srv/prog main line=0 self=2 incl=2 inv=1\n" HEADERS("2"),
            "/srv/prog main line=0 self=7 incl=7 inv=3\n" HEADERS("7"),
            "/srv/prog main line=0 self=3 incl=3 inv=2\n" HEADERS("3"),
            "/srv/prog main line=0 self=3 incl=3 inv=2\n" HEADERS("3")};
        expect(finish(&r), &options, "", expected[i]);
    }
    struct recording r = begin();
    struct cg2wg_options options = with_root();
    options.samples.names = names;
    options.samples.name_count = 1;
    sample(&r, 1, 1, STACK(USER, MAIN, IN_USER, MAIN));
    expect(finish(&r), &options,
           "error: found no sample of the threads and processes that are wanted, expected one at least\n", "");
}

static void the_kernels_own_symbols_come_and_go(void **state)
{
    struct recording r = begin();
    struct cg2wg_options options = with_kernel("ffff0000 T below\nffffff00 T above\n");
    kernel_symbol(&r, 1, 0xffff8000, 0x100, 1, 0, "bpf_prog_1");
    kernel_symbol(&r, 1, 0xffff9000, 0x100, 2, 0, "out_of_line");
    sample(&r, 10, 1, STACK(KERNEL, 0xffff8080, IN_KERNEL, 0xffff8080));
    sample(&r, 11, 2, STACK(KERNEL, 0xffff9080, IN_KERNEL, 0xffff9080));
    kernel_symbol(&r, 12, 0xffff8000, 0x100, 1, 1, "bpf_prog_1");
    sample(&r, 13, 4, STACK(KERNEL, 0xffff8080, IN_KERNEL, 0xffff8080));
    kernel_symbol(&r, 14, 0xffff9040, 0x40, 2, 1, "out_of_line"); /* the middle; what is around it stays */
    sample(&r, 15, 8, STACK(KERNEL, 0xffff903f, IN_KERNEL, 0xffff903f));
    sample(&r, 16, 16, STACK(KERNEL, 0xffff9040, IN_KERNEL, 0xffff9040));
    sample(&r, 17, 32, STACK(KERNEL, 0xffff9080, IN_KERNEL, 0xffff9080));
    expect(finish(&r), &options, "",
           "[bpf] bpf_prog_1 line=0 self=1 incl=1 inv=1\n"
           "[kernel.kallsyms] out_of_line line=0 self=42 incl=42 inv=3\n"
           "[kernel.kallsyms] below line=0 self=20 incl=20 inv=2\n" HEADERS("63"));
}

/* ---- events ------------------------------------------------------------------------------- */

/* cpu-clock:u, page-faults/period=1/u and a dummy in front, distinguished by IDENTIFIER or by ID. */
static struct bytes several_events(uint64_t id_bit, const char *const *names)
{
    struct recording r = begin();
    r.events[0] = (struct recorded_event){1, 9, 1, USUAL | id_bit, 0, SAMPLE_ID_ALL, 10};
    r.events[1] = (struct recorded_event){1, 0, 1, USUAL | id_bit, 0, SAMPLE_ID_ALL, 11};
    r.events[2] = (struct recorded_event){1, 2, 1, USUAL | id_bit, 0, SAMPLE_ID_ALL, 12};
    r.event_count = 3;
    if (names != NULL)
        name_events(&r, names);
    map_program(&r);
    sample_of(&r, 0, 5, 5, 9, 1000, STACK(USER, G, IN_USER, G));
    sample_of(&r, 2, 5, 5, 10, 3, STACK(USER, F, IN_USER, F, MAIN));
    sample_of(&r, 1, 5, 5, 11, 14, STACK(USER, MAIN, IN_USER, MAIN));
    sample_of(&r, 1, 5, 5, 12, 14, STACK(USER, MAIN, IN_USER, MAIN));
    return finish(&r);
}

static const char *const event_names[] = {"dummy:HG", "cpu-clock:u", "page-faults/period=1/u"};

#define TIMES                                                                  \
    "/srv/prog main line=0 self=3 incl=3 inv=2\n"                              \
    "header: creator: perf\nheader: events: Time_(10ns)\nheader: summary: 3\n"

#define FAULTS                                                                 \
    "/srv/prog main line=0 self=0 incl=3 inv=1\n  to f:0 x1 =3\n"              \
    "/srv/prog f line=0 self=3 incl=3 inv=1\n  from main:0 x1 =3\n"            \
    "header: creator: perf\nheader: events: page-faults/period=1/u\nheader: summary: 3\n"

/* As perf names them on a machine with two kinds of processors. */
static void a_note_says_that_another_event_of_that_kind_has_more(void **state)
{
    static const char *const names[] = {"dummy:HG", "cpu_atom/cycles/P", "cpu_core/cycles/P"};
    static const char *const others[] = {"dummy:HG", "cpu_atom/cycles/P", "cpu_core/instructions/P"};
    struct cg2wg_options options = with_root();
    for (int i = 0; i < 3; i++) {
        struct recording r = begin();
        r.events[0] = (struct recorded_event){1, 9, 1, USUAL | IDENTIFIER, 0, SAMPLE_ID_ALL, 10};
        r.events[1] = (struct recorded_event){0, 0, 1, USUAL | IDENTIFIER, 0, SAMPLE_ID_ALL, 11};
        r.events[2] = (struct recorded_event){0, 0, 1, USUAL | IDENTIFIER, 0, SAMPLE_ID_ALL, 12};
        r.event_count = 3;
        name_events(&r, i == 1 ? others : names);
        map_program(&r);
        sample_of(&r, 1, 5, 5, 10, 3, STACK(USER, MAIN, IN_USER, MAIN));
        sample_of(&r, 2, 5, 5, 11, 40, STACK(USER, MAIN, IN_USER, MAIN));
        options.event = i == 2 ? "cpu_atom/cycles/P" : NULL;
        expect(finish(&r), &options,
               i > 0 ? "" : "note: the event is cpu_atom/cycles/P (3), but cpu_core/cycles/P has more (40); "
                            "-e 'cpu_atom/cycles/P + cpu_core/cycles/P' adds them\n",
               "/srv/prog main line=0 self=3 incl=3 inv=1\n"
               "header: creator: perf\nheader: events: cpu_atom/cycles/P\nheader: summary: 3\n");
    }
}

/* 28 ns are 3 tens, rounded after they were summed. */
static void the_first_event_with_samples_is_taken(void **state)
{
    expect(several_events(IDENTIFIER, event_names), NULL, "", TIMES);
    expect(several_events(ID, event_names), NULL, "", TIMES);
    expect(several_events(ID, NULL), NULL, "", TIMES);
}

static void events_are_chosen_by_name(void **state)
{
    static const struct {
        const char *event, *dump;
    } cases[] = {{"cpu-clock:u", TIMES},       {"cpu-clock", TIMES}, {"Time_(10ns)", TIMES},
                 {"Time", TIMES},              {"page-faults/period=1/u", FAULTS},
                 {"page-faults/period=1/", FAULTS}, {"page-faults", FAULTS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cg2wg_options options = with_root();
        options.event = cases[i].event;
        expect(several_events(IDENTIFIER, event_names), &options, "", cases[i].dump);
    }
    struct cg2wg_options options = with_root();
    options.event = "cycles";
    expect(several_events(IDENTIFIER, event_names), &options,
           "error: found no event cycles, expected one of: dummy:HG, cpu-clock:u, "
           "page-faults/period=1/u\n", "");
}

/* Without modifiers both are `faults`: neither is meant, and there is no event of that name. */
static void a_short_name_has_to_be_unique(void **state)
{
    static const char *const names[] = {"faults:u", "faults:k", "faults:uk"};
    struct cg2wg_options options = with_root();
    options.event = "faults";
    expect(several_events(IDENTIFIER, names), &options,
           "error: found no event faults, expected one of: faults:u, faults:k, faults:uk\n", "");
}

static void a_formula_adds_events(void **state)
{
    static const char *const names[] = {"a", "b", "a + b"};
    struct cg2wg_options options = with_root();
    options.event = "sum = b + 2 a";
    expect(several_events(IDENTIFIER, names), &options, "",
           "/srv/prog g line=0 self=2000 incl=2000 inv=1\n/srv/prog main line=0 self=28 incl=28 inv=2\n"
           "header: creator: perf\nheader: events: sum\nheader: summary: 2028\n");
    options.event = "a + b"; /* an exact name goes before a formula */
    expect(several_events(IDENTIFIER, names), &options, "",
           "/srv/prog main line=0 self=0 incl=3 inv=1\n  to f:0 x1 =3\n"
           "/srv/prog f line=0 self=3 incl=3 inv=1\n  from main:0 x1 =3\n"
           "header: creator: perf\nheader: events: a_+_b\nheader: summary: 3\n");
}

static void unknown_ids_are_left_out(void **state)
{
    struct recording r = begin();
    r.events[0].sample_type |= IDENTIFIER;
    r.events[1] = r.events[0];
    r.events[1].id = 12;
    r.event_count = 2;
    call_f(&r);
    r.events[0].id = 404;
    sample(&r, 11, 7, STACK(USER, F, IN_USER, F, MAIN));
    r.events[0].id = 0; /* that is the first event's */
    sample(&r, 12, 1, STACK(USER, F, IN_USER, F, MAIN));
    r.events[0].id = 11;
    expect(finish(&r), NULL, "warning: found 1 samples of no event, expected none; they are left out\n",
           "/srv/prog main line=0 self=0 incl=8 inv=2\n  to f:0 x2 =8\n"
           "/srv/prog f line=0 self=8 incl=8 inv=2\n  from main:0 x2 =8\n" HEADERS("8"));
}

/* Counters of a group count by their growth, the second separately in each thread. */
static void groups_are_weighed_by_their_readings(void **state)
{
    for (int inherited = 0; inherited < 2; inherited++) {
        struct recording r = begin();
        struct cg2wg_options options = with_root();
        options.event = "page-faults";
        r.events[0] = (struct recorded_event){1, 3, 1, USUAL | READ | IDENTIFIER, 8 | 4,
                                     SAMPLE_ID_ALL | (inherited ? INHERIT : 0), 10};
        r.events[1] = r.events[0];
        r.events[1].config = 2;
        r.events[1].id = 11;
        r.event_count = 2;
        map_program(&r);
        sample_of(&r, 0, 5, 5, 10, 302, STACK(USER, MAIN, IN_USER, MAIN)); /* 2, and 3 */
        sample_of(&r, 0, 5, 6, 11, 405, STACK(USER, F, IN_USER, F));       /* 5, and 4 */
        sample_of(&r, 0, 5, 6, 12, 406, STACK(USER, G, IN_USER, G));       /* 6, and still 4 */
        expect(finish(&r), &options, "",
               inherited ? "/srv/prog main line=0 self=3 incl=3 inv=1\n"
                           "/srv/prog f line=0 self=4 incl=4 inv=1\n" HEADERS("7")
                         : "/srv/prog main line=0 self=3 incl=3 inv=1\n"
                           "/srv/prog f line=0 self=1 incl=1 inv=1\n" HEADERS("4"));
    }
}

static void events_are_listed(void **state)
{
    struct cg2wg_options options = with_root();
    struct bytes b = several_events(IDENTIFIER, event_names);
    struct conversion_result listed = list_events(b.at, b.length, &options);
    assert_string_equal(listed.dump, "dummy:HG|-|-|1000\ncpu-clock:u|-|-|28\npage-faults/period=1/u|-|-|3\n");
    conversion_free(&listed);
    free_bytes(&b);
}

/* 14 ns and 14 ns are 28 ns, which is 3 tens: two times 1 would be too few. */
static void recordings_are_merged_before_rounding(void **state)
{
    char *paths[2] = {scratch_path("first"), scratch_path("second")};
    struct cg2wg_options options = with_root();
    for (int i = 0; i < 2; i++) {
        struct recording r = begin();
        r.events[0].config = 0;
        map_program(&r);
        sample(&r, 10, 14, STACK(USER, F, IN_USER, F, MAIN));
        struct bytes b = finish(&r);
        write_file(paths[i], b.at, b.length);
        free_bytes(&b);
    }
    struct conversion_result result = convert_files((const char *const *)paths, 2, &options);
    assert_int_equal(result.status, CG2WG_OK);
    assert_non_null(strstr(result.dump, "/srv/prog f line=0 self=3 incl=3 inv=2\n"));
    assert_non_null(strstr(result.dump, "header: events: Time_(10ns)\n"));
    conversion_free(&result);
    free(paths[0]);
    free(paths[1]);
}

/* ---- symbols ------------------------------------------------------------------------------ */

/* One sample of 1 at each of the places in the program, from its start on. */
static struct bytes sample_places(const uint64_t *places, size_t count)
{
    struct recording r = begin();
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/other");
    for (size_t i = 0; i < count; i++)
        sample(&r, 10 + i, 1, STACK(USER, 0x7000 + places[i], IN_USER, 0x7000 + places[i]));
    return finish(&r);
}

static void expect_symbols(const struct symbol *symbols, size_t count, const uint64_t *places,
                           size_t place_count, const char *dump)
{
    for (int class = 0; class < 4; class++) {
        write_in_root("other", elf(class % 2 == 0, 62, class / 2 == 0 ? 2 : 11, own_id, symbols, count));
        expect(sample_places(places, place_count), NULL, "", dump);
    }
    remove_from_root("other");
}

#define ROW(name, n) "/srv/other " name " line=0 self=" n " incl=" n " inv=" n "\n"

static void symbols_have_ranges(void **state)
{
    static const struct symbol symbols[] = {
        {"outer", TEXT_AT, 0x100, FUNCTION, 0},         {"inner", TEXT_AT + 0x40, 0x20, FUNCTION, 0},
        {"unsized", TEXT_AT + 0x200, 0, FUNCTION, 0},   {"after", TEXT_AT + 0x300, 0x10, FUNCTION, 0},
        {"variable", TEXT_AT + 0x340, 0x10, OBJECT, 0}, {"label", TEXT_AT + 0x400, 0, LABEL, 0},
        {"internal", TEXT_AT + 0x500, 0, LABEL, 1},     {"hidden", TEXT_AT + 0x500, 0, LABEL, 2},
        {"protected", TEXT_AT + 0x600, 0, LABEL, 3}};
    static const uint64_t places[] = {0,     0x3f,  0x40,  0x5f,  0x60,  0xff,  0x100,
                                      0x2ff, 0x30f, 0x310, 0x345, 0x4ff, 0x510, 0x610};
    expect_symbols(symbols, 9, places, 14,
                   ROW("outer", "4") ROW("inner", "2") ROW("[other]", "3") ROW("unsized", "1")
                   ROW("after", "1") ROW("label", "2") ROW("protected", "1") HEADERS("14"));
}

static void the_best_of_several_symbols_is_taken(void **state)
{
    static const struct symbol symbols[] = {
        {"unsized", TEXT_AT, 0, FUNCTION, 0},       {"sized", TEXT_AT, 8, WEAK_FUNCTION, 0},
        {"weak_one", TEXT_AT + 16, 8, WEAK_FUNCTION, 0}, {"local", TEXT_AT + 16, 8, LOCAL_FUNCTION, 0},
        {"local_2", TEXT_AT + 32, 8, LOCAL_FUNCTION, 0}, {"global", TEXT_AT + 32, 8, FUNCTION, 0},
        {"__under", TEXT_AT + 48, 8, FUNCTION, 0},   {"_under", TEXT_AT + 48, 8, FUNCTION, 0},
        {"short", TEXT_AT + 64, 8, FUNCTION, 0},     {"longer", TEXT_AT + 64, 8, FUNCTION, 0},
        {"first", TEXT_AT + 80, 8, FUNCTION, 0},     {"equal", TEXT_AT + 80, 8, FUNCTION, 0}};
    static const uint64_t places[] = {0, 16, 32, 48, 64, 80};
    expect_symbols(symbols, 12, places, 6,
                   ROW("sized", "1") ROW("local", "1") ROW("global", "1") ROW("_under", "1")
                   ROW("longer", "1") ROW("first", "1") HEADERS("6"));
}

/* Of many objects without symbols, the first are named. */
static void a_message_names_some_objects(void **state)
{
    enum { OBJECTS = 30 };
    struct cg2wg_options options = with_root();
    struct recording r = begin();
    for (unsigned i = 0; i < OBJECTS; i++) {
        char name[40];
        snprintf(name, sizeof name, "/srv/a-library-of-some-length-%02u.so", i);
        map(&r, 5, 0, 0x10000 * (i + 1), 0x1000, 0, name);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * (i + 1), IN_USER));
    }
    struct conversion_result result = convert(finish(&r), &options);
    const char *first = strstr(result.messages, "for /srv/a-library-of-some-length-00.so, /srv/a-library-of-some-length-01.so,"),
               *rest = strstr(result.messages, ".so, ...: each is one row");
    assert_non_null(first);
    assert_non_null(rest);
    assert_in_range(rest - first, 300, 420);
    conversion_free(&result);
}

static void arm_marks_are_no_functions(void **state)
{
    static const struct symbol symbols[] = {{"thumb", TEXT_AT + 1, 8, FUNCTION, 0},
                                            {"$x", TEXT_AT + 4, 0, LABEL & 0xf, 0},
                                            {"$d.7", TEXT_AT + 4, 0, LABEL & 0xf, 0}};
    static const struct symbol of_risc_v[] = {{"code", TEXT_AT, 8, FUNCTION, 0},
                                              {"$xrv64i2p1", TEXT_AT + 4, 0, LABEL & 0xf, 0}};
    static const uint64_t places[] = {0, 5};
    write_in_root("other", elf(false, 40, 2, own_id, symbols, 3));
    expect(sample_places(places, 2), NULL, "", ROW("thumb", "2") HEADERS("2"));
    write_in_root("other", elf(true, 243, 2, own_id, of_risc_v, 2));
    expect(sample_places(places, 2), NULL, "", ROW("code", "2") HEADERS("2"));
    remove_from_root("other");
}

/* Only of ARM's functions: the lowest bit of an address is not part of it. */
static void odd_addresses_stay(void **state)
{
    static const struct {
        unsigned machine, info;
    } cases[] = {{40, LABEL & 0xf}, {62, FUNCTION}};
    static const uint64_t places[] = {16, 17};
    for (size_t i = 0; i < 2; i++) {
        const struct symbol symbols[] = {{"before", TEXT_AT, 17, FUNCTION, 0},
                                         {"odd", TEXT_AT + 17, 8, cases[i].info, 0}};
        write_in_root("other", elf(true, cases[i].machine, 2, own_id, symbols, 2));
        expect(sample_places(places, 2), NULL, "", ROW("before", "1") ROW("odd", "1") HEADERS("2"));
        remove_from_root("other");
    }
}

static void symbols_of_another_build_are_not_taken(void **state)
{
    static const char warning[] = NO_SYMBOLS("/srv/prog");
    static const char row[] = "/srv/prog [prog] line=0 self=7 incl=7 inv=1\n" HEADERS("7");
    for (int i = 0; i < 4; i++) {
        const unsigned char *id = i % 2 == 0 ? own_id : other_id;
        struct recording r = begin();
        if (i < 2)
            put_build_id(&r, id, "/srv/prog");
        map2(&r, 5, 0, 5, i < 2 ? NULL : id, "/srv/prog");
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
        expect(finish(&r), NULL, i % 2 == 0 ? "" : warning,
               i % 2 == 0 ? "/srv/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7") : row);
    }
    /* The id of a file may be shorter; perf fills it up with zeros. */
    enum { NOTE_SIZE_AT = 64 + 2 * 56 + 4 };
    static const unsigned char short_id[20] = "sixteen bytes id";
    struct recording r = begin();
    struct bytes b = elf(true, 62, 2, short_id, usual_symbols, 3);
    set(&b, NOTE_SIZE_AT, 16, 4);
    write_in_root("other", b);
    put_build_id(&r, short_id, "/srv/other");
    map2(&r, 5, 0, 5, NULL, "/srv/other");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "", "/srv/other f line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    remove_from_root("other");
}

/* Of a 64-bit file as elf() makes it: where a field of its header, or of one of its sections, is. */
enum { SECTIONS_AT = 40, SECTION_SIZE = 58, SECTION_COUNT = 60, SEGMENT_SIZE = 54 };
enum { TYPE_AT = 4, ADDRESS_AT = 16, OFFSET_AT = 24, SIZE_AT = 32, LINK_AT = 40, ENTRY_SIZE_AT = 56 };

static uint64_t number_at(const struct bytes *b, size_t at)
{
    uint64_t number = 0;
    for (size_t i = 8; i-- > 0;)
        number = number << 8 | (unsigned char)b->at[at + i];
    return number;
}

static size_t section_field(const struct bytes *b, size_t section, size_t field)
{
    return (size_t)number_at(b, SECTIONS_AT) + 64 * section + field;
}

/* A file without usable symbols is one row, for any reason. */
static void odd_sections_are_no_symbols(void **state)
{
    static const struct {
        int section; /* 1 to 3 as elf() puts them, or the header */
        size_t field, size;
        uint64_t value;
        bool is_usable;
    } cases[] = {
        {2, TYPE_AT, 4, 0, false},                        /* no table of symbols */
        {2, LINK_AT, 4, 4, false},                        /* names in a section that does not exist */
        {2, LINK_AT, 4, 1, false},                        /* or in the code */
        {2, ENTRY_SIZE_AT, 8, 16, false},                 /* entries of the other class */
        {2, ENTRY_SIZE_AT, 8, 24 * 4 + 1, false},         /* an entry longer than the table */
        {2, OFFSET_AT, 8, 0x2000 - 95, false},            /* a table that ends beyond the file */
        {2, OFFSET_AT, 8, UINT64_MAX, false},
        {2, SIZE_AT, 8, UINT64_MAX, false},
        {2, SIZE_AT, 8, 24, false},                       /* only the entry that is none */
        {3, OFFSET_AT, 8, UINT64_MAX, false},             /* names beyond the file */
        {3, SIZE_AT, 8, 1, false},                        /* no name is within the section */
        {1, ADDRESS_AT, 8, 0, true},
        {0, SECTION_SIZE, 2, 63, false},                  /* sections that are too short */
        {0, SECTIONS_AT, 8, UINT64_MAX, false},           /* or beyond the file */
        {0, SECTION_COUNT, 2, 0xffff, false},             /* more of them than there is room for */
        {0, SEGMENT_SIZE, 2, 55, false},
    };
    static const uint64_t places[] = {0x110};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
        size_t at = cases[i].section == 0 ? cases[i].field
                                          : section_field(&b, (size_t)cases[i].section, cases[i].field);
        set(&b, at, cases[i].value, cases[i].size);
        write_in_root("other", b);
        expect(sample_places(places, 1), NULL, cases[i].is_usable ? "" : NO_SYMBOLS("/srv/other"),
               cases[i].is_usable ? ROW("f", "1") HEADERS("1") : ROW("[other]", "1") HEADERS("1"));
    }
    remove_from_root("other");
}

/* The header says 0; the first section, which is none, has the number in place of its size. */
static void many_sections_are_counted_by_the_first(void **state)
{
    static const uint64_t places[] = {0x110};
    static const struct {
        uint64_t count;
        const char *row;
    } cases[] = {{4, "f"}, {2, "[other]"}, {UINT64_MAX, "[other]"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
        char dump[200];
        set(&b, SECTION_COUNT, 0, 2);
        set(&b, section_field(&b, 0, SIZE_AT), cases[i].count, 8);
        write_in_root("other", b);
        snprintf(dump, sizeof dump, ROW("%s", "1") HEADERS("1"), cases[i].row);
        expect(sample_places(places, 1), NULL,
               i == 0 ? "" : NO_SYMBOLS("/srv/other"), dump);
    }
    remove_from_root("other");
}

/* A symbol, or if that has no size, its section: what would end beyond the last address ends there. */
static void symbols_may_end_beyond_all_addresses(void **state)
{
    static const struct symbol symbols[] = {{"f", TEXT_AT, UINT64_MAX, FUNCTION, 0},
                                            {"f", TEXT_AT, 0, FUNCTION, 0}};
    static const uint64_t places[] = {0, 0xfff};
    for (size_t i = 0; i < 2; i++) {
        struct bytes b = elf(true, 62, 2, own_id, &symbols[i], 1);
        set(&b, section_field(&b, 1, SIZE_AT), UINT64_MAX, 8);
        write_in_root("other", b);
        expect(sample_places(places, 2), NULL, "", ROW("f", "2") HEADERS("2"));
    }
    remove_from_root("other");
}

/* ---- what would take too much ------------------------------------------------------------------- */

#define MANY_SYMBOLS(objects) \
    "warning: found symbols of more than 256 MB, or names that overlap; some are left out, of " objects "\n"

/* The program with these symbols, whose names take `size` bytes; what it lacks for that is a hole. */
static void write_with_names(const char *name, uint64_t size, const struct symbol *symbols, size_t count)
{
    struct bytes b = elf(true, 62, 2, own_id, symbols, count);
    uint64_t names_at = number_at(&b, section_field(&b, 3, OFFSET_AT));
    char *path = scratch_path(name);
    set(&b, section_field(&b, 3, SIZE_AT), size, 8);
    write_in_root(name, b);
    assert_int_equal(truncate(path, (off_t)(names_at + size)), 0);
    free(path);
}

/* Together, the paths of one file would have more symbols than there may be. With those of another, there are. */
static void a_file_is_read_once(void **state)
{
    enum { PATHS = 20, MB = 1 << 20 };
    struct recording r = begin();
    char path[80] = "/srv/", dump[4000] = "";
    write_with_names("other", 20 * MB, usual_symbols, 3);
    write_with_names("large", 240 * MB, usual_symbols, 3);
    for (unsigned i = 0; i < PATHS; i++) {
        strcpy(path + 5 + 2 * i, "other");
        map(&r, 5, 0, 0x10000 * i, 0x1000, 0x1000, path);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * i + 0x110, IN_USER));
        sprintf(dump + strlen(dump), "%s f line=0 self=1 incl=1 inv=1\n", path);
        strcpy(path + 5 + 2 * i, "./");
    }
    map(&r, 5, 0, 0x10000 * PATHS, 0x1000, 0x1000, "/srv/large");
    sample(&r, 10 + PATHS, 1, STACK(USER, 0x10000 * PATHS + 0x110, IN_USER));
    strcat(dump, "/srv/large [large] line=0 self=1 incl=1 inv=1\n" HEADERS("21"));
    expect(finish(&r), NULL, MANY_SYMBOLS("/srv/large"), dump);
    remove_from_root("other");
    remove_from_root("large");
}

/* Folders beside the root, of which the rest of a path would be one below it; a name that is no path; a FIFO. */
static void only_regular_files_below_the_root_are_read(void **state)
{
    static const char *const paths[] = {"/../toor/sub/app", "/../rootXsub/app"};
    static const char *const folders[] = {"root", "root/sub", "toor", "toor/sub", "rootXsub"};
    char *root = scratch_path("root"), *here = scratch_path(""), *fifo = scratch_path("wait");
    char before[4096], dump[8192];
    struct cg2wg_options options = with_root();
    options.samples.root = root;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        command_in_root("mkdir", folders[i]);
    write_in_root("root/sub/app", elf(true, 62, 2, own_id, usual_symbols, 3));
    write_in_root("toor/sub/app", elf(true, 62, 2, own_id, usual_symbols, 3));
    write_in_root("rootXsub/app", elf(true, 62, 2, own_id, usual_symbols, 3));
    for (size_t i = 0; i < 2; i++) {
        struct recording r = begin();
        map(&r, 5, 0, 0x7000, 0x1000, 0x1000, paths[i]);
        sample(&r, 10, 1, STACK(USER, F, IN_USER, F));
        snprintf(dump, sizeof dump, "%s [app] line=0 self=1 incl=1 inv=1\n" HEADERS("1"), paths[i]);
        struct conversion_result result = convert(finish(&r), &options);
        assert_string_equal(result.dump, dump);
        conversion_free(&result);
    }
    write_in_root("app", elf(true, 62, 2, own_id, usual_symbols, 3));
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(here), 0);
    options.samples.root = NULL;
    struct recording r = begin();
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "app");
    map(&r, 5, 0, 0x17000, 0x1000, 0x1000, fifo);
    sample(&r, 10, 1, STACK(USER, F, IN_USER, F));
    sample(&r, 11, 1, STACK(USER, 0x10000 + F, IN_USER, 0x10000 + F));
    snprintf(dump, sizeof dump, "app [app] line=0 self=1 incl=1 inv=1\n"
             "%s [wait] line=0 self=1 incl=1 inv=1\n" HEADERS("2"), fifo);
    alarm(60);
    struct conversion_result result = convert(finish(&r), &options);
    alarm(0);
    assert_string_equal(result.dump, dump);
    conversion_free(&result);
    assert_int_equal(chdir(before), 0);
    command_in_root("rm", "app");
    command_in_root("rm", "wait");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        command_in_root("rm -rf", folders[i]);
    free(root);
    free(here);
    free(fifo);
}

/* What is read of files without a function counts, too: 512 MB in all have no room for three times 200. */
static void files_are_read_up_to_a_sum(void **state)
{
    enum { FILES = 3, MB = 1 << 20 };
    static const struct symbol data = {"data", TEXT_AT, 16, OBJECT, 0};
    struct recording r = begin();
    char path[] = "/srv/vain0", dump[1000] = "";
    for (unsigned i = 0; i < FILES; i++, path[sizeof path - 2]++) {
        write_with_names(path + 5, 200 * MB, &data, 1);
        map(&r, 5, 0, 0x10000 * i, 0x1000, 0x1000, path);
        sample(&r, 10 + i, 1, STACK(USER, 0x10000 * i + 0x110, IN_USER));
        sprintf(dump + strlen(dump), "%s [vain%u] line=0 self=1 incl=1 inv=1\n", path, i);
    }
    strcat(dump, HEADERS("3"));
    expect(finish(&r), NULL, NO_SYMBOLS("/srv/vain0, /srv/vain1") MANY_SYMBOLS("/srv/vain2"), dump);
    while (path[sizeof path - 2]-- > '0')
        remove_from_root(path + 5);
}

/* Each symbol's name is what follows the first byte of the name before. */
static void names_that_overlap_are_bounded(void **state)
{
    enum { COUNT = 100, LENGTH = 10000 };
    static char name[LENGTH + 1];
    struct symbol symbols[COUNT];
    struct recording r = begin();
    struct cg2wg_options options = with_root();
    memset(name, 'x', LENGTH);
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/other");
    for (unsigned i = 0; i < COUNT; i++) {
        symbols[i] = (struct symbol){i == 0 ? name : "", TEXT_AT + 16 * i, 16, FUNCTION, 0};
        sample(&r, 10 + i, 1, STACK(USER, 0x7000 + 16 * i, IN_USER));
    }
    struct bytes b = elf(true, 62, 2, own_id, symbols, COUNT), recording = finish(&r);
    size_t symbols_at = (size_t)number_at(&b, section_field(&b, 2, OFFSET_AT));
    for (unsigned i = 0; i < COUNT; i++)
        set(&b, symbols_at + 24 * (i + 1), 1 + i, 4);
    write_in_root("other", b);
    struct conversion_result result = convert_bytes(recording.at, recording.length, &options);
    assert_string_equal(result.messages, MANY_SYMBOLS("/srv/other"));
    assert_in_range(result.size, LENGTH, 20 * LENGTH);
    conversion_free(&result);
    free_bytes(&recording);
    remove_from_root("other");
}

/*
 * A name of C++ in which each parameter is a template of two of those before: a<char, char>, a<a<char, char>,
 * a<char, char> > ... c++filt writes each one out.
 */
static void double_types(char *name, unsigned times)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    strcpy(name, "_Z1f1aIccE");
    for (unsigned i = 0; i < times; i++)
        sprintf(name + strlen(name), "S_IS%c_S%c_E", digits[i], digits[i]);
}

/* A name of 200 bytes would have 10 MB, one of a few more gigabytes. */
static void readable_names_are_bounded(void **state)
{
    char large[400], endless[600], dump[3000];
    if (system("c++filt --version >/dev/null 2>&1") != 0)
        skip();
    double_types(large, 18);
    double_types(endless, 36);
    const struct symbol symbols[] = {{"_Z4goodi", TEXT_AT, 16, FUNCTION, 0},
                                     {large, TEXT_AT + 16, 16, FUNCTION, 0},
                                     {"_Z5otherl", TEXT_AT + 32, 16, FUNCTION, 0},
                                     {endless, TEXT_AT + 48, 16, FUNCTION, 0}};
    static const uint64_t places[] = {0, 16, 32, 48};
    struct cg2wg_options options = with_root();
    options.demangle = CG2WG_DEMANGLE_ALWAYS;
    for (size_t count = 3; count <= 4; count++) {
        write_in_root("other", elf(true, 62, 2, own_id, symbols, count));
        snprintf(dump, sizeof dump, ROW("good(int)", "1") ROW("%s", "1") ROW("other(long)", "1") "%s%s%s"
                 HEADERS("%zu"), large, count == 4 ? "/srv/other " : "", count == 4 ? endless : "",
                 count == 4 ? " line=0 self=1 incl=1 inv=1\n" : "", count);
        expect(sample_places(places, count), &options,
               count == 3 ? "" : "warning: found 3 readable names, expected 4: c++filt has failed, or was stopped "
                                 "because it took too much; the others stay as they are\n", dump);
    }
    remove_from_root("other");
}

/* Sections of ids that overlap are refused: a few make no more than a file of their size could have. */
static void ids_that_overlap_are_refused(void **state)
{
    enum { ENTRIES_AT = 104 + 4 * 8, SECTION_AT = 64 };
    for (int overlap = 0; overlap < 2; overlap++) {
        struct recording r = begin();
        r.event_count = 4;
        for (size_t i = 1; i < 4; i++)
            r.events[i] = r.events[0];
        call_f(&r);
        struct bytes b = finish(&r);
        for (size_t i = 0; overlap && i < 4; i++) {
            set(&b, ENTRIES_AT + 80 * i + SECTION_AT, 0, 8);
            set(&b, ENTRIES_AT + 80 * i + SECTION_AT + 8, ENTRIES_AT + 80 * 4, 8);
        }
        expect(b, NULL,
               overlap ? "error: found sections of ids that overlap, expected one for each event\n" : "",
               overlap ? "" : ONE_STACK("7", "7"));
    }
}

/* As many names as events, in version 1: each name is looked up once. */
static void many_names_of_events_are_looked_up(void **state)
{
    enum { COUNT = 100000, ENTRY = 80, TYPE = 72 };
    struct recording r = begin();
    call_f(&r);
    struct bytes b = {NULL, 0};
    put_bytes(&b, "PERFFILE", 8);
    put(&b, 104, 8);
    put(&b, ENTRY, 8);
    put(&b, 104, 8);
    put(&b, ENTRY * COUNT, 8);
    put(&b, 104 + (ENTRY + TYPE) * COUNT, 8);
    put(&b, r.data.length, 8);
    put(&b, 104 + ENTRY * COUNT, 8);
    put(&b, TYPE * COUNT, 8);
    put_zeros(&b, 104 - b.length);
    for (unsigned i = 0; i < COUNT; i++) {
        r.events[0].config = 100 + i;
        put_attr(&b, &r.events[0], ENTRY);
    }
    for (unsigned i = COUNT; i-- > 0;) {
        char name[64] = "";
        snprintf(name, sizeof name, "event-%u", i);
        put(&b, 100 + i, 8);
        put_bytes(&b, name, sizeof name);
    }
    put_bytes(&b, r.data.at, r.data.length);
    free_bytes(&r.data);
    clock_t start = clock();
    struct cg2wg_options options = with_root();
    struct conversion_result result = convert_bytes(b.at, b.length, &options);
    assert_string_equal(result.messages, "");
    assert_non_null(strstr(result.dump, "header: events: event-0\n"));
    assert_true(is_watched() || clock() - start < 2 * CLOCKS_PER_SEC);
    conversion_free(&result);
    free_bytes(&b);
}

/* The same notes again and again: they are not read each time. */
static void notes_that_overlap_are_bounded(void **state)
{
    enum { COUNT = 20000, NOTES = 1 << 20 };
    static const uint64_t places[] = {0x110};
    struct bytes b = elf(true, 62, 2, own_id, usual_symbols, 3);
    size_t sections = (size_t)number_at(&b, SECTIONS_AT), at = b.length;
    put_bytes(&b, b.at + sections, 4 * 64);
    for (unsigned i = 4; i < COUNT; i++)
        put_section(&b, true, (const uint64_t[10]){0, 7, 0, 0, 0x2000 + 64 * COUNT, NOTES, 0, 0, 4, 0});
    set(&b, SECTIONS_AT, at, 8);
    set(&b, SECTION_COUNT, COUNT, 2);
    set(&b, 64 + 56, 0, 4); /* no segment of notes, and no build-id */
    put_zeros(&b, NOTES);
    write_in_root("other", b);
    clock_t start = clock();
    expect(sample_places(places, 1), NULL, "", ROW("f", "1") HEADERS("1"));
    assert_true(is_watched() || clock() - start < 2 * CLOCKS_PER_SEC);
    remove_from_root("other");
}

/* By perf record --call-graph=dwarf and =lbr, and by others */
static void a_recording_may_lack_callers_in_programs(void **state)
{
    static const struct {
        uint64_t fields;
        const char *how;
    } cases[] = {{0, "no callers in programs"},
                 {BRANCHES, "--call-graph lbr"},
                 {USER_STACK, "--call-graph dwarf"},
                 {BRANCHES | USER_STACK, "--call-graph dwarf"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char warning[200];
        struct recording r = begin();
        r.events[0].sample_type |= cases[i].fields;
        r.events[0].flags |= WITHOUT_USER_CHAIN;
        call_f(&r);
        snprintf(warning, sizeof warning, "warning: recorded with %s: callers in programs are not in its "
                 "chains, and are missing here; convert the text of perf script, which has them\n", cases[i].how);
        expect(finish(&r), NULL, warning, ONE_STACK("7", "7"));
    }
}

static void what_a_recording_lacks_is_reported(void **state)
{
    struct recording r = begin();
    call_f(&r);
    RECORD(&r, LOST, 0, 5, 11, NULL, 11, 3); /* the event's id */
    RECORD(&r, LOST_SAMPLES, 0, 5, 12, NULL, 1000);
    put(feature(&r, 18), 0, 8); /* HEADER_AUXTRACE */
    expect(finish(&r), NULL,
           HAS_TRACE "warning: 1003 records were lost while it was recorded\n", ONE_STACK("7", "7"));
}

/* In folders that perf makes: ~/.debug/.build-id/xx/yyyy.../elf, and another for kernels. */
static void copies_of_perf_are_found_by_build_id(void **state)
{
    static const unsigned char id[20] = "\x01\xf0\x0a\xa0 is how it start";
    static const char copies[] = ".debug/.build-id/01/f00aa020697320686f77206974207374617274";
    static const char kernels[] = ".debug/[kernel.kallsyms]/01f00aa020697320686f77206974207374617274";
    char *home = scratch_path(""), *old = getenv("HOME"), name[200];
    struct cg2wg_options options = default_options();
    assert_int_equal(setenv("HOME", home, 1), 0);
    command_in_root("mkdir -p", copies);
    command_in_root("mkdir -p", kernels);
    snprintf(name, sizeof name, "%s/elf", copies);
    write_in_root(name, elf(true, 62, 2, id, usual_symbols, 3));
    struct recording r = begin();
    map2(&r, 5, 0, 5, id, "/nonexistent/prog");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    expect(finish(&r), &options, "", "/nonexistent/prog f line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    remove_from_root(name);

    /* A file with the same build-id has been stripped since. */
    static const struct symbol exported = {"exported", TEXT_AT, 0x300, FUNCTION, 0};
    char *stripped = scratch_path("stripped");
    write_in_root("stripped", elf(true, 62, 11, id, &exported, 1));
    for (size_t i = 0; i < 3; i++) {
        char dump[400];
        snprintf(name, sizeof name, "%s/%s", copies, i == 0 ? "elf" : i == 1 ? "debug" : "other");
        write_in_root(name, elf(true, 62, 2, id, usual_symbols, 3));
        r = begin();
        map2(&r, 5, 0, 5, id, stripped);
        sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
        snprintf(dump, sizeof dump, "%s %s line=0 self=7 incl=7 inv=1\n" HEADERS("7"), stripped,
                 i < 2 ? "f" : "exported");
        expect(finish(&r), &options, "", dump);
        remove_from_root(name);
    }
    remove_from_root("stripped");
    free(stripped);

    snprintf(name, sizeof name, "%s/kallsyms", kernels);
    write_text_in_root(name, "ffff0100 T sys_read\nffff0200 T other\n");
    r = begin();
    put_build_id(&r, id, "[kernel.kallsyms]");
    sample(&r, 10, 7, STACK(KERNEL, 0xffff0110, IN_KERNEL, 0xffff0110));
    expect(finish(&r), &options, "", "[kernel.kallsyms] sys_read line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
    remove_from_root(name);

    command_in_root("rm -r", ".debug");
    assert_int_equal(old != NULL ? setenv("HOME", old, 1) : unsetenv("HOME"), 0);
    free(home);
}

#ifdef __linux__
/* The name and place of the first global function of this process's vdso, and its build-id. False: it has none. */
static bool find_in_vdso(const char **name, uint64_t *place, struct text *id)
{
    const char *at = (const char *)getauxval(AT_SYSINFO_EHDR);
    const ElfW(Ehdr) *header = (const void *)at;
    const ElfW(Shdr) *sections = (const void *)(at + (header != NULL ? header->e_shoff : 0));
    bool is_found = false;
    *id = text_of("", 0);
    for (unsigned i = 0; header != NULL && header->e_ident[EI_DATA] == ELFDATA2LSB && i < header->e_shnum; i++) {
        const ElfW(Sym) *symbols = (const void *)(at + sections[i].sh_offset);
        for (size_t k = 0; sections[i].sh_type == SHT_NOTE && k + 36 <= sections[i].sh_size; k += 4)
            if (memcmp(at + sections[i].sh_offset + k, "\4\0\0\0\x14\0\0\0\3\0\0\0GNU", 16) == 0)
                *id = text_of(at + sections[i].sh_offset + k + 16, 20);
        for (size_t k = 1; sections[i].sh_type == SHT_DYNSYM && k < sections[i].sh_size / sizeof *symbols; k++) {
            if (symbols[k].st_info != FUNCTION || symbols[k].st_size == 0 || is_found)
                continue;
            is_found = true;
            *place = symbols[k].st_value + symbols[k].st_size / 2;
            *name = at + sections[sections[i].sh_link].sh_offset + symbols[k].st_name;
        }
    }
    return is_found;
}

/* Of a recording of this machine and kernel: by their names, or by the build-id. */
static void the_vdso_is_that_of_this_process(void **state)
{
    enum { SAME, OTHER_HOST, OTHER_RELEASE, NO_NAMES, OTHER_KERNEL, SAME_ID, OTHER_ID, BELOW_A_ROOT, COUNT };
    struct utsname own;
    const char *name = NULL;
    uint64_t place = 0;
    struct text id;
    if (!find_in_vdso(&name, &place, &id))
        skip();
    assert_true(uname(&own) >= 0);
    for (int kind = 0; kind < COUNT; kind++) {
        char dump[400];
        struct cg2wg_options options = default_options();
        struct recording r = begin();
        if (kind == BELOW_A_ROOT)
            options = with_root();
        if (kind == SAME_ID && !text_is_empty(id))
            put_build_id(&r, (const unsigned char *)id.at, "[vdso]");
        else if (kind == OTHER_ID || kind == OTHER_KERNEL)
            put_build_id(&r, other_id, kind == OTHER_ID ? "[vdso]" : "[kernel.kallsyms]");
        if (kind != NO_NAMES && kind != SAME_ID) {
            put_string(feature(&r, 3), kind == OTHER_HOST ? "other" : own.nodename);
            put_string(feature(&r, 4), kind == OTHER_RELEASE ? "2.6" : own.release);
        }
        map(&r, 5, 0, 0x7000, 0x8000, 0, "[vdso]");
        sample(&r, 10, 7, STACK(USER, 0x7000 + place, IN_USER));
        snprintf(dump, sizeof dump, "[vdso] %s line=0 self=7 incl=7 inv=1\n" HEADERS("7"),
                 kind == SAME || (kind == SAME_ID && !text_is_empty(id)) ? name : "[vdso]");
        expect(finish(&r), &options, "", dump);
    }
}
#endif

static void mappings_of_data_are_passed_over(void **state)
{
    struct recording r = begin();
    map2(&r, 5, 0, 3, NULL, "/srv/prog");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    expect(finish(&r), NULL, "", "[unknown] [unknown] line=0 self=7 incl=7 inv=1\n" HEADERS("7"));
}

/* The last line that holds an address is right: code is replaced. */
static void made_code_has_a_map(void **state)
{
    struct recording r = begin();
    write_text_in_root("perf-5.map", "7000 200 old one\nnonsense\n0x7100 10 new\n7300 0 nothing\n7400 10 \n");
    map(&r, 5, 0, 0x7000, 0x1000, 0, "//anon");
    sample(&r, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
    sample(&r, 11, 2, STACK(USER, 0x7105, IN_USER, 0x7105));
    sample(&r, 12, 4, STACK(USER, 0x7120, IN_USER, 0x7120));
    sample(&r, 13, 8, STACK(USER, 0x7300, IN_USER, 0x7300));
    map(&r, 5, 0, UINT64_MAX - 0x1fff, 0x3000, 0, "//anon"); /* beyond the last address */
    sample(&r, 14, 16, STACK(USER, UINT64_MAX - 0x1fef, IN_USER, UINT64_MAX - 0x1fef));
    expect(finish(&r), NULL, "",
           "[JIT] old one line=0 self=5 incl=5 inv=2\n[JIT] new line=0 self=2 incl=2 inv=1\n"
           "[JIT] [JIT] line=0 self=24 incl=24 inv=2\n" HEADERS("31"));
    remove_from_root("perf-5.map");
}

/* All names that the kernel gives to memory which is no file's: the map speaks of its addresses. */
static void made_code_is_in_any_memory(void **state)
{
    static const char *const names[] = {"//anon", "[heap]", "[stack]", "[stack:77]", "/SYSV00000000 (deleted)",
                                        "/dev/zero", "/dev/zero (deleted)", "/anon_hugepage (deleted)",
                                        "/memfd:doublemapper (deleted)", "[anon:v8]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct recording r = begin();
        write_text_in_root("perf-5.map", "7000 200 made\n");
        map(&r, 5, 0, 0x7000, 0x1000, 0x3000, names[i]);
        sample(&r, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
        expect(finish(&r), NULL, "", "[JIT] made line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
        remove_from_root("perf-5.map");
    }
}

/* If the recording names a FIFO that nobody writes to, or a folder, nothing waits. */
static void only_regular_files_are_opened(void **state)
{
    struct recording r = begin();
    char *fifo = scratch_path("fifo");
    unlink(fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    map(&r, 5, 0, 0x7000, 0x1000, 0, "/srv/fifo");
    map(&r, 5, 0, 0x9000, 0x1000, 0, "/srv/..");
    sample(&r, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
    sample(&r, 11, 2, STACK(USER, 0x9010, IN_USER, 0x9010));
    expect(finish(&r), NULL,
           NO_SYMBOLS("/srv/fifo, /srv/.."),
           "/srv/fifo [fifo] line=0 self=1 incl=1 inv=1\n"
           "/srv/.. [..] line=0 self=2 incl=2 inv=1\n" HEADERS("3"));
    free(fifo);
}

/* A process that is killed sooner or later, also if the test fails before it has done so. */
static pid_t fork_for_a_while(void)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        alarm(60);
    return pid;
}

/* A process of another user, which waits. */
static pid_t start_other_process(uid_t user)
{
    struct stat process = {.st_uid = 0};
    char path[40];
    pid_t pid = fork_for_a_while();
    if (pid == 0) {
        if (setuid(user) == 0)
            pause();
        _exit(1);
    }
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    while (process.st_uid != user)
        assert_int_equal(stat(path, &process), 0);
    return pid;
}

/* In /tmp, where anybody may have made it: of this user, of root or of the process's user, and no link. */
static void maps_of_others_are_not_read(void **state)
{
    enum { OWN, OTHERS, OF_ITS_PROCESS, ROOTS, LINK, PIPE, COUNT, ITS_USER = 12345, STRANGER = 12346 };
    struct cg2wg_options options = default_options();
    char map_path[40], warning[300], *target = scratch_path("target");
    char *folder = scratch_path("."), *input = scratch_path("input");
    if (geteuid() != 0)
        skip();
    write_text_in_root("target", "7000 200 made\n");
    assert_int_equal(chmod(folder, 0777), 0);
    pid_t pid = start_other_process(ITS_USER);
    snprintf(map_path, sizeof map_path, "/tmp/perf-%d.map", (int)pid);
    snprintf(warning, sizeof warning, NO_SYMBOLS("%s"), map_path);
    for (int kind = 0; kind < COUNT; kind++) {
        struct recording r = begin();
        bool is_read = kind == OWN || kind == OF_ITS_PROCESS || kind == ROOTS;
        unlink(map_path);
        if (kind == LINK)
            assert_int_equal(symlink(target, map_path), 0);
        else if (kind == PIPE)
            assert_int_equal(mkfifo(map_path, 0600), 0);
        else
            write_file(map_path, "7000 200 made\n", 14);
        if (kind == OTHERS || kind == OF_ITS_PROCESS)
            assert_int_equal(chown(map_path, kind == OTHERS ? STRANGER : ITS_USER, 0), 0);
        map(&r, (uint32_t)pid, 0, 0x7000, 0x1000, 0, "//anon");
        sample_of(&r, 0, (uint32_t)pid, (uint32_t)pid, 10, 1, STACK(USER, 0x7010, IN_USER, 0x7010));
        unlink(input);
        assert_int_equal(seteuid(kind == ROOTS ? STRANGER : 0), 0);
        expect(finish(&r), &options, is_read ? "" : warning,
               is_read ? "[JIT] made line=0 self=1 incl=1 inv=1\n" HEADERS("1")
                       : "[JIT] [JIT] line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
        assert_int_equal(seteuid(0), 0);
    }
    unlink(map_path);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    remove_from_root("target");
    free(target);
    free(folder);
    free(input);
}

/* Switches a folder and a link that leads out of the root, again and again. */
static pid_t start_switching(const char *folder, const char *link_path, const char *spare)
{
    pid_t pid = fork_for_a_while();
    for (; pid == 0; rename(spare, folder)) {
        rename(folder, spare);
        rename(link_path, folder);
        rename(folder, link_path);
    }
    return pid;
}

/* Whoever can write below --symfs has no way out, however fast. */
static void nothing_outside_is_read_while_links_change(void **state)
{
    enum { ROUNDS = 1000 };
    static const struct symbol secret = {"secret", TEXT_AT, 0x300, FUNCTION, 0};
    char *root = scratch_path("root"), *folder = scratch_path("root/d"), *link_path = scratch_path("root/link"),
         *spare = scratch_path("root/spare"), *outside = scratch_path("outside");
    struct cg2wg_options options = with_root();
    struct recording r = begin();
    unsigned found = 0;
    assert_int_equal(mkdir(root, 0700) | mkdir(folder, 0700) | mkdir(outside, 0700) | symlink(outside, link_path), 0);
    write_in_root("root/d/other", elf(true, 62, 2, own_id, usual_symbols, 3));
    write_in_root("outside/other", elf(true, 62, 2, own_id, &secret, 1));
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/d/other");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F));
    struct bytes recording = finish(&r);
    options.samples.root = root;
    pid_t pid = start_switching(folder, link_path, spare);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct conversion_result result = convert_bytes(recording.at, recording.length, &options);
        assert_null(strstr(result.dump, "secret"));
        found += strstr(result.dump, "/d/other f ") != NULL;
        conversion_free(&result);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_true(found > 0);
    command_in_root("rm -r", "outside");
    command_in_root("rm -r", "root");
    free(root);
    free(folder);
    free(link_path);
    free(spare);
    free(outside);
    free_bytes(&recording);
}

/* ---- what is damaged ---------------------------------------------------------------------- */

static struct bytes rich_recording(void)
{
    struct recording r = begin();
    put_build_id(&r, own_id, "/srv/prog");
    put_string(feature(&r, 5), "6.1");
    name_events(&r, (const char *const[]){"page-faults"});
    name_thread(&r, 5, 5, 1, "prog");
    map_program(&r);
    fork_process(&r, 5, 6, 3, 0);
    kernel_symbol(&r, 4, 0xffff8000, 0x100, 1, 0, "bpf_prog_1");
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
    end_round(&r);
    sample_of(&r, 0, 6, 6, 20, 1, STACK(KERNEL, 0xffff8010, IN_KERNEL, 0xffff8010, IN_USER, G, MAIN));
    end_round(&r);
    return finish(&r);
}

static void try_damaged(const struct bytes *b)
{
    struct cg2wg_options options = with_root();
    struct conversion_result result = convert_bytes(b->at, b->length, &options);
    if (result.status == CG2WG_OK) {
        assert_non_null(result.bytes);
        assert_null(strstr(result.dump, "unreadable"));
    } else {
        assert_int_equal(result.status, CG2WG_FAILED);
        assert_non_null(strstr(result.messages, "error: "));
        assert_null(result.bytes);
    }
    conversion_free(&result);
}

static void every_damaged_byte_is_read_or_refused(void **state)
{
    static const unsigned char values[] = {0, 0x7f, 0xff};
    struct bytes b = rich_recording();
    for (size_t i = 8; i < b.length; i++) {
        unsigned char kept = b.at[i];
        for (size_t k = 0; k < sizeof values; k++) {
            b.at[i] = values[k];
            try_damaged(&b);
        }
        b.at[i] = kept;
    }
    free_bytes(&b);
}

/* Forks that each change a mapping, of a parent with many: none of them is copied whole. */
static void forks_take_no_more_than_they_say(void **state)
{
    enum { MAPPINGS = 2000, FORKS = 20000 };
    struct recording r = begin();
    for (uint32_t i = 0; i < MAPPINGS; i++)
        map(&r, 5, 0, 0x10000 + 0x100 * i, 0x100, 0, "/srv/prog");
    for (uint32_t i = 0; i < FORKS; i++) {
        fork_process(&r, 5 + i, 6 + i, 1, 0);
        map(&r, 6 + i, 1, 0x10000 + 0x100 * (i % MAPPINGS), 0x80, 0, "[vvar]");
    }
    sample_of(&r, 0, 5 + FORKS, 5 + FORKS, 9, 1, STACK(USER, 0x10010, IN_USER, 0x10010));
    expect(finish(&r), NULL, "", "[vvar] [vvar] line=0 self=1 incl=1 inv=1\n" HEADERS("1"));
}

/*
 * Records that end with their heads, or a byte before their number does. Those of the kernel are only read when others
 * have followed; the message still names their own place.
 */
static void records_may_be_too_short(void **state)
{
#define SHORT "a record that is too short for what it contains", "a longer one", 0
    static const struct {
        unsigned type;
        const char *found, *expected;
        size_t size;
    } cases[] = {
        {TRACING_DATA, "tracing data without a size", "a size of 4 bytes", 3},
        {AUXTRACE, "a hardware trace without a size", "a size of 8 bytes", 7},
        {FEATURE, "a feature without a number", "a number of 8 bytes", 7},
        {TRACING_DATA, "tracing data without a size", "a size of 4 bytes", 0},
        {AUXTRACE, "a hardware trace without a size", "a size of 8 bytes", 0},
        {BUILD_ID, "a build-id without a name", "a build-id", 0},
        {FEATURE, "a feature without a number", "a number of 8 bytes", 0},
        {ATTR, "an event of an impossible size", "one that its record can hold", 0},
        {MMAP, SHORT}, {MMAP2, SHORT}, {COMM, SHORT}, {FORK, SHORT}, {KSYMBOL, SHORT}, {DEFERRED, SHORT},
        {LOST, SHORT}, {LOST_SAMPLES, SHORT},
    };
#undef SHORT
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[200];
        struct recording r = begin();
        size_t record = begin_record(&r, cases[i].type, USER);
        put_zeros(&r.data, cases[i].size);
        end_record(&r, record);
        name_thread(&r, 5, 5, 10, "main");
        end_round(&r);
        snprintf(message, sizeof message, "error: found %s at byte 192, expected %s\n", cases[i].found,
                 cases[i].expected);
        expect(finish(&r), NULL, message, "");
    }
}

/* A sample that ends after any of its fields but the last, with or without an event. */
static void samples_may_be_too_short(void **state)
{
    static const uint64_t types[] = {USUAL | ADDR | ID | STREAM | CPU | IDENTIFIER | READ, USUAL | ID,
                                     IP | READ | CHAIN};
    static const uint64_t formats[] = {8 | 4 | 2 | 1, 0, 4 | 16};
    /* Fields, readings, and the chain */
    static const size_t words[] = {9 + 1 + 2 + 2 * 2 + 3, 5 + 3, 1 + 3 + 3};
    for (size_t i = 0; i < 3; i++) {
        for (size_t length = 0; length <= words[i]; length++) {
            char message[200];
            struct recording r = begin();
            r.events[0].sample_type = types[i];
            r.events[0].read_format = formats[i];
            r.events[1] = r.events[0];
            r.events[1].id = 12;
            r.event_count = 2;
            size_t record = begin_record(&r, SAMPLE, USER);
            for (size_t at = 0; at < length; at++) {
                bool is_count = (i == 0 && at == 9) || at + 3 == words[i];
                put(&r.data, is_count ? 2 : at == 0 ? 11 : 0, 8);
            }
            end_record(&r, record);
            snprintf(message, sizeof message,
                     "error: found a %s that is too short for what it contains at byte 280, expected a "
                     "longer one\n",
                     length < (i == 0 ? 1 : i == 1 ? 4 : 0) ? "record" : "sample");
            struct conversion_result result = convert(finish(&r), NULL);
            if (length < words[i])
                assert_string_equal(result.messages, message);
            else
                assert_null(strstr(result.messages, "too short"));
            conversion_free(&result);
        }
    }
}

/* Contents that end before their sizes say so are left out, or with --strict an error. */
static void features_may_end_early(void **state)
{
    static const struct {
        unsigned bit;
        const char *name;
    } cases[] = {{2, "BUILD_ID"}, {3, "HOSTNAME"}, {4, "OSRELEASE"}, {5, "VERSION"}, {11, "CMDLINE"},
                 {12, "EVENT_DESC"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t whole = 1;
        for (size_t length = 0; length <= whole; length++) {
            char message[200];
            struct recording r = begin();
            if (cases[i].bit == 2)
                put_build_id(&r, own_id, "/srv/prog");
            else if (cases[i].bit == 12)
                name_events(&r, (const char *const[]){"page-faults"});
            else if (cases[i].bit == 11) {
                put(feature(&r, 11), 1, 4);
                put_string(&r.features[0].content, "perf");
            }
            else
                put_string(feature(&r, cases[i].bit), "6.1");
            whole = r.features[0].content.length;
            r.features[0].content.length = length;
            call_f(&r);
            struct bytes b = finish(&r);
            bool is_odd = length < whole && (cases[i].bit != 2 || length > 0); /* no build-ids are fine */
            for (int strict = 0; strict < 2; strict++) {
                struct cg2wg_options options = with_root();
                options.strict = strict != 0;
                snprintf(message, sizeof message,
                         "%s: found a malformed section %s, expected one that ends where its size says; the "
                         "rest of it is left out\n", strict ? "error" : "warning", cases[i].name);
                struct conversion_result result = convert_bytes(b.at, b.length, &options);
                assert_string_equal(result.messages, is_odd ? message : "");
                assert_int_equal(result.status, strict && is_odd ? CG2WG_FAILED : CG2WG_OK);
                if (result.status == CG2WG_OK)
                    assert_non_null(strstr(result.dump, "/srv/prog f line=0 self=7 incl=7 inv=1\n"));
                conversion_free(&result);
            }
            free_bytes(&b);
        }
    }
}

/* Sections whose places are not in the file. */
static void sections_may_be_missing(void **state)
{
    enum { DATA_AT = 104 + 8 + 80 };
#define NO_CONTENT "warning: found no content of feature 5 within the file, expected some; it is left out\n"
#define NO_EVENTS "error: found events that are not within the file, expected them there\n"
    static const struct {
        size_t at; /* in the file; or from the table of features on */
        bool is_in_table;
        uint64_t value;
        const char *messages;
    } cases[] = {
        {0, true, UINT64_MAX, NO_CONTENT},
        {8, true, UINT64_MAX, NO_CONTENT},
        {0, true, 1 << 20, NO_CONTENT},
        {24, false, UINT64_MAX, NO_EVENTS},
        {104 + 8 + 64, false, UINT64_MAX, NO_EVENTS},
        {16, false, 15, "error: found events of 15 bytes in a section of 80, expected one at least\n"},
        {16, false, 81, "error: found events of 81 bytes in a section of 80, expected one at least\n"},
        {8, false, 17, "error: found a head of 17 bytes, expected 104, or 16 in a pipe\n"},
    };
#undef NO_CONTENT
#undef NO_EVENTS
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        put_string(feature(&r, 5), "6.1");
        call_f(&r);
        size_t table_at = DATA_AT + r.data.length;
        struct bytes b = finish(&r);
        set(&b, cases[i].at + (cases[i].is_in_table ? table_at : 0), cases[i].value, 8);
        expect(b, NULL, cases[i].messages, cases[i].is_in_table ? ONE_STACK("7", "7") : "");
    }
}

/* In a stream, data may end anywhere; in a file with sizes, not. */
static void data_may_end_early(void **state)
{
    for (int killed = 0; killed < 2; killed++) {
        struct recording r = begin();
        call_f(&r);
        RECORD(&r, AUXTRACE, 0, 0, NO_TRAILER, NULL, 1000);
        put_bytes(&r.data, "the beginning of a trace", 24);
        size_t length = 104 + 8 + 80 + r.data.length;
        struct bytes b = finish(&r);
        b.length = length;
        if (killed)
            set(&b, 48, 0, 8);
        expect(b, NULL,
               killed ? "warning: " WAS_KILLED "warning: " ENDS_AT_336 HAS_TRACE
                      : "error: found the end of the input at byte 352, expected more data\n",
               killed ? ONE_STACK("7", "7") : "");
    }
}

/* What draws a warning is an error with --strict, and nothing is written. */
static void problems_are_errors_if_strict(void **state)
{
    enum { LOSES_RECORDS, LACKS_CHAINS, IS_KILLED, HAS_STRANGE_SAMPLES, COUNT };
    for (int kind = 0; kind < COUNT; kind++) {
        struct recording r = begin();
        struct cg2wg_options options = with_root();
        options.strict = true;
        call_f(&r);
        if (kind == LOSES_RECORDS) {
            RECORD(&r, LOST_SAMPLES, 0, 0, NO_TRAILER, NULL, 1);
        } else if (kind == LACKS_CHAINS) {
            sample(&r, 11, 7, STACK(KERNEL, 0xffff0110, IN_KERNEL, 0xffff0110, (uint64_t)-640, 99));
        } else if (kind == HAS_STRANGE_SAMPLES) {
            free_bytes(&r.data);
            r.events[0].sample_type |= IDENTIFIER;
            r.events[1] = r.events[0];
            r.events[1].id = 12;
            r.event_count = 2;
            r.events[0].id = 404;
            sample(&r, 11, 7, STACK(USER, F, IN_USER, F, MAIN));
            r.events[0].id = 11;
        }
        struct bytes b = finish(&r);
        if (kind == IS_KILLED)
            set(&b, 48, 0, 8);
        static const char *const messages[COUNT] = {
            "error: 1 records were lost while it was recorded\n",
            "error: found no callers in programs of 1 samples, expected a record of them\n",
            "error: " WAS_KILLED,
            "error: found 1 samples of no event, expected none; they are left out\n"};
        expect(b, &options, messages[kind], "");
    }
}

/* Without an event, nobody knows what a sample holds. */
static void samples_need_an_event(void **state)
{
    struct recording r = begin();
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
    expect(finish_pipe(&r), NULL, "error: found a sample at byte 16, expected an event before it\n", "");
}

/* What follows the record of a trace is no record. */
static void a_hardware_trace_is_passed_over(void **state)
{
    struct recording r = begin();
    map_program(&r);
    RECORD(&r, AUXTRACE, 0, 0, NO_TRAILER, NULL, 24);
    put_bytes(&r.data, "what the processor says.", 24);
    sample(&r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
    expect(finish(&r), NULL, HAS_TRACE, ONE_STACK("7", "7"));
}

static void messages_say_what_is_wrong(void **state)
{
    enum { SAMPLE_AT = 104 + 8 + 80 + 72 };
    static const struct {
        size_t at, size;
        uint64_t value;
        const char *message;
    } cases[] = {
        {6, 2, 4, "error: found a record of less than 8 bytes at byte 264, expected 8 or more\n"},
        {6, 2, 0xffff,
         "error: found a record that passes the end of the data at byte 264, expected a shorter one\n"},
        {40, 8, UINT64_MAX,
         "error: found a sample that is too short for what it contains at byte 264, expected a longer one\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct recording r = begin();
        call_f(&r);
        struct bytes b = finish(&r);
        set(&b, SAMPLE_AT + cases[i].at, cases[i].value, cases[i].size);
        expect(b, NULL, cases[i].message, "");
    }
}

/* ---- recognition -------------------------------------------------------------------------- */

static void recordings_are_recognised(void **state)
{
    bool more;
    assert_ptr_equal(frontend_for(text_of_string("PERFILE2"), &more), &perf_frontend);
    assert_ptr_equal(frontend_for(text_of_string("PERFFILE"), &more), &perf_frontend);
    assert_ptr_equal(frontend_for(text_of_string("2ELIFREP"), &more), &perf_frontend);
    assert_null(frontend_for(text_of_string("PERFILE3"), &more));
    assert_ptr_equal(frontend_named("perf"), &perf_frontend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_becomes_rows_and_arcs),
        cmocka_unit_test(an_event_has_the_period),
        cmocka_unit_test(all_fields_are_passed_over),
        cmocka_unit_test(sections_lie_anywhere),
        cmocka_unit_test(version_1_has_names_of_events),
        cmocka_unit_test(a_killed_recording_is_read_to_its_end),
        cmocka_unit_test(a_pipe_has_records_for_sections),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(compressed_records_are_decoded),
        cmocka_unit_test(damaged_compression_is_an_error),
        cmocka_unit_test(expansion_is_bounded),
        cmocka_unit_test(chains_become_stacks),
        cmocka_unit_test(simpleperf_has_taken_one_off_already),
        cmocka_unit_test(an_address_of_another_context_stays),
        cmocka_unit_test(each_context_begins_exactly),
        cmocka_unit_test(the_kernel_may_have_moved),
        cmocka_unit_test(a_table_of_the_kernel_has_addresses),
        cmocka_unit_test(without_a_chain_there_is_one_frame),
        cmocka_unit_test(recursion_counts_once),
        cmocka_unit_test(deferred_chains_are_joined),
        cmocka_unit_test(deferred_chains_are_of_one_thread),
        cmocka_unit_test(nothing_depends_on_the_last_stack),
        cmocka_unit_test(records_are_replayed_by_time),
        cmocka_unit_test(records_of_one_time_stay_in_order),
        cmocka_unit_test(mappings_are_cut),
        cmocka_unit_test(children_have_their_parents_mappings),
        cmocka_unit_test(mappings_agree_with_a_simple_table),
        cmocka_unit_test(threads_and_processes_are_chosen),
        cmocka_unit_test(the_kernels_own_symbols_come_and_go),
        cmocka_unit_test(a_note_says_that_another_event_of_that_kind_has_more),
        cmocka_unit_test(the_first_event_with_samples_is_taken),
        cmocka_unit_test(events_are_chosen_by_name),
        cmocka_unit_test(a_short_name_has_to_be_unique),
        cmocka_unit_test(a_formula_adds_events),
        cmocka_unit_test(unknown_ids_are_left_out),
        cmocka_unit_test(groups_are_weighed_by_their_readings),
        cmocka_unit_test(events_are_listed),
        cmocka_unit_test(recordings_are_merged_before_rounding),
        cmocka_unit_test(symbols_have_ranges),
        cmocka_unit_test(the_best_of_several_symbols_is_taken),
        cmocka_unit_test(a_message_names_some_objects),
        cmocka_unit_test(arm_marks_are_no_functions),
        cmocka_unit_test(odd_addresses_stay),
        cmocka_unit_test(symbols_of_another_build_are_not_taken),
        cmocka_unit_test(readable_names_are_bounded),
        cmocka_unit_test(ids_that_overlap_are_refused),
        cmocka_unit_test(many_names_of_events_are_looked_up),
        cmocka_unit_test(a_file_is_read_once), cmocka_unit_test(files_are_read_up_to_a_sum),
        cmocka_unit_test(names_that_overlap_are_bounded),
        cmocka_unit_test(notes_that_overlap_are_bounded),
        cmocka_unit_test(a_recording_may_lack_callers_in_programs),
        cmocka_unit_test(what_a_recording_lacks_is_reported),
        cmocka_unit_test(copies_of_perf_are_found_by_build_id),
#ifdef __linux__
        cmocka_unit_test(the_vdso_is_that_of_this_process),
#endif
        cmocka_unit_test(mappings_of_data_are_passed_over),
        cmocka_unit_test(made_code_has_a_map),
        cmocka_unit_test(made_code_is_in_any_memory),
        cmocka_unit_test(only_regular_files_are_opened),
        cmocka_unit_test(maps_of_others_are_not_read),
        cmocka_unit_test(nothing_outside_is_read_while_links_change),
        cmocka_unit_test(only_regular_files_below_the_root_are_read),
        cmocka_unit_test(every_damaged_byte_is_read_or_refused),
        cmocka_unit_test(forks_take_no_more_than_they_say),
        cmocka_unit_test(records_may_be_too_short),
        cmocka_unit_test(a_hardware_trace_is_passed_over),
        cmocka_unit_test(messages_say_what_is_wrong),
        cmocka_unit_test(odd_sections_are_no_symbols),
        cmocka_unit_test(many_sections_are_counted_by_the_first),
        cmocka_unit_test(symbols_may_end_beyond_all_addresses),
        cmocka_unit_test(odd_lines_of_the_kernels_table_are_passed_over),
        cmocka_unit_test(other_contexts_are_unknown),
        cmocka_unit_test(samples_may_be_too_short),
        cmocka_unit_test(features_may_end_early),
        cmocka_unit_test(sections_may_be_missing),
        cmocka_unit_test(data_may_end_early),
        cmocka_unit_test(problems_are_errors_if_strict),
        cmocka_unit_test(samples_need_an_event),
        cmocka_unit_test(recordings_are_recognised),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}
