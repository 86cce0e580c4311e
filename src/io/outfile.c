/* SPDX-License-Identifier: MIT */
#include "io/outfile.h"

#include "io/source.h"
#include "util/array.h"
#include "util/show.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef NAME_MAX
#define NAME_MAX 255 /* not every system defines it; none has more */
#endif

/*
 * The path of an output, at the end of its links, and what is there; FILE_IS_ABSENT: nothing. NULL, with errno: that is
 * unknown. Links that are not `followed` are files of another kind.
 */
static char *find_target(const char *path, bool followed, struct file_facts *facts)
{
    *facts = (struct file_facts){.kind = FILE_IS_ABSENT};
    if (!file_is_standard(path))
        return file_follow_links(path, followed ? FOLLOW_ALL : FOLLOW_FOLDERS, facts);
    if (!file_look_at(STDOUT_FILENO, facts)) /* on Windows, it may not be readable */
        facts->kind = FILE_IS_OTHER;
    facts->is_linked = true;
    facts->own = STDOUT_FILENO;
    return memory_string(path);
}

enum outfile_obstacle outfile_check(const char *input, const char *output, bool followed)
{
    struct file_facts in, facts;
    const char *target = find_target(output, followed, &facts);
    if (target == NULL || facts.kind == FILE_IS_ABSENT)
        return OUTFILE_CLEAR;
    if (followed && facts.kind == FILE_IS_CHARACTERS) {
        int own = facts.own, fd = own >= 0 ? own : file_open(target, FILE_TO_WRITE);
        bool is_terminal = fd >= 0 && file_is_terminal(fd);
        if (fd >= 0 && fd != own)
            close(fd);
        if (is_terminal)
            return OUTFILE_TERMINAL;
    }
    return source_look(input, &in) && file_is_same(&in, &facts) ? OUTFILE_SAME_FILE : OUTFILE_CLEAR;
}

ssize_t outfile_replaces(const char *output, bool followed, char *head, size_t size)
{
    struct file_facts facts;
    const char *target = find_target(output, followed, &facts);
    if (target == NULL)
        return -1;
    if (facts.own >= 0 || facts.kind != FILE_IS_REGULAR || facts.size == 0)
        return 0;
    return file_read_start(file_open(target, facts.is_linked ? FILE_REGULAR : FILE_UNFOLLOWED), head, size);
}

static _Noreturn void fail_output(struct outfile *out, const char *what)
{
    diag_error_in(out->diag, out->name, "%s: %s", what, strerror(errno));
}

/* Closes and removes the file, as if it had never been opened. */
static void outfile_release(void *outfile)
{
    struct outfile *out = outfile;
    task_let_go(&out->held);
    if (out->fd >= 0)
        close(out->fd);
    if (out->temporary != NULL)
        file_remove(out->temporary);
    signals_release(&out->signals);
}

