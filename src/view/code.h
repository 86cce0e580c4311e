/* SPDX-License-Identifier: MIT */
/* Source files, which are opened only below the folders that the user permits. */
#ifndef CG2WG_VIEW_CODE_H
#define CG2WG_VIEW_CODE_H

#include "view/view.h"

struct code_file {
    uint64_t volume, number; /* of the file: the names of a profile may mean the same */
    struct text text;
    size_t *starts; /* of its lines, and the end */
    size_t line_count;
    double *weights; /* of its lines; for a page, like its list there; NULL: it has none */
    uint32_t list;   /* its number among those, from 1; 0: none */
};

/* The lines that are shown next to one with a cost, even if they have none. */
enum { CODE_BESIDE = 3 };

/* The files that a profile names. Memory is of the task. */
struct code {
    const struct cg2wg_view *options; /* with the folders */
    char **folders;                   /* of the options, with all links resolved; NULL: nothing has been looked for */
    struct contents *shown;
    uint32_t *file_of; /* by a name's number: a file, plus 1; 0: not looked for, NONE: not found */
    size_t name_capacity;
    struct code_file *files;
    size_t count, capacity;
};

/*
 * The file of this name, or NULL: by its path if that is below a folder, by its path below one, or by the longest end
 * of it that is there, of at most 32 parts. What is shown has no more readers than the file. It must be regular, also
 * below the folder after all links are followed, and have at most 16 MB. Warns, once, of a file that has changed since
 * the profile.
 */
struct code_file *code_find(struct code *code, uint32_t name);

/* A line of a file, without its end; empty: it has none of that number. */
struct text code_text(const struct code_file *file, uint32_t line);

/* The source of functions, with what each line costs and calls: see listing.c. */
struct listing {
    struct table table; /* of lines; its room, unit and stream are those of the functions' table */
    struct table calls; /* `table` without self costs */
    struct view view;   /* of lines, with the rows of functions by number */
    struct ordered_lines lines;
    struct code code;
};

/* `table` is the functions', and `functions` has a row for each of them. */
void listing_init(struct listing *listing, const struct table *table, const struct cg2wg_view *options,
                  struct contents *shown, const struct view *functions);

/*
 * Prints, for each file that has code of the function, its own first, the lines from the first to the last one with a
 * cost, and below each what it calls. Of a file that is not found, it prints the lines with costs.
 */
void listing_print(struct listing *listing, uint32_t function);

/* Prints the code of a row of lines, if it is found, below what has been printed of it, indented by `used`. */
void listing_print_line(struct listing *listing, size_t used, const struct view_row *row);

#endif
