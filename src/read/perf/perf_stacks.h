/* SPDX-License-Identifier: MIT */
/*
 * What all parts of the front ends for perf share: what an input says of itself, and the stacks of its samples.
 *
 * Source of the format: Linux, include/uapi/linux/perf_event.h,
 * tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/perf/event.h.
 */
#ifndef CG2WG_READ_PERF_PERF_STACKS_H
#define CG2WG_READ_PERF_PERF_STACKS_H

#include "read/frontend.h"
#include "util/index.h"

/* Values of an event's type and config. */
enum { TYPE_HARDWARE = 0, TYPE_SOFTWARE = 1, CPU_CLOCK = 0, TASK_CLOCK = 1, DUMMY = 9 };

/* An event as its perf_event_attr has it. */
struct perf_event {
    uint32_t type;
    uint64_t config, period, sample_type, read_format;
    bool is_inherited, has_frequency, has_trailers, lacks_user_chain;
    bool counts_time;    /* its periods are those of a clock */
    bool counts_samples; /* each sample counts 1: periods are not known */
    uint32_t name;       /* as recorded; NAME_EMPTY: unknown */
    uint32_t shown;      /* the name with its unit */
    uint64_t samples;
    uint64_t without_frame; /* samples without one, in a text of perf script */
    cost_t total;           /* of the samples' weights */
    int64_t factor;         /* how often the weights count in the profile */
};

/* ---- stacks --------------------------------------------------------------------------------- */

