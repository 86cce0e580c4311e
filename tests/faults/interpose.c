/* SPDX-License-Identifier: MIT */
#define INTERPOSE_REAL_CALLS
#include "faults/interpose.h"

#include "faults/faults.h"

#include <errno.h>
#include <stdarg.h>

struct faults *faults;

static bool is_struck(enum fault_call call)
{
    unsigned number = atomic_fetch_add(&faults->calls[call], 1) + 1;
    return faults->call == call && (number == faults->number || (faults->stays && number > faults->number));
}

/* As somebody else would do it. The calls of other threads must not need these files. */
void faults_switch(void)
{
    rename(faults->path, "aside");
    rename(faults->other, faults->path);
    rename("aside", faults->other);
    faults->is_switched = !faults->is_switched;
}

/*
 * To be asked before each call. Returns 0 if it is to be made, EFFECT_SHORT if in part, or the
 * error that it has to fail with.
 */
static int effect_on(enum fault_call call)
{
    if (faults == NULL)
        return 0;
    if (faults->is_switched && call != CALL_MEMORY)
        faults_switch();
    bool struck = is_struck(call);
    if (call != CALL_MEMORY && is_struck(CALL_ANY))
        struck = true;
    if (!struck)
        return 0;
    atomic_fetch_add(&faults->faults, 1);
    if (faults->effect == EFFECT_SWITCH)
        faults_switch();
    else if (faults->effect == EFFECT_SIGNAL)
        kill(getpid(), faults->signal);
    else
        return faults->effect;
    return 0;
}

/* Sets errno if the call is to fail. Only a part of the size may be left of it (NULL: it has none). */
static bool fails_or_cut(enum fault_call call, size_t *size)
{
    int effect = effect_on(call);
    if (effect == EFFECT_SHORT && size != NULL && *size > 1)
        *size = 1;
    if (effect > 0)
        errno = effect;
    return effect > 0;
}

static bool fails(enum fault_call call)
{
    return fails_or_cut(call, NULL);
}

static void count_blocks(long change)
{
    if (faults != NULL)
        atomic_fetch_add(&faults->blocks, change);
}

static void *counted(void *block)
{
    count_blocks(block != NULL);
    return block;
}

/* ---- memory ------------------------------------------------------------------------------- */

void *faulty_malloc(size_t size)
{
    return fails(CALL_MEMORY) ? NULL : counted(malloc(size));
}

void *faulty_calloc(size_t count, size_t size)
{
    return fails(CALL_MEMORY) ? NULL : counted(calloc(count, size));
}

void *faulty_realloc(void *old, size_t size)
{
    if (fails(CALL_MEMORY))
        return NULL;
    bool is_new = old == NULL;
    void *block = realloc(old, size);
    count_blocks(is_new && block != NULL);
    return block;
}

void faulty_free(void *block)
{
    count_blocks(-(block != NULL));
    free(block);
}

/* ---- files -------------------------------------------------------------------------------- */

static _Thread_local int random_source = -1;

int faulty_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    bool is_random = strcmp(path, "/dev/urandom") == 0;
    int fd = fails(is_random ? CALL_OPTIONAL : CALL_OPEN) ? -1 : open(path, flags, mode);
    if (is_random)
        random_source = fd;
    return fd;
}

/* A decoder's report of its progress never waits: it may be lost. Only those that it sets so are looked at. */
static bool some_never_wait;

static bool is_optional(int fd)
{
    struct stat st;
    int flags = some_never_wait ? fcntl(fd, F_GETFL) : 0;
    return fd == random_source ||
           (flags >= 0 && (flags & O_NONBLOCK) != 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode));
}

int faulty_fcntl(int fd, int command, ...)
{
    if (command == F_GETFD || command == F_GETFL)
        return fcntl(fd, command); /* cannot fail where there is a file */
    va_list arguments;
    va_start(arguments, command);
    int argument = va_arg(arguments, int);
    va_end(arguments);
    some_never_wait |= command == F_SETFL && (argument & O_NONBLOCK) != 0;
    return fails(CALL_FCNTL) ? -1 : fcntl(fd, command, argument);
}

/* A call that returns -1 and sets errno if it fails */
#define FAULTY(type, kind, name, parameters, arguments) \
    type faulty_##name parameters \
    { \
        return fails(kind) ? -1 : name arguments; \
    }

FAULTY(int, CALL_OPEN, openat, (int folder, const char *path, int flags), (folder, path, flags))
FAULTY(int, CALL_OPEN, mkstemp, (char *path), (path))
FAULTY(int, CALL_PIPE, pipe, (int ends[2]), (ends))
FAULTY(int, CALL_STAT, fstat, (int fd, struct stat *st), (fd, st))
FAULTY(int, CALL_STAT, stat, (const char *path, struct stat *st), (path, st))
FAULTY(int, CALL_STAT, lstat, (const char *path, struct stat *st), (path, st))
FAULTY(ssize_t, CALL_STAT, readlink, (const char *path, char *link, size_t size), (path, link, size))
FAULTY(off_t, CALL_SEEK, lseek, (int fd, off_t offset, int whence), (fd, offset, whence))
FAULTY(int, CALL_SYNC, fsync, (int fd), (fd))
FAULTY(int, CALL_RENAME, rename, (const char *from, const char *to), (from, to))
FAULTY(int, CALL_UNLINK, unlink, (const char *path), (path))
FAULTY(int, CALL_POLL, poll, (struct pollfd *fds, nfds_t count, int timeout), (fds, count, timeout))
FAULTY(pid_t, CALL_WAIT, wait4, (pid_t pid, int *status, int options, struct rusage *usage), (pid, status, options, usage))

