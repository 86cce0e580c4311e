/*
 * Names as webgrind shows them. It puts texts of a preprocessed file into its page as HTML, so that
 * text that looks like markup must be escaped; docs/differences.md says where and why.
 *
 *     names of functions   &lt; &amp; &quot;, because webgrind shows them only as HTML
 *     files                unchanged, because of links; if a script could run, U+2060 after <
 *     headings (cmd:)      U+2060 after <, & and :, because webgrind shows them as HTML and as text
 *
 * If any text was changed, a header line says so. Without that line nothing is undone, because
 * webgrind and earlier releases of cg2wg wrote all texts as they are.
 */
#ifndef CG2WG_WEBGRIND_ESCAPE_H
#define CG2WG_WEBGRIND_ESCAPE_H

#include "io/outfile.h"
#include "util/text.h"

enum escape_kind {
    ESCAPE_NAME,
    ESCAPE_INTERNAL_NAME, /* of a function in php:internal, which becomes part of a link */
    ESCAPE_FILE,
    ESCAPE_HEADING,
    ESCAPE_COMMAND /* a heading in a file that webgrind's own preprocessor would write, too: its ": " stays */
};

/* The line that says so. */
#define ESCAPE_KEY "cg2wg-escaped"
#define ESCAPE_VALUE "html"

/* The kind of the name of a function in this file. */
enum escape_kind escape_kind_of_name(struct text file);

/* Does escape_write write another text? */
bool escape_changes(struct text text, enum escape_kind kind);

/* The number of bytes that escape_write writes: the length of the text if nothing is escaped. */
size_t escape_size(struct text text, enum escape_kind kind);
bool escape_write(struct outfile *out, struct text text, enum escape_kind kind);

/*
 * Writes the original of the escaped `text` to `to`, which may be text.at, because the original is
 * never longer. Returns its end.
 */
char *escape_undo(char *to, struct text text, enum escape_kind kind);

#endif
