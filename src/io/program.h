/*
 * Decoding by another program, which is started as a child process without a shell: zstd, xz, bzip2.
 * What cannot be sought, as a pipe, a thread hands over to it.
 *
 * POSIX alone has this. Elsewhere program_start fails, and says what to do.
 */
#ifndef CG2WG_IO_PROGRAM_H
#define CG2WG_IO_PROGRAM_H

#include "util/diag.h"
#include "util/text.h"

#include <sys/types.h>

struct program_kind {
    const char *name;   /* to be found in $PATH; called with -dc */
    int warning_status; /* exit status for "decoded, with a warning"; 0: it has none */
};

struct program {
    const struct program_kind *kind;
    pid_t pid;        /* -1: none is running */
    int messages;     /* where what it has to say can be read; -1: nothing */
    struct feeder *feeder; /* hands it input that cannot be sought; NULL: none */

    /* How far it has come */
    int encoded_fd;      /* shares its offset with the program; -1: there is none */
    off_t encoded_start; /* that offset at the start */
    uint64_t fed;        /* what the feeder has handed over */
};

/* Before a program is started: the other functions do nothing. */
struct program program_none(void);

/*
 * Starts a program that decodes `head`, which has been read from `fd` (both borrowed), and what follows
 * it there. Returns where the result is to be read, which the caller closes; or -1, having reported
 * why, if that cannot be done. Either way program_stop is to be called.
 */
int program_start(struct program *program, const struct program_kind *kind, int fd, struct text head,
                  struct diag *diag);

/* At the end of what it decodes: has all gone well? If not, that was reported. */
bool program_ended_well(struct program *program, struct diag *diag);

/* How many bytes of the input it has taken so far, those of the head included; -1: there is none. */
int64_t program_taken(struct program *program);

/* Stops it if it still runs, and closes what is open. */
void program_stop(struct program *program);

#endif
