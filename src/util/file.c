#include "util/file.h"

#include <unistd.h>

ssize_t file_read_start(const char *path, void *bytes, size_t length)
{
    size_t used = 0;
    ssize_t count;
    int fd = file_open_input(path);
    if (fd < 0)
        return -1;
    do {
        count = file_read_again(fd, (char *)bytes + used, length - used);
        used += count > 0 ? (size_t)count : 0;
    } while (count > 0 && used < length);
    int error = errno;
    close(fd);
    errno = error;
    return count < 0 ? -1 : (ssize_t)used;
}
