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
#ifndef CG2WG_WRITE_HEADING_H
#define CG2WG_WRITE_HEADING_H

#include "model/units.h"
#include "util/buffer.h"

#define HEADING_KEY "cg2wg-cmd"

enum { HEADING_NOTE_SIZE = 160 };

/*
 * The note for costs in that unit, with a blank before it and a NUL after it; "" if webgrind shows
 * them correctly.
 */
void heading_note(struct unit unit, char note[HEADING_NOTE_SIZE]);

/* How often a command occurs among merged profiles. */
struct heading_command {
    uint32_t name; /* without blanks around it, in profile.names; NAME_EMPTY: unknown */
    uint64_t count;
};

struct headings {
    char note[HEADING_NOTE_SIZE]; /* as heading_note has it */
    bool are_composed; /* of commands, or a title: then `text` is the only heading */
    struct buffer text;
    struct heading_command *commands; /* of a merged file without a title, in order */
    size_t command_count;
};

/*
 * Prepares the headings of a profile whose costs are written in that unit. `title` is the chosen
 * heading; NULL: none. False: no memory; headings_free is wanted in either case.
 */
bool headings_init(struct headings *headings, struct profile *profile, struct unit unit,
                   const char *title);
void headings_free(struct headings *headings);

/* Sets `text` to a command of the profile, or an empty text, and the note. False: no memory. */
bool headings_set_command(struct headings *headings, struct text command);

#endif
