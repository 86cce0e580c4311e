/* SPDX-License-Identifier: MIT */
/* Reads inputs of any format: finds the front end, reads, makes names readable, decides the totals, and merges. */
#ifndef CG2WG_READ_INPUT_H
#define CG2WG_READ_INPUT_H

#include "os/file.h"
#include "read/frontend.h"

/* What a reading is for: flags. */
enum {
    WANTS_CONTEXTS = 1 << 0,     /* the calling contexts, if the input has any */
    NEEDS_CONTEXTS = 1 << 1,     /* an input without calling contexts is an error */
    WANTS_ESTIMATE = 1 << 2,     /* an estimate of calling contexts, if the input has none */
    WANTS_INVOCATIONS = 1 << 3,  /* each context is one invocation */
    WANTS_SIZES = 1 << 4,        /* costs by input size, if the input has any */
    WANTS_STORED = 1 << 5,       /* a preprocessed file as it is */
    WANTS_STORED_CALLS = 1 << 6, /* the invocations of such a file; contradictions of its calls are problems */
    WANTS_STORED_NAMES = 1 << 7, /* the names of such a file stay mangled */
    WANTS_OUTERMOST = 1 << 8,    /* outermost inclusive costs, if the options choose none, and the input has none */
    WANTS_ALLOCATED = 1 << 9,    /* of Xdebug's memory: what stacks and functions have allocated */
    WANTS_LINES = 1 << 10,       /* costs by line */
    WANTS_OWN_LINES = 1 << 11,   /* costs by line, unless another program must be asked for them, as for recordings */
    WANTS_ALL_EVENTS = 1 << 12,  /* costs by line of all events that can be read at once, if the options choose none */
    WANTS_LINES_OF_STACKS = 1 << 13, /* if there are costs by line: those of contexts, too */
    WANTS_EVENTS_ONLY = 1 << 14,     /* no costs of functions */
    SAYS_TOTALS = 1 << 15            /* what is printed says how the total and the self costs differ */
};

struct reading {
    const struct cg2wg_options *options; /* borrowed */
    unsigned wants;
    size_t block;          /* how much is read at once, in bytes; 0: chosen automatically */
    struct text event;     /* that is read, if the options choose none; empty: the first */
    struct kept_input {    /* a copy of an input that can be read only once: see events.h */
        const char *input; /* the same pointer */
        int fd;
    } *kept;
    size_t kept_count, kept_capacity;
    struct event_list *events;          /* filled with the events; NULL: not wanted */
    struct cg2wg_demangling demangling; /* if the options have none */
    struct cg2wg_demangling for_lines;  /* what addr2line may take */
    struct diag diag;
    struct file_rights rights; /* that all files allow whose content is shown: no output has more */
    int64_t newest;            /* when one of the inputs changed last, like file_facts */
    struct progress progress;
    struct cg2wg_stats stats; /* of the inputs read so far */
};

/*
 * Reads one input, or merges several: functions by identity, sums added, header lines in order. Each must have the
 * event. The contents are in memory of the run.
 */
void input_read(struct reading *reading, const char *const *inputs, size_t count, struct contents *contents);

#endif
