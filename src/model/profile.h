/* SPDX-License-Identifier: MIT */
/* The profile model, which every front end fills and every writer reads: functions, call arcs, header lines. */
#ifndef CG2WG_MODEL_PROFILE_H
#define CG2WG_MODEL_PROFILE_H

#include "cg2wg.h"
#include "util/diag.h"
#include "util/names.h"

/* A sum of costs. Exact; a sum beyond 64 bits stays at the nearest value that fits. */
typedef int64_t cost_t;

static inline void cost_add(cost_t *sum, cost_t amount)
{
    if (__builtin_add_overflow(*sum, amount, sum))
        *sum = amount < 0 ? INT64_MIN : INT64_MAX;
}

static inline uint64_t cost_size(cost_t cost)
{
    return cost < 0 ? 0 - (uint64_t)cost : (uint64_t)cost;
}

static inline void cost_subtract(cost_t *from, cost_t amount)
{
    if (__builtin_sub_overflow(*from, amount, from))
        *from = amount < 0 ? INT64_MAX : INT64_MIN;
}

/* Multiplies. False: the product does not fit 64 bits and becomes the nearest number that does. */
static inline bool cost_multiply(cost_t *cost, uint64_t factor)
{
    cost_t product;
    bool fits = factor <= INT64_MAX && !__builtin_mul_overflow(*cost, (cost_t)factor, &product);
    if (*cost == 0)
        return true;
    *cost = fits ? product : *cost < 0 ? INT64_MIN : INT64_MAX;
    return fits;
}

static inline void count_add(uint64_t *sum, uint64_t amount)
{
    if (__builtin_add_overflow(*sum, amount, sum))
        *sum = UINT64_MAX;
}

/* What distinguishes functions: the name, also the file, also the object. */
enum identity { IDENTITY_NAME = CG2WG_IDENTITY_NAME, IDENTITY_FILE, IDENTITY_OBJECT };

enum function_flags {
    FUNCTION_HAS_RECORD = 1,    /* it has a record, so its self cost is known */
    FUNCTION_HAS_LINE = 2,      /* `line` is that of a cost line */
    FUNCTION_LINE_IS_OWN = 4,   /* `line` is in its own file, not in code inlined into it */
    FUNCTION_IS_CALLED = 8,     /* by a call arc; valid when the profile is complete, or if it has no record */
    FUNCTION_IS_PROXY = 16,     /* to be stepped over, if records are invocations */
    FUNCTION_IS_WARNED_OF = 32, /* it has had its one warning */
    FUNCTION_IS_DEEPER = 64     /* it is a deeper level of recursion, or contains one */
};

struct function {
    uint32_t object, file, name; /* numbers in profile.names */
    uint32_t line;               /* where its cost begins; 0: unknown */
    uint8_t flags;
    uint8_t identity; /* which of object, file and name distinguish it: enum identity */
    cost_t self;
    cost_t inclusive;     /* set by profile_complete, like call_cost */
    uint64_t invocations; /* until then, the number of its own records */
    cost_t call_cost;     /* of all calls into it */
};

/* What has a cost at a line: numbers of functions, and of a file's name. */
struct line_key {
    uint32_t function;
    uint32_t callee; /* what is called there; NONE: it is a self cost */
    uint32_t file;   /* of the code, which may be inlined into the function from another file */
    uint32_t line;   /* 0: unknown */
};

/* Costs by line, each function's by first occurrence: see model/line_costs.h. */
struct line_costs {
    struct line_row {
        struct line_key key;
        uint64_t calls; /* of the callee */
    } *rows;
    size_t count, capacity;
    struct diag *diag;  /* for too many events */
    bool are_again;     /* calls are those of an event whose lines have been merged */
    bool are_for_files; /* wanted only if code may be inlined from other files */
    size_t events;      /* how many costs each row has */
    uint32_t *names; /* of these; the first may be NAME_EMPTY, the profile's event; NULL: that is the only one wanted */
    cost_t *costs;   /* of all rows */
    uint32_t *renumbered; /* where these rows are after they have been merged; NULL: nobody asks for it */
    size_t cost_capacity;
    struct index index;    /* of the rows, or only of the first of them, until one is looked for */
    struct index newest;   /* of those from `newest_first` on: all that one function has, and no others */
    uint32_t newest_first; /* NONE: there are none like that */
    uint32_t *first;       /* by function: its first row, or if it has none, any number */
    size_t first_capacity;
};

