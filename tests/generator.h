/* SPDX-License-Identifier: MIT */
/*
 * Random valid profiles and their expected results: a random call tree is written in the callgrind
 * format with everything that its grammar allows, either like Xdebug (a record for each invocation)
 * or like Valgrind (sums over all of them, in parts). The costs of functions and calls are added up
 * over the tree itself, and never read from the profile.
 */
#ifndef CG2WG_TESTS_GENERATOR_H
#define CG2WG_TESTS_GENERATOR_H

#include "cg2wg_print.h"

enum {
    GENERATED_FUNCTIONS = 12,
    GENERATED_NODES = 96,
    GENERATED_ARCS = GENERATED_NODES,
    GENERATED_HEADERS = 64,
    GENERATED_LINE = 160
};

struct generated_function {
    const char *file, *name; /* "": it has none */
    uint32_t line;
    int64_t self, inclusive, outermost, call_cost, outermost_call_cost;
    uint64_t invocations;
};

struct generated_arc {
    int caller, callee; /* numbers in `functions` */
    uint32_t line;
    uint64_t count;
    int64_t cost, outermost;
};

/* An invocation of the tree, in the order in which they return. */
struct generated_node {
    int function;       /* a number in `functions` */
    int number;         /* among the invocations of its function */
    int caller;         /* a node, or -1 */
    uint32_t line;      /* of the call that made it */
    int64_t self, inclusive;
    int calls[GENERATED_NODES], call_count; /* the nodes that it called, in order */
};

enum generated_header_kind { GENERATED_OTHER, GENERATED_EVENTS, GENERATED_SUMMARY };

struct generated_header {
    enum generated_header_kind kind;
    char text[GENERATED_LINE]; /* as the output has it, as long as costs are not divided */
    int64_t total;             /* of a summary */
};

struct generated {
    char *text; /* the profile, malloc'ed */
    size_t size;
    struct cg2wg_options options; /* how it has to be converted for this to come out; format is free */

    bool records_are_invocations;
    /* --inclusive=outermost is exact. If not, the truth is between it and a lower bound. */
    bool is_exact;

    struct generated_function functions[GENERATED_FUNCTIONS]; /* by first mention */
    int function_count;
    struct generated_arc arcs[GENERATED_ARCS]; /* by first occurrence */
    int arc_count;
    struct generated_node nodes[GENERATED_NODES]; /* where records are invocations */
    int node_count;
    struct generated_header headers[GENERATED_HEADERS];
    int header_count;
};

/* Makes the profile number `seed`; the same for the same number. To be freed by generated_free. */
void generate(struct generated *g, uint64_t seed);
void generated_free(struct generated *g);

#endif
