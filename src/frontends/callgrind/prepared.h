/*
 * A part of the input, prepared for the reader: its tokens, in which sums may replace the records that
 * Xdebug writes. Preparing needs nothing from what comes before that part, so that several threads
 * can do it ahead.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_PREPARED_H
#define CG2WG_FRONTENDS_CALLGRIND_PREPARED_H

#include "frontends/callgrind/aliases.h"
#include "frontends/callgrind/record_sums.h"
#include "model/builder.h"

/* What a key of sums means; known when the first group with it has been entered. */
struct key_meaning {
    uint32_t number; /* of a record the function, of a call the arc; INDEX_NONE: unknown */
    uint32_t age;    /* a meaning of another age is not valid */
    bool is_own;
};

/* Is it so far from 0 that an addition may reach the limit of 64 bits? */
static inline bool is_extreme(cost_t sum)
{
    return sum >= INT64_C(1) << 62 || sum <= -(INT64_C(1) << 62);
}

struct prepared {
    size_t room;    /* for so many tokens; set before the first use */
    bool has_names; /* ... and this: sums are made of groups with names in full, too, from the start */
    struct tokens tokens;
    struct record_sums sums;
    bool has_sums; /* `sums` is in use */

    size_t attempts;  /* to add up records ... */
    size_t added;     /* ... so many bytes */
    size_t not_added; /* bytes since the last attempt, if there are none for now */
    bool were_short;  /* there were too short ones before these attempts */

    /* What the reader knows of keys. */
    struct key_meaning *meanings;
    size_t meaning_count, meaning_capacity;
    uint32_t age;           /* of valid meanings */
    uint64_t redefinitions; /* of aliases, when they were found out */
};

void prepared_free(struct prepared *prepared);

/*
 * Prepares what `text` begins with: see tokens_make. are_summed: sums may be made. There are at most `most`
 * tokens, up to prepared->room, so that this may not be all of it. Looks at nothing else. Returns
 * false when memory runs out.
 */
bool prepared_make(struct prepared *prepared, const struct line_form *form, struct text text, size_t most,
                   bool are_summed);

/* What was entered. */
struct span_taken {
    cost_t self;
    bool callees_first; /* all calls were of functions with records before */
};

/*
 * Enters a span in the profile. The builder must not be inside a record. *entered is false, and
 * nothing is entered, if the reader must take the lines because an alias is undefined, a proxy is
 * among the functions, or a sum is close to the limit of 64 bits. Returns false, after reporting it, when
 * memory runs out. `object` is that of the functions.
 */
bool prepared_take_span(struct prepared *prepared, const struct sums_span *span, struct builder *builder,
                        const struct aliases *files, const struct aliases *functions, uint32_t object,
                        struct span_taken *taken, bool *entered);

#endif
