/*
 * The parts of the front end for perf's recordings: the file and its sections (perf.c), what it says of
 * itself and its events (perf_about.c), records in the order of time (perf_records.c), and what becomes of
 * the stacks in the end (perf_result.c).
 *
 * Source of the format: Linux, include/uapi/linux/perf_event.h,
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/perf/event.h.
 */
#ifndef CG2WG_READ_PERF_PERF_READER_H
#define CG2WG_READ_PERF_PERF_READER_H

#include "read/frontend.h"
#include "read/perf/perf_queue.h"
#include "read/perf/perf_spaces.h"
#include "read/perf/perf_stacks.h"
#include "read/perf/files.h"
#include "util/index.h"

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
    RECORD_FIRST_OF_PERF = 64, /* those before it come from the kernel */
    RECORD_ATTR = 64,
    RECORD_TRACING_DATA = 66,
    RECORD_BUILD_ID = 67,
    RECORD_FINISHED_ROUND = 68,
    RECORD_AUXTRACE = 71,
    RECORD_EVENT_UPDATE = 78,
    RECORD_FEATURE = 80,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83
};

enum { MISC_MODE = 7, MODE_KERNEL = 1, MODE_USER = 2, MODE_OTHER = 0 };

enum perf_feature {
    FEATURE_BUILD_ID = 2,
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE = 4,
    FEATURE_VERSION = 5,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURE_AUXTRACE = 18,
    FEATURE_STAT = 19,
    FEATURE_DIR_FORMAT = 24,
    FEATURE_COMPRESSED = 27,
    FEATURE_SIMPLEPERF = 128, /* these are Android's */
    FEATURE_SIMPLEPERF_LAST = 132,
    FEATURE_COUNT = 256
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

/* An event as its perf_event_attr has it. */
struct perf_attr {
    uint32_t type;
    uint64_t config, period, sample_type, read_format;
    bool is_inherited, has_frequency, has_trailers, lacks_user_chain;
    bool counts_samples; /* their periods are not known */
    bool lacks_frames;   /* none of its samples has any, in a text */
    uint32_t name;      /* as recorded; NAME_EMPTY: unknown */
    uint32_t recorded_name; /* by a record of its own */
    uint64_t samples;
    cost_t total; /* of their weights */
};

/* What a counter of a group stood at, by its id and, if it is inherited, the thread. */
struct perf_reading {
    uint64_t id;
    uint32_t tid;
    uint64_t value;
};

struct perf_process {
    struct space space;
    uint32_t epoch;
};

/* An address of a chain, and where it is to be looked up; 0: nowhere. */
struct perf_frame {
    uint64_t address;
    uint32_t epoch; /* of a process or of the kernel: another one after each change of mappings */
};

/*
 * The last stack of a thread, from the outermost frame on, as far as frames have the same epoch. The next
 * stack often begins with the same frames.
 */
struct perf_last_stack {
    struct perf_known_frame {
        uint64_t address;
        uint32_t node;
    } *frames;
    size_t count, capacity;
    uint32_t epoch; /* of all of them */
};

/* A place that was found for a frame. */
struct perf_found {
    struct perf_frame frame;
    uint32_t place;
};

/* A sample whose outer frames come later, with a cookie. */
struct perf_pending {
    size_t places, place_count; /* in pending_places, the innermost first */
    size_t values, value_count; /* in pending_values */
    bool replaces_first;        /* its own address takes the place of the first that comes */
    uint32_t process;
    uint32_t next; /* of the same cookie */
};

struct perf_value {
    uint32_t event;
    cost_t weight;
};

/* The symbols of an object. */
struct perf_table {
    enum {
        PERF_TABLE_UNTRIED,
        PERF_TABLE_LATE,    /* places are offsets; symbols are opened when all has been read */
        PERF_TABLE_OPEN,    /* places are symbols */
        PERF_TABLE_MISSING, /* there are none: all places are one */
        PERF_TABLE_LEFT_OUT /* the same, because there are too many */
    } state;
    struct symbol_table symbols;
};

enum { LAST_STACKS = 16, FOUND_PLACES = 4096 };

/* Objects that are always there. */
enum { OBJECT_UNKNOWN, OBJECT_KERNEL };

struct perf_reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;

