/*
 * The line on standard error that shows how far a conversion has come. It appears when the work takes
 * longer than a second, changes at most ten times a second, and is gone when the work ends. A process
 * in the background of a terminal shows none. It is drawn by carriage returns and blanks alone, so
 * every terminal will do.
 */
#ifndef CG2WG_CLI_BAR_H
#define CG2WG_CLI_BAR_H

#include "cg2wg.h"

#include <pthread.h>

enum { BAR_COLUMNS = 500 }; /* of the longest line that is drawn */

struct bar {
    double start;         /* of the work, in seconds of the clock */
    pthread_mutex_t lock; /* of what is on the terminal */
    double stage_start, drawn_at;
    enum cg2wg_stage stage;
    size_t drawn; /* columns that are on the terminal now */
};

/* Begins to count the time. */
void bar_init(struct bar *bar);

/* Draws, if it is time to. In any thread, but never in two at once. */
void bar_update(struct bar *bar, const struct cg2wg_progress *progress);

/* Takes the bar away, and keeps it away until bar_release, so that something else can be written. */
void bar_hide(struct bar *bar);
void bar_release(struct bar *bar);

/* Takes it away for good. */
void bar_finish(struct bar *bar);

/* Seconds since some moment, by a clock that nobody sets. */
double clock_seconds(void);

/*
 * Makes the line for work that has gone on for `seconds`: as much of it as fits `width` columns,
 * with a NUL behind. Returns its length; 0 if nothing fits.
 */
size_t bar_line(char text[BAR_COLUMNS + 1], size_t width, const struct cg2wg_progress *progress,
                double seconds);

/* "1.23 GB" and the like: always three digits or so, of bytes in units of 1000. */
enum { BYTES_TEXT = 16 };
void bytes_text(char text[BYTES_TEXT], double bytes);

#endif
