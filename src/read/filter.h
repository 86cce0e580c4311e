/* SPDX-License-Identifier: MIT */
/* Asks a program about lines, and takes its answers, within limits: it may answer for ever, or with gigabytes. */
#ifndef CG2WG_READ_FILTER_H
#define CG2WG_READ_FILTER_H

#include "cg2wg.h"
#include "os/program.h"

enum { FILTER_MOST_LINE = 4096 }; /* bytes of an answer: a longer one is empty */

struct filter {
    const struct program_kind *kind;
    struct cg2wg_demangling *limit;
    struct diag *diag;
    int file; /* an object; the program gets a copy, as in struct program; -1: none */
};

/*
 * The answers; fewer if it fails, and with a NULL in place of the text if it cannot be started and is optional. Without
 * a file, the bytes of all lines that are to be asked must have been added to limit->asked. *is_stopped: the line after
 * the last one answered took too much.
 */
struct text filter_answers(const struct filter *filter, struct text lines, bool *is_stopped);

#endif
