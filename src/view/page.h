/* SPDX-License-Identifier: MIT */
/* The data of a page, which page.c chooses and page_print.c prints. */
#ifndef CG2WG_VIEW_PAGE_H
#define CG2WG_VIEW_PAGE_H

#include "view/code.h"
#include "view/stacks.h"

enum { LIMITS_A_DECADE = 90, DECADES = 9, LIMIT_COUNT = LIMITS_A_DECADE * DECADES + 2 };

/* A line of a function, and what it costs in each input, as the page shows it. */
struct page_line {
    uint32_t file; /* of the page; 0: the function's own */
    uint32_t name; /* of the file, in the first input; NONE: only the second one has the line */
    uint32_t line;
    cost_t self[2], calls[2];
};

struct page {
    const struct view *view;
    struct side sides[SIDES];     /* the second one, if there are two */
    size_t side_count, row_count; /* rows: how many numbers they have */
    size_t most_rows;             /* that may be shown, the first ones of the view */
    double total;                 /* the larger one of the inputs; limits are in percent of it */
    double limit, frame_limit;
    uint32_t opened;    /* the number of the function that it opens with, or NONE */
    uint32_t *numbers;  /* of rows, by their numbers in the view: those in the page, from 1 on, or 0 */
    struct page_texts { /* files, classes, objects and folders of the functions, by the kind of their group */
        struct names names;
        uint32_t *numbers;   /* of each in the page, from 1 on, or 0 */
        uint32_t known;      /* how many have one so far */
        uint32_t *groups[2]; /* of each in the inputs: its number there, from 1 on, or 0 */
        double *largest;     /* of each: the largest cost of a function or line that has it */
    } texts[CG2WG_GROUP_FOLDER + 1];
    struct page_line *lines; /* with costs, of the functions by the numbers of their rows; NULL: they are unknown */
    size_t *line_start;      /* by number, and the end: where they begin */
    struct code code;        /* their source, if the options permit any */
    struct stack_tree tree;  /* of numbers of rows; empty: stacks are unknown */
    size_t negative_stacks;
    bool repeats; /* inclusive costs count recursion more than once */
    /* Limits to choose from, in percent: 0, and numbers of two digits up to 990. No cost reaches the last one. */
    double limits[LIMIT_COUNT];
    uint64_t bytes[2][LIMIT_COUNT]; /* with a cost that reaches a limit, but not the next; the same of frames */
    uint64_t weighed;               /* so many have been */
    bool has_weighed;               /* all */
};

/* Finds what other events of a page have in common with this one, whose groups are known. */
void outline_init(struct outline *outline, const struct contents *shown);

static inline bool page_reaches(const struct page *page, double cost, double limit)
{
    return limit == 0 || (page->total > 0 && cost * 100 >= limit * page->total);
}

static inline double page_line_weight(const struct page_line *line)
{
    return (double)MAX(MAX(line->self[0], line->calls[0]), MAX(line->self[1], line->calls[1]));
}

/* The source of a line, whose characters are whole. */
struct text page_code(const struct code_file *file, size_t line);

/* The number of the largest limit that a cost reaches, until all bytes have been weighed. */
uint32_t page_limit(const struct page *page, double cost);

/* The bytes since the last time are of something whose cost reaches that limit. */
static inline void page_weigh(struct page *page, const struct json *json, uint32_t limit, bool is_frame)
{
    page->bytes[is_frame][limit] += page->has_weighed ? 0 : json->size - page->weighed;
    page->weighed = json->size;
}

/* Prints the data, or of these, the order of calls, single calls and parts. */
void page_print(struct json *json, struct page *page);
void page_print_beside(struct json *json, const struct page *page);

#endif
