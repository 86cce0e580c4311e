/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* declares madvise, which POSIX lacks */
#include "os/system.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <sys/auxv.h>
#endif

bool system_random(void *bytes, size_t length)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return false;
    ssize_t count = read(fd, bytes, length);
    close(fd);
    return count == (ssize_t)length;
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

struct text system_vdso(struct text host, struct text release, bool *is_here)
{
    struct utsname own;
    *is_here = uname(&own) >= 0 && text_equals(host, own.nodename) && text_equals(release, own.release);
#ifdef __linux__
    const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
    if (header != NULL) /* its table of sections comes last */
        return text_of((const char *)header, header->e_shoff + (size_t)header->e_shnum * header->e_shentsize);
#endif
    return text_of("", 0);
}
