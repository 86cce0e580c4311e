/*
 * An output that appears whole or not at all.
 *
 * A regular file is written under a temporary name in the same folder and renamed when it is
 * complete; other outputs (standard output, pipes, devices, and /dev/stdout and the like, whatever is
 * behind them) take the bytes as they come. As long as there is a temporary file, the signals that end a
 * process are held back in this thread, so that it never outlives the process; outfile_write looks
 * whether one has come that nobody handles, and fails if so.
 */
#ifndef CG2WG_IO_OUTFILE_H
#define CG2WG_IO_OUTFILE_H

#include "io/progress.h"
#include "util/diag.h"
#include "util/signals.h"

#include <sys/types.h>

/* How many bytes are written at once. Tests set it, so that nearly each piece is a write. */
#ifndef OUTFILE_BUFFER
#define OUTFILE_BUFFER (64 * 1024)
#endif

struct outfile_memory {
    char *bytes; /* malloc'ed, the caller's */
    size_t size, capacity;
};

struct outfile {
    struct diag *diag;
    const char *name; /* as messages show it; borrowed */
    char *target;     /* the path to rename to, links followed; NULL: written directly */
    char *temporary;  /* the path to rename from; NULL: written directly */
    int fd;
    struct outfile_memory *memory; /* what takes the bytes instead; borrowed; NULL: nothing does */
    bool failed;
    struct held_signals signals;
    struct progress progress; /* told after each block; nobody, unless the caller sets it */
    uint64_t written;         /* bytes that have left the buffer */
    size_t used;
    unsigned char buffer[OUTFILE_BUFFER];
};

/*
 * Opens `path` ("-": standard output). Returns false, having reported why, if it cannot be written;
 * then there is nothing to close.
 */
bool outfile_open(struct outfile *out, const char *path, struct diag *diag);

/* The same for an output in memory, which begins empty: a name in messages, and no file at all. */
void outfile_open_memory(struct outfile *out, struct outfile_memory *memory, struct diag *diag);

/* Says how many bytes are about to be written, for progress. It need not be exact. */
void outfile_expect(struct outfile *out, uint64_t bytes);

/*
 * Appends bytes. Returns false if this or an earlier write failed; the first failure was reported.
 */
bool outfile_write(struct outfile *out, const void *bytes, size_t length);

/* Writes what is left, closes, renames. Returns false, having cleaned up, if anything failed. */
bool outfile_commit(struct outfile *out);

/* Closes and removes: as if it had never been opened. */
void outfile_abort(struct outfile *out);

/*
 * The first bytes of the regular file that writing to `output` replaces, at most `size`, in `head`. Returns
 * their number; 0 if nothing is lost: there is no such file, it is empty, or the bytes go to what has been
 * opened for this process (standard output, /dev/fd/1) from where it stands; -1, with errno, if that
 * cannot be learnt.
 */
ssize_t outfile_replaces(const char *output, char *head, size_t size);

/* What stands in the way of a conversion from `input` to `output`, seen before any work. */
enum outfile_obstacle {
    OUTFILE_CLEAR,
    OUTFILE_SAME_FILE, /* input and output are one regular file */
    OUTFILE_TERMINAL   /* output is a terminal */
};

/* "-" stands for standard input or output. A path that does not exist is no obstacle. */
enum outfile_obstacle outfile_check(const char *input, const char *output);

#endif
