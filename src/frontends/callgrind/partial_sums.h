/*
 * The hot path of the callgrind front end: sums up records of Xdebug's, of the form that nearly all of
 * them have, without knowing what the aliases in them mean. So spans of one profile can be
 * added up in several threads, before it is known what stands in front of them.
 *
 * A group is four lines, a record's own or those of a call:
 *
 *                          a blank line, which ends the record before
 *     fl=(FILE)            aliases, of six digits at most
 *     fn=(FUNCTION)
 *     LINE COST [COST]
 *
 *     cfl=(FILE)
 *     cfn=(FUNCTION)
 *     calls=1 0 0
 *     LINE COST [COST]
 *
 * The text before a group's cost is its key. A span is a sequence of records that consist of
 * such groups. Its result is a list of its keys, by first occurrence, each with the number of its
 * groups and the weighed sum of their costs. Only the front end knows their meaning.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_PARTIAL_SUMS_H
#define CG2WG_FRONTENDS_CALLGRIND_PARTIAL_SUMS_H

#include "util/digits.h"
#include "util/hash.h"

enum {
    PARTIAL_SUMS_BEFORE = 16 /* bytes before a text that must be readable */
};

/* The data in a key. */
struct sum_key {
    uint32_t owner;    /* the function of its record: an alias */
    uint32_t function; /* an alias: of a record the function, of a call the callee */
    uint32_t file;     /* its file, an alias */
    uint32_t line;     /* of the cost */
    bool is_record;
};

struct partial_sum {
    uint64_t cost; /* modulo 2^64: that of weighed costs may be below 0 */
    uint32_t key;
    uint32_t count;
};

struct sums_progress;

struct sums_span {
    struct text text;      /* from the first record's fl= up to where the next one's should be */
    size_t sum, sum_count; /* in sums */
    uint64_t groups;       /* how many there are */
    uint64_t other_self;  /* if costs are weighed: what the records' own second costs come to */
    uint32_t last_key;    /* that of the last group; it may have been in a record that is left */
};

struct partial_sums {
    void (*take_groups)(struct partial_sums *sums, const char *limit, struct sums_progress *progress);
    struct costs_form form; /* of the costs of a line */

    struct key *keys;
    struct key_parts *parts;
    uint32_t key_count;
    uint16_t *buckets; /* keys by their bytes and owners */
    unsigned bucket_bits;
    struct hash_seed seed;

    uint32_t *touched; /* keys of the span at hand */
    uint32_t excluded[64]; /* functions that are not of the form: see partial_sums_exclude */
    size_t excluded_count;

    struct partial_sum *sums;
    size_t sum_count, sum_capacity;
};

/*
 * Prepares for lines with costs of this form. Returns false, with nothing to free, when memory runs
 * out.
 */
bool partial_sums_init(struct partial_sums *sums, struct costs_form form);
void partial_sums_free(struct partial_sums *sums);

/*
 * Drops the sums of all spans so far. If it returns true, the table was full, and
 * numbers of keys have a new meaning from now on.
 */
bool partial_sums_clear(struct partial_sums *sums);

/* Forgets all keys, too, and takes no more group that is about this function. False: too many. */
bool partial_sums_exclude(struct partial_sums *sums, uint32_t function);

/* Does `text` begin with a record's fl= and fn=, with any names? */
bool partial_sums_record_begins(struct text text);

/* The first fl= in `text` after a blank line, but not at the start; or NULL. */
const char *partial_sums_find_record(struct text text);

/*
 * Where to cut a text into parts that are added up apart: where its last record begins; if that is
 * far from its end, after its last line. 0: no line ends in it.
 */
size_t partial_sums_cut(struct text text);

/*
 * Takes the span that `text` begins with: text.at is a record's fl=, after a blank line. It ends
 * where something else comes, or near the text's end; span->text is empty if there is none.
 * Returns false when memory runs out.
 */
bool partial_sums_records(struct partial_sums *sums, struct text text, struct sums_span *span);

/*
 * Chooses the loop: that for newer processors, which partial_sums_init takes where this one is, or (for
 * tests) the one for all. Returns whether it is the former.
 */
bool partial_sums_choose_loop(struct partial_sums *sums, bool newer);

/* The data in a key of a span. */
struct sum_key partial_sums_key(const struct partial_sums *sums, uint32_t key);

#endif
