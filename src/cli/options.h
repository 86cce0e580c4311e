/* SPDX-License-Identifier: MIT */
/* The command line: one table describes every option, for parsing and for --help. */
#ifndef CG2WG_CLI_OPTIONS_H
#define CG2WG_CLI_OPTIONS_H

#include "cg2wg_print.h"

#include <stdio.h>

/* If the command line asks for several, the last one here wins. */
enum action {
    ACTION_CONVERT,
    ACTION_LIST_EVENTS,
    ACTION_PRINT,
    ACTION_LIST_OPTIONS, /* for the scripts that generate completions */
    ACTION_VERSION,
    ACTION_HELP
};
enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
enum progress_choice { PROGRESS_ON_TERMINAL, PROGRESS_ALWAYS, PROGRESS_NEVER };

/* What the command line asks for. Strings belong to argv, arrays to the task. */
struct options {
    enum action action;
    struct cg2wg_options convert;
    const char **bases; /* of --base */
    size_t base_count;
    const char **inputs;
    size_t input_count; /* at least 1 if the action takes any */
    const char *output;
    const char *storage; /* the directory for one output per input; NULL: `output` is it */
    const char *name;    /* of a single output in that directory, without its suffix; or NULL */
    bool quiet, verbose, stats;
    bool all;       /* prints all functions, even if they do not fit a terminal; with --help, all options */
    unsigned width; /* in place of the terminal's width, also where standard output is none; 0: not given */
    enum progress_choice progress;
    enum colour_choice colour;
    struct cg2wg_view view; /* with --print; the size of the terminal is set by main */
};

/* Reads the command line. If it is wrong, prints why to standard error, and ends the task. */
void options_parse(struct options *options, int argc, char **argv);

/* Prints the text of --help in lines of at most that width; `is_whole`: that of --help=all. */
void options_print_help(FILE *stream, size_t width, bool is_whole);

/* Prints the options, one per line: letter, name, argument, help, with tabs. "-": none; "=": may be left out. */
void options_print_list(FILE *stream);

#endif
