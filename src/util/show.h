/* Prints texts of the input, and names of files, to a terminal. They may contain any bytes. */
#ifndef CG2WG_UTIL_SHOW_H
#define CG2WG_UTIL_SHOW_H

#include "util/text.h"

#include <stdio.h>

/* Prints a text without characters that would garble a table or a terminal: see util/text.h. */
void show_plain(FILE *stream, struct text t);

/* The number of terminal columns of a text that is printed in this way. */
size_t show_columns(struct text t);

/* Prints at most `columns` of it. An ellipsis replaces the middle, or the start, of a longer text. */
void show_shortened(FILE *stream, struct text t, size_t columns, bool keeps_end);

/*
 * Prints words, separated by blanks, in lines of at most `columns` columns, and ends the last one.
 * The first word is at `column`; later lines begin at `indent`.
 */
void show_wrapped(FILE *stream, const char *words, size_t column, size_t indent, size_t columns);

/*
 * A message on standard error: a line that begins with the program's name, printed as by show_plain. It is written in
 * one piece, so that the output of other programs does not interrupt it, unless it is longer than the buffer.
 */
struct message_line {
    char bytes[8192];
    size_t used;
};

void message_begin(struct message_line *m);
void message_add(struct message_line *m, const char *string);
void message_end(struct message_line *m);

#endif
