/* SPDX-License-Identifier: MIT */
/* What the program cg2wg prints, for terminals, files and browsers. cg2wg.h has what a program reads. */
#ifndef CG2WG_PRINT_H
#define CG2WG_PRINT_H

#include "cg2wg.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(default)
#endif

enum cg2wg_style {
    CG2WG_TABLE,
    CG2WG_JSON,
    CG2WG_PLOT,      /* of costs by input size */
    CG2WG_STACKS,    /* collapsed, for flame graphs */
    CG2WG_PAGE,      /* of HTML */
    CG2WG_PPROF,     /* profile.proto of google/pprof, not compressed */
    CG2WG_LINES,     /* a table of lines of code */
    CG2WG_TREE,      /* stacks, indented */
    CG2WG_PICTURE,   /* SVG of the stacks */
    CG2WG_CSV,       /* RFC 4180: functions and their costs, for spreadsheets */
    CG2WG_CALLGRIND, /* the callgrind format, with lines and all events */
    CG2WG_DOT,       /* the call graph, for graphviz: by inclusive cost, without `top` 80 functions, `min` is 0.5 */
    CG2WG_MARKDOWN   /* a table for pull requests, as GitHub renders it */
};

enum cg2wg_order {
    CG2WG_BY_SELF,
    CG2WG_BY_INCLUSIVE,
    CG2WG_BY_INVOCATIONS,
    CG2WG_BY_NAME,
    CG2WG_BY_PLACE, /* the order of the input */
    CG2WG_BY_TIME   /* TREE of functions alone: calls in the order in which they were made, in place of stacks */
};

/* What the rows are; docs/formats.md defines groups. */
enum cg2wg_group {
    CG2WG_GROUP_FUNCTION,
    CG2WG_GROUP_FILE,  /* up to FOLDER: sums of functions */
    CG2WG_GROUP_CLASS, /* their class, namespace or package */
    CG2WG_GROUP_OBJECT,
    CG2WG_GROUP_FOLDER, /* of their files */
    CG2WG_GROUP_LINE,   /* lines of code: TABLE, JSON, CSV, MARKDOWN, PAGE. LINES is the table of these */
    CG2WG_GROUP_RUN,    /* inputs, and runs that Xdebug appended to one; in the styles of LINE, without a base */
    CG2WG_GROUP_THREAD, /* of recordings, and of the parts of a callgrind file; as RUN */
    CG2WG_GROUP_PROCESS,
    CG2WG_GROUP_CALL /* single calls of `functions`, which must be given; as RUN. The costliest first: BY_INCLUSIVE */
};

/*
 * Patterns: parts of names, in any case; with `*` (any bytes) or `?` (any byte), whole names; after `=`, exactly the
 * name that follows. After `file:` or `object:`, they are of files or objects. Borrowed. One that matches nothing is an
 * error, or in `hide`, a warning.
 */
struct cg2wg_patterns {
    const char *const *words;
    size_t count;
};

/*
 * What of an input is printed, and how. Members that name styles are for these: `functions`, `base` and `group` are
 * CG2WG_MISUSE with any other, which ignores the rest.
 */
