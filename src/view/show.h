/*
 * Prints texts of the input, and names of files, to a terminal and in JSON. They may contain any
 * bytes.
 */
#ifndef CG2WG_VIEW_SHOW_H
#define CG2WG_VIEW_SHOW_H

#include "util/names.h"

#include <stdio.h>

/* The most bytes of a name, of a function, file or object, that are shown. */
enum { SHOW_NAME = 4096 };

/* Names in the form in which they are shown, if that is another one. Begins as {.has_some = false}. */
struct shown_names {
    struct names names;
    bool has_some;
};

/*
 * Replaces a longer name by its start, an ellipsis and 16 digits of its SHA-256, which tell it apart from others
 * that begin like it. The new text is valid as long as `shown`. Returns false when memory runs out.
 */
bool show_name(struct shown_names *shown, struct text *name);
void shown_names_free(struct shown_names *shown);

/* Prints a text without characters that would garble a table or a terminal: see util/utf8.h. */
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
 * A message on standard error: a line that begins with the program's name. It is collected and
 * written in one piece, so that the output of other programs does not interrupt it; only a message
 * longer than the buffer is written in pieces. Text is printed as by show_plain.
 */
struct message_line {
    char bytes[8192];
    size_t used;
};

void message_begin(struct message_line *m);
void message_add(struct message_line *m, const char *string);
void message_add_text(struct message_line *m, struct text t);
void message_end(struct message_line *m);

enum { SHOW_JSON_CHARACTER = 8 };

/*
 * Takes a character of a text, which is not empty, and makes its form in a string of JSON; in HTML,
 * the form has no `<`. Returns the length of the form.
 */
size_t show_json_character(char form[SHOW_JSON_CHARACTER], struct text *t, bool in_html);

/* A string of JSON. A byte that is not UTF-8 becomes U+FFFD, which every reader of JSON accepts. */
void show_json_string(FILE *stream, struct text t);

/*
 * `"KEY": "TEXT"` and, so that nothing is lost, `"KEY_bytes": "HEXADECIMAL"` if the text is not
 * UTF-8.
 */
void show_json_member(FILE *stream, const char *key, struct text t);

/* The percentage that a part has of a total; `null` if the total is not above 0. */
void show_json_percent(FILE *stream, double part, double total);

#endif
