/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "util/crc32.h"
#include "util/little.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- bytes -------------------------------------------------------------------------------- */

void put(struct bytes *b, uint64_t number, size_t size)
{
    enum { STEP = 1 << 18 }; /* of room, so that memory is not asked for each time */
    if (b->at == NULL || b->length / STEP != (b->length + size) / STEP)
        b->at = realloc(b->at, ((b->length + size) / STEP + 1) * STEP);
    for (size_t i = 0; i < size; i++)
        b->at[b->length++] = (unsigned char)(number >> 8 * i);
}

void put_bytes(struct bytes *b, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put(b, ((const unsigned char *)bytes)[i], 1);
}

void put_zeros(struct bytes *b, size_t count)
{
    while (count-- > 0)
        put(b, 0, 1);
}

void pad(struct bytes *b, size_t to)
{
    put_zeros(b, (to - b->length % to) % to);
}

/* A text with its NUL, filled up to a multiple of 8. */
static void put_name(struct bytes *b, const char *name)
{
    put_bytes(b, name, strlen(name) + 1);
    pad(b, 8);
}

void set(struct bytes *b, size_t at, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        b->at[at + i] = (unsigned char)(number >> 8 * i);
}

uint64_t number_at(const struct bytes *b, size_t at)
{
    uint64_t number = 0;
    for (size_t i = 8; i-- > 0;)
        number = number << 8 | (unsigned char)b->at[at + i];
    return number;
}

void free_bytes(struct bytes *b)
{
    free(b->at);
    *b = (struct bytes){NULL, 0};
}

/* ---- recordings --------------------------------------------------------------------------- */

struct recording begin(void)
{
    return (struct recording){.events = {{1, 2, 1, USUAL, 0, SAMPLE_ID_ALL, 11}}, .event_count = 1, .entry_size = 80};
}

void put_attr(struct bytes *b, const struct recorded_event *e, size_t size)
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

size_t begin_record(struct recording *r, unsigned type, unsigned misc)
{
    size_t start = r->data.length;
    put(&r->data, type, 4);
    put(&r->data, misc, 2);
    put(&r->data, 0, 2);
    return start;
}

void end_record(struct recording *r, size_t start)
{
    set(&r->data, start + 6, r->data.length - start, 2);
}

static void put_words(struct bytes *b, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(b, words[i], 8);
}

/* The words of those fields that an event has */
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

void put_record(struct recording *r, unsigned type, unsigned misc, uint32_t pid, uint64_t time, const char *name,
                const uint64_t *words, size_t count)
{
    size_t record = begin_record(r, type, misc);
    put_words(&r->data, words, count);
    if (name != NULL)
        put_name(&r->data, name);
    if (time != NO_TRAILER)
        put_trailer(r, pid, time);
    end_record(r, record);
}

void sample_of(struct recording *r, size_t event, uint32_t pid, uint32_t tid, uint64_t time, uint64_t period,
               struct stack stack)
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

void sample(struct recording *r, uint64_t time, uint64_t period, struct stack stack)
{
    sample_of(r, 0, 5, 5, time, period, stack);
}

void map(struct recording *r, uint32_t pid, uint64_t time, uint64_t start, uint64_t length, uint64_t offset,
         const char *name)
{
    RECORD(r, MMAP, pid == UINT32_MAX ? KERNEL : USER, pid, time, name, pair(pid, pid), start, length, offset);
}

void map2(struct recording *r, uint32_t pid, uint64_t time, unsigned protection, const unsigned char *build_id,
          const char *name)
{
    unsigned char id[24] = {20};
    if (build_id != NULL)
        memcpy(id + 4, build_id, 20);
    RECORD(r, MMAP2, USER | (build_id != NULL ? 0x4000 : 0), pid, time, name, pair(pid, pid), 0x7000, 0x1000, 0x1000,
           little8(id), little8(id + 8), little8(id + 16), protection);
}

void name_thread(struct recording *r, uint32_t pid, uint32_t tid, uint64_t time, const char *name)
{
    RECORD(r, COMM, 0, pid, time, name, pair(pid, tid));
}

void fork_process(struct recording *r, uint32_t parent, uint32_t child, uint64_t time, unsigned misc)
{
    RECORD(r, FORK, misc, child, time, NULL, pair(child, parent), pair(child, parent), time);
}

void kernel_symbol(struct recording *r, uint64_t time, uint64_t address, uint32_t length, unsigned type, unsigned flags,
                   const char *name)
{
    RECORD(r, KSYMBOL, 0, 0, time, name, address, pair(length, flags << 16 | type));
}

void end_round(struct recording *r)
{
    end_record(r, begin_record(r, ROUND, 0));
}

struct bytes *feature(struct recording *r, unsigned bit)
{
    r->features[r->feature_count].bit = bit;
    return &r->features[r->feature_count++].content;
}

void put_string(struct bytes *b, const char *text)
{
    size_t length = (strlen(text) + 1 + 63) / 64 * 64;
    put(b, length, 4);
    put_bytes(b, text, strlen(text));
    put_zeros(b, length - strlen(text));
}

void name_events(struct recording *r, const char *const *names)
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

void put_build_id(struct recording *r, const unsigned char *id, const char *name)
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

