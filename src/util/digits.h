/* Digits of numbers, eight or sixteen bytes at a time. */
#ifndef CG2WG_UTIL_DIGITS_H
#define CG2WG_UTIL_DIGITS_H

#include "util/hot.h"
#include "util/little.h"

#include <stdbool.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef __SSE2__
HOT __m128i load16(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* A bit for each of 16 bytes. */
HOT uint32_t bits_of(__m128i bytes)
{
    return (uint32_t)_mm_movemask_epi8(bytes);
}
#endif

/* Bits of the newlines in the 64 bytes at `p`, the first one lowest. */
HOT uint64_t find_newlines(const char *p)
{
#ifdef __SSE2__
    const __m128i newline = _mm_set1_epi8('\n');
    uint64_t a = bits_of(_mm_cmpeq_epi8(load16(p), newline));
    uint64_t b = bits_of(_mm_cmpeq_epi8(load16(p + 16), newline));
    uint64_t c = bits_of(_mm_cmpeq_epi8(load16(p + 32), newline));
    uint64_t e = bits_of(_mm_cmpeq_epi8(load16(p + 48), newline));
    return a | b << 16 | c << 32 | e << 48;
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

/* Are these bytes the same? There are 8 or more. */
HOT bool same_bytes(const char *a, const char *b, size_t length)
{
    uint64_t others = little8(a + length - 8) ^ little8(b + length - 8);
    if (length > 32) {
        for (size_t i = 0; i + 8 < length; i += 8)
            others |= little8(a + i) ^ little8(b + i);
        return others == 0;
    }
    size_t last = length - 8, second = last < 8 ? last : 8, third = last < 16 ? last : 16;
    return (others | (little8(a) ^ little8(b)) | (little8(a + second) ^ little8(b + second)) |
            (little8(a + third) ^ little8(b + third))) == 0;
}

/*
 * How many digits `bytes` begins with, at most 8. A byte is a digit if its upper half is 3 and
 * remains 3 when 6 is added. A carry only affects bytes after the first one that is not a digit.
 */
HOT unsigned count_digits(uint64_t bytes)
{
    const uint64_t upper = UINT64_C(0xf0f0f0f0f0f0f0f0), threes = UINT64_C(0x3030303030303030);
    uint64_t others = ((bytes & upper) ^ threes) |
                      (((bytes + UINT64_C(0x0606060606060606)) & upper) ^ threes);
    return others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The number of the first `digits` (1 to 8) bytes, which are digits. */
HOT uint32_t convert_digits(uint64_t bytes, unsigned digits)
{
    /* Fills the front with zeros. Then adds up neighbours: pairs, fours, all eight. */
    uint64_t value = (bytes & UINT64_C(0x0f0f0f0f0f0f0f0f)) << (64 - 8 * digits);
    value = (value * (10 * 0x100 + 1) >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    value = (value * (100 * 0x10000 + 1) >> 16) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(value * (10000 * UINT64_C(0x100000000) + 1) >> 32);
}

#endif
