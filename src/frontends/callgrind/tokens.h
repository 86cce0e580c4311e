/*
 * Splits a text into tokens: the usual forms of lines, and of groups of lines, with their numbers.
 * This needs nothing from the lines before, so that another thread can do it ahead. It is where most
 * of the time goes. What tokens mean is for the reader (callgrind.c), which also reads any line that
 * has no usual form.
 */
#ifndef CG2WG_FRONTENDS_CALLGRIND_TOKENS_H
#define CG2WG_FRONTENDS_CALLGRIND_TOKENS_H

#include "frontends/event_costs.h"
#include "util/hash.h"

enum { MAX_POSITIONS = 3, NO_LINE_POSITION = -1 };

/* What is the same for all lines. */
struct line_form {
    size_t positions;
    int line_position; /* which of them is the line, or NO_LINE_POSITION */
    bool jumps_count;  /* lines may be relative to those of jumps */
    enum costs_wanted wanted;
    size_t columns;
    size_t first; /* the column that is wanted, if one is */
    struct event_weights weights; /* borrowed */
    struct hash_seed names_seed;  /* of the hashes of names in the profile */
    bool needs_each; /* sums of records do not replace the records */
};

enum token_kind {
    TOKEN_LINE,     /* a line of any other form */
    TOKEN_BLANKS,   /* blank lines */
    TOKEN_ALIAS,    /* KEY=(ID) */
    TOKEN_NAME,     /* KEY=NAME or KEY=(ID) NAME */
    TOKEN_CALLS,    /* calls=COUNT, and anything after a blank */
    TOKEN_JUMP,     /* also with its cost line */
    TOKEN_COST,     /* a cost line */
    TOKEN_COSTS,    /* cost lines of self costs of at least 0; also jumps among them, if these do not count */
    TOKEN_SUMS,      /* records that were added up: see prepared.h */
    TOKEN_COST_TEXT, /* a cost line that only the reader can read: see has_costs_in_tokens */
    TOKEN_RECORD,   /* a blank line, fl=(FILE), fn=(FUNCTION), LINE COST... */
    TOKEN_CALL      /* cfl=(FILE), cfn=(FUNCTION), calls=COUNT..., LINE COST... */
};

struct token {
    uint8_t kind;
    uint8_t key;    /* of names: enum position_kind; of costs: enum relative_lines; of groups: enum group_names */
    uint16_t lines; /* of the text */
    uint32_t size;  /* of the text, in bytes */
    union {
        struct {
            uint32_t file, function, line; /* of names: their aliases, or their hashes if they are written in full */
            union {
                int32_t other_cost; /* of a record, for ALL_COSTS: the second one; `cost` is the first */
                uint32_t count;     /* of calls */
            };
        } group;
        struct {
            uint64_t line, end; /* of costs: the first and the last one, or the difference to the one before */
        } at;
        uint64_t id; /* an alias; for TOKEN_SUMS the number of the span */
        uint64_t count; /* of calls */
        struct {
            uint32_t at, length; /* where in the text it begins */
            uint32_t hash;
            uint32_t id; /* its alias, which is defined; NO_ALIAS: none */
        } name;
    } u;
    cost_t cost; /* what the costs come to, if ONE_COST or WEIGHED_COSTS are wanted */
};

enum relative_lines { LINE_IS_RELATIVE = 1, END_IS_RELATIVE = 2 };

enum group_names { FILE_IS_NAMED = 1, FUNCTION_IS_NAMED = 2, FILE_IS_MISSING = 4 };

#define NO_ALIAS (UINT32_C(1) << 31) /* tokens contain smaller ones */

struct tokens {
    struct token *tokens;
    size_t count, capacity;
};

/* Do tokens contain costs and lines? Otherwise there are too many costs for them. */
static inline bool has_costs_in_tokens(const struct line_form *form)
{
    return form->wanted != ALL_COSTS || form->columns == 1;
}

/*
 * Replaces the tokens by those that `text` begins with, up to their capacity. `text` consists of whole
 * lines, and LINES_SLACK bytes after it can be read: the rest of the input, or zeros. It ends after the
 * last line that is known, or where a record begins, so that no group of lines goes on after it.
 * stop_at_records: only up to where tokens_begin_record, but not at the start. Returns the end of the
 * last token.
 */
const char *tokens_make(struct tokens *tokens, const struct line_form *form, struct text text,
                        bool stop_at_records);

/* May a record that Xdebug writes begin here? */
static inline bool tokens_begin_record(const char *p)
{
    return memcmp(p, "\nfl=", 4) == 0;
}

/*
 * Where to cut a text so that no record is cut: where the last one begins, after the start. 0:
 * nowhere.
 */
size_t tokens_cut(struct text text);

#endif
