/* The bytes of webgrind's preprocessed formats: 32-bit unsigned numbers, little endian. */
#ifndef CG2WG_WEBGRIND_BYTES_H
#define CG2WG_WEBGRIND_BYTES_H

#include "io/outfile.h"
#include "util/little.h"
#include "util/text.h"

enum { NUMBER_SIZE = 4 };

/* Appends `count` numbers (at most 8). Returns false if writing failed, which was reported. */
bool bytes_write(struct outfile *out, const uint32_t *numbers, size_t count);

/* Appends a text and a newline. Returns false if writing failed, which was reported. */
bool bytes_write_line(struct outfile *out, struct text line);

#endif
