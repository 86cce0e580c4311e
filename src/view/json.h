/* JSON with nesting. Members and elements are separated as each object and array wants it. */
#ifndef CG2WG_VIEW_JSON_H
#define CG2WG_VIEW_JSON_H

#include "util/diag.h"
#include "util/text.h"

#include <stdio.h>

enum { JSON_DEPTH = 8 };

struct json {
    FILE *stream;
    size_t depth;
    struct {
        const char *lead; /* comes before each member or element; a blank only after a comma */
        bool has_some;
    } levels[JSON_DEPTH];
    const char *next_lead; /* the same, for the next one only; NULL: none */
};

/* Begins an object or array, `open`, whose members have this lead; key NULL: it is an element. */
void json_begin(struct json *json, const char *key, char open, const char *lead);

/* Ends it; `close` is what ends it, perhaps with a newline and blanks before. */
void json_end(struct json *json, const char *close);

/* The next member begins with this, instead of the lead of its object. */
void json_break(struct json *json, const char *lead);

/* A value that is formatted as by printf; key NULL: an element. */
void json_print(struct json *json, const char *key, const char *format, ...) DIAG_PRINTF(3, 4);

/* A percentage; `null` if the total is not above 0. */
void json_percent(struct json *json, const char *key, double part, double total);

/*
 * A text as a string and, so that nothing is lost, `"KEY_bytes": "HEXADECIMAL"` if it is not UTF-8. In the
 * string, a byte that is not UTF-8 becomes U+FFFD, which every reader of JSON accepts.
 */
void json_text(struct json *json, const char *key, struct text text);

/* Prints such a string, between quotes; in HTML, it has no `<`. */
void json_string(FILE *stream, struct text text, bool in_html);

/* How many bytes that prints. */
size_t json_string_size(struct text text, bool in_html);

#endif
