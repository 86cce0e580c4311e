/* SPDX-License-Identifier: MIT */
#include "os/file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32
#define SEPARATORS "/\\:"
#else
#define SEPARATORS "/"
#endif

size_t file_folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && strchr(SEPARATORS, path[length - 1]) == NULL)
        length--;
    return length;
}

void file_limit_readers(struct file_rights *rights, const struct file_rights *other)
{
    unsigned readers = other->mode & 0444;
    file_limit_rights(rights, &(struct file_rights){readers | readers >> 1, other->group});
}

int file_duplicate(int fd)
{
#ifdef F_DUPFD_CLOEXEC
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
#else
    return dup(fd);
#endif
}

ssize_t file_read_all(int fd, void *bytes, size_t length, int64_t offset)
{
    size_t done = 0;
    ssize_t count = 1;
    while (done < length && count > 0) {
        char *rest = (char *)bytes + done;
        count = file_read(fd, rest, length - done, offset < 0 ? -1 : offset + (int64_t)done);
        done += count > 0 ? (size_t)count : 0;
    }
    return count < 0 ? -1 : (ssize_t)done;
}

ssize_t file_read_start(int fd, void *bytes, size_t length)
{
    if (fd < 0)
        return -1;
    ssize_t count = file_read_all(fd, bytes, length, -1);
    int error = errno;
    close(fd);
    errno = error;
    return count;
}
