/* SPDX-License-Identifier: MIT */
/*
 * Parts of inputs as rows: runs, threads, processes. A part is read as a profile of its own, becomes a row, and is
 * forgotten. So memory grows with the number of rows, not with that of functions. Single calls in runs likewise.
 */
#ifndef CG2WG_MODEL_PARTS_H
#define CG2WG_MODEL_PARTS_H

#include "model/contents.h"

enum { PART_KINDS = CG2WG_GROUP_PROCESS - CG2WG_GROUP_RUN + 1 };

struct parts {
    enum cg2wg_group by;
    /*
     * Adds to the costs of a row, and to its invocations, those of a part, or only those below a root of its contexts,
     * unless that is NONE; and sets its file, which is what stands beside its name.
     */
    void (*describe)(void *of, struct contents *part, uint32_t root, struct function *row);
    /* By function: are its calls rows, each by itself? Only for CG2WG_GROUP_CALL, where a root is a call's context. */
    bool *(*choose)(void *of, const struct profile *profile);
    void *of;
    void (*make_readable)(void *reading, struct profile *profile); /* its names, before that */
    void *reading;
    struct diag *diag;
    size_t most; /* so many of the costliest calls in a run are rows; the others only add to how costs spread. 0: all */
    bool are_several;          /* there are parts of other inputs */
    bool has_totals;           /* of runs that were merged before, only the totals are known, and enough */
    struct text input;         /* its name is that of a run */
    struct contents *contents; /* of the input */
    uint32_t name;             /* of the thread at hand, in the profile's names; NAME_EMPTY: unknown */
    bool are_known;            /* some thread is, or some single calls */
    bool is_left_out;          /* the part at hand is no row */
    size_t runs;               /* before it */
    struct profile rows;       /* functions without calls; their call_cost is what they have allocated */
    bool have_allocated;
    cost_t allocated[2];     /* by all runs, and what is kept of it */
    struct profile *threads; /* by row: what each consists of, unless rows are runs */
    size_t thread_capacity;
};

/* Parts of an input beside all of it: names and, unless roots of contexts name their parts, their functions' costs. */
struct listed_parts {
    struct listed_part {
        uint32_t keys[PART_KINDS]; /* the number of a run, from 1; names of a thread and a process. 0: it is none */
    } *all;
    size_t count, capacity, runs;
    SET(struct part_function { uint32_t part, function; }) sums;
    cost_t *costs; /* self costs of these, for each event; `event` is the one that is shown */
    size_t cost_capacity, events, event;
    uint32_t *renumbered; /* what the functions of `sums` are now; NULL: the same */
    bool has_totals;      /* there are no parts, but totals of runs may be in summaries */
};

/* A run that follows others in an input, by its number; the name of a thread or process, which may be empty. */
uint32_t parts_name_run(struct names *names, struct text input, size_t number);
uint32_t parts_name_thread(struct names *names, struct text input, struct text name, bool are_several);

/* Are the parts runs? */
static inline bool parts_are_runs(const struct parts *parts)
{
    return parts->by == CG2WG_GROUP_RUN || parts->by == CG2WG_GROUP_CALL;
}

/* By function of the part at hand: are its calls rows? NULL: no calls are. `parts` may be NULL. */
bool *parts_choose(struct parts *parts);

/* Makes a row of the part at hand, which the contents hold, or adds it to earlier ones of the same thread. */
void parts_take(struct parts *parts);

/* Multiplies all costs so far. */
void parts_multiply(struct parts *parts, uint64_t factor, struct diag *diag);

/* Does the same with the last part of an input, and makes the rows its functions. */
void parts_finish(struct parts *parts);

#endif
