#include "io/outfile.h"

#include "io/source.h"
#include "util/array.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef NAME_MAX
#define NAME_MAX 255 /* not every system defines it; none has more */
#endif

enum { TEMPORARY_TRIES = 1000 };

/* Where the bytes for an output go. */
struct place {
    char *target;            /* the path, or the end of its links; NULL: standard output */
    bool is_descriptor;      /* a link of the system to what a process has open */
    int own;                 /* the descriptor of this process that it is; -1: none */
    struct file_facts facts; /* what is there; FILE_IS_ABSENT: nothing */
};

/* Returns false, with errno, if that is unknown. Links that are not `followed` are files of another kind. */
static bool find(struct place *place, const char *path, bool followed)
{
    *place = (struct place){.own = -1};
    if (file_is_standard(path)) {
        place->own = STDOUT_FILENO;
        if (!file_look_at(STDOUT_FILENO, &place->facts)) /* on Windows, it may not be readable */
            place->facts.kind = FILE_IS_OTHER;
        return true;
    }
    place->target = followed ? file_follow_links(path, &place->facts, &place->is_descriptor) : memory_string(path);
    if (place->target == NULL)
        return false;
    if (place->is_descriptor)
        place->own = file_own_descriptor(place->target);
    if (followed || file_look_unfollowed(path, &place->facts))
        return true;
    place->facts.kind = FILE_IS_ABSENT;
    return errno == ENOENT;
}

static bool is_terminal(const struct place *place)
{
    int fd = place->own >= 0 ? place->own : file_open_output(place->target);
    bool is = fd >= 0 && file_is_terminal(fd);
    if (fd >= 0 && place->own < 0)
        close(fd);
    return is;
}

enum outfile_obstacle outfile_check(const char *input, const char *output, bool followed)
{
    struct file_facts in;
    struct place place;
    if (!find(&place, output, followed) || place.facts.kind == FILE_IS_ABSENT)
        return OUTFILE_CLEAR;
    if (followed && place.facts.kind == FILE_IS_CHARACTERS && is_terminal(&place))
        return OUTFILE_TERMINAL;
    return source_look(input, &in) && file_is_same(&in, &place.facts) ? OUTFILE_SAME_FILE : OUTFILE_CLEAR;
}

ssize_t outfile_replaces(const char *output, bool followed, char *head, size_t size)
{
    struct place place;
    if (!find(&place, output, followed))
        return -1;
    if (place.own >= 0 || place.facts.kind != FILE_IS_REGULAR || place.facts.size == 0)
        return 0;
    return file_read_start(place.is_descriptor ? file_open_regular(place.target)
                                               : file_open_unfollowed(place.target),
                           head, size);
}

static _Noreturn void fail(struct outfile *out, const char *what)
{
    diag_error_in(out->diag, out->name, "%s: %s", what, strerror(errno));
}

/* Opens a temporary file "FOLDER/.BASE.PID-N.tmp". */
static void open_temporary(struct outfile *out)
{
    int folder = (int)file_folder_length(out->target);
    const char *base = out->target + folder;
    /* A name of the maximum length leaves no room, so only its start is used. */
    int base_length = (int)strnlen(base, NAME_MAX - 40);
    size_t size = (size_t)folder + (size_t)base_length + 48;
    char *path = memory_get(size);
    signals_hold(&out->signals);
    for (unsigned number = 0; out->temporary == NULL; number++) {
        snprintf(path, size, "%.*s.%.*s.%ld-%u.tmp", folder, out->target, base_length, base, (long)getpid(), number);
        out->fd = file_create_temporary(path);
        if (out->fd >= 0)
            out->temporary = path;
        else if (errno != EEXIST || number == TEMPORARY_TRIES - 1)
            fail(out, "cannot create a temporary file in its directory");
    }
}

/*
 * Opens what receives the bytes as they are written. The name of a descriptor does, whatever it leads to,
 * because no other name of that is known.
 */
static void open_directly(struct outfile *out, const struct place *place)
{
    struct file_facts facts;
    out->fd = place->own >= 0         ? file_duplicate(place->own)
              : place->is_descriptor ? file_open_descriptor(place->target)
                                     : file_open_output(place->target);
    bool is_looked_at = place->own < 0 && !place->is_descriptor;
    if (out->fd < 0 || (is_looked_at && !file_look_at(out->fd, &facts)))
        fail(out, "cannot open for writing");
    if (is_looked_at && !file_is_same(&facts, &place->facts))
        diag_error_in(out->diag, out->name, "found another file than before, expected it to stay");
}

static void release(void *out)
{
    outfile_abort(out);
}

static void init(struct outfile *out, const char *name, struct diag *diag)
{
    memset(out, 0, offsetof(struct outfile, buffer));
    out->diag = diag;
    out->name = name;
    out->fd = -1;
    run_hold(&out->held, release, out);
}

void outfile_open(struct outfile *out, const char *path, bool followed, struct diag *diag)
{
    init(out, file_is_standard(path) ? "(standard output)" : path, diag);
    struct place place;
    bool is_known = find(&place, path, followed);
    enum file_kind kind = place.facts.kind;
    out->target = place.target;
    if (is_known && kind == FILE_IS_FOLDER)
        errno = EISDIR;
    if (!is_known || kind == FILE_IS_FOLDER)
        fail(out, "cannot write");
    if (place.own >= 0 || place.is_descriptor || (followed && kind != FILE_IS_REGULAR && kind != FILE_IS_ABSENT))
        open_directly(out, &place);
    else
        open_temporary(out);
}

static void write_all(struct outfile *out, const unsigned char *bytes, size_t length)
{
    if (out->temporary != NULL && signals_end_process(&out->signals)) {
        errno = EINTR;
        fail(out, "interrupted while writing");
    } else if (!file_write_all(out->fd, bytes, length)) {
        fail(out, "cannot write");
    }
    out->written += length;
    if (progress_is_wanted(&out->progress) &&
        !progress_report(&out->progress, CG2WG_WRITING, out->written)) {
        errno = EINTR;
        fail(out, "interrupted while writing");
    }
}

static void flush(struct outfile *out)
{
    size_t length = out->used;
    out->used = 0;
    write_all(out, out->buffer, length);
}

void outfile_expect(struct outfile *out, uint64_t bytes)
{
    out->progress.total = bytes;
}

void outfile_write_more(struct outfile *out, const void *bytes, size_t length)
{
    flush(out);
    if (length > sizeof out->buffer)
        write_all(out, bytes, length);
    else
        outfile_write(out, bytes, length);
}

void outfile_commit(struct outfile *out)
{
    flush(out);
    int fd = out->fd;
    out->fd = -1;
    if (fd >= 0 && (out->temporary != NULL ? !file_complete(fd) : close(fd) != 0))
        fail(out, "cannot write");
    if (out->temporary != NULL && !file_rename(out->temporary, out->target))
        fail(out, "cannot rename the temporary file to it");
    out->temporary = NULL;
    outfile_abort(out);
}

void outfile_abort(struct outfile *out)
{
    run_let_go(&out->held);
    if (out->fd >= 0)
        close(out->fd);
    if (out->temporary != NULL)
        file_remove(out->temporary);
    signals_release(&out->signals);
}
