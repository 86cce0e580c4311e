/* Little-endian numbers out of bytes that need not be aligned. */
#ifndef CG2WG_UTIL_LITTLE_H
#define CG2WG_UTIL_LITTLE_H

#include "util/digits.h"

static inline uint32_t little2(const char *p)
{
    return (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8;
}

static inline uint32_t little4(const char *p)
{
    return little2(p) | little2(p + 2) << 16;
}

static inline uint64_t little8(const char *p)
{
    return load8(p);
}

#endif
