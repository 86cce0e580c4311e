#include "os/file.h"

#include <unistd.h>

ssize_t file_read_all(int fd, void *bytes, size_t length, int64_t offset)
{
    size_t done = 0;
    ssize_t count = 1;
    while (done < length && count > 0) {
        char *rest = (char *)bytes + done;
        count = offset < 0 ? file_read(fd, rest, length - done)
                           : file_read_at(fd, rest, length - done, (uint64_t)offset + done);
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
