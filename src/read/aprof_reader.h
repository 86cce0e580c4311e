/* What a report of aprof contains: aprof.c collects it, aprof_result.c makes a profile of it. */
#ifndef CG2WG_READ_APROF_READER_H
#define CG2WG_READ_APROF_READER_H

#include "read/aprof_lines.h"
#include "read/event_costs.h"
#include "read/frontend.h"
#include "model/contexts.h"
#include "util/index.h"

/* Sums over tuples. */
struct tuple_costs {
    cost_t sum;
    cost_t inclusive; /* the same or, if wanted, without calls inside another call of the same routine */
    cost_t self;
    uint64_t calls;
};

struct routine {
    uint64_t id;
    uint32_t name, object; /* in the profile's names */
    uint32_t function;     /* of the profile; valid at the end */
    uint32_t mangled;      /* name; NAME_EMPTY: none */
    bool has_costs;        /* by p lines */
    struct tuple_costs costs; /* of its p lines */
};

/* What the report says about a context. */
struct reported_context {
    uint64_t id;
    uint32_t routine; /* an index into the array */
    bool has_parent;
    uint32_t walk; /* from which context, and 1, cut_cycles has come to it first; 0: none yet */
    uint64_t parent_id;
    uint64_t line; /* of its x line; 0: none, it occurs only in tuples */
    struct tuple_costs costs;
};

struct aprof_reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct event_costs events;

    uint64_t version;
    bool has_total;
    cost_t total; /* of the `k` line */
    uint32_t metric, program;
    bool has_command;
    uint32_t command; /* NAME_EMPTY: unknown */

    struct routine *routines;
    size_t routine_count, routine_capacity;
    struct ids routine_ids; /* the last routine with an id */
    uint32_t current; /* routine of the last r line, or NONE */
    struct reported_context *contexts;
    size_t context_count, context_capacity;
    struct ids context_ids;
    struct contexts tree; /* the same, as a tree; made at the end */

    uint64_t malformed_lines;
};

/* Makes the profile, and its tree, of a report that has been read. Returns false, having reported why. */
bool aprof_make_profile(struct aprof_reader *reader);

#endif
