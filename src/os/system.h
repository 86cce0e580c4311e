/* Other services that systems offer by different calls. */
#ifndef CG2WG_OS_SYSTEM_H
#define CG2WG_OS_SYSTEM_H

#include "util/text.h"

/* Fills `bytes` with unpredictable values. Returns false if the system has none. */
bool system_random(void *bytes, size_t length);

/* Suggests large pages for memory that is about to be filled, if there are megabytes of it: fewer steps provide it. */
void system_suggest_large_pages(void *memory, size_t size);

/* Is this the machine of that name, and does its kernel have that release? */
bool system_is(struct text host, struct text release);

/* The code that the kernel maps into each process ([vdso]): an ELF file in memory. NULL: there is none. */
const void *system_vdso(size_t *length);

#endif
