#include "io/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 1000, MAX_LINKS = 40 };

static bool is_standard_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Returns false, with errno, if that cannot be learnt: ENOENT if there is no such file yet. */
static bool stat_output(const char *path, struct stat *st)
{
    return (is_standard_stream(path) ? fstat(STDOUT_FILENO, st) : stat(path, st)) == 0;
}

enum outfile_obstacle outfile_check(const char *input, const char *output)
{
    struct stat in, out;
    if (!stat_output(output, &out))
        return OUTFILE_CLEAR;

    if (S_ISCHR(out.st_mode)) {
        int fd = is_standard_stream(output) ? STDOUT_FILENO : open(output, O_WRONLY | O_NOCTTY);
        bool terminal = fd >= 0 && isatty(fd);
        if (fd >= 0 && fd != STDOUT_FILENO)
            close(fd);
        if (terminal)
            return OUTFILE_TERMINAL;
    }
    bool have_input =
        (is_standard_stream(input) ? fstat(STDIN_FILENO, &in) : stat(input, &in)) == 0;
    if (have_input && S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
        return OUTFILE_SAME_FILE;
    return OUTFILE_CLEAR;
}

/* Signals whose default is to end the process and that somebody else sends. */
static const int ending_signals[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGTERM, SIGALRM, SIGUSR1,
                                     SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU};

/* Signals that our own writing raises: a file grows too large, nobody reads a pipe. It fails, too. */
static const int own_signals[] = {SIGXFSZ, SIGPIPE};

enum {
    ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0],
    OWN_SIGNALS = sizeof own_signals / sizeof own_signals[0]
};

static void hold_signals(struct outfile *out)
{
    sigset_t ending;
    sigemptyset(&ending);
    for (int i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&ending, ending_signals[i]);
    for (int i = 0; i < OWN_SIGNALS; i++)
        sigaddset(&ending, own_signals[i]);
    out->holds_signals = true;
    pthread_sigmask(SIG_BLOCK, &ending, &out->old_mask);
}

/*
 * True if `number` waits that would end the process, were it not held back here. One that the caller
 * has a handler for would not; the handler is called when the output is there.
 */
static bool waits_to_end(const struct outfile *out, const sigset_t *pending, int number)
{
    struct sigaction action;
    return sigismember(pending, number) == 1 && sigismember(&out->old_mask, number) != 1 &&
           sigaction(number, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
           action.sa_handler == SIG_DFL;
}

static bool ending_signal_waits(const struct outfile *out)
{
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return false;
    for (int i = 0; i < ENDING_SIGNALS; i++)
        if (waits_to_end(out, &pending, ending_signals[i]))
            return true;
    return false;
}

/* Lets held signals through, but for those of our own writing. */
static void release_signals(struct outfile *out)
{
    sigset_t pending, own;
    if (!out->holds_signals)
        return;
    for (int i = 0; i < OWN_SIGNALS; i++) {
        int number;
        if (sigpending(&pending) != 0 || !waits_to_end(out, &pending, own_signals[i]))
            continue;
        sigemptyset(&own);
        sigaddset(&own, own_signals[i]);
        sigwait(&own, &number);
    }
    pthread_sigmask(SIG_SETMASK, &out->old_mask, NULL);
}

static bool fail(struct outfile *out, const char *what)
{
    if (!out->failed)
        diag_error_in(out->diag, out->name, "%s: %s", what, strerror(errno));
    out->failed = true;
    return false;
}

/* Makes "FOLDER/.BASE.PID-N.tmp" in malloc'ed memory. */
static char *temporary_path(const char *target, unsigned number)
{
    const char *slash = strrchr(target, '/');
    int folder = slash == NULL ? 0 : (int)(slash - target + 1);
    const char *base = target + folder;
    /* A name as long as the file system bears has no room for more: its start will do. */
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
    for (unsigned number = 0; number < TEMPORARY_TRIES; number++) {
        out->temporary = temporary_path(out->target, number);
        if (out->temporary == NULL)
            return diag_no_memory(out->diag);
        out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->fd >= 0)
            return true;
        int error = errno;
        free(out->temporary);
        out->temporary = NULL;
        errno = error;
        if (error != EEXIST)
            break;
    }
    return fail(out, "cannot create a temporary file in its folder");
}

