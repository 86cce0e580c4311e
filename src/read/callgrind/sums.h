/*
 * Sums of the records that Xdebug writes. They consist of groups of four lines:
 *
 *                          a blank line, which ends the record before
 *     fl=(FILE)            aliases, or names in full
 *     fn=(FUNCTION)
 *     LINE COST [COST]
 *
 *     cfl=(FILE)
 *     cfn=(FUNCTION)
 *     calls=1 0 0
 *     LINE COST [COST]
 *
 * The text before a group's cost is its key. A span of whole records becomes a list of its keys, by first occurrence,
 * each with the number of its groups and the sum of their costs. This needs nothing from the lines before, so that
 * another thread can do it ahead; what names mean is not known here. Most producers write either aliases, of which
 * FUNCTION has six digits at most here, or names in full: when one of these has been found, the next text takes both.
 *
 * It is made for processors that have AVX2 and BMI (x86-64, from 2013 on). For others, there are no sums.
 */
#ifndef CG2WG_READ_CALLGRIND_SUMS_H
#define CG2WG_READ_CALLGRIND_SUMS_H

#include "util/index.h"
#include "util/text.h"

/* The costs of a line, and which of them is added up. */
struct sums_form {
    size_t columns; /* 1 or 2 */
    size_t wanted;  /* 0 or 1 */
};

/* The data in a key. */
struct sum_key {
    struct text file, function; /* names, or (ID): of a record its own, of a call the callee's */
    uint32_t line;
    bool is_own;       /* it is a record's own */
    struct text owner; /* of a call: the function of its record */
};

struct sum {
    uint64_t cost; /* modulo 2^64; far from the limits of a signed number */
    uint32_t key;
    uint32_t count;
};

/* Whole records, after which another one begins. */
struct sums_span {
    const char *start, *end;
    size_t sum, sum_count;    /* in `sums` */
    uint64_t groups, records; /* how many there are */
};

struct sums {
    struct sums_form form;
    struct sum_entry *entries; /* keys with what is counted in the span at hand */
    void *entries_memory;
    struct key_parts *parts;   /* of these keys */
    uint32_t key_count;
    uint32_t generation;   /* changes when keys are forgotten, and their numbers get a new meaning */
    uint16_t *buckets;     /* keys by their bytes and owners */
    char *long_keys;       /* the bytes of keys that do not fit their entries */
    uint32_t long_size;
    uint32_t *touched; /* keys of the span at hand */
    bool has_names;    /* names may be in full, and keys long */
    bool wants_names;  /* ... from the next text on */

    struct sum *sums;
    size_t sum_count, sum_capacity;
    struct sums_span *spans; /* of the last text, in their order */
    size_t span_count, span_capacity;
};

/* Can this processor make sums? */
bool sums_are_possible(void);

/* Sums that are all zero are empty, and may be freed. */
void sums_free(struct sums *sums);

/*
 * Adds up what of `text` consists of whole records of this form. If that is little, leaves out the rest. The text may
 * begin and end within a line; LINES_SLACK bytes after it can be read. Returns false when memory runs out.
 */
bool sums_make(struct sums *sums, struct sums_form form, struct text text);

struct sum_key sums_key(const struct sums *sums, uint32_t key);

#endif
