/*
 * The hot path for cost lines, of profiles whose records are sums: takes runs of lines of these forms,
 * which say nothing but what the function at hand costs by itself.
 *
 *     [POSITION] LINE COST...   own cost; a sign or * makes a position relative
 *     jump=... | jcnd=...       and the line of positions behind it
 *                               blank lines
 *
 * Only the line is kept of a position: the others matter to nobody.
 */
#ifndef CG2WG_FRONTENDS_COST_LINES_H
#define CG2WG_FRONTENDS_COST_LINES_H

#include "util/text.h"

enum { COST_LINES_MARGIN = 128 }; /* bytes of a text, at its end, that are left alone */

struct cost_form {
    bool has_other_position; /* lines begin with a position that is no line */
    bool remembers_self;     /* positions are relative to those of the last own cost */
    size_t columns;          /* costs in a line, at most; the first one counts */
};

struct cost_line {
    uint64_t line; /* before: the one that it may be relative to */
    uint64_t cost; /* the first one */
    const char *next;
};

struct cost_run {
    struct text text;
    uint64_t line; /* that of the last line */
    uint64_t cost; /* of all lines; below 2^63 */
    uint64_t lines, blank_lines;
    bool has_cost; /* not all are jumps and blank */
};

static inline bool cost_line_begins(char c)
{
    return char_is_digit(c) || c == '+' || c == '-' || c == '*';
}

/* Does a line begin so? `p` has a margin behind it. */
static inline bool line_begins(const char *p, const char *key)
{
    return memcmp(p, key, strlen(key)) == 0;
}

/* Takes the run that `text` begins with; its first line may be relative to `line`. It may be empty. */
void cost_lines_take(struct cost_form form, struct text text, uint64_t line, struct cost_run *run);

/* Takes one cost line, which begins at `p`, with a margin behind it. False: there is none. */
bool cost_lines_take_one(struct cost_form form, const char *p, struct cost_line *line);

/* Where the line behind the one at `p` begins, if that is within the text but for its margin; or NULL. */
const char *cost_lines_next(struct text text, const char *p);

#endif
