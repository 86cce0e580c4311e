/* Which symbol an address belongs to. The symbols of a file may overlap, but an address belongs to one at most. */
#ifndef CG2WG_READ_PERF_RANGES_H
#define CG2WG_READ_PERF_RANGES_H

#include "util/index.h"

/* Of rank: the size is known. Otherwise the range ends at the next start, or at `end` before that. */
#define SYMBOL_HAS_SIZE (UINT64_C(1) << 63)

struct symbol_range {
    uint64_t start, end; /* the first address, and the one after the last */
    uint64_t rank;       /* of several ranges with the same start, the highest one has their addresses */
    uint32_t name;       /* its place in the bytes of the symbols; NONE: nobody's addresses */
};

struct symbol_ranges {
    struct symbol_range *items;
    size_t count, capacity;
    bool by_rank; /* of any ranges that hold an address, the one of the highest rank has it, not of the last start */
};

/* The symbols of a table. */
struct symbols {
    struct symbol_piece {
        uint64_t start; /* a piece ends where the next one starts */
        uint32_t name;  /* as in symbol_range */
    } *pieces; /* all addresses from the first piece on, in order */
    size_t count, capacity;
    char *bytes; /* with the names */
    size_t length;
    struct ids named; /* for who looks them up: what is known of a symbol's name */
    uint64_t named_bytes; /* ... and how long these names are */
};

/* Divides the addresses among the ranges, and frees these. Of ranges that overlap at one address, 32 are known. */
void symbols_divide(struct symbols *symbols, struct symbol_ranges *ranges);

/* The name of the symbol that has the address, or NONE. */
uint32_t symbols_find(const struct symbols *symbols, uint64_t address);

#endif
