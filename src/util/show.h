/* SPDX-License-Identifier: MIT */
/* Prints texts of the input, and names of files, to a terminal. Both may contain any bytes. */
#ifndef CG2WG_UTIL_SHOW_H
#define CG2WG_UTIL_SHOW_H

#include "util/text.h"

#include <stdio.h>

#define ELLIPSIS "\u2026"

/* Prints a text without characters that would garble a table or a terminal: see util/text.h. */
void show_plain(FILE *stream, struct text t);

/* The width on a terminal of a text that is printed in this way: most characters have a width of 1, some 0 or 2. */
size_t show_width(struct text t);

/* Its start, or end, of that width; a character of two does not have to fit. */
struct text show_cut(struct text t, size_t width, bool is_end);

/* Prints at most that width of it. An ellipsis replaces the middle, or the start, of a longer text. */
void show_shortened(FILE *stream, struct text t, size_t width, bool keeps_end);

/* Prints words and a newline, in lines of at most that width: the first begins at `used`, later ones at `indent`. */
void show_wrapped(FILE *stream, const char *words, size_t used, size_t indent, size_t width);

/* Closes a stream. Returns 0, or an errno: why any of the writes to it has failed, also one before others. */
int show_end(FILE *stream);

/*
 * Prints a message on standard error: the program's name and these pieces, up to a NULL, in a line, as by show_plain.
 * It is written at once, so that the output of other programs does not interrupt it, unless it has more than 8 KiB.
 */
void show_message(const char *const *pieces);

#endif
