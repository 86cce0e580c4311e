/*
 * The fast path of the callgrind front end: whole records of Xdebug's, of the form that nearly all of
 * them have. Whatever it does not know, it leaves to the plain path, from the beginning of the record
 * in which it has met it. Both give the same profile; tests compare them.
 */
#ifndef CG2WG_FRONTENDS_FAST_RECORDS_H
#define CG2WG_FRONTENDS_FAST_RECORDS_H

#include "frontends/aliases.h"
#include "model/builder.h"

struct fast_records {
    struct builder *builder;                 /* borrowed, as the next two */
    struct aliases *file_aliases, *function_aliases;
    size_t columns;                          /* costs of a line: 1 or 2; the first one counts */
    uint64_t redefinitions;                  /* of aliases, when what follows was found out */
    struct fast_function *functions;         /* by alias id */
    uint32_t function_count;
    size_t function_capacity;
    bool *files;                             /* by alias id: it is defined */
    uint32_t file_count;
    size_t file_capacity;
    struct fast_head *heads;                 /* of records and calls, as they were written */
    uint32_t head_count;
    uint32_t *buckets; /* heads by their first bytes */
};

/* What has been taken. */
struct fast_taken {
    uint64_t records, lines;
    cost_t self;
    uint64_t last_line;   /* the line number in the last cost line */
    uint32_t last_callee; /* the function called last */
};

/* Prepares to read records with `columns` costs. Returns false when memory runs out. */
bool fast_records_init(struct fast_records *fast, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       size_t columns);
void fast_records_free(struct fast_records *fast);

/* Does `text` begin with a record that the fast path may know? If so, the one before has ended. */
bool fast_records_begin(struct text text);

/*
 * Takes records off the start of `text` (which begins with one) as long as each is of the known form
 * and is followed by the beginning of another. Returns false, having reported it, if memory or a
 * temporary file fails. The builder must not be within a record.
 */
bool fast_records_take(struct fast_records *fast, struct text *text, struct fast_taken *taken);

/*
 * The same with calls that the current record's function, `caller`, makes: takes groups of lines as
 * long as each is of the known form. No call of the record may be held back.
 */
bool fast_records_take_calls(struct fast_records *fast, uint32_t caller, struct text *text,
                             struct fast_taken *taken);

#endif
