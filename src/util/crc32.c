#include "util/crc32.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_PCLMUL 1
#include <cpuid.h>
#include <immintrin.h>
#else
#define HAS_PCLMUL 0
#endif

/* The polynomial without its x^32; the highest bit is the coefficient of x^0. */
#define POLYNOMIAL UINT32_C(0xedb88320)

static bool machine_has_product(void)
{
#if HAS_PCLMUL
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL) != 0;
#else
    return false;
#endif
}

void crc32_init(struct crc32 *crc)
{
    crc->has_product = machine_has_product();
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (POLYNOMIAL & (0 - (sum & 1)));
        crc->tables[0][byte] = sum;
    }
    for (size_t n = 1; n < CRC32_TABLES; n++)
        for (size_t byte = 0; byte < 256; byte++) {
            uint32_t sum = crc->tables[n - 1][byte];
            crc->tables[n][byte] = sum >> 8 ^ crc->tables[0][sum & 255];
        }
}

static uint32_t get_32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The same for sums that are not complemented. */
static uint32_t add_by_tables(const struct crc32 *crc, uint32_t sum, const unsigned char *p,
                              size_t length)
{
    const uint32_t(*t)[256] = crc->tables;
    for (; length >= 8; length -= 8, p += 8) {
        uint32_t low = get_32(p) ^ sum, high = get_32(p + 4);
        sum = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^
              t[3][high & 255] ^ t[2][high >> 8 & 255] ^ t[1][high >> 16 & 255] ^ t[0][high >> 24];
    }
    for (; length > 0; length--, p++)
        sum = sum >> 8 ^ t[0][(sum ^ *p) & 255];
    return sum;
}

#if HAS_PCLMUL
/*
 * 16 bytes are a polynomial, the lowest bit of the first byte being the coefficient of x^127.
 * Moving it d bits towards the front of the message multiplies it by x^d. Its halves (the first 8
 * bytes have another factor x^64) are multiplied by x^(d + 64) and x^d modulo the polynomial. The
 * result fits into 16 bytes again, so that it can be added to the 16 bytes at that place. The
 * processor's product of two such halves is too large by a factor of x, hence x^(d + 63) and x^(d -
 * 1): their coefficients of x^31 to x^0 are the bits from 32 to 63.
 */
#define MOVE_16_LOW 0x65673b4600000000 /* d = 128 */
#define MOVE_16_HIGH 0x9ba54c6f00000000
#define MOVE_64_LOW 0x653d982200000000 /* d = 512 */
#define MOVE_64_HIGH 0xcad38e8f00000000

__attribute__((target("pclmul"))) static inline __m128i move_and_add(__m128i from, __m128i factors,
                                                                      __m128i to)
{
    __m128i low = _mm_clmulepi64_si128(from, factors, 0x00);
    __m128i high = _mm_clmulepi64_si128(from, factors, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), to);
}

/* Reduces at least 64 bytes to 16 with the same sum (when started with 0). */
__attribute__((target("pclmul"))) static uint32_t
add_by_products(const struct crc32 *crc, uint32_t sum, const unsigned char *p, size_t length)
{
    const __m128i *from = (const __m128i *)(const void *)p;
    __m128i by_16 = _mm_set_epi64x((long long)MOVE_16_HIGH, (long long)MOVE_16_LOW);
    __m128i by_64 = _mm_set_epi64x((long long)MOVE_64_HIGH, (long long)MOVE_64_LOW);
    __m128i a = _mm_xor_si128(_mm_loadu_si128(from), _mm_cvtsi32_si128((int)sum));
    __m128i b = _mm_loadu_si128(from + 1);
    __m128i c = _mm_loadu_si128(from + 2);
    __m128i d = _mm_loadu_si128(from + 3);
    for (from += 4, length -= 64; length >= 64; from += 4, length -= 64) {
        a = move_and_add(a, by_64, _mm_loadu_si128(from));
        b = move_and_add(b, by_64, _mm_loadu_si128(from + 1));
        c = move_and_add(c, by_64, _mm_loadu_si128(from + 2));
        d = move_and_add(d, by_64, _mm_loadu_si128(from + 3));
    }
    b = move_and_add(a, by_16, b);
    c = move_and_add(b, by_16, c);
    d = move_and_add(c, by_16, d);
    for (; length >= 16; from++, length -= 16)
        d = move_and_add(d, by_16, _mm_loadu_si128(from));
    unsigned char rest[16];
    _mm_storeu_si128((__m128i *)(void *)rest, d);
    sum = add_by_tables(crc, 0, rest, sizeof rest);
    return add_by_tables(crc, sum, (const unsigned char *)from, length);
}
#endif

uint32_t crc32_add(const struct crc32 *crc, uint32_t sum, const void *bytes, size_t length)
{
#if HAS_PCLMUL
    if (crc->has_product && length >= 64)
        return ~add_by_products(crc, ~sum, bytes, length);
#endif
    return ~add_by_tables(crc, ~sum, bytes, length);
}
