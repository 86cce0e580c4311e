/* SPDX-License-Identifier: MIT */
/*
 * Runs another program as a child process, without a shell: zstd, xz and bzip2 decode, c++filt demangles, addr2line
 * finds lines, gzip compresses. Its input is a descriptor, or a file in which program_give collects it before the
 * start, so that nobody has to write and read at once. From a descriptor that cannot be sought, such as a pipe,
 * program_feed passes the bytes on while the output is read. On Windows, no program can be started; an error says so.
 */
#ifndef CG2WG_OS_PROGRAM_H
#define CG2WG_OS_PROGRAM_H

#include "os/file.h"
#include "util/diag.h"
#include "util/text.h"

struct canceller;

/* Texts are parts of messages. */
struct program_kind {
    const char *name;     /* looked up in $PATH */
    const char *argument; /* what it is called with; NULL: nothing */
    const char *need;     /* why it is wanted, up to its name */
    const char *work;     /* what it does, such as "decode it" */
    const char *past;     /* "decoded it"; if the program is optional: what its input does without it */
    int warning_status;   /* exit status for "decoded, with a warning"; 0: it has none */
    bool is_optional;     /* it does not matter if it cannot be started */
    const char *input;    /* what program_give collects */
};

struct program {
    struct task_held held;
    const struct program_kind *kind;
    struct diag *diag;
    pid_t pid;                   /* -1: none is running */
    int messages;                /* its standard error; -1: none */
    int input;                   /* shares its offset with the program, or is passed on to it; -1: there is none */
    int output;                  /* what it has made; -1: it was not started */
    int file;                    /* which it has as /dev/fd/3; closed with the others; -1: there is none */
    off_t start;                 /* the offset of `input` at the start; -1: it cannot be sought */
    int to;                      /* the pipe to which `input` is passed on; -1: none, or not any more */
    int error;                   /* an errno: why passing on failed; 0: it did not */
    uint64_t fed;                /* bytes that were passed on */
    uint64_t used;               /* microseconds of the processor, when it has ended; on Windows 0 */
    unsigned megabytes, seconds; /* the memory and processor time that it may take, on Linux; 0: no limit */
};

/* A program that is not running; without `kind`, never. It must not move once it is used. The task's end stops it. */
static inline struct program program_of(const struct program_kind *kind, struct diag *diag)
{
    return (struct program){
        .kind = kind, .diag = diag, .pid = -1, .messages = -1, .input = -1, .output = -1, .file = -1, .to = -1};
}

/* Adds to its input, before the start. False: that failed, and the program is optional. */
bool program_give(struct program *p, struct text bytes);

/*
 * Starts it. Its input is what program_give collected or, with an `fd` (borrowed; otherwise -1), `head`, which was
 * already read from `fd`, and then the rest of `fd`. False: it cannot be started, and is optional.
 */
bool program_start(struct program *p, int fd, struct text head);

/*
 * Waits until `fd` can be read: the program's output or, if none is running, any file. Meanwhile, passes on input that
 * cannot be sought, as much as the program takes. False: another thread cancelled this one, by `canceller` (NULL: none
 * can). On Windows it does not wait; the read does, and fails if it is cancelled.
 */
bool program_feed(struct program *p, int fd, struct canceller *canceller);

/* Waits for output, or its end. False: there was none for so many seconds. Not on Windows, see program_feed. */
bool program_wait(struct program *p, unsigned seconds);

/* To call at the end of its output. It is an error if the program was started and failed. */
void program_check_end(struct program *p);

/* Stops a `struct program` if it is still running, and closes what is open. */
void program_stop(void *program);

/*
 * How much of the processor a program has used that is asked for names or lines, and how much it may use beside 3
 * seconds: see read/filter.h. The caller zero-initializes it. Calls that share it, also in several threads, share the
 * limit.
 */
struct cg2wg_demangling {
    uint64_t used;  /* microseconds */
    uint64_t asked; /* microseconds: one for each byte of names, and what a file allows that is asked about */
};

#endif
