/*
 * Placeholders: webgrind lists what is in its profilerDir, and deletes a preprocessed file DIR/NAME.webgrind without a
 * file DIR/NAME, or with a newer one. For merged files, and for inputs that are elsewhere, a placeholder is that file.
 * It has the header line `cmd:` of the result, which webgrind shows in its list.
 */
#ifndef CG2WG_CLI_PLACEHOLDER_H
#define CG2WG_CLI_PLACEHOLDER_H

#include "util/diag.h"

#define RESULT_SUFFIX ".webgrind" /* as webgrind has it in its configuration, unless one changes it */

struct placeholder {
    const char *result; /* borrowed */
    char *path;         /* the same without the suffix */
    bool is_own, is_new;
};

/* FOLDER/NAMESUFFIX, in memory of the run. */
char *storage_path(const char *folder, const char *name, const char *suffix);

/* The bytes with which a placeholder begins that was made here. */
#define PLACEHOLDER_MARK "creator: cg2wg\n"

/* Before the result is written: makes a placeholder if there is no file of its name. */
void placeholder_begin(struct placeholder *p, const char *result, struct diag *diag);

/* After that: gives it the title and the time of the result; without one, removes a new placeholder. */
void placeholder_end(struct placeholder *p, bool is_done, struct diag *diag);

#endif
