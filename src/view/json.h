/* SPDX-License-Identifier: MIT */
/* JSON with nesting. Members and elements are separated as each object and array wants it. */
#ifndef CG2WG_VIEW_JSON_H
#define CG2WG_VIEW_JSON_H

#include "util/array.h"
#include "util/diag.h"

#include <stdio.h>

enum { JSON_ROOM = 256 }; /* the most bytes of a value that is formatted, or of a list of numbers */
struct json {
    FILE *stream;              /* NULL: what is printed is only counted */
    uint64_t size, most_bytes; /* bytes printed so far; soon after they are more, the rest is only counted. 0: never */
    bool in_html;              /* it has no `--`, and no blanks; a text that is not UTF-8 has nothing beside it */
    size_t depth;
    struct json_level {
        char open;
        const char *lead; /* comes before each member or element; a blank only after a comma */
        bool has_some;
    } levels[8];
    size_t used;
    char waiting[16 * JSON_ROOM]; /* to be written, at the end of the outer one at the latest */
};

/*
 * Begins an object or array, `open`, whose members have this lead; key NULL: it is an element. Here and below, a key
 * that begins with the end of a line begins another line of its object.
 */
void json_begin(struct json *json, const char *key, char open, const char *lead);

void json_end(struct json *json); /* the outer two with a new line if their members begin lines */

/* A value that is formatted as by printf; key NULL: an element. */
void json_print(struct json *json, const char *key, const char *format, ...) DIAG_PRINTF(3, 4);

/* A number, which has a sign unless it is a count: faster than json_print, as there may be many. */
void json_number(struct json *json, const char *key, bool is_count, uint64_t number);

/* Numbers, up to 8, as elements. Those of `counts`, whose lowest bit is of the first one, have no sign. */
#define JSON_LIST(json, counts, ...) \
    json_list(json, counts, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
void json_list(struct json *json, unsigned counts, const int64_t *numbers, size_t count);

/*
 * A text as a string, in HTML without any `--`, and, so that nothing is lost, `"KEY_bytes": "HEXADECIMAL"` if it is not
 * UTF-8. In the string, a byte that is not UTF-8 becomes U+FFFD, which every reader of JSON accepts.
 */
void json_text(struct json *json, const char *key, struct text text);

#endif
