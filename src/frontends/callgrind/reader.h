/*
 * The reader of the callgrind format: callgrind.c reads lines with names, costs and calls, costs.c
 * the costs in them, header.c header lines, of which it computes the totals of parts; tokens.c splits
 * texts into lines of usual forms, possibly in other threads. Private to these files, of which only
 * callgrind.c uses the others, and header.c uses costs.c.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_READER_H
#define CG2WG_FRONTENDS_CALLGRIND_READER_H

#include "frontends/callgrind/aliases.h"
#include "frontends/callgrind/keys.h"
#include "frontends/callgrind/prepared.h"
#include "frontends/event_costs.h"
#include "frontends/frontend.h"
#include "io/blocks.h"

/* The meaning of the next cost line. */
enum next_cost {
    COST_IS_SELF,
    COST_OF_CALL,
    COST_OF_JUMP,   /* jumps have no cost, but their positions count */
    COST_IS_SKIPPED /* of a malformed call */
};

/* Parts of the target of calls. */
enum target { TARGET_FUNCTION = 1, TARGET_FILE = 2, TARGET_OBJECT = 4 };

/* Kinds of costs that the profile cannot contain as they are. */
struct cost_oddities {
    bool overflow; /* of more than 64 bits */
    bool fraction;
};

struct callgrind_reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct aliases aliases[NAME_SPACES];
    struct event_costs events;

    /* Data from the header. */
    struct producer producer;
    bool is_by_valgrind, is_by_callgrind, is_aggregate;
    size_t position_count;
    int line_position; /* which of the positions is the line, or NO_LINE_POSITION */
    bool kind_is_known; /* the kind of profile has been decided */

    /* The current part. */
    bool in_body;
    size_t part_header;      /* the number of its first header line */
    struct text part_totals; /* the value of `totals:`, kept in names; or empty */
    bool part_has_summary;
    bool part_total_is_mains; /* a summary stands in a record: it is the inclusive cost of {main} */
    /* The reference of relative lines: that of the last line or, for callgrind, of the last self cost. */
    uint64_t line;

    /* The place of the next self cost. */
    uint32_t object;
    uint32_t file;          /* of the cost lines: fl=, or code inlined from fi=, fe= */
    uint32_t call_file; /* of the next call, unless it names one: see take_inline_file in callgrind.c */
    uint32_t function_file; /* of the next fn=: the last fl= */
    uint32_t entered_file;  /* of the current function */
    bool has_fl;
    bool has_function; /* there was an fn= line... */
    bool is_entered;   /* ... and the builder has got its function */
    uint32_t function_name;

    /* The current record. Most matters only if records are invocations. */
    bool are_invocations;
    bool record_has_self;
    bool record_is_closed; /* by a blank line, as in Xdebug's profiles */
    bool record_has_total; /* a summary precedes its costs: that of {main} up to Xdebug 2.7 */
    uint64_t part_records; /* in this part, before it */
    bool all_closed;       /* all of these were closed */
    bool callees_first;    /* all calls so far were of functions with earlier records */

    /* The target of the next call. */
    uint8_t target;      /* of enum target: the parts that are given */
    uint8_t next_target; /* those that came after a cfn=: if another one follows, they are that one's */
    uint32_t called_object, called_file, called_name;
    bool has_callee; /* `callee` is the target of the last call: of this invocation, or of the part */
    uint32_t callee;
    uint64_t call_count;
    enum next_cost next_cost;

    uint64_t sensible_lines, odd_lines;

    struct prepared own;     /* what this thread prepares */
    size_t own_tokens;       /* so many at once: few where lines have just got another form */
    struct prepared *slots;  /* what all threads prepare, if there are several */
    struct prepared *given;  /* what was prepared of the current block; NULL: nothing is left */
    struct line_form given_form; /* for which it was prepared */
    bool given_is_summed;
    bool has_threads;
    unsigned threads; /* that are useful; 0: not yet determined, because asking the system takes time */

    bool is_over; /* everything has been read */
    bool has_failed; /* taking a token has failed */
};

static inline struct names *callgrind_names(const struct callgrind_reader *r)
{
    return &r->builder->profile->names;
}

/* The following functions return false, after reporting it, when memory runs out or as described. */

/* ---- costs.c ------------------------------------------------------------------------------ */

/*
 * Takes the costs at the start of `line` into e->costs; missing ones that matter are 0.
 * Returns their number, which may exceed the number of events. The rest of `line` is not a cost.
 * Adds oddities of the costs to *found.
 */
size_t callgrind_take_costs(struct event_costs *e, struct text *line, struct cost_oddities *found);

/* ---- header.c ----------------------------------------------------------------------------- */

/* Splits `key: value`. Returns false if the line does not look like that. */
bool callgrind_split_header(struct text line, struct text *key, struct text *value);

/* Is it a key of the format? */
bool callgrind_knows_header(struct text key);

/* Takes a header line. */
bool callgrind_take_header(struct callgrind_reader *r, struct text line, struct text key,
                           struct text value);

/* Call this before the first function: decides the kind of profile from the header so far. */
bool callgrind_decide_kind(struct callgrind_reader *r);

/* Drops a call without its cost line, because its cost and line are unknown. */
bool callgrind_check_cost(struct callgrind_reader *r);

/* Resets the positions of the last part. Aliases, events: and positions: remain. */
bool callgrind_begin_part(struct callgrind_reader *r);

/* Completes the summary of the part that ends here. */
bool callgrind_end_part(struct callgrind_reader *r);

#endif
