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

/* Returns false, with errno, if that is unknown: ENOENT if there is no such file yet. */
static bool look_at_output(const char *path, struct file_facts *facts)
{
    return file_is_standard(path) ? file_look_at(STDOUT_FILENO, facts) : file_look(path, facts);
}

enum outfile_obstacle outfile_check(const char *input, const char *output)
{
    struct file_facts in, out;
    if (!look_at_output(output, &out))
        return OUTFILE_CLEAR;

    if (out.kind == FILE_IS_CHARACTERS) {
        int fd = file_is_standard(output) ? STDOUT_FILENO : file_open_output(output);
        bool terminal = fd >= 0 && file_is_terminal(fd);
        if (fd >= 0 && fd != STDOUT_FILENO)
            close(fd);
        if (terminal)
            return OUTFILE_TERMINAL;
    }
    bool is_same = source_look(input, &in) && in.volume == out.volume && in.number == out.number;
    return is_same ? OUTFILE_SAME_FILE : OUTFILE_CLEAR;
}

/*
 * Does writing leave the existing contents alone, because another process opened the file for this
 * one?
 */
static bool is_own_descriptor(const char *output)
{
    bool is_descriptor = false;
    char *target = file_is_standard(output) ? NULL : file_follow_links(output, &is_descriptor);
    bool own = file_is_standard(output) || (is_descriptor && file_own_descriptor(target) >= 0);
    free(target);
    return own;
}

ssize_t outfile_replaces(const char *output, char *head, size_t size)
{
    struct file_facts facts;
    if (is_own_descriptor(output))
        return 0;
    if (!file_look(output, &facts))
        return errno == ENOENT ? 0 : -1;
    if (facts.kind != FILE_IS_REGULAR || facts.size == 0)
        return 0;
    return file_read_start(output, head, size);
}

static bool fail(struct outfile *out, const char *what)
{
    if (!out->failed)
        diag_error_in(out->diag, out->name, "%s: %s", what, strerror(errno));
    out->failed = true;
    return false;
}

static bool no_memory(struct outfile *out)
{
    out->failed = true;
    return diag_no_memory(out->diag);
}

/* Makes "FOLDER/.BASE.PID-N.tmp" in malloc'ed memory. */
static char *temporary_path(const char *target, unsigned number)
{
    int folder = (int)file_folder_length(target);
    const char *base = target + folder;
    /* A name of the maximum length leaves no room, so only its start is used. */
    int base_length = (int)strnlen(base, NAME_MAX - 40);
    size_t size = (size_t)folder + (size_t)base_length + 48;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%.*s.%.*s.%ld-%u.tmp", folder, target, base_length, base,
                 (long)getpid(), number);
    return path;
}

static bool open_temporary(struct outfile *out)
{
    signals_hold(&out->signals);
    for (unsigned number = 0; number < TEMPORARY_TRIES; number++) {
        out->temporary = temporary_path(out->target, number);
        if (out->temporary == NULL)
            return no_memory(out);
        out->fd = file_create_temporary(out->temporary);
        if (out->fd >= 0)
            return true;
        int error = errno;
        free(out->temporary);
        out->temporary = NULL;
        errno = error;
        if (error != EEXIST)
            break;
    }
    return fail(out, "cannot create a temporary file in its directory");
}

/*
 * `is_file`: it is a regular file, or does not exist yet. The name of a descriptor receives the
 * bytes as they are written, whatever it leads to, because no other name of that is known.
 */
static bool open_path(struct outfile *out, const char *path, bool is_file)
{
    bool is_descriptor;
    char *target = file_follow_links(path, &is_descriptor);
    if (target == NULL)
        return fail(out, "cannot write");
    if (!is_descriptor && is_file) {
        out->target = target;
        return open_temporary(out);
    }
    out->fd = is_descriptor ? file_open_descriptor(target) : file_open_output(path);
    free(target);
    return out->fd >= 0 || fail(out, "cannot open for writing");
}

static void init(struct outfile *out, const char *name, struct diag *diag)
{
    memset(out, 0, offsetof(struct outfile, buffer));
    out->diag = diag;
    out->name = name;
    out->fd = -1;
}

