/*
 * The versions of webgrind's preprocessed format, which
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format describes. Its numbers have 32 bits and are unsigned,
 * the lowest byte first.
 *
 *     4   each invocation, with the call that made it and the calls that it made
 *     5   sums of functions, each with the calls into it
 *     6   also with the calls that it makes; readers add up several summaries, and no longer use the last one
 *     7   also with the line where it begins
 */
#ifndef CG2WG_WRITE_FORMATS_H
#define CG2WG_WRITE_FORMATS_H

#include "io/outfile.h"
#include "util/buffer.h"
#include "util/little.h"
#include "write/scale.h"

enum { FIRST_VERSION_WITH_SUMS = 5, FIRST_VERSION_WITH_SUB_CALLS = 6, FIRST_VERSION_WITH_LINES = 7 };

/*
 * Writes a profile in the version, with the divisor and the title of the options. `tree` holds its
 * invocations, which this numbers, or is NULL if the version does not contain them or the profile has none. An
 * output that would exceed the 4 GiB of its addresses is an error.
 */
void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct tree *tree);

/* ---- for the writers ---------------------------------------------------------------------- */

struct writer {
    struct outfile *out;
    unsigned version;
    struct profile *profile;
    struct tree *tree;
    const char *title; /* the chosen heading; NULL: none */
    struct scale scale;
    uint32_t *written;     /* how names and files are written: numbers in profile.names; see formats.c */
    struct buffer escaped; /* the last of these, while it is made */
    bool is_escaped;       /* a name or the value of a header is written in another form */
    struct buffer headers;
};

void write_sums(struct writer *w);
void write_invocations(struct writer *w);

enum {
    NUMBER_SIZE = 4,
    FILE_HEAD_NUMBERS = 3 /* version, header address, function count */
};

/* Appends `count` numbers (at most 8). */
HOT void write_numbers(struct outfile *out, const uint32_t *numbers, size_t count)
{
    unsigned char bytes[8 * NUMBER_SIZE];
    for (size_t i = 0; i < count; i++)
        little4_put(bytes + i * NUMBER_SIZE, numbers[i]);
    outfile_write(out, bytes, count * NUMBER_SIZE);
}

/* Appends a text and a newline. */
static inline void write_line(struct outfile *out, struct text line)
{
    outfile_write(out, line.at, text_length(line));
    outfile_write(out, "\n", 1);
}

/* The number of bytes that the file and name of a function take. */
uint64_t function_names_size(struct writer *w, size_t number);
void write_function_names(struct writer *w, size_t number);

/*
 * Writes the version, the address of the headers, and the addresses of the functions. Function i takes
 * sizes[i] bytes; `gap` bytes are between the last function and the headers. Before that, makes the headers, because
 * afterwards no memory may be needed: an output that cannot be removed has all of a file or nothing.
 */
void write_head(struct writer *w, const uint64_t *sizes, uint64_t gap);

#endif
