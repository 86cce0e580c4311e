/* Texts of the input may hold any bytes: what of them is UTF-8, and what a terminal may be given. */
#ifndef CG2WG_UTIL_UTF8_H
#define CG2WG_UTIL_UTF8_H

#include "util/text.h"

/*
 * The length of the character that a text, which is not empty, begins with; 0 if that is not well-formed
 * UTF-8: a byte out of place, a longer form than need be, a surrogate, beyond U+10FFFF, or cut off.
 */
size_t utf8_length(struct text t);

/* Does a text begin with a control character, below U+0020 or U+007F to U+009F? It begins with some. */
bool utf8_is_control(struct text t);

/*
 * How many columns of a terminal a character of well-formed UTF-8 takes: 0 for marks on the one before and
 * what is invisible, 2 for ideographs and the like, else 1.
 */
size_t utf8_columns(struct text character);

/*
 * Takes all that is fit for a terminal off the start of a text, which is not empty. A byte of a control
 * character, which would garble it, or of what is not UTF-8, is taken by itself: then the result is "?".
 */
struct text utf8_take_printable(struct text *t);

/* Makes a `?` of each such byte. */
void utf8_make_printable(char *bytes, size_t length);

#endif
