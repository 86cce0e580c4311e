/* The bytes of webgrind's preprocessed formats: 32-bit unsigned numbers, little endian. */
#ifndef CG2WG_WRITE_BYTES_H
#define CG2WG_WRITE_BYTES_H

#include "io/outfile.h"
#include "util/little.h"
#include "util/text.h"

enum { NUMBER_SIZE = 4 };

/* Appends `count` numbers (at most 8). */
HOT void bytes_write(struct outfile *out, const uint32_t *numbers, size_t count)
{
    unsigned char bytes[8 * NUMBER_SIZE];
    for (size_t i = 0; i < count; i++)
        little4_put(bytes + i * NUMBER_SIZE, numbers[i]);
    outfile_write(out, bytes, count * NUMBER_SIZE);
}

/* Appends a text and a newline. */
static inline void bytes_write_line(struct outfile *out, struct text line)
{
    outfile_write(out, line.at, text_length(line));
    outfile_write(out, "\n", 1);
}

#endif
