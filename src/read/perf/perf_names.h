/* Which functions places are in: from symbols of files, of code made at run time, and of the kernel. */
#ifndef CG2WG_READ_PERF_PERF_NAMES_H
#define CG2WG_READ_PERF_PERF_NAMES_H

#include "read/perf/perf_stacks.h"

/* By place: the names of the function and of its object. */
struct perf_symbol {
    uint32_t name, object;
};

/* Prepares for the symbols of an input's places: there are none so far. The argument may not move from now on. */
void perf_names_begin(struct perf_about *about);

/* Is a mapping of that name memory that is no file's? What is executed there was made at run time. */
bool perf_is_jit(struct text name);

/*
 * The number of a place, which may be new. Opens the symbols of its object, unless it has to be known first which they
 * are, as by a build-id that may follow. If they are open, it becomes the place of the symbol. So there are no more
 * places, and stacks of them, than functions.
 */
uint32_t perf_place(struct perf_about *about, struct perf_place place);

/* The symbols of all places i of which is_used[i] is set. Warns of objects without symbols. */
struct perf_symbol *perf_find_symbols(struct perf_about *about, const bool *is_used);

#endif
