/* The bytes of webgrind's preprocessed formats: 32-bit unsigned numbers, little endian. */
#ifndef CG2WG_WEBGRIND_BYTES_H
#define CG2WG_WEBGRIND_BYTES_H

#include "io/outfile.h"
#include "util/text.h"

enum { NUMBER_SIZE = 4 };

static inline uint32_t bytes_get(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline void bytes_put(unsigned char *bytes, uint32_t number)
{
    bytes[0] = (unsigned char)number;
    bytes[1] = (unsigned char)(number >> 8);
    bytes[2] = (unsigned char)(number >> 16);
    bytes[3] = (unsigned char)(number >> 24);
}

/* Appends `count` numbers (at most 8). Returns false if writing failed, which was reported. */
bool bytes_write(struct outfile *out, const uint32_t *numbers, size_t count);

/* Appends a text and a newline. Returns false if writing failed, which was reported. */
bool bytes_write_line(struct outfile *out, struct text line);

#endif
