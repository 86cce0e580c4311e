/* What has been read to be shown, of any input, and what its header lines say about its numbers. */
#ifndef CG2WG_VIEW_SHOWN_H
#define CG2WG_VIEW_SHOWN_H

#include "model/contexts.h"
#include "model/sizes.h"
#include "model/units.h"
#include "read/preprocessed_file.h"
#include "util/diag.h"

/* What the numbers of invocations and calls are: calls, perf's samples, or nothing, where there are no calls. */
enum shown_counts { COUNTS_CALLS, COUNTS_SAMPLES, COUNTS_NOTHING };

struct shown {
    struct diag diag; /* for messages about the input */
    const struct profile *profile; /* complete, with exact costs; names are not escaped */
    const struct tree *tree;       /* its invocations, if version 4 is shown; NULL: it has sums */
    struct contexts *contexts;     /* linked; NULL: unknown, or not wanted */
    struct sizes *sizes;           /* NULL: there are none */
    struct preprocessed file;      /* a preprocessed file, whose functions have the same numbers; if `is_file` */
    bool is_file;
    unsigned version;    /* of the preprocessed format: its parts are shown */
    struct text headers; /* the lines in that format: see preprocessed_next_header */
    uint64_t bytes;      /* of the input */

    /* By the headers. */
    struct text event; /* the first name in the first `events:`; empty: there is none */
    double total;      /* of all summaries: what webgrind's percentages are relative to */
    unsigned summaries;
    uint64_t runs; /* whose costs were added: merged profiles, or those that Xdebug appended to one file */
    enum shown_counts counts;
};

/* Reads what is known by the headers. */
void shown_read_headers(struct shown *shown);

/*
 * Are its costs rounded? They are if they were divided, which the event's name says; times in tens of
 * nanoseconds or microseconds may be.
 */
enum rounding { ROUNDED_NOT, ROUNDED_PERHAPS, ROUNDED };

enum rounding shown_rounding(const struct shown *shown);

#endif
