/* Texts of the input may contain any bytes: finds what is UTF-8, and what is safe for a terminal. */
#ifndef CG2WG_UTIL_UTF8_H
#define CG2WG_UTIL_UTF8_H

#include "util/text.h"

/*
 * The length of the first character of a text, which is not empty; 0 if it is not well-formed UTF-8: an unexpected
 * byte, an overlong form, a surrogate, a value beyond U+10FFFF, or truncated.
 */
size_t utf8_length(struct text t);

/* Does a text, which is not empty, begin with a control character (below U+0020, or U+007F to U+009F)? */
bool utf8_is_control(struct text t);

/* The columns of a character on a terminal: 0 for combining marks and the like, 2 for ideographs, otherwise 1. */
size_t utf8_columns(struct text character);

/*
 * Takes everything that is safe for a terminal from the start of a text, which is not empty. A byte
 * of a control character, or one that is not UTF-8, is taken by itself; the result is then "?".
 */
struct text utf8_take_printable(struct text *t);

/* Replaces each such byte by a `?`. */
void utf8_make_printable(char *bytes, size_t length);

/* How many bytes at the start are printable ASCII, but none of `but`; found in steps of eight. */
size_t utf8_plain_length(struct text t, const char *but);

#endif
