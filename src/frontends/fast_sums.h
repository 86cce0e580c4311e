/*
 * The fast path of the callgrind front end for profiles whose records are sums, such as Valgrind's:
 * takes runs of lines of these forms, and leaves all others to the plain path. Both give the same
 * profile; tests compare them.
 *
 *     cost lines, jumps and blank lines    as cost_lines.h says
 *     [cob=OBJECT] [cfi=FILE] cfn=FUNCTION with calls=COUNT... and the cost line behind it
 *     [ob=OBJECT] [fl=FILE] fn=FUNCTION    and the first cost line behind it
 *
 * The costs of a function are summed up before they are entered.
 */
#ifndef CG2WG_FRONTENDS_FAST_SUMS_H
#define CG2WG_FRONTENDS_FAST_SUMS_H

#include "frontends/aliases.h"
#include "frontends/cost_runs.h"
#include "model/builder.h"

struct fast_sums {
    struct builder *builder; /* borrowed, as all of these */
    struct aliases *object_aliases, *file_aliases, *function_aliases;
    struct cost_runs *ahead; /* runs of cost lines in the text that are known, of this form */
    struct cost_form form;

    /* What position lines have said, as the reader keeps it. */
    uint32_t object, file, call_file, function_file, entered_file, function_name;
    uint64_t line;
    bool has_file; /* an fl= has been taken */
    bool has_callee;
    uint32_t callee; /* of the last call */

    /* What has been taken. */
    uint64_t lines, sensible_lines;
    cost_t self;
};

/*
 * Takes lines off the start of `text`, within the record of the builder's current function, behind
 * one of its own cost lines: it is known in which line the function begins, as far as lines from the
 * file at hand can tell. Takes none behind the last newline, and leaves some bytes at the end.
 * Returns false, having reported it, when memory runs out.
 */
bool fast_sums_take(struct fast_sums *sums, struct text *text);

#endif
