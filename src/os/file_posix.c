#include "os/file.h"

#include "util/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40 };

static void take_facts(struct file_facts *facts, const struct stat *st)
{
    facts->kind = S_ISREG(st->st_mode)   ? FILE_IS_REGULAR
                  : S_ISDIR(st->st_mode) ? FILE_IS_FOLDER
                  : S_ISCHR(st->st_mode) ? FILE_IS_CHARACTERS
                                         : FILE_IS_OTHER;
    facts->size = (uint64_t)st->st_size;
    facts->time = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    facts->volume = (uint64_t)st->st_dev;
    facts->number = (uint64_t)st->st_ino;
}

bool file_look(const char *path, struct file_facts *facts)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    take_facts(facts, &st);
    return true;
}

bool file_look_unfollowed(const char *path, struct file_facts *facts)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return false;
    take_facts(facts, &st);
    return true;
}

bool file_look_at(int fd, struct file_facts *facts)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    take_facts(facts, &st);
    return true;
}

/* flock() is not in POSIX, and some systems hide it where POSIX is asked for. */
bool file_is_locked(const char *path)
{
    bool is_locked = false;
#ifdef LOCK_SH
    int fd = file_open_regular(path);
    if (fd >= 0) {
        is_locked = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        close(fd);
    }
#else
    (void)path;
#endif
    return is_locked;
}

bool file_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

int64_t file_offset(int fd)
{
    return lseek(fd, 0, SEEK_CUR);
}

bool file_is_ready(int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    int count;
    do
        count = poll(&input, 1, 0);
    while (count < 0 && errno == EINTR);
    return count != 0;
}

int file_duplicate(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int file_open_input(const char *path)
{
    return open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

/* A FIFO that nobody writes to would make open() wait. */
static int open_regular(const char *path, int flags)
{
    struct file_facts facts;
    int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK | flags);
    if (fd < 0)
        return -1;
    int error = !file_look_at(fd, &facts) ? errno : facts.kind != FILE_IS_REGULAR ? EINVAL : 0;
    if (error == 0)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

int file_open_unfollowed(const char *path)
{
    return open_regular(path, O_NOFOLLOW);
}

int file_open_regular(const char *path)
{
    struct file_facts facts;
    bool is_descriptor;
    char *file = file_follow_links(path, &facts, &is_descriptor);
    int fd = file == NULL ? -1 : open_regular(file, is_descriptor ? 0 : O_NOFOLLOW);
    int error = errno;
    memory_free(file);
    errno = error;
    return fd;
}

int file_open_output(const char *path)
{
    return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW);
}

ssize_t file_read(int fd, void *bytes, size_t length)
{
    return read(fd, bytes, length);
}

ssize_t file_write(int fd, const void *bytes, size_t length)
{
    return write(fd, bytes, length);
}

ssize_t file_read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    return pread(fd, bytes, length, (off_t)offset);
}

ssize_t file_write_at(int fd, const void *bytes, size_t length, uint64_t offset)
{
    return pwrite(fd, bytes, length, (off_t)offset);
}

