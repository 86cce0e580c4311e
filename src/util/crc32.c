/* SPDX-License-Identifier: MIT */
#include "util/crc32.h"

#include "util/little.h"

#ifdef __x86_64__
#include <immintrin.h>
#define HAS_PRODUCT __builtin_cpu_supports("pclmul")
#else
#define HAS_PRODUCT false
#define add_by_products add_by_tables
#endif

void crc32_init(struct crc32 *crc)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++) /* the highest bit is the coefficient of x^0 */
            sum = sum >> 1 ^ (UINT32_C(0xedb88320) & (0 - (sum & 1)));
        crc->tables[0][byte] = sum;
    }
    for (size_t n = 1; n < 8; n++)
        for (size_t byte = 0; byte < 256; byte++)
            crc->tables[n][byte] = crc->tables[n - 1][byte] >> 8 ^ crc->tables[0][crc->tables[n - 1][byte] & 255];
    crc->has_product = HAS_PRODUCT;
}

/* The same for sums that are not complemented. */
static uint32_t add_by_tables(const struct crc32 *crc, uint32_t sum, const unsigned char *p, size_t length)
{
    const uint32_t(*t)[256] = crc->tables;
    for (; length >= 8; length -= 8, p += 8) {
        uint32_t low = little4(p) ^ sum, high = little4(p + 4);
        sum = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^ t[3][high & 255] ^
              t[2][high >> 8 & 255] ^ t[1][high >> 16 & 255] ^ t[0][high >> 24];
    }
    for (; length > 0; length--, p++)
        sum = sum >> 8 ^ t[0][(sum ^ *p) & 255];
    return sum;
}

#ifndef add_by_products
/*
 * 16 bytes are a polynomial, the lowest bit of the first byte being the coefficient of x^127. Moving it d
 * bits towards the front of the message multiplies it by x^d. Its halves (the first 8 bytes have another
 * factor x^64) are multiplied by x^(d + 64) and x^d modulo the polynomial. The result fits into 16 bytes
 * again, so it can be added to the 16 bytes there. The processor's product of two such halves is too
 * large by a factor of x, hence x^(d + 63) and x^(d - 1): their coefficients are the bits from 32 to 63.
 */
#define WITH_PRODUCTS __attribute__((target("pclmul"))) static inline
WITH_PRODUCTS __m128i move_and_add(__m128i from, __m128i factors, const __m128i *to)
{
    __m128i low = _mm_clmulepi64_si128(from, factors, 0x00);
    __m128i high = _mm_clmulepi64_si128(from, factors, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), _mm_loadu_si128(to));
}

/* Reduces 64 bytes or more to 16 with the same sum (from 0). With tables, conversions take 1.4 times as long. */
WITH_PRODUCTS uint32_t add_by_products(const struct crc32 *crc, uint32_t sum, const unsigned char *p, size_t length)
{
    const __m128i *from = (const __m128i *)(const void *)p;
    __m128i by_16 = _mm_set_epi64x((long long)0x9ba54c6f00000000, 0x65673b4600000000); /* d = 128 */
    __m128i by_64 = _mm_set_epi64x((long long)0xcad38e8f00000000, 0x653d982200000000); /* d = 512 */
    __m128i sums[4] = {_mm_cvtsi32_si128((int)sum)};
    for (int i = 0; i < 4; i++)
        sums[i] = _mm_xor_si128(sums[i], _mm_loadu_si128(from++));
    for (length -= 64; length >= 64; from += 4, length -= 64) {
        sums[0] = move_and_add(sums[0], by_64, from);
        sums[1] = move_and_add(sums[1], by_64, from + 1);
        sums[2] = move_and_add(sums[2], by_64, from + 2);
        sums[3] = move_and_add(sums[3], by_64, from + 3);
    }
    for (int i = 1; i < 4; i++)
        sums[i] = move_and_add(sums[i - 1], by_16, &sums[i]);
    for (; length >= 16; from++, length -= 16)
        sums[3] = move_and_add(sums[3], by_16, from);
    sum = add_by_tables(crc, 0, (const unsigned char *)&sums[3], 16);
    return add_by_tables(crc, sum, (const unsigned char *)from, length);
}
#endif

uint32_t crc32_add(const struct crc32 *crc, uint32_t sum, const void *bytes, size_t length)
{
    if (crc->has_product && length >= 64)
        return ~add_by_products(crc, ~sum, bytes, length);
    return ~add_by_tables(crc, ~sum, bytes, length);
}
