#define INTERPOSE_REAL_CALLS
#include "faults/interpose.h"

#include "faults/faults.h"

#include <errno.h>
#include <stdarg.h>

struct faults *faults;

static bool is_struck(enum fault_call call)
{
    unsigned number = atomic_fetch_add(&faults->calls[call], 1) + 1;
    return faults->call == call &&
           (number == faults->number || (faults->stays && number > faults->number));
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

/* Sets errno if the call is to fail. */
static bool fails(enum fault_call call)
{
    int effect = effect_on(call);
    if (effect > 0)
        errno = effect;
    return effect > 0;
}

/* The same where only a part of the size may be left of it. */
static bool fails_or_cut(enum fault_call call, size_t *size)
{
    int effect = effect_on(call);
    if (effect == EFFECT_SHORT && *size > 1)
        *size = 1;
    if (effect > 0)
        errno = effect;
    return effect > 0;
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

char *faulty_strdup(const char *string)
{
    return fails(CALL_MEMORY) ? NULL : counted(strdup(string));
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

int faulty_openat(int folder, const char *path, int flags)
{
    return fails(CALL_OPEN) ? -1 : openat(folder, path, flags);
}

/* What tells how far a decoder has come never waits: it may be lost. */
static bool is_optional(int fd)
{
    struct stat st;
    int flags = fcntl(fd, F_GETFL);
    return fd == random_source ||
           (flags >= 0 && (flags & O_NONBLOCK) != 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode));
}

int faulty_mkstemp(char *path)
{
    return fails(CALL_OPEN) ? -1 : mkstemp(path);
}

int faulty_dup(int fd)
{
    return fails(CALL_OPEN) ? -1 : dup(fd);
}

int faulty_pipe(int ends[2])
{
    return fails(CALL_PIPE) ? -1 : pipe(ends);
}

int faulty_fcntl(int fd, int command, ...)
{
    if (command == F_GETFD || command == F_GETFL)
        return fcntl(fd, command); /* cannot fail where there is a file */
    va_list arguments;
    va_start(arguments, command);
    int argument = va_arg(arguments, int);
    va_end(arguments);
    return fails(CALL_FCNTL) ? -1 : fcntl(fd, command, argument);
}

int faulty_fstat(int fd, struct stat *st)
{
    return fails(CALL_STAT) ? -1 : fstat(fd, st);
}

int faulty_stat(const char *path, struct stat *st)
{
    return fails(CALL_STAT) ? -1 : stat(path, st);
}

int faulty_lstat(const char *path, struct stat *st)
{
    return fails(CALL_STAT) ? -1 : lstat(path, st);
}

ssize_t faulty_readlink(const char *path, char *link, size_t size)
{
    return fails(CALL_STAT) ? -1 : readlink(path, link, size);
}

off_t faulty_lseek(int fd, off_t offset, int whence)
{
    return fails(CALL_SEEK) ? -1 : lseek(fd, offset, whence);
}

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

/* Closes in any case, as close does. */
int faulty_fclose(FILE *stream)
{
    bool failed = fails(CALL_FLUSH);
    int error = errno, result = fclose(stream);
    if (failed)
        errno = error;
    return failed ? EOF : result;
}

int faulty_fsync(int fd)
{
    return fails(CALL_SYNC) ? -1 : fsync(fd);
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

int faulty_rename(const char *from, const char *to)
{
    return fails(CALL_RENAME) ? -1 : rename(from, to);
}

int faulty_unlink(const char *path)
{
    return fails(CALL_UNLINK) ? -1 : unlink(path);
}

int faulty_poll(struct pollfd *fds, nfds_t count, int timeout)
{
    return fails(CALL_POLL) ? -1 : poll(fds, count, timeout);
}

/* ---- processes and threads ---------------------------------------------------------------- */

pid_t faulty_waitpid(pid_t pid, int *status, int options)
{
    return fails(CALL_WAIT) ? -1 : waitpid(pid, status, options);
}

/* The rest return their error. */
static int error_of(enum fault_call call)
{
    int effect = effect_on(call);
    return effect > 0 ? effect : 0;
}

int faulty_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[],
                        char *const environment[])
{
    int error = error_of(CALL_SPAWN);
    return error != 0 ? error
                      : posix_spawnp(pid, file, actions, attributes, arguments, environment);
}

int faulty_posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    int error = error_of(CALL_SPAWN);
    return error != 0 ? error : posix_spawn_file_actions_init(actions);
}

int faulty_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to)
{
    int error = error_of(CALL_SPAWN);
    return error != 0 ? error : posix_spawn_file_actions_adddup2(actions, from, to);
}

int faulty_posix_spawnattr_init(posix_spawnattr_t *attributes)
{
    int error = error_of(CALL_SPAWN);
    return error != 0 ? error : posix_spawnattr_init(attributes);
}

/* In a build for coverage: writes what has been counted. Else there is no such function. */
extern void __gcov_dump(void) __attribute__((weak));

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

int faulty_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *), void *argument)
{
    int error = error_of(CALL_THREAD);
    return error != 0 ? error : pthread_create(thread, attributes, run, argument);
}