enum perf_object_kind {
    PERF_FILE, /* a program or library */
    PERF_JIT,  /* code that process `pid` has made */
    PERF_KERNEL,
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
    union {
        uint64_t at;     /* an offset in a file, or an address in memory */
        uint64_t symbol; /* its number, if symbols are known early and lines are not wanted */
        struct {
            uint32_t line, file; /* of source, in an object that is one place; the latter in names; 0: unknown */
        };
    };
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

/* When a sample was taken, in nanoseconds. */
struct perf_moment {
    uint64_t time;
    uint32_t tid, name; /* of the thread */
    uint32_t node, event;
    uint32_t order; /* set by perf_make_timeline */
};

/* A thread, or a process, if rows are these: the outermost frame of its stacks. */
struct perf_root {
    uint32_t pid, tid; /* the latter: of a process, the same */
    uint32_t name;     /* the last one, of a process that of its first thread, in names; NAME_EMPTY: not known */
    uint32_t object, node;
};

/* Stacks as sampled: a tree. A node is all samples by one path. Functions may be known when all has been read. */
struct perf_stacks {
    SET(struct perf_root) threads;
    SET(struct perf_object) objects;
    SET(struct perf_place) places;
    SET(struct perf_node) nodes;
    SET(struct perf_sum) sums;
    struct perf_moment *moments; /* of every `step`th sample */
    size_t moment_count, moment_capacity;
    uint64_t step, noted; /* step 0: nobody wants to know */
    uint64_t too_large;   /* samples of a period that does not fit a cost */
};

/* ---- the input ------------------------------------------------------------------------------ */

/* Numbers without a comment are in names; NAME_EMPTY: it does not say. */
struct perf_about {
    struct diag *diag;
    const struct frontend_options *options;
    struct names *names; /* of the profile */
    bool lacks_callers;  /* as the profile's */
    uint64_t position;   /* of the record at hand, in bytes; for messages */
    uint64_t decoded_at; /* bytes from this position on are those of decoded records; UINT64_MAX: none are */
    struct perf_event *events;
    size_t event_count, event_capacity;
    struct ids event_ids;   /* numbers of events, by id */
    const char *creator;    /* "perf", or what else the input is */
    const char *says_lines; /* what would say which lines of source frames are at */
    uint32_t version, command, host, release;
    struct ids build_ids; /* build-ids of objects, by name */
    uint32_t kernel_id, kernel_anchor;
    uint64_t kernel_anchor_address;
    struct ids wanted[3];  /* numbers of threads' names, processes, threads; empty: any are */
    bool knows_build_ids;  /* all build-ids of the recording have been read: no others will follow */
    bool wants_lines;      /* lines of source are wanted */
    enum cg2wg_group by;   /* THREAD, PROCESS: stacks begin with these */
    bool is_by_simpleperf; /* chains have the addresses of calls, also in files of interpreted code, which are data */
    uint32_t other;        /* the first thread whose samples are not wanted */
    uint64_t lost;         /* records that were lost during the recording */
    uint64_t unknown_ids;  /* samples and readings whose id no event has */
    uint64_t lost_chains;  /* samples whose outer frames never came */
    struct perf_stacks stacks;
    struct perf_names *symbols; /* of places; set by perf_names_begin */
    struct perf_symbol *found;  /* by place, if several events are wanted, which have all of them */
};

/* Says that `what` was found at the record at hand, which makes no sense. perf_expect does so unless all is well. */
_Noreturn void perf_malformed(const struct perf_about *about, const char *what, const char *expected);
static inline void perf_expect(const struct perf_about *about, bool is_well, const char *what, const char *expected)
{
    if (!is_well)
        perf_malformed(about, what, expected);
}

/* The number of a name of the recording; control bytes in it, which no line can hold, become `?`. */
uint32_t perf_intern(struct perf_about *about, struct text text);

/* Cuts off `+0xOFFSET` after a name. */
static inline void perf_cut_offset(struct text *name)
{
    struct text start = *name, digits = text_take_end(&start, char_is_hex);
    if (!text_is_empty(digits) && text_ends(start, "+0x"))
        name->end = start.end - 3;
}

/* Does the user want samples of that process and thread? The thread's name is in names; NONE: not known. */
bool perf_is_wanted(struct perf_about *about, uint32_t pid, uint32_t tid, uint32_t name);

/* The number of the object, or the node, which may be new. */
static inline uint32_t perf_object(struct perf_stacks *stacks, struct perf_object object)
{
    return SET_INTERN(&stacks->objects, object, sizeof object);
}

static inline uint32_t perf_node(struct perf_stacks *stacks, struct perf_node node)
{
    return SET_INTERN(&stacks->nodes, node, sizeof node);
}

/* Where stacks of a thread begin: at a node, or NONE. Its name is NONE if it is not known. */
uint32_t perf_root(struct perf_about *about, uint32_t pid, uint32_t tid, uint32_t name);

/* The name of a thread with its numbers; UINT32_MAX: not known. */
uint32_t perf_thread_name(struct perf_about *about, uint32_t name, uint32_t pid, uint32_t tid);

/* Adds samples of an event, with their weight, to the node of their stack; notes the moment, unless the time is 0. */
void perf_book(struct perf_stacks *stacks, struct perf_moment moment, uint64_t count, uint64_t weight);

/* Makes a timeline of moments, with the context of each node. */
void perf_make_timeline(struct timeline *timeline, struct perf_about *about, const struct contexts *contexts,
                        const uint32_t *context_of);

/* Prepares to read an input. Names of objects and symbols are added to those of the profile. */
struct perf_about *perf_begin(struct builder *builder, const struct frontend_options *options);

/* Makes a profile of all that has been read, or the list of events, if that is wanted. Frees the stacks. */
void perf_make_profile(struct builder *builder, struct perf_about *about);

/* If several events are wanted, perf_make_profile keeps what this makes profiles of: see struct frontend. */
void perf_take_event(void *state, size_t event, struct builder *builder, const struct frontend_options *options);

/* ---- perf_names.c: which functions and lines places are in ---------------------------------- */

/* By place: the names of the function and of its object; and of the source, which may be inlined code. */
struct perf_symbol {
    uint32_t name, object;
    uint32_t file, line; /* NAME_EMPTY and 0: not known, or not wanted */
};

/* What perf_begin ends with. */
void perf_names_begin(struct perf_about *about);

/* Takes FILE:LINE, with what may follow it. False: it is nothing like it. It may say that the line is not known. */
bool perf_take_line(struct perf_about *about, struct text text, struct perf_symbol *symbol);

/* The name of a module of the kernel: `[snd_pcm]`, also of /lib/modules/6.1.0/kernel/sound/core/snd-pcm.ko.xz. */
uint32_t perf_module(struct perf_about *about, struct text path);

/* Is a mapping of that name memory that is no file's? What is executed there was made at run time. */
bool perf_is_jit(struct text name);

/*
 * The number of a place, which may be new. Opens the symbols of its object, unless it has to be known first which they
 * are, as by a build-id that may follow. If they are open, it becomes the place of the symbol. So there are no more
 * places, and stacks of them, than functions; unless lines are wanted.
 */
uint32_t perf_place(struct perf_about *about, struct perf_place place);

/* The symbols of all places i of which is_used[i] is set; NULL: of all. Warns of objects without symbols. */
struct perf_symbol *perf_find_symbols(struct perf_about *about, const bool *is_used);

#endif
