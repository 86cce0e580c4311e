/* SPDX-License-Identifier: MIT */
/* Reads preprocessed files from a folder, which the program itself never does. */
#ifndef CG2WG_TESTS_PREPROCESSED_FILE_H
#define CG2WG_TESTS_PREPROCESSED_FILE_H

#include "read/preprocessed_file.h"

/* Checks a copy of `file`, without a run: see preprocessed_check. False, with nothing to free, after an error. */
bool preprocessed_try(struct preprocessed *p, struct text file, struct diag *diag);

/* The same for the file `path`; also false if it cannot be read. */
bool preprocessed_read(struct preprocessed *p, const char *path, struct diag *diag);

void preprocessed_free(struct preprocessed *p);

/* The total that webgrind's percentages are relative to: the sum of the summaries; *runs of them. */
double preprocessed_total(const struct preprocessed *p, unsigned *runs);

/*
 * What webgrind would take for markup when it shows the texts of a complete file, as they are written: a
 * sentence. NULL: nothing. See the functions for how webgrind 1.9.4 shows each.
 */
const char *preprocessed_markup(const void *bytes, size_t size);
const char *preprocessed_markup_in(const char *path);

#endif
