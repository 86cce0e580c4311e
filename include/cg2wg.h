/* SPDX-License-Identifier: MIT */
/*
 * cg2wg: reads profiles in the callgrind or cachegrind text format, recordings of perf and reports of aprof, and
 * converts them to webgrind's preprocessed formats. docs/library.md has small programs.
 *
 * Several threads may call the library at once, each with 256 KB of stack. It never exits, and prints nothing unasked.
 * Between calls, it keeps only a secret number for its hashes and what cg2wg_load has returned. While it writes its
 * output, it blocks the signals that would end the process, in the calling thread; while it works, SIGXFSZ, but not in
 * the callback of cg2wg_read. It may start threads, which block all signals, and child processes, which have all ended
 * when the call returns; if SIGCHLD is ignored, a call that needs a child process fails.
 *
 * Callbacks may call the library. They must return, not throw nor leave by longjmp, or threads, files and blocked
 * signals stay behind.
 *
 * Structs of the caller begin with their size, as the caller was compiled. New members are added at their end, and zero
 * is their default; if one is set that an older library does not know, the result is CG2WG_MISUSE. Those that the
 * library makes and passes by address (cg2wg_message, cg2wg_progress, cg2wg_event, cg2wg_profile) get new members at
 * the end, too. Elements of arrays and what is a member of another struct (cg2wg_bytes, cg2wg_samples, cg2wg_patterns)
 * never change.
 *
 * The locale changes nothing but the system's reasons in messages ("No such file or directory").
 */
#ifndef CG2WG_H
#define CG2WG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(default)
#endif

/* The version that a program was compiled with: as a text, and as major * 10000 + minor * 100 + patch, to compare. */
#define CG2WG_VERSION "1.0.0"
#define CG2WG_VERSION_NUMBER 10000

/* The number of the library that the program runs with. */
unsigned cg2wg_version(void);

/* Callbacks must not throw. Before C++17, this is not a part of their types. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define CG2WG_NOEXCEPT noexcept
#else
#define CG2WG_NOEXCEPT
#endif

/* The versions of webgrind's preprocessed format, and the one that the current webgrind reads. */
enum { CG2WG_FORMAT_OLDEST = 4, CG2WG_FORMAT_NEWEST = 7, CG2WG_FORMAT_DEFAULT = 7 };

/* What distinguishes functions. */
enum cg2wg_identity {
    CG2WG_IDENTITY_AUTO, /* NAME in Xdebug's profiles, OBJECT in all others */
    CG2WG_IDENTITY_NAME,
    CG2WG_IDENTITY_FILE,  /* file and name */
    CG2WG_IDENTITY_OBJECT /* object (program or library), file and name */
};

/* What a record (an `fn=` line and the lines that belong to it) is. */
enum cg2wg_records {
    CG2WG_RECORDS_AUTO,        /* INVOCATIONS in Xdebug's profiles, SUMS in all others */
    CG2WG_RECORDS_INVOCATIONS, /* one invocation, written when it returned */
    CG2WG_RECORDS_SUMS         /* a part of the sums over all invocations of the function */
};

/* The total that percentages are relative to. */
enum cg2wg_summary {
    CG2WG_SUMMARY_AUTO,     /* COMPUTED in cg2wg_print, otherwise FILE */
    CG2WG_SUMMARY_COMPUTED, /* the sum of the self costs */
    CG2WG_SUMMARY_FILE      /* the input's own, computed only if it has none */
};

/* What the inclusive cost of a function or call arc counts. */
enum cg2wg_inclusive {
    CG2WG_INCLUSIVE_AUTO,     /* OUTERMOST for aprof's reports, perf's recordings, and in cg2wg_print; otherwise SUM */
    CG2WG_INCLUSIVE_SUM,      /* all invocations and calls, as in webgrind */
    CG2WG_INCLUSIVE_OUTERMOST /* those that do not run inside another of the same */
};

/* Does the program c++filt make names of C++ and Rust readable? */
enum cg2wg_demangle {
    CG2WG_DEMANGLE_AUTO,   /* if it exists */
    CG2WG_DEMANGLE_ALWAYS, /* yes; an error if it does not exist and a name needs it */
    CG2WG_DEMANGLE_NEVER
};

