/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* declares memfd_create, which POSIX lacks */
#include "os/file.h"

#include "os/thread.h"
#include "util/task.h"
#include "util/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stat(), whose result this is, says of a file. */
static bool set_facts(struct file_facts *facts, const struct stat *st, int result)
{
    if (result != 0)
        return false;
    mode_t mode = st->st_mode;
    *facts = (struct file_facts){.kind = S_ISREG(mode)   ? FILE_IS_REGULAR
                                         : S_ISDIR(mode) ? FILE_IS_FOLDER
                                         : S_ISCHR(mode) ? FILE_IS_CHARACTERS
                                                         : FILE_IS_OTHER,
                                 .rights = {mode & 0666, st->st_gid},
                                 .is_own = st->st_uid == geteuid(),
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
#define AGAIN(call) \
    __extension__({ \
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

int file_create_unnamed(bool in_memory)
{
    char path[PATH_MAX];
#ifdef MFD_CLOEXEC
    int memory = in_memory ? memfd_create("cg2wg", MFD_CLOEXEC) : -1;
    if (memory >= 0)
        return memory;
#else
    (void)in_memory;
#endif
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    if (snprintf(path, sizeof path, "%s/cg2wg-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    struct held_signals signals;
    signals_hold(&signals, false); /* a process that ended between the two would leave the file */
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
    if (AGAIN(fsync(fd)) != 0 ? give_up(fd, 0) < 0 : close(fd) != 0)
        return "cannot write";
    return rename(from, to) == 0 ? NULL : "cannot rename the temporary file to it";
}

void file_remove(const char *path)
{
    unlink(path);
}

char *file_find_own(const char *folder, const char *prefix)
{
    char path[PATH_MAX];
    struct file_facts facts;
    bool is_found = false;
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries != NULL && !is_found && (entry = readdir(entries)) != NULL;)
        is_found = strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
                   snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
                   file_look(path, false, &facts) && facts.kind == FILE_IS_REGULAR && facts.is_own;
    if (entries != NULL)
        closedir(entries);
    return is_found ? memory_string(path) : NULL;
}

/* In a directory with the sticky bit, nobody else can put another file in the place of one that is accepted. */
static bool may_be_used(const char *path, uid_t owner)
{
    enum { SHARED = S_ISVTX | S_IWOTH };
    char folder[PATH_MAX + 1];
    struct stat st;
    snprintf(folder, sizeof folder, "%.*s.", (int)file_folder_length(path), path);
    return owner == geteuid() || owner == 0 ||
           (stat(folder, &st) == 0 && (owner == st.st_uid || (st.st_mode & SHARED) != SHARED));
}

bool file_is_strangers(const char *path, const char *profile)
{
    struct stat st, other;
    return lstat(path, &st) == 0 && !may_be_used(path, st.st_uid) &&
           (stat(profile, &other) != 0 || other.st_uid != st.st_uid);
}

/*
 * Looks at the name that ends at `end` in path[PATH_MAX]. If it is a link that is followed, puts what it leads to in
 * its place, and returns 1; otherwise 0, or -1 with errno. Of links of the system only those at the end are looked at.
 */
static int follow_name(char *path, char *end, bool is_followed, struct file_facts *facts)
{
    struct stat st, descriptors;
    struct file_facts own;
    uint64_t number;
    char link[PATH_MAX], rest[PATH_MAX];
    strcpy(rest, end);
    *end = '\0';
    *facts = (struct file_facts){.kind = FILE_IS_ABSENT, .own = -1};
    if (!set_facts(facts, &st, lstat(path, &st)))
        return errno == ENOENT ? 0 : -1;
    bool is_link = S_ISLNK(st.st_mode), is_plain = S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
    bool is_system = is_link && stat("/proc/self/fd", &descriptors) == 0 && st.st_dev == descriptors.st_dev;
    /* On Linux, links to descriptors are in a file system of their own, and their text need not be a path. */
    if (is_system && *rest == '\0' && is_followed) {
        if (!file_look(path, true, facts))
            return -1;
        facts->is_linked = true;
        if (text_whole_number(path + file_folder_length(path), 0, INT_MAX, &number) &&
            file_look_at((int)number, &own) && file_is_same(facts, &own))
            facts->own = (int)number;
    }
    if (is_system || is_plain || !is_followed)
        return 0;
    errno = EACCES;
    if (!may_be_used(path, st.st_uid))
        return -1;
    if (!is_link)
        return 0;
    ssize_t count = readlink(path, link, sizeof link);
    size_t folder = count > 0 && link[0] == '/' ? 0 : file_folder_length(path);
    errno = count >= 0 ? ENAMETOOLONG : errno;
    if (count < 0 || folder + (size_t)count + strlen(rest) >= PATH_MAX)
        return -1;
    memcpy(path + folder, link, (size_t)count);
    strcpy(path + folder + count, rest);
    return 1;
}

char *file_follow_links(const char *start, enum file_links followed, struct file_facts *facts)
{
    enum { MAX_LINKS = 40 };
    char path[PATH_MAX], *at = path; /* the next name in it */
    errno = ENAMETOOLONG;
    if (strlen(start) >= sizeof path)
        return NULL;
    strcpy(path, start);
    for (int links = 0; links <= MAX_LINKS;) {
        at = followed == FOLLOW_END ? path + file_folder_length(path) : at + strspn(at, "/");
        char *end = at + strcspn(at, "/");
        bool is_last = *end == '\0';
        int result = follow_name(path, end, !is_last || followed != FOLLOW_FOLDERS, facts);
        if (result < 0)
            return NULL;
        if (result == 0)
            *end = is_last ? '\0' : '/';
        if (result == 0 && (is_last || facts->kind == FILE_IS_ABSENT))
            return memory_string(path);
        at = result == 0 ? end : path;
        links += result;
    }
    errno = ELOOP;
    return NULL;
}

#ifdef LOCK_SH /* flock() is not in POSIX, and some systems hide it where POSIX is asked for. */
/* Is that a process of the user? Others that cannot be looked at are: the one that writes a file may be among them. */
static bool is_process_of(long pid, uid_t user)
{
    char line[256];
    long real = -1, effective = -1;
    snprintf(line, sizeof line, "/proc/%ld/status", pid);
    FILE *status = fopen(line, "r");
    if (status == NULL)
        return kill((pid_t)pid, 0) != 0 && errno == EPERM;
    while (real < 0 && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "Uid: %ld %ld", &real, &effective) != 2)
            real = -1;
    fclose(status);
    return real == (long)user && effective == (long)user;
}

/*
 * Whoever can read a file can lock it, so only the lock of its owner says that it is being written. Linux lists locks:
 * `1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF`, with process and inode. One that is not listed may be the owner's.
 */
static bool is_locked_by_owner(int fd)
{
    char line[256];
    struct stat st;
    long pid;
    unsigned long long inode;
    bool is_listed = false, is_owners = false;
    FILE *locks = fopen("/proc/locks", "r");
    while (locks != NULL && fstat(fd, &st) == 0 && !is_owners && fgets(line, sizeof line, locks) != NULL)
        if (sscanf(line, "%*s FLOCK %*s WRITE %ld %*[^:]:%*[^:]:%llu", &pid, &inode) == 2 && inode == st.st_ino) {
            is_listed = true;
            is_owners = is_process_of(pid, st.st_uid);
        }
    if (locks != NULL)
        fclose(locks);
    return is_owners || !is_listed;
}
#endif

int file_open(const char *path, enum file_use use)
{
    static const int flags[] = {
        [FILE_TO_READ] = O_RDONLY, [FILE_TO_WRITE] = O_WRONLY | O_NOFOLLOW, [FILE_OF_DESCRIPTOR] = O_WRONLY | O_TRUNC};
    struct file_facts facts;
    if (use == FILE_UNFOLLOWED)
        return open_regular(AT_FDCWD, path, O_NOFOLLOW);
    if (use != FILE_REGULAR && use != FILE_UNLOCKED)
        return open(path, flags[use] | O_NOCTTY | O_CLOEXEC);
    char *target = file_follow_links(path, FOLLOW_END, &facts);
    int fd = target != NULL ? open_regular(AT_FDCWD, target, facts.is_linked ? 0 : O_NOFOLLOW) : -1;
    int error = errno;
    memory_free(target);
    errno = error;
#ifdef LOCK_SH
    if (use == FILE_UNLOCKED && fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
        is_locked_by_owner(fd))
        return give_up(fd, EWOULDBLOCK);
#endif
    return fd;
}

/* What remains of rights in a file of the group: another group than theirs gets what everybody and they had. */
static unsigned rights_in(const struct file_rights *rights, unsigned group)
{
    unsigned all = rights->mode & rights->mode >> 3 & 06;
    return rights->group == group ? rights->mode : (rights->mode & 0600) | all << 3 | all;
}

void file_limit_rights(struct file_rights *rights, const struct file_rights *other)
{
    if ((rights->mode >> 3 & 06) == (rights->mode & 06)) /* the same in any group */
        rights->group = other->group;
    rights->mode = rights_in(rights, other->group) & rights_in(other, rights->group);
}

/* A new file gets its mode when it is made, so that nobody can open it too early. Its owner may always read it. */
int file_create(const char *path, const struct file_rights *most, const struct file_facts *replaced)
{
    char folder[PATH_MAX + 1];
    struct stat st;
    bool keeps_group = replaced != NULL && replaced->is_own;
    snprintf(folder, sizeof folder, "%.*s.", (int)file_folder_length(path), path);
    gid_t group = stat(folder, &st) == 0 && (st.st_mode & S_ISGID) != 0 ? st.st_gid : getegid();
    mode_t mode = keeps_group ? 0600 : rights_in(most, group) | S_IRUSR;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY | O_CLOEXEC, mode);
    if (fd < 0)
        return -1;
    if (keeps_group && fchown(fd, (uid_t)-1, replaced->rights.group) != 0)
        errno = 0; /* it keeps its own group */
    if (fstat(fd, &st) != 0) {
        int error = errno;
        unlink(path);
        return give_up(fd, error);
    }
    mode = rights_in(most, st.st_gid) & (replaced != NULL ? rights_in(&replaced->rights, st.st_gid) : 0666);
    mode = (keeps_group ? mode : mode & st.st_mode) | S_IRUSR;
    if (mode != (st.st_mode & 0777)) /* some file systems have no modes */
        fchmod(fd, mode);
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

char *file_resolve(const char *path)
{
    char resolved[PATH_MAX];
    return realpath(path, resolved) != NULL ? memory_string(resolved) : NULL;
}

/* In a resolved path, a link is new, and not followed. Most paths lead nowhere, which stat() finds in one step. */
int file_open_below(const char *path, const char *folder)
{
    char file[PATH_MAX];
    struct stat st;
    if (stat(path, &st) != 0 || realpath(path, file) == NULL)
        return -1;
    size_t length = strlen(folder);
    length -= folder[length - 1] == '/'; /* the root ends with one */
    if (strncmp(file, folder, length) != 0 || file[length] != '/') {
        errno = EACCES;
        return -1;
    }
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
