/* Newlines, 64 bytes at a time where the processor has SSE2. */
#ifndef CG2WG_UTIL_NEWLINE_H
#define CG2WG_UTIL_NEWLINE_H

#include "util/hot.h"

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

/* A bit for each newline in 16 bytes. */
HOT uint64_t newlines16(const char *p)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
}

/* Bits of the newlines in the 64 bytes at `p`, the first one lowest. */
HOT uint64_t find_newlines(const char *p)
{
    return newlines16(p) | newlines16(p + 16) << 16 | newlines16(p + 32) << 32 | newlines16(p + 48) << 48;
}
#endif

/* The first newline from `p` on; there is one, and 64 bytes after it may be read. */
HOT const char *find_newline(const char *p)
{
#ifdef __SSE2__ /* lines are so short that a call of memchr would take 2 % of the time of a Valgrind profile */
    uint64_t newlines = find_newlines(p);
    while (UNLIKELY(newlines == 0)) {
        p += 64;
        newlines = find_newlines(p);
    }
    return p + __builtin_ctzll(newlines);
#else
    return memchr(p, '\n', SIZE_MAX / 4);
#endif
}

#endif
