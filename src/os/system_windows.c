#define _CRT_RAND_S /* declares rand_s */
#include "os/system.h"

#include <stdlib.h>

/* rand_s uses the system's generator of random numbers in each call. */
bool system_random(void *bytes, size_t length)
{
    unsigned number;
    size_t done = 0;
    for (; done < length && rand_s(&number) == 0; done++)
        ((unsigned char *)bytes)[done] = (unsigned char)number;
    return done == length;
}

void system_suggest_large_pages(void *memory, size_t size)
{
}

/* Recordings are of other systems. */
struct text system_vdso(struct text host, struct text release, bool *is_here)
{
    *is_here = false;
    return text_of("", 0);
}
