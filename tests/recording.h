/* SPDX-License-Identifier: MIT */
/*
 * A language for recordings of perf, made byte by byte as <linux/perf_event.h> and perf.data-file-format.txt say, and
 * for ELF files; and what becomes of them. The root of their paths is the folder of the test: /srv is taken off.
 */
#ifndef CG2WG_TESTS_RECORDING_H
#define CG2WG_TESTS_RECORDING_H

#include "support.h"

/* ---- bytes -------------------------------------------------------------------------------- */

struct bytes {
    unsigned char *at;
    size_t length;
};

/* Appends the lowest `size` bytes of a number, little-endian. */
void put(struct bytes *b, uint64_t number, size_t size);
void put_bytes(struct bytes *b, const void *bytes, size_t length);
void put_zeros(struct bytes *b, size_t count);
/* Appends zeros up to a multiple of `to`. */
void pad(struct bytes *b, size_t to);
/* Replaces bytes that are there, or reads them. */
void set(struct bytes *b, size_t at, uint64_t number, size_t size);
uint64_t number_at(const struct bytes *b, size_t at);
void free_bytes(struct bytes *b);

/* ---- recordings --------------------------------------------------------------------------- */

/* Fields of samples; modes and flags of records; types of records */
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

/* Flags of events */
#define SAMPLE_ID_ALL (UINT64_C(1) << 18)
#define INHERIT UINT64_C(2)
#define FREQUENCY (UINT64_C(1) << 10)
#define WITHOUT_USER_CHAIN (UINT64_C(1) << 22)

/* Marks in chains */
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
struct recording begin(void);

/* Its sections, of which the events are in the recording. */
void put_attr(struct bytes *b, const struct recorded_event *e, size_t size);
struct bytes *feature(struct recording *r, unsigned bit);
void put_string(struct bytes *b, const char *text);
void name_events(struct recording *r, const char *const *names);
void put_build_id(struct recording *r, const unsigned char *id, const char *name);

/* The head of a record, whose size is set by end_record. */
size_t begin_record(struct recording *r, unsigned type, unsigned misc);
void end_record(struct recording *r, size_t start);

enum { NO_TRAILER = 99 }; /* in place of a time */

void put_record(struct recording *r, unsigned type, unsigned misc, uint32_t pid, uint64_t time, const char *name,
                const uint64_t *words, size_t count);

#define COUNT_WORDS(...) (sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* A record of these words, of a name unless it is NULL, and of a trailer with process and time. */
#define RECORD(r, type, misc, pid, time, name, ...) \
    put_record(r, type, misc, pid, time, name, (const uint64_t[]){__VA_ARGS__}, COUNT_WORDS(__VA_ARGS__))

/* Kernel or user mode, and the chain from the innermost address on. */
struct stack {
    unsigned mode;
    uint64_t ip;
    const uint64_t *chain;
    size_t count;
};

#define STACK(mode, ip, ...)                                                                   \
    (struct stack){mode, ip, (const uint64_t[]){__VA_ARGS__}, COUNT_WORDS(__VA_ARGS__)}

void sample_of(struct recording *r, size_t event, uint32_t pid, uint32_t tid, uint64_t time, uint64_t period,
               struct stack stack);
/* A sample of process 5. */
void sample(struct recording *r, uint64_t time, uint64_t period, struct stack stack);
void map(struct recording *r, uint32_t pid, uint64_t time, uint64_t start, uint64_t length, uint64_t offset,
         const char *name);
/* Where map_program puts the program, with its protection and, unless it is NULL, its build-id. */
void map2(struct recording *r, uint32_t pid, uint64_t time, unsigned protection, const unsigned char *build_id,
          const char *name);
void name_thread(struct recording *r, uint32_t pid, uint32_t tid, uint64_t time, const char *name);
void fork_process(struct recording *r, uint32_t parent, uint32_t child, uint64_t time, unsigned misc);
void kernel_symbol(struct recording *r, uint64_t time, uint64_t address, uint32_t length, unsigned type,
                   unsigned flags, const char *name);
void end_round(struct recording *r);

/* Where sections are: in the usual order, or the events after all else. */
enum layout { USUAL_LAYOUT, EVENTS_LAST, CONTENTS_FIRST };

/* The file's bytes. They take the recording, of which nothing is left. */
struct bytes finish(struct recording *r);
struct bytes finish_as(struct recording *r, enum layout layout);
/* As perf writes it to a pipe: nothing but records. */
struct bytes finish_pipe(struct recording *r);