struct cg2wg_view {
    size_t size; /* of this struct; set by cg2wg_view_init */
    enum cg2wg_style style;
    enum cg2wg_order order;
    unsigned depth; /* TREE, PICTURE: at most so many functions below each other; 0: any number */
    unsigned top;   /* at most so many functions; 0: all */
    double min;     /* only those with at least so many percent of the total, up to 100; below 0: not given */
    struct cg2wg_patterns only, hide;
    /* TABLE, JSON, CSV, MARKDOWN: prints the callers and callees of these instead; LINES: only their lines; a PAGE opens
       with the costliest. Not with a base. */
    struct cg2wg_patterns functions;
    /* With CG2WG_TAKES_BASE: prints how the inputs differ from this one; NULL: prints the inputs themselves. */
    const char *base;
    const char *output; /* in place of the stream; the program gzip compresses it if its name ends in .gz; or NULL */
    double fail_above;  /* percent, up to 10^6, that the total may grow beyond that of a base; below 0: any number */
    size_t lines;       /* of a terminal: a table has as many functions as fit, unless `top` is given; 0: all */
    size_t columns;     /* of a terminal, to which lines are fitted; 0: not a terminal */
    bool estimate;  /* STACKS, PPROF: stacks that a profile lacks are estimated, as in TREE, PICTURE and PAGE always */
    bool has_lines; /* JSON without `base`: each function has its lines; PAGE, PPROF: also those of recordings */
    const char *const *sources; /* TABLE with functions, LINES, PAGE: folders below which source files may be opened */
    size_t source_count;
    const char *link; /* PAGE: files lead to this URL, no script, with %f for the file, %l for the line; or NULL */
    bool colour;      /* numbers of hot rows, or of rows that changed, have a colour */
    bool raw;         /* also on a terminal and on a page, times and bytes are numbers in the event's unit */
    const char *const *more_bases; /* further runs of the base, as several inputs are runs with one: not merged */
    size_t more_base_count;
    enum cg2wg_group group; /* with CG2WG_TAKES_GROUP: groups take the place of functions; a PAGE opens with them */
    /* With a base: functions whose self costs may grow by at most so many percent each, up to 10^6; as fail_above. */
    struct cg2wg_patterns fail_functions;
    const double *fail_percents;
};

/* What a style takes, beside an event and a title: the program refuses options for other members of cg2wg_view. */
enum cg2wg_style_takes {
    CG2WG_TAKES_ROWS = 1, /* only, hide */
    CG2WG_TAKES_TOP = 2,
    CG2WG_TAKES_MIN = 4,
    CG2WG_TAKES_BASE = 8, /* also more_bases, fail_above, fail_functions */
    CG2WG_TAKES_GROUP = 16,
    CG2WG_TAKES_FUNCTIONS = 32,
    CG2WG_TAKES_DEPTH = 64,
    CG2WG_TAKES_ESTIMATE = 128,
    CG2WG_TAKES_LINES = 256, /* has_lines */
    CG2WG_TAKES_SOURCE = 512,
    CG2WG_TAKES_LINK = 1024,
    CG2WG_TAKES_LOOKS = 2048, /* colour, raw */
    CG2WG_IS_BINARY = 4096,   /* it is not for a terminal */
    CG2WG_TAKES_ORDER = 8192
};

struct cg2wg_style_facts {
    const char *word;    /* of --print */
    const char *endings; /* of files, with a blank between two; or empty */
    unsigned takes;      /* of enum cg2wg_style_takes */
};

/* The facts of a style, which are valid for ever; NULL: there is none of that number, so that it ends a loop. */
const struct cg2wg_style_facts *cg2wg_style_about(enum cg2wg_style style);

/* Sets the defaults: a table of all functions by self cost. `size`: sizeof *view. */
void cg2wg_view_init(struct cg2wg_view *view, size_t size);

/*
 * Prints an input of any format: to a stream, all of it or, if that fails, nothing, where the caller checks the stream
 * for errors; or to view->output, as cg2wg_convert does. `view` may be NULL, which stands for the defaults. Returns the
 * same as cg2wg_convert. Then `grew`, which may be NULL, says whether costs have grown by more than view->fail_above or
 * view->fail_percents allow.
 *
 * options->event may be several events, up to 32 with commas between them, or `all`: TABLE, CSV, JSON and MARKDOWN
 * then show them side by side, a PAGE lets one choose, and CALLGRIND has them all.
 */
enum cg2wg_status cg2wg_print(const char *input, const struct cg2wg_options *options, const struct cg2wg_view *view,
                              FILE *stream, bool *grew);

/* The same of several inputs, which are merged: see cg2wg_convert_all. */
enum cg2wg_status cg2wg_print_all(const char *const *inputs, size_t count, const struct cg2wg_options *options,
                                  const struct cg2wg_view *view, FILE *stream, bool *grew);

#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
