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

#define HEADING_KEY "cg2wg-cmd"

enum { HEADING_NOTE_SIZE = 160 };

/*
 * The note for costs in that unit, with a blank before it and a NUL after it; "" if webgrind shows
 * them correctly.
 */
void heading_note(struct unit unit, char note[HEADING_NOTE_SIZE]);

#endif
