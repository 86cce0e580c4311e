/* Shows the library's messages on standard error. */
#ifndef CG2WG_CLI_MESSAGES_H
#define CG2WG_CLI_MESSAGES_H

#include "cli/bar.h"
#include "util/diag.h"

struct messenger {
    bool quiet, verbose;
    struct bar *bar;     /* a message replaces it; borrowed */
    const char *profile; /* one of several that are converted at the same time; NULL: there is only one */
    uint64_t warnings;   /* so far; only the first few are shown */
};

/* A cg2wg_report_fn; `user` is a struct messenger. */
void messenger_show(void *user, const struct cg2wg_message *message);

/* Says how many warnings were not shown, if there were any, and removes the bar. Warnings count from 0 again. */
void messenger_finish(struct messenger *m);

/* Shows a line about a file: `cg2wg: FILE: TEXT`, unless the messenger is quiet. */
void messenger_say(const struct messenger *m, const char *file, const char *format, ...) DIAG_PRINTF(3, 4);

/* Sets `text`, which it returns, to what a conversion has made. */
enum { CONVERSION_TEXT = 160 };
const char *conversion_text(char text[CONVERSION_TEXT], unsigned format, const struct cg2wg_stats *stats);

#endif
