/* SPDX-License-Identifier: MIT */
/* Other services that systems offer by different calls. */
#ifndef CG2WG_OS_SYSTEM_H
#define CG2WG_OS_SYSTEM_H

#include "util/text.h"

/* Fills `bytes` with unpredictable values. Returns false if the system has none. */
bool system_random(void *bytes, size_t length);

/* Suggests large pages for megabytes of memory that are about to be filled: the kernel then has fewer pages to make. */
void system_suggest_large_pages(void *memory, size_t size);

/* What the kernel maps into processes ([vdso]): an ELF file, or empty. *is_here: are `host` and `release` ours? */
struct text system_vdso(struct text host, struct text release, bool *is_here);

#endif
