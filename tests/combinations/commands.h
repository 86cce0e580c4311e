/* SPDX-License-Identifier: MIT */
/* Command lines as combinations of values, one of each dimension; which of them are refused; and what they print. */
#ifndef CG2WG_TESTS_COMMANDS_H
#define CG2WG_TESTS_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- inputs ------------------------------------------------------------------------------- */

enum { MOST_FILES = 8, MOST_NAMED = 40 };

/* Inputs of which the program is to say the same. */
struct kind {
    const char *name, *files; /* below testdata or this folder, or made by make_files */
    const char *other;        /* the kind of what they are merged and compared with */
    const char *nature;       /* words that rules refer to: see inputs.c */
};

/* Found out by inputs_make: */
struct known {
    char *paths[MOST_FILES], *events[MOST_NAMED], *function;
    size_t path_count, event_count, measured; /* events without a formula, which are first */
};

extern const struct kind kinds[];
extern struct known known_of[]; /* each kind */
extern const size_t kind_count;

/* Makes the inputs, and asks the program what events and functions they have. */
void inputs_make(void);
const struct kind *kind_called(const char *name);
/* What follows a word and = in its nature, or "" if nothing does; NULL: it does not have the word. */
const char *nature_of(const struct kind *kind, const char *word);

/* ---- commands ----------------------------------------------------------------------------- */

/* clang-format off */
enum dimension {
    KIND, PRINT, COUNT, WAY, OUTPUT, BASE, EVENT, GROUP, FUNCTION, LINES, SOURCE, ESTIMATE, ONLY, HIDE, TOP, MIN,
    INCLUSIVE, IDENTITY, RECORDS, PROXY, PART, TID, PID, COMM, SUMMARY, SORT, DEPTH, DEMANGLE, NO_DEMANGLE, LINK, RAW,
    ALL, STRICT, FAIL_ABOVE, FAIL_FUNCTION, COLOR, TITLE, SCALE, FORMAT, INPUT, THREADS, QUIET, VERBOSE, STATS, PROGRESS,
    NO_PROGRESS, OVERWRITE, NAME, FORCE, KALLSYMS, SYMFS, DIMENSIONS
};
/* clang-format on */

enum { MOST_VALUES = 48 };

/* Values by their places in their dimensions. */
struct command {
    uint8_t values[DIMENSIONS];
    uint8_t first; /* which of the files of the kind is the first input */
};

void commands_init(void);
size_t value_count(enum dimension d);
uint8_t value_called(enum dimension d, const char *name);
bool value_is(const struct command *c, enum dimension d, const char *name);
const char *value_name(enum dimension d, uint8_t value);
const char *dimension_name(enum dimension d);
bool has_nature(const struct command *c, const char *word);

#define ANYTHING "?"

/*
 * A part of the message with which the program is to refuse a command; NULL: it is to accept it; ANYTHING: it
 * may. Values of dimensions
 * that are not in `known` do not matter.
 */
const char *refusal(const struct command *c, const bool *known);
/* Is it refused with any kind of input, any --print and any --base? */
bool is_refused_everywhere(const struct command *given, const bool *known);
/* Takes away what keeps the command from being valid, except the dimensions in `kept`. */
bool repair(struct command *c, const bool *kept);
/* The options of the program that have no dimension, or of which a choice is missing, as a text; "": none. */
const char *options_missing(void);

/* ---- runs --------------------------------------------------------------------------------- */

struct result {
    int status; /* of the program; TIMED_OUT, or 128 and the signal that ended it */
    char *out, *messages;
    size_t length;
};

enum { TIMED_OUT = 124, SANITIZED = 99 };

extern const char *program, *folder;

struct result run_words(char **words, const char *standard_input);
struct result run(const struct command *c);
/* As a shell takes it. */
char *command_text(const struct command *c);

/* ---- findings ----------------------------------------------------------------------------- */

extern unsigned long run_count, finding_count;

/* Prints what is wrong, and the commands, up to a NULL. */
void finding(const char *what, ...);

/* Random numbers, the same for the same seed. */
extern uint64_t random_state;
uint32_t random_below(uint64_t *state, uint32_t bound);
#define any(bound) ((size_t)random_below(&random_state, (uint32_t)(bound)))

#endif