enum header_kind {
    HEADER_OTHER,
    HEADER_EVENTS,
    HEADER_CMD,    /* what was run */
    HEADER_SUMMARY /* the total of a part: one run, thread or dump */
};

struct header {
    /* As written, in profile.names. NAME_EMPTY: both: the input has no such line; the value: its total has changed. */
    uint32_t key, value;
    enum header_kind kind;
    bool has_total;    /* a summary: the input contains its total */
    bool goes_on;      /* a summary: its part is of the same run as the part before */
    cost_t total;      /* a summary: of the profile's event */
    cost_t self_total; /* a summary: the sum of the self costs in its part */
    cost_t peak;       /* a summary of Xdebug's memory: PHP's peak; 0: unknown */
    uint64_t profiles; /* a command: of how many profiles; 0: its process has another one */
    uint64_t line;     /* a summary that the input lacks: where its part ends */
};

/* Programs whose profiles have a meaning of their own. */
enum producer {
    PRODUCER_OTHER,
    PRODUCER_XDEBUG, /* names distinguish functions, in all others also objects and files */
    PRODUCER_APROF,
    PRODUCER_PERF,
    PRODUCERS
};

/* What makes names of C++ and Rust readable, each always in the same way: for all inputs of a task. */
struct demangler {
    void (*demangle)(struct demangler *demangler, struct names *names); /* sets names->readable, for all names */
    enum cg2wg_demangle how;
    struct cg2wg_demangling *limit;
    struct diag *diag;
    struct names known; /* mangled names, and readable ones */
    uint32_t *readable; /* by known name: its readable one, or itself; NAME_EMPTY: it has not been asked for */
    size_t capacity;
};

/* All zero, and with empty names: empty. */
struct profile {
    struct names names;          /* of objects, files, functions; header lines */
    struct demangler *demangler; /* NULL: names stay as they are */

    struct function *functions; /* by first mention */
    size_t function_count, function_capacity;
    struct index function_index;

    struct cg2wg_arc *arcs; /* by first occurrence; caller, callee and line are the key of one */
    size_t arc_count, arc_capacity;
    struct index arc_index;

    struct line_costs *lines; /* NULL: not wanted */
    uint32_t lineless;        /* php:internal, if calls that its functions make are to have line 0; or NAME_EMPTY */

    struct header *headers; /* lines `key: value` in order of the input */
    size_t header_count, header_capacity;

    enum producer producer;      /* by the last `creator:` header or, without one, by the version of the format */
    bool has_creator;            /* there was a `creator:` header */
    bool has_part_of[PRODUCERS]; /* who has made any part of it */

    uint32_t event;       /* the event of the costs; NAME_EMPTY: the input does not say */
    bool speaks_of_event; /* the output's header lines describe only this event */
    bool lacks_callers;   /* a recording without the callers in programs */

    /* A record is an invocation of its function; if not, it is a part of the function's sums. */
    bool records_are_invocations;
    bool is_merged;    /* from several inputs: each has a command, possibly NAME_EMPTY */
    bool was_escaped;  /* by an earlier conversion, so that its commands are headings */
    bool marks_levels; /* a function's deeper recursion levels are functions with marked names */
};

/* A name, in the form of the library. */
static inline struct cg2wg_bytes profile_bytes(const struct profile *profile, uint32_t name)
{
    struct text text = names_text(&profile->names, name);
    return (struct cg2wg_bytes){text.at, text_length(text)};
}

/* ---- functions and arcs ------------------------------------------------------------------- */

/*
 * The number of the function with this object, file and name (numbers in names); a new one is appended. `identity` says
 * which of the three distinguish functions. Functions of different identities are different functions.
 */
uint32_t profile_function(struct profile *profile, enum identity identity, uint32_t object, uint32_t file,
                          uint32_t name);

/* Appends a function that others may be like: it is not found if there is one. */
void profile_append_function(struct profile *profile, const struct function *function);

/* The number of such a function, or NONE. */
uint32_t profile_find_function(const struct profile *profile, enum identity identity, uint32_t object, uint32_t file,
                               uint32_t name);

HOT bool profile_is_lineless(const struct profile *profile, uint32_t caller)
{
    return profile->lineless != NAME_EMPTY && profile->functions[caller].file == profile->lineless;
}

/* The number of an arc, or NONE. */
HOT uint32_t profile_find_arc(const struct profile *profile, uint32_t caller, uint32_t callee, uint32_t line)
{
    line = profile_is_lineless(profile, caller) ? 0 : line;
    const uint32_t key[] = {caller, callee, line};
    return index_find(&profile->arc_index, hash_numbers((uint64_t)caller << 32 | callee, line), profile->arcs, key,
                      sizeof(struct cg2wg_arc), sizeof key);
}

