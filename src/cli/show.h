/* Texts of the input on a terminal and in JSON: they may hold any bytes. */
#ifndef CG2WG_CLI_SHOW_H
#define CG2WG_CLI_SHOW_H

#include "util/text.h"

#include <stdio.h>

/* Prints a text without what would garble a table, or a terminal: see util/utf8.h. */
void show_plain(FILE *stream, struct text t);

/* A string of JSON. A byte that is not UTF-8 becomes U+FFFD, which every reader of JSON takes. */
void show_json_string(FILE *stream, struct text t);

/*
 * `"KEY": "TEXT"` and, so that nothing is lost, `"KEY_bytes": "HEXADECIMAL"` of what is not UTF-8.
 */
void show_json_member(FILE *stream, const char *key, struct text t);

#endif