/*
 * Where a chain of links leads, in malloc'ed memory, whether there is a file or not: that is what is
 * to be replaced, the links stay. NULL, with errno, if it leads nowhere.
 */
static char *follow_links(const char *path)
{
    char *target = strdup(path);
    for (int i = 0; target != NULL; i++) {
        char link[PATH_MAX];
        ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) {
            if (errno == EINVAL || errno == ENOENT)
                return target; /* no link, or nothing at all */
            int error = errno;
            free(target);
            errno = error;
            return NULL;
        }
        link[length] = '\0';
        const char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
        size_t folder = slash == NULL ? 0 : (size_t)(slash - target) + 1;
        char *next = i < MAX_LINKS ? malloc(folder + (size_t)length + 1) : NULL;
        if (next != NULL) {
            memcpy(next, target, folder);
            memcpy(next + folder, link, (size_t)length + 1);
        } else if (i == MAX_LINKS) {
            errno = ELOOP;
        }
        free(target);
        target = next;
    }
    return NULL;
}

bool outfile_open(struct outfile *out, const char *path, struct diag *diag)
{
    out->diag = diag;
    out->name = is_standard_stream(path) ? "(standard output)" : path;
    out->target = NULL;
    out->temporary = NULL;
    out->fd = -1;
    out->failed = false;
    out->progress = (struct progress){.report = NULL};
    out->written = 0;
    out->used = 0;
    out->holds_signals = false;

    struct stat st;
    bool exists = stat_output(path, &st);
    bool opened;
    if (is_standard_stream(path)) {
        out->fd = dup(STDOUT_FILENO);
        opened = out->fd >= 0 || fail(out, "cannot write");
    } else if (!exists && errno != ENOENT) {
        /* What cannot be seen may be a device, and is not replaced. */
        opened = fail(out, "cannot write");
    } else if (exists && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        opened = fail(out, "cannot write");
    } else if (exists && !S_ISREG(st.st_mode)) {
        out->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
        opened = out->fd >= 0 || fail(out, "cannot open for writing");
    } else {
        hold_signals(out);
        out->target = follow_links(path);
        opened = out->target != NULL ? open_temporary(out) : fail(out, "cannot write");
    }
    if (!opened) {
        out->failed = true;
        outfile_abort(out);
    }
    return opened;
}

static bool write_all(struct outfile *out, const unsigned char *bytes, size_t length)
{
    if (out->temporary != NULL && ending_signal_waits(out)) {
        errno = EINTR;
        return fail(out, "stopped while writing");
    }
    while (length > 0) {
        ssize_t written = write(out->fd, bytes, length);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return fail(out, "cannot write");
        }
        bytes += written;
        length -= (size_t)written;
        out->written += (uint64_t)written;
    }
    if (progress_is_wanted(&out->progress))
        progress_tell(&out->progress, CG2WG_WRITING, out->written);
    return true;
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

bool outfile_write(struct outfile *out, const void *bytes, size_t length)
{
    if (out->failed)
        return false;
    if (length > sizeof out->buffer - out->used && !flush(out))
        return false;
    if (length > sizeof out->buffer)
        return write_all(out, bytes, length);
    memcpy(out->buffer + out->used, bytes, length);
    out->used += length;
    return true;
}

bool outfile_commit(struct outfile *out)
{
    if (!out->failed)
        flush(out);
    int fd = out->fd;
    out->fd = -1;
    if (close(fd) != 0)
        fail(out, "cannot write");
    if (!out->failed && out->temporary != NULL) {
        if (rename(out->temporary, out->target) == 0) {
            free(out->temporary);
            out->temporary = NULL;
        } else {
            fail(out, "cannot rename its temporary file to it");
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
        unlink(out->temporary);
    free(out->temporary);
    free(out->target);
    out->fd = -1;
    out->temporary = NULL;
    out->target = NULL;
    release_signals(out);
}
