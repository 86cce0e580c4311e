/* SPDX-License-Identifier: MIT */
#include "util/sha256.h"

#include "util/little.h"

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8, LENGTH_SIZE = 8 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static void add_block(uint32_t state[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[WORDS];
    memcpy(s, state, sizeof s);
    for (int i = 0; i < ROUNDS; i++) {
        if (i < 16)
            w[i] = __builtin_bswap32(little4(block + 4 * i));
        else
            w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
                   (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
        uint32_t a = s[0], e = s[4];
        uint32_t one = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + constants[i] +
                       w[i];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < WORDS; i++)
        state[i] += s[i];
}

void sha256(struct text t, unsigned char hash[SHA256_SIZE])
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint64_t bits = (uint64_t)text_length(t) * 8;
    for (; text_length(t) >= BLOCK; t.at += BLOCK)
        add_block(state, (const unsigned char *)t.at);

    /* The rest, a bit 1, bits 0, and the length fill one block or two. */
    unsigned char last[2 * BLOCK] = {0};
    size_t rest = text_length(t), size = rest + 1 + LENGTH_SIZE <= BLOCK ? BLOCK : 2 * BLOCK;
    memcpy(last, t.at, rest);
    last[rest] = 0x80;
    little4_put(last + size - LENGTH_SIZE, __builtin_bswap32((uint32_t)(bits >> 32)));
    little4_put(last + size - LENGTH_SIZE / 2, __builtin_bswap32((uint32_t)bits));
    for (size_t i = 0; i < size; i += BLOCK)
        add_block(state, last + i);
    for (size_t i = 0; i < WORDS; i++)
        little4_put(hash + 4 * i, __builtin_bswap32(state[i]));
}
