/*
 * Converts profiles into a directory, several at a time: each to NAME.webgrind, where webgrind looks for the
 * preprocessed file of the profile NAME.
 *
 * A profile is left for the next time while it is being written. It is if another process has locked it
 * (Xdebug does so, except in append mode), if it changed less than a second ago and changes again within
 * a second, or if it changes while it is converted. Other profiles that are not complete yet are converted
 * as they are, and again the next time, because they are newer than the result then.
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

/*
 * Converts options->inputs into options->storage. Signals that would end the process do so only when no temporary file
 * is left, at the end of this function. What has failed was reported.
 */
void batch_run(const struct options *options, struct bar *bar, struct batch_counts *counts);

/* What keeps webgrind from listing a profile of this name, as what follows "; " in a line; or "". */
const char *batch_hint(const char *profile);

#define RESULT_SUFFIX ".webgrind" /* as webgrind has it in its configuration, unless one changes it */

/* FOLDER/NAMESUFFIX, in memory of the run. */
char *storage_path(const char *folder, const char *name, const char *suffix);

/*
 * webgrind lists what is in its profilerDir, and deletes a preprocessed file DIR/NAME.webgrind without a file DIR/NAME,
 * or with a newer one. For merged files, and for inputs that are elsewhere, a placeholder is that file. It has the
 * header line `cmd:` of the result, which webgrind shows in its list.
 *
 * Before the result is written: makes one, if there is no file of its name, and returns whether it did. Once it is
 * done: makes one, or gives that which is ours the title and the time of the result.
 */
bool placeholder_write(const char *result, bool is_done, struct diag *diag);

#endif
