/*
 * cg2wg: converts profiles in the callgrind or cachegrind text format, and reports of aprof, to
 * webgrind's preprocessed binary formats. This is the whole public interface of the library; the
 * program is one user of it.
 *
 * The library keeps no state between calls and has no writable globals; calls may run in several
 * threads at once. It never exits and prints nothing. While it writes its output it blocks, in the
 * calling thread, the signals that would end the process. It may start threads, to read a large
 * input, to decode gzip or to feed a decoder, or a child process, to decode zstd, xz or bzip2; threads
 * block all signals, and all are gone when it returns. How such a process has ended cannot be learnt
 * where SIGCHLD is ignored: then the call fails.
 */
#ifndef CG2WG_H
#define CG2WG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CG2WG_VERSION "1.0.0"

/* The versions of webgrind's preprocessed format, and the one that today's webgrind reads. */
enum { CG2WG_FORMAT_OLDEST = 4, CG2WG_FORMAT_NEWEST = 7, CG2WG_FORMAT_DEFAULT = 7 };

/* What makes two functions the same one. */
enum cg2wg_identity {
    CG2WG_IDENTITY_AUTO,  /* NAME in Xdebug's profiles, OBJECT in all others */
    CG2WG_IDENTITY_NAME,  /* its name */
    CG2WG_IDENTITY_FILE,  /* its file and its name */
    CG2WG_IDENTITY_OBJECT /* its object (program or library), file and name */
};

/* What a function's record (an `fn=` line and what follows it) stands for. */
enum cg2wg_records {
    CG2WG_RECORDS_AUTO,        /* INVOCATIONS in Xdebug's profiles, SUMS in all others */
    CG2WG_RECORDS_INVOCATIONS, /* one invocation, written when it returned */
    CG2WG_RECORDS_SUMS         /* a part of the sums over all invocations of the function */
};

/* Which total the percentages are relative to. */
enum cg2wg_summary {
    CG2WG_SUMMARY_FILE,    /* the input's own, computed only if it has none */
    CG2WG_SUMMARY_COMPUTED /* the sum of the self costs */
};

/* What a function's or a call arc's inclusive cost counts. */
enum cg2wg_inclusive {
    CG2WG_INCLUSIVE_AUTO,     /* OUTERMOST in aprof's reports, which tell it; SUM in all others */
    CG2WG_INCLUSIVE_SUM,      /* all invocations and calls, as webgrind has it */
    CG2WG_INCLUSIVE_OUTERMOST /* those that do not run inside another of the same */
};

/* Special divisors; any other number divides all costs. */
#define CG2WG_SCALE_AUTO UINT64_C(0) /* the smallest power of ten with which all costs fit */
#define CG2WG_SCALE_NONE UINT64_C(1) /* what does not fit 32 bits is written as 2^32 - 1 */

enum cg2wg_severity { CG2WG_NOTE, CG2WG_WARNING, CG2WG_ERROR };

/* One thing that the library has to say. */
struct cg2wg_message {
    enum cg2wg_severity severity;
    const char *file; /* the file it is about, or NULL */
    uint64_t line;    /* the line in it, from 1; 0 where there is none */
    const char *text; /* one line of printable UTF-8: what was found, what was expected */
};

/*
 * Called for each message, by one thread at a time, which need not be that of the call. The message
 * lives until it returns.
 */
typedef void cg2wg_report_fn(void *user, const struct cg2wg_message *message);

/* What a conversion is doing. */
enum cg2wg_stage { CG2WG_READING, CG2WG_WRITING };

/* How far it has come. */
struct cg2wg_progress {
    enum cg2wg_stage stage;
    uint64_t done;  /* bytes taken from the inputs, as they are stored, or written to the output */
    uint64_t total; /* what `done` is going to be when the stage ends; 0: not known (a pipe) */
};

/*
 * Called at most once for each block that is read or written. `done` never falls within a stage, and
 * may pass `total` if an input grows. It may be called in another thread than that of the call and
 * while `report` runs, but never twice at once.
 */
typedef void cg2wg_progress_fn(void *user, const struct cg2wg_progress *progress);

struct cg2wg_options {
    unsigned format; /* 4 to 7 */
    enum cg2wg_identity identity;
    enum cg2wg_records records;
    enum cg2wg_summary summary;
    enum cg2wg_inclusive inclusive;
    uint64_t scale; /* a divisor of all costs, or one of the special ones above */
    bool strict;    /* what would be a warning about the input is an error */
    bool overwrite; /* the output may replace any file; see cg2wg_convert */

    unsigned threads; /* that read an input at the same time, 64 at most; 0: as many as pay */

    /* For tests. */
    bool plain;   /* without fast paths, which give the same result */
    size_t block; /* how much input is read at once, in bytes; 0: as much as is good */

    /* That of all inputs: "callgrind", "aprof" or "preprocessed". Borrowed; NULL: content tells. */
    const char *input_format;

    /*
     * The event to convert: a name, a formula over names (`Ir + 10 Bm`), or `NAME = FORMULA`.
     * Borrowed; NULL: the first event of the input.
     */
    const char *event;

    /*
     * Functions to step over: each call of one is replaced by the one call that it made itself.
     * A name that holds `*` or `?` is a pattern. Borrowed; NULL if there are none.
     */
    const char *const *proxies;
    size_t proxy_count;
    size_t expected_proxy_count; /* how many of them, from the first on, are warned about if unused */

    cg2wg_report_fn *report;     /* NULL: nobody listens */
    cg2wg_progress_fn *progress; /* NULL: nobody listens */
    void *user;                  /* handed to both */
};

enum cg2wg_status {
    CG2WG_OK,
    CG2WG_FAILED, /* the input is no profile, or the system failed; reported */
    CG2WG_MISUSE  /* an argument is not what it has to be; reported */
};