/* Special divisors; any other number divides all costs. */
#define CG2WG_SCALE_AUTO UINT64_C(0) /* the smallest power of ten that makes all costs fit */
#define CG2WG_SCALE_NONE UINT64_C(1) /* a cost that does not fit 32 bits is written as 2^32 - 1 */

enum cg2wg_severity { CG2WG_NOTE, CG2WG_WARNING, CG2WG_ERROR };

/* The member of cg2wg_options or cg2wg_view that a message is about: it causes the problem, or may solve it. */
enum cg2wg_member {
    CG2WG_MEMBER_NONE,
    CG2WG_MEMBER_OVERWRITE,        /* what is in the way is not replaced */
    CG2WG_MEMBER_IDENTITY,         /* NAME may be better */
    CG2WG_MEMBER_SUMMARY,          /* COMPUTED may be better */
    CG2WG_MEMBER_SUMMARY_COMPUTED, /* what COMPUTED does was done; without a message, if it is set */
    CG2WG_MEMBER_PROXIES,          /* one of them has no effect */
    CG2WG_MEMBER_SAMPLES_NAMES,    /* the input, or each of its parts, lacks what this and the next five choose */
    CG2WG_MEMBER_SAMPLES_PIDS,
    CG2WG_MEMBER_SAMPLES_TIDS,
    CG2WG_MEMBER_SAMPLES_PARTS,
    CG2WG_MEMBER_SAMPLES_ROOT,
    CG2WG_MEMBER_SAMPLES_KERNEL_TABLE,
    CG2WG_MEMBER_SAMPLES_SYMBOLS, /* root or kernel_table may find what is missing */
    CG2WG_MEMBER_HIDE,            /* one of them has no effect */
    CG2WG_MEMBER_FAIL_ABOVE,      /* the input lacks what it needs */
    CG2WG_MEMBER_TOP,             /* a smaller number prints less */
    CG2WG_MEMBER_MIN,             /* a larger number prints less */
    CG2WG_MEMBER_EVENT,           /* another one may be better, such as one in quotes in the message */
    CG2WG_MEMBER_ESTIMATE,        /* the input has no stacks, which can be estimated */
    CG2WG_MEMBER_INCLUSIVE        /* SUM may be better */
};

/* A message about an input, an output or the system. */
struct cg2wg_message {
    enum cg2wg_severity severity;
    const char *file; /* the file that it is about, or NULL */
    uint64_t line;    /* the line in that file, from 1; 0: none */
    const char *text; /* one line of printable UTF-8: what is wrong, what to do */
    enum cg2wg_member member;
};

/* Called for each message, which is valid until it returns; by one thread at a time, which need not be the caller's. */
typedef void cg2wg_report_fn(void *user, const struct cg2wg_message *message) CG2WG_NOEXCEPT;

enum cg2wg_stage {
    CG2WG_READING,
    CG2WG_WRITING,
    CG2WG_PRINTING /* called once, before cg2wg_print prints; the result does not matter */
};

/* How far a conversion has come. */
struct cg2wg_progress {
    enum cg2wg_stage stage;
    uint64_t done;  /* bytes taken from the files of the inputs, or written to the output */
    uint64_t total; /* what `done` will be at the end of the stage; 0: unknown (a pipe) */
};

/*
 * Called at most once for each block that is read or written. Within a stage, `done` never decreases; it may exceed
 * `total` if an input grows. Any thread may call it, also while `report` runs, but never two at the same time. If it
 * returns false, the conversion ends with an error: CG2WG_FAILED.
 */
typedef bool cg2wg_progress_fn(void *user, const struct cg2wg_progress *progress) CG2WG_NOEXCEPT;

/*
 * For recordings: which samples count, and where symbols are. For callgrind files with several parts: which of them
 * count, by their headers `pid:`, `thread:` and `part:`. Setting what the input would ignore is an error.
 */
