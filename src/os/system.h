/* SPDX-License-Identifier: MIT */
/* Other services that systems offer by different calls. */
#ifndef CG2WG_OS_SYSTEM_H
#define CG2WG_OS_SYSTEM_H

#include "util/text.h"

/* Fills `bytes` with unpredictable values. Returns false if the system has none. */
bool system_random(void *bytes, size_t length);

/* Suggests large pages for megabytes of memory that are about to be filled: the kernel then has fewer pages to make. */
void system_suggest_large_pages(void *memory, size_t size);

/*
 * The code that the kernel maps into each process ([vdso]): an ELF file in memory; empty: there is none. *is_here: is
 * `host` the name of this machine, and `release` that of its kernel?
 */
struct text system_vdso(struct text host, struct text release, bool *is_here);

#endif
