/*
 * The fast path of the callgrind front end: takes stretches of Xdebug's records (digest.h) and enters
 * what they come to in the profile. Whatever is not of their form, or about a proxy or an alias that
 * is not defined, is left to the plain path, from the beginning of the record in which it stands. Both
 * give the same profile; tests compare them.
 */
#ifndef CG2WG_FRONTENDS_FAST_RECORDS_H
#define CG2WG_FRONTENDS_FAST_RECORDS_H

#include "frontends/aliases.h"
#include "frontends/digest.h"
#include "model/builder.h"

/* What a head means; known when the first group that begins with it has been entered. */
struct fast_meaning {
    uint32_t number; /* of a record the function, of a call the arc; UINT32_MAX: not known */
    uint32_t age;    /* what was known at another one counts no more */
    bool is_record;
};

struct fast_records {
    struct builder *builder; /* borrowed, as the next two */
    struct aliases *file_aliases, *function_aliases;
    uint64_t redefinitions;  /* of aliases, when what follows was found out */
    struct digest digest;
    struct fast_meaning *meanings; /* by head */
    size_t meaning_count, meaning_capacity;
    uint32_t age;            /* of the meanings that count */
    bool is_off;             /* too much of the profile is not of the form */
    struct digest_stretch *stretches; /* taken ahead */
    size_t stretch_count, stretch_next, stretch_capacity;
};

/* What has been taken. */
struct fast_taken {
    uint64_t records, lines;
    cost_t self;
    uint64_t last_line;   /* the line number in the last cost line */
    uint32_t last_callee; /* the function called last, by fast_records_take_calls */
    bool callees_first;   /* all calls were of functions with records before */
};

/*
 * Prepares to read records with `columns` costs, the first of which counts. The builder is settled.
 * Returns false, with nothing to free, when memory runs out.
 */
bool fast_records_init(struct fast_records *fast, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       unsigned columns);
void fast_records_free(struct fast_records *fast);

/*
 * Digests all of `text` ahead, for fast_records_take to enter what is asked for later; only that is
 * still taken which is found then to begin where it is asked for. Looks at nothing but `fast` itself
 * and the text, which has DIGEST_BEFORE readable bytes before it and stays until it has been taken.
 * Returns false when memory runs out.
 */
bool fast_records_prepare(struct fast_records *fast, struct text text);

/*
 * Takes records off the start of `text`, which is behind a blank line that has ended a record. What
 * is left begins with a record again if anything was taken. `object` is that of the functions.
 * Returns false, having reported it, if memory or a temporary file fails. The builder must not be
 * within a record.
 */
bool fast_records_take(struct fast_records *fast, uint32_t object, struct text *text,
                       struct fast_taken *taken);

/*
 * The same with calls that the current record's function makes: takes groups of lines as long as each
 * is of the known form. No call of the record may be held back.
 */
bool fast_records_take_calls(struct fast_records *fast, uint32_t object, struct text *text,
                             struct fast_taken *taken);

#endif