/* What a conversion found. */
struct cg2wg_stats {
    uint64_t bytes;     /* of input, decoded */
    uint64_t lines;     /* of input, decoded */
    uint64_t functions; /* rows of the output */
    uint64_t arcs;      /* call arcs: distinct (caller, callee, line) */
    uint64_t warnings;
};

/* The defaults: format 7, everything else automatic or off. */
void cg2wg_options_init(struct cg2wg_options *options);

/*
 * Reads the profile `input` and writes it to `output`, in the version that options->format names.
 * "-" stands for standard input and standard output. Input that begins like the output of gzip,
 * zstd, xz or bzip2 is decoded; for the last three that program has to be in the PATH, and on Windows
 * they are refused. Paths are in UTF-8 there. Truncated gzip data are read as far as they can be decoded,
 * as a plain file of the same bytes.
 *
 * A regular output file appears whole, under its name, when the function returns CG2WG_OK; at any
 * other result nothing has changed. Other outputs (pipes, devices, /dev/fd/1 and the like) are written
 * as the bytes come.
 *
 * Unless options->overwrite is set, a regular file is replaced only if it is empty or a preprocessed
 * file: its first four bytes, or as many as there are, are those of a version from 4 to 7. Any other
 * file stays as it is, whatever links lead to it. That is looked at before the input is read, and again
 * just before the file is replaced.
 *
 * stats may be NULL; it is filled at CG2WG_OK only.
 *
 * Source of the formats: https://valgrind.org/docs/manual/cl-format.html and
 * https://github.com/ercoppa/aprof for the input,
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format for the output.
 *
 * CG2WG_MISUSE: no such format (of input or output), input and output are the same file, the output
 * is a terminal, or it is a file that is not replaced.
 * CG2WG_FAILED: everything else that can go wrong; the last message reported is an error that says
 * what did.
 */
enum cg2wg_status cg2wg_convert(const char *input, const char *output,
                                const struct cg2wg_options *options, struct cg2wg_stats *stats);

/*
 * The same with `count` inputs (at least 1), which become one: functions united by identity, sums
 * added, header lines one after the other. An input may also be a preprocessed file of version 5, 6
 * or 7. All have to have the event: CG2WG_FAILED if one lacks it.
 */
enum cg2wg_status cg2wg_convert_all(const char *const *inputs, size_t count, const char *output,
                                    const struct cg2wg_options *options,
                                    struct cg2wg_stats *stats);

/* An event of an input. Texts end with a NUL and live until the callback returns. */
struct cg2wg_event {
    const char *name;
    const char *formula;   /* NULL: it is measured, not computed */
    const char *long_name; /* NULL: none */
    int64_t total;         /* over the self costs */
};

/*
 * Reads `input` and calls `list` for each of its events, in order, those with formulas last.
 * Returns CG2WG_OK or CG2WG_FAILED, as cg2wg_convert.
 */
enum cg2wg_status cg2wg_list_events(const char *input, const struct cg2wg_options *options,
                                    void (*list)(void *user, const struct cg2wg_event *event),
                                    void *user);

/* Bytes, any of which may be NUL. */
struct cg2wg_bytes {
    const char *at;
    size_t length;
};

/* What calls of one function cost whose input had one size. Numbers that the input lacks are -1. */
struct cg2wg_size_cost {
    uint32_t function; /* its number in cg2wg_sizes */
    uint64_t size, calls;
    int64_t sum;                /* their inclusive costs */
    int64_t outermost;          /* the same without calls that ran inside another of the function */
    int64_t self;               /* their self costs */
    int64_t min, max;           /* the inclusive cost of one call */
    int64_t self_min, self_max; /* the self cost of one call */
    /* How much of their input came from system calls and from other threads. */
    int64_t syscall_input, thread_input;
    int64_t self_syscall_input, self_thread_input; /* without that of callees */
};

struct cg2wg_sized_function {
    struct cg2wg_bytes name, file;
    struct cg2wg_bytes mangled_name; /* empty if the input tells none */
    int64_t self, inclusive;         /* as they are converted */
    uint64_t invocations;
    const struct cg2wg_size_cost *sizes; /* by size, each size once; NULL if there are none */
    size_t size_count;
};

/* A report of costs by input size. */
struct cg2wg_sizes {
    const struct cg2wg_bytes *headers; /* lines `key: value`, as they are converted: creator, cmd */
    size_t header_count;
    const struct cg2wg_bytes *lines; /* all lines that say something of the report itself */
    size_t line_count;
    struct cg2wg_bytes event;
    struct cg2wg_bytes measure; /* what the sizes are; may be empty */
    int64_t total;
    const struct cg2wg_sized_function *functions; /* in the order of the report */
    size_t function_count;
};

/*
 * Reads `input` to show what is in it, and calls one of two functions, once.
 *
 * `show_sizes` gets what webgrind's formats have no place for: the costs of functions by the size of their
 * input, which aprof's reports hold. Options for the output have no effect on them.
 *
 * `show_file` gets all other inputs as a preprocessed file: the input itself, decoded and unchecked, if it
 * is one, whole or not; otherwise what cg2wg_convert would write, in the version options->format.
 * No file is written. What the functions are given lives until they return.
 *
 * CG2WG_OK: one of them was called. CG2WG_FAILED, CG2WG_MISUSE: none was, for the reasons for which
 * cg2wg_convert fails; reported.
 */
enum cg2wg_status cg2wg_show(const char *input, const struct cg2wg_options *options,
                             void (*show_sizes)(void *user, const struct cg2wg_sizes *sizes),
                             void (*show_file)(void *user, struct cg2wg_bytes file), void *user);

#ifdef __cplusplus
}
#endif

#endif
