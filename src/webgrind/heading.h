/*
 * Headings: the value of `cmd:`, which webgrind shows above a profile and, of a preprocessed file that
 * stands among the profiles, in its list. (There it takes the first such line, above the last one.)
 *
 *     COMMAND                          one profile
 *     3 profiles of COMMAND            a merged file
 *     5 profiles of A, B, C and 1 more
 *
 * behind which a note says what webgrind cannot know, as it takes all costs for microseconds:
 *
 *     [costs in Ir]
 *     [costs in Ir, divided by 1000]
 *     [costs in microseconds, divided by 10]
 *
 * A merged file has one such line, and keeps the commands in lines of its own:
 *
 *     cg2wg-cmd: COUNT [COMMAND]       so many profiles had this command, or none
 */
#ifndef CG2WG_WEBGRIND_HEADING_H
#define CG2WG_WEBGRIND_HEADING_H

#include "webgrind/scale.h"

#define HEADING_KEY "cg2wg-cmd"

enum { HEADING_NOTE_SIZE = 160 };

/* The note for costs in that unit, with a blank before it and NUL behind; "" if webgrind shows them right. */
void heading_note(struct unit unit, char note[HEADING_NOTE_SIZE]);

/* A text of its own; free `bytes`. */
struct heading {
    char *bytes;
    size_t length, capacity;
};

/* Appends to a heading, which was {0} at first. They return false when memory runs out. */
bool heading_add(struct heading *heading, struct text text);
/* What is not printable UTF-8 becomes `?`. */
bool heading_add_printable(struct heading *heading, struct text text);

/* How often a command occurs among the profiles that were merged. */
struct heading_command {
    uint32_t name; /* without blanks around it, in profile.names; NAME_EMPTY: it is not known */
    uint64_t count;
};

/* Sets *commands to those of a merged profile, in order; *count of them. False: no memory. */
bool heading_commands(struct profile *profile, struct heading_command **commands, size_t *count);

/* Appends what they make. */
bool heading_add_commands(struct heading *heading, const struct profile *profile,
                          const struct heading_command *commands, size_t count);

#endif
