/* Other services that systems offer by different calls. */
#ifndef CG2WG_OS_SYSTEM_H
#define CG2WG_OS_SYSTEM_H

#include "util/text.h"

/* Fills `bytes` with unpredictable values. Returns false if the system has none. */
bool system_random(void *bytes, size_t length);

/* Suggests large pages for memory that is about to be filled, if there are megabytes of it: fewer steps provide it. */
void system_suggest_large_pages(void *memory, size_t size);

/*
 * The code that the kernel maps into each process ([vdso]): an ELF file in memory; empty: there is none. *is_here: does
 * this machine have that name, and its kernel that release?
 */
struct text system_vdso(struct text host, struct text release, bool *is_here);

#endif
