/* SPDX-License-Identifier: MIT */
/* The checksum of gzip files (RFC 1952, 8): polynomial 0x04c11db7, lowest bit first, from all ones, complemented. */
#ifndef CG2WG_UTIL_CRC32_H
#define CG2WG_UTIL_CRC32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tables for the sums. No table depends on a sum, so threads may share them. */
struct crc32 {
    bool has_product;        /* the processor multiplies polynomials; a caller may clear it */
    uint32_t tables[8][256]; /* tables[n][b]: how byte b changes the sum if n bytes follow it */
};

void crc32_init(struct crc32 *crc);

/* Continues `sum`, the sum of earlier bytes (0: none), with `length` bytes, which may be 0. */
uint32_t crc32_add(const struct crc32 *crc, uint32_t sum, const void *bytes, size_t length);

#endif
