/*
 * Sums of Xdebug's records: takes spans of records (partial_sums.h) and enters their sums in the
 * profile. If a record has another form, or contains a proxy or an undefined alias, the reader
 * takes over at its beginning. Both give the same profile; tests compare them.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_RECORD_SUMS_H
#define CG2WG_FRONTENDS_CALLGRIND_RECORD_SUMS_H

#include "frontends/callgrind/aliases.h"
#include "frontends/callgrind/partial_sums.h"
#include "model/builder.h"

/* The meaning of a key; known when the first group with it has been entered. */
struct key_meaning {
    uint32_t number; /* for a record the function, for a call the arc; UINT32_MAX: unknown */
    uint32_t age;    /* a meaning of another age is not valid */
    bool is_record;
};

struct record_sums {
    struct builder *builder; /* borrowed, like the next two */
    struct aliases *file_aliases, *function_aliases;
    uint64_t redefinitions;  /* of aliases, when the following was found out */
    struct partial_sums partial;
    struct key_meaning *meanings; /* by key */
    size_t meaning_count, meaning_capacity;
    uint32_t age;            /* of valid meanings */
    bool is_off;             /* too much of the profile has another form */
    struct sums_span *spans; /* made ahead */
    size_t span_count, span_next, span_capacity;
};

/* Beyond this, an addition may reach the limit of 64 bits. */
#define RECORD_SUMS_EXTREME (INT64_C(1) << 62)

/* What was taken. */
struct records_taken {
    uint64_t records, lines;
    cost_t self, other_self; /* the latter if costs are weighed */
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
 * and the text, which has PARTIAL_SUMS_BEFORE readable bytes before it and stays until it has been taken.
 * Returns false when memory runs out.
 */
bool record_sums_prepare(struct record_sums *sums, struct text text);

/*
 * Takes records from the start of `text`, which follows a blank line that has ended a record. If
 * anything was taken, the rest begins with a record again. `object` is that of the functions.
 * Returns false, after reporting it, if memory or a temporary file fails. The builder must not be
 * inside a record.
 */
bool record_sums_take(struct record_sums *sums, uint32_t object, struct text *text,
                       struct records_taken *taken);

#endif
