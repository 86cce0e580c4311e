/* The command line: one table describes every option, for parsing and for --help. */
#ifndef CG2WG_CLI_OPTIONS_H
#define CG2WG_CLI_OPTIONS_H

#include "cg2wg.h"

#include <stdio.h>

/* Of several that the command line asks for, the last one here is done. */
enum action {
    ACTION_CONVERT,
    ACTION_LIST_EVENTS,
    ACTION_PRINT,
    ACTION_LIST_OPTIONS, /* for what generates completions */
    ACTION_VERSION,
    ACTION_HELP
};
enum print_style { PRINT_TABLE, PRINT_JSON, PRINT_PLOT };
enum progress_choice { PROGRESS_ON_TERMINAL, PROGRESS_ALWAYS, PROGRESS_NEVER };
enum print_order { ORDER_SELF, ORDER_INCLUSIVE, ORDER_INVOCATIONS, ORDER_NAME, ORDER_NONE };

/* What the command line asks for. Strings are those of argv; options_free frees the arrays. */
struct options {
    enum action action;
    struct cg2wg_options convert;
    const char **inputs;
    size_t input_count; /* at least 1 where the action takes any */
    const char *output;
    bool quiet, verbose, stats;
    enum progress_choice progress;
    enum print_style print_style;
    enum print_order print_order;
    unsigned print_top; /* 0: all */
    bool print_is_shaped; /* by --sort or --top */
    size_t columns; /* of the terminal that standard output is; 0: it is none; set by main */
};

enum options_result {
    OPTIONS_TAKEN,
    OPTIONS_WRONG, /* it asks for nothing that the program can do */
    OPTIONS_NO_MEMORY
};

/*
 * Reads the command line. What is wrong is said on standard error. Whatever the result, options_free
 * has to follow.
 */
enum options_result options_parse(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* Prints what --help shows, in lines of at most so many columns. */
void options_print_help(FILE *stream, size_t columns);

/*
 * Prints the options that --help shows, one a line: letter, name, argument and help, with tabs between.
 * "-" is no letter, or no argument; "=" before an argument: it may be left out.
 */
void options_print_list(FILE *stream);

#endif
