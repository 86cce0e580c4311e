/* SPDX-License-Identifier: MIT */
/*
 * An output that appears complete or not at all.
 *
 * A regular file is written under a temporary name in the same directory and renamed when it is complete. Other outputs
 * (standard output, pipes, devices, and /dev/stdout and the like, whatever they lead to) receive the bytes as they are
 * written. While there is a temporary file, this thread blocks the signals that end a process, so that the file never
 * outlives the process; outfile_write fails if such a signal without a handler is pending.
 */
#ifndef CG2WG_IO_OUTFILE_H
#define CG2WG_IO_OUTFILE_H

#include "util/diag.h"
#include "util/hot.h"
#include "util/task.h"
#include "os/file.h"
#include "os/thread.h"

#include <string.h>
#include <sys/types.h>
#include <stdio.h>

/* The number of bytes in one write. Tests redefine it, so that nearly each piece is a write. */
#ifndef OUTFILE_BUFFER
#define OUTFILE_BUFFER (256 * 1024)
#endif

struct outfile {
    struct task_held held;
    struct diag *diag;
    const char *name; /* in messages; borrowed */
    char *target;     /* the path to rename to, links followed */
    char *temporary;  /* the path to rename from; NULL: written directly */
    int fd;
    int64_t time; /* if the caller sets it: that of a regular file, in nanoseconds since 1970 */
    void (*complete)(void *of, const char *temporary); /* if the caller sets it: called before the file is renamed */
    void *of;
    struct held_signals signals;
    struct progress progress; /* reported after each block, if the caller sets it; its total need not be exact */
    uint64_t written;         /* bytes that have left the buffer */
    size_t used;
    unsigned char buffer[OUTFILE_BUFFER];
};

/*
 * Opens `path` ("-": standard output). If links are `followed`, file_follow_links does it. Otherwise nothing of that
 * name is opened: the output replaces a link, a pipe or a device. The functions below take the same `followed`. What is
 * renamed has the rights that file_create says.
 */
void outfile_open(struct outfile *out, const char *path, bool followed, const struct file_rights *most,
                  struct diag *diag);

/* Like outfile_write, for bytes that the buffer has no room for. */
void outfile_write_more(struct outfile *out, const void *bytes, size_t length);

HOT void outfile_write(struct outfile *out, const void *bytes, size_t length)
{
    if (UNLIKELY(length > sizeof out->buffer || out->used > sizeof out->buffer - length)) {
        outfile_write_more(out, bytes, length);
    } else {
        memcpy(out->buffer + out->used, bytes, length);
        out->used += length;
    }
}

/* Writes the rest, closes, renames. Without this call, the end of the task removes the file. */
void outfile_commit(struct outfile *out);

/*
 * Reads into `head` the first bytes, at most `size`, of the regular file that an output of this name would replace.
 * Returns their number; 0 if nothing would be lost: there is no such file, it is empty, or this process has it open
 * already (standard output, /dev/fd/1) and writes from its present position on; -1, with errno, if that is unknown.
 */
ssize_t outfile_replaces(const char *output, bool followed, char *head, size_t size);

/* What prevents a conversion from `input` to `output`, checked before any work. */
enum outfile_obstacle {
    OUTFILE_CLEAR,
    OUTFILE_SAME_FILE, /* input and output are one regular file */
    OUTFILE_TERMINAL   /* output is a terminal */
};

/* "-" is standard input or output. A path that does not exist prevents nothing. */
enum outfile_obstacle outfile_check(const char *input, const char *output, bool followed);

/* ---- a file without a name, to which a stream is printed that is read afterwards ----------- */

/* It must not move in memory while it is open. The end of the task closes it. */
struct temporary {
    struct task_held held;
    struct diag *diag; /* borrowed */
    int fd;
    FILE *stream; /* NULL after temporary_end */
    char *buffer; /* its own */
};

/* In memory, if the system can do that; otherwise, and if not `in_memory`, in the directory for temporary files. */
void temporary_open(struct temporary *file, bool in_memory, struct diag *diag);

/* After printing: returns a descriptor to read from, which belongs to the file. Its position is at the end. */
int temporary_end(struct temporary *file);

void temporary_close(void *temporary);

#endif
