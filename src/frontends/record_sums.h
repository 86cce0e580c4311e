/*
 * The fast path of the callgrind front end: takes stretches of Xdebug's records (digest.h) and enters
 * what they come to in the profile. Whatever is not of their form, or about a proxy or an alias that
 * is not defined, is left to the plain path, from the beginning of the record in which it stands. Both
 * give the same profile; tests compare them.
 */
#ifndef CG2WG_FRONTENDS_RECORD_SUMS_H
#define CG2WG_FRONTENDS_RECORD_SUMS_H

#include "frontends/aliases.h"
#include "frontends/digest.h"
#include "model/builder.h"

/* What a head means; known when the first group that begins with it has been entered. */
struct head_meaning {
    uint32_t number; /* of a record the function, of a call the arc; UINT32_MAX: not known */
    uint32_t age;    /* what was known at another one counts no more */
    bool is_record;
};

struct record_sums {
    struct builder *builder; /* borrowed, as the next two */
    struct aliases *file_aliases, *function_aliases;
    uint64_t redefinitions;  /* of aliases, when what follows was found out */
    struct digest digest;
    struct head_meaning *meanings; /* by head */
    size_t meaning_count, meaning_capacity;
    uint32_t age;            /* of the meanings that count */
    bool is_off;             /* too much of the profile is not of the form */
    struct digest_stretch *stretches; /* taken ahead */
    size_t stretch_count, stretch_next, stretch_capacity;
};

/* Beyond this, what is added to a sum may have to stay at the end of what 64 bits can hold. */
#define RECORD_SUMS_EXTREME (INT64_C(1) << 62)

/* What has been taken. */
struct records_taken {
    uint64_t records, lines;
    cost_t self;
    uint64_t last_line;   /* the line number in the last cost line */
    bool callees_first;   /* all calls were of functions with records before */
};

/*
 * Prepares to read records with costs of this form. The builder is settled.
 * Returns false, with nothing to free, when memory runs out.
 */
bool record_sums_init(struct record_sums *sums, struct builder *builder,
                       struct aliases *file_aliases, struct aliases *function_aliases,
                       struct costs_form form);
void record_sums_free(struct record_sums *sums);

/*
 * Digests all of `text` ahead, for record_sums_take to enter what is asked for later; only that is
 * still taken which is found then to begin where it is asked for. Looks at nothing but `fast` itself
 * and the text, which has DIGEST_BEFORE readable bytes before it and stays until it has been taken.
 * Returns false when memory runs out.
 */
bool record_sums_prepare(struct record_sums *sums, struct text text);

/*
 * Takes records off the start of `text`, which is behind a blank line that has ended a record. What
 * is left begins with a record again if anything was taken. `object` is that of the functions.
 * Returns false, having reported it, if memory or a temporary file fails. The builder must not be
 * within a record.
 */
bool record_sums_take(struct record_sums *sums, uint32_t object, struct text *text,
                       struct records_taken *taken);

#endif
