/* Which symbol an address belongs to: ranges of addresses, some of which may overlap. */
#ifndef CG2WG_READ_PERF_RANGES_H
#define CG2WG_READ_PERF_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NONE UINT32_MAX

/* Of rank: the size is known. Otherwise the range ends at the next start, or at `end` before that. */
#define SYMBOL_HAS_SIZE (UINT64_C(1) << 63)

struct symbol_range {
    uint64_t start, end; /* the first address, and the one after the last */
    uint64_t rank;       /* of several ranges with the same start, the highest one has their addresses */
    uint32_t name;       /* whatever the owner knows the symbol by; NONE: nobody's addresses */
};

struct symbol_ranges {
    struct symbol_range *items;
    size_t count, capacity;
    bool by_rank; /* of any ranges that hold an address, the one of the highest rank has it, not of the last start */
};

/* To be called when all ranges are there, and before the first search. */
void symbol_ranges_sort(struct symbol_ranges *ranges);

/* The name of the range that has the address, or NONE. Of ranges that overlap, it looks at some only. */
uint32_t symbol_ranges_find(const struct symbol_ranges *ranges, uint64_t address);

#endif
