/*
 * The versions of webgrind's preprocessed format, which
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format describes.
 */
#ifndef CG2WG_WRITE_FORMATS_H
#define CG2WG_WRITE_FORMATS_H

#include "io/outfile.h"
#include "util/buffer.h"
#include "write/scale.h"

struct writer;

struct format {
    unsigned version;
    bool needs_tree;      /* it contains each invocation */
    bool has_sub_calls;   /* a function has a list of its calls, not only of calls into it */
    bool has_line;        /* a function has the line where it begins */
    bool adds_summaries;  /* its readers add up several summaries; others use the last one */
    void (*write)(struct writer *writer);
};

/* The format of a version, or NULL. */
const struct format *format_for(unsigned version);

/*
 * Writes a profile in the version, with the divisor and the title of the options. `tree` holds its
 * invocations, which this numbers, or is NULL if the format does not need them or the profile has none. An
 * output that would exceed the 4 GiB of its addresses is an error.
 */
void write_profile(struct outfile *out, const struct cg2wg_options *options, struct profile *profile,
                   struct tree *tree);

/* ---- for the writers ---------------------------------------------------------------------- */

struct writer {
    struct outfile *out;
    const struct format *format;
    struct profile *profile;
    struct tree *tree;
    const char *title; /* the chosen heading; NULL: none */
    struct scale scale;
    uint32_t *names; /* how names and files are written: numbers in profile.names; see formats.c */
    bool is_escaped; /* a name or the value of a header is written in another form */
    struct buffer headers;
};

void write_sums(struct writer *w);
void write_invocations(struct writer *w);

enum { FILE_HEAD_NUMBERS = 3 }; /* version, header address, function count */

/*
 * Writes the version, the address of the headers, and the addresses of the functions. Function i takes
 * sizes[i] bytes; `gap` bytes are between the last function and the headers.
 */
void write_addresses(struct writer *w, const uint64_t *sizes, uint64_t gap);

/* The number of bytes that the file and name of a function take. */
uint64_t function_names_size(struct writer *w, size_t number);

/* Writes the file and name of a function. */
void write_function_names(struct writer *w, size_t number);

/*
 * Makes the profile's header lines in a form that webgrind's reader can use: it reads up to the first empty line,
 * splits each line at ": ", and the number of a summary at the first blank. To be called when the sizes of all names
 * are known, and before anything is written, because no memory may be needed then: an output that cannot be removed
 * has all of a file or nothing.
 */
void make_headers(struct writer *w);
void write_headers(struct writer *w);

/* The same lines, but not escaped, in memory of the run; `w` needs no output. */
struct text headers_of(struct writer *w);

#endif
