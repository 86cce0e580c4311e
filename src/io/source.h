/* SPDX-License-Identifier: MIT */
/*
 * The bytes of an input, a file or standard input. If its first bytes, not its name, show a compression, it is decoded:
 * gzip, which Xdebug uses, by our own decoder, others by the usual programs (zstd, xz, bzip2).
 */
#ifndef CG2WG_IO_SOURCE_H
#define CG2WG_IO_SOURCE_H

#include "os/program.h"
#include "util/task.h"

struct canceller;

struct source {
    struct task_held held;
    struct diag *diag;               /* NULL: it is not open */
    struct file_facts facts;         /* of the input itself */
    int fd;                          /* what to read from: the input itself, or the decoder's output */
    bool owns_fd;                    /* fd is closed at the end */
    char first[8];                   /* bytes, read to recognise the compression */
    struct text head;                /* the part of these that source_read has not returned */
    const struct decoder *decoder;   /* NULL: the input is plain */
    struct inflate *inflate;         /* decodes gzip data; NULL: the input is no such data */
    struct program program;          /* decodes others; not running if there are none */
    bool is_slow;                    /* a read may have to wait, for a pipe or a program */
    struct canceller *canceller;     /* by which another thread cancels such a read; or NULL */
    uint64_t taken;                  /* bytes that were read from the input, or from the decoding program */
    uint64_t handed_out;             /* bytes that source_read has returned */
    const struct progress *progress; /* reported after each read; borrowed, set by the caller; or NULL */
    bool is_interrupted;             /* the caller's progress function returned false */
    bool has_stopped;                /* source_read has returned 0 */
    int error;                       /* an errno: why reading failed; 0: it did not */
};

/* What decodes a file that begins like this; NULL: it is plain. */
const struct decoder *source_decoder(struct text head);

/*
 * Opens `path` for reading ("-": standard input); `is_regular`: by FILE_REGULAR, because others may replace it at any
 * time. It is an error if the path cannot be opened or is a directory, or if the decoding program cannot be started.
 */
void source_open(struct source *source, const char *path, bool is_regular, struct diag *diag);

/*
 * Reads up to `length` (at least 1) bytes. Returns their number, or 0 if nothing follows, for any reason: then use what
 * was read before, and call source_check_end. This function reports nothing, so that a thread may read ahead.
 */
size_t source_read(struct source *source, void *bytes, size_t length);

/*
 * It is an error if source_read returned 0 for another reason than the end of the input. Damaged input never counts as
 * complete, and neither does truncated input of zstd, xz and bzip2. Truncated gzip data end where they can be decoded
 * no further, like a plain file that is truncated there: a killed process leaves one or the other.
 */
void source_check_end(struct source *source);

/*
 * What follows an offset of a plain file, whatever has been read so far, in memory of the task. NULL if there is
 * nothing, or if the input is no plain file. *length is 0 if reading fails, which is no error.
 */
char *source_read_after(const struct source *source, uint64_t offset, size_t *length);

/* The number of bytes of the file that have been taken so far, by a decoder perhaps ahead. */
uint64_t source_taken(struct source *source);

/* The facts and the size of the regular file that source_open(path) would open; false and 0 if it is not regular. */
bool source_look(const char *path, struct file_facts *facts);
uint64_t source_size(const char *path);

/* Stops children of a `struct source` that are still running, and closes what is open. */
void source_close(void *source);

#endif