    /* The file. */
    uint64_t position;     /* of the record at hand */
    bool is_old;           /* version 1 */
    bool has_exact_chains; /* return addresses have been taken back by one already */

    /* What it says of itself. */
    struct perf_attr *attrs;
    size_t attr_count, attr_capacity;
    struct ids attr_ids; /* events by id */
    uint32_t version, command, host, release; /* NAME_EMPTY: it does not say */
    struct ids build_ids; /* of objects, both in names */
    struct kernel_place {
        uint32_t build_id, anchor; /* in names */
        uint64_t anchor_address;
    } kernel;
    bool knows_build_ids; /* those that the recording has: the others will never be known */
    bool has_trace;       /* of hardware, which is not decoded */

    /* Records. */
    struct perf_queue queue;
    uint64_t lost, unknown_ids, lost_chains;

    /* Processes and threads. */
    struct mappings mappings;
    struct perf_process *processes;
    size_t process_count, process_capacity;
    struct ids process_ids;
    struct ids thread_names; /* in names, by thread */
    struct perf_process kernel_symbols; /* those that have records */
    uint32_t epochs;

    /* Samples. */
    struct perf_reading *readings;
    size_t reading_capacity;
    struct index reading_index;
    struct perf_frame *frames; /* of the sample at hand, the innermost first */
    size_t frame_count, frame_capacity;
    struct perf_value *values; /* of the sample at hand */
    size_t value_count, value_capacity;
    struct perf_last_stack last_stacks[LAST_STACKS];
    struct perf_found *found;
    struct perf_stacks stacks;
    struct symbol_files symbol_files;
    struct perf_table *tables; /* by object */
    size_t table_capacity;
    struct ids pending_ids; /* by cookie, the last that is pending */
    struct perf_pending *pending;
    size_t pending_count, pending_capacity, pending_left;
    uint32_t *pending_places;
    size_t pending_place_count, pending_place_capacity;
    struct perf_value *pending_values;
    size_t pending_value_count, pending_value_capacity;
};

/* All return false, having reported why, on a failure. */

/* Makes a reader, and lets `read` read with it. */
bool perf_with_reader(struct lines *lines, struct builder *builder, struct diag *diag,
                      const struct frontend_options *options, bool (*read)(struct perf_reader *reader));

/* What is there of the input makes no sense: `what` was found at the record at hand. */
bool perf_malformed(struct perf_reader *reader, const char *what, const char *expected);

/* Interns a name of the recording; control bytes in it, which no line can hold, become `?`. */
bool perf_intern(struct perf_reader *reader, struct text text, uint32_t *name);

/* ---- perf_about.c ---- */

/* Takes an event: its perf_event_attr, and its ids, eight bytes each. */
bool perf_take_attr(struct perf_reader *reader, struct text attr, struct text ids);
/* Takes the content of a feature. */
bool perf_take_feature(struct perf_reader *reader, uint64_t feature, struct text content);
/* Takes a record of a build-id, as a feature's content and a pipe have it. */
bool perf_take_build_id(struct perf_reader *reader, struct text record);
/* Takes a record that names an event. */
bool perf_take_event_update(struct perf_reader *reader, struct text record);
/* Takes the names of events that version 1 has. */
bool perf_take_event_types(struct perf_reader *reader, struct text section);
/* At the end: gives names to those events that have none. */
bool perf_name_events(struct perf_reader *reader);

/* ---- perf_records.c ---- */

bool perf_records_init(struct perf_reader *reader);
void perf_records_free(struct perf_reader *reader);
/* Takes a record of the kernel, or the end of a round. */
bool perf_take_record(struct perf_reader *reader, uint32_t type, struct text record);
/* No record follows. */
bool perf_end_records(struct perf_reader *reader);

/* Is a mapping of that name memory that is no file's? What is executed there was made at run time. */
bool perf_is_jit(struct text name);
/* Does the user want samples of that process and thread? The thread's name is in names; NONE: not known. */
bool perf_is_wanted(const struct perf_reader *reader, uint32_t pid, uint32_t tid, uint32_t name);
/* Books a value of a sample at the node of its stack. */
bool perf_book(struct perf_reader *reader, struct perf_value value, uint32_t node);

/* ---- perf_result.c ---- */

/* Makes a profile of all that has been read. */
bool perf_make_profile(struct perf_reader *reader);

#endif
