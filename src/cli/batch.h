/* SPDX-License-Identifier: MIT */
/*
 * Converts profiles into a directory, several at a time: each to NAME.webgrind, where webgrind looks for the
 * preprocessed file of the profile NAME.
 *
 * A profile that is still being written is left for the next time: one that its owner has locked (Xdebug does so,
 * except in append mode), that changed less than a second ago and changes again within a second, or that changes during
 * its conversion. Other incomplete profiles are converted as they are, and again the next time, if they are newer than
 * the result then.
 */
#ifndef CG2WG_CLI_BATCH_H
#define CG2WG_CLI_BATCH_H

#include "cli/options.h"
#include "util/diag.h"

struct bar;

/* What has become of the profiles. */
enum batch_outcome { ITEM_FAILED, ITEM_UP_TO_DATE, ITEM_BEING_WRITTEN, ITEM_CONVERTED, OUTCOME_COUNT };

struct batch_counts {
    uint64_t of[OUTCOME_COUNT];
    struct cg2wg_stats stats; /* sums over those that were converted */
};

/* Converts options->inputs into options->storage, and reports failures. A signal ends the process only at the end. */
void batch_run(const struct options *options, struct bar *bar, struct batch_counts *counts);

/* A hint for the end of a line, after "; ": what keeps webgrind from listing a profile of this name; or "". */
const char *batch_hint(const char *profile);

#define RESULT_SUFFIX ".webgrind" /* as webgrind has it in its configuration, unless one changes it */

/* FOLDER/NAMESUFFIX, in memory of the task. */
char *storage_path(const char *folder, const char *name, const char *suffix);

/*
 * webgrind lists what is in its profilerDir, and deletes a preprocessed file DIR/NAME.webgrind without a file DIR/NAME,
 * or with a newer one. For merged files, and for inputs that are elsewhere, a placeholder is that file. It has the
 * header line `cmd:` of the result, which webgrind shows in its list.
 *
 * Call the first before the result has its name: so the result is never alone, whatever ends the program between two
 * renames, and the next run makes it. It leaves a file of another kind as it is. `written`: where the result is now.
 * The second removes a placeholder that has no result.
 */
void placeholder_write(const char *result, const char *written, struct diag *diag);
void placeholder_forget(const char *placeholder, const char *result);

#endif
