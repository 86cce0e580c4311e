#include "util/system.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

bool system_random(void *bytes, size_t length)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    ssize_t count = read(fd, bytes, length);
    close(fd);
    return count == (ssize_t)length;
}

void *system_aligned_memory(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void system_free_aligned(void *memory)
{
    free(memory);
}
