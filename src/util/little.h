/* SPDX-License-Identifier: MIT */
/* Numbers as bytes, the lowest first. The bytes need not be aligned. */
#ifndef CG2WG_UTIL_LITTLE_H
#define CG2WG_UTIL_LITTLE_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE(bits, number) __builtin_bswap##bits(number)
#else
#define LITTLE(bits, number) (number)
#endif

static inline uint32_t little2(const void *bytes)
{
    uint16_t number;
    memcpy(&number, bytes, sizeof number);
    return LITTLE(16, number);
}

static inline uint32_t little4(const void *bytes)
{
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    return LITTLE(32, number);
}

static inline uint64_t little8(const void *bytes)
{
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return LITTLE(64, number);
}

static inline void little4_put(void *bytes, uint32_t number)
{
    uint32_t ordered = LITTLE(32, number);
    memcpy(bytes, &ordered, sizeof ordered);
}

#endif
