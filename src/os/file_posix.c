#include "os/file.h"

#include "os/thread.h"
#include "util/run.h"
#include "util/text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stat(), whose result this is, says of a file. */
static bool set_facts(struct file_facts *facts, const struct stat *st, int result)
{
    if (result != 0)
        return false;
    *facts = (struct file_facts){.kind = S_ISREG(st->st_mode)   ? FILE_IS_REGULAR
                                         : S_ISDIR(st->st_mode) ? FILE_IS_FOLDER
                                         : S_ISCHR(st->st_mode) ? FILE_IS_CHARACTERS
                                                                : FILE_IS_OTHER,
                                 .size = (uint64_t)st->st_size,
                                 .time = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec,
                                 .volume = (uint64_t)st->st_dev,
                                 .number = (uint64_t)st->st_ino,
                                 .own = -1};
    return true;
}

bool file_look(const char *path, bool follows, struct file_facts *facts)
{
    struct stat st;
    return set_facts(facts, &st, follows ? stat(path, &st) : lstat(path, &st));
}

bool file_look_at(int fd, struct file_facts *facts)
{
    struct stat st;
    return set_facts(facts, &st, fstat(fd, &st));
}

/* Closes what was opened, if it was, and returns -1. Keeps errno, or sets it to `error`, if that is not 0. */
static int give_up(int fd, int error)
{
    if (error == 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return -1;
}

bool file_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

/* Opens a regular file in a folder. A FIFO that nobody writes to would make openat() wait. */
static int open_regular(int folder, const char *path, int flags)
{
    struct stat st;
    int fd = openat(folder, path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK | flags);
    bool is_known = fd >= 0 && fstat(fd, &st) == 0;
    return is_known && S_ISREG(st.st_mode) ? fd : give_up(fd, is_known ? EINVAL : 0);
}

/* The result of a call that is made again as long as a signal interrupts it. */
#define AGAIN(call) __extension__({ \
        ssize_t result; \
        do \
            result = (call); \
        while (result < 0 && errno == EINTR); \
        result; \
    })

ssize_t file_read(int fd, void *bytes, size_t length, int64_t offset)
{
    return AGAIN(offset < 0 ? read(fd, bytes, length) : pread(fd, bytes, length, (off_t)offset));
}

bool file_write_all(int fd, const void *bytes, size_t length)
{
    ssize_t count = 0;
    for (const char *p = bytes, *end = p + length; p < end && count >= 0; p += count)
        count = AGAIN(write(fd, p, (size_t)(end - p)));
    return count >= 0;
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
    struct held_signals signals;
    signals_hold(&signals); /* a process that ended between the two would leave the file */
    int fd = mkstemp(path);
    if (fd >= 0)
        unlink(path);
    signals_release(&signals);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

const char *file_complete(int fd, int64_t time, const char *from, const char *to)
{
    struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {(time_t)(time / 1000000000), (long)(time % 1000000000)}};
    if (time != 0)
        futimens(fd, times);
    bool is_lost = AGAIN(fsync(fd)) != 0 ? give_up(fd, 0) < 0 : close(fd) != 0;
    if (is_lost)
        return "cannot write";
    return rename(from, to) == 0 ? NULL : "cannot rename the temporary file to it";
}

void file_remove(const char *path)
{
    unlink(path);
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

char *file_follow_links(const char *start, struct file_facts *facts)
{
    enum { MAX_LINKS = 40 };
    char path[PATH_MAX], link[PATH_MAX];
    const char *rest = start; /* where the last link leads, from the folder that it is in */
    size_t folder = 0, length = strlen(start);
    for (int i = 0; i <= MAX_LINKS; i++) {
        struct stat st, descriptors;
        struct file_facts own;
        uint64_t number;
        errno = ENAMETOOLONG;
        if (folder + length >= PATH_MAX)
            return NULL;
        memcpy(path + folder, rest, length);
        path[folder + length] = '\0';
        *facts = (struct file_facts){.kind = FILE_IS_ABSENT, .own = -1};
        bool is_there = set_facts(facts, &st, lstat(path, &st));
        if (is_there ? !S_ISLNK(st.st_mode) : errno == ENOENT)
            return memory_string(path);
        if (!is_there)
            return NULL;
        /* On Linux, links to descriptors are in a file system of their own, and their text need not be a path. */
        if (stat("/proc/self/fd", &descriptors) == 0 && st.st_dev == descriptors.st_dev) {
            facts->is_linked = file_look(path, true, facts);
            if (facts->is_linked && text_whole_number(path + file_folder_length(path), 0, INT_MAX, &number) &&
                file_look_at((int)number, &own) && file_is_same(facts, &own))
                facts->own = (int)number;
            return facts->is_linked ? memory_string(path) : NULL;
        }
        errno = EACCES;
        ssize_t count = may_be_followed(path, st.st_uid) ? readlink(path, link, sizeof link) : -1;
        if (count < 0)
            return NULL;
        rest = link;
        length = (size_t)count;
        folder = length > 0 && link[0] == '/' ? 0 : file_folder_length(path);
    }
    errno = ELOOP;
    return NULL;
}

int file_open(const char *path, enum file_use use)
{
    static const int flags[] = {[FILE_TO_READ] = O_RDONLY,
                                [FILE_TO_WRITE] = O_WRONLY | O_NOFOLLOW,
                                [FILE_TEMPORARY] = O_WRONLY | O_CREAT | O_EXCL,
                                [FILE_OF_DESCRIPTOR] = O_WRONLY | O_TRUNC};
    struct file_facts facts;
    if (use == FILE_UNFOLLOWED)
        return open_regular(AT_FDCWD, path, O_NOFOLLOW);
    if (use != FILE_REGULAR && use != FILE_UNLOCKED)
        return open(path, flags[use] | O_NOCTTY | O_CLOEXEC, 0666);
    char *target = file_follow_links(path, &facts);
    int fd = target != NULL ? open_regular(AT_FDCWD, target, facts.is_linked ? 0 : O_NOFOLLOW) : -1;
    int error = errno;
    memory_free(target);
    errno = error;
#ifdef LOCK_SH /* flock() is not in POSIX, and some systems hide it where POSIX is asked for. */
    if (use == FILE_UNLOCKED && fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return give_up(fd, 0);
#endif
    return fd;
}

int file_open_trusted(const char *path, const char *other)
{
    struct stat file, st;
    int fd = file_open(path, FILE_UNFOLLOWED);
    bool is_known = fd >= 0 && fstat(fd, &file) == 0;
    bool is_trusted = is_known && (file.st_uid == 0 || file.st_uid == geteuid() ||
                                   (other != NULL && stat(other, &st) == 0 && file.st_uid == st.st_uid));
    return is_trusted ? fd : give_up(fd, is_known ? EACCES : 0);
}

/* A resolved path has no links, so one that open() meets on the way down is new, and not followed. */
int file_open_below(const char *path, const char *folder)
{
    char file[PATH_MAX], below[PATH_MAX];
    if (realpath(path, file) == NULL || realpath(folder, below) == NULL)
        return -1;
    size_t length = strlen(below);
    length -= below[length - 1] == '/'; /* the root ends with one */
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
                                 : open_regular(fd, name, O_NOFOLLOW);
        give_up(fd, 0);
        fd = next;
    }
    return fd;
}
