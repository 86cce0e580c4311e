/*
 * The lines of aprof's reports: a tag and what follows it, without what came before.
 *
 *     r "NAME" "OBJECT" ID        a routine; in version 0, NAME [ADDRESS] OBJECT ID
 *     p ID NUMBER...              a tuple, of one size of the input of its calls
 *     d ID "NAME"                 an id and a name
 */
#ifndef CG2WG_READ_APROF_LINES_H
#define CG2WG_READ_APROF_LINES_H

#include "model/sizes.h"

enum { FIRST_WITH_TOTAL = 2, FIRST_WITH_SELF = 2 }; /* versions */

/* Splits a line into its tag, a word of letters, and the rest. False: no tag. */
bool aprof_split_tag(struct text line, struct text *tag, struct text *value);

/*
 * Each of these takes its text off the start, with the blanks after it. They return false if it is not
 * there. A number that is too large sets *overflow (NULL: not wanted); an id must not be too large.
 */
bool aprof_take_number(struct text *t, uint64_t *number, bool *overflow);
bool aprof_take_id(struct text *t, uint64_t *id);
bool aprof_take_quoted(struct text *t, struct text *quoted); /* up to the last quote */

/* What follows the tag of a routine's line. may_be_plain: it may be as in version 0. */
bool aprof_split_routine(struct text value, bool may_be_plain, struct text *name, struct text *object,
                         uint64_t *id);

/*
 * Reads what follows the id of a tuple: everything but the function, as far as that version has it. Returns
 * 0, or if a number is missing, how many there should be at least. A number that is too large becomes the
 * largest, and sets *overflow.
 */
size_t aprof_read_tuple(uint64_t version, struct text rest, struct cg2wg_size_cost *tuple, bool *overflow);

#endif
