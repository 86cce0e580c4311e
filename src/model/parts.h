/* SPDX-License-Identifier: MIT */
/*
 * Parts of inputs as rows: runs, threads, processes. A part is read as a profile of its own, becomes a row, and is
 * forgotten. So memory grows with the number of rows, not with that of functions. Single calls in runs likewise.
 */
#ifndef CG2WG_MODEL_PARTS_H
#define CG2WG_MODEL_PARTS_H

#include "model/contents.h"
#include "util/matcher.h"

enum { PART_KINDS = CG2WG_GROUP_PROCESS - CG2WG_GROUP_RUN + 1 };

/* Patterns for functions: for their names or, after `file:` or `object:`, for these. */
enum { PATTERN_TEXTS = 3 };
struct function_patterns {
    struct matcher of[PATTERN_TEXTS];
};
struct function_patterns function_patterns_of(const struct cg2wg_patterns *patterns);
/* Does any pattern match the name, the file or the object? If `found` is not NULL, sets found[i] of each that does. */
bool function_matches(struct function_patterns *patterns, const struct text texts[PATTERN_TEXTS], bool *found);

/* What is shown of the parts of all inputs. */
struct part_choice {
    enum cg2wg_group by;
    size_t top;         /* rows are so many of a run's costliest calls; others only add to how costs spread. 0: all */
    bool are_several;   /* inputs */
    bool has_functions; /* a row is what these cost in a part, or single calls of them; if not, all of it */
    struct function_patterns wanted; /* these */
    bool has_matched;                /* some function, so far */
    uint64_t path_bytes;             /* of the names of single calls, so far */
};

/* Those of an input. */
struct parts {
    struct part_choice *choice;
    struct diag *diag;
    bool has_totals;           /* of runs that were merged before, only the totals are known, and enough */
    struct text input;         /* its name is that of a run */
    struct contents *contents; /* of the input */
    uint32_t name;             /* of the thread at hand, in the profile's names; NAME_EMPTY: unknown */
    bool are_known;            /* some thread is, or some single calls */
    bool is_left_out;          /* the part at hand is no row */
    size_t runs;               /* before it */
    /*
     * Functions without calls. Of a run, thread or process, `file` is the name of the function that costs most, and
     * call_cost what was allocated. Of single calls that are alike, `name` is their path, `file` their run, and `object`
     * the text `COST SELF EVENT`, which is a part of their key; path and run are empty for those that are no rows.
     */
    struct profile rows;
    bool have_allocated;
    cost_t allocated[2];     /* by all runs, and what is kept of it */
    struct profile *threads; /* by row: what each consists of, unless rows are runs */
    size_t thread_capacity;
};

/*
 * Parts of an input beside all of it: names and, unless roots of contexts name their parts, the costs of their functions;
 * if they do, the costs below 0 of records, which contexts of what was allocated lack.
 */
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

/* A run by its number in an input, 0 if there are no others; the name of a thread or process, which may be empty. */
uint32_t parts_name_run(struct names *names, struct text input, size_t number);
uint32_t parts_name_thread(struct names *names, struct text input, struct text name, bool are_several);

static inline bool parts_are_runs(const struct parts *parts)
{
    return parts->choice->by == CG2WG_GROUP_RUN || parts->choice->by == CG2WG_GROUP_CALL;
}

/* By function of the part at hand: are its calls rows? NULL: no calls are. `parts` may be NULL. */
bool *parts_choose(struct parts *parts);

/* Makes a row of the part at hand, which the contents hold, or adds it to earlier ones of the same thread. */
void parts_take(struct parts *parts);

void parts_multiply(struct parts *parts, uint64_t factor, struct diag *diag);

/* Does the same with the last part of an input, and makes the rows its functions. */
void parts_finish(struct parts *parts);

#endif
