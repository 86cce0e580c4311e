/* SPDX-License-Identifier: MIT */
/* Reads inputs of any format: finds the front end, reads, makes names readable, decides the totals, and merges. */
#ifndef CG2WG_READ_INPUT_H
#define CG2WG_READ_INPUT_H

#include "io/outfile.h"
#include "read/frontend.h"

/* What a reading is for: flags. */
enum {
    WANTS_CONTEXTS = 1,     /* the calling contexts, if the input has any */
    NEEDS_CONTEXTS = 2,     /* ... without which it is an error */
    WANTS_INVOCATIONS = 4,  /* each context is one invocation */
    WANTS_SIZES = 8,        /* costs by input size, if the input has any */
    WANTS_STORED = 16,      /* a preprocessed file as it is ... */
    WANTS_STORED_CALLS = 32, /* ... with its invocations; contradictions of its calls are problems */
    WANTS_STORED_NAMES = 64, /* ... whose names stay mangled */
    WANTS_OUTERMOST = 128,   /* outermost inclusive costs, if the options choose none, but not of preprocessed files */
    WANTS_EVENTS_ONLY = 256, /* no costs of functions */
    WANTS_ALLOCATED = 512,   /* of Xdebug's memory: what stacks and functions have allocated */
    SAYS_TOTALS = 1024,     /* what is printed says how the total and the self costs differ */
    WANTS_LINES = 2048,     /* costs by line */
    WANTS_OWN_LINES = 16384, /* ... if no other program must be asked for them, as for recordings */
    WANTS_LINES_OF_STACKS = 32768, /* if there are costs by line: those of contexts, too */
    WANTS_ESTIMATE = 8192,  /* ... or an estimate of them */
    WANTS_ALL_EVENTS = 4096 /* ... of all events that can be read at once, if the options choose none */
};

struct reading {
    const struct cg2wg_options *options; /* borrowed */
    unsigned wants;
    size_t block;              /* how much is read at once, in bytes; 0: chosen automatically */
    struct text event;         /* that is read, if the options choose none; empty: the first */
    struct kept_input { /* a copy of an input that can be read only once: see events.h */
        const char *input; /* the same pointer */
        int fd;
    } *kept;
    size_t kept_count, kept_capacity;
    struct event_list *events; /* filled with the events; NULL: not wanted */
    struct cg2wg_demangling demangling; /* if the options have none */
    struct cg2wg_demangling for_lines;  /* what addr2line may take */
    struct diag diag;
    struct file_rights rights; /* that all inputs allow: no output has more */
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
