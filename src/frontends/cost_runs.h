/*
 * Runs of cost lines that are summed up ahead of the reader, of blocks of a profile in several threads:
 * what they cost does not depend on what stands in front of them, and their line at most on one number.
 */
#ifndef CG2WG_FRONTENDS_COST_RUNS_H
#define CG2WG_FRONTENDS_COST_RUNS_H

#include "frontends/cost_lines.h"

struct cost_runs {
    struct cost_form form; /* of the lines in the next block */
    struct cost_run *runs; /* in the order of the block; a line may be told as one from UNKNOWN_LINE */
    size_t count, capacity;
    size_t next; /* all before have been asked for, or passed */
};

void cost_runs_free(struct cost_runs *runs);

/* Lines are of this form from here on: what was found in those of another one is of no use. */
void cost_runs_set_form(struct cost_runs *runs, struct cost_form form);

/* Sums up the runs of a block, in place of those of the last one. False: no memory. */
bool cost_runs_find(struct cost_runs *runs, struct text block);

/*
 * The run that begins at `at`, behind all that were asked for before, as cost_lines_take tells it.
 * False: it is not known.
 */
bool cost_runs_take(struct cost_runs *runs, const char *at, uint64_t line, struct cost_run *run);

#endif
