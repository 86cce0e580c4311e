/* Which symbol an address belongs to: ranges of addresses, some of which may overlap. */
#ifndef CG2WG_READ_PERF_RANGES_H
#define CG2WG_READ_PERF_RANGES_H

#include "util/array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of rank: the size is known. Otherwise the range ends at the next start, or at `end` before that. */
#define SYMBOL_HAS_SIZE (UINT64_C(1) << 63)

struct symbol_range {
    uint64_t start, end; /* the first address, and the one after the last */
    uint64_t rank;       /* of several ranges that hold an address, the one of the highest rank has it */
    uint32_t name;       /* whatever the owner knows the symbol by; NONE: nobody's addresses */
};

struct symbol_ranges {
    struct symbol_range *items;
    size_t count, capacity;
};

/* Empty ranges are all zero. */
void symbol_ranges_free(struct symbol_ranges *ranges);

/* Adds a range. Returns false when memory runs out. */
bool symbol_ranges_add(struct symbol_ranges *ranges, struct symbol_range range);

/*
 * To be called when all are there: makes ranges that do not overlap. later_start_wins: a range of a
 * higher start has an address whatever its rank is. Takes n log n. Returns false when memory runs out.
 */
bool symbol_ranges_separate(struct symbol_ranges *ranges, bool later_start_wins);

/* In separate ranges, the name of the one that holds the address, or NONE. */
uint32_t symbol_ranges_find(const struct symbol_ranges *ranges, uint64_t address);

#endif
