/* SPDX-License-Identifier: MIT */
/* The reader of the callgrind format, private to its files. */
#ifndef CG2WG_READ_CALLGRIND_READER_H
#define CG2WG_READ_CALLGRIND_READER_H

#include "read/event_costs.h"
#include "read/frontend.h"

enum { MAX_POSITIONS = 3, NO_LINE_POSITION = -1 };

/* Each has aliases of its own. */
enum name_space { OBJECT_NAMES, FILE_NAMES, FUNCTION_NAMES, NAME_SPACES };

/*
 * One name space of aliases. An id may be any number; memory depends on how many there are. Most are small: an id up to
 * a few times the number of aliases so far is in an array, which takes over others as it grows. All zero: empty.
 */
struct aliases {
    uint32_t *small; /* names by id, or NONE: undefined */
    size_t small_count;
    struct ids others;      /* names of ids that were not small when they were defined */
    uint64_t defined;       /* how many ids have a name */
    uint64_t redefinitions; /* how often an id got another name */
};

/*
 * Sets *name to the number (in `names`) of the name in the value of a position line: a plain name,
 * a definition, which is valid from here on, or a reference. Blanks around a name are not part of
 * it. False: the reference is undefined; *name is the reference as it is written.
 */
bool aliases_resolve(struct aliases *aliases, struct names *names, struct text value, uint32_t *name);

/* The name of an id, or NONE if it is undefined. */
static inline uint32_t aliases_find(const struct aliases *aliases, uint64_t id)
{
    return id < aliases->small_count ? aliases->small[id] : ids_find(&aliases->others, id);
}

/* A part of the input: a run, a thread or a dump. */
struct part {
    bool in_body;
    bool has_cost;       /* a `summary:` or `totals:` line of it is not all zeros */
    unsigned keys;       /* of its header lines: a bit for what each is used for */
    bool has_pid;        /* it has a `pid:` line, not one before it */
    size_t first_header; /* the number of its first header line */
    struct text totals;  /* the value of `totals:`, in names; or empty */
    bool has_summary;
    size_t first_summary; /* where the headers go on after one that precedes the body; 0: there is none */
    bool total_is_mains;  /* a summary is in a record: it is the inclusive cost of {main} */
    uint64_t records;     /* before the current one, if these are invocations */
    bool has_unclosed;    /* one of these was not closed */
};

/* The place of the next self cost, or call. */
struct place {
    uint64_t line; /* the reference of relative lines: the last line or, for callgrind, that of the last self cost */
    uint32_t object;
    uint32_t file;          /* of the cost lines: fl=, or code inlined from fi=, fe= */
    uint32_t call_file;     /* of the next call, unless it names one: see return_to_reference in callgrind.c */
    uint32_t function_file; /* of the next fn=: the last fl= */
    uint32_t entered_file;  /* of the current function */
    bool has_fl;
};

/* The current record. Most matters only if records are invocations. */
struct record {
    bool has_function;  /* there was an fn= line */
    uint32_t function;  /* its name */
    bool is_closed;     /* by a blank line, as in Xdebug's profiles */
    uint64_t closed_by; /* the number of that line */
    bool has_total;     /* a summary precedes its costs: that of {main} up to Xdebug 2.7 */
};

/* Parts of a target. */
enum target { TARGET_FUNCTION = 1, TARGET_FILE = 2, TARGET_OBJECT = 4 };

struct calls {
    /* The target of the next calls=. */
    uint8_t target;      /* of enum target: the parts that are given */
    uint8_t next_target; /* those that came after a cfn=: if another one follows, they are that one's */
    struct function_names given;

    /* The last calls=, of this invocation or of the part. */
    bool has_callee;
    struct function_names callee;
    uint32_t file; /* of the code that calls */
    uint64_t count;

    /* The meaning of the next cost line. */
    enum next_cost {
        COST_IS_SELF,
        COST_OF_CALL,
        COST_OF_JUMP,   /* jumps have no cost, but their positions count */
        COST_IS_SKIPPED /* of a malformed call */
    } next_cost;
};

/* The headers by which the user chooses parts. */
enum part_number { PART_PID, PART_THREAD, PART_PART, PART_NUMBERS };

struct callgrind_reader {
    struct lines *lines;
    struct builder *builder;
    struct diag *diag;
    const struct frontend_options *options;
    struct aliases aliases[NAME_SPACES];
    struct event_costs events;

    int64_t numbers[PART_NUMBERS];   /* of the current part; -1: none. The process stays for later parts */
    struct text trigger;             /* of the current part; its address may be NULL */
    size_t file_headers;             /* before those of this part: of the file, of which no part has counted yet */
    bool takes_part;                 /* some part so far is not left out */
    cost_t listed;                   /* the total of the first event before this part, for a list */
    struct ids wanted[PART_NUMBERS]; /* by the user */
    struct ids met[PART_NUMBERS];    /* if some are wanted: the numbers of all parts, in the order of the first ones */

    /* Data from the header. */
    bool is_by_valgrind, is_by_callgrind, is_aggregate;
    uint32_t unknown_file; /* ???, if it is by callgrind; otherwise NONE */
    size_t position_count;
    int line_position;    /* which of the positions is the line, or NO_LINE_POSITION */
    bool kind_is_known;   /* it has been decided what records are */
    bool are_invocations; /* records are invocations */
    bool form_may_change; /* a header line was read */

    struct part part;
    struct place place;
    struct record record;
    struct calls calls;
    bool has_moved_call; /* the input has a call whose caller follows it: there was a warning */
    uint64_t malformed_lines, misplaced_lines, empty_lines; /* comments are empty, too */
    struct sums *sums;                                      /* see sums.c; NULL: none yet */
};

/* May a quad of sums.c begin here? Not after the target of a call, or in a record that lacks its self cost. */
bool callgrind_is_between_quads(const struct callgrind_reader *r);

/* Ends the record before one that begins here, and enters all. False: none can begin. */
bool callgrind_leave_record(struct callgrind_reader *r);

/* sums.c: takes records from the lines at hand, up to `end`. Returns up to where lines have to be read then. */
const char *sums_take(struct callgrind_reader *r, const char *end);

/* ---- header.c ----------------------------------------------------------------------------- */

struct header_key {
    const char *key;  /* NULL: any that is not of the format */
    int value;        /* what it is used for */
    bool begins_part; /* after body lines, or if it is the second one of a part that has a total, but no body */
};

/* Splits `key: value`. NULL: the line does not look like that. */
const struct header_key *callgrind_split_header(struct text line, struct text *key, struct text *value);

bool callgrind_begins_part(const struct callgrind_reader *r, const struct header_key *known);

void callgrind_read_header(struct callgrind_reader *r, const struct header_key *known, struct text key,
                           struct text written);

/* Before the first part, and each other one: without numbers, which decide whether it is left out. */
void callgrind_begin_parts(struct callgrind_reader *r);
void callgrind_begin_part(struct callgrind_reader *r);

/* At the end: it is an error if the user wants a number that no part has. */
void callgrind_check_parts(struct callgrind_reader *r);

/* Tells the builder's `parts` of the part that ends here. Is it one by itself? */
bool callgrind_name_part(struct callgrind_reader *r);

/* After builder_new_run: adds the part at hand to the list of those, if that is wanted. */
void callgrind_list_part(struct callgrind_reader *r);

/* Completes the summary of the part that ends here. */
void callgrind_end_part(struct callgrind_reader *r);

#endif
