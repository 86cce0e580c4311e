/* SPDX-License-Identifier: MIT */
/* Front ends, each of which reads one input format into the profile model; readable names; events that are wanted. */
#ifndef CG2WG_READ_FRONTEND_H
#define CG2WG_READ_FRONTEND_H

#include "cg2wg.h"
#include "io/lines.h"
#include "model/builder.h"
#include "model/contents.h"
#include "model/line_costs.h"

/* How much of an input front ends see to decide whether it is theirs. */
enum {
    FRONTEND_HEAD = 64 * 1024,    /* at first */
    FRONTEND_ENOUGH = 1024 * 1024 /* if none has decided; more only if nothing was decisive so far */
};

enum recognition { NOT_MINE, MINE, NOT_YET }; /* the last: only comments so far, more has to be seen */

struct event_list {
    struct cg2wg_event *events; /* their strings are valid as long as the profile's names */
    size_t count, capacity;
    struct cg2wg_part *parts; /* of a callgrind file, likewise */
    size_t part_count, part_capacity;
};

struct event_wish {
    struct text name; /* or [NAME =] FORMULA; empty: the input's first event */
    bool is_given;    /* by the user: every input must have it */
    bool is_optional; /* an input without it is no error */
    bool is_lost;     /* set by reading: the input, or a part of it, lacks it */
    cost_t total;     /* set by reading: of the self costs */
    uint32_t event;   /* set by reading, like the next member: what the profile of the event has */
    bool speaks_of_event;
};

struct event_wishes {
    const char *list; /* names, beginnings of names and formulas with commas between them, and `all`; NULL: what the
                         input measures, from its first event on */
    bool must_fit;    /* more than MOST_EVENTS are an error */
    struct event_wish all[MOST_EVENTS];
    size_t count;   /* 0: they are not known yet */
    bool takes_all; /* of any input */
    bool are_known; /* from another input: others are only added if all are taken */
};

/*
 * Finds out what is wanted of an input with these events, those without a formula and the first one first, and adds
 * what is not known yet. There is at least one wish. A comma within a name of the input is a part of it.
 */
void event_wishes_resolve(struct event_wishes *wishes, const struct event_list *list, struct diag *diag);

/* What is wanted of an input. */
struct frontend_options {
    const struct cg2wg_options *given; /* by the user */
    struct text event; /* the user's choice, or that of earlier inputs: a name, or [NAME =] FORMULA; empty: the first */
    bool is_given;     /* that is the user's choice */
    struct event_list *list;            /* filled with all events; NULL: not wanted */
    struct event_wishes *wishes;        /* in place of `event`: several are wanted; NULL: one */
    void **state;                       /* with wishes: set to what `take` makes profiles of */
    struct sizes *sizes;                /* filled by a front end with sizes; NULL: not wanted */
    struct file_rights *rights;         /* those of each file that it opens and uses limit them */
    struct cg2wg_demangling *for_lines; /* what a program may take that finds lines of source */
    bool needs_sums;                    /* a preprocessed file of version 4 is an error */
    struct stored_file *stored;         /* a preprocessed file is read as it is, into this; NULL: like other inputs */
};

/* Which members of struct cg2wg_samples choose something of an input. */
enum frontend_choices {
    CHOOSES_PARTS = 1,
    CHOOSES_THREADS = 2, /* also processes */
    CHOOSES_NAMES = 4,   /* of threads */
    CHOOSES_SYMBOLS = 8  /* root and kernel_table */
};

struct frontend {
    const char *name;     /* for --input */
    unsigned choices;     /* of enum frontend_choices; all others are errors */
    bool is_listed;       /* webgrind lists its inputs: see struct cg2wg_stats */
    bool has_sizes;       /* its inputs may have costs by input size */
    bool has_lines;       /* its inputs may have costs by line, without asking other programs */
    bool keeps_inclusive; /* its inputs have inclusive costs, which are taken as they are */
    /* Does an input that begins like this look like this format? */
    enum recognition (*recognises)(struct text head);
    /*
     * Reads all of `lines` into `builder`, which the caller has initialised and frees; the front end sets its kind, and
     * finishes it or completes its profile itself. An input without a function or the event is an error.
     */
    void (*read)(struct lines *lines, struct builder *builder, const struct frontend_options *options);
    /*
     * Fills `builder`, which is like that of `read`, with the profile of one of the wishes, by its number, from the
     * state. NULL: inputs have one event, which `read` has made the profile of.
     */
    void (*take)(void *state, size_t event, struct builder *builder, const struct frontend_options *options);
};

/* What distinguishes functions: the user's choice, or `usual` if there is none. */
static inline enum identity frontend_identity(const struct frontend_options *options, enum identity usual)
{
    return options->given->identity != CG2WG_IDENTITY_AUTO ? (enum identity)options->given->identity : usual;
}

/* The front end that recognises `head`, or NULL. *more: a decision needs more of the input. */
const struct frontend *frontend_for(struct text head, bool *more);

/*
 * What a file is that no front end recognises, and what to do: "a trace by Xdebug, expected ...". NULL: unknown. Of
 * massif's files, the callgrind format recognises the first line, too.
 */
const char *others_find(struct text head);

/* The name of an input in messages. */
const char *input_name(const char *input);

/* Opens an input that is a regular file; does it begin like a preprocessed one? */
bool input_open(struct source *source, const char *input, struct diag *diag);

/*
 * Reports each regular file that is an input twice, under any names, as a problem, because its costs would count twice.
 * Returns, for each input with the name X.webgrind, the name of the input X, of which it may be the preprocessed file;
 * for others NULL. NULL: there is one input.
 */
const char **inputs_check(const char *const *inputs, size_t count, struct diag *diag);

const struct frontend *frontend_named(const char *name);

/*
 * Finds readable names, see struct demangler, with the program c++filt, which is started only if a new name begins as
 * those of C++ or Rust do. Names of Rust lose the hashes that its compiler adds.
 */
void demangle_names(struct demangler *demangler, struct names *names);

/* All formats, for messages; that which is asked last, because it has no sure mark, is last. */
#define FRONTEND_FORMATS "callgrind, cachegrind, aprof, perf, preprocessed, perf-script or folded"

extern const struct frontend aprof_frontend;
extern const struct frontend callgrind_frontend;
extern const struct frontend folded_frontend;
extern const struct frontend perf_frontend;
extern const struct frontend perf_script_frontend;
extern const struct frontend preprocessed_frontend;

#endif
