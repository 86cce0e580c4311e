/* SPDX-License-Identifier: MIT */
/* What an input contains: a profile and what is beside it, if it is wanted and the input has it. */
#ifndef CG2WG_MODEL_CONTENTS_H
#define CG2WG_MODEL_CONTENTS_H

#include "cg2wg_print.h"
#include "model/facts.h"
#include "model/contexts.h"

struct file_rights;

/* Called-from information, or a sub call, of a preprocessed file: in version 4 one call, otherwise `count` calls. */
struct stored_call {
    uint32_t function, invocation, line, count, cost;
};

/* An invocation of version 4. */
struct stored_invocation {
    uint32_t self, inclusive;
    struct stored_call caller; /* its function may be NONE */
    uint32_t sub_call_count;
    uint32_t sub_calls_at; /* the first one: its number among stored_file.calls or, in the file, its address */
};

/*
 * A preprocessed file that is read as it is: function i has the number i. Without calls, functions that become the same
 * by readable names are one.
 */
struct stored_file {
    bool wants_calls; /* set before reading: the invocations of version 4, and whether the lists of calls agree */
    uint32_t version; /* 0: the input is something else */
    bool has_lines;   /* of functions */
    struct header_lines headers;
    size_t *first; /* by function, and the end: its first invocation; NULL: there are none */
    struct stored_invocation *invocations;
    struct stored_call *calls;
};

/* In place of a number that the input lacks. */
enum { SIZE_COST_UNKNOWN = -1 };

/*
 * Costs by the size of the calls' input; the profile has their sums. Zero at first. Strings are numbers of its names.
 */
struct sizes {
    struct cg2wg_size_cost *costs; /* by function and size */
    size_t count, capacity;
    size_t *first;     /* where the costs of each function begin, and the end of the last one's */
    uint32_t *mangled; /* names, by function; NAME_EMPTY: no mangled name */
    uint32_t *remarks; /* what the input says about itself, as written */
    size_t remark_count, remark_capacity;
    uint32_t measure; /* what the sizes are; NAME_EMPTY: the input does not say */
};

/* Groups of one kind: which one each function belongs to, and for each, as if it were a function, its costs. */
struct grouping {
    uint32_t *of;
    struct function *rows;
    cost_t *allocated; /* or NULL */
    size_t count;
};

/* What the events of a page have in common, so that it is found for the first of them only. */
struct outline {
    struct arc_lists lists;
    struct ordered_lines lines; /* if it has lines */
    uint32_t *by_name;          /* functions, in the order of their names */
    uint32_t *stack_parts;      /* of functions: how many parts of their names, between quotes, stacks have */
    bool shortens_stacks;       /* these are not always all */
    uint32_t *groups[CG2WG_GROUP_FOLDER + 1]; /* of functions; NULL: there are none of this kind */
    double limits[2]; /* half of those of the event before, of rows and frames; 0: there was room for all */
};

struct contents {
    struct diag diag;       /* for messages about the input */
    struct profile profile; /* complete, with exact costs; names are not escaped */
    struct facts facts;
    struct file_rights *rights; /* of an output: those of each file whose content it has limit them */
    struct contexts contexts;   /* linked */
    bool has_contexts;
    bool counts_once;            /* inclusive costs of groups count recursion once */
    struct listed_parts *listed; /* see model/parts.h; NULL: not wanted */
    struct timeline timeline;    /* empty: unknown, or not of one input */
    struct single_calls single;  /* empty: unknown, or not of one input */
    enum cg2wg_group group;      /* that its functions are: see model/groups.h */
    struct grouping *groups;     /* of each kind, for a page; or NULL */
    struct outline *outline;     /* for a page */
    cost_t positive;             /* of groups: the self costs of functions above 0, of which percentages are */
    const bool *chosen;          /* by function: which are one group, whose name is 1; the others are 0. NULL: any */
    bool has_estimate;           /* they are estimated: see contexts_estimate */
    cost_t *allocated;   /* by function, of all, and what is kept: see contexts_allocated; NULL: not known, or equal */
    struct sizes *sizes; /* NULL: not wanted, or the format has none */
    struct stored_file stored;
    struct header_lines headers;    /* for JSON and programs */
    uint64_t bytes, most_bytes;     /* of the input; of what is printed of it */
    int64_t time;                   /* when it changed last, like file_facts.time; 0: unknown */
    struct view_runs *runs;         /* if these are sums of runs: how their costs spread; NULL: not known */
    struct view_events *events;     /* beside facts.event, as a view shows them; NULL: none */
    size_t page_event, page_events; /* which of a page's events this is, from 0, and how many there are */
    enum cg2wg_group page_group;    /* what a page opens with, and with which functions; NULL: with none */
    struct cg2wg_patterns page_functions;
};

/* Sets the facts. The total of what was allocated is that; if all of it is kept, nothing else is known. */
static inline void contents_find_facts(struct contents *contents, const char *title, enum cg2wg_summary summary)
{
    const cost_t *all = contents->allocated != NULL ? contents->allocated + contents->profile.function_count : NULL;
    facts_init(&contents->facts, &contents->profile, title);
    contents->facts.is_stated = summary == CG2WG_SUMMARY_FILE;
    if (all != NULL)
        contents->facts.total = all[0];
    if (all != NULL && all[0] == all[1])
        contents->allocated = NULL;
}

#endif