struct cg2wg_samples {
    const char *const *names; /* only those of threads with one of these names; none given: all */
    size_t name_count;
    const uint32_t *pids; /* only those of these processes */
    size_t pid_count;
    const uint32_t *tids; /* only those of these threads */
    size_t tid_count;
    const uint32_t *parts; /* only these parts */
    size_t part_count;
    const char *root;         /* the folder to look for symbols in, as if it were /; NULL: / itself */
    const char *kernel_table; /* the kernel's symbols, a file like /proc/kallsyms; NULL: as recorded */
};

/*
 * Called when a regular output is complete, before it appears under its name, to make what must be there first.
 * `written`: the file that has its bytes until then. `is_listed`: see cg2wg_stats. Meanwhile, the signals are blocked
 * by which other processes end this one.
 */
typedef void cg2wg_complete_fn(void *user, const char *output, const char *written, bool is_listed) CG2WG_NOEXCEPT;

struct cg2wg_options {
    size_t size;     /* of this struct; set by cg2wg_options_init */
    unsigned format; /* 4 to 7 */
    enum cg2wg_identity identity;
    enum cg2wg_records records;
    enum cg2wg_summary summary;
    enum cg2wg_inclusive inclusive;
    enum cg2wg_demangle demangle;
    struct cg2wg_demangling *demangling; /* for the program cg2wg itself; all others leave it NULL */
    uint64_t scale;                      /* a divisor for all costs, at most 10^18, or one of the special ones above */
    bool strict;                         /* a problem of the input is an error, not a warning */
    bool overwrite;                      /* the output may replace any file; see cg2wg_convert */

    /*
     * Others may make files in the folders of inputs and output. So an input that is not a regular file, or that is
     * another user's link in a folder like /tmp, is an error; an output that is a link, a pipe or a device is replaced.
     */
    bool shared_folders;

    unsigned threads; /* that read an input at the same time; two are of use; 0: chosen automatically */

    /* Texts and arrays are borrowed. */
    const char *input_format; /* "callgrind", "aprof", "perf", "perf-script", "folded" or "preprocessed"; NULL: any */
    const char *event; /* a name, a formula over names (`Ir + 10 Bcm`), or `NAME = FORMULA`; NULL: the input's first */
    const char *title; /* what webgrind shows above the profile; NULL: the command that was profiled */

    /* Functions to step over: each of their calls is replaced by the one that it made. With `*` or `?`: a pattern. */
    const char *const *proxies;
    size_t proxy_count;
    size_t expected_proxy_count; /* the first N produce a warning each if they match nothing */

    struct cg2wg_samples samples;

    cg2wg_report_fn *report; /* this and the next two may be NULL */
    cg2wg_progress_fn *progress;
    cg2wg_complete_fn *complete; /* of cg2wg_convert and cg2wg_convert_all */
    void *user;                  /* passed to all of them */
};

/* The numbers are also the exit statuses of the program. */
enum cg2wg_status {
    CG2WG_OK,
    CG2WG_FAILED, /* the input is not a profile, or the system failed; reported */
    CG2WG_MISUSE  /* an argument, or a member that it has, is not valid, whatever the inputs are; reported */
};

/* The caller sets the size: struct cg2wg_stats stats = {sizeof stats}. */
struct cg2wg_stats {
    size_t size;
    uint64_t bytes;      /* of input, decoded */
    uint64_t lines;      /* of input, decoded; of a recording, records */
    uint64_t slow_lines; /* lines without a usual form, which take longer; in some formats, all */
    uint64_t functions;  /* rows of the output */
    uint64_t arcs;       /* call arcs: distinct (caller, callee, line) */
    uint64_t warnings;
    bool is_listed; /* webgrind finds a title for its list in the last input, which is no recording or report */
};

/* Sets the defaults: format 7, everything else automatic or off. `size`: sizeof *options. */
void cg2wg_options_init(struct cg2wg_options *options, size_t size);

