/* SPDX-License-Identifier: MIT */
/* Files, where systems differ; close() works on all. Functions set errno. Paths are bytes, on Windows UTF-8. */
#ifndef CG2WG_OS_FILE_H
#define CG2WG_OS_FILE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum file_kind {
    FILE_IS_REGULAR,
    FILE_IS_FOLDER,
    FILE_IS_CHARACTERS, /* a terminal, or a device that is not a disk */
    FILE_IS_OTHER,      /* such as a pipe, or a link that is not followed */
    FILE_IS_ABSENT      /* only from file_follow_links */
};

/* What others may do with a file. On Windows, folders decide that: 0666 and 0. */
struct file_rights {
    unsigned mode;  /* permission bits, without those for executing */
    unsigned group; /* that three of the bits are about */
};

struct file_facts {
    enum file_kind kind;
    struct file_rights rights;
    bool is_own; /* this process' user owns it; on Windows, always */
    uint64_t size;
    int64_t time;            /* of the last change of its bytes, in nanoseconds since 1970 */
    uint64_t volume, number; /* together they identify the file */
    bool is_linked;          /* only from file_follow_links: the path is a link of the system to an open file */
    int own;                 /* the descriptor of this process that it leads to; -1: none */
};

/* The facts of what a path leads to (or of the link itself, if links are not followed), or of a descriptor's file. */
bool file_look(const char *path, bool follows, struct file_facts *facts);
bool file_look_at(int fd, struct file_facts *facts);

static inline bool file_is_same(const struct file_facts *a, const struct file_facts *b)
{
    return a->volume == b->volume && a->number == b->number;
}

bool file_is_terminal(int fd);

static inline bool file_is_standard(const char *path)
{
    return path[0] == '-' && path[1] == '\0';
}

enum file_use {
    FILE_TO_READ,      /* of any kind; waits for the writer of a pipe */
    FILE_REGULAR,      /* only a regular file (EINVAL: it is something else); follows links as file_follow_links does */
    FILE_UNFOLLOWED,   /* like FILE_REGULAR, but follows no link */
    FILE_UNLOCKED,     /* like FILE_REGULAR; on POSIX EWOULDBLOCK if its owner, elsewhere, has locked it exclusively */
    FILE_TO_WRITE,     /* an existing device or pipe; follows no link */
    FILE_OF_DESCRIPTOR /* a link of the system to a descriptor, for writing. A regular file is emptied */
};

/* Return a descriptor that child processes do not inherit, or -1. */
int file_open(const char *path, enum file_use use);
int file_duplicate(int fd); /* another descriptor for the same file */

/*
 * Creates a temporary file (EEXIST: there is one), to be renamed by file_complete. It gets at most the rights in
 * `most`; of these, those that the umask allows, or all that `replaced` has, a file of this user, whose group it also
 * gets if the system permits. (NULL: none. If another user owns that, the umask and its rights count.) On Windows, the
 * system removes it if the process ends before it is complete; on POSIX, the process must: see os/thread.h.
 */
int file_create(const char *path, const struct file_rights *most, const struct file_facts *replaced);

/* Reduces `rights` to what those of another file allow, too. What only one of two groups may do, neither may then. */
void file_limit_rights(struct file_rights *rights, const struct file_rights *other);

/* The same, but only to those who may read the other file. */
void file_limit_readers(struct file_rights *rights, const struct file_rights *other);

/* The path of what is there, with all links resolved, in memory of the task; NULL: nothing is there. */
char *file_resolve(const char *path);

/* Opens a regular file if the path, with all links resolved, is below the resolved folder; otherwise EACCES. */
int file_open_below(const char *path, const char *folder);

/*
 * Opens a file whose name anybody may have made. It must not be a link, and must belong to this user, to root, or to
 * the owner of the path `other`, if that exists (NULL: to no other). Windows does not check the owner.
 */
int file_open_trusted(const char *path, const char *other);

/* Like pread(), but no signal interrupts it; with offset -1, like read(). On Windows, the position always moves. */
ssize_t file_read(int fd, void *bytes, size_t length, int64_t offset);

/* The same, but returns fewer bytes than `length` only at the end. */
ssize_t file_read_all(int fd, void *bytes, size_t length, int64_t offset);

/* False if it cannot write all bytes. */
bool file_write_all(int fd, const void *bytes, size_t length);

/* Reads at most `length` first bytes of a file that was just opened, and closes it. Returns their number, or -1. */
ssize_t file_read_start(int fd, void *bytes, size_t length);

/* A file that only this process can write and read, in memory on Linux, which disappears when it is closed; or -1. */
int file_create_unnamed(bool in_memory);

/*
 * Completes the temporary file `from`: sets the time of its last change (unless 0), waits until the disk has it, closes
 * it, and renames it to `to`. On POSIX, a process that has the old file open keeps it; on Windows, renaming fails then.
 * Returns NULL, or what failed, in words for a message; it closes the file in any case.
 */
const char *file_complete(int fd, int64_t time, const char *from, const char *to);

void file_remove(const char *path);

/*
 * Is it a file, in a directory where all may make files, of a user who is neither this process' nor root, nor the owner
 * of that directory or of the profile? On Windows: no.
 */
bool file_is_strangers(const char *path, const char *profile);

/* The path of a regular file in the folder that is_own, and whose name begins so, in memory of the task; NULL: none. */
char *file_find_own(const char *folder, const char *prefix);

/*
 * The path at the end of a chain of links, in memory of the task, whether or not a file exists there: the output
 * replaces that file, and the links stay. *facts is about that file. NULL, with errno, if the chain leads nowhere.
 * Folders of the path may be links, too. If only these are `followed`, the path is that of the last link itself. If
 * only its end is, nobody looks at the folders.
 *
 * EACCES: what another user has made in a directory where all may make files, such as /tmp, and that is not followed or
 * written to: a link, or a file that is not regular, such as a FIFO. Linux forbids the same to all programs if
 * fs.protected_symlinks and fs.protected_fifos are set; here, root's may be used in any case. The result may be a link
 * all the same, if somebody makes it one afterwards.
 *
 * A link of the system itself may lead to a file that a process has open, as /dev/stdout and /dev/fd/1 do. The result
 * is then that link, not a path that can be replaced.
 */
enum file_links { FOLLOW_ALL, FOLLOW_FOLDERS, FOLLOW_END };
char *file_follow_links(const char *path, enum file_links followed, struct file_facts *facts);

/* The length of a path's directory part, with the separator; 0: the current directory. */
size_t file_folder_length(const char *path);

#endif