void outfile_open(struct outfile *out, const char *path, bool followed, const struct file_rights *most,
                  struct diag *diag)
{
    enum { TEMPORARY_TRIES = 1000 };
    struct file_facts found, facts; /* before and after opening it */
    memset(out, 0, offsetof(struct outfile, buffer));
    out->diag = diag;
    out->name = file_is_standard(path) ? "(standard output)" : path;
    out->fd = -1;
    task_hold(&out->held, outfile_release, out);
    out->target = find_target(path, followed, &found);
    if (found.kind == FILE_IS_FOLDER)
        errno = EISDIR;
    if (out->target == NULL || found.kind == FILE_IS_FOLDER)
        fail_output(out, "cannot write");
    /* A link to a descriptor is opened itself, even if it leads to a regular file: that has no other known name. */
    bool is_open = found.is_linked;
    if (is_open || (followed && found.kind != FILE_IS_REGULAR && found.kind != FILE_IS_ABSENT)) {
        out->fd = found.own >= 0 ? file_duplicate(found.own)
                                 : file_open(out->target, is_open ? FILE_OF_DESCRIPTOR : FILE_TO_WRITE);
        if (out->fd < 0 || (!is_open && !file_look_at(out->fd, &facts)))
            fail_output(out, "cannot open for writing");
        if (!is_open && !file_is_same(&facts, &found))
            diag_error_in(out->diag, out->name, "another file has taken its place");
        return;
    }
    /* "FOLDER/.BASE.PID-N.tmp". A name of the maximum length leaves no room, so only its start is used. */
    int folder = (int)file_folder_length(out->target), base_length = (int)strnlen(out->target + folder, NAME_MAX - 40);
    size_t size = (size_t)folder + (size_t)base_length + 48;
    char *temporary = memory_get(size);
    signals_hold(&out->signals, false);
    for (unsigned number = 0; out->temporary == NULL; number++) {
        snprintf(temporary, size, "%.*s.%.*s.%ld-%u.tmp", folder, out->target, base_length, out->target + folder,
                 (long)getpid(), number);
        out->fd = file_create(temporary, most, found.kind == FILE_IS_REGULAR ? &found : NULL);
        if (out->fd >= 0)
            out->temporary = temporary;
        else if (errno != EEXIST || number == TEMPORARY_TRIES - 1)
            fail_output(out, "cannot create a temporary file in its directory");
    }
}

static void write_all(struct outfile *out, const unsigned char *bytes, size_t length)
{
    bool is_interrupted = out->temporary != NULL && signals_end_process(&out->signals);
    if (!is_interrupted && !file_write_all(out->fd, bytes, length))
        fail_output(out, "cannot write");
    out->written += length;
    errno = EINTR;
    if (is_interrupted || progress_ends(&out->progress, CG2WG_WRITING, out->written))
        fail_output(out, "interrupted while writing");
}

void outfile_write_more(struct outfile *out, const void *bytes, size_t length)
{
    write_all(out, out->buffer, out->used);
    out->used = 0;
    if (length > sizeof out->buffer)
        write_all(out, bytes, length);
    else
        outfile_write(out, bytes, length);
}

void outfile_commit(struct outfile *out)
{
    write_all(out, out->buffer, out->used);
    if (out->temporary != NULL && out->complete != NULL)
        out->complete(out->of, out->temporary);
    int fd = out->fd;
    out->fd = -1;
    const char *failed = out->temporary != NULL ? file_complete(fd, out->time, out->temporary, out->target)
                         : close(fd) != 0       ? "cannot write"
                                                : NULL;
    if (failed != NULL)
        fail_output(out, failed);
    out->temporary = NULL;
    outfile_release(out);
}

/* The stream has a descriptor of its own: closing it says whether all has been written. */
void temporary_open(struct temporary *file, bool in_memory, struct diag *diag)
{
    *file = (struct temporary){.diag = diag, .fd = file_create_unnamed(in_memory)};
    task_hold(&file->held, temporary_close, file);
    int copy = file->fd >= 0 ? file_duplicate(file->fd) : -1;
    file->stream = copy >= 0 ? fdopen(copy, "wb") : NULL;
    int error = errno;
    if (copy >= 0 && file->stream == NULL)
        close(copy);
    if (file->stream == NULL)
        diag_error_in(diag, NULL, "cannot make a temporary file: %s", strerror(error));
    file->buffer = memory_get(OUTFILE_BUFFER); /* a tenth of the time of JSON */
    setvbuf(file->stream, file->buffer, _IOFBF, OUTFILE_BUFFER);
    fseeko(file->stream, 0, SEEK_SET); /* from here on, glibc knows the position without asking the system */
}

int temporary_end(struct temporary *file)
{
    int error = show_end(file->stream);
    file->stream = NULL;
    memory_free(file->buffer);
    if (error != 0)
        diag_error_in(file->diag, NULL, "cannot write a temporary file: %s", strerror(error));
    return file->fd;
}

void temporary_close(void *temporary)
{
    struct temporary *file = temporary;
    task_let_go(&file->held);
    if (file->stream != NULL)
        fclose(file->stream);
    if (file->fd >= 0)
        close(file->fd);
}
