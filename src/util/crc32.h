/*
 * The checksum of gzip files: CRC-32 of RFC 1952, section 8, polynomial 0x04c11db7, bits taken from
 * the lowest one on, started with all ones and complemented at the end.
 */
#ifndef CG2WG_UTIL_CRC32_H
#define CG2WG_UTIL_CRC32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CRC32_TABLES = 8 };

/* What the sums are made with; says nothing about any of them, so threads may share it. */
struct crc32 {
    bool has_product; /* the machine multiplies polynomials; may be cleared to do without */
    /* tables[n][b]: what byte b does to the sum when n bytes follow it */
    uint32_t tables[CRC32_TABLES][256];
};

void crc32_init(struct crc32 *crc);

/*
 * The sum of what `sum` is the sum of (0: nothing), followed by `length` bytes, which may be 0.
 */
uint32_t crc32_add(const struct crc32 *crc, uint32_t sum, const void *bytes, size_t length);

#endif
