/* SPDX-License-Identifier: MIT */
#include "os/system.h"

#include <windows.h>

#include <ntsecapi.h>

bool system_random(void *bytes, size_t length)
{
    return RtlGenRandom(bytes, (ULONG)length);
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
