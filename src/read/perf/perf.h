/*
 * The parts of the front ends for perf:
 *
 *     perf.c          a recording: the file, its sections, and what it says of itself
 *     perf_samples.c  its records in the order of time: processes, threads, samples
 *     perf_script.c   the text of perf script
 *     perf_names.c    which functions places are in (elf.h)
 *     perf_profile.c  stacks of places, and from them a profile of one event
 *
 * Source of the format: Linux, include/uapi/linux/perf_event.h,
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/perf/event.h.
 */
#ifndef CG2WG_READ_PERF_PERF_H
#define CG2WG_READ_PERF_PERF_H

#include "read/frontend.h"
#include "read/perf/elf.h"
#include "util/little.h"

/* Each record has a head: u32 type, u16 misc, u16 size, which counts the head. */
enum { RECORD_HEAD = 8 };

enum perf_record {
    RECORD_MMAP = 1,
    RECORD_LOST = 2,
    RECORD_COMM = 3,
    RECORD_FORK = 7,
    RECORD_SAMPLE = 9,
    RECORD_MMAP2 = 10,
    RECORD_LOST_SAMPLES = 13,
    RECORD_KSYMBOL = 17,
    RECORD_CALLCHAIN_DEFERRED = 22,
    RECORD_ATTR = 64, /* from here on they come from perf, those before from the kernel */
    RECORD_TRACING_DATA = 66,
    RECORD_BUILD_ID = 67,
    RECORD_FINISHED_ROUND = 68,
    RECORD_AUXTRACE = 71,
    RECORD_EVENT_UPDATE = 78,
    RECORD_FEATURE = 80,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83
};

/* Bits of sample_type. */
#define SAMPLE_IP (UINT64_C(1) << 0)
#define SAMPLE_TID (UINT64_C(1) << 1)
#define SAMPLE_TIME (UINT64_C(1) << 2)
#define SAMPLE_ADDR (UINT64_C(1) << 3)
#define SAMPLE_READ (UINT64_C(1) << 4)
#define SAMPLE_CALLCHAIN (UINT64_C(1) << 5)
#define SAMPLE_ID (UINT64_C(1) << 6)
#define SAMPLE_CPU (UINT64_C(1) << 7)
#define SAMPLE_PERIOD (UINT64_C(1) << 8)
#define SAMPLE_STREAM_ID (UINT64_C(1) << 9)
#define SAMPLE_BRANCH_STACK (UINT64_C(1) << 11)
#define SAMPLE_STACK_USER (UINT64_C(1) << 13)
#define SAMPLE_IDENTIFIER (UINT64_C(1) << 16)

/* Of an event's type and config. */
enum { TYPE_HARDWARE = 0, TYPE_SOFTWARE = 1, CPU_CLOCK = 0, TASK_CLOCK = 1, DUMMY = 9 };

/* ---- events and what else a recording says of itself ---------------------------------------- */

/* An event as its perf_event_attr has it. */
struct perf_event {
    uint32_t type;
    uint64_t config, period, sample_type, read_format;
    bool is_inherited, has_frequency, has_trailers, lacks_user_chain;
    bool counts_time;       /* its periods are those of a clock */
    bool counts_samples;    /* their periods are not known */
    uint32_t name;          /* as recorded; NAME_EMPTY: unknown */
    uint32_t recorded_name; /* by a record of its own */
    uint64_t samples, without_frame; /* the latter in a text */
    cost_t total;   /* of their weights */
    int64_t factor; /* how often these count in the profile */
};

/* Numbers without a comment are in names; NAME_EMPTY: it does not say. */
struct perf_about {
    struct diag *diag;
    const struct frontend_options *options;
    struct names *names; /* of the profile */
    uint64_t position;   /* of the record at hand, in bytes; for messages */
    uint64_t decoded_at; /* those from this position on are of decoded records; UINT64_MAX: none are */
    struct perf_event *events;
    size_t event_count, event_capacity;
    struct ids event_ids; /* events by id */
    uint32_t version, command, host, release;
    struct ids build_ids; /* of objects */
    uint32_t kernel_id, kernel_anchor;
    uint64_t kernel_anchor_address;
    bool knows_build_ids;  /* those that the recording has: the others will never be known */
    bool has_exact_chains; /* return addresses have been taken back by one already */
    uint64_t lost, unknown_ids, lost_chains; /* records; samples; samples whose outer frames never came */
};

/* What is there of the input makes no sense: `what` was found at the record at hand. */
_Noreturn void perf_malformed(const struct perf_about *about, const char *what, const char *expected);

/* What of a record or section is to be taken. What would pass its end is 0, or empty; then it stays short. */
struct perf_rest {
    const char *at, *end;
    bool is_short;
};

/* Takes `count` entries of `size` bytes. */
static inline struct text perf_take_array(struct perf_rest *rest, uint64_t count, size_t size)
{
    const char *at = rest->at;
    rest->is_short |= size > 0 && count > (size_t)(rest->end - at) / size;
    if (!rest->is_short)
        rest->at += count * size;
    return (struct text){at, rest->at};
}

