/* Newlines, 64 bytes at a time. */
#ifndef CG2WG_UTIL_NEWLINE_H
#define CG2WG_UTIL_NEWLINE_H

#include "util/hot.h"
#include "util/little.h"

#ifdef __SSE2__
#include <emmintrin.h>

/* A bit for each newline in 16 bytes. */
HOT uint64_t newlines16(const char *p)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
}
#endif

/* Bits of the newlines in the 64 bytes at `p`, the first one lowest. */
HOT uint64_t find_newlines(const char *p)
{
#ifdef __SSE2__
    return newlines16(p) | newlines16(p + 16) << 16 | newlines16(p + 32) << 32 | newlines16(p + 48) << 48;
#else
    uint64_t found = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        /* Where a byte's lower seven bits are not all 0, adding 127 carries into the eighth. */
        const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
        uint64_t bytes = little8(p + i) ^ UINT64_C(0x0a0a0a0a0a0a0a0a);
        uint64_t equal = ~(((bytes & low) + low) | bytes | low) >> 7;
        /* The lowest bits of the eight bytes move side by side into the highest byte. */
        found |= ((equal * UINT64_C(0x0102040810204080)) >> 56) << i;
    }
    return found;
#endif
}

/* The first newline from `p` on; there is one, and 64 bytes after it may be read. */
HOT const char *find_newline(const char *p)
{
    uint64_t newlines = find_newlines(p);
    while (UNLIKELY(newlines == 0)) {
        p += 64;
        newlines = find_newlines(p);
    }
    return p + __builtin_ctzll(newlines);
}

#endif
