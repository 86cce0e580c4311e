/*
 * The reader of the callgrind format, in three files: callgrind.c goes through the lines and reads what
 * costs and calls say, callgrind_header.c what header lines say, and what a part of a profile comes to;
 * callgrind_sums.c lets threads add up Xdebug's records ahead of it. For these files alone.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_READER_H
#define CG2WG_FRONTENDS_CALLGRIND_READER_H

#include "frontends/aliases.h"
#include "frontends/event_costs.h"
#include "frontends/frontend.h"
#include "frontends/full_records.h"
#include "frontends/record_sums.h"
#include "io/blocks.h"

enum { MAX_POSITIONS = 3, NO_LINE_POSITION = -1 };

/* Each has aliases of its own. */
enum name_space { OBJECT_NAMES, FILE_NAMES, FUNCTION_NAMES, NAME_SPACES, NO_NAMES };

/* What the next cost line is about. */
enum next_cost {
    COST_IS_SELF,
    COST_OF_CALL,
    COST_OF_JUMP,   /* jumps have no cost, but their positions count */
    COST_IS_SKIPPED /* of a call that made no sense */
};

/* An object or file that the coming call names, and whether its `cfn=` stood behind it. */
struct called_place {
    bool given;
    bool used; /* a cfn= has followed; another one then begins a new target */
    uint32_t name;
};

/* What costs have been seen that the profile cannot hold as they are. */
struct cost_oddities {
    bool overflow; /* of more than 64 bits */
    bool fraction;
};

/* Sums that are made of records before their turn. */
struct callgrind_sums {
    struct full_records full;  /* where names are written in full */
    struct record_sums alone;  /* as long as there is one thread */
    struct record_sums *slots; /* of all threads, if these make sums */
    struct record_sums *slot;  /* that of the block at hand */
    unsigned slot_count;
    bool has_threads;
    unsigned threads; /* that pay; 0: the system has not been asked yet, which takes its time */
};

struct callgrind_reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct aliases aliases[NAME_SPACES];
    struct event_costs events;

    /* What the header has said. */
    struct producer producer;
    bool is_by_valgrind, is_by_callgrind, is_aggregate;
    size_t position_count;
    int line_position; /* which of the positions is the line, or NO_LINE_POSITION */
    bool is_settled;   /* the builder knows the kind of profile */

    /* The part that is being read. */
    bool in_body;
    size_t part_header;      /* the number of its first header line */
    struct text part_totals; /* the value of `totals:`, kept in names; or empty */
    cost_t part_self;        /* all functions */
    bool part_total_is_mains; /* a summary stands in a record: it is the inclusive cost of {main} */
    /* What relative positions are relative to: the last line's, callgrind's the last self cost's. */
    uint64_t position[MAX_POSITIONS];

    /* Where the next self cost belongs. */
    uint32_t object;
    uint32_t file;          /* of the cost lines: fl=, or code inlined from fi=, fe= */
    uint32_t call_file; /* of the next call, unless it names one: see take_inline_file in callgrind.c */
    uint32_t function_file; /* of the next fn=: the last fl= */
    uint32_t entered_file;  /* of the current function */
    bool has_fl;
    bool has_function; /* a fn= line has come... */
    bool is_entered;   /* ... and the builder knows of it */
    uint32_t function_name;

    /* The record that is being read, where records are invocations. */
    bool record_has_self;
    bool record_is_closed; /* by a blank line, as Xdebug does */
    bool record_has_total; /* a summary stands before its costs: {main}'s up to Xdebug 2.7 */
    cost_t part_self_before; /* what part_self was when it began */
    uint64_t part_records; /* in this part, before it */
    bool all_closed;       /* all of them were */
    bool callees_first;    /* all calls so far were of functions with records before, as Xdebug's are */

    /* Where the next call goes. */
    struct called_place called_object, called_file;
    bool has_called_name;
    uint32_t called_name;
    bool has_callee; /* `callee` is the target of the last call: of this invocation, or of the part */
    uint32_t callee;
    uint64_t call_count;
    enum next_cost next_cost;

    uint64_t sensible_lines, odd_lines;

    struct callgrind_sums sums;
    bool is_at_record; /* quick forms end where sums of records may go on */

    bool is_over; /* all has been read */
    bool has_failed; /* what a quick form has led to */
};

static inline struct names *callgrind_names(const struct callgrind_reader *r)
{
    return &r->builder->profile->names;
}

static inline bool callgrind_no_memory(struct callgrind_reader *r)
{
    return diag_no_memory(r->diag);
}

/* Of a line whose value is of no use. */
static inline bool callgrind_take_nothing(struct callgrind_reader *r, struct text value)
{
    (void)r;
    (void)value;
    return true;
}

/*
 * Takes the costs that `line` begins with, into r->events.costs; those that are missing are 0, as far as
 * they count. Returns how many there are, which may be more than there are events. What is left of
 * `line` is no cost. *found gets what is odd about them, besides what it holds.
 */
size_t callgrind_take_costs(struct callgrind_reader *r, struct text *line,
                            struct cost_oddities *found);

/* All of these return false, having reported it, when memory runs out or as told. */

/* Reads what lines there are, up to where it would pay to go on in threads. */
bool callgrind_read_lines(struct callgrind_reader *r);

/* ---- callgrind_header.c ------------------------------------------------------------------- */

/* Splits `key: value`. Returns false if the line does not look like that. */
bool callgrind_split_header(struct text line, struct text *key, struct text *value);

/* Is it a key that the format knows? */
bool callgrind_knows_header(struct text key);

/* Takes a header line. */
bool callgrind_take_header(struct callgrind_reader *r, struct text line, struct text key,
                           struct text value);

/* The first function is near: what the header has said so far tells what kind of profile this is. */
bool callgrind_settle(struct callgrind_reader *r);

/* A call whose cost line has not come is dropped: what it cost, and where, nobody knows. */
bool callgrind_check_cost(struct callgrind_reader *r);

/* Forgets what the position lines of the last part have said. Aliases, events, positions stay. */
bool callgrind_begin_part(struct callgrind_reader *r);

/* Completes the summary of the part that ends here. */
bool callgrind_end_part(struct callgrind_reader *r);

/* Has the part that is being read a summary so far? */
bool callgrind_has_summary(const struct callgrind_reader *r);

/* ---- callgrind_sums.c --------------------------------------------------------------------- */

void callgrind_sums_free(struct callgrind_reader *r);

/*
 * May records be of the kind of which sums are made, as far as header lines and options tell? Then
 * callgrind_take_sums is to be asked where one has ended with a blank line and another may begin.
 */
bool callgrind_sums_fit(const struct callgrind_reader *r);

/* Takes what records it can in sums, or sets *pays_in_threads. */
bool callgrind_take_sums(struct callgrind_reader *r, bool *pays_in_threads);

/* Reads the rest by several threads: each digests blocks of it, which are taken in their order. */
bool callgrind_read_in_threads(struct callgrind_reader *r);

#endif
