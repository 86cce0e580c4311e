/* SPDX-License-Identifier: MIT */
/* What a profile is beside its costs: the event, the total, how many runs, by whom. Views and writers print it. */
#ifndef CG2WG_MODEL_FACTS_H
#define CG2WG_MODEL_FACTS_H

#include "model/units.h"

/* What the numbers of invocations and calls are: calls, perf's samples, or nothing, where there are no calls. */
enum counts { COUNTS_CALLS, COUNTS_SAMPLES, COUNTS_NOTHING };

/* A command that was profiled. */
struct command {
    struct text name; /* without blanks around it; empty: unknown */
    uint64_t count;   /* of runs */
};

/* Header lines as an output has them. */
struct header_lines {
    struct header_line {
        struct text key, value; /* the value may be empty */
    } *all;
    size_t count, capacity;
};

void header_lines_add(struct header_lines *lines, struct text key, struct text value);

/* All as text, in memory of the task: `KEY: VALUE`, each with a newline. */
struct text header_lines_text(const struct header_lines *lines);

struct facts {
    struct text event; /* as in an `events:` line, without blanks; empty: the input does not say */
    struct unit unit;  /* of the event */
    cost_t total;      /* of all summaries; below 0 if more is freed than allocated; or what was allocated */
    bool is_stated;    /* percentages of what is shown are relative to the total, not to the self costs */
    cost_t peak;       /* of Xdebug's memory: PHP's, the largest of all runs; 0: unknown */
    cost_t parts_self; /* the sum of the self costs of all parts, as their summaries have them */
    size_t summaries;  /* of runs, each of which may have several parts */
    uint64_t runs;     /* whose costs were added: merged profiles, or those that Xdebug appended to one file */
    enum counts counts;
    bool has_inclusive;       /* it has calls, or is of a program that writes them */
    const char *no_calls;     /* why there are no calls, or not all; NULL: there are, or could be */
    struct command *commands; /* each once, in the order of the input */
    size_t command_count;
    uint64_t command_runs;        /* of all commands */
    struct text command, creator; /* the last ones, which webgrind shows, too; empty: unknown */
    struct header_lines lines;    /* those of creators, then those of events, each once */
    struct text heading; /* what stands above it in place of commands, one line of printable UTF-8; empty: nothing */
};

/*
 * Decides the total of each summary: the input's own, or the sum of the self costs, if that is wanted, if the input has
 * none, or if it is not above zero although they add up to more or, if it is below zero, to something else. A summary
 * whose total differs from its line loses its text. Warns about totals that are missing or cannot be right: smaller
 * than the self costs, or more than ten times as large. Xdebug measures its totals by the clock and the peak of memory,
 * so these only draw a warning if they are missing. is_said: the output itself says how they differ.
 */
void totals_decide(struct profile *profile, bool compute, bool is_said, struct diag *diag);

/* Commands and parts of one process become those of one run. One to be merged that has no command gets an empty one. */
void commands_decide(struct profile *profile, bool is_merged);

/*
 * To be called when all inputs have been read. What functions allocate has no total in Xdebug's profiles, only a peak,
 * and where they also free memory, the sum of the self costs is less than some of them. For Xdebug's memory, and if
 * computed totals are wanted, makes the sum of the positive self costs the total.
 */
void totals_use_positive(struct profile *profile, bool compute);

/* For webgrind, which reads digits: no summary is below 0, and all add up to the same total, or to 0 if it is less. */
void totals_leave_negative(struct profile *profile);

/* Adds the name of an event to a line of events, so that `_` replaces blanks, as in formulas, and control bytes. */
void facts_add_event(struct buffer *line, struct text event);

/*
 * Makes a profile's header lines speak of its event under that name, which is written as above.
 * Lines of the input that have other events, and their sums, lose their text, if profile->speaks_of_event; otherwise
 * only a first `events:` line that does not begin with the event. Without any such line, one is added.
 */
void facts_settle_event(struct profile *profile, struct text event);

/*
 * The facts of a complete profile whose totals are decided, in memory of the task. The heading is `title` or, if that
 * is NULL, that of a merged profile: `3 profiles of COMMAND`, `5 profiles of A, B, C and 1 more`.
 */
void facts_init(struct facts *facts, struct profile *profile, const char *title);

/* The heading or, without one, the first command; empty: there is neither. */
static inline struct text facts_title(const struct facts *facts)
{
    return text_is_empty(facts->heading) && facts->command_count > 0 ? facts->commands[0].name : facts->heading;
}

#endif
