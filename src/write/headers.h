/* SPDX-License-Identifier: MIT */
/*
 * The header lines of an output, in a form that webgrind's reader can use: it reads up to the first empty line, splits
 * each line at ": ", and the number of a summary at the first blank.
 *
 * The value of `cmd:` is the command or, in a merged file, its heading (facts.h), which webgrind shows above a profile
 * and, for a preprocessed file among the profiles, in its list. (The list shows the first such line, the heading the
 * last one.) A note follows costs that webgrind would show in the wrong unit, because it treats all as microseconds:
 * ` [costs in Ir, divided by 1000]`. A merged file has one such line, and contains the commands in further lines:
 *
 *     cg2wg-cmd: COUNT [COMMAND]       COUNT profiles had this command, or none
 */
#ifndef CG2WG_WRITE_HEADERS_H
#define CG2WG_WRITE_HEADERS_H

#include "model/contents.h"
#include "write/scale.h"

/*
 * The versions of webgrind's preprocessed format, which https://github.com/jokkedk/webgrind/wiki/Preprocessed-Format
 * describes. Its numbers have 32 bits and are unsigned, the lowest byte first.
 *
 *     4   each invocation, with the call that made it and the calls that it made
 *     5   sums of functions, each with the calls into it
 *     6   also with the calls that it makes; readers add up several summaries, and no longer use the last one
 *     7   also with the line where it begins; before it, files are escaped as ESCAPE_QUOTED_FILE
 */
enum {
    FIRST_VERSION_WITH_SUMS = 5,
    FIRST_VERSION_WITH_SUB_CALLS = 6,
    FIRST_VERSION_WITH_LINES = 7,
    FIRST_VERSION_WITH_ENCODED_FILES = 7
};

#define HEADING_KEY "cg2wg-cmd"

/* The following are in memory of the task. */

/* The note for costs in that unit, with a blank before it; "" if webgrind shows them correctly. */
const char *heading_note(struct unit unit);

/*
 * The lines for a profile whose totals are divided by `divisor`, in the version and with the title of the options.
 * Commands end with `note`. See facts_settle_event, which comes before.
 */
struct header_lines headers_of(struct profile *profile, uint64_t divisor, const char *note,
                               const struct cg2wg_options *options);

/* These lines, escaped, with one that says so if that changed any text of the output; `is_escaped`: of the names. */
struct text headers_escaped(const struct scale *scale, const struct cg2wg_options *options, bool is_escaped);

#endif
