/*
 * The hot path of the callgrind front end: sums up records of Xdebug's, of the form that nearly all of
 * them have, without knowing what the aliases in them mean. So stretches of one profile can be
 * digested in several threads, before it is known what stands in front of them.
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
 * The text before a group's cost is its head. A stretch is a sequence of records that consist of
 * such groups. Its result is a list of its heads, by first occurrence, each with the number of its
 * groups and the weighed sum of their costs. Only the front end knows their meaning.
 */
#ifndef CG2WG_FRONTENDS_DIGEST_H
#define CG2WG_FRONTENDS_DIGEST_H

#include "util/digits.h"
#include "util/hash.h"

enum {
    DIGEST_BEFORE = 16 /* bytes before a text that must be readable */
};

/* The data in a head. */
struct digest_head {
    uint32_t owner;    /* the function of its record: an alias */
    uint32_t function; /* an alias: of a record the function, of a call the callee */
    uint32_t file;     /* its file, an alias */
    uint32_t line;     /* of the cost */
    bool is_record;
};

struct digest_sum {
    uint64_t cost; /* modulo 2^64: that of weighed costs may be below 0 */
    uint32_t head;
    uint32_t count;
};

struct digest_progress;

struct digest_stretch {
    struct text text;      /* from the first record's fl= up to where the next one's should be */
    size_t sum, sum_count; /* in sums */
    uint64_t groups;       /* how many there are */
    uint64_t other_self;  /* if costs are weighed: what the records' own second costs come to */
    uint32_t last_head;    /* that of the last group; it may have been in a record that is left */
};

struct digest {
    void (*take_groups)(struct digest *digest, const char *limit, struct digest_progress *progress);
    struct costs_form form; /* of the costs of a line */

    struct head *heads;
    struct head_key *keys;
    uint32_t head_count;
    uint16_t *buckets; /* heads by their bytes and owners */
    unsigned bucket_bits;
    struct hash_seed seed;

    uint32_t *touched; /* heads of the stretch at hand */
    uint32_t refused[64]; /* functions that are not of the form: see digest_refuse */
    size_t refused_count;

    struct digest_sum *sums;
    size_t sum_count, sum_capacity;
};

/*
 * Prepares for lines with costs of this form. Returns false, with nothing to free, when memory runs
 * out.
 */
bool digest_init(struct digest *digest, struct costs_form form);
void digest_free(struct digest *digest);

/*
 * Drops the sums of all stretches so far. If it returns true, the table was full, and
 * numbers of heads have a new meaning from now on.
 */
bool digest_clear(struct digest *digest);

/* Forgets all heads, too, and takes no more group that is about this function. False: too many. */
bool digest_refuse(struct digest *digest, uint32_t function);

/* Does `text` begin with a record's fl= and fn=, with any names? */
bool digest_record_begins(struct text text);

/* The first fl= in `text` after a blank line, but not at the start; or NULL. */
const char *digest_find_record(struct text text);

/*
 * Where to cut a text into parts that are digested apart: where its last record begins; if that is
 * far from its end, after its last line. 0: no line ends in it.
 */
size_t digest_cut(struct text text);

/*
 * Takes the stretch that `text` begins with: text.at is a record's fl=, after a blank line. It ends
 * where something else comes, or near the text's end; stretch->text is empty if there is none.
 * Returns false when memory runs out.
 */
bool digest_records(struct digest *digest, struct text text, struct digest_stretch *stretch);

/*
 * Chooses the loop: that for newer processors, which digest_init takes where this one is, or (for
 * tests) the one for all. Returns whether it is the former.
 */
bool digest_choose_loop(struct digest *digest, bool newer);

/* The data in a head of a stretch. */
struct digest_head digest_head(const struct digest *digest, uint32_t head);

#endif