/*
 * Reads the profile `input` and writes it to `output`, in the version options->format. "-" is standard input or
 * standard output. Input that begins like the output of gzip, zstd, xz or bzip2 is decoded; the last three need that
 * program in the PATH. On Windows these three are rejected, and paths are in UTF-8. Truncated gzip data are read up to
 * where they can be decoded, like a plain file of the same bytes.
 *
 * A regular output file appears under its name, complete, when the function returns CG2WG_OK; with any other result,
 * nothing has changed. Other outputs (pipes, devices, /dev/fd/1 and the like) receive the bytes as they are written.
 * Unless options->overwrite is set, a regular file is replaced only if it is empty or begins like a preprocessed file
 * (see cg2wg_format_of); this is checked before reading the input, and again just before replacing the file. It
 * gets no permissions that an input, if that is a regular file with a name, does not have, and no more readers than any
 * file of symbols or source whose content it has.
 *
 * Returns CG2WG_MISUSE if an argument is not valid, if input and output are the same file, or if the output is a
 * terminal or a file that is not replaced. Returns CG2WG_FAILED for all other errors. The last reported message is then
 * an error that gives the reason, unless options->size is wrong. `options` may be NULL, which stands for the defaults,
 * here and below; so may `stats`, which is filled only if the result is CG2WG_OK.
 */
enum cg2wg_status cg2wg_convert(const char *input, const char *output, const struct cg2wg_options *options,
                                struct cg2wg_stats *stats);

/*
 * The same with `count` inputs (at least 1), which are merged: functions by identity, sums added, header lines in
 * order. An input may also be a preprocessed file of version 5, 6 or 7. Each must have the event, otherwise the result
 * is CG2WG_FAILED. An input that is given twice, or as X and X.webgrind, is a problem of the input: see `strict`.
 */
enum cg2wg_status cg2wg_convert_all(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options, struct cg2wg_stats *stats);

/* An event of an input. Texts end with a NUL and are valid until the callback returns. */
struct cg2wg_event {
    const char *name;
    const char *formula;   /* NULL: the event is measured, not computed */
    const char *long_name; /* NULL: none */
    int64_t total;         /* over the self costs */
};

/* A part of a callgrind file, or a thread of a recording. A number is -1 if it has no such header, or is unknown. */
struct cg2wg_part {
    int64_t part, pid, thread;
    const char *trigger; /* of the dump: the value of `desc: Trigger:`; of a thread, its name; or NULL */
    int64_t total;       /* of the first event, over the self costs */
};

/*
 * Reads `input` and calls `list` for each of its events, in order, those with formulas last.
 * Returns the same as cg2wg_convert.
 */
enum cg2wg_status cg2wg_list_events(const char *input, const struct cg2wg_options *options,
                                    void (*list)(void *user, const struct cg2wg_event *event) CG2WG_NOEXCEPT,
                                    void *user);

/* The same, and then calls `list_part` for each part of a callgrind file, or thread, if their numbers differ. */
enum cg2wg_status cg2wg_list_parts(const char *input, const struct cg2wg_options *options,
                                   void (*list)(void *user, const struct cg2wg_event *event) CG2WG_NOEXCEPT,
                                   void (*list_part)(void *user, const struct cg2wg_part *part) CG2WG_NOEXCEPT,
                                   void *user);

/* Bytes, any of which may be NUL. */
struct cg2wg_bytes {
    const char *at;
    size_t length;
};

/* The costs of all calls of a function whose input had one size, from aprof's reports. -1: the report lacks it. */
struct cg2wg_size_cost {
    uint32_t function; /* its number in cg2wg_profile */
    uint64_t size, calls;
    int64_t sum;                /* their inclusive costs */
    int64_t outermost;          /* the same without calls that ran inside another of the function */
    int64_t self;               /* their self costs */
    int64_t min, max;           /* the inclusive cost of one call */
    int64_t self_min, self_max; /* the self cost of one call */
    /* The part of their input that came from system calls and from other threads. */
    int64_t syscall_input, thread_input;
    int64_t self_syscall_input, self_thread_input; /* without that of callees */
};

