/* SPDX-License-Identifier: MIT */
/* Reads inputs of any format: finds the front end, reads, makes names readable, decides the totals, and merges. */
#ifndef CG2WG_READ_INPUT_H
#define CG2WG_READ_INPUT_H

#include "os/program.h"
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
    SAYS_TOTALS = 1 << 15,           /* what is printed says how the total and the self costs differ */
    WANTS_CALL_FILES = 1 << 16,      /* costs by line, if calls may be made in code that is inlined from other files */
    WANTS_TIMELINE = 1 << 17,        /* of one input: the order of its calls, if it is known */
    WANTS_CALLS = 1 << 18,           /* of one input: how the costs of single calls spread, if they are known */
    WANTS_PARTS = 1 << 19,           /* which runs, threads and processes it has, and what functions cost in them */
    WANTS_SHOWN_LINES = 1 << 20,     /* of calls: Xdebug has lines of callers for those that php:internal makes */
    NEEDS_SUMS = 1 << 21             /* a preprocessed file of version 4, which has invocations, is an error */
};

struct reading {
    const struct cg2wg_options *options; /* borrowed */
    unsigned wants;
    bool are_several;        /* inputs, which are merged */
    size_t block;            /* how much is read at once, in bytes; 0: chosen automatically */
    struct source *sources;  /* of the inputs, which are compared; any may be open; NULL: nothing is compared */
    bool has_outermost;      /* an input has been read with inclusive costs that are no sums, as is usual for views */
    const char **made_of;    /* of the inputs: see inputs_check; NULL: costs that count twice are no problem */
    struct full_input *full; /* of the inputs: input_read takes one of their events; NULL: it reads them */
    size_t event;            /* which one, by the number of the wish for it */
    bool is_last;            /* no other is taken after it */
    /*
     * Called for each of several inputs after it has become a part of `sum`, in the unit of whose event it is: its
     * function i is renumbered[i] there; the first one is still the sum itself, and that is NULL. Or NULL.
     */
    void (*each)(void *of, const struct contents *sum, const struct contents *part, const uint32_t *renumbered);
    void *of;
    struct part_choice parts;  /* which are rows in place of functions; or all zero */
    struct event_list *events; /* filled with the events; NULL: not wanted */
    struct demangler demangler;
    struct cg2wg_demangling demangling; /* if the options have none */
    struct cg2wg_demangling for_lines;  /* what addr2line may take */
    struct diag diag;
    struct file_rights rights; /* that all files allow whose content is shown: no output has more */
    int64_t newest;            /* when one of the inputs changed last, like file_facts */
    struct progress progress;
    struct cg2wg_stats stats; /* of the inputs read so far */
};

/* An input of which several events have been read at once: its contents have the costs of all. */
struct full_input {
    const char *input;
    const struct frontend *frontend;
    struct contents contents;
    struct builder builder;
    struct event_wishes wishes; /* the same ones in the same order for all inputs that are merged */
    void *state;                /* of the front end */
    uint64_t bytes;
};

/* Reads inputs with all events that are wished of the first one. */
struct full_input *input_read_full(struct reading *reading, const char *const *inputs, size_t count,
                                   const struct event_wishes *wishes);

/*
 * Reads one input, or merges several: functions by identity, sums added, header lines in order. Each must have the
 * event. The contents are in memory of the task.
 */
void input_read(struct reading *reading, const char *const *inputs, size_t count, struct contents *contents);

#endif