int file_create_unnamed(void)
{
    char path[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    if (snprintf(path, sizeof path, "%s/cg2wg-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    /* A signal between the two must not end the process, because the file would remain. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int fd = mkstemp(path);
    int error = errno;
    if (fd >= 0)
        unlink(path);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

int file_create_temporary(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

bool file_complete(int fd)
{
    int error;
    do
        error = fsync(fd) == 0 ? 0 : errno;
    while (error == EINTR);
    if (close(fd) != 0 && error == 0)
        error = errno;
    errno = error;
    return error == 0;
}

bool file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void file_remove(const char *path)
{
    unlink(path);
}

/*
 * Where a link leads, in malloc'ed memory. NULL, with errno: EINVAL: not a link, ENOENT: it does
 * not exist.
 */
static char *follow_link(const char *path)
{
    char link[PATH_MAX];
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0)
        return NULL;
    link[length] = '\0';
    size_t folder = link[0] == '/' ? 0 : file_folder_length(path);
    char *next = memory_get(folder + (size_t)length + 1);
    if (next != NULL) {
        memcpy(next, path, folder);
        memcpy(next + folder, link, (size_t)length + 1);
    }
    return next;
}

/* On Linux, such links are in a file system of their own, and their text need not be a path. */
static bool leads_to_descriptor(const struct stat *link)
{
    struct stat descriptors;
    return stat("/proc/self/fd", &descriptors) == 0 && link->st_dev == descriptors.st_dev;
}

/* In a directory with the sticky bit, nobody else can put another link in the place of one that is accepted. */
static bool may_be_followed(const char *link, uid_t owner)
{
    enum { SHARED = S_ISVTX | S_IWOTH };
    char folder[PATH_MAX + 1];
    struct stat st;
    snprintf(folder, sizeof folder, "%.*s.", (int)file_folder_length(link), link);
    return owner == geteuid() || owner == 0 ||
           (stat(folder, &st) == 0 && (owner == st.st_uid || (st.st_mode & SHARED) != SHARED));
}

/*
 * Takes a step along a chain of links, in malloc'ed memory. Returns `path` itself at its end, and NULL, with
 * errno, if that fails.
 */
static char *follow_once(char *path, struct file_facts *facts, bool *is_descriptor)
{
    struct stat st;
    facts->kind = FILE_IS_ABSENT;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ? path : NULL;
    take_facts(facts, &st);
    *is_descriptor = S_ISLNK(st.st_mode) && leads_to_descriptor(&st);
    if (!S_ISLNK(st.st_mode))
        return path;
    if (*is_descriptor)
        return file_look(path, facts) ? path : NULL;
    errno = EACCES;
    return may_be_followed(path, st.st_uid) ? follow_link(path) : NULL;
}

char *file_follow_links(const char *path, struct file_facts *facts, bool *is_descriptor)
{
    char *target = memory_string(path);
    *is_descriptor = false;
    for (int i = 0; target != NULL; i++) {
        char *next = follow_once(target, facts, is_descriptor);
        if (next == target)
            return target;
        int error = errno;
        if (i == MAX_LINKS) {
            memory_free(next);
            next = NULL;
            error = ELOOP;
        }
        memory_free(target);
        target = next;
        errno = error;
    }
    return NULL;
}

/* Opens what a folder has by that name, if that is a regular file, and no link; sets *owner. */
static int open_unfollowed(int folder, const char *name, uid_t *owner)
{
    struct stat st;
    int fd = -1;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return -1;
    if (S_ISREG(st.st_mode))
        fd = openat(folder, name, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    else
        errno = EINVAL;
    bool is_regular = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    *owner = st.st_uid;
    if (fd < 0 || is_regular)
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int file_open_trusted(const char *path, const char *other)
{
    struct stat st;
    uid_t owner;
    int fd = open_unfollowed(AT_FDCWD, path, &owner);
    if (fd < 0 || owner == 0 || owner == geteuid() ||
        (other != NULL && stat(other, &st) == 0 && owner == st.st_uid))
        return fd;
    close(fd);
    errno = EACCES;
    return -1;
}

/* No link is followed on the way down: there was none when the path was found to be below. */
int file_open_below(const char *path, const char *folder)
{
    char file[PATH_MAX], below[PATH_MAX];
    uid_t owner;
    if (realpath(path, file) == NULL || realpath(folder, below) == NULL)
        return -1;
    size_t length = strlen(below);
    while (length > 0 && below[length - 1] == '/')
        length--;
    if (strncmp(file, below, length) != 0 || file[length] != '/') {
        errno = EACCES;
        return -1;
    }
    int fd = open(below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (char *name = file + length + 1, *slash; fd >= 0 && name != NULL; name = slash) {
        slash = strchr(name, '/');
        if (slash != NULL)
            *slash++ = '\0';
        int next = slash != NULL ? openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
                                 : open_unfollowed(fd, name, &owner);
        int error = errno;
        close(fd);
        errno = error;
        fd = next;
    }
    return fd;
}

int file_own_descriptor(const char *link)
{
    const char *name = link + file_folder_length(link);
    char *end;
    struct stat st, own;
    long number = strtol(name, &end, 10);
    if (end != name && *end == '\0' && number >= 0 && number <= INT_MAX && stat(link, &st) == 0 &&
        fstat((int)number, &own) == 0 && st.st_dev == own.st_dev && st.st_ino == own.st_ino)
        return (int)number;
    return -1;
}

int file_open_descriptor(const char *link)
{
    return open(link, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
}

size_t file_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}
