/* What else the system gives, and not everywhere by the same call. */
#ifndef CG2WG_UTIL_SYSTEM_H
#define CG2WG_UTIL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `bytes` with what nobody can foresee. Returns false if the system has none. */
bool system_random(void *bytes, size_t length);

/*
 * Memory at an address that is a multiple of `alignment`, a power of two of which `size` is a multiple;
 * or NULL. It is freed by system_free_aligned alone, which takes NULL, too.
 */
void *system_aligned_memory(size_t alignment, size_t size);
void system_free_aligned(void *memory);

#endif
