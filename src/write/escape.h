/* SPDX-License-Identifier: MIT */
/*
 * Names as webgrind shows them. It puts texts of a preprocessed file into its page as HTML, so that
 * text that looks like markup must be escaped; docs/differences.md says where and why.
 *
 *     names of functions   &lt; &amp; &quot;, because webgrind shows them only as HTML
 *     files                unchanged, because of links; if a script could run, U+2060 after <
 *     ... of versions 4-6  also &quot;, because the readers before 1.1 put them between quotes as they are
 *     values of headers    U+2060 after <, & and :, because webgrind shows them as HTML and as text
 *
 * If any text was changed, a header line says so. Without that line nothing is undone, because
 * webgrind and earlier releases of cg2wg wrote all texts as they are.
 */
#ifndef CG2WG_WRITE_ESCAPE_H
#define CG2WG_WRITE_ESCAPE_H

#include "util/array.h"

enum escape_kind {
    ESCAPE_NAME,
    ESCAPE_INTERNAL_NAME, /* of a function in php:internal, which becomes part of a link */
    ESCAPE_FILE,
    ESCAPE_QUOTED_FILE,
    ESCAPE_VALUE,  /* of a header */
    ESCAPE_HEADING /* a value, also between `:` and a blank, where webgrind would cut it off */
};

/* The line that says so. */
#define ESCAPE_KEY "cg2wg-escaped"
#define ESCAPE_MARK "html"

/* A line as webgrind's reader takes it, without what PHP's trim() removes. */
struct text escape_trim(struct text line);

/* Appends a text, escaped. False, and nothing is appended: that is the same text, which most are. */
bool escape_add(struct buffer *to, struct text text, enum escape_kind kind);

/* Writes the original of the escaped `text`, which is never longer, to `to`, which may be text.at. Returns its end. */
char *escape_undo(char *to, struct text text, enum escape_kind kind);

#endif