struct cg2wg_function {
    struct cg2wg_bytes name, file, object; /* empty: unknown */
    struct cg2wg_bytes mangled_name;       /* empty if the input has none */
    uint32_t line;                         /* where its cost begins; 0: unknown */
    int64_t self, inclusive;
    uint64_t invocations;                /* of a recording of samples: the samples that contain it */
    const struct cg2wg_size_cost *sizes; /* by size, each size once; NULL if there are none */
    size_t size_count;
};

/* All calls that `caller` makes to `callee` from one line. Functions are numbered from 0. */
struct cg2wg_arc {
    uint32_t caller, callee, line;
    uint64_t calls;
    int64_t cost; /* inclusive */
};

#define CG2WG_NO_CONTEXT UINT32_MAX

/* A calling context: all calls of a function that were made along one path of callers. */
struct cg2wg_context {
    uint32_t function;
    uint32_t parent; /* the context of its callers; CG2WG_NO_CONTEXT: it is a root */
    uint64_t calls;  /* invocations; of a recording of samples: the samples that contain it */
    int64_t self, inclusive;
};

#define CG2WG_NO_FUNCTION UINT32_MAX

/* What a line of a function costs by itself or, for each function that it calls, in calls of that. */
struct cg2wg_line {
    uint32_t function;
    uint32_t callee;         /* CG2WG_NO_FUNCTION: the cost is a self cost */
    uint32_t line;           /* 0: unknown */
    struct cg2wg_bytes file; /* of the code, which may be inlined into the function from another file */
    uint64_t calls;
    int64_t cost; /* of calls: inclusive */
};

/* What an input contains, in the order of the input. Costs are exact, in the unit of the event. */
struct cg2wg_profile {
    struct cg2wg_bytes event;   /* empty: the input does not say */
    struct cg2wg_bytes headers; /* lines `key: value`, each with a newline, as a preprocessed file has them */
    int64_t total;
    const struct cg2wg_function *functions;
    size_t function_count;
    const struct cg2wg_arc *arcs;
    size_t arc_count;
    /*
     * Each context is followed by all contexts below it, so a parent's number is smaller. Children may be in any order,
     * and several of one function. Self costs add up to the function's. A function that is stepped over is a root.
     */
    const struct cg2wg_context *contexts;
    size_t context_count;
    bool has_contexts;              /* if not, they were not wanted, or the input has only sums over all calls */
    struct cg2wg_bytes measure;     /* what the sizes of functions are; empty: the input does not say */
    const struct cg2wg_line *lines; /* if they are wanted; each with its function, callee, file and number once */
    size_t line_count;
};

/* Flags of cg2wg_load and cg2wg_read. */
enum {
    CG2WG_WANTS_CONTEXTS = 1, /* the calling contexts, too */
    CG2WG_WANTS_LINES = 2     /* lines, too; for a recording, the program addr2line or eu-addr2line finds them */
};

/*
 * Reads `input`, of any format. A preprocessed file is taken as it is, whatever options say; it only must have their
 * event. Returns its contents, which are valid until cg2wg_free and may be used by any thread; NULL: it has failed, and
 * an error is reported.
 */
const struct cg2wg_profile *cg2wg_load(const char *input, const struct cg2wg_options *options, unsigned flags);

/* Frees what cg2wg_load has returned, which may be NULL. Any thread may do so, once. */
void cg2wg_free(const struct cg2wg_profile *profile);

/*
 * Reads `input` likewise, and calls `take` with its contents, which are valid until it returns. Returns CG2WG_OK if
 * `take` was called; otherwise as cg2wg_convert.
 */
enum cg2wg_status cg2wg_read(const char *input, const struct cg2wg_options *options, unsigned flags,
                             void (*take)(void *user, const struct cg2wg_profile *profile) CG2WG_NOEXCEPT, void *user);

/*
 * The version of the preprocessed file that begins with these bytes; 0: it is none. 16 bytes are enough. Fewer may be
 * a truncated file: then a version, or the start of one, is sufficient.
 */
unsigned cg2wg_format_of(const void *bytes, size_t length);

/*
 * Does a file that begins with these bytes look like a profile of any format that is read, compressed or not? 4096
 * bytes are usually enough; fewer may be a whole file.
 */
bool cg2wg_is_profile(const void *bytes, size_t length);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