static void put_events(struct recording *r, struct bytes *b, uint64_t ids_at)
{
    for (size_t i = 0; i < r->event_count; i++) {
        put_attr(b, &r->events[i], r->entry_size - 16);
        put(b, ids_at + 8 * i, 8);
        put(b, 8, 8);
    }
}

/* Appends the contents of the features, and keeps where they are. */
static void put_contents(struct recording *r, struct bytes *b, uint64_t *at)
{
    for (size_t i = 0; i < r->feature_count; i++) {
        at[i] = b->length;
        put_bytes(b, r->features[i].content.at, r->features[i].content.length);
    }
}

struct bytes finish_as(struct recording *r, enum layout layout)
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
    if (layout == CONTENTS_FIRST)
        put_contents(r, &b, contents_at);
    data_at = b.length;
    put_bytes(&b, r->data.at, r->data.length);
    table_at = b.length;
    put_zeros(&b, 16 * r->feature_count);
    put(&b, 0xdeadbeef, 8); /* contents need not follow at once */
    if (layout != CONTENTS_FIRST)
        put_contents(r, &b, contents_at);
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

struct bytes finish_pipe(struct recording *r)
{
    struct bytes b = {NULL, 0};
    put_bytes(&b, "PERFILE2", 8);
    put(&b, 16, 8);
    put_bytes(&b, r->data.at, r->data.length);
    free_bytes(&r->data);
    return b;
}

struct bytes finish(struct recording *r)
{
    return finish_as(r, USUAL_LAYOUT);
}

/* ---- ELF files ---------------------------------------------------------------------------- */

const unsigned char own_id[20] = "twenty bytes of id.";
const unsigned char other_id[20] = "of another build   .";

const struct symbol usual_symbols[] = {{"main", TEXT_AT, 0x100, FUNCTION, 0},
                                       {"f", TEXT_AT + 0x100, 0x100, FUNCTION, 0},
                                       {"g", TEXT_AT + 0x200, 0x100, FUNCTION, 0}};

void put_section(struct bytes *b, bool is_64, const uint64_t f[10])
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

struct bytes elf(bool is_64, unsigned machine, unsigned table, const unsigned char *id, const struct symbol *symbols,
                 size_t count)
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

size_t section_field(const struct bytes *b, size_t section, size_t field)
{
    return (size_t)number_at(b, SECTIONS_AT) + 64 * section + field;
}

/* ---- files below the root ----------------------------------------------------------------- */

void write_in_root(const char *name, struct bytes b)
{
    char *path = scratch_path(name);
    write_file(path, b.at, b.length);
    free(path);
    free_bytes(&b);
}

void write_text_in_root(const char *name, const char *text)
{
    char *path = scratch_path(name);
    write_file(path, text, strlen(text));
    free(path);
}

void command_in_root(const char *command, const char *name)
{
    char *path = scratch_path(name), line[1000];
    snprintf(line, sizeof line, "%s '%s'", command, path);
    assert_int_equal(system(line), 0);
    free(path);
}

void remove_from_root(const char *name)
{
    char *path = scratch_path(name);
    unlink(path);
    free(path);
}

void map_program(struct recording *r)
{
    map(r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/prog");
}

void call_f(struct recording *r)
{
    map_program(r);
    sample(r, 10, 7, STACK(USER, F, IN_USER, F, MAIN));
}

int make_program(void **state)
{
    write_in_root("prog", elf(true, 62, 2, own_id, usual_symbols, 3));
    return 0;
}

/* ---- conversions -------------------------------------------------------------------------- */

struct cg2wg_options with_root(void)
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

struct cg2wg_options with_kernel(const char *text)
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

struct conversion_result convert(struct bytes recording, const struct cg2wg_options *options)
{
    struct cg2wg_options usual = with_root();
    struct conversion_result result = convert_bytes(recording.at, recording.length, options != NULL ? options : &usual);
    free_bytes(&recording);
    return result;
}

unsigned open_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 64; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

void expect(struct bytes recording, const struct cg2wg_options *options, const char *messages, const char *dump)
{
    struct bytes forms[] = {recording, packed(recording)};
    for (size_t i = 0; i < 2; i++) {
        unsigned descriptors = open_descriptors();
        check_conversion(convert(forms[i], options), messages, dump);
        assert_int_equal(open_descriptors(), descriptors);
    }
}

struct bytes sample_places(const uint64_t *places, size_t count)
{
    struct recording r = begin();
    map(&r, 5, 0, 0x7000, 0x1000, 0x1000, "/srv/other");
    for (size_t i = 0; i < count; i++)
        sample(&r, 10 + i, 1, STACK(USER, 0x7000 + places[i], IN_USER, 0x7000 + places[i]));
    return finish(&r);
}

void expect_symbols(const struct symbol *symbols, size_t count, const uint64_t *places, size_t place_count,
                    const char *dump)
{
    for (int class = 0; class < 4; class++) {
        write_in_root("other", elf(class % 2 == 0, 62, class / 2 == 0 ? 2 : 11, own_id, symbols, count));
        expect(sample_places(places, place_count), NULL, "", dump);
    }
    remove_from_root("other");
}
