/* Which functions the places of a recording are in. */
#ifndef CG2WG_FRONTENDS_PERF_SYMBOLS_H
#define CG2WG_FRONTENDS_PERF_SYMBOLS_H

#include "frontends/perf_reader.h"

/* By place: the names of the function and of its object. */
struct perf_symbol {
    uint32_t name, object;
};

/*
 * Sets symbols[i] for each place i of which is_used[i] is set. Warns of objects without symbols. Returns
 * false, having reported why, if memory or what the user has asked for fails.
 */
bool perf_find_symbols(struct perf_reader *reader, const bool *is_used, struct perf_symbol *symbols);

#endif
