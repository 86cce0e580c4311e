/* SPDX-License-Identifier: MIT */
/*
 * Standard error: the library's messages and the progress line, which messages replace. The line appears if the work
 * takes longer than a second, changes at most ten times a second, and disappears at the end. A process in the
 * background of a terminal has none. Carriage returns and blanks draw the line, so it works on all terminals.
 */
#ifndef CG2WG_CLI_MESSAGES_H
#define CG2WG_CLI_MESSAGES_H

#include "cg2wg.h"

#include <pthread.h>

enum { BAR_WIDTH = 500 }; /* of the longest line */

/* At first all zero, except both starts, which are the present time, and the lock. */
struct bar {
    double start;         /* of the work, in seconds of the clock */
    pthread_mutex_t lock; /* protects what is on the terminal */
    double stage_start, drawn_at;
    enum cg2wg_stage stage;
    size_t drawn; /* the width of what is on the terminal now */
};

/* Draws the line, if it is due. May run in any thread, but not in two at once. */
void bar_update(struct bar *bar, const struct cg2wg_progress *progress);

/* Removes the line, and shows a message in its place (see show_message), or none (NULL). */
void bar_hide(struct bar *bar, const char *const *message);

/* Seconds since some moment, by a clock that cannot be set. */
double clock_seconds(void);

/* Makes the line for work that has taken `seconds`: as much of it as fits the width. Returns its length. */
size_t bar_line(char text[BAR_WIDTH + 1], size_t width, const struct cg2wg_progress *progress, double seconds);

/* Bytes in units of 1000, with some three digits: "1.23 GB". */
enum { BYTES_TEXT = 16 };
void bytes_text(char text[BYTES_TEXT], double bytes);

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

/* Describes in `text`, which it returns, what a conversion has made. */
enum { CONVERSION_TEXT = 160 };
const char *conversion_text(char text[CONVERSION_TEXT], unsigned format, const struct cg2wg_stats *stats);

#endif
