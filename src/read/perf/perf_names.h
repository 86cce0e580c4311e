/* SPDX-License-Identifier: MIT */
/* Which functions and lines places are in: from files, code made at run time, the kernel, and the notes of others. */
#ifndef CG2WG_READ_PERF_PERF_NAMES_H
#define CG2WG_READ_PERF_PERF_NAMES_H

#include "read/perf/perf_stacks.h"

/* By place: the names of the function and of its object; and of the source, which may be inlined code. */
struct perf_symbol {
    uint32_t name, object;
    uint32_t file, line; /* NAME_EMPTY and 0: not known, or not wanted */
};

/* Takes FILE:LINE, with what may follow it. False: it is nothing like it. It may say that the line is not known. */
bool perf_take_line(struct perf_about *about, struct text text, struct perf_symbol *symbol);

/* Is a mapping of that name memory that is no file's? What is executed there was made at run time. */
bool perf_is_jit(struct text name);

/* The symbols of all places i of which is_used[i] is set; NULL: of all. Warns of objects without symbols. */
struct perf_symbol *perf_find_symbols(struct perf_about *about, const bool *is_used);

#endif
