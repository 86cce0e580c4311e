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
 * The text before a group's cost is its key. A span of records becomes a list of its keys, by first
 * occurrence, each with the number of its groups and the sum of their costs; if each record is needed by
 * itself, also a list of the groups, each with its key and cost. This needs nothing from
 * the lines before, so that another thread can do it ahead; what aliases mean is not known here. Most
 * producers write either aliases, of which FUNCTION has six digits at most here, or names in full: when one
 * of these has been found, the next span takes both.
 *
 * It is made for processors that have AVX2 and BMI (x86-64, from 2013 on). For others, there are no sums.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_RECORD_SUMS_H
#define CG2WG_FRONTENDS_CALLGRIND_RECORD_SUMS_H

#include "frontends/callgrind/tokens.h"

enum { RECORD_SUMS_MAX_WEIGHT = 1024, MAX_EXCLUDED = 64 };

/* What a group's cost is: the first one, or the sum of two by weights of at most RECORD_SUMS_MAX_WEIGHT. */
struct sums_form {
    size_t columns; /* 1 or 2 */
    bool are_weighed;
    int64_t weights[2];
    bool are_listed; /* the groups are listed, too */
};

/* The data in a key. */
struct sum_key {
    struct text file, function; /* names, or (ID): of a record its own, of a call the callee's */
    uint32_t line;
    bool is_own;       /* it is a record's own */
    struct text owner; /* of a call: the function of its record */
};

struct record_sum {
    uint64_t cost; /* modulo 2^64: weighed costs may be below 0, but are so small that it fits */
    uint32_t key;
    uint32_t count;
};

struct sums_span {
    size_t sum, sum_count;    /* in sums */
    size_t group;             /* the first one in `listed` */
    uint64_t groups, records; /* how many there are */
    cost_t other_self;        /* if costs are weighed: what the records' own second costs come to */
    uint32_t last_line;
};

struct record_sums {
    struct sums_form form;
    struct sum_entry *entries; /* keys with what is counted in the span at hand */
    struct key_parts *parts;   /* of these keys */
    uint32_t key_count;
    uint16_t *buckets; /* keys by their bytes and owners */
    unsigned bucket_shift; /* of a hash, to the right */
    char *long_keys;       /* the bytes of keys that do not fit their entries */
    uint32_t long_size;
    struct hash_seed seed;
    uint32_t *touched;     /* keys of the span at hand */
    uint32_t excluded[MAX_EXCLUDED]; /* hashes of functions: see record_sums_exclude */
    size_t excluded_count;           /* one more: all are */
    bool has_names;        /* names may be in full, and keys long */
    bool wants_names;      /* ... after the next record_sums_clear */
    bool is_outdated; /* keys must be forgotten */

    struct record_sum *sums;
    size_t sum_count, sum_capacity;
    struct sums_span *spans;
    size_t span_count, span_capacity;
    uint64_t *listed; /* groups of the spans, in their order: 48 bits of the cost, 16 of the key */
    size_t listed_count, listed_capacity;
};

static inline uint32_t listed_key(uint64_t group)
{
    return group & UINT16_MAX;
}

static inline cost_t listed_cost(uint64_t group)
{
    const cost_t bias = (cost_t)1 << 47;
    return (cost_t)(group >> 16 ^ (uint64_t)bias) - bias;
}

/* Can this processor make sums of costs of this form? Then sets *sums_form. */
bool record_sums_are_possible(const struct line_form *form, struct sums_form *sums_form);

/* Returns false, with nothing to free, when memory runs out. */
bool record_sums_init(struct record_sums *sums, struct sums_form form);
void record_sums_free(struct record_sums *sums);

/* Drops all spans. If it returns true, numbers of keys have a new meaning from now on. */
bool record_sums_clear(struct record_sums *sums);

/*
 * After the next record_sums_clear, takes no more record that is about this function; after MAX_EXCLUDED
 * functions, none at all.
 */
void record_sums_exclude(struct record_sums *sums, struct text function);

/*
 * Adds up the records that `text` begins with, with a blank line, as far as all their groups have this
 * form, and appends a span if there are any. LINES_SLACK bytes after the text can be read: the rest of the
 * input, as far as they are known. Less than 2^22 bytes are taken. *end: after the last record; another one begins there.
 * Returns false when memory runs out.
 */
bool record_sums_add(struct record_sums *sums, struct text text, const char **end);

/* The data in a key. */
struct sum_key record_sums_key(const struct record_sums *sums, uint32_t key);

#endif
