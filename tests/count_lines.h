/*
 * How front ends have read their lines: one at a time, by tokens, or by sums of records. The linker puts functions
 * that count in front of lines_next, tokens_make and prepared_take_span (--wrap).
 */
#ifndef CG2WG_TESTS_COUNT_LINES_H
#define CG2WG_TESTS_COUNT_LINES_H

#include "frontends/callgrind/tokens.h"

/* 0: the linker optimises, so that it cannot do this for each call, and numbers are too small. */
#ifndef LINES_ARE_COUNTED
#define LINES_ARE_COUNTED 1
#endif

/* Tokens that were made, by enum token_kind, and these */
enum { SPAN_ENTERED = TOKEN_CALL + 1, SPAN_LEFT /* to the reader */, LINE_ASKED_FOR, COUNTED_KINDS };

struct line_counts {
    size_t of[COUNTED_KINDS];
};

#define BIT(kind) (1u << (kind))

/* Returns what was counted, in all threads, since the call before. */
struct line_counts line_counts_take(void);

void line_counts_add(struct line_counts *sum, const struct line_counts *more);

/* Are there sums on this processor? The reader is not asked, so that it cannot make tests expect none. */
bool processor_has_sums(void);

/*
 * Returns which of `kinds`, bits, was not counted, or -1. No spans are expected of a processor without sums, and nothing
 * if lines are not counted.
 */
int line_counts_missing(const struct line_counts *counts, unsigned kinds);

#endif
