#define _DEFAULT_SOURCE /* declares madvise, which POSIX lacks */
#include "util/system.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
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

void system_suggest_large_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    enum { LARGE = 2 * 1024 * 1024 };
    if (size < LARGE)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)memory % page;
    madvise((char *)memory - before, (before + size + page - 1) / page * page, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)size;
#endif
}
