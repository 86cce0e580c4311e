/*
 * What the record at hand has added to a profile, so that it can be taken back: the last record of a
 * profile that was cut off is known to be incomplete only when the input ends.
 */
#ifndef CG2WG_MODEL_JOURNAL_H
#define CG2WG_MODEL_JOURNAL_H

#include "model/profile.h"

struct journal {
    struct profile *profile;  /* borrowed */
    size_t functions, arcs;   /* how many there were before */
    uint32_t function;        /* whose record it is */
    struct function before;   /* what was known of it */
    struct journal_call *calls; /* by arcs that were there before */
    size_t call_count, call_capacity;
    struct journal_sums *arcs_before; /* in place of many calls: the sums of the arcs; or NULL */
};

/*
 * To be called before calls are added to an arc. That is kept for each by itself only as long as it
 * takes less than to keep the sums of all arcs: memory goes with the number of arcs, not of calls.
 * False: no memory.
 */
bool journal_note_arc(struct journal *journal, uint32_t arc);

/* Starts anew. `functions` and `before` are from before the record's function was mentioned. */
void journal_begin(struct journal *journal, struct profile *profile, size_t functions,
                   uint32_t function, const struct function *before);

/* Takes everything back. */
void journal_undo(struct journal *journal);

void journal_free(struct journal *journal);

#endif
