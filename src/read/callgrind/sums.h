/* SPDX-License-Identifier: MIT */
/*
 * An accelerator of the reader: records of Xdebug that have been added up, in any thread, before they are read (see
 * sums.c). When the reader comes to a text, it calls sums_begin; where it comes to `next`, it takes the records that
 * begin there, or reads their lines.
 */
#ifndef CG2WG_READ_CALLGRIND_SUMS_H
#define CG2WG_READ_CALLGRIND_SUMS_H

#include "io/lines.h"

struct callgrind_reader;

/* The costs of a line, and which of them is added up. */
struct sums_form {
    size_t columns; /* 1 or 2 */
    size_t wanted;  /* 0 or 1 */
};

/* All zero: none yet. */
struct sums {
    const char *next; /* where the next span of records begins; the end of the text: there are no more */
    const char *end;  /* of the text */
    const struct span *span, *spans_end; /* those that follow in the text */
    struct summed_text *texts[BLOCKS_MAX_SLOTS]; /* blocks, by their slots; NULL: none yet */
    struct sums_form form; /* what is added up */
    unsigned block;        /* the number of the last block of which there are sums */
    bool is_started;       /* other threads have been asked for */
    bool are_over;         /* there will be no more */
};

/* The text up to `end` is to be read. At first, lets other threads read ahead, if that is useful. */
void sums_begin(struct callgrind_reader *r, const char *end);

/* The span that begins at `p`, or NULL. Moves `next` beyond `p`. */
const struct span *sums_at(struct sums *sums, const char *p);

/*
 * Enters a span in the profile, after all records before it. Returns its end. NULL: it has entered nothing, because an
 * alias is undefined, or a sum is close to the limit of 64 bits.
 */
const char *sums_enter(struct callgrind_reader *r, const struct span *span);

/* All helper threads have ended. */
void sums_free(struct sums *sums);

#endif
