/* SPDX-License-Identifier: MIT */
/*
 * Numbers, positions and costs in their usual forms, read in place: the text after them can be read, up to the end of
 * the line at least, and no usual form contains that. Each function returns where the text goes on after what it has
 * read; NULL: it has another form, which callgrind.c reads with more care.
 */
#ifndef CG2WG_READ_CALLGRIND_SCAN_H
#define CG2WG_READ_CALLGRIND_SCAN_H

#include "model/profile.h"
#include "util/hot.h"
#include "util/little.h"
#include "util/text.h"

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

HOT bool begins_cost_line(char c)
{
    return char_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* The start of the next line, if this one ends at `p`. */
HOT const char *scan_line_end(const char *p)
{
    if (*p == '\n')
        return p + 1;
    return *p == '\r' && p[1] == '\n' ? p + 2 : NULL;
}

HOT bool scan_digit(const char *p, uint64_t *number)
{
    unsigned digit = (unsigned)(unsigned char)*p - '0';
    if (digit > 9)
        return false;
    *number = *number * 10 + digit;
    return true;
}

enum { SCAN_DIGITS = 18 }; /* the most of a number: as a cost, it fits 64 bits with a sign */

/* Digit by digit, because the processor can predict how many there are and need not wait for them. */
HOT const char *scan_number(const char *p, uint64_t *number)
{
    *number = 0;
    if (!scan_digit(p, number))
        return NULL;
    if (!scan_digit(p + 1, number))
        return p + 1;
    if (!scan_digit(p + 2, number))
        return p + 2;
    if (!scan_digit(p + 3, number))
        return p + 3;
    const char *start = p;
    p += 4;
    while (scan_digit(p, number))
        p++;
    return p - start <= SCAN_DIGITS ? p : NULL;
}

/* An address, after its 0x. */
HOT const char *scan_address(const char *p, uint64_t *address)
{
    const char *start = p;
    for (*address = 0;; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0';
        if (digit > 9) {
            digit = ((unsigned)(unsigned char)*p | ' ') - 'a' + 10;
            if (digit < 10 || digit > 15)
                break;
        }
        *address = *address << 4 | digit;
    }
    return p > start && p - start <= 16 ? p : NULL;
}

/* A position. *is_relative: it is the difference to the one before, modulo 2^64. */
HOT const char *scan_position(const char *p, uint64_t *position, bool *is_relative)
{
    char sign = *p;
    *is_relative = false;
    if (char_is_digit(sign)) {
        const char *end = scan_number(p, position);
        bool is_address = end == p + 1 && sign == '0' && *end == 'x';
        return UNLIKELY(is_address) ? scan_address(p + 2, position) : end;
    }
    *is_relative = true;
    *position = 0;
    if (sign == '*')
        return p + 1;
    if (sign != '+' && sign != '-')
        return NULL;
    p = scan_number(p + 1, position);
    *position = sign == '-' ? 0 - *position : *position;
    return p;
}

/*
 * How many digits begin at `p`; 8: or more. 8 bytes can be read. The digits are the lowest bytes of *values. All at
 * once, because no processor predicts how many digits a cost has: 5 % of the time for a whole profile of Xdebug.
 */
HOT unsigned scan_eight(const char *p, uint64_t *values)
{
    *values = little8(p) ^ UINT64_C(0x3030303030303030);
    /* Up to the first byte that is no digit, no sum is carried into the next one. */
    uint64_t others = ((*values + UINT64_C(0x7676767676767676)) | *values) & UINT64_C(0x8080808080808080);
    return others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* A cost after more than one blank, or with a sign. Callers pass no variable of a loop, which would be in memory. */
static APART const char *scan_rare_cost(const char *p, cost_t *cost)
{
    uint64_t number;
    while (*p == ' ')
        p++;
    bool is_negative = *p == '-';
    p = scan_number(p + is_negative, &number);
    *cost = (cost_t)(is_negative ? 0 - number : number);
    return p;
}

/* The cost after a blank. */
HOT const char *scan_cost(const char *p, cost_t *cost)
{
    uint64_t number;
    unsigned digits = scan_eight(p, &number);
    if (!UNLIKELY(digits - 1 >= 7)) {
        number <<= 64 - 8 * digits; /* the next lines make numbers of two digits, four and eight */
        number = (number * (1 + (10 << 8)) >> 8) & UINT64_C(0x00ff00ff00ff00ff);
        number = (number * (1 + (100 << 16)) >> 16) & UINT64_C(0x0000ffff0000ffff);
        *cost = (cost_t)(number * (1 + (UINT64_C(10000) << 32)) >> 32);
        return p + digits;
    }
    const char *next = scan_number(p, &number);
    cost_t rare = (cost_t)number;
    if (next == NULL && *p != '\n') /* after a blank at the end of a line */
        next = scan_rare_cost(p, &rare);
    *cost = rare;
    return next;
}

/*
 * Skips costs that do not matter, `most` at most, with the blank before each, up to the newline. Returns `p` if it
 * cannot tell all of that from 64 bytes. One by one, 13 costs take twice as long as the rest of their line.
 */
HOT const char *scan_other_costs(const char *p, size_t most)
{
#ifdef __SSE2__
    uint64_t digits = 0, others = 0; /* one bit for each byte; others are neither digits nor blanks */
    for (unsigned i = 0; i < 64; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        /* As signed numbers, digits become the lowest ten. */
        __m128i from_zero = _mm_sub_epi8(bytes, _mm_set1_epi8((char)('0' - 128)));
        __m128i is_digit = _mm_cmplt_epi8(from_zero, _mm_set1_epi8(10 - 128));
        __m128i is_blank = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
        digits |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_digit) << i;
        others |= (uint64_t)((uint32_t)_mm_movemask_epi8(_mm_or_si128(is_digit, is_blank)) ^ 0xffff) << i;
    }
    if (UNLIKELY(others == 0))
        return p;
    unsigned end = (unsigned)__builtin_ctzll(others);
    digits &= (others & (0 - others)) - 1;
    uint64_t starts = digits & ~(digits << 1), wide = digits & digits >> 1; /* two in a row, and then more */
    wide &= wide >> 2;
    wide &= wide >> 4;
    wide &= wide >> 8;
    wide &= wide >> (SCAN_DIGITS + 1 - 16);
    bool is_usual = p[end] == '\n' && wide == 0 && (end / 2 <= most || (unsigned)__builtin_popcountll(starts) <= most);
    return is_usual ? p + end : p;
#else
    (void)most;
    return p;
#endif
}

#endif
