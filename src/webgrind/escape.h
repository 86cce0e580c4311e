/*
 * Names as webgrind shows them. It puts texts of a preprocessed file into its page as HTML, so what
 * looks like markup has to be written in another way; docs/differences.md says where and why.
 *
 *     names of functions   &lt; &amp; &quot;, as they are shown as HTML only
 *     files                as they are, for the links to them; where a script could run, U+2060 after <
 *     headings (cmd:)      U+2060 after <, & and :, as they are shown both as HTML and as plain text
 *
 * A file in which any text was changed says so by a header line. Nothing is undone without it: webgrind
 * and earlier releases of cg2wg wrote all texts as they are.
 */
#ifndef CG2WG_WEBGRIND_ESCAPE_H
#define CG2WG_WEBGRIND_ESCAPE_H

#include "io/outfile.h"
#include "util/text.h"

enum escape_kind {
    ESCAPE_NAME,
    ESCAPE_INTERNAL_NAME, /* of a function in php:internal, which becomes part of a link */
    ESCAPE_FILE,
    ESCAPE_HEADING
};

/* The line that says so. */
#define ESCAPE_KEY "cg2wg-escaped"
#define ESCAPE_VALUE "html"

/* The kind of the name of a function in this file. */
enum escape_kind escape_kind_of_name(struct text file);

/* The bytes that escape_write writes: as many as the text has if it is written as it is. */
size_t escape_size(struct text text, enum escape_kind kind);
bool escape_write(struct outfile *out, struct text text, enum escape_kind kind);

/*
 * Writes the text that became `text` to `to`, which may be text.at: it is never longer. Returns its end.
 */
char *escape_undo(char *to, struct text text, enum escape_kind kind);

#endif
