#define _CRT_RAND_S /* declares rand_s */
#include "os/system.h"

#include <stdlib.h>
#include <string.h>

/* rand_s uses the system's generator of random numbers in each call. */
bool system_random(void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        unsigned number;
        if (rand_s(&number) != 0)
            return false;
        size_t count = length - done < sizeof number ? length - done : sizeof number;
        memcpy((char *)bytes + done, &number, count);
        done += count;
    }
    return true;
}

void system_suggest_large_pages(void *memory, size_t size)
{
    (void)memory;
    (void)size;
}

/* Recordings are of other systems. */
bool system_is(struct text host, struct text release)
{
    (void)host;
    (void)release;
    return false;
}

const void *system_vdso(size_t *length)
{
    *length = 0;
    return NULL;
}
