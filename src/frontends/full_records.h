/*
 * Records with names in full, as Xdebug up to 2.2 writes them. Like record_sums.h for aliases, it
 * takes complete records of one form. If a record has another form, the reader takes over at its
 * beginning:
 *
 *     fl=FILE
 *     fn=FUNCTION
 *     LINE COST [COST]
 *
 *     cfl=FILE             may be missing
 *     cfn=FUNCTION
 *     calls=1 0 0
 *     LINE COST [COST]
 *
 *                          a blank line, and another record after it
 *
 * The text before a cost is a head. Heads recur, mostly after the same head as before. So each is
 * first compared with those that followed before, and only looked up if it differs.
 */
#ifndef CG2WG_FRONTENDS_FULL_RECORDS_H
#define CG2WG_FRONTENDS_FULL_RECORDS_H

#include "frontends/record_sums.h"

struct full_records {
    struct builder *builder; /* borrowed, as the next two */
    struct aliases *file_aliases, *function_aliases;
    struct costs_form form;
    struct index index; /* of heads; without slots until there is one */
    struct full_head *heads;
    size_t head_count, head_capacity;
    char *bytes; /* of all heads */
    size_t byte_count, byte_capacity;
    struct full_group *groups; /* of the record at hand */
    size_t group_count, group_capacity;
    uint32_t last; /* the head before the one at hand, or UINT32_MAX */
    uint32_t known; /* the head of the record at hand, if that was seen already, or UINT32_MAX */
};

/* Prepares to read records with costs of this form. The builder is settled, without proxies. */
void full_records_init(struct full_records *full, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       struct costs_form form);
void full_records_free(struct full_records *full);

/* May there be a record of the form at `text`? */
bool full_records_begin(struct text text);

/*
 * Takes records off the start of `text`, with the same conditions and results as record_sums_take.
 */
bool full_records_take(struct full_records *full, uint32_t object, struct text *text,
                       struct records_taken *taken);

#endif
