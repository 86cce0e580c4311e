/* Other services that systems offer by different calls. */
#ifndef CG2WG_UTIL_SYSTEM_H
#define CG2WG_UTIL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `bytes` with unpredictable values. Returns false if the system has none. */
bool system_random(void *bytes, size_t length);

/*
 * Memory at an address that is a multiple of `alignment`, a power of two of which `size` is a
 * multiple; or NULL. Only system_free_aligned frees it; that takes NULL, too.
 */
void *system_aligned_memory(size_t alignment, size_t size);
void system_free_aligned(void *memory);

/*
 * Suggests large pages for memory that is about to be filled, if there are megabytes of it: the
 * system then provides it in fewer steps.
 */
void system_suggest_large_pages(void *memory, size_t size);

#endif
