/*
 * Headings: the value of `cmd:`, which webgrind shows above a profile and, for a preprocessed file
 * among the profiles, in its list. (The list shows the first such line, the heading the last one.)
 *
 *     COMMAND                          one profile
 *     3 profiles of COMMAND            a merged file
 *     5 profiles of A, B, C and 1 more
 *
 * followed by a note for costs that webgrind would show in the wrong unit, because it treats all
 * costs as microseconds:
 *
 *     [costs in Ir]
 *     [costs in Ir, divided by 1000]
 *     [costs in microseconds, divided by 10]
 *
 * A merged file has one such line, and contains the commands in further lines:
 *
 *     cg2wg-cmd: COUNT [COMMAND]       COUNT profiles had this command, or none
 */
#ifndef CG2WG_WEBGRIND_HEADING_H
#define CG2WG_WEBGRIND_HEADING_H

#include "webgrind/scale.h"

#define HEADING_KEY "cg2wg-cmd"

enum { HEADING_NOTE_SIZE = 160 };

/*
 * The note for costs in that unit, with a blank before it and a NUL after it; "" if webgrind shows
 * them correctly.
 */
void heading_note(struct unit unit, char note[HEADING_NOTE_SIZE]);

/* A text that owns its bytes; free `bytes`. */
struct heading {
    char *bytes;
    size_t length, capacity;
};

/* These append to a heading, which begins as {0}. They return false when memory runs out. */
bool heading_add(struct heading *heading, struct text text);
/* What is not printable UTF-8 becomes `?`. */
bool heading_add_printable(struct heading *heading, struct text text);

/* How often a command occurs among merged profiles. */
struct heading_command {
    uint32_t name; /* without blanks around it, in profile.names; NAME_EMPTY: unknown */
    uint64_t count;
};

/* Sets *commands to those of a merged profile, in order; *count of them. False: no memory. */
bool heading_commands(struct profile *profile, struct heading_command **commands, size_t *count);

/* Appends the heading for these commands. */
bool heading_add_commands(struct heading *heading, const struct profile *profile,
                          const struct heading_command *commands, size_t count);

#endif
