/*
 * Files as the system has them: what differs between POSIX and Windows. A descriptor is one of the C
 * library's, whose close() and dup() serve on both. All that fails sets errno.
 *
 * Paths are bytes on POSIX. On Windows they are UTF-8; descriptors are binary there.
 */
#ifndef CG2WG_UTIL_FILE_H
#define CG2WG_UTIL_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum file_kind {
    FILE_IS_REGULAR,
    FILE_IS_FOLDER,
    FILE_IS_CHARACTERS, /* a terminal, or a device that is no disk */
    FILE_IS_OTHER       /* a pipe, for one */
};

struct file_facts {
    enum file_kind kind;
    uint64_t size;
    uint64_t volume, number; /* both are the same: it is the same file */
};

/* What there is behind a path, links followed, or behind a descriptor. */
bool file_look(const char *path, struct file_facts *facts);
bool file_look_at(int fd, struct file_facts *facts);

bool file_is_terminal(int fd);

/* Where the next byte is read or written; -1 where there is no such place, as in a pipe. */
int64_t file_offset(int fd);

/* Would a read return at once, with bytes, the end or a failure? True, too, if that cannot be told. */
bool file_is_ready(int fd);

/* Descriptors that no program inherits which is started meanwhile; or -1. */
int file_open_input(const char *path);
int file_open_output(const char *path); /* of what is there: a device, a pipe */
int file_duplicate(int fd);             /* another one for the same */

/* As read() and the like: how many bytes, at most `length`; 0 at the end; -1, maybe with EINTR. */
ssize_t file_read(int fd, void *bytes, size_t length);
static inline ssize_t file_read_again(int fd, void *bytes, size_t length); /* never EINTR */
ssize_t file_write(int fd, const void *bytes, size_t length);
ssize_t file_read_at(int fd, void *bytes, size_t length, uint64_t offset);
ssize_t file_write_at(int fd, const void *bytes, size_t length, uint64_t offset);

static inline ssize_t file_read_again(int fd, void *bytes, size_t length)
{
    ssize_t count;
    do
        count = file_read(fd, bytes, length);
    while (count < 0 && errno == EINTR);
    return count;
}

/* A file for the process alone, to be written and read, that is gone when it is closed; or -1. */
int file_create_unnamed(void);

/*
 * A file that is to be renamed when it is complete; EEXIST if there is one of that name. On Windows the
 * system removes it when the process ends, however it does, unless file_complete was called. On POSIX
 * nobody does: see util/signals.h.
 */
int file_create_temporary(const char *path);

/* Closes such a file, which stays. Returns false if what was written may be lost; it is closed, too. */
bool file_complete(int fd);

/* Gives a file the name of another, which it replaces at once. Who has that one open keeps it. */
bool file_rename(const char *from, const char *to);

void file_remove(const char *path);

/*
 * Where a chain of links leads, in malloc'ed memory, whether there is a file or not: that is what is
 * to be replaced, the links stay. NULL if it leads nowhere, or memory runs out.
 *
 * *is_descriptor is set where it leads to what some process has open, as /dev/stdout and /dev/fd/1 may,
 * by a link of the system's own: that is returned, and tells no path to be replaced.
 */
char *file_follow_links(const char *path, bool *is_descriptor);

/*
 * Opens such a link for writing: as that descriptor, from where it stands, if it is one of this process;
 * else the file is emptied. Or -1.
 */
int file_open_descriptor(const char *link);

/* The descriptor of this process that such a link leads to, or -1. */
int file_own_descriptor(const char *link);

/* How much of a path names the folder, with the separator; 0: the current one. */
size_t file_folder_length(const char *path);

#endif