ssize_t faulty_read(int fd, void *bytes, size_t size)
{
    enum fault_call call = is_optional(fd) ? CALL_OPTIONAL : CALL_READ;
    return fails_or_cut(call, &size) ? -1 : read(fd, bytes, size);
}

ssize_t faulty_pread(int fd, void *bytes, size_t size, off_t offset)
{
    return fails_or_cut(CALL_PREAD, &size) ? -1 : pread(fd, bytes, size, offset);
}

ssize_t faulty_write(int fd, const void *bytes, size_t size)
{
    enum fault_call call = is_optional(fd) ? CALL_OPTIONAL : CALL_WRITE;
    return fails_or_cut(call, &size) ? -1 : write(fd, bytes, size);
}

/* ---- streams: stdio's own writes, in small pieces, are calls of `write` as the program's ------- */

/* What glibc and other libraries take as an error */
#ifdef __GLIBC__
enum { WRITE_FAILED = 0 };
#else
enum { WRITE_FAILED = -1 };
#endif

static ssize_t write_stream(void *of, const char *bytes, size_t size)
{
    size_t done = 0;
    ssize_t count = 0;
    while (done < size && (count >= 0 || errno == EINTR)) {
        count = faulty_write((int)(intptr_t)of, bytes + done, size - done);
        done += count > 0 ? (size_t)count : 0;
    }
    return done < size ? WRITE_FAILED : (ssize_t)done;
}

static int close_stream(void *of)
{
    return close((int)(intptr_t)of);
}

static int seek_stream(void *of, off_t *offset, int whence)
{
    off_t at = lseek((int)(intptr_t)of, *offset, whence);
    if (at >= 0)
        *offset = at;
    return at < 0 ? -1 : 0;
}

static struct {
    FILE *stream;
    int fd;
    char piece[256];
} streams[8];
static size_t made;
static FILE *standard_output;

static FILE *open_stream(int fd, const char *mode)
{
    FILE *stream = fopencookie((void *)(intptr_t)fd, mode,
                               (cookie_io_functions_t){.write = write_stream, .seek = seek_stream, .close = close_stream});
    if (stream == NULL || made == sizeof streams / sizeof streams[0])
        abort();
    streams[made].stream = stream;
    streams[made].fd = fd;
    setvbuf(stream, streams[made].piece, _IOFBF, sizeof streams[made].piece);
    made++;
    return stream;
}

/* Streams like these have no descriptor of their own. */
int faulty_fileno(FILE *stream)
{
    for (size_t i = made; i > 0; i--)
        if (streams[i - 1].stream == stream)
            return streams[i - 1].fd;
    return fileno(stream);
}

FILE *faulty_fdopen(int fd, const char *mode)
{
    return fails(CALL_STREAM) ? NULL : open_stream(fd, mode);
}

FILE *faulty_stdout(void)
{
    if (standard_output == NULL)
        standard_output = open_stream(STDOUT_FILENO, "w");
    return standard_output;
}

/* Closes in any case, as close does. */
int faulty_fclose(FILE *stream)
{
    bool failed = fails(CALL_FLUSH);
    if (stream == standard_output)
        standard_output = NULL;
    int error = errno, result = fclose(stream);
    if (failed)
        errno = error;
    return failed ? EOF : result;
}

/* The file is closed even where that fails, as Linux has it. */
int faulty_close(int fd)
{
    if (fd == random_source)
        random_source = -1;
    struct stat st;
    int flags = fcntl(fd, F_GETFL);
    bool is_output = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &st) == 0 &&
                     st.st_nlink > 0 && (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode));
    bool failed = fails(is_output ? CALL_CLOSE_OUTPUT : CALL_CLOSE);
    int error = errno;
    int result = close(fd);
    if (failed)
        errno = error;
    return failed ? -1 : result;
}

/* ---- processes and threads ---------------------------------------------------------------- */

/* A call that returns its error */
#define RETURNING(kind, name, parameters, arguments) \
    int faulty_##name parameters \
    { \
        int effect = effect_on(kind); \
        return effect > 0 ? effect : name arguments; \
    }

RETURNING(CALL_SPAWN, posix_spawnp,
          (pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
           const posix_spawnattr_t *attributes, char *const words[], char *const environment[]),
          (pid, file, actions, attributes, words, environment))
RETURNING(CALL_SPAWN, posix_spawn_file_actions_init, (posix_spawn_file_actions_t *actions), (actions))
RETURNING(CALL_SPAWN, posix_spawn_file_actions_adddup2, (posix_spawn_file_actions_t *actions, int from, int to),
          (actions, from, to))
RETURNING(CALL_SPAWN, posix_spawnattr_init, (posix_spawnattr_t *attributes), (attributes))
RETURNING(CALL_THREAD, pthread_create,
          (pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
          (thread, attributes, run, argument))

/* In a build for coverage: writes what has been counted. Else there is no such function. */
extern void __gcov_dump(void) __attribute__((weak));

void faults_begin(void)
{
    if (standard_output != NULL)
        fclose(standard_output);
    standard_output = NULL;
    made = 0;
    random_source = -1;
    some_never_wait = false;
}

/* Never fails; but what it covers is not to be lost. */
_Noreturn void faulty_exit(int status)
{
    if (__gcov_dump != NULL)
        __gcov_dump();
    _exit(status);
}

long faulty_sysconf(int name)
{
    return name == _SC_NPROCESSORS_ONLN && fails(CALL_CORES) ? -1 : sysconf(name);
}