/* After opening: is it open? If not, nothing of it remains. */
static bool is_open(struct outfile *out)
{
    if (out->failed)
        outfile_abort(out);
    return !out->failed;
}

void outfile_open_memory(struct outfile *out, struct outfile_memory *memory, struct diag *diag)
{
    init(out, "(memory)", diag);
    out->memory = memory;
}

bool outfile_open(struct outfile *out, const char *path, struct diag *diag)
{
    init(out, file_is_standard(path) ? "(standard output)" : path, diag);
    struct file_facts facts;
    bool exists = look_at_output(path, &facts);
    if (file_is_standard(path)) {
        out->fd = file_duplicate(STDOUT_FILENO);
        if (out->fd < 0)
            fail(out, "cannot write");
    } else if (!exists && errno != ENOENT) {
        /* A file of unknown kind may be a device, and is not replaced. */
        fail(out, "cannot write");
    } else if (exists && facts.kind == FILE_IS_FOLDER) {
        errno = EISDIR;
        fail(out, "cannot write");
    } else {
        open_path(out, path, !exists || facts.kind == FILE_IS_REGULAR);
    }
    return is_open(out);
}

bool outfile_open_new(struct outfile *out, const char *path, struct diag *diag)
{
    init(out, path, diag);
    out->target = strdup(path);
    if (out->target == NULL)
        no_memory(out);
    else
        open_temporary(out);
    return is_open(out);
}

static bool write_memory(struct outfile *out, const unsigned char *bytes, size_t length)
{
    struct outfile_memory *memory = out->memory;
    if (length == 0)
        return true;
    if (length > memory->most - memory->size) {
        out->failed = true;
        return diag_error(out->diag, 0, "found names that make more than %" PRIu64 " bytes to show, expected at most that, "
                          "for an input of this size", memory->most);
    }
    if (!array_reserve(&memory->bytes, &memory->capacity, memory->size + length, 1))
        return no_memory(out);
    memcpy(memory->bytes + memory->size, bytes, length);
    memory->size += length;
    out->written += length;
    return true;
}

static bool interrupted(struct outfile *out)
{
    errno = EINTR;
    return fail(out, "interrupted while writing");
}

static bool write_all(struct outfile *out, const unsigned char *bytes, size_t length)
{
    if (out->memory != NULL)
        return write_memory(out, bytes, length);
    if (out->temporary != NULL && signals_end_process(&out->signals))
        return interrupted(out);
    if (!file_write_all(out->fd, bytes, length))
        return fail(out, "cannot write");
    out->written += length;
    return !progress_is_wanted(&out->progress) ||
           progress_tell(&out->progress, CG2WG_WRITING, out->written) || interrupted(out);
}

static bool flush(struct outfile *out)
{
    size_t length = out->used;
    out->used = 0;
    return write_all(out, out->buffer, length);
}

void outfile_expect(struct outfile *out, uint64_t bytes)
{
    out->progress.total = bytes;
}

bool outfile_write_more(struct outfile *out, const void *bytes, size_t length)
{
    if (out->failed || !flush(out))
        return false;
    return length > sizeof out->buffer ? write_all(out, bytes, length) : outfile_write(out, bytes, length);
}

bool outfile_commit(struct outfile *out)
{
    if (!out->failed)
        flush(out);
    int fd = out->fd;
    out->fd = -1;
    if (fd >= 0 && !file_complete(fd))
        fail(out, "cannot write");
    if (!out->failed && out->temporary != NULL) {
        if (file_rename(out->temporary, out->target)) {
            free(out->temporary);
            out->temporary = NULL;
        } else {
            fail(out, "cannot rename the temporary file to it");
        }
    }
    bool done = !out->failed;
    outfile_abort(out);
    return done;
}

void outfile_abort(struct outfile *out)
{
    if (out->fd >= 0)
        close(out->fd);
    if (out->temporary != NULL)
        file_remove(out->temporary);
    free(out->temporary);
    free(out->target);
    signals_release(&out->signals);
}
