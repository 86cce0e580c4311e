/*
 * The versions of webgrind's preprocessed format, which
 * https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format describes.
 */
#ifndef CG2WG_WRITE_FORMATS_H
#define CG2WG_WRITE_FORMATS_H

#include "io/outfile.h"
#include "write/escape.h"
#include "write/heading.h"
#include "write/scale.h"

struct format {
    unsigned version;
    const char *read_by;  /* the releases of webgrind that read it */
    bool needs_tree;      /* it contains each invocation */
    bool has_sub_calls;   /* a function has a list of its calls, not only of calls into it */
    bool has_line;        /* a function has the line where it begins */
    bool adds_summaries;  /* its readers add up several summaries; others use the last one */
    /*
     * Writes scale->profile. `tree` holds its invocations, which this numbers, or is NULL if the
     * format does not need them or the profile has none. Returns false, after reporting it, if
     * writing failed, if memory ran out, or if the output would exceed the 4 GiB of its addresses.
     */
    bool (*write)(struct outfile *out, const struct format *format, struct scale *scale,
                  struct tree *tree);
};

/* All versions, oldest first; the last row's version is 0. */
extern const struct format formats[];

/* The row of a version, or NULL. */
const struct format *format_for(unsigned version);

bool write_sums(struct outfile *out, const struct format *format, struct scale *scale,
                struct tree *tree);
bool write_invocations(struct outfile *out, const struct format *format, struct scale *scale,
                       struct tree *tree);

/* The offset of the next byte in the output, and the error if it is too large. */
enum { FILE_HEAD_NUMBERS = 3 }; /* version, header address, function count */

/*
 * Writes the version, the address of the headers, and the addresses of the functions. Function i
 * takes sizes[i] bytes; `gap` bytes are between the last function and the headers. Returns
 * false, after reporting it, if an address does not fit 32 bits or writing failed.
 */
bool write_addresses(struct outfile *out, const struct format *format, const uint64_t *sizes,
                     size_t function_count, uint64_t gap);

/* What names and header lines need, so that no memory is wanted while they are written. */
struct written {
    uint32_t *names; /* numbers in profile.names, by those of names and files; see formats.c */
    bool is_escaped; /* any name or value of a header is written in another form */
    struct headings headings;
    struct buffer event, value; /* the value of `events:`; that of any line, escaped */
    enum escape_kind kind;      /* of commands */
};

/*
 * `title` is the chosen heading; NULL: none. Returns false, after reporting it, if memory runs out;
 * written_free is wanted in either case.
 */
bool written_init(struct written *written, const struct format *format, const struct scale *scale,
                  const char *title);
void written_free(struct written *written);

/* The number of bytes that the file and name of a function take. */
uint64_t function_names_size(const struct scale *scale, size_t number);

/* Writes the file and name of a function. */
bool write_function_names(struct outfile *out, const struct scale *scale, size_t number);

/* Has room for all header lines in `written`, and decides how they are escaped. */
bool headers_prepare(struct written *written, const struct format *format, const struct scale *scale);

/*
 * Writes the profile's header lines in a form that webgrind's reader can use: it reads up to the
 * first empty line, splits each line at ": ", and the number of a summary at the first blank.
 */
bool write_headers(struct outfile *out, const struct format *format, const struct scale *scale);

/* Adds the same lines to a text, but not escaped. `title` is the chosen heading; NULL: none. */
void headers_show(struct buffer *to, const struct format *format, const struct scale *scale, const char *title);

#endif