/* ---- ELF files ---------------------------------------------------------------------------- */

struct symbol {
    const char *name;
    uint64_t value, size;
    unsigned info; /* binding << 4 | type */
    unsigned other;
};

enum { FUNCTION = 0x12, LOCAL_FUNCTION = 0x02, WEAK_FUNCTION = 0x22, LABEL = 0x10, OBJECT = 0x11 };

#define TEXT_AT UINT64_C(0x401000)

extern const unsigned char own_id[20], other_id[20];
extern const struct symbol usual_symbols[3]; /* main, f and g, 0x100 bytes each */

/*
 * An ELF file of which the bytes from 0x1000 on are loaded to TEXT_AT: a note with a build-id, .text, a
 * table of symbols (.symtab, or .dynsym) and its strings.
 */
struct bytes elf(bool is_64, unsigned machine, unsigned table, const unsigned char *id,
                 const struct symbol *symbols, size_t count);
void put_section(struct bytes *b, bool is_64, const uint64_t f[10]);

/* Of a 64-bit file as elf() makes it: where a field of its header, or of one of its sections, is. */
enum { SECTIONS_AT = 40, SECTION_SIZE = 58, SECTION_COUNT = 60, SEGMENT_SIZE = 54 };
enum { TYPE_AT = 4, ADDRESS_AT = 16, OFFSET_AT = 24, SIZE_AT = 32, LINK_AT = 40, ENTRY_SIZE_AT = 56 };

size_t section_field(const struct bytes *b, size_t section, size_t field);

/* ---- files below the root ----------------------------------------------------------------- */

/* Takes the bytes. */
void write_in_root(const char *name, struct bytes b);
void write_text_in_root(const char *name, const char *text);
/* Runs a command with a path below the root. */
void command_in_root(const char *command, const char *name);
void remove_from_root(const char *name);

/* For cmocka: writes the program /srv/prog with the usual symbols. */
int make_program(void **state);

/* Addresses within the functions, where map_program maps the program for process 5 */
#define MAIN UINT64_C(0x7010)
#define F UINT64_C(0x7110)
#define G UINT64_C(0x7210)

void map_program(struct recording *r);
/* The program, and a sample of f, which main has called: ONE_STACK("7", "7"). */
void call_f(struct recording *r);

/* ---- conversions -------------------------------------------------------------------------- */

struct cg2wg_options with_root(void);
/* The same, and a table of the kernel with that text. */
struct cg2wg_options with_kernel(const char *text);

/* Takes the recording, and converts it. Options may be NULL: with_root(). */
struct conversion_result convert(struct bytes recording, const struct cg2wg_options *options);

unsigned open_descriptors(void);

/*
 * Takes the recording, converts it, and compares. Build-ids are known first, or last if it is compressed: the
 * result is the same. No descriptor stays open.
 */
void expect(struct bytes recording, const struct cg2wg_options *options, const char *messages, const char *dump);

/* One sample of 1 at each of the places in /srv/other, from its start on. */
struct bytes sample_places(const uint64_t *places, size_t count);
/* The names of these places in files with these symbols, of 32 and 64 bits, in either table */
void expect_symbols(const struct symbol *symbols, size_t count, const uint64_t *places, size_t place_count,
                    const char *dump);

#define ROW(name, n) "/srv/other " name " line=0 self=" n " incl=" n " inv=" n "\n"

#define HEADERS(total)                      \
    "header: creator: perf\n"               \
    "header: events: page-faults\n"         \
    "header: summary: " total "\n"

#define CALLS(a, b)                                               \
    "/srv/prog " a " line=0 self=0 incl=7 inv=1\n  to " b ":0 x1 =7\n" \
    "/srv/prog " b " line=0 self=7 incl=7 inv=1\n  from " a ":0 x1 =7\n" HEADERS("7")

/* For main and its callees. */
#define ONE_STACK(a, total)                                                              \
    "/srv/prog main line=0 self=0 incl=" a " inv=1\n"                                    \
    "  to f:0 x1 =" a "\n"                                                               \
    "/srv/prog f line=0 self=" a " incl=" a " inv=1\n"                                   \
    "  from main:0 x1 =" a "\n" HEADERS(total)

#define NO_SYMBOLS(objects)                                                                       \
    "warning: no symbols for " objects ": each is one row\n"

#endif
