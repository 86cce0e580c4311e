/* Which functions the places of a recording are in. */
#ifndef CG2WG_READ_PERF_PERF_SYMBOLS_H
#define CG2WG_READ_PERF_PERF_SYMBOLS_H

#include "read/perf/perf_reader.h"

/* By place: the names of the function and of its object. */
struct perf_symbol {
    uint32_t name, object;
};

/*
 * Opens the symbols of a place's object, unless it has to be known first which they are, as by a build-id
 * that may follow. If they are open, the place becomes that of its symbol: its offset is the symbol's
 * number. So there are no more places, and stacks of them, than functions. Returns false, having reported
 * it, if memory runs out.
 */
bool perf_resolve_place(struct perf_reader *reader, struct perf_place *place);

/*
 * Sets symbols[i] for each place i of which is_used[i] is set. Warns of objects without symbols. Returns
 * false, having reported why, if memory or what the user has asked for fails.
 */
bool perf_find_symbols(struct perf_reader *reader, const bool *is_used, struct perf_symbol *symbols);

#endif
