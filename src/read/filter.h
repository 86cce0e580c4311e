/* SPDX-License-Identifier: MIT */
/* Asks a program about lines, and takes its answers, within limits: it may answer for ever, or with gigabytes. */
#ifndef CG2WG_READ_FILTER_H
#define CG2WG_READ_FILTER_H

#include "cg2wg.h"
#include "os/program.h"

enum { FILTER_MOST_LINE = 4096 }; /* bytes of an answer: a longer one is empty */

/* All is borrowed. */
struct filter {
    const struct program_kind *kind;
    struct cg2wg_demangling *limit; /* of all that is asked; other threads may use it at the same time */
    struct diag *diag;
    int file; /* an object; the program gets a copy, as in struct program; -1: none */
};

/*
 * Returns the answers, one a line, in memory of the task: fewer than lines if the program fails or takes too much. `at`
 * is NULL if it cannot be started or given the lines, and is optional; if not, that is an error. What it uses is added
 * to limit->used, and what it is asked about a file to limit->asked; without a file, the caller has added the bytes of
 * all lines that are to be asked. Sets *is_stopped: did the line after the last one that is answered take too much?
 */
struct text filter_answers(const struct filter *filter, struct text lines, bool *is_stopped);

#endif
