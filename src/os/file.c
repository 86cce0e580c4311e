#include "os/file.h"

#include <unistd.h>

ssize_t file_read_all(int fd, void *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t count = file_read(fd, (char *)bytes + done, length - done);
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        done += (size_t)count;
    }
    return (ssize_t)done;
}

bool file_write_all(int fd, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = file_write(fd, (const char *)bytes + done, length - done);
        if (count < 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

ssize_t file_read_start(int fd, void *bytes, size_t length)
{
    if (fd < 0)
        return -1;
    ssize_t count = file_read_all(fd, bytes, length);
    int error = errno;
    close(fd);
    errno = error;
    return count;
}

bool file_read_all_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = file_read_at(fd, (char *)bytes + done, length - done, offset + done);
        if (count == 0)
            errno = EIO;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}
