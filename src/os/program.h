/*
 * Runs another program, as a child process without a shell: zstd, xz and bzip2 decode, c++filt demangles names. Its
 * input is a descriptor, or is collected in a file before it is started, so that nobody has to write and to read at
 * once. If a descriptor cannot be sought, such as a pipe, who reads the program's output feeds it meanwhile.
 * On Windows, no program can be started; the error says what to do.
 */
#ifndef CG2WG_OS_PROGRAM_H
#define CG2WG_OS_PROGRAM_H

#include "os/file.h"
#include "util/diag.h"
#include "util/run.h"
#include "util/text.h"

struct waiting_place;

/* Words are as messages say them. */
struct program_kind {
    const char *name;     /* looked up in $PATH */
    const char *argument; /* what it is called with; NULL: nothing */
    const char *need;     /* why it is wanted, up to its name */
    const char *work;     /* what it does: "decode it", ... */
    const char *past;     /* ... "decoded it" */
    int warning_status;   /* exit status for "decoded, with a warning"; 0: it has none */
    bool is_optional;     /* it does not matter if it cannot be started */
    const char *input;    /* what program_give collects */
};

struct program {
    struct run_held held;
    const struct program_kind *kind;
    struct diag *diag;
    pid_t pid;    /* -1: none is running */
    int messages; /* its standard error; -1: none */
    int input;    /* shares its offset with the program, or is passed on to it; -1: there is none */
    int output;   /* what it has made; -1: it was not started */
    off_t start;  /* the offset of `input` at the start; -1: it cannot be sought */
    int to;       /* where it is passed on; -1: it is not, or not any more */
    int error;    /* an errno: why it could not be passed on to its end; 0: no error */
    uint64_t fed; /* bytes that were passed on */
    unsigned megabytes, seconds; /* of memory and of the processor that it gets, on Linux; 0: no limit */
};

/*
 * A program that is not running. `kind` may be NULL: then it never does. It must not move from the first call below
 * on. The end of the run stops it.
 */
static inline struct program program_of(const struct program_kind *kind, struct diag *diag)
{
    return (struct program){.kind = kind, .diag = diag, .pid = -1, .messages = -1, .input = -1, .output = -1, .to = -1};
}

/* Adds to its input, before it is started. False: that is not possible, and it is optional. */
bool program_give(struct program *p, struct text bytes);

/*
 * Starts it. Its input is what it has been given, or, if there is an `fd` (borrowed; otherwise -1), `head`, which has
 * been read from there, and what follows. False: it cannot be started, and is optional.
 */
bool program_start(struct program *p, int fd, struct text head);

/*
 * Before a read of `fd`, its output, or any file if it is not running: waits until something can be read. If its input
 * cannot be sought, passes that on meanwhile, as much as the program takes. False: the thread was cancelled, at
 * `place`, which may be NULL. On Windows, only the read may wait, and fails if it is cancelled.
 */
bool program_feed(struct program *p, int fd, struct waiting_place *place);

/* At the end of its output: it is an error if it was started, but not successful. */
void program_check_end(struct program *p);

/* Stops a `struct program` if it is still running, and closes what is open. */
void program_stop(void *program);

#endif
