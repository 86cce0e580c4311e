/*
 * Runs another program, as a child process without a shell: zstd, xz and bzip2 decode, c++filt demangles
 * names. If the input cannot be sought, such as a pipe, who reads the program's output feeds it meanwhile.
 * On Windows, program_start fails and says what to do.
 */
#ifndef CG2WG_OS_PROGRAM_H
#define CG2WG_OS_PROGRAM_H

#include "util/diag.h"
#include "os/file.h"
#include "util/text.h"

#include <sys/types.h>

struct waiting_place;

struct program_kind {
    const char *name;     /* looked up in $PATH */
    const char *argument; /* what it is called with; NULL: nothing */
    const char *need;     /* why it is wanted, up to its name, as a message says it */
    const char *work;     /* what it does, as messages say it: "decode it", ... */
    const char *past;     /* ... "decoded it" */
    int warning_status; /* exit status for "decoded, with a warning"; 0: it has none */
    bool is_optional;   /* it does not matter if it cannot be started */
};

struct program {
    const struct program_kind *kind;
    pid_t pid;    /* -1: none is running */
    int messages; /* its standard error; -1: none */
    int input;    /* shares its offset with the program, or is passed on to it; -1: there is none */
    off_t start;  /* that offset at the start; -1: it cannot be sought */
    int to;       /* where it is passed on; -1: it is not, or not any more */
    int error;    /* an errno: why it could not be passed on to its end; 0: no error */
    uint64_t fed; /* bytes that were passed on */
    unsigned megabytes, seconds; /* of memory and of the processor that it gets, on Linux; 0: no limit */
};

/* The state before a program is started, in which the other functions do nothing. */
static inline struct program program_none(void)
{
    return (struct program){.pid = -1, .messages = -1, .input = -1, .to = -1};
}

/*
 * Starts a program that decodes `head`, which has been read from `fd` (both borrowed), and what follows it there.
 * Returns a descriptor with the result, which the caller closes, or -1: it cannot be started, and is optional.
 * program_stop must be called, too.
 */
int program_start(struct program *p, const struct program_kind *kind, int fd, struct text head, struct diag *diag);

/*
 * Before a read of the descriptor from program_start, `output`: passes on input that cannot be sought, as
 * much as the program takes, and until `output` can be read. False: the thread was cancelled, at `place`, which may be
 * NULL; or, without `waits`, reading would have to wait.
 */
bool program_feed(struct program *program, int output, struct waiting_place *place, bool waits);

/* The same, and then reads. Returns what file_read does. */
static inline ssize_t program_read(struct program *program, int output, void *bytes, size_t length)
{
    program_feed(program, output, NULL, true);
    return file_read(output, bytes, length);
}

/* At the end of the decoded data: it is an error if the program was not successful. */
void program_check_end(struct program *program, struct diag *diag);

/* The number of bytes of the input that it has taken so far, including the head; -1: no program. */
int64_t program_taken(const struct program *program);

/* Stops it if it is still running, and closes what is open. */
void program_stop(struct program *program);

#endif
