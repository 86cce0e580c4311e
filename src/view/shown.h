/* What has been read to be shown, of any input, and what its header lines say about its numbers. */
#ifndef CG2WG_VIEW_SHOWN_H
#define CG2WG_VIEW_SHOWN_H

#include "model/contexts.h"
#include "model/units.h"
#include "read/preprocessed_file.h"
#include "util/diag.h"

/* What the numbers of invocations and calls are: calls, perf's samples, or nothing, where there are no calls. */
enum shown_counts { COUNTS_CALLS, COUNTS_SAMPLES, COUNTS_NOTHING };

/* The contents of an input: a profile and what is beside it, if it is wanted and the input has it. */
struct shown {
    struct diag diag;       /* for messages about the input */
    struct profile profile; /* complete, with exact costs; names are not escaped */
    struct contexts contexts; /* linked */
    bool has_contexts;
    struct sizes sizes;
    bool has_sizes;
    struct preprocessed file; /* a preprocessed file that is shown as it is; its functions have the same numbers */
    bool is_file;
    struct text headers; /* the lines in webgrind's format: see preprocessed_next_header */
    uint64_t bytes;      /* of the input */

    /* By the headers. */
    struct text event; /* the first name in the first `events:`; empty: there is none */
    double total;      /* of all summaries: what webgrind's percentages are relative to */
    unsigned summaries;
    uint64_t runs; /* whose costs were added: merged profiles, or those that Xdebug appended to one file */
    enum shown_counts counts;
    size_t page_event;   /* which of its events this is, from 0 */
    uint64_t page_share; /* in a page, it has one of so many parts of the room */
};

/* Reads what is known by the headers. */
void shown_read_headers(struct shown *shown);

/* The numbers of the arcs that call a function, or that it makes. */
struct calls_list {
    const uint32_t *arcs;
    size_t count;
};

static inline struct calls_list shown_calls(const struct arc_lists *lists, size_t function, bool is_from)
{
    const uint32_t *start = (is_from ? lists->called_from_start : lists->sub_calls_start) + function;
    return (struct calls_list){(is_from ? lists->called_from : lists->sub_calls) + start[0], start[1] - start[0]};
}

#endif