/* Takes a number of 4 or 8 bytes. */
static inline uint64_t perf_take(struct perf_rest *rest, size_t size)
{
    struct text bytes = perf_take_array(rest, 1, size);
    return text_is_empty(bytes) ? 0 : size == 4 ? little4(bytes.at) : little8(bytes.at);
}

/* The number of a name of the recording; control bytes in it, which no line can hold, become `?`. */
uint32_t perf_intern(const struct perf_about *about, struct text text);

/* Does the user want samples of that process and thread? The thread's name is in names; NONE: not known. */
bool perf_is_wanted(const struct perf_about *about, uint32_t pid, uint32_t tid, uint32_t name);

/* ---- stacks --------------------------------------------------------------------------------- */

/* Distinct entries, numbered from 0, which index.used counts. Each begins with its key. */
#define PERF_SET(type)      \
    struct {                 \
        struct index index;  \
        type *items;         \
        size_t capacity;     \
    }

/* The number of the entry with the key, which has `length` bytes. It may be new. */
#define PERF_SET_INTERN(set, entry, length) \
    index_intern(&(set)->index, &(set)->items, &(set)->capacity, &(entry), sizeof(entry), length)

#define PERF_SET_FREE(table) (index_free(&(table)->index), memory_free((table)->items))

enum perf_object_kind {
    PERF_FILE,    /* a program or library; places are offsets in the file */
    PERF_JIT,     /* code that process `pid` has made; places are addresses */
    PERF_KERNEL,  /* places are addresses */
    PERF_SPECIAL, /* something without symbols, as [vsyscall]; these and what follows are one place */
    PERF_SYMBOL   /* one function, whose name is known, such as code of the kernel that has a record */
};

struct perf_object {
    enum perf_object_kind kind;
    uint32_t name;     /* in names: a path, or the name of the function */
    uint32_t build_id; /* in names, as bytes; NAME_EMPTY: not known by the mapping */
    uint32_t pid;      /* of JIT code */
    uint32_t within;   /* of one function: its object, in names */
};

/* Objects that are always there. The first is what is outside every mapping. */
enum { OBJECT_UNKNOWN, OBJECT_KERNEL };

struct perf_place {
    uint64_t offset; /* or the symbol's number, if it is known; 0 where all places of the object are the same */
    uint32_t object;
};

struct perf_node {
    uint32_t parent; /* the caller's, or NONE; before this one */
    uint32_t place;
};

/* The samples of one event that end at a node. */
struct perf_sum {
    uint32_t node, event;
    uint64_t count;
    cost_t weight;
};

/*
 * Stacks as they are sampled, each distinct one once: a tree of places. A node is all samples that came by one
 * path from the outermost frame. Which function a place is in may be known only when all has been read.
 */
struct perf_stacks {
    PERF_SET(struct perf_object) objects;
    PERF_SET(struct perf_place) places;
    PERF_SET(struct perf_node) nodes;
    PERF_SET(struct perf_sum) sums;
    uint64_t too_large; /* samples of a period that does not fit a cost */
};

/* The number of the object, or the node, which may be new. */
uint32_t perf_object(struct perf_stacks *stacks, struct perf_object object);
uint32_t perf_node(struct perf_stacks *stacks, struct perf_node node);

/* Adds a sample of an event, with its weight, to the node of its stack. */
void perf_book(struct perf_stacks *stacks, uint32_t node, uint32_t event, uint64_t weight);

/* ---- from places to the profile --------------------------------------------------------------- */

/* By place: the names of the function and of its object. */
struct perf_symbol {
    uint32_t name, object;
};

struct perf_names;

/*
 * Prepares to read an input. Nothing of it may move from now on. There are no symbols so far. Names of objects and
 * symbols are added to those of `about`.
 */
struct perf_names *perf_begin(struct perf_about *about, struct perf_stacks *stacks, struct builder *builder,
                              struct diag *diag, const struct frontend_options *options);

/* Is a mapping of that name memory that is no file's? What is executed there was made at run time. */
bool perf_is_jit(struct text name);

/*
 * The number of a place, which may be new. Opens the symbols of its object, unless it has to be known first which they
 * are, as by a build-id that may follow. If they are open, it becomes the place of the symbol. So there are no more
 * places, and stacks of them, than functions.
 */
uint32_t perf_place(struct perf_names *names, struct perf_place place);

/* The symbols of all places i of which is_used[i] is set. Warns of objects without symbols. */
struct perf_symbol *perf_find_symbols(struct perf_names *names, const bool *is_used);

/* Makes a profile of all that has been read, or the list of events, if that is wanted. Frees stacks and names. */
void perf_make_profile(struct builder *builder, const struct perf_about *about, struct perf_stacks *stacks,
                       struct perf_names *names);

struct perf_samples;

struct perf_samples *perf_samples_new(struct perf_about *about, struct perf_stacks *stacks, struct perf_names *names);

/* Adds a record of the kernel, or the end of a round. */
void perf_add_record(struct perf_samples *samples, uint32_t type, struct text record);

/* No record follows. Frees the samples. */
void perf_end_records(struct perf_samples *samples);

#endif