/* Appends an arc, which is new. Returns its number. */
uint32_t profile_append_arc(struct profile *profile, uint32_t caller, uint32_t callee, uint32_t line);

/* Adds calls to an arc, which is appended if it is new. Returns its number. */
HOT uint32_t profile_add_call(struct profile *profile, uint32_t caller, uint32_t callee, uint32_t line, uint64_t count,
                              cost_t cost)
{
    uint32_t number = profile_find_arc(profile, caller, callee, line);
    if (UNLIKELY(number == NONE)) /* index_intern would take 5 % of the time of a whole profile of Xdebug */
        number = profile_append_arc(profile, caller, callee, profile_is_lineless(profile, caller) ? 0 : line);
    count_add(&profile->arcs[number].calls, count);
    cost_add(&profile->arcs[number].cost, cost);
    return number;
}

/*
 * Call this after the last record: computes each function's invocations, the cost of the calls into it and, by
 * webgrind's definition, its inclusive cost (self cost and all its calls; without a record, that of the calls into it).
 */
void profile_complete(struct profile *profile);

/* Multiplies all costs but those of lines. What does not fit becomes the nearest number that does, with a warning. */
void profile_multiply(struct profile *profile, uint64_t factor, struct diag *diag);

/* Multiplies the costs of a summary. False: some do not fit. */
bool header_multiply(struct header *header, uint64_t factor);

/* Is the event Xdebug's memory? Functions allocate and free it; the input's total is the peak. */
bool profile_is_memory(const struct profile *profile, uint32_t event);

cost_t profile_self_cost(const struct profile *profile);

/*
 * Adds a profile: merges functions by identity, adds sums, appends headers. Its function i is functions[i] then and,
 * unless `arcs` is NULL, its arc i is arcs[i].
 */
void profile_merge(struct profile *into, const struct profile *from, uint32_t *functions, uint32_t *arcs);

/*
 * Makes functions that have become alike one. Numbers as above; *arcs is set. `whole`: the profile before; NULL: nobody
 * needs it.
 */
void profile_unite(struct profile *profile, uint32_t *functions, uint32_t **arcs, struct profile *whole);

/*
 * The readable name of a function, or the same one, as PHP's and others whose records are invocations are. All names of
 * the profile are asked for at once, so all that will be needed should be there.
 */
uint32_t profile_readable(struct profile *profile, uint32_t name);

/* Makes functions with the same readable name one: see profile_unite. Returns their numbers; NULL: nothing changes. */
uint32_t *profile_make_readable(struct profile *profile, uint32_t **arcs);

/* Adds functions without costs. `names`: as many zeros as `from` has names; NULL: they are the same. */
void profile_add_functions(struct profile *into, const struct profile *from, uint32_t *names, uint32_t *renumbered);

/* The profile has none of its functions and arcs any more, which stay another's. */
void profile_empty(struct profile *profile);

/* Is its file one of source? Recordings of perf and reports of aprof have the object in place of it. */
bool profile_has_source(const struct profile *profile, const struct function *function);

/* The object that tells a function from others of its name, or NAME_EMPTY. */
static inline uint32_t function_object(const struct function *f)
{
    return f->identity == IDENTITY_OBJECT ? f->object : NAME_EMPTY;
}

/* A line of a file, as it is shown; 0: unknown. With PHP's own functions, Xdebug has the lines of their callers. */
static inline uint32_t profile_line(const struct profile *profile, uint32_t file, uint32_t line)
{
    return text_equals(names_text(&profile->names, file), "php:internal") ? 0 : line;
}

/* Does any function or call have a cost? The costs may add up to 0. */
bool profile_has_cost(const struct profile *profile);

/* The arcs that call a function, and those that it makes, each list in the order of first occurrence. */
struct arc_lists {
    struct buckets called_from, sub_calls; /* by callee, and by caller */
};

void arc_lists_init(struct arc_lists *lists, const struct profile *profile);

/* ---- header lines ------------------------------------------------------------------------- */

/* Takes the key of a line, and leaves its value: what follows the colon and a blank or, without that, all blanks. */
struct text header_take_key(struct text *line);

/* Appends a header. HEADER_OTHER with `cmd` and a value is a command; `creator` or `version` decide the producer. */
void profile_add_header(struct profile *profile, struct text key, struct text value, struct header header);

#endif
