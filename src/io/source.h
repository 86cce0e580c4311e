/*
 * The bytes of an input: of a file or standard input, decoded if they are compressed.
 *
 * What the input is compressed with is told by its first bytes, never by its name. gzip, which Xdebug
 * uses, is decoded by a thread; the rest is the work of the usual program (zstd, xz, bzip2).
 */
#ifndef CG2WG_IO_SOURCE_H
#define CG2WG_IO_SOURCE_H

#include "io/program.h"
#include "io/progress.h"
#include "util/diag.h"
#include "util/text.h"

#include <sys/types.h>

struct waiting_place;

enum { SOURCE_HEAD = 8 };

struct source {
    struct diag *diag;
    int fd;                        /* what to read from: the input itself, or the decoder's output */
    bool owns_fd;                  /* fd is closed at the end */
    unsigned char head[SOURCE_HEAD]; /* first bytes, read to tell what the input is */
    size_t head_used, head_length;
    const struct decoder *decoder; /* NULL: the input is plain */
    struct gunzip *gunzip;         /* the thread that decodes it, or NULL */
    struct program program;        /* ... or the program that does */
    bool is_over;                  /* its end has been found, and told... */
    bool has_failed;               /* ... or why it cannot be read to its end */

    /* How far it has come */
    const struct progress *progress; /* told after each read; borrowed, set by the caller; or NULL */
    uint64_t handed_out;             /* bytes that source_read has returned in all */
};

/* Is a file that begins like this one that source_open decodes? */
bool source_is_packed(struct text head);

/*
 * Opens `path` ("-": standard input) for reading. Returns false, having reported why, if it cannot
 * be opened, is a folder, or the program that decodes it cannot be started; then there is nothing
 * to close.
 */
bool source_open(struct source *source, const char *path, struct diag *diag);

/*
 * Reads up to `length` (at least 1) bytes. Returns their number, 0 at the end of the input, or -1,
 * having reported why, if reading or decoding fails. Damaged input is never taken for a whole one. Neither
 * is truncated input of zstd, xz and bzip2. Truncated gzip data end where they can be decoded no further,
 * as a plain file that is truncated there: a process that is killed leaves the one or the other.
 */
ssize_t source_read(struct source *source, void *bytes, size_t length);

/*
 * Would source_read return at once, as far as can be told? If `place` is not NULL, waits there until it
 * would; false means that the thread has been called off: from the place and by source_call_off.
 */
bool source_await(struct source *source, struct waiting_place *place);

/* From another thread: source_await waits no longer for a decoder. Nothing is to be read after that. */
void source_call_off(struct source *source);

/*
 * How many bytes of the input have been taken so far, as they are stored there. What a decoder has
 * taken ahead counts.
 */
uint64_t source_taken(struct source *source);

/* How many source_open(path) would find, as they are stored; 0 unless it is a regular file. */
uint64_t source_size(const char *path);

/* Is the input compressed? Then somebody else decodes it at the same time. */
static inline bool source_is_decoded(const struct source *source)
{
    return source->decoder != NULL || source->gunzip != NULL;
}

/* Reads on to the end. Returns false, having reported it, if that fails. */
bool source_drain(struct source *source);

/* Stops children that still run and closes what is open. */
void source_close(struct source *source);

#endif
