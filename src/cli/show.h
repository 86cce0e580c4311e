/* Texts of the input, and names of files, on a terminal and in JSON: they may hold any bytes. */
#ifndef CG2WG_CLI_SHOW_H
#define CG2WG_CLI_SHOW_H

#include "util/text.h"

#include <stdio.h>

/* Prints a text without what would garble a table, or a terminal: see util/utf8.h. */
void show_plain(FILE *stream, struct text t);

/* How many columns of a terminal a text takes when it is printed so. */
size_t show_columns(struct text t);

/* Prints at most `columns` of it: an ellipsis stands for the middle, or the start, where it takes more. */
void show_shortened(FILE *stream, struct text t, size_t columns, bool keeps_end);

/*
 * Prints words, parted by blanks, in lines of at most so many columns, and ends the last one. The first word
 * stands at `column`, later lines begin at `indent`.
 */
void show_wrapped(FILE *stream, const char *words, size_t column, size_t indent, size_t columns);

/*
 * A message on standard error: a line that begins with the program's name. It is gathered, so that it
 * is written at once and stays whole where other programs write, too; only one that is longer than this
 * is written in pieces. What is added is printed as by show_plain.
 */
struct message_line {
    char bytes[8192];
    size_t used;
};

void message_begin(struct message_line *m);
void message_add(struct message_line *m, const char *string);
void message_add_text(struct message_line *m, struct text t);
void message_end(struct message_line *m);

/* A string of JSON. A byte that is not UTF-8 becomes U+FFFD, which every reader of JSON takes. */
void show_json_string(FILE *stream, struct text t);

/*
 * `"KEY": "TEXT"` and, so that nothing is lost, `"KEY_bytes": "HEXADECIMAL"` of what is not UTF-8.
 */
void show_json_member(FILE *stream, const char *key, struct text t);

#endif
